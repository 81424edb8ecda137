// Each special owner, and each kind of final lock expression, used correctly.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class Owners {
    static final Object GLOBAL = new Object();

    public static void main(String[] args) throws Exception {
        Self self = new Self();
        ByField byField = new ByField();
        Global global = new Global();
        ReadOnly readOnly = new ReadOnly(args.length);
        Held held = new Held();
        BlockingQueue<Unique> queue = new ArrayBlockingQueue<>(10);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                Local local = new Local();
                local.f = 1;
                self.set(readOnly.f);
                byField.set(2);
                global.set(3);
                ByClass.set(4);
                held.set(5);
                try {
                    Unique fresh = new Unique();
                    fresh.f = 6;
                    queue.put(fresh);
                    Unique taken = queue.take();
                    taken.f++;
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}

class Local {
    int f;
}

class Self {
    int f;

    synchronized void set(int v) {
        f = v;
    }
}

class ByField {
    private final Object lock = new Object();
    int f;

    void set(int v) {
        synchronized (lock) {
            f = v;
        }
    }
}

class Global {
    int f;

    void set(int v) {
        synchronized (Owners.GLOBAL) {
            f = v;
        }
    }
}

class ByClass {
    static int f;

    static synchronized void set(int v) {
        f = v;
    }
}

class ReadOnly {
    int f;

    ReadOnly(int v) {
        f = v;
    }
}

class Part {
    int f;
}

class Held {
    private final Part part = new Part();

    synchronized void set(int v) {
        part.f = v;
    }
}

class Unique {
    int f;
}
