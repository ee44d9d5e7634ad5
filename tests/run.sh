#!/bin/bash
# tests/cases/COMMAND/CASE/{cmd,stdout,stderr,status}: cmd runs in its folder with smilog in PATH; a missing file means
# empty, or 0. "# skip-unless FILE" on its first line skips it where FILE (seen from the project's root) is not there;
# so does exit 77, for what cannot be tested here.
# ACCEPT=1 writes what came out as what has to.
cd "$(dirname "$0")/.." || exit 1
PATH=$PWD/${BUILD:-build}:$PATH root=$PWD passed=0 failed=0 skipped=0
export LC_ALL=C.UTF-8 TZ=UTC; unset COLUMNS LINES NO_COLOR
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
for cmd in tests/cases/*/*/cmd; do
    [ -f "$cmd" ] || continue
    dir=${cmd%/cmd} need=$(sed -n '1s/^# skip-unless //p' "$cmd") ok=1
    [ -z "$need" ] || [ -e "$need" ] || { skipped=$((skipped + 1)); continue; }
    (cd "$dir" && bash "$root/$cmd") >"$out/stdout" 2>"$out/stderr" </dev/null
    echo $? >"$out/status"
    grep -qx 77 "$out/status" && { skipped=$((skipped + 1)); continue; }
    for f in stdout stderr status; do
        [ $f != status ] || grep -qv '^0$' "$out/status" || : >"$out/status"
        if [ -n "$ACCEPT" ]; then
            if [ -s "$out/$f" ]; then cp "$out/$f" "$dir/$f"; else rm -f "$dir/$f"; fi
        elif ! diff -u --label "$dir/$f" --label got <(cat "$dir/$f" 2>/dev/null) "$out/$f"; then ok=0; fi
    done
    if [ $ok = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $dir"; fi
done
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
