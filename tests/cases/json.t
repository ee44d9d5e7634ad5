a name with a nul byte
# Names of phases and events that hold a NUL byte are refused and counted: they are not taken for the name before the NUL.
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ mkdir run
  $ python3 -SE - <<'PY'
  > stamp = '{"ts": "2026-11-21T06:%02d:%02d.000+00:00", "type": "%s", %s}'
  > lines = [("event", '"event": "start", "data": {"lr": 1}')]
  > for i in range(200):
  >     lines.append(("phase", '"name": "fit", "seconds": 1'))
  >     lines.append(("phase", r'"name": "fit\u0000%d", "seconds": 1' % (i % 2)))
  >     lines.append(("event", r'"event": "fit\u0000", "data": {"a": 1}'))
  > lines.append(("event", '"event": "stop", "data": {"exit_status": 0}'))
  > with open("run/run.jsonl", "w") as f:
  >     for i, (kind, rest) in enumerate(lines):
  >         print(stamp % (i // 60, i % 60, kind, rest), file=f)
  > PY
  $ smilog summarize --json run 2>said | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print([(p["name"], p["count"]) for p in r["phases"]], r["events"], [(i["lines"], i["rows"], i["rejected"]) for i in r["inputs"]])'
  [('fit', 200)] {'start': 1, 'stop': 1} [(602, 202, {'foreign': 400})]
  $ head -n 2 said
  smilog: run.jsonl:3: warning: a name with a NUL byte
  smilog: run.jsonl:4: warning: a name with a NUL byte

every null has a reason
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py energy_wh problems | grep -c -e 'energy_wh null' -e 'power'
  2

keys in the order of the contract
  $ cat >known <<'EOF'
  > schema generator runs missing total
  > run state state_reason exit_code hostname params start end duration_s time_base summary covered_s energy_wh vram idle_pct longest_idle_s gpu_hours wasted_h cost gpus host segments phases events findings problems inputs
  > device_peak_mb all_gpus_peak_mb used_peak_mb source reserved total_mb
  > failed unused start stall end total
  > gpu uuid name samples energy_wh idle_pct throttle_pct coverage_pct metrics
  > unit count mean time_mean min max stddev p1 p5 p25 p50 p75 p95 p99 quantiles
  > name count seconds summary energy_wh idle_pct samples
  > path format lines header rows duplicates blank messages rejected gaps interval_s interval_max_s problems
  > runs failed gpus duration_s gpu_hours energy_wh idle_pct peak_vram_mb summary
  > EOF
  $ smilog summarize -q --json ../../../fixtures/sweep/lr=0.1/seed=3 | python3 -SE -c '
  > import json, sys
  > d = json.load(sys.stdin)
  > r = d["runs"][0]
  > parts = d, r, r["vram"], r["wasted_h"], r["gpus"][0], r["gpus"][0]["metrics"]["gpu_util_pct"], r["phases"][0], r["inputs"][0], d["total"]
  > for part, known in zip(parts, open("known")):
  >     print(*(k for k in part if k in known.split()))' | diff known -

lines wait for a usable log
# The first runs have no line that is understood: they are written once another one is usable, and not at all without it.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ for run in a b c; do mkdir "$t/$run" && echo junk >"$t/$run/log.csv"; done
  $ printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 22:11:09.000, 0, 5 %' >"$t/c/log.csv"
  $ cd "$t" || exit
  $ smilog summarize --run-per file -q --input-format nvidia-smi-query --format jsonl -j 2 ?/log.csv | cut -c1-50
  {"schema": "smilog/1", "run": "a/log.csv", "state"
  {"schema": "smilog/1", "run": "b/log.csv", "state"
  {"schema": "smilog/1", "run": "c/log.csv", "state"
  $ smilog summarize --run-per file -q --input-format nvidia-smi-query --format jsonl -j 2 a/log.csv b/log.csv
  2> smilog: no line of the format nvidia-smi-query (--input-format) in a/log.csv and the other paths
  [3]
  $ echo "status $?"
  status 3
  $ smilog summarize --run-per file -q --input-format nvidia-smi-query -o x.jsonl a/log.csv
  2> smilog: no line of the format nvidia-smi-query (--input-format) in a/log.csv
  [3]
  $ echo "status $?"
  status 3
  $ ls
  a
  b
  c

missing headline numbers have reasons
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50
  > 2026/07/03 10:00:02.000, 0, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     energy_wh
  energy_wh null

one run a line
  $ mkdir -p out/a out/b
  $ cat >out/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/b/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --format json out | wc -l
  4
  $ smilog summarize -q --format jsonl out | cut -c 1-42
  {"schema": "smilog/1", "run": "a", "state"
  {"schema": "smilog/1", "run": "b", "state"

schema is first in jsonl
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --format jsonl log.csv | python3 -SE -c 'import json, sys; print(next(iter(json.loads(sys.stdin.read()).items())))'
  ('schema', 'smilog/1')
