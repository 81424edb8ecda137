package suite;

import org.junit.BeforeClass;
import org.junit.Test;

public abstract class Base {
    @BeforeClass
    public static void first() {
        Shared.plain = 1;
    }

    @Test
    public void inheritedRaces() {
        Shared.race(() -> Shared.inherited++);
    }
}
