#!/bin/bash
# clang-format would change no file of the sources and the tests.
cd "$(dirname "$0")/.." || exit 1
command -v clang-format >/dev/null || { echo "skipped: clang-format is not installed"; echo "0 passed, 0 failed"; exit 0; }
bad=$(find src include tests/unit tests/fuzz tests/bench -name '*.[ch]' 2>/dev/null | sort |
    xargs clang-format --dry-run 2>&1 | sed -n 's/^\([^:]*\):[0-9].*/\1/p' | sort -u)
if [ -z "$bad" ]; then echo "1 passed, 0 failed"; else
    printf 'clang-format would change:\n%s\n' "$bad"
    echo "0 passed, 1 failed"
    exit 1
fi
