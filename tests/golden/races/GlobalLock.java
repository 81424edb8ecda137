// One global lock for the parts of all threads (coarse): both locks are the same object.
public class GlobalLock extends Thread {
    private static GlobalLock[] all;
    private GlobalLockPart part;

    GlobalLock() {
        this.part = new GlobalLockPart();
    }

    public static void main(String[] args) {
        all = new GlobalLock[args.length];
        for (int i = 0; i < args.length; i++) {
            GlobalLock t = new GlobalLock();
            all[i] = t;
        }
        for (int i = 0; i < args.length; i++) all[i].start();
    }

    @Override
    public void run() {
        GlobalLock t = all[hashCode()];
        GlobalLockPart p = t.part;
        synchronized (all) {
            p.value = 1; // e
        }
    }
}

class GlobalLockPart {
    int value;
}
