#!/usr/bin/python3
"""Recordings while the clock does what clocks do: the machine's time is set forwards or back meanwhile, summer time begins
or ends, the year 2038 or 1970 is passed. Each is a `smilog live -o DIR` of a few seconds under libfaketime (Debian's
package faketime), which moves the clock of smilog and of the stand-in alike, but not the monotonic one.

Zones whose summer time is another step than an hour are not followed (an offset moves along with steps of an hour only):
there the GPU logs' own times step, and it lasts as much longer.

Of each: it ends in order; summary.json is what summarize says; no duration is negative; what is covered is not longer
than it lasted; and where the clock only went on, it is as long as it lasted.

    tests/system/clock_check.py [SECONDS]        (5, of each)    SMILOG=build/smilog
"""
import glob, json, os, shutil, subprocess, sys, tempfile, time

SECONDS = float((sys.argv[1:] + ["5"])[0])
SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
LIB = (glob.glob("/usr/lib/*/faketime/libfaketime.so.1") + [None])[0]
SLACK = 2.0
passed = failed = 0
if not LIB:
    sys.exit("clock_check: libfaketime is not there (package faketime)")

ODD = {"Australia/Lord_Howe": 1800, "Pacific/Apia": 86400}
STEPS = [3600, -3600, 30 * 86400, -30 * 86400, 1, -1, 2.5, -2.5, 59, -59, 86400, -86400, 0.5, -0.5, 7200, -7200]
TIMES = [("2038-01-19 03:14:04", "UTC"), ("1970-01-01 00:00:02", "UTC"), ("1970-01-01 12:00:00", "America/New_York"),
         ("2026-03-29 01:59:57", "Europe/Berlin"), ("2026-10-25 02:59:57", "Europe/Berlin"),
         ("2026-03-08 01:59:57", "America/New_York"), ("2026-11-01 01:59:57", "America/New_York"),
         ("2026-10-04 01:59:57", "Australia/Lord_Howe"), ("2026-04-05 01:59:57", "Australia/Lord_Howe"),
         ("2026-12-31 23:59:57", "UTC"), ("2016-12-31 23:59:57", "UTC"), ("2028-02-28 23:59:57", "UTC"),
         ("2100-02-28 23:59:57", "UTC"), ("2106-02-07 06:28:12", "UTC"), ("2026-07-01 12:00:00", "Asia/Kathmandu"),
         ("2026-07-01 12:00:00", "Pacific/Kiritimati"), ("2026-07-01 12:00:00", "Etc/GMT+12"),
         ("2011-12-29 23:59:57", "Pacific/Apia"), ("1999-12-31 23:59:57", "UTC"), ("2262-04-11 23:47:10", "UTC")]


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED", what, flush=True)


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
    top = tempfile.mkdtemp(prefix="smilog-clock-")
    run, rc = os.path.join(top, "run"), os.path.join(top, "faketimerc")
    offset, began = 0.0, time.time()
    if first:
        os.environ["TZ"] = zone
        time.tzset()
        offset = time.mktime(time.strptime(first, "%Y-%m-%d %H:%M:%S")) - began

    def put(seconds):
        with open(rc + ".new", "w") as f:
            f.write(f"{seconds:+.3f}\n")
        os.rename(rc + ".new", rc)

    put(offset)
    env = dict(os.environ, LD_PRELOAD=LIB, FAKETIME_TIMESTAMP_FILE=rc, FAKETIME_NO_CACHE="1", DONT_FAKE_MONOTONIC="1",
               FAKETIME_DONT_FAKE_MONOTONIC="1", TZ=zone, SMI_FAKE_GPUS="2", SMI_FAKE_AT="100")
    live = subprocess.Popen([SMILOG, "live", "--demo", "-q", "-i", "0.25", "-o", run, "--for", str(SECONDS)], env=env,
                            stderr=subprocess.PIPE)
    for step in steps:
        time.sleep(SECONDS / (len(steps) + 1))
        offset += step
        put(offset)
    try:
        said = live.communicate(timeout=SECONDS + 20)[1]
    except subprocess.TimeoutExpired:
        live.kill()
        said = live.communicate()[1] + b" (killed)"
    check(live.returncode == 0, f"{name}: live ended with {live.returncode}: {said[-300:]}")
    env = dict(os.environ, TZ=zone)
    out = subprocess.run([SMILOG, "summarize", "--json", run], capture_output=True, env=env)
    check(out.returncode == 0, f"{name}: summarize ended with {out.returncode}: {out.stderr[-300:]}")
    check(os.path.exists(run + "/summary.json") and out.stdout == open(run + "/summary.json", "rb").read(),
          f"{name}: summary.json is another one")
    if out.returncode == 0:
        r = json.loads(out.stdout)["runs"][0]
        below = [(k, v) for k, v in numbers(r) if v < 0 and k not in ("longitude",) and "utc" not in k]
        check(not below, f"{name}: below zero: {below[:5]}")
        rows = sum(i["rows"] for i in r["inputs"] if i["path"].endswith("hw_metrics.csv"))
        check(rows >= SECONDS, f"{name}: {rows} rows of the query")
        check((r["covered_s"] or 0) <= SECONDS + SLACK + sum(abs(s) for s in steps if 0 < s < 3),
              f"{name}: {r['covered_s']} s are covered, of {SECONDS}")
        if not steps:
            lasted = [SECONDS, SECONDS + ODD.get(zone, 0)]
            check(any(abs(r["duration_s"] - x) <= SLACK for x in lasted), f"{name}: it lasted {r['duration_s']} s, not {lasted}")
        print(f"{name:44} {r['start']}  {r['duration_s']} s, {r['covered_s']} s covered, {rows} rows; "
              f"{'; '.join(r['problems'])[:150]}", flush=True)
    shutil.rmtree(top)


for s in STEPS:
    record(f"set by {s} s", None, [s], "UTC")
for s in (3600, -3600):
    record(f"set by {s} s and back", None, [s, -s], "Europe/Berlin")
record("set by 10 s, three times", None, [10, 10, 10], "UTC")
record("set by -10 s, three times", None, [-10, -10, -10], "UTC")
for first, zone in TIMES:
    record(f"from {first} {zone}", first, [], zone)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
