a directory of parts
# All partial summaries below a directory are merged, whatever lies beside them; one that holds none is an error.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ cd "$d" || exit
  $ mkdir -p a/b empty
  $ ln -s "$OLDPWD/../../../fixtures" fixtures
  $ for s in 1 2; do smilog summarize -q --partial "fixtures/sweep/lr=0.1/seed=$s" -o "$s"; done
  $ mv 1 a/x
  $ gzip -c 2 >a/b/y
  $ cp -r "fixtures/sweep/lr=0.1/seed=1" a
  $ smilog merge -q --json a | cmp - <(smilog merge -q --json a/x 2) && echo the same
  the same
  $ smilog merge empty
  2> smilog: empty holds no partial summary and no ledger: smilog summarize takes directories of logs
  [3]
  $ echo "status $?"
  status 3
  $ smilog merge none
  2> smilog: cannot open none: No such file or directory
  [3]
  $ echo "status $?"
  status 3

a gpu without rows
# A GPU has a name and no reading, the machine has some: the partial summary says what the log says.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cat >log.jsonl <<'LOG'
  > {"wandb": "run", "event": "start", "time": "2026-07-03T10:00:00.000Z", "data": {"host": "node1"}}
  > {"wandb": "gpu", "index": 0, "name": "NVIDIA A100-SXM4-40GB", "memory": 42949672960, "uuid": "GPU-00000000-0000-4000-8000-000000000000"}
  > {"wandb": "stats", "time": 1783072815.25, "memory_percent": 30.25}
  > {"wandb": "stats", "time": 1783072825.25, "memory_percent": 31.25}
  > {"wandb": "stats", "time": 1783072835.25, "memory_percent": 32.25}
  > LOG
  $ smilog summarize -q --partial log.jsonl -o part
  $ for f in log.jsonl part; do smilog summarize -q --json $f | grep -o '"time_mean": [0-9.]*\|"duration_s": [0-9.]*,'; done
  "duration_s": 35.25,
  "time_mean":\x20 (esc)
  "duration_s": 35.25,
  "duration_s": 1,
  "duration_s": 35.25,
  "time_mean":\x20 (esc)
  "duration_s": 35.25,
  "duration_s": 1,

all formats in two halves
  $ cat >part1/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,0.5,90.0
  > 2026-07-03T10:00:02.000+00:00,1.5,89.0
  > 2026-07-03T10:00:04.000+00:00,2.5,88.0
  > 2026-07-03T10:00:06.000+00:00,3.5,87.0
  > 2026-07-03T10:00:08.000+00:00,4.5,86.0
  > 2026-07-03T10:00:10.000+00:00,5.5,85.0
  > 2026-07-03T10:00:12.000+00:00,6.5,84.0
  > 2026-07-03T10:00:14.000+00:00,7.5,83.0
  > 2026-07-03T10:00:16.000+00:00,8.5,82.0
  > 2026-07-03T10:00:18.000+00:00,9.5,81.0
  > EOF
  $ cat >part1/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"lr": 0.5, "host": "pod-3"}}
  > {"ts": "2026-07-03T10:00:10.000+00:00", "type": "phase", "name": "fit", "seconds": 8}
  > EOF
  $ cat >part2/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:20.000+00:00,0.5,90.0
  > 2026-07-03T10:00:22.000+00:00,1.5,89.0
  > 2026-07-03T10:00:24.000+00:00,2.5,88.0
  > 2026-07-03T10:00:26.000+00:00,3.5,87.0
  > 2026-07-03T10:00:28.000+00:00,4.5,86.0
  > 2026-07-03T10:00:30.000+00:00,5.5,85.0
  > 2026-07-03T10:00:32.000+00:00,6.5,84.0
  > 2026-07-03T10:00:34.000+00:00,7.5,83.0
  > 2026-07-03T10:00:36.000+00:00,8.5,82.0
  > 2026-07-03T10:00:38.000+00:00,9.5,81.0
  > EOF
  $ cat >part2/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:30.000+00:00", "type": "phase", "name": "fit", "seconds": 8}
  > {"ts": "2026-07-03T10:00:30.500+00:00", "type": "event", "event": "memory", "data": {"peak_bytes_in_use": 1048576}}
  > {"ts": "2026-07-03T10:00:39.000+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --tz UTC --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/1.partial" "$t/2.partial" >"$t/merged"
  $ smilog summarize -q --json --tz UTC --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

another idle limit is refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ smilog summarize -q --partial --idle-below 5 log.csv -o "$t/2.partial"
  $ cd "$t"
  $ smilog merge --json 1.partial 2.partial 2>&1 | grep -o -e "^smilog: 2.partial" -e "--idle-below"
  > exit ${PIPESTATUS[0]}
  smilog: 2.partial
  --idle-below
  [3]

another version is refused
# Who wrote a partial summary of another schema, and what to do: of one of 0.1.0, and of others.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/now.partial"
  $ cp old.partial "$t"
  $ cd "$t"
  $ for n in 7 10 98 99 '' x; do sed "s,smilog-partial/[0-9]*,smilog-partial/$n," now.partial >"schema$n.partial"; done
  $ for f in old schema7 schema10 schema98 schema99 schema schemax; do
  >     smilog merge --json $f.partial 2>&1
  >     echo $?
  > done
  smilog: old.partial: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/8): make it again from the logs, with summarize --partial of this version
  3
  smilog: schema7.partial: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/7): make it again from the logs, with summarize --partial of this version
  3
  smilog: schema10.partial: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/10): make it again from the logs, with summarize --partial of this version
  3
  smilog: schema98.partial: document 1: a partial summary that a newer smilog wrote (smilog-partial/98): make it again from the logs, with summarize --partial of this version
  3
  smilog: schema99.partial: document 1: a partial summary that a newer smilog wrote (smilog-partial/99): make it again from the logs, with summarize --partial of this version
  3
  smilog: schema.partial: document 1: broken partial summary: cut or changed
  3
  smilog: schemax.partial: document 1: broken partial summary: cut or changed
  3
  $ smilog merge -q --json now.partial old.partial 2>&1
  smilog: old.partial: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/8): make it again from the logs, with summarize --partial of this version
  [3]
  $ smilog summarize old.partial 2>&1
  smilog: old.partial: document 1: a partial summary that smilog VERSION or older wrote (smilog-partial/8): make it again from the logs, with summarize --partial of this version
  [3]

cut by a byte partial is refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ cd "$t"
  $ head -c -2 1.partial >2.partial
  $ smilog merge 2.partial 2>&1 | grep -o "broken partial summary.*"
  > exit ${PIPESTATUS[0]}
  broken partial summary: documents are missing, or their end was changed
  [3]

different runs make a sweep
  $ mkdir -p out/lr=0.1 out/lr=0.2
  $ cat >out/lr=0.1/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/lr=0.2/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial out/lr=0.1 -o "$t/1.partial"
  $ smilog summarize -q --partial out/lr=0.2 -o "$t/2.partial"
  $ smilog merge -q --json "$t"/?.partial | python3 -SE ../../pick.py '/runs/*/run' '/runs/*/params' /total/runs
  /runs/*/run ["lr=0.1", "lr=0.2"]
  /runs/*/params [{"lr": 0.1}, {"lr": 0.2}]
  /total/runs 2

doubts of the partials are told
# what summarize says and ends with, merge of its partial says too: a log that ends early, one whose columns are not known,
# a file that is no log, a directory beside its archive, paths that are not there or given twice
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ log=$PWD/../../../fixtures/query_nounits.csv
  $ mkdir -p "$d/runs/a" "$d/runs/b"
  $ gzip -cn "$log" | head -c -9 >"$d/runs/a/gpu.csv.gz"
  $ cp "$log" "$d/runs/b/gpu.csv"
  $ cut -d, -f1-4 "$log" | sed 1d >"$d/runs/b/more.csv"
  $ cd "$d" || exit
  $ tar cf runs.tar runs
  $ both() { # PATH...: in one pass, and by way of a partial
  >     smilog summarize --strict "$@" 2>whole >whole.out; echo "$*: $?"
  >     smilog summarize -q --strict --partial "$@" >p; echo "partial $?"
  >     smilog merge --strict p 2>merged >merged.out; echo "merge $?"
  >     diff whole merged && diff <(grep usable whole.out) <(grep usable merged.out) && echo "the same"
  > }
  $ both runs/a
  runs/a: 1
  partial 1
  merge 1
  the same
  $ both runs/a/gpu.csv.gz
  runs/a/gpu.csv.gz: 1
  partial 1
  merge 1
  the same
  $ both runs/b
  runs/b: 1
  partial 1
  merge 1
  the same
  $ both runs/a runs/a runs/b none.csv
  runs/a runs/a runs/b none.csv: 1
  partial 1
  merge 1
  the same
  $ both .
  .: 1
  partial 1
  merge 1
  the same
  $ cat merged; grep usable merged.out
  smilog: runs/b/more.csv: warning: has no header, and 4 columns that are not known: name them with --input-columns; first row "2020/10/05 23:59:50.704, GPU-1b9d5c04-77aa-c0de-9e3f-08d2f64b1a35, [Not Supporte..."
  smilog: runs/a: warning: gpu.csv.gz: its gzip data ends early: what came before (1603 bytes) is used
  smilog: runs.tar: warning: logs that lie unpacked beside it: 3, not read, so that rows count once
  smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  warnings: 1 path given twice (runs.tar), 2 files not usable (runs/b/more.csv first)
  $ smilog summarize -q --partial runs/b/gpu.csv >p; smilog merge --strict p p 2>&1 >/dev/null; echo "given twice $?"
  smilog: p: warning: a partial summary given twice: counted once
  given twice 1

duplicate at the cut
# The last row of the first half comes again.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

file is not there
  $ smilog merge none.partial
  2> smilog: cannot open none.partial: No such file or directory
  [3]

gap at the cut
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

gpus are chosen by the merge
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:00.001, 1, 60, 110.00
  > 2026/07/03 10:00:00.002, 2, 70, 120.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.001, 1, 60, 110.00
  > 2026/07/03 10:00:02.002, 2, 70, 120.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/x.partial"
  $ smilog merge --json --gpus 1 "$t/x.partial" | python3 -SE ../../pick.py 'gpus/*/gpu' summary/power_watts_mean
  gpus/*/gpu [1]
  summary/power_watts_mean 110.0
  $ smilog summarize --partial --gpus 1 log.csv
  2> smilog: a partial summary holds all GPUs: give --gpus to smilog merge
  2> try: smilog help summarize
  [2]

halves are the one file
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ head -n 15 log.csv >"$t/1.csv"
  $ (head -n 1 log.csv; tail -n +16 log.csv) >"$t/2.csv"
  $ for i in 1 2; do smilog summarize -q --partial --run r "$t/$i.csv" -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t"/?.partial >"$t/merged"
  $ smilog summarize -q --json --run r log.csv >"$t/whole"
  $ python3 -SE - "$t/merged" "$t/whole" <<'E'
  > import json, sys
  > a, b = (json.load(open(f)) for f in sys.argv[1:])
  > for d in (a, b):
  >     del d["runs"][0]["inputs"]
  > print(a == b)
  > E
  True

host of the run log holds for all parts
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T08:00:00.000+00:00", "type": "event", "event": "start", "data": {"host": "node7"}}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial --run r log.csv -o "$t/1"
  $ smilog summarize -q --partial --run r run.jsonl -o "$t/2"
  $ smilog merge -q --json "$t/1" "$t/2" | python3 -SE ../../pick.py \
  >     /runs/*/hostname /runs/*/energy_wh
  /runs/*/hostname ["node7"]
  /runs/*/energy_wh [0.055556]
  $ smilog merge -q --json "$t/2" "$t/1" | python3 -SE ../../pick.py \
  >     /runs/*/hostname /runs/*/energy_wh
  /runs/*/hostname ["node7"]
  /runs/*/energy_wh [0.055556]

hosts are part of the key
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for h in a b; do smilog summarize --run-per file -q --partial --host $h log.csv -o "$t/$h"; done
  $ smilog merge -q --format jsonl "$t/b" "$t/a" | python3 -SE -c 'import json, sys
  > for line in sys.stdin:
  >     r = json.loads(line)
  >     print(r["run"], r["hostname"], r["energy_wh"])'
  log.csv a 0.055556
  log.csv b 0.055556

idle beyond its time is refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50 %
  > 2026/07/03 10:00:01.000, 0, 70 %
  > 2026/07/03 10:00:02.000, 0, 90 %
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py '(1 79 1 1000 0 0 1 79 1 1000) 0' '\1 1001' >"$t/1.partial"
  $ cd "$t"
  $ smilog merge --json 1.partial 2>&1 | grep -o "^smilog: 1.partial: document 1: broken partial summary (.*)"
  > exit ${PIPESTATUS[0]}
  smilog: 1.partial: document 1: broken partial summary (a part of a time that is longer than it)
  [3]

intervals of nothing are refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50 %
  > 2026/07/03 10:00:01.000, 0, 70 %
  > 2026/07/03 10:00:02.000, 0, 90 %
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py '1 0 1 1000 2' '1 0 1 1000 0' >"$t/1.partial"
  $ cd "$t"
  $ smilog merge --json 1.partial 2>&1 | grep -o "^smilog: 1.partial: document 1: broken partial summary (.*)"
  > exit ${PIPESTATUS[0]}
  smilog: 1.partial: document 1: broken partial summary (a count)
  [3]

negative counts are refused
# A count of rows that are not usable, below zero: nothing says which input has most of them.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50 %
  > 2026/07/03 10:00:01.000, 0, 70 %
  > 2026/07/03 10:00:02.000, 0, abc %
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv 2>/dev/null >"$t/good.partial"
  $ cd "$t"
  $ for n in 3 -3; do python3 -SE "$OLDPWD"/../edit.py ' 4 1 1 (0 0 0 )1 ' ' 4 1 1 \g<1>'$n' ' <good.partial >1.partial; smilog merge -q 1.partial 2>&1 | grep -E '^(warnings|smilog)'; done
  warnings: 3 rows not usable (in log.csv)
  smilog: 1.partial: document 1: broken partial summary (a number is missing, or out of range)

json is no partial
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --json log.csv -o "$t/1.json"
  $ cd "$t"
  $ smilog merge --json 1.json 2>&1 | grep -o "no partial summary"
  > exit ${PIPESTATUS[0]}
  no partial summary
  [3]

keyless with gpu count
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r --gpu-count 2 part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r --gpu-count 2 part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

keys that are no text
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/partial"
  $ smilog merge -q --json "$t/partial" >"$t/merged"
  $ smilog summarize -q --json log.csv >"$t/whole"
  $ diff "$t/merged" "$t/whole"
  $ python3 -SE ../../pick.py gpus/0/gpu gpus/0/samples gpus/1/gpu gpus/1/samples gpus/2/gpu gpus/2/samples <"$t/whole"
  gpus/0/gpu 0
  gpus/0/samples 6
  gpus/1/gpu null
  gpus/1/samples 4
  gpus/2/gpu null
  gpus/2/samples 7

log is no partial
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog merge log.csv 2>&1 | grep -o 'no partial summary'
  > exit ${PIPESTATUS[0]}
  no partial summary
  [3]

names that are not utf8
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for name in $'caf\xe8' $'caf\xe9'; do
  >     mkdir -p "$t/in/k=$name"
  >     cp apps.csv "$t/in/k=$name/"$'l\xff.csv'
  > done
  $ smilog summarize -q --partial "$t/in" -o "$t/partial"
  $ smilog merge -q --json "$t/partial" >"$t/merged"
  $ smilog summarize -q --json "$t/in" >"$t/whole"
  $ diff "$t/merged" "$t/whole"
  $ grep -ao '"name_bytes": "[0-9a-f]*"' "$t/merged"
  "name_bytes": "6b3d636166e8"
  "name_bytes": "433a5c6578706ce27265722e657865"
  "name_bytes": "6cff2e637376"
  "name_bytes": "6b3d636166e9"
  "name_bytes": "433a5c6578706ce27265722e657865"
  "name_bytes": "6cff2e637376"

no file named
  $ smilog merge
  2> smilog: merge needs the files or directories to merge
  2> try: smilog help merge
  [2]

no partial when nothing is usable
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial none.csv -o "$t/x.partial"
  2> smilog: no usable log in none.csv: No such file or directory
  [3]
  $ rc=$?
  $ ls "$t"
  $ exit $rc
  [3]

one row parts
  $ mkdir -p part1 part2
  $ cat >part1/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 80, 100.25
  > EOF
  $ cat >part2/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:02.000, 0, 80, 110.25
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

one truncated partial spoils the sum
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ head -c 300 "$t/1.partial" >"$t/2.partial"
  $ cd "$t"
  $ smilog merge --json 1.partial 2.partial 2>&1 | grep -o "^smilog: 2.partial: document 1: broken partial summary: cut"
  > exit ${PIPESTATUS[0]}
  smilog: 2.partial: document 1: broken partial summary: cut
  [3]

parameters whatever the order
  $ cat >part1/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,0.5,90.0
  > 2026-07-03T10:00:02.000+00:00,1.5,89.0
  > 2026-07-03T10:00:04.000+00:00,2.5,88.0
  > 2026-07-03T10:00:06.000+00:00,3.5,87.0
  > 2026-07-03T10:00:08.000+00:00,4.5,86.0
  > 2026-07-03T10:00:10.000+00:00,5.5,85.0
  > 2026-07-03T10:00:12.000+00:00,6.5,84.0
  > 2026-07-03T10:00:14.000+00:00,7.5,83.0
  > 2026-07-03T10:00:16.000+00:00,8.5,82.0
  > 2026-07-03T10:00:18.000+00:00,9.5,81.0
  > EOF
  $ cat >part1/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"lr": 0.5, "host": "pod-3"}}
  > {"ts": "2026-07-03T10:00:10.000+00:00", "type": "phase", "name": "fit", "seconds": 8}
  > EOF
  $ cat >part2/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:20.000+00:00,0.5,90.0
  > 2026-07-03T10:00:22.000+00:00,1.5,89.0
  > 2026-07-03T10:00:24.000+00:00,2.5,88.0
  > 2026-07-03T10:00:26.000+00:00,3.5,87.0
  > 2026-07-03T10:00:28.000+00:00,4.5,86.0
  > 2026-07-03T10:00:30.000+00:00,5.5,85.0
  > 2026-07-03T10:00:32.000+00:00,6.5,84.0
  > 2026-07-03T10:00:34.000+00:00,7.5,83.0
  > 2026-07-03T10:00:36.000+00:00,8.5,82.0
  > 2026-07-03T10:00:38.000+00:00,9.5,81.0
  > EOF
  $ cat >part2/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:30.000+00:00", "type": "phase", "name": "fit", "seconds": 8}
  > {"ts": "2026-07-03T10:00:30.500+00:00", "type": "event", "event": "memory", "data": {"peak_bytes_in_use": 1048576}}
  > {"ts": "2026-07-03T10:00:39.000+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --tz UTC --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --tz UTC --run r part1 part2 >"$t/whole"
  $ python3 -SE ../../pick.py params <"$t/merged"
  params {"lr": 0.5}

part without a host among two is refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for h in a b; do smilog summarize --run-per file -q --partial --host $h log.csv -o "$t/$h"; done
  $ smilog summarize --run-per file -q --partial log.csv -o "$t/none"
  $ cd "$t" || exit
  $ smilog merge -q --json none a b
  2> smilog: b: run log.csv was made on several hosts, and a part of it does not say on which: summarize --host NAME says it
  [3]
  $ smilog merge -q --json a b none
  2> smilog: b: run log.csv was made on several hosts, and a part of it does not say on which: summarize --host NAME says it
  [3]
  $ smilog merge -q --json a none b
  2> smilog: b: run log.csv was made on several hosts, and a part of it does not say on which: summarize --host NAME says it
  [3]

partials of partials
# A merge to partial summaries keeps every document as it was, in an order of its own; a run's new name is kept, too.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp -r ../../../fixtures/sweep "$t/sweep"
  $ cd "$t" || exit
  $ for lr in 0.03 0.1 0.3; do smilog summarize -q --partial sweep/lr=$lr --run lr=$lr -o $lr; done
  $ smilog merge --partial -q 0.1 0.03 -o two
  $ smilog merge --partial -q two 0.3 | cmp - <(cat 0.3 0.1 0.03 | smilog merge -q --partial -) && echo "the same bytes"
  the same bytes
  $ smilog merge --partial -q 0.3 two | smilog merge -q --json - | cmp - <(smilog merge -q --json 0.03 0.1 0.3) && echo same
  same
  $ smilog merge --partial -q --run all two | smilog merge -q --partial --run every - 0.3 | smilog merge -q --json - |
  >     cmp - <(smilog merge -q --json --run every 0.03 0.1 0.3) && echo "the same run"
  the same run
  $ mkdir parts
  $ mv two 0.3 parts/
  $ smilog summarize -q --partial parts | smilog merge -q --json - | cmp - <(smilog summarize -q --json parts) && echo directory
  directory
  $ smilog merge --partial --strict parts/two parts/two -o twice; echo $?
  1
  2> smilog: parts/two: warning: a partial summary given twice: counted once (2 such)
  2> smilog: lr=0.1/sweep/lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: lr=0.1/sweep/lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: lr=0.1/sweep/lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  $ smilog merge -q twice --json | grep -c 'given twice'
  2
  $ smilog merge --partial --gpus 0 parts/two; echo $?
  2
  2> smilog: a partial summary holds all GPUs: give --gpus to smilog merge
  2> try: smilog help merge
  $ smilog merge --partial --where 'idle_pct > 1' parts/two; echo $?
  2
  2> smilog: a partial summary holds every run: ask smilog merge
  2> try: smilog help merge
  $ smilog merge --partial parts/two none; echo $?
  3
  2> smilog: cannot open none: No such file or directory
  $ smilog summarize --partial sweep parts; echo $?
  2
  2> smilog: parts/0.3 is a partial summary, and sweep/lr=0.03/seed=1/cpu_metrics.csv is not: give them apart, or make partial summaries of the logs too (smilog summarize --partial)
  $ smilog merge --partial parts/two -o parts/two; echo $?
  2
  2> smilog: -o parts/two: is an input of this command
  2> try: smilog help merge
  $ smilog merge -q --partial parts/two >/dev/full; echo $?
  4
  2> smilog: cannot write standard output: No space left on device

parts of one name that differ
# Runs that are named as PATHs have the names of their directories alone: what to do is said, and works
  $ t=$(mktemp -d) sweep=$(realpath ../../../fixtures/sweep)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ for lr in 0.1 0.3; do
  >     smilog summarize -q --partial $sweep/lr=$lr/seed=1 -o $lr.partial
  >     smilog summarize -q --partial --run lr=$lr/seed=1 $sweep/lr=$lr/seed=1 -o named.$lr.partial
  > done
  $ smilog merge 0.1.partial 0.3.partial; echo $?
  3
  2> smilog: run seed=1: one part has lr=0.1, another 0.3: not the same run (--run NAME of summarize --partial names a part)
  $ smilog merge -q --columns run,param.lr named.*.partial
  run            param.lr
  lr=0.1/seed=1       0.1
  lr=0.3/seed=1       0.3

phase across the cut is said
# fit covers (14 s, 30 s]: its line is in the second part, three of its sweeps are in the first. A part gives its rows
# to phases when it is read: the whole RunLog has to stand beside every part, else the merge says so.
  $ cat >part1/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,0.5,90.0
  > 2026-07-03T10:00:02.000+00:00,1.5,89.0
  > 2026-07-03T10:00:04.000+00:00,2.5,88.0
  > 2026-07-03T10:00:06.000+00:00,3.5,87.0
  > 2026-07-03T10:00:08.000+00:00,4.5,86.0
  > 2026-07-03T10:00:10.000+00:00,5.5,85.0
  > 2026-07-03T10:00:12.000+00:00,6.5,84.0
  > 2026-07-03T10:00:14.000+00:00,7.5,83.0
  > 2026-07-03T10:00:16.000+00:00,8.5,82.0
  > 2026-07-03T10:00:18.000+00:00,9.5,81.0
  > EOF
  $ cat >part1/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:10.000+00:00", "type": "phase", "name": "load", "seconds": 8}
  > EOF
  $ cat >part2/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:20.000+00:00,0.5,90.0
  > 2026-07-03T10:00:22.000+00:00,1.5,89.0
  > 2026-07-03T10:00:24.000+00:00,2.5,88.0
  > 2026-07-03T10:00:26.000+00:00,3.5,87.0
  > 2026-07-03T10:00:28.000+00:00,4.5,86.0
  > 2026-07-03T10:00:30.000+00:00,5.5,85.0
  > 2026-07-03T10:00:32.000+00:00,6.5,84.0
  > 2026-07-03T10:00:34.000+00:00,7.5,83.0
  > 2026-07-03T10:00:36.000+00:00,8.5,82.0
  > 2026-07-03T10:00:38.000+00:00,9.5,81.0
  > EOF
  $ cat >part2/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:30.000+00:00", "type": "phase", "name": "fit", "seconds": 16}
  > {"ts": "2026-07-03T10:00:39.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --tz UTC --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/1.partial" "$t/2.partial" | grep -o 'a part was summarised without the run log of a phase'
  a part was summarised without the run log of a phase
  $ cat part*/run.jsonl >"$t/run.jsonl"
  $ for i in 1 2; do
  >     cp -r part$i "$t/p$i" && cp "$t/run.jsonl" "$t/p$i/run.jsonl"
  >     smilog summarize -q --partial --tz UTC --run r "$t/p$i" -o "$t/$i.partial"
  > done
  $ smilog merge -q --json "$t/1.partial" "$t/2.partial" |
  >     python3 -SE ../../pick.py "phases/*/name" "phases/*/samples" "phases/*/energy_wh"
  phases/*/name ["load", "fit"]
  phases/*/samples [8, 16]
  phases/*/energy_wh [0.457778, 0.931111]

power absent at the cut
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

run joins parts with other parameters
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for lr in 0.1 0.2; do
  >     mkdir -p "$t/model=a,lr=$lr,seed=1"
  >     sed "s/ 10:/ 1${lr#0.}:/" log.csv >"$t/model=a,lr=$lr,seed=1/hw.csv"
  >     smilog summarize -q --partial "$t/model=a,lr=$lr,seed=1" -o "$t/$lr.partial"
  > done
  $ for order in "0.1 0.2" "0.2 0.1" "0.1 0.2 0.1"; do
  >     set -- $order
  >     (cd "$t" && smilog merge --run all --json "${@/%/.partial}") | python3 -SE ../../pick.py /runs/*/run params problems duration_s
  > done
  /runs/*/run ["all"]
  params {"model": "a", "seed": 1}
  problems ["no memory.used column, or no reading in it", "no CPU log", "the parts that --run joins differ in these parameters, which are left out: lr"]
  duration_s 3602.0
  /runs/*/run ["all"]
  params {"model": "a", "seed": 1}
  problems ["no memory.used column, or no reading in it", "no CPU log", "the parts that --run joins differ in these parameters, which are left out: lr"]
  duration_s 3602.0
  /runs/*/run ["all"]
  params {"model": "a", "seed": 1}
  problems ["no memory.used column, or no reading in it", "no CPU log", "the parts that --run joins differ in these parameters, which are left out: lr", "a partial summary given twice: counted once"]
  duration_s 3602.0
  2> smilog: 0.1.partial: warning: a partial summary given twice: counted once

run logs in the order of time
# Two RunLogs of a run, the later one under the first name: in one pass and by way of partial summaries, in either order,
# the parameters are those that it began with.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cat >b.jsonl <<'L'
  > {"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start", "data": {"lr": 0.1, "batch": 64, "host": "pod-1"}}
  > {"ts": "2026-07-03T10:20:00+00:00", "type": "phase", "name": "fit", "seconds": 900}
  > L
  $ cat >a.jsonl <<'L'
  > {"ts": "2026-07-03T10:40:00+00:00", "type": "event", "event": "start", "data": {"lr": 0.2, "epochs": 3}}
  > {"ts": "2026-07-03T10:50:00+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > L
  $ for i in a b; do smilog summarize -q --run r --partial $i.jsonl -o $i; done
  $ for given in "merge a b" "merge b a" "summarize a.jsonl b.jsonl" "summarize b.jsonl a.jsonl"; do
  >     set -- $given
  >     smilog $1 -q --run r --json $2 $3 >$1 && python3 -SE "$root/tests/cases/pick.py" params hostname duration_s <$1
  > done
  > cmp merge summarize && echo the same
  params {"lr": 0.1, "batch": 64}
  hostname "pod-1"
  duration_s 3000.0
  params {"lr": 0.1, "batch": 64}
  hostname "pod-1"
  duration_s 3000.0
  params {"lr": 0.1, "batch": 64}
  hostname "pod-1"
  duration_s 3000.0
  params {"lr": 0.1, "batch": 64}
  hostname "pod-1"
  duration_s 3000.0
  the same

same partial twice
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ cp "$t/1.partial" "$t/2.partial"
  $ cd "$t"
  $ smilog merge -q --json 1.partial 2.partial | python3 -SE "$OLDPWD/../../pick.py" '/runs/*/gpus/*/samples' energy_wh
  /runs/*/gpus/*/samples [[2]]
  energy_wh 0.055556

series before 1970
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50 %
  > 2026/07/03 10:00:01.000, 0, 70 %
  > 2026/07/03 10:00:02.000, 0, 90 %
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py ' 8 69[0-9]{8} ' ' 8 -1 ' >"$t/1.partial"
  $ smilog merge -q --json "$t/1.partial" | python3 -SE ../../pick.py summary/gpu_util_mean_pct
  summary/gpu_util_mean_pct 70.0

step back inside the second part
# The second part steps back to before the first: parts go by their first row, not by their smallest time.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ h='timestamp, index, utilization.gpu [%]'
  $ mkdir "$t/1" "$t/2" "$t/w"
  $ { echo "$h"; for s in 46 47 48; do echo "2026/07/03 22:10:$s.109, 0, 50 %"; done; } >"$t/1/log.csv"
  $ { echo "$h"; for s in 49 40 41; do echo "2026/07/03 22:10:$s.109, 0, 0 %"; done; } >"$t/2/log.csv"
  $ { cat "$t/1/log.csv"; tail -n 3 "$t/2/log.csv"; } >"$t/w/log.csv"
  $ for i in 1 2; do (cd "$t/$i" && smilog summarize -q --partial --run r log.csv -o "$t/$i.partial"); done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" | python3 -SE ../../pick.py duration_s idle_pct segments
  duration_s 4.0
  idle_pct 50.0
  segments 2
  $ smilog summarize -q --json "$t/w" | python3 -SE ../../pick.py duration_s idle_pct segments
  duration_s 4.0
  idle_pct 50.0
  segments 2

strict
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ smilog merge -q --strict --json "$t/1.partial" >/dev/null
  [1]

sums that no values have are refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 50 %
  > 2026/07/03 10:00:01.000, 0, 70 %
  > 2026/07/03 10:00:02.000, 0, 90 %
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py '1000000 0 (2 10000000 14 4)' '1000000 1 \1 2 50000000 90000000 160000000 1' >"$t/1.partial"
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py '1000000 0 2 10000000 14 4' '1000000 0 0 1' >"$t/none.partial"
  $ smilog summarize -q --partial log.csv | python3 -SE ../edit.py ' [0-9]+$' '' >"$t/cut.partial"
  $ cd "$t"
  $ for f in none cut; do smilog merge --json $f.partial 2>&1 | grep -o "^smilog: $f.partial: document 1: broken partial summary (.*)"; done
  smilog: none.partial: document 1: broken partial summary (a metric without values)
  smilog: cut.partial: document 1: broken partial summary (a number is missing, or out of range)
  $ smilog merge --json 1.partial 2>&1 | grep -o "^smilog: 1.partial: document 1: broken partial summary (.*)"
  > exit ${PIPESTATUS[0]}
  smilog: 1.partial: document 1: broken partial summary (sums that no values have)
  [3]

the same file twice is told once
# A file of many runs that is given twice is one thing to tell, not one for each run.
  $ dir=$(mktemp -d)
  $ for i in 1 2 3 4 5 6 7; do mkdir "$dir/$i" && cp ../../../fixtures/query_units.csv "$dir/$i/"; done
  $ cd "$dir" && smilog summarize -q --partial . >a
  $ smilog merge a a --columns run,gpu_util_mean_pct --format csv 2>&1
  smilog: a: warning: a partial summary given twice: counted once (7 such)
  run,gpu_util_mean_pct
  1,71.2
  2,71.2
  3,71.2
  4,71.2
  5,71.2
  6,71.2
  7,71.2
  $ smilog merge a a a 2>&1 | grep -e such -e ^warnings:
  smilog: a: warning: a partial summary given twice: counted once (14 such)
  warnings: 1 path given twice (a)
  $ smilog merge --strict a a >out 2>&1; echo "$?"
  1

threads change nothing
  $ for j in 1 3 16; do smilog summarize -q -j $j --json ../../../fixtures/sweep | md5sum; done | uniq | wc -l
  1
  $ for j in 1 3 16; do smilog summarize -q -j $j --partial ../../../fixtures/sweep | md5sum; done | uniq | wc -l
  1

time back at the cut
# The ranges overlap: two streams, not one.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

times of all centuries
  $ mkdir -p run
  $ cat >run/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 1970/01/01 00:00:00.000, 0, 50, 100.00
  > 2000/01/01 00:00:00.000, 0, 0, 80.00
  > 2600/01/01 00:00:00.000, 0, 50, 100.00
  > 9999/12/31 23:59:58.000, 0, 70, 100.00
  > 9999/12/31 23:59:59.000, 0, 80, 100.00
  > EOF
  $ cat >run/run.jsonl <<'EOF'
  > {"ts": "1971-01-02T00:00:00.000+00:00", "type": "event", "event": "start", "data": {}}
  > {"ts": "2300-01-01T00:00:00.000+00:00", "type": "phase", "name": "fit", "seconds": 100.5}
  > {"ts": "9999-12-31T23:59:59.000+00:00", "type": "phase", "name": "eval", "seconds": 1000000000}
  > {"ts": "9999-12-31T23:59:59.500+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --tz UTC --partial run -o "$t/partial"
  $ smilog merge -q --json "$t/partial" >"$t/merged"
  $ smilog summarize -q --tz UTC --json run >"$t/whole"
  $ diff "$t/merged" "$t/whole" && wc -l <"$t/whole"
  3

trees and broken bytes
# Random trees of merges end in the bytes of one pass; what was cut or changed anywhere is refused by its name.
  $ SMILOG=$(command -v smilog) python3 -B ../../../../tests/oracle/merge_check.py --partials 12 --trees 2 --parts 3 --bytes 61 \
  >     2>&1 | sed 's/kB each.*/kB/; s/[0-9.]* kB/N kB/; s/^[0-9]* changed bytes, [0-9]* cuts/bytes, cuts/'
  > exit ${PIPESTATUS[0]}
  12 partial summaries, N kB
  2 random trees over 12 partial summaries: the bytes of one pass
  3 runs in up to 9 parts, by random trees: the numbers of one pass, the bytes of one merge
  bytes, cuts, lines left out, another version, other rules: refused

truncated partial is refused
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial log.csv -o "$t/1.partial"
  $ cd "$t"
  $ head -c $(($(stat -c %s "$t/1.partial") / 2)) 1.partial >2.partial
  $ smilog merge 2.partial 2>&1 | grep -o "broken partial summary: cut"
  > exit ${PIPESTATUS[0]}
  broken partial summary: cut
  [3]

two halves are the whole
# Cut inside a sweep and inside an idle stretch.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do smilog summarize -q --partial --run r part$i -o "$t/$i.partial"; done
  $ smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/merged"
  $ smilog summarize -q --json --run r part1 part2 >"$t/whole"
  $ cut='s/"path": "[^"]*"/"path": ""/g'
  $ diff <(sed "$cut" "$t/merged") <(sed "$cut" "$t/whole") && wc -l <"$t/whole"
  3

whole sweep is the sweep
  $ diff <(smilog summarize -q --partial ../../../fixtures/sweep | smilog merge -q --json -) <(smilog summarize -q --json ../../../fixtures/sweep) && echo same
  same
