"""check.py [SEED [ROUND]]: random logs of a few GPUs; the rows that each export gives to a GPU have the mean and the
number that the summary has for it."""
import collections
import csv
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

ROUNDS = 12
COLUMNS = {"uuid": "uuid", "bus": "pci.bus_id", "serial": "serial", "index": "index"}


def smilog(*args):
    done = subprocess.run(["smilog", *args], capture_output=True, text=True, timeout=100)
    if done.returncode not in (0, 1):
        sys.exit(f"smilog {args}: status {done.returncode}\n{done.stderr}" + "".join(open(a).read() for a in args if a.endswith(".csv") and os.path.exists(a)))
    return done.stdout


def any_case(draw, text):
    return draw.choice([str, str.upper, str.lower, lambda t: "".join(draw.choice((c.upper(), c.lower())) for c in t)])(text)


def spelled(draw, key, gpu):
    if key == "uuid":
        return any_case(draw, gpu["uuid"])
    if key == "bus":
        domain = draw.choice(("00000000:", "0000:", ""))
        return any_case(draw, domain + gpu["bus"])
    return gpu[key]


def make_gpus(draw):
    digits = "0123456789abcdef"
    n = draw.randint(1, 5)
    board = draw.random() < 0.2  # GPUs of one board share a serial
    gpus = [{"uuid": "GPU-" + "".join(draw.choices(digits, k=8)), "bus": f"{draw.choice('0ab')}{i:x}:00.0",
             "serial": "13210" if board else f"1321{i}", "index": str(i), "use": 10 * i + draw.randint(1, 9)}
            for i in range(n)]
    draw.shuffle(gpus)
    return gpus


def write_logs(draw, gpus, place):
    paths, at = [], 0
    for i in range(draw.randint(1, 5)):
        keys = draw.sample(sorted(COLUMNS), draw.randint(1, 4))
        mine = draw.sample(gpus, draw.randint(1, len(gpus)))
        at += 0 if draw.random() < 0.5 else 20  # logs at one time, or one after the other
        lines = ["timestamp, " + ", ".join([COLUMNS[k] for k in keys] + ["utilization.gpu [%]"])]
        for poll in range(draw.randint(1, 6)):
            draw.shuffle(mine)
            for k, gpu in enumerate(mine):
                use = (gpu["use"] + draw.choice((0, 0, 1))) % 100
                cells = [spelled(draw, key, gpu) for key in keys]
                stamp = f"2026/03/01 10:{at // 60:02}:{at % 60 + 2 * poll:02}.{100 * i + k:03}"
                lines.append(", ".join([stamp, *cells, f"{use} %"]))
        paths.append(os.path.join(place, f"{draw.randint(0, 99):02}-{i}.csv"))
        with open(paths[-1], "w") as f:
            f.write("\n".join(lines) + "\n")
    return paths


def add(counts, known, gpu, uuid, use):
    if use is not None and use != "":  # a GPU without an index gets a free number in an export
        c = counts[(str(gpu) if str(gpu) in known else "", uuid or "")]
        c[0] += 1
        c[1] += round(float(use))


def counted():
    return collections.defaultdict(lambda: [0, 0])


def of_summary(paths):
    counts = counted()
    for gpu in json.loads(smilog("summarize", "-q", "--json", "--run", "X", *paths))["runs"][0]["gpus"]:
        use = gpu["metrics"].get("gpu_util_pct")
        c = counts[(str(gpu["gpu"]) if gpu["gpu"] is not None else "", gpu["uuid"] or "")]
        c[0] += gpu["samples"]
        c[1] += round(use["mean"] * gpu["samples"])
    return dict(counts)


def of_csv(paths, known, place):
    counts = counted()
    for row in csv.DictReader(io.StringIO(smilog("export", "-q", "--run", "X", *paths, "--to", "csv:-"))):
        if row["device"] != "host":
            add(counts, known, row["gpu"], row["uuid"], row["gpu_util_pct"])
    return dict(counts)


def of_jsonl(paths, known, place):
    counts = counted()
    for line in smilog("export", "-q", "--run", "X", *paths, "--to", "jsonl:-").splitlines():
        row = json.loads(line)
        if "gpu_util_pct" in row:
            add(counts, known, row.get("gpu"), row.get("uuid"), row["gpu_util_pct"])
    return dict(counts)


def of_sqlite(paths, known, place):
    counts = counted()
    file = os.path.join(place, "x.db")
    smilog("export", "-q", "--run", "X", *paths, "--to", "sqlite:" + file)
    db = sqlite3.connect(file)
    for row in db.execute("SELECT g.idx, g.uuid, s.gpu_util_pct FROM samples s JOIN gpus g USING (run, gpu)"):
        add(counts, known, *row)
    db.close()
    return dict(counts)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(1 << 32)
    for number in [int(sys.argv[2])] if len(sys.argv) > 2 else range(ROUNDS):
        draw = random.Random(f"{seed} {number}")
        with tempfile.TemporaryDirectory() as place:
            gpus = make_gpus(draw)
            paths = write_logs(draw, gpus, place)
            want = of_summary(paths)
            known = {gpu for gpu, _ in want}
            for name, read in (("csv", of_csv), ("jsonl", of_jsonl), ("sqlite", of_sqlite)):
                got = read(paths, known, place)
                if got != want:
                    logs = "\n".join(f"{p}\n{open(p).read()}" for p in paths)
                    sys.exit(f"seed {seed}, round {number}: {name}\nsummary {want}\n{name} {got}\n{logs}")
    print("every export gives a GPU the rows that its summary counts")


main()
