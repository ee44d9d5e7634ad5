a column of nothing leaves first
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for n in a b; do run=${n}longnamewithoutanyseparators$n; mkdir -p "$t/$run"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$run/hw.csv"; done
  $ cd "$t" && for w in 72 66 100; do COLUMNS=$w LINES=50 script -qec 'smilog summarize -q --color=never .' /dev/null | tr -d '\r' | grep -e ^RUN -e columns:; done
  RUN                            TIME  GPU %  OVER TIME   IDLE %  WASTED h
  RUN                             TIME  GPU %  IDLE %  WASTED h
  (66 columns: without OVER TIME; a wider window has all)
  RUN                             TIME  GPU %  OVER TIME   IDLE %  WASTED h

a name that stands twice is shortened once
# The most extreme run is the same in both rows: that is no reason to number its name.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 40); do run=$i:alongnameofrunnumber$i; mkdir "$t/$run"; printf "timestamp, index, utilization.gpu [%%], power.draw [W]\n2026/07/03 10:00:00.000, 0, $((i == 7 ? 90 : 5)), $((i == 7 ? 500 : 100 + i % 2))\n2026/07/03 10:00:02.000, 0, $((i == 7 ? 90 : 5)), $((i == 7 ? 500 : 100 + i % 2))\n" >"$t/$run/log.csv"; done
  $ COLUMNS=64 LINES=24 TERM=xterm script -qec "smilog summarize -q --color=never $t" /dev/null | tr -d '\r' | sed -n '/^OVER/,/^$/p'
  OVER ALL RUNS  min  p25  median  p75   max   most extreme
  GPU %          5.0  5.0     5.0  5.0  90.0   7:alongna…unnumber7
  idle %         0.0  0.0     0.0  0.0   0.0   -
  VRAM GiB         -    -       -    -     -   -
  Wh             0.1  0.1     0.1  0.1   0.3   7:alongna…unnumber7


all shows every run
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 60); do mkdir "$t/r$i"; printf "index, utilization.gpu [%%]\n0, $i\n" >"$t/r$i/log.csv"; done
  $ COLUMNS=100 LINES=30 script -qec "smilog summarize -q --color=never --all $t 2>/dev/null" /dev/null | grep -c "^r[0-9]"
  60

ascii outside utf8
  $ LC_ALL=C smilog summarize -q ../../../fixtures/sweep | LC_ALL=C grep -c '[^ -~]'
  0
  [1]

color always
  $ smilog summarize -q --color=always ../../../fixtures/sweep | grep -c $'\033' | sed 's/^[1-9][0-9]*$/some/'
  some

color never
  $ COLUMNS=100 LINES=60 TERM=xterm script -qec "smilog summarize -q --color=never ../../../fixtures/sweep 2>/dev/null" /dev/null | grep -c $'\033'
  0
  [1]

colour on a terminal
# Bold heads at least.
  $ COLUMNS=100 LINES=60 TERM=xterm script -qec "smilog summarize -q ../../../fixtures/sweep 2>/dev/null" /dev/null | grep -c $'\033' | sed 's/^[1-9][0-9]*$/some/'
  some

columns in a pipe
# COLUMNS is a wish wherever tables go.
  $ s=../../../fixtures/sweep
  $ COLUMNS=80 smilog summarize -q $s | head -5
  12 runs in ../../../fixtures/sweep   3 lr x 4 seeds, none missing
  2 x H100 80GB HBM3   batch=4096 epochs=50 model=hestonnn
  2026-07-03 18:14 to 2026-07-04 05:34, UTC+02:00 (inferred)
  sampled every 10.0 s
  32.0 % of the time of the GPUs lies between runs, at most 3h03m
  $ COLUMNS=80 smilog summarize -q $s | wc -L
  80
  $ COLUMNS=80 smilog summarize -q $s -o - | wc -l
  39
  $ cmp <(COLUMNS=none smilog summarize -q $s) <(smilog summarize -q $s) && echo "a word is no wish"
  a word is no wish
  $ cmp <(COLUMNS=80 smilog summarize -q --format csv $s) <(smilog summarize -q --format csv $s) && echo "CSV has no width"
  CSV has no width

every cause has a row
# Each cause of waste of many runs has a row, in a window, a pipe and Markdown, and together they are what was wasted.
  $ sweep=../../../fixtures/sweep
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ for i in $(seq 24); do
  >     case $i in 1 | 2) from=lr=0.3/seed=2 ;; 3) from=lr=0.1/seed=3 ;; 4 | 5) from=lr=0.1/seed=2 ;; *) from=lr=0.03/seed=1 ;; esac
  >     mkdir -p "$out/many/run$i" && cp $sweep/$from/*.* "$_"
  >     sed -i "s/GPU-/GPU-$i/" "$out/many/run$i/hw_metrics.csv" # other GPUs
  > done
  $ cd "$out" || exit 1
  $ see() { COLUMNS=100 LINES=60 script -qec "smilog summarize -q --color=never $*" /dev/null | tr -d '\r' | sed -n '/^Where/,/^VRAM/p' | grep -v VRAM; }
  $ see many
  Where 1.95 of 7.33 GPU-hours went (26.5 %)
  CAUSE   GPU-h  WHERE    WHAT HAPPENED
  failed   1.38  2 runs   out of memory: JAX took 59.8 of 79.6 GiB at its start: a larger
                          XLA_PYTHON_CLIENT_MEM_FRACTION, or a smaller batch
  start    0.36  22 runs  idle before the first work, 3m31s on average: load and compile before a GPU
                          is held, or keep what was compiled
  stall    0.17  run3     both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy
  end      0.04  2 runs   idle after the last work, 1m10s on average
  $ smilog summarize -q many | sed -n '/^CAUSE/,/^VRAM/p' | grep -cw -e failed -e start -e stall -e end
  4
  $ smilog summarize -q many --price-gpu-hour 1 --format md | grep -e '^| [a-z]* |' -e '^| `run[123]`' -e '^| .*total' -e '\*\*'
  **24 runs, 7.33 GPU-h (38.40 more are in several runs), $7.33, 1.95 kWh, GPU 80.3 %, 1.95 GPU-h wasted (26.5 %), 2 failed**
  | failed | 1.38 | $1.38 | 2 runs | `out of memory: JAX took 59.8 of 79.6 GiB at its start: a larger XLA_PYTHON_CLIENT_MEM_FRACTION, or a smaller batch` |
  | start | 0.36 | $0.36 | 22 runs | idle before the first work, 3m31s on average: load and compile before a GPU is held, or keep what was compiled |
  | stall | 0.17 | $0.17 | `run3` | both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy |
  | end | 0.04 | $0.04 | 2 runs | idle after the last work, 1m10s on average |
  | `run1` | `0.3` | `2` | **FAILED** | 77.4 | 8.9 | **1.38** | 1.38 |
  | `run2` | `0.3` | `2` | **FAILED** | 77.4 | 8.9 | **1.38** | 1.38 |
  | `run3` | `0.1` | `3` | ok | 72.2 | **14.7** | 0.29 | 0.29 |
  | **total 24 runs** | | | | 80.3 | 9.4 | 1.95 | |
  $ see many --price-gpu-hour 1 | awk '{ n += $2 } /^Where/ { n = 0; all = $2 } END { print (n - all < 0.015 && all - n < 0.015) ? "adds up" : n " is not " all }'
  adds up

every finding has a row
# Each finding has a row, in a window and in a pipe, most important first.
  $ dir=$(mktemp -d)
  $ trap 'rm -rf "$dir"' EXIT
  $ PYTHONPATH=../../findings python3 -SB -c '
  > import rules, sys
  > reasons = {"sw_power_cap": 200, "sync_boost": 190, "sw_thermal_slowdown": 180, "hw_thermal_slowdown": 170, "hw_power_brake_slowdown": 160}
  > rules.write(sys.argv[1], "many", {
  >     "without": [rules.MASK], "cpu": 99, "phases": [("compile", 240, 240)],
  >     "extra": {f"clocks_event_reasons_counters.{r} [us]": (lambda s: lambda i: i * s * 1000000 // 300)(s) for r, s in reasons.items()},
  >     "before": {50: ["NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."]},
  >     "rows": 600, 0: {rules.UTIL: rules.during(100, 160, 0, 20), rules.CORR: lambda i: i // 10}, 1: {rules.UTIL: rules.during(160, 220, 0, 80)}})' "$dir"
  $ cd "$dir/whole" || exit 1
  $ see() { COLUMNS=100 LINES=60 script -qec "smilog summarize -q --color=never $*" /dev/null | tr -d '\r' | sed -n '/^FINDINGS/,/^$/p'; }
  $ see many
  FINDINGS              LEVEL  GPU-h  WHAT, AND WHAT TO DO
  xid                   error   0.67  XID 79 at 00:01:38 on GPU bus 3b: NVIDIA's list of XIDs says
                                      what it means
  stall                 warn    0.07  GPU 0 idle 2m00s from 00:03:18 while GPU 1 worked, and 1 more:
                                      work that is not shared evenly, or waits for that of others?
  cpu-oversubscribed    warn    0.67  all CPUs busy, 99 % on average, while the GPUs were at 45 %:
                                      more CPUs, or fewer threads and workers
  low-util              warn    0.33  GPU 0 at 18 % over time: larger batches, faster input, or
                                      several jobs on a GPU
  throttle-sw-thermal   warn    0.20  GPU 0 slowed by heat (driver) 30 % of the time, and 1 more:
                                      cooling, or a lower power limit
  throttle-hw-thermal   warn    0.19  GPU 0 slowed by heat (hardware) 28.3 % of the time, and 1 more:
                                      cooling, or a lower power limit
  throttle-power-brake  warn    0.18  GPU 0 slowed by the power brake of the system 26.7 % of the
                                      time, and 1 more: the power supply does not keep up
  compile               warn    0.13  phase compile took 20 % of the run: a cache of compiled
                                      programs, or fewer shapes
  ecc-corrected         info    0.33  59 corrected ECC errors on GPU 0 from 00:00:20 on: nothing to
                                      do: they were corrected
  throttle-power-cap    info    0.22  GPU 0 at its power limit 33.3 % of the time, and 1 more: nothing
                                      to do: it gives what its limit allows
  throttle-sync-boost   info    0.21  GPU 0 tied to the clocks of another 31.7 % of the time, and 1
                                      more: nothing to do: such GPUs are to keep step

  $ smilog summarize -q many | sed -n '/^FINDINGS/,/^$/p' | grep -c -e ' warn ' -e ' info ' -e ' error '
  11

few lines do not fold a short table
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%], power.draw [W]\n2026/07/03 10:00:00.000, 0, 50, 100.00\n2026/07/03 10:00:02.000, 0, 50, 100.00\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for n in 12 13; do
  >     log run$n
  >     for i in $(seq 1 $((n - 1))); do log run$i; done
  >     (cd "$t" && COLUMNS=100 LINES=12 script -qec 'smilog summarize --color never' /dev/null) | tr -d '\r' | grep -c '^run12 '
  > done
  1
  0
  [1]
  $ true

gaps and steps back are said
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ row() { printf '2026/05/01 %s, 0, 80, 200.00\n' "$1"; }
  $ log() { mkdir -p "$t/$1"; { echo 'timestamp, index, utilization.gpu [%], power.draw [W]'; for s in "${@:2}"; do row "$s"; done; } >"$t/$1/hw.csv"; }
  $ log hole 10:00:0{0..9} 12:00:0{0..9}
  $ log back 10:00:0{0..9} 09:00:0{0..9}
  $ log short 10:00:0{0..9} 10:00:45 10:00:46 10:0{1..4}:{00..59}
  $ log fine 10:00:0{0..9}
  $ cd "$t" || exit
  $ smilog summarize hole | grep warnings:
  warnings: 1 gap of 2h00m in all, left out of all sums
  $ smilog summarize back | grep warnings:
  warnings: 1 step back in time
  $ smilog summarize short | grep -c warnings:
  1
  $ smilog summarize fine | grep -c warnings:
  0
  [1]
  $ smilog summarize . | grep warnings:
  warnings: 3 gaps of 2h01m in all, left out of all sums (in 2 runs, most in hole), 1 step back in time (in back)
  $ smilog summarize --format md . | grep Warnings
  Warnings: 3 gaps of 2h01m in all, left out of all sums (in 2 runs, most in `hole`), 1 step back in time (in `back`).

healthy run
  $ dir=$(mktemp -d)
  $ trap 'rm -rf "$dir"' EXIT
  $ mkdir "$dir/lr=0.1"
  $ for s in $(seq 0 10 3600); do
  >     t=$(printf '%02d:%02d:%02d' $((10 + s / 3600)) $((s / 60 % 60)) $((s % 60)))
  >     for gpu in 0 1; do
  >         echo "2026/07/03 $t.000, $gpu, NVIDIA H100 80GB HBM3, $((90 + (s / 10 + gpu) % 5)) %, $((40 + s % 7)) %, $((52000 + s % 9 * 1000)) MiB, 81559 MiB, $((500 + s % 11)).00 W, $((52 + s % 4)), 1980 MHz"
  >     done
  > done | sed '1i timestamp, index, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], power.draw [W], temperature.gpu, clocks.current.sm [MHz]' >"$dir/lr=0.1/hw_metrics.csv"
  $ cat >"$dir/lr=0.1/run.jsonl" <<'L'
  > {"ts": "2026-07-03T10:00:00Z", "type": "event", "event": "start", "data": {"lr": 0.1, "host": "pod-1", "utc_offset_s": 0}}
  > {"ts": "2026-07-03T10:59:50Z", "type": "phase", "name": "fit", "seconds": 3590}
  > {"ts": "2026-07-03T11:00:00Z", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > L
  $ cd "$dir"
  $ for v in '' -v; do
  >     COLUMNS=100 LINES=50 script -qec "smilog summarize $v --color=never lr=0.1" /dev/null | tr -d '\r'
  >     echo -----
  > done
  lr=0.1   ok   1h00m   2026-07-03 10:00:00 to 11:00:00, UTC+00:00 (from the run log)
  2 x H100 80GB HBM3   pod-1   params: lr=0.1   files: hw_metrics.csv run.jsonl

  GPU  MEAN %  P5  P50  P95  MAX  OVER TIME (1m40s a cell)              IDLE %  VRAM GiB      W     Wh
    0    92.0  90   92   94   94  ████████████████████████████████████     0.0      58.6  505.0  505.0
    1    92.0  90   92   94   94  ████████████████████████████████████     0.0      58.6  505.0  505.0

  note: no CPU log

  SUMMARY   peak_vram_mb       60000.0    gpu_util_mean_pct     92.0    gpu_util_max_pct      94.0
            power_watts_mean     505.0    power_watts_max      510.0    cpu_usr_mean_pct         -
            cpu_idle_mean_pct        -    mem_util_mean_pct     43.0    mem_util_max_pct      46.0

  quality: complete
  1h00m, 2.00 GPU-h, 1.01 kWh, GPU 92.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  more: smilog summarize -v lr=0.1
  -----
  lr=0.1   ok   1h00m   2026-07-03 10:00:00 to 11:00:00, UTC+00:00 (from the run log)
  2 x H100 80GB HBM3   pod-1   params: lr=0.1

  GPU  MEAN %  P5  P50  P95  MAX  OVER TIME (1m37s a cell)               IDLE %     Wh   EVERY   WORST
    0    92.0  90   92   94   94  █████████████████████████████████████     0.0  505.0  10.0 s  10.0 s
    1    92.0  90   92   94   94  █████████████████████████████████████     0.0  505.0  10.0 s  10.0 s
                    mean     p5    p95    max  unit
  memory busy       43.0   40.0   46.0   46.0  %
  VRAM used         54.7   50.8   58.6   58.6  GiB
  power            505.0  500.0  510.0  510.0  W
  GPU temperature   53     52     54     54    °C
  always the same: VRAM total 79.6 GiB, SM clock 1980 MHz

  PHASE  TIMES    TIME  SHARE %  GPU %  IDLE %  VRAM GiB      Wh  SAMPLES
  fit        1  59m50s     99.7   92.0     0.0      58.6  1007.3      718

  events: start 1, stop 1

  INPUTS          FORMAT            LINES  ROWS  BAD  GAPS   EVERY   WORST
  hw_metrics.csv  nvidia-smi-query    723   722    -     -  10.0 s  10.0 s
  run.jsonl       runlog                3     3    -     -       -       -
  peaks shorter than 10.0 s are not seen
  every row has all readings

  note: no CPU log

  SUMMARY   peak_vram_mb       60000.0    gpu_util_mean_pct     92.0    gpu_util_max_pct      94.0
            power_watts_mean     505.0    power_watts_max      510.0    cpu_usr_mean_pct         -
            cpu_idle_mean_pct        -    mem_util_mean_pct     43.0    mem_util_max_pct      46.0

  quality: complete
  1h00m, 2.00 GPU-h, 1.01 kWh, GPU 92.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  -----

the head names the GPUs that most runs have
  $ mkdir out
  $ log() { echo 'timestamp,index,utilization.gpu [%]'; for s in 0 1 2; do for g in $1; do echo "2026/07/03 10:00:0$s.000, $g, 50 %"; done; done; }
  $ log '0 1' >out/a.csv
  $ for run in b c; do log 0 >out/$run.csv; done
  $ smilog summarize -q out | head -n 1
  3 runs in out   1 GPU in 2 runs, others in 1

hints are commands that work
  $ mkdir -p out/lr=0.1
  $ cat >out/lr=0.1/hw_gpu0.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/lr=0.1/hw_gpu1.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 1, 50, 100.00
  > 2026/07/03 10:00:02.000, 1, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ hint() { COLUMNS=140 LINES=60 script -qec "smilog summarize -q --color=never $*" /dev/null | tr -d '\r' | sed -n 's/^more: //p'; }
  $ for args in "../../../fixtures/sweep" "--gpus 0 --gpus 1 --tz +02:00 --idle-below 2.5 ../../../fixtures/sweep" \
  >     "--run-per file --price-gpu-hour 2 ../../../fixtures/sweep/lr=0.1 ../../../fixtures/sweep/lr=0.3" "'it is' two"; do
  >     case $args in *two) cp -r out "$t/it is"; cp -r out "$t/two"; cd "$t" || exit ;; esac
  >     hint "$args" | tee "$t/hint"
  >     bash "$t/hint" 2>&1 | grep -c -e '^INPUTS'
  > done
  smilog summarize -v ../../../fixtures/sweep/lr=0.3/seed=2
  1
  smilog summarize -v --gpus 0,1 --tz +02:00 --idle-below 2.5 ../../../fixtures/sweep/lr=0.3/seed=2
  1
  smilog summarize -v --price-gpu-hour 2 --run-per file ../../../fixtures/sweep/lr=0.3/seed=3/hw_metrics.csv
  1
  smilog summarize -v 'it is/lr=0.1'
  1

lines fit 100 columns
  $ COLUMNS=100 LINES=60 TERM=xterm script -qec "smilog summarize -q --color=never ../../../fixtures/sweep 2>/dev/null" /dev/null | tr -d '\r' | python3 -SE -c 'import sys; print(max(len(s.rstrip("\n")) for s in sys.stdin) <= 100)'
  True

many runs are folded
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 60); do mkdir "$t/r$i"; printf "index, utilization.gpu [%%]\n0, $i\n" >"$t/r$i/log.csv"; done
  $ COLUMNS=100 LINES=30 script -qec "smilog summarize -q --color=never $t 2>/dev/null" /dev/null | tr -d "\r" >"$t/out"
  $ grep -c "^r[0-9]" "$t/out" | awk '{ print ($1 < 30) }'
  1
  $ grep -c -e --all "$t/out"
  1

names keep what differs
# What all names begin and end with stands in the head, and not in the table, the page and the tabs of the workbook; what
# is left keeps the token in which names differ, in any window. Programs get whole names.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for n in 01 02 03; do
  >     run=out/llm_pretrain_2026-03-01_node${n}-a100.cluster_lr0.1_model=7b_instruct_$((7 - ${n#0}))_final/logs
  >     mkdir -p "$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 5%d %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' $n >"$run/gpu.csv"
  > done
  $ for width in 70 90 160; do
  >     COLUMNS=$width LINES=50 script -qec 'smilog summarize -q --color=never out' /dev/null | tr -d '\r' | grep -e ' in out' -e names -e ^RUN -e ^node -e ^total
  > done
  3 runs in out   names llm_pretrain_2026-03-01_…_final/logs   1 GPU
  RUN                          TIME  GPU %  OVER TIME   IDLE %  WASTED h
  node01-a100.c…7b_instruct_6  2.0s   50.5  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  node02-a100.c…7b_instruct_5  2.0s   51.0  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  node03-a100.c…7b_instruct_4  2.0s   51.5  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  total 3 runs                 6.0s   51.0                 0.0      0.00
  3 runs in out   names llm_pretrain_2026-03-01_…_final/logs   1 GPU
  RUN                                            TIME  GPU %  OVER TIME   IDLE %  WASTED h
  node01-a100.cluster_lr0.1_model=7b_instruct_6  2.0s   50.5  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  node02-a100.cluster_lr0.1_model=7b_instruct_5  2.0s   51.0  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  node03-a100.cluster_lr0.1_model=7b_instruct_4  2.0s   51.5  ▅▅▅▅▅▅▅▅▅▅     0.0      0.00
  total 3 runs                                   6.0s   51.0                 0.0      0.00
  3 runs in out   names llm_pretrain_2026-03-01_…_final/logs   1 GPU
  RUN                                            TIME  GPU %  P95 %  OVER TIME                 IDLE %  WASTED h  START
  node01-a100.cluster_lr0.1_model=7b_instruct_6  2.0s   50.5     51  ·▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅     0.0      0.00  2026-07-03 10:00:00
  node02-a100.cluster_lr0.1_model=7b_instruct_5  2.0s   51.0     52  ·▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅     0.0      0.00  2026-07-03 10:00:00
  node03-a100.cluster_lr0.1_model=7b_instruct_4  2.0s   51.5     53  ·▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅     0.0      0.00  2026-07-03 10:00:00
  total 3 runs                                   6.0s   51.0                                      0.0      0.00
  $ smilog summarize -q --format csv --columns run out
  run
  llm_pretrain_2026-03-01_node01-a100.cluster_lr0.1_model=7b_instruct_6_final/logs
  llm_pretrain_2026-03-01_node02-a100.cluster_lr0.1_model=7b_instruct_5_final/logs
  llm_pretrain_2026-03-01_node03-a100.cluster_lr0.1_model=7b_instruct_4_final/logs
  $ smilog summarize -q out | cut -d' ' -f1-2 | grep logs
  llm_pretrain_2026-03-01_node01-a100.cluster_lr0.1_model=7b_instruct_6_final/logs\x20 (esc)
  llm_pretrain_2026-03-01_node02-a100.cluster_lr0.1_model=7b_instruct_5_final/logs\x20 (esc)
  llm_pretrain_2026-03-01_node03-a100.cluster_lr0.1_model=7b_instruct_4_final/logs\x20 (esc)
  $ smilog report -q out -o page.html && smilog report -q out -o book.xlsx
  $ python3 -SE - <<'END'
  > import json, re, zipfile
  > text = open("page.html", encoding="utf-8").read()
  > data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
  > print("page:", data["cols"][0], data["frame"], data["long"])
  > print("head:", re.findall(r"names [^<]*", text)[:1])
  > book = zipfile.ZipFile("book.xlsx")
  > print("tabs:", [n for n in re.findall(r'<sheet name="([^"]*)"', book.read("xl/workbook.xml").decode()) if n[0] == "0"])
  > END
  page: {'k': 'run', 'h': 'Run', 'csv': 'run', 'kind': 3, 'more': 0, 'leave': 0, 'mark': 0, 'help': 'Its path below the directory given', 'd': ['node01-a100.cluster_lr0.1_model=7b_instruct_6', 'node02-a100.cluster_lr0.1_model=7b_instruct_5', 'node03-a100.cluster_lr0.1_model=7b_instruct_4'], 't': [0, 1, 2]} ['llm_pretrain_2026-03-01_', '_final/logs'] {}
  head: ['names llm_pretrain_2026-03-01_…_final/logs   1 GPU']
  tabs: ['01 node01-a100.c…7b_instruct_6', '02 node02-a100.c…7b_instruct_5', '03 node03-a100.c…7b_instruct_4']

names of different depth keep what differs
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%], power.draw [W]\n2026/07/03 10:00:00.000, 0, 50, 100.00\n2026/07/03 10:00:02.000, 0, 50, 100.00\n' >"$t/$1/hw.csv"; }
  $ for c in 1005 1065 1305; do for r in 1 2; do log out/logs/36_chunk_merge/clk${c}_r${r}_20260411_1106$r$r; done; done
  $ for r in 1 2; do log out/baseline/logs/36_chunk_merge/baseline_r${r}_20260411_1044$r$r; done
  $ cd "$t" && for w in 80 100; do COLUMNS=$w LINES=50 script -qec 'smilog summarize -q --color=never out' /dev/null | tr -d '\r' | tail -n +4; done
  RUN                               TIME  GPU %  OVER TIME   IDLE %   Wh  WASTED h
  bas…/baseline_r1_20260411_104411  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  bas…/baseline_r2_20260411_104422  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1005_r1_20260411_110611  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1005_r2_20260411_110622  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1065_r1_20260411_110611  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1065_r2_20260411_110622  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1305_r1_20260411_110611  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  log…e/clk1305_r2_20260411_110622  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  ────────────────────────────────────────────────────────────────────────────────
  total 8 runs                       16s   50.0                 0.0  0.4      0.00

  quality: complete
  8 runs, <0.01 GPU-h, 0.4 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)
  RUN                                                   TIME  GPU %  OVER TIME   IDLE %   Wh  WASTED h
  baseline/logs/36_chunk_mer…seline_r1_20260411_104411  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  baseline/logs/36_chunk_mer…seline_r2_20260411_104422  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1005_r1_20260411_110611        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1005_r2_20260411_110622        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1065_r1_20260411_110611        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1065_r2_20260411_110622        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1305_r1_20260411_110611        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  logs/36_chunk_merge/clk1305_r2_20260411_110622        2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0  0.1      0.00
  ────────────────────────────────────────────────────────────────────────────────────────────────────
  total 8 runs                                           16s   50.0                 0.0  0.4      0.00

  quality: complete
  8 runs, <0.01 GPU-h, 0.4 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)
  more: smilog summarize -v out/baseline/logs/36_chunk_merge/baseline_r1_20260411_104411

no color empty is not set
  $ export NO_COLOR=
  $ COLUMNS=100 LINES=60 TERM=xterm script -qec "smilog summarize -q ../../../fixtures/sweep 2>/dev/null" /dev/null | grep -c $'\033' | sed 's/^[1-9][0-9]*$/some/'
  some

no color is obeyed
  $ export NO_COLOR=1
  $ COLUMNS=100 LINES=60 TERM=xterm script -qec "smilog summarize -q ../../../fixtures/sweep 2>/dev/null" /dev/null | grep -c $'\033'
  0
  [1]

nothing wraps
# However narrow the window, no line is wider, and the columns that had to leave are named.
  $ sweep=../../../fixtures/sweep few=run,state,start,duration_s,gpu_hours,energy_wh,idle_pct,vram_total_mb,hostname
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ for lr in 0.001 0.01 0.1 1; do
  >     for seed in 1 2 3 4 5 6 7 8 9; do
  >         mkdir -p "$out/many/lr=$lr/seed=$seed" && cp $sweep/lr=0.3/seed=2/*.* "$_"
  >     done
  > done
  $ see() {
  >     COLUMNS=$w LINES=40 script -qec "smilog $* -q --color=never" /dev/null | tr -d '\r' >"$out/seen"
  >     python3 -SE -c 'import sys; w = int(sys.argv[1]); print(*(f"{len(s)} of {w}: {s}\n" for s in map(str.rstrip, open(sys.argv[2])) if len(s) > w), sep="", end="")' "$w" "$out/seen"
  >     tr '\n' ' ' <"$out/seen" | grep -o "($w columns: [^)]*)"
  > }
  $ for w in 60 40; do
  >     see summarize $sweep
  >     see summarize "$out/many"
  >     see summarize -v $sweep/lr=0.1/seed=3
  >     see summarize --group-by lr $sweep
  >     see summarize --columns $few $sweep
  >     see diff $sweep/lr=0.1 $sweep/lr=0.3
  > done
  (60 columns: without OVER TIME, VRAM GiB, Wh, NOTE; a wider window has all)
  (60 columns: without p75; a wider window has all)
  (60 columns: without CUT, +/-, VRAM GiB, kWh; a wider window has all)
  (60 columns: without OVER TIME, VRAM GiB, Wh, NOTE; a wider window has all)
  (60 columns: without OVER TIME, WORST; a wider window has all)
  (60 columns: without p5; a wider window has all)
  (60 columns: without TIMES, SAMPLES; a wider window has all)
  (60 columns: without LINES, WORST; a wider window has all)
  (60 columns: without idle_pct, wasted_total_h, vram_used_peak_mb, energy_wh, gpu_hours, duration_s; a wider window has all)
  (60 columns: without gpu_hours, energy_wh, idle_pct, vram_total_mb, hostname; a wider window has all)
  (40 columns: without TIME, OVER TIME, IDLE %, VRAM GiB, Wh, NOTE; a wider window has all)
  (40 columns: without WHERE; a wider window has all)
  (40 columns: without p25, p75, most extreme; a wider window has all)
  (40 columns: without FAILED, CUT, +/-, VRAM GiB, GPU-h, kWh; a wider window has all)
  (40 columns: without TIME, OVER TIME, IDLE %, VRAM GiB, Wh, NOTE; a wider window has all)
  (40 columns: without WHERE; a wider window has all)
  (40 columns: without P50, OVER TIME, EVERY, WORST; a wider window has all)
  (40 columns: without p5, p95, max; a wider window has all)
  (40 columns: without TIMES, VRAM GiB, Wh, SAMPLES; a wider window has all)
  (40 columns: without GPU-h; a wider window has all)
  (40 columns: without LINES, BAD, GAPS, EVERY, WORST; a wider window has all)
  (40 columns: without gpu_util_time_mean_pct, idle_pct, wasted_total_h, vram_used_peak_mb, energy_wh, gpu_hours, duration_s; a wider window has all)
  (40 columns: without start, duration_s, gpu_hours, energy_wh, idle_pct, vram_total_mb, hostname; a wider window has all)
  [1]

pipe has no colour
  $ smilog summarize -q ../../../fixtures/sweep | grep -c $'\033'
  0
  [1]

pipe shows every run
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 60); do mkdir "$t/r$i"; printf "index, utilization.gpu [%%]\n0, $i\n" >"$t/r$i/log.csv"; done
  $ smilog summarize -q "$t" | grep -c "^r[0-9]"
  60

progress tells of every part
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for d in a b c d; do mkdir "$t/$d"; (cd "$t/$d" && mkdir $(seq 500) && printf 'index, utilization.gpu [%%]\n0, 7\n0, 9\n' | tee $(seq -f %g/hw.csv 500) >/dev/null); done
  $ export TERM=xterm
  $ python3 held.py 20 'looking for' '/[a-d]/[0-9]+$' smilog summarize --format csv -o "$t/o.csv" "$t"
  smilog: looking for logs: N files and directories - and away
  $ python3 held.py 20 'second time' '/.o.xlsx.tmp-[0-9]+$' smilog report --samples all -o "$t/o.xlsx" "$t/a"
  smilog: N of N runs, read a second time - and away
  $ python3 held.py 1 smilog '/[0-9]+/hw.csv$' smilog summarize -q --format csv -o "$t/o.csv" "$t"
  ''
  $ smilog summarize --format csv -o "$t/o.csv" "$t" 2>&1 | wc -c
  0

progress within one log
# A log that takes longer than two seconds has progress, too: on a terminal only, and it goes away.
  $ export TERM=xterm
  $ for terminal in yes no; do
  >     python3 slow.py $terminal smilog summarize --format line -
  > done
  ['', 'smilog: looking for logs: N files and directories', 'smilog: reading, N MB so far'] - and away
  ['']\x20 (esc)

reserved wants the frameworks own peak
# Memory at one level may all be in use: it is called reserved where the framework's own peak is lower, and rows are many.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ log() { echo 'timestamp, index, memory.used [MiB], power.draw [W]'; for i in $(seq 10 $((9 + $1))); do echo "2026/07/03 10:00:$i.000, 0, 2000 MiB, $i.00 W"; done; }
  $ own() { [ "$1" = none ] || echo '{"ts": "2026-07-03T10:00:20.000+00:00", "type": "event", "event": "memory", "data": {"jax_peak_bytes_mb": '"$1}}"; }
  $ for run in '30 500' '30 2000' '30 none' '5 500'; do
  >     log ${run% *} >"$d/log.csv"
  >     own ${run#* } >"$d/run.jsonl"
  >     echo "rows, own peak: $run"
  >     smilog summarize -q --tz UTC "$d" | grep -o -e 'reserved.*' -e '(device.*'
  >     smilog summarize -q --tz UTC -v "$d" | grep -o -e '2.0 GiB.*reserved.*' -e 'reserved at one level' -e 'GiB  *reserved.*'
  >     smilog summarize -q --tz UTC --json "$d" | python3 -SE ../../pick.py vram/reserved
  > done
  rows, own peak: 30 500
  (device: 2.0 GiB, reserved)
  2.0 GiB (reserved; JAX used 0.5 at most)
  2.0 GiB, reserved)
  vram/reserved true
  rows, own peak: 30 2000
  (device: 2.0 GiB)
  vram/reserved false
  rows, own peak: 30 none
  vram/reserved false
  rows, own peak: 5 500
  (device: 2.0 GiB)
  vram/reserved true

runs sort by number
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 60); do mkdir "$t/r$i"; printf "index, utilization.gpu [%%]\n0, $i\n" >"$t/r$i/log.csv"; done
  $ smilog summarize -q --json "$t" | python3 -SE ../../pick.py /runs/0/run /runs/1/run /runs/9/run /runs/10/run
  /runs/0/run "r1"
  /runs/1/run "r2"
  /runs/9/run "r10"
  /runs/10/run "r11"

starts are in the zone of the head
# The last run has no GPU log, and so no zone of its own: its logs are in UTC, which its start says.
  $ COLUMNS=170 LINES=60 TERM=xterm script -qec "smilog summarize -q --color=never ../../../fixtures/sweep" /dev/null | tr -d '\r' | grep -e '^2026.*UTC' -e '^lr=0.3/seed=[34]' | sed 's/.*\(2026-0.*\)/\1/'
  2026-07-04 05:34, UTC+02:00 (inferred)   sampled every 10.0 s   32.0 % of the time of the GPUs lies between runs, at most 3h03m
  2026-07-04 03:34:04  pod-3  GPU 1 unused
  2026-07-04 04:34:44  pod-4  no GPU log

total beside short names
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for r in a b; do
  >     mkdir "$t/$r"
  >     cp "../../../fixtures/sweep/lr=0.3/seed=1/hw_metrics.csv" "$t/$r"
  > done
  $ cd "$t"
  $ COLUMNS=100 LINES=40 script -qec "smilog summarize -q --color=never" /dev/null </dev/null | tr -d '\r' | grep -A4 '^RUN'
  RUN             TIME  GPU %  OVER TIME   IDLE %  VRAM GiB      Wh  WASTED h
  a             59m32s   80.1  ▃▇▇▇▇▇▇▇▇▇     5.9   59.8/80   539.2      0.12
  b             59m32s   80.1  ▃▇▇▇▇▇▇▇▇▇     5.9   59.8/80   539.2      0.12
  ───────────────────────────────────────────────────────────────────────────
  total 2 runs   1h59m   80.1                 5.9   59.8     1078.5      0.23

very narrow
# Windows as a phone or a pane has them: nothing is wider, and of what does not fit beside a label nothing is lost.
  $ sweep=../../../fixtures/sweep
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ see() { # writes what a window of w columns shows to a file of its own, and to seen
  >     COLUMNS=$w LINES=40 script -qec "smilog $* --color=never" /dev/null | tr -d '\r' | tee "$out/seen" >"$out/$w-$((n += 1))"
  > }
  $ for w in 60 50 48 44 40 36 32 30 28; do
  >     see summarize -q -v $sweep/lr=0.1/seed=3
  >     see summarize -q -v --price-gpu-hour 2 $sweep/lr=0.3/seed=3
  >     see check -q --max-idle-pct 10 --min-gpu-util 60 $sweep
  >     see check -q --fail-on warn $sweep
  >     see check -q --fail-if "'idle_pct > 10 or wasted_h > 0.5'" $sweep
  >     see check -q --max-idle-pct 99 --allow-missing $sweep
  > done
  $ w=30
  $ see summarize -q -v $sweep/lr=0.1/seed=3
  $ sed -n -e '/^SUMMARY/,/^gpu_util_mean/p' -e '/^FINDINGS/,/^$/p' "$out/seen"
  FINDINGS  WHAT, AND WHAT TO DO
  stall     both GPUs idle 5m10s
            from 00:37:15 while
            the CPUs were 6 %
            busy: loading,
            saving or evaluating
            without the GPU?
  start     idle 3m40s before
            the first work,
            2m20s of it in phase
            compile: load and
            compile before a GPU
            is held, or keep
            what was compiled
  (30 columns: without LEVEL,
  GPU-h; a wider window has all)

  SUMMARY
  peak_vram_mb       61234.0
  gpu_util_mean_pct     72.0
  $ see check -q --fail-if "'idle_pct > 10 or wasted_h > 0.5'" --max-idle-pct 10 $sweep
  $ cat "$out/seen"
              LIMIT       RUN
  FAIL        idle_pct …
    lr=0.3/seed=3
  FAIL        idle_pct …
    lr=0.1/seed=3
  FAIL        idle_pct …
    lr=0.3/seed=2
  FAIL        idle_pct …
    lr=0.3/seed=3
  FAIL        idle_pct …
    lr=0.1/seed=3
  not judged  no reading
    lr=0.3/seed=4: no GPU log
  (30 columns: without VALUE; a
  wider window has all)
  2 limits broken by 3 of 12
  runs, 1 run could not be
  judged
  $ python3 -SE -c '
  > import glob, os, sys
  > for path in glob.glob(sys.argv[1] + "/*-*"):
  >     w = int(os.path.basename(path).split("-")[0])
  >     print(*(f"{len(s)} of {w}: {s}\n" for s in map(str.rstrip, open(path)) if len(s) > w), sep="", end="")' "$out"
