#!/usr/bin/env bash
# Runs the hostile cases with every JDK from 17 on that is installed beside the default one.
# usage: jdks.sh [options of run.sh] --agent LIB
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
homes=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")")
ran=0 bad=0
declare -A seen
for home in "$homes"/*; do
    real=$(readlink -f "$home")
    [[ -x $real/bin/javac && -z ${seen[$real]-} ]] || continue
    seen[$real]=1
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$real/release" 2>/dev/null)
    ((${version:-0} >= 17)) || continue
    echo "JDK $version"
    bash "$here/run.sh" --jdk "$real" "$@" || bad=$((bad + 1))
    ran=$((ran + 1))
done
echo "$ran JDKs, $bad with failures"
((ran > 0 && bad == 0))
