an expression that ends too early
  $ smilog summarize -q ../../../fixtures/sweep --where 'idle_pct >'
  2> smilog: --where: incomplete expression
  2> try: smilog help summarize
  [2]
  $ smilog check -q ../../../fixtures/sweep --fail-if 'idle_pct > 1 and'
  2> smilog: --fail-if: incomplete expression
  2> try: smilog help check
  [2]
  $ smilog summarize -q ../../../fixtures/sweep --where 'case when lr > 1 then'
  2> smilog: --where: near "THEN": syntax error
  2> try: smilog help summarize
  [2]

columns csv
  $ smilog summarize -q ../../../fixtures/sweep --columns run,state_reason,param.model,duration_s,vram_reserved,exit_code,cost --format csv
  run,state_reason,param.model,duration_s,vram_reserved,exit_code,cost
  lr=0.03/seed=1,,hestonnn,3512.0,true,0,
  lr=0.03/seed=2,,hestonnn,3498.0,true,0,
  lr=0.03/seed=3,,hestonnn,3541.032,true,0,
  lr=0.03/seed=4,,hestonnn,3506.0,true,0,
  lr=0.1/seed=1,,hestonnn,3588.0,true,0,
  lr=0.1/seed=2,,hestonnn,3612.0,true,0,
  lr=0.1/seed=3,,hestonnn,3621.038,true,0,
  lr=0.1/seed=4,"no end in the run log",hestonnn,2230.415,true,,
  lr=0.3/seed=1,,hestonnn,3575.0,true,0,
  lr=0.3/seed=2,"out of memory",hestonnn,2484.0,true,1,
  lr=0.3/seed=3,,hestonnn,3592.0,true,0,
  lr=0.3/seed=4,,hestonnn,3590.0,false,0,

columns empty word
  $ smilog summarize -q ../../../fixtures/sweep --columns run,,idle_pct
  2> smilog: --columns: a name is missing in "run,,idle_pct"
  2> try: smilog help summarize
  [2]

columns have no form of a line
  $ smilog summarize -q ../../../fixtures/sweep --columns run --format line
  2> smilog: --format line has columns of its own
  2> try: smilog help summarize
  [2]

columns in a window
  $ COLUMNS=60 LINES=50 script -qec "smilog summarize -q --color=never ../../../fixtures/sweep --where 'lr=0.3' --columns run,idle_pct,energy_wh,gpu_util_mean_pct,state_reason" /dev/null | tr -d '\r'
  run            idle_pct  energy_wh  gpu_util_mean_pct
  lr=0.3/seed=1     5.882    539.228               79.9
  lr=0.3/seed=2     8.871    366.283               77.3
  lr=0.3/seed=3    53.073    341.836               40.2
  lr=0.3/seed=4         -          -                  -
  (60 columns: without state_reason; a wider window has all)

columns json
  $ smilog summarize -q ../../../fixtures/sweep --columns run,exit_code,idle_pct,vram_reserved --where 'param.lr = 0.3' --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run", "exit_code", "idle_pct", "vram_reserved"], "rows": [
  {"run": "lr=0.3/seed=1", "exit_code": 0, "idle_pct": 5.882271, "vram_reserved": true},
  {"run": "lr=0.3/seed=2", "exit_code": 1, "idle_pct": 8.870899, "vram_reserved": true},
  {"run": "lr=0.3/seed=3", "exit_code": 0, "idle_pct": 53.072629, "vram_reserved": true},
  {"run": "lr=0.3/seed=4", "exit_code": 0, "idle_pct": null, "vram_reserved": false}
  ]}

columns jsonl
  $ smilog summarize -q ../../../fixtures/sweep --columns run,exit_code,idle_pct --where 'param.lr = 0.3' --format jsonl
  {"run": "lr=0.3/seed=1", "exit_code": 0, "idle_pct": 5.882271}
  {"run": "lr=0.3/seed=2", "exit_code": 1, "idle_pct": 8.870899}
  {"run": "lr=0.3/seed=3", "exit_code": 0, "idle_pct": 53.072629}
  {"run": "lr=0.3/seed=4", "exit_code": 0, "idle_pct": null}

columns md
  $ smilog summarize -q ../../../fixtures/sweep --columns run,state_reason,idle_pct --where 'param.lr = 0.3' --format md
  | `run` | `state_reason` | `idle_pct` |
  |---|---|---:|
  | `lr=0.3/seed=1` | - | 5.882271 |
  | `lr=0.3/seed=2` | `out of memory` | 8.870899 |
  | `lr=0.3/seed=3` | - | 53.072629 |
  | `lr=0.3/seed=4` | - | - |

columns misspelt
  $ smilog summarize -q ../../../fixtures/sweep --columns run,energywh
  2> smilog: --columns: there is no column "energywh"; did you mean energy_wh?
  [2]

columns twice
  $ smilog summarize -q ../../../fixtures/sweep --where 'lr=0.1 and seed=1' --columns run,idle_pct,idle_pct --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run", "idle_pct", "idle_pct_2"], "rows": [
  {"run": "lr=0.1/seed=1", "idle_pct": 7.542067, "idle_pct_2": 7.542067}
  ]}

columns values are those of csv
  $ a=$(smilog summarize -q ../../../fixtures/sweep --format csv)
  $ b=$(smilog summarize -q ../../../fixtures/sweep --format csv --columns "$(head -n 1 <<<"$a")")
  $ diff <(echo "$a") <(echo "$b") && echo same
  same

group by has mean sd and n
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr --columns idle_pct,exit_code --format csv
  param.lr,n,idle_pct_mean,idle_pct_sd,idle_pct_n,exit_code_mean,exit_code_sd,exit_code_n
  0.03,4,6.062431,0.098319,4,0.0,0.0,4
  0.1,4,9.87578,2.875849,4,0.0,0.0,3
  0.3,4,22.6086,21.575847,3,0.25,0.433013,4

group by in a window
  $ COLUMNS=100 LINES=50 script -qec "smilog summarize -q --color=never ../../../fixtures/sweep --group-by param.lr" /dev/null | tr -d '\r'
  param.lr  n  gpu_util_time_mean_pct    +/-  n  idle_pct     +/-  n  wasted_total_h     +/-  n
      0.03  4                   81.09   0.18  4      6.06   0.098  4            0.12  0.0024  4
      0.1   4                   76.79   2.76  4      9.88   2.88   4            0.18  0.068   4
      0.3   4                   65.95  18.17  3     22.61  21.58   3            0.85  0.54    3
  (100 columns: without vram_used_peak_mb, energy_wh, gpu_hours, duration_s; a wider window has all)

group by mean is exact
# Means are rounded once from the exact sum: half to even, whatever a sum of doubles would be.
  $ dir=$(mktemp -d)
  $ n=0
  $ for pair in '0.000001 0.000002' '0.000002 0.000003' '537.226257 537.411399 513.761903 326.286755' '1e-9 2e-9' 'x 4'; do
  >     n=$((n + 1)) k=0
  >     for v in $pair; do
  >         mkdir -p "$dir/g=$n/k=$((k += 1))" && cp ../../../fixtures/query_units.csv "$dir/g=$n/k=$k/hw.csv"
  >         [ "$v" = x ] && v='"x"'
  >         echo "{\"v\": $v}" >"$dir/g=$n/k=$k/config.json"
  >     done
  > done
  $ smilog summarize -q --group-by g --columns param.v --format csv "$dir"
  g,n,param.v_mean,param.v_sd,param.v_n
  1,2,0.000002,0.0,2
  2,2,0.000002,0.0,2
  3,4,478.671578,88.503506,4
  4,2,0.0000000015,0.0000000005,2
  5,2,4.0,,1
  $ smilog summarize -q --sql 'select g, mean(v) from param group by g' --format csv "$dir"
  g,mean(v)
  1,0.000002
  2,0.000002
  3,478.671578
  4,0.0000000015
  5,4.0

group by sd is that of numpy
  $ python3 -SE - <<'PY'
  > import json, statistics, subprocess
  > run = lambda *a: json.loads(subprocess.check_output(['smilog', 'summarize', '-q', '../../../fixtures/sweep', '--json', *a]))['rows']
  > rows = run('--columns', 'param.lr,energy_wh')
  > for g in run('--group-by', 'param.lr', '--columns', 'energy_wh'):
  >     v = [r['energy_wh'] for r in rows if r['param.lr'] == g['param.lr'] and r['energy_wh'] is not None]
  >     print(g['param.lr'], len(v) == g['energy_wh_n'], abs(statistics.fmean(v) - g['energy_wh_mean']) < 1e-6,
  >           abs(statistics.pstdev(v) - g['energy_wh_sd']) < 1e-6)
  > PY
  0.03 True True True
  0.1 True True True
  0.3 True True True

group by sort misspelt
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr --columns idle_pct --sort idle_pct
  2> smilog: --sort: the groups have no column "idle_pct"; they have param.lr, n and COL_mean, COL_sd, COL_n of each column
  [2]

group by sorted
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr --columns idle_pct --sort -idle_pct_mean
  param.lr  n  idle_pct_mean  idle_pct_sd  idle_pct_n
      0.3   4      22.6086      21.575847           3
      0.1   4       9.87578      2.875849           4
      0.03  4       6.062431     0.098319           4

group by text has no mean
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr --columns hostname
  2> smilog: --group-by needs columns of numbers: hostname is text
  [2]

group by two
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr,state --columns energy_wh
  param.lr  state    n  energy_wh_mean  energy_wh_sd  energy_wh_n
      0.03  ok       4      532.901029      1.676143            4
      0.1   cut      1      326.286755             -            1
      0.1   ok       3      529.46652      11.105098            3
      0.3   failed   1      366.28321              -            1
      0.3   no-data  1               -             -            0
      0.3   ok       2      440.532076     98.69567             2

group by without columns
  $ smilog summarize -q ../../../fixtures/sweep --group-by param.lr --format csv | head -n 1
  param.lr,n,gpu_util_time_mean_pct_mean,gpu_util_time_mean_pct_sd,gpu_util_time_mean_pct_n,idle_pct_mean,idle_pct_sd,idle_pct_n,wasted_total_h_mean,wasted_total_h_sd,wasted_total_h_n,vram_used_peak_mb_mean,vram_used_peak_mb_sd,vram_used_peak_mb_n,energy_wh_mean,energy_wh_sd,energy_wh_n,gpu_hours_mean,gpu_hours_sd,gpu_hours_n,duration_s_mean,duration_s_sd,duration_s_n

join a key beyond all numbers
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf 'lr,acc\n1.5e-9223372036854775808,1\n10e9223372036854775807,1\n1000e-4,2\n' >far.csv
  $ smilog summarize -q sweep/ --join far.csv:lr --columns run,acc --where 'acc is not null' --format csv
  run,acc
  lr=0.1/seed=1,2
  lr=0.1/seed=2,2
  lr=0.1/seed=3,2
  lr=0.1/seed=4,2

join by a column of runs
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf 'hostname,rack\npod-1,7\npod-2,8\n' >racks.csv
  $ smilog summarize -q sweep/ --join racks.csv:hostname --group-by rack --columns energy_wh
  rack  n  energy_wh_mean  energy_wh_sd  energy_wh_n
     7  3      536.12945       3.076866            3
     8  3      478.15494      79.151708            3
     -  6      450.156924     95.220043            5

join by a parameter
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf '\xef\xbb\xbfparam.lr;note\r\n1e-1;"a;b ""q"""\r\n\r\n0.30;ü;2\r\n0.0300;=x\r\n' >lr.csv
  $ smilog summarize -q sweep/ --join lr.csv:lr --columns run,note
  run             note
  lr=0.03/seed=1  =x
  lr=0.03/seed=2  =x
  lr=0.03/seed=3  =x
  lr=0.03/seed=4  =x
  lr=0.1/seed=1   a;b\x20"q"
  lr=0.1/seed=2   a;b\x20"q"
  lr=0.1/seed=3   a;b\x20"q"
  lr=0.1/seed=4   a;b\x20"q"
  lr=0.3/seed=1   ü
  lr=0.3/seed=2   ü
  lr=0.3/seed=3   ü
  lr=0.3/seed=4   ü
  $ smilog summarize sweep/ --join lr.csv:param.lr --where "note = '=x'" --columns run,note --format csv 2>&1 | grep -v seed=4/
  smilog: warning: lr.csv: rows with more cells than the head: what is too much is left out: 1
  run,note
  lr=0.03/seed=1,'=x
  lr=0.03/seed=2,'=x
  lr=0.03/seed=3,'=x
  lr=0.03/seed=4,'=x

join by run name
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ smilog summarize sweep/ --join acc.csv --where 'acc is not null' --columns run,acc,loss,idle_pct_2,idle_pct 2>&1 | grep -v hw_metrics | grep -v run.jsonl
  smilog: warning: acc.csv: its column idle_pct is idle_pct_2 here
  smilog: warning: acc.csv: runs without a row in it: 9
  smilog: warning: acc.csv: runs with several rows in it, of which none is joined: 1
  smilog: warning: acc.csv: rows that belong to no run: 1
  run             acc  loss    idle_pct_2  idle_pct
  lr=0.1/seed=1  0.91  0.0015           7  7.542067
  lr=0.1/seed=2  0.92  x                8  7.77776

join by the first column
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf 'experiment,acc\nlr=0.1/seed=1,5\n' >e.csv
  $ smilog summarize -q sweep/ --join e.csv --where 'acc = 5' --columns run
  run
  lr=0.1/seed=1
  $ smilog summarize -q sweep/ --join e.csv:experiment --where 'acc = 5' --columns run
  run
  lr=0.1/seed=1

join every output
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ smilog summarize -q sweep/ --join acc.csv --where "run like '%1/seed=%'" --format csv | cut -d, -f1,47-
  run,throttled_pct,errors,incomplete,acc,loss,idle_pct_2
  lr=0.1/seed=1,,,,0.91,1.5e-3,7
  lr=0.1/seed=2,,,,0.92,x,8
  lr=0.1/seed=3,,,,,,
  lr=0.1/seed=4,,,,,,
  $ smilog summarize -q sweep/ --join acc.csv --where "run like '%1/seed=%'" --json | grep -o '"joined": {[^}]*}'
  "joined": {"acc": 0.91, "loss": 1.5e-3, "idle_pct_2": 7}
  "joined": {"acc": 0.92, "loss": "x", "idle_pct_2": 8}
  "joined": {"acc": null, "loss": null, "idle_pct_2": null}
  "joined": {"acc": null, "loss": null, "idle_pct_2": null}
  $ smilog summarize -q sweep/ --join acc.csv --where "run like '%1/seed=%'" --format md | sed -n 's/^\(| `lr[^|]*|[^|]*|[^|]*|[^|]*\).*/\1/p'
  | `lr=0.1/seed=1` | `0.91` | `1.5e-3` | `7`\x20 (esc)
  | `lr=0.1/seed=2` | `0.92` | `x` | `8`\x20 (esc)
  | `lr=0.1/seed=3` | - | - | -\x20 (esc)
  | `lr=0.1/seed=4` | - | - | -\x20 (esc)
  $ smilog summarize -q sweep/ --join acc.csv | awk '/^(RUN|lr=0.1)/ {print $1, $2, $3, $4}'
  RUN acc loss idle_pct_2
  lr=0.1/seed=1 0.91 1.5e-3 7
  lr=0.1/seed=2 0.92 x 8
  lr=0.1/seed=3 - - -
  lr=0.1/seed=4 - - -

join hostile text is harmless
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf 'run,\x1b[31m,a"b\nlr=0.1/seed=1,\x1b[32m,=1\n' >h.csv
  $ for f in table csv json md; do smilog summarize -q sweep/ --join h.csv --format $f --where 'run = '\''lr=0.1/seed=1'\'' or seed=2' | grep -c $'\033'; done
  0
  0
  0
  0
  [1]
  $ smilog summarize -q sweep/ --join h.csv --columns 'a"b' --format csv --where '"a""b" is not null'
  "a""b"
  '=1

join misspelt
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ smilog summarize -q sweep/ --join acc.csv:rum
  2> smilog: --join: acc.csv has no column "rum"; did you mean run?
  [2]
  $ smilog summarize -q sweep/ --join acc.csv --where 'lossy > 1'
  2> smilog: --where: there is no column "lossy"; did you mean loss?
  [2]
  $ smilog summarize -q sweep/ --join acc.csv --sort -akk
  2> smilog: --sort: there is no column "akk"; did you mean acc?
  [2]

join names are not taken twice
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ printf 'run,acc,ACC,rowid,,lr\nlr=0.1/seed=1,1,2,3,4,5\n' >n.csv
  $ smilog summarize sweep/lr=0.1 --join n.csv --sql 'select * from runs' --format csv 2>&1 | grep -v seed=4/ | cut -d, -f1,46-
  smilog: warning: n.csv: its column ACC is ACC_2 here
  smilog: warning: n.csv: its column rowid is rowid_2 here
  smilog: warning: n.csv: runs without a row in it: 4
  smilog: warning: n.csv: rows that belong to no run: 1
  run,errors,incomplete,acc,ACC_2,rowid_2,column5,lr
  seed=1,,,,,,,
  seed=2,,,,,,,
  seed=3,,,,,,,
  seed=4,,,,,,,
  $ smilog summarize -q sweep/ --join n.csv --where 'acc = 1' --columns acc,ACC_2,rowid_2,column5,lr,param.lr
  acc  ACC_2  rowid_2  column5  lr  param.lr
    1      2        3        4   5       0.1

join quotes
# Quotes of a CSV: what stands in them cuts no cell and ends no head; one that is never closed is an error, where it is.
  $ dir=$(mktemp -d)
  $ mkdir "$dir/a" "$dir/b" && cp ../../../fixtures/query_units.csv "$dir/a/" && cp ../../../fixtures/query_units.csv "$dir/b/"
  $ cd "$dir"
  $ printf '"run;w;x;y;z",acc\na,1\nb,2\n' >head.csv
  $ printf '"run"\t"a,b,c"\na\t1\n' >tabs.csv
  $ printf 'run;"x\n,,,,""y""";acc\r\na;1;2\r\n' >lines.csv
  $ printf 'run,acc\na,"x""y"\nb,say "hi"\n "a" , "c" \n' >inside.csv
  $ printf 'run,acc\na,"x\n\ny"\n"b","2' >end.csv
  $ printf 'run,acc\n"a,1\nb,2\n' >row.csv
  $ printf 'run,"acc\na,1\n' >name.csv
  $ printf 'run,acc\na,"1"2\n' >behind.csv
  $ for f in head tabs lines inside end row name behind; do
  >     echo "$f: $(smilog summarize -q --join $f.csv --json a b 2>&1 | grep -o -e '"joined": {[^}]*}' -e '^smilog.*' | paste -sd ' ')"
  > done
  head: "joined": {"acc": 1} "joined": {"acc": 2}
  tabs: "joined": {"a,b,c": 1} "joined": {"a,b,c": null}
  lines: "joined": {"x\u000a,,,,\"y\"": 1, "acc": 2} "joined": {"x\u000a,,,,\"y\"": null, "acc": null}
  inside: "joined": {"acc": null} "joined": {"acc": "say \"hi\""}
  end: smilog: --join: end.csv:5: a quote is not closed
  row: smilog: --join: row.csv:2: a quote is not closed
  name: smilog: --join: name.csv:1: a quote is not closed
  behind: smilog: --join: behind.csv:2: a quote is not closed

join what is no csv
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cat >"$t/acc.csv" <<'CSV'
  > run,acc,loss,idle_pct
  > lr=0.1/seed=1,0.91,1.5e-3,7
  > lr=0.1/seed=2,0.92,x,8
  > lr=0.3/seed=1,0.85,,9
  > lr=0.3/seed=1,0.86,,9
  > nowhere,1,2,3
  > CSV
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ smilog summarize -q sweep/ --join none.csv
  2> smilog: --join: cannot open none.csv: No such file or directory
  2> try: smilog help summarize
  [2]
  $ echo $?
  2
  $ smilog summarize -q sweep/ --join .
  2> smilog: --join: .: is a directory, not a log
  [2]
  $ smilog summarize -q sweep/ --join acc.csv:
  2> smilog: --join needs FILE.csv or FILE.csv:KEY, not "acc.csv:"
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q sweep/ --join ''
  2> smilog: --join is empty
  2> try: smilog help summarize
  [2]
  $ : >empty.csv
  $ smilog summarize -q sweep/ --join empty.csv
  2> smilog: --join: empty.csv has no line with the names of columns
  [2]
  $ printf 'a\0b\n' >nul.csv
  $ smilog summarize -q sweep/ --join nul.csv
  2> smilog: --join: nul.csv is no CSV in UTF-8
  [2]
  $ printf 'a,\xff\n' >bytes.csv
  $ smilog summarize -q sweep/ --join bytes.csv
  2> smilog: --join: bytes.csv is no CSV in UTF-8
  [2]
  $ python3 -SE -c 'print(",".join(map(str, range(1001))))' >wide.csv
  $ smilog summarize -q sweep/ --join wide.csv
  2> smilog: --join: wide.csv has more than 1000 columns
  [2]

misspelt as the metric
# A metric of list metrics is no column of runs; those made of it have its parts in their names, and any case will do.
  $ for name in gpu_util_pct GPU_UTIL_PCT mem_util_pct cpu_usr_pct; do
  >     smilog summarize -q --where "$name < 50" ../../../fixtures/sweep 2>&1 | head -1
  > done
  smilog: --where: there is no column "gpu_util_pct"; did you mean gpu_util_time_mean_pct?
  smilog: --where: there is no column "GPU_UTIL_PCT"; did you mean gpu_util_time_mean_pct?
  smilog: --where: there is no column "mem_util_pct"; did you mean mem_util_mean_pct?
  smilog: --where: there is no column "cpu_usr_pct"; did you mean cpu_usr_mean_pct?
  $ smilog check -q --fail-if 'GPU_Util_Mean_PCT < 50' ../../../fixtures/sweep
              LIMIT                    VALUE  RUN
  FAIL        GPU_Util_Mean_PCT >= 50   40.2  lr=0.3/seed=3
  not judged  no reading                   -  lr=0.3/seed=4: no GPU log
  1 limit broken by 1 of 12 runs, 1 run could not be judged
  [1]

misspelt by its first word
# The first word of a column, or the one that people use, leads to the column that they ask for most.
  $ for word in idle vram wasted util power energy hours cpu mem gpu duration gpus cst; do
  >     smilog summarize -q --where "$word > 1" ../../../fixtures/sweep 2>&1
  >     smilog summarize -q --sort "$word" ../../../fixtures/sweep 2>&1
  > done
  smilog: --where: there is no column "idle"; did you mean idle_pct?
  smilog: --sort: there is no column "idle"; did you mean idle_pct?
  smilog: --where: there is no column "vram"; did you mean vram_used_peak_mb?
  smilog: --sort: there is no column "vram"; did you mean vram_used_peak_mb?
  smilog: --where: there is no column "wasted"; did you mean wasted_h?
  smilog: --sort: there is no column "wasted"; did you mean wasted_h?
  smilog: --where: there is no column "util"; did you mean gpu_util_time_mean_pct?
  smilog: --sort: there is no column "util"; did you mean gpu_util_time_mean_pct?
  smilog: --where: there is no column "power"; did you mean power_watts_mean?
  smilog: --sort: there is no column "power"; did you mean power_watts_mean?
  smilog: --where: there is no column "energy"; did you mean energy_wh?
  smilog: --sort: there is no column "energy"; did you mean energy_wh?
  smilog: --where: there is no column "hours"; did you mean gpu_hours?
  smilog: --sort: there is no column "hours"; did you mean gpu_hours?
  smilog: --where: there is no column "cpu"; did you mean cpu_usr_mean_pct?
  smilog: --sort: there is no column "cpu"; did you mean cpu_usr_mean_pct?
  smilog: --where: there is no column "mem"; did you mean mem_util_mean_pct?
  smilog: --sort: there is no column "mem"; did you mean mem_util_mean_pct?
  smilog: --where: there is no column "gpu"; did you mean gpu_util_time_mean_pct?
  smilog: --sort: there is no column "gpu"; did you mean gpu_util_time_mean_pct?
  smilog: --where: there is no column "duration"; did you mean duration_s?
  smilog: --sort: there is no column "duration"; did you mean duration_s?
  smilog: --where: there is no column "gpus"; did you mean ngpus?
  smilog: --sort: there is no column "gpus"; did you mean ngpus?
  smilog: --where: there is no column "cst"; did you mean cost?
  smilog: --sort: there is no column "cst"; did you mean cost?
  [2]

numbers as people write them
# A parameter is printed as it was written, as in all other outputs; what is calculated has no exponent.
  $ dir=$(mktemp -d)
  $ for lr in 0.10 1e-05 1e-7 3E-4 -2.50e-3 1e20 1e-300; do
  >     mkdir "$dir/lr=$lr"
  >     cp ../../../fixtures/query_units.csv "$dir/lr=$lr/hw.csv"
  >     echo '{"flag": true, "none": null}' >"$dir/lr=$lr/config.json"
  > done
  $ printf 'run,loss\nlr=1e-05,1.50e-8\nlr=1e-7,2\n' >"$dir.csv"
  $ see() { smilog summarize -q "$@" "$dir"; }
  $ for how in "--columns run,param.lr,param.flag,param.none" "--group-by param.lr --columns gpu_util_max_pct"; do
  >     see $how --format csv
  > done
  run,param.lr,param.flag,param.none
  lr=-2.50e-3,-0.0025,true,
  lr=0.10,0.1,true,
  lr=1e-05,1e-05,true,
  lr=1e-7,1e-07,true,
  lr=1e-300,1e-300,true,
  lr=1e20,1e+20,true,
  lr=3E-4,0.0003,true,
  param.lr,n,gpu_util_max_pct_mean,gpu_util_max_pct_sd,gpu_util_max_pct_n
  -0.0025,1,99.0,,1
  1e-300,1,99.0,,1
  1e-07,1,99.0,,1
  1e-05,1,99.0,,1
  0.0003,1,99.0,,1
  0.1,1,99.0,,1
  1e+20,1,99.0,,1
  $ see --sql 'select lr, lr / 3 third, lr * 10 ten, flag from param' --format csv
  lr,third,ten,flag
  -0.0025,-0.000833333333333333,-0.025,true
  0.1,0.033333,1.0,true
  1e-05,0.00000333333333333333,0.0001,true
  1e-07,0.0000000333333333333333,0.000001,true
  1e-300,3.33333333333333e-301,1e-299,true
  1e+20,3.33333333333333e+19,1e+21,true
  0.0003,0.0001,0.003,true
  $ see --sql 'select lr, lr / 3 third, flag from param where lr < 1 order by lr desc' --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["lr", "third", "flag"], "rows": [
  {"lr": 0.1, "third": 0.033333, "flag": true},
  {"lr": 0.0003, "third": 0.0001, "flag": true},
  {"lr": 1e-05, "third": 0.00000333333333333333, "flag": true},
  {"lr": 1e-07, "third": 0.0000000333333333333333, "flag": true},
  {"lr": 1e-300, "third": 3.33333333333333e-301, "flag": true},
  {"lr": -0.0025, "third": -0.000833333333333333, "flag": true}
  ]}
  $ see --join "$dir.csv" --columns run,loss --format csv
  run,loss
  lr=-2.50e-3,
  lr=0.10,
  lr=1e-05,1.5e-08
  lr=1e-7,2.0
  lr=1e-300,
  lr=1e20,
  lr=3E-4,
  $ see --join "$dir.csv" --sql 'select loss, loss * 2 twice from runs where loss < 1'
     loss       twice
  1.5e-08  0.00000003

param a thousand
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in $(seq 0 11); do log r$i; done
  $ python3 -SE - "$t" <<'PY'
  > import json, sys
  > for r in range(12):
  >     json.dump({f'p{i}': f'{r}-{i}' for i in range(250 * r, 250 * r + 250)}, open(f'{sys.argv[1]}/r{r}/config.json', 'w'))
  > PY
  $ smilog summarize -q "$t" --where "param.p2999 = '11-2999' or p0 = '0-0'" --columns run,p0,param.p1500,p2999
  run  p0   param.p1500  p2999
  r0   0-0            -  -
  r11  -              -  11-2999
  $ smilog summarize -q "$t" --where "param.p3000 = 1"
  2> smilog: --where: there is no column "param.p3000"; did you mean param.p1000?
  [2]
  $ smilog summarize -q "$t" --group-by p1 --columns p2999
  p1    n  p2999_mean  p2999_sd  p2999_n
  0-1   1           -         -        0
  -    11           -         -        0
  $ smilog summarize "$t" --json --sql 'select * from param' | sed -n 1p | tr , '\n' | grep -c '"p[0-9]'
  1900
  2> smilog: warning: of 3000 parameters the first 1900 have a column: name those you want instead of *

param called run
# A parameter whose name is that of a column, and two that differ in case only: each can be reached, and where the
# engine means another one by a name, that is said.
  $ dir=$(mktemp -d)
  $ for i in 1 2 3; do
  >     mkdir -p "$dir/x$i/run=$i/state=s$i/LR=0.$i/lr=0.0$i"
  >     cp ../../../fixtures/query_units.csv "$dir/x$i/run=$i/state=s$i/LR=0.$i/lr=0.0$i/hw.csv"
  > done
  $ see() { echo "$*"; smilog summarize --tz UTC --format csv "$@" "$dir" 2>&1; }
  $ see --where 'param.run = 2' --columns param.run,param.state,LR,lr
  --where param.run = 2 --columns param.run,param.state,LR,lr
  param.run,param.state,LR,lr
  2,s2,0.2,0.02
  $ see --where "run like 'x3%'" --columns param.run
  --where run like 'x3%' --columns param.run
  param.run
  3
  $ see --where "param.state = 's2'" --columns param.run
  --where param.state = 's2' --columns param.run
  param.run
  2
  $ see --sort -param.run --columns param.run
  --sort -param.run --columns param.run
  param.run
  3
  2
  1
  $ see --group-by param.run --columns gpu_util_max_pct
  --group-by param.run --columns gpu_util_max_pct
  param.run,n,gpu_util_max_pct_mean,gpu_util_max_pct_sd,gpu_util_max_pct_n
  1,1,99.0,,1
  2,1,99.0,,1
  3,1,99.0,,1
  $ see --where 'param.lr > 0.25' --columns LR
  --where param.lr > 0.25 --columns LR
  smilog: warning: the parameter lr is param.lr_2 in SQL, as param.lr is something else there
  LR
  0.3
  $ see --where 'lr = 0.02' --columns LR
  --where lr = 0.02 --columns LR
  smilog: warning: the parameter lr is param.lr_2 in SQL, as param.lr is something else there
  LR
  $ see --where 'LR > 0.25' --columns LR
  --where LR > 0.25 --columns LR
  LR
  0.3
  $ see --sql 'select count(*) from runs where runs.run = 2'
  --sql select count(*) from runs where runs.run = 2
  count(*)
  0
  $ see --sql 'select max(param.run_2) from runs join param using (run)'
  --sql select max(param.run_2) from runs join param using (run)
  max(param.run_2)
  3
  $ see --sql 'select max(param.run) = max(runs.run) as names from runs join param using (run)'
  --sql select max(param.run) = max(runs.run) as names from runs join param using (run)
  smilog: warning: the parameter run is param.run_2 in SQL, as param.run is something else there
  names
  1
  $ smilog check -q --tz UTC --fail-if 'param.run > 2' "$dir"
        LIMIT           VALUE  RUN
  FAIL  param.run <= 2      3  x3/run=3/state=s3/LR=0.3/lr=0.03
  1 limit broken by 1 of 3 runs
  [1]

param kinds
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log a
  $ echo '{"i": 3, "r": 1e-3, "t": true, "s": "007", "n": null, "big": 123456789012345678901, "huge": 1e999}' >"$t/a/config.json"
  $ smilog summarize -q "$t" --sql 'select i, typeof(i), r, typeof(r), t, s, typeof(s), n, big, typeof(big), huge from param' --format csv
  i,typeof(i),r,typeof(r),t,s,typeof(s),n,big,typeof(big),huge
  3,integer,0.001,real,true,007,text,,123456789012345678901,text,1e999

param names with quotes and dots
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log a
  $ echo '{"a\"b": 1, "model.lr": 2, "x y": 3, "LR": 4, "lr": 5, "rowid": 6}' >"$t/a/config.json"
  $ smilog summarize -q "$t" --where 'param."a""b" = 1 and param."model.lr" = 2 and param."x y" = 3' --columns 'param.a"b,param.model.lr,x y,param.LR,param.lr,param.rowid'
  param.a"b  param.model.lr  x\x20y  param.LR  param.lr  param.rowid
          1               2       3         4         5            6
  $ smilog summarize -q "$t" --where 'param.model.lr = 2' --format csv --columns run
  run
  a
  $ smilog summarize -q "$t" --sql 'select * from param' --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run", "LR", "a\"b", "lr_2", "model.lr", "rowid_2", "x y"], "rows": [
  {"run": "a", "LR": 4, "a\"b": 1, "lr_2": 5, "model.lr": 2, "rowid_2": 6, "x y": 3}
  ]}

since a moment in utc
  $ smilog summarize -q ../../../fixtures/sweep --since 2026-07-04T00:00Z --columns run,start
  run            start
  lr=0.3/seed=2  2026-07-04T00:51:46.830Z
  lr=0.3/seed=3  2026-07-04T01:34:04.565Z
  lr=0.3/seed=4  2026-07-04T02:34:44.058Z

since an age
  $ smilog summarize -q ../../../fixtures/sweep --since 36500d --until 1w --columns run | wc -l
  13
  $ smilog summarize -q ../../../fixtures/sweep --since 30m --columns run | wc -l
  1

since an age in a zone
# Three hours ago is on the clock of the world, not on that of the logs, which is two hours ahead of UTC.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ now=$(date +%s)
  $ for hours in 1 2 4; do
  >     begin=$((now - hours * 3600)) && mkdir "$hours"
  >     {
  >         echo 'timestamp, index, utilization.gpu [%]'
  >         for i in 0 10 20 30 40 50 60; do date -u -d "@$((begin + 7200 + i))" '+%Y/%m/%d %T.000, 0, 50 %'; done
  >     } >"$hours/gpu.csv"
  >     {
  >         echo 'timestamp,usr_pct,idle_pct'
  >         for i in 0 10 20 30 40 50 60; do date -u -d "@$((begin + i))" '+%FT%T.000+00:00,5.0,95.0'; done
  >     } >"$hours/cpu_metrics.csv"
  > done
  $ for age in 90m 3h 1d; do
  >     echo "$age: $(smilog summarize -q --format csv --columns run --since $age . | tail -n +2 | xargs)"
  > done
  90m: 1
  3h: 1 2
  1d: 1 2 4

since no time is said
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ printf 'index, utilization.gpu [%%]\n0, 50\n' >"$t/a.csv"
  $ smilog summarize "$t/a.csv" --since 2020-01-01 --sql 'select count(*) as n from runs'
  n
  0
  2> smilog: warning: 1 run left out: no time of a start is known (--since, --until)
  2> smilog: warning: no run of 1 is what was asked for: --since '2020-01-01' leaves none

since on the clock of the logs
  $ smilog summarize -q ../../../fixtures/sweep --since 2026-07-04T01:13:40 --until '2026-07-04 03' --columns run,start; smilog summarize -q ../../../fixtures/sweep --since 2026-07-04T01:13:40 --until '2026-07-04 03:00' --columns run,start
  run            start
  lr=0.1/seed=4  2026-07-03T23:13:40.601Z
  lr=0.3/seed=1  2026-07-03T23:51:33.745Z
  lr=0.3/seed=2  2026-07-04T00:51:46.830Z
  lr=0.3/seed=4  2026-07-04T02:34:44.058Z
  2> smilog: --until needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "2026-07-04 03"
  2> try: smilog help summarize

since the zone decides
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log a
  $ for s in 2026-07-03 2026-07-03T09:00Z 2026-07-02T20:00:00Z 2026-07-02T19:59:59Z 2026-07-03T22:00:00Z 2026-07-03T22:00:01Z 2026-07-03T22:00:00.001+00:00; do echo "$s"; smilog summarize "$t" --since "$s" --sql 'select count(*) as n from runs' 2>&1; done
  2026-07-03
  n
  1
  2026-07-03T09:00Z
  smilog: warning: 1 run left out: the zone of the logs is not known, and the answer depends on it (--tz says it; a time without a zone is on the clock of the logs)
  smilog: warning: no run of 1 is what was asked for: --since '2026-07-03T09:00Z' leaves none
  n
  0
  2026-07-02T20:00:00Z
  n
  1
  2026-07-02T19:59:59Z
  n
  1
  2026-07-03T22:00:00Z
  smilog: warning: 1 run left out: the zone of the logs is not known, and the answer depends on it (--tz says it; a time without a zone is on the clock of the logs)
  smilog: warning: no run of 1 is what was asked for: --since '2026-07-03T22:00:00Z' leaves none
  n
  0
  2026-07-03T22:00:01Z
  smilog: warning: no run of 1 is what was asked for: --since '2026-07-03T22:00:01Z' leaves none
  n
  0
  2026-07-03T22:00:00.001+00:00
  smilog: warning: no run of 1 is what was asked for: --since '2026-07-03T22:00:00.001+00:00' leaves none
  n
  0
  $ smilog summarize -q --tz +01:00 "$t" --since 2026-07-03T09:00Z --sql 'select count(*) as n from runs'
  n
  1

since what is no time
  $ for s in x 2026 2026-13-01 2026-07-03T25:00 7 7y -7d d; do smilog summarize -q ../../../fixtures/sweep --since=$s; done
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "x"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "2026"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "2026-13-01"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "2026-07-03T25:00"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "7"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "7y"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "-7d"
  2> try: smilog help summarize
  2> smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "d"
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q ../../../fixtures/sweep --until ''
  2> smilog: --until is empty
  2> try: smilog help summarize
  [2]

sort absent comes last
  $ smilog summarize -q ../../../fixtures/sweep --sort idle_pct --columns run | tail -n 1
  lr=0.3/seed=4
  $ smilog summarize -q ../../../fixtures/sweep --sort -idle_pct --columns run | tail -n 1
  lr=0.3/seed=4

sort by two
  $ smilog summarize -q ../../../fixtures/sweep --sort -param.lr,param.seed --columns run
  run
  lr=0.3/seed=1
  lr=0.3/seed=2
  lr=0.3/seed=3
  lr=0.3/seed=4
  lr=0.1/seed=1
  lr=0.1/seed=2
  lr=0.1/seed=3
  lr=0.1/seed=4
  lr=0.03/seed=1
  lr=0.03/seed=2
  lr=0.03/seed=3
  lr=0.03/seed=4

sort down
  $ smilog summarize -q ../../../fixtures/sweep --sort -idle_pct --columns run,idle_pct
  run              idle_pct
  lr=0.3/seed=3   53.072629
  lr=0.1/seed=3   14.681433
  lr=0.1/seed=4    9.501858
  lr=0.3/seed=2    8.870899
  lr=0.1/seed=2    7.77776
  lr=0.1/seed=1    7.542067
  lr=0.03/seed=3   6.232284
  lr=0.03/seed=2   6.01735
  lr=0.03/seed=1   6.000185
  lr=0.03/seed=4   5.999905
  lr=0.3/seed=1    5.882271
  lr=0.3/seed=4           -

sort every output
  $ for f in jsonl csv md; do smilog summarize -q ../../../fixtures/sweep --sort -energy_wh --format $f | grep -o 'lr=[0-9.]*/seed=[0-9]' | awk '!s[$0]++' | head -n 2; done
  lr=0.3/seed=1
  lr=0.1/seed=2
  lr=0.3/seed=1
  lr=0.1/seed=2
  lr=0.3/seed=2
  lr=0.3/seed=3
  $ smilog summarize -q ../../../fixtures/sweep --sort -energy_wh | awk '/^lr=/ {print $1}' | head -n 2
  lr=0.3/seed=1
  lr=0.1/seed=2

sort misspelt
  $ smilog summarize -q ../../../fixtures/sweep --sort -energy
  2> smilog: --sort: there is no column "energy"; did you mean energy_wh?
  [2]

sort names as people do
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 10 9 1 100; do log r$i; done
  $ smilog summarize -q "$t" --sort -run --columns run
  run
  r100
  r10
  r9
  r1
  $ smilog summarize -q "$t" --sql 'select max(run), min(run) from runs'
  max(run)  min(run)
  r100      r1

sql a parameter without its table
# A parameter is there, but in another table.
  $ for query in 'select run, param.lr from runs' 'select lr from runs' 'select model from param, runs where runs.lr > 1'; do
  >     smilog summarize -q --sql "$query" ../../../fixtures/sweep 2>&1
  > done
  smilog: --sql: param.lr is in the table param: SELECT run, param.lr FROM runs JOIN param USING (run)
  smilog: --sql: lr is in the table param: SELECT run, param.lr FROM runs JOIN param USING (run)
  smilog: --sql: runs.lr is in the table param: SELECT run, param.lr FROM runs JOIN param USING (run)
  [2]
  $ smilog summarize -q --sql 'SELECT run, param.lr FROM runs JOIN param USING (run) LIMIT 1' ../../../fixtures/sweep
  run               lr
  lr=0.03/seed=1  0.03

sql double quotes are no text
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select "ok"'
  2> smilog: --sql: there is no column "ok" (a text is written 'ok'); see smilog list columns
  [2]

sql every output
  $ for f in table json jsonl csv md; do smilog summarize -q ../../../fixtures/sweep --format $f --sql "select run, idle_pct, exit_code, 7, 'a b' as t from runs where idle_pct > 9 order by run"; done
  run             idle_pct  exit_code  7  t
  lr=0.1/seed=3  14.681433          0  7  a\x20b
  lr=0.1/seed=4   9.501858          -  7  a\x20b
  lr=0.3/seed=3  53.072629          0  7  a\x20b
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run", "idle_pct", "exit_code", "7", "t"], "rows": [
  {"run": "lr=0.1/seed=3", "idle_pct": 14.681433, "exit_code": 0, "7": 7, "t": "a b"},
  {"run": "lr=0.1/seed=4", "idle_pct": 9.501858, "exit_code": null, "7": 7, "t": "a b"},
  {"run": "lr=0.3/seed=3", "idle_pct": 53.072629, "exit_code": 0, "7": 7, "t": "a b"}
  ]}
  {"run": "lr=0.1/seed=3", "idle_pct": 14.681433, "exit_code": 0, "7": 7, "t": "a b"}
  {"run": "lr=0.1/seed=4", "idle_pct": 9.501858, "exit_code": null, "7": 7, "t": "a b"}
  {"run": "lr=0.3/seed=3", "idle_pct": 53.072629, "exit_code": 0, "7": 7, "t": "a b"}
  run,idle_pct,exit_code,7,t
  lr=0.1/seed=3,14.681433,0,7,"a b"
  lr=0.1/seed=4,9.501858,,7,"a b"
  lr=0.3/seed=3,53.072629,0,7,"a b"
  | `run` | `idle_pct` | `exit_code` | `7` | `t` |
  |---|---:|---:|---:|---|
  | `lr=0.1/seed=3` | 14.681433 | 0 | 7 | `a b` |
  | `lr=0.1/seed=4` | 9.501858 | - | 7 | `a b` |
  | `lr=0.3/seed=3` | 53.072629 | 0 | 7 | `a b` |

sql gpus
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select run, gpu, gpu_util_pct_mean, gpu_util_pct_p95, gpu_util_pct_count from gpus where gpu_util_pct_mean < 60'
  run            gpu  gpu_util_pct_mean  gpu_util_pct_p95  gpu_util_pct_count
  lr=0.3/seed=3    1                0.0               0.0                 359

sql hostile text is harmless
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log $'a\033[31m\x07'
  $ log '=1+1'
  $ log '</script>'
  $ for f in table csv json md; do smilog summarize -q "$t" --format $f --sql 'select run, run as "=x|" from runs'; done | grep -c $'\033'
  0
  [1]
  $ for f in table csv json md; do smilog summarize -q "$t" --format $f --columns run; done
  run
  </script>
  =1+1
  a\x1b[31m\x07
  run
  </script>
  '=1+1
  a\x1b[31m\x07
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run"], "rows": [
  {"run": "</script>"},
  {"run": "=1+1"},
  {"run": "a\u001b[31m\u0007"}
  ]}
  | `run` |
  |---|
  | `</script>` |
  | `=1+1` |
  | `a\x1b[31m\x07` |
  $ smilog summarize -q "$t" --format md --sql 'select '\''a|b`c'\'' as x'
  | `x` |
  |---|
  | `a\x7cb\x60c` |
  $ smilog summarize -q "$t" --sql "select char(27) || '[31m' as x, 'a b' as y, '' as z"
  x         y       z
  \x1b[31m  a\x20b  \x20
  $ COLUMNS=100 LINES=50 script -qec "smilog summarize -q --color=never '$t' --sql \"select run, char(27, 155, 8238) || 'x' as t from runs\"" /dev/null | tr -d '\r'
  run            t
  </script>      \x1b\xc2\x9b\xe2\x80\xaex
  =1+1           \x1b\xc2\x9b\xe2\x80\xaex
  a\x1b[31m\x07  \x1b\xc2\x9b\xe2\x80\xaex

sql median p95 stddev
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select median(x), p95(x), stddev(x) from (select 1 as x union all select 2 union all select 4 union all select null union all select '\''9'\'')'
  median(x)  p95(x)  stddev(x)
        2.0     3.8   1.247219
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select median(x), p95(x), stddev(x) from (select 1 as x) where x > 1' --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["median(x)", "p95(x)", "stddev(x)"], "rows": [
  {"median(x)": null, "p95(x)": null, "stddev(x)": null}
  ]}

sql misspelt column
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select r.idel_pct from runs r'
  2> smilog: --sql: there is no column "r.idel_pct"; did you mean idle_pct?
  [2]

sql misspelt function
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select mediann(idle_pct) from runs'
  2> smilog: --sql: there is no function "mediann"; besides SQLite's own there are mean, stddev, median and p95
  2> try: smilog help summarize
  [2]

sql misspelt table
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select * from run'
  2> smilog: --sql: there is no table "run"; there are runs, param, gpus, phases and findings
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select * from gpu'
  2> smilog: --sql: there is no table "gpu"; there are runs, param, gpus, phases and findings
  2> try: smilog help summarize
  [2]

sql no extension
  $ smilog summarize -q ../../../fixtures/sweep --sql "select load_extension('x')"
  2> smilog: --sql only reads: load_extension is refused
  2> try: smilog help summarize
  [2]

sql no pragma function
  $ smilog summarize -q ../../../fixtures/sweep --sql "select * from pragma_database_list"
  2> smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select * from sqlite_master'
  2> smilog: --sql only reads, with one SELECT: this is refused (access to sqlite_master.type is prohibited)
  2> try: smilog help summarize
  [2]

sql not utf8
  $ smilog summarize -q ../../../fixtures/sweep --sql $'select \'\xff\''
  2> smilog: --sql is not UTF-8
  2> try: smilog help summarize
  [2]

sql numbers that are whole stay whole
  $ smilog summarize -q ../../../fixtures/sweep --format csv --sql 'select 3, 3.0, 1e3, -7, 9223372036854775807, 1.0/3, 1e-7, 2.5e-4, 1e15, 9e999, -0.0'
  3,3.0,1e3,'-7,9223372036854775807,1.0/3,1e-7,2.5e-4,1e15,9e999,'-0.0
  3,3.0,1000.0,-7,9223372036854775807,0.333333,0.0000001,0.00025,1000000000000000.0,,0.0

sql one statement
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select 1; select 2'; smilog summarize -q ../../../fixtures/sweep --sql 'select 1; drop table runs';
  2> smilog: --sql takes one SELECT, and there is more behind it:  select 2
  2> try: smilog help summarize
  2> smilog: --sql takes one SELECT, and there is more behind it:  drop table runs
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select 1 as a; -- that is all' && smilog summarize -q ../../../fixtures/sweep --sql ';'
  a
  1
  2> smilog: --sql is empty: it needs a SELECT
  2> try: smilog help summarize
  [2]

sql only reads
  $ for q in 'attach '\''x'\'' as y' 'pragma table_info(runs)' 'insert into runs(run) values (1)' 'update runs set run = 1' 'delete from runs' 'drop table runs' 'create table x (a)' 'create temp table x (a)' 'begin' 'vacuum' 'vacuum into '\''x.db'\''' 'explain select 1' 'detach main' 'reindex' 'analyze'; do smilog summarize -q ../../../fixtures/sweep --sql "$q"; echo $?; done 2>&1
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT
  try: smilog help summarize
  2
  smilog: --sql only reads, with one SELECT: this is refused (not authorized)
  try: smilog help summarize
  2
  $ ls

sql phases
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select name, sum(count) as n, sum(seconds) as s from phases group by name order by s desc'
  name       n          s
  fit      564  37421.742
  compile   12   1666.6
  data      12    935.4
  upload     2    136.0
  save      10    126.872

sql same names get numbers
  $ smilog summarize -q ../../../fixtures/sweep --json --sql 'select 1 as a, 2 as a, 3 as a'
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["a", "a_2", "a_3"], "rows": [
  {"a": 1, "a_2": 2, "a_3": 3}
  ]}

sql says it all
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select 1' --where 1
  2> smilog: --where cannot be used together with --sql
  2> try: smilog help summarize
  [2]

sql select
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select lr, count(*) as runs, sum(gpu_hours) as h from runs join param using (run) group by lr order by h desc'
    lr  runs         h
  0.03     4  7.792791
  0.1      4  7.225827
  0.3      4  5.352713

sql syntax
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select from runs'
  2> smilog: --sql: near "from": syntax error
  2> try: smilog help summarize
  [2]

sql to a file
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select run from runs limit 1' -o "$t/a.csv" && cat "$t/a.csv"
  run
  lr=0.03/seed=1
  $ smilog summarize -q ../../../fixtures/sweep --sql 'select nothing' -o "$t/a.csv"
  2> smilog: --sql: near "nothing": syntax error
  2> try: smilog help summarize
  [2]
  $ cat "$t/a.csv"
  run
  lr=0.03/seed=1

sql unicode
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log a
  $ echo '{"größe": "ü"}' >"$t/a/config.json"
  $ smilog summarize -q "$t" --where "param.größe = 'ü'" --columns run,param.größe
  run  param.größe
  a    ü
  $ smilog summarize -q "$t" --sql "select größe, length(größe) as n from param" --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["größe", "n"], "rows": [
  {"größe": "ü", "n": 1}
  ]}
  $ smilog summarize -q "$t" --where "param.größ = 1"
  2> smilog: --where: there is no column "param.größ"; did you mean param."größe"?
  [2]

wasted h
# What everybody calls the waste is a column of questions; a joined column of that name is what it is.
  $ see() { smilog summarize -q ../../../fixtures/sweep --format csv "$@"; }
  $ see --where 'wasted_h > 1' --sort -wasted_h --columns run,wasted_h,wasted_total_h
  run,wasted_h,wasted_total_h
  lr=0.3/seed=2,1.378471,1.378471
  lr=0.3/seed=3,1.056092,1.056092
  $ see --group-by param.lr --columns wasted_h --sort -wasted_h_mean
  param.lr,n,wasted_h_mean,wasted_h_sd,wasted_h_n
  0.3,4,0.850429,0.535241,3
  0.1,4,0.179256,0.068231,4
  0.03,4,0.118116,0.002406,4
  $ see --sql 'select sum(wasted_h) as sum, sum(wasted_total_h) as total from runs'
  sum,total
  3.740772,3.740772
  $ see --sql 'select * from runs' | head -n 1 | grep -c wasted_h
  0
  [1]
  $ dir=$(mktemp -d)
  $ printf 'run,wasted_h\nlr=0.1/seed=1,77\n' >"$dir/a.csv"
  $ see --join "$dir/a.csv" --where 'wasted_h > 1' --columns run,wasted_h
  run,wasted_h
  lr=0.1/seed=1,77
  $ smilog check -q --join "$dir/a.csv" --where "run = 'lr=0.1/seed=1'" --fail-if 'wasted_h > 1' ../../../fixtures/sweep
        LIMIT          VALUE  RUN
  FAIL  wasted_h <= 1     77  lr=0.1/seed=1
  1 limit broken by 1 of 1 run
  [1]
  $ smilog check -q --fail-if 'wasted_h > 1.2' ../../../fixtures/sweep
              LIMIT            VALUE  RUN
  FAIL        wasted_h <= 1.2   1.38  lr=0.3/seed=2
  not judged  no reading           -  lr=0.3/seed=4: no GPU log
  1 limit broken by 1 of 12 runs, 1 run could not be judged
  [1]

where a comment ends with it
  $ smilog summarize -q ../../../fixtures/sweep --where 'idle_pct > 50 -- all of them' --columns run
  run
  lr=0.3/seed=3

where a number in quotes
# Compared with a column of numbers, a number in quotes is the number; compared with a column of texts it is a text.
  $ dir=$(mktemp -d)
  $ for i in 1 2; do
  >     mkdir -p "$dir/r$i" && cp ../../../fixtures/query_units.csv "$dir/r$i/hw.csv"
  >     echo "{\"lr\": 0.$i, \"tag\": \"$i\"}" >"$dir/r$i/config.json"
  > done
  $ see() { echo "$*"; smilog summarize --format csv --columns run "$@" "$dir" 2>&1; }
  $ see --where "lr = '0.1'"
  --where lr = '0.1'
  run
  r1
  $ see --where "param.lr <> '0.1' and tag = '2'"
  --where param.lr <> '0.1' and tag = '2'
  run
  r2
  $ see --where "param.\"lr\" in ('0.1', '0.2')"
  --where param."lr" in ('0.1', '0.2')
  run
  r1
  r2
  $ see --where "idle_pct > '0'"
  --where idle_pct > '0'
  run
  r1
  r2
  $ see --where "tag = '2'"
  --where tag = '2'
  run
  r2
  $ see --where "run = '0.1' or start > '2024' or substr(run, 2) = '2' or cast(lr as text) = '0.2'"
  --where run = '0.1' or start > '2024' or substr(run, 2) = '2' or cast(lr as text) = '0.2'
  run
  r1
  r2
  $ for expr in "lr = '0.1'" "tag = '3'" "tag = '2'"; do
  >     smilog check -q --fail-if "$expr" "$dir" 2>&1; echo "$?"
  > done
        LIMIT              VALUE  RUN
  FAIL  lr = '0.1' holds  lr 0.1  r1
  1 limit broken by 1 of 2 runs
  1
  0
        LIMIT            VALUE  RUN
  FAIL  tag = '2' holds  tag 2  r2
  1 limit broken by 1 of 2 runs
  1

where a parameter without its prefix
  $ smilog summarize -q ../../../fixtures/sweep --where 'lr = 0.03 and seed > 2' --columns run
  run
  lr=0.03/seed=3
  lr=0.03/seed=4

where a plain name is a column of runs
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log state=5/run=x/hostname=y
  $ smilog summarize -q "$t" --where "state = 'unknown' and param.state = 5" --columns run,state,param.state
  run                       state    param.state
  state=5/run=x/hostname=y  unknown            5

where double quotes are no text
  $ smilog summarize -q ../../../fixtures/sweep --where 'state = "ok"'
  2> smilog: --where: there is no column "ok" (a text is written 'ok'); see smilog list columns
  [2]

where finds parameters by any name
# Names with many points, with a number between two points, and in other letters need no quotes; a limit says which value it was.
  $ dir=$(mktemp -d)
  $ for i in 1 2; do
  >     mkdir -p "$dir/r$i" && cp ../../../fixtures/query_units.csv "$dir/r$i/hw.csv"
  >     echo "{\"net\": {\"enc\": {\"layers\": {\"0\": {\"dim\": $i}}}}, \"größe\": $i, \"opt\": {\"name\": \"a$i\"}}" >"$dir/r$i/config.json"
  > done
  $ for expr in 'net.enc.layers.0.dim > 1' 'layers.0.dim>1' 'abs(dim) > 1' 'größe > 1' "name = 'a2' -- it's name" 'not dim > 1' 'a.b.c.d > 1'; do
  >     smilog summarize -q --where "$expr" --columns run "$dir" 2>&1 | tail -n 1
  >     smilog check -q --fail-if "$expr" "$dir" 2>/dev/null | grep FAIL
  > done
  r2
  FAIL  net.enc.layers.0.dim <= 1      2  r2
  r2
  FAIL  layers.0.dim <= 1      2  r2
  r2
  FAIL  abs(dim) > 1 holds  net.enc.layers.0.dim 2  r2
  r2
  FAIL  größe <= 1      2  r2
  r2
  FAIL  name = 'a2' -- it's name holds  opt.name a2  r2
  r1
  FAIL  not dim > 1 holds  net.enc.layers.0.dim 1  r1
  smilog: --where: near ".": syntax error
  [1]

where is of a merge too
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial ../../../fixtures/sweep -o "$t/a.partial"
  $ smilog merge -q --where 'idle_pct > 50' --columns run,idle_pct "$t/a.partial"
  run             idle_pct
  lr=0.3/seed=3  53.072629
  $ smilog summarize -q --partial --where 1 ../../../fixtures/sweep
  2> smilog: a partial summary holds every run: ask smilog merge
  2> try: smilog help summarize
  [2]

where keeps the runs of which it holds
  $ smilog summarize -q ../../../fixtures/sweep --where 'idle_pct > 9 and state = '\''ok'\''' --format csv | cut -d, -f1,2,8,34
  run,state,param.model,vram_total_mb
  lr=0.1/seed=3,ok,hestonnn,81559.0
  lr=0.3/seed=3,ok,hestonnn,81559.0

where misspelt column
  $ smilog summarize -q ../../../fixtures/sweep --where 'idle_pc > 10'
  2> smilog: --where: there is no column "idle_pc"; did you mean idle_pct?
  [2]

where misspelt far
  $ smilog summarize -q ../../../fixtures/sweep --where 'colour > 10'
  2> smilog: --where: there is no column "colour" (a text is written 'colour'); see smilog list columns
  [2]

where misspelt parameter
  $ smilog summarize -q ../../../fixtures/sweep --where 'param.lrr > 10'
  2> smilog: --where: there is no column "param.lrr"; did you mean param.lr?
  [2]

where misspelt parameter of no prefix
  $ smilog summarize -q ../../../fixtures/sweep --where 'seeed > 10'
  2> smilog: --where: there is no column "seeed"; did you mean param.seed?
  [2]

where misspelt part of a name
  $ smilog summarize -q ../../../fixtures/sweep --where 'throttled > 10'
  2> smilog: --where: there is no column "throttled"; did you mean throttled_pct?
  [2]

where none is said
  $ smilog summarize ../../../fixtures/sweep/lr=0.03 --where 'idle_pct > 100'
  0 of 4 runs in ../../../fixtures/sweep/lr=0.03


  quality: complete
  0 runs
  2> smilog: warning: no run of 4 is what was asked for: --where 'idle_pct > 100' leaves none
  $ smilog summarize -q ../../../fixtures/sweep/lr=0.03 --where 'idle_pct > 100' --format jsonl

where null is not true
  $ smilog summarize -q ../../../fixtures/sweep --where 'not idle_pct > 10' --columns run,idle_pct | grep -c 'seed=4'
  2
  $ smilog summarize -q ../../../fixtures/sweep --where 'idle_pct is null' --columns run
  run
  lr=0.3/seed=4

where other tables
  $ smilog summarize -q ../../../fixtures/sweep --where 'run in (select run from gpus where gpu_util_pct_p95 < 60)' --columns run
  run
  lr=0.3/seed=3
  $ smilog summarize -q ../../../fixtures/sweep --where "(select seconds from phases p where p.run = runs.run and name = 'compile') > 110" --columns run
  run
  lr=0.03/seed=1
  lr=0.03/seed=2
  lr=0.03/seed=3
  lr=0.03/seed=4
  lr=0.1/seed=1
  lr=0.1/seed=2
  lr=0.1/seed=3
  lr=0.1/seed=4
  lr=0.3/seed=1
  lr=0.3/seed=2
  lr=0.3/seed=3
  lr=0.3/seed=4

where stands by itself
  $ for e in '1) or (1' '1; select 1' '1 /*' '1 then 2 when 3' '1) limit (3' '1) union select (1' '' ' ' 'sum(idle_pct)' 'run run' 'select 1'; do smilog summarize -q ../../../fixtures/sweep --where "$e"; echo $?; done 2>&1
  smilog: --where: near ")": syntax error
  try: smilog help summarize
  2
  smilog: --where: near ";": syntax error
  try: smilog help summarize
  2
  smilog: --where: incomplete input
  try: smilog help summarize
  2
  smilog: --where: near "then": syntax error
  try: smilog help summarize
  2
  smilog: --where: near ")": syntax error
  try: smilog help summarize
  2
  smilog: --where: near ")": syntax error
  try: smilog help summarize
  2
  smilog: --where is empty
  try: smilog help summarize
  2
  smilog: --where is empty
  try: smilog help summarize
  2
  smilog: --where: misuse of aggregate function sum()
  try: smilog help summarize
  2
  smilog: --where: near "run": syntax error
  try: smilog help summarize
  2
  smilog: --where: near "select": syntax error
  try: smilog help summarize
  2

where table says of how many
  $ smilog summarize -q ../../../fixtures/sweep --where 'param.lr = 0.1' | head -n 1
  4 of 12 runs in ../../../fixtures/sweep   2 x H100 80GB HBM3   batch=4096 epochs=50 lr=0.1 model=hestonnn

where total is of what is left
  $ smilog summarize -q ../../../fixtures/sweep --where 'param.lr = 0.1' --json | sed -n 's/.*\("total": {"runs": [0-9]*, "failed": [0-9]*\).*/\1/p'
  "total": {"runs": 4, "failed": 0

where works for every output
  $ for f in json jsonl csv md; do
  >     smilog summarize -q ../../../fixtures/sweep --where "run like '%seed=3'" --format $f | grep -o 'lr=[0-9.]*/seed=[0-9]' | sort -u | paste -sd ' '
  > done
  lr=0.03/seed=3 lr=0.1/seed=3 lr=0.3/seed=3
  lr=0.03/seed=3 lr=0.1/seed=3 lr=0.3/seed=3
  lr=0.03/seed=3 lr=0.1/seed=3 lr=0.3/seed=3
  lr=0.03/seed=3 lr=0.1/seed=3 lr=0.3/seed=3
  $ smilog summarize -q ../../../fixtures/sweep --where "run like '%seed=3'" --format line | wc -l
  3
  $ smilog summarize -q ../../../fixtures/sweep --where "run like '%seed=3'" | grep -c '^lr='
  3

states in upper and lower case
  $ for expr in "state = 'OK'" "state in ('Ok', 'X')" "state <> 'CUT' and state <> 'FAILED'"; do smilog summarize -q --where "$expr" --columns run ../../../fixtures/sweep | wc -l; done
  10
  10
  11
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ smilog summarize -q --format ledger --tz UTC ../../../fixtures/sweep >"$d/ledger"; smilog merge -q "$d/ledger" --where "state = 'OK'" --group-by state --columns state,jobs
  state  jobs
  ok        9

options are looked at before any log
# What no log can make right is said first: there is no such PATH.
  $ for o in '--where=(' '--where=frobnicate(run)' '--sql=SELECT' '--sql=SELECT 1 FROM nope' --since=never --until=soon --join=/nonexistent.csv '--columns=run,,state'; do
  >     smilog summarize "$o" /nonexistent 2>&1 | head -n 1
  > done
  smilog: --where: incomplete expression
  smilog: --where: there is no function "frobnicate"; besides SQLite's own there are mean, stddev, median and p95
  smilog: --sql: incomplete input
  smilog: --sql: there is no table "nope"; there are runs, param, gpus, phases and findings
  smilog: --since needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "never"
  smilog: --until needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age as 90m, 12h or 7d: not "soon"
  smilog: --join: cannot open /nonexistent.csv: No such file or directory
  smilog: --columns: a name is missing in "run,,state"
  $ smilog check --fail-if 'idle_pct >' /nonexistent 2>&1 | head -n 1
  smilog: --fail-if: incomplete expression
# A name may be that of a parameter: the logs say so.
  $ for o in --where=lr=1 --where=net.0.dim=1 --sort=lr --columns=lr; do smilog summarize -q "$o" /nonexistent; done
  2> smilog: no usable log in /nonexistent: No such file or directory
  2> smilog: no usable log in /nonexistent: No such file or directory
  2> smilog: no usable log in /nonexistent: No such file or directory
  2> smilog: no usable log in /nonexistent: No such file or directory
  [3]

a large whole number beside a real one
# Numbers that a real does not hold stay what they are, and so do texts that look like numbers.
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >"$t/$1/hw.csv"; }
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log a; log b
  $ echo '{"id": 9007199254740993, "tag": "007", "lr": 1, "ok": true}' >"$t/a/config.json"
  $ echo '{"id": 0.5, "tag": 8, "lr": 0.5, "ok": null}' >"$t/b/config.json"
  $ smilog summarize -q "$t" --columns id,tag,lr,ok --format csv
  id,tag,lr,ok
  9007199254740993,007,1.0,true
  0.5,8,0.5,
  $ smilog summarize -q "$t" --where "lr = '1' and tag = '007'" --columns id,tag,lr,ok --format csv
  id,tag,lr,ok
  9007199254740993,007,1.0,true
# In a column of both a number in quotes would be none: a gate must not pass for that.
  $ smilog check -q "$t" --fail-if "tag = '8'"
  2> smilog: --fail-if: a number beside texts is written without quotes
  2> try: smilog help check
  [2]
