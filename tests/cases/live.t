a clock that is set
# An hour ahead and back: both are said and recorded, nothing is idle for an hour, and the lines have the time that is printed.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"idle": 60}}' >"$d/rules.json"
  $ SMI_FAKE_GPUS=1 SMI_FAKE_FOR=2 SMI_FAKE_DO=clock-jumps:2 smilog live --demo --plain -i 0.5 --for 6 -o "$d/run" --rules "$d/rules.json" 2>"$d/said" >"$d/lines"
  $ about() { sed 's/59m59s/1h00m/' | sort; } # dmon prints whole seconds
  $ about <"$d/said"
  smilog: warning: dmon: the clock was set ahead by 1h00m
  smilog: warning: dmon: the clock was set back by 1h00m
  smilog: warning: query: the clock was set ahead by 1h00m
  smilog: warning: query: the clock was set back by 1h00m
  $ cut -d : -f 1 "$d/lines" | uniq | wc -l
  3
  $ python3 -SE - "$d/run" <<'PY'
  > import json, sys
  > events = [json.loads(line) for line in open(sys.argv[1] + "/run.jsonl")]
  > print(sorted((e["data"]["monitor"], round(e["data"]["seconds"] / 60)) for e in events if e["event"] == "clock"))
  > print(json.load(open(sys.argv[1] + "/summary.json"))["runs"][0]["covered_s"] < 10)
  > PY
  [('dmon', -60), ('dmon', 60), ('query', -60), ('query', 60)]
  True
  $ smilog summarize "$d/run" 2>&1 | grep 'summer time' # it is known that it was set
  [1]
  $ SMI_FAKE_GPUS=1 SMI_FAKE_DO=clock-jumps smilog live --demo --once 2>&1 >/dev/null | about
  smilog: warning: dmon: the clock is ahead of this machine's by 1h00m
  smilog: warning: query: the clock is ahead of this machine's by 1h00m
  $ rm -r "$d"

a directory in use gets a number
# What was recorded stays, and no recording is refused: it goes beside, under a number.
  $ d=$(mktemp -d) || exit
  $ mkdir "$d/out"
  $ echo mine >"$d/out/notes.txt"
  $ cd "$d/out" && smilog live -q --demo -o . --for 1 2>&1 | sed "s|$d|D|"
  smilog: . already holds a recording: this one goes to D/out.2
  $ cd "$d" && smilog live -q --demo -o out/ --for 1 2>&1 | sed "s|$d|D|"
  > echo ${PIPESTATUS[0]}
  smilog: out/ already holds a recording: this one goes to D/out.3
  0
  $ cat out/notes.txt
  mine
  $ ls out; ls -d */; ls out.2 | grep hw_metrics
  notes.txt
  out.2/
  out.3/
  out/
  hw_metrics.csv
  $ rm -r "$d"

a gpu that is not listed is lost
# nvidia-smi goes on and no longer lists a GPU: that is the alert gpu-lost, not only an old reading. It ends when the GPU is
# listed again. One that was never listed is missing, if the number of GPUs is given.
  $ d=$(mktemp -d) || exit
  $ export SMI_FAKE_GPUS=3 SMI_FAKE_AT=60
  $ cat >"$d/told" <<'EOF'
  > echo "$SMILOG_STATE $SMILOG_RULE $SMILOG_GPU" >>"$1/told.txt"
  > EOF
  $ echo '{"alerts": {"gpu-lost": {"off_s": 0}, "gpu-missing": {"on_s": 2}}}' >"$d/rules"
  $ watch() { # until so many alerts were reported, in 60 s at most
  >     n=$1; shift
  >     : >"$d/told.txt"
  >     smilog live --demo -q -i 0.5 --rules "$d/rules" --alert-exec "sh '$d/told' '$d'" --textfile "$d/x" "$@" 2>"$d/err" &
  >     for i in $(seq 600); do [ "$(wc -l <"$d/told.txt")" -ge "$n" ] && break; sleep 0.1; done
  >     kill $!; wait $!
  >     cat "$d/told.txt"; sed -E 's/ after [0-9].*/ after N/' "$d/err"
  > }
  $ SMI_FAKE_DO=gpu-returns:2 SMI_FAKE_FOR=12 watch 2
  begins gpu-lost 2
  ends gpu-lost 2
  smilog: error: GPU 2 lost: the driver no longer lists it
  smilog: GPU 2 is back after N
  $ SMI_FAKE_DO=gpu-vanishes watch 1 --expect-gpus 3
  begins gpu-missing\x20 (esc)
  smilog: error: 1 of 3 GPUs is missing
  $ rm -r "$d"

a log that is taken away is begun again
# Somebody deletes, renames or truncates a log while it is recorded: it is begun again with its header, that is reported once,
# and no part that was put aside before is lost. run.jsonl begins with the same start event again.
  $ d=$(mktemp -d) && trap 'kill -9 $pid 2>/dev/null; rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { cat run/hw_metrics.csv* 2>/dev/null | grep -c '^20'; }
  $ until_true() { for _ in {1..1200}; do eval "$1" && return; sleep 0.05; done; echo "never: $1"; }
  $ smilog live -q --demo -i 0.05 --max-size 0.02 --max-files 30 -o run 2>said & pid=$!
  > until_true '[ -e run/hw_metrics.csv.3 ] && [ -e run/hw_dmon.csv ]'
  > for what in deleted renamed truncated; do
  >     kill -STOP $pid
  >     left=$(cat run/hw_metrics.csv.* | grep -c '^20') parts=$(ls run/hw_metrics.csv.* | wc -l)
  >     case $what in
  >     deleted) rm run/hw_metrics.csv ;;
  >     renamed) mv run/hw_metrics.csv away.csv ;;
  >     truncated) : >run/hw_metrics.csv ;;
  >     esac
  >     kill -CONT $pid
  >     until_true "grep -q '\"hw_metrics.csv\", \"reason\": \"$what\"' run/run.jsonl"
  >     until_true "[ \$(rows) -gt $((left + 200)) ]"
  >     [ "$(ls run/hw_metrics.csv.* | wc -l)" -ge "$parts" ] && echo "$what: no part is lost"
  > done
  > head -n1 run/run.jsonl >start
  > rm run/cpu_metrics.csv run/hw_dmon.csv run/run.jsonl
  > until_true '[ -e run/cpu_metrics.csv ] && [ -e run/hw_dmon.csv ] && grep -q hw_dmon run/run.jsonl && grep -q cpu_ run/run.jsonl'
  > kill $pid; wait $pid; echo $?
  deleted: no part is lost
  renamed: no part is lost
  truncated: no part is lost
  0
  $ sort said
  smilog: error: cpu_metrics.csv was deleted while it was recorded; smilog began it again
  smilog: error: hw_dmon.csv was deleted while it was recorded; smilog began it again
  smilog: error: hw_metrics.csv was deleted while it was recorded; smilog began it again
  smilog: error: hw_metrics.csv was renamed while it was recorded; smilog began it again
  smilog: error: hw_metrics.csv was truncated while it was recorded; smilog began it again
  smilog: error: run.jsonl was deleted while it was recorded; smilog began it again
  $ head -n1 run/run.jsonl | cmp - start
  $ head -qn1 run/hw_metrics.csv* | cut -d, -f1 | uniq
  timestamp
  $ head -qn1 run/cpu_metrics.csv run/hw_dmon.csv | cut -c 1-30
  timestamp,usr_pct,idle_pct,cpu
  #Date        Time         gpu\x20 (esc)
  $ smilog summarize -q --columns run,state,ngpus run
  run  state  ngpus
  run  ok         8

a long interval is no gap
# What is asked for every five seconds is not old after three, and does not come "again".
  $ SMI_FAKE_GPUS=2 SMI_FAKE_AT=60 smilog live --demo --plain -i 5 --for 10.5 2>&1 | sed -E 's/^[0-9:]{8} gpu% ([0-9]+) ([0-9]+) .*/gpu% N N/'
  gpu% N N
  gpu% N N
  $ SMI_FAKE_GPUS=1 SMI_FAKE_AT=60 smilog live --demo --format jsonl -i 4 --for 8.5 2>/dev/null | python3 -SE -c '
  > import json, sys
  > print(*[(g["state"], g["gpu_util_pct"] is not None) for line in sys.stdin for g in json.loads(line)["gpus"]])'
  ('ok', True) ('ok', True)

a lost gpu is named
# the driver's message has its bus id only; it is said once
  $ SMI_FAKE_GPUS=3 SMI_FAKE_DO=gpu-lost:1 smilog live --demo --format jsonl -i 0.2 --for 4 2>&1 >"${TMPDIR:-/tmp}/lost.$$" | grep 'GPU 1'
  smilog: error: GPU 1 lost: it has fallen off the bus
  $ tail -n 1 "${TMPDIR:-/tmp}/lost.$$" | python3 -SE -c 'import json, sys; print(*(g["state"] for g in json.load(sys.stdin)["gpus"]))'
  ok lost ok
  $ rm "${TMPDIR:-/tmp}/lost.$$"

a lost gpu stays lost beside a list of processes
# It has no process there, which is no sign of life.
  $ SMI_FAKE_GPUS=3 SMI_FAKE_DO=gpu-lost:1 smilog live --demo --apps --format jsonl -i 0.2 --for 5 2>&1 >/dev/null | grep 'GPU 1'
  smilog: error: GPU 1 lost: it has fallen off the bus

a reader that goes is no error
# Lines into head end in silence; a disk that is full is told.
  $ export SMI_FAKE_GPUS=1
  $ smilog live --demo --plain -i 0.2 --for 20 | head -1 | wc -l
  1
  $ smilog live --demo --plain -i 0.2 --for 20 >/dev/full; echo $?
  4
  2> smilog: cannot write standard output: No space left on device
  $ log=../../../fixtures/sweep/lr=0.1/seed=1
  $ { smilog live --demo --once; echo $? >&2; } | true
  2> 0
  $ { sleep 0.2; smilog follow --once "$log"; echo $? >&2; } | true
  2> 0
  $ { sleep 0.2; smilog live --replay "$log" --once; echo $? >&2; } | true
  2> 0
  $ smilog live --replay "$log" --once >/dev/full; echo $?
  4
  2> smilog: cannot write standard output: No space left on device

a recording is what summarize reads
  $ d=$(mktemp -d) || exit
  $ SMI_FAKE_GPUS=2 smilog live --demo -o "$d/run" -q -i 0.2 --for 4 || exit
  $ (cd "$d/run" && ls)
  cpu_metrics.csv
  hw_dmon.csv
  hw_metrics.csv
  run.jsonl
  summary.json
  $ smilog summarize --json "$d/run" | cmp - "$d/run/summary.json" && echo the same
  the same
  $ python3 -SE - "$d/run" <<'EOF'
  > import json, sys
  > run = json.load(open(sys.argv[1] + "/summary.json"))["runs"][0]
  > print(run["state"], len(run["gpus"]), "GPUs", *sorted({i["format"] for i in run["inputs"]}))
  > print("rejected", sum(i["rejected"] if isinstance(i["rejected"], int) else sum(i["rejected"].values()) for i in run["inputs"]), "torn", sum(i.get("torn_tail", 0) for i in run["inputs"]))
  > events = [json.loads(line) for line in open(sys.argv[1] + "/run.jsonl")]
  > print(*(e["event"] for e in events))
  > print(events[-1]["data"])
  > EOF
  ok 2 GPUs cpu-csv dmon nvidia-smi-query runlog
  rejected 0 torn 0
  start stop
  {'reason': 'time is over'}
  $ rm -r "$d"

a sidecar ends by term
# The sidecar of a pod records the GPUs that the work names until TERM; a work that left no status was killed.
  $ d=$(mktemp -d) && sidecar=$(realpath ../../../../scripts/kubernetes/sidecar.sh) || exit
  $ ln -s "$(realpath ../../../../tests/fake/nvidia-smi)" "$d/nvidia-smi" && PATH=$d:$PATH
  $ mkdir "$d/pod" "$d/results"
  $ SMI_FAKE_GPUS=3 nvidia-smi --query-gpu=uuid --format=csv,noheader >"$d/pod/gpus"
  $ SMILOG_POD=$d/pod SMILOG_INTERVAL=1 SMILOG_MESSAGE=$d/message sh "$sidecar" "$d/results/pod" >"$d/out" &
  > for _ in $(seq 200); do
  >     grep -q GPU- "$d/results/pod/hw_metrics.csv" 2>/dev/null && break
  >     sleep 0.1
  > done
  > kill %1; wait %1; echo "status $?"
  status 0
  $ grep -o '"ngpu":[0-9]*\|"state":.*' "$d/out"
  "ngpu":3
  "state":"failed","note":"failed"}
  $ cmp "$d/out" "$d/message" && ls "$d/results"
  pod
  pod.line
  pod.partial
  $ smilog summarize --json -q "$d/results/pod" | grep -o '"state_reason": "[^"]*"'
  "state_reason": "killed by SIGKILL"
  $ rm -r "$d"

a signal ends it with a summary
  $ d=$(mktemp -d) || exit
  $ for s in INT TERM HUP; do
  >     SMI_FAKE_GPUS=1 smilog live --demo -o "$d/$s" -q -i 0.2 &
  >     sleep 1.5
  >     kill -$s $!
  >     wait $!
  >     echo "$s $?"
  >     smilog summarize --json "$d/$s" | cmp - "$d/$s/summary.json" && tail -n 1 "$d/$s/run.jsonl" | sed 's/.*"data": //'
  > done
  INT 0
  {"reason": "SIGINT"}}
  TERM 0
  {"reason": "SIGTERM"}}
  HUP 0
  {"reason": "SIGHUP"}}
  $ rm -r "$d"

a textfile has a place
# What cannot be written is said at once, and not 15 seconds later
  $ smilog live --demo --plain --for 5 --textfile none/x.prom; echo $?
  4
  2> smilog: cannot create none/x.prom: No such file or directory
  $ smilog live --demo --plain --for 5 --textfile .; echo $?
  4
  2> smilog: .: is a directory
  $ smilog live --demo --once --textfile x.prom; echo $?
  2
  2> smilog: --textfile is written again and again, --once looks once: one of them
  2> try: smilog help live

cuda visible devices says which are mine
  $ d=$(mktemp -d) || exit
  $ ln -s "$PWD/../../../../tests/fake/nvidia-smi" "$d/nvidia-smi"
  $ export PATH=$d:$PATH SMI_FAKE_GPUS=3 CUDA_VISIBLE_DEVICES=1
  $ rows() { LC_ALL=C.UTF-8 smilog live --once "$@" | sed -n '/^GPU  NOW/,$p' | cut -c1-3; }
  $ rows
  GPU
    1
  $ rows --gpus all
  GPU
    0
    1
    2
  $ smilog live -i 0.2 --for 3 -o "$d/run" | tail -n 1 | sed -E 's/^[0-9:]+ (gpu%.*) GiB.*/\1/'
  gpu% 0
  $ cut -d, -f 10 "$d/run/hw_metrics.csv" | sort -u
   0
   1
   2
   index
  $ rm -r "$d"

dropped lines are counted
# Lines that found no place in memory while nobody read are counted once, when somebody reads again; others are whole and in
# their order.
  $ d=$(mktemp -d) || exit
  $ SMI_FAKE_GPUS=32 SMI_FAKE_AT=60 python3 -SE - "$d" <<'PY'
  > import json, os, re, signal, subprocess, sys, threading, time
  >
  > top = sys.argv[1]
  > with open(top + "/err", "w") as err:
  >     live = subprocess.Popen(["smilog", "live", "--demo", "--monitors", "query", "--format", "jsonl", "-i", "0.05", "-o", top + "/run"],
  >                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err)
  >
  >
  > def wait(done):
  >     end = time.monotonic() + 200
  >     while not done() and time.monotonic() < end:
  >         time.sleep(0.05)
  >     return done()
  >
  >
  > def kib(pid):
  >     return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read())[1])
  >
  >
  >
  > def rows():
  >     try:
  >         return open(top + "/run/hw_metrics.csv", "rb").read().count(b"\n")
  >     except OSError:
  >         return 0
  >
  >
  > print("recorded", wait(lambda: rows() > 32 * 300), kib(live.pid) < 60000 or "SMILOG_SANITIZED" in os.environ)
  > lines = []
  > reader = threading.Thread(target=lambda: lines.extend(live.stdout))
  > reader.start()
  > print("counted", wait(lambda: "missing" in open(top + "/err").read()))
  > count = len(lines)
  > print("goes on", wait(lambda: len(lines) > count + 5))
  > live.send_signal(signal.SIGTERM)
  > print("status", live.wait(60))
  > reader.join()
  > stamps = [t for line in lines if (t := json.loads(line)["ts"])]
  > print("in order", stamps == sorted(stamps))
  > text = open(top + "/err").read()
  > print(re.sub(r"warning: [1-9]\d* lines", "warning: N lines", text), end="")
  > PY
  recorded True True
  counted True
  goes on True
  status 0
  in order True
  smilog: warning: N lines are missing from standard output: nobody read it for too long
  $ rm -r "$d"

fake is read as a log
# 4 rounds of 8 GPUs, by query and by dmon: each row and each cell is understood.
  $ fake=../../../../tests/fake/nvidia-smi
  $ dir=$(mktemp -d) || exit 1
  $ export SMI_FAKE_AT=150
  $ fields=timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,temperature.gpu,clocks.sm,clocks.mem,index,uuid
  $ $fake --query-gpu=$fields,pstate,power.limit,temperature.memory,clocks_throttle_reasons.active --format=csv,nounits -lms 50 |
  >     head -n 33 >"$dir/query.csv"
  $ SMI_FAKE_SPEED=100 $fake dmon -s pucvmt -o DT -c 4 >"$dir/dmon.txt"
  $ for log in query.csv dmon.txt; do
  >     smilog summarize --run-per file --json "$dir/$log" | python3 -SE -c '
  > import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > i = run["inputs"][0]
  > print(i["format"], i["lines"], i["header"], i["rows"], i["rejected"], len(run["gpus"]), run["findings"] and run["findings"][0]["rule"])
  > for key in sorted(run["gpus"][6]["metrics"]):
  >     print(key, run["gpus"][6]["metrics"][key]["count"])'
  > done
  nvidia-smi-query 33 1 32 {} 8 []
  clk_mem_mhz 4
  clk_sm_mhz 4
  fb_total_mib 4
  fb_used_mib 4
  gpu_util_pct 4
  mem_util_pct 4
  power_limit_w 4
  power_w 4
  temp_gpu_c 4
  temp_mem_c 4
  dmon 34 2 32 {} 8 []
  bar1_used_mib 4
  ccpm_used_mib 4
  clk_mem_mhz 4
  clk_sm_mhz 4
  dec_util_pct 4
  enc_util_pct 4
  fb_used_mib 4
  gpu_util_pct 4
  jpg_util_pct 4
  mem_util_pct 4
  ofa_util_pct 4
  pcie_rx_mbs 4
  pcie_tx_mbs 4
  power_viol_pct 4
  power_w 4
  temp_gpu_c 4
  temp_mem_c 4
  thermal_viol 4
  $ rm -r "$dir"

fake refuses
  $ fake=../../../../tests/fake/nvidia-smi
  $ try() { "$@"; echo "= $?"; }
  $ export SMI_FAKE_GPUS=2
  $ try $fake --query-gpu=timestamp,foo --format=csv
  Field "foo" is not a valid field to query.

  = 2
  $ SMI_FAKE_UNKNOWN=name try $fake --query-gpu=index,name --format=csv
  Field "name" is not a valid field to query.

  = 2
  $ try $fake --query-gpu=index,name,memory.total --format=csv,noheader
  0, NVIDIA H100 80GB HBM3, 81559 MiB
  1, NVIDIA H100 80GB HBM3, 81559 MiB
  = 0
  $ try $fake --query-gpu=index --format=csv,noheader -i 7
  No devices were found
  = 6
  $ try $fake dmon -s x
  Invalid combination of input arguments. Please run 'nvidia-smi dmon -h' for help.

  = 2
  $ try $fake -x
  Option "-x" is not recognized. Please run 'nvidia-smi -h'.

  = 2
  $ try $fake --version
  NVIDIA-SMI version  : 550.163.01
  NVML version        : 550.163
  DRIVER version      : 550.163.01
  CUDA Version        : 12.4
  = 0
  $ for what in exit-2 exit-4 exit-6 exit-9 exit-12 exit-15 exit-255 mismatch dies help; do
  >     SMI_FAKE_DO=$what try $fake --query-gpu=index --format=csv
  > done
  Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.

  = 2
  Unable to query: Insufficient Permissions
  = 4
  No devices were found
  = 6
  NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.

  = 9
  NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system.
  Please also try adding directory that contains libnvidia-ml.so to your system PATH.
  = 12
  Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to recover this GPU
  = 15
  Failed to initialize NVML: Unknown Error
  = 255
  Failed to initialize NVML: Driver/library version mismatch
  NVML library version: 550.163
  = 18
  = 1
  NVIDIA System Management Interface -- v550.163.01

  NVSMI provides monitoring information.

  nvidia-smi [OPTION1 [ARG1]] [OPTION2 [ARG2]] ...

  = 0
  $ SMI_FAKE_DO=exit-9:0 try $fake --query-gpu=index --format=csv,noheader
  0
  1
  = 0
  $ SMI_FAKE_DO=rubbish try $fake --version
  = 3
  2> nvidia-smi: SMI_FAKE_DO: there is no rubbish

monitors that are wanted
# A machine without dmon (WSL) is watched by the query alone: no alert, and nothing of it is recorded
  $ d=$(mktemp -d) || exit
  $ cat >"$d/nvidia-smi" <<EOF
  > #!/bin/sh
  > [ "\$1" != dmon ] || { echo 'Not supported on the device(s)'; exit 3; }
  > exec $root/tests/fake/nvidia-smi "\$@"
  > EOF
  $ chmod +x "$d/nvidia-smi"
  $ PATH=$d:$PATH
  $ export SMI_FAKE_GPUS=1 SMI_FAKE_AT=60
  $ smilog live --once | sed -n 2p; echo "${PIPESTATUS[0]}"
  ▲ 1 ALERT   monitor dmon is down: exit 3 (not available on this device): Not supported on the device(s)
  1
  2> smilog: warning: dmon: exit 3 (not available on this device): Not supported on the device(s)
  $ smilog live --once --monitors query,cpu | sed -n 2p; echo "${PIPESTATUS[0]}"
  no alerts
  0
  $ smilog live -q --for 1.5 -o "$d/run" --monitors query
  $ ls "$d/run"
  hw_metrics.csv
  run.jsonl
  summary.json
  $ smilog live --once --monitors query,dmno; echo $?
  2
  2> smilog: --monitors: there is no "dmno"; there are query, dmon, apps, pmon, amd, amd-process and cpu
  2> try: smilog help live
  $ rm -r "$d"

nobody reads the output
# A pipe or a terminal that nobody reads stops neither the recording nor the store, and no signal waits for it.
  $ d=$(mktemp -d) || exit
  $ export SMI_FAKE_AT=60
  $ python3 -SE - "$d" <<'PY'
  > import array, fcntl, glob, json, os, pty, signal, sqlite3, struct, subprocess, sys, termios, time
  >
  > top = sys.argv[1]
  > LIVE = ["smilog", "live", "--demo", "-i", "0.1"]
  >
  >
  > def wait(done):
  >     end = time.monotonic() + 120
  >     while not done() and time.monotonic() < end:
  >         time.sleep(0.05)
  >     return done()
  >
  >
  > def rows(folder):
  >     try:
  >         return open(folder + "/hw_metrics.csv", "rb").read().count(b"\n") - 1
  >     except OSError:
  >         return 0
  >
  >
  > def start(argv, out, err):
  >     def first():
  >         for s in (signal.SIGINT, signal.SIGHUP):
  >             signal.signal(s, signal.SIG_DFL)
  >         os.setsid()
  >         if os.isatty(out):
  >             fcntl.ioctl(out, termios.TIOCSCTTY, 0)
  >
  >     return subprocess.Popen(argv, stdin=out if os.isatty(out) else subprocess.DEVNULL, stdout=out, stderr=err,
  >                             preexec_fn=first)
  >
  >
  > def ends(p, number):
  >     p.send_signal(number)
  >     try:
  >         return p.wait(60)
  >     except subprocess.TimeoutExpired:
  >         p.kill()
  >         return "does not end"
  >
  >
  > def stored():
  >     try:
  >         return sqlite3.connect(f"file:{store}?mode=ro", uri=True).execute("SELECT count(*) FROM line").fetchone()[0]
  >     except sqlite3.OperationalError:
  >         return 0
  >
  >
  > def is_full(fd):
  >     copy = os.open(f"/proc/self/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
  >     try:
  >         os.write(copy, b" " * 4096)
  >         return False
  >     except BlockingIOError:
  >         return True
  >     finally:
  >         os.close(copy)
  >
  >
  > def has_bytes(fd):
  >     n = array.array("i", [0])
  >     fcntl.ioctl(fd, termios.FIONREAD, n)
  >     return n[0] > 0
  >
  >
  > def record(name, fd, number, *words, both=True):
  >     run = f"{top}/{name}"
  >     p = start(LIVE + [*words, "-o", run], fd, fd if both else subprocess.DEVNULL)
  >     ok = wait(lambda: is_full(fd)) and wait(lambda: rows(run) > 8)
  >     before = rows(run)
  >     ok = ok and wait(lambda: rows(run) > before + 400)
  >     status, flags = ends(p, number), fcntl.fcntl(fd, fcntl.F_GETFL)
  >     last = json.loads(open(run + "/run.jsonl").readlines()[-1])["event"]
  >     print(name, ok, status, last, os.path.exists(run + "/summary.json"), flags & os.O_NONBLOCK)
  >
  >
  > def full_pipe():
  >     pipe = os.pipe()
  >     fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 4096)
  >     return pipe
  >
  >
  > pipe = full_pipe()
  > record("objects", pipe[1], signal.SIGTERM, "--format", "jsonl")
  > pipe = full_pipe()
  > record("lines", pipe[1], signal.SIGINT, "--plain")
  > pipe = full_pipe()
  > while not is_full(pipe[1]):
  >     pass
  > record("full from the beginning", pipe[1], signal.SIGHUP, "--plain")
  > os.environ["TERM"] = "xterm-256color"
  > for name, typed in (("screen", b""), ("ctrl-S", b"\x13")):
  >     master, slave = pty.openpty()
  >     fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
  >     before = termios.tcgetattr(slave)
  >     os.write(master, typed)
  >     record(name, slave, signal.SIGTERM)
  >     print("as it was", termios.tcgetattr(slave) == before)
  >     os.close(slave)
  >     seen = b""
  >     try:
  >         while True:
  >             seen += os.read(master, 65536)
  >     except OSError:
  >         print("restored", b"\033[?1049l" in seen, seen.split()[-1].endswith(b"/" + name.encode()))
  >
  > for words in (["--format", "jsonl"], ["--plain"]):
  >     pipe, log, store = full_pipe(), top + "/log.csv" + words[-1], top + "/store" + words[-1]
  >     with open(log, "w") as f:
  >         f.write("timestamp, index, utilization.gpu [%]\n")
  >         f.flush()
  >         p = start(["smilog", "follow", "-i", "0.05", "--tz", "UTC", "--store", store, *words, log], pipe[1], pipe[1])
  >         stamp = lambda: time.strftime("%Y/%m/%d %H:%M:%S.000", time.gmtime())
  >         put = lambda i: (f.write(f"{stamp()}, {i % 8}, {i} %\n"), f.flush())
  >         ok = wait(lambda: put(7) and has_bytes(pipe[0]))  # smilog's own: the store is open
  >         ok = ok and wait(lambda: put(7) and is_full(pipe[1]))
  >         for i in range(50):
  >             put(i)
  >     count = open(log).read().count("\n")
  >     print("follow", *words, ok, wait(lambda: stored() == count), ends(p, signal.SIGTERM))
  > PY
  objects True 0 stop True 0
  lines True 0 stop True 0
  full from the beginning True 0 stop True 0
  screen True 0 stop True 0
  as it was True
  restored True True
  ctrl-S True 0 stop True 0
  as it was True
  restored True True
  follow --format jsonl True True 0
  follow --plain True True 0
  $ rm -r "$d"

once as json
  $ smilog live --replay ../../../fixtures/sweep/lr=0.1/seed=1 --once --json | python3 -SE -c "
  > import json, sys
  > d = json.load(sys.stdin)
  > print(d[\"ts\"], [g[\"index\"] for g in d[\"gpus\"]], d[\"total\"], len(d[\"monitors\"]))"
  2026-07-03T21:10:50.061Z [0, 1] {'covered_s': 7163.593, 'idle_s': 540.283, 'energy_wh': 537.226257} 4
  $ smilog live --once --plain
  2> smilog: --once is a table or, with --json, an object; it ends by itself
  2> try: smilog help live
  [2]

once is a table
  $ for n in 1 3; do
  >     LC_ALL=C.UTF-8 SMI_FAKE_GPUS=$n SMI_FAKE_AT=0 COLUMNS=100 smilog live --demo --once |
  >         sed -E 's/^(smilog live --demo)  [^ ]+  /\1  HOST  /; s/[0-9:]{8} UTC/HH:MM:SS UTC/; s/CPU [0-9]+ %/CPU N %/; s/energy 0.[01] Wh(   idle <0.01 GPU-h)?/energy N Wh/; s/ +[0-9]+\/700/  N\/700/; s/0\.[0-9]{2}\/([0-9.]+) kW/N\/\1 kW/'
  >     echo "${PIPESTATUS[0]}"
  > done
  smilog live --demo  HOST  1 x H100 80GB HBM3  every 1 s  HH:MM:SS UTC
  no alerts
  not judged, needs more time: hang, idle, stale, memory-growth
  GPU     0.0 %   1/80 GiB   N/0.70 kW   energy N Wh   CPU N %

  GPU  NOW                  VRAM GiB  POWER W   °C   MHz   REMARK
    0                0 %      0.6/80  N/700   31  1980
  0
  smilog live --demo  HOST  3 x H100 80GB HBM3  every 1 s  HH:MM:SS UTC
  no alerts
  not judged, needs more time: hang, idle, stale, memory-growth
  all GPUs     0.0 %   2/239 GiB   N/2.10 kW   energy N Wh   CPU N %

  GPU  NOW                  VRAM GiB  POWER W   °C   MHz   REMARK
    0                0 %      0.6/80  N/700   31  1980
    1                0 %      0.6/80  N/700   32  1980
    2                0 %      0.6/80  N/700   33  1980
  0

once judges the readings of the moment
# A health check: heat, full memory, a slowdown by heat and a missing GPU are alerts at once, though a running live waits
# ten seconds or a minute; limits of the user hold.
  $ d=$(mktemp -d) || exit
  $ look() { smilog live --demo --once "$@" 2>/dev/null | sed -E '1d; 3,$d; s/ [0-9]+ °C/ N °C/g'; echo "${PIPESTATUS[0]}"; }
  $ export SMI_FAKE_GPUS=5 SMI_FAKE_AT=60
  $ look --expect-gpus 5
  no alerts
  0
  $ SMI_FAKE_DO=heat look
  ▲ 1 ALERT   GPU 1: N °C
  1
  $ SMI_FAKE_AT=200 look
  ▲ 1 ALERT   GPU 3: thermal slowdown
  1
  $ printf '%s\n' '3 77 80900 train' '4 78 70000 train' >"$d/held"
  $ SMI_FAKE_HELD=$d/held look
  ▲ 1 ALERT   GPU 3: memory nearly full, 0.0 GiB free
  1
  $ SMI_FAKE_DO=gpu-vanishes look --expect-gpus 5
  ▲ 1 ALERT   1 of 5 GPUs is missing
  1
  $ SMI_FAKE_DO=gpu-vanishes look --expect-gpus 4
  no alerts
  0
  $ look --expect-gpus 8
  ▲ 1 ALERT   3 of 8 GPUs are missing
  1
  $ echo '{"alerts": {"temperature": 101, "thermal": false, "gpu-missing": false, "memory-full": {"on_s": 60}}}' >"$d/rules"
  $ SMI_FAKE_AT=200 SMI_FAKE_HELD=$d/held look --rules "$d/rules" --expect-gpus 8
  ▲ 1 ALERT   GPU 3: memory nearly full, 0.0 GiB free
  1
  $ smilog live --demo --once --json --expect-gpus 7 | python3 -SE -c 'import json, sys; print(json.load(sys.stdin)["alerts"])'
  [{'rule': 'gpu-missing', 'severity': 'error', 'gpu': None, 'text': '2 of 7 GPUs are missing'}]
  $ rm -r "$d"

once with monitors that hang
# It waits its ten seconds asleep, says that there is nothing and why, and its status is neither "an alert" nor "well".
  $ SMI_FAKE_DO=hang python3 -SE - <<'PY'
  > import resource, subprocess
  > r = subprocess.run(["smilog", "live", "--demo", "--once"], capture_output=True, text=True)
  > used = resource.getrusage(resource.RUSAGE_CHILDREN)
  > print(r.returncode, used.ru_utime + used.ru_stime < 1.5)
  > print(r.stdout.splitlines()[1])
  > print(r.stderr, end="")
  > PY
  4 True
  ▲ 2 ALERTS   monitor query is silent: it has printed nothing yet   monitor dmon is silent: it has printed nothing yet
  smilog: no reading of a GPU within 10 s: nvidia-smi hangs, or its driver does
# Rows without a reading are no samples either
  $ for what in unknown-error no-permission; do SMI_FAKE_DO=$what smilog live --demo --once 2>/dev/null | sed -n 2p; echo "${PIPESTATUS[0]}"; done
  ▲ 10 ALERTS   GPU 0: unknown errors   GPU 1: unknown errors   GPU 2: unknown errors   GPU 3: unknown errors   GPU 4: unknown errors   GPU 5: unknown errors
  1
  ▲ 2 ALERTS   monitor query is silent: its rows have no readings   monitor dmon is silent: its rows have no readings
  1

recordings at once have their own directories
# Several that begin at once with one -o: each recording has a directory of its own, whether DIR is new or empty.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ for form in new empty; do
  >     for round in 1 2 3; do
  >         mkdir $round; [ $form = new ] || mkdir $round/$form
  >         for i in 1 2 3 4 5 6; do smilog live -q -o $round/$form --monitors cpu --for 0.1 2>>said; echo $? >>status & done
  >         wait
  >     done
  >     sort status | uniq -c
  >     ls */$form*/run.jsonl | wc -l
  >     cat [123]/*/run.jsonl | grep -c '"event": "start"'
  >     cat [123]/*/run.jsonl | grep -c '"event": "stop"'
  >     rm -r status [123]
  > done
       18 0
  18
  18
  18
       18 0
  18
  18
  18
  $ grep -v 'already holds a recording: this one goes to' said
  [1]
  $ true

rows that are late set no clock
# No process uses the GPUs for longer than 10 s, and smilog itself is stopped for as long: the clock was not set.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ blocks() { tail -n +2 run/hw_apps.csv 2>/dev/null | cut -d, -f1 | uniq | wc -l; }
  $ until_blocks() { for _ in {1..600}; do [ "$(blocks)" -ge "$1" ] && return; sleep 0.1; done; }
  $ echo 0 $$ 500 >held
  $ SMI_FAKE_GPUS=1 SMI_FAKE_HELD=$d/held smilog live -q --demo --apps -o run 2>said & pid=$!
  > until_blocks 2
  > >held
  > sleep 6; kill -STOP $pid; sleep 11; kill -CONT $pid
  > n=$(blocks)
  > echo 0 $$ 500 >held
  > until_blocks $((n + 3))
  > kill $pid; wait $pid; echo $?
  0
  $ [ "$(blocks)" -ge $((n + 3)) ] && echo "processes came back"
  processes came back
  $ grep -c "\"event\": \"clock\"" run/run.jsonl
  0
  [1]
  $ grep clock said
  [1]
  $ true

signals and streams
# What ends a recording ends it in order, what does not leaves it alone; each in its own directory, all at once.
  $ d=$(mktemp -d) || exit
  $ export SMI_FAKE_GPUS=1 SMI_FAKE_AT=60
  $ python3 -SE - "$d" <<'EOF'
  > import json, os, signal, subprocess, sys, time
  > top = sys.argv[1]
  >
  >
  > def ignoring(*signals):
  >     return lambda: [signal.signal(s, signal.SIG_IGN) for s in signals]
  >
  >
  > def heeding(*signals):  # who starts the tests may ignore them
  >     return lambda: [signal.signal(s, signal.SIG_DFL) for s in signals]
  >
  >
  > def closing(*fds):
  >     return lambda: [os.close(fd) for fd in fds]
  >
  >
  > KILL, TERM, INT, HUP, QUIT, STOP, CONT = (getattr(signal, "SIG" + n) for n in "KILL TERM INT HUP QUIT STOP CONT".split())
  > null = subprocess.DEVNULL
  > CASES = [  # name, arguments, what the child does first, signals that do not end it, the one that does, its status
  >     ("INT", ["-q"], None, [], INT, 0),
  >     ("TERM", ["-q"], None, [], TERM, 0),
  >     ("HUP", ["-q"], heeding(HUP), [], HUP, 0),
  >     ("INT ignored", ["-q"], ignoring(INT), [], INT, 0),
  >     ("TERM ignored", ["-q"], ignoring(TERM), [], TERM, 0),
  >     ("nohup", ["-q"], ignoring(HUP), [HUP], TERM, 0),
  >     ("QUIT", ["-q"], heeding(QUIT), [], QUIT, -3),
  >     ("KILL", ["-q"], None, [], KILL, -9),
  >     ("USR1 ignored", ["-q"], ignoring(signal.SIGUSR1), [signal.SIGUSR1], TERM, 0),
  >     ("stopped and continued", ["-q"], None, [STOP, CONT], TERM, 0),
  >     ("TSTP and CONT", ["-q"], None, [signal.SIGTSTP, CONT], TERM, 0),
  >     ("WINCH", ["-q"], None, [signal.SIGWINCH], TERM, 0),
  >     ("CHLD", ["-q"], None, [signal.SIGCHLD], TERM, 0),
  >     ("PIPE", ["-q"], None, [signal.SIGPIPE], TERM, 0),
  >     ("CHLD ignored", ["-q"], ignoring(signal.SIGCHLD), [], TERM, 0),
  >     ("no stdin", ["-q"], closing(0), [], TERM, 0),
  >     ("no stdout", ["-q"], closing(1), [], TERM, 0),
  >     ("no stderr", ["-q"], closing(2), [], TERM, 0),
  >     ("none of the three", ["-q"], closing(0, 1, 2), [], TERM, 0),
  >     ("twice", ["-q"], None, [], (TERM, TERM), 0),
  > ]
  > running = []
  > for i, (name, more, first, harmless, last, status) in enumerate(CASES):
  >     run = f"{top}/{i}"
  >     argv = ["smilog", "live", "--demo", "-i", "0.2", "-o", run, *more]
  >     running.append(subprocess.Popen(argv, preexec_fn=first, stdin=null, stdout=null, stderr=null, start_new_session=True))
  >
  >
  > def rows(i):
  >     try:
  >         return open(f"{top}/{i}/hw_metrics.csv", "rb").read().count(b"\n") - 1
  >     except OSError:
  >         return 0
  >
  >
  > def wait(done, seconds=60):
  >     end = time.monotonic() + seconds
  >     while not done() and time.monotonic() < end:
  >         time.sleep(0.05)
  >     return done()
  >
  >
  > for i, (name, more, first, harmless, last, status) in enumerate(CASES):
  >     p, odd = running[i], []
  >     if not wait(lambda: rows(i) >= 3):
  >         odd.append("no rows")
  >     for s in harmless:
  >         p.send_signal(s)
  >         time.sleep(0.1)
  >     before = rows(i)
  >     if p.poll() is not None or not wait(lambda: rows(i) > before):
  >         odd.append("does not go on")
  >     for s in last if isinstance(last, tuple) else (last,):
  >         p.send_signal(s)
  >     try:
  >         p.wait(30)
  >     except subprocess.TimeoutExpired:
  >         odd.append("does not end")
  >         p.kill()
  >     if p.returncode != status:
  >         odd.append(f"status {p.returncode}")
  >     out = subprocess.run(["smilog", "summarize", "--json", f"{top}/{i}"], capture_output=True).stdout
  >     r = json.loads(out)["runs"][0]
  >     if any(log["rejected"] for log in r["inputs"]):
  >         odd.append("rejected rows")
  >     if status == 0:
  >         if out != open(f"{top}/{i}/summary.json", "rb").read():
  >             odd.append("another summary")
  >         if json.loads(open(f"{top}/{i}/run.jsonl").readlines()[-1])["event"] != "stop":
  >             odd.append("no stop event")
  >     print(name, odd or "ok")
  > EOF
  INT ok
  TERM ok
  HUP ok
  INT ignored ok
  TERM ignored ok
  nohup ok
  QUIT ok
  KILL ok
  USR1 ignored ok
  stopped and continued ok
  TSTP and CONT ok
  WINCH ok
  CHLD ok
  PIPE ok
  CHLD ignored ok
  no stdin ok
  no stdout ok
  no stderr ok
  none of the three ok
  twice ok
  $ rm -r "$d"

what is typed wrong
  $ smilog live file.csv; echo $?
  2
  2> smilog: live reads no files: file.csv; follow does
  2> try: smilog help live
  $ smilog live --format yaml; echo $?
  2
  2> smilog: --format is one of auto|plain|jsonl, not "yaml"
  2> try: smilog help live
  $ smilog live -i 0.01; echo $?
  2
  2> smilog: -i needs 0.05 to 86400 seconds
  2> try: smilog help live
  $ smilog live --for 5x; echo $?
  2
  2> smilog: --for needs a time such as 90s, 10m or 2h, not "5x"
  2> try: smilog help live
  $ smilog live -q; echo $?
  2
  2> smilog: -q without -o DIR, --textfile, --alert-exec or --listen would do nothing
  2> try: smilog help live
  $ smilog live -o /dev/null/run --demo --for 1; echo $?
  4
  2> smilog: cannot make /dev/null/run: Not a directory

without nvidia smi only the cpus are sampled
  $ d=$(mktemp -d) || exit
  $ PATH=$(dirname "$(command -v smilog)"):/nowhere
  $ smilog live -o "$d/run" -i 0.2 --for 1 --format jsonl | /usr/bin/env -S PATH=/usr/bin:/bin python3 -SE -c '
  > import json, sys
  > o = [json.loads(line) for line in sys.stdin][-1]
  > print(o["gpus"], "cpu_usr_pct" in o["host"], [(m["name"], m["state"]) for m in o["monitors"]], [a["rule"] for a in o["alerts"]])
  > print(o["monitors"][0]["reason"])'
  [] True [('query', 'down'), ('dmon', 'down'), ('cpu', 'ok')] []
  cannot start nvidia-smi: No such file or directory
  2> smilog: warning: query: cannot start nvidia-smi: No such file or directory
  2> smilog: warning: dmon: cannot start nvidia-smi: No such file or directory
  2> smilog: no GPU was seen until the time of --for was over
  $ /bin/ls "$d/run"
  cpu_metrics.csv
  run.jsonl
  summary.json
  $ /bin/rm -r "$d"
