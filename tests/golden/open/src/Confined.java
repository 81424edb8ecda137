package shop;

/** Code that runs in one thread, as its annotations say. */
class Confined {
    private int shown, moved, mixed, worked, drawn, called, other, posted, both;

    @UiThread
    void uiOk() {
        shown++;
    }

    @MainThread
    int mainIsUiOk() {
        return shown;
    }

    @ThreadConfined("UI")
    void namedUiOk() {
        shown = 0;
    }

    @ThreadConfined("render")
    void otherThreadBad() {
        drawn++;
    }

    @UiThread
    int drawnReadBad() {
        return drawn;
    }

    @UiThread
    void mixedUiBad() {
        mixed++;
    }

    int mixedElsewhereBad() {
        return mixed;
    }

    @WorkerThread
    void anyWorkerBad() {
        worked++;
    }

    private void step() {
        called++;
    }

    @UiThread
    void callsStepOk() {
        step();
    }

    @UiThread
    void callsStepTooOk() {
        step();
    }

    private void open() {
        other++;
    }

    @UiThread
    void callsOpenBad() {
        open();
    }

    void callsOpenToo() {
        open();
    }

    @UiThread
    void startsThreadBad() {
        new Thread(() -> posted++).start();
    }

    void throughUiOk(Confined c) {
        c.moveOk();
    }

    @UiThread
    void moveOk() {
        moved++;
    }
}
