import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Dynamic proxies. */
public class Proxies {
    interface Service {
        A serve(A a);
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

    static class Handler implements InvocationHandler {
        public Object invoke(Object proxy, Method method, Object[] args) {
            Mark.ran();
            ((A) args[0]).use();
            return new B();
        }
    }

    public static void main(String[] args) {
        Service s = (Service) Proxy.newProxyInstance(Proxies.class.getClassLoader(),
                                                     new Class<?>[] {Service.class}, new Handler());
        s.serve(new A()).use();
    }
}
