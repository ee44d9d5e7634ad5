#!/bin/bash
# scripts/dev/golden.py sees a change of one byte in each kind of output, and nothing where two programs are the same. With the
# list of intended differences it sees an idle share that is 1 too large in each kind of output.
cd "$(dirname "$0")/.." || exit 1
program=$PWD/${BUILD:-build}/smilog passed=0 failed=0
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT

check() { # what status
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; cat "$top/said"; fi
}
golden() { # candidate, areas: its last line
    GOLDEN_DIFFERENCES=${list:-/dev/null} python3 -B scripts/dev/golden.py --ref "$program" --new "$@" >"$top/said" 2>&1
}
seen() { # text, the same with another byte, comparisons that have to see it
    python3 - "$program" "$top/smilog" "$1" "$2" <<'PY'
import os, sys
_, old, new, text, by = sys.argv
data = open(old, "rb").read()
assert len(text) == len(by) and text.encode() in data, text
open(new, "wb").write(data.replace(text.encode(), by.encode()))
os.chmod(new, 0o755)
PY
    golden "$top/smilog" "$3" && false
    [ $? = 1 ] && grep -q "^DIFFERS $3" "$top/said" && grep -q '^1 compared, 1 differ$' "$top/said"
    check "$1 in $3" $?
}
changed() { # comparisons that have to see an idle share that is 1 too large
    list=tests/golden-differences.txt golden "$top/changed" "$1" && false
    [ $? = 1 ] && grep -q "^DIFFERS $1" "$top/said"
    check "an idle share that is 1 too large in $1" $?
}

golden "$program" 'sweep/sweep/[jrt][esa][opb]*' 'help/list' 'cases/demo/*' && grep -qx '[0-9]* compared, 0 differ' "$top/said"
check "a program is equal to itself" $?
seen WASTED WASTEd sweep/sweep/table-100
seen gpu_hours gpu_hOurs sweep/sweep/json
seen 'GPU-hours' 'GPU-hOurs' sweep/sweep/report-page
seen 'Findings' 'FindingS' sweep/sweep/report-book
seen 'runs below this' 'runs belOw this' help/summarize_--help
seen duration_s duration_S cases/demo/json_one_run
cat >"$top/changed" <<PY
#!/usr/bin/env python3
import os, subprocess, sys, zipfile
def larger(data):  # 8.870899 % of lr=0.3/seed=2
    return data.replace(b" 8.9", b" 9.9").replace(b"8.870899", b"9.870899")
said = subprocess.run(["$program", *sys.argv[1:]], stdout=subprocess.PIPE)
sys.stdout.buffer.write(larger(said.stdout))
for name in ("o.html", "o.md", "o.csv"):
    if os.path.exists(name):
        data = open(name, "rb").read()
        open(name, "wb").write(larger(data))
if os.path.exists("o.xlsx"):
    with zipfile.ZipFile("o.xlsx") as book:
        parts = {n: book.read(n) for n in book.namelist()}
    with zipfile.ZipFile("o.xlsx", "w") as book:
        for n, data in parts.items():
            book.writestr(n, data.replace(b">0.089", b">0.099") if "/worksheets/" in n else data)
sys.exit(said.returncode)
PY
chmod +x "$top/changed"
for kind in table table-all-v table-140 json jsonl csv csv-raw md report-md report-page book; do
    changed sweep/sweep/$kind
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
