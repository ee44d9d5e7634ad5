a job is named
# --param names what the logs do not know, of logs alone: in questions, too; and it wins over what a path says.
  $ cd ../../../fixtures/sweep
  $ smilog summarize -q --columns run,param.user,param.job,param.lr --param 'user=ada, job=0123' --param lr=x --where "user = 'ada'" --format csv lr=0.1 | head -n 2
  run,param.user,param.job,param.lr
  seed=1,ada,0123,x
  $ for p in ada =ada user; do smilog summarize -q --param "$p" . ; echo "status $?"; done
  status 2
  status 2
  status 2
  2> smilog: --param needs NAME=VALUE of at most 255 bytes, not "ada"
  2> try: smilog help summarize
  2> smilog: --param needs NAME=VALUE of at most 255 bytes, not "=ada"
  2> try: smilog help summarize
  2> smilog: --param needs NAME=VALUE of at most 255 bytes, not "user"
  2> try: smilog help summarize
  $ smilog summarize -q --partial lr=0.1/seed=1 | smilog summarize --param user=ada - ; echo "status $?"
  status 2
  2> smilog: - holds partial summaries; give these options when you make them: --param user=ada

a row a run
# A row says where the time of each GPU went. All but the first GPU of lr=0.3/seed=3
# worked; seed=2 failed; seed=4 has no data. A row of two GPUs is short.
  $ smilog summarize -q --format ledger --param user=ada,account=astro,partition= --param job=12 ../../../fixtures/sweep/lr=0.3 | tee rows
  {"schema": "smilog-ledger/1", "job": "12", "user": "ada", "account": "astro", "node": "pod-1", "state": "ok", "start": "2026-07-03T23:51:33.745Z", "end": "2026-07-04T00:51:08.745Z", "gpus": [{"uuid": null, "ms": [3571819, 0, 0, 210105, 0], "joules": 970708, "idle": [130064, 80041]}, {"uuid": null, "ms": [3571816, 0, 0, 210103, 0], "joules": 970512, "idle": [130065, 80038]}]}
  {"schema": "smilog-ledger/1", "job": "12", "user": "ada", "account": "astro", "node": "pod-2", "state": "failed", "start": "2026-07-04T00:51:46.830Z", "end": "2026-07-04T01:33:10.830Z", "gpus": [{"uuid": null, "ms": [2481248, 2481248, 0, 0, 0], "joules": 658954, "idle": [130067, 90043]}, {"uuid": null, "ms": [2481248, 2481248, 0, 0, 0], "joules": 659665, "idle": [130066, 90042]}]}
  {"schema": "smilog-ledger/1", "job": "12", "user": "ada", "account": "astro", "node": "pod-3", "state": "ok", "start": "2026-07-04T01:34:04.565Z", "end": "2026-07-04T02:33:56.565Z", "model": "NVIDIA H100 80GB HBM3", "gpus": [{"uuid": "GPU-7c1e5d00-3b52-9f64-a81d-5e0c94f2d6b0", "ms": [3581819, 0, 0, 220112, 0], "joules": 973014, "idle": [130066, 90046]}, {"uuid": "GPU-7c1e5d01-3b52-9f64-a81d-5e0c94f2d6b1", "ms": [3581819, 0, 3581819, 0, 0], "joules": 257597, "idle": [0, 3581819]}]}
  {"schema": "smilog-ledger/1", "job": "12", "user": "ada", "account": "astro", "node": "pod-4", "state": "no-data", "start": "2026-07-04T02:34:44.058Z", "end": "2026-07-04T03:34:34.058Z", "incomplete": "no-data", "gpus": []}
  $ awk 'length > 600' rows
  $ rm rows
# Full load is a utilisation of 90 % or more in more than three quarters of the readings, of ten at least: the medians of clock and power.
  $ log() { # the first of so many rows has full load; readings in all
  >     echo 'timestamp, index, utilization.gpu [%], power.draw [W], clocks.current.graphics [MHz]'
  >     for i in $(seq 0 $(($2 - 1))); do
  >         printf '2026/03/02 10:00:%02d.000, 0, %d %%, %d.00 W, %d MHz\n' "$i" $((i < $1 ? 90 : 89)) $((300 + i)) $((1300 + i * i))
  >     done
  > }
  $ for n in '10 12' '9 12' '9 9'; do log $n | smilog summarize -q --format ledger --host n1 - | sed 's/.*"joules"/"joules"/'; done
  "joules": 3360, "load": [11000, 1330, 306]}]}
  "joules": 3360}]}
  "joules": 2432}]}

a slow card
# Jobs of eight GPUs: the sixth clocks 5 % low in each, and is named. Jobs of one GPU, with another clock by the work: the
# fifth is 5 % low in the mean of many; the seventh, too, but in one job alone. A GPU without load, and one of another model.
  $ rows() { # gpus of a job, jobs
  >     awk -v size="$1" -v jobs="$2" 'BEGIN {
  >         for (j = 0; j < jobs; j++) {
  >             work = 1 + (j * 7 % 11 - 5) / 100
  >             for (g = 0; g < 8; g++) {
  >                 low = (size == 8 && g == 5) || (size == 1 && g == 4) || (size == 1 && g == 6 && j == 3) ? 0.95 : 1
  >                 gpu = sprintf("{\"uuid\":\"GPU-%d\",\"ms\":[3600000,0,0,0,0],\"load\":[1800000,%d,600]}",
  >                     g, 1850 * work * low)
  >                 list = size == 1 || g == 0 ? gpu : list "," gpu
  >                 if (size == 1 || g == 7)
  >                     printf "{\"schema\":\"smilog-ledger/1\",\"job\":\"%d.%d\",\"node\":\"n1\",\"model\":\"X\",\"gpus\":[%s]}\n",
  >                         j, size == 1 ? g : 0, list
  >             }
  >         }
  >         gpu = "{\"uuid\":\"GPU-9\",\"ms\":[60000,0,0,0,0]},{\"uuid\":\"GPU-old\",\"model\":\"Y\",\"ms\":[3600000,0,0,0,0],\"load\":[3600000,900,200]}"
  >         printf "{\"schema\":\"smilog-ledger/1\",\"job\":\"x\",\"node\":\"n2\",\"model\":\"X\",\"gpus\":[%s]}\n", gpu
  >     }'
  > }
  $ for size in 8 1; do
  >     rows $size 40 | smilog merge - --group-by gpu_uuid --columns gpu_uuid,node,note,clock_pct,power_pct,clock_mhz,power_w,jobs,gpu_name --sort -clock_pct
  >     echo
  > done
  gpu_uuid  node  note   clock_pct  power_pct  clock_mhz  power_w  jobs  gpu_name
  GPU-0     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-1     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-2     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-3     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-4     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-6     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-7     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-5     n1    slow   94.986865      100.0   1757.875    600.0    40  X
  GPU-9     n2    -              -          -          -        -     1  X
  GPU-old   n2    -              -          -    900.0      200.0     1  Y

  gpu_uuid  node  note   clock_pct  power_pct  clock_mhz  power_w  jobs  gpu_name
  GPU-0     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-1     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-2     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-3     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-5     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-7     n1    -     100.0           100.0   1850.65     600.0    40  X
  GPU-6     n1    -      99.868965      100.0   1848.225    600.0    40  X
  GPU-4     n1    slow   94.986896      100.0   1757.875    600.0    40  X
  GPU-9     n2    -              -          -          -        -     1  X
  GPU-old   n2    -              -          -    900.0      200.0     1  Y

# Rows of earlier versions have load in three classes, of which the last one is full load.
  $ old() { sed -E 's/"load": \[/&9,9,9,0,0,0,/g'; }
  $ rows 8 40 | old | smilog merge - --group-by gpu_uuid | cmp - <(rows 8 40 | smilog merge - --group-by gpu_uuid) && echo the same
  the same
  $ echo "nine jobs are too few:"
  nine jobs are too few:
  $ rows 8 9 | smilog merge - --group-by gpu_uuid --columns gpu_uuid,note,clock_pct --format csv | grep GPU-5
  GPU-5,,94.9853

another program adds up
# Drawn jobs, added up by Python; a slow card among 64; logs with known times. make ledger-check has 100,000 jobs.
  $ SMILOG=$(command -v smilog) python3 -B ../../../../tests/oracle/ledger_check.py --jobs 2000 --seeds 1 --logs 6 |
  >     sed -E 's/^seed .*/drawn/; s/[0-9.]+ s, [0-9]+ MiB/little time and memory/; s/has [0-9]+ bytes/is short/'
  drawn
  6 logs: their rows add up to what was drawn
  2000 jobs by user: 60 groups, every sum right, little time and memory
  2000 jobs by account,user: 60 groups, every sum right, little time and memory
  2000 jobs by month,partition: 24 groups, every sum right, little time and memory
  2000 jobs by gpu_uuid: 64 groups, every sum right, little time and memory
  the longest row is short
  1 seeds: one card 5 % slow among 64 found, without it none

held gpus without readings
# Parameters say which GPUs a job held, and when. The time without readings is unknown: of a GPU whose readings end early, of
# GPUs that were never read, of a job without any log. A failed job keeps what was read as failed. Without a valid time, or
# if the readings are longer, the row is that of the readings.
  $ row() { smilog summarize -q --format ledger --param "job=$1,user=ada,account=astro,$2" "../../../fixtures/sweep/lr=0.3/seed=$3"; }
  $ times() { sed -E 's/"(joules|load)": [^]]*\]?,?//g; s/, *\}/}/g'; }
  $ {
  >     row 1 held_gpus=4,held_start=1783122700,held_end=1783126301.5 1
  >     row 2 held_gpus=2,held_start=1783122700,held_end=1783126300 2
  >     row 4 held_gpus=8,held_start=1783122700,held_end=1783126300 4
  > } | tee rows | times
  {"schema": "smilog-ledger/1", "job": "1", "user": "ada", "account": "astro", "node": "pod-1", "state": "ok", "start": "2026-07-03T23:51:40.000Z", "end": "2026-07-04T00:51:41.500Z", "gpus": [{"uuid": null, "ms": [3601500, 0, 0, 210105, 29681]}, {"uuid": null, "ms": [3601500, 0, 0, 210103, 29684]}, {"uuid": null, "ms": [3601500, 0, 0, 0, 3601500]}, {"uuid": null, "ms": [3601500, 0, 0, 0, 3601500]}]}
  {"schema": "smilog-ledger/1", "job": "2", "user": "ada", "account": "astro", "node": "pod-2", "state": "failed", "start": "2026-07-03T23:51:40.000Z", "end": "2026-07-04T00:51:40.000Z", "gpus": [{"uuid": null, "ms": [3600000, 2481248, 0, 0, 1118752]}, {"uuid": null, "ms": [3600000, 2481248, 0, 0, 1118752]}]}
  {"schema": "smilog-ledger/1", "job": "4", "user": "ada", "account": "astro", "node": "pod-4", "state": "no-data", "start": "2026-07-03T23:51:40.000Z", "end": "2026-07-04T00:51:40.000Z", "incomplete": "no-data", "gpus": [{"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}, {"uuid": null, "ms": [3600000, 0, 0, 0, 3600000]}]}
  $ smilog merge rows --group-by job
  job  jobs  gpu_hours    used_h    idle_h  failed_h  held_idle_h   used_pct  unknown_h  memory_held_h  memory_free_h  incomplete  energy_kwh
  1       1   4.001667  1.867619  0.116724  0.0               0.0  46.671019   2.017324       0.072258       0.044466           0    0.539228
  2       1   2.0       0.0       0.0       1.378471          0.0   0.0        0.621529       0.072259       0.050024           0    0.366283
  4       1   8.0       0.0       0.0       0.0               0.0   0.0        8.0                   -              -           1    0.0
  $ smilog merge rows --group-by job --format csv --columns job,gpu_hours,failed_h,unknown_h
  job,gpu_hours,failed_h,unknown_h
  1,4.001667,0.0,2.017324
  2,2.0,1.378471,0.621529
  4,8.0,0.0,8.0
  $ rm rows
  $ row 5 held_gpus=1,held_start=1783122700,held_end=1783122701 1 | times
  {"schema": "smilog-ledger/1", "job": "5", "user": "ada", "account": "astro", "node": "pod-1", "state": "ok", "start": "2026-07-03T23:51:40.000Z", "end": "2026-07-03T23:51:41.000Z", "gpus": [{"uuid": null, "ms": [3571819, 0, 0, 210105, 0]}, {"uuid": null, "ms": [3571816, 0, 0, 210103, 0]}]}
  $ row 6 held_gpus=3,held_start=1783122700 1 | times
  {"schema": "smilog-ledger/1", "job": "6", "user": "ada", "account": "astro", "node": "pod-1", "state": "ok", "start": "2026-07-03T23:51:33.745Z", "end": "2026-07-04T00:51:08.745Z", "gpus": [{"uuid": null, "ms": [3571819, 0, 0, 210105, 0]}, {"uuid": null, "ms": [3571816, 0, 0, 210103, 0]}]}
  $ row 7 held_gpus=3,held_start=1783122700,held_end=1783122600 4 | times
  {"schema": "smilog-ledger/1", "job": "7", "user": "ada", "account": "astro", "node": "pod-4", "state": "no-data", "start": "2026-07-04T02:34:44.058Z", "end": "2026-07-04T03:34:34.058Z", "incomplete": "no-data", "gpus": []}
  $ row 8 held_gpus=3,held_start=1783122700,held_end=soon 4 | times
  {"schema": "smilog-ledger/1", "job": "8", "user": "ada", "account": "astro", "node": "pod-4", "state": "no-data", "start": "2026-07-04T02:34:44.058Z", "end": "2026-07-04T03:34:34.058Z", "incomplete": "no-data", "gpus": []}

what jobs cost
# A price by model and one of energy. Time that two jobs have counts once; a GPU without a price has no cost, and its group neither.
  $ row() { # job, user, GPU, model, begin, end
  >     echo "{\"schema\":\"smilog-ledger/1\",\"job\":\"$1\",\"user\":\"$2\",\"node\":\"n1\",\"start\":\"2026-07-03T$5:00:00Z\",\"end\":\"2026-07-03T$6:00:00Z\",\"model\":\"$4\",\"gpus\":[{\"uuid\":\"$3\",\"ms\":[7200000,0,0,0,0],\"joules\":7200000}]}"
  > }
  $ d=$(mktemp -d)
  $ { row 1 ada GPU-1 'NVIDIA H100' 10 12; row 2 ada GPU-1 'NVIDIA H100' 11 13; row 3 bob GPU-2 'NVIDIA A100' 10 12; row 4 eve GPU-3 V100 10 12; } >$d/rows
  $ smilog merge $d/rows --group-by user --columns user,gpu_hours,energy_kwh,cost --price-gpu-hour H100=2.50,A100=1.2
  user  gpu_hours  energy_kwh  cost
  ada         3.0         3.0   7.5
  bob         2.0         2.0   2.4
  eve         2.0         2.0     -
  2> smilog: warning: 1.00 GPU-h are in several jobs: they hold the same GPU at the same time, which sums count once
  $ smilog merge $d/rows --group-by user --columns user,cost --sort -cost --price-gpu-hour H100=2.50,A100=1.2,0.5 --price-kwh 0.3 --format csv
  user,cost
  ada,8.4
  bob,3.0
  eve,1.6
  2> smilog: warning: 1.00 GPU-h are in several jobs: they hold the same GPU at the same time, which sums count once
  $ smilog merge $d/rows --group-by user --columns user,cost --price-kwh 0.3 --format csv
  user,cost
  ada,0.9
  bob,0.6
  eve,0.6
  2> smilog: warning: 1.00 GPU-h are in several jobs: they hold the same GPU at the same time, which sums count once
  $ smilog merge $d/rows --price-gpu-hour 1 --format csv | head -n 2
  user,account,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh,cost
  ada,,2,3.0,3.0,0.0,0.0,0.0,100.0,0.0,,,0,3.0,3.0
  2> smilog: warning: 1.00 GPU-h are in several jobs: they hold the same GPU at the same time, which sums count once
  $ smilog merge $d/rows --columns user,cost; echo "status $?"
  status 2
  2> smilog: --columns: cost needs --price-gpu-hour or --price-kwh
  $ rm -r $d

lines that are no rows
# A row that was cut by a crash, and the one behind it that it swallowed, cost no other; they are said, and doubtful.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ cd "$d" || exit
  $ row() { echo "{\"schema\":\"smilog-ledger/1\",\"job\":\"$1\",\"user\":\"ada\",\"node\":\"n1\",\"start\":\"2026-07-03\",\"gpus\":[{\"uuid\":\"GPU-a\",$2}]}"; }
  $ good() { row "$1" '"ms":[3600000,0,0,0,0]'; }
  $ (good 1 && good 2 | head -c 60 && good 3 && echo && echo no row && good 4 && good 5 | head -c 70) >ledger
  $ smilog merge ledger --columns user,jobs,gpu_hours
  user  jobs  gpu_hours
  ada      2        2.0
  2> smilog: warning: ledger: 3 of 6 lines are no rows of a ledger, and not counted: the first is line 2
  $ echo "status $?"
  status 0
  $ smilog merge -q --strict ledger --format csv --columns gpu_hours
  gpu_hours
  2.0
  [1]
  $ echo "status $?"
  status 1
# Parts that are longer than the whole, numbers that are none, too many, too large.
  $ for ms in '"ms":[10,5,0,0,6]' '"ms":[10,0,0,-1,0]' '"ms":[10,0,0,0]' '"ms":[1e3,0,0,0,0]' '"ms":[1099511627777,0,0,0,0]' \
  >     '"ms":[9,0,0,0,0],"joules":"1"' '"ms":[9,0,0,0,0],"load":[9,1]' '"ms":[9,0,0,0,0],"load":[9,1048577,1]'; do
  >     row 1 "$ms" >odd
  >     smilog merge odd 2>&1
  > done
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  smilog: warning: odd: 1 of 1 line is no row of a ledger, and not counted: the first is line 1
  smilog: no row of a ledger in odd
  [3]
  $ echo "status $?"
  status 3
  $ good 1 >one
  $ mkdir month
  $ (echo "lost words" && good 1) >month/n1.ledger
  $ smilog merge month --columns user,jobs,gpu_hours
  user  jobs  gpu_hours
  ada      1        1.0
  2> smilog: warning: month/n1.ledger: 1 of 2 lines are no rows of a ledger, and not counted: the first is line 1
  $ smilog summarize -q --partial --run x "$OLDPWD/../../../fixtures/sweep/lr=0.1/seed=1" -o x.partial
  $ smilog merge one x.partial
  2> smilog: 1 of 2 files are ledgers, and the others are not: merge them apart
  [3]
  $ echo "status $?"
  status 3
  $ smilog merge --partial one
  2> smilog: rows of a ledger are files that can be joined: cat does it
  [2]
  $ echo "status $?"
  status 2
  $ smilog merge --format ledger one
  2> smilog: rows of a ledger are files that can be joined: cat does it
  [2]
  $ echo "status $?"
  status 2
  $ smilog summarize one
  2> smilog: one: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "{"schema":"smilog-ledger/1","job":"1","user":"ada","node":"n1","start":"2026-07-..."
  2> smilog: no usable log in one
  [3]
  $ echo "status $?"
  status 3

rows of partials and of logs
# Halves of a log give the row of the whole, whatever the place where it was cut.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ for i in $(seq 0 99); do
  >     for g in 0 1; do
  >         echo "2026/03/02 10:0$((i / 60)):$(printf %02d $((i % 60))).0${g}0, GPU-$g, $((i % 10 ? 90 + i * 37 % 11 : 0)) %, $((100 + i * 7)).50 W, $((1500 + i)) MHz"
  >     done
  > done >"$d/rows"
  $ head='timestamp, uuid, utilization.gpu [%], power.draw [W], clocks.current.sm [MHz]'
  $ (echo "$head" && cat "$d/rows") >"$d/gpu.csv"
  $ row() { smilog "$@" -q --format ledger --host n1; }
  $ row summarize --run whole --param user=ada "$d/gpu.csv" | tee "$d/whole"
  {"schema": "smilog-ledger/1", "job": "whole", "user": "ada", "node": "n1", "state": "unknown", "start": "2026-03-02T10:00:00.000", "end": "2026-03-02T10:01:39.010", "gpus": [{"uuid": "GPU-0", "ms": [99000, 0, 0, 9000, 0], "joules": 44253, "load": [99000, 1550, 447]}, {"uuid": "GPU-1", "ms": [99000, 0, 0, 9000, 0], "joules": 44253, "load": [99000, 1550, 447]}]}
  $ for cut in 1 77 160; do
  >     mkdir "$d/a" "$d/b"
  >     (echo "$head" && head -n "$cut" "$d/rows") >"$d/a/gpu.csv"
  >     (echo "$head" && tail -n +$((cut + 1)) "$d/rows") >"$d/b/gpu.csv"
  >     for p in a b; do smilog summarize -q --partial --run whole --host n1 --param user=ada "$d/$p/gpu.csv" -o "$d/$p.partial"; done
  >     smilog merge -q --format ledger "$d/b.partial" "$d/a.partial" | cmp - "$d/whole" && echo "cut at $cut: the same"
  >     rm -r "$d/a" "$d/b"
  > done
  cut at 1: the same
  cut at 77: the same
  cut at 160: the same
  $ row summarize --run whole --param user=bob "$d/gpu.csv" | grep -o '"user": "bob"'
  "user": "bob"

rows of one job in any order
# Two runs of a job began together on one node: the one with more GPU time counts, whichever file comes first.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ row() { echo "{\"schema\":\"smilog-ledger/1\",\"job\":\"7\",\"user\":\"ada\",\"account\":\"$1\",\"node\":\"n1\",\"start\":\"2026-07-03T10:00:00Z\",\"end\":\"2026-07-03T11:00:00Z\",\"gpus\":[{\"uuid\":\"GPU-a\",\"model\":\"$3\",\"ms\":[$2,0,0,0,0]}]}"; }
  $ row x 3600000 H100 >"$d/a"; row y 600000 H200 >"$d/b"
  $ for by in user account gpu_name gpu_uuid,gpu_name; do
  >     smilog merge -q "$d/a" "$d/b" --group-by $by --columns $by,gpu_hours >"$d/ab"; smilog merge -q "$d/b" "$d/a" --group-by $by --columns $by,gpu_hours | cmp - "$d/ab" && tail -n +2 "$d/ab"
  > done
  ada         1.0
  x              1.0
  H100            1.0
  GPU-a     H100            1.0

sums by user and more
# Hours by hand: ada 2 GPUs of 1 h (one did nothing, one was idle for 6 min and 3 min unknown) and a failed job of 0.5 h on
# two nodes, which is one job; bob 2 h, all used; a job without a user or GPUs. The last row comes twice.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ row() { echo "{\"schema\":\"smilog-ledger/1\",$1,\"gpus\":[$2]}"; }
  $ row '"job":"1","user":"ada","account":"astro","partition":"gpu","node":"n1","state":"ok","start":"2026-07-03T22:11:00.000Z"' \
  >     '{"uuid":"GPU-a","ms":[3600000,0,3600000,0,0],"joules":360000},{"uuid":"GPU-b","ms":[3600000,0,0,360000,180000],"joules":1800000}' >"$d/july"
  $ for n in 1 2; do
  >     row "\"job\":\"2\",\"user\":\"ada\",\"account\":\"bio\",\"node\":\"n$n\",\"state\":\"failed\",\"start\":\"2026-08-01T00:00:00.000Z\"" \
  >         '{"uuid":"GPU-a","ms":[900000,900000,0,0,0]}'
  > done >"$d/august"
  $ row '"job":"3","user":"bob","account":"bio","node":"n2","state":"ok","start":"2026-08-01T00:00:00.000Z"' \
  >     '{"uuid":"GPU-c","ms":[7200000,0,0,0,0],"joules":5040000}' >>"$d/august"
  $ row '"job":"4","node":"n1","state":"no-data"' '' | tee -a "$d/august" >>"$d/july"
  $ smilog merge "$d/july" "$d/august"
  user  account  jobs  gpu_hours  used_h  idle_h  failed_h  held_idle_h  used_pct  unknown_h  memory_held_h  memory_free_h  incomplete  energy_kwh
  ada   astro       1        2.0    0.85     0.1       0.0          1.0      42.5       0.05              -              -           0         0.6
  ada   bio         1        0.5    0.0      0.0       0.5          0.0       0.0       0.0               -              -           0         0.0
  bob   bio         1        2.0    2.0      0.0       0.0          0.0     100.0       0.0               -              -           0         1.4
  -     -           1        0.0    0.0      0.0       0.0          0.0         -       0.0               -              -           0         0.0
  2> smilog: warning: 1 of 6 rows are of jobs that are there already, and count once
  $ for by in user account month,account day node gpu_uuid state partition job gpu_name; do
  >     echo
  >     smilog merge -q "$d" --group-by "$by" --format csv
  > done

  user,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  ada,2,2.5,0.85,0.1,0.5,1.0,34.0,0.05,,,0,0.6
  bob,1,2.0,2.0,0.0,0.0,0.0,100.0,0.0,,,0,1.4
  ,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0

  account,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  astro,1,2.0,0.85,0.1,0.0,1.0,42.5,0.05,,,0,0.6
  bio,2,2.5,2.0,0.0,0.5,0.0,80.0,0.0,,,0,1.4
  ,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0

  month,account,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  2026-07,astro,1,2.0,0.85,0.1,0.0,1.0,42.5,0.05,,,0,0.6
  2026-08,bio,2,2.5,2.0,0.0,0.5,0.0,80.0,0.0,,,0,1.4
  ,,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0

  day,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  2026-07-03,1,2.0,0.85,0.1,0.0,1.0,42.5,0.05,,,0,0.6
  2026-08-01,2,2.5,2.0,0.0,0.5,0.0,80.0,0.0,,,0,1.4
  ,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0

  node,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  n1,3,2.25,0.85,0.1,0.25,1.0,37.777778,0.05,,,0,0.6
  n2,2,2.25,2.0,0.0,0.25,0.0,88.888889,0.0,,,0,1.4

  gpu_uuid,node,note,clock_pct,power_pct,clock_mhz,power_w,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh,gpu_name
  GPU-a,,,,,,,2,1.5,0.0,0.0,0.5,1.0,0.0,0.0,,,0,0.1,
  GPU-b,n1,,,,,,1,1.0,0.85,0.1,0.0,0.0,85.0,0.05,,,0,0.5,
  GPU-c,n2,,,,,,1,2.0,2.0,0.0,0.0,0.0,100.0,0.0,,,0,1.4,

  state,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  failed,1,0.5,0.0,0.0,0.5,0.0,0.0,0.0,,,0,0.0
  no-data,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0
  ok,2,4.0,2.85,0.1,0.0,1.0,71.25,0.05,,,0,2.0

  partition,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  gpu,1,2.0,0.85,0.1,0.0,1.0,42.5,0.05,,,0,0.6
  ,3,2.5,2.0,0.0,0.5,0.0,80.0,0.0,,,0,1.4

  job,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  1,1,2.0,0.85,0.1,0.0,1.0,42.5,0.05,,,0,0.6
  2,1,0.5,0.0,0.0,0.5,0.0,0.0,0.0,,,0,0.0
  3,1,2.0,2.0,0.0,0.0,0.0,100.0,0.0,,,0,1.4
  4,1,0.0,0.0,0.0,0.0,0.0,,0.0,,,0,0.0

  gpu_name,jobs,gpu_hours,used_h,idle_h,failed_h,held_idle_h,used_pct,unknown_h,memory_held_h,memory_free_h,incomplete,energy_kwh
  ,4,4.5,2.85,0.1,0.5,1.0,63.333333,0.05,,,0,2.0
  $ echo

  $ gzip "$d/july"
  $ smilog merge -q "$d" | cmp - <(zcat "$d/july.gz" | cat - "$d/august" | smilog merge -q -) && echo the same
  the same

rows of any program
# A row is an object of JSON however a program writes it: with blanks, other members, and members in any order. A key in other
# letters is another key.
  $ d=$(mktemp -d)
  $ python3 -SE - >"$d/site.ledger" <<'PY'
  > import json
  > for sort in (False, True):
  >     print(json.dumps({"schema": "smilog-ledger/1", "job": str(sort), "user": "ädä", "gpus": [{"uuid": None, "ms": [3600000, 0, 0, 0, 0]}],
  >                       "note": float("nan")}, sort_keys=sort))
  > print(json.dumps({"SCHEMA": "smilog-ledger/1", "job": "3", "gpus": []}))
  > print(json.dumps({"schema": "SMILOG-LEDGER/1", "job": "4", "gpus": []}))
  > print(json.dumps({"schema": "smilog-ledger/10", "job": "5", "gpus": []}))
  > PY
  $ cd "$d" && smilog merge site.ledger --columns user,jobs,gpu_hours
  user  jobs  gpu_hours
  ädä      2        2.0
  2> smilog: warning: site.ledger: 3 of 5 lines are no rows of a ledger, and not counted: the first is line 3

some of the rows
# --where chooses rows by the columns that they can be grouped by; a GPU of a row by its own.
  $ d=$(mktemp -d)
  $ for m in 06 07; do for u in ada bob; do
  >     echo "{\"schema\":\"smilog-ledger/1\",\"job\":\"$m$u\",\"user\":\"$u\",\"partition\":\"p\",\"node\":\"n1\",\"state\":\"ok\",\"start\":\"2026-$m-01T00:00:00Z\",\"model\":\"X\",\"gpus\":[{\"uuid\":\"GPU-a\",\"ms\":[3600000,0,0,0,0]},{\"uuid\":\"GPU-b\",\"ms\":[7200000,0,0,0,0]}]}"
  > done; done >"$d/x.ledger"
  $ ask() { smilog merge "$d/x.ledger" --format csv --columns gpu_hours,jobs "$@" 2>&1 | tail -n +2 | paste -sd ' '; }
  $ for expr in "month = '2026-07'" "user = 'ada' and day < '2026-07'" "gpu_uuid like '%b'" "job in ('06ada', '07bob') and partition is not null" "gpu_name = 'X' -- all"; do
  >     echo "$expr: $(ask --group-by node --where "$expr")"
  > done
  month = '2026-07': 6.0,2
  user = 'ada' and day < '2026-07': 3.0,1
  gpu_uuid like '%b': 8.0,4
  job in ('06ada', '07bob') and partition is not null: 6.0,2
  gpu_name = 'X' -- all: 12.0,4
  $ ask --group-by gpu_uuid --where "user = 'bob'"
  2.0,2 4.0,2
  $ smilog merge "$d/x.ledger" --where "account = 'x'" --format csv --columns jobs
  jobs
  2> smilog: warning: no row of 4 is what was asked for: --where 'account = 'x'' leaves none
  $ for expr in usr=1 'gpu_hours > 1' '1) or (1' '1 then 2 when 3' "load_extension('x')" '1; drop table groups'; do
  >     smilog merge "$d/x.ledger" --where "$expr"
  > done
  2> smilog: --where: a ledger has no column "usr"; did you mean user?
  2> smilog: --where: a ledger has no column "gpu_hours" (a text is written 'gpu_hours'); see smilog list columns
  2> smilog: --where: near ")": syntax error
  2> smilog: --where: near "then": syntax error
  2> smilog: --where only reads: load_extension is refused
  2> smilog: --where: near ";": syntax error
  [2]

what is asked
# Columns and their order, in every form; what a ledger cannot answer is said.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog summarize -q --format ledger --param account=astro ../../../fixtures/sweep -o "$d/x.ledger"
  $ ask() { smilog merge -q "$d/x.ledger" "$@" 2>&1; status=$?; [ "$status" = 0 ] || echo "status $status"; }
  $ ask --group-by node --columns node,used_h,failed_h --sort -failed_h,node
  node     used_h  failed_h
  pod-2  3.668507  1.378471
  pod-1  5.536128  0.0
  pod-3  4.485569  0.0
  pod-4  2.940355  0.0
  $ ask --group-by node,state --columns node,jobs --sort jobs,-state --format csv
  node,jobs
  pod-4,1
  pod-4,1
  pod-2,1
  pod-4,1
  pod-2,2
  pod-1,3
  pod-3,3
  $ for f in json jsonl md; do ask --group-by account --columns account,jobs,gpu_hours --format $f; done
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["account", "jobs", "gpu_hours"], "rows": [
  {"account": "astro", "jobs": 12, "gpu_hours": 20.371331}
  ]}
  {"account": "astro", "jobs": 12, "gpu_hours": 20.371331}
  | `account` | `jobs` | `gpu_hours` |
  |---|---:|---:|
  | `astro` | 12 | 20.371331 |
  $ ask --group-by gpu_uuid --columns gpu_uuid,clock_mhz,gpu_name --sort -power_w
  gpu_uuid                                  clock_mhz  gpu_name
  GPU-7c1e5d00-3b52-9f64-a81d-5e0c94f2d6b0          -  NVIDIA\x20H100\x2080GB\x20HBM3
  GPU-7c1e5d01-3b52-9f64-a81d-5e0c94f2d6b1          -  NVIDIA\x20H100\x2080GB\x20HBM3
  -                                                 -  -
  $ ask -o "$d/x.xlsx" --group-by node && file -b "$d/x.xlsx"
  Microsoft Excel 2007+
  $ ask --group-by usr
  smilog: --group-by: a ledger has no column "usr"; did you mean user?
  status 2
  $ ask --group-by used_h
  smilog: --group-by: used_h is a figure of each group
  status 2
  $ ask --group-by user --columns node
  smilog: --columns: groups by node have node, these have not
  status 2
  $ ask --group-by user --sort -clock_pct
  smilog: --sort: groups by gpu_uuid have clock_pct, these have not
  status 2
  $ ask --group-by user,account,node,state,day --columns state,jobs --where "node = 'pod-4'"
  state    jobs
  cut         1
  no-data     1
  ok          1
  $ ask --where 'jobs > 3'
  smilog: --where: a ledger has no column "jobs"; did you mean job?
  status 2
  $ ask --since 7d
  smilog: a ledger answers --where, --group-by, --columns and --sort alone: month and day tell times apart
  status 2

jobs that hold one gpu at one time
# 10:00 to 12:00, 11:00 to 13:00 and 11:30 to 12:30 are three hours: the first job's, and one of the second. Other GPUs, and times without a zone, are others.
  $ row() { echo "{\"schema\":\"smilog-ledger/1\",\"job\":\"$1\",\"user\":\"$2\",\"start\":\"2026-07-03T$3\",\"end\":\"2026-07-03T$4\",\"gpus\":[{\"uuid\":\"$5\",\"ms\":[$6,0,0,1800000,0],\"joules\":3600000}]}"; }
  $ { row 1 ada 10:00Z 12:00Z GPU-a 7200000; row 3 eve 11:30Z 12:30Z GPU-a 3600000; row 2 bob 11:00Z 13:00Z GPU-A 7200000; row 4 ada 10:00Z 12:00Z GPU-b 7200000; row 5 ada 10:00 12:00 GPU-a 7200000; } >rows
  $ sed 's/T\(..:..\)/T\1:00/g' -i rows
  $ smilog merge rows --group-by user --columns user,jobs,gpu_hours,used_h,idle_h,energy_kwh
  user  jobs  gpu_hours  used_h  idle_h  energy_kwh
  ada      3        6.0    4.5     1.5          3.0
  bob      1        1.0    0.75    0.25         0.5
  eve      1        0.0    0.0     0.0          0.0
  2> smilog: warning: 2.00 GPU-h are in several jobs: they hold the same GPU at the same time, which sums count once
  $ sort -r rows | smilog merge -q - --group-by user --columns user,gpu_hours,used_h | md5sum; smilog merge -q rows --group-by user --columns user,gpu_hours,used_h | md5sum
  1d87815a43a03e344f7268e6a8ce9a38  -
  1d87815a43a03e344f7268e6a8ce9a38  -
