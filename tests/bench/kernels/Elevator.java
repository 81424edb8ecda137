// norace
package bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Elevator simulation: each lift is a thread that moves floor by floor, claims waiting people through a shared
 * control panel with synchronized methods, and carries them in a list of its own. Hot: monitors, small collections,
 * and the lift's private state. The people are shared objects handed over through the panel.
 */
public final class Elevator {
    private static final int FLOORS = 20;
    private static final int CAPACITY = 8;
    private static final int LOBBY = 1000;

    static final class Person {
        final int from;
        final int to;
        /** Floors passed; written by the lift that carries the person, the only one to know them by then. */
        int ride;

        Person(int from, int to) {
            this.from = from;
            this.to = to;
        }
    }

    /** Who waits where; all state is guarded by the panel's monitor. */
    static final class Controls {
        private final List<Deque<Person>> up = new ArrayList<>();
        private final List<Deque<Person>> down = new ArrayList<>();
        private int waiting;
        private boolean closed;

        Controls() {
            for (int f = 0; f < FLOORS; f++) {
                up.add(new ArrayDeque<>());
                down.add(new ArrayDeque<>());
            }
        }

        /** Blocks while the building is crowded. */
        synchronized void call(Person p) throws InterruptedException {
            while (waiting >= LOBBY) {
                wait();
            }
            (p.to > p.from ? up : down).get(p.from).addLast(p);
            waiting++;
        }

        /** The next person on this floor who goes that way, or null. */
        synchronized Person claim(int floor, boolean goingUp) {
            Person p = (goingUp ? up : down).get(floor).pollFirst();
            if (p != null && --waiting == LOBBY / 2) {
                notifyAll();
            }
            return p;
        }

        /** No more calls will come. */
        synchronized void close() {
            closed = true;
        }

        synchronized boolean finished() {
            return closed && waiting == 0;
        }
    }

    static final class Lift implements Runnable {
        private final Controls controls;
        private final List<Person> inside = new ArrayList<>();
        private int floor;
        private boolean goingUp = true;
        private double height;
        private double speed;
        private int delivered;
        private long rides;

        Lift(Controls controls) {
            this.controls = controls;
        }

        @Override
        public void run() {
            while (!inside.isEmpty() || !controls.finished()) {
                unload();
                turnAtEnds();
                load();
                move();
            }
        }

        private void unload() {
            for (Iterator<Person> it = inside.iterator(); it.hasNext(); ) {
                Person p = it.next();
                if (p.to == floor) {
                    rides += p.ride;
                    delivered++;
                    it.remove();
                }
            }
        }

        private void load() {
            while (inside.size() < CAPACITY) {
                Person p = controls.claim(floor, goingUp);
                if (p == null) {
                    return;
                }
                inside.add(p);
            }
        }

        private void turnAtEnds() {
            if (goingUp ? floor == FLOORS - 1 : floor == 0) {
                goingUp = !goingUp;
            }
        }

        /** Drives to the next floor in small time steps, speeding up and braking by the distance left. */
        private void move() {
            for (Person p : inside) {
                p.ride++;
            }
            int target = goingUp ? floor + 1 : floor - 1;
            speed = 0;
            for (int tick = 0; tick < 200; tick++) {
                double left = target - height;
                double wanted = 2 * left;
                speed += 0.1 * (wanted - speed);
                height += 0.05 * speed;
            }
            floor = target;
            height = target;
        }
    }

    private Elevator() {}

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 3_300_000, 150_000);
        Controls controls = new Controls();
        Lift[] lifts = new Lift[args.threads];
        for (int id = 0; id < args.threads; id++) {
            lifts[id] = new Lift(controls);
        }
        Thread arrivals = new Thread(() -> arrive(controls, args.size), "arrivals");
        arrivals.start();
        Args.runAll(lifts);
        arrivals.join();
        long delivered = 0;
        long rides = 0;
        for (Lift lift : lifts) {
            delivered += lift.delivered;
            rides += lift.rides;
        }
        if (delivered != args.size) {
            throw new IllegalStateException("delivered " + delivered + " of " + args.size);
        }
        args.print("Elevator", rides);
    }

    private static void arrive(Controls controls, int people) {
        Rng rng = new Rng(5);
        try {
            for (int i = 0; i < people; i++) {
                int from = rng.nextInt(FLOORS);
                int to = (from + 1 + rng.nextInt(FLOORS - 1)) % FLOORS;
                controls.call(new Person(from, to));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            controls.close();
        }
    }
}
