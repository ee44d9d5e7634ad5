"""log.py INTERVAL_S GPUS COLUMNS: a log at +05:45, from 17:45:00 on, 24 sweeps, and a RunLog from 12:00:00Z to 22:00:00Z."""
import sys

interval, gpus, columns = map(int, sys.argv[1:])
with open("gpu.csv", "w") as f:
    more = [f"clocks_event_reasons_counters.sw_power_cap [us]"] * columns
    f.write(", ".join(["timestamp", "index", "utilization.gpu [%]", "power.draw [W]"] + more) + "\n")
    for k in range(24):
        t = 17 * 3600 + 45 * 60 + interval * k
        for g in range(gpus):
            stamp = f"2026/07/03 {t // 3600:02}:{t // 60 % 60:02}:{t % 60:02}.{g:03}"
            f.write(", ".join([stamp, str(g), "50 %", "100.00 W"] + ["123456789 us"] * columns) + "\n")
with open("run.jsonl", "w") as f:
    f.write('{"ts": "2026-07-03T12:00:00Z", "type": "event", "event": "start"}\n')
    f.write('{"ts": "2026-07-03T22:00:00Z", "type": "event", "event": "end"}\n')
