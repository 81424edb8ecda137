#!/usr/bin/env bash
# Every class of every installed JDK that has a run-time image, and of three jars from Debian packages.
#
#   roundtrip_all.sh ROUNDTRIP STAGE
set -euo pipefail

roundtrip=${1:?usage: roundtrip_all.sh ROUNDTRIP STAGE}
stage=${2:?usage: roundtrip_all.sh ROUNDTRIP STAGE}
status=0

jdks=0
seen=:
for modules in /usr/lib/jvm/*/lib/modules "$(dirname "$(dirname "$(realpath "$(command -v java)")")")/lib/modules"; do
    [ -f "$modules" ] || continue
    home=$(dirname "$(dirname "$(realpath "$modules")")")
    case $seen in *":$home:"*) continue ;; esac
    seen=$seen$home:
    jdks=$((jdks + 1))
    echo "== $home"
    "$roundtrip" --jdk "$home" --stage "$stage" || status=1
done
[ "$jdks" -gt 0 ] || { echo "no JDK with a run-time image found"; exit 1; }

# The IR of an application needs the JDK's classes around it; they are in the numbers above, so only the
# application's are counted again.
for name in derby h2 lucene-core; do
    jar=$(find /usr/share/java -name "$name*.jar" ! -type l | sort | head -1)
    if [ -z "$jar" ]; then
        echo "FAILED $name: no such jar in /usr/share/java (apt install libderby-java libh2-java liblucene4.10-java)"
        status=1
        continue
    fi
    echo "== $jar"
    "$roundtrip" -cp "$jar" --app-only --stage "$stage" || status=1
done
exit "$status"
