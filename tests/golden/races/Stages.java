import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Stages of completable futures. */
public class Stages {
    static int chained, combined, early, byHand, either, unjoined;

    static void chainOk() {
        for (int i = 0; i < 3; i++) {
            chained++;
            CompletableFuture.runAsync(() -> chained++).thenApplyAsync(x -> chained++).thenAccept(x -> chained++).join();
        }
    }

    static void combineOk() {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> combined++);
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 1);
        one.thenCombine(two, (a, b) -> combined++).join();
        combined++;
    }

    /** Joins the source, not the stage. */
    static void sourceBad() {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
        one.thenAcceptAsync(x -> early++);
        one.join();
        early++;
    }

    /** The future may be complete while its task still runs. */
    static void byHandBad() {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> byHand++);
        one.completeOnTimeout(1, 1, TimeUnit.MILLISECONDS);
        one.thenAccept(x -> byHand++).join();
    }

    /** One of the two may still run. */
    static void eitherBad() {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> either++);
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 1);
        two.acceptEither(one, x -> System.out.println(x)).join();
        either++;
    }

    /** Two stages of one source are not ordered. */
    static void twoStagesBad() {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
        one.thenAcceptAsync(x -> unjoined++);
        one.thenAcceptAsync(x -> unjoined++);
    }

    public static void main(String[] args) {
        chainOk();
        combineOk();
        sourceBad();
        byHandBad();
        eitherBad();
        twoStagesBad();
    }
}
