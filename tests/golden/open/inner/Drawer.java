package drawer;

class Drawer {
    private int open;

    void open() {
        open++;
    }
}
