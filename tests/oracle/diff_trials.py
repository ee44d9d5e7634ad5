#!/usr/bin/python3
"""diff_trials.py [N] [SEED]: how often smilog diff calls something real. N times two sweeps that are equal but for
chance: anything at all may be called real in 5 % of them (smilog help diff); and N times with 5 % on one column, whose
repeats scatter by 1 %: that one has to come first. The levels of configurations are alike, or 1 : 10 : 100 : 1000, and
some configurations, or all, have no repeats. Prints a line for each shape of a sweep; one has failed if a rate is
beyond what its binomial makes likely (3.5 sigma). SMILOG: the program."""
import json
import math
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system"))
from lib import check, finish, folder, smilog, words  # noqa: E402

N, SEED = words(1000, 1)
PLAIN = {"duration_s": 3600, "covered_s": 3590, "energy_wh": 500, "idle_pct": 10, "longest_idle_s": 90, "gpu_hours": 2}
BLOCK = {"peak_vram_mb": 61000, "gpu_util_mean_pct": 80, "gpu_util_max_pct": 96, "power_watts_mean": 270,
         "power_watts_max": 310, "cpu_usr_mean_pct": 23, "cpu_idle_mean_pct": 75}


def sweep(r, path, shape, start, factor):
    """Readings as they are printed: to one decimal, the largest in whole steps. shape: of each configuration how many
    repeats it has, and its level, of what has no upper end."""
    with open(path, "w") as f:
        for c, (repeats, level) in enumerate(shape):
            for n in range(start, start + repeats):
                draw = {k: r.gauss(v, v / 100) * (1 if "pct" in k else level) for k, v in {**PLAIN, **BLOCK}.items()}
                draw["gpu_util_mean_pct"] *= factor
                block = {k: float(round(draw[k]) if "max" in k or "peak" in k else round(draw[k], 1)) for k in BLOCK}
                run = {"schema": "smilog/1", "run": f"lr={c}/seed={n}", "state": "ok", "params": {"lr": c, "seed": n},
                       "summary": block, "gpus": [{"gpu": 0}], **{k: round(draw[k], 6) for k in PLAIN}}
                f.write(json.dumps(run) + "\n")


def diff(r, top, shape, factor, others):
    for side, f, start in (("a", 1.0, 1), ("b", factor, 100 if others else 1)):
        sweep(r, f"{top}/{side}", shape, start, f)
    d = json.loads(smilog("diff", "--json", f"{top}/a", f"{top}/b").stdout)["diff"]
    assert len(d["pairs"]) == sum(n for n, _ in shape) and len({p["configuration"] for p in d["pairs"]}) == len(shape)
    return [c["column"] for c in d["columns"] if c["verdict"] == "real"], d["columns"][0]["column"]


def text(shape):
    return " + ".join(f"{shape.count(s)} x {s[0]}" + (f" at {s[1]}" if s[1] != 1 else "") for s in dict.fromkeys(shape))


SHAPES = [([(4, 1)] * 3, False), ([(4, 1)], False), ([(2, 1)], False), ([(2, 1)] * 6, True), ([(12, 1)], True),
          ([(3, 1), (3, 10), (3, 100), (3, 1000)], False), ([(2, 1), (2, 1000)], True),
          ([(1, 1)] * 17, False), ([(1, 1)] * 8 + [(1, 100)] * 60, False), ([(5, 0.01)] + [(1, 1)] * 5, False), ([(2, 1)] * 3 + [(6, 30)] + [(1, 1000)], False)]
r = random.Random(SEED)
with folder() as top:
    for shape, others in SHAPES:
        false = sum(bool(diff(r, top, shape, 1.0, others)[0]) for _ in range(N))
        found = first = more = 0
        for _ in range(N):
            real, head = diff(r, top, shape, 0.95, others)
            found += "gpu_util_mean_pct" in real
            first += head == "gpu_util_mean_pct"
            more += any(c != "gpu_util_mean_pct" for c in real)
        limit = 0.05 * N + 3.5 * math.sqrt(N * 0.05 * 0.95)
        enough = sum(n for n, _ in shape if n > 1 or len(shape) > 12) >= 12
        check(text(shape), false <= limit and more <= limit and not (enough and first < N))
        print(f"{text(shape)}: equal sweeps: {false} of {N} show a real change; 5 % of one column: first in "
              f"{first}, real in {found}, another one real in {more}")
sys.exit(finish())
