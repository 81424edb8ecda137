/** Has one race on a counter, says so, and then ends in the way that its first argument names. */
public class Racy {
    static int counter;

    static void race() throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 1000; k++) counter++;
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void spin(String name) {
        Thread t = new Thread(() -> {
            for (;;) counter++;
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        if (!args[0].equals("clean")) race();
        System.out.println("ok");
        System.out.flush();
        switch (args[0]) {
            case "return": case "clean": break;
            case "exit": System.exit(Integer.parseInt(args[1])); break;
            case "halt": Runtime.getRuntime().halt(Integer.parseInt(args[1])); break;
            case "throw": throw new IllegalStateException("as asked");
            case "daemons":
                for (int i = 0; i < 4; i++) spin("daemon-" + i);
                Thread.sleep(100);
                break;
            case "exit-in-thread":
                spin("daemon");
                new Thread(() -> System.exit(7)).start();
                break;
            case "hook":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try {
                        race();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    System.out.println("hook");
                }));
                break;
            case "halt-in-hook":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(9)));
                break;
            case "sleep": Thread.sleep(600_000); break;
            default: throw new IllegalArgumentException(args[0]);
        }
    }
}
