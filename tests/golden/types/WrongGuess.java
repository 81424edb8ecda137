// Discovery guessed wrong for each field but the last: the check finds the right owners all the same, and where there
// is none (racy) the guess only says what is wrong.
public class WrongGuess {
    static final Object GLOBAL = new Object();

    public static void main(String[] args) {
        Guessed g = new Guessed(args.length);
        for (int i = 0; i < 2; i++) new Thread(g::work).start();
    }
}

class Guessed {
    final Object lock = new Object();
    final Object other = new Object();
    int notThisThread, notReadonly, notSelf, notThatField, notGlobal, fixed, racy, both;

    Guessed(int n) {
        fixed = n;
    }

    void work() {
        synchronized (this) {
            notThisThread++;
            notReadonly++;
            notGlobal++;
        }
        synchronized (lock) {
            notSelf++;
            notThatField++;
        }
        synchronized (lock) {
            synchronized (WrongGuess.GLOBAL) {
                both++;
            }
        }
        racy += fixed;
    }
}
