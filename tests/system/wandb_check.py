#!/usr/bin/env python3
"""wandb_check.py [--runs N] [--mutants N] [--seed S]: run-ID.wandb as smilog reads it against a reader of our own here.

Makes N logs of drawn runs (GPUs, records in parts, records that are no samples, large ones), and of each some mutants:
bytes changed, pieces left out, ends cut off. The readings that `smilog export --to jsonl:` writes have to be those that
are in the records whose checksums hold, and the damaged records have to be counted. Logs below shared/corpus, where that
lies beside the project, are read as well. $SMILOG is the program. Prints "N passed, M failed"."""
import argparse
import datetime
import json
import os
import random
import struct
import sys
import zlib
from fractions import Fraction
from pathlib import Path

from lib import ROOT, check, finish, folder, smilog, summaries

BLOCK, HEADER = 32768, 7
METRICS = {"gpu": ("gpu_util_pct", 1), "memory": ("mem_util_pct", 1), "memoryAllocatedBytes": ("fb_used_mib", 1 << 20),
           "temp": ("temp_gpu_c", 1), "powerWatts": ("power_w", 1), "enforcedPowerLimitWatts": ("power_limit_enforced_w", 1),
           "smClock": ("clk_sm_mhz", 1), "memoryClock": ("clk_mem_mhz", 1), "fanSpeed": ("fan_pct", 1)}


# ---- writing -----------------------------------------------------------------------------------------------

def varint(v):
    out = bytearray()
    while True:
        out.append(v & 127 | (128 if v > 127 else 0))
        v >>= 7
        if not v:
            return bytes(out)


def part(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def stamp(t_us):
    return part(1, t_us // 1000000) + part(2, t_us % 1000000 * 1000)


def items(number, values, key=1):
    return b"".join(part(number, part(key, k) + part(16, json.dumps(v))) for k, v in values)


def pack(records):
    """The records in blocks of 32 KiB, in parts where one does not fit."""
    out = bytearray(b":W&B" + b"\xe1\xbe\x00")
    for data in records:
        begun = False
        while True:
            left = BLOCK - len(out) % BLOCK
            if left < HEADER:
                out += bytes(left)
                continue
            piece, data = data[:left - HEADER], data[left - HEADER:]
            kind = (4 if begun else 1) if not data else (3 if begun else 2)
            out += struct.pack("<IHB", zlib.crc32(bytes([kind]) + piece), len(piece), kind) + piece
            begun = True
            if not data:
                break
    return bytes(out)


def sample(rnd, gpus, t_us):
    """One stats record, its keys in any order."""
    values = []
    for gpu in range(gpus):
        for name in METRICS:
            if rnd.random() < 0.9:
                most = 400 if "Watts" in name or "Clock" in name else 100  # smilog refuses impossible readings
                v = (rnd.randrange(80 << 30) if name == "memoryAllocatedBytes" else
                     rnd.choice((rnd.randrange(101), round(rnd.random() * most, rnd.randrange(1, 7)), rnd.random() / 10**rnd.randrange(8))))
                values.append((f"gpu.{gpu}.{name}", v))
        values.append((f"gpu.process.{gpu}.gpu", 50.0))
    if rnd.random() < 0.3:
        rnd.shuffle(values)
    return part(7, part(1, 0) + part(2, stamp(t_us)) + items(3, values))


def draw(rnd):
    """A run: its bytes."""
    gpus, t_us = rnd.choice((1, 1, 2, 8, 64)), 1783072800000000 + rnd.randrange(10**9)
    config = [("lr", rnd.random()), ("model", "a\"b\\c"), ("nested", {"a": 1}), ("layers", rnd.randrange(99))]
    records = [part(17, part(1, "a1b2c3d4") + part(4, items(1, config)) + part(13, "node1") + part(17, stamp(t_us))),
               part(26, b"".join(part(24, part(1, "NVIDIA A100") + part(2, 40 << 30) + part(5, f"GPU-{g}")) for g in range(gpus)))]
    for step in range(rnd.randrange(1, 120)):
        t_us += rnd.randrange(1, 30000000)
        records.append(sample(rnd, gpus, t_us))
        if rnd.random() < 0.3:
            records.append(part(2, items(1, [("_step", step), ("loss", rnd.random()), ("_timestamp", t_us / 1e6)], rnd.choice((1, 2)))))
        if rnd.random() < 0.1:
            records.append(part(13, part(2, rnd.randbytes(rnd.choice((10, 1000, 40000, 100000)))))
                           if rnd.random() < 0.9 else part(13, rnd.randbytes(3 << 20)))
    if rnd.random() < 0.7:
        records.append(part(18, part(1, rnd.choice((0, 1, 255))) + part(2, 60)))
    return pack(records)


def mutate(rnd, data):
    data = bytearray(data)
    for _ in range(rnd.choice((1, 1, 2, 5))):
        at, how = rnd.randrange(7, len(data)), rnd.randrange(4)
        if how == 0:
            data[at] ^= 1 << rnd.randrange(8)
        elif how == 1:
            data[at:at + rnd.randrange(1, 50)] = rnd.randbytes(rnd.randrange(1, 50))
        elif how == 2 and rnd.random() < 0.5:
            del data[at:at + rnd.randrange(1, 5000)]
        else:
            del data[max(at, 8):]
    return bytes(data)


# ---- reading -----------------------------------------------------------------------------------------------

def parts_of(data):
    """(type, payload) of each part; payload None: its checksum or length is wrong."""
    for at in range(0, len(data), BLOCK):
        block, i = data[at:at + BLOCK], 7 if at == 0 else 0
        while i + HEADER <= len(block):
            crc, n, kind = struct.unpack_from("<IHB", block, i)
            body = block[i + HEADER:i + HEADER + n]
            if not crc and not n and not kind:
                break
            if len(body) < n and len(block) < BLOCK:
                return
            good = len(body) == n and 1 <= kind <= 4 and zlib.crc32(bytes([kind]) + body) == crc
            yield kind, body if good else None
            if len(body) < n:
                break
            i += HEADER + n


def records_of(data):
    """(payload, damaged)"""
    pieces = None
    for kind, body in parts_of(data):
        if body is None or (kind in (3, 4) and pieces is None):
            pieces = None
            yield None
            continue
        if kind in (1, 2):
            if pieces is not None:
                yield None
            pieces = []
        pieces.append(body)
        if kind in (1, 4):
            yield b"".join(pieces)
            pieces = None


def fields(data):
    def number():
        nonlocal data
        v = shift = 0
        while True:
            c, data = data[0], data[1:]
            v |= (c & 127) << shift
            shift += 7
            if c < 128:
                return v
    while data:
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            n = number() if key & 7 == 2 else 8 if key & 7 == 1 else 4
            yield key >> 3, data[:n]
            data = data[n:]


def readings_of(data):
    """({(ms, GPU, metric): value in millionths}, damaged records)"""
    out, damaged = {}, 0
    for record in records_of(data):
        if record is None:
            damaged += 1
            continue
        for number, body in fields(record):
            if number != 7:
                continue
            at = {k: v for k, v in fields(dict(fields(body)).get(2, b""))}
            ms = (at.get(1, 0) * 1000000 + at.get(2, 0) // 1000) // 1000
            for n, item in fields(body):
                item = dict(fields(item)) if n == 3 else {}
                words = item.get(1, b"").decode().split(".")
                if len(words) == 3 and words[0] == "gpu" and words[1].isdigit() and words[2] in METRICS:
                    metric, unit = METRICS[words[2]]
                    exact = Fraction(item[16].decode()) * 1000000
                    out[ms, int(words[1]), metric] = round(exact) / Fraction(unit)
    return out, damaged


def ours(path):
    out = {}
    for line in smilog("export", "-q", "--to", "jsonl:-", path).stdout.splitlines():
        row = json.loads(line, parse_float=Fraction, parse_int=Fraction)
        if "gpu" not in row:
            continue
        at = milliseconds(row["time"])
        for metric, _ in METRICS.values():
            if metric in row:
                out[at, int(row["gpu"]), metric] = row[metric] * 1000000
    runs = summaries(path)
    refused = sum(v for i in (runs[0]["inputs"] if runs else []) for k, v in i["rejected"].items() if k != "torn_tail")
    return out, refused


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def differs(path, sums):
    want, damaged = readings_of(path.read_bytes())
    got, refused = ours(path)
    sums[0] += len(want)
    sums[1] += damaged
    if want and refused != damaged:
        return f"{refused} records refused, not {damaged}"
    for key in want.keys() | got.keys():
        if key not in want or key not in got or abs(want[key] - got[key]) > 1:
            return f"{key}: {got.get(key)}, not {want.get(key)}"
    return ""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--runs", type=int, default=50)
    p.add_argument("--mutants", type=int, default=4, help="of each run")
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    p.add_argument("--write", metavar="FILE", help="the first run only, into a file")
    o = p.parse_args()
    rnd = random.Random(o.seed)
    if o.write:
        Path(o.write).write_bytes(draw(rnd))
        return 0
    print(f"seed {o.seed}")
    sums = [0, 0]
    real = sorted((ROOT.parent / "shared" / "corpus").rglob("*.wandb")) if (ROOT.parent / "shared").exists() else []
    with folder() as top:
        log = Path(top) / "run-a1b2c3d4.wandb"
        for i in range(o.runs + len(real)):
            whole = real[i].read_bytes() if i < len(real) else draw(rnd)
            for k in range(1 + o.mutants):
                log.write_bytes(mutate(rnd, whole) if k else whole)
                wrong = differs(log, sums)
                if not check(f"log {i}, mutant {k}", not wrong, wrong) and "KEEP" in os.environ:
                    Path(os.environ["KEEP"], f"{i}.{k}.wandb").write_bytes(log.read_bytes())
    print(f"{sums[0]} readings, {sums[1]} records damaged, {len(real)} real logs, {(o.runs + len(real)) * o.mutants} mutants")
    return finish()


sys.exit(main())
