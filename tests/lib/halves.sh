# What the suites that run both halves share.  Sourced.  Needs the variables build, jdk and limit.

# analyse NAME CLASS_PATH MAIN LOG [OPTION...]: leaves LOG.plan, or LOG.broken with the reason.  The limit is one of
# processor time, since a busy machine is no mistake of the analysis.
analyse() {
    local name=$1 cp=$2 main=$3 log=$4 code=0
    shift 4
    timeout -k 5 $((10 * limit)) prlimit --cpu="$limit" "$build/race" analyze "$@" --jdk "$jdk" -cp "$cp" -m "$main" \
        -o "$log.plan" --quiet --fail-on none --benign-off all >"$log.analyze" 2>&1 || code=$?
    ((code == 0)) || echo "$name: analyze: exit code $code: $(tail -n 1 "$log.analyze")" >"$log.broken"
}

# confirmed_races PLAN RESULT...: the confirmed races that the results and the plan join to, a JSON object in each line.
# A report has them first, and a big program has gigabytes of others behind them, so it is not read any further.
confirmed_races() ( # a shell of its own, since a report that nobody reads to its end fails
    set +e
    plan=$1
    shift
    "$build/race" report --plan "$plan" "$@" --format json --benign-off all --fail-on none |
        awk '/^{"id":/ { if (!/"verdict":"confirmed"/) exit; sub(/}\]?,?$/, "}"); print } /^"hidden":/ { exit }'
    code=${PIPESTATUS[0]}
    ((code == 0 || code == 141)) # 128 + SIGPIPE
)
