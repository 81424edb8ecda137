package cache;

import java.util.LinkedHashMap;
import java.util.Map;

/** Prices computed from two tables, which are loaded on first use because loading is slow. */
final class PriceCache {
    private static final int RECENT = 100;

    /** Immutable, hence safe to read once a thread has got hold of it. */
    static final class Table {
        private final int factor;
        private final int offset;

        Table(int factor, int offset) {
            this.factor = factor;
            this.offset = offset;
        }

        int apply(int value) {
            return value * factor / 100 + offset;
        }
    }

    private Table discounts; // the bug: not volatile
    private volatile Table taxes;
    /** Net to final price of the articles asked for last; guarded by its own monitor. */
    private final Map<Integer, Integer> recent = new LinkedHashMap<>();

    /** Double-checked locking: the first check reads the field without the lock. */
    private Table discounts() {
        if (discounts == null) {
            synchronized (this) {
                if (discounts == null) {
                    discounts = load(90, 0);
                }
            }
        }
        return discounts;
    }

    /** The same idiom, correct: taxes is volatile. */
    private Table taxes() {
        Table table = taxes;
        if (table == null) {
            synchronized (this) {
                table = taxes;
                if (table == null) {
                    table = load(119, 1);
                    taxes = table;
                }
            }
        }
        return table;
    }

    private static Table load(int factor, int offset) {
        try {
            Thread.sleep(5); // stands for a query
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Table(factor, offset);
    }

    int price(int article) {
        int net = discounts().apply(article * 10);
        synchronized (recent) {
            Integer known = recent.get(net);
            if (known != null) {
                return known;
            }
        }
        int price = taxes().apply(net);
        synchronized (recent) {
            if (recent.size() >= RECENT) {
                recent.remove(recent.keySet().iterator().next());
            }
            recent.put(net, price);
        }
        return price;
    }
}
