#!/usr/bin/env python3
"""Puts one small fault at a time into the sources and sees whether the tests notice.

    mutants.py [--seed N] [--count N] [--only GLOB] [--jobs N] [--keep]

      --seed N     which faults are drawn (default: drawn, and printed)
      --count N    how many of them (default: 100)
      --only GLOB  only in these files: 'src/formats/*'
      --most N     fail when more than N percent survive (default: 25)

A fault changes one line: a comparison gets or loses its equality, && becomes ||, a number changes, a character leaves a
set of characters, a negation or a statement goes. One that leaves the same machine code, or none, is not counted.
The unit tests run first, then the cases, drawn in groups; the first that fails ends it. Tests that replace the allocator
or kill() are left out, because they need a program of their own, and so are cases that depend on time.
Survivors are listed: each is either a case that is missing, or a line that could go.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import fnmatch
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("aggregate", "summary", "formats", "query", "export")
TIMED = ("live", "follow", "run", "slurm", "memory", "demo", "tools")
GROUP = 48  # cases that run together

TOKEN = re.compile(r"""
    (?P<comment>//.*|/\*.*?(\*/|$))
  | (?P<string>"(\\.|[^"\\])*")
  | (?P<char>'(\\.|[^'\\])+')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\d\w*(\.\d+)?)
  | (?P<op>->|<<=?|>>=?|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\+\+|--|[-+<>!])
""", re.X)
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-="}
SETS = re.compile(r"\b(strchr|strpbrk|strspn|strcspn|memchr)\(")
PLAIN = re.compile(r"^\s+(?!return\b|goto\b|case\b|default\b|else\b|static\b|const\b|struct\b|enum\b|u?int|size_t|bool|char|double)"
                   r"[\w>\[\].()*&-]+(\s[-+|&*]?=\s.*|\(.*\)|\+\+|--);\s*$")


def number(text: str) -> str:
    """The number that takes its place: one more, or a fifth more; nothing where it is a mask or a kind of literal."""
    if not text.isdigit():
        return ""
    n = int(text)
    return str(n + 1 if n < 10 else n * 6 // 5)


def faults_of_line(line: str) -> list[str]:
    """Every line that one small fault makes of this one."""
    out = []
    for t in TOKEN.finditer(line):
        a, b, kind, text = t.start(), t.end(), t.lastgroup, t.group()
        if kind == "comment":
            break
        to = []
        if kind == "op" and text in SWAPS:
            to = [SWAPS[text]]
        elif kind == "op" and text == "!":
            to = [""]
        elif kind == "op" and text in "+-" and line[a - 1:a] == " " and line[b:b + 1] == " ":
            to = ["-" if text == "+" else "+"]
        elif kind == "number" and not line[a - 1:a] in ("{", "["):
            to = [n for n in [number(text)] if n]
        elif kind == "string" and SETS.search(line[:a]) and len(text) > 3 and "\\" not in text:
            to = [text[:i] + text[i + 1:] for i in range(1, len(text) - 1)]
        out += [line[:a] + n + line[b:] for n in to]
    if PLAIN.match(line) and not re.search(r"assert|free\(|_fini\(|close\(", line):  # a leak changes no number
        out.append(re.match(r"\s*", line).group() + ";")
    return out


def code_lines(path: Path) -> list[tuple[int, str]]:
    """The lines inside functions; tables, comments and the preprocessor's are left alone."""
    out, inside, comment = [], False, False
    for n, line in enumerate(path.read_text().splitlines()):
        if comment or line.lstrip().startswith("/*"):
            comment = "*/" not in line
            continue
        if line.startswith("}"):
            inside = False
        if inside and not line.lstrip().startswith(("#", "*", "//")):
            out.append((n, line))
        if line.startswith("{") or (re.match(r"^[a-z].*\)\s*\{", line)):
            inside = True
    return out


class Tree:
    """A copy of the sources, built once with everything visible in one shared library, so that a fault costs one
    compilation and one link."""

    def __init__(self, jobs: int):
        self.dir = ROOT / os.environ.get("BUILD", "build") / "mutants"
        self.jobs = jobs
        shutil.rmtree(self.dir, ignore_errors=True)
        self.dir.mkdir(parents=True)
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in names.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (self.dir / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.dir / name)
        self.flags = "CFLAGS=-O1 -fvisibility=default"
        self.make("all", f"-j{jobs}")
        self.libs = self.variable("LIBS")
        self.objects = sorted(map(str, (self.dir / "build/src").rglob("*.o")))
        self.lib = [o for o in self.objects if "/src/cli/" not in o] + [str(self.dir / "build/assets.o")]
        self.program = [o for o in self.objects if "/src/cli/" in o]
        self.link()
        self.tests = self.unit_tests()

    def make(self, *what: str) -> str:
        return subprocess.run(["make", "-s", self.flags, *what], cwd=self.dir, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def variable(self, name: str) -> list[str]:
        text = f"include Makefile\nshow-it:\n\t@echo $({name})\n"
        out = subprocess.run(["make", "-s", "-f", "-", "show-it"], cwd=self.dir, input=text, text=True, check=True,
                             stdout=subprocess.PIPE).stdout
        return out.strip().splitlines()[-1].split()

    def link(self):
        build = self.dir / "build"
        subprocess.run(["gcc", "-shared", "-o", build / "libmutant.so", *self.lib, *self.libs], check=True)
        if not (build / "linked").exists():  # the program and the tests find the library where it stands
            subprocess.run(["gcc", "-o", build / "smilog", *self.program, build / "libmutant.so", *self.libs,
                            f"-Wl,-rpath,{build}"], check=True)
            (build / "linked").touch()

    def unit_tests(self) -> list[str]:
        own = set(self.variable("FAILING")) | {f"tests/unit/test_{t}.c" for t in ("child", "map", "live", "out_of_memory")}
        sources = [t for t in sorted(self.dir.glob("tests/unit/test_*.c")) if str(t.relative_to(self.dir)) not in own]
        (self.dir / "build/unit").mkdir(exist_ok=True)
        cpp = self.variable("ALL_CPPFLAGS")

        def build(source: Path) -> str | None:
            out = self.dir / "build/unit" / source.stem
            done = subprocess.run(["gcc", *cpp, "-std=c11", "-w", "-O1", "-pthread", "-o", out, source,
                                   self.dir / "build/libmutant.so", f"-Wl,-rpath,{self.dir}/build", "-lcmocka", *self.libs],
                                  capture_output=True)
            return source.stem if done.returncode == 0 else None

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return [t for t in pool.map(build, sources) if t]

    def run_unit(self, name: str) -> bool:
        try:
            return subprocess.run([self.dir / "build/unit" / name], cwd=self.dir, timeout=120, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def units_that_fail(self, names: list[str], first: bool) -> list[str]:
        bad = []
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for i in range(0, len(names), 2 * self.jobs):
                part = names[i:i + 2 * self.jobs]
                bad += [n for n, good in zip(part, pool.map(self.run_unit, part)) if not good]
                if bad and first:
                    break
        return bad

    def cases_that_fail(self, names: list[str], first: bool) -> list[str]:
        bad = []
        env = dict(os.environ, BUILD="build", JOBS=str(self.jobs), CASE_SECONDS="30")
        for i in range(0, len(names), GROUP):
            out = subprocess.run(["bash", "tests/run.sh", *names[i:i + GROUP]], cwd=self.dir, env=env, text=True,
                                 errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            bad += [m.removeprefix("tests/cases/") for m in re.findall(r"^FAILED (\S+)", out, re.M)]
            if bad and first:
                break
        return bad


def draw(tree: Tree, rng: random.Random, only: str) -> tuple[Path, int, str, str]:
    files = [p for f in FOLDERS for p in sorted((tree.dir / "src" / f).glob("*.c"))
             if fnmatch.fnmatch(str(p.relative_to(tree.dir)), only)]
    while True:
        path = rng.choices(files, [p.stat().st_size for p in files])[0]  # a line of a large file is as likely as another
        lines = code_lines(path)
        if not lines:
            continue
        n, line = rng.choice(lines)
        all_of_them = faults_of_line(line)
        if all_of_them:
            return path, n, line, rng.choice(all_of_them)


def compiled(tree: Tree, path: Path) -> bytes | None:
    """The object file as it is after make, or nothing where this does not compile."""
    target = "build/" + str(path.relative_to(tree.dir).with_suffix(".o"))
    (tree.dir / target).unlink(missing_ok=True)
    done = subprocess.run(["make", "-s", tree.flags + " -w", target], cwd=tree.dir, capture_output=True)
    return (tree.dir / target).read_bytes() if done.returncode == 0 else None


def main() -> int:
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    p.add_argument("--count", type=int, default=100)
    p.add_argument("--only", default="*")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--most", type=float, default=25)
    a = p.parse_args()
    rng = random.Random(a.seed)
    print(f"seed {a.seed}", flush=True)
    tree = Tree(a.jobs)
    cases = [str(c.parent.relative_to(tree.dir / "tests/cases")) for c in sorted(tree.dir.glob("tests/cases/*/*/cmd"))
             if c.parent.parent.name not in TIMED]
    lame = tree.units_that_fail(tree.tests, False)
    tests = [t for t in tree.tests if t not in lame]
    weak = set(tree.cases_that_fail(cases, False))
    cases = [c for c in cases if c not in weak]
    print(f"{len(tests)} unit tests, {len(cases)} cases; left out, because they fail here without a fault: "
          f"{' '.join(sorted(lame) + sorted(weak)) or 'none'}", flush=True)
    found = {"unit tests": 0, "cases": 0}
    survivors, same = [], 0
    while sum(found.values()) + len(survivors) < a.count:
        path, n, old, new = draw(tree, rng, a.only)
        whole = path.read_text()
        before = compiled(tree, path)
        lines = whole.split("\n")
        lines[n] = new
        path.write_text("\n".join(lines))
        after = compiled(tree, path)
        try:
            if after is None or after == before:
                same += 1
                continue
            tree.link()
            rng.shuffle(tests)
            rng.shuffle(cases)
            where = f"{path.relative_to(tree.dir)}:{n + 1}"
            if bad := tree.units_that_fail(tests, True):
                found["unit tests"] += 1
            elif bad := tree.cases_that_fail(cases, True):
                found["cases"] += 1
            else:
                survivors.append((where, old.strip(), new.strip()))
            print(f"{'SURVIVED' if not bad else 'found   '} {where}: {old.strip()}  ->  {new.strip()}"
                  + (f"  ({bad[0]})" if bad else ""), flush=True)
        finally:
            path.write_text(whole)
            compiled(tree, path)
    print("\nsurvivors:" if survivors else "\nno survivors")
    for where, old, new in survivors:
        print(f"  {where}\n    - {old}\n    + {new}")
    print(f"{a.count} faults (seed {a.seed}; {same} more without an effect on the machine code): "
          f"{found['unit tests']} found by unit tests, {found['cases']} by cases, {len(survivors)} survived")
    good = len(survivors) * 100 <= a.most * a.count
    print(f"{int(good)} passed, {int(not good)} failed")
    return not good


if __name__ == "__main__":
    sys.exit(main())
