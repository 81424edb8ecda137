// norace
package bench;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Molecular dynamics of a Lennard-Jones fluid in a periodic box. Pairs are dealt out round-robin; each worker adds
 * forces into arrays of its own, which are summed after a CyclicBarrier. Hot: object fields and private double[].
 */
public final class MolDyn {
    private static final int CELLS = 7;
    private static final int PARTICLES = 4 * CELLS * CELLS * CELLS;
    private static final double BOX = CELLS * 1.7;
    private static final double CUTOFF2 = 2.5 * 2.5;
    private static final double DT = 5e-4;

    static final class Particle {
        double x, y, z;
        double vx, vy, vz;
        double fx, fy, fz;

        Particle(double x, double y, double z, Rng rng) {
            this.x = x;
            this.y = y;
            this.z = z;
            vx = rng.nextGaussian();
            vy = rng.nextGaussian();
            vz = rng.nextGaussian();
        }

        void advance() {
            vx += DT * fx;
            vy += DT * fy;
            vz += DT * fz;
            x = wrap(x + DT * vx);
            y = wrap(y + DT * vy);
            z = wrap(z + DT * vz);
        }

        private static double wrap(double c) {
            return c < 0 ? c + BOX : c >= BOX ? c - BOX : c;
        }
    }

    /** The force arrays and energy of one worker: written by it, read by the others after the barrier. */
    static final class Partial {
        final double[] fx = new double[PARTICLES];
        final double[] fy = new double[PARTICLES];
        final double[] fz = new double[PARTICLES];
        double potential;

        void clear() {
            for (int i = 0; i < PARTICLES; i++) {
                fx[i] = 0;
                fy[i] = 0;
                fz[i] = 0;
            }
            potential = 0;
        }
    }

    private final Particle[] particles = new Particle[PARTICLES];
    private final Partial[] partials;
    private final CyclicBarrier forcesDone;
    private final CyclicBarrier moved;
    private final Args args;
    /** Sum over all steps; only the barrier action touches it while the workers run. */
    private double totalPotential;

    private MolDyn(Args args) {
        this.args = args;
        partials = new Partial[args.threads];
        for (int id = 0; id < args.threads; id++) {
            partials[id] = new Partial();
        }
        forcesDone = new CyclicBarrier(args.threads, this::sumEnergy);
        moved = new CyclicBarrier(args.threads);
        placeOnLattice();
    }

    private void placeOnLattice() {
        double[][] base = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
        double edge = BOX / CELLS;
        Rng rng = new Rng(11);
        int n = 0;
        for (int i = 0; i < CELLS; i++) {
            for (int j = 0; j < CELLS; j++) {
                for (int k = 0; k < CELLS; k++) {
                    for (double[] b : base) {
                        particles[n++] = new Particle((i + b[0]) * edge, (j + b[1]) * edge, (k + b[2]) * edge, rng);
                    }
                }
            }
        }
    }

    private void sumEnergy() {
        for (Partial p : partials) {
            totalPotential += p.potential;
        }
    }

    private void work(int id) {
        int from = args.bandStart(PARTICLES, id);
        int to = args.bandStart(PARTICLES, id + 1);
        try {
            for (int step = 0; step < args.size; step++) {
                Partial own = partials[id];
                own.clear();
                for (int i = id; i < PARTICLES; i += args.threads) {
                    forcesOn(i, own);
                }
                forcesDone.await();
                for (int i = from; i < to; i++) {
                    gather(i);
                    particles[i].advance();
                }
                moved.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds the forces between particle i and all later ones to the worker's own arrays. */
    private void forcesOn(int i, Partial own) {
        Particle p = particles[i];
        double fxi = 0, fyi = 0, fzi = 0;
        double energy = 0;
        for (int j = i + 1; j < PARTICLES; j++) {
            Particle q = particles[j];
            double dx = nearest(p.x - q.x);
            double dy = nearest(p.y - q.y);
            double dz = nearest(p.z - q.z);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < CUTOFF2) {
                double inv2 = 1 / r2;
                double inv6 = inv2 * inv2 * inv2;
                double f = 48 * inv2 * inv6 * (inv6 - 0.5);
                energy += 4 * inv6 * (inv6 - 1);
                fxi += f * dx;
                fyi += f * dy;
                fzi += f * dz;
                own.fx[j] -= f * dx;
                own.fy[j] -= f * dy;
                own.fz[j] -= f * dz;
            }
        }
        own.fx[i] += fxi;
        own.fy[i] += fyi;
        own.fz[i] += fzi;
        own.potential += energy;
    }

    private static double nearest(double d) {
        return d > BOX / 2 ? d - BOX : d < -BOX / 2 ? d + BOX : d;
    }

    private void gather(int i) {
        double fx = 0, fy = 0, fz = 0;
        for (Partial p : partials) {
            fx += p.fx[i];
            fy += p.fy[i];
            fz += p.fz[i];
        }
        Particle p = particles[i];
        p.fx = fx;
        p.fy = fy;
        p.fz = fz;
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 1300, 50);
        MolDyn box = new MolDyn(args);
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            int mine = id;
            workers[id] = () -> box.work(mine);
        }
        Args.runAll(workers);
        args.print("MolDyn", box.totalPotential / args.size);
    }
}
