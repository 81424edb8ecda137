// race: instance orders.OrderBook.lastPrice
package orders;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two brokers place orders on a pool while a ticker on another executor quotes the last price. */
public final class Main {
    private static final int BROKERS = 2;
    private static final int ORDERS = 20_000;
    private static final int QUOTES = 50;

    private Main() {}

    public static void main(String[] args) throws Exception {
        OrderBook book = new OrderBook();
        CountDownLatch open = new CountDownLatch(1);
        ExecutorService brokers = Executors.newFixedThreadPool(BROKERS);
        ExecutorService ticker = Executors.newSingleThreadExecutor();
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < BROKERS; i++) {
            int seed = i;
            results.add(brokers.submit(() -> trade(book, open, seed)));
        }
        Future<Long> highest = ticker.submit(() -> quote(book, open));
        open.countDown();
        int matched = 0;
        for (Future<Integer> result : results) {
            matched += result.get();
        }
        boolean sane = highest.get() < 200;
        brokers.shutdown();
        ticker.shutdown();
        System.out.println(matched + " orders matched, the book has " + book.trades() + " trades");
        System.out.println(sane ? "ok" : "a quote was out of range");
    }

    private static int trade(OrderBook book, CountDownLatch open, int seed) throws InterruptedException {
        Random random = new Random(seed);
        open.await();
        int matched = 0;
        for (int i = 0; i < ORDERS; i++) {
            if (book.place(new Order(random.nextBoolean(), 90 + random.nextInt(20)))) {
                matched++;
            }
        }
        return matched;
    }

    private static long quote(OrderBook book, CountDownLatch open) throws InterruptedException {
        open.await();
        long highest = 0;
        for (int i = 0; i < QUOTES; i++) {
            highest = Math.max(highest, book.lastPrice());
            Thread.sleep(1);
        }
        return highest;
    }
}
