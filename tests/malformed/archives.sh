#!/usr/bin/env bash
# Archives that are broken or lie, and classes that cannot be: each gives one clear line and exit code 65.
# usage: archives.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 bad=0

# expect LINE WORDS...: `race WORDS` prints exactly this on stderr, nothing on stdout, and exits with 65.
expect() {
    local line=$1 code
    shift
    checks=$((checks + 1))
    "$race" "$@" >out 2>err </dev/null
    code=$?
    if ((code == 65)) && [[ ! -s out && $(cat err) == "$line" ]]; then return; fi
    bad=$((bad + 1))
    printf 'FAILED: race %s\n  exit code %d, expected 65\n  expected: %s\n' "$*" "$code" "$line"
    sed 's/^/  stderr: /' err
    sed 's/^/  stdout: /' out | head -n 5
}

# offsets STRING FILE: where a byte string occurs.
offsets() {
    LC_ALL=C grep -aboF -- "$1" "$2" | cut -d : -f 1
}

# poke FILE OFFSET BYTES: overwrites bytes, written as for printf.
poke() {
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

echo 'public class Hello { public static void main(String[] a) { System.out.println("hello, marker"); } }' >Hello.java
javac -d classes Hello.java || exit 1
jar --create --no-compress --file good.jar -C classes Hello.class || exit 1
"$race" dump classes -cp good.jar >out 2>err || { echo "the intact jar is not readable" && cat err && exit 1; }

# A stored entry with one byte changed no longer fits its checksum.
cp good.jar corrupt.jar
poke corrupt.jar "$(offsets 'hello, marker' corrupt.jar | head -n 1)" 'J'
expect 'race: corrupt.jar!/Hello.class: corrupt entry: CRC error' dump classes -cp corrupt.jar

# A compressed entry whose data is not deflate at all.
jar --create --file noise.jar -C classes Hello.class
for i in 0 1 2 3 4 5 6 7; do
    poke noise.jar $(($(offsets Hello.class noise.jar | head -n 1) + 11 + i)) '\377'
done
expect 'race: noise.jar!/Hello.class: corrupt entry: Zlib error: data error' dump classes -cp noise.jar

# Declared to be 4 GB, in the entry's own header (size at 22) and in the directory (at 24).
cp good.jar bomb.jar
header=$(offsets Hello.class bomb.jar | head -n 1) directory=$(offsets Hello.class bomb.jar | tail -n 1)
poke bomb.jar $((header - 30 + 22)) '\376\377\377\377'
poke bomb.jar $((directory - 46 + 24)) '\376\377\377\377'
expect 'race: bomb.jar!/Hello.class: declared size of 4294967294 bytes is more than the 64 MB allowed for a class' \
    dump classes -cp bomb.jar

# A nested jar that is declared to be 4 GB.
mkdir -p boot/BOOT-INF/lib
cp good.jar boot/BOOT-INF/lib/inner.jar
jar --create --no-compress --file nested.jar -C boot BOOT-INF
name=BOOT-INF/lib/inner.jar
header=$(offsets $name nested.jar | head -n 1) directory=$(offsets $name nested.jar | tail -n 1)
poke nested.jar $((header - 30 + 22)) '\376\377\377\377'
poke nested.jar $((directory - 46 + 24)) '\376\377\377\377'
expect "race: nested.jar!/$name: declared size of 4294967294 bytes is more than the 512 MB allowed for a nested jar" \
    dump classes -cp nested.jar

echo 'this is no archive' >boot/BOOT-INF/lib/inner.jar
jar --create --file outer.jar -C boot BOOT-INF
expect 'race: outer.jar!/BOOT-INF/lib/inner.jar: not a zip archive' dump classes -cp outer.jar

head -c 200 good.jar >cut.jar
expect 'race: cut.jar: not a zip archive' dump classes -cp cut.jar
expect 'race: gone.jar: no such file or directory' dump classes -cp gone.jar
expect 'race: nowhere: not the home of a JDK 9 or later: there is no lib/modules in it' \
    dump classes -cp good.jar --jdk nowhere
expect 'race: no.such.Type: no such class on the class path or in the JDK' dump classes -cp good.jar no.such.Type

# Two classes, each the superclass of the other: compiled one at a time against another version of the other.
mkdir -p cycle/src1 cycle/src2 cycle/one cycle/two cycle/both
echo 'class A {} class B extends A {}' >cycle/src1/X.java
echo 'class B {} class A extends B {}' >cycle/src2/X.java
javac -d cycle/one cycle/src1/X.java && javac -d cycle/two cycle/src2/X.java || exit 1
cp cycle/one/B.class cycle/two/A.class cycle/both
expect 'race: cycle/both/B.class: class A is its own superclass or superinterface, through B' dump classes -cp cycle/both

echo "$checks checks, $bad failed"
((bad == 0))
