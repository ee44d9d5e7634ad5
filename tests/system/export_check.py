#!/usr/bin/env python3
"""smilog export against what may go wrong: export_check.py [KILLS]

kill    SQLite: killed at random instants, then run to its end: what is stored is what one undisturbed export stores
space   a disk that fills up: status 4, a sentence that names the file; the next export with room finishes
back    samples as JSON and CSV, read again, give the same metrics
prometheus   promtool takes the history in, and a real Prometheus gives every sample back
"""
import json, os, random, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, time
import urllib.parse, urllib.request

SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
SWEEP = os.path.abspath("tests/fixtures/sweep")


def export(logs, to, *more):
    return subprocess.run([SMILOG, "export", "-q", logs, "--to", to, *more], capture_output=True, text=True)


def stored(db):
    """All that is in the file, whatever the order in which it came."""
    d = sqlite3.connect(db)
    assert d.execute("PRAGMA integrity_check").fetchall() == [("ok",)], db
    assert d.execute("PRAGMA foreign_key_check").fetchall() == [], db
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
    with tempfile.TemporaryDirectory() as top:
        logs, db = os.path.join(top, "logs"), os.path.join(top, "runs.db")
        killed = begun = 0
        copy(logs, 1)
        assert export(logs, "sqlite:" + db).returncode == 0
        want = stored(db)
        began = time.monotonic()
        while killed < kills:
            for f in os.listdir(top):
                if f.startswith("runs.db"):
                    os.unlink(os.path.join(top, f))
            shutil.rmtree(logs)
            if killed % 2:  # something is stored already
                copy(logs, 0.5)
                assert export(logs, "sqlite:" + db).returncode == 0
            copy(logs, 1)
            for _ in range(3):  # and again while it recovers
                p = subprocess.Popen([SMILOG, "export", "-q", logs, "--to", "sqlite:" + db], stderr=subprocess.PIPE)
                time.sleep(rnd.random() * 0.12)
                p.send_signal(signal.SIGKILL)
                p.stderr.close()
                killed += p.wait() == -signal.SIGKILL
                begun += 1
            r = export(logs, "sqlite:" + db)
            assert r.returncode == 0, r.stderr
            got = stored(db)
            for t in want:
                assert got[t] == want[t], (t, len(got[t][1]), len(want[t][1]))
        rows = len(want["samples"][1])
        print(f"kill: {killed} of {begun} exports killed, {rows} samples each time, none lost, none twice "
              f"({time.monotonic() - began:.0f} s)")


def space():
    with tempfile.TemporaryDirectory() as top:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", top], capture_output=True).returncode:
            print("space: skipped, a tmpfs cannot be mounted here")
            return
        try:
            for to in "sqlite:" + top + "/runs.db", "jsonl:" + top + "/s.jsonl":
                r = export(SWEEP, to)
                name = to.split(":")[1]
                assert r.returncode == 4 and name in r.stderr, (to, r)
                print(f"space: {r.stderr.strip().replace(top, 'DIR')}")
                if to.startswith("jsonl"):
                    assert not os.path.exists(name), name
            subprocess.run(["mount", "-o", "remount,size=64m", top], check=True)
            with tempfile.TemporaryDirectory() as other:
                for to in "runs.db", "s.jsonl":
                    for where in top, other:
                        r = export(SWEEP, ("sqlite:" if to == "runs.db" else "jsonl:") + where + "/" + to)
                        assert r.returncode == 0, r
                assert stored(top + "/runs.db") == stored(other + "/runs.db")
                assert open(top + "/s.jsonl").read() == open(other + "/s.jsonl").read()
            print("space: with room, the next export finishes")
        finally:
            subprocess.run(["umount", top], check=True)


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as r:
        return json.load(r)


def ask(port, series, t):
    """Value of a series at its own time, as Prometheus has it."""
    got = get(port, "/api/v1/query?" + urllib.parse.urlencode({"query": series + "[1ms]", "time": t}))
    return [v for r in got["data"]["result"] for v in r["values"]]


def prometheus():
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        print("prometheus: skipped, it is not there")
        return
    with tempfile.TemporaryDirectory() as top:
        om, data, config = (os.path.join(top, f) for f in ("om.txt", "data", "p.yml"))
        r = export(SWEEP, "openmetrics:" + om)
        assert r.returncode == 0, r
        r = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", om, data], capture_output=True,
                           text=True)
        assert r.returncode == 0, r
        with open(config, "w") as f:
            f.write("global: {}\n")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        p = subprocess.Popen(["prometheus", "--config.file=" + config, "--storage.tsdb.path=" + data,
                              "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{port}"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=1)
                    break
                except OSError:
                    time.sleep(0.1)
            lines = [l.rstrip("\n").rsplit(" ", 2) for l in open(om) if not l.startswith("#")]
            end = max(float(l[2]) for l in lines)
            for name in sorted(set(l[0].split("{")[0] for l in lines)):
                n = sum(l[0].split("{")[0] == name for l in lines)
                total = get(port, "/api/v1/query?" + urllib.parse.urlencode(
                    {"query": f"sum(count_over_time({name}[30d]))", "time": end}))
                assert int(total["data"]["result"][0]["value"][1]) == n, (name, total, n)
            some = random.Random(2).sample(lines, 300)
            for series, value, t in some:
                got = ask(port, series, t)
                assert len(got) == 1 and got[0][0] == float(t) and float(got[0][1]) == float(value), (series, got)
        finally:
            p.terminate()
            p.wait()
        print(f"prometheus: {len(lines)} samples of {len(set(l[0] for l in lines))} series imported, "
              f"{len(some)} of them asked for, each as it was")


STATISTICS = "count mean min max stddev p1 p5 p25 p50 p75 p95 p99 first last increase".split()
OTHERS = "energy_wh", "idle_pct", "covered_s", "gpu_hours", "longest_idle_s"


def summaries(*paths):
    r = subprocess.run([SMILOG, "summarize", "-q", "--json", *paths], capture_output=True)
    return json.loads(r.stdout)["runs"] if r.stdout else []


def metrics(run):
    of = {(g["gpu"], g["uuid"], k): m for g in run["gpus"] for k, m in g["metrics"].items()}
    of.update({("host", None, k): m for k, m in run["host"]["metrics"].items()})
    return {k: [m.get(s) for s in STATISTICS] for k, m in of.items()}


def phases(run):
    return [(p["name"], p["count"], p["seconds"], p["energy_wh"]) for p in run["phases"]]


def back(*paths):
    runs = values = 0
    for path in paths:
        if not os.path.isdir(path):
            print(f"back: {path} is not there")
            continue
        for run in summaries(path):
            for kind in "jsonl", "csv":
                with tempfile.TemporaryDirectory() as top:
                    file = os.path.join(top, "samples." + kind)
                    name = run["run"].replace("'", "''")
                    r = export(path, f"{kind}:{file}", "--where", f"run = '{name}'")
                    assert r.returncode == 0, r
                    again = summaries(file)
                    want = metrics(run)
                    if not want and not again:
                        continue
                    runs += 1
                    values += len(want)
                    where = path, run["run"], kind
                    assert metrics(again[0]) == want, where
                    assert [again[0][k] for k in OTHERS] == [run[k] for k in OTHERS], where
                    if kind == "jsonl":
                        assert phases(again[0]) == phases(run), where
                        assert again[0]["state"] == run["state"], where
    print(f"back: {runs} exports read again, {values} metrics of them, all as they were")


def main():
    kill(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
    space()
    prometheus()
    back("tests/fixtures", "../shared/corpus")


if __name__ == "__main__":
    main()
