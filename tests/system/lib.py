"""What the checks share: the program, counts of what passed and failed, conditions to wait for, folders, terminals, servers.

A check calls check() or equal() for everything that must hold and ends with sys.exit(finish()), which prints
"N passed, M failed". Status 77: the machine lacks something that the check needs. Environment: SMILOG is the program
(build/smilog), VERBOSE=1 also prints what passed."""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SMILOG = os.path.abspath(os.environ.get("SMILOG", ROOT / "build/smilog"))
FAKE = str(ROOT / "tests/fake/nvidia-smi")
SWEEP = str(ROOT / "tests/fixtures/sweep")
VERBOSE = os.environ.get("VERBOSE")
SKIPPED = 77
counts = {True: 0, False: 0}
sys.path.append(str(ROOT / "tests/oracle"))


# ---- counts and arguments ----

def check(what, good, got=""):
    """Counts it and prints what failed, with what came instead: lines of a screen, or anything else."""
    counts[bool(good)] += 1
    if not good or VERBOSE:
        shown = "\n    |".join(["", *got]) if isinstance(got, list) and all(isinstance(x, str) for x in got) else str(got)[:1500]
        print(f"{'ok    ' if good else 'FAILED'} {what}" + (f": {shown}" if shown else ""), flush=True)
    return good


def equal(what, got, want):
    return check(what, got == want, "" if got == want else (got, want))


def near(what, got, want, part=0.02, least=0):
    check(what, got is not None and abs(got - want) <= max(part * abs(want), least), f"{got}, not {want}")


def no_errors(what, errors):
    """One check that fails once for each error."""
    for error in errors:
        check(what, False, error)
    if not errors:
        check(what, True)


def finish():
    """The last line, and the exit status."""
    print(f"{counts[True]} passed, {counts[False]} failed", flush=True)
    return counts[False] > 0


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip(f"{program} is not installed")


def words(*defaults):
    """The words of the command line, each of the type of its default. A default of None: a seed, drawn and printed."""
    given = dict(enumerate(sys.argv[1:]))
    values = [type(d)(given.get(i, d)) if d is not None else int(given.get(i, random.SystemRandom().randrange(1 << 32)))
              for i, d in enumerate(defaults)]
    for value, default in zip(values, defaults):
        if default is None:
            print(f"seed {value}")
    return values if len(values) > 1 else values[0]


def run_parts(parts, *left_out):
    """Calls the functions that the command line names, else all but those left out; returns the exit status."""
    for part in parts:
        if part.__name__ in sys.argv[1:] or not sys.argv[1:] and part not in left_out:
            part()
    return finish()


# ---- smilog and other processes ----

def smilog(*args, **more):
    """Runs it to its end: returncode, stdout, stderr as text."""
    return subprocess.run([SMILOG, *map(str, args)], check=False, **{
        "capture_output": True, "text": True, "errors": "replace",
        **({} if "input" in more else {"stdin": subprocess.DEVNULL}), **more})


def start(*args, env=(), **more):
    """Starts it, with these variables added to the environment."""
    return subprocess.Popen([SMILOG, *map(str, args)], env={**os.environ, **dict(env)},
                            **{"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more})


def summaries(*paths, **more):
    """The runs of summarize --json; none if it printed nothing."""
    out = smilog("summarize", "-q", "--json", *paths, **more).stdout
    return json.loads(out)["runs"] if out else []


def end(process, how=signal.SIGTERM, seconds=20):
    process.send_signal(how)
    return process.wait(seconds)


def wait(there, seconds=20.0, step=0.05):
    """Waits until there() is true: what it returned last."""
    until = time.monotonic() + seconds
    while not (found := there()) and time.monotonic() < until:
        time.sleep(step)
    return found


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def has_text(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def processes(word, file="cmdline"):
    """Pids whose command line, or other file of /proc, contains the word."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/{file}", "rb") as f:
            if word.encode() in f.read() and int(pid) != os.getpid():
                found.append(int(pid))
    return found


def stat(pid):
    """The fields of /proc/PID/stat from the third, the state, on; None: there is no such process."""
    try:
        return read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
    except OSError:
        return None


def alive(pid):
    fields = stat(pid)
    return fields is not None and fields[0] not in "ZX"


def memory_kib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", read(f"/proc/{pid}/status"))[1])


# ---- folders and file systems ----

def folder():
    """A temporary folder, as a context."""
    return tempfile.TemporaryDirectory(prefix="smilog-check-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def tmpfs(path, size):
    """A small file system on path; False: it cannot be mounted here."""
    os.makedirs(path, exist_ok=True)
    mounted = not subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", path], capture_output=True,
                                 check=False).returncode
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", path], check=True)


# ---- servers ----

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(port, path, **headers):
    """Status and text of the answer; 0 and the reason: there is none."""
    try:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, ""
    except OSError as e:
        return 0, str(e)


class Prometheus:
    """A real one, with this configuration and data below the folder top."""

    def __init__(self, top, config, *flags):
        self.port = free_port()
        Path(top, "prometheus.yml").write_text(config, encoding="utf-8")
        with open(os.path.join(top, "log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={top}/prometheus.yml", f"--storage.tsdb.path={top}/data", "--log.level=error",
                 f"--web.listen-address=127.0.0.1:{self.port}", *flags], stdout=subprocess.DEVNULL, stderr=log)
        wait(lambda: get(self.port, "/-/ready")[0] == 200, 60)

    def get(self, what, **words):
        """Its answer; on a loaded machine it may not answer at once."""
        path = f"/api/v1/{what}?{urllib.parse.urlencode(words)}"
        return wait(lambda: (lambda status, text: status == 200 and json.loads(text)["data"])(*get(self.port, path)), 60, 0.2)

    def query(self, text, **words):
        return self.get("query", query=text, **words)["result"]

    def wait(self, text, good, seconds):
        """The answer as soon as it is good; None: it never was."""
        answer = []

        def there():
            answer[:] = self.query(text)
            return good(answer)
        return answer if wait(there, seconds, 0.2) else None

    def close(self):
        end(self.process)


# ---- terminals ----

class Terminal:
    """A shell in a tmux window of its own server."""

    count = 0

    def __init__(self, width=100, height=30, env=(), name="", top="."):
        Terminal.count += 1
        self.name, self.socket = name, f"smilog-{os.getpid()}-{Terminal.count}"
        words = {"LC_ALL": "C.UTF-8", "PS1": "ready> ", "HISTFILE": "", **dict(env)}
        shell = ["env", "-C", top, "-u", "NO_COLOR", "-u", "COLUMNS", "-u", "LINES", *(f"{k}={v}" for k, v in words.items())]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height),
                  " ".join(f"'{w}'" for w in [*shell, "bash", "--norc", "--noprofile", "-i"]))
        self.wait("ready>")

    def tmux(self, *args):
        return subprocess.run(["tmux", "-L", self.socket, *args], capture_output=True, text=True, timeout=60,
                              check=False).stdout

    def type(self, *keys):
        self.tmux("send-keys", *keys)

    def line(self, text):
        self.type("-l", text)
        self.type("Enter")

    def screen(self, styles=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if styles else [])).rstrip("\n").split("\n")

    def wait(self, pattern, seconds=20.0, absent=False):
        """The screen as soon as a line of it has the pattern, or none has it; None: that did not happen."""
        def there():
            lines = self.screen()
            return lines if any(re.search(pattern, text) for text in lines) != absent else None
        return wait(there, seconds)

    def has(self, pattern, what=None, seconds=20.0, absent=False):
        lines = self.wait(pattern, seconds, absent)
        check(f"{what or self.name}: {'no ' if absent else ''}{pattern}", lines is not None, lines or self.screen())
        return lines or self.screen()

    def settings(self):
        """What stty says, which also shows that the shell answers."""
        self.line("clear; stty -a | md5sum")
        return next((text for text in self.wait(r"^[0-9a-f]{32}") or [] if re.match(r"[0-9a-f]{32}", text)), None)

    def close(self):
        self.tmux("kill-server")
