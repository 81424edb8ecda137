// The relaxation case of SWORD: workers on neighbouring rows read what the others write.
public class Relax extends Thread {
    static final float[][] BLACK = new float[64][64];
    static final float[][] RED = new float[64][64];
    final int start, end;

    Relax(int start, int end) {
        this.start = start;
        this.end = end;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) new Relax(i * 15 + 1, i * 15 + 15).start();
    }

    @Override
    public void run() {
        float[][] black = BLACK, red = RED;
        for (int j = start; j <= end; j++) {
            for (int k = 0; k < 64; k++) {
                black[j][k] = red[j - 1][k] + red[j + 1][k];
                red[j][k] = black[j - 1][k] + black[j + 1][k];
            }
        }
    }
}
