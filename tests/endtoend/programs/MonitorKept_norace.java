// norace
// One monitor, which its own class takes knowing where the object's shadow is, and others without: the class below, which
// locks itself as well, code that knows only an Object, and a method that is left by an exception.
public class MonitorKept_norace {
    static class Base {
        synchronized void add() {
            x++;
        }

        void addIn() {
            synchronized (this) {
                x++;
            }
        }

        synchronized void addAndThrow() {
            x++;
            throw new IllegalStateException();
        }
    }

    static class Derived extends Base {
        synchronized void addBelow() {
            x++;
        }

        void addInBelow() {
            synchronized (this) {
                addIn();
                x++;
            }
        }

        static void addTo(Base other) {
            synchronized (other) {
                x++;
            }
        }
    }

    static final Derived MONITOR = new Derived();
    static int x;

    static void add(int i) {
        switch (i % 7) {
            case 0: MONITOR.add(); break;
            case 1: MONITOR.addIn(); break;
            case 2: MONITOR.addBelow(); break;
            case 3: MONITOR.addInBelow(); break;
            case 4: Derived.addTo(MONITOR); break;
            case 5: {
                Object plain = MONITOR;
                synchronized (plain) {
                    x++;
                }
                break;
            }
            default:
                try {
                    MONITOR.addAndThrow();
                } catch (IllegalStateException e) {
                    break;
                }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[3];
        for (int k = 0; k < threads.length; k++) {
            int from = k;
            threads[k] = new Thread(() -> {
                for (int i = 0; i < 7000; i++) add(from + i);
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }
}
