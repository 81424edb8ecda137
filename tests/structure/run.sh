#!/usr/bin/env bash
# The rules of the house that grep can see: which layer may include what, file sizes, nothing left to do.
# usage: run.sh SOURCE_DIR
set -uo pipefail

cd "$1" || exit 1
bad=0

# forbid WHERE REGEX REASON: no #include in these folders matches.
forbid() {
    local found
    found=$(grep -rnE --include='*.[ch]' "#include [<\"]($2)[>\"]" $1 2>/dev/null)
    [[ -z $found ]] && return
    echo "$3:"
    sed 's/^/  /' <<<"$found"
    bad=1
}

analysis='race/(program|ir|pointsto|races|types|report|classpath|class_source)[a-z_]*\.h'
forbid static '(\.\./)*(agent|runtime)/.*|race/checker\.h|jni\.h|jvmti\.h' 'static/ knows neither the agent nor the runtime'
forbid runtime "(\.\./)*(agent|static)/.*|$analysis|race/class.*|race/plan.*|jni\.h|jvmti\.h" \
    'runtime/ knows neither the analysis nor the JVM'
forbid agent "$analysis" 'agent/ uses the class-file library, the plan reader and the runtime only'
forbid static/classfile "$analysis|race/plan.*" 'static/classfile knows nothing of the others'
forbid 'static/base include' '(\.\./)*(agent|runtime|static)/.*|jni\.h|jvmti\.h' 'include/ and static/base know nothing of the others'

# A bracket in each word keeps this file from finding itself.
found=$(grep -rnwE 'TO[D]O|FIX[M]E|HA[C]K' include static agent runtime tests samples README.md)
[[ -z $found ]] || { echo "left to do:" && sed 's/^/  /' <<<"$found" && bad=1; }

# The top level is fixed; what a run leaves there is not part of it.
found=$(git ls-files 2>/dev/null | sed 's|/.*||' | sort -u |
    grep -vxE '\.ci|\.clang-format|\.gitignore|CMakeLists\.txt|CMakePresets\.json|LICENSE|README\.md|agent|include|runtime|samples|static|tests')
[[ -z $found ]] || { echo "does not belong at the top level:" && sed 's/^/  /' <<<"$found" && bad=1; }

files=0
while read -r lines file; do
    [[ $file == total ]] && continue
    files=$((files + 1))
    ((lines <= 800)) || { echo "$file has $lines lines; split it" && bad=1; }
done < <(find include static agent runtime tests -name '*.[ch]' -not -path '*/build*' -exec wc -l {} +)
echo "$files files"
((files > 0 && bad == 0))
