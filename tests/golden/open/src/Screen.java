package shop;

/** All methods of the class and of those below it run in one thread. */
@UiThread
class Screen {
    int drawn;

    void drawOk() {
        drawn++;
    }
}

class BigScreen extends Screen {
    @Override
    void drawOk() {
        drawn = 2;
    }
}
