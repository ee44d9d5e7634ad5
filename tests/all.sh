#!/bin/bash
# All tests of one build folder; each part ends with "N passed, M failed", and so does the whole.
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}" "${PARITY_RUNS:=60}" "${PAGE_SWEEPS:=5}"
export SMILOG_CONFIG= # nobody's own settings
export BUILD SMILOG=$PWD/$BUILD/smilog
passed=0 failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

add() { # what exit-status: adds the last "N passed, M failed" of the log; a part that ends without one has failed
    local line
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [ -n "$line" ] && { [ "$2" = 0 ] || ! [[ $line == *", 0 failed"* ]]; }; then
        passed=$((passed + ${line%% *}))
        line=${line#*, }
        failed=$((failed + ${line%% *}))
    else
        echo "$1: ended with status $2"
        failed=$((failed + 1))
    fi
}
part() {
    local what=$1 rc begun=$SECONDS
    shift
    echo "== $what"
    "$@" 2>&1 | tee "$log"
    rc=${PIPESTATUS[0]}
    [ $((SECONDS - begun)) -lt 5 ] || echo "($((SECONDS - begun)) s)"
    add "$what" "$rc"
}
unit() { # name: cmocka's own words to ours, in a file of its name
    local rc good bad
    "$BUILD/unit/$1" >"$units/$1.log" 2>&1
    rc=$?
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$units/$1.log")
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$units/$1.log" | head -n 1)
    {
        [ "$rc" = 0 ] || cat "$units/$1.log"
        [ -z "$SMILOG_ZONE_CASES" ] || grep -v '^\[' "$units/$1.log" # make test-long: what was counted
        [ "$rc" = 0 ] || bad=${bad:-1}
        echo "${good:-0} passed, ${bad:-0} failed"
    } >"$units/$1"
    [ "$rc" = 0 ] || : >"$units/$1.failed"
}
show() { # name: what unit left
    cat "$units/$1" && [ ! -e "$units/$1.failed" ]
}

units=$(mktemp -d) || exit 1
trap 'rm -rf "$log" "$units"' EXIT
export units
export -f unit
# As many at a time as there are CPUs; told in their order.
ls tests/unit/test_*.c | xargs -n 1 basename -s .c | xargs -P "${JOBS:-$(nproc)}" -I '{}' bash -c 'unit {}'
for t in tests/unit/test_*.c; do
    t=$(basename "$t" .c)
    part "$t" show "$t"
done
part structure python3 -B scripts/check_structure.py
part format scripts/check-format.sh
part cases tests/run.py
part docs python3 -B tests/docs.py
part golden tests/golden.sh
part api tests/api.sh
part static tests/static.sh
part trials python3 scripts/diff_trials.py "${DIFF_TRIALS:-40}"
part same-bytes python3 scripts/same_bytes.py "${SAME_BYTES:-150}"
part subtrack python3 -B scripts/subtrack_oracle.py "${SMILOG_SUBTRACK:-15}"
part page python3 -B scripts/page_waste.py "$PAGE_SWEEPS"
part same-numbers python3 -B scripts/same_numbers.py tests/fixtures/sweep
part same-numbers-random python3 -B scripts/same_numbers.py --random "${SAME_SWEEPS:-3}"
[ ! -f scripts/parity.py ] || part parity python3 scripts/parity.py --runs "$PARITY_RUNS"
json=python3
python3 -c 'import jsonschema' 2>/dev/null || json=/usr/bin/python3 # Debian's
part schema "$json" -B scripts/schema_check.py
py=python3
python3 -c 'import openpyxl' 2>/dev/null || py=/usr/bin/python3 # Debian's, where another one stands before it
part workbook "$py" scripts/workbook.py
part workbook-hostile "$py" scripts/workbook.py --random "${SMILOG_BOOKS:-10}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
