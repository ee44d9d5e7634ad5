block is rounded as python rounds
# round(0.25, 1) is 0.2; in metrics there is nothing to round.
  $ cat >log.csv <<'EOF'
  > index, power.draw [W]
  > 0, 0.25
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/power_watts_max gpus/0/metrics/power_w/mean
  summary/power_watts_mean 0.2
  summary/power_watts_max 0.2
  gpus/0/metrics/power_w/mean 0.25

energy 100 w for 36 s
  $ cat >log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 100
  > 2026/07/03 10:00:36.000, 0, 100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     energy_wh
  energy_wh 1.0

energy absent is spanned
  $ cat >log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 100
  > 2026/07/03 10:00:01.000, 0, [N/A]
  > 2026/07/03 10:00:02.000, 0, 100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     energy_wh
  energy_wh 0.055556

energy one row is null
  $ cat >log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     energy_wh
  energy_wh null

energy triangle
  $ cat >log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:02.000, 0, 200
  > 2026/07/03 10:00:04.000, 0, 0
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     energy_wh
  energy_wh 0.111111

gap 110 ms hiccup
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/gaps
  inputs/0/gaps 0

gap 30 s
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/gaps
  inputs/0/gaps 1

gap 3 minutes
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/gaps
  inputs/0/gaps 1

gap fast log
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/gaps
  inputs/0/gaps 0

gap from two seconds
# The limit is 2 s or ten times the usual distance, in the steps that times are counted in: 1920 ms to 2047 ms are one.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && cd "$t" || exit
  $ for usual in 7 100 191 205 300; do for pause in 1919 2047 2048 2303 2559 2560 3071 3072; do
  >     awk -v usual=$usual -v pause=$pause 'BEGIN {
  >         print "timestamp, index, utilization.gpu [%]"
  >         for (i = 0; i < 80; i++) {
  >             printf "2026/07/04 10:00:%02d.%03d, 0, 50 %%\n", t / 1000, t % 1000
  >             t += i == 39 ? pause : usual
  >         }
  >     }' | smilog summarize -q --json - >$usual-$pause
  > done; done
  $ python3 -SE "$OLDPWD/../../pick.py" inputs/0/gaps gpus/0/gaps covered_s -- *
  $ for usual in 7 100 191 205 300; do for pause in 1919 2047 2048 2303 2559 2560 3071 3072; do
  >     printf '%s\t%s\t' $usual $pause
  >     cut -d ' ' -f 2 $usual-$pause.picked | paste -s
  > done; done
  7\t1919\t0\t0\t2.465 (esc)
  7\t2047\t0\t0\t2.593 (esc)
  7\t2048\t1\t1\t0.546 (esc)
  7\t2303\t1\t1\t0.546 (esc)
  7\t2559\t1\t1\t0.546 (esc)
  7\t2560\t1\t1\t0.546 (esc)
  7\t3071\t1\t1\t0.546 (esc)
  7\t3072\t1\t1\t0.546 (esc)
  100\t1919\t0\t0\t9.719 (esc)
  100\t2047\t0\t0\t9.847 (esc)
  100\t2048\t1\t1\t7.8 (esc)
  100\t2303\t1\t1\t7.8 (esc)
  100\t2559\t1\t1\t7.8 (esc)
  100\t2560\t1\t1\t7.8 (esc)
  100\t3071\t1\t1\t7.8 (esc)
  100\t3072\t1\t1\t7.8 (esc)
  191\t1919\t0\t0\t16.817 (esc)
  191\t2047\t0\t0\t16.945 (esc)
  191\t2048\t1\t1\t14.898 (esc)
  191\t2303\t1\t1\t14.898 (esc)
  191\t2559\t1\t1\t14.898 (esc)
  191\t2560\t1\t1\t14.898 (esc)
  191\t3071\t1\t1\t14.898 (esc)
  191\t3072\t1\t1\t14.898 (esc)
  205\t1919\t0\t0\t17.909 (esc)
  205\t2047\t0\t0\t18.037 (esc)
  205\t2048\t0\t0\t18.038 (esc)
  205\t2303\t0\t0\t18.293 (esc)
  205\t2559\t1\t1\t15.99 (esc)
  205\t2560\t1\t1\t15.99 (esc)
  205\t3071\t1\t1\t15.99 (esc)
  205\t3072\t1\t1\t15.99 (esc)
  300\t1919\t0\t0\t25.319 (esc)
  300\t2047\t0\t0\t25.447 (esc)
  300\t2048\t0\t0\t25.448 (esc)
  300\t2303\t0\t0\t25.703 (esc)
  300\t2559\t0\t0\t25.959 (esc)
  300\t2560\t0\t0\t25.96 (esc)
  300\t3071\t0\t0\t26.471 (esc)
  300\t3072\t1\t1\t23.4 (esc)

gap is in no time sum
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/gaps covered_s duration_s energy_wh inputs/0/interval_s inputs/0/interval_max_s
  inputs/0/gaps 1
  covered_s 20.0
  duration_s 120.0
  energy_wh 0.555556
  inputs/0/interval_s 2.0
  inputs/0/interval_max_s 100.0

idle is a share of known time
# A row without utilisation neither adds to a stretch nor breaks it.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 0, 100.00
  > 2026/07/03 10:00:02.000, 0, 0, 100.00
  > 2026/07/03 10:00:04.000, 0, [N/A], 100.00
  > 2026/07/03 10:00:06.000, 0, 0, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/idle_pct gpus/0/coverage_pct idle_pct longest_idle_s
  gpus/0/idle_pct 100.0
  gpus/0/coverage_pct 66.666667
  idle_pct 66.666667
  longest_idle_s 4.0

idle over a gap
# The longest idle time goes over gaps of up to 60 s, also where no reading of utilisation lies outside of them.
  $ printf '%s\n' 'timestamp, index, utilization.gpu [%], power.draw [W]' '2026/07/03 16:00:00.000, 0, 80, 90' \
  >     '2026/07/03 16:00:01.000, 0, [N/A], 90' '2026/07/03 16:00:02.000, 0, [N/A], 90' \
  >     '2026/07/03 16:00:03.000, 0, [N/A], 90' '2026/07/03 16:00:33.000, 0, 0, 90' |
  >     smilog summarize -q --json - | python3 -SE ../../pick.py longest_idle_s idle_pct gpus/0/gaps
  longest_idle_s 30.0
  idle_pct null
  gpus/0/gaps 1

idle stretch broken by a minute
# 30 s + 30 s, then 60.001 s that break and do not count, then 30 s.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:30.000, 0, 0
  > 2026/07/03 10:01:00.000, 0, 0
  > 2026/07/03 10:02:00.001, 0, 0
  > 2026/07/03 10:02:30.000, 0, 0
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     longest_idle_s idle_pct
  longest_idle_s 60.0
  idle_pct 100.0

idle stretch over a whole minute
# 60 s between two rows are no break, 60.001 s are one; with busy rows among them, and in a log that is read in parts.
  $ for far in 59.999 60.000 60.001; do for busy in 0 1; do
  >     awk -v far=$far -v busy=$busy 'BEGIN {
  >         print "timestamp, index, utilization.gpu [%]"
  >         for (i = 0; i < 7; i++) {
  >             printf "2026/07/04 10:%02d:%06.3f, 0, %d %%\n", t / 60, t % 60, busy && i == 1 ? 90 : 0
  >             t += i == 3 ? far : 60
  >         }
  >     }' >log.csv
  >     head -n 5 log.csv >a.csv # the break lies between the two
  >     sed '2,5d' log.csv >b.csv
  >     for given in log.csv "a.csv b.csv"; do
  >         smilog summarize -q --run all --json $given | python3 -SE ../../pick.py longest_idle_s idle_pct
  >     done
  > done; done
  longest_idle_s 359.999
  idle_pct 100.0
  longest_idle_s 359.999
  idle_pct 100.0
  longest_idle_s 299.999
  idle_pct 83.333287
  longest_idle_s 299.999
  idle_pct 83.333287
  longest_idle_s 360.0
  idle_pct 100.0
  longest_idle_s 360.0
  idle_pct 100.0
  longest_idle_s 300.0
  idle_pct 83.333333
  longest_idle_s 300.0
  idle_pct 83.333333
  longest_idle_s 180.0
  idle_pct 100.0
  longest_idle_s 180.0
  idle_pct 100.0
  longest_idle_s 120.0
  idle_pct 83.33338
  longest_idle_s 120.0
  idle_pct 83.33338
  $ rm log.csv a.csv b.csv

impossible readings are refused
# A cell with a reading that no GPU has: it is refused, counted by metric and quoted, and the rest of its row counts. Rows
# of 50 % and 300 W for 10 minutes, in every layout; line 300 of each has impossible values, and so have some later lines.
  $ d=$(mktemp -d) && cd "$d" || exit 1
  $ python3 -SE - <<'END'
  > def log(name, head, row, odd, n=600):
  >     with open(name, "w") as f:
  >         f.write(head)
  >         for i in range(n):
  >             use, watt, mib = odd.get(i, (50, 300, 40000))
  >             f.write(row.format(t="2026/07/03 10:%02d:%02d.%03d" % (i // 60, i % 60, i % 10), d="20260703",
  >                                c="10:%02d:%02d" % (i // 60, i % 60), use=use, watt=watt, mib=mib))
  > odd = {300: (120000, 1000000, 40000), 310: (-1, 300, 99999999), 320: (106, 20001, 40000), 330: (100, 20000, 40000)}
  > log("units.csv", "timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]\n",
  >     "{t}, 0, {use} %, {watt} W, {mib} MiB\n", odd)
  > log("plain.csv", "timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]\n",
  >     "{t}, 0, {use}, {watt}.00, {mib}\n", odd)
  > log("dmon.txt", "#Date       Time        gpu     sm    pwr     fb\n#YYYYMMDD   HH:MM:SS    Idx      %      W     MB\n",
  >     " {d}   {c}      0 {use:>8} {watt:>8} {mib:>8}\n", odd)
  > log("hand.csv", "time,gpu_util,power,vram_used\n", "{t},{use}%,{watt}W,{mib}MiB\n", odd)
  > log("milli.csv", "time,gpu_util,power,vram_used\n", "{t},{use}%,{watt}000 mW,{mib}MiB\n", odd)
  > log("gib.csv", "time,gpu_util_pct,power_w,vram_used\n", "{t},{use},{watt},{mib} GiB\n", {i: (50, 300, 40 if i != 9 else 9000)
  >     for i in range(600)})
  > END
  $ for f in *; do
  >     smilog summarize --json "$f" 2>err |
  >             python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]
  > g, i = r["gpus"][0], r["inputs"][0]
  > m = g["metrics"]
  > print([m[k][x] for k, x in (("gpu_util_pct", "max"), ("power_w", "max"), ("fb_used_mib", "max"))], g["samples"], i["rows"],
  >       i["rejected"], i["cells"])'
  >     cat err
  > done
  [100.0, 20000.0, 40000.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 6, 'out_of_range_metrics': {'gpu_util_pct': 3, 'fb_used_mib': 1, 'power_w': 2}}
  smilog: dmon.txt:303: warning: gpu_util_pct: "120000" is out of range (0 to 105 %)
  smilog: dmon.txt:303: warning: power_w: "1000000" is out of range (0 to 20000 W)
  smilog: dmon.txt:313: warning: fb_used_mib: "99999999" is out of range (0 to 8388608 MiB)
  smilog: warning: 3 more lines that are odd
  [50.0, 300.0, 40960.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 1, 'out_of_range_metrics': {'fb_used_mib': 1}}
  smilog: gib.csv:11: warning: fb_used_mib: "9000 GiB" is out of range (0 to 8388608 MiB)
  [100.0, 20000.0, 40000.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 6, 'out_of_range_metrics': {'gpu_util_pct': 3, 'fb_used_mib': 1, 'power_w': 2}}
  smilog: hand.csv:302: warning: gpu_util_pct: "120000%" is out of range (0 to 105 %)
  smilog: hand.csv:302: warning: power_w: "1000000W" is out of range (0 to 20000 W)
  smilog: hand.csv:312: warning: fb_used_mib: "99999999MiB" is out of range (0 to 8388608 MiB)
  smilog: warning: 3 more lines that are odd
  [100.0, 20000.0, 40000.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 6, 'out_of_range_metrics': {'gpu_util_pct': 3, 'fb_used_mib': 1, 'power_w': 2}}
  smilog: milli.csv:302: warning: gpu_util_pct: "120000%" is out of range (0 to 105 %)
  smilog: milli.csv:302: warning: power_w: "1000000000 mW" is out of range (0 to 20000 W)
  smilog: milli.csv:312: warning: fb_used_mib: "99999999MiB" is out of range (0 to 8388608 MiB)
  smilog: warning: 3 more lines that are odd
  [100.0, 20000.0, 40000.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 6, 'out_of_range_metrics': {'gpu_util_pct': 3, 'fb_used_mib': 1, 'power_w': 2}}
  smilog: plain.csv:302: warning: gpu_util_pct: "120000" is out of range (0 to 105 %)
  smilog: plain.csv:302: warning: power_w: "1000000.00" is out of range (0 to 20000 W)
  smilog: plain.csv:312: warning: fb_used_mib: "99999999" is out of range (0 to 8388608 MiB)
  smilog: warning: 3 more lines that are odd
  [100.0, 20000.0, 40000.0] 600 600 {} {'missing': 0, 'bad': 0, 'out_of_range': 6, 'out_of_range_metrics': {'gpu_util_pct': 3, 'fb_used_mib': 1, 'power_w': 2}}
  smilog: units.csv:302: warning: gpu_util_pct: "120000 %" is out of range (0 to 105 %)
  smilog: units.csv:302: warning: power_w: "1000000 W" is out of range (0 to 20000 W)
  smilog: units.csv:312: warning: fb_used_mib: "99999999 MiB" is out of range (0 to 8388608 MiB)
  smilog: warning: 3 more lines that are odd
# In MiB it is less than 64 bits hold.
  $ printf '%s\n' time,gpu,mem_used '2026-07-03 10:00:00,0,-17592185.044416 TB' '2026-07-03 10:00:01,0,1 TB' >wrap.csv
  $ smilog summarize wrap.csv 2>&1 >/dev/null
  smilog: wrap.csv:2: warning: fb_used_mib: "-17592185.044416 TB" is out of range (0 to 8388608 MiB)
  smilog: wrap.csv:2: warning: no usable number: "2026-07-03 10:00:00,0,-17592185.044416 TB"
  $ rm -r "$d"

impossible times are rejected
# No log was written before 1990 or later than tomorrow, and there is no February 31: such rows are rejected as bad_time. Numbers
# that would be such dates are no dates: rows count without times, or from the beginning where the header names the unit.
  $ cat >boot.csv <<'EOF'
  > timestamp,gpu_util,power_w
  > 5000000000,50,100
  > 5000000001,50,100
  > 5000000002,50,100
  > 5000000003,50,100
  > EOF
  $ cat >boot_us.csv <<'EOF'
  > timestamp_us,gpu_util,power_w
  > 5000000000,50,100
  > 5001000000,50,100
  > 5002000000,50,100
  > 5003000000,50,100
  > EOF
  $ cat >ctime.csv <<'EOF'
  > time,gpu_util,power_w
  > Fri Jul  3 10:00:00 2026,50,100
  > Sat Feb 31 10:00:01 2026,50,100
  > Fri Jul  3 10:00:02 2026,50,100
  > Sat Jul  3 10:00:02 1982,50,100
  > EOF
  $ cat >dmon.txt <<'EOF'
  > #Date       Time        gpu     sm    pwr
  > #YYYYMMDD   HH:MM:SS    Idx      %      W
  >  20260703   10:00:00      0     50    100
  >  99980703   10:00:01      0     50    100
  >  20260703   10:00:02      0     50    100
  >  19800101   10:00:03      0     50    100
  >  20260231   10:00:03      0     50    100
  >  20260703   10:00:04      0     50    100
  > EOF
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 1989/12/31 23:59:59.999, 0, 50, 100.00
  > 2026/07/03 10:00:01.000, 0, 50, 100.00
  > 9998/07/03 10:00:01.500, 0, 50, 100.00
  > 2026/02/29 10:00:01.500, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:03.000, 0, 50, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {}}
  > {"ts": "1970-01-01T00:00:01.000+00:00", "type": "phase", "name": "fit", "seconds": 1}
  > {"ts": "9998-07-03T10:00:00.000+00:00", "type": "phase", "name": "fit", "seconds": 1}
  > {"ts": "2026-07-03T10:00:09.000+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > EOF
  $ cat >usage_log.txt <<'EOF'
  > {"level": "record", "timestamp": 1783072800, "data": {"cpu": {"avg": 40.0, "max": 97.0}, "gpu_usage": []}}
  > {"level": "record", "timestamp": -9223372036854.775808, "data": {"cpu": {"avg": 40.0, "max": 97.0}, "gpu_usage": []}}
  > {"level": "record", "timestamp": 12.5, "data": {"cpu": {"avg": 40.0, "max": 97.0}, "gpu_usage": []}}
  > {"level": "record", "timestamp": 1783072801, "data": {"cpu": {"avg": 40.0, "max": 97.0}, "gpu_usage": []}}
  > EOF
  $ for log in log.csv dmon.txt usage_log.txt ctime.csv run.jsonl boot.csv boot_us.csv; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py \
  >         start end duration_s energy_wh time_base inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  > done
  log.csv:
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:03.000"
  duration_s 3.0
  energy_wh 0.083333
  time_base "local, zone not known"
  inputs/0/rows 4
  inputs/0/rejected {"bad_time": 3}
  inputs/0/problems/*/text ["no usable time: \"1989/12/31 23:59:59.999, 0, 50, 100.00\"", "no usable time: \"9998/07/03 10:00:01.500, 0, 50, 100.00\"", "no usable time: \"2026/02/29 10:00:01.500, 0, 50, 100.00\""]
  dmon.txt:
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:04.000"
  duration_s 4.0
  energy_wh 0.111111
  time_base "local, zone not known"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 3}
  inputs/0/problems/*/text ["no usable time: \" 99980703   10:00:01      0     50    100\"", "no usable time: \" 19800101   10:00:03      0     50    100\"", "no usable time: \" 20260231   10:00:03      0     50    100\""]
  usage_log.txt:
  start "2026-07-03T10:00:00.000Z"
  end "2026-07-03T10:00:01.000Z"
  duration_s 1.0
  energy_wh null
  time_base "utc"
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 2}
  inputs/0/problems/*/text ["no usable time: \"{\"level\": \"record\", \"timestamp\": -9223372036854.775808, \"dat...\"", "no usable time: \"{\"level\": \"record\", \"timestamp\": 12.5, \"data\": {\"cpu\": {\"avg...\""]
  ctime.csv:
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:02.000"
  duration_s 2.0
  energy_wh 0.055556
  time_base "local, zone not known"
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 2}
  inputs/0/problems/*/text ["no usable time: \"Sat Feb 31 10:00:01 2026,50,100\"", "no usable time: \"Sat Jul  3 10:00:02 1982,50,100\""]
  run.jsonl:
  start "2026-07-03T10:00:00.000Z"
  end "2026-07-03T10:00:09.000Z"
  duration_s 9.0
  energy_wh null
  time_base "utc"
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 2}
  inputs/0/problems/*/text ["no usable time: \"{\"ts\": \"1970-01-01T00:00:01.000+00:00\", \"type\": \"phase\", \"na...\"", "no usable time: \"{\"ts\": \"9998-07-03T10:00:00.000+00:00\", \"type\": \"phase\", \"na...\""]
  boot.csv:
  start null
  end null
  duration_s null
  energy_wh null
  time_base null
  inputs/0/rows 4
  inputs/0/rejected {}
  inputs/0/problems/*/text ["\"5000000000\" is no time that is known: readings count without times", "no GPU key, and the times do not tell how many GPUs there are: all rows are pooled, without times; --gpu-count N says it"]
  boot_us.csv:
  start null
  end null
  duration_s 3.0
  energy_wh 0.083333
  time_base "elapsed time, date not known"
  inputs/0/rows 4
  inputs/0/rejected {}
  inputs/0/problems/*/text []

mean rounds once half to even
  $ cat >log.csv <<'EOF'
  > index, power.draw [W]
  > 0, 0.000001
  > 0, 0.000002
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/mean
  gpus/0/metrics/power_w/mean 0.000002

memory is reserved by a framework
# Memory is reserved if it stays on one level and the framework's own peak is lower. A run that always uses as much, and
# says nothing about it or the same, has reserved nothing.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && mkdir "$dir/run" && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ awk 'BEGIN {
  >     print "timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]"
  >     for (t = 0; t < 50; t++) printf "2026/03/01 10:00:%02d.000, 0, 90 %%, 60000 MiB, 80000 MiB\n", t
  > }' >run/gpu.csv
  $ pick() {
  >     smilog summarize -q --json run | python3 -SE pick.py vram/source vram/used_peak_mb vram/reserved
  >     smilog summarize -q --format csv --columns vram_reserved run
  > }
  $ pick
  vram/source "device"
  vram/used_peak_mb 60000.0
  vram/reserved false
  vram_reserved
  false
  $ for peak in 20000.5 60000 61000; do
  >     printf '{"ts": "2026-03-01T10:00:40.000+00:00", "type": "event", "event": "memory", "data": {"jax_peak_bytes_mb": %s}}\n' "$peak" >run/run.jsonl
  >     pick
  > done
  vram/source "jax"
  vram/used_peak_mb 20000.5
  vram/reserved true
  vram_reserved
  true
  vram/source "jax"
  vram/used_peak_mb 60000.0
  vram/reserved false
  vram_reserved
  false
  vram/source "jax"
  vram/used_peak_mb 61000.0
  vram/reserved false
  vram_reserved
  false

memory that is never busy
# All readings are 0: the block of the first tool leaves the key out, a column has the value, and a check judges it.
  $ cat >idle.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], utilization.memory [%]
  > 2026/07/03 10:00:00.000, 0, 50 %, 0 %
  > 2026/07/03 10:00:05.000, 0, 60 %, 0 %
  > 2026/07/03 10:00:10.000, 0, 70 %, 0 %
  > EOF
  $ smilog summarize --run-per file --json idle.csv | python3 -SE ../../pick.py summary
  summary {"peak_vram_mb": null, "gpu_util_mean_pct": 60.0, "gpu_util_max_pct": 70.0, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}
  $ smilog summarize --run-per file -q --columns mem_util_mean_pct,mem_util_max_pct --format csv idle.csv
  mem_util_mean_pct,mem_util_max_pct
  0.0,0.0
  $ smilog check --run-per file -q --fail-if 'mem_util_mean_pct < 1' idle.csv; echo $?
        LIMIT                   VALUE  RUN
  FAIL  mem_util_mean_pct >= 1    0.0  idle.csv
  1 limit broken by 1 of 1 run
  1

percentiles interpolate
  $ cat >log.csv <<'EOF'
  > index, power.draw [W]
  > 0, 1
  > 0, 2
  > 0, 3
  > 0, 10
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/p1 gpus/0/metrics/power_w/p25 gpus/0/metrics/power_w/p50 gpus/0/metrics/power_w/p95 \
  >     gpus/0/metrics/power_w/p99 gpus/0/metrics/power_w/quantiles
  gpus/0/metrics/power_w/p1 1.03
  gpus/0/metrics/power_w/p25 1.75
  gpus/0/metrics/power_w/p50 2.5
  gpus/0/metrics/power_w/p95 8.95
  gpus/0/metrics/power_w/p99 9.79
  gpus/0/metrics/power_w/quantiles "exact"

power at one time
# GPUs that are used one after the other never draw the sum of their power. Their energy adds up. Those of one time do.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ write() { # shift of each GPU behind the one before, in s
  >     awk -v shift="$1" 'BEGIN {
  >         print "timestamp, uuid, power.draw [W]"
  >         for (t = 0; t < 500; t += 10) for (g = 0; g < 3; g++)
  >             if (t >= g * shift && t < g * shift + 100)
  >                 printf "2026/03/01 10:%02d:%02d.%03d, GPU-%d, %d.00 W\n", t / 60, t % 60, g, g, 100 + 20 * g
  >     }'
  > }
  $ for shift in 0 50 90 100 200; do
  >     write "$shift" >log.csv
  >     smilog summarize -q --format line log.csv | grep -o -e '"gpu_power":[0-9.]*' -e '"wh":[0-9.]*' | paste -s -d ' '
  > done
  "gpu_power":360.0 "wh":9.0
  "gpu_power":260.0 "wh":9.0
  "gpu_power":140.0 "wh":9.0
  "gpu_power":140.0 "wh":9.0
  "gpu_power":140.0 "wh":9.0

stddev is of the population
  $ cat >log.csv <<'EOF'
  > index, power.draw [W]
  > 0, 1
  > 0, 2
  > 0, 3
  > 0, 10
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/mean gpus/0/metrics/power_w/stddev
  gpus/0/metrics/power_w/mean 4.0
  gpus/0/metrics/power_w/stddev 3.535534

steps per second
# steps_per_s: from the first entry of a RunLog with a step in its data to the last, also of parts; none without two.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ entry() { printf '{"type": "event", "event": "%s", "ts": "2026-07-03T16:%s+00:00", "data": {%s}}\n' "$@"; }
  $ log() { mkdir -p out/$1 && cat >out/$1/run.jsonl; printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >out/$1/gpu.csv; }
  $ { entry start 00:00 '"lr": 0.1'; entry log 00:10 '"step": 100'; entry log 00:20 '"step": 150'; entry log 02:10 '"step": 400'; entry stop 03:00 '"exit_status": 0'; } | log two_and_a_half
  $ { entry train 00:00 '"global_step": 0'; entry train 01:00 '"global_step": 3'; } | log slow
  $ { entry train 00:00 '"step": 7'; } | log one
  $ { entry train 00:00 '"step": 7'; entry train 01:00 '"step": 7'; entry train 02:00 '"step": "nine"'; } | log none
  $ { entry train 00:00 '"step": 900'; entry train 01:00 '"step": 100'; } | log back
  $ { entry train 00:00.1 '"step": 1'; entry train 00:00.2 '"step": 900'; } | log at_once
  $ smilog summarize -q --columns run,steps_per_s out
  run             steps_per_s
  at_once                   -
  back                      -
  none                      -
  one                       -
  slow                   0.05
  two_and_a_half         2.5
  $ smilog summarize -q --partial -o p out && smilog merge -q --columns run,steps_per_s --format csv p
  run,steps_per_s
  at_once,
  back,
  none,
  one,
  slow,0.05
  two_and_a_half,2.5
  $ smilog summarize -q --json out | grep -o '"run": "[a-z_]*"\|"steps_per_s": [^,]*' | paste - - 
  "run": "at_once"\t"steps_per_s": null (esc)
  "run": "back"\t"steps_per_s": null (esc)
  "run": "none"\t"steps_per_s": null (esc)
  "run": "one"\t"steps_per_s": null (esc)
  "run": "slow"\t"steps_per_s": 0.05 (esc)
  "run": "two_and_a_half"\t"steps_per_s": 2.5 (esc)
  $ smilog summarize -q --where 'steps_per_s < 1' --columns run out
  run
  slow
  $ smilog list columns | grep steps
  runs    steps_per_s            real     1/s   Mean rate of steps, from the first to the last that the run log or W&B has
  $ rm -r "$d"

time mean weighs by time
  $ cat >log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 100
  > 2026/07/03 10:00:06.000, 0, 100
  > 2026/07/03 10:00:08.000, 0, 400
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/mean gpus/0/metrics/power_w/time_mean
  gpus/0/metrics/power_w/mean 200.0
  gpus/0/metrics/power_w/time_mean 137.5
