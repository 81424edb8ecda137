// The list of the certified analysis: threads share a list and update the value of a cell under the cell's lock.
// Every pair is removed, each by its own stage; the program has no race.
public class ListCells {
    public static void main(String[] args) {
        Link list = null;
        while (args.length > 1) {
            Link link = new Link();
            link.val = new Walker();
            link.val.f = new Object();
            link.next = list;
            list = link;
            if (link.hashCode() == 0) break;
        }
        while (args.length > 2) {
            Walker t = new Walker();
            t.data = list;
            t.start();
            t.f = null;
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
            Link m = this.data;
            while (hashCode() > 2) m = m.next;
            synchronized (m) {
                m.val.f = new Object();
            }
        }
    }
}
