a bare gpu beside cpu is a load
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { echo "$2" >$1.csv; for i in 0 1 2; do echo "2026-07-03 10:00:0$i,$3"; done >>$1.csv; }
  $ log load timestamp,cpu,ram,gpu,gpu_mem_mb 12.5,40.1,47,8000
  $ log key timestamp,cpu,gpu,gpu_util,gpu_mem_mb 12.5,3,47,8000
  $ log other timestamp,cpu,gpu 12.5,47
  $ for f in load key other; do
  >     smilog summarize --json $f.csv | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean
  > done 2>&1
  smilog: load.csv:1: warning: 2 unknown columns not read: cpu, ram
  smilog: load.csv:1: warning: column 4 (gpu): beside cpu it is read as the load in %; --columns-from says what else it is
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/*/metrics/gpu_util_pct/mean [47.0]
  gpus/*/metrics/fb_used_mib/mean [8000.0]
  smilog: key.csv:1: warning: 1 unknown column not read: cpu
  gpus/*/gpu [3]
  gpus/*/samples [3]
  gpus/*/metrics/gpu_util_pct/mean [47.0]
  gpus/*/metrics/fb_used_mib/mean [8000.0]
  smilog: other.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "timestamp,cpu,gpu"
  smilog: no usable log in other.csv
  no JSON
  [1]

a first column without a name
# pandas' to_csv gives its row numbers no name.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { echo "$2" >$1.csv; for i in 0 1 2 3; do echo "$i,2026/07/03 10:00:0$((i / 2)).000,$((i % 2)),5$i,200"; done >>$1.csv; }
  $ log query ',timestamp,index,utilization.gpu [%],power.draw [W]'
  $ log hand-made ',timestamp,gpu_id,gpu_util,power_w'
  $ for f in query hand-made; do
  >     smilog summarize --run-per file --json $f.csv | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples gpus/*/metrics/power_w/mean inputs/0/format inputs/0/header
  > done 2>&1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/power_w/mean [200.0, 200.0]
  inputs/0/format "nvidia-smi-query"
  inputs/0/header 1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/power_w/mean [200.0, 200.0]
  inputs/0/format "gpu-csv"
  inputs/0/header 1

a text column names the gpus
# Workers tell the rows of one time apart, in any order and some of them missing. A model, a process, a state and a copy
# of the time are no key, and a UUID is a better one.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ pick() { smilog summarize -q --json "$1" | python3 -SE pick.py gpus/*/uuid gpus/*/samples gpus/*/metrics/gpu_util_pct/mean; }
  $ write() { # header of the column, values
  >     awk -v column="$1" -v values="$2" 'BEGIN {
  >         n = split(values, value, " "); print "timestamp," column ",gpu_mem_usage (MiB),gpu_utilization (%)"
  >         for (i = 0; i < 7; i++) for (k = 0; k < n; k++) {
  >             w = (k + i) % n + 1
  >             if (n < 3 || (i + w) % 5)
  >                 printf "2026-03-01 10:00:%02d,%s,%d,%d\n", 5 * i, value[w], 100 * w, 10 * w
  >         }
  >     }'
  > }
  $ for column in worker slot Ort; do write "$column" 'w-GPU1 w-GPU0' >log.csv && pick log.csv; done
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0]
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0]
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0]
  $ write worker 'c/b c/a d/b d/a e' >log.csv && pick log.csv
  gpus/*/uuid [null, null, null, null, null]
  gpus/*/samples [6, 6, 5, 6, 5]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0, 40.0, 30.0, 50.0]
  $ smilog summarize -q log.csv | grep -A 5 '^ *GPU'
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB  W  Wh
  c/a    20.0  20   20   20   20     0.0       0.2  -   -
  c/b    10.0  10   10   10   10     0.0       0.1  -   -
  d/a    40.0  40   40   40   40     0.0       0.4  -   -
  d/b    30.0  30   30   30   30     0.0       0.3  -   -
    e    50.0  50   50   50   50     0.0       0.5  -   -
  $ smilog summarize log.csv 2>&1 >/dev/null
  smilog: log.csv:1: warning: 1 unknown column not read: worker
  smilog: log.csv:29: warning: column 2 (worker) has no readings; it tells rows of one time apart, and names the GPUs
  $ write worker 'a b' | tr , ';' >log.csv && smilog summarize log.csv 2>&1 >/dev/null | tail -n 1
  smilog: log.csv:15: warning: column 2 (worker) has no readings; it tells rows of one time apart, and names the GPUs
  $ write status 'a b' | tr , ';' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write model 'A100 A100' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write gpu_mode 'A100 A100' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write process_name 'python Xorg' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write perf 'P0 P8' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write foo '1980 1755' | awk -F, 'NR > 1 {$2 = $2 " MHz"} {print $1 "," $2 "," $3 "," $4}' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write slot '0_T4 1_T4' | tr _ ' ' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0]
# Below a second header, too, whose rows the fast path could take.
  $ {
  >     printf '%s\n' 'timestamp, utilization.gpu [%]' '2026/07/03 22:10:00.000, 5 %' '2026/07/03 22:10:01.000, 5 %'
  >     echo 'timestamp, utilization.gpu [%], power.draw [W], worker'
  >     for s in 10 11 12 13 14 15; do printf '2026/07/03 22:11:%s.000, %s %%, 100.00 W, %s\n' $s 10 anna $s 90 berta; done
  > } >log.csv; smilog summarize -q log.csv | grep -A 2 '^ *GPU'
    GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W    Wh
   anna     9.2   5   10   10   10     0.0         -  100.0  >0.1
  berta    90.0  90   90   90   90     0.0         -  100.0   0.1
  $ write worker 'a b' | awk -F, 'NR > 1 {$2 = $1 "." NR} {print $1 "," $2 "," $3 "," $4}' >log.csv && pick log.csv
  gpus/*/uuid [null, null]
  gpus/*/samples [7, 7]
  gpus/*/metrics/gpu_util_pct/mean [14.285714, 15.714286]
  $ write worker 'a b' | awk -F, '{print $0 "," (NR == 1 ? "uuid" : "GPU-1")}' >log.csv && pick log.csv
  gpus/*/uuid ["GPU-1"]
  gpus/*/samples [14]
  gpus/*/metrics/gpu_util_pct/mean [15.0]

byte order marks inside
# Two files of Windows, one behind the other: the second has a byte order mark, too.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ for s in 10 20; do
  >     printf '\xEF\xBB\xBFtimestamp, index, utilization.gpu [%%]\r\n'
  >     for i in 0 5; do printf '2026/07/03 10:00:%d.250, 0, %d %%\r\n' $((s + i)) $s; done
  > done >"$t/a.csv"
  $ smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py start end gpus/*/samples inputs/0/{header,rows,rejected}
  start "2026-07-03T10:00:10.250"
  end "2026-07-03T10:00:25.250"
  gpus/*/samples [4]
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  $ for s in 10 20; do printf '\xEF\xBB\xBFtimestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:%d.250, 0, 5 %%\n' $s | iconv -f UTF-8 -t UTF-16LE; done >"$t/a.csv"
  $ smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py start end gpus/*/samples inputs/0/{header,rows,rejected}
  start "2026-07-03T10:00:10.250"
  end "2026-07-03T10:00:20.250"
  gpus/*/samples [2]
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/rejected {}

columns from a file
# Names, units and a separator; the same by numbers, with tabs and no header; in a directory, packed, as UTF-16, from a pipe.
  $ cat >log.csv <<'EOF'
  > Labor 3
  > Zeit;Karte;Last;Speicher benutzt;Leistung;Arbeit;Bemerkung
  > 0;GPU 0;50;1.5;100000;1000;warm
  > 0;GPU 1;0.5 %;512 MiB;20 W;10;
  > 1000;GPU 0;60;1.5;110000;1105;
  > 1000;GPU 1;;512 MiB;20 W;30;
  > 2000;GPU 0;Seite;1.5;120000;1220;
  > 2000;GPU 1;1;512 MiB
  > EOF
  $ cat >map <<'EOF'
  > # a logger of a lab; its decimals are ours
  > separator     = semicolon
  > time          = "Zeit" ms
  > gpu           = "Karte"
  > gpu_util_pct  = "Last"          # per cent
  > fb_used_mib   = "Speicher benutzt" GB
  > power.draw    = "Leistung" mW
  > energy_j      = "Arbeit"
  > EOF
  $ top=$PWD/../.. d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cp log.csv map "$d" && cd "$d" || exit
  $ pick() { python3 -SE "$top/pick.py" gpus/*/gpu gpus/*/samples gpus/*/metrics/{gpu_util_pct,fb_used_mib,power_w}/{min,max} gpus/*/metrics/energy_j inputs/0/{format,lines,header,rows,rejected} inputs/0/problems/*/text; }
  $ smilog summarize -q --json --columns-from map log.csv | pick
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 2]
  gpus/*/metrics/gpu_util_pct/min [50.0, 0.5]
  gpus/*/metrics/gpu_util_pct/max [60.0, 0.5]
  gpus/*/metrics/fb_used_mib/min [1536.0, 512.0]
  gpus/*/metrics/fb_used_mib/max [1536.0, 512.0]
  gpus/*/metrics/power_w/min [100.0, 20.0]
  gpus/*/metrics/power_w/max [120.0, 20.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 3, "first": 1000.0, "last": 1220.0, "increase": 220.0}, {"unit": "J", "count": 2, "first": 10.0, "last": 30.0, "increase": 20.0}]
  inputs/0/format "gpu-csv"
  inputs/0/lines 8
  inputs/0/header 1
  inputs/0/rows 5
  inputs/0/rejected {"bad_width": 1}
  inputs/0/problems/*/text ["gpu_util_pct: \"Seite\" is no number", "another number of cells than the header: \"2000;GPU 1;1;512 MiB\""]
  $ mkdir -p sweep/a sweep/b && cp log.csv sweep/a && gzip -c log.csv >sweep/b/log.csv.gz
  $ iconv -t UTF-16 log.csv >wide.csv
  $ smilog summarize -q --json --columns-from map log.csv >whole
  $ for f in wide.csv - sweep/a sweep/b; do smilog summarize -q --json --columns-from map $f <log.csv | pick | diff - <(pick <whole) && echo same; done
  same
  same
  same
  same
  $ smilog summarize -q --format csv --columns run,gpu_util_mean_pct --columns-from map sweep
  run,gpu_util_mean_pct
  a,36.8
  b,36.8
  $ tail -n +3 log.csv | tr ';' '\t' >log.tsv
  $ sed 's/semicolon/tab/; s/"Zeit"/1/; s/"Karte"/2/; s/"Last"/3/; s/"Speicher benutzt"/4/; s/"Leistung"/5/; s/"Arbeit"/6/' map >numbers
  $ smilog summarize -q --json --columns-from numbers log.tsv | pick
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 2]
  gpus/*/metrics/gpu_util_pct/min [50.0, 0.5]
  gpus/*/metrics/gpu_util_pct/max [60.0, 0.5]
  gpus/*/metrics/fb_used_mib/min [1536.0, 512.0]
  gpus/*/metrics/fb_used_mib/max [1536.0, 512.0]
  gpus/*/metrics/power_w/min [100.0, 20.0]
  gpus/*/metrics/power_w/max [120.0, 20.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 3, "first": 1000.0, "last": 1220.0, "increase": 220.0}, {"unit": "J", "count": 2, "first": 10.0, "last": 30.0, "increase": 20.0}]
  inputs/0/format "gpu-csv"
  inputs/0/lines 6
  inputs/0/header 0
  inputs/0/rows 5
  inputs/0/rejected {"bad_width": 1}
  inputs/0/problems/*/text ["gpu_util_pct: \"Seite\" is no number", "another number of cells than the header: \"2000\\x09GPU 1\\x091\\x09512 MiB\""]
  $ smilog export -q --to csv:- --columns-from map log.csv | head -n 3 | cut -d, -f 1-12
  run,host,input,format,row,time,device,gpu,uuid,bus,name,gpu_util_pct
  log,,log.csv,gpu-csv,0,00:00:00.000,gpu,0,,,,50.0
  log,,log.csv,gpu-csv,1,00:00:00.000,gpu,1,,,,0.5
  $ smilog check -q --columns-from map --min-gpu-util 90 log.csv; echo "$?"
        LIMIT                    VALUE  RUN
  FAIL  gpu_util_mean_pct >= 90   36.8  log
  1 limit broken by 1 of 1 run
  1
  $ smilog diff -q --columns-from map --format csv sweep/a sweep/b | head -n 2
  column,unit,n,a,b,change,change_pct,spread,standard_errors,pairs_up,pairs_down,pairs_probability,verdict,became
  covered_s,s,1,2.0,2.0,0.0,0.0,,,0,0,1.0,same,
  $ smilog summarize -q --partial --columns-from map log.csv -o part && smilog merge -q --json part | pick | diff - <(pick <whole) && echo same
  same
  $ smilog follow --once --columns-from map log.csv | sed -n 3p
  all GPUs     30.2 %   2 GiB   0.14 kW   energy 0.1 Wh   idle 0.00 GPU-h

columns of two versions of a tool
# A line of a map has several columns, and a name several: the first that a log has counts.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cat >map <<'EOF'
  > separator = semicolon, time = "Time" ms # no comma, in a comment
  > gpu = "Card", gpu_util_pct = "Load, all", "Load" fraction
  > power_w = "Power" mW, "Watts"
  > EOF
  $ printf 'Time;Card;Load;Power\n1783072800000;0;0.8;250000\n1783072805000;0;0.9;260000\n' >old.csv
  $ printf 'Time;Card;"Load, all";Load;Watts\n1783072800000;0;70;9;250\n1783072805000;0;80;9;240\n' >new.csv
  $ printf 'Time;Card;Use;Watts\n1783072800000;0;70;250\n' >other.csv
  $ smilog summarize -q --format csv --columns run,gpu_util_mean_pct,power_watts_mean --columns-from map --run-per file old.csv new.csv
  run,gpu_util_mean_pct,power_watts_mean
  new.csv,75.0,245.0
  old.csv,85.0,255.0
  $ smilog summarize --columns-from map other.csv
  2> smilog: other.csv: warning: cannot be used: no known log format, and no header with the column "Load, all" of --columns-from
  2> smilog: no usable log in other.csv
  [3]
  $ while IFS= read -r line; do printf "$line\n" >map; smilog summarize --columns-from map old.csv; done <<'LINES' 2>&1 | grep -v ^try:
  > power_w = "Power",
  > power_w = "Power", index
  > power_w = "Power", "Power"
  > power_w = "Power" mW "Watts"
  > gpu = "Card", power_w = "Power", gpu = "GPU"
  > "Card"
  > separator = comma, "Card"
  > LINES
  smilog: --columns-from map:1: no = in "": NAME = "Column" UNIT
  smilog: --columns-from map:1: no = in "index": NAME = "Column" UNIT
  smilog: --columns-from map:1: a column is given twice: ""Power""
  smilog: --columns-from map:1: no unit of this column: "mW "Watts"": W
  smilog: --columns-from map:1: a second column is called "gpu"
  smilog: --columns-from map:1: no = in ""Card"": NAME = "Column" UNIT
  smilog: --columns-from map:1: there is no separator ""Card"": comma, semicolon, tab, bar, blanks or text

a log of text is read by what stands in front of its values
# The message names the option. Two GPUs, three polls; a line of the training, and one whose reading is cut off.
  $ log() { # what is in front of the first time, and behind it
  >     for s in 0 5 9; do
  >         for gpu in 0 1; do
  >             echo "$1${s}$2GPU $gpu: NVIDIA A100 - Memory: 8${gpu}95MB/24576MB - Utilization: $((10 * gpu + s)) %, 2${gpu}0.5W"
  >         done
  >     done
  >     echo "$1"9"$2epoch 4 of 5"
  >     echo "$1"9"$2GPU "
  > }
  $ log '[2026-03-01 10:00:0' '] ' >bracket.log && log '2026-03-01 10:00:0' ',250 INFO watch: ' >python.log && log 't=177235920' '.5 ' >epoch.log
  $ smilog summarize bracket.log 2>&1 | head -n 1
  smilog: bracket.log: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "[2026-03-01 10:00:00] GPU 0: NVIDIA A100 - Memory: 8095MB/24576MB - Utilization:..."
  $ printf '%s\n' 'separator = text' 'index = "GPU "' 'gpu_util_pct = "Load:", "Utilization:"' 'fb_used_mib = "Memory:", fb_total_mib = "/"' 'power_w = "%,"' >map
  $ cat map - >map1 <<<'time = 1' && cat map - >map2 <<<'time = "t=" UTC'
  $ read_it() { smilog summarize --json --columns-from "$@" | python3 -SE ../../pick.py start duration_s gpus/*/gpu gpus/*/metrics/{gpu_util_pct,fb_used_mib,fb_total_mib,power_w}/mean inputs/0/rejected; }
  $ read_it map bracket.log
  start "2026-03-01T10:00:00.000"
  duration_s 9.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [4.666667, 14.666667]
  gpus/*/metrics/fb_used_mib/mean [8095.0, 8195.0]
  gpus/*/metrics/fb_total_mib/mean [24576.0, 24576.0]
  gpus/*/metrics/power_w/mean [200.5, 210.5]
  inputs/0/rejected {"foreign": 2}
  2> smilog: bracket.log:7: warning: no row, no header, no known message: "epoch 4 of 5"
  2> smilog: bracket.log:8: warning: no row, no header, no known message: "GPU "
  $ read_it map1 python.log 2>errors && cat errors
  start "2026-03-01T10:00:00.250"
  duration_s 9.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [4.666667, 14.666667]
  gpus/*/metrics/fb_used_mib/mean [8095.0, 8195.0]
  gpus/*/metrics/fb_total_mib/mean [24576.0, 24576.0]
  gpus/*/metrics/power_w/mean [200.5, 210.5]
  inputs/0/rejected {"foreign": 2}
  smilog: python.log:7: warning: no row, no header, no known message: "2026-03-01 10:00:09,250 INFO watch: epoch 4 of 5"
  smilog: python.log:8: warning: no row, no header, no known message: "2026-03-01 10:00:09,250 INFO watch: GPU "
  $ read_it map2 epoch.log 2>/dev/null
  start "2026-03-01T10:00:00.500Z"
  duration_s 9.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [4.666667, 14.666667]
  gpus/*/metrics/fb_used_mib/mean [8095.0, 8195.0]
  gpus/*/metrics/fb_total_mib/mean [24576.0, 24576.0]
  gpus/*/metrics/power_w/mean [200.5, 210.5]
  inputs/0/rejected {"foreign": 2}
# Columns that are aligned with blanks.
  $ printf '%s\n' 'Time  GPU%  Mem Used' '====================' ' 0.5   9.0      1361' ' 1.5  16.0      1319' >aligned.log
  $ printf '%s\n' 'separator = blanks' 'time = 1 s, gpu_util_pct = 2, fb_used_mib = 3' >map3
  $ read_it map3 aligned.log 2>/dev/null
  start null
  duration_s 1.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [12.5]
  gpus/*/metrics/fb_used_mib/mean [1340.0]
  gpus/*/metrics/fb_total_mib/mean [absent]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/rejected {"foreign": 2}

readings are found in JSON of any form
  $ cat >lines.jsonl <<'EOF'
  > {"ts": 1772359200, "host": "n1", "metrics": {"gpu": {"util": 50, "mem": {"used": 2048}}}}
  > {"ts": 1772359205, "host": "n1", "metrics": {"gpu": {"util": 60, "mem": {"used": 4096}}}}
  > EOF
  $ cat >list.json <<'EOF'
  > [{"when": "2026-03-01T10:00:00Z", "cards": [{"power.draw": 250000, "load": 50}, {"load": 20, "power.draw": 100000}]},
  >  {"when": "2026-03-01T10:00:05Z", "cards": [{"power.draw": 260000, "load": 60}, {"load": 30}]}]
  > EOF
  $ cat >numbers.jsonl <<'EOF'
  > {"s": 0, "util": [5, 90, 30]}
  > {"s": 1, "util": [7, 92, 30]}
  > EOF
  $ cat >members.jsonl <<'EOF'
  > {"s": 0, "by_id": {"x": {"uuid": "GPU-a", "load": 5}, "y": {"uuid": "GPU-b", "load": 90}}}
  > {"s": 1, "by_id": {"y": {"uuid": "GPU-b", "load": 92}, "x": {"uuid": "GPU-a", "load": 7}}}
  > EOF
# Lists of numbers under names of GPUs, and a list that lies deeper, need no option.
  $ cat >own.jsonl <<'EOF'
  > {"timestamp": "2026-03-01T10:00:00Z", "gpu_util": [5, 90], "gpu_power_w": [100, 200], "loss": [1, 2, 3]}
  > {"timestamp": "2026-03-01T10:00:05Z", "gpu_util": [7, 92], "gpu_power_w": [110, null], "loss": [1, 2, 3]}
  > EOF
  $ sed 's/"gpu_util.*"loss"/"data": {"cards": [{"gpu_util": 6, "gpu_power_w": 105}, {"gpu_util": 91, "gpu_power_w": 200}]}, "loss"/' own.jsonl >deep.jsonl
  $ for log in own deep; do smilog summarize --json $log.jsonl | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/{gpu_util_pct,power_w}/mean inputs/0/rejected; done
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [6.0, 91.0]
  gpus/*/metrics/power_w/mean [105.0, 200.0]
  inputs/0/rejected {}
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [6.0, 91.0]
  gpus/*/metrics/power_w/mean [105.0, 200.0]
  inputs/0/rejected {}
  2> smilog: own.jsonl:1: warning: 1 unknown column not read: loss
  $ smilog summarize numbers.jsonl 2>&1 | head -n 1
  smilog: numbers.jsonl: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "{"s": 0, "util": [5, 90, 30]}"
  $ read_it() { printf '%s\n' "${@:2}" >map; smilog summarize --json --columns-from map "$1" | python3 -SE ../../pick.py start duration_s gpus/*/gpu gpus/*/metrics/{gpu_util_pct,fb_used_mib,fb_total_mib,power_w}/mean inputs/0/rejected; }
  $ read_it lines.jsonl 'time = "ts" UTC' 'gpu_util_pct = "metrics.gpu.load", "metrics.gpu.util"' 'fb_used_mib = "metrics.gpu.mem.used" MiB'
  start "2026-03-01T10:00:00.000Z"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_mib/mean [3072.0]
  gpus/*/metrics/fb_total_mib/mean [absent]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/rejected {}
  $ read_it list.json 'time = "when"' 'gpu_util_pct = "cards[].load"' 'power_w = "cards[].power.draw" mW'
  start "2026-03-01T10:00:00.000Z"
  duration_s 5.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [55.0, 25.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/fb_total_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [255.0, 100.0]
  inputs/0/rejected {}
  $ read_it numbers.jsonl 'time = "s" s, gpu_util_pct = "util[]"'
  start null
  duration_s 1.0
  gpus/*/gpu [0, 1, 2]
  gpus/*/metrics/gpu_util_pct/mean [6.0, 91.0, 30.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent, absent]
  gpus/*/metrics/fb_total_mib/mean [absent, absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent, absent]
  inputs/0/rejected {}
  $ read_it members.jsonl 'time = "s" s, uuid = "by_id[].uuid", gpu_util_pct = "by_id[].load"'
  start null
  duration_s 1.0
  gpus/*/gpu [null, null]
  gpus/*/metrics/gpu_util_pct/mean [6.0, 91.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/fb_total_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  inputs/0/rejected {}

columns from a file with mistakes
# Errors name the line.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t"
  $ printf 'Time,Load\n1,50\n2,60\n' >log.csv
  $ while IFS= read -r line; do printf "# map\ntime = \"Time\"\n$line\n" >map; smilog summarize --columns-from map log.csv; done <<'LINES' 2>&1 | grep -v ^try:
  > gpu_util_pct "Load"
  > gpu_load = "Load"
  > gpu_util_pct = Load
  > gpu_util_pct = 0
  > gpu_util_pct = "Load
  > gpu_util_pct = ""
  > gpu_util_pct = "Load" GB
  > gpu_util_pct = "Load" parsec
  > time = "When"
  > power_w = "Time"
  > separator = ,
  > separator = '#'
  > gpu_util_pct = GPU #1, Load
  > cpu_usr_pct = "Load"
  > clocks_event_reasons.active = "Load" %%
  > name = "Load"
  > gpu_util_pct = "Lod"
  > LINES
  smilog: --columns-from map:3: no = in "gpu_util_pct "Load"": NAME = "Column" UNIT
  smilog: --columns-from map:3: there is nothing called "gpu_load": time, date, a metric of `smilog list metrics`, or a field of nvidia-smi
  smilog: --columns-from map:3: no column: "Load": its name in quotes, or its number from 1 to 256
  smilog: --columns-from map:3: no column: "0": its name in quotes, or its number from 1 to 256
  smilog: --columns-from map:3: no column: ""Load": its name in quotes, or its number from 1 to 256
  smilog: --columns-from map:3: a column has no name: """"
  smilog: --columns-from map:3: no unit of this column: "GB": %
  smilog: --columns-from map:3: no unit of this column: "parsec": %
  smilog: --columns-from map:3: a second column is called "time"
  smilog: --columns-from map:3: a column is given twice: ""Time""
  smilog: --columns-from map:3: there is no separator ",": comma, semicolon, tab, bar, blanks or text
  smilog: --columns-from map:3: there is no separator "'#'": comma, semicolon, tab, bar, blanks or text
  smilog: --columns-from map:3: no column: "GPU #1, Load": its name in quotes, or its number from 1 to 256
  smilog: --columns-from map:3: there is nothing called "cpu_usr_pct": time, date, a metric of `smilog list metrics`, or a field of nvidia-smi
  smilog: --columns-from map:3: no unit of this column: "%": it has none
  smilog: --columns-from map: no column of a metric (smilog list metrics)
  smilog: log.csv: warning: cannot be used: no known log format, and no header with the column "Lod" of --columns-from
  smilog: no usable log in log.csv
  $ smilog summarize --columns-from absent log.csv
  2> smilog: cannot open absent: No such file or directory
  2> try: smilog help summarize
  [2]
  $ smilog summarize --columns-from map --input-columns timestamp,utilization.gpu log.csv
  2> smilog: --input-columns and --columns-from say the same: leave one out
  2> try: smilog help summarize
  [2]
  $ printf 'Time,Load\n1,0.5\n2,0.75\n' >log.csv
  $ printf 'time = "Time"\r\ngpu_util_pct = "Load" fraction\r\n' >map
  $ smilog summarize -o map --columns-from map log.csv
  2> smilog: the ending of map names no format (.txt .json .jsonl .csv .md .xlsx .ledger do): add --format NAME
  2> try: smilog help summarize
  [2]
  $ smilog summarize -q --format line --columns-from map log.csv
  {"v":1,"ngpu":1,"gpu_util":62.5,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}

columns that say gpu count first
# Of two columns with one meaning the one that says GPU counts; others stay, unless a column is the machine's.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # NAME HEADER FORM: with %t the time, %i the number of the row, %g the GPU, %u its use
  >     echo "$2" >$1.csv
  >     for i in 0 1 2; do for g in 0 1; do
  >         echo "$3" | sed "s/%t/2026-07-03 10:00:0$i/; s/%i/$((2 * i + g + 1))/; s/%g/$g/; s/%u/$((40 + 10 * g))/g"
  >     done; done >>$1.csv
  > }
  $ log id 'id,timestamp,gpu_id,gpu_util,power_w' '%i,%t,%g,%u,2%u'
  $ log device 'timestamp,device,gpu_index,gpu_util,power_w' '%t,node,%g,%u,2%u'
  $ log memory 'timestamp,memory_used_mb,gpu_id,gpu_util,gpu_memory_used_mb' '%t,5000,%g,%u,1%u'
  $ log temp 'timestamp,temp,power_w,gpu_id,gpu_util,gpu_temp' '%t,21,900,%g,%u,%u'
  $ log bare timestamp,gpu,mem_used_mb,gpu_temp,temp,power_w '%t,%g,1%u,%u,21,2%u'
  $ log words timestamp,gpu_id,temperature,gpu_temperature,power '%t,%g,21,%u,2%u W'
  $ log cpu 'timestamp,cpu_percent,memory_used_mb,power_w,gpu_id,gpu_memory_used_mb' '%t,9,5000,900,%g,1%u'
  $ log first 'timestamp,gpu_id,gpu_util,gpu_utilization' '%t,%g,%u,99'
  $ for f in *.csv; do
  >     echo "$f"
  >     smilog summarize -q --json $f | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >         gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/power_w/mean
  >     smilog summarize $f 2>&1 >/dev/null
  > done
  bare.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [absent, absent]
  gpus/*/metrics/fb_used_mib/mean [140.0, 150.0]
  gpus/*/metrics/temp_gpu_c/mean [40.0, 50.0]
  gpus/*/metrics/power_w/mean [240.0, 250.0]
  smilog: bare.csv:1: warning: column 5 (temp): another column says the same: not read
  cpu.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [absent, absent]
  gpus/*/metrics/fb_used_mib/mean [140.0, 150.0]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  smilog: cpu.csv:1: warning: 1 unknown column not read: cpu_percent
  smilog: cpu.csv:1: warning: column 3 (memory_used_mb): another column says the same: not read
  smilog: cpu.csv:1: warning: column 4 (power_w): the GPU's, or the machine's? not read
  device.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/power_w/mean [240.0, 250.0]
  first.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  smilog: first.csv:1: warning: column 4 (gpu_utilization): another column says the same: not read
  id.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/power_w/mean [240.0, 250.0]
  memory.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [140.0, 150.0]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  smilog: memory.csv:1: warning: column 2 (memory_used_mb): another column says the same: not read
  temp.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [40.0, 50.0]
  gpus/*/metrics/power_w/mean [900.0, 900.0]
  smilog: temp.csv:1: warning: column 2 (temp): another column says the same: not read
  words.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [absent, absent]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [40.0, 50.0]
  gpus/*/metrics/power_w/mean [240.0, 250.0]
  smilog: words.csv:1: warning: column 3 (temperature): another column says the same: not read

comma at the end of a header
  $ cat >hand_made.csv <<'EOF'
  > timestamp,gpu_util_pct,gpu_mem_used_mb,
  > 2024-08-01 10:00:00,20,70,
  > 2024-08-01 10:00:01,30,80,
  > EOF
  $ cat >query.csv <<'EOF'
  > timestamp, utilization.gpu [%], memory.used [MiB],
  > 2024/08/01 10:00:00.000, 20, 70,
  > 2024/08/01 10:00:01.000, 30, 80
  > EOF
  $ cat >rows_only.csv <<'EOF'
  > timestamp, utilization.gpu [%], memory.used [MiB]
  > 2024/08/01 10:00:00.000, 20, 70,
  > 2024/08/01 10:00:01.000, 30, 80
  > EOF
  $ for log in *.csv; do
  >     smilog summarize --strict $log --json |
  >         python3 -SE ../../pick.py summary/gpu_util_mean_pct summary/peak_vram_mb inputs/0/format inputs/0/rows
  > done
  summary/gpu_util_mean_pct 25.0
  summary/peak_vram_mb 80.0
  inputs/0/format "gpu-csv"
  inputs/0/rows 2
  summary/gpu_util_mean_pct 25.0
  summary/peak_vram_mb 80.0
  inputs/0/format "nvidia-smi-query"
  inputs/0/rows 2
  summary/gpu_util_mean_pct 25.0
  summary/peak_vram_mb 80.0
  inputs/0/format "nvidia-smi-query"
  inputs/0/rows 2

gpu beside a constant index
# The column that tells GPUs apart wins, whichever it is.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # HEADER FORM
  >     echo "$1"; for i in 1 2 3; do for g in 0 1 2; do printf "2026/07/03 22:11:0$i.000,$2,5%d,512\n" $g $g; done; done
  > }
  $ log 'timestamp, gpu, index, utilization.gpu [%], memory.used [MiB]' '%d,0' >gpu.csv
  $ log 'timestamp, gpu, index, utilization.gpu [%], memory.used [MiB]' '0,%d' >index.csv
  $ log 'time,gpu,index,gpu_util(%),vram_used(MiB)' '%d,7' >hand-made.csv
  $ for f in *; do
  >     printf '%s: ' $f
  >     smilog summarize --strict --json $f | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples | tr '\n' ' '; echo
  > done 2>&1
  gpu.csv: gpus/*/gpu [0, 1, 2] gpus/*/samples [3, 3, 3]\x20 (esc)
  hand-made.csv: gpus/*/gpu [0, 1, 2] gpus/*/samples [3, 3, 3]\x20 (esc)
  index.csv: gpus/*/gpu [0, 1, 2] gpus/*/samples [3, 3, 3]\x20 (esc)
  $ smilog summarize --partial gpu.csv >p && smilog merge --json p | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu
  gpus/*/gpu [0, 1, 2]
  $ smilog export gpu.csv --to jsonl:- | grep -o '"gpu": .*util_pct": [0-9.]*' | sort -u
  "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 50.0
  "gpu": 1, "uuid": null, "name": null, "gpu_util_pct": 51.0
  "gpu": 2, "uuid": null, "name": null, "gpu_util_pct": 52.0

hand made load and memory without units
  $ cat >load.csv <<'EOF'
  > timestamp,gpu_load,gpu_mem_used_mb
  > 1722514251,20,70
  > 1722514252,60,70
  > EOF
  $ cat >map <<'EOF'
  > time = "timestamp"
  > gpu_util_pct = "gpu_load"
  > EOF
  $ cat >memory.csv <<'EOF'
  > timestamp,gpu_util,gpu_mem_used,gpu_mem_total
  > 1722514251,20,512,8192
  > 1722514252,60,1024,8192
  > EOF
  $ cat >share.csv <<'EOF'
  > timestamp,gpu_load,gpu_mem_used_mb
  > 1722514251,0.9,70
  > 1722514252,1,70
  > EOF
  $ cat >small.csv <<'EOF'
  > timestamp,gpu_util,gpu_mem_used,gpu_mem_total
  > 1722514251,20,5,80
  > 1722514252,60,10,80
  > EOF
  $ cat >usage.csv <<'EOF'
  > Time,GPU_Usage
  > 1722514251.5,20
  > 1722514252.5,40
  > EOF
  $ for log in usage load memory small; do
  >     smilog summarize $log.csv --json |
  >         python3 -SE ../../pick.py summary/gpu_util_mean_pct summary/peak_vram_mb vram/total_mb inputs/0/rows
  > done
  summary/gpu_util_mean_pct 30.0
  summary/peak_vram_mb null
  vram/total_mb null
  inputs/0/rows 2
  summary/gpu_util_mean_pct 40.0
  summary/peak_vram_mb 70.0
  vram/total_mb null
  inputs/0/rows 2
  summary/gpu_util_mean_pct 40.0
  summary/peak_vram_mb 1024.0
  vram/total_mb 8192.0
  inputs/0/rows 2
  summary/gpu_util_mean_pct 40.0
  summary/peak_vram_mb null
  vram/total_mb null
  inputs/0/rows 2
  2> smilog: small.csv:2: warning: column 3 (fb_used_mib) has no unit and is not read
  2> smilog: small.csv:2: warning: column 4 (fb_total_mib) has no unit and is not read
# GPUtil's load is a share of 1, which a name alone does not tell.
  $ printf 'timestamp,gpu_load,gpu_mem_used_mb\n1722514251,0.9,70\n1722514252,1,70\n' >share.csv
  $ smilog summarize share.csv | grep 'above 1'
  note: no reading of the utilization is above 1 %: where the log means shares of 1, --columns-from says so (unit fraction)
# Nobody is told what they have said: here it is a percentage.
  $ printf 'time = "timestamp"\ngpu_util_pct = "gpu_load"\n' >map
  $ smilog summarize --columns-from map share.csv | grep -c 'above 1' || :
  0

a header below rows behind a time
# The time of the rows is their own, not that of the logger.
  $ for i in 1 2 3 4; do echo "[2026-07-03 10:00:00] 2026/07/03 22:10:0$i.000, 7$i %, 1$i W, 30, 0"; done >fronts.csv
  $ echo "[2026-07-03 10:00:00] timestamp, utilization.memory [%], power.draw [W], temperature.gpu, index" >>fronts.csv
  $ smilog summarize -q --json fronts.csv | python3 -SE ../../pick.py start duration_s
  start "2026-07-03T22:10:01.000"
  duration_s 3.0

headerless rows above a header
# A monitor without a header, and a later one with it whose log was appended: if it is as wide, it names the rows above.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ rows() { # FROM TO
  >     for i in $(seq $1 $2); do
  >         for g in 0 1; do printf '2026/07/03 10:%02d:%02d.000, %d, %d %%, 2%d.00 W, 6%d\n' $((i / 60)) $((i % 60)) $g $((40 + g)) $g $g; done
  >     done
  > }
  $ header='timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu'
  $ { rows 0 9; echo "$header"; rows 10 12; } >log.csv
  $ { rows 0 600; echo "$header"; rows 601 3000; } >long.csv
  $ for f in *.csv; do smilog summarize --json $f | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples inputs/0/rows inputs/0/header; done 2>&1
  smilog: log.csv:1: warning: no header: by the header in line 21 they are timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu; name them with --input-columns if not
  gpus/*/gpu [0, 1]
  gpus/*/samples [13, 13]
  inputs/0/rows 26
  inputs/0/header 1
  smilog: long.csv:1: warning: no header: by the header in line 1203 they are timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu; name them with --input-columns if not
  gpus/*/gpu [0, 1]
  gpus/*/samples [3001, 3001]
  inputs/0/rows 6002
  inputs/0/header 1
  $ smilog summarize -q -j1 --json long.csv >whole
  $ smilog summarize -q -j8 --json long.csv | cmp - whole
  $ smilog summarize -q --json - <long.csv | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples
  gpus/*/gpu [0, 1]
  gpus/*/samples [3001, 3001]
# Where its columns have other units than the cells of the rows, or no cell has one, it is the header of other rows.
  $ rm *.csv
  $ above() { for i in 10 11 12 13 14; do echo "2026/07/03 10:00:$i, 0, $1"; done; echo "timestamp, index, $2"; echo "2026/07/03 10:01:10, 0, $3"; }
  $ above '50 %, 71.00 W' 'power.draw [W], utilization.gpu [%]' '71.00 W, 50 %' >order.csv
  $ above '50, 71' 'temperature.gpu, power.draw [W]' '40, 71' >bare.csv
  $ for f in *.csv; do smilog summarize $f; done 2>&1 | grep cells
  smilog: bare.csv: warning: rows of 4 cells without a header: nothing tells what column 1 is; name them with --input-columns ?,?,?,?; first row "2026/07/03 10:00:10, 0, 50, 71"
  smilog: order.csv: warning: rows of 4 cells without a header: nothing tells what column 1 is; name them with --input-columns ?,?,?,?; first row "2026/07/03 10:00:10, 0, 50 %, 71.00 W"

headerless rows of one reading
# Units, and what no other field can do: a total that never changes, memory that was nearly empty, power that changes.
  $ top=$PWD/../.. d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cp log.csv "$d" && cd "$d" || exit
  $ smilog summarize --run-per file log.csv
  log.csv   23s   2026-04-25 16:00:00 to 16:00:23, zone not known
  2 x A40

  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB     W   Wh
    0    60.2   0   97  100  100    39.1       3.1  94.0  0.6
    1    49.4   0   48  100  100    47.8       3.1  94.0  0.6

  note: no CPU log

  Where 0.01 of 0.01 GPU-hours went (43.5 %)
  CAUSE  GPU-h  WHAT HAPPENED
  stall  <0.01  idle between work, longest 2.0s
  start  <0.01  idle before the first work, 3.5s on average
  end    <0.01  idle after the last work, 3.0s

  SUMMARY
  peak_vram_mb        3161.0
  gpu_util_mean_pct     53.5
  gpu_util_max_pct     100.0
  power_watts_mean      94.0
  power_watts_max      105.5
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  quality: complete
  23s, 0.01 GPU-h, 1.2 Wh, GPU 54.8 %, 0.01 GPU-h wasted (43.5 %)
  2> smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,index,name,pstate,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,-; name them with --input-columns if not
  $ columns=timestamp,index,name,pstate,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,-
  $ smilog summarize -q --json --input-columns $columns log.csv >named
  $ pick() { python3 -SE "$top/pick.py" gpus summary inputs/0/{lines,header,rows,rejected}; }
  $ for f in log.csv - ; do smilog summarize -q --json $f <log.csv | pick | diff - <(pick <named) && echo same; done
  same
  same
  $ mkdir -p out/a && gzip -c log.csv >out/a/log.csv.gz && smilog summarize -q --json out | pick | diff - <(pick <named) && echo same
  same
# with and without the option
  $ smilog summarize -q --format csv --columns run,power_watts_mean out
  run,power_watts_mean
  a,94.0
  $ smilog summarize -q --input-columns -,index,-,-,-,-,-,-,power.limit,- --format csv --columns run,power_watts_mean out
  run,power_watts_mean
  a,
# many threads and pieces
  $ for i in $(seq 300); do sed "s/ 16:/ $((10 + i % 10)):/; s/04.25/$(printf '%02d' $((1 + i / 28)))\/$(printf '%02d' $((1 + i % 28)))/" log.csv; done >large.csv
  $ for j in 1 4; do smilog summarize -q -j $j --json large.csv | python3 -SE "$top/pick.py" inputs/0/{rows,problems} gpus/*/metrics/power_w; done | uniq -c | sed 's/ *//'
  1 inputs/0/rows 14400
  1 inputs/0/problems [{"line": 1, "text": "no header: by the shape of the rows they are timestamp,index,name,pstate,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,-; name them with --input-columns if not"}]
  1 gpus/*/metrics/power_w [{"unit": "W", "count": 7200, "mean": 94.03, "time_mean": 94.03, "min": 82.53, "max": 105.53, "stddev": 6.922187, "p1": 82.53, "p5": 83.53, "p25": 88.28, "p50": 94.03, "p75": 99.78, "p95": 104.53, "p99": 105.53, "quantiles": "exact"}, {"unit": "W", "count": 7200, "mean": 94.03, "time_mean": 94.03, "min": 82.53, "max": 105.53, "stddev": 6.922187, "p1": 82.53, "p5": 83.53, "p25": 88.28, "p50": 94.03, "p75": 99.78, "p95": 104.53, "p99": 105.53, "quantiles": "exact"}]
  1 inputs/0/rows 14400
  1 inputs/0/problems [{"line": 1, "text": "no header: by the shape of the rows they are timestamp,index,name,pstate,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,-; name them with --input-columns if not"}]
  1 gpus/*/metrics/power_w [{"unit": "W", "count": 7200, "mean": 94.03, "time_mean": 94.03, "min": 82.53, "max": 105.53, "stddev": 6.922187, "p1": 82.53, "p5": 83.53, "p25": 88.28, "p50": 94.03, "p75": 99.78, "p95": 104.53, "p99": 105.53, "quantiles": "exact"}, {"unit": "W", "count": 7200, "mean": 94.03, "time_mean": 94.03, "min": 82.53, "max": 105.53, "stddev": 6.922187, "p1": 82.53, "p5": 83.53, "p25": 88.28, "p50": 94.03, "p75": 99.78, "p95": 104.53, "p99": 105.53, "quantiles": "exact"}]

headerless rows of two readings
# Each has two readings, or none: nothing is read, and the command that names the columns is told.
  $ cat >log.csv <<'EOF'
  > 13:25:51.250 1, 631, 2.21
  > 13:25:52.250 2, 632, 2.22
  > 13:25:53.250 3, 633, 2.23
  > 13:25:54.250 4, 634, 2.24
  > 13:25:55.250 5, 635, 2.25
  > 13:25:56.250 6, 636, 2.26
  > 13:25:57.250 7, 637, 2.27
  > 13:25:58.250 8, 638, 2.28
  > 13:25:59.250 9, 639, 2.29
  > EOF
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t"
  $ try() { for i in 0 1 2 3 4 5 6 7 8 9; do printf "$1\n" $2; done | sed "$3" >log.csv; smilog summarize log.csv 2>&1 | head -n 1; }
  $ stamp='2026/04/25 16:00:00.000'
  $ try "$stamp, 7 %%, 3 %%, 44.%i W" 12 's/7/6/;2s/44/45/'
  smilog: log.csv: warning: rows of 4 cells without a header: column 3 may be utilization.memory or fan.speed; name them with --input-columns timestamp,utilization.gpu,?,power.draw; first row "2026/04/25 16:00:00.000, 6 %, 3 %, 44.12 W"
  $ { for i in 1 2 3 4 5 6 7 8 9; do echo "$stamp, 5 %, ${i}000 MiB, 46068 MiB"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: rows of 4 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total; first row "2026/04/25 16:00:00.000, 5 %, 1000 MiB, 46068 MiB"
  $ { for i in 1 2 3 4 5 6 7 8 9; do echo "$stamp, $i, 1$i.50"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: rows of 3 cells without a header: nothing tells what column 2 is; name them with --input-columns timestamp,?,?; first row "2026/04/25 16:00:00.000, 1, 11.50"
  $ { for i in 1 2 3; do echo "$stamp, $i %, 1$i.50 W"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: rows of 3 cells without a header: fewer than 8 rows tell too little; name them with --input-columns timestamp,utilization.gpu,power.draw; first row "2026/04/25 16:00:00.000, 1 %, 11.50 W"
  $ { for i in 1 2 3 4 5 6 7 8 9; do echo "13:25:5$i"; echo "$((1600 + i)), $((2300 - i)), 4096, $i"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: cannot be used: rows of 4 cells without a header: nothing tells what column 1 is; name them with --input-format nvidia-smi-query --input-columns ?,?,?,?; first row "1601, 2299, 4096, 1"
  $ { for i in 1 2 3 4 5 6 7 8 9; do echo "13:25:5$i.250 $i, 63$i, 2.2$i"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: cannot be used: rows of 4 cells without a header: nothing tells what column 2 is; name them with --input-format nvidia-smi-query --input-columns timestamp,?,?,?; first row "13:25:51.250 1, 631, 2.21"
  $ { echo 'Wed Feb 26 01:50:18 PM EST 2025'; for i in 7042 4 4 4; do echo "0 %, $i MiB, 46068 MiB, 32, 82.53 W"; done; } >log.csv; smilog summarize log.csv 2>&1 | head -n 1
  smilog: log.csv: warning: rows of 5 cells without a header: nothing tells what column 5 is; name them with --input-columns utilization.gpu,memory.used,memory.total,temperature.gpu,?; first row "0 %, 7042 MiB, 46068 MiB, 32, 82.53 W"

input columns beside a header
  $ cat >hand_made.csv <<'EOF'
  > 2024-08-01 10:00:00,20,512,4096
  > 2024-08-01 10:00:01,40,640,4096
  > EOF
  $ cat >query.csv <<'EOF'
  > timestamp, utilization.gpu [%], utilization.memory [%]
  > 2024/08/01 10:00:00.000, 20, 70
  > 2024/08/01 10:00:01.000, 20, 70
  > EOF
  $ pick() { python3 -SE ../../pick.py summary/gpu_util_mean_pct summary/mem_util_mean_pct summary/peak_vram_mb inputs/0/rows; }
  $ smilog summarize query.csv --input-columns timestamp,utilization.memory,utilization.gpu --json | pick
  summary/gpu_util_mean_pct 70.0
  summary/mem_util_mean_pct 20.0
  summary/peak_vram_mb null
  inputs/0/rows 2
  $ smilog summarize query.csv --input-columns timestamp,utilization.gpu --json | pick
  summary/gpu_util_mean_pct 20.0
  summary/mem_util_mean_pct 70.0
  summary/peak_vram_mb null
  inputs/0/rows 2
  2> smilog: query.csv:1: warning: --input-columns names 2 columns, and the header 3: the header's are read
  $ smilog summarize --strict hand_made.csv --input-format gpu-csv --json \
  >     --input-columns timestamp,utilization.gpu,memory.used,memory.total | pick
  summary/gpu_util_mean_pct 30.0
  summary/mem_util_mean_pct absent
  summary/peak_vram_mb 640.0
  inputs/0/rows 2
# More or fewer names than the header has cells are of no use, which is said.
  $ printf 'timestamp,gpu_util_percent,power_W\n2026-07-03 10:00:00,5,250\n2026-07-03 10:00:10,7,270\n' |
  >     smilog summarize - --json --input-columns timestamp,utilization.gpu | pick
  summary/gpu_util_mean_pct 6.0
  summary/mem_util_mean_pct absent
  summary/peak_vram_mb null
  inputs/0/rows 2
  2> smilog: -:1: warning: --input-columns names 2 columns, and the header 3: the header's are read

mig is named
  $ cat >none.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W], mig.mode.current
  > 2026/03/01 10:00:10.000, 0, 55 %, 1234 MiB, 300.00 W, Disabled
  > 2026/03/01 10:00:10.000, 1, 55 %, 1234 MiB, 300.00 W, [N/A]
  > 2026/03/01 10:00:11.000, 0, 55 %, 1234 MiB, 300.00 W, Disabled
  > 2026/03/01 10:00:11.000, 1, 55 %, 1234 MiB, 300.00 W, [N/A]
  > 2026/03/01 10:00:12.000, 0, 55 %, 1234 MiB, 300.00 W, Disabled
  > 2026/03/01 10:00:12.000, 1, 55 %, 1234 MiB, 300.00 W, [N/A]
  > EOF
  $ cat >some.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W], mig.mode.current
  > 2026/03/01 10:00:10.000, 0, [N/A], 1234 MiB, 300.00 W, Enabled
  > 2026/03/01 10:00:10.000, 1, 55 %, 1234 MiB, 300.00 W, Disabled
  > 2026/03/01 10:00:11.000, 0, [N/A], 1234 MiB, 300.00 W, Enabled
  > 2026/03/01 10:00:11.000, 1, 55 %, 1234 MiB, 300.00 W, Disabled
  > 2026/03/01 10:00:12.000, 0, [N/A], 1234 MiB, 300.00 W, Enabled
  > 2026/03/01 10:00:12.000, 1, 55 %, 1234 MiB, 300.00 W, Disabled
  > EOF
  $ for log in some none; do
  >     echo "$log:"
  >     smilog summarize $log.csv | grep -E 'GPU  MEAN|^  [0-9] |MIG'
  > done
  some:
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W   Wh
    0     n/a   -    -    -    -       -       1.2  300.0  0.2
    1    55.0  55   55   55   55     0.0       1.2  300.0  0.2
  note: MIG is enabled on 1 of 2 GPUs: such a GPU has no utilization, and the memory and power of all its instances
  none:
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W   Wh
    0    55.0  55   55   55   55     0.0       1.2  300.0  0.2
    1    55.0  55   55   55   55     0.0       1.2  300.0  0.2
  $ for log in some none; do
  >     smilog summarize -q --json $log.csv |
  >         python3 -SE ../../pick.py gpus/0/metrics/mig_mode gpus/1/metrics/mig_mode inputs/0/cells
  > done
  gpus/0/metrics/mig_mode {"unit": "", "count": 3, "mean": 1.0, "time_mean": null, "min": 1.0, "max": 1.0, "stddev": 0.0, "p1": 1.0, "p5": 1.0, "p25": 1.0, "p50": 1.0, "p75": 1.0, "p95": 1.0, "p99": 1.0, "quantiles": "exact"}
  gpus/1/metrics/mig_mode {"unit": "", "count": 3, "mean": 0.0, "time_mean": null, "min": 0.0, "max": 0.0, "stddev": 0.0, "p1": 0.0, "p5": 0.0, "p25": 0.0, "p50": 0.0, "p75": 0.0, "p95": 0.0, "p99": 0.0, "quantiles": "exact"}
  inputs/0/cells {"missing": 3, "bad": 0, "out_of_range": 0}
  gpus/0/metrics/mig_mode {"unit": "", "count": 3, "mean": 0.0, "time_mean": null, "min": 0.0, "max": 0.0, "stddev": 0.0, "p1": 0.0, "p5": 0.0, "p25": 0.0, "p50": 0.0, "p75": 0.0, "p95": 0.0, "p99": 0.0, "quantiles": "exact"}
  gpus/1/metrics/mig_mode absent
  inputs/0/cells {"missing": 3, "bad": 0, "out_of_range": 0}

models below gpu are no keys
# Below "gpu" stand indices, names of single GPUs, or models: one that two rows of a time share tells no GPUs apart.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # NAME HEADER FIRST SECOND
  >     echo "$2" >$1.csv
  >     for i in 0 1 2; do echo "2026-07-03 10:00:0$i,$3,40,200"; echo "2026-07-03 10:00:0$i,$4,50,210"; done >>$1.csv
  > }
  $ log equal timestamp,gpu,gpu_util,power_w 'NVIDIA A100' 'NVIDIA A100'
  $ log device timestamp,device,gpu_util,power_w 'Tesla T4' 'Tesla T4'
  $ log both timestamp,gpu,gpu_util,power_w 'NVIDIA A100' 'NVIDIA L4'
  $ log query 'timestamp, gpu, utilization.gpu [%], power.draw [W]' 'NVIDIA A100' 'NVIDIA A100'
  $ log single timestamp,gpu,gpu_util,power_w A100-0 A100-1
  $ log index timestamp,gpu,gpu_util,power_w nvidia0 'nvidia 1'
  $ apart() { # NAME KEY FIRST SECOND: a second apart
  >     echo "timestamp,$2,gpu_util,power_w" >$1.csv
  >     for i in 0 2 4; do echo "2026-07-03 10:00:0$i,$3,40,200"; echo "2026-07-03 10:00:0$((i + 1)),$4,50,210"; done >>$1.csv
  > }
  $ apart models gpu 'RTX 3090' 'RTX 4090'
  $ apart makes device 'AMD Instinct' 'NVIDIA L4'
  $ apart numbered gpu nvidia-gpu0 nvidia-gpu1
  $ apart nodes gpu a100-n1-gpu0 a100-n1-gpu1
  $ apart brackets gpu 'A100[0]' 'A100[1]'
  $ log integrated timestamp,device,gpu_util,power_w GPU0 'Intel iGPU'
  $ log first timestamp,gpu,gpu_util,power_w 0 1
  $ sed -i '1a 2026-07-03 10:00:00,AMD Radeon Graphics,40,200' first.csv
  $ log twice timestamp,gpu,gpu_util,power_w nvidia-gpu0 nvidia-gpu0
  $ for f in *.csv; do
  >     echo "$f"
  >     smilog summarize -q --json $f | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/name gpus/*/samples gpus/*/metrics/power_w/mean
  > done
  both.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  brackets.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  device.csv
  gpus/*/gpu [0, 1]
  gpus/*/name ["Tesla T4", "Tesla T4"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  equal.csv
  gpus/*/gpu [0, 1]
  gpus/*/name ["NVIDIA A100", "NVIDIA A100"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  first.csv
  gpus/*/gpu [0, 1, null]
  gpus/*/name [null, null, null]
  gpus/*/samples [3, 3, 1]
  gpus/*/metrics/power_w/mean [200.0, 210.0, 200.0]
  index.csv
  gpus/*/gpu [0, 1]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  integrated.csv
  gpus/*/gpu [0, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  makes.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  models.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  nodes.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  numbered.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  query.csv
  gpus/*/gpu [0, 1]
  gpus/*/name ["NVIDIA A100", "NVIDIA A100"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  single.csv
  gpus/*/gpu [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/power_w/mean [200.0, 210.0]
  twice.csv
  gpus/*/gpu [null]
  gpus/*/name [null]
  gpus/*/samples [6]
  gpus/*/metrics/power_w/mean [205.0]

name without a key
# A name beside no key is that of the GPU whose turn it is, in one pass, in pieces and from a pipe.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # BURSTS HEADER FORM NAME...
  >     python3 -SE - "$@" <<'P'
  > import sys
  > bursts, header, form, *names = sys.argv[1:]
  > print(header)
  > for i in range(int(bursts)):
  >     for place, name in enumerate(names):
  >         print(form % (f"2026/07/03 {i // 3600:02d}:{i // 60 % 60:02d}:{i % 60:02d}.{place:03d}", name, 10 * place + 5))
  > P
  > }
  $ query='timestamp, name, utilization.gpu [%]'
  $ log 9 "$query" '%s, %s, %d %%' 'NVIDIA L4' >one.csv
  $ log 9 "$query" '%s, %s, %d %%' 'NVIDIA A100' 'NVIDIA L4' 'NVIDIA L4' >three.csv
  $ log 9 "$query" '%s, %s, %d %%' 'NVIDIA A100' 'NVIDIA L4' 'NVIDIA L4' | sed 2,3d >torn.csv
  $ { echo "$query"; echo '2026/07/02 23:59:59.000, [N/A], 5 %'; sed 1d one.csv; } >late.csv
  $ log 9 'time,gpu_name,gpu_util(%)' '%s,%s,%d' 'NVIDIA L4' >hand-made.csv
  $ log 30000 "$query" '%s, %s, %d %%' 'NVIDIA A100' 'NVIDIA L4' >long.csv
  $ names() { python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/name gpus/*/samples; }
  $ for f in *.csv; do echo "$f"; smilog summarize -q -j1 --json $f | names; done
  hand-made.csv
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [9]
  late.csv
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [10]
  long.csv
  gpus/*/gpu [0, 1]
  gpus/*/name ["NVIDIA A100", "NVIDIA L4"]
  gpus/*/samples [30000, 30000]
  one.csv
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [9]
  three.csv
  gpus/*/gpu [0, 1, 2]
  gpus/*/name ["NVIDIA A100", "NVIDIA L4", "NVIDIA L4"]
  gpus/*/samples [9, 9, 9]
  torn.csv
  gpus/*/gpu [0, 1, 2, null]
  gpus/*/name ["NVIDIA A100", "NVIDIA L4", "NVIDIA L4", null]
  gpus/*/samples [8, 8, 8, 1]
  $ for f in long torn; do
  >     smilog summarize -q --json $f.csv | names >whole
  >     smilog summarize -q --json - <$f.csv | names | cmp - whole
  >     smilog summarize -q -j8 --json $f.csv | names | cmp - whole
  >     smilog summarize -q -j8 --partial $f.csv >p && smilog merge -q --json p | names | cmp - whole
  > done
  $ smilog summarize --price-gpu-hour H100=2 one.csv 2>&1 >/dev/null
  smilog: warning: --price-gpu-hour H100: no GPU has that in its name; there are NVIDIA L4

power of the mean or the instant
# Where power.draw says nothing, the power is power.draw.average, else power.draw.instant; row by row, on both paths.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ pick() { smilog summarize -q --json "$1" | python3 -SE pick.py energy_wh gpus/0/metrics/power_w/mean gpus/0/metrics/power_w/count problems; }
  $ write() { # columns, cells
  >     echo "timestamp, index, utilization.gpu [%], $1"
  >     for i in $(seq 10 59); do echo "2026/07/03 10:00:$i.000, 0, 50 %, $2"; done
  > }
  $ write 'power.draw.instant [W]' '110.00 W' >log.csv && pick log.csv
  energy_wh 1.497222
  gpus/0/metrics/power_w/mean 110.0
  gpus/0/metrics/power_w/count 50
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ write 'power.draw.average [W]' '100.00 W' >log.csv && pick log.csv
  energy_wh 1.361111
  gpus/0/metrics/power_w/mean 100.0
  gpus/0/metrics/power_w/count 50
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ write 'power.draw [W], power.draw.instant [W], power.draw.average [W]' '[N/A], 110.00 W, 100.00 W' >log.csv && pick log.csv
  energy_wh 1.361111
  gpus/0/metrics/power_w/mean 100.0
  gpus/0/metrics/power_w/count 50
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ write 'power.draw.instant [W], power.draw [W]' '110.00 W, 105.00 W' >log.csv && pick log.csv
  energy_wh 1.429167
  gpus/0/metrics/power_w/mean 105.0
  gpus/0/metrics/power_w/count 50
  problems ["no memory.used column, or no reading in it", "no CPU log"]
  $ sed 's/:[3-4]\(.*\), 105.00 W/:4\1, [N\/A]/' log.csv >some.csv && pick some.csv
  energy_wh 1.396528
  gpus/0/metrics/power_w/mean 107.0
  gpus/0/metrics/power_w/count 50
  problems ["no memory.used column, or no reading in it", "no CPU log"]

row numbers are no index
# The index of a GPU comes again with each poll; pandas and SQL put the number of the row in front of all.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # NAME HEADER ROWS GPUS: the first column counts rows, or GPUs where GPUS is more than 0
  >     seq 0 $(($3 - 1)) | awk -v header="$2" -v gpus="$4" 'BEGIN { print header } {
  >         t = gpus ? int($1 / gpus) : $1
  >         printf "%d,2026/07/03 %02d:%02d:%02d.000,%d,200\n", gpus ? $1 % gpus : $1, t / 3600, t / 60 % 60, t % 60, $1 % 7 * 10
  >     }' >$1.csv
  > }
  $ query='index,timestamp,utilization.gpu [%],power.draw [W]'
  $ log pandas "$query" 70 0
  $ log again "$query" 70 0
  $ sed -i "30a $query" again.csv
  $ log short "$query" 20 0
  $ log id id,timestamp,gpu_util,power_w 70 0
  $ log few "$query" 4 0
  $ log gpus "$query" 64 16
  $ log partitions index,timestamp,gpu_util,power_w 192 64
  $ log one "$query" 70 1
  $ log long "$query" 40000 0
  $ log many "$query" 40000 4
  $ log rack "$query" 20 20
  $ log domain 'index,timestamp,gpu_util,power_w' 144 72
  $ { echo 'index,timestamp,uuid,utilization.gpu [%],power.draw [W]'
  >   for i in $(seq 0 19); do echo "$i,2026/07/03 10:00:$((i + 10)).000,GPU-000000$((i + 10))-1111-2222-3333-444444444444,50,200"; done; } >uuid.csv
  $ logs=(*.csv)
  $ for f in "${logs[@]}"; do
  >     smilog summarize $f 2>said-$f >/dev/null
  >     smilog summarize -q -j1 --json $f >whole-$f
  >     smilog summarize -q -j8 --json $f | cmp - whole-$f
  >     smilog summarize -q --json - <$f | sed "s/\"run\": \"-\"/\"run\": \"$f\"/" >pipe-$f
  > done
  $ python3 -SE "$OLDPWD/../../pick.py" gpus/*/samples inputs/0/rows inputs/0/duplicates -- whole-* pipe-*
  $ for f in "${logs[@]}"; do
  >     echo "$f $(<said-$f)"
  >     cat whole-$f.picked
  >     diff <(head -n 2 whole-$f.picked) <(head -n 2 pipe-$f.picked)
  > done
  again.csv smilog: again.csv:66: warning: column 1 (index) goes up by one each row: the number of the row, and of no GPU
  gpus/*/samples [70]
  inputs/0/rows 70
  inputs/0/duplicates 0
  domain.csv\x20 (esc)
  gpus/*/samples [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
  inputs/0/rows 144
  inputs/0/duplicates 0
  few.csv\x20 (esc)
  gpus/*/samples [1, 1, 1, 1]
  inputs/0/rows 4
  inputs/0/duplicates 0
  gpus.csv\x20 (esc)
  gpus/*/samples [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]
  inputs/0/rows 64
  inputs/0/duplicates 0
  id.csv smilog: id.csv:66: warning: column 1 (id) goes up by one each row: the number of the row, and of no GPU
  gpus/*/samples [70]
  inputs/0/rows 70
  inputs/0/duplicates 0
  long.csv smilog: long.csv:66: warning: column 1 (index) goes up by one each row: the number of the row, and of no GPU
  gpus/*/samples [40000]
  inputs/0/rows 40000
  inputs/0/duplicates 0
  many.csv\x20 (esc)
  gpus/*/samples [10000, 10000, 10000, 10000]
  inputs/0/rows 40000
  inputs/0/duplicates 0
  one.csv\x20 (esc)
  gpus/*/samples [70]
  inputs/0/rows 70
  inputs/0/duplicates 0
  pandas.csv smilog: pandas.csv:66: warning: column 1 (index) goes up by one each row: the number of the row, and of no GPU
  gpus/*/samples [70]
  inputs/0/rows 70
  inputs/0/duplicates 0
  partitions.csv\x20 (esc)
  gpus/*/samples [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
  inputs/0/rows 192
  inputs/0/duplicates 0
  rack.csv\x20 (esc)
  gpus/*/samples [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  inputs/0/rows 20
  inputs/0/duplicates 0
  short.csv smilog: short.csv:21: warning: column 1 (index) goes up by one each row: the number of the row, and of no GPU
  gpus/*/samples [20]
  inputs/0/rows 20
  inputs/0/duplicates 0
  uuid.csv\x20 (esc)
  gpus/*/samples [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  inputs/0/rows 20
  inputs/0/duplicates 0
# Rows that wait for the next poll to tell are judged by their age once there is no more to come.
  $ { echo "index,timestamp,utilization.gpu [%],power.draw [W]"; for i in 0 1 2 3; do echo "$i,2026/07/03 10:00:00,50,100"; done; } >poll.csv
  $ smilog follow --once --json poll.csv | python3 -SE "$OLDPWD/../../pick.py" /gpus/*/state
  /gpus/*/state ["stale", "stale", "stale", "stale"]

unknown columns are told
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ rows() { for i in 1 2; do printf "$1" $i $i; done; }
  $ { echo 'step, timestamp, utilization.gpu [%], memory.used [MiB], inforom.img, module.enforced.power.limit [W], loss'; rows '%d, 2026/07/03 22:11:0%d.000, 10 %%, 5 MiB, G500, [N/A], 0.5\n'; } >query.csv
  $ { echo 'time,step,gpu_util(%),vram_used(MiB)'; rows '2026-07-03 22:11:0%d,%d,10,5\n'; } >hand-made.csv
  $ cat query.csv query.csv >twice.csv
  $ for f in *; do
  >     smilog summarize --json $f | python3 -SE "$OLDPWD/../../pick.py" inputs/0/unknown_columns inputs/0/problems
  > done 2>&1
  smilog: hand-made.csv:1: warning: 1 unknown column not read: step
  inputs/0/unknown_columns 1
  inputs/0/problems [{"line": 1, "text": "1 unknown column not read: step"}]
  smilog: query.csv:1: warning: 3 unknown columns not read: step, module.enforced.power.limit [W], loss
  inputs/0/unknown_columns 3
  inputs/0/problems [{"line": 1, "text": "3 unknown columns not read: step, module.enforced.power.limit [W], loss"}]
  smilog: twice.csv:1: warning: 3 unknown columns not read: step, module.enforced.power.limit [W], loss
  inputs/0/unknown_columns 3
  inputs/0/problems [{"line": 1, "text": "3 unknown columns not read: step, module.enforced.power.limit [W], loss"}]
  $ smilog summarize -q --partial query.csv >p && smilog merge -q --json p | python3 -SE "$OLDPWD/../../pick.py" inputs/0/unknown_columns
  inputs/0/unknown_columns 3

values of a text are whole words
# What is not known to the end ("1,234", "1.5e+02") is refused; a text within a word, or in front of no number, is another.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ printf 'separator = text\nindex = "GPU ", power_w = "power", gpu_util_pct = "load"\n' >map
  $ n=10; for x in '1.5e+02 W' '1,234 W' '45,5 W' '0.3 kW' '200W,' 210 'average ok, power 220 W'; do echo "2026-07-03 10:00:$((n++)) GPU 0: payload 7, load 80 %, power $x"; done >t.log
  $ smilog summarize --json --columns-from map t.log | python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]; m = r["gpus"][0]["metrics"]
  > print(m["gpu_util_pct"]["mean"], m["power_w"]["count"], m["power_w"]["min"], m["power_w"]["max"], r["inputs"][0]["cells"])'
  80.0 4 200.0 300.0 {'missing': 0, 'bad': 3, 'out_of_range': 0}
  2> smilog: t.log:1: warning: power_w: "1.5e+02" is no number
  2> smilog: t.log:2: warning: power_w: "1,234" is no number
  2> smilog: t.log:3: warning: power_w: "45,5" is no number
