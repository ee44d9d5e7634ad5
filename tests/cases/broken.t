a hole behind the header
# A crash of the machine leaves NUL bytes in a file: behind the header, or behind rows that have none, the log goes on. A file
# with other lines in front of NUL bytes is no log.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; mkdir "$t/out"; cd "$t/out" || exit 1
  $ rows() { for i in $(seq "$1" "$2"); do echo "2026/03/01 10:00:$i.000, 0, 50 %, 200.00 W"; done; }
  $ bare() { for i in $(seq "$1" "$2"); do echo "2026/03/01 10:00:$i.000, $i %, 200.$i W"; done; }
  $ hole() { head -c 300 /dev/zero; }
  $ { echo 'timestamp, index, utilization.gpu [%], power.draw [W]'; hole; rows 10 20; } >header.csv
  $ { bare 10 12; hole; bare 13 30; } >rows.csv
  $ { echo 'a file of ours'; hole; rows 10 20; } >other.bin
  $ show() { smilog summarize --format csv --columns run,state,start,end,gpu_util_mean_pct "$@" 2>&1 | sed 's/\(\\x00\)\+/NUL/g'; }
  $ cd ..; show out; show - <out/header.csv; tar -cf out.tar out; show -q out.tar; show out/other.bin
  smilog: header.csv:2: warning: no usable time: "NUL..."
  smilog: rows.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,power.draw; name them with --input-columns if not
  smilog: rows.csv:4: warning: no usable time: "NUL..."
  run,state,start,end,gpu_util_mean_pct
  header,unknown,2026-03-01T10:00:11.000,2026-03-01T10:00:20.000,50.0
  rows,unknown,2026-03-01T10:00:10.000,2026-03-01T10:00:30.000,20.4
  smilog: -:2: warning: no usable time: "NUL..."
  run,state,start,end,gpu_util_mean_pct
  '-,unknown,2026-03-01T10:00:11.000,2026-03-01T10:00:20.000,50.0
  run,state,start,end,gpu_util_mean_pct
  header,unknown,2026-03-01T10:00:11.000,2026-03-01T10:00:20.000,50.0
  rows,unknown,2026-03-01T10:00:10.000,2026-03-01T10:00:30.000,20.4
  smilog: out/other.bin: warning: cannot be used: not text: a NUL byte among the first 512
  smilog: no usable log in out/other.bin

a name holds no time
# A row was torn, and the next one stands behind it: names may hold commas, but no time; neither row is one of a GPU.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ row() { echo "2026/07/03 10:00:0$1.000, $2, GPU-0000000$2, NVIDIA H100, 80GB, $3 %, 100.00 W"; }
  $ for cut in 26 33 38 44 52; do
  >     {
  >         echo "timestamp, index, uuid, name, utilization.gpu [%], power.draw [W]"
  >         row 0 0 10; row 0 1 20
  >         row 5 0 30 | cut -c1-$cut | tr -d '\n'
  >         row 5 1 40; row 9 0 50; row 9 1 60
  >     } >log.csv
  >     smilog summarize -q --json log.csv | python3 -SE pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean inputs/0/rejected/bad_width
  > done
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  inputs/0/rejected/bad_width 1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  inputs/0/rejected/bad_width 1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  inputs/0/rejected/bad_width 1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  inputs/0/rejected/bad_width 1
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  inputs/0/rejected/bad_width 1
# A second column of times, or a number that could be one, is no next row.
  $ row() { echo "$1,Tesla V100, SXM2,$2,100,$1"; }
  $ { echo "timestamp,name,utilization.gpu [%],power.draw [W],logged_at"; for i in 0 4 8; do row "2026-07-03 10:00:0$i" 50; done; } >log.csv
  $ smilog summarize -q --json log.csv | python3 -SE pick.py gpus/*/samples inputs/0/rejected
  gpus/*/samples [3]
  inputs/0/rejected {}
  $ { echo "timestamp,name,memory.used [B],power.draw [W]"; for i in 0 4 8; do echo "178300000$i,Tesla V100, SXM2,1783000123,100"; done; } >log.csv
  $ smilog summarize -q --json log.csv | python3 -SE pick.py gpus/*/samples inputs/0/rejected
  gpus/*/samples [3]
  inputs/0/rejected {}

cpu header again with more columns
# 13 MB, so that several threads read it in pieces: none of them may miss that the header changed
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ awk 'BEGIN { for (h = 0; h < 2; h++) {
  >     print "timestamp,usr_pct,idle_pct" (h ? ",extra" : "")
  >     for (i = 0; i < 170000; i++)
  >         printf "2026-07-%02dT%02d:%02d:%02d.000+00:00,%d.5,50.0%s\n", 1 + i / 86400 + 2 * h, i / 3600 % 24, i / 60 % 60, i % 60, i % 50, h ? ",1" : ""
  > } }' >"$t/cpu_metrics.csv"
  $ for j in 1 2 4; do
  >     smilog summarize -q --json -j $j "$t" | python3 -SE ../../pick.py inputs/0/rows inputs/0/header inputs/0/rejected
  > done
  inputs/0/rows 340000
  inputs/0/header 2
  inputs/0/rejected {}
  inputs/0/rows 340000
  inputs/0/header 2
  inputs/0/rejected {}
  inputs/0/rows 340000
  inputs/0/header 2
  inputs/0/rejected {}

dmon killed in a row and started again
  $ cat >log <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    1# gpu     sm    pwr
  > # Idx      %      W
  >     0     30    200
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py gpus/0/samples gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  gpus/0/samples 2
  gpus/0/metrics/gpu_util_pct/mean 20.0
  gpus/0/metrics/power_w/mean 150.0
  inputs/0/lines 6
  inputs/0/header 4
  inputs/0/rows 2
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line [4]
  inputs/0/problems/*/text ["an unfinished row in front of a header: \"    0    1\""]

dmon row torn behind its time
# What is left of a row, its date and its time behind a blank, is no line of date.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ printf '#Date       Time        gpu    sm    mem\n#YYYYMMDD   HH:MM:SS    Idx     %%      %%\n 20260703   10:00:00      0    50     10\n 20260703 10:00:05\n 20260703   10:00:10      0    50     10\n' >dmon.log
  $ smilog summarize --json dmon.log 2>&1 | grep -o '"messages": [0-9]*\|"bad_width": [0-9]*\|^smilog.*'
  smilog: dmon.log:4: warning: another number of cells than the header: " 20260703 10:00:05"
  "messages": 0
  "bad_width": 1

dmon started three times
# The third on the day after.
  $ smilog summarize -q --json log | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 10802.0
  covered_s 6.0
  energy_wh 0.166667
  gpus/*/gpu [0]
  gpus/*/samples [9]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 15
  inputs/0/header 6
  inputs/0/rows 9
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 2
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

last lines without their end
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ head='timestamp, index, utilization.gpu [%], power.draw [W]' row='2026/07/03 22:11:09.763, 0, 10 %'
  $ rocm='{"card0": {"GPU use (%)": "10"}, "card1": {"GPU use (%)": "30"}}'
  $ printf '%s' "$rocm" >"$t/rocm-alone.log"
  $ printf '%s\n1787485761 %s' "1787485760 $rocm" "$rocm" >"$t/rocm-timed.log"
  $ printf '{\n  "card0": {\n    "GPU use (%%)": "10"\n  }\n}' >"$t/rocm-in-lines.log"
  $ printf '{\n  "card0": {\n    "GPU use (%%)": "10"\n  }\n}\n{\n  "card0": {\n    "GPU use (%%)": "9' >"$t/rocm-cut.log"
  $ printf '{\n  "card0": {\n    "GPU use (%%)": "10"\n  }\n}\n{\n  "card0": {\n' >"$t/rocm-cut-at-a-line.log"
  $ printf '%s\n%s, 100.00 W\n%s, 200.00 W' "$head" "$row" "${row/09/10}" >"$t/unit.log"
  $ printf '%s\n%s, 100.00 W\n%s, [N/A]' "$head" "$row" "${row/09/10}" >"$t/bracket.log"
  $ printf '%s\n%s, 100.00 W\n%s, 20' "$head" "$row" "${row/09/10}" >"$t/no-unit.log"
  $ printf 'timestamp, memory.used [MiB]\n2026/07/03 22:11:09.763, 512 MiB\n2026/07/03 22:11:10.763, 51 M' >"$t/cut-unit.log"
  $ printf 'time,gpu_util,vram_used\n2026-07-03 22:11:09,10 %%,512 MB\n2026-07-03 22:11:10,30 %%,1 GB' >"$t/hand-made.log"
  $ printf '{"ts": "2026-07-03T22:11:10.000+00:00", "type": "phase", "name": "train", "seconds": 1.5}' >"$t/runlog.log"
  $ cd "$t"
  $ for f in *.log; do
  >     echo "== $f"
  >     smilog summarize "$f" | grep -o '^warnings:.*'
  >     smilog summarize -q --json "$f" | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows inputs/0/rejected summary/gpu_util_mean_pct \
  >         summary/power_watts_mean phases/0/seconds | tr -s '\n ' '  '
  >     echo
  > done 2>&1
  == bracket.log
  inputs/0/rows 2 inputs/0/rejected {} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean 100.0 phases/0/seconds absent\x20 (esc)
  == cut-unit.log
  smilog: cut-unit.log:3: warning: unfinished last line: "2026/07/03 22:11:10.763, 51 M"
  warnings: 1 last line cut off and skipped
  inputs/0/rows 1 inputs/0/rejected {"torn_tail": 1} summary/gpu_util_mean_pct null summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == hand-made.log
  inputs/0/rows 2 inputs/0/rejected {} summary/gpu_util_mean_pct 20.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == no-unit.log
  smilog: no-unit.log:3: warning: unfinished last line: "2026/07/03 22:11:10.763, 0, 10 %, 20"
  warnings: 1 last line cut off and skipped
  inputs/0/rows 1 inputs/0/rejected {"torn_tail": 1} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean 100.0 phases/0/seconds absent\x20 (esc)
  == rocm-alone.log
  inputs/0/rows 2 inputs/0/rejected {} summary/gpu_util_mean_pct 20.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == rocm-cut-at-a-line.log
  smilog: rocm-cut-at-a-line.log:7: warning: unfinished last line: "{"
  warnings: 1 last line cut off and skipped
  inputs/0/rows 1 inputs/0/rejected {"torn_tail": 2} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == rocm-cut.log
  smilog: rocm-cut.log:8: warning: unfinished last line: "{"
  warnings: 1 last line cut off and skipped
  inputs/0/rows 1 inputs/0/rejected {"torn_tail": 3} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == rocm-in-lines.log
  inputs/0/rows 1 inputs/0/rejected {} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == rocm-timed.log
  inputs/0/rows 4 inputs/0/rejected {} summary/gpu_util_mean_pct 20.0 summary/power_watts_mean null phases/0/seconds absent\x20 (esc)
  == runlog.log
  inputs/0/rows 1 inputs/0/rejected {} summary/gpu_util_mean_pct null summary/power_watts_mean null phases/0/seconds 1.5\x20 (esc)
  == unit.log
  inputs/0/rows 2 inputs/0/rejected {} summary/gpu_util_mean_pct 10.0 summary/power_watts_mean 150.0 phases/0/seconds absent\x20 (esc)

lost gpu is told once
# GPU 1 is lost from the second minute on, GPU 2 in the last: 11 MB, which several threads read in pieces.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ awk 'BEGIN {
  >     print "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]"
  >     for (m = 0; m < 60; m++) for (i = 0; i < 1000; i++) for (g = 0; g < 4; g++)
  >         printf "2026/07/03 22:%02d:%02d.%03d, %d, %s %%, 1000 MiB, 100.00 W\n", m, i / 20, i % 20 * 50, g,
  >             (g == 1 && m) || (g == 2 && m == 59) ? "[GPU is lost]" : "5"
  > }' | sed 's/lost] %/lost]/' >"$t/log.csv"
  $ smilog summarize -j1 -q --json "$t/log.csv" >"$t/one"
  $ python3 -SE ../../pick.py inputs/0/rows inputs/0/problems/*/text inputs/0/problems/*/line <"$t/one"
  inputs/0/rows 240000
  inputs/0/problems/*/text ["GPU 1: [GPU is lost], first at 2026/07/03 22:01:00.000", "GPU 2: [GPU is lost], first at 2026/07/03 22:59:00.000"]
  inputs/0/problems/*/line [4003, 236004]
  $ smilog summarize -j4 -q --json "$t/log.csv" | cmp - "$t/one" && echo "the same on four threads"
  the same on four threads

lost gpu the others go on
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:00.010, 1, 60 %, 2000 MiB, 200.00 W
  > 2026/07/03 22:11:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.010, 1, [GPU is lost], [GPU is lost], [GPU is lost]
  > Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to recover this GPU
  > 2026/07/03 22:11:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.010, 1, [GPU is lost], [GPU is lost], [GPU is lost]
  > 2026/07/03 22:11:03.000, 0, 70 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:03.010, 1, [GPU requires reset], 0 MiB, [Unknown Error]
  > 2026/07/03 22:11:04.000, 0, 80 %, 1000 MiB, [N/A]
  > 2026/07/03 22:11:04.010, 1, 20 %, 2000 MiB, 200.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/count gpus/*/metrics/gpu_util_pct/mean \
  >     gpus/*/energy_wh duration_s \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/problems/*/line \
  >     inputs/0/problems/*/text
  gpus/*/gpu [0, 1]
  gpus/*/samples [5, 3]
  gpus/*/metrics/gpu_util_pct/count [5, 2]
  gpus/*/metrics/gpu_util_pct/mean [60.0, 40.0]
  gpus/*/energy_wh [0.083333, 0.222222]
  duration_s 4.01
  inputs/0/lines 12
  inputs/0/header 1
  inputs/0/rows 8
  inputs/0/duplicates 0
  inputs/0/messages 1
  inputs/0/rejected {"bad_number": 2}
  inputs/0/problems/*/line [5, 5, 6, 8, 10, 10]
  inputs/0/problems/*/text ["GPU 1: [GPU is lost], first at 2026/07/03 22:11:01.010", "no usable number: \"2026/07/03 22:11:01.010, 1, [GPU is lost], [GPU is lost], [G...\"", "Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to recover this GPU", "no usable number: \"2026/07/03 22:11:02.010, 1, [GPU is lost], [GPU is lost], [G...\"", "GPU 1: [GPU requires reset], first at 2026/07/03 22:11:03.010", "GPU 1: [Unknown Error], first at 2026/07/03 22:11:03.010"]

lost gpu without keys is pooled
# Bursts of two rows among bursts of three: which GPUs they are is not known (numbers.md 5).
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/line inputs/0/problems/*/text
  gpus/*/gpu [0, 1, 2, null]
  gpus/*/samples [10, 10, 10, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 30.0, 20.0]
  inputs/0/lines 39
  inputs/0/rows 34
  inputs/0/messages 2
  inputs/0/rejected {"bad_number": 2}
  inputs/0/problems/*/line [18, 19, 19, 22, 23, null]
  inputs/0/problems/*/text ["Unable to determine the device handle for GPU0000:02:00.0: Unknown Error", "a GPU: [Unknown Error], first at 2026/07/03 22:11:05.005", "no usable number: \"2026/07/03 22:11:05.005, [Unknown Error], [Unknown Error]\"", "Unable to determine the device handle for GPU0000:02:00.0: Unknown Error", "no usable number: \"2026/07/03 22:11:06.005, [Unknown Error], [Unknown Error]\"", "4 samples without one row for each of the 3 GPUs (4 rows): not assigned to a GPU, and without times"]

monitor killed in a row and started again
# The row that was never finished stands in front of the next header, on its line.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 10:00:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 10:00:02.000, 0, 5timestamp, index, power.draw [W], utilization.gpu [%], memory.used [MiB]
  > 2026/07/03 11:00:00.000, 0, 200.00 W, 60 %, 1000 MiB
  > 2026/07/03 11:00:01.000, 0, 200.00 W, 60 %, 1000 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/max \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 3601.0
  covered_s 2.0
  energy_wh 0.083333
  gpus/*/gpu [0]
  gpus/*/samples [4]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/0/metrics/power_w/max 200.0
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 1
  inputs/0/problems/*/line [4]
  inputs/0/problems/*/text ["an unfinished row in front of a header: \"2026/07/03 10:00:02.000, 0, 5\""]

monitor killed without units and started again
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 10, 20
  > 2026/07/03 10:00:01.000, 0, 10, 2timestamp, index, memory.used [MiB], utilization.gpu [%]
  > 2026/07/03 11:00:00.000, 0, 20, 30
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/fb_used_mib/max \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/mean 20.0
  gpus/0/metrics/fb_used_mib/max 20.0
  inputs/0/lines 4
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line [3]
  inputs/0/problems/*/text ["an unfinished row in front of a header: \"2026/07/03 10:00:01.000, 0, 10, 2\""]

monitor started three times
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 10:00:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 10:00:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 11:00:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 11:00:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 11:00:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 12:00:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 12:00:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 12:00:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 7202.0
  covered_s 6.0
  energy_wh 0.166667
  gpus/*/gpu [0]
  gpus/*/samples [9]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 12
  inputs/0/header 3
  inputs/0/rows 9
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 2
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

more faults than are told
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ { echo "timestamp, index, utilization.gpu [%]"
  >   echo "2026/07/03 22:11:09.763, 0, 5 %"
  >   awk 'BEGIN { for (i = 0; i < 20000; i++) printf "NVRM: Xid (PCI:%08x:3b:00): 79, GPU has fallen off the bus.\n", i }'
  >   echo "2026/07/03 22:11:10.763, 0, 5 %"; } >"$t/hw.csv"
  $ timeout 20 smilog summarize -q --json "$t" | python3 -SE -c '
  > import json, sys
  > e = json.load(sys.stdin)["runs"][0]["errors"]
  > print(len(e), sum(x["count"] for x in e), max(x["count"] for x in e))'
  257 20000 19744

pooled rows of one model
# Rows without a key that cannot be given to a GPU keep the name of its model, if all say one: by way of a partial
# summary, in parts, and of many rows. With two names, or beside rows without one, it is not known. A price finds the name.
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && top=$PWD/../.. && cd "$t" || exit 1
  $ rows() { echo 'name, utilization.gpu [%], power.draw [W]'; seq $1 | awk -v m=$2 '{ print "NVIDIA " m ", 5" $1 % 7 " %, 5" $1 % 9 ".00 W" }'; }
  $ rows 5 L4 >untimed.csv
  $ { echo 'timestamp, name, utilization.gpu [%]'; for i in 1 2 3 4 5; do echo "2026/03/01 10:00:10.$((100 + 7 * i)), NVIDIA L4, $i %"; done; } >timed.csv
  $ { rows 3 L4; rows 2 T4; } >models.csv
  $ rows 900000 L4 >large.csv
  $ mkdir -p parts/run mixed/run beside/run
  $ rows 5 L4 | tee parts/run/a.csv mixed/run/a.csv >beside/run/a.csv
  $ rows 6 L4 >parts/run/a.csv.1; rows 5 T4 >mixed/run/a.csv.1; rows 5 L4 | cut -d, -f2- >beside/run/a.csv.1
  $ names() { python3 -SE "$top/pick.py" 'gpus/*/name' 'gpus/*/samples'; }
  $ for path in *.csv parts mixed beside; do
  >     echo "== $path"
  >     per=dir; [ -d $path ] || per=file
  >     smilog summarize -q --json --run-per $per $path | names | tee whole
  >     smilog summarize -q --partial --run-per $per $path -o part.json && smilog merge -q --json part.json | names | diff whole - && echo same
  >     smilog summarize -q --json -j 1 --run-per $per $path | names | diff whole - && echo same
  > done
  == large.csv
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [900000]
  same
  same
  == models.csv
  gpus/*/name [null]
  gpus/*/samples [5]
  same
  same
  == timed.csv
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [5]
  same
  same
  == untimed.csv
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [5]
  same
  same
  == parts
  gpus/*/name ["NVIDIA L4"]
  gpus/*/samples [11]
  same
  same
  == mixed
  gpus/*/name [null]
  gpus/*/samples [10]
  same
  same
  == beside
  gpus/*/name [null]
  gpus/*/samples [10]
  same
  same
  $ smilog summarize --price-gpu-hour L4=2 untimed.csv 2>&1 | grep price || echo 'no warning of a price'
  no warning of a price

rotated parts are one stream
# The last row of one part comes again as the first of the next: a duplicate. The oldest part is compressed or not.
  $ mkdir -p run
  $ cat >run/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:06.000, 0, 30, 100.00
  > 2026/07/03 10:00:08.000, 0, 40, 100.00
  > 2026/07/03 10:00:10.000, 0, 50, 100.00
  > EOF
  $ cat >run/log.csv.1 <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:04.000, 0, 20, 100.00
  > 2026/07/03 10:00:06.000, 0, 30, 100.00
  > EOF
  $ cat >run/log.csv.2 <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 0, 100.00
  > 2026/07/03 10:00:02.000, 0, 10, 100.00
  > EOF
  $ for log in log.csv.2 log.csv.2.gz; do
  >     t=$(mktemp -d) && cp -r run "$t" && [ "$log" = log.csv.2 ] || gzip -n "$t/run/log.csv.2"
  >     smilog summarize -q --json "$t/run" | python3 -SE ../../pick.py /runs/*/run segments duration_s covered_s energy_wh \
  >         gpus/*/gpu gpus/*/samples gpus/0/metrics/gpu_util_pct/mean \
  >         inputs/*/path inputs/*/rows inputs/*/duplicates inputs/*/gaps
  >     rm -r "$t"
  > done
  /runs/*/run ["run"]
  segments 1
  duration_s 10.0
  covered_s 10.0
  energy_wh 0.277778
  gpus/*/gpu [0]
  gpus/*/samples [6]
  gpus/0/metrics/gpu_util_pct/mean 25.0
  inputs/*/path ["log.csv", "log.csv.1", "log.csv.2"]
  inputs/*/rows [2, 2, 2]
  inputs/*/duplicates [1, 0, 0]
  inputs/*/gaps [0, 0, 0]
  /runs/*/run ["run"]
  segments 1
  duration_s 10.0
  covered_s 10.0
  energy_wh 0.277778
  gpus/*/gpu [0]
  gpus/*/samples [6]
  gpus/0/metrics/gpu_util_pct/mean 25.0
  inputs/*/path ["log.csv", "log.csv.1", "log.csv.2.gz"]
  inputs/*/rows [2, 2, 2]
  inputs/*/duplicates [1, 0, 0]
  inputs/*/gaps [0, 0, 0]

rows that are not in order
# The newest row first, as a query of a database gives them: no intervals, and a warning says why. A clock that was set
# back once is none of it.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ head="timestamp, index, utilization.gpu [%], power.draw [W]"
  $ for i in $(seq 10 29); do echo "2026/07/03 10:00:$i.000, 0, 50 %, 100.00 W"; done >rows
  $ { echo "$head"; tac rows; } >log.csv
  $ smilog summarize --run-per file -q log.csv | head -8
  log.csv   0.0s   2026-07-03 10:00:10 to 10:00:29, zone not known
  1 GPU

  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W  Wh
    0    50.0  50   50   50   50       -         -  100.0   -

  note: no memory.used column, or no reading in it
  note: no two rows of one GPU with times: no energy, no idle time
  $ smilog summarize --run-per file --json log.csv | python3 -SE pick.py duration_s energy_wh inputs/0/problems/*/text
  duration_s 0.0
  energy_wh null
  inputs/0/problems/*/text ["time steps back at 19 of 20 rows: duration, energy and idle time need rows in the order of time; sort them"]
  2> smilog: log.csv: warning: time steps back at 19 of 20 rows: duration, energy and idle time need rows in the order of time; sort them
  $ { echo "$head"; tail -12 rows; head -12 rows; } >log.csv
  $ smilog summarize --run-per file --json log.csv | python3 -SE pick.py duration_s energy_wh inputs/0/problems/*/text
  duration_s 22.0
  energy_wh 0.611111
  inputs/0/problems/*/text []

rows whose header is lost
# Read, or refused with the first row and its number of cells: in a directory, alone and from a pipe.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ rows() { for i in 1 2 3; do printf "$1" $i; done; }
  $ nine='2026/07/03 22:11:0%d.763, 50, 7, 32362, 143771, 627.40, 52, 1980, 3201'
  $ mkdir "$t"/{cpu,quoted,wide,wide-quoted,emptied,emptied-late,nothing}
  $ rows '2026-07-03T22:11:%02d.123+00:00,12.3,80.1\n' >"$t/cpu/cpu_metrics.csv"
  $ rows '"2026/07/03 22:11:0%d.763", "50", "7", "32362", "143771", "627.40", "52", "1980", "3201"\n' >"$t/quoted/hw_metrics.csv"
  $ rows "$nine, 0, 1, 2\n" >"$t/wide/hw_metrics.csv"
  $ rows '"2026/07/03 22:11:0%d.763", "50"\n' >"$t/wide-quoted/hw_metrics.csv"
  $ { head -c 300 /dev/zero; rows "$nine\n"; } >"$t/emptied/hw_metrics.csv"
  $ { head -c 2000000 /dev/zero; rows "$nine\n"; } >"$t/emptied-late/hw_metrics.csv"
  $ head -c 100 /dev/zero >"$t/nothing/hw_metrics.csv"
  $ show() { smilog summarize --json "$@" | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows summary/gpu_util_mean_pct summary/cpu_usr_mean_pct | tr '\n' ' '; echo; }
  $ cd "$t"
  $ for d in *; do
  >     echo "== $d"
  >     show "$d"; show "$d"/*.csv; show - <"$d"/*.csv
  > done 2>&1
  == cpu
  inputs/0/rows 3 summary/gpu_util_mean_pct null summary/cpu_usr_mean_pct 12.3\x20 (esc)
  inputs/0/rows 3 summary/gpu_util_mean_pct null summary/cpu_usr_mean_pct 12.3\x20 (esc)
  inputs/0/rows 3 summary/gpu_util_mean_pct null summary/cpu_usr_mean_pct 12.3\x20 (esc)
  == emptied
  smilog: hw_metrics.csv:1: warning: NUL bytes in front: the log was emptied while it was written to
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  smilog: hw_metrics.csv:1: warning: NUL bytes in front: the log was emptied while it was written to
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  smilog: -:1: warning: NUL bytes in front: the log was emptied while it was written to
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  == emptied-late
  smilog: emptied-late: warning: hw_metrics.csv: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  inputs/0/rows absent summary/gpu_util_mean_pct null summary/cpu_usr_mean_pct null\x20 (esc)
  smilog: hw_metrics.csv: warning: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  smilog: no usable log in emptied-late/hw_metrics.csv
  no JSON

  smilog: -: warning: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  smilog: no usable log in -
  no JSON

  == nothing
  smilog: nothing: warning: hw_metrics.csv: cannot be used: nothing but NUL bytes
  inputs/0/rows absent summary/gpu_util_mean_pct null summary/cpu_usr_mean_pct null\x20 (esc)
  smilog: hw_metrics.csv: warning: cannot be used: nothing but NUL bytes
  smilog: no usable log in nothing/hw_metrics.csv
  no JSON

  smilog: -: warning: cannot be used: nothing but NUL bytes
  smilog: no usable log in -
  no JSON

  == quoted
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)
  == wide
  smilog: wide/hw_metrics.csv: warning: rows of 12 cells without a header: nothing tells what column 2 is; name them with --input-columns timestamp,?,?,?,?,?,?,?,?,?,?,?; first row "2026/07/03 22:11:01.763, 50, 7, 32362, 143771, 627.40, 52, 1980, 3201, 0, 1, 2"
  smilog: no usable log in wide
  no JSON

  smilog: wide/hw_metrics.csv: warning: rows of 12 cells without a header: nothing tells what column 2 is; name them with --input-columns timestamp,?,?,?,?,?,?,?,?,?,?,?; first row "2026/07/03 22:11:01.763, 50, 7, 32362, 143771, 627.40, 52, 1980, 3201, 0, 1, 2"
  smilog: no usable log in wide/hw_metrics.csv
  no JSON

  smilog: -: warning: rows of 12 cells without a header: nothing tells what column 2 is; name them with --input-columns timestamp,?,?,?,?,?,?,?,?,?,?,?; first row "2026/07/03 22:11:01.763, 50, 7, 32362, 143771, 627.40, 52, 1980, 3201, 0, 1, 2"
  smilog: no usable log in -
  no JSON

  == wide-quoted
  smilog: wide-quoted/hw_metrics.csv: warning: has no header, and 2 columns that are not known: name them with --input-columns; first row ""2026/07/03 22:11:01.763", "50""
  smilog: no usable log in wide-quoted
  no JSON

  smilog: wide-quoted/hw_metrics.csv: warning: has no header, and 2 columns that are not known: name them with --input-columns; first row ""2026/07/03 22:11:01.763", "50""
  smilog: no usable log in wide-quoted/hw_metrics.csv
  no JSON

  smilog: -: warning: has no header, and 2 columns that are not known: name them with --input-columns; first row ""2026/07/03 22:11:01.763", "50""
  smilog: no usable log in -
  no JSON

  $ show --input-format nvidia-smi-query emptied-late 2>&1
  smilog: emptied-late/hw_metrics.csv: warning: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  smilog: no line of the format nvidia-smi-query (--input-format) in emptied-late
  no JSON

  $ show --input-format nvidia-smi-query emptied-late/hw_metrics.csv 2>&1
  smilog: hw_metrics.csv:1: warning: NUL bytes in front: the log was emptied while it was written to
  inputs/0/rows 3 summary/gpu_util_mean_pct 50.0 summary/cpu_usr_mean_pct null\x20 (esc)

time of day steps back in a dmon
# Less than twelve hours back: the clock was set, and no midnight was passed.
  $ cat >log <<'EOF'
  > #Time        gpu   pwr    sm
  > #HH:MM:SS    Idx     W     %
  >  10:00:05      0   100    50
  >  10:00:06      0   100    50
  >  09:59:58      0   100    50
  >  09:59:59      0   100    50
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 2
  duration_s 2.0
  covered_s 2.0
  energy_wh 0.055556
  gpus/*/gpu [0]
  gpus/*/samples [4]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

time steps back for one gpu of two
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:00.010, 1, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.010, 1, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:00.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.010, 1, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:03.010, 1, 50 %, 1000 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 2
  covered_s 3.0
  energy_wh 0.138889
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [50.0, 50.0]
  inputs/0/lines 9
  inputs/0/header 1
  inputs/0/rows 8
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

time steps back in one log of two
# A clock that was set back by a second in the first job says nothing of the pause before the second one. Both jobs at once: the
# second counts no time twice. The second that was there twice counts twice.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir after beside || exit
  $ rows() { for at in $2; do echo "2026/07/03 $at, $1, 50 %"; done; }
  $ log() { echo 'timestamp, uuid, utilization.gpu [%]'; rows "$@"; }
  $ log GPU-a '10:00:00 10:00:10 10:00:09 10:00:20' | tee after/a_gpu.csv >beside/a_gpu.csv
  $ log GPU-b '12:00:00 12:00:10' >after/b_gpu.csv
  $ log GPU-b '10:00:00 10:00:10 10:00:20' >beside/b_gpu.csv
  $ smilog summarize -q --run-per dir --format csv --columns run,start,end,duration_s .
  run,start,end,duration_s
  after,2026-07-03T10:00:00.000,2026-07-03T12:00:10.000,7210.0
  beside,2026-07-03T10:00:00.000,2026-07-03T10:00:20.000,21.0

time steps back in a dmon
  $ cat >log <<'EOF'
  > #Date       Time        gpu   pwr    sm
  > #YYYYMMDD   HH:MM:SS    Idx     W     %
  >  20261025   02:59:58      0   100    50
  >  20261025   02:59:59      0   100    50
  >  20261025   02:00:00      0   100    50
  >  20261025   02:00:01      0   100    50
  >  20261025   02:00:02      0   100    50
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 2
  duration_s 3.0
  covered_s 3.0
  energy_wh 0.083333
  gpus/*/gpu [0]
  gpus/*/samples [5]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 7
  inputs/0/header 2
  inputs/0/rows 5
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

torn rows where threads part
# Rows without a header whose times are damaged, in the middle of a log that threads share: each counts as when one
# thread reads it.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ awk 'BEGIN {
  >     for (i = 0; i < 150000; i++)
  >         printf "2026/07/%02d %02d%s%02d:%02d.000, 50, 10, 1000, 8192, 70.50, 40, 1300, 2600\n", 1 + i / 43200, i / 1800 % 24,
  >             (i > 70000 && i < 80000 && i % 100 != 7 ? "Z" : ":"), i / 30 % 60, i % 30 * 2
  > }' >log.csv
  $ for j in 1 2 3 8; do
  >     smilog summarize -q -j $j --json log.csv | python3 -SE "$root/tests/cases/pick.py" inputs/0/rows inputs/0/rejected
  > done
  inputs/0/rows 140101
  inputs/0/rejected {"bad_time": 9899}
  inputs/0/rows 140101
  inputs/0/rejected {"bad_time": 9899}
  inputs/0/rows 140101
  inputs/0/rejected {"bad_time": 9899}
  inputs/0/rows 140101
  inputs/0/rejected {"bad_time": 9899}

two cadences in one log
# Two monitors of one GPU in one file, 0.3 s apart: by the median of all intervals every second one is a gap, which is
# said, in merged parts, too. A few pauses are not.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ pick() { python3 -SE pick.py covered_s inputs/*/gaps inputs/*/problems/*/text; }
  $ awk 'BEGIN {
  >     print "timestamp, index, utilization.gpu [%], power.draw [W]"
  >     for (i = 0; i < 24; i++) printf "2026/07/03 10:%02d:%02d.%d00, 0, 50 %%, 100.00 W\n", i / 24, 5 * int(i / 2) % 60, i % 2 * 3
  > }' >log.csv
  $ smilog summarize --json log.csv | pick
  covered_s 3.6
  inputs/*/gaps [11]
  inputs/*/problems/*/text [["11 of 23 intervals are gaps by the median of all: 51.7 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file"]]
  2> smilog: log.csv: warning: 11 of 23 intervals are gaps by the median of all: 51.7 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file
  $ head -13 log.csv >a.csv && { head -1 log.csv && tail -12 log.csv; } >b.csv
  $ smilog summarize -q --partial --run all a.csv >a.partial && smilog summarize -q --partial --run all b.csv >b.partial
  $ smilog merge --json a.partial b.partial | pick
  covered_s 3.6
  inputs/*/gaps [5, 6]
  inputs/*/problems/*/text [["5 of 11 intervals are gaps by the median of all: 23.5 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file"], ["6 of 12 intervals are gaps by the median of all: 28.2 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file"]]
  2> smilog: a.csv: warning: 5 of 11 intervals are gaps by the median of all: 23.5 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file
  2> smilog: b.csv: warning: 6 of 12 intervals are gaps by the median of all: 28.2 s are in no energy and no idle time; if two monitors or two cadences are in it, make each a file
  $ awk 'BEGIN {
  >     print "timestamp, index, utilization.gpu [%], power.draw [W]"
  >     for (i = 0; i < 50; i++) printf "2026/07/03 10:%02d:%02d.000, 0, 50 %%, 100.00 W\n", i / 10, i % 10
  > }' >log.csv
  $ smilog summarize --json log.csv | pick
  covered_s 45.0
  inputs/*/gaps [4]
  inputs/*/problems/*/text [[]]

two writers in blocks
# Each writer fills a block before it goes into the file: where time goes back a segment begins.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:03.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:04.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:03.500, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:04.500, 0, 50 %, 1000 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 3
  duration_s 6.5
  covered_s 6.5
  energy_wh 0.180556
  gpus/*/gpu [0]
  gpus/*/samples [10]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 12
  inputs/0/header 2
  inputs/0/rows 10
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

two writers in turn
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 10 %, 1000 MiB, 100.00 W
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.400, 0, 30 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.000, 0, 10 %, 1000 MiB, 100.00 W
  >    2026/07/03 22:11:01.400, 0, 30 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.000, 0, 10 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.400, 0, 30 %, 1000 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 2.4
  covered_s 2.4
  energy_wh 0.066667
  gpus/*/gpu [0]
  gpus/*/samples [6]
  gpus/*/metrics/gpu_util_pct/mean [20.0]
  inputs/0/lines 8
  inputs/0/header 2
  inputs/0/rows 6
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/gaps 0
  inputs/0/problems/*/line []
  inputs/0/problems/*/text []

two writers torn into each other
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:00.400, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.000, 0, 52026/07/03 22:11:01.400, 0, 50 %, 1000 MiB, 100.00 W
  > 0 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:022026/07/03 22:11:02.400, 0, 50 %, 1000 MiB, 100.00 W
  > .500, 0, 50 %, 1000 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 2.0
  covered_s 2.0
  energy_wh 0.055556
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/lines 8
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {"bad_time": 2, "bad_width": 2}
  inputs/0/gaps 0
  inputs/0/problems/*/line [4, 5, 7, 8]
  inputs/0/problems/*/text ["another number of cells than the header: \"2026/07/03 22:11:01.000, 0, 52026/07/03 22:11:01.400, 0, 50 ...\"", "another number of cells than the header: \"0 %, 1000 MiB, 100.00 W\"", "no usable time: \"2026/07/03 22:11:022026/07/03 22:11:02.400, 0, 50 %, 1000 Mi...\"", "no usable time: \".500, 0, 50 %, 1000 MiB, 100.00 W\""]

two writers with other columns
# A header holds until the next one: rows of the other writer have another width.
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:00.000, 0, 50 %, 1000 MiB, 100.00 W
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 22:11:00.400, 0, 30 %
  > 2026/07/03 22:11:01.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:01.400, 0, 30 %
  > timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:02.000, 0, 50 %, 1000 MiB, 100.00 W
  > 2026/07/03 22:11:02.400, 0, 30 %
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py segments duration_s covered_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean \
  >     inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/messages inputs/0/rejected inputs/0/gaps \
  >     inputs/0/problems/*/line inputs/0/problems/*/text
  segments 1
  duration_s 2.0
  covered_s 2.0
  energy_wh 0.055556
  gpus/*/gpu [0]
  gpus/*/samples [4]
  gpus/*/metrics/gpu_util_pct/mean [40.0]
  inputs/0/lines 9
  inputs/0/header 3
  inputs/0/rows 4
  inputs/0/duplicates 0
  inputs/0/messages 0
  inputs/0/rejected {"bad_width": 2}
  inputs/0/gaps 0
  inputs/0/problems/*/line [5, 9]
  inputs/0/problems/*/text ["another number of cells than the header: \"2026/07/03 22:11:01.000, 0, 50 %, 1000 MiB, 100.00 W\"", "another number of cells than the header: \"2026/07/03 22:11:02.400, 0, 30 %\""]
