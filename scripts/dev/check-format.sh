#!/bin/bash
# clang-format would change no file of the sources and the tests, and codespell finds no misspelt word in sources and
# documents. scripts/dev/spelling-allowed.txt has the words that are none, such as names of variables.
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0

check() { # what, and what is wrong; nothing is wrong if that is empty
    if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf '%s:\n%s\n' "$1" "$2"; fi
}

if command -v clang-format >/dev/null; then
    check "clang-format would change" "$(find src include tests/unit tests/fuzz tests/bench -name '*.[ch]' 2>/dev/null | sort |
        xargs clang-format --dry-run 2>&1 | sed -n 's/^\([^:]*\):[0-9].*/\1/p' | sort -u)"
else echo "skipped: clang-format is not installed"; fi

if command -v codespell >/dev/null; then
    check "misspelt words (or words for scripts/dev/spelling-allowed.txt)" "$(codespell -q 3 -I scripts/dev/spelling-allowed.txt \
        -S '*.png' src include web man docs scripts debian tests/unit tests/api tests/bench tests/oracle tests/system \
        tests/fake tests/*.sh tests/*.py .github ./*.md Makefile 2>/dev/null)"
else echo "skipped: codespell is not installed"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
