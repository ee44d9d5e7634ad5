#!/usr/bin/env python3
"""edit.py PATTERN TEXT: partial summaries from standard input with every match of PATTERN in their numbers ("-1 0 12": in
the order in which they stand, a text by its bytes) replaced by TEXT, their sums made right again, as somebody would who
knows how they are made."""
import re
import sys


LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return h


def numbers(body):
    """Five bits a letter, the least first; 32 says that more follow. Odd ones are negative."""
    v = shift = 0
    for letter in body:
        digit = LETTERS.index(letter)
        v |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            yield str(-(v >> 1) - 1 if v & 1 else v >> 1)
            v = shift = 0


def letters(number):
    v = int(number)
    v = -v * 2 - 1 if v < 0 else v * 2
    text = ""
    while v >= 32:
        text += LETTERS[(v & 31) + 32]
        v >>= 5
    return text + LETTERS[v]


lines, out = sys.stdin.read().splitlines(), b""
for line in lines[:-1]:
    begin, body = re.match(r'(\{"schema": "[^"]*", "body": ")(.*)", "sum": "[0-9a-f]{16}"\}', line).groups()
    edited = re.sub(sys.argv[1], sys.argv[2], " ".join(numbers(body)))
    document = (begin + "".join(map(letters, edited.split()))).encode()
    out += b'%s", "sum": "%016x"}\n' % (document, fnv(document))
end = re.match(r'(.*"documents": )[0-9]+', lines[-1]).group(1)
sys.stdout.buffer.write(out + b"%s%d}\n" % (end.encode(), len(lines) - 1))
