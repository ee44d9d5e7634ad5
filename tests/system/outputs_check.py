#!/usr/bin/env python3
"""What is left of an output file when its writer is killed, or cannot write?

    outputs_check.py [KILLS]     SMILOG: the program; KILLS in all (default 20); as root also on a full file system

For every output: kill -9 at random and while its temporary file is there: the old file or the new one, whole; what was
left beside it is gone after the next run. A file that may not grow (RLIMIT_FSIZE), /dev/full, a directory that cannot
be written or is not there: exit status 4, the path is named, the old file is as it was, nothing stays beside it.

The n-th write, fsync, close or rename fails (EIO, EDQUOT; fault.c), for n from 1 on until there is no n-th, once or
from there on: the same, or the file is whole, to the last byte, and the exit status as ever. With less than 100 KILLS only
some n; with less KILLS than outputs, only so many of the outputs, which are drawn. Ends with "N passed, M failed"."""
from __future__ import annotations

import errno
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from lib import ROOT, SMILOG, check, end, finish, folder, no_errors, smilog, tmpfs, wait, words

ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", SOURCE_DATE_EPOCH="1783000000")


def outputs() -> dict[str, list[str]]:
    """Command lines without -o, by the name of the file."""
    some = {"out." + e: ["summarize", "runs"] for e in ("txt", "json", "jsonl", "csv", "md")}
    some["out.line"] = ["summarize", "runs", "--format", "line"]
    some["rows.csv"] = ["summarize", "runs", "--columns", "run,gpu_hours"]
    some["out.partial"] = ["summarize", "runs", "--partial"]
    known = smilog("list", "outputs").stdout
    for ending in ("md", "html", "xlsx"):
        if ending == "md" or re.search(r"\.%s\b" % ending, known):
            some["report." + ending] = ["report", "runs"]
    commands = smilog("--help").stdout
    if re.search(r"^\s+check\b", commands, re.M):
        some["check.xml"] = ["check", "runs", "--max-idle-pct", "1"]
        some["check.json"] = ["check", "runs", "--max-idle-pct", "1"]
    if re.search(r"^\s+diff\b", commands, re.M):
        some["diff.json"] = ["diff", "runs", "runs"]
    return some


def run(args: list[str], top: Path, before=None, out: str | None = None) -> tuple[int, str]:
    p = smilog(*args, "-q", *(["-o", out] if out else []), cwd=top, env=ENV, preexec_fn=before)
    return p.returncode, p.stderr


def whole(name: str, data: bytes) -> bytes:
    """Times of its making are not of interest; a workbook holds them in packed parts: its size and end tell."""
    if name.endswith(".xlsx"):
        return b"PK" if data[:2] == b"PK" and b"PK\5\6" in data[-64:] else data
    return re.sub(rb"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?", b"T", data) if name.endswith(".html") else data


def beside(top: Path) -> list[str]:
    return sorted(p.name for p in top.iterdir() if ".tmp-" in p.name)


def kill_one(name: str, args: list[str], top: Path, r: random.Random, waits: bool) -> list[str]:
    file = top / name
    old = b"the old one\n" * 999
    file.write_bytes(old)
    p = subprocess.Popen([SMILOG, *args, "-q", "-o", name], cwd=top, env=ENV, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    if waits:
        wait(lambda: p.poll() is not None or beside(top), 5, 0.0002)  # not a busy loop: the other process needs the CPU
    else:
        time.sleep(r.random() * 0.03)
    end(p, signal.SIGKILL)
    killed = file.read_bytes()
    left = len(beside(top))
    rc, err = run(args, top, out=name)
    new = file.read_bytes()
    fails = []
    if killed != old and whole(name, killed) != whole(name, new):
        fails.append("%s: after kill -9 it is neither the old file nor the new one" % name)
    if rc not in (0, 1) or new == old:
        fails.append("%s: the run after that ends with %d: %s" % (name, rc, err))
    if beside(top):
        fails.append("%s: left beside it: %s" % (name, beside(top)))
    KILLED[left > 0] += 1
    return fails


KILLED = {True: 0, False: 0}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def fault(what: str, name: str, args: list[str], top: Path, out: str, before=None) -> list[str]:
    file = top / name
    old = b"the old one\n"
    file.write_bytes(old)
    rc, err = run(args, top, before, out)
    fails = []
    if rc != 4 or out[-200:] not in err:
        fails.append("%s, %s: ends with %d: %s" % (what, out, rc, err))
    if file.read_bytes() != old:
        fails.append("%s: %s is not as it was" % (what, name))
    if beside(top):
        fails.append("%s: left beside %s: %s" % (what, name, beside(top)))
    return fails


def faults(name: str, args: list[str], top: Path) -> tuple[int, list[str]]:
    fails = fault("no room to grow", name, args, top, name, limit)
    fails += fault("no such directory", name, args, top, "no/where/" + name)
    done = 2
    if not name.endswith(".xlsx"):  # which is no stream
        forced = args + ["--format", name.split(".")[1]] if "partial" not in name and "--format" not in args else args
        forced = [{"txt": "table", "xml": "junit"}.get(w, w) for w in forced]
        fails += fault("full device", name, forced, top, "/dev/full")
        done += 1
    if os.geteuid() != 0:
        (top / "shut").mkdir(exist_ok=True)
        (top / "shut").chmod(0o555)
        fails += fault("a directory that is read-only", name, args, top, "shut/" + name)
        done += 1
    return done, fails


def small_disk(some: dict[str, list[str]], top: Path) -> tuple[int, list[str]]:
    """Where mounting is allowed: a file system with no room, and one that is read-only."""
    disk, done, fails = top / "disk", 0, []
    with tmpfs(disk, "16k") as mounted:
        if not mounted:
            return 0, []
        for how in ("full", "read-only"):
            for name, args in some.items():
                old = disk / name
                if how == "full":
                    (disk / "fill").write_bytes(b"")
                    old.write_bytes(b"old")
                    with open(disk / "fill", "wb", buffering=0) as f:
                        try:
                            while f.write(b"x" * 4096):
                                pass
                        except OSError:
                            pass
                rc, err = run(args, top, out="disk/" + name)
                touched = old.exists() and old.read_bytes() != b"old"
                if rc != 4 or "disk/" + name not in err or beside(disk) or touched:
                    fails.append("%s disk, %s: ends with %d: %s %s" % (how, name, rc, err, beside(disk)))
                if how == "full":
                    old.unlink()
                done += 1
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    return done, fails


def preload(top: Path) -> str | None:
    """The library that makes calls fail; None where it cannot be made, or the program takes none (AddressSanitizer)."""
    made = str(top / "fault.so")
    try:
        subprocess.run([os.environ.get("CC", "cc").split()[-1], "-shared", "-fPIC", "-O1", "-o", made,
                        str(ROOT / "tests/system/fault.c")], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    env = dict(ENV, LD_PRELOAD=made, FAULT_CALL="none", FAULT_AT="0", FAULT_ERRNO="5")
    return None if smilog("--version", env=env).returncode else made


def answer(name: str, args: list[str], top: Path, env: dict[str, str]) -> tuple[int, str, bytes]:
    p = smilog(*args, "-q", "-j1", "-o", name, cwd=top, env=env)
    return p.returncode, p.stderr, (top / name).read_bytes()


def broken(name: str, args: list[str], top: Path, env: dict[str, str], want: tuple) -> tuple[bool, list[str]]:
    """One run of which one call fails: did it get that far?"""
    seen, old = top / "seen", b"the old one\n"
    seen.unlink(missing_ok=True)
    (top / name).write_bytes(old)
    for f in top.glob("runs.db*"):
        f.unlink()
    rc, err, now = answer(name, args, top, dict(env, FAULT_SEEN=str(seen)))
    hit, fails = seen.exists(), []
    if not (hit and rc == 4 and name in err and err.count("\n") == 1 and now == old) and (rc, now) != want:
        fails.append("ends with %d, %s: %s" % (rc, "the old file" if now == old else "another file", err))
    if beside(top) or list((top / "tmp").iterdir()):
        fails.append("left behind: %s" % (beside(top) + list((top / "tmp").iterdir())))
    return hit, fails


def broken_calls(some: dict[str, list[str]], top: Path, every: bool) -> tuple[int, list[str]]:
    made, done, fails = preload(top), 0, []
    (top / "tmp").mkdir()
    for name, args in some.items() if made else []:
        env = dict(ENV, TMPDIR=str(top / "tmp"))
        args = ["runs/0" if a == "runs" else a for a in args]  # the same ones twenty times say no more
        rc, err, data = answer(name, args, top, env)
        for call in ("write", "fsync", "close", "rename"):
            for on in ("", "1") if every else ("",):
                n, hit = 1, True
                while hit:
                    no = (errno.EIO, errno.EDQUOT)[n % 2]
                    env.update(LD_PRELOAD=made, FAULT_CALL=call, FAULT_AT=str(n), FAULT_ERRNO=str(no))
                    env.update({"FAULT_ON": on} if on else {})
                    hit, bad = broken(name, args, top, env, (rc, data))
                    what = "%s, %s %d%s" % (name, call, n, " and all that follow" if on else "")
                    fails += ["%s: %s" % (what, b) for b in bad]
                    done += 1
                    n += 1 if every else 1 + n // 4
                env.pop("FAULT_ON", None)
    return done, fails


def judge(done: int, fails: list[str]) -> None:
    """What was tried so many times, and what was wrong."""
    no_errors("outputs", fails)
    for _ in range(done - max(1, len(fails))):
        check("outputs", True)


def main(kills: int) -> None:
    r, some = random.Random(1), outputs()
    if kills < len(some):
        some = {out: some[out] for out in random.sample(list(some), kills)}
    with folder() as name:
        top = Path(name)
        for i in range(1 if kills < 100 else 20):
            shutil.copytree(ROOT / "tests/fixtures/sweep", top / "runs" / str(i))
        for i in range(kills):
            out = list(some)[i % len(some)]
            judge(1, kill_one(out, some[out], top, r, i // len(some) % 2 == 0))
        for out, args in some.items():
            judge(*faults(out, args, top))
        judge(*small_disk(some, top))
        judge(*broken_calls(some, top, kills >= 100))
    if kills >= 100:
        print("%d killed while they wrote" % KILLED[True])


main(words(20))
sys.exit(finish())
