/** Monitors: entered once, left on every way out. */
class Locks {
    static final Object LOCK = new Object();
    private long count;

    synchronized void method() {
        count++;
    }

    long block(Locks other) {
        synchronized (LOCK) {
            synchronized (other) {
                return count += other.count;
            }
        }
    }

    void inTry(Runnable r) {
        try {
            synchronized (this) {
                r.run();
            }
            r.run();
        } catch (RuntimeException e) {
            count = -1;
        }
    }
}
