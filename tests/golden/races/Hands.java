// Objects that go from hand to hand through queues.  ...Ok: in one hand at a time; ...Bad: not so.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Hands {
    interface Body {
        void run() throws Exception;
    }

    static void start(Body b) {
        for (int t = 0; t < 2; t++) {
            new Thread(() -> {
                try {
                    b.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
    }

    // ---- two queues, and a part ----

    static final class Message {
        final int[] payload = new int[100];
        int id;

        void fill(int n) {
            id = n;
            for (int i = 0; i < payload.length; i++) payload[i] = n * i;
        }

        long sum() {
            long sum = id;
            for (int v : payload) sum += v;
            id = 0;
            return sum;
        }
    }

    static void queuesOk() {
        BlockingQueue<Message> free = new LinkedBlockingQueue<>(), full = new ArrayBlockingQueue<>(10);
        for (int i = 0; i < 10; i++) free.add(new Message());
        start(() -> {
            for (int i = 0; i < 100; i++) {
                Message m = free.take();
                m.fill(i);
                send(full, m);
            }
        });
        start(() -> {
            long sum = 0;
            for (Message m = full.take(); sum >= 0; m = full.take()) {
                sum += m.sum();
                free.put(m);
            }
        });
    }

    static void send(BlockingQueue<Message> to, Message m) throws InterruptedException {
        to.put(m);
    }

    // ---- exchange ----

    static final class Cup {
        int v;
    }

    static void exchangeOk() {
        Exchanger<Cup> exchanger = new Exchanger<>();
        start(() -> {
            Cup mine = new Cup();
            for (int i = 0; i < 100; i++) {
                mine.v++;
                mine = exchanger.exchange(mine);
            }
        });
    }

    // ---- queues of the program ----

    static final class Parcel {
        int v;
    }

    static final class Ring {
        private final Parcel[] ring = new Parcel[10];
        private int head, count;

        synchronized boolean put(Parcel p) {
            if (count == ring.length) return false;
            ring[(head + count) % ring.length] = p;
            count++;
            return true;
        }

        synchronized Parcel take() {
            if (count == 0) return null;
            Parcel p = ring[head];
            ring[head] = null;
            head = (head + 1) % ring.length;
            count--;
            return p;
        }
    }

    static void ringOk() {
        Ring ring = new Ring();
        for (int i = 0; i < 10; i++) ring.put(new Parcel());
        start(() -> {
            Parcel p = ring.take();
            if (p != null) {
                p.v++;
                ring.put(p);
            }
        });
    }

    static final class Letter {
        int v;
    }

    static final class Box {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Letter[] slots = new Letter[1];

        void put(Letter l) throws InterruptedException {
            lock.lock();
            try {
                while (slots[0] != null) changed.await();
                slots[0] = l;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        Letter take() throws InterruptedException {
            lock.lock();
            try {
                while (true) {
                    Letter l = slots[0];
                    slots[0] = null;
                    if (l != null) {
                        changed.signalAll();
                        return l;
                    }
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** The look whether the slot is free takes nothing out, which is not understood. */
    static void FP_boxOk() {
        Box box = new Box();
        start(() -> {
            Letter l = new Letter();
            l.v++;
            box.put(l);
        });
        start(() -> box.take().v++);
    }

    // ---- not so ----

    static final class Shared {
        int v;
    }

    static void forAllBad() {
        BlockingQueue<Shared> q = new ArrayBlockingQueue<>(10);
        q.add(new Shared());
        start(() -> {
            for (Shared s : q) s.v++;
        });
        start(() -> q.put(q.take()));
    }

    public static void main(String[] args) {
        queuesOk();
        exchangeOk();
        ringOk();
        FP_boxOk();
        forAllBad();
    }
}
