"""What is said to be the cause of a stall, and of a long start or end: whole, merged from halves, and in every form.

    python3 causes.py DIRECTORY
"""
import json
import subprocess
import sys

import rules
from rules import UTIL, busy, during

CPUS = {"cpu_count": 16}
both = {"all": {UTIL: during(130, 230, 0, busy)}}  # 262 to 460 s
one = {1: {UTIL: during(130, 230, 0, busy)}}
late = lambda rows, **more: dict({"all": {UTIL: during(0, rows, 0, busy)}}, **more)


def host(in_stall, else_where=40, start=CPUS, **more):
    return dict({"cpu": lambda t: in_stall if 256 <= t < 462 else else_where, "start": start}, **more)


CAUSES = {
    "one of 16": host(6, **both),
    "half of one of 16": host(3.2, **both),
    "hardly any of 16": host(3, **both),
    "nearly one and a half of 16": host(9.3, **both),
    "one and a half of 16, less than usual": host(9.4, **both),
    "as many as usual": host(32, **both),
    "all of 16": host(100, **both),
    "the only one": host(90, start={"cpu_count": 1}, **both),
    "of an unknown number": host(6, start={}, **both),
    "nearly none of an unknown number": host(0.2, start={}, **both),
    "half of an unknown number": host(50, start={}, **both),
    "a count that is none": host(6, start={"cpu_count": "many"}, **both),
    "counted by a usage log's name": host(6, start={"num_of_cpus": 32}, **both),
    "no CPU log in the stall": host(6, cpu_from=470, **both),
    "one GPU of two": host(6) | one,
    "one GPU, the other with stalls of its own": host(6) | {0: {UTIL: during(10, 70, 0, busy)}} | one,
    "one GPU, the other not at work yet": host(6) | {0: {UTIL: during(0, 200, 0, busy)}} | one,
    "one GPU of four": host(6, gpus=4) | one,
    "two GPUs of four": host(6, gpus=4) | {2: one[1]} | one,
    "the end of the log of the other": host(6, ends={0: 180}) | one,
    "several stalls": host(6, all={UTIL: lambda i: 0 if 130 <= i < 230 or 20 <= i < 100 else busy(i)}),
    "start in compile": late(100, phases=[("data", 40, 40), ("compile", 190, 150)]),
    "start, a quarter of it in compile": late(100, phases=[("compile", 50, 50)]),
    "start, less than a quarter of it in compile": late(100, phases=[("compile", 49, 49)]),
    "start, all of it in load": late(100, phases=[("load", 200, 200)]),
    "start in two equal phases": late(100, phases=[("b", 60, 60), ("a", 120, 60)]),
    "start in a phase of two pieces": late(100, phases=[("a", 60, 60), ("b", 130, 70), ("a", 150, 20)]),
    "end in save": {"all": {UTIL: during(201, 400, 0, busy)}, "phases": [("save", 600, 150)]},
}


def main():
    root = sys.argv[1]
    for name, run in CAUSES.items():
        rules.write(root, name, run)
    whole = rules.read("summarize", "-q", "--json", root + "/whole")
    for part in ("first", "second"):
        subprocess.run(["smilog", "summarize", "-q", "--partial", "-o", f"{root}/{part}.partial", f"{root}/{part}"],
                       check=True)
    merged = rules.read("merge", "-q", "--json", root + "/first.partial", root + "/second.partial")
    told = {}
    ask = "select run, text, advice from findings"
    for form in ("--format=json", "--format=jsonl"):
        out = subprocess.run(["smilog", "summarize", "-q", form, "--sql", ask, root + "/whole"], check=True,
                             capture_output=True, text=True).stdout
        rows = json.loads(out)["rows"] if form == "--format=json" else map(json.loads, out.splitlines())
        for r in rows:
            told.setdefault((form, r["run"]), []).append((r["text"], r["advice"]))
    for name in CAUSES:
        print(f"{name}:")
        found = [(f["text"], f["advice"]) for f in whole[name]["findings"]]
        for f in whole[name]["findings"]:
            print("   ", f["rule"], f["gpu"], f["phase"], "|", f["text"], "|", f["advice"])
        if merged[name]["findings"] != whole[name]["findings"]:
            print("    merged:", json.dumps(merged[name]["findings"]))
        for form in ("--format=json", "--format=jsonl"):
            if told.get((form, name), []) != found:
                print(f"    {form}:", told.get((form, name)))
        if subprocess.run(["smilog", "summarize", "-q", "-j", "4", "--json", f"{root}/whole/{name}"], check=True,
                          capture_output=True).stdout.count(b'"rule"') != len(found):
            print("    -j 4 differs")


main()
