cover up to and with their end
# The row at 0 s is before a: (0, 4]; the one at 4 s is its last.
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > 2026/07/03 10:00:02.000, 0, 20
  > 2026/07/03 10:00:04.000, 0, 40
  > 2026/07/03 10:00:06.000, 0, 60
  > 2026/07/03 10:00:08.000, 0, 80
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:04.000+00:00", "type": "phase", "name": "a", "seconds": 4}
  > {"ts": "2026-07-03T10:00:08.000+00:00", "type": "phase", "name": "b", "seconds": 4}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     phases/*/name phases/*/samples phases/*/summary/gpu_util_mean_pct phases/*/seconds
  phases/*/name ["a", "b"]
  phases/*/samples [2, 2]
  phases/*/summary/gpu_util_mean_pct [30.0, 70.0]
  phases/*/seconds [4.0, 4.0]

energy of the intervals that end in it
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 100.00
  > 2026/07/03 10:00:02.000, 0, 100.00
  > 2026/07/03 10:00:04.000, 0, 100.00
  > 2026/07/03 10:00:06.000, 0, 100.00
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:04.000+00:00", "type": "phase", "name": "fit", "seconds": 2}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     phases/0/energy_wh energy_wh
  phases/0/energy_wh 0.055556
  energy_wh 0.166667

not joined when the zone is not known
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T12:46:39.000+00:00", "type": "phase", "name": "fit", "seconds": 2}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     time_base phases/0/seconds phases/0/samples phases/0/energy_wh
  time_base "local, zone not known"
  phases/0/seconds 2.0
  phases/0/samples 0
  phases/0/energy_wh null

of one name add up
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 50
  > 2026/07/03 10:00:04.000, 0, 50
  > 2026/07/03 10:00:06.000, 0, 50
  > 2026/07/03 10:00:08.000, 0, 50
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:02.000+00:00", "type": "phase", "name": "fit", "seconds": 2}
  > {"ts": "2026-07-03T10:00:06.000+00:00", "type": "phase", "name": "fit", "seconds": 1.5}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     phases/*/name phases/0/count phases/0/seconds phases/0/samples
  phases/*/name ["fit"]
  phases/0/count 2
  phases/0/seconds 3.5
  phases/0/samples 2

samples whose first rows have no time
# The first rows of a log of samples have no time, the others and its phase do: the phase has their CPU.
  $ cat >samples.jsonl <<'EOF'
  > {"run": "r", "host": null, "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0, "time": null, "gpu": 0, "uuid": "GPU-00000000-0000-4000-8000-000000000001", "gpu_util_pct": 50.0}
  > {"run": "r", "host": null, "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 1, "time": null, "gpu": 0, "uuid": "GPU-00000000-0000-4000-8000-000000000001", "gpu_util_pct": 70.0}
  > {"run": "r", "host": null, "input": "cpu_metrics.csv", "format": "cpu-csv", "row": 0, "time": "2026-07-03T22:17:15Z", "cpu_usr_pct": 20.0, "cpu_idle_pct": 80.0}
  > {"run": "r", "host": null, "input": "cpu_metrics.csv", "format": "cpu-csv", "row": 1, "time": "2026-07-03T22:17:16Z", "cpu_usr_pct": 40.0, "cpu_idle_pct": 60.0}
  > {"run": "r", "host": null, "input": "run.jsonl", "format": "runlog", "row": 0, "time": "2026-07-03T22:17:17Z", "phase": "fit", "seconds": 3.0}
  > EOF
  $ smilog summarize -q --json samples.jsonl | python3 -SE ../../pick.py \
  >     phases/*/name phases/*/summary/cpu_usr_mean_pct phases/*/summary/cpu_idle_mean_pct
  phases/*/name ["fit"]
  phases/*/summary/cpu_usr_mean_pct [30.0]
  phases/*/summary/cpu_idle_mean_pct [70.0]

many phases
# Of more than 16 names the longest 15 have rows; all others share the last, also those beyond 256 in several runs
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in a b; do
  >     mkdir -p out/$run
  >     { printf 'timestamp, index, utilization.gpu [%%]\n'
  >       for i in 0 1 2 3 4 5; do printf '2026/07/03 10:%s0:00.000, 0, 50 %%\n' $i; done; } >out/$run/gpu.csv
  >     i=0
  >     while [ $i -lt 300 ]; do
  >         printf '{"ts": "2026-07-03T10:%02d:%02d+00:00", "type": "phase", "name": "p%03d", "seconds": %d}\n' \
  >             $((i / 60 + 1)) $((i % 60)) $i $((i % 60 + 1))
  >         i=$((i + 1))
  >     done >out/$run/run.jsonl
  > done
  $ smilog summarize -q -v --tz UTC out/a | sed -n '/^PHASE/,/^others/p' | awk '{print $1, $2, $3}'
  PHASE TIMES TIME
  p059 1 1m00s
  p119 1 1m00s
  p179 1 1m00s
  p239 1 1m00s
  p299 1 1m00s
  p058 1 59s
  p118 1 59s
  p178 1 59s
  p238 1 59s
  p298 1 59s
  p057 1 58s
  p117 1 58s
  p177 1 58s
  p237 1 58s
  p297 1 58s
  others\x20(285) 285 2h18m
  $ smilog report -q --tz UTC out -o page.html && sed -n '/id="phases"/,/section>/p' page.html | grep -o '>others[^<]*<'
  >others (242)<
