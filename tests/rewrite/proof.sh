#!/usr/bin/env bash
# The rewriting proof: instruments every instruction of every method of many classes and has HotSpot verify the
# result with -Xverify:all.  Zero errors are allowed.
#
#   proof.sh EDIT_ALL EDGE quick|full
#
# quick  methods at the edges of branch and method size, and every fifth class of java.base
# full   all classes of three jars and of java.base of every installed JDK, and also with inserted code that
#        branches, which needs stack map frames of its own
set -euo pipefail

edit_all=$(realpath "${1:?usage: proof.sh EDIT_ALL EDGE quick|full}")
edge=$(realpath "${2:?}")
extent=${3:?}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

check_java() { # quietly: the warning that -Xverify is deprecated is of no interest
    "$jdk/bin/java" -Xverify:all -XX:-PrintWarnings --patch-module java.base="$work/counter" "$@"
}

edit_tree() { # MODE FROM TO: edits all classes below FROM; prints the summary, details go to TO.log
    (cd "$2" && find . -name '*.class' ! -name module-info.class ! -name package-info.class ! -path './META-INF/*') |
        while read -r f; do
            mkdir -p "$3/$(dirname "$f")"
            echo "$2/$f $3/$f"
        done >"$3.list"
    "$edit_all" "$1" <"$3.list" >"$3.summary" 2>"$3.log" || { head -20 "$3.log"; cat "$3.summary"; exit 1; }
    cat "$3.summary"
}

prepare() {
    rm -rf counter link && mkdir -p counter link
    "$jdk/bin/javac" -d counter --patch-module java.base="$here/counter" "$here"/counter/java/lang/*.java
    "$jdk/bin/javac" -d link "$here/Link.java" "$here/RunEdge.java"
}

# A class that must be refused: without this, "zero errors" would prove nothing.
control() {
    rm -rf broken edge && mkdir -p broken edge
    "$edge" edge broken
    local said
    said=$(check_java -cp link:broken Link app broken || true)
    grep -q 'BAD Broken: java.lang.VerifyError' <<<"$said" || { echo "the verifier is not at work: $said"; exit 1; }
}

prove_edges() { # the counts follow from the sizes in edge.c
    local mode left
    for mode in nop:2 count:6; do
        left=${mode#*:} mode=${mode%:*}
        rm -rf "edge-$mode"
        edit_tree "$mode" edge "edge-$mode"
        [ "$(grep -c 'left: ' "edge-$mode.log")" -eq "$left" ] ||
            { echo "expected $left methods too large for $mode"; cat "edge-$mode.log"; exit 1; }
        check_java -cp "link:edge-$mode" Link app "edge-$mode"
        check_java -cp "link:edge-$mode" RunEdge
    done
}

prove_jar() { # JAR
    local name mode
    name=$(basename "$1" .jar)
    mkdir -p "$name"
    (cd "$name" && "$jdk/bin/jar" xf "$1")
    for mode in $modes; do
        echo "== $name, $mode"
        edit_tree "$mode" "$name" "$name-$mode"
        check_java -cp "link:$name-$mode:$1" Link app "$name-$mode"
        rm -rf "$name-$mode"
    done
    rm -rf "$name"
}

# The JVM itself boots from the instrumented java.base, then links all of it.
prove_java_base() { # KEEP-EVERY
    local mode
    rm -rf image && "$jdk/bin/jimage" extract --dir image --include 'regex:/java.base/.*\.class' "$jdk/lib/modules"
    if [ "$1" -gt 1 ]; then
        find image -name '*.class' | sort | awk -v n="$1" 'NR % n != 0' | xargs rm -f
    fi
    for mode in $modes; do
        echo "== java.base of $(basename "$jdk"), $mode"
        rm -rf base && mkdir base
        edit_tree "$mode" "$work/image/java.base" "$work/base"
        cp -r counter/. base/
        "$jdk/bin/java" -Xverify:all -XX:-PrintWarnings --patch-module java.base="$work/base" -cp link Link boot base
    done
}

find_jar() { # NAME PACKAGE
    local jar
    jar=$(find /usr/share/java -name "$1*.jar" ! -type l 2>/dev/null | sort | head -1)
    [ -n "$jar" ] || { echo "no $1*.jar in /usr/share/java (apt install $2)" >&2; exit 1; }
    echo "$jar"
}

modes="nop count"
[ "$extent" = quick ] || modes="nop count branch"

jdk=$(dirname "$(dirname "$(realpath "$(command -v javac)")")")
prepare
control
prove_edges
if [ "$extent" = quick ]; then
    prove_java_base 5
    exit 0
fi
prove_jar "$(find_jar derby libderby-java)"
prove_jar "$(find_jar h2 libh2-java)"
prove_jar "$(find_jar lucene-core liblucene4.10-java)"
for image in /usr/lib/jvm/*/lib/modules; do
    jdk=$(dirname "$(dirname "$(realpath "$image")")")
    [ -x "$jdk/bin/javac" ] || continue
    case ${seen:=:} in *":$jdk:"*) continue ;; esac
    seen=$seen$jdk:
    prepare
    control
    prove_java_base 1
done
