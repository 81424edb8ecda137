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

class Slot {
    int v;
}

abstract class FillsSlot {
    FillsSlot(Slot s) {
        s.v = 1;
    }
}

class WritesThroughSuperBad extends FillsSlot {
    WritesThroughSuperBad(Slot s) {
        super(s);
    }

    void use() {}
}

class FillsOwnSlotOk {
    private final Slot mine;

    FillsOwnSlotOk(Slot example) {
        mine = new Slot();
        mine.v = 1;
    }

    synchronized int get() {
        return ++mine.v;
    }
}

class WritesElementOk {
    private final int[] all = new int[4];

    WritesElementOk(int n) {
        all[1] = n;
    }

    int get() {
        return all[1];
    }
}
