package crawler;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Visits every reachable page once, one pool task per page. */
final class Crawler {
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger pending = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Map<String, Integer> pagesPerHost = new HashMap<>();

    Crawler() {
        for (String host : Site.hosts()) {
            pagesPerHost.put(host, 0);
        }
    }

    void crawl(String start) throws InterruptedException {
        schedule(start);
        done.await();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.SECONDS);
    }

    private void schedule(String url) {
        if (seen.add(url)) {
            pending.incrementAndGet();
            pool.execute(() -> visit(url));
        }
    }

    private void visit(String url) {
        try {
            var links = Site.fetch(url);
            count(Site.host(url));
            for (String link : links) {
                schedule(link);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (pending.decrementAndGet() == 0) {
                done.countDown();
            }
        }
    }

    private void count(String host) {
        int soFar = pagesPerHost.get(host);
        pagesPerHost.put(host, soFar + 1); // the bug: a plain HashMap, used by all workers at once
    }

    int visited() {
        return seen.size();
    }

    Map<String, Integer> pagesPerHost() {
        return pagesPerHost;
    }
}
