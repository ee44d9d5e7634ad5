"""Runs just outside and just inside of each rule: which findings each has, whole and merged from its halves.

    python3 rules.py DIRECTORY      writes DIRECTORY/{whole,first,second}/RULE/{without,with}; see also causes.py
"""
import json
import os
import subprocess
import sys

ROWS, STEP = 301, 2  # ten minutes
COLUMNS = {  # of the log, and what a healthy GPU shows at row i
    "index": None,
    "utilization.gpu [%]": lambda i: 90 + i % 5,
    "memory.used [MiB]": lambda i: 40000 + 10 * (i % 300),
    "memory.total [MiB]": lambda i: 81559,
    "power.draw [W]": lambda i: 500 + i % 20,
    "power.limit [W]": lambda i: 700,
    "temperature.gpu": lambda i: 60 + i % 3,
    "clocks.current.sm [MHz]": lambda i: 1900,
    "clocks.max.sm [MHz]": lambda i: 1980,
    "clocks_event_reasons.active": lambda i: "0x0",
    "ecc.errors.uncorrected.volatile.total": lambda i: 0,
    "ecc.errors.corrected.volatile.total": lambda i: 0,
    "remapped_rows.correctable": lambda i: 0,
}
UTIL, USED, TOTAL, POWER, SM, MASK, UNCORR, CORR, REMAP = (
    "utilization.gpu [%]", "memory.used [MiB]", "memory.total [MiB]", "power.draw [W]", "clocks.current.sm [MHz]",
    "clocks_event_reasons.active", "ecc.errors.uncorrected.volatile.total", "ecc.errors.corrected.volatile.total",
    "remapped_rows.correctable")
START = 1767225600  # 2026-01-01 00:00 UTC


def stamp(seconds, date="%Y/%m/%d %H:%M:%S"):
    import time
    return time.strftime(date, time.gmtime(START + seconds))


def columns(run):
    """The columns of a run's log: all but those that it lacks, and its own."""
    names = {name: f for name, f in COLUMNS.items() if name not in run.get("without", [])}
    return names | run.get("extra", {})


def dmon_rows(run, rows):
    """What dmon -s v would say beside the rows of a GPU log."""
    yield 0, "#Date       Time        gpu  pviol  tviol"
    yield 0, "#YYYYMMDD   HH:MM:SS    Idx      %   bool"
    for i, (at, line) in enumerate(rows):
        g = line.split(",")[1].strip()
        violations = run["dmon"](i) if g == "0" else (0, 0)
        yield at, f" {stamp(at, '%Y%m%d')}   {stamp(at, '%H:%M:%S')}   {g:>5}  {violations[0]:>5}  {violations[1]:>5}"


def gpu_rows(run):
    """Lines of the GPU log, with the second of each."""
    at = 0
    for i in range(run.get("rows", ROWS)):
        for line in run.get("before", {}).get(i, []):
            yield at, line
        for g in range(run.get("gpus", 2)):
            if i >= run.get("ends", {}).get(g, i + 1):
                continue
            cells = [f"{stamp(at)}.{g + 1:03d}", str(g)]
            for name, healthy in list(columns(run).items())[1:]:
                f = run.get(g, {}).get(name) or run.get("all", {}).get(name) or healthy
                cells.append(str(f(i)))
            if i in run.get(g, {}).get("lost", []):
                cells[2:] = [run.get("cell", "[GPU is lost]")] * (len(cells) - 2)
            yield at, ", ".join(cells)
        at += run.get("steps", {}).get(i, run.get("step", STEP))


def runlog(run, length):
    def entry(name, kind, at, seconds=None, **data):
        e = {"ts": stamp(at, "%Y-%m-%dT%H:%M:%S") + "+00:00", "type": kind}
        e.update({"name": name, "seconds": seconds} if kind == "phase" else {"event": name, "data": data})
        return json.dumps(e)
    lines = [entry("start", "event", 0, utc_offset_s=0, **run.get("start", {}))]
    lines += [entry(name, "phase", at, seconds) for name, at, seconds in run.get("phases", [])]
    lines += [entry(name, "event", length, **data) for name, data in run.get("events", [("stop", {"exit_status": 0})])]
    return lines


def write(root, name, run):
    rows = list(gpu_rows(run))
    length = rows[-1][0]
    half = run.get("cut", rows[len(rows) // 2][0])
    header = "timestamp, " + ", ".join(columns(run))
    use = run.get("cpu", 40)
    usr = use if callable(use) else lambda t: use
    cpu = [(t, f"{stamp(t, '%Y-%m-%dT%H:%M:%S')}+00:00,{usr(t)},{100 - usr(t)}") for t in range(run.get("cpu_from", 0), length + 1, 5)]
    for part, keep in (("whole", lambda t: True), ("first", lambda t: t < half), ("second", lambda t: t >= half)):
        d = os.path.join(root, part, name)
        os.makedirs(d)
        files = {"hw.csv": [header] + [line for t, line in rows if keep(t)],
                 "cpu.csv": ["timestamp,usr_pct,idle_pct"] + [line for t, line in cpu if keep(t)],
                 "run.jsonl": runlog(run, length)}
        if "dmon" in run:
            files["dmon.txt"] = [line for t, line in dmon_rows(run, rows) if keep(t) or line[0] == "#"]
        for file, lines in files.items():
            with open(os.path.join(d, file), "w") as f:
                f.write("\n".join(lines) + "\n")


def during(first, last, value, other):
    return lambda i: value if first <= i < last else other(i) if callable(other) else other


busy = COLUMNS[UTIL]
jax = lambda mib: {"events": [("memory", {"jax_peak_bytes_mb": mib}), ("stop", {"exit_status": 0})]}
each = lambda **columns: {"all": columns}
share = lambda pct, mask: {0: {MASK: lambda i: mask if i <= pct * 3 and i > 0 else "0x0"}}  # pct of 300 intervals
counted = lambda reason, us: {"without": [MASK], "extra": {
    f"clocks_event_reasons_counters.{reason} [us]": lambda i: 15820333506 + i * us // 300}}  # of 600,000,000 us, both GPUs
shown = lambda p, t: {"without": [MASK], "dmon": lambda i: (p, int(i < t))}  # 602 rows, every second one of GPU 0
board = lambda name, mib, used: jax(used) | {"extra": {"name": lambda i: name},
                                             "all": {TOTAL: lambda i: mib, USED: lambda i: used - i % 300}}
alarm = lambda column, healthy, at, word: {"extra": {column: lambda i: healthy}, 0: {
    column: lambda i: word if i >= at else healthy}}
grown = lambda column, at: {0: {column: lambda i: int(i >= at)}}

# rule: (just outside, just inside)
RULES = {
    "failed": ({}, {"events": [("stop", {"exit_status": 1})]}),
    "out-of-memory": ({}, {"events": [("oom", {})]}),
    "unused": ({1: {UTIL: lambda i: 2 * (i % 2)}}, {1: {UTIL: lambda i: 1 if i == 9 else 0}}),
    "start": ({"all": {UTIL: during(0, 60, 0, busy)}}, {"all": {UTIL: during(0, 61, 0, busy)}}),
    "end": ({"all": {UTIL: during(242, 400, 0, busy)}}, {"all": {UTIL: during(241, 400, 0, busy)}}),
    "stall": ({"all": {UTIL: during(150, 179, 0, busy)}}, {"all": {UTIL: during(130, 160, 0, busy)}}),
    "stall-of-one": ({1: {UTIL: during(150, 179, 0, busy)}}, {1: {UTIL: during(140, 170, 0, busy)}}),
    "very-low-util": ({"all": {UTIL: lambda i: 25}}, {"all": {UTIL: lambda i: 14 if i % 2 else 15}}),
    "low-util": ({"all": {UTIL: lambda i: 25}}, {"all": {UTIL: lambda i: 24 if i % 2 else 25}}),
    "low-util-with-full-memory": (
        dict(jax(73404), **{"all": {UTIL: lambda i: 25}}), dict(jax(73404), **{"all": {UTIL: lambda i: 24}})),
    "busy-waiting": ({0: {POWER: lambda i: 175}}, {0: {POWER: lambda i: 174.9}}),
    "straggler": ({1: {UTIL: lambda i: busy(i) - 19}}, {1: {UTIL: lambda i: busy(i) - 20}}),
    "cpu-oversubscribed": (
        {"cpu": 94, "all": {UTIL: lambda i: 80}}, {"cpu": 95, "all": {UTIL: lambda i: 80}}),
    "cpu-full-beside-full-gpus": ({"cpu": 95}, {"cpu": 100}),
    "zero-metric": ({0: {SM: lambda i: 1900 if i else 0}}, {0: {SM: lambda i: 0}}),
    "zero-utilisation": ({1: {UTIL: lambda i: 1 if i == 5 else 0, POWER: lambda i: 300}},
                         {1: {UTIL: lambda i: 0, POWER: lambda i: 300}}),
    "compile": ({"phases": [("compile", 120, 120)]}, {"phases": [("jit_compile", 121, 121)]}),
    "memory-near-full": (jax(79900), jax(79950)),
    "memory-near-full-reserved": ({"all": {USED: lambda i: 70000}}, {"all": {USED: lambda i: 81500}}),
    "memory-mostly-empty": (jax(32700), jax(32600)),
    "mig-h100": (board("NVIDIA H100 80GB HBM3", 81559, 8700), board("NVIDIA H100 80GB HBM3", 81559, 8200)),
    "mig-h100-nvl": (board("NVIDIA H100 NVL", 95830, 20500), board("NVIDIA H100 NVL", 95830, 19500)),
    "mig-h200": (board("NVIDIA H200", 143771, 29500), board("NVIDIA H200", 143771, 29000)),
    "mig-b200": (board("NVIDIA B200", 183359, 70000), board("NVIDIA B200", 183359, 37000)),
    "mig-a30": (board("NVIDIA A30", 24576, 9700), board("NVIDIA A30", 24576, 5100)),
    "no-mig-on-v100": (board("Tesla V100-SXM2-32GB", 32768, 13100), board("Tesla V100-SXM2-32GB", 32768, 8000)),
    "throttle-hw-thermal": (share(4, "0x40"), share(5, "0x40")),
    "throttle-hw-thermal-and-slowdown": (share(4, "0x48"), share(5, "0x48")),
    "throttle-sw-thermal": (share(4, "0x20"), share(5, "0x20")),
    "throttle-power-brake": (share(4, "0x80"), share(5, "0x80")),
    "throttle-hw-slowdown": (share(4, "0x8"), share(5, "0x8")),
    "throttle-power-cap": (share(24, "0x4"), share(25, "0x4")),
    "throttle-sync-boost": (share(24, "0x10"), share(25, "0x10")),
    "throttle-setting": (share(24, "0x2"), share(25, "0x2")),
    "power-cap-counted": (counted("sw_power_cap", 149990000), counted("sw_power_cap", 150000000)),
    "power-brake-counted": (counted("hw_power_brake_slowdown", 29990000), counted("hw_power_brake_slowdown", 30000000)),
    "hw-thermal-counted": (counted("hw_thermal_slowdown", 29990000), counted("hw_thermal_slowdown", 30000000)),
    "sw-thermal-counted": (counted("sw_thermal_slowdown", 29990000), counted("sw_thermal_slowdown", 30000000)),
    "sync-boost-counted": (counted("sync_boost", 149990000), counted("sync_boost", 150000000)),
    "counted-beside-a-mask": (dict(counted("sw_thermal_slowdown", 600000000), without=[]),
                              dict(counted("sw_thermal_slowdown", 0), without=[]) | {0: {MASK: lambda i: "0x20"}}),
    "pviol": (shown(24, 0), shown(25, 0)),
    "tviol": (shown(0, 29), shown(0, 31)),
    "clocks-low": ({0: {SM: lambda i: 1188}}, {0: {SM: lambda i: 1187}}),
    "gpu-lost": ({}, {0: {"lost": [280, 281]}}),
    "gpu-reset-required": ({}, {"cell": "[GPU requires reset]", 1: {"lost": [300]}}),
    "gpu-error": ({}, {"cell": "[Unknown Error]", 1: {"lost": [150]}}),
    "no-driver": ({}, {"before": {100: ["NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."]}}),
    "row-remap-failed": (alarm("remapped_rows.failure", "No", 1000, "Yes"),
                         alarm("remapped_rows.failure", "No", 200, "Yes")),
    "recovery-action": (alarm("gpu_recovery_action", "None", 1000, "Reset"),
                        alarm("gpu_recovery_action", "None", 200, "Reset")),
    "memory-repair-pending": (alarm("remapped_rows.pending", "No", 1000, "Yes"),
                              alarm("remapped_rows.pending", "No", 200, "Yes")),
    "xid": ({}, {"before": {100: ["NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."]}}),
    "ecc-uncorrected": (grown(UNCORR, 400), grown(UNCORR, 150)),
    "ecc-corrected": (grown(CORR, 400), grown(CORR, 151)),
    "memory-repaired": (grown(REMAP, 400), grown(REMAP, 151)),
    "gaps": ({"rows": 1500, "steps": {100: 29}}, {"rows": 1500, "steps": {100: 31}}),
    "slow-sampling": ({"step": 15}, {"step": 16}),
    "ten-readings": ({"rows": 9, "step": 40, "all": {UTIL: lambda i: 20}},
                     {"rows": 10, "step": 40, "all": {UTIL: lambda i: 20}}),
    "five-minutes": ({"rows": 150, "all": {UTIL: lambda i: 20}}, {"rows": 151, "all": {UTIL: lambda i: 20}}),
}


def read(*args):
    out = subprocess.run(["smilog", *args], check=True, capture_output=True, text=True).stdout
    return {r["run"]: r for r in json.loads(out)["runs"]}


def main():
    root = sys.argv[1]
    for rule, (without, having) in RULES.items():
        write(root, rule + "/without", without)
        write(root, rule + "/with", having)
    whole = read("summarize", "-q", "--json", root + "/whole")
    for part in ("first", "second"):
        subprocess.run(["smilog", "summarize", "-q", "--partial", "-o", f"{root}/{part}.partial", f"{root}/{part}"],
                       check=True)
    merged = read("merge", "-q", "--json", root + "/first.partial", root + "/second.partial")
    for rule in RULES:
        for which in ("without", "with"):
            run, name = whole[f"{rule}/{which}"], f"{rule}/{which}"
            print(f"{rule} {which}:", " ".join(f"{f['rule']}({f['level']})" for f in run["findings"]) or "none")
            for f in run["findings"]:
                if which == "with":
                    print("   ", f["gpu"], f["gpu_hours"], f["value"], f["text"], "|", f["advice"])
                if not 0 < f["gpu_hours"] <= run["gpu_hours"]:
                    print(f"    of {run['gpu_hours']} GPU-hours it is about {f['gpu_hours']}")
            if merged[name]["findings"] != run["findings"]:
                print("    merged:", json.dumps(merged[name]["findings"]))


if __name__ == "__main__":
    main()
