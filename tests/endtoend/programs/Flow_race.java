// race: instance Flow_race.Box.v
// The publisher writes to the item after it has submitted it, while the subscriber reads it.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;

public class Flow_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Box {
        int v;
    }


    static class Reader implements Flow.Subscriber<Box> {
        final CountDownLatch done = new CountDownLatch(1);
        Flow.Subscription subscription;
        int sum;

        public void onSubscribe(Flow.Subscription s) {
            subscription = s;
            s.request(1);
        }

        public void onNext(Box b) {
            meet();
            sum += b.v;
            subscription.request(1);
        }

        public void onError(Throwable e) {
            done.countDown();
        }

        public void onComplete() {
            done.countDown();
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        SubmissionPublisher<Box> publisher = new SubmissionPublisher<>();
        Reader reader = new Reader();
        publisher.subscribe(reader);
        Box box = new Box();
        publisher.submit(box);
        meet();
        box.v = 1;
        publisher.close();
        reader.done.await();
        System.out.println("ok");
    }
}
