// norace
// Adders and accumulators count from several threads; the sum is read after the joins.
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

public class Adder_norace {
    public static void main(String[] args) throws Exception {
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Long::max, 0);
        Runnable work = () -> {
            for (int i = 0; i < 2000; i++) {
                adder.increment();
                max.accumulate(i);
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        Thread t3 = new Thread(work);
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        if (adder.sum() != 6000 || max.get() != 1999) throw new AssertionError(adder.sum());
        System.out.println("ok");
    }
}
