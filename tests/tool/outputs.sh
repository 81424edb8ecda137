#!/usr/bin/env bash
# Where output cannot go, or goes to something that is no file; what is missing on the class path.
# usage: outputs.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TMPDIR=$work/tmp
mkdir tmp
bad=0

fail() {
    echo "FAILED: $*" && head -n 5 err && bad=1
}

# analyze CODE WORDS...: exit code, and nothing left in the folder of temporary files.
analyze() {
    local code=$1 got
    shift
    "$race" analyze --quiet "$@" >out 2>err </dev/null
    got=$?
    ((got == code)) || fail "race analyze $*: exit code $got, expected $code"
    [[ -z $(ls -A tmp) ]] || fail "race analyze $*: left $(ls tmp)"
}

# error REGEX: that one line is all that was said.
error() {
    [[ ! -s out && $(wc -l <err) == 1 ]] && grep -qE "^race: $1" err || fail "not one line that matches $1"
}

mkdir src
cat >src/Racy.java <<'JAVA'
public class Racy {
    public static void main(String[] args) {
        Part part = new Part();
        new Thread(part).start();
        new Thread(part).start();
    }
}
JAVA
cat >src/Part.java <<'JAVA'
public class Part implements Runnable {
    int count;
    public void run() { count++; }
}
JAVA
javac -d classes src/*.java || exit 1

# A plan that cannot be written is no bad input.
analyze 1 -cp classes -m Racy -o nowhere/x.plan
error 'nowhere/x\.plan: cannot write the plan: No such file'
analyze 1 -cp classes -m Racy -o tmp
error 'tmp: cannot write the plan: Is a directory'
TMPDIR=$work/nowhere analyze 1 -cp classes -m Racy
error 'cannot make a temporary file; set TMPDIR'
analyze 64 -cp classes -m Racy -o -
error 'analyze: the plan needs a file of its own'

# What is no regular file is written to and stays what it is; as root, a rename would replace even a device.
mkfifo pipe
timeout 60 cat pipe >piped &
analyze 0 -cp classes -m Racy -o pipe
wait
[[ -p pipe && $(head -n 1 piped) == race-plan* && $(tail -n 1 piped) == end* ]] || fail "no plan came through the pipe"

# A file that may not grow: one line, and no part of it is left.
(ulimit -f 1 && exec "$race" analyze --quiet -cp classes -m Racy --format html >out.html 2>err) && fail "a cut file is no error"
[[ $(wc -l <err) == 1 ]] || fail "not one line for the file that may not grow"
"$race" analyze --quiet -cp classes -m Racy -o app.plan >out 2>err
head -c 4000 /dev/zero | tr '\0' x >old.plan
(ulimit -f 0 && exec "$race" analyze --quiet -cp classes -m Racy -o old.plan >/dev/null 2>/dev/null) && fail "a cut plan is no error"
[[ $(stat -c %s old.plan) == 4000 && $(ls old.plan*) == old.plan ]] || fail "the old plan is damaged, or a part of the new one is left"
if [[ -c /dev/full ]]; then
    "$race" analyze --quiet -cp classes -m Racy >/dev/full 2>err && fail "a full disk is no error"
    [[ $(wc -l <err) == 1 ]] || fail "not one line for the full disk"
fi

# A class that is not there is named, in every form of the report and for as long as the plan lives.
mkdir half && cp classes/Racy.class half
note='1 class that the program uses is not on the class path, so nothing is known of it: Part'
analyze 0 -cp half -m Racy -o half.plan
grep -q "note: $note\$" out || fail "a missing class is not told"
analyze 0 -cp half -m Racy --format json
jq -e --arg note "$note" '.notes == [$note]' out >/dev/null || fail "a missing class is not told in JSON"
analyze 0 -cp classes -m Racy --format json
jq -e '.notes == [] and (.races | length > 0)' out >/dev/null || fail "a class is missing that is there"
analyze 65 -cp half:lib/forgotten.jar -m Other
error 'Other: no such class on the class path or in the JDK: there is no lib/forgotten\.jar to look in$'

((bad == 0)) && echo "all as expected"
exit "$bad"
