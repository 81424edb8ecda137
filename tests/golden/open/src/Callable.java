package shop;

/** Who may be called: all but private methods of a class that is named, and what it inherits. */
class Callable extends Above {
    private int plain, guarded, own, asked, tested, safe, shown;

    void packagePrivateBad() {
        plain++;
    }

    synchronized void guardedOk() {
        guarded++;
    }

    private void nobodyCallsOk() {
        own++;
    }

    private void step() {
        asked++;
    }

    protected void protectedBad() {
        step();
    }

    @VisibleForTesting
    public void onlyForTestsOk() {
        tested++;
    }

    @VisibleForTesting
    @ThreadSafe
    public void saidToBeSafeBad() {
        safe++;
    }

    @VisibleForTesting
    void seam() {
        shown++;
    }

    public void throughSeamBad() {
        seam();
    }
}

abstract class Above {
    private int inherited, replaced;

    void inheritedBad() {
        inherited++;
    }

    synchronized void inheritedOk() {
        replaced++;
    }
}
