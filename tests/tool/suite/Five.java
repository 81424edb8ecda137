package suite;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Five {
    Shared own;

    @BeforeEach
    void make() {
        own = new Shared();
    }

    @Test
    void races() {
        Shared.race(() -> Shared.five++);
        own.instance++;
    }

    static Stream<Shared> some() {
        Shared.plain++;
        return Stream.of(new Shared());
    }

    @ParameterizedTest
    @MethodSource("some")
    void takes(Shared given) {
        Shared.race(() -> given.instance++);
        Shared.race(() -> Shared.parameter++);
    }

    @Nested
    class Inner {
        @Test
        void races() {
            Shared mine = own;
            Shared.race(() -> Shared.nested += mine.instance);
        }
    }
}
