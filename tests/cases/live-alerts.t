a gpu lost before the start is an alert
# The driver's message, which has the bus id only, is all there is of GPU 1: it has an alert, a line and series.
  $ export SMI_FAKE_GPUS=3 SMI_FAKE_DO=gpu-lost SMI_FAKE_AT=60
  $ smilog live --demo --once | sed -nE '2p; s/^ +- .*(LOST.*)/\1/p'
  > echo "${PIPESTATUS[0]}"
  ▲ 1 ALERT   GPU 0000:3B:00.0 lost: it has fallen off the bus
  LOST: GPU 0000:3B:00.0
  1
  2> smilog: error: GPU 0000:3B:00.0 lost: it has fallen off the bus
  $ d=$(mktemp -d) || exit
  $ smilog live --demo -q -i 0.2 --textfile "$d/smilog.prom" 2>"$d/err" &
  > for i in $(seq 900); do grep -qs 'rule="gpu-lost"' "$d/smilog.prom" && grep -qs 'lost.*pci_bus_id' "$d/smilog.prom" && break; sleep 0.1; done
  > grep -E '^smilog_(gpu_lost|alert)' "$d/smilog.prom" | sed -E 's/,host="[^"]*"//; s/(uuid=")[^"]*/\1U/'
  > kill $!; wait $!; cat "$d/err"
  smilog_gpu_lost{gpu="0",uuid="U",name="NVIDIA H100 80GB HBM3"} 0.0
  smilog_gpu_lost{gpu="2",uuid="U",name="NVIDIA H100 80GB HBM3"} 0.0
  smilog_gpu_lost{gpu="",pci_bus_id="0000:3B:00.0"} 1.0
  smilog_alert{gpu="",pci_bus_id="0000:3B:00.0",rule="gpu-lost"} 1.0
  smilog: error: GPU 0000:3B:00.0 lost: it has fallen off the bus
  $ smilog live --demo --format jsonl -i 0.2 --for 200 2>/dev/null | python3 -SE -c '
  > import json, sys
  > for line in sys.stdin: # until all are there
  >     gpus = [(g["index"], g["state"]) for g in json.loads(line)["gpus"]]
  >     if len(gpus) == 3 and [s for _, s in gpus] != ["lost"] * 3:
  >         break
  > print(gpus)'
  [(0, 'ok'), (2, 'ok'), (None, 'lost')]
  $ rm -r "$d"

a missing gpu is an alert
# Fewer GPUs than expected: in the table, in lines, for Prometheus and on the page. Nothing is said while the first sample comes.
  $ d=$(mktemp -d) || exit
  $ export SMI_FAKE_GPUS=3 SMI_FAKE_AT=60
  $ smilog live --demo --once --expect-gpus 5 | sed -n 2,3p
  > echo "status ${PIPESTATUS[0]}"
  ▲ 1 ALERT   2 of 5 GPUs are missing
  not judged, needs more time: hang, idle, stale, memory-growth
  status 1
  $ smilog live --demo --once --expect-gpus 3 | sed -n 2p
  no alerts
  $ smilog live --demo --once --json | python3 -SE -c 'import json, sys; print(json.load(sys.stdin)["not_judged"])'
  ['hang', 'idle', 'stale', 'memory-growth']
  $ smilog live --demo --format jsonl -i 0.5 --expect-gpus 4 --listen 0 >"$d/lines" 2>"$d/err" &
  > for i in $(seq 900); do grep -q 'gpu-missing' "$d/lines" && break; sleep 0.1; done
  > port=$(sed -n 's|.*http://[^:]*:\([0-9]*\)/.*|\1|p' "$d/err")
  > python3 -SE - "$port" <<'PY'
  > import json, re, sys, urllib.request
  > at = f"http://127.0.0.1:{sys.argv[1]}/"
  > for line in urllib.request.urlopen(at + "events"):
  >     if line.startswith(b"data: {"):
  >         print(*[(a["grave"], a["text"]) for a in json.loads(line[6:])["page"]["alerts"]])
  >         break
  > print(*re.findall("(?m)^smilog_alert.*", re.sub('host="[^"]*",?', "", urllib.request.urlopen(at + "metrics").read().decode())))
  > PY
  > kill $!; wait $!
  (True, '1 of 4 GPUs is missing')
  smilog_alert{rule="gpu-missing"} 1.0
  $ sed 's|http.*|URL|' "$d/err"
  smilog: URL
  smilog: error: 1 of 4 GPUs is missing
  $ python3 -SE -c 'import json, sys
  > alerts = [[a["rule"] for a in json.loads(line)["alerts"]] for line in open(sys.argv[1])]
  > print(alerts[0], alerts[-1])' "$d/lines"
  [] ['gpu-missing']
  $ SMI_FAKE_GPUS=4 smilog live --demo --plain -q --textfile "$d/y" -i 0.2 --for 3 --expect-gpus 4
  $ rm -r "$d"

no process on the gpus is no alert
# nvidia-smi prints no row of a process that is not there: that is no monitor which is silent, however long it lasts.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"monitor-dead": {"on_s": 0, "off_s": 0}}}' >"$d/rules.json"
  $ export SMI_FAKE_GPUS=1 SMI_FAKE_AT=60 SMI_FAKE_HELD=$d/held
  $ echo "0 $$ 1000" >"$d/held"
  $ (sleep 3; : >"$d/held") &
  $ smilog live --demo --apps --format jsonl -i 0.2 --for 10 --rules "$d/rules.json" 2>/dev/null | python3 -SE -c '
  > import json, sys
  > seen = set()
  > for line in sys.stdin:
  >     now = json.loads(line)
  >     seen |= {a["text"] for a in now["alerts"] if "apps" in a["text"] and "yet" not in a["text"]}
  > print(seen or "no alert", {m["name"]: m["state"] for m in now["monitors"]}["apps"])'
  no alert ok
  $ rm -r "$d"

a monitor that ends again and again is an alert
# Each of its children samples for a while: the alert does not wait for one that stays down, nor does it end while another samples.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"monitor-dead": {"on_s": 0}, "gpu-fault": false, "stale": false}}' >"$d/rules.json"
  $ SMI_FAKE_GPUS=1 SMI_FAKE_DO=dies:2 timeout 100 smilog live --demo --monitors query --format jsonl -i 0.2 --rules "$d/rules.json" 2>/dev/null |
  >     python3 -SE -c '
  > import json, sys
  > texts = []
  > for line in sys.stdin: # until it samples for the fourth time
  >     now = json.loads(line)
  >     texts += [a["text"] for a in now["alerts"] if a["text"] not in texts]
  >     if any("again and again" in t for t in texts):
  >         break
  > print(now["monitors"][0]["state"], now["alerts"][0]["text"], sep=": ")'
  ok: monitor query ends again and again: 3 times within 10 minutes
  $ rm -r "$d"

alert command may leave processes
# What a command of --alert-exec leaves in the background lives on, writes where it wants, and outlives smilog; a command
# that hangs is ended with all that it started.
  $ d=$(mktemp -d) || exit
  $ export d
  $ echo '{"alerts": {"temperature": {"limit": 1, "on_s": 0}}}' >"$d/rules.json"
  $ wait_for() { for _ in $(seq 600); do [ -e "$1" ] && return; sleep 0.1; done; echo "no $1"; }
  $ SMI_FAKE_GPUS=1 smilog live --demo -q -i 0.2 --rules "$d/rules.json" 2>"$d/err" --alert-exec '
  >     [ -e "$d/first" ] && exit
  >     (until [ -e "$d/go" ]; do sleep 0.05; done; echo out; echo err >&2; echo err >&2; >"$d/while"
  >      until [ -e "$d/ended" ]; do sleep 0.05; done; >"$d/after") &
  >     >"$d/first"' &
  > wait_for "$d/first"
  > sleep 1 # the command has ended, and smilog has seen it
  > >"$d/go"
  > wait_for "$d/while"
  > kill $!; wait $!; echo "status $?"
  > >"$d/ended"
  > wait_for "$d/after"
  > ls "$d"; cut -d: -f1,2 "$d/err"
  > rm -r "$d"
  status 0
  after
  ended
  err
  first
  go
  rules.json
  while
  smilog: warning

alerts are told
# A GPU that waits for its first work: who is told is the shell's command, the recording and
# standard error, of the beginning and, as it works, of the end.
  $ d=$(mktemp -d) || exit
  $ touch "$d/told.txt"
  $ cat >"$d/rules.json" <<'EOF'
  > {"stall": 120, "alerts": {"idle": 3, "thermal": false, "memory-full": {"limit": 99.9, "on_s": 60}}}
  > EOF
  $ cat >"$d/told" <<'EOF'
  > printf '%s %s %s %s\n' "$SMILOG_STATE" "$SMILOG_RULE" "$SMILOG_GPU" "$(echo "$SMILOG_TEXT" | sed -E 's/ [0-9.]+s.*/ N/')" >>"$1/told.txt"
  > printf '%s\n' "$SMILOG_ALERT" >>"$1/told.jsonl"
  > EOF
  $ SMI_FAKE_GPUS=1 SMI_FAKE_AT=6 smilog live --demo -q -i 0.5 -o "$d/run" --rules "$d/rules.json" --alert-exec "sh '$d/told' '$d'" 2>"$d/err" &
  > for i in $(seq 300); do [ "$(wc -l <"$d/told.txt")" -ge 2 ] && break; sleep 0.1; done
  > kill $!; wait $!; echo $?
  0
  $ cat "$d/told.txt"
  begins idle 0 GPU 0 idle N
  ends idle 0 GPU 0 works again after N
  $ sed -E 's/ [0-9.]+s.*/ N/' "$d/err"
  smilog: warning: GPU 0 idle N
  smilog: GPU 0 works again after N
  $ python3 -SE - "$d" <<'EOF'
  > import json, sys
  > d = sys.argv[1]
  > told = [json.loads(x) for x in open(d + "/told.jsonl")]
  > print(list(told[0]))
  > print([(t["rule"], t["gpu_index"], t["from"], t["to"], t["threshold"], t["unit"], t["monitor"]) for t in told])
  > print(3.0 <= told[0]["value"] < 9, told[1]["value"], told[0]["since"] == told[1]["since"] < told[0]["timestamp"] < told[1]["timestamp"])
  > events = [json.loads(x) for x in open(d + "/run/run.jsonl")]
  > print([(e["event"], e["data"]["rule"], e["data"]["gpu"], e["data"]["state"]) for e in events if e["event"] == "alert"])
  > print([e["data"]["text"] for e in events if e["event"] == "alert"] == [t["text"] for t in told])
  > EOF
  ['timestamp', 'host', 'run', 'rule', 'severity', 'gpu_index', 'uuid', 'monitor', 'from', 'to', 'since', 'value', 'threshold', 'unit', 'text']
  [('idle', 0, 'ok', 'idle', 3.0, 's', None), ('idle', 0, 'idle', 'ok', 3.0, 's', None)]
  True None True
  [('alert', 'idle', 0, 'begins'), ('alert', 'idle', 0, 'ends')]
  True
  $ smilog summarize --json "$d/run" | cmp - "$d/run/summary.json"
  $ rm -r "$d"

alerts mark the same columns
# A hot GPU: the table, the lines and the page mark the same column of the same GPU.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"temperature": {"on_s": 0}}}' >"$d/rules.json"
  $ export SMI_FAKE_GPUS=3 SMI_FAKE_DO=heat SMI_FAKE_AT=60
  $ smilog live --demo --once --rules "$d/rules.json" | awk '/^ +[0-9] /{print $1, /[0-9]!( |$)/ ? "marked" : "-"}'
  0 -
  1 marked
  2 -
  $ python3 -SE - "$d" <<'EOF'
  > import json, re, subprocess, sys, urllib.request
  > p = subprocess.Popen(["smilog", "live", "--demo", "--plain", "--rules", sys.argv[1] + "/rules.json", "--listen", "0"],
  >                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
  > port = re.search(r":(\d+)/", p.stderr.readline())[1]
  > for line in p.stdout:  # the first line may come before the first sweep
  >     if "warm:" in line:
  >         break
  > print([m[-1] == "!" for m in re.search(r" C (.*?) cpu%", line)[1].split()], line.count("!"))
  > with urllib.request.urlopen("http://127.0.0.1:%s/events" % port) as events:
  >     for line in events:
  >         if line.startswith(b"data: "):
  >             break
  > print([g["marks"] for g in json.loads(line[6:])["page"]["gpus"]])
  > p.terminate()
  > p.wait()
  > EOF
  [False, True, False] 1
  [{}, {'temp': False}, {}]
  $ rm -r "$d"

alerts of one moment are one call
# Eight GPUs that begin to wait together: one call of the command, and one line a GPU on standard error. What a hook reads
# is the object of the first one; the others stand behind it.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"idle": 2, "thermal": false}}' >"$d/rules.json"
  $ for g in 0 1 2 3 4 5 6 7; do echo "$g, 0 %"; done >"$d/rows"
  $ { echo 'timestamp, index, utilization.gpu [%]'; for s in 4 3 2 1 0; do sed "s|^|$(date -u -d "-$s sec" '+%Y/%m/%d %H:%M:%S').000, |" "$d/rows"; done; } >"$d/hw.csv"
  $ (cat "$d/hw.csv"; sleep 1) | smilog follow --format jsonl --tz UTC --rules "$d/rules.json" -i 60 \
  >     --alert-exec "printf '%s %s %s\n%s\n' \"\$SMILOG_STATE\" \"\$SMILOG_GPU\" \"\$SMILOG_TEXT\" \"\$SMILOG_ALERT\" >>'$d/told'" - 2>"$d/err" >"$d/out"
  $ head -n 1 "$d/told" | sed -E 's/ [0-9.]+s/ N/'; grep -c idle "$d/err"; wc -l <"$d/told"
  begins 0,1,2,3,4,5,6,7 GPU 0 idle N; also GPU 1, GPU 2, GPU 3, GPU 4, GPU 5, GPU 6, GPU 7
  8
  2
  $ tail -n 1 "$d/told" | python3 -SE -c 'import json, sys; a = json.load(sys.stdin); print(a["gpu_index"], a["text"][:10], [b["gpu_index"] for b in a["also"]], sorted(a["also"][0]) == sorted(set(a) - {"also"}))'
  0 GPU 0 idle [1, 2, 3, 4, 5, 6, 7] True
  $ rm -r "$d"

an alert does not end by a restart
# Neither a driver that is not there nor a monitor that prints its header only works again by being started again; why
# it is down is said once. One that samples again for its time does.
  $ d=$(mktemp -d) || exit
  $ rules() { printf '{"alerts": {"monitor-dead": {%s}}}' "$1" >"$d/rules.json"; }
  $ say() { # on a loaded machine a fake that has printed nothing yet is an alert of its own, and ends as one
  >     "$@" 2>&1 | grep -v 'printed nothing yet' | sed -E 's/ after [0-9].*//; s/: NVIDIA.*//; s/[0-9.]+ s$/N s/' |
  >         sort | awk '!/again$/ || !seen[$0]++'
  > }
  $ watch() { smilog live --demo -q -i 0.2 --rules "$d/rules.json" --textfile "$d/x" "$@"; }
  $ rules '"on_s": 0.5'
  $ SMI_FAKE_DO=exit-9 say watch --for 8
  smilog: error: dmon: driver not reached
  smilog: error: monitor dmon is down: exit 9 (no driver)
  smilog: error: monitor query is down: exit 9 (no driver)
  smilog: no GPU was seen until the time of --for was over
  smilog: warning: dmon: exit 9 (no driver)
  smilog: warning: query: exit 9 (no driver)
  $ echo

  $ rules '"on_s": 0.5, "off_s": 0.5'
  $ SMI_FAKE_DO=dies:1:2 SMI_FAKE_STATE=$d/state say watch --for 6
  smilog: dmon samples again
  smilog: dmon sampling again
  smilog: error: monitor dmon is down: exit 1
  smilog: error: monitor query is down: exit 1
  smilog: query samples again
  smilog: query sampling again
  smilog: warning: dmon: exit 1
  smilog: warning: query: exit 1
  $ rm -r "$d"

faults and heat are alerts
# ECC errors that are counted up, readings that fail, heat, and a recording that has no room; who is called reads how grave
# it is.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"temperature": {"on_s": 0}}}' >"$d/rules.json"
  $ cat >"$d/told" <<'EOF'
  > printf '%s\n' "$SMILOG_ALERT" >>"$1/told.jsonl"
  > EOF
  $ export SMI_FAKE_GPUS=2 SMI_FAKE_AT=60
  $ watch() {
  >     smilog live --demo -q --for 4 -i 0.5 --rules "$d/rules.json" --alert-exec "sh '$d/told' '$d'" --textfile "$d/x" "$@" 2>&1 | sed -E 's/ [0-9]+ °C/ N °C/; s/, [0-9]+ lines? lost/, N lost/'
  >     python3 -SE -c 'import json, sys; print(*sorted((t["rule"], t["severity"], t["gpu_index"], t["monitor"]) for t in map(json.loads, sys.stdin)), sep="\n")' <"$d/told.jsonl"
  >     rm "$d/told.jsonl"
  > }
  $ SMI_FAKE_DO=ecc:1 watch
  smilog: error: GPU 1: uncorrected ECC errors
  ('gpu-fault', 'error', 1, None)
  $ SMI_FAKE_DO=heat watch
  smilog: warning: GPU 1: N °C
  ('temperature', 'warning', 1, None)
  $ SMI_FAKE_DO=unknown-error smilog live --demo --once 2>/dev/null | sed -n 2,3p
  ▲ 4 ALERTS   GPU 0: unknown errors   GPU 1: unknown errors   monitor query is silent: its rows have no readings
    monitor dmon is silent: its rows have no readings
  $ (trap '' XFSZ; ulimit -f 8; SMI_FAKE_GPUS=8 smilog live --demo -q --for 3 -i 0.1 -o "$d/run") 2>&1 | grep -o 'query is not recorded' | uniq
  query is not recorded
  $ rm -r "$d"

messages of the kernel are alerts
# live --kmsg reads those that come while it runs. Wants a kernel log that this user may write.
  $ [ -w /dev/kmsg ] && [ -r /dev/kmsg ] || exit 77
  $ export SMI_FAKE_GPUS=2 SMI_FAKE_AT=60
  $ d=$(mktemp -d) || exit
  $ smilog live --demo --kmsg -q -i 0.2 -o "$d/run" --textfile "$d/x.prom" 2>/dev/null &
  > for i in $(seq 900); do grep -qs 'smilog_gpu_lost{gpu="1",uuid="G' "$d/x.prom" && break; sleep 0.1; done # dmon knows no bus
  > for i in $(seq 300); do
  >     echo 'smilog, a test: NVRM: Xid (PCI:0000:3b:00): 31, pid=1' >/dev/kmsg
  >     grep -qs '"gpu-fault", "gpu": 1,' "$d/run/run.jsonl" && break; sleep 0.1
  > done
  > kill $!; wait $!
  $ grep -o '"rule": "gpu-fault", "gpu": 1,.*begins.*XID 31' "$d/run/run.jsonl" | head -n 1
  "rule": "gpu-fault", "gpu": 1, "state": "begins", "text": "GPU 1: XID 31
  $ smilog live --kmsg --once 2>&1 | head -n 1
  smilog: --kmsg reads new messages of the kernel, --once looks once: one of them
  $ rm -r "$d"

no gpu until the end of --for is status 4
  $ d=$(mktemp -d) || exit
  $ PATH=$(dirname "$(command -v smilog)"):/nowhere
  $ smilog live -q --for 1 -o "$d/run"
  2> smilog: warning: query: cannot start nvidia-smi: No such file or directory
  2> smilog: warning: dmon: cannot start nvidia-smi: No such file or directory
  2> smilog: no GPU was seen until the time of --for was over
  [4]
  $ smilog live -q --for 1 -o "$d/cpu" --monitors cpu
  $ /bin/ls "$d/run"; /bin/rm -r "$d"
  cpu_metrics.csv
  run.jsonl
  summary.json

once without a gpu is an alert
# "smilog live --once || echo look": a monitor that is down cannot wait for its ten seconds.
  $ SMI_FAKE_GPUS=2 smilog live --demo --gpus 9 --once 2>&1 >/dev/null | sort
  smilog: warning: dmon: there is no GPU 9
  smilog: warning: query: there is no GPU 9
  $ SMI_FAKE_GPUS=2 smilog live --demo --gpus 9 --once 2>/dev/null | sed -E '1d; s/CPU [0-9]+ %/CPU N %/'
  > echo "${PIPESTATUS[0]}"
  ▲ 2 ALERTS   monitor query is down: there is no GPU 9   monitor dmon is down: there is no GPU 9
  CPU N %
  1
  $ PATH=$(dirname "$(command -v smilog)"):/nowhere
  $ smilog live --once | /bin/sed -E '1d; s/CPU [0-9]+ %/CPU N %/'
  > echo "${PIPESTATUS[0]}"
  ▲ 2 ALERTS   monitor query is down: cannot start nvidia-smi: No such file or directory
    monitor dmon is down: cannot start nvidia-smi: No such file or directory
  CPU N %
  1
  2> smilog: warning: query: cannot start nvidia-smi: No such file or directory
  2> smilog: warning: dmon: cannot start nvidia-smi: No such file or directory

rules of alerts
  $ d=$(mktemp -d) || exit
  $ with() { printf '%s' "$1" >"$d/rules.json"; smilog live --demo -q -o "$d/run" --for 1 --rules "$d/rules.json" 2>&1 | head -n 1 | sed "s|$d/||"; echo "${PIPESTATUS[0]}"; }
  $ with '{"alerts": {"idel": 5}}'
  smilog: --rules rules.json: there is no alert "idel"; did you mean idle?
  2
  $ with '{"alerts": {"gpu-lost": 5}}'
  smilog: --rules rules.json: alert gpu-lost: has no limit
  2
  $ with '{"alerts": {"memory-full": 101}}'
  smilog: --rules rules.json: alert memory-full: the limit is a percentage: above 0, to 100
  2
  $ with '{"alerts": {"idle": 0}}'
  smilog: --rules rules.json: alert idle: the limit has to be a number above 0
  2
  $ with '{"alerts": {"idle": "5"}}'
  smilog: --rules rules.json: alert idle: needs a number (its limit), false, or an object of limit, on_s, off_s
  2
  $ with '{"alerts": {"idle": {"of_s": 5}}}'
  smilog: --rules rules.json: there is no setting "of_s"; did you mean on_s?
  2
  $ with '{"alerts": {"idle": {"off_s": -1}}}'
  smilog: --rules rules.json: alert idle: on_s and off_s are seconds, up to a week
  2
  $ with '{"alerts": 5}'
  smilog: --rules rules.json: "alerts" has to be an object; see smilog list alerts
  2
  $ with '{"alerts": {'
  smilog: --rules rules.json: is no JSON object: string or '}' expected near end of file
  2
  $ with '{"low-util": 5, "alerts": {"idle": true, "stale": false, "gpu-lost": {"off_s": 5}}}'
  0
  $ with '{"no-rule": 5}'
  smilog: --rules rules.json: there is no rule "no-rule"; see smilog list rules
  2
  $ [ -e "$d/run/summary.json" ] && echo recorded
  recorded
  $ smilog live --alert-exec true --once; echo $?
  2
  2> smilog: --alert-exec needs a command, and a live that goes on
  2> try: smilog help live
  $ smilog follow --alert-exec '' "$d"; echo $?
  2
  2> smilog: --alert-exec needs a command, and a follow that goes on
  2> try: smilog help follow
  $ smilog live --rules "$d/none.json" 2>&1 | head -n 1 | sed "s|$d/||"
  smilog: --rules: cannot open none.json: No such file or directory
  $ rm -r "$d"

a limit counts for the finding and the alert
# The limit of single readings of a rule is that of the alert about the same condition, unless the alert has its own.
  $ d=$(mktemp -d) || exit
  $ export SMI_FAKE_GPUS=1 SMI_FAKE_AT=60
  $ echo '{"hot": {"at": 20}, "memory-near-full": 0.1}' >"$d/both.json"
  $ smilog live --demo --once --rules "$d/both.json" | sed -nE '2s/[0-9.]+/N/gp'
  ▲ N ALERTS   GPU N: memory nearly full, N GiB free   GPU N: N °C
  $ echo '{"hot": {"at": 20}, "alerts": {"temperature": 95}}' >"$d/own.json"
  $ smilog live --demo --once --rules "$d/own.json" | sed -n 2p
  no alerts
  $ rm -r "$d"

an alert lasts as long as its readings
# The rules are checked once a second of a replay; GPU 1 is read in between.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ python3 - >"$d/hw.csv" <<'EOP'
  > print("timestamp, index, utilization.gpu [%], memory.used [MiB]")
  > for t in range(600):
  >     for gpu, ms in (0, "000"), (1, "300"):
  >         print(f"2026/07/03 12:{t // 60:02}:{t % 60:02}.{ms}, {gpu}, {0 if t < 400 else 90} %, 1000 MiB")
  > EOP
  $ smilog live --replay "$d" --speed 100000 --plain 2>&1 >/dev/null | grep again
  smilog: GPU 0 works again after 6m40s
  smilog: GPU 1 works again after 6m40s

a slowdown by heat has pauses
# It is an alert after a minute of it: pauses of half a minute are a part of it, longer ones end it.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ play() {
  >     python3 - "$@" >"$d/hw.csv" <<'EOP'
  > import sys
  > on, off, till = map(int, sys.argv[1:4])
  > print("timestamp, index, utilization.gpu [%], clocks_event_reasons.sw_thermal_slowdown, clocks_event_reasons.hw_thermal_slowdown")
  > for t in range(600):
  >     hot = "Active" if t < till and t % (on + off) < on else "Not Active"
  >     print(f"2026/07/03 12:{t // 60:02}:{t % 60:02}.000, 0, 90 %, Not Active, {hot}")
  > EOP
  >     smilog live --replay "$d" --speed 100000 --plain 2>&1 >/dev/null | grep GPU
  > }
  $ play 1 2 300
  smilog: warning: GPU 0: thermal slowdown
  smilog: GPU 0 no longer slowed after 4m59s
  $ play 300 0 300
  smilog: warning: GPU 0: thermal slowdown
  smilog: GPU 0 no longer slowed after 5m01s
  $ play 50 40 600
  [1]
