#!/usr/bin/env python3
"""Is an answer with --cache the same as one without, whatever happens to the logs and to the cache?

    cache_check.py [STEPS [SEED [KILLS]]]    SMILOG: the program; default 12 steps, seed 1, 6 kills

A sweep of random runs (scripts/gen_runs.py) is edited at random, step by step: rows appended, a byte changed in place,
a file rewritten with the same size and time, touched, renamed, removed; runs added, removed, copied over one another;
parameter files, links and archives that come and go; other options and outputs; the cache damaged, cut or removed.
Each time every byte of output, warnings and exit status has to be as without it. Then the program is killed while it
writes the cache. Some steps wait until files are old enough to be kept. Ends with "N passed, M failed"."""
from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import gen_runs  # noqa: E402

SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
FORMS = [["--format", f] for f in ("json", "jsonl", "csv", "table", "line", "md")] + [
    ["-v"], ["--columns", "run,gpu_util_mean_pct,param.lr"], ["--group-by", "state"],
    ["--sql", "select rule, count(*), sum(gpu_hours) from findings group by 1"]]
OPTIONS = [[], [], [], [], ["--tz", "Europe/Berlin"], ["--tz", "UTC"], ["--idle-below", "5"],
           ["--gpus", "0"], ["--gpu-count", "2"], ["--run-per", "file"], ["--host", "pod-1"], ["--interval", "2"],
           ["--price-gpu-hour", "2.49"], ["--follow-links"], ["--run", "all"], ["-j", "1"], ["-j", "4"]]


def run(args: list[str], cwd: Path) -> tuple[bytes, bytes, int]:
    env = dict(os.environ, LC_ALL="C.UTF-8")
    p = subprocess.run([SMILOG, *args], cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL, env=env)
    return p.stdout, p.stderr, p.returncode


class Sweep:
    def __init__(self, top: Path, seed: int):
        self.top, self.r, self.n = top, random.Random(seed), 0
        self.dir = top / "out"
        for _ in range(12):
            self.add()

    def add(self) -> str:
        name = self.dir / ("lr=%s" % self.r.choice(["0.1", "0.3", "1"])) / ("seed%d" % self.n)
        name.mkdir(parents=True)
        gen_runs.generate(name, self.r.randrange(10**6))
        self.n += 1
        return "add %s" % name.name

    def file(self) -> Path | None:
        files = sorted(p for p in self.dir.rglob("*") if p.is_file() and not p.is_symlink())
        return self.r.choice(files) if files else None

    def runs(self) -> list[Path]:
        return sorted(p for p in self.dir.glob("*/*") if p.is_dir())

    def append(self, p: Path) -> None:
        data = p.read_bytes()
        lines = data.splitlines(keepends=True)
        with open(p, "ab") as f:
            f.write(self.r.choice(lines) if lines else b"x\n")

    def change_byte(self, p: Path, quiet: bool = False) -> None:
        """In place, and (quiet) with the time of before: only the ctime tells."""
        st, data = p.stat(), bytearray(p.read_bytes())
        digits = [i for i, c in enumerate(data) if 48 <= c <= 57]
        if digits:
            i = self.r.choice(digits)
            data[i] = 48 + (data[i] - 47) % 10
        with open(p, "r+b") as f:
            f.write(data)
        if quiet:
            os.utime(p, ns=(st.st_atime_ns, st.st_mtime_ns))

    def edit(self) -> str:
        what = self.r.choice(["append", "append", "byte", "byte quietly", "byte quietly", "touch", "rename", "remove",
                              "touch into the future", "remove run", "add", "copy", "config", "link", "archive",
                              "swap", "cut", "foreign", "nothing"])
        p = self.file()
        if what == "add" or not p:
            return self.add()
        if what == "append":
            self.append(p)
        elif what.startswith("byte"):
            self.change_byte(p, what.endswith("quietly"))
        elif what == "touch":
            os.utime(p)
        elif what == "touch into the future":
            os.utime(p, (time.time() + 9999, time.time() + 9999))
        elif what == "rename":
            p.rename(p.with_name("x%d_%s" % (self.r.randrange(99), p.name)))
        elif what == "remove":
            p.unlink()
        elif what == "remove run":
            shutil.rmtree(p.parent)
        elif what == "copy":
            to = self.r.choice(self.runs()) / p.name
            if to != p:
                shutil.copy2(p, to)
        elif what == "config":
            (p.parent / "config.json").write_text('{"batch": %d}' % self.r.randrange(9))
        elif what == "link":
            q = p.parent / ("link%d" % self.r.randrange(9))
            if not q.exists() and not q.is_symlink():
                q.symlink_to(self.r.choice(self.runs()), True)
        elif what == "archive":
            shutil.make_archive(str(self.dir / "old"), "tar", p.parent)
        elif what == "swap":
            q = self.file()
            a, b = p.read_bytes(), q.read_bytes()
            q.write_bytes(a)
            p.write_bytes(b)
        elif what == "cut":
            os.truncate(p, p.stat().st_size // 2)
        elif what == "foreign":
            (p.parent / "notes.txt").write_text("epoch %d done\n" % self.r.randrange(99))
        return "%s %s" % (what, p.relative_to(self.dir))

    def damage(self, cache: Path) -> str:
        what = self.r.choice(["", "", "", "", "", "flip", "cut", "remove", "rows", "text"])
        if not what or not cache.exists():
            return ""
        if what == "flip":
            data = bytearray(cache.read_bytes())
            for _ in range(self.r.randrange(1, 20)):
                data[self.r.randrange(len(data))] ^= 1 << self.r.randrange(8)
            cache.write_bytes(data)
        elif what == "cut":
            os.truncate(cache, self.r.randrange(cache.stat().st_size + 1))
        elif what == "remove":
            cache.unlink()
        elif what == "text":
            cache.write_text("this is no cache\n" * 99)
        elif what == "rows":
            try:
                db = sqlite3.connect(cache)
                for i, data in db.execute("select id, data from run").fetchall():
                    data = bytearray(data)
                    data[self.r.randrange(len(data))] ^= 1 << self.r.randrange(8)
                    db.execute("update run set data=? where id=?", (bytes(data), i))
                db.commit()
                db.close()
            except sqlite3.DatabaseError:
                pass
        return what


def differs(sweep: Sweep, cache: Path, options: list[str], broken: bool) -> str:
    """What is not the same; a damaged cache may say that it is."""
    args = ["summarize", "out", *options]
    plain, kept = run(args, sweep.top), run([*args, "--cache", str(cache)], sweep.top)
    if broken:
        kept = (kept[0], b"".join(x for x in kept[1].splitlines(True) if os.fsencode(cache.name) not in x), kept[2])
    for name, a, b in zip(("output", "warnings", "status"), plain, kept):
        if a != b:
            return "%s:\n%s\n  with --cache:\n%s" % (name, ascii(a)[-700:], ascii(b)[-700:])
    return ""


def steps(top: Path, n: int, seed: int) -> tuple[int, list[str]]:
    sweep, cache, fails, done = Sweep(top, seed), top / "cache.db", [], 0
    broken = False
    time.sleep(2.1)
    for i in range(n):
        edits = ", ".join(sweep.edit() for _ in range(sweep.r.randrange(0, 3)))
        if sweep.r.random() < 0.25:
            time.sleep(2.1)
        hurt = sweep.damage(cache)
        broken = (broken or bool(hurt)) and cache.exists()
        options = sweep.r.choice(OPTIONS)
        for form in sweep.r.sample(FORMS, 3) * 2:
            done += 1
            bad = differs(sweep, cache, options + form, broken)
            if bad:
                fails.append("step %d (%s; cache: %s) %s: %s" % (i, edits, hurt, " ".join(options + form), bad))
        if broken and sweep.r.random() < 0.5:
            cache.unlink()
    return done, fails


def kills(top: Path, n: int, seed: int) -> tuple[int, list[str]]:
    """kill -9 while the cache is written, at a time that grows; the next answer is right, and the file too."""
    r, fails, cache = random.Random(seed), [], top / "killed.db"
    args = ["summarize", "out", "--format", "json"]
    want = run(args, top)
    written = 0
    for i in range(n):
        if i % 4 == 0 and cache.exists():
            cache.unlink()
        env = dict(os.environ, LC_ALL="C.UTF-8")
        p = subprocess.Popen([SMILOG, *args, "--idle-below", str(i % 7 + 1), "--cache", str(cache)], cwd=top, env=env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = Path(str(cache) + "-journal")
        until = time.time() + 2
        while i % 2 and p.poll() is None and not journal.exists() and time.time() < until:
            pass  # half of them while a transaction is on its way
        if i % 2 == 0:
            time.sleep(r.random() * 0.05)
        p.send_signal(signal.SIGKILL)
        p.wait()
        written += cache.exists()
        got = run([*args, "--cache", str(cache)], top)
        if got != want:
            fails.append("kill %d: %s" % (i, ascii(got)[:700]))
        again = run([*args, "--cache", str(cache)], top)
        if again != want:
            fails.append("after kill %d: %s" % (i, ascii(again)[:700]))
        db = sqlite3.connect(cache)
        if db.execute("pragma integrity_check").fetchall() != [("ok",)]:
            fails.append("kill %d: the file is damaged" % i)
        db.close()
    return 2 * n, fails


def main() -> int:
    words = [int(w) for w in sys.argv[1:]] + [12, 1, 6][len(sys.argv) - 1:]
    with tempfile.TemporaryDirectory() as top:
        done, fails = steps(Path(top), words[0], words[1])
        time.sleep(2.1)
        more, others = kills(Path(top), words[2], words[1])
    fails += others
    for f in fails:
        print("FAILED " + f)
    print("%d passed, %d failed" % (done + more - len(fails), len(fails)))
    return len(fails) > 0


if __name__ == "__main__":
    sys.exit(main())
