/* Fields of two thread objects: the origin of both is main, only receivers tell them apart. */
public class Main {
    public static void main(String[] args) {
        Counter one = new Counter();
        Counter two = new Counter();
        one.start();
        two.start();
    }
}

class Counter extends Thread {
    private int[] count = new int[1];

    @Override
    public void run() {
        count[0]++;
    }
}
