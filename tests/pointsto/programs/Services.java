import java.util.ServiceLoader;

/** Services named in META-INF/services. */
public class Services {
    public interface Codec {
        void encode();
    }

    public static class Zip implements Codec {
        public Zip() {
            Mark.ran();
        }

        public void encode() {
            Mark.ran();
        }
    }

    public static class Unlisted implements Codec {
        public void encode() {
            deadUnlisted();
        }

        void deadUnlisted() {
            Mark.ran();
        }
    }

    public static void main(String[] args) {
        for (Codec c : ServiceLoader.load(Codec.class)) c.encode();
    }
}
