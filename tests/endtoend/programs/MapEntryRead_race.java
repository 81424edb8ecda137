// race: container java.util.HashMap.Node
// A thread reads the value of an entry, mostly before any thread has set one; another thread sets it.
import java.util.HashMap;
import java.util.Map;

public class MapEntryRead_race {
    static volatile boolean reads;

    public static void main(String[] args) throws Exception {
        Map<String, Integer> map = new HashMap<>();
        map.put("k", 1);
        Map.Entry<String, Integer> entry = map.entrySet().iterator().next();
        Thread reader = new Thread(() -> {
            reads = true;
            if (entry.getValue() > 2) System.out.println("value");
        });
        reader.start();
        while (!reads) Thread.yield();
        Thread.sleep(50);
        entry.setValue(2);
        reader.join();
        System.out.println("ok");
    }
}
