#!/usr/bin/env bash
# The HTML report in headless Chromium: what it shows, search, filters, keys, and 5,000 races.  A script (page_test.js)
# is put into a copy of the page; it uses the page as a person would and leaves its findings in the DOM.
# usage: page.sh RACE MAKE [KEEP]; with KEEP, pages and screenshots stay in that folder
set -uo pipefail

race=$1 make=$2
here=$(cd "$(dirname "$0")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: chromium is not installed" && exit 77; }
if [[ -n ${3:-} ]]; then
    mkdir -p "$3" && work=$(cd "$3" && pwd)
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
cd "$work" || exit 1

# Offline, so that a page that needs the network shows it.
browse() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$work/profile" --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1300,1400 \
        --virtual-time-budget=20000 "$@" 2>browser.log
}

# test_page NAME PAIRS: makes the page and lets the script loose on it.
bad=0
test_page() {
    local name=$1 pairs=$2
    "$make" "$name" "$pairs" || exit 1
    (cd "$name" && "$race" report --plan app.plan run1.jsonl run2.jsonl --source src --suppress <(echo 'race:p1.C36.f36') \
        --format html -o ../"$name".html)
    [[ $? -eq 66 && -s $name.html ]] || { echo "FAILED: no page" && exit 1; }
    # Nothing but data: and the SVG name space may look like an address.
    if grep -oE "(src|href)=|https?://[^\"'\` ]+|@import|url\(" "$name.html" | grep -v 'http://www.w3.org/2000/svg'; then
        echo "FAILED: $name.html refers to something outside"
        bad=1
    fi
    { sed '/<\/body>/,$d' "$name.html" && printf '<script>const PAIRS = %d;\n' "$pairs" && cat "$here/page_test.js" &&
        printf '</script>\n</body>\n</html>\n'; } >"$name.test.html"
    browse --dump-dom "file://$work/$name.test.html" >"$name.dom"
    local found
    found=$(sed -n '/<pre id="test-result"/,/<\/pre>/p' "$name.dom" | sed 's/<[^>]*>//g')
    echo "$name: $found"
    [[ $found == *"all well"* ]] || { bad=1 && tail -n 5 browser.log; }
}

test_page small 60
test_page large 5000
browse --screenshot="$work/small.png" "file://$work/small.html" && [[ -s small.png ]] || bad=1
if [[ -n ${3:-} ]]; then
    browse --screenshot="$work/race.png" "file://$work/small.test.html"
    browse --print-to-pdf="$work/small.pdf" "file://$work/small.html"
fi
((bad == 0))
