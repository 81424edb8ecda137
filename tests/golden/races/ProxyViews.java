import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

// A list that is a proxy: what its handler does is looked at, and the proxy itself is no container.
public class ProxyViews {
    static int calls;
    static final List<String> behind = new ArrayList<>();

    @SuppressWarnings("unchecked")
    static final List<String> list = (List<String>) Proxy.newProxyInstance(
        ProxyViews.class.getClassLoader(), new Class<?>[] {List.class}, (proxy, method, args) -> {
            calls++;
            return method.invoke(behind, args);
        });

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> list.size());
        t.start();
        System.out.println(list.isEmpty());
        t.join();
    }
}
