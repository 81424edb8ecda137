// The lock is the part itself (medium).
public class PartLock extends Thread {
    private static PartLock[] all;
    private PartLockPart part;

    PartLock() {
        this.part = new PartLockPart();
    }

    public static void main(String[] args) {
        all = new PartLock[args.length];
        for (int i = 0; i < args.length; i++) {
            PartLock t = new PartLock();
            all[i] = t;
        }
        for (int i = 0; i < args.length; i++) all[i].start();
    }

    @Override
    public void run() {
        PartLock t = all[hashCode()];
        PartLockPart p = t.part;
        synchronized (p) {
            p.value = 1; // e
        }
    }
}

class PartLockPart {
    int value;
}
