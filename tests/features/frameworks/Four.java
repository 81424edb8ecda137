package demo;

import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class Four {
    @BeforeClass
    public static void outside() throws Exception {
        Racing.race(() -> Racing.before++);
    }

    @Before
    public void calm() {}

    @Test
    public void racesOnOne() throws Exception {
        Racing.race(() -> Racing.one++);
    }

    @Test
    public void racesOnTwo() throws Exception {
        Racing.race(() -> Racing.two++);
    }
}
