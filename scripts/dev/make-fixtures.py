#!/usr/bin/env python3
"""Writes tests/fixtures/sweep: the logs of twelve invented training runs, in the exact shape of real ones.

    python3 scripts/dev/make-fixtures.py [DIRECTORY]        default: tests/fixtures/sweep beside this script

A grid of 3 learning rates and 4 seeds, two H100 a run, a reading every 10 s, one run after the other. Seven went
well; what happened to the other five is in RUNS. The same bytes come out everywhere: noise is a small generator
of our own, and no clock, locale or zone of the machine takes part.
"""
import json
import shutil
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

INTERVAL_MS = 10_000
UTC_OFFSET = timedelta(hours=2)  # nvidia-smi prints local time and no zone; RunLog and CPU log are in UTC
FIRST_START = datetime(2026, 7, 3, 16, 14, 5, 109_000, tzinfo=timezone.utc)
HEADER_EVERY = 44  # rows of dmon between two header pairs, as in the one long real log we know
TOTAL_MIB = 81559
RESERVED_MIB = 61234  # what JAX takes at its start, whatever it needs: three quarters of the board
EPOCHS = 50

# (lr, seed): length, use while training, and what is special about the run
RUNS = [
    dict(lr="0.03", seed=1, length="58:32", use=89.0),
    dict(lr="0.03", seed=2, length="58:18", use=88.7, header=True),
    dict(lr="0.03", seed=3, length="59:01", use=88.8, dmon="pucvmt"),
    dict(lr="0.03", seed=4, length="58:26", use=89.3),
    dict(lr="0.1", seed=1, length="59:48", use=88.1, upload=64, header=True),
    dict(lr="0.1", seed=2, length="60:12", use=87.9, upload=72),
    dict(lr="0.1", seed=3, length="60:21", use=86.9, stall=(1480, 1790), header=True, dmon="pucvmt"),
    dict(lr="0.1", seed=4, length="37:11", use=87.5, cut=True),
    dict(lr="0.3", seed=1, length="59:35", use=88.2, dmon="pucvmt"),
    dict(lr="0.3", seed=2, length="41:24", use=86.8, out_of_memory=True),
    dict(lr="0.3", seed=3, length="59:52", use=88.9, unused=True, header=True),
    dict(lr="0.3", seed=4, length="59:50", use=88.0, no_gpu_log=True),
]


class Noise:
    """Knuth's 64-bit linear congruential generator; only the high bits are used."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(8):
            self.below(1)

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def around(self, width):
        """About -width ... width, the middle more often."""
        return (self.below(1001) + self.below(1001) - 1000) * width / 1000


class Timeline:
    """What a run does when: [phase, start, end, extra keys], in seconds after its start."""

    def __init__(self, run, noise):
        minutes, seconds = run["length"].split(":")
        self.run, self.length = run, int(minutes) * 60 + int(seconds)
        self.phases, self.at = [], 1.2
        upload = run.get("upload", 0)
        self.add("data", 74 + noise.below(90) / 10)
        self.add("compile", 131 + noise.below(140) / 10)
        self.context = self.at - 128  # JAX takes its memory as the compiler starts
        self.busy_from = self.at
        full = 59 * 60 if run.get("cut") or run.get("out_of_memory") else self.length
        epoch = (full - self.at - 12.5 - upload - 1.5) / EPOCHS
        stall = run.get("stall")
        if stall:
            epoch = (full - self.at - 14 - (stall[1] - stall[0])) / EPOCHS
        for n in range(1, EPOCHS + 1):
            length = epoch * (1 + noise.around(0.01))
            if stall and self.at < stall[0] <= self.at + length:
                length += stall[1] - stall[0]
            if self.at + length > self.length - 1 and full != self.length:
                break  # ended within this epoch
            loss = round(0.9 / (n + 3) + 0.0125 + noise.around(0.002), 6)
            self.add("fit", length, epoch=n, loss=loss)
        self.busy_to = self.length
        if full == self.length:
            self.add("save", self.length - self.at - upload - 1.0)
        if upload:
            self.busy_to = self.at
            self.add("upload", upload)

    def add(self, name, seconds, **extra):
        self.phases.append((name, self.at, self.at + seconds, extra))
        self.at += seconds

    def phase_at(self, t):
        for name, start, end, _ in self.phases:
            if start <= t < end:
                return name
        return "data" if t < 2 else "fit" if t < self.busy_to else "idle"

    def stalled(self, t):
        stall = self.run.get("stall")
        return bool(stall) and stall[0] <= t < stall[1]

    def working(self, t, gpu):
        if gpu == 1 and self.run.get("unused"):
            return False
        return self.busy_from <= t < self.busy_to and not self.stalled(t)


class Gpu:
    """One board: readings that hang together."""

    def __init__(self, index, line, noise):
        self.index, self.line, self.noise = index, line, noise
        self.temp = 34.0 + index

    def read(self, t):
        line, noise, run = self.line, self.noise, self.line.run
        has_context = t >= line.context and not (self.index == 1 and run.get("unused"))
        use = 0
        if line.working(t, self.index):
            use = run["use"] - 0.7 * self.index + noise.around(7)
            if run.get("out_of_memory") and t > line.length - 240:
                use += 9  # the batch that did not fit
            if line.phase_at(t) == "save":
                use = 22 + noise.around(9)
            elif noise.below(12) == 0:
                use -= 18 + noise.below(15)  # end of an epoch
        use = max(2, min(100, round(use))) if use else 0
        idle_w = (117.4 if has_context else 70.6) + 1.3 * self.index + noise.around(0.8)
        watts = idle_w + use * 1.93 + (noise.around(14) if use else 0)
        self.temp += (31 + watts / 12.2 + 1.2 * self.index - self.temp) * 0.12
        return dict(
            use=use,
            mem_use=round(use * 0.47 + noise.around(2)) if use > 4 else 0,
            used=RESERVED_MIB if has_context else 1,
            watts=watts,
            temp=round(self.temp),
            mem_temp=round(self.temp + 7),
            sm_clock=1980 if has_context else 345,
            mem_clock=2619,
            rx=round(use * 3.1 + noise.below(40)) if use else noise.below(3),
            tx=round(use * 1.4 + noise.below(20)) if use else noise.below(2),
        )


def utc(t):
    return t.isoformat(timespec="milliseconds")


def local(t):
    return (t + UTC_OFFSET).strftime("%Y/%m/%d %H:%M:%S.") + f"{t.microsecond // 1000:03d}"


def query_header():
    return ("timestamp, index, uuid, name, pstate, utilization.gpu [%], utilization.memory [%], memory.used [MiB], "
            "memory.total [MiB], power.draw [W], temperature.gpu, clocks.current.sm [MHz], clocks.current.memory [MHz]")


def query_row(t, index, r, with_names):
    who = f"{index}, GPU-7c1e5d0{index}-3b52-9f64-a81d-5e0c94f2d6b{index}, NVIDIA H100 80GB HBM3, P0, " if with_names else ""
    return (f"{local(t)}, {who}{r['use']}, {r['mem_use']}, {r['used']}, {TOTAL_MIB}, {r['watts']:.2f}, "
            f"{r['temp']}, {r['sm_clock']}, {r['mem_clock']}")


DMON = {  # -s LETTERS: names, units, cells; seven wide, as drivers from 530 on print them
    "mu": [("fb", "MB", "used"), ("bar1", "MB", 4), ("ccpm", "MB", 0), ("sm", "%", "use"), ("mem", "%", "mem_use"),
           ("enc", "%", 0), ("dec", "%", 0), ("jpg", "%", 0), ("ofa", "%", 0)],
    "pucvmt": [("pwr", "W", "watts"), ("gtemp", "C", "temp"), ("mtemp", "C", "mem_temp"), ("sm", "%", "use"),
               ("mem", "%", "mem_use"), ("enc", "%", 0), ("dec", "%", 0), ("jpg", "%", 0), ("ofa", "%", 0),
               ("mclk", "MHz", "mem_clock"), ("pclk", "MHz", "sm_clock"), ("pviol", "%", 0), ("tviol", "bool", 0),
               ("fb", "MB", "used"), ("bar1", "MB", 4), ("ccpm", "MB", 0), ("rxpci", "MB/s", "rx"),
               ("txpci", "MB/s", "tx")],
}


def dmon_header(letters, dated):
    columns = DMON[letters]
    first = ("#Date        Time         gpu", "#YYYYMMDD    HH:MM:SS     Idx") if dated else ("# gpu", "# Idx")
    return [first[0] + "".join(f"{c[0]:>7}" for c in columns) + " ",
            first[1] + "".join(f"{c[1]:>7}" for c in columns) + " "]


def dmon_row(t, index, r, letters, dated):
    when = (t + UTC_OFFSET).strftime(" %Y%m%d    %H:%M:%S ") if dated else ""
    cells = [round(r[key]) if isinstance(key, str) else key for _, _, key in DMON[letters]]
    return when + f"{index:>{7 if dated else 5}}" + "".join(f"{c:>7}" for c in cells) + " "


def gpu_logs(start, line, noise):
    """The lines of hw_metrics.csv and of hw_dmon.csv."""
    run = line.run
    letters = run.get("dmon", "mu")
    dated, named = letters != "mu", bool(run.get("header"))
    gpus = [Gpu(i, line, noise) for i in range(2)]
    query, dmon = [query_header()] if named else [], []
    ms, rows = 380 + noise.below(300), 0
    while ms < (line.length - 0.3) * 1000:
        t = start + timedelta(milliseconds=ms)
        skew = 0
        for gpu in gpus:
            r = gpu.read(ms / 1000)
            query.append(query_row(t + timedelta(milliseconds=skew), gpu.index, r, named))
            if rows % HEADER_EVERY == 0:
                dmon += dmon_header(letters, dated)
            dmon.append(dmon_row(t, gpu.index, r, letters, dated))
            rows += 1
            skew += 1 + noise.below(4)
        ms += INTERVAL_MS + 3 + noise.below(5)  # nvidia-smi sleeps between queries, and a query takes its time
    return query, dmon


def cpu_log(start, line, noise):
    """The lines of cpu_metrics.csv: 16 CPUs, so one busy thread is 6.25 %."""
    usual = {"data": 41.0, "compile": 6.6, "fit": 23.6, "save": 8.1, "upload": 3.2, "idle": 0.7}
    out, ms = ["timestamp,usr_pct,idle_pct"], INTERVAL_MS + 210
    while ms < line.length * 1000:
        usr = 6.0 + noise.around(0.1) if line.stalled(ms / 1000) else usual[line.phase_at(ms / 1000)] * (1 + noise.around(0.1))
        system = 0.6 + usr * 0.05 + noise.around(0.2)
        out.append(f"{utc(start + timedelta(milliseconds=ms))},{usr:.1f},{100 - usr - system:.1f}")
        ms += INTERVAL_MS + noise.below(3)
    return out


def run_log(start, line, number, noise):
    """The lines of run.jsonl. The time of a phase is that of its end."""
    run, out = line.run, []

    def put(after, kind, **keys):
        ts = utc(start + timedelta(milliseconds=round(after * 1000)))
        out.append(json.dumps({"ts": ts, "type": kind, **keys}))

    def event(after, name, **data):
        put(after, "event", event=name, data=data)

    mib = 42291.2 if run["lr"] != "0.03" else 42188.8
    put(0, "event", event="start", data={"model": "hestonnn", "batch": 4096, "lr": float(run["lr"]), "seed": run["seed"],
                                         "epochs": EPOCHS, "host": f"pod-{number % 4 + 1}"})
    for name, begin, end, extra in line.phases:
        put(end, "phase", name=name, seconds=round(end - begin, 3), **extra)
        if extra.get("epoch", 1) % 10 == 0 and not run.get("no_gpu_log"):
            if run.get("header"):
                event(end, "memory", peak_bytes_in_use=round(mib * 2**20))
            else:
                event(end, "memory", jax_peak_bytes_mb=mib)
    if run.get("cut"):
        return out
    if run.get("out_of_memory"):
        event(line.length - 0.9, "memory", jax_peak_bytes_mb=61030.4)
        event(line.length - 0.8, "error", type="XlaRuntimeError", message="RESOURCE_EXHAUSTED: Out of memory "
              "while trying to allocate 2147483648 bytes.")
    event(line.length, "stop", exit_status=1 if run.get("out_of_memory") else 0)
    return out


def write(path, lines, torn=0):
    """torn: how many bytes of the last line never reached the disk."""
    text = "\n".join(lines) + "\n"
    path.write_bytes(text[: len(text) - torn].encode("ascii"))


def main():
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "tests/fixtures/sweep"
    start = FIRST_START
    if where.is_dir():
        shutil.rmtree(where)
    for number, run in enumerate(RUNS):
        noise = Noise(number + 1)
        line = Timeline(run, noise)
        folder = where / f"lr={run['lr']}" / f"seed={run['seed']}"
        folder.mkdir(parents=True)
        torn = bool(run.get("cut"))
        if not run.get("no_gpu_log"):
            query, dmon = gpu_logs(start, line, noise)
            write(folder / "hw_metrics.csv", query, 23 if torn else 0)
            write(folder / "hw_dmon.csv", dmon)
        write(folder / "cpu_metrics.csv", cpu_log(start, line, noise))
        write(folder / "run.jsonl", run_log(start, line, number, noise), 31 if torn else 0)
        start += timedelta(seconds=line.length + 31 + noise.below(25), milliseconds=noise.below(1000))


if __name__ == "__main__":
    main()
