// race: static bench.RayTracer.checksum
package bench;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ray tracer for a grid of mirroring spheres; workers fetch rows from an atomic counter and write them into a shared
 * image. Race: each worker adds its row to the static checksum while holding its own monitor, not a common one, so
 * updates may be lost; the printed sum is taken from the image instead. Hot: short-lived vectors, read-only scene.
 */
public final class RayTracer {
    private static final int WIDTH = 600;
    private static final int MAX_DEPTH = 4;
    private static final double FAR = 1e30;

    /** Running sum of pixel values, "protected" by the wrong lock. */
    static long checksum;

    static final class Vec {
        final double x, y, z;

        Vec(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vec plus(Vec o, double scale) {
            return new Vec(x + o.x * scale, y + o.y * scale, z + o.z * scale);
        }

        double dot(Vec o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vec unit() {
            double inv = 1 / Math.sqrt(dot(this));
            return new Vec(x * inv, y * inv, z * inv);
        }
    }

    /** A ray and what it has hit so far; belongs to one worker. */
    static final class Ray {
        final Vec origin;
        final Vec direction;
        double distance = FAR;
        Sphere hit;

        Ray(Vec origin, Vec direction) {
            this.origin = origin;
            this.direction = direction;
        }
    }

    /** Scene object with plain fields: written before the workers start, only read afterwards. */
    static final class Sphere {
        private Vec centre;
        private double radius2;
        private double shine;
        private int colour;

        Sphere(Vec centre, double radius, double shine, int colour) {
            this.centre = centre;
            this.radius2 = radius * radius;
            this.shine = shine;
            this.colour = colour;
        }

        void intersect(Ray ray) {
            Vec v = centre.plus(ray.origin, -1);
            double b = v.dot(ray.direction);
            double disc = b * b - v.dot(v) + radius2;
            if (disc < 0) {
                return;
            }
            double t = b - Math.sqrt(disc);
            if (t > 1e-6 && t < ray.distance) {
                ray.distance = t;
                ray.hit = this;
            }
        }
    }

    private final Sphere[] scene = new Sphere[216];
    private final Vec light = new Vec(-1, 2, -1.5).unit();
    private final int[][] image;
    private final AtomicInteger nextRow = new AtomicInteger();

    private RayTracer(int height) {
        image = new int[height][WIDTH];
        Rng rng = new Rng(3);
        for (int i = 0; i < scene.length; i++) {
            Vec c = new Vec(i % 6 * 2 - 5, i / 6 % 6 * 2 - 5, i / 36 * 2 + 4);
            scene[i] = new Sphere(c, 0.6 + 0.3 * rng.nextDouble(), 0.5, 64 + rng.nextInt(192));
        }
    }

    private double shade(Ray ray, int depth) {
        for (Sphere s : scene) {
            s.intersect(ray);
        }
        if (ray.hit == null) {
            return 16;
        }
        Vec point = ray.origin.plus(ray.direction, ray.distance);
        Vec normal = point.plus(ray.hit.centre, -1).unit();
        Ray shadow = new Ray(point, light);
        for (Sphere s : scene) {
            s.intersect(shadow);
        }
        double value = shadow.hit == null ? ray.hit.colour * Math.max(0.1, normal.dot(light)) : ray.hit.colour * 0.1;
        if (depth < MAX_DEPTH) {
            Vec mirrored = ray.direction.plus(normal, -2 * ray.direction.dot(normal));
            value += ray.hit.shine * shade(new Ray(point, mirrored.unit()), depth + 1);
        }
        return value;
    }

    final class Worker implements Runnable {
        @Override
        public void run() {
            for (int y = nextRow.getAndIncrement(); y < image.length; y = nextRow.getAndIncrement()) {
                long sum = traceRow(image[y], y);
                synchronized (this) {
                    checksum += sum;
                }
            }
        }

        private long traceRow(int[] row, int y) {
            long sum = 0;
            Vec eye = new Vec(0, 0, -4);
            for (int x = 0; x < WIDTH; x++) {
                Vec direction = new Vec((x - WIDTH / 2) * 1.2 / WIDTH, 0.6 - 1.2 * y / image.length, 1).unit();
                row[x] = (int) shade(new Ray(eye, direction), 0);
                sum += row[x];
            }
            return sum;
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 4000, 100);
        RayTracer tracer = new RayTracer(args.size);
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            workers[id] = tracer.new Worker();
        }
        Args.runAll(workers);
        long total = 0;
        for (int[] row : tracer.image) {
            for (int pixel : row) {
                total += pixel;
            }
        }
        if (checksum <= 0 || checksum > total) {
            throw new IllegalStateException("running sum " + checksum + " cannot come from " + total);
        }
        args.print("RayTracer", total);
    }
}
