// norace
// Each thread passes objects of its own through methods of one shared object, before all may know them.
public class PassedThrough_norace {
    static class Item {
        int stage;
    }

    static class Line {
        volatile Item last;
        private int seen;

        Item checked(Item item) {
            if (item == null) throw new NullPointerException();
            return item;
        }

        synchronized Item counted(Item item) {
            seen++;
            return item;
        }
    }

    public static void main(String[] args) throws Exception {
        Line line = new Line();
        Runnable body = () -> {
            for (int i = 0; i < 40; i++) {
                Item item = line.checked(new Item());
                item.stage = 1;
                line.counted(item).stage++;
                line.last = item;
            }
        };
        Thread t1 = new Thread(body), t2 = new Thread(body);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (line.last.stage != 2 || line.seen != 80) throw new AssertionError();
        System.out.println("ok");
    }
}
