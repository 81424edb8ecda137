// race: static CompletableFuture_race.x
// Two stages that do not depend on each other write one field.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class CompletableFuture_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static void bump() {
        meet();
        x++;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Void> one = CompletableFuture.runAsync(CompletableFuture_race::bump, pool);
        CompletableFuture<Void> two = CompletableFuture.runAsync(CompletableFuture_race::bump, pool);
        CompletableFuture.allOf(one, two).join();
        pool.shutdown();
        System.out.println("ok");
    }
}
