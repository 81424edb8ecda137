package shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is in the store, by article. Clerks take from it at the same time. */
public final class Stock {
    private final Map<String, Integer> pieces = new ConcurrentHashMap<>();
    private int sold;

    public void deliver(String article, int n) {
        pieces.merge(article, n, Integer::sum);
    }

    /** Takes one piece if there is one. */
    public boolean take(String article) {
        boolean[] taken = new boolean[1];
        pieces.computeIfPresent(article, (name, left) -> {
            taken[0] = left > 0;
            return taken[0] ? left - 1 : left;
        });
        if (taken[0]) sold++; // the bug: the map is safe for threads, the counter is not
        return taken[0];
    }

    public int left(String article) {
        return pieces.getOrDefault(article, 0);
    }

    public int sold() {
        return sold;
    }
}
