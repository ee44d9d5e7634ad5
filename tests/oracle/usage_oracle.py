#!/usr/bin/python3
"""usage_oracle.py DIR: the figures of src/usage/, made again slowly, of the samples in DIR/samples, and held against
what the C has written of them: DIR/N.json, N.txt, N.csv and N.sqlite of the Nth trial have to be the same, byte by byte
or cell by cell. Lines of samples: "T" and the machine, places of units and compute time, begins a trial; "S" and an
instant; "E" ends it. Every number is whole, -1 is not known. Prints "N passed, M failed"."""
import csv
import io
import json
import os
import sqlite3
import sys

SIZES = {"bytes": 1, "kilobytes": 10**3, "megabytes": 10**6, "gigabytes": 10**9, "terabytes": 10**12}
TIMES = {"seconds": 10**6, "minutes": 60 * 10**6, "hours": 3600 * 10**6, "days": 86400 * 10**6}
PARTS = "main", "descendants", "combined"
LABELS = {"max_ram": "Max RAM", "max_gpu_ram": "Max GPU RAM", "total_rss": "Total RSS", "private_rss": "Private RSS",
          "shared_rss": "Shared RSS", "cpu_utilization": "CPU utilization", "gpu_utilization": "GPU utilization",
          "gpu_percentages": "GPU percentages", "n_expected_cores": "Number of expected cores",
          "system_gpu_count": "System GPU count", "n_expected_gpus": "Number of expected GPUs",
          "main_n_threads": "Main number of threads", "descendants_n_threads": "Descendants number of threads",
          "combined_n_threads": "Combined number of threads"}
STATIC = ("ram_unit", "gpu_ram_unit", "time_unit", "ram_system_capacity", "gpu_ram_system_capacity",
          "system_core_count", "n_expected_cores", "system_gpu_count", "n_expected_gpus")


def over(v, of):
    """Whole numbers divide in Python to the nearest double."""
    return None if v is None or not of or of < 0 else v / of


def known(v):
    return None if v < 0 else v


def largest(values):
    return max((v for v in values if v is not None), default=None)


def percent(values, among):
    there = [v for v in values if v is not None]
    top, total, n = largest(there), sum(there), len(there)
    return {"max_sum_percent": over(top, 10**6),
            "max_hardware_percent": over(top, 10**6 * (among or 0)),
            "mean_sum_percent": over(total, 10**6 * n), "mean_hardware_percent": over(total, 10**6 * n * (among or 0))}


def figures(m, samples):
    ru, gu, tu = SIZES[m["ru"]], SIZES[m["gu"]], TIMES[m["tu"]]
    ram = {"unit": m["ru"], "system_capacity": over(m["ram"], ru),
           "system": over(largest(s["system_ram"] for s in samples), ru)}
    for p in PARTS:
        ram[p] = {f"{k}_rss": over(largest(s[p][k] for s in samples), ru) for k in ("total", "private", "shared")}
    gpu = {"unit": m["gu"], "system_capacity": over(m["gpu_ram"], gu),
           "system": over(largest(s["system_gpu_ram"] for s in samples), gu)}
    gpu.update({p: over(largest(s[p]["gpu_ram"] for s in samples), gu) for p in PARTS})
    cpu = {"system_core_count": m["cores"], "n_expected_cores": m["expected_cores"],
           "system": percent([s["system_cpu"] for s in samples], m["cores"])}
    cpu.update({p: percent([s[p]["cpu"] for s in samples], m["expected_cores"]) for p in PARTS})
    cpu.update({f"{p}_n_threads": largest(s[p]["threads"] for s in samples) for p in PARTS})
    util = {"system_gpu_count": m["gpus"], "n_expected_gpus": m["expected_gpus"],
            "gpu_percentages": percent([s["util"] for s in samples], m["expected_gpus"] if m["gpus"] != 0 else 1)}
    return {"max_ram": ram, "max_gpu_ram": gpu, "cpu_utilization": cpu, "gpu_utilization": util,
            "compute_time": {"unit": m["tu"], "time": over(m["compute"], tu)}}


def text(tree, depth=0):
    out = ""
    for k, v in tree.items():
        out += "   " * depth + LABELS.get(k, k.replace("_", " ").capitalize()) + ":"
        if isinstance(v, dict):
            out += "\n" + text(v, depth + 1)
        else:
            out += f" {'n/a' if v is None else round(v, 3) if isinstance(v, float) else v}\n"
    return out


def static(m):
    return [m["ru"], m["gu"], m["tu"], over(m["ram"], SIZES[m["ru"]]), over(m["gpu_ram"], SIZES[m["gu"]]), m["cores"],
            m["expected_cores"], m["gpus"], m["expected_gpus"]]


def row(m, s):
    ru, gu = SIZES[m["ru"]], SIZES[m["gu"]]
    out = {f"{p}_ram": over(s[p]["total"], ru) for p in PARTS}
    out["system_ram"] = over(s["system_ram"], ru)
    out.update({f"{p}_gpu_ram": over(s[p]["gpu_ram"], gu) for p in PARTS})
    out["system_gpu_ram"] = over(s["system_gpu_ram"], gu)
    out["gpu_sum_utilization_percent"] = over(s["util"], 10**6)
    out["gpu_hardware_utilization_percent"] = over(s["util"], 10**6 * (m["expected_gpus"] or 0 if m["gpus"] != 0 else 1))
    out.update({f"{p}_n_threads": s[p]["threads"] for p in PARTS})
    groups = [("system", s["system_cpu"], m["cores"])] + [(p, s[p]["cpu"], m["expected_cores"]) for p in PARTS]
    for name, v, among in groups:
        out[f"cpu_{name}_sum_utilization_percent"] = over(v, 10**6)
        out[f"cpu_{name}_hardware_utilization_percent"] = over(v, 10**6 * (among or 0))
    out["timestamp"] = over(s["wall"], 10**6)
    return out


def table(m, rows):
    out = io.StringIO()
    w = csv.writer(out)
    w.writerows([STATIC, static(m), list(rows[0])])
    w.writerows(list(r.values()) for r in rows)
    return out.getvalue()


def database(path):
    """Columns, types and rows of both tables."""
    db = sqlite3.connect(path)
    out = []
    for t in ("static_data", "data"):
        out.append([c[1:3] for c in db.execute(f"PRAGMA table_info({t})")])
        out.append(db.execute(f"SELECT * FROM {t} ORDER BY rowid").fetchall())
    db.close()
    return out


def expected_database(m, rows):
    def columns(names, values):
        return [(n, "VARCHAR" if n.endswith("_unit") else "INTEGER" if n.startswith("n_") or "_n_" in n or "count" in n
                 else "FLOAT") for n in names]
    return [columns(STATIC, None), [tuple(static(m))], columns(rows[0], None), [tuple(r.values()) for r in rows]]


def trials(path):
    keys = "ram", "gpu_ram", "cores", "expected_cores", "gpus", "expected_gpus", "ru", "gu", "tu", "compute"
    for line in open(path):
        kind, *v = line.split()
        v = [known(int(x)) for x in v]
        if kind == "T":
            m, samples = dict(zip(keys, v)), []
            m["ru"], m["gu"], m["tu"] = list(SIZES)[m["ru"]], list(SIZES)[m["gu"]], list(TIMES)[m["tu"]]
        elif kind == "S":
            s = dict(zip(("wall", "system_ram", "system_gpu_ram", "system_cpu", "util"), v))
            for i, p in enumerate(PARTS):
                s[p] = dict(zip(("total", "private", "shared", "gpu_ram", "cpu", "threads"), v[5 + 6 * i:]))
            if m["gpus"] == 0:  # as gpu_tracker has it
                s.update(system_gpu_ram=0, util=0, **{p: {**s[p], "gpu_ram": 0} for p in PARTS})
            samples.append(s)
        else:
            yield m, samples


def main(top):
    passed = failed = 0
    for n, (m, samples) in enumerate(trials(f"{top}/samples")):
        tree, rows = figures(m, samples), [row(m, s) for s in samples]
        want = {"json": json.dumps(tree, indent=1), "txt": text(tree)[:-1], "csv": table(m, rows)}
        for ending, w in want.items():
            got = open(f"{top}/{n}.{ending}", newline="").read()
            if got != w:
                print(f"{n}.{ending}: wanted\n{w}\ngot\n{got}")
            passed, failed = passed + (got == w), failed + (got != w)
        if os.path.exists(f"{top}/{n}.sqlite"):
            got, w = database(f"{top}/{n}.sqlite"), expected_database(m, rows)
            if repr(got) != repr(w):
                print(f"{n}.sqlite: wanted\n{w}\ngot\n{got}")
            passed, failed = passed + (repr(got) == repr(w)), failed + (repr(got) != repr(w))
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or not passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
