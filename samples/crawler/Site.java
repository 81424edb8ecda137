package crawler;

import java.util.ArrayList;
import java.util.List;

/** A made-up web of a few hosts; immutable, so that all workers may read it. */
final class Site {
    private static final int HOSTS = 5;
    private static final int PAGES = 60;

    private Site() {}

    static List<String> hosts() {
        List<String> hosts = new ArrayList<>();
        for (int h = 0; h < HOSTS; h++) {
            hosts.add("host" + h);
        }
        return hosts;
    }

    static String host(String url) {
        return url.substring(0, url.indexOf('/'));
    }

    /** The links of a page; takes about as long as a fast server would. */
    static List<String> fetch(String url) throws InterruptedException {
        Thread.sleep(1);
        int host = Integer.parseInt(host(url).substring("host".length()));
        int page = Integer.parseInt(url.substring(url.indexOf('/') + 1));
        List<String> links = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            links.add("host" + (host + i) % HOSTS + "/" + (page * 2 + i) % PAGES);
        }
        return links;
    }
}
