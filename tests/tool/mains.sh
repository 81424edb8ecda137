#!/usr/bin/env bash
# Main methods as the JVM's launcher finds them: inherited, and from Java 21 on of an object or without arguments.
# usage: mains.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

fail() {
    echo "FAILED: $*" && head -n 5 err && bad=1
}

# races JDK CLASS FIELDS: what the analysis of the program warns of.
races() {
    "$race" analyze --quiet --jdk "$1" -cp classes -m "$2" --format json >out 2>err || fail "race analyze -m $2: exit code $?"
    local got
    got=$(jq -r '[.races[].field] | unique | join(" ")' out)
    [[ $got == "$3" ]] || fail "races of $2 on: $got, expected $3"
}

# none JDK CLASS: this JDK would not start it.
none() {
    "$race" analyze --quiet --jdk "$1" -cp classes -m "$2" >out 2>err && fail "a main method was found in $2"
    [[ $(<err) == "race: $2: has no method main(String[])" ]] || fail "not that one line for $2"
}

mkdir src
cat >src/Base.java <<'JAVA'
public class Base {
    static int inherited, initialised, object, bare;

    public static void main(String[] args) {
        both(() -> inherited++);
    }

    static void both(Runnable work) {
        new Thread(work).start();
        new Thread(work).start();
    }
}

/** The launcher initialises the class that it is given, not only the one that has the method. */
class Derived extends Base {
    static {
        both(() -> initialised++);
    }
}

/** Belongs to an object; is preferred to the one without arguments. */
class OfObject {
    int made;

    OfObject() {
        Base.both(() -> made++);
    }

    void main(String[] args) {
        Base.both(() -> Base.object++);
        Base.object++;
    }

    void main() {
        Base.both(() -> Base.inherited++);
    }
}

class Bare {
    static void main() {
        Base.both(() -> Base.bare++);
    }
}

class BelowBare extends Bare {}
JAVA
javac -d classes src/Base.java || exit 1
own=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
races "$own" Base Base.inherited
races "$own" Derived 'Base.inherited Base.initialised'
for jdk in "$own" "$(dirname "$own")"/*; do
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release" 2>/dev/null)
    [[ -n $version && -e $jdk/lib/modules ]] || continue
    if ((version >= 21)); then
        races "$jdk" OfObject 'Base.object OfObject.made'
        races "$jdk" Bare Base.bare
        races "$jdk" BelowBare Base.bare
    else
        none "$jdk" OfObject
        none "$jdk" BelowBare
    fi
    [[ ${seen:-} == *"$version"* ]] || seen="${seen:-} $version"
done
((bad == 0)) && echo "all as expected, with JDK$seen"
exit "$bad"
