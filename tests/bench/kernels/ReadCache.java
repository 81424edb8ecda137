// norace
package bench;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Read-mostly cache: a hot set behind a volatile copy-on-write array, backed by a HashMap behind a read-write lock.
 * Nearly all operations only read; entries are filled before they are published. Hot: volatile read, then plain
 * fields and arrays that several threads read and none writes any more.
 */
public final class ReadCache {
    private static final int KEYS = 4096;
    private static final int HOT = 256;
    private static final int BODY = 32;
    private static final int REFRESH_EVERY = 1000;

    /** Not final fields on purpose: only the publication orders them. */
    static final class Entry {
        private int key;
        private int version;
        private int[] body;

        Entry(int key, int version) {
            this.key = key;
            this.version = version;
            body = new int[BODY];
            for (int i = 0; i < BODY; i++) {
                body[i] = key * 31 + i;
            }
        }

        /** The same for every version of an entry, so that the sum does not depend on the schedule. */
        long digest() {
            long sum = key;
            for (int b : body) {
                sum = sum * 17 + b;
            }
            return sum;
        }
    }

    /** Snapshot of the hot keys; replaced, never changed. */
    private volatile Entry[] hot = new Entry[HOT];
    private final Map<Integer, Entry> all = new HashMap<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    private long lookUp(int key) {
        if (key < HOT) {
            Entry e = hot[key];
            if (e != null) {
                return e.digest();
            }
        }
        lock.readLock().lock();
        try {
            Entry e = all.get(key);
            if (e != null) {
                return e.digest();
            }
        } finally {
            lock.readLock().unlock();
        }
        return refresh(key).digest();
    }

    /** Makes a new version of an entry and, for a hot key, a new snapshot. */
    private Entry refresh(int key) {
        lock.writeLock().lock();
        try {
            Entry old = all.get(key);
            Entry e = new Entry(key, old == null ? 0 : old.version + 1);
            all.put(key, e);
            if (key < HOT) {
                Entry[] next = hot.clone();
                next[key] = e;
                hot = next;
            }
            return e;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Nine look-ups in ten go to the hot set. */
    private long work(int id, int lookUps) {
        Rng rng = new Rng(300 + id);
        long sum = 0;
        for (int n = 0; n < lookUps; n++) {
            int key = rng.nextInt(rng.nextInt(10) < 9 ? HOT : KEYS);
            sum += lookUp(key);
            if (n % REFRESH_EVERY == 0) {
                refresh(key);
            }
        }
        return sum;
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 48_000_000, 1_500_000);
        ReadCache cache = new ReadCache();
        long[] sums = new long[args.threads];
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            int mine = id;
            workers[id] = () -> sums[mine] = cache.work(mine, args.size);
        }
        Args.runAll(workers);
        long sum = 0;
        for (long s : sums) {
            sum += s;
        }
        args.print("ReadCache", sum);
    }
}
