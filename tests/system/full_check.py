#!/usr/bin/python3
"""A recording on a file system that runs full, and has room again: `smilog live -o DIR` on a small tmpfs with a ballast
file. It goes on, says that it does not record, records again, and says how many lines are lost; no line that stands
there is torn, and its summary is that of the logs.

    tests/system/full_check.py [TIMES]        (5)    SMILOG=build/smilog    needs root, for the tmpfs
"""
import json, os, random, shutil, signal, subprocess, sys, tempfile, time

TIMES = int((sys.argv[1:] + ["5"])[0])
SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
draw = random.Random(1)
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED", what, flush=True)


def wait_for(said, word, seconds=60):
    end = time.monotonic() + seconds
    while word not in open(said).read() and time.monotonic() < end:
        time.sleep(0.05)
    return word in open(said).read()


def one(i, top):
    disk, said = os.path.join(top, "disk"), os.path.join(top, "said")
    run, ballast = os.path.join(disk, "run"), os.path.join(disk, "ballast")
    os.mkdir(disk)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], check=True)
    try:
        with open(ballast, "wb") as f:
            f.write(bytes(draw.randrange(1200, 1900) * 1024))
        with open(said, "w") as err:
            live = subprocess.Popen([SMILOG, "live", "--demo", "-q", "-i", "0.05", "-o", run], stderr=err)
        check(wait_for(said, "not recorded:"), f"{i}: that the disk is full is not said")
        check(live.poll() is None, f"{i}: live ended with {live.poll()}")
        time.sleep(draw.uniform(0, 2))
        os.remove(ballast)
        check(wait_for(said, "recording again"), f"{i}: that it records again is not said")
        time.sleep(1)
        live.send_signal(signal.SIGTERM)
        check(live.wait(20) == 0, f"{i}: live ended with {live.returncode}")
        out = subprocess.run([SMILOG, "summarize", "--json", run], capture_output=True)
        check(out.returncode == 0 and out.stdout == open(run + "/summary.json", "rb").read(), f"{i}: the summary is another one")
        r = json.loads(out.stdout)["runs"][0]
        for log in r["inputs"]:
            check(not log["rejected"] and not log.get("torn_tail"), f"{i}: {log['path']}: {log['rejected']}")
        events = [json.loads(line) for line in open(run + "/run.jsonl")]
        gaps = [e["data"] for e in events if e.get("event") == "gap" and e["data"].get("reason") == "disk full"]
        check(gaps and all(g["lost_lines"] > 0 for g in gaps), f"{i}: the gap is not recorded: {gaps}")
        check(events[-1]["event"] == "stop", f"{i}: the recording has no end")
        check(events[-1]["data"].get("lost_lines") == sum(g["lost_lines"] for g in gaps), f"{i}: {events[-1]}, but {gaps}")
        print(f"{i}: {sum(log['rows'] for log in r['inputs'])} rows are there; lost: "
              f"{', '.join(str(g['lost_lines']) + ' of ' + g['monitor'] for g in gaps)}", flush=True)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


if os.geteuid():
    print("left out: a tmpfs needs root")
    TIMES = 0
for i in range(TIMES):
    top = tempfile.mkdtemp(prefix="smilog-full-")
    one(i, top)
    shutil.rmtree(top)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
