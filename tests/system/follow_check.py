#!/usr/bin/python3
"""Three runs that are written at once, with GPUs of equal index and no uuid, followed by `smilog follow --store`, which is
killed at random moments and started again. One log is rotated, one run is deleted while nobody looks. At the end the
store holds each line that was written once, of the deleted run all that was read, and the summary of the store is that
of the logs; what --once shows keeps the runs apart. Before that: a log needs at most 64 kB besides its GPUs.

    tests/system/follow_check.py [KILLS] [SEED]        (50, drawn)    SMILOG=build/smilog"""
import os
import random
import shutil
import signal
import sys
import time
from datetime import datetime, timedelta

from lib import check, end, equal, finish, folder, smilog, start, summaries, words

KILLS, SEED = words(50, None)
LOAD = {"a": 90, "b": 10, "c": 50}
HEADER = "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"
draw = random.Random(SEED)


class Writer:
    """A log that grows by whole and half lines, as a monitor's does."""

    def __init__(self, top, run):
        self.path, self.load = os.path.join(top, run, "gpu.csv"), LOAD[run]
        self.at, self.rest, self.lines = datetime.now() - timedelta(hours=1), "", []
        os.makedirs(os.path.dirname(self.path))
        self.put(HEADER)

    def put(self, text):
        with open(self.path, "a") as f:
            f.write(text)

    def sweep(self):
        """Two GPUs once; the last line may wait for its end."""
        self.at += timedelta(milliseconds=1000)
        text = self.rest
        for gpu in range(2):
            stamp = f"{self.at:%Y/%m/%d %H:%M:%S}.{self.at.microsecond // 1000:03}"
            line = f"{stamp}, {gpu}, {self.load} %, 100 MiB, {draw.randrange(100, 400)}.00 W\n"
            text += line
            self.lines.append(line)
        cut = draw.choice((0, 0, draw.randrange(1, 30)))
        self.rest = text[len(text) - cut:]
        self.put(text[:len(text) - cut])

    def end(self):
        self.put(self.rest)
        self.rest = ""

    def rotate(self):
        self.end()
        os.rename(self.path, self.path + ".1")
        self.put(HEADER)


def summary(*what):
    return {r["run"]: [(g["gpu"], g["samples"], g["metrics"]["gpu_util_pct"]["mean"], g["metrics"]["power_w"]["mean"],
                        g["energy_wh"]) for g in r["gpus"]] for r in summaries(*what)}


def resident_kb(top, logs, gpus):
    """Of a follow that has read so many logs of so many GPUs."""
    now = datetime.now()
    text = HEADER
    for back in range(60, 0, -1):
        for gpu in range(gpus):
            text += f"{now - timedelta(seconds=back):%Y/%m/%d %H:%M:%S}.000, {gpu}, 50 %, 100 MiB, 100.00 W\n"
    d = os.path.join(top, f"{logs}x{gpus}")
    for i in range(logs):
        os.makedirs(os.path.join(d, str(i)))
        with open(os.path.join(d, str(i), "gpu.csv"), "w") as f:
            f.write(text)
    p = start("follow", "--store", d + ".sqlite", "-q", d)
    before, kb, until = -1, 0, time.monotonic() + 60
    while (kb != before or not kb) and time.monotonic() < until:  # all is read when it does not grow any more
        time.sleep(2)
        with open(f"/proc/{p.pid}/status") as f:
            before, kb = kb, next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))
    end(p, signal.SIGTERM)
    return kb


def memory():
    with folder() as d:
        few, many, gpus = (resident_kb(d, *size) for size in ((10, 1), (210, 1), (210, 4)))
        gpu = (gpus - many) / 210 / 3
        check("a log needs at most 64 kB besides its GPUs", (many - few) / 200 - gpu <= 64, (few, many, gpus))


def main():
    with folder() as d:
        top, store = os.path.join(d, "out"), os.path.join(d, "all.sqlite")
        writers = {run: Writer(top, run) for run in LOAD}
        gone_at, rotate_at, gone = KILLS // 2, KILLS // 3, None
        for kill in range(KILLS):
            p = start("follow", "--store", store, "--tz", "UTC", "-q", top)
            until = time.monotonic() + draw.uniform(0.05, 0.7)
            while time.monotonic() < until:
                for w in writers.values():
                    w.sweep()
                time.sleep(0.02)
            end(p, signal.SIGKILL)
            if kill == rotate_at:
                writers["a"].rotate()
            if kill == gone_at:  # all of it was read before, and nobody looks
                writers["c"].end()
                smilog("follow", "--store", store, "--tz", "UTC", "-q", "--for", "3", top)
                gone = writers.pop("c")
                shutil.rmtree(os.path.dirname(gone.path))
        for w in writers.values():
            w.end()
        shown = smilog("follow", "--once", "--tz", "UTC", top).stdout
        smilog("follow", "--store", store, "--tz", "UTC", "-q", "--for", "4", top)
        kept, logs = summary("sqlite:" + store), summary("--tz", "UTC", top)
        for run in writers:
            equal(f"{run}: the store has what the logs have", kept.get(run), logs.get(run))
            equal(f"{run}: lines that were written", sum(g[1] for g in logs[run]), len(writers[run].lines))
        equal("c, deleted: lines that were written", sum(g[1] for g in kept.get("c", ())), len(gone.lines))
        check("each run has its own load", all(g[2] == LOAD[run] for run in kept for g in kept[run]), kept)
        check("--once keeps the runs apart", all(word in shown for word in ("a/0", "a/1", "b/0", "b/1")), shown)


memory()
main()
sys.exit(finish())
