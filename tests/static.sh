#!/bin/bash
# The static program needs no other file: alone with logs in an empty root it tells what the ordinary program tells,
# byte for byte. SMILOG_STATIC_CASES=1 (make test-long) runs all cases with it too.
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
ours=$PWD/$BUILD/smilog static=$PWD/$BUILD/static/smilog passed=0 failed=0
[ -z "$SMILOG_SANITIZED" ] || [ -x "$static" ] || {
    echo "skipped: sanitizers cannot be linked statically"
    echo "0 passed, 0 failed"
    exit 0
}
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
unset COLUMNS LINES NO_COLOR LC_ALL
export LANG=C TZ=UTC

check() { # what status
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}
alone() { # runs it where there is nothing but it and the logs
    (cd "$top/root" && "${in_root[@]}" "$@") </dev/null
}
same() { # arguments: both programs say the same, and end the same
    (cd "$top/root" && "$ours" "$@") >"$top/out" 2>"$top/err" </dev/null
    echo $? >>"$top/err"
    alone "$@" >"$top/out.static" 2>"$top/err.static"
    echo $? >>"$top/err.static"
    cmp "$top/out" "$top/out.static" && diff "$top/err" "$top/err.static"
    check "smilog $*" $?
}
logs() { # into $top/root: every format, every way to keep a log, a name that is not ASCII
    local run=$top/root/sweep/lr=0.1/seed=1
    cp -r tests/fixtures/* "$top/root"
    printf 'lr: 0.5\nmodel: {name: big}\n' >"$run/config.yaml"
    mkdir "$top/root/größe=1"
    cp "$run"/* "$top/root/größe=1"
    gzip -k "$run/hw_dmon.csv"
    xz -k "$run/hw_metrics.csv"
    zstd -q "$run/cpu_metrics.csv"
    bzip2 -k "$run/run.jsonl"
    (cd "$top/root" && tar --format=pax -czf packed.tgz sweep/lr=0.3 größe=1 && python3 - größe=1 <<'PY'
import pathlib, sys, zipfile
with zipfile.ZipFile("packed.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for p in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        z.write(p)
PY
    )
}

[ -x "$static" ]
check "make static" $?
! readelf -ld "$static" | grep -E 'INTERP|NEEDED'
check "no other file is asked for" $?
mkdir "$top/root" && logs && cp "$static" "$top/root/smilog"
check "logs" $?
change=(chroot)
[ "$(id -u)" = 0 ] || change=(unshare -r chroot)
in_root=("${change[@]}" . /smilog)
"${change[@]}" / true 2>/dev/null || {
    echo "not in an empty root: this machine does not let us change the root"
    in_root=(./smilog)
}
[[ $(alone --version) == "smilog "*" (static)" ]]
check "--version" $?
while IFS= read -r log; do
    same summarize --json "$log"
done < <(cd "$top/root" && find -- * -type f ! -name smilog | sort)
for args in "summarize --json sweep" "summarize sweep" "summarize -v größe=1" "summarize --format csv packed.zip packed.tgz" \
    "summarize --tz +02:00 query_units.csv" "list formats" "summarize nowhere"; do
    read -ra words <<<"$args"
    same "${words[@]}"
done
[ "${in_root[0]}" = ./smilog ] || {
    alone summarize --tz Europe/Berlin query_units.csv 2>&1 | grep -q 'need the package tzdata'
    check "a zone without tzdata" $?
}
(cd "$top/root" && "$ours" summarize -q --partial sweep -o a.partial && alone summarize -q --partial sweep -o b.partial &&
    cmp a.partial b.partial) && same merge a.partial
check "partial" $?
BUILD=$BUILD/static tests/run.py live/listen_says_how_it_is live/textfile_is_what_prometheus_reads
check "the server" $?
[ -z "$SMILOG_STATIC_CASES" ] || { BUILD=$BUILD/static tests/run.py; check "cases" $?; }
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
