// options: --open Sets.Plain --open Sets.Coarse --open Sets.HalfLocked
// Three sets of numbers as sorted lists: without locks, with one lock, and with a lock on the writers only.
public class Sets {
    static class Node {
        final int key;
        Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    public static class Plain {
        private final Node head = new Node(Integer.MIN_VALUE, null);

        public boolean add(int key) {
            Node p = head;
            while (p.next != null && p.next.key < key) p = p.next;
            if (p.next != null && p.next.key == key) return false;
            p.next = new Node(key, p.next);
            return true;
        }
    }

    static class CNode {
        final int key;
        CNode next;

        CNode(int key, CNode next) {
            this.key = key;
            this.next = next;
        }
    }

    public static class Coarse {
        private static final Object LOCK = new Object();
        private final CNode head = new CNode(Integer.MIN_VALUE, null);

        public boolean add(int key) {
            synchronized (LOCK) {
                CNode p = head;
                while (p.next != null && p.next.key < key) p = p.next;
                if (p.next != null && p.next.key == key) return false;
                p.next = new CNode(key, p.next);
                return true;
            }
        }
    }

    public static class HalfLocked {
        private int size;

        public synchronized void grow() {
            size++;
        }

        public int size() {
            return size;
        }
    }
}
