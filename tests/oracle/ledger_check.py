#!/usr/bin/env python3
"""The ledger of a site, held against sums of our own: jobs are drawn, a row each, in a file a day; what smilog merge says
of users, accounts, nodes and GPUs is what Python adds up, in little time and memory. Of 64 GPUs one that clocks 5 % low is
found, and no other, whatever the jobs are; and rows that smilog makes of logs add up to what was drawn into these.

  SMILOG=build/smilog tests/oracle/ledger_check.py [--jobs N] [--seeds N] [--logs N] [--seed N]
"""
import argparse
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
NODES, GPUS = 8, 8
PARTS = ("gpu_hours", "failed_h", "held_idle_h", "idle_h", "unknown_h")
SECONDS, MIB, ROW = 60, 256, 2048


def merge(*args):
    """The rows of a table, the seconds and the MiB that it took."""
    with tempfile.TemporaryFile() as out:
        begun = time.monotonic()
        pid = os.posix_spawn(SMILOG, [SMILOG, "merge", "--format", "csv", *map(str, args)], os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, used = os.wait4(pid, 0)
        took = time.monotonic() - begun
        if status:
            sys.exit(f"smilog merge {' '.join(map(str, args))}: status {status}")
        out.seek(0)
        return list(csv.DictReader(io.TextIOWrapper(out, "utf-8"))), took, used.ru_maxrss / 1024


def stamp(t):
    return t.isoformat(timespec="milliseconds") + "Z"


def uuid(node, gpu):
    return f"GPU-{node:04x}{gpu:04x}-5b1e-4c6d-9a70-3f2e8d1c0b{gpu:02x}"


class Site:
    """Users with habits: the work of some lets GPUs clock lower than that of others, and some never leave their nodes. At
    some sites all jobs have one GPU."""

    def __init__(self, seed, slow=None):
        self.rng = rng = random.Random(seed)
        self.sizes = (1,) if seed % 3 == 0 else (1, 1, 1, 2, 4, 8)
        self.users, homely = [], (0, 0.4, 1)[seed % 2 + seed % 3 // 2]
        for i in range(60):
            home = rng.sample(range(NODES), 2) if rng.random() < homely else range(NODES)
            self.users.append((f"user{i:02d}", f"account{i % 7}", list(home), rng.gauss(1, 0.06), rng.gauss(1, 0.1)))
        self.card = {(n, g): rng.gauss(1, 0.005) * (0.95 if (n, g) == slow else 1)
                     for n in range(NODES) for g in range(GPUS)}

    def gpu(self, node, gpu, ms, state, habit, job):
        rng = self.rng
        out = {"uuid": uuid(node, gpu), "ms": [ms, 0, 0, 0, 0], "joules": int(ms / 1000 * rng.uniform(80, 690))}
        if state == "failed":
            out["ms"][1] = ms
        elif rng.random() < 0.04:
            out["ms"][2] = ms
            return out
        else:
            out["ms"][3] = int(ms * rng.random() ** 3)
            out["ms"][4] = int(rng.random() < 0.1) * ((ms - out["ms"][3]) // 5)
        if rng.random() < 0.8:
            mhz = 1900 * habit[0] * job[0] * self.card[node, gpu] * rng.gauss(1, 0.004)
            out["load"] = [ms - out["ms"][4], round(mhz), round(620 * habit[1] * job[1] * rng.gauss(1, 0.02))]
        return out

    def job(self, number):
        rng = self.rng
        user, account, home, *habit = rng.choice(self.users)
        node, size = rng.choice(home), rng.choice(self.sizes)
        ms = int(rng.lognormvariate(14.5, 1.2)) + 60000
        state = "failed" if rng.random() < 0.08 else rng.choice(("ok", "ok", "ok", "cut"))
        like = rng.gauss(1, 0.02), rng.gauss(1, 0.05)
        begun = datetime(2026, 1 + number % 12, 1 + number // 12 % 28, number % 24, number // 24 % 60)
        ended = begun + timedelta(milliseconds=ms)
        return {"schema": "smilog-ledger/1", "job": str(4000000 + number), "user": user, "account": account,
                "partition": rng.choice(("gpu", "long")), "node": f"n{node:03d}", "state": state, "start": stamp(begun),
                "end": stamp(ended), "model": "NVIDIA H100 80GB HBM3",
                "gpus": [self.gpu(node, g, ms, state, habit, like) for g in rng.sample(range(GPUS), size)]}


def write(site, jobs, to, sums=None):
    """Rows of so many jobs, a file a day, each row once but for a few; the longest of them."""
    day, longest, held = {}, 0, defaultdict(list)
    for number in range(jobs):
        row = site.job(number)
        line = json.dumps(row, separators=(",", ":"))
        longest = max(longest, len(line))
        name = row["start"][:10]
        if name not in day:
            day[name] = open(to / f"{name}.ledger", "w", encoding="utf-8")
        day[name].write((line + "\n") * (1 + (number % 997 == 0)))
        for g in row["gpus"] if sums is not None else ():
            held[g["uuid"]].append((*(datetime.fromisoformat(row[k][:-1]) for k in ("start", "end")), row, g))
    for f in day.values():
        f.close()
    for jobs in held.values():  # a time that several jobs have is that of the one that began first
        until = datetime.min
        for begun, ended, row, g in sorted(jobs, key=lambda j: (j[0], -j[1].timestamp(), j[2]["job"])):
            own = Fraction(max(ended - until, timedelta()) / timedelta(milliseconds=1)) if until > begun else 1
            own = own if own == 1 else own / Fraction((ended - begun) / timedelta(milliseconds=1))
            until = max(until, ended)
            for by, key in (("user", (row["user"],)), ("account,user", (row["account"], row["user"])),
                            ("month,partition", (row["start"][:7], row["partition"])), ("gpu_uuid", (g["uuid"],))):
                s = sums[by][key]
                s[0].add(row["job"])
                for i, ms in enumerate(g["ms"] + [g["joules"]]):
                    s[1 + i] += round(ms * own)
    return longest


def hours(ms):
    """As a cell has it: rounded once, half to even."""
    micro = round(Fraction(ms, 3600) * 1000)
    return Fraction(micro, 10 ** 6)


def check_sums(args):
    sums = defaultdict(lambda: defaultdict(lambda: [set(), 0, 0, 0, 0, 0, 0]))
    with tempfile.TemporaryDirectory() as name:
        longest = write(Site(args.seed), args.jobs, Path(name), sums)
        if longest > ROW:
            sys.exit(f"a row has {longest} bytes")
        for by, groups in sums.items():
            table, took, most = merge(name, "--group-by", by, "-q")
            if took > SECONDS or most > MIB:
                sys.exit(f"by {by}: {took:.1f} s, {most:.0f} MiB")
            if len(table) != len(groups):
                sys.exit(f"by {by}: {len(table)} groups, and not {len(groups)}")
            for line in table:
                jobs, *ms, joules = groups[tuple(line[k] for k in by.split(","))]
                want = [hours(v) for v in ms] + [hours(2 * ms[0] - sum(ms)), Fraction(round(Fraction(joules * 5, 18)), 10 ** 6)]
                got = [Fraction(line[k]) for k in (*PARTS, "used_h", "energy_kwh")]
                if got != want or int(line["jobs"]) != len(jobs):
                    sys.exit(f"by {by}: {line}, and not {len(jobs)} jobs, {[float(w) for w in want]}")
            print(f"{args.jobs} jobs by {by}: {len(table)} groups, every sum right, {took:.1f} s, {most:.0f} MiB")
    print(f"the longest row has {longest} bytes")


def check_slow(args):
    for seed in range(args.seed, args.seed + args.seeds):
        for slow in (None, (seed % NODES, seed // NODES % GPUS)):
            with tempfile.TemporaryDirectory() as name:
                write(Site(seed, slow), 6000, Path(name))
                table, _, _ = merge(name, "--group-by", "gpu_uuid", "-q")
            found = [line["gpu_uuid"] for line in table if line["note"] == "slow"]
            want = [uuid(*slow)] if slow else []
            if found != want or len(table) != NODES * GPUS:
                low = sorted(table, key=lambda line: float(line["clock_pct"]))[:3]
                sys.exit(f"seed {seed}: {found} of {len(table)} slow, and not {want}: "
                         f"{[(line['gpu_uuid'], line['clock_pct']) for line in low]}")
    print(f"{args.seeds} seeds: one card 5 % slow among {NODES * GPUS} found, without it none")


def check_logs(args):
    """Logs of one GPU at 1 Hz that is idle, busy and idle again; some failed, some did nothing."""
    rng = random.Random(args.seed)
    want = defaultdict(int)
    with tempfile.TemporaryDirectory() as name:
        ledger = Path(name, "ledger")
        for i in range(args.logs):
            run = Path(name, f"job{i}")
            run.mkdir()
            before, work, after = rng.randint(1, 30), rng.choice((0, 60)) and rng.randint(1, 90), rng.randint(1, 30)
            util = [0] * before + [95] * work + [0] * after
            failed = rng.random() < 0.3
            text = "timestamp, index, uuid, utilization.gpu [%], power.draw [W], clocks.current.sm [MHz]\n"
            for k, u in enumerate(util):
                text += f"2026/03/{2 + i // 24:02d} {i % 24:02d}:{k // 60:02d}:{k % 60:02d}.000, 0, {uuid(0, 0)}, {u} %, 100.00 W, 1900 MHz\n"
            (run / "gpu.csv").write_text(text)
            events = [("start", {"cmd": "train"}), ("error", {"message": "no"}) if failed else ("end", {})]
            (run / "run.jsonl").write_text("".join(json.dumps(
                {"ts": f"2026-03-{2 + i // 24:02d}T{i % 24:02d}:00:{k:02d}.000+00:00", "type": "event", "event": e, "data": d}) + "\n"
                for k, (e, d) in enumerate(events)))
            all_ms, idle = (len(util) - 1) * 1000, (before - 1 + after) * 1000
            want["gpu_hours"] += all_ms
            want["failed_h" if failed else "idle_h" if work else "held_idle_h"] += all_ms if failed or not work else idle
            row = subprocess.run([SMILOG, "summarize", "-q", "--format", "ledger", "--tz", "UTC", "--param",
                                  f"user=u,account=a,job={i}", run], capture_output=True, check=True).stdout
            with open(ledger, "ab") as f:
                f.write(row)
        line = merge(ledger, "--group-by", "user", "-q")[0][0]
    got = {k: Fraction(line[k]) for k in PARTS}
    if got != {k: hours(want[k]) for k in PARTS} or line["jobs"] != str(args.logs):
        sys.exit(f"{args.logs} logs: {line}, and not {dict(want)} ms")
    print(f"{args.logs} logs: their rows add up to what was drawn")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=100000)
    p.add_argument("--seeds", type=int, default=20)
    p.add_argument("--logs", type=int, default=100)
    p.add_argument("--seed", type=int, default=random.randrange(10 ** 6))
    args = p.parse_args()
    print(f"seed {args.seed}")
    check_logs(args)
    check_sums(args)
    check_slow(args)


if __name__ == "__main__":
    main()
