#!/usr/bin/env python3
"""Partial summaries, held against one pass over the logs: random trees of merges in random order, packed and as streams,
give its bytes; runs in parts give them but for the paths; memory stays near that of the summaries; whatever is cut,
changed, of another version or made by other rules is refused by its file's name, and nothing is printed.

  SMILOG=build/smilog tests/oracle/merge_check.py [--partials N] [--trees N] [--parts N] [--bytes STEP] [--seed N]
      --partials   runs, a partial summary each
      --bytes      every so manieth byte of a small one is changed, and every so manieth cut is tried; 1: all
"""
import argparse
import concurrent.futures
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
HEAD = "timestamp, index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W], temperature.gpu\n"


def smilog(*args, data=None, cwd=None):
    """Status, bytes of standard output, text of standard error."""
    p = subprocess.run([SMILOG, *map(str, args)], input=data, stdin=None if data is not None else subprocess.DEVNULL,
                       capture_output=True, cwd=cwd, check=False)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def good(*args, **more):
    status, out, err = smilog(*args, **more)
    if status:
        sys.exit(f"smilog {' '.join(map(str, args))}: status {status}: {err}")
    return out


def peak(*args):
    """Standard output, and the most memory that the kernel saw in use (VmHWM), in MiB."""
    with tempfile.TemporaryFile() as out:
        pid = os.posix_spawn(SMILOG, [SMILOG, *map(str, args)], os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, used = os.wait4(pid, 0)
        if status:
            sys.exit(f"smilog {args[0]}: status {status}")
        out.seek(0)
        return out.read(), used.ru_maxrss / 1024


def rows(rng, n, gpus, start=0):
    """n moments of a log, as texts of their own: what a part of it would begin or end with."""
    out, busy = [], rng.random()
    for i in range(n):
        if rng.random() < 0.02:
            busy = rng.random()
        t = start + i * 2
        text = ""
        for g in range(gpus):
            use = 0 if busy < 0.2 else rng.randrange(40, 101)
            text += (f"2026/07/03 {10 + t // 3600:02}:{t // 60 % 60:02}:{t % 60:02}.{rng.randrange(5):03}, {g}, "
                     f"GPU-{g:08x}, {use}, {rng.randrange(500, 80000)}, {rng.randrange(6000, 70000) / 100:.2f}, "
                     f"{rng.randrange(30, 85)}\n")
        out.append(text)
    return out


def make_runs(root, n, rng):
    for i in range(n):
        d = root / f"lr=0.{i % 7 + 1}" / f"seed={i}"
        d.mkdir(parents=True)
        (d / "hw_metrics.csv").write_text(HEAD + "".join(rows(rng, rng.randrange(1, 40), rng.randrange(1, 3))))
        if i % 3:
            events = [{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start", "data": {"batch": i % 5}},
                      {"ts": "2026-07-03T10:00:20+00:00", "type": "phase", "phase": "fit", "seconds": 15.5}]
            if i % 4:
                events.append({"ts": "2026-07-03T10:01:30+00:00", "type": "event", "event": "stop",
                               "data": {"exit_status": i % 8 == 7}})
            (d / "run.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))


def make_partials(logs, out):
    """One of each run, under the name that it has among all: of a directory in which it is the only one."""
    def one(run):
        alone = out.parent / "alone" / f"{run.parent.name[3:]}-{run.name[5:]}"
        (alone / run.parent.name).mkdir(parents=True)
        shutil.copytree(run, alone / run.parent.name / run.name)
        good("summarize", "-q", "-j", 1, "--partial", alone, "-o", out / f"{run.name}.partial")
        shutil.rmtree(alone)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, sorted(logs.glob("*/*"))))
    return sorted(out.iterdir())


def tree(rng, files, work, depth=0):
    """A file that holds all of them, by merges of merges of random parts, and what was on the way."""
    if len(files) == 1 and rng.random() < 0.7:
        return files[0]
    rng.shuffle(files)
    target = work / f"{depth}-{rng.getrandbits(48):012x}.partial"
    if len(files) > 2 and depth < 6:
        cuts = sorted(rng.sample(range(1, len(files)), min(len(files) - 1, rng.randrange(1, 5))))
        files = [tree(rng, files[a:b], work, depth + 1) for a, b in zip([0] + cuts, cuts + [len(files)])]
    if rng.random() < 0.3:
        joined = b"".join(f.read_bytes() if f.suffix != ".gz" else gzip.decompress(f.read_bytes()) for f in files)
        target.write_bytes(good("merge", "-q", "--partial", "-", data=joined))
    else:
        good("merge", "-q", "--partial", *files, "-o", target)
    if rng.random() < 0.3:
        packed = target.with_suffix(".gz")
        packed.write_bytes(gzip.compress(target.read_bytes(), 1))
        return packed
    return target


def check_trees(args, rng, files, whole, work):
    for i in range(args.trees):
        some = work / f"tree{i}"
        some.mkdir()
        last = tree(rng, list(files), some)
        out = good(rng.choice(["merge", "summarize"]), "-q", "--json", last)
        if out != whole:
            sys.exit(f"tree {i} (--seed {args.seed}) gives other bytes than one pass: {some}")
        shutil.rmtree(some)
    print(f"{args.trees} random trees over {len(files)} partial summaries: the bytes of one pass")


def check_parts(args, rng, work):
    """A run in parts, each with all of its RunLog: trees of them, in any order."""
    less_paths = re.compile(rb'"path": "[^"]*"')
    for i in range(args.parts):
        d = work / f"run{i}"
        all_rows = rows(rng, rng.randrange(12, 400), rng.randrange(1, 4))
        cuts = sorted(rng.sample(range(1, len(all_rows)), rng.randrange(1, 9)))
        log = json.dumps({"ts": "2026-07-03T10:00:30+00:00", "type": "phase", "phase": "fit", "seconds": 25}) + "\n"
        files = []
        for k, (a, b) in enumerate(zip([0] + cuts, cuts + [len(all_rows)])):
            part = d / f"p{k}"
            part.mkdir(parents=True)
            (part / "hw.csv").write_text(HEAD + "".join(all_rows[a:b]))
            (part / "run.jsonl").write_text(log)
            files.append(d / f"{k}.partial")
            good("summarize", "-q", "--tz", "UTC", "--run", "r", "--partial", part, "-o", files[-1])
        flat = good("merge", "-q", "--json", *files)
        rng.shuffle(files)
        (d / "w").mkdir()
        if good("merge", "-q", "--json", tree(rng, files, d)) != flat:
            sys.exit(f"parts {i} (--seed {args.seed}): another tree gives other bytes: {d}")
        (d / "w" / "hw.csv").write_text(HEAD + "".join(all_rows))
        (d / "w" / "run.jsonl").write_text(log)
        one = json.loads(good("summarize", "-q", "--tz", "UTC", "--run", "r", "--json", d / "w"))
        two = json.loads(flat)
        for doc in one, two:
            del doc["runs"][0]["inputs"]
        if one != two:
            sys.exit(f"parts {i} (--seed {args.seed}): the sum of the parts is not the whole: {d}")
        assert less_paths.search(flat)
        shutil.rmtree(d)
    print(f"{args.parts} runs in up to 9 parts, by random trees: the numbers of one pass, the bytes of one merge")


def refused(path, what):
    """Refused by its name, with nothing printed."""
    status, out, err = smilog("merge", "--json", path)
    if status != 3 or out or not err.startswith(f"smilog: {path}: "):
        sys.exit(f"{what}: status {status}, {len(out)} bytes, {err!r}")


def check_broken(args, rng, work):
    small = work / "small"
    small.mkdir()
    (small / "log.csv").write_text("timestamp, index, utilization.gpu [%]\n2026/07/03 10:00:00.000, 0, 50\n")
    text = good("summarize", "-q", "--partial", small)
    bad = work / "bad.partial"
    flips = cuts = 0
    for i in range(0, len(text), args.bytes):
        for flip in {1, 1 << rng.randrange(1, 8)}:
            bad.write_bytes(text[:i] + bytes([text[i] ^ flip]) + text[i + 1:])
            refused(bad, f"byte {i} changed by {flip}")
            flips += 1
    two = text + good("summarize", "-q", "--run", "b", "--partial", small)
    for i in range(0, len(two), args.bytes):
        if i == len(text): # the first of two whole ones
            continue
        bad.write_bytes(two[:i])
        refused(bad, f"cut behind byte {i}")
        cuts += 1
    lines = two.splitlines(keepends=True)
    both = good("merge", "-q", "--partial", "-", data=two).splitlines(keepends=True)
    for what, kept in {"a line left out": both[1:], "no end": both[:2], "twice": [both[0]] + both,
                       "another's end": [both[0], both[1], lines[1]]}.items():
        bad.write_bytes(b"".join(kept))
        refused(bad, what)
    bad.write_bytes(text.replace(b"smilog-partial/", b"smilog-partial/1"))
    refused(bad, "another version")
    rules = work / "rules.partial"
    rules.write_bytes(good("summarize", "-q", "--idle-below", "7", "--partial", small))
    status, out, err = smilog("merge", "--json", "-", rules, data=text)
    if status != 3 or out or not err.startswith(f"smilog: {rules}: document 1: made by other rules"):
        sys.exit(f"other rules: {status} {err}")
    print(f"{flips} changed bytes, {cuts} cuts, lines left out, another version, other rules: refused")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--partials", type=int, default=60)
    p.add_argument("--trees", type=int, default=5)
    p.add_argument("--parts", type=int, default=10)
    p.add_argument("--bytes", type=int, default=7)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="smilog-merge-") as name:
        work = Path(name)
        logs, out = work / "logs", work / "partials"
        out.mkdir()
        make_runs(logs, args.partials, rng)
        whole, of_logs = peak("summarize", "-q", "--json", logs)
        files = make_partials(logs, out)
        size = sum(f.stat().st_size for f in files)
        merged, of_merge = peak("merge", "-q", "--json", *files) if len(files) <= 5000 else peak(
            "summarize", "-q", "--json", out)
        if merged != whole:
            sys.exit(f"a merge of all (--seed {args.seed}) gives other bytes than one pass")
        _, of_rows = peak("summarize", "-q", "--format", "csv", out)
        print(f"{len(files)} partial summaries, {size / len(files) / 1000:.1f} kB each: the bytes of one pass; at most "
              f"{of_merge:.0f} MiB as JSON, {of_rows:.0f} MiB as CSV (one pass over the logs: {of_logs:.0f} MiB)")
        if args.trees:
            check_trees(args, rng, files, whole, work)
        check_parts(args, rng, work)
        check_broken(args, rng, work)


main()
