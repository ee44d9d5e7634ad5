#!/usr/bin/env python3
"""Times smilog on logs of its own making.

  scripts/dev/bench.py                        every format and size: MB/s and memory, and how both grow from the
                                          smallest size to the largest; a table and a JSON line
  scripts/dev/bench-compare OLD NEW [FORMAT]  two builds in turn on the same logs: how many times faster NEW is

Environment: SMILOG (the program), GEN (tests/bench/gen.c, built), BENCH_DIR (where the logs stay), SIZES="8 32 128" MiB
(a sweep has 10 runs for each), RUNS=3, THREADS. Whole processes, the logs in the page cache, each command once before
it counts. A figure of another machine, or of another hour on this one, says nothing: compare within one table. Where
others use the machine, s and MB/s are theirs too; "cpu s", the time of all threads, is less so, and ns/byte is made of
it. Linear is what costs the same for each byte in a log of any size: less in a large one, where what is done once (the
start, the percentiles of the values that occur) counted in the small one.
"""
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "../..", "build")
PROGRAM = os.environ.get("SMILOG", os.path.join(BUILD, "smilog"))
GEN = os.environ.get("GEN", os.path.join(BUILD, "bench", "gen"))
DATA = os.environ.get("BENCH_DIR", os.path.join(BUILD, "bench", "data"))
SIZES = [int(s) for s in os.environ.get("SIZES", "8 32 128").split()]
RUNS = int(os.environ.get("RUNS", "3"))
THREADS = os.environ.get("THREADS", str(len(os.sched_getaffinity(0))))
FORMATS = ["query", "dmon", "cpu", "runlog", "sweep"]


def log_of(name, size):
    """The log of a format (a directory, of a sweep), made once. Returns its path and its bytes."""
    os.makedirs(DATA, exist_ok=True)
    path = os.path.join(DATA, f"{name}-{size}")
    if not os.path.exists(path):
        if name == "sweep":
            subprocess.run([GEN, name, path + ".new", str(10 * size)], check=True)
        else:
            with open(path + ".new", "wb") as f:
                subprocess.run([GEN, name, str(size)], stdout=f, check=True)
        os.rename(path + ".new", path)
    files = [os.path.join(d, f) for d, _, names in os.walk(path) for f in names] or [path]
    return path, sum(os.path.getsize(f) for f in files)


def run(program, path):
    """One process: its wall time and that of its threads in s, and the most memory it had, in MiB."""
    command = [GEN, "run", program, "summarize", "-q", "--format", "jsonl", "-j", THREADS, path]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{program} on {path} ended with {done.returncode}")
    wall, cpu, kib = done.stdout.split()
    return float(wall), float(cpu), int(kib) / 1024


def measure(name, size):
    """One line of the table."""
    path, n = log_of(name, size)
    run(PROGRAM, path)
    each = [run(PROGRAM, path) for _ in range(RUNS)]
    wall, cpu = (statistics.median(e[i] for e in each) for i in (0, 1))
    return {"log": name, "bytes": n, "wall_s": round(wall, 4), "cpu_s": round(cpu, 4),
            "mb_s": round(n / 1e6 / wall), "ns_byte": round(cpu * 1e9 / n, 3),
            "peak_mib": round(max(e[2] for e in each), 1)}


def bench():
    results, growth, load = [], [], round(os.getloadavg()[0], 1)
    print(f"{THREADS} threads, median of {RUNS}; {load} others ran when this began")
    print(f"{'log':8} {'MiB':>7} {'MB/s':>8} {'s':>8} {'cpu s':>8} {'ns/byte':>8} {'peak MiB':>9}")
    for name in FORMATS:
        these = []
        for size in SIZES:
            r = measure(name, size)
            print(f"{name:8} {r['bytes'] / 2**20:7.1f} {r['mb_s']:8} {r['wall_s']:8.3f} "
                  f"{r['cpu_s']:8.3f} {r['ns_byte']:8.3f} {r['peak_mib']:9.1f}", flush=True)
            these.append(r)
        first, last = these[0], these[-1]
        growth.append({"log": name, "from_bytes": first["bytes"], "to_bytes": last["bytes"],
                       "time_per_byte": round(last["cpu_s"] / last["bytes"] * first["bytes"] / first["cpu_s"], 2),
                       "peak": round(last["peak_mib"] / first["peak_mib"], 2)})
        results += these
    for g in growth:
        large, small = (f"{g[k] / 2**20:.0f} MiB" for k in ("to_bytes", "from_bytes"))
        print(f"{g['log']:8} at {large} / at {small}: time per byte {g['time_per_byte']:.2f}, "
              f"peak memory {g['peak']:.2f}")
    print(json.dumps({"threads": int(THREADS), "runs": RUNS, "load": load, "results": results, "growth": growth}))


def compare(old, new, formats):
    print(f"{'log':8} {'MiB':>7} {'old s':>8} {'new s':>8}   new is so many times faster (least, most)")
    for name in formats or FORMATS:
        path, n = log_of(name, SIZES[-1])
        pairs = []
        for i in range(RUNS + 1):
            a, b = run(old, path)[0], run(new, path)[0]
            if i:
                pairs.append((a, b))
        ratio = [a / b for a, b in pairs]
        print(f"{name:8} {n / 2**20:7.1f} {statistics.median(p[0] for p in pairs):8.3f} "
              f"{statistics.median(p[1] for p in pairs):8.3f}   {statistics.median(ratio):.2f} ({min(ratio):.2f}, {max(ratio):.2f})")


def main():
    if len(sys.argv) == 1:
        bench()
    elif len(sys.argv) > 3 and sys.argv[1] == "compare" and not set(sys.argv[4:]) - set(FORMATS):
        compare(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(__doc__)


main()
