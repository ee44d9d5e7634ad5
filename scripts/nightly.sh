#!/bin/bash
# The long checks, one after the other: sanitizers, random runs at length with drawn seeds, fuzzing, and the real
# browser, terminal and Prometheus. scripts/nightly.sh PART... runs single parts. Logs: build/nightly/PART.log.
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}" "${FUZZ_SECONDS:=60}"
out=$BUILD/nightly
mkdir -p "$out" || exit 1
passed=0 failed=0
run() {
    case $1 in
    golden) make --no-print-directory golden REF="${REF:-}" ;;
    fuzz) make --no-print-directory fuzz SECONDS="$FUZZ_SECONDS" ;;
    live) SMILOG=$BUILD/smilog /usr/bin/python3 -B scripts/live_check.py ;;
    cache | export | outputs | pytorch) SMILOG=$BUILD/smilog /usr/bin/python3 -B "scripts/$1_check.py" ;;
    *) make --no-print-directory "$1" ;;
    esac
}
[ $# -gt 0 ] || set -- check test-long golden fuzz browser screen prometheus run-check merge-check live cache export \
    outputs pytorch
make --no-print-directory -s -j"$(nproc)" BUILD="$BUILD" all || exit 1
for part; do
    if run "$part" >"$out/$part.log" 2>&1; then
        passed=$((passed + 1))
        echo "$part: $(tail -n 1 "$out/$part.log")"
    else
        failed=$((failed + 1))
        echo "$part: FAILED, see $out/$part.log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
