/** Threads: subclasses, runnables, handlers, thread locals. */
public class Threads {
    static class Sub extends Thread {
        @Override
        public void run() {
            Mark.ran();
        }
    }

    static class Task implements Runnable {
        public void run() {
            Mark.ran();
            Mark.class.getName();
        }
    }

    static class Deep extends Sub {
        @Override
        public void run() {
            super.run();
            Mark.ran();
        }
    }

    static class Never extends Thread {
        @Override
        public void run() {
            deadNever();
        }
    }

    static void deadNever() {
        Mark.ran();
    }

    static class Value {
        void use() {
            Mark.ran();
        }
    }

    static class Initial {
        void use() {
            Mark.ran();
        }
    }

    static final ThreadLocal<Value> LOCAL = new ThreadLocal<>();
    static final ThreadLocal<Initial> WITH_INITIAL = ThreadLocal.withInitial(Initial::new);

    static class Handler implements Thread.UncaughtExceptionHandler {
        public void uncaughtException(Thread t, Throwable e) {
            Mark.ran();
        }
    }

    static class Custom extends RuntimeException {
        void inspect() {
            Mark.ran();
        }
    }

    static void thrower() {
        throw new Custom();
    }

    public static void main(String[] args) throws Exception {
        new Never(); // made, never started
        Thread[] all = {new Sub(), new Thread(new Task()), new Deep(), new Thread(Threads::body)};
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        LOCAL.set(new Value());
        LOCAL.get().use();
        WITH_INITIAL.get().use();
        Thread failing = new Thread(Threads::thrower);
        failing.setUncaughtExceptionHandler(new Handler());
        failing.start();
        failing.join();
        try {
            thrower();
        } catch (Custom e) {
            e.inspect();
        }
    }

    static void body() {
        Mark.ran();
    }
}
