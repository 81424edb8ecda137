#!/usr/bin/env bash
# `race dump`: which class and which method a name means, and the totals of a class path.
# usage: dump.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 bad=0

cat >Outer.java <<'JAVA'
package p;
public class Outer implements Runnable {
    static class Inner { int f; void m(int x) { f = x; } void m(long x) { f = 2; } native void n(); }
    public void run() { }
}
JAVA
javac -d classes Outer.java || exit 1

# expect REGEX COUNT WORDS...: exit code 0, and so many lines on stdout match.
expect() {
    local regex=$1 count=$2
    shift 2
    checks=$((checks + 1))
    "$race" dump "$@" >out 2>err </dev/null
    local code=$? got
    got=$(grep -cE -- "$regex" out)
    if ((code == 0 && got == count)) && [[ ! -s err ]]; then return; fi
    bad=$((bad + 1))
    echo "FAILED: race dump $*: exit code $code, $got lines match $regex, expected $count"
    cat err out | head -n 20
}

for name in p.Outer.Inner 'p.Outer$Inner' 'p/Outer$Inner'; do
    expect '^class p/Outer\$Inner extends java/lang/Object' 1 classes -cp classes "$name"
    expect '^  method ' 4 classes -cp classes "$name"
done
expect '^class p/Outer\$Inner ' 1 classes 'classes/p/Outer$Inner.class'
expect 'class java/lang/Thread ' 1 classes java.lang.Thread
expect '^classes +2 \(0 interfaces\)' 1 classes -cp classes
expect '^methods +6 \(5 with code' 1 classes -cp classes
expect '^missing +0$' 1 classes -cp classes

expect '^method ' 2 ir -cp classes p.Outer.Inner.m
expect '^method p/Outer\$Inner\.m\(J\)V$' 1 ir -cp classes 'p.Outer.Inner.m(J)V'
expect 'putfield p/Outer\$Inner\.f:I' 2 ir -cp classes
expect '^  B0 ' 1 cfg -cp classes 'p.Outer.Inner.m(I)V'

# Without one of its classes the path still works, and says what is missing.
mkdir cut && cp classes/p/Outer.class cut && echo 'class Sub extends p.Outer { }' >Sub.java
javac -cp classes -d sub Sub.java || exit 1
expect '^missing +1$' 1 classes -cp sub
expect '^  p/Outer$' 1 classes -cp sub

echo "$checks checks, $bad failed"
((bad == 0))
