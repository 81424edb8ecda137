package orders;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Matches buyers and sellers; a lock guards both queues and what the last trade left behind. */
final class OrderBook {
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Order> buyers = new PriorityQueue<>((a, b) -> Long.compare(b.price, a.price));
    private final PriorityQueue<Order> sellers = new PriorityQueue<>((a, b) -> Long.compare(a.price, b.price));
    private long lastPrice;
    private int trades;

    /** Adds an order and returns whether it led to a trade. */
    boolean place(Order order) {
        lock.lock();
        try {
            (order.buy ? buyers : sellers).add(order);
            Order bid = buyers.peek();
            Order ask = sellers.peek();
            if (bid == null || ask == null || bid.price < ask.price) {
                return false;
            }
            buyers.poll();
            sellers.poll();
            lastPrice = ask.price;
            trades++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    long lastPrice() {
        return lastPrice; // the bug: a getter needs the lock, too
    }

    int trades() {
        lock.lock();
        try {
            return trades;
        } finally {
            lock.unlock();
        }
    }
}
