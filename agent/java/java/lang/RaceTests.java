package java.lang;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

/** Tells C which test is running. Called at the start and end of tests, so nothing here need be fast. */
final class RaceTests {
    private RaceTests() {}

    /** JUnit 4 passes its description of the test, JUnit 5 its descriptor: both name the test when printed. */
    static void started(Object test) {
        try {
            if (test != null) current(test.toString());
        } catch (Throwable t) {
            current(null);
        }
    }

    /** TestNG runs methods that prepare and clean up in the same way as tests. */
    static void method(Method m) {
        try {
            if (m == null) return;
            Annotation[] marks = m.getDeclaredAnnotations();
            for (int i = 0; i < marks.length; i++) {
                String type = marks[i].annotationType().getName();
                if (type.startsWith("org.testng.annotations.Before") || type.startsWith("org.testng.annotations.After")) return;
            }
            current(m.getName().concat("(").concat(m.getDeclaringClass().getName()).concat(")"));
        } catch (Throwable t) {
            current(null);
        }
    }

    static void ended() {
        current(null);
    }

    private static native void current(String test);
}
