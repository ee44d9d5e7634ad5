#!/usr/bin/env python3
"""edit.py PATTERN TEXT: partial summaries from standard input with every match of PATTERN in their numbers ("-1 0 12": in
the order in which they stand, a text by its bytes) replaced by TEXT, their sums made right again, as somebody would who
knows how they are made."""
import re
import sys


LETTERS = "".join(map(chr, [*range(ord("0"), ord("0") + 32), *range(ord("]"), ord("]") + 32)]))


KEY = [0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
       0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179]
MASK = (1 << 64) - 1


def mix(v):
    v = (v ^ v >> 32) * KEY[7] & MASK
    v = (v ^ v >> 32) * KEY[3] & MASK
    return v ^ v >> 32


def digest(data):
    """As base/digest.c: the sum of the blocks of 64 bytes, each at its place."""
    total = 0
    for k in range(0, len(data), 64):
        block = data[k:k + 64].ljust(64, b"\0")
        word = [int.from_bytes(block[i:i + 8], "little") ^ KEY[i // 8] for i in range(0, 64, 8)]
        products = [word[i] * word[i + 1] for i in range(0, 8, 2)]
        total += mix(k // 64 * KEY[6] + sum(p & MASK ^ p >> 64 for p in products) & MASK)
    return mix(total & MASK ^ mix(len(data)))


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
    out += b'%s", "sum": "%016x"}\n' % (document, digest(document))
end = re.match(r'(.*"documents": )[0-9]+', lines[-1]).group(1)
sys.stdout.buffer.write(out + b"%s%d}\n" % (end.encode(), len(lines) - 1))
