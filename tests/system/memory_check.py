#!/usr/bin/env python3
"""memory_check.py [COMMAND...]: 20 limits of memory (ulimit -v) for each of six commands.

The limits lie between the one that the program needs to start at all and the one with which the command succeeds. At each of
them the command succeeds, or it ends with status 4 and one line on standard error; a file that was there keeps its content
(a database may have whole runs more), and nothing else is left behind. `run` passes on the status of its command, whatever becomes of the record. Prints a table:
ok, 4, or the status of the command of `run`."""
import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys

from lib import ROOT, SMILOG, SWEEP, check, finish, folder, read, smilog

LEVELS = 20
FAKE = {"SMI_FAKE_GPUS": "2", "SMI_FAKE_SPEED": "20", "PATH": f"{ROOT}/tests/fake:{os.environ['PATH']}"}
COMMANDS = {
    "summarize": ["summarize", "--json", SWEEP],
    "html": ["report", "-o", "o.html", SWEEP],
    "xlsx": ["report", "-o", "o.xlsx", SWEEP],
    "sqlite": ["export", SWEEP, "--to", "sqlite:o.db"],
    "live": ["live", "--plain", "-i", "0.1", "--for", "1", "-o", "rec"],
    "run": ["run", "-q", "-o", "rec", "--", "sh", "-c", "sleep 0.6; echo ran; exit 7"],
}
FILES = {"html": "o.html", "xlsx": "o.xlsx", "sqlite": "o.db"}


def content(path):
    """The text of a file; or the runs of a database with the number of their samples."""
    if not path.endswith(".db"):
        return {read(path)}
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return set(db.execute("SELECT leaf, count(samples.run) FROM runs LEFT JOIN samples ON samples.run=runs.id GROUP BY runs.id"))


def whole(path):
    """What the file may hold: a run of a database is one transaction."""
    smilog("export", SWEEP, "--to", f"sqlite:{path}")
    return content(path)


def put_old(path):
    if path.endswith(".db"):
        smilog("export", f"{ROOT}/tests/fixtures/sweep/lr=0.3", "--to", f"sqlite:{path}")
    else:
        with open(path, "w", encoding="utf-8") as f:
            f.write("what was there before\n")


def start(words, mib, where):
    """(status, lines of standard error, standard output) with this much address space."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))
    with open(os.path.join(where, "out"), "w+b") as out, open(os.path.join(where, "err"), "w+b") as err:
        done = subprocess.Popen([SMILOG, *words], cwd=os.path.join(where, "in"), env={**os.environ, **FAKE}, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err, preexec_fn=limit, start_new_session=True)
        try:
            status = done.wait(120)
        except subprocess.TimeoutExpired:
            status = "hangs"
        try:
            os.killpg(done.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return status, read(os.path.join(where, "err")).splitlines(), read(os.path.join(where, "out"))


def attempt(name, mib):
    with folder() as where:
        os.mkdir(os.path.join(where, "in"))
        file = name in FILES and os.path.join(where, "in", FILES[name])
        old = None
        if file:
            put_old(file)
            old = content(file)
        status, errors, out = start(COMMANDS[name], mib, where)
        left = sorted(os.listdir(os.path.join(where, "in")))
        if not file:
            return status, errors, out, left, True
        new = content(file)
        return status, errors, out, left, old <= new and (new == old or name == "sqlite" and new <= whole(file))


def good(name, status):
    return status == (7 if name == "run" else 0)


def least(works, low, high):
    """The fewest MiB with which it works, between two of which the second does."""
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (low, mid) if works(mid) else (mid, high)
    return high


def judge(name, mib):
    status, errors, out, left, kept = attempt(name, mib)
    what = f"{name} with {mib} MiB"
    # live works where its monitors do not: then no GPU was seen
    memory = [line for line in errors if any(word in line for word in ("memory", "cannot", "open", "no GPU was seen"))]
    if name == "run":
        check(f"{what}: its command runs once and its status is passed on", status == 7 and out.count("ran\n") == 1, (status, errors, out))
        return "7" if not any("out of memory" in line for line in errors) else "7*"
    if good(name, status):
        return "ok"
    check(f"{what}: status 4, one line that says why", status == 4 and len(memory) == 1, (status, errors))
    if name in FILES:
        check(f"{what}: the old file is as it was, or has whole runs more", kept, left)
        check(f"{what}: nothing is left behind", not [f for f in left if not f.startswith((".", FILES[name]))], left)
    return str(status)


def main():
    version = least(lambda mib: start_version(mib), 1, 512)
    print(f"--version needs {version} MiB; ok: it succeeded, 7: the status of the command, 7*: it ran untracked")
    for name in sys.argv[1:] or COMMANDS:
        enough = least(lambda mib: good(name, attempt(name, mib)[0]) and not any("memory" in line for line in attempt(name, mib)[1]), version, 2048)
        levels = [version + (enough + 2 - version) * k // (LEVELS - 1) for k in range(LEVELS)]
        print(f"{name:10} {version:4} to {enough:4} MiB:", *(judge(name, mib) for mib in levels), flush=True)
    sys.exit(finish())


def start_version(mib):
    with folder() as where:
        os.mkdir(os.path.join(where, "in"))
        return start(["--version"], mib, where)[0] == 0


main()
