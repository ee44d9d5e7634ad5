a command in words
# What a tracked command used is a table of its own, and not said of the host.
  $ mkdir -p run
  $ cat >run/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-11-21T06:22:31.123+00:00,12.3,80.1
  > 2026-11-21T06:22:32.123+00:00,12.3,80.1
  > EOF
  $ cat >run/procs.csv <<'EOF'
  > timestamp,tree_cpu_pct,tree_cpu_main_pct,tree_ram_mib,tree_fb_mib,tree_threads,tree_procs
  > 2026-11-21T06:22:31.123+00:00,98.2,0.1,912.4,,12,3
  > 2026-11-21T06:22:32.123+00:00,104.2,0.1,1536.0,71680.0,31,9
  > 2026-11-21T06:22:33.123+00:00,50.0,0.0,900.5,1024.0,12,3
  > EOF
  $ smilog summarize -q -v run | sed -n '/^COMMAND USED/,/^$/p; /^host:/p; /^absent:/p'
  COMMAND USED   MEAN     MAX  MAIN MEAN  MAX  DESCENDANTS MEAN  MAX  unit
  CPU           84.1   104.2         0.1  0.1                 -    -  % of a core
  memory         1.09    1.50          -    -                 -    -  GiB
  GPU memory    35.50   70.00          -    -                 -    -  GiB
  threads       18.3    31             -    -                 -    -  -
  processes      5.0     9             -    -                 -    -  -

  host: CPU usr 12.3 (p95 12.3, max 12.3) %   CPU idle 80.1 (p95 80.1, max 80.1) %
  absent: command VRAM in 33.3 % of the rows
  $ smilog summarize -q run | sed -n '/^COMMAND USED/,/^$/p'
  COMMAND USED   MEAN     MAX  MAIN MEAN  MAX  DESCENDANTS MEAN  MAX  unit
  CPU           84.1   104.2         0.1  0.1                 -    -  % of a core
  memory         1.09    1.50          -    -                 -    -  GiB
  GPU memory    35.50   70.00          -    -                 -    -  GiB
  threads       18.3    31             -    -                 -    -  -
  processes      5.0     9             -    -                 -    -  -


codecarbon emissions
# Two runs of one and two GPUs, three rows of one run as it went on, and a machine without a GPU.
  $ for log in runs.csv flushed.csv cpu.csv; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py start end energy_wh gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/energy_wh gpus/*/metrics/power_w/mean gpus/*/metrics/gpu_util_pct/mean host/metrics/cpus/mean host/metrics/cpu_pct/mean host/metrics/ram_pct/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  > done
  runs.csv:
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T11:00:00.000"
  energy_wh 251.0
  gpus/*/uuid ["11111111-606c-4716-b5a2-4f29375a7b0e"]
  gpus/*/name ["1 x NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [2]
  gpus/*/energy_wh [251.0]
  gpus/*/metrics/power_w/mean [251.0]
  gpus/*/metrics/gpu_util_pct/mean [absent]
  host/metrics/cpus/mean 64.0
  host/metrics/cpu_pct/mean absent
  host/metrics/ram_pct/mean absent
  inputs/0/format "codecarbon"
  inputs/0/lines 2
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns 24
  inputs/0/problems/*/text ["24 unknown columns not read: project_name, experiment_id, emissions, emissions_rate, cpu_power, ram_power, cpu_energy, ram_energy, energy_consumed, country_name, country_iso_code, region, cloud_provider, cloud_region, os, python_version"]
  flushed.csv:
  start "2026-07-03T11:00:00.000"
  end "2026-07-03T11:00:45.000"
  energy_wh 1.700026
  gpus/*/uuid ["33333333-606c-4716-b5a2-4f29375a7b0e"]
  gpus/*/name ["1 x NVIDIA A40"]
  gpus/*/samples [6]
  gpus/*/energy_wh [1.700026]
  gpus/*/metrics/power_w/mean [136.0]
  gpus/*/metrics/gpu_util_pct/mean [66.0]
  host/metrics/cpus/mean 64.0
  host/metrics/cpu_pct/mean 31.5
  host/metrics/ram_pct/mean 12.25
  inputs/0/format "codecarbon"
  inputs/0/lines 4
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns 27
  inputs/0/problems/*/text ["27 unknown columns not read: project_name, experiment_id, emissions, emissions_rate, cpu_power, ram_power, cpu_energy, ram_energy, energy_consumed, water_consumed, country_name, country_iso_code, region, cloud_provider, cloud_region"]
  cpu.csv:
  start "2026-07-03T11:00:15.000"
  end "2026-07-03T12:00:15.000"
  energy_wh null
  gpus/*/uuid []
  gpus/*/name []
  gpus/*/samples []
  gpus/*/energy_wh []
  gpus/*/metrics/power_w/mean []
  gpus/*/metrics/gpu_util_pct/mean []
  host/metrics/cpus/mean 64.0
  host/metrics/cpu_pct/mean 31.5
  host/metrics/ram_pct/mean 12.25
  inputs/0/format "codecarbon"
  inputs/0/lines 4
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {"bad_width": 1}
  inputs/0/unknown_columns 27
  inputs/0/problems/*/text ["27 unknown columns not read: project_name, experiment_id, emissions, emissions_rate, cpu_power, ram_power, cpu_energy, ram_energy, energy_consumed, water_consumed, country_name, country_iso_code, region, cloud_provider, cloud_region", "another number of cells than the header: \"torn,row\""]
# Names with units are nobody's: a header without the place of the duration is none.
  $ sed 's/duration/duration[s]/' runs.csv | smilog summarize -q --input-format codecarbon - || echo "status $?"
  status 3
  2> smilog: no line of the format codecarbon (--input-format) in -

dcgmi 255 columns
# A header of 256 names is none of its own.
  $ for n in 255 256; do
  >     { echo "#Entity GPUTL $(seq -f 'X%g' 2 $n | paste -sd' ')"; echo "GPU 0 $(seq 1 $n | paste -sd' ')"; } >"${t:=$(mktemp)}"
  >     smilog summarize -q --json - <"$t" | python3 -SE ../../pick.py inputs/0/format inputs/0/rows gpus/0/metrics/gpu_util_pct/mean
  > done
  inputs/0/format "dcgmi"
  inputs/0/rows 1
  gpus/0/metrics/gpu_util_pct/mean 1.0
  2> smilog: no usable log in -
  2> no JSON
  [1]
  $ rm "$t"

dcgmi any fields
  $ smilog summarize -q --json dmon.txt | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/temp_mem_c/mean gpus/*/metrics/fb_used_mib/mean gpus/0/metrics/energy_j problems inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [50.0, 60.0]
  gpus/*/metrics/mem_util_pct/mean [10.0, 10.0]
  gpus/*/metrics/power_w/mean [59.2, 159.2]
  gpus/*/metrics/temp_gpu_c/mean [25.0, 34.0]
  gpus/*/metrics/temp_mem_c/mean [40.0, 50.0]
  gpus/*/metrics/fb_used_mib/mean [absent, 4096.0]
  gpus/0/metrics/energy_j absent
  problems ["no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]
  inputs/0/format "dcgmi"
  inputs/0/lines 14
  inputs/0/header 4
  inputs/0/rows 4
  inputs/0/messages 2
  inputs/0/rejected {"bad_number": 1, "bad_width": 1, "foreign": 1}
  inputs/0/problems/*/text ["TOTEC (energy_j) is 2.07e+11: so few digits tell no energy, it is not read", "another number of cells than the header: \"GPU 1     50     1e1    159.3  2.07e+11  34\"", "no row, no header, no known message: \"Error setting watches. Result: The requested function was no...\"", "no usable number: \"GPU 1     N/A    N/A\""]

an exporter line that lost its uuid
# It is of the GPU of its index, as in all other logs: one GPU, two rows.
  $ t=$(mktemp -d)
  $ for s in 1783072800000 1783072810000; do
  >     echo "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} 37 $s"
  >     echo "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 210 $s"
  > done >"$t/log.prom"
  $ smilog summarize -q --json "$t/log.prom" | python3 -SE ../../pick.py gpus/*/uuid gpus/*/samples gpus/*/metrics/power_w/mean inputs/0/rows
  gpus/*/uuid ["GPU-1"]
  gpus/*/samples [2]
  gpus/*/metrics/power_w/mean [210.0]
  inputs/0/rows 2

exporters of gpus
# dcgm-exporter with and without times, and below lines of date; nvidia_gpu_exporter in basic units.
  $ for log in dcgm_times.prom dcgm.prom dates.prom nvidia.prom; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/clk_sm_mhz/mean gpus/*/metrics/energy_j gpus/*/metrics/fan_pct/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  > done
  dcgm_times.prom:
  time_base "utc"
  start "2026-11-10T13:43:38.000Z"
  end "2026-11-10T13:44:23.000Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-aaaa-bbbb-cccc-dddddddddddd", "GPU-00000001-aaaa-bbbb-cccc-dddddddddddd"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [40.0, 40.0]
  gpus/*/metrics/fb_used_mib/mean [10240.0, 10240.0]
  gpus/*/metrics/fb_total_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [98.625, 108.625]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/clk_sm_mhz/mean [1410.0, 1409.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 4, "first": 1000000.0, "last": 1000300.0, "increase": 300.0}, {"unit": "J", "count": 4, "first": 1000000.0, "last": 1000300.0, "increase": 300.0}]
  gpus/*/metrics/fan_pct/mean [absent, absent]
  inputs/0/format "gpu-exporter"
  inputs/0/lines 112
  inputs/0/header 96
  inputs/0/rows 8
  inputs/0/messages 8
  inputs/0/rejected {}
  inputs/0/problems/*/text ["1 unknown column not read: DCGM_FI_DEV_XID_ERRORS"]
  dcgm.prom:
  time_base null
  start null
  end null
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-aaaa-bbbb-cccc-dddddddddddd", "GPU-00000001-aaaa-bbbb-cccc-dddddddddddd"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [5, 4]
  gpus/*/metrics/gpu_util_pct/mean [39.4, 40.0]
  gpus/*/metrics/fb_used_mib/mean [10240.0, 10240.0]
  gpus/*/metrics/fb_total_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [98.625, 108.625]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/clk_sm_mhz/mean [1410.0, 1409.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 4, "first": 1000000.0, "last": 1000300.0, "increase": 300.0}, {"unit": "J", "count": 4, "first": 1000000.0, "last": 1000300.0, "increase": 300.0}]
  gpus/*/metrics/fan_pct/mean [absent, absent]
  inputs/0/format "gpu-exporter"
  inputs/0/lines 119
  inputs/0/header 97
  inputs/0/rows 9
  inputs/0/messages 10
  inputs/0/rejected {"bad_number": 1, "foreign": 2}
  inputs/0/problems/*/text ["1 unknown column not read: DCGM_FI_DEV_XID_ERRORS", "no row, no header, no known message: \"curl: (7) Failed to connect to localhost port 9400\"", "temp_gpu_c: \"warm\" is no number", "no row, no header, no known message: \"DCGM_FI_DEV_GPU_TEMP{gpu=\"0\" 44\""]
  dates.prom:
  time_base "utc"
  start "2026-11-10T12:43:10.000Z"
  end "2026-11-10T12:43:30.000Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-aaaa-bbbb-cccc-dddddddddddd", "GPU-00000001-aaaa-bbbb-cccc-dddddddddddd"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [37.0, 37.0]
  gpus/*/metrics/fb_used_mib/mean [10240.0, 10240.0]
  gpus/*/metrics/fb_total_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [97.125, 107.125]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/clk_sm_mhz/mean [1410.0, 1409.0]
  gpus/*/metrics/energy_j [{"unit": "J", "count": 4, "first": 1000000.0, "last": 1000000.0, "increase": 0.0}, {"unit": "J", "count": 4, "first": 1000000.0, "last": 1000000.0, "increase": 0.0}]
  gpus/*/metrics/fan_pct/mean [absent, absent]
  inputs/0/format "gpu-exporter"
  inputs/0/lines 115
  inputs/0/header 96
  inputs/0/rows 8
  inputs/0/messages 11
  inputs/0/rejected {}
  inputs/0/problems/*/text ["1 unknown column not read: DCGM_FI_DEV_XID_ERRORS"]
  nvidia.prom:
  time_base null
  start null
  end null
  gpus/*/gpu [0]
  gpus/*/uuid ["df6e7a7c-7314-46f8-abc4-b88b36dcf3aa"]
  gpus/*/name ["NVIDIA GeForce RTX 2080 SUPER"]
  gpus/*/samples [3]
  gpus/*/metrics/gpu_util_pct/mean [38.0]
  gpus/*/metrics/fb_used_mib/mean [674.0]
  gpus/*/metrics/fb_total_mib/mean [8192.0]
  gpus/*/metrics/power_w/mean [29.07]
  gpus/*/metrics/temp_gpu_c/mean [34.0]
  gpus/*/metrics/clk_sm_mhz/mean [absent]
  gpus/*/metrics/energy_j [absent]
  gpus/*/metrics/fan_pct/mean [38.0]
  inputs/0/format "gpu-exporter"
  inputs/0/lines 82
  inputs/0/header 72
  inputs/0/rows 3
  inputs/0/messages 6
  inputs/0/rejected {"torn_tail": 1}
  inputs/0/problems/*/text ["unfinished last line: \"nvidia_smi_power_draw_watts{uuid=\"df6e7a7c\""]

gpu csv columns of the machine
  $ cat >log.csv <<'EOF'
  > timestamp,cpu_percent,gpu_util,vram_mb,memory_total_mb,temp_c
  > 1751500000.5,10,90,4000,64000,40
  > 1751500001.5,10,92,4100,64000,41
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/fb_used_mib/mean gpus/0/metrics/fb_total_mib gpus/0/metrics/temp_gpu_c inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/mean 91.0
  gpus/0/metrics/fb_used_mib/mean 4050.0
  gpus/0/metrics/fb_total_mib absent
  gpus/0/metrics/temp_gpu_c absent
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text ["1 unknown column not read: cpu_percent", "column 5 (memory_total_mb): the GPU's, or the machine's? not read", "column 6 (temp_c): the GPU's, or the machine's? not read"]

gpu csv date and time
  $ cat >log.csv <<'EOF'
  > Date,Time,GPU Util [%],VRAM Used [MB]
  > 2025-07-02,23:46:46,10,100
  > 2025-07-03,00:00:01.250,10,100
  > 03-07-2025,00:00:02,10,100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     time_base start end inputs/0/rejected
  time_base "local, zone not known"
  start "2025-07-02T23:46:46.000"
  end "2025-07-03T00:00:02.000"
  inputs/0/rejected {}

gpu csv header again
  $ cat >log.csv <<'EOF'
  > timestamp,gpu_util(%),power(W)
  > 1751500000,10,100
  > nohup: ignoring input
  >
  > timestamp,gpu_util(%),power(W)
  > 1751500001,10,200
  > # restarted
  > timestamp,power(W),gpu_util(%)
  > 1751500002,300,10
  > 1751500003,400
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text gpus/*/gpu gpus/0/metrics/power_w/mean
  inputs/0/header 3
  inputs/0/rows 3
  inputs/0/rejected {"bad_width": 1}
  inputs/0/problems/*/text ["another number of cells than the header: \"1751500003,400\""]
  gpus/*/gpu [0]
  gpus/0/metrics/power_w/mean 200.0

gpu csv in pieces
  $ awk 'BEGIN{print "timestamp,gpu_util(%),power(W)"; for(i=0;i<400000;i++) printf "%d.%03d,%d,%d.5\n", 1751500000+i, i%1000, i%101, i%300}' >all.csv
  $ (head -n 200001 all.csv; awk 'BEGIN{for(i=0;i<200000;i++) printf "2025-07-03 10:00:%02d,%d,7\n", i%60, i%101}') >mixed.csv
  $ for f in all mixed; do for j in 1 4; do smilog summarize -q -j $j --json $f.csv >$f.$j; done; cmp $f.1 $f.4 && echo same; done
  same
  same
  $ python3 -SE ../../pick.py inputs/0/rows inputs/0/rejected summary/power_watts_mean <mixed.1
  inputs/0/rows 200000
  inputs/0/rejected {"bad_time": 200000}
  summary/power_watts_mean 149.9
  $ rm -f all.csv mixed.csv all.? mixed.?

gpu csv missing cells
  $ cat >log.csv <<'EOF'
  > timestamp,gpu_util(%),memory_used(MB),power(W)
  > 1751500000,nan,[N/A],100
  > 1751500001,10,None,
  > 1751500002,x,1e3,300
  > 1751500003,50 W,5,400
  > 1751500004,,,
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/count gpus/0/metrics/fb_used_mib/count gpus/0/metrics/power_w/count inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/count 1
  gpus/0/metrics/fb_used_mib/count 1
  gpus/0/metrics/power_w/count 3
  inputs/0/header 1
  inputs/0/rows 4
  inputs/0/rejected {"bad_number": 1}
  inputs/0/problems/*/text ["gpu_util_pct: \"x\" is no number", "fb_used_mib: \"1e3\" is no number", "gpu_util_pct: \"50 W\" is no number", "no usable number: \"1751500004,,,\""]

gpu csv names from the command line
  $ cat >log.csv <<'EOF'
  > 1785951483,0, 72.60, 73543, 81920
  > 1785951488,0, 72.97, 73543, 81920
  > EOF
  $ smilog summarize -q --json --input-format=gpu-csv --input-columns=timestamp,gpu_index,power_W,memory_used_MiB,memory_total_MiB log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/0/metrics/power_w/mean gpus/0/metrics/fb_total_mib/max inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  gpus/*/gpu [0]
  gpus/0/metrics/power_w/mean 72.785
  gpus/0/metrics/fb_total_mib/max 81920.0
  inputs/0/header 0
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text []

gpu csv one metric over nvidia stamps
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_util%
  > 2024/05/01 10:00:00.100, "NVIDIA A100, 80GB", 10
  > 2024/05/01 10:00:01.100, "NVIDIA A100, 80GB", 20 %
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format time_base start gpus/*/gpu gpus/0/metrics/gpu_util_pct/mean inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  inputs/0/format "gpu-csv"
  time_base "local, zone not known"
  start "2024-05-01T10:00:00.100"
  gpus/*/gpu [0]
  gpus/0/metrics/gpu_util_pct/mean 15.0
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text []

gpu csv power alone is unknown
  $ cat >date.csv <<'EOF'
  > Date,Time,Temperature,Power Used,Fan,Utilization,Memory Used
  > 04-03-2021,13:32:39,58,1,0,0,0
  > EOF
  $ cat >power.csv <<'EOF'
  > timestamp,power_draw_W
  > 2025-10-13T14:56:26.862554+00:00,5.20
  > EOF
  $ cat >result.csv <<'EOF'
  > gpu,batch_size,gpu_memory_gb,gpu_util_pct,tokens_per_s
  > 0,32,12.5,97,1200
  > EOF
  $ cat >sensor.csv <<'EOF'
  > timestamp,temperature_C,power_W
  > 2025-10-13T14:56:26,40,5.20
  > EOF
  $ for f in power.csv sensor.csv result.csv date.csv; do smilog summarize -q $f; echo $?; done 2>&1
  smilog: no usable log in power.csv
  3
  smilog: no usable log in sensor.csv
  3
  smilog: no usable log in result.csv
  3
  smilog: no usable log in date.csv
  3

gpu csv one metric among unknown columns
# A metric and a time are enough; what is not known is named. Beside a GPU, "Util (%)" is its use: 55 and 65, mean 60.
  $ cat >train.csv <<'EOF'
  > timestamp,epoch,step,loss,gpu_mem_gb
  > 2025-10-13T14:56:26,1,100,2.5,12.5
  > 2025-10-13T14:56:36,1,200,2.4,13.5
  > EOF
  $ cat >beside.csv <<'EOF'
  > Time,GPU ID,Util (%),Temp (C),Memory Used (MiB)
  > 2026-03-01 10:00:00,1,55,40,909
  > 2026-03-01 10:00:30,1,65,42,911
  > EOF
  $ cat >gpuz.csv <<'EOF'
  > Date        , GPU Clock [MHz] , Memory Clock [MHz] , GPU Load [%] , Memory Used [MB] , Board Power Draw [W] , GPU Chip Power Draw [W] , PerfCap Reason [] , CPU Temperature [C] , System Memory Used [MB] ,
  > 2026-03-01 10:00:00 , 2490.0 , 1250.0 , 80 , 1000 , 250.5 , 200.0 , 1 , 50 , 9000 ,
  > 2026-03-01 10:00:01 , 2490.0 , 1250.0 , 82 , 1002 , 251.5 , 200.0 , 1 , 50 , 9000 ,
  > EOF
  $ for log in train beside gpuz; do
  >     smilog summarize -q --json $log.csv | python3 -SE ../../pick.py inputs/0/problems/*/text \
  >         gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/clk_mem_mhz/mean
  > done
  inputs/0/problems/*/text ["3 unknown columns not read: epoch, step, loss"]
  gpus/*/metrics/gpu_util_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [13312.0]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/clk_mem_mhz/mean [absent]
  inputs/0/problems/*/text []
  gpus/*/metrics/gpu_util_pct/mean [60.0]
  gpus/*/metrics/fb_used_mib/mean [910.0]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/clk_mem_mhz/mean [absent]
  inputs/0/problems/*/text ["4 unknown columns not read: GPU Chip Power Draw [W], PerfCap Reason [], CPU Temperature [C], System Memory Used [MB]"]
  gpus/*/metrics/gpu_util_pct/mean [81.0]
  gpus/*/metrics/fb_used_mib/mean [1001.0]
  gpus/*/metrics/power_w/mean [251.0]
  gpus/*/metrics/clk_mem_mhz/mean [1250.0]

gpu csv numbers without a unit
# 217 and 219 can only be MiB: their mean is 218.
  $ printf 'Time,VRAM_Usage\n1772359200.5,217.0\n1772359201.5,219.0\n' >vram.csv
  $ smilog summarize -q --json vram.csv | python3 -SE ../../pick.py time_base gpus/0/metrics/fb_used_mib/mean inputs/0/problems/*/text
  time_base "utc"
  gpus/0/metrics/fb_used_mib/mean 218.0
  inputs/0/problems/*/text ["column 2 (fb_used_mib) has no unit: read as MiB; --columns-from says what else it is"]

gpu csv of spreadsheets
# Semicolons between cells and commas in numbers; clocks of twelve hours. 40.5 and 41.5: 41. Noon and one second: 2 s.
  $ cat >comma.csv <<'EOF'
  > time;gpu_util_pct;note;gpu_power_w
  > 13.03.2026 11:59:59;40,5;a,b;100,25
  > 13.03.2026 12:00:01;41,5;a,b;100,75
  > EOF
  $ cat >noon.csv <<'EOF'
  > Time,GPU Usage (%)
  > 3/13/2026 11:59:59 AM,45
  > 3/13/2026 12:00:01 PM,47
  > 3/13/2026 1:00 PM,49
  > EOF
  $ printf 'Time\tGPU Load (%%)\n3/1/2026 12:30:00 AM\t5\n3/2/2026 12:30:02 AM\t7\n' >tabs.csv
  $ for log in comma noon tabs; do
  >     smilog summarize -q --json $log.csv | python3 -SE ../../pick.py start end gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean inputs/0/problems/*/text
  > done
  start "2026-03-13T11:59:59.000"
  end "2026-03-13T12:00:01.000"
  gpus/0/metrics/gpu_util_pct/mean 41.0
  gpus/0/metrics/power_w/mean 100.5
  inputs/0/problems/*/text ["1 unknown column not read: note"]
  start "2026-03-13T11:59:59.000"
  end "2026-03-13T13:00:00.000"
  gpus/0/metrics/gpu_util_pct/mean 47.0
  gpus/0/metrics/power_w/mean absent
  inputs/0/problems/*/text []
  start "2026-03-01T00:30:00.000"
  end "2026-03-02T00:30:02.000"
  gpus/0/metrics/gpu_util_pct/mean 6.0
  gpus/0/metrics/power_w/mean absent
  inputs/0/problems/*/text []

gpu csv said to be utc
  $ cat >log.csv <<'EOF'
  > timestamp_utc,gpu_util,power_w
  > 2025-07-02 23:46:46,10,100
  > 2025-07-02 23:46:47.5,10,100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     time_base start inputs/0/rejected
  time_base "utc"
  start "2025-07-02T23:46:46.000Z"
  inputs/0/rejected {}

gpu csv times of another base
  $ cat >log.csv <<'EOF'
  > timestamp,gpu_util_pct,power_w
  > 1751500000.123456,10,100
  > 1751500001123,10,100
  > 1751500002123456,10,100
  > 1751500003123456789,10,100
  > 2025-07-02T23:46:44Z,10,100
  > 2025-07-03T05:16:45+05:30,10,100
  > 2025-07-02 23:46:46,10,100
  > 12,10,100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     time_base start end inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  time_base "utc"
  start "2025-07-02T23:46:40.123Z"
  end "2025-07-02T23:46:45.000Z"
  inputs/0/header 1
  inputs/0/rows 6
  inputs/0/rejected {"bad_time": 2}
  inputs/0/problems/*/text ["no usable time: \"2025-07-02 23:46:46,10,100\"", "no usable time: \"12,10,100\""]

gpu csv unit not told is not read
  $ cat >log.csv <<'EOF'
  > timestamp,gpu_utilization,gpu_memory_used,gpu_power,temperature
  > 2024-05-01 10:00:00,10,123456,25000,44
  > 2024-05-01 10:00:02,20,123456,25000,44
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/count gpus/0/metrics/fb_used_mib gpus/0/metrics/power_w gpus/0/metrics/temp_gpu_c/mean inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/count 2
  gpus/0/metrics/fb_used_mib absent
  gpus/0/metrics/power_w {"unit": "W", "count": 2, "mean": 25.0, "time_mean": 25.0, "min": 25.0, "max": 25.0, "stddev": 0.0, "p1": 25.0, "p5": 25.0, "p25": 25.0, "p50": 25.0, "p75": 25.0, "p95": 25.0, "p99": 25.0, "quantiles": "exact"}
  gpus/0/metrics/temp_gpu_c/mean 44.0
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text ["column 3 (fb_used_mib) has no unit and is not read", "column 4 (power_w) has no unit: read as mW; --columns-from says what else it is"]

gpu csv words and units
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format time_base start end gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/clk_sm_mhz/mean inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  inputs/0/format "gpu-csv"
  time_base "utc"
  start "2025-07-02T23:46:40.000Z"
  end "2025-07-02T23:46:40.000Z"
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 20.0]
  gpus/*/metrics/fb_used_mib/mean [2048.0, 1024.0]
  gpus/*/metrics/fb_total_mib/mean [81920.0, 81920.0]
  gpus/*/metrics/power_w/mean [250.0, 150.0]
  gpus/*/metrics/temp_gpu_c/mean [45.0, 46.0]
  gpus/*/metrics/clk_sm_mhz/mean [1410.0, 1420.0]
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text ["column 7 (mem_util): how busy the memory is, or how full? not read", "1 unknown column not read: note"]

gpu tracker 64 columns
# Columns that nobody knows do not matter, up to 64.
  $ for n in 64 65; do
  >     { echo ram_unit,gpu_ram_unit,system_gpu_count; echo megabytes,megabytes,1
  >       echo "main_ram,timestamp,gpu_hardware_utilization_percent,$(seq -f 'x%g' 4 $n | paste -sd,)"
  >       echo "1,1751500000.5,40,$(seq 4 $n | paste -sd,)"; } >"${t:=$(mktemp -d)/tracking.csv}"
  >     smilog summarize -q --json "$t" | python3 -SE ../../pick.py inputs/0/header inputs/0/rows inputs/0/rejected \
  >         gpus/*/metrics/gpu_util_pct/mean
  > done
  inputs/0/header 3
  inputs/0/rows 1
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [40.0]
  inputs/0/header 2
  inputs/0/rows 0
  inputs/0/rejected {"foreign": 2}
  gpus/*/metrics/gpu_util_pct/mean []
  $ rm -r "${t%/*}"

gpu tracker blocks of code are not read
  $ cat >run/hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2025/05/01 20:03:00.000, 0, 0 %, 100.00 W
  > 2025/05/01 20:03:01.000, 0, 10 %, 100.00 W
  > 2025/05/01 20:03:02.000, 0, 20 %, 100.00 W
  > 2025/05/01 20:03:03.000, 0, 30 %, 100.00 W
  > 2025/05/01 20:03:04.000, 0, 40 %, 100.00 W
  > 2025/05/01 20:03:05.000, 0, 50 %, 100.00 W
  > 2025/05/01 20:03:06.000, 0, 60 %, 100.00 W
  > 2025/05/01 20:03:07.000, 0, 70 %, 100.00 W
  > EOF
  $ cd run
  $ smilog summarize -q --json --tz UTC . | python3 ../../../pick.py state phases/*/name inputs/*/format inputs/*/rows
  state "unknown"
  phases/*/name []
  inputs/*/format ["nvidia-smi-query"]
  inputs/*/rows [8]
  $ smilog summarize 4711.csv 2>&1
  smilog: 4711.csv: warning: cannot be used: blocks of code of gpu_tracker: gpu-tracker sub-track reads them
  smilog: no usable log in 4711.csv
  [3]

gpu tracker broken rows
  $ smilog summarize -q --json tracking.csv | python3 -SE ../../pick.py \
  >     segments gpus/0/samples gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/fb_used_mib/mean host/metrics/cpu_pct/mean host/metrics/tree_ram_main_mib/count host/metrics/tree_ram_main_mib/max \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  segments 1
  gpus/0/samples 3
  gpus/0/metrics/gpu_util_pct/mean 30.0
  gpus/0/metrics/fb_used_mib/mean 700.0
  host/metrics/cpu_pct/mean 7.0
  host/metrics/tree_ram_main_mib/count 2
  host/metrics/tree_ram_main_mib/max 1.0
  inputs/0/format "gpu-tracker"
  inputs/0/lines 13
  inputs/0/header 6
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {"bad_number": 1, "bad_time": 1, "bad_width": 1, "foreign": 1}
  inputs/0/problems/*/text ["no usable time: \"1048.576,0.0,1048.576,5242880,250000,0,250000,500000,10.0,10...\"", "another number of cells than the header: \"1048.576,0.0,1048.576\"", "no usable number: \"nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,...\"", "no row, no header, no known message: \"Traceback (most recent call last):\"", "tree_ram_main_mib: \"1_0\" is no number"]

gpu tracker one gpu
  $ smilog summarize -q --json tracking.csv | python3 -SE ../../pick.py \
  >     time_base start duration_s gpus/*/gpu gpus/0/samples gpus/0/energy_wh \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/fb_used_mib/max gpus/0/metrics/fb_total_mib/max \
  >     host/metrics/cpu_pct/mean host/metrics/ram_used_mib/mean host/metrics/tree_ram_mib/mean host/metrics/tree_ram_main_mib/max \
  >     host/metrics/tree_ram_children_mib/max host/metrics/tree_fb_mib/max host/metrics/tree_cpu_pct/mean \
  >     host/metrics/tree_cpu_main_pct/max host/metrics/tree_threads/min host/metrics/tree_threads_children/max \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  time_base "utc"
  start "2025-05-01T20:03:00.250Z"
  duration_s 1.501
  gpus/*/gpu [0]
  gpus/0/samples 2
  gpus/0/energy_wh null
  gpus/0/metrics/gpu_util_pct/mean 20.0
  gpus/0/metrics/fb_used_mib/max 1000.0
  gpus/0/metrics/fb_total_mib/max 16376.0
  host/metrics/cpu_pct/mean 10.0
  host/metrics/ram_used_mib/mean 6250.0
  host/metrics/tree_ram_mib/mean 1750.0
  host/metrics/tree_ram_main_mib/max 2000.0
  host/metrics/tree_ram_children_mib/max 500.0
  host/metrics/tree_fb_mib/max 750.0
  host/metrics/tree_cpu_pct/mean 110.0
  host/metrics/tree_cpu_main_pct/max 100.0
  host/metrics/tree_threads/min 15.0
  host/metrics/tree_threads_children/max 3.0
  inputs/0/format "gpu-tracker"
  inputs/0/lines 5
  inputs/0/header 3
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/problems/*/text []

gpu tracker several gpus are one sum
  $ smilog summarize -q --json tracking.csv | python3 -SE ../../pick.py \
  >     gpus host/metrics/tree_ram_mib/mean host/metrics/tree_fb_mib/mean host/metrics/ram_used_mib/mean \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  gpus []
  host/metrics/tree_ram_mib/mean 1000.0
  host/metrics/tree_fb_mib/mean 250.0
  host/metrics/ram_used_mib/mean 5000.0
  inputs/0/format "gpu-tracker"
  inputs/0/lines 4
  inputs/0/header 3
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/problems/*/text ["gpu_tracker adds up all GPUs of a machine: with several, none of them is known"]

gpu tracker terabytes
  $ smilog summarize -q --json tracking.csv | python3 -SE ../../pick.py host/metrics/tree_ram_main_mib/max host/metrics/tree_ram_children_mib/max \
  >     host/metrics/tree_ram_mib/max host/metrics/ram_used_mib/max host/metrics/tree_fb_main_mib/max host/metrics/tree_fb_children_mib \
  >     host/metrics/tree_cpu_main_pct/max host/metrics/tree_fb_mib/max gpus/0/metrics/fb_used_mib/max gpus/0/metrics/gpu_util_pct/max \
  >     inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  host/metrics/tree_ram_main_mib/max 82.886719
  host/metrics/tree_ram_children_mib/max 0.003906
  host/metrics/tree_ram_mib/max 82.890625
  host/metrics/ram_used_mib/max 47683.71582
  host/metrics/tree_fb_main_mib/max 3.14
  host/metrics/tree_fb_children_mib {"unit": "MiB", "count": 1, "mean": 0.0, "time_mean": null, "min": 0.0, "max": 0.0, "stddev": 0.0, "p1": 0.0, "p5": 0.0, "p25": 0.0, "p50": 0.0, "p75": 0.0, "p95": 0.0, "p99": 0.0, "quantiles": "exact"}
  host/metrics/tree_cpu_main_pct/max 0.0
  host/metrics/tree_fb_mib/max 3.14
  gpus/0/metrics/fb_used_mib/max 535.0
  gpus/0/metrics/gpu_util_pct/max 100.0
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text ["tree_ram_children_mib: \"1e-05x\" is no number", "tree_ram_mib: \"1e\" is no number", "tree_fb_main_mib: \"3.14e\" is no number", "tree_cpu_main_pct: \"1e400\" is out of range (0 to 409600 %)"]

gpustat forms
# Colours; the oldest form; Windows; no line of time, which a loop may print itself; a time in another language.
  $ cat >dates.txt <<'EOF'
  > Tue Nov 10 12:00:00 UTC 2026
  > [0] NVIDIA A40 | 50°C,  50 % |   900 / 46068 MB |
  > Tue Nov 10 12:00:05 UTC 2026
  > [0] NVIDIA A40 | 50°C,  52 % |   900 / 46068 MB |
  > EOF
  $ cat >no_header.txt <<'EOF'
  > [0] NVIDIA A40 | 50°C,  50 % |   900 / 46068 MB |
  > [1] NVIDIA A40 | 51°C,   0 % |     3 / 46068 MB |
  > [0] NVIDIA A40 | 50°C,  52 % |   900 / 46068 MB |
  > [1] NVIDIA A40 | 51°C,   0 % |     3 / 46068 MB |
  > EOF
  $ cat >old.txt <<'EOF'
  > desktop  Thu Nov 10 08:00:00 2016
  > [0] GeForce GTX TITAN X | 77'C,  96 % | 11848 / 12287 MB | python/52046(11821M)
  > desktop  Thu Nov 10 08:00:10 2016
  > [0] GeForce GTX TITAN X | 78'C,  97 % | 11848 / 12287 MB | python/52046(11821M)
  > EOF
  $ cat >other_language.txt <<'EOF'
  > node7                          2026년 11월 10일 (화) 오후 12시 43분 38초  535.104.05
  > [0] NVIDIA A40 | 50°C,  50 % |   900 / 46068 MB |
  > EOF
  $ cat >windows.txt <<'EOF'
  > DESKTOP-1       2026-11-10 12:43:38  546.17
  > [0] NVIDIA GeForce RTX 3060 | 50°C,   0 % |   900 / 12288 MB | (Not Supported)
  > EOF
  $ for log in coloured.txt old.txt windows.txt no_header.txt dates.txt other_language.txt; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py start end gpus/*/gpu gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fan_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/power_w/mean inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected
  > done
  coloured.txt:
  start "2026-11-10T12:43:38.000"
  end "2026-11-10T12:43:38.000"
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [1]
  gpus/*/metrics/gpu_util_pct/mean [37.0]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [1024.0]
  gpus/*/metrics/power_w/mean [97.0]
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  old.txt:
  start "2016-11-10T08:00:00.000"
  end "2016-11-10T08:00:10.000"
  gpus/*/gpu [0]
  gpus/*/name ["GeForce GTX TITAN X"]
  gpus/*/samples [2]
  gpus/*/metrics/gpu_util_pct/mean [96.5]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [11848.0]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {}
  windows.txt:
  start "2026-11-10T12:43:38.000"
  end "2026-11-10T12:43:38.000"
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA GeForce RTX 3060"]
  gpus/*/samples [1]
  gpus/*/metrics/gpu_util_pct/mean [0.0]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [900.0]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {}
  no_header.txt:
  start null
  end null
  gpus/*/gpu [0, 1]
  gpus/*/name ["NVIDIA A40", "NVIDIA A40"]
  gpus/*/samples [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [51.0, 0.0]
  gpus/*/metrics/fan_pct/mean [absent, absent]
  gpus/*/metrics/fb_used_mib/mean [900.0, 3.0]
  gpus/*/metrics/power_w/mean [absent, absent]
  inputs/0/header 0
  inputs/0/rows 4
  inputs/0/messages 0
  inputs/0/rejected {}
  dates.txt:
  start "2026-11-10T12:00:00.000Z"
  end "2026-11-10T12:00:05.000Z"
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA A40"]
  gpus/*/samples [2]
  gpus/*/metrics/gpu_util_pct/mean [51.0]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [900.0]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/header 0
  inputs/0/rows 2
  inputs/0/messages 2
  inputs/0/rejected {}
  other_language.txt:
  start null
  end null
  gpus/*/gpu [0]
  gpus/*/name ["NVIDIA A40"]
  gpus/*/samples [1]
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [900.0]
  gpus/*/metrics/power_w/mean [absent]
  inputs/0/header 0
  inputs/0/rows 1
  inputs/0/messages 0
  inputs/0/rejected {"foreign": 1}

gpustat in a loop
  $ smilog summarize -q --json gpustat.txt | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/fan_pct/mean gpus/*/metrics/enc_util_pct/mean gpus/*/metrics/power_limit_enforced_w/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  time_base "local, zone not known"
  start "2026-11-16T09:00:01.000"
  end "2026-11-16T09:00:46.000"
  gpus/*/gpu [0, 1]
  gpus/*/uuid [null, null]
  gpus/*/name ["NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [63.0, 0.0]
  gpus/*/metrics/fb_used_mib/mean [12612.0, 12.0]
  gpus/*/metrics/fb_total_mib/mean [24564.0, 24564.0]
  gpus/*/metrics/power_w/mean [274.0, absent]
  gpus/*/metrics/temp_gpu_c/mean [61.75, 41.0]
  gpus/*/metrics/fan_pct/mean [30.0, 37.0]
  gpus/*/metrics/enc_util_pct/mean [0.0, 1.0]
  gpus/*/metrics/power_limit_enforced_w/mean [450.0, absent]
  inputs/0/format "gpustat"
  inputs/0/lines 19
  inputs/0/header 4
  inputs/0/rows 8
  inputs/0/messages 6
  inputs/0/rejected {"foreign": 1}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text ["no row, no header, no known message: \"Error on querying NVIDIA devices. Use --debug flag for detai...\""]

gpustat json on lines and on many
# Documents tell the same however they are printed; only their lines are others.
  $ for log in many.json lines.json list.json; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/fan_pct/count gpus/*/metrics/power_limit_enforced_w/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected
  > done
  many.json:
  start "2026-11-10T12:43:30.123"
  end "2026-11-10T12:43:45.123"
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-0000-4000-8000-000000000000", "GPU-00000000-0000-4000-8000-000000000001"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [38.5, 0.0]
  gpus/*/metrics/fb_used_mib/mean [1025.5, 1025.5]
  gpus/*/metrics/fb_total_mib/mean [40536.0, 40536.0]
  gpus/*/metrics/power_w/mean [98.5, 98.5]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/power_limit_enforced_w/mean [400.0, 400.0]
  inputs/0/format "gpustat-json"
  inputs/0/lines 200
  inputs/0/header 192
  inputs/0/rows 8
  inputs/0/messages 0
  inputs/0/rejected {}
  lines.json:
  start "2026-11-10T12:43:30.123"
  end "2026-11-10T12:43:45.123"
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-0000-4000-8000-000000000000", "GPU-00000000-0000-4000-8000-000000000001"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [38.5, 0.0]
  gpus/*/metrics/fb_used_mib/mean [1025.5, 1025.5]
  gpus/*/metrics/fb_total_mib/mean [40536.0, 40536.0]
  gpus/*/metrics/power_w/mean [98.5, 98.5]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/power_limit_enforced_w/mean [400.0, 400.0]
  inputs/0/format "gpustat-json"
  inputs/0/lines 10
  inputs/0/header 0
  inputs/0/rows 8
  inputs/0/messages 0
  inputs/0/rejected {"foreign": 1, "torn_tail": 1}
  list.json:
  start "2026-11-10T12:43:30.123"
  end "2026-11-10T12:43:45.123"
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-00000000-0000-4000-8000-000000000000", "GPU-00000000-0000-4000-8000-000000000001"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  gpus/*/samples [4, 4]
  gpus/*/metrics/gpu_util_pct/mean [38.5, 0.0]
  gpus/*/metrics/fb_used_mib/mean [1025.5, 1025.5]
  gpus/*/metrics/fb_total_mib/mean [40536.0, 40536.0]
  gpus/*/metrics/power_w/mean [98.5, 98.5]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 42.0]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/power_limit_enforced_w/mean [400.0, 400.0]
  inputs/0/format "gpustat-json"
  inputs/0/lines 202
  inputs/0/header 194
  inputs/0/rows 8
  inputs/0/messages 0
  inputs/0/rejected {}

jtop csv
  $ smilog summarize -q --json jtop.csv | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/temp_junction_c/max gpus/*/metrics/module_power_inst_w/mean gpus/*/metrics/fan_pct/mean host/metrics/cpu_pct/mean host/metrics/cpus/mean host/metrics/ram_pct/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  time_base "local, zone not known"
  start "2026-11-10T12:43:38.123"
  end "2026-11-10T12:43:42.163"
  gpus/*/gpu [0]
  gpus/*/uuid [null]
  gpus/*/name [null]
  gpus/*/samples [4]
  gpus/*/metrics/gpu_util_pct/mean [36.875]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_total_mib/mean [absent]
  gpus/*/metrics/power_w/mean [2.827]
  gpus/*/metrics/temp_gpu_c/mean [47.375]
  gpus/*/metrics/temp_junction_c/max [49.0]
  gpus/*/metrics/module_power_inst_w/mean [6.842]
  gpus/*/metrics/fan_pct/mean [30.0]
  host/metrics/cpu_pct/mean 20.25
  host/metrics/cpus/mean 2.0
  host/metrics/ram_pct/mean 31.25
  inputs/0/format "jtop-csv"
  inputs/0/lines 7
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/messages 0
  inputs/0/rejected {"bad_width": 1}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text ["power of the GPU is that of the rail VDD_GPU_SOC, which feeds more than the GPU", "another number of cells than the header: \"2026-11-10 12:43:41.153456,\"1 day, 2:03:07.550000\",OFF,MAXN,...\""]

nvitop csv of two gpus
  $ for log in results.csv means.csv; do
  >     echo "$log:"
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/fan_pct/count gpus/*/metrics/fb_used_pct/mean host/metrics/cpu_pct/mean host/metrics/ram_pct/mean host/metrics/ram_used_mib/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  > done
  results.csv:
  time_base "utc"
  start "2026-11-10T13:43:38.123Z"
  end "2026-11-10T13:43:46.123Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [5, 5]
  gpus/*/metrics/gpu_util_pct/mean [45.967589, 39.830337]
  gpus/*/metrics/fb_used_mib/mean [19573.210514, 24529.326981]
  gpus/*/metrics/fb_total_mib/mean [27405.573023, 23151.192035]
  gpus/*/metrics/power_w/mean [138.716498, 211.547467]
  gpus/*/metrics/temp_gpu_c/mean [47.615062, 35.183291]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/fb_used_pct/mean [41.841833, 36.241689]
  host/metrics/cpu_pct/mean 34.836641
  host/metrics/ram_pct/mean 41.772179
  host/metrics/ram_used_mib/mean 74902.479872
  inputs/0/format "nvitop-csv"
  inputs/0/lines 6
  inputs/0/header 1
  inputs/0/rows 5
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text []
  means.csv:
  time_base "utc"
  start "2026-11-10T13:43:38.123Z"
  end "2026-11-10T13:43:46.123Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid [null, null]
  gpus/*/name [null, null]
  gpus/*/samples [5, 5]
  gpus/*/metrics/gpu_util_pct/mean [45.56379, 45.527515]
  gpus/*/metrics/fb_used_mib/mean [19965.257301, 21353.078855]
  gpus/*/metrics/fb_total_mib/mean [19584.029444, 29999.83812]
  gpus/*/metrics/power_w/mean [0.000095, 0.000095]
  gpus/*/metrics/temp_gpu_c/mean [38.001909, 40.561849]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/fb_used_pct/mean [50.366766, 34.088682]
  host/metrics/cpu_pct/mean 41.410789
  host/metrics/ram_pct/mean 31.720151
  host/metrics/ram_used_mib/mean 74757.096653
  inputs/0/format "nvitop-csv"
  inputs/0/lines 6
  inputs/0/header 1
  inputs/0/rows 5
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text ["no last readings: those are means since the collector was started"]

nvtop json in a loop
  $ smilog summarize -q --json nvtop.json | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/clk_gr_mhz/mean gpus/*/metrics/fan_pct/mean gpus/*/metrics/enc_util_pct/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  time_base "utc"
  start "2026-11-10T12:43:10.000Z"
  end "2026-11-10T12:43:20.000Z"
  gpus/*/gpu [0, 1]
  gpus/*/uuid [null, null]
  gpus/*/name ["NVIDIA A100", "AMD Radeon RX 7900"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/mean [37.0, 0.0]
  gpus/*/metrics/fb_used_mib/mean [1024.0, 26.566406]
  gpus/*/metrics/fb_total_mib/mean [40536.1875, 20464.0]
  gpus/*/metrics/power_w/mean [97.5, 20.0]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 38.0]
  gpus/*/metrics/clk_gr_mhz/mean [1410.0, absent]
  gpus/*/metrics/fan_pct/mean [30.0, absent]
  gpus/*/metrics/enc_util_pct/mean [0.0, absent]
  inputs/0/format "nvtop-json"
  inputs/0/lines 99
  inputs/0/header 90
  inputs/0/rows 6
  inputs/0/messages 3
  inputs/0/rejected {}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text []

tegrastats with times
  $ smilog summarize -q --json tegrastats.log | python3 -SE ../../pick.py time_base start end gpus/*/gpu gpus/*/uuid gpus/*/name gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_total_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/temp_junction_c/max gpus/*/metrics/module_power_inst_w/mean gpus/*/metrics/clk_gr_mhz/mean gpus/*/metrics/clk_mem_mhz/mean host/metrics/cpu_pct/mean host/metrics/cpus/mean host/metrics/ram_used_mib/mean host/metrics/ram_pct/mean host/metrics/swap_used_mib/mean inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/unknown_columns inputs/0/problems/*/text
  time_base "local, zone not known"
  start "2025-12-31T23:59:50.000"
  end "2026-01-01T00:00:01.000"
  gpus/*/gpu [0]
  gpus/*/uuid [null]
  gpus/*/name [null]
  gpus/*/samples [12]
  gpus/*/metrics/gpu_util_pct/mean [56.416667]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_total_mib/mean [absent]
  gpus/*/metrics/power_w/mean [2.948917]
  gpus/*/metrics/temp_gpu_c/mean [44.851833]
  gpus/*/metrics/temp_junction_c/max [50.45]
  gpus/*/metrics/module_power_inst_w/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [815.833333]
  gpus/*/metrics/clk_mem_mhz/mean [2133.0]
  host/metrics/cpu_pct/mean 9.25
  host/metrics/cpus/mean 4.0
  host/metrics/ram_used_mib/mean 9290.5
  host/metrics/ram_pct/mean 30.424744
  host/metrics/swap_used_mib/mean 5.5
  inputs/0/format "tegrastats"
  inputs/0/lines 14
  inputs/0/header 0
  inputs/0/rows 12
  inputs/0/messages 0
  inputs/0/rejected {"foreign": 1, "torn_tail": 1}
  inputs/0/unknown_columns absent
  inputs/0/problems/*/text ["power of the GPU is that of the rail VDD_GPU_SOC, which feeds more than the GPU", "no row, no header, no known message: \"Segmentation fault (core dumped)\"", "unfinished last line: \"RAM 9130/30536MB (lfb 512x4MB) SWAP 0/15268MB (cached 0MB) C...\""]

tegrastats without times
# Of a Xavier, a Nano and a TX2; the last has no name of a GPU's rail in front of its values.
  $ cat >tx2.log <<'EOF'
  > RAM 1127/7846MB (lfb 1558x4MB) cpu [3%@345,off,off,2%@345,0%@345,1%@345] EMC 2%@665 APE 150 VDE 1203 GR3D 40%@114 VDD_IN 2863/2863 VDD_CPU 305/305 VDD_SYS_GPU 152/152 VDD_SOC 458/458 VDD_WIFI 0/0 VDD_DDR 517/517
  > RAM 1127/7846MB (lfb 1558x4MB) cpu [3%@345,off,off,2%@345,0%@345,1%@345] EMC 2%@665 APE 150 VDE 1203 GR3D 42%@114 VDD_IN 2903/2883 VDD_CPU 305/305 VDD_SYS_GPU 172/162 VDD_SOC 458/458 VDD_WIFI 0/0 VDD_DDR 517/517
  > EOF
  $ for log in xavier nano tx2; do
  >     echo "$log:"
  >     smilog summarize -q --json --interval 0.5 $log.log | python3 -SE ../../pick.py duration_s energy_wh gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/max gpus/*/metrics/module_power_inst_w/mean gpus/*/metrics/clk_gr_mhz/mean host/metrics/cpu_pct/mean host/metrics/cpus/mean host/metrics/ram_used_mib/mean inputs/0/format inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  > done
  xavier:
  duration_s 1.0
  energy_wh 0.00069
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/*/metrics/gpu_util_pct/mean [76.333333]
  gpus/*/metrics/power_w/mean [2.277]
  gpus/*/metrics/temp_gpu_c/max [37.0]
  gpus/*/metrics/module_power_inst_w/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [1143.0]
  host/metrics/cpu_pct/mean 13.5
  host/metrics/cpus/mean 4.0
  host/metrics/ram_used_mib/mean 4728.666667
  inputs/0/format "tegrastats"
  inputs/0/rows 3
  inputs/0/rejected {}
  inputs/0/problems/*/text []
  nano:
  duration_s 0.5
  energy_wh 0.000315
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/gpu_util_pct/mean [87.5]
  gpus/*/metrics/power_w/mean [2.268]
  gpus/*/metrics/temp_gpu_c/max [34.0]
  gpus/*/metrics/module_power_inst_w/mean [6.328]
  gpus/*/metrics/clk_gr_mhz/mean [921.0]
  host/metrics/cpu_pct/mean 29.0
  host/metrics/cpus/mean 4.0
  host/metrics/ram_used_mib/mean 1692.0
  inputs/0/format "tegrastats"
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text []
  tx2:
  duration_s 0.5
  energy_wh 0.000022
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/gpu_util_pct/mean [41.0]
  gpus/*/metrics/power_w/mean [0.162]
  gpus/*/metrics/temp_gpu_c/max [absent]
  gpus/*/metrics/module_power_inst_w/mean [2.883]
  gpus/*/metrics/clk_gr_mhz/mean [114.0]
  host/metrics/cpu_pct/mean 1.5
  host/metrics/cpus/mean 4.0
  host/metrics/ram_used_mib/mean 1127.0
  inputs/0/format "tegrastats"
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text []

dmon's own profiling columns are percentages
# nvidia-smi dmon --gpm-metrics 1,2,13: what dcgmi calls GRACT is 1 and 3 here, of a hundred. A column without a metric is named.
  $ { echo "# gpu     sm    mem  gract smutil   fp16 mmaact"
  >   echo "# Idx      %      %  GPM:%  GPM:%  GPM:%  GPM:%"
  >   echo "    0     50     10      1     20      5      4"
  >   echo "    0     60     10      3     40      7      4"; } >gpm.txt
  $ smilog summarize -q --json gpm.txt | python3 -SE ../../pick.py gpus/*/metrics/gr_active_pct/mean gpus/*/metrics/sm_active_pct/mean gpus/*/metrics/fp16_active_pct/mean inputs/0/problems/*/text
  gpus/*/metrics/gr_active_pct/mean [2.0]
  gpus/*/metrics/sm_active_pct/mean [30.0]
  gpus/*/metrics/fp16_active_pct/mean [6.0]
  inputs/0/problems/*/text ["1 unknown column not read: mmaact"]

dcgmi profiling fields are metrics of their own
# GPU 3: tensor cores 25 and 35 %, mean 30 %; TOTEC grows by 90,000 mJ. NVLTX has no metric, and is named.
  $ { echo "#Entity   DRAMA   TENSO   GRACT   SMACT   SMOCC   FP64A   FP32A   FP16A   TOTEC   NVLTX"
  >   echo "ID                                                                    mJ"
  >   echo "GPU 3     0.100   0.250   0.500   0.400   0.300   0.010   0.020   0.030   410000  7"
  >   echo "GPU 1     0.200   0.050   0.600   0.500   0.400   0.000   0.000   0.000   100000  7"
  >   echo "GPU 3     0.300   0.350   0.700   0.600   0.500   0.030   0.040   0.050   500000  7"
  >   echo "GPU 1     0.400   0.150   0.800   0.700   0.600   0.000   0.000   0.000   130000  7"; } >p.txt
  $ smilog summarize -q --json p.txt | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gr_active_pct/mean gpus/*/metrics/sm_active_pct/mean gpus/*/metrics/sm_occupancy_pct/mean gpus/*/metrics/tensor_active_pct/mean gpus/*/metrics/dram_active_pct/mean gpus/*/metrics/fp64_active_pct/mean gpus/*/metrics/fp32_active_pct/mean gpus/*/metrics/fp16_active_pct/mean gpus/*/metrics/energy_j/increase inputs/0/problems/*/text
  gpus/*/gpu [1, 3]
  gpus/*/metrics/gr_active_pct/mean [70.0, 60.0]
  gpus/*/metrics/sm_active_pct/mean [60.0, 50.0]
  gpus/*/metrics/sm_occupancy_pct/mean [50.0, 40.0]
  gpus/*/metrics/tensor_active_pct/mean [10.0, 30.0]
  gpus/*/metrics/dram_active_pct/mean [30.0, 20.0]
  gpus/*/metrics/fp64_active_pct/mean [0.0, 2.0]
  gpus/*/metrics/fp32_active_pct/mean [0.0, 3.0]
  gpus/*/metrics/fp16_active_pct/mean [0.0, 4.0]
  gpus/*/metrics/energy_j/increase [30.0, 90.0]
  inputs/0/problems/*/text ["1 unknown column not read: NVLTX"]

dcgm exporter profiling series
# The shares of one GPU: engine 50 and 70 %, DRAM 10 and 30 %; energy grows by 9,000,000 mJ. A series without a metric is named once.
  $ for n in "1772359200000 0.5 0.1 1000" "1772359230000 0.7 0.3 9001000"; do
  >     set -- $n; l='{gpu="2",UUID="GPU-a",modelName="NVIDIA A100"}'
  >     echo "DCGM_FI_PROF_GR_ENGINE_ACTIVE$l $2 $1"
  >     echo "DCGM_FI_PROF_DRAM_ACTIVE$l $3 $1"
  >     echo "DCGM_FI_PROF_NVLINK_TX_BYTES$l 17 $1"
  >     echo "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION$l $4 $1"
  > done >x.prom
  $ smilog summarize -q --json x.prom | python3 -SE ../../pick.py gpus/*/gpu gpus/0/metrics/gr_active_pct/mean gpus/0/metrics/dram_active_pct/mean gpus/0/metrics/energy_j/increase inputs/0/problems/*/text
  gpus/*/gpu [2]
  gpus/0/metrics/gr_active_pct/mean 60.0
  gpus/0/metrics/dram_active_pct/mean 20.0
  gpus/0/metrics/energy_j/increase 9000.0
  inputs/0/problems/*/text ["1 unknown column not read: DCGM_FI_PROF_NVLINK_TX_BYTES"]

codecarbon run and its tasks
# emissions_base_RUN.csv has the tasks of a run of emissions.csv: one run, 0.125 kWh. A file of another run stays.
  $ mkdir a && cd a
  $ head=timestamp,run_id,duration,emissions,gpu_energy,gpu_count,gpu_model
  $ printf '%s\n' $head "2026-04-02T08:30:00,7c1d-44,1800,0.1,0.125,1,A40" >emissions.csv
  $ printf '%s\n' task_name,$head "load,2026-04-02T08:10:00,7c1d-44,600,0.1,0.04,1,A40" "train,2026-04-02T08:30:00,7c1d-44,1200,0.1,0.085,1,A40" >emissions_base_7c1d-44.csv
  $ smilog summarize -q --json . | python3 -SE ../../../pick.py run energy_wh
  run "a"
  energy_wh 125.0
  $ printf '%s\n' task_name,$head "load,2026-04-02T09:10:00,99ff-01,600,0.1,0.05,1,A40" >emissions_base_99ff-01.csv
  $ smilog summarize -q --json . | grep -o '"run": "[^"]*"'
  "run": "emissions"
  "run": "emissions_base_99ff-01"
  $ cd .. && rm -r a

codecarbon energy of more than any card draws
# 1.5 kWh in 600 s are 9,000 W, of two cards 4,500 W each; of twelve 750 W, which is no warning.
  $ for gpus in 2 12; do
  >     printf '%s\n' timestamp,run_id,duration,emissions,gpu_energy,gpu_count "2026-04-02T08:30:00,7c1d,600,0.1,1.5,$gpus" >e.csv
  >     smilog summarize -q --json e.csv | python3 -SE ../../pick.py energy_wh inputs/0/problems/*/text
  > done
  energy_wh 1500.0
  inputs/0/problems/*/text ["1 unknown column not read: emissions", "gpu_energy through duration is 4500 W for each GPU, more than any card draws (1500 W)"]
  energy_wh 1500.0
  inputs/0/problems/*/text ["1 unknown column not read: emissions"]

power log with energy and carbon dioxide
# The power is read, and the other columns are named: 250, 260 and 240 W.
  $ printf '%s\n' timestamp,gpu_power_w,gpu_energy_kwh,gpu_co2_kg 2026-04-02T08:30:00,250.0,0.0,0.0 2026-04-02T08:30:30,260.0,0.002,0.0008 2026-04-02T08:31:00,240.0,0.004,0.0016 >w.csv
  $ smilog summarize -q --json w.csv | python3 -SE ../../pick.py gpus/0/metrics/power_w/mean inputs/0/rows inputs/0/problems/*/text
  gpus/0/metrics/power_w/mean 250.0
  inputs/0/rows 3
  inputs/0/problems/*/text ["column 3 (gpu_energy_kwh): of an interval, or since the beginning? not read", "column 4 (gpu_co2_kg): of an interval, or since the beginning? not read"]

mlflow several nodes
# GPU 0 and 1 of two nodes are four GPUs: 10, 30, 50 and 70 %.
  $ mkdir -p ml/0/r/params ml/0/r/tags
  $ printf 'run_id: r\nrun_name: fox\nstatus: 3\nstart_time: 1783072800000\nend_time: 1783072820000\n' >ml/0/r/meta.yaml
  $ u=10; for node in n7 n12; do for gpu in 0 1; do
  >     mkdir -p ml/0/r/metrics/system/$node
  >     printf "1783072800000 $u 0\n1783072810000 $u 1\n1783072820000 $u 2\n" >ml/0/r/metrics/system/$node/gpu_${gpu}_utilization_percentage
  >     u=$((u + 20))
  > done; done
  $ smilog summarize -q --json ml | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean inputs/0/rows
  gpus/*/gpu [0, 0, 1, 1]
  gpus/*/samples [3, 3, 3, 3]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 50.0, 30.0, 70.0]
  inputs/0/rows 5

wandb several nodes
# Keys of a run of several nodes end with /l:NODE: GPU 0 of n7 and of n12 are two, 10 and 50 %.
  $ for t in 1783072800 1783072815; do
  >     echo "{\"wandb\": \"stats\", \"time\": $t.000000, \"gpu.0.gpu/l:n7\": 10, \"gpu.1.gpu/l:n7\": 30, \"gpu.0.powerWatts/l:n7\": 100, \"gpu.1.powerWatts/l:n7\": 100}"
  >     echo "{\"wandb\": \"stats\", \"time\": $t.250000, \"gpu.0.gpu/l:n12\": 50, \"gpu.0.powerWatts/l:n12\": 300, \"memory_percent/l:n12\": 20}"
  > done >w.jsonl
  $ smilog summarize -q --json w.jsonl | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/mean inputs/0/rows inputs/0/problems/*/text
  gpus/*/gpu [0, 0, 1]
  gpus/*/samples [2, 2, 2]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 50.0, 30.0]
  gpus/*/metrics/power_w/mean [100.0, 300.0, 100.0]
  inputs/0/rows 4
  inputs/0/problems/*/text []

gpu json of an own sampler
# A list and lines, one GPU or a list of them, names as in CSV. Means: 5 and 50, 27.5; 30 and 40 for each GPU.
  $ cat >list.json <<'EOF'
  > [
  >   {"timestamp": "2026-03-01T10:00:00", "gpu_load": 5.0, "gpu_memory_used": 1518.0, "gpu_memory_total": 11264.0, "note": "a"},
  >   {"timestamp": "2026-03-01T10:00:05", "gpu_load": 50.0, "gpu_memory_used": 1618.0, "gpu_memory_total": 11264.0, "note": "b"}
  > ]
  > EOF
  $ python3 -SE -c 'import json
  > rows = json.load(open("list.json"))
  > open("line.json", "w").write(json.dumps(rows))
  > open("indented.json", "w").write(json.dumps(rows, indent=2))
  > open("member.json", "w").write(json.dumps({"samples": rows}))
  > open("lines.jsonl", "w").writelines(json.dumps(r) + "\n" for r in rows)
  > gpus = lambda b: [{"index": g, "utilization": b + 10 * g, "memory_used_mb": 900, "processes": [{"pid": 1}]} for g in (1, 0)]
  > open("gpus.jsonl", "w").writelines(json.dumps({"time": 1772359200.5 + s, "cpu_percent": 3, "gpus": gpus(30)}) + "\n" for s in (0, 5))
  > open("numbered.jsonl", "w").writelines(json.dumps({"time": "2026-03-01 10:00:0%d" % s, "gpus": {
  >     str(g): {"gpu_util": 30 + 10 * g, "memory": {"used_mb": 900}} for g in (0, 1)}}) + "\n" for s in (0, 5))'
  $ for log in list.json line.json indented.json member.json lines.jsonl gpus.jsonl numbered.jsonl; do
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py inputs/0/format duration_s \
  >         gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean inputs/0/rows inputs/0/rejected
  > done
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [27.5]
  gpus/*/metrics/fb_used_mib/mean [1568.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [27.5]
  gpus/*/metrics/fb_used_mib/mean [1568.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [27.5]
  gpus/*/metrics/fb_used_mib/mean [1568.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [27.5]
  gpus/*/metrics/fb_used_mib/mean [1568.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [27.5]
  gpus/*/metrics/fb_used_mib/mean [1568.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  gpus/*/metrics/fb_used_mib/mean [900.0, 900.0]
  inputs/0/rows 4
  inputs/0/rejected {}
  inputs/0/format "gpu-json"
  duration_s 5.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [30.0, 40.0]
  gpus/*/metrics/fb_used_mib/mean [900.0, 900.0]
  inputs/0/rows 4
  inputs/0/rejected {}

gpu json lists beside others, members and names with numbers
# GPU 0 has 10 and 20 %, GPU 1 30 and 40 %: 15 and 35. Users, disks and processors are named, and are no GPUs.
  $ python3 -SE -c 'import json
  > T = ["2026-03-01T10:00:0%d" % i for i in (0, 5)]
  > G = lambda i, **k: [dict(k, load=20 * g + 10 * i + 10, mem_used_mb=900) for g in (0, 1)]
  > def log(name, make, indent=None):
  >     open(name + ".jsonl", "w").writelines(json.dumps(make(i), indent=indent) + "\n" for i in (0, 1))
  > log("users", lambda i: {"ts": T[i], "users": [{"name": "amy", "jobs": 2}], "disks": [{"usage": 7, "temp": 33}], "gpus": G(i), "cpus": [{"usage": 3}]})
  > log("indented", lambda i: {"ts": T[i], "gpus": G(i)}, 1)
  > log("devices", lambda i: {"ts": T[i], "devices": G(i)})
  > for front in "gpu", "GPU-", "cuda:", "", "nvidia_":
  >     log("member" + front, lambda i: dict([(front + str(g), v) for g, v in enumerate(G(i))], ts=T[i]))
  > log("flat", lambda i: dict({"gpu%d_%s" % (g, k): v for g, m in enumerate(G(i)) for k, v in m.items()}, ts=T[i]))
  > log("nested", lambda i: {"ts": T[i], "nodes": [{"hostname": "n1", "gpus": G(i)}]})'
  $ for log in users indented devices membergpu memberGPU- membercuda: member membernvidia_ flat nested; do
  >     smilog summarize -q --json $log.jsonl | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean inputs/0/rejected inputs/0/problems/*/text | paste -sd' '
  > done
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text ["3 unknown columns not read: users[], disks[], cpus[]"]
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [900.0, 900.0] inputs/0/rejected {} inputs/0/problems/*/text []
  $ log='{"t": 1772359200, "a": [{"u": 10}, {"u": 30}], "b": [{"w": 100}, {"w": 200}]}'
  $ printf 'time = "t"\ngpu_util_pct = "a[].u"\npower_w = "b[].w"\n' >two.map
  $ echo "$log" | smilog summarize -q --json --columns-from two.map - | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/mean
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [10.0, 30.0]
  gpus/*/metrics/power_w/mean [100.0, 200.0]
  $ printf 'index = "[].id"\ngpu_util_pct = "[].load"\n' >list.map
  $ echo '[{"id": 3, "load": 10}, {"id": 1, "load": 20}]' | smilog summarize -q --json --columns-from list.map - | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean
  gpus/*/gpu [1, 3]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 10.0]

gpu csv with columns of several gpus
# GPU 0 has 10 and 20 %, GPU 1 30 and 40 %; a second column of one meaning, cores and what has no number are not read.
  $ log() { printf '%s\n' "$1" "2026-03-01 10:00:00,$2" "2026-03-01 10:00:05,$3" >w.csv
  >     smilog summarize -q --json w.csv 2>&1 | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean inputs/0/format inputs/0/rows inputs/0/problems/*/text | paste -sd' '; }
  $ for names in "gpu0_util,gpu1_util,gpu0_mem_mb,gpu1_mem_mb" "GPU 0 Utilization (%),GPU 1 Utilization (%),GPU 0 Memory Used (MiB),GPU 1 Memory Used (MiB)" \
  >     "util_0,util_1,mem_used_mb_0,mem_used_mb_1" "cuda:0 util,cuda:1 util,cuda:0 mem MiB,cuda:1 mem MiB" "gpu_util_0,gpu_util_1,gpu_mem_mb_0,gpu_mem_mb_1" \
  >     "Device 0 load,Device 1 load,Device 0 mem used MiB,Device 1 mem used MiB"; do
  >     log "time,$names" 10,30,500,600 20,40,500,600
  > done
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [500.0, 600.0] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text []
  $ log time,gpu7_util,gpu3_util,gpu3_flux,loss,cpu_util_0 10,30,1,2,3 20,40,1,2,3
  gpus/*/gpu [3, 7] gpus/*/metrics/gpu_util_pct/mean [35.0, 15.0] gpus/*/metrics/fb_used_mib/mean [absent, absent] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text ["3 unknown columns not read: gpu3_flux, loss, cpu_util_0"]
  $ log time,gpu_temp,gpu_temp_2,gpu_util 50,60,10 50,60,20
  gpus/*/gpu [0] gpus/*/metrics/gpu_util_pct/mean [15.0] gpus/*/metrics/fb_used_mib/mean [absent] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text ["1 unknown column not read: gpu_temp_2"]
  $ log timestamp,gpu0_util,gpu1_util,gpu_power_w 10,30,200 20,40,200
  gpus/*/gpu [0, 1] gpus/*/metrics/gpu_util_pct/mean [15.0, 35.0] gpus/*/metrics/fb_used_mib/mean [absent, absent] inputs/0/format "gpu-csv" inputs/0/rows 2 inputs/0/problems/*/text ["column 4 (gpu_power_w): of which GPU? not read"]

power above the last limit of the gpu
# 900 W of GPU 1, whose limit of 350 W was in an earlier row, are refused; GPU 0 may draw 1,000 W.
  $ printf '%s\n' '{"ts": 1772359200, "index": 0, "gpu_power_w": 800, "gpu_power_limit_w": 1000}' '{"ts": 1772359200, "index": 1, "gpu_power_w": 300, "gpu_power_limit_w": 350}' \
  >     '{"ts": 1772359205, "index": 0, "gpu_power_w": 900}' '{"ts": 1772359205, "index": 1, "gpu_power_w": 900, "gpu_util": 9}' >l.jsonl
  $ smilog summarize -q --json l.jsonl | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/power_w/max inputs/0/problems/*/text
  gpus/*/gpu [0, 1]
  gpus/*/metrics/power_w/max [900.0, 300.0]
  inputs/0/problems/*/text ["power_w: \"900.0\" is out of range (0 to 525 W)"]

columns from a file for text with names, and a log that it does not fit
  $ printf '%s\n' 'separator = text' 'name = "GPU:"' 'gpu_util_pct = "Util:"' >name.map
  $ printf '2026-03-01 10:00:0%d GPU: %s Util: %d%%\n' 0 'NVIDIA RTX 3090' 5 1 '"NVIDIA RTX 3090"' 7 >name.log
  $ smilog summarize -q --json --columns-from name.map name.log 2>&1 | python3 -SE ../../pick.py gpus/*/name gpus/*/metrics/gpu_util_pct/mean
  gpus/*/name ["NVIDIA RTX 3090"]
  gpus/*/metrics/gpu_util_pct/mean [6.0]
  $ printf 'gpu_util_pct = 9\n' >number.map && printf 'a;b\n1;2\n' >other.log
  $ for map in name number; do smilog summarize --columns-from $map.map other.log; done
  2> smilog: other.log: warning: cannot be used: no known log format, and no line with the text "GPU:" of --columns-from
  2> smilog: no usable log in other.log
  2> smilog: other.log: warning: cannot be used: no known log format, and no line has the columns of --columns-from: begins with "a;b"
  2> smilog: no usable log in other.log
  [3]
  $ printf 'TIME\tGPU\n.01\t2515\n.47\t991\n' >rails.tsv && printf 'separator = tab\ntime = "TIME"\npower_w = "GPU" mW\n' >rails.map
  $ smilog summarize -q --json --gpu-count 1 --columns-from rails.map rails.tsv 2>&1 | python3 -SE ../../pick.py duration_s gpus/*/metrics/power_w/mean
  duration_s 0.46
  gpus/*/metrics/power_w/mean [1.753]

documents whose GPUs have no name that is known
  $ for i in 1 2; do echo '{"gpu_data": [{"gpu": 0, "usage": {"gfx_activity": {"value": 37, "unit": "%"}}}]}'; done >unknown.json
  $ for i in 1 2 3; do echo '{"gpu_data": [{"usage": {"load": {"value": 37, "unit": "%"}}}]}'; done >>unknown.json
  $ smilog summarize -q --json unknown.json | python3 -SE ../../pick.py inputs/0/rows inputs/0/messages inputs/0/rejected
  inputs/0/rows 2
  inputs/0/messages 0
  inputs/0/rejected {"bad_number": 3}

documents of rocm-smi behind dates that may be read in two ways
# On one line each, and on several.
  $ for s in 00 10 20; do echo "03/07/2026 10:00:$s {\"card0\": {\"GPU use (%)\": \"95\"}}"; done >lines.json
  $ for s in 00 10 20; do printf '03/07/2026 10:00:%s {\n"card0": {\n"GPU use (%%)": "95"}\n}\n' $s; done >documents.json
  $ for log in lines documents; do smilog summarize -q --json $log.json | python3 -SE ../../pick.py duration_s inputs/0/rows inputs/0/problems/*/text; done
  duration_s 20.0
  inputs/0/rows 3
  inputs/0/problems/*/text ["\"03/07/2026 10:00:00\": nothing tells day from month: read with the day first"]
  duration_s 20.0
  inputs/0/rows 3
  inputs/0/problems/*/text ["\"03/07/2026 10:00:00\": nothing tells day from month: read with the day first"]

json documents of many lines that begin with an index, or whose dates may be read in two ways
# Nothing of a document waits for the next one: 3 and 4 of July, GPU 0 has 10 and 20 %.
  $ printf '[\n {\n  "index": 0,\n  "timestamp": "0%d/07/2026 10:00:00",\n  "gpu_util": %d,\n  "gpu_power_w": 100\n }\n]\n' 3 10 4 20 >days.json
  $ printf '{\n "index": 0,\n "timestamp": "2026-07-03T10:00:0%d",\n "gpu_util": %d,\n "gpu_power_w": 100\n}\n' 0 10 1 20 >index.json
  $ for log in days index; do smilog summarize -q --json $log.json | python3 -SE ../../pick.py start end gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean inputs/0/lines inputs/0/rows inputs/0/rejected inputs/0/problems/*/text; done
  start "2026-07-03T10:00:00.000"
  end "2026-07-04T10:00:00.000"
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [15.0]
  inputs/0/lines 16
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text ["\"03/07/2026 10:00:00\": nothing tells day from month: read with the day first"]
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:01.000"
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [15.0]
  inputs/0/lines 12
  inputs/0/rows 2
  inputs/0/rejected {}
  inputs/0/problems/*/text []

nvitop columns without a metric
# A metric that has no last readings has its means; what has no metric is named.
  $ printf '%s\n' "time,r/gpu:0/gpu_utilization (%)/mean,r/gpu:0/gpu_utilization (%)/last,r/gpu:0/power_usage (W)/mean,r/gpu:0/flux (T)/last,r/host/swap_percent (%)/mean,foo,r/pid:9/gpu:0/gpu_memory (MiB)/mean,r/duration (s),r/timestamp" \
  >     "2026-03-01 10:00:00,50,60,100,1,2,3,4,5,1772359200.5" >n.csv
  $ smilog summarize -q --json n.csv | python3 -SE ../../pick.py gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/mean 60.0
  gpus/0/metrics/power_w/mean 100.0
  inputs/0/problems/*/text ["2 unknown columns not read: r/gpu:0/flux (T)/last, foo", "no last readings: those are means since the collector was started"]

gpustat with any sign of degrees
  $ for sign in '\370' '?' '\357\277\275' '\302\264' '\302\260'; do
  >     printf "node7 2026-03-01 10:00:00 550.10\n\n[0] RTX 3090 | 26${sign}C,   5 %% |   215 / 24576 MB |\n\n" |
  >         smilog summarize -q --json - | python3 -SE ../../pick.py gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/gpu_util_pct/mean
  > done
  gpus/*/metrics/temp_gpu_c/mean [26.0]
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  gpus/*/metrics/temp_gpu_c/mean [26.0]
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  gpus/*/metrics/temp_gpu_c/mean [26.0]
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  gpus/*/metrics/temp_gpu_c/mean [26.0]
  gpus/*/metrics/gpu_util_pct/mean [5.0]
  gpus/*/metrics/temp_gpu_c/mean [26.0]
  gpus/*/metrics/gpu_util_pct/mean [5.0]

jtop csv before version 4
  $ cat >jtop.csv <<'EOF'
  > time,CPU1,CPU2,GPU,RAM,EMC,fan,Temp AO,Temp GPU,power cur,power avg
  > 2026-07-03 11:00:00.123456,10,12,50,2000000,10,20,30.0,33.0,5000,4800
  > 2026-07-03 11:00:01.123456,20,14,52,2000000,10,20,30.0,35.0,5200,4800
  > EOF
  $ smilog summarize -q --json jtop.csv | python3 -SE ../../pick.py inputs/0/format gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/module_power_inst_w/mean host/metrics/cpu_pct/mean
  inputs/0/format "jtop-csv"
  gpus/*/metrics/gpu_util_pct/mean [51.0]
  gpus/*/metrics/temp_gpu_c/mean [34.0]
  gpus/*/metrics/module_power_inst_w/mean [5.1]
  host/metrics/cpu_pct/mean 14.0

nvtop json without commas
# Two GPUs of 37 and 57 %.
  $ printf '%s\n' '[' ' {' '  "device_name": "A"' '  "gpu_clock": "1410MHz"' '  "mem_clock": "1215MHz"' '  "temp": "41C"' '  "gpu_util": "37%"' ' }' \
  >     ' {' '  "device_name": "A"' '  "gpu_clock": "1410MHz"' '  "mem_clock": "1215MHz"' '  "temp": "43C"' '  "gpu_util": "57%"' ' }' ']' >nvtop.json
  $ smilog summarize -q --json nvtop.json | python3 -SE ../../pick.py inputs/0/format gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/temp_gpu_c/mean inputs/0/rejected
  inputs/0/format "nvtop-json"
  gpus/*/metrics/gpu_util_pct/mean [37.0, 57.0]
  gpus/*/metrics/temp_gpu_c/mean [41.0, 43.0]
  inputs/0/rejected {}

documents of a tool that tell nothing known of their gpus are no messages
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ for i in 1 2 3; do echo '{"gpu_data":[{"gpu":0,"usage":{"gfx_activity":{"value":37,"unit":"%"}}}]}'; done >gpu.json
  $ for i in 1 2; do echo '{"gpu_data":[{"usage":{"load":{"value":37,"unit":"%"}}}]}'; done >>gpu.json
  $ smilog summarize -q --json gpu.json | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows inputs/0/messages inputs/0/rejected quality/complete
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {"bad_number": 2}
  quality/complete false
