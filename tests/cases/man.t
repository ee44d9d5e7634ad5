a page of nothing
  $ smilog help --man frobnicate; echo $?
  2
  2> smilog: there is no command frobnicate
  2> try: smilog help
  $ smilog help --man sumarize; echo $?
  2
  2> smilog: there is no command sumarize; did you mean summarize?
  2> try: smilog help

every option is in its page
# What help lists, and what the page has, as sets of long options.
  $ for command in $(smilog help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
  >     diff <(smilog help $command | grep -E '^  (-.,|   ) --' | grep -oE -e '--[a-z0-9-]+' | sort -u) \
  >         <(smilog help --man $command | sed 's/\\-/-/g' | grep -A 1 -x .TP | grep '^.fB-' |
  >             grep -oE -e '--[a-z0-9-]+' | sort -u) ||
  >         echo "$command differs"
  >     n=$((n + 1))
  > done
  $ [ $n -ge 12 ] && echo same
  same

example in python runs
# smilog-json(5) has a Python program: it runs as it stands.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && ln -s "$root/tests/fixtures/sweep" "$d/out" || exit
  $ smilog help --man json | mandoc -T utf8 -O width=80 | sed "s/.\x08//g" | sed -n "/^       import json/,/^ *print/s/^       //p" >"$d/example.py"
  $ cd "$d" && python3 example.py
  lr=0.3/seed=2 1.378471 ['out of memory at 59.6 of 79.6 GiB']
  lr=0.3/seed=3 1.056092 ['GPU 1 never above 0 %, no memory in use', 'idle 3m40s before the first work, 2m19s of it in phase compile']
  lr=0.1/seed=3 0.29459 ['idle 3m40s before the first work, 2m20s of it in phase compile', 'both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy']

examples run
# Every example of help, which is in the man pages too: it runs in a folder that has what it names, or its reason not to is below.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ sweep=$root/tests/fixtures/sweep
  $ skipped() { # why an example does not run here
  >     case $1 in
  >     *clickhouse:*) echo "needs a ClickHouse server: tests/system/clickhouse_check.py" ;;
  >     *ssh\ *) echo "needs another machine" ;;
  >     *'| jq'* | *--listen* | 'smilog live' | *'live -o'* | *'follow out/run7' | *'&') echo "goes on until it is stopped: cases of live and follow" ;;
  >     *--pid\ 4711* | *'python train.py'*) echo "needs a process, a program: cases of run" ;;
  >     *--replay*) echo "plays for a minute: cases of live" ;;
  >     *'man -l'*) echo "needs man: case pages_pass_the_checks_of_mandoc" ;;
  >     *bash-completion*) echo "writes into the home directory" ;;
  >     esac
  > }
  $ prepare() { # what the examples name
  >     mkdir -p out before after part1 part2 ledger
  >     cp -r "$sweep/lr=0.1" out/; for n in 1 2 3; do mv "out/lr=0.1/seed=$n" "out/lr=0.1/seed$n"; done
  >     cp -r "$sweep/lr=0.1/seed=3" out/run7; cp -r "$sweep/lr=0.3" before/; cp -r "$sweep/lr=0.1" after/
  >     cp -r "$sweep/lr=0.3/seed=1" part1/a; cp -r "$sweep/lr=0.3/seed=2" part2/b
  >     cp out/run7/hw_metrics.csv .; rm -f out/run7/hw_dmon.csv
  >     smilog summarize -q --json before/ -o old.json
  >     smilog summarize -q --format ledger --param user=ada --param account=nlp part1 -o ledger/1.ledger
  >     printf '#!/bin/sh\nexit 0\n' >train.sh; chmod +x train.sh
  >     mkdir parts; smilog summarize -q --partial part1 -o parts/1.partial
  > }
  $ for command in summarize report merge diff check live follow run export log list help; do
  >     mkdir "$t/$command" && cd "$t/$command" || exit
  >     prepare $command >/dev/null 2>&1
  >     smilog help $command | sed -n -E 's/^  (smilog .*)/\1/p' | sed -E 's/ {2,}.*$//' >.lines
  >     while IFS= read -r line <&3; do
  >         why=$(skipped "$line")
  >         [ -z "$why" ] || { echo "not run: $line: $why"; continue; }
  >         echo "\$ $line"
  >         timeout 60 bash -c "$line" >.printed 2>.said </dev/null
  >         status=$?
  >         case $command in live | follow | run) : >.printed ;; esac # depends on time
  >         head -n 3 .printed | cut -c1-90
  >         [ $status = 0 ] || { echo "status $status"; grep '^smilog' .said | grep -v warning | head -n 2 | cut -c1-120; }
  >     done 3<.lines
  > done
  \x24 smilog summarize (esc)
  16 runs in .   2 x H100 80GB HBM3
  2026-07-03 22:11 to 2026-07-04 05:34, UTC+02:00 (inferred) (1 run without a zone not among

  \x24 smilog summarize -v out/lr=0.1/seed3 (esc)
  seed3   ok   1h00m   2026-07-04 00:12:44 to 01:13:05, UTC+02:00 (inferred)
  2 x H100 80GB HBM3   pod-3   params: lr=0.1 seed=3 model=hestonnn batch=4096 epochs=50

  \x24 smilog summarize out/ -o runs.csv (esc)
  \x24 smilog summarize --json hw_metrics.csv (esc)
  {"schema": "smilog/1", "generator": "smilog VERSION", "runs": [
  {"run": "summarize", "state": "unknown", "state_reason": null, "exit_code": null, "hostnam
  ], "missing": [], "total": {"runs": 1, "failed": 0, "gpus": 2, "duration_s": 3611.789, "gp
  \x24 smilog summarize --where 'idle_pct > 10' --sort -idle_pct out/ (esc)
  2 of 5 runs in out/   2 x H100 80GB HBM3   batch=4096 epochs=50 lr=0.1 model=hestonnn seed
  2026-07-04 00:12 to 01:13, UTC+02:00 (inferred)   sampled every 10.0 s

  \x24 smilog summarize --group-by param.lr --columns idle_pct,energy_wh (esc)
  param.lr  n  idle_pct_mean  idle_pct_sd  idle_pct_n  energy_wh_mean  energy_wh_sd  energy_
       0.1  9      10.409741     3.103624           9      482.570503     84.167479        \x20 (esc)
       0.3  6      16.515794    18.327218           5      430.571664     89.16529         \x20 (esc)
  \x24 smilog summarize --format line --timeout 2 --exit-zero out/ (esc)
  {"v":1,"run":"lr=0.1/seed1","ngpu":2,"gpu_util":79.3,"gpu_mem_max":42291,"gpu_power":540.0
  {"v":1,"run":"lr=0.1/seed2","ngpu":2,"gpu_util":78.4,"gpu_mem_max":42291,"gpu_power":537.1
  {"v":1,"run":"lr=0.1/seed3","ngpu":2,"gpu_util":72.2,"gpu_mem_max":42291,"gpu_power":512.1
  \x24 smilog summarize parts/ (esc)
  a   ok   59m35s   2026-07-04 01:51:33 to 02:51:08, UTC+02:00 (inferred)
  2 GPUs   pod-1   params: model=hestonnn batch=4096 lr=0.3 seed=1 epochs=50   files: cpu_me

  \x24 smilog report out/ (esc)
  \x24 smilog report out/ -o sweep.html (esc)
  \x24 smilog report out/ -o sweep.md (esc)
  \x24 smilog report out/run7 -o run7.svg (esc)
  \x24 smilog report --where 'idle_pct > 10' out/ -o idle.md (esc)
  \x24 smilog report --price-gpu-hour 2.49 out/ -o sweep.md (esc)
  \x24 smilog summarize --partial part1/ -o 1.partial (esc)
  \x24 smilog summarize --partial part2/ -o 2.partial (esc)
  \x24 smilog merge 1.partial 2.partial (esc)
  2 runs in partial summaries   2 GPUs   batch=4096 epochs=50 lr=0.3 model=hestonnn
  2026-07-04 01:51 to 03:33, UTC+02:00 (inferred)   sampled every 10.0 s

  \x24 smilog merge --run all --json *.partial (esc)
  {"schema": "smilog/1", "generator": "smilog VERSION", "runs": [
  {"run": "all", "state": "ok", "state_reason": null, "exit_code": 0, "hostname": "pod-1", "
  {"run": "all", "state": "failed", "state_reason": "out of memory", "exit_code": 1, "hostna
  \x24 smilog merge --partial *.partial -o rack.partial (esc)
  \x24 smilog merge ledger/ --group-by user (esc)
  user  jobs  gpu_hours    used_h    idle_h  failed_h  held_idle_h   used_pct  unknown_h  me
  ada      1   1.984343  1.867619  0.116724       0.0          0.0  94.117729        0.0   \x20 (esc)
  \x24 smilog merge ledger/ --where "month = '2026-07'" (esc)
  user  account  jobs  gpu_hours    used_h    idle_h  failed_h  held_idle_h   used_pct  unkn
  ada   nlp         1   1.984343  1.867619  0.116724       0.0          0.0  94.117729     \x20 (esc)
  \x24 smilog diff before/ after/ (esc)
  A: before/, 4 runs
  B: after/, 4 runs
  4 pairs (4 by parameters), 1 configuration x 4 repeats (seed)
  \x24 smilog diff out/lr=0.1/seed1 out/lr=0.1/seed2 (esc)
  A: out/lr=0.1/seed1, 1 run
  B: out/lr=0.1/seed2, 1 run
  one run against one
  \x24 smilog summarize --json before/ -o before.json (esc)
  \x24 smilog diff before.json after/ -o diff.md (esc)
  \x24 smilog diff --columns gpu_util_mean_pct,energy_wh before/ after/ (esc)
  A: before/, 4 runs
  B: after/, 4 runs
  4 pairs (4 by parameters), 1 configuration x 4 repeats (seed)
  \x24 smilog diff --repeats attempt --where "state = 'ok'" before/ after/ (esc)
  A: before/, 2 runs
  B: after/, 3 runs
  2 pairs (2 by parameters), 1 configuration x 2 repeats (seed)
  \x24 smilog check --max-idle-pct 10 --min-gpu-util 60 out/ (esc)
        LIMIT           VALUE  RUN
  FAIL  idle_pct <= 10   14.7  lr=0.1/seed3
  FAIL  idle_pct <= 10   14.7  run7
  status 1
  \x24 smilog check --fail-if 'idle_pct > 10 or wasted_h > 0.5' out/ (esc)
        LIMIT                                                         VALUE  RUN
  FAIL  idle_pct > 10 or wasted_h > 0.5 holds  idle_pct 14.7, wasted_h 0.29  lr=0.1/seed3
  FAIL  idle_pct > 10 or wasted_h > 0.5 holds  idle_pct 14.7, wasted_h 0.29  run7
  status 1
  \x24 smilog check --fail-on warn out/lr=0.1/seed3 (esc)
        LIMIT                                   VALUE  RUN
  FAIL  no finding of level warn or above  idle 5m10s  seed3
  1 limit broken by 1 of 1 run
  status 1
  \x24 smilog check --baseline old.json --tolerance 5% out/ (esc)
              LIMIT                                                             VALUE  RUN
  FAIL        energy_wh <= baseline + max(5 %, 1)          513.8, was 341.8 (+50.3 %)  lr=0.
  FAIL        idle_pct <= baseline + max(5 %, 1)             7.5, was 5.9 (+28.2 %)    lr=0.
  status 1
  \x24 smilog check -q --fail-on error . || touch FAILED (esc)
              LIMIT                              VALUE  RUN
  FAIL        no finding of level error  out of memory  before/lr=0.3/seed=2
  FAIL        no finding of level error  out of memory  part2/b
  \x24 smilog check --max-vram-mb 40000 out/ -o check.xml (esc)
  status 1
  \x24 smilog check --expect 20 out/ (esc)
              LIMIT     RUN
  not judged  not here  15 of 20 runs: expected
  5 runs, 15 of 20 runs expected are not here
  status 5
  \x24 smilog check --max-temp 85 --format github out/ (esc)
  ok    1 limit holds in 5 runs
  not run: smilog live: goes on until it is stopped: cases of live and follow
  not run: smilog live -o out/run7 -q & ./train.sh; kill %1: goes on until it is stopped: cases of live and follow
  not run: smilog live -o out/run7 -q --for 2h: goes on until it is stopped: cases of live and follow
  not run: smilog live --format jsonl | jq '.gpus[].gpu_util_pct': goes on until it is stopped: cases of live and follow
  \x24 smilog live --once --expect-gpus 8 || echo look (esc)
  not run: smilog live --replay out/run7 --speed 60: plays for a minute: cases of live
  not run: smilog live --listen 9400: goes on until it is stopped: cases of live and follow
  not run: smilog follow out/run7: goes on until it is stopped: cases of live and follow
  not run: smilog follow --exec 'ssh node7 tail -c +%o -F run7/hw.csv': needs another machine
  not run: smilog follow --store all.sqlite -q out/ &: goes on until it is stopped: cases of live and follow
  \x24 smilog follow --once out/run7 (esc)
  not run: smilog run python train.py --lr 0.1: needs a process, a program: cases of run
  \x24 smilog run -o out/run7 -- ./train.sh (esc)
  not run: smilog run --pid 4711 -o out/run8: needs a process, a program: cases of run
  \x24 smilog run --format gpu-tracker-json --usage u.json -q -- ./train.sh (esc)
  \x24 smilog run --tracking-file t.csv --ram-unit megabytes -- ./train.sh (esc)
  \x24 smilog export out/ --to sqlite:runs.db (esc)
  \x24 smilog export out/ --to csv:samples.csv (esc)
  \x24 smilog export out/ --to jsonl:samples.jsonl (esc)
  \x24 smilog export --where 'idle_pct > 10' out/ --to jsonl:- | head (esc)
  {"run": "lr=0.1/seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-
  {"run": "lr=0.1/seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-
  {"run": "lr=0.1/seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-
  not run: smilog export out/ --to clickhouse://db1/runs: needs a ClickHouse server: tests/system/clickhouse_check.py
  \x24 smilog export --dry-run out/ --to jsonl:- (esc)
  jsonl:-: 5 runs, 7609 rows, 277 marks
  \x24 smilog log out/run.jsonl event start lr=0.1 seed=3 (esc)
  \x24 smilog log out/run.jsonl event reload weights=v412 'gpus:=[0, 1]' (esc)
  \x24 smilog list metrics (esc)
  METRIC                                   UNIT  KIND     MEANING
  gpu_util_pct                             %     gauge    Share of the last sample period in
  gpu_util_peak_pct                        %     gauge    Largest gpu_util_pct within an int
  \x24 smilog list rules --json (esc)
  [{"rule": "failed", "of": "finding", "level": "error", "unit": null, "side": null, "limit"
  \x24 smilog list schema json >smilog.schema.json (esc)
  \x24 smilog help summarize (esc)
  Summarizes runs: what each run used, how much of it was wasted and why, and
  what is wrong in its logs.

  not run: smilog help --man check | man -l -: needs man: case pages_pass_the_checks_of_mandoc
  not run: smilog help --complete bash >~/.local/share/bash-completion/completions/smilog: writes into the home directory

pages fit 80 columns
  $ command -v mandoc >/dev/null || exit 77
  $ for page in $(smilog help --man-list); do
  >     name=${page#smilog}; name=${name#-}
  >     smilog help --man ${name%.*} | mandoc -T ascii -O width=80 | sed 's/.\x08//g' | awk -v page="$page" 'length > 80 {print page ": " $0} /^[A-Z]/ {n++} END {if (n < 5) print page " is short"}'
  > done
  smilog-help.1:        smilog help --complete bash >~/.local/share/bash-completion/completions/smilog

pages pass the checks of mandoc
  $ command -v mandoc >/dev/null || exit 77
  $ for page in $(smilog help --man-list); do
  >     name=${page#smilog}; name=${name#-}
  >     smilog help --man ${name%.*} | mandoc -T lint -W style | sed "s/^/$page /"
  >     n=$((n + 1))
  > done
  $ [ $n -gt 12 ] && echo clean
  clean
