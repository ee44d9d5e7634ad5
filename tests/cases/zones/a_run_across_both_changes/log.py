"""log.py OFFSETS FROM: hw.csv and run.jsonl of one GPU, a row in ten minutes from March to November 2026. OFFSETS: hours
of winter,summer of Berlin. FROM: the first row, minutes after 2026-03-20 00:00 UTC."""
import datetime
import sys

winter, summer = map(int, sys.argv[1].split(","))
utc = datetime.datetime(2026, 3, 20)
spring, autumn = datetime.datetime(2026, 3, 29, 1), datetime.datetime(2026, 10, 25, 1)
first, rows = int(sys.argv[2]), 32000
with open("hw.csv", "w") as f:
    f.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
    for i in range(rows):
        t = utc + datetime.timedelta(minutes=first + 10 * i)
        local = t + datetime.timedelta(hours=summer if spring <= t < autumn else winter)
        f.write(f"{local:%Y/%m/%d %H:%M:%S}.{i % 1000:03d}, 0, {i % 3 * 40}, {100 + i % 200}.{i % 7:02d}\n")
with open("run.jsonl", "w") as f:
    for name, at, hours in (("before", spring, 24), ("over spring", spring + datetime.timedelta(hours=2), 4),
                            ("summer", datetime.datetime(2026, 7, 1), 48),
                            ("over autumn", autumn + datetime.timedelta(hours=2), 4),
                            ("after", datetime.datetime(2026, 10, 28), 24)):
        f.write(f'{{"ts": "{at:%Y-%m-%dT%H:%M:%S}Z", "type": "phase", "name": "{name}", "seconds": {hours * 3600}}}\n')
