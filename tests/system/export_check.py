#!/usr/bin/env python3
"""smilog export against what may go wrong: export_check.py [KILLS]

kill    SQLite: killed at random instants, then run to its end: what is stored is what one undisturbed export stores
space   a disk that fills up: status 4, a sentence that names the file; the next export with room finishes
back    samples as JSON and CSV, read again, give the same metrics
prometheus   promtool takes the history in, and a real Prometheus gives every sample back
"""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from lib import ROOT, SWEEP, Prometheus, check, end, equal, finish, folder, read, smilog, start, summaries, tmpfs, words


def export(logs, to, *more):
    return smilog("export", "-q", logs, "--to", to, *more)


def exported(what, *args):
    """An export that has to succeed."""
    r = export(*args)
    check(f"{what}: the export ends with 0", r.returncode == 0, r.stderr)


def stored(db):
    """All that is in the file, whatever the order in which it came."""
    d = sqlite3.connect(db)
    equal(f"{db} is whole", d.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    equal(f"{db} has no open keys", d.execute("PRAGMA foreign_key_check").fetchall(), [])
    names = dict(d.execute("SELECT id, place || '/' || leaf FROM runs"))
    tables = {}
    for t in "runs", "params", "gpus", "inputs", "samples", "marks", "summaries":
        columns = [c[1] for c in d.execute(f"PRAGMA table_info({t})")]
        order = sorted(columns)
        run = order.index("id" if t == "runs" else "run")
        rows = [list(r) for r in d.execute(f"SELECT {','.join(chr(34) + c + chr(34) for c in order)} FROM {t}")]
        for r in rows:
            r[run] = names[r[run]]
        tables[t] = order, sorted(map(repr, rows))
    d.close()
    return tables


def copy(top, share):
    """The sweep with the first `share` of the lines of each log."""
    for path, _, files in os.walk(SWEEP):
        to = os.path.join(top, os.path.relpath(path, SWEEP))
        os.makedirs(to, exist_ok=True)
        for f in files:
            lines = open(os.path.join(path, f), "rb").readlines()
            with open(os.path.join(to, f), "wb") as out:
                out.writelines(lines[: max(2, int(len(lines) * share))])


def kill(kills):
    rnd = random.Random(1)
    with folder() as top:
        logs, db = os.path.join(top, "logs"), os.path.join(top, "runs.db")
        killed = begun = 0
        copy(logs, 1)
        exported("kill", logs, "sqlite:" + db)
        want = stored(db)
        began = time.monotonic()
        while killed < kills:
            for f in os.listdir(top):
                if f.startswith("runs.db"):
                    os.unlink(os.path.join(top, f))
            shutil.rmtree(logs)
            if killed % 2:  # something is stored already
                copy(logs, 0.5)
                exported("kill", logs, "sqlite:" + db)
            copy(logs, 1)
            for _ in range(3):  # and again while it recovers
                p = start("export", "-q", logs, "--to", "sqlite:" + db)
                time.sleep(rnd.random() * 0.12)
                killed += end(p, signal.SIGKILL) == -signal.SIGKILL
                begun += 1
            exported("kill", logs, "sqlite:" + db)
            got = stored(db)
            for t in want:
                check(f"kill: {t} as without kills", got[t] == want[t], (len(got[t][1]), len(want[t][1])))
        rows = len(want["samples"][1])
        print(f"kill: {killed} of {begun} exports killed, {rows} samples each time, none lost, none twice "
              f"({time.monotonic() - began:.0f} s)")


def space():
    with folder() as disk, folder() as other, tmpfs(disk, "1m") as mounted:
        if not mounted:
            print("space: skipped, a tmpfs cannot be mounted here")
            return
        targets = ("sqlite:{}/runs.db", "jsonl:{}/s.jsonl")
        for to in targets:
            r = export(SWEEP, to.format(disk))
            check("space: status 4 and the name of the file", r.returncode == 4 and to.format(disk).split(":")[1] in r.stderr, r)
            print(f"space: {r.stderr.strip().replace(disk, 'DIR')}")
        check("space: nothing is left of the JSONL", not os.path.exists(disk + "/s.jsonl"))
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        for to in targets:
            for where in disk, other:
                exported("with room", SWEEP, to.format(where))
        equal("with room: the same tables", stored(disk + "/runs.db"), stored(other + "/runs.db"))
        check("with room: the same lines", read(disk + "/s.jsonl") == read(other + "/s.jsonl"))


def prometheus():
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        print("prometheus: skipped, it is not installed")
        return
    with folder() as top:
        om = os.path.join(top, "om.txt")
        exported("prometheus", SWEEP, "openmetrics:" + om)
        r = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", om, top + "/data"], capture_output=True,
                           text=True, check=False)
        check("prometheus: promtool takes it in", r.returncode == 0, r.stderr)
        p = Prometheus(top, "global: {}\n", "--storage.tsdb.retention.time=100y")
        lines = [text.rsplit(" ", 2) for text in read(om).splitlines() if not text.startswith("#")]
        last = max(float(text[2]) for text in lines)
        for name in sorted({text[0].split("{")[0] for text in lines}):
            n = sum(text[0].split("{")[0] == name for text in lines)
            total = p.query(f"sum(count_over_time({name}[30d]))", time=last)
            equal(f"prometheus: samples of {name}", total and int(total[0]["value"][1]), n)
        some = random.Random(2).sample(lines, 300)
        for series, value, t in some:
            got = [(v[0], float(v[1])) for r in p.query(series + "[1ms]", time=t) for v in r["values"]]
            equal(f"prometheus: {series} at {t}", got, [(float(t), float(value))])
        p.close()
        print(f"prometheus: {len(lines)} samples of {len({text[0] for text in lines})} series imported, "
              f"{len(some)} of them asked for")


STATISTICS = "count mean min max stddev p1 p5 p25 p50 p75 p95 p99 first last increase".split()
OTHERS = "energy_wh", "idle_pct", "covered_s", "gpu_hours", "longest_idle_s"


def metrics(run):
    of = {(g["gpu"], g["uuid"], k): m for g in run["gpus"] for k, m in g["metrics"].items()}
    of.update({("host", None, k): m for k, m in run["host"]["metrics"].items()})
    return {k: [m.get(s) for s in STATISTICS] for k, m in of.items()}


def phases(run):
    return [(p["name"], p["count"], p["seconds"], p["energy_wh"]) for p in run["phases"]]


def back(*paths):
    """Samples written as JSONL and CSV and read again."""
    for path in filter(os.path.isdir, paths):
        for run in summaries(path):
            for kind in "jsonl", "csv":
                with folder() as top:
                    file, where = os.path.join(top, "samples." + kind), f"back: {path}, {run['run']}, {kind}"
                    name = run["run"].replace("'", "''")
                    exported(where, path, f"{kind}:{file}", "--where", f"run = '{name}'")
                    again, want = summaries(file), metrics(run)
                    if not want and not again:
                        continue
                    equal(f"{where}: metrics", metrics(again[0]), want)
                    equal(f"{where}: sums", [again[0][k] for k in OTHERS], [run[k] for k in OTHERS])
                    if kind == "jsonl":
                        equal(f"{where}: phases", phases(again[0]), phases(run))
                        equal(f"{where}: state", again[0]["state"], run["state"])


kill(words(12))
space()
prometheus()
back(str(ROOT / "tests/fixtures"), str(ROOT.parent / "shared/corpus"))
sys.exit(finish())
