import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Dynamic proxies. */
public class Proxies {
    interface Service {
        A serve(A a);

        Text text(A a);
    }

    static class A {
        void use() {
            Mark.ran();
        }
    }

    static class B extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Text implements Runnable {
        public void run() {
            deadText();
        }
    }

    static void deadText() {
        Mark.ran();
    }

    static class Handler implements InvocationHandler {
        public Object invoke(Object proxy, Method method, Object[] args) {
            Mark.ran();
            ((A) args[0]).use();
            return method.getName().equals("text") ? new Text() : new B();
        }
    }

    public static void main(String[] args) {
        Service s = (Service) Proxy.newProxyInstance(Proxies.class.getClassLoader(),
                                                     new Class<?>[] {Service.class}, new Handler());
        A served = s.serve(new A());
        served.use();
        s.text(new A());
        if (served instanceof Runnable r) r.run(); // a proxy's result is of the type that the method declares
    }
}
