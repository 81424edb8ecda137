# What the suites share that look at confirmed races.  Sourced.  What analyses or reads reports needs the variables build,
# jdk and limit.

# analyse NAME CLASS_PATH MAIN LOG [OPTION...]: leaves LOG.plan, or LOG.broken with the reason.  The limit is one of
# processor time, since a busy machine is no mistake of the analysis.
analyse() {
    local name=$1 cp=$2 main=$3 log=$4 code=0
    shift 4
    timeout -k 5 $((10 * limit)) prlimit --cpu="$limit" "$build/race" analyze "$@" --jdk "$jdk" -cp "$cp" -m "$main" \
        -o "$log.plan" --quiet --fail-on none --benign-off all >"$log.analyze" 2>&1 || code=$?
    ((code == 0)) || echo "$name: analyze: exit code $code: $(tail -n 1 "$log.analyze")" >"$log.broken"
}

# judged_races VERDICT... -- PLAN RESULT...: the races of these verdicts that the plan and the results join to, a JSON
# object in each line.  The verdicts are the strongest ones, which stand first in a report; a big program has gigabytes
# of others behind them, so it is not read any further.
judged_races() ( # a shell of its own, since a report that nobody reads to its end fails
    set +e
    verdicts=$1
    while shift && [[ $1 != -- ]]; do verdicts+="|$1"; done
    plan=$2
    shift 2
    "$build/race" report --plan "$plan" "$@" --format json --benign-off all --fail-on none |
        awk -v wanted="\"verdict\":\"($verdicts)\"" \
            '/^{"id":/ { if ($0 !~ wanted) exit; sub(/}\]?,?$/, "}"); print } /^"hidden":/ { exit }'
    code=${PIPESTATUS[0]}
    ((code == 0 || code == 141)) # 128 + SIGPIPE
)

# is_known FILE PROGRAM KIND FIELD METHOD METHOD: whether the file, such as real/known-races.txt, has a line for the race.
is_known() {
    local program kind field methods first second a
    while read -r program kind field methods; do
        # shellcheck disable=SC2053 # the right sides are meant as patterns
        [[ $2 == $program && $3 == $kind && $4 == $field ]] || continue
        first= second=
        for a in $methods; do
            # shellcheck disable=SC2053
            if [[ $5 == $a ]]; then first=1; fi
            # shellcheck disable=SC2053
            if [[ $6 == $a ]]; then second=1; fi
        done
        if [[ -n $first && -n $second ]]; then return 0; fi
    done < <(grep -v '^[[:space:]]*#' "$1" | grep '^[^[:space:]]')
    return 1
}
