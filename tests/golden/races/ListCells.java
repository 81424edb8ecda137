// The list of the certified analysis: threads share a list and update the value of a cell under the cell's lock.
// Every pair is removed, each by its own stage; the program has no race.
public class ListCells {
    public static void main(String[] args) {
        Link list = null;
        while (args.length > 1) {
            Link link = new Link();
            link.val = new Walker(); // e1
            link.val.f = new Object(); // e2
            link.next = list; // e3
            list = link;
            if (link.hashCode() == 0) break;
        }
        while (args.length > 2) {
            Walker t = new Walker();
            t.data = list; // e4
            t.start();
            t.f = null; // e5
        }
    }
}

class Link {
    Walker val;
    Link next;
}

class Walker extends Thread {
    Object f;
    Link data;

    @Override
    public void run() {
        while (hashCode() > 1) {
            Link m = this.data; // e6
            while (hashCode() > 2) m = m.next; // e7
            synchronized (m) {
                m.val.f = new Object(); // e8
            }
        }
    }
}
