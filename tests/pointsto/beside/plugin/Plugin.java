/** Stands in an element of its own, which knows the program: its names are for the program too. */
public class Plugin {
    public static class Backup implements Names.Module {
        public void boot() {
            live();
        }

        void live() {
            Mark.ran();
        }
    }
}
