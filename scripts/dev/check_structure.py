#!/usr/bin/env python3
"""The structure of src/: which folder may include which, and how many lines of code each may have.

A folder includes itself and the folders above it in tests/budget.tsv, which also holds the budget of each in lines of
code (blank lines and comments not counted). No output names a metric. No two files have the same name; no comment or
document names a file that is not there, and no text a path below scripts/ or tests/; a header has users besides its own
source; and no source is a scrap."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST_FUNCTION = 80
LONGEST_INCLUDE_PATH = 12
SHORTEST_SOURCE = 40
PLACE = re.compile(r"(?<![\w/.$}-])(?:\$root/)?((?:scripts|tests)/[a-z0-9_./-]*[a-z0-9])(?![\w*${<%/=-]|\.[*$])")
FILE = re.compile(r"(?<![\w<*%.\"-])((?:[a-z][a-z0-9_-]*/)*[a-z][a-z0-9_-]*\.(?:c|h|def))\b(?!\()")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code_lines(text):
    def blank(m):
        return "\n" * m[0].count("\n") + " " if m[0][0] == "/" else m[0]

    return sum(1 for line in TOKEN.sub(blank, text).split("\n") if line.strip())


def function_lengths(text):
    """clang-format puts the brace of a function alone on its line, and no other brace into the first column."""
    lengths = []
    start = None
    for n, line in enumerate(text.split("\n")):
        if line == "{":
            start = n
        elif line == "}" and start is not None:
            lengths.append(n - start + 2)
            start = None
    return lengths


def comments(text):
    return [m[0] for m in TOKEN.finditer(text) if m[0][0] == "/"]


def missing_files():
    """Names of sources and headers in comments and documents that no file has."""
    folders = ("src", "include", "tests", "scripts", "web")
    there = [p.relative_to(ROOT).as_posix() for folder in folders for p in (ROOT / folder).rglob("*.*")]
    ends = {path.split("/", i)[-1] for path in there for i in range(path.count("/") + 1)}
    said = [(p, "\n".join(comments(p.read_text()))) for folder in ("src", "include", "tests/unit")
            for p in sorted((ROOT / folder).rglob("*.[chd]*"))]
    said += [(p, p.read_text()) for p in [*sorted((ROOT / "docs").glob("*.md")), *ROOT.glob("*.md")] if p.name != "CHANGELOG.md"]
    return [f"{p.relative_to(ROOT)}: names {name}, which is not here" for p, text in said
            for name in sorted(set(FILE.findall(text)) - {"app.c"}) if name not in ends]


def missing_places():
    """Paths below scripts/ and tests/ in sources, scripts, rules and documents that are not there."""
    texts = [*(ROOT / "tests").glob("*"), *ROOT.glob("*.md"), ROOT / "Makefile", ROOT / ".ci/run"]
    for folder in ("src", "include", "docs", "man", "scripts", "tests/oracle", "tests/system", "tests/fake", "tests/unit", "tests/fuzz",
                   "tests/api", ".github", "debian"):
        texts += (ROOT / folder).rglob("*")
    for path in sorted(texts):
        if path.is_file() and path.suffix in ("", ".c", ".h", ".def", ".py", ".sh", ".mk", ".md", ".txt", ".sbatch", ".yaml") and \
                path.name != "CHANGELOG.md":
            for name in sorted(set(PLACE.findall(path.read_text()))):
                if not (ROOT / name).exists():
                    yield f"{path.relative_to(ROOT)}: names {name}, which is not here"


def scraps(headers):
    """Short sources, headers of one source, and names that two files have."""
    users = collections.defaultdict(set)
    for name, of in headers.items():
        for header in of:
            users[header].add(name)
    tests = "".join(p.read_text() for p in (ROOT / "tests").rglob("*.[ch]"))
    names = collections.defaultdict(list)
    for path in sorted((ROOT / "src").rglob("*.*")):
        name = path.relative_to(ROOT / "src").as_posix()
        names[path.name].append(name)
        if path.suffix == ".c" and path.read_text().count("\n") < SHORTEST_SOURCE:
            yield f"src/{name}: fewer than {SHORTEST_SOURCE} lines: a part of another subject"
        if path.suffix == ".h" and len(users[name]) < 2 and f'"{name}"' not in tests:
            yield f"src/{name}: only {' '.join(users[name]) or 'nobody'} includes it"
    yield from (f"src/{a[0]} and src/{a[1]} have the same name" for a in names.values() if len(a) > 1)


def longest_path(graph):
    seen = {}

    def depth(node):
        if node not in seen:
            seen[node] = 1
            seen[node] = 1 + max((depth(n) for n in graph.get(node, ())), default=0)
        return seen[node]

    return max(map(depth, graph), default=0)


def main():
    failures = []
    passed = 0
    budget = {}
    goals = {}
    for line in (ROOT / "tests/budget.tsv").read_text().splitlines():
        if line and line[0] != "#":
            folder, most, goal = line.split()
            budget[folder] = int(most)
            goals[folder] = int(goal)
    order = {folder: i for i, folder in enumerate(budget)}
    lines = collections.Counter()
    count = collections.Counter()
    edges = set()
    headers = collections.defaultdict(set)
    functions = []
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix not in (".c", ".h", ".def", ".map"):
            continue
        name = path.relative_to(ROOT / "src").as_posix()
        folder = name.split("/")[0] if "/" in name else "cli"
        if folder not in order:
            failures.append(f"src/{name}: the folder is not in tests/budget.tsv")
            continue
        text = path.read_text()
        lines[folder] += code_lines(text)
        count[folder] += 1
        functions += function_lengths(text)
        bad = False
        for n, line in enumerate(text.split("\n"), 1):
            m = re.match(r'#include "([a-z_]+)/([^"]+)"', line)
            if not m or m[1] == "smilog":
                continue
            headers[name].add(f"{m[1]}/{m[2]}")
            if m[1] != folder:
                edges.add((folder, m[1]))
            if order.get(m[1], len(order)) > order[folder]:
                failures.append(f"src/{name}:{n}: {folder} may not include {m[1]}")
                bad = True
        passed += not bad
    for folder, most in budget.items():
        print(f"{folder:10} {count[folder]:4} files {lines[folder]:6} lines of code, budget {most}, goal {goals[folder]}")
        if lines[folder] > most:
            failures.append(f"src/{folder}: {lines[folder]} lines of code, the budget is {most} (tests/budget.tsv)")
        else:
            passed += 1
    print(
        f"all        {sum(count.values()):4} files {sum(lines.values()):6} lines of code, {len(edges)} edges between "
        f"folders, longest include path {longest_path(headers)}"
    )
    if longest_path(headers) > LONGEST_INCLUDE_PATH:
        failures.append(f"a path of includes has {longest_path(headers)} files, {LONGEST_INCLUDE_PATH} are allowed")
    failures += [*missing_files(), *missing_places(), *scraps(headers)]
    passed += 4
    functions.sort()
    print(
        f"{len(functions)} functions: median {functions[len(functions) // 2]} lines, p90 "
        f"{functions[len(functions) * 9 // 10]}, longest {functions[-1]}"
    )
    if functions[-1] > LONGEST_FUNCTION:
        failures.append(f"a function has {functions[-1]} lines, {LONGEST_FUNCTION} are allowed")
    ids = re.findall(r"^SMI_METRIC\((\w+),", (ROOT / "src/model/metric.def").read_text(), re.M)
    metric = re.compile(r"\bSMI_(" + "|".join(ids) + r")\b")
    for path in sorted((ROOT / "src/report").glob("*.[ch]")):
        for n, line in enumerate(path.read_text().split("\n"), 1):
            if metric.search(line):
                failures.append(f"src/report/{path.name}:{n}: names a metric: it has to loop over the tables")
    passed += 1
    for path in sorted(p for folder in ("src", "include", "tests/unit") for p in (ROOT / folder).rglob("*.[ch]")):
        for name in re.findall(r"([\w./-]+\.md),? §", path.read_text().replace("\n *", "")):
            if not (ROOT / name).exists():
                failures.append(f"{path.relative_to(ROOT)}: cites {name}, which is not here")
    passed += 1
    print("\n".join(failures))
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


sys.exit(main())
