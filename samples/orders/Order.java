package orders;

/** A limit order for one share; immutable. */
final class Order {
    final boolean buy;
    final long price;

    Order(boolean buy, long price) {
        this.buy = buy;
        this.price = price;
    }
}
