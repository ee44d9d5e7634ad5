an error without a word
# {"type": "event", "event": "error"} says no more than that: the entry's own type is no reason.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ entry() { mkdir "$d/$1" && echo "$2" >"$d/$1/run.jsonl"; }
  $ entry bare '{"ts": "2026-07-03T10:09:18.392+00:00", "type": "event", "event": "error"}'
  $ entry empty '{"ts": "2026-07-03T10:09:18.392+00:00", "type": "event", "event": "error", "data": {}}'
  $ entry data '{"ts": "2026-07-03T10:09:18.392+00:00", "type": "event", "event": "error", "data": {"type": "ValueError"}}'
  $ entry beside '{"ts": "2026-07-03T10:09:18.392+00:00", "type": "event", "event": "error", "message": "no such file"}'
  $ entry escaped '{"ts": "2026-07-03T10:09:18.392+00:00", "type": "event", "event": "error", "data": {"type": "Value\u0045rror"}}'
  $ smilog summarize -q --columns run,state,state_reason "$d"
  run      state   state_reason
  bare     failed  error
  beside   failed  no\x20such\x20file
  data     failed  ValueError
  empty    failed  error
  escaped  failed  ValueError

cut without an end
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state wasted_h/failed exit_code
  state "cut"
  wasted_h/failed 0.0
  exit_code null

failed by error
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:01:40.000+00:00", "type": "event", "event": "error"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "failed"

failed by exception
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:01:40.000+00:00", "type": "event", "event": "exception"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "failed"

failed by exit status
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop", "data": {"exit_status": 3}}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state exit_code
  state "failed"
  exit_code 3

failed by failed
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:01:40.000+00:00", "type": "event", "event": "failed"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "failed"

failed by killed
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:01:40.000+00:00", "type": "event", "event": "killed"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "failed"

failed by oom
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:01:40.000+00:00", "type": "event", "event": "oom"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state events
  state "failed"
  events {"oom": 1, "start": 1, "stop": 1}

no data without a gpu reading
  $ mkdir -p out
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:01.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state gpus
  state "no-data"
  gpus []

of several ends the failure
# The directories of two nodes are one run. Where one node failed, the run did, with the status of that node, whichever ended last.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ node() { # directory, seconds, status
  >     mkdir -p "$1"
  >     printf 'timestamp, uuid, utilization.gpu [%%]\n2026/07/03 10:00:00.000, GPU-%s, 50\n2026/07/03 10:00:10.000, GPU-%s, 50\n' "${1#*/}" "${1#*/}" >"$1/gpu.csv"
  >     printf '{"ts": "2026-07-03T10:00:%02d.000+00:00", "type": "event", "event": "%s", "data": {"host": "%s"%s}}\n' \
  >         0 start "${1#*/}" '' "$2" stop "${1#*/}" ", \"exit_status\": $3" >"$1/run.jsonl"
  > }
  $ node first/a 8 7 && node first/b 9 0
  $ node last/a 8 0 && node last/b 9 7
  $ node none/a 8 0 && node none/b 9 0
  $ for i in first last none; do smilog summarize -q --run $i --columns run,state,exit_code,ngpus $i | tail -n 1; done
  first  failed          7      2
  last  failed          7      2
  none  ok             0      2
  $ smilog summarize -q --partial --run first first -o p && smilog merge -q --columns state,exit_code p | tail -n 1
  failed          7

ok by complete
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "complete"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "ok"

ok by done
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "done"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "ok"

ok by end
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "end"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "ok"

ok by finished
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "finished"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state
  state "ok"

ok by stop
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state state_reason
  state "ok"
  state_reason null

ok with exit status 0
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state exit_code
  state "ok"
  exit_code 0

the cause of a failed job
# what a job printed of memory is its cause; accounting overrides an exit status; an error message stays whole
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT && mkdir s
  $ n=0
  $ job() { # the text of slurm-N.out; N is counted up
  >     n=$((n + 1))
  >     { echo 'timestamp, index, utilization.gpu [%]'; for i in {10..30}; do echo "2026/07/03 10:$i:00.000, 0, 90 %"; done; } >s/train-$n.csv
  >     printf "$1" >s/slurm-$n.out
  > }
  $ failed='srun: error: n1: task 0: Exited with exit code'
  $ job "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n$failed 1\n"
  $ job "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory\n$failed 1\n"
  $ job "terminate called after throwing an instance of 'std::bad_alloc'\n$failed 134\n"
  $ job "KeyError: 'labels'\n$failed 1\n"
  $ job "$failed 137\n"
  $ job "$failed 1\n"
  $ job "$failed 1\n"
  $ job "$failed 2\n"
  $ job "RuntimeError: CUDA out of memory. Tried to allocate 20 MiB\n"
  $ job "CUDA out of memory, next try with half the batch\n$(seq 30)\n"
  $ printf 'JobID|State|ExitCode\n1|FAILED|1:0\n6|OUT_OF_MEMORY|0:125\n7|TIMEOUT|0:0\n8|NODE_FAIL|0:0\n' >s/sacct.txt
  $ smilog summarize -q s --format csv --columns run,state,state_reason,exit_code
  run,state,state_reason,exit_code
  train-1,failed,"out of memory (slurm-1.out)",1
  train-2,failed,"out of memory (slurm-2.out)",1
  train-3,failed,"out of host memory (slurm-3.out)",134
  train-4,failed,"exit status 1 (slurm-4.out)",1
  train-5,failed,"killed by SIGKILL (slurm-5.out)",137
  train-6,failed,"out of host memory (sacct.txt)",1
  train-7,cut,"time limit (sacct.txt)",1
  train-8,cut,"node failure (sacct.txt)",2
  train-9,failed,"out of memory (slurm-9.out)",
  train-10,unknown,,
  $ smilog summarize -q s | sed -n '/^Where/,/^end/p'
  Where 2.33 of 3.33 GPU-hours went (70.0 %)
  CAUSE   GPU-h  WHERE   WHAT HAPPENED
  failed   2.33  7 runs  out of memory in 3, out of host memory in 2, exit status 1 in 1, other causes in 1 (slurm-1.out and 6 more): a smaller batch may fit
  quality: complete
  10 runs, 3.33 GPU-h, GPU 90.0 %, 2.33 GPU-h wasted (70.0 %), 7 failed, 2 cut
  $ long="RuntimeError: CUDA error: an illegal memory access was encountered; $(printf 'word%.0s ' {1..150})end é"
  $ mkdir m && cp s/train-1.csv m/gpu.csv
  $ echo '{"ts": "2026-07-03T10:00:00+00:00", "type": "event", "event": "start"}' >m/run.jsonl
  $ echo "{\"ts\": \"2026-07-03T10:20:00+00:00\", \"type\": \"event\", \"event\": \"error\", \"data\": {\"message\": \"$long\"}}" >>m/run.jsonl
  $ echo "== a message of ${#long} characters"
  == a message of 823 characters
  $ reason() { python3 -SE -c 'import sys; print(len(sys.stdin.read().strip()))'; }
  $ smilog summarize -q m --json | python3 -SE -c 'import json, sys; print(len(json.load(sys.stdin)["runs"][0]["state_reason"]))'
  823
  $ smilog summarize -q m --format csv --columns state_reason | tail -n 1 | tr -d '"' | reason
  823
  $ smilog summarize -q --sql 'select state_reason from runs' m --format csv | tail -n 1 | tr -d '"' | reason
  823
  $ smilog report -q m -o m.html && grep -c 'end é' m.html
  9
  $ smilog summarize -q -v m | tr -d '\n' | tr -s ' ' | grep -o 'word end é' | sort -u
  word end é
  $ cp -r m s/m && COLUMNS=160 smilog summarize -q s | grep -A1 -e '^m ' -e '^failed'
  m         FAILED 20m00s   90.0     90  ████████████████████████     0.0     0.33!  2026-07-03 10:10:00  RuntimeError: CUDA error: an illegal memory access was …
  train-1   FAILED 20m00s   90.0     90  ████████████████████████     0.0     0.33!  2026-07-03 10:10:00  out of memory (slurm-1.out)
  --
  failed   2.67  8 runs  out of memory in 3, out of host memory in 2, RuntimeError: CUDA error: an illegal memory access was enco… in 1, other causes in 2
                         (slurm-1.out and 6 more): a checkpoint now and then keeps what was done

unknown is shown as a dash
  $ mkdir -p out/a out/b
  $ cat >out/a/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/b/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ cat >out/b/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:03:36.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q out | awk '/^[ab] / { print $1, $2 }'
  a -
  b ok

unknown without a run log
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 0
  > 2026/07/03 10:00:36.000, 0, 0
  > 2026/07/03 10:01:12.000, 0, 50
  > 2026/07/03 10:01:48.000, 0, 0
  > 2026/07/03 10:02:24.000, 0, 0
  > 2026/07/03 10:03:00.000, 0, 50
  > 2026/07/03 10:03:36.000, 0, 0
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     state state_reason
  state "unknown"
  state_reason null

the program itself says why
# train.log, output.log, *.err and slurm-*.out beside a log; too little memory counts before an exit status, wherever it stands
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() {
  >     echo 'timestamp, index, utilization.gpu [%]'
  >     for i in {10..40}; do echo "2026/07/03 10:$i:00.000, 0, 90 %"; done
  > }
  $ mkdir one two three flat caught && for d in one two three caught; do log >$d/gpu.csv; done
  $ for r in a4711_1 a4711_2 b c; do log >flat/$r.csv; done
  $ echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB' | tee one/train.log two/train.log flat/b.err flat/slurm-4711_2.err >three/job.err
  $ echo 'srun: error: node1: task 0: Exited with exit code 1' | tee two/slurm-7.out >flat/slurm-4711_2.out
  $ { cat one/train.log; for i in {1..30}; do echo "epoch $i"; done; } | tee caught/train.log >flat/train.log
  $ smilog summarize -q --columns run,state,state_reason .
  run           state    state_reason
  caught        unknown  -
  flat/a4711_1  unknown  -
  flat/a4711_2  failed   out\x20of\x20memory\x20(slurm-4711_2.err)
  flat/b        failed   out\x20of\x20memory\x20(b.err)
  flat/c        unknown  -
  one           failed   out\x20of\x20memory\x20(train.log)
  three         failed   out\x20of\x20memory\x20(job.err)
  two           failed   out\x20of\x20memory\x20(train.log)
  $ smilog summarize -q . | grep '^failed'
  failed   2.50  5 runs  out of memory (slurm-4711_2.err and 4 more): a smaller batch may fit
  $ smilog summarize -q --columns run,state,state_reason flat/b.csv flat/a4711_2.csv two/gpu.csv
  run      state   state_reason
  a4711_2  failed  out\x20of\x20memory\x20(slurm-4711_2.err)
  b        failed  out\x20of\x20memory\x20(b.err)
  two      failed  out\x20of\x20memory\x20(train.log)
  $ mv one/train.log one/output.log; mv two/slurm-7.out two/slurm-7-node1.out; rm two/train.log
  $ smilog summarize -q --columns run,state,state_reason one two
  run  state   state_reason
  one  failed  out\x20of\x20memory\x20(output.log)
  two  failed  exit\x20status\x201\x20(slurm-7-node1.out)
