package demo;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class Five {
    @BeforeAll
    static void outside() throws Exception {
        Racing.race(() -> Racing.before++);
    }

    @BeforeEach
    void calm() {}

    @Test
    void racesOnOne() throws Exception {
        Racing.race(() -> Racing.one++);
    }

    @RepeatedTest(1)
    void racesOnTwo() throws Exception {
        Racing.race(() -> Racing.two++);
    }

    @Nested
    class Inner {
        @Test
        void racesOnThree() throws Exception {
            Racing.race(() -> Racing.three++);
        }
    }
}
