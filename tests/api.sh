#!/bin/bash
# The library as it is installed: at most 8 headers, at most 120 symbols (those of tests/api/symbols.txt), and the examples
# of docs/library.md, scripts and tests/api compile against it with gcc as C11, with g++ as C++17 and with clang as C17;
# SMILOG_LONG=1: with both as C11, C17 and C++17. ACCEPT=1 writes the list of symbols.
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
passed=0 failed=0
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT

check() { # what status
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}

make -s BUILD="$BUILD" PREFIX="$top" install >"$top/log" 2>&1
check "make install: $(cat "$top/log")" $?
(cd "$top" && find bin lib share -type f -o -type l | LC_ALL=C sort) >"$top/files"
{
    printf '%s\n' bin/smilog lib/libsmilog.a lib/libsmilog.so lib/libsmilog.so.0 lib/pkgconfig/smilog.pc \
        lib/systemd/system/smilog-live.service share/bash-completion/completions/smilog share/doc/smilog/LICENSE share/fish/vendor_completions.d/smilog.fish
    "$BUILD/smilog" help --man-list | sed -E 's|.*\.(.)$|share/man/man\1/&|' | LC_ALL=C sort
    { echo smilog_jax.py && (cd scripts && printf '%s\n' slurm/* kubernetes/*); } | sed 's|^|share/smilog/|' | LC_ALL=C sort
    echo share/zsh/site-functions/_smilog
} | diff - "$top/files"
check "what is installed beside headers" $?
# What starts the program starts the one that was installed; SMILOG names another one.
for f in lib/systemd/system/smilog-live.service $(cd "$top" && echo share/smilog/slurm/*); do
    grep -q "$top/bin" "$top/$f" && ! grep -n /usr/local/bin "$top/$f"
    check "$f starts the program in $top/bin" $?
done
! command -v systemd-analyze >/dev/null || systemd-analyze verify --man=no "$top/lib/systemd/system/smilog-live.service" >"$top/log" 2>&1
check "systemd-analyze verify: $(cat "$top/log")" $?
for words in A= SMILOG=/none; do
    env -i "$words" SMILOG_OUT="$PWD/tests/fixtures/sweep/lr=0.1/seed=1" "$top/share/smilog/slurm/task_epilog.sh"
done | sed -E 's/"ngpu":([0-9]).*"state"/"ngpu":\1,"state"/' | diff <(printf '{"v":1,"ngpu":%s"}\n' '2,"state":"ok' '0,"state":"no-data') -
check "task_epilog.sh where it was installed" $?
to=(BUILD="$BUILD" DESTDIR="$top/package" PREFIX=/usr LIBDIR=/usr/lib/triplet)
make -s "${to[@]}" install && touch "$top/package/usr/lib/triplet/of-another" && [ -f "$top/package/usr/lib/triplet/libsmilog.a" ] &&
    grep -qx 'libdir=/usr/lib/triplet' "$top/package/usr/lib/triplet/pkgconfig/smilog.pc"
check "make install with DESTDIR and LIBDIR" $?
make -s "${to[@]}" uninstall
(cd "$top/package" && find . ! -type d -o -name '*smilog*') | diff <(echo ./usr/lib/triplet/of-another) -
check "make uninstall leaves nothing of smilog, and what is of others" $?
make -s "${to[@]}" uninstall
check "make uninstall of nothing" $?
(cd include && find smilog -type f | sort) | diff - <(cd "$top/include" && find . -type f | sed 's|^\./||' | sort)
check "headers that are installed" $?
[ "$(find "$top/include" -type f | wc -l)" -le 8 ]
check "at most 8 headers" $?

nm -D --defined-only "$top/lib/libsmilog.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort >"$top/symbols"
[ -z "$ACCEPT" ] || cp "$top/symbols" tests/api/symbols.txt
[ -n "$SMILOG_SANITIZED" ] || diff tests/api/symbols.txt "$top/symbols"
check "exported symbols are those of tests/api/symbols.txt" $?
[ "$(wc -l <tests/api/symbols.txt)" -le 120 ]
check "at most 120 symbols" $?
sed -n 's/^\(SMI_API\)\{0,1\} .*\(smilog_[a-z_0-9]*\)(.*/\2/p' include/smilog/*.h | grep -v '^smilog_\(string\|real\|whole\|bool\)$' |
    LC_ALL=C sort -u | diff - tests/api/symbols.txt
check "every function of the headers is exported, and no other" $?

cp scripts/examples/tracker_example.c "$top/tracker.c"
cp tests/api/everything.c "$top/everything.c"
python3 - "$top" <<'PY'
import re, sys
for i, text in enumerate(re.findall(r"(?ms)^```c\n(.*?)^```", open("docs/library.md").read()), 1):
    open("%s/example%d.c" % (sys.argv[1], i), "w").write(text)
PY
ls "$top"/example1.c "$top"/example2.c >/dev/null
check "docs/library.md has two examples" $?
export PKG_CONFIG_PATH=$top/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags smilog) -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers"
read -ra libs <<<"$(pkg-config --libs smilog) -Wl,-rpath,$top/lib"
[ -z "$SMILOG_SANITIZED" ] || libs+=(-fsanitize=address,undefined)
compilers=(gcc:c11 g++:c++17 clang:c17)
[ -z "$SMILOG_LONG" ] || compilers+=(gcc:c17 clang:c11 clang++:c++17)
for source in "$top"/*.c; do
    for compiler in "${compilers[@]}"; do
        command -v "${compiler%:*}" >/dev/null || { echo "skipped: ${compiler%:*} is not there"; continue; }
        lang=c out="$source.${compiler/:/.}"
        [[ $compiler != *++:* ]] || lang=c++
        [[ $compiler != clang* || -z $SMILOG_SANITIZED ]] || continue
        "${compiler%:*}" -std="${compiler#*:}" -x "$lang" "${flags[@]}" -D_DEFAULT_SOURCE "$source" -x none -o "$out" "${libs[@]}"
        check "$(basename "$source") with $compiler" $?
        [[ $source != */everything.c ]] || { mkdir -p "$out.d" && "$out" tests/fixtures/sweep "$out.d"; check "run $compiler" $?; }
    done
done
sweep=$PWD/tests/fixtures/sweep
(cd "$top" && ./example2.c.gcc.c11 && [ "$(wc -l <run.jsonl)" = 2 ] && ./example1.c.gcc.c11 "$sweep") | grep -q 'lr=0.1/seed=3: idle 14.7 %'
check "what the examples print" $?
[ -n "$SMILOG_SANITIZED" ] || python3 scripts/examples/tracker_example.py "$top/lib/libsmilog.so.0" | grep -q '^at most '
check "scripts/examples/tracker_example.py" $?
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
