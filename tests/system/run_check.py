#!/usr/bin/python3
"""smilog run as a whole, with loads whose figures are known, against psutil, and with failures.

    make && /usr/bin/python3 -B tests/system/run_check.py [PART...]

Parts: figures forms statuses pipe terminal churn bomb steady beside oom namespaces hidepid gpus amd killed. Needs
python3-psutil; bomb, oom, namespaces and hidepid need root. What it costs is printed, and not judged, because the
machine may be busy. SECONDS: how long churn, steady and beside last (60); TIMES: how often each
is killed (100); BOMB: how many processes that may have (1000)."""
import concurrent.futures
import csv
import glob
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import psutil

from lib import (FAKE, ROOT, SMILOG, alive, check, has_text, memory_kib, near, processes, read, run_parts, stat,
                 summaries, wait)

SECONDS = int(os.environ.get("SECONDS", "60"))
TIMES = int(os.environ.get("TIMES", "100"))
PYTHON = "/usr/bin/python3"
MIB = 1 << 20
FOREIGN = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "SLURM_STEP_GPUS", "SLURM_JOB_GPUS",
           "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")


def told(what):
    print("       " + what, flush=True)


class Home:
    """A directory of its own, with a nvidia-smi where there is to be one."""

    def __init__(self, gpus=0, **env):
        self.dir = tempfile.mkdtemp(prefix="smilog-check-run-")
        self.env = {k: v for k, v in os.environ.items() if k not in FOREIGN and not k.startswith("SMI_FAKE")}
        self.env.update(LC_ALL="C.UTF-8", TZ="UTC", SMI_FAKE_GPUS=str(gpus), **env)
        os.mkdir(self.dir + "/bin")
        self.env["PATH"] = self.dir + "/bin:" + self.env["PATH"]
        if gpus:
            os.symlink(FAKE, self.dir + "/bin/nvidia-smi")

    def path(self, name):
        return self.dir + "/" + name

    def read(self, name):
        return read(self.path(name))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def start(self, *words, **more):
        return subprocess.Popen([SMILOG, "run", *words], cwd=self.dir, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *words, **more):
        p = self.start(*words, **more)
        out, err = p.communicate()
        return p.returncode, out.decode(), err.decode()

    def summary(self, name):
        return next(iter(summaries(name, cwd=self.dir, env=self.env)), {})

    def gone(self):
        shutil.rmtree(self.dir, ignore_errors=True)


# ---- loads; the word behind the seconds is the stream to which churn says what it did ----

CHURN = """
import os, resource, sys, time
begin, n = time.monotonic(), 0
end = begin + float(sys.argv[1])
while time.monotonic() < end:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    n += 1
    ahead = begin + n / 1000 - time.monotonic()
    if ahead > 0:
        time.sleep(ahead)
u = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(n, sum(x.ru_utime + x.ru_stime for x in u), file=getattr(sys, sys.argv[2]))
"""
BOMB = "import os, sys, time\nend = time.monotonic() + float(sys.argv[1])\n" \
       "while time.monotonic() < end:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(5)\n"


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
    h.write("held", "0 - 1000\n1 1 4000\n")
    h.write("load.py", LOAD)
    p = h.start("-o", "run", "--usage", "u.json", "--ram-unit", "bytes", "--gpu-ram-unit", "megabytes", "--time-unit",
                "seconds", "--n-expected-cores", "3", "--", PYTHON, "load.py", "11.6")  # ends between two readings
    wait(lambda: has_text(h.path("pid")))
    seen = figures_beside(h)
    err = p.communicate()[1].decode()
    check("figures: exit status", p.returncode == 0, p.returncode)
    u = json.loads(h.read("u.json"))
    own, children, wall = json.loads(h.read("truth"))
    for part in "main", "descendants", "combined":
        for key in "private_rss", "shared_rss", "total_rss":
            near(f"figures: {part} {key}, psutil's", u["max_ram"][part][key], seen[part, key], 0.02, MIB // 4)
        near(f"figures: {part} threads", u["cpu_utilization"][part + "_n_threads"], seen[part, "threads"], 0)
    near("figures: main has 200 MiB, and its interpreter", u["max_ram"]["main"]["private_rss"], 200 * MIB, 0.02, 8 * MIB)
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

TEXT_PARTS = "Main", "Descendants", "Combined"


def text_layout():
    """Lines of gpu_tracker's text, N for every number."""
    lines = ["Max RAM:", "   Unit: gigabytes", "   System capacity: N", "   System: N"]
    for part in TEXT_PARTS:
        lines += [f"   {part}:"] + [f"      {w} RSS: N" for w in ("Total", "Private", "Shared")]
    lines += ["Max GPU RAM:", "   Unit: gigabytes", "   System capacity: N", "   System: N"]
    lines += [f"   {part}: N" for part in TEXT_PARTS]
    lines += ["CPU utilization:", "   System core count: N", "   Number of expected cores: N"]
    four = [f"      {a} {b} percent: N" for a in ("Max", "Mean") for b in ("sum", "hardware")]
    for part in ("System", *TEXT_PARTS):
        lines += [f"   {part}:"] + four
    lines += [f"   {part} number of threads: N" for part in TEXT_PARTS]
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


# ---- statuses, streams, terminals ----


def statuses():
    h = Home()
    h.write("text", "no program\n")
    for words, status in ((("true",), 0), (("false",), 1), (("sh", "-c", "exit 42"), 42), (("./text",), 126),
                          (("no-such-command",), 127), (("sh", "-c", "kill -SEGV $$"), -signal.SIGSEGV),
                          (("sh", "-c", "kill -KILL $$"), -signal.SIGKILL)):
        before = h.run("-q", "--", *words)[0]
        shell = subprocess.run(["sh", "-c", '"$0" run -q -- "$@"; echo $?', SMILOG, *words], cwd=h.dir, env=h.env,
                               capture_output=True, text=True, check=False).stdout.strip()
        check(f"status of {' '.join(words)}", before == status and
              shell == str(status if status >= 0 else 128 - status), (before, shell))
    h.gone()


def pipe():
    """1 GiB through cat."""
    h = Home()
    feed = "import os\nblock = os.urandom(1 << 20)\n" \
           "for i in range(1024):\n    os.write(1, i.to_bytes(4, 'big') + block[4:])\n"
    sums = []

    def count(stream, to):
        s, n = hashlib.md5(), 0
        for data in iter(lambda: stream.read(MIB), b""):
            s.update(data)
            n += len(data)
            if to:
                to.write(data)
        if to:
            to.close()
        sums.append((n, s.hexdigest()))

    source = subprocess.Popen([PYTHON, "-c", feed], stdout=subprocess.PIPE)
    sink = subprocess.Popen([SMILOG, "run", "-q", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=h.env)
    t = threading.Thread(target=count, args=(source.stdout, sink.stdin))
    t.start()
    count(sink.stdout, None)
    t.join()
    source.wait()
    check("pipe: 1 GiB as it was", sink.wait() == 0 and sums[0] == sums[1] and sums[0][0] == 1 << 30, sums)
    h.gone()


def terminal():
    p = subprocess.run([PYTHON, "-B", str(ROOT / "tests/system/job_check.py"), SMILOG, "run", "-q", "--"], capture_output=True,
                       text=True, check=False)
    check("terminal", p.returncode == 0, p.stdout.strip())


# ---- what it costs, and what it must not miss ----


def own_cpu(pid):
    """Seconds of smilog, without what it waited for."""
    return sum(map(int, stat(pid)[11:13])) / os.sysconf("SC_CLK_TCK")


def watched(name, h, words, seconds, **more):
    """Runs it; (status, stdout, stderr), and says what smilog itself used."""
    p = h.start("--usage", "u.json", "--ram-unit", "bytes", "--time-unit", "seconds", *words, **more)
    begin, used, held = time.monotonic(), 0.0, 0
    at = begin
    while p.poll() is None and time.monotonic() < begin + seconds:
        time.sleep(0.5)
        try:
            used, held, at = own_cpu(p.pid), max(held, memory_kib(p.pid)), time.monotonic()
        except (OSError, TypeError):
            break
    told(f"{name}: smilog itself {100 * used / max(at - begin, 1e-3):.2f} % of a core over {at - begin:.0f} s, "
         f"{held / 1024:.1f} MiB")
    out, err = p.communicate()
    return p.returncode, out.decode(), err.decode()


def churn():
    """Children that live for a moment; strangers started beside it are never counted."""
    h = Home()
    stop = threading.Event()

    def strangers():
        while not stop.wait(0.01):
            subprocess.run([PYTHON, "-c", "x = bytearray(b'x' * (300 << 20))"], check=False)

    t = threading.Thread(target=strangers)
    t.start()
    _, out, err = watched("churn", h, ["--", PYTHON, "-c", CHURN, str(SECONDS), "stdout"], SECONDS + 5)
    stop.set()
    t.join()
    n, truth = out.split()
    u = json.loads(h.read("u.json"))
    told(f"churn: {int(n) / SECONDS:.0f} children a second")
    near("churn: all CPU time is found", u["cpu_utilization"]["combined"]["mean_sum_percent"] *
         u["compute_time"]["time"] / 100, float(truth), 0.02, 0.04)
    check("churn: no stranger's memory", u["max_ram"]["combined"]["total_rss"] < 100 * MIB,
          u["max_ram"]["combined"]["total_rss"])
    check("churn: no stranger among the processes", not re.search(r"(\d+) processes at most", err) or
          int(re.search(r"(\d+) processes at most", err).group(1)) <= 3, err.splitlines()[0])
    check("churn: nothing is left", "  left " not in err, err)
    h.gone()


GROUP = "/sys/fs/cgroup/pids/run_check" if os.path.isdir("/sys/fs/cgroup/pids") else "/sys/fs/cgroup/run_check"


def limited(most):
    """What a child calls to be in a control group of so many processes; None: none can be made."""
    try:
        os.makedirs(GROUP, exist_ok=True)
        with open(GROUP + "/pids.max", "w", encoding="utf-8") as f:
            f.write(str(most))
    except OSError:
        return None

    def enter():
        with open(GROUP + "/cgroup.procs", "w", encoding="utf-8") as f:
            f.write(str(os.getpid()))
    return enter


def bomb():
    """As another user. BOMB: how many processes there may be (1,000); it takes a machine for itself to be scheduled
    beside 5,000."""
    if os.geteuid():
        return told("bomb: left out, it needs root")
    h = Home(1)
    seconds = min(SECONDS, 15)
    most = int(os.environ.get("BOMB", "1000"))
    enter = limited(most)
    words = ["-o", "run", "--", "setpriv", "--reuid=64321", "--regid=64321", "--clear-groups", PYTHON, "-c", BOMB,
             str(seconds)]
    status, _, err = watched("bomb", h, words, seconds + 60, preexec_fn=enter or (
        lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most))))
    check("bomb: status", status == 0, status)
    found = re.search(r"(\d+) processes at most", err)
    check("bomb: all are found", found and int(found.group(1)) > 0.9 * most, err.splitlines()[:1])
    check("bomb: recorded", h.summary("run").get("state") == "ok", h.summary("run").get("state"))
    if enter:
        wait(lambda: not open(GROUP + "/cgroup.procs", encoding="utf-8").read())
        os.rmdir(GROUP)
    h.gone()
    return None


def steady():
    h = Home()
    one = f"i=0; while [ $i -lt 200 ]; do sleep {SECONDS} & i=$((i+1)); done; wait"
    stranger = subprocess.Popen([PYTHON, "-c", f"import time; x = bytearray(b'x' * (300 << 20)); "
                                 f"time.sleep({SECONDS})"])
    _, _, err = watched("steady, 200 processes", h, ["--", "sh", "-c", one], SECONDS)
    check("steady: all are found, no stranger is", "201 processes at most" in err, err.splitlines()[0])
    ram = json.loads(h.read("u.json"))["max_ram"]["combined"]["total_rss"]
    check("steady: no stranger's memory", ram < 200 * MIB, ram)
    stranger.wait()
    h.gone()


def beside():
    """A sleeping command beside 8 GPUs."""
    h = Home(8)
    status, _, _ = watched("beside 8 GPUs", h, ["-o", "run", "--", "sleep", str(SECONDS)], SECONDS - 1)
    check("beside: status", status == 0, status)
    check("beside: recorded", h.summary("run").get("state") == "ok", h.summary("run").get("state"))
    h.gone()


# ---- memory runs out; namespaces ----

EAT = "x = []\nwhile True:\n    x.append(bytearray(b'x' * (1 << 20)))\n"


def oom():
    group = "/sys/fs/cgroup/memory/run_check" if os.path.isdir("/sys/fs/cgroup/memory") else "/sys/fs/cgroup/run_check"
    limit = "memory.limit_in_bytes" if "/memory/" in group else "memory.max"
    h = Home(1)
    try:
        os.makedirs(group, exist_ok=True)
        with open(f"{group}/{limit}", "w", encoding="utf-8") as f:
            f.write(str(200 * MIB))
    except OSError as e:
        return told(f"oom: left out, no control group can be made: {e}")

    def enter():
        with open(group + "/cgroup.procs", "w", encoding="utf-8") as f:
            f.write(str(os.getpid()))

    status, _, err = h.run("-i", "0.2", "-o", "run", "--", PYTHON, "-c", "import time; time.sleep(1)\n" + EAT,
                           preexec_fn=enter)
    told(err.rstrip().replace("\n", "\n       "))
    events = [json.loads(line) for line in h.read("run/run.jsonl").splitlines()]
    mine = [e for e in events if "oom" in (e.get("event"), e.get("name"), e.get("type"))]
    s = h.summary("run")
    check("oom: status", status == -signal.SIGKILL, status)
    check("oom: the RunLog says so", len(mine) == 1, mine or events[-3:])
    check("oom: state", s.get("state") == "failed" and s.get("state_reason") == "out of memory",
          (s.get("state"), s.get("state_reason")))
    check("oom: limits", re.search(r"^  limits +memory at most 100.0 % of 200.0 MiB", err, re.M), err)
    status, _, err = h.run("-o", "run2", "--", "sh", "-c", f"{PYTHON} -c \"$0\"; exit 5", EAT, preexec_fn=enter)
    events = h.read("run2/run.jsonl")
    check("oom: of a child: status", status == 5, status)
    check("oom: of a child: said", "oom_kill" in events and "memory was full" in err, err)
    wait(lambda: not open(group + "/cgroup.procs", encoding="utf-8").read())
    os.rmdir(group)
    h.gone()


def namespaces():
    h = Home(1)
    h.env["SMI_FAKE_HELD"] = h.path("held")
    h.write("held", "0 - 1000\n")
    p = subprocess.run(["unshare", "-pf", "--mount-proc", SMILOG, "run", "-o", "in", "--", "sh", "-c",
                        "sleep 1; exit 4"],
                       cwd=h.dir, env=h.env, capture_output=True, text=True, check=False)
    if p.returncode == 1 and "unshare failed" in p.stderr:
        h.gone()
        return told(f"namespaces: left out: {p.stderr.strip()}")
    check("namespaces: all of it inside: status", p.returncode == 4, (p.returncode, p.stderr))
    check("namespaces: all of it inside: 2 processes", ", 2 processes at most" in p.stderr, p.stderr.splitlines()[:1])
    script = ("echo 29999 >/proc/sys/kernel/ns_last_pid; sleep 77 & "  # one that nobody has outside
              "echo \"0 - 1000\n0 $! 2300 sleep\" >held; sleep 2.5; kill $!")
    status, _, err = h.run("-i", "0.2", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "unshare", "-pf",
                           "--mount-proc", "sh", "-c", script)
    g = json.loads(h.read("u.json"))["max_gpu_ram"]
    check("namespaces: the command inside: status", status == 0, status)
    check("namespaces: GPU memory by the pids there", "by their pids in the container" in " ".join(err.split()), err)
    near("namespaces: GPU memory", g["combined"], 2300, 0)
    for name, much in (("sh", 700), ("some-trainer", None)):  # 1 is somebody else out here
        h.write("held", "0 - 1000\n")
        err = h.run("-i", "0.2", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "unshare", "-pf",
                    "--mount-proc", "sh", "-c", f"echo '0 1 700 {name}' >held; sleep 2.5; :")[2]
        got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
        check(f"namespaces: 1, called {name}", got == much, (got, re.findall("GPU memory .*", err)))
    h.gone()
    return None


HIDE = """
mount -t proc -o hidepid=2 proc /proc
as() { setpriv --reuid 64321 --regid 64321 --clear-groups "$@"; }
as "$0" run -i 0.3 -o own -- sh -c 'sleep 1.5 & wait' 2>own.err
as "$0" run -i 0.3 -o main --usage main.json -- ./other 1.5 2>main.err
as "$0" run -i 0.3 -o child --usage child.json -- sh -c './other 1.5; :' 2>child.err
sleep 20 & as "$0" run -i 0.3 -o pid --usage pid.json --pid $! 2>pid.err & sleep 2; kill $!; wait $!
as "$0" summarize -q --json own main child pid >all.json
"""


def hidepid():
    """Of processes that /proc hides there are no figures, and never 0."""
    h = Home()
    os.chmod(h.dir, 0o777)
    shutil.copy("/bin/sleep", h.path("other"))
    os.chmod(h.path("other"), 0o4755)
    shutil.copy(SMILOG, h.path("smilog"))
    p = subprocess.run(["unshare", "-m", "sh", "-c", HIDE, "./smilog"], cwd=h.dir, env=h.env, capture_output=True,
                       text=True, check=False)
    if p.returncode or not has_text(h.path("pid.json")):
        h.gone()
        return told(f"hidepid: left out: {p.stderr.strip()}")
    check("hidepid: one's own: 2 processes", ", 2 processes at most" in h.read("own.err"), h.read("own.err"))
    for name, part, known in (("main", "main", False), ("main", "combined", False), ("child", "descendants", False),
                              ("child", "main", True), ("pid", "combined", False)):
        u = json.loads(h.read(name + ".json"))
        ram, cpu = u["max_ram"][part]["total_rss"], u["cpu_utilization"][part]["mean_sum_percent"]
        check(f"hidepid: {name}: memory, {part}", (ram is not None and ram > 0) == known, ram)
        if name == "pid":
            check("hidepid: pid: CPU", cpu is None, cpu)
    for name in "main", "pid":
        check(f"hidepid: {name}: said", "does not show it (hidepid)" in h.read(name + ".err"), h.read(name + ".err"))
    check("hidepid: child: counted", ", 2 processes at most" in h.read("child.err"), h.read("child.err"))
    check("hidepid: child: said", "lack processes that may not be read" in " ".join(h.read("child.err").split()), "")
    zeros = [m for r in json.loads(h.read("all.json"))["runs"] if r["run"] in ("main", "pid")
             for m in r["host"]["metrics"] if m.startswith("tree_ram") or m.startswith("tree_thr")]
    check("hidepid: nothing of it is recorded", not zeros, zeros)
    h.gone()
    return None


# ---- GPUs ----


def misbehaviours():
    text = read(FAKE)
    return re.findall(r"^    '([a-z0-9-]+)': '", text, re.M)


def one_trouble(do, alone):
    h = Home(0 if do == "absent" else 2, SMI_FAKE_DO="" if do == "absent" else do)
    if alone:
        h.env["CUDA_VISIBLE_DEVICES"] = "0"
    begin = time.time()
    status, out, err = h.run("-o", "run", "--usage", "u.json", "--", "sh", "-c", "date +%s.%N; sleep 1; exit 7")
    left = processes(h.dir + "/bin/nvidia-smi")
    result = (do, alone, status, float(out) - begin, time.time() - float(out), err, left,
              h.summary("run").get("exit_code"))
    h.gone()
    return result


def gpus():
    """Each rung of knowing whose memory it is, and each misbehaviour of nvidia-smi."""
    rungs()
    jobs = [(do, alone) for do in ["absent", *misbehaviours()] for alone in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for do, alone, status, late, rest, err, left, code in pool.map(lambda j: one_trouble(*j), jobs):
            check(f"gpus: {do}{', alone' if alone else ''}", status == 7 and late < 10.5 and rest < 8 and not left and
                  code == 7, f"status {status}, begun after {late:.1f} s, ended after {rest:.1f} s, left {left}" +
                  ("" if status == 7 else err))


def rungs():
    for name, visible, held, way, much in (
            ("by pid", None, "0 $$ 2000\n1 $$ 500", "nvidia-smi's list of processes)", 2500),
            ("nobody's", None, "0 - 9000", "are not ours", None),
            ("alone", "0", "0 - 4000\n1 - 7000", "less what was held before", 3000),
            ("not permitted", None, "0 - 1000\n0 $$ ?", "are not ours", None),
            ("not permitted, alone", "0", "0 - 1500\n0 $$ ?", "less what was held before", 500),
            ("a MIG instance", "MIG-1/0", "0 - 4000", "are not ours", None),
            ("a MIG instance, by pid", "MIG-1/0", "0 $$ 700", "nvidia-smi's list of processes)", 700)):
        h = Home(2)
        h.env["SMI_FAKE_HELD"] = h.path("held")
        if visible:
            uuid = subprocess.run(["nvidia-smi", "-i", "0", "-L"], env=h.env, capture_output=True, text=True,
                                  check=True).stdout.split("UUID: ")[1].strip(" )\n")
            h.env["CUDA_VISIBLE_DEVICES"] = visible.replace("MIG-", f"MIG-{uuid}/")
        h.write("held", "0 - 1000\n")
        err = h.run("-i", "0.2", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "bash", "-c",
                    f'echo "{held}" >held; sleep 2')[2]
        got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
        check(f"gpus: {name}", way in err and got == much, (got, re.findall("GPU memory .*", err)))
        h.gone()


AMD = """#!/usr/bin/python3 -SE
import os, sys, time
sys.stdout.reconfigure(newline='')
of_processes = sys.argv[1:2] == ['process'] and os.path.exists('version')
if (sys.argv[1:2] != ['monitor'] and not of_processes) or '--csv' not in sys.argv or '-w' not in sys.argv:
    sys.exit('amd-smi: error: unrecognized arguments')
def processes():
    new = open('version').read().strip() == 'new'
    names = 'name,pid,gtt_mem,cpu_mem,vram_mem,mem_usage,gfx,enc'.split(',')
    names += ['sdma_usage', 'cu_occupancy', 'evicted_time'] * new
    rows = []
    lines = [line.split() for line in open('on')] if os.path.exists('on') else []
    for g in 0, 1:
        on = [line for line in lines if line[0] == str(g)]
        if not on:
            rows.append({'gpu': g, 'process_info': 'No running processes detected'})
        for _, pid, much in on:
            name = os.path.basename(os.readlink(f'/proc/{pid}/exe')) if os.path.exists(f'/proc/{pid}') else 'N/A'
            row = dict({'gpu': g}, **dict.fromkeys(names, 0))
            row.update(name=name, pid=pid, gtt_mem=2097152, vram_mem=much)
            if much != 'N/A':
                row['vram_mem'] = int(much) * 1048576
                row['mem_usage'] = row['vram_mem'] + 2097152 if new else int(much) + 2
            rows.append(row)
    rows = [dict({'timestamp': int(time.time())}, **row) for row in rows]
    rest = {name for row in rows for name in row} - set(rows[0])
    head = [*rows[0], *sorted(rest, reverse=new)]
    for row in [dict(zip(head, head)), *rows]:
        print(','.join(str(row.get(name, 'N/A')) for name in head), end='\\r\\n')
print("'CTRL' + 'C' to stop watching output:")
while True:
    if of_processes:
        processes()
        print(end='\\r\\n', flush=True)
        time.sleep(float(sys.argv[sys.argv.index('-w') + 1]))
        continue
    there = os.path.exists('held')
    print('timestamp,gpu,power_usage,hotspot_temperature,memory_temperature,gfx,gfx_clock,mem,mem_clock,vram_used,'
          'vram_total', end='\\r\\n')
    for g in 0, 1:
        used = 4000 + 1000 * g + 700 * g * there
        print(f'{int(time.time())},{g},{200 + g},50,45,{90 - 10 * g},1700,30,1300,{used},65520', end='\\r\\n')
    print(end='\\r\\n', flush=True)
    time.sleep(float(sys.argv[sys.argv.index('-w') + 1]))
"""


def amd():
    h = Home()
    with open(h.path("bin/amd-smi"), "w", encoding="utf-8") as f:
        f.write(AMD)
    os.chmod(h.path("bin/amd-smi"), 0o755)
    for brand in "amd", "auto":
        status, _, err = h.run("--gpu-brand", brand, "-o", brand, "--usage", "u.json", "--gpu-ram-unit",
                               "megabytes", "--", "sh", "-c", "sleep 3; exit 7")
        u = json.loads(h.read("u.json"))
        check(f"amd: {brand}: status", status == 7, (status, err))
        near(f"amd: {brand}: GPUs", u["gpu_utilization"]["system_gpu_count"], 2, 0)
        near(f"amd: {brand}: use", u["gpu_utilization"]["gpu_percentages"]["mean_sum_percent"], 170, 0)
        near(f"amd: {brand}: memory", u["max_gpu_ram"]["system"], 9000, 0)
        near(f"amd: {brand}: of", u["max_gpu_ram"]["system_capacity"], 2 * 65520, 0)
        check(f"amd: {brand}: recorded", len(h.summary(brand).get("gpus", [])) == 2, list(h.summary(brand)))
    for variables, much in (({"HIP_VISIBLE_DEVICES": "1"}, 700), ({"ROCR_VISIBLE_DEVICES": "0"}, 0), ({}, None),
                            ({"HIP_VISIBLE_DEVICES": "0", "ROCR_VISIBLE_DEVICES": "1,0"}, 700),
                            ({"ROCR_VISIBLE_DEVICES": "GPU-1"}, None)):
        h.env.update(variables)
        err = h.run("--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "sh", "-c", "touch held; sleep 3.5")[2]
        got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
        check(f"amd: {variables}", got == much, (got, re.findall("GPU memory .*", err)))
        os.remove(h.path("held"))
        for name in variables:
            del h.env[name]
    amd_processes(h)
    h.gone()


def amd_processes(h):
    """Whose memory it is by amd-smi's list of processes, of both versions; a stranger is on the GPUs, too."""
    stranger = subprocess.Popen(["sleep", "600"])
    by_pid, alone = "amd-smi's list of processes)", "less what was held before"
    for version in "old", "new":
        for name, on, visible, way, much in (
                ("by pid", "0 $$ 2000\n1 $$ 500\n1 {} 9000", None, by_pid, 2500),
                ("by pid, of all GPUs", "0 $$ 2000\n1 $$ 500\n1 {} 9000", "1", by_pid, 2500),
                ("none on the first GPU", "1 $$ 500", None, by_pid, 500),
                ("a stranger's only", "0 {} 9000", None, by_pid, 0),
                ("no process", "", None, "of our pids", None),
                ("not told", "0 $$ N/A\n1 {} 9000", None, "of our pids", None),
                ("not told elsewhere", "0 $$ N/A", "1", alone, 0),
                ("all 0 though it grew", "0 $$ 0\n1 $$ 0", None, "of our pids", None),
                ("all 0 though it grew, alone", "1 $$ 0", "1", alone, 700),
                ("0 beside another", "0 {} 900\n0 $$ 0\n1 $$ 300", None, by_pid, 300)):
            h.env.pop("HIP_VISIBLE_DEVICES", None)
            if visible:
                h.env["HIP_VISIBLE_DEVICES"] = visible
            h.write("version", version)
            grow = "touch held; " if "grew" in name else ""
            err = h.run("-o", f"{version} {name}", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "bash",
                        "-c", f'printf "{on.format(*[stranger.pid] * on.count("{}"))}" >on; {grow}sleep 3.5')[2]
            got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
            check(f"amd: {version}: {name}", way in err and got == much, (got, re.findall("GPU memory .*", err)))
            told = [p for p in h.summary(f"{version} {name}").get("inputs", []) if "amd_processes" in str(p)]
            check(f"amd: {version}: {name}: recorded", told and told[0]["format"] == "amd-smi-process" and
                  not told[0].get("rejected"), told)
            os.remove(h.path("on"))
            if grow:
                os.remove(h.path("held"))
    h.env.pop("HIP_VISIBLE_DEVICES", None)
    os.remove(h.path("version"))
    stranger.kill()
    stranger.wait()


# ---- killed ----


def torn(h, name):
    """Lines that are no whole line, of each file of the recording; the most."""
    worst = {}
    for path in glob.glob(h.path(name + "/*.csv")) + [h.path(name + "/run.jsonl")]:
        with open(path, encoding="utf-8", errors="replace", newline="") as f:
            lines = f.read().split("\n")
        bad = int(lines.pop() != "")
        if path.endswith("csv"):
            n = lines[0].count(",") if lines else 0
            bad += sum(line.count(",") != n for line in lines if not line.startswith("#"))
        worst[os.path.basename(path)] = bad
    return worst


def kill_smilog(seed):
    h, rnd = Home(1), random.Random(seed)
    p = h.start("-q", "-i", "0.1", "-o", "run", "--", "sh", "-c", "echo $$ >pid; sleep 8; echo done >end")
    if not wait(lambda: has_text(h.path("pid"))):
        return "the command did not begin"
    time.sleep(rnd.random() * 2)
    p.kill()
    p.wait()
    time.sleep(2)
    wrong = []
    if not alive(int(h.read("pid"))):
        wrong.append("the command has ended")
    if processes(h.dir + "/bin/nvidia-smi"):
        wrong.append("a monitor is left")
    if not wait(lambda: has_text(h.path("end"))):
        wrong.append("the command did not go on")
    t = torn(h, "run")
    if max(t.values()) > 1:
        wrong.append(f"torn lines {t}")
    p.communicate()
    s = h.summary("run")
    if not s or any(sum(i["rejected"].values()) > 1 for i in s["inputs"]):
        wrong.append(f"not readable: {s.get('inputs')}")
    h.gone()
    return "; ".join(wrong)


def kill_command(seed):
    h, rnd = Home(1), random.Random(seed)
    p = h.start("-i", "0.1", "-o", "run", "--", "sh", "-c", "echo $$ >pid; exec sleep 30")
    if not wait(lambda: has_text(h.path("pid"))):
        return "the command did not begin"
    time.sleep(rnd.random())
    os.kill(int(h.read("pid")), signal.SIGKILL)
    err = p.communicate()[1].decode()
    s = h.summary("run")
    got = p.returncode, s.get("state"), "killed by SIGKILL" in err, processes(h.dir + "/bin/nvidia-smi")
    h.gone()
    return "" if got == (-9, "failed", True, []) else str(got)


def end_smilog(seed):
    h, rnd = Home(1), random.Random(seed)
    p = h.start("-q", "-i", "0.1", "-o", "run", "--", "sh", "-c",
                "trap 'echo once >>got' TERM; echo $$ >pid; i=0; "
                "while [ $i -lt 30 ]; do sleep 0.1; i=$((i+1)); done; exit 6")
    if not wait(lambda: has_text(h.path("pid"))):
        return "the command did not begin"
    time.sleep(rnd.random())
    p.terminate()
    begin = time.monotonic()
    there = wait(lambda: os.path.exists(h.path("run/summary.json")), 5)
    took = time.monotonic() - begin
    p.communicate()
    got = p.returncode, h.read("got") if os.path.exists(h.path("got")) else ""
    h.gone()
    return "" if there and took < 1 and got == (6, "once\n") else f"summary after {took:.2f} s; {got}"


def killed():
    for name, one, at_once in (("smilog is killed", kill_smilog, 10), ("the command is killed", kill_command, 5),
                               ("smilog is asked to end", end_smilog, 8)):
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            wrong = [w for w in pool.map(one, range(TIMES)) if w]
        check(f"killed: {name}, {TIMES} times", not wrong, wrong[:5])


sys.exit(run_parts((figures, forms, statuses, pipe, terminal, churn, bomb, steady, beside, oom, namespaces, hidepid, gpus, amd,
                    killed)))
