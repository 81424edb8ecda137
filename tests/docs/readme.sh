#!/usr/bin/env bash
# Runs every command that README.md and race(1) show, in a folder with what they speak of: samples/ and app.jar.
# A command is a line "$ ..." of a console block; it may exit with 0 or 66.  Of the output shown, the lines that
# do not depend on the run must come: headings of confirmed races, exit codes, names of idioms.
# usage: readme.sh SOURCE_DIR RACE LIBRACE AGENT_MANUAL
set -uo pipefail

source=$1 race=$2 library=$3 agent_manual=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
readme=$source/README.md
commands=0 bad=0
PATH=$(dirname "$race"):$PATH

fail() {
    bad=$((bad + 1))
    echo "FAILED: $1"
}

# block LANGUAGE: the text of all such blocks.
block() {
    awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' "$readme"
}

ln -s "$source/samples" samples
mkdir app
cat >app/Main.java <<'JAVA'
package app;
public class Main {
    static int hits;
    static void count() { for (int i = 0; i < 1000; i++) hits++; }
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Main::count), b = new Thread(Main::count);
        a.start(); b.start(); a.join(); b.join();
    }
}
JAVA
javac -d app.classes app/Main.java && jar --create --file app.jar -C app.classes . || exit 1
mkdir tests && cat >tests/MainTest.java <<'JAVA'
public class MainTest {
    @org.junit.Test
    public void counts() throws Exception { app.Main.main(new String[0]); }
}
JAVA
javac -cp app.jar:/usr/share/java/junit4.jar -d test.classes tests/MainTest.java &&
    jar --create --file tests.jar -C test.classes . || exit 1
block 'text race.supp' >race.supp
[[ -s race.supp ]] || fail "README.md has no race.supp"

# expected LINE: a line that README.md shows below the last command; must have come if it is the same in all runs.
expected() {
    local want
    case $1 in
        'DATA RACE R'*) want=${1#* *R[0-9]*: } ;;
        'exit code '* | clojure-* | hash-cache* | kotlin-*) want=$1 ;;
        *) return ;;
    esac
    grep -qF -e "$want" out || fail "\`$command\` does not print: $1"
}

# run_command: the last one read; a race is no failure here.
run_command() {
    local code
    commands=$((commands + 1))
    bash -c "${command//\/usr\/local\/lib\/librace.so/$library}" >out 2>err </dev/null
    code=$?
    ((code == 0 || code == 66)) && return
    fail "\`$command\` exits with $code"
    tail -n 5 err
}

while IFS= read -r line; do
    if [[ $line == '$ '* ]]; then
        command=${line#\$ }
        run_command
    else
        expected "$line"
    fi
done < <(block console)
for file in race.html race.xml race.sarif race.json app.plan lib.plan tests.plan; do
    [[ -s $file ]] || fail "no command of README.md has written $file"
done
compgen -G 'tests-*.jsonl' >/dev/null || fail "the agent given to java directly has left no result"
((commands >= 18)) || fail "only $commands commands found in README.md"

# The examples of the manual page.
while IFS= read -r command; do run_command; done < <("$race" help --man | sed -n 's/^\.B \(race .* .*\)/\1/p' | sed 's/\\//g')
((commands >= 22)) || fail "race(1) shows too few examples"

# The two commands to start with are programs of the tree.
for program in $(block sh | sed 's/ .*//'); do [[ -x $source/$program ]] || fail "there is no $program"; done
# The generated table.
diff <(sed -n '/^<!-- agent options/,/^<!-- end/p' "$readme" | grep '^|') <("$agent_manual" --markdown) ||
    fail "the agent's options in README.md differ from the table in agent/options.h (race_agent_manual --markdown)"
# XML that Maven can read.
{ echo '<x>' && block xml && echo '</x>'; } | xmllint --noout - || fail "the Maven snippet is not XML"

echo "$commands commands, $bad failed"
((bad == 0))
