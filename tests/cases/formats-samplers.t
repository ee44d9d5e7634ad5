names of prometheus and wandb in a table
# Four rows, 10 s apart: 50, 60, 70, 80 % of GPU 0, 10 % less of GPU 1; 6 kJ. Of a second run nothing is read, nor are ranges.
  $ cat >grafana.csv <<'EOF'
  > "Time","DCGM_FI_DEV_GPU_UTIL{gpu=""0"", UUID=""GPU-a""}","DCGM_FI_DEV_GPU_UTIL{gpu=""1"", UUID=""GPU-b""}","DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=""0""}"
  > "2026-03-01 10:00:00",50,40,1000000
  > "2026-03-01 10:00:10",60,50,3000000
  > "2026-03-01 10:00:20",70,60,5000000
  > "2026-03-01 10:00:30",80,70,7000000
  > EOF
  $ cat >wandb.csv <<'EOF'
  > "Relative Time (Process)","run1 - system/gpu.0.gpu","run1 - system/gpu.0.gpu__MIN","run1 - system/gpu.1.powerWatts","run2 - system/gpu.0.gpu"
  > "0","50","40","200","1"
  > "10","60","40","210","1"
  > "20","70","40","220","1"
  > "30","80","40","230","1"
  > EOF
  $ printf '{"system.gpu.0.gpu": %d, "system.gpu.0.temp": 60, "system.cpu": 10, "_timestamp": %d}\n' 50 1772359200 60 1772359210 >wandb.jsonl
  $ for f in *.*; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/mean gpus/0/metrics/energy_j inputs/0/problems/*/text; done
  duration_s 30.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [65.0, 55.0]
  gpus/*/metrics/power_w/mean [absent, absent]
  gpus/0/metrics/energy_j {"unit": "J", "count": 4, "first": 1000.0, "last": 7000.0, "increase": 6000.0}
  inputs/0/problems/*/text []
  duration_s 30.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [65.0, absent]
  gpus/*/metrics/power_w/mean [absent, 215.0]
  gpus/0/metrics/energy_j absent
  inputs/0/problems/*/text ["1 unknown column not read: run1 - system/gpu.0.gpu__MIN", "column 5 (run2 - system/gpu.0.gpu): another column says the same: not read"]
  duration_s 10.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/power_w/mean [absent]
  gpus/0/metrics/energy_j absent
  inputs/0/problems/*/text ["1 unknown column not read: system.cpu"]

rows of telegraf and ray
# Telegraf's measurement is no name of a GPU.
  $ printf '{"fields":{"memory_used":%d,"memory_total":40536,"power_draw":200,"utilization_gpu":%d},"name":"nvidia_smi","tags":{"host":"n1","index":"0","name":"A100"},"timestamp":%d}\n' 4096 50 1772359200 8192 60 1772359210 >telegraf.json
  $ printf '{"now": %d.5, "hostname": "n1", "gpus": [{"index": 0, "name": "A100", "utilization_gpu": %d, "memory_used": %d, "memory_total": 40536}]}\n' 1772359200 50 4096 1772359210 60 8192 >ray.json
  $ for f in *.json; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/name gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/max inputs/0/problems/*/text; done
  duration_s 10.0
  gpus/*/gpu [0]
  gpus/*/name ["A100"]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_mib/max [8192.0]
  inputs/0/problems/*/text []
  duration_s 10.0
  gpus/*/gpu [0]
  gpus/*/name ["A100"]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_mib/max [8192.0]
  inputs/0/problems/*/text []

bytes and milliwatts without a unit
# 4 and 8 GiB, 200 and 210 W: in MiB or W no GPU has as much. A total tells of the memory that is still small.
  $ printf 'timestamp,gpu_id,gpu_util,mem_used,mem_total,power\n1772359200,0,50,4294967296,42949672960,200000\n1772359210,0,60,8589934592,42949672960,210000\n' >large.csv
  $ printf 'timestamp,gpu_id,gpu_util,mem_used,mem_total\n1772359200,0,50,1048576,42949672960\n1772359210,0,60,2097152,42949672960\n' >small.csv
  $ for f in *.csv; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py gpus/0/metrics/fb_used_mib/max gpus/0/metrics/fb_total_mib/max gpus/0/metrics/power_w/mean inputs/0/problems/*/text; done
  gpus/0/metrics/fb_used_mib/max 8192.0
  gpus/0/metrics/fb_total_mib/max 40960.0
  gpus/0/metrics/power_w/mean 205.0
  inputs/0/problems/*/text ["column 6 (power_w) has no unit: read as mW; --columns-from says what else it is"]
  gpus/0/metrics/fb_used_mib/max 2.0
  gpus/0/metrics/fb_total_mib/max 40960.0
  gpus/0/metrics/power_w/mean absent
  inputs/0/problems/*/text []

words of other tools
# Intel's xpu-smi, HWiNFO, Lightning: one reading each is known by other words.
  $ printf 'Timestamp, DeviceId, GPU Utilization (%%), GPU Frequency (MHz), GPU Core Temperature (Celsius Degree), GPU Memory Bandwidth Utilization (%%)\n10:00:00.000,    0, 50.00, 1600, 50.00, 12\n10:00:10.000,    0, 60.00, 1600, 60.00, 14\n' >xpu.csv
  $ printf '"Date","Time","GPU Core Load [%%]","Fan Speed (%%) [%%]","GPU Power [W]",\n1.3.2026,10:00:00.123,50.0,30,200.5,\n1.3.2026,10:00:10.123,60.0,40,210.5,\n' >hwinfo.csv
  $ printf 'created_at,gpu_id: 0/utilization.gpu (%%),gpu_id: 1/utilization.gpu (%%)\n2026-03-01 10:00:00,50,1\n2026-03-01 10:00:10,60,3\n' >lightning.csv
  $ for f in *.csv; do echo $f; smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/clk_gr_mhz/mean gpus/*/metrics/fan_pct/mean gpus/*/metrics/power_w/mean; done
  hwinfo.csv
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/mem_util_pct/mean [absent]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  gpus/*/metrics/fan_pct/mean [35.0]
  gpus/*/metrics/power_w/mean [205.5]
  lightning.csv
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [55.0, 2.0]
  gpus/*/metrics/mem_util_pct/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent, absent]
  gpus/*/metrics/fan_pct/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  xpu.csv
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/mem_util_pct/mean [13.0]
  gpus/*/metrics/temp_gpu_c/mean [55.0]
  gpus/*/metrics/clk_gr_mhz/mean [1600.0]
  gpus/*/metrics/fan_pct/mean [absent]
  gpus/*/metrics/power_w/mean [absent]

a header that does not say gpu with input format
# GPUtil's load is a share of 1: the command that says so is told.
  $ printf 'time,id,name,load,memoryTotal,memoryUsed,temperature\n2026-03-01 10:00:00,0,A100,0.50,40536.0,4096.0,60.0\n2026-03-01 10:00:10,0,A100,0.60,40536.0,8192.0,62.0\n' >gputil.csv
  $ smilog summarize gputil.csv
  2> smilog: gputil.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "time,id,name,load,memoryTotal,memoryUsed,temperature"
  2> smilog: no usable log in gputil.csv
  [3]
  $ smilog summarize -q --json --input-format gpu-csv gputil.csv | python3 -SE ../../pick.py gpus/*/name gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/max gpus/*/metrics/temp_gpu_c/max
  gpus/*/name ["A100"]
  gpus/*/metrics/gpu_util_pct/mean [0.55]
  gpus/*/metrics/fb_used_mib/max [8192.0]
  gpus/*/metrics/temp_gpu_c/max [62.0]

columns of cpu logs that nobody knows
  $ printf 'timestamp,usr_pct,idle_pct,cpu_pct,frobs\n2026-03-01T10:00:00Z,10,80,20,3\n2026-03-01T10:00:05Z,12,80,20,3\n' >cpu.csv
  $ printf 'timestamp,tree_cpu_pct,frobs\n2026-03-01T10:00:00Z,10,3\n2026-03-01T10:00:05Z,12,3\n' >procs.csv
  $ for f in *.csv; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py inputs/0/format inputs/0/unknown_columns inputs/0/problems/*/text; done
  inputs/0/format "cpu-csv"
  inputs/0/unknown_columns 1
  inputs/0/problems/*/text ["1 unknown column not read: frobs"]
  inputs/0/format "procs-csv"
  inputs/0/unknown_columns 1
  inputs/0/problems/*/text ["1 unknown column not read: frobs"]

two lists about the same gpus count once
# One list has more of the same GPUs: read. One says the same: not read. Two nodes have lists of their own.
  $ printf '{"timestamp": %d, "gpus": [{"index": 0, "util": %d}], "gpu_details": [{"index": 0, "util": 1, "memory_used_mb": 1}], "gpu_power": [{"index": 0, "power_w": 100}]}\n' 1772359200 50 1772359210 70 >same.json
  $ printf '{"timestamp": %d, "nodes": [{"hostname": "a", "gpus": [{"index": 0, "util": %d}]}, {"hostname": "b", "gpus": [{"index": 0, "util": 10}]}]}\n' 1772359200 50 1772359210 70 >nodes.json
  $ for f in *.json; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/count gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/count inputs/0/problems/*/text; done
  gpus/*/gpu [0, 0]
  gpus/*/metrics/gpu_util_pct/count [2, 2]
  gpus/*/metrics/gpu_util_pct/mean [60.0, 10.0]
  gpus/*/metrics/power_w/count [absent, absent]
  inputs/0/problems/*/text []
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/count [2]
  gpus/*/metrics/gpu_util_pct/mean [60.0]
  gpus/*/metrics/power_w/count [2]
  inputs/0/problems/*/text ["1 unknown column not read: gpu_details[]"]

keys of another log below the outer object
# Those of a RunLog, of exported samples and of a usage log make a line one of these only in its outer object.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ while read -r gpu; do
  >     printf '{"timestamp": %d, "gpus": [{"gpu_util": 50, '"$gpu"'}]}\n' 1772359200 1772359210 >log.json
  >     smilog summarize -q --json log.json | python3 -SE pick.py inputs/0/format inputs/0/rows
  > done <<'X'
  > "ts": 1, "type": "A100"
  > "run": "a", "input": "b", "format": "c", "row": 1, "time": "d"
  > X
  inputs/0/format "gpu-json"
  inputs/0/rows 2
  inputs/0/format "gpu-json"
  inputs/0/rows 2
  $ printf '{"time": %d, "gpu_util": 50, "host": {"error": null}}\n' 1772359200 1772359210 >log.json
  $ smilog summarize -q --json log.json | python3 -SE pick.py inputs/0/format inputs/0/rows
  inputs/0/format "gpu-json"
  inputs/0/rows 2

states as numbers
# One of two intervals has the power cap, in the reason's own column and in the mask.
  $ head='timestamp, index, utilization.gpu [%%], clocks_event_reasons'
  $ printf "$head.sw_power_cap\n2026/03/01 10:00:00.000, 0, 50 %%, 0\n2026/03/01 10:00:05.000, 0, 50 %%, 1\n2026/03/01 10:00:10.000, 0, 50 %%, False\n" >one.csv
  $ printf "$head.active\n2026/03/01 10:00:00.000, 0, 50 %%, 0\n2026/03/01 10:00:05.000, 0, 50 %%, 4\n2026/03/01 10:00:10.000, 0, 50 %%, 1\n" >mask.csv
  $ for f in *.csv; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py gpus/0/throttle_pct/sw_power_cap inputs/0/problems/*/text; done
  gpus/0/throttle_pct/sw_power_cap 50.0
  inputs/0/problems/*/text []
  gpus/0/throttle_pct/sw_power_cap 50.0
  inputs/0/problems/*/text []

a table of hl smi is one of nvidia smi
  $ printf 'timestamp, index, utilization.aip [%%], memory.used [MiB], temperature.aip, utilization.foo [%%]\n2026/03/01 10:00:00.000, 0, 50 %%, 100 MiB, 60, 1 %%\n2026/03/01 10:00:10.000, 0, 60 %%, 100 MiB, 62, 1 %%\n' >hl.csv
  $ smilog summarize -q --json hl.csv | python3 -SE ../../pick.py gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/temp_gpu_c/max inputs/0/problems/*/text
  gpus/0/metrics/gpu_util_pct/mean 55.0
  gpus/0/metrics/temp_gpu_c/max 62.0
  inputs/0/problems/*/text ["1 unknown column not read: utilization.foo [%]"]

what to do with logs that are not read
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t"
  $ n=0; while IFS= read -r line; do n=$((n + 1)); printf "$line\n" >log$n; smilog summarize log$n; done <<'LINES' 2>&1 | grep cannot
  > nvidia_smi,host=n1,index=0,name=A100 utilization_gpu=50i,power_draw=200.5 1772359200000000000
  > {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"gpu":"0"},"values":[[1772359200,"50"]]}]}}
  > ,/gpu-nvidia/0/load/0,/gpu-nvidia/0/temperature/0
  > timestamp,gpu,metric,value
  > run_id,key,value,step,timestamp
  > Wall time,Step,Value
  > epoch,value
  > NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%%)
  > LINES
  smilog: log1: warning: cannot be used: lines of InfluxDB, not read: let Telegraf write them in the data_format json
  smilog: log2: warning: cannot be used: an answer of Prometheus or promtool, not read: make a CSV of it, whose columns have the names of the series, with their labels
  smilog: log3: warning: cannot be used: a log of LibreHardwareMonitor: give the numbers of its columns (time = 1 month-first) with --columns-from FILE
  smilog: log4: warning: cannot be used: a table with a reading a line, not read: make a column of each name
  smilog: log5: warning: cannot be used: a table with a reading a line, not read: make a column of each name
  smilog: log6: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "Wall time,Step,Value"
  smilog: log7: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "epoch,value"
  smilog: log8: warning: cannot be used: a log of npu-smi (Ascend): of npu-smi info watch > FILE give the numbers of its columns (separator = blanks) with --columns-from FILE

a text that begins with seconds and a colon
  $ printf '%d.123456: bus 0a, gpu %d.50%%, ee 0.00%%, vgt 1.67%%, vram 10.00%% 819.20mb\n' 1772359200 50 1772359210 60 >radeontop.log
  $ printf 'separator = text\ntime = 1\ngpu_util_pct = "gpu"\nfb_used_pct = "vram"\n' >map
  $ smilog summarize -q --json --columns-from map radeontop.log | python3 -SE ../../pick.py start duration_s gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/fb_used_pct/mean
  start "2026-03-01T10:00:00.123Z"
  duration_s 10.0
  gpus/0/metrics/gpu_util_pct/mean 55.5
  gpus/0/metrics/fb_used_pct/mean 10.0

a text whose lines begin with their number
# It is in no column of the map: the index is that of the GPU.
  $ for i in $(seq 10 29); do echo "$i, gpu $((i%2)), at 2026-11-10 12:43:$i, util $((i%2*10)) %"; done >counted.log
  $ printf 'separator = text\nindex = "gpu"\ntime = "at"\ngpu_util_pct = "util"\n' >map
  $ smilog summarize -q --json --columns-from map counted.log | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [0.0, 10.0]

a map of columns of several gpus
# Grafana's CSV, whose legend is "GPU {{gpu}}".
  $ printf '"Time","GPU 0","GPU 10","Fan 0"\n"2026-03-01 10:00:00",50%%,10%%,1\n"2026-03-01 10:00:10",60%%,20%%,1\n' >grafana.csv
  $ smilog summarize grafana.csv
  2> smilog: grafana.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with ""Time","GPU 0","GPU 10","Fan 0""
  2> smilog: no usable log in grafana.csv
  [3]
  $ printf 'time = "Time"\ngpu_util_pct = "Load #", "GPU #"\n' >map
  $ smilog summarize -q --json --columns-from map grafana.csv | python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean
  duration_s 10.0
  gpus/*/gpu [0, 10]
  gpus/*/metrics/gpu_util_pct/mean [55.0, 15.0]

long words in front of numbers
# They are no words of a name, and nothing is written in front of them.
  $ printf 'timestamp,gpu_util,abcdefghijklmnopqrstuvw1_x_y_z,abcdefghijklmnopqrstuvw1 2 gpu 3\n2026-03-01 10:00:00,50,1,1\n2026-03-01 10:00:10,60,1,1\n' >log.csv
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean inputs/0/problems/*/text
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  inputs/0/problems/*/text ["2 unknown columns not read: abcdefghijklmnopqrstuvw1_x_y_z, abcdefghijklmnopqrstuvw1 2 gpu 3"]
