#!/usr/bin/env bash
# Type discovery end to end: a run in mode discover logs how fields were protected, and the analysis tries that first.
# usage: discover.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

cat >Jobs.java <<'JAVA'
public class Jobs {
    static class Counter {
        final Object lock = new Object();
        int own, self, locked;
        int start;

        Counter(int start) {
            this.start = start;
        }

        void work() {
            synchronized (lock) {
                locked += start;
            }
            synchronized (this) {
                self += start;
            }
        }
    }

    static int global;

    static synchronized void count() {
        global++;
    }

    public static void main(String[] args) throws Exception {
        Counter c = new Counter(args.length);
        c.own = 1;
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> {
                c.work();
                count();
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }
}
JAVA
javac -g Jobs.java || exit 1

"$race" run --mode discover -o log.jsonl -- java -cp . Jobs x >out 2>err || { echo "the run failed: $(cat err)"; bad=1; }
[[ $(cat out) == ok ]] || { echo "the program said: $(cat out)"; bad=1; }
for want in 'own thisThread' 'start readonly' 'self self' 'locked this.lock' 'global Jobs.class'; do
    read -r field owner <<<"$want"
    got=$(jq -r --arg f "$field" 'select(.type == "owner" and .field == $f) | .owner' log.jsonl)
    [[ $got == "$owner" ]] || { echo "$field: discovered '$got', not $owner"; bad=1; }
done

"$race" dump types -cp . -m Jobs --discovered log.jsonl >types || { echo "dump types failed"; bad=1; }
grep -q ' this.lock, discovered$' types || { echo "the log's owner of locked was not taken:"; cat types; bad=1; }
# With and without the log the same pairs are left: a guess proves nothing by itself.
"$race" analyze -cp . -m Jobs --quiet >without
"$race" analyze -cp . -m Jobs --discovered log.jsonl --quiet >with
diff without with || bad=1
exit $bad
