// norace
package bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Word frequencies of a generated text in a ConcurrentHashMap. Chunks of the text are fetched from an atomic counter;
 * the text itself is a read-only char[]. Each entry also keeps the longest line it was seen on, under its own
 * monitor. Hot: scanning the array, string building, the map.
 */
public final class WordCount {
    private static final int TEXT_CHARS = 2_000_000;
    private static final int CHUNKS = 64;
    private static final int VOCABULARY = 20_000;

    static final class Entry {
        final LongAdder count = new LongAdder();
        private int maxRun;

        /** Remembers the most words seen between two line ends up to this word. */
        synchronized void noteRun(int run) {
            if (run > maxRun) {
                maxRun = run;
            }
        }

        synchronized int maxRun() {
            return maxRun;
        }
    }

    private final char[] text;
    private final ConcurrentMap<String, Entry> words = new ConcurrentHashMap<>();
    private final AtomicInteger nextChunk = new AtomicInteger();
    private final int chunks;

    private WordCount(int passes) {
        chunks = passes * CHUNKS;
        text = generate();
    }

    /** Words drawn with a skewed distribution, so that some map entries are hot. */
    private static char[] generate() {
        Rng rng = new Rng(99);
        char[] text = new char[TEXT_CHARS];
        int n = 0;
        int line = 0;
        while (n < TEXT_CHARS) {
            double u = rng.nextDouble();
            int word = (int) (VOCABULARY * u * u * u);
            for (int w = word * 7 + 26; w > 0 && n < TEXT_CHARS; w /= 26) {
                text[n++] = (char) ('a' + w % 26);
            }
            if (n < TEXT_CHARS) {
                text[n++] = ++line % 12 == 0 ? '\n' : ' ';
            }
        }
        return text;
    }

    private void scan(int chunk) {
        int pos = wordStart((int) ((long) TEXT_CHARS * chunk / CHUNKS));
        int end = wordStart((int) ((long) TEXT_CHARS * (chunk + 1) / CHUNKS));
        int run = 0;
        while (pos < end) {
            int start = pos;
            while (pos < end && text[pos] >= 'a') {
                pos++;
            }
            run++;
            Entry entry = words.computeIfAbsent(new String(text, start, pos - start), w -> new Entry());
            entry.count.increment();
            if (pos < end && text[pos] == '\n') {
                entry.noteRun(run);
                run = 0;
            }
            pos++;
        }
    }

    /** Moves a chunk border to the start of the next word, the same from both sides. */
    private int wordStart(int pos) {
        if (pos == 0) {
            return 0;
        }
        while (pos < TEXT_CHARS && text[pos - 1] >= 'a') {
            pos++;
        }
        return pos;
    }

    private void work(CountDownLatch done) {
        for (int c = nextChunk.getAndIncrement(); c < chunks; c = nextChunk.getAndIncrement()) {
            scan(c % CHUNKS);
        }
        done.countDown();
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 240, 5);
        WordCount count = new WordCount(args.size);
        ExecutorService pool = Executors.newFixedThreadPool(args.threads);
        CountDownLatch done = new CountDownLatch(args.threads);
        for (int i = 0; i < args.threads; i++) {
            pool.execute(() -> count.work(done));
        }
        done.await();
        pool.shutdown();
        long sum = 0;
        for (Map.Entry<String, Entry> e : count.words.entrySet()) {
            sum += e.getKey().hashCode() * e.getValue().count.sum() + e.getValue().maxRun();
        }
        args.print("WordCount", sum);
    }
}
