a deleted log is no alert
  $ python3 -SE - <<'PY'
  > # Of three runs that grow one is deleted, and of one the RunLog says that it has ended: the first is reported once, and
  > # neither is an alert. One that only falls silent is.
  > import json, os, re, shutil, subprocess, tempfile, threading, time
  > from datetime import datetime, timezone
  > d = tempfile.mkdtemp()
  > rules = os.path.join(d, "rules.json")
  > json.dump({"alerts": {"stale": {"on_s": 0, "off_s": 0}, "monitor-dead": {"on_s": 0, "off_s": 0}}}, open(rules, "w"))
  > def row(run, extra=""):
  >     with open(f"{d}/runs/{run}/hw.csv", "a") as f:
  >         f.write(extra + datetime.now(timezone.utc).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3] + ", 0, 50 %\n")
  > for run in "deleted", "ended", "silent":
  >     os.makedirs(f"{d}/runs/{run}")
  >     row(run, "timestamp, index, utilization.gpu [%]\n")
  > p = subprocess.Popen(["smilog", "follow", "--plain", "--tz", "UTC", "-i", "0.2", "--rules", rules, "runs"],
  >                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=d)
  > lines, errors = [], []
  > for stream, to in (p.stdout, lines), (p.stderr, errors):
  >     threading.Thread(target=lambda s=stream, t=to: [t.append(x) for x in s], daemon=True).start()
  > for k in range(12):
  >     time.sleep(0.3)
  >     for run in "deleted", "ended", "silent":
  >         row(run)
  > shutil.rmtree(f"{d}/runs/deleted")
  > with open(f"{d}/runs/ended/run.jsonl", "w") as f:
  >     print('{"ts": "2026-07-03T10:10:50+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}', file=f)
  > end = time.monotonic() + 60
  > while time.monotonic() < end and not ("dead:" in lines[-1] and "old:" in lines[-1]):
  >     time.sleep(0.1)
  > n = len(lines)
  > while time.monotonic() < end and len(lines) < n + 10: # and so it stays
  >     time.sleep(0.1)
  > print(sorted(set(re.search(r"dead:.*|$", x)[0] for x in lines[n:])))
  > print(*sorted(re.sub(r" for .*", " for N", x) for x in errors), sep="", end="")
  > p.terminate()
  > p.wait()
  > shutil.rmtree(d)
  > PY
  ['dead:runs/silent/hw.csv old:silent/0']
  smilog: error: log silent/hw.csv is silent: no row for N
  smilog: warning: GPU silent/0: no reading for N
  smilog: warning: runs/deleted/hw.csv: it is gone

a failed run is an alert
# what the RunLog says is in the first line that is read, and the status says so too; after the recording is played, and
# in lines, the same
  $ run="../../../fixtures/sweep/lr=0.3/seed=2"
  $ smilog follow --once --tz UTC "$run" | sed -n 2p; echo "${PIPESTATUS[0]}"
  ▲ 1 ALERT   seed=2/run.jsonl: failed: out of memory
  1
  $ smilog live --replay "$run" --once | sed -n 2p; echo "${PIPESTATUS[0]}"
  ▲ 1 ALERT   run.jsonl: failed: out of memory
  1
  $ smilog live --replay "$run" --plain --speed 100000 -i 60 2>&1 >/dev/null | grep failed
  smilog: error: run.jsonl: failed: out of memory
  $ smilog live --replay "$run" --format jsonl --speed 100000 -i 60 2>/dev/null | tail -n 1 |
  >     python3 -SE -c 'import json, sys; print(*([a["rule"], a["gpu"], a["text"]] for a in json.load(sys.stdin)["alerts"]), sep="\n")'
  ['run-failed', None, 'run.jsonl: failed: out of memory']

a forgotten log is no alert
  $ python3 -SE - <<'PY'
  > # Two runs fall silent, which is an alert, and end it when --forget is over: nothing is said of them any more.
  > import json, os, shutil, subprocess, tempfile, threading, time
  > from datetime import datetime, timezone
  > d = tempfile.mkdtemp()
  > rules = os.path.join(d, "rules.json")
  > json.dump({"alerts": {r: {"on_s": 0, "off_s": 0} for r in ("stale", "monitor-dead", "logs-ended")}}, open(rules, "w"))
  > def row(run, extra=""):
  >     with open(f"{d}/runs/{run}/hw.csv", "a") as f:
  >         f.write(extra + datetime.now(timezone.utc).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3] + ", 0, 50 %\n")
  > for run in "ab":
  >     os.makedirs(f"{d}/runs/{run}")
  >     row(run, "timestamp, index, utilization.gpu [%]\n")
  > p = subprocess.Popen(["smilog", "follow", "--plain", "--tz", "UTC", "-i", "0.2", "--forget", "12s", "--rules", rules, "runs"],
  >                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=d)
  > lines = []
  > threading.Thread(target=lambda: [lines.append(x.partition("cpu% -")[2].strip()) for x in p.stdout], daemon=True).start()
  > for k in range(12):
  >     time.sleep(0.3)
  >     row("a")
  >     row("b")
  > end = time.monotonic() + 100
  > while time.monotonic() < end and not ("dead:" in lines[-1] and "old:" in lines[-1]):
  >     time.sleep(0.1)
  > print(lines[-1] != "")
  > while time.monotonic() < end and lines[-1]:
  >     time.sleep(0.1)
  > n = len(lines)
  > while time.monotonic() < end and len(lines) < n + 10: # and so it stays
  >     time.sleep(0.1)
  > print(set(lines[n:]))
  > p.terminate()
  > p.wait()
  > shutil.rmtree(d)
  > PY
  True
  {''}
  $ smilog follow --forget soon .
  2> smilog: --forget needs a time such as 90s, 10m or 2h, not "soon"
  2> try: smilog help follow
  [2]

a gap at the beginning
  $ python3 -SE - <<'PY'
  > # Whether the first interval of a log is a gap is known when the second one is: /metrics counts as the summary does.
  > import http.client, json, re, subprocess, tempfile, time
  > def watch(seconds):
  >     log = tempfile.NamedTemporaryFile("w", suffix=".csv")
  >     log.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
  >     for s in seconds:
  >         for gpu in range(2):
  >             log.write(f"2026/07/03 10:{s // 60:02}:{s % 60:02}.{gpu}00, {gpu}, 0 %, {100 + 100 * gpu}.00 W\n")
  >     log.flush()
  >     f = subprocess.Popen(["smilog", "follow", "-q", "--listen", "127.0.0.1:0", log.name], stderr=subprocess.PIPE, text=True)
  >     port = int(re.search(r":(\d+)/", f.stderr.readline())[1])
  >     def get():
  >         c = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
  >         c.request("GET", "/metrics")
  >         return c.getresponse().read().decode()
  >     while 'gpu="1"' not in get():
  >         time.sleep(0.05)
  >     print(re.findall(r"^smilog_gpu_(?:energy_joules|idle_seconds)_total.* (\S+)$", get(), re.M))
  >     f.terminate()
  >     f.wait(10)
  >     run = json.loads(subprocess.run(["smilog", "summarize", "-q", "--json", log.name], stdout=subprocess.PIPE).stdout)["runs"][0]
  >     print([round(g["energy_wh"] * 3600, 1) for g in run["gpus"]], run["covered_s"])
  > watch([0, *range(55, 85)])
  > watch([0, *range(2, 32)])
  > PY
  ['2900.0', '5800.0', '29.0', '29.0']
  [2900.0, 5800.0] 29.0
  ['3100.0', '6200.0', '31.0', '31.0']
  [3100.0, 6200.0] 31.0

a restart knows what is stored
# Stopped and started again, twice, once while the log was rotated: it says the same of the whole run as one that was never
# stopped, reads columns by the header that stands in the part before, and does not say again what it said.
  $ d=$(mktemp -d) || exit
  $ log=$d/hw.csv
  $ rows() { # from to: seconds with one GPU, at work but for the first minute
  >     for s in $(seq "$1" "$2"); do
  >         printf '2026/07/03 10:%02d:%02d.000, %d.00 W, %d %%, 0, %d MiB\n' $((s / 60)) $((s % 60)) $((200 + s)) $((s < 60 ? 0 : 90)) $((1000 + s))
  >     done
  > }
  $ head='timestamp, power.draw [W], utilization.gpu [%], index, memory.used [MiB]'
  $ follow() { smilog follow --format jsonl -i 0.2 --tz UTC --for 1.5 "$@" 2>>"$d/err" | tail -n 1 >"$d/$out"; }
  $ { echo "$head"; rows 0 99; } >"$log"
  $ echo '{"ts": "2026-07-03T10:00:50+00:00", "type": "event", "event": "error", "data": {"message": "it broke"}}' >"$d/run.jsonl"
  $ out=first follow --store "$d/store.sqlite" "$log" "$d/run.jsonl"
  $ rows 100 199 >>"$log"
  $ mv "$log" "$log.1"
  $ { echo "$head"; rows 200 299; } >"$log"
  $ out=second follow --store "$d/store.sqlite" "$log" "$d/run.jsonl"
  $ rows 300 360 >>"$log"
  $ sed "s|[^ ]*/run|run|" "$d/err"
  smilog: error: run.jsonl: failed: it broke
  smilog: error: run.jsonl: failed: it broke
  $ : >"$d/err"
  $ out=third follow --store "$d/store.sqlite" "$log" "$d/run.jsonl"
  $ { cat "$log.1"; tail -n +2 "$log"; } >"$d/whole.csv"
  $ out=never follow "$d/whole.csv" "$d/run.jsonl"
  $ python3 -SE - "$d/third" "$d/never" <<'EOP'
  > import json, sys
  > a, b = (json.load(open(f)) for f in sys.argv[1:])
  > print(a["total"], a["total"] == b["total"])
  > print({k: v for k, v in a["gpus"][0].items() if k not in ("age_s", "uuid", "name", "mine", "run")})
  > print([x["rule"] for x in a["alerts"]], [g["gpu_util_pct"] for g in b["gpus"]])
  > EOP
  {'covered_s': 360.0, 'idle_s': 59.0, 'energy_wh': 38.0} True
  {'index': 0, 'host': None, 'state': 'stale', 'gpu_util_pct': None, 'fb_used_mib': None, 'power_w': None}
  ['run-failed'] [None]
  $ sed "s|[^ ]*/run|run|" "$d/err"
  smilog: error: run.jsonl: failed: it broke
  smilog: error: run.jsonl: failed: it broke
  $ python3 -SE -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select part, count(*) from line group by source, part"))' "$d/store.sqlite"
  (1, 201) (2, 162) (1, 1)
  $ rm -r "$d"

a store is read back
# What --store keeps, rotated parts too, is read as the logs are: the same runs and numbers.
  $ d=$(mktemp -d) || exit
  $ head='timestamp, index, utilization.gpu [%], power.draw [W]'
  $ rows() { for s in $(seq "$1" "$2"); do printf '2026/07/03 10:00:%02d.000, 0, %d, 300.00\n' "$s" "$3"; done; }
  $ mkdir -p "$d/out/a" "$d/out/b"
  $ { echo "$head"; rows 0 19 90; } >"$d/out/a/hw.csv.1"
  $ { echo "$head"; rows 20 39 90; } >"$d/out/a/hw.csv"
  $ { echo "$head"; rows 0 9 10; } >"$d/out/b/hw.csv"
  $ echo '{"ts": "2026-07-03T10:00:50+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}' >"$d/out/b/run.jsonl"
  $ smilog follow -q --store "$d/all.sqlite" --for 1.5 "$d/out"
  $ cols=run,state,duration_s,gpu_util_mean_pct,energy_wh
  $ smilog summarize -q --format csv --columns $cols "$d/out" >"$d/files"
  $ smilog summarize -q --format csv --columns $cols "sqlite:$d/all.sqlite" | tee "$d/store"
  run,state,duration_s,gpu_util_mean_pct,energy_wh
  a,unknown,39.0,90.0,3.25
  b,ok,9.0,10.0,0.75
  $ cmp "$d/files" "$d/store"
  $ smilog check --min-gpu-util 50 "sqlite:$d/all.sqlite" >/dev/null 2>&1; echo $?
  1
  $ smilog summarize "$d/all.sqlite" 2>&1 | sed "s|$d/||"
  smilog: all.sqlite: warning: cannot be used: a SQLite file: sqlite:FILE, if smilog wrote it (export, follow --store)
  smilog: no usable log in all.sqlite
  $ rm -r "$d"

a store that another program reads
# Another program reads the file while the store is made in it: it is waited for.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:01.000, 0, 70 %%\n' >log.csv
  $ python3 -SE - <<'PY'
  > import sqlite3, subprocess, time
  > db = sqlite3.connect("store.db", isolation_level=None)
  > db.execute("begin")
  > db.execute("select * from sqlite_schema").fetchall()
  > follow = subprocess.Popen(["smilog", "follow", "-q", "--store", "store.db", "--for", "1.5", "log.csv"], stdout=subprocess.DEVNULL)
  > time.sleep(0.5)
  > db.execute("commit")
  > db.close()
  > print(follow.wait())
  > PY
  0
  $ smilog summarize -q --columns gpu_util_mean_pct sqlite:store.db
  gpu_util_mean_pct
               60.0

a stored run has the name of its directory
# A store that holds one run names it after the directory of its logs, and never after a temporary directory.
  $ d=$(mktemp -d) || exit
  $ smilog follow -q --tz +02:00 --for 1 --store "$d/all.sqlite" ../../../fixtures/sweep/lr=0.1/seed=3
  $ smilog summarize -q --columns run,state,idle_pct "sqlite:$d/all.sqlite"
  run     state   idle_pct
  seed=3  ok     14.681433
  $ smilog follow -q --tz +02:00 --for 1 --store "$d/two.sqlite" ../../../fixtures/sweep/lr=0.1/seed=[34]
  $ smilog summarize -q --columns run,state,idle_pct "sqlite:$d/two.sqlite"
  run     state   idle_pct
  seed=3  ok     14.681433
  seed=4  cut     9.501858
  $ smilog follow -q --store "$d/stream.sqlite" - <../../../fixtures/sweep/lr=0.1/seed=3/hw_metrics.csv
  $ smilog summarize -q --columns run,state,idle_pct "sqlite:$d/stream.sqlite"
  run     state     idle_pct
  stream  unknown  14.681433
  $ rm -r "$d"

a sweep that has ended is one line
# Thirty runs that ended before anybody looked, without a RunLog, are one alert of little weight, and one call; none as long
# as another run grows.
  $ d=$(mktemp -d) || exit
  $ log() { # its name, and the age of its last row in seconds
  >     mkdir -p "${1%/*}"
  >     { echo 'timestamp, index, utilization.gpu [%]'; for s in 9 8 7 6 5 4 3 2 1 0; do date -u -d "-$(($2 + s)) sec" '+%Y/%m/%d %H:%M:%S.000, 0, 9'; done; } >"$1"
  > }
  $ for i in $(seq 30); do log "$d/sweep/seed=$i/hw.csv" $((7200 + i * 4000)); done
  $ cat >"$d/told" <<'EOF'
  > echo "$SMILOG_STATE $SMILOG_RULE $(echo "$SMILOG_ALERT" | grep -o '"severity": "[a-z]*"')" >>"$1/told.txt"
  > EOF
  $ echo '{"alerts": {"logs-ended": {"on_s": 1}}}' >"$d/rules"
  $ look() { smilog follow --once --tz UTC "$d/sweep" | sed -E '1d; 4,$d; s/[0-9]+h[0-9]+m/N/'; echo "${PIPESTATUS[0]}"; }
  $ look
  ▲ 1 ALERT   30 logs are silent: no row for N
  all GPUs   idle 0.00 GPU-h
  1
  $ : >"$d/told.txt"
  $ smilog follow -q --listen 0 --tz UTC --rules "$d/rules" --alert-exec "sh '$d/told' '$d'" "$d/sweep" 2>/dev/null &
  > for i in $(seq 300); do [ -s "$d/told.txt" ] && break; sleep 0.1; done
  > sleep 0.5
  > log "$d/sweep/seed=31/hw.csv" 0
  > for i in $(seq 300); do [ "$(wc -l <"$d/told.txt")" -ge 2 ] && break; sleep 0.1; done
  > kill $!; wait $!
  $ cat "$d/told.txt"
  begins logs-ended "severity": "warning"
  ends logs-ended "severity": "warning"
  $ log "$d/sweep/seed=31/hw.csv" 0
  $ look
  no alerts
  30 logs have ended, the last one N ago
  0
  $ rm -r "$d"

ages are by the clock of this machine
  $ python3 -SE - <<'PY'
  > # A log of days ago: the silence of the log and of its GPUs is as old as its last row, the clock in the head is this
  > # machine's, and no reading is shown, neither in the table nor in the lines.
  > import random, re, subprocess, tempfile
  > from datetime import datetime, timedelta, timezone
  > seed = random.randrange(10**6)
  > r = random.Random(seed)
  > days, gpus = r.randint(2, 9), r.randint(1, 4)
  > last = datetime.now(timezone.utc) - timedelta(days=days, hours=1)
  > log = tempfile.NamedTemporaryFile("w", suffix=".csv")
  > log.write("timestamp, index, utilization.gpu [%], memory.used [MiB]\n")
  > for i in range(20, -1, -1):
  >     for g in range(gpus):
  >         log.write(f"{last - timedelta(seconds=i):%Y/%m/%d %H:%M:%S.000}, {g}, 77 %, 1024 MiB\n")
  > log.flush()
  > begin = datetime.now(timezone.utc).replace(microsecond=0)
  > p = subprocess.run(["smilog", "follow", "--once", "--tz", "UTC", log.name], stdout=subprocess.PIPE, text=True)
  > end = datetime.now(timezone.utc)
  > head, alerts, *rest = p.stdout.splitlines()
  > clock = re.search(r"\d\d:\d\d:\d\d", head)[0]
  > ages = set(re.findall(r"\d+d\d\dh", p.stdout))
  > print(p.returncode, len(re.findall("silent", alerts)), "77 %" in p.stdout)
  > print("ok" if ages == {f"{days}d01h"} and f"{begin:%T}" <= clock <= f"{end:%T}" else (seed, clock, ages, p.stdout))
  > lines = subprocess.run(["smilog", "follow", "--plain", "--tz", "UTC", "-i", "0.2", "--for", "0.7", log.name], stdout=subprocess.PIPE, text=True).stdout
  > print("ok" if f"{begin:%T}" <= lines.split()[0] and " 77" not in lines else lines)
  > PY
  1 1 False
  ok
  ok

an xid is an alert
# The driver's message among the rows: the alert names the number, by which the cause is looked up.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ python3 -SE - <<'EOF' >gpu.csv
  > from datetime import datetime, timedelta
  > now = datetime.now()
  > print("timestamp, index, pci.bus_id, utilization.gpu [%]")
  > for k in range(10):
  >     for i in range(2):
  >         at = (now - timedelta(seconds=9 - k)).strftime("%Y/%m/%d %H:%M:%S.000")
  >         print(f"{at}, {i}, 00000000:{0x3b + i:X}:00.0, 90 %")
  > print("NVRM: Xid (PCI:0000:3b:00): 31, pid=17, name=python3, Ch 00000008")
  > EOF
  $ smilog follow --once . | sed -n 2p
  > echo "status ${PIPESTATUS[0]}"
  ▲ 1 ALERT   GPU 0: XID 31
  status 1
  $ rm -r "$d"

blocks of a pipe do not flicker
  $ python3 -SE - <<'PY'
  > # nvidia-smi -l 1 into a pipe writes whole blocks: rows of some seconds come at once, and the last sweep is cut. Between two
  > # blocks all GPUs keep their readings, and nothing is reported. When the writer falls silent, all GPUs are, also those
  > # whose last row stands in the sweep before.
  > import json, os, re, subprocess, sys, tempfile, threading, time
  > from datetime import datetime, timedelta, timezone
  > GPUS, BLOCK_S = 8, 5
  > rules = tempfile.NamedTemporaryFile("w", suffix=".json")
  > json.dump({"alerts": {"stale": {"on_s": 0}, "monitor-dead": {"on_s": 0}}}, rules)
  > rules.flush()
  > p = subprocess.Popen(["smilog", "follow", "--plain", "--tz", "UTC", "-i", "0.25", "--rules", rules.name, "-"],
  >                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
  > lines, errors = [], []
  > for stream, to in (p.stdout, lines), (p.stderr, errors):
  >     threading.Thread(target=lambda s=stream, t=to: t.extend(s) if False else [t.append(x) for x in s], daemon=True).start()
  > begin = datetime.now(timezone.utc) - timedelta(seconds=BLOCK_S)
  > text = "timestamp, index, utilization.gpu [%]\n"
  > for s in range(4 * BLOCK_S + 1):
  >     for g in range(GPUS if s < 4 * BLOCK_S else 3):
  >         text += f"{begin + timedelta(seconds=s):%Y/%m/%d %H:%M:%S.000}, {g}, {50 + g} %\n"
  > row = len(text.splitlines()[-1]) + 1
  > size = row * GPUS * BLOCK_S + row // 2
  > start = time.monotonic()
  > for k in range(4):
  >     time.sleep(max(0, start + k * BLOCK_S - time.monotonic()))
  >     p.stdin.write(text[k * size:(k + 1) * size] if k < 3 else text[k * size:])
  >     p.stdin.flush()
  > time.sleep(BLOCK_S - 1)
  > use = [re.search(r"gpu% (.*?) GiB", x)[1].split() for x in list(lines) if "gpu%" in x]
  > print(sum("-" in x for x in use), "lines without a reading of a GPU;", len(errors), "messages")
  > end = time.monotonic() + 90
  > while time.monotonic() < end and not (lines and re.search(r"old:0,1,2,3,4,5,6,7\b", lines[-1])):
  >     time.sleep(0.1)
  > print(re.search(r"dead:- old:\S+|$", lines[-1])[0])
  > p.terminate()
  > p.wait()
  > PY
  0 lines without a reading of a GPU; 0 messages
  dead:- old:0,1,2,3,4,5,6,7

cpu use is all but idle
# A machine whose kernel uses half of its CPUs: the head, the lines and the JSON show all that is not idle. A log that
# records cpu_pct is shown as it is.
  $ d=$(mktemp -d) || exit
  $ log() { echo "timestamp,$1"; for s in 2 1 0; do date -u -d "-$s sec" "+%Y-%m-%dT%H:%M:%S.000Z,$2"; done; }
  $ look() {
  >     log "$1" "$2" >"$d/cpu_metrics.csv"
  >     smilog follow --once --tz UTC "$d" | grep -o 'CPU .*'
  >     smilog follow --plain --tz UTC -i 0.2 --for 0.5 "$d" 2>/dev/null | tail -n 1 | grep -o 'cpu%.*'
  >     smilog follow --json --tz UTC --once "$d" |
  >         python3 -SE -c 'import json, sys; h = json.load(sys.stdin)["host"]; print(h["cpu_usr_pct"], h["cpu_pct"])'
  > }
  $ look usr_pct,idle_pct 49.4,0.0
  CPU 100 %
  cpu% 100
  49.4 100.0
  $ look usr_pct,idle_pct 8.6,61.0
  CPU 39 %
  cpu% 39
  8.6 39.0
  $ look usr_pct,idle_pct,cpu_pct,cpu_iowait_pct 8.6,61.0,30.0,9.0
  CPU 30 %
  cpu% 30
  8.6 30.0
  $ rm -r "$d"

energy is of all intervals
  $ python3 -SE - <<'PY'
  > # /metrics counts the first interval of each GPU, too, whatever its length: the energy is that of the summary.
  > import http.client, json, re, subprocess, tempfile, time
  > log = tempfile.NamedTemporaryFile("w", suffix=".csv")
  > log.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
  > for i in range(20):
  >     for gpu in range(3):
  >         log.write(f"2026/07/03 10:{i // 6:02}:{i % 6 * 10:02}.{gpu}00, {gpu}, {i % 2 * 90} %, {100 + 100 * gpu + 10 * i}.00 W\n")
  > log.flush()
  > f = subprocess.Popen(["smilog", "follow", "-q", "--listen", "127.0.0.1:0", log.name], stderr=subprocess.PIPE, text=True)
  > port = int(re.search(r":(\d+)/", f.stderr.readline())[1])
  > def get():
  >     c = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
  >     c.request("GET", "/metrics")
  >     return c.getresponse().read().decode()
  > while 'gpu="2"' not in get():
  >     time.sleep(0.05)
  > print(re.findall(r"^smilog_gpu_(?:energy_joules|idle_seconds)_total.* (\S+)$", get(), re.M))
  > f.terminate()
  > f.wait(10)
  > run = json.loads(subprocess.run(["smilog", "summarize", "-q", "--json", log.name], stdout=subprocess.PIPE).stdout)["runs"][0]
  > print([round(g["energy_wh"] * 3600, 1) for g in run["gpus"]], [round(g["idle_pct"] * run["covered_s"] / 100, 1) for g in run["gpus"]])
  > PY
  ['37050.0', '56050.0', '75050.0', '90.0', '90.0', '90.0']
  [37050.0, 56050.0, 75050.0] [90.0, 90.0, 90.0]

no process on the gpus is no silent log
# A list of processes has no rows while there is no process: it is not silent as long as another log of its run grows.
  $ d=$(mktemp -d) || exit
  $ echo '{"alerts": {"monitor-dead": {"on_s": 0, "off_s": 0}, "stale": false}}' >"$d/rules.json"
  $ mkdir "$d/run"
  $ python3 -SE - "$d/run" <<'PY' &
  > import sys, time
  > from datetime import datetime, timedelta
  > gpu, apps = open(sys.argv[1] + "/hw_metrics.csv", "w"), open(sys.argv[1] + "/hw_apps.csv", "w")
  > gpu.write("timestamp, index, uuid, utilization.gpu [%], memory.used [MiB]\n")
  > apps.write("timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n")
  > for s in range(-20, 18):
  >     at = (datetime.utcnow() + timedelta(seconds=min(s, 0))).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3]
  >     gpu.write(at + ", 0, GPU-1, 50, 1000\n")
  >     if s < 0:
  >         apps.write(at + ", GPU-1, 17, train, 900\n")
  >     gpu.flush(), apps.flush()
  >     time.sleep(s >= 0)
  > PY
  $ while [ "$(cat "$d"/run/*.csv 2>/dev/null | wc -l)" -lt 43 ]; do sleep 0.1; done
  $ smilog follow --format jsonl --tz UTC --for 16 --rules "$d/rules.json" "$d/run" 2>/dev/null | python3 -SE -c '
  > import json, sys
  > lines = [json.loads(line) for line in sys.stdin]
  > print({a["text"] for now in lines for a in now["alerts"]} or "no alert", [m["state"] for m in lines[-1]["monitors"]])'
  no alert ['ok', 'ok']
  $ wait; rm -r "$d"

exec understands tail in any language
# tail says in the user's language that its file was truncated: each line is stored once all the same.
  $ d=$(mktemp -d) || exit
  $ cat >"$d/tail" <<'SH'
  > #!/bin/sh
  > # The first call follows a file that is truncated on the way; later ones read the file as it then is.
  > [ -e "$d/called" ] && exec dd if="$d/new" bs=1 skip=$(($1 - 1)) status=none
  > >"$d/called"
  > cat "$d/old"
  > sleep 2 # the time that follow needs to read it, and tail to look again
  > if [ "$LC_ALL" = C ]; then echo "tail: new: file truncated" >&2; else echo "tail: new: Datei abgeschnitten" >&2; fi
  > sleep 2
  > cat "$d/new"
  > SH
  $ rows() { echo "timestamp, index, utilization.gpu [%]"; for s in $(seq "$1" "$2"); do echo "2026/01/02 03:04:$s.000, 0, 90 %"; done; }
  $ rows 10 29 >"$d/old"; rows 40 55 >"$d/new"
  $ chmod +x "$d/tail"; export d
  $ for l in C de_DE.UTF-8; do
  >     env LANG=$l LC_ALL=$l timeout 60 smilog follow -q --tz UTC --for 7 --store "$d/$l.sqlite" --exec "$d/tail %o" 2>"$d/err"
  >     grep -c truncated "$d/err"
  >     python3 -SE -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*), count(DISTINCT text) FROM line").fetchone())' "$d/$l.sqlite"
  >     rm "$d/called"
  > done
  1
  (38, 37)
  1
  (38, 37)
  $ rm -r "$d"

lines are stored once
  $ d=$(mktemp -d) || exit
  $ log=$d/hw.csv
  $ echo 'timestamp, index, utilization.gpu [%]' >"$log"
  $ follow() { timeout -s "$1" 3 smilog follow -q --store "$d/s.sqlite" --for 1.6 "$log"; }
  $ for i in 1 2 3; do echo "2026/07/03 10:00:0$i.000, 0, $i" >>"$log"; done
  $ follow KILL
  $ mv "$log" "$log.1"; echo 'timestamp, index, utilization.gpu [%]' >"$log"
  $ for i in 4 5; do echo "2026/07/03 10:00:0$i.000, 0, $i" >>"$log"; done
  $ follow KILL
  $ follow KILL
  $ python3 -SE - "$d/s.sqlite" <<'EOF'
  > import sqlite3, sys
  > for row in sqlite3.connect(sys.argv[1]).execute("select part, line, offset, text from line order by part, line"):
  >     print(*row[:3], row[3].decode() if isinstance(row[3], bytes) else row[3])
  > EOF
  1 1 0 timestamp, index, utilization.gpu [%]
  1 2 38 2026/07/03 10:00:01.000, 0, 1
  1 3 68 2026/07/03 10:00:02.000, 0, 2
  1 4 98 2026/07/03 10:00:03.000, 0, 3
  2 1 0 timestamp, index, utilization.gpu [%]
  2 2 38 2026/07/03 10:00:04.000, 0, 4
  2 3 68 2026/07/03 10:00:05.000, 0, 5
  $ rm -r "$d"

listen serves what is followed
  $ python3 -SE - <<'PY'
  > # Rows that are there already are as old as they say: a new one has series.
  > import http.client, json, os, re, shutil, subprocess, tempfile, time
  > run = tempfile.mkdtemp()
  > log = shutil.copytree("../../../fixtures/sweep/lr=0.1/seed=1", run, dirs_exist_ok=True) + "/hw_metrics.csv"
  > os.remove(run + "/hw_dmon.csv")
  > f = subprocess.Popen(["smilog", "follow", "-q", "--tz", "UTC", "--listen", "[::1]:0", "--names=dcgm", run],
  >                      stderr=subprocess.PIPE, text=True)
  > port = int(re.fullmatch(r"smilog: http://\[::1\]:(\d+)/\n", f.stderr.readline())[1])
  > def get(path):
  >     c = http.client.HTTPConnection("::1", port, timeout=10)
  >     c.request("GET", path)
  >     return c.getresponse().read().decode()
  > while 'gpu="1"' not in get("/metrics"):
  >     time.sleep(0.05)
  > time.sleep(0.5)
  > print("DCGM" in get("/metrics"))
  > rows = open(log).readlines()[-2:]
  > with open(log, "a") as f_log:
  >     f_log.writelines(row.replace("23:10:44", "23:10:46") for row in rows)
  > for _ in range(100):
  >     text = get("/metrics")
  >     if "DCGM" in text:
  >         break
  >     time.sleep(0.05)
  > print(sorted(set(re.findall(r"^# TYPE (DCGM_\w+ \w+)", text, re.M))))
  > state = json.loads(re.search(r'id="state">(.*?)</script>', get("/"), re.S)[1])
  > print(state["page"]["title"], state["page"]["host"], [g["gpu"] for g in state["page"]["gpus"]])
  > f.terminate()
  > print(f.wait(10))
  > shutil.rmtree(run)
  > PY
  False
  ['DCGM_FI_DEV_FB_FREE gauge', 'DCGM_FI_DEV_FB_TOTAL gauge', 'DCGM_FI_DEV_FB_USED gauge', 'DCGM_FI_DEV_GPU_TEMP gauge', 'DCGM_FI_DEV_GPU_UTIL gauge', 'DCGM_FI_DEV_MEM_CLOCK gauge', 'DCGM_FI_DEV_MEM_COPY_UTIL gauge', 'DCGM_FI_DEV_POWER_USAGE gauge', 'DCGM_FI_DEV_PSTATE gauge', 'DCGM_FI_DEV_SM_CLOCK gauge']
  smilog follow None ['0', '1']
  0

logs of one directory are told apart
# Logs of several runs in one directory, as Slurm jobs leave them, and runs of two machines: the table, the lines, the JSON
# and the alerts name the run of each GPU, and its host if there are two.
  $ d=$(mktemp -d) || exit
  $ log() { # its name, and the use of each of its GPUs
  >     f=$1; shift
  >     mkdir -p "${f%/*}"
  >     { echo 'timestamp, index, utilization.gpu [%], temperature.gpu'
  >       for s in 9 8 7 6 5 4 3 2 1 0; do
  >           g=0; for use; do date -u -d "-$s sec" "+%Y/%m/%d %H:%M:%S.000, $g, $use, 95"; g=$((g + 1)); done
  >       done; } >"$f"
  > }
  $ look() {
  >     smilog follow --once --tz UTC "$1" | sed -E '1d; s/^( *[^ ]+) +[^0-9]*([0-9]+ %).*/\1 \2/' | grep -E 'ALERT| %'
  >     smilog follow --plain --tz UTC -i 0.3 --for 0.7 "$1" 2>/dev/null | tail -n 1 | grep -o 'gpu%.* GiB'
  >     smilog follow --once --json --tz UTC "$1" |
  >         python3 -SE -c 'import json, sys; print(*[(a["run"], a["host"], a["gpu"], a["text"]) for a in json.load(sys.stdin)["alerts"]], sep="\n")'
  > }
  $ log "$d/slurm/gpu-4711_2.csv" 20 30
  $ log "$d/slurm/gpu-4711_7.csv" 70
  $ look "$d/slurm"
  ▲ 3 ALERTS   GPU 4711_2/0: 95 °C   GPU 4711_2/1: 95 °C   GPU 4711_7/0: 95 °C
  all GPUs     40.0 %   idle 0.00 GPU-h
  4711_2/0 20 %
  4711_2/1 30 %
  4711_7/0 70 %
  gpu% 4711_2: 20 30 4711_7: 70 GiB
  ('4711_2', None, 0, 'GPU 4711_2/0: 95 °C')
  ('4711_2', None, 1, 'GPU 4711_2/1: 95 °C')
  ('4711_7', None, 0, 'GPU 4711_7/0: 95 °C')
  $ log "$d/pods/a/hw.csv" 10
  $ log "$d/pods/b/hw.csv" 50
  $ for run in a=node7 b=node8; do
  >     echo '{"ts": "2026-07-03T10:10:50+00:00", "type": "event", "event": "start", "data": {"hostname": "'"${run#*=}"'"}}' >"$d/pods/${run%=*}/run.jsonl"
  > done
  $ look "$d/pods"
  ▲ 2 ALERTS   GPU node7:a/0: 95 °C   GPU node8:b/0: 95 °C
  all GPUs     30.0 %   idle 0.00 GPU-h
  node7:a/0 10 %
  node8:b/0 50 %
  gpu% node7:a: 10 node8:b: 50 GiB
  ('a', 'node7', 0, 'GPU node7:a/0: 95 °C')
  ('b', 'node8', 0, 'GPU node8:b/0: 95 °C')
  $ rm -r "$d"

once as json
  $ smilog follow --once --json ../../../fixtures/query_units.csv | python3 -SE -c "
  > import json, sys
  > d = json.load(sys.stdin)
  > print([g[\"name\"] for g in d[\"gpus\"]], [a[\"rule\"] for a in d[\"alerts\"]], d[\"total\"][\"covered_s\"])"
  ['NVIDIA GeForce RTX 3090', 'NVIDIA GeForce RTX 3090'] ['logs-ended'] 22.09
  $ smilog follow --once --plain x
  2> smilog: --once is a table or, with --json, an object; it ends by itself, and stores nothing
  2> try: smilog help follow
  [2]

parts of a log are no logs
# follow is stopped and started again before a log is rotated, and again while its name is free: the older parts are read
# as what they are, and not once more as logs of their own.
  $ d=$(mktemp -d) || exit
  $ python3 -SE - "$d" <<'PY'
  > import os, sqlite3, subprocess, sys, time
  > d = sys.argv[1]
  > log, n = d + "/out/hw.csv", 0
  > os.mkdir(d + "/out")
  > def rows(path, count):
  >     global n
  >     with open(path, "a") as f:
  >         if not f.tell():
  >             f.write("timestamp, index, utilization.gpu [%]\n")
  >         for n in range(n, n + count):
  >             f.write(f"2026/07/03 10:00:{n:02}.000, 0, 50 %\n")
  >     n += 1
  > def start():
  >     return subprocess.Popen(["smilog", "follow", "-q", "--tz", "UTC", "--store", d + "/s.sqlite", d + "/out"],
  >                             stderr=subprocess.DEVNULL)
  > def ask(sql):
  >     try:
  >         db = sqlite3.connect(d + "/s.sqlite", timeout=30)
  >         return db.execute(sql).fetchone()
  >     except sqlite3.OperationalError:
  >         return 0, 0
  > def wait():
  >     end = time.monotonic() + 60
  >     while ask("SELECT count(DISTINCT text) FROM line WHERE text LIKE '2026%'")[0] < n and time.monotonic() < end:
  >         time.sleep(0.05)
  > rows(log + ".1", 5)
  > time.sleep(0.02)
  > rows(log, 5)
  > p = start()
  > wait()
  > p.kill()
  > p.wait()
  > p = start()
  > rows(log, 5)
  > wait()
  > os.rename(log + ".1", log + ".2")
  > os.rename(log, log + ".1")
  > rows(log + ".1", 5)
  > wait()
  > time.sleep(2)
  > p.kill()
  > p.wait()
  > p = start()
  > time.sleep(2)
  > rows(log, 5)
  > wait()
  > p.terminate()
  > p.wait()
  > print(*ask("SELECT count(*), count(DISTINCT text) FROM line WHERE text LIKE '2026%'"))
  > print(*ask("SELECT count(*), max(part) FROM source"))
  > PY
  25 25
  1 3
  $ rm -r "$d"

rows without times are as old as those with
# dmon prints no times. What it left there months ago is no reading of now, in whichever order the logs are read.
  $ for run in lr=0.1/seed=1 lr=0.3/seed=3; do
  >     smilog follow --once --format jsonl ../../../fixtures/sweep/$run 2>/dev/null | python3 -SE -c '
  > import json, sys
  > for gpu in json.loads(sys.stdin.readline())["gpus"]:
  >     print(gpu["index"], gpu["state"], gpu["gpu_util_pct"], gpu["mem_util_pct"], gpu["fb_used_mib"])'
  > done
  0 stale None None None
  1 stale None None None
  0 stale None None None
  1 stale None None None

runs are kept apart
# GPU 0 of three machines, without a uuid: three GPUs, each with its run and host; 300 of one machine, all of them
  $ d=$(mktemp -d) || exit
  $ row() { date -u "+%Y/%m/%d %H:%M:%S.000, $1, $2"; }
  $ head='timestamp, index, utilization.gpu [%]'
  $ for run in a=90 b=10 lr/c=50; do
  >     mkdir -p "$d/${run%=*}"
  >     { echo "$head"; row 0 "${run#*=}"; } >"$d/${run%=*}/hw.csv"
  > done
  $ echo '{"ts": "2026-07-03T10:10:50+00:00", "type": "event", "event": "start", "data": {"hostname": "node7"}}' >"$d/a/run.jsonl"
  $ smilog follow --once --tz UTC "$d" | sed -E '1d; s/^( *[^ ]+) +[^0-9]*([0-9]+ %).*/\1 \2/'
  no alerts
  all GPUs     50.0 %

     GPU  NOW                LAST 10 MIN (10 s a cell)                                      VRAM GiB  POWER W   °C   MHz  MEM  REMARK
     a/0 90 %
     b/0 10 %
  lr/c/0 50 %
  $ smilog follow --format jsonl --tz UTC -i 0.3 --for 0.5 "$d" | tail -n 1 |
  >     python3 -SE -c 'import json, sys; print(*[(g["run"], g["host"], g["index"], g["gpu_util_pct"]) for g in json.load(sys.stdin)["gpus"]], sep="\n")'
  ('a', 'node7', 0, 90.0)
  ('b', None, 0, 10.0)
  ('lr/c', None, 0, 50.0)
  $ python3 -SE - "$d" <<'PY'
  > import re, subprocess, sys, time, urllib.request
  > f = subprocess.Popen(["smilog", "follow", "-q", "--tz", "UTC", "--listen", "0", sys.argv[1]], stderr=subprocess.PIPE, text=True)
  > port = re.search(r":(\d+)/", f.stderr.readline())[1]
  > for _ in range(100):
  >     text = urllib.request.urlopen("http://127.0.0.1:%s/metrics" % port).read().decode()
  >     series = re.findall(r"^smilog_gpu_lost{.*", text, re.M)
  >     if len(series) == 3 and any("node7" in s for s in series):
  >         break
  >     time.sleep(0.05)
  > print(*series, sep="\n")
  > f.terminate()
  > PY
  smilog_gpu_lost{gpu="0",host="node7",run="a"} 0.0
  smilog_gpu_lost{gpu="0",run="b"} 0.0
  smilog_gpu_lost{gpu="0",run="lr/c"} 0.0
  $ rm -r "$d/a" "$d/b" "$d/lr"
  $ { echo "$head"; row N 7 | awk '{for (g = 0; g < 300; g++) { line = $0; sub(/, N,/, ", " g ",", line); print line }}'; } >"$d/hw.csv"
  $ smilog follow --once --tz UTC "$d" | grep -c ' 7 %'
  300
  $ rm -r "$d"

the last poll is seen
  $ python3 -SE - <<'PY'
  > # Rows without a key: the last poll of a log that is over has no next one that would say that it is whole. The totals have
  > # it at once with --once, and else when the log has been silent for three intervals.
  > import json, subprocess, tempfile
  > log = tempfile.NamedTemporaryFile("w", suffix=".csv")
  > log.write("timestamp, utilization.gpu [%], power.draw [W]\n")
  > for i in range(40):
  >     for gpu in range(2):
  >         log.write(f"2026/07/03 10:00:{i:02}.00{gpu}, {90 if i < 39 else 0} %, {100 + 100 * gpu}.00 W\n")
  > log.flush()
  > def out(*words):
  >     return subprocess.run(["smilog", *words, log.name], stdout=subprocess.PIPE, text=True).stdout
  > print([json.loads(line)["total"] for line in out("follow", "--json", "--once").splitlines()])
  > print(json.loads(out("follow", "--json", "--for", "6").splitlines()[-1])["total"])
  > run = json.loads(out("summarize", "-q", "--json"))["runs"][0]
  > print(round(run["gpu_hours"] * 3600, 1), run["energy_wh"])
  > PY
  [{'covered_s': 78.0, 'idle_s': 2.0, 'energy_wh': 3.25}]
  {'covered_s': 78.0, 'idle_s': 2.0, 'energy_wh': 3.25}
  78.0 3.25

the log of the kernel tells of xids
# Alone, and beside the log of its GPUs, which may be of another directory and come later; every number is an event.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ mkdir gpus && python3 -SE - <<'EOF' >gpus/gpu.csv
  > from datetime import datetime, timedelta
  > now = datetime.now()
  > print("timestamp, index, pci.bus_id, utilization.gpu [%]")
  > for k in range(10):
  >     for i in range(2):
  >         at = (now - timedelta(seconds=9 - k)).strftime("%Y/%m/%d %H:%M:%S.000")
  >         print(f"{at}, {i}, 00000000:{0x3b + i:X}:00.0, 90 %")
  > EOF
  $ cat >kern.log <<'EOF'
  > Jul  3 12:31:01 node7 kernel: [12345.001] usb 1-1: new high-speed USB device
  > Jul  3 12:31:07 node7 kernel: [12351.678] NVRM: Xid (PCI:0000:3c:00): 31, pid=17, name=python3
  > Jul  3 12:31:09 node7 kernel: [12353.678] NVRM: Xid (PCI:0000:3c:00): 79, pid=17, GPU has fallen off the bus.
  > EOF
  $ sed 's/.*kernel: //' kern.log >dmesg
  $ for stamp in '[    0.001] ' '[Fri Jul  3 12:31:07 2026] ' 'Jul 03 12:31:07 node7 kernel: '; do
  >     { echo "${stamp}usb 1-1: new device"; sleep 0.3; echo "${stamp}NVRM: Xid (PCI:0000:3c:00): 79, pid=17"; } |
  >         smilog follow -q --listen 0 - 2>&1 | grep -v http
  > done
  smilog: error: GPU 0000:3c:00: XID 79
  smilog: error: GPU 0000:3c:00: XID 79
  smilog: error: GPU 0000:3c:00: XID 79
  smilog: error: GPU 0000:3c:00: XID 79
  smilog: error: GPU 0000:3c:00: XID 79
  smilog: error: GPU 0000:3c:00: XID 79
  $ for logs in "gpus kern.log" "dmesg gpus" kern.log; do
  >     smilog follow --once $logs 2>err | sed -n 2p
  >     echo "status ${PIPESTATUS[0]}"
  > done
  ▲ 1 ALERT   GPU 1: XID 79
  status 1
  ▲ 1 ALERT   GPU 1: XID 79
  status 1
  ▲ 1 ALERT   GPU 0000:3c:00: XID 79
  status 1
  $ grep -v Xid kern.log >quiet.log
  $ smilog follow --once quiet.log | sed -n 2p
  no alerts
  $ smilog follow -q --store s.sqlite --for 1 gpus kern.log
  2> smilog: error: GPU 0000:3c:00: XID 31
  2> smilog: error: GPU 0000:3c:00: XID 79
  2> smilog: error: GPU 1: XID 79
  $ rm -r "$d"

what is no log is said
# a stream of something else, and packed logs in a directory; other packed files are no news
  $ d=$(mktemp -d) || exit
  $ echo 'make: Nothing to be done' | smilog follow --plain - >/dev/null; echo $?
  3
  2> smilog: warning: -: no known log format: begins with "make: Nothing to be done"
  2> smilog: no log has come
  $ head -c 100000 /dev/zero | smilog follow -q --listen 0 - 2>&1 | grep -v http; echo "${PIPESTATUS[1]}"
  smilog: warning: -: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  smilog: no log has come
  3
  $ : | smilog follow --plain - >/dev/null; echo $?
  3
  2> smilog: no log has come
  $ mkdir "$d/run"
  $ { echo 'timestamp, index, utilization.gpu [%]'; echo '2026/07/03 10:00:00.000, 0, 7'; } >"$d/run/hw.csv"
  $ gzip <"$d/run/hw.csv" >"$d/run/other.csv.gz"
  $ echo text | gzip >"$d/run/notes.gz"
  $ smilog follow --plain --tz UTC --for 0.5 "$d" 2>&1 >/dev/null | sed "s|$d/||"
  smilog: warning: run/other.csv.gz: packed, and so not followed: smilog summarize reads it
  $ rm -r "$d"

what is typed wrong
  $ smilog follow; echo $?
  2
  2> smilog: follow needs a PATH, - or --exec COMMAND
  2> try: smilog help follow
  $ smilog follow -q x; echo $?
  2
  2> smilog: -q without --store FILE, --alert-exec or --listen would do nothing
  2> try: smilog help follow
  $ smilog follow --format csv x; echo $?
  2
  2> smilog: --format is one of auto|plain|jsonl, not "csv"
  2> try: smilog help follow
  $ smilog follow --tz Nowhere x; echo $?
  2
  2> smilog: --tz needs UTC or an offset such as +02:00, not "Nowhere"
  2> try: smilog help follow

where a log stands
# of rows that were written just now; one that ended long ago has no readings of this moment
  $ d=$(mktemp -d) || exit
  $ for s in 2 1 0; do date -u -d "-$s sec" '+%Y/%m/%d %H:%M:%S.000, 0, 9, 1024'; done >"$d/rows"
  $ { echo 'timestamp, index, utilization.gpu [%], memory.used [MiB]'; cat "$d/rows"; date -u '+%Y/%m/%d %H:%M:%S.000, 0, 50' | tr -d '\n'; } >"$d/hw.csv"
  $ look() { sed -E 's/[0-9:]{8} UTC/HH:MM:SS UTC/; s/[^ ]*(tmp[^ ]*)?\/hw.csv/hw.csv/; s/[0-9]+m[0-9]+s/MmSSs/g; s/··*▁* / CELLS /'; }
  $ LC_ALL=C.UTF-8 smilog follow --once --tz UTC "$d" | look; echo "${PIPESTATUS[0]}"
  smilog follow  1 GPU  HH:MM:SS UTC
  no alerts
  GPU     9.0 %   1 GiB   idle 0.00 GPU-h

  GPU  NOW                LAST 1 MIN (1 s a cell)                                        VRAM GiB  POWER W   °C   MHz  MEM  REMARK
    0  ▉             9 %   CELLS        1.0        -    -     -    -
  0
  $ smilog follow --once --tz +02:00 - <"$d/hw.csv" | look | head -n 1
  smilog follow  1 GPU  HH:MM:SS UTC+02:00
  $ { head -n 1 "$d/hw.csv"; date -u -d '-43 min' '+%Y/%m/%d %H:%M:%S.000, 0, 9, 1024'; } >"$d/dead.csv"
  $ rm "$d/hw.csv"; mv "$d/dead.csv" "$d/hw.csv"
  $ smilog follow --once --tz UTC "$d" | look; echo "${PIPESTATUS[0]}"
  smilog follow  1 GPU  HH:MM:SS UTC
  ▲ 1 ALERT   log hw.csv is silent: no row for MmSSs
  GPU

  GPU  NOW                LAST 10 MIN (10 s a cell)                                      VRAM GiB  POWER W   °C   MHz  MEM  REMARK
    0                  -   CELLS          -        -    -     -    -  reading MmSSs old
  1
  $ smilog follow --plain --tz UTC --for 1.5 --rules <(echo '{"alerts": {"logs-ended": {"on_s": 0}}}') --alert-exec 'echo "$SMILOG_RULE"' "$d" 2>&1 >/dev/null | look | sort
  smilog: warning: log hw.csv is silent: no row for MmSSs
# its run has ended: so it is no alert
  $ echo '{"ts": "2026-07-03T10:10:50+00:00", "type": "event", "event": "stop", "data": {"exit_status": 0}}' >"$d/run.jsonl"
  $ smilog follow --once --tz UTC "$d" | sed -n 2p; echo "${PIPESTATUS[0]}"
  no alerts
  0
  $ rm -r "$d"

zeros hold nothing up
  $ python3 -SE - <<'PY'
  > # Lines of NUL bytes, as a crash of the machine leaves them, stop nothing: with --once they are not waited for, and else
  > # all that is in the file by now waits three seconds once.
  > import json, subprocess, tempfile
  > log = tempfile.NamedTemporaryFile("w", suffix=".csv")
  > log.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
  > for i in range(50):
  >     log.write(f"2026/07/03 10:00:{i:02}.000, 0, 50 %, 100.00 W\n" + "\0\0\0\0\0\n" * (i % 10 == 5))
  > log.flush()
  > def out(*words):
  >     return json.loads(subprocess.run(["smilog", *words, log.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()[-1])
  > print(out("follow", "--json", "--once")["total"], out("follow", "--json", "--for", "7")["total"])
  > PY
  {'covered_s': 49.0, 'idle_s': 0.0, 'energy_wh': 1.361111} {'covered_s': 49.0, 'idle_s': 0.0, 'energy_wh': 1.361111}

GPUs of several machines in one log
# As kubectl logs --prefix writes them: each machine in front of rows has a GPU 0 of its own.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ { for p in 0 1; do echo "[pod/train-$p/main] timestamp, index, utilization.gpu [%], power.draw [W]"; done
  >   for i in $(seq 20 -1 1); do t=$(date -d "-$i sec" +'%Y/%m/%d %H:%M:%S.000'); for p in 0 1; do echo "[pod/train-$p/main] $t, 0, $((10 + 80 * p)) %, $((100 + 300 * p)) W"; done; done; } >pods.log
  $ smilog follow --once pods.log | grep -oE '^pod[^ ]*|[0-9]+ %|^all.*kW'
  all GPUs     50.0 %   0.50 kW
  pod/train-0/main:0
  10 %
  pod/train-1/main:0
  90 %

a pipe that breaks says since when it was silent
# Of `ssh pod tail -f log | smilog follow -`: what came is shown, the status is that of an end. One that ends with its rows says nothing.
  $ row() { date '+%Y/%m/%d %H:%M:%S.000, 0, 5'; }
  $ { echo 'timestamp, index, utilization.gpu [%]'; sleep 0.5; row; sleep 4; } | smilog follow - --plain 2>said >lines; echo $?
  0
  $ sed 's/[0-9.]*s after/N s after/' said; grep -c 'gpu% 5 ' lines | sed 's/[1-9][0-9]*/some/'
  smilog: warning: -: it has ended, N s after its last row
  some
  $ { echo 'timestamp, index, utilization.gpu [%]'; sleep 0.5; row; } | smilog follow - --plain >/dev/null

once of a long log that grows
# Its first 64 KiB ended long ago, its last rows are of now: no GPU is stale.
  $ d=$(mktemp -d) || exit
  $ python3 -SE - >"$d/gpu.csv" <<'PY'
  > import time
  > now = time.time()
  > print("timestamp, index, name, utilization.gpu [%]")
  > for k in range(1500):
  >     print(time.strftime("%Y/%m/%d %H:%M:%S.000", time.gmtime(now - 1499 + k)) + ", 0, a card with quite a long name of its own, 90 %")
  > PY
  $ [ "$(wc -c <"$d/gpu.csv")" -gt 65536 ] && smilog follow --once --json --tz UTC "$d/gpu.csv" >"$d/now"; echo $?
  0
  $ python3 -SE -c 'import json, sys; now = json.load(open(sys.argv[1])); print(now["alerts"], [(g["state"], g["gpu_util_pct"]) for g in now["gpus"]])' "$d/now"
  [] [('ok', 90.0)]
  $ rm -r "$d"
