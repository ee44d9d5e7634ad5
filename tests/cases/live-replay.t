fake replays a dmon log
  $ cd ../../../fixtures && export SMI_FAKE_LOG SMI_FAKE_STAMPS=keep SMI_FAKE_SPEED=1000000
  $ for SMI_FAKE_LOG in dmon*; do
  >     ../../tests/fake/nvidia-smi dmon -s pucvmt | cmp - "$SMI_FAKE_LOG" && echo same
  > done
  same
  same
  same
  same

fake replays a query log
# With the log's own stamps the rows are the log's, whatever was asked for in units; a throttle mask has two names.
  $ cd ../../../fixtures && export SMI_FAKE_LOG SMI_FAKE_STAMPS=keep SMI_FAKE_SPEED=1000000
  $ fields() { head -n 1 "$1" | sed 's/ \[[^]]*\]//g; s/, /,/g'; }
  $ for SMI_FAKE_LOG in query_nounits.csv query_units.csv; do
  >     ../../tests/fake/nvidia-smi --query-gpu="$(fields $SMI_FAKE_LOG)" --format=csv$([ $SMI_FAKE_LOG = query_units.csv ] || echo ,nounits) \
  >         -l 1 | sed 's/clocks_event/clocks_throttle/' | cmp - $SMI_FAKE_LOG && echo same
  > done
  same
  same
  $ SMI_FAKE_LOG=query_units.csv ../../tests/fake/nvidia-smi --query-gpu=index,power.draw,utilization.memory,pstate --format=csv,nounits -i 1 -lms 1 | head -n 3
  index, power.draw [W], utilization.memory [%], pstate
  1, 33.14, 0, [N/A]
  1, 37.05, 0, [N/A]

replay ends as summarize says
# whatever the logs are, when the last row has been played the sums are those of the report
  $ cd ../../../fixtures || exit 1
  $ for run in sweep/lr=*/seed=*; do
  >     smilog live --replay "$run" --speed 1000000 -i 10 --format jsonl 2>/dev/null | tail -n 1 >"${TMPDIR:-/tmp}/replay.$$"
  >     smilog summarize -q --json "$run" | python3 -SE -c '
  > import json, sys
  > last = open(sys.argv[1]).read()
  > run = json.load(sys.stdin)["runs"][0]
  > gpus = [g for g in run["gpus"] if g["gpu"] is not None]  # and what could not be told apart
  > if not last or not run["covered_s"]:
  >     print(sys.argv[2], "no GPU" if not gpus else "no time")
  >     sys.exit()
  > end = json.loads(last)
  > total = end["total"]
  > covered = run["gpu_hours"] * 3600
  > idle = run["idle_pct"] * covered / 100
  > print(sys.argv[2], len(end["gpus"]) == len(gpus), abs(total["covered_s"] - covered) < 0.1, abs(total["idle_s"] - idle) < 0.1,
  >       abs(total["energy_wh"] - run["energy_wh"]) < 0.002)
  > ' "${TMPDIR:-/tmp}/replay.$$" "$run"
  > done
  sweep/lr=0.03/seed=1 True True True True
  sweep/lr=0.03/seed=2 True True True True
  sweep/lr=0.03/seed=3 True True True True
  sweep/lr=0.03/seed=4 True True True True
  sweep/lr=0.1/seed=1 True True True True
  sweep/lr=0.1/seed=2 True True True True
  sweep/lr=0.1/seed=3 True True True True
  sweep/lr=0.1/seed=4 True True True True
  sweep/lr=0.3/seed=1 True True True True
  sweep/lr=0.3/seed=2 True True True True
  sweep/lr=0.3/seed=3 True True True True
  sweep/lr=0.3/seed=4 no GPU
  $ rm -f "${TMPDIR:-/tmp}/replay.$$"

replay is the same every time
# its clock is that of the log: how fast it goes changes nothing, and a table of the end says what the last line does
  $ run=../../../fixtures/sweep/lr=0.03/seed=1
  $ for speed in 1000000 100000; do
  >     smilog live --replay $run --speed $speed --format jsonl 2>&1 | md5sum
  > done | uniq | wc -l
  1
  $ smilog live --replay $run --speed 1000000 --plain 2>/dev/null | tail -n 1
  19:12:37 gpu% 20 27 GiB 60 60 W 328 C 53 54 cpu% 9
  $ smilog live --replay $run --once
  smilog live --replay  2 GPUs  19:12:37 UTC+02:00
  no alerts
  all GPUs     23.5 %   120/159 GiB   0.33 kW   energy 531.9 Wh   idle 0.12 GPU-h   CPU 9 %

  GPU  NOW                LAST 10 MIN (10 s a cell)                                      VRAM GiB  POWER W   °C   MHz  MEM  REMARK
    0  ██           20 %  ████▇██▇▇▇██▇██▇████▆██▇█▇█▇█▇▇█▇████▇█▆█▇████▇█▇█▇██▇▇███▂▂    59.8/80      156   53  1980   10
    1  ██▊          27 %  ▇▇▆▆██▇█▇█▇██▇▇▆██▇██▇▇█▇██▇▇▇▇▇▇▅███▅▇▆█▇█▇██▇▆█▆▇█████▅▆▃▃    59.8/80      172   54  1980   11

replay jumps over what is empty
# A clock that was set ten years on, and a night without a job: neither is sat through, both are said; what is played before
# and behind is all there.
  $ d=$(mktemp -d) || exit
  $ {
  >     echo 'timestamp, index, utilization.gpu [%]'
  >     for day in 2016/07/03 2026/07/03; do for s in 00 01 02 03; do echo "$day 10:00:$s.000, 0, 9$s" | sed 's/9\(0.\)$/\1/'; done; done
  >     for s in 00 01 02 03; do echo "2026/07/04 04:30:$s.000, 0, 5"; done
  > } >"$d/hw.csv"
  $ smilog live --replay "$d" --plain --speed 100 >"$d/lines" 2>"$d/said"; echo $?
  0
  $ smilog live --replay "$d" --once >/dev/null; echo $?
  0
  $ grep jumped "$d/said"
  smilog: warning: nothing for 3652d00h: jumped over
  smilog: warning: nothing for 18h30m: jumped over
  $ grep -c 'gpu% 5 ' "$d/lines"; grep -c 'gpu% 3 ' "$d/lines"
  4
  12
  $ rm -r "$d"

replay plays an archive
# A run in an archive is played as it is in a directory; so are packed logs.
  $ d=$(mktemp -d) || exit
  $ trap 'rm -rf "$d"' EXIT
  $ run=lr=0.1/seed=1
  $ tar -czf "$d/all.tgz" -C ../../../fixtures sweep
  $ tar -cf "$d/one.tar" -C ../../../fixtures/sweep "$run"
  $ python3 - "$d" "../../../fixtures/sweep/$run" <<'EOP'
  > import pathlib, sys, zipfile
  > with zipfile.ZipFile(sys.argv[1] + "/one.zip", "w", zipfile.ZIP_DEFLATED) as z:
  >     for p in sorted(pathlib.Path(sys.argv[2]).iterdir()):
  >         z.write(p, "deep/down/" + p.name)
  > EOP
  $ smilog live --replay "../../../fixtures/sweep/$run" --once >"$d/want"
  $ for a in one.tar one.zip one.zip/deep "all.tgz/sweep/$run"; do
  >     smilog live --replay "$d/$a" --once | cmp - "$d/want" && echo "$a"
  > done
  one.tar
  one.zip
  one.zip/deep
  all.tgz/sweep/lr=0.1/seed=1
  $ for a in all.tgz all.tgz/sweep/lr=9; do
  >     smilog live --replay "$d/$a" --once 2>&1 | sed "s|$d|D|"
  > done
  smilog: D/all.tgz holds 12 runs: name one of them
  try: smilog help live
  smilog: D/all.tgz/sweep/lr=9: no log of a run is there
  try: smilog help live
  $ mkdir "$d/out" && tar -xf "$d/one.tar" -C "$d/out" && gzip "$d/out/$run"/hw_metrics.csv
  $ smilog live --replay "$d/out/$run" --once | cmp - <(smilog live --replay "../../../fixtures/sweep/$run" --once) && echo unpacked
  unpacked

replay of the working directory
  $ cd ../../../fixtures/sweep/lr=0.1/seed=1 && smilog live --replay . --once | cmp - <(smilog live --replay "$PWD" --once) && echo same
  same

replay of two samplers is not stale
# Two samplers log both GPUs every 10 s, half a second apart: no GPU is stale between two of their polls.
  $ smilog live --replay "$root/tests/fixtures/sweep/lr=0.1/seed=3" --speed 1000000 --format jsonl 2>/dev/null | grep -c '"state": "stale"'
  0
  [1]
  $ smilog live --replay "$root/tests/fixtures/sweep/lr=0.1/seed=3" --speed 1000000 --plain 2>&1 | grep 'again after' | sort | uniq -c
        1 smilog: GPU 0 works again after 5m10s
        1 smilog: GPU 1 works again after 5m10s

replay of what it cannot play
  $ smilog live --replay ../../../fixtures/sweep
  2> smilog: ../../../fixtures/sweep holds 12 runs: name one of them
  2> try: smilog help live
  [2]
  $ smilog live --replay nowhere
  2> smilog: nowhere: no log of a run is there
  2> try: smilog help live
  [2]
  $ smilog live --replay cmd
  2> smilog: cmd: no log of a run is there
  2> try: smilog help live
  [2]
  $ smilog live --speed 2
  2> smilog: --speed is of --replay
  2> try: smilog help live
  [2]
  $ smilog live --replay . -o out
  2> smilog: --replay plays what is recorded: -o, --gpus, --apps, --pmon, --kmsg, --demo, --for, --max-size, --max-files, --listen and --textfile are for what happens now
  2> try: smilog help live
  [2]
  $ smilog live --replay . --speed 0
  2> smilog: --speed needs 0.01 to 1000000
  2> try: smilog help live
  [2]
  $ smilog live --replay . -q
  2> smilog: -q without -o DIR, --textfile, --alert-exec or --listen would do nothing
  2> try: smilog help live
  [2]

replay plays parts and packed logs
# rotated parts, the oldest first, and packed ones are one log: nothing changes
  $ run=../../../fixtures/sweep/lr=0.1/seed=3
  $ t=$(mktemp -d) && mkdir "$t/a" "$t/b" && cp "$run"/* "$t/a" && cp "$run"/* "$t/b"
  $ n=$(wc -l <"$t/b/hw_metrics.csv")
  $ { head -n 1 "$t/a/hw_metrics.csv"; sed -n "2,200p" "$t/a/hw_metrics.csv"; } | gzip >"$t/b/hw_metrics.csv.2.gz"
  $ { head -n 1 "$t/a/hw_metrics.csv"; sed -n "201,400p" "$t/a/hw_metrics.csv"; } >"$t/b/hw_metrics.csv.1"
  $ { head -n 1 "$t/a/hw_metrics.csv"; sed -n "401,${n}p" "$t/a/hw_metrics.csv"; } >"$t/b/hw_metrics.csv"
  $ gzip "$t/b/hw_dmon.csv"
  $ for d in a b; do
  >     smilog live --replay "$t/$d" --speed 1000000 --format jsonl 2>/dev/null | sed 's/, "monitors".*//' >"$t/$d.jsonl"
  > done
  $ cmp "$t/a.jsonl" "$t/b.jsonl" && wc -l <"$t/a.jsonl"
  3623
  $ smilog live --replay "$t/b" --speed 1000000 --format jsonl 2>/dev/null | tail -n 1 | grep -o '"name": "[a-z_.]*"'
  "name": "cpu_metrics.csv"
  "name": "hw_dmon.csv"
  "name": "hw_metrics.csv"
  "name": "run.jsonl"
  $ rm -rf "$t"

a run of samples is named as it was
# Its name with a slash is no path.
  $ dir=$(mktemp -d) && trap 'rm -rf $dir' EXIT
  $ smilog export -q --to jsonl:$dir/one.jsonl ../../../fixtures/sweep/lr=0.3/seed=2 && sed 's/"run": "[^"]*"/"run": "lr=0.3\/seed=2"/' $dir/one.jsonl >$dir/a.jsonl
  $ smilog live --replay $dir/a.jsonl --speed 1000000 -i 10 --format jsonl 2>/dev/null | sed -n 's/.*"gpu_util_pct": \([0-9.]*\),.*/util/p' | uniq
  util
  $ smilog live --replay $dir/a.jsonl/lr=0.3/seed=2 --once 2>&1 | sed "s,$dir,DIR,"
  smilog: DIR/a.jsonl/lr=0.3/seed=2: no log of a run is there
  try: smilog help live

replay shows rows when they were read
# Of a log without a key, whose rows tell only together which GPU each is of, and of a JSON list of several polls.
  $ smilog live --replay ../../../fixtures/sweep/lr=0.3/seed=2/hw_metrics.csv --speed 1000000 -i 3 --plain 2>&1 | head -n 2
  02:51:46 gpu% 0 0 GiB 0 0 W - C - - cpu% -
  02:51:49 gpu% 0 0 GiB 0 0 W 142 C 34 35 cpu% -
  $ smilog live --replay $root/tests/cases/tools/gpustat_json_on_lines_and_on_many/list.json --speed 1000000 -i 5 --plain 2>&1
  12:43:30 gpu% 37 0 GiB 1 1 W 194 C 41 42 cpu% -
  12:43:35 gpu% 38 0 GiB 1 1 W 196 C 41 42 cpu% -
  12:43:40 gpu% 39 0 GiB 1 1 W 198 C 41 42 cpu% -
  12:43:45 gpu% 40 0 GiB 1 1 W 200 C 41 42 cpu% -
