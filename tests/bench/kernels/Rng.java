package bench;

/** Small seeded generator (xorshift64*); one per thread or task, never shared. */
final class Rng {
    private long state;

    Rng(long seed) {
        // The generator must not start from zero, and near seeds should give unrelated streams.
        state = seed * 0x9E3779B97F4A7C15L + 0x1234567L | 1L;
        next();
        next();
    }

    private long next() {
        state ^= state >>> 12;
        state ^= state << 25;
        state ^= state >>> 27;
        return state * 0x2545F4914F6CDD1DL;
    }

    int nextInt(int bound) {
        return (int) ((next() >>> 33) % bound);
    }

    double nextDouble() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** A standard normal value by the polar method. */
    double nextGaussian() {
        while (true) {
            double u = 2 * nextDouble() - 1;
            double v = 2 * nextDouble() - 1;
            double s = u * u + v * v;
            if (s < 1 && s != 0) {
                return u * Math.sqrt(-2 * Math.log(s) / s);
            }
        }
    }
}
