package demo;

import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

public class Next {
    @BeforeClass
    public void outside() throws Exception {
        Racing.race(() -> Racing.before++);
    }

    @AfterMethod
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
