a time of day is not counted from a pipe
# Rows with times have their own, with --interval too, whatever comes before them: as a file, from a pipe and packed.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ printf '#Time        gpu    sm    mem\n#HH:MM:SS    Idx     %%      %%\n 10:00:00      0    50     10\n 10:00:02      0    50     10\n' >dmon.log
  $ printf 'timestamp,usr_pct,idle_pct\n2026-07-03T2026-07-03T10:00:00Z,50,50\n2026-07-03T10:00:00Z,50,50\n2026-07-03T10:00:02Z,50,50\n' >cpu.csv
  $ gzip -k dmon.log cpu.csv
  $ for f in dmon.log '- <dmon.log' dmon.log.gz cpu.csv '- <cpu.csv' cpu.csv.gz; do
  >     eval smilog summarize --run-per file -q --json --interval 5 $f | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print(r["time_base"], r["duration_s"], sep=", ")'
  > done
  time of day, date not known, 2.0
  time of day, date not known, 2.0
  time of day, date not known, 2.0
  utc, 2.0
  utc, 2.0
  utc, 2.0

compressed logs as plain ones
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 26}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ cat >time.txt <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  10:00:00       0    100     10
  >  10:01:10       0    100     10
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/a" "$t/b" "$t/a/run" "$t/b/run"
  $ cp dmon.txt hw.csv run.jsonl time.txt "$t/a/run"
  $ for f in dmon.txt hw.csv run.jsonl time.txt; do gzip -n <$f >"$t/b/run/$f.gz"; done
  $ for o in --tz=+02:00 --interval=5; do
  >     for d in a b; do smilog summarize -q --json $o "$t/$d/run" | sed 's/\.gz"/"/g' >"$t/$d.json"; done
  >     cmp "$t/a.json" "$t/b.json" && echo same
  > done
  same
  same

dmon beside a clock that steps back
# the clock of the log beside it stepped back, so that its last row is before its first: the rows of dmon lie between both
  $ mkdir -p run
  $ cat >run/hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 12:10:00.000, 0, 50 %, 100.00 W
  > 2026/07/03 12:10:10.000, 0, 50 %, 100.00 W
  > 2026/07/03 11:40:10.000, 0, 50 %, 100.00 W
  > 2026/07/03 11:40:20.000, 0, 50 %, 100.00 W
  > EOF
  $ cat >run/hw_dmon.csv <<'EOF'
  > # gpu     sm    mem
  > # Idx      %      %
  >     0     10     10
  >     0     20     20
  >     0     30     30
  > EOF
  $ cat >run/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T09:40:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "phase", "name": "middle", "seconds": 600}
  > {"ts": "2026-07-03T10:10:00.000+00:00", "type": "phase", "name": "end", "seconds": 60}
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py phases/*/name phases/*/summary/mem_util_mean_pct
  phases/*/name ["middle", "end"]
  phases/*/summary/mem_util_mean_pct [20.0, 30.0]

dmon beside a run log alone
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 25}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     duration_s phases/*/name phases/*/samples phases/*/summary/mem_util_mean_pct
  duration_s 60.0
  phases/*/name ["a", "b"]
  phases/*/samples [2, 4]
  phases/*/summary/mem_util_mean_pct [15.0, 45.0]

dmon is not spread without a zone
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T03:17:25.000+00:00", "type": "phase", "name": "a", "seconds": 25}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base phases/*/samples phases/*/summary/mem_util_mean_pct
  time_base "local, zone not known"
  phases/*/samples [0]
  phases/*/summary/mem_util_mean_pct [absent]

dmon of two gpus is spread for each
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 26}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     phases/*/name phases/*/summary/mem_util_mean_pct phases/*/summary/mem_util_max_pct
  phases/*/name ["a", "b"]
  phases/*/summary/mem_util_mean_pct [10.5, 45.5]
  phases/*/summary/mem_util_max_pct [21.0, 61.0]

dmon rows are spread over the run
# 7 rows over 0 ... 60 s; the phases cover 0-25 s and 25-60 s, and no interval of dmon is made
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 26}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     phases/*/name phases/*/samples phases/*/summary/mem_util_mean_pct \
  >     phases/*/energy_wh duration_s problems gpus/0/metrics/mem_util_pct/time_mean
  phases/*/name ["a", "b"]
  phases/*/samples [3, 4]
  phases/*/summary/mem_util_mean_pct [10.0, 45.0]
  phases/*/energy_wh [0.555556, 1.111111]
  duration_s 61.0
  problems ["no CPU log", "rows without times (dmon without -o) are spread evenly over the run: estimated, for phases only"]
  gpus/0/metrics/mem_util_pct/time_mean null

dmon spread merges
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 26}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial --run r . -o "$t/1.partial"
  $ smilog summarize -q --json --run r . >"$t/whole"
  $ smilog merge -q --json "$t/1.partial" | cmp - "$t/whole" && echo same
  same

interval alone
  $ cat >dmon.txt <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10
  >     0    100     10
  >     0    100     10
  > EOF
  $ smilog summarize -q --json --interval 2 dmon.txt | python3 -SE ../../pick.py \
  >     time_base start duration_s covered_s energy_wh gpus/0/samples inputs/0/interval_s
  time_base "counted by --interval, date not known"
  start null
  duration_s 6.0
  covered_s 6.0
  energy_wh 0.166667
  gpus/0/samples 4
  inputs/0/interval_s 2.0

interval beside a timed log
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  >     0    0     7
  >     0    10     7
  >     0    20     7
  >     0    30     7
  >     0    40     7
  >     0    50     7
  >     0    60     7
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:25.000+00:00", "type": "phase", "name": "a", "seconds": 26}
  > {"ts": "2026-07-03T08:01:00.000+00:00", "type": "phase", "name": "b", "seconds": 35}
  > EOF
  $ smilog summarize -q --json --interval 5 . | python3 -SE ../../pick.py \
  >     time_base start end duration_s phases/*/samples gpus/0/metrics/mem_util_pct/time_mean phases/*/summary/mem_util_mean_pct
  time_base "utc+02:00 from the run log"
  start "2026-07-03T07:59:59.000Z"
  end "2026-07-03T08:01:00.000Z"
  duration_s 61.0
  phases/*/samples [3, 4]
  gpus/0/metrics/mem_util_pct/time_mean 30.0
  phases/*/summary/mem_util_mean_pct [25.0, 60.0]

interval leaves logs with times alone
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > EOF
  $ smilog summarize -q --json --interval 5 hw.csv | python3 -SE ../../pick.py \
  >     duration_s start
  duration_s 20.0
  start "2026-07-03T10:00:00.000"

interval merges
  $ cat >dmon.txt <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10
  >     0    100     10
  >     0    100     10
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial --interval 2 --run r dmon.txt -o "$t/1.partial"
  $ smilog summarize -q --json --interval 2 --run r dmon.txt >"$t/whole"
  $ smilog merge -q --json "$t/1.partial" | cmp - "$t/whole" && echo same
  same

interval of a fraction
  $ cat >dmon.txt <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10
  >     0    100     10
  >     0    100     10
  >     0    100     10
  > EOF
  $ smilog summarize -q --json --interval=0.0005 dmon.txt | python3 -SE ../../pick.py \
  >     duration_s
  duration_s 0.002

interval of a query without times
  $ cat >hw.csv <<'EOF'
  > index, power.draw [W]
  > 0, 100 W
  > 1, 50 W
  > 0, 100 W
  > 1, 50 W
  > EOF
  $ smilog summarize -q --json --interval 1 hw.csv | python3 -SE ../../pick.py \
  >     duration_s energy_wh
  duration_s 1.0
  energy_wh 0.041667

interval on a pipe
  $ cat >dmon.txt <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10
  >     0    100     10
  >     0    100     10
  > EOF
  $ smilog summarize -q --json --interval 2 - <dmon.txt | python3 -SE ../../pick.py \
  >     time_base duration_s energy_wh
  time_base "counted by --interval, date not known"
  duration_s 6.0
  energy_wh 0.166667

interval that is none
  $ cat >dmon.txt <<'EOF'
  > # gpu    mem     sm
  > # Idx      %      %
  > EOF
  $ smilog summarize --interval -1 dmon.txt
  2> smilog: --interval needs a number that is not negative, not "-1"
  2> try: smilog help summarize
  [2]

nothing is spread where no row is
# A log that has only begun: the note about rows without times is for logs that have rows, packed or not.
  $ cat >run/run.jsonl <<'EOF'
  > {"ts": "2026-06-21T00:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-06-21T00:00:09.000+00:00", "type": "phase", "name": "fit", "seconds": 5}
  > EOF
  $ t=$(mktemp -d)
  $ tar -cf "$t/run.tar" run
  $ for log in run "$t/run.tar"; do
  >     smilog summarize -q -v "$log" | grep -c "spread evenly"
  > done
  0
  0
  [1]
  $ rm -r "$t"

time of day alone has no date
  $ cat >dmon.txt <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  10:00:00       0    100     10
  >  10:01:10       0    100     10
  > EOF
  $ smilog summarize -q --json dmon.txt | python3 -SE ../../pick.py \
  >     time_base start duration_s
  time_base "time of day, date not known"
  start null
  duration_s 70.0

time of day before midnight
  $ cat >dmon.txt <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  23:59:58       0    100     10
  >  00:00:08       0    100     10
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/04 00:00:01.000, 0, 50, 100, 100.00
  > 2026/07/04 00:00:06.000, 0, 50, 100, 100.00
  > EOF
  $ smilog summarize -q --json --tz=UTC . | python3 -SE ../../pick.py \
  >     start end duration_s
  start "2026-07-03T23:59:58.000Z"
  end "2026-07-04T00:00:08.000Z"
  duration_s 10.0

time of day is dated by its neighbour
  $ cat >dmon.txt <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  10:00:00       0    100     10
  >  10:01:10       0    100     10
  > EOF
  $ cat >hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:20.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:30.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:40.000, 0, 50, 100, 100.00
  > 2026/07/03 10:00:50.000, 0, 50, 100, 100.00
  > 2026/07/03 10:01:00.000, 0, 50, 100, 100.00
  > EOF
  $ smilog summarize -q --json --tz=+02:00 . | python3 -SE ../../pick.py \
  >     time_base start end duration_s inputs/*/path
  time_base "utc+02:00 from --tz"
  start "2026-07-03T08:00:00.000Z"
  end "2026-07-03T08:01:10.000Z"
  duration_s 70.0
  inputs/*/path ["dmon.txt", "hw.csv"]

time of day joins phases
  $ cat >cpu.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T08:00:09.500+00:00,1.0,99.0
  > 2026-07-03T08:00:31.500+00:00,1.0,99.0
  > EOF
  $ cat >dmon.txt <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  10:00:10       0    100     10
  >  10:00:20       0    100     10
  >  10:00:30       0    300     10
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > {"ts": "2026-07-03T08:00:20.000+00:00", "type": "phase", "name": "a", "seconds": 15}
  > {"ts": "2026-07-03T08:00:30.000+00:00", "type": "phase", "name": "b", "seconds": 10}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     start end phases/*/samples phases/*/energy_wh
  start "2026-07-03T08:00:00.000Z"
  end "2026-07-03T08:00:31.500Z"
  phases/*/samples [2, 1]
  phases/*/energy_wh [0.277778, 0.555556]

times of day have a shape
# Times of day are drawn over their own range; local times, whose zone a run log tells, over the whole run.
  $ dmon() {
  >     echo '#Time        gpu     sm    mem'; echo '#HH:MM:SS    Idx      %      %'
  >     for i in $(seq 0 59); do printf ' 10:%02d:%02d      0     %2d     10\n' $((i / 6)) $((i % 6 * 10)) $((i < 30 ? 0 : 90)); done
  > }
  $ mkdir run
  $ dmon >run/d.txt
  $ COLUMNS=160 smilog summarize -q run | grep -a ▁
    0    45.0   0   45   90   90  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁██████████████████████████████    49.2         -  -   -
  $ {
  >     echo 'timestamp, index, utilization.gpu [%]'
  >     for i in $(seq 0 59); do printf '2026/03/02 12:%02d:%02d.000, 0, %d %%\n' $((i / 6)) $((i % 6 * 10)) $((i < 30 ? 0 : 90)); done
  > } >run/gpu.csv
  $ printf '{"ts": "2026-03-02T%s.000Z", "type": "event", "event": "%s"}\n' 10:00:00 start 10:29:50 stop >run/run.jsonl
  $ COLUMNS=160 smilog summarize -q run | grep -a ▁
    0    45.0   0   45   90   90  ················································▁▁██········    49.2         -  -   -

rows with times behind many without
# Whatever the number of rows in front, those with times have their own, and those without have none.
  $ for n in 5 30 3000; do { echo 'index, utilization.gpu [%]'; for i in $(seq $n); do echo '0, 0 %'; done; echo 'timestamp, index, utilization.gpu [%]'
  >   printf '2026/07/03 10:00:0%d.600, 0, 55 %%\n' 0 1 2; } >/tmp/$$.csv; smilog summarize -q --interval 1 --json /tmp/$$.csv | python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]; print(r["start"], r["duration_s"])'; smilog summarize -q --interval 1 --json - </tmp/$$.csv | grep -c '"duration_s": 2.0'; rm /tmp/$$.csv; done
  2026-07-03T10:00:00.600 2.0
  2
  2026-07-03T10:00:00.600 2.0
  2
  2026-07-03T10:00:00.600 2.0
  2
