#!/usr/bin/env bash
# The manual pages are good roff and name every option that the programs know.
# usage: manual.sh RACE LIBRACE MAN_DIR
set -uo pipefail

race=$1 library=$2 pages=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0 bad=0

fail() {
    bad=$((bad + 1))
    echo "FAILED: $1"
}

# render PAGE: as a reader sees it, without overstrikes; complaints of groff go to stderr.
render() {
    groff -man -ww -Tascii -P-c -P-b -P-u -rLL=200n "$1"
}

# has PAGE WORD: the rendered page in $work/text names it.
has() {
    checks=$((checks + 1))
    grep -qF -e "$2" "$work/text" || fail "$1 lacks $2"
}

command -v groff >/dev/null || { echo "groff is missing; install groff-base" && exit 1; }
for name in race.1 race-{analyze,run,report,check,dump}.1 race-agent.7; do
    checks=$((checks + 1))
    render "$pages/$name" >"$work/text" 2>"$work/err" || fail "$name: groff fails"
    [[ ! -s $work/err ]] || { fail "$name: groff complains" && cat "$work/err"; }
    for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do has "$name" "$section"; done
    command=${name#race-} command=${command%.1}
    case $name in
        race.1)
            for word in $("$race" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do has "$name" "race-$word"; done
            ;;
        race-agent.7)
            # What the agent itself lists; it stops before the program starts.
            keys=$(java "-agentpath:$library=help" -version | sed -n 's/^  \([a-z_]*\)[= ].*/\1/p')
            (($(wc -w <<<"$keys") >= 10)) || fail "the agent lists too few options: $keys"
            for key in $keys; do has "$name" "$key"; done
            ;;
        *)
            options=$("$race" help "$command" | sed -n 's/^  \(-[^ ,]*\).*/\1/p')
            (($(wc -w <<<"$options") >= 5)) || fail "help $command lists too few options"
            for option in $options; do has "$name" "$option"; done
            has "$name" 'EXIT STATUS'
            ;;
    esac
done
echo "$checks checks, $bad failed"
((bad == 0))
