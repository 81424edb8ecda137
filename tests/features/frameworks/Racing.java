package demo;

class Racing {
    static int one, two, three, before;

    static void race(Runnable work) throws Exception {
        Thread a = new Thread(work), b = new Thread(work);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
