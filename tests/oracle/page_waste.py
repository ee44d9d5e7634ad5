#!/usr/bin/env python3
"""The parts of the waste add up in a page: in its data, to the millisecond, for each run and each group; in its tables,
to the printed digit; and they are those of summarize --json. On random sweeps: page_waste.py N [FIRST-SEED]"""
import json
import os
import re
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gen_runs  # noqa: E402

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
smilog = os.path.abspath(os.environ.get("SMILOG", os.path.join(top, "build/smilog")))
RUNS = 8  # of a sweep
PARTS = ["failed", "unused", "start", "stall", "end"]


def hours(ms):
    if 0 < ms < 18000:
        return "&lt;0.01"
    return str((Decimal(ms) / 3600000).quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def read(path):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    rows = re.findall(r'<tr class="w-(\w+)"><th scope="row"><span class="key"></span>[\w ]+</th><td class="n">([^<]*)</td>',
                      page)
    ends = re.findall(r'<th scope="row">(wasted|all)</th><td class="n">([^<]*)</td>', page)
    return page, data, dict(rows), dict(ends)


def one(folder, seed):
    runs, path = os.path.join(folder, str(seed)), os.path.join(folder, "page.html")
    for k in range(RUNS):
        gen_runs.generate(Path(runs) / f"lr=0.{k // 4 + 1}" / f"seed={k % 4}", seed * RUNS + k)
    subprocess.run([smilog, "report", "-q", runs, "-o", path], check=True)
    told = json.loads(subprocess.run([smilog, "summarize", "-q", "--json", runs], check=True,
                                     capture_output=True).stdout)
    page, data, rows, ends = read(path)
    column = {c["k"]: c for c in reversed(data["cols"])}
    names = [t if "d" not in column["run"] else column["run"]["d"][t] for t in column["run"]["t"]]
    assert len(names) == len(told["runs"]) == data["n"]
    sums = dict.fromkeys(PARTS + ["wasted", "gpuh", "unknown"], 0)
    for i, run in enumerate(told["runs"]):
        ms = {k: max(0, column[k]["x"][i]) for k in sums}
        assert sum(ms[p] for p in PARTS) == ms["wasted"], (run["run"], ms)
        assert ms["wasted"] + ms["unknown"] <= ms["gpuh"]
        assert run["idle_pct"] is not None or ms["unknown"] + ms["failed"] + ms["unused"] == ms["gpuh"], (run["run"], ms)
        for p in PARTS + ["total"]:
            want = run["wasted_h"][p]
            exact = Decimal(ms["wasted" if p == "total" else p]) / 3600000
            assert abs(Decimal(str(want or 0)) - exact) <= Decimal("0.000001"), (run["run"], p, want, exact)
        for k in sums:
            sums[k] += ms[k]
    for p in PARTS:
        assert rows.get(p, "0.00") == hours(sums[p]), (p, rows, sums)
    if sums["gpuh"]:
        assert rows.get("unknown", "0.00") == hours(sums["unknown"]), (rows, sums)
        assert rows.get("used", "0.00") == hours(sums["gpuh"] - sums["wasted"] - sums["unknown"]), (rows, sums)
        assert ends == {"wasted": hours(sums["wasted"]), "all": hours(sums["gpuh"])}, (ends, sums)
        assert f"<b>{hours(sums['gpuh'])}</b><span>GPU-hours</span>" in page
    for g in data["groups"]:
        for v in g["of"]:
            assert sum(v["ms"]) <= sums["gpuh"] and hours(sum(v["ms"][1:6])) in (v["t"][4].replace("<", "&lt;"), "0.00")
    return sums["wasted"] > 0


def main():
    n, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    wasted = failed = 0
    with tempfile.TemporaryDirectory(prefix="smilog-waste") as folder:
        for seed in range(first, first + n):
            try:
                wasted += one(folder, seed)
            except AssertionError as e:
                failed += 1
                print(f"FAILED seed {seed}: {e}")
    print(f"{wasted} of {n} sweeps wasted something\n{n - failed} passed, {failed} failed")
    return failed > 0 or wasted == 0


if __name__ == "__main__":
    sys.exit(main())
