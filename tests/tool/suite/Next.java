package suite;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

@Test
public class Next {
    @BeforeMethod
    public void before() {
        Shared.plain++;
    }

    public void races() {
        Shared.race(() -> Shared.testng++);
    }
}
