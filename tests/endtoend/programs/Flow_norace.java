// norace
// Submitting happens before onNext, and the calls of one subscriber follow one another.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

public class Flow_norace {
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
            sum += b.v++;
            subscription.request(1);
        }

        public void onError(Throwable e) {
            done.countDown();
        }

        public void onComplete() {
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        Reader reader = new Reader();
        try (SubmissionPublisher<Box> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(reader);
            for (int i = 0; i < 300; i++) {
                Box b = new Box();
                b.v = i;
                publisher.submit(b);
            }
        }
        reader.done.await();
        if (reader.sum != 299 * 150) throw new AssertionError(reader.sum);
        System.out.println("ok");
    }
}
