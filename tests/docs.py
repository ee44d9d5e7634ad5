#!/usr/bin/env python3
"""Runs every command of README.md, CONTRIBUTING.md, SECURITY.md and docs/*.md, and compares what it prints.

A block ```console has lines `$ COMMAND`, each followed by its output; a line `> ...` continues the command. The commands
of a page run in one shell, in a terminal of 100 columns without colours, in a folder of their own. That folder has
sweep/ (a copy of tests/fixtures/sweep), links to tests and scripts, and train.sh, which sleeps. nvidia-smi is
tests/fake/nvidia-smi, 400 times as fast with -f. A line `...` alone stands for any lines. A command that fails must be
followed by `$ echo $?`.
A block ```sh holds commands that a test cannot run; they are counted and listed. Links and sizes are checked, too.
ACCEPT=1 writes the outputs into the pages (those with `...` that differ are printed instead). Arguments: pages."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import console
from console import ROOT

BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
ACCEPT = bool(os.environ.get("ACCEPT"))
SECONDS = 120  # a page that takes longer fails
SIZES = {"README.md": 15000, "SECURITY.md": 3000, "CONTRIBUTING.md": 5000, "docs/architecture.md": 6000}
PICTURES = 400_000  # bytes in all
LANGUAGES = {"console", "sh", "c", "python", "json", "yaml", "text", "sql", "csv"}


NVIDIA_SMI = """#!/bin/sh
case " $* " in *" -f "*) export SMI_FAKE_SPEED=400 SMI_FAKE_STAMPS=fast ;; esac
exec '%s' "$@"
"""


def write_script(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, 0o755)


def blocks(lines):
    """(first line, last line, language) of each fenced block: the lines between the fences."""
    start = None
    for i, line in enumerate(lines):
        if line.startswith("```"):
            if start is None:
                start, language = i + 1, line[3:].strip()
            else:
                yield start, i, language
                start = None
    if start is not None:
        raise SystemExit("a block is not closed")


def matches(want, got):
    """Are the lines the same? A line `...` stands for any lines, also none."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in want)
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def page(name):
    path = os.path.join(ROOT, name)
    lines = open(path, encoding="utf-8").read().split("\n")
    todo, skipped, said, passed, failed = [], [], [], 0, 0
    for first, last, language in blocks(lines):
        if language == "console":
            todo += console.commands(name, lines, first, last)
        elif language == "sh":
            skipped += [(i + 1, lines[i]) for i in range(first, last) if lines[i] and lines[i][0] not in "# "]
        elif language not in LANGUAGES:
            said.append("FAILED %s:%d: a block of the language %r" % (name, first, language))
            failed += 1
    if not todo:
        return name, passed, failed, said, skipped
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        os.makedirs(os.path.join(folder, ".bin"))
        os.makedirs(os.path.join(folder, "work"))
        write_script(os.path.join(folder, ".bin/nvidia-smi"), NVIDIA_SMI % os.path.join(ROOT, "tests/fake/nvidia-smi"))
        write_script(os.path.join(folder, "work/train.sh"), "#!/bin/sh\nsleep 1.2\n")
        for link in ("tests", "scripts"):
            os.symlink(os.path.join(ROOT, link), os.path.join(folder, "work", link))
        shutil.copytree(os.path.join(ROOT, "tests/fixtures/sweep"), os.path.join(folder, "work/sweep"))
        env = {"PATH": "%s:%s:%s" % (os.path.join(folder, ".bin"), BUILD, os.environ["PATH"]), "HOME": folder,
               "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PWD": folder,
               "SMI_FAKE_GPUS": "2", "SMI_FAKE_AT": "100", "USER": "ada"}
        results, _ = console.run([c.text for c in todo], os.path.join(folder, "work"), env, SECONDS, on_terminal=True)
    if len(results) < len(todo):
        said.append("FAILED %s:%d: the shell ended" % (name, todo[len(results) - 1].line + 1))
        failed += 1
    changes = []
    for command, after, (printed, _, status) in zip(todo, todo[1:] + [None], results):
        want, got = lines[command.first:command.last], printed.decode("utf-8", "replace").split("\n")
        while want and not want[-1]:
            want = want[:-1]  # a blank line in front of the next command, or of the end
        while got and not got[-1]:
            got = got[:-1]
        place = "%s:%d" % (name, command.line + 1)
        if status and not (after and after.text.startswith("echo $?")):
            said.append("FAILED %s: %s: status %d is not shown\n%s" % (place, command.text, status, "\n".join(got)))
            failed += 1
        elif matches(want, got):
            passed += 1
        elif ACCEPT and "..." not in want:
            changes.append((command.first, command.first + len(want), got))
            passed += 1
        else:
            said.append("FAILED %s: %s\n  prints:\n%s" % (place, command.text, "\n".join("  |" + s for s in got)))
            failed += 1
    if changes:
        console.replace(path, changes)
    return name, passed, failed, said, skipped


def anchors(text):
    """GitHub's names of the headings."""
    text = re.sub(r"(?ms)^```.*?^```", "", text)
    heads = re.findall(r"(?m)^#+ (.*)$", text)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"`|\[|\]\([^)]*\)", "", h.lower())).replace(" ", "-") for h in heads}


def check_links(pages):
    said, passed = [], 0
    for name in pages:
        text = open(os.path.join(ROOT, name), encoding="utf-8").read()
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"(?ms)^```.*?^```", "", text)):
            if re.match(r"https?:|mailto:", target):
                continue
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            full = os.path.join(ROOT, path)
            if not os.path.exists(full) or (anchor and anchor not in anchors(open(full, encoding="utf-8").read())):
                said.append("FAILED %s: the link %s leads nowhere" % (name, target))
            else:
                passed += 1
    return passed, said


def check_sizes():
    said, passed = [], 0
    sizes = [(name, os.stat(os.path.join(ROOT, name)).st_size, most) for name, most in SIZES.items()]
    folder = os.path.join(ROOT, "docs/pictures")
    sizes.append(("docs/pictures", sum(e.stat().st_size for e in os.scandir(folder)), PICTURES))
    for name, size, most in sizes:
        if size > most:
            said.append("FAILED %s has %d bytes, at most %d" % (name, size, most))
        else:
            passed += 1
    return passed, said


def check_formats():
    """Every input format has a row in docs/inputs.md."""
    listed = subprocess.run([os.path.join(BUILD, "smilog"), "list", "formats"], capture_output=True, text=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    text = open(os.path.join(ROOT, "docs/inputs.md"), encoding="utf-8").read()
    rows = "\n".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    said = ["FAILED docs/inputs.md: no row for the format " + n for n in names if "`%s`" % n not in rows]
    return len(names) - len(said), said or ([] if names else ["FAILED smilog list formats: nothing"])


def check_release():
    """The release notes begin with the version of src/base/version.h; the Debian package is of that version."""
    text = open(os.path.join(ROOT, "src/base/version.h"), encoding="utf-8").read()
    version, date = (re.search(r'SMILOG_%s "(.*?)"' % name, text)[1] for name in ("VERSION", "DATE"))
    said = []
    for name, pattern in (("CHANGELOG.md", r"(?m)^## (?!\[Unreleased\]).*"), ("debian/changelog", r".*")):
        head = re.search(pattern, open(os.path.join(ROOT, name), encoding="utf-8").read())[0]
        wanted = "## [%s] - %s" % (version, date) if name.endswith(".md") else "smilog (%s) unstable; urgency=medium" % version
        if head != wanted:
            said.append("FAILED %s begins with %r instead of %r" % (name, head, wanted))
    return 2 - len(said), said


def main():
    everything = ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + sorted(
        "docs/" + f for f in os.listdir(os.path.join(ROOT, "docs")) if f.endswith(".md"))
    pages = sys.argv[1:] or everything
    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=(os.cpu_count() or 1) + 1) as pool:
        for name, good, bad, said, unrun in pool.map(page, pages):
            passed += good
            failed += bad
            skipped += len(unrun)
            for text in said + ["not run: %s:%d: %s" % (name, line, command) for line, command in unrun]:
                print(text)
    checks = [check_links(pages)] + ([] if sys.argv[1:] else [check_sizes(), check_formats(), check_release()])
    for good, said in checks:
        passed += good
        failed += len(said)
        for text in said:
            print(text)
    print("%d commands in sh blocks were not run" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


sys.exit(main())
