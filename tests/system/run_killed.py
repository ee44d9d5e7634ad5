"""run_check.py: smilog run is killed or asked to end, or its command is killed, at any moment."""
import concurrent.futures
import glob
import os
import random
import signal
import time

from run_base import TIMES, alive, check, has_text, Home, processes, wait_for


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
    p = h.start("-q", "-i", "0.1", "-o", "run", "--", "sh", "-c", "echo $$ >pid; sleep 4; echo done >end")
    if not wait_for(lambda: has_text(h.path("pid"))):
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
    if not wait_for(lambda: has_text(h.path("end"))):
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
    if not wait_for(lambda: has_text(h.path("pid"))):
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
    if not wait_for(lambda: has_text(h.path("pid"))):
        return "the command did not begin"
    time.sleep(rnd.random())
    p.terminate()
    begin = time.monotonic()
    there = wait_for(lambda: os.path.exists(h.path("run/summary.json")), 5)
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
