// Races that stand close to the proof that elements change hands at barriers.  Each class has one.
import java.util.concurrent.CyclicBarrier;

public class NearTurns {
    interface Body {
        void run() throws Exception;
    }
    public static void main(String[] args) throws Exception {
        SameHalves.run();
        StartsLater.run();
        WaitsTwice.run();
        Overlaps.run();
        CarriedOver.run();
        OneRow.run();
        RowOfBefore.run();
        OtherModulus.run();
        BothTurns.run();
        TurnOfAny.run(args.length);
        OneHalf.run();
        RoundsOverlap.run();
        HalfOfBefore.run();
        RunnableOfBefore.run();
        RunsAnother.run();
    }
    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }
    /** Both are in the same half. */
    static class SameHalves {
        static void run() throws Exception {
            int[] d = new int[64];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = (p + 1) % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = (p + 3) % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** The second loop counts from one. */
    static class StartsLater {
        static void run() throws Exception {
            int[] d = new int[64];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = p % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 1; p < 51; p++) {
                    int from = (p + 1) % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** A round of the second loop is two of the first. */
    static class WaitsTwice {
        static void run() throws Exception {
            int[] d = new int[64];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = p % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 25; p++) {
                    int from = (p + 1) % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** One half has an element of the other. */
    static class Overlaps {
        static void run() throws Exception {
            int[] d = new int[65];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = p % 2 * 32;
                    for (int i = from; i < from + 33; i++) d[i]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = (p + 1) % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** The half was computed in the round before. */
    static class CarriedOver {
        static void run() throws Exception {
            int[] d = new int[64];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int from = p % 2 * 32;
                    for (int i = from; i < from + 32; i++) d[i]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                int from = 32;
                for (int p = 0; p < 50; p++) {
                    for (int i = from; i < from + 32; i++) d[i]++;
                    from = (p + 1) % 2 * 32;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** Two places of the table have the same row. */
    static class OneRow {
        static void run() throws Exception {
            int[] row = new int[8];
            int[][] d = {row, row};
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    d[p % 2][3]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    d[(p + 1) % 2][3]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** The row is used behind the barrier at which it changes hands. */
    static class RowOfBefore {
        static void run() throws Exception {
            int[][] d = new int[2][8];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    int[] row = d[p % 2];
                    b.await();
                    row[3]++;
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    d[(p + 1) % 2][3]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** One turns among three, the other among two. */
    static class OtherModulus {
        static void run() throws Exception {
            int[] d = new int[8];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    d[p % 3]++;
                    b.await();
                }
            });
            Thread t = thread(() -> {
                for (int p = 0; p < 50; p++) {
                    d[(p + 1) % 2]++;
                    b.await();
                }
            });
            s.start();
            t.start();
        }
    }
    /** Both numbers have their turn in the same rounds. */
    static class BothTurns {
        static void work(int id, int[] d, CyclicBarrier b) throws Exception {
            for (int p = 0; p < 50; p++) {
                if (id == p % 2) d[3]++;
                b.await();
            }
        }
        static void run() throws Exception {
            int[] d = new int[8];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> work(1, d, b)), t = thread(() -> work(1, d, b));
            s.start();
            t.start();
        }
    }
    /** Nobody knows whose turn it is. */
    static class TurnOfAny {
        static void work(int id, int[] d, CyclicBarrier b) throws Exception {
            for (int p = 0; p < 50; p++) {
                if (id == p % 2) d[3]++;
                b.await();
            }
        }
        static void run(int n) throws Exception {
            int[] d = new int[8];
            CyclicBarrier b = new CyclicBarrier(2);
            Thread s = thread(() -> work(0, d, b)), t = thread(() -> work(n, d, b));
            s.start();
            t.start();
        }
    }
    /** Both threads of a round have the same half in every other round. */
    static class OneHalf {
        static void fill(int[] d, int from) {
            for (int i = from; i < from + 32; i++) d[i]++;
        }
        static void run() throws Exception {
            int[] d = new int[64];
            for (int p = 0; p < 4; p++) {
                int from = (p & 1) * 32;
                Thread s = new Thread(() -> fill(d, from)), t = new Thread(() -> fill(d, 0));
                s.start();
                t.start();
                s.join();
                t.join();
            }
        }
    }
    /** Threads of two rounds run at once. */
    static class RoundsOverlap {
        static void fill(int[] d, int from) {
            for (int i = from; i < from + 32; i++) d[i]++;
        }
        static void run() throws Exception {
            int[] d = new int[64];
            for (int p = 0; p < 4; p++) {
                int from = (p & 1) * 32;
                Thread s = new Thread(() -> { synchronized (d) { fill(d, from); } }), t = new Thread(() -> fill(d, 32 - from));
                s.start();
                t.start();
                s.join();
            }
        }
    }
    /** One half is that of the round before. */
    static class HalfOfBefore {
        static void fill(int[] d, int from) {
            for (int i = from; i < from + 32; i++) d[i]++;
        }
        static void run() throws Exception {
            int[] d = new int[64];
            int next = 0;
            for (int p = 0; p < 4; p++) {
                int from = (p & 1) * 32, before = next;
                Thread s = new Thread(() -> fill(d, from)), t = new Thread(() -> fill(d, before));
                next = 32 - from;
                s.start();
                t.start();
                s.join();
                t.join();
            }
        }
    }
    /** What one thread runs was made in the round before. */
    static class RunnableOfBefore {
        static void fill(int[] d, int from) {
            for (int i = from; i < from + 32; i++) d[i]++;
        }
        static void run() throws Exception {
            int[] d = new int[64];
            Runnable next = () -> { };
            for (int p = 0; p < 4; p++) {
                int from = (p & 1) * 32;
                Thread s = new Thread(() -> fill(d, from)), t = new Thread(next);
                next = () -> fill(d, 32 - from);
                s.start();
                t.start();
                s.join();
                t.join();
            }
        }
    }
    /** A thread runs what was left for it in the round before. */
    static class RunsAnother {
        static Runnable next = () -> { };
        static void fill(int[] d, int from) {
            for (int i = from; i < from + 32; i++) d[i]++;
        }
        static void run() throws Exception {
            int[] d = new int[64];
            for (int p = 0; p < 4; p++) {
                int from = (p & 1) * 32;
                Thread s = new Thread(() -> fill(d, from)), t = new Thread(() -> next.run());
                s.start();
                t.start();
                s.join();
                t.join();
                next = () -> fill(d, 32 - from);
            }
        }
    }
}
