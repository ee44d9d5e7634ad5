a gpu named by one key then another
# Its first rows have one key each: rows with both are of one GPU, not of two in turn.
  $ cat >log.csv <<'EOF'
  > timestamp, pci.bus_id, uuid, utilization.gpu [%]
  > 2026/07/03 16:00:00.000, 00000000:1F:00.0, [N/A], 10
  > 2026/07/03 16:00:02.000, [N/A], GPU-1, 20
  > 2026/07/03 16:00:04.000, 00000000:1F:00.0, GPU-1, 30
  > 2026/07/03 16:00:06.000, 00000000:1F:00.0, GPU-1, 40
  > 2026/07/03 16:00:08.000, 00000000:1F:00.0, GPU-1, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/*/interval_s gpus/*/interval_max_s inputs/0/rows
  gpus/*/interval_s [2.0]
  gpus/*/interval_max_s [4.0]
  inputs/0/rows 5

a gpu of another format is said
# Memory utilisation is dmon's where it has any; GPU 1 is in the query log only.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ {
  >     echo 'timestamp, index, utilization.gpu [%], utilization.memory [%]'
  >     for s in 0 1 2 3; do printf '2024/02/11 09:15:0%d.000, %d, 50 %%, 30 %%\n' $s 0 $s 1; done
  > } >hw_metrics.csv
  $ {
  >     echo '#Date       Time        gpu     sm    mem'
  >     echo '#YYYYMMDD   HH:MM:SS    Idx      %      %'
  >     for s in 0 1 2 3; do echo " 20240211   09:15:0$s      0     50     70"; done
  > } >hw_dmon.csv
  $ smilog summarize --json -q . | python3 -SE -c '
  > import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > print(run["summary"]["mem_util_mean_pct"], *run["problems"], sep="\n")'
  70.0
  no memory.used column, or no reading in it
  no power column, or no reading in it
  no CPU log
  a reading of some GPUs is only in logs of another format than that of the other GPUs: the run's means and peaks leave it out
  $ rm -r "$d"

a header without uuid is of the same gpu
# A monitor of one GPU was started again without its uuid, or with it only then: one GPU, whose time goes on; and so say
# samples that are read again.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { # FROM CELLS
  >     for t in 0 2 4 6; do echo "2026/07/04 10:00:$(($1 + t)).000, $2$t %, 5$t.00 W"; done
  > }
  $ with() { echo "timestamp, uuid, utilization.gpu [%], power.draw [W]"; rows "$1" "GPU-1b, "; }
  $ without() { echo "timestamp, utilization.gpu [%], power.draw [W]"; rows "$1" ""; }
  $ { with 10; without 18; with 26; } >one.csv
  $ { without 10; with 18; } >two.csv
  $ for log in one two; do
  >     smilog export -q $log.csv --to csv:$log.samples.csv
  >     for f in $log.csv $log.samples.csv; do
  >         smilog summarize --json "$f" | python3 -SE "$root/tests/cases/pick.py" 'gpus/*/uuid' 'gpus/*/samples' energy_wh \
  >             covered_s inputs/0/rows
  >     done
  > done
  gpus/*/uuid ["GPU-1b"]
  gpus/*/samples [12]
  energy_wh 0.323889
  covered_s 22.0
  inputs/0/rows 12
  gpus/*/uuid ["GPU-1b"]
  gpus/*/samples [12]
  energy_wh 0.323889
  covered_s 22.0
  inputs/0/rows 12
  gpus/*/uuid ["GPU-1b"]
  gpus/*/samples [8]
  energy_wh 0.206111
  covered_s 14.0
  inputs/0/rows 8
  gpus/*/uuid ["GPU-1b"]
  gpus/*/samples [8]
  energy_wh 0.206111
  covered_s 14.0
  inputs/0/rows 8

a key that repeats is no key
# Both GPUs of a dual board have its serial number.
  $ cat >log.csv <<'EOF'
  > timestamp, serial, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0323, 0, 50
  > 2026/07/03 10:00:00.000, 0323, 1, 50
  > 2026/07/03 10:00:02.000, 0323, 0, 50
  > 2026/07/03 10:00:02.000, 0323, 1, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples inputs/0/duplicates
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  inputs/0/duplicates 0

a message parts a burst
# among the first rows and far behind them; what a message parts is no burst
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for at in 20 400; do
  >     awk -v at=$at 'BEGIN {
  >         print "timestamp, temperature.gpu, power.draw [W]"
  >         for (i = 0; i < 700; i++) {
  >             s = sprintf("2026/07/02 %02d:%02d:%02d", 16 + i / 3600, i / 60 % 60, i % 60)
  >             printf "%s.100, 44, 231.93\n", s
  >             if (i == at)
  >                 print "No devices were found"
  >             printf "%s.102, 41, 447.43\n", s
  >         }
  >     }' >"$t/log.csv"
  >     smilog summarize -q --json "$t/log.csv" | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples inputs/0/messages
  > done
  gpus/*/gpu [0, 1, null]
  gpus/*/samples [699, 699, 2]
  inputs/0/messages 1
  gpus/*/gpu [0, 1, null]
  gpus/*/samples [699, 699, 2]
  inputs/0/messages 1

a serial of several gpus names none of them
# Two GPUs of one board have one serial: where nothing else is the same in both logs, which of one log is which of the
# other one is not known, and said. Of one GPU a serial it is.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir run one || exit
  $ for t in 46 48; do
  >     echo "2026/07/04 00:10:$t.000, 0, 77, 100.00 W" >>rows.power
  >     echo "2026/07/04 00:10:$t.001, 1, 77, 400.00 W" >>rows.power
  >     echo "2026/07/04 00:10:$t.000, GPU-b, 77, 48" >>rows.temp # the second one first
  >     echo "2026/07/04 00:10:$t.001, GPU-a, 77, 41" >>rows.temp
  > done
  $ { echo "timestamp, index, serial, power.draw [W]"; cat rows.power; } >run/a.csv
  $ { echo "timestamp, uuid, serial, temperature.gpu"; cat rows.temp; } >run/b.csv
  $ sed '/, 1, /s/77/78/' run/a.csv >one/a.csv
  $ sed '/GPU-b/s/77/78/' run/b.csv >one/b.csv
  $ for i in run one; do
  >     smilog summarize -q --run-per dir --json $i | python3 -SE -c 'import json, sys
  > for r in json.load(sys.stdin)["runs"]:
  >     for g in r["gpus"]: print(r["run"], g["gpu"], g["uuid"], {k: m["mean"] for k, m in g["metrics"].items()})
  >     print(*(p for p in r["problems"] if "kind" in p or "key" in p or "index" in p))'
  > done
  run 0 None {'power_w': 100.0}
  run 1 None {'power_w': 400.0}
  run None GPU-a {'temp_gpu_c': 41.0}
  run None GPU-b {'temp_gpu_c': 48.0}
  the logs name GPUs by different keys (uuid, index): they cannot be matched and are counted apart; index and uuid in the query would help
  one 0 GPU-a {'power_w': 100.0, 'temp_gpu_c': 41.0}
  one 1 GPU-b {'power_w': 400.0, 'temp_gpu_c': 48.0}


duplicate across two files
  $ mkdir -p out
  $ cat >out/a.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > 2026/07/03 10:00:02.000, 0, 20
  > EOF
  $ cat >out/b.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:02.000, 0, 99
  > 2026/07/03 10:00:04.000, 0, 60
  > EOF
  $ smilog summarize -q --run-per dir --json out | python3 -SE ../../pick.py \
  >     gpus/0/samples inputs/*/rows inputs/*/duplicates summary/gpu_util_mean_pct
  gpus/0/samples 3
  inputs/*/rows [2, 1]
  inputs/*/duplicates [0, 1]
  summary/gpu_util_mean_pct 30.0

every output names one gpu for a row
# Logs name the same GPUs by UUIDs, bus ids, serials and indices, in any mixture, case, width and order: what is
# exported of a GPU is what its summary counts.
  $ python3 -B check.py
  every export gives a GPU the rows that its summary counts

fast rows are one gpu
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples
  gpus/*/gpu [0]
  gpus/*/samples [40]

five rows are undecided
  $ cat >log.csv <<'EOF'
  > timestamp, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 50, 100.00
  > 2026/07/03 10:00:00.007, 50, 100.00
  > 2026/07/03 10:00:00.014, 50, 100.00
  > 2026/07/03 10:00:00.021, 50, 100.00
  > 2026/07/03 10:00:00.028, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples energy_wh idle_pct summary/gpu_util_mean_pct
  gpus/*/gpu [null]
  gpus/*/samples [5]
  energy_wh null
  idle_pct null
  summary/gpu_util_mean_pct 50.0

forty fast rows are one gpu
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples
  gpus/*/gpu [0]
  gpus/*/samples [40]

four gpus by bursts
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples duration_s
  gpus/*/gpu [0, 1, 2, 3]
  gpus/*/samples [3, 3, 3, 3]
  duration_s 2.008

gpu count decides five rows
  $ cat >log.csv <<'EOF'
  > timestamp, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 50, 100.00
  > 2026/07/03 10:00:00.007, 50, 100.00
  > 2026/07/03 10:00:00.014, 50, 100.00
  > 2026/07/03 10:00:00.021, 50, 100.00
  > 2026/07/03 10:00:00.028, 50, 100.00
  > EOF
  $ smilog summarize -q --json --gpu-count 1 log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples idle_pct covered_s energy_wh
  gpus/*/gpu [0]
  gpus/*/samples [5]
  idle_pct 0.0
  covered_s 0.028
  energy_wh 0.000778

gpu count gives ordinals
  $ cat >log.csv <<'EOF'
  > timestamp, power.draw [W]
  > 2026/07/03 10:00:00.000, 100.00
  > 2026/07/03 10:00:00.004, 300.00
  > 2026/07/03 10:00:02.000, 100.00
  > 2026/07/03 10:00:02.004, 300.00
  > EOF
  $ smilog summarize -q --json --gpu-count 2 log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/metrics/power_w/mean
  gpus/*/gpu [0, 1]
  gpus/*/metrics/power_w/mean [100.0, 300.0]

gpus of two hosts in one log
# Two nodes append to one file: where only an index names GPUs, a column of hosts tells them apart. One host changes
# nothing, nor does one that is not known.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ write() { # column, hosts
  >     awk -v column="$1" -v hosts="$2" 'BEGIN {
  >         n = split(hosts, host, " ")
  >         print "timestamp, " column ", index, utilization.gpu [%], power.draw [W]"
  >         for (i = 0; i < 4; i++) for (h = 1; h <= n; h++) for (g = 0; g < 2; g++)
  >             printf "2026/07/03 10:00:%02d.%03d, %s, %d, %d %%, %d.00 W\n", 5 * i, h % 2, host[h], g, 10 * h + g, 100 * h
  >     }'
  > }
  $ pick() { smilog summarize -q --json "$1" | python3 -SE pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean energy_wh inputs/0/duplicates; }
  $ write hostname 'node0 node1' >log.csv && pick log.csv
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  $ write hostname 'node0' >log.csv && pick log.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 11.0]
  energy_wh 0.833333
  inputs/0/duplicates 0
  $ write hostname '[N/A]' >log.csv && pick log.csv
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 11.0]
  energy_wh 0.833333
  inputs/0/duplicates 0
  $ write hostname 'node0 node1' | sed 's/ \[[%W]\]//g; s/power.draw/power_w/; s/utilization.gpu/gpu_util_pct/; s/ [%W],/,/; s/ [%W]$//; s/hostname/node/; s/, /,/g; s/\//-/g' >log.csv && pick log.csv
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  $ write hostname 'node0 node1' | smilog summarize -q --gpus 1 --json - | python3 -SE pick.py gpus/*/gpu gpus/*/samples
  gpus/*/gpu [1, 1]
  gpus/*/samples [4, 4]
  $ for name in node node_name host; do # below nvidia-smi's own names, too
  >     write "$name" 'node0 node1' >log.csv && pick log.csv
  > done
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  $ write node '10.0.0.1 3fa85f64' >log.csv && pick log.csv
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0, 21.0, 11.0]
  energy_wh 2.5
  inputs/0/duplicates 0
  $ write node '1 2' >log.csv && pick log.csv
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0, 11.0, 21.0]
  energy_wh 2.5
  inputs/0/duplicates 0

hiccups are one gpu
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples
  gpus/*/gpu [0]
  gpus/*/samples [256]

index with zeros in front is the same gpu
  $ cat >log.txt <<'EOF'
  > #Date       Time        gpu    pwr  gtemp  mtemp     sm    mem
  > #YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %
  >  20260703   10:00:00      0    100     40      -     50      5
  >  20260703   10:00:01     00    102     40      -     60      6
  >  20260703   10:00:02      0    104     40      -     70      7
  >  20260703   10:00:03    000    106     40      -     80      8
  >  20260703   10:00:04      1    206     40      -     80      8
  > EOF
  $ cat >query.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 00, 60, 110.00
  > 2026/07/03 10:00:04.000, 0000000, 70, 120.00
  > EOF
  $ for f in log.txt query.csv; do
  >     smilog summarize --run-per file --json $f | python3 -SE ../../pick.py 'gpus/*/gpu' 'gpus/*/samples' 'gpus/*/metrics/power_w/mean' energy_wh
  > done
  gpus/*/gpu [0, 1]
  gpus/*/samples [4, 1]
  gpus/*/metrics/power_w/mean [103.0, 206.0]
  energy_wh 0.085833
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/*/metrics/power_w/mean [110.0]
  energy_wh 0.122222

keyless ordinals are dmons indices
# As many GPUs in both: the first of a burst is dmon's first.
  $ mkdir -p out
  $ cat >out/hw_dmon.csv <<'EOF'
  > # gpu    mem   bar1
  > # Idx      %     MB
  >     2      3      1
  >     5      7      1
  >     2      3      1
  >     5      7      1
  >     2      3      1
  >     5      7      1
  >     2      3      1
  >     5      7      1
  > EOF
  $ cat >out/hw_metrics.csv <<'EOF'
  > timestamp, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 10
  > 2026/07/03 10:00:00.004, 80
  > 2026/07/03 10:00:02.000, 10
  > 2026/07/03 10:00:02.004, 80
  > 2026/07/03 10:00:04.000, 10
  > 2026/07/03 10:00:04.004, 80
  > 2026/07/03 10:00:06.000, 10
  > 2026/07/03 10:00:06.004, 80
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean
  gpus/*/gpu [2, 5]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 80.0]
  gpus/*/metrics/mem_util_pct/mean [3.0, 7.0]

one row is one gpu
  $ cat >log.csv <<'EOF'
  > timestamp, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples energy_wh
  gpus/*/gpu [0]
  gpus/*/samples [1]
  energy_wh null

one uuid at two places is one gpu
# A damaged bus id, an index that changed: the uuid decides, without one the bus id; and samples that are read again say
# the same.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ {
  >     echo "timestamp, uuid, pci.bus_id, index, power.draw [W]"
  >     echo "2026/07/04 10:00:10.000, GPU-1b, 00000000:01:00.0, 0, 100.00 W"
  >     echo "2026/07/04 10:00:12.000, GPU-1b, 00000000:01:{0.0, 0, 100.00 W"
  >     echo "2026/07/04 10:00:14.000, GPU-1b, 00000000:01:00.0, 1, 100.00 W"
  >     echo "2026/07/04 10:00:14.000, GPU-2b, 00000000:02:00.0, 1, 60.00 W"
  >     echo "2026/07/04 10:00:16.000, GPU-1b, 00000000:01:00.0, 0, 100.00 W"
  >     echo "2026/07/04 10:00:16.000, GPU-2b, 00000000:01:00.0, 1, 60.00 W"
  > } >log.csv
  $ sed '/{/d; /GPU-2b, 00000000:01/d; s/GPU-[12]b, //; s/uuid, //' log.csv >bus.csv
  $ smilog export -q log.csv --to csv:samples.csv
  $ for f in log.csv samples.csv bus.csv; do
  >     smilog summarize --json "$f" | python3 -SE "$root/tests/cases/pick.py" 'gpus/*/uuid' 'gpus/*/samples' 'gpus/*/energy_wh' \
  >         'gpus/*/interval_s'
  > done
  gpus/*/uuid ["GPU-1b", "GPU-2b"]
  gpus/*/samples [4, 2]
  gpus/*/energy_wh [0.166667, 0.033333]
  gpus/*/interval_s [2.0, 2.0]
  gpus/*/uuid ["GPU-1b", "GPU-2b"]
  gpus/*/samples [4, 2]
  gpus/*/energy_wh [0.166667, 0.033333]
  gpus/*/interval_s [2.0, 2.0]
  gpus/*/uuid [null, null]
  gpus/*/samples [3, 1]
  gpus/*/energy_wh [0.166667, null]
  gpus/*/interval_s [2.0, null]

pauses of twice the distance
# Two GPUs in turn, 10 ms apart, and the next turn later by a pause: from twice the distance on it parts the turns.
  $ for near in 10 30 100 101; do for more in -1 0 1; do
  >     awk -v near=$near -v far=$((2 * near + more)) 'BEGIN {
  >         print "timestamp, power.draw [W]"
  >         for (i = 0; i < 60; i++) {
  >             printf "2026/07/04 10:00:%02d.%03d, %d.00 W\n", t / 1000, t % 1000, i % 2 ? 300 : 100
  >             t += i % 2 ? far : near
  >         }
  >     }' | smilog summarize -q --json - | python3 -SE -c 'import json, sys
  > print(*sys.argv[1:], *((g["gpu"], g["metrics"]["power_w"]["mean"]) for g in json.load(sys.stdin)["runs"][0]["gpus"]))' $near $((2 * near + more))
  > done; done
  10 19 (None, 200.0)
  10 20 (0, 100.0) (1, 300.0)
  10 21 (0, 100.0) (1, 300.0)
  30 59 (None, 200.0)
  30 60 (0, 100.0) (1, 300.0)
  30 61 (0, 100.0) (1, 300.0)
  100 199 (None, 200.0)
  100 200 (0, 100.0) (1, 300.0)
  100 201 (0, 100.0) (1, 300.0)
  101 201 (0, 200.0)
  101 202 (0, 200.0)
  101 203 (0, 200.0)

pooled rows are rows of their format
# Five rows without a key cannot be told apart, and dmon beside them counts the same GPU again: the headline and the
# phases take utilisation and memory from the query rows alone, memory activity from dmon alone.
  $ cat >hw_dmon.csv <<'EOF'
  > #Date        Time      gpu    pwr     sm    mem     fb
  > #YYYYMMDD    HH:MM:SS  Idx      W      %      %     MB
  >  20260703    10:00:00    0    300     80     70   9000
  >  20260703    10:00:01    0    300     80     60   9000
  >  20260703    10:00:02    0    300     80     80   9000
  > EOF
  $ cat >hw_metrics.csv <<'EOF'
  > 2026/07/03 10:00:00.000, 10, 30, 1000, 81559, 100.00, 40, 1410, 1593
  > 2026/07/03 10:00:00.007, 20, 30, 2000, 81559, 110.00, 40, 1410, 1593
  > 2026/07/03 10:00:00.014, 30, 30, 1000, 81559, 100.00, 40, 1410, 1593
  > 2026/07/03 10:00:00.021, 20, 30, 1000, 81559, 100.00, 40, 1410, 1593
  > 2026/07/03 10:00:00.028, 20, 30, 1000, 81559, 90.00, 40, 1410, 1593
  > EOF
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"utc_offset_s": 0}}
  > {"ts": "2026-07-03T10:00:04.000+00:00", "type": "phase", "name": "fit", "seconds": 5.0}
  > {"ts": "2026-07-03T10:00:04.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples \
  >     summary/gpu_util_mean_pct summary/gpu_util_max_pct summary/peak_vram_mb summary/power_watts_mean \
  >     summary/mem_util_mean_pct summary/mem_util_max_pct phases/0/summary
  gpus/*/gpu [0, null]
  gpus/*/samples [3, 5]
  summary/gpu_util_mean_pct 20.0
  summary/gpu_util_max_pct 30.0
  summary/peak_vram_mb 2000.0
  summary/power_watts_mean 100.0
  summary/mem_util_mean_pct 70.0
  summary/mem_util_max_pct 80.0
  phases/0/summary {"peak_vram_mb": 2000.0, "gpu_util_mean_pct": 20.0, "gpu_util_max_pct": 30.0, "power_watts_mean": 100.0, "power_watts_max": 110.0, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null, "mem_util_mean_pct": 70.0, "mem_util_max_pct": 80.0}

query and dmon are the same gpu
# One source a metric: gpu_util and power from the query, mem_util from dmon, bar1 from who has it.
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm    mem   bar1
  > # Idx      W      %      %     MB
  >     0     90     99      6      9
  >     0     90     99      8      9
  >     0     90     99      7      9
  > EOF
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], utilization.memory [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 10, 1, 100.00
  > 2026/07/03 10:00:02.000, 0, 30, 1, 100.00
  > EOF
  $ smilog summarize -q --json . | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/mem_util_pct/mean \
  >     gpus/0/metrics/power_w/count gpus/0/metrics/bar1_used_mib/max summary/gpu_util_mean_pct
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/0/metrics/gpu_util_pct/mean 20.0
  gpus/0/metrics/mem_util_pct/mean 7.0
  gpus/0/metrics/power_w/count 2
  gpus/0/metrics/bar1_used_mib/max 9.0
  summary/gpu_util_mean_pct 20.0

row without its key is pooled
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, 10
  > 2026/07/03 10:00:01.000, [N/A], 90
  > 2026/07/03 10:00:02.000, 0, 20
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples summary/gpu_util_mean_pct
  gpus/*/gpu [0, null]
  gpus/*/samples [2, 1]
  summary/gpu_util_mean_pct 40.0

same index and other keys
# Three GPUs of index 0 in one run, told by uuid and serial number, or by serial number alone: in one order, whatever the
# order of the logs: what is known comes first.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ log() { # name columns values
  >     echo "timestamp, index, $2, power.draw [W]" >"$1"
  >     for t in 10 12; do echo "2026/07/04 10:00:$t.000, 0, $3.00 W" >>"$1"; done
  > }
  $ log a.csv "uuid, serial" "GPU-2f, 131, 100"
  $ log b.csv "uuid, serial" "GPU-1f, 133, 200"
  $ log c.csv serial "132, 300"
  $ for given in "a.csv b.csv c.csv" "c.csv b.csv a.csv" "b.csv c.csv a.csv"; do
  >     smilog summarize -q --run r --json $given | python3 -SE "$root/tests/cases/pick.py" 'gpus/*/gpu' 'gpus/*/uuid' 'gpus/*/metrics/power_w/mean'
  > done
  gpus/*/gpu [0, 0, 0]
  gpus/*/uuid ["GPU-1f", "GPU-2f", null]
  gpus/*/metrics/power_w/mean [200.0, 100.0, 300.0]
  gpus/*/gpu [0, 0, 0]
  gpus/*/uuid ["GPU-1f", "GPU-2f", null]
  gpus/*/metrics/power_w/mean [200.0, 100.0, 300.0]
  gpus/*/gpu [0, 0, 0]
  gpus/*/uuid ["GPU-1f", "GPU-2f", null]
  gpus/*/metrics/power_w/mean [200.0, 100.0, 300.0]

same uuid in two files is one gpu
  $ mkdir -p out
  $ cat >out/a.csv <<'EOF'
  > timestamp, uuid, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 50
  > 2026/07/03 10:00:02.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 50
  > EOF
  $ cat >out/b.csv <<'EOF'
  > timestamp, uuid, utilization.gpu [%]
  > 2026/07/03 10:00:04.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 50
  > 2026/07/03 10:00:06.000, GPU-aaaaaaaa-0000-0000-0000-000000000000, 50
  > EOF
  $ smilog summarize -q --run-per dir --json out | python3 -SE ../../pick.py \
  >     gpus/*/uuid gpus/0/samples covered_s segments
  gpus/*/uuid ["GPU-aaaaaaaa-0000-0000-0000-000000000000"]
  gpus/0/samples 4
  covered_s 6.0
  segments 1

serials in two logs are the same gpus
  $ at=2026/07/04; mkdir run
  $ for t in 46 48; do for g in 1 2; do
  >     echo "$at 00:10:$t.000, 132$g, ${g}00.00 W" >>rows.power
  >     echo "$at 00:10:$t.000, 132$g, 4$g" >>rows.temp
  > done; done
  $ { echo "timestamp, serial, power.draw [W]"; cat rows.power; } >run/a.csv
  $ { echo "timestamp, serial, temperature.gpu"; cat rows.temp; } >run/b.csv
# a board of two GPUs has one serial: which of them it is says the index
  $ { echo "timestamp, index, serial, power.draw [W]"; sed 's/, 1321/, 0, 77/; s/, 1322/, 1, 77/' rows.power; } >board.csv
  $ { echo "timestamp, index, serial, temperature.gpu"; sed 's/, 1321/, 0, 77/; s/, 1322/, 1, 77/' rows.temp; } >board2.csv
  $ gpus='import json, sys
  > for r in json.load(sys.stdin)["runs"]:
  >     for g in r["gpus"]: print(r["run"], g["gpu"], sorted(g["metrics"]), g["metrics"]["temp_gpu_c"]["mean"])'
  $ smilog summarize -q --run-per dir --json run | python3 -SE -c "$gpus"
  run None ['power_w', 'temp_gpu_c'] 41.0
  run None ['power_w', 'temp_gpu_c'] 42.0
  $ smilog summarize -q --run board --json board.csv board2.csv | python3 -SE -c "$gpus"
  board 0 ['power_w', 'temp_gpu_c'] 41.0
  board 1 ['power_w', 'temp_gpu_c'] 42.0
  $ rm -r run rows.* board*.csv

the headline counts one format a metric
# The query names GPU 0, dmon both: the headline's utilisation is that of the query rows, as in the reference, and it is
# said that GPU 1 is not in it. With --gpus 1 it is.
  $ cat >hw_dmon.csv <<'EOF'
  > #Date        Time      gpu    pwr     sm    mem
  > #YYYYMMDD    HH:MM:SS  Idx      W      %      %
  >  20260703    10:00:00    0    300     80     70
  >  20260703    10:00:00    1    300     60     70
  >  20260703    10:00:01    0    300     80     70
  >  20260703    10:00:01    1    300     60     70
  > EOF
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 20 %, 100.00 W
  > 2026/07/03 10:00:01.000, 0, 20 %, 110.00 W
  > 2026/07/03 10:00:02.000, 0, 20 %, 100.00 W
  > EOF
  $ smilog summarize -q --json . >all.tmp
  $ python3 -SE ../../pick.py gpus/*/gpu summary/gpu_util_mean_pct summary/power_watts_max summary/mem_util_mean_pct problems <all.tmp
  gpus/*/gpu [0, 1]
  summary/gpu_util_mean_pct 20.0
  summary/power_watts_max 110.0
  summary/mem_util_mean_pct 70.0
  problems ["no memory.used column, or no reading in it", "no CPU log", "a reading of some GPUs is only in logs of another format than that of the other GPUs: the run's means and peaks leave it out"]
  $ rm all.tmp
  $ smilog summarize -q --gpus 1 --json . | python3 -SE ../../pick.py summary/gpu_util_mean_pct
  summary/gpu_util_mean_pct 60.0

two hosts in one run are said
  $ smilog summarize --json --run-per dir out | python3 -SE ../../pick.py 'gpus/*/gpu' 'gpus/*/samples' problems
  gpus/*/gpu [0]
  gpus/*/samples [4]
  problems ["no memory.used column, or no reading in it", "no CPU log", "two logs of one format cover the same time and do not say which GPU they are from, or give the same index: treated as one GPU, whose time counts once; if they are from two GPUs or machines, make each a run (--run-per file)"]
  2> smilog: out: warning: two logs of one format cover the same time and do not say which GPU they are from, or give the same index: treated as one GPU, whose time counts once; if they are from two GPUs or machines, make each a run (--run-per file)
  $ smilog summarize -q --json --run-per file out | python3 -SE ../../pick.py '/runs/*/run' problems
  /runs/*/run ["node01.csv", "node02.csv"]
  problems ["no memory.used column, or no reading in it", "no CPU log"]

a machine in front of lines is a key
# Two machines with GPUs 0 and 1 each, whose lines have a prefix: 20, 30, 60 and 70 %. Messages of a machine are no rows.
  $ rows() { # prefixes of two machines
  >     printf '%stimestamp, index, utilization.gpu [%%]\n' "$1" "$2"
  >     for s in 0 5; do
  >         for gpu in 1 0; do
  >             printf '%s2026/07/03 11:00:0%d.000, %d, %d %%\n' "$2" $s $gpu $((60 + 10 * gpu)) "$1" $s $gpu $((20 + 10 * gpu))
  >         done
  >     done
  > }
  $ rows 'node01: ' 'node02: ' >pdsh.log && rows '0: ' '13: ' >srun.log && rows 'gpu-1  | ' 'gpu-12 | ' >compose.log
  $ rows '[pod/train-x1/main] ' '[pod/train-x2/main] ' >pod.log
  $ rows '2026-07-03T11:00:00Z node01: ' '2026-07-03T11:00:00Z node02: ' >stamped.log
  $ for log in pdsh srun compose pod stamped; do
  >     smilog summarize -q --json $log.log |
  >         python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/header inputs/0/rejected
  > done
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0]
  inputs/0/rows 8
  inputs/0/header 2
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0]
  inputs/0/rows 8
  inputs/0/header 2
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0]
  inputs/0/rows 8
  inputs/0/header 2
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0]
  inputs/0/rows 8
  inputs/0/header 2
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0]
  inputs/0/rows 8
  inputs/0/header 2
  inputs/0/rejected {}
# The table names the machines, where an index alone would not tell GPUs apart.
  $ smilog summarize -q pdsh.log | sed -n 4,8p | cut -c 1-17
       GPU  MEAN %\x20 (esc)
  node01:0    20.0\x20 (esc)
  node02:0    60.0\x20 (esc)
  node01:1    30.0\x20 (esc)
  node02:1    70.0\x20 (esc)
# A card has no index: each machine has one.
  $ printf '%s: %s\n' a 'timestamp, utilization.gpu [%]' a '2026/07/03 11:00:00.000, 5 %' b '2026/07/03 11:00:00.000, 7 %' >one.log
  $ smilog summarize -q --json one.log | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean
  gpus/*/metrics/gpu_util_pct/mean [5.0, 7.0]

GPUs that only the order of rows tells apart are those of their machine
# node01 has 20 and 30 %, node02 60, 70 and 80 % and node03 has 50 %: nothing names the GPU of a row.
  $ rows() { # what is in front of the name of a machine, and behind it
  >     printf "$1%s$2timestamp, utilization.gpu [%%], fan.speed [%%]\n" node01 node02 node03
  >     for s in $(seq 10 49); do
  >         at="2026/07/03 11:00:$s.00"
  >         printf "$1%s$2$at%d, %d %%, 5 %%\n" node01 1 20 node02 1 60 node02 3 70 node01 4 30 node03 5 50 node02 6 80
  >     done
  > }
  $ rows '' ': ' >pdsh.log && rows 'gpu-' '  | ' >compose.log && rows '[pod/x/' '] ' >pod.log
  $ for log in pdsh compose pod; do
  >     smilog summarize -q --json $log.log |
  >         python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/samples
  > done
  duration_s 39.005
  gpus/*/gpu [0, 0, 1, 1, 2, null]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0, 80.0, 50.0]
  gpus/*/samples [40, 40, 40, 40, 40, 40]
  duration_s 39.005
  gpus/*/gpu [0, 0, 1, 1, 2, null]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0, 80.0, 50.0]
  gpus/*/samples [40, 40, 40, 40, 40, 40]
  duration_s 39.005
  gpus/*/gpu [0, 0, 1, 1, 2, null]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 60.0, 30.0, 70.0, 80.0, 50.0]
  gpus/*/samples [40, 40, 40, 40, 40, 40]
# Without times the rows of a machine are pooled, unless --gpu-count says how many GPUs each has.
  $ grep -v node02 pdsh.log | sed 's/timestamp, //; s/: 2026[^,]*, /: /' | sed '/node03/d' >untimed.log
  $ smilog summarize --json untimed.log | python3 -SE ../../pick.py duration_s gpus/*/metrics/gpu_util_pct/mean
  duration_s null
  gpus/*/metrics/gpu_util_pct/mean [25.0]
  2> smilog: untimed.log: warning: no GPU key, and the times do not tell how many GPUs there are: all rows are pooled, without times; --gpu-count N says it
  $ smilog summarize -q --gpu-count 2 --json untimed.log | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean
  gpus/*/metrics/gpu_util_pct/mean [20.0, 30.0]

lines in docker's json file and behind a progress bar
# 20, 21, 22 and 23 %, with the time of Docker; the bar of a training stands in front of rows.
  $ for row in 'index, utilization.gpu [%]' '0, 20 %' '1, 21 %' '0, 22 %' '1, 23 %'; do
  >     printf '{"log":"%s\\n","stream":"stdout","time":"2026-07-03T11:00:0%d.5Z"}\n' "$row" $((n++ / 3 * 5))
  > done >docker.log
  $ printf '%s\n' 'timestamp, utilization.gpu [%]' '2026/07/03 11:00:00.000, 20 %' >bar.log
  $ printf ' 10%%|# | 1/10\r 20%%|## | 2/10\r2026/07/03 11:00:05.000, 30 %%\n' >>bar.log
  $ for log in docker bar; do
  >     smilog summarize -q --json $log.log |
  >         python3 -SE ../../pick.py time_base duration_s gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/rejected
  > done
  time_base "utc"
  duration_s 5.0
  gpus/*/metrics/gpu_util_pct/mean [21.0, 22.0]
  inputs/0/rows 4
  inputs/0/rejected {}
  time_base "local, zone not known"
  duration_s 5.0
  gpus/*/metrics/gpu_util_pct/mean [25.0]
  inputs/0/rows 2
  inputs/0/rejected {}

docker's json file has escapes and parts of lines
# Tabs, quotes, a sign of degrees and a bar with carriage returns; of a row the end comes behind a part of stderr,
# and the last row has none. GPU 0 has 5 and 7 %, GPU 1 has 90 and 92 %.
  $ log() { printf '{"log":"%s","stream":"%s","time":"2026-07-03T11:00:0%d.5Z"}\n' "$1" "${2:-stdout}" $((n++)); }
  $ { log 'timestamp\tgpu_index\tgpu_util (%)\tgpu_temp (\u00b0C)\tgpu_name\r\n'
  >   for row in '10:00:10\t0\t5\t50' '10:00:10\t1\t90\t60'; do log '2026-07-03 '"$row"'\t\"A \\\\ B\"\n'; done
  >   log '2026-07-03 10:00:12\t0\t'; log 'Epoch 4' stderr; log '7\t50\tA\n'; log ' of 5\n' stderr
  >   log ' 10%|# | 1/10\r 20%|## | 2/10\r2026-07-03 10:00:12\t1\t92\t60\tA\n'; log '2026-07-03 10:00:14\t0\t'
  > } >docker.log
  $ smilog summarize --json docker.log | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean inputs/0/{lines,rows,blank,rejected}
  gpus/*/metrics/gpu_util_pct/mean [6.0, 91.0]
  inputs/0/lines 9
  inputs/0/rows 4
  inputs/0/blank 2
  inputs/0/rejected {"foreign": 1, "torn_tail": 1}
  2> smilog: docker.log:7: warning: no row, no header, no known message: "Epoch 4 of 5"
  2> smilog: docker.log:9: warning: unfinished last line: "2026-07-03 10:00:14\x090\x09"
# A sampler's JSON lines inside of it.
  $ for s in 1 2; do log '{\"timestamp\": \"2026-07-03T11:00:0'$s'Z\", \"gpu_util\": '$s'0}\n'; done >json.log
  $ smilog summarize --json json.log | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/mean
  gpus/*/metrics/gpu_util_pct/mean [15.0]

a machine in front of any row tells its GPUs from those of others
# Equal bus ids, rows that begin with a name, rows of dmon: each node has a GPU at 50 and one at 90 %.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { for n in node01 node02; do printf "$n: %s\n" "${@:3}"; done
  >   for s in $(seq 10 49); do printf "node01: $1\nnode02: $2\n"; done | awk '{ gsub("TIME", "2026/07/03 10:00:" int(10 + (NR - 1) / 2) ".000") } 1'; }
  $ means() { smilog summarize --json $1 | python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]; i = r["inputs"][0]
  > print([(g["samples"], g["metrics"]["gpu_util_pct"]["mean"]) for g in r["gpus"]], r["duration_s"], i["rejected"], i["duplicates"])'; }
  $ rows '00000000:07:00.0, 50 %%, TIME' '00000000:07:00.0, 90 %%, TIME' 'pci.bus_id, utilization.gpu [%], timestamp' >bus.log; means bus.log
  [(40, 50.0), (40, 90.0)] 39.0 {} 0
  $ rows 'NVIDIA A100, 0, 50 %%, TIME' 'NVIDIA A100, 0, 90 %%, TIME' 'name, index, utilization.gpu [%], timestamp' >name.log; means name.log
  [(40, 50.0), (40, 90.0)] 39.0 {} 0
  $ rows '    0     70     40     50' '    0     70     40     90' '# gpu    pwr  gtemp     sm' '# Idx      W      C      %' >dmon.log; means dmon.log
  [(40, 50.0), (40, 90.0)] None {} 0

rows without a machine beside those of one are of another gpu
# In one poll, in either order. After the last row of the machine they are of its GPU: its monitor was started again.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ at() { printf '2026/07/03 10:%02d:%02d.%03d' $(($1 / 60)) $(($1 % 60)) $2; }
  $ mkdir first last again
  $ head='timestamp, utilization.gpu [%], power.draw [W]'
  $ { echo "n1: $head"; for s in {0..599..5}; do echo "n1: $(at $s 0), 90 %, 600 W"; echo "$(at $s 7), 10 %, 100 W"; done; } >first/gpu.log
  $ { echo "$head"; echo "n1: $head"; for s in {0..599..5}; do echo "$(at $s 0), 10 %, 100 W"; echo "n1: $(at $s 0), 90 %, 600 W"; done; } >last/gpu.log
  $ { echo "n1: $head"; for s in {0..299..5}; do echo "n1: $(at $s 0), 90 %, 600 W"; done; for s in {300..599..5}; do echo "$(at $s 0), 90 %, 600 W"; done; } >again/gpu.log
  $ for run in first last again; do smilog summarize $run | sed -n '4,6p;$p'; done
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W    Wh
   n1    90.0  90   90   90   90     0.0         -  600.0  99.2
  pooled: 120 rows that could not be told apart: in the summary, in no GPU's line
  9m55s, 0.17 GPU-h, 99.2 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W    Wh
   n1    90.0  90   90   90   90     0.0         -  600.0  99.2
  pooled: 120 rows that could not be told apart: in the summary, in no GPU's line
  9m55s, 0.17 GPU-h, 99.2 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W    Wh
   n1    90.0  90   90   90   90     0.0         -  600.0  98.3

  9m50s, 0.16 GPU-h, 98.3 Wh, GPU 90.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  2> smilog: gpu.log: warning: no GPU key, and the times do not tell how many GPUs there are: all rows are pooled, without times; --gpu-count N says it
  2> smilog: gpu.log: warning: no GPU key, and the times do not tell how many GPUs there are: all rows are pooled, without times; --gpu-count N says it

gpus of many machines are told apart
# 150 machines of two GPUs that print in turn
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ python3 -c '
  > print(*(f"n{n}: timestamp, utilization.gpu [%]" for n in range(150)), sep="\n")
  > for s in range(0, 300, 5):
  >     for n in range(150):
  >         for gpu in range(2):
  >             print(f"n{n}: 2026/07/03 10:0{s // 60}:{s % 60:02}.{n * 5 + gpu:03}, {10 + 80 * gpu} %")' >gpu.log
  $ smilog summarize --format json gpu.log | python3 -c '
  > import collections, json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > print(collections.Counter((gpu["gpu"], gpu["samples"], gpu["metrics"]["gpu_util_pct"]["mean"]) for gpu in run["gpus"]))'
  Counter({(0, 60, 10.0): 150, (1, 60, 90.0): 150})

the first gpu of a document has no key
# It is read when no other is known yet: of the GPU that is named next. GPUs that come behind it change nothing.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ cat >gpus.json <<'EOF'
  > {"hostname": "n", "query_time": "2026-11-10T12:43:30.123456", "gpus": [{"utilization.gpu": 37, "memory.used": 1, "memory.total": 2}, {"index": 1, "utilization.gpu": 5, "memory.used": 1, "memory.total": 2}]}
  > {"hostname": "n", "query_time": "2026-11-10T12:43:35.123456", "gpus": [{"index": 0, "utilization.gpu": 50, "memory.used": 1, "memory.total": 2}, {"index": 1, "utilization.gpu": 6, "memory.used": 1, "memory.total": 2}]}
  > EOF
  $ smilog summarize -q --json gpus.json | python3 -SE "$OLDPWD/../../pick.py" gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean inputs/0/rows
  gpus/*/gpu [0, 1]
  gpus/*/samples [1, 2]
  gpus/*/metrics/gpu_util_pct/mean [50.0, 21.5]
  inputs/0/rows 3

workers below dates that have the day or the month first
# Lines wait for what tells the order of their dates, and then for what tells their GPUs: all rows are read at the end.
  $ printf 'time,worker,gpu_util_pct\n1/03/2026 11:59:59,a,5\n1/03/2026 11:59:59,b,7\n1/03/2026 12:00:09,b,9\n1/03/2026 12:00:09,a,7\n' >a.csv
  $ printf 'time;gpu_util_pct;note\n1.03.2026 11:59:59;5;x\n' >b.csv
  $ for f in a.csv b.csv; do smilog summarize -q --json --run-per file --input-format gpu-csv $f | python3 -SE ../../pick.py start inputs/0/lines inputs/0/rows gpus/*/metrics/gpu_util_pct/mean; done
  start "2026-03-01T11:59:59.000"
  inputs/0/lines 5
  inputs/0/rows 4
  gpus/*/metrics/gpu_util_pct/mean [6.0, 8.0]
  start "2026-03-01T11:59:59.000"
  inputs/0/lines 2
  inputs/0/rows 1
  gpus/*/metrics/gpu_util_pct/mean [5.0]
