#!/usr/bin/python3
"""The interactive screen in a real terminal: tmux plays the user. Sizes, keys, resizing, ctrl-Z and fg, every way out, and
that the terminal is as it was. VERBOSE=1 prints the screens.

    tests/system/screen_check.py [PART...]        sizes keys ways_out looks no_gpus follow_and_replay    SMILOG=build/smilog"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import lib
from lib import ROOT, SMILOG, check, need, run_parts, stat


class Terminal(lib.Terminal):
    def run(self, command):
        self.line(command)

    def has(self, what, pattern, seconds=20.0, absent=False):
        return super().has(pattern, what, seconds, absent)


def demo(more="", **env):
    words = " ".join(f"{k}={v}" for k, v in dict({"SMI_FAKE_AT": 120}, **env).items())
    return f"{words} {SMILOG} live --demo {more}"


def sizes():
    for width, height in ((80, 24), (100, 30), (140, 42), (200, 60), (40, 12), (20, 5)):
        t = Terminal(width, height)
        t.run(demo())
        lines = t.has(f"{width}x{height}", r"monitors ok" if width >= 80 else r"^  0 +\S")
        check(f"{width}x{height} fits", all(len(line) <= width for line in lines), lines)
        check(f"{width}x{height} alert line", lines[1].startswith("no alerts"), lines)
        if height >= 24:
            for gpu in range(8):
                check(f"{width}x{height} GPU {gpu}", any(line.startswith(f"  {gpu} ") for line in lines), lines)
        if height >= 42:
            check(f"{width}x{height} power", sum(" power " in line for line in lines) == 8, lines)
        t.type("q")
        t.close()


def keys():
    folder = tempfile.mkdtemp()
    t = Terminal(100, 40)
    before = t.settings()
    t.type("C-l")
    t.run(demo(f"-o {folder}/run"))
    t.has("starts", r"recording .*00:00:0[1-9]")
    t.type("?")
    t.has("help", "freeze the display")
    t.type("Escape")
    t.has("back", r"^  7 ")
    t.type("s")
    t.has("sort", "GPUs by use")
    t.type("g")
    t.has("a GPU", "clocks held down by")
    t.type("3")
    t.has("another GPU", r"^GPU 3 ")
    t.type("Right")
    t.has("the next GPU", r"^GPU 4 ")
    t.type("g", "w")
    t.has("window", "LAST HOUR")
    t.type("a")
    t.has("alerts", "no rule holds")
    t.type("a", "/")
    t.type("-l", "2 5")
    t.type("Enter")
    t.has("filter", r"^  2 ")
    t.has("filter", r"^  4 ", absent=True)
    t.type("Escape", "e")
    t.type("-l", "batch 64 gr\u00f6\u00dfer")
    t.type("Enter")
    t.has("a mark is shown", r"event  mark: batch 64 gr\u00f6\u00dfer")
    t.type("p")
    still = t.has("pause", "PAUSED")
    time.sleep(1.5)
    check("a picture stands still", t.screen() == still, t.screen())
    t.tmux("resize-window", "-x", "70", "-y", "20")
    time.sleep(0.7)
    narrow = t.screen()
    check("as far as it has room", len(narrow) > 10 and [x[:70].rstrip() for x in still[:len(narrow)]] == narrow, narrow)
    t.tmux("resize-window", "-x", "100", "-y", "40")
    time.sleep(0.7)
    check("and still", t.has("wider again", "PAUSED")[:10] == still[:10], t.screen())
    t.type("g")
    t.has("any key ends it", "clocks held down by")
    t.type("g", "p", "p")
    t.has("it goes on", "PAUSED", absent=True)
    t.tmux("resize-window", "-x", "80", "-y", "24")
    t.has("narrower", r"smilog [0-9.]+ %, ")
    t.tmux("resize-window", "-x", "100", "-y", "40")
    t.has("wider", r"host +CPU .* PSI cpu .*  memory .* smilog [0-9.]+ %, ")
    t.type("C-z")
    t.has("stopped", "Stopped")
    t.run("fg")
    t.has("back in front", r"^all GPUs ")
    t.type("q")
    t.has("quit", "ready> ?$")
    check("the terminal is as it was", t.settings() == before, t.screen())
    t.close()
    events = [json.loads(line) for line in open(f"{folder}/run/run.jsonl")]
    marks = [e["data"] for e in events if e["event"] == "mark"]
    check("the mark is recorded", marks == [{"text": "batch 64 gr\u00f6\u00dfer"}])
    check("the record ends in order", events[-1]["event"] == "stop" and os.path.exists(f"{folder}/run/summary.json"))
    shutil.rmtree(folder)


def ways_out():
    for what, name in (("ctrl-C", None), ("SIGTERM", "TERM"), ("SIGHUP", "HUP"), ("SIGQUIT", "QUIT"), ("SIGABRT", "ABRT"),
                       ("SIGSEGV", "SEGV")):
        t = Terminal()
        before = t.settings()
        t.type("C-l")
        t.run("ulimit -c 0; " + demo())
        t.wait(r"^  0 ")
        if name:
            pids = subprocess.run(["pgrep", "-x", "smilog", "--ns", str(os.getpid())], capture_output=True, text=True).stdout
            mine = [p for p in pids.split() if [t.tmux("display", "-p", "#{pane_pid}").strip()] == (stat(p) or [])[1:2]]
            for pid in mine:
                os.kill(int(pid), getattr(__import__("signal"), "SIG" + name))
        else:
            t.type("C-c")
        t.has(what, "ready> ?$")
        check(f"{what}: the terminal is as it was", t.settings() == before, t.screen())
        check(f"{what}: the screen before is there again", t.wait(r"^  0 .*%", 0.1) is None, t.screen())
        t.close()


def looks():
    t = Terminal(env={"LC_ALL": "C"})
    t.run(demo())
    lines = t.has("ASCII", r"^  0  #+ ")
    check("ASCII only", all(ord(c) < 127 for line in lines for c in line), lines)
    t.close()
    for more, env, color in (("", {}, True), ("--color=never", {}, False), ("", {"NO_COLOR": "1"}, False),
                             ("--color=always", {"NO_COLOR": "1"}, True)):
        t = Terminal(env=env)
        t.run(demo(more, SMI_FAKE_DO="gpu-lost:2"))
        t.has("lost", r"^  1 .*LOST", 20)
        text = "\n".join(t.screen(True))
        check(f"colours {more} {env}", ("\x1b[31m" in text) == color, t.screen())
        t.close()
    for term in ("dumb", "no-such-terminal"):
        t = Terminal(env={"TERM": term})
        t.run(demo("--for 3"))
        t.has(f"TERM={term} says why", "cannot be drawn on: a line an interval, as with --plain")
        t.has(f"TERM={term} has lines", "gpu% ")
        t.close()
    t = Terminal()
    t.run(demo("--for 3") + " & wait")
    t.has("in the background", "gpu% ")
    t.close()


def no_gpus():
    t = Terminal()
    t.run(f"PATH=/usr/bin/no {SMILOG} live")
    t.has("no nvidia-smi, within two seconds", "no reading of a GPU so far", 2)
    t.has("what to do", "live --demo shows", 2)
    t.type("q")
    t.has("quit", "ready> ?$")
    t.close()


def follow_and_replay():
    run = ROOT / "tests/fixtures/sweep/lr=0.1/seed=3"
    t = Terminal()
    t.run(f"{SMILOG} follow {run}")
    t.has("follow", r"^  0 ")
    t.type("e")
    t.has("follow takes no marks", "smilog log FILE event NAME")
    t.type("q")
    t.has("quit", "ready> ?$")
    t.type("C-l")
    t.run(f"cat {run}/hw_metrics.csv | {SMILOG} follow -")
    t.has("the writer has ended", "ready> ?$")
    t.has("where it stood is left", r"^  0 ")
    t.type("C-l")
    t.run(f"(cat {run}/hw_metrics.csv; sleep 60) | {SMILOG} follow -")
    t.has("keys while standard input is a pipe", "q quit")
    t.type("g")
    t.has("keys come from the terminal", "clocks held down by")
    t.type("q")
    t.close()
    t = Terminal()
    t.run(f"{SMILOG} live --replay {run} --speed 100")
    t.has("replay", r"100 x")
    t.has("replay", r"^  0 ")
    t.type("Space")
    t.has("held", "HELD")
    one = t.screen()[0]
    time.sleep(1.2)
    check("it stands still", t.screen()[0] == one, t.screen())
    t.type("Space")
    t.has("goes on", "HELD", absent=True)
    t.type("q")
    t.has("quit", "ready> ?$")
    t.type("C-l")
    t.run(f"{SMILOG} live --replay {run} --speed 100000")
    t.has("stays at its end", "AT ITS END")
    time.sleep(0.5)
    t.has("still there", "AT ITS END")
    t.type("q")
    t.has("quit", "ready> ?$")
    t.close()


need("tmux")
sys.exit(run_parts((sizes, keys, ways_out, looks, no_gpus, follow_and_replay)))
