import java.util.function.IntBinaryOperator;

/** Hand-picked: each method is a construct whose IR is easy to get wrong. */
class Cases {
    static int calls;

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    static class Square implements Shape {
        int side;

        Square(int side) {
            this.side = side;
        }

        public int area() {
            return side * side;
        }
    }

    static class Odd extends Square {
        Odd(int side) {
            super(side + 1);
        }

        @Override
        public int area() {
            return super.area() + 1;
        }

        @Override
        public int twice() {
            return Shape_twice() - 1;
        }

        private int Shape_twice() {
            return super.twice();
        }
    }

    static int ladder(int n) {
        int at = 0;
        try {
            at = 1;
            if (n == 1) throw new IllegalStateException();
            at = 2;
            int[] a = new int[n];
            at = 3;
            a[2] = 7;
            at = a[2] / (n - 5);
        } catch (IllegalStateException | NegativeArraySizeException e) {
            at += 100;
        } catch (ArithmeticException e) {
            at += 200;
        } catch (RuntimeException e) {
            at += 300;
        } finally {
            calls++;
            at *= 10;
        }
        return at;
    }

    static int finallyReturns(int n) {
        while (true) {
            try {
                if (n > 3) return n;
                n++;
                if (n == 2) continue;
                if (n == 3) throw new RuntimeException();
            } catch (RuntimeException e) {
                n += 10;
            } finally {
                n++;
                if (n > 50) break;
            }
        }
        return -n;
    }

    static int swap(int n) {
        int a = 1, b = 2, c = 3;
        for (int i = 0; i < n; i++) {
            int t = a;
            a = b;
            b = c;
            c = t;
        }
        return a * 100 + b * 10 + c;
    }

    static int locked(Object lock, int n) {
        int r = 0;
        try {
            synchronized (lock) {
                synchronized (n == 3 ? lock : new Object()) {
                    r = 10 / n;
                }
                r += 5;
            }
        } catch (ArithmeticException e) {
            r--;
        }
        return r;
    }

    static long shapes(Shape... all) {
        long sum = 0;
        for (Shape s : all) sum = sum * 31 + (s instanceof Square q && q.side > 2 ? s.twice() : s.area());
        return sum;
    }

    static int jumps(int n) {
        int r = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0;; j++) {
                if (j == i) continue outer;
                if (i * j == 12) break outer;
                r += switch (j % 4) {
                    case 0 -> i;
                    case 1, 2 -> {
                        int k = j;
                        while (k > 0) k -= 2;
                        yield k;
                    }
                    default -> 9;
                };
            }
        }
        return r;
    }

    static int mixed(double d, float f, long l, boolean b) {
        return (int) (d * 3) + (int) (f / 2) + (int) (l >>> 3) + (b ? 1 : d > f ? 2 : 3) + (byte) l + (char) -1;
    }

    static int apply(IntBinaryOperator op, int a, int b) {
        return op.applyAsInt(a, b);
    }

    static int nested(int n) {
        try {
            try {
                return ladder(n) / n;
            } finally {
                calls += n;
                if (n == 4) throw new IllegalArgumentException();
            }
        } catch (ArithmeticException e) {
            return -1;
        } catch (IllegalArgumentException e) {
            return calls;
        }
    }

    static void run() {
        for (int i = -2; i < 8; i++) {
            Out.print(ladder(i));
            Out.print(finallyReturns(i));
            Out.print(swap(i));
            Out.print(locked(i == 3 ? new Square(1) : "x", i));
            Out.print(jumps(i));
            Out.print(nested(i));
            int k = i;
            Out.print(apply((a, b) -> a * b - k, i, 3));
            Out.print(mixed(i * 1.5, i / 3f, i * 1000000007L, i % 2 == 0));
        }
        Out.print(shapes(new Square(2), new Odd(2), new Square(5), new Odd(0)));
        Out.print("done");
    }
}
