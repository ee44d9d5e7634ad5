any columns in any order
  $ cat >hw_metrics.csv <<'EOF'
  > power.draw [W], temperature.gpu, memory.used [MiB], timestamp, utilization.gpu [%]
  > 100.00 W, 60, 1024 MiB, 2026/07/03 22:11:09.000, 25 %
  > 300.00 W, 61, 2048 MiB, 2026/07/03 22:11:11.000, 75 %
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/peak_vram_mb summary/gpu_util_mean_pct summary/power_watts_max gpus/0/metrics/temp_gpu_c/max \
  >     duration_s
  summary/peak_vram_mb 2048.0
  summary/gpu_util_mean_pct 50.0
  summary/power_watts_max 300.0
  gpus/0/metrics/temp_gpu_c/max 61.0
  duration_s 2.0

arabic digits is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, ٥
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

bad cell costs that cell
  $ cat >hw_metrics.csv <<'EOF'
  > 2026/07/03 22:11:09.000, 10, 1, 100, 1000, [N/A], 50, 1980, 3201
  > 2026/07/03 22:11:11.000, 90, 3, 200, 1000, 300.00, 50, 1980, 3201
  > 2026/07/03 22:11:13.000, oops, 5, 300, 1000, 400.00, 50, 1980, 3201
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/power_watts_mean summary/peak_vram_mb summary/mem_util_mean_pct \
  >     inputs/0/rows inputs/0/rejected
  summary/gpu_util_mean_pct 50.0
  summary/power_watts_mean 350.0
  summary/peak_vram_mb 300.0
  summary/mem_util_mean_pct 3.0
  inputs/0/rows 3
  inputs/0/rejected {}

bytes not utf8 cost their cell
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/count summary/gpu_util_mean_pct summary/power_watts_mean gpus/0/name \
  >     inputs/0/rows inputs/0/rejected
  gpus/0/metrics/gpu_util_pct/count 1
  summary/gpu_util_mean_pct 10.0
  summary/power_watts_mean 150.0
  gpus/0/name "Caf�"
  inputs/0/rows 2
  inputs/0/rejected {}

cpu first line counts if no header
  $ cat >cpu_metrics.csv <<'EOF'
  > 2026-07-03T22:11:09.000+00:00,10.0,80.0
  > 2026-07-03T22:11:11.000+00:00,20.0,70.0
  > EOF
  $ smilog summarize -q --json --input-format cpu-csv cpu_metrics.csv | python3 -SE ../../pick.py \
  >     summary/cpu_usr_mean_pct summary/cpu_idle_mean_pct inputs/0/header inputs/0/rows
  summary/cpu_usr_mean_pct 15.0
  summary/cpu_idle_mean_pct 75.0
  inputs/0/header 0
  inputs/0/rows 2

cpu header is skipped
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T22:11:09.000+00:00,10.0,80.0
  > 2026-07-03T22:11:11.000+00:00,20.0,70.0
  > EOF
  $ smilog summarize -q --json cpu_metrics.csv | python3 -SE ../../pick.py \
  >     summary/cpu_usr_mean_pct summary/cpu_idle_mean_pct inputs/0/header inputs/0/rows inputs/0/format
  summary/cpu_usr_mean_pct 15.0
  summary/cpu_idle_mean_pct 75.0
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/format "cpu-csv"

dmon columns by header
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/mem_util_mean_pct summary/mem_util_max_pct summary/gpu_util_mean_pct summary/peak_vram_mb \
  >     gpus/0/metrics/bar1_used_mib/max
  summary/mem_util_mean_pct 30.0
  summary/mem_util_max_pct 40.0
  summary/gpu_util_mean_pct 60.0
  summary/peak_vram_mb 1000.0
  gpus/0/metrics/bar1_used_mib/max 7.0

duplicates count once
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:01.000, 0, 10, 50.00
  > 2026/07/03 22:11:01.000, 0, 10, 51.00
  > 2026/07/03 22:11:02.000, 0, 10, 100.00
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/power_watts_max inputs/0/rows inputs/0/duplicates inputs/0/lines
  summary/power_watts_mean 75.0
  summary/power_watts_max 100.0
  inputs/0/rows 2
  inputs/0/duplicates 1
  inputs/0/lines 4

exponent is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, 1e3
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

fullwidth digits is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, ５０
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

hex is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, 0x10
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

inf is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, inf
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

keyless rows are no duplicates
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, power.draw [W]
  > 2026/07/03 22:11:01.000, 50.00
  > 2026/07/03 22:11:01.000, 51.00
  > EOF
  $ smilog summarize -q --json --gpu-count 2 hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean inputs/0/rows inputs/0/duplicates
  summary/power_watts_mean 50.5
  inputs/0/rows 2
  inputs/0/duplicates 0

lone cr ends no line
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct inputs/0/lines inputs/0/rows inputs/0/rejected
  summary/gpu_util_mean_pct 30.0
  inputs/0/lines 3
  inputs/0/rows 1
  inputs/0/rejected {"bad_width": 1}

nan is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, nan
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

no reading gives null
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 22:11:09.000, [N/A], [N/A], [Not Supported]
  > 2026/07/03 22:11:11.000, [N/A], [N/A], [Not Supported]
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary state energy_wh idle_pct inputs/0/rejected
  summary {"peak_vram_mb": null, "gpu_util_mean_pct": null, "gpu_util_max_pct": null, "power_watts_mean": null, "power_watts_max": null, "cpu_usr_mean_pct": null, "cpu_idle_mean_pct": null}
  state "no-data"
  energy_wh null
  idle_pct null
  inputs/0/rejected {"bad_number": 2}

query memory utilisation is used
  $ cat >hw_metrics.csv <<'EOF'
  > 2026/07/03 22:11:09.000, 10, 10, 100, 1000, 200.00, 50, 1980, 3201
  > 2026/07/03 22:11:11.000, 90, 20, 200, 1000, 300.00, 50, 1980, 3201
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/mem_util_mean_pct summary/mem_util_max_pct
  summary/mem_util_mean_pct 15.0
  summary/mem_util_max_pct 20.0

rows rejected by the headers width
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, 100.00
  > 2026/07/03 22:11:11.000, 0, 10
  > 2026/07/03 22:11:13.000, 0, 10, 900.00, 50, 1, 2, 3, 4
  > 2026/07/03 22:11:15.000, 0, 10, 200.00
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_max inputs/0/lines inputs/0/rows inputs/0/rejected
  summary/power_watts_max 200.0
  inputs/0/lines 5
  inputs/0/rows 2
  inputs/0/rejected {"bad_width": 2}

underscore is no number
  $ cat >hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 10, 1_0
  > 2026/07/03 22:11:11.000, 0, 30, 100.5
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean gpus/0/metrics/power_w/count summary/gpu_util_mean_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 100.5
  gpus/0/metrics/power_w/count 1
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2
  inputs/0/rejected {}

unterminated last line is no data
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_max inputs/0/lines inputs/0/rows inputs/0/rejected
  summary/power_watts_max 300.0
  inputs/0/lines 3
  inputs/0/rows 2
  inputs/0/rejected {"torn_tail": 1}

whole second rows are no duplicates
  $ cat >hw_dmon.csv <<'EOF'
  > #Time         gpu    pwr     sm
  > #HH:MM:SS     Idx      W      %
  >  10:00:01       0     50     10
  >  10:00:01       0     60     10
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean inputs/0/rows inputs/0/duplicates
  summary/power_watts_mean 55.0
  inputs/0/rows 2
  inputs/0/duplicates 0

zero optional keys are left out
  $ cat >hw_metrics.csv <<'EOF'
  > 2026/07/03 22:11:09.000, 0, 0, 100, 1000, 200.00, 50, 1980, 3201
  > 2026/07/03 22:11:11.000, 0, 0, 200, 1000, 300.00, 50, 1980, 3201
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     summary/mem_util_mean_pct summary/mem_util_max_pct summary/jax_peak_bytes_mb summary/gpu_util_mean_pct
  summary/mem_util_mean_pct absent
  summary/mem_util_max_pct absent
  summary/jax_peak_bytes_mb absent
  summary/gpu_util_mean_pct 0.0
