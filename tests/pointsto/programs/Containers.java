import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Containers of the JDK: what went into one must not come out of another. */
public class Containers {
    static class A {
        void use() {
            Mark.ran();
        }
    }

    static class B extends A {
        @Override
        void use() {
            deadB();
        }

        void deadB() {
            Mark.ran();
        }
    }

    public static void main(String[] args) {
        Map<String, A> goodMap = new HashMap<>(), badMap = new HashMap<>();
        goodMap.put("a", new A());
        badMap.put("b", new B());
        goodMap.get("a").use();
        for (Map.Entry<String, A> e : goodMap.entrySet()) e.getValue().use();
        Set<A> goodSet = new HashSet<>(), badSet = new HashSet<>();
        goodSet.add(new A());
        badSet.add(new B());
        for (A a : goodSet) a.use();
        List<A> goodList = new ArrayList<>(), badList = new ArrayList<>();
        goodList.add(new A());
        badList.add(new B());
        goodList.get(0).use();
        for (Iterator<A> it = goodList.iterator(); it.hasNext();) it.next().use();
        List<A> goodLinked = new LinkedList<>(), badLinked = new LinkedList<>();
        goodLinked.add(new A());
        badLinked.add(new B());
        for (A a : goodLinked) a.use();
        TreeMap<String, A> goodTree = new TreeMap<>(), badTree = new TreeMap<>();
        goodTree.put("a", new A());
        badTree.put("b", new B());
        for (A a : goodTree.values()) a.use();
        ArrayDeque<A> goodDeque = new ArrayDeque<>(), badDeque = new ArrayDeque<>();
        goodDeque.add(new A());
        badDeque.add(new B());
        goodDeque.poll().use();
        Map<String, A> goodSync = Collections.synchronizedMap(new LinkedHashMap<>());
        Map<String, A> badSync = new LinkedHashMap<>();
        goodSync.put("a", new A());
        badSync.put("b", new B());
        goodSync.get("a").use();
        goodList.stream().filter(x -> x != null).forEach(a -> a.use());
        System.out.println(badList.size() + badSet.size() + badMap.size());
    }
}
