import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collections and builders, executors, and what goes through them. */
class Containers {
    static void sharedListBad() {
        List<Integer> l = new ArrayList<>();
        new Thread(() -> l.add(1)).start();
        new Thread(() -> l.add(2)).start();
    }

    static void readersOnlyOk() {
        List<Integer> l = new ArrayList<>();
        l.add(1);
        new Thread(() -> l.get(0)).start();
        new Thread(() -> l.size()).start();
    }

    static void readerAndWriterBad() {
        Map<String, Integer> m = new HashMap<>();
        new Thread(() -> m.put("a", 1)).start();
        new Thread(() -> m.get("a")).start();
    }

    static final Pattern PATTERN = Pattern.compile("b+");

    static void ownMatcherOk() {
        Pattern pattern = Pattern.compile("b+");
        Runnable search = () -> pattern.matcher("abc").reset().find();
        new Thread(search).start();
        new Thread(search).start();
    }

    static void sharedMatcherBad() {
        Matcher m = PATTERN.matcher("abc");
        new Thread(() -> m.find()).start();
        new Thread(() -> m.hitEnd()).start();
    }

    static void matcherHandedOnByResetBad() {
        Matcher m = PATTERN.matcher("abc");
        Matcher same = m.reset();
        new Thread(() -> same.find()).start();
        m.find();
    }

    static void scannerHandedOnBad() {
        Scanner s = new Scanner("a b");
        Scanner same = s.useDelimiter(",");
        new Thread(() -> same.next()).start();
        s.hasNext();
    }

    static void synchronizedListOk() {
        List<Integer> l = Collections.synchronizedList(new ArrayList<>());
        new Thread(() -> l.add(1)).start();
        new Thread(() -> l.add(2)).start();
    }

    static void concurrentMapOk() {
        Map<String, Integer> m = new ConcurrentHashMap<>();
        new Thread(() -> m.put("a", 1)).start();
        new Thread(() -> m.put("b", 2)).start();
    }

    static void copyOnWriteOk() {
        List<Integer> l = new CopyOnWriteArrayList<>();
        new Thread(() -> l.add(1)).start();
        new Thread(() -> l.add(2)).start();
    }

    static class GuardedList { private final List<Integer> l = new ArrayList<>(); synchronized void add(int i) { l.add(i); } synchronized int size() { return l.size(); } }
    static void listGuardedByHolderOk() {
        GuardedList g = new GuardedList();
        new Thread(() -> g.add(1)).start();
        new Thread(() -> g.size()).start();
    }

    static class HalfGuarded { private final List<Integer> l = new ArrayList<>(); synchronized void add(int i) { l.add(i); } int size() { return l.size(); } }
    static void listHalfGuardedBad() {
        HalfGuarded g = new HalfGuarded();
        new Thread(() -> g.add(1)).start();
        new Thread(() -> g.size()).start();
    }

    static class Exposed { private final List<Integer> l = new ArrayList<>(); synchronized void add(int i) { l.add(i); } List<Integer> list() { return l; } }
    static void listExposedBad() {
        Exposed g = new Exposed();
        new Thread(() -> g.add(1)).start();
        new Thread(() -> g.list().clear()).start();
    }

    static void lockOnTheListOk() {
        List<Integer> l = new ArrayList<>();
        new Thread(() -> { synchronized (l) { l.add(1); } }).start();
        new Thread(() -> { synchronized (l) { l.add(2); } }).start();
    }

    static void localBuilderOk() {
        new Thread(() -> { StringBuilder b = new StringBuilder(); b.append(1).append("x"); System.out.println(b); }).start();
        new Thread(() -> { StringBuilder b = new StringBuilder(); b.append(2).append("y"); System.out.println(b); }).start();
    }

    static class Words {
        final StringBuilder text = new StringBuilder();
        Words add(List<String> all) { all.forEach(w -> text.append(w).append(' ')); return this; }
    }
    static void builderFilledByFunctionOk() {
        List<String> all = List.of("a", "b");
        for (int i = 0; i < 2; i++) new Thread(() -> System.out.println(new Words().add(all).text)).start();
    }

    static void builderFilledByFunctionBad() {
        List<String> all = List.of("a", "b");
        Words words = new Words();
        for (int i = 0; i < 2; i++) new Thread(() -> System.out.println(words.add(all).text)).start();
    }

    static int[] noInts = {};
    static class Ints { volatile int[] v = noInts; }
    static void emptyArrayOk() {
        Ints ints = new Ints();
        for (int i = 0; i < 2; i++) new Thread(() -> { int[] now = ints.v; if (now.length > 0) now[0]++; }).start();
    }

    static class Row { int cells; Row cell() { cells++; return this; } }
    static final Row ROW = new Row();
    static void chainOfSharedObjectBad() {
        for (int i = 0; i < 2; i++) new Thread(() -> ROW.cell().cell().cells++).start();
    }
    static <T> T same(T t) { return t; }
    static void chainOfOwnObjectOk() {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> { Row[] mine = {new Row()}; List.of(mine).forEach(r -> same(r.cell().cell()).cells++); }).start();
        }
    }

    static class Page {
        StringBuilder text;
    }

    static Page page;

    /** One builder that is handed over by a race makes no other suspect: localBuilderOk() stays as it is. */
    static void builderInFieldBad() {
        new Thread(() -> {
            Page p = new Page();
            p.text = new StringBuilder();
            page = p;
        }).start();
        new Thread(() -> {
            if (page != null) page.text.append(1);
        }).start();
    }

    static void sharedBuilderBad() {
        StringBuilder b = new StringBuilder();
        new Thread(() -> b.append(1)).start();
        new Thread(() -> b.append(2)).start();
    }

    static void localListOk() {
        new Thread(() -> { List<Integer> l = new ArrayList<>(); l.add(1); l.add(2); }).start();
        new Thread(() -> { List<Integer> l = new ArrayList<>(); l.add(3); l.add(4); }).start();
    }

    static void dequeBad() {
        ArrayDeque<Integer> q = new ArrayDeque<>();
        new Thread(() -> q.push(1)).start();
        new Thread(() -> q.poll()).start();
    }

    static class InList { int f; }
    static void elementOfSharedListBad() {
        List<InList> l = Collections.synchronizedList(new ArrayList<>());
        l.add(new InList());
        new Thread(() -> l.get(0).f++).start();
        new Thread(() -> l.get(0).f++).start();
    }

    static class Task { int f; }
    static void executorTasksBad() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Task t = new Task();
        pool.execute(() -> t.f++);
        pool.execute(() -> t.f++);
        pool.shutdown();
    }

    static class Task2 { int f; }
    static void executorTasksGuardedOk() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Task2 t = new Task2();
        pool.execute(() -> { synchronized (t) { t.f++; } });
        pool.execute(() -> { synchronized (t) { t.f++; } });
        pool.shutdown();
    }

    static class Task3 { int f; }
    static void executorBeforeSubmitOk() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Task3 t = new Task3();
        t.f = 4;
        pool.execute(() -> System.out.println(t.f));
        pool.shutdown();
    }

    static class Task4 { int f; }
    static void executorAfterGetOk() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Task4 t = new Task4();
        pool.submit(() -> t.f++).get();
        t.f++;
        pool.shutdown();
    }

    public static void main(String[] args) throws Exception {
        sharedListBad(); readersOnlyOk(); readerAndWriterBad(); synchronizedListOk(); concurrentMapOk(); copyOnWriteOk();
        listGuardedByHolderOk(); listHalfGuardedBad(); listExposedBad(); lockOnTheListOk(); localBuilderOk();
        builderFilledByFunctionOk(); builderFilledByFunctionBad(); chainOfSharedObjectBad(); chainOfOwnObjectOk();
        emptyArrayOk();
        builderInFieldBad(); sharedBuilderBad(); localListOk(); dequeBad(); elementOfSharedListBad(); executorTasksBad();
        executorTasksGuardedOk(); executorBeforeSubmitOk(); executorAfterGetOk(); ownMatcherOk(); sharedMatcherBad();
        matcherHandedOnByResetBad(); scannerHandedOnBad();
    }
}
