#!/usr/bin/python3
"""Recordings while the clock jumps: the machine's time is set forwards or back, summer time begins
or ends, the year 2038 is passed. Each is a `smilog live -o DIR` of a few seconds under libfaketime (Debian's
package faketime), which moves the clocks of smilog and of the fake nvidia-smi, but not the monotonic one.

Zones whose summer time is another step than an hour are not followed (an offset moves along with steps of an hour only):
there the GPU logs' own times step, and it lasts as much longer.

Of each: it ends in order; summary.json is what summarize says; no duration is negative; what is covered is not longer
than it lasted; and where the clock only went on, it is as long as it lasted.

    tests/system/clock_check.py [SECONDS]        (5, of each)    SMILOG=build/smilog"""
import glob
import json
import os
import subprocess
import sys
import time

from lib import check, finish, folder, read, skip, smilog, start, words

SECONDS = words(5.0)
LIB = (glob.glob("/usr/lib/*/faketime/libfaketime.so.1") + [None])[0]
SLACK = 2.0
ODD = {"Australia/Lord_Howe": 1800, "Pacific/Apia": 86400}
STEPS = [3600, -3600, 30 * 86400, -30 * 86400, 1, -1, 2.5, -2.5, 59, -59, 86400, -86400, 0.5, -0.5, 7200, -7200]
TIMES = [("2038-01-19 03:14:04", "UTC"), ("1990-01-02 00:00:02", "UTC"), ("1990-01-02 12:00:00", "America/New_York"),
         ("2026-03-29 01:59:57", "Europe/Berlin"), ("2026-10-25 02:59:57", "Europe/Berlin"),
         ("2026-03-08 01:59:57", "America/New_York"), ("2026-11-01 01:59:57", "America/New_York"),
         ("2026-10-04 01:59:57", "Australia/Lord_Howe"), ("2026-04-05 01:59:57", "Australia/Lord_Howe"),
         ("2026-12-31 23:59:57", "UTC"), ("2016-12-31 23:59:57", "UTC"), ("2028-02-28 23:59:57", "UTC"),
         ("2100-02-28 23:59:57", "UTC"), ("2106-02-07 06:28:12", "UTC"), ("2026-07-01 12:00:00", "Asia/Kathmandu"),
         ("2026-07-01 12:00:00", "Pacific/Kiritimati"), ("2026-07-01 12:00:00", "Etc/GMT+12"),
         ("2011-12-29 23:59:57", "Pacific/Apia"), ("1999-12-31 23:59:57", "UTC"), ("2262-04-11 23:47:10", "UTC")]


def numbers(v, key=""):
    if isinstance(v, dict):
        for k, w in v.items():
            yield from numbers(w, k)
    elif isinstance(v, list):
        for w in v:
            yield from numbers(w, key)
    elif isinstance(v, (int, float)) and not isinstance(v, bool):
        yield key, v


def record(name, first, steps, zone):
    """A recording whose clock begins at `first` (None: now) and is set by each of the steps in turn."""
    with folder() as top:
        record_in(top, name, first, steps, zone)


def record_in(top, name, first, steps, zone):
    run, rc = os.path.join(top, "run"), os.path.join(top, "faketimerc")
    offset, began = 0.0, time.time()
    if first:
        os.environ["TZ"] = zone
        time.tzset()
        offset = time.mktime(time.strptime(first, "%Y-%m-%d %H:%M:%S")) - began

    def put(seconds):
        with open(rc + ".new", "w", encoding="ascii") as f:
            f.write(f"{seconds:+.3f}\n")
        os.rename(rc + ".new", rc)

    put(offset)
    env = {"LD_PRELOAD": LIB, "FAKETIME_TIMESTAMP_FILE": rc, "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
           "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": zone, "SMI_FAKE_GPUS": "2", "SMI_FAKE_AT": "100"}
    live = start("live", "--demo", "-q", "-i", "0.25", "-o", run, "--for", SECONDS, env=env, stderr=subprocess.PIPE)
    for step in steps:
        time.sleep(SECONDS / (len(steps) + 1))
        offset += step
        put(offset)
    try:
        said = live.communicate(timeout=SECONDS + 20)[1]
    except subprocess.TimeoutExpired:
        live.kill()
        said = live.communicate()[1] + b" (killed)"
    check(f"{name}: live ends with 0", live.returncode == 0, (live.returncode, said[-300:]))
    out = smilog("summarize", "--json", run, env={**os.environ, **env})  # by the same clock: rows after now are rejected
    check(f"{name}: summarize ends with 0", out.returncode == 0, (out.returncode, out.stderr[-300:]))
    check(f"{name}: summary.json is what summarize prints", os.path.exists(run + "/summary.json") and
          out.stdout == read(run + "/summary.json"))
    if out.returncode == 0:
        r = json.loads(out.stdout)["runs"][0]
        below = [(k, v) for k, v in numbers({**r, "params": None}) if v < 0 and k not in ("longitude",) and "utc" not in k]
        check(f"{name}: nothing is below zero", not below, below[:5])
        rows = sum(i["rows"] for i in r["inputs"] if i["path"].endswith("hw_metrics.csv"))
        check(f"{name}: rows of the query", rows >= SECONDS, rows)
        check(f"{name}: at most {SECONDS} s are covered",
              (r["covered_s"] or 0) <= SECONDS + SLACK + sum(abs(s) for s in steps if 0 < s < 3), r["covered_s"])
        if not steps:
            lasted = [SECONDS, SECONDS + ODD.get(zone, 0)]
            check(f"{name}: it lasted {lasted} s", any(abs(r["duration_s"] - x) <= SLACK for x in lasted), r["duration_s"])
        print(f"{name:44} {r['start']}  {r['duration_s']} s, {r['covered_s']} s covered, {rows} rows; "
              f"{'; '.join(r['problems'])[:150]}", flush=True)


if not LIB:
    skip("libfaketime is not there (package faketime)")
for s in STEPS:
    record(f"set by {s} s", None, [s], "UTC")
for s in (3600, -3600):
    record(f"set by {s} s and back", None, [s, -s], "Europe/Berlin")
record("set by 10 s, three times", None, [10, 10, 10], "UTC")
record("set by -10 s, three times", None, [-10, -10, -10], "UTC")
for first, zone in TIMES:
    record(f"from {first} {zone}", first, [], zone)
sys.exit(finish())
