accounting of slurm
# sacct --parsable2 in a file beside the runs, or given as a PATH: how the jobs ended whose numbers are in the names.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ log() { mkdir -p "${1%/*}" && printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >"$1"; }
  $ states() { smilog summarize -q --json "$@" | python3 -c 'import json, sys; [print(r["run"], r["state"], r["state_reason"], r["exit_code"]) for r in json.load(sys.stdin)["runs"]]'; }
  $ for r in run_4711 run_4712_3 run_4713 run_4714 run_4715 run_4716 run_4717 run_4718 run_4719 run_1; do log out/$r/gpu.csv; done
  $ log out/named/gpu.csv && echo 'epoch 1' >out/named/slurm-4720.out
  $ cat >sacct.txt <<'X'
  > JobID|JobName|State|ExitCode|Elapsed|AllocTRES
  > 4711|train|TIMEOUT|0:0|1-00:00:12|billing=8,cpu=8,gres/gpu=2,mem=64G,node=1
  > 4711.batch|batch|CANCELLED|0:15|1-00:00:14|cpu=8,mem=64G,node=1
  > 4712_3|train|FAILED|3:0|00:10:00|gres/gpu=1
  > 4713|train|CANCELLED by 1000|0:0|00:10:00|gres/gpu=1
  > 4714|train|OUT_OF_MEMORY|0:125|00:10:00|gres/gpu=1
  > 4715|train|COMPLETED|0:0|00:10:00|gres/gpu=1
  > 4716|train|NODE_FAIL|0:0|00:05:00|gres/gpu=1
  > 4716|train|COMPLETED|0:0|00:10:00|gres/gpu=1
  > 4717|train|FAILED|0:9|00:10:00|gres/gpu=1
  > 4718|train|RUNNING|0:0|00:10:00|gres/gpu=1
  > 4719|train
  > 4720|train|PREEMPTED|0:0|00:10:00|gres/gpu=1
  > 9999|other|FAILED|1:0|00:10:00|
  > X
  $ echo '# as a PATH'; states out sacct.txt | tee first
  # as a PATH
  named cut preempted (sacct.txt) None
  run_1 unknown None None
  run_4711 cut time limit (sacct.txt) None
  run_4712_3 failed exit status 3 (sacct.txt) 3
  run_4713 cut cancelled (sacct.txt) None
  run_4714 failed out of host memory (sacct.txt) None
  run_4715 ok None 0
  run_4716 ok None 0
  run_4717 failed killed by SIGKILL (sacct.txt) 137
  run_4718 unknown None None
  run_4719 unknown None None
  $ echo '# in the directory'; mv sacct.txt out/sacct.txt; states out | cmp - first && echo same; states out/run_4711 out/sacct.txt
  # in the directory
  same
  run_4711 cut time limit (sacct.txt) None
  $ echo '# the output of the job says more; other files of that name say nothing'
  # the output of the job says more; other files of that name say nothing
  $ echo 'srun: error: n1: task 0: Exited with exit code 7' >out/slurm-4711.out; states out | sed -n 1,2p
  named cut preempted (sacct.txt) None
  run_1 unknown None None
  $ printf 'User|x\n4711|y\n' >out/sacct.txt; states out | tail -1; printf '\377\0|JobID|State\n' >out/sacct.csv; : >out/sacct; states out | tail -1
  run_4719 unknown None None
  run_4719 unknown None None
  $ python3 -c 'print("JobID|State|ExitCode\n" + "".join(f"{i}|FAILED|1:0\n" for i in range(300000)))' >out/sacct.txt; states out | sed -n 2p
  run_1 failed exit status 1 (sacct.txt) 1
  $ echo '# without a log it is no run'
  # without a log it is no run
  $ mkdir alone && printf 'JobID|State|ExitCode\n4711|TIMEOUT|0:0\n' >alone/sacct.txt
  $ for path in alone alone/sacct.txt; do smilog summarize $path 2>&1; echo "status $?"; done
  smilog: alone: warning: holds no log (files looked at: 0)
  smilog: no usable log in alone
  status 3
  smilog: no usable log in alone/sacct.txt
  status 3
  $ rm -r "$d"

files that are no json
# Torn, deep, large and foreign files beside a log are told and cost nothing else.
  $ d=$(mktemp -d) && cp -r ../../../fixtures/wandb/run-20260703_100000-a1b2c3d4 "$d" && cd "$d" || exit
  $ run=run-20260703_100000-a1b2c3d4
  $ try() { smilog summarize --columns run,state $run 2>&1 | grep -v 'not followed'; }
  $ printf '{"host": "a", "args": ["--lr"' >$run/files/wandb-metadata.json; try
  smilog: run-20260703_100000-a1b2c3d4: warning: files/wandb-metadata.json: not used: not JSON of up to 64 levels
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ printf '{"host": "caf\351"}' >$run/files/wandb-metadata.json; try
  smilog: run-20260703_100000-a1b2c3d4: warning: files/wandb-metadata.json: not used: not UTF-8
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ python3 -SE -c 'print("{\"a\":" * 5000 + "1" + "}" * 5000)' >$run/files/wandb-metadata.json; try
  smilog: run-20260703_100000-a1b2c3d4: warning: files/wandb-metadata.json: not used: not JSON of up to 64 levels
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ python3 -SE -c 'print("{\"host\": \"" + "x" * 2000000 + "\"}")' >$run/files/wandb-metadata.json; try
  smilog: run-20260703_100000-a1b2c3d4: warning: files/wandb-metadata.json: not used: larger than 1 MiB
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ echo '[1, 2]' >$run/files/wandb-metadata.json; try
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ python3 -SE -c 'import json; print(json.dumps({"host": "h" * 300, "git": 7, "args": [[1], {}], "program": "p" * 400, "gpu_nvidia": [1, {"name": "\u0007"}]}))' >$run/files/wandb-metadata.json; try
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ rm $run/files/wandb-metadata.json && mkfifo $run/files/wandb-metadata.json; try
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ rm $run/files/wandb-metadata.json
  $ python3 -SE -c 'import json; print(json.dumps({f"m{i}": i for i in range(300)}))' >$run/files/wandb-summary.json; try
  smilog: run-20260703_100000-a1b2c3d4: warning: files/wandb-summary.json: more than 256 values: the first of them count
  run                           state
  run-20260703_100000-a1b2c3d4  ok
  $ smilog summarize -q -o runs.csv $run && head -1 runs.csv | tr , '\n' | grep -c ^result
  256
  $ rm -r "$d"

join jobs and trials
# --join of sacct --parsable2 by the numbers of jobs in names, and of the trials of an Optuna study as CSV by a parameter of the runs.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ log() { mkdir -p "${1%/*}" && printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >"$1"; }
  $ for r in run_4711 run_4712_3 run_4713_1 run_1; do log jobs/$r/gpu.csv; done
  $ cat >sacct.txt <<'X'
  > JobID|JobName|State|ExitCode|Elapsed|AllocTRES
  > 4711|train|TIMEOUT|0:0|1-00:00:12|billing=8,cpu=8,gres/gpu=2,mem=64G,node=1
  > 4711.batch|batch|CANCELLED|0:15|1-00:00:14|cpu=8,mem=64G,node=1
  > 4712_3|train|FAILED|3:0|00:10:00|gres/gpu=1
  > 4713|train|COMPLETED|0:0|00:10:00|gres/gpu=1
  > X
  $ smilog summarize --join sacct.txt --columns run,State_2,ExitCode,Elapsed,AllocTRES jobs 2>&1
  smilog: warning: sacct.txt: its column State is State_2 here
  smilog: warning: sacct.txt: runs without a row in it: 1
  run         State_2    ExitCode  Elapsed     AllocTRES
  run_1       -          -         -           -
  run_4711    TIMEOUT    0:0       1-00:00:12  billing=8,cpu=8,gres/gpu=2,mem=64G,node=1
  run_4712_3  FAILED     3:0       00:10:00    gres/gpu=1
  run_4713_1  COMPLETED  0:0       00:10:00    gres/gpu=1
  $ for r in trial=0 trial=1 trial=10; do log trials/$r/gpu.csv; done
  $ printf '%s\n' ',number,value,params_lr,params_optimizer,state' '0,0,0.81,0.1,adam,COMPLETE' '1,1,,0.05,"sgd, ""new""",FAIL' '2,10,,0.009,adam,PRUNED' '3,11,,0.008,adam,RUNNING' |
  >     sed '1s/number/trial/' >trials.csv
  $ smilog summarize --join trials.csv:trial --columns run,param.trial,state_2,value,params_lr,params_optimizer trials 2>&1
  smilog: warning: trials.csv: its column state is state_2 here
  smilog: warning: trials.csv: rows that belong to no run: 1
  run       param.trial  state_2   value  params_lr  params_optimizer
  trial=0             0  COMPLETE   0.81      0.1    adam
  trial=1             1  FAIL          -      0.05   sgd,\x20"new"
  trial=10           10  PRUNED        -      0.009  adam
  $ python3 -c 'import sqlite3; sqlite3.connect("study.db").executescript("CREATE TABLE trials (number)")'
  $ smilog summarize --join study.db trials 2>&1
  smilog: --join: study.db is a SQLite database, not a CSV: of Optuna, write study.trials_dataframe().to_csv()
  [2]
  $ rm -r "$d"

mlflow odd files
# A run of MLflow with torn lines, no readings, links, too many parameters; and directories that only look like one.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ run() { mkdir -p "$1/params" "$1/metrics/system" "$1/tags"; printf 'run_id: a\nrun_name: %s\nstart_time: 1783072800000\nstatus: %s\n' "$2" "$3" >"$1/meta.yaml"; }
  $ run m/0/torn torn 3
  $ printf '1783072810000 50.0 0\n1783072820000 nan 1\n1783072830000 5x 2\nhello\n99999999999999999999 1 3\n1783072840000 70' >m/0/torn/metrics/system/gpu_0_utilization_percentage
  $ printf '1783072810000 60 0\n\0\0\0\n' >m/0/torn/metrics/system/gpu_1_utilization_percentage
  $ printf '1 2 3\n' >m/0/torn/metrics/system/gpu_99_utilization_percentage
  $ printf '1783072810000 0.5 0\n1783072820000 0.7' >m/0/torn/metrics/acc
  $ mkfifo m/0/torn/params/fifo m/0/torn/metrics/system/gpu_2_utilization_percentage
  $ ln -s /etc/passwd m/0/torn/params/link
  $ ln -s .. m/0/torn/metrics/loop
  $ printf 'x%.0s' {1..500} >m/0/torn/params/long
  $ printf '\377\376' >m/0/torn/params/bytes
  $ run m/0/many many 3
  $ for i in {1..300}; do echo $i >m/0/many/params/p$i; done
  $ run m/0/same many 4
  $ run m/0/name '"a/b\u0007"' 3
  $ mkdir -p other/metrics other/params other/tags && echo 'name: x' >other/meta.yaml
  $ mkdir -p deep/metrics deep/params deep/tags && python3 -SE -c 'print("[" * 100000)' >deep/meta.yaml
  $ smilog summarize m other deep 2>&1 | sed 's/lines or files.*//'
  smilog: other: warning: holds no log (files looked at: 1; -v names them)
  smilog: deep: warning: holds no log (files looked at: 1; -v names them)
  smilog: m/0/many: warning: meta.yaml: more than 256 parameters: the first of them count
  smilog: 0/torn/meta.yaml:3: warning: no row, no header, no known message: "gpu_0_utilization_percentage: 1783072830000 5x 2"
  smilog: 0/torn/meta.yaml:4: warning: no row, no header, no known message: "gpu_0_utilization_percentage: hello"
  smilog: 0/torn/meta.yaml:5: warning: no row, no header, no known message: "gpu_0_utilization_percentage: 99999999999999999999 1 3"
  smilog: 0/torn/meta.yaml:6: warning: no row, no header, no known message: "gpu_0_utilization_percentage: 1783072840000 70"
  smilog: 0/torn/meta.yaml:7: warning: no row, no header, no known message: "gpu_1_utilization_percentage: \x00\x00\x00"
  4 runs in 3 paths   2 GPUs
  2026-07-03 10:00 to 10:00, UTC

  RUN              STATE    TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB  W  °C  CPU %  THROTTLED %  Wh  WASTED h  START                      HOST  NOTE
  0/name           no-data  0.0s      -      -  ··········       -         -  -   -      -            -   -         -  2026-07-03T10:00:00+00:00  -     no readings
  0/torn           ok        10s   55.0     60  ·········▅       -         -  -   -      -            -   -         -  2026-07-03T10:00:00+00:00  -     -
  m/0/many         no-data  0.0s      -      -  ··········       -         -  -   -      -            -   -         -  2026-07-03T10:00:00+00:00  -     no readings
  m/0/many\x20(2)  FAILED   0.0s      -      -  ··········       -         -  -   -      -            -   -         -  2026-07-03T10:00:00+00:00  -     status FAILED (MLflow)
  total            -         10s   55.0      -  -                -         -  -   -      -            -   -         -  -                          -     1 ended early

  warnings: 5 rows not usable (in meta.yaml), 3 files not usable (other first)
  quality: 4 of 4 runs are incomplete: no-data in 3, unread in 1, no-times in 1
  4 runs, GPU 55.0 %, 1 failed, 3 no GPU data
  $ smilog summarize -q --json m | python3 -SE "$pick" '/runs/*/run' '/runs/*/state' '/runs/*/inputs/0/rejected' '/runs/*/inputs/0/rows'
  /runs/*/run ["0/name", "0/torn", "m/0/many", "m/0/many (2)"]
  /runs/*/state ["no-data", "ok", "no-data", "failed"]
  /runs/*/inputs/0/rejected [{}, {"foreign": 5}, {}, {}]
  /runs/*/inputs/0/rows [2, 3, 2, 2]
  $ smilog summarize -q --json m/0/torn | python3 -SE "$pick" params facts summary
  params {}
  facts {"result.acc": 0.5}
  summary {"peak_vram_mb": null, "gpu_util_mean_pct": 55.0, "gpu_util_max_pct": 60.0, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}
  $ rm -r "$d"

mlflow runs
# Runs of MLflow's file store: names, parameters, status, readings of metrics/system, last values of the others.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ python3 -SE - <<'X'
  > from pathlib import Path
  > names = {3: "bright-cod-1", 4: "salty-ant-22", 5: "calm-owl-3", 1: "wise-hen-6"}
  > for n, (status, name) in enumerate(names.items()):
  >     t0, run = 1783072800000 + n * 3600000, Path(f"mlruns/0/{n:032x}")
  >     for part in ("params", "tags", "metrics/system", "artifacts"):
  >         (run / part).mkdir(parents=True)
  >     (run / "meta.yaml").write_text(
  >         f"artifact_uri: file:///home/anna/mlruns/0/{n}/artifacts\nend_time: {t0 + 600000 if status != 1 else 'null'}\n"
  >         f"experiment_id: '0'\nlifecycle_stage: active\nrun_id: {n:032x}\nrun_name: {name}\nstart_time: {t0}\nstatus: {status}\n"
  >         "tags: []\nuser_id: anna\n")
  >     for key, value in (("lr", 0.1 / (n + 1)), ("amp", n % 2 == 0), ("note", "a b"), ("wd", None)):
  >         (run / "params" / key).write_text(str(value))
  >     for key, value in (("mlflow.runName", name), ("mlflow.source.git.commit", "5f0c1e2d"), ("mlflow.source.name", "train.py")):
  >         (run / "tags" / key).write_text(value)
  >     (run / "metrics/val_loss").write_text(f"{t0} 2.5 0\n{t0 + 1} {1 + n}.25 1\n")
  >     (run / "metrics/val").mkdir()
  >     (run / "metrics/val/acc").write_text(f"{t0} 0.5 0\n")
  >     (run / "metrics/nan").write_text(f"{t0} nan 0\n")
  >     rows = {}
  >     for step, t in enumerate(range(t0 + 10000, t0 + 600000, 10000)):
  >         for gpu in (0, 1):
  >             rows.setdefault(f"gpu_{gpu}_utilization_percentage", []).append((t, 50 + 25 * gpu, step))
  >             rows.setdefault(f"gpu_{gpu}_memory_usage_megabytes", []).append((t, 1048.576, step))
  >             rows.setdefault(f"gpu_{gpu}_power_usage_watts", []).append((t, 200.5, step))
  >         rows.setdefault("cpu_utilization_percentage", []).append((t, 12.5, step))
  >         rows.setdefault("system_memory_usage_percentage", []).append((t, 40.0, step))
  >         rows.setdefault("disk_usage_megabytes", []).append((t, 1.0, step))
  >     for key, list_ in rows.items():
  >         (run / "metrics/system" / key).write_text("".join(f"{t} {v} {s}\n" for t, v, s in list_))
  > Path("mlruns/0/meta.yaml").write_text("experiment_id: '0'\nname: Default\n")
  > X
  $ smilog summarize mlruns
  4 runs in mlruns   2 amp   2 GPUs   note=a b wd=null
  2026-07-03 10:00 to 13:09, UTC   sampled every 10.0 s

  RUN             amp    lr                   STATE     TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB      W  °C  CPU %  THROTTLED %     Wh  WASTED h  START                      HOST  NOTE
  0/bright-cod-1  true   0.1                  ok      10m00s  62.5!     75  ▅▅▅▅▅▅▅▅▅▅     0.0       1.0  401.0   -      -            -   64.6     0.00   2026-07-03T10:00:00+00:00  -     GPU 0 behind
  0/calm-owl-3    true   0.03333333333333333  FAILED  10m00s  62.5!     75  ▅▅▅▅▅▅▅▅▅▅     0.0       1.0  401.0   -      -            -   64.6     0.32!  2026-07-03T12:00:00+00:00  -     status KILLED (MLflow)
  0/salty-ant-22  false  0.05                 FAILED  10m00s  62.5!     75  ▅▅▅▅▅▅▅▅▅▅     0.0       1.0  401.0   -      -            -   64.6     0.32!  2026-07-03T11:00:00+00:00  -     status FAILED (MLflow)
  0/wise-hen-6    false  0.025                cut      9m50s  62.5!     75  ▅▅▅▅▅▅▅▅▅▅     0.0       1.0  401.0   -      -            -   64.6     0.00   2026-07-03T13:00:00+00:00  -     GPU 0 behind
  total           -      -                    -       39m50s  62.5       -  -              0.0       1.0      -   -      -            -  258.4     0.64   -                          -     3 ended early

  Where 0.64 of 1.29 GPU-hours went (50.0 %)
  CAUSE   GPU-h  WHERE   WHAT HAPPENED
  failed   0.64  2 runs  status KILLED in 1, status FAILED in 1 (MLflow): a checkpoint now and then keeps what was done
  quality: complete
  4 runs, 1.29 GPU-h, 258.4 Wh, GPU 62.5 %, 0.64 GPU-h wasted (50.0 %), 2 failed, 1 cut
  $ smilog summarize -q --json mlruns | python3 -SE "$pick" '/runs/*/state' '/runs/*/state_reason' '/runs/0/params' '/runs/0/facts' '/runs/0/start' '/runs/0/end' '/runs/0/summary' '/runs/0/inputs/0/path' '/runs/0/inputs/0/rows' '/runs/0/host/metrics/cpu_pct/mean' '/runs/0/host/metrics/ram_pct/mean'
  /runs/*/state ["ok", "failed", "failed", "cut"]
  /runs/*/state_reason [null, "status KILLED (MLflow)", "status FAILED (MLflow)", "no end (MLflow)"]
  /runs/0/params {"amp": true, "lr": 0.1, "note": "a b", "wd": null}
  /runs/0/facts {"command": "train.py", "git_commit": "5f0c1e2d", "result.val/acc": 0.5, "result.val_loss": 1.25}
  /runs/0/start "2026-07-03T10:00:00.000Z"
  /runs/0/end "2026-07-03T10:10:00.000Z"
  /runs/0/summary {"peak_vram_mb": 1000.0, "gpu_util_mean_pct": 62.5, "gpu_util_max_pct": 75.0, "power_watts_mean": 200.5, "power_watts_max": 200.5, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}
  /runs/0/inputs/0/path "meta.yaml"
  /runs/0/inputs/0/rows 61
  /runs/0/host/metrics/cpu_pct/mean 12.5
  /runs/0/host/metrics/ram_pct/mean 40.0
  $ smilog summarize -q --columns run,val_loss,param.lr,git_commit --sort val_loss mlruns
  run             val_loss             param.lr  git_commit
  0/bright-cod-1      1.25  0.1                  5f0c1e2d
  0/salty-ant-22      2.25  0.05                 5f0c1e2d
  0/calm-owl-3        3.25  0.03333333333333333  5f0c1e2d
  0/wise-hen-6        4.25  0.025                5f0c1e2d
  $ smilog summarize -q --columns run,state mlruns/0/00000000000000000000000000000000
  run           state
  bright-cod-1  ok
  $ smilog summarize --partial -q -o p mlruns && smilog merge -q -o 1.csv p && smilog summarize -q -o 2.csv mlruns && cmp 1.csv 2.csv
  $ rm -r "$d"

output of a batch job
# How a job ended, from what Slurm prints at the end of slurm-ID.out: in the run's directory, beside it, as a log itself.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ log() { printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >"$1"; }
  $ states() { smilog summarize -q --json "$@" | python3 -SE -c 'import json, sys; [print(r["run"], r["state"], r["state_reason"], r["exit_code"]) for r in json.load(sys.stdin)["runs"]]'; }
  $ time='slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2026-07-03T17:00:00 DUE TO TIME LIMIT ***'
  $ user='slurmstepd: error: *** STEP 4712.0 ON node3 CANCELLED AT 2026-07-03T17:00:00 ***'
  $ memory='slurmstepd: error: Detected 1 oom_kill event in StepId=4713.batch. Some of the step tasks have been OOM Killed.'
  $ code='srun: error: node3: task 0: Exited with exit code 3'
  $ echo '# in the directory of the run: each way to end, after what the program printed'
  # in the directory of the run: each way to end, after what the program printed
  $ i=0
  $ for end in "$time" "$user" "$memory" "$code" "srun: error: node3: task 0: Killed" 'srun: error: node3: task 0: Segmentation fault' 'epoch 9 CANCELLED AT DUE TO TIME LIMIT' "$code
  > $memory"; do
  >     mkdir -p in/r$i && log in/r$i/gpu.csv && printf 'epoch 1\nepoch 2\n%s\n' "$end" >in/r$i/slurm-471$i.out
  >     i=$((i + 1))
  > done
  $ states in
  r0 cut time limit (slurm-4710.out) None
  r1 cut cancelled (slurm-4711.out) None
  r2 failed out of host memory (slurm-4712.out) None
  r3 failed exit status 3 (slurm-4713.out) 3
  r4 failed killed (slurm-4714.out) None
  r5 failed segmentation fault (slurm-4715.out) None
  r6 unknown None None
  r7 failed out of host memory (slurm-4717.out) 3
  $ echo '# beside the directories and logs, by the number in their names; of array jobs'
  # beside the directories and logs, by the number in their names; of array jobs
  $ mkdir -p by/run_1001 by/run_1002_3 by/run_1003 && for r in by/run_*; do log $r/gpu.csv; done
  $ echo "$time" >by/slurm-1001.out; echo "$code" >by/slurm-1002_3.out; echo "$memory" >by/slurm-1002.out; echo "$memory" >by/slurm-9.out
  $ states by
  run_1001 cut time limit (slurm-1001.out) None
  run_1002_3 failed exit status 3 (slurm-1002_3.out) 3
  run_1003 unknown None None
  $ mkdir flat && log flat/lr0.1_77.csv && log flat/lr0.2_78.csv && echo "$time" >flat/slurm-77.out
  $ states flat
  lr0.1_77 cut time limit (slurm-77.out) None
  lr0.2_78 unknown None None
  $ echo '# the last of the jobs that wrote in a directory; a RunLog knows better'
  # the last of the jobs that wrote in a directory; a RunLog knows better
  $ mkdir two && log two/gpu.csv && echo "$code" >two/slurm-9.out && echo "$time" >two/slurm-10.out
  $ states two
  two cut time limit (slurm-10.out) None
  $ printf '%s\n' '{"ts": "2026-07-03T16:00:00+00:00", "type": "event", "event": "start"}' >two/run.jsonl
  $ states two
  two cut time limit (slurm-10.out) None
  $ printf '%s\n' '{"ts": "2026-07-03T16:00:00+00:00", "type": "event", "event": "start"}' '{"ts": "2026-07-03T16:00:02+00:00", "type": "event", "event": "done"}' >two/run.jsonl
  $ states two
  two ok None None
  $ echo '# long output: its end counts'
  # long output: its end counts
  $ mkdir long && log long/gpu.csv && { yes "epoch 1 loss 0.5" | head -n 200000; printf "\r 45%% 9it/s"; echo "$time"; } >long/slurm-5.out
  $ states long
  long cut time limit (slurm-5.out) None
  $ echo '# in an archive, in partial summaries'
  # in an archive, in partial summaries
  $ tar cf in.tar in && [ "$(states in.tar | sed s,^in.,,)" = "$(states in)" ] && echo same
  same
  $ smilog summarize --partial -q -o p in && smilog merge -q --json p | python3 -SE "$pick" '/runs/*/state_reason'
  /runs/*/state_reason ["time limit (slurm-4710.out)", "cancelled (slurm-4711.out)", "out of host memory (slurm-4712.out)", "exit status 3 (slurm-4713.out)", "killed (slurm-4714.out)", "segmentation fault (slurm-4715.out)", null, "out of host memory (slurm-4717.out)"]
  $ echo '# the table of nvidia-smi in the output of the job'
  # the table of nvidia-smi in the output of the job
  $ mkdir table
  $ python3 -SE - >table/slurm-12.out <<'X'
  > for s in range(3):
  >     print(f"""Fri Jul  3 22:11:{10 * s:02} 2026
  > +---------------------------------------------------------------------------------------+
  > | NVIDIA-SMI 535.54.03              Driver Version: 535.54.03    CUDA Version: 12.2     |
  > |-----------------------------------------+----------------------+----------------------+
  > | GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
  > | Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
  > |                                         |                      |               MIG M. |
  > |=========================================+======================+======================|
  > |   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                    0 |
  > | N/A   33C    P0              59W / 400W |   1024MiB / 40960MiB |     37%      Default |
  > |                                         |                      |             Disabled |
  > +-----------------------------------------+----------------------+----------------------+""")
  > print("srun: error: node3: task 0: Exited with exit code 1")
  > X
  $ states table
  table failed exit status 1 (slurm-12.out) 1
  $ rm -r "$d"

ray trials
# Trials of Ray Tune: params.json, the last whole line of result.json, and a name that says the parameters once more.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ for i in 0 1; do
  >     t=ray/fn_2026-07-03_10-00-00/fn_a1b2c_0000${i}_${i}_lr=0.$((i + 1)),width=64_2026-07-03_10-00-00
  >     mkdir -p $t
  >     printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >$t/gpu.csv
  >     echo "{\"lr\": 0.$((i + 1)), \"layers\": {\"width\": 64}}" >$t/params.json
  >     for n in 1 2 3; do echo "{\"loss\": 0.$n, \"training_iteration\": $n, \"trial_id\": \"a1b2c_0000$i\", \"done\": false, \"config\": {\"lr\": 9}}"; done >$t/result.json
  > done
  $ printf '{"loss": 0.0' >>$t/result.json
  $ smilog summarize -q --json ray | python3 -SE "$pick" '/runs/*/run' '/runs/*/params' '/runs/*/facts'
  /runs/*/run ["fn_2026-07-03_10-00-00/fn_a1b2c_00000_0_lr=0.1,width=64_2026-07-03_10-00-00", "fn_2026-07-03_10-00-00/fn_a1b2c_00001_1_lr=0.2,width=64_2026-07-03_10-00-00"]
  /runs/*/params [{"lr": 0.1, "width": 64, "layers.width": 64}, {"lr": 0.2, "width": 64, "layers.width": 64}]
  /runs/*/facts [{"result.loss": 0.3, "result.training_iteration": 3}, {"result.loss": 0.3, "result.training_iteration": 3}]
  $ echo '{"acc": 1}' >$t/result.json # not Ray's
  $ smilog summarize -q --json ray | python3 -SE "$pick" '/runs/*/facts'
  /runs/*/facts [{"result.loss": 0.3, "result.training_iteration": 3}, absent]
  $ rm -r "$d"

wandb gpus of an old log
# A log of W&B without a record of the machine: names and uuids of its GPUs are in wandb-metadata.json, by two names.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ run=wandb/run-20230703_100000-a1b2c3d4
  $ mkdir -p $run/files
  $ python3 -SE - $run/run-a1b2c3d4.wandb <<'X'
  > import struct, sys, zlib
  > def varint(v):
  >     return bytes([v]) if v < 128 else bytes([v & 127 | 128]) + varint(v >> 7)
  > def part(n, v):
  >     return varint(n << 3) + varint(v) if isinstance(v, int) else varint(n << 3 | 2) + varint(len(v)) + v
  > out = b":W&B\xe1\xbe\x00"
  > for k in range(4):
  >     items = b"".join(part(3, part(1, b"gpu.%d.%s" % (g, name)) + part(16, b"%d" % v))
  >                      for g in range(2) for name, v in ((b"gpu", 40 + g), (b"memoryAllocatedBytes", 3)))
  >     data = part(7, part(2, part(1, 1688378400 + 15 * k)) + items)
  >     out += struct.pack("<IHB", zlib.crc32(b"\1" + data), len(data), 1) + data
  > open(sys.argv[1], "wb").write(out)
  > X
  $ echo '{"host": "old", "gpu": "Tesla V100", "gpu_count": 2, "gpu_devices": [{"name": "Tesla V100", "memory_total": 1}, {"name": "Tesla P100"}]}' >$run/files/wandb-metadata.json
  $ smilog summarize -q --json wandb | python3 -SE "$pick" hostname 'gpus/*/name' 'gpus/*/uuid' state 'gpus/*/metrics/fb_used_mib/mean'
  hostname "old"
  gpus/*/name ["Tesla V100", "Tesla P100"]
  gpus/*/uuid [null, null]
  state "unknown"
  gpus/*/metrics/fb_used_mib/mean [0.000003, 0.000003]
  $ echo '{"gpu_nvidia": [{"name": "Tesla V100", "uuid": "GPU-1", "memoryTotal": "34359738368", "cudaCores": 5120}, {"name": "Tesla V100", "uuid": "GPU-2"}]}' >$run/files/wandb-metadata.json
  $ smilog summarize -q --json wandb | python3 -SE "$pick" hostname 'gpus/*/name' 'gpus/*/uuid' vram/total_mb
  hostname null
  gpus/*/name ["Tesla V100", "Tesla V100"]
  gpus/*/uuid ["GPU-1", "GPU-2"]
  vram/total_mb 32768.0
  $ rm -r "$d"

wandb metadata and summary
# What W&B says of a run beside its log: host, command, commit, values that it reached, as columns of every output but tables.
  $ d=$(mktemp -d) && cp -r ../../../fixtures/wandb "$d" && pick=$PWD/../../pick.py && cd "$d" || exit
  $ files=wandb/run-20260703_100000-a1b2c3d4/files
  $ cat >$files/wandb-metadata.json <<'X'
  > {"os": "Linux", "host": "node9", "program": "/home/anna/train.py", "codePath": "train.py", "args": ["--lr", "0.1"],
  >  "git": {"remote": "git@example.org:a/b.git", "commit": "5f0c1e2d3b4a59687766554433221100ffeeddcc"}, "gpu_count": 2}
  > X
  $ echo '{"_step": 40, "_runtime": 605, "_wandb": {"runtime": 605}, "val_acc": 0.815, "test": {"acc": 0.8}, "best": "epoch3", "hist": [1, 2], "nan": NaN}' >$files/wandb-summary.json
  $ echo '{"val_acc": 0.79, "lr": 0.05}' >wandb/run-20260703_110000-b2c3d4e5/files/wandb-summary.json
  $ smilog summarize -q --json wandb | python3 "$pick" '/runs/*/run' '/runs/*/hostname' '/runs/*/facts' '/runs/*/state_reason'
  /runs/*/run ["offline-run-20260703_120000-c3d4e5f6", "run-20260703_100000-a1b2c3d4", "run-20260703_110000-b2c3d4e5"]
  /runs/*/hostname ["node1", "node1", "node1"]
  /runs/*/facts [absent, {"command": "train.py --lr 0.1", "git_commit": "5f0c1e2d3b4a59687766554433221100ffeeddcc", "result.test.acc": 0.8, "result.val_acc": 0.815}, {"result.lr": 0.05, "result.val_acc": 0.79}]
  /runs/*/state_reason ["no end (W&B)", null, "exit status 1 (W&B)"]
  $ smilog summarize -q -o runs.csv wandb && python3 -c 'import csv; [print({k: v for k, v in r.items() if k.startswith(("result.", "git"))}) for r in csv.DictReader(open("runs.csv"))]'
  {'git_commit': '', 'result.lr': '', 'result.test.acc': '', 'result.val_acc': ''}
  {'git_commit': '5f0c1e2d3b4a59687766554433221100ffeeddcc', 'result.lr': '', 'result.test.acc': '0.8', 'result.val_acc': '0.815'}
  {'git_commit': '', 'result.lr': '0.05', 'result.test.acc': '', 'result.val_acc': '0.79'}
  $ smilog summarize -q --columns run,val_acc,result.test.acc,git_commit --where 'result.val_acc > 0.8' wandb
  run                           val_acc  result.test.acc  git_commit
  run-20260703_100000-a1b2c3d4    0.815              0.8  5f0c1e2d3b4a59687766554433221100ffeeddcc
  $ smilog summarize -q --columns run,val_acc,param.lr,result.lr --sort -val_acc wandb
  run                                   val_acc             param.lr  result.lr
  run-20260703_100000-a1b2c3d4            0.815  0.1                          -
  run-20260703_110000-b2c3d4e5            0.79   0.05                      0.05
  offline-run-20260703_120000-c3d4e5f6        -  0.03333333333333333          -
  $ smilog summarize -q --sql 'SELECT count(*) n, max("result.val_acc") best FROM runs' wandb
  n   best
  3  0.815
  $ smilog summarize --partial -q -o p wandb && smilog merge -q --json p | python3 "$pick" '/runs/*/facts'
  /runs/*/facts [absent, {"command": "train.py --lr 0.1", "git_commit": "5f0c1e2d3b4a59687766554433221100ffeeddcc", "result.test.acc": 0.8, "result.val_acc": 0.815}, {"result.lr": 0.05, "result.val_acc": 0.79}]
  $ sed -i 's/0.815/0.915/' $files/wandb-summary.json && smilog summarize -q --columns val_acc wandb
  val_acc
        -
    0.915
    0.79
  $ printf 'run,note\nrun-20260703_100000-a1b2c3d4,ours\n' >notes.csv
  $ smilog summarize -q --join notes.csv --columns run,note,val_acc wandb
  run                                   note  val_acc
  offline-run-20260703_120000-c3d4e5f6  -           -
  run-20260703_100000-a1b2c3d4          ours    0.915
  run-20260703_110000-b2c3d4e5          -       0.79
  $ smilog summarize -q --join notes.csv --json wandb | python3 "$pick" '/runs/1/facts' '/runs/1/joined'
  /runs/1/facts {"command": "train.py --lr 0.1", "git_commit": "5f0c1e2d3b4a59687766554433221100ffeeddcc", "result.test.acc": 0.8, "result.val_acc": 0.915}
  /runs/1/joined {"note": "ours"}
  $ rm -r "$d"
