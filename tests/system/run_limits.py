"""run_check.py: memory runs out; PID namespaces; a /proc that hides processes."""
import json
import os
import re
import shutil
import signal
import subprocess

from run_base import MIB, PYTHON, SMILOG, check, has_text, Home, near, told, wait_for


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
    check("oom: limits", re.search(r"^  limits +memory at most [\d.]+ % of 200.0 MiB", err, re.M), "")
    status, _, err = h.run("-o", "run2", "--", "sh", "-c", f"{PYTHON} -c \"$0\"; exit 5", EAT, preexec_fn=enter)
    events = h.read("run2/run.jsonl")
    check("oom: of a child: status", status == 5, status)
    check("oom: of a child: said", "oom_kill" in events and "memory was full" in err, err)
    wait_for(lambda: not open(group + "/cgroup.procs", encoding="utf-8").read())
    os.rmdir(group)
    h.gone()


def namespaces():
    h = Home(1)
    h.env["SMI_FAKE_HELD"] = h.path("held")
    with open(h.path("held"), "w", encoding="utf-8") as f:
        f.write("0 - 1000\n")
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
        with open(h.path("held"), "w", encoding="utf-8") as f:
            f.write("0 - 1000\n")
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
