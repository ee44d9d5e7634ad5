proc stat beside a gpu log
  $ cat >run/gpu.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2025/07/03 01:46:40.100, 0, 50 %
  > 2025/07/03 01:46:41.100, 0, 50 %
  > 2025/07/03 01:46:42.100, 0, 50 %
  > 2025/07/03 01:46:43.100, 0, 50 %
  > 2025/07/03 01:46:44.100, 0, 50 %
  > 2025/07/03 01:46:45.100, 0, 50 %
  > 2025/07/03 01:46:46.100, 0, 50 %
  > 2025/07/03 01:46:47.100, 0, 50 %
  > 2025/07/03 01:46:48.100, 0, 50 %
  > 2025/07/03 01:46:49.100, 0, 50 %
  > 2025/07/03 01:46:50.100, 0, 50 %
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py time_base host/metrics/cpu_usr_pct/mean gpus/0/metrics/gpu_util_pct/mean
  time_base "utc+02:00 inferred"
  host/metrics/cpu_usr_pct/mean 30.0
  gpus/0/metrics/gpu_util_pct/mean 50.0

proc stat counters step back
  $ cat >stat.txt <<'EOF'
  > 2026/07/03 10:00:00
  > cpu  100 0 0 100 50 0 0 0
  > 2026/07/03 10:00:01
  > cpu  150 0 0 150 40 0 0 0
  > 2026/07/03 10:00:02
  > cpu  150 0 0 150 40 0 0 0
  > cpu  1 2
  > hello
  > 2026/07/03 10:00:03
  > cpu  10 0 0 180 50 0 0 0
  > EOF
  $ smilog summarize -q --json stat.txt | python3 -SE ../../pick.py \
  >     host/metrics/cpu_usr_pct/min host/metrics/cpu_idle_pct/min host/metrics/cpu_pct/min host/metrics/cpu_usr_pct/max host/metrics/cpu_idle_pct/max host/metrics/cpu_pct/max inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  host/metrics/cpu_usr_pct/min 0.0
  host/metrics/cpu_idle_pct/min 50.0
  host/metrics/cpu_pct/min 0.0
  host/metrics/cpu_usr_pct/max 50.0
  host/metrics/cpu_idle_pct/max 75.0
  host/metrics/cpu_pct/max 50.0
  inputs/0/format "proc-stat"
  inputs/0/lines 10
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/messages 4
  inputs/0/rejected {"bad_number": 1, "foreign": 2}
  inputs/0/problems/*/text ["no usable number: \"cpu  150 0 0 150 40 0 0 0\"", "no row, no header, no known message: \"cpu  1 2\"", "no row, no header, no known message: \"hello\""]

proc stat four fields
  $ cat >stat.txt <<'EOF'
  > cpu  10 0 10 80
  > cpu  30 0 20 150
  > EOF
  $ smilog summarize -q --json stat.txt | python3 -SE ../../pick.py \
  >     time_base host/metrics/cpu_usr_pct/mean host/metrics/cpu_idle_pct/mean host/metrics/cpu_pct/mean host/metrics/cpus inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  time_base null
  host/metrics/cpu_usr_pct/mean 20.0
  host/metrics/cpu_idle_pct/mean 70.0
  host/metrics/cpu_pct/mean 30.0
  host/metrics/cpus absent
  inputs/0/format "proc-stat"
  inputs/0/lines 2
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/problems/*/text []

proc stat ten fields guest in user
  $ smilog summarize -q --json stat.txt | python3 -SE ../../pick.py \
  >     time_base start host/metrics/cpu_usr_pct/mean host/metrics/cpu_idle_pct/mean host/metrics/cpu_pct/mean summary/cpu_usr_mean_pct summary/cpu_idle_mean_pct inputs/0/interval_s inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  time_base "utc"
  start "2025-07-02T23:46:41.250Z"
  host/metrics/cpu_usr_pct/mean 50.0
  host/metrics/cpu_idle_pct/mean 30.0
  host/metrics/cpu_pct/mean 65.0
  summary/cpu_usr_mean_pct 50.0
  summary/cpu_idle_mean_pct 30.0
  inputs/0/interval_s null
  inputs/0/format "proc-stat"
  inputs/0/lines 20
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 18
  inputs/0/rejected {}
  inputs/0/problems/*/text []

proc stat under date
  $ smilog summarize -q --json stat.txt | python3 -SE ../../pick.py \
  >     time_base start end host/metrics/cpu_usr_pct/count host/metrics/cpu_idle_pct/count host/metrics/cpu_pct/count inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  time_base "utc"
  start "2020-06-09T09:00:02.000Z"
  end "2020-06-09T09:00:02.000Z"
  host/metrics/cpu_usr_pct/count 2
  host/metrics/cpu_idle_pct/count 2
  host/metrics/cpu_pct/count 2
  inputs/0/format "proc-stat"
  inputs/0/lines 6
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/messages 3
  inputs/0/rejected {}
  inputs/0/problems/*/text []

procs of a command
  $ smilog summarize -q --json run | python3 -SE ../../pick.py run host/metrics/tree_cpu_pct/count host/metrics/tree_cpu_pct/mean \
  >     host/metrics/tree_ram_mib/max host/metrics/tree_ram_mib/count host/metrics/tree_procs/count \
  >     host/metrics/cpu_usr_pct/mean inputs/1/format inputs/1/rows inputs/1/header inputs/1/rejected inputs/1/cells
  run "run"
  host/metrics/tree_cpu_pct/count 2
  host/metrics/tree_cpu_pct/mean 77.1
  host/metrics/tree_ram_mib/max 912.5
  host/metrics/tree_ram_mib/count 4
  host/metrics/tree_procs/count 2
  host/metrics/cpu_usr_pct/mean 12.3
  inputs/1/format "procs-csv"
  inputs/1/rows 4
  inputs/1/header 2
  inputs/1/rejected {"bad_number": 1, "bad_width": 1, "foreign": 1}
  inputs/1/cells {"missing": 2, "bad": 1, "out_of_range": 0}
  $ smilog summarize -q --json --input-format procs-csv - <run/procs.csv | python3 -SE ../../pick.py host/metrics/tree_ram_mib/mean
  host/metrics/tree_ram_mib/mean 881.375

usage log before models
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py \
  >     start end params gpus/*/uuid gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/gpu_util_peak_pct/count host/metrics/* phases/*/seconds phases/*/count inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  start "2024-10-27T03:33:20.120Z"
  end "2024-10-27T03:33:30.500Z"
  params {"num_of_gpus": 1, "num_of_cpus": 8, "interval": 5.0}
  gpus/*/uuid ["GPU-1"]
  gpus/0/metrics/gpu_util_pct/mean 50.25
  gpus/0/metrics/gpu_util_peak_pct/count 1
  host/metrics/* ["cpu_pct", "cpu_peak_pct", "ram_pct", "ram_peak_pct"]
  phases/*/seconds [5.25]
  phases/*/count [1]
  inputs/0/format "usage-log"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/problems/*/text []

usage log beside a query log
  $ cat >run/gpu.csv <<'EOF'
  > timestamp, uuid, power.draw [W], utilization.gpu [%]
  > 2025/07/03 01:46:40.000, GPU-a, 100.00 W, 50 %
  > 2025/07/03 01:46:45.000, GPU-a, 100.00 W, 51 %
  > 2025/07/03 01:46:50.000, GPU-a, 100.00 W, 52 %
  > 2025/07/03 01:46:55.000, GPU-a, 100.00 W, 53 %
  > 2025/07/03 01:47:00.000, GPU-a, 100.00 W, 54 %
  > 2025/07/03 01:47:05.000, GPU-a, 100.00 W, 55 %
  > 2025/07/03 01:47:10.000, GPU-a, 100.00 W, 56 %
  > 2025/07/03 01:47:15.000, GPU-a, 100.00 W, 57 %
  > 2025/07/03 01:47:20.000, GPU-a, 100.00 W, 58 %
  > 2025/07/03 01:47:25.000, GPU-a, 100.00 W, 59 %
  > 2025/07/03 01:47:30.000, GPU-a, 100.00 W, 60 %
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py time_base gpus/*/uuid gpus/0/samples gpus/0/metrics/power_w/mean gpus/0/metrics/gpu_util_pct/mean \
  >     phases/*/name phases/*/energy_wh phases/*/summary/gpu_util_mean_pct host/metrics/cpu_pct/mean
  time_base "utc+02:00 inferred"
  gpus/*/uuid ["GPU-a"]
  gpus/0/samples 11
  gpus/0/metrics/power_w/mean 100.0
  gpus/0/metrics/gpu_util_pct/mean 55.0
  phases/*/name ["python t.py"]
  phases/*/energy_wh [0.972222]
  phases/*/summary/gpu_util_mean_pct [55.0]
  host/metrics/cpu_pct/mean 12.43

usage log maxima are those of the log
# A record has the mean and the largest sample of its interval: the maxima of the run and of its phases are the largest
# of the latter, also in a merge.
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py summary phases/*/name phases/*/summary vram/device_peak_mb
  summary {"peak_vram_mb": 3000.0, "gpu_util_mean_pct": 36.8, "gpu_util_max_pct": 97.0, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null, "mem_util_mean_pct": 18.4, "mem_util_max_pct": 48.5}
  phases/*/name ["python a.py", "python b.py"]
  phases/*/summary [{"peak_vram_mb": 1200.0, "gpu_util_mean_pct": 60.0, "gpu_util_max_pct": 80.0, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null, "mem_util_mean_pct": 30.0, "mem_util_max_pct": 40.0}, {"peak_vram_mb": null, "gpu_util_mean_pct": null, "gpu_util_max_pct": null, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}]
  vram/device_peak_mb 3000.0
  $ smilog summarize -q --partial usage_log.txt | smilog merge -q --json - | python3 -SE ../../pick.py summary
  summary {"peak_vram_mb": 3000.0, "gpu_util_mean_pct": 36.8, "gpu_util_max_pct": 97.0, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null, "mem_util_mean_pct": 18.4, "mem_util_max_pct": 48.5}

usage log merges
  $ smilog summarize -q --partial a -o a.part && smilog summarize -q --partial b -o b.part
  $ smilog merge -q --json --run x a.part b.part >m.json; head -c 0 m.json
  $ python3 -SE ../../pick.py phases/*/count params/job_id gpus/0/samples inputs/*/rows <m.json; rm -f m.json a.part b.part
  phases/*/count [2]
  params/job_id "815"
  gpus/0/samples 6
  inputs/*/rows [6]

usage log model 1 0 data null
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py gpus/*/uuid gpus/0/samples \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/gpu_util_peak_pct/max host/metrics/cpu_pct/count host/metrics/cpu_pct/mean \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected
  gpus/*/uuid ["GPU-1"]
  gpus/0/samples 1
  gpus/0/metrics/gpu_util_pct/mean 40.0
  gpus/0/metrics/gpu_util_peak_pct/max 60.0
  host/metrics/cpu_pct/count 2
  host/metrics/cpu_pct/mean 20.0
  inputs/0/format "usage-log"
  inputs/0/lines 7
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/messages 4
  inputs/0/rejected {}

usage log model 1 0 noise and torn
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py \
  >     state problems host/metrics/cpu_pct/count params/gpu_type inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text inputs/0/problems/*/line
  state "no-data"
  problems ["no usable row in the GPU logs", "no user time of the CPUs in the logs"]
  host/metrics/cpu_pct/count 1
  params/gpu_type absent
  inputs/0/format "usage-log"
  inputs/0/lines 9
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 1
  inputs/0/rejected {"bad_time": 2, "foreign": 3, "torn_tail": 1}
  inputs/0/problems/*/text ["ram_pct: \"x\" is no number", "ram_peak_pct: \"1000000000000.0\" is out of range (0 to 105 %)", "no row, no header, no known message: \"{\"level\": \"record\", \"timestamp\": 1751500015, \"data\": {\"cpu\":...\"", "no row, no header, no known message: \"{\"level\": \"other\"}\"", "no row, no header, no known message: \"[1]\"", "no usable time: \"{\"level\": \"record\", \"data\": {}}\"", "no usable time: \"{\"level\": \"metadata\"}\"", "unfinished last line: \"{\"level\": \"record\", \"timestamp\": 1751500020, \"data\": {\"cpu\":...\""]
  inputs/0/problems/*/line [3, 3, 4, 5, 6, 7, 8, 9]

usage log model 1 5
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py \
  >     state time_base start end duration_s params summary/peak_vram_mb vram/device_peak_mb gpus/*/uuid gpus/*/samples gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/gpu_util_peak_pct/mean gpus/0/metrics/mem_util_pct/mean gpus/0/metrics/mem_util_peak_pct/mean gpus/0/metrics/fb_used_mib/mean gpus/0/metrics/fb_used_peak_mib/mean gpus/0/metrics/fb_total_mib/mean gpus/0/metrics/fb_used_pct/mean host/metrics/cpu_pct/mean host/metrics/cpu_peak_pct/mean host/metrics/ram_pct/mean host/metrics/ram_peak_pct/mean events phases/*/name phases/*/count phases/*/seconds phases/*/summary/gpu_util_mean_pct inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  state "unknown"
  time_base "utc"
  start "2025-07-02T23:46:40.000Z"
  end "2025-07-02T23:48:51.000Z"
  duration_s 131.0
  params {"workflow_id": "4711", "job_id": "815", "workflow_name": "pull", "job_name": "linux / test (default, 1, 2)", "gpu_type": "pynvml", "gpu_count": 2, "cpu_count": 16, "usage_collect_interval": 1.0}
  summary/peak_vram_mb 5000.0
  vram/device_peak_mb 5000.0
  gpus/*/uuid ["GPU-a", "GPU-b"]
  gpus/*/samples [4, 4]
  gpus/0/metrics/gpu_util_pct/mean 75.25
  gpus/0/metrics/gpu_util_peak_pct/mean 99.25
  gpus/0/metrics/mem_util_pct/mean 12.0
  gpus/0/metrics/mem_util_peak_pct/mean 30.0
  gpus/0/metrics/fb_used_mib/mean 4125.5
  gpus/0/metrics/fb_used_peak_mib/mean 4438.515625
  gpus/0/metrics/fb_total_mib/mean 81559.0
  gpus/0/metrics/fb_used_pct/mean 5.34
  host/metrics/cpu_pct/mean 12.43
  host/metrics/cpu_peak_pct/mean 31.2
  host/metrics/ram_pct/mean 7.5
  host/metrics/ram_peak_pct/mean 7.6
  events {"metadata": 1}
  phases/*/name ["python test/run_test.py --shard 1 2", "python b.py"]
  phases/*/count [2, 1]
  phases/*/seconds [65.0, 0.0]
  phases/*/summary/gpu_util_mean_pct [40.1, null]
  inputs/0/format "usage-log"
  inputs/0/lines 9
  inputs/0/header 1
  inputs/0/rows 4
  inputs/0/messages 4
  inputs/0/rejected {}
  inputs/0/problems/*/text ["no data is collected but detected errors during the interval: ['umc_activity']"]

usage log oldest times and numbered gpus
  $ cat >usage_log.txt <<'EOF'
  > {"time": "2022-10-01T10:00:00+00:00Z", "total_cpu_percent": 10.5, "per_process_cpu_info": [{"pid": 7, "cmd": "python a.py", "cpu_percent": 99.1, "rss_memory": 5}]}
  > {"time": "2022-10-01T10:00:05.250000+00:00Z", "total_cpu_percent": 20.5, "per_process_cpu_info": [{"pid": 7, "cmd": "python a.py"}], "per_process_gpu_info": [{"pid": 7, "gpu_memory": 12}]}
  > {"time": "2022-10-01T10:00:10.5Z", "error": "cannot"}
  > {"time": "2022-10-01 at noon", "total_cpu_percent": 1.0}
  > Traceback (most recent call last):
  > {"time": "2022-10-01T10:00:15Z", "total_cpu_percent": 30.0, "total_gpu_utilization": 50, "total_gpu_mem_utilization": 5}
  > {"time": "2022-10-01T10:00:20Z", "total_cpu_percent": NaN, "total_gpu_utilization_0": 70, "total_gpu_mem_utilization_0": 5, "total_gpu_utilization_1": 30, "total_gpu_mem_utilization_1": 3}
  > EOF
  $ smilog summarize -q --json usage_log.txt | python3 -SE ../../pick.py \
  >     start end params host/metrics/cpu_pct/count host/metrics/cpu_pct/max gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean phases/*/name phases/*/seconds inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  start "2022-10-01T10:00:00.000Z"
  end "2022-10-01T10:00:20.000Z"
  params {}
  host/metrics/cpu_pct/count 3
  host/metrics/cpu_pct/max 30.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [60.0, 30.0]
  gpus/*/metrics/mem_util_pct/mean [5.0, 3.0]
  phases/*/name ["python a.py"]
  phases/*/seconds [5.25]
  inputs/0/format "usage-log"
  inputs/0/lines 7
  inputs/0/header 0
  inputs/0/rows 4
  inputs/0/messages 2
  inputs/0/rejected {"bad_time": 1}
  inputs/0/problems/*/text ["cannot", "no usable time: \"{\"time\": \"2022-10-01 at noon\", \"total_cpu_percent\": 1.0}\"", "1 value NaN or Infinity read as null"]

usage log on standard input
# no row can be read before all phases are known: a log on a pipe is kept in a temporary file
  $ log=../usage_log_model_1_5/usage_log.txt
  $ tell() { python3 -SE ../../pick.py phases/*/count phases/*/seconds phases/*/samples params/job_id gpus/0/metrics/gpu_util_pct/mean inputs/0/lines; }
  $ smilog summarize -q --json - <$log | tell
  phases/*/count [2, 1]
  phases/*/seconds [65.0, 0.0]
  phases/*/samples [4, 0]
  params/job_id "815"
  gpus/0/metrics/gpu_util_pct/mean 75.25
  inputs/0/lines 9
  $ cat $log | smilog summarize -q --json - | cmp - <(smilog summarize -q --json - <$log) && echo through a pipe
  through a pipe
  $ gzip -c $log | smilog summarize -q --json - | cmp - <(smilog summarize -q --json - <$log) && echo packed
  packed
  $ cat $log | smilog summarize -q --json --input-format usage-log - | cmp - <(smilog summarize -q --json - <$log) && echo its format named
  its format named
  $ (read -r line; smilog summarize -q --json -) <<<"# first"$'\n'"$(cat $log)" | cmp - <(smilog summarize -q --json - <$log) && echo from where it is
  from where it is
  $ echo where there is no place for it:
  where there is no place for it:
  $ cat $log | TMPDIR=/nowhere smilog summarize --json - | tell
  phases/*/count [2, 1]
  phases/*/seconds [65.0, 0.0]
  phases/*/samples [4, 0]
  params/job_id "815"
  gpus/0/metrics/gpu_util_pct/mean 75.25
  inputs/0/lines 9
  2> smilog: -:7: warning: no data is collected but detected errors during the interval: ['umc_activity']
