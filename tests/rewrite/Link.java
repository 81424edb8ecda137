import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Links every class under a directory, so that the JVM verifies it, without running its initialiser.
 *
 * Class.forName() alone only loads; asking for the declared methods makes HotSpot link. Any error but a missing
 * dependency counts as bad. Arguments: "boot" or "app" (which loader), then the directory.
 */
public class Link {
    public static void main(String[] args) throws Exception {
        ClassLoader loader = args[0].equals("boot") ? null : Link.class.getClassLoader();
        Path root = Path.of(args[1]);
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(p -> p.toString().endsWith(".class")).sorted().toList();
        }
        int linked = 0, missing = 0, bad = 0, methods = 0;
        for (Path p : files) {
            String name = root.relativize(p).toString();
            name = name.substring(0, name.length() - 6).replace('/', '.');
            try {
                Method[] declared = Class.forName(name, false, loader).getDeclaredMethods();
                methods += declared.length;
                linked++;
            } catch (NoClassDefFoundError | TypeNotPresentException e) {
                missing++; // an optional dependency that is not on the class path
            } catch (Throwable e) {
                bad++;
                if (bad <= 10) System.out.println("BAD " + name + ": " + e);
            }
        }
        System.out.println(linked + " linked (" + methods + " methods), " + missing
                + " with missing dependencies, " + bad + " bad");
        if (bad > 0 || linked == 0 || missing > linked / 10) System.exit(1);
    }
}
