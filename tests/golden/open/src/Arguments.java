package shop;

import java.util.ArrayList;
import java.util.List;

/** What comes as an argument may be known to other threads, too. */
class Arguments {
    void writesListBad(List<String> list) {
        list.add("x");
    }

    int readsArrayListBad(ArrayList<String> list) {
        return list.size();
    }

    int readsMapOk(java.util.Map<String, String> map) {
        return map.size();
    }

    void behindConstructorOfArgumentBad(Counter c) {
        c.count();
    }

    void finishedEnumOk(Size s) {
        s.ordinal();
    }

    void ownBuilderOk(StringBuilder other) {
        StringBuilder own = new StringBuilder();
        own.append(1);
        other.length();
    }

    int ownListOk() {
        List<String> own = new ArrayList<>();
        own.add("x");
        return own.size();
    }
}

enum Size {
    SMALL, LARGE
}

class Counter {
    private final int[] cells = new int[1];

    void count() {
        cells[0]++;
    }
}
