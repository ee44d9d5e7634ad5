#!/usr/bin/python3
"""kill -9 of `smilog live -o DIR` at random moments: no monitor is left after two seconds, every recorded line is whole,
and what was recorded is read without a rejected row.

    tests/system/live_check.py [KILLS] [SEED]        (20, 1)    SMILOG=build/smilog
"""
import json, os, random, shutil, signal, subprocess, sys, tempfile, time

KILLS, SEED = (int(a) for a in (sys.argv[1:] + ["20", "1"][len(sys.argv) - 1:])[:2])
SMILOG = os.environ.get("SMILOG", "build/smilog")
draw = random.Random(SEED)
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED", what)


def marked(tag):
    """Processes with our mark in their environment: the monitors that a recording has started."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if tag in f.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


def alive(tag):
    """Those that are still there after two seconds at most."""
    end = time.monotonic() + 2
    while marked(tag) and time.monotonic() < end:
        time.sleep(0.05)
    return marked(tag)


def look(directory, what):
    files = sorted(os.listdir(directory))
    temporary = [f for f in files if f.startswith(".")]
    check(len(temporary) <= 1, f"{what}: {temporary} left")
    rows = 0
    for name in files:
        if name.endswith(".csv"):
            data = open(os.path.join(directory, name), "rb").read()
            rows += data.count(b"\n")
            check(data.endswith(b"\n") or len(data) == 0, f"{what}: {name} ends inside a line")
    out = subprocess.run([SMILOG, "summarize", "--json", directory], capture_output=True)
    if out.returncode == 3:  # killed before the first row
        check(rows <= 4, f"{what}: {rows} lines, and nothing usable: {out.stderr[:200]}")
        return 0
    check(out.returncode == 0, f"{what}: summarize ended with {out.returncode}: {out.stderr[:200]}")
    for log in json.loads(out.stdout)["runs"][0]["inputs"]:
        bad = {k: v for k, v in log.items() if k in ("rejected", "torn_tail") and v}
        check(not bad, f"{what}: {log['path']}: {bad}")
    return rows


rows = 0
for i in range(KILLS):
    top = tempfile.mkdtemp(prefix="smilog-live-")
    directory = os.path.join(top, "run")
    tag = f"SMILOG_LIVE_CHECK={os.getpid()}-{i}"
    env = dict(os.environ, SMI_FAKE_GPUS=str(draw.randint(1, 8)))
    env.update([tag.split("=", 1)])
    live = subprocess.Popen([SMILOG, "live", "--demo", "-q", "-i", draw.choice(["0.05", "0.1", "0.25"]), "-o", directory],
                            env=env, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(draw.uniform(0.05, 3))
    live.send_signal(signal.SIGKILL)
    live.wait()
    left = alive(tag.encode())
    check(not left, f"kill {i}: {left} are left")
    if os.path.isdir(directory):
        rows += look(directory, f"kill {i}")
    shutil.rmtree(top)
print(f"{KILLS} kills, {rows} lines recorded")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
