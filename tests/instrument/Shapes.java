import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every shape of access and synchronisation that the rewriter inserts code at; only linked, never run. */
class Shapes implements Cloneable {
    int i;
    long l;
    double d;
    Object o;
    static int si;
    static long sl;
    static double sd;
    volatile int vi;
    volatile long vl;
    static volatile double svd;
    final int[] ints = new int[4];
    final long[][] longs = new long[2][3];
    Shapes next;
    static final VarHandle VI, INTS;

    static {
        try {
            VI = MethodHandles.lookup().findVarHandle(Shapes.class, "vi", int.class);
            INTS = MethodHandles.arrayElementVarHandle(int[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    class Inner {
        final int captured;
        int x = i;

        Inner(int n) {
            captured = n;
        }

        int sum() {
            return captured + x + i + (int) l;
        }
    }

    Shapes chain(int n) {
        next.next.i += n;
        next.next.l += n;
        next.next.d *= n;
        (n > 3 ? next : this).l = n > 4 ? l : sl;
        next.next.vl = next.vl++ + vl;
        next.next.vi = next.vi;
        svd = next.next.vl + svd;
        return next.next;
    }

    static double statics(int n) {
        si += n;
        sl++;
        return sd = si + sl;
    }

    void arrays(int k, byte[] bytes, boolean[] flags, char[] chars, short[] shorts, float[] floats, Object[] objects) {
        bytes[k] ^= 3;
        flags[k] |= k > 2;
        chars[k]++;
        shorts[k] = (short) -shorts[k];
        floats[k] *= 2;
        objects[k] = k > 3 ? objects[0] : bytes;
        longs[k][k + 1] += ints[k];
        longs[k] = longs[0].clone();
        ((double[]) o)[k] = d;
        System.arraycopy(ints, 0, ints, 1, k);
    }

    synchronized int locked(Object lock) throws InterruptedException {
        synchronized (lock) {
            if (i > 3) throw new IllegalStateException();
            lock.wait();
            lock.wait(5, 5);
            wait(10);
            synchronized (this) {
                return i;
            }
        }
    }

    static synchronized long lockedStatic() {
        return sl;
    }

    boolean handles(int k) {
        int seen = (int) VI.getVolatile(this) + (int) INTS.getAcquire(ints, k);
        VI.setRelease(this, seen);
        return VI.compareAndSet(this, seen, seen + 1) && INTS.weakCompareAndSetPlain(ints, k, 0, 1);
    }

    String containers(Map<String, List<Integer>> map, String key) {
        map.computeIfAbsent(key, s -> new ArrayList<>()).add(i);
        List<Integer> own = new ArrayList<>();
        own.add(3);
        Map<String, Object> leaked = new HashMap<>();
        leaked.put(key, own);
        o = leaked;
        StringBuilder b = new StringBuilder(key);
        for (int n : map.getOrDefault(key, own)) b.append(n).append(',');
        return b.toString();
    }

    @Override
    public Shapes clone() throws CloneNotSupportedException {
        return (Shapes) super.clone();
    }

    int mixed(Shapes s, long n) {
        try {
            s.l = n + (s.next == null ? 1 : s.next.l);
            return s.i;
        } catch (NullPointerException e) {
            s = this;
            return s.i++;
        } finally {
            s.d += n;
        }
    }

    private int calm(int n) {
        return n * 2 + (n > 3 ? i : Math.max(n, 4));
    }

    static final class Other {
        int x;

        int calm(int n) {
            return x + n;
        }
    }

    /** Loops that are swept although they call: methods of this class and of another. */
    long calls(int[] a, Other other, Other[] others) {
        long sum = 0;
        for (int k = 0; k < a.length; k++) a[k] = calm(a[k]);
        for (int k = 0; k < a.length; k++) sum += other.calm(a[k]);
        for (Other o : others) {
            if (o == null) return sum;
            sum += o.calm(o.x);
        }
        return sum;
    }

    /** Fields that are accessed again and again: by one variable, by a changed one, in loops, around an exception. */
    double covered(Shapes a, Shapes b, int n) {
        double sum = a.d + a.d * a.l;
        a.l = n;
        a.l += (int) sum;
        if (n > 3) a = b;
        for (int k = 0; k < n; k++) {
            sum += a.i + si + b.d;
            if (k > 5) sl++;
            for (int j = k; j < n; j++) b.d = sum += i + b.d;
            a.next.l = k;
        }
        try {
            for (int k = 0; k < n; k++) {
                sum += a.l;
                b = b.next;
                sum -= b.l;
            }
        } catch (NullPointerException e) {
            sum += a.l + i;
        }
        for (long k = 0, j = 0; k < n; k++, j++) {
            Shapes o = a;
            sum += o.d + a.d;
            if (sum > 3) wide(j);
        }
        return sum + a.l + i;
    }

    native void wide(long n);
}
