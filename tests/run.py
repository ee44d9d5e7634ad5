#!/usr/bin/env python3
"""run.py [CASE...]: runs all test cases, or those named: report, json/one_run_a_line, 'json/*'.

tests/cases/TOPIC/CASE/{cmd,stdout,stderr,status}: bash runs cmd in its folder with smilog in PATH; a missing file means
empty, or 0. "# skip-unless FILE" on its first line skips it where FILE (seen from the project's root) is not there; so
does exit 77, for what cannot be tested here. "smilog" and the version (src/base/version.h) in what a case prints is
"smilog VERSION" in its files.

BUILD: the folder with the program (build). JOBS: cases at a time (CPUs and two more). CASE_SECONDS: one that takes
longer fails with status 124 (300). ACCEPT=1 writes what came out as what has to. SMILOG_TIMES=FILE: appends a line for each
case: its CPU seconds, its wall seconds and its name.

Topics in TIMED wait for a clock, and a loaded machine is late: a case that fails there runs a second time, alone. The
number of these second attempts has a line of its own."""
import concurrent.futures
import difflib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests/cases"
BUILD = os.environ.get("BUILD") or "build"
JOBS = int(os.environ.get("JOBS") or os.cpu_count() + 2)  # many cases of live, follow and run wait for a clock
SECONDS = float(os.environ.get("CASE_SECONDS") or 300)
ACCEPT = os.environ.get("ACCEPT")
TIMES = os.environ.get("SMILOG_TIMES")
SKIPPED, TIMED_OUT = 77, 124
TIMED = ("live", "follow", "run", "slurm", "memory", "demo")
VERSION = re.search(r'"([0-9.]+)"', (ROOT / "src/base/version.h").read_text())[1]
NAMED = re.compile(rb"\bsmilog " + re.escape(VERSION).encode() + rb"\b")


def environment():
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    path = f"{ROOT / BUILD}:{Path(sys.executable).parent}:{env['PATH']}"  # not the shim of a version manager: it takes 0.2 s
    return env | {"SMILOG_CONFIG": "", "PATH": path, "root": str(ROOT),  # nobody's settings
                  "LC_ALL": "C.UTF-8", "TZ": "UTC"}


ENV = environment()


def chosen(words):
    """The folders of the named cases; those that wait for a clock evenly among the others, which use the CPUs meanwhile.
    A word that names none ends all."""
    found = set()
    for word in words or ["*"]:
        word = word.removeprefix("tests/cases/").removesuffix("/").removesuffix("/cmd")
        cases = list(CASES.glob((word if "/" in word else f"{word}/*") + "/cmd"))
        if not cases:
            print(f"no such case: {word}", file=sys.stderr)
            return []
        found.update(case.parent for case in cases)
    parts = [[case for case in sorted(found) if (case.parent.name in TIMED) == timed] for timed in (True, False)]
    return [case for _, case in sorted((n / len(part), case) for part in parts for n, case in enumerate(part))]


def what_differs(name, want, got):
    lines = (text.decode(errors="backslashreplace").splitlines() for text in (want, got))
    return "\n".join(difflib.unified_diff(*lines, str(name), "got", lineterm=""))


def wait(child):
    """Waits for the case, at most SECONDS: its status and the CPU seconds of all processes that it waited for."""
    status = None
    ended = os.pidfd_open(child.pid)
    for limit, deadly in (SECONDS, signal.SIGTERM), (10, signal.SIGKILL):  # the first lets it tidy up
        if select.select([ended], [], [], limit)[0]:
            break
        status = TIMED_OUT
        os.killpg(child.pid, deadly)
    os.close(ended)
    _, code, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(code)
    if status is None:
        status = child.returncode if child.returncode >= 0 else 128 - child.returncode
    return status, used.ru_utime + used.ru_stime


def run(case):
    """Runs the case: what differs, "" where nothing does, None where it was skipped."""
    command = (case / "cmd").read_bytes()
    need = re.match(rb"# skip-unless (.*)", command)
    if need and not (ROOT / need[1].decode()).exists():
        return None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(["bash", str(case / "cmd")], cwd=case, env=ENV, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err, start_new_session=True)
        status, cpu = wait(child)
        if TIMES:
            with open(TIMES, "a") as times:
                times.write(f"{cpu:.2f} {time.monotonic() - start:.2f} {case.parent.name}/{case.name}\n")
        if status == SKIPPED:
            return None
        got = {"status": b"%d\n" % status if status else b""}
        for name, file in (("stdout", out), ("stderr", err)):
            file.seek(0)
            got[name] = NAMED.sub(b"smilog VERSION", file.read())
    different = []
    for name in ("stdout", "stderr", "status"):
        path = case / name
        want = path.read_bytes() if path.exists() else b""
        if ACCEPT and got[name]:
            path.write_bytes(got[name])
        elif ACCEPT:
            path.unlink(missing_ok=True)
        elif want != got[name]:
            different.append(what_differs(path.relative_to(ROOT), want, got[name]) or f"{name}: ends of lines differ")
    return "\n".join(different)


def main():
    for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):  # nohup and & make a shell's children ignore these
        if signal.getsignal(ignored) == signal.SIG_IGN:
            signal.signal(ignored, lambda *_: None)  # a case gets the default instead: exec resets a handler
    cases = chosen(sys.argv[1:])
    if not cases:
        print("0 passed, 1 failed")
        return 1
    results, again = [], 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for case, result in zip(cases, pool.map(run, cases)):
            results.append(result)
            if result:
                print(f"{result}\nFAILED {case.relative_to(ROOT)}", flush=True)
    for n, case in enumerate(cases):
        if results[n] and case.parent.name in TIMED:
            print(f"second attempt: {case.relative_to(ROOT)}", flush=True)
            results[n] = run(case)
            print(f"{results[n]}\nFAILED AGAIN" if results[n] else "passed")
            again += 1
    skipped, failed = results.count(None), sum(bool(r) for r in results)
    if skipped:
        print(skipped, "skipped")
    if again:
        print(again, "second attempts")
    print(f"{len(cases) - skipped - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
