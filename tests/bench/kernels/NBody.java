// norace
package bench;

import java.util.concurrent.Phaser;

/**
 * Gravitational n-body problem, all pairs. Each worker owns a band of bodies; every step has a phase that reads all
 * positions and a phase that moves the own bodies, separated by a Phaser. Hot: double fields of shared objects.
 */
public final class NBody {
    private static final int BODIES = 512;
    private static final double DT = 1e-3;
    private static final double SOFTENING = 1e-2;

    static final class Body {
        final double mass;
        double x, y, z;
        double vx, vy, vz;

        Body(Rng rng) {
            mass = 0.5 + rng.nextDouble();
            x = rng.nextGaussian();
            y = rng.nextGaussian();
            z = rng.nextGaussian();
            vx = 0.1 * rng.nextGaussian();
            vy = 0.1 * rng.nextGaussian();
            vz = 0.1 * rng.nextGaussian();
        }

        /** Velocity change by all others; reads their positions, writes only this body. */
        void attract(Body[] all) {
            double ax = 0, ay = 0, az = 0;
            for (Body other : all) {
                double dx = other.x - x;
                double dy = other.y - y;
                double dz = other.z - z;
                double d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                double f = other.mass / (d2 * Math.sqrt(d2));
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            vx += DT * ax;
            vy += DT * ay;
            vz += DT * az;
        }

        void move() {
            x += DT * vx;
            y += DT * vy;
            z += DT * vz;
        }

        double kineticEnergy() {
            return 0.5 * mass * (vx * vx + vy * vy + vz * vz);
        }
    }

    private final Body[] bodies = new Body[BODIES];
    private final Phaser phaser;
    private final int steps;

    private NBody(Args args) {
        Rng rng = new Rng(42);
        for (int i = 0; i < BODIES; i++) {
            bodies[i] = new Body(rng);
        }
        phaser = new Phaser(args.threads);
        steps = args.size;
    }

    private void work(int from, int to) {
        for (int step = 0; step < steps; step++) {
            for (int i = from; i < to; i++) {
                bodies[i].attract(bodies);
            }
            phaser.arriveAndAwaitAdvance();
            for (int i = from; i < to; i++) {
                bodies[i].move();
            }
            phaser.arriveAndAwaitAdvance();
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 6000, 250);
        NBody system = new NBody(args);
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            int from = args.bandStart(BODIES, id);
            int to = args.bandStart(BODIES, id + 1);
            workers[id] = () -> system.work(from, to);
        }
        Args.runAll(workers);
        double energy = 0;
        for (Body b : system.bodies) {
            energy += b.kineticEnergy();
        }
        args.print("NBody", energy);
    }
}
