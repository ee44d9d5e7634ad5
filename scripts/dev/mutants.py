#!/usr/bin/env python3
"""Puts one small fault at a time into the sources and sees whether the tests notice.

    mutants.py [--seed N] [--count N] [--only GLOB] [--seconds N] [--most N] [--jobs N] [--list]

      --seed N     which faults are drawn (default: drawn, and printed)
      --count N    how many of them (default: 100)
      --only GLOB  only in these files: 'src/formats/*'
      --seconds N  so long a fault is looked for, with the tests that are soonest done first (default: 120)
      --most N     fail when more than N percent survive (default: 25)
      --list       only print the faults, those without another machine code as well; nothing is built or run

A fault changes one line: a comparison gets or loses its equality, && becomes ||, a number changes, a character leaves a
set of characters, a negation or a statement goes. One that leaves the same machine code, or none, is not counted.
All tests run once, on a library that marks where it was. For a fault those run that came past its line, the quick unit
tests first, until one fails. Cases that depend on time are left out.
Survivors are listed: each is either a case that is missing, or a line that could go.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import fnmatch
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import console  # noqa: E402

FOLDERS = ("aggregate", "summary", "formats", "query", "export")
TIMED = ("live", "follow", "run", "slurm", "memory", "demo")

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
        elif kind == "number" and not line[a - 1:a] in ("{", "[") and not line.endswith("return -1;"):  # a sign
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


# Marks where the program was. A test that did not come past a line cannot notice that it has changed.
TRACE = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
enum { MOST = 1 << 24 };
extern const char __ehdr_start __attribute__((visibility("hidden")));
static unsigned char *seen;
__attribute__((constructor)) static void begin(void)
{
    int fd = getenv("MUTANTS_SEEN") ? open(getenv("MUTANTS_SEEN"), O_RDWR) : -1;
    void *p = fd < 0 ? MAP_FAILED : mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    seen = p == MAP_FAILED ? NULL : p;
}
void __sanitizer_cov_trace_pc(void)
{
    size_t at = (size_t)((const char *)__builtin_return_address(0) - &__ehdr_start);
    if (seen && at < MOST)
        seen[at] = 1;
}
"""


class Tree:
    """A copy of the sources, built once with everything visible in one shared library, so that a fault costs one
    compilation and one link."""

    def __init__(self, jobs: int):
        self.dir = ROOT / os.environ.pop("BUILD", "build") / "mutants"  # make in there has its own
        self.jobs = jobs
        shutil.rmtree(self.dir, ignore_errors=True)
        self.dir.mkdir(parents=True)
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in names.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (self.dir / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.dir / name)
        self.flags = "CFLAGS=-O1 -fvisibility=default"
        self.cpp = self.variable("ALL_CPPFLAGS")
        self.libs = self.variable("LIBS")
        subprocess.run(["make", "-s", self.flags, "all", f"-j{jobs}"], cwd=self.dir, check=True)
        objects = sorted((self.dir / "build/src").rglob("*.o"))
        self.lib = [o for o in objects if "/src/cli/" not in str(o)] + [self.dir / "build/assets.o", self.dir / "build/maps.o"]
        self.link(self.lib)
        program = [*(o for o in objects if "/src/cli/" in str(o)), self.dir / "build/man_text.o"]
        subprocess.run(["gcc", "-o", self.dir / "build/smilog", *program, *self.with_library()], check=True)
        self.own: dict[str, list[str]] = {}
        self.units = self.unit_tests()

    def variable(self, name: str) -> list[str]:
        text = f"include Makefile\nshow-it:\n\t@echo $({name})\n"
        out = subprocess.run(["make", "-s", "-f", "-", "show-it"], cwd=self.dir, input=text, text=True, check=True,
                             stdout=subprocess.PIPE).stdout
        return out.strip().splitlines()[-1].split()

    def library(self) -> Path:
        return self.dir / "build/libmutant.so"

    def with_library(self) -> list:  # found where it stands
        return [self.library(), *self.libs, f"-Wl,-rpath,{self.library().parent}"]

    def link(self, objects: list):
        subprocess.run(["gcc", "-shared", "-o", self.library(), *objects, *self.libs], check=True)
        self.linked = objects

    def object(self, source: Path) -> Path:
        return self.dir / "build" / source.relative_to(self.dir).with_suffix(".o")

    def compiled(self, source: Path, to: Path, *flags: str) -> bool:
        done = subprocess.run(["gcc", *self.cpp, "-std=c11", "-w", "-fPIC", "-pthread", *flags, "-c", "-o", to,
                               source.relative_to(self.dir)], cwd=self.dir, capture_output=True)
        return done.returncode == 0

    def unit_tests(self) -> list[str]:
        """Those that replace the allocator or kill() get a program of their own for each fault."""
        (self.dir / "build/unit").mkdir(exist_ok=True)

        def build(name: str) -> str | None:
            out = self.dir / "build/unit" / name
            words = subprocess.run(["make", "-n", self.flags, f"-Wtests/unit/{name}.c", f"build/unit/{name}"], text=True,
                                   cwd=self.dir, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1].split()
            own = [w for w in words if w.startswith("-Wl,--wrap")]
            if own:
                self.own[name] = [*own, "-larchive", "-lcmocka", *self.libs]
            done = subprocess.run(["gcc", *self.cpp, "-std=c11", "-w", "-O1", "-pthread", f"tests/unit/{name}.c", "-o",
                                   *([f"{out}.o", "-c"] if own else [out, "-lcmocka", *self.with_library()])],
                                  cwd=self.dir, capture_output=True)
            return name if done.returncode == 0 else None

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return [t for t in pool.map(build, [t.stem for t in sorted(self.dir.glob("tests/unit/test_*.c"))]) if t]

    def passes(self, test: str, seconds: float, **more: str) -> bool:
        """A unit test by its name, or TOPIC/CASE."""
        unit = self.dir / "build/unit" / test
        if test in self.own:
            subprocess.run(["gcc", "-o", unit, f"{unit}.o", *self.linked, *self.own[test]], check=True)
        env = dict(os.environ, BUILD="build", JOBS="1", CASE_SECONDS=str(int(seconds)), **more)
        try:
            what = ["tests/run.py", test] if "/" in test else [unit]
            return subprocess.run(what, cwd=self.dir, env=env, timeout=seconds + 5, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def first_that_fails(self, tests: list[str], seconds: dict[str, float], most: float) -> tuple[str, int]:
        """Of tests in their order, until so many seconds have gone; "": none. And how many began."""
        end, began, runs = time.monotonic() + most, 0, {}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            while runs or (began < len(tests) and time.monotonic() < end):
                while len(runs) < self.jobs and began < len(tests) and time.monotonic() < end:
                    runs[pool.submit(self.passes, tests[began], 10 + 5 * seconds[tests[began]])] = tests[began]
                    began += 1
                for done in concurrent.futures.wait(runs, return_when=concurrent.futures.FIRST_COMPLETED).done:
                    test = runs.pop(done)
                    if not done.result():
                        return test, began
        return "", began


class Reach:
    """Which tests come past which line, and how long each of them takes: all of them once, on a library that marks its
    basic blocks."""

    def __init__(self, tree: Tree, tests: list[str], only: str):
        self.tree, self.seconds, self.past = tree, {}, {}
        self.lame = set()
        marked = tree.dir / "build/marked"
        shutil.copytree(tree.dir / "build/src", marked / "src")
        (marked / "trace.c").write_text(TRACE)
        tree.compiled(marked / "trace.c", marked / "trace.o", "-O1")
        with concurrent.futures.ThreadPoolExecutor(tree.jobs) as pool:
            list(pool.map(lambda p: tree.compiled(p, marked / tree.object(p).relative_to(tree.dir / "build"), "-O0", "-g1",
                                                  "-fsanitize-coverage=trace-pc"), mutable(tree.dir, only)))
        tree.link([marked / o.relative_to(tree.dir / "build") if "/src/" in str(o) else o for o in tree.lib]
                  + [marked / "trace.o"])
        with concurrent.futures.ThreadPoolExecutor(tree.jobs) as pool:
            blocks = dict(zip(tests, pool.map(self.blocks_of, tests)))
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", tree.library()], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
        everywhere = {int(m, 16) for m in re.findall(r"call.*<__sanitizer_cov_trace_pc(?:@plt)?>\n\s*([0-9a-f]+):", code)}
        self.lines(tree.library(), everywhere, {t: b for t, b in blocks.items() if t not in tree.own})
        for test in tree.own:
            if test in blocks:
                self.lines(tree.dir / "build/unit" / test, blocks[test], {test: blocks[test]})
        tree.link(tree.lib)

    def blocks_of(self, test: str) -> set[int]:
        seen = self.tree.dir / "build/marked" / test.replace("/", ".")
        with open(seen, "wb") as f:
            f.truncate(1 << 24)
        began = time.monotonic()
        if not self.tree.passes(test, 120, MUTANTS_SEEN=str(seen)):
            self.lame.add(test)
        self.seconds[test] = time.monotonic() - began
        blocks = {m.start() for m in re.finditer(b"\1", seen.read_bytes())}
        seen.unlink()
        return blocks

    def lines(self, image: Path, places: set[int], blocks: dict[str, set[int]]):
        """The lines of these places, and of tests that came past them."""
        named = subprocess.run(["addr2line", "-e", image], text=True, check=True, stdout=subprocess.PIPE,
                               input="".join(f"{p - 1:x}\n" for p in places)).stdout.splitlines()
        who = {}
        for test, at in blocks.items():
            for p in at:
                who.setdefault(p, set()).add(test)
        for p, name in zip(places, named):
            path, _, line = name.split(" ")[0].rpartition(":")
            if line.isdigit():
                self.past.setdefault(os.path.relpath(path, self.tree.dir), {}).setdefault(int(line), set()).update(
                    who.get(p, ()))

    def tests_past(self, where: str, line: int) -> list[str]:
        """Unit tests that are soon done come first, then cases, then the other unit tests."""
        lines = self.past.get(where, {})
        begins = max((n for n in lines if n <= line), default=0)
        tests = lines.get(begins, set()) - self.lame
        return sorted(tests, key=lambda t: ((self.seconds[t] > 20 or t in self.tree.own) and "/" not in t, "/" in t,
                                            self.seconds[t]))


def mutable(root: Path, only: str) -> list[Path]:
    return [p for f in FOLDERS for p in sorted((root / "src" / f).glob("*.c"))
            if fnmatch.fnmatch(str(p.relative_to(root)), only)]


def draw(files: list[Path], rng: random.Random) -> tuple[Path, int, str, str]:
    while True:
        path = rng.choices(files, [p.stat().st_size for p in files])[0]  # a line of a large file is as likely as another
        lines = code_lines(path)
        if not lines:
            continue
        n, line = rng.choice(lines)
        all_of_them = faults_of_line(line)
        if all_of_them:
            return path, n, line, rng.choice(all_of_them)


def put_in(tree: Tree, path: Path, n: int, new: str) -> bool:
    """Compiles the source with another line. Returns whether the code is another one; object(path) is."""
    whole, old = path.read_text(), tree.object(path).read_bytes()
    lines = whole.split("\n")
    lines[n] = new
    path.write_text("\n".join(lines))
    try:
        return tree.compiled(path, tree.object(path), "-O1") and tree.object(path).read_bytes() != old
    finally:
        path.write_text(whole)


def main() -> int:
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    p.add_argument("--count", type=int, default=100)
    p.add_argument("--only", default="*")
    p.add_argument("--seconds", type=float, default=120)
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--most", type=float, default=25)
    p.add_argument("--list", action="store_true")
    a = p.parse_args()
    rng = random.Random(a.seed)
    print(f"seed {a.seed}", flush=True)
    if a.list:
        for path, n, old, new in (draw(mutable(ROOT, a.only), rng) for _ in range(a.count)):
            print(f"{path.relative_to(ROOT)}:{n + 1}: {old.strip()}  ->  {new.strip()}")
        return 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 31, 1 << 31))  # for those that never stop to write
    tree = Tree(a.jobs)
    cases = [c.name for c in console.all_cases() if c.topic not in TIMED]
    reach = Reach(tree, tree.units + cases, a.only)
    files = mutable(tree.dir, a.only)
    for source in files:
        tree.compiled(source, tree.object(source), "-O1")  # with the same words as the faults, to compare
    print(f"{len(tree.units)} unit tests, {len(cases)} cases; left out, because they fail here without a fault: "
          f"{' '.join(sorted(reach.lame)) or 'none'}", flush=True)
    found = {"unit tests": 0, "cases": 0}
    survivors, same = [], 0
    while sum(found.values()) + len(survivors) < a.count:
        path, n, old, new = draw(files, rng)
        began, whole = time.monotonic(), tree.object(path).read_bytes()
        try:
            if not put_in(tree, path, n, new):
                same += 1
                continue
            tree.link(tree.lib)
            where = str(path.relative_to(tree.dir))
            tests = reach.tests_past(where, n + 1)
            bad, ran = tree.first_that_fails(tests, reach.seconds, a.seconds)
            if bad:
                found["cases" if "/" in bad else "unit tests"] += 1
            else:
                survivors.append((f"{where}:{n + 1}", old.strip(), new.strip()))
            print(f"{'found   ' if bad else 'SURVIVED'} {where}:{n + 1}: {old.strip()}  ->  {new.strip()}"
                  f"  ({bad or f'{ran} of {len(tests)} tests that came past'}, {time.monotonic() - began:.0f} s)", flush=True)
        finally:
            tree.object(path).write_bytes(whole)
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
