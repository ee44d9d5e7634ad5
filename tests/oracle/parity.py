#!/usr/bin/env python3
"""Compares smilog with the oracle, and on plain runs with the reference module, over generated runs.

    parity.py --runs N [--seed S] [--smilog PROGRAM] [--keep DIR]

The program is $SMILOG if none is given, else build/smilog. Every field that the oracle knows must be equal, to the last
printed digit. The reference's block is compared where shared/reference lies beside the project: a null counts as its
0.0, and a mean that is an exact tie at one decimal may differ (the reference sums doubles); such ties are counted.
"""
from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import gen_runs
import oracle

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT.parent / "shared" / "reference" / "resource_summary.py"
PLAIN_PERCENT = 30
TIE_PERCENT, ENOUGH = 2, 1000  # a share of fewer values says nothing
SHOWN = 20


# ---- comparison ------------------------------------------------------------------------------------------

def text(value: object) -> str:
    if isinstance(value, Fraction):
        return oracle.real_text(value)
    if value is ABSENT:
        return "absent"
    return str(value) if isinstance(value, (str, Decimal)) else json.dumps(value, default=text)


ABSENT = object()


def same(ours: object, wanted: object) -> bool:
    if isinstance(wanted, Fraction):
        return isinstance(ours, Decimal) and Fraction(ours) == wanted and ours.is_signed() == (wanted < 0)
    if isinstance(wanted, bool) or wanted is None or isinstance(wanted, str):
        return ours is wanted or ours == wanted and type(ours) is type(wanted)
    return type(ours) is type(wanted) and ours == wanted


def gpu_order(gpu: dict) -> tuple:
    """GPUs without an index come in no promised order: pair them by what they are."""
    index = gpu.get("gpu")
    return (index is None, index or 0, gpu.get("uuid") or "", gpu.get("samples") or 0,
            text(gpu.get("energy_wh")), text(gpu.get("idle_pct")))


def decimals(value: object) -> object:
    """Our reals as fractions, so that both sides sort alike."""
    return Fraction(value) if isinstance(value, Decimal) else value


def differences(ours: object, wanted: object, path: str = "") -> list[tuple[str, object, object]]:
    if isinstance(wanted, dict):
        if not isinstance(ours, dict):
            return [] if not wanted or wanted == {"metrics": {}} and ours is None else [(path, ours, wanted)]
        keys = list(wanted)
        if path.endswith(("summary", ".metrics", ".rejected", "events", "wasted_h")):
            keys += [key for key in ours if key not in wanted]
        out = []
        for key in keys:
            below = f"{path}.{key}" if path else key
            out += differences(ours.get(key, ABSENT), wanted.get(key, ABSENT), below)
        return out
    if isinstance(wanted, list):
        if not isinstance(ours, list):
            return [(path, ours, wanted)]
        if path == "gpus":
            ours = sorted(ours, key=lambda g: gpu_order({k: decimals(v) for k, v in g.items()}))
            wanted = sorted(wanted, key=gpu_order)
        out = [] if len(ours) == len(wanted) else [(path + "[]", len(ours), len(wanted))]
        for i, (a, b) in enumerate(zip(ours, wanted)):
            out += differences(a, b, f"{path}[{i}]")
        return out
    return [] if same(ours, wanted) else [(path, ours, wanted)]


# ---- the reference ---------------------------------------------------------------------------------------

def load_reference():
    if not REFERENCE.is_file():
        return None
    spec = importlib.util.spec_from_file_location("resource_summary", REFERENCE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["resource_summary"] = module
    spec.loader.exec_module(module)
    return module


MEANS = {"power_watts_mean": "power_w", "cpu_usr_mean_pct": "cpu_usr_pct",
         "cpu_idle_mean_pct": "cpu_idle_pct"}


def is_tie(run: oracle.Run, key: str) -> bool:
    """Whether the exact mean lies half way between two one-decimal numbers and the reference's sum of doubles
    may miss it. Maxima, and means of whole numbers, are exact in doubles too: no excuse for them."""
    if key not in MEANS:
        return False
    values = {**run.headline_values(None), **run.host_values(None)}.get(MEANS[key])
    return bool(values) and Fraction(20 * sum(values), len(values) * oracle.MILLION) % 2 == 1


def check_reference(module, directory: Path, block: dict) -> tuple[list, int, int]:
    """(differences, ties, values compared)."""
    wanted = module.build_resource_summary(directory / "hw_metrics.csv", directory / "cpu_metrics.csv",
                                           directory / "hw_dmon.csv").to_dict()
    run = oracle.Run(directory)
    out, ties, compared = [], 0, 0
    for key, value in wanted.items():
        ours = float(block.get(key) or 0)
        compared += 1
        tie = is_tie(run, key)
        ties += tie
        if ours != value and not (tie and abs(ours - value) < 0.11):
            out.append((f"reference.{key}", block.get(key), value))
    for key in ("mem_util_mean_pct", "mem_util_max_pct"):
        if key in block and key not in wanted and (directory / "hw_dmon.csv").exists():
            out.append((f"reference.{key}", block[key], ABSENT))
    return out, ties, compared


# ---- runs ------------------------------------------------------------------------------------------------

def run_smilog(smilog: str, tree: Path) -> dict[str, dict] | None:
    done = subprocess.run([smilog, "summarize", "--json", str(tree)], capture_output=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr.decode("utf-8", "replace")[-2000:])
        print(f"smilog summarize: exit status {done.returncode}")
        return None
    page = json.loads(done.stdout, parse_float=Decimal)
    names = [run["run"] for run in page["runs"]]
    if len(set(names)) != len(names):
        print("smilog summarize: a run is given twice")
    return {run["run"]: run for run in page["runs"]}


def make(tree: Path, count: int, seed: int) -> tuple[collections.Counter, set[str]]:
    shares: collections.Counter = collections.Counter()
    plain = set()
    for i in range(count):
        name = f"run_{i:05}"
        is_plain = i % 100 * 7 % 100 < PLAIN_PERCENT
        shares.update(gen_runs.generate(tree / name, seed * 1_000_003 + i, is_plain))
        if is_plain:
            plain.add(name)
    return shares, plain


def compare(tree: Path, count: int, seed: int, smilog: str) -> int:
    shares, plain = make(tree, count, seed)
    module = load_reference()
    if module is None:
        print(f"reference skipped: no {REFERENCE}")
    ours = run_smilog(smilog, tree)
    if ours is None:
        print(f"0 passed, {count} failed")
        return 1
    failed, shown, ties, compared, unjudged = 0, 0, 0, 0, 0
    fields: collections.Counter = collections.Counter()
    names = [f"run_{i:05}" for i in range(count)]
    with ProcessPoolExecutor() as pool:
        wanted = pool.map(oracle.summarise, [tree / name for name in names], chunksize=16)
        for name, want in zip(names, wanted):
            run = ours.get(name)
            if want and want.pop("open"):
                unjudged += 1
                continue
            if want is None or run is None:  # nothing is a log: what crashed before its log began has no data
                state = run and run["state"]
                found = [] if want is None and state in (None, "no-data") else [("run", text(state), text(want))]
            else:
                found = differences(run, want)
                if module and name in plain:
                    wrong, t, n = check_reference(module, tree / name, run["summary"])
                    found, ties, compared = found + wrong, ties + t, compared + n
            failed += bool(found)
            fields.update({field_name(path) for path, _, _ in found})
            for path, a, b in found:
                if shown < SHOWN:
                    print(f"{name}: {path}: smilog {text(a)}, wanted {text(b)}")
                shown += 1
    for name in sorted(set(ours) - set(names)):
        print(f"{name}: a run that was not made")
        failed += 1
    if shown > SHOWN:
        print(f"... {shown - SHOWN} more")
    if unjudged:
        print(f"{unjudged} runs not judged: their zone depends on the interval of rows that are pooled, or rows name "
              "one GPU by different keys before one has both")
    if fields:
        print("runs by field: " + ", ".join(f"{k} {n}" for k, n in fields.most_common(30)))
    print("features: " + ", ".join(f"{k} {100 * n // count} %" for k, n in sorted(shares.items())))
    if compared:
        share = 100 * ties / compared
        print(f"reference: {compared} values of {len(plain)} plain runs, {ties} exact ties ({share:.2f} %)")
        if share >= TIE_PERCENT and compared >= ENOUGH:
            print(f"reference: too many ties, {TIE_PERCENT} % is the limit")
            failed += 1
    print(f"{count - unjudged - min(failed, count)} passed, {failed} failed")
    return 1 if failed else 0


def field_name(path: str) -> str:
    """A path without its list numbers."""
    return "".join(part.split("]", 1)[-1] if "]" in part else part for part in path.split("["))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare smilog with the oracle over generated runs.")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 24))
    parser.add_argument("--smilog", default=os.environ.get("SMILOG", str(ROOT / "build" / "smilog")))
    parser.add_argument("--keep", help="write the runs here and leave them")
    args = parser.parse_args()
    print(f"seed {args.seed}")
    if not Path(args.smilog).is_file():
        print(f"parity: no program at {args.smilog}", file=sys.stderr)
        return 2
    if args.keep:
        tree = Path(args.keep)
        if tree.exists() and any(tree.iterdir()):
            print(f"parity: {tree} is not empty", file=sys.stderr)
            return 2
        tree.mkdir(parents=True, exist_ok=True)
        return compare(tree, args.runs, args.seed, args.smilog)
    with tempfile.TemporaryDirectory(prefix="smilog-parity-") as tree:
        return compare(Path(tree), args.runs, args.seed, args.smilog)


if __name__ == "__main__":
    sys.exit(main())
