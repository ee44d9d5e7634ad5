a database says how it is read
  $ t=$(mktemp -d) sweep=$(realpath ../../../fixtures/sweep)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ smilog export -q $sweep/lr=0.1/seed=1 --to sqlite:x.db
  $ smilog summarize x.db; echo $?
  3
  2> smilog: x.db: warning: cannot be used: a SQLite file: sqlite:FILE, if smilog wrote it (export, follow --store)
  2> smilog: no usable log in x.db
  $ smilog summarize -q --columns run,state sqlite:x.db
  run     state
  seed=1  ok

a named runlog alone is told of
# A run log is a part of the run of its directory and those below. What else lies there is not what was asked for.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/below"
  $ cp ../../../fixtures/runlog_nan.jsonl "$d/run.jsonl"
  $ echo 'no log' >"$d/notes.sql"
  $ echo 'no log' >"$d/below/more.sql"
  $ cd "$d"
  $ smilog summarize -v run.jsonl 2>&1 >/dev/null | grep -c 'no log'
  0
  [1]
  $ echo "the directory:"
  the directory:
  $ smilog summarize -v . 2>&1 >/dev/null | grep 'no log'
  smilog: below/more.sql: no log, skipped
  smilog: notes.sql: no log, skipped

binary
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: not text: a NUL byte among the first 512
  2> smilog: no usable log in log.csv
  [3]

broken json line
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:01.000+00:00", "type": "ev
  > {"ts": "2026-07-03T10:00:02.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json run.jsonl | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected events state
  inputs/0/rows 2
  inputs/0/rejected {"foreign": 1}
  events {"start": 1, "stop": 1}
  state "no-data"

crlf
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected summary/power_watts_mean
  inputs/0/rows 2
  inputs/0/rejected {}
  summary/power_watts_mean 100.0

crlf in all formats
# cpu_metrics.csv, hw_dmon.csv, hw_metrics.csv, run.jsonl
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     inputs/*/rows inputs/*/rejected events
  inputs/*/rows [2, 1, 2, 1]
  inputs/*/rejected [{}, {}, {}, {}]
  events {"start": 1}

dev zero
  $ timeout 10 smilog summarize /dev/zero 2>&1 | grep -o 'is a device'
  > exit ${PIPESTATUS[0]}
  is a device
  [3]

directories beyond the limit
# 1000 directories in each other: the logs of the first 64 are read, that of the argument included
  $ d=$(mktemp -d) log=$PWD/../../../fixtures/query_units.csv && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 -SE - "$log" <<'P'
  > import os, shutil, sys
  > os.mkdir("top")
  > os.chdir("top")
  > for depth in range(1, 1001):
  >     os.mkdir("d")
  >     os.chdir("d")
  >     if depth in (63, 64):
  >         shutil.copy(sys.argv[1], f"at{depth}.csv")
  > P
  $ smilog summarize --json top 2>warnings | python3 -SE "$OLDPWD/../../pick.py" inputs/*/path inputs/*/rows | sed -E 's|(d/){63}|d*63/|'
  inputs/*/path ["at63.csv"]
  inputs/*/rows [24]
  $ sed -E 's|(d/){63}|d*63/|; s|(/d){64,}|/d*64|' warnings
  smilog: top/d*63/d: warning: is more than 64 directories deep: not looked into

archive beside its directory counts once
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir -p "$t/out/runs/a" "$t/out/runs/b"
  $ cp log.csv "$t/out/runs/a"; cp log.csv "$t/out/runs/b"
  $ cd "$t" || exit
  $ tar -C out -czf out/runs.tar.gz runs
  $ smilog summarize out | grep -e warnings: -e '2 runs' -e '4 runs,'
  2 runs in out   1 GPU
  warnings: 1 path given twice (out/runs.tar.gz)
  2 runs, <0.01 GPU-h, 0.1 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)
  2> smilog: out/runs.tar.gz: warning: logs that lie unpacked beside it: 2, not read, so that rows count once
  $ smilog summarize ./out/runs/ out/runs.tar.gz --json | grep -c '"runs": 4'
  0
  2> smilog: out/runs.tar.gz: warning: logs that lie unpacked beside it: 2, not read, so that rows count once
  [1]
  $ smilog summarize -q out/runs out/runs.tar.gz --strict >/dev/null
  [1]
  $ echo $?
  1
  $ mv out/runs.tar.gz out/other.tar.gz
  $ smilog summarize out | grep -c warnings:
  1
  2> smilog: out/other.tar.gz: warning: logs that lie unpacked beside it: 2, not read, so that rows count once

member of an archive is a path
# A directory or a log in it, by the name that it would have unpacked; two of one archive are two runs, and one twice is one.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do mkdir -p "$t/runs/lr=0.$i/seed=$i"; sed "s/0, 50/0, $i/" log.csv >"$t/runs/lr=0.$i/seed=$i/gpu.csv"; done
  $ cd "$t" || exit
  $ tar --sort=name -czf runs.tgz runs; rm -r runs; python3 -c 'import zipfile; zipfile.ZipFile("x.zip", "w").write("runs.tgz")'
  $ tell() { smilog summarize --columns run,param.lr,gpu_util_mean_pct "$@"; }
  $ tell runs.tgz/runs/lr=0.1
  run     param.lr  gpu_util_mean_pct
  seed=1       0.1                1.0
  $ tell runs.tgz/runs/lr=0.2/seed=2/ runs.tgz/runs/lr=0.1/seed=1/gpu.csv
  run     param.lr  gpu_util_mean_pct
  seed=1       0.1                1.0
  seed=2       0.2                2.0
  $ tell runs.tgz/runs/lr=0.2/seed=2 runs.tgz/runs/lr=0.2/seed=2
  run     param.lr  gpu_util_mean_pct
  seed=2       0.2                2.0
  $ tell x.zip/runs.tgz/runs/lr=0.2
  run     param.lr  gpu_util_mean_pct
  seed=2       0.2                2.0
  $ tell runs.tgz/runs/lr=0.3
  2> smilog: runs.tgz/runs/lr=0.3: warning: leads to no file: the archive has runs/lr=0.1/seed=1/gpu.csv
  2> smilog: no usable log in runs.tgz/runs/lr=0.3
  [3]
  $ tell runs.tgz/gone/gpu.csv/x
  2> smilog: runs.tgz/gone/gpu.csv/x: warning: leads to no file: the archive has runs/lr=0.1/seed=1/gpu.csv
  2> smilog: no usable log in runs.tgz/gone/gpu.csv/x
  [3]
  $ cp x.zip y.csv; echo hello >z.csv; tell z.csv/x
  2> smilog: z.csv/x: warning: leads into a file that is no archive, or damaged
  2> smilog: no usable log in z.csv/x
  [3]

place in an archive counts once
# As a directory: whichever PATH leads there first. However it is written, and by whatever name the archive is.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do
  >     mkdir -p "$t/t/$i"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:0%s:00.000, 0, %s\n2026/07/03 10:0%s:02.000, 0, %s\n' $i $i $i $i >"$t/t/$i/gpu.csv"
  > done
  $ cd "$t" || exit
  $ mkdir in; tar --sort=name -czf in/t.tgz t; ln -s in/t.tgz link
  $ tell() { echo "== $*"; smilog summarize --columns run,gpu_util_mean_pct "$@" 2>&1 | sed 1,1{/^run/d}; }
  $ for p in "t t/1" "t/1 t" "t/1 t/1/gpu.csv" "t/1/gpu.csv t/1"; do tell $p; done
  == t t/1
  1                  1.0
  2                  2.0
  == t/1 t
  1                  1.0
  2                  2.0
  == t/1 t/1/gpu.csv
  smilog: t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  == t/1/gpu.csv t/1
  smilog: t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  $ for p in "/t /t/1" "/t/1 /" "/ /t/1" "/t/1 /t/1/gpu.csv" "/t/1/gpu.csv /t/1" "/t/1/gpu.csv /t/1/gpu.csv"; do tell $(for q in $p; do echo in/t.tgz$q; done); done
  == in/t.tgz/t in/t.tgz/t/1
  1                  1.0
  2                  2.0
  == in/t.tgz/t/1 in/t.tgz/
  1                  1.0
  2                  2.0
  == in/t.tgz/ in/t.tgz/t/1
  1                  1.0
  2                  2.0
  == in/t.tgz/t/1 in/t.tgz/t/1/gpu.csv
  smilog: in/t.tgz/t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  == in/t.tgz/t/1/gpu.csv in/t.tgz/t/1
  smilog: in/t.tgz/t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  == in/t.tgz/t/1/gpu.csv in/t.tgz/t/1/gpu.csv
  smilog: in/t.tgz/t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  $ tell link in/t.tgz/t; tell in in/t.tgz; tell in/t.tgz in; tell in link/t/2
  == link in/t.tgz/t
  t/1                1.0
  t/2                2.0
  == in in/t.tgz
  t/t/1                1.0
  t/t/2                2.0
  == in/t.tgz in
  1                  1.0
  2                  2.0
  == in link/t/2
  t/t/1                1.0
  t/t/2                2.0
  $ tell in/t.tgz/t//1/; tell ./in/t.tgz/./t/./1; tell in/t.tgz/.; tell in/t.tgz/t/1//gpu.csv ./in/t.tgz/t/1
  == in/t.tgz/t//1/
  1                  1.0
  == ./in/t.tgz/./t/./1
  1                  1.0
  == in/t.tgz/.
  1                  1.0
  2                  2.0
  == in/t.tgz/t/1//gpu.csv ./in/t.tgz/t/1
  smilog: in/t.tgz/t/1/gpu.csv: warning: is given twice, and counts once
  run  gpu_util_mean_pct
  1                  1.0
  $ tell in/t.tgz/t/3; tell in/t.tgz/../t
  == in/t.tgz/t/3
  smilog: in/t.tgz/t/3: warning: leads to no file: the archive has t/1/gpu.csv
  smilog: no usable log in in/t.tgz/t/3
  == in/t.tgz/../t
  smilog: in/t.tgz/../t: warning: has a name that leads out of the archive: not read
  smilog: no usable log in in/t.tgz/../t

archive beside a part of what was packed
# What is read from a directory, whatever PATH leads there, is not read from the archive again; what is not read there, is.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2 3; do
  >     mkdir -p "$t/t/$i"
  >     for f in a b; do printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:0%s:00.000, 0, %s\n2026/07/03 10:0%s:02.000, 0, %s\n' $i $i $i $i >"$t/t/$i/$f.csv"; done
  >     sed -i 's/10:/11:/' "$t/t/$i/b.csv"
  > done
  $ cd "$t" || exit
  $ tar -czf t.tgz t; sed -i 's/, 3$/, 33/' t/3/a.csv
  $ tell() { echo "== $*"; smilog summarize --columns run,gpu_util_mean_pct "$@" 2>&1 | sed 1,1{/^run/d}; }
  $ tell t.tgz t; tell t/1 t.tgz; tell t.tgz/t t/1; tell t/1/a.csv t.tgz/t; tell t/1 t.tgz/t/1/b.csv
  == t.tgz t
  smilog: t.tgz: warning: logs that lie unpacked beside it: 5, not read, so that rows count once
  smilog: t.tgz: warning: logs of names that lie unpacked beside it, too: 1, both are read; if they are the same, name only one
  run  gpu_util_mean_pct
  1/a                1.0
  1/b                1.0
  2/a                2.0
  2/b                2.0
  3                  3.0
  3/a               33.0
  3/b                3.0
  == t/1 t.tgz
  smilog: t.tgz: warning: logs that lie unpacked beside it: 2, not read, so that rows count once
  run  gpu_util_mean_pct
  2/a                2.0
  2/b                2.0
  3/a                3.0
  3/b                3.0
  a                  1.0
  b                  1.0
  == t.tgz/t t/1
  smilog: t.tgz/t: warning: logs that lie unpacked beside it: 2, not read, so that rows count once
  run  gpu_util_mean_pct
  2/a                2.0
  2/b                2.0
  3/a                3.0
  3/b                3.0
  a                  1.0
  b                  1.0
  == t/1/a.csv t.tgz/t
  smilog: t.tgz/t: warning: logs that lie unpacked beside it: 1, not read, so that rows count once
  run  gpu_util_mean_pct
  1                  1.0
  2/a                2.0
  2/b                2.0
  3/a                3.0
  3/b                3.0
  a                  1.0
  == t/1 t.tgz/t/1/b.csv
  smilog: t.tgz/t/1: warning: logs that lie unpacked beside it: 1, not read, so that rows count once
  run  gpu_util_mean_pct
  a                  1.0
  b                  1.0

two archives of one content, and logs of one directory in one
# What was packed twice counts once, and a log beside the others of its directory in an archive is of one run with them, as outside of it.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ mkdir -p t/1 t/2
  $ for i in 1 2; do printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:0%s:00.000, 0, %s\n2026/07/03 10:0%s:02.000, 0, %s\n' $i $i $i $i >t/$i/gpu.csv; done
  $ echo 'CUDA out of memory' >t/1/train.log; echo '{"lr": 0.1}' >t/1/config.json
  $ sed 's/10:0/11:0/' t/1/gpu.csv >t/1/gpu.csv.1; cp t/2/gpu.csv t/2/b.csv; gzip t/2/b.csv
  $ mkdir a; tar -czf t.tgz t; tar -cf a/t.tar t
  $ tell() { echo "== $*"; smilog summarize --columns run,state,param.lr,gpu_hours,gpu_util_mean_pct "$@" 2>&1 | sed 1,1{/^run/d}; }
  $ tell t; tell t.tgz; cp t.tgz a; tell a; tell t.tgz t
  == t
  1      failed        0.1   0.001111                1.0
  2/b    unknown         -   0.000556                2.0
  2/gpu  unknown         -   0.000556                2.0
  == t.tgz
  1      failed        0.1   0.001111                1.0
  2/b    unknown         -   0.000556                2.0
  2/gpu  unknown         -   0.000556                2.0
  == a
  smilog: a/t.tgz: warning: logs that a/t.tar has, too: 4, not read, so that rows count once
  run        state    param.lr  gpu_hours  gpu_util_mean_pct
  t/t/1      failed        0.1   0.001111                1.0
  t/t/2/b    unknown         -   0.000556                2.0
  t/t/2/gpu  unknown         -   0.000556                2.0
  == t.tgz t
  smilog: t.tgz: warning: logs that lie unpacked beside it: 4, not read, so that rows count once
  run    state    param.lr  gpu_hours  gpu_util_mean_pct
  1      failed        0.1   0.001111                1.0
  2/b    unknown         -   0.000556                2.0
  2/gpu  unknown         -   0.000556                2.0
  $ tell t/1/gpu.csv t/1/gpu.csv.1; tell t.tgz/t/1/gpu.csv t.tgz/t/1/gpu.csv.1; tell t.tgz/t/1/gpu.csv; tell t.tgz/t/1/gpu.csv t.tgz
  == t/1/gpu.csv t/1/gpu.csv.1
  1    failed       0.1   0.001111                1.0
  == t.tgz/t/1/gpu.csv t.tgz/t/1/gpu.csv.1
  1    failed       0.1   0.001111                1.0
  == t.tgz/t/1/gpu.csv
  smilog: also read: gpu.csv.1
  run  state   param.lr  gpu_hours  gpu_util_mean_pct
  1    failed       0.1   0.001111                1.0
  == t.tgz/t/1/gpu.csv t.tgz
  smilog: t.tgz/t/1/gpu.csv: warning: is given twice, and counts once
  run    state    param.lr  gpu_hours  gpu_util_mean_pct
  1      failed        0.1   0.001111                1.0
  2/b    unknown         -   0.000556                2.0
  2/gpu  unknown         -   0.000556                2.0

log that has grown since it was packed
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$t/gpu.csv" && cd "$t" || exit
  $ mkdir -p t/a && head -n 5 gpu.csv >t/a/gpu.csv && tar -czf t.tgz t && mv gpu.csv t/a/gpu.csv
  $ smilog summarize --json . | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows
  inputs/0/rows 12
  2> smilog: t.tgz: warning: logs that lie unpacked beside it: 1, not read, so that rows count once

archive is not replaced by its own summary
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$t/log" && cd "$t" || exit
  $ tar -cf x.csv log
  $ smilog summarize -q x.csv -o x.csv; smilog summarize -q x.csv/log -o x.csv; tar -tf x.csv
  log
  2> smilog: -o x.csv: is an input of this command
  2> try: smilog help summarize
  2> smilog: -o x.csv: is an input of this command

directory given twice
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out out/. | python3 -SE ../../pick.py '/runs/*/run'
  /runs/*/run ["out"]

directory without logs
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir -p "$t/a/b"
  $ echo hello >"$t/a/b/notes"
  $ cd "$t"
  $ smilog summarize a
  2> smilog: a: warning: holds no log (files looked at: 1; -v names them)
  2> smilog: no usable log in a
  [3]

dot directories are passed over
  $ mkdir -p out/.b out/a
  $ cat >out/.b/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py '/runs/*/run'
  /runs/*/run ["a"]

empty directory among runs
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/a" "$t/b"
  $ cp log.csv "$t/a"
  $ smilog summarize --strict --json "$t" | python3 -SE ../../pick.py "/runs/*/run"
  /runs/*/run ["a"]

empty file
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: empty
  2> smilog: no usable log in log.csv
  [3]

empty file beside a log
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --strict --json out | python3 -SE ../../pick.py '/runs/*/inputs/*/path'
  > exit ${PIPESTATUS[0]}
  /runs/*/inputs/*/path [["log.csv"]]
  2> smilog: out/hw_metrics.csv: warning: cannot be used: empty
  [1]

fifo
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t"
  $ mkfifo pipe
  $ timeout 10 smilog summarize pipe 2>&1 | grep -o "is a FIFO"
  > exit ${PIPESTATUS[0]}
  is a FIFO
  [3]

fifo inside a directory
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkfifo "$t/pipe.csv"
  $ cp log.csv "$t"
  $ timeout 10 smilog summarize --json "$t" | python3 -SE ../../pick.py "/runs/*/inputs/*/path"
  /runs/*/inputs/*/path [["log.csv"]]

file given twice
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --json --run r log.csv ./log.csv | python3 -SE ../../pick.py 'inputs/*/rows' summary/power_watts_mean
  inputs/*/rows [2]
  summary/power_watts_mean 100.0
  2> smilog: log.csv: warning: is given twice, and counts once

gigabyte line first
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ ulimit -v 400000
  $ head -c 1073741824 /dev/zero | tr '\0' a | timeout 60 smilog summarize -q -
  2> smilog: no usable log in -
  [3]

gigabyte line in flat memory
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ ulimit -v 400000
  $ (cat log.csv; head -c 1073741824 /dev/zero | tr '\0' a; echo; tail -n 1 log.csv | sed s/02.000/04.000/) |
  >     timeout 60 smilog summarize -q --json - | python3 -SE ../../pick.py inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 5
  inputs/0/rows 3
  inputs/0/rejected {"too_long": 1}

gigabyte of nuls at the end
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ ulimit -v 400000
  $ (cat log.csv; head -c 1073741824 /dev/zero) | timeout 60 smilog summarize -q --json - | python3 -SE ../../pick.py inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 22
  inputs/0/rows 20
  inputs/0/rejected {"too_long": 1}

hard link counts once
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp log.csv "$t"
  $ ln "$t/log.csv" "$t/z.csv"
  $ cd "$t"
  $ smilog summarize -q --json --run-per dir . | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows gpus/0/samples
  inputs/0/rows 2
  gpus/0/samples 2

hundred thousand gpus
# an index that counts up with every row: 4096 devices are kept apart, the rows of the others are pooled, fast
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ awk 'BEGIN { print "timestamp, index, power.draw [W]"; for (i = 0; i < 100000; i++) printf "2026/07/03 10:00:00.000, %d, 50.00 W\n", i }' >"$d/log.csv"
  $ [ -n "$SMILOG_SANITIZED" ] || ulimit -v 400000 -t "${SMILOG_SECONDS:-3}" # more for an emulator
  $ smilog summarize -q --json "$d/log.csv" | python3 -SE ../../pick.py inputs/0/rows summary/power_watts_mean gpus/4095/samples gpus/4096/gpu gpus/4096/samples
  inputs/0/rows 100000
  summary/power_watts_mean 50.0
  gpus/4095/samples 1
  gpus/4096/gpu null
  gpus/4096/samples 95904

last byte is a piece of its own
# A file is read in pieces of 256 KiB: its last line end stands alone behind the first.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ python3 -SE - <<'P'
  > text = "timestamp, index, utilization.gpu [%]\n2026/07/03 10:00:00.000, 0, 50\n"
  > last = "2026/07/03 10:00:02.000, 0, 70\n"
  > open("log.csv", "w").write(text + "\n" * (256 * 1024 + 1 - len(text) - len(last)) + last)
  > P
  $ smilog summarize -q --json log.csv | python3 -SE "$pick" inputs/0/rows 'gpus/*/metrics/gpu_util_pct/max'
  inputs/0/rows 2
  gpus/*/metrics/gpu_util_pct/max [70.0]
  $ rm -r "$d"

line accounts add up
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages \
  >     inputs/0/rejected
  inputs/0/lines 11
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/duplicates 1
  inputs/0/blank 1
  inputs/0/messages 1
  inputs/0/rejected {"bad_number": 1, "bad_time": 1, "bad_width": 1, "foreign": 1, "torn_tail": 1}

line of exactly one mebibyte
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ (cat log.csv; head -c 1048576 /dev/zero | tr '\0' a; echo; tail -n 1 log.csv | sed s/02.000/04.000/) | smilog summarize -q --json - | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 5
  inputs/0/rows 3
  inputs/0/rejected {"foreign": 1}
  $ (cat log.csv; head -c 1048577 /dev/zero | tr '\0' a; echo; tail -n 1 log.csv | sed s/02.000/04.000/) | smilog summarize -q --json - | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 5
  inputs/0/rows 3
  inputs/0/rejected {"too_long": 1}

link loops are said once
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ mkdir -p "$t/o/a/b" "$t/other/in" && cd "$t" || exit
  $ printf 'index, utilization.gpu [%%]\n0, 1\n' | tee o/a/b/l.csv >other/in/m.csv
  $ ln -s .. o/a/b/up; ln -s ../../.. o/a/b/top; ln -s self o/a/self; ln -s ../../o other/in/back
  $ ln -s ../other o/x; ln -s ../other/in o/y; ln -s ../nowhere o/gone; ln -s ../nothing o/lost
  $ for j in 1 8; do smilog summarize --json --follow-links -j$j o 2>&1 >json | sed 's/^/stderr: /'; python3 -SE "$OLDPWD/../../pick.py" '/runs/*/run' <json; done
  stderr: smilog: o/a/b/up: warning: a link that leads nowhere, or back to where it is: not followed (and 4 more)
  /runs/*/run ["a/b", "x/in"]
  stderr: smilog: o/a/b/up: warning: a link that leads nowhere, or back to where it is: not followed (and 4 more)
  /runs/*/run ["a/b", "x/in"]
  $ smilog summarize -q --follow-links --strict o >/dev/null; echo $?
  1

link to itself
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t"
  $ ln -s log.csv log.csv
  $ smilog summarize -q log.csv
  2> smilog: no usable log in log.csv: Too many levels of symbolic links
  [3]

linked files count once
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/r" "$t/elsewhere" && cd "$t" || exit
  $ printf 'index, utilization.gpu [%%]\n0, 1\n' | tee r/z.csv >elsewhere/m.csv
  $ ln -s r/z.csv a.csv; ln -s ../elsewhere/m.csv r/m1.csv; ln -s ../elsewhere/m.csv r/m2.csv; mkdir s; ln -s ../elsewhere/m.csv s/m3.csv
  $ for o in -q --follow-links; do smilog summarize -q $o --json . | python3 -SE "$OLDPWD/../../pick.py" '/runs/*/run' '/runs/*/inputs/*/path'; done
  /runs/*/run ["elsewhere", "r"]
  /runs/*/inputs/*/path [["m.csv"], ["z.csv"]]
  /runs/*/run ["elsewhere", "r"]
  /runs/*/inputs/*/path [["m.csv"], ["z.csv"]]
  $ smilog summarize -q --follow-links --json r s | python3 -SE "$OLDPWD/../../pick.py" "/runs/*/run"
  /runs/*/run ["m1", "z"]

links are counted
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/a" && printf 'index, utilization.gpu [%%]\n0, 1\n' >"$t/a/l.csv" && ln -s a "$t/latest" && cd "$t" || exit
  $ smilog summarize --json . 2>&1 >/dev/null
  smilog: links inside directories that were not followed: 1 (--follow-links)
  $ ln -s l.csv a/new.csv && smilog summarize --strict --json . 2>&1 >/dev/null
  smilog: links inside directories that were not followed: 2 (--follow-links)
  $ echo $?
  0
  $ smilog summarize -q --json . 2>&1 >/dev/null

links inside are not followed
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/a"
  $ cp log.csv "$t/a"
  $ ln -s a "$t/b"
  $ ln -s "$t" "$t/a/up"
  $ for o in -q --follow-links; do smilog summarize -q $o --json "$t" | python3 -SE ../../pick.py "/runs/*/run"; done
  /runs/*/run ["a"]
  /runs/*/run ["a"]

long line alone
  $ head -c 3000000 /dev/zero | tr '\0' a | timeout 10 smilog summarize -
  2> smilog: -: warning: cannot be used: no known log format: begins with "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
  2> smilog: no usable log in -
  [3]

long line between rows
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ (cat log.csv; head -c 3000000 /dev/zero | tr '\0' a; echo; tail -n 1 log.csv | sed s/02.000/04.000/) | smilog summarize -q --json - | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 5
  inputs/0/rows 3
  inputs/0/rejected {"too_long": 1}

name begins with a dash
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp log.csv "$t/-x.csv"
  $ cd "$t"
  $ smilog summarize --run-per file -q --json -- -x.csv | python3 -SE "$OLDPWD/../../pick.py" run
  run "-x.csv"

name not utf8
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/"$'caf\xe9'
  $ cp log.csv "$t/"$'caf\xe9'/$'l\xff.csv'
  $ smilog summarize -q --json "$t" | python3 -SE ../../pick.py run name_bytes inputs/0/path
  run "caf�"
  name_bytes "636166e9"
  inputs/0/path "l�.csv"
  $ smilog summarize -q "$t" | python3 -SE -c 'import sys; sys.stdin.buffer.read().decode()'

name with control characters
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/"$'a\nb\e[31m'
  $ cp log.csv "$t/"$'a\nb\e[31m'
  $ smilog summarize -q "$t" | grep -c $'\e'
  0
  [1]
  $ smilog summarize -q --json "$t" | python3 -SE ../../pick.py run
  run "a\nb\u001b[31m"
  $ smilog summarize -q --format csv "$t" | wc -l
  2

nul bytes are no time
# 17 NUL bytes are no time, also in the first row (the reader remembers the minute of the row before).
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ { printf 'timestamp, power.draw [W]\n'; head -c 17 /dev/zero; printf '10.001, 1\n2026/07/03 22:11:09.763, 5.00 W\n'; } >"$t/log.csv"
  $ smilog summarize -q --json --input-format nvidia-smi-query "$t/log.csv" | python3 -SE ../../pick.py inputs/*/rows inputs/*/rejected
  inputs/*/rows [1]
  inputs/*/rejected [{"bad_time": 1}]

nul in a cell costs the cell
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows gpus/0/metrics/power_w/count gpus/0/metrics/gpu_util_pct/count
  inputs/0/rows 21
  gpus/0/metrics/power_w/count 20
  gpus/0/metrics/gpu_util_pct/count 21

nuls between rows
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 25
  inputs/0/rows 23
  inputs/0/rejected {"foreign": 1}

one bad run of three
  $ mkdir -p out/a out/b out/c
  $ cat >out/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/b/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > garbage
  > {]
  > EOF
  $ cat >out/c/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --json out | python3 -SE ../../pick.py '/runs/*/run' '/runs/*/state' '/runs/*/summary/power_watts_mean'
  /runs/*/run ["a", "b", "c"]
  /runs/*/state ["unknown", "no-data", "unknown"]
  /runs/*/summary/power_watts_mean [100.0, null, 100.0]
  2> smilog: b/l.csv:2: warning: no row, no header, no known message: "garbage"
  2> smilog: b/l.csv:3: warning: no row, no header, no known message: "{]"

one binary run of three
  $ mkdir -p out/a out/c
  $ cat >out/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/c/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --json out | python3 -SE ../../pick.py '/runs/*/run'
  /runs/*/run ["a", "b", "c"]
  2> smilog: b: warning: l.csv: no log, though files called like it in other directories are

only blank lines
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: only blank lines
  2> smilog: no usable log in log.csv
  [3]

open quote takes one line only
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:04.000, 0, "50, 100.00
  > 2026/07/03 10:00:06.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected summary/power_watts_mean
  inputs/0/lines 5
  inputs/0/rows 3
  inputs/0/rejected {"bad_width": 1}
  summary/power_watts_mean 100.0

own outputs are no logs
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/a"
  $ cp log.csv "$t/a"
  $ for f in json jsonl csv md txt; do smilog summarize -q "$t/a" -o "$t/a/summary.$f"; done
  $ smilog summarize -q --partial "$t/a" -o "$t/a/a.partial"
  $ smilog summarize --strict --json "$t" | python3 -SE ../../pick.py '/runs/*/run' 'inputs/*/path' '/total/runs'
  /runs/*/run ["a"]
  inputs/*/path ["log.csv"]
  /total/runs 1

process substitution
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json <(cat log.csv) | python3 -SE ../../pick.py inputs/0/rows
  inputs/0/rows 2

quiet says nothing
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > junk
  > EOF
  $ smilog summarize -q --json log.csv none.csv >/dev/null
  [3]

run log rejects
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "yesterday", "type": "event", "event": "a"}
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "phase", "name": "fit", "seconds": "long"}
  > {"type": "event", "event": "a"}
  > [1, 2]
  > EOF
  $ smilog summarize -q --json run.jsonl | python3 -SE ../../pick.py \
  >     inputs/0/lines inputs/0/rows inputs/0/rejected
  inputs/0/lines 5
  inputs/0/rows 1
  inputs/0/rejected {"bad_number": 1, "bad_time": 1, "foreign": 2}

same content in two runs counts in both
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
  $ smilog summarize -q --json out | python3 -SE ../../pick.py '/runs/*/gpus/*/samples'
  /runs/*/gpus/*/samples [[2], [2]]

same content twice
  $ mkdir -p out
  $ cat >out/a.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/b.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json --run-per dir out | python3 -SE ../../pick.py gpus/0/samples energy_wh inputs/0/path
  gpus/0/samples 2
  energy_wh 0.055556
  inputs/0/path "a.csv"

a stream that cannot be kept is read as it comes
# 64 MiB are kept in memory where TMPDIR cannot be written to; here are 70 MB, twice: plain, and packed, whose end is missing.
  $ log() { python3 -SE -c 'import sys; w = sys.stdout.write; w("index, utilization.gpu [%], power.draw [W]\n"); [w("0, 40, 100.25\n1, 60, 250.5\n" * 100000) for _ in range(26)]'; }
  $ log | TMPDIR=/proc smilog summarize --json --interval 1 - | python3 -SE -c 'import json, sys
  > for g in json.load(sys.stdin)["runs"][0]["gpus"]: print(g["samples"], g["metrics"]["power_w"]["mean"], g["energy_covered_s"])'
  2600000 100.25 2599999.0
  2600000 250.5 2599999.0
  $ log | gzip -1 | head -c -100 | TMPDIR=/proc smilog summarize -q --json - | python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]; print(r["gpus"][0]["metrics"]["power_w"]["mean"], r["gpus"][0]["samples"] > 2500000)'
  100.25 True

samples of a stream given twice
# a pipe of many runs, which is kept to be read twice: by one of the two PATHs that name it
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 -SE - >s.jsonl <<'EOF2'
  > for run in range(1100):
  >     for row in range(2):
  >         print('{"run": "r%d", "host": "h", "input": "hw.csv", "format": "nvidia-smi-query", "row": %d, '
  >               '"time": "2026-07-03T22:10:0%d.100Z", "gpu": 0, "gpu_util_pct": 9%d.0}' % (run, row, row, row))
  > EOF2
  $ cat s.jsonl | smilog summarize -q --json - >once
  $ for twice in "- -" "- /dev/stdin" "-j 1 - -"; do
  >     cat s.jsonl | smilog summarize -q --json $twice >got
  >     python3 -SE - <<'EOF2'
  > import json
  > once, got = json.load(open("once")), json.load(open("got"))
  > print(len(got["runs"]), "runs, as they are:", once["runs"] == got["runs"])
  > EOF2
  > done
  1100 runs, as they are: True
  1100 runs, as they are: True
  1100 runs, as they are: True
  $ cat s.jsonl | smilog summarize - - | tail -n 1
  1100 runs, 0.31 GPU-h, GPU 90.5 %, 0.00 GPU-h wasted (0.0 %)
  2> smilog: -: warning: is given twice, and counts once

six thousand kinds of events
# each comes 20 times; 4096 names are kept
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ awk 'BEGIN { for (i = 0; i < 120000; i++) printf "{\"ts\": \"2026-07-03T22:10:48Z\", \"type\": \"event\", \"event\": \"e%d\"}\n", i % 6000 }' >"$d/run.jsonl"
  $ [ -n "$SMILOG_SANITIZED" ] || ulimit -v 400000
  $ smilog summarize --json "$d/run.jsonl" | python3 -SE -c 'import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > events = run["events"]
  > print(len(events), set(events.values()), events["e0"], events["e4095"], "e4096" in events, run["inputs"][0]["rows"])
  > print(*run["problems"], sep="\n")'
  4096 {20} 20 20 False 120000
  no GPU log
  no CPU log
  38080 events are left out: their names come after the first 4096

socket
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t"
  $ python3 -SE -c 'import socket; socket.socket(socket.AF_UNIX).bind("log.csv")'
  $ timeout 10 smilog summarize log.csv 2>&1 | grep -o 'is a socket'
  > exit ${PIPESTATUS[0]}
  is a socket
  [3]

socket inside a directory
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ good=$PWD/log.csv
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t"
  $ python3 -SE -c 'import socket; socket.socket(socket.AF_UNIX).bind("s.csv")'
  $ cp "$good" .
  $ timeout 10 smilog summarize --json . | python3 -SE "${good%/*/*/*}/pick.py" "/runs/*/inputs/*/path"
  /runs/*/inputs/*/path [["log.csv"]]

stdin
  $ smilog summarize -q --json - <log.csv | python3 -SE ../../pick.py run inputs/0/rows
  run "-"
  inputs/0/rows 2

stdin twice
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --json - - <log.csv | python3 -SE ../../pick.py '/runs/*/inputs/*/rows'
  /runs/*/inputs/*/rows [[2]]
  2> smilog: -: warning: is given twice, and counts once

texts that quote a log are none
# a log begins as one, or holds more of its own than of others
  $ mkdir -p out/torn
  $ cat >out/docs/format.txt <<'EOF'
  > A RunLog has one object a line:
  > {"ts": "2026-07-03T22:10:46Z", "type": "event", "event": "start"}
  > where ts is the time,
  > type is event or phase,
  > and event is its name.
  > Phases have seconds.
  > EOF
  $ cat >out/docs/monitor.sh <<'EOF'
  > #!/bin/bash
  > nvidia-smi --query-gpu=timestamp,index,utilization.gpu,power.draw --format=csv -l 1
  > EOF
  $ cat >out/torn/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:10:46.109, 0, 50 %, 100.00 W
  > Traceback (most recent call last):
  >   File "monitor.py", line 3, in <module>
  >     main()
  >   File "monitor.py", line 2, in main
  >     read()
  > OSError: gone
  > Restarting
  > Giving up
  > Good bye
  > EOF
  $ smilog summarize -v --json out 2>&1 >/dev/null | grep passed
  [1]
  $ smilog summarize -q --json out | python3 -SE ../../pick.py '/runs/*/run' '/runs/*/inputs/*/rows'
  /runs/*/run ["job", "torn"]
  /runs/*/inputs/*/rows [[7], [1]]
  $ smilog summarize out/docs/README.md out/docs/monitor.sh
  2> smilog: out/docs/README.md: warning: cannot be used: few lines of nvidia-smi-query among others: --input-format nvidia-smi-query reads them
  2> smilog: out/docs/monitor.sh: warning: cannot be used: a script
  2> smilog: no usable log in out/docs/README.md and the other paths
  [3]
  $ smilog summarize -q --json --input-format nvidia-smi-query out/docs/README.md | python3 -SE ../../pick.py inputs/0/rows
  inputs/0/rows 3
  $ command -v tar >/dev/null || exit 77
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ tar -cf "$d/out.tar" out && smilog summarize -q --json "$d/out.tar" | python3 -SE ../../pick.py '/runs/*/run'
  /runs/*/run ["job", "torn"]

thousand empty files
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ (mkdir "$d/run" && cd "$d/run" && for i in {1..1000}; do : >"part$i.csv"; done)
  $ cd "$d" || exit
  $ [ -n "$SMILOG_SANITIZED" ] || ulimit -v 400000
  $ smilog summarize run; echo "status $?"
  status 3
  2> smilog: run: warning: holds no log (files looked at: 1000; -v names them)
  2> smilog: no usable log in run
  $ cp "$OLDPWD/../../../fixtures/query_units.csv" run
  $ smilog summarize --json run | python3 -SE "$OLDPWD/../../pick.py" inputs/*/path inputs/*/rows problems
  inputs/*/path ["query_units.csv"]
  inputs/*/rows [24]
  problems ["no CPU log"]

unreadable directory
# 77 skips: root reads everything.
  $ [ "$(id -u)" != 0 ] || exit 77
  > t=$(mktemp -d)
  > trap 'rm -rf "$t"' EXIT
  > mkdir "$t/a" "$t/b"
  > cp log.csv "$t/a"
  > cp log.csv "$t/b"
  > chmod 0 "$t/b"
  > smilog summarize -q --json "$t" | python3 -SE ../../pick.py "/runs/*/run"
  > chmod 700 "$t/b"
  /runs/*/run ["a"]

unreadable file
# 77 skips: root reads everything.
  $ [ "$(id -u)" != 0 ] || exit 77
  > t=$(mktemp -d)
  > trap 'rm -rf "$t"' EXIT
  > cp log.csv "$t/bad.csv"
  > cp log.csv "$t"
  > cd "$t"
  > chmod 0 bad.csv
  > smilog summarize --json bad.csv log.csv 2>err | python3 -SE "$OLDPWD/../../pick.py" "/runs/*/run"
  > grep -o "Permission denied" err
  /runs/*/run ["log.csv"]
  Permission denied

utf16 that goes on as other text
# 40 rows of two GPUs: PowerShell's > writes UTF-16, cmd appends bytes; or the other way round, where PowerShell appends UTF-16.
  $ for s in $(seq 20 39); do printf '2026/07/03 10:00:%d.000, %d, %d %%\r\n' $s 0 $s $s 1 $((s + 30)); done >rows
  $ printf 'timestamp, index, utilization.gpu [%%]\r\n' >header
  $ wide() { iconv -f UTF-8 -t UTF-16$1; }
  $ part() { sed -n "$1p" rows; }
  $ { printf '\xFF\xFE'; cat header rows | head -n 15 | wide LE; part 15,40; } >le.log
  $ { printf '\xFE\xFF'; cat header rows | head -n 15 | wide BE; part 15,40; } >be.log
  $ { printf '\xFF\xFE'; cat header rows | head -n 15 | wide LE; part 15,20; part 21,30 | wide LE; part 31,40; } >turns.log
  $ { cat header; part 1,14; part 15,40 | wide LE; } >appended.log
  $ { cat header; part 1,14; printf '\xFF\xFE'; part 15,40 | wide LE; } >marked.log
  $ for log in le be turns appended marked; do
  >     smilog summarize --json $log.log | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/lines inputs/0/rejected
  >     smilog summarize --json - <$log.log | python3 -SE ../../pick.py inputs/0/rows
  > done
  gpus/*/metrics/gpu_util_pct/mean [29.5, 59.5]
  inputs/0/rows 40
  inputs/0/lines 41
  inputs/0/rejected {}
  inputs/0/rows 40
  gpus/*/metrics/gpu_util_pct/mean [29.5, 59.5]
  inputs/0/rows 40
  inputs/0/lines 41
  inputs/0/rejected {}
  inputs/0/rows 40
  gpus/*/metrics/gpu_util_pct/mean [29.5, 59.5]
  inputs/0/rows 40
  inputs/0/lines 41
  inputs/0/rejected {}
  inputs/0/rows 40
  gpus/*/metrics/gpu_util_pct/mean [29.5, 59.5]
  inputs/0/rows 40
  inputs/0/lines 41
  inputs/0/rejected {}
  inputs/0/rows 40
  gpus/*/metrics/gpu_util_pct/mean [29.5, 59.5]
  inputs/0/rows 40
  inputs/0/lines 41
  inputs/0/rejected {}
  inputs/0/rows 40

utf16 that goes on as bytes of a code page
# A byte F8, a degree sign of code page 437, among the lines that cmd appended: 40 rows, and one message.
  $ row() { printf '2026/07/03 10:00:%d.000, %d, %d %%\r\n' $1 0 $1 $1 1 $(($1 + 30)); }
  $ part() { for s in $(seq $1 $2); do row $s; done; }
  $ { printf 'timestamp, index, utilization.gpu [%%]\r\n'; part 20 25; } | iconv -t UTF-16LE >head
  $ { printf '\xFF\xFE'; cat head; printf 'the card is at 41\xF8C, all is well\r\n'; part 26 30; part 31 39 | iconv -t UTF-16LE; } >w.log
  $ smilog summarize -q --json w.log | python3 -SE ../../pick.py inputs/0/rows inputs/0/lines inputs/0/rejected
  inputs/0/rows 40
  inputs/0/lines 42
  inputs/0/rejected {"bad_width": 1}

docker's last line without its end
# The part in front of it belongs to it; one that is cut off is a torn tail, and so is the part.
  $ wrap() { printf '{"log":"%s","stream":"stdout","time":"2026-07-03T10:00:00.123456789Z"}' "$1"; }
  $ { wrap 'timestamp, index, utilization.gpu [%%]\n'; echo; wrap '2026/07/03 10:00:00.000, 0, 5 %%\n'; echo; wrap '2026/07/03 1'; echo; } | sed 's/%%/%/' >front
  $ last() { wrap '0:00:05.000, 0, 7 %\n'; }
  $ for cut in 200 30; do
  >     { cat front; last | head -c $cut; } >w.log
  >     smilog summarize -q --json w.log 2>&1 | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/lines inputs/0/rejected
  > done
  gpus/*/metrics/gpu_util_pct/mean [6.0]
  inputs/0/rows 2
  inputs/0/lines 4
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  inputs/0/rows 1
  inputs/0/lines 4
  inputs/0/rejected {"torn_tail": 2}

utf16 without bom
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: not text: a NUL byte among the first 512
  2> smilog: no usable log in log.csv
  [3]

verbose names what is passed over
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/notes.txt <<'EOF'
  > milk
  > EOF
  $ smilog summarize -v --json out 2>&1 >/dev/null | grep notes
  smilog: out/notes.txt: no log, skipped

warnings are few
  $ smilog summarize --json log.csv 2>&1 >/dev/null | wc -l | awk '{ print ($1 < 10) }'
  1

zeros on stdin
  $ head -c 3000000 /dev/zero | timeout 10 smilog summarize -
  2> smilog: -: warning: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  2> smilog: no usable log in -
  [3]

utf16 with letters that hold the byte of a line feed
# U+4E0A is 0A 4E: as bytes, a line that ends at once.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { for s in $(seq $1 $2); do echo "2026/07/03 10:00:$s.000, 0, $s %"; done; }
  $ { echo 'timestamp, index, utilization.gpu [%]'; rows 10 19; printf '%b\n' '\u4e0a\u6b21\u8fde\u63a5\u5931\u8d25' '\u4e0a\u4e0a'; rows 20 29; } | sed 's/$/\r/' >utf8
  $ { printf '\377\376'; iconv -f UTF-8 -t UTF-16LE utf8; } >le.log; { printf '\376\377'; iconv -f UTF-8 -t UTF-16BE utf8; } >be.log
  $ { cat le.log utf8; printf '\r\n\n'; iconv -f UTF-8 -t UTF-16LE utf8; } >both.log
  $ for f in le be both; do smilog summarize --json -q $f.log | python3 -SE -c 'import json, sys; i = json.load(sys.stdin)["runs"][0]["inputs"][0]; print(i["rows"], i["rejected"])'; done
  20 {'foreign': 2}
  20 {'foreign': 2}
  60 {'foreign': 6}
