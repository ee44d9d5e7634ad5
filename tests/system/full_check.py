#!/usr/bin/python3
"""A file system fills up during a recording and has room again: `smilog live -o DIR` on a small tmpfs with a ballast file.
smilog goes on, reports that it does not record, records again, and reports the number of lost lines. No recorded line is
torn, and the summary is that of the logs.

    tests/system/full_check.py [TIMES]        (5)    SMILOG=build/smilog    needs root, for the tmpfs"""
import json
import os
import random
import sys
import time

from lib import check, end, finish, folder, read, skip, smilog, start, tmpfs, wait, words

TIMES = words(5)
draw = random.Random(1)


def one(i, top):
    disk, said = os.path.join(top, "disk"), os.path.join(top, "said")
    run, ballast = os.path.join(disk, "run"), os.path.join(disk, "ballast")
    with tmpfs(disk, "2m") as mounted:
        if not mounted:
            skip("a tmpfs cannot be mounted here")
        with open(ballast, "wb") as f:
            f.write(bytes(draw.randrange(1200, 1900) * 1024))
        with open(said, "w", encoding="utf-8") as err:
            live = start("live", "--demo", "-q", "-i", "0.05", "-o", run, stderr=err)
        check(f"{i}: it reports that the disk is full", wait(lambda: "not recorded:" in read(said), 60))
        check(f"{i}: live goes on", live.poll() is None, live.poll())
        time.sleep(draw.uniform(0, 2))
        os.remove(ballast)
        check(f"{i}: it reports that it records again", wait(lambda: "recording again" in read(said), 60))
        time.sleep(1)
        check(f"{i}: live ends in order", end(live) == 0, live.returncode)
        out = smilog("summarize", "--json", run)
        check(f"{i}: the summary is that of the logs", out.returncode == 0 and out.stdout == read(run + "/summary.json"))
        inputs = json.loads(out.stdout)["runs"][0]["inputs"]
        for log in inputs:
            check(f"{i}: {log['path']} is whole", not log["rejected"] and not log.get("torn_tail"), log["rejected"])
        events = [json.loads(line) for line in read(run + "/run.jsonl").splitlines()]
        gaps = [e["data"] for e in events if e.get("event") == "gap" and e["data"].get("reason") == "disk full"]
        check(f"{i}: the gap is recorded", gaps and all(g["lost_lines"] > 0 for g in gaps), gaps)
        check(f"{i}: the recording has an end", events[-1]["event"] == "stop")
        check(f"{i}: it has the sum of the lost lines",
              events[-1]["data"].get("lost_lines") == sum(g["lost_lines"] for g in gaps), (events[-1], gaps))
        print(f"{i}: {sum(log['rows'] for log in inputs)} rows are there; lost: "
              f"{', '.join(str(g['lost_lines']) + ' of ' + g['monitor'] for g in gaps)}", flush=True)


for turn in range(TIMES):
    with folder() as at:
        one(turn, at)
sys.exit(finish())
