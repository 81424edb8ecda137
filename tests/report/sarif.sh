#!/usr/bin/env bash
# SARIF against its schema, by Microsoft's own validator (npm package @microsoft/sarif-multitool, which is fetched).
# usage: sarif.sh RACE MAKE
set -uo pipefail

race=$1 make=$2
command -v npm >/dev/null || { echo "skipped: npm is not installed" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
timeout 250 npm install --silent --no-audit --no-fund --prefix tool @microsoft/sarif-multitool@5.7.0 >npm.log 2>&1 ||
    { echo "skipped: npm cannot get the validator: $(tail -n 1 npm.log)" && exit 77; }
validator=$work/tool/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
[[ -e $validator ]] || { echo "skipped: the validator does not exist for this machine" && exit 77; }
chmod +x "$validator"
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
"$make" . 60 || exit 1
checks=0 bad=0

# findings FILE: what the validator holds against it, one rule to a line.
findings() {
    "$validator" validate "$1" --output result.sarif --log ForceOverwrite >log 2>&1
    grep -q '^Done. 1 files scanned' log || { cat log && return 1; }
    jq -r '.runs[0].results[] | (.level // "warning") + " " + .ruleId + " " + (.message.text // "")' result.sarif
}

# accepted FILE: there is no home page to name (SARIF2005), and all else is perfect.  The one remark must come: on some
# errors the validator stops without a word.
accepted() {
    findings "$1" >found && [[ $(cut -d ' ' -f 2 found) == SARIF2005 ]]
}

echo 'race:p1.C36.f36' >one.supp
"$race" report --plan app.plan run1.jsonl run2.jsonl --source src --suppress one.supp --format sarif -o all.sarif
"$race" report run1.jsonl --format sarif -o noplan.sarif
"$race" report run1.jsonl --suppress <(echo 'race:*') --format sarif -o hidden.sarif
cat >Main.java <<'JAVA'
public class Main {
    static int n;
    public static void main(String[] args) {
        new Thread(() -> n++).start();
        n++;
    }
}
JAVA
javac -d classes Main.java && "$race" analyze -cp classes -m Main --format sarif >static.sarif
for file in all noplan hidden static; do
    checks=$((checks + 1))
    accepted "$file.sarif" || { bad=$((bad + 1)) && echo "FAILED: $file.sarif" && head -n 10 found; }
done

# It can fail.
for damage in '.runs[0].results[0].level = "bad"' 'del(.runs[0].results[0].message)' '.runs[0].results[0].odd = 1' \
    '.runs[0].results[0].codeFlows[0].threadFlows[0].locations = []' '.version = "2.0.0"'; do
    checks=$((checks + 1))
    jq "$damage" all.sarif >damaged.sarif
    ! accepted damaged.sarif || { bad=$((bad + 1)) && echo "FAILED: accepted with $damage"; }
done
echo "$checks checks, $bad failed"
((bad == 0))
