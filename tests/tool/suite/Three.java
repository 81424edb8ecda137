package suite;

import junit.framework.TestCase;

public class Three extends TestCase {
    private Runnable body;

    @Override
    protected void setUp() {
        body = () -> Shared.three++;
    }

    public void testRaces() {
        Shared.race(body);
        Shared.plain++;
    }

    /** No test: not called. */
    public void helper() {
        Shared.race(() -> Shared.plain++);
    }
}
