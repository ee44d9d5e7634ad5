#!/usr/bin/env python3
"""Every JSON that smilog prints is valid against `smilog list schema`.

Reads what the test cases expect, and what the program prints of every fixture and of every log of the cases: one call each, with --all every call. Fields that a schema does not name are errors here.
With --suite [CASE...] it also runs the test cases, or those named, with a program in the place of smilog that keeps a
copy of each JSON that it prints. SMILOG names the program."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import console  # noqa: E402

SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
CALLS = [
    ["summarize", "--json"],
    ["summarize", "--json", "--price-gpu-hour", "2.49", "--price-kwh", "0.3", "--gco2-kwh", "350"],
    ["summarize", "--format", "jsonl"],
    ["summarize", "--format", "line"],
    ["summarize", "--json", "--columns", "run,idle_pct"],
    ["check", "--format", "json", "--max-idle-pct", "10", "--fail-on", "warn", "--expect", "3"],
    ["follow", "--once", "--json"],
    ["live", "--once", "--json", "--replay"],
]


def strict(node):
    """Objects whose properties are listed have no others."""
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            strict(value)
    elif isinstance(node, list):
        for value in node:
            strict(value)
    return node


def load_schemas():
    names = subprocess.run([SMILOG, "list", "schema"], capture_output=True, text=True, check=True).stdout
    made = {}
    for line in names.splitlines()[1:]:
        name = line.split()[0]
        text = subprocess.run([SMILOG, "list", "schema", name], capture_output=True, text=True, check=True).stdout
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        made[name] = jsonschema.Draft202012Validator(strict(schema))
    return made


def kind(doc):
    """The schema of a document; None: it is not one of these. A document that says smilog/1 has to be one."""
    if not isinstance(doc, dict):
        return None
    if doc.get("v") == 1 and "ngpu" in doc:
        return "line"
    if {"ts", "gpus", "monitors"} <= doc.keys():
        return "live"
    if doc.get("schema") != "smilog/1":
        return None
    for name, key in (("json", "runs"), ("check", "check"), ("diff", "diff"), ("rows", "rows")):
        if key in doc:
            return name
    return "jsonl"


def documents(text):
    """The whole text, or each of its lines, that is JSON."""
    try:
        yield json.loads(text)
        return
    except ValueError:
        pass
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                yield json.loads(line)
            except ValueError:
                continue


class Count:
    def __init__(self, schemas):
        self.schemas = schemas
        self.seen = dict.fromkeys(schemas, 0)
        self.failed = 0

    def check(self, text, where):
        for doc in documents(text):
            name = kind(doc)
            if not name:
                continue
            self.seen[name] += 1
            errors = list(self.schemas[name].iter_errors(doc))
            self.failed += bool(errors)
            for e in errors[:2]:
                print(f"{where}: {name}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}")


def logs(inputs):
    console.write_inputs(inputs)
    yield from sorted(p for p in inputs.rglob("*") if p.is_file())
    for path in sorted((ROOT / "tests/fixtures").iterdir()):
        if path.suffix not in (".txt", ".md"):
            yield path
    yield from sorted((ROOT / "tests/cases").glob("*/*/*"))


def run_suite(count):
    """All test cases, with a wrapper for smilog that keeps what is JSON."""
    cases = [word for word in sys.argv[1:] if not word.startswith("--")]
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as top:
        kept = pathlib.Path(top) / "kept"
        kept.mkdir()
        wrapper = pathlib.Path(top) / "smilog"
        wrapper.write_text(
            f"#!/bin/bash\ncase \" $* \" in\n*' --json '* | *json* | *' line '*)\n"
            f"    [[ ${{1-}} != live && ${{1-}} != run && ${{1-}} != follow || \" $* \" == *' --once '* ]] || exec {SMILOG} \"$@\"\n"
            f"    out=$(mktemp {kept}/XXXXXXXX)\n    {SMILOG} \"$@\" >\"$out\"\n    rc=$?\n    cat \"$out\"\n    exit $rc ;;\n"
            f"esac\nexec {SMILOG} \"$@\"\n"
        )
        wrapper.chmod(0o755)
        env = dict(os.environ, BUILD=os.path.relpath(top, ROOT))
        done = subprocess.run(["tests/run.py", *cases], cwd=ROOT, env=env, capture_output=True, text=True)
        lines = done.stdout.strip().splitlines()
        print(*[line for line in lines if line.startswith("FAILED")], sep="\n")
        print("cases with the wrapper:", *lines[-1:])
        for path in sorted(kept.iterdir()):
            count.check(path.read_text(errors="replace"), path.name)


def main():
    count = Count(load_schemas())
    for case in console.all_cases():
        for command, wanted in zip(case.commands, case.wanted):
            count.check(console.result_of(wanted)[0].decode(errors="replace"), f"{case.name}: {command.text}")
    if "--suite" in sys.argv[1:]:
        run_suite(count)
    with tempfile.TemporaryDirectory() as inputs:
        for n, path in enumerate(logs(pathlib.Path(inputs))):
            for call in CALLS if "--all" in sys.argv[1:] else (CALLS[n % len(CALLS)],):
                done = subprocess.run([SMILOG, *call, str(path)], capture_output=True, stdin=subprocess.DEVNULL)
                count.check(done.stdout.decode(errors="replace"), f"{' '.join(call)} {path}")
    total = sum(count.seen.values())
    print(", ".join(f"{name} {n}" for name, n in count.seen.items()))
    lacking = [name for name, n in count.seen.items() if not n]
    for name in lacking:
        print(f"no document for the schema {name}")
    print(f"{total - count.failed} passed, {count.failed + len(lacking)} failed")
    return count.failed + len(lacking) > 0


if __name__ == "__main__":
    sys.exit(main())
