// norace
package bench;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Producers and consumers on a bounded buffer with a ReentrantLock and two conditions; used-up messages return
 * through a blocking queue, so the same objects change hands all the time. Hot: filling and reading the payload.
 */
public final class ProdCons {
    private static final int CAPACITY = 64;
    private static final int WORDS = 2048;

    /** Owned by whoever took it last from a queue. */
    static final class Message {
        final int[] payload = new int[WORDS];
        int id;

        void fill(int id) {
            this.id = id;
            int h = id * 0x9E3779B1 + 1;
            for (int i = 0; i < payload.length; i++) {
                h ^= h << 13;
                h ^= h >>> 17;
                h ^= h << 5;
                payload[i] = h;
            }
        }

        long digest() {
            long sum = id;
            for (int word : payload) {
                sum = sum * 31 + word;
            }
            return sum;
        }
    }

    static final class BoundedBuffer {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition notFull = lock.newCondition();
        private final Condition notEmpty = lock.newCondition();
        private final Message[] ring = new Message[CAPACITY];
        private int head;
        private int count;
        private boolean closed;

        void put(Message m) throws InterruptedException {
            lock.lock();
            try {
                while (count == CAPACITY) {
                    notFull.await();
                }
                ring[(head + count) % CAPACITY] = m;
                count++;
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }

        /** The oldest message, or null once the buffer is closed and drained. */
        Message take() throws InterruptedException {
            lock.lock();
            try {
                while (count == 0) {
                    if (closed) {
                        return null;
                    }
                    notEmpty.await();
                }
                Message m = ring[head];
                ring[head] = null;
                head = (head + 1) % CAPACITY;
                count--;
                notFull.signal();
                return m;
            } finally {
                lock.unlock();
            }
        }

        void close() {
            lock.lock();
            try {
                closed = true;
                notEmpty.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private final BoundedBuffer buffer = new BoundedBuffer();
    private final BlockingQueue<Message> spare = new ArrayBlockingQueue<>(4 * CAPACITY);
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicInteger producersLeft;
    private final int messages;
    private final Object sumLock = new Object();
    private long sum;

    private ProdCons(int producers, int messages) {
        this.producersLeft = new AtomicInteger(producers);
        this.messages = messages;
        for (int i = 0; i < 4 * CAPACITY; i++) {
            spare.add(new Message());
        }
    }

    private void produce() {
        try {
            for (int id = nextId.getAndIncrement(); id < messages; id = nextId.getAndIncrement()) {
                Message m = spare.take();
                m.fill(id);
                buffer.put(m);
            }
            if (producersLeft.decrementAndGet() == 0) {
                buffer.close();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void consume() {
        long own = 0;
        try {
            for (Message m = buffer.take(); m != null; m = buffer.take()) {
                own += m.digest();
                spare.put(m);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        synchronized (sumLock) {
            sum += own;
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 620000, 40000);
        // Half of the threads produce; a single thread still needs one of each kind.
        int producers = Math.max(1, args.threads / 2);
        int consumers = Math.max(1, args.threads - producers);
        ProdCons run = new ProdCons(producers, args.size);
        Runnable[] workers = new Runnable[producers + consumers];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = i < producers ? run::produce : run::consume;
        }
        Args.runAll(workers);
        args.print("ProdCons", run.sum);
    }
}
