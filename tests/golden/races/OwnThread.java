// Each thread touches only the part that belongs to itself: no lock is needed.
public class OwnThread extends Thread {
    private static OwnThread[] all;
    private OwnThreadPart part;

    OwnThread() {
        this.part = new OwnThreadPart();
    }

    public static void main(String[] args) {
        all = new OwnThread[args.length];
        for (int i = 0; i < args.length; i++) {
            OwnThread t = new OwnThread();
            all[i] = t;
        }
        for (int i = 0; i < args.length; i++) all[i].start();
    }

    @Override
    public void run() {
        OwnThread t = this;
        OwnThreadPart p = t.part;
        synchronized (new Object()) {
            p.value = 1; // e
        }
    }
}

class OwnThreadPart {
    int value;
}
