#!/usr/bin/python3
"""kill -9 of `smilog live -o DIR` at random moments: no monitor is left, every recorded line is whole, and what was recorded
is read without a rejected row.

    tests/system/live_check.py [KILLS] [SEED]        (20, 1)    SMILOG=build/smilog"""
import os
import random
import signal
import sys
import time

from lib import check, end, finish, folder, processes, smilog, start, summaries, wait, words

KILLS, SEED = words(20, 1)
draw = random.Random(SEED)


def look(directory, what):
    files = sorted(os.listdir(directory))
    temporary = [f for f in files if f.startswith(".")]
    check(f"{what}: at most one temporary file is left", len(temporary) <= 1, temporary)
    rows = 0
    for name in files:
        if name.endswith(".csv"):
            with open(os.path.join(directory, name), "rb") as f:
                data = f.read()
            rows += data.count(b"\n")
            check(f"{what}: {name} ends with a whole line", data.endswith(b"\n") or not data, data[-80:])
    out = smilog("summarize", "--json", directory)
    if out.returncode == 3:  # killed before the first row
        check(f"{what}: nothing usable, and no rows", rows <= 4, (rows, out.stderr[:200]))
        return 0
    check(f"{what}: summarize reads it", out.returncode == 0, out.stderr[:200])
    for log in summaries(directory)[0]["inputs"]:
        bad = {k: v for k, v in log.items() if k in ("rejected", "torn_tail") and v}
        check(f"{what}: {log['path']}: no row is rejected", not bad, bad)
    return rows


rows = 0
for i in range(KILLS):
    with folder() as top:
        directory, tag = os.path.join(top, "run"), f"SMILOG_LIVE_CHECK={os.getpid()}-{i}"
        env = dict([tag.split("=")], SMI_FAKE_GPUS=str(draw.randint(1, 8)))
        live = start("live", "--demo", "-q", "-i", draw.choice(["0.05", "0.1", "0.25"]), "-o", directory, env=env,
                     start_new_session=True)
        time.sleep(draw.uniform(0.05, 3))
        end(live, signal.SIGKILL)
        check(f"kill {i}: no monitor is left", wait(lambda: not processes(tag, "environ")), processes(tag, "environ"))
        if os.path.isdir(directory):
            rows += look(directory, f"kill {i}")
check("lines were recorded", rows)
print(f"{KILLS} kills, {rows} lines recorded")
sys.exit(finish())
