// The lock is the only holder of the part (fine): different locks mean different parts.
public class HolderLock extends Thread {
    private static HolderLock[] all;
    private HolderLockPart part;

    HolderLock() {
        this.part = new HolderLockPart();
    }

    public static void main(String[] args) {
        all = new HolderLock[args.length];
        for (int i = 0; i < args.length; i++) {
            HolderLock t = new HolderLock();
            all[i] = t;
        }
        for (int i = 0; i < args.length; i++) all[i].start();
    }

    @Override
    public void run() {
        HolderLock t = all[hashCode()];
        HolderLockPart p = t.part;
        synchronized (t) {
            p.value = 1; // e
        }
    }
}

class HolderLockPart {
    int value;
}
