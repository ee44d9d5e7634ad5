#!/usr/bin/env python3
"""Compares what two smilog programs print and write: a reference, built from a commit, and a candidate.

    golden.py [--ref COMMIT|PROGRAM] [--new PROGRAM] [--quick] [--seed N] [--runs N] [AREA|AREA/GLOB]...

      --ref WHAT     the reference: a commit, which is built once, or a program (default: 17d40724)
      --new PROGRAM  the candidate (default: build/smilog)
      --build DIR    where the reference is built (default: $GOLDEN_BUILD, else build/golden/COMMIT)
      --quick        a tenth of everything, drawn by the seed
      --seed N       of the random runs (default: drawn, and printed)
      --runs N       number of random runs (default: 300)
      --jobs N       comparisons at the same time (default: number of CPUs and two)
      --all-lines    whole diffs
      --entries      how many parts each intended difference has named
      --list         only the names of the comparisons

Areas:
  cases     every case of tests/cases/*.t with either program first in PATH: stdout, stderr, status, files left behind
  random    random runs of tests/oracle/gen_runs.py, ten to a sweep, in every output
  corpus    every file of ../shared/corpus (skipped where it is not there) and of tests/fixtures
  sweep     tests/fixtures/sweep in every output and at several widths
  commands  forms of report, diff, check, merge, list, and questions
  help      every text of help, and what is typed wrong
  export    samples to every kind of file
  sqlite    export to SQLite, then every output from there
  partial   partial summaries: the candidate reads those of the reference, if they have its schema, and its own, to the same JSON

Byte for byte; workbooks cell for cell, pages by their data and visible text, databases by their rows; partial summaries only
by what is read from them. golden_compare.py has the rules for what changes from run to run. A case that differs is run again
alone, twice at most, with both programs; what the reference gave in a case is kept beside it. Cases of live, follow and run
depend on time: of these the candidate may instead give exactly what the case says, and of a case that came or changed after
the reference, too: the commit that changed it has the reason. tests/golden-differences.txt lists the intended differences from
the default reference with their reasons; from any other reference everything that differs is shown.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import fcntl
import fnmatch
import hashlib
import json
import os
import pty
import random
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/dev"), str(ROOT / "tests/oracle"), str(ROOT / "tests")]
import console  # noqa: E402
import gen_runs  # noqa: E402
import golden_compare as compare  # noqa: E402

FIRST = "17d40724"
AREAS = ["cases", "random", "corpus", "sweep", "commands", "help", "export", "sqlite", "partial"]
TIMED = ("live", "follow", "run")  # groups of cases that may be compared by their expected files
WIDTHS = (60, 80, 100, 140, 200)
PER_SWEEP = 10  # random runs
TIMEOUT = 300


@dataclass
class Step:
    args: list[str]
    width: int = 0        # of a terminal on standard output; 0: a pipe
    by_ref: bool = False  # the reference on both sides
    stdin: str = ""       # a file


@dataclass
class Job:
    area: str
    name: str
    steps: list[Step] = field(default_factory=list)
    case: console.Case | None = None  # instead of steps
    ignored: tuple[str, ...] = ()  # files that the steps write, and that are not compared

    @property
    def label(self) -> str:
        return self.area + "/" + self.name


# -- programs

def build_reference(what: str, folder: str | None) -> Path:
    """The program of a commit, built once."""
    if os.path.isfile(what) and os.access(what, os.X_OK):
        return Path(what).resolve()
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run(git + ["rev-parse", "--short=7", what + "^{commit}"], capture_output=True, text=True)
    if commit.returncode:
        sys.exit("golden: %s is neither a program nor a commit" % what)
    top = Path(folder or os.environ.get("GOLDEN_BUILD") or ROOT / "build/golden" / commit.stdout.strip()).resolve()
    stamp, program = top / "build/golden-commit", top / "build/smilog"
    if not (program.exists() and stamp.exists() and stamp.read_text().strip() == commit.stdout.strip()):
        print("building the reference %s in %s" % (commit.stdout.strip(), top), flush=True)
        top.mkdir(parents=True, exist_ok=True)
        archive = subprocess.Popen(git + ["archive", what], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(top)], stdin=archive.stdout, check=True)
        made = subprocess.run(["make", "-s", "-C", str(top), "-j%d" % cpus(), "CFLAGS=-O2", "build/smilog"],
                              env={k: v for k, v in os.environ.items() if k not in ("BUILD", "MAKEFLAGS", "MFLAGS")})
        if archive.wait() or made.returncode:
            sys.exit("golden: %s cannot be built" % what)
        stamp.write_text(commit.stdout)
    return program


def cpus() -> int:
    return len(os.sched_getaffinity(0))


class Side:
    """One program with its own copy of the tests. Both sides have paths of the same length."""

    def __init__(self, name: str, program: Path, top: Path, with_cases: bool):
        self.top = top / name
        self.tree = self.top / "tree"
        self.program = self.tree / "build/smilog"
        (self.tree / "tests").mkdir(parents=True)
        shutil.copytree(ROOT / "tests/fixtures", self.tree / "tests/fixtures", symlinks=True)
        for folder, but in ((ROOT, ("tests", "build", ".git")), (ROOT / "tests", ("fixtures", "cases"))):
            for p in folder.iterdir():
                if p.name not in but:
                    (self.tree / p.relative_to(ROOT)).symlink_to(p)
        for p in (ROOT / "tests/cases").glob("*/*") if with_cases else ():  # run_case makes them its own
            link = self.tree / p.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(p)
        for p in (ROOT / "tests/cases").glob("*.py") if with_cases else ():
            (self.tree / p.relative_to(ROOT)).symlink_to(p)
        self.program.parent.mkdir()
        shutil.copy2(program, self.program)
        for name in ("tmp", "home", "jobs"):
            (self.top / name).mkdir()
        if (ROOT.parent / "shared").exists():
            (self.top / "shared").symlink_to((ROOT.parent / "shared").resolve())
        self.places = [str(self.top)]
        self.env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "ACCEPT", "BUILD")}
        self.env.update(PATH="%s:%s" % (self.program.parent, os.environ["PATH"]), root=str(self.tree), LC_ALL="C.UTF-8",
                        TZ="UTC", TMPDIR=str(self.top / "tmp"), HOME=str(self.top / "home"))


# -- running

def run_step(side: Side, step: Step, reference: Path, cwd: Path) -> dict[str, bytes]:
    argv = [str(reference if step.by_ref else side.program), *step.args]
    stdin = open(cwd / step.stdin, "rb") if step.stdin else subprocess.DEVNULL
    master = slave = None
    env = side.env
    if step.width:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, step.width, 0, 0))
        env = dict(env, COLUMNS=str(step.width), LINES="50", TERM="xterm-256color")
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(argv, cwd=cwd, env=env, stdin=stdin, stdout=slave if step.width else subprocess.PIPE, stderr=err)
        if slave is not None:
            os.close(slave)
        timer = threading.Timer(TIMEOUT, p.kill)
        timer.start()
        out = b""
        if master is not None:
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:  # the terminal has no writer any more
                    break
                out += part
                if not part:
                    break
            os.close(master)
        else:
            out = p.stdout.read()
            p.stdout.close()
        status = p.wait()
        timer.cancel()
        if step.stdin:
            stdin.close()
        err.seek(0)
        return {"stdout": out, "stderr": err.read(), "status": b"%d\n" % status}


def files_below(folder: Path, ignored: tuple[str, ...]) -> dict[str, bytes]:
    out = {}
    for p in sorted(folder.rglob("*")):
        name = str(p.relative_to(folder))
        if any(fnmatch.fnmatchcase(name, g) for g in ignored):
            continue
        if p.is_symlink():
            out[name] = os.readlink(p).encode()
        elif p.is_file():
            out[name] = p.read_bytes()
    return out


def run_steps(side: Side, job: Job, reference: Path, data: Path, number: int) -> dict[str, bytes]:
    cwd = side.top / "jobs" / str(number)
    cwd.mkdir()
    links = {"sweep": side.tree / "tests/fixtures/sweep", "fixtures": side.tree / "tests/fixtures"}
    links.update({p.name: p for p in data.iterdir()})
    if (side.top / "shared/corpus").exists():
        links["corpus"] = side.top / "shared/corpus"
    for name, to in links.items():
        (cwd / name).symlink_to(to)
    out: dict[str, bytes] = {}
    for i, step in enumerate(job.steps, 1):
        prefix = "" if len(job.steps) == 1 else "step%d." % i
        for k, v in run_step(side, step, reference, cwd).items():
            out[prefix + k] = v
    for name in links:
        (cwd / name).unlink()
    for k, v in files_below(cwd, job.ignored).items():
        out["file " + k] = v
    shutil.rmtree(cwd)
    return out


def run_case(side: Side, job: Job) -> dict[str, bytes] | None:
    """What a case prints and leaves in its folder; None: it is skipped here."""
    if job.case.skipped:
        return None
    logs, folder = (top / "tests/cases" / job.case.name for top in (ROOT, side.tree))
    if logs.is_dir():
        folder.unlink()
        shutil.copytree(logs, folder, symlinks=True)
    try:
        return case_outputs(side, job.case, logs, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if logs.is_dir():
            folder.symlink_to(logs)


def case_outputs(side: Side, case: console.Case, logs: Path, folder: Path) -> dict[str, bytes] | None:
    results, _ = case.run(side.tree, side.env, TIMEOUT)
    got = {"stdout": b"".join(r[0] for r in results), "stderr": b"".join(r[1] for r in results), "status": b"%d\n" % results[-1][2]}
    if results[-1][2] == 77:
        return None
    was, now = files_below(logs, ()), files_below(folder, ("*__pycache__*",))
    for name in sorted(set(was) | set(now)):
        if was.get(name) != now.get(name):
            got["file " + name] = now.get(name, b"(removed)")
    return got


class Kept:
    """What the reference gave in cases: it is run again only where the case, or what it reads, has changed. Only results that
    a candidate has given, too, are kept, so that none is an accident of time."""

    def __init__(self, reference: Path, side: Side):
        self.folder = reference.parent / "golden-cases"
        self.length = len(str(side.top))  # it may change the layout of what is printed
        self.common = self.digest([reference, ROOT / "tests/fixtures", *ROOT.glob("tests/cases/*.py")])
        self.tools = self.digest([ROOT / "scripts", *(ROOT / "tests" / name for name in ("fake", "oracle", "system"))])
        self.groups = {p.name: self.digest([p]) for p in ROOT.glob("tests/cases/*/")}

    @staticmethod
    def digest(paths: list[Path]) -> str:
        sha = hashlib.sha256()
        for top in paths:
            for p in sorted(top.rglob("*")) if top.is_dir() else [top]:
                if p.is_file() and "__pycache__" not in p.parts:
                    data = p.read_bytes()
                    sha.update(b"%s %d\n" % (p.name.encode(), len(data)) + data)
        return sha.hexdigest()

    def path(self, job: Job) -> Path:
        text = "\n".join(c.text for c in job.case.commands)
        tools = self.tools if "scripts" in text or "tests/" in text else ""
        key = "%s %s %s %s %d\n%s" % (job.case.name, self.common, tools, self.groups.get(job.case.topic), self.length, text)
        return self.folder / hashlib.sha256(key.encode()).hexdigest()

    def get(self, job: Job):
        """The result with its places, or nothing."""
        try:
            return pickle.loads(self.path(job).read_bytes())
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            return None

    def put(self, job: Job, result, places: list[str]) -> None:
        self.folder.mkdir(exist_ok=True)
        part = self.folder / ("part-%d-%d" % (os.getpid(), threading.get_ident()))
        part.write_bytes(pickle.dumps((result, places)))
        part.replace(self.path(job))


def changed_cases(commit: str) -> set[str]:
    """Cases that are new or changed since a commit, or whose logs or topic's scripts are. If the reference is a program: none."""
    git = ["git", "-C", str(ROOT)]
    archive = subprocess.run(git + ["archive", commit, "tests/cases"], capture_output=True)
    if archive.returncode:
        return set()
    with tempfile.TemporaryDirectory() as top:
        subprocess.run(["tar", "-x", "-C", top], input=archive.stdout, check=True)
        was = {c.name: c.lines for c in console.all_cases(Path(top) / "tests/cases")}
        if not was:  # older than *.t: a folder each
            return {c.name for c in console.all_cases() if expected(c) != expected_of_folder(Path(top) / "tests/cases" / c.name)}
    names = subprocess.run(git + ["diff", "--name-only", commit, "--", "tests/cases"], capture_output=True, text=True).stdout.splitlines()
    places = {"/".join(name.split("/")[2:4]) for name in names}
    topics = {p.split("/")[0] for p in places if p.endswith(".py")}
    return {c.name for c in console.all_cases() if c.lines != was.get(c.name) or c.name in places or c.topic in topics}


def expected_of_folder(folder: Path) -> dict[str, bytes]:
    def of(name, otherwise=b""):
        return (folder / name).read_bytes() if (folder / name).exists() else otherwise
    return {"stdout": of("stdout"), "stderr": of("stderr"), "status": of("status", b"0\n")} if (folder / "cmd").exists() else {}


def named(got: dict[str, bytes]) -> dict[str, bytes]:
    return {name: console.NAMED.sub(b"smilog VERSION", data) for name, data in got.items()}


def expected(case: console.Case) -> dict[str, bytes]:
    out, err, status = (list(part) for part in zip(*map(console.result_of, case.wanted)))
    return {"stdout": b"".join(out), "stderr": b"".join(err), "status": b"%d\n" % status[-1]}


# -- comparisons

def sweep_outputs(path: str) -> list[tuple[str, Step]]:
    """Every output of a sweep."""
    out = [(f, Step(["summarize", "--format", f, path])) for f in ("table", "json", "jsonl", "csv", "md", "line")]
    out += [("table-all-v", Step(["summarize", "-v", "--all", path])), ("csv-raw", Step(["summarize", "-q", "--raw", "-o", "o.csv", path])),
            ("book", Step(["summarize", "-q", "-o", "o.xlsx", path])), ("report-md", Step(["report", "-q", path, "-o", "o.md"])),
            ("report-page", Step(["report", "-q", path, "-o", "o.html"])), ("report-book", Step(["report", "-q", path, "-o", "o.xlsx"])),
            ("report-all", Step(["report", "-q", "--all", "--samples", "all", path, "-o", "o.html"]))]
    return out


def jobs_of_cases() -> list[Job]:
    return [Job("cases", case.name, case=case) for case in console.all_cases()]


def jobs_of_random(groups: dict[str, list[str]]) -> list[Job]:
    out = []
    for group, runs in groups.items():
        for run in runs:
            path = "random/%s/%s" % (group, run)
            out.append(Job("random", "%s/%s/json" % (group, run), [Step(["summarize", "--json", path])]))
            out.append(Job("random", "%s/%s/table" % (group, run), [Step(["summarize", "-v", path])]))
        path = "random/" + group
        out += [Job("random", "%s/%s" % (group, name), [step]) for name, step in sweep_outputs(path)]
        for width in (80, 140):
            out.append(Job("random", "%s/table-%d" % (group, width), [Step(["summarize", "-q", path], width=width)]))
        out.append(Job("random", group + "/threads", [Step(["summarize", "-q", "--json", "-j", "4", path])]))
        out.append(Job("random", group + "/prices", [Step(["summarize", "-q", "--json", "--price-gpu-hour", "2.49", "--price-kwh",
                                                           "0.31", "--gco2-kwh", "380", path])]))
        out.append(Job("random", group + "/replay", [Step(["live", "--replay", "%s/%s" % (path, runs[0]), "--speed", "1000000",
                                                           "--format", "jsonl"])]))
    return out


def logs_below(folder: Path, name: str) -> list[str]:
    return sorted(name + "/" + str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def all_logs() -> list[str]:
    corpus = ROOT.parent / "shared/corpus"
    logs = [p for p in logs_below(ROOT / "tests/fixtures", "fixtures") if not p.startswith("fixtures/sweep")]
    if corpus.exists():
        logs += logs_below(corpus, "corpus")
    return logs


def jobs_of_corpus() -> list[Job]:
    out = []
    for log in all_logs():
        name = log.replace("/", ".")
        out.append(Job("corpus", name + "/json", [Step(["summarize", "--json", log])]))
        out.append(Job("corpus", name + "/table", [Step(["summarize", "-v", log])]))
        out.append(Job("corpus", name + "/stdin", [Step(["summarize", "-q", "--format", "csv", "-"], stdin=log)]))
        out.append(Job("corpus", name + "/options", [Step(["summarize", "-q", "--json", "--tz", "+02:00", "--interval", "2",
                                                           "--gpu-count", "2", "--idle-below", "5", log])]))
    for folder in sorted((ROOT.parent / "shared/corpus").glob("*/")):
        out += [Job("corpus", "%s/%s" % (folder.name, name), [step]) for name, step in sweep_outputs("corpus/" + folder.name)]
    return out


def jobs_of_sweep() -> list[Job]:
    out = []
    for path in ("sweep", "sweep/lr=0.1/seed=3", "sweep/lr=0.3", "fixtures/amd", "fixtures/amd/run"):
        name = path.replace("/", ".")
        out += [Job("sweep", "%s/%s" % (name, what), [step]) for what, step in sweep_outputs(path)]
        for width in WIDTHS:
            for what, args in (("table", []), ("full", ["-v"]), ("colour", ["--color", "always"]), ("all", ["--all"])):
                out.append(Job("sweep", "%s/%s-%d" % (name, what, width), [Step(["summarize", "-q", *args, path], width=width)]))
            out.append(Job("sweep", "%s/check-%d" % (name, width), [Step(["check", "--max-idle-pct", "9", path], width=width)]))
            out.append(Job("sweep", "%s/diff-%d" % (name, width), [Step(["diff", "--all", "sweep/lr=0.03", path], width=width)]))
        for j in ("1", "3"):
            out.append(Job("sweep", "%s/threads-%s" % (name, j), [Step(["summarize", "--json", "-j", j, path])]))
    return out


# Arguments of the area commands, split at blanks; EACH is replaced by every output in turn.
PLAIN = ("table", "json", "jsonl", "csv", "md", "xlsx", "line")
COMMANDS = """
report sweep -o o.html --price-gpu-hour 2.49 --price-kwh 0.3 --gco2-kwh 400
report sweep -o o.md --price-gpu-hour H100=2.49,1.1 --all
report sweep -o o.xlsx --price-gpu-hour 2.49 --group-by lr
report sweep -o o.xlsx --samples all
report sweep -o o.html --samples 50 --group-by param.lr
report sweep -o o.html --where idle_pct>9
report sweep -o o.html --join fixtures/query_units.csv
report before -o o.html
report before -o o.xlsx
report before -o o.md
report sweep --format html -o -
report sweep --format md -o -
report sweep -o o.txt
report -q sweep/lr=0.1/seed=3 -o o.html -v
diff before after
diff --all before after
diff --json before after
diff --format csv before after
diff --format md before after
diff --format md --all after before
diff --columns gpu_util_mean_pct,energy_wh before after
diff --repeats lr before after
diff --where lr=0.1 before after
diff sweep sweep
diff sweep/lr=0.1 sweep/lr=0.3
diff sweep/lr=0.1 sweep/lr=0.3 --json
diff sweep/lr=0.1/seed=1 sweep/lr=0.1/seed=3 --all
diff sweep/lr=0.1/seed=1 sweep/lr=0.1/seed=3 --json --price-gpu-hour 2
diff sweep nowhere
check sweep
check sweep --max-idle-pct 10 --min-gpu-util 60
check sweep --max-idle-pct 10 --min-gpu-util 60 --all -v
check sweep --max-idle-pct 10 --json
check sweep --max-idle-pct 10 --format junit
check sweep --max-idle-pct 10 --format github
check sweep --max-idle-pct 10 -o o.xml --allow-missing
check sweep --fail-on error --json
check sweep --fail-on info
check sweep --fail-on warn --format junit
check sweep --fail-if idle_pct>10
check sweep --fail-if wasted_h>0.5 --fail-if state='failed' --json
check sweep --baseline sweep
check after --baseline before
check after --baseline before --json --tolerance 1%,energy_wh=10%
check after --baseline before --format junit
check after --baseline before --format github
check sweep --max-longest-idle-s 100 --max-wasted-h 1 --max-vram-mb 50000 --max-temp 50 --max-throttled-pct 1 --max-duration-s 3600 --max-energy-wh 500
check sweep --max-longest-idle-s 100 --max-wasted-h 1 --max-vram-mb 50000 --max-temp 50 --max-throttled-pct 1 --max-duration-s 3600 --max-energy-wh 500 --json
check sweep -q --max-temp 90 --allow-missing
list metrics
list formats
list outputs
list columns
list rules
list rules --json
list alerts
list alerts --json
list nothing
summarize sweep --format EACH --price-gpu-hour 2.49 --price-kwh 0.3 --gco2-kwh 400 -q
summarize sweep --format EACH --columns run,state,idle_pct,energy_wh,gpu_util_mean_pct,param.lr,exit_code -q
summarize sweep --format EACH --group-by param.lr -q
summarize sweep --format EACH --group-by state,model --columns energy_wh,idle_pct --sort -energy_wh_mean -q
summarize sweep --format EACH --sql select*from\truns -q
summarize sweep --format EACH --sql select*from\tgpus -q
summarize sweep --format EACH --sql select*from\tphases -q
summarize sweep --format EACH --sql select*from\tfindings -q
summarize sweep --format EACH --sql select\tname,median(seconds),p95(seconds),stddev(seconds),mean(seconds)\tfrom\tphases\tgroup\tby\tname -q
summarize sweep --format EACH --where idle_pct>9 --sort -idle_pct -q
summarize sweep --format EACH --run all
summarize sweep --format EACH --run-per file
summarize sweep --format EACH --run-per dir
summarize sweep --format EACH --gpus 0 -q
summarize sweep --format EACH --since 2026-07-04 --tz UTC
summarize sweep --format EACH --until 2026-07-03T20:00Z
summarize fixtures --format EACH
summarize sweep/lr=0.3/seed=4 --format EACH
summarize nowhere --format EACH
summarize sweep --json --gpus 1
summarize sweep --json --gpus 7
summarize sweep --json --tz Europe/Berlin
summarize sweep --json --tz UTC
summarize sweep --json --idle-below 50
summarize sweep --json --host me
summarize sweep --strict
summarize sweep --format line --exit-zero --timeout 60
summarize --format line --exit-zero nowhere
summarize sweep --where nothing>9
summarize sweep --columns run,idel_pct
summarize sweep --sort nothing
summarize sweep --sql drop\ttable\truns
summarize sweep --input-format dmon
summarize fixtures/query_units.csv --input-format nvidia-smi-query
summarize fixtures/query_nounits.csv --input-columns timestamp,index,power.draw --json
summarize --json fixtures/query_nounits.csv fixtures/dmon_470.log fixtures/retired_pages.csv fixtures/accounted_apps.csv
live --replay sweep/lr=0.1/seed=3 --speed 1000000 --plain
live --replay sweep/lr=0.1/seed=3 --speed 1000000 --format jsonl
live --replay sweep/lr=0.3/seed=2 --speed 1000000 --plain
live --replay nowhere
follow --once sweep/lr=0.1/seed=3 --tz +02:00
follow --once sweep/lr=0.3/seed=3 --tz +02:00
"""


def jobs_of_commands() -> list[Job]:
    out = []
    for line in COMMANDS.strip().splitlines():
        for each in PLAIN if "EACH" in line else ("",):
            args = [w.replace("\\t", " ") if w != "EACH" else each for w in line.split()]
            if each == "xlsx":
                args += ["-o", "o.xlsx"]
            out.append(Job("commands", re.sub(r"\s|/|\\t", "_", line.replace("EACH", each)), [Step(args)]))
    return out


TYPED_WRONG = """

summarise
--nothing
--version
-h
help summarise
help help
list
list metricks
report sweep
report sweep -o
report -o o.pdf sweep
merge
merge nowhere
diff
diff sweep
diff sweep sweep sweep
check
check --max-idle-pct
check --max-idle-pct x sweep
check --max-idel-pct 5 sweep
check --fail-on never sweep
export sweep
export sweep --to nothing
export sweep --to nothing:x
log
log run.jsonl
log run.jsonl phase x
log run.jsonl event
log - phase x y
run
run --interval 0 true
run -- nowhere-no-such-command
live --interval x
live --replay
live --listen x
live --names x --once
live --format x
follow
follow nowhere --once
follow --store x.db
summarize --format x sweep
summarize --threads x sweep
summarize --color x sweep
summarize --tz x sweep
summarize --gpus
summarize --price-gpu-hour x sweep
summarize --price-gpu-hour H100=x sweep
summarize --since x sweep
summarize --rules nowhere sweep
summarize --join nowhere sweep
summarize --timeout x sweep
summarize --line sweep
summarize -o nowhere/x.csv sweep
summarize -o o.pdf sweep
"""


def command_names(reference: Path) -> list[str]:
    text = subprocess.run([reference, "--help"], capture_output=True, text=True).stdout
    return re.findall(r"(?m)^  ([a-z]+)  +[A-Z]", text)


def jobs_of_help(reference: Path) -> list[Job]:
    lines = [s.strip() for s in TYPED_WRONG.strip("\n").splitlines()] + ["help", "--help"]
    for name in command_names(reference):
        lines += ["help " + name, name + " --help", name + " -h", name + " --no-such-option", name + " --outputt x"]
    out = [Job("help", "_".join(line.replace("/", ".").split()) or "nothing", [Step(line.split())]) for line in dict.fromkeys(lines)]
    return out + [Job("help", "%s-%d" % (name, w), [Step(["help", name], width=w)]) for name in ("summarize", "live") for w in (60, 140)]


def data_sets(groups: dict[str, list[str]]) -> list[str]:
    """Sweeps, runs and logs of every kind."""
    out = ["sweep", "sweep/lr=0.1/seed=3", "sweep/lr=0.3/seed=4", "before"] + ["random/" + g for g in groups]
    return out + all_logs()


def title(path: str) -> str:
    return path.replace("/", ".")


def jobs_of_export(groups) -> list[Job]:
    out = []
    for path in data_sets(groups):
        for kind in ("csv", "jsonl", "openmetrics"):
            out.append(Job("export", "%s/%s" % (title(path), kind), [Step(["export", path, "--to", "%s:o.%s" % (kind, kind)])]))
        out.append(Job("export", title(path) + "/dry-run", [Step(["export", "--dry-run", path, "--to", "jsonl:-"])]))
    for path in ["sweep"] + ["random/" + g for g in groups]:
        back = [Step(["export", "-q", path, "--to", "jsonl:o.jsonl"]), Step(["summarize", "--json", "o.jsonl"])]
        out.append(Job("export", title(path) + "/jsonl-back", back, ignored=("o.jsonl",)))
        back = [Step(["export", "-q", path, "--to", "csv:o.csv"]), Step(["summarize", "--json", "o.csv"])]
        out.append(Job("export", title(path) + "/csv-back", back, ignored=("o.csv",)))
    for path in ["sweep/lr=0.1/seed=3", "before"] + ["random/" + g for g in groups]:
        args = ["export", path, "--to", "pytorch:o", "--created-at", "1", "--workflow-run-id", "7", "--job-id", "9", "--tz", "UTC"]
        out.append(Job("export", title(path) + "/pytorch", [Step(args)]))
    return out


def jobs_of_sqlite(groups) -> list[Job]:
    out = []
    for path in data_sets(groups):
        steps = [Step(["export", path, "--to", "sqlite:o.db"]), Step(["summarize", "--json", "sqlite:o.db"]),
                 Step(["export", "-q", path, "--to", "sqlite:o.db"])]
        if "." not in Path(path).name or path.startswith("sweep"):
            steps += [step for _, step in sweep_outputs("sqlite:o.db")[:6]]
        out.append(Job("sqlite", title(path), steps))
    return out


def partial_schema(program) -> bytes:
    argv = [str(program), "summarize", "-q", "--partial", str(ROOT / "tests/fixtures/query_units.csv")]
    return subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout.split(b",")[0]


def jobs_of_partial(groups, common: bool) -> list[Job]:
    """common: both programs write the same schema; else the candidate refuses what the reference has written."""
    out = []
    for path in data_sets(groups):
        steps = [Step(["summarize", "-q", "--partial", path, "-o", "ref.partial"], by_ref=common),
                 Step(["merge", "--json", "ref.partial"]),
                 Step(["summarize", "--partial", path, "-o", "own.partial"]),
                 Step(["merge", "--json", "own.partial"]), Step(["merge", "ref.partial", "-v"]),
                 Step(["merge", "--json", "own.partial", "own.partial"])]
        if path == "sweep" or path.startswith("random/"):
            steps += [Step(["merge", "--run", "all", "--json", "own.partial"]), Step(["summarize", "--json", "ref.partial"]),
                      Step(["merge", "--partial", "ref.partial", "-o", "again.partial"]), Step(["merge", "--json", "again.partial"]),
                      Step(["merge", "-q", "-o", "o.xlsx", "ref.partial"]), Step(["report", "-q", "-o", "o.html", "own.partial"]),
                      Step(["merge", "--format", "csv", "own.partial"])]
        out.append(Job("partial", title(path), steps))
    for group, runs in groups.items():  # halves of the logs of each run
        steps, files = [], []
        for run in runs:
            names = sorted(GENERATED[group, run])
            for i, half in enumerate((names[::2], names[1::2])):
                if half:
                    files.append("%s.%d.partial" % (run, i))
                    steps.append(Step(["summarize", "-q", "--partial", "--run", run, "-o", files[-1]] +
                                      ["random/%s/%s/%s" % (group, run, n) for n in half], by_ref=common and i == 0))
        steps += [Step(["merge", "--json"] + files), Step(["merge", "--format", "table", "-o", "o.txt"] + files[::-1])]
        out.append(Job("partial", "halves." + group, steps))
    return out


GENERATED: dict[tuple[str, str], list[str]] = {}  # files of each random run


def end_last_line(folder: Path) -> None:
    """The first version takes a whole entry without its newline for a torn one, so it gets one: all else can be compared."""
    for log in folder.glob("*.jsonl"):
        last = log.read_bytes().rpartition(b"\n")[2]
        try:
            if last and json.loads(last) is not None:
                with log.open("ab") as to:
                    to.write(b"\n")
        except ValueError:
            pass


def make_data(data: Path, runs: int, seed: int) -> dict[str, list[str]]:
    """Random sweeps and the two sides of a diff; returns the runs of each random sweep. Runs with GPU logs of two formats have
    sweeps of their own, "both-00": of their readings the first version counts others."""
    groups: dict[str, list[str]] = {}
    draw, number = random.Random(seed), {"": 0, "both-": 0}
    (data / "random").mkdir(exist_ok=True, parents=True)
    for _ in range(runs):
        folder = data / "random/next"
        gen_runs.generate(folder, draw.randrange(2**31), without={"impossible"})
        end_last_line(folder)
        names = [p.name for p in folder.iterdir()]
        kind = "both-" if sum(n.startswith("hw_") for n in names) > 1 else ""
        group, run = "%s%02d" % (kind, number[kind] // PER_SWEEP), "x=%d" % (number[kind] % PER_SWEEP)
        number[kind] += 1
        (data / "random" / group).mkdir(exist_ok=True)
        folder.rename(data / "random" / group / run)
        groups.setdefault(group, []).append(run)
        GENERATED[group, run] = names
    sweeps = str(ROOT / "tests/cases/diff/sweeps.py")
    for args in (["before", "1"], ["after", "3", "util=0.95"]):
        subprocess.run([sys.executable, "-B", sweeps, str(data / args[0]), *args[1:]], check=True, stdout=subprocess.DEVNULL)
    return groups


def wanted(jobs: list[Job], words: list[str]) -> list[Job]:
    def matches(job):
        return not words or any(w == job.area or fnmatch.fnmatchcase(job.label, w) for w in words)
    return [j for j in jobs if matches(j)]


# -- the whole

class Comparison:
    def __init__(self, ref: Side, new: Side, reference: Path, data: Path, keep: bool, commit: str):
        self.ref, self.new, self.reference, self.data = ref, new, reference, data
        self.kept = Kept(reference, ref) if keep else None
        self.changed = changed_cases(commit)

    def case(self, job: Job, afresh: bool):
        kept = None if afresh else self.kept.get(job)
        a, places = kept or (run_case(self.ref, job), self.ref.places)
        b = run_case(self.new, job)
        if a is None and b is None:
            return None
        skipped = {"status": b"skipped\n"}
        out = self.different(a or skipped, places, b or skipped)
        if not out and not kept:
            self.kept.put(job, a, places)
        if out and (job.case.topic in TIMED or job.case.name in self.changed) and b and named(b).items() <= expected(job.case).items():
            return []
        return out

    def both(self, job: Job, number: int, afresh: bool = False):
        """What differs: a list of (part, lines); None: the job is skipped here."""
        if job.case:
            return self.case(job, afresh)
        a, b = (run_steps(s, job, self.reference, self.data, number) for s in (self.ref, self.new))
        return self.different(a, self.ref.places, b)

    def different(self, a: dict[str, bytes], places: list[str], b: dict[str, bytes]):
        out = []
        for part in sorted(set(a) | set(b)):
            x, y = a.get(part, b"(nothing)"), b.get(part, b"(nothing)")
            if x == y:
                continue
            lines = compare.compared(x, places, y, self.new.places)
            if lines:
                out.append((part, lines))
        return out


def main() -> int:
    parser = argparse.ArgumentParser(usage="see the head of this file: golden.py --help", add_help=False)
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--ref", default=FIRST)
    parser.add_argument("--new", default=str(ROOT / os.environ.get("BUILD", "build") / "smilog"))
    parser.add_argument("--build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=cpus() + 2)
    parser.add_argument("--all-lines", action="store_true")
    parser.add_argument("--entries", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("words", nargs="*")
    o = parser.parse_args()
    if o.help:
        print(__doc__.strip())
        return 0
    for w in o.words:
        if w.split("/")[0] not in AREAS:
            sys.exit("golden: there is no area %s; areas are %s" % (w, ", ".join(AREAS)))
    if not os.access(o.new, os.X_OK):
        sys.exit("golden: there is no program %s" % o.new)
    reference = build_reference(o.ref, o.build)
    seed = o.seed if o.seed is not None else random.randrange(2**31)
    print("reference %s, candidate %s, --seed %d" % (reference, o.new, seed), flush=True)
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        return compare_all(o, reference, seed, Path(name))


def compare_all(o, reference: Path, seed: int, top: Path) -> int:
    data = top / "data"
    data.mkdir()
    areas = {w.split("/")[0] for w in o.words} or set(AREAS)
    runs = o.runs // 10 if o.quick else o.runs
    groups = make_data(data, runs if areas - {"cases", "help", "commands", "sweep", "corpus"} else 0, seed)
    makers = {"cases": jobs_of_cases, "random": lambda: jobs_of_random(groups), "corpus": jobs_of_corpus, "sweep": jobs_of_sweep,
              "commands": jobs_of_commands, "help": lambda: jobs_of_help(reference), "export": lambda: jobs_of_export(groups),
              "sqlite": lambda: jobs_of_sqlite(groups), "partial": lambda: jobs_of_partial(groups, partial_schema(reference) == partial_schema(o.new))}
    jobs = wanted([j for a in AREAS if a in areas for j in makers[a]()], o.words)
    if o.quick:
        jobs = [j for i, j in enumerate(jobs) if (i + seed) % 10 == 0]
    if o.list:
        print("\n".join(j.label for j in jobs))
        return 0
    if "corpus" in areas and not (ROOT.parent / "shared/corpus").exists():
        print("corpus: skipped, ../shared/corpus is not there")
    sides = (Side(name, program, top, "cases" in areas) for name, program in (("ref", reference), ("new", Path(o.new))))
    both = Comparison(*sides, reference, data, "cases" in areas, o.ref)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        results = dict(zip((j.label for j in jobs), pool.map(lambda p: both.both(p[1], p[0]), enumerate(jobs))))
    for _ in range(2):
        again = [j for j in jobs if j.case and results[j.label]]
        for n, job in enumerate(again if len(again) <= 60 else [], len(jobs)):
            results[job.label] = both.both(job, n, afresh=True)
    return report(o, jobs, results)


def report(o, jobs: list[Job], results: dict) -> int:
    default = ROOT / "tests/golden-differences.txt" if o.ref == FIRST else os.devnull
    intended = compare.Intended(Path(os.environ.get("GOLDEN_DIFFERENCES", default)))
    counts: dict[str, list[int]] = {}
    skipped = differ = listed = 0
    for job in jobs:
        count = counts.setdefault(job.area, [0, 0])
        found = results[job.label]
        skipped += found is None
        count[0] += found is not None
        judged = [(part, intended.beyond(job.label, part, lines)) for part, lines in found or []]
        bad = [(part, left) for part, left in judged if left]
        listed += bool(found) and not bad
        if not bad:
            continue
        differ += 1
        count[1] += 1
        for part, lines in bad:
            print("DIFFERS %s, %s" % (job.label, part))
            shown = compare.cut(lines if o.all_lines else lines[:compare.LINES])
            for line in shown:
                print("    " + line.encode("utf-8", "backslashreplace").decode())
            if len(shown) < len(lines):
                print("    ... %d lines more" % (len(lines) - len(shown)))
    whole = [] if o.quick else [w for w in o.words if w in AREAS] if o.words else AREAS + [None]
    for count, entry in intended.counts() if o.entries else []:
        print("%6d  %s" % (count, entry))
    for entry in intended.unused(whole):
        print("NOT USED in tests/golden-differences.txt: " + entry)
    print("; ".join("%s %d%s" % (a, n, ", %d differ" % m if m else "") for a, (n, m) in counts.items()))
    print("%d skipped, %d with intended differences" % (skipped, listed))
    print("%d compared, %d differ" % (len(jobs) - skipped, differ))
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
