#!/usr/bin/env python3
"""same_bytes.py [N] [SEED] [FROM]: the same bytes give the same result, whatever way they come: N logs of tests/fixtures,
mutated by a drawn seed (lines left out, doubled, exchanged, cut; bytes changed; other text before and between). Each is
read as a file, by one thread and by several, from a pipe, packed, in an archive, by way of a partial summary and of a
SQLite file; a drawn part of them with --interval, too; a drawn part cut in two, as the parts of one run, in both orders;
a few so large that the threads share them. JSON, warnings and status have to be the same, but for the log's name. Samples written as CSV and JSONL have
to give the same metrics. FROM: the first log to draw. KEEP=DIR keeps what differs. SMILOG: the program."""
import concurrent.futures
import datetime
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system"))
from lib import SMILOG, check, finish, words  # noqa: E402

N, SEED, FROM = words(1000, None, 0)
LOGS = [p for p in sorted(Path("tests/fixtures").rglob("*")) if p.is_file() and 0 < p.stat().st_size < 200000
        and p.suffix not in (".gz", ".tar", ".zip", ".xz", ".zst", ".bz2", ".7z", ".py", ".json", ".md", ".sh")]
LARGE, PARTS = 0.01, 0.3  # of the logs
PIECE = 4 << 20  # a log of two of these is shared by two threads


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


def enlarge(r, data):
    """The log again and again, until threads share it: on later days, or on the same one."""
    day, later = datetime.date(2024, 1, 1), r.randrange(2)
    size = r.randrange(2 * PIECE, 5 * PIECE)
    out = io.BytesIO()
    while out.tell() < size:
        if later:
            data = re.sub(rb"20\d\d([-/])\d\d\1\d\d", lambda m: b"%d%b%02d%b%02d" % (day.year, m[1], day.month, m[1], day.day),
                          data)
            day += datetime.timedelta(1)
        out.write(data)
    return out.getvalue()


def smilog(top, *args, stdin=None):
    """Status, and what it prints, under the name that the file has. A log is a run of its own, whatever is beside it."""
    if any(a.startswith("log.csv") for a in args):
        args = (*args, "--run-per", "file")
    p = subprocess.run([SMILOG, *args], input=stdin, capture_output=True, timeout=600, cwd=top,
                       stdin=None if stdin is not None else subprocess.DEVNULL)
    out, err = (re.sub(r"log\.csv\.(gz|tar)\b", "log.csv", t.decode(errors="surrogateescape")) for t in (p.stdout, p.stderr))
    if stdin is not None:
        out, err = re.sub(r'(?<!\\)"-"', '"log.csv"', out), err.replace("smilog: -", "smilog: log.csv")
    if p.returncode < 0 or p.returncode == 3:  # no log: who says so differs
        return 3 if p.returncode == 3 else (p.returncode, args)
    return p.returncode, out, err


def summary(top, *args, stdin=None):
    return smilog(top, "summarize", "--json", *args, stdin=stdin)


def by_way_of(top, written, *made):
    """The summary of what a command has made of the log; of that command itself where it found none."""
    done = smilog(top, *made)
    return summary(top, *written) if done != 3 and done[0] == 0 else done


def partial(top):
    return "partial", by_way_of(top, ["p"], "summarize", "-q", "--partial", "log.csv", "-o", "p")


def whole_ways(top, data):
    """The log at once."""
    yield "8 threads", summary(top, "-j", "8", "log.csv")
    yield "pipe", summary(top, "-", stdin=data)


def other_ways(top, data):
    """What is made of the log."""
    packed = gzip.compress(data, 1)
    (top / "log.csv.gz").write_bytes(packed)
    yield "gz", summary(top, "log.csv.gz")
    yield "gz from a pipe", summary(top, "-", stdin=packed)
    with tarfile.open(top / "log.csv.tar", "w") as t:
        info = tarfile.TarInfo("log.csv")
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
    yield "tar", summary(top, "log.csv.tar")
    yield partial(top)
    yield "SQLite", by_way_of(top, ["sqlite:x.db"], "export", "-q", "--to", "sqlite:x.db", "log.csv")


def parts(r, top, data):
    """The log cut in two, as one run: what one pass says, and what partial summaries of both say in either order."""
    cut, folder = data.find(b"\n", r.randrange(len(data) + 1)) + 1, top / "parts"
    folder.mkdir(exist_ok=True)
    files = {folder / "a.csv": data[:cut], folder / "b.csv": data[cut:]}
    for path, part in files.items():  # alone in its folder: beside a log, one that cannot be used is a run that crashed
        path.write_bytes(part)
        made = smilog(folder, "summarize", "-q", "--run", "r", "--partial", path.name, "-o", f"../{path.stem}.partial")
        path.unlink()
        if made == 3:
            return
    for path, part in files.items():
        path.write_bytes(part)
    whole = summary(folder, "--run", "r", "a.csv", "b.csv")
    for order in ("ab", "ba"):
        yield f"merge {order}", whole, smilog(top, "merge", "--json", *(f"{name}.partial" for name in order))
    yield "ba in one pass", whole, summary(folder, "--run", "r", "b.csv", "a.csv")


def metrics(result):
    """What samples that were written and read again keep of a run: no processes; CSV has other words for control
    characters in names, a GPU that nothing names comes back with a number."""
    if result == 3 or result[0]:
        return []
    gpus = [(run, g["energy_wh"],
             {m: [v.get(k) for k in ("count", "mean", "max", "stddev", "p95")] for m, v in g["metrics"].items()
              if not m.startswith("procs")}) for run in json.loads(result[1])["runs"] for g in run["gpus"]]
    return sorted(((run["run"], run["energy_wh"], run["idle_pct"], run["longest_idle_s"], *g) for run, *g in gpus if g[-1]),
                  key=str)


def all_ways(r, top, data, whole):
    """What it is, what is expected, what came out."""
    if data and r.random() < LARGE:
        data = enlarge(r, data)
        (top / "log.csv").write_bytes(data)
        whole = summary(top, "-j", "1", "log.csv")
        for what, got in (*whole_ways(top, data), partial(top)):
            yield f"large, {what}", whole, got
        return
    for what, got in (*whole_ways(top, data), *other_ways(top, data)):
        yield what, whole, got
    if r.random() < PARTS:
        counted = summary(top, "--interval", "5", "log.csv")
        yield "--interval, pipe", counted, summary(top, "--interval", "5", "-", stdin=data)
        yield "--interval, tar", counted, summary(top, "--interval", "5", "log.csv.tar")
    if r.random() < PARTS:
        yield from parts(r, top, data)
    if r.random() < PARTS:
        for kind in "csv", "jsonl":
            got = by_way_of(top, [f"s.{kind}"], "export", "-q", "--to", f"{kind}:s.{kind}", "log.csv")
            yield f"samples in {kind}", metrics(whole), metrics(got)


def one(i):
    r = random.Random(SEED * 1000003 + i)
    log = r.choice(LOGS)
    data = mutate(r, log.read_bytes())
    with tempfile.TemporaryDirectory() as d:
        top = Path(d) / "a" / "b" / "c"  # d's name is drawn, and words of it may be parameters
        top.mkdir(parents=True)
        (top / "log.csv").write_bytes(data)
        whole = summary(top, "-j", "1", "log.csv")
        return i, log, data, [way for way in all_ways(r, top, data, whole) if way[1] != way[2]]


def show(expected, got):
    """Where two results begin to differ."""
    a, b = (str(x).split(', "') for x in (expected, got))
    for x, y in [(x, y) for x, y in zip(a, b) if x != y][:4]:
        print(f"    expected {x[-200:]}\n    got      {y[-200:]}")


print(f"{len(LOGS)} logs")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for i, log, data, other in pool.map(one, range(FROM, FROM + N)):
        if not check(f"{i}: {log}, mutated", not other, ", ".join(way[0] for way in other)):
            show(*other[0][1:])
            if "KEEP" in os.environ:
                os.makedirs(os.environ["KEEP"], exist_ok=True)
                (Path(os.environ["KEEP"]) / f"{i}").write_bytes(data)
sys.exit(finish())
