#!/bin/bash
# All tests of one build folder; each part ends with "N passed, M failed", and so does the whole. As many parts run at a time
# as there are CPUs, and one more, as some wait for a clock. The cases run last and alone: they share the CPUs among themselves. What a part prints appears when the
# part ends. What failed and waits for a clock runs a second time: the last line but one is the number of these attempts.
# SMILOG_LONG=1 (make test-long): also what tests our own tools or repeats statistics, and every way instead of a drawn one.
# SMILOG_TIMES=FILE: writes a line for each part and each case: its CPU seconds, its wall seconds and its name.
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}" "${PARITY_RUNS:=30}" "${PAGE_SWEEPS:=5}"
export SMILOG_CONFIG= # nobody's own settings
export BUILD SMILOG=$PWD/$BUILD/smilog
log=$(mktemp -d) || exit 1
trap 'rm -rf "$log"' EXIT
export log
[ -z "$SMILOG_TIMES" ] || : >"$SMILOG_TIMES"

unit() { # name: cmocka's own words to ours
    local rc good bad
    "$BUILD/unit/$1" >"$log/$1.unit" 2>&1
    rc=$?
    case $rc:$1 in 0:*) ;; *:test_job* | *:test_live* | *:test_child | *:test_track*) # these wait for a clock
        cat "$log/$1.unit"
        echo "second attempt: $1"
        "$BUILD/unit/$1" >"$log/$1.unit" 2>&1
        rc=$?
        ;;
    esac
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log/$1.unit")
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log/$1.unit" | head -n 1)
    [ "$rc" = 0 ] || cat "$log/$1.unit"
    [ -z "$SMILOG_ZONE_CASES" ] || grep -v '^\[' "$log/$1.unit" # make test-long: what was counted
    [ "$rc" = 0 ] || bad=${bad:-1}
    echo "${good:-0} passed, ${bad:-0} failed"
    return "$rc"
}
debian_python() { # module, words: Debian's python3, where another one stands before it that lacks the module
    local py=python3
    python3 -c "import $1" 2>/dev/null || py=/usr/bin/python3
    "$py" -B "${@:2}"
}
part() { # name command...: what it prints, and its status, in files of its name
    local name=$1 TIMEFORMAT="%U %S %R $1"
    shift
    { time { "$@" >"$log/$name" 2>&1; echo $? >"$log/$name.status"; }; } 2>"$log/$name.time"
    [ -z "$SMILOG_TIMES" ] || awk '{ print $1 + $2, $3, $4 }' "$log/$name.time" >>"$SMILOG_TIMES"
    flock "$log" cat <(echo "== $name") "$log/$name"
}
export -f unit debian_python part
parts() { # one a line, those that take long first
    [ -z "$SMILOG_LONG" ] || printf '%s\n' "golden tests/golden.sh" "trials python3 tests/oracle/diff_trials.py ${DIFF_TRIALS:-1000}"
    cat <<EOF
schema debian_python jsonschema tests/oracle/schema_check.py
same-bytes python3 tests/oracle/same_bytes.py ${SAME_BYTES:-40}
static tests/static.sh
api tests/api.sh
$(for t in tests/unit/test_*.c; do t=$(basename "$t" .c) && echo "$t unit $t"; done)
structure python3 -B scripts/dev/check_structure.py
format scripts/dev/check-format.sh
docs python3 -B tests/docs.py
same-numbers python3 -B tests/oracle/same_numbers.py tests/fixtures/sweep
same-numbers-random python3 -B tests/oracle/same_numbers.py --random ${PAGE_SWEEPS}
parity python3 tests/oracle/parity.py --runs $PARITY_RUNS
conditions python3 tests/oracle/condition_check.py --runs ${CONDITION_RUNS:-20}
workbook debian_python openpyxl tests/oracle/workbook.py
workbook-hostile debian_python openpyxl tests/oracle/workbook.py --random ${SMILOG_BOOKS:-10}
EOF
}
passed=0 failed=0 again=0
count() { # name: its counts added up; a part that ends without them has failed
    local line status
    status=$(cat "$log/$1.status")
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log/$1" | tail -n 1)
    if [ -n "$line" ] && { [ "$status" = 0 ] || ! [[ $line == *", 0 failed"* ]]; }; then
        passed=$((passed + ${line%% *}))
        line=${line#*, }
        failed=$((failed + ${line%% *}))
    else
        echo "$1: ended with status $status"
        failed=$((failed + 1))
    fi
    again=$((again + $(grep -c '^second attempt: ' "$log/$1")))
}

parts | xargs -P "${JOBS:-$(($(nproc) + 1))}" -L 1 bash -c 'part "$@"' -
part cases tests/run.py
for name in $(parts | cut -d ' ' -f 1) cases; do count "$name"; done
echo "$((SECONDS / 60)) min $((SECONDS % 60)) s"
echo "$again second attempts"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
