import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the calls listed in DIR/calls.txt of each directory, and prints what the JVM makes of them. */
class Calls {
    public static void main(String[] dirs) throws IOException, ReflectiveOperationException {
        for (String dir : dirs) {
            URL[] path = {Path.of(dir).toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(path)) {
                for (String line : Files.readAllLines(Path.of(dir, "calls.txt"))) {
                    String[] words = line.split(" ");
                    System.out.println(line + " " + call(loader, words[0].replace('/', '.'), words[1]));
                }
            }
        }
    }

    static Object call(ClassLoader loader, String cls, String method) throws ReflectiveOperationException {
        try {
            return Class.forName(cls, true, loader).getMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof VerifyError || e.getCause() instanceof ClassFormatError) throw e;
            if (e.getCause() instanceof LinkageError) return "error";
            throw e;
        }
    }
}
