#!/usr/bin/python3
"""A day in minutes: `smilog live -o DIR` beside a stand-in whose clock goes 60 times as fast as ours and that samples 8
GPUs every two seconds of it, and `smilog follow
--store` of the directory. Memory and descriptors of both are looked at every few seconds: after a warm-up neither may
grow, but for what exact percentiles need: each value that was not seen before, as the hundredths of a watt of a day, is
counted on its own. At the end the summary is that of the recorded logs, and the store holds each of their lines once.

    tests/system/soak_check.py [MINUTES]        (24)    SMILOG=build/smilog
"""
import json, os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

MINUTES = float((sys.argv[1:] + ["24"])[0])
SMILOG = os.environ.get("SMILOG", "build/smilog")
WARM, STEP, GROWTH_KIB = MINUTES * 60 / 6, 5, 1024
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print("ok    " if ok else "FAILED", what, flush=True)


def rss(pid):
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))


def ticks(pid):
    with open(f"/proc/{pid}/stat") as f:
        return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13]))


class Watched:
    def __init__(self, name, argv, env):
        self.name, self.seen = name, []
        self.process = subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL)

    def look(self, at):
        pid = self.process.pid
        self.seen.append((at, rss(pid), len(os.listdir(f"/proc/{pid}/fd")), ticks(pid)))

    def judge(self):
        """The least of the first and of the last quarter behind the warm-up: reading all logs again for summary.json takes
        memory and descriptors for a moment."""
        warm = [x for x in self.seen if x[0] >= WARM]
        early, late = warm[:len(warm) // 4], warm[-(len(warm) // 4):]
        (rss0, fds0), (rss1, fds1) = [(min(x[1] for x in part), min(x[2] for x in part)) for part in (early, late)]
        share = (warm[-1][3] - warm[0][3]) / os.sysconf("SC_CLK_TCK") / (warm[-1][0] - warm[0][0]) * 100
        print(f"{self.name}: VmRSS {rss0} KiB, then {rss1}, {max(x[1] for x in warm)} at most; {fds0} descriptors, then {fds1}, "
              f"{max(x[2] for x in warm)} at most; {share:.2f} % of a core")
        check(rss1 - rss0 <= GROWTH_KIB, f"{self.name} grew by {rss1 - rss0} KiB")
        check(fds0 == fds1, f"{self.name} has as many descriptors as before")


top = tempfile.mkdtemp(prefix="smilog-soak-")
run, store = os.path.join(top, "run"), os.path.join(top, "store.sqlite")
env = dict(os.environ, SMI_FAKE_GPUS="8", SMI_FAKE_SPEED="60", SMI_FAKE_STAMPS="fast", SMI_FAKE_EPOCH=str(time.time()))
live = Watched("live", [SMILOG, "live", "--demo", "-i", "2", "-q", "-o", run], env)
while not os.path.exists(os.path.join(run, "hw_metrics.csv")):
    time.sleep(0.1)
follow = Watched("follow", [SMILOG, "follow", "-q", "--store", store, run], env)
begin = time.monotonic()
while time.monotonic() - begin < MINUTES * 60:
    time.sleep(STEP)
    for w in (live, follow):
        w.look(time.monotonic() - begin)
live.process.send_signal(signal.SIGTERM)
check(live.process.wait(20) == 0, "live ended in order")
time.sleep(3)
follow.process.send_signal(signal.SIGTERM)
check(follow.process.wait(20) == 0, "follow ended in order")
for w in (live, follow):
    w.judge()
said = subprocess.run([SMILOG, "summarize", "--json", run], capture_output=True).stdout
check(said == open(os.path.join(run, "summary.json"), "rb").read(), "summary.json is what summarize says")
log = next(x for x in json.loads(said)["runs"][0]["inputs"] if x["path"].endswith("hw_metrics.csv"))
print(f"{log['rows']} rows of the query")
check(not log["rejected"], "no row was rejected")
db = sqlite3.connect(store)
for name in sorted(os.listdir(run)):
    if name.endswith(".csv"):
        lines = open(os.path.join(run, name), "rb").read().count(b"\n")
        held = db.execute("SELECT count(*) FROM line JOIN source ON source.id = line.source WHERE source.path LIKE ?", ("%/" + name,)).fetchone()[0]
        check(held == lines, f"{name}: {lines} lines, {held} in the store")
shutil.rmtree(top)
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
