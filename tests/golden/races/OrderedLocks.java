import java.util.concurrent.locks.ReentrantLock;

/** Two locks taken in an order that all threads agree on: together they are the locks of both objects. */
public class OrderedLocks {
    static class Account {
        final int id;
        final ReentrantLock lock = new ReentrantLock();
        int number;
        int identity, twice, crosswise, opposite, called, juc, swapped;
        int wrongOther, wrongQuestion, oneOnly, sameAnswer, left, loopCarried, changing;

        Account(int id) {
            this.id = id;
            number = id;
        }

        void add(int amount) {
            called += amount;
        }
    }

    static void identityOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.identity--;
                b.identity++;
            }
        }
    }

    static void twiceAskedOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = a.id < b.id ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.twice--;
                b.twice++;
            }
        }
    }

    static void oppositeOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = a.id >= b.id ? a : b;
        synchronized (first) {
            synchronized (second) {
                a.opposite--;
                b.opposite++;
            }
        }
    }

    static void crosswiseOk(Account a, Account b) {
        Account first, second;
        if (a.number < b.number || a.number > 5) {
            first = a;
            second = b;
        } else {
            first = b;
            second = a;
        }
        synchronized (first) {
            synchronized (second) {
                a.crosswise--;
                b.crosswise++;
            }
        }
    }

    static void calledOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.add(-1);
                b.add(1);
            }
        }
    }

    static void jucOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first != a ? a : b;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                a.juc--;
                b.juc++;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    static void swappedOk(Account a, Account b) {
        Account first = a, second = b;
        if (first.id > second.id) {
            Account t = first;
            first = second;
            second = t;
        }
        synchronized (first) {
            synchronized (second) {
                a.swapped--;
                b.swapped++;
            }
        }
    }

    /** Both are the same one of the two. */
    static void wrongOtherBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? a : b;
        synchronized (first) {
            synchronized (second) {
                a.wrongOther--;
                b.wrongOther++;
            }
        }
    }

    /** The second answer does not follow from the first. */
    static void wrongQuestionBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = a.id < 7 ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.wrongQuestion--;
                b.wrongQuestion++;
            }
        }
    }

    static void oneOnlyBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? b : a;
        synchronized (first) {
            a.oneOnly--;
            b.oneOnly++;
        }
        synchronized (second) {
            a.oneOnly--;
        }
    }

    static void sameAnswerBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = a.id >= b.id ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.sameAnswer--;
                b.sameAnswer++;
            }
        }
    }

    /** One of them is left before the access. */
    static void leftBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.number = a.number;
            }
            b.left++;
        }
    }

    /** The names mean the accounts of this round, the locks those of the round before. */
    static void loopCarriedBad(Account[] all) {
        Account first = all[0], second = all[1];
        for (int i = 0; i < 1; i++) {
            Account a = all[i], b = all[i + 1];
            synchronized (first) {
                synchronized (second) {
                    a.loopCarried--;
                    b.loopCarried++;
                }
            }
            if (a.id < b.id) {
                first = a;
                second = b;
            } else {
                first = b;
                second = a;
            }
        }
    }

    /** What is asked twice may change in between. */
    static void changingBad(Account a, Account b) {
        Account first = a.number < b.number ? a : b, second = a.number < b.number ? b : a;
        synchronized (first) {
            synchronized (second) {
                a.changing--;
                b.changing++;
            }
        }
    }

    static void all(Account a, Account b, Account[] accounts) {
        identityOk(a, b);
        twiceAskedOk(a, b);
        oppositeOk(a, b);
        crosswiseOk(a, b);
        calledOk(a, b);
        jucOk(a, b);
        swappedOk(a, b);
        wrongOtherBad(a, b);
        wrongQuestionBad(a, b);
        oneOnlyBad(a, b);
        sameAnswerBad(a, b);
        leftBad(a, b);
        loopCarriedBad(accounts);
        changingBad(a, b);
    }

    public static void main(String[] args) {
        Account[] accounts = new Account[8];
        for (int i = 0; i < accounts.length; i++) accounts[i] = new Account(i);
        for (int t = 0; t < 2; t++) {
            int from = t, to = 1 - t;
            new Thread(() -> all(accounts[from], accounts[to], accounts)).start();
        }
    }
}
