#!/usr/bin/env python3
"""run.py [CASE...]: runs all test cases, or those named: report, json/one_run_a_line, 'json/*line*'.

console.py says what tests/cases/TOPIC.t and TOPIC-SUBJECT.t look like. The commands of a case run in one shell, with smilog in
PATH, in a folder of its own that has a copy of tests/cases/TOPIC/CASE: logs that are too long for here-documents. It is as
deep in a tree with all that the project has, so ../../../fixtures is tests/fixtures; $root is the project. A line "# skip-unless FILE" skips the case where
FILE (seen from the project's root) is not there; so does exit 77, for what cannot be tested here. "smilog" and the version
(src/base/version.h) in what a case prints is "smilog VERSION" in its file.

BUILD: the folder with the program (build). JOBS: cases at a time (CPUs and two more). CASE_SECONDS: one that takes
longer fails with status 124 (300). ACCEPT=1 writes what came out as what has to. SMILOG_TIMES=FILE: appends a line for each
case: its CPU seconds, its wall seconds and its name.

Topics in TIMED wait for a clock, and a loaded machine is late: a case that fails there runs a second time, alone. The
number of these second attempts has a line of its own."""
import concurrent.futures
import difflib
import fnmatch
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import console
from console import ROOT

BUILD = os.environ.get("BUILD") or "build"
JOBS = int(os.environ.get("JOBS") or os.cpu_count() + 2)  # many cases of live, follow and run wait for a clock
SECONDS = float(os.environ.get("CASE_SECONDS") or 300)
ACCEPT = os.environ.get("ACCEPT")
TIMES = os.environ.get("SMILOG_TIMES")
SKIPPED = 77
TIMED = ("live", "follow", "run", "slurm", "memory", "demo")


def environment():
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    path = f"{ROOT / BUILD}:{Path(sys.executable).parent}:{env['PATH']}"  # not the shim of a version manager: it takes 0.2 s
    return env | {"SMILOG_CONFIG": "", "PATH": path, "root": str(ROOT),  # nobody's settings
                  "LC_ALL": "C.UTF-8", "TZ": "UTC"}


ENV = environment()


def chosen(words):
    """The named cases; those that wait for a clock evenly among the others, which use the CPUs meanwhile. A word that names
    none ends all."""
    found, every = {}, console.all_cases()
    for word in words or ["*"]:
        pattern = word.removeprefix("tests/cases/").removesuffix("/").removesuffix(".t").replace(" ", "_")
        named = {c.name: c for c in every if fnmatch.fnmatchcase(c.name, pattern if "/" in pattern else pattern + "/*")
                 or c.path.stem == pattern}
        if not named:
            print(f"no such case: {word}", file=sys.stderr)
            return []
        found |= named
    parts = [[c for c in found.values() if (c.topic in TIMED) == timed] for timed in (True, False)]
    return [case for _, _, case in sorted((n / len(part), case.name, case) for part in parts for n, case in enumerate(part))]


def run(case, top, changes):
    """Runs the case: what differs, "" where nothing does, None where it was skipped. With ACCEPT that goes to the changes."""
    if case.skipped:
        return None
    start = time.monotonic()
    results, cpu = case.run(top, ENV, SECONDS)
    if TIMES:
        with open(TIMES, "a") as times:
            times.write(f"{cpu:.2f} {time.monotonic() - start:.2f} {case.name}\n")
    if results[-1][2] == SKIPPED:
        return None
    different = []
    for command, want, result in zip(case.commands, case.wanted, results):
        got = console.lines_of(result)
        if want == got:
            continue
        if ACCEPT:
            changes.append((case.path, command.first, command.last, got))
        else:
            place = f"{case.path.relative_to(ROOT)}:{command.line + 1}"
            different += difflib.unified_diff(want, got, place, "got", lineterm="")
    if len(results) < len(case.commands):
        different.append(f"{case.path.relative_to(ROOT)}:{case.commands[len(results) - 1].line + 1}: this ended the shell")
    return "\n".join(different)


def again(case, top, changes):
    """Once more, in a new folder."""
    folder = top / "tests/cases" / case.name
    shutil.rmtree(folder, ignore_errors=True)
    if (console.CASES / case.name).is_dir():
        shutil.copytree(console.CASES / case.name, folder, symlinks=True)
    return run(case, top, changes)


def main():
    for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):  # nohup and & make a shell's children ignore these
        if signal.getsignal(ignored) == signal.SIG_IGN:
            signal.signal(ignored, lambda *_: None)  # a case gets the default instead: exec resets a handler
    cases = chosen(sys.argv[1:])
    if not cases:
        print("0 passed, 1 failed")
        return 1
    results, changes, seconds = [], [], 0
    with tempfile.TemporaryDirectory(prefix="cases-") as name, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        top = Path(name).resolve()
        console.make_tree(top, {case.topic for case in cases})
        for case, result in zip(cases, pool.map(lambda case: run(case, top, changes), cases)):
            results.append(result)
            if result:
                print(f"{result}\nFAILED {case.name}", flush=True)
        for n, case in enumerate(cases):
            if results[n] and case.topic in TIMED:
                print(f"second attempt: {case.name}", flush=True)
                results[n] = again(case, top, changes)
                print(f"{results[n]}\nFAILED AGAIN" if results[n] else "passed")
                seconds += 1
    for path in {change[0] for change in changes}:
        console.replace(path, [change[1:] for change in changes if change[0] == path])
    skipped, failed = results.count(None), sum(bool(r) for r in results)
    if skipped:
        print(skipped, "skipped")
    if seconds:
        print(seconds, "second attempts")
    print(f"{len(cases) - skipped - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
