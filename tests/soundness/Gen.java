import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes small concurrent programs: `Gen FOLDER FIRST LAST` makes FOLDER/RandomSEED.java for the seeds from FIRST to LAST.
 *
 * Each scene of a program is an idiom that the static half has a proof for (a hand-over, a barrier, a share of an array, a
 * task that ends), with some of its parts left out, changed or put in another order.  Most scenes race then, some do not;
 * which of them do is for a run to say.  Waits have time limits, so that no program hangs.
 */
public class Gen {
    static final int SCENES = 14;
    final Random random;
    final StringBuilder out = new StringBuilder();
    int names;

    Gen(long seed) {
        random = new Random(seed * 7919 + 17);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    String pick(String... of) {
        return of[random.nextInt(of.length)];
    }

    /** The right text, or now and then a wrong one. */
    String mostly(String right, String... wrong) {
        return chance(65) ? right : pick(wrong);
    }

    String name(String stem) {
        return stem + names++;
    }

    // ---- what is shared ----

    /** A location: how it is declared, written and read. */
    record Loc(String type, String make, String write, String read) {
        Loc named(String n) {
            return new Loc(type, make, write.replace("$", n), read.replace("$", n));
        }
    }

    static final Loc[] LOCS = {
        new Loc("Box", "new Box()", "$.v++", "use($.v)"),
        new Loc("Box", "new Box()", "$.w = $", "use($.w)"),
        new Loc("Box", "new Box()", "$.set(3)", "use($.get())"),
        new Loc("int[]", "new int[8]", "$[3]++", "use($[3])"),
        new Loc("long[]", "new long[4]", "java.util.Arrays.fill($, 1L)", "use($.clone())"),
        new Loc("Box[]", "{new Box(), new Box()}", "$[0].v = 2", "use($[0].v)"),
        new Loc("List<Integer>", "new ArrayList<>()", "$.add(1)", "use($.size())"),
        new Loc("Map<String, Integer>", "new HashMap<>()", "$.put(\"k\", 1)", "use($.get(\"k\"))"),
        new Loc("StringBuilder", "new StringBuilder()", "$.append('x')", "use($.length())"),
        new Loc("Deque<Box>", "new ArrayDeque<>()", "$.addLast(new Box())", "use($.peekFirst())"),
    };

    /** Variables of a scene: static fields of its class, final fields of one object, or locals that are captured. */
    class Scene {
        final String cls = name("S");
        final int where = random.nextInt(3);
        final StringBuilder fields = new StringBuilder(), locals = new StringBuilder(), methods = new StringBuilder();
        final StringBuilder body = new StringBuilder();

        String var(String type, String make) {
            String n = name("x");
            if (make.startsWith("{")) make = "new " + type + make;
            if (where == 0) fields.append("    static ").append(chance(60) ? "final " : "").append(type);
            else if (where == 1) fields.append("    ").append(chance(70) ? "final " : "").append(type);
            else locals.append("        ").append(type);
            (where == 2 ? locals : fields).append(" ").append(n).append(" = ").append(make).append(";\n");
            return n;
        }

        /** A variable that changes: always a field. */
        String plain(String modifiers, String type) {
            String n = name("f");
            fields.append("    static ").append(modifiers).append(type).append(" ").append(n).append(";\n");
            return n;
        }

        Loc loc() {
            Loc l = LOCS[random.nextInt(LOCS.length)];
            if (chance(25)) {
                String n = plain("", "int");
                return new Loc("int", "0", n + "++", "use(" + n + ")");
            }
            return l.named(var(l.type, l.make));
        }

        void say(String s) {
            body.append("        ").append(s).append("\n");
        }

        /** The same code, or a call of a method that has it, unless it speaks of a local variable. */
        String maybeOutlined(String code) {
            if (where == 2 || code.matches(".*\\bt\\d+\\.join.*") || !chance(35)) return code;
            String m = name("m");
            methods.append("    ").append(where == 0 ? "static " : "").append("void ").append(m)
                .append("() throws Exception {\n        ").append(code).append("\n    }\n");
            return m + "();";
        }

        /** Starts a thread; its variable. */
        String start(String code) {
            String t = name("t"), run = maybeOutlined(code);
            String tried = "try { " + run + " } catch (Exception e) { use(e); }";
            switch (random.nextInt(5)) {
            case 0 -> say("Thread " + t + " = go(() -> { " + run + " });");
            case 1 -> say("Thread " + t + " = new Thread() { public void run() { " + tried + " } }; " + t
                          + ".setDaemon(true); " + t + ".start();");
            case 2 -> {
                String job = name("job");
                say("Runnable " + job + " = () -> { " + tried + " };");
                say("Thread " + t + " = new Thread(" + job + "); " + t + ".setDaemon(true); " + t + ".start();");
            }
            default -> say("Thread " + t + " = new Thread(() -> { " + tried + " }); " + t + ".setDaemon(true); " + t
                           + ".start();");
            }
            return t;
        }

        String join(String t) {
            return switch (random.nextInt(12)) {
            case 0 -> t + ".join(1);";
            case 1 -> "if (" + t + ".isAlive()) " + t + ".join(1);";
            case 2 -> "while (" + t + ".isAlive()) Thread.yield();";
            case 3 -> "end(" + t + ");";
            case 4 -> "try { " + t + ".join(1000); } catch (InterruptedException e) { use(e); }";
            default -> t + ".join();";
            };
        }

        void write(StringBuilder to) {
            to.append("class ").append(cls).append(" extends Base {\n").append(fields).append(methods);
            to.append("    ").append(where == 1 ? "" : "static ").append("void scene() throws Exception {\n");
            to.append(locals).append(body).append("    }\n}\n");
        }

        String call() {
            return where == 1 ? "new " + cls + "().scene()" : cls + ".scene()";
        }
    }

    String access(Loc l) {
        return chance(60) ? l.write + ";" : l.read + ";";
    }

    String spin(String until) {
        int rounds = until.contains("await") ? 5 : 3000;
        return "for (int n = 0; n < " + rounds + " && !(" + until + "); n++) Thread.yield();";
    }

    // ---- scenes ----

    /** Around start and join. */
    void startJoin(Scene s) {
        Loc l = s.loc();
        if (chance(60)) s.say(l.write + ";");
        String t = s.start(access(l));
        if (chance(25)) s.say(access(l));
        String u = chance(50) ? s.start(mostly("Thread.yield();", l.read + ";", access(l))) : null;
        s.say(s.join(t));
        if (chance(80)) s.say(access(l));
        if (u != null) s.say(s.join(u));
        s.say(access(l));
    }

    /** Threads of an array or a list. */
    void manyThreads(Scene s) {
        String a = s.var("int[]", "new int[64]"), ts = name("ts");
        Loc l = s.loc();
        boolean list = chance(40);
        String index = pick("i * 8 + k", "i * 8 + k", "i + 4 * k", "(i + k) % 32", "i + k", "k", "i * 8 + k + 1", "i * 7 + k");
        s.say(list ? "List<Thread> " + ts + " = new ArrayList<>();" : "Thread[] " + ts + " = new Thread[4];");
        String code = "for (int k = 0; k < 8; k++) " + a + "[" + index + "]" + pick("++", " = k", " += 2") + ";"
            + (chance(20) ? " " + l.read + ";" : "");
        s.say("for (int j = 0; j < 4; j++) { int i = " + mostly("j", "j / 2", "3 - j", "j & 1") + ";");
        s.say("    Thread t = go(() -> { " + code + " }); " + (list ? ts + ".add(t);" : ts + "[j] = t;") + " }");
        if (chance(15)) s.say(a + "[5]++;");
        switch (random.nextInt(5)) {
        case 0 -> s.say("for (int j = " + mostly("0", "1") + "; j < 4; j++) " + (list ? ts + ".get(j)" : ts + "[j]") + ".join();");
        case 1 -> s.say("endAll(" + ts + ");");
        case 2 -> s.say("for (Thread t : " + ts + ") while (t.isAlive()) Thread.yield();");
        case 3 -> s.say("for (Thread t : " + ts + ") try { t.join(); } catch (InterruptedException e) { " + pick("use(e);", "return;") + " }");
        default -> s.say("for (Thread t : " + ts + ") { t.join(); " + mostly("", "break;") + " }");
        }
        s.say("use(" + a + "[9]); " + access(l));
    }

    /** A flag that says that something is ready. */
    void flag(Scene s) {
        Loc l = s.loc();
        String f = s.plain(mostly("volatile ", ""), "boolean"), set = f + " = true;";
        String first = mostly(l.write + "; " + set, set + " " + l.write + ";", set + " " + l.write + "; " + set);
        String second = spin(f) + " " + mostly("if (" + f + ") " + access(l), access(l), "if (!" + f + ") " + access(l));
        if (chance(50)) {
            s.start(second);
            s.start(first);
        } else {
            s.start(second);
            s.say(first);
        }
        if (chance(20)) s.say(f + " = " + pick("false", "true") + ";");
    }

    /** Latches, semaphores, queues and exchanged objects. */
    void handOver(Scene s) {
        Loc l = s.loc();
        switch (random.nextInt(4)) {
        case 0 -> {
            String c = s.var("CountDownLatch", "new CountDownLatch(" + mostly("1", "2") + ")");
            s.start(mostly(l.write + "; " + c + ".countDown();", c + ".countDown(); " + l.write + ";"));
            if (chance(30)) s.start(pick(access(l), "Thread.yield();") + " " + c + ".countDown();");
            s.say(mostly("if (" + c + ".await(1, TimeUnit.SECONDS)) " + access(l),
                         c + ".await(5, TimeUnit.MILLISECONDS); " + access(l), "if (" + c + ".getCount() == 0) " + access(l)));
        }
        case 1 -> {
            String p = s.var("Semaphore", "new Semaphore(" + mostly("1", "2", "0") + ")");
            for (int i = 0; i < 2; i++)
                s.start("if (" + p + ".tryAcquire(50, TimeUnit.MILLISECONDS)) { " + mostly(access(l) + " " + p + ".release();",
                        p + ".release(); " + access(l), access(l)) + " }");
            if (chance(30)) s.say(p + ".release();");
        }
        case 2 -> {
            String q = s.var(pick("BlockingQueue", "Queue") + "<Box>", pick("new LinkedBlockingQueue<>()", "new ArrayBlockingQueue<>(8)"));
            s.start("for (int i = 0; i < 5; i++) { Box b = new Box(); b.v = i; " + q + ".add(b); " + mostly("", "b.v++;", "b.w = b;") + " }");
            String take = "for (int i = 0; i < 300; i++) { Box b = " + q + "." + mostly("poll", "peek") + "(); if (b != null) b.v++; else Thread.yield(); }";
            s.start(take);
            if (chance(50)) s.start(take);
        }
        default -> {
            String m = s.var("ConcurrentHashMap<Integer, Box>", "new ConcurrentHashMap<>()");
            String add = "for (int i = 0; i < 20; i++) " + m + "." + mostly("compute(i % 3, (k, b) -> { if (b == null) b = new Box(); b.v++; return b; })",
                "computeIfAbsent(i % 3, k -> new Box()).v++", "merge(i % 3, new Box(), (x, y) -> { x.v++; return x; })") + ";";
            s.start(add);
            s.start(add);
            if (chance(30)) s.say("for (Box b : " + m + ".values()) use(b.v);");
        }
        }
    }

    /** Locks: monitors, explicit ones, read and write, one for each object. */
    void locks(Scene s) {
        Loc l = s.loc();
        String type = pick("Object", "ReentrantLock", "ReentrantReadWriteLock", "StampedLock", "AtomicBoolean");
        String[] lock = {s.var(type, "new " + type + "()"), s.var(type, "new " + type + "()")};
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            String m = chance(75) ? lock[0] : lock[1], in = (chance(20) ? access(l) + " " : "") + access(l);
            s.start("for (int i = 0; i < 3; i++) { " + (chance(85) ? locked(type, m, in) : in) + " }");
        }
        if (chance(30)) s.say(type.equals("Object") ? locked(type, pick(lock), l.read + ";") : l.read + ";");
    }

    String locked(String type, String m, String in) {
        return switch (type) {
        case "Object" -> pick("synchronized (" + m + ") { " + in + " }", "synchronized (" + m + ") { synchronized (\"s\") { " + in + " } }",
                              "synchronized (" + m + ") { use(1); } " + in, "synchronized (" + m + ") { " + m + ".wait(1); " + in + " }");
        case "ReentrantLock" -> pick(m + ".lock(); try { " + in + " } finally { " + m + ".unlock(); }",
                                     "if (" + m + ".tryLock()) try { " + in + " } finally { " + m + ".unlock(); }",
                                     m + ".lock(); " + m + ".unlock(); " + in,
                                     "if (" + m + ".tryLock()) { " + m + ".unlock(); } else { " + in + " }");
        case "ReentrantReadWriteLock" -> {
            String part = mostly(".writeLock()", ".readLock()");
            yield m + part + ".lock(); try { " + in + " } finally { " + m + part + ".unlock(); }";
        }
        case "StampedLock" -> {
            String part = mostly("Write", "Read"), lower = part.toLowerCase();
            yield pick("long z = " + m + "." + lower + "Lock(); " + in + " " + m + ".unlock" + part + "(z);",
                       "long z = " + m + ".tryOptimisticRead(); " + in + " if (!" + m + ".validate(z)) use(z);");
        }
        default -> "for (int n = 0; n < 2000; n++) { if (!" + m + mostly(".compareAndSet(false, true)", ".get()") + ") { Thread.yield(); continue; } "
            + mostly(in + " " + m + ".set(false);", m + ".set(false); " + in) + " break; }";
        };
    }

    /** Tasks of executors, and when they have ended. */
    void tasks(Scene s) {
        Loc l = s.loc();
        String p = name("pool"), f = name("f"), a = s.var("int[]", "new int[16]");
        s.say("ExecutorService " + p + " = " + pick("Executors.newFixedThreadPool(3)", "Executors.newCachedThreadPool()",
              "new ForkJoinPool(3)", "Executors.newSingleThreadExecutor()", "Executors.newScheduledThreadPool(2)") + ";");
        boolean loop = chance(50);
        String index = pick("i", "i", "i", "i / 2", "i % 4", "0", "i * 2"), code = chance(60) ? a + "[" + index + "]++;" : access(l);
        switch (random.nextInt(6)) {
        case 0 -> {
            s.say("List<Callable<Integer>> " + f + " = new ArrayList<>();");
            s.say("for (int j = 0; j < 8; j++) { int i = j; Callable<Integer> c = () -> { " + code + " return i; }; " + f + ".add(c); "
                  + mostly("", f + ".add(c);") + " }");
            for (int k = 0; k < 1 + random.nextInt(2); k++) s.say(mostly(p + ".invokeAll(" + f + ");", p + ".submit(" + f + ".get(" + k + "));"));
        }
        case 1 -> {
            s.say("for (int j = 0; j < 8; j++) { int i = j;");
            s.say("    Future<?> " + f + " = " + p + ".submit(() -> { " + code + " }); " + mostly(f + ".get();", "if (j == 3) break;",
                  "while (!" + f + ".isDone()) Thread.yield();", f + ".cancel(true);") + " }");
        }
        case 2 -> {
            s.say("List<Future<?>> " + f + " = new ArrayList<>();");
            s.say("for (int j = 0; j < 8; j++) { int i = j; " + f + ".add(" + p + ".submit(() -> { " + code + " })); }");
            s.say(mostly("for (Future<?> x : " + f + ") x.get();", f + ".get(0).get();", "for (Future<?> x : " + f + ") { x.get(); break; }"));
        }
        case 3 -> s.say("for (int j = 0; j < 8; j++) { int i = j; " + p + ".execute(() -> { " + code + " }); }");
        case 4 -> {
            s.say("CompletableFuture<Integer> " + f + " = CompletableFuture.supplyAsync(() -> { int i = 1; " + code + " return 1; }, " + p + ");");
            s.say("var next = " + f + "." + pick("thenApplyAsync", "thenApply") + "(i -> { " + code + " return i; });");
            s.say(mostly("next.join();", f + ".join();", "next.getNow(0);", "next.complete(2); next.join();"));
        }
        default -> {
            s.say("Callable<Integer> c = () -> { int i = 2; " + code + " return i; };");
            s.say(p + ".submit(c)" + mostly(".get()", "") + "; " + p + ".submit(c)" + mostly(".get()", "") + ";");
        }
        }
        if (chance(25)) s.say(mostly("use(0);", code.replace("[i", "[1 + 0 * " + a + "[2]").replace("]++", "]++").contains("i ") ? access(l) : access(l)));
        s.say(mostly(p + ".shutdown();", p + ".shutdownNow();", "use(1);"));
        String end = mostly(p + ".awaitTermination(1, TimeUnit.SECONDS)", p + ".isTerminated()", p + ".isShutdown()");
        s.say(switch (random.nextInt(4)) {
        case 0 -> "if (" + end + ") { use(" + a + "[1]); " + access(l) + " }";
        case 1 -> spin(end) + " if (" + end + ") { " + a + "[1]++; " + access(l) + " }";
        case 2 -> "if (!" + end + ") return; " + access(l) + " use(" + a + "[0]);";
        default -> end + "; " + access(l);
        });
        if (chance(50)) s.say(p + ".shutdown();");
    }

    /** Phases between barriers; buffers that change places. */
    void phases(Scene s) {
        String b = s.var("CyclicBarrier", "new CyclicBarrier(" + mostly("2", "1") + ")");
        String a = s.var("int[]", "new int[64]"), c = s.var("int[]", "new int[64]");
        int kind = random.nextInt(4);
        String wait = mostly(b + ".await(1, TimeUnit.SECONDS);", "if (p != 2) " + b + ".await(1, TimeUnit.SECONDS);",
                             "try { " + b + ".await(1, TimeUnit.SECONDS); } catch (TimeoutException e) { use(e); }");
        for (int id = 0; id < 2; id++) {
            int other = 1 - id;
            String work = switch (kind) {
            case 0 -> "int from = (p + " + mostly("" + id, "" + other) + ") % 2 * 32; for (int i = from; i < from + 32; i++) " + a + "[i]++;";
            case 1 -> "int from = " + (id * 32) + "; for (int i = from; i < from + " + mostly("32", "33") + "; i++) " + a + "[i] = " + mostly("0", c + "[63 - i]") + "; "
                + wait + " for (int i = from; i < from + 32; i++) " + c + "[i] = " + a + "[63 - i];";
            case 2 -> "if (" + id + " == p % 2) for (int i = 0; i < 32; i++) " + a + "[i] = p; " + wait + " for (int i = 0; i < 32; i++) use(" + a + "[i]); "
                + mostly(wait, "");
            default -> "int cur = p & 1; for (int i = " + id + "; i < 32; i += 2) " + a + "[cur * 32 + i] = " + a + "[(1 - cur) * 32 + "
                + mostly("(i + 1) % 32", "0") + "];";
            };
            s.start("for (int p = " + mostly("0", "" + id) + "; p < 6; p++) { " + work + " " + wait + " }");
        }
        if (chance(20)) s.say("use(" + a + "[4]);");
    }

    /** Indices that a counter or a stream hands out. */
    void draws(Scene s) {
        String a = s.var("int[]", "new int[64]"), n = s.var("AtomicInteger", "new AtomicInteger()");
        String code = "for (int i; (i = " + n + "." + mostly("getAndIncrement()", "get()", "getAndAdd(2)") + ") < 63; ) { " + a + "["
            + mostly("i", "i + 1", "i / 2") + "]++; if (" + a + "[0] > 90) break; " + mostly("", "use(" + a + "[i + 1]);") + mostly("", n + ".incrementAndGet();") + " }";
        if (chance(30)) {
            s.say("IntStream.range(0, 40)" + pick(".parallel()", "") + ".forEach(i -> { " + a + "[" + mostly("i", "i / 2", "i + i % 2") + "]++; });");
        } else {
            s.start(code);
            s.start(chance(70) ? code : code.replace("getAndIncrement", "incrementAndGet"));
        }
        if (chance(20)) s.say(n + ".set(0);");
    }

    /** Objects that a thread makes, keeps and perhaps gives away. */
    void owned(Scene s) {
        String f = s.plain(pick("", "", "volatile "), "Box"), g = s.plain("volatile ", "Box");
        Loc l = s.loc();
        String make = "Box b = new Box(); b.v = 1; " + mostly(f + " = b;", "use(b);", "b.w = b;") + " " + mostly("", "b.v = 2;", "b.w = " + f + ";") + " "
            + pick("b.set(3);", "Box d = b; d.v++;", g + " = b; ", g + " = b; b.v++;", "");
        s.start(make);
        s.start(mostly("Box b = " + pick(f, g) + "; if (b != null) { use(b.v); b.v++; }", make));
        s.start(spin(pick(f, g) + " != null") + " Box b = " + pick(f, g) + "; if (b != null) " + pick("use(b.v);", "b.v = 4;", "synchronized (b) { b.v++; }"));
        if (chance(40)) s.say("ThreadLocal<Box> own = ThreadLocal.withInitial(() -> " + mostly("new Box()", g + " == null ? new Box() : " + g) + "); own.get().v++;");
        if (chance(30)) s.say(access(l));
    }

    /** Turns, counted hand-overs and monitors that wait. */
    void turns(Scene s) {
        Loc l = s.loc();
        String t = s.plain(mostly("volatile ", ""), "int"), m = s.var("Object", "new Object()");
        int kind = random.nextInt(3);
        for (int id = 0; id < 2; id++) {
            int mine = chance(85) ? id : 1 - id;
            s.start(switch (kind) {
            case 0 -> "for (int k = 0; k < 4; k++) { " + spin(t + " == " + mine) + " if (" + t + " != " + mine + ") return; "
                + mostly(access(l) + " " + t + " = " + (1 - mine) + ";", t + " = " + (1 - mine) + "; " + access(l)) + " }";
            case 1 -> id == 0 ? "for (int i = 0; i < 8; i++) { " + l.write + "; " + t + " = i + 1; " + mostly("", l.read + ";") + " }"
                              : spin(t + " >= " + mostly("8", "4")) + " if (" + t + " >= " + mostly("8", "1") + ") " + access(l);
            default -> id == 0 ? "synchronized (" + m + ") { " + l.write + "; " + t + " = 1; " + m + ".notifyAll(); } " + mostly("", l.read + ";")
                               : "synchronized (" + m + ") { for (int n = 0; n < 40 && " + t + " == 0; n++) " + m + ".wait(5); if (" + t + " == 0) return; } " + access(l);
            });
        }
    }

    /** Classes that others initialise, and threads that start threads. */
    void families(Scene s) {
        Loc l = s.loc();
        String t = s.plain("volatile ", "Thread");
        String child = "Thread c = go(() -> { " + access(l) + " }); " + mostly("c.join();", t + " = c;", "c.join(1);") + " " + mostly("", access(l));
        String first = s.start(chance(50) ? l.write + "; " + child : child);
        if (chance(40)) s.start(mostly(first + ".join(); ", "") + access(l));
        s.say(s.join(first) + " " + mostly("", "Thread c = " + t + "; if (c != null) c.join();") + " " + access(l));
    }

    void scene() {
        Scene s = new Scene();
        switch (random.nextInt(11)) {
        case 0 -> startJoin(s);
        case 1 -> manyThreads(s);
        case 2 -> flag(s);
        case 3 -> handOver(s);
        case 4 -> locks(s);
        case 5, 6 -> tasks(s);
        case 7 -> phases(s);
        case 8 -> chooseDraws(s);
        case 9 -> turns(s);
        default -> families(s);
        }
        calls.append("        scene(() -> ").append(s.call()).append(");\n");
        s.write(out);
    }

    void chooseDraws(Scene s) {
        if (chance(50)) draws(s);
        else owned(s);
    }

    final StringBuilder calls = new StringBuilder();

    static final String HEAD = """
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.concurrent.atomic.*;
        import java.util.concurrent.locks.*;
        import java.util.stream.*;

        """;
    static final String BASE = """
        class Base {
            interface Work { void run() throws Exception; }
            static class Box {
                int v;
                Box w;
                int get() { return v; }
                void set(int v) { this.v = v; }
            }
            static Thread go(Work w) {
                Thread t = new Thread(() -> { try { w.run(); } catch (Exception e) { use(e); } });
                t.setDaemon(true);
                t.start();
                return t;
            }
            static volatile int seen;
            static void use(Object o) { if (o == Base.class) seen = 1; }
            static void end(Thread t) throws InterruptedException { t.join(); }
            static void endAll(Thread[] ts) throws InterruptedException { for (Thread t : ts) t.join(); }
            static void endAll(List<Thread> ts) throws InterruptedException { for (Thread t : ts) t.join(); }
        }
        """;

    String program(String name) {
        for (int i = 0; i < SCENES; i++) scene();
        // Helper classes are nested, so that the name of each begins with the program's.
        String inner = (BASE + out).replace("\nclass ", "\nstatic class ").replaceFirst("^class ", "static class ");
        return HEAD + "public class " + name + " {\n" + inner + "    static void scene(Base.Work w) {\n"
            + "        try { w.run(); } catch (Exception e) { System.out.println(e); }\n    }\n"
            + "    public static void main(String[] args) {\n" + calls + "        System.exit(0);\n    }\n}\n";
    }

    public static void main(String[] args) throws IOException {
        for (long seed = Long.parseLong(args[1]); seed <= Long.parseLong(args[2]); seed++) {
            String name = "Random" + seed;
            Files.writeString(Path.of(args[0], name + ".java"), new Gen(seed).program(name));
        }
    }
}
