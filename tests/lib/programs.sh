# Programs of all kinds that the suites run under both halves.  Sourced.
#
# rows SET... compiles the programs of the sets (endtoend samples kernels badok golden random real) and prints a row for
# each: "NAME|CLASS PATH|MAIN|ARGUMENTS".  Needs: die, and the variables tests (this folder's parent), work (where classes
# go), jdk, version (of the JDK), only (a glob of names), seconds (that a real program works) and, for the set random,
# seeds ("FIRST LAST").

compile() { # compile FOLDER SOURCE... [with CP set]
    local to=$work/classes/$1
    shift
    mkdir -p "$to"
    "$jdk/bin/javac" -nowarn -g ${CP:+-cp "$CP"} -d "$to" "$@" 2>"$work/javac" || { cat "$work/javac" >&2; die "javac failed"; }
}

wanted() {
    # shellcheck disable=SC2053 # the right side is meant as a pattern
    [[ $1 == $only ]]
}

# Single-file programs: each gets a folder of its own, so that its plan speaks of nothing else.
each_source() { # each_source SET FOLDER
    local source name need
    for source in "$2"/*.java; do
        name=$(basename "$source" .java)
        wanted "$name" || continue
        grep -q 'void main(' "$source" || continue # an open program: nothing runs it
        need=$(sed -n '1s/^\/\/ min-jdk: *\([0-9]*\).*/\1/p' "$source")
        if [[ -n $need ]] && ((version < need)); then continue; fi
        printf '%s\n' "$source" >>"$work/$1.sources"
        echo "$name|$work/classes/$1/$name|$name|"
    done
    [[ -s $work/$1.sources ]] || return 0
    mapfile -t sources <"$work/$1.sources"
    compile "$1.all" "${sources[@]}"
    for source in "${sources[@]}"; do # javac once; then split by the file that a class comes from
        name=$(basename "$source" .java)
        mkdir -p "$work/classes/$1/$name"
        find "$work/classes/$1.all" -maxdepth 1 \( -name "$name.class" -o -name "$name\$*.class" \) \
            -exec cp {} "$work/classes/$1/$name/" \;
    done
}

rows_endtoend() { each_source endtoend "$tests/endtoend/programs"; }
rows_badok() { each_source badok "$tests/golden/racerd-like"; }
rows_golden() { # these may have helper classes beside the main one, of one name in many
    local source name sources=()
    for source in "$tests"/golden/races/*.java; do
        name=$(basename "$source" .java)
        wanted "$name" && grep -q 'void main(' "$source" || continue
        sources+=("$source")
        echo "$name|$work/classes/golden/$name|$name|word" # more than one word and some never end
    done
    ((!${#sources[@]})) || "$jdk/bin/java" "$tests/lib/CompileEach.java" "$work/classes/golden" "${sources[@]}" ||
        die "javac failed"
}
rows_samples() {
    local folder name
    for folder in "$tests"/../samples/*/; do
        name=$(basename "$folder")
        wanted "$name" || continue
        if [[ $name == vthreads ]] && ((version < 21)); then continue; fi
        [[ -f $folder/Main.java ]] || continue
        compile "samples/$name" "$folder"/*.java
        echo "$name|$work/classes/samples/$name|$name.Main|"
    done
}
rows_kernels() {
    local source name
    compile kernels "$tests"/bench/kernels/*.java
    for source in "$tests"/bench/kernels/*.java; do
        name=$(basename "$source" .java)
        wanted "$name" || continue
        if grep -qE '^// (race|norace)' "$source"; then echo "$name|$work/classes/kernels|bench.$name|--small"; fi
    done
}
# Programs that soundness/Gen.java makes up.
rows_random() {
    mkdir -p "$work/random"
    "$jdk/bin/javac" -d "$work/random" "$tests/soundness/Gen.java" || die "the generator does not compile"
    # shellcheck disable=SC2086 # two numbers
    "$jdk/bin/java" -cp "$work/random" Gen "$work/random" $seeds || die "no programs for the seeds '$seeds'"
    each_source random "$work/random"
}
rows_real() {
    local row name jar cp
    while read -r row; do
        name=${row%% *} cp=
        wanted "$name" || continue
        for jar in ${row#* }; do
            jar=/usr/share/java/$jar.jar
            [[ -f $jar ]] || die "$jar is missing; tests/run --real installs it"
            cp+=:$jar
        done
        # The sources that it shares with others are found by their names.
        CP=${cp#:} compile "real/$name" -sourcepath "$tests/real/programs" "$tests/real/programs/$name.java"
        echo "$name|$work/classes/real/$name$cp|$name|$seconds"
    done < <(sed -n '/^programs=(/,/^)/s/^ *"\(.*\)"$/\1/p' "$tests/real/run.sh")
}

rows() {
    local set
    mkdir -p "$work/classes"
    for set in "$@"; do
        declare -F "rows_$set" >/dev/null || return 1
        "rows_$set"
    done
}
