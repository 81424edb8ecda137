// norace
// The same very large method, synchronized.
public class LargeMethod_norace {
    static int x;

    /** Finally blocks nested in finally blocks double the code at every level: a very large method in a few lines. */
    static synchronized long large(long seed) {
        long acc = seed;
        try {
            acc += 1;
        } finally {
            try {
                acc += 2;
            } finally {
                try {
                    acc += 3;
                } finally {
                    try {
                        acc += 4;
                    } finally {
                        try {
                            acc += 5;
                        } finally {
                            try {
                                acc += 6;
                            } finally {
                                try {
                                    acc += 7;
                                } finally {
                                    try {
                                        acc += 8;
                                    } finally {
                                        try {
                                            acc += 9;
                                        } finally {
                                            x += (int) (acc - seed);
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return acc;
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 50; i++) large(i);
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 4500) throw new AssertionError(x);
        System.out.println("ok");
    }
}
