// norace
// What is written before a start or by a joined thread is ordered, down a chain of threads too.
public class StartJoin_norace {
    static int x;

    static class Link extends Thread {
        final int depth;

        Link(int depth) {
            this.depth = depth;
        }

        @Override
        public void run() {
            x++;
            if (depth > 0) {
                Link next = new Link(depth - 1);
                next.start();
                try {
                    next.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            x++;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 10; i++) {
            Link first = new Link(9);
            first.start();
            first.join();
            x++;
        }
        if (x != 210) throw new AssertionError(x);
        System.out.println("ok");
    }
}
