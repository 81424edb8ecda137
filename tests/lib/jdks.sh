#!/usr/bin/env bash
# Runs a test script with every JDK from 17 on that is installed beside the default one.
# usage: jdks.sh SCRIPT [its arguments]; the script takes --jdk HOME
set -uo pipefail

script=$1
shift
homes=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")")
versions='' bad=0
declare -A seen
for home in "$homes"/*; do
    real=$(readlink -f "$home")
    [[ -x $real/bin/javac && -z ${seen[$real]-} ]] || continue
    seen[$real]=1
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$real/release" 2>/dev/null)
    ((${version:-0} >= 17)) || continue
    echo "JDK $version"
    bash "$script" --jdk "$real" "$@" || bad=$((bad + 1))
    versions+=" $version"
done
for wanted in 17 25; do
    [[ " $versions " == *" $wanted "* ]] || echo "skipped: no JDK $wanted beside the default one"
done
echo "JDKs:${versions:- none}; $bad with failures"
[[ -n $versions ]] && ((bad == 0))
