"""The tree of processes against psutil: memory by gpu_tracker's rules and CPU times of known loads, stopped at the
same instant, within 2 %; and what a sample costs: 200 steady processes, children that live for a moment, a fork bomb.

    make && /usr/bin/python3 -B scripts/tree_check.py [SECONDS]

Needs python3-psutil. Costs are printed and not judged. Ends with "N passed, M failed"."""
import json
import mmap
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

import psutil

from run_base import BOMB, CHURN, MIB, check, counts, near

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
BUILD = os.environ.get("BUILD", "build")


class Samples:
    """One sample for each call."""

    def __init__(self, tool, *args):
        self.child = subprocess.Popen([tool, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def take(self):
        self.child.stdin.write("\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def settled(self):
        """When nothing is estimated any more, and all were read anew."""
        for _ in range(600):
            s = self.take()
            if not s["estimated"]:
                break
            time.sleep(0.05)
        for _ in range(20):
            time.sleep(0.1)
            s = self.take()
        return s

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def family(pid):
    main = psutil.Process(pid)
    return main, main.children(recursive=True)


def gpu_tracker(processes):
    private, shared = 0, {}
    for p in processes:
        for m in p.memory_maps(grouped=False):
            private += m.private_clean + m.private_dirty
            shared[m.path] = max(shared.get(m.path, 0), m.shared_clean + m.shared_dirty)
    return private, sum(shared.values())


def stop(processes, how):
    for p in processes:
        p.send_signal(how)
    while how == signal.SIGSTOP and any(p.status() != psutil.STATUS_STOPPED for p in processes):
        time.sleep(0.01)


def compare(name, tool, pid):
    samples = Samples(tool, str(pid))
    main, children = family(pid)
    stop([main, *children], signal.SIGSTOP)
    s = samples.settled()
    for part, group in (("main", [main]), ("descendants", children), ("all", [main, *children])):
        private, shared = gpu_tracker(group)
        near(f"{name}: {part} private", s[part]["private"], private)
        near(f"{name}: {part} shared", s[part]["shared"], shared)
        near(f"{name}: {part} total", s[part]["total"], private + shared)
        check(f"{name}: {part} processes", s[part]["processes"] == len(group), len(group))
        near(f"{name}: {part} threads", s[part]["threads"], sum(p.num_threads() for p in group), 0)
    stop([main, *children], signal.SIGCONT)
    samples.end()


# ---- loads, each in a child of this one ----

def in_child(load):
    """Its pid, once it has said that it is ready."""
    there, here = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            load(lambda: os.write(here, b"x"))
        finally:
            os._exit(0)
    os.close(here)
    os.read(there, 1)
    os.close(there)
    return pid


def finish(pid):
    """All of it."""
    main, children = family(pid)
    for p in [main, *children]:
        p.kill()
    os.waitpid(pid, 0)


def memory_load(ready):
    """What loaders of data do: forks that share with their parent, shared mappings, files that have gone, programs."""
    keep = [bytearray(b"a" * (200 * MIB))]
    common = mmap.mmap(-1, 64 * MIB)
    common.write(b"b" * (64 * MIB))
    with tempfile.TemporaryFile() as f:
        f.write(b"c" * (32 * MIB))
        f.flush()
        gone = mmap.mmap(f.fileno(), 32 * MIB)
    for i in range(4):
        if os.fork() == 0:
            keep.append(bytearray(b"d" * ((i + 1) * 10 * MIB)))
            sum(common[:: 4096])
            sum(gone[:: 4096])
            if i == 3:
                os.fork()
            time.sleep(1000)
    programs = [subprocess.Popen(["/usr/bin/python3", "-c", "import json, time; time.sleep(1000)"]) for _ in range(3)]
    time.sleep(3)
    ready()
    time.sleep(1000)
    return keep, gone, programs


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def cpu_load(ready):
    """Burners that last, and some that end and are waited for."""
    for i in range(3):
        if os.fork() == 0:
            while True:
                burn(0.05)
                time.sleep(0.05 * i)
    ready()
    while True:
        pid = os.fork()
        if pid == 0:
            burn(0.03)
            os._exit(0)
        os.waitpid(pid, 0)


def cpu_times(processes, children):
    t = [p.cpu_times() for p in processes]
    return sum(x.user + x.system + (x.children_user + x.children_system if children else 0) for x in t)


def compare_cpu(tool):
    pid = in_child(cpu_load)
    samples = Samples(tool, str(pid))
    main, children = family(pid)
    times = []
    for _ in range(2):
        main, children = family(pid)
        stop([main, *children], signal.SIGSTOP)
        everybody = [main, *main.children(recursive=True)]
        times.append((samples.take(), cpu_times([main], False), cpu_times(everybody, True), time.monotonic()))
        stop(everybody, signal.SIGCONT)
        if len(times) == 1:
            time.sleep(SECONDS)
    (first, main0, all0, t0), (last, main1, all1, t1) = times
    ticks = 10000 * 2 * (len(everybody) + 1)
    near("cpu: main", last["main"]["cpu_us"], (main1 - main0) * 1e6, 0.02, ticks)
    near("cpu: all", last["all"]["cpu_us"], (all1 - all0) * 1e6, 0.02, ticks)
    near("cpu: all, percent", last["all"]["cpu_pct"], (all1 - all0) / (t1 - t0) * 100, 0.02)
    near("cpu: sum of parts", last["main"]["cpu_us"] + last["descendants"]["cpu_us"], last["all"]["cpu_us"], 0)
    samples.end()
    finish(pid)


# ---- what it costs ----

def series(tool, command, ms=1000, limit=None, before=None):
    """The samples of a command that ends, one each ms."""
    child = subprocess.Popen([tool, "-t", str(ms), "--", *command], stdout=subprocess.PIPE, text=True,
                             preexec_fn=before)
    rows = [json.loads(line) for line in child.stdout]
    child.wait(limit)
    return rows


def cost(name, rows):
    rows = rows[:-1] if len(rows) > 2 else rows
    later = rows[len(rows) // 2:]
    wall = sum(r["span_us"] for r in later) or 1
    used = sum(r["cost_us"] for r in later)
    each = sum(r["all"]["processes"] for r in later) or 1
    print(f"       {name}: {len(rows)} samples, at most {max(r['all']['processes'] for r in rows)} processes; "
          f"first {rows[0]['cost_us'] / 1000:.1f} ms, second half {used / len(later) / 1000:.2f} ms a sample, "
          f"{used / each:.1f} us a process, {100 * used / wall:.2f} % of a core; {rows[-1]['own_kib'] / 1024:.1f} MiB; "
          f"estimated at the end {rows[-1]['estimated']}", flush=True)


def steady(tool):
    each = SECONDS + 15
    for what, one in (("sleep", f"sleep {each}"),
                      ("python3", f"/usr/bin/python3 -c 'import time; time.sleep({each})'")):
        rows = series(tool, ["sh", "-c", f"i=0; while [ $i -lt 200 ]; do {one} & i=$((i+1)); done; wait"])
        check(f"200 times {what}: all are found", max(r["all"]["processes"] for r in rows) == 201)
        cost(f"200 times {what}", rows)


def churn(tool):
    child = subprocess.Popen([tool, "-t", "1000", "--", "/usr/bin/python3", "-c", CHURN, str(SECONDS), "stderr"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.communicate()
    rows = [json.loads(line) for line in out.splitlines()]
    n, truth = err.split()
    print(f"       churn: {int(n) / SECONDS:.0f} children a second")
    near("churn: all time", rows[-1]["all"]["cpu_us"], float(truth) * 1e6, 0.02, 40000)
    cost("churn", rows)


def bomb(tool):
    """As another user, of whom there may be this many processes."""
    if os.geteuid():
        print("       fork bomb: left out, it needs root")
        return

    def limits():
        resource.setrlimit(resource.RLIMIT_NPROC, (1000, 1000))

    rows = series(tool, ["setpriv", "--reuid=64321", "--regid=64321", "--clear-groups", "/usr/bin/python3", "-c", BOMB,
                         str(SECONDS)], before=limits)
    check("fork bomb: found", max(r["all"]["processes"] for r in rows) > 900)
    check("fork bomb: it is over", rows[-1]["all"]["processes"] == 0)
    check("fork bomb: memory", rows[-1]["own_kib"] < 64 * 1024, f"{rows[-1]['own_kib']} KiB")
    cost("fork bomb", rows)


def main():
    with tempfile.TemporaryDirectory() as home:
        tool = os.path.join(home, "tree_samples")
        subprocess.run(["gcc", "-O2", "-g", "-D_GNU_SOURCE", "-Isrc", "-o", tool, "scripts/tree_samples.c",
                        f"{BUILD}/libsmilog.a", "-lm"], check=True)
        pid = in_child(memory_load)
        compare("memory", tool, pid)
        finish(pid)
        compare_cpu(tool)
        steady(tool)
        churn(tool)
        bomb(tool)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


if __name__ == "__main__":
    sys.exit(main())
