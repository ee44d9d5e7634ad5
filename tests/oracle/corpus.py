#!/usr/bin/env python3
"""Runs `smilog summarize --json` on every file of ../shared/corpus and on made variants of some, and checks each answer.

Usage: tests/oracle/corpus.py [--table FILE]     SMILOG: the program (default build/smilog); CORPUS: the folder of logs.
Expectations that were counted by hand: tests/corpus.tsv, and the run lists of whole sweeps: tests/corpus-runs.tsv.
Statistics of one-GPU files: against an own reading here.
"""
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from fractions import Fraction

try:
    import numpy
except ImportError:
    numpy = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.environ.get("CORPUS", os.path.join(ROOT, "..", "shared", "corpus"))
SMILOG = os.path.abspath(os.environ.get("SMILOG", os.path.join(ROOT, "build", "smilog")))
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
MOST = 12  # complaints that are shown of one file
NOTES = ("CATALOGUE.md", "MANIFEST.tsv", "README.md")  # about the corpus, at its top

# query field -> metric. Only what has statistics; counters and states have none.
QUERY = {
    "utilization.gpu": "gpu_util_pct", "utilization.memory": "mem_util_pct", "utilization.encoder": "enc_util_pct",
    "utilization.decoder": "dec_util_pct", "utilization.jpeg": "jpg_util_pct", "utilization.ofa": "ofa_util_pct",
    "memory.total": "fb_total_mib", "memory.reserved": "fb_reserved_mib", "memory.used": "fb_used_mib",
    "memory.free": "fb_free_mib", "temperature.gpu": "temp_gpu_c", "temperature.gpu.tlimit": "temp_tlimit_c",
    "temperature.memory": "temp_mem_c", "power.draw": "power_w", "power.draw.average": "power_avg_w",
    "power.draw.instant": "power_inst_w", "power.limit": "power_limit_w",
    "enforced.power.limit": "power_limit_enforced_w", "power.default_limit": "power_limit_default_w",
    "power.min_limit": "power_limit_min_w", "power.max_limit": "power_limit_max_w",
    "module.power.draw.average": "module_power_avg_w", "module.power.draw.instant": "module_power_inst_w",
    "clocks.current.graphics": "clk_gr_mhz", "clocks.current.sm": "clk_sm_mhz", "clocks.current.memory": "clk_mem_mhz",
    "clocks.current.video": "clk_vid_mhz", "clocks.max.graphics": "clk_max_gr_mhz", "clocks.max.sm": "clk_max_sm_mhz",
    "clocks.max.memory": "clk_max_mem_mhz", "clocks.applications.graphics": "clk_app_gr_mhz",
    "clocks.applications.memory": "clk_app_mem_mhz", "fan.speed": "fan_pct", "pcie.link.gen.current": "pcie_gen",
    "pcie.link.gen.gpucurrent": "pcie_gen", "pcie.link.gen.max": "pcie_gen_max",
    "pcie.link.width.current": "pcie_width", "pcie.link.width.max": "pcie_width_max",
    "encoder.stats.sessioncount": "enc_sessions", "encoder.stats.averagefps": "enc_fps",
    "encoder.stats.averagelatency": "enc_latency_us", "mig.mode.current": "mig_mode",
}
STATES = {"mig_mode": {"Enabled": 1, "Disabled": 0}}
# dmon column -> metric.
DMON = {
    "pwr": "power_w", "temp": "temp_gpu_c", "gtemp": "temp_gpu_c", "mtemp": "temp_mem_c", "sm": "gpu_util_pct",
    "mem": "mem_util_pct", "enc": "enc_util_pct", "dec": "dec_util_pct", "jpg": "jpg_util_pct", "ofa": "ofa_util_pct",
    "mclk": "clk_mem_mhz", "pclk": "clk_sm_mhz", "pviol": "power_viol_pct", "tviol": "thermal_viol",
    "fb": "fb_used_mib", "bar1": "bar1_used_mib", "ccpm": "ccpm_used_mib", "rxpci": "pcie_rx_mbs",
    "txpci": "pcie_tx_mbs",
}
NUMBER = re.compile(r"([+-]?\d+(?:\.\d+)?)(?: (?:%|W|MiB|MHz|C|us|ms))?\Z")
KEYS = ("uuid", "pci.bus_id", "serial", "index", "gpu")


def make(kind, data):
    """A variant of a corpus file: what other machines and other days do to the same log."""
    if kind == "bom":
        return b"\xef\xbb\xbf" + data
    if kind == "crlf":
        return data.replace(b"\n", b"\r\n")
    if kind == "utf16":
        return b"\xff\xfe" + data.decode().replace("\n", "\r\n").encode("utf-16-le")
    if kind == "nul":
        return data[:10] + b"\0" + data[10:]
    if kind == "torn":
        return data[:-3]
    if kind == "twice":
        return data + data
    sys.exit("unknown variant " + kind)


def plain(data):
    """What the file says, by Python's own decoders."""
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return data.decode("utf-16").encode() if data.startswith((b"\xff\xfe", b"\xfe\xff")) else data


def whole_lines(data):
    lines = plain(data).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    return [line.removesuffix("\r") for line in lines[:-1]]  # what has no line end is no line


def read_query(data):
    """Readings of a query CSV by metric, as decimals; duplicates (one stamp finer than a second, keyed) once."""
    columns, values, before = None, collections.defaultdict(list), None
    for line in whole_lines(data):
        cells = [c.strip(" \t") for c in line.split(",")]
        names = [re.sub(r" *\[.*\]$", "", c).lower() for c in cells]
        if sum(n in QUERY for n in names) and not any(c[:1].isdigit() for c in cells):
            columns, metrics = names, [QUERY.get(n) for n in names]
            continue
        if columns is None or len(cells) != len(columns):
            continue
        row = dict(zip(columns, cells))
        stamp = row.get("timestamp")
        if stamp and "." in stamp and any(k in row for k in KEYS):
            if stamp[: stamp.index(".") + 4] == before:
                continue
            before = stamp[: stamp.index(".") + 4]
        for i, (metric, cell) in enumerate(zip(metrics, cells)):
            if not metric or metric in metrics[:i]:  # two names of one metric: the first
                continue
            found = NUMBER.match(cell)
            if found or cell in STATES.get(metric, ()):
                values[metric].append(Fraction(found[1]) if found else STATES[metric][cell])
    return values


def read_dmon(data):
    columns, values = None, collections.defaultdict(list)
    for line in whole_lines(data):
        words = line.replace("#", " ").split()
        if "gpu" in words[:3]:
            columns = words
        elif line.startswith("#") or columns is None or len(words) != len(columns):
            continue
        else:
            for name, word in zip(columns, words):
                found = NUMBER.match(word)
                if name in DMON and found:
                    values[DMON[name]].append(Fraction(found[1]))
    return values


def percentile(ordered, p):
    """numpy's default (linear): numpy itself if it is there."""
    if numpy:
        return float(numpy.percentile([float(v) for v in ordered], p))
    i, rest = divmod((len(ordered) - 1) * p, 100)
    low, high = ordered[i], ordered[min(i + 1, len(ordered) - 1)]
    return float(low + (high - low) * Fraction(rest, 100))


def check_numbers(data, one, gpu):
    """Differences between the metrics of a one-GPU file and an own reading of its cells."""
    own = read_query(data) if one["format"] == "nvidia-smi-query" else read_dmon(data)
    seen = {m: v for m, v in gpu["metrics"].items() if v.get("p50") is not None}
    for metric in sorted(set(own) ^ set(seen)):
        yield f"{metric}: {'not in the output' if metric in own else 'no such cells were read here'}"
    for metric in sorted(set(own) & set(seen)):
        ordered, said = sorted(own[metric]), seen[metric]
        want = {f"p{p}": percentile(ordered, p) for p in PERCENTS}
        want |= {"count": len(ordered), "min": float(ordered[0]), "max": float(ordered[-1]),
                 "mean": float(sum(ordered) / len(ordered))}
        for key, value in want.items():
            if abs(said[key] - value) > 1e-6:
                yield f"{metric}.{key}: {said[key]}, not {value}"


def check_account(one):
    rejected = sum(one["rejected"].values())
    total = one["header"] + one["rows"] + one["duplicates"] + one["blank"] + one["messages"] + rejected
    if one["lines"] != total:
        yield f"lines {one['lines']} != {total}, the sum of what became of them"
    if any(n <= 0 or not reason for reason, n in one["rejected"].items()):
        yield f"rejected: {one['rejected']}"
    if rejected and not one["problems"]:
        yield f"{rejected} rejected, and no problem says so"


def gpus_of(run):
    known = [g for g in run["gpus"] if g["gpu"] is not None or g["uuid"] is not None]
    return "undecided" if len(known) < len(run["gpus"]) else str(len(known))


def examine(path, data, expected):
    """One file: a row for the table, and what is wrong."""
    row = dict.fromkeys(("verdict", "gpus", "lines", "rows", "rejected", "note"), "")
    try:
        done = subprocess.run([SMILOG, "summarize", "--json", path], capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return row, ["no answer in 20 s"]
    said = done.stderr.decode("utf-8", "replace").strip()
    row["note"] = re.sub(r"^smilog: \S+?:? (warning: )?", "", said.split("\n")[0])
    if done.returncode < 0 or done.returncode > 5:
        return row, [f"ended with status {done.returncode}: {said[-300:]}"]
    if done.returncode not in (0, 3):
        return row, [f"exit status {done.returncode}: {said}"]
    if done.returncode == 3:
        row["verdict"] = "refused"
        wrong = [] if said else ["refused without a sentence"]
        if expected and expected["format"] != "-":
            wrong.append(f"refused, expected {expected['format']}: {said}")
        if expected and "--input-columns" in expected["why"] and "--input-columns" not in said:
            wrong.append("no advice of --input-columns: " + said)
        return row, wrong
    try:
        answer = json.loads(done.stdout.decode("utf-8"))
    except ValueError as e:
        return row, [f"the output is no JSON: {e}"]
    if len(answer["runs"]) != 1 or len(answer["runs"][0]["inputs"]) != 1:
        return row, ["not one run with one input"]
    run = answer["runs"][0]
    one = run["inputs"][0]
    rejected = sum(one["rejected"].values())
    row |= {"verdict": one["format"], "gpus": gpus_of(run), "lines": one["lines"], "rows": one["rows"],
            "rejected": " ".join(f"{k} {v}" for k, v in one["rejected"].items())}
    wrong = list(check_account(one))
    if expected and expected["format"] == "-":
        return row, wrong + [f"read as {one['format']}, expected to be refused"]
    if expected:
        got = {"format": one["format"], "gpus": gpus_of(run), "rejected": row["rejected"] or "0"}
        got |= {k: str(one[k]) for k in ("lines", "header", "rows", "duplicates")}
        wrong += [f"{k} {v}, expected {expected[k]}" for k, v in got.items() if v != expected[k]]
    if len(run["gpus"]) == 1 and one["format"] in ("nvidia-smi-query", "dmon"):
        wrong += check_numbers(data, one, run["gpus"][0])
    return row, wrong


def runs_of(path, options):
    """The run list as tests/corpus-runs.tsv writes it, or the sentence why there is none."""
    done = subprocess.run([SMILOG, "summarize", "--json", *options, path], capture_output=True, timeout=60)
    if done.returncode == 3:
        return [("-", done.stderr.decode("utf-8", "replace"))]
    answer = json.loads(done.stdout.decode("utf-8"))
    return [(run["run"], one["path"], one["format"], str(one["rows"]), run["params"])
            for run in answer["runs"] for one in run["inputs"]]


def check_runs(rows, got):
    """Rows of the table against a run list: the runs in their order, each with its only log and its parameters."""
    if rows[0]["run"] == "-":
        refused = got[0][0] == "-" and rows[0]["input"] in got[0][1]
        return [] if refused else [f"not refused with {rows[0]['input']}: {got}"]
    names = [r[0] for r in got]
    if names != [r["run"] for r in rows]:
        return [f"runs {names}"]
    wrong = []
    for want, (run, path, kind, count, params) in zip(rows, got):
        if (path, kind, count) != (want["input"], want["format"], want["rows"]):
            wrong.append(f"{run}: {path} {kind} {count}")
        for pair in want["params"].split() if want["params"] != "-" else ():
            key, value = pair.split("=")
            if str(params.get(key)) != value:
                wrong.append(f"{run}: {key} is {params.get(key)}, not {value}")
        if want["params"] == "-" and params:
            wrong.append(f"{run}: parameters {list(params)}")
    return wrong


def check_sweeps(rows):
    """The directories of many runs, as they are and in an archive. Returns (passed, failed)."""
    sweeps = collections.defaultdict(list)
    for row in rows:
        sweeps[row["sweep"], row["options"]].append(row)
    count = [0, 0]
    for (sweep, options), want in sweeps.items():
        words = [] if options == "-" else options.split()
        with tempfile.TemporaryDirectory() as folder:
            packed = os.path.join(folder, sweep + ".tar.gz")
            with tarfile.open(packed, "w:gz") as t:
                t.add(os.path.join(CORPUS, sweep), ".")
            for path in (os.path.join(CORPUS, sweep), packed):
                wrong = check_runs(want, runs_of(path, words))
                count[bool(wrong)] += 1
                print(f"{os.path.basename(path):<40} {sum(w['run'] != '-' for w in want):>3} runs {options}")
                for text in wrong[:MOST]:
                    print("    FAIL " + text)
    return count


def table_of(name):
    with open(os.path.join(ROOT, "tests", name), encoding="utf-8") as f:
        head, *rows = (line.rstrip("\n").split("\t") for line in f)
    return [dict(zip(head, r)) for r in rows]


def corpus_files():
    for folder, _, names in os.walk(CORPUS):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), CORPUS)
            if path not in NOTES:
                yield path


def main():
    table = sys.argv[2] if len(sys.argv) == 3 and sys.argv[1] == "--table" else None
    if len(sys.argv) > 1 and not table:
        sys.exit(__doc__)
    expected = {r["path"]: r for r in table_of("corpus.tsv")}
    files = sorted(corpus_files())
    passed = failed = 0
    out = []
    for name in files + [n for n in expected if ":" in n]:
        kind, _, source = name.rpartition(":")
        with open(os.path.join(CORPUS, source), "rb") as f:
            data = f.read()
        if kind:
            data = make(kind, data)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, os.path.basename(source))
                with open(path, "wb") as f:
                    f.write(data)
                row, wrong = examine(path, data, expected[name])
        else:
            row, wrong = examine(os.path.join(CORPUS, source), data, expected.get(name))
        passed, failed = passed + (not wrong), failed + bool(wrong)
        out.append((name, row))
        print(f"{name:<70.70} {row['verdict']:<16} {row['gpus']:>9} {row['lines']:>6} {row['rows']:>6} "
              f"{row['rejected']:<16} {row['note'][:110]}")
        for text in wrong[:MOST] + [f"... and {len(wrong) - MOST} more"] * (len(wrong) > MOST):
            print("    FAIL " + text)
    for name in sorted(set(n for n in expected if ":" not in n) - set(files)):
        failed += 1
        print(f"{name}\n    FAIL in tests/corpus.tsv, but not in the corpus")
    if table:
        with open(table, "w", encoding="utf-8") as f:
            f.write("| file | verdict | GPUs | lines | rows | rejected | note |\n|---|---|---:|---:|---:|---|---|\n")
            for name, row in out:
                cells = [name] + [str(v).replace("|", "\\|") for v in row.values()]
                f.write("| " + " | ".join(cells) + " |\n")
    more, less = check_sweeps(table_of("corpus-runs.tsv"))
    passed, failed = passed + more, failed + less
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
