// The lock is the running thread, not the holder of the part: a race on value.
public class WrongLock extends Thread {
    private static WrongLock[] all;
    private WrongLockPart part;

    WrongLock() {
        this.part = new WrongLockPart();
    }

    public static void main(String[] args) {
        all = new WrongLock[args.length];
        for (int i = 0; i < args.length; i++) {
            WrongLock t = new WrongLock();
            all[i] = t;
        }
        for (int i = 0; i < args.length; i++) all[i].start();
    }

    @Override
    public void run() {
        WrongLock t = all[hashCode()];
        WrongLockPart p = t.part;
        synchronized (this) {
            p.value = 1; // e
        }
    }
}

class WrongLockPart {
    int value;
}
