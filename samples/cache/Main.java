// race: instance cache.PriceCache.discounts
package cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Three clients ask one cache for prices. */
public final class Main {
    private static final int CLIENTS = 3;

    private Main() {}

    public static void main(String[] args) throws Exception {
        PriceCache cache = new PriceCache();
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
        CyclicBarrier start = new CyclicBarrier(CLIENTS);
        List<Callable<Long>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int first = i * 100;
            clients.add(() -> ask(cache, start, first));
        }
        long total = 0;
        for (Future<Long> sum : pool.invokeAll(clients)) {
            total += sum.get();
        }
        pool.shutdown();
        System.out.println("sum of prices: " + total);
        System.out.println("ok");
    }

    private static long ask(PriceCache cache, CyclicBarrier start, int first) throws Exception {
        start.await();
        long sum = 0;
        for (int i = 0; i < 2000; i++) {
            sum += cache.price((first + i) % 300);
        }
        return sum;
    }
}
