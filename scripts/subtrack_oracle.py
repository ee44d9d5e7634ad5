#!/usr/bin/python3
"""subtrack_oracle.py [N] [SEED]: smilog subtrack held against a slow restatement of it, on N random sessions: combine,
analyze and compare, CSV and SQLite, JSON and text, equal byte by byte. Arithmetic is that of Python's floats, one
operation after the other: a mean is the sum in the order of the file over the number, a standard deviation the root of
the mean of the squares of the distances from it. Prints "N passed, M failed". SMILOG: the program."""
import csv
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

N, SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1
SMILOG = os.environ.get("SMILOG", "smilog")
STATIC = ("ram_unit", "gpu_ram_unit", "time_unit", "ram_system_capacity", "gpu_ram_system_capacity",
          "system_core_count", "n_expected_cores", "system_gpu_count", "n_expected_gpus")
METRICS = [f"{p}_ram" for p in ("main", "descendants", "combined", "system")]
METRICS += [f"{p}_gpu_ram" for p in ("main", "descendants", "combined", "system")]
METRICS += ["gpu_sum_utilization_percent", "gpu_hardware_utilization_percent"]
METRICS += [f"{p}_n_threads" for p in ("main", "descendants", "combined")]
METRICS += [f"cpu_{p}_{k}_utilization_percent" for p in ("system", "main", "descendants", "combined")
            for k in ("sum", "hardware")]
STATS = "min", "max", "mean", "std"
NAN = float("nan")


# ---- the restatement ----

def stats(values):
    v = [x for x in values if x is not None]
    if not v:
        return dict.fromkeys(STATS, NAN)
    total = 0.0
    for x in v:
        total += x
    mean, squares = total / len(v), 0.0
    for x in v:
        d = x - mean
        squares += d * d
    return {"min": min(v), "max": max(v), "mean": mean, "std": math.sqrt(squares / len(v))}


def calls_of(rows):
    """Of one block, by process: at one instant what is open is left first. None: they do not pair."""
    out = []
    for pid in sorted({r[0] for r in rows}):
        mine = [(t, p) for q, _, p, t in rows if q == pid]
        entered = None
        for t in sorted({t for t, _ in mine}):
            group = [p for u, p in mine if u == t]
            while group:
                want = 0 if entered is None else 1
                if want not in group:
                    return None
                group.remove(want)
                if want:
                    out.append((entered, t))
                entered = None if want else t
    return out


def analyze(static, points, rows):
    usage = lambda some: {m: stats([p[i] for p in some]) for i, m in enumerate(METRICS)}
    blocks = []
    for name in sorted({r[1] for r in rows}, key=lambda n: n.encode()):
        calls = calls_of([r for r in rows if r[1] == name])
        if calls is None:
            return None
        lengths = [b - a for a, b in calls]
        inside = [p for p in points if any(a <= p[-1] <= b for a, b in calls)]
        time = stats(lengths)
        time["total"] = 0.0
        for x in lengths:
            time["total"] += x
        blocks.append({"name": name, "num_timepoints": len(inside), "num_calls": len(calls),
                       "num_non_empty_calls": sum(any(a <= p[-1] <= b for p in points) for a, b in calls),
                       "compute_time": time, "resource_usage": usage(inside)})
    return {"overall": usage(points), "static_data": {k: NAN if v is None else v for k, v in zip(STATIC, static)},
            "code_block_results": blocks}


def line_of(name):
    head, colon, tail = name.rpartition(":")
    return tail if colon and tail.isascii() and tail.isdigit() else None


def compare(sessions, stat):
    """None: their blocks are not the same."""
    lists = {}
    for name, s in sessions.items():
        lines = [line_of(b["name"]) for b in s["code_block_results"]]
        digits = max([len(x) for x in lines if x], default=0)
        key = lambda b: (b["name"][:-len(line_of(b["name"]))] + line_of(b["name"]).zfill(digits)
                         if line_of(b["name"]) else b["name"]).encode()
        lists[name] = sorted(s["code_block_results"], key=key)
    first = lists[min(lists, key=lambda n: n.encode())]
    for other in lists.values():
        if len(other) != len(first):
            return None
        for a, b in zip(first, other):
            a, b = a["name"], b["name"]
            if a != b and (not line_of(a) or not line_of(b) or a.rpartition(":")[0] != b.rpartition(":")[0]):
                return None
    by_value = lambda d: dict(sorted(d.items(), key=lambda kv: (math.isnan(kv[1]), 0 if math.isnan(kv[1]) else kv[1])))
    rows = list(zip(*lists.values()))
    names = [" -> ".join(sorted({b["name"] for b in row}, key=lambda n: n.encode())) for row in rows]
    return {"overall_resource_usage": {m: by_value({n: s["overall"][m][stat] for n, s in sessions.items()})
                                       for m in METRICS},
            "code_block_resource_usage": {m: {k: by_value({n: b["resource_usage"][m][stat] for n, b in zip(lists, row)})
                                              for k, row in zip(names, rows)} for m in METRICS} if rows else {},
            "code_block_compute_time": {k: by_value({n: b["compute_time"][stat] for n, b in zip(lists, row)})
                                        for k, row in zip(names, rows)}}


def lines_of(tree):
    return json.dumps(tree, indent=1) + "\n"


def cell(v):
    return "NaN" if math.isnan(v) else repr(float(f"{v:.8f}"))


def table(tabs, head, rows, index=None, objects=False):
    width = [max([len(h) + (not objects)] + [len(r[i]) + objects for r in rows]) for i, h in enumerate(head)]
    first = max(map(len, index)) if index else 0
    lines = [("", head)] + list(zip(index or [""] * len(rows), rows))
    return "".join("\t" * tabs + k.ljust(first) + "".join(" " + c.rjust(w) for c, w in zip(cs, width)) + "\n"
                   for k, cs in lines)


def usage_table(tabs, usage):
    return table(tabs, list(STATS), [[cell(usage[m][s]) for s in STATS] for m in METRICS], METRICS)


def analysis_text(r):
    out = "Overall:\n" + usage_table(1, r["overall"]) + "Static Data:\n"
    out += table(1, list(STATIC), [[cell(v) if isinstance(v, float) else str(v) for v in r["static_data"].values()]],
                 objects=True)
    out += "Code Block Results:\n"
    for b in r["code_block_results"]:
        for k in ("name", "num_timepoints", "num_calls", "num_non_empty_calls"):
            out += "\t" + (k.replace("_", " ").title() + ":").ljust(21) + f"{b[k]}\n"
        time = b["compute_time"]
        out += "\tCompute Time:\n" + table(2, list(time), [[cell(v) for v in time.values()]])
        out += "\tResource Usage:\n" + usage_table(2, b["resource_usage"]) + "\n"
    return out


def comparison_text(tree, depth=0):
    out = ""
    for k, v in tree.items():
        known = k in METRICS or k.startswith(("overall_r", "code_b"))
        out += "\t" * depth + (k.replace("_", " ").title() if known else k) + ":\n"
        if v and not isinstance(next(iter(v.values())), dict):
            out += table(depth + 1, list(v), [[cell(x) for x in v.values()]])
        else:
            out += comparison_text(v, depth + 1)
    return out


# ---- random sessions ----

def number(r):
    k = r.randrange(6)
    return (0.0 if k == 0 else r.randrange(60) / 10 if k == 1 else r.randrange(10**9) / 1e9 if k == 2
            else r.random() * 10 ** r.randrange(-9, 12) if k == 3 else float(r.randrange(64)) if k == 4 else 0.216)


def random_session(r, names):
    t0 = 1745449600 + r.random()
    static = [r.choice(["bytes", "megabytes", "gigabytes"]), "terabytes", r.choice(["hours", "days", None]),
              r.choice([67.25414912000001, 67254149120.0, 1024, None]), r.choice([16.376, 0.0]), 12, 4, 1, 1]
    grid = [t0 + i * r.choice([1.0, 0.1, 1.0371]) for i in range(r.randrange(0, 40))]
    points = [[None if r.random() < .05 else number(r) for _ in METRICS] + [t] for t in grid]
    rows = []
    for pid in r.sample(range(1, 10**6), r.randrange(0, 4)):
        for name in names:
            t = t0 + r.random() * 3
            for _ in range(r.randrange(0, 6)):
                t = r.choice([t, t + r.random(), r.choice(grid) if grid else t])
                stop = r.choice([t, t + r.random() * 5, r.choice(grid) if grid else t])
                t, stop = min(t, stop), max(t, stop)
                if any(x[3] > t for x in rows if x[0] == pid and x[1] == name):
                    continue
                rows += [(pid, name, 0, t), (pid, name, 1, stop)]
                t = stop if r.random() < .4 else stop + r.random()
            if r.random() < .2:
                rows.append((pid, name, 0, t + 10))
    if rows and r.random() < .1:
        rows.pop(r.randrange(len(rows)))
    r.shuffle(rows)
    return static, points, rows


def write_csv(r, path, tables):
    end = r.choice(["\r\n", "\n"])
    with open(path, "w", newline="") as f:
        w = csv.writer(f, lineterminator=end, quoting=csv.QUOTE_ALL if r.random() < .1 else csv.QUOTE_MINIMAL)
        for head, rows in tables:
            w.writerow(head)
            w.writerows(rows)


def write_db(path, tables):
    db = sqlite3.connect(path)
    for name, head, kinds, rows in tables:
        db.execute(f"CREATE TABLE {name} ({', '.join(f'{h} {k}' for h, k in zip(head, kinds))})")
        db.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(head))})", rows)
    db.commit()
    db.close()


HEAD, KINDS = ("process_id", "code_block_name", "position", "timestamp"), ("INTEGER", "VARCHAR", "INTEGER", "FLOAT")


def write_track(r, path, static, points):
    if path.endswith("csv"):
        write_csv(r, path, [(STATIC, [static]), (METRICS + ["timestamp"], points)])
    else:
        write_db(path, [("static_data", STATIC, ["VARCHAR"] * 3 + ["FLOAT"] * 2 + ["INTEGER"] * 4, [static]),
                        ("data", METRICS + ["timestamp"], ["FLOAT"] * 22, points)])


def write_rows(r, path, rows):
    if path.endswith("csv"):
        write_csv(r, path, [(HEAD, rows)])
    else:
        write_db(path, [("data", HEAD, KINDS, rows)])


def run(*words):
    p = subprocess.run([SMILOG, "subtrack", *words], capture_output=True)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


class Judge:
    passed = failed = 0

    def equal(self, what, got, want):
        if got == want:
            self.passed += 1
            return
        self.failed += 1
        if self.failed < 5:
            print(f"{what}: wanted\n{want}\ngot\n{got}")


def trial(r, judge, n, top):
    names = ["X", "train.py:7", "train.py:12", "a, b", 'say "x"', "größe:3", " y ", "/m.py:fit"]
    names = r.sample(names, r.randrange(1, 5))
    sessions = {}
    for name in r.sample(["A", "B", "before", "größer", "C d"], r.randrange(1, 4)):
        static, points, rows = random_session(r, names)
        kind = r.choice(["csv", "sqlite"])
        track, sub = f"{top}/track.{r.choice(['csv', 'sqlite'])}", f"{top}/all.{kind}"
        parts = sorted({x[0] for x in rows}) or [1]
        os.mkdir(f"{top}/parts")
        if track.endswith("sqlite"): # its column makes a float of a whole number
            static = [float(v) if isinstance(v, int) and i < 5 else v for i, v in enumerate(static)]
        write_track(r, track, static, points)
        for pid in parts:
            write_rows(r, f"{top}/parts/{pid}.{r.choice(['csv', 'sqlite'])}", [x for x in rows if x[0] == pid])
        order = [pid for _, pid in sorted((f, int(f.split(".")[0])) for f in os.listdir(f"{top}/parts"))]
        joined = [x for pid in order for x in rows if x[0] == pid]
        judge.equal(f"{n} combine", run("combine", "-o", sub, f"{top}/parts"), (0, "", ""))
        if kind == "csv":
            write_csv(random.Random(1), f"{top}/want.csv", [(HEAD, joined)])
            want = open(f"{top}/want.csv", newline="").read().replace("\r\n", "\n")
            judge.equal(f"{n} combined", open(sub, newline="").read(), want)
        else:
            db = sqlite3.connect(sub)
            judge.equal(f"{n} combined", db.execute("SELECT * FROM data ORDER BY rowid").fetchall(), joined)
            judge.equal(f"{n} types", [x[1:3] for x in db.execute("PRAGMA table_info(data)")], list(zip(HEAD, KINDS)))
            db.close()
        want = analyze(static, points, rows)
        status, out, told = run("analyze", "--tf", track, "--stf", sub, "--json")
        if want is None:
            judge.equal(f"{n} unpaired", (status, out), (3, ""))
        else:
            judge.equal(f"{n} json", (status, out, told), (0, lines_of(want), ""))
            judge.equal(f"{n} text", run("analyze", "--tracking-file", track, "--subtracking-file", sub),
                        (0, analysis_text(want), ""))
            if r.random() < .3:
                for b in want["code_block_results"]: # the program was edited
                    b["name"] = b["name"].replace(":7", ":107").replace(":12", ":112")
            sessions[name] = want
            open(f"{top}/{name}.json", "w").write(json.dumps(want, ensure_ascii=r.random() < .5))
        for f in (track, sub, *(f"{top}/parts/{f}" for f in os.listdir(f"{top}/parts"))):
            os.remove(f)
        os.rmdir(f"{top}/parts")
    if sessions:
        stat = r.choice(STATS)
        want = compare(sessions, stat)
        maps = [w for name in sessions for w in ("-m", f"{name}={top}/{name}.json")]
        for words, form in (("--json",), lines_of), ((), comparison_text):
            status, out, _ = run("compare", *maps, "--stat", stat, *words)
            judge.equal(f"{n} compare", (status, out), (3, "") if want is None else (0, form(want)))


def main():
    judge = Judge()
    for n in range(N):
        with tempfile.TemporaryDirectory() as top:
            trial(random.Random(f"{SEED} {n}"), judge, n, top)
    print(f"{judge.passed} passed, {judge.failed} failed")
    return judge.failed > 0 or not judge.passed


if __name__ == "__main__":
    sys.exit(main())
