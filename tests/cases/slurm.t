epilog beside the next prolog
# Slurm may begin the next attempt of a job on a node while the epilog of the last one runs. In whatever order the two come,
# each attempt has one row, and no record and no recorder is left.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ slurmd() { # script
  >     env -i PATH="$d:/usr/bin:/bin" SMILOG="$(command -v smilog)" SMILOG_RECORDS="$d/records" SMILOG_LEDGER="$d/ledger" \
  >         SMILOG_INTERVAL=1 SLURMD_NODENAME=n7 SLURM_JOB_USER=ada SLURM_JOB_ID=50 SLURM_JOB_GPUS=0 "$here/slurm/$1.sh"
  > }
  $ slurmd prolog
  $ for _ in 1 2 3 4 5 6; do
  >     slurmd epilog &
  >     slurmd prolog
  >     wait
  > done
  $ slurmd epilog
  $ ls -A "$d/records"
  $ cat "$d"/ledger/* | wc -l
  7
  $ cat "$d"/ledger/* | grep -o '"start": "[^"]*"' | sort -u | wc -l
  7
  $ cat "$d"/ledger/* | grep -c '"user": "ada"'
  7
  $ for p in /proc/[0-9]*; do
  >     { mapfile -d '' args <"$p/cmdline"; } 2>/dev/null
  >     [[ " ${args[*]} " != *" live "*" $d/records/"* ]] || echo "left: ${args[*]}"
  > done

epilog without an environment
# What slurmstepd may give it: nothing. Absolute paths, one line, status 0, whatever there is.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog=$(command -v smilog) epilog=$(realpath ../../../../scripts/slurm/task_epilog.sh)
  $ run() { (cd "$d" && env -i SMILOG="$smilog" "$@" "$epilog"); echo "status $?"; }
  $ mkdir -p "$d/out/7_3" "$d/out/8"
  $ cp -r ../../../fixtures/sweep/lr=0.3/seed=2/. "$d/out/7_3"
  $ touch "$d/task.out"
  $ ln -s "$d/task.out" "$d/out/7_3.out"
  $ run SLURM_SUBMIT_DIR="$d" SLURM_JOB_ID=10 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=3
  {"v":1,"ngpu":2,"gpu_util":77.4,"gpu_mem_max":61030,"gpu_power":531.4,"gpu_h":1.38,"idle_h":0.12,"wh":366.3,"state":"failed","note":"out-of-memory"}
  status 0
  $ cat "$d/task.out"
  {"v":1,"ngpu":2,"gpu_util":77.4,"gpu_mem_max":61030,"gpu_power":531.4,"gpu_h":1.38,"idle_h":0.12,"wh":366.3,"state":"failed","note":"out-of-memory"}
  $ run SMILOG_OUT="$d/out/7_3"
  {"v":1,"ngpu":2,"gpu_util":77.4,"gpu_mem_max":61030,"gpu_power":531.4,"gpu_h":1.38,"idle_h":0.12,"wh":366.3,"state":"failed","note":"out-of-memory"}
  status 0
  $ run SMILOG_OUT="$d/out" SLURM_JOB_ID=8
  {"v":1,"ngpu":0,"state":"no-data"}
  status 0
  $ run SMILOG_OUT="$d/none"
  {"v":1,"ngpu":0,"state":"no-data"}
  status 0
  $ (cd "$d/out/7_3" && env -i SMILOG="$smilog" "$epilog")
  {"v":1,"ngpu":2,"gpu_util":77.4,"gpu_mem_max":61030,"gpu_power":531.4,"gpu_h":1.38,"idle_h":0.12,"wh":366.3,"state":"failed","note":"out-of-memory"}
  $ (cd "$d" && env -i SMILOG=/none "$epilog"); echo "status $?"
  {"v":1,"ngpu":0,"state":"no-data"}
  status 0

job of two nodes
# A job of two nodes: each epilog adds a row of its own, and the ledger has one job with the GPUs of both, also if a row comes
# again. So does the summary of directories that smilog run made on each node. The comment is that of a job of one node: in the
# database, and of the one task of an array, whose last one has the number of them all. While the database knows an earlier attempt only,
# that gets the comment, and it is tried again.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ cat >"$d/sacctmgr" <<END
  > #!/bin/sh
  > echo "\$@" >>"$d/comments"
  > [ "\$(wc -l <"$d/comments")" -gt 1 ] && at=10:00:05 || at=09:58:47
  > echo " Modified jobs..."
  > echo "  12 submitted at 2026-07-03T\$at"
  > END
  $ printf '#!/bin/sh\necho "12 12_3 COMPLETING 2026-07-03T10:00:05"\necho "13 12_1 RUNNING 2026-07-03T10:00:05"\n' >"$d/squeue"
  $ chmod +x "$d/sacctmgr" "$d/squeue"
  $ slurmd() { # script, node, seed of its GPUs, variables
  >     script=$1 node=$2 seed=$3
  >     shift 3
  >     env -i PATH="$d:/usr/bin:/bin" SMILOG="$(command -v smilog)" SMILOG_RECORDS="$d/$node" SMILOG_LEDGER="$d/ledger" SMILOG_COMMENT=yes \
  >         SMILOG_INTERVAL=1 SMI_FAKE_GPUS=2 SMI_FAKE_SPEED=20 SMI_FAKE_AT=200 SMI_FAKE_SEED="$seed" SLURMD_NODENAME="$node" \
  >         SLURM_JOB_USER=ada SLURM_JOB_GPUS=0,1 "$@" "$here/slurm/$script.sh"
  > }
  $ slurmd prolog n7 1 SLURM_JOB_ID=11
  $ slurmd prolog n8 2 SLURM_JOB_ID=11
  $ slurmd prolog n7 1 SLURM_JOB_ID=12
  $ for f in n7/11 n8/11 n7/12; do
  >     for _ in $(seq 200); do [ "$(cat "$d/$f/hw_metrics.csv" 2>/dev/null | wc -l)" -gt 9 ] || sleep 0.1; done
  > done
  $ for n in n7 n8; do mkdir -p "$d/out/11/$n" && cp "$d/$n/11"/* "$d/out/11/$n/"; done
  $ slurmd epilog n7 1 SLURM_JOB_ID=11 'SLURM_JOB_NODELIST=n[7-8]'
  $ slurmd epilog n8 2 SLURM_JOB_ID=11 'SLURM_NODELIST=n[7-8]'
  $ slurmd epilog n7 1 SLURM_JOB_ID=12 SLURM_NODELIST=n7 # Slurm 22
  $ smilog merge -q "$d/ledger" --group-by job --columns job,jobs
  job  jobs
  11      1
  12      1
  $ smilog merge -q "$d/ledger" --group-by job,node --columns job,node,jobs
  job  node  jobs
  11   n7       1
  11   n8       1
  12   n7       1
  $ smilog merge -q "$d/ledger" --group-by job >"$d/once"
  $ cat "$d/ledger"/* "$d/ledger"/* | smilog merge -q - --group-by job 2>/dev/null | cmp - "$d/once" && echo "no row counts twice"
  no row counts twice
  $ grep -h '"job": "11"' "$d/ledger"/* | grep -o '"uuid": "GPU-[^"]*"' | sort -u | wc -l
  4
  $ smilog summarize -q --run 11 --columns run,ngpus "$d/out/11"
  run  ngpus
  11       4
  $ sed -E 's/"gpu_util".*"state"/..."state"/' "$d/comments"
  -i modify job where jobid=12_3 set AdminComment={"v":1,"ngpu":2,..."state":"ok"}
  -i modify job where jobid=12_3 set AdminComment={"v":1,"ngpu":2,..."state":"ok"}

ledger of all jobs
# Prolog and epilog as slurmd runs them: no environment but the job's, status 0, a row a job; a node may go on without them.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ slurmd() { # script, variables
  >     script=$1
  >     shift
  >     env -i PATH="$d:/usr/bin:/bin" SMILOG="$(command -v smilog)" SMILOG_RECORDS="$d/records" SMILOG_LEDGER="$d/ledger" \
  >         SMILOG_INTERVAL=1 SMI_FAKE_GPUS=4 SMI_FAKE_SPEED=20 SMI_FAKE_AT=200 SLURMD_NODENAME=n7 SLURM_JOB_USER=ada \
  >         SLURM_JOB_ACCOUNT=astro SLURM_JOB_PARTITION=gpu "$@" "$here/slurm/$script.sh"
  >     echo "$script: status $?"
  > }
  $ slurmd prolog SLURM_JOB_ID=11 SLURM_JOB_GPUS=1,2
  prolog: status 0
  $ slurmd prolog SLURM_JOB_ID=12 SMILOG_GPUS=all
  prolog: status 0
  $ for n in 14 15; do slurmd prolog SLURM_JOB_ID=$n SLURM_JOB_GPUS=3; done
  prolog: status 0
  prolog: status 0
  $ for n in 11 12 14 15; do
  >     for _ in $(seq 100); do [ "$(cat "$d/records/$n"/hw_metrics.csv 2>/dev/null | wc -l)" -gt 9 ] || sleep 0.1; done
  > done
  $ slurmd epilog SLURM_JOB_ID=11 SLURM_JOB_EXIT_CODE2=0:0
  epilog: status 0
  $ slurmd epilog SLURM_JOB_ID=12 SLURM_JOB_EXIT_CODE2=3:0
  epilog: status 0
  $ slurmd epilog SLURM_JOB_ID=14 SLURM_JOB_EXIT_CODE2=0:6  # abort(3)
  epilog: status 0
  $ slurmd epilog SLURM_JOB_ID=15 SLURM_JOB_EXIT_CODE2=0:15 # cancelled
  epilog: status 0
  $ ls "$d/records" | wc -l
  0
  $ ls "$d/ledger" | sed 's/-2.*ledger/-MONTH.ledger/'
  n7-MONTH.ledger
  $ smilog merge -q "$d/ledger" --group-by job,user,account,node --columns job,user,account,node,jobs
  job  user  account  node  jobs
  11   ada   astro    n7       1
  12   ada   astro    n7       1
  14   ada   astro    n7       1
  15   ada   astro    n7       1
  $ smilog merge -q "$d/ledger" --group-by state,partition --columns state,partition,jobs
  state   partition  jobs
  failed  gpu           2
  ok      gpu           2
  $ for n in 11 12; do grep "\"job\": \"$n\"" "$d/ledger"/* | grep -o '"uuid": "GPU-' | wc -l; done
  2
  4
# Without GPUs there is nothing to record; without a record, nothing to add.
  $ slurmd prolog SLURM_JOB_ID=13
  prolog: status 0
  $ slurmd epilog SLURM_JOB_ID=13
  epilog: status 0
  $ slurmd epilog SLURM_JOB_ID=
  epilog: status 0
  $ cat "$d/ledger"/* | wc -l
  4

recorder behind a script
# SMILOG may be a script that starts the program, in its own place or as a child: the epilog ends both, and nothing else.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ slurmd() { # script, job, program
  >     env -i PATH="$d:/usr/bin:/bin" SMILOG="$3" SMILOG_RECORDS="$d/records" SMILOG_LEDGER="$d/ledger" SMILOG_INTERVAL=1 \
  >         SMI_FAKE_SPEED=20 SLURMD_NODENAME=n7 SLURM_JOB_ID="$2" SLURM_JOB_GPUS=0 "$here/slurm/$1.sh"
  > }
  $ recorders() { # prints their processes
  >     for p in /proc/[0-9]*; do
  >         { mapfile -d '' args <"$p/cmdline"; } 2>/dev/null
  >         [[ " ${args[*]} " != *" live "*" $d/records/$1 "* ]] || echo "${p#/proc/}"
  >     done
  > }
  $ printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v smilog)" >"$d/replaced"
  $ printf '#!/bin/sh\n"%s" "$@"\n' "$(command -v smilog)" >"$d/child"
  $ chmod +x "$d/replaced" "$d/child"
  $ job=20
  $ for program in replaced child; do
  >     job=$((job + 1))
  >     slurmd prolog $job "$d/$program"
  >     for _ in $(seq 600); do
  >         [ "$(cat "$d/records/$job"/hw_metrics.csv 2>/dev/null | wc -l)" -lt 4 ] || break
  >         sleep 0.1
  >     done
  >     [ -z "$(recorders $job)" ] || echo "$program: recorded"
  >     slurmd epilog $job "$d/$program"
  >     for _ in $(seq 100); do [ -n "$(recorders $job)" ] || break; sleep 0.1; done
  >     [ -n "$(recorders $job)" ] || echo "$program: ended"
  > done
  replaced: recorded
  replaced: ended
  child: recorded
  child: ended
# A recorder that has ended, and that nobody has asked yet how, is not waited for.
  $ python3 -SE - "$d" "$here" "$(command -v smilog)" <<'PY'
  > import ctypes, os, subprocess, sys, time
  > d, here, smilog = sys.argv[1:]
  > ctypes.CDLL(None).prctl(36, 1) # PR_SET_CHILD_SUBREAPER: the recorder comes to us
  > env = {"PATH": d + ":/usr/bin:/bin", "SMILOG": smilog, "SMILOG_RECORDS": d + "/records", "SMILOG_LEDGER": d + "/ledger",
  >        "SMILOG_INTERVAL": "10", "SLURMD_NODENAME": "n7", "SLURM_JOB_ID": "29", "SLURM_JOB_GPUS": "0"}
  > subprocess.run([here + "/slurm/prolog.sh"], env=env, check=True)
  > for _ in range(600):
  >     if os.path.exists(d + "/records/29/hw_metrics.csv"):
  >         break
  >     time.sleep(0.1)
  > begin = time.monotonic()
  > subprocess.run([here + "/slurm/epilog.sh"], env=env, check=True)
  > print("in less than 1.5 s:", time.monotonic() - begin < 1.5)
  > PY
  in less than 1.5 s: True
# A process that only has the number of a recorder is another one's.
  $ sleep 300 &
  > slurmd prolog 30 "$d/replaced"
  > kill -9 "$(cat "$d/records/30.pid")"
  > echo $! >"$d/records/30.pid"
  > slurmd epilog 30 "$d/replaced"
  > kill $! && echo "another process lives"
  > ls -A "$d/records"
  > cat "$d"/ledger/* | wc -l
  another process lives
  4

requeued after a crash
# A node crashes with what runs on it, and the job comes back to it, several times: no epilog ended the earlier attempts. Each
# attempt has a row of its own: those that crashed are cut, the last one has the end of the job. It does not matter whether
# the recorder of an earlier attempt still runs, or whether it never began. No record is left. A job that did not come back is
# added by the next epilog after the boot, once, with its own user.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ slurmd() { # script, job, variables
  >     script=$1 job=$2
  >     shift 2
  >     env -i PATH="$d:/usr/bin:/bin" SMILOG="$(command -v smilog)" SMILOG_RECORDS="$d/records" SMILOG_LEDGER="$d/ledger" \
  >         SMILOG_INTERVAL=1 SMI_FAKE_GPUS=4 SMI_FAKE_AT=200 SLURMD_NODENAME=n7 SLURM_JOB_USER=ada SLURM_JOB_ID="$job" \
  >         SLURM_JOB_GPUS=1,2,3 "$@" "$here/slurm/$script.sh" || echo "$script: status $?"
  > }
  $ recorded() { # job: its newest recording has two readings of each GPU
  >     for _ in $(seq 600); do
  >         [ "$(cat "$d/records/$1"/hw_metrics.csv 2>/dev/null | wc -l)" -lt 7 ] || return
  >         sleep 0.1
  >     done
  >     echo "no recording of $1"
  > }
  $ slurmd prolog 1008
  $ recorded 1008
  [1]
  $ kill -9 "$(cat "$d/records/1008.pid")" # the first crash
  $ slurmd prolog 1008
  $ recorded 1008
  [1]
  $ second=$(cat "$d/records/1008.pid") # its recorder is still there when the job comes again
  $ slurmd prolog 1008
  $ [ ! -e "/proc/$second" ] || grep -q '^State:.*zombie' "/proc/$second/status" || echo "the recorder of the second attempt goes on"
  $ kill -9 "$(cat "$d/records/1008.pid")" # the third one crashes at once
  $ slurmd prolog 1008
  $ slurmd prolog 1009 SLURM_JOB_USER=bob SLURM_JOB_GPUS=0
  $ recorded 1008
  [1]
  $ recorded 1009
  [1]
  $ kill -9 "$(cat "$d/records/1009.pid")"
  $ sed -i '1s/.*/an earlier boot/' "$d/records/1009.job"
  $ slurmd epilog 1008 SLURM_JOB_EXIT_CODE2=0:0
  $ slurmd epilog 1008 SLURM_JOB_EXIT_CODE2=0:0
  $ ls -A "$d/records"
  $ cat >"$d/rows.py" <<'PY'
  > import json, sys
  > rows = sorted(map(json.loads, sys.stdin), key=lambda row: row["start"])
  > for row in rows:
  >     state = row["state"].replace("no-data", "cut")  # it may crash before its first reading, and after it
  >     print(row["job"], row["user"], row["node"], state, len(row["gpus"]), "GPUs")
  > mine = [row for row in rows if row["job"] == "1008"]
  > print("one after the other:", all(a["end"] <= b["start"] for a, b in zip(mine, mine[1:])))
  > print("hours in the last one:", all(gpu["ms"][0] - gpu["ms"][4] > 900 for gpu in mine[-1]["gpus"]))
  > PY
  $ cat "$d"/ledger/* | python3 "$d/rows.py"
  1008 ada n7 cut 3 GPUs
  1008 ada n7 cut 3 GPUs
  1008 ada n7 cut 3 GPUs
  1008 ada n7 ok 3 GPUs
  1009 bob n7 cut 1 GPUs
  one after the other: True
  hours in the last one: True
  $ smilog merge -q "$d/ledger" --group-by user,job --columns user,job,jobs
  user  job   jobs
  ada   1008     1
  bob   1009     1

requeued task
# A task that was killed and requeued has a directory for each attempt; both are in the summary, and the epilog's line is
# of the last one. array.sbatch asks for what sbatch needs beside GPUs for each task. GPUs of other jobs do not count.
  $ d=$(mktemp -d) && slurm=$(realpath ../../../../scripts/slurm) && smilog=$(command -v smilog) || exit
  $ export SMILOG="$smilog" SMILOG_OUT="$d/out" SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=3
  $ grep -c -e '^#SBATCH --ntasks=1$' "$slurm/array.sbatch"
  1
  $ cd "$d" || exit
  $ mkdir bin && ln -s "$root/tests/fake/nvidia-smi" bin/nvidia-smi && export PATH=$d/bin:$PATH SMI_FAKE_GPUS=4 CUDA_VISIBLE_DEVICES=2
  $ SMILOG_COMMAND='sleep 0.3' bash "$slurm/array.sbatch" >task.out && rm out/7_3.partial # killed before it was written
  $ SLURM_RESTART_COUNT=1 SMILOG_COMMAND=false bash "$slurm/array.sbatch" >task2.out
  [1]
  $ echo "status $?"
  status 1
  $ sh "$slurm/task_epilog.sh" | sed 's/"gpu_util".*"state"/..."state"/'
  {"v":1,"ngpu":1,..."state":"failed","note":"failed"}
  $ grep -c state task.out task2.out
  task.out:0
  task2.out:1
  $ bash "$slurm/merge.sbatch" >table
  $ python3 -SE -c 'import json; print([(r["run"], r["state"], r["exit_code"], [g["gpu"] for g in r["gpus"]]) for r in json.load(open("out/sweep.summary.json"))["runs"]])'
  [('7_3', 'ok', 0, [2]), ('7_3.2', 'failed', 1, [2])]
  $ rm -r "$d"

time without readings
# GPU-hours are what a job held, from prolog to epilog, on a node whose driver is broken, too: every GPU of the allocation is in
# the row, for that time. What was not read is unknown: all of it if nvidia-smi hangs, has no driver or is not there, or if Slurm
# says only how many GPUs there are; the rest if the recorder was killed, which leaves a log without an end.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ here=$(realpath ../../../../scripts)
  $ mkdir "$d/bin" "$d/none"
  $ ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi"
  $ printf '#!/bin/sh\nexit 127\n' >"$d/none/nvidia-smi"
  $ chmod +x "$d/none/nvidia-smi"
  $ slurmd() { # script, job, variables
  >     script=$1 job=$2
  >     shift 2
  >     env -i PATH="$d/bin:/usr/bin:/bin" SMILOG="$(command -v smilog)" SMILOG_RECORDS="$d/records" SMILOG_LEDGER="$d/ledger" \
  >         SMILOG_INTERVAL=1 SMI_FAKE_GPUS=4 SMI_FAKE_AT=200 SLURMD_NODENAME=n7 SLURM_JOB_USER=ada SLURM_JOB_ID="$job" "$@" \
  >         "$here/slurm/$script.sh" || echo "$script: status $?"
  > }
  $ slurmd prolog 1 SLURM_JOB_GPUS=0,1
  $ slurmd prolog 2 SLURM_JOB_GPUS=0,1,2 SMI_FAKE_DO=hang
  $ slurmd prolog 3 SLURM_JOB_GPUS=0-3 SMI_FAKE_DO=exit-9
  $ slurmd prolog 4 SLURM_JOB_GPUS=2 PATH="$d/none:/usr/bin:/bin"
  $ slurmd prolog 5 SLURM_JOB_GPUS=1,3
  $ slurmd prolog 6 SLURM_GPUS_ON_NODE=4
  $ slurmd prolog 7 SMILOG_GPUS=all SLURM_GPUS_ON_NODE=5 # one of which the driver lost
  $ slurmd prolog 8 SLURM_JOB_GPUS=GPU-6f1c2b3a-0000-1111-2222-333344445555,GPU-00000000-0000-1111-2222-333344445555 SMILOG=/none
  $ for job in 1 5 7; do
  >     for _ in $(seq 600); do
  >         [ "$(cat "$d/records/$job"/hw_metrics.csv 2>/dev/null | wc -l)" -lt 13 ] || break
  >         sleep 0.1
  >     done
  > done
  $ kill -9 "$(cat "$d/records/5.pid")"
  $ sleep 1 # the job goes on
  $ for job in 1 2 4 5 6 7 8; do slurmd epilog $job SLURM_JOB_EXIT_CODE2=0:0; done
  $ slurmd epilog 3 SLURM_JOB_EXIT_CODE2=9:0
  $ ls -A "$d/records"
  $ cat >"$d/rows.py" <<'PY'
  > import datetime, json, sys
  > for row in sorted(map(json.loads, sys.stdin), key=lambda row: row["job"]):
  >     start, end = (datetime.datetime.fromisoformat(row[key].replace("Z", "+00:00")) for key in ("start", "end"))
  >     held = round((end - start).total_seconds() * 1000)
  >     gpus = [gpu["ms"] for gpu in row["gpus"]]
  >     print(row["job"], row["state"], len(gpus), "GPUs,", sum(ms[4] == ms[0] for ms in gpus), "of them never read,",
  >           sum(0 < ms[4] < ms[0] for ms in gpus), "at times;", "all held as long as the job" if all(ms[0] == held > 0 for ms in gpus) else row)
  > PY
  $ cat "$d"/ledger/* | python3 "$d/rows.py"
  1 ok 2 GPUs, 0 of them never read, 2 at times; all held as long as the job
  2 no-data 3 GPUs, 3 of them never read, 0 at times; all held as long as the job
  3 failed 4 GPUs, 4 of them never read, 0 at times; all held as long as the job
  4 no-data 1 GPUs, 1 of them never read, 0 at times; all held as long as the job
  5 cut 2 GPUs, 0 of them never read, 2 at times; all held as long as the job
  6 no-data 4 GPUs, 4 of them never read, 0 at times; all held as long as the job
  7 ok 5 GPUs, 1 of them never read, 4 at times; all held as long as the job
  8 no-data 2 GPUs, 2 of them never read, 0 at times; all held as long as the job
