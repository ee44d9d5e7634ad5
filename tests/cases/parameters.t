a file used is not passed over
  $ mkdir -p out/run
  $ cat >out/config.yaml <<'EOF'
  > lr: 0.1
  > EOF
  $ cat >out/run/config.yaml <<'EOF'
  > lr: 0.1
  > EOF
  $ cat >out/run/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -v out 2>&1 >/dev/null | grep -v utilization
  smilog: out/config.yaml: no log, skipped

a pattern of names
# --name-pattern reads parameters from the name of a run, or from the last piece of it that has that form; they count more
# than what the path says otherwise.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in resnet_lr0.1_seed3 vit-b_lrx_seed12 sub/vit_lr0.5_seed1/logs lr=9/a_lr1_seed2 _lr1_seed2 other; do
  >     mkdir -p "out/$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >"out/$run/gpu.csv"
  > done
  $ smilog summarize -q --format csv --columns run,model,lr,seed --name-pattern '{model}_lr{lr}_seed{seed}' out
  run,model,lr,seed
  _lr1_seed2,,1.0,2
  lr=9/a_lr1_seed2,a,1.0,2
  other,,,
  resnet_lr0.1_seed3,resnet,0.1,3
  sub/vit_lr0.5_seed1/logs,vit,0.5,1
  vit-b_lrx_seed12,vit-b,x,12
  $ smilog summarize -q --format csv --columns run,group,who --name-pattern '{group}/{who}' out
  run,group,who
  _lr1_seed2,,
  lr=9/a_lr1_seed2,lr=9,a_lr1_seed2
  other,,
  resnet_lr0.1_seed3,,
  sub/vit_lr0.5_seed1/logs,,
  vit-b_lrx_seed12,,
  $ for pattern in '{model' 'model' '{}_x' '{a}{b}' '{a{b}}' ''; do smilog summarize -q --name-pattern "$pattern" out; echo "status $?"; done
  status 2
  status 2
  status 2
  status 2
  status 2
  status 2
  2> smilog: --name-pattern needs names in braces with a text between them, as {model}_lr{lr}_seed{seed}: not "{model"
  2> try: smilog help summarize
  2> smilog: --name-pattern names no parameter: {lr}
  2> try: smilog help summarize
  2> smilog: --name-pattern needs names in braces with a text between them, as {model}_lr{lr}_seed{seed}: not "{}_x"
  2> try: smilog help summarize
  2> smilog: --name-pattern needs names in braces with a text between them, as {model}_lr{lr}_seed{seed}: not "{a}{b}"
  2> try: smilog help summarize
  2> smilog: --name-pattern needs names in braces with a text between them, as {model}_lr{lr}_seed{seed}: not "{a{b}}"
  2> try: smilog help summarize
  2> smilog: --name-pattern names no parameter: {lr}
  2> try: smilog help summarize
  $ smilog summarize --name-pattern '{model}_rate{lr}' out 2>&1 >/dev/null
  smilog: --name-pattern: warning: no run has a name of the form {model}_rate{lr}; one is _lr1_seed2

addresses of objects are none
# What Python prints of an object without a text of its own has an address that differs in each run.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && mkdir "$dir/run" && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/03/01 10:00:00.000, 0, 90 %' '2026/03/01 10:00:01.000, 0, 90 %' >run/gpu.csv
  $ cat >run/config.yaml <<'END'
  > lr: 0.1
  > loss: <function mse at 0x7f0a12b3c4d0>
  > device: "<torch.device object at 0x7FFF00aa>"
  > hook: functools.partial(<bound method A.f of <A object at 0x55d0c0ffee>>, 1)
  > note: meet at 0x10 <here>
  > tag: <none>
  > END
  $ smilog summarize -q --json run | python3 -SE pick.py params
  params {"lr": 0.1, "note": "meet at 0x10 <here>", "tag": "<none>"}
  $ rm run/config.yaml
  $ printf '%s\n' '{"ts": "2026-03-01T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"fn": "<function f at 0x7f01>", "lr": 0.2}}' >run/run.jsonl
  $ smilog summarize -q --json run | python3 -SE pick.py params
  params {"lr": 0.2}

an alias is never expanded
# ten times ten times ten ... elements: 10^13
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ ([ -n "$SMILOG_SANITIZED" ] || ulimit -v 400000; timeout 30 smilog summarize -q --json out) | python3 -SE ../../pick.py \
  >     params problems
  params {"lr": 0.1, "again": 0.1, "end": 1}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

an anchor that is given twice is a mistake
  $ cat >out/job_info.yaml <<'EOF'
  > none: 8
  > long: 8
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py params problems
  params {"none": 8, "long": 8}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

at most twenty in a pipe
# A table has the columns of at most 20 parameters, and says how many it leaves out; CSV has all.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in 1 2; do
  >     mkdir -p out/$run
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >out/$run/gpu.csv
  >     python3 -SE -c "import json; print(json.dumps({'seed': $run, **{'p%02d' % k: k * $run for k in range(1, 31)}}))" >out/$run/config.json
  > done
  $ smilog summarize -q out | sed -n 's/ STATE.*//p; /^1 /s/  */ /gp; /more/p' | cut -c1-120
  RUN    p01  p02  p03  p04  p05  p06  p07  p08  p09  p10  p11  p12  p13  p14  p15  p16  p17  p18  p19  p20\x20 (esc)
  1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 - 2.0s 50.0 50 ▅▅▅▅▅▅▅▅▅▅ 0.0 - - - - - - 0.00\x20 (esc)
  (11 more parameters differ: -o runs.csv has all)
  $ smilog summarize -q --format csv out | head -n 1 | tr , '\n' | grep -c 'p[0-9][0-9]$'
  30

by the last part of a name
# lr finds optimizer.lr where no other parameter ends so, in --where, lists and --fail-if; where several do it says which.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for i in 1 2 3; do
  >     mkdir -p out/$i
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >out/$i/gpu.csv
  >     echo "{\"optimizer\": {\"lr\": 0.00$((i * 3))}, \"model\": {\"name\": \"m$i\"}, \"data\": {\"name\": \"d$i\"}, \"seed\": $i}" >out/$i/config.json
  > done
  $ try() { echo "\$ $*"; smilog "$@" 2>&1; }
  $ try summarize -q --where 'lr > 0.005' --columns run,lr,optimizer.lr,param.lr,param.optimizer.lr out
  \x24 summarize -q --where lr > 0.005 --columns run,lr,optimizer.lr,param.lr,param.optimizer.lr out (esc)
  run     lr  optimizer.lr  param.lr  param.optimizer.lr
  2    0.006         0.006     0.006               0.006
  3    0.009         0.009     0.009               0.009
  $ try summarize -q --format csv --where "optimizer.lr > 0.005 and param.lr < 0.008 and max(lr, 1) = 1" --columns run out
  \x24 summarize -q --format csv --where optimizer.lr > 0.005 and param.lr < 0.008 and max(lr, 1) = 1 --columns run out (esc)
  run
  2
  $ try summarize -q --format csv --where "param.optimizer.lr > 0.001 and 'lr' <> 'x' and seed > 1" --columns run --sort -lr out
  \x24 summarize -q --format csv --where param.optimizer.lr > 0.001 and 'lr' <> 'x' and seed > 1 --columns run --sort -lr out (esc)
  run
  3
  2
  $ try summarize -q --format csv --where "model.name = 'm1'" --columns run,model.name out
  \x24 summarize -q --format csv --where model.name = 'm1' --columns run,model.name out (esc)
  run,model.name
  1,m1
  $ try summarize -q --format csv --where "run in (select run from phases where name = 'fit')" --columns run out
  \x24 summarize -q --format csv --where run in (select run from phases where name = 'fit') --columns run out (esc)
  run
  $ try summarize -q --format csv --group-by lr --columns gpu_util_mean_pct out
  \x24 summarize -q --format csv --group-by lr --columns gpu_util_mean_pct out (esc)
  lr,n,gpu_util_mean_pct_mean,gpu_util_mean_pct_sd,gpu_util_mean_pct_n
  0.003,1,50.0,,1
  0.006,1,50.0,,1
  0.009,1,50.0,,1
  $ try summarize -q --where "name = 'm1'" out
  \x24 summarize -q --where name = 'm1' out (esc)
  smilog: --where: name may be the parameter data.name or model.name: say which
  [2]
  $ try summarize -q --columns run,name out
  \x24 summarize -q --columns run,name out (esc)
  smilog: --columns: name may be the parameter data.name or model.name: say which
  [2]
  $ try check --fail-if 'lr > 0.005' out
  \x24 check --fail-if lr > 0.005 out (esc)
        LIMIT        VALUE  RUN
  FAIL  lr <= 0.005  0.009  3
  FAIL  lr <= 0.005  0.006  2
  1 limit broken by 2 of 3 runs
  [1]
  $ try check --fail-if 'name = 1' out
  \x24 check --fail-if name = 1 out (esc)
  smilog: --fail-if: name may be the parameter data.name or model.name: say which
  try: smilog help check
  [2]

files of trainers
# Lightning, Ultralytics, argparse: parameters beside the log; what names the run is none.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ run() { mkdir -p "$1" && printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/03 16:00:00.000, 0, 80' '2026/07/03 16:00:01.000, 0, 90' >"$1/hw.csv"; }
  $ for i in 0 1; do
  >     run lightning_logs/version_$i
  >     printf 'lr: 0.%d\nmodel:\n  width: %d\nclasses:\n- a\n- b\n' $((i + 1)) $((64 * (i + 1))) >lightning_logs/version_$i/hparams.yaml
  >     run detect/train$i
  >     printf 'task: detect\nmodel: yolo%d.pt\nepochs: 10\nname: train%d\nsave_dir: runs/detect/train%d\ndevice: null\n' $i $i $i >detect/train$i/args.yaml
  >     run plain/r$i
  >     echo "{\"lr\": 0.$i, \"out\": \"x/r$i\"}" >plain/r$i/args.json
  > done
  $ for what in lightning_logs detect plain; do
  >     smilog summarize -q --json $what | python3 -SE -c 'import json, sys; [print(r["run"], r["params"]) for r in json.load(sys.stdin)["runs"]]'
  > done
  version_0 {'lr': 0.1, 'model.width': 64}
  version_1 {'lr': 0.2, 'model.width': 128}
  train0 {'task': 'detect', 'model': 'yolo0.pt', 'epochs': 10, 'device': None}
  train1 {'task': 'detect', 'model': 'yolo1.pt', 'epochs': 10, 'device': None}
  r0 {'lr': 0.0}
  r1 {'lr': 0.1}
  $ rm -r "$d"

five layouts
# Sweeps as Hydra, W&B, Slurm arrays, flat files and an archive lay them out: 20 runs each, two of which crashed, are
# counted, and the parameters that vary are columns (or in the name) in every window.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ python3 "$root/tests/layouts.py" .
  $ for layout in hydra wandb slurm flat packed.tar.gz; do
  >     for width in 80 100 130 160; do
  >         COLUMNS=$width LINES=60 script -qec "smilog summarize -q --all --color=never $layout" /dev/null | tr -d '\r' >screen
  >         echo "$layout $width: $(grep -cE '^([0-9]+ |[0-9]{6}-|model=|exp)[^ ]* *.*(59s|no GPU log|no-data)' screen) rows"
  >         grep -A1 ^RUN screen | sed 's/ *$//'
  >     done
  >     tail -2 screen | grep -o '^20 runs.*'
  > done
  hydra 80: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h
  0    resnet  0.001  1     -          59s   61.4     0.0       3.9      0.00
  hydra 100: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  OVER TIME   IDLE %  VRAM GiB  WASTED h  NOTE
  0    resnet  0.001  1     -          59s   61.4  ▄▄▅▅▆▆▇▇▅▄     0.0       3.9      0.00
  hydra 130: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  OVER TIME                 IDLE %  VRAM GiB      W  °C    Wh  WASTED h  NOTE
  0    resnet  0.001  1     -          59s   61.4  ▄▄▄▄▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇█▄▄▄▄     0.0       3.9  200.0  58   3.3      0.00
  hydra 160: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  P95 %  OVER TIME                 IDLE %  VRAM GiB      W  °C    Wh  WASTED h  START                NOTE
  0    resnet  0.001  1     -          59s   61.4     86  ▄▄▄▄▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇█▄▄▄▄     0.0       3.9  200.0  58   3.3      0.00  2026-03-01 10:00:00
  20 runs, 0.30 GPU-h, 61.8 Wh, GPU 64.3 %, 0.00 GPU-h wasted (0.0 %), 2 no GPU data
  wandb 80: 20 rows
  RUN          lr     model   seed  STATE     TIME  GPU %  IDLE %  WASTED h
  100000-a00b  0.001  resnet  1     -          59s   61.4     0.0      0.00
  wandb 100: 20 rows
  RUN          lr     model   seed  STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h  NOTE
  100000-a00b  0.001  resnet  1     -          59s   61.4     0.0       3.9      0.00
  wandb 130: 20 rows
  RUN          lr     model   seed  STATE     TIME  GPU %  OVER TIME         IDLE %  VRAM GiB      W  °C    Wh  WASTED h  NOTE
  100000-a00b  0.001  resnet  1     -          59s   61.4  ▄▄▄▅▅▅▆▆▆▇▇▇▇▅▄▄     0.0       3.9  200.0  58   3.3      0.00
  wandb 160: 20 rows
  RUN          lr     model   seed  STATE     TIME  GPU %  P95 %  OVER TIME           IDLE %  VRAM GiB      W  °C    Wh  WASTED h  START                NOTE
  100000-a00b  0.001  resnet  1     -          59s   61.4     86  ▄▄▄▅▅▅▅▆▆▆▆▇▇▇█▄▄▄     0.0       3.9  200.0  58   3.3      0.00  2026-03-01 10:00:00
  20 runs, 0.30 GPU-h, 61.8 Wh, GPU 64.3 %, 0.00 GPU-h wasted (0.0 %), 2 no GPU data
  slurm 80: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h
  0    resnet  0.001  1     -          59s   61.4     0.0       3.9      0.00
  slurm 100: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  OVER TIME   IDLE %  VRAM GiB  WASTED h  NOTE
  0    resnet  0.001  1     -          59s   61.4  ▄▄▅▅▆▆▇▇▅▄     0.0       3.9      0.00
  slurm 130: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  OVER TIME                 IDLE %  VRAM GiB      W  °C    Wh  WASTED h  NOTE
  0    resnet  0.001  1     -          59s   61.4  ▄▄▄▄▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇█▄▄▄▄     0.0       3.9  200.0  58   3.3      0.00
  slurm 160: 20 rows
  RUN  name    lr     seed  STATE     TIME  GPU %  P95 %  OVER TIME                 IDLE %  VRAM GiB      W  °C    Wh  WASTED h  START                NOTE
  0    resnet  0.001  1     -          59s   61.4     86  ▄▄▄▄▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇█▄▄▄▄     0.0       3.9  200.0  58   3.3      0.00  2026-03-01 10:00:00
  20 runs, 0.30 GPU-h, 61.8 Wh, GPU 64.3 %, 0.00 GPU-h wasted (0.0 %), 2 no GPU data
  flat 80: 20 rows
  RUN                           STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h
  model=resnet,lr=0.001,seed=1  -          59s   61.4     0.0       3.9      0.00
  flat 100: 20 rows
  RUN                           STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h  NOTE
  model=resnet,lr=0.001,seed=1  -          59s   61.4     0.0       3.9      0.00
  flat 130: 20 rows
  RUN                           STATE     TIME  GPU %  OVER TIME             IDLE %  VRAM GiB      W  °C    Wh  WASTED h  NOTE
  model=resnet,lr=0.001,seed=1  -          59s   61.4  ▄▄▄▅▅▅▅▅▆▆▆▆▇▇▇▇▆▄▄▄     0.0       3.9  200.0  58   3.3      0.00
  flat 160: 20 rows
  RUN                           STATE     TIME  GPU %  P95 %  OVER TIME               IDLE %  VRAM GiB      W  °C    Wh  WASTED h  START                NOTE
  model=resnet,lr=0.001,seed=1  -          59s   61.4     86  ▄▄▄▄▅▅▅▅▆▆▆▆▆▇▇▇▇▇▅▄▄▄     0.0       3.9  200.0  58   3.3      0.00  2026-03-01 10:00:00
  20 runs, 0.30 GPU-h, 61.8 Wh, GPU 64.3 %, 0.00 GPU-h wasted (0.0 %), 2 no GPU data
  packed.tar.gz 80: 20 rows
  RUN    lr     model   seed  STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h
  exp00  0.001  resnet  1     -          59s   61.4     0.0       3.9      0.00
  packed.tar.gz 100: 20 rows
  RUN    lr     model   seed  STATE     TIME  GPU %  IDLE %  VRAM GiB  WASTED h  NOTE
  exp00  0.001  resnet  1     -          59s   61.4     0.0       3.9      0.00
  packed.tar.gz 130: 20 rows
  RUN    lr     model   seed  STATE     TIME  GPU %  OVER TIME               IDLE %  VRAM GiB      W  °C    Wh  WASTED h  NOTE
  exp00  0.001  resnet  1     -          59s   61.4  ▄▄▄▄▅▅▅▅▆▆▆▆▆▇▇▇▇▇▅▄▄▄     0.0       3.9  200.0  58   3.3      0.00
  packed.tar.gz 160: 20 rows
  RUN    lr     model   seed  STATE     TIME  GPU %  P95 %  OVER TIME                 IDLE %  VRAM GiB      W  °C    Wh  WASTED h  START                NOTE
  exp00  0.001  resnet  1     -          59s   61.4     86  ▄▄▄▄▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇█▄▄▄▄     0.0       3.9  200.0  58   3.3      0.00  2026-03-01 10:00:00
  20 runs, 0.30 GPU-h, 61.8 Wh, GPU 64.3 %, 0.00 GPU-h wasted (0.0 %), 2 no GPU data
  $ smilog summarize -q --json wandb | python3 -SE -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["params"])'
  {'model': 'resnet', 'lr': 0.001, 'seed': 1, 'batch': 64}

flat scalars of json
  $ mkdir -p out
  $ cat >out/config.json <<'EOF'
  > {"lr": 1e-4, "batch": 64, "name": "a b", "quoted": "64", "amp": true, "resume": null, "big": 12345678901234567,
  >  "model": {"depth": 3}, "gpus": [0, 1], "loss": NaN, "lr": 0.001}
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params problems
  params {"batch": 64, "name": "a b", "quoted": "64", "amp": true, "resume": null, "big": 12345678901234567, "model.depth": 3, "loss": null, "lr": 0.001}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

flat scalars of yaml
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params problems
  params {"lr": 1e-4, "batch": 64, "eval_batch": 64, "quoted": "64", "single": "it's", "octal": "007", "empty": null, "tilde": null, "on": "yes", "model.depth": 3, "tagged": 5, "last": "über"}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

holes of a grid of configs
  $ smilog summarize -q --json out | python3 -SE ../../pick.py /missing
  /missing [{"lr": 0.1, "seed": 3}]
  $ smilog summarize -q out | head -n 1
  11 runs in out   3 lr x 4 seeds, missing: lr=0.1 seed=3   1 GPU   model=m

job info is nested
  $ mkdir -p out
  $ cat >out/job_info.yaml <<'EOF'
  > job:
  >   date: 2026-07-03
  >   details:
  >     model_name: Tiny-1B
  >     batch_size: 32
  >     deeper:
  >       lost: 1
  >   host:
  >   - a
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params problems
  params {"date": "2026-07-03", "model_name": "Tiny-1B", "batch_size": 32}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

keys and values behind any separator
# key=value pieces of one name may stand behind '_', '-' and ';', too; values and keys may hold these themselves.
# where nothing tells a value from a key, the text is one value.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in lr=0.1_wd=1e-4_seed=0 'lr=0.2-wd=-1;seed=1' model=gpt-2_small_lr=1e-4__weight_decay=0 opt=adam_w_batch_size=8_base_lr=1 a=x_y-z_ \
  >     data=imagenet+coco_lr=0.1 model=bert-base-uncased_max-length=128 temp=zero_top_p=0.9 model=vit_opt=adam_lr=1 \
  >     id=aGVs-bG8= cmd=--lr=0.1 config=a+b_c=d data=c4_en-v2_split=train-clean_seed=1; do
  >     mkdir -p "out/$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n' >"out/$run/gpu.csv"
  > done
  $ smilog summarize -q --json out | python3 -SE -c '
  > import json, sys
  > for run in json.load(sys.stdin)["runs"]: print(run["params"])'
  {'a': 'x_y-z_'}
  {'cmd': '--lr=0.1'}
  {'config': 'a+b_c=d'}
  {'data': 'c4_en-v2_split=train-clean_seed=1'}
  {'data': 'imagenet+coco', 'lr': 0.1}
  {'id': 'aGVs-bG8='}
  {'lr': 0.1, 'wd': 0.0001, 'seed': 0}
  {'lr': 0.2, 'wd': -1, 'seed': 1}
  {'model': 'bert-base-uncased', 'max-length': 128}
  {'model': 'gpt-2_small', 'lr': 0.0001, 'weight_decay': 0}
  {'model': 'vit', 'opt': 'adam', 'lr': 1}
  {'opt': 'adam_w', 'batch_size': 8, 'base_lr': 1}
  {'temp': 'zero', 'top_p': 0.9}

md has eight columns
# The table of runs has at most eight columns in Markdown: those of parameters stay longest, and what left is named.
# Columns in which no run has anything are not there.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ python3 ../../../layouts.py "$t"
  $ for path in "$t/wandb" ../../../fixtures/sweep; do
  >     smilog summarize -q "$path" --format md -o - | grep -E '^\| Run|^\|---\|---\||^Without' |
  >         awk -F '|' '{ print (NF > 2 ? NF - 2 " columns: " : "") $0 }'
  > done
  8 columns: | Run | `lr` | `model` | `seed` | State | GPU % | Idle % | Wasted h |
  8 columns: |---|---|---|---|---|---:|---:|---:|
  Without Time, VRAM GiB, Wh, Note: `-o runs.csv` has all.
  8 columns: | Run | State | Time | GPU % | Idle % | VRAM GiB | Wasted h | Note |
  8 columns: |---|---|---:|---:|---:|---:|---:|---|
  Without CPU %, Wh: `-o runs.csv` has all.

numbers beyond 64 bits are kept
  $ mkdir -p out
  $ cat >out/config.json <<'EOF'
  > {"lr": 0.1, "seed": 18446744073709551616, "least": -9223372036854775809, "far": 1e400, "most": 9223372036854775807, "nan": NaN, "text": "18446744073709551616", "in": {"b": 18446744073709551616}, "list": [1e999, 1], "log": 1, "last": true}
  > EOF
  $ cat >out/config.yaml <<'EOF'
  > wide: 18446744073709551616
  > yes: True
  > no: "true"
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T22:10:46Z", "type": "event", "event": "start", "data": {"log": 13835058055282163712, "big": 12345678901234567, "amp": true, "none": null, "bad": NaN, "word": "true"}}
  > {"ts": "2026-07-03T22:10:56Z", "type": "phase", "name": "fit", "seconds": 5, "state": 13835058055282163712}
  > {"ts": "2026-07-03T22:11:56Z", "type": "phase", "name": "fit", "seconds": 13835058055282163712}
  > {"ts": "2026-07-03T22:12:56Z", "type": "event", "event": "end"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py params events phases inputs
  params {"log": 13835058055282163712, "big": 12345678901234567, "amp": true, "none": null, "bad": null, "word": "true", "lr": 0.1, "seed": 18446744073709551616, "least": -9223372036854775809, "far": 1e400, "most": 9223372036854775807, "nan": null, "text": "18446744073709551616", "in.b": 18446744073709551616, "last": true, "wide": 18446744073709551616, "yes": true, "no": "true"}
  events {"end": 1, "start": 1}
  phases [{"name": "fit", "count": 1, "seconds": 5.0, "summary": {"peak_vram_mb": null, "gpu_util_mean_pct": null, "gpu_util_max_pct": null, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}, "energy_wh": null, "idle_pct": null, "samples": 0}]
  inputs [{"path": "l.csv", "format": "nvidia-smi-query", "lines": 2, "header": 1, "rows": 1, "duplicates": 0, "blank": 0, "messages": 0, "rejected": {}, "cells": {"missing": 0, "bad": 0, "out_of_range": 0}, "gaps": 0, "gap_s": 0.0, "interval_s": null, "interval_max_s": null, "note": null, "problems": []}, {"path": "run.jsonl", "format": "runlog", "lines": 4, "header": 0, "rows": 3, "duplicates": 0, "blank": 0, "messages": 0, "rejected": {"bad_number": 1}, "cells": {"missing": 1, "bad": 0, "out_of_range": 0}, "gaps": 0, "gap_s": 0.0, "interval_s": null, "interval_max_s": null, "note": null, "problems": [{"line": 1, "text": "1 value NaN or Infinity read as null"}, {"line": 3, "text": "no usable number: \"{\"ts\": \"2026-07-03T22:11:56Z\", \"type\": \"phase\", \"name\": \"fit...\""}]}]
  $ smilog summarize -q --partial out | smilog merge -q --json - | cmp - <(smilog summarize -q --json out) && echo merged
  merged

of a directory with several runs
  $ mkdir -p out/sub
  $ cat >out/config.yaml <<'EOF'
  > lr: 0.1
  > EOF
  $ cat >out/exp1.csv <<'EOF'
  > index, utilization.gpu [%]
  > 0, 1
  > EOF
  $ cat >out/exp2.csv <<'EOF'
  > index, utilization.gpu [%]
  > 0, 2
  > EOF
  $ cat >out/sub/config.yaml <<'EOF'
  > lr: 0.2
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py /runs/*/run /runs/*/params
  /runs/*/run ["exp1", "exp2"]
  /runs/*/params [{"lr": 0.1}, {"lr": 0.1}]
  $ smilog summarize -q --json out/exp1.csv | python3 -SE ../../pick.py /runs/*/run /runs/*/params
  /runs/*/run ["exp1"]
  /runs/*/params [{"lr": 0.1}]
  $ smilog summarize -q --json --run all out | python3 -SE ../../pick.py /runs/*/run /runs/*/params
  /runs/*/run ["all"]
  /runs/*/params [{}]

of the only run below
  $ cat >out/run/logs/config.json <<'EOF'
  > {"c": "lower", "d": "lower"}
  > EOF
  $ cat >out/run/logs/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ cat >out/run/logs/params.json <<'EOF'
  > {"a": "lower", "b": "lower", "c": "params", "e": "lower"}
  > EOF
  $ cat >out/run/params.json <<'EOF'
  > {"a": "upper", "b": "upper"}
  > EOF
  $ cat >out/run/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T22:10:46Z", "type": "event", "event": "start", "data": {"a": "log"}}
  > {"ts": "2026-07-03T22:20:46Z", "type": "event", "event": "end"}
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py params problems
  params {"a": "log", "c": "lower", "d": "lower", "b": "upper", "e": "lower"}
  problems ["no memory.used column, or no reading in it", "no two rows of one GPU with times: no energy, no idle time", "no CPU log", "logs/config.yaml: no parameters: did not find expected node content, line 2"]

overrides of hydra
  $ mkdir -p out/.hydra
  $ cat >out/.hydra/overrides.yaml <<'EOF'
  > - lr=0.1
  > - model.depth=3
  > - +new=1e-3
  > - ++forced="64"
  > - name='a b'
  > - db@source=mysql
  > - ~dropped
  > - ~gone=1
  > - 'quoted=x=y'
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params problems
  params {"lr": 0.1, "model.depth": 3, "new": 1e-3, "forced": "64", "name": "a b", "db@source": "mysql", "quoted": "x=y"}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

same in archives partials threads
  $ command -v tar >/dev/null || exit 77
  $ d=$(mktemp -d) here=$PWD && trap 'rm -rf "$d"' EXIT
  $ cp -r ../the_first_of_the_files_counts/out "$d/one" && cp -r ../holes_of_a_grid_of_configs/out "$d/two" && cd "$d" || exit
  $ mkdir tree && mv one two tree && tar -cf tree.tar tree && smilog summarize -q --json tree >a.json
  $ params='/runs/*/params /runs/*/problems'
  $ smilog summarize -q --json tree.tar | python3 -SE "$here/../../pick.py" $params | cmp - <(python3 -SE "$here/../../pick.py" $params <a.json) && echo archive
  archive
  $ smilog summarize -q --partial tree | smilog merge -q --json - | cmp - a.json && echo merged
  merged
  $ smilog summarize -q --json -j8 tree | cmp - a.json && echo threads
  threads

the first of the files counts
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     params problems
  params {"a": "path", "b": 1, "c": 1, "d": 2, "e": 3, "f": 4, "g": 5, "z": 1, "h": 6}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

the last of a key counts
  $ mkdir -p out/.hydra
  $ cat >out/.hydra/overrides.yaml <<'EOF'
  > - b=3
  > - d=3
  > - f=1
  > - f=2
  > - g=1
  > - ~g
  > - h=1
  > - ~h=1
  > - i=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  > EOF
  $ cat >out/config.yaml <<'EOF'
  > a: 1
  > b: 1
  > c: 1
  > d: 1
  > e: [1]
  > a: 2
  > b: [2]
  > c: {of: 2}
  > d: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  > e: 2
  > EOF
  $ cat >out/job_info.yaml <<'EOF'
  > job:
  >   g: 4
  >   i: 4
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py params problems
  params {"a": 2, "c.of": 2, "e": 2, "b": 3, "f": 2, "g": 4}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

too many are cut
  $ cat >out/config.json <<'EOF'
  > {"first": 1}
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE -c '
  > import json, sys
  > r = json.load(sys.stdin)["runs"][0]
  > print(len(r["params"]), list(r["params"])[:2], r["problems"])'
  256 ['first', 'p1'] ['no memory.used column, or no reading in it', 'no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them', 'no CPU log', 'config.yaml: more than 256 parameters: the first of them count']

what is no config is said
  $ mkdir -p out
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp -r out "$d" && cd "$d" || exit
  $ try() { smilog summarize --json out 2>&1 >"$d/json" | sed 's/^/stderr: /'; python3 -SE "$OLDPWD/../../pick.py" params problems <"$d/json"; }
  $ echo '{"lr": 0.1,' >out/config.json && try
  stderr: smilog: out: warning: config.json: no parameters: not JSON of up to 64 levels
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.json: no parameters: not JSON of up to 64 levels"]
  $ { printf '{"a": 1, "b": "'; head -c 1048576 /dev/zero | tr '\0' x; echo '"}'; } >out/config.json && try
  stderr: smilog: out: warning: config.json: no parameters: larger than 1 MiB
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.json: no parameters: larger than 1 MiB"]
  $ { printf '{"a": '; printf '[%.0s' $(seq 70); printf ']%.0s' $(seq 70); echo '}'; } >out/config.json && try
  stderr: smilog: out: warning: config.json: no parameters: not JSON of up to 64 levels
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.json: no parameters: not JSON of up to 64 levels"]
  $ printf '{"a": "\xff"}' >out/config.json && try
  stderr: smilog: out: warning: config.json: no parameters: not UTF-8
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.json: no parameters: not UTF-8"]
  $ echo '[1, 2]' >out/config.json && try
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]
  $ rm out/config.json
  $ { printf 'a: 1\nb: '; printf '[%.0s' $(seq 63); printf ']%.0s' $(seq 63); } >out/config.yaml && try
  params {"a": 1}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]
  $ { printf 'a: 1\nb: '; printf '[%.0s' $(seq 64); printf ']%.0s' $(seq 64); } >out/config.yaml && try
  stderr: smilog: out: warning: config.yaml: no parameters: deeper than 64 levels, line 2
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.yaml: no parameters: deeper than 64 levels, line 2"]
  $ printf 'a: 1\n\tb: 2\n' >out/config.yaml && try
  stderr: smilog: out: warning: config.yaml: no parameters: found a tab character that violates indentation, line 2
  params {}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log", "config.yaml: no parameters: found a tab character that violates indentation, line 2"]

what is no parameter hides what counts less
  $ cat >out/config.yaml <<'EOF'
  > text: short
  > longest: short
  > control: none
  > list: 12
  > mapping: resnet
  > a: 2
  > b: 3
  > EOF
  $ cat >out/l.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 50, 100
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py params problems
  params {"longest": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "mapping.a": 1, "a": 1, "list": 12, "mapping": "resnet", "b": 3}
  problems ["no memory.used column, or no reading in it", "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]

words and numbers in names
# resnet_lr0.1_seed3 and lr_1e-4-bs-64 name parameters; numbers of runs, nodes, models and dates do not, nor those behind
# a word that is no parameter to everybody.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in resnet50_lr0.1_seed3 resnet50_lr_1e-4-bs-64,v2 exp07/node3-a100/tau0.5_job_4711_2 2026-03-01_lr5e-5 lr=0.3/lr0.4 lr1.2.3_lrx0.5_seed7b wd0.01x/SEED12/run_5 learning_rate_0.7-batch_size64_model_size_7 batch_lr0.2; do
  >     mkdir -p "out/$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >"out/$run/gpu.csv"
  > done
  $ smilog summarize -q --json out | python3 -SE -c '
  > import json, sys
  > for run in json.load(sys.stdin)["runs"]: print(run["run"], run["params"])'
  2026-03-01_lr5e-5 {'lr': 5e-05}
  batch_lr0.2 {'lr': 0.2}
  exp07/node3-a100/tau0.5_job_4711_2 {'tau': 0.5}
  learning_rate_0.7-batch_size64_model_size_7 {'learning_rate': 0.7, 'batch_size': 64}
  lr1.2.3_lrx0.5_seed7b {}
  lr=0.3/lr0.4 {'lr': 0.4}
  resnet50_lr0.1_seed3 {'lr': 0.1, 'seed': 3}
  resnet50_lr_1e-4-bs-64,v2 {'lr': 0.0001, 'bs': 64}
  wd0.01x/SEED12/run_5 {'SEED': 12}
  $ cp -r out/resnet50_lr0.1_seed3 flat && mv flat/gpu.csv flat/lr0.25_seed1.csv && cp flat/lr0.25_seed1.csv flat/lr0.5_seed1.csv
  $ smilog summarize -q --format csv --columns run,lr,seed flat
  run,lr,seed
  lr0.25_seed1,0.25,1
  lr0.5_seed1,0.5,1

words that differ between names
# Models in file names are a parameter, however many words they have. Numbers of runs, times and what each run has of its
# own are not.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ write() { # names
  >     rm -rf flat && mkdir flat
  >     for name; do
  >         printf '%s\n' 'timestamp, index, utilization.gpu [%], memory.used [MiB]' \
  >             '2026/03/01 10:00:00.000, 0, 90 %, 100 MiB' '2026/03/01 10:00:01.000, 0, 90 %, 100 MiB' >"flat/$name.csv"
  >     done
  >     smilog summarize -q flat | head -n 1
  >     smilog summarize -q --json flat | python3 -SE pick.py params
  > }
  $ write {resnet50,vit_b16}_bs{64,128}_seed{0,1,2}
  12 runs in flat   2 bs x 2 name x 3 seeds, none missing   1 GPU
  params {"bs": 64, "seed": 0, "name": "resnet50"}
  $ write bs{64,128}-{a,b}-seed{0,1}-{adam,sgd_m}
  16 runs in flat   2 bs x 2 name1 x 2 name2 x 2 seeds, none missing   1 GPU
  params {"bs": 64, "seed": 0, "name1": "a", "name2": "adam"}
  $ write {x_resnet,x_vit}_lr0.{1,2}_{11,12}
  8 runs in flat   2 lr x 2 name   1 GPU
  params {"lr": 0.1, "name": "resnet"}
  $ write run{a1,b2,c3,d4}_lr0.1
  4 runs in flat   1 GPU   lr=0.1
  params {"lr": 0.1}
  $ write 2026030{1,2}-1000_lr0.{1,2}
  4 runs in flat   2 lr   1 GPU
  params {"lr": 0.1}
  $ write model={a,b}_lr=0.{1,2}
  4 runs in flat   2 lr x 2 model, none missing   1 GPU
  params {"model": "a", "lr": 0.1}
  $ write resnet_lr0.1_seed{0,1} lr0.2_seed{0,1}
  4 runs in flat   2 lr x 2 seeds, none missing   1 GPU
  params {"lr": 0.2, "seed": 0}
  $ write {a,b}_{c,d}
  4 runs in flat   1 GPU
  params {}
# Several runs have the same parameters: whether one is missing is not known.
  $ mkdir -p deep/{a,b}/lr{1,2}_seed{0,1} && for d in deep/*/*; do cp flat/a_c.csv "$d/gpu.csv"; done
  $ smilog summarize -q deep | head -n 1
  8 runs in deep   2 lr x 2 seeds   1 GPU

config above the directory of a run
# Up to three directories up, the nearest one, and none where the run has a file of its own; the same from above, from inside and by the log.
  $ d=$(mktemp -d) || exit
  $ mkdir -p "$d"/exp/a/logs/gpu "$d"/exp/b/logs "$d"/exp/b/1/2/3/4
  $ log() { printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 %s:00:00.000, 0, 50\n2026/07/03 %s:00:01.000, 0, 50\n' "$2" "$2" >"$d/exp/$1/hw_metrics.csv"; }
  $ log a/logs/gpu 10; log b/logs 11; log b/1/2/3 12; log b/1/2/3/4 13
  $ echo 'lr: 0.1' >"$d/exp/config.yaml"; echo 'lr: 0.2' >"$d/exp/b/config.yaml"; echo '{"lr": 0.3}' >"$d/exp/b/logs/config.json"
  $ params() { smilog summarize -q --tz UTC --format jsonl "$@" 2>/dev/null | python3 -SE -c 'import json, sys
  > for run in map(json.loads, sys.stdin): print(run["run"], run["params"])'; }
  $ params "$d"
  exp/a/logs/gpu {'lr': 0.1}
  exp/b/1/2/3 {'lr': 0.2}
  exp/b/1/2/3/4 {}
  exp/b/logs {'lr': 0.3}
  $ params "$d/exp/a/logs/gpu"; params "$d/exp/a/logs/gpu/hw_metrics.csv"; (cd "$d/exp/a/logs/gpu" && params .)
  gpu {'lr': 0.1}
  gpu {'lr': 0.1}
  gpu {'lr': 0.1}
  $ tar -C "$d" -czf "$d.tgz" exp && params "$d.tgz" | sed 's/.*exp/exp/'
  exp/a/logs/gpu {'lr': 0.1}
  exp/b/1/2/3 {'lr': 0.2}
  exp/b/1/2/3/4 {}
  exp/b/logs {'lr': 0.3}
  $ rm -r "$d" "$d.tgz"
