a gpu log that is not usable
# seed=1: a CSV without its header, and dmon without times, which does not tell the waste. seed=2: failed, without
# a GPU log.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp -r ../../../fixtures/sweep/lr=0.3 "$d/runs" && rm -r "$d/runs/seed=1" &&
  >     cp -r ../../../fixtures/sweep/lr=0.1/seed=1 "$d/runs" && cd "$d" && chmod -R u+w .
  $ sed -i '/^timestamp/d' runs/seed=1/hw_metrics.csv
  $ rm runs/seed=2/hw_*.csv
  $ smilog summarize -q runs | sed -n 's/^\(seed=[0-9]  *[^ ]*\).*\(pod-.*\)/\1 \2/p; $p'
  seed=1  0.1 pod-1  GPU log not usable
  seed=2  0.3 pod-2  out of memory
  seed=3  0.3 pod-3  GPU 1 unused
  seed=4  0.3 pod-4  no GPU log
  4 runs, 1.99 GPU-h, 341.8 Wh (not known: 1 run), GPU 59.6 %, 1.06 GPU-h wasted (53.1 %), not known for 1 run, 1 failed, 2 no GPU data
  $ smilog check -q --max-idle-pct 10 runs
              LIMIT           VALUE  RUN
  FAIL        idle_pct <= 10   53.1  seed=3
  not judged  no reading          -  seed=1: no idle_pct: no two rows of one GPU with times: no energy, no idle time
  not judged  no reading          -  seed=2: no GPU log
  not judged  no reading          -  seed=4: no GPU log
  1 limit broken by 1 of 4 runs, 3 runs could not be judged
  [1]

a little waste is no alarm
# Below 2 % of waste, or below a minute of it, the page begins with what was used.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/run"
  $ for form in "10 1000 15" "10 1000 25" "1 100 30" "600 9000 4"; do # seconds between rows, rows, idle ones
  >     read -r every rows idle <<< "$form"
  >     for ((i = 0; i < rows; i++)); do
  >         TZ=UTC printf '%(%Y/%m/%d %H:%M:%S)T.000, 0, %d %%\n' $((1790000000 + i * every)) $((i < idle ? 0 : 90))
  >     done > "$t/rows"
  >     { echo 'timestamp, index, utilization.gpu [%]'; cat "$t/rows"; } > "$t/run/gpu.csv"
  >     smilog report -q "$t/run" -o "$t/x.html"
  >     sed -n 's/.*<p class="sentence">\(.*\)<.p>/\1/p' "$t/x.html"
  > done
  All but 1.4 % of 2.78 GPU-hours were used.
  2.4 % of 2.78 GPU-hours were wasted, all of it: idle 4m00s before the first work.
  Less than a minute of 0.03 GPU-hours was wasted.
  All but &lt;0.1 % of 1499.83 GPU-hours were used.

a megawatt hour is one
# A million watt-hours are 1 MWh, in the total line and in the page's figures, which have no room for more digits.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/run"
  $ {
  >     echo 'timestamp, index, utilization.gpu [%], power.draw [W]'
  >     for ((i = 0; i < 61; i++)); do
  >         for ((g = 0; g < 8; g++)); do
  >             TZ=UTC printf '%(%Y/%m/%d %H:%M:%S)T.000, %d, 90 %%, 700.00 W\n' $((1790000000 + i * 86400)) "$g"
  >         done
  >     done
  > } > "$t/run/gpu.csv"
  $ for days in 61 8; do
  >     head -n $((days * 8 + 1)) "$t/run/gpu.csv" > "$t/run/part.csv"
  >     mv "$t/run/part.csv" "$t/run/gpu.csv"
  >     smilog summarize -q --gco2-kwh 400 "$t/run" | tail -n 1
  >     smilog report -q --gco2-kwh 400 "$t/run" -o "$t/x.html"
  >     grep -A 4 'class="figures"' "$t/x.html" | grep energy
  > done
  60d00h, 11520.00 GPU-h, 8.06 MWh, 3.23 t CO2, GPU 90.0 %, 0.00 GPU-h wasted (0.0 %), 1 finding
  <div class="figure"><b>8.06 MWh</b><span>energy</span><i>3.23 t CO2</i></div>
  7d00h, 1344.00 GPU-h, 940.80 kWh, 376.32 kg CO2, GPU 90.0 %, 0.00 GPU-h wasted (0.0 %)
  <div class="figure"><b>940.80 kWh</b><span>energy</span><i>376.32 kg CO2</i></div>

one parameter too many for the head
# One parameter too many for the head is "1 more parameter". A finding of two runs is one row, with the worst of them.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ for last in 20 30; do
  >     mkdir -p out/$last
  >     awk -v last=$last 'BEGIN { print "timestamp, index, utilization.gpu [%]"
  >         for (i = 0; i < 900; i++) printf "2026/07/03 10:%02d:%02d.000, 0, %d %%\n", i / 60, i % 60, i == 450 ? last : 20 }' >out/$last/gpu.csv
  >     python3 -SE -c "import json; print(json.dumps({'p%02d' % k: k for k in range(13)}))" >out/$last/config.json
  > done
  $ smilog report -q out -o page.html && sed -n '/id="findings"/,/section>/p' page.html | grep '<t[rdh]' | sed 's/<[^>]*>/ /g; s/  */ /g'
  \x20 (esc)
   Cause Level GPU-h Runs Most in What happened, and what to do\x20 (esc)
   low-util warn 0.50 2 20 the GPU at 20 % over time, and 1 more: larger batches, faster input, or several jobs on a GPU\x20 (esc)
  $ grep -o '([0-9]* more param[a-z]*' page.html
  (1 more parameter
  $ rm -r "$d"

a table is no page
  $ smilog report ../../../fixtures/sweep -o out.txt
  2> smilog: table is no page: smilog summarize writes it
  2> try: smilog help report
  [2]

alerts of a recording
# A recording that is too short for findings still tells the alerts that live said meanwhile: as events, each with its rule
# and GPU, in the table, JSON, the workbook's charts and the page.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/run7"
  $ { echo 'timestamp, index, utilization.gpu [%]'
  >   for s in 00 10 20 30 40 50; do echo "2026/07/03 10:00:$s.000, 2, 0"; done; } >"$d/run7/hw_metrics.csv"
  $ e() { echo "{\"ts\": \"2026-07-03T10:00:$1+00:00\", \"type\": \"event\", \"event\": \"$2\", \"data\": {$3}}"; }
  $ { e 00.100 start '"utc_offset_s": 0'
  >   e 12.000 alert '"rule": "idle", "gpu": 2, "state": "begins", "text": "GPU 2 idle 5m00s"'
  >   e 30.000 alert '"rule": "idle", "gpu": 2, "state": "ends", "text": "GPU 2 works again"'
  >   e 31.000 alert '"rule": "dead", "monitor": "dmon", "state": "begins", "text": "dmon is down"'
  >   e 40.000 alert '"rule": "idle", "gpu": 2, "state": "begins", "text": "GPU 2 idle 5m00s"'
  >   e 41.000 alert '"level": "somebody else"'
  >   e 50.000 stop '"exit_status": 0'; } >"$d/run7/run.jsonl"
  $ cd "$d" && smilog summarize -q -v run7 | sed -n '/^events/,/^$/p'
  events: alert 1, alert dead (dmon) 1, alert idle (GPU 2) 2, alert idle (GPU 2) over 1, start 1, stop 1

  $ smilog summarize -q --json run7 | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print(r["events"], r["findings"])'
  {'alert': 1, 'alert dead (dmon)': 1, 'alert idle (GPU 2)': 2, 'alert idle (GPU 2) over': 1, 'start': 1, 'stop': 1} []
  $ smilog report -q run7 -o r.xlsx
  $ python3 -SE -c 'import zipfile; print(zipfile.ZipFile("r.xlsx").read("xl/worksheets/sheet9.xml").decode())' | grep -o 'alert [^<]*' | sort
  alert dead (dmon)
  alert idle (GPU 2)
  alert idle (GPU 2) over
  $ smilog report -q run7 -o r.html
  $ grep -o '"alert [^"]*"' r.html | sort -u
  "alert dead (dmon)"
  "alert idle (GPU 2) over"
  "alert idle (GPU 2)"

an empty selection says why
# A page without runs names the option that left none of them, as standard error does; so does check.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for how in "--where lr=5" "--since 2031-01-01" "--since 2026-01-01 --until 2026-02-01 --where lr=0.1" "--until 2031-01-01 --where seed<0"; do
  >     smilog report -q $how ../../../fixtures/sweep -o "$t/x.html"
  >     sed -n 's/.*<p class="sentence">\(.*\)<.p>/\1/p' "$t/x.html"
  >     smilog report $how ../../../fixtures/sweep -o "$t/x.html" 2>&1 | grep asked
  >     smilog check -q --max-idle-pct 10 $how ../../../fixtures/sweep 2>&1
  > done
  --where &#39;lr=5&#39; leaves none of 12 runs.
  smilog: warning: no run of 12 is what was asked for: --where 'lr=5' leaves none
  smilog: nothing to check: --where 'lr=5' leaves none of 12 runs
  --since &#39;2031-01-01&#39; leaves none of 12 runs.
  smilog: warning: no run of 12 is what was asked for: --since '2031-01-01' leaves none
  smilog: nothing to check: --since '2031-01-01' leaves none of 12 runs
  --since &#39;2026-01-01&#39; --until &#39;2026-02-01&#39; leaves none of 12 runs.
  smilog: warning: no run of 12 is what was asked for: --since '2026-01-01' --until '2026-02-01' leaves none
  smilog: nothing to check: --since '2026-01-01' --until '2026-02-01' leaves none of 12 runs
  --where &#39;seed&lt;0&#39; leaves none of 12 runs.
  smilog: warning: no run of 12 is what was asked for: --where 'seed<0' leaves none
  smilog: nothing to check: --where 'seed<0' leaves none of 12 runs
  [3]

ending unknown
  $ smilog report ../../../fixtures/sweep -o out.pdf
  2> smilog: the ending of out.pdf names no format (.md .html .svg .xlsx do): add --format NAME
  2> try: smilog help report
  [2]

group by misspelt
  $ smilog report --group-by param.lx ../../../fixtures/sweep --format md -o -
  2> smilog: lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  2> smilog: --group-by: there is no column "param.lx"; did you mean param.lr?
  [2]

groups of what most runs have
# A parameter of few runs says nothing of the others: neither groups nor columns are made of it. What sums lack is said.
  $ root=$PWD/../../../..
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ log() { mkdir -p "$t/$1"; printf 'timestamp, index, utilization.gpu [%%], power.draw [W]\n2026/07/03 10:00:00.000, 0, 50, %s\n2026/07/03 11:00:00.000, 0, 50, %s\n' "$2" "$2" >"$t/$1/hw.csv"; }
  $ for i in $(seq 10 29); do log "lr=0.1/r$i" 100.00; log "lr=0.3/r$i" 100.00; done
  $ for i in 30 31 32; do log "lr=0.3/r$i" '[N/A]'; done
  $ for i in 1 2 3 4; do log "lr=0.3/b$i" 100.00; echo "{\"batch\": $((i / 2))}" >"$t/lr=0.3/b$i/config.json"; done
  $ rm -r "$t/lr=0.1/r10" && cd "$t" || exit
  $ COLUMNS=100 LINES=40 script -qec 'smilog summarize -q --color=never .' /dev/null | tr -d '\r' | sed -n -e '/^BY /,/^$/p' -e /columns:/p -e '/ runs,/p'
  BY lr  RUNS  FAILED  CUT  GPU %  +/-  IDLE %  VRAM GiB  GPU-h   kWh  WASTED h
  0.1      19       -    -   50.0  0.0     0.0         -  19.00   1.9      0.00
  0.3      27       -    -   50.0  0.0     0.0         -  27.00  >2.4      0.00
  total    46       -    -   50.0  0.0     0.0         -  46.00  >4.3      0.00
  kWh not known: 3 runs

  46 runs, 46.00 GPU-h, 4.30 kWh (not known: 3 runs), GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog report -q -o r.html . && sed -n 's/.*"groups":\[{"key":"\([a-z]*\)".*/page: by \1/p' r.html
  page: by lr
  $ smilog report -q --price-gpu-hour 2 --price-kwh 0.3 -o r.xlsx . && PYTHONPATH=$root/tests/oracle python3 -SB - r.xlsx <<'END'
  > import sheets, sys
  > said = ("Runs", "Energy kWh", "Runs without energy", "Cost", "Runs without cost")
  > sheet = sheets.sheets(sys.argv[1], ["Groups"])["Groups"]
  > head = [sheet.value.get((1, col)) for col in range(1, 21)]
  > for row in range(2, sheet.rows + 1):
  >     cells = [sheet.value.get((row, col)) for col in range(1, 21)]
  >     print(cells[0], cells[1], *(f"{h}: {v:g}" for h, v in zip(head, cells) if h in said), sep="  ")
  > END
  lr  0.1  Runs: 19  Energy kWh: 1.9  Runs without energy: 0  Cost: 38.57  Runs without cost: 0
  lr  0.3  Runs: 27  Energy kWh: 2.4  Runs without energy: 3  Cost: 48.72  Runs without cost: 3
  all runs  all runs  Runs: 46  Energy kWh: 4.3  Runs without energy: 3  Cost: 87.29  Runs without cost: 3

html groups by what is asked
  $ d=$(mktemp -d) || exit
  $ printf 'run,team\nlr=0.03/seed=1,a\nlr=0.03/seed=2,b\nlr=0.1/seed=1,a\nlr=0.3/seed=1,b\n' >"$d/team.csv"
  $ for by in team param.seed,param.lr hostname,lr; do
  >     echo "== $by"
  >     smilog report ../../../fixtures/sweep -q --join "$d/team.csv" --group-by "$by" -o "$d/page.html"
  >     smilog report ../../../fixtures/sweep --join "$d/team.csv" --group-by "$by" -o "$d/page.html" 2>&1 | grep -e --group-by
  >     python3 -SE - "$d/page.html" <<'EOF'
  > import json, re, sys
  > data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
  > print([(g["key"], len(g["of"])) for g in data["groups"]])
  > EOF
  > done
  == team
  [('team', 2), ('lr', 3), ('seed', 4)]
  == param.seed,param.lr
  [('seed', 4), ('lr', 3)]
  == hostname,lr
  smilog: warning: --group-by hostname: a page has groups by parameters and joined columns that differ only
  [('lr', 3), ('seed', 4)]
  $ rm -r "$d"

html has the numbers of csv
# What "copy as CSV" copies is in the page as summarize's CSV has it, not rounded as it is shown
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ smilog report -q ../../../fixtures/sweep --price-gpu-hour 2.49 -o "$out/page.html"
  $ smilog summarize -q ../../../fixtures/sweep --price-gpu-hour 2.49 --format csv >"$out/runs.csv"
  $ python3 -SE - "$out" <<'END'
  > import csv, json, re, sys
  > page = open(sys.argv[1] + "/page.html", encoding="utf-8").read()
  > data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
  > rows = list(csv.DictReader(open(sys.argv[1] + "/runs.csv")))
  > for c in data["cols"]:
  >     if "v" in c and c["csv"] in rows[0]:
  >         got = c["v"].split("|")
  >         got = got * len(rows) if len(got) == 1 else got
  >         print(c["k"], c["csv"], got == [r[c["csv"]] for r in rows], got[1])
  >     elif c["csv"] not in rows[0]:
  >         print(c["k"], c["csv"], "is not in CSV")
  > END
  gpu gpu_util_time_mean_pct True 81.134553
  p95 gpu_util_p95_pct is not in CSV
  idle idle_pct True 6.01735
  vram vram_used_peak_mb True 42188.8
  total vram_total_mb True 81559.0
  power power_sum_w is not in CSV
  temp temp_max_c is not in CSV
  slowed throttled_pct True\x20 (esc)
  wh energy_wh True 530.77021
  cost wasted_cost True 0.290654
  unknown not_known_h is not in CSV
  note note is not in CSV

html is one safe file
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ mkdir "$out/runs" && cp -r ../../../fixtures/sweep/lr=0.3 "$out/runs/"
  $ mv "$out/runs/lr=0.3/seed=1" "$out/runs/lr=0.3/seed=1 <img src=x onerror=alert(1)>&\"'"
  $ smilog report -q "$out/runs" -o "$out/page.html" --price-gpu-hour 2.49
  $ python3 -SE - "$out/page.html" <<'EOF'
  > import base64, hashlib, json, re, sys
  > page = open(sys.argv[1], "rb").read()
  > text = page.decode("utf-8")
  > policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)[1]
  > told = re.findall(r"'sha256-([^']*)'", policy)
  > parts = re.findall(rb"<style>(.*?)</style>|<script>(.*?)</script>", page, re.S)
  > real = [base64.b64encode(hashlib.sha256(a or b).digest()).decode() for a, b in parts]
  > print("hashes are those of what stands there:", told == real, len(real))
  > print(re.sub(r"'sha256-[^']*'", "HASH", policy))
  > print("sections:", *re.findall(r'<(?:header|section) id="(\w+)"', text))
  > print("figures:", re.findall(r'<div class="figure"><b>([^<]*)</b><span>([^<]*)', text))
  > for id, data in re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', text, re.S):
  >     print(id, "has no mark-up:", not re.search("[<>&\u2028\u2029]", data), *json.loads(data))
  > body = re.sub(r"(?s)<script[ >].*?</script>|<style>.*?</style>|<!--.*?-->", "", text)
  > print("addresses:", re.findall(r"https?:[^\s\"<]*", body), "and those of dygraphs:",
  >       sorted(set(re.findall(r"https?://([\w.-]*)", text))))
  > print("the name:", re.search(r'<th scope="row"><a href="[^"]*">seed=1 [^/]*/a>', body)[0])
  > print("dygraphs' licence:", "Permission is hereby granted" in text, "the map of its source:", "sourceMapping" in text)
  > EOF
  hashes are those of what stands there: True 3
  default-src 'none'; style-src HASH; script-src HASH HASH; base-uri 'none'; form-action 'none'
  sections: top waste findings runs map one groups phases warnings about
  figures: [('4', 'runs'), ('5.35', 'GPU-hours'), ('2.55', 'GPU-hours wasted'), ('1.25 kWh', 'energy'), ('$13.33', 'cost')]
  data has no mark-up: True n of base given sorted total frame long cols marks steps shapes groups
  r1 has no mark-up: True text findings time
  r2 has no mark-up: True text findings time
  r0 has no mark-up: True text findings time
  r3 has no mark-up: True text findings time
  addresses: [] and those of dygraphs: ['github.com', 'www.w3.org']
  the name: <th scope="row"><a href="#run=seed%3D1%20%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%26%22%27">seed=1 &lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;</a>
  dygraphs' licence: True the map of its source: False

html keeps its budget
# 40 runs of 8 GPUs, whose curves are more than 5 MB: the page keeps to it, and those that wasted most have theirs
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ awk -v out="$out" 'BEGIN {
  >     srand(1)
  >     for (r = 0; r < 40; r++) {
  >         dir = sprintf("%s/runs/seed=%02d", out, r)
  >         system("mkdir -p \"" dir "\"")
  >         file = dir "/hw.csv"
  >         print "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]" > file
  >         for (i = 0; i < 1500; i++)
  >             for (g = 0; g < 8; g++)
  >                 printf "2026/07/03 1%d:%02d:%02d.000, %d, %d, %d, %.2f\n", i / 360, i / 6 % 60, i % 6 * 10, g,
  >                        i < r ? 0 : 20 + rand() * 80, 30000 + rand() * 9999, 100 + rand() * 600 > file
  >         close(file)
  >     }
  > }'
  $ report() {
  >     smilog report -q "$out/runs" "$@" -o "$out/page.html"
  >     python3 -SE - "$out/page.html" <<'EOF'
  > import json, re, sys
  > text = open(sys.argv[1], encoding="utf-8").read()
  > run = {int(i): json.loads(t) for i, t in re.findall(r'id="r(\d+)">(.*?)</script>', text, re.S)}
  > timed = sorted(i for i in run if "time" in run[i])
  > n = len(text.encode())
  > print("rows", json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["n"], "runs with all numbers", len(run),
  >       "at most 5 MB", n <= 5000000, "more than 3 MB", n > 3000000)
  > print("some have curves", 0 < len(timed) < 40, "all have", len(timed) == 40, "they wasted most",
  >       timed == list(range(40 - len(timed), 40)), "points", max(run[timed[-1]]["time"]["n"], 250) <= 512)
  > EOF
  > }
  $ report
  rows 40 runs with all numbers 40 at most 5 MB True more than 3 MB True
  some have curves True all have False they wasted most True points True
  $ report --samples 100
  rows 40 runs with all numbers 40 at most 5 MB True more than 3 MB False
  some have curves False all have True they wasted most True points True
  $ report --samples all
  rows 40 runs with all numbers 40 at most 5 MB False more than 3 MB True
  some have curves False all have True they wasted most True points True

html tells runs apart
# Two names of 240 bytes that differ in the middle, where long names are shortened: in the page they differ, too, and each
# is followed by its own name in full, which is what one types
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ a=$(printf 'a%.0s' $(seq 90)) b=$(printf 'b%.0s' $(seq 110))
  $ for opt in adam sgd_; do
  >     mkdir -p "$out/runs/data=$a,opt=$opt,lr=0.0001,by=$b"
  >     cp ../../../fixtures/sweep/lr=0.03/seed=1/hw_metrics.csv "$out/runs/data=$a,opt=$opt,lr=0.0001,by=$b/"
  > done
  $ smilog report -q "$out/runs" -o "$out/page.html"
  $ python3 -SE - "$out/page.html" <<'END'
  > import json, re, sys, urllib.parse
  > text = open(sys.argv[1], encoding="utf-8").read()
  > data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
  > col = data["cols"][0]
  > names = [col["d"][i] for i in col["t"]] if "d" in col else col["t"]
  > print("rows differ:", names[0] != names[1], "and say in what:", *(re.search("opt=....", n)[0] for n in names))
  > full = [data["long"].get(str(i), n.join(data["frame"])) for i, n in enumerate(names)]
  > print("in full:", [n.count("a") > 90 and len(n) for n in full])
  > links = [urllib.parse.unquote(x) for x in re.findall(r'<th scope="row"><a href="#run=([^"]*)"', text)]
  > print("links:", links == names)
  > END
  rows differ: True and say in what: opt=adam opt=sgd_
  in full: [228, 228]
  links: True

html unknown is not used
# Without readings of utilisation GPU-hours are neither used nor wasted: in the table, in the bars, in the groups
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ for lr in 1 2; do
  >     for seed in 1 2; do
  >         mkdir -p "$out/runs/lr=$lr/seed=$seed"
  >         awk -v known=$((lr == 1 && seed == 1)) 'BEGIN {
  >             print "timestamp, index, " (known ? "utilization.gpu [%], " : "") "memory.used [MiB]"
  >             for (i = 0; i <= 360; i++)
  >                 printf "2026/07/03 1%d:%02d:%02d.000, 0, %s%d\n", i / 360, i / 6 % 60, i % 6 * 10, known ? "50, " : "", 1000
  >         }' >"$out/runs/lr=$lr/seed=$seed/hw.csv"
  >     done
  > done
  $ smilog report -q "$out/runs" -o "$out/page.html" --price-gpu-hour 2
  $ python3 -SE - "$out/page.html" <<'END'
  > import json, re, sys
  > text = open(sys.argv[1], encoding="utf-8").read()
  > data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
  > waste = re.search(r'id="waste".*?</section>', text, re.S)[0]
  > for row in re.findall(r"<tr.*?</tr>", waste, re.S)[1:]:
  >     print(*[re.sub("<[^>]*>", "", c) or "." for c in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)], sep=" | ")
  > print("total", data["total"])
  > for g in data["groups"]:
  >     for v in g["of"]:
  >         print(g["key"], v["v"], v["ms"], v["t"])
  > END
  used | 1.00 | 25.0 | $2.00 | . | working, or waiting between readings
  not known | 3.00 | 75.0 | $6.00 | . | no reading of utilisation
  wasted | 0.00 | 0.0 | $0.00 | . | .
  all | 4.00 | 100.0 | $8.00 | . | .
  total [3600000, 0, 0, 0, 0, 0, 10800000]
  lr 1 [3600000, 0, 0, 0, 0, 0, 3600000] ['50.0', '0.0', '1.0', '2.00', '0.00', '0']
  lr 2 [0, 0, 0, 0, 0, 0, 7200000] ['-', '-', '1.0', '2.00', '-', '0']
  seed 1 [3600000, 0, 0, 0, 0, 0, 3600000] ['50.0', '0.0', '1.0', '2.00', '0.00', '0']
  seed 2 [0, 0, 0, 0, 0, 0, 7200000] ['-', '-', '1.0', '2.00', '-', '0']

md fits a comment
  $ dir=$(mktemp -d)
  $ trap 'rm -r "$dir"' EXIT
  $ for run in $(seq 700); do
  >     mkdir -p "$dir/a-name-that-says-a-lot-of-a-run/and-more-of-it/lr=0.00$run"
  >     echo "{\"ts\": \"2026-07-03T22:10:46Z\", \"type\": \"event\", \"event\": \"start\"}" >"$dir/a-name-that-says-a-lot-of-a-run/and-more-of-it/lr=0.00$run/run.jsonl"
  > done
  $ cd "$dir"
  $ smilog report -q . --format md -o - | wc -c | sed "s/^6[0-4][0-9][0-9][0-9]$/less than 65536 bytes/"
  less than 65536 bytes
  $ smilog report -q . --format md -o - | grep comment
  137 more would not fit a comment of GitHub: `--all`, or `smilog summarize -o runs.csv`.
  $ smilog report -q --all . --format md -o - | grep -c "lr=0.00"
  700

md is what summarize writes
  $ dir=$(mktemp -d)
  $ smilog report -q ../../../fixtures/sweep -o "$dir/a.md" && smilog summarize -q ../../../fixtures/sweep -o "$dir/b.md"
  $ cmp "$dir/a.md" "$dir/b.md" && echo same
  same
  $ rm -r "$dir"

md of many runs
  $ dir=$(mktemp -d)
  $ trap 'rm -r "$dir"' EXIT
  $ for run in $(seq 22); do
  >     mkdir -p "$dir/sweep/lr=$run"
  >     for row in $(seq -w 0 59); do # idle for as many minutes as the run has a number
  >         echo "2026/07/03 22:$row:00.000, $((10#$row < run ? 0 : 80)) %, 100 MiB, 70.00 W"
  >     done | sed "1i timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W]" >"$dir/sweep/lr=$run/hw.csv"
  > done
  $ cd "$dir" && smilog report -q sweep -o out.md && cat out.md
  ### GPU use of `sweep`

  22 runs in `sweep`   `1 GPU`
  2026-07-03 22:00 to 22:59, zone not known   sampled every 60.0 s

  **22 runs, 21.63 GPU-h, 1.51 kWh, GPU 65.1 %, 3.85 GPU-h wasted (17.8 %)**

  quality: complete

  Where 3.85 of 21.63 GPU-hours went (17.8 %):

  | Part | GPU-h | Where | What happened |
  |---|---:|---|---|
  | start | 3.85 | 21 runs | idle before the first work, 11m00s on average: load and compile before a GPU is held, or keep what was compiled |

  The 20 runs that wasted most (3.83 of 3.85 GPU-h):

  | Run | Time | GPU % | Idle % | VRAM GiB | Wh | Wasted h |
  |---|---:|---:|---:|---:|---:|---:|
  | `lr=22` | 59m00s | 50.8 | 35.6 | 0.1 | 68.8 | 0.35 |
  | `lr=21` | 59m00s | 52.2 | 33.9 | 0.1 | 68.8 | 0.33 |
  | `lr=20` | 59m00s | 53.6 | 32.2 | 0.1 | 68.8 | 0.32 |
  | `lr=19` | 59m00s | 54.9 | 30.5 | 0.1 | 68.8 | 0.30 |
  | `lr=18` | 59m00s | 56.3 | 28.8 | 0.1 | 68.8 | 0.28 |
  | `lr=17` | 59m00s | 57.6 | 27.1 | 0.1 | 68.8 | 0.27 |
  | `lr=16` | 59m00s | 59.0 | 25.4 | 0.1 | 68.8 | 0.25 |
  | `lr=15` | 59m00s | 60.3 | 23.7 | 0.1 | 68.8 | 0.23 |
  | `lr=14` | 59m00s | 61.7 | 22.0 | 0.1 | 68.8 | 0.22 |
  | `lr=13` | 59m00s | 63.1 | 20.3 | 0.1 | 68.8 | 0.20 |
  | `lr=12` | 59m00s | 64.4 | 18.6 | 0.1 | 68.8 | 0.18 |
  | `lr=11` | 59m00s | 65.8 | 16.9 | 0.1 | 68.8 | 0.17 |
  | `lr=10` | 59m00s | 67.1 | 15.3 | 0.1 | 68.8 | 0.15 |
  | `lr=9` | 59m00s | 68.5 | 13.6 | 0.1 | 68.8 | 0.13 |
  | `lr=8` | 59m00s | 69.8 | 11.9 | 0.1 | 68.8 | 0.12 |
  | `lr=7` | 59m00s | 71.2 | 10.2 | 0.1 | 68.8 | 0.10 |
  | `lr=6` | 59m00s | 72.5 | 8.5 | 0.1 | 68.8 | 0.08 |
  | `lr=5` | 59m00s | 73.9 | 6.8 | 0.1 | 68.8 | 0.07 |
  | `lr=4` | 59m00s | 75.3 | 5.1 | 0.1 | 68.8 | 0.05 |
  | `lr=3` | 59m00s | 76.6 | 3.4 | 0.1 | 68.8 | 0.03 |
  | **total 22 runs** | 21h38m | 65.1 | 17.8 | 0.1 | 1514.3 | 3.85 |

  <details><summary>2 more runs</summary>

  | Run | Time | GPU % | Idle % | VRAM GiB | Wh | Wasted h |
  |---|---:|---:|---:|---:|---:|---:|
  | `lr=2` | 59m00s | 78.0 | 1.7 | 0.1 | 68.8 | 0.02 |
  | `lr=1` | 59m00s | 79.3 | 0.0 | 0.1 | 68.8 | 0.00 |

  </details>

  $ echo "--- in the order that was asked for"
  --- in the order that was asked for
  $ smilog report -q --sort idle_pct sweep --format md -o - | sed -n 14,19p
  | start | 3.85 | 21 runs | idle before the first work, 11m00s on average: load and compile before a GPU is held, or keep what was compiled |

  The first 20 runs:

  | Run | Time | GPU % | Idle % | VRAM GiB | Wh | Wasted h |
  |---|---:|---:|---:|---:|---:|---:|

md says what where and when
# Markdown begins with a title, the directory and the days: a comment is read far from where it was made.
  $ for path in ../../../fixtures/sweep ../../../fixtures/sweep/lr=0.1/; do
  >     smilog report -q "$path" --format md -o - | head -n 4
  > done
  ### GPU use of `sweep`

  12 runs in `../../../fixtures/sweep`   `3 lr x 4 seeds, none missing`   `2 x H100 80GB HBM3`   `batch=4096` `epochs=50` `model=hestonnn`
  2026-07-03 18:14 to 2026-07-04 05:34, UTC+02:00 (inferred)   sampled every 10.0 s   32.0 % of the time of the GPUs lies between runs, at most 3h03m
  ### GPU use of `lr=0.1`

  4 runs in `../../../fixtures/sweep/lr=0.1/`   `2 x H100 80GB HBM3`   `batch=4096` `epochs=50` `lr=0.1` `model=hestonnn`
  2026-07-03 22:11 to 2026-07-04 01:50, UTC+02:00 (inferred)   sampled every 10.0 s   22.2 % of the time of the GPUs lies between runs, at most 1h02m

one advice everywhere
# What to do about a cause of waste is what the findings advise, in the workbook as on the page and in JSON.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog report -q ../../../fixtures/sweep -o "$d/sweep.xlsx"
  $ smilog report -q ../../../fixtures/sweep -o "$d/sweep.html"
  $ smilog summarize -q --json ../../../fixtures/sweep -o "$d/sweep.json"
  $ PYTHONPATH=../../../../tests/oracle python3 -SB - "$d" <<'END'
  > import json, sheets, sys
  > said = sheets.sheets(sys.argv[1] + "/sweep.xlsx", ["Overview"])["Overview"].value
  > page = open(sys.argv[1] + "/sweep.html").read()
  > runs = json.load(open(sys.argv[1] + "/sweep.json"))["runs"]
  > advice = {f["advice"] for r in runs for f in r["findings"]}
  > for name in ("Failed runs", "GPUs that did no work", "Idle before the first work", "Idle between work"):
  >     row = next(row for (row, col), v in said.items() if col == 1 and v == name)
  >     text = said[row, 5]
  >     print(name, "|", text, "|", text in advice, text in page)
  > state = next(row for (row, col), v in said.items() if v == "State")
  > print({said[row, 4] for row in range(state + 1, state + 11)} <= {r["state"] for r in runs})
  > END
  Failed runs | JAX took 59.8 of 79.6 GiB at its start: a larger XLA_PYTHON_CLIENT_MEM_FRACTION, or a smaller batch | True True
  GPUs that did no work | request fewer GPUs | True True
  Idle before the first work | load and compile before a GPU is held, or keep what was compiled | True True
  Idle between work | loading, saving or evaluating without the GPU? | True True
  True

no run is left to group
# Where no run is left, a parameter that was asked for groups nothing; that none is left is said once.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog report --where "idle_pct > 1000" --group-by lr ../../../fixtures/sweep -o "$d/x.html" 2>&1 | tail -n 2 | sed "s:$d/::"
  smilog: warning: no run of 12 is what was asked for: --where 'idle_pct > 1000' leaves none
  smilog: wrote x.html: 0 runs

samples is a number or all
  $ smilog report --samples some ../../../fixtures/sweep --format md -o -
  2> smilog: --samples needs a whole number from 1 on, or all, not "some"
  2> try: smilog help report
  [2]

stdout wants a format
  $ smilog report ../../../fixtures/sweep -o -
  2> smilog: -o - has no ending: add --format NAME
  2> try: smilog help report
  [2]

summarize writes a page
# the page that report writes, but for the command in it; tables of columns are no page
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ export SOURCE_DATE_EPOCH=1780000000
  $ cp -r ../../../fixtures/sweep/lr=0.1 "$t/sweep"
  $ cd "$t" || exit
  $ smilog summarize sweep -o x.html 2>&1 | tail -n 1
  smilog: wrote x.html: 4 runs
  $ smilog report -q sweep -o y.html
  $ cmp <(sed 's/smilog summarize sweep -o x/smilog report -q sweep -o y/' x.html) y.html && echo the same page
  the same page
  $ smilog summarize -q --where 'idle_pct > 8' sweep --group-by seed -o z.html; echo $?
  0
  $ smilog summarize --columns run,idle_pct sweep -o z.html; echo $?
  2
  2> smilog: --format html has columns of its own
  2> try: smilog help summarize
  $ smilog summarize -q --format html sweep -o - | head -n 1 | cut -c 1-15
  <!DOCTYPE html>
  $ smilog summarize sweep -o runs.csv 2>&1 | grep -c wrote
  0
  [1]

svg draws one run or several
# A drawing is XML of a fixed size without a script, its curves stand where the readings say, names are text, and gaps are gaps.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "${t%/sweep}"' EXIT
  $ mkdir "$t/sweep" && t=$t/sweep
  $ mkdir "$t/<b>&\"x" "$t/plain" "$t/none"
  $ {
  >     echo 'timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]'
  >     for ((i = 0; i < 60; i++)); do # no rows for ten minutes; GPU 0 is at 25 %, GPU 1 at 100 %
  >         at=$((1790000000 + i * 10 + (i >= 30 ? 600 : 0)))
  >         TZ=UTC printf "%(%Y/%m/%d %H:%M:%S)T.000, 0, 25 %%, 2048 MiB, 150.5 W\n%(%Y/%m/%d %H:%M:%S)T.000, 1, 100 %%, 1024 MiB, 90 W\n" $at $at
  >     done
  > } >"$t/<b>&\"x/gpu.csv"
  $ cp "$t/<b>&\"x/gpu.csv" "$t/plain"
  $ echo 'timestamp, index, utilization.gpu [%]' >"$t/none/gpu.csv"
  $ smilog report -q "$t/<b>&\"x" -o "$t.one.svg"
  $ smilog report -q "$t" -o "$t.all.svg"
  $ smilog report -q "$t/none" -o "$t.empty.svg"
  $ smilog summarize -q ../../../fixtures/sweep/lr=0.1/seed=3 -o "$t.phases.svg"
  $ for f in one all empty phases; do python3 draw.py "$t.$f.svg"; done
  960 618 strange elements: []
  <b>&"x
  2026-09-21 14:13:20 to 14:33:10, zone not known · 2 GPUs
  Time 19m50s · GPU % 62.5 · Idle % 0.0 · Wh 38.7 · Wasted h 0.00
  GPU 0
  GPU 1
  GPU use (%)
  curve: 2 stretches, heights 206.0
  curve: 2 stretches, heights 116.0
  Memory (GiB)
  curve: 2 stretches, heights 262.0
  curve: 2 stretches, heights 322.0
  Power (W)
  curve: 2 stretches, heights 437.7
  curve: 2 stretches, heights 474.0
  straggler (warn): GPU 0 is 75 points below the other GPUs (25 % over time, they 100 %)
  time since the start (h:mm)
  960 270 strange elements: []
  sweep: GPU use (%) of 3 runs, a line per GPU
  2026-09-21 14:13 to 14:33, zone not known
  <b>&"x
  Time 19m50s · GPU % 62.5 · Idle % 0.0 · Wh 38.7 · Wasted h 0.00
  curve: 2 stretches, heights 113.0
  curve: 2 stretches, heights 80.0
  none
  no-data
  plain
  Time 19m50s · GPU % 62.5 · Idle % 0.0 · Wh 38.7 · Wasted h 0.00
  curve: 2 stretches, heights 205.0
  curve: 2 stretches, heights 172.0
  time since the start of each run (h:mm)
  960 114 strange elements: []
  none
  no-data
  No reading has a time: there is nothing to draw.
  960 1130 strange elements: []
  seed=3
  2026-07-04 00:12:44 to 01:13:05, UTC+02:00 (inferred) · 2 x H100 80GB HBM3
  ok · Time 1h00m · GPU % 72.2 · Idle % 14.7 · Wh 513.8 · Wasted h 0.29
  GPU 0
  GPU 1
  fit
  start
  memory
  memory
  memory
  memory
  stop
  GPU use (%)
  curve: 1 stretches, heights 28
  curve: 1 stretches, heights 31
  Memory, reserved (GiB)
  dashed: 79.6 GiB in all, JAX used 41.3
  curve: 1 stretches, heights 334.4 424.0
  curve: 1 stretches, heights 334.4 424.0
  Power (W)
  curve: 1 stretches, heights 119
  curve: 1 stretches, heights 135
  Temperature (°C)
  curve: 1 stretches, heights 22
  curve: 1 stretches, heights 22
  SM clock (MHz)
  curve: 1 stretches, heights 743.2 841.3
  curve: 1 stretches, heights 743.2 841.3
  CPU (%)
  curve: 1 stretches, heights 60
  stall (warn): both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy
  start (info): idle 3m40s before the first work, 2m20s of it in phase compile
  time since the start (h:mm)
  $ smilog report -q "$t" --format svg -o - | cmp - "$t.all.svg"
  $ smilog summarize --columns run "$t" -o "$t.rows.svg"
  2> smilog: --format svg has columns of its own
  2> try: smilog help summarize
  [2]

temperature and clock are curves of a run
# If they were logged, in the page, the drawing and the workbook. A cell without a reading is a gap; the highest SM clock is a line.
# The same with several threads, and where each GPU has a log of its own.
  $ root=$PWD/../../../..
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/run" && cd "$d" || exit
  $ awk 'BEGIN { print "timestamp, index, utilization.gpu [%], temperature.gpu, clocks.current.sm [MHz], clocks.max.sm [MHz]"
  >     for (i = 0; i < 8; i++)
  >         for (g = 0; g < 2; g++)
  >             printf "2026/07/03 10:%02d:00.000, %d, 90 %%, %s, %d MHz, 1980 MHz\n", i, g, (g && i == 7 ? "[N/A]" : 60 + i),
  >                 (g ? 480 : 1900 + i) }' >run/gpu.csv
  $ curves() { sed -n '/"time":/,/"phases"/p' "$1" | grep -o '"key":"[a-z]*"\|"gpu":[0-9]\|"limits":.*' |
  >     tr '\n' ' '; sed -n '/"key":"temp/,/"key":"clock/p' "$1" | grep -o '"mean":.*' | sed 's/,null/,/g; s/,,*/ /g; s/ *].*//' | sort -u; }
  $ smilog report -q run -o run.html && curves run.html
  "key":"use" "gpu":0 "gpu":1 "limits":[]}, "key":"temperature" "gpu":0 "gpu":1 "limits":[]}, "key":"clock" "gpu":0 "gpu":1 "limits":[{"name":"1980 MHz at most","y":1980.00}]}], "mean":[1900 1901 1901 1902 1902 1903 1904 1904 1905 1905 1906 1906 1907 1907
  "mean":[60 61 61 62 62 63 64 64 65 65 66 66
  "mean":[60 61 61 62 62 63 64 64 65 65 66 66 67 67
  $ smilog report -q --threads 4 run -o four.html && diff <(curves run.html) <(curves four.html)
  $ mkdir two && for g in 0 1; do sed -n "1p; /, $g, 90/p" run/gpu.csv >two/gpu$g.csv; done
  $ smilog report -q two -o two.html && diff <(curves run.html) <(curves two.html)
  $ smilog report -q run -o run.svg && sed -n 's/^<text[^>]*>\(Temp.*\|SM .*\|dashed.*\)<.text>/\1/p' run.svg
  Temperature (°C)
  SM clock (MHz)
  dashed: 1980 MHz at most
  $ smilog report -q run -o run.xlsx
  $ PYTHONPATH=$root/tests/oracle python3 -SB -c 'import sheets
  > v = sheets.sheets("run.xlsx", ["01 run"])["01 run"].value
  > print([v[6, c] for c in range(15, 24) if (6, c) in v])'
  ['Time (zone not known)', 'min', 'GPU 0 GPU use %', 'GPU 0 GPU temperature °C', 'GPU 0 SM clock MHz', 'GPU 1 GPU use %', 'GPU 1 GPU temperature °C', 'GPU 1 SM clock MHz']

findings are bands below the curves
# In the drawing, in the data of the page and in the sheet of the run: worst level first, a row a rule, further rules are counted.
# A GPU that came back has a band that ends; what is about all readings goes to the end. Partials have no curves, and no bands.
  $ root=$PWD/../../../..
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && mkdir "$d/run" && cd "$d" || exit
  $ awk 'BEGIN { slow = "clocks_throttle_reasons.hw_"
  >     print "timestamp, index, utilization.gpu [%], power.draw [W], " slow "thermal_slowdown, " slow "power_brake_slowdown"
  >     for (i = 0; i < 360; i++)
  >         for (g = 0; g < 4; g++) {
  >             rests = (g == 3 || i < 36 || (i >= 180 && i < 220))
  >             hot = ((g == 0 && i >= 60 && i < 100) || (g == 1 && i >= 300 && i < 340))
  >             brake = (g == 1 && i >= 80 && i < 120)
  >             if (g != 2 || i < 240 || i >= 280)
  >                 printf "2026/07/03 10:%02d:%02d.000, %d, %d %%, %d W, %sActive, %sActive\n", i / 6, i % 6 * 10, g,
  >                     (rests ? 0 : 97), (rests ? 90 : 600), (hot ? "" : "Not "), (brake ? "" : "Not ")
  >         } }' >run/gpu.csv
  $ smilog report -q run -o run.svg
  $ sed -n -e '/^<text.*\(): \|more rule\)/s/<[^>]*>//gp' \
  >     -e 's/^<rect x="\([^"]*\)".* width="\([^"]*\)".* fill="\([^"]*\)"><title>\(.*\)<.title>.*/  \3 \1 + \2: \4/p' run.svg
  gpu-vanished (error): GPU 2: absent from 10:40:00 for 6m40s while others were read
    #b3261e 637.5 + 95.6: GPU 2: absent from 10:40:00 for 6m40s while others were read
  unused (warn): GPU 3 never above 0 %
    #dd9c24 64 + 858: GPU 3 never above 0 %
  stall (warn): GPU 0 idle 6m40s from 10:29:50, and 2 more
    #dd9c24 491.8 + 95.6: GPU 0 idle 6m40s from 10:29:50
    #dd9c24 491.8 + 95.6: GPU 1 idle 6m40s from 10:29:50
    #dd9c24 491.8 + 95.6: GPU 2 idle 6m40s from 10:29:50
  throttle-hw-thermal (warn): GPU 0 slowed by heat (hardwar… % of the time, 6m40s of it from 10:10:00 on, and 1 more
    #dd9c24 207.3 + 93.3: GPU 0 slowed by heat (hardware) 11.1 % of the time, 6m40s of it from 10:10:00 on
    #dd9c24 780.9 + 93.3: GPU 1 slowed by heat (hardware) 11.1 % of the time, 6m40s of it from 10:50:00 on
  and findings of 2 more rules
  $ smilog report -q run -o run.html
  $ sed -n '/^"bands":/,/"left"/p' run.html
  "bands":[["gpu-vanished",1783075200000,1783075600000,"GPU 2: absent from 10:40:00 for 6m40s while others were read"],
  ["unused",1783072800000,1783076390000,"GPU 3 never above 0 %"],
  ["stall",1783074590000,1783074990000,"GPU 0 idle 6m40s from 10:29:50"],
  ["stall",1783074590000,1783074990000,"GPU 1 idle 6m40s from 10:29:50"],
  ["stall",1783074590000,1783074990000,"GPU 2 idle 6m40s from 10:29:50"],
  ["throttle-hw-thermal",1783073400000,1783073790000,"GPU 0 slowed by heat (hardware) 11.1 % of the time, 6m40s of it from 10:10:00 on"],
  ["throttle-hw-thermal",1783075800000,1783076190000,"GPU 1 slowed by heat (hardware) 11.1 % of the time, 6m40s of it from 10:50:00 on"]],"left":"and findings of 2 more rules"}}</script>
  $ smilog report -q run -o run.xlsx
  $ PYTHONPATH=$root/tests/oracle python3 -SB -c 'import sheets
  > v = sheets.sheets("run.xlsx", ["01 run"])["01 run"].value
  > for c in range(15, 60):
  >     if " to " in v.get((6, c), ""):
  >         rows = [r for r in range(7, 600) if (r, c) in v]
  >         print(v[6, c] + ":", v[rows[0], c], *["%.1f" % v[r, 16] for r in (rows[0], rows[-1])])'
  gpu-vanished 40.0 to 46.7 min: 4.0 39.9 46.8
  unused 0.0 to 59.8 min: 3.0 0.0 59.8
  stall 29.8 to 36.5 min: 2.0 29.8 36.7
  throttle-hw-thermal 10.0 to 16.5 min: 1.0 10.0 56.6
  $ unzip -p run.xlsx 'xl/charts/*' | tr '\n' ' ' | sed 's/<.c:chartSpace>/&\n/g' | grep '<a:t>Findings' | grep -o '<c:v>[^<]*<'
  <c:v>gpu-vanished 40.0 to 46.7 min<
  <c:v>unused 0.0 to 59.8 min<
  <c:v>stall 29.8 to 36.5 min<
  <c:v>throttle-hw-thermal 10.0 to 16.5 min<
  $ smilog summarize --partial run >run.jsonl 2>/dev/null && smilog report -q run.jsonl -o stored.html && grep -c '^"bands"' stored.html
  0
  [1]

unknown is said everywhere
# GPU-hours without a reading of utilisation: in the table, in Markdown, in the workbook, whose parts add up to all
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ for lr in 1 2; do
  >     for seed in 1 2; do
  >         mkdir -p "$out/runs/lr=$lr/seed=$seed"
  >         awk -v known=$((lr == 1 && seed == 1)) 'BEGIN {
  >             print "timestamp, index, " (known ? "utilization.gpu [%], " : "") "memory.used [MiB]"
  >             for (i = 0; i <= 360; i++)
  >                 printf "2026/07/03 1%d:%02d:%02d.000, 0, %s%d\n", i / 360, i / 6 % 60, i % 6 * 10, known ? (i < 100 ? "0, " : "50, ") : "", 1000
  >         }' >"$out/runs/lr=$lr/seed=$seed/hw.csv"
  >     done
  > done
  $ cd "$out" || exit 1
  $ smilog summarize -q runs | grep Where
  Where 0.28 of 4.00 GPU-hours went (6.9 %); 3.00 GPU-hours have no readings of GPU use
  $ smilog report -q runs -o runs.md && sed -n 6p runs.md
  **4 runs, 4.00 GPU-h, GPU 36.2 %, 0.28 GPU-h wasted (6.9 %), not known for 3 runs; 3.00 GPU-hours have no readings of GPU use**
  $ smilog report -q runs -o runs.html && grep -o 'class="sentence">[^<]*' runs.html
  class="sentence">6.9 % of 4.00 GPU-hours were wasted, all of it in lr=1/seed=1: idle 16m30s before the first work; 3.00 GPU-hours have no readings of GPU use.
  $ smilog report -q --price-gpu-hour 2 runs -o runs.xlsx
  $ PYTHONPATH=$OLDPWD/../../../../tests/oracle python3 -SB - <<'END'
  > import sheets, zipfile
  > book = sheets.sheets("runs.xlsx", ["Overview", "Groups"])
  > over, groups = book["Overview"], book["Groups"]
  > first = over.under("Where they went")
  > for row in range(first, over.rows):
  >     line = [over.value.get((row, col), ".") for col in range(1, 6)]
  >     if line[0] == ".":
  >         break
  >     print(*(round(v, 3) if isinstance(v, float) else v for v in line), sep=" | ")
  > for row in range(1, groups.rows + 1):
  >     print(*(groups.value.get((row, col), ".") for col in range(1, 11)), sep=" | ")
  > with zipfile.ZipFile("runs.xlsx") as z:
  >     print(z.read("xl/charts/chart1.xml").decode().count("<c:ser>"), "parts of a bar")
  > END
  Used | 0.725 | 1.45 | . | working, or waiting between readings
  Not known | 3.0 | 6.0 | . | no reading of utilisation
  Idle before the first work | 0.275 | 0.55 | 1.0 | load and compile before a GPU is held, or keep what was compiled
  Wasted | 0.275 | 0.55 | . | .
  All | 4.0 | 8.0 | . | .
  Parameter | Value | Runs | Failed | Cut | Used GPU-h | Idle GPU-h | Failed GPU-h | Not known GPU-h | GPU-h
  lr | 1.0 | 2.0 | 0.0 | 0.0 | 0.725 | 0.275 | 0.0 | 1.0 | 2.0
  lr | 2.0 | 2.0 | 0.0 | 0.0 | . | . | . | 2.0 | 2.0
  all runs | all runs | 4.0 | 0.0 | 0.0 | 0.725 | 0.275 | 0.0 | 3.0 | 4.0
  4 parts of a bar

where is of runs
  $ smilog report -q --where "state = 'failed'" ../../../fixtures/sweep --format md -o - | sed -n 6p
  **41m24s, 1.38 GPU-h, 366.3 Wh, GPU 77.4 %, 1.38 GPU-h wasted (100.0 %), failed, 1 finding**

without a file it has a name
# what was written is said, unless -q
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/log.csv"
  $ cd "$t" || exit
  $ smilog report log.csv; echo $?
  0
  2> smilog: wrote smilog-report.html: 1 run
  $ smilog report log.csv --format md; echo $?
  0
  2> smilog: wrote smilog-report.md: 1 run
  $ smilog report -q log.csv --format xlsx; echo $?
  0
  $ smilog report log.csv --format json; echo $?
  2
  2> smilog: json is no page: smilog summarize writes it
  2> try: smilog help report
  $ ls
  log.csv
  smilog-report.html
  smilog-report.md
  smilog-report.xlsx
  $ head -c 15 smilog-report.html
  <!DOCTYPE html> (no-eol)

xlsx all of it is one cause
# The one cause that there is is not the most of them, in the workbook as on the page
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for run in 0.1/seed=1 0.3/seed=1; do
  >     smilog report -q ../../../fixtures/sweep/lr=$run -o "$t/x.xlsx"
  >     smilog report -q ../../../fixtures/sweep/lr=$run -o "$t/x.html"
  >     PYTHONPATH=../../../../tests/oracle python3 -SB -c 'import sheets, sys
  > for cell in sheets.sheets(sys.argv[1], ["Overview"])["Overview"].value.values():
  >     if "wasted; " in str(cell):
  >         print(cell)' "$t/x.xlsx"
  >     grep -o '[^>]*wasted; [^<]*'
  >     grep -o '[^>]*wasted; [^<]*' "$t/x.html" | head -n 1
  > done

xlsx means say what they are
# A mean of runs is not the mean of all readings: cells of totals and heads of groups say which one they are
  $ out=$(mktemp -d)
  $ trap 'rm -rf "$out"' EXIT
  $ smilog report -q ../../../fixtures/sweep -o "$out/sweep.xlsx"
  $ PYTHONPATH=../../../../tests/oracle python3 -SB - "$out/sweep.xlsx" <<'END'
  > import sheets, sys, zipfile
  > from xml.etree import ElementTree
  > with zipfile.ZipFile(sys.argv[1]) as z:
  >     style = ElementTree.fromstring(z.read("xl/styles.xml"))
  >     runs, groups = (ElementTree.fromstring(z.read(f"xl/worksheets/sheet{n}.xml")) for n in (2, 3))
  > form = {f.get("numFmtId"): f.get("formatCode") for f in style.iter(sheets.MAIN + "numFmt")}
  > xf = [form.get(x.get("numFmtId"), "") for x in style.find(sheets.MAIN + "cellXfs")]
  > look = {c.get("r"): xf[int(c.get("s", 0))] for c in runs.iter(sheets.MAIN + "c")}
  > book = sheets.sheets(sys.argv[1], ["Overview", "Runs", "Groups", "About"])
  > for (row, col), value in book["Runs"].value.items():
  >     if row == 2 and isinstance(value, float):
  >         print(book["Runs"].value[1, col], "|", look[f"{chr(64 + col)}2"])
  > print(*(v for (row, _), v in book["Groups"].value.items() if row == 1 and "%" in v), sep=" | ")
  > print("Groups scroll from", next(groups.iter(sheets.MAIN + "pane")).get("topLeftCell"))
  > bold = [f.find(sheets.MAIN + "b") is not None for f in style.find(sheets.MAIN + "fonts")]
  > xf = [bold[int(x.get("fontId"))] for x in style.find(sheets.MAIN + "cellXfs")]
  > print(*(book["Groups"].value[row, 1] for c in groups.iter(sheets.MAIN + "c")
  >         for row, col in [sheets.place(c.get("r"))] if row > 1 and col == 1 and xf[int(c.get("s", 0))]), "stands out")
  > about = book["About"].value
  > print(*(v for (row, col), v in about.items() if col == 2 and " of " in str(v)), sep=" | ")
  > print(*(v for (_, col), v in book["Overview"].value.items() if col == 1 and str(v).startswith("GPU use")))
  > END
  Time h | [=0]0.00;[<0.005]"<0.01";#,##0.00
  GPU-h | [=0]0.00;[<0.005]"<0.01";#,##0.00
  GPU use % | "mean "0.0%
  GPU use p95 % | "mean "0.0%
  Idle % | "mean "0.0%
  Longest idle min | "max "#,##0.0
  Wasted GPU-h | [=0]0.00;[<0.005]"<0.01";#,##0.00
  VRAM peak GiB | "max "#,##0.0
  Power mean W | "mean "#,##0.0
  Power max W | "max "#,##0.0
  Energy Wh | #,##0.0
  Temp max °C | "max "#,##0
  CPU use % | "mean "0.0%
  Findings | #,##0
  GPU use % over time | Idle % of all GPU time | GPU use % mean of runs | GPU use % sd | Idle % mean of runs | Idle % sd
  Groups scroll from C2
  all runs stands out
  Idle % of all GPU time | GPU use % mean of runs | Idle % mean of runs | Time h mean of runs | Energy Wh mean of runs
  GPU use % in Groups and here is the mean over the time of all GPUs, as in the table of a terminal: a longer run counts more. In row 2 of Runs each run counts the same.

xlsx parameters stand beside the run
# In a workbook the parameters that differ are next to the run's name, and the title names the sweep.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ python3 ../../../layouts.py "$t"
  $ smilog report -q "$t/hydra" -o "$t/x.xlsx"
  $ PYTHONPATH=../../../../tests/oracle python3 -SB -c 'import sheets, sys
  > book = sheets.sheets(sys.argv[1], ["Overview", "Runs"])
  > runs = book["Runs"].value
  > print(book["Overview"].value[1, 1])
  > print(*[runs[1, col] for col in range(1, 6)], "... and last", runs[1, max(col for _, col in runs)])' "$t/x.xlsx"
  What the GPUs did in hydra
  Run model.name optimizer.lr trainer.seed State ... and last trainer.devices
