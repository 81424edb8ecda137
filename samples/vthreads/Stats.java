package vthreads;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** What the server counts; shared by all connections. */
final class Stats {
    private final ConcurrentMap<String, LongAdder> requestsByClient = new ConcurrentHashMap<>();
    private long numbersAdded;

    void request(String client) {
        requestsByClient.computeIfAbsent(client, c -> new LongAdder()).increment();
    }

    void numberAdded() {
        numbersAdded++; // the bug: each connection has a thread of its own
    }

    long requests() {
        return requestsByClient.values().stream().mapToLong(LongAdder::sum).sum();
    }

    long numbersAdded() {
        return numbersAdded;
    }
}
