#!/usr/bin/python3
"""A real Prometheus scrapes `smilog live --demo --listen`: it stores what --format jsonl and the fake nvidia-smi printed;
promtool finds nothing; a stalled monitor's series become stale and come back. Needs Debian's prometheus.

    tests/system/prometheus_check.py        SMILOG=build/smilog, about 75 seconds"""
import csv
import datetime
import json
import os
import re
import subprocess
import sys
import threading
import time

from lib import Prometheus, check, end, finish, folder, free_port, get, need, start

SPAN = 20  # seconds that are compared


class Live:
    """smilog live with a server; every object that it prints, with its time."""

    def __init__(self, *args, **env):
        self.port, self.objects = free_port(), []
        self.process = start("live", "--demo", "--format", "jsonl", "--listen", self.port, *args, env=env, text=True,
                             stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.objects.append((time.time(), json.loads(line)))

    def metrics(self, accept="*/*"):
        return get(self.port, "/metrics", Accept=accept)[1]

    def close(self):
        end(self.process)


def prometheus(where, jobs):
    return Prometheus(where, "global: {scrape_interval: 1s, scrape_timeout: 900ms}\nscrape_configs:\n" + "".join(
        f"  - {{job_name: {name}, static_configs: [{{targets: ['127.0.0.1:{port}']}}]}}\n" for name, port in jobs.items()))


# Of both sets of names: the key in JSON, and what a value is multiplied by.
NAMES = {"smilog": {"smilog_gpu_util_ratio": ("gpu_util_pct", 0.01), "smilog_mem_util_ratio": ("mem_util_pct", 0.01),
                    "smilog_fb_used_bytes": ("fb_used_mib", 1048576), "smilog_fb_total_bytes": ("fb_total_mib", 1048576),
                    "smilog_power_watts": ("power_w", 1), "smilog_temp_gpu_celsius": ("temp_gpu_c", 1),
                    "smilog_clk_sm_hertz": ("clk_sm_mhz", 1e6), "smilog_pcie_rx_bytes_per_second": ("pcie_rx_mbs", 1e6)},
         "dcgm": {"DCGM_FI_DEV_GPU_UTIL": ("gpu_util_pct", 1), "DCGM_FI_DEV_MEM_COPY_UTIL": ("mem_util_pct", 1),
                  "DCGM_FI_DEV_FB_USED": ("fb_used_mib", 1), "DCGM_FI_DEV_FB_TOTAL": ("fb_total_mib", 1),
                  "DCGM_FI_DEV_POWER_USAGE": ("power_w", 1), "DCGM_FI_DEV_GPU_TEMP": ("temp_gpu_c", 1),
                  "DCGM_FI_DEV_SM_CLOCK": ("clk_sm_mhz", 1), "DCGM_FI_DEV_MEM_CLOCK": ("clk_mem_mhz", 1)}}
# The same in the fake's own logs: query and dmon.
QUERY = {"gpu_util_pct": "utilization.gpu [%]", "mem_util_pct": "utilization.memory [%]", "fb_used_mib": "memory.used [MiB]",
         "fb_total_mib": "memory.total [MiB]", "power_w": "power.draw [W]", "temp_gpu_c": "temperature.gpu",
         "clk_sm_mhz": "clocks.current.sm [MHz]", "clk_mem_mhz": "clocks.current.memory [MHz]"}
DMON = {"gpu_util_pct": "sm", "mem_util_pct": "mem", "fb_used_mib": "fb", "power_w": "pwr", "temp_gpu_c": "gtemp",
        "clk_sm_mhz": "pclk", "clk_mem_mhz": "mclk", "pcie_rx_mbs": "rxpci"}


def said(live, t, key, gpu=None):
    """What was said of it about that time: an object is printed once an interval, a scrape comes in between."""
    of = [o["host"] if gpu is None else o["gpus"][gpu] for at, o in live.objects
          if t - 2.1 < at < t + 1.6 and (gpu is None or len(o["gpus"]) > gpu)]
    return [o.get(key) for o in of]


def same(value, list_, factor):
    return any(v is not None and abs(v * factor - value) <= 1e-6 * abs(value) + 1e-9 for v in list_)


def add(out, stamp, row, gpu, columns):
    t = time.mktime(time.strptime(stamp[:17 if stamp[4].isdigit() else 19].replace("/", ""), "%Y%m%d %H:%M:%S"))
    for key, column in columns.items():
        if row.get(column, "-") not in ("-", "[N/A]"):
            out.setdefault((gpu, key), []).append((t, float(row[column])))


def printed(where):
    """Of the recording: by GPU and metric what the fake nvidia-smi printed, and when."""
    out, head = {}, []
    with open(os.path.join(where, "hw_metrics.csv")) as f:
        names = [c.strip() for c in f.readline().split(",")]
        for line in f:
            row = dict(zip(names, (c.strip() for c in line.split(","))))
            add(out, row["timestamp"], row, int(row["index"]), QUERY)
    with open(os.path.join(where, "hw_dmon.csv")) as f:
        for line in f:
            if line.startswith("#"):
                head = line.lstrip("#").split() if "gpu" in line else head
                continue
            row = dict(zip(head, line.split()))
            add(out, row["Date"] + " " + row["Time"], row, int(row["gpu"]), DMON)
    return out


def compare(p, job, live, where):
    wrong, n, as_said, as_printed = [], 0, 0, 0
    rows = printed(where)
    for name, (key, factor) in NAMES[job].items():
        series = p.query(f'{name}{{job="{job}"}}[{SPAN}s]')
        check(f"{job}: {name} of 8 GPUs", len(series) == 8, len(series))
        for s in series:
            gpu, uuid = int(s["metric"]["gpu"]), s["metric"].get("uuid") or s["metric"].get("UUID")
            if uuid != live.objects[-1][1]["gpus"][gpu]["uuid"]:
                wrong.append((name, gpu, uuid))
            for t, v in s["values"]:
                n += 1
                as_said += same(float(v), said(live, t, key, gpu), factor)
                near = [x for at, x in rows[gpu, key] if t - 4.1 < at < t + 0.1]
                as_printed += same(float(v), near, factor)
                if not same(float(v), near, factor):
                    wrong.append((name, gpu, t, v, near))
    check(f"{job}: {n} samples are what the fake nvidia-smi printed in the seconds before, "
          f"{as_said} of them also in an object of --format jsonl",
          n > 8 * len(NAMES[job]) * SPAN * 0.7 and not wrong and as_printed == n and as_said > 0.9 * n,
          (as_said, as_printed, wrong[:3]))


def host(p, job, where):
    with open(os.path.join(where, "cpu_metrics.csv")) as f:
        rows = [(datetime.datetime.fromisoformat(r["timestamp"]).timestamp(), float(r["usr_pct"]))
                for r in csv.DictReader(f) if r["usr_pct"]]
    series = p.query(f'smilog_cpu_usr_ratio{{job="{job}"}}[{SPAN}s]')
    values = [(t, float(v)) for s in series for t, v in s["values"]]
    wrong = [(t, v) for t, v in values if not same(v, [x for at, x in rows if t - 4.1 < at < t + 0.1], 0.01)]
    check(f"{job}: {len(values)} samples of the machine's CPUs were recorded in the seconds before",
          len(series) == 1 and len(values) > SPAN * 0.7 and not wrong, (len(series), wrong[:3]))


def lint(live, name):
    """A label of dcgm-exporter, modelName, is not as promtool likes it: all else is."""
    text = live.metrics()
    if name == "dcgm":
        text = text.replace("modelName=", "model_name=")
    r = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True)
    check(f"promtool on {name}: exit 0, nothing said", (r.returncode, r.stdout + r.stderr) == (0, ""),
          (r.returncode, r.stderr))


def stalls(where):
    live = Live("-o", os.path.join(where, "run"), SMI_FAKE_GPUS="2", SMI_FAKE_DO="hang:12:2",
                SMI_FAKE_STATE=os.path.join(where, "state"))
    p = prometheus(where, {"smilog": live.port})
    q = "smilog_gpu_util_ratio"
    check("before the stall", p.wait(q, lambda r: len(r) == 2, 10))
    begin = time.time()
    check("stalled: no series", p.wait(q, lambda r: not r, 25) == [])
    print(f"   stale {time.time() - begin:.1f} s after it was last asked for")
    check("stalled: still scraped", p.query("up")[0]["value"][1] == "1")
    check("stalled: monitor_up is 0",
          p.wait('smilog_monitor_up{monitor="query"} == 0', lambda r: len(r) == 1, 5))
    lag = p.query('smilog_source_lag_seconds{monitor="query"}')
    check("stalled: its lag is exposed", lag and float(lag[0]["value"][1]) >= 3, lag)
    check("stalled: the CPUs go on", p.query("smilog_cpu_usr_ratio"))
    check("stalled: nothing of the GPUs is left", not p.query('{__name__=~"smilog_(fb|power|temp|clk).*"}'))
    check("it comes back", p.wait(q, lambda r: len(r) == 2, 60))
    check("and was started again", float(p.query('smilog_monitor_restarts_total{monitor="query"}')[0]["value"][1]) >= 1)
    live.close()
    check("at the end: down", p.wait("up == 0", lambda r: len(r) == 1, 10))
    check("at the end: no series", p.query(q) == [])
    p.close()


def names(where):
    lives = {name: Live("--names=" + name, "-o", os.path.join(where, name), SMI_FAKE_AT="20") for name in NAMES}
    p = prometheus(where, {name: live.port for name, live in lives.items()})
    time.sleep(SPAN + 4)
    for name, live in lives.items():
        compare(p, name, live, os.path.join(where, name))
        lint(live, name)
        host(p, name, os.path.join(where, name))
    targets = p.get("targets")["activeTargets"]
    check("both are up", [(t["health"], t["lastError"]) for t in targets] == [("up", "")] * 2, targets)
    kind = p.get("metadata", metric="smilog_monitor_restarts")  # OpenMetrics: a counter's family is without _total
    check("OpenMetrics is what was scraped", [k["type"] for k in kind.get("smilog_monitor_restarts", [])] == ["counter"], kind)
    text = lives["smilog"].metrics("application/openmetrics-text")
    check("OpenMetrics ends", text.endswith("\n# EOF\n") and re.search(r"^# TYPE smilog_rows_rejected counter$", text, re.M))
    p.close()
    for live in lives.values():
        live.close()


need("prometheus", "promtool")
for part in names, stalls:
    with folder() as place:
        part(place)
sys.exit(finish())
