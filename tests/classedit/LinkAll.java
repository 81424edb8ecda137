import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Links (hence verifies) every class under a directory; prints the failures and the count. */
public class LinkAll {
    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(p -> p.toString().endsWith(".class")).toList();
        }
        int linked = 0, missing = 0, bad = 0;
        for (Path p : files) {
            String name = root.relativize(p).toString();
            name = name.substring(0, name.length() - 6).replace('/', '.');
            if (name.endsWith("module-info") || name.endsWith("package-info")) continue;
            try {
                // Loading does not verify; asking for the methods makes HotSpot link.
                Class.forName(name, false, LinkAll.class.getClassLoader()).getDeclaredMethods();
                linked++;
            } catch (VerifyError | ClassFormatError e) {
                bad++;
                if (bad <= 10) System.out.println(name + ": " + e);
            } catch (Throwable e) {
                missing++; // an optional dependency that is not on the class path
            }
        }
        System.out.println(linked + " linked, " + missing + " with missing dependencies, " + bad + " bad");
        if (bad > 0 || linked == 0) System.exit(1);
    }
}
