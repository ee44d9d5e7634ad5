#!/bin/bash
# tests/cases/TOPIC/CASE/{cmd,stdout,stderr,status}: cmd runs in its folder with smilog in PATH; a missing file means
# empty, or 0. "# skip-unless FILE" on its first line skips it where FILE (seen from the project's root) is not there;
# so does exit 77, for what cannot be tested here. As many at a time as there are CPUs and two more, or JOBS.
# ACCEPT=1 writes what came out as what has to.
# "smilog" and the version (src/base/version.h) in what a case prints is "smilog VERSION" in its files.
# A case has CASE_SECONDS, 300 by default: one that hangs fails with status 124.
# tests/run.sh [CASE...]: all cases, or those named: report, json/one_run_a_line, 'json/*'.
cd "$(dirname "$0")/.." || exit 1
export SMILOG_CONFIG= # nobody's own settings
export PATH=$PWD/${BUILD:-build}:$PATH root=$PWD LC_ALL=C.UTF-8 TZ=UTC ACCEPT; unset COLUMNS LINES NO_COLOR
version=$(MAKEFLAGS= make -s --no-print-directory version) || exit 1
all=$(mktemp -d) || exit 1
trap 'rm -rf "$all"' EXIT

one() { # cmd: "passed", "skipped", or what differs, in a file of its name
    local cmd=$1 dir=${1%/cmd} need ok=1 out f
    out=$all/${dir//\//.}
    need=$(sed -n '1s/^# skip-unless //p' "$cmd")
    [ -z "$need" ] || [ -e "$need" ] || { echo skipped >"$out"; return; }
    mkdir "$out.d" || return
    (cd "$dir" && timeout "${CASE_SECONDS:-300}" bash "$root/$cmd") >"$out.d/stdout" 2>"$out.d/stderr" </dev/null
    echo $? >"$out.d/status"
    sed -i "s/\bsmilog ${version//./\\.}/smilog VERSION/g" "$out.d/stdout" "$out.d/stderr"
    grep -qx 77 "$out.d/status" && { rm -r "$out.d"; echo skipped >"$out"; return; }
    for f in stdout stderr status; do
        [ $f != status ] || grep -qv '^0$' "$out.d/status" || : >"$out.d/status"
        if [ -n "$ACCEPT" ]; then
            if [ -s "$out.d/$f" ]; then cp "$out.d/$f" "$dir/$f"; else rm -f "$dir/$f"; fi
        elif ! diff -u --label "$dir/$f" --label got <(cat "$dir/$f" 2>/dev/null) "$out.d/$f" >>"$out.diff"; then ok=0; fi
    done
    if [ $ok = 1 ]; then echo passed >"$out"; else { cat "$out.diff"; echo "FAILED $dir"; } >"$out"; fi
    rm -rf "$out.d" "$out.diff"
}
export -f one
export all version
chosen() { # CASE...: the cmd files of the named cases
    local word
    [ $# -gt 0 ] || set -- '*'
    for word; do
        word=${word#tests/cases/} word=${word%/} word=${word%/cmd}
        case $word in */*) ;; *) word=$word/* ;; esac
        compgen -G "tests/cases/$word/cmd" || { echo "no such case: $word" | tee -a "$all/missing" >&2; }
    done | sort -u
}
chosen "$@" >"$all/chosen"
total=$(wc -l <"$all/chosen")
[ "$total" -gt 0 ] && [ ! -e "$all/missing" ] || { echo "0 passed, 1 failed"; exit 1; }
# many cases of live, follow and run wait for a clock
xargs -P "${JOBS:-$(($(nproc) + 2))}" -I '{}' bash -c 'one {}' <"$all/chosen"
passed=$(cat "$all"/tests.* | grep -cx passed) skipped=$(cat "$all"/tests.* | grep -cx skipped)
failed=$((total - passed - skipped)) # one that left nothing behind, too
cat "$all"/tests.* | grep -vxE 'passed|skipped'
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
