// race: container java.util.HashMap
package crawler;

import java.util.TreeMap;

/** Crawls the made-up web and prints how many pages each host has. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Crawler crawler = new Crawler();
        crawler.crawl("host0/0");
        int counted = 0;
        for (var entry : new TreeMap<>(crawler.pagesPerHost()).entrySet()) {
            System.out.println(entry.getKey() + ": " + entry.getValue() + " pages");
            counted += entry.getValue();
        }
        System.out.println("visited " + crawler.visited() + ", counted " + counted);
        System.out.println("ok");
    }
}
