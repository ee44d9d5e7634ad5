"""run_check.py: figures of known loads against psutil, and the forms of gpu_tracker."""
import csv
import json
import os
import re
import signal
import time

import psutil

from run_base import MIB, PYTHON, alive, check, has_text, Home, near, wait_for


# ---- figures ----

LOAD = """
import json, mmap, os, resource, signal, sys, threading, time
begin = time.monotonic()
end = begin + float(sys.argv[1])
MIB = 1 << 20
common = mmap.mmap(-1, 64 * MIB)
common.write(b'b' * (64 * MIB))
def burn(core, duty):
    os.sched_setaffinity(0, {core})
    while time.monotonic() < end:
        t = time.process_time()
        while time.process_time() - t < 0.05 * duty:
            pass
        time.sleep(0.05 * (1 - duty))
cores, pids = sorted(os.sched_getaffinity(0)), []
there, tell = os.pipe()
held, hold = os.pipe()
for what in 'burn', 'burn', 'sleep', 'sleep':
    pid = os.fork()
    if pid == 0:
        os.close(hold)
        mine = bytearray(50 * MIB)
        mine[::4096] = b'd' * (50 * MIB // 4096)
        sum(common[::4096])
        os.write(tell, b'1')
        if what == 'burn':
            burn(cores[len(pids) % len(cores)], 0.3 + 0.3 * len(pids))
        time.sleep(max(0, end - time.monotonic()))
        os.read(held, 1)
        os._exit(0)
    pids.append(pid)
for p in pids: # what no other has touched is not shared yet, and a reading may see that
    os.read(there, 1)
mine = bytearray(200 * MIB)
mine[::4096] = b'a' * (200 * MIB // 4096)
for _ in range(3):
    threading.Thread(target=time.sleep, args=(end - time.monotonic(),), daemon=True).start()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open('daemon', 'w') as f:
            f.write(str(os.getpid()))
        for fd in range(3):
            os.dup2(os.open('/dev/null', os.O_RDWR), fd)
        os.execv('/bin/sleep', ['sleep', '300'])
    os._exit(0)
os.wait()
with open('held', 'w') as f:
    f.write(f'0 - 1000\\n0 {os.getpid()} 2000\\n1 {os.getpid()} 500\\n1 {pids[0]} 300\\n1 1 4000\\n')
with open('pid', 'w') as f:
    f.write(str(os.getpid()))
t = time.process_time()
while time.process_time() - t < 1:
    pass
time.sleep(max(0, end - 0.5 - time.monotonic()))
del mine # so that giving back what it held, and the interpreter's end, add no CPU time after the last figure
common.close() # while others have it: behind them it would be no longer shared, in the one reading that may see that
os.close(hold) # on a busy machine, too, they end behind that
for p in pids:
    os.waitpid(p, 0)
with open('truth', 'w') as f:
    u = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    json.dump([x.ru_utime + x.ru_stime for x in u] + [time.monotonic() - begin], f)
os._exit(0)
"""


def memory_of(group):
    """By the rules of gpu_tracker."""
    private, shared = 0, {}
    for p in group:
        try:
            for m in p.memory_maps(grouped=False):
                private += m.private_clean + m.private_dirty
                shared[m.path] = max(shared.get(m.path, 0), m.shared_clean + m.shared_dirty)
        except psutil.NoSuchProcess:
            pass
    return private, sum(shared.values())


def figures_beside(h):
    """What psutil says while it runs: the largest of everything."""
    seen = {}

    def most(key, value):
        seen[key] = max(seen.get(key, 0), value)

    main = psutil.Process(int(h.read("pid")))
    psutil.cpu_percent(percpu=True)
    shares = []
    time.sleep(2)
    for _ in range(4):
        try:
            children = main.children(recursive=True) + [psutil.Process(int(h.read("daemon")))]
            for part, group in (("main", [main]), ("descendants", children), ("combined", [main, *children])):
                private, shared = memory_of(group)
                for key, v in (("private_rss", private), ("shared_rss", shared), ("total_rss", private + shared)):
                    most((part, key), v)
                most((part, "threads"), sum(p.num_threads() for p in group))
            most("ram", psutil.virtual_memory().used)
        except psutil.NoSuchProcess:
            break
        time.sleep(1)
        shares.append(sum(psutil.cpu_percent(percpu=True)))
    seen["cpu"] = shares
    return seen


def figures():
    """A tree of known loads: every figure of the JSON."""
    h = Home(2, SMI_FAKE_HELD="held", SMI_FAKE_AT="60")
    h.env["SMI_FAKE_HELD"] = h.path("held")
    with open(h.path("held"), "w", encoding="utf-8") as f:
        f.write("0 - 1000\n1 1 4000\n")
    with open(h.path("load.py"), "w", encoding="utf-8") as f:
        f.write(LOAD)
    p = h.start("-o", "run", "--usage", "u.json", "--ram-unit", "bytes", "--gpu-ram-unit", "megabytes", "--time-unit",
                "seconds", "--n-expected-cores", "3", "--", PYTHON, "load.py", "11.6")  # ends between two readings
    wait_for(lambda: has_text(h.path("pid")))
    seen = figures_beside(h)
    err = p.communicate()[1].decode()
    check("figures: exit status", p.returncode == 0, p.returncode)
    u = json.loads(h.read("u.json"))
    own, children, wall = json.loads(h.read("truth"))
    for part in "main", "descendants", "combined":
        for key in "private_rss", "shared_rss", "total_rss":
            near(f"figures: {part} {key}, psutil's", u["max_ram"][part][key], seen[part, key], 0.02, MIB // 4)
        near(f"figures: {part} threads", u["cpu_utilization"][part + "_n_threads"], seen[part, "threads"], 0)
    near("figures: main has 200 MiB", u["max_ram"]["main"]["private_rss"], 200 * MIB, 0.02)
    near("figures: four children have 50 MiB each", u["max_ram"]["descendants"]["private_rss"], 200 * MIB, 0.02,
         4 * MIB)
    near("figures: compute_time", u["compute_time"]["time"], wall, 0.02)
    t, c = u["compute_time"]["time"], u["cpu_utilization"]
    for part, truth in (("main", own), ("descendants", children), ("combined", own + children)):
        near(f"figures: {part} CPU, rusage's", c[part]["mean_sum_percent"] * t / 100, truth, 0.02, 0.04)
        near(f"figures: {part} CPU of 3 cores", c[part]["mean_hardware_percent"] * 3, c[part]["mean_sum_percent"], 1e-6)
        check(f"figures: {part} most is no less than the mean",
              c[part]["max_sum_percent"] >= c[part]["mean_sum_percent"], c[part]["max_sum_percent"])
    near("figures: machine's memory", u["max_ram"]["system_capacity"], psutil.virtual_memory().total, 0)
    near("figures: its use, psutil's", u["max_ram"]["system"], seen["ram"], 0.02, 32 << 20)
    near("figures: cores", c["system_core_count"], os.cpu_count(), 0)
    near("figures: system's CPU, psutil's", c["system"]["mean_sum_percent"], sum(seen["cpu"]) / len(seen["cpu"]), 0.02,
         20)
    figures_of_gpus(h, u)
    daemon = int(h.read("daemon"))
    check("figures: the daemon is in the left line", re.search(rf"^  left .*\b{daemon} sleep", err, re.M), err)
    check("figures: and lives on", alive(daemon), daemon)
    os.kill(daemon, signal.SIGKILL)
    h.gone()


def figures_of_gpus(h, u):
    g = u["max_gpu_ram"]
    for key, truth in (("main", 2500), ("descendants", 300), ("combined", 2800), ("system_capacity", 2 * 81559),
                       ("system", 1000 + 2000 + 500 + 300 + 4000 + 2 * 613)):  # of its own, each
        near(f"figures: GPU memory, {key}", g[key], truth)
    with open(h.path("run/hw_metrics.csv"), encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f, skipinitialspace=True)]
    use = [sum(float(r["utilization.gpu [%]"]) for r in rows[i:i + 2]) for i in range(0, len(rows) - 1, 2)]
    n = u["gpu_utilization"]
    near("figures: GPUs", n["system_gpu_count"], 2, 0)
    near("figures: GPU use, mean", n["gpu_percentages"]["mean_sum_percent"], sum(use) / len(use), 0.05)
    near("figures: GPU use, most", n["gpu_percentages"]["max_sum_percent"], max(use), 0.02)
    near("figures: GPU use, of each", n["gpu_percentages"]["mean_hardware_percent"] * 2,
         n["gpu_percentages"]["mean_sum_percent"], 1e-6)


# ---- forms ----

PARTS = "Main", "Descendants", "Combined"


def text_layout():
    """Lines of gpu_tracker's text, N for every number."""
    lines = ["Max RAM:", "   Unit: gigabytes", "   System capacity: N", "   System: N"]
    for part in PARTS:
        lines += [f"   {part}:"] + [f"      {w} RSS: N" for w in ("Total", "Private", "Shared")]
    lines += ["Max GPU RAM:", "   Unit: gigabytes", "   System capacity: N", "   System: N"]
    lines += [f"   {part}: N" for part in PARTS]
    lines += ["CPU utilization:", "   System core count: N", "   Number of expected cores: N"]
    four = [f"      {a} {b} percent: N" for a in ("Max", "Mean") for b in ("sum", "hardware")]
    for part in ("System", *PARTS):
        lines += [f"   {part}:"] + four
    lines += [f"   {part} number of threads: N" for part in PARTS]
    lines += ["GPU utilization:", "   System GPU count: N", "   Number of expected GPUs: N", "   GPU percentages:"]
    lines += four
    return lines + ["Compute time:", "   Unit: hours", "   Time: N"]


def snake(line):
    return (line.strip().split(":")[0].lower().replace("gpu ram", "gpu_ram").replace("number of expected", "n_expected")
            .replace("number of threads", "n_threads").replace(" ", "_"))


def keys(value):
    return sum(([k] + keys(v) for k, v in value.items()), []) if isinstance(value, dict) else []


def forms():
    h = Home(1)
    out = h.run("-q", "--format", "gpu-tracker-text", "--", "sleep", "1.2")[1]
    got = [re.sub(r": (-?\d+(\.\d+)?(e-?\d+)?|n/a)$", ": N", line) for line in out.splitlines()]
    check("forms: text", got == text_layout(), [pair for pair in zip(got, text_layout()) if pair[0] != pair[1]])
    check("forms: numbers have at most 3 decimals", not re.search(r"\.\d{4}", out))
    h.run("-q", "--usage", "u.json", "--", "sleep", "1.2")
    u = json.loads(h.read("u.json"))
    check("forms: JSON has the same keys in the same order", keys(u) == [snake(line) for line in text_layout()],
          keys(u))
    check("forms: JSON is Python's, indent 1", h.read("u.json").rstrip("\n") == json.dumps(u, indent=1))
    h.run("-q", "-i", "0.2", "--tracking-file", "t.csv", "--", "sleep", "1.5")
    with open(h.path("t.csv"), encoding="utf-8", newline="") as f:
        raw = f.read()
        rows = list(csv.reader(raw.splitlines(True)))
    check("forms: tracking file", [len(r) for r in rows[:3]] == [9, 9, 22] and {len(r) for r in rows[3:]} == {22} and
          len(rows) >= 8, [len(r) for r in rows])
    check("forms: its lines end with CR LF", raw.count("\r\n") == raw.count("\n") == len(rows))
    times = [float(r[-1]) for r in rows[3:]]
    check("forms: its times", all(0.1 < b - a < 0.4 for a, b in zip(times, times[1:-1])),
          [b - a for a, b in zip(times, times[1:])])
    h.gone()
