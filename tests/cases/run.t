a directory in use gets a number
# The command is started whatever is in its directory, and whether one can be made or not.
  $ d=$(mktemp -d) || exit
  $ cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ for i in 1 2 3; do smilog run -q -o out/a -- sh -c 'echo "$0 in ${SMILOG_DIR##*/}"' $i; done
  1 in a
  2 in a.2
  3 in a.3
  2> smilog: out/a already holds a recording: this one goes to out/a.2
  2> smilog: out/a already holds a recording: this one goes to out/a.3
  $ smilog run -q -o /dev/null/a -- sh -c 'echo "started, SMILOG_DIR=$SMILOG_DIR"; exit 7'
  started, SMILOG_DIR=
  2> smilog: cannot make /dev/null/a: Not a directory: nothing is recorded
  [7]
  $ echo $?
  7
  $ ls out
  a
  a.2
  a.3
  $ rm -r "$d"

a gpu that is not read is named
# nvidia-smi lists a GPU, but prints no reading of it: the command is started all the same, and the GPU is named.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH
  $ SMI_FAKE_GPUS=3 SMI_FAKE_DO=gpu-vanishes:0 smilog run -q -- sh -c 'echo started; exit 7' 2>&1 | sed 's/within .*/within N s/'
  > echo ${PIPESTATUS[0]}
  smilog: warning: GPU 2: no reading before the command was started: nvidia-smi lists it, but printed no reading within N s
  started
  7
  $ SMI_FAKE_GPUS=3 SMI_FAKE_DO=hang:0 smilog run -q -- sh -c 'echo started; exit 8' 2>&1 | sed 's/within .*/within N s/'
  > echo ${PIPESTATUS[0]}
  smilog: warning: GPU 0, 1, 2: no reading before the command was started: nvidia-smi lists them, but printed no reading within N s
  started
  8
# No GPU was read before: that is said, and nothing about the list of processes.
  $ CUDA_VISIBLE_DEVICES=0 SMI_FAKE_GPUS=1 SMI_FAKE_DO=slow-start SMI_FAKE_FOR=3 smilog run -- sleep 9 2>&1 | grep -A1 "GPU memory"
    GPU memory  n/a (its GPUs were not all read before it was started: what they
                held then is not known)

a hung monitor does not hold the command
# A monitor that hangs from its start, and one that no SIGTERM ends: neither is waited for, and the summary says so. A run
# whose monitor is busy and prints nothing waits two seconds before it starts its command. A run that starts later has
# ended by then.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" "$d/busy" && cd "$d" || exit
  $ ln -s "$root/tests/fake/nvidia-smi" bin/nvidia-smi
  $ printf '#!/bin/sh\n: >started\nwhile :; do :; done\n' >busy/nvidia-smi && chmod +x busy/nvidia-smi
  $ for what in hang deaf; do
  >     for _ in {1..8}; do # a loaded machine starts a process late: once in this order is enough
  >         PATH=$d/busy:$PATH smilog run -q -- sh -c 'echo "then the other command" >>order' 2>/dev/null &
  >         until [ -e started ]; do sleep 0.01; done
  >         SMI_FAKE_DO=$what PATH=$d/bin:$PATH smilog run -- true 2>said
  >         status=$?
  >         echo "$what: the run has ended" >>order
  >         wait
  >         [ "$(head -n 1 order)" != "$what: the run has ended" ] || break
  >         rm order started
  >     done
  >     cat order
  >     rm order started
  >     echo "$status $(grep GPU said)"
  > done
  hang: the run has ended
  then the other command
  0   GPU         none was seen: nvidia-smi gave no reading
  deaf: the run has ended
  then the other command
  0   GPU         none was seen: nvidia-smi gave no reading
# One that is only slow is waited for, as long as it does something
  $ export PATH=$d/bin:$PATH
  $ for _ in 1 2 3 4 5; do
  >     SMI_FAKE_GPUS=1 smilog run -- true 2>&1 | grep -q H100 && echo waited && break
  > done
  waited

a recording is what summarize reads
# A command beside the stand-in for nvidia-smi: the recording's own summary is what summarize says of it.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2 SMI_FAKE_AT=60
  $ smilog run -i 0.2 -o "$d/run" -- sh -c 'smilog log "$SMILOG_DIR/run.jsonl" phase warm 0.2; sleep 1.2; exit 5' 2>"$d/said"
  [5]
  $ echo $?
  5
  $ smilog summarize -q --json "$d/run" | cmp - "$d/run/summary.json" && echo same
  same
  $ cd "$d" && smilog summarize -q --json run | python3 -SE "$OLDPWD/../../pick.py" state state_reason exit_code phases/0/name inputs/*/format events \
  >     | sed 's/"monitor": [0-9]*, //'
  state "failed"
  state_reason "exit status 5"
  exit_code 5
  phases/0/name "warm"
  inputs/*/format ["cpu-csv", "compute-apps", "dmon", "nvidia-smi-query", "procs-csv", "runlog"]
  events {"start": 1, "stop": 1}
  $ smilog summarize -q --json run | python3 -SE -c '
  > import json, sys
  > m = json.load(sys.stdin)["runs"][0]["host"]["metrics"]
  > print(sorted(k for k in m if k.startswith("tree_")))
  > print(2 <= m["tree_procs"]["max"] <= 3, m["tree_threads_main"]["max"], m["tree_ram_mib"]["max"] > 0.5, m["tree_cpu_pct"]["max"] < 100)'
  ['tree_cpu_children_pct', 'tree_cpu_main_pct', 'tree_cpu_pct', 'tree_procs', 'tree_ram_children_mib', 'tree_ram_main_mib', 'tree_ram_mib', 'tree_ram_private_mib', 'tree_ram_shared_mib', 'tree_threads', 'tree_threads_children', 'tree_threads_main']
  True 1.0 True True
# (a sanitizer's own short process may be caught in the tree, or gone while it is read: then a note says so)
  $ sed '/^  note .* of [0-9]* samples of memory /d; s,/tmp[^:]*,DIR,; s/[0-9][0-9.]*/N/g; s/ Ns/ N/' said | grep '^ \{0,2\}[^ ]' | cut -c1-40
  smilog: sh -c 'smilog log "$SMILOG_DIR/r
    ended       exit status N after N, N p
    CPU         N % of a core, at most N %
    memory      N MiB at most; private N M
    GPU         N x HN NGB HBMN: N %, at m
    GPU memory  n/a (the driver's pids are
    recorded    in DIR: smilog summarize -

a recording that cannot begin
# The command is started where nothing can be recorded, and its status is passed on; a warning names the reason.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir bin && ln -s "$(command -v smilog)" bin && export PATH=$PWD/bin:/usr/bin:/bin # without nvidia-smi
  $ touch file; ln -s nowhere link; ln -s loop loop
  $ long=$(printf '%0300d' 0)
  $ for dir in file/a /proc/a loop/a "$long" $(for i in {1..20}; do echo -n "$long/"; done) file link; do
  >     smilog run -q -o "$dir" -- sh -c 'echo "runs, SMILOG_DIR=${SMILOG_DIR##*/}"; exit 7' 2>&1 | sed 's/0000*/000/g; /GPUs/d'
  >     echo ${PIPESTATUS[0]}
  > done
  smilog: cannot make file/a: Not a directory: nothing is recorded
  runs, SMILOG_DIR=
  7
  smilog: cannot make /proc/a: No such file or directory: nothing is recorded
  runs, SMILOG_DIR=
  7
  smilog: cannot make loop/a: Too many levels of symbolic links: nothing is recorded
  runs, SMILOG_DIR=
  7
  smilog: cannot make 000: File name too long: nothing is recorded
  runs, SMILOG_DIR=
  7
  smilog: cannot make 000: File name too long: nothing is recorded
  runs, SMILOG_DIR=
  7
  smilog: file is not a directory: the recording goes to file.2
  runs, SMILOG_DIR=file.2
  7
  smilog: link is not a directory: the recording goes to link.2
  runs, SMILOG_DIR=link.2
  7
  $ ls -d file* link*
  file
  file.2
  link
  link.2

a second recording keeps its parameters
# out/seed=1.2 is the second recording of seed 1; out/lr=0.2 is one of its own, beside out/lr=0.
  $ d=$(mktemp -d) || exit
  $ cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ for run in lr=0/seed=1 lr=0/seed=1 lr=0.2 lr=0 lr=0.2; do
  >     smilog run -q -o "out/$run" -- true
  > done
  2> smilog: out/lr=0/seed=1 already holds a recording: this one goes to out/lr=0/seed=1.2
  2> smilog: out/lr=0 already holds a recording: this one goes to out/lr=0.3
  2> smilog: out/lr=0.2 already holds a recording: this one goes to out/lr=0.2.2
  $ smilog summarize -q --where 1 --columns run,param.lr,param.seed out
  run            param.lr  param.seed
  lr=0.2              0.2           -
  lr=0.2.2            0.2           -
  lr=0.3              0.0           -
  lr=0/seed=1         0.0           1
  lr=0/seed=1.2       0.0           1
  $ smilog summarize -q --partial out -o p.json && smilog merge -q p.json --format csv | cut -d, -f 1,6,7
  run,param.seed,param.lr
  lr=0.2,,0.2
  lr=0.2.2,,0.2
  lr=0.3,,0
  lr=0/seed=1,1,0
  lr=0/seed=1.2,1,0
  $ smilog summarize -q --columns run,param.seed out/lr=0/seed=1.2
  run       param.seed
  seed=1.2           1
  $ rm -r "$d"

ended before the command
# What ends us while the GPUs' first readings are waited for ends us at once: the command is never there, and that is
# said and recorded. A stop is a stop.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2 SMI_FAKE_DO=slow-start SMI_FAKE_FOR=60 CUDA_VISIBLE_DEVICES=0
  $ python3 -SE - <<'PY'
  > import json, os, signal, subprocess, time
  > signals = signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1
  > for s in signals: # a shell that runs this in the background ignores some
  >     signal.signal(s, signal.SIG_DFL)
  > def begin(name, *words, **more):
  >     p = subprocess.Popen(['smilog', 'run', '-q', '-o', name, *words], stderr=subprocess.PIPE, text=True, **more)
  >     while not os.path.exists(name + '/procs.csv'):
  >         time.sleep(0.02)
  >     return p
  > def state(p):
  >     return open(f'/proc/{p.pid}/stat').read().rsplit(')', 1)[1].split()[0]
  > def wait_for(what):
  >     for _ in range(400):
  >         if what():
  >             return True
  >         time.sleep(0.02)
  > def monitors():
  >     found = []
  >     for pid in filter(str.isdigit, os.listdir('/proc')):
  >         try:
  >             found += [pid] if os.getcwd().encode() in open(f'/proc/{pid}/cmdline', 'rb').read() else []
  >         except OSError:
  >             pass
  >     return found
  > for s in signals:
  >     p = begin(s.name, '--', 'touch', 'begun')
  >     p.send_signal(s)
  >     err = p.communicate()[1].strip()
  >     print(p.returncode == -s, err)
  >     events = [json.loads(line) for line in open(s.name + '/run.jsonl')]
  >     print(events[-2]['event'], events[-2]['data'], events[-1]['event'], events[-1]['data']['exit_status'])
  >     run = json.load(open(s.name + '/summary.json'))['runs'][0]
  >     print(run['state'], run['state_reason'], run['exit_code'])
  > def term(): # is sent before it begins
  >     signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
  >     os.kill(os.getpid(), signal.SIGTERM)
  > p = begin('pid', '--pid', str(os.getpid()), preexec_fn=term)
  > print(p.communicate()[1].strip().replace(str(os.getpid()), 'PID'), p.returncode)
  > print('begun:', os.path.exists('begun'), 'monitors:', [m for m in monitors() if not wait_for(lambda: m not in monitors())])
  > # In a process group of its own, whose parent is in this session: the kernel drops SIGTSTP for one that is orphaned, as
  > # all are of what runs without a terminal's shell.
  > p = begin('stop', '--', 'touch', 'begun', preexec_fn=os.setpgrp)
  > p.send_signal(signal.SIGTSTP)
  > print('stops:', wait_for(lambda: state(p) == 'T'))
  > p.send_signal(signal.SIGCONT)
  > print('goes on:', wait_for(lambda: state(p) != 'T'), p.poll())
  > p.send_signal(signal.SIGTERM)
  > print(p.wait())
  > PY
  True smilog: SIGINT while waiting for the first readings of the GPUs: the command was never started
  killed {'message': 'ended by SIGINT before it was started'} stop 130
  failed ended by SIGINT before it was started 130
  True smilog: SIGHUP while waiting for the first readings of the GPUs: the command was never started
  killed {'message': 'ended by SIGHUP before it was started'} stop 129
  failed ended by SIGHUP before it was started 129
  True smilog: SIGTERM while waiting for the first readings of the GPUs: the command was never started
  killed {'message': 'ended by SIGTERM before it was started'} stop 143
  failed ended by SIGTERM before it was started 143
  True smilog: SIGQUIT while waiting for the first readings of the GPUs: the command was never started
  killed {'message': 'ended by SIGQUIT before it was started'} stop 131
  failed ended by SIGQUIT before it was started 131
  True smilog: SIGUSR1 while waiting for the first readings of the GPUs: the command was never started
  killed {'message': 'ended by SIGUSR1 before it was started'} stop 138
  failed ended by SIGUSR1 before it was started 138
  smilog: SIGTERM: process PID was not tracked yet -15
  begun: False monitors: []
  stops: True
  goes on: True None
  -15

every gpu is read before the command
# The rows of the GPUs come one by one, with pauses in between: the command starts when all of them have been read, so what
# it holds of the last one is known.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && cd "$d" || exit
  $ cat >bin/nvidia-smi <<'SH'
  > #!/bin/bash
  > fields=$(sed -n 's/^--query-gpu=//p' <<<"$1")
  > case $1 in
  > --query-gpu=*) ;;
  > --query-compute-apps=*) echo 'timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]'; exec sleep 100 ;;
  > *) exec sleep 100 ;;
  > esac
  > sweep() {
  >     for gpu in 0 1 2 3; do
  >         sleep 0.4
  >         [ -e held ] && used=4700 || used=4000
  >         row=
  >         for f in ${fields//,/ }; do
  >             case $f in
  >             timestamp) v=$(date +%Y/%m/%d\ %H:%M:%S.%3N) ;;
  >             index) v=$gpu ;; uuid) v=GPU-$gpu ;; name) v=H100 ;;
  >             memory.total) v=81559 ;; memory.used) v=$used ;; utilization.gpu) v=50 ;;
  >             *) v='[N/A]' ;;
  >             esac
  >             row=$row${row:+, }$v
  >         done
  >         echo "$row"
  >     done
  > }
  > echo "${fields//,/, }"
  > sweep
  > [ $# -gt 2 ] || exit 0 # without -l: the question which GPUs there are
  > while :; do sleep 0.1; sweep; done
  > SH
  $ chmod +x bin/nvidia-smi
  $ export PATH=$d/bin:$PATH CUDA_VISIBLE_DEVICES=0,1,2,3
  $ smilog run -q -o out --usage u.json --gpu-ram-unit megabytes -- bash -c '
  >     tail -n +2 out/hw_metrics.csv | cut -d, -f10 | sort -un >seen; touch held
  >     for _ in {1..600}; do [ "$(grep -c ", 4700," out/hw_metrics.csv)" -ge 8 ] && break; sleep 0.1; done'
  $ echo $(cat seen)
  0 1 2 3
  $ python3 -SE -c 'import json; print(json.load(open("u.json"))["max_gpu_ram"]["combined"])'
  2800.0

every output says the command
# Of what smilog run recorded every output says the command, how it ended and what it used, of main and descendants; a
# command may be any text.
  $ scripts=$PWD/../../../../tests/oracle
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ log() { # a run, its command, its other events, exit status, MiB of GPU memory
  >     mkdir -p "s/$1"
  >     { echo "{\"ts\": \"2026-07-03T10:00:00.000+00:00\", \"type\": \"event\", \"event\": \"start\", \"data\": {\"host\": \"n7\", \"utc_offset_s\": 0, \"command\": \"$2\"}}"
  >       [ -z "$3" ] || echo "{\"ts\": \"2026-07-03T10:00:20.000+00:00\", \"type\": \"event\", \"event\": \"killed\", \"data\": {\"message\": \"$3\"}}"
  >       echo "{\"ts\": \"2026-07-03T10:00:20.000+00:00\", \"type\": \"event\", \"event\": \"stop\", \"data\": {\"exit_status\": $4}}"; } >"s/$1/run.jsonl"
  >     { echo timestamp,tree_cpu_pct,tree_cpu_main_pct,tree_cpu_children_pct,tree_ram_mib,tree_ram_main_mib,tree_ram_children_mib,tree_ram_private_mib,tree_ram_shared_mib,tree_fb_mib,tree_fb_main_mib,tree_fb_children_mib,tree_threads,tree_threads_main,tree_threads_children,tree_procs
  >       echo "2026-07-03T10:00:10.000+00:00,60.0,40.0,20.0,1536.0,512.0,1100.0,1400.0,136.0,$5,5,1,4,3"
  >       echo "2026-07-03T10:00:20.000+00:00,20.0,0.0,20.0,2048.0,512.0,1612.0,1900.0,148.0,$5,6,1,5,4"; } >"s/$1/procs.csv"
  > }
  $ log bad './train.sh --lr 0.1 | tee <b>x</b> `id`' '' 3 20000.0,20000.0,0.0
  $ smilog report -q s -o one.md && sed -n '/ Command |/,$p' one.md
  | Run | Command | Ended | CPU, % | Most memory | Most GPU memory | Most processes |
  |---|---|---|---:|---:|---:|---:|
  | `bad` | `./train.sh --lr 0.1 \x7c tee <b>x</b> \x60id\x60` | **exit status 3** | 40.0 | 2.00 GiB | 19.53 GiB | 4 |

  | The command used | Mean | Max | Main, mean | max | Descendants, mean | max | |
  |---|---:|---:|---:|---:|---:|---:|---|
  | CPU | 40.0 | 60.0 | 20.0 | 40.0 | 20.0 | 20.0 | % of a core |
  | memory | 1.75 | 2.00 | 0.50 | 0.50 | 1.32 | 1.57 | GiB |
  | private memory | 1.61 | 1.86 | - | - | - | - | GiB |
  | shared memory | 142.0 | 148.0 | - | - | - | - | MiB |
  | GPU memory | 19.53 | 19.53 | 19.53 | 19.53 | 0.00 | 0.00 | GiB |
  | threads | 5.5 | 6 | 1.0 | 1 | 4.5 | 5 | |
  | processes | 3.5 | 4 | - | - | - | - | |

  $ log killed '=1+1' 'killed by SIGKILL' 137 ,,
  $ log none "$(printf 'x%.0s' $(seq 5000))" '' 0 ,,
  $ smilog summarize -q -v s/bad | sed -n -e '/^command:/,/^$/p' -e '/^host:/p' -e '/^absent/p'
  command: ./train.sh --lr 0.1 | tee <b>x</b> `id`   exit status 3
  COMMAND USED      MEAN     MAX  MAIN MEAN    MAX  DESCENDANTS MEAN    MAX  unit
  CPU              40.0    60.0       20.0   40.0              20.0   20.0   % of a core
  memory            1.75    2.00       0.50   0.50              1.32   1.57  GiB
  private memory    1.61    1.86          -      -                 -      -  GiB
  shared memory   142.0   148.0           -      -                 -      -  MiB
  GPU memory       19.53   19.53      19.53  19.53              0.00   0.00  GiB
  threads           5.5     6          1.0    1                 4.5    5     -
  processes         3.5     4             -      -                 -      -  -

  $ smilog summarize -q s/killed | sed -n '/^command:/p'
  command: =1+1   killed by SIGKILL (exit status 137)
  $ smilog summarize -q --format md s | grep -A9 '| Command' | cut -c1-200
  | Run | Command | Ended | CPU, % | Most memory | Most GPU memory | Most processes |
  |---|---|---|---:|---:|---:|---:|
  | `bad` | `./train.sh --lr 0.1 \x7c tee <b>x</b> \x60id\x60` | **exit status 3** | 40.0 | 2.00 GiB | 19.53 GiB | 4 |
  | `killed` | `=1+1` | **killed by SIGKILL (exit status 137)** | 40.0 | 2.00 GiB | - | 4 |
  | `none` | `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` | exit status 0 | 40.0 |

  $ for i in bad killed; do smilog summarize -q --partial s/$i -o $i.part; done
  $ smilog merge -q bad.part killed.part --json >merged.json; smilog summarize -q --json s >all.json
  $ python3 -SE - <<'PY'
  > import json
  > for name in 'all.json', 'merged.json':
  >     print(name, [(r['run'], r['command'][:60], len(r['command']), r['exit_code']) for r in json.load(open(name))['runs']])
  > PY
  all.json [('bad', './train.sh --lr 0.1 | tee <b>x</b> `id`', 39, 3), ('killed', '=1+1', 4, 137), ('none', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 4096, 0)]
  merged.json [('bad', './train.sh --lr 0.1 | tee <b>x</b> `id`', 39, 3), ('killed', '=1+1', 4, 137)]
  $ smilog report -q s -o s.html && sed -n '/<section id="commands"/,/<\/section>/p' s.html | cut -c1-420
  <section id="commands" aria-labelledby="commands-title">
  <h2 id="commands-title">Tracked commands</h2>
  <div class="scroll"><table class="plain">
  <thead>
  <tr><th scope="col">Run</th><th scope="col">Command</th><th scope="col">Ended</th><th scope="col" class="n">CPU, %</th><th scope="col" class="n">Most memory</th><th scope="col" class="n">Most GPU memory</th><th scope="col" class="n">Most processes</th></tr>
  </thead>
  <tbody>
  <tr><th scope="row"><a href="#run=bad">bad</a></th><td>./train.sh --lr 0.1 | tee &lt;b&gt;x&lt;/b&gt; `id`</td><td class="bad">exit status 3</td><td class="n">40.0</td><td class="n">2.00 GiB</td><td class="n">19.53 GiB</td><td class="n">4</td></tr>
  <tr><th scope="row"><a href="#run=killed">killed</a></th><td>=1+1</td><td class="bad">killed by SIGKILL (exit status 137)</td><td class="n">40.0</td><td class="n">2.00 GiB</td><td class="n">-</td><td class="n">4</td></tr>
  <tr><th scope="row"><a href="#run=none">none</a></th><td>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</td><td>exit status 0</td><td class="n">40.0</td><td class="n">2.00 GiB</td><td class="n">-</td><td class="n">4</td></tr>
  </tbody>
  </table></div>
  <p>Of the command and everything that it started, together.</p>
  </section>
  $ smilog report -q s -o s.xlsx && PYTHONPATH=$scripts python3 -SB - <<'PY'
  > import sheets
  > sheet = sheets.sheets('s.xlsx', ['Commands'])['Commands']
  > for row in range(1, sheet.rows + 1):
  >     print([v if not isinstance(v, str) else v[:40] for v in (sheet.value.get((row, col)) for col in range(1, 25))])
  > PY
  ['Run', 'Command', 'Exit status', 'Reason', 'CPU mean %', 'CPU most %', 'Main CPU mean %', 'Main CPU most %', 'Descendants CPU mean %', 'Descendants CPU most %', 'Memory most GiB', 'Main memory most GiB', 'Descendants memory most GiB', 'Private memory most GiB', 'Shared memory most GiB', 'GPU memory most GiB', 'Main GPU memory most GiB', 'Descendants GPU memory most GiB', 'Threads most', 'Main threads most', 'Descendants threads most', 'Processes most', None, None]
  ['bad', './train.sh --lr 0.1 | tee <b>x</b> `id`', 3.0, 'exit status 3', 0.4, 0.6, 0.2, 0.4, 0.2, 0.2, 2.0, 0.5, 1.57421875, 1.85546875, 0.14453125, 19.53125, 19.53125, 0.0, 6.0, 1.0, 5.0, 4.0, None, None]
  ['killed', '=1+1', 137.0, 'killed by SIGKILL', 0.4, 0.6, 0.2, 0.4, 0.2, 0.2, 2.0, 0.5, 1.57421875, 1.85546875, 0.14453125, None, None, None, 6.0, 1.0, 5.0, 4.0, None, None]
  ['none', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 0.0, None, 0.4, 0.6, 0.2, 0.4, 0.2, 0.2, 2.0, 0.5, 1.57421875, 1.85546875, 0.14453125, None, None, None, 6.0, 1.0, 5.0, 4.0, None, None]
  $ rm s/*/procs.csv; sed -i 's/, "command": "[^"]*"//' s/*/run.jsonl # and of others nothing
  $ smilog report -q s -o t.xlsx && python3 -SE -c 'import zipfile; print("Commands" in zipfile.ZipFile("t.xlsx").read("xl/workbook.xml").decode())'
  False
  $ smilog report -q s -o t.html; smilog report -q s -o t.md
  $ grep -l 'id="commands"\|ommand `' t.html t.md || echo nothing
  nothing

exit status is the commands
# What a shell would see without us, it sees with us.
  $ cat >cmd.txt <<'EOF'
  > no program
  > EOF
  $ try() { "$@" >/dev/null 2>&1; echo "$? $*"; }
  $ { # the shell itself says who was killed
  > try smilog run true
  > try smilog run -q -- false
  > try smilog run sh -c 'exit 42'
  > try smilog run -- sh -c 'kill -SEGV $$'
  > try smilog run -- sh -c 'kill -KILL $$'
  > try smilog run no-such-command
  > try smilog run ./cmd.txt
  > try smilog run
  > try smilog run --ram-unit gigs true
  > try smilog run -i 0.01 true
  > try smilog run --pid 4194305
  > try smilog run --pid 1x
  > try smilog run --pid 1 true
  > try smilog run --tracking-file t.txt true
  > } 2>/dev/null
  0 smilog run true
  1 smilog run -q -- false
  42 smilog run sh -c exit 42
  139 smilog run -- sh -c kill -SEGV $$
  137 smilog run -- sh -c kill -KILL $$
  127 smilog run no-such-command
  126 smilog run ./cmd.txt
  2 smilog run
  2 smilog run --ram-unit gigs true
  2 smilog run -i 0.01 true
  2 smilog run --pid 4194305
  2 smilog run --pid 1x
  2 smilog run --pid 1 true
  2 smilog run --tracking-file t.txt true
# An option behind the command is the command's.
  $ smilog run -q echo -n -q --help; echo " $?"
  -q --help 0
  $ smilog run -q -- sh -c 'exit 3' --quiet; echo $?
  3
  $ echo abc | smilog run -q tr a-c x-z
  xyz

files that are taken away are begun again
# The command deletes what is recorded of it: each file is begun again, and the end of the run says so, also with -q.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir bin && ln -s "$(command -v smilog)" bin && export PATH=$PWD/bin:/usr/bin:/bin # without nvidia-smi
  $ cat >job <<'SH'
  > file=$1
  > until_true() { for _ in {1..1200}; do eval "$1" && return; sleep 0.05; done; echo "never: $1"; }
  > until_true '[ "$(wc -l <out/procs.csv)" -gt 2 ] && [ -s $file ]'
  > rm out/procs.csv out/run.jsonl $file
  > until_true '[ -s out/procs.csv ] && [ -s $file ] && grep -q $file out/run.jsonl'
  > exit 3
  > SH
  $ for file in t.csv t.sqlite; do
  >     smilog run -q -i 0.1 -o out --tracking-file $file -- bash job $file 2>&1 | grep -v 'GPUs: none' | sort
  >     echo ${PIPESTATUS[0]}
  >     head -n1 out/procs.csv | cut -d, -f1,2
  >     head -n1 out/run.jsonl | grep -o '"event": "start"'
  >     smilog summarize -q --columns run,state,exit_code out
  >     rm -r out
  > done
  smilog: error: procs.csv was deleted while it was recorded; smilog began it again
  smilog: error: run.jsonl was deleted while it was recorded; smilog began it again
  smilog: error: t.csv was deleted while it was recorded; smilog began it again
  3
  timestamp,tree_cpu_pct
  "event": "start"
  run  state   exit_code
  out  failed          3
  smilog: error: procs.csv was deleted while it was recorded; smilog began it again
  smilog: error: run.jsonl was deleted while it was recorded; smilog began it again
  smilog: error: t.sqlite was deleted while it was recorded; smilog began it again
  3
  timestamp,tree_cpu_pct
  "event": "start"
  run  state   exit_code
  out  failed          3
  $ head -n1 t.csv | cut -d, -f1-3
  ram_unit,gpu_ram_unit,time_unit
  $ sqlite3 t.sqlite 'select count(*) from static_data; select count(*) > 0 from data' 2>/dev/null ||
  >     python3 -SE -c 'import sqlite3; c = sqlite3.connect("t.sqlite"); print(*c.execute("select count(*) from static_data").fetchone()); print(*c.execute("select count(*) > 0 from data").fetchone())'
  1
  1

gpu tracker chooses gpus
# --gpus (gpu_uuids) chooses whose utilisation counts: memory, its capacity and the number of GPUs are of all.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=3 SMI_FAKE_HELD=$d/held
  $ unset CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES SLURM_STEP_GPUS SLURM_JOB_GPUS
  $ uuid=$(nvidia-smi -i 1 -L | sed 's/.*UUID: \(.*\))/\1/')
  $ tracked() {
  >     for _ in {1..5}; do # a loaded machine may start the monitors so late that the command does not wait for them
  >         rm -f u.json held
  >         smilog run -q -i 0.1 --usage u.json --gpu-ram-unit megabytes "$@" -- \
  >             bash -c 'printf "%s\n" "0 $$ 1000" "1 $$ 200" >held; sleep 3'
  >         sed -n '/"max_gpu_ram"/,/}/p' u.json | grep -q '"system_capacity": [0-9]' && break
  >     done
  >     python3 -SE - <<'PY'
  > import json
  > u = json.load(open('u.json'))
  > print(u['max_gpu_ram'], u['gpu_utilization']['system_gpu_count'], u['gpu_utilization']['n_expected_gpus'])
  > PY
  > }
  $ tracked --gpus "$uuid"
  {'unit': 'megabytes', 'system_capacity': 244677.0, 'system': 3039.0, 'main': 1200.0, 'descendants': 0.0, 'combined': 1200.0} 3 1
  $ echo "{\"gpu_uuids\": [\"$uuid\"]}" >c.json; tracked --config c.json
  {'unit': 'megabytes', 'system_capacity': 244677.0, 'system': 3039.0, 'main': 1200.0, 'descendants': 0.0, 'combined': 1200.0} 3 1
  $ tracked --gpus 0,2
  {'unit': 'megabytes', 'system_capacity': 244677.0, 'system': 3039.0, 'main': 1200.0, 'descendants': 0.0, 'combined': 1200.0} 3 2

gpu tracker without a gpu
# Without a GPU gpu_tracker has 0.0, and its own tools end at what is empty or null.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$(command -v sleep)" "$d/bin" && cd "$d" || exit
  $ smilog=$(command -v smilog)
  $ tracked() { PATH=$d/bin "$smilog" run -q -i 0.1 "$@" -- sleep 0.35; }
  $ tracked --usage u.json --tracking-file t.csv
  $ tracked --format gpu-tracker-text --tracking-file t.sqlite | sed -n '/^Max GPU/,/^CPU/p; /GPU perc/,/^Comp/p'
  Max GPU RAM:
     Unit: gigabytes
     System capacity: 0.0
     System: 0.0
     Main: 0.0
     Descendants: 0.0
     Combined: 0.0
  CPU utilization:
     GPU percentages:
        Max sum percent: 0.0
        Max hardware percent: 0.0
        Mean sum percent: 0.0
        Mean hardware percent: 0.0
  Compute time:
  $ python3 -SE - <<'PY'
  > import csv, json, sqlite3
  > u = json.load(open('u.json'))
  > print(u['max_gpu_ram']); print(u['gpu_utilization'])
  > rows = list(csv.reader(open('t.csv', newline='')))
  > print(rows[1][7:], {tuple(r[4:10]) for r in rows[3:]})
  > print(set(sqlite3.connect('t.sqlite').execute('select main_gpu_ram, descendants_gpu_ram, combined_gpu_ram, system_gpu_ram, '
  >                                               'gpu_sum_utilization_percent, gpu_hardware_utilization_percent from data')))
  > PY
  {'unit': 'gigabytes', 'system_capacity': 0.0, 'system': 0.0, 'main': 0.0, 'descendants': 0.0, 'combined': 0.0}
  {'system_gpu_count': 0, 'n_expected_gpus': 0, 'gpu_percentages': {'max_sum_percent': 0.0, 'max_hardware_percent': 0.0, 'mean_sum_percent': 0.0, 'mean_hardware_percent': 0.0}}
  ['0', '0'] {('0.0', '0.0', '0.0', '0.0', '0.0', '0.0')}
  {(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)}

gpu trackers forms
# The same keys, order and layout, whatever the numbers; its tracking file as Python's csv reads it.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT; pick=$PWD/../../pick.py; cd "$d" || exit
  $ smilog run -q --format gpu-tracker-text -- sleep 0.3 | sed 's/: [0-9][0-9.e-]*$/: N/'
  Max RAM:
     Unit: gigabytes
     System capacity: N
     System: N
     Main:
        Total RSS: N
        Private RSS: N
        Shared RSS: N
     Descendants:
        Total RSS: N
        Private RSS: N
        Shared RSS: N
     Combined:
        Total RSS: N
        Private RSS: N
        Shared RSS: N
  Max GPU RAM:
     Unit: gigabytes
     System capacity: N
     System: N
     Main: N
     Descendants: N
     Combined: N
  CPU utilization:
     System core count: N
     Number of expected cores: N
     System:
        Max sum percent: n/a
        Max hardware percent: n/a
        Mean sum percent: n/a
        Mean hardware percent: n/a
     Main:
        Max sum percent: N
        Max hardware percent: N
        Mean sum percent: N
        Mean hardware percent: N
     Descendants:
        Max sum percent: N
        Max hardware percent: N
        Mean sum percent: N
        Mean hardware percent: N
     Combined:
        Max sum percent: N
        Max hardware percent: N
        Mean sum percent: N
        Mean hardware percent: N
     Main number of threads: N
     Descendants number of threads: N
     Combined number of threads: N
  GPU utilization:
     System GPU count: N
     Number of expected GPUs: N
     GPU percentages:
        Max sum percent: N
        Max hardware percent: N
        Mean sum percent: N
        Mean hardware percent: N
  Compute time:
     Unit: hours
     Time: N
  $ smilog run -q --usage u.json -- sleep 0.3
  $ python3 -SE - u.json <<'PY'
  > import json, sys
  > text = open(sys.argv[1]).read()
  > def keys(v, at=''):
  >     return sum(([at + k] + keys(w, at + k + '.') for k, w in v.items()), []) if isinstance(v, dict) else []
  > print('\n'.join(keys(json.loads(text))))
  > print(text == json.dumps(json.loads(text), indent=1) + '\n')
  > PY
  max_ram
  max_ram.unit
  max_ram.system_capacity
  max_ram.system
  max_ram.main
  max_ram.main.total_rss
  max_ram.main.private_rss
  max_ram.main.shared_rss
  max_ram.descendants
  max_ram.descendants.total_rss
  max_ram.descendants.private_rss
  max_ram.descendants.shared_rss
  max_ram.combined
  max_ram.combined.total_rss
  max_ram.combined.private_rss
  max_ram.combined.shared_rss
  max_gpu_ram
  max_gpu_ram.unit
  max_gpu_ram.system_capacity
  max_gpu_ram.system
  max_gpu_ram.main
  max_gpu_ram.descendants
  max_gpu_ram.combined
  cpu_utilization
  cpu_utilization.system_core_count
  cpu_utilization.n_expected_cores
  cpu_utilization.system
  cpu_utilization.system.max_sum_percent
  cpu_utilization.system.max_hardware_percent
  cpu_utilization.system.mean_sum_percent
  cpu_utilization.system.mean_hardware_percent
  cpu_utilization.main
  cpu_utilization.main.max_sum_percent
  cpu_utilization.main.max_hardware_percent
  cpu_utilization.main.mean_sum_percent
  cpu_utilization.main.mean_hardware_percent
  cpu_utilization.descendants
  cpu_utilization.descendants.max_sum_percent
  cpu_utilization.descendants.max_hardware_percent
  cpu_utilization.descendants.mean_sum_percent
  cpu_utilization.descendants.mean_hardware_percent
  cpu_utilization.combined
  cpu_utilization.combined.max_sum_percent
  cpu_utilization.combined.max_hardware_percent
  cpu_utilization.combined.mean_sum_percent
  cpu_utilization.combined.mean_hardware_percent
  cpu_utilization.main_n_threads
  cpu_utilization.descendants_n_threads
  cpu_utilization.combined_n_threads
  gpu_utilization
  gpu_utilization.system_gpu_count
  gpu_utilization.n_expected_gpus
  gpu_utilization.gpu_percentages
  gpu_utilization.gpu_percentages.max_sum_percent
  gpu_utilization.gpu_percentages.max_hardware_percent
  gpu_utilization.gpu_percentages.mean_sum_percent
  gpu_utilization.gpu_percentages.mean_hardware_percent
  compute_time
  compute_time.unit
  compute_time.time
  True
  $ smilog run -q -i 0.1 --tracking-file t.csv --ram-unit megabytes --time-unit seconds --n-expected-cores 4 -- \
  >     sh -c 'for _ in $(seq 600); do [ "$(wc -l <t.csv)" -lt 8 ] || exit 0; sleep 0.1; done'
  $ python3 -SE - t.csv <<'PY'
  > import csv, sys
  > rows = list(csv.reader(open(sys.argv[1], newline='')))
  > print(rows[0]); print(rows[1][:3], rows[1][6]); print(rows[2])
  > print(len(rows) >= 7, {len(r) for r in rows[3:]}, all(float(r[0]) > 0.1 for r in rows[3:7]), float(rows[3][-1]) > 1.7e9)
  > PY
  ['ram_unit', 'gpu_ram_unit', 'time_unit', 'ram_system_capacity', 'gpu_ram_system_capacity', 'system_core_count', 'n_expected_cores', 'system_gpu_count', 'n_expected_gpus']
  ['megabytes', 'gigabytes', 'seconds'] 4
  ['main_ram', 'descendants_ram', 'combined_ram', 'system_ram', 'main_gpu_ram', 'descendants_gpu_ram', 'combined_gpu_ram', 'system_gpu_ram', 'gpu_sum_utilization_percent', 'gpu_hardware_utilization_percent', 'main_n_threads', 'descendants_n_threads', 'combined_n_threads', 'cpu_system_sum_utilization_percent', 'cpu_system_hardware_utilization_percent', 'cpu_main_sum_utilization_percent', 'cpu_main_hardware_utilization_percent', 'cpu_descendants_sum_utilization_percent', 'cpu_descendants_hardware_utilization_percent', 'cpu_combined_sum_utilization_percent', 'cpu_combined_hardware_utilization_percent', 'timestamp']
  True {22} True True
  $ smilog run -q --tracking-file t.csv true; echo $?
  4
  2> smilog: the tracking file t.csv is there already: --overwrite replaces it
  $ smilog run -q --tracking-file t.csv --overwrite -i 0.1 sleep 0.25; echo $?
  0
  $ smilog run -q -i 0.1 --tracking-file t.sqlite sleep 0.25; echo $?
  0
  $ python3 -SE - t.sqlite <<'PY'
  > import sqlite3, sys
  > db = sqlite3.connect(sys.argv[1])
  > print(db.execute('select count(*) from static_data').fetchone(), db.execute('select count(*) > 1 from data').fetchone())
  > PY
  (1,) (1,)
  $ smilog summarize -q --json t.csv | python3 -SE "$pick" inputs/0/format inputs/0/rejected
  inputs/0/format "gpu-tracker"
  inputs/0/rejected {}

its summary and summarize agree
# What run says of a command at its end every output says of the recording: of one that ends before the first row is
# due, of one whose most lies between two rows, and of a merge.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ smilog run -i 5 -o brief -- /usr/bin/python3 -c 'import time; x = b"x" * (150 << 20); time.sleep(0.3)' 2>brief.txt
  $ smilog run -i 2 -o between -- /usr/bin/python3 -c '
  > import time; time.sleep(2.3); x = b"x" * (300 << 20); del x; time.sleep(0.1)' 2>between.txt
  $ smilog run -i 5 -o early -- sh -c 'for i in 1 2 3; do sleep 0.4 & done; wait; /usr/bin/python3 -c "
  > import time; x = b\"x\" * (100 << 20); time.sleep(1)"' 2>early.txt
  $ for i in brief between early; do smilog summarize -q --partial $i -o $i.part; done
  $ smilog merge -q brief.part between.part early.part --json >merged.json
  $ python3 -SE - <<'PY'
  > import json, re, subprocess
  > def used(runs, name):
  >     return next(r for r in runs if r['run'] == name)['command_used']
  > def size(x):
  >     return f"{x / 1024:.2f} GiB" if x >= 1024 else f"{x:.1f} MiB"
  > merged = json.load(open('merged.json'))['runs']
  > for name, least in ('brief', 150), ('between', 300), ('early', 100):
  >     said = ' '.join(open(name + '.txt').read().split())
  >     runs = json.loads(subprocess.run(['smilog', 'summarize', '-q', '--json', name], capture_output=True).stdout)['runs']
  >     u = used(runs, name)
  >     cpu = re.search(r'CPU ([0-9.]+) % of a core, at most ([0-9.]+) %; main ([0-9.]+) %, descendants ([0-9.]+) %', said)
  >     ours = [u['tree_cpu_pct']['mean'], u['tree_cpu_pct']['max'], u['tree_cpu_main_pct']['mean'],
  >             u['tree_cpu_children_pct']['mean']]
  >     print(name, 'CPU', [f"{x:.1f}" for x in ours] == list(cpu.groups()) or (cpu.groups(), ours))
  >     ram = re.search(r'memory (\S+ .iB) at most', said)[1]
  >     print(name, 'memory', ram == size(u['tree_ram_mib']['max']) or (ram, u), u['tree_ram_mib']['max'] >= least)
  >     procs = re.search(r'(\d+) processes at most', said)
  >     print(name, 'processes', int(procs[1] if procs else 1) == u['tree_procs']['max'] or (said, u))
  >     print(name, 'merged', used(merged, name) == u)
  >     table = subprocess.run(['smilog', 'summarize', '-q', '-v', name], capture_output=True, text=True).stdout
  >     row = re.search(r'^memory +\S+ +(\S+) .*(.iB)$', table, re.M)
  >     print(name, 'table', ' '.join(row.groups()) == ram)
  > PY
  brief CPU True
  brief memory True True
  brief processes True
  brief merged True
  brief table True
  between CPU True
  between memory True True
  between processes True
  between merged True
  between table True
  early CPU True
  early memory True True
  early processes True
  early merged True
  early table True

its summary is no log
# The summary of a recording, or one that summarize wrote, is known for what it is, even to --strict; a file of another
# program that has its name is not.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cp -r "../../../fixtures/sweep/lr=0.1/seed=1" "$d/ours" && cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ mkdir other && echo '{"accuracy": 0.9}' >other/summary.json && printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n' >other/hw.csv
  $ smilog run -q -o run -- sleep 0.1
  $ smilog summarize -q --json ours -o ours/summary.json
  $ smilog summarize -v . 2>&1 >/dev/null | grep summary.json
  smilog: other/summary.json: no log, skipped
  smilog: ours/summary.json: smilog's own summary, no log, skipped
  smilog: run/summary.json: smilog's own summary, no log, skipped
  $ smilog summarize -v --strict ours >/dev/null 2>&1
  $ echo $?
  0

killed without notice
# SIGKILL of us: the command goes on, what was recorded stays, no monitor does. SIGKILL of the command: said.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=1
  $ wait_for() { for _ in $(seq 200); do eval "$1" && return; sleep 0.05; done; echo "never: $1"; }
  $ smilog run -q -i 0.1 -o a -- sh -c 'echo $$ >pid; sleep 4; echo done >end' & ours=$!
  > wait_for '[ -s pid ] && [ $(wc -l <a/procs.csv) -gt 5 ] && [ $(wc -l <a/hw_metrics.csv) -gt 3 ]'
  > kill -KILL $ours; wait $ours 2>/dev/null; echo $?
  137
  $ kill -0 "$(cat pid)" && echo "the command lives"
  the command lives
  $ wait_for '! pgrep -f "$d/bin/nvidia-smi" >/dev/null'
  $ wait_for '[ -s end ]'; cat end
  done
  $ smilog summarize -q --json a | python3 -SE "$OLDPWD/../../pick.py" state inputs/*/rejected
  state "cut"
  inputs/*/rejected [{}, {}, {}, {}, {}, {}]
  $ smilog run -i 0.1 -o b -- sh -c 'echo $$ >pid2; exec sleep 9' 2>said & ours=$!
  > wait_for '[ -s pid2 ]'
  > kill -KILL "$(cat pid2)"; wait $ours 2>/dev/null; echo $?
  > sed -n '2s/ after .*//p' said
  > smilog summarize -q --json b | python3 -SE "$OLDPWD/../../pick.py" state state_reason exit_code
  137
    ended       killed by SIGKILL
  state "failed"
  state_reason "killed by SIGKILL"
  exit_code 137

lines fit 80 columns
# What does not fit goes on below its first word.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2
  $ smilog run -i 0.2 -- sh -c 'sleep 0.9; : one two three four five six seven eight nine; exit 3' 2>said; echo $?
  3
  $ awk 'length > 80' said
  $ sed 's/[0-9][0-9.]*s*/N/g' said | sed -n 's/ N, N proc.*//; 1,2p'
  smilog: sh -c 'sleep N; : one two three four five six seven eight ...
    ended       exit status N after
  $ smilog run -q -i 0.2 -- true; smilog run -- sh -c 'exit 4' 2>&1 | sed -n '2s/ after .*//p'
    ended       exit status 4

memory that forks write
# 40 forks of a process of 10 MB write what they had shared with it: statm does not tell, and there is no time to read
# smaps of all of them. What is told is what the kernel says, or at least that.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cat >forks.py <<'END'
  > import os, time
  > data, pids = bytearray(os.urandom(4096)) * 2560, []
  > gate, written = os.pipe(), os.pipe()
  > for _ in range(40):
  >     pids.append(os.fork())
  >     if not pids[-1]:
  >         os.close(gate[1])
  >         time.sleep(1)
  >         data[::4096] = bytes(2560)
  >         os.write(written[1], b"x")
  >         os.read(gate[0], 1)
  >         os._exit(0)
  > done = 0
  > while done < 40:
  >     done += len(os.read(written[0], 40))
  > time.sleep(2.5)
  > kib = sum(int(line.split()[1]) for pid in [os.getpid(), *pids] for line in open(f"/proc/{pid}/smaps_rollup") if line.startswith("Pss:"))
  > open("pss", "w").write(str(kib / 1024))
  > os.close(gate[1])
  > for pid in pids:
  >     os.waitpid(pid, 0)
  > END
  $ smilog run -o rec -- python3 forks.py 2>said
  $ echo "status $?"
  status 0
  $ grep -o '"[a-z]*_tree_ram_mib": [0-9.]*' rec/run.jsonl | tr -d '":' | awk -v pss="$(cat pss)" '
  >     { of[$1] = $2 } END { print (pss > 400), (of["max_tree_ram_mib"] < 1.1 * pss), \
  >         (of["max_tree_ram_mib"] > 0.9 * pss || of["possible_tree_ram_mib"] > 0.9 * pss) }'
  1 1 1
  $ grep -c "possible" rec/run.jsonl | diff - <(grep -c "at least" said) && echo "both say whether it is all"
  both say whether it is all

our memory is not the commands
# The most that a process ever held, as the kernel counts it, begins with the copy of us that it was before exec.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=8
  $ most() { grep -o '"max_rss_mib": [0-9]*' "$1/run.jsonl" || echo '"max_rss_mib": 0'; }
  $ smilog run -q -o a -- sleep 0.3; most a | awk '{ print ($2 < 4) }'
  1
  $ smilog run -q -o b -- python3 -c 'b"x" * (300 << 20)'; most b | awk '{ print ($2 > 300 && $2 < 330) }'
  1
  $ smilog run -q -o c -- sh -c 'python3 -c "b\"x\" * (300 << 20)"; true'; most c | awk '{ print ($2 > 300 && $2 < 330) }'
  1

parameters that the command logs
# In a recording the first event is our own, without a parameter: they are those of the first start that the command
# logs, also in a merge. Of any other log they are those of its first event.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ params() { python3 -SE -c 'import json, sys; print(*(json.dumps(r["params"]) for r in json.load(sys.stdin)["runs"]))'; }
  $ smilog run -q -o r -- sh -c 'smilog log "$SMILOG_DIR/run.jsonl" event error code=3
  >     smilog log "$SMILOG_DIR/run.jsonl" event start lr=0.1 model=heston; smilog log "$SMILOG_DIR/run.jsonl" event start lr=7'
  $ smilog summarize -q --json r | params
  {"lr": 0.1, "model": "heston"}
  $ smilog summarize -q --partial r -o r.part; smilog merge -q r.part --json | params
  {"lr": 0.1, "model": "heston"}
  $ event() { echo "{\"ts\": \"2026-07-03T10:00:0$1.000+00:00\", \"type\": \"event\", \"event\": \"$2\", \"data\": {$3}}"; }
  $ mkdir own && { event 1 begin ''; event 2 start '"lr": 7'; } >own/run.jsonl
  $ smilog summarize -q --json own | params
  {}
  $ mkdir first && { event 1 begin '"seed": 3'; event 2 start '"lr": 7'; } >first/run.jsonl
  $ smilog summarize -q --json first | params
  {"seed": 3}

quiet says that no gpu is recorded
# -q leaves out the summary, but not that the recording has no GPU.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$(command -v sleep)" "$d/bin" && cd "$d" || exit
  $ smilog=$(command -v smilog)
  $ PATH=$d/bin "$smilog" run -q -o out -- sleep 0.1
  2> smilog: warning: GPUs: none was seen: cannot start nvidia-smi: No such file or directory
  $ PATH=$d/bin "$smilog" run -q -- sleep 0.1
  $ ln -s "$root/tests/fake/nvidia-smi" bin/nvidia-smi
  $ PATH=$d/bin:$PATH smilog run -q -o out -- sleep 0.1
  2> smilog: out already holds a recording: this one goes to out.2

rows of gpus come one by one
# A monitor on a terminal writes row by row: what is held of the second GPU is known a moment after the first one.
# It is at work in between, on a loaded machine, too: one that sleeps for long counts as hung.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && cd "$d" || exit
  $ cat >bin/amd-smi <<'SH'
  > #!/bin/bash
  > while :; do
  >     [ -e held ] && used=4700 || used=4000
  >     for gpu in 0 1; do
  >         [ $gpu = 1 ] || printf 'timestamp,gpu,power_usage,gfx,vram_used,vram_total\r\n'
  >         printf '%(%s)T,%d,200,90,%d,65520\r\n' -1 $gpu $used
  >         for ((i = 0; i < 20000; i++)); do :; done
  >     done
  >     printf '\r\n'; sleep 0.9
  > done
  > SH
  $ chmod +x bin/amd-smi
  $ export PATH=$d/bin:$PATH HIP_VISIBLE_DEVICES=1
  $ smilog run -q --gpu-brand amd --usage u.json --gpu-ram-unit megabytes -- sh -c 'touch held; sleep 4'
  $ python3 -SE -c 'import json; print(json.load(open("u.json"))["max_gpu_ram"]["combined"])'
  700.0

rows of procs csv
# A row an interval. What was seen before the first stands there where it was more, or where nothing came after it; and
# the end of a command, which uses nothing any more, is no row that has no number.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ hold() { # seconds; longer where memory came late: it has to be there at the next of the samples, whose distance doubles
  >     echo "begin=\$(date +%s); python3 -SE -c 'import sys, time; x = b\"x\" * (200 << 20); time.sleep(max($1, 2 * (time.time() - int(sys.argv[1])) + 1))' \$begin"
  > }
  $ smilog run -q -o a -i 1 -- sleep 2.1 &
  > smilog run -q -o b -i 5 -- sh -c "$(hold 3); sleep 4.5" &
  > smilog run -q -o c -i 20 -- sh -c "$(hold 3.5)" &
  > wait
  $ for i in a b c; do
  >     python3 -SE - $i/procs.csv <<'PY'
  > import csv, sys
  > rows = list(csv.DictReader(open(sys.argv[1])))
  > print('nothing in', sum(not any(v for k, v in r.items() if k != 'timestamp') for r in rows),
  >       'one before the first interval at most', sum(not r['tree_cpu_pct'] for r in rows) < 2,
  >       'memory', max(float(r['tree_ram_mib'] or 0) for r in rows) > 200)
  > PY
  > done
  nothing in 0 one before the first interval at most True memory False
  nothing in 0 one before the first interval at most True memory True
  nothing in 0 one before the first interval at most True memory True
  $ grep -c . c/procs.csv
  3
  $ smilog summarize a b c 2>&1 | grep 'not usable\|no usable' || echo all usable
  all usable

runs at once have their own directories
# Programs that are started at once with one -o, as srun does: each command runs, and each recording has a directory of its
# own, whether DIR is new, empty, or has a slash or a dot at its end.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir bin && ln -s "$(command -v smilog)" bin && export PATH=$PWD/bin:/usr/bin:/bin # without nvidia-smi
  $ for form in new empty slash/ dot/.; do
  >     dir=${form%%/*}
  >     for round in 1 2 3; do
  >         [ $form = new ] || [ $form = slash/ ] || mkdir -p "$round/$dir"
  >         for i in 1 2 3 4 5 6; do smilog run -q -o "$round/$form" -- sh -c 'echo "$SMILOG_DIR"' >>ran 2>>said & done
  >         wait
  >     done
  >     echo "$form: $(wc -l <ran) commands in $(sort -u ran | wc -l) directories"
  >     cat [123]/*/run.jsonl | grep -c '"event": "start"'
  >     cat [123]/*/run.jsonl | grep -c '"event": "stop"'
  >     ls 1
  >     rm -r ran [123]
  > done
  new: 18 commands in 18 directories
  18
  18
  new
  new.2
  new.3
  new.4
  new.5
  new.6
  empty: 18 commands in 18 directories
  18
  18
  empty
  empty.2
  empty.3
  empty.4
  empty.5
  empty.6
  slash/: 18 commands in 18 directories
  18
  18
  slash
  slash.2
  slash.3
  slash.4
  slash.5
  slash.6
  dot/.: 18 commands in 18 directories
  18
  18
  dot
  dot.2
  dot.3
  dot.4
  dot.5
  dot.6
  $ grep -c 'already holds a recording: this one goes to' said
  60
  $ grep -v -e 'already holds a recording: this one goes to' -e 'GPUs: none was seen' said
  [1]

settings of gpu tracker
# --config: its keys; the command line overrules them.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ unit() { grep -m1 '"unit"'; }
  $ echo '{"ram_unit": "megabytes", "time_unit": "seconds", "sleep_time": 0.1, "n_expected_cores": 3, "disable_logs": true}' >c.json
  $ smilog run --config c.json --usage u.json true; unit <u.json; grep n_expected_cores u.json
    "unit": "megabytes",
    "n_expected_cores": 3,
  $ smilog run --config c.json --ram-unit bytes --usage u.json true; unit <u.json
    "unit": "bytes",
  $ echo '{"tracking_file": "t.csv", "gpu_uuids": ["GPU-1"], "join_timeout": 3}' >c.json
  $ smilog run -q --config c.json true; echo $?; test -s t.csv; echo $?
  0
  0
  2> smilog: warning: --config: join_timeout: without a meaning here
  $ for bad in '{"ram_units": "bytes"}' '{"ram_unit": 5}' '{"n_expected_cores": 0.5}' '{"gpu_brand": "intel"}' '[]' '{'; do
  >     echo "$bad" >c.json
  >     smilog run --config c.json true 2>&1 | head -n 1; done
  smilog: --config: c.json: there is no "ram_units"; did you mean "ram_unit"?
  smilog: --config: c.json: "ram_unit" has to be a text
  smilog: --config: c.json: "n_expected_cores" needs a whole number from 1 on, not "0.5"
  smilog: --config: c.json: "gpu_brand" is one of auto|nvidia|amd, not "intel"
  smilog: --config c.json: is no JSON object
  smilog: --config c.json: is no JSON object: string or '}' expected near end of file
  $ smilog run --config none.json true 2>&1 | head -n 1
  smilog: --config: cannot open none.json: No such file or directory

wrong settings of gpu tracker
# Each message begins with the file and the key, also where the value is checked later; what is typed has its option's name.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ for bad in '"tracking_file": 5' '"tracking_file": ["a.csv", "b"]' '"tracking_file": ""' '"tracking_file": "t.txt"' '"process_id": "abc"' \
  >     '"process_id": 1.5' '"process_id": -3' '"process_id": 7' '"ram_unit": 5' '"gpu_ram_unit": ["bytes"]' '"ram_unit": "byte"' \
  >     '"time_unit": "x"' '"sleep_time": 0' '"sleep_time": -1' '"sleep_time": "1"' '"sleep_time": 86401' '"gpu_brand": ["amd"]' \
  >     '"gpu_uuids": "GPU-1"' '"gpu_uuids": 5' '"gpu_uuids": ["GPU-1", 5]' '"overwrite": true' '"disable_logs": 1'; do
  >     echo "{$bad}" >c.json
  >     smilog run --config c.json touch ran 2>&1 | head -n 1; if test -e ran; then rm ran; echo "$bad: it ran"; fi; done
  smilog: --config: c.json: "tracking_file" has to be a text
  smilog: --config: c.json: "tracking_file" has to be a text
  smilog: --config: c.json: "tracking_file" has to be a text, and not empty
  smilog: the tracking file t.txt: its name has to end in .csv or .sqlite
  smilog: --config: c.json: "process_id" has to be a number
  smilog: --config: c.json: "process_id" needs a whole number from 1 on, not "1.5"
  smilog: --config: c.json: "process_id" needs a whole number from 1 on, not "-3"
  smilog: --config: c.json: "process_id" and a command: one of them
  smilog: --config: c.json: "ram_unit" has to be a text
  smilog: --config: c.json: "gpu_ram_unit" has to be a text
  smilog: --config: c.json: "ram_unit" is one of bytes|kilobytes|megabytes|gigabytes|terabytes, not "byte"
  smilog: --config: c.json: "time_unit" is one of seconds|minutes|hours|days, not "x"
  smilog: --config: c.json: "sleep_time" needs 0.05 to 86400 seconds
  smilog: --config: c.json: "sleep_time" needs a number that is not negative, not "-1"
  smilog: --config: c.json: "sleep_time" has to be a number
  smilog: --config: c.json: "sleep_time" needs 0.05 to 86400 seconds
  smilog: --config: c.json: "gpu_brand" has to be a text
  smilog: --config: c.json: "gpu_uuids" has to be a list of texts
  smilog: --config: c.json: "gpu_uuids" has to be a list of texts
  smilog: --config: c.json: "gpu_uuids" has to be a list of texts
  smilog: --config: c.json: "overwrite" is of --tracking-file
  smilog: --config: c.json: "disable_logs" has to be true or false
  $ echo '{"sleep_time": 0, "ram_unit": "x"}' >c.json
  $ smilog run --config c.json -i 0.01 true 2>&1 | head -n 1
  smilog: --config: c.json: "ram_unit" is one of bytes|kilobytes|megabytes|gigabytes|terabytes, not "x"
  $ smilog run --config c.json --interval 1 --ram-unit=y true 2>&1 | head -n 1
  smilog: --ram-unit is one of bytes|kilobytes|megabytes|gigabytes|terabytes, not "y"
  $ echo '{"sleep_time": 0, "ram_unit": "kilobytes"}' >c.json
  $ smilog run -q --config c.json --interval=1 --ram-unit bytes true; echo $?
  0
# A list may be empty: it chooses nothing.
  $ for good in '"gpu_uuids": []' '"gpu_uuids": [""]' '"gpu_uuids": null' '"overwrite": false'; do
  >     echo "{$good}" >c.json
  >     smilog run -q --config c.json touch ran; test -e ran && rm ran && echo "$good: it ran"; done
  "gpu_uuids": []: it ran
  "gpu_uuids": [""]: it ran
  "gpu_uuids": null: it ran
  "overwrite": false: it ran

told to end
# TERM, as a scheduler sends it before it kills: the command gets it once, and what is known is written at once.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ wait_for() { for _ in $(seq 200); do eval "$1" && return; sleep 0.05; done; echo "never: $1"; }
  $ cat >job.py <<'PY'
  > import signal, time
  > got = []
  > for s in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGINT):
  >     signal.signal(s, lambda s, f: got.append(s))
  > print('ready', flush=True)
  > while signal.SIGINT not in got:
  >     time.sleep(0.02)
  > time.sleep(0.3)
  > print([signal.Signals(s).name for s in got], flush=True)
  > raise SystemExit(9)
  > PY
  $ python3 -SE - <<'PY'
  > import os, signal, subprocess, time
  > for s in signal.SIGINT, signal.SIGHUP, signal.SIGQUIT: # a shell that runs this in the background ignores them
  >     signal.signal(s, signal.SIG_DFL)
  > p = subprocess.Popen(['smilog', 'run', '-q', '-i', '0.1', '-o', 'run', '--', 'python3', 'job.py'], stdout=subprocess.PIPE, text=True)
  > print(p.stdout.readline().strip())
  > p.send_signal(signal.SIGUSR1); time.sleep(0.3)
  > p.send_signal(signal.SIGHUP); time.sleep(0.3)
  > p.send_signal(signal.SIGTERM)
  > for _ in range(100):
  >     if os.path.exists('run/summary.json'): break
  >     time.sleep(0.05)
  > time.sleep(0.3)
  > print('summary while it goes on:', os.path.exists('run/summary.json'), p.poll())
  > p.send_signal(signal.SIGINT)
  > print(p.stdout.read().strip(), p.wait())
  > PY
  ready
  summary while it goes on: True None
  ['SIGUSR1', 'SIGHUP', 'SIGTERM', 'SIGINT'] 9
  $ grep -o '"signal": "[A-Z0-9]*", "forwarded": [a-z]*' run/run.jsonl
  "signal": "SIGUSR1", "forwarded": true
  "signal": "SIGHUP", "forwarded": true
  "signal": "SIGTERM", "forwarded": true
  "signal": "SIGINT", "forwarded": true

tracking that fails leaves the command
# The kernel refuses our waiting (poll(2), of more descriptors than we may have): the command is waited for all the same.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # a sanitizer looks for leaks with a descriptor
  $ smilog run -o run -- bash -c 'prlimit --pid $PPID --nofile=0:0; sleep 1; echo done >there; exit 7' 2>said; echo $?
  7
  $ cat there
  done
  $ sed -n 1p said
  smilog: poll: Invalid argument
  $ grep -o '"event": "stop".*' run/run.jsonl
  "event": "stop", "data": {"reason": "poll: Invalid argument"}}
  $ mkdir full && smilog run --usage full touch begun 2>&1; echo $?
  smilog: --usage full: is a directory
  try: smilog help run
  2
  $ ls
  full
  run
  said
  there

use of each process
# --pmon: what each process uses of its GPU is in the recording.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && pick=$PWD/../../pick.py &&
  >     ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2 SMI_FAKE_HELD=$d/held SMI_FAKE_AT=100
  $ export LOG=$d/run/hw_pmon.csv
  $ smilog run -q --pmon -o run bash -c 'echo "0 $$ 2000 python" >held; until grep -s python "$LOG" | sed -n 2p | grep -q .; do sleep 0.1; done'
  $ echo $?
  0
  $ smilog summarize -q --json run | python3 -SE -c '
  > import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > p = run["processes"][0]
  > print(len(run["processes"]), p["gpu"], p["name"], p["type"], p["fb_used_mib"]["peak"], p["gpu_util_pct"]["peak"] > 50)
  > print([(i["format"], i["rejected"]) for i in run["inputs"] if i["format"] == "pmon"])'
  1 0 python C 2000.0 True
  [('pmon', {})]
  $ SMI_FAKE_GPUS=1 nvidia-smi pmon -c 1 | smilog summarize -q --json - | python3 -SE "$pick" inputs/0/format inputs/0/rows
  inputs/0/format "pmon"
  inputs/0/rows 1

what is closed stays closed
# Standard input, output and error that nobody gave us are closed for the command as they would be without us.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir "$d/bin" && ln -s "$root/tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && export PATH=$d/bin:$PATH
  $ job='t=; for n in 0 1 2; do [ -e /proc/$$/fd/$n ] && t="$t $n"; done; echo "open:$t" >>'
  $ try() {
  >     sh -c "$job without"; smilog run -q -- sh -c "$job with"; smilog run -q -o "$1" -- sh -c "$job recorded"
  > }
  $ try a; try b <&-; try c >&-; try d 2>&-; try e <&- >&- 2>&-
  $ cat without; cmp without with; cmp without recorded
  open: 0 1 2
  open: 1 2
  open: 0 2
  open: 0 1
  open:

what the gpus have
# What the GPUs have is known, though dmon, which does not say it, may be first; and of a monitor that starts slowly.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" && cd "$d" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2
  $ unset CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES SLURM_STEP_GPUS SLURM_JOB_GPUS
  $ capacity() { grep -A1 '"gigabytes"' "$1" | tail -n 1 | tr -d ' ,'; grep -o '"n_expected_gpus": .*[0-9]' "$1"; }
  $ smilog run -q --usage a.json -- sleep 0.2; capacity a.json
  "system_capacity":163.118
  "n_expected_gpus": 2
  $ SMI_FAKE_DO=slow-start SMI_FAKE_FOR=3 smilog run -q -o run --usage b.json -- \
  >     bash -c 'until [[ $(wc -l 2>/dev/null <run/hw_metrics.csv) -gt 2 ]]; do sleep 0.1; done 2>/dev/null; sleep 0.5'; capacity b.json
  "system_capacity":163.118
  "n_expected_gpus": 2

whose gpu memory
# Four ways to know it, and which of them it was is said.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/bin" && ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/bin/nvidia-smi" || exit
  $ export PATH=$d/bin:$PATH SMI_FAKE_GPUS=2 SMI_FAKE_HELD=$d/held
  $ unset CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES SLURM_STEP_GPUS SLURM_JOB_GPUS
  $ try() { # what is held, as the command writes it
  >     echo "0 - 1000" >held
  >     echo "== $1"
  >     smilog run -i 0.2 --format gpu-tracker-json --gpu-ram-unit megabytes -- bash -c "$2 sleep 1.5" 2>said | sed -n '/"max_gpu_ram"/,/}/p' | grep -E 'main|desc|comb' | tr -d ' \n'
  >     echo
  >     sed -n 's/^  GPU memory  //p' said
  > }
  $ cd "$d" || exit
  $ try "by pid" 'echo "0 - 1000
  > 0 $$ 2000
  > 1 $$ 500" >held;'
  == by pid
  "main":2500.0,"descendants":0.0,"combined":2500.0
  2.44 GiB at most (nvidia-smi's list of processes)
  $ try "of a child" 'sleep 1.4 & echo "0 $$ 2000
  > 1 $! 300" >held;'
  > try "nobody knows" 'echo "0 - 9000" >held;'
  > try "a stranger's" 'echo "0 1 9000" >held;'
  > export CUDA_VISIBLE_DEVICES=0
  > try "alone" 'echo "0 - 4000
  > 1 - 7000" >held;'
  > try "alone, with a child" 'for ((e = SECONDS + 1; SECONDS < e;)); do :; done; sleep 1.2 & echo "0 - 4000" >held; wait;'
  == of a child
  "main":2000.0,"descendants":300.0,"combined":2300.0
  2.25 GiB at most (nvidia-smi's list of processes)
  == nobody knows
  "main":null,"descendants":null,"combined":null
  n/a (the driver's pids are not ours, and the GPUs may be shared)
  == a stranger's
  "main":0.0,"descendants":0.0,"combined":0.0
  0.0 MiB at most (nvidia-smi's list of processes)
  == alone
  "main":3000.0,"descendants":0.0,"combined":3000.0
  2.93 GiB at most (the GPUs' memory less what was held before)
  == alone, with a child
  "main":null,"descendants":null,"combined":3000.0
  2.93 GiB at most (the GPUs' memory less what was held before)
  $ try "not permitted" 'echo "0 - 1000
  > 0 $$ ?" >held;'
  == not permitted
  "main":0.0,"descendants":0.0,"combined":0.0
  0.0 MiB at most (the GPUs' memory less what was held before)
  $ CUDA_VISIBLE_DEVICES=MIG-GPU-1/0/0 try "an instance" 'echo "0 - 4000" >held;'
  == an instance
  "main":null,"descendants":null,"combined":null
  n/a (the driver's pids are not ours, and the GPUs may be shared)
  $ CUDA_VISIBLE_DEVICES='' try "none of ours" 'echo "0 - 4000" >held;'
  == none of ours
  "main":null,"descendants":null,"combined":null
