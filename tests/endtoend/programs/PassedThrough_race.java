// race: instance PassedThrough_race.Item.stage
// The shared object keeps what is passed through it, and the other thread gets the same back.
public class PassedThrough_race {
    static class Item {
        int stage;
    }

    static class Line {
        private Item kept;

        synchronized Item firstOf(Item item) {
            if (kept == null) kept = item;
            return kept;
        }
    }

    public static void main(String[] args) throws Exception {
        Line line = new Line();
        Runnable body = () -> {
            Item item = line.firstOf(new Item());
            for (int i = 0; i < 1000; i++) item.stage++;
        };
        Thread t1 = new Thread(body), t2 = new Thread(body);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
