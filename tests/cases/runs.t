a crashed run does not vanish
# Six of eight runs have no log: nothing, a shell's message, a header that was cut, nvidia-smi's message, and the
# directories that Hydra and W&B make for each run. All eight count, in a directory and in an archive; check judges two.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ log() { mkdir -p "$(dirname "$1")"; echo 'timestamp, index, utilization.gpu [%], power.draw [W]' >"$1"
  >     for i in 10 11 12 13 14; do echo "2026/03/01 10:00:$i.000, 0, 50 %, 200.00 W" >>"$1"; done; }
  $ log out/1/hw.csv; log out/2/hw.csv
  $ mkdir -p out/3 out/4 out/5 out/6 out/7/.hydra out/8
  $ : >out/3/hw.csv
  $ echo 'bash: line 1: nvidia-smi: command not found' >out/4/hw.csv
  $ printf 'timestamp, index, utiliz' >out/5/hw.csv
  $ echo 'No devices were found' >out/6/hw.csv
  $ echo '- lr=0.1' >out/7/.hydra/overrides.yaml
  $ echo '{}' >out/8/wandb-metadata.json
  $ smilog summarize -v --format csv --columns run,state,lr,gpu_util_mean_pct out; echo "status $?"
  run,state,lr,gpu_util_mean_pct
  1,unknown,,50.0
  2,unknown,,50.0
  3,no-data,,
  4,no-data,,
  5,no-data,,
  6,no-data,,
  7,no-data,0.1,
  8,no-data,,
  status 0
  2> smilog: 3: warning: hw.csv: cannot be used: empty
  2> smilog: 4: warning: hw.csv: cannot be used: only a message: "bash: line 1: nvidia-smi: command not found"
  2> smilog: 5: warning: hw.csv: cannot be used: one unfinished line
  2> smilog: 6: warning: hw.csv: cannot be used: only a message: "No devices were found"
  2> smilog: 7: warning: no log beside .hydra
  2> smilog: 8: warning: no log beside wandb-metadata.json
  $ tar -cf out.tar out
  $ smilog summarize -q --format csv --columns run,state out.tar; echo "status $?"
  run,state
  1,unknown
  2,unknown
  3,no-data
  4,no-data
  5,no-data
  6,no-data
  7,no-data
  8,no-data
  status 0
  $ smilog check -q --max-idle-pct 10 out; echo "status $?"
              LIMIT       RUN
  not judged  no reading  3: no GPU log
  not judged  no reading  4: no GPU log
  not judged  no reading  5: no GPU log
  not judged  no reading  6: no GPU log
  not judged  no reading  7: no GPU log
  not judged  no reading  8: no GPU log
  2 of 8 runs meet all limits, 6 runs could not be judged
  status 5

a file named dash
# found in a directory it is no standard input: a log, and an archive
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ sweep=$PWD/../../../fixtures/sweep
  $ pick=$PWD/../../pick.py
  $ mkdir "$t/log" "$t/archive"
  $ cp "$sweep/lr=0.1/seed=1/hw_metrics.csv" "$t/log/-"
  $ tar cf "$t/archive/-" -C "$sweep/lr=0.1" seed=1
  $ for d in log archive; do
  >     cd "$t/$d"
  >     smilog summarize --json . </dev/null | python3 -SE "$pick" run inputs/*/path inputs/*/rows
  > done
  run "log"
  inputs/*/path ["-"]
  inputs/*/rows [718]
  run "-/seed=1"
  inputs/*/path ["cpu_metrics.csv", "hw_dmon.csv", "hw_metrics.csv", "run.jsonl"]
  inputs/*/rows [358, 718, 718, 61]

a log in a directory that cannot be listed
# A log in a directory that may be entered but not listed is read alone, with a note; in one of somebody else it is read as in an own one.
  $ [ "$(id -u)" != 0 ] || run="setpriv --reuid 65534 --clear-groups"
  $ dir=$(mktemp -d) && cd "$dir" && trap 'chmod 700 shut; rm -rf "$dir"' EXIT || exit
  $ s=$(command -v smilog); $run test -x "$s" && [ -z "$run" -o -n "$(command -v setpriv)" ] || exit 77
  $ mkdir shut sticky && chmod 755 . && chmod 1777 sticky
  $ {
  >     echo 'timestamp, index, utilization.gpu [%], power.draw [W]'
  >     for i in {10..59}; do echo "2026/07/03 10:$i:00.000, 0, 90 %, 300.00 W"; done
  > } | tee shut/gpu.csv sticky/gpu.csv >sticky/secret_gpu.csv
  $ echo 'timestamp,usr_pct,idle_pct' >shut/cpu.csv
  $ chmod 644 */gpu.csv && chmod 000 sticky/secret_gpu.csv && chmod 311 shut
  $ for path in shut/gpu.csv "$dir/shut/gpu.csv" sticky/gpu.csv; do
  >     $run "$s" summarize "$path" --columns run,state,gpu_hours 2>&1 | sed "s,$dir,DIR,"; echo "status ${PIPESTATUS[0]}"
  > done
  smilog: shut: warning: cannot be opened: Permission denied: only the logs in it that are named are read
  run      state    gpu_hours
  gpu.csv  unknown   0.816667
  status 0
  smilog: DIR/shut: warning: cannot be opened: Permission denied: only the logs in it that are named are read
  run      state    gpu_hours
  gpu.csv  unknown   0.816667
  status 0
  run     state    gpu_hours
  sticky  unknown   0.816667
  status 0
  $ (cd shut && $run "$s" check --fail-on error gpu.csv; echo "status $?")
  ok    1 limit holds in 1 run
  status 0
  2> smilog: .: warning: cannot be opened: Permission denied: only the logs in it that are named are read

a log is the run of its directory
# a run has the same name, state and waste whether its log, its directory or one above is named, and however that is typed
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ rows() {
  >     echo 'timestamp, index, utilization.gpu [%], power.draw [W]'
  >     for i in {10..59}; do echo "2026/07/03 10:$i:00.000, 0, $(( i < 40 ? 90 : 0 )) %, 300.00 W"; done
  > }
  $ mkdir -p slurm runs/4812 far/below/4900 lr=0.1/logs
  $ for i in 3 7 11; do rows >slurm/gpu-4711_$i.csv; echo done >slurm/slurm-4711_$i.out; done
  $ rows | tee runs/4812/gpu.csv far/below/4900/gpu.csv lr=0.1/logs/gpu.csv.1 | sed 's/ 10:/ 11:/' >lr=0.1/logs/gpu.csv
  $ printf 'KeyError\nsrun: error: node1: task 0: Exited with exit code 1\n' >slurm/slurm-4711_11.out
  $ echo 'slurmstepd: error: *** JOB 4812 ON node3 CANCELLED AT 2026-05-01T12:00:00 DUE TO TIME LIMIT ***' >runs/slurm-4812.out
  $ printf 'JobID|State|ExitCode\n4900|NODE_FAIL|0:0\n' >far/sacct.txt
  $ echo '{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start"}' >lr=0.1/logs/run.jsonl
  $ ln -s slurm link && ln -s slurm/gpu-4711_11.csv x.csv
  $ show() { smilog summarize -q --format csv --columns run,state,wasted_h,state_reason "$@" 2>&1 | tail -n +2; }
  $ only() { show "$@" | grep 4711_11; }
  $ echo "== a directory of many runs"
  == a directory of many runs
  $ only slurm
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  $ for path in slurm/gpu-4711_11.csv ./slurm//gpu-4711_11.csv $dir/slurm/gpu-4711_11.csv link/gpu-4711_11.csv x.csv; do show $path; done
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  $ (cd slurm && show gpu-4711_11.csv && show gpu-4711_11.csv slurm-4711_11.out && only . && show ../slurm/gpu-4711_11.csv)
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  $ echo "== directories of one run"
  == directories of one run
  $ for run in runs/4812 far/below/4900 lr=0.1/logs; do
  >     for path in $run $run/ $run/gpu.csv $dir/$run $dir/$run/gpu.csv; do show $path; done
  >     (cd $run && show . && show gpu.csv && show ./gpu.csv)
  > done | uniq -c | sed 's/^ *//'
  8 4812,cut,0.333333,"time limit (slurm-4812.out)"
  8 4900,cut,0.333333,"node failure (sacct.txt)"
  8 logs,cut,0.666667,"no end in the run log"
  $ echo "== together"
  == together
  $ show slurm/gpu-4711_3.csv slurm/gpu-4711_11.csv runs
  4711_3,unknown,0.333333,
  4711_11,failed,0.816667,"exit status 1 (slurm-4711_11.out)"
  4812,cut,0.333333,"time limit (slurm-4812.out)"
  $ smilog summarize -q slurm/gpu-4711_11.csv slurm --columns run
  run
  4711_3
  4711_7
  4711_11
  $ smilog summarize -q --run-per file lr=0.1/logs/gpu.csv --columns run,gpu_hours
  run      gpu_hours
  gpu.csv   0.816667
  $ echo "== check, diff"
  == check, diff
  $ smilog check --fail-on error slurm/gpu-4711_11.csv; echo "status $?"
        LIMIT                       VALUE  RUN
  FAIL  no finding of level error  failed  4711_11
  1 limit broken by 1 of 1 run
  status 1
  $ smilog check --fail-on error slurm/gpu-4711_3.csv; echo "status $?"
  ok    1 limit holds in 1 run
  status 0
  $ smilog summarize -q slurm --json -o slurm.json
  $ smilog check -q --baseline slurm.json slurm/gpu-4711_3.csv; echo "status $?"
              LIMIT     RUN
  not judged  not here  4711_7: only in the baseline
  not judged  not here  4711_11: only in the baseline
  1 of 1 run meets all limits, 2 runs of the baseline are not here
  status 5
  $ smilog diff -q slurm.json slurm/gpu-4711_3.csv | head -n 3
  A: slurm.json, 3 runs
  B: slurm/gpu-4711_3.csv, 1 run
  1 pair (1 by name), no repeats

a named log is joined with its own run only
# A log given as PATH is of the run that its directory gives, and is joined with logs of that run only; files of others are not even opened.
  $ dir=$(mktemp -d) && cd "$dir" && trap 'rm -rf "$dir"' EXIT || exit
  $ start='{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start"}'
  $ rows() {
  >     echo 'timestamp, index, utilization.gpu [%], power.draw [W]'
  >     for i in {10..59}; do echo "2026/07/03 $1:$i:00.000, 0, $(( i < 40 ? 90 : 0 )) %, 300.00 W"; done
  > }
  $ cpu() { echo timestamp,usr_pct,idle_pct; for i in {10..59}; do echo "2026-07-03T10:$i:00,5,95"; done; }
  $ dmon() { echo '# gpu pwr sm'; echo '# Idx W %'; for i in {10..59}; do echo '0 300 90'; done; }
  $ field() { python3 -c 'import json, sys
  > for r in json.load(sys.stdin)["runs"]: print(r["run"], r["state"], r["wasted_h"] and r["wasted_h"]["total"], *[i["path"] for i in r["inputs"]])'; }
  $ show() { smilog summarize --json "$@" | field; smilog summarize "$@" 2>&1 >/dev/null; }
  $ mkdir -p many pooled two roles parts joined/sub above/node3/logs above/node3/more other far/away
  $ echo "== several runs in one directory"
  == several runs in one directory
  $ rows 10 | tee many/a_gpu.csv many/b_gpu.csv >many/resnet.csv
  $ cpu | tee many/a_cpu.csv >many/b_cpu.csv
  $ echo "$start" >many/run.jsonl
  $ for path in many/a_gpu.csv many/b_cpu.csv many/resnet.csv; do show $path; done
  a unknown 0.333333 a_cpu.csv a_gpu.csv
  smilog: also read: a_cpu.csv
  b unknown 0.333333 b_cpu.csv b_gpu.csv
  smilog: also read: b_gpu.csv
  resnet unknown 0.333333 resnet.csv
  $ show many | grep -E '^(a|b|resnet) '
  a unknown 0.333333 a_cpu.csv a_gpu.csv
  b unknown 0.333333 b_cpu.csv b_gpu.csv
  resnet unknown 0.333333 resnet.csv
  $ echo "== logs of other names, one of each format"
  == logs of other names, one of each format
  $ rows 10 >pooled/alpha.csv && cpu >pooled/node7_cpu.csv && dmon >pooled/xyz.txt
  $ for path in pooled/alpha.csv pooled/node7_cpu.csv; do show $path; done
  pooled unknown 0.333333 alpha.csv
  pooled no-data None node7_cpu.csv
  $ (cd pooled && show alpha.csv && show ./xyz.txt)
  pooled unknown 0.333333 alpha.csv
  pooled unknown None xyz.txt
  $ echo "together:" && show pooled/alpha.csv pooled/node7_cpu.csv
  together:
  pooled unknown 0.333333 alpha.csv node7_cpu.csv
  $ cp pooled/* two && echo "$start" >two/run.jsonl
  $ echo "with a RunLog:" && show two/alpha.csv && show two/run.jsonl && show two
  with a RunLog:
  two cut 0.333333 alpha.csv node7_cpu.csv run.jsonl xyz.txt
  smilog: also read: node7_cpu.csv, run.jsonl, xyz.txt
  two cut 0.333333 alpha.csv node7_cpu.csv run.jsonl xyz.txt
  smilog: also read: alpha.csv, node7_cpu.csv, xyz.txt
  two cut 0.333333 alpha.csv node7_cpu.csv run.jsonl xyz.txt
  $ echo "== names that only say what was recorded"
  == names that only say what was recorded
  $ rows 10 >roles/hw_metrics.csv && cpu >roles/cpu_metrics.csv && dmon >roles/hw_dmon.csv
  $ show roles/hw_metrics.csv && show roles/cpu_metrics.csv roles/hw_metrics.csv && show roles
  roles unknown 0.333333 cpu_metrics.csv hw_dmon.csv hw_metrics.csv
  smilog: also read: cpu_metrics.csv, hw_dmon.csv
  roles unknown 0.333333 cpu_metrics.csv hw_dmon.csv hw_metrics.csv
  smilog: also read: hw_dmon.csv
  roles unknown 0.333333 cpu_metrics.csv hw_dmon.csv hw_metrics.csv
  $ rows 10 >parts/job_gpu.csv.1 && rows 11 >parts/job_gpu.csv && rows 10 >parts/zzz.csv && gzip parts/job_gpu.csv.1
  $ show parts/job_gpu.csv && show parts/job_gpu.csv.1.gz
  job unknown 0.666667 job_gpu.csv job_gpu.csv.1.gz
  smilog: also read: job_gpu.csv.1.gz
  job unknown 0.666667 job_gpu.csv job_gpu.csv.1.gz
  smilog: also read: job_gpu.csv
  $ echo "== a RunLog above its logs"
  == a RunLog above its logs
  $ echo "$start" >above/run.jsonl && rows 10 >above/node3/logs/gpu.csv && rows 11 >other/gpu.csv
  $ show above/run.jsonl && show above && (cd above && show run.jsonl)
  above cut 0.333333 node3/logs/gpu.csv run.jsonl
  smilog: also read: node3/logs/gpu.csv
  above cut 0.333333 node3/logs/gpu.csv run.jsonl
  above cut 0.333333 node3/logs/gpu.csv run.jsonl
  smilog: also read: node3/logs/gpu.csv
  $ cp above/run.jsonl joined && rows 10 >joined/gpu.csv && rows 11 >joined/sub/gpu.csv
  $ show joined/run.jsonl && show joined | sed -n 1p
  joined cut 0.333333 gpu.csv run.jsonl
  smilog: also read: gpu.csv
  joined cut 0.333333 gpu.csv run.jsonl
  $ echo "== what is not read"
  == what is not read
  $ mkdir full && cp many/* full && rows 11 >full/vit.csv
  $ opened() {
  >     for n in 40 300; do
  >         for i in $(seq $n); do
  >             echo "$i,$i,x" >full/t$i.csv
  >             echo done >full/slurm-9$i.out
  >             for ext in .log .txt .json .jsonl .out ''; do echo "some words $i" >full/other$i$ext; done
  >         done
  >         strace -f -e trace=open,openat -o calls smilog summarize -q full/a_gpu.csv >/dev/null && grep -c full/ calls
  >     done
  > }
  $ if command -v strace >/dev/null; then opened | uniq | wc -l; else echo 1; fi # how many different counts
  1
  $ show full/a_gpu.csv && show full/resnet.csv
  a unknown 0.333333 a_cpu.csv a_gpu.csv
  smilog: also read: a_cpu.csv
  resnet unknown 0.333333 resnet.csv
  $ for i in $(seq 40); do echo 1,2,x | tee two/gpu$i.1 >two/$i.csv; done
  $ cp two/run.jsonl two/resnet50.jsonl && rows 10 >two/gpu1.csv && rm two/alpha.csv
  $ show two/gpu1.csv && show two | grep gpu1
  gpu unknown 0.333333 gpu1.csv
  gpu unknown 0.333333 gpu1.csv

a copy of a log counts once
# The other begins with all bytes, and the name is that of the other with a word more. Not: logs of two GPUs, without times, of other runs, or of one byte else.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { mkdir -p "${1%/*}"; { echo "timestamp, utilization.gpu [%]"; for i in {10..59}; do echo "2026/07/03 10:00:$i.000, ${2:-50} %"; done; } >"$1"; }
  $ log run/gpu.csv; log run/gpu_copy.csv; log "run/gpu (1).csv"; log "run/Copy of gpu.csv"
  $ log more/x.csv; log more/y.csv; log more/x.old.csv; log more/x_2.csv 51; log more/y-late.csv; echo >>more/y-late.csv; head -n 9 more/y.csv >more/y.csv.old
  $ log gpus/gpu0.csv; log gpus/gpu1.csv; log gpus/gpu1_copy.csv
  $ log param/lr0.1_seed1.csv; log param/lr0.1_seed2.csv
  $ mkdir untimed && for name in gpu gpu_copy; do for i in {1..20}; do echo "0, GPU-0, 50 %, 00000000:17:00.0"; done | sed '1iindex, uuid, utilization.gpu [%], pci.bus_id' >untimed/$name.csv; done
  $ log zip/log.csv; python3 -c 'import zipfile; zipfile.ZipFile("zip/log.zip", "w", zipfile.ZIP_DEFLATED).write("zip/log.csv", "log.csv")'
  $ log gz/log.csv; gzip -nk gz/log.csv; cp gz/log.csv.gz gz/log-copy.csv.gz
  $ for sweep in run more gpus param untimed zip gz; do smilog summarize $sweep --format json 2>&1 | python3 -c '
  > import json, sys
  > text = sys.stdin.read()
  > print(text[:text.find("{")], *(f"""{run["run"]} {[log["path"] for log in run["inputs"]]} {[log["rows"] for log in run["inputs"]]}""" for run in json.loads(text[text.find("{"):])["runs"]), sep="\n")' | sed '/^$/d'; done
  smilog: run/Copy of gpu.csv: warning: is a copy of gpu.csv: not read, so that its rows count once
  smilog: run/gpu (1).csv: warning: is a copy of gpu.csv: not read, so that its rows count once
  smilog: run/gpu_copy.csv: warning: is a copy of gpu.csv: not read, so that its rows count once
  run ['gpu.csv'] [50]
  smilog: more/x.old.csv: warning: is a copy of x.csv: not read, so that its rows count once
  smilog: more/y.csv.old: warning: is a copy of y.csv: not read, so that its rows count once
  x ['x.csv'] [50]
  x_2 ['x_2.csv'] [50]
  y ['y.csv'] [50]
  y-late ['y-late.csv'] [50]
  smilog: gpus/gpu1_copy.csv: warning: is a copy of gpu1.csv: not read, so that its rows count once
  gpus ['gpu0.csv', 'gpu1.csv'] [50, 50]
  lr0.1_seed1 ['lr0.1_seed1.csv'] [50]
  lr0.1_seed2 ['lr0.1_seed2.csv'] [50]
  copy ['gpu_copy.csv'] [20]
  gpu ['gpu.csv'] [20]
  smilog: zip/log.zip: warning: logs that lie unpacked beside it: 1, not read, so that rows count once
  zip ['log.csv'] [50]
  smilog: gz: warning: log.csv.gz: the same content as log.csv, given twice: counted once
  smilog: gz/log-copy.csv.gz: warning: is a copy of log.csv.gz: not read, so that its rows count once
  gz ['log.csv'] [50]
  $ smilog summarize run -q | grep -e ^warnings: -e ^quality:
  quality: complete
  $ smilog summarize run/gpu.csv run/gpu_copy.csv -q | tail -n 1
  2 runs, 0.03 GPU-h, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)

a PATH below the RunLog of another one is read
# A RunLog takes in the logs of its only descendant run. Where there are two, each is a run of its own, in whatever order they were named.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir -p run/gpu run/b && echo '{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start"}' >run/run.jsonl
  $ for d in gpu b; do printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n' >run/$d/hw.csv; done
  $ runs() { smilog summarize -q --format csv --columns run,state,gpu_util_mean_pct "$@"; }
  $ runs run/run.jsonl run/gpu/hw.csv; runs run/gpu/hw.csv run/run.jsonl
  run,state,gpu_util_mean_pct
  gpu,unknown,50.0
  run,no-data,
  run,state,gpu_util_mean_pct
  gpu,unknown,50.0
  run,no-data,
  $ rm -r run/b; runs run/run.jsonl run/gpu/hw.csv; runs run/gpu/hw.csv run/run.jsonl; runs run/run.jsonl
  run,state,gpu_util_mean_pct
  run,cut,50.0
  run,state,gpu_util_mean_pct
  run,cut,50.0
  run,state,gpu_util_mean_pct
  run,cut,50.0

a packed copy and a backup count once
# gpu.csv.gz of gzip -k is the same log once more; an editor's backup beside its log is none. Where what they hold differs,
# the packed one is a part of the log, and the backup, perhaps of the last run, a log of its own.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ mkdir out
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W]"; for i in $(seq 10 29); do echo "2026/07/03 10:00:$i.000, 0, 50 %, 100.00 W"; done; } >out/gpu.csv
  $ gzip -k out/gpu.csv && cp out/gpu.csv out/gpu.csv~ && head -12 out/gpu.csv >out/gpu.csv.bak && cp out/gpu.csv out/other.bak
  $ pick() { python3 -SE pick.py /runs/*/run /runs/*/inputs/*/path /runs/*/duration_s problems; }
  $ smilog summarize --json out | pick
  /runs/*/run ["gpu", "other.bak"]
  /runs/*/inputs/*/path [["gpu.csv"], ["other.bak"]]
  /runs/*/duration_s [19.0, 19.0]
  problems ["no memory.used column, or no reading in it", "no CPU log", "gpu.csv.gz: the same content as gpu.csv, given twice: counted once"]
  2> smilog: gpu: warning: gpu.csv.gz: the same content as gpu.csv, given twice: counted once
  2> smilog: out/gpu.csv.bak: warning: is a copy of gpu.csv: not read, so that its rows count once
  2> smilog: out/gpu.csv~: warning: is a copy of gpu.csv: not read, so that its rows count once
  $ rm out/*~ out/*.bak && sed -i 's/10:00/11:00/' out/gpu.csv
  $ smilog summarize --json out | pick
  /runs/*/run ["out"]
  /runs/*/inputs/*/path [["gpu.csv", "gpu.csv.gz"]]
  /runs/*/duration_s [3619.0]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ rm out/*.gz && sed 's/11:00/09:00/' out/gpu.csv >out/gpu.csv.bak && sed -i 1q out/gpu.csv
  $ smilog summarize -q --json out | pick
  /runs/*/run ["csv.bak", "gpu"]
  /runs/*/inputs/*/path [["gpu.csv.bak"], ["gpu.csv"]]
  /runs/*/duration_s [19.0, null]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ mkdir dmon && printf '# gpu    sm   mem\n# Idx     %%     %%\n    0    50    10\n    0    60    10\n' >dmon/dmon.log
  $ cp dmon/dmon.log dmon/dmon.log~ && head -3 dmon/dmon.log >dmon/dmon.log.old && cp dmon/dmon.log dmon/node2_dmon.log # rows without times
  $ smilog summarize -q --format csv --columns run,gpu_util_mean_pct dmon
  run,gpu_util_mean_pct
  dmon,55.0
  node2,55.0

a path that is a run has its base name
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     run
  run "a_path_that_is_a_run_has_its_base_name"

a PATH that is no log, beside a log
# It is of the run of its directory, which has a log: that it was not read is said.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir run || exit
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:01.000, 0, 50 %%\n' >run/gpu.csv
  $ printf 'timestamp, index, utili' >run/cpu_metrics.csv
  $ smilog summarize --columns run,gpu_util_mean_pct --format csv run/cpu_metrics.csv 2>&1
  smilog: run/cpu_metrics.csv: warning: cannot be used: one unfinished line
  smilog: also read: gpu.csv
  run,gpu_util_mean_pct
  run,50.0

a recording that cannot be read
# A file with a recording's name is missed if it cannot be read; any other text beside a log is not.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir run
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:01.000, 0, 50 %%\n' >run/hw_metrics.csv
  $ printf 'when,usage\n1,5\n' | tee run/cpu_metrics.csv >run/results.csv
  $ smilog summarize --format csv --columns run,gpu_util_mean_pct run 2>&1
  smilog: run/cpu_metrics.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "when,usage"
  run,gpu_util_mean_pct
  run,50.0
  $ smilog summarize --strict run >out 2>&1
  [1]
  $ echo $?
  1

a rotated part has the columns of the others
# A log was rotated while its monitor wrote it: only the oldest part has a header, packed or not.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ mkdir out
  $ row() { echo "2026/07/03 10:00:$1.000, 30, 40 %, 50 %, 100.00 W"; }
  $ { echo "timestamp, fan.speed [%], utilization.gpu [%], utilization.memory [%], power.draw [W]"; for i in $(seq 10 29); do row $i; done; } >out/gpu.csv.2
  $ for i in $(seq 30 39); do row $i; done >out/gpu.csv.1
  $ for i in $(seq 40 59); do row $i; done >out/gpu.csv
  $ pick() { smilog summarize --json "$1" | python3 -SE pick.py /runs/*/run duration_s energy_wh gpus/*/metrics/gpu_util_pct/mean gpus/*/samples problems; }
  $ pick out
  /runs/*/run ["out"]
  duration_s 49.0
  energy_wh 1.361111
  gpus/*/metrics/gpu_util_pct/mean [40.0]
  gpus/*/samples [50]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ gzip out/gpu.csv.2 && pick out
  /runs/*/run ["out"]
  duration_s 49.0
  energy_wh 1.361111
  gpus/*/metrics/gpu_util_pct/mean [40.0]
  gpus/*/samples [50]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
# A byte order mark or a comment may stand above the header; rows of another width are not its own.
  $ mkdir mark comment width
  $ row() { echo "2026/07/03 10:00:$1, 0, 50 %, 100 W"; }
  $ head='timestamp, index, utilization.gpu [%], power.draw [W]'
  $ for d in mark comment; do for i in $(seq 10 19); do row $i; done >$d/gpu.csv; done
  $ { printf '\xEF\xBB\xBF'; echo "$head"; row 08; row 09; } >mark/gpu.csv.1
  $ { echo '# GPU log'; echo "$head"; row 08; row 09; } >comment/gpu.csv.1
  $ { echo "timestamp, index, temperature.gpu, fan.speed [%], utilization.gpu [%]"; echo '2026/07/03 10:00:08, 0, 40, 30 %, 50 %'; } >width/gpu.csv.1
  $ for i in $(seq 10 19); do echo "2026/07/03 10:00:$i, 0, 50 %, 10 %, 1000 MiB, 50, 1500 MHz, 1000 MHz"; done >width/gpu.csv
  $ for d in mark comment width; do pick $d; done 2>&1
  /runs/*/run ["mark"]
  duration_s 11.0
  energy_wh 0.305556
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  gpus/*/samples [12]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  /runs/*/run ["comment"]
  duration_s 11.0
  energy_wh 0.305556
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  gpus/*/samples [12]
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  smilog: width/gpu.csv: warning: rows of 8 cells without a header: column 4 may be utilization.memory or fan.speed; name them with --input-columns timestamp,index,utilization.gpu,?,?,temperature.gpu,?,?; first row "2026/07/03 10:00:10, 0, 50 %, 10 %, 1000 MiB, 50, 1500 MHz, 1000 MHz"
  /runs/*/run ["width"]
  duration_s 0.0
  energy_wh null
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  gpus/*/samples [1]
  problems ["no memory.used column, or no reading in it", "no power column, or no reading in it", "no two rows of one GPU with times: no energy, no idle time", "no CPU log", "gpu.csv: query CSV without a header, and not the nine reference columns: --input-columns LIST names them"]

a warning names the run of its log
# The logs of these runs lie below the directory that gives the run its name: a warning names both.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for id in 101500-k2mq7x0a 102000-p9ss41zd; do
  >     mkdir -p "wandb/run-20260301_$id/files"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.0' >"wandb/run-20260301_$id/files/gpu.csv"
  > done
  $ smilog summarize --format csv --columns run wandb 2>&1
  smilog: run-20260301_101500-k2mq7x0a/files/gpu.csv:3: warning: unfinished last line: "2026/07/03 10:00:02.0"
  smilog: run-20260301_102000-p9ss41zd/files/gpu.csv:3: warning: unfinished last line: "2026/07/03 10:00:02.0"
  run
  run-20260301_101500-k2mq7x0a
  run-20260301_102000-p9ss41zd

all crashed
# Where all runs crashed before their logs began they are shown all the same, and so is what became of them; check judges
# none. A directory without a trace of a run, and a file that was named, are no runs.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir -p out/1 out/2/.hydra out/run-20260301_101500-k2mq7x0a/files none
  $ echo 'No devices were found' >out/1/gpu.csv
  $ echo '{}' >out/run-20260301_101500-k2mq7x0a/files/wandb-metadata.json
  $ smilog summarize out; echo "status $?"
  3 runs in out

  RUN                           STATE    TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB  W  °C  CPU %  THROTTLED %  Wh  WASTED h  START  HOST  NOTE
  1                             no-data     -      -      -  ··········       -         -  -   -      -            -   -         -  -      -     no GPU log
  2                             no-data     -      -      -  ··········       -         -  -   -      -            -   -         -  -      -     no GPU log
  run-20260301_101500-k2mq7x0a  no-data     -      -      -  ··········       -         -  -   -      -            -   -         -  -      -     no GPU log
  total                         -           -      -      -  -                -         -  -   -      -            -   -         -  -      -     -

  warnings: 3 files not usable (1 first)
  quality: 3 of 3 runs are incomplete: no-data in 3
  3 runs, 3 no GPU data
  status 0
  2> smilog: 1: warning: gpu.csv: cannot be used: only a message: "No devices were found"
  2> smilog: 2: warning: no log beside .hydra
  2> smilog: run-20260301_101500-k2mq7x0a: warning: no log beside wandb-metadata.json
  $ for form in json csv; do smilog summarize -q --format $form --columns run,state out; echo "$form: status $?"; done
  {"schema": "smilog/1", "generator": "smilog VERSION", "columns": ["run", "state"], "rows": [
  {"run": "1", "state": "no-data"},
  {"run": "2", "state": "no-data"},
  {"run": "run-20260301_101500-k2mq7x0a", "state": "no-data"}
  ]}
  json: status 0
  run,state
  1,no-data
  2,no-data
  run-20260301_101500-k2mq7x0a,no-data
  csv: status 0
  $ smilog summarize -q --format line out; echo "line: status $?"
  {"v":1,"run":"1","ngpu":0,"state":"no-data"}
  {"v":1,"run":"2","ngpu":0,"state":"no-data"}
  {"v":1,"run":"run-20260301_101500-k2mq7x0a","ngpu":0,"state":"no-data"}
  line: status 0
  $ smilog summarize --strict -q --format csv --columns run,state out; echo "strict: status $?"
  run,state
  1,no-data
  2,no-data
  run-20260301_101500-k2mq7x0a,no-data
  strict: status 1
  $ smilog report -q out -o page.html; echo "report: status $?"; grep -c 'no-data' page.html
  report: status 0
  9
  $ smilog check -q --max-idle-pct 10 out; echo "check: status $?"
              LIMIT       RUN
  not judged  no reading  1: no GPU log
  not judged  no reading  2: no GPU log
  not judged  no reading  run-20260301_101500-k2mq7x0a: no GPU log
  0 of 3 runs meet all limits, 3 runs could not be judged
  check: status 5
  $ smilog check -q --expect 3 out; echo "check: status $?"
  check: status 0
  $ smilog summarize -q none; echo "nothing: status $?"
  nothing: status 3
  2> smilog: no usable log in none
  $ smilog summarize -q out/1/gpu.csv; echo "a file: status $?"
  a file: status 3
  2> smilog: no usable log in out/1/gpu.csv

as many files as are not usable
# Files that one sentence is about are counted all, here and behind partials.
  $ dir=$(mktemp -d)
  $ mkdir "$dir/a" "$dir/b" && cp ../../../fixtures/query_units.csv "$dir/a/" && cp ../../../fixtures/query_units.csv "$dir/b/"
  $ for i in {1..16}; do ln -s nowhere "$dir/a/$i.csv"; done
  $ cd "$dir"
  $ smilog summarize --follow-links . 2>&1 | grep -e smilog: -e ^warnings:
  smilog: a/1.csv: warning: a link that leads nowhere, or back to where it is: not followed (and 15 more)
  warnings: 16 files not usable (a/1.csv first)
  $ smilog summarize -q --follow-links --partial . | tee p | smilog merge -q - | grep ^warnings:
  warnings: 16 files not usable (a/1.csv first)
  $ smilog merge p 2>&1 | grep -e smilog: -e ^warnings:
  smilog: a/1.csv: warning: a link that leads nowhere, or back to where it is: not followed (and 15 more)
  warnings: 16 files not usable (a/1.csv first)

colliding names get their path
  $ mkdir -p x/a y/a
  $ cat >x/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >y/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json x y | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["x/a", "y/a"]

flat logs that are empty are runs
# Runs that are files of one directory: those that are empty count; an empty log of a run that has others does not.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ log() { mkdir -p "$(dirname "$1")"; echo 'timestamp, index, utilization.gpu [%], power.draw [W]' >"$1"
  >     for i in 10 11 12 13 14; do echo "2026/03/01 10:00:$i.000, 0, 50 %, 200.00 W" >>"$1"; done; }
  $ log flat/lr0.1_seed1.csv; log flat/lr0.1_seed2.csv; : >flat/lr0.3_seed1.csv; : >flat/notes.md
  $ log one/hw.csv; : >one/hw_dmon.csv
  $ smilog summarize -q --format csv --columns run,state flat; echo "status $?"
  run,state
  lr0.1_seed1,unknown
  lr0.1_seed2,unknown
  lr0.3_seed1,no-data
  status 0
  $ smilog summarize -q --format csv --columns run,state one; echo "status $?"
  run,state
  one,unknown
  status 0
  $ smilog summarize --format csv --columns run,state flat/*.csv; echo "status $?"
  run,state
  lr0.1_seed1,unknown
  lr0.1_seed2,unknown
  lr0.3_seed1,no-data
  status 0
  2> smilog: lr0.3_seed1: warning: lr0.3_seed1.csv: cannot be used: empty

gpu0 and gpu1 are gpus of one run
# Logs that differ in the number behind "gpu" are of the GPUs of one run, which have these numbers where the logs do not name
# them: in any order of merging, in samples, beside a log of all GPUs, in an archive; of two runs in one directory, too.
  $ mkdir -p out/lr=0.1
  $ cat >out/lr=0.1/hw_gpu0.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/lr=0.1/hw_gpu1.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 1, 50, 100.00
  > 2026/07/03 10:00:02.000, 1, 50, 100.00
  > EOF
  $ smilog summarize --json out | python3 -SE ../../pick.py '/runs/*/run' 'gpus/*/gpu'
  /runs/*/run ["lr=0.1"]
  gpus/*/gpu [0, 1]
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ log() { mkdir -p "$(dirname "$1")"; echo 'timestamp, utilization.gpu [%], power.draw [W]' >"$1"
  >     for i in 10 11 12 13 14; do echo "2026/03/01 10:00:$i.000, $2 %, 100.00 W" >>"$1"; done; }
  $ for run in keyless beside; do log $run/gpu1.csv 10; log $run/gpu2.csv 50; done
  $ printf '# gpu     sm    mem\n# Idx      %%      %%\n' >beside/dmon.txt
  $ for i in 1 2 3; do for gpu in 0 1 2; do echo "    $gpu     ${gpu}0     3$gpu" >>beside/dmon.txt; done; done
  $ log flat/a_gpu-0.csv 20; log flat/a_gpu-1.csv 30; log flat/b_gpu-0.csv 40; log flat/b_gpu-1.csv 60
  $ log one/gpu3.csv 70; log same/x_gpu0.csv 10; log same/y_gpu0.csv 20
  $ log first/gpu0.csv 10; sed '/^    2 /d' beside/dmon.txt >first/dmon.txt
  $ for path in keyless beside first flat one same; do smilog summarize -q --format csv --sql 'select run, gpu, round(gpu_util_pct_mean) as util, mem_util_pct_mean, samples from gpus' $path; done
  run,gpu,util,mem_util_pct_mean,samples
  keyless,1,10.0,,5
  keyless,2,50.0,,5
  run,gpu,util,mem_util_pct_mean,samples
  beside,0,0.0,30.0,3
  beside,1,10.0,31.0,5
  beside,2,50.0,32.0,5
  run,gpu,util,mem_util_pct_mean,samples
  first,0,10.0,30.0,5
  first,1,10.0,31.0,3
  run,gpu,util,mem_util_pct_mean,samples
  a,0,20.0,,5
  a,1,30.0,,5
  b,0,40.0,,5
  b,1,60.0,,5
  run,gpu,util,mem_util_pct_mean,samples
  one,3,70.0,,5
  run,gpu,util,mem_util_pct_mean,samples
  x,0,10.0,,5
  y,0,20.0,,5
  $ smilog summarize -q --format csv --sql 'select gpu, round(gpu_util_pct_mean) as util from gpus' --run-per file keyless
  gpu,util
  1,10.0
  2,50.0
  $ tar -czf keyless.tgz keyless && smilog summarize -q --json keyless.tgz >packed && smilog summarize -q --json keyless >whole && python3 -SE - <<'END'
  > import json
  > gpus = lambda f: [{k: v for k, v in g.items()} for r in json.load(open(f))["runs"] for g in r["gpus"]]
  > print("packed as whole:", gpus("packed") == gpus("whole"))
  > END
  packed as whole: True
  $ smilog summarize -q --partial keyless/gpu2.csv --run keyless >2.partial; smilog summarize -q --partial keyless/gpu1.csv --run keyless >1.partial
  $ smilog merge -q --format csv --sql 'select run, gpu, round(gpu_util_pct_mean) as util from gpus' 2.partial 1.partial
  run,gpu,util
  keyless,1,10.0
  keyless,2,50.0
  $ smilog export -q --to csv:- keyless | cut -d, -f1-8 | head -20
  run,host,input,format,row,time,device,gpu
  keyless,,gpu1.csv,nvidia-smi-query,0,2026-03-01T10:00:10.000,gpu,1
  keyless,,gpu1.csv,nvidia-smi-query,1,2026-03-01T10:00:11.000,gpu,1
  keyless,,gpu1.csv,nvidia-smi-query,2,2026-03-01T10:00:12.000,gpu,1
  keyless,,gpu1.csv,nvidia-smi-query,3,2026-03-01T10:00:13.000,gpu,1
  keyless,,gpu1.csv,nvidia-smi-query,4,2026-03-01T10:00:14.000,gpu,1
  keyless,,gpu2.csv,nvidia-smi-query,0,2026-03-01T10:00:10.000,gpu,2
  keyless,,gpu2.csv,nvidia-smi-query,1,2026-03-01T10:00:11.000,gpu,2
  keyless,,gpu2.csv,nvidia-smi-query,2,2026-03-01T10:00:12.000,gpu,2
  keyless,,gpu2.csv,nvidia-smi-query,3,2026-03-01T10:00:13.000,gpu,2
  keyless,,gpu2.csv,nvidia-smi-query,4,2026-03-01T10:00:14.000,gpu,2

gpu0 metrics and gpu1 metrics
# Words for a role behind the number do not make two runs of two GPUs: in directories of runs, flat beside those of other
# runs, packed. Two logs of one GPU are two runs.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && cd "$t" || exit 1
  $ log() { mkdir -p "$(dirname "$1")"; echo 'timestamp, utilization.gpu [%], power.draw [W]' >"$1"
  >     for i in 10 11 12 13 14; do echo "2026/03/01 10:00:$i.000, $2 %, 100.00 W" >>"$1"; done; }
  $ log dirs/a/gpu0_metrics.csv 10; log dirs/a/gpu1_metrics.csv 20; log dirs/b/gpu-0.util.log 30; log dirs/b/gpu-3.util.log 40
  $ log flat/a_gpu0_metrics.csv 50; log flat/a_gpu1_metrics.csv 60; log flat/b_gpu_0_power_log.csv 70; log flat/b_gpu_1_power_log.csv 80
  $ log one/gpu0_metrics.csv 10; log one/gpu0_power.csv 20
  $ tar -czf dirs.tgz dirs
  $ for path in dirs flat one dirs.tgz; do
  >     smilog summarize -q --format csv --sql 'select run, gpu, round(gpu_util_pct_mean) as util from gpus' $path
  > done
  run,gpu,util
  a,0,10.0
  a,1,20.0
  b,0,30.0
  b,3,40.0
  run,gpu,util
  a,0,50.0
  a,1,60.0
  b,0,70.0
  b,1,80.0
  run,gpu,util
  gpu_metrics,0,10.0
  gpu_power,0,20.0
  run,gpu,util
  a,0,10.0
  a,1,20.0
  b,0,30.0
  b,3,40.0

group with one format twice is dissolved
  $ mkdir -p out
  $ cat >out/gpu_log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/gpu_usage.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 90.00
  > 2026/07/03 10:00:02.000, 0, 50, 90.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["gpu_log", "gpu_usage"]

groups by stem
  $ mkdir -p out
  $ cat >out/a_cpu.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,1,99
  > EOF
  $ cat >out/a_gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/b_cpu.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,1,99
  > EOF
  $ cat >out/b_gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run /runs/*/inputs/*/path
  /runs/*/run ["a", "b"]
  /runs/*/inputs/*/path [["a_cpu.csv", "a_gpu.csv"], ["b_cpu.csv", "b_gpu.csv"]]

groups by what differs
  $ mkdir -p out
  $ cat >out/nvidia-smi-dmon-M1.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    101     10
  > EOF
  $ cat >out/nvidia-smi-dmon-M2.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    102     10
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["M1", "M2"]

holes of a grid
  $ mkdir -p out/a=1/b=1 out/a=1/b=2 out/a=1/b=3 out/a=1/b=4 out/a=2/b=1 out/a=2/b=2 out/a=2/b=3 out/a=2/b=4 out/a=3/b=1 out/a=3/b=2 out/a=3/b=3
  $ cat >out/a=1/b=1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=2/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=4/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=2/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=4/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=3/b=1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=3/b=2/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=3/b=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /missing
  /missing [{"a": 3, "b": 4}]

hydra without overrides
# A run of Hydra that died before it wrote its overrides has its hidden directory, in a directory and in an archive.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir -p out/0/.hydra out/1/.hydra out/2/.hydra out/3
  $ echo '- lr=0.1' >out/0/.hydra/overrides.yaml
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >out/0/gpu.csv
  $ echo 'hydra: {}' >out/1/.hydra/hydra.yaml
  $ echo 'lr: 0.2' >out/1/.hydra/config.yaml
  $ tar -cf out.tar out
  $ for path in out out.tar; do smilog summarize -v --format csv --columns run,state,lr $path; echo "status $?"; done
  run,state,lr
  0,unknown,0.1
  1,no-data,0.2
  2,no-data,
  status 0
  run,state,lr
  0,unknown,0.1
  1,no-data,0.2
  status 0
  2> smilog: 1: warning: no log beside .hydra
  2> smilog: 2: warning: no log beside .hydra
  2> smilog: 1: warning: no log beside .hydra/config.yaml

its number is in its name
# Where the logs of runs differ by the number in their names, a run whose log is empty, holds a message, a header that was cut,
# or anything else, is a run without data. So is one whose RunLog is all there is, and empty. A text whose name is only a
# number is none, nor is one in a directory that has no such log beside it.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ log() { mkdir -p "$(dirname "$1")"; echo 'timestamp, index, utilization.gpu [%], power.draw [W]' >"$1"
  >     for i in 10 11 12 13 14; do echo "2026/03/01 10:00:$i.000, 0, 50 %, 200.00 W" >>"$1"; done; }
  $ log out/1/usage_1.csv; log out/2/usage_2.csv
  $ for i in 1 2; do echo '{"ts": "2026-03-01T10:00:09.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 0}}' >out/$i/events_$i.jsonl; done
  $ mkdir out/{3,4,5,6,7,8,deep} out/deep/9
  $ : >out/3/usage_3.csv
  $ echo 'bash: line 1: nvidia-smi: command not found' >out/4/usage_4.csv
  $ printf 'timestamp, index, utiliz' >out/5/usage_5.csv
  $ echo 'No devices were found' >out/6/usage_16.csv
  $ echo 'CondaError: Run "conda init" before "conda activate"' | tee out/7/usage_7.csv out/deep/9/usage_9.csv >out/deep/usage.csv
  $ : >out/8/events_8.jsonl
  $ smilog summarize --format csv --columns run,state out; echo "status $?"
  run,state
  1,cut
  2,cut
  3,no-data
  4,no-data
  5,no-data
  6,no-data
  7,no-data
  8,no-data
  status 0
  2> smilog: 3: warning: usage_3.csv: cannot be used: empty
  2> smilog: 4: warning: usage_4.csv: cannot be used: only a message: "bash: line 1: nvidia-smi: command not found"
  2> smilog: 5: warning: usage_5.csv: cannot be used: one unfinished line
  2> smilog: 6: warning: usage_16.csv: cannot be used: only a message: "No devices were found"
  2> smilog: 7: warning: usage_7.csv: no log, though files called like it in other directories are
  2> smilog: warning: 1 more files or paths that could not be used (-v names them)
  $ tar -cf out.tar out
  $ smilog summarize -q --format csv --columns run,state out.tar
  run,state
  1,cut
  2,cut
  3,no-data
  4,no-data
  5,no-data
  6,no-data
  7,no-data
  8,no-data
  $ smilog summarize -q --format csv --columns run,state --strict out/1 out/3; echo "status $?"
  run,state
  1,cut
  3,no-data
  status 1
  $ log number/a/1.csv; mkdir number/{b,c}; echo 'no log' | tee number/b/2.csv >number/c/1.csv
  $ smilog summarize --format csv --columns run,state number
  run,state
  a,unknown
  c,no-data
  2> smilog: c: warning: 1.csv: no log, though files called like it in other directories are

low power
  $ mkdir -p out
  $ cat >out/low_gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 90.00
  > 2026/07/03 10:00:02.000, 0, 50, 90.00
  > EOF
  $ cat >out/low_power_gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["low_gpu", "low_power_gpu"]

name is the path below
  $ mkdir -p out/a/b out/c
  $ cat >out/a/b/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/c/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["a/b", "c"]

names of any bytes stay apart
# Names that are not UTF-8 are different runs in the ledger, in a merge, in JSON, in exports and in SQLite, whose texts are
# valid UTF-8.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && mkdir "$dir/in" && cd "$dir" || exit 1
  $ for name in $'a\xff' $'a\xfe' $'a\xef\xbf\xbd' $'\xc3(' 'b'; do
  >     mkdir "in/$name"
  >     printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/03/01 10:00:00.000, 0, 90 %' '2026/03/01 10:00:01.000, 0, 90 %' >"in/$name/gpu.csv"
  > done
  $ smilog summarize -q in -o l.ledger && smilog merge -q l.ledger
  user  account  jobs  gpu_hours    used_h  idle_h  failed_h  held_idle_h  used_pct  unknown_h  memory_held_h  memory_free_h  incomplete  energy_kwh
     -        -     5   0.001389  0.001389     0.0       0.0          0.0     100.0        0.0              -              -           0         0.0
  $ python3 -SE -c 'import json, sys; [print(r["job"], r.get("name_bytes")) for r in map(json.loads, open("l.ledger", "rb").read().decode().splitlines())]'
  a� None
  a� [61fe] 61fe
  a� [61ff] 61ff
  b None
  �( [c328] c328
  $ smilog summarize -q --partial in >p.jsonl && smilog merge -q --json p.jsonl | python3 -SE -c '
  > import json, sys
  > print([(r["run"], r.get("name_bytes")) for r in json.load(sys.stdin)["runs"]])'
  [('a�', None), ('a�', '61fe'), ('a�', '61ff'), ('b', None), ('�(', 'c328')]
  $ for to in csv jsonl; do smilog export -q in --to "$to:-" | iconv -f UTF-8 -t UTF-8 | grep -o 'a[^",]*\[[0-9a-f]*\]' | sort -u; done
  a� [61fe]
  a� [61ff]
  a� [61fe]
  a� [61ff]
  $ smilog export -q in --to sqlite:runs.db && smilog export -q in --to sqlite:runs.db
  $ python3 -SE -c '
  > import sqlite3
  > db = sqlite3.connect("runs.db")  # decodes every text as UTF-8
  > print(sorted(db.execute("SELECT name, leaf FROM runs")), db.execute("SELECT count(*) FROM samples").fetchall())'
  [('a�', 'a�'), ('a� [61fe]', 'a� [61fe]'), ('a� [61ff]', 'a� [61ff]'), ('b', 'b'), ('�( [c328]', '�( [c328]')] [(10,)]

names whatever way a path is typed
# The same runs have the same names by way of dir, dir/, ./dir, a detour and the absolute path; of equal names the pieces in
# which their PATHs differ tell them apart.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in old/exp1/seed=1 old/exp2/seed=1 old/exp2/seed=2; do
  >     mkdir -p "$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >"$run/gpu.csv"
  > done
  $ names() { echo "$@: $(smilog summarize -q --format csv --columns run "$@" | tail -n +2 | paste -sd ' ')" | sed "s|$dir|DIR|g"; }
  $ for path in old/exp1/seed=1 old/exp1/seed=1/ ./old/exp1/seed=1 old/../old/exp1/seed=1 "$dir/old/exp1/seed=1"; do names "$path"; done
  old/exp1/seed=1: seed=1
  old/exp1/seed=1/: seed=1
  ./old/exp1/seed=1: seed=1
  old/../old/exp1/seed=1: seed=1
  DIR/old/exp1/seed=1: seed=1
  $ for path in old/exp1 old/exp1/ ./old/exp1 "$dir/old/exp1"; do names "$path" old/exp2; done
  old/exp1 old/exp2: exp1/seed=1 exp2/seed=1 seed=2
  old/exp1/ old/exp2: exp1/seed=1 exp2/seed=1 seed=2
  ./old/exp1 old/exp2: exp1/seed=1 exp2/seed=1 seed=2
  DIR/old/exp1 old/exp2: exp1/seed=1 exp2/seed=1 seed=2
  $ names old/exp1/seed=1/gpu.csv "$dir/old/exp2/seed=1/gpu.csv"
  old/exp1/seed=1/gpu.csv DIR/old/exp2/seed=1/gpu.csv: exp1/seed=1 exp2/seed=1
  $ cd old/exp1 && names . ../exp2
  . ../exp2: exp1/seed=1 exp2/seed=1 seed=2

names with numbers in their order
# Results, phases of one time and parameters that differ, in the order of the numbers in their names.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ for run in a b; do
  >     mkdir $run
  >     { echo "timestamp, index, power.draw [W]"; for t in 10 12 14; do echo "2026/07/04 10:00:$t.000, 0, 50.00 W"; done; } >$run/gpu.csv
  >     printf '{"p10": "%s", "p2": "%s"}\n' $run $run >$run/params.json
  >     echo '{"training_iteration": 1, "m10": 3, "m2": 4}' >$run/result.json
  >     for name in step10 step2; do
  >         echo '{"type": "phase", "ts": "2026-07-04T10:00:14Z", "name": "'$name'", "seconds": 4}'
  >     done >$run/run.jsonl
  > done
  $ smilog summarize -q --tz UTC --format csv . | head -1 | tr , '\n' | grep -E '^(param|result)'
  param.p2
  param.p10
  result.m2
  result.m10
  result.training_iteration
  $ smilog summarize -q --tz UTC --json a | python3 -SE "$root/tests/cases/pick.py" 'phases/*/name'
  phases/*/name ["step2", "step10"]
  $ smilog diff -q a b | grep differs
  differs: p2 a -> b, p10 a -> b

note of a log whose columns are unknown
  $ mkdir -p out/a out/b
  $ cat >out/a/x.csv <<'EOF'
  > 2026/07/03 10:00:00.000, 5, 7
  > 2026/07/03 10:00:02.000, 5, 7
  > EOF
  $ cat >out/b/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize out
  2 runs in out   1 GPU
  2026-07-03 10:00 to 10:00, zone not known   sampled every 2.0 s

  RUN    STATE    TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB      W  °C  CPU %  THROTTLED %   Wh  WASTED h  START                HOST  NOTE
  a      no-data     -      -      -  ··········       -         -      -   -      -            -    -         -  -                    -     columns unknown
  b      -        2.0s   50.0     50  ▅▅▅▅▅▅▅▅▅▅     0.0         -  100.0   -      -            -  0.1      0.00  2026-07-03T10:00:00  -     -
  total  -        2.0s   50.0      -  -              0.0         -      -   -      -            -  0.1      0.00  -                    -     -

  warnings: 1 file not usable (out/a/x.csv)
  quality: 1 of 2 runs is incomplete: no-data in 1, unread in 1
  2 runs, <0.01 GPU-h, 0.1 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %), 1 no GPU data
  2> smilog: out/a/x.csv: warning: rows of 3 cells without a header: nothing tells what column 2 is; name them with --input-columns timestamp,?,?; first row "2026/07/03 10:00:00.000, 5, 7"
  $ smilog summarize -q --json out | python3 -SE ../../pick.py problems
  problems ["no GPU log whose columns are known", "no CPU log", "x.csv: query CSV without a header, and not the nine reference columns: --input-columns LIST names them"]
  $ smilog summarize -q --partial out -o - 2>/dev/null | smilog merge -q - | grep -o 'columns unknown'
  columns unknown

parameters from the path
  $ mkdir -p out/lr=0.1/seed=3 out/lr=0.1/seed=x
  $ cat >out/lr=0.1/seed=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/lr=0.1/seed=x/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/params
  /runs/*/params [{"lr": 0.1, "seed": 3}, {"lr": 0.1, "seed": "x"}]

parameters path over run log
  $ mkdir -p out/lr=0.1
  $ cat >out/lr=0.1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/lr=0.1/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"lr": 0.5, "batch": 64}}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params
  params {"lr": 0.1, "batch": 64}

piped cells have no blanks
# In a pipe every row has as many fields, whatever names and parameters hold; the note, which is last, is words.
  $ dir=$(mktemp -d)
  $ n=0
  $ for tag in 'a b' '' 'c' '\u0007x' ' '; do
  >     mkdir "$dir/x $((n += 1))" && cp ../../../fixtures/query_units.csv "$dir/x $n/hw.csv"
  >     printf '{"tag": "%s", "two words": "y%s z"}' "$tag" "$n" >"$dir/x $n/config.json"
  > done
  $ smilog summarize -q --host 'h 1' "$dir" | grep '^x' | sed 's/   *[0-9a-z]*s  .*//'
  x\x201  a\x20b  y1\x20z       -
  x\x202  \x20    y2\x20z       -
  x\x203  c       y3\x20z       -
  x\x204  -       y4\x20z       -
  x\x205  \x20    y5\x20z       -
  $ smilog summarize -q --host 'h 1' "$dir" | grep '^x' | awk '{ print NF, $(NF - 1) }'
  19 h\x201
  19 h\x201
  19 h\x201
  19 h\x201
  19 h\x201
  $ smilog summarize -q --columns run,param.tag,'two words' "$dir" | awk '{ print NF, $0 }'
  3 run     param.tag  two\x20words
  3 x\x201  a\x20b     y1\x20z
  3 x\x202  \x20       y2\x20z
  3 x\x203  c          y3\x20z
  3 x\x204  -          y4\x20z
  3 x\x205  \x20       y5\x20z

rotated files are one stream
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:04.000, 0, 50, 100.00
  > 2026/07/03 10:00:06.000, 0, 50, 100.00
  > EOF
  $ cat >out/log.csv.1 <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run duration_s covered_s segments gpus/0/samples
  /runs/*/run ["out"]
  duration_s 6.0
  covered_s 6.0
  segments 1
  gpus/0/samples 4

a log that is rotated within its first poll is one stream
# The older part has the first row of one of two GPUs, or of both. Parts of one path (summarised apart) are joined the same way.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir out a b
  $ awk 'BEGIN { print "timestamp, index, utilization.gpu [%], power.draw [W]"
  >   for (s = 0; s < 8; s += 2) for (g = 0; g < 2; g++) printf "2026/07/03 10:00:%02d.000, %d, 50, 100.00\n", s, g }' >whole.csv
  $ energy() { python3 -SE -c 'import json, sys
  > print(*[json.load(sys.stdin)["runs"][0][k] for k in ["energy_wh"]])'; }
  $ for cut in 2 3; do
  >     head -n $cut whole.csv | tee a/gpu.csv >out/gpu.csv.1; sed "2,${cut}d" whole.csv | tee b/gpu.csv >out/gpu.csv
  >     for part in a b; do (cd $part && smilog summarize -q --partial . -o ../$part.partial); done
  >     smilog summarize -q --json out | energy; smilog merge -q --json --run one b.partial a.partial | energy
  > done
  0.333333
  0.333333
  0.333333
  0.333333

run log above two runs stays alone
  $ mkdir -p out/job/a out/job/b
  $ cat >out/job/a/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/job/b/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/job/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:02.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run
  /runs/*/run ["job", "job/a", "job/b"]

run log takes in its only descendant
  $ mkdir -p out/job/logs
  $ cat >out/job/logs/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/job/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:02.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /runs/*/run inputs/*/path state
  /runs/*/run ["job"]
  inputs/*/path ["logs/l.csv", "run.jsonl"]
  state "ok"

two gpus that did the same
# Logs that are named for two GPUs and have the same bytes are of two GPUs all the same; a copy of one of them is none.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir -p out/idle
  $ { echo 'timestamp, utilization.gpu [%], power.draw [W]'
  >     for i in 10 11 12; do echo "2026/03/01 10:00:$i.000, 0 %, 60.00 W"; done; } | tee out/idle/gpu0.csv out/idle/gpu1.csv >out/idle/gpu1.csv.1
  $ smilog summarize --format csv --sql 'select run, gpu, samples, energy_wh from gpus' out
  run,gpu,samples,energy_wh
  idle,0,3,0.033333
  idle,1,3,0.033333
  2> smilog: idle: warning: gpu1.csv.1: the same content as gpu1.csv, given twice: counted once
  $ tar -cf out.tar out
  $ smilog summarize -q --format csv --sql 'select run, gpu, samples, energy_wh from gpus' out.tar
  run,gpu,samples,energy_wh
  idle,0,3,0.033333
  idle,1,3,0.033333

two holes in ten are no grid
  $ mkdir -p out/a=1/b=1 out/a=1/b=2 out/a=1/b=3 out/a=1/b=5 out/a=2/b=1 out/a=2/b=2 out/a=2/b=3 out/a=2/b=4
  $ cat >out/a=1/b=1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=2/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=1/b=5/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=1/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=2/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=3/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/a=2/b=4/l.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     /missing
  /missing []

wandb runs are named by their directory
# W&B keeps what belongs to a run in run-DATE_TIME-ID/files: the run is called by the directory with the ID.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for id in 101500-k2mq7x0a 102000-p9ss41zd; do
  >     mkdir -p "wandb/run-20260301_$id/files"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >"wandb/run-20260301_$id/files/gpu.csv"
  > done
  $ run=wandb/run-20260301_101500-k2mq7x0a
  $ mkdir -p results/run1/files results/run2 && cp $run/files/gpu.csv results/run1/files && cp $run/files/gpu.csv results/run2
  $ names() { echo "$@: $(smilog summarize -q --format csv --columns run "$@" | tail -n +2 | paste -sd ' ')"; }
  $ for path in wandb $run $run/files $run/files/gpu.csv results; do names $path; done
  wandb: run-20260301_101500-k2mq7x0a run-20260301_102000-p9ss41zd
  wandb/run-20260301_101500-k2mq7x0a: run-20260301_101500-k2mq7x0a
  wandb/run-20260301_101500-k2mq7x0a/files: run-20260301_101500-k2mq7x0a
  wandb/run-20260301_101500-k2mq7x0a/files/gpu.csv: run-20260301_101500-k2mq7x0a
  results: run1/files run2
  $ names wandb/*
  wandb/run-20260301_101500-k2mq7x0a wandb/run-20260301_102000-p9ss41zd: run-20260301_101500-k2mq7x0a run-20260301_102000-p9ss41zd
  $ names wandb/*/files/gpu.csv
  wandb/run-20260301_101500-k2mq7x0a/files/gpu.csv wandb/run-20260301_102000-p9ss41zd/files/gpu.csv: run-20260301_101500-k2mq7x0a run-20260301_102000-p9ss41zd
  $ cd $run/files && names . && names gpu.csv
  .: run-20260301_101500-k2mq7x0a
  gpu.csv: run-20260301_101500-k2mq7x0a

warnings name the file where it is
  $ smilog summarize out >/dev/null
  2> smilog: one/hw.csv:4: warning: unfinished last line: "2026/07/03 10:00:04.000, 0"
  2> smilog: out/top.csv:4: warning: unfinished last line: "2026/07/03 10:00:04.000, 0"
  2> smilog: pair/a_gpu.csv:4: warning: unfinished last line: "2026/07/03 10:00:04.000, 0"
  2> smilog: pair/b_gpu.csv:4: warning: unfinished last line: "2026/07/03 10:00:04.000, 0"

what a shell says in place of a log
# What shells and starters say in place of a log, each in its own words, is a run without data, in a directory and in an
# archive. So is a file that holds anything else, if directories beside it have logs of its name; not so elsewhere.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir out out/{log,zsh,fish,slurm,timeout,denied,other,none,deep} out/deep/analysis
  $ { echo 'timestamp, index, utilization.gpu [%], power.draw [W]'
  >     for i in 10 11 12; do echo "2026/03/01 10:00:$i.000, 0, 50 %, 200.00 W"; done; } >out/log/hw.csv
  $ echo 'zsh:1: command not found: nvidia-smi' >out/zsh/hw.csv
  $ echo 'fish: Unknown command: nvidia-smi' >out/fish/hw.csv
  $ echo 'slurmstepd: error: execve(): nvidia-smi: No such file or directory' >out/slurm/hw.csv
  $ echo "timeout: failed to run command 'nvidia-smi': No such file or directory" >out/timeout/hw.csv
  $ echo 'bash: /usr/bin/nvidia-smi: Permission denied' >out/denied/hw.csv
  $ echo 'CondaError: Run "conda init" before "conda activate"' | tee out/other/hw.csv out/deep/analysis/hw.csv >out/none/train.log
  $ smilog summarize -v --format csv --columns run,state out | sort; echo "status $?"
  denied,no-data
  fish,no-data
  log,unknown
  other,no-data
  run,state
  slurm,no-data
  timeout,no-data
  zsh,no-data
  status 0
  2> smilog: denied: warning: hw.csv: cannot be used: only a message: "bash: /usr/bin/nvidia-smi: Permission denied"
  2> smilog: fish: warning: hw.csv: cannot be used: only a message: "fish: Unknown command: nvidia-smi"
  2> smilog: other: warning: hw.csv: no log, though files called like it in other directories are
  2> smilog: slurm: warning: hw.csv: cannot be used: only a message: "slurmstepd: error: execve(): nvidia-smi: No such file or directory"
  2> smilog: timeout: warning: hw.csv: cannot be used: only a message: "timeout: failed to run command 'nvidia-smi': No such file or directory"
  2> smilog: zsh: warning: hw.csv: cannot be used: only a message: "zsh:1: command not found: nvidia-smi"
  2> smilog: out/deep/analysis/hw.csv: no log, skipped
  2> smilog: out/none/train.log: no log, skipped
  $ tar -cf out.tar out
  $ smilog summarize -q --format csv --columns run,state out.tar
  run,state
  denied,no-data
  fish,no-data
  log,unknown
  other,no-data
  slurm,no-data
  timeout,no-data
  zsh,no-data
