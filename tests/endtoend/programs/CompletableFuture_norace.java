// norace
// Each stage happens before the stages that depend on it, and the last one before join returns.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class CompletableFuture_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        for (int i = 0; i < 100; i++) {
            Box start = new Box();
            start.v = i;
            CompletableFuture<Box> one = CompletableFuture.supplyAsync(() -> {
                start.v++;
                return start;
            }, pool).thenApplyAsync(b -> {
                b.v++;
                return b;
            }, pool);
            CompletableFuture<Box> two = new CompletableFuture<>();
            pool.execute(() -> {
                Box b = new Box();
                b.v = 10;
                two.complete(b);
            });
            Box end = one.thenCombine(two, (a, b) -> {
                a.v += b.v++;
                return a;
            }).join();
            if (end.v != i + 12 || two.join().v != 11) throw new AssertionError(end.v);
        }
        pool.shutdown();
        System.out.println("ok");
    }
}
