package shop;

/** Constructors run while other threads work. */
class Makers {
    static int made;
    static int counted;
    private int own;

    static synchronized int countedOk() {
        return counted;
    }

    int own() {
        return own;
    }

    int readsStock(Stock s) {
        return s.n;
    }
}

class WritesArgumentBad {
    WritesArgumentBad(Stock s) {
        s.n = 2;
    }

    void use() {}
}

class WritesStaticBad {
    WritesStaticBad() {
        Makers.made++;
    }

    void use() {}
}

class WritesItselfOk {
    private int a;
    private final Counter part = new Counter();

    WritesItselfOk(int n) {
        a = n;
        part.count();
    }

    int get() {
        return a;
    }
}

class WritesUnderLockOk {
    WritesUnderLockOk() {
        synchronized (Makers.class) {
            Makers.counted++;
        }
    }

    void use() {}
}

class PrivateMakerOk {
    private PrivateMakerOk(Stock[] s) {
        s[0] = null;
    }

    void use() {}
}
