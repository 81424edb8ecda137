package suite;

/** One field for each way to race; what `plain` sees stays in the thread that runs the tests. */
class Shared {
    static int plain, three, four, five, nested, parameter, testng, inherited, left;
    int instance;

    static void race(Runnable body) {
        Thread other = new Thread(body);
        other.start();
        body.run();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
