gpus all
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ smilog summarize -q --json --gpus all log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu
  gpus/*/gpu [0, 1]

gpus auto from the run log
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"CUDA_VISIBLE_DEVICES": "1"}}
  > EOF
  $ smilog summarize -q --json --gpus auto . | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct
  gpus/*/gpu [1]
  summary/gpu_util_mean_pct 80.0

gpus auto ignores the readers own
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ export CUDA_VISIBLE_DEVICES=1
  $ smilog summarize -q --json --gpus auto log.csv | python3 -SE ../../pick.py 'gpus/*/gpu'
  gpus/*/gpu [0, 1]

gpus auto without a record is said
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:00.001, 1, 60, 110.00
  > 2026/07/03 10:00:00.002, 2, 70, 120.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.001, 1, 60, 110.00
  > 2026/07/03 10:00:02.002, 2, 70, 120.00
  > EOF
  $ smilog summarize --gpus auto --json log.csv | python3 -SE ../../pick.py 'gpus/*/gpu' problems
  gpus/*/gpu [0, 1, 2]
  problems ["--gpus auto: no run log says which GPUs were visible to the run: all are taken", "no memory.used column, or no reading in it", "no CPU log"]

gpus by index
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ smilog summarize -q --json --gpus 1 log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct
  gpus/*/gpu [1]
  summary/gpu_util_mean_pct 80.0

gpus by uuid prefix
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ smilog summarize -q --json --gpus GPU-aa log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct
  gpus/*/gpu [0]
  summary/gpu_util_mean_pct 20.0

gpus given twice add up
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:00.001, 1, 60, 110.00
  > 2026/07/03 10:00:00.002, 2, 70, 120.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.001, 1, 60, 110.00
  > 2026/07/03 10:00:02.002, 2, 70, 120.00
  > EOF
  $ smilog summarize -q --json --gpus 2 --gpus=0 log.csv | python3 -SE ../../pick.py 'gpus/*/gpu'
  gpus/*/gpu [0, 2]

gpus list
  $ cat >log.csv <<'EOF'
  > timestamp, uuid, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 10
  > 2026/07/03 10:00:00.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 70
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 0, 30
  > 2026/07/03 10:00:02.004, GPU-bbbbbbbb-0000-0000-0000-000000000000, 1, 90
  > EOF
  $ smilog summarize -q --json --gpus 0,GPU-bbbbbbbb log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct
  gpus/*/gpu [0, 1]
  summary/gpu_util_mean_pct 50.0

gpus that match nothing are said
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:00.001, 1, 60, 110.00
  > 2026/07/03 10:00:00.002, 2, 70, 120.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.001, 1, 60, 110.00
  > 2026/07/03 10:00:02.002, 2, 70, 120.00
  > EOF
  $ smilog summarize --gpus 7 --json log.csv | python3 -SE ../../pick.py state 'gpus' problems
  state "no-data"
  gpus []
  problems ["--gpus chose none of the GPUs in the logs: 0, 1, 2", "no CPU log"]
  2> smilog: warning: --gpus 7: no log has such a GPU
  $ smilog summarize --gpus 1,GPU-8f3a,9 --json log.csv | python3 -SE ../../pick.py 'gpus/*/gpu' problems
  gpus/*/gpu [1]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  2> smilog: warning: --gpus GPU-8f3a: no log has such a GPU
  2> smilog: warning: --gpus 9: no log has such a GPU
  $ smilog summarize --gpus 7 --strict -q --json log.csv >/dev/null
  [1]

host wins over the run log
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"host": "node7"}}
  > EOF
  $ smilog summarize -q --json --host other . | python3 -SE ../../pick.py \
  >     hostname
  hostname "other"

idle below 0
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 1
  > 2026/07/03 10:00:04.000, 0, 5
  > 2026/07/03 10:00:06.000, 0, 6
  > 2026/07/03 10:00:08.000, 0, 50
  > EOF
  $ smilog summarize -q --json --idle-below 0 log.csv | python3 -SE ../../pick.py \
  >     idle_pct longest_idle_s
  idle_pct 0.0
  longest_idle_s 0.0

idle below 5
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 1
  > 2026/07/03 10:00:04.000, 0, 5
  > 2026/07/03 10:00:06.000, 0, 6
  > 2026/07/03 10:00:08.000, 0, 50
  > EOF
  $ smilog summarize -q --json --idle-below 5 log.csv | python3 -SE ../../pick.py \
  >     idle_pct longest_idle_s
  idle_pct 50.0
  longest_idle_s 4.0

idle below is 1 by default
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 1
  > 2026/07/03 10:00:04.000, 0, 5
  > 2026/07/03 10:00:06.000, 0, 6
  > 2026/07/03 10:00:08.000, 0, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     idle_pct longest_idle_s
  idle_pct 25.0
  longest_idle_s 2.0

input columns for headerless files
  $ cat >log.csv <<'EOF'
  > 2026/07/03 10:00:00.000, 3, 100.00 W, 10 %
  > 2026/07/03 10:00:02.000, 3, 200.00 W, 30 %
  > EOF
  $ smilog summarize -q --json --input-columns timestamp,index,power.draw,utilization.gpu log.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/gpu_util_mean_pct gpus/*/gpu inputs/0/header inputs/0/rows
  summary/power_watts_mean 150.0
  summary/gpu_util_mean_pct 20.0
  gpus/*/gpu [3]
  inputs/0/header 0
  inputs/0/rows 2

input columns misspelt
  $ cat >log.csv <<'EOF'
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:00.001, 1, 60, 110.00
  > 2026/07/03 10:00:00.002, 2, 70, 120.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.001, 1, 60, 110.00
  > 2026/07/03 10:00:02.002, 2, 70, 120.00
  > EOF
  $ for c in timestmp,power.draw timestamp,memory.usd timestamp,watts timestamp,,index; do smilog summarize --input-columns "$c" log.csv; done
  2> smilog: --input-columns: there is no column "timestmp"; did you mean timestamp?
  2> try: smilog help summarize
  2> smilog: --input-columns: there is no column "memory.usd"; did you mean memory.used?
  2> try: smilog help summarize
  2> smilog: --input-columns: there is no column "watts": nvidia-smi's names are wanted (nvidia-smi --help-query-gpu), or - for a column that is not read
  2> try: smilog help summarize
  2> smilog: --input-columns: there is no column "": nvidia-smi's names are wanted (nvidia-smi --help-query-gpu), or - for a column that is not read
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q --json --input-columns timestamp,index --input-columns -,power.draw log.csv | python3 -SE ../../pick.py summary/gpu_util_mean_pct summary/power_watts_mean
  summary/gpu_util_mean_pct null
  summary/power_watts_mean 110.0

input format overrules detection
  $ cat >log <<'EOF'
  > 2026-07-03T10:00:00.000+00:00,12.5,80.0
  > EOF
  $ smilog summarize -q --json --input-format cpu-csv log | python3 -SE ../../pick.py \
  >     summary/cpu_usr_mean_pct inputs/0/format
  summary/cpu_usr_mean_pct 12.5
  inputs/0/format "cpu-csv"

output by ending csv
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q log.csv -o "$t/out.csv"
  $ head -c 22 "$t/out.csv"
  run,state,state_reason (no-eol)
  $ echo


output by ending json
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q log.csv -o "$t/out.json"
  $ head -c 34 "$t/out.json"
  {"schema": "smilog/1", "generator" (no-eol)
  $ echo


output by ending jsonl
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize --run-per file -q log.csv -o "$t/out.jsonl"
  $ head -c 39 "$t/out.jsonl"
  {"schema": "smilog/1", "run": "log.csv" (no-eol)
  $ echo


output by ending md
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q log.csv -o "$t/out.md"
  $ head -c 7 "$t/out.md"
  ### GPU (no-eol)
  $ echo


output dash is stdout
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --run-per file -q --json -o - log.csv | python3 -SE ../../pick.py run
  run "log.csv"

output ending unknown
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize log.csv -o out.foo
  2> smilog: the ending of out.foo names no format (.txt .json .jsonl .csv .md .xlsx .ledger do): add --format NAME
  2> try: smilog help summarize
  [2]
  $ rc=$?
  $ [ ! -e out.foo ] && exit $rc
  [2]

output format wins over ending
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --json log.csv -o "$t/out.csv"
  $ head -c 20 "$t/out.csv"
  {"schema": "smilog/1 (no-eol)
  $ echo


output keeps the old file when nothing is usable
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ echo old >"$t/out.json"
  $ smilog summarize -q none.csv -o "$t/out.json"
  2> smilog: no usable log in none.csv: No such file or directory
  [3]
  $ rc=$?
  $ ls "$t"
  out.json
  $ cat "$t/out.json"
  old
  $ exit $rc
  [3]

run is one run of this name
  $ mkdir -p a b
  $ cat >a/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > EOF
  $ cat >b/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:02.000, 0, 30
  > EOF
  $ smilog summarize -q --json --run mine a b | python3 -SE ../../pick.py '/runs/*/run' summary/gpu_util_mean_pct
  /runs/*/run ["mine"]
  summary/gpu_util_mean_pct 20.0

run per auto
  $ mkdir -p runs
  $ cat >runs/gpu_log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > EOF
  $ cat >runs/gpu_usage.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:02.000, 0, 30
  > EOF
  $ smilog summarize -q --json --run-per auto runs | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["gpu_log", "gpu_usage"]

run per dir
  $ mkdir -p runs
  $ cat >runs/gpu_log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > EOF
  $ cat >runs/gpu_usage.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:02.000, 0, 30
  > EOF
  $ smilog summarize -q --json --run-per dir runs | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["runs"]

run per file
  $ mkdir -p runs
  $ cat >runs/gpu_log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > EOF
  $ cat >runs/gpu_usage.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:02.000, 0, 30
  > EOF
  $ smilog summarize -q --json --run-per file runs | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["gpu_log.csv", "gpu_usage.csv"]

tz from the run log
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:01.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc+02:00 from the run log"
  start "2026-07-03T08:00:00.000Z"

tz half hour
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=-9:30 log.csv | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc-09:30 from --tz"
  start "2026-07-03T19:30:00.000Z"

tz inferred from the cpu log
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T08:00:00.500+00:00,1.0,99.0
  > 2026-07-03T08:00:02.500+00:00,1.0,99.0
  > EOF
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base start end duration_s
  time_base "utc+02:00 inferred"
  start "2026-07-03T08:00:00.000Z"
  end "2026-07-03T08:00:02.500Z"
  duration_s 2.5

tz near quarter hour zone
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T04:15:01.200+00:00,1.0,99.0
  > 2026-07-03T04:15:03.200+00:00,1.0,99.0
  > EOF
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     time_base
  time_base "utc+05:45 inferred"

tz not known
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     time_base start end
  time_base "local, zone not known"
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:02.000"

tz offset
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=+02:00 log.csv | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc+02:00 from --tz"
  start "2026-07-03T08:00:00.000Z"

tz offset without colon
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=+0200 log.csv | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc+02:00 from --tz"
  start "2026-07-03T08:00:00.000Z"

tz utc
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz=UTC log.csv | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc+00:00 from --tz"
  start "2026-07-03T10:00:00.000Z"

tz wins over the run log
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T07:00:01.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 7200}}
  > EOF
  $ smilog summarize -q --json --tz=+03:00 . | python3 -SE ../../pick.py \
  >     time_base start
  time_base "utc+03:00 from --tz"
  start "2026-07-03T07:00:00.000Z"
