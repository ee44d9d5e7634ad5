a dry run on a full disk fails
  $ smilog export --dry-run ../../../fixtures/query_units.csv --to jsonl:- >/dev/full
  2> smilog: cannot write standard output: No space left on device
  [4]

a log is never overwritten
  $ cp ../../../fixtures/query_units.csv log.csv
  $ smilog export log.csv --to jsonl:log.csv; echo $?
  2
  2> smilog: --to log.csv: is an input of this command
  2> try: smilog help export
  $ smilog export . --to jsonl:log.csv; echo $?
  2
  2> smilog: --to log.csv: is an input of this command
  2> try: smilog help export
  $ cmp log.csv ../../../fixtures/query_units.csv; ls -A | grep -vE "^(cmd|std)"; rm log.csv
  log.csv

a row with an odd index
# A cell that is no index is a GPU of its own in the summary: its reading is in the export, too.
  $ printf 'timestamp, index, utilization.gpu [%%]\n%s, 0, 5 %%\n%s, 2024/02/11 09:15:03.000, 6 %%\n%s, 0, 7 %%\n' \
  >     '2024/02/11 09:15:02.000' '2024/02/11 09:15:03.000' '2024/02/11 09:15:04.000' |
  >     smilog export -q - --to csv:- | cut -d, -f4-
  format,row,time,device,gpu,uuid,bus,name,gpu_util_pct
  nvidia-smi-query,0,2024-02-11T09:15:02.000,gpu,0,,,,5.0
  nvidia-smi-query,1,2024-02-11T09:15:03.000,gpu,1,,,,6.0
  nvidia-smi-query,2,2024-02-11T09:15:04.000,gpu,0,,,,7.0

a row says which machine its gpu is in
# Two nodes in one log, in front of the lines or in a column. Logs of one machine have no such column.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ mkdir front column one
  $ { for node in b2 a1; do echo "$node: timestamp, index, utilization.gpu [%]"; done; for i in {0..9}; do for node in b2 a1; do for gpu in 0 1; do echo "$node: 2026/07/03 10:00:0$i.000, $gpu, 4$gpu %"; done; done; done; } >front/gpu.log
  $ { echo "timestamp,hostname,index,utilization.gpu [%]"; for i in {0..9}; do for node in b2 a1; do for gpu in 0 1; do echo "2026/07/03 10:00:0$i.000,$node,$gpu,4$gpu %"; done; done; done; } >column/gpu.csv
  $ grep -v b2 front/gpu.log >one/gpu.log
  $ for run in front column one; do
  >     smilog export -q --to csv:- $run | sed -n '1,4s/^[^,]*,[^,]*,[^,]*,[^,]*,//p'
  >     smilog export -q --to jsonl:- $run | sed -n '1,4s/.*"gpu"/"gpu"/p'
  >     smilog export -q --tz UTC --to openmetrics:- $run | sed -n 's/.*{\(.*\)} .*/\1/p' | uniq
  >     smilog export -q --to sqlite:$run.db $run
  >     python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(*d.execute("SELECT idx, machine, count(*) FROM gpus JOIN samples USING (run, gpu) GROUP BY gpus.gpu ORDER BY gpus.gpu"))' $run.db
  > done
  row,time,device,gpu,uuid,bus,name,machine,gpu_util_pct
  0,2026-07-03T10:00:00.000,gpu,0,,,,b2,40.0
  1,2026-07-03T10:00:00.000,gpu,1,,,,b2,41.0
  2,2026-07-03T10:00:00.000,gpu,0,,,,a1,40.0
  "gpu": 0, "uuid": null, "name": null, "machine": "b2", "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "machine": "b2", "gpu_util_pct": 41.0}
  "gpu": 0, "uuid": null, "name": null, "machine": "a1", "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "machine": "a1", "gpu_util_pct": 41.0}
  gpu="0",machine="a1",run="front"
  gpu="0",machine="b2",run="front"
  gpu="1",machine="a1",run="front"
  gpu="1",machine="b2",run="front"
  (0, 'a1', 10) (0, 'b2', 10) (1, 'a1', 10) (1, 'b2', 10)
  row,time,device,gpu,uuid,bus,name,machine,gpu_util_pct
  0,2026-07-03T10:00:00.000,gpu,0,,,,b2,40.0
  1,2026-07-03T10:00:00.000,gpu,1,,,,b2,41.0
  2,2026-07-03T10:00:00.000,gpu,0,,,,a1,40.0
  "gpu": 0, "uuid": null, "name": null, "machine": "b2", "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "machine": "b2", "gpu_util_pct": 41.0}
  "gpu": 0, "uuid": null, "name": null, "machine": "a1", "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "machine": "a1", "gpu_util_pct": 41.0}
  gpu="0",machine="a1",run="column"
  gpu="0",machine="b2",run="column"
  gpu="1",machine="a1",run="column"
  gpu="1",machine="b2",run="column"
  (0, 'a1', 10) (0, 'b2', 10) (1, 'a1', 10) (1, 'b2', 10)
  row,time,device,gpu,uuid,bus,name,gpu_util_pct
  0,2026-07-03T10:00:00.000,gpu,0,,,,40.0
  1,2026-07-03T10:00:00.000,gpu,1,,,,41.0
  2,2026-07-03T10:00:01.000,gpu,0,,,,40.0
  "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "gpu_util_pct": 41.0}
  "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 40.0}
  "gpu": 1, "uuid": null, "name": null, "gpu_util_pct": 41.0}
  gpu="0",run="one"
  gpu="1",run="one"
  (0, None, 10) (1, None, 10)
  $ mkdir back && for kind in csv jsonl; do smilog export -q --to $kind:back/samples front; cmp <(smilog summarize -q front | grep ' 4[01]\.') <(smilog summarize -q back | grep ' 4[01]\.'); done

a stored sweep is no log
  $ smilog export sqlite:x.db --to csv:-; echo $?
  2
  2> smilog: sqlite:x.db: export reads logs; a stored sweep is for summarize, report, check, diff and merge
  2> try: smilog help export
  $ smilog export clickhouse://127.0.0.1/x --to jsonl:-; echo $?
  2
  2> smilog: clickhouse://127.0.0.1/x: export reads logs; a stored sweep is for summarize, report, check, diff and merge
  2> try: smilog help export

a target is asked for
  $ smilog export ../../../fixtures/sweep; echo $?
  2
  2> smilog: export needs a target for the samples: --to TARGET
  2> try: smilog help export
  $ smilog export ../../../fixtures/sweep --to nowhere:x; echo $?
  2
  2> smilog: --to nowhere: there is no such target; there are sqlite:FILE, csv:FILE|-, jsonl:FILE|-, openmetrics:FILE|-, pytorch:DIR, clickhouse[s]://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]
  2> try: smilog help export
  $ smilog export ../../../fixtures/sweep --to jsonl:; echo $?
  2
  2> smilog: --to jsonl:: what comes behind it? jsonl:FILE|-
  2> try: smilog help export
  $ smilog export --where 'idle_pct > 1' - --to jsonl:- </dev/null; echo $?
  2
  2> smilog: --where, --join, --since and --until read the runs twice: standard input comes once
  2> try: smilog help export
  $ smilog export '' --to jsonl:-; echo $?
  2
  2> smilog: a PATH is empty: a variable that is not set?
  2> try: smilog help export
  $ smilog export nothing --to jsonl:x; echo $?; ls x
  3
  2> smilog: warning: cannot open nothing: No such file or directory
  2> smilog: no usable log in nothing
  2> ls: cannot access 'x': No such file or directory
  [2]
  $ smilog export ../../../fixtures/sweep --to jsonl:no/such/x; echo $?
  4
  2> smilog: cannot create no/such/x: No such file or directory
  $ smilog export ../../../fixtures/sweep --to jsonl:x --to csv:y; echo $?
  2
  2> smilog: --to jsonl:x and --to csv:y: one at a time
  2> try: smilog help export

clickhouse needs a url and a server
# What cannot be is said before a log is read; a password is never repeated.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/log.csv"
  $ cd "$t" || exit
  $ to() {
  >     smilog export -q log.csv --to "$@" 2>&1
  >     echo "$?"
  > }
  $ to clickhouse://ann:secret@db/runs
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse://db
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse://db:99999/runs
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse://db/no-name
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse://db1,db2:8123/runs
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to "clickhouse://db/runs?x=1"
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse:db/runs
  smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  try: smilog help export
  2
  $ to clickhouse://127.0.0.1:1/runs
  smilog: ClickHouse 127.0.0.1:1: Connection refused
  4
  $ to clickhouse://127.0.0.1:1/runs --dry-run
  smilog: ClickHouse 127.0.0.1:1: Connection refused
  4
  $ to clickhouse://127.0.0.1:1/runs --password-file none
  smilog: cannot open none: No such file or directory
  4
  $ to jsonl:out --replace
  smilog: --to jsonl:out: --password-file and --replace are for other targets
  try: smilog help export
  2
  $ smilog summarize clickhouse://127.0.0.1:1/runs
  2> smilog: ClickHouse 127.0.0.1:1: Connection refused
  [3]
  $ echo $?
  3
  $ smilog summarize clickhouse://ann:secret@db/runs
  2> smilog: clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with names of at most 64 letters, digits and underscores, no digit first; a password belongs in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL
  [2]
  $ echo $?
  2
  $ ls
  log.csv

clickhouse there and back
# A real server: what is loaded is read back to the same JSON, grows, is replaced, may be sent twice, and waits.
  $ [ -x /usr/sbin/clickhouse-server ] || exit 77
  > cd "$root" || exit
  > export ASKED=10 TWOS=2 LOGS=10 KILLS=2 CRASHES=1 BETWEEN=5
  > SMILOG=$(command -v smilog) /usr/bin/python3 -B tests/system/clickhouse_check.py same asked grown replaced between two twice refused \
  >     documents down | tail -n 1 | cut -d, -f2
   0 failed

gpus known by serial alone stay apart
  $ cat >log.csv <<EOF
  > timestamp, serial, name, power.draw [W]
  > 2026/07/04 00:10:46.000, 1321, NVIDIA H100, 100.00 W
  > 2026/07/04 00:10:46.000, 1322, NVIDIA H100, 200.00 W
  > 2026/07/04 00:10:48.000, 1321, NVIDIA H100, 100.00 W
  > 2026/07/04 00:10:48.000, 1322, NVIDIA H100, 200.00 W
  > EOF
  $ for to in csv jsonl openmetrics; do smilog export --run-per file -q --tz UTC log.csv --to $to:-; done
  run,host,input,format,row,time,device,gpu,uuid,bus,name,power_w
  log.csv,,log.csv,nvidia-smi-query,0,2026-07-04T00:10:46.000Z,gpu,0,,,"NVIDIA H100",100.0
  log.csv,,log.csv,nvidia-smi-query,1,2026-07-04T00:10:46.000Z,gpu,1,,,"NVIDIA H100",200.0
  log.csv,,log.csv,nvidia-smi-query,2,2026-07-04T00:10:48.000Z,gpu,0,,,"NVIDIA H100",100.0
  log.csv,,log.csv,nvidia-smi-query,3,2026-07-04T00:10:48.000Z,gpu,1,,,"NVIDIA H100",200.0
  {"run": "log.csv", "host": null, "input": "log.csv", "format": "nvidia-smi-query", "row": 0, "time": "2026-07-04T00:10:46.000Z", "gpu": 0, "uuid": null, "name": "NVIDIA H100", "power_w": 100.0}
  {"run": "log.csv", "host": null, "input": "log.csv", "format": "nvidia-smi-query", "row": 1, "time": "2026-07-04T00:10:46.000Z", "gpu": 1, "uuid": null, "name": "NVIDIA H100", "power_w": 200.0}
  {"run": "log.csv", "host": null, "input": "log.csv", "format": "nvidia-smi-query", "row": 2, "time": "2026-07-04T00:10:48.000Z", "gpu": 0, "uuid": null, "name": "NVIDIA H100", "power_w": 100.0}
  {"run": "log.csv", "host": null, "input": "log.csv", "format": "nvidia-smi-query", "row": 3, "time": "2026-07-04T00:10:48.000Z", "gpu": 1, "uuid": null, "name": "NVIDIA H100", "power_w": 200.0}
  # HELP smilog_power_watts Board power draw (a 1 s mean on Ampere GA10x, Ada, Hopper and later)
  # TYPE smilog_power_watts gauge
  # UNIT smilog_power_watts watts
  smilog_power_watts{gpu="0",name="NVIDIA H100",run="log.csv"} 100.0 1783123846.000
  smilog_power_watts{gpu="0",name="NVIDIA H100",run="log.csv"} 100.0 1783123848.000
  smilog_power_watts{gpu="1",name="NVIDIA H100",run="log.csv"} 200.0 1783123846.000
  smilog_power_watts{gpu="1",name="NVIDIA H100",run="log.csv"} 200.0 1783123848.000
  # EOF
  $ for i in 1 2; do smilog export --run-per file --tz UTC log.csv --to sqlite:x.db 2>&1 | tail -n 1; done
  smilog: sqlite:x.db: 1 run, 4 rows, 0 marks written
  smilog: sqlite:x.db: 0 runs, 0 rows, 0 marks written
  $ python3 -SE -c 'import sqlite3
  > for row in sqlite3.connect("x.db").execute("select gpu, count(*), sum(power_w) from samples join gpus using (run, gpu) group by gpu"): print(*row)'
  1 2 200.0
  2 2 400.0
  $ rm log.csv x.db

gpus of one index at two places stay apart
# A run of two machines: GPUs of one index at two places are two, for samples as for the summary; so are two of one board,
# whose serial is one.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir places board boards
  $ log() { # FILE COLUMNS CELLS POWER
  >     echo "timestamp, $2, power.draw [W]"
  >     for t in 10 12; do echo "2026/07/04 10:00:$t.000, $3, $4.00 W"; done
  > }
  $ log places "uuid, pci.bus_id, index" "GPU-1c, 00000000:03:00.0, 1" 70 >places/a.csv
  $ log places "pci.bus_id, index" "00000000:3B:00.0, 1" 90 >places/b.csv
  $ { log board "serial, index" "131, 0" 50; log board "serial, index" "131, 1" 60; } >board/a.csv
  $ log boards "uuid, serial, index" "GPU-1c, 131, 0" 70 >boards/a.csv
  $ log boards "serial, index" "132, 0" 90 >boards/b.csv
  $ smilog export -q --run r boards --to csv:- | cut -d, -f6-
  time,device,gpu,uuid,bus,name,power_w
  2026-07-04T10:00:10.000,gpu,0,GPU-1c,,,70.0
  2026-07-04T10:00:12.000,gpu,0,GPU-1c,,,70.0
  2026-07-04T10:00:10.000,gpu,0,,,,90.0
  2026-07-04T10:00:12.000,gpu,0,,,,90.0
  $ for run in places board; do
  >     smilog export -q --run r $run --to csv:- | cut -d, -f6-
  >     smilog export -q --run r $run --to csv:$run.csv
  >     for f in $run $run.csv; do
  >         smilog summarize -q --run r --json $f | python3 -SE "$root/tests/cases/pick.py" 'gpus/*/gpu' 'gpus/*/metrics/power_w/mean'
  >     done
  > done
  time,device,gpu,uuid,bus,name,power_w
  2026-07-04T10:00:10.000,gpu,1,GPU-1c,00000000:03:00.0,,70.0
  2026-07-04T10:00:12.000,gpu,1,GPU-1c,00000000:03:00.0,,70.0
  2026-07-04T10:00:10.000,gpu,1,,00000000:3B:00.0,,90.0
  2026-07-04T10:00:12.000,gpu,1,,00000000:3B:00.0,,90.0
  gpus/*/gpu [1, 1]
  gpus/*/metrics/power_w/mean [70.0, 90.0]
  gpus/*/gpu [1, 1]
  gpus/*/metrics/power_w/mean [70.0, 90.0]
  time,device,gpu,uuid,bus,name,power_w
  2026-07-04T10:00:10.000,gpu,0,,,,50.0
  2026-07-04T10:00:12.000,gpu,0,,,,50.0
  2026-07-04T10:00:10.000,gpu,1,,,,60.0
  2026-07-04T10:00:12.000,gpu,1,,,,60.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/power_w/mean [50.0, 60.0]
  gpus/*/gpu [0, 1]
  gpus/*/metrics/power_w/mean [50.0, 60.0]

gpus that are left out stay out
# What was exported of one GPU is a run with that GPU alone wherever it is read back, whatever is asked of it then, and
# only a GPU that no log has is warned of.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W]"
  >   for i in $(seq 10 50); do for g in 0 1; do echo "2026/07/03 10:00:$i.000, $g, $((g * 50 + 20)) %, $((g * 100 + 100)).00 W"; done; done; } >$t/log.csv
  $ pick() { python3 -SE "$root/tests/cases/pick.py" energy_wh 'gpus/*/gpu'; }
  $ smilog export -q $t/log.csv --to sqlite:$t/all.db
  $ for gpus in 1 1,7; do
  >     (cd $t && smilog export --gpus $gpus log.csv --to sqlite:$gpus.db 2>&1)
  >     smilog summarize -q --json sqlite:$t/$gpus.db | pick
  > done
  smilog: sqlite:1.db: 1 run, 41 rows, 0 marks written
  energy_wh 2.222222
  gpus/*/gpu [1]
  smilog: warning: --gpus 7: no log has such a GPU
  smilog: sqlite:1,7.db: 1 run, 41 rows, 0 marks written
  energy_wh 2.222222
  gpus/*/gpu [1]
  $ smilog summarize -q --json --gpus 1 $t/log.csv | pick
  energy_wh 2.222222
  gpus/*/gpu [1]
  $ smilog merge -q --partial sqlite:$t/1.db | smilog merge -q --json - | pick
  energy_wh 2.222222
  gpus/*/gpu [1]
  $ smilog summarize -q --json --gpus 0 sqlite:$t/1.db | pick
  energy_wh null
  gpus/*/gpu []
  $ smilog summarize -q --json sqlite:$t/all.db | pick
  energy_wh 3.333333
  gpus/*/gpu [0, 1]

jsonl is a line a reading phase and event
  $ mkdir -p run
  $ cat >run/cpu.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T22:10:46.109Z,12.5,80.0
  > EOF
  $ cat >run/gpu.csv <<'EOF'
  > timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/04 00:10:46.109, 0, GPU-aa, NVIDIA H100 80GB HBM3, 50 %, 100 MiB, 70.25 W
  > 2026/07/04 00:10:46.109, 1, GPU-bb, NVIDIA H100 80GB HBM3, 0 %, [N/A], -0.001 W
  > 2026/07/04 00:10:46.109, 1, GPU-bb, NVIDIA H100 80GB HBM3, 9 %, 1 MiB, 1 W
  > 2026/07/04 00:10:48.109, 0, GPU-aa, NVIDIA H100 80GB HBM3, 100 %, 61234 MiB, 700.00 W
  > EOF
  $ cat >run/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T22:10:46.000+00:00", "type": "event", "event": "start", "data": {"host": "pod-3", "utc_offset_s": 7200, "lr": 1e-05, "name": "a \"b\"", "ok": true}}
  > {"ts": "2026-07-03T22:10:47.000123+00:00", "type": "phase", "name": "compile", "seconds": 0.5, "epoch": 3}
  > {"ts": "2026-07-03T22:10:48.000+00:00", "type": "phase", "name": "compile", "seconds": 0.9}
  > EOF
  $ smilog export run --to jsonl:-
  {"run": "run", "host": "pod-3", "input": "gpu.csv", "format": "nvidia-smi-query", "row": 0, "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-aa", "name": "NVIDIA H100 80GB HBM3", "gpu_util_pct": 50.0, "fb_used_mib": 100.0, "power_w": 70.25}
  {"run": "run", "host": "pod-3", "input": "gpu.csv", "format": "nvidia-smi-query", "row": 1, "time": "2026-07-03T22:10:46.109Z", "gpu": 1, "uuid": "GPU-bb", "name": "NVIDIA H100 80GB HBM3", "gpu_util_pct": 0.0}
  {"run": "run", "host": "pod-3", "input": "gpu.csv", "format": "nvidia-smi-query", "row": 2, "time": "2026-07-03T22:10:48.109Z", "gpu": 0, "uuid": "GPU-aa", "name": "NVIDIA H100 80GB HBM3", "gpu_util_pct": 100.0, "fb_used_mib": 61234.0, "power_w": 700.0}
  {"run": "run", "host": "pod-3", "input": "cpu.csv", "format": "cpu-csv", "row": 0, "time": "2026-07-03T22:10:46.109Z", "cpu_usr_pct": 12.5, "cpu_idle_pct": 80.0}
  {"run": "run", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0, "time": "2026-07-03T22:10:46.000Z", "event": "start", "data": {"host": "pod-3", "utc_offset_s": 7200, "lr": 1e-05, "name": "a \"b\"", "ok": true}}
  {"run": "run", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 1, "time": "2026-07-03T22:10:47.000123Z", "phase": "compile", "seconds": 0.5, "extra": {"epoch": 3}}
  {"run": "run", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 2, "time": "2026-07-03T22:10:48.000Z", "phase": "compile", "seconds": 0.9}

marks keep their own fields
# A row without a reading ends nothing. A phase has its own data and no more, also when it was written and read again;
# in SQLite none is NULL.
  $ d=$(mktemp -d) && cd "$d" && mkdir run again || exit
  $ printf 'timestamp, index, utilization.gpu [%%]\n%s, 0, 5 %%\n%s, 0, [N/A]\n%s, 0, 7 %%\n' \
  >     '2024/02/11 09:15:02.000' '2024/02/11 09:15:03.000' '2024/02/11 09:15:04.000' >run/gpu.csv
  $ cat >run/run.jsonl <<'J'
  > {"ts": "2024-02-11T09:15:02+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 0, "lr": 1}}
  > {"ts": "2024-02-11T09:15:03+00:00", "type": "phase", "name": "a", "seconds": 1, "x": 1}
  > {"ts": "2024-02-11T09:15:04+00:00", "type": "phase", "name": "b", "seconds": 1, "y": 2}
  > {"ts": "2024-02-11T09:15:05+00:00", "type": "phase", "name": "c", "seconds": 1}
  > {"ts": "2024-02-11T09:15:06+00:00", "type": "event", "event": "stop", "data": {"exit_status": 3}}
  > J
  $ smilog export -q run --to jsonl:again/samples.jsonl && cut -d, -f6- again/samples.jsonl
   "time": "2024-02-11T09:15:02.000Z", "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 5.0}
   "time": "2024-02-11T09:15:04.000Z", "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 7.0}
   "time": "2024-02-11T09:15:02.000Z", "event": "start", "data": {"utc_offset_s": 0, "lr": 1}}
   "time": "2024-02-11T09:15:03.000Z", "phase": "a", "seconds": 1.0, "extra": {"x": 1}}
   "time": "2024-02-11T09:15:04.000Z", "phase": "b", "seconds": 1.0, "extra": {"y": 2}}
   "time": "2024-02-11T09:15:05.000Z", "phase": "c", "seconds": 1.0}
   "time": "2024-02-11T09:15:06.000Z", "event": "stop", "data": {"exit_status": 3}}
  $ smilog export -q again --to jsonl:- | cut -d, -f6- | cmp - <(cut -d, -f6- again/samples.jsonl) || echo differs
  $ smilog export -q run --to csv:- | cut -d, -f6- | tail -n 4
  2024-02-11T09:15:03.000Z,mark,,,,"{""phase"": ""a"", ""seconds"": 1.0, ""extra"": {""x"": 1}}",
  2024-02-11T09:15:04.000Z,mark,,,,"{""phase"": ""b"", ""seconds"": 1.0, ""extra"": {""y"": 2}}",
  2024-02-11T09:15:05.000Z,mark,,,,"{""phase"": ""c"", ""seconds"": 1.0}",
  2024-02-11T09:15:06.000Z,mark,,,,"{""event"": ""stop"", ""data"": {""exit_status"": 3}}",
  $ for form in csv jsonl; do smilog export -q run --to $form:- | smilog summarize --format jsonl -q -; done >read
  $ smilog summarize --format jsonl -q run >>read
  $ python3 -SE -c '
  > import json
  > for run in map(json.loads, open("read")):
  >     print(run["state"], run["params"], [p["name"] for p in run["phases"]], run["start"].rstrip("Z"), run["duration_s"])'
  failed {'lr': 1} ['a', 'b', 'c'] 2024-02-11T09:15:02.000 4.0
  failed {'lr': 1} ['a', 'b', 'c'] 2024-02-11T09:15:02.000 4.0
  failed {'lr': 1} ['a', 'b', 'c'] 2024-02-11T09:15:02.000 4.0
  $ smilog export -q run --to sqlite:run.db
  $ python3 -SE -c 'import sqlite3; print(*sqlite3.connect("run.db").execute("SELECT name, data, extra FROM marks"), sep="\n")'
  ('start', '{"utc_offset_s": 0, "lr": 1}', None)
  ('a', None, '{"x": 1}')
  ('b', None, '{"y": 2}')
  ('c', None, None)
  ('stop', '{"exit_status": 3}', None)
  $ rm -r "$d"

openmetrics is in order of time from one source
  $ mkdir 'a "run"'
  $ cat >'a "run"/hw.csv' <<EOF
  > timestamp, index, uuid, name, utilization.gpu [%], temperature.gpu, ecc.errors.corrected.volatile.total, fan.speed [%]
  > 2026/07/04 00:10:46.109, 0, GPU-aa, NVIDIA H100, 50 %, 40, 7, 33 %
  > 2026/07/04 00:10:48.109, 0, GPU-aa, NVIDIA H100, 0.123456 %, 41, 9, [N/A]
  > 2026/07/04 00:10:47.109, 0, GPU-aa, NVIDIA H100, 9 %, -1, 9, 7 %
  > 2026/07/04 00:10:46.109, 0, GPU-aa, NVIDIA H100, 8 %, 2, 9, 8 %
  > EOF
  $ cat >'a "run"/dmon.txt' <<EOF
  > #Date       Time        gpu   pwr gtemp    sm
  > #YYYYMMDD   HH:MM:SS    Idx     W     C     %
  >  20260704   00:10:46      0    70    45     1
  > EOF
  $ smilog export --tz +02:00 --host pod 'a "run"' --to openmetrics:-
  # HELP smilog_gpu_util_ratio Share of the last sample period in which at least one kernel was running
  # TYPE smilog_gpu_util_ratio gauge
  # UNIT smilog_gpu_util_ratio ratio
  smilog_gpu_util_ratio{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 0.5 1783116646.109
  smilog_gpu_util_ratio{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 0.09 1783116647.109
  smilog_gpu_util_ratio{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 0.00123456 1783116648.109
  # HELP smilog_power_watts Board power draw (a 1 s mean on Ampere GA10x, Ada, Hopper and later)
  # TYPE smilog_power_watts gauge
  # UNIT smilog_power_watts watts
  smilog_power_watts{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 70.0 1783116646.000
  # HELP smilog_temp_gpu_celsius Core temperature
  # TYPE smilog_temp_gpu_celsius gauge
  # UNIT smilog_temp_gpu_celsius celsius
  smilog_temp_gpu_celsius{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 40.0 1783116646.109
  smilog_temp_gpu_celsius{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} -1.0 1783116647.109
  smilog_temp_gpu_celsius{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 41.0 1783116648.109
  # HELP smilog_fan_ratio Fan speed that is aimed at, in percent of the noise limit
  # TYPE smilog_fan_ratio gauge
  # UNIT smilog_fan_ratio ratio
  smilog_fan_ratio{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 0.33 1783116646.109
  smilog_fan_ratio{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 0.07 1783116647.109
  # HELP smilog_ecc_c_v Corrected ECC errors since the driver was loaded
  # TYPE smilog_ecc_c_v counter
  smilog_ecc_c_v_total{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 7.0 1783116646.109
  smilog_ecc_c_v_total{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 9.0 1783116647.109
  smilog_ecc_c_v_total{gpu="0",uuid="GPU-aa",name="NVIDIA H100",host="pod",run="a \"run\""} 9.0 1783116648.109
  # EOF
  $ echo; smilog export 'a "run"' --to openmetrics:x; cat x

  # EOF
  2> smilog: warning: a "run": 5 rows have no time in UTC and are left out (--tz gives their zone)
  2> smilog: openmetrics:x: 1 run, 0 rows, 0 marks written
  $ smilog export -q --strict 'a "run"' --to openmetrics:x; echo $?; smilog export -q --strict --tz +02:00 'a "run"' --to openmetrics:x; echo $?
  1
  0
  $ rm -r a* x

pytorch a recording knows its command
# of a command that Python does not run nothing is told; what an earlier export has made is no log
  $ mkdir run && cd run
  $ for c in 'python3 train.py' 'make python'; do
  >     printf '{"ts": "2025-02-13T21:36:%s+00:00", "type": "event", "event": "%s", "data": {"host": "vm"%s}}\n' \
  >         01.500 start ", \"command\": \"$c\"" 11.000 stop ', "exit_status": 0' >run.jsonl
  >     { echo timestamp,usr_pct,idle_pct,cpu_pct,cpu_iowait_pct,cpus,ram_pct
  >     for s in 00 05 10 15 20; do echo "2025-02-13T21:36:$s.000+00:00,1.0,90.0,$((10#$s)).5,1.0,8,2.5"; done; } >cpu_metrics.csv
  >     smilog export -q . --to pytorch:out --workflow-run-id 1 --job-id 2 --created-at 3 --log-interval 10 --replace
  >     cat out/usage_log/v_1.5/pytorch/pytorch/1/1/2/usage_log.txt; zcat out/util_metadata/v_1.5/pytorch/pytorch/1/1/2/metadata
  > done
  {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "", "job_name": "", "usage_collect_interval": 5.0, "data_model_version": 1.5, "start_at": 1739482560, "gpu_count": 0, "cpu_count": 8, "gpu_type": "", "error": null}
  {"level": "record", "timestamp": 1739482570, "data": {"cpu": {"avg": 5.5, "max": 10.5, "raw": [0.5, 5.5, 10.5]}, "memory": {"avg": 2.5, "max": 2.5, "raw": [2.5, 2.5, 2.5]}, "gpu_usage": null}, "cmd_names": ["python3 train.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1739482580, "data": {"cpu": {"avg": 18.0, "max": 20.5, "raw": [15.5, 20.5]}, "memory": {"avg": 2.5, "max": 2.5, "raw": [2.5, 2.5]}, "gpu_usage": null}, "cmd_names": ["python3 train.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"created_at": 3, "repo": "pytorch/pytorch", "workflow_id": 1, "run_attempt": 1, "job_id": 2, "workflow_name": "", "job_name": "", "usage_collect_interval": 5.0, "data_model_version": "1.5", "gpu_count": 0, "cpu_count": 8, "gpu_type": "", "start_at": 1739482560, "end_at": 1739482580, "segments": [{"level": "CMD_PYTHON", "name": "python3 train.py", "start_at": 1739482570, "end_at": 1739482580, "extra_info": {}}], "tags": []}
  {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "", "job_name": "", "usage_collect_interval": 5.0, "data_model_version": 1.5, "start_at": 1739482560, "gpu_count": 0, "cpu_count": 8, "gpu_type": "", "error": null}
  {"level": "record", "timestamp": 1739482570, "data": {"cpu": {"avg": 5.5, "max": 10.5, "raw": [0.5, 5.5, 10.5]}, "memory": {"avg": 2.5, "max": 2.5, "raw": [2.5, 2.5, 2.5]}, "gpu_usage": null}, "cmd_names": [], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1739482580, "data": {"cpu": {"avg": 18.0, "max": 20.5, "raw": [15.5, 20.5]}, "memory": {"avg": 2.5, "max": 2.5, "raw": [2.5, 2.5]}, "gpu_usage": null}, "cmd_names": [], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"created_at": 3, "repo": "pytorch/pytorch", "workflow_id": 1, "run_attempt": 1, "job_id": 2, "workflow_name": "", "job_name": "", "usage_collect_interval": 5.0, "data_model_version": "1.5", "gpu_count": 0, "cpu_count": 8, "gpu_type": "", "start_at": 1739482560, "end_at": 1739482580, "segments": [], "tags": []}
  $ rm -r out/util_*; smilog export . --to pytorch:out --workflow-run-id 1 --job-id 2 --strict; ls out
  usage_log
  util_metadata
  util_timeseries
  2> smilog: pytorch:out: 1 run, 4 rows, 0 marks written
  $ smilog export out --to pytorch:out --strict; echo $?
  3
  2> smilog: pytorch:out: nothing is written, for all logs are its own
  $ cd .. && rm -r run

pytorch a usage log as documents
  $ smilog export --run-per file usage_log.txt --to pytorch:out --created-at 1739490000; echo $?
  0
  2> smilog: warning: usage_log.txt: line 2 is dropped: no JSON
  2> smilog: warning: usage_log.txt: line 5 is dropped: its interval failed: "no data is collected but detected errors during the interval: ['NVML: 3']"
  2> smilog: pytorch:out: 1 run, 3 rows, 0 marks written
  $ cd out && find . -type f | sort && for f in $(find . -type f | sort); do zcat "$f"; done
  ./util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453/metadata
  ./util_timeseries/v_1.5/pytorch/pytorch/13310346522/1/37173214453/time_series
  {"created_at": 1739490000, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37173214453, "workflow_name": "pull", "job_name": "linux-jammy-py3.9-gcc11 / test (default, 1, 5, linux.4xlarge)", "usage_collect_interval": 1.0, "data_model_version": "1.5", "gpu_count": 1, "cpu_count": 16, "gpu_type": "pynvml", "start_at": 1739482600, "end_at": 1739482726, "segments": [{"level": "CMD_PYTHON", "name": "python test/run_test.py --shard 1 5", "start_at": 1739482605, "end_at": 1739482665, "extra_info": {}}, {"level": "CMD_PYTHON", "name": "python test/run_test.py --shard 1 5", "start_at": 1739482726, "end_at": 1739482726, "extra_info": {}}, {"level": "CMD_PYTHON", "name": "python café \udcff.py", "start_at": 1739482726, "end_at": 1739482726, "extra_info": {}}], "tags": []}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482605, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37173214453, "workflow_name": "pull", "job_name": "linux-jammy-py3.9-gcc11 / test (default, 1, 5, linux.4xlarge)", "json_data": "{\"cpu\": {\"avg\": 12.43, \"max\": 31.2, \"raw\": [3.1, 12.0, 2.2, 31.2, 13.65]}, \"memory\": {\"avg\": 7.5, \"max\": 7.6, \"raw\": [7.4, 7.5, 7.5, 7.5, 7.6]}, \"gpu_usage\": [{\"uuid\": \"GPU-11111111-2222-3333-4444-555555555555\", \"util_percent\": {\"avg\": 40.4, \"max\": 97.0, \"raw\": [0.0, 5.0, 97.0, 50.0, 50.0]}, \"mem_util_percent\": {\"avg\": 12.0, \"max\": 30.0, \"raw\": [0.0, 5.0, 30.0, 10.0, 15.0]}, \"allocated_mem_percent\": {\"avg\": 5.34, \"max\": 5.34, \"raw\": [5.3373, 5.3373, 5.3373, 5.3373, 5.3373]}, \"allocated_mem_value\": {\"avg\": 4353.06, \"max\": 4353.06, \"raw\": [4353.0625, 4353.0625, 4353.0625, 4353.0625, 4353.0625]}, \"total_mem_value\": 81559.0}]}"}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482665, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37173214453, "workflow_name": "pull", "job_name": "linux-jammy-py3.9-gcc11 / test (default, 1, 5, linux.4xlarge)", "json_data": "{\"cpu\": {\"avg\": 1e-07, \"max\": NaN, \"raw\": []}, \"memory\": null, \"gpu_usage\": null}"}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482726, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37173214453, "workflow_name": "pull", "job_name": "linux-jammy-py3.9-gcc11 / test (default, 1, 5, linux.4xlarge)", "json_data": "{}"}
  $ cd .. && rm -r out

pytorch an old log made anew
# --log-interval makes a log of the model 1.5 of one of the model 1.0, and of one from before that
  $ first='{"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "w", "job_name": "j", "usage_collect_interval": 0.5, "data_model_version": 1.0, "start_at": 1700000100, "gpu_count": 1, "cpu_count": 8, "gpu_type": "amdsmi", "error": null}'
  $ { echo "$first"
  > echo '{"level": "record", "timestamp": 1700000105, "data": {"cpu": {"avg": 12.43, "max": 31.2}, "memory": {"avg": 7.5, "max": 7.6}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 40.4, "max": 97}, "mem_util_percent": {"avg": 12.0, "max": 30}}]}, "cmd_names": ["python x.py"], "error": null}'
  > echo '{"level": "record", "timestamp": 1700000110, "data": {"cpu": {"avg": 2.0, "max": 3.0}, "memory": {"avg": 7.5, "max": 7.6}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 0.0, "max": 0}, "mem_util_percent": {"avg": 0.0, "max": 0}}]}, "cmd_names": ["python x.py"], "error": null}'; } >usage_log.txt
  $ smilog export -q usage_log.txt --to pytorch:out; echo $?
  3
  2> smilog: pytorch:out: nothing is written
  $ smilog export -q usage_log.txt --to pytorch:out --created-at 1 --log-interval 5; cat out/usage_log/*/*/*/*/*/*/usage_log.txt
  {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "w", "job_name": "j", "usage_collect_interval": 0.5, "data_model_version": 1.5, "start_at": 1700000100, "gpu_count": 1, "cpu_count": 8, "gpu_type": "amdsmi", "error": null}
  {"level": "record", "timestamp": 1700000105, "data": {"cpu": {"avg": 12.43, "max": 31.2, "raw": [12.43]}, "memory": {"avg": 7.5, "max": 7.6, "raw": [7.5]}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 40.4, "max": 97.0, "raw": [40.4]}, "mem_util_percent": {"avg": 12.0, "max": 30.0, "raw": [12.0]}, "allocated_mem_percent": {"avg": null, "max": null, "raw": null}, "allocated_mem_value": {"avg": null, "max": null, "raw": null}, "total_mem_value": null}]}, "cmd_names": ["python x.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1700000110, "data": {"cpu": {"avg": 2.0, "max": 3.0, "raw": [2.0]}, "memory": {"avg": 7.5, "max": 7.6, "raw": [7.5]}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 0.0, "max": 0.0, "raw": [0.0]}, "mem_util_percent": {"avg": 0.0, "max": 0.0, "raw": [0.0]}, "allocated_mem_percent": {"avg": null, "max": null, "raw": null}, "allocated_mem_value": {"avg": null, "max": null, "raw": null}, "total_mem_value": null}]}, "cmd_names": ["python x.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  $ smilog export -q usage_log.txt --to pytorch:out --created-at 1 --log-interval 10 --replace; cat out/usage_log/*/*/*/*/*/*/usage_log.txt
  {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "w", "job_name": "j", "usage_collect_interval": 0.5, "data_model_version": 1.5, "start_at": 1700000100, "gpu_count": 1, "cpu_count": 8, "gpu_type": "amdsmi", "error": null}
  {"level": "record", "timestamp": 1700000110, "data": {"cpu": {"avg": 7.21, "max": 31.2, "raw": [12.43, 2.0]}, "memory": {"avg": 7.5, "max": 7.6, "raw": [7.5, 7.5]}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 20.2, "max": 97.0, "raw": [40.4, 0.0]}, "mem_util_percent": {"avg": 6.0, "max": 30.0, "raw": [12.0, 0.0]}, "allocated_mem_percent": {"avg": null, "max": null, "raw": null}, "allocated_mem_value": {"avg": null, "max": null, "raw": null}, "total_mem_value": null}]}, "cmd_names": ["python x.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  $ { echo '{"level": "metadata", "interval": 5.0, "gpu_libs_detected": ["pynvml"], "num_of_gpus": 1, "num_of_cpus": 8, "start_time": 1700000100.12}'
  > echo '{"level": "record", "time": 1700000105.5, "cpu": {"avg": 1.5, "max": 2.5}, "memory": {"avg": 3.5, "max": 4.5}, "cmds": ["python y.py"], "count": 10, "gpu_list": [{"uuid": "GPU-1", "util_percent": {"count": 10, "avg": 40.4, "max": 97}, "mem_util_percent": {"count": 10, "avg": 1.0, "max": 2}}], "log_duration": "0.52 ms"}'; } >usage_log.txt
  $ smilog export -q usage_log.txt --to pytorch:old --created-at 1 --log-interval 5 --workflow-run-id 1 --job-id 2; cat old/usage_log/*/*/*/*/*/*/usage_log.txt
  {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "", "job_name": "", "usage_collect_interval": 1.0, "data_model_version": 1.5, "start_at": 1700000100, "gpu_count": 1, "cpu_count": 8, "gpu_type": "pynvml", "error": null}
  {"level": "record", "timestamp": 1700000105, "data": null, "cmd_names": null, "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1700000110, "data": {"cpu": {"avg": 1.5, "max": 2.5, "raw": [1.5]}, "memory": {"avg": 3.5, "max": 4.5, "raw": [3.5]}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 40.4, "max": 97.0, "raw": [40.4]}, "mem_util_percent": {"avg": 1.0, "max": 2.0, "raw": [1.0]}, "allocated_mem_percent": {"avg": null, "max": null, "raw": null}, "allocated_mem_value": {"avg": null, "max": null, "raw": null}, "total_mem_value": null}]}, "cmd_names": ["python y.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
  $ rm -r out old usage_log.txt

pytorch a job that is there is skipped
  $ log=../pytorch_a_usage_log_as_documents/usage_log.txt to='--to pytorch:out --job-name'
  $ name() { zcat out/util_metadata/v_1.5/*/*/*/*/*/metadata | grep -o '"job_name": "[a-z]*"'; }
  $ smilog export -q $log $to first && name
  "job_name": "first"
  $ smilog export $log $to second; echo $?; name
  0
  "job_name": "first"
  2> smilog: warning: ../pytorch_a_usage_log_as_documents: skipped, job 13310346522/1/37173214453 is there already: --replace writes it again
  2> smilog: pytorch:out: 0 runs, 0 rows, 0 marks written
  $ smilog export -q $log $to third --replace && name
  "job_name": "third"
  $ rm out/util_metadata/v_1.5/*/*/*/*/*/metadata; smilog export -q $log $to fourth && name
  "job_name": "fourth"
  $ smilog export -q $log --to jsonl:- --replace 2>&1 | head -1
  smilog: --to jsonl:-: --password-file and --replace are for other targets
  $ rm -r out

pytorch any run becomes a usage log
# a log in local time, and one in UTC; without a uuid, with a gap of two intervals
  $ mkdir run && cd run
  $ { echo 'timestamp, index, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB]'
  > for s in 00 01 02 03 17; do echo "2025/02/13 22:36:$s.500, 0, $((10#$s)) %, 50 %, 4096 MiB, 81559 MiB"; done; } >gpu.csv
  $ { echo timestamp,usr_pct,idle_pct
  > for s in 00 01 02 03 17; do echo "2025-02-13T21:36:$s.250+00:00,10.5,8$((10#$s % 10)).5"; done; } >cpu.csv
  $ ids='--workflow-run-id 13310346522 --job-id 37 --job-name café --created-at 1739490000'
  $ smilog export --run-per file gpu.csv --to pytorch:out $ids; echo $?
  3
  2> smilog: warning: gpu.csv: 5 rows have no time in UTC and are left out (--tz gives their zone)
  2> smilog: warning: gpu.csv: has no reading of a GPU, the CPUs or the memory that has a time in UTC
  2> smilog: pytorch:out: nothing is written
  $ smilog export . --to pytorch:out $ids --tz +01:00; echo $?
  0
  2> smilog: warning: run: no uuid is known of a GPU: it is called "gpu0" in its place
  2> smilog: pytorch:out: 1 run, 4 rows, 0 marks written
  $ cat out/usage_log/v_1.5/pytorch/pytorch/13310346522/1/37/usage_log.txt
  {"level": "metadata", "workflow_id": "13310346522", "job_id": "37", "workflow_name": "", "job_name": "café", "usage_collect_interval": 1.0, "data_model_version": 1.5, "start_at": 1739482560, "gpu_count": 1, "cpu_count": null, "gpu_type": "pynvml", "error": null}
  {"level": "record", "timestamp": 1739482565, "data": {"cpu": {"avg": 18.0, "max": 19.5, "raw": [19.5, 18.5, 17.5, 16.5]}, "memory": {"avg": null, "max": null, "raw": null}, "gpu_usage": [{"uuid": "gpu0", "util_percent": {"avg": 1.5, "max": 3.0, "raw": [0.0, 1.0, 2.0, 3.0]}, "mem_util_percent": {"avg": 50.0, "max": 50.0, "raw": [50.0, 50.0, 50.0, 50.0]}, "allocated_mem_percent": {"avg": 5.02, "max": 5.02, "raw": [5.022131217891342, 5.022131217891342, 5.022131217891342, 5.022131217891342]}, "allocated_mem_value": {"avg": 4096.0, "max": 4096.0, "raw": [4096.0, 4096.0, 4096.0, 4096.0]}, "total_mem_value": 81559.0}]}, "cmd_names": [], "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1739482570, "data": null, "cmd_names": null, "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1739482575, "data": null, "cmd_names": null, "error": null, "log_duration": "0.00 ms", "logs": []}
  {"level": "record", "timestamp": 1739482580, "data": {"cpu": {"avg": 12.5, "max": 12.5, "raw": [12.5]}, "memory": {"avg": null, "max": null, "raw": null}, "gpu_usage": [{"uuid": "gpu0", "util_percent": {"avg": 17.0, "max": 17.0, "raw": [17.0]}, "mem_util_percent": {"avg": 50.0, "max": 50.0, "raw": [50.0]}, "allocated_mem_percent": {"avg": 5.02, "max": 5.02, "raw": [5.022131217891342]}, "allocated_mem_value": {"avg": 4096.0, "max": 4096.0, "raw": [4096.0]}, "total_mem_value": 81559.0}]}, "cmd_names": [], "error": null, "log_duration": "0.00 ms", "logs": []}
  $ zcat out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37/metadata
  {"created_at": 1739490000, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37, "workflow_name": "", "job_name": "café", "usage_collect_interval": 1.0, "data_model_version": "1.5", "gpu_count": 1, "cpu_count": 0, "gpu_type": "pynvml", "start_at": 1739482560, "end_at": 1739482580, "segments": [], "tags": []}
  $ zcat out/util_timeseries/v_1.5/pytorch/pytorch/13310346522/1/37/time_series
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482565, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37, "workflow_name": "", "job_name": "café", "json_data": "{\"cpu\": {\"avg\": 18.0, \"max\": 19.5, \"raw\": [19.5, 18.5, 17.5, 16.5]}, \"memory\": {\"avg\": null, \"max\": null, \"raw\": null}, \"gpu_usage\": [{\"uuid\": \"gpu0\", \"util_percent\": {\"avg\": 1.5, \"max\": 3.0, \"raw\": [0.0, 1.0, 2.0, 3.0]}, \"mem_util_percent\": {\"avg\": 50.0, \"max\": 50.0, \"raw\": [50.0, 50.0, 50.0, 50.0]}, \"allocated_mem_percent\": {\"avg\": 5.02, \"max\": 5.02, \"raw\": [5.022131217891342, 5.022131217891342, 5.022131217891342, 5.022131217891342]}, \"allocated_mem_value\": {\"avg\": 4096.0, \"max\": 4096.0, \"raw\": [4096.0, 4096.0, 4096.0, 4096.0]}, \"total_mem_value\": 81559.0}]}"}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482570, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37, "workflow_name": "", "job_name": "café", "json_data": "{}"}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482575, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37, "workflow_name": "", "job_name": "café", "json_data": "{}"}
  {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482580, "repo": "pytorch/pytorch", "workflow_id": 13310346522, "run_attempt": 1, "job_id": 37, "workflow_name": "", "job_name": "café", "json_data": "{\"cpu\": {\"avg\": 12.5, \"max\": 12.5, \"raw\": [12.5]}, \"memory\": {\"avg\": null, \"max\": null, \"raw\": null}, \"gpu_usage\": [{\"uuid\": \"gpu0\", \"util_percent\": {\"avg\": 17.0, \"max\": 17.0, \"raw\": [17.0]}, \"mem_util_percent\": {\"avg\": 50.0, \"max\": 50.0, \"raw\": [50.0]}, \"allocated_mem_percent\": {\"avg\": 5.02, \"max\": 5.02, \"raw\": [5.022131217891342]}, \"allocated_mem_value\": {\"avg\": 4096.0, \"max\": 4096.0, \"raw\": [4096.0]}, \"total_mem_value\": 81559.0}]}"}
  $ : >out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37/metadata
  $ smilog export --run-per file gpu.csv --to pytorch:out $ids --tz +01:00; echo $?
  4
  2> smilog: out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37/metadata is there, and not of an earlier export
  $ cd .. && rm -r run

pytorch artifacts are read as they are
# a zip of an artifact, a packed log and standard input give the same as the log itself
  $ log=../pytorch_a_usage_log_as_documents/usage_log.txt
  $ to() { echo "--to pytorch:$1 --created-at 1 --debug --repo a/b --run-attempt 3"; }
  $ python3 -SE -c "import sys, zipfile; zipfile.ZipFile('a.zip', 'w').write(sys.argv[1], 'usage_log.txt')" $log
  $ gzip -nc $log >usage_log.txt.gz
  $ smilog export -q $log $(to plain); smilog export -q a.zip $(to zip)
  $ smilog export -q usage_log.txt.gz $(to gz); smilog export -q - $(to stdin) <$log
  $ diff -r plain zip && diff -r plain gz && diff -r plain stdin && find plain -type f | sort
  plain/debug_util_metadata/v_1.5/a/b/13310346522/3/37173214453/metadata
  plain/debug_util_timeseries/v_1.5/a/b/13310346522/3/37173214453/time_series
  $ rm -r plain zip gz stdin a.zip usage_log.txt.gz

pytorch as pythons own
# skip-unless tests/system/pytorch_check.py
  $ SMILOG=$(command -v smilog) python3 -B "$root/tests/system/pytorch_check.py" --logs "${SMILOG_PYTORCH:-24}" --made 8 | sed 's/^[0-9]* //'
  passed, 0 failed

pytorch data as the uploader holds them
# numbers are floats, keys stand in the order of the classes, absent ones are null, unknown ones go; a record with
# another type is none
  $ smilog export --run-per file usage_log.txt --to pytorch:out --created-at 1; echo $?
  0
  2> smilog: warning: usage_log.txt: line 5 is dropped: its data are not those of the model 1.5
  2> smilog: warning: usage_log.txt: line 6 is dropped: its data are not those of the model 1.5
  2> smilog: warning: usage_log.txt: line 7 is dropped: its data are not those of the model 1.5
  2> smilog: warning: usage_log.txt: line 8 is dropped: its data are not those of the model 1.5
  2> smilog: pytorch:out: 1 run, 3 rows, 0 marks written
  $ for f in $(find out -type f | sort); do zcat "$f"; done
  {"created_at": 1, "repo": "pytorch/pytorch", "workflow_id": 11, "run_attempt": 1, "job_id": 12, "workflow_name": "w", "job_name": "j", "usage_collect_interval": 1.0, "data_model_version": "1.5", "gpu_count": 1, "cpu_count": 4, "gpu_type": "pynvml", "start_at": 1700000000, "end_at": 1700000015, "segments": [], "tags": []}
  {"created_at": 1, "type": "utilization", "tags": ["record"], "time_stamp": 1700000005, "repo": "pytorch/pytorch", "workflow_id": 11, "run_attempt": 1, "job_id": 12, "workflow_name": "w", "job_name": "j", "json_data": "{\"cpu\": {\"avg\": 12.5, \"max\": 20.0, \"raw\": [5.0, 20.0]}, \"memory\": {\"avg\": 7.0, \"max\": 8.0, \"raw\": null}, \"gpu_usage\": [{\"uuid\": \"GPU-a\", \"util_percent\": {\"avg\": 30.0, \"max\": 97.0, \"raw\": [0.0, 97.0]}, \"mem_util_percent\": null, \"allocated_mem_percent\": null, \"allocated_mem_value\": null, \"total_mem_value\": 81559.0}]}"}
  {"created_at": 1, "type": "utilization", "tags": ["record"], "time_stamp": 1700000010, "repo": "pytorch/pytorch", "workflow_id": 11, "run_attempt": 1, "job_id": 12, "workflow_name": "w", "job_name": "j", "json_data": "{\"cpu\": null, \"memory\": null, \"gpu_usage\": null}"}
  {"created_at": 1, "type": "utilization", "tags": ["record"], "time_stamp": 1700000015, "repo": "pytorch/pytorch", "workflow_id": 11, "run_attempt": 1, "job_id": 12, "workflow_name": "w", "job_name": "j", "json_data": "{\"cpu\": {\"avg\": 1.2345678901234567e+19, \"max\": -Infinity, \"raw\": []}, \"memory\": null, \"gpu_usage\": []}"}
  $ rm -r out

pytorch logs without a document
# by PyTorch's own rules: another model, no valid record, no metadata in line 1; a sweep goes on without them
  $ first='{"level": "metadata", "workflow_id": "1", "job_id": "%d", "usage_collect_interval": 1, "data_model_version": %s, "start_at": 1700000007, "gpu_count": null, "cpu_count": 8, "gpu_type": null, "error": null}\n'
  $ record='{"level": "record", "timestamp": 1700000012, "data": {"cpu": {"avg": 1.0, "max": 2.0, "raw": [1.0]}, "memory": null, "gpu_usage": null}, "cmd_names": ["python"], "error": %s}\n'
  $ mkdir -p logs/a logs/b logs/c
  $ printf "$first$record" 1 1.0 null >logs/a/usage_log.txt
  $ printf "$first$record" 2 1.5 '"no data"' >logs/b/usage_log.txt
  $ printf "$record$first$record" null 3 1.5 null >logs/c/usage_log.txt
  $ for run in a b c; do smilog export logs/$run --to pytorch:out --job-id 9 --workflow-run-id 9; echo $?; [ -e out ] && echo out; done 2>&1
  smilog: warning: logs/a: its data_model_version is 1.0, not 1.5
  smilog: pytorch:out: nothing is written
  3
  smilog: warning: logs/b: line 2 is dropped: its interval failed: "no data"
  smilog: warning: logs/b: has no valid record: nothing is written
  smilog: pytorch:out: nothing is written
  3
  smilog: warning: logs/c: line 1 is no metadata
  smilog: pytorch:out: nothing is written
  3
  [1]
  $ mkdir logs/d && printf "$first$record" 4 1.5 null >logs/d/usage_log.txt
  $ smilog export logs --to pytorch:out --created-at 1 2>&1; echo $?
  smilog: warning: logs/a: its data_model_version is 1.0, not 1.5
  smilog: warning: logs/b: line 2 is dropped: its interval failed: "no data"
  smilog: warning: logs/b: has no valid record: nothing is written
  smilog: warning: logs/c: line 1 is no metadata
  smilog: pytorch:out: 1 run, 1 row, 0 marks written
  0
  $ smilog export -q logs/a logs/d --to pytorch:out --strict 2>&1; echo $?
  1
  $ smilog export logs/a logs/b logs/d --to pytorch:out --created-at 1 2>&1; echo $?; find out -type f | sort
  smilog: warning: logs/a: its data_model_version is 1.0, not 1.5
  smilog: warning: logs/b: line 2 is dropped: its interval failed: "no data"
  smilog: warning: logs/b: has no valid record: nothing is written
  smilog: warning: logs/d: skipped, job 1/1/4 is there already: --replace writes it again
  smilog: pytorch:out: 0 runs, 0 rows, 0 marks written
  0
  out/util_metadata/v_1.5/pytorch/pytorch/1/1/4/metadata
  out/util_timeseries/v_1.5/pytorch/pytorch/1/1/4/time_series
  $ rm -r logs out

pytorch other logs are left out
  $ d=$(mktemp -d) && cp ../pytorch_a_usage_log_as_documents/usage_log.txt "$d" && cd "$d" || exit
  $ printf 'timestamp, index, utilization.gpu [%%]\n2024/02/11 09:15:02.000, 0, 5 %%\n' >gpu.csv
  $ smilog export . --to pytorch:out --created-at 1739490000 2>&1 | grep -o 'usage_log.txt is.*'
  usage_log.txt is exported, and none of the run's other logs
  $ rm -r "$d"

pytorch which job it is
  $ log=../pytorch_a_usage_log_as_documents/usage_log.txt run=run
  $ mkdir run
  $ printf '%s\n' 'timestamp, index, uuid, utilization.gpu [%]' '2025/02/13 22:36:01.500, 0, GPU-1, 5 %' >run/gpu.csv
  $ try() { smilog export -q "$@" 2>&1; echo $?; }
  $ try $run --to pytorch:out --tz UTC --job-id 1
  smilog: run does not say which workflow run it is of: --workflow-run-id
  try: smilog help export
  2
  $ try $run --to pytorch:out --tz UTC --workflow-run-id 1
  smilog: run does not say which job it is of: --job-id
  try: smilog help export
  2
  $ try $log $run --to pytorch:out --tz UTC --workflow-run-id 1 --job-id 2; rm -r out
  smilog: run is not the only run of job 1/1/2: each job has one, by --workflow-run-id, --run-attempt and --job-id
  try: smilog help export
  2
  $ for repo in .. a/../b /a a/ a//b 'a b' ''; do try $log --to pytorch:out --repo "$repo"; done
  smilog: --repo ..: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo a/../b: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo /a: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo a/: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo a//b: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo a b: names like pytorch/pytorch are
  try: smilog help export
  2
  smilog: --repo : names like pytorch/pytorch are
  try: smilog help export
  2
  $ for id in -1 +1 1.5 '' 18446744073709551616; do try $log --to pytorch:out --job-id "$id"; done
  smilog: --job-id -1: not a whole number from 0 to 18446744073709551615
  try: smilog help export
  2
  smilog: --job-id +1: not a whole number from 0 to 18446744073709551615
  try: smilog help export
  2
  smilog: --job-id 1.5: not a whole number from 0 to 18446744073709551615
  try: smilog help export
  2
  smilog: --job-id : not a whole number from 0 to 18446744073709551615
  try: smilog help export
  2
  smilog: --job-id 18446744073709551616: not a whole number from 0 to 18446744073709551615
  try: smilog help export
  2
  $ try $log --to pytorch:out --run-attempt 4294967296
  smilog: --run-attempt 4294967296: not a whole number from 0 to 4294967295
  try: smilog help export
  2
  $ try $log --to pytorch:out --log-interval 0.5
  smilog: --log-interval: from 1 to 86400 seconds
  try: smilog help export
  2
  $ try $log --to pytorch:$log
  smilog: --to pytorch:../pytorch_a_usage_log_as_documents/usage_log.txt: Not a directory
  try: smilog help export
  2
  $ try $log --to pytorch:
  smilog: --to pytorch:: what comes behind it? pytorch:DIR
  try: smilog help export
  2
  $ try $log --to jsonl:- --debug
  smilog: --debug is for --to pytorch:DIR
  try: smilog help export
  2
  $ [ -e out ] && echo out
  [1]
  $ mkdir -p out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453
  $ echo mine >out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453/metadata
  $ try $log --to pytorch:out; cat out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453/metadata
  smilog: out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453/metadata is there, and not of an earlier export
  4
  mine
  $ find out -type f; rm -r out run
  out/util_metadata/v_1.5/pytorch/pytorch/13310346522/1/37173214453/metadata

read back with two intervals
# GPUs every 30 s, the machine every second: in one file of samples, too, the GPU has no gaps.
  $ mkdir run
  $ awk 'BEGIN {
  >     print "timestamp, index, utilization.gpu [%], power.draw [W]" > "run/gpu.csv"
  >     print "timestamp,usr_pct,idle_pct" > "run/cpu_metrics.csv"
  >     for (t = 0; t <= 300; t++) {
  >         at = sprintf("10:%02d:%02d.000", t / 60, t % 60)
  >         if (t % 30 == 0) printf "2026/07/03 %s, 0, %d %%, 360.00 W\n", at, t < 120 ? 0 : 90 > "run/gpu.csv"
  >         printf "2026-07-03T%s,50.0,50.0\n", at > "run/cpu_metrics.csv"
  >     }
  > }'
  $ for to in jsonl csv; do smilog export -q run --to $to:back.$to; done
  $ for log in run back.jsonl back.csv; do
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py energy_wh idle_pct covered_s gpus/0/gaps gpus/0/coverage_pct host/metrics/cpu_usr_pct/time_mean
  > done
  energy_wh 30.0
  idle_pct 30.0
  covered_s 300.0
  gpus/0/gaps 0
  gpus/0/coverage_pct 100.0
  host/metrics/cpu_usr_pct/time_mean 50.0
  energy_wh 30.0
  idle_pct 30.0
  covered_s 300.0
  gpus/0/gaps 0
  gpus/0/coverage_pct 100.0
  host/metrics/cpu_usr_pct/time_mean 50.0
  energy_wh 30.0
  idle_pct 30.0
  covered_s 300.0
  gpus/0/gaps 0
  gpus/0/coverage_pct 100.0
  host/metrics/cpu_usr_pct/time_mean 50.0
  $ rm -r run back.*

rows and phases of an archive are those of the files
  $ tar czf a.tgz -C ../../../fixtures sweep
  $ smilog export -q a.tgz --to jsonl:- | sed 's|"run": "sweep/|"run": "|' | sort >archive
  $ smilog export -q ../../../fixtures/sweep --to jsonl:- | sort | cmp - archive; wc -l <archive
  19412
  $ rm a.tgz archive

rows of two logs of a gpu count once
# The rows of a GPU are those of one of its logs, in samples that are read back, too, and in parts of them: where both logs
# have times, and where the second has none.
  $ t=$(mktemp -d) run=../../../fixtures/sweep/lr=0.1/seed=3; trap 'rm -rf "$t"' EXIT
  $ mkdir $t/both $t/untimed
  $ cp $run/hw_metrics.csv $run/run.jsonl $run/hw_dmon.csv $t/both
  $ cp $run/hw_metrics.csv $run/run.jsonl $t/untimed
  $ sed -E 's/^#(Date|YYYYMMDD) +(Time|HH:MM:SS)/#/; s/^ [0-9]{8} +[0-9:]{8}//' $run/hw_dmon.csv >$t/untimed/hw_dmon.csv
  $ pick() { python3 -SE "$root/tests/cases/pick.py" 'gpus/*/samples' 'phases/*/samples' start gpus/0/metrics/enc_util_pct/count; }
  $ for kind in both untimed; do
  >     smilog summarize -q --json $t/$kind | pick
  >     for to in csv jsonl; do
  >         smilog export -q $t/$kind --to $to:$t/s
  >         smilog summarize -q --json $t/s | pick
  >         smilog summarize -q --partial $t/s | smilog merge -q --json - | pick
  >         rm $t/s
  >     done
  > done
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.000Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.000Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.000Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.000Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.000Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.038Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.038Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.038Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.038Z"
  gpus/0/metrics/enc_util_pct/count 362
  gpus/*/samples [362, 362]
  phases/*/samples [14, 30, 676, 2]
  start "2026-07-03T22:12:44.038Z"
  gpus/0/metrics/enc_util_pct/count 362

samples of an endless phase are merged
  $ for s in 1000000000 1000000001; do
  >     echo '{"run": "a", "host": null, "input": "run.jsonl", "format": "runlog", "row": 0, "time": "2026-07-03T22:10:46.109Z", "phase": "x", "seconds": '$s'}'
  > done >log.jsonl
  $ smilog summarize --partial log.jsonl -o part; echo $?
  0
  2> smilog: warning: 1 line not used: smilog merge names them
  $ smilog merge -q --json part | python3 -SE -c 'import json, sys; print([p["seconds"] for p in json.load(sys.stdin)["runs"][0]["phases"]])'
  [1000000000.0]
  $ rm log.jsonl part

samples of many runs come back as those runs
  $ sweep=$PWD/../../../fixtures/sweep log=$PWD/../../../fixtures/query_nounits.csv d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir 30 && for i in $(seq 30); do mkdir "30/x=$i" && sed "s/\.[0-9][0-9][0-9],/.$((100 + i)),/" "$log" >"30/x=$i/hw.csv" || exit; done
  $ cat >same.py <<'EOF2'
  > import json, sys
  > of = lambda f: {r["run"]: r for r in json.load(open(f))["runs"]}
  > logs, back, *alone = (of(f) for f in sys.argv[2:])
  > keys = ["run", "covered_s", "energy_wh", "idle_pct", "longest_idle_s", "gpu_hours", "host", "processes", "segments", "errors"]
  > if sys.argv[1] == "jsonl":
  >     keys += ["state", "state_reason", "exit_code", "hostname", "params", "end", "summary", "vram", "wasted_h", "events"]
  > figures = lambda r: [[json.dumps(r[k], sort_keys=True) for k in keys]] + [
  >     [(g["gpu"], g["uuid"], g["energy_wh"], g["idle_pct"], m, v["count"], v["mean"], v["max"], v["stddev"], v["p95"])
  >      for m, v in g["metrics"].items()] for g in r["gpus"]]
  > print(sys.argv[1], len(back), "runs:", list(logs) == list(back) and all(figures(logs[r]) == figures(back[r]) for r in logs))
  > print("each as it is alone:", all(json.dumps(v) == json.dumps(back[r]) for one in alone for r, v in one.items()))
  > EOF2
  $ for kind in jsonl csv; do
  >     for from in "$sweep/lr=0.1/seed=3" "$sweep/lr=0.3" "$sweep" 30; do
  >         smilog summarize -q --json "$from" >logs.json
  >         smilog export -q "$from" --to $kind:s.$kind && smilog summarize -q --json s.$kind >back.json || exit
  >         mkdir alone && mv s.$kind all
  >         cut -d '"' -f 4 all | sort -u | head -n 3 >names
  >         [ $kind = csv ] && tail -n +2 all | cut -d , -f 1 | sort -u | head -n 3 >names
  >         n=0; while read -r name; do
  >             { [ $kind = csv ] && head -n 1 all; grep -F -e "{\"run\": \"$name\"" -e "$name," all; } >s.$kind
  >             smilog summarize -q --json s.$kind >alone/$((n += 1)) || exit
  >         done <names
  >         python3 -SE same.py $kind logs.json back.json alone/*
  >         mv all s.$kind
  >         rm -r alone
  >         [ "$from" != "$sweep" ] || [ -n "$SMILOG_LONG" ] || continue # make test-long: by every way, the large one too
  >         for j in 1 4; do smilog summarize -q --json -j $j s.$kind | cmp - back.json; done
  >         smilog summarize -q --json - <s.$kind >piped.json; cat s.$kind | smilog summarize -q --json - | cmp - piped.json
  >         gzip -c s.$kind >s.gz; cat s.gz | smilog summarize -q --json - | cmp - piped.json
  >         smilog summarize -q --json s.gz | sed 's/"path": "s.gz"/"path": "-"/' | cmp - piped.json
  >     done
  > done
  jsonl 1 runs: True
  each as it is alone: True
  jsonl 4 runs: True
  each as it is alone: True
  jsonl 12 runs: True
  each as it is alone: True
  jsonl 30 runs: True
  each as it is alone: True
  csv 1 runs: True
  each as it is alone: True
  csv 4 runs: True
  each as it is alone: True
  csv 12 runs: True
  each as it is alone: True
  csv 30 runs: True
  each as it is alone: True
# lines of several runs in turn, and tables with other columns behind each other
  $ smilog export -q 30 --to jsonl:s.jsonl && smilog summarize -q --json s.jsonl >back.json
  $ python3 -SE - <<'EOF2'
  > import itertools
  > runs = [list(g) for _, g in itertools.groupby(open("s.jsonl"), lambda line: line.split('"')[3])]
  > open("s.jsonl", "w").writelines(line for turn in itertools.zip_longest(*runs) for line in turn if line)
  > EOF2
  $ head -n 3 s.jsonl | cut -d, -f1
  {"run": "x=1"
  {"run": "x=2"
  {"run": "x=3"
  $ smilog summarize -q --json s.jsonl | cmp - back.json
  $ smilog export -q "$sweep/lr=0.1" --to csv:a.csv && smilog export -q 30/x=7 --to csv:b.csv && smilog summarize -q --json a.csv b.csv | sed 's/"path": "[ab].csv"/"path": "ab.csv"/' >apart
  $ cat a.csv b.csv >ab.csv && smilog summarize -q --json ab.csv | cmp - apart && echo together
  together

samples of odd rows come back as they were
# What is read back is what was exported: a damaged index beside a UUID; two rows of one time, of which a W&B file counts
# both; a GPU without any key beside one with the index that its place would be.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ {
  >     echo "timestamp, index, uuid, utilization.gpu [%], power.draw [W]"
  >     for t in 10 20 30 40 50; do
  >         index=0
  >         [ $t != 30 ] || index="{"
  >         echo "2026/07/04 10:00:$t.100, $index, GPU-1f, 80 %, 2$t.00 W"
  >         echo "2026/07/04 10:00:$t.200, 1, GPU-2f, 90 %, 300.00 W"
  >     done
  > } >index.csv
  $ {
  >     echo '{"wandb": "run", "event": "start", "time": "2026-07-03T10:00:00.000Z", "data": {"host": "node1"}}'
  >     echo '{"wandb": "stats", "time": 1783072815.25, "gpu.0.gpu": 30, "gpu.1.gpu": 40}'
  >     for util in 50 60 70; do
  >         echo '{"wandb": "stats", "time": 1783072830.25, "gpu.0.gpu": '$util', "gpu.1.gpu": 40}'
  >     done
  > } >twice.jsonl
  $ cat >keyless.csv <<'Y'
  > timestamp, index, name, utilization.gpu [%]
  > 2024/02/11 09:15:02.100, 1, NVIDIA GeForce RTX 3090, 30 %
  > 2024/02/11 09:15:03.100, 2024/02/11, NVIDIA GeForce RTX 3090, 40 %
  > 2024/02/11 09:15:04.100, 1, NVIDIA GeForce RTX 3090, 50 %
  > Y
  $ pick() { python3 -SE "$root/tests/cases/pick.py" energy_wh 'gpus/*/gpu' 'gpus/*/samples' 'gpus/*/metrics/gpu_util_pct/mean'; }
  $ for f in index.csv twice.jsonl keyless.csv; do
  >     smilog summarize -q --json $f | pick
  >     for kind in csv jsonl; do
  >         smilog export -q $f --to $kind:s
  >         smilog summarize -q --json s | pick
  >         rm s
  >     done
  > done
  energy_wh 5.888889
  gpus/*/gpu [0, 1]
  gpus/*/samples [5, 5]
  gpus/*/metrics/gpu_util_pct/mean [80.0, 90.0]
  energy_wh 5.888889
  gpus/*/gpu [0, 1]
  gpus/*/samples [5, 5]
  gpus/*/metrics/gpu_util_pct/mean [80.0, 90.0]
  energy_wh 5.888889
  gpus/*/gpu [0, 1]
  gpus/*/samples [5, 5]
  gpus/*/metrics/gpu_util_pct/mean [80.0, 90.0]
  energy_wh null
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [52.5, 40.0]
  energy_wh null
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [52.5, 40.0]
  energy_wh null
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [52.5, 40.0]
  energy_wh null
  gpus/*/gpu [1, null]
  gpus/*/samples [2, 1]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 40.0]
  energy_wh null
  gpus/*/gpu [1, 2]
  gpus/*/samples [2, 1]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 40.0]
  energy_wh null
  gpus/*/gpu [1, 2]
  gpus/*/samples [2, 1]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 40.0]

samples read back give the same metrics
  $ run=../../../fixtures/sweep/lr=0.1/seed=3
  $ for f in $run ../../../fixtures/dmon_470.log; do
  >     smilog summarize -q --json $f >was.json
  >     for kind in jsonl csv; do
  >         smilog export -q $f --to $kind:s.$kind; smilog summarize -q --json s.$kind >is.json
  >         python3 -SE - <<'EOF'
  > import json
  > was, now = (json.load(open(f))["runs"][0] for f in ("was.json", "is.json"))
  > def metrics(r): return [(g["gpu"], g["uuid"], g["metrics"]) for g in r["gpus"]] + [r["host"]]
  > def timeless(x): return json.loads(json.dumps(x), object_hook=lambda o: {k: v for k, v in o.items() if k != "time_mean"})
  > print(timeless(metrics(was)) == timeless(metrics(now)), sum(len(g["metrics"]) for g in was["gpus"]))
  > for k in "energy_wh", "idle_pct", "covered_s", "gpu_hours", "longest_idle_s": print(k, was[k], now[k])
  > EOF
  >     done
  > done
  True 38
  energy_wh 513.761903 513.761903
  idle_pct 14.681433 14.681433
  covered_s 3611.788 3611.788
  gpu_hours 2.006548 2.006548
  longest_idle_s 310.15 310.15
  True 38
  energy_wh 513.761903 513.761903
  idle_pct 14.681433 14.681433
  covered_s 3611.788 3611.788
  gpu_hours 2.006548 2.006548
  longest_idle_s 310.15 310.15
  True 16
  energy_wh 0.630972 0.630972
  idle_pct 50.0 50.0
  covered_s 9.0 9.0
  gpu_hours 0.005 0.005
  longest_idle_s 9.0 9.0
  True 16
  energy_wh 0.630972 0.630972
  idle_pct 50.0 50.0
  covered_s 9.0 9.0
  gpu_hours 0.005 0.005
  longest_idle_s 9.0 9.0
  $ rm was.json is.json s.*

sqlite a name is a file whatever it looks like
  $ log=../../../fixtures/query_units.csv
  $ mkdir d; cd d || exit
  $ for f in :memory: 'file:x?mode=memory'; do
  >     smilog export -q ../$log --to "sqlite:$f"; echo $?
  >     smilog summarize "sqlite:$f" | head -n 1
  > done
  0
  query_units   11s   2024-02-11 09:15:02 to 09:15:13, zone not known
  0
  query_units   11s   2024-02-11 09:15:02 to 09:15:13, zone not known
  $ ls; cd ..; rm -r d
  :memory:
  :memory:-shm
  :memory:-wal
  file:x?mode=memory
  file:x?mode=memory-shm
  file:x?mode=memory-wal

sqlite gpus that are gone are gone
  $ python3 -SE -c 'print("timestamp, index, power.draw [W]")
  > for g in range(70): print("2026/07/04 00:10:46.000, %d, 100.00 W" % g)' >log.csv
  $ for gpus in all 0; do
  >     smilog export -q --gpus $gpus log.csv --to sqlite:x.db
  >     python3 -SE -c 'import sqlite3; print(sqlite3.connect("x.db").execute("select count(*) from gpus").fetchall())'
  > done
  [(70,)]
  [(1,)]
  $ rm log.csv x.db

sqlite is read back
  $ sweep=$(realpath ../../../fixtures/sweep); top=$(mktemp -d) && trap 'rm -rf "$top"' EXIT && cd "$top" || exit
  $ smilog export -q $sweep --to sqlite:x.db
  $ smilog summarize --json $sweep >logs 2>logs.said; smilog summarize --json sqlite:x.db 2>said | cmp - logs && echo "the same JSON"
  the same JSON
  $ cmp <(sed 's/^smilog: //' logs.said) <(sed 's/^smilog: //' said) && echo "the same warnings"
  the same warnings
  $ smilog summarize --where 'idle_pct > 50' --columns run,idle_pct sqlite:x.db
  run             idle_pct
  lr=0.3/seed=3  53.072629
  2> smilog: lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  $ smilog check -q --max-idle-pct 60 sqlite:x.db | tail -n 1
  11 of 12 runs meet all limits, 1 run could not be judged
  $ smilog diff -q $sweep sqlite:x.db | tail -n 1
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  $ smilog report -q sqlite:x.db -o x.md && grep '^..12 runs,' x.md
  **12 runs, 20.37 GPU-h, 5.29 kWh, GPU 75.2 %, 3.74 GPU-h wasted (18.4 %), 1 failed, 1 cut, 1 no GPU data**
  $ mkdir -p a/run b/run; cp $sweep/lr=0.1/seed=3/hw_metrics.csv a/run; cp $sweep/lr=0.1/seed=2/hw_metrics.csv b/run
  $ smilog export -q a --to sqlite:y.db; smilog export -q b --to sqlite:y.db
  $ smilog summarize -q --columns run,duration_s sqlite:y.db | sed "s|$PWD/||g; s|  *| |g"
  run duration_s
  a/run 3611.789
  b/run 3601.803
  $ python3 -SE -c 'import sqlite3; d = sqlite3.connect("y.db"); d.execute("update summaries set partial = replace(partial, \"\"\"seconds\"\"\", \"\"\"second\"\"\") || \"x\""); d.commit()'
  $ smilog summarize sqlite:y.db; echo $?
  3
  2> smilog: sqlite:y.db: document 1: broken partial summary: cut or changed, its bytes have another sum (run run: export its logs again)
  $ smilog summarize sqlite:nothing.db; echo $?
  3
  2> smilog: nothing.db: No such file or directory

sqlite knows whose a row is
  $ cat >log.csv <<EOF
  > timestamp, index, uuid, name, utilization.gpu [%], power.draw [W], clocks_throttle_reasons.active
  > 2026/07/04 00:10:46.109, 0, GPU-aa, NVIDIA H100, 50 %, 70.25 W, 0x0000000000000004
  > 2026/07/04 00:10:46.109, 1, GPU-bb, NVIDIA H100, 0 %, [N/A], 0x0000000000000000
  > 2026/07/04 00:10:48.109, 0, GPU-aa, NVIDIA H100, 100 %, 700.000001 W, 0x0000000000000000
  > EOF
  $ smilog export --run-per file -q log.csv --to sqlite:x.db
  $ python3 -SE - <<'EOF'
  > import sqlite3
  > d = sqlite3.connect("x.db")
  > for row in d.execute('select s.row, idx, uuid, g.name, t_ms, base, gpu_util_pct, power_w, "throttle.sw_power_cap" from samples s '
  >                      'join gpus g using (run, gpu) join inputs using (run, input) order by s.row'): print(row)
  > print(d.execute("select path, format, bytes, rows, lines, header, counted, duplicates, blank, messages, rejected from inputs").fetchall())
  > print(d.execute("select substr(schema, 1, 15), substr(partial, 1, 26) from summaries").fetchall())
  > EOF
  (0, 0, 'GPU-aa', 'NVIDIA H100', 1783123846109, 'local', 50.0, 70.25, 1.0)
  (1, 1, 'GPU-bb', 'NVIDIA H100', 1783123846109, 'local', 0.0, None, 0.0)
  (2, 0, 'GPU-aa', 'NVIDIA H100', 1783123848109, 'local', 100.0, 700.000001, 0.0)
  [('log.csv', 'nvidia-smi-query', 350, 3, 4, 1, 3, 0, 0, 0, 0)]
  [('smilog-partial/', '{"schema": "smilog-partial')]
  $ smilog export --run-per file --tz +02:00 log.csv --to sqlite:x.db
  2> smilog: warning: log.csv: log.csv is not what it was, or on another clock: 3 of the 3 rows that are stored are replaced or gone
  2> smilog: sqlite:x.db: 1 run, 3 rows, 0 marks written
  $ python3 -SE -c 'import sqlite3; print(sqlite3.connect("x.db").execute("select t_ms, base from samples join inputs using (run, input)").fetchall())'
  [(1783116646109, 'utc'), (1783116646109, 'utc'), (1783116648109, 'utc')]
  $ smilog export --run-per file --gpus GPU-bb --tz +02:00 log.csv --to sqlite:x.db
  2> smilog: warning: log.csv: log.csv is not what it was, or on another clock: 2 of the 3 rows that are stored are replaced or gone
  2> smilog: sqlite:x.db: 1 run, 0 rows, 0 marks written
  $ python3 -SE -c 'import sqlite3; print(sqlite3.connect("x.db").execute("select row, uuid from samples join gpus using (run, gpu)").fetchall())'
  [(1, 'GPU-bb')]
  $ rm log.csv x.db

sqlite refuses files of others
  $ log=../../../fixtures/query_units.csv
  $ python3 -SE -c 'import sqlite3; d = sqlite3.connect("other.db"); d.execute("create table t(a)"); d.commit()'
  $ smilog export -q $log --to sqlite:new.db
  $ python3 -SE -c 'import sqlite3; d = sqlite3.connect("new.db"); d.execute("pragma user_version=99"); d.commit(); d.execute("pragma journal_mode=delete")'
  $ printf 'some text, long enough to be told from nothing, and no database at all: it has to stay as it is.......' >text.db
  $ mkdir dir.db
  $ cksum *.db >before 2>/dev/null
  $ for f in other new text dir nowhere/x; do smilog export $log --to sqlite:$f.db; echo $?; done
  4
  4
  4
  4
  4
  2> smilog: other.db: a SQLite file of another program: not touched
  2> smilog: new.db: made by a newer smilog, which reads it (layout 99, this one has 2): not touched
  2> smilog: text.db: file is not a database
  2> smilog: dir.db: not a regular file
  2> smilog: nowhere/x.db: unable to open database file
  $ smilog export $log --to sqlite:-; echo $?
  2
  2> smilog: sqlite: needs the name of a file
  2> try: smilog help export
  $ cksum *.db 2>/dev/null | cmp - before; ls -d *.db
  dir.db
  new.db
  other.db
  text.db
  $ rm -r *.db before

sqlite says what the logs say
# the account of lines, faults and warnings are in the partial summary, too
  $ fixtures=$root/tests/fixtures pick=$root/tests/cases/pick.py d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir -p s/run; { cat $fixtures/query_units.csv; echo "2024/02/11 09:15:99.000, x"
  >     echo "Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost."; echo torn; printf half; } >s/run/hw.csv
  $ smilog export -q s --to sqlite:x.db
  $ smilog summarize --json s >logs 2>said; smilog summarize --json sqlite:x.db 2>said_too | cmp - logs
  $ cmp said said_too; cat said_too; python3 -SE $pick inputs/0/rejected errors/*/error <logs
  smilog: hw.csv:26: warning: another number of cells than the header: "2024/02/11 09:15:99.000, x"
  smilog: hw.csv:27: warning: Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.
  smilog: hw.csv:28: warning: no row, no header, no known message: "torn"
  smilog: hw.csv:29: warning: unfinished last line: "half"
  inputs/0/rejected {"bad_width": 1, "foreign": 1, "torn_tail": 1}
  errors/*/error ["gpu_lost"]

sqlite takes what is new
  $ ask() { python3 -SE -c 'import sqlite3, sys
  > for row in sqlite3.connect("x.db").execute(sys.argv[1]): print(*row, sep="|")' "$1"; }
  $ full=../../../fixtures/sweep/lr=0.1/seed=3
  $ mkdir run; head -n 100 $full/hw_metrics.csv >run/hw_metrics.csv; cp $full/run.jsonl run/run.jsonl
  $ echo new; smilog export run --to sqlite:x.db; ask 'select count(*), max(row) from samples'
  new
  99|98
  2> smilog: sqlite:x.db: 1 run, 99 rows, 60 marks written
  $ echo again; smilog export run --to sqlite:x.db; smilog export run/ --to sqlite:x.db; (cd run; smilog export --to sqlite:../x.db)
  again
  2> smilog: sqlite:x.db: 0 runs, 0 rows, 0 marks written
  2> smilog: sqlite:x.db: 0 runs, 0 rows, 0 marks written
  2> smilog: sqlite:../x.db: 0 runs, 0 rows, 0 marks written
  $ echo grown; cp $full/hw_metrics.csv run; smilog export run --to sqlite:x.db
  grown
  2> smilog: sqlite:x.db: 1 run, 625 rows, 0 marks written
  $ ask 'select count(*), max(row), sum(power_w is null) from samples'
  724|723|0
  $ echo torn; printf '2026/07/04 00:1' >>run/hw_metrics.csv; smilog export -q run --to sqlite:x.db; ask 'select rows, bytes from inputs'
  torn
  724|102694
  0|7236
  $ echo replaced; sed -i 2d run/hw_metrics.csv; smilog export run --to sqlite:x.db; ask 'select count(*), max(row) from samples'
  replaced
  723|722
  2> smilog: warning: run: hw_metrics.csv is not what it was, or on another clock: 724 of the 724 rows that are stored are replaced or gone
  2> smilog: sqlite:x.db: 1 run, 723 rows, 0 marks written
  $ echo gone; rm run/run.jsonl; smilog export run --to sqlite:x.db; ask 'select count(*) from marks'; ask 'select name, state, time_base from runs'
  gone
  0
  run|unknown|local, zone not known
  2> smilog: warning: run: hw_metrics.csv is not what it was, or on another clock: 723 of the 723 rows that are stored are replaced or gone
  2> smilog: warning: run: run.jsonl is not there any more: what was stored of it is gone, too
  2> smilog: sqlite:x.db: 1 run, 723 rows, 0 marks written
  $ echo another; mkdir -p b/run; cp $full/cpu_metrics.csv b/run; smilog export b --to sqlite:x.db; ask 'select name, count(*), count(cpu_usr_pct), count(power_w) from samples join runs on id = run group by run'
  another
  run|723|0|723
  run|362|362|0
  2> smilog: sqlite:x.db: 1 run, 362 rows, 0 marks written
  $ ask 'pragma integrity_check'; ask 'pragma foreign_key_check'; ask 'pragma journal_mode'; ls x.db*
  ok
  wal
  x.db
  $ rm -r run b x.db

sqlite two exports into one new file
# The first has opened the file before the second one makes its columns.
  $ log=../../../fixtures/query_units.csv
  $ mkdir a; cp $log a/a.csv; mkfifo pipe
  $ smilog export - --to sqlite:x.db <pipe & exec 3>pipe
  > until python3 -SE -c 'import sqlite3; sqlite3.connect("file:x.db?mode=rw", uri=True).execute("select * from samples")' 2>/dev/null; do sleep 0.02; done
  > smilog export -q a --to sqlite:x.db; echo $?
  > cat $log >&3; exec 3>&-; wait $!; echo $?
  > python3 -SE -c 'import sqlite3
  > print(sqlite3.connect("x.db").execute("select count(distinct run), count(*), count(power_w) from samples").fetchall())'
  > # Many at once: each finds a file that is whole.
  > for i in 1 2 3; do
  >     for k in 1 2 3 4; do smilog export -q a --to sqlite:y$i.db & done
  >     wait
  > done
  > rm -r a pipe *.db
  0
  0
  [(2, 48, 48)]
  2> smilog: sqlite:x.db: 1 run, 24 rows, 0 marks written

sqlite views are no tables
# a view in place of a table: it has rows without end
  $ log=../../../fixtures/query_units.csv d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ smilog export -q $log --to sqlite:"$d/x.db"
  $ python3 -SE - "$d/x.db" <<'EOF2'
  > import sqlite3, sys
  > d = sqlite3.connect(sys.argv[1])
  > d.executescript("""alter table summaries rename to s;
  >     create view summaries as with recursive n(i) as (select 1 union all select i + 1 from n) select s.* from s, n;""")
  > EOF2
  $ for mode in 644 444; do
  >     chmod $mode "$d/x.db" && [ $mode = 644 ] || chmod 555 "$d"
  >     timeout 20 smilog summarize sqlite:"$d/x.db" >out 2>said; echo $? "$(wc -c <out)" "$(wc -l <said)"
  > done
  3 0 1
  3 0 1
  $ chmod 755 "$d" && chmod 644 "$d/x.db"
  $ timeout 20 smilog export -q $log --to sqlite:"$d/x.db" 2>said; echo $? "$(wc -l <said)"
  4 1
  $ rm out said

standard input is exported
  $ smilog export -q - --to jsonl:- <../../../fixtures/query_nounits.csv >stream; smilog export -q ../../../fixtures/query_nounits.csv --to jsonl:- | cut -d , -f 4- >file
  $ cut -d , -f 4- stream | cmp - file; wc -l <file
  12
  $ cat ../../../fixtures/sweep/lr=0.1/seed=3/run.jsonl | smilog export -q - --to jsonl:- | wc -l
  60
  $ rm stream file

text is no formula
# A cell of text that a spreadsheet would take for a formula has ' before it, quoted or not; read back, it is without.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && cd "$t" || exit
  $ printf '%s\n' 'timestamp, index, utilization.gpu [%]' '2026/07/04 10:00:00.000, 0, 5 %' >log.csv
  $ for name in '=1+1' '+1' '-1' '@SUM(A1)' '=1,2' '+1,2' '-1,2' '@SUM(A1,"b")' plain; do
  >     smilog export -q --to csv:all.csv --run "$name" log.csv && tail -n +2 all.csv
  >     smilog summarize -q --json all.csv | python3 -SE -c 'import json, sys; print(*(r["run"] for r in json.load(sys.stdin)["runs"]))'
  >     rm all.csv
  > done
  '=1+1,,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  =1+1
  '+1,,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  +1
  '-1,,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  -1
  '@SUM(A1),,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  @SUM(A1)
  "'=1,2",,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  =1,2
  "'+1,2",,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  +1,2
  "'-1,2",,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  -1,2
  "'@SUM(A1,""b"")",,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  @SUM(A1,"b")
  plain,,log.csv,nvidia-smi-query,0,2026-07-04T10:00:00.000,gpu,0,,,,5.0
  plain

times of a second log come back
# A query log and a dmon log of one GPU, whose rows lie between and around those of the first: start, end and duration are
# those of both, also when samples that were read are exported again, and in a partial summary of them. Energy and idle
# time stay those of the query log.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir run || exit
  $ {
  >     echo "timestamp, index, utilization.gpu [%], power.draw [W]"
  >     for t in 10 11 12 13 14; do echo "2026/07/04 10:00:$t.433, 0, 80 %, 2$t.00 W"; done
  > } >run/query.csv
  $ {
  >     echo "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem"
  >     echo "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %"
  >     for t in 09 10 11 12 13 14 15; do echo " 20260704   10:00:$t      0     2$t     60     50     70     20"; done
  > } >run/dmon.log
  $ pick() { python3 -SE "$root/tests/cases/pick.py" start end duration_s segments energy_wh covered_s 'gpus/*/metrics/mem_util_pct/count'; }
  $ smilog summarize -q --json run | pick
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  $ for kind in csv jsonl; do
  >     smilog export -q run --to $kind:once.$kind
  >     smilog export -q once.$kind --to $kind:twice.$kind
  >     for f in once twice; do
  >         smilog summarize -q --json $f.$kind | pick
  >         smilog summarize -q --partial $f.$kind >p
  >         smilog merge -q --json p | pick
  >     done
  > done
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]
  start "2026-07-04T10:00:09.000"
  end "2026-07-04T10:00:15.000"
  duration_s 6.0
  segments 1
  energy_wh 0.235556
  covered_s 4.0
  gpus/*/metrics/mem_util_pct/count [7]

where chooses runs
  $ sweep=../../../fixtures/sweep
  $ smilog export -q --where "param.lr = 0.1 and param.seed > 2" $sweep --to jsonl:- | grep -o '^{"run": "[^"]*"' | sort | uniq -c
     1870 {"run": "lr=0.1/seed=3"
     1149 {"run": "lr=0.1/seed=4"
  $ smilog export -q --dry-run --where "param.lr = 0.1 and param.seed > 2" $sweep --to jsonl:x; ls x
  jsonl:x: 2 runs, 2924 rows, 95 marks
  2> ls: cannot access 'x': No such file or directory
  [2]
  $ smilog export --where 'idle_pct < 0' $sweep --to jsonl:-
  2> smilog: warning: no run of 12 is what was asked for: --where 'idle_pct < 0' leaves none
