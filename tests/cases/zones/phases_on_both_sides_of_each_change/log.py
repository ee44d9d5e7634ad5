"""log.py CHANGE [LEAD [TAIL]]: hw.csv in the time of Berlin, a row in ten seconds, 100 W before the change and 300 W
after it, with run.jsonl in UTC: phases of 30 min before and 45 min after. CHANGE: spring, autumn. LEAD, TAIL: minutes
that the monitor runs before and after the run."""
import datetime
import sys

minutes = datetime.timedelta(minutes=1)
spring = sys.argv[1] == "spring"
lead, tail = (list(map(int, sys.argv[2:])) + [0, 0])[:2]
change = datetime.datetime(2026, 3, 29, 1) if spring else datetime.datetime(2026, 10, 25, 1)
start, end = change - 30 * minutes, change + 45 * minutes
with open("hw.csv", "w") as f:
    f.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
    t = start - lead * minutes
    while t <= end + tail * minutes:
        local = t + 60 * minutes * (1 + (spring == (t >= change)))
        f.write(f"{local:%Y/%m/%d %H:%M:%S}.000, 0, 50, {100 if t <= change else 300}.00\n")
        t += minutes / 6
with open("run.jsonl", "w") as f:
    offset = ', "data": {"utc_offset_s": %d}' % (3600 if spring else 7200)
    for t, what in ((start, '"event", "event": "start"' + offset),
                    (change, '"phase", "name": "before", "seconds": 1800'),
                    (end, '"phase", "name": "after", "seconds": 2700')):
        f.write(f'{{"ts": "{t:%Y-%m-%dT%H:%M:%S}Z", "type": {what}}}\n')
