#!/usr/bin/env bash
# Precision counters of `race analyze --stats`: those of the application, which do not depend on the JDK's release,
# against stats-expected.txt.  With UPDATE=1 the file is written instead; read the diff.
set -euo pipefail

race=${1:?usage: stats.sh RACE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for sample in bank cache crawler orders; do
    javac -g -nowarn --release 17 -d "$work/$sample" "$here/../../samples/$sample"/*.java
    main=$(cd "$work/$sample" && find . -name Main.class | sed 's#^\./##; s#\.class$##; s#/#.#g')
    "$race" analyze --stats --quiet --fail-on none -cp "$work/$sample" -m "$main" >/dev/null 2>"$work/stats"
    grep -q '^average points-to size  [0-9]' "$work/stats" || { echo "FAILED: $sample: no average" && exit 1; }
    sed -nE "s/^ *(reachable methods|virtual calls|with several targets|casts|that may fail) .*application ([0-9]+).*/$sample: \\1 \\2/p" \
        "$work/stats"
done >"$work/actual"
if [[ -n ${UPDATE:-} ]]; then cp "$work/actual" "$here/stats-expected.txt"; fi
diff -u "$here/stats-expected.txt" "$work/actual"
[[ $(wc -l <"$work/actual") == 20 ]] || { echo "FAILED: not all counters are there" && exit 1; }
echo "20 counters as expected"
