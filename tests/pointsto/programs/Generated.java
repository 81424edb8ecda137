import java.util.Base64;

/** A class that is made at run time: of its objects the analysis knows what the class above it does. */
public class Generated {
    public abstract static class Base {
        public abstract void own();

        public void inherited() {
            Mark.ran();
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(Generated.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /* public class Made extends Generated.Base { public void own() {} } */
    static final String MADE =
        "yv66vgAAAD0ADwoAAgADBwAEDAAFAAYBAA5HZW5lcmF0ZWQkQmFzZQEABjxpbml0PgEAAygpVgcACAEABE1hZGUB"
        + "AARDb2RlAQADb3duAQAMSW5uZXJDbGFzc2VzBwANAQAJR2VuZXJhdGVkAQAEQmFzZQAhAAcAAgAAAAAAAgABAAUA"
        + "BgABAAkAAAARAAEAAQAAAAUqtwABsQAAAAAAAQAKAAYAAQAJAAAADQAAAAEAAAABsQAAAAAAAQALAAAACgABAAIA"
        + "DAAOBAk=";

    public static void main(String[] args) throws Exception {
        Class<?> made = new Loader().define(Base64.getDecoder().decode(MADE));
        Base b = (Base) made.getDeclaredConstructor().newInstance();
        b.own();
        b.inherited();
    }
}
