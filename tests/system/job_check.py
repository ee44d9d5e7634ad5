#!/usr/bin/python3
"""job_check.py [WORD...] - programs that own the terminal, with us in front of them: tmux plays the user.

The words are the command line to put in front of each: by default the driver of tests/unit/test_job.c. Every scene is
played twice, without and with them, and must look the same: ctrl-C, ctrl-Z and fg, an editor, a pager, top, a shell
in the shell, a password, jobs in the background, a window that is closed. VERBOSE=1 prints the screens."""
import os
import shutil
import subprocess
import sys
import tempfile

import lib
from lib import ROOT, check, finish, need, wait

WORK = tempfile.mkdtemp()
WORDS = sys.argv[1:] or [f"{ROOT}/build/unit/test_job", "drive", f"{WORK}/log"]
NAP = f"sleep {10000 + os.getpid()}"  # of nobody else
WORDS[0] = os.path.abspath(WORDS[0]) if os.path.exists(WORDS[0]) else WORDS[0]  # the shells are elsewhere


def children(command):
    """Processes of exactly this command line."""
    return subprocess.run(["pgrep", "-f", "-x", command], capture_output=True, text=True, check=False).stdout.split()


class Terminal(lib.Terminal):
    def __init__(self, name, front):
        super().__init__(90, 24, name=name, top=WORK)
        self.front = front

    def run(self, command):
        """The command, with what must stand in front of it."""
        self.line(f"{self.front}{command}")

    def alone(self):
        """Only a prompt is on the screen: what is seen after this is new."""
        self.line("clear")
        wait(lambda: [line.rstrip() for line in self.screen() if line] == ["ready>"])

    def until(self, what, good):
        check(f"{self.name}: {what}", wait(lambda: good(self.screen())), self.screen())

    def leave_insert(self):
        """Of vi, which says so below its text: a key that came too soon after Escape would be one with it."""
        self.has("^-- INSERT --")
        self.type("Escape")
        self.until("no insert", lambda lines: not any(line.startswith("-- INSERT") for line in lines))

    def running(self, command):
        check(f"{self.name}: {command} runs", wait(lambda: children(command)), self.screen())

    def prompt(self):
        """The last command has ended, or stopped: what is typed now is the shell's."""
        self.has(r"^ready> ?$")

    def status(self, number):
        """Of the last command; the screen is cleared before."""
        self.line("s=$?; clear; echo status=$s")
        self.has(rf"^status={number}$")


def keys(t):
    for key, number in (("C-c", 130), ("C-\\", 131)):
        t.run(NAP)
        t.running(NAP)
        t.type(key)
        t.has(r"\^")
        t.status(number)
    t.run(f"sh -c 'trap \"echo; echo caught\" INT; {NAP}; echo then; exit 9'")
    t.running(NAP)
    t.type("C-c")
    t.has("^caught")
    t.has("^then")
    t.status(9)


def stop_and_go(t):
    t.run("sh -c 'i=0; while :; do i=$((i+1)); echo at $i; sleep 0.2; done'")
    t.has("^at 2$")
    for _ in range(2):
        t.type("C-z")
        t.has("Stopped")
        t.prompt()
        t.line("clear; jobs")
        t.has(r"^\[1\]\+ +Stopped")
        t.alone()
        t.line("fg")
        t.has(r"^at \d+$")
    t.type("C-z")
    t.has("Stopped")
    t.alone()
    t.line("bg")
    t.has(r"^at \d+$")
    t.line("fg")
    t.type("C-c")
    t.status(130)
    t.run(f"{NAP} &")
    t.line("clear; kill %1; wait %1")
    t.status(143)


def background(t):
    t.run("cat &")
    for _ in range(100): # the shell says so before its next prompt
        t.line("")
        if t.wait("Stopped", 0.2):
            break
    t.has("Stopped")
    t.alone()
    t.line("fg")
    t.has(r"cat$")
    t.line("hello")
    t.has("^hello$")
    t.type("C-d")
    t.status(0)


def editor(t):
    before = t.settings()
    t.run("vi -u NONE -c 'set showmode' -n letter")
    t.has("^~")
    t.type("-l", "ifirst line")
    t.has("^first line")
    t.leave_insert()
    t.type("C-z")
    t.has("Stopped")
    t.prompt()
    check(f"{t.name}: the terminal is the shell's", t.settings() == before and before, t.screen())
    t.alone()
    t.line("fg")
    t.has("^first line")
    t.tmux("resize-window", "-x", "60", "-y", "15")
    t.until("vi has drawn it again", lambda lines: sum(line.startswith("~") for line in lines) == 13)
    t.type("C-c")
    t.has("Type +:q")  # its own answer to an interrupt: it is not ended
    t.type("-l", "osecond")
    t.has("^second")
    t.leave_insert()
    t.type("-l", ":wq")
    t.has("^:wq")
    t.type("Enter")
    t.has("ready> ?$")
    t.tmux("resize-window", "-x", "90", "-y", "24")
    t.status(0)
    with open(f"{WORK}/letter", encoding="utf-8") as f:
        text = f.read()
        check(f"{t.name}: what was written", text == "first line\nsecond\n", text.split("\n"))
    os.remove(f"{WORK}/letter")
    t.line('until [ "$(stty size)" = "24 90" ]; do sleep 0.1; done; echo as large')
    t.has("^as large$")  # the terminal hears of its new size a moment later
    check(f"{t.name}: the terminal as it was", t.settings() == before, t.screen())


def pager(t):
    t.line(f"seq 100000 | {t.front}less")
    t.has("^:")
    t.type("G")
    t.has("^100000$")
    t.type("C-z")
    t.has("Stopped")
    t.alone()
    t.line("fg")
    t.has("^100000$")
    t.type("q")
    t.prompt()
    t.status(0)


def top(t):
    before = t.settings()
    t.run("top")
    t.has("load average")
    t.type("C-z")
    t.has("Stopped")
    t.alone()  # its picture is the same as before
    t.line("fg")
    t.has("load average")
    t.type("q")
    t.prompt()  # whatever comes at once behind its q top takes, too
    t.status(0)
    check(f"{t.name}: the terminal as it was", t.settings() == before, t.screen())


def shell_in_the_shell(t):
    t.run("env 'PS1=inner> ' bash --norc --noprofile -i")
    t.has("^inner>")
    t.line(NAP)
    t.running(NAP)
    t.type("C-z")
    t.has("Stopped")
    t.line("clear; fg")
    t.running(NAP)
    t.type("C-c")
    t.line("s=$?; clear; echo inner=$s")
    t.has("^inner=130$")
    t.line("exit 3")
    t.status(3)


def password(t):
    t.run("bash -c 'read -rs -p word: x; echo; echo \"got $x\"; exit 4'")
    t.has("^word:$")
    t.line("secret")
    t.has("^got secret$")
    t.status(4)


def closed(t):
    other = NAP + ".5"
    t.run(NAP)
    t.running(NAP)
    t.tmux("new-window", "-d", f"exec {t.front}{other}")
    t.running(other)
    t.close()
    for what in (NAP, other):
        check(f"{t.name}: {what} has ended", wait(lambda: not children(what)))


SCENES = ((keys, "sh"), (stop_and_go, "sh"), (background, "cat"), (editor, "vi"), (pager, "less"), (top, "top"),
          (shell_in_the_shell, "bash"), (password, "bash"), (closed, "sleep"))


need("tmux")
for scene, program in SCENES:
    if not shutil.which(program):
        print(f"skipped: {scene.__name__}, {program} is not installed")
        continue
    for words in ("", " ".join(f"'{w}'" for w in WORDS) + " "):
        terminal = Terminal(f"{scene.__name__}{' with us' if words else ''}", words)
        scene(terminal)
        terminal.close()
shutil.rmtree(WORK)
sys.exit(finish())
