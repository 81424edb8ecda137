// race: static LargeMethod_race.x
// The racing access stands in a method far beyond the JIT compiler's size limit.
import java.util.concurrent.atomic.AtomicInteger;

public class LargeMethod_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Finally blocks nested in finally blocks double the code at every level: a very large method in a few lines. */
    static long large(long seed) {
        long acc = seed;
        try {
            acc += 1;
        } finally {
            try {
                acc += 2;
            } finally {
                try {
                    acc += 3;
                } finally {
                    try {
                        acc += 4;
                    } finally {
                        try {
                            acc += 5;
                        } finally {
                            try {
                                acc += 6;
                            } finally {
                                try {
                                    acc += 7;
                                } finally {
                                    try {
                                        acc += 8;
                                    } finally {
                                        try {
                                            acc += 9;
                                        } finally {
                                            meet();
                                            x = (int) acc;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return acc;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            large(1);
        });
        Thread t2 = new Thread(() -> {
            large(2);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
