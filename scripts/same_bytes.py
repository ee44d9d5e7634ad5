#!/usr/bin/env python3
"""same_bytes.py [N] [SEED]: the same bytes as a file, from a pipe, packed and in an archive: N logs of tests/fixtures,
mutated by a drawn seed (lines left out, doubled, exchanged, cut; bytes changed; other text before and between), read
in each way; what JSON says of the runs has to be the same, and whether there is a log at all. What is known of the
place only (run, inputs, parameters) takes no part. KEEP=DIR keeps the bytes of what differs. SMILOG: the program."""
import concurrent.futures
import gzip
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

N = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 32)
SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
LOGS = [p for p in sorted(Path("tests/fixtures").rglob("*")) if p.is_file() and 0 < p.stat().st_size < 200000
        and p.suffix not in (".gz", ".tar", ".zip", ".xz", ".zst", ".bz2", ".7z", ".py", ".json", ".md", ".sh")]


def mutate(r, data):
    lines = data.splitlines(keepends=True)[:r.choice((5, 40, 400))]
    for _ in range(r.randrange(4)):
        at = r.randrange(len(lines))
        kind = r.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[r.randrange(len(lines))])
        elif kind == 2:
            lines[at] = lines[at][:r.randrange(len(lines[at]) + 1)]
        elif kind == 3 and lines[at]:
            k = r.randrange(len(lines[at]))
            lines[at] = lines[at][:k] + bytes([r.choice(b"\0\xff,{}\" 9-aZ\n\r")]) + lines[at][k + 1:]
        elif kind == 4:
            lines[at:at] = [b"some words of a program, line %d\n" % i for i in range(r.choice((1, 3, 30, 300)))]
        elif kind == 5:
            lines = lines[at:] + lines[:at]
        else:
            lines.append(lines[at].rstrip(b"\n"))
        if not lines:
            break
    return b"".join(lines)


def figures(args, stdin=None):
    p = subprocess.run([SMILOG, "summarize", "--json"] + args, input=stdin, capture_output=True, timeout=120,
                       stdin=None if stdin is not None else subprocess.DEVNULL)
    if not p.stdout:
        return [p.returncode]
    try:
        runs = json.loads(p.stdout)["runs"]
    except ValueError:
        return ["no JSON", p.stdout[:200].decode(errors="replace")]
    drop = {"run", "inputs", "hostname", "params", "path"}
    return [{k: v for k, v in run.items() if k not in drop} for run in runs]


def ways(top, name, data):
    plain, packed, tar = top / name, top / (name + ".gz"), top / (name + ".tar")
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data, 1))
    with tarfile.open(tar, "w") as t:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
    return {"file": figures([str(plain)]), "1 thread": figures(["-j", "1", str(plain)]), "pipe": figures(["-"], data),
            "gz": figures([str(packed)]), "gz from a pipe": figures(["-"], packed.read_bytes()), "tar": figures([str(tar)])}


def one(i):
    r = random.Random(SEED * 1000003 + i)
    log = r.choice(LOGS)
    data = mutate(r, log.read_bytes())
    with tempfile.TemporaryDirectory() as d:
        got = ways(Path(d), "log.csv", data)
    other = [k for k, v in got.items() if v != got["file"]]
    return i, log, data, other, got


print(f"seed {SEED}, {len(LOGS)} logs")
bad = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for i, log, data, other, got in pool.map(one, range(N)):
        if other:
            bad += 1
            print(f"{i}: {log}, mutated: {', '.join(other)} differ from the file")
            if "KEEP" in os.environ:
                (Path(os.environ["KEEP"]) / f"{i}").write_bytes(data)
print(f"{N - bad} passed, {bad} failed")
sys.exit(bad > 0)
