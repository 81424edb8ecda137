package suite;

import org.junit.After;
import org.junit.Test;

public class Four extends Base {
    @Test
    public void races() {
        Shared.race(() -> Shared.four++);
    }

    /** Leaves a thread behind that meets whatever comes later. */
    @Test
    public void leaves() {
        new Thread(() -> Shared.left++).start();
    }

    @After
    public void after() {
        Shared.left++;
        Shared.plain++;
    }
}
