/** Stands in an element of its own, which knows nothing of the program: its names are for itself. */
public class Stranger {
    public static class Pool {
        public Pool() {
            dead();
        }

        void dead() {
        }
    }
}
