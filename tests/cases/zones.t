a run across both changes
  $ t=$(mktemp -d) here=$PWD && trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/utc" "$t/local" && cd "$t" || exit
  $ (cd utc && python3 -SE "$here/log.py" 0,0 7) && (cd local && python3 -SE "$here/log.py" 1,2 7)
  $ figures='duration_s covered_s energy_wh idle_pct segments inputs/0/gaps gpus/0/samples phases/*/name phases/*/samples phases/*/energy_wh'
  $ tell() { smilog summarize -q --json "$@" | python3 -SE "$here/../../pick.py" $figures; }
  $ tell --tz=UTC utc | tee utc.txt
  duration_s 19199400.999
  covered_s 19199400.999
  energy_wh 1064126.79369
  idle_pct 33.332293
  segments 1
  inputs/0/gaps 0
  gpus/0/samples 32000
  phases/*/name ["before", "over spring", "summer", "over autumn", "after"]
  phases/*/samples [144, 24, 288, 24, 144]
  phases/*/energy_wh [4513.400856, 804.11884, 9810.792185, 964.119107, 4680.727801]
  $ tell --tz=Europe/Berlin local | cmp - utc.txt && echo by the zone
  by the zone
  $ tell --tz=+01:00 local | cmp - utc.txt && echo by the steps
  by the steps
  $ tell --tz=Europe/Berlin -j8 local | cmp - utc.txt && echo on any number of threads
  on any number of threads
  $ smilog summarize --json --tz=+01:00 local 2>&1 >/dev/null
  smilog: hw.csv: warning: the clock is set forward by an hour at 2026-03-29T03:07:00: taken for the beginning of summer time

an odd row under another header
# A row that lost cells has the width of the first header, which is not that of the rows around it: it is not the last
# of the log, whose end tells the zone (the run log begins much later).
  $ d=$(mktemp -d) && cd "$d" || exit
  $ python3 -SE - <<'EOF'
  > from datetime import datetime, timedelta
  > t = datetime(2026, 7, 4, 13, 0)
  > with open("hw.csv", "w") as f:
  >     for n, head, row in ((200, "uuid, timestamp, power.draw [W]", "GPU-1, %s.000, 60.00"),
  >                          (100, "uuid, timestamp, index, utilization.gpu [%], temperature.gpu, clocks.sm [MHz]", "GPU-1, %s.000, 0, 7, 40, 345")):
  >         print(head, file=f)
  >         for i in range(n):
  >             t += timedelta(minutes=1)
  >             line = row % t.strftime("%Y/%m/%d %H:%M:%S")
  >             print(line.replace(", 0, 7, 40", "") if n == 100 and i == 60 else line, file=f)
  > open("run.jsonl", "w").write(
  >     '{"ts": "2026-07-04T14:17:10.000+00:00", "type": "event", "event": "begin"}\n'
  >     '{"ts": "2026-07-04T16:00:00.000+00:00", "type": "event", "event": "end"}\n')
  > EOF
  $ smilog summarize -q --json . | python3 -SE "$OLDPWD/../../pick.py" time_base start end
  time_base "utc+02:00 inferred"
  start "2026-07-04T11:01:00.000Z"
  end "2026-07-04T16:00:00.000Z"
  $ rm -r "$d"

city alone
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > EOF
  $ smilog summarize --tz Tokyo log.csv
  2> smilog: --tz: there is no zone "Tokyo"; did you mean Asia/Tokyo?
  2> try: smilog help summarize
  [2]

doubled hour begins in summer
# it says nowhere which of the two it is
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:30:00.000, 0, 50, 100.00
  > 2026/10/25 02:30:10.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=Europe/Berlin . | python3 -SE ../../pick.py \
  >     start end time_base
  start "2026-10-25T00:30:00.000Z"
  end "2026-10-25T00:30:10.000Z"
  time_base "utc+02:00 from --tz Europe/Berlin"

doubled hour is none in utc
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 02:59:50.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 200.00
  > 2026/10/25 02:00:10.000, 0, 50, 200.00
  > EOF
  $ smilog summarize -q --json --tz=UTC . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "utc+00:00 from --tz"
  start "2026-10-25T02:00:00.000Z"
  end "2026-10-25T02:59:50.000Z"
  duration_s 20.0
  segments 2
  energy_wh 0.833333
  inputs/0/gaps 0

doubled hour of a zone
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 02:59:50.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 200.00
  > 2026/10/25 02:00:10.000, 0, 50, 200.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-10-25T00:59:55.000+00:00", "type": "phase", "name": "summer", "seconds": 30}
  > {"ts": "2026-10-25T01:00:30.000+00:00", "type": "phase", "name": "winter", "seconds": 35}
  > EOF
  $ smilog summarize -q --json --tz=Europe/Berlin . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps phases/*/name phases/*/samples phases/*/energy_wh inputs/0/problems
  time_base "utc+02:00 from --tz Europe/Berlin"
  start "2026-10-25T00:59:25.000Z"
  end "2026-10-25T01:00:30.000Z"
  duration_s 65.0
  segments 1
  energy_wh 1.25
  inputs/0/gaps 0
  phases/*/name ["summer", "winter"]
  phases/*/samples [2, 2]
  phases/*/energy_wh [0.277778, 0.972222]
  inputs/0/problems []

doubled hour of an offset
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 02:59:50.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 200.00
  > 2026/10/25 02:00:10.000, 0, 50, 200.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-10-25T00:59:55.000+00:00", "type": "phase", "name": "summer", "seconds": 30}
  > {"ts": "2026-10-25T01:00:30.000+00:00", "type": "phase", "name": "winter", "seconds": 35}
  > EOF
  $ smilog summarize --json --tz=+02:00 . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps phases/*/name phases/*/samples
  time_base "utc+02:00 from --tz"
  start "2026-10-25T00:59:25.000Z"
  end "2026-10-25T01:00:30.000Z"
  duration_s 65.0
  segments 1
  energy_wh 1.25
  inputs/0/gaps 0
  phases/*/name ["summer", "winter"]
  phases/*/samples [2, 2]
  2> smilog: log.csv: warning: the clock is set back by an hour at 2026-10-25T02:00:00: taken for the end of summer time

doubled hour of the run logs offset
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 02:59:50.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 200.00
  > 2026/10/25 02:00:10.000, 0, 50, 200.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-10-25T00:59:30.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-10-25T00:59:55.000+00:00", "type": "phase", "name": "summer", "seconds": 30}
  > {"ts": "2026-10-25T01:00:30.000+00:00", "type": "phase", "name": "winter", "seconds": 35}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps phases/*/name phases/*/samples
  time_base "utc+02:00 from the run log"
  start "2026-10-25T00:59:25.000Z"
  end "2026-10-25T01:00:30.000Z"
  duration_s 65.0
  segments 1
  energy_wh 1.25
  inputs/0/gaps 0
  phases/*/name ["summer", "winter"]
  phases/*/samples [2, 2]

doubled hour without a zone is a new segment
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 02:59:50.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 200.00
  > 2026/10/25 02:00:10.000, 0, 50, 200.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "local, zone not known"
  start "2026-10-25T02:00:00.000"
  end "2026-10-25T02:59:50.000"
  duration_s 20.0
  segments 2
  energy_wh 0.833333
  inputs/0/gaps 0

files before and after a change are one stream
  $ mkdir -p a
  $ cat >a/log.csv.1 <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 01:59:40.000, 0, 50, 100.00
  > 2026/10/25 01:59:50.000, 0, 50, 100.00
  > EOF
  $ cat >a/log.csv.2 <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 03:00:00.000, 0, 50, 100.00
  > 2026/10/25 03:00:10.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --json --tz=Europe/Berlin a --run r | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps inputs/1/gaps
  time_base "utc+02:00 from --tz Europe/Berlin"
  start "2026-10-24T23:59:40.000Z"
  end "2026-10-25T02:00:10.000Z"
  duration_s 7230.0
  segments 1
  energy_wh 0.555556
  inputs/0/gaps 0
  inputs/1/gaps 1
  $ for h in 1 2; do smilog summarize -q --tz=Europe/Berlin --run r --partial a/log.csv.$h -o "$t/$h.partial"; done
  $ echo merged
  merged
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps inputs/1/gaps
  time_base "utc+02:00 from --tz Europe/Berlin"
  start "2026-10-24T23:59:40.000Z"
  end "2026-10-25T02:00:10.000Z"
  duration_s 7230.0
  segments 1
  energy_wh 0.555556
  inputs/0/gaps 0
  inputs/1/gaps 1

half an hour of summer time
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/04/05 01:59:50.000, 0, 50, 100.00
  > 2026/04/05 01:30:00.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=Australia/Lord_Howe log.csv | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "utc+11:00 from --tz Australia/Lord_Howe"
  start "2026-04-04T14:59:50.000Z"
  end "2026-04-04T15:00:00.000Z"
  duration_s 10.0
  segments 1
  energy_wh 0.277778
  inputs/0/gaps 0

last time far behind another header
# The monitor began again with other columns, and wrote more than 64 KiB since: the end of the log is read all the same.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ python3 -SE - <<'EOF'
  > from datetime import datetime, timedelta
  > t = datetime(2026, 7, 4, 13, 0)
  > with open("hw.csv", "w") as f:
  >     for n, head, row in ((3000, "uuid, timestamp, power.draw [W]", "GPU-1, %s.000, 60.00"),
  >                          (3000, "uuid, timestamp, index, power.draw [W], utilization.gpu [%], temperature.gpu", "GPU-1, %s.000, 0, 60.00, 7, 40")):
  >         print(head, file=f)
  >         for _ in range(n):
  >             t += timedelta(seconds=1)
  >             print(row % t.strftime("%Y/%m/%d %H:%M:%S"), file=f)
  > open("run.jsonl", "w").write(
  >     '{"ts": "2026-07-03T23:00:00.000+00:00", "type": "event", "event": "start"}\n'
  >     '{"ts": "2026-07-04T00:40:00.000+00:00", "type": "event", "event": "stop"}\n')
  > EOF
  $ smilog summarize -q --json . | python3 -SE "$OLDPWD/../../pick.py" time_base start end
  time_base "utc+14:00 inferred"
  start "2026-07-03T23:00:00.000Z"
  end "2026-07-04T00:40:00.000Z"
  $ rm -r "$d"

last time under another header
# The header changes, and what the first 512 bytes end in would pass for a row: it is not the last of the log, whose zone
# follows from how it lies over the run log.
  $ d=$(mktemp -d) || exit
  $ python3 -SE - "$d" <<'PY'
  > import sys
  > with open(sys.argv[1] + "/gpu.csv", "w") as f:
  >     print("timestamp, memory.total, index, uuid, pci.bus_id", file=f)
  >     for i in range(8):
  >         print(f"2026/07/03 12:00:{i:02}.000, 81559, 0, GPU-00005eed-0000-4000-8000-000000000000, 00000000:10:00.0", file=f)
  >     print("timestamp, index, utilization.gpu, power.draw, clocks.sm, temperature.gpu", file=f)
  >     for i in range(60):
  >         print(f"2026/07/03 12:{i:02}:30.000, 0, 50, 300, 1500, 50", file=f)
  > with open(sys.argv[1] + "/run.jsonl", "w") as f:
  >     for m in (10, 20, 30):
  >         print(f'{{"ts": "2026-07-03T10:{m}:00Z", "type": "phase", "name": "train", "seconds": 60}}', file=f)
  > PY
  $ head -c 512 "$d/gpu.csv" | tail -n 1 && echo
  2026/07/03 12:00:04.000, 81559, 0, GPU-00005eed-0000-4000-8000-000000000000, 00000000:1
  $ smilog summarize --json -q "$d" | python3 -SE -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["time_base"])'
  utc+02:00 inferred
  $ rm -r "$d"

name that leads out of the folder
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > EOF
  $ smilog summarize --tz ../../../etc/passwd log.csv
  2> smilog: --tz needs a zone such as Europe/Berlin, UTC or +02:00, not "../../../etc/passwd"
  2> try: smilog help summarize
  [2]

name with another case
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > EOF
  $ smilog summarize --tz europe/berlin log.csv
  2> smilog: --tz: there is no zone "europe/berlin"; did you mean Europe/Berlin?
  2> try: smilog help summarize
  [2]

no tzdata is needed for offsets
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=-9:30 log.csv | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc-09:30 from --tz"
  start "2026-07-03T19:30:00.000Z"

parts of different zones are refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ here=$PWD
  $ cd "$t" || exit
  $ smilog summarize -q --tz=Europe/Berlin --run r --partial "$here/log.csv" -o 1.partial
  $ smilog summarize -q --tz=+01:00 --run r --partial "$here/log.csv" -o 2.partial
  $ smilog merge 1.partial 2.partial 2>said; rc=$?
  $ sed 's/ [12].partial/ N.partial/' said >&2 # which of both comes first depends on their sums
  2> smilog: N.partial: run r was summarised in another time zone there: give the same --tz to all
  $ exit $rc
  [3]

phases on both sides of each change
# Each way to know the zone; the same phases, rows and watts.
  $ t=$(mktemp -d) log=$PWD/log.py pick=$PWD/../../pick.py && trap 'rm -rf "$t"' EXIT && cd "$t" || exit
  $ tell() {
  >     smilog summarize -q --json "$@" . | python3 -SE "$pick" time_base phases/*/samples phases/*/summary/power_watts_mean segments |
  >         cut -d' ' -f2- | tr '\n' ' '
  >     echo
  > }
  $ for change in spring autumn; do
  >     python3 "$log" $change && echo $change:
  >     tell --tz=Europe/Berlin
  >     tell --tz=+0$([ $change = spring ]; echo $(($? + 1))):00
  >     tell
  >     sed -i 's/, "data".*}/}/' run.jsonl
  >     tell
  >     python3 "$log" $change 20 && sed -i 's/, "data".*}/}/' run.jsonl && echo the monitor began 20 min before the run:
  >     tell
  >     gzip hw.csv && tell && gzip -d hw.csv
  >     mkdir in && tar -cf in/run.tar hw.csv run.jsonl && (cd in && tell) # no archive is looked through for it
  >     rm -r in
  > done
  spring:
  "utc+01:00 from --tz Europe/Berlin" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+01:00 from --tz" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+01:00 from the run log" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+01:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  the monitor began 20 min before the run:
  "utc+01:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+01:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+01:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  autumn:
  "utc+02:00 from --tz Europe/Berlin" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+02:00 from --tz" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+02:00 from the run log" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+02:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  the monitor began 20 min before the run:
  "utc+02:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+02:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)
  "utc+02:00 inferred" [180, 270] [100.0, 300.0] 1\x20 (esc)

query log in utc has phases
  $ mkdir -p run
  $ cat >run/gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 1722514250, 0, 0 %
  > 1722514251, 0, 10 %
  > 1722514252, 0, 20 %
  > 1722514253, 0, 30 %
  > 1722514254, 0, 40 %
  > 1722514255, 0, 50 %
  > EOF
  $ cat >run/run.jsonl <<'EOF'
  > {"ts": "2024-08-01T12:10:50.000+00:00", "type": "event", "event": "start", "data": {}}
  > {"ts": "2024-08-01T12:10:53.000+00:00", "type": "phase", "name": "fit", "seconds": 2.0}
  > EOF
  $ for zone in UTC +02:00; do
  >     smilog summarize -q --tz $zone run --json |
  >         python3 -SE ../../pick.py start phases/0/name phases/0/seconds phases/0/summary/gpu_util_mean_pct
  > done
  start "2024-08-01T12:10:50.000Z"
  phases/0/name "fit"
  phases/0/seconds 2.0
  phases/0/summary/gpu_util_mean_pct 25.0
  start "2024-08-01T12:10:50.000Z"
  phases/0/name "fit"
  phases/0/seconds 2.0
  phases/0/summary/gpu_util_mean_pct 25.0

run at utc plus 2 gets its phases
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/04 00:10:46.109, 0, 50, 100.00
  > 2026/07/04 00:10:48.109, 0, 50, 100.00
  > 2026/07/04 00:10:50.109, 0, 50, 100.00
  > 2026/07/04 00:10:52.109, 0, 50, 300.00
  > 2026/07/04 00:10:54.109, 0, 50, 300.00
  > 2026/07/04 00:10:56.109, 0, 50, 300.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T22:10:46.000+00:00", "type": "event", "event": "start", "data": {}}
  > {"ts": "2026-07-03T22:10:51.000+00:00", "type": "phase", "name": "compile", "seconds": 5}
  > {"ts": "2026-07-03T22:10:57.000+00:00", "type": "phase", "name": "fit", "seconds": 6}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start end phases/*/name phases/*/samples phases/*/summary/power_watts_mean
  time_base "utc+02:00 inferred"
  start "2026-07-03T22:10:46.000Z"
  end "2026-07-03T22:10:57.000Z"
  phases/*/name ["compile", "fit"]
  phases/*/samples [3, 3]
  phases/*/summary/power_watts_mean [100.0, 300.0]

several zones are said
# Runs on several clocks are shown in UTC, which is said
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ for h in 1 2 3; do
  >     mkdir "$d/run$h"
  >     printf '{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": %d}}\n' $((h * 3600)) >"$d/run$h/run.jsonl"
  >     for i in 0 1 2; do printf '2026/07/03 %d:00:0%d.000, 50\n' $((10 + h)) $i; done | sed '1i timestamp, utilization.gpu [%]' >"$d/run$h/hw.csv"
  > done
  $ smilog summarize -q "$d" | sed -n 2p
  2026-07-03 10:00 to 10:00, UTC (runs in several zones)   sampled every 1.0 s

skipped hour of a zone
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/03/29 01:59:40.000, 0, 50, 100.00
  > 2026/03/29 01:59:50.000, 0, 50, 100.00
  > 2026/03/29 03:00:00.000, 0, 50, 200.00
  > 2026/03/29 03:00:10.000, 0, 50, 200.00
  > EOF
  $ smilog summarize -q --json --tz=Europe/Berlin . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "utc+01:00 from --tz Europe/Berlin"
  start "2026-03-29T00:59:40.000Z"
  end "2026-03-29T01:00:10.000Z"
  duration_s 30.0
  segments 1
  energy_wh 1.25
  inputs/0/gaps 0

skipped hour of an offset
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/03/29 01:59:40.000, 0, 50, 100.00
  > 2026/03/29 01:59:50.000, 0, 50, 100.00
  > 2026/03/29 03:00:00.000, 0, 50, 200.00
  > 2026/03/29 03:00:10.000, 0, 50, 200.00
  > EOF
  $ smilog summarize --json --tz=+01:00 . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "utc+01:00 from --tz"
  start "2026-03-29T00:59:40.000Z"
  end "2026-03-29T01:00:10.000Z"
  duration_s 30.0
  segments 1
  energy_wh 1.25
  inputs/0/gaps 0
  2> smilog: log.csv: warning: the clock is set forward by an hour at 2026-03-29T03:00:00: taken for the beginning of summer time

skipped hour without a zone is a gap
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/03/29 01:59:40.000, 0, 50, 100.00
  > 2026/03/29 01:59:50.000, 0, 50, 100.00
  > 2026/03/29 03:00:00.000, 0, 50, 200.00
  > 2026/03/29 03:00:10.000, 0, 50, 200.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "local, zone not known"
  start "2026-03-29T01:59:40.000"
  end "2026-03-29T03:00:10.000"
  duration_s 3630.0
  segments 1
  energy_wh 0.833333
  inputs/0/gaps 1

slow log near two offsets is not decided
# docs/numbers.md §6 (a): +05:30 is 15 minutes away, within three intervals of 302 s
  $ t=$(mktemp -d) here=$PWD && trap 'rm -rf "$t"' EXIT && cd "$t" || exit
  $ try() { echo "$*: $(python3 -SE "$here/log.py" "$@" && smilog summarize -q --json . | python3 -SE "$here/../../pick.py" time_base)"; }
  $ try 302 1 0
  302 1 0: time_base "local, zone not known"
  $ try 302 1 60
  302 1 60: time_base "local, zone not known"
  $ try 302 8 0
  302 8 0: time_base "local, zone not known"
  $ try 302 8 60
  302 8 60: time_base "local, zone not known"
  $ try 298 1 60 # within three intervals of 298 s it is not
  298 1 60: time_base "utc+05:45 inferred"
  $ try 2 8 60
  2 8 60: time_base "utc+05:45 inferred"
  $ python3 -SE "$here/log.py" 302 1 60 && gzip gpu.csv && smilog summarize -q --json . | python3 -SE "$here/../../pick.py" time_base
  time_base "local, zone not known"

south of the equator
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/04/05 02:59:50.000, 0, 50, 100.00
  > 2026/04/05 02:00:00.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=Pacific/Auckland log.csv | python3 -SE ../../pick.py \
  >     time_base start end duration_s segments energy_wh inputs/0/gaps
  time_base "utc+13:00 from --tz Pacific/Auckland"
  start "2026-04-04T13:59:50.000Z"
  end "2026-04-04T14:00:00.000Z"
  duration_s 10.0
  segments 1
  energy_wh 0.277778
  inputs/0/gaps 0

stamp inside the skipped hour
# a clock that was not moved
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/03/29 02:30:00.000, 0, 50, 100.00
  > 2026/03/29 02:30:10.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=Europe/Berlin . | python3 -SE ../../pick.py \
  >     start end
  start "2026-03-29T01:30:00.000Z"
  end "2026-03-29T01:30:10.000Z"

stamps that the zone has never or twice are counted
  $ cat >never.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/03/29 02:30:00.000, 0, 50, 100.00
  > 2026/03/29 02:30:10.000, 0, 50, 100.00
  > 2026/03/29 03:30:20.000, 0, 50, 100.00
  > EOF
  $ cat >twice.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:40.000, 0, 50, 100.00
  > 2026/10/25 03:00:10.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --tz=Europe/Berlin never.csv | grep warnings:
  warnings: 2 times that the zone has never or twice
  2> smilog: never.csv: warning: 2 stamps in the hour that Europe/Berlin leaves out: read as if the clock had not been set; is it the zone of the log?
  $ smilog summarize --tz=Europe/Berlin twice.csv | grep warnings:
  warnings: 1 time that the zone has never or twice
  2> smilog: twice.csv: warning: 1 stamp in the hour that comes twice in Europe/Berlin: taken for its first pass
  $ smilog summarize --tz=Europe/Berlin --partial never.csv | smilog merge --json - | python3 -SE ../../pick.py inputs/0/problems/*/text
  inputs/0/problems/*/text ["2 stamps in the hour that Europe/Berlin leaves out: read as if the clock had not been set; is it the zone of the log?"]
  2> smilog: never.csv: warning: 2 stamps in the hour that Europe/Berlin leaves out: read as if the clock had not been set; is it the zone of the log?

times are shown as the zone shows them
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --run-per file -q --tz=Europe/Berlin log.csv
  log.csv   10s   2026-07-03 10:00:00 to 10:00:10, UTC+02:00 (from --tz Europe/Berlin)
  1 GPU

  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W   Wh
    0    50.0  50   50   50   50     0.0         -  100.0  0.3

  note: no memory.used column, or no reading in it
  note: no CPU log

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct     50.0
  gpu_util_max_pct      50.0
  power_watts_mean     100.0
  power_watts_max      100.0
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  quality: complete
  10s, <0.01 GPU-h, 0.3 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)

utc log on a pipe is not moved
  $ cat >cpu.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T08:00:00.500+00:00,1.0,99.0
  > 2026-07-03T08:00:02.500+00:00,1.0,99.0
  > EOF
  $ smilog summarize -q --json --tz=Europe/Berlin - <cpu.csv | python3 -SE ../../pick.py \
  >     time_base start end
  time_base "utc"
  start "2026-07-03T08:00:00.500Z"
  end "2026-07-03T08:00:02.500Z"
