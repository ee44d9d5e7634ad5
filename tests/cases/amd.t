amd smi json is read
  $ for log in metric.json monitor.json single.json; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/mem_util_pct/mean gpus/*/metrics/temp_junction_c/mean gpus/*/metrics/clk_gr_mhz/mean gpus/*/metrics/clk_mem_mhz/mean gpus/*/metrics/energy_j inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  > done
  metric.json:
  time_base "utc"
  start "2026-08-12T16:57:32.000Z"
  end "2026-08-12T16:57:34.000Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [87.0, 87.0]
  gpus/*/metrics/fb_used_mib/mean [121344.0, 121344.0]
  gpus/*/metrics/fb_total_mib/mean [196592.0, 196592.0]
  gpus/*/metrics/power_w/mean [542.0, 542.0]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/mem_util_pct/mean [41.0, 41.0]
  gpus/*/metrics/temp_junction_c/mean [71.0, 71.0]
  gpus/*/metrics/clk_gr_mhz/mean [132.0, 132.0]
  gpus/*/metrics/clk_mem_mhz/mean [900.0, 900.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 3, "first": 93523.219, "last": 93523.219, "increase": 0.0}, {"unit": "J", "count": 3, "first": 93523.219, "last": 93523.219, "increase": 0.0}]
  inputs/0/format "amd-smi-json"
  inputs/0/lines 432
  inputs/0/header 426
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text []
  monitor.json:
  time_base "utc"
  start "2026-08-12T16:57:32.000Z"
  end "2026-08-12T16:57:33.000Z"
  gpus/*/gpu [0]
  gpus/*/uuid [null]
  gpus/*/name [null]
  gpus/*/samples [2]
  gpus/*/metrics/gpu_util_pct/mean [13.0]
  gpus/*/metrics/fb_used_mib/mean [283.0]
  gpus/*/metrics/fb_total_mib/mean [294896.0]
  gpus/*/metrics/power_w/mean [239.0]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/mem_util_pct/mean [3.0]
  gpus/*/metrics/temp_junction_c/mean [37.5]
  gpus/*/metrics/clk_gr_mhz/mean [95.0]
  gpus/*/metrics/clk_mem_mhz/mean [absent]
  gpus/*/metrics/energy_j [absent]
  inputs/0/format "amd-smi-json"
  inputs/0/lines 2
  inputs/0/header 0
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text []
  single.json:
  time_base null
  start null
  end null
  gpus/*/gpu [0]
  gpus/*/uuid [null]
  gpus/*/name [null]
  gpus/*/samples [1]
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_total_mib/mean [absent]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/mem_util_pct/mean [absent]
  gpus/*/metrics/temp_junction_c/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  gpus/*/metrics/clk_mem_mhz/mean [absent]
  gpus/*/metrics/energy_j [absent]
  inputs/0/format "amd-smi-json"
  inputs/0/lines 6
  inputs/0/header 5
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text []
  $ echo '[{"gpu": 0, "asic": {"market_name": "N/A"}}]' >$TMPDIR/static.json
  $ smilog summarize -q $TMPDIR/static.json 2>&1 | sed "s|$TMPDIR/||"
  smilog: no usable log in static.json

fractions of a second are
  $ cat >log <<'EOF'
  > timestamp,gpu,gfx
  > 1787485761.000,0,5
  > 1787485761.000,0,5
  > 1787485762.000,0,9
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py inputs/0/rows inputs/0/duplicates gpus/0/samples duration_s
  inputs/0/rows 2
  inputs/0/duplicates 1
  gpus/0/samples 2
  duration_s 1.0

memory in gib without options
  $ smilog summarize -q --json log | python3 -SE ../../pick.py gpus/0/metrics/fb_used_mib/max gpus/0/metrics/fb_total_mib/max
  gpus/0/metrics/fb_used_mib/max 307.2
  gpus/0/metrics/fb_total_mib/max 196300.8

metric feeds before monitor
# the same GPU seen by three tools: each reading from the first of them that has it
  $ mkdir -p logs
  $ cat >logs/a_metric.csv <<'EOF'
  > timestamp,gpu,gfx_activity,hotspot
  > 1787485761,0,40,60
  > 1787485762,0,42,60
  > EOF
  $ cat >logs/b_monitor.csv <<'EOF'
  > timestamp,gpu,gfx,power_usage,vram_used
  > 1787485761,0,50,500,1000
  > 1787485762,0,52,502,1000
  > EOF
  $ cat >logs/c_rocm.csv <<'EOF'
  > device,GPU use (%),Temperature (Sensor edge) (C),Power (W)
  > 1787485761 card0,30,45.0,300.0
  > 1787485762 card0,32,47.0,302.0
  > EOF
  $ smilog summarize -q --json logs | python3 -SE ../../pick.py gpus/*/gpu gpus/0/samples gpus/0/metrics/gpu_util_pct/mean \
  >     gpus/0/metrics/power_w/mean gpus/0/metrics/fb_used_mib/mean gpus/0/metrics/temp_gpu_c/mean inputs/*/format
  gpus/*/gpu [0]
  gpus/0/samples 2
  gpus/0/metrics/gpu_util_pct/mean 41.0
  gpus/0/metrics/power_w/mean 501.0
  gpus/0/metrics/fb_used_mib/mean 1000.0
  gpus/0/metrics/temp_gpu_c/mean 46.0
  inputs/*/format ["amd-smi-metric", "amd-smi-monitor", "rocm-smi"]

monitor beside a runlog
# its times are UTC: the offset that the RunLog recorded is for local logs
  $ smilog summarize ../../../fixtures/amd/run
  run   ok   1m29s   2026-08-23 11:49:21 to 11:50:50, UTC
  2 GPUs   node7   params: lr=0.1   files: monitor.csv run.jsonl

  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W    Wh
    0    68.3   0   91   99  100    27.0     177.0  519.0  12.8
    1    62.2   0   90   99  100    33.7     177.0  485.2  12.0

  note: no CPU log

  Where 0.02 of 0.05 GPU-hours went (30.3 %)
  CAUSE  GPU-h  WHAT HAPPENED
  start   0.01  idle before the first work, 14s on average
  end     0.01  idle after the last work, 10s on average
  stall  <0.01  idle between work, longest 6.0s

  SUMMARY
  peak_vram_mb      181264.0
  gpu_util_mean_pct     64.5
  gpu_util_max_pct     100.0
  power_watts_mean     498.1
  power_watts_max      744.0
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -
  mem_util_mean_pct     25.6
  mem_util_max_pct      40.0

  quality: complete
  1m29s, 0.05 GPU-h, 24.8 Wh, GPU 65.2 %, 0.02 GPU-h wasted (30.3 %)
  $ smilog summarize -q --json ../../../fixtures/amd/run | python3 -SE ../../pick.py start time_base phases/*/name phases/*/summary/gpu_util_mean_pct \
  >     phases/*/energy_wh phases/*/idle_pct phases/*/samples
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  phases/*/name ["load", "fit"]
  phases/*/summary/gpu_util_mean_pct [0.0, 89.3]
  phases/*/energy_wh [1.096667, 22.799167]
  phases/*/idle_pct [100.0, 4.615385]
  phases/*/samples [28, 130]

pieces of rows are no rows
# two writers tore their rows: 24,46.0 is no stamp between calls, a quote no pair, and the time of 1975 no time
  $ cat >monitor.csv <<'EOF'
  > timestamp,gpu,gfx
  > 1787485761,0,30
  > 178748576,0,99
  > 1787485762,0,31
  > 1787485763,0,32
  > EOF
  $ cat >rocm.csv <<'EOF'
  > device,GPU use (%),Temperature (Sensor edge) (C)
  > 1787485761 card0,30,45.0
  > 1787485762 card0,31
  > 24,46.0
  > "
  > 1787485763 card0,32,47.0
  > EOF
  $ for f in rocm.csv monitor.csv; do
  >     smilog summarize --run-per file -q --json $f | python3 -SE ../../pick.py inputs/0/rows inputs/0/messages inputs/0/rejected
  > done
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {"bad_width": 1, "foreign": 2}
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {"bad_time": 1}

process table is passed over
  $ smilog summarize -q --json log | python3 -SE ../../pick.py inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected
  inputs/0/lines 9
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/messages 2
  inputs/0/rejected {}

processes of both versions
# columns by their names in any order; mem_usage is not read; no process on a GPU, on all; what is no number of a pid
  $ for log in old new none; do
  >     smilog summarize -q --json $log.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/header inputs/0/rows inputs/0/blank inputs/0/messages inputs/0/rejected gpus/*/gpu gpus/*/metrics/procs_fb_used_mib/max gpus/*/metrics/procs/max processes/*/gpu processes/*/pid processes/*/name processes/*/fb_used_mib/peak
  > done
  inputs/0/format "amd-smi-process"
  inputs/0/header 2
  inputs/0/rows 6
  inputs/0/blank 2
  inputs/0/messages 1
  inputs/0/rejected {}
  gpus/*/gpu [0, 1]
  gpus/*/metrics/procs_fb_used_mib/max [absent, 0.0]
  gpus/*/metrics/procs/max [2.0, 0.0]
  processes/*/gpu [0, 0]
  processes/*/pid [4711, 4712]
  processes/*/name ["python3", "a,b"]
  processes/*/fb_used_mib/peak [1024.0, null]
  inputs/0/format "amd-smi-process"
  inputs/0/header 2
  inputs/0/rows 6
  inputs/0/blank 2
  inputs/0/messages 1
  inputs/0/rejected {}
  gpus/*/gpu [0, 1]
  gpus/*/metrics/procs_fb_used_mib/max [0.0, 1536.0]
  gpus/*/metrics/procs/max [0.0, 2.0]
  processes/*/gpu [1, 1]
  processes/*/pid [4711, null]
  processes/*/name ["python3", null]
  processes/*/fb_used_mib/peak [1024.0, 512.0]
  inputs/0/format "amd-smi-process"
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/blank 1
  inputs/0/messages 1
  inputs/0/rejected {"bad_number": 1}
  gpus/*/gpu []
  gpus/*/metrics/procs_fb_used_mib/max []
  gpus/*/metrics/procs/max []
  processes/*/gpu []
  processes/*/pid []
  processes/*/name []
  processes/*/fb_used_mib/peak []

rocm blocks of a call join
  $ smilog summarize -q --json ../../../fixtures/amd/rocm_timed.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected time_base gpus/*/samples gpus/*/energy_wh \
  >     gpus/*/metrics/fb_used_mib/max inputs/0/interval_s
  inputs/0/format "rocm-smi"
  inputs/0/lines 32
  inputs/0/header 8
  inputs/0/rows 16
  inputs/0/duplicates 0
  inputs/0/blank 8
  inputs/0/messages 0
  inputs/0/rejected {}
  time_base "utc"
  gpus/*/samples [4, 4]
  gpus/*/energy_wh [0.240278, 0.226389]
  gpus/*/metrics/fb_used_mib/max [103.0, 203.0]
  inputs/0/interval_s 2.0

rocm memory that is no whole mib
  $ { echo 'timestamp,device,GPU use (%),VRAM Total Used Memory (B)'
  >     for i in 0 1 2 3; do printf '2026-07-03 10:00:0%d,card0,50,27947008\n2026-07-03 10:00:0%d,card1,50,%s\n' $i $i $((68719476736 * (i % 2) + 4096)); done; } >log
  $ smilog summarize -q --json log | python3 -SE ../../pick.py gpus/*/samples gpus/*/metrics/fb_used_mib/min gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_used_mib/max
  gpus/*/samples [4, 4]
  gpus/*/metrics/fb_used_mib/min [26.652344, 0.003906]
  gpus/*/metrics/fb_used_mib/mean [26.652344, 32768.003906]
  gpus/*/metrics/fb_used_mib/max [26.652344, 65536.003906]

rocm json
  $ smilog summarize --run-per file -q --json ../../../fixtures/amd/rocm.json | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected gpus/*/name gpus/*/metrics/power_w/count \
  >     gpus/0/metrics/clk_gr_mhz/max gpus/0/metrics/fb_used_mib/max
  inputs/0/format "rocm-smi-json"
  inputs/0/lines 12
  inputs/0/header 7
  inputs/0/rows 3
  inputs/0/duplicates 0
  inputs/0/blank 1
  inputs/0/messages 1
  inputs/0/rejected {}
  gpus/*/name ["Vega 20", "Vega 20"]
  gpus/*/metrics/power_w/count [1, 1]
  gpus/0/metrics/clk_gr_mhz/max 1600.0
  gpus/0/metrics/fb_used_mib/max 8184.0

rocm json indented
  $ cat >log.json <<'EOF'
  > {
  >   "card0": {
  >     "GPU use (%)": "35",
  >     "Average Graphics Package Power (W)": "100.0"
  >   },
  >   "card1": {
  >     "GPU use (%)": "45",
  >     "Average Graphics Package Power (W)": "N/A"
  >   }
  > }
  > EOF
  $ smilog summarize -q --json log.json | python3 -SE ../../pick.py inputs/0/format gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean \
  >     gpus/*/metrics/power_w/mean inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected
  inputs/0/format "rocm-smi-json"
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [35.0, 45.0]
  gpus/*/metrics/power_w/mean [100.0, absent]
  inputs/0/lines 10
  inputs/0/header 8
  inputs/0/rows 2
  inputs/0/rejected {}

rocm json number beyond 64 bits
  $ cat >log.json <<'EOF'
  > {"card0": {"GPU use (%)": "35", "Average Graphics Package Power (W)": "100.0", "VRAM Total Used Memory (B)": 18446744073709551616, "Unique counter": 99999999999999999999999}}
  > {"card0": {"GPU use (%)": 9223372036854775808, "Average Graphics Package Power (W)": "110.0", "VRAM Total Used Memory (B)": 1048576}}
  > {"card0": {"GPU use (%)": NaN, "Average Graphics Package Power (W)": "120.0", "VRAM Total Used Memory (B)": 2097152}, "serial": -9223372036854775809}
  > EOF
  $ smilog summarize -q --json log.json | python3 -SE ../../pick.py gpus/*/metrics/gpu_util_pct/count gpus/*/metrics/power_w/mean \
  >     gpus/*/metrics/fb_used_mib/count inputs/0/lines inputs/0/rows inputs/0/rejected inputs/0/problems
  gpus/*/metrics/gpu_util_pct/count [1]
  gpus/*/metrics/power_w/mean [110.0]
  gpus/*/metrics/fb_used_mib/count [2]
  inputs/0/lines 3
  inputs/0/rows 3
  inputs/0/rejected {}
  inputs/0/problems [{"line": 1, "text": "2 unknown columns not read: Unique counter, serial"}, {"line": 1, "text": "fb_used_mib: \"18446744073709551616\" is out of range (0 to 8388608 MiB)"}, {"line": 2, "text": "gpu_util_pct: \"9223372036854775808\" is out of range (0 to 105 %)"}]

rocm what is no time in front of a card
# A number in front of a card counts lines: no seconds. Any other text but a time makes the line a message.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ head='device,GPU use (%),Average Graphics Package Power (W)'
  $ { echo ",$head"; printf '%s,card0,1,100.0\n%s,card1,1,100.0\n' 0 1 2 3 4 5; } >index.csv
  $ { echo "$head"; printf '%s card0,1,100.0\n%s card1,1,100.0\n' 0 1 2 3 4 5; } >numbered.csv
  $ { echo "$head"; for i in 1 2 3; do printf 'card0,1,100.0\nWARNING: card1,1,100.0\nUnable to read GPU of card2,1,5\n5 errors of card3,1,5\n'; done; } >messages.csv
  $ { echo "$head"; printf '%s card0,1,100.0\n' 0 1722507051 1722507052 1722507053; } >torn.csv
  $ tell() { smilog summarize -q --json "$@" | python3 -SE "$OLDPWD/../../pick.py" duration_s time_base gpus/*/samples gpus/*/energy_wh inputs/0/rows inputs/0/messages inputs/0/rejected; }
  $ for f in *.csv; do echo $f; tell $f; done
  index.csv
  duration_s null
  time_base null
  gpus/*/samples [3, 3]
  gpus/*/energy_wh [null, null]
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/rejected {}
  messages.csv
  duration_s null
  time_base null
  gpus/*/samples [3]
  gpus/*/energy_wh [null]
  inputs/0/rows 3
  inputs/0/messages 3
  inputs/0/rejected {"foreign": 6}
  numbered.csv
  duration_s null
  time_base null
  gpus/*/samples [3, 3]
  gpus/*/energy_wh [null, null]
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/rejected {}
  torn.csv
  duration_s 2.0
  time_base "utc"
  gpus/*/samples [4]
  gpus/*/energy_wh [0.055556]
  inputs/0/rows 4
  inputs/0/messages 0
  inputs/0/rejected {}
  $ echo --interval 10; tell --interval 10 index.csv
  --interval 10
  duration_s 20.0
  time_base "counted by --interval, date not known"
  gpus/*/samples [3, 3]
  gpus/*/energy_wh [0.555556, 0.555556]
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/rejected {}

utc whatever the zone
  $ for tz in UTC +05:30 Europe/Berlin; do
  >     smilog summarize -q --json --tz $tz ../../../fixtures/amd/run | python3 -SE ../../pick.py start time_base phases/*/energy_wh
  >     smilog summarize -q --json --tz $tz - <../../../fixtures/amd/run/monitor.csv | python3 -SE ../../pick.py start time_base duration_s
  > done
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  phases/*/energy_wh [1.096667, 22.799167]
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  duration_s 89.0
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  phases/*/energy_wh [1.096667, 22.799167]
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  duration_s 89.0
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  phases/*/energy_wh [1.096667, 22.799167]
  start "2026-08-23T11:49:21.000Z"
  time_base "utc"
  duration_s 89.0

vector 15 rocm smi
# WARNING, a blank line, labels in both cases, N/A; cards of the same call that have no reading
  $ smilog summarize --run-per file -q --json ../../../fixtures/amd/rocm.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected \
  >     gpus/*/name gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/count gpus/0/metrics/fb_total_mib/max \
  >     gpus/0/metrics/fb_used_mib/min gpus/0/metrics/temp_gpu_c/max gpus/*/metrics/temp_junction_c/max \
  >     gpus/0/metrics/fb_used_pct/max duration_s problems
  inputs/0/format "rocm-smi"
  inputs/0/lines 11
  inputs/0/header 3
  inputs/0/rows 6
  inputs/0/duplicates 0
  inputs/0/blank 1
  inputs/0/messages 1
  inputs/0/rejected {}
  gpus/*/name ["Radeon RX 7900 GRE", "Radeon RX 7900 GRE"]
  gpus/*/metrics/gpu_util_pct/mean [65.0, 1.0]
  gpus/*/metrics/power_w/count [3, absent]
  gpus/0/metrics/fb_total_mib/max 16368.0
  gpus/0/metrics/fb_used_mib/min 26.652344
  gpus/0/metrics/temp_gpu_c/max 43.0
  gpus/*/metrics/temp_junction_c/max [51.0, 37.0]
  gpus/0/metrics/fb_used_pct/max 41.0
  duration_s null
  problems ["no times in the GPU logs: no duration, energy or idle time (amd-smi prints them with -w, rocm-smi never); --interval S gives them", "no CPU log"]

vector 16 amd smi watch
# banner, CRLF, the header again before every sample, quoted lists, seconds since 1970
  $ smilog summarize -q --json ../../../fixtures/amd/metric.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected start end time_base inputs/0/interval_s \
  >     gpus/*/metrics/gpu_util_pct/max gpus/*/metrics/temp_mem_c/max gpus/0/metrics/energy_j gpus/*/energy_wh problems
  inputs/0/format "amd-smi-metric"
  inputs/0/lines 24
  inputs/0/header 6
  inputs/0/rows 12
  inputs/0/duplicates 0
  inputs/0/blank 6
  inputs/0/messages 0
  inputs/0/rejected {}
  start "2026-08-23T11:49:21.000Z"
  end "2026-08-23T11:49:26.000Z"
  time_base "utc"
  inputs/0/interval_s 1.0
  gpus/*/metrics/gpu_util_pct/max [100.0, 100.0]
  gpus/*/metrics/temp_mem_c/max [55.0, 55.0]
  gpus/0/metrics/energy_j {"unit": "J", "count": 6, "first": 51934.5, "last": 55309.5, "increase": 3375.0}
  gpus/*/energy_wh [0.938889, 0.897222]
  problems ["no column of memory in use, or no reading in it", "no CPU log"]
  $ smilog summarize -q --json ../../../fixtures/amd/run/monitor.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected start end time_base gpus/*/samples gpus/*/metrics/mem_util_pct/max
  inputs/0/format "amd-smi-monitor"
  inputs/0/lines 361
  inputs/0/header 90
  inputs/0/rows 180
  inputs/0/duplicates 0
  inputs/0/blank 90
  inputs/0/messages 1
  inputs/0/rejected {}
  start "2026-08-23T11:49:21.000Z"
  end "2026-08-23T11:50:50.000Z"
  time_base "utc"
  gpus/*/samples [90, 90]
  gpus/*/metrics/mem_util_pct/max [40.0, 40.0]

vector 17 bom
  $ smilog summarize -q --json ../../../fixtures/amd/windows.csv | python3 -SE ../../pick.py inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/duplicates inputs/0/blank inputs/0/messages inputs/0/rejected gpus/*/gpu
  inputs/0/format "amd-smi-monitor"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/duplicates 0
  inputs/0/blank 0
  inputs/0/messages 0
  inputs/0/rejected {}
  gpus/*/gpu [0, 1]

vector 18 unquoted list
  $ smilog summarize -q --json ../../../fixtures/amd/windows.csv | python3 -SE ../../pick.py \
  >     inputs/0/rejected gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean gpus/*/metrics/fb_used_mib/max \
  >     gpus/*/metrics/fb_total_mib/max gpus/*/metrics/clk_gr_mhz/max gpus/0/metrics/clk_mem_mhz
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [71.0, 93.0]
  gpus/*/metrics/mem_util_pct/mean [4.0, 8.0]
  gpus/*/metrics/fb_used_mib/max [1363.0, 2011.0]
  gpus/*/metrics/fb_total_mib/max [14928.0, 14928.0]
  gpus/*/metrics/clk_gr_mhz/max [1200.0, 1310.0]
  gpus/0/metrics/clk_mem_mhz absent

whole seconds are no duplicates
  $ cat >log <<'EOF'
  > timestamp,gpu,gfx
  > 1787485761,0,5
  > 1787485761,0,5
  > 1787485761,0,7
  > 1787485762,0,9
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py inputs/0/rows inputs/0/duplicates gpus/0/samples duration_s
  inputs/0/rows 4
  inputs/0/duplicates 0
  gpus/0/samples 4
  duration_s 1.0
