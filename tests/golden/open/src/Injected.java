package shop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;

/** Fields that nothing in the program sets: somebody else does. */
class Injected {
    List<String> names;
    List<String> readOnly;
    Map<String, String> locked;
    Map<String, String> halfLocked;
    ConcurrentMap<String, String> concurrent;
    Stock stock;
    Shelf shelf;
    Lock lock;
    int[] numbers;
    static List<String> all;
    private int counted;

    void listBad(String s) {
        names.add(s);
    }

    boolean listReadOk(String s) {
        return readOnly.contains(s);
    }

    void lockedMapOk(String k) {
        synchronized (Injected.class) {
            locked.put(k, k);
        }
    }

    synchronized void putHalfBad(String k) {
        halfLocked.put(k, k);
    }

    String getHalfBad(String k) {
        return halfLocked.get(k);
    }

    void concurrentMapOk(String k) {
        concurrent.remove(k);
    }

    void objectBad() {
        stock.n = 1;
    }

    void behindConstructorBad(String s) {
        shelf.add(s);
    }

    void lockOk() {
        lock.lock();
        try {
            counted++;
        } finally {
            lock.unlock();
        }
    }

    void arrayBad() {
        numbers[0] = 1;
    }

    static void staticListBad(String s) {
        all.add(s);
    }
}

class Stock {
    int n;
}

class Shelf {
    private final List<String> things = new java.util.ArrayList<>();

    void add(String s) {
        things.add(s);
    }
}

