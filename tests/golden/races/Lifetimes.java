// A thread that was joined, or seen not to be alive, is over only if it had been started by then.
public class Lifetimes {
    static int okJoined, badJoined, okDead, badDead, okRounds;


    static synchronized void locked() {
        okRounds++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> okJoined++);
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException e) {
                return;
            }
            okJoined++;
        });
        first.start();
        second.start();

        Thread late = new Thread(() -> badJoined++);
        Thread early = new Thread(() -> {
            try {
                late.join(); // not started yet: returns at once
            } catch (InterruptedException e) {
                return;
            }
            badJoined++;
        });
        early.start();
        late.start();

        Thread seen = new Thread(() -> okDead++);
        seen.start();
        while (seen.isAlive()) Thread.yield();
        okDead++;

        Thread unborn = new Thread(() -> badDead++);
        Thread asks = new Thread(() -> {
            while (unborn.isAlive()) Thread.yield();
            badDead++;
        });
        asks.start();
        unborn.start();

        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> okRounds++);
            t.start();
            t.join();
        }
        Thread last = new Thread(Lifetimes::locked);
        last.start();
        last.join();
        okRounds++;
    }
}
