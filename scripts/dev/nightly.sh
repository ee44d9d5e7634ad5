#!/bin/bash
# The long checks, one after the other: sanitizers, clang, random runs at length with drawn seeds, fuzzing, and the
# real browser, terminal, Prometheus, ClickHouse and Slurm. scripts/dev/nightly.sh PART... runs single parts. Logs:
# build/nightly/PART.log. A part fails if a test in it passed only at its second attempt. One that needs what this machine
# lacks is skipped: it exits with 77.
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}" "${FUZZ_SECONDS:=60}"
export SMILOG_CONFIG= # nobody's own settings
out=$BUILD/nightly
mkdir -p "$out" || exit 1
passed=0 failed=0
# FOLDER TESTS WORD...: a build of its own by make with these words, without a warning, and these unit tests of it
units() {
    local folder=$BUILD/$1 name passed=0 failed=0
    make --no-print-directory -s -j"$(nproc)" BUILD="$folder" CFLAGS='-O1 -g -Werror' "${@:3}" all unit || return 1
    for name in $2; do
        if BUILD=$folder SMILOG=$PWD/$folder/smilog "$folder/unit/$name"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
    done
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
run() {
    case $1 in
    golden) make --no-print-directory golden REF="${REF:-}" ;;
    fuzz) make --no-print-directory fuzz SECONDS="$FUZZ_SECONDS" ;;
    arm64) tests/system/arm64.sh "$PWD/$out/arm64" ;;
    merge) make --no-print-directory merge-check ARGS='--partials 10000 --parts 100 --bytes 1' ;;
    schema) make --no-print-directory schema-check ARGS='--all --suite' ;;
    same-bytes) SMILOG=$BUILD/smilog python3 tests/oracle/same_bytes.py 5000 ;;
    clang) units clang "$(basename -as .c tests/unit/test_*.c)" CC="${CLANG:-clang}" ;;
    threads)
        TSAN_OPTIONS=exitcode=66 SMILOG_SANITIZED=1 units threads "test_pool test_sweep_threads test_run_store test_serve test_live_output \
            test_follow_store test_clickhouse test_properties" SAN=-fsanitize=thread
        ;;
    delays)
        echo "DELAY_SEED=${DELAY_SEED:=$RANDOM$RANDOM}"
        make --no-print-directory -s BUILD="$BUILD" "$BUILD/unit/test_follow" || return 1
        cc -shared -fPIC -O1 -o "$out/delay.so" tests/system/delay.c || return 1
        DELAY_SEED=$DELAY_SEED SMILOG_TAIL=8 LD_PRELOAD=$PWD/$out/delay.so "$BUILD/unit/test_follow"
        ;;
    check | test-long | browser) make --no-print-directory "$1" ;;
    *) make --no-print-directory "$1-check" ;;
    esac
}
[ $# -gt 0 ] || set -- check clang threads test-long golden fuzz memory browser screen prometheus run merge kubernetes ledger live trouble \
    follow delays export clickhouse outputs pytorch clock full wandb complete schema slurm soak same-bytes arm64
make --no-print-directory -s -j"$(nproc)" BUILD="$BUILD" all || exit 1
for part; do
    run "$part" >"$out/$part.log" 2>&1
    status=$?
    again=$(grep -c '^second attempt: ' "$out/$part.log")
    if [ "$status" = 77 ] || grep -q 'Error 77$' "$out/$part.log"; then # of make
        echo "$part: $(grep -m 1 '^skipped: ' "$out/$part.log")"
    elif [ "$status" = 0 ] && [ "$again" = 0 ]; then
        passed=$((passed + 1))
        echo "$part: $(tail -n 1 "$out/$part.log")"
    else
        failed=$((failed + 1))
        echo "$part: FAILED, status $status, $again second attempts, see $out/$part.log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
