import java.io.InputStream;
import java.util.Properties;

/** Classes by names that names.properties holds, alone and in a list. */
public class Names {
    interface Module {
        void boot();
    }

    public static class Storage implements Module {
        static {
            initialised();
        }

        static void initialised() {
            Mark.ran();
        }

        public void boot() {
            Mark.ran();
        }
    }

    public static class Cache implements Module {
        public void boot() {
            Mark.ran();
        }
    }

    public static class Locks implements Module {
        public void boot() {
            Mark.ran();
        }
    }

    interface Part {
        void fit();
    }

    public static class Wheel implements Part {
        public Wheel() {
            Mark.ran();
        }

        public void fit() {
            Mark.ran();
        }
    }

    /** Not named. */
    public static class Other implements Module {
        public void boot() {
            deadOther();
        }

        void deadOther() {
            Mark.ran();
        }
    }

    /** No cast says what comes out: those that are named. */
    static Object make(Class<?> cls) throws ReflectiveOperationException {
        return cls.getDeclaredConstructor().newInstance();
    }

    public static void main(String[] args) throws Exception {
        Properties names = new Properties();
        try (InputStream in = Names.class.getResourceAsStream("/names.properties")) {
            names.load(in);
        }
        ((Module) make(Class.forName(names.getProperty("storage")))).boot();
        for (String name : names.getProperty("list").split(","))
            ((Module) make(Names.class.getClassLoader().loadClass(name.trim()))).boot();
        Part part = (Part) Class.forName(names.getProperty("part")).getDeclaredConstructor().newInstance();
        part.fit();
    }
}
