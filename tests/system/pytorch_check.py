#!/usr/bin/python3
"""pytorch_check.py [--logs N] [--made N] [--seed S] [--clickhouse]: smilog export --to pytorch:DIR held against a slow
restatement of what PyTorch CI's own Python makes of the same bytes.

--logs N    random usage_log.txt: unpacked, the documents have to be the same JSON values (0 to 9 GPUs,
            integers and floats, missing and unknown keys, wrong types, errors); each third is read out of a
            zip, each third from standard input
--made N    random runs of nvidia-smi and CPU logs: the usage_log.txt that is made has to hold the same JSON values, and
            so have the documents of it. Then a log is made of its own means and maxima
--clickhouse    all documents go into the two tables of a real ClickHouse 18.16 (two shards, 127.0.0.1 and 127.0.0.2,
            that run), in a database of their own, and come back as they were
Prints "N passed, M failed". $SMILOG is the program."""
import argparse
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request
import zipfile

import lib
from lib import SMILOG, finish, folder

GAP = 60


def check(what, got, want):
    if got != want and isinstance(got, str) and isinstance(want, str):  # where they begin to differ
        i = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
        got, want = (t[max(0, i - 80):i + 120] for t in (got, want))
    if got != want and isinstance(got, list) and isinstance(want, list) and len(got) == len(want): # the first ones
        got, want = next((g, w) for g, w in zip(got, want) if g != w)
    return lib.equal(what, got, want)


# ---- what the uploader makes of a log ----

def parse(line):
    """json.loads, but for what is deeper than smilog reads."""
    try:
        return json.loads(line.decode())
    except (ValueError, RecursionError):
        return None


def whole(v):
    return type(v) is int and len(str(abs(v))) <= 18


STATS = {"avg": float, "max": float, "raw": [float]}
GPU = {"uuid": str, "util_percent": STATS, "mem_util_percent": STATS, "allocated_mem_percent": STATS,
       "allocated_mem_value": STATS, "total_mem_value": float}
DATA = {"cpu": STATS, "memory": STATS, "gpu_usage": [GPU]}


def decoded(of, v):
    """A value as the uploader's dataclasses hold it: of is float, str, a class, or a list of one of these."""
    if of is float and type(v) in (int, float):
        return float(v)
    if of is str and isinstance(v, str):
        return v
    if isinstance(of, list) and isinstance(v, list):
        return [decoded(of[0], x) for x in v]
    if isinstance(of, dict) and isinstance(v, dict):
        return {k: None if v.get(k) is None else decoded(f, v[k]) for k, f in of.items()}
    raise TypeError(f"{v!r} for {of}")


def rounded_up(text):
    lines = text.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def documents(log, job):
    """(metadata document, time series documents), or None: nothing is uploaded."""
    lines = rounded_up(log)
    first = parse(lines[0]) if lines else None
    if len(lines) < 2 or not isinstance(first, dict) or first.get("level") != "metadata":
        return None
    if type(first.get("data_model_version")) is not float or first["data_model_version"] != 1.5:
        return None
    records = []
    for line in lines[1:]:
        r = parse(line)
        if not isinstance(r, dict) or r.get("level") != "record" or not whole(r.get("timestamp")):
            continue
        try:
            r["data"] = None if r.get("data") is None else decoded(DATA, r["data"])
        except (TypeError, OverflowError):
            continue
        if not r.get("error"):
            records.append(r)
    if not records:
        return None
    seen = {}
    for r in records:
        for command in r.get("cmd_names") or []:
            if command.startswith("python"):
                seen.setdefault(command, []).append(r["timestamp"])
    segments = []
    for command, times in seen.items():
        times.sort()
        start = last = times[0]
        for t in times[1:] + [None]:
            if t is None or t - last > GAP:
                segments.append({"level": "CMD_PYTHON", "name": command, "start_at": start, "end_at": last,
                                 "extra_info": {}})
                start = t
            last = t
    about = {"repo": job["repo"], "workflow_id": job["workflow_id"], "run_attempt": job["run_attempt"],
             "job_id": job["job_id"], "workflow_name": job["workflow_name"], "job_name": job["job_name"]}
    metadata = {"created_at": job["created_at"], **about, "usage_collect_interval": float(first["usage_collect_interval"]),
                "data_model_version": "1.5", "gpu_count": first.get("gpu_count") or 0,
                "cpu_count": first.get("cpu_count") or 0, "gpu_type": first.get("gpu_type") or "",
                "start_at": first["start_at"], "end_at": max(r["timestamp"] for r in records), "segments": segments,
                "tags": []}
    series = [{"created_at": job["created_at"], "type": "utilization", "tags": ["record"],
               "time_stamp": r["timestamp"], **about, "json_data": json.dumps(r["data"]) if r["data"] else "{}"}
              for r in records]
    return metadata, series


def plain(v):
    """A value that can be compared: NaN equals itself, zero has no sign, and what is JSON in a text is read."""
    if isinstance(v, dict):
        return {k: plain(json.loads(x)) if k in ("json_data", "segments_json") else plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    return "NaN" if v != v else 0.0 if v == 0 and isinstance(v, float) else v


def values(text):
    return [plain(json.loads(line)) for line in text.split("\n") if line]


def body(docs):
    return "".join(json.dumps(d) + "\n" for d in docs)


# ---- random logs ----

WORDS = ["pull", "linux / test (default, 1, 5, linux.4xlarge)", "", "a\"b\\c", "\u00e9\u4e2d\u6587",
         "\U0001f600 x", "\u202e\u200b", "tab\there", "del\x7f", "nul\x00nul", "\x01dcff", "\ud800", "\udcff\udc80",
         "</script>", "'; --", "{\"level\": \"record\"}"]
COMMANDS = ["python test/run_test.py --shard 1 5", "python3 -m pytest -v", "/opt/conda/bin/python -m pytest", "python",
            "pythonista", "pytest", "bash -c python", "Python x", " python x"]


def some_text(r):
    if r.random() < 0.7:
        return r.choice(WORDS)
    return "".join(chr(r.choice([r.randrange(32, 127), r.randrange(1, 0xD800), r.randrange(0xE000, 0x20000)]))
                   for _ in range(5))


def command(r):
    return r.choice(COMMANDS) if r.random() < 0.7 else r.choice(["python ", "pytest ", ""]) + some_text(r)


def number(r):
    kind = r.randrange(9)
    if kind == 0:
        return r.choice(["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "0.0", "-0.0", "-0", "5e-324", "1E+2",
                         "123456789012345678901234567890", "9223372036854775807", "9223372036854775808",
                         "-9223372036854775809", "1e16", "1e-5", "0.1000000000000000055511151231257827",
                         "99999999999999999999.5", "1.7976931348623157e308", "1" + "0" * 400 + ".5"])
    if kind < 4:
        return str(r.randrange(101))
    if kind == 4:
        return repr(r.random() * 10 ** r.randrange(-12, 18))
    return repr(round(r.random() * 100, r.randrange(1, 8)))


def stats(r):
    if r.random() < 0.1:
        return {"avg": None, "max": None, "raw": None}
    return {"avg": Raw(number(r)), "max": Raw(number(r)), "raw": [Raw(number(r)) for _ in range(r.randrange(7))]}


class Raw:
    """A number as it stands in the text."""
    def __init__(self, text):
        self.text = text


def dump(r, v, loose):
    """JSON as somebody might write it: blanks anywhere, escapes or not."""
    pad = (lambda: r.choice(["", " ", "  ", "\t"])) if loose else (lambda: "")
    if isinstance(v, Raw):
        return v.text
    if isinstance(v, dict):
        return "{" + ("," + (pad() or " ")).join(pad() + dump(r, k, loose) + pad() + ": " + dump(r, x, loose) + pad()
                                                 for k, x in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ", ".join(pad() + dump(r, x, loose) + pad() for x in v) + "]"
    if isinstance(v, str) and loose and r.random() < 0.5:
        return json.dumps(v) if any(0xD800 <= ord(c) < 0xE000 for c in v) else json.dumps(v, ensure_ascii=False)
    return json.dumps(v)


def data(r, uuids):
    if r.random() < 0.12:
        return None
    d = {"cpu": stats(r), "memory": stats(r), "gpu_usage": None}
    if uuids and r.random() < 0.8:
        d["gpu_usage"] = [{"uuid": u, **{k: stats(r) for k in ("util_percent", "mem_util_percent",
                                                               "allocated_mem_percent", "allocated_mem_value")},
                           "total_mem_value": Raw(number(r))} for u in uuids]
    if r.random() < 0.1:
        d[some_text(r)] = {some_text(r): [True, False, None, [], {}, some_text(r)]}
    if r.random() < 0.2:
        spoil(r, r.choice([d, d["cpu"], *(d["gpu_usage"] or [])]))
    return d


def spoil(r, d):
    """A key that is not there, has another place, belongs to nothing, or has a value of another type."""
    key = r.choice(list(d))
    how = r.randrange(5)
    if how == 0:
        del d[key]
    elif how == 1:
        d[key] = d.pop(key)
    elif how == 2:
        d["extra"] = Raw(number(r))
    elif how == 3:
        d.clear()
    else:
        d[key] = r.choice([None, [], {}, True, "5", [None], [{}], Raw(number(r))])


def noise(r):
    return r.choice([b"here log", b"", b"Traceback (most recent call last):", b"  File \"x.py\", line 1", b"{", b"[]",
                     b"5", b"null", b"{\"level\": \"record\"}", b"{\"level\": \"record\", \"timestamp\": 5.5}",
                     b"{\"level\": \"record\", \"timestamp\": true}", b"{\"level\": \"record\", \"timestamp\": \"5\"}",
                     b"{\"level\": \"x\", \"timestamp\": 5}", b"\xff\xfe\x01", b"{\"a\": \"\xc3\"}", b"\x0c", b"NaN",
                     b"{\"level\": \"record\", \"timestamp\": 5, \"data\": []}", b"{NaN: 1}", b"\r",
                     b"{\"level\": \"record\", \"timestamp\": 5, \"timestamp\": null}"])


def duplicated(text):
    """The same object with keys given twice: the last one counts, in the place of the first."""
    return "{\"timestamp\": 1, \"data\": {\"x\": 1}, " + text[1:]


def random_log(r):
    start = r.randrange(1500000000, 1780000000)  # no time of the future: it would be rejected
    meta = {"level": "metadata", "workflow_id": str(r.randrange(1, 1 << 40)), "job_id": str(r.randrange(1, 1 << 40)),
            "workflow_name": some_text(r), "job_name": some_text(r),
            "usage_collect_interval": Raw(r.choice(["1", "1.0", "0.5", "2"])),
            "data_model_version": Raw(r.choice(["1.5"] * 12 + ["1.50", "15e-1", "1.0", "1", "\"1.5\"", "null"])),
            "start_at": start, "gpu_count": r.choice([None, 0, 1, 8]), "cpu_count": r.choice([None, 16]),
            "gpu_type": r.choice([None, "", "pynvml", "amdsmi"]), "error": r.choice([None, None, "x"])}
    if r.random() < 0.1:
        meta.pop(r.choice(["gpu_count", "cpu_count", "gpu_type", "error"]))
    lines = [dump(r, meta, r.random() < 0.3).encode()]
    uuids = [f"GPU-{i:08x}-2222-3333-4444-555555555555" for i in range(r.randrange(9))]
    if r.random() < 0.2:
        uuids.append(some_text(r))
    pool = [command(r) for _ in range(r.randrange(1, 6))]
    t = start
    for _ in range(r.choice([0, 1, 3, 30, 60])):
        t += r.choice([5, 5, 5, 5, 6, 60, 61, 59, 0, -3, 600])
        rec = {"level": "record", "timestamp": t, "data": data(r, uuids),
               "cmd_names": r.choice([None, [], r.sample(pool, r.randrange(len(pool) + 1)), pool]),
               "error": r.choice([None] * 8 + ["", False, 0, "no data: ['x']", "\u00e9", ["x"], [], {}, 1]),
               "log_duration": "0.44 ms", "logs": []}
        if r.random() < 0.1:
            rec.pop(r.choice(["data", "cmd_names", "error", "logs"]))
        text = dump(r, rec, r.random() < 0.2)
        lines.append((duplicated(text) if r.random() < 0.05 else text).encode() + r.choice([b"", b"", b" ", b"\r"]))
        if r.random() < 0.15:
            lines.append(noise(r))
    log = b"\n".join(lines) + r.choice([b"\n", b"\n", b""])
    job = {"created_at": r.randrange(1 << 32), "repo": r.choice(["pytorch/pytorch", "x/y.z_w-1"]),
           "workflow_id": r.choice([1, 13310346522, (1 << 64) - 1]), "run_attempt": r.choice([1, 2, (1 << 32) - 1]),
           "job_id": r.randrange(1 << 64), "workflow_name": r.choice([w for w in WORDS if fits(w)]),
           "job_name": r.choice([w for w in WORDS if fits(w)]), "debug": r.random() < 0.3}
    return log, job


def fits(word):
    """Can it be typed?"""
    return "\0" not in word and not any(0xD800 <= ord(c) < 0xE000 for c in word)


# ---- smilog ----

def options(job):
    words = ["--created-at", str(job["created_at"]), "--repo", job["repo"],
             "--workflow-run-id", str(job["workflow_id"]), "--run-attempt", str(job["run_attempt"]),
             "--job-id", str(job["job_id"]),
             f"--workflow-name={job['workflow_name']}", f"--job-name={job['job_name']}"]
    return words + (["--debug"] if job.get("debug") else [])


def export(path, to, job, *more, stdin=None):
    return subprocess.run([SMILOG, "export", path, "--to", f"pytorch:{to}", *options(job), *more], input=stdin,
                          capture_output=True, check=False)


def place(to, job, collection, name):
    debug = "debug_" if job.get("debug") and collection != "usage_log" else ""
    return os.path.join(to, debug + collection, "v_1.5", job["repo"], str(job["workflow_id"]), str(job["run_attempt"]),
                        str(job["job_id"]), name)


def files(directory):
    return sorted(os.path.relpath(os.path.join(d, f), directory) for d, _, names in os.walk(directory) for f in names)


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as f:
        return f.read()


def check_documents(what, to, job, want, extra=()):
    """Are the files in `to` those of the documents, and nothing else?"""
    if want is None:
        return check(what + ": nothing is written", files(to) if os.path.exists(to) else [], [])
    paths = [place(to, job, "util_metadata", "metadata"), place(to, job, "util_timeseries", "time_series")]
    ok = check(what + ": files", files(to), sorted([os.path.relpath(p, to) for p in paths] + list(extra)))
    return ok and check(what + ": metadata", values(read(paths[0])), plain([want[0]])) and \
        check(what + ": time series", values(read(paths[1])), plain(want[1]))


def one_log(r, i, work, shelf):
    log, job = random_log(r)
    want = documents(log, job)
    to, path = os.path.join(work, "out"), os.path.join(work, "usage_log.txt")
    shutil.rmtree(to, ignore_errors=True)
    how = i % 3
    if how == 1:
        path = os.path.join(work, "logs.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("usage_log.txt", log)
    else:
        with open(path, "wb") as f:
            f.write(log)
    done = export("-", to, job, stdin=log) if how == 2 else export(path, to, job)
    ok = check_documents(f"log {i} ({('file', 'zip', 'stdin')[how]}): {done.stderr[-300:]!r}", to, job, want)
    if not ok and lib.counts[False] <= 20:
        with open(f"/tmp/pytorch-check-{i}.txt", "wb") as f:
            f.write(log)
    if want is None:
        check(f"log {i}: status", done.returncode, 3)
    else:
        check(f"log {i}: status {done.stderr[-300:]!r}", done.returncode, 0)
        shelf.append((job, want))


# ---- what the monitor makes of samples ----

def python_sum(values):
    total = 0
    for v in values: # 3.12 adds in another way
        total = total + v
    return total


def statistics(values):
    if not values:
        return {"avg": None, "max": None, "raw": None}
    return {"avg": round(python_sum(values) / len(values), 2), "max": round(max(values), 2), "raw": values}


def made_log(job, run):
    """The log of samples: (t in ms, who, key, value), who None for the host, in the order of the log that has them."""
    start = min(t for t, *_ in run["samples"]) // 1000
    interval = run["interval"]
    last = max(t for t, *_ in run["samples"])
    meta = {"level": "metadata", "workflow_id": str(job["workflow_id"]), "job_id": str(job["job_id"]),
            "workflow_name": job["workflow_name"], "job_name": job["job_name"],
            "usage_collect_interval": run["collect"], "data_model_version": 1.5, "start_at": start,
            "gpu_count": len(run["uuids"]), "cpu_count": None, "gpu_type": "pynvml" if run["uuids"] else "",
            "error": None}
    lines = [meta]
    total = {}
    for k in range(max(0, (last - start * 1000 - 1) // (interval * 1000)) + 1):
        lo, hi = (start + k * interval) * 1000, (start + (k + 1) * interval) * 1000
        inside = sorted((s for s in run["samples"] if lo < s[0] <= hi or (k == 0 and s[0] == lo)), key=lambda s: s[0])
        rec = {"level": "record", "timestamp": start + (k + 1) * interval, "data": None, "cmd_names": None,
               "error": None, "log_duration": "0.00 ms", "logs": []}
        if inside:
            def of(who, key):
                return [v for _, w, n, v in inside if w == who and n == key]
            rec["data"] = {"cpu": statistics(of(None, "cpu")), "memory": statistics(of(None, "memory")),
                           "gpu_usage": [] if run["uuids"] else None}
            rec["cmd_names"] = []
            for g, uuid in enumerate(run["uuids"]):
                for v in of(g, "total"):
                    total[g] = v
                used = of(g, "used")
                rec["data"]["gpu_usage"].append({
                    "uuid": uuid, "util_percent": statistics(of(g, "util")),
                    "mem_util_percent": statistics(of(g, "mem")),
                    "allocated_mem_percent": statistics([u / total[g] * 100 for u in used] if total.get(g) else []),
                    "allocated_mem_value": statistics(used), "total_mem_value": total.get(g)})
        lines.append(rec)
    return "".join(json.dumps(x) + "\n" for x in lines)


def stamp(t, form):
    from datetime import datetime, timezone
    d = datetime.fromtimestamp(t // 1000, timezone.utc)
    return d.strftime(form) + f".{t % 1000:03d}"


def random_run(r, directory):
    """nvidia-smi query CSV and CPU CSV of one machine, and the samples that they hold."""
    os.makedirs(directory)
    gpus = r.choice([0, 1, 2, 8])
    uuids = [f"GPU-{i:08x}-0000-0000-0000-000000000000" for i in range(gpus)]
    step = r.choice([500, 1000, 2000])
    begin = r.randrange(1500000000000, 1700000000000)
    samples, at = [], begin
    rows = r.choice([1, 5, 40, 200])
    if gpus:
        with open(os.path.join(directory, "hw_metrics.csv"), "w", encoding="ascii") as f:
            f.write("timestamp, index, uuid, utilization.gpu [%], utilization.memory [%], memory.used [MiB], "
                    "memory.total [MiB]\n")
            for _ in range(rows):
                for g, uuid in enumerate(uuids):
                    values = [r.randrange(101), r.randrange(101), r.randrange(81560), 81559]
                    f.write(f"{stamp(at, '%Y/%m/%d %H:%M:%S')}, {g}, {uuid}, " + ", ".join(map(str, values)) + "\n")
                    samples += [(at, g, "util", values[0]), (at, g, "mem", values[1]),
                                (at, g, "used", float(values[2])), (at, g, "total", float(values[3]))]
                at += step if r.random() < 0.95 else r.choice([step * 7, 5000, 10000, 31000])
    at = begin + r.choice([0, 137, -400])
    if not gpus or r.random() < 0.8:
        whole_host = r.random() < 0.5
        with open(os.path.join(directory, "cpu_metrics.csv"), "w", encoding="ascii") as f:
            f.write("timestamp,usr_pct,idle_pct" + (",cpu_pct,cpu_iowait_pct,ram_pct" if whole_host else "") + "\n")
            for _ in range(rows):
                idle = r.randrange(1001)
                line = f"{stamp(at, '%Y-%m-%dT%H:%M:%S')}+00:00,{r.randrange(100) / 10},{idle / 10}"
                if whole_host:
                    cpu, ram = r.randrange(1001) / 10, r.randrange(1001) / 10
                    line += f",{cpu},0.1,{ram}"
                    samples += [(at, None, "cpu", cpu), (at, None, "memory", ram)]
                else:
                    samples.append((at, None, "cpu", (1000 - idle) / 10))
                f.write(line + "\n")
                at += step
    return {"uuids": uuids, "samples": samples, "interval": r.choice([5, 5, 1, 30]), "step": step}


def one_made(r, i, work, shelf):
    directory, to = os.path.join(work, "run"), os.path.join(work, "out")
    shutil.rmtree(directory, ignore_errors=True)
    shutil.rmtree(to, ignore_errors=True)
    run = random_run(r, directory)
    _, job = random_log(r)
    job["debug"] = False
    done = export(directory, to, job, "--tz", "UTC", "--log-interval", str(run["interval"]))
    path = place(to, job, "usage_log", "usage_log.txt")
    if not check(f"made {i}: status {done.stderr[-300:]!r}", done.returncode, 0):
        return
    with open(path, encoding="utf-8", newline="\n") as f:
        got = f.read()
    run["collect"] = json.loads(got.split("\n")[0])["usage_collect_interval"] # smilog's own median: tested elsewhere
    check(f"made {i}: usage_log.txt", values(got), values(made_log(job, run)))
    want = documents(got.encode(), job)
    check_documents(f"made {i}", to, job, want, [os.path.relpath(path, to)])
    shelf.append((job, want))
    again = os.path.join(work, "again")
    shutil.rmtree(again, ignore_errors=True)
    done = export(path, again, job, "--log-interval", str(run["interval"]))
    with open(place(again, job, "usage_log", "usage_log.txt"), encoding="utf-8", newline="\n") as f:
        check(f"made {i}: there and back {done.stderr[-300:]!r}", remade(f.read()), remade(got, True))


def remade(log, again=False):
    """What a log says without its commands; again: if it is made of its own means and maxima."""
    lines = values(log)
    for line in lines[1:]:
        line["cmd_names"] = None
        d = line["data"] or {}
        for one in [d, *(d.get("gpu_usage") or [])] if again else []:
            for key, v in one.items():
                if isinstance(v, dict) and v["raw"]:
                    most = v["avg"] if key == "allocated_mem_percent" else round(max(v["avg"], v["max"]), 2)
                    one[key] = {"avg": v["avg"], "max": most, "raw": [v["avg"]]}
    return lines


# ---- a log, its readings, and the log again ----

def one_round(r, i, work):
    """A log as the monitor writes it, one record in five seconds, nothing finer than a millionth."""
    start = r.randrange(1500000000, 1780000000)  # no time of the future: it would be rejected
    uuids = [f"GPU-{g}" for g in range(r.choice([0, 1, 4]))]
    meta = {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "w", "job_name": "j",
            "usage_collect_interval": 1.0, "data_model_version": 1.5, "start_at": start, "gpu_count": len(uuids),
            "cpu_count": r.choice([None, 16]), "gpu_type": "amdsmi" if uuids else "", "error": None}
    lines, n = [meta], r.randrange(2, 40)
    for k in range(n):
        d = None
        if r.random() < 0.8 or k == n - 1:
            samples = r.randrange(1, 7)

            def floats():
                return statistics([round(r.random() * 100, r.randrange(1, 7)) for _ in range(samples)])

            def ints():
                return statistics([r.randrange(101) for _ in range(samples)])
            d = {"cpu": floats(), "memory": floats(), "gpu_usage": None if not uuids else [
                {"uuid": u, "util_percent": ints(), "mem_util_percent": ints(), "allocated_mem_percent": floats(),
                 "allocated_mem_value": floats(), "total_mem_value": 81559.0} for u in uuids]}
        lines.append({"level": "record", "timestamp": start + 5 * (k + 1), "data": d,
                      "cmd_names": None if d is None else sorted(c for c in {command(r) for _ in range(r.randrange(4))} if fits(c)),
                      "error": None, "log_duration": "0.00 ms", "logs": []})
    text = "".join(json.dumps(x) + "\n" for x in lines)
    path, to = os.path.join(work, "usage_log.txt"), os.path.join(work, "out")
    shutil.rmtree(to, ignore_errors=True)
    with open(path, "w", encoding="ascii", newline="\n") as f:
        f.write(text)
    job = {"created_at": 1, "repo": "a/b", "workflow_id": 1, "run_attempt": 1, "job_id": 2, "workflow_name": "w",
           "job_name": "j"}
    done = export(path, to, job, "--log-interval", "5")
    if check(f"round {i}: status {done.stderr[-300:]!r}", done.returncode, 0):
        with open(place(to, job, "usage_log", "usage_log.txt"), encoding="utf-8", newline="\n") as f:
            check(f"round {i}", remade(f.read()), remade(text, True))


# ---- ClickHouse ----

HOSTS = "127.0.0.1", "127.0.0.2"
SECONDS = "created_at", "start_at", "end_at", "time_stamp"
ABOUT = ("repo String DEFAULT 'pytorch/pytorch', workflow_id UInt64, run_attempt UInt32, job_id UInt64, "
         "workflow_name String, job_name String, ")
TABLES = {
    "oss_ci_utilization_metadata": (
        "created_at DateTime('UTC'), " + ABOUT + "usage_collect_interval Float32, data_model_version String, "
        "gpu_count UInt32, cpu_count UInt32, gpu_type String DEFAULT 'None', start_at DateTime('UTC'), "
        "end_at DateTime('UTC'), segments_json String DEFAULT '[]', tags Array(String)", "start_at"),
    "oss_ci_time_series": (
        "created_at DateTime('UTC'), type String, tags Array(String), time_stamp DateTime('UTC'), " + ABOUT +
        "json_data String", "type, time_stamp")}


def query(host, sql, data=b"", **settings):
    url = f"http://{host}:8123/?" + urllib.parse.urlencode({"query": sql, **settings})
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data or b" "), timeout=120) as f:
            return f.read()
    except urllib.error.HTTPError as e:
        raise SystemExit(f"ClickHouse: {sql[:80]}: {e.read()[:400]!r}") from e


def in_clickhouse(shelf):
    """The documents of the shelf through both tables and back. 18.16 knows neither DateTime64 nor a list of tuples with
    a map: seconds are DateTime, and segments one string. It is asked at 127.0.0.1 alone: the other server takes all of
    127.0.0.0/8 for itself."""
    db = f"pytorch_check_{os.getpid()}"
    for host in HOSTS:
        query(host, f"CREATE DATABASE {db}")
        for table, (columns, last) in TABLES.items():
            query(host, f"CREATE TABLE {db}.{table}_local ({columns}) ENGINE = MergeTree PARTITION BY tuple() "
                        f"ORDER BY (workflow_id, job_id, repo, workflow_name, job_name, {last})")
            query(host, f"CREATE TABLE {db}.{table} AS {db}.{table}_local ENGINE = Distributed(smilog, {db}, "
                        f"{table}_local, job_id)")
    try:
        for number, (job, (metadata, series)) in enumerate(shelf):
            one = {**metadata, "segments_json": json.dumps(metadata["segments"])}
            del one["segments"] # whose halves of pairs are text of a string now
            for table, docs in (("oss_ci_utilization_metadata", [one]), ("oss_ci_time_series", series)):
                query(HOSTS[0], f"INSERT INTO {db}.{table} FORMAT JSONEachRow", body(docs).encode(),
                      insert_distributed_sync=1)
                where = f"job_id = {job['job_id']} AND workflow_id = {job['workflow_id']}"
                columns = ", ".join(f"toUInt32({k}) AS {k}" if k in SECONDS else k for k in docs[0])
                back = query(HOSTS[0], f"SELECT {columns} FROM {db}.{table} WHERE {where} FORMAT JSONEachRow",
                             output_format_json_quote_64bit_integers=0)
                got = sorted(json.dumps(json.loads(x)) for x in back.decode("utf-8", "surrogatepass").splitlines())
                check(f"ClickHouse, log {number}, {table}", "\n".join(got),
                      "\n".join(sorted(json.dumps(as_column(d)) for d in docs)))
    finally:
        for host in HOSTS:
            query(host, f"DROP DATABASE {db}")


def as_column(doc):
    """Seconds are 32 bits in DateTime."""
    return {k: v % (1 << 32) if k in SECONDS else
            int(v) if k == "usage_collect_interval" and v == int(v) else v for k, v in doc.items()}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--logs", type=int, default=20)
    p.add_argument("--made", type=int, default=10)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--clickhouse", action="store_true")
    a = p.parse_args()
    shelf = []
    with folder() as work:
        for i in range(a.logs):
            one_log(random.Random(f"{a.seed} log {i}"), i, work, shelf)
        for i in range(a.made):
            one_made(random.Random(f"{a.seed} made {i}"), i, work, shelf)
            one_round(random.Random(f"{a.seed} round {i}"), i, work)
    if a.clickhouse:
        in_clickhouse(shelf)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
