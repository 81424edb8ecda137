package shop;

/** Two holders may have been given the same stock; the lock of one is not that of the other. */
class Holder {
    private final Object lock = new Object();
    Stock data = null;

    void lockOfHolderBad() {
        synchronized (lock) {
            data.n++;
        }
    }
}
