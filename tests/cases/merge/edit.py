#!/usr/bin/env python3
"""edit.py PATTERN TEXT: partial summaries from standard input with every match of PATTERN replaced by TEXT, their sums
made right again, as somebody would who knows how they are made."""
import re
import sys


SEED = b"smilog-partial/9"  # a sum is over the version, too


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return h ^ 0xCBF29CE484222325


lines, out = sys.stdin.read().splitlines(), b""
for line in lines[:-1]:
    begin, rest = re.match(r'(\{"schema": "[^"]*", "sum": ")[0-9a-f]{16}(.*)', line).groups()
    rest = re.sub(sys.argv[1], sys.argv[2], rest).encode()
    out += b"%s%016x%s\n" % (begin.encode(), fnv(SEED + rest), rest)
end = re.match(r'(.*"documents": )[0-9]+', lines[-1]).group(1)
sys.stdout.buffer.write(out + b'%s%d, "sum": "%016x"}\n' % (end.encode(), len(lines) - 1, fnv(out + SEED)))
