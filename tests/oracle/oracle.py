#!/usr/bin/env python3
"""A slow, plain restatement of the rules of the numbers, to compare smilog with.

    oracle.py DIR         one run directory -> the JSON of that run, on stdout
    oracle.py --selftest  the vectors that concern gaps, energy, GPUs, duplicates, zone

Written from the documents alone, never from smilog's sources. It keeps all rows in memory, works with
whole numbers and fractions only, and prefers the obvious to the fast. Not read here, because the generated
runs never hold them: counters, states, zone names, dmon -o T, several files of one format.
"""
from __future__ import annotations

import collections
import datetime
import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

MILLION = 1_000_000
LINE_CAP = 1_048_576
IDLE_LIMIT = 1 * MILLION
IDLE_BREAK_MS = 60_000
PLAN_ROWS = 256

QUERY = "nvidia-smi-query"
DMON = "dmon"
HOST = "cpu-csv"
RUNLOG = "runlog"

# canonical name -> unit
UNITS = {
    "gpu_util_pct": "%", "mem_util_pct": "%", "fb_used_mib": "MiB", "fb_total_mib": "MiB", "power_w": "W",
    "temp_gpu_c": "C", "temp_mem_c": "C", "clk_sm_mhz": "MHz", "clk_mem_mhz": "MHz", "enc_util_pct": "%",
    "dec_util_pct": "%", "jpg_util_pct": "%", "ofa_util_pct": "%", "power_viol_pct": "%",
    "bar1_used_mib": "MiB", "ccpm_used_mib": "MiB", "pcie_rx_mbs": "MB/s", "pcie_tx_mbs": "MB/s",
    "cpu_usr_pct": "%", "cpu_idle_pct": "%",
}
# unit -> least and most plausible reading; CPU time counts 100 % for each core
RANGES = {"%": (0, 105), "MiB": (0, 8 * 2**20), "W": (0, 20_000), "C": (-60, 200), "MHz": (0, 50_000), "MB/s": (0, 1_000_000)}
CPU_RANGE = (0, 409_600)
TIMED = {"gpu_util_pct", "mem_util_pct", "fb_used_mib", "power_w", "cpu_usr_pct"}
QUERY_COLUMNS = {
    "timestamp": "@time", "index": "@index", "uuid": "@uuid", "pci.bus_id": "@bus",
    "utilization.gpu": "gpu_util_pct", "utilization.memory": "mem_util_pct", "memory.used": "fb_used_mib",
    "memory.total": "fb_total_mib", "power.draw": "power_w", "temperature.gpu": "temp_gpu_c",
    "clocks.current.sm": "clk_sm_mhz", "clocks.current.memory": "clk_mem_mhz",
}
NINE = ["timestamp", "utilization.gpu", "utilization.memory", "memory.used", "memory.total", "power.draw",
        "temperature.gpu", "clocks.current.sm", "clocks.current.memory"]
DMON_COLUMNS = {
    "date": "@date", "time": "@clock", "gpu": "@index", "pwr": "power_w", "temp": "temp_gpu_c",
    "gtemp": "temp_gpu_c", "mtemp": "temp_mem_c", "sm": "gpu_util_pct", "mem": "mem_util_pct",
    "enc": "enc_util_pct", "dec": "dec_util_pct", "jpg": "jpg_util_pct", "ofa": "ofa_util_pct",
    "mclk": "clk_mem_mhz", "pclk": "clk_sm_mhz", "pviol": "power_viol_pct", "fb": "fb_used_mib",
    "bar1": "bar1_used_mib", "ccpm": "ccpm_used_mib", "rxpci": "pcie_rx_mbs", "txpci": "pcie_tx_mbs",
}
MESSAGES = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", "Failed to initialize NVML: ",
    "No devices were found", "Unable to determine the device handle for ", "Field \"", "Unable to query ",
    "Invalid combination of input arguments", "Option ", "Warning: persistence mode", "WARNING",
)
MESSAGE_PATTERNS = (
    re.compile(r"-{3,}$"), re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"),
    re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [A-Z]+ \d{4}$"),
)


# ---- text ------------------------------------------------------------------------------------------------

def half_even(value: Fraction) -> int:
    """The nearest whole number, ties to the even one (what Python's round of a Fraction does)."""
    return round(value)


def real(value: Fraction | int | None) -> Fraction | None:
    """A printed real: a whole number of millionths, rounded once."""
    return None if value is None else Fraction(half_even(Fraction(value) * MILLION), MILLION)


def reading(cell: str, unit: str | None) -> int | None:
    """A cell -> millionths, None when it is missing or no number."""
    cell = cell.strip(" \t")
    if unit and cell.endswith(" " + unit):
        cell = cell[:-len(unit) - 1]
    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", cell, re.ASCII):
        return None
    return half_even(Fraction(cell) * MILLION)


def plausible(name: str, cell: str, unit: str | None) -> int | None:
    """The reading of a metric, None if no GPU or machine can have it."""
    value = reading(cell, unit)
    least, most = CPU_RANGE if name.startswith("cpu_") else RANGES[UNITS[name]]
    return value if value is not None and least * MILLION <= value <= most * MILLION else None


def naive_ms(year: int, month: int, day: int, hour: int, minute: int, second: int,
             fraction: str) -> int | None:
    """Milliseconds since 1970 of a wall clock, as if it were UTC; finer digits are cut off."""
    if hour > 23 or minute > 59 or second > 60:
        return None
    try:
        days = (datetime.date(year, month, day) - datetime.date(1970, 1, 1)).days
    except ValueError:
        return None
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + int((fraction + "000")[:3])


def query_time(cell: str) -> tuple[int, bool] | None:
    """nvidia-smi's stamp -> (ms, finer than a second)."""
    m = re.fullmatch(r"(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?", cell.strip(" \t"), re.ASCII)
    if not m:
        return None
    ms = naive_ms(*(int(m[i]) for i in range(1, 7)), m[7] or "")
    return None if ms is None else (ms, m[7] is not None)


def iso_us(text: object) -> int | None:
    """An ISO stamp with its offset -> microseconds UTC."""
    if not isinstance(text, str):
        return None
    pattern = r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)"
    m = re.fullmatch(pattern, text, re.ASCII)
    if not m:
        return None
    ms = naive_ms(*(int(m[i]) for i in range(1, 7)), "")
    if ms is None:
        return None
    offset = 0
    if m[8] != "Z":
        offset = int(m[8][1:3]) * 3600 + int(m[8][4:6]) * 60
        offset = -offset if m[8][0] == "-" else offset
    return ms * 1000 + int(((m[7] or "") + "000000")[:6]) - offset * MILLION


def cut_lines(data: bytes) -> tuple[list[str], bool]:
    """Complete lines (latin-1, one CR before LF cut), and whether a torn last line follows them."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    parts = data.split(b"\n")
    torn = len(parts[-1]) > 0
    lines = [part[:-1] if part.endswith(b"\r") else part for part in parts[:-1]]
    return [line.decode("latin-1") for line in lines], torn


def is_message(line: str) -> bool:
    text = line.strip(" \t")
    return text.startswith(MESSAGES) or any(p.match(text) for p in MESSAGE_PATTERNS)


# ---- inputs ----------------------------------------------------------------------------------------------

class Row:
    """One kept row: time in ms on its own clock (None without a time), key cells, readings, later its GPU."""

    def __init__(self, t, fine, key, values, sweep):
        self.t, self.fine, self.key, self.values, self.sweep = t, fine, key, values, sweep
        self.gpu = None      # index into the run's GPUs, None: pooled
        self.hard = False    # a hard boundary lies before it
        self.guess = None    # in UTC, estimated, for a row without a time
        self.lane = None     # its place in its burst, where the burst is whole but the run pools it


class Input:
    def __init__(self, path: str, format: str):
        self.path, self.format = path, format
        self.lines = self.header = self.blank = self.messages = self.duplicates = 0
        self.rejected = collections.Counter()
        self.rows: list[Row] = []
        self.keyed = False
        self.entries: list[dict] = []       # of a RunLog
        self.dts: list[int] = []            # of the rows' intervals
        self.gaps = 0

    def reject(self, reason: str) -> None:
        self.rejected[reason] += 1

    def json(self) -> dict:
        rows = len(self.entries) if self.format == RUNLOG else len(self.rows)
        assert self.lines == (self.header + rows + self.duplicates + self.blank + self.messages
                              + sum(self.rejected.values())), self.path
        middle = lower_median(self.dts)
        return {
            "path": self.path, "format": self.format, "lines": self.lines, "header": self.header,
            "rows": rows, "duplicates": self.duplicates, "blank": self.blank, "messages": self.messages,
            "rejected": {k: v for k, v in sorted(self.rejected.items()) if v}, "gaps": self.gaps,
            "interval_s": None if middle is None else real(Fraction(middle, 1000)),
            "interval_max_s": real(Fraction(max(self.dts), 1000)) if self.dts else None,
        }


def query_names(cells: list[str]) -> list[str]:
    """Header cells without their bracket units."""
    return [re.sub(r"\s*\[.*\]$", "", cell.strip(" \t")) for cell in cells]


def is_query_header(line: str) -> bool:
    cells = line.split(",")
    if any(re.match(r"[ \t]*[0-9]", cell) for cell in cells):
        return False
    known = sum(name in QUERY_COLUMNS for name in query_names(cells))
    return known > 0 and 2 * known >= len(cells)


def sentinel(cell: str) -> bool:
    text = cell.strip(" \t").lower()
    return text in ("", "n/a", "-", "unknown", "err!") or (text.startswith("[") and text.endswith("]"))


def is_nine_row(line: str) -> bool:
    """A headerless row of the reference's nine columns."""
    cells = line.split(",")
    if len(cells) != 9 or query_time(cells[0]) is None or "." not in cells[0]:
        return False
    return sum(reading(c, UNITS[QUERY_COLUMNS[n]]) is not None or sentinel(c)
               for n, c in zip(NINE[1:], cells[1:])) >= 6


def is_whole_row(line: str, plan: list[str | None]) -> bool:
    """A last line without its end counts if all cells are there and the last has its unit or its bracket."""
    cells = line.split(",")
    last, unit = cells[-1].strip(" \t\r"), UNITS.get(plan[-1])
    return len(cells) == len(plan) and plan[-1] in UNITS and (
        bool(unit) and last.endswith(" " + unit) and reading(last, unit) is not None or sentinel(last) and last[-1:] == "]")


def read_query(path: str, data: bytes) -> Input | None:
    lines, torn = cut_lines(data)
    tail = data.rpartition(b"\n")[2].decode("latin-1")
    if not any(is_query_header(line) or is_nine_row(line) for line in lines):
        return None
    out = Input(path, QUERY)
    out.lines = len(lines) + torn
    plan = [QUERY_COLUMNS[name] for name in NINE]
    hard = False
    for k, line in enumerate(lines + [tail] * torn):
        if k == len(lines) and not is_whole_row(line, plan):
            out.reject("torn_tail")
            continue
        if not line.strip(" \t"):
            out.blank += 1
            continue
        if is_message(line) or line.lstrip(" \t").startswith("#"):
            out.messages += 1
            hard = True
            continue
        if is_query_header(line):
            plan = [QUERY_COLUMNS.get(name) for name in query_names(line.split(","))]
            out.keyed = out.keyed or any(c in ("@index", "@uuid", "@bus") for c in plan)
            out.header += 1
            hard = True
            continue
        reason, row = query_row(line, plan)
        if row is None:
            out.reject(reason)
            hard = True
            continue
        row.hard, hard = hard, False
        out.rows.append(row)
    return out


def query_row(line: str, plan: list[str | None]) -> tuple[str, Row | None]:
    if len(line) > LINE_CAP:
        return "too_long", None
    if "," not in line and len(plan) > 1:
        return "foreign", None
    cells = line.split(",")
    if len(cells) != len(plan):
        return "bad_width", None
    stamp, key, values = (None, False), {}, {}
    for name, cell in zip(plan, cells):
        cell = cell.strip(" \t")
        if name == "@time":
            stamp = query_time(cell)
            if stamp is None:
                return "bad_time", None
        elif name == "@index":
            if re.fullmatch(r"[0-9]+", cell, re.ASCII):
                key["index"] = int(cell)
        elif name == "@uuid":
            if re.fullmatch(r"(GPU|MIG)-\S+", cell, re.ASCII):
                key["uuid"] = cell
        elif name == "@bus":
            m = re.fullmatch(r"([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])", cell, re.ASCII)
            if m:
                key["bus"] = (m[1].zfill(8) + ":" + m[2]).upper()
        elif name is not None:
            value = plausible(name, cell, UNITS[name])
            if value is not None:
                values[name] = value
    if not values:
        return "bad_number", None
    return "", Row(stamp[0], stamp[1], key, values, None)


def read_dmon(path: str, data: bytes) -> Input | None:
    lines, torn = cut_lines(data)
    if not any(dmon_header(line) for line in lines):
        return None
    out = Input(path, DMON)
    out.lines = len(lines) + torn
    out.keyed = True
    plan: list[str | None] = []
    for line in lines:
        if not line.strip(" \t"):
            out.blank += 1
        elif dmon_header(line):
            plan = dmon_header(line)
            out.header += 1
        elif re.match(r"#?\s*(Idx|HH:MM:SS|YYYYMMDD)\s", line):
            out.header += 1
        elif is_message(line) or line.startswith("#"):
            out.messages += 1
        else:
            reason, row = dmon_row(line, plan)
            if reason == "message":  # a GPU without such counters
                out.messages += 1
            elif row is None:
                out.reject(reason)
            else:
                out.rows.append(row)
    if torn:
        out.reject("torn_tail")
    return out


def dmon_header(line: str) -> list[str | None] | None:
    words = line.strip(" \t").removeprefix("#").lower().split()
    if len(words) < 2 or words[0] not in ("gpu", "time", "date") or "gpu" not in words[:3]:
        return None
    plan = [DMON_COLUMNS.get(word) for word in words]
    return plan if sum(name is not None for name in plan) >= 2 else None


def dmon_row(line: str, plan: list[str | None]) -> tuple[str, Row | None]:
    if len(line) > LINE_CAP:
        return "too_long", None
    cells = line.split()
    if not re.match(r"[-0-9]", cells[0]):
        return "foreign", None
    if len(cells) != len(plan):
        return "bad_width", None
    key, values, date, clock = {}, {}, None, None
    for name, cell in zip(plan, cells):
        if name == "@date":
            date = cell
        elif name == "@clock":
            clock = cell
        elif name == "@index":
            if re.fullmatch(r"[0-9]+", cell, re.ASCII):
                key["index"] = int(cell)
        elif name is not None:
            value = plausible(name, cell, None)
            if value is not None:
                values[name] = value
    t = None
    if "@date" in plan:
        d = re.fullmatch(r"(\d{4})(\d\d)(\d\d)", date, re.ASCII)
        c = re.fullmatch(r"(\d\d):(\d\d):(\d\d)", clock, re.ASCII)
        t = naive_ms(*map(int, d.groups()), *map(int, c.groups()), "") if d and c else None
        if t is None:
            return "bad_time", None
    if not values:
        counters = [cell for name, cell in zip(plan, cells) if name and name[0] != "@"]
        return "bad_number" if set(counters) != {"-"} else "message", None
    return "", Row(t, False, key, values, None)


def read_host(path: str, data: bytes) -> Input | None:
    lines, torn = cut_lines(data)
    first = next((line for line in lines if line.strip(" \t")), "")
    if not first.startswith("timestamp,usr_pct,idle_pct"):
        return None
    out = Input(path, HOST)
    out.lines = len(lines) + torn
    for line in lines:
        cells = [cell.strip(" \t") for cell in line.split(",")]
        if not line.strip(" \t"):
            out.blank += 1
        elif is_message(line) or line.startswith("#"):
            out.messages += 1
        elif cells[:3] == ["timestamp", "usr_pct", "idle_pct"]:
            out.header += 1
        elif len(line) > LINE_CAP:
            out.reject("too_long")
        elif len(cells) == 1:
            out.reject("foreign")
        elif len(cells) != 3:
            out.reject("bad_width")
        elif iso_us(cells[0]) is None:
            out.reject("bad_time")
        else:
            values = {name: plausible(name, cell, "%") for name, cell in zip(("cpu_usr_pct", "cpu_idle_pct"), cells[1:])}
            values = {name: value for name, value in values.items() if value is not None}
            if values:
                out.rows.append(Row(iso_us(cells[0]) // 1000, False, {}, values, None))
            else:
                out.reject("bad_number")
    if torn:
        out.reject("torn_tail")
    return out


class Number(str):
    """The text of a JSON number; Fraction(text) is its exact value."""


def is_named(entry: dict) -> bool:
    """A phase with its name, or an event with its own."""
    name = {"phase": "name", "event": "event"}.get(entry.get("type"))
    return name is not None and isinstance(entry.get(name), str)


def read_runlog(path: str, data: bytes) -> Input | None:
    parts = data.split(b"\n")
    try:  # a last line without its end counts if its object is closed
        if isinstance(json.loads(parts[-1].decode(errors="replace")), dict):
            parts.append(b"")
    except ValueError:
        pass
    torn = len(parts[-1]) > 0
    out = Input(path, RUNLOG)
    out.lines = len(parts) - 1 + torn
    for raw in parts[:-1]:
        raw = raw.removesuffix(b"\r")
        if not raw.strip(b" \t"):
            out.blank += 1
            continue
        if len(raw) > LINE_CAP:
            out.reject("too_long")
            continue
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            out.reject("encoding")
            continue
        if is_message(text):
            out.messages += 1
            continue
        try:
            entry = json.loads(text, parse_float=Number, parse_int=Number, parse_constant=lambda name: None)
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or "ts" not in entry or not is_named(entry):
            out.reject("foreign")
        elif iso_us(entry["ts"]) is None:
            out.reject("bad_time")
        elif entry["type"] == "phase" and not isinstance(entry.get("seconds"), Number):
            out.reject("bad_number")
        else:
            entry["_us"] = iso_us(entry["ts"])
            seconds = entry["seconds"] if entry["type"] == "phase" else 0
            entry["_span"] = half_even(Fraction(seconds) * MILLION)
            out.entries.append(entry)
    if torn:
        out.reject("torn_tail")
    return out if out.entries or out.rejected["bad_time"] or out.rejected["bad_number"] else None


# ---- small rules -----------------------------------------------------------------------------------------

def lower_median(values: list[int]) -> int | None:
    return sorted(values)[(len(values) - 1) // 2] if values else None


def dt_class(dt: int) -> int:
    """Bit length and the three bits below the top one."""
    bits = dt.bit_length()
    below = dt - (1 << (bits - 1))
    three = below >> (bits - 4) if bits >= 4 else below << (4 - bits)
    return 8 * (bits - 1) + three


def gap_limit(dts: list[int]) -> int:
    """The largest class that is no gap."""
    middle = lower_median(dts)
    return dt_class(max(10 * (middle or 0), 2000))


def count_gaps(dts: list[int]) -> int:
    return sum(dt_class(dt) > gap_limit(dts) for dt in dts)


# ---- which GPU: rows without a key -----------------------------------------------------------------------

class Plan:
    """size GPUs (0: undecided, 1: one GPU); a row begins a sweep iff x < 0 or x*x > product."""

    def __init__(self, size: int, product: int = 0):
        self.size, self.product = size, product


def sweep_sizes(times: list[int], hard: list[bool], product: int) -> list[int]:
    sizes: list[int] = []
    for i, t in enumerate(times):
        x = t - times[i - 1] if i else -1
        if i == 0 or hard[i] or x < 0 or x * x > product:
            sizes.append(0)
        sizes[-1] += 1
    return sizes


def judged(times: list[int], hard: list[bool], a: int, b: int) -> tuple[int, Fraction] | None:
    """Size and share of whole sweeps, if a cut between the distances a and b passes."""
    sizes = sweep_sizes(times, hard, a * b)
    full = sizes[1:-1]
    ends = [sizes[0], sizes[-1]]
    if not full:
        full, ends = sizes, []
    votes = collections.Counter(full)
    size = max(votes, key=lambda s: (votes[s], s))
    full = full + [s for s in ends if s == size]
    share = Fraction(full.count(size), len(full))
    if not 2 <= size <= 32 or len(full) < 2 or share <= Fraction(60, 100):
        return None
    if max(sizes[0], sizes[-1]) > size or len(sizes) < 4 and b < 10 * a:
        return None
    return size, share


def one_gpu(d: list[int], pos: list[int]) -> bool:
    if not pos:
        return False
    median, p10 = pos[(len(pos) - 1) // 2], pos[(len(pos) - 1) // 10]
    enough = len(pos) >= 32 and median >= 3 or median > 100
    slow = sum(x >= 3 * median for x in d)
    return enough and 3 * p10 >= median and slow <= (len(d) + 19) // 20


def gpu_plan(times: list[int], hard: list[bool] | None = None) -> Plan:
    times = times[:PLAN_ROWS]
    hard = (hard or [False] * len(times))[:PLAN_ROWS]
    if len(times) == 1:
        return Plan(1)
    d = [b - a for a, b in zip(times, times[1:])]
    pos = sorted(max(x, 1) for x in d if x >= 0)
    pairs = [(a, b) for a, b in zip(pos, pos[1:]) if a <= 100 and b > a]
    cuts = []
    for a, b in pairs:
        found = judged(times, hard, a, b)
        if found:
            cuts.append((found[1], Fraction(b, a), found[0], a * b))
    wide = [c for c in cuts if c[1] >= 2]
    if wide:
        best = max(wide, key=lambda c: c[:2])
        plan = Plan(best[2], best[3])
    else:
        plan = Plan(1 if one_gpu(d, pos) else 0)
    for a, b in pairs:                           # a larger multiple: half sweeps, or two that look like one
        if plan.size == 0 or b < a + 2 or b <= 10 or plan.size > 1 and 2 * b < 3 * a:
            continue
        found = judged(times, hard, a, b)
        if found and found[0] > plan.size and found[0] % plan.size == 0:
            return Plan(0)
    return plan


def sweeps(rows: list[Row], plan: Plan) -> list[list[Row]]:
    out: list[list[Row]] = []
    for i, row in enumerate(rows):
        x = row.t - rows[i - 1].t if i else -1
        if i == 0 or row.hard or x < 0 or x * x > plan.product:
            out.append([])
        out[-1].append(row)
    return out


# ---- which GPU: the run's devices ------------------------------------------------------------------------

class Gpu:
    def __init__(self):
        self.index, self.uuid, self.bus = None, None, None
        self.rows: dict[str, list[Row]] = {}     # format -> kept rows, in the order of the file
        self.limit: dict[str, int] = {}          # format -> the largest class that is no gap


def keyed_gpus(inputs: list[Input]) -> list[Gpu]:
    """Groups of key values that rows join; two rows that share a uuid, bus id or index are one GPU."""
    groups: list[set] = []
    for input in inputs:
        for row in input.rows:
            tokens = set(row.key.items())
            if not tokens:
                continue
            same = [g for g in groups if g & tokens]
            groups = [g for g in groups if not g & tokens]
            groups.append(tokens.union(*same))
    per_input = [{id(g): g for row in i.rows for g in groups if g & set(row.key.items())} for i in inputs]
    if len(per_input) == 2 and all(len(p) == 1 for p in per_input) and len(groups) == 2:
        groups = [groups[0] | groups[1]]         # two files of one GPU each are the same GPU
    out = []
    for group in groups:
        gpu = Gpu()
        for name, value in sorted(group, reverse=True):
            setattr(gpu, name, value)
        out.append(gpu)
        for input in inputs:
            for row in input.rows:
                if group & set(row.key.items()):
                    row.gpu = gpu
    return out


def attribute(inputs: list[Input]) -> list[Gpu]:
    keyed = [i for i in inputs if i.keyed]
    gpus = keyed_gpus(keyed)
    gpus.sort(key=lambda g: (g.index is None, g.index or 0, g.uuid or "", g.bus or ""))
    for input in inputs:
        if input.keyed or not input.rows:
            continue
        plan = gpu_plan([r.t for r in input.rows], [r.hard for r in input.rows])
        if plan.size == 0:
            continue
        if not gpus:
            for ordinal in range(plan.size):
                gpu = Gpu()
                gpu.index = ordinal
                gpus.append(gpu)
        elif len(gpus) != plan.size:             # the numbers disagree: pooled
            for sweep in sweeps(input.rows, plan) if plan.size > 1 else [[row] for row in input.rows]:
                for lane, row in enumerate(sweep if len(sweep) == plan.size else []):
                    row.lane = lane
            continue
        if plan.size == 1:
            for row in input.rows:
                row.gpu = gpus[0]
            continue
        for sweep in sweeps(input.rows, plan):
            if len(sweep) == plan.size:
                for ordinal, row in enumerate(sweep):
                    row.gpu = gpus[ordinal]
    return gpus


def drop_duplicates(input: Input) -> None:
    """A keyed row with a fine stamp equal to that of the previous kept row of its GPU."""
    last: dict[int, Row] = {}
    kept = []
    for row in input.rows:
        if row.gpu is not None and input.keyed:
            before = last.get(id(row.gpu))
            if before is not None and row.fine and before.fine and before.t == row.t:
                input.duplicates += 1
                continue
            last[id(row.gpu)] = row
        kept.append(row)
    input.rows = kept


# ---- intervals -------------------------------------------------------------------------------------------

def segments(rows: list[Row]) -> list[list[Row]]:
    """Cut where time goes back; rows without a time have none."""
    out: list[list[Row]] = []
    for row in rows:
        if row.t is None:
            continue
        if not out or row.t < out[-1][-1].t:
            out.append([])
        out[-1].append(row)
    return out


def intervals(rows: list[Row], metric: str | None = None) -> list[tuple[Row, Row, int]]:
    """Consecutive rows (of those that have the metric) in one segment, dt > 0."""
    out = []
    for segment in segments(rows):
        if metric:
            segment = [row for row in segment if metric in row.values]
        out += [(a, b, b.t - a.t) for a, b in zip(segment, segment[1:]) if b.t > a.t]
    return out


def within(pairs: list[tuple[Row, Row, int]], limit: int) -> list[tuple[Row, Row, int]]:
    return [p for p in pairs if dt_class(p[2]) <= limit]


def area(pairs: list[tuple[Row, Row, int]], metric: str) -> int:
    """Twice the integral, in millionths x ms."""
    return sum((a.values[metric] + b.values[metric]) * dt for a, b, dt in pairs)


# ---- statistics ------------------------------------------------------------------------------------------

def statistics(name: str, values: list[int], time_mean: Fraction | None) -> dict:
    """Of readings in millionths; all results in the metric's unit."""
    x = sorted(values)
    n, s, s2 = len(x), sum(x), sum(v * v for v in x)
    variance = math.floor(Fraction(s2, n) - Fraction(s, n) ** 2)     # docs/numbers.md §2 roots its whole part
    root = math.isqrt(variance)
    root += variance - root * root > root
    out = {"unit": UNITS[name], "count": n, "mean": real(Fraction(s, n * MILLION)), "time_mean": time_mean,
           "min": real(Fraction(x[0], MILLION)), "max": real(Fraction(x[-1], MILLION)),
           "stddev": real(Fraction(root, MILLION))}
    for p in (1, 5, 25, 50, 75, 95, 99):
        i, f = divmod((n - 1) * p, 100)
        value = Fraction(x[i]) if f == 0 else x[i] + Fraction((x[i + 1] - x[i]) * f, 100)
        out[f"p{p}"] = real(value / MILLION)
    out["quantiles"] = "exact"
    return out


def time_mean_of(name: str, rows: list[Row], limit: int | None) -> Fraction | None:
    if name not in TIMED or limit is None:
        return None
    pairs = within(intervals(rows, name), limit)
    hours = sum(dt for _, _, dt in pairs)
    return real(Fraction(area(pairs, name), 2 * hours * MILLION)) if hours else None


def one_decimal(value: Fraction) -> Fraction:
    """To the nearest double, then '%.1f': what Python's round prints."""
    return Fraction("%.1f" % (value.numerator / value.denominator))


def block(gpu_values: dict[str, list[int]], host_values: dict[str, list[int]], jax: Fraction | None) -> dict:
    def mean(values):
        return one_decimal(Fraction(sum(values), len(values) * MILLION)) if values else None

    def most(values):
        return one_decimal(Fraction(max(values), MILLION)) if values else None

    util, power = gpu_values.get("gpu_util_pct"), gpu_values.get("power_w")
    mem = gpu_values.get("mem_util_pct")
    out = {"peak_vram_mb": most(gpu_values.get("fb_used_mib")),
           "gpu_util_mean_pct": mean(util), "gpu_util_max_pct": most(util),
           "power_watts_mean": mean(power), "power_watts_max": most(power),
           "cpu_usr_mean_pct": mean(host_values.get("cpu_usr_pct")),
           "cpu_idle_mean_pct": mean(host_values.get("cpu_idle_pct"))}
    if jax is not None and jax > 0:
        out["jax_peak_bytes_mb"] = one_decimal(jax)
    if mem and sum(mem) > 0:
        out["mem_util_mean_pct"] = mean(mem)
        out["mem_util_max_pct"] = most(mem)
    return out


# ---- sources ---------------------------------------------------------------------------------------------

def sources(metric: str) -> tuple[str, str]:
    """The formats that may feed a metric, the first that has it does."""
    return (DMON, QUERY) if metric == "mem_util_pct" else (QUERY, DMON)


def source(gpu: Gpu, metric: str) -> str | None:
    """The one format that feeds a metric of a GPU."""
    return next((f for f in sources(metric) if any(metric in row.values for row in gpu.rows.get(f, []))), None)


def main_format(gpu: Gpu) -> str | None:
    """The format that counts samples, covered and idle time."""
    return source(gpu, "gpu_util_pct") or next((f for f in (QUERY, DMON) if gpu.rows.get(f)), None)


def metric_names(gpu: Gpu) -> list[str]:
    return [name for name in UNITS if source(gpu, name)]


# ---- idle ------------------------------------------------------------------------------------------------

def is_idle(row: Row) -> bool:
    return row.values["gpu_util_pct"] <= IDLE_LIMIT


def longest_idle_ms(rows: list[Row]) -> int | None:
    best, seen = 0, False
    for segment in segments(rows):
        run = 0
        for a, b in zip(segment, segment[1:]):
            dt = b.t - a.t
            known = "gpu_util_pct" in b.values
            seen = seen or known and dt > 0
            if dt > IDLE_BREAK_MS or known and not is_idle(b):
                run = 0
            elif known:
                run += dt
            best = max(best, run)
    return best if seen else None


class Waste:
    PARTS = ("failed", "unused", "start", "stall", "end")

    def __init__(self):
        self.ms = dict.fromkeys(self.PARTS, 0)

    def add(self, rows: list[Row], limit: int, failed: bool) -> None:
        pairs = within(intervals(rows), limit)
        covered = sum(dt for _, _, dt in pairs)
        known = [row for row in rows if "gpu_util_pct" in row.values]
        work = [i for i, row in enumerate(rows) if "gpu_util_pct" in row.values and not is_idle(row)]
        if failed:
            self.ms["failed"] += covered
        elif known and not work:
            self.ms["unused"] += covered
        elif known:
            place = {id(row): i for i, row in enumerate(rows)}
            for _, b, dt in pairs:
                if "gpu_util_pct" not in b.values or not is_idle(b):
                    continue
                at = place[id(b)]
                part = "start" if at < work[0] else "end" if at > work[-1] else "stall"
                self.ms[part] += dt

    def percent(self, covered: int):
        return real(Fraction(100 * sum(self.ms.values()), covered)) if covered else None

    def json(self) -> dict:
        out = {name: real(Fraction(ms, 3_600_000)) for name, ms in self.ms.items()}
        out["total"] = real(Fraction(sum(self.ms.values()), 3_600_000))
        return out


# ---- time zone -------------------------------------------------------------------------------------------

OFFSETS = sorted([h * 60 for h in range(-12, 15)] + [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630,
                                                     765, 825])


def infer_offset(g0: int, g1: int, u0: int, u1: int, iv: int) -> int | None:
    """Minutes, or None; all arguments in ms."""
    def near(local, utc, tolerance):
        ranked = sorted(OFFSETS, key=lambda o: (abs(local - utc - o * 60_000), abs(o)))
        fits = [o for o in ranked if abs(local - utc - o * 60_000) <= tolerance]
        return ranked[0] if len(fits) == 1 else None

    def overlap(o):
        return max(0, min(g1 - o * 60_000, u1) - max(g0 - o * 60_000, u0))

    found = near(g0, u0, max(10_000, 3 * iv))
    if found is not None:
        return found
    found = near(g1, u1, max(10_000, iv + iv // 2))
    if found is not None and g0 - found * 60_000 <= u1 and u0 <= g1 - found * 60_000:
        return found
    ranked = sorted(OFFSETS, key=lambda o: (-overlap(o), abs(o)))
    first, second = overlap(ranked[0]), overlap(ranked[1])
    shorter = min(g1 - g0, u1 - u0)
    if first and 10 * first >= 9 * shorter and 2 * second <= first:
        return ranked[0]
    return None


def offset_text(minutes: int) -> str:
    return "utc%s%02d:%02d" % ("-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60)


def stamp_text(ms: int, zone: bool) -> str:
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return moment.isoformat(timespec="milliseconds") + ("Z" if zone else "")


# ---- RunLog ----------------------------------------------------------------------------------------------

FAILED_EVENTS = ("error", "exception", "failed", "oom", "killed")
END_EVENTS = ("stop", "end", "done", "finished", "complete")


def places(entry: dict) -> list[dict]:
    """An entry and its data: where named values are looked for."""
    return [entry] + ([entry["data"]] if isinstance(entry.get("data"), dict) else [])


def number_of(entry: dict, key: str) -> Fraction | None:
    for place in places(entry):
        if isinstance(place.get(key), Number):
            return Fraction(place[key])
    return None


def events_of(entries: list[dict]) -> dict[str, int]:
    return dict(sorted(collections.Counter(
        e["event"] for e in entries if e["type"] == "event" and isinstance(e.get("event"), str)).items()))


def peak_of(entries: list[dict], keys: dict[str, int]) -> Fraction | None:
    found = [number_of(e, key) / unit for e in entries if e["type"] in ("event", "phase")
             for key, unit in keys.items() if number_of(e, key) is not None]
    return max(found, default=None)


def exit_code_of(entries: list[dict]) -> int | None:
    stops = [e for e in entries if e["type"] == "event" and e.get("event") == "stop"]
    codes = [number_of(e, "exit_status") for e in stops]
    codes = [int(c) for c in codes if c is not None]
    return next((c for c in codes if c), 0) if codes else None


def state_of(entries: list[dict], has_log: bool, has_gpu: bool) -> str:
    events = events_of(entries)
    if any(name in events for name in FAILED_EVENTS) or exit_code_of(entries):
        return "failed"
    if not has_gpu:
        return "no-data"
    if any(name in events for name in END_EVENTS):
        return "ok"
    return "cut" if has_log and "start" in events else "unknown"


def recorded_offset(entries: list[dict]) -> int | None:
    """utc_offset_s of the start event, in minutes."""
    for entry in entries:
        if entry["type"] == "event" and entry.get("event") == "start":
            seconds = number_of(entry, "utc_offset_s")
            if seconds is not None:
                return int(seconds) // 60
    return None


# ---- a run -----------------------------------------------------------------------------------------------

READERS = {"hw_metrics.csv": read_query, "hw_dmon.csv": read_dmon, "cpu_metrics.csv": read_host,
           "run.jsonl": read_runlog}


def is_named_apart(run: Run) -> bool:
    """Did one row name a GPU by one key and the next by another, before a row had both? What was read by then is
    two GPUs to a reader that reads once, and their intervals are not those of one."""
    for input in run.gpu_inputs:
        seen: dict[int, set] = {}
        for row in input.rows:
            keys = set(row.key.items())
            known = seen.setdefault(id(row.gpu), set())
            if known and keys and not known & keys:
                return True
            known |= keys
    return False


class Run:
    def __init__(self, directory: Path):
        self.inputs: list[Input] = []
        for name in sorted(READERS):
            path = directory / name
            if path.is_file():
                input = READERS[name](name, path.read_bytes())
                if input:
                    self.inputs.append(input)
        self.gpu_inputs = [i for i in self.inputs if i.format in (QUERY, DMON)]
        self.gpus = attribute(self.gpu_inputs)
        for input in self.gpu_inputs:
            drop_duplicates(input)
            self.count_intervals(input)
        self.gpus = [g for g in self.gpus if g.rows]
        self.pooled = Gpu()
        for input in self.gpu_inputs:
            rows = [row for row in input.rows if row.gpu is None]
            if rows:
                self.pooled.rows[input.format] = rows
        self.host = next((i for i in self.inputs if i.format == HOST), None)
        self.host_rows = self.host.rows if self.host else []
        if self.host:
            self.host.dts = [dt for _, _, dt in intervals(self.host_rows)]
            self.host.gaps = count_gaps(self.host.dts)
        log = next((i for i in self.inputs if i.format == RUNLOG), None)
        self.has_log = log is not None
        self.entries = log.entries if log else []
        self.all_gpus = self.gpus + ([self.pooled] if self.pooled.rows else [])
        self.find_zone()
        self.spread()

    def count_intervals(self, input: Input) -> None:
        for gpu in self.gpus:
            rows = [row for row in input.rows if row.gpu is gpu]
            if rows:
                gpu.rows[input.format] = rows
                input.dts += [dt for _, _, dt in intervals(rows)]
        for gpu in self.gpus:
            if input.format in gpu.rows:
                gpu.limit[input.format] = gap_limit(input.dts)
        input.gaps = count_gaps(input.dts)

    # -- time

    def find_zone(self) -> None:
        timed = [[r.t for r in i.rows if r.t is not None] for i in self.gpu_inputs]
        timed = [t for t in timed if t]
        utc = [[r.t for r in self.host_rows], [e["_us"] // 1000 for e in self.entries]]
        utc = [u for u in utc if u]
        self.local, self.offset, self.time_base, self.zone_is_open = bool(timed), None, None, False
        if not timed:
            self.time_base = "utc" if utc else None
            return
        self.offset = recorded_offset(self.entries)
        if self.offset is not None:
            self.time_base = offset_text(self.offset) + " from the run log"
            return
        if utc:
            every = [lower_median(i.dts) for i in self.inputs if i.dts]
            ends = (min(t[0] for t in timed), max(t[-1] for t in timed), min(u[0] for u in utc), max(u[-1] for u in utc))
            self.offset = infer_offset(*ends, max(every, default=0))
            # Pooled rows have no interval. What the beginning of such a log seems to have decides in smilog.
            pooled = [max(b - a for a, b in zip(t, t[1:] + t[-1:])) for t in
                      ([r.t for r in i.rows if r.t is not None] for i in self.gpu_inputs if not i.dts) if t]
            self.zone_is_open = self.offset != infer_offset(*ends, max(every + pooled, default=0))
        self.time_base = ("local, zone not known" if self.offset is None
                          else offset_text(self.offset) + " inferred")

    def spread(self) -> None:
        """dmon without times beside a timed input: row k of a GPU is at start + k (last - first) / (rows - 1). The clock
        of a log may have stepped back, its last row before its first: time goes forward all the same."""
        local = [[r.t for r in i.rows if r.t is not None] for i in self.gpu_inputs]
        local = [sorted((t[0], t[-1])) for t in local if t]
        utc = sorted(r.t for r in (self.host_rows[:1] + self.host_rows[-1:]))
        if local and self.offset is None:
            return
        if local:
            first, last = (t - self.offset * 60_000 for t in (min(t[0] for t in local), max(t[-1] for t in local)))
        elif utc:
            first, last = utc[0], utc[-1]
        elif self.entries:
            first = min(e["_us"] - e["_span"] for e in self.entries) // 1000
            last = max(e["_us"] for e in self.entries) // 1000
        else:
            return
        for gpu in self.all_gpus:
            rows = [row for row in gpu.rows.get(DMON, [])]
            if any(row.t is not None for row in rows):
                continue
            for k, row in enumerate(rows):
                row.guess = first + ((last - first) * k // (len(rows) - 1) if k else 0)

    def utc(self, row: Row) -> int | None:
        """A GPU row's time in UTC ms, None when it is not known."""
        if row.t is None:
            return row.guess
        return None if self.offset is None else row.t - self.offset * 60_000

    def tracks(self) -> tuple[list, list]:
        """(GPU tracks on their own clock, UTC tracks), each a list of (first, last) in ms."""
        gpu = []
        for one in self.all_gpus:
            for rows in one.rows.values():
                for lane in {row.lane for row in rows}:
                    own = [row for row in rows if row.lane == lane]
                    gpu.append([(s[0].t, s[-1].t) for s in segments(own)])
        utc = [[(s[0].t, s[-1].t) for s in segments(self.host_rows)]]
        if self.entries:
            utc.append([(min(e["_us"] - e["_span"] for e in self.entries) // 1000,
                         max(e["_us"] for e in self.entries) // 1000)])
        return [t for t in gpu if t], [t for t in utc if t]

    def times(self) -> dict:
        def duration(tracks):
            """What lies behind a step back counts where no other time is; a GPU's segments do in any case."""
            begin, end = min(t[0][0] for t in tracks), max(t[0][1] for t in tracks)
            later = [span for t in tracks for span in t[1:]]
            more = 0
            if later:
                low, high = min(a for a, _ in later), max(b for _, b in later)
                more = min(high - low - max(0, min(high, end) - max(low, begin)),
                           max(sum(b - a for a, b in t[1:]) for t in tracks))
            return max(end - begin + more, max(sum(b - a for a, b in t) for t in tracks))

        gpu, utc = self.tracks()
        if gpu and self.offset is not None:
            gpu = [[(a - self.offset * 60_000, b - self.offset * 60_000) for a, b in t] for t in gpu]
            bases, zone = [gpu + utc], True
        else:
            bases, zone = [b for b in (gpu, utc) if b], not gpu
        out = {"start": None, "end": None, "duration_s": None,
               "segments": max(map(len, gpu + utc), default=0)}
        if bases:
            spans = [span for track in bases[0] for span in track]
            out["start"] = stamp_text(min(a for a, _ in spans), zone)
            out["end"] = stamp_text(max(b for _, b in spans), zone)
            out["duration_s"] = real(Fraction(max(map(duration, bases)), 1000))
        return out

    # -- one GPU

    def gpu_json(self, gpu: Gpu) -> dict:
        main = main_format(gpu)
        rows = gpu.rows.get(main, [])
        out = {"gpu": gpu.index, "uuid": gpu.uuid, "samples": len(rows), "energy_wh": None, "idle_pct": None,
               "coverage_pct": None, "interval_s": None, "interval_max_s": None, "gaps": 0, "gap_s": real(0),
               "available_pct": {}, "metrics": {}}
        every = intervals(rows) if main in gpu.limit else []
        dts = [dt for _, _, dt in every]
        if dts:
            kept = [dt for _, _, dt in within(every, gpu.limit[main])]
            out["interval_s"] = real(Fraction(lower_median(dts), 1000))
            out["interval_max_s"] = real(Fraction(max(dts), 1000))
            out["gaps"] = len(dts) - len(kept)
            out["gap_s"] = real(Fraction(sum(dts) - sum(kept), 1000))
        for name in metric_names(gpu):
            fed = source(gpu, name)
            values = [r.values[name] for r in gpu.rows[fed] if name in r.values]
            out["available_pct"][name] = real(Fraction(100 * len(values), len(gpu.rows[fed])))
            mean = time_mean_of(name, gpu.rows[fed], gpu.limit.get(fed))
            out["metrics"][name] = statistics(name, values, mean)
        covered, known, idle = self.idle_ms(gpu, None)
        if known is not None:
            out["idle_pct"] = real(Fraction(100 * idle, known)) if known else None
            out["coverage_pct"] = real(Fraction(100 * known, covered)) if covered else None
        out["energy_wh"] = real(self.energy(gpu, None))
        return out

    def energy(self, gpu: Gpu, spans: list | None) -> Fraction | None:
        """Wh, exact; None without an interval."""
        fed = source(gpu, "power_w")
        if fed is None or fed not in gpu.limit:
            return None
        pairs = within(intervals(gpu.rows[fed], "power_w"), gpu.limit[fed])
        pairs = [p for p in pairs if self.inside(p[1], spans)]
        return Fraction(area(pairs, "power_w"), 2 * MILLION * 3_600_000) if pairs else None

    def idle_ms(self, gpu: Gpu, spans: list | None) -> tuple:
        """(covered, known, idle) in ms; covered None without an interval."""
        main = main_format(gpu)
        if main is None or main not in gpu.limit:
            return None, None, None
        pairs = within(intervals(gpu.rows[main]), gpu.limit[main])
        pairs = [p for p in pairs if self.inside(p[1], spans)]
        if not pairs:
            return None, None, None
        known = [(b, dt) for _, b, dt in pairs if "gpu_util_pct" in b.values]
        return (sum(dt for _, _, dt in pairs), sum(dt for _, dt in known),
                sum(dt for b, dt in known if is_idle(b)))

    def inside(self, row: Row, spans: list | None) -> bool:
        if spans is None:
            return True
        at = self.utc(row)
        return at is not None and any(a < at * 1000 <= b for a, b in spans)

    def idle_pct(self, spans: list | None) -> Fraction | None:
        parts = [self.idle_ms(gpu, spans) for gpu in self.gpus]
        parts = [p for p in parts if p[0] is not None]
        if not sum(known for _, known, _ in parts):
            return None
        return real(Fraction(100 * sum(p[2] for p in parts), sum(p[0] for p in parts)))

    def total_energy(self, spans: list | None) -> Fraction | None:
        parts = [e for e in (self.energy(gpu, spans) for gpu in self.gpus) if e is not None]
        return real(sum(parts)) if parts else None

    # -- the run

    def gpu_values(self, spans: list | None) -> dict[str, list[int]]:
        out: dict[str, list[int]] = collections.defaultdict(list)
        for gpu in self.all_gpus:
            for name in metric_names(gpu):
                out[name] += [r.values[name] for r in gpu.rows[source(gpu, name)]
                              if name in r.values and self.inside(r, spans)]
        return dict(out)

    def headline_values(self, spans: list | None) -> dict[str, list[int]]:
        """One format a metric, whichever GPU its rows are of, pooled ones too."""
        out: dict[str, list[int]] = {}
        for name in UNITS:
            fed = {source(gpu, name) for gpu in self.all_gpus}
            first = next((f for f in sources(name) if f in fed), None)
            out[name] = [r.values[name] for gpu in self.all_gpus for r in gpu.rows.get(first, [])
                         if name in r.values and self.inside(r, spans)]
        return out

    def host_values(self, spans: list | None) -> dict[str, list[int]]:
        out: dict[str, list[int]] = collections.defaultdict(list)
        for row in self.host_rows:
            if spans is None or any(a < row.t * 1000 <= b for a, b in spans):
                for name, value in row.values.items():
                    out[name].append(value)
        return dict(out)

    def vram(self) -> dict:
        def readings(gpu):
            rows = gpu.rows.get(source(gpu, "fb_used_mib"), [])
            return [r.values["fb_used_mib"] for r in rows if "fb_used_mib" in r.values]

        every = [v for v in map(readings, self.all_gpus) if v]
        named = [v for v in map(readings, self.gpus) if v]
        device = max((max(v) for v in every), default=None)
        out = {"device_peak_mb": None, "all_gpus_peak_mb": None, "used_peak_mb": None, "source": None,
               "total_mb": None}
        if device is not None:
            out["device_peak_mb"] = real(Fraction(device, MILLION))
            out["all_gpus_peak_mb"] = real(Fraction(sum(max(v) for v in named or every), MILLION))
            out["used_peak_mb"], out["source"] = out["device_peak_mb"], "device"
        jax = self.jax()
        torch = peak_of(self.entries, {"torch_max_memory_allocated": 2**20})
        peak, name = max(((p, n) for p, n in ((jax, "jax"), (torch, "torch")) if p is not None and p > 0),
                         key=lambda pair: pair[0], default=(None, None))
        if name:
            out["used_peak_mb"], out["source"] = real(peak), name
        fullest = None if name else max((g for g in self.all_gpus if readings(g)), default=None,
                                        key=lambda gpu: max(readings(gpu)))
        out["total_mb"] = self.vram_total(fullest)
        return out

    def vram_total(self, fullest: Gpu | None) -> Fraction | None:
        """What every GPU has; where they differ, what the GPU has whose peak it is."""
        total = {id(gpu): max((row.values["fb_total_mib"] for row in gpu.rows[source(gpu, "fb_total_mib")]
                               if "fb_total_mib" in row.values), default=None)
                 for gpu in self.all_gpus if source(gpu, "fb_total_mib")}
        same = set(total.values())
        one = same.pop() if len(same) == 1 else total.get(id(fullest))
        return None if one is None else real(Fraction(one, MILLION))

    def jax(self) -> Fraction | None:
        return peak_of(self.entries, {"jax_peak_bytes_mb": 1, "peak_bytes_in_use": 2**20})

    def phases(self) -> list[dict]:
        names: dict[str, list] = collections.defaultdict(list)
        for e in self.entries:
            if e["type"] == "phase" and isinstance(e.get("name"), str):
                names[e["name"]].append((e["_us"] - e["_span"], e["_us"], Fraction(e["seconds"])))
        out = []
        for name, found in sorted(names.items(), key=lambda item: (min(f[0] for f in item[1]), item[0])):
            spans = [(a, b) for a, b, _ in found]
            samples = sum(self.inside(row, spans) for gpu in self.all_gpus
                          for row in gpu.rows.get(main_format(gpu), []))
            out.append({"name": name, "count": len(found),
                        "seconds": real(Fraction(sum(half_even(f[2] * MILLION) for f in found), MILLION)),
                        "summary": block(self.headline_values(spans), self.host_values(spans), None),
                        "energy_wh": self.total_energy(spans), "idle_pct": self.idle_pct(spans),
                        "samples": samples})
        return out

    def json(self, name: str) -> dict:
        state = state_of(self.entries, self.has_log, bool(self.gpu_values(None)))
        covered = [c for c in (self.idle_ms(g, None)[0] for g in self.gpus) if c is not None]
        longest = [longest_idle_ms(g.rows[main_format(g)]) for g in self.gpus if main_format(g)]
        longest = [ms for ms in longest if ms is not None]
        waste = Waste()
        used = any("gpu_util_pct" in row.values for gpu in self.gpus for rows in gpu.rows.values() for row in rows)
        for gpu in self.gpus:
            main = main_format(gpu)
            if main in gpu.limit:
                waste.add(gpu.rows[main], gpu.limit[main], state == "failed")
        host = {"metrics": {}}
        for metric in ("cpu_usr_pct", "cpu_idle_pct"):
            values = self.host_values(None).get(metric)
            if values:
                mean = time_mean_of(metric, self.host_rows, gap_limit(self.host.dts))
                host["metrics"][metric] = statistics(metric, values, mean)
        out = {"run": name, "state": state, "exit_code": exit_code_of(self.entries)}
        out.update(self.times())
        out.update({
            "time_base": self.time_base,
            "summary": block(self.headline_values(None), self.host_values(None), self.jax()),
            "covered_s": real(Fraction(max(covered), 1000)) if covered else None,
            "energy_wh": self.total_energy(None),
            "vram": self.vram(),
            "idle_pct": self.idle_pct(None),
            "longest_idle_s": real(Fraction(max(longest), 1000)) if longest else None,
            "gpu_hours": real(Fraction(sum(covered), 3_600_000)) if covered else None,
            "wasted_h": waste.json() if covered and (state == "failed" or used)
            else dict.fromkeys((*Waste.PARTS, "total")),
            "wasted_pct": waste.percent(sum(covered)) if covered and (state == "failed" or used) else None,
            "gpus": [self.gpu_json(gpu) for gpu in self.all_gpus],
            "host": host,
            "phases": self.phases(),
            "events": events_of(self.entries),
            "inputs": [i.json() for i in self.inputs],
        })
        return out


def summarise(directory: str | Path) -> dict | None:
    """The run in one directory; None when nothing in it is a log."""
    directory = Path(directory)
    run = Run(directory)
    return run.json(directory.name) | {"open": run.zone_is_open or is_named_apart(run)} if run.inputs else None


# ---- printing --------------------------------------------------------------------------------------------

def real_text(value: Fraction) -> str:
    """Sign, integer part, point, 1 to 6 digits, trailing zeros cut to one."""
    millionths = half_even(value * MILLION)
    whole, rest = divmod(abs(millionths), MILLION)
    digits = ("%06d" % rest).rstrip("0") or "0"
    return "%s%d.%s" % ("-" if millionths < 0 else "", whole, digits)


def json_text(value: object, indent: int = 0) -> str:
    pad = "  " * indent
    if isinstance(value, Fraction):
        return real_text(value)
    if isinstance(value, dict) and value:
        body = ",\n".join(f"{pad}  {json.dumps(k)}: {json_text(v, indent + 1)}" for k, v in value.items())
        return "{\n" + body + "\n" + pad + "}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(pad + "  " + json_text(v, indent + 1) for v in value) + "\n" + pad + "]"
    return json.dumps(value)


# ---- selftest --------------------------------------------------------------------------------------------

def rows_at(times, name="power_w", values=None) -> list[Row]:
    return [Row(t, True, {}, {} if v is None else {name: v * MILLION}, None)
            for t, v in zip(times, values or [0] * len(times))]


def joules(times, values) -> Fraction | None:
    rows = rows_at(times, "power_w", values)
    limit = gap_limit([dt for _, _, dt in intervals(rows)])
    pairs = within(intervals(rows, "power_w"), limit)
    return Fraction(area(pairs, "power_w"), 2 * MILLION * 1000) if pairs else None


def steps(*parts) -> list[int]:
    times = [0]
    for dt, count in parts:
        for _ in range(count):
            times.append(times[-1] + dt)
    return times


def counted(text: str) -> tuple[int, int, list[str]]:
    """(rows, duplicates, power of the rows) of a query log."""
    import tempfile
    with tempfile.TemporaryDirectory() as d:
        (Path(d) / "hw_metrics.csv").write_text(text)
        run = Run(Path(d))
        one = run.inputs[0]
        return len(one.rows), one.duplicates, [r.values.get("power_w", 0) // MILLION for r in one.rows]


def selftest() -> int:
    failed = 0

    def check(what, got, want):
        nonlocal failed
        if got != want:
            failed += 1
            print(f"{what}: {got}, not {want}")

    check("gap 1", count_gaps([110] * 40 + [582]), 0)
    check("gap 2", count_gaps([2000] * 40 + [30000]), 1)
    check("gap 3", count_gaps([1000] * 10 + [180580]), 1)
    check("gap 4", count_gaps([7] * 100 + [1500]), 0)
    check("class", [dt_class(x) for x in (1, 2, 3, 8, 9, 15, 16, 17, 18)],
          [0, 8, 12, 24, 25, 31, 32, 32, 33])
    check("energy 1", joules([0, 36_000], [100, 100]), 3600)
    check("energy 2", joules([0, 2000, 4000], [0, 200, 0]), 400)
    check("energy 3", joules([0, 1000, 2000], [100, None, 100]), 200)
    check("energy 4", joules([0], [100]), None)
    check("gpus 1", gpu_plan([0, 1, 1, 2, 1003, 1004, 1004, 1005, 2006, 2007, 2007, 2008]).size, 4)
    check("gpus 2", gpu_plan([0, 50, 100, 151, 201] + [201 + 50 * i for i in range(1, 36)]).size, 1)
    check("gpus 3", gpu_plan(steps(*([(1003, 31), (3939, 1)] * 8))[:256]).size, 1)
    check("gpus 4", gpu_plan([0, 7, 14, 21, 28]).size, 0)
    check("gpus 5", gpu_plan([7 * i for i in range(40)]).size, 1)
    check("gpus 6", gpu_plan([5]).size, 1)
    minute, hour = 60_000, 3_600_000
    g0 = 10 * minute + 46_000
    check("zone 1", infer_offset(g0, g0 + 2000, g0 - 2 * hour, g0 - 2 * hour, 2000), 120)
    check("zone 2", infer_offset(345 * minute + 1200, 345 * minute + hour, 0, hour, 2000), 345)
    check("zone 3", infer_offset(0, hour, 7 * minute, 7 * minute + hour + 20 * minute, 2000), None)
    head = "timestamp, index, power.draw [W]\n"
    row = "2026/07/03 00:00:01.000, {}{}\n".format
    check("duplicate 1", counted(head + row("0, ", "50") + row("0, ", "51")), (1, 1, [50]))
    bare = "timestamp, power.draw [W]\n"
    check("duplicate 2", counted(bare + row("", "50") + row("", "51")), (2, 0, [50, 51]))
    cells = ("+5", "1e3", "nan", "1_0", "627.40 W", "5 %", "0.0000005", ".5")
    check("number", [reading(c, "W") for c in cells],
          [5 * MILLION, None, None, None, 627_400_000, None, 0, None])
    check("real", [real_text(Fraction(x)) for x in ("3600", "0.31", "-0.5", "-0.0000001")],
          ["3600.0", "0.31", "-0.5", "0.0"])
    one = statistics("power_w", [v * MILLION for v in (1, 2, 3, 4)], None)
    check("statistics", [real_text(one[k]) for k in ("mean", "stddev", "p25", "p99")],
          ["2.5", "1.118034", "1.75", "3.97"])
    print("selftest failed" if failed else "selftest passed")
    return 1 if failed else 0


def main(argv: list[str]) -> int:
    if argv == ["--selftest"]:
        return selftest()
    if len(argv) != 1:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    out = summarise(argv[0])
    out = out and {k: v for k, v in out.items() if k != "open"}
    if out is None:
        print("oracle: no log in " + argv[0], file=sys.stderr)
        return 3
    print(json_text(out))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
