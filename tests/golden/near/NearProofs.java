// Races that stand close to what the analysis proves: one step aside, and the proof must fail.  Each class has one.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class NearProofs {
    public static void main(String[] args) throws Exception {
        PartOfThreads.run(args);
        SwallowedTimeout.run(args);
        SometimesWaits.run(args);
        SwapInPhase.run(args);
        TaskTwice.run(args);
        TasksTwice.run(args);
        SubmitterGoesOn.run(args);
        TasksShare.run(args);
        OtherFuture.run(args);
        OtherKey.run(args);
        OutsideCompute.run(args);
        EscapesFirst.run(args);
        AfterFinal.run(args);
        TwoStages.run(args);
        AnyOfTwo.run(args);
        TwoWrappers.run(args);
        IteratesBare.run(args);
        OverlapByOne.run(args);
        OwnWidth.run(args);
        TwoGroups.run(args);
        OpaqueFlag.run(args);
        PoolTwice.run(args);
        ShiftedRounds.run(args);
        ExtraWait.run(args);
        OtherRest.run(args);
        ToldTooEarly.run(args);
        TwoTellers.run(args);
        SeesTooLittle.run(args);
        StartsAgain.run(args);
        OneWayOnly.run(args);
        HandlerIsNoBranch.run(args);
    }
    /** A barrier for two of four threads: phases of different threads overlap. */
    static class PartOfThreads {
        static int x;
        static void run(String[] a) throws Exception {
            CyclicBarrier b = new CyclicBarrier(2);
            for (int i = 0; i < 4; i++) {
                final int me = i;
                new Thread(() -> {
                    try {
                        if (me == 0)
                            x = 1;
                        b.await();
                        if (me == 1)
                            System.out.println(x);
                    } catch (Exception e) {
                    }
                }).start();
            }
        }
    }
    /** Await with a timeout that is swallowed. */
    static class SwallowedTimeout {
        static int x;
        static void run(String[] a) throws Exception {
            CyclicBarrier b = new CyclicBarrier(2);
            for (int i = 0; i < 2; i++) {
                final int me = i;
                new Thread(() -> {
                    if (me == 0)
                        x = 1;
                    try {
                        b.await(1, TimeUnit.MILLISECONDS);
                    } catch (Exception e) {
                    }
                    if (me == 1)
                        System.out.println(x);
                }).start();
            }
        }
    }
    /** One side waits only sometimes. */
    static class SometimesWaits {
        static int x;
        static boolean skip;
        static void run(String[] a) throws Exception {
            CyclicBarrier b = new CyclicBarrier(2);
            boolean s = a.length > 0;
            for (int i = 0; i < 2; i++) {
                final int me = i;
                new Thread(() -> {
                    try {
                        if (me == 0)
                            x = 1;
                        if (!s || me == 0)
                            b.await();
                        if (me == 1)
                            System.out.println(x);
                    } catch (Exception e) {
                    }
                }).start();
            }
        }
    }
    /** Loop with one barrier per round: write and read in the same phase by different rounds' roles. */
    static class SwapInPhase {
        static int[] cur = new int[8], next = new int[8];
        static void run(String[] a) throws Exception {
            CyclicBarrier b = new CyclicBarrier(2);
            for (int i = 0; i < 2; i++) {
                final int me = i;
                new Thread(() -> {
                    try {
                        for (int r = 0; r < 5; r++) {
                            for (int k = me * 4; k < me * 4 + 4; k++)
                                next[k] = cur[(k + 1) % 8] + 1;
                            b.await();
                            if (me == 0) {
                                int[] t = cur;
                                cur = next;
                                next = t;
                            }
                        }
                    } catch (Exception e) {
                    }
                }).start();
            }
        }
    }
    /** One task object submitted twice. */
    static class TaskTwice {
        static class T implements Runnable {
            int n;
            public void run() {
                n++;
            }
        }
        static void run(String[] a) {
            ExecutorService e = Executors.newFixedThreadPool(2);
            T t = new T();
            e.submit(t);
            e.submit(t);
            e.shutdown();
        }
    }
    /** A list of tasks run twice. */
    static class TasksTwice {
        static class T implements Callable<Integer> {
            int n;
            public Integer call() {
                return n++;
            }
        }
        static void run(String[] a) throws Exception {
            ExecutorService e = Executors.newFixedThreadPool(2);
            List<T> l = new ArrayList<>();
            for (int i = 0; i < 3; i++)
                l.add(new T());
            for (T t : l)
                e.submit(t);
            for (T t : l)
                e.submit(t);
            e.shutdown();
        }
    }
    /** The submitter goes on using what the task keeps. */
    static class SubmitterGoesOn {
        static class T implements Runnable {
            final int[] d;
            T(int[] d) {
                this.d = d;
            }
            public void run() {
                d[0]++;
            }
        }
        static void run(String[] a) {
            ExecutorService e = Executors.newFixedThreadPool(2);
            for (int i = 0; i < 3; i++) {
                int[] d = new int[1];
                e.execute(new T(d));
                d[0] = 5;
            }
            e.shutdown();
        }
    }
    /** Two tasks that keep the same object, handed on through an argument. */
    static class TasksShare {
        static class Box { int v; }
        static class T implements Runnable {
            final Box b;
            T(Box b) {
                this.b = b;
            }
            public void run() {
                inc(b);
            }
            static void inc(Box b) {
                b.v++;
            }
        }
        static void run(String[] a) {
            ExecutorService e = Executors.newFixedThreadPool(2);
            Box[] bs = new Box[2];
            for (int i = 0; i < 4; i++) {
                if (bs[i & 1] == null)
                    bs[i & 1] = new Box();
                e.execute(new T(bs[i & 1]));
            }
            e.shutdown();
        }
    }
    /** Get() of another future. */
    static class OtherFuture {
        static class Box { int v; }
        static void run(String[] a) throws Exception {
            ExecutorService e = Executors.newFixedThreadPool(2);
            Box b = new Box();
            Future<?> f = e.submit(() -> { b.v = 1; });
            Future<?> g = e.submit(() -> {});
            g.get();
            System.out.println(b.v);
            e.shutdown();
        }
    }
    /** Compute() under different keys. */
    static class OtherKey {
        static int n;
        static void run(String[] a) {
            ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
            for (int i = 0; i < 2; i++) {
                final int me = i;
                new Thread(() -> {
                    m.compute(me, (k, v) -> {
                        n++;
                        return 1;
                    });
                }).start();
            }
        }
    }
    /** The value of a map used outside compute. */
    static class OutsideCompute {
        static class Box { int v; }
        static void run(String[] a) {
            ConcurrentHashMap<String, Box> m = new ConcurrentHashMap<>();
            for (int i = 0; i < 2; i++) {
                new Thread(() -> {
                    Box b = m.computeIfAbsent("k", k -> new Box());
                    b.v++;
                }).start();
            }
        }
    }
    /** This escapes before the final field is set; and a plain field beside a final one. */
    static class EscapesFirst {
        static EscapesFirst it;
        final int f;
        int g;
        EscapesFirst(int v) {
            it = this;
            f = v;
            g = v;
        }
        static void run(String[] a) {
            new Thread(() -> {
                EscapesFirst x = it;
                if (x != null)
                    System.out.println(x.g);
            }).start();
            new EscapesFirst(3);
        }
    }
    /** What a final field refers to is changed after construction. */
    static class AfterFinal {
        final int[] d;
        AfterFinal() {
            d = new int[1];
        }
        static AfterFinal it;
        static void run(String[] a) {
            new Thread(() -> {
                AfterFinal x = it;
                if (x != null)
                    System.out.println(x.d[0]);
            }).start();
            AfterFinal y = new AfterFinal();
            it = y;
            y.d[0] = 4;
        }
    }
    /** Two stages of one future run at once. */
    static class TwoStages {
        static class Box { int v; }
        static void run(String[] a) {
            Box b = new Box();
            CompletableFuture<Void> f = CompletableFuture.runAsync(() -> {});
            CompletableFuture<Void> g = f.thenRunAsync(() -> b.v++);
            CompletableFuture<Void> h = f.thenRunAsync(() -> b.v++);
            g.join();
            h.join();
        }
    }
    /** AnyOf waits for one only. */
    static class AnyOfTwo {
        static class Box { int v; }
        static void run(String[] a) {
            Box b = new Box();
            CompletableFuture<Void> f = CompletableFuture.runAsync(() -> { b.v = 1; });
            CompletableFuture<Void> g = CompletableFuture.runAsync(() -> {});
            CompletableFuture.anyOf(f, g).join();
            System.out.println(b.v);
        }
    }
    /** Two wrappers of one list have two locks. */
    static class TwoWrappers {
        static void run(String[] a) {
            List<Integer> l = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                List<Integer> s = Collections.synchronizedList(l);
                new Thread(() -> s.add(1)).start();
            }
        }
    }
    /** Iterating without the wrapper's lock. */
    static class IteratesBare {
        static void run(String[] a) {
            List<Integer> s = Collections.synchronizedList(new ArrayList<>());
            new Thread(() -> s.add(1)).start();
            for (Integer i : s)
                System.out.println(i);
        }
    }
    /** Bands that overlap by one. */
    static class OverlapByOne {
        static void run(String[] a) {
            int[] d = new int[100];
            int n = 4;
            for (int i = 0; i < n; i++) {
                final int me = i;
                new Thread(() -> {
                    int lo = me * 25, hi = Math.min(100, lo + 26);
                    for (int k = lo; k < hi; k++)
                        d[k]++;
                }).start();
            }
        }
    }
    /** The size of a band depends on the thread. */
    static class OwnWidth {
        static void run(String[] a) {
            int[] d = new int[100];
            int n = 4;
            for (int i = 0; i < n; i++) {
                final int me = i;
                new Thread(() -> {
                    int w = 10 + me;
                    for (int k = me * w; k < (me + 1) * w; k++)
                        d[k]++;
                }).start();
            }
        }
    }
    /** Two groups of threads with the same numbers. */
    static class TwoGroups {
        static void run(String[] a) {
            int[] d = new int[100];
            for (int g = 0; g < 2; g++)
                for (int i = 0; i < 4; i++) {
                    final int me = i;
                    new Thread(() -> {
                        for (int k = me * 25; k < (me + 1) * 25; k++)
                            d[k]++;
                    }).start();
                }
        }
    }
    /** An opaque flag orders nothing. */
    static class OpaqueFlag {
        int flag, x;
        static final VarHandle H;
        static {
            try {
                H = MethodHandles.lookup().findVarHandle(OpaqueFlag.class, "flag", int.class);
            } catch (Exception e) {
                throw new Error(e);
            }
        }
        static void run(String[] a) {
            OpaqueFlag v = new OpaqueFlag();
            new Thread(() -> {
                v.x = 1;
                H.setOpaque(v, 1);
            }).start();
            while ((int) H.getOpaque(v) == 0)
                Thread.onSpinWait();
            System.out.println(v.x);
        }
    }
    /** A task with a field of its own that the pool gets twice. */
    static class PoolTwice {
        static class Task implements Runnable {
            int argument;
            public void run() {
                argument++;
            }
        }
        static void run(String[] a) {
            ForkJoinPool pool = new ForkJoinPool(2);
            for (int i = 0; i < 3; i++) {
                Task t = new Task();
                t.argument = i;
                pool.execute(t);
                pool.execute(t);
            }
        }
    }
    /** Even rounds of the one are odd rounds of the other, which began to count at one: the same phases. */
    static class ShiftedRounds {
        static int x;
        static void run(String[] a) {
            Phaser phaser = new Phaser(2);
            new Thread(() -> {
                for (int p = 0; p < 60; p++) {
                    if (p % 2 == 0)
                        x++;
                    phaser.arriveAndAwaitAdvance();
                }
            }).start();
            new Thread(() -> {
                for (int p = 1; p < 61; p++) {
                    if (p % 2 == 1)
                        x++;
                    phaser.arriveAndAwaitAdvance();
                }
            }).start();
        }
    }
    /** The counter says nothing about the phase if some rounds wait twice. */
    static class ExtraWait {
        static int x;
        static void run(String[] a) {
            Phaser phaser = new Phaser(2);
            new Thread(() -> {
                for (int p = 0; p < 60; p++) {
                    if (p % 2 == 0)
                        x++;
                    phaser.arriveAndAwaitAdvance();
                    if (a.length > p)
                        phaser.arriveAndAwaitAdvance();
                }
            }).start();
            new Thread(() -> {
                for (int p = 0; p < 60; p++) {
                    if (p % 2 == 1)
                        x++;
                    phaser.arriveAndAwaitAdvance();
                }
            }).start();
        }
    }
    /** Rests of different divisors do not tell elements apart. */
    static class OtherRest {
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = 0; i < 100; i++)
                    if (i % 2 == 0)
                        d[i]++;
            }).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++)
                    if (i % 3 == 1)
                        d[i]++;
            }).start();
        }
    }
    /** The count rises before the element is written. */
    static class ToldTooEarly {
        static volatile int filled;
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    filled = i + 1;
                    d[i] = i;
                }
            }).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (filled <= i) Thread.yield();
                    d[i]++;
                }
            }).start();
        }
    }
    /** The count is that of another thread too. */
    static class TwoTellers {
        static volatile int filled;
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    d[i] = i;
                    filled = i + 1;
                }
            }).start();
            new Thread(() -> filled = a.length).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (filled <= i) Thread.yield();
                    d[i]++;
                }
            }).start();
        }
    }
    /** The count may still be that of the element before. */
    static class SeesTooLittle {
        static volatile int filled;
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    d[i] = i;
                    filled = i + 1;
                }
            }).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (filled < i) Thread.yield();
                    d[i]++;
                }
            }).start();
        }
    }
    /** The second round of counting finds the count of the first. */
    static class StartsAgain {
        static volatile int filled;
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int n = 0; n < 2; n++)
                    for (int i = 0; i < 100; i++) {
                        d[i] = i;
                        filled = i + 1;
                    }
            }).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (filled <= i) Thread.yield();
                    d[i]++;
                }
            }).start();
        }
    }
    /** One thread tells the other, but does not wait for its answer before the next round. */
    static class OneWayOnly {
        static int x;
        static void run(String[] a) {
            AtomicIntegerArray there = new AtomicIntegerArray(100), back = new AtomicIntegerArray(100);
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    x++;
                    there.set(i, 1);
                    if (a.length > i)
                        while (back.get(i) == 0) Thread.yield();
                }
            }).start();
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    while (there.get(i) == 0) Thread.yield();
                    x++;
                    back.set(i, 1);
                }
            }).start();
        }
    }
    /** An exception leaves the block before its test: the handler knows nothing of it. */
    static class HandlerIsNoBranch {
        static int low, high;
        static void run(String[] a) {
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    try {
                        int n = Integer.parseInt(a[0]);
                        if (i < 50)
                            low += n;
                        else
                            high += n;
                    } catch (RuntimeException e) {
                        d[i]++;
                    }
                }
            }).start();
            new Thread(() -> {
                d[10]++;
                d[60]++;
            }).start();
        }
    }
}
