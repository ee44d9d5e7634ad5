busy run wastes nothing
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:36.000, 0, 50
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 50
  > 2026/07/03 10:02:24.000, 0, 50
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 50
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h gpu_hours idle_pct
  wasted_h {"failed": 0.0, "unused": 0.0, "start": 0.0, "stall": 0.0, "end": 0.0, "total": 0.0}
  gpu_hours 0.06
  idle_pct 0.0

cut run is not failed
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h state
  wasted_h {"failed": 0.0, "unused": 0.0, "start": 0.01, "stall": 0.02, "end": 0.01, "total": 0.04}
  state "cut"

failed takes all
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "oom"}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h gpu_hours /total/failed
  wasted_h {"failed": 0.12, "unused": 0.0, "start": 0.0, "stall": 0.0, "end": 0.0, "total": 0.12}
  gpu_hours 0.12
  /total/failed 1

parts add up in every run
  $ smilog summarize -q --json ../../../fixtures/sweep | python3 -SE -c '
  > import json, sys
  > from decimal import Decimal
  > for r in json.load(sys.stdin, parse_float=Decimal)["runs"]:
  >     w = r["wasted_h"]
  >     if w["total"] is not None and abs(sum(v for k, v in w.items() if k != "total") - w["total"]) > Decimal("0.000003"):
  >         print(r["run"], w)'

start stall end
# An interval has the state of its end row: idle, busy, idle, idle, busy, idle, of 0.01 h each.
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h gpu_hours idle_pct longest_idle_s
  wasted_h {"failed": 0.0, "unused": 0.0, "start": 0.01, "stall": 0.02, "end": 0.01, "total": 0.04}
  gpu_hours 0.06
  idle_pct 66.666667
  longest_idle_s 72.0

unknown utilisation is neither
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:36.000, 0, [N/A], 100.00
  > 2026/07/03 10:01:12.000, 0, 0, 100.00
  > 2026/07/03 10:01:48.000, 0, [N/A], 100.00
  > 2026/07/03 10:02:24.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h gpus/0/coverage_pct gpus/0/idle_pct idle_pct covered_s
  wasted_h {"failed": 0.0, "unused": 0.0, "start": 0.0, "stall": 0.01, "end": 0.0, "total": 0.01}
  gpus/0/coverage_pct 50.0
  gpus/0/idle_pct 50.0
  idle_pct 25.0
  covered_s 144.0

unused gpu
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     wasted_h gpu_hours gpus/*/idle_pct
  wasted_h {"failed": 0.0, "unused": 0.06, "start": 0.01, "stall": 0.02, "end": 0.01, "total": 0.1}
  gpu_hours 0.12
  gpus/*/idle_pct [66.666667, 100.0]
