#!/usr/bin/env python3
"""Random run directories for the comparison of smilog with the oracle.

    gen_runs.py DIR SEED [plain]     writes one run directory, prints the features it has

generate(dir, seed) is deterministic. Features and how often they are drawn are in CHANCE; a feature that is
drawn but finds no place (a gap in a run of one row) does not count. generate(dir, seed, plain=True) writes
a run on which the reference module must agree: headerless nine columns, every cell a number, complete last
lines, no row twice, and dmon (if any) with mem as its third column.
"""
from __future__ import annotations

import datetime
import json
import random
import sys
from pathlib import Path

EPOCH = datetime.datetime(1970, 1, 1)
START = (datetime.datetime(2026, 7, 3) - EPOCH) // datetime.timedelta(milliseconds=1)

# Of a run that is not plain; a chance within a file (dmon_*, cpu_*, log_*) is of runs with that file.
CHANCE = {
    "no_query": 0.08, "no_rows": 0.04, "dmon": 0.40, "cpu": 0.60, "runlog": 0.60,
    "many_gpus": 0.55, "keyed": 0.60, "header_no_key": 0.25, "units": 0.50, "late_gpu": 0.15,
    "missing_cells": 0.45, "junk_cells": 0.20, "missing_column": 0.15, "missing_key": 0.08,
    "whole_seconds": 0.06, "no_time": 0.04, "duplicates": 0.20, "steps_back": 0.12, "gaps": 0.20,
    "blank": 0.12, "message": 0.15,
    "foreign": 0.10, "short_row": 0.10, "long_row": 0.08, "bad_time": 0.08, "torn_tail": 0.20, "crlf": 0.10,
    "header_again": 0.12, "idle_stretch": 0.50, "hiccup": 0.20, "odd_numbers": 0.10, "long_idle_gap": 0.06,
    "impossible": 0.10,
    "dmon_timed": 0.50, "dmon_dash": 0.50, "dmon_header_again": 0.30, "dmon_other_count": 0.10,
    "cpu_odd": 0.25, "cpu_steps_back": 0.05, "log_start": 0.70, "log_offset": 0.30, "log_stop": 0.60,
    "log_exit_status": 0.60, "log_error": 0.08, "log_nan": 0.15, "log_overlap": 0.30, "log_jax": 0.35,
    "log_odd": 0.12, "far_clock": 0.12,
}
OFFSETS = [-720, -570, -480, -300, -210, 0, 0, 60, 120, 120, 330, 345, 480, 540, 630, 765, 825, 840]
NINE = ["timestamp", "utilization.gpu", "utilization.memory", "memory.used", "memory.total", "power.draw",
        "temperature.gpu", "clocks.current.sm", "clocks.current.memory"]
UNIT = {"utilization.gpu": "%", "utilization.memory": "%", "memory.used": "MiB", "memory.total": "MiB",
        "power.draw": "W", "clocks.current.sm": "MHz", "clocks.current.memory": "MHz"}
KEYS = [["index"], ["index"], ["uuid"], ["pci.bus_id"], ["index", "uuid"], ["index", "pci.bus_id"],
        ["uuid", "pci.bus_id"], ["index", "uuid", "pci.bus_id"]]
MISSING = ["[N/A]", "[N/A]", "[Not Supported]", "", "N/A", "[Unknown Error]", "[GPU is lost]"]
JUNK = ["nan", "inf", "1e3", "1_0", "0x1F", "12a", "--", "45%", ".5", "5.", "1.2.3", "12 W %", "\u0663",
        "x\udcff"]
ODD = ["+7", "12.3456785", "0.0000005", "007", "-0.0"]
IMPOSSIBLE = ["-3", "99999999", "8796093.022207", "8796093.022208"]
MESSAGES = ["No devices were found", "Failed to initialize NVML: Unknown Error",
            "Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to "
            "recover this GPU", "WARNING: infoROM is corrupted at gpu 0000:8C:00.0",
            "Tue Jun  9 09:00:01 UTC 2020", "2026-07-03 10:00:00", "---------"]
FOREIGN = ["job 17 is running", "Traceback:", "epoch done"]
DMON_SETS = {"p": ["pwr", "gtemp", "mtemp"], "u": ["sm", "mem", "enc", "dec", "jpg", "ofa"],
             "c": ["mclk", "pclk"], "m": ["fb", "bar1", "ccpm"], "t": ["rxpci", "txpci"]}
DMON_UNITS = {"pwr": "W", "gtemp": "C", "temp": "C", "mtemp": "C", "mclk": "MHz", "pclk": "MHz", "fb": "MB",
              "bar1": "MB", "ccpm": "MB", "rxpci": "MB/s", "txpci": "MB/s"}


def local_text(ms: int, fine: bool = True) -> str:
    text = (EPOCH + datetime.timedelta(milliseconds=ms)).strftime("%Y/%m/%d %H:%M:%S")
    return "%s.%03d" % (text, ms % 1000) if fine else text


def utc_text(ms: int) -> str:
    return (EPOCH + datetime.timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "+00:00"


class Maker:
    def __init__(self, directory: Path, seed: int, plain: bool, without: set[str]):
        self.dir, self.plain = directory, plain
        self.r = random.Random(f"{seed}/{plain}")
        self.used: set[str] = set()
        self.drawn = {name for name, chance in CHANCE.items() if self.r.random() < chance}
        self.drawn -= without
        if plain:
            self.drawn &= {"no_rows", "dmon", "dmon_other_count", "cpu", "runlog", "many_gpus", "gaps",
                           "idle_stretch", "hiccup", "log_start", "log_offset", "log_stop", "log_exit_status",
                           "log_error", "log_nan", "log_overlap", "log_jax"}
        self.offset = self.r.choice(OFFSETS)             # local less UTC, minutes
        # UTC; the runs of a sweep, which have seeds one after another, do not hold their GPUs at the same time by chance
        self.t0 = START + seed % 8 * 172_800_000 + self.r.randrange(86_400_000)
        self.interval = self.r.choice([100, 200, 500, 1000, 1000, 2000, 2000, 5000, 10_000, 30_000])
        self.gpus = self.r.choice([2, 2, 3, 4, 4, 8, 16]) if "many_gpus" in self.drawn else 1
        low, high = self.r.choice([(1, 30), (10, 120), (10, 120), (60, 200), (60, 200), (200, 600)])
        self.rows = self.r.randint(low, high)
        if self.r.random() < 0.05:
            self.rows = self.r.randint(600, 2000)
        self.end = self.t0

    def on(self, name: str) -> bool:
        """Whether a feature is drawn; it counts as used from here."""
        if name in self.drawn:
            self.used.add(name)
            return True
        return False

    def put(self, name: str, lines: list[str], torn: str = "") -> None:
        ending = "\n"
        if not self.plain and name != "run.jsonl" and self.r.random() < CHANCE["crlf"]:
            self.used.add("crlf")
            ending = "\r\n"
        text = "".join(line + ending for line in lines)
        if torn and not self.plain and self.r.random() < CHANCE["torn_tail"]:
            self.used.add("torn_tail")
            text += torn[:self.r.randint(1, len(torn))]
        (self.dir / name).write_bytes(text.encode("utf-8", "surrogateescape"))

    # -- GPUs

    def states(self, sweeps: int) -> list[bool]:
        """Whether work is going on, sweep by sweep."""
        out = [True] * sweeps
        if sweeps and self.on("idle_stretch"):
            for _ in range(self.r.randint(1, 4)):
                a = self.r.randrange(sweeps)
                for i in range(a, min(sweeps, a + self.r.randint(1, max(2, sweeps // 2)))):
                    out[i] = False
            if self.r.random() < 0.15:
                out = [False] * sweeps
        return out

    def times(self, sweeps: int) -> list[int]:
        """UTC times of the sweeps."""
        out, t = [], self.t0 + self.r.randint(0, 1500)
        jitter = self.r.choice([0, 0.003, 0.03, 0.1])
        steps = self.r.sample(range(sweeps), min(sweeps, 3)) if sweeps > 3 else []
        for k in range(sweeps):
            out.append(t)
            dt = self.interval * (1 + self.r.uniform(-jitter, jitter))
            if k in steps:
                if k == steps[0] and self.on("hiccup"):
                    dt *= self.r.uniform(1.5, 8)
                elif k == steps[1] and self.on("gaps"):
                    dt *= self.r.randint(12, 400)
                elif k == steps[2] and self.on("steps_back"):
                    dt = -self.r.choice([self.interval // 2, self.interval, 5 * self.interval, 2_400_000])
                elif k == steps[1] and self.on("long_idle_gap"):
                    dt = self.r.choice([59_999, 60_000, 60_001])
            t += max(1, round(dt)) if dt > 0 else round(dt)
            self.end = max(self.end, t)
        return out

    def cells(self, work: bool, gpu: int, fine: bool) -> dict[str, str]:
        r = self.r
        util = r.randint(20, 100) if work else r.choice([0, 0, 0, 1, 1, 2] if r.random() < 0.1 else [0, 0, 1])
        power = r.uniform(200, 700) if work else r.uniform(50, 90)
        return {"utilization.gpu": str(util), "utilization.memory": str(util // 3),
                "memory.used": str(r.randint(30_000, 62_000) if work else 1_000 + gpu),
                "memory.total": "81559", "power.draw": "%.2f" % power if fine else str(round(power)),
                "temperature.gpu": str(r.randint(30, 80)),
                "clocks.current.sm": str(r.choice([345, 1410, 1980])),
                "clocks.current.memory": str(r.choice([1593, 2619])), "index": str(gpu),
                "uuid": "GPU-%08x-0000-4000-8000-%012x" % (0x5EED + gpu, gpu),
                "pci.bus_id": "00000000:%02X:00.0" % (0x10 + gpu)}

    def spoil(self, cells: dict[str, str], share: float, junk: bool, odd: bool, keys: list[str]) -> None:
        for name in list(cells):
            if name in ("index", "uuid", "pci.bus_id"):
                if name in keys and "missing_key" in self.drawn and self.r.random() < 0.03:
                    self.used.add("missing_key")
                    cells[name] = self.r.choice(MISSING[:4])
            elif self.r.random() < share:
                cells[name] = self.r.choice(MISSING)
                self.used.add("missing_cells")
            elif junk and self.r.random() < 0.03:
                cells[name] = self.r.choice(JUNK)
                self.used.add("junk_cells")
            elif odd and self.r.random() < 0.02:
                cells[name] = self.r.choice(ODD)
                self.used.add("odd_numbers")
            elif "impossible" in self.drawn and self.r.random() < 0.02:
                cells[name] = self.r.choice(IMPOSSIBLE)
                self.used.add("impossible")

    def query(self) -> None:
        r = self.r
        keyed = self.on("keyed")
        header = keyed or self.on("header_no_key")
        keys = r.choice(KEYS) if keyed else []
        columns = NINE[:]
        if header:
            columns = ["timestamp"] + r.sample(NINE[1:], r.randint(1, 8))
            if keyed and self.on("no_time"):
                columns.remove("timestamp")
            columns += keys
            if r.random() < 0.5:
                r.shuffle(columns)
        units = header and self.on("units")
        bracket = header and (units or r.random() < 0.5)
        fine = not (header and self.on("whole_seconds"))
        sweeps = max(1, self.rows // self.gpus)
        if "no_rows" in self.drawn:
            sweeps = 0
        self.lines: list[str] = []
        share = r.choice([0.01, 0.05, 0.3]) if "missing_cells" in self.drawn else 0
        gone = r.choice(NINE[1:]) if sweeps and "missing_column" in self.drawn else None
        late = r.randrange(self.gpus) if keyed and self.gpus > 1 and "late_gpu" in self.drawn else None
        again = r.randrange(sweeps) if header and sweeps > 1 and "header_again" in self.drawn else None
        skew = r.choice([1, 2, 4])
        if not self.plain and r.random() < 0.04:
            self.lines.append(r.choice(MESSAGES))
            self.used.add("message")
        if header:
            self.lines.append(self.head(columns, bracket))
        states = self.states(sweeps)
        first = True
        for k, t in enumerate(self.times(sweeps)):
            t += self.offset * 60_000
            if k == again:
                self.used.add("header_again")
                if r.random() < 0.7:
                    metrics = r.sample(NINE[1:], r.randint(1, 8))
                    columns = [c for c in columns if c == "timestamp" or c in keys] + metrics
                self.lines.append(self.head(columns, bracket))
            for gpu in range(self.gpus):
                if gpu == late and k < sweeps // 2:
                    self.used.add("late_gpu")
                    continue
                t += r.randint(1, skew) if gpu else 0
                cells = self.cells(states[k] and (gpu == 0 or r.random() < 0.9), gpu, True)
                if not (first and not header):
                    self.spoil(cells, share, "junk_cells" in self.drawn, "odd_numbers" in self.drawn, keys)
                    if gone:
                        cells[gone] = "[N/A]"
                        self.used.add("missing_column")
                first = False
                self.row(columns, cells, t, fine, units)
        torn = self.lines[-1] if self.lines and sweeps else ""
        if not self.lines and self.plain is False and r.random() < 0.5:
            return
        self.put("hw_metrics.csv", self.lines, torn)

    def head(self, columns: list[str], bracket: bool) -> str:
        return ", ".join(f"{c} [{UNIT[c]}]" if bracket and c in UNIT else c for c in columns)

    def row(self, columns: list[str], cells: dict[str, str], t: int, fine: bool, units: bool) -> None:
        r = self.r

        def text():
            out = []
            for c in columns:
                cell = local_text(t, fine) if c == "timestamp" else cells[c]
                number = cell.isascii() and cell[:1].isdigit() and cell[-1:].isdigit() and " " not in cell
                out.append(f"{cell} {UNIT[c]}" if units and c in UNIT and number else cell)
            return ", ".join(out)

        self.lines.append(text())
        if self.plain or len(self.lines) < 3:
            return
        if "duplicates" in self.drawn and r.random() < 0.04:
            self.used.add("duplicates")
            if r.random() < 0.5 and "power.draw" in cells:
                cells["power.draw"] = "51.00"
            self.lines.append(text())
        self.damage(self.lines, text())

    def damage(self, lines: list[str], row: str, comma: str = ",") -> None:
        """Now and then a line that is no row."""
        r = self.r
        for name in ("blank", "message", "foreign", "short_row", "long_row", "bad_time"):
            if name not in self.drawn or r.random() >= 0.02:
                continue
            self.used.add(name)
            if name == "blank":
                lines.append(r.choice(["", "  ", "\t"]))
            elif name == "message":
                lines.append(r.choice(MESSAGES + (["# note"] if comma == "," else [])))
            elif name == "foreign":
                lines.append(r.choice(FOREIGN))
            elif name == "short_row":
                cells = row.split(comma)
                if comma not in row or len(cells) < 3:
                    continue
                lines.append(comma.join(cells[:r.randint(2, len(cells) - 1)]))
            elif name == "long_row":
                lines.append(row + (", 7" if comma == "," else " 7"))
            elif comma == ",":
                lines.append(row.replace("2026/", r.choice(["2026-", "", "2026/13/"]), 1))
            elif row.startswith(" 2026"):
                lines.append(row.replace("2026", r.choice(["20x6", "206"]), 1))

    # -- dmon

    def dmon_wanted(self) -> bool:
        """In a plain run only beside rows of the query log, which the reference takes utilisation from."""
        return "dmon" in self.drawn and not (self.plain and "no_rows" in self.drawn)

    def dmon(self) -> None:
        r = self.r
        self.used.add("dmon")
        letters = r.sample("pucmt", r.randint(1, 5))
        if self.plain:
            letters = ["u"] + [x for x in letters if x != "u"]
        columns = [name for letter in letters for name in DMON_SETS[letter]]
        if r.random() < 0.3:
            new = ("jpg", "ofa", "ccpm", "mtemp")
            columns = ["temp" if c == "gtemp" else c for c in columns if c not in new]
        timed = not self.plain and self.on("dmon_timed")
        gpus = self.gpus
        if self.on("dmon_other_count"):
            gpus = r.choice([g for g in (1, 2, 3, 5) if g != self.gpus])
        lead = ["Date", "Time"] if timed else []
        names = " ".join("%6s" % c for c in ["gpu"] + columns)
        kinds = " ".join("%6s" % DMON_UNITS.get(c, "%") for c in columns)
        if timed:
            head = ["#Date        Time      " + names + " ", "#YYYYMMDD    HH:MM:SS     Idx " + kinds + " "]
        else:
            head = ["# " + names.strip() + " ", "# Idx " + kinds + " "]
        interval = max(1000, self.interval // 1000 * 1000)
        sweeps = max(1, r.choice([self.rows, self.rows // 2]) // gpus)
        if "no_rows" in self.drawn and r.random() < 0.5:
            sweeps = 0
        lines = head[:]
        states = [r.random() < 0.8 for _ in range(sweeps)]
        period = r.randint(5, 40) if not self.plain and self.on("dmon_header_again") else 0
        dash = 0 if self.plain else 0.1 if self.on("dmon_dash") else 0
        absent = r.choice(columns) if dash and r.random() < 0.5 else None
        t = self.t0 + self.offset * 60_000 + r.randint(0, 900)
        last = ""
        for k in range(sweeps):
            if period and k % period == period - 1:
                lines += head
            for gpu in range(gpus):
                values = [str(r.randint(0, 100)) if states[k] else r.choice("001") for _ in columns]
                values = ["-" if c == absent or r.random() < dash else v for c, v in zip(columns, values)]
                stamp = EPOCH + datetime.timedelta(milliseconds=t)
                begin = stamp.strftime(" %Y%m%d    %H:%M:%S ") if lead else ""
                last = begin + "%6d " % gpu + " ".join("%6s" % v for v in values) + " "
                lines.append(last)
                if not self.plain:
                    self.damage(lines, " " + " ".join(last.split()), " ")
            t += interval + r.choice([0, 0, 0, 3, -2])
        self.put("hw_dmon.csv", lines, last)

    # -- CPU

    def cpu(self) -> None:
        r = self.r
        self.used.add("cpu")
        interval = r.choice([1000, 2000, 2000, self.interval])
        length = max(self.end - self.t0, 3000)
        t, lines, last = self.t0 + r.randint(0, 3000), ["timestamp,usr_pct,idle_pct"], ""
        if "far_clock" in self.drawn and not self.plain:
            self.used.add("far_clock")
            t += r.choice([7 * 60_000, 21 * 60_000, -40 * 60_000])
            length = length * 3 + 900_000
        for _ in range(min(400, length // interval + 1)):
            usr = r.uniform(0, 100)
            cells = [utc_text(t), "%.1f" % usr, "%.1f" % max(0, 100 - usr - r.uniform(0, 5))]
            if not self.plain and "cpu_odd" in self.drawn and r.random() < 0.05:
                self.used.add("cpu_odd")
                cells[r.choice([1, 2])] = r.choice(["", "nan", "[N/A]", "1e1", "x"])
            last = ",".join(cells)
            lines.append(last)
            if not self.plain and "cpu_odd" in self.drawn and r.random() < 0.03:
                lines.append(r.choice(["", "foreign text", last + ",1", utc_text(t), "yesterday,1.0,2.0",
                                       utc_text(t) + ",,", lines[0],
                                       "2026-02-30T10:00:00.000+00:00,1.0,2.0"]))
            t += max(1, round(interval * r.uniform(0.98, 1.02)))
            if not self.plain and "cpu_steps_back" in self.drawn and r.random() < 0.02:
                self.used.add("cpu_steps_back")
                t -= r.choice([5, 5000, 60_000])
        self.put("cpu_metrics.csv", lines, last)

    # -- RunLog

    def runlog(self) -> None:
        r = self.r
        self.used.add("runlog")
        entries: list[tuple[int, dict]] = []
        length = max(self.end - self.t0, 2000)

        def event(t, name, **data):
            entry = {"type": "event", "event": name}
            if data:
                entry["data"] = data
            entries.append((t, entry))

        if self.on("log_start"):
            data = {"host": "node%d" % r.randint(1, 9), "lr": 0.1, "seed": 3}
            if self.on("log_offset"):
                data["utc_offset_s"] = self.offset * 60
            event(self.t0 - r.randint(0, 800), "start", **data)
        t = self.t0
        names = ["compile", "fit", "eval", "save", "\u00e9val"]
        for _ in range(r.randint(0, 12)):
            seconds = r.choice([r.uniform(0, length / 1000), r.uniform(0, 10), length / 1000 / 5, 0])
            t += int(seconds * 1000)
            phase = {"type": "phase", "name": r.choice(names), "seconds": round(seconds, 3)}
            if r.random() < 0.05:
                phase["seconds"] = round(seconds)
            if "log_nan" in self.drawn and r.random() < 0.2:
                self.used.add("log_nan")
                phase[r.choice(["loss", "seconds"])] = float("nan")
            if "log_jax" in self.drawn and r.random() < 0.3:
                self.used.add("log_jax")
                phase["jax_peak_bytes_mb"] = round(r.uniform(0, 60_000), 3)
            entries.append((t, phase))
            if "log_overlap" in self.drawn and r.random() < 0.5:
                self.used.add("log_overlap")
                t -= int(seconds * 500)
            if t > self.t0 + 2 * length:
                break
        if "log_jax" in self.drawn and r.random() < 0.7:
            self.used.add("log_jax")
            key, value = r.choice([("peak_bytes_in_use", r.randrange(2**36)), ("jax_peak_bytes_mb", 42291.25),
                                   ("torch_max_memory_allocated", r.randrange(2**36)),
                                   ("jax_peak_bytes_mb", float("nan")), ("peak_bytes_in_use", 0)])
            event(t, "memory", **{key: value})
        for _ in range(r.choice([0, 0, 1, 3])):
            name = r.choice(["checkpoint", "warning", "epoch"])
            event(self.t0 + r.randint(0, length), name, step=r.randint(0, 9))
        if self.on("log_error"):
            event(self.t0 + r.randint(0, length), r.choice(["error", "oom", "exception", "killed", "failed"]))
        if self.on("log_stop"):
            data = {}
            if self.on("log_exit_status"):
                data["exit_status"] = r.choice([0, 0, 0, 0, 0, 1, 137])
            name = "stop" if data else r.choice(["stop", "end", "done"])
            event(self.t0 + length + r.randint(0, 500), name, **data)
        if not entries:
            event(self.t0, "note")
        if r.random() < 0.7:
            entries.sort(key=lambda pair: pair[0])
        lines = []
        for t, entry in entries:
            lines.append(json.dumps({"ts": utc_text(t), **entry}, ensure_ascii=r.random() < 0.5))
            if not self.plain and "log_odd" in self.drawn and r.random() < 0.2:
                self.used.add("log_odd")
                lines.append(r.choice(["", "{\"ts\": ", "not json", "[1, 2]",
                                       '{"ts": "soon", "type": "event"}',
                                       '{"type": "event", "event": "x"}', '{"a": "\udcff"}']))
        self.put("run.jsonl", lines, lines[-1])

    def make(self) -> set[str]:
        self.dir.mkdir(parents=True, exist_ok=True)
        if self.on("no_query"):
            self.end = self.t0 + self.rows * 1000
        else:
            self.query()
        if self.dmon_wanted():
            self.dmon()
        if "cpu" in self.drawn:
            self.cpu()
        if "runlog" in self.drawn:
            self.runlog()
        self.used.add("plain" if self.plain else "odd")
        for path in self.dir.iterdir():
            self.used.add("has_" + path.name)
        return self.used


def generate(directory: str | Path, seed: int, plain: bool = False, without: set[str] = frozenset()) -> set[str]:
    """Writes one run directory, without some of the features of CHANCE; returns the features it has."""
    return Maker(Path(directory), seed, plain, without).make()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.split("\n\n")[1])
    print(" ".join(sorted(generate(sys.argv[1], int(sys.argv[2]), len(sys.argv) == 4))))
