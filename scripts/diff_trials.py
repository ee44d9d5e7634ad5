#!/usr/bin/python3
"""diff_trials.py [N] [SEED]: how often smilog diff calls something real. N times two sweeps that are equal but for
chance: anything at all may be called real in 5 % of them (smilog help diff); and N times with 5 % on one column, whose
repeats scatter by 1 %: that one has to come first. Prints a line for each shape of a sweep; one has failed if a rate is
beyond what its binomial makes likely (3.5 sigma). SMILOG: the program."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

N, SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1
SMILOG = os.environ.get("SMILOG", "smilog")
PLAIN = {"duration_s": 3600, "covered_s": 3590, "energy_wh": 500, "idle_pct": 10, "longest_idle_s": 90, "gpu_hours": 2}
BLOCK = {"peak_vram_mb": 61000, "gpu_util_mean_pct": 80, "gpu_util_max_pct": 96, "power_watts_mean": 270,
         "power_watts_max": 310, "cpu_usr_mean_pct": 23, "cpu_idle_mean_pct": 75}


def sweep(r, path, configs, repeats, start, factor):
    """Readings as they are printed: to one decimal, the largest in whole steps."""
    with open(path, "w") as f:
        for c in range(configs):
            for n in range(start, start + repeats):
                draw = {k: r.gauss(v, v / 100) for k, v in {**PLAIN, **BLOCK}.items()}
                draw["gpu_util_mean_pct"] *= factor
                block = {k: float(round(draw[k]) if "max" in k or "peak" in k else round(draw[k], 1)) for k in BLOCK}
                run = {"schema": "smilog/1", "run": f"lr={c}/seed={n}", "state": "ok", "params": {"lr": c, "seed": n},
                       "summary": block, "gpus": [{"gpu": 0}], **{k: round(draw[k], 6) for k in PLAIN}}
                f.write(json.dumps(run) + "\n")


def diff(r, top, configs, repeats, factor, others):
    for side, f, start in (("a", 1.0, 1), ("b", factor, 100 if others else 1)):
        sweep(r, f"{top}/{side}", configs, repeats, start, f)
    out = subprocess.run([SMILOG, "diff", "--json", f"{top}/a", f"{top}/b"], capture_output=True, check=True).stdout
    d = json.loads(out)["diff"]
    assert len(d["pairs"]) == configs * repeats and len({p["configuration"] for p in d["pairs"]}) == configs
    return [c["column"] for c in d["columns"] if c["verdict"] == "real"], d["columns"][0]["column"]


bad, shapes = 0, ((3, 4, False), (1, 4, False), (1, 2, False), (6, 2, True), (1, 12, True))
r = random.Random(SEED)
with tempfile.TemporaryDirectory() as top:
    for configs, repeats, others in shapes:
        false = sum(bool(diff(r, top, configs, repeats, 1.0, others)[0]) for _ in range(N))
        found = first = more = 0
        for _ in range(N):
            real, head = diff(r, top, configs, repeats, 0.95, others)
            found += "gpu_util_mean_pct" in real
            first += head == "gpu_util_mean_pct"
            more += any(c != "gpu_util_mean_pct" for c in real)
        limit = 0.05 * N + 3.5 * math.sqrt(N * 0.05 * 0.95)
        bad += false > limit or more > limit or (configs * repeats >= 12 and first < N)
        print(f"{configs} x {repeats}: equal sweeps: {false} of {N} show a real change; 5 % of one column: first in "
              f"{first}, real in {found}, another one real in {more}")
print(f"{len(shapes) - bad} passed, {bad} failed")
sys.exit(bad > 0)
