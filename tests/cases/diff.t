a column without values is said
# A column that was asked for and has no value on one side, or on both, is a warning that says which side and why.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd ../../../fixtures/sweep/lr=0.1 || exit
  $ smilog summarize -q --json seed=1 >$t/plain.json
  $ smilog summarize -q --price-gpu-hour 2 --gco2-kwh 300 --json seed=1 >$t/priced.json
  $ cd $t || exit
  $ smilog diff --columns cost,energy_wh plain.json priced.json
  A: plain.json, 1 run
  B: priced.json, 1 run
  one run against one

  1 pair, 1 column: 1 the same
  2> smilog: warning: --columns cost: no paired run of A has a value; it needs a price of these GPUs or of their energy, see --price-gpu-hour and --price-kwh
  $ smilog diff --columns cost,co2_g priced.json plain.json
  A: priced.json, 1 run
  B: plain.json, 1 run
  one run against one

  1 pair, 0 columns: 0 the same
  2> smilog: warning: --columns cost: no paired run of B has a value; it needs a price of these GPUs or of their energy, see --price-gpu-hour and --price-kwh
  2> smilog: warning: --columns co2_g: no paired run of B has a value; it needs energy and --gco2-kwh
  $ smilog diff --columns cost,steps_per_s plain.json plain.json
  A: plain.json, 1 run
  B: plain.json, 1 run
  one run against one

  1 pair, 0 columns: 0 the same
  2> smilog: warning: --columns cost: no paired run of A or B has a value; it needs a price of these GPUs or of their energy, see --price-gpu-hour and --price-kwh
  2> smilog: warning: --columns steps_per_s: no paired run of A or B has a value
  $ smilog diff --columns cost priced.json priced.json
  A: priced.json, 1 run
  B: priced.json, 1 run
  one run against one

  1 pair, 1 column: 1 the same
  $ smilog diff -q --columns cost plain.json priced.json
  A: plain.json, 1 run
  B: priced.json, 1 run
  one run against one

  1 pair, 0 columns: 0 the same
  $ smilog diff plain.json priced.json
  A: plain.json, 1 run
  B: priced.json, 1 run
  one run against one

  1 pair, 31 columns: 31 the same

a side may be a pipe
  $ sweep=../../../fixtures/sweep
  $ smilog summarize -q --json $sweep >was.json
  $ smilog diff -q was.json $sweep | sed 's/was.json/SIDE/g' >file
  $ smilog diff -q <(cat was.json) $sweep | sed 's|/dev/fd/[0-9]*|SIDE|g' | cmp - file
  $ smilog diff -q <(gzip -c was.json) <(smilog summarize -q --format jsonl $sweep) | sed 's|/dev/fd/[0-9]*|SIDE|g' | tail -n 1
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ smilog check --min-gpu-util 10 --baseline <(cat was.json) $sweep 2>/dev/null | tail -n 1
  9 of 12 runs meet all limits, 3 runs could not be judged
  $ smilog diff -q <(cat $sweep/*/*/hw_metrics.csv) $sweep 2>&1 | sed 's|/dev/fd/[0-9]*|SIDE|g'
  smilog: SIDE: is a pipe without smilog's JSON: give logs and partial summaries as files
  $ smilog diff -q <(smilog summarize -q --partial $sweep) $sweep 2>&1 | sed 's|/dev/fd/[0-9]*|SIDE|g'
  smilog: SIDE: is a pipe without smilog's JSON: give logs and partial summaries as files
  $ smilog diff -q <(printf '\0') $sweep 2>&1 | sed 's|/dev/fd/[0-9]*|SIDE|g'
  smilog: SIDE: is a pipe without smilog's JSON: give logs and partial summaries as files
  $ rm was.json file

a side that is not there
  $ smilog diff -q ../../../fixtures/sweep/lr=0.1/seed=1 /nowhere; echo $?
  3
  2> smilog: no usable log in /nowhere: No such file or directory
  $ smilog diff -q ../../../fixtures/sweep .
  2> smilog: no usable log in .
  [3]

absent values take no part
  $ d=$(mktemp -d)
  $ for s in a b; do for i in 1 2 3 4; do
  >     printf '{"schema": "smilog/1", "run": "seed=%d", "params": {"seed": %d}, "energy_wh": %s, "idle_pct": %s, "cost": null}\n' $i $i $([ $s$i = a1 ] && echo null || echo 1$i.0) $([ $s$i = b2 ] && echo 9$i.0 || echo 5.$i)
  > done >$d/$s.jsonl; done; cd $d && smilog diff --format csv a.jsonl b.jsonl; rm -r $d
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  idle_pct,%,4,5.25,26.95,21.7,413.333333,30.665127,0.923823,1,0,1.0,noise,
  ngpus,,4,0.0,0.0,0.0,,0.0,,0,0,1.0,same,
  energy_wh,Wh,3,13.0,13.0,0.0,0.0,1.0,0.0,0,0,1.0,same,

broken json
  $ d=$(mktemp -d) && cd $d
  $ echo '{"schema": "smilog/1", "run": "x"}' >a.jsonl
  $ for t in '{"schema": "smilog/1", "runs": [' '{"schema": "smilog/1", "runs": [{}]}' '{"schema": "smilog/1", "columns": ["run"], "rows": [{"run": "x"}]}' '{"schema": "smilog-partial/1", "run": "x"}' '{"schema": "smilog/1", "runs": []}' $'{"schema": "smilog/1", "run": "x\xff"}' '{"schema": "smilog/1", "run": 5}' ''; do
  >     printf '%s' "$t" >b.json; smilog diff a.jsonl b.json; echo $?
  > done 2>&1; rm -r $d
  smilog: b.json: ends in the middle of "runs"
  3
  smilog: b.json: an element of "runs" has no name: no summary of this version
  3
  smilog: b.json: holds no runs: of smilog summarize --json without --columns, --group-by and --sql
  3
  smilog: b.json: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/1): make it again from the logs, with summarize --partial of this version
  3
  smilog: no usable log in b.json
  3
  smilog: b.json: is not UTF-8
  3
  smilog: b.json: holds no runs: of smilog summarize --json without --columns, --group-by and --sql
  3
  smilog: b.json: warning: cannot be used: empty
  smilog: no usable log in b.json
  3

csv
  $ d=$(mktemp -d) && python3 ../sweeps.py "$d/a" 1 && python3 ../sweeps.py "$d/b" 2 util=0.95 && cd "$d" && smilog diff a b -o x.csv && cat x.csv; rm -r "$d"
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  gpu_util_mean_pct,%,12,75.766667,71.683333,-4.083333,-5.389353,0.735414,-6.385075,0,12,0.000488,real,worse
  gpu_util_max_pct,%,12,87.083333,82.666667,-4.416667,-5.07177,1.428869,-5.174707,0,11,0.000977,real,
  wasted_start_h,h,12,0.002685,0.002963,0.000278,10.343543,0.000307,2.023702,4,0,0.125,noise,
  wasted_total_h,h,12,0.002685,0.002963,0.000278,10.343543,0.000307,2.023702,4,0,0.125,noise,
  idle_pct,%,12,2.744772,3.027233,0.282461,10.290888,0.314189,1.927108,6,4,0.138672,noise,
  wasted_pct,%,12,2.744772,3.027233,0.282461,10.290888,0.314189,1.927108,6,4,0.138672,noise,
  longest_idle_s,s,12,5.5,6.0,0.5,9.090909,0.707107,1.59898,3,0,0.25,noise,
  power_watts_max,W,12,300.458333,303.075,2.616667,0.870892,4.04626,1.561028,8,4,0.151367,noise,
  energy_wh,Wh,12,26.788256,26.75084,-0.037416,-0.139672,0.406253,-0.035951,5,7,0.850098,noise,
  peak_vram_mb,MiB,12,40014.666667,40000.583333,-14.083333,-0.035195,305.000751,0.104668,6,6,0.969727,noise,
  vram_all_gpus_peak_mb,MiB,12,80029.333333,80001.166667,-28.166667,-0.035195,610.001503,0.104668,6,6,0.969727,noise,
  vram_device_peak_mb,MiB,12,40014.666667,40000.583333,-14.083333,-0.035195,305.000751,0.104668,6,6,0.969727,noise,
  vram_used_peak_mb,MiB,12,40014.666667,40000.583333,-14.083333,-0.035195,305.000751,0.104668,6,6,0.969727,noise,
  power_watts_mean,W,12,272.625,272.258333,-0.366667,-0.134495,3.096055,-0.077927,7,5,0.986816,noise,
  energy_coverage_pct,%,12,100.0,100.0,0.0,0.0,0.0,,0,0,1.0,same,
  ngpus,,12,2.0,2.0,0.0,0.0,0.0,,0,0,1.0,same,
  vram_total_mb,MiB,12,81559.0,81559.0,0.0,0.0,0.0,,0,0,1.0,same,
  wasted_end_h,h,12,0.0,0.0,0.0,,0.0,,0,0,1.0,same,
  wasted_failed_h,h,12,0.0,0.0,0.0,,0.0,,0,0,1.0,same,
  wasted_stall_h,h,12,0.0,0.0,0.0,,0.0,,0,0,1.0,same,
  wasted_unused_h,h,12,0.0,0.0,0.0,,0.0,,0,0,1.0,same,
  gpu_hours,h,12,0.097871,0.097871,0.0,0.0,0.001186,0.473988,5,5,0.941406,same,
  covered_s,s,12,176.166667,176.166667,0.0,0.0,2.134375,0.473988,5,5,0.941406,same,
  duration_s,s,12,176.167667,176.167667,0.0,0.0,2.134375,0.473988,5,5,0.941406,same,
  energy_covered_s,s,12,176.166667,176.166667,0.0,0.0,2.134375,0.473988,5,5,0.941406,same,

equal but for chance
  $ d=$(mktemp -d) && python3 ../sweeps.py "$d/a" 1 && python3 ../sweeps.py "$d/b" 2 && cd "$d" && smilog diff a b && smilog diff --all a b; rm -r "$d"
  A: a, 12 runs
  B: b, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  12 pairs, 25 columns: 0 real changes, 14 inside the noise, 11 the same
  A: a, 12 runs
  B: b, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  COLUMN                              A            B     CHANGE      %  UP  DOWN     SPREAD  VERDICT  BECAME
  Idle at the start h           0.00268      0.00296   +0.00028  +10.3   4     0    0.00031  noise    -
  Wasted h                      0.00268      0.00296   +0.00028  +10.3   4     0    0.00031  noise    -
  Idle %                        2.74         3.03      +0.28     +10.3   6     4    0.31     noise    -
  Wasted %                      2.74         3.03      +0.28     +10.3   6     4    0.31     noise    -
  Longest idle s                5.50         6.00      +0.50      +9.1   3     0    0.71     noise    -
  Power W, max                300.5        303.1       +2.6       +0.9   8     4    4.0      noise    -
  GPU %, max                   87.08        86.50      -0.58      -0.7   4     7    1.50     noise    -
  GPU %, mean                  75.77        75.46      -0.31      -0.4   4     8    0.76     noise    -
  Energy Wh                    26.788       26.751     -0.037     -0.1   5     7    0.406    noise    -
  VRAM MiB, max             40014.7      40000.6      -14.1        0.0   6     6  305.0      noise    -
  VRAM peaks, all GPUs MiB  80029.3      80001.2      -28.2        0.0   6     6  610.0      noise    -
  VRAM peak of a GPU MiB    40014.7      40000.6      -14.1        0.0   6     6  305.0      noise    -
  VRAM peak, used MiB       40014.7      40000.6      -14.1        0.0   6     6  305.0      noise    -
  Power W, mean               272.62       272.26      -0.37      -0.1   7     5    3.10     noise    -
  GPU time with power %       100.0        100.0        0.0        0.0   0     0    0.0      same     -
  GPUs                          2.0          2.0        0.0        0.0   0     0    0.0      same     -
  VRAM of a GPU MiB         81559.0      81559.0        0.0        0.0   0     0    0.0      same     -
  Idle at the end h             0.00         0.00       0.00         -   0     0    0.00     same     -
  Failed h                      0.00         0.00       0.00         -   0     0    0.00     same     -
  Stalled h                     0.00         0.00       0.00         -   0     0    0.00     same     -
  Unused h                      0.00         0.00       0.00         -   0     0    0.00     same     -
  GPU-hours                     0.10         0.10       0.00       0.0   5     5    0.00     same     -
  Time with readings s        176.2        176.2        0.0        0.0   5     5    2.1      same     -
  Time s                      176.2        176.2        0.0        0.0   5     5    2.1      same     -
  Time with power s           176.2        176.2        0.0        0.0   5     5    2.1      same     -

  12 pairs, 25 columns: 0 real changes, 14 inside the noise, 11 the same

five percent less of one
# that one first, what follows from it behind it, all others inside the noise: with several seeds
  $ d=$(mktemp -d) && for i in 1 2 3; do
  >     python3 ../sweeps.py "$d/a$i" $i && python3 ../sweeps.py "$d/b$i" 1$i util=0.95 || exit
  >     (cd "$d" && smilog diff a$i b$i)
  > done
  A: a1, 12 runs
  B: b1, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  COLUMN          A     B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPU %, mean  75.8  71.8    -3.9  -5.2   0    12     0.6  real     worse
  GPU %, max   87.1  82.7    -4.4  -5.1   0    12     1.5  real     -

  12 pairs, 25 columns: 2 real changes, 15 inside the noise, 8 the same
  A: a2, 12 runs
  B: b2, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  COLUMN          A     B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPU %, mean  75.5  71.5    -4.0  -5.3   0    12     0.8  real     worse
  GPU %, max   86.5  83.2    -3.3  -3.9   0    11     1.3  real     -

  12 pairs, 25 columns: 2 real changes, 16 inside the noise, 7 the same
  A: a3, 12 runs
  B: b3, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  COLUMN          A     B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPU %, mean  75.0  71.8    -3.3  -4.4   0    12     1.1  real     worse
  GPU %, max   85.8  82.3    -3.5  -4.1   0    12     1.4  real     -

  12 pairs, 25 columns: 2 real changes, 16 inside the noise, 7 the same
  $ rm -r "$d"

five percent more power
  $ d=$(mktemp -d) && python3 ../sweeps.py "$d/a" 4 && python3 ../sweeps.py "$d/b" 5 power=1.05 && cd "$d" && smilog diff a b; rm -r "$d"
  A: a, 12 runs
  B: b, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)

  COLUMN             A      B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh       26.8   28.0    +1.1  +4.3  11     1     0.6  real     worse
  Power W, mean  270.1  284.8   +14.7  +5.4  12     0     3.3  real     -
  Power W, max   299.5  315.2   +15.7  +5.2  12     0     4.2  real     -

  12 pairs, 25 columns: 3 real changes, 15 inside the noise, 7 the same

from nothing
# of 0 there are no percent
  $ d=$(mktemp -d) && cd $d
  $ echo '{"schema": "smilog/1", "run": "x", "wasted_h": {"stall": 0.0, "total": 0.0001}}' >a.jsonl
  $ echo '{"schema": "smilog/1", "run": "y", "wasted_h": {"stall": 0.25, "total": 0.25}}' >b.jsonl
  $ smilog diff a.jsonl b.jsonl; smilog diff --format md a.jsonl b.jsonl; smilog diff --json a.jsonl b.jsonl; rm -r $d
  A: a.jsonl, 1 run
  B: b.jsonl, 1 run
  one run against one

  COLUMN        A     B  CHANGE          %  UP  DOWN  SPREAD  VERDICT  BECAME
  Stalled h  0.00  0.25   +0.25          -   1     0       -  unknown  -
  Wasted h   0.00  0.25   +0.25  +249900.0   1     0       -  unknown  -

  1 pair, 3 columns: 2 changed, 1 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise
  **1 pair, 3 columns: 2 changed, 1 the same**

  A: `a.jsonl`, 1 run.
  B: `b.jsonl`, 1 run.
  one run against one.

  | Column | A | B | Change | % |
  |---|---:|---:|---:|---:|
  | Stalled h | 0.00 | 0.25 | +0.25 | - |
  | Wasted h | 0.00 | 0.25 | +0.25 | +249900.0 |

  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise.
  {"schema": "smilog/1", "generator": "smilog VERSION", "diff": {"a": {"path": "a.jsonl", "runs": 1, "states": {"ok": 0, "failed": 0, "cut": 0, "unknown": 1, "no-data": 0}, "only": []}, "b": {"path": "b.jsonl", "runs": 1, "states": {"ok": 0, "failed": 0, "cut": 0, "unknown": 1, "no-data": 0}, "only": []}, "pairs": [{"a": "x", "b": "y", "by": "alone", "configuration": 0}], "differs": [], "repeats": [], "other_parameters": 0, "tested": 0, "columns": [{"column": "wasted_stall_h", "unit": "h", "n": 1, "a": 0.0, "b": 0.25, "change": 0.25, "change_pct": null, "spread": null, "standard_errors": null, "pairs_up": 1, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "unknown", "became": null}, {"column": "wasted_total_h", "unit": "h", "n": 1, "a": 0.0001, "b": 0.25, "change": 0.2499, "change_pct": 249900.0, "spread": null, "standard_errors": null, "pairs_up": 1, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "unknown", "became": null}, {"column": "ngpus", "unit": "", "n": 1, "a": 0.0, "b": 0.0, "change": 0.0, "change_pct": null, "spread": null, "standard_errors": null, "pairs_up": 0, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "same", "became": null}]}}

gpus hold for both sides
  $ smilog diff -q --gpus 0 --columns ngpus,energy_wh ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  A: ../../../fixtures/sweep/lr=0.1/seed=1, 1 run
  B: ../../../fixtures/sweep/lr=0.1/seed=3, 1 run
  one run against one

  COLUMN         A      B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  269.0  257.2   -11.8  -4.4   0     1       -  unknown  -

  1 pair, 2 columns: 1 changed, 1 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise

groups of one and of three
# Configurations with one pair and with three: the head says both numbers.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ python3 -B ../sweeps.py "$d/a" 1 && python3 -B ../sweeps.py "$d/b" 2 util=0.9
  $ rm -r "$d"/[ab]/lr=0.03/seed=[234] "$d"/[ab]/lr=0.3/seed=4
  $ smilog diff -q "$d/a" "$d/b" | grep -o '[0-9]* configurations.*repeats[^,]*'
  3 configurations x 1 to 4 repeats (seed)

hostile json
# values of the wrong kind are no values, and numbers of any size are no trouble
  $ d=$(mktemp -d) && cd $d
  $ echo '{"schema": "smilog/1", "run": "x", "params": {"a": [1], "b": 99999999999999999999, "c": null, "d": true}, "energy_wh": 9223372036854.775807, "idle_pct": "5", "summary": [], "vram": 3, "gpus": {"x": 1}, "duration_s": 1e300, "gpu_hours": -5, "wasted_h": {"total": 1e-9}}' >a.jsonl
  $ echo '{"schema": "smilog/1", "run": "x", "params": 7, "energy_wh": -9223372036854.775807, "gpu_hours": 5.0, "gpus": [3, {"gpu": null}, {"gpu": 99999999999}], "wasted_h": {"total": 3}, "state": "?", "start": "x"}' >b.jsonl
  $ smilog diff a.jsonl b.jsonl; smilog diff --format csv b.jsonl a.jsonl; rm -r $d
  A: a.jsonl, 1 run
  B: b.jsonl, 1 run
  one run against one

  COLUMN                    A                  B  CHANGE       %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPUs                   0.0                1.0    +1.0        -   1     0       -  unknown  -
  Wasted h               0.00               3.00   +3.00       -   1     0       -  unknown  -
  Energy Wh  9223372036854.8   -9223372036854.8        -  -200.0   0     1       -  unknown  -
  GPU-hours             -5.00               5.00  +10.00  +200.0   1     0       -  unknown  -

  1 pair, 4 columns: 4 changed, 0 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  energy_wh,Wh,1,-9223372036854.775,9223372036854.775,,200.0,,,1,0,1.0,unknown,
  gpu_hours,h,1,5.0,-5.0,-10.0,-200.0,,,0,1,1.0,unknown,
  ngpus,,1,1.0,0.0,-1.0,-100.0,,,0,1,1.0,unknown,
  wasted_total_h,h,1,3.0,0.0,-3.0,-100.0,,,0,1,1.0,unknown,

hostile text
  $ d=$(mktemp -d) && cd $d
  $ for s in a b; do python3 -SE - $s <<'P'
  > import json, sys
  > with open(sys.argv[1] + ".jsonl", "w") as f:
  >     for i, n in enumerate(["a\n::error::b", "\x1b[31mred", '"><script>`|', "\u202egnp", "=1+1", "x" * 300]):
  >         f.write(json.dumps({"schema": "smilog/1", "run": n + ("" if i else sys.argv[1]), "params": {"p\n`": n, "seed\x1b": sys.argv[1] + n}, "energy_wh": i + 1.5, "joined": {"=x\n|`": i}}) + "\n")
  > P
  > done
  $ for f in table md csv json; do smilog diff a.jsonl b.jsonl --repeats $'seed\e' --all --format $f; done; rm -r $d
  A: a.jsonl, 6 runs
  B: b.jsonl, 6 runs
  6 pairs (5 by name, 1 by parameters), no repeats

  COLUMN       A    B  CHANGE    %  UP  DOWN  SPREAD  VERDICT  BECAME
  =x\x0a|`   2.5  2.5     0.0  0.0   0     0       -  same     -
  Energy Wh  4.0  4.0     0.0  0.0   0     0       -  same     -
  GPUs       0.0  0.0     0.0    -   0     0       -  same     -

  6 pairs, 3 columns: 3 the same
  **6 pairs, 3 columns: 3 the same**

  A: `a.jsonl`, 6 runs.
  B: `b.jsonl`, 6 runs.
  6 pairs (5 by name, 1 by parameters), no repeats.

  | Column | A | B | Change | % | Up | Down |
  |---|---:|---:|---:|---:|---:|---:|
  | `=x\x0a\x7c\x60` | 2.5 | 2.5 | 0.0 | 0.0 | 0 | 0 |
  | Energy Wh | 4.0 | 4.0 | 0.0 | 0.0 | 0 | 0 |
  | GPUs | 0.0 | 0.0 | 0.0 | - | 0 | 0 |

  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  '=x\x0a|`,,6,2.5,2.5,0.0,0.0,,,0,0,1.0,same,
  energy_wh,Wh,6,4.0,4.0,0.0,0.0,,,0,0,1.0,same,
  ngpus,,6,0.0,0.0,0.0,,,,0,0,1.0,same,
  {"schema": "smilog/1", "generator": "smilog VERSION", "diff": {"a": {"path": "a.jsonl", "runs": 6, "states": {"ok": 0, "failed": 0, "cut": 0, "unknown": 6, "no-data": 0}, "only": []}, "b": {"path": "b.jsonl", "runs": 6, "states": {"ok": 0, "failed": 0, "cut": 0, "unknown": 6, "no-data": 0}, "only": []}, "pairs": [{"a": "\u001b[31mred", "b": "\u001b[31mred", "by": "name", "configuration": 0}, {"a": "\"><script>`|", "b": "\"><script>`|", "by": "name", "configuration": 1}, {"a": "=1+1", "b": "=1+1", "by": "name", "configuration": 2}, {"a": "a\u000a::error::ba", "b": "a\u000a::error::bb", "by": "parameters", "configuration": 3}, {"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "b": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "by": "name", "configuration": 4}, {"a": "\u202egnp", "b": "\u202egnp", "by": "name", "configuration": 5}], "differs": [], "repeats": ["seed\u001b"], "other_parameters": 0, "tested": 0, "columns": [{"column": "=x\u000a|`", "unit": "", "n": 6, "a": 2.5, "b": 2.5, "change": 0.0, "change_pct": 0.0, "spread": null, "standard_errors": null, "pairs_up": 0, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "same", "became": null}, {"column": "energy_wh", "unit": "Wh", "n": 6, "a": 4.0, "b": 4.0, "change": 0.0, "change_pct": 0.0, "spread": null, "standard_errors": null, "pairs_up": 0, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "same", "became": null}, {"column": "ngpus", "unit": "", "n": 6, "a": 0.0, "b": 0.0, "change": 0.0, "change_pct": null, "spread": null, "standard_errors": null, "pairs_up": 0, "pairs_down": 0, "pairs_probability": 1.0, "verdict": "same", "became": null}]}}

idle limits that differ
# Idle times by two limits are no change of the runs.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ cp -r ../../../fixtures/sweep/lr=0.1/seed=1 "$t/run" && cd "$t" || exit
  $ smilog summarize -q --json run >a.json
  $ smilog diff a.json run --idle-below 75; echo $?
  2
  2> smilog: a.json: a GPU is idle at 1 % or below, in run at 75 %: read both with the same --idle-below
  $ smilog diff a.json run --columns idle_pct
  A: a.json, 1 run
  B: run, 1 run
  one run against one

  1 pair, 1 column: 1 the same

ids of jobs keep no repeats apart
  $ d=$(mktemp -d) && cd $d
  $ for s in a b; do for i in 1 2 3; do
  >     printf '{"schema": "smilog/1", "run": "lr=1/seed=%d", "params": {"lr": 1, "seed": %d, "job": %s%d}, "energy_wh": 1%d.0}\n' $i $i $([ $s = a ] && echo 8 || echo 9) $i $i
  > done >$s.jsonl; done; smilog diff a.jsonl b.jsonl; rm -r $d
  A: a.jsonl, 3 runs
  B: b.jsonl, 3 runs
  3 pairs (3 by name), 1 configuration x 3 repeats (seed)

  3 pairs, 2 columns: 0 real changes, 0 inside the noise, 2 the same

joined columns are compared
  $ d=$(mktemp -d)
  $ printf 'run,accuracy,note\nlr=0.1/seed=1,0.91,x\nlr=0.1/seed=2,0.92,y\nlr=0.3/seed=1,9.7e-1,z\n' >$d/acc.csv
  $ smilog diff -q --columns accuracy --join $d/acc.csv ../../../fixtures/sweep ../../../fixtures/sweep
  A: ../../../fixtures/sweep, 12 runs
  B: ../../../fixtures/sweep, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 9 ok, 1 failed, 1 cut, 1 no GPU data
  1 run of A has no GPU data: lr=0.3/seed=4
  1 run of B has no GPU data: lr=0.3/seed=4

  12 pairs, 1 column: 0 real changes, 0 inside the noise, 1 the same
  $ smilog summarize -q --join $d/acc.csv ../../../fixtures/sweep -o $d/a.jsonl
  $ sed 's/"accuracy": 0.9/"accuracy": 0.8/' $d/a.jsonl >$d/b.jsonl
  $ cd $d && smilog diff -q a.jsonl b.jsonl
  A: a.jsonl, 12 runs
  B: b.jsonl, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 9 ok, 1 failed, 1 cut, 1 no GPU data
  1 run of A has no GPU data: lr=0.3/seed=4
  1 run of B has no GPU data: lr=0.3/seed=4

  COLUMN    PAIRS      A      B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  accuracy      3  0.933  0.867  -0.067  -7.1   0     2   0.007  few      -

  12 pairs, 32 columns: 0 real changes, 1 with too few repeats to tell, 0 inside the noise, 31 the same
  $ rm -r $d

logs and what was written of them
# logs, JSON, JSON lines, JSON in another layout and a partial are the same side, to the last digit of what JSON holds
  $ d=$(mktemp -d) in=../../../fixtures/sweep
  $ smilog summarize -q $in -o $d/s.json && smilog summarize -q $in -o $d/s.jsonl && smilog summarize -q --partial $in -o $d/s.partial
  $ python3 -SE -c "import json,sys; print(json.dumps(json.load(open(sys.argv[1])), indent=2))" $d/s.json >$d/nice.json
  $ python3 -SE -c "import json,sys; print(json.dumps(json.load(open(sys.argv[1]))))" $d/s.json >$d/short.json
  $ for f in s.json s.jsonl s.partial nice.json short.json; do smilog diff -q $in $d/$f | tail -n 1; done
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
# GPUs that are known by their uuid alone are counted in JSON, too
  $ printf '%s\n' 'timestamp, uuid, power.draw [W]' '2026/07/04 10:00:00.000, GPU-1f, 50 W' '2026/07/04 10:00:00.000, GPU-2f, 60 W' >$d/log.csv
  $ smilog summarize -q $d/log.csv -o $d/log.json && smilog diff -q --format csv $d/log.csv $d/log.json | grep ngpus | cut -d, -f 1-5
  ngpus,,1,2.0,2.0
  $ rm -r $d

lost gpu data is said
# Four logs of B lost their headers and a column: these runs have no GPU data, and the means are over fewer pairs.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp -r ../../../fixtures/sweep "$d/A" && cp -r "$d/A" "$d/B" && cd "$d" && chmod -R u+w .
  $ for seed in 1 2 3 4; do
  >     sed '/^timestamp/d; s/^[^,]*, //' A/lr=0.03/seed=$seed/hw_metrics.csv >B/lr=0.03/seed=$seed/hw_metrics.csv
  >     rm B/lr=0.03/seed=$seed/hw_dmon.csv
  > done
  $ smilog diff -q --columns wasted_total_h,duration_s,gpu_util_mean_pct A B
  A: A, 12 runs
  B: B, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 5 ok, 1 failed, 1 cut, 5 no GPU data
  1 run of A has no GPU data: lr=0.3/seed=4
  5 runs of B have no GPU data: lr=0.03/seed=1, lr=0.03/seed=2, lr=0.03/seed=3 and 2 more

  12 pairs, 3 columns: 0 real changes, 1 inside the noise, 2 the same
  $ smilog diff -q --all --columns wasted_total_h,duration_s,cpu_usr_mean_pct A B
  A: A, 12 runs
  B: B, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 5 ok, 1 failed, 1 cut, 5 no GPU data
  1 run of A has no GPU data: lr=0.3/seed=4
  5 runs of B have no GPU data: lr=0.03/seed=1, lr=0.03/seed=2, lr=0.03/seed=3, lr=0.03/seed=4, lr=0.3/seed=4

  COLUMN            PAIRS          A          B   CHANGE    %  UP  DOWN    SPREAD  VERDICT  BECAME
  Time s               12  3362.4571  3362.4544  -0.0027  0.0   0     1  509.1744  noise    -
  CPU user %, mean     12    23.0       23.0      0.0     0.0   0     0    0.4     same     -
  Wasted h              7     0.47       0.47     0.00    0.0   0     0    0.42    same     -

  12 pairs, 3 columns: 0 real changes, 1 inside the noise, 2 the same
  $ smilog diff -q --all --format md --columns wasted_total_h,duration_s A B
  **12 pairs, 2 columns: 0 real changes, 1 inside the noise, 1 the same**

  A: `A`, 12 runs.
  B: `B`, 12 runs.
  12 pairs (12 by name), 3 configurations x 4 repeats (`seed`).
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 5 ok, 1 failed, 1 cut, 5 no GPU data.
  1 run of A has no GPU data: `lr=0.3/seed=4`.
  5 runs of B have no GPU data: `lr=0.03/seed=1`, `lr=0.03/seed=2`, `lr=0.03/seed=3`, `lr=0.03/seed=4`, `lr=0.3/seed=4`.

  | Column | Pairs | A | B | Change | % | Up | Down | Spread of repeats | Verdict |
  |---|---:|---:|---:|---:|---:|---:|---:|---:|---|
  | Time s | 12 | 3362.4571 | 3362.4544 | -0.0027 | 0.0 | 0 | 1 | 509.1744 | noise |
  | Wasted h | 7 | 0.47 | 0.47 | 0.00 | 0.0 | 0 | 0 | 0.42 | same |


markdown
  $ d=$(mktemp -d) && python3 ../sweeps.py "$d/a" 1 && python3 ../sweeps.py "$d/b" 2 util=0.95 && cd "$d" && smilog diff a b -o x.md && cat x.md; rm -r "$d"
  **12 pairs, 25 columns: 2 real changes, 12 inside the noise, 11 the same**

  A: `a`, 12 runs.
  B: `b`, 12 runs.
  12 pairs (12 by name), 3 configurations x 4 repeats (`seed`).

  | Column | A | B | Change | % | Up | Down | Spread of repeats | Verdict |
  |---|---:|---:|---:|---:|---:|---:|---:|---|
  | GPU %, mean | 75.8 | 71.7 | -4.1 | -5.4 | 0 | 12 | 0.7 | real, worse |
  | GPU %, max | 87.1 | 82.7 | -4.4 | -5.1 | 0 | 11 | 1.4 | real |


matched as repeats
# other seeds, and one run more on one side
  $ d=$(mktemp -d)
  $ smilog summarize -q ../../../fixtures/sweep --format jsonl | sed 's/seed=\([12]\)/seed=7\1/; s/"seed": \([12]\)/"seed": 7\1/' | head -n 11 >$d/b.jsonl
  $ (cd $d && smilog diff -q $OLDPWD/../../../fixtures/sweep b.jsonl) | sed 1d
  B: b.jsonl, 11 runs
  11 pairs (5 by name, 6 as repeats), 3 configurations x 3 to 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 9 ok, 1 failed, 1 cut
  1 run of A has no GPU data: lr=0.3/seed=4

  only in A (1): lr=0.3/seed=4
  11 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ rm -r $d

matched by parameters
  $ d=$(mktemp -d)
  $ smilog summarize -q ../../../fixtures/sweep --format jsonl | sed 's/"run": "[^"]*seed=\([0-9]*\)"/"run": "x\1"/; s/"lr": 0.1,/"lr": 1e-1,/' | awk '{ sub(/"run": "/, "&" NR "-"); print }' >$d/b.jsonl
  $ smilog diff -q --json ../../../fixtures/sweep $d/b.jsonl | python3 -SE -c "import json,sys
  > for p in json.load(sys.stdin)['diff']['pairs']: print(p)"
  {'a': 'lr=0.03/seed=1', 'b': '1-x1', 'by': 'parameters', 'configuration': 0}
  {'a': 'lr=0.03/seed=2', 'b': '2-x2', 'by': 'parameters', 'configuration': 0}
  {'a': 'lr=0.03/seed=3', 'b': '3-x3', 'by': 'parameters', 'configuration': 0}
  {'a': 'lr=0.03/seed=4', 'b': '4-x4', 'by': 'parameters', 'configuration': 0}
  {'a': 'lr=0.1/seed=1', 'b': '5-x1', 'by': 'parameters', 'configuration': 1}
  {'a': 'lr=0.1/seed=2', 'b': '6-x2', 'by': 'parameters', 'configuration': 1}
  {'a': 'lr=0.1/seed=3', 'b': '7-x3', 'by': 'parameters', 'configuration': 1}
  {'a': 'lr=0.1/seed=4', 'b': '8-x4', 'by': 'parameters', 'configuration': 1}
  {'a': 'lr=0.3/seed=1', 'b': '9-x1', 'by': 'parameters', 'configuration': 2}
  {'a': 'lr=0.3/seed=2', 'b': '10-x2', 'by': 'parameters', 'configuration': 2}
  {'a': 'lr=0.3/seed=3', 'b': '11-x3', 'by': 'parameters', 'configuration': 2}
  {'a': 'lr=0.3/seed=4', 'b': '12-x4', 'by': 'parameters', 'configuration': 2}
  $ rm -r $d

names are no repeats
# the same parameters, but other names: nothing says that they are repeats; digits do
  $ d=$(mktemp -d)
  $ for s in a b; do for k in resnet bert run1 run2; do
  >     printf '{"schema": "smilog/1", "run": "%s", "params": {"lr": 1}, "energy_wh": %d.0}\n' $k $([ $s = a ] && echo 10 || echo 12)
  > done >$d/$s.jsonl; done; cd $d && smilog diff --json a.jsonl b.jsonl | python3 -SE -c "import json,sys; print([(p['a'], p['configuration']) for p in json.load(sys.stdin)['diff']['pairs']])"; rm -r $d
  [('bert', 0), ('resnet', 1), ('run1', 2), ('run2', 2)]

names that do not match
# three names of each side, how many more, and what would make them match
  $ d=$(mktemp -d) && cd "$d"
  $ for i in 1 2 3 4 5; do
  >     printf '{"schema": "smilog/1", "run": "before-%s"}\n' $i >>a.jsonl
  >     printf '{"schema": "smilog/1", "run": "after\\u001b-%s"}\n' $i >>b.jsonl
  > done
  $ smilog diff a.jsonl b.jsonl; rc=$?; rm -r "$d"; exit $rc
  2> smilog: no run of a.jsonl matches one of b.jsonl, by name or by parameters
  2>   A has 5 runs: before-1, before-2, before-3 and 2 more
  2>   B has 5 runs: after\x1b-1, after\x1b-2, after\x1b-3 and 2 more
  2>   Name the directories whose runs have the same names below them, or let --repeats NAME leave out
  2>   a parameter that tells the sides apart; two single runs are always a pair.
  [3]

nothing matches
  $ d=$(mktemp -d) && cd $d
  $ printf '{"schema": "smilog/1", "run": "x"}\n{"schema": "smilog/1", "run": "y"}\n' >a.jsonl
  $ printf '{"schema": "smilog/1", "run": "z"}\n' >b.jsonl
  $ smilog diff a.jsonl b.jsonl; rc=$?; rm -r $d; exit $rc
  2> smilog: no run of a.jsonl matches one of b.jsonl, by name or by parameters
  2>   A has 2 runs: x, y
  2>   B has 1 run: z
  2>   Name the directories whose runs have the same names below them, or let --repeats NAME leave out
  2>   a parameter that tells the sides apart; two single runs are always a pair.
  [3]

one against one
  $ smilog diff -q ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  A: ../../../fixtures/sweep/lr=0.1/seed=1, 1 run
  B: ../../../fixtures/sweep/lr=0.1/seed=3, 1 run
  one run against one

  COLUMN                        A          B     CHANGE       %  UP  DOWN  SPREAD  VERDICT  BECAME
  Stalled h                0.00       0.17      +0.17         -   1     0       -  unknown  -
  Idle at the end h        0.033      0.000     -0.033   -100.0   0     1       -  unknown  -
  Wasted h                 0.15       0.29      +0.14     +96.3   1     0       -  unknown  -
  Idle %                   7.5       14.7       +7.1      +94.7   1     0       -  unknown  -
  Wasted %                 7.5       14.7       +7.1      +94.7   1     0       -  unknown  -
  Longest idle s         210.1      310.2     +100.0      +47.6   1     0       -  unknown  -
  Memory busy %, mean     37.2       33.8       -3.4       -9.1   0     1       -  unknown  -
  GPU %, mean             79.1       72.0       -7.1       -9.0   0     1       -  unknown  -
  CPU user %, mean        22.9       21.6       -1.3       -5.7   0     1       -  unknown  -
  Power W, mean          269.5      255.6      -13.9       -5.2   0     1       -  unknown  -
  Idle at the start h      0.1167     0.1223    +0.0056    +4.8   1     0       -  unknown  -
  Energy Wh              537.2      513.8      -23.5       -4.4   0     1       -  unknown  -
  CPU idle %, mean        75.4       76.7       +1.3       +1.7   1     0       -  unknown  -
  GPU %, max              94.0       93.0       -1.0       -1.1   0     1       -  unknown  -
  Time s                3588.0     3621.0      +33.0       +0.9   1     0       -  unknown  -
  Power W, max           308.4      305.6       -2.8       -0.9   0     1       -  unknown  -
  Time with readings s  3581.8     3611.8      +30.0       +0.8   1     0       -  unknown  -
  Time with power s     3581.8     3611.8      +30.0       +0.8   1     0       -  unknown  -
  GPU-hours                1.990      2.007     +0.017     +0.8   1     0       -  unknown  -

  1 pair, 31 columns: 19 changed, 12 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise

only these columns
  $ smilog diff -q --columns energy_wh,IDLE_PCT ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  A: ../../../fixtures/sweep/lr=0.1/seed=1, 1 run
  B: ../../../fixtures/sweep/lr=0.1/seed=3, 1 run
  one run against one

  COLUMN         A      B  CHANGE      %  UP  DOWN  SPREAD  VERDICT  BECAME
  Idle %       7.5   14.7    +7.1  +94.7   1     0       -  unknown  -
  Energy Wh  537.2  513.8   -23.5   -4.4   0     1       -  unknown  -

  1 pair, 2 columns: 2 changed, 0 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise

other axes do not match
# another learning rate is another configuration, whatever the seed; one that is the same in all of a side says what it is
  $ d=$(mktemp -d) && cd $d
  $ for s in a b; do for lr in 1 2; do for i in 1 2; do
  >     [ $s = a ] && l=$lr || l=$((lr + 5))
  >     printf '{"schema": "smilog/1", "run": "%s%d-%d", "params": {"lr": %d, "seed": %d, "job": %d}, "energy_wh": 1.0}\n' $s $lr $i $l $i $RANDOM
  > done; done >$s.jsonl; done
  $ smilog diff a.jsonl b.jsonl; echo $?
  3
  2> smilog: no run of a.jsonl matches one of b.jsonl, by name or by parameters
  2>   A has 4 runs: a1-1, a1-2, a2-1 and 1 more
  2>   B has 4 runs: b1-1, b1-2, b2-1 and 1 more
  2>   Name the directories whose runs have the same names below them, or let --repeats NAME leave out
  2>   a parameter that tells the sides apart; two single runs are always a pair.
  $ sed 's/"lr": [0-9]/"lr": 7/; s/"job": [0-9]*/"job": 5/' a.jsonl >c.jsonl; sed 's/"lr": [0-9]/"lr": 8/; s/"job": [0-9]*/"job": 6/' b.jsonl >d.jsonl
  $ smilog diff c.jsonl d.jsonl; rm -r $d
  A: c.jsonl, 4 runs
  B: d.jsonl, 4 runs
  4 pairs (4 by parameters), 1 configuration x 4 repeats (seed)
  differs: job 5 -> 6, lr 7 -> 8

  4 pairs, 2 columns: 0 real changes, 0 inside the noise, 2 the same

pairs without repeats
# 17 models, each once a side: 10 % lower in all of them; a maximum that moves more than its mean; 4 of 8 up
  $ d=$(mktemp -d)
  $ python3 -SE - "$d" <<'P'
  > import json, random, sys
  > r = random.Random(3)
  > start = [r.uniform(20, 80) for _ in range(17)]
  > for side, factor in ("a", 1), ("b", 0.9):
  >     with open(f"{sys.argv[1]}/{side}.jsonl", "w") as f:
  >         for i, util in enumerate(start):
  >             mean, most = util * factor * (1 + r.gauss(0, 0.01)), 99 - 12 * (side == "b") - i % 3
  >             f.write(json.dumps({"schema": "smilog/1", "run": f"model-{i}", "state": "ok",
  >                                 "params": {"model": f"m{i}"}, "energy_wh": round(r.gauss(500, 9), 1),
  >                                 "summary": {"gpu_util_mean_pct": round(mean, 1),
  >                                             "gpu_util_max_pct": most}}) + "\n")
  > P
  $ cd "$d"
  $ smilog diff a.jsonl b.jsonl
  A: a.jsonl, 17 runs
  B: b.jsonl, 17 runs
  17 pairs (17 by name), no repeats

  COLUMN          A     B  CHANGE      %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPU %, mean  48.4  43.7    -4.6   -9.6   0    17       -  real     worse
  GPU %, max   98.1  86.1   -12.0  -12.2   0    17       -  real     -

  17 pairs, 4 columns: 2 real changes, 1 inside the noise, 1 the same
  $ smilog diff --columns gpu_util_mean_pct,energy_wh --format csv a.jsonl b.jsonl
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  gpu_util_mean_pct,%,17,48.364706,43.717647,-4.647059,-9.608368,,,0,17,0.000015,real,worse
  energy_wh,Wh,17,499.294118,501.047059,1.752941,0.351084,,,11,6,0.129242,noise,
  $ smilog diff --format md a.jsonl b.jsonl
  **17 pairs, 4 columns: 2 real changes, 1 inside the noise, 1 the same**

  A: `a.jsonl`, 17 runs.
  B: `b.jsonl`, 17 runs.
  17 pairs (17 by name), no repeats.

  | Column | A | B | Change | % | Up | Down | Verdict |
  |---|---:|---:|---:|---:|---:|---:|---|
  | GPU %, mean | 48.4 | 43.7 | -4.6 | -9.6 | 0 | 17 | real, worse |
  | GPU %, max | 98.1 | 86.1 | -12.0 | -12.2 | 0 | 17 | real |

  $ head -n 4 a.jsonl >a4.jsonl
  $ head -n 4 b.jsonl >b4.jsonl
  $ smilog diff --columns gpu_util_mean_pct a4.jsonl b4.jsonl
  A: a4.jsonl, 4 runs
  B: b4.jsonl, 4 runs
  4 pairs (4 by name), no repeats

  COLUMN          A     B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  GPU %, mean  46.5  42.4    -4.1  -8.8   0     4       -  unknown  -

  4 pairs, 1 column: 1 changed, 0 the same
  so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what --repeats names), do not tell what is noise
  $ rm -r "$d"

parameters that differ
  $ d=$(mktemp -d)
  $ smilog summarize -q ../../../fixtures/sweep --format jsonl | sed 's/"batch": 4096/"batch": 8192, "jax": "0.4.31"/' >$d/b.jsonl
  $ (cd $d && smilog diff -q $OLDPWD/../../../fixtures/sweep b.jsonl && smilog diff -q $OLDPWD/../../../fixtures/sweep b.jsonl --format md) | grep -i differs
  differs: batch 4096 -> 8192
  differs: `batch 4096 -> 8192`.
  $ rm -r $d

repeats all alike
# too few to say more; with more of them it is real
  $ d=$(mktemp -d)
  $ for n in 2 6; do for s in a b; do for i in $(seq $n); do
  >     printf '{"schema": "smilog/1", "run": "seed=%d", "params": {"seed": %d}, "energy_wh": %d.0}\n' $i $i $([ $s = a ] && echo 10 || echo 12)
  > done >$d/$s.jsonl; done; (cd $d && smilog diff a.jsonl b.jsonl); done; rm -r $d
  A: a.jsonl, 2 runs
  B: b.jsonl, 2 runs
  2 pairs (2 by name), 1 configuration x 2 repeats (seed)

  COLUMN        A     B  CHANGE      %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  10.0  12.0    +2.0  +20.0   2     0     0.0  alike    -

  2 pairs, 2 columns: 0 real changes, 1 with repeats all alike, 0 inside the noise, 1 the same
  A: a.jsonl, 6 runs
  B: b.jsonl, 6 runs
  6 pairs (6 by name), 1 configuration x 6 repeats (seed)

  COLUMN        A     B  CHANGE      %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  10.0  12.0    +2.0  +20.0   6     0     0.0  real     worse

  6 pairs, 2 columns: 1 real change, 0 inside the noise, 1 the same

repeats of another name
  $ d=$(mktemp -d)
  $ for s in a b; do for i in 1 2 3; do for k in x y; do
  >     printf '{"schema": "smilog/1", "run": "%s%d", "params": {"net": "%s", "attempt": %d}, "energy_wh": %d%d.%d}\n' $k $i $k $i 1$i $i $([ $s = a ] && echo 0 || echo 5)
  > done; done >$d/$s.jsonl; done
  $ cd $d && smilog diff a.jsonl b.jsonl; smilog diff --repeats attempt a.jsonl b.jsonl; rm -r $d
  A: a.jsonl, 6 runs
  B: b.jsonl, 6 runs
  6 pairs (6 by name), no repeats

  COLUMN          A       B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  122.00  122.50   +0.50  +0.4   6     0       -  real     worse

  6 pairs, 2 columns: 1 real change, 0 inside the noise, 1 the same
  A: a.jsonl, 6 runs
  B: b.jsonl, 6 runs
  6 pairs (6 by name), 2 configurations x 3 repeats (attempt)

  6 pairs, 2 columns: 0 real changes, 1 inside the noise, 1 the same

rows are no side
  $ sweep=../../../fixtures/sweep
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog summarize -q --columns run,idle_pct --format json $sweep >"$d/rows.json"
  $ smilog summarize -q --columns run,idle_pct --format jsonl $sweep >"$d/rows.jsonl"
  $ smilog summarize -q --columns idle_pct --format csv $sweep >"$d/rows.csv"
  $ smilog summarize -q --format csv $sweep >"$d/runs.csv"
  $ cd "$d" && for f in rows.json rows.jsonl rows.csv runs.csv; do
  >     smilog diff -q $f $f
  >     smilog check -q --baseline $f "$OLDPWD/$sweep/lr=0.1/seed=1"
  > done
  2> smilog: rows.json: holds no runs: of smilog summarize --json without --columns, --group-by and --sql
  2> smilog: rows.json: holds no runs: of smilog summarize --json without --columns, --group-by and --sql
  2> smilog: no usable log in rows.jsonl
  2> smilog: no usable log in rows.jsonl
  2> smilog: no usable log in rows.csv
  2> smilog: no usable log in rows.csv
  2> smilog: no usable log in runs.csv
  2> smilog: no usable log in runs.csv
  [3]

the same name with other parameters
  $ d=$(mktemp -d) && cd $d
  $ for s in a b; do for i in 1 2 3; do
  >     [ $s = a ] && lr=$i || lr=$((i % 3 + 1))
  >     printf '{"schema": "smilog/1", "run": "run_%d", "params": {"lr": %d, "job": %s%d}, "energy_wh": 1%d.0}\n' $i $lr $([ $s = a ] && echo 8 || echo 9) $i $i
  > done >$s.jsonl; done; smilog diff a.jsonl b.jsonl; rm -r $d
  A: a.jsonl, 3 runs
  B: b.jsonl, 3 runs
  3 pairs (3 by name, 3 of these with other parameters), no repeats

  3 pairs, 2 columns: 2 the same

the same twice
  $ smilog diff -q ../../../fixtures/sweep ../../../fixtures/sweep
  A: ../../../fixtures/sweep, 12 runs
  B: ../../../fixtures/sweep, 12 runs
  12 pairs (12 by name), 3 configurations x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 9 ok, 1 failed, 1 cut, 1 no GPU data
  1 run of A has no GPU data: lr=0.3/seed=4
  1 run of B has no GPU data: lr=0.3/seed=4

  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same

two logs of one run
# Logs of unlike formats in one directory are one run: named as two sides they would be compared with themselves.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_units.csv "$d/gpu.csv"
  $ cp ../../../fixtures/amd/rocm_timed.csv "$d/rocm.csv"
  $ cd "$d"
  $ smilog diff -q gpu.csv rocm.csv
  A: gpu.csv, 1 run
  B: rocm.csv, 1 run
  one run against one

  1 pair, 27 columns: 27 the same
  $ smilog diff gpu.csv rocm.csv 2>&1 >/dev/null
  smilog: also read: rocm.csv
  smilog: also read: gpu.csv
  smilog: warning: gpu.csv and rocm.csv are logs of one run, compared with itself; --run-per file compares the files
  $ smilog check --baseline rocm.csv gpu.csv 2>&1 >/dev/null
  smilog: also read: rocm.csv
  smilog: also read: gpu.csv
  smilog: warning: gpu.csv and rocm.csv are logs of one run, compared with itself; --run-per file compares the files
  $ echo "each file for itself, a directory, and the run with its own JSON: no warning"
  each file for itself, a directory, and the run with its own JSON: no warning
  $ smilog diff --run-per file gpu.csv rocm.csv 2>&1 | grep -c 'compared with itself'
  0
  [1]
  $ smilog diff . gpu.csv 2>&1 | grep -c 'compared with itself'
  0
  [1]
  $ smilog summarize -q --json . >was.json
  $ smilog diff was.json gpu.csv 2>&1 | grep -c 'compared with itself'
  0
  [1]
  $ true

two repeats are few
# A change that is large beside the spread of two repeats is neither real nor noise: they are too few; more of them tell
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ cd "$d" || exit 1
  $ for n in 2 8; do
  >     for s in a b; do
  >         for i in $(seq $n); do
  >             awk -v i=$i -v n=$n -v more=$([ $s = a ] && echo 0 || echo 1) 'BEGIN {
  >                 e = i % 2 ? 0.5 : -0.5
  >                 printf "{\"schema\": \"smilog/1\", \"run\": \"seed=%d\", \"params\": {\"seed\": %d}, \"energy_wh\": %.1f, ", i, i, 100 + 5 * more + e
  >                 printf "\"covered_s\": %.1f, \"gpu_hours\": %.2f, \"idle_pct\": %.1f, \"longest_idle_s\": %.1f}\n", 500 + e, 2 + e / 50, 9 + 3 * e + more, 60 + e - more / 5
  >             }'
  >         done >$s.jsonl
  >     done
  >     smilog diff a.jsonl b.jsonl
  >     smilog diff a.jsonl b.jsonl --format md | grep -e '^| Energy' -e '\*\*'
  >     smilog diff a.jsonl b.jsonl --json | python3 -SE -c 'import json, sys; print({c["column"]: c["verdict"] for c in json.load(sys.stdin)["diff"]["columns"] if c["verdict"] != "same"})'
  > done
  A: a.jsonl, 2 runs
  B: b.jsonl, 2 runs
  2 pairs (2 by name), 1 configuration x 2 repeats (seed)

  COLUMN         A      B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  100.0  105.0    +5.0  +5.0   2     0     0.7  few      -

  2 pairs, 6 columns: 0 real changes, 1 with too few repeats to tell, 2 inside the noise, 3 the same
  **2 pairs, 6 columns: 0 real changes, 1 with too few repeats to tell, 2 inside the noise, 3 the same**
  | Energy Wh | 100.0 | 105.0 | +5.0 | +5.0 | 2 | 0 | 0.7 | too few repeats |
  {'energy_wh': 'few', 'idle_pct': 'noise', 'longest_idle_s': 'noise'}
  A: a.jsonl, 8 runs
  B: b.jsonl, 8 runs
  8 pairs (8 by name), 1 configuration x 8 repeats (seed)

  COLUMN         A      B  CHANGE     %  UP  DOWN  SPREAD  VERDICT  BECAME
  Energy Wh  100.0  105.0    +5.0  +5.0   8     0     0.5  real     worse

  8 pairs, 6 columns: 1 real change, 2 inside the noise, 3 the same
  **8 pairs, 6 columns: 1 real change, 2 inside the noise, 3 the same**
  | Energy Wh | 100.0 | 105.0 | +5.0 | +5.0 | 8 | 0 | 0.5 | real, worse |
  {'energy_wh': 'real', 'idle_pct': 'noise', 'longest_idle_s': 'noise'}

unmatched are listed
  $ smilog diff -q ../../../fixtures/sweep ../../../fixtures/sweep/lr=0.1
  A: ../../../fixtures/sweep, 12 runs
  B: ../../../fixtures/sweep/lr=0.1, 4 runs
  4 pairs (4 by parameters), 1 configuration x 4 repeats (seed)
  states: 9 ok, 1 failed, 1 cut, 1 no GPU data -> 3 ok, 1 cut
  1 run of A has no GPU data: lr=0.3/seed=4

  only in A (8): lr=0.03/seed=1, lr=0.03/seed=2, lr=0.03/seed=3, lr=0.03/seed=4, lr=0.3/seed=1, lr=0.3/seed=2, lr=0.3/seed=3, lr=0.3/seed=4
  4 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same

usage
  $ smilog diff a
  2> smilog: diff needs two sides, A and B: a run, a directory, a log or a JSON each
  2> try: smilog help diff
  [2]
  $ smilog diff a b c
  2> smilog: diff needs two sides, A and B: a run, a directory, a log or a JSON each
  2> try: smilog help diff
  [2]
  $ smilog diff a ''
  2> smilog: a PATH is empty: a variable that is not set?
  2> try: smilog help diff
  [2]
  $ smilog diff - -
  2> smilog: standard input can be one side only
  2> try: smilog help diff
  [2]
  $ smilog diff --columns energy ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  2> smilog: --columns: there is no column "energy" of numbers; did you mean energy_wh?
  2> try: smilog help diff
  [2]
  $ smilog diff --columns energy_w ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  2> smilog: --columns: there is no column "energy_w" of numbers; did you mean energy_wh?
  2> try: smilog help diff
  [2]
  $ smilog diff --columns state ../../../fixtures/sweep/lr=0.1/seed=1 ../../../fixtures/sweep/lr=0.1/seed=3
  2> smilog: --columns: there is no column "state" of numbers; see smilog list columns
  2> try: smilog help diff
  [2]
  $ smilog diff --format jsn a b
  2> smilog: --format: there is no "jsn"; did you mean json?
  2> try: smilog help diff
  [2]
  $ smilog diff --partial a b
  2> smilog: unknown option --partial
  2> try: smilog help diff
  [2]

values far apart
# Ten million times as much is compared as well: repeats lie too far apart for exact sums of squares.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ python3 -SE - <<'P'
  > import json
  > for scale in 1, 10**7:
  >     for side, factor in ("a", 1), ("b", 1.05):
  >         with open(f"{side}{scale}.jsonl", "w") as f:
  >             for seed, wh in enumerate((500, 508, 496, 503, 491, 505)):
  >                 f.write(json.dumps({"schema": "smilog/1", "run": f"seed={seed}", "state": "ok", "params": {"lr": 1, "seed": seed},
  >                                     "energy_wh": round(wh * factor * scale, 1)}) + "\n")
  > P
  $ for scale in 1 10000000; do smilog diff --columns energy_wh --format csv a$scale.jsonl b$scale.jsonl; done
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  energy_wh,Wh,6,500.5,525.516667,25.016667,4.998335,6.364812,4.070284,6,0,0.03125,real,worse
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  energy_wh,Wh,6,5005000000.0,5255250000.0,250250000.0,5.0,63783520.598976,4.06679,6,0,0.03125,real,worse
  $ rm -r "$d"

wasted h
  $ sweep=../../../fixtures/sweep
  $ smilog diff -q --all --columns wasted_h,energy_wh $sweep $sweep | tail -4
  Energy Wh     11  481.2   481.2     0.0   0.0   0     0   82.5   same     -
  Wasted h      11    0.34    0.34    0.00  0.0   0     0    0.33  same     -

  12 pairs, 2 columns: 0 real changes, 0 inside the noise, 2 the same
  $ smilog diff -q --columns WASTED_H,wasted_x $sweep $sweep 2>&1 | head -1
  smilog: --columns: there is no column "wasted_x" of numbers; see smilog list columns
  $ smilog summarize -q --group-by lr --columns wasted_h,wasted_total_h $sweep
    lr  n  wasted_h_mean  wasted_h_sd  wasted_h_n  wasted_total_h_mean  wasted_total_h_sd  wasted_total_h_n
  0.03  4       0.118116     0.002406           4             0.118116           0.002406                 4
  0.1   4       0.179256     0.068231           4             0.179256           0.068231                 4
  0.3   4       0.850429     0.535241           3             0.850429           0.535241                 3

where holds for both sides
  $ smilog diff -q --where "state = 'ok' and param.lr < 0.3" ../../../fixtures/sweep ../../../fixtures/sweep
  A: ../../../fixtures/sweep, 7 runs
  B: ../../../fixtures/sweep, 7 runs
  7 pairs (7 by name), 2 configurations x 3 to 4 repeats (seed)

  7 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ d=$(mktemp -d) && smilog summarize -q ../../../fixtures/sweep -o $d/s.json
  $ smilog diff -q --where "state = 'ok' and param.lr < 0.3" ../../../fixtures/sweep $d/s.json | tail -n 1
  7 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ smilog diff -q --since 2026-07-04T00:00Z ../../../fixtures/sweep $d/s.json | tail -n 1
  3 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ (cd $d && smilog diff -q --where "exists (select 1 from phases)" s.json s.json)
  2> smilog: --where: s.json is JSON, and has no table phases: give the logs
  2> try: smilog help diff
  [2]
  $ rm -r $d

a joined column of small numbers
# 1.5e-05 is a number of a joined column as 0.000015 is; 1e-3 and 0.001 are one value of a parameter.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ row() { printf '{"schema": "smilog/1", "run": "%s", "params": {"lr": %s}, "joined": {"loss": %s}}\n' "$@"; }
  $ { row a 0.001 1.5e-05; row b 0.01 0.5; } >$t/a.jsonl
  $ { row c 1e-3 0.000025; row d 1e-2 0.5; } >$t/b.jsonl
  $ smilog diff --format csv --columns loss $t/a.jsonl $t/b.jsonl
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  loss,,2,0.250008,0.250012,0.000005,0.002,,,1,0,1.0,unknown,
