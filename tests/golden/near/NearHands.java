// Races that stand close to the proof that an object is in one hand at a time.  Each class has one.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class NearHands {
    interface Body {
        void run() throws Exception;
    }
    static void twice(Body b) {
        for (int t = 0; t < 2; t++) {
            new Thread(() -> {
                try {
                    for (int i = 0; i < 100; i++) b.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
    }
    public static void main(String[] args) throws Exception {
        UsesAfterPut.run(args);
        PutTwice.run(args);
        Peeks.run(args);
        KeepsInField.run(args);
        CalleeGives.run(args);
        TwoNames.run(args);
        KeepsPart.run(args);
        OldOne.run(args);
        OnePart.run(args);
        NotCleared.run(args);
        ClearedLater.run(args);
        ClearsOther.run(args);
        TakenBare.run(args);
        HeadMoves.run(args);
    }
    /** The thing is used when it has been given away. */
    static class UsesAfterPut {
        static class Box {
            int v;
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                q.put(b);
                b.v++;
            });
        }
    }
    /** It is put in twice. */
    static class PutTwice {
        static class Box {
            int v;
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                b.v++;
                q.put(b);
                if (q.size() < 5) q.add(b);
            });
        }
    }
    /** It is used before it is taken out. */
    static class Peeks {
        static class Box {
            int v;
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.peek();
                if (b != null) b.v++;
                q.put(q.take());
            });
        }
    }
    /** The one who gives it away keeps it in a field. */
    static class KeepsInField {
        static class Box {
            int v;
        }
        static volatile Box last;
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                b.v++;
                last = b;
                q.put(b);
                last.v++;
            });
        }
    }
    /** A callee gives it away, and the caller goes on. */
    static class CalleeGives {
        static class Box {
            int v;
        }
        static void give(BlockingQueue<Box> q, Box b) throws Exception {
            deeper(q, b);
        }
        static void deeper(BlockingQueue<Box> q, Box b) throws Exception {
            q.put(b);
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                give(q, b);
                b.v++;
            });
        }
    }
    /** A callee gets it under two names. */
    static class TwoNames {
        static class Box {
            int v;
        }
        static void give(BlockingQueue<Box> q, Box b, Box c) throws Exception {
            q.put(b);
            c.v++;
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                give(q, b, b);
            });
        }
    }
    /** The one who gives it away keeps its array. */
    static class KeepsPart {
        static class Box {
            final int[] d = new int[5];
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                int[] d = b.d;
                q.put(b);
                d[0]++;
            });
        }
    }
    /** The variable keeps the old thing if there is no new one. */
    static class OldOne {
        static class Box {
            int v;
        }
        static void run(String[] a) {
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box());
            twice(() -> {
                Box b = q.take();
                for (int i = 0; i < 3; i++) {
                    b.v++;
                    q.put(b);
                    Box next = q.poll();
                    if (next != null) b = next;
                }
            });
        }
    }
    /** Two things have one array. */
    static class OnePart {
        static class Box {
            final int[] d;
            Box(int[] d) {
                this.d = d;
            }
        }
        static void run(String[] a) {
            int[] all = new int[5];
            BlockingQueue<Box> q = new ArrayBlockingQueue<>(10);
            for (int i = 0; i < 10; i++) q.add(new Box(all));
            twice(() -> {
                Box b = q.take();
                b.d[0]++;
                q.put(b);
            });
        }
    }
    /** The slot keeps what is taken out, and a second look finds it again. */
    static class NotCleared {
        static class Box {
            int v;
        }
        static class Ring {
            private final Box[] ring = new Box[10];
            private int head, count;
            synchronized boolean put(Box b) {
                if (count == ring.length) return false;
                ring[(head + count) % ring.length] = b;
                count++;
                return true;
            }
            synchronized Box take() {
                if (count == 0) return null;
                Box b = ring[head];
                head = (head + 1) % ring.length;
                count--;
                return b;
            }
            synchronized Box look() {
                return ring[0];
            }
        }
        static void run(String[] a) {
            Ring q = new Ring();
            for (int i = 0; i < 10; i++) q.put(new Box());
            twice(() -> {
                Box c = q.look();
                if (c != null) c.v++;
                Box b = q.take();
                if (b != null) {
                    b.v++;
                    q.put(b);
                }
            });
        }
    }
    /** The slot is cleared when the lock was given up in between. */
    static class ClearedLater {
        static class Box {
            int v;
        }
        static class Ring {
            private final Box[] ring = new Box[10];
            private int head, count;
            synchronized boolean put(Box b) {
                if (count == ring.length) return false;
                ring[(head + count) % ring.length] = b;
                count++;
                return true;
            }
            Box take() {
                Box b;
                int at;
                synchronized (this) {
                    if (count == 0) return null;
                    at = head;
                    b = ring[at];
                }
                synchronized (this) {
                    ring[at] = null;
                    head = (at + 1) % ring.length;
                    count--;
                }
                return b;
            }
        }
        static void run(String[] a) {
            Ring q = new Ring();
            for (int i = 0; i < 10; i++) q.put(new Box());
            twice(() -> {
                Box b = q.take();
                if (b != null) {
                    b.v++;
                    q.put(b);
                }
            });
        }
    }
    /** Another slot is cleared than the one that was read. */
    static class ClearsOther {
        static class Box {
            int v;
        }
        static class Ring {
            private final Box[] ring = new Box[10];
            private int head, count;
            synchronized boolean put(Box b) {
                if (count == ring.length) return false;
                ring[(head + count) % ring.length] = b;
                count++;
                return true;
            }
            synchronized Box take() {
                if (count == 0) return null;
                Box b = ring[head];
                head = (head + 1) % ring.length;
                ring[head] = null;
                count--;
                return b;
            }
        }
        static void run(String[] a) {
            Ring q = new Ring();
            for (int i = 0; i < 10; i++) q.put(new Box());
            twice(() -> {
                Box b = q.take();
                if (b != null) {
                    b.v++;
                    q.put(b);
                }
            });
        }
    }
    /** Whoever takes out holds no lock. */
    static class TakenBare {
        static class Box {
            int v;
        }
        static class Ring {
            private final Box[] ring = new Box[10];
            private int head, count;
            synchronized boolean put(Box b) {
                if (count == ring.length) return false;
                ring[(head + count) % ring.length] = b;
                count++;
                return true;
            }
            Box take() {
                if (count == 0) return null;
                Box b = ring[head];
                ring[head] = null;
                head = (head + 1) % ring.length;
                count--;
                return b;
            }
        }
        static void run(String[] a) {
            Ring q = new Ring();
            for (int i = 0; i < 10; i++) q.put(new Box());
            twice(() -> {
                Box b = q.take();
                if (b != null) {
                    b.v++;
                    q.put(b);
                }
            });
        }
    }
    /** Somebody moves the head without the lock between the two reads of it. */
    static class HeadMoves {
        static class Box {
            int v;
        }
        static class Ring {
            private final Box[] ring = new Box[10];
            private int head, count;
            synchronized boolean put(Box b) {
                if (count == ring.length) return false;
                ring[(head + count) % ring.length] = b;
                count++;
                return true;
            }
            synchronized Box take() {
                if (count == 0) return null;
                Box b = ring[head];
                ring[head] = null;
                head = (head + 1) % ring.length;
                count--;
                return b;
            }
            void skip() {
                head = 0;
            }
        }
        static void run(String[] a) {
            Ring q = new Ring();
            for (int i = 0; i < 10; i++) q.put(new Box());
            new Thread(() -> q.skip()).start();
            twice(() -> {
                Box b = q.take();
                if (b != null) {
                    b.v++;
                    q.put(b);
                }
            });
        }
    }
}
