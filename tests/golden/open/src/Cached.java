package shop;

interface Prices {
    @Functional
    Object best();
}

/** Fields that keep what @Functional methods return. */
class Cached implements Prices {
    private Object price, bestPrice, mixed;
    private int rounded;
    private Boolean known;
    private long total;
    private int sum;

    @Functional
    Object price() {
        return "1";
    }

    @Functional
    double exact() {
        return 1.5;
    }

    @Functional
    long total() {
        return 7;
    }

    @Functional
    boolean isKnown() {
        return true;
    }

    Object anything() {
        return new Object();
    }

    public Object best() {
        return "2";
    }

    Object priceOk() {
        if (price == null) price = price();
        return price;
    }

    Object byInterfaceOk() {
        if (bestPrice == null) bestPrice = best();
        return bestPrice;
    }

    void convertedOk() {
        rounded = (int) exact() + 1;
    }

    void boxedOk() {
        known = isKnown();
    }

    void twoWordsBad() {
        total = total();
    }

    void functionalPartBad() {
        mixed = price();
    }

    void otherPartBad() {
        mixed = anything();
    }

    void sumBad(int n) {
        sum = rounded + n;
    }
}
