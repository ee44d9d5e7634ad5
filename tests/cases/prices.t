by model
# A part of the name, any case; the longest that fits; a number alone is for all others.
  $ dir=$(mktemp -d)
  $ for name in "NVIDIA A100-SXM4-40GB" "NVIDIA A10" "NVIDIA H100 80GB HBM3" ""; do
  >     mkdir "$dir/${name##* }_"
  >     { echo "timestamp, index, name, utilization.gpu [%]"
  >       for m in 00 10 20 30 40 50; do echo "2026/01/01 00:$m:00.001, 0, $name, 50 %"; done
  >       echo "2026/01/01 01:00:00.001, 0, $name, 50 %"; } >"$dir/${name##* }_/hw.csv"
  > done
  $ costs() {
  >     echo "$1"
  >     smilog summarize -q --tz UTC --json --price-gpu-hour "$1" "$dir" | python3 -SE -c '
  > import json, sys
  > d = json.load(sys.stdin)
  > for r in d["runs"]: print("   ", r["gpus"][0]["name"], r["cost"], [p for p in r["problems"] if "price" in p])
  > print("    total", d["total"]["cost"])'
  > }
  $ costs 2
  2
      NVIDIA A10 2.0 []
      NVIDIA A100-SXM4-40GB 2.0 []
      NVIDIA H100 80GB HBM3 2.0 []
      None 2.0 []
      total 8.0
  $ costs a100=2,A10=1
  a100=2,A10=1
      NVIDIA A10 1.0 []
      NVIDIA A100-SXM4-40GB 2.0 []
      NVIDIA H100 80GB HBM3 None ['a GPU has no price: --price-gpu-hour names models, and none of them is in its name; a number beside them is for all others']
      None None ['a GPU has no price: no log says which model it is, and --price-gpu-hour names models; a number beside them is for all others']
      total 3.0
  $ costs 'A10=1,A100=2,H100 80GB=4,3.5'
  A10=1,A100=2,H100 80GB=4,3.5
      NVIDIA A10 1.0 []
      NVIDIA A100-SXM4-40GB 2.0 []
      NVIDIA H100 80GB HBM3 4.0 []
      None 3.5 []
      total 10.5
  $ smilog summarize -q --tz UTC --price-gpu-hour A10=1 "$dir" | tail -n 1
  4 runs, 4.00 GPU-h, $2.00 (not known: 2 runs), GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog summarize -q --tz UTC --price-gpu-hour H100=1 "$dir/A10_" | tail -n 1
  1h00m, 1.00 GPU-h, cost not known, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)

currency
  $ sweep=../../../fixtures/sweep
  $ smilog summarize -q --price-gpu-hour 2.49 --currency EUR $sweep
  12 runs in ../../../fixtures/sweep   3 lr x 4 seeds, none missing   2 x H100 80GB HBM3   batch=4096 epochs=50 model=hestonnn
  2026-07-03 18:14 to 2026-07-04 05:34, UTC+02:00 (inferred)   sampled every 10.0 s   32.0 % of the time of the GPUs lies between runs, at most 3h03m

  RUN             STATE      TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB      W  °C  CPU %  THROTTLED %      Wh  WASTED h  COST EUR  START                      HOST   NOTE
  lr=0.03/seed=1  ok       58m32s   81.2     94  ▃▇█▇▇█▇█▇▇    6.0   41.2/80   546.9  56   23.2            -   531.9     0.12       4.84  2026-07-03T18:14:05+02:00  pod-1  -
  lr=0.03/seed=2  ok       58m18s   81.1     93  ▃▇▇▇▇▇▇▇▇▇    6.0   41.2/80   547.2  56   23.2            -   530.8     0.12       4.83  2026-07-03T19:13:13+02:00  pod-2  -
  lr=0.03/seed=3  ok       59m01s   80.8     94  ▃▇▇▇▇▇▇▇▇▇    6.2   41.2/80   545.5  56   23.3            -   535.1     0.12       4.89  2026-07-03T20:12:10+02:00  pod-3  -
  lr=0.03/seed=4  ok       58m26s   81.3     93  ▃███▇██▇▇▇    6.0   41.2/80   548.7  56   23.2            -   533.8     0.12       4.84  2026-07-03T21:11:52+02:00  pod-4  -
  lr=0.1/seed=1   ok       59m48s   79.3     93  ▃▇▇▇▇▇▇▇▇▆    7.5   41.3/80   540.0  56   22.9            -   537.2     0.15       4.95  2026-07-03T22:11:02+02:00  pod-1  -
  lr=0.1/seed=2   ok        1h00m   78.4     92  ▃▇▇▇▇▇▇▇▇▆    7.8   41.3/80   537.1  56   22.7            -   537.4     0.16       4.98  2026-07-03T23:11:41+02:00  pod-2  -
  lr=0.1/seed=3   ok        1h00m   72.2     91  ▃▇▇▇▁▇▇▇▇▇   14.7!  41.3/80   512.1  56   21.6            -   513.8     0.29       5.00  2026-07-04T00:12:44+02:00  pod-3  idle 5m10s
  lr=0.1/seed=4   cut      37m10s   77.3     92  ▁▇▇▇▇▇▇▇▇█    9.5   41.3/80   531.2  56   23.2            -   326.3     0.12       3.06  2026-07-04T01:13:40+02:00  pod-4  no end in log
  lr=0.3/seed=1   ok       59m35s   80.1     93  ▃▇▇▇▇▇▇▇▇▇    5.9   41.3/80   543.5  56   23.2            -   539.2     0.12       4.94  2026-07-04T01:51:33+02:00  pod-1  -
  lr=0.3/seed=2   FAILED   41m24s   77.4     96  ▁▇▇▇▇▇▇▇▇█    8.9   59.6/80!  531.4  57   22.9            -   366.3     1.38!      3.43  2026-07-04T02:51:46+02:00  pod-2  out of memory
  lr=0.3/seed=3   ok       59m52s   40.3     93  ▂▄▄▄▄▄▄▄▄▄   53.1!  41.3/80   343.6  55   23.2            -   341.8     1.06!      4.95  2026-07-04T03:34:04+02:00  pod-3  GPU 1 unused
  lr=0.3/seed=4   no-data  59m50s      -      -  ··········      -         -       -   -   23.2            -       -        -          -  2026-07-04T04:34:44+02:00  pod-4  no GPU log
  total           -        11h12m   75.2      -  -            12.2   59.6          -  57   23.0            -  5293.6     3.74      50.72  -                          -      2 ended early

  Where 3.74 of 20.37 GPU-hours went (18.4 %, 9.31 EUR of 50.72 EUR)
  CAUSE   GPU-h      COST  WHERE          WHAT HAPPENED
  failed   1.38  3.43 EUR  lr=0.3/seed=2  out of memory at 59.6 of 79.6 GiB
  start    1.12  2.80 EUR  10 runs        idle before the first work, 3m33s on average: load and compile before a GPU is held, or keep what was compiled
  unused   0.99  2.48 EUR  lr=0.3/seed=3  GPU 1 never above 0 %, no memory in use
  stall    0.17  0.43 EUR  lr=0.1/seed=3  both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy
  end      0.07  0.18 EUR  2 runs         idle after the last work, 1m05s on average
  VRAM: JAX's own peak in 11 runs (device: up to 59.8 GiB, reserved)
  warnings: 2 last lines cut off and skipped, 1 row not assigned to a GPU
  quality: 1 of 12 runs is incomplete: no-data in 1
  12 runs, 20.37 GPU-h, 50.72 EUR, 5.29 kWh, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data
  $ smilog summarize -q --price-gpu-hour 2.49 --currency € --columns run,cost --where 'cost > 4.97' $sweep
  run                cost
  lr=0.1/seed=2  4.982493
  lr=0.1/seed=3  4.996305
  $ smilog summarize -q --price-gpu-hour 2.49 --currency EUR --format md $sweep | sed -n '/Wasted/{p;q}'
  | Run | State | Time | GPU % | Idle % | Wasted h | Wasted EUR | Note |
  $ d=$(mktemp -d) || exit
  $ echo '{"price-gpu-hour": 2.49, "currency": "CHF"}' >"$d/settings.json"
  $ export SMILOG_CONFIG=$d/settings.json
  $ smilog list settings | grep '^currency' | sed 's| /.*| FILE|'
  currency        CHF                    FILE
  $ smilog report -q $sweep -o "$d/page.html"
  $ grep -o '"h":"Wasted CHF"' "$d/page.html"; grep -o '<dt>Wasted CHF' "$d/page.html"; grep -c '[$][0-9]' "$d/page.html"
  "h":"Wasted CHF"
  <dt>Wasted CHF
  0
  [1]
  $ smilog report -q $sweep -o "$d/book.xlsx"
  $ python3 -SE -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("xl/styles.xml").decode())' "$d/book.xlsx" | grep -o 'formatCode="[^"]*CHF[^"]*"'
  formatCode="#,##0.00 &quot;CHF&quot;"
  $ smilog summarize -q --currency 'E R' $sweep 2>&1 | head -1
  smilog: --currency needs a word such as EUR: not "E R"
  $ rm -r "$d"

merge has them
# What is merged costs the same.
  $ dir=$(mktemp -d)
  $ prices=(--price-gpu-hour 2.49 --price-kwh 0.3 --gco2-kwh 350 --json -q)
  $ smilog summarize "${prices[@]}" ../../../fixtures/sweep >"$dir/whole"
  $ smilog summarize -q --partial -o "$dir/a" ../../../fixtures/sweep
  $ smilog merge "${prices[@]}" "$dir/a" >"$dir/merged"
  $ for f in whole merged; do
  >     python3 -SE -c 'import json, sys
  > for r in json.load(open(sys.argv[1]))["runs"]: print(r["run"], r["cost"], r["wasted_cost"], r["co2_g"], [f["cost"] for f in r["findings"]])' "$dir/$f" >"$dir/$f.costs"
  > done
  $ cmp "$dir/whole.costs" "$dir/merged.costs" && wc -l <"$dir/merged.costs"
  12

models that no gpu has
# A model that no GPU has in its name is told, with those that there are; so are GPUs without a price. A price for all
# others says nothing of these.
  $ dir=$(mktemp -d)
  $ for name in "NVIDIA A10" "NVIDIA H100 80GB HBM3" ""; do
  >     mkdir "$dir/${name##* }_"
  >     { echo "timestamp, index, name, utilization.gpu [%]"
  >       echo "2026/01/01 00:00:00.001, 0, $name, 50 %"
  >       echo "2026/01/01 01:00:00.001, 0, $name, 50 %"; } >"$dir/${name##* }_/hw.csv"
  > done
  $ for price in 2 H100=2 B200=1 H200=1,h100=2 2,B200=1 B200=1,L4=2; do
  >     echo "$price"
  >     smilog summarize --tz UTC --price-gpu-hour "$price" "$dir" 2>&1 >/dev/null
  > done
  2
  H100=2
  smilog: warning: without a price: NVIDIA A10, GPUs that no log names; a number beside the models is for all others
  B200=1
  smilog: warning: --price-gpu-hour B200: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  H200=1,h100=2
  smilog: warning: --price-gpu-hour H200: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  smilog: warning: without a price: NVIDIA A10, GPUs that no log names; a number beside the models is for all others
  2,B200=1
  smilog: warning: --price-gpu-hour B200: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  B200=1,L4=2
  smilog: warning: --price-gpu-hour B200: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  smilog: warning: --price-gpu-hour L4: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  $ echo "jsonl, check, no name, quiet"
  jsonl, check, no name, quiet
  $ smilog summarize --tz UTC --price-gpu-hour L4=1 --format jsonl "$dir" 2>&1 >/dev/null
  smilog: warning: --price-gpu-hour L4: no GPU has that in its name; there are NVIDIA A10, NVIDIA H100 80GB HBM3, GPUs that no log names
  $ smilog check --tz UTC --price-gpu-hour L4=1 --fail-if 'cost > 1' "$dir/A10_" 2>&1 >/dev/null
  smilog: warning: --price-gpu-hour L4: no GPU has that in its name; there are NVIDIA A10
  [5]
  $ smilog summarize --tz UTC --price-gpu-hour L4=1 "$dir/_" 2>&1 >/dev/null
  smilog: warning: --price-gpu-hour L4: no log names its GPUs; a number alone, as --price-gpu-hour 2, is for all of them
  $ smilog summarize -q --tz UTC --price-gpu-hour L4=1 "$dir" 2>&1 >/dev/null

none is built in
# Without a price there is no money anywhere; with that of energy alone there is none of the waste.
  $ smilog summarize -q -v ../../../fixtures/sweep | grep -c -e '[$]' -e CO2
  0
  [1]
  $ smilog summarize -q ../../../fixtures/sweep --format csv | head -n 1 | grep -c -e cost -e co2
  0
  [1]
  $ smilog summarize -q ../../../fixtures/sweep --json | grep -o '"cost": [^,]*' | sort | uniq -c | sed 's/^ *//'
  12 "cost": null
  $ smilog summarize -q ../../../fixtures/sweep --price-kwh 0.3 | sed -n '/^Where/,$p'
  Where 3.74 of 20.37 GPU-hours went (18.4 %)
  CAUSE   GPU-h  WHERE          WHAT HAPPENED
  failed   1.38  lr=0.3/seed=2  out of memory at 59.6 of 79.6 GiB
  start    1.12  10 runs        idle before the first work, 3m33s on average: load and compile before a GPU is held, or keep what was compiled
  unused   0.99  lr=0.3/seed=3  GPU 1 never above 0 %, no memory in use
  stall    0.17  lr=0.1/seed=3  both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy
  end      0.07  2 runs         idle after the last work, 1m05s on average
  VRAM: JAX's own peak in 11 runs (device: up to 59.8 GiB, reserved)
  warnings: 2 last lines cut off and skipped, 1 row not assigned to a GPU
  quality: 1 of 12 runs is incomplete: no-data in 1
  12 runs, 20.37 GPU-h, $1.59, 5.29 kWh, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data
  $ smilog summarize -q ../../../fixtures/sweep --gco2-kwh 350 | tail -n 1
  12 runs, 20.37 GPU-h, 5.29 kWh, 1.85 kg CO2, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data

same everywhere
# The cost of runs, their waste and findings, in every form.
  $ see() { smilog summarize -q ../../../fixtures/sweep --price-gpu-hour 2.49 --price-kwh 0.3 --gco2-kwh 350 "$@"; }
  $ see --json | python3 -SE ../check.py 2.49 0.3 350
  12 runs, 13 findings, total 52.312706 9.314524 1852.773228
  $ see | sed -n '/^RUN/p; /^lr=0.3.seed=2/p; /^total/p; /^Where/,$p'
  RUN             STATE      TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB      W  °C  CPU %  THROTTLED %      Wh  WASTED h  COST $  START                      HOST   NOTE
  lr=0.3/seed=2   FAILED   41m24s   77.4     96  ▁▇▇▇▇▇▇▇▇█    8.9   59.6/80!  531.4  57   22.9            -   366.3     1.38!    3.54  2026-07-04T02:51:46+02:00  pod-2  out of memory
  total           -        11h12m   75.2      -  -            12.2   59.6          -  57   23.0            -  5293.6     3.74    52.31  -                          -      2 ended early
  Where 3.74 of 20.37 GPU-hours went (18.4 %, $9.31 of $52.31)
  CAUSE   GPU-h   COST  WHERE          WHAT HAPPENED
  failed   1.38  $3.43  lr=0.3/seed=2  out of memory at 59.6 of 79.6 GiB
  start    1.12  $2.80  10 runs        idle before the first work, 3m33s on average: load and compile before a GPU is held, or keep what was compiled
  unused   0.99  $2.48  lr=0.3/seed=3  GPU 1 never above 0 %, no memory in use
  stall    0.17  $0.43  lr=0.1/seed=3  both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy
  end      0.07  $0.18  2 runs         idle after the last work, 1m05s on average
  VRAM: JAX's own peak in 11 runs (device: up to 59.8 GiB, reserved)
  warnings: 2 last lines cut off and skipped, 1 row not assigned to a GPU
  quality: 1 of 12 runs is incomplete: no-data in 1
  12 runs, 20.37 GPU-h, $52.31, 5.29 kWh, 1.85 kg CO2, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data
  $ see -v | grep -A 2 '^FINDINGS' | head -n 3
  FINDINGS  LEVEL  GPU-h   COST  WHAT, AND WHAT TO DO
  start     info    0.12  $0.29  idle 3m30s before the first work, 2m11s of it in phase compile: load and compile before a GPU is held, or keep what was compiled

  $ see --format csv --columns run,cost,wasted_cost,co2_g | sed -n '1,2p; $p'
  run,cost,wasted_cost,co2_g
  lr=0.03/seed=1,5.003703,0.290656,186.177022
  lr=0.3/seed=4,,,
  $ see --format md | sed -n 6p
  **12 runs, 20.37 GPU-h, $52.31, 5.29 kWh, 1.85 kg CO2, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data**
  $ see --format csv --sql 'select sum(cost) cost, sum(wasted_cost) wasted, sum(co2_g) co2 from runs'
  cost,wasted,co2
  52.312707,9.314523,1852.773228
  $ see --format csv --sql 'select rule, sum(gpu_hours) h, sum(cost) cost from findings group by rule order by h desc'
  rule,h,cost
  out-of-memory,1.378471,3.432393
  start,1.122787,2.795741
  unused,0.99495,2.477425
  stall,0.172305,0.429039
  $ see --format jsonl | head -n 1 | grep -o '"cost": [0-9.]*, "wasted_cost": {[^}]*}, "co2_g": [0-9.]*'
  "cost": 5.003703, "wasted_cost": {"failed": 0.0, "unused": 0.0, "start": 0.290656, "stall": 0.0, "end": 0.0, "total": 0.290656}, "co2_g": 186.177022

sums say of how many
# A sum of money, energy or CO2 says of how many runs it is not known: one has no price (no name, another model), one no
# power; in every form. Cost and waste of it are one of the other only where they are of the same runs.
  $ dir=$(mktemp -d)
  $ log() { # NAME POWER USE
  >     mkdir "$dir/$4"
  >     { echo "timestamp, index, name, utilization.gpu [%]${2:+, power.draw [W]}"
  >       for m in 00 10 20 30 40 50; do echo "2026/01/01 00:$m:00.001, 0, $1, $3 %${2:+, $2 W}"; done
  >       echo "2026/01/01 01:00:00.001, 0, $1, $3 %${2:+, $2 W}"; } >"$dir/$4/hw.csv"
  > }
  $ log "NVIDIA H100 80GB HBM3" 300 50 all
  $ log "NVIDIA H100 80GB HBM3" "" 0 powerless
  $ log "" 200 50 nameless
  $ log "NVIDIA A10" 100 50 other
  $ mkdir "$dir/none" && echo '{"ts": "2026-01-01T00:00:00Z", "type": "event", "event": "start", "data": {"lr": 1}}' >"$dir/none/run.jsonl"
  $ see() { smilog summarize -q --tz UTC "$@" "$dir"; }
  $ for prices in "--price-gpu-hour 2" "--price-gpu-hour H100=2" "--price-kwh 1" "--gco2-kwh 350" \
  >               "--price-gpu-hour H100=2 --price-kwh 1 --gco2-kwh 350"; do
  >     echo "$prices"
  >     see $prices | grep -e ^Where -e "5 runs, "
  >     see $prices --format md | sed -n 6p
  >     see $prices --json | tail -n 1 | grep -o '"of_runs": {[^}]*}'
  >     smilog report -q --tz UTC $prices -o "$dir/x.html" "$dir"
  >     sed -n 's/<div class="figure"><b>\([^<]*\)<.b><span>\([^<]*\)<.span><i>\([^<]*\).*/\2 \1: \3/p' "$dir/x.html" |
  >         grep -e ^cost -e ^energy
  >     rm "$dir/x.html"
  > done
  --price-gpu-hour 2
  Where 1.00 of 4.00 GPU-hours went (25.0 %, $2.00 of $8.00)
  5 runs, 4.00 GPU-h, $8.00, 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data
  **5 runs, 4.00 GPU-h, $8.00, 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data**
  "of_runs": {"duration_s": 5, "gpu_hours": 4, "energy_wh": 3, "energy_wh_part": 0, "wasted_h": 4, "cost": 4, "wasted_cost": 4}
  energy 600.0 Wh: not known: 1 run
  cost $8.00: $2.00 wasted
  --price-gpu-hour H100=2
  Where 1.00 of 4.00 GPU-hours went (25.0 %, $2.00 of $4.00, not known: 2 runs)
  5 runs, 4.00 GPU-h, $4.00 (not known: 2 runs), 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data
  **5 runs, 4.00 GPU-h, $4.00 (not known: 2 runs), 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data**
  "of_runs": {"duration_s": 5, "gpu_hours": 4, "energy_wh": 3, "energy_wh_part": 0, "wasted_h": 4, "cost": 2, "wasted_cost": 2}
  energy 600.0 Wh: not known: 1 run
  cost $4.00: $2.00 wasted; not known: 2 runs
  --price-kwh 1
  Where 1.00 of 4.00 GPU-hours went (25.0 %)
  5 runs, 4.00 GPU-h, $0.60 (not known: 1 run), 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data
  **5 runs, 4.00 GPU-h, $0.60 (not known: 1 run), 600.0 Wh (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data**
  "of_runs": {"duration_s": 5, "gpu_hours": 4, "energy_wh": 3, "energy_wh_part": 0, "wasted_h": 4, "cost": 3, "wasted_cost": 0}
  energy 600.0 Wh: not known: 1 run
  cost $0.60: not known: 1 run
  --gco2-kwh 350
  Where 1.00 of 4.00 GPU-hours went (25.0 %)
  5 runs, 4.00 GPU-h, 600.0 Wh (not known: 1 run), 210.0 g CO2 (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data
  **5 runs, 4.00 GPU-h, 600.0 Wh (not known: 1 run), 210.0 g CO2 (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data**
  "of_runs": {"duration_s": 5, "gpu_hours": 4, "energy_wh": 3, "energy_wh_part": 0, "wasted_h": 4, "co2_g": 3}
  energy 600.0 Wh: 210.0 g CO2; not known: 1 run
  --price-gpu-hour H100=2 --price-kwh 1 --gco2-kwh 350
  Where 1.00 of 4.00 GPU-hours went (25.0 %, $2.00 wasted, not known: 2 runs)
  5 runs, 4.00 GPU-h, $2.30 (not known: 3 runs), 600.0 Wh (not known: 1 run), 210.0 g CO2 (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data
  **5 runs, 4.00 GPU-h, $2.30 (not known: 3 runs), 600.0 Wh (not known: 1 run), 210.0 g CO2 (not known: 1 run), GPU 37.5 %, 1.00 GPU-h wasted (25.0 %), 1 no GPU data**
  "of_runs": {"duration_s": 5, "gpu_hours": 4, "energy_wh": 3, "energy_wh_part": 0, "wasted_h": 4, "cost": 1, "wasted_cost": 2, "co2_g": 3}
  energy 600.0 Wh: 210.0 g CO2; not known: 1 run
  cost $2.30: $2.00 wasted; not known: 3 runs

that are wrong
# Each is an error that says what is wanted.
  $ for price in '' -1 x 1e3 nan 1000001 H100 H100=x =3 1,2 'H100=1,h100=2' 'A=1,,B=2' 'A=1,'; do
  >     smilog summarize --price-gpu-hour "$price" ../../../fixtures/sweep
  >     echo "$?"
  > done 2>&1 | grep -v '^try'
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not ""
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "-1"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "x"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "1e3"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "nan"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "1000001"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "H100"
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not "x"
  2
  smilog: --price-gpu-hour: no model in front of "=3"; H100=2.49,A100=1.19 is one
  2
  smilog: --price-gpu-hour: two prices for all GPUs
  2
  smilog: --price-gpu-hour: two prices for h100
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not ""
  2
  smilog: --price-gpu-hour needs a number from 0 to 1000000, not ""
  2
  $ for price in '' -1 x H100=1; do
  >     smilog summarize --price-kwh "$price" ../../../fixtures/sweep
  >     smilog summarize --gco2-kwh "$price" ../../../fixtures/sweep
  > done 2>&1 | grep -v '^try'
  smilog: --price-kwh needs a number from 0 to 1000000, not ""
  smilog: --gco2-kwh needs a number from 0 to 1000000, not ""
  smilog: --price-kwh needs a number from 0 to 1000000, not "-1"
  smilog: --gco2-kwh needs a number from 0 to 1000000, not "-1"
  smilog: --price-kwh needs a number from 0 to 1000000, not "x"
  smilog: --gco2-kwh needs a number from 0 to 1000000, not "x"
  smilog: --price-kwh needs a number from 0 to 1000000, not "H100=1"
  smilog: --gco2-kwh needs a number from 0 to 1000000, not "H100=1"
  $ smilog summarize --price-gpu-hour "$(seq -s, -f 'M%g=1' 65)" ../../../fixtures/sweep 2>&1 | head -n 1
  smilog: --price-gpu-hour: more than 64 prices
  $ smilog summarize --partial --price-kwh 1 -o /dev/null ../../../fixtures/sweep 2>&1 | head -n 1
  smilog: a partial summary has no prices: give them to smilog merge
