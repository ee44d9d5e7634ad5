#!/usr/bin/python3
"""A day in minutes: `smilog live -o DIR` beside a fake nvidia-smi whose clock is 60 times as fast and that samples 8 GPUs
every two seconds of it, and `smilog follow --store` of the directory. Every few seconds the check reads memory and
descriptors of both: after a warm-up neither may grow, except for what exact percentiles need: half a kilobyte for each 256
steps of a metric of a GPU in which a reading comes for the first time. The log tells how many these are. At the end the summary is that of the recorded logs, and the store holds each of their lines once.

    tests/system/soak_check.py [MINUTES]        (24)    SMILOG=build/smilog"""
import json
import os
import sqlite3
import sys
import time

from lib import check, end, equal, finish, folder, has_text, memory_kib, read, smilog, start, stat, wait, words

MINUTES = words(24.0)
WARM, STEP, GROWTH_KIB = MINUTES * 60 / 6, 5, 512
STEPS = {"utilization.gpu [%]": 100, "memory.used [MiB]": 1, "power.draw [W]": 100, "temperature.gpu": 1, "clocks.current.sm [MHz]": 1}
PAGE, PAGE_BYTES = 256, 528  # steps, and what malloc takes for their counters


def percentiles_kib(log):
    """What the counters of readings that come behind the warm-up for the first time take."""
    with open(log, encoding="ascii") as f:
        head, *rows = [[cell.strip() for cell in line.split(",")] for line in f]
    columns = {head.index(name): steps for name, steps in STEPS.items() if name in head}
    first, gpu = {}, head.index("index")
    for place, row in enumerate(rows):
        for at, steps in columns.items():
            first.setdefault((row[gpu], at, int(float(row[at].split()[0]) * steps) // PAGE), place)
    return sum(place > len(rows) / 6 for place in first.values()) * PAGE_BYTES / 1024


class Watched:
    def __init__(self, *args, env=()):
        self.name, self.seen = args[0], []
        self.process = start(*args, env=env, stderr=None)

    def look(self, at):
        pid = self.process.pid
        ticks = sum(map(int, stat(pid)[11:13]))
        self.seen.append((at, memory_kib(pid), len(os.listdir(f"/proc/{pid}/fd")), ticks))

    def judge(self, more):
        """The least of the first and of the last quarter behind the warm-up: reading all logs again for summary.json takes
        memory and descriptors for a moment."""
        warm = [x for x in self.seen if x[0] >= WARM]
        early, late = warm[:len(warm) // 4], warm[-(len(warm) // 4):]
        (rss0, fds0), (rss1, fds1) = [(min(x[1] for x in part), min(x[2] for x in part)) for part in (early, late)]
        share = (warm[-1][3] - warm[0][3]) / os.sysconf("SC_CLK_TCK") / (warm[-1][0] - warm[0][0]) * 100
        print(f"{self.name}: VmRSS {rss0} KiB, then {rss1}, {max(x[1] for x in warm)} at most; {fds0} descriptors, then {fds1}, "
              f"{max(x[2] for x in warm)} at most; {share:.2f} % of a core")
        check(f"{self.name} does not grow", rss1 - rss0 <= GROWTH_KIB + more, f"{rss1 - rss0} KiB, percentiles {more:.0f} KiB")
        equal(f"{self.name} has as many descriptors as before", fds1, fds0)


def main(top):
    run, store = os.path.join(top, "run"), os.path.join(top, "store.sqlite")
    live = Watched("live", "--demo", "-i", "2", "-q", "-o", run, env={
        "SMI_FAKE_GPUS": "8", "SMI_FAKE_SPEED": "60", "SMI_FAKE_STAMPS": "fast", "SMI_FAKE_EPOCH": str(time.time())})
    wait(lambda: has_text(os.path.join(run, "hw_metrics.csv")), 60)
    follow = Watched("follow", "-q", "--store", store, run)
    begin = time.monotonic()
    while time.monotonic() - begin < MINUTES * 60:
        time.sleep(STEP)
        for w in (live, follow):
            w.look(time.monotonic() - begin)
    for w in (live, follow):
        equal(f"{w.name} ended in order", end(w.process), 0)
        time.sleep(3)
        w.judge(percentiles_kib(os.path.join(run, "hw_metrics.csv")))
    said = smilog("summarize", "--json", run).stdout
    check("summary.json is what summarize prints", said == read(os.path.join(run, "summary.json")))
    log = next(x for x in json.loads(said)["runs"][0]["inputs"] if x["path"].endswith("hw_metrics.csv"))
    print(f"{log['rows']} rows of the query")
    check("no row was rejected", not log["rejected"], log["rejected"])
    db = sqlite3.connect(store)
    for name in sorted(n for n in os.listdir(run) if n.endswith(".csv")):
        held = db.execute("SELECT count(*) FROM line JOIN source ON source.id = line.source WHERE source.path LIKE ?",
                          ("%/" + name,)).fetchone()[0]
        equal(f"{name}: its lines in the store", held, read(os.path.join(run, name)).count("\n"))


with folder() as place:
    main(place)
sys.exit(finish())
