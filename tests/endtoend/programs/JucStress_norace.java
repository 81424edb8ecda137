// norace
// Objects with plain fields go through what java.util.concurrent has to hand things over, many times each and with several
// threads on both sides.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;

public class JucStress_norace {
    static final int N = 400;

    static final class Box {
        int value;

        Box(int value) {
            this.value = value;
        }

        int open() {
            return value++;
        }
    }

    interface Put {
        void put(Box b) throws Exception;
    }

    interface Take {
        Box take() throws Exception;
    }

    interface Work {
        void run() throws Exception;
    }

    static Thread start(Work w) {
        Thread t = new Thread(() -> {
            try {
                w.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        return t;
    }

    static void together(Work... works) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (Work w : works) threads.add(start(w));
        for (Thread t : threads) t.join();
    }

    static Box poll(Callable<Box> c) throws Exception {
        for (;;) {
            Box b = c.call();
            if (b != null) return b;
            Thread.yield();
        }
    }

    static void through(Put put, Take take) throws Exception {
        Work producer = () -> {
            for (int i = 0; i < N; i++) put.put(new Box(i));
        };
        Work consumer = () -> {
            for (int i = 0; i < N; i++) take.take().open();
        };
        together(producer, consumer, producer, consumer);
    }

    static void queues() throws Exception {
        LinkedBlockingDeque<Box> deque = new LinkedBlockingDeque<>(3);
        through(deque::putFirst, deque::takeLast);
        ConcurrentLinkedDeque<Box> links = new ConcurrentLinkedDeque<>();
        through(links::addLast, () -> poll(links::pollFirst));
        through(links::push, () -> poll(links::pollLast));
        SynchronousQueue<Box> fair = new SynchronousQueue<>(true), unfair = new SynchronousQueue<>();
        through(fair::put, fair::take);
        through(unfair::put, () -> poll(() -> unfair.poll(1, TimeUnit.MILLISECONDS)));
        LinkedTransferQueue<Box> transfer = new LinkedTransferQueue<>();
        through(transfer::transfer, transfer::take);
        through(b -> { while (!transfer.tryTransfer(b, 1, TimeUnit.MILLISECONDS)) Thread.yield(); }, transfer::take);
        ConcurrentSkipListMap<Integer, Box> map = new ConcurrentSkipListMap<>();
        AtomicInteger keys = new AtomicInteger();
        through(b -> map.put(keys.incrementAndGet(), b), () -> poll(() -> {
            var e = map.pollFirstEntry();
            return e == null ? null : e.getValue();
        }));
        ConcurrentHashMap<Integer, Box> hash = new ConcurrentHashMap<>();
        through(b -> hash.merge(b.value % 7, b, (x, y) -> {
            x.value += y.value;
            return x;
        }), () -> {
            hash.compute(3, (k, b) -> b == null ? new Box(0) : new Box(b.open()));
            return new Box(0);
        });
    }

    /** Threads put or remove keys of their own, the last one after their work; who waits for the number of keys comes after it. */
    static void count(ConcurrentHashMap<Integer, Boolean> map, boolean puts, Callable<Boolean> over) throws Exception {
        Box[] boxes = {new Box(0), new Box(0), new Box(0)};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < boxes.length; i++) {
            int me = i;
            threads.add(start(() -> {
                for (int k = 0; k < N; k++) {
                    if (k == N - 1) boxes[me].open();
                    int key = k * boxes.length + me;
                    if (puts) map.put(key, true);
                    else map.remove(key);
                }
            }));
        }
        while (!over.call()) Thread.yield();
        for (Box b : boxes) b.open();
        for (Thread t : threads) t.join();
    }

    static void counts() throws Exception {
        ConcurrentHashMap<Integer, Boolean> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 5; i++) {
            count(map, true, () -> map.size() == 3 * N);
            count(map, false, map::isEmpty);
            count(map, true, () -> map.mappingCount() == 3 * N);
            count(map, false, () -> map.keySet().size() == 0);
        }
    }

    static void exchange() throws Exception {
        Exchanger<Box> x = new Exchanger<>();
        Work w = () -> {
            Box b = new Box(0);
            for (int i = 0; i < N; i++) {
                b.open();
                b = x.exchange(b);
            }
        };
        together(w, w);
    }

    static volatile Box shared;
    volatile Box field;
    static final AtomicReferenceFieldUpdater<JucStress_norace, Box> FIELD =
            AtomicReferenceFieldUpdater.newUpdater(JucStress_norace.class, Box.class, "field");

    static void updater() throws Exception {
        JucStress_norace o = new JucStress_norace();
        Semaphore free = new Semaphore(1);
        through(b -> {
            free.acquire();
            FIELD.lazySet(o, b);
        }, () -> {
            Box b = poll(() -> FIELD.getAndSet(o, null));
            free.release();
            return b;
        });
    }

    static final class Sum extends CountedCompleter<Box> {
        final Box[] boxes;
        final int lo, hi;
        final Box result = new Box(0);
        Sum left, right;

        Sum(CountedCompleter<?> parent, Box[] boxes, int lo, int hi) {
            super(parent);
            this.boxes = boxes;
            this.lo = lo;
            this.hi = hi;
        }

        @Override
        public void compute() {
            if (hi - lo > 4) {
                int mid = lo + hi >>> 1;
                left = new Sum(this, boxes, lo, mid);
                right = new Sum(this, boxes, mid, hi);
                setPendingCount(2);
                left.fork();
                right.fork();
            } else {
                for (int i = lo; i < hi; i++) result.value += boxes[i].open();
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (left != null) result.value = left.result.value + right.result.value;
        }

        @Override
        public Box getRawResult() {
            return result;
        }
    }

    static void forkJoin() throws Exception {
        Box[] boxes = new Box[200];
        for (int i = 0; i < boxes.length; i++) boxes[i] = new Box(i);
        ForkJoinPool pool = new ForkJoinPool(3);
        for (int i = 0; i < 20; i++) {
            pool.invoke(new Sum(null, boxes, 0, boxes.length)).open();
            List<Callable<Box>> tasks = new ArrayList<>();
            for (int k = 0; k < 8; k++) {
                Box b = boxes[k];
                tasks.add(() -> {
                    b.open();
                    return b;
                });
            }
            for (Future<Box> f : pool.invokeAll(tasks)) f.get().open();
            Box first = boxes[0];
            pool.submit(() -> { first.open(); }).get();
            pool.execute(first::open);
            while (!pool.isQuiescent()) Thread.yield();
            pool.submit(() -> 1).join();
        }
        pool.shutdown();
        if (!pool.awaitTermination(30, TimeUnit.SECONDS)) throw new AssertionError("not ended");
        for (Box b : boxes) b.open();
    }

    static void executors() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        ExecutorCompletionService<Box> done = new ExecutorCompletionService<>(pool);
        for (int i = 0; i < N; i++) {
            Box b = new Box(i);
            done.submit(() -> {
                b.open();
                return b;
            });
        }
        for (int i = 0; i < N; i++) done.take().get().open();
        CompletableFuture<Box> chain = CompletableFuture.completedFuture(new Box(0));
        for (int i = 0; i < N; i++) {
            CompletableFuture<Box> side = CompletableFuture.supplyAsync(() -> new Box(1), pool);
            chain = chain.thenCombineAsync(side, (a, b) -> {
                a.value += b.open();
                return a;
            }, i % 2 == 0 ? pool : ForkJoinPool.commonPool()).whenComplete((a, e) -> a.open());
        }
        chain.orTimeout(60, TimeUnit.SECONDS).join().open();
        pool.shutdown();
        while (!pool.isTerminated()) Thread.yield();
    }

    static void phases() throws Exception {
        Phaser root = new Phaser(), left = new Phaser(root, 2), right = new Phaser(root, 2);
        Box[] boxes = {new Box(0), new Box(0), new Box(0), new Box(0)};
        AtomicInteger ids = new AtomicInteger();
        Work w = () -> {
            int id = ids.getAndIncrement();
            Phaser mine = id < 2 ? left : right;
            for (int i = 0; i < 100; i++) {
                boxes[(id + i) % 4].open();
                mine.arriveAndAwaitAdvance();
            }
        };
        together(w, w, w, w);
    }

    static void stamped() throws Exception {
        StampedLock lock = new StampedLock();
        ReadWriteLock view = lock.asReadWriteLock();
        Box b = new Box(0);
        Work write = () -> {
            for (int i = 0; i < N; i++) {
                Lock l = view.writeLock();
                l.lock();
                b.open();
                l.unlock();
            }
        };
        Work read = () -> {
            for (int i = 0; i < N; i++) {
                Lock l = view.readLock();
                l.lock();
                int seen = b.value;
                l.unlock();
            }
        };
        together(write, read, write, read);
    }

    public static void main(String[] args) throws Exception {
        queues();
        counts();
        exchange();
        updater();
        forkJoin();
        executors();
        phases();
        stamped();
        System.out.println("ok");
    }
}
