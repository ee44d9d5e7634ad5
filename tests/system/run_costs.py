"""run_check.py: what smilog run costs beside many processes, and what it must not miss."""
import json
import os
import re
import resource
import subprocess
import threading
import time

from run_base import BOMB, CHURN, MIB, PYTHON, SECONDS, check, Home, near, told, wait_for


# ---- what it costs, and what it must not miss ----


def own_cpu(pid):
    """Seconds of smilog, without what it waited for."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
        w = f.read().rsplit(")", 1)[1].split()
    return (int(w[11]) + int(w[12])) / os.sysconf("SC_CLK_TCK")


def memory_kib(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1))


def watched(name, h, words, seconds, **more):
    """Runs it; (status, stdout, stderr), and says what smilog itself used."""
    p = h.start("--usage", "u.json", "--ram-unit", "bytes", "--time-unit", "seconds", *words, **more)
    begin, used, held = time.monotonic(), 0.0, 0
    at = begin
    while p.poll() is None and time.monotonic() < begin + seconds:
        time.sleep(0.5)
        try:
            used, held, at = own_cpu(p.pid), max(held, memory_kib(p.pid)), time.monotonic()
        except (OSError, AttributeError):
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
        wait_for(lambda: not open(GROUP + "/cgroup.procs", encoding="utf-8").read())
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
