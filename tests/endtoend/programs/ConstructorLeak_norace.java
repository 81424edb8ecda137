// norace
// The object is published after its constructor has ended, through a volatile field.
public class ConstructorLeak_norace {
    static volatile Safe published;

    static class Safe {
        int x;
        int[] more;

        Safe(int x) {
            this.x = x;
            more = new int[] {x};
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 1; i <= 500; i++) published = new Safe(i);
        });
        Thread t2 = new Thread(() -> {
            int last = 0;
            while (last < 500) {
                Safe s = published;
                if (s == null) {
                    Thread.yield();
                    continue;
                }
                if (s.x < last || s.more[0] != s.x) throw new AssertionError(last);
                last = s.x;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
