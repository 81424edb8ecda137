package desk;

/** Public: its public methods are opened, with those that it inherits from a class that is not. */
public class Desk extends Base {
    private int open;
    private int hidden;
    private int tested;

    public void open() {
        open++;
    }

    void notForOthers() {
        hidden++;
    }

    @VisibleForTesting
    public void forTests() {
        tested++;
    }
}

@interface VisibleForTesting {}

class Base {
    private int count;

    public void count() {
        count++;
    }
}

class Unused {
    private int n;

    public void use() {
        n++;
    }
}
