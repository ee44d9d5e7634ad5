codecarbon energy is what it measured
# Of rows that come every second each says what it used so far: the energy is that of the last one, 4.0 Wh, and 8.0 Wh.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ for w in 240 480; do
  >     awk -v w=$w 'BEGIN {
  >         print "timestamp,run_id,duration,emissions,gpu_energy,gpu_count,gpu_model"
  >         for (i = 1; i <= 60; i++) printf "2026-07-03T10:%02d:%02d,r1,%d.0,1e-5,%.9f,1,1 x A100\n", i / 60, i % 60, i, i * w / 3600000
  >     }' >emissions.csv
  >     smilog summarize -q --json emissions.csv | python3 -SE pick.py energy_wh gpus/0/metrics/power_w/mean
  > done
  energy_wh 4.0
  gpus/0/metrics/power_w/mean 240.0
  energy_wh 8.0
  gpus/0/metrics/power_w/mean 480.0

codecarbon rows state their duration
# A task of an hour beside tasks of two seconds is no gap, and the time between tasks uses nothing. Each run_id is a run.
  $ cat >runs.csv <<'EOF'
  > timestamp,project_name,run_id,duration,emissions,gpu_power,gpu_energy
  > 2026-03-01T10:00:10,p,a1,10,0.1,100,0.000277778
  > 2026-03-01T10:00:30,"p,q",a2,10,0.1,100,0.000277778
  > 2026-03-01T11:00:50,p,a4,3000,0.1,100,0.083333
  > EOF
  $ cat >tasks.csv <<'EOF'
  > task_name,timestamp,run_id,duration,emissions,gpu_power,gpu_energy
  > load,2026-03-01T10:00:01,b7,2,0.1,100,0.0000556
  > step,2026-03-01T10:00:04,b7,2,0.1,100,0.0000556
  > fit,2026-03-01T11:00:10,b7,3600,0.1,100,0.100
  > save,2026-03-01T12:30:15,b7,2,0.1,100,0.0000556
  > EOF
  $ for log in tasks.csv runs.csv; do
  >     smilog summarize -q --json $log | python3 -SE -c 'import json, sys
  > for r in json.load(sys.stdin)["runs"]:
  >     print(r["run"], r["energy_wh"], len(r["gpus"]), r["duration_s"], r["inputs"][0]["gaps"], r["inputs"][0]["rows"])'
  > done
  codecarbon_rows_state_their_duration 100.1668 1 3606.0 0 4
  a1 0.277778 1 10.0 0 1
  a2 0.277778 1 10.0 0 1
  a4 83.333 1 3000.0 0 1

cpu bad cell costs that cell
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,nan,50.0
  > 2026-07-03T10:00:02.000+00:00,20.0,70.0
  > EOF
  $ smilog summarize -q --json cpu_metrics.csv | python3 -SE ../../pick.py \
  >     summary/cpu_usr_mean_pct summary/cpu_idle_mean_pct inputs/0/rows
  summary/cpu_usr_mean_pct 20.0
  summary/cpu_idle_mean_pct 60.0
  inputs/0/rows 2

cpu further columns
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct,iowait_pct
  > 2026-07-03T10:00:00.000+00:00,20.0,50.0,3.0
  > EOF
  $ smilog summarize -q --json cpu_metrics.csv | python3 -SE ../../pick.py \
  >     summary/cpu_usr_mean_pct inputs/0/rejected
  summary/cpu_usr_mean_pct 20.0
  inputs/0/rejected {}

cpu metrics of the machine
  $ cat >cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct,cpu_pct,cpus,foreign,psi_io_pct,cgroup_ram_mib,cgroup_oom_kills,cpu_pct,gpu_util_pct
  > 2026-07-03T10:00:00.000+00:00,20.0,50.0,45.0,8,7,1.5,500,0,99,99
  > 2026-07-03T10:00:01.000+00:00,30.0,40.0,,8,7,,600,,99,99
  > 2026-07-03T10:00:02.000+00:00,x,40.0,55.0,8,7,[N/A],y,2,99,99
  > 2026-07-03T10:00:03.000+00:00,,,,,,,,,,
  > 2026-07-03T10:00:04.000+00:00,30.0,40.0
  > timestamp,usr_pct,idle_pct,psi_io_pct
  > 2026-07-03T10:00:05.000+00:00,40.0,40.0,2.5
  > EOF
  $ smilog summarize --run-per file -q --json cpu_metrics.csv | python3 -SE -c 'import json, sys
  > r = json.load(sys.stdin)["runs"][0]
  > for k, m in r["host"]["metrics"].items(): print(k, m["unit"], m.get("count"), m.get("mean", m.get("increase")))
  > print(r["inputs"][0]["rejected"], r["inputs"][0]["rows"], [p["text"] for p in r["inputs"][0]["problems"]])'
  cpu_usr_pct % 3 30.0
  cpu_idle_pct % 4 42.5
  cpu_pct % 2 50.0
  cpus  3 8.0
  psi_io_pct % 2 2.0
  cgroup_ram_mib MiB 2 550.0
  cgroup_oom_kills  2 2.0
  {'bad_number': 1, 'bad_width': 1} 4 ['2 unknown columns not read: foreign, gpu_util_pct', 'cpu_usr_pct: "x" is no number', 'cgroup_ram_mib: "y" is no number', 'no usable number: "2026-07-03T10:00:03.000+00:00,,,,,,,,,,"', 'another number of cells than the header: "2026-07-03T10:00:04.000+00:00,30.0,40.0"']
  $ smilog summarize --run-per file -v cpu_metrics.csv
  cpu_metrics.csv   no-data   5.0s   2026-07-03 10:00:00 to 10:00:05, UTC

  host: CPU usr 30.0 (p95 39.0, max 40.0) %   CPU idle 42.5 (p95 48.5, max 50.0) %   CPU 50.0 (p95 54.5, max 55.0) %   cpus 8.0 (p95 8.0, max 8.0)   PSI I/O 2.0 (p95 2.4, max 2.5) %   cgroup ram 550.0 (p95 595.0, max 600.0) MiB   cgroup OOM kills 2

  INPUTS           FORMAT   LINES  ROWS  TWICE  BAD  GAPS  EVERY  WORST
  cpu_metrics.csv  cpu-csv      8     4      -    2     -  1.0 s  3.0 s
  cpu_metrics.csv:1: 2 unknown columns not read: foreign, gpu_util_pct
  cpu_metrics.csv:4: cpu_usr_pct: "x" is no number
  cpu_metrics.csv:4: cgroup_ram_mib: "y" is no number
  cpu_metrics.csv:5: no usable number: "2026-07-03T10:00:03.000+00:00,,,,,,,,,,"
  cpu_metrics.csv:6: another number of cells than the header: "2026-07-03T10:00:04.000+00:00,30.0,40.0"
  absent: CPU usr in 25.0 % of the rows, CPU in 50.0 % of the rows, cpus in 25.0 % of the rows, PSI I/O in 50.0 % of the rows, cgroup ram in 50.0 % of the rows, cgroup OOM kills in 50.0 % of the rows

  note: no GPU log

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct        -
  gpu_util_max_pct         -
  power_watts_mean         -
  power_watts_max          -
  cpu_usr_mean_pct      30.0
  cpu_idle_mean_pct     42.5

  warnings: 2 rows not usable (in cpu_metrics.csv)
  quality: incomplete: no-data, rejected-rows
  5.0s, no GPU data
  2> smilog: cpu_metrics.csv:1: warning: 2 unknown columns not read: foreign, gpu_util_pct
  2> smilog: cpu_metrics.csv:4: warning: cpu_usr_pct: "x" is no number
  2> smilog: cpu_metrics.csv:4: warning: cgroup_ram_mib: "y" is no number
  2> smilog: cpu_metrics.csv:5: warning: no usable number: "2026-07-03T10:00:03.000+00:00,,,,,,,,,,"
  2> smilog: cpu_metrics.csv:6: warning: another number of cells than the header: "2026-07-03T10:00:04.000+00:00,30.0,40.0"

csv absent is empty
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --format csv log.csv | python3 -SE -c 'import csv, sys; r = next(csv.DictReader(sys.stdin)); print([r["peak_vram_mb"], r["gpu_util_mean_pct"]])'
  ['', '50.0']

csv quotes its cells
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/"'a,"b'
  $ cp log.csv "$t/"'a,"b'
  $ smilog summarize -q --format csv "$t" | python3 -SE -c 'import csv, sys; print([r["run"] for r in csv.DictReader(sys.stdin)])'
  ['a,"b']

csv raw leaves text alone
  $ dir=$(mktemp -d)
  $ trap 'rm -r "$dir"' EXIT
  $ row="2026/07/03 22:10:46.109, 50 %, 100 MiB, 70.00 W"
  $ i=0
  $ for name in "=1+1" "+1" "-1" "@SUM(A1)" "$(printf "\\tx")" "$(printf "\\rx")" plain; do
  >     i=$((i + 1))
  >     mkdir "$dir/$name"
  >     printf "%s\n" "timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W]" "$row" >"$dir/$name/hw.csv"
  >     printf "{\"shift\": -%d, \"text\": \"-%d x\"}\n" "$i" "$i" >"$dir/$name/config.json"
  > done
  $ cd "$dir"
  $ smilog summarize -q --raw --format csv . | cut -d, -f1
  run
  \x09x
  \x0dx
  +1
  -1
  =1+1
  @SUM(A1)
  plain
  $ smilog summarize -q --raw --format csv --columns run,param.text .
  run,param.text
  \x09x,"-5 x"
  \x0dx,"-6 x"
  +1,"-2 x"
  -1,"-3 x"
  =1+1,"-1 x"
  @SUM(A1),"-4 x"
  plain,"-7 x"
  $ smilog summarize -q --raw --format csv --sql "select '=cmd' as \"@a\", -1 as n from runs limit 1" .
  @a,n
  =cmd,-1

csv text is no formula
  $ dir=$(mktemp -d)
  $ trap 'rm -r "$dir"' EXIT
  $ row="2026/07/03 22:10:46.109, 50 %, 100 MiB, 70.00 W"
  $ i=0
  $ for name in "=1+1" "+1" "-1" "@SUM(A1)" "$(printf "\\tx")" "$(printf "\\rx")" plain; do
  >     i=$((i + 1))
  >     mkdir "$dir/$name"
  >     printf "%s\n" "timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W]" "$row" >"$dir/$name/hw.csv"
  >     printf "{\"shift\": -%d, \"text\": \"-%d x\"}\n" "$i" "$i" >"$dir/$name/config.json"
  > done
  $ cd "$dir"
  $ smilog summarize -q --format csv . | cut -d, -f1,10-13
  run,duration_s,peak_vram_mb,gpu_util_mean_pct,gpu_util_max_pct
  '\x09x,0.0,100.0,50.0,50.0
  '\x0dx,0.0,100.0,50.0,50.0
  '+1,0.0,100.0,50.0,50.0
  '-1,0.0,100.0,50.0,50.0
  '=1+1,0.0,100.0,50.0,50.0
  '@SUM(A1),0.0,100.0,50.0,50.0
  plain,0.0,100.0,50.0,50.0
  $ echo

  $ smilog summarize -q --format csv --columns run,param.shift,param.text .
  run,param.shift,param.text
  '\x09x,-5,"'-5 x"
  '\x0dx,-6,"'-6 x"
  '+1,-2,"'-2 x"
  '-1,-3,"'-3 x"
  '=1+1,-1,"'-1 x"
  '@SUM(A1),-4,"'-4 x"
  plain,-7,"'-7 x"
  $ echo

  $ smilog summarize -q --format csv --group-by run --columns energy_wh .
  run,n,energy_wh_mean,energy_wh_sd,energy_wh_n
  '\x09x,1,,,0
  '\x0dx,1,,,0
  '+1,1,,,0
  '-1,1,,,0
  '=1+1,1,,,0
  '@SUM(A1),1,,,0
  plain,1,,,0
  $ echo

  $ smilog summarize -q --format csv --sql "select run, '=cmd' as \"@a\", -1 as n from runs limit 1" .
  run,'@a,n
  '\x09x,'=cmd,-1

md escapes names
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/"'a|b`c'
  $ cp log.csv "$t/"'a|b`c'
  $ smilog summarize -q --format md "$t" | grep '^|' | python3 -SE -c 'import re, sys; print({len(re.findall(r"(?<!\\)\|", s)) for s in sys.stdin if s.strip()})'
  {7}

md has parameters and a total
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for i in 1 2; do mkdir "$t/run$i"; cp log.csv "$t/run$i/hw.csv"; echo "{\"lr\": 0.$i, \"model\": \"a|b\"}" >"$t/run$i/config.json"; done
  $ cd "$t" && smilog summarize --format md . | tail -n +3
  2 runs in `.`   `1 GPU`   `model=a\x7cb`
  2026-07-03 10:00 to 10:00, zone not known   sampled every 2.0 s

  **2 runs, <0.01 GPU-h, 0.1 Wh, GPU 50.0 %, 0.00 GPU-h wasted (0.0 %)**

  quality: complete

  | Run | `lr` | Time | GPU % | Idle % | Wh | Wasted h |
  |---|---|---:|---:|---:|---:|---:|
  | `run1` | `0.1` | 2.0s | 50.0 | 0.0 | 0.1 | 0.00 |
  | `run2` | `0.2` | 2.0s | 50.0 | 0.0 | 0.1 | 0.00 |
  | **total 2 runs** | | 4.0s | 50.0 | 0.0 | 0.1 | 0.00 |


only messages beside a cpu log
  $ mkdir -p out
  $ cat >out/cpu_metrics.csv <<'EOF'
  > timestamp,usr_pct,idle_pct
  > 2026-07-03T10:00:00.000+00:00,1,99
  > EOF
  $ cat >out/hw_metrics.csv <<'EOF'
  > NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.
  >
  > EOF
  $ smilog summarize -q --json out | python3 -SE ../../pick.py state 'inputs/*/path'; smilog summarize out 2>&1 >/dev/null
  state "no-data"
  inputs/*/path ["cpu_metrics.csv"]
  smilog: out/hw_metrics.csv: warning: cannot be used: only a message: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Ma..."

only messages no driver
  $ cat >log.csv <<'EOF'
  > NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.
  >
  > EOF
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: only a message: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Ma..."
  2> smilog: no usable log in log.csv
  [3]

only messages no nvml
  $ cat >log.csv <<'EOF'
  > NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system.
  > Please also try adding directory that contains libnvidia-ml.so to your system PATH.
  > EOF
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: only a message: "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sur..."
  2> smilog: no usable log in log.csv
  [3]

refused amd json has numbers
# amd-smi numbers its GPUs; W&B's wandb-metadata.json names one there.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t"
  $ printf '[\n    {\n        "gpu": 0,\n        "asic": {"market_name": "MI300X"}\n    }\n]\n' >static.json
  $ printf '{\n  "gpu": "NVIDIA A100-SXM4-40GB",\n  "gpu_count": 1\n}\n' >metadata.json
  $ smilog summarize static.json
  2> smilog: static.json: warning: cannot be used: amd-smi JSON of another command than metric and monitor, not read: record with amd-smi monitor --csv -w 1 > FILE
  2> smilog: no usable log in static.json
  [3]
  $ smilog summarize metadata.json
  2> smilog: metadata.json: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "{"
  2> smilog: no usable log in metadata.json
  [3]

refused boxed table
  $ smilog summarize --json log 2>&1 | grep -c 'nvidia-smi'
  1
  $ smilog summarize -q log
  2> smilog: no usable log in log
  [3]

refused boxed table with a process header
  $ cat >log <<'EOF'
  > +-----------------------------------------------------------------------------+
  > | NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |
  > |-------------------------------+----------------------+----------------------+
  > |  No running processes found                                                 |
  > +-----------------------------------------------------------------------------+
  > pid, used_gpu_memory [MiB]
  > [INFO] step 1, loss 3
  > epoch 1, 2
  > EOF
  $ smilog summarize log 2>&1 | head -n 1
  smilog: log: warning: cannot be used: a table without nvidia-smi's lines of GPUs, or behind a prefix (srun --label, ts): not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE

logs that a map of the program describes
# One call of each tool has one reading of each GPU: means of two by hand, GiB times 1,024.
  $ row() { printf '81.5,12.2,67.4,9.7,%s,78,%s,514,800,%s,%s,9.9,0.05,0,3500,%s\n' "$@"; }
  $ { printf 'os,cpu,gpu,ram,kernel,driver,cpuscheduler\nLinux,AMD Custom,,15160364,6.16,,powersave\n'; printf 'fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed\n'; row 52 70 1.5 100 339251005; row 62 72 2.5 110 5339251005; } >mangohud.csv
  $ printf 'fps,frametime,cpu_load,gpu_load,elapsed\n81.5,12.2,67.4,52,0\n81.5,12.2,67.4,62,5000000000\n' >mangohud_old.csv
  $ { echo 'Dumping to -, until termination.'; printf '%d.123456: bus 0a, gpu %d.50%%, ee 0.00%%, vgt 1.67%%, ta 2.50%%, vram 10.00%% 819.20mb, gtt 1.40%% 116.51mb\n' 1772359200 50 1772359210 60; } >radeontop.log
  $ printf 'Freq MHz req,Freq MHz act,IRQ /s,RC6 %%,Power W gpu,Power W pkg,RCS %%,RCS se,RCS wa\n300.0,250.0,50.0,85.5,3.1,12.5,10.2,0,0\n1200.0,1150.0,500.0,5.5,9.1,22.5,90.2,0,0\n' >igt.csv
  $ for load in 45 55; do printf '| ID | GPU | MEM |\n------------------\n|  0 | %d%% | 12%% |\n|  1 |  0%% |  2%% |\n' $load; done >gputil.txt
  $ for load in 41 42; do printf '{"devices":[{"Info":{"DeviceName":"AMD Radeon RX 9070 XT","DevicePath":{"pci":"0000:03:00.0"}},"gpu_activity":{"GFX":{"unit":"%%","value":%d},"Memory":{"unit":"%%","value":3}},"Sensors":{"Edge Temperature":{"unit":"C","value":55},"Average Power":{"unit":"W","value":120}},"VRAM":{"Total VRAM Usage":{"unit":"MiB","value":2048}}}]}\n' $load; done >amdgpu_top.json
  $ for f in *; do echo $f; smilog summarize -q --json $f | python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/name gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/fb_used_pct/mean gpus/*/metrics/power_w/mean gpus/*/metrics/temp_gpu_c/mean gpus/*/metrics/clk_gr_mhz/mean inputs/0/rejected; done
  amdgpu_top.json
  duration_s null
  gpus/*/gpu [null]
  gpus/*/name ["AMD Radeon RX 9070 XT"]
  gpus/*/metrics/gpu_util_pct/mean [41.5]
  gpus/*/metrics/fb_used_mib/mean [2048.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/power_w/mean [120.0]
  gpus/*/metrics/temp_gpu_c/mean [55.0]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  inputs/0/rejected {}
  gputil.txt
  duration_s null
  gpus/*/gpu [0, 1]
  gpus/*/name [null, null]
  gpus/*/metrics/gpu_util_pct/mean [50.0, 0.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/fb_used_pct/mean [12.0, 2.0]
  gpus/*/metrics/power_w/mean [absent, absent]
  gpus/*/metrics/temp_gpu_c/mean [absent, absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent, absent]
  inputs/0/rejected {}
  igt.csv
  duration_s null
  gpus/*/gpu [0]
  gpus/*/name [null]
  gpus/*/metrics/gpu_util_pct/mean [50.2]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/power_w/mean [6.1]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [700.0]
  inputs/0/rejected {}
  mangohud.csv
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/name [null]
  gpus/*/metrics/gpu_util_pct/mean [57.0]
  gpus/*/metrics/fb_used_mib/mean [2048.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/power_w/mean [105.0]
  gpus/*/metrics/temp_gpu_c/mean [71.0]
  gpus/*/metrics/clk_gr_mhz/mean [514.0]
  inputs/0/rejected {}
  mangohud_old.csv
  duration_s 5.0
  gpus/*/gpu [0]
  gpus/*/name [null]
  gpus/*/metrics/gpu_util_pct/mean [57.0]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  inputs/0/rejected {}
  radeontop.log
  duration_s 10.0
  gpus/*/gpu [null]
  gpus/*/name [null]
  gpus/*/metrics/gpu_util_pct/mean [55.5]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/fb_used_pct/mean [10.0]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/temp_gpu_c/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  inputs/0/rejected {}

logs that only begin like one that a map describes
# Where a log lacks what the map needs, it is read as if there were no map; radeontop's bus is a GPU.
  $ printf 'fps,frametime,cpu_load,gpu_load,gpu_power,timestamp\n60,16,5,50,100,2026-07-03 10:00:00\n60,16,5,52,100,2026-07-03 10:00:05\n' >a.csv
  $ printf 'Freq MHz req,Freq MHz act,timestamp,gpu_util(%%)\n300,250,2026-07-03 10:00:00,50\n300,250,2026-07-03 10:00:05,52\n' >b.csv
  $ printf '{"timestamp": "2026-07-03T10:00:0%d", "gpu_activity": 50, "gpu_util": %d, "power_w": 200}\n' 0 40 1 42 >c.jsonl
  $ printf '%d.1: bus %s, gpu %d.00%%, ee 0.00%%, vgt 1.67%%, vram %d.00%% 819.20mb\n' 1772359200 0a 50 10 1772359200 0b 60 20 1772359201 0a 54 10 1772359201 0b 62 20 >d.log
  $ for f in a.csv b.csv c.jsonl d.log; do smilog summarize -q --json --run-per file $f | python3 -SE ../../pick.py inputs/0/format duration_s gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/power_w/mean gpus/*/metrics/fb_used_pct/mean; done
  inputs/0/format "gpu-csv"
  duration_s 5.0
  gpus/*/metrics/gpu_util_pct/mean [51.0]
  gpus/*/metrics/power_w/mean [100.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  inputs/0/format "gpu-csv"
  duration_s 5.0
  gpus/*/metrics/gpu_util_pct/mean [51.0]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/fb_used_pct/mean [absent]
  inputs/0/format "gpu-json"
  duration_s 1.0
  gpus/*/metrics/gpu_util_pct/mean [41.0]
  gpus/*/metrics/power_w/mean [200.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  inputs/0/format "gpu-csv"
  duration_s 1.0
  gpus/*/metrics/gpu_util_pct/mean [52.0, 61.0]
  gpus/*/metrics/power_w/mean [absent, absent]
  gpus/*/metrics/fb_used_pct/mean [10.0, 20.0]
# an Intel board that computes does not render
  $ printf 'Freq MHz req,Freq MHz act,RC6 %%,RCS %%,CCS %%\n1200,1150,5,0.0,95.0\n1200,1150,5,0.0,85.0\n' >e.csv
  $ smilog summarize -q --format csv --columns gpu_util_mean_pct e.csv
  gpu_util_mean_pct
  90.0

logs of a map that go on in odd ways
# A second session has its lines about the system in the middle. A radeontop without buses has one GPU, and so has a stream of it.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ { printf 'os,cpu,gpu,ram,kernel,driver\nLinux,AMD,,15160364,6.16,\nfps,frametime,cpu_load,gpu_load,elapsed\n'; printf '60,16,5,%d,%d000000000\n' 50 1 52 2 54 3; } >session
  $ cat session session >a.csv
  $ printf '%d.1: gpu %d.00%%, ee 0.00%%, vgt 1.67%%, vram %d.00%% 819.20mb\n' 1772359200 50 10 1772359201 54 10 >b.log
  $ for f in a.csv b.log; do smilog summarize -q --json $f | python3 -SE "$root/tests/cases/pick.py" inputs/0/rows inputs/0/rejected duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean; done
  inputs/0/rows 6
  inputs/0/rejected {}
  duration_s 4.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [52.0]
  inputs/0/rows 2
  inputs/0/rejected {}
  duration_s 1.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [52.0]
  $ smilog follow --once --json --tz UTC - <b.log | grep -o '"index": [^,]*' | sort -u
  "index": 0
# dates that nothing tells, where the map does; "optional" is a word of its own
  $ printf ',/gpu/load\nTime,"GPU Core"\n01/05/2026 10:00:00,50\n01/05/2026 10:00:05,52\n' >lhm.csv
  $ printf 'time = 1 month-first, gpus = 1, gpu_util_pct = 2\n' >map
  $ smilog summarize -q --format csv --columns start,gpu_util_mean_pct --columns-from map lhm.csv
  start,gpu_util_mean_pct
  2026-01-05T10:00:00.000,51.0
  $ printf 'time = 1, fb_used_mib = "used" GiBoptional\n' >map
  $ smilog summarize -q --columns-from map lhm.csv
  2> smilog: --columns-from map:1: no unit of this column: "GiBoptional": MiB
  2> try: smilog help summarize
  [2]
# a number of no GPU: the row is of none that is known
  $ printf '{"run": "a", "input": "x", "format": "rocm", "row": %d, "time": "2026-07-03T10:00:00.%d00Z", "gpu": %s, "power_w": 100}\n' 0 1 0 1 2 56508142144839553417296 >c.jsonl
  $ smilog summarize -q --json c.jsonl | python3 -SE "$root/tests/cases/pick.py" gpus/*/gpu problems/*/text inputs/0/rows
  gpus/*/gpu [0, null]
  problems/*/text [absent, absent, absent, absent]
  inputs/0/rows 2
  $ { echo '{"wandb": "gpu", "index": -1, "name": "Other", "memory": 1048576}'; echo '{"wandb": "gpu", "index": 0, "name": "Card"}'; printf '{"wandb": "stats", "time": %d, "gpu.0.gpu": 50}\n' 1783072800 1783072801; } >d.txt
  $ smilog summarize -q --json d.txt | python3 -SE "$root/tests/cases/pick.py" gpus/*/gpu gpus/*/name inputs/0/messages
  gpus/*/gpu [0]
  gpus/*/name ["Card"]
  inputs/0/messages 2

a sentinel of one tool in the log of another
# gpustat's "??" is a missing reading wherever it stands, and no fault of the GPU; so is a unit without a number.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ printf 'timestamp, index, utilization.gpu [%%], power.draw [W]\n2026/07/03 10:00:0%d.000, 0, %s, %s\n' 0 '45 %' '100.00 W' 1 '??' '- W' 2 '45 %' '100.00 W' >q.csv
  $ smilog summarize -q --json q.csv | python3 -SE "$root/tests/cases/pick.py" inputs/0/rows errors inputs/0/cells/missing inputs/0/cells/bad inputs/0/problems
  inputs/0/rows 2
  errors []
  inputs/0/cells/missing 2
  inputs/0/cells/bad 0
  inputs/0/problems [{"line": 4, "text": "no usable number: \"2026/07/03 10:00:01.000, 0, ??, - W\""}]
# without a blank nvidia-smi printed no unit: a torn row may have put the two together
  $ sed 's/45 %/45%/' q.csv >torn.csv
  $ smilog summarize -q --json torn.csv 2>/dev/null | python3 -SE "$root/tests/cases/pick.py" inputs/0/cells/bad
  inputs/0/cells/bad 2

refused by the right name
# A signature names one tool only, and what is advised makes a log that is read.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ printf 'Freq MHz req,Freq MHz act,IRQ /s,RC6 %%,Power W gpu,Power W pkg,RCS %%,RCS se,RCS wa\n300.0,250.0,50.0,85.5,3.1,12.5,10.2,0,0\n1200.0,1150.0,500.0,5.5,9.1,22.5,90.2,0,0\n' >igt.csv
  $ printf ' Freq MHz      IRQ RC6     Power W             RCS\n req  act       /s   %%   gpu   pkg       %%  se  wa\n 300  250       50  85   3.1  12.5    10.2   0   0\n' >igt.txt
  $ printf '{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {"id": 0, "name": "NVIDIA A100"}\n  ],\n' >trace.json
  $ printf '{\n   "schemaVersion": 1,\n   "name": "library/x"\n}\n' >manifest.json
  $ for f in igt.txt trace.json manifest.json; do smilog summarize $f 2>&1 | grep -v '^smilog: no usable'; done
  smilog: igt.txt: warning: cannot be used: a log of intel_gpu_top (Intel), not read: print CSV with -c, or JSON with -J
  smilog: trace.json: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: manifest.json: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "{"
  $ printf 'gpu_util_pct = "RCS %%"\npower_w = "Power W gpu"\n' >map
  $ smilog summarize -q --columns-from map --interval 1 --format csv --columns gpu_util_mean_pct,power_watts_mean,duration_s igt.csv
  gpu_util_mean_pct,power_watts_mean,duration_s
  50.2,6.1,1.0
  $ printf 'Timestamp, DeviceId, GPU Utilization (%%), GPU Power (W), GPU Memory Used (MiB)\n05:47:42.000,    0, 10.00, 51.82, 400.0\n05:47:43.000,    0, N/A, 50.37, 500.0\n' >xpu.csv
  $ smilog summarize -q --format csv --columns gpu_util_mean_pct,power_watts_mean,peak_vram_mb,duration_s xpu.csv
  gpu_util_mean_pct,power_watts_mean,peak_vram_mb,duration_s
  10.0,51.1,500.0,1.0
  $ rm -r "$d"

refused by the tool that wrote it
# One line of each tool's real output; a job log that begins with such a line and goes on as a log is read.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t"
  $ n=0
  $ while IFS= read -r line; do n=$((n + 1)); printf "$line\n" >log$n; smilog summarize log$n; done <<'LINES' 2>&1 | grep cannot
  > *** Sampled system activity (Wed Jul  1 10:00:00 2026 +0200) (5007.25ms elapsed) ***
  > 00, 01-07-2026 10:00:00, Hardware monitoring log v1.6 
  > Date,Time,"Core VIDs (avg) [V]","GPU Core Load [%%]"
  > os,cpu,gpu,ram,kernel,driver,cpuscheduler
  > "(PDH-CSV 4.0) (UTC)(0)","\\\\\\\\PC\\\\GPU Engine(*)\\\\Utilization Percentage"
  > index,name,utilization.gpu,utilization.compute
  > Freq MHz      IRQ RC6             Power W     IMC MiB/s
  > 1782900000.123456: bus 0a, gpu 12.50%%, ee 0.00%%, vgt 1.67%%, ta 10.00%%
  >  ======================== ROCm System Management Interface ========================
  > GPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%%   MEM%%
  >  Performance counter stats for 'python train.py':
  > Linux 6.1.0-18-amd64 (node7) \t07/01/2026 \t_x86_64_\t(64 CPU)
  > procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
  > top - 10:00:00 up 3 days,  2:11,  1 user,  load average: 0.00, 0.01, 0.05
  > \tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity
  > GPU 0: NVIDIA A30 (UUID: GPU-6e9c2b1f-1111-2222-3333-444455556666)
  > ==4242== NVPROF is profiling process 4242, command: python train.py
  > ==PROF== Connected to process 4242 (/usr/bin/python3.11)
  >  ** CUDA API Summary (cuda_api_sum):
  >                 Name    Self CPU %%      Self CPU   CPU total %%
  > {"schemaVersion": 1, "deviceProperties": [
  > | N/A   43C    P0    97W / 300W |   1835MiB / 46068MiB |     29%%      Default |
  > 0: | NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2     |
  > LINES
  smilog: log1: warning: cannot be used: a log of powermetrics (macOS), not read: make a CSV of it, and name its columns with --columns-from FILE
  smilog: log2: warning: cannot be used: a log of MSI Afterburner (hml): give the numbers of its columns (2 is the time) with --columns-from FILE
  smilog: log4: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "os,cpu,gpu,ram,kernel,driver,cpuscheduler"
  smilog: log5: warning: cannot be used: a log of typeperf (Windows), not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log6: warning: cannot be used: a log of xpu-smi (Intel) or variorum: name its columns with --columns-from FILE
  smilog: log7: warning: cannot be used: a log of intel_gpu_top (Intel), not read: print CSV with -c, or JSON with -J
  smilog: log9: warning: cannot be used: the table of rocm-smi, not read: add --csv to its command, or record with amd-smi monitor --csv -w 1 > FILE
  smilog: log10: warning: cannot be used: the table of amd-smi monitor, not read: record with amd-smi monitor --csv -w 1 > FILE
  smilog: log11: warning: cannot be used: the output of perf stat, sar, mpstat, iostat, pidstat, vmstat, top, dstat, kubectl top or scaphandre: has no readings of GPUs over time
  smilog: log12: warning: cannot be used: the output of perf stat, sar, mpstat, iostat, pidstat, vmstat, top, dstat, kubectl top or scaphandre: has no readings of GPUs over time
  smilog: log13: warning: cannot be used: the output of perf stat, sar, mpstat, iostat, pidstat, vmstat, top, dstat, kubectl top or scaphandre: has no readings of GPUs over time
  smilog: log14: warning: cannot be used: the output of perf stat, sar, mpstat, iostat, pidstat, vmstat, top, dstat, kubectl top or scaphandre: has no readings of GPUs over time
  smilog: log15: warning: cannot be used: nvidia-smi topo, -L or nvlink: has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log16: warning: cannot be used: nvidia-smi topo, -L or nvlink: has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log17: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log18: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log19: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log20: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log21: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log22: warning: cannot be used: lines of nvidia-smi's table without its head (grep MiB?), not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log23: warning: cannot be used: a table without nvidia-smi's lines of GPUs, or behind a prefix (srun --label, ts): not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  $ printf '\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\x09\0\0\x80\x1e\x5c\x6d\xda\x41\x1a\x0dbrain.Event:2\x10\x20\x30\x40' >events.out.tfevents.1
  $ smilog summarize events.out.tfevents.1
  2> smilog: events.out.tfevents.1: warning: cannot be used: an event file of TensorBoard: has no readings of GPUs over time
  2> smilog: no usable log in events.out.tfevents.1
  [3]
  $ printf 'GPU 0: NVIDIA A30 (UUID: GPU-6e9c)\nutilization.gpu [%%], memory.used [MiB]\n5 %%, 10 MiB\n' | smilog summarize -q --format line -
  {"v":1,"ngpu":1,"gpu_util":5.0,"gpu_mem_max":10,"gpu_power":null,"gpu_h":null,"idle_h":null,"wh":null,"state":"unknown"}

refused other separators
# What --columns-from reads is said, whatever stands between the columns.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ printf 'timestamp;index;power.draw [W]\n03.07.2026 10:00:00;0;228.45\n' >semicolons.csv
  $ printf 'timestamp\tindex\tpower.draw [W]\n2026/07/03 10:00:00.123\t0\t228.45\n' >tabs.csv
  $ for f in semicolons.csv tabs.csv; do smilog summarize $f 2>&1; done
  smilog: semicolons.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "timestamp;index;power.draw [W]"
  smilog: no usable log in semicolons.csv
  smilog: tabs.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "timestamp\x09index\x09power.draw [W]"
  smilog: no usable log in tabs.csv
  [3]

refused pmon without header
  $ cat >log <<'EOF'
  >     0       2101     C    40    12     0     0   train
  >     0       2102     C     3     1     0     0   loader
  >     0       2101     C    60    14     0     0   train
  >     0       2102     C     -     -     -     -   loader
  > EOF
  $ smilog summarize log 2>&1 | head -n 1
  smilog: log: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "0       2101     C    40    12     0     0   train"

refused prometheus
  $ cat >log.txt <<'EOF'
  > # HELP node_power_watts Power
  > # TYPE node_power_watts gauge
  > node_power_watts{node="1"} 59.2
  > EOF
  $ smilog summarize log.txt
  2> smilog: log.txt: warning: cannot be used: metrics of Prometheus, none of them of dcgm-exporter, nvidia_gpu_exporter or all-smi: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  2> smilog: no usable log in log.txt
  [3]

refused unknown csv
  $ cat >log <<'EOF'
  > timestamp,power_draw_W
  > 1,2
  > EOF
  $ smilog summarize --json log 2>&1 | grep -c 'no known log format'
  1
  $ smilog summarize -q log
  2> smilog: no usable log in log
  [3]

refused xpu smi
  $ cat >log <<'EOF'
  > index,name,utilization.gpu,utilization.compute
  > 0,x,1,2
  > EOF
  $ smilog summarize --json log 2>&1 | grep -c 'xpu-smi'
  1
  $ smilog summarize -q log
  2> smilog: no usable log in log
  [3]

retired pages have no readings
  $ smilog summarize -q --json ../../../fixtures/retired_pages.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus processes state problems
  inputs/0/format "retired-pages"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  gpus []
  processes []
  state "no-data"
  problems ["no GPU log", "no CPU log"]

runlog deep nesting is one bad line
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:00:01.000+00:00", "type": "event", "event": "stop"}
  > EOF
  $ (head -n 1 run.jsonl; printf '{"ts": "x", "type": "event", "data": '; head -c 900000 /dev/zero | tr '\0' '['; echo; tail -n 1 run.jsonl) |
  >     smilog summarize -q --json - | python3 -SE ../../pick.py inputs/0/rows inputs/0/rejected
  inputs/0/rows 2
  inputs/0/rejected {"foreign": 1}

runlog nan is no value
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "phase", "name": "fit", "seconds": 1.5, "loss": NaN}
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "error", "data": {"loss": -Infinity}}
  > EOF
  $ smilog summarize -q --json run.jsonl | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected events phases/0/count
  inputs/0/rows 2
  inputs/0/rejected {}
  events {"error": 1}
  phases/0/count 1

runlog offsets are read
  $ cat >run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+02:00", "type": "event", "event": "start"}
  > {"ts": "2026-07-03T10:30:00Z", "type": "event", "event": "stop"}
  > EOF
  $ smilog summarize -q --json run.jsonl | python3 -SE ../../pick.py \
  >     start end
  start "2026-07-03T08:00:00.000Z"
  end "2026-07-03T10:30:00.000Z"

samples csv are what they were made of
  $ smilog summarize -q --json run/samples.csv | python3 -SE ../../pick.py state hostname time_base params events phases/*/name phases/*/seconds gpus/*/gpu gpus/*/samples \
  >     gpus/*/energy_wh gpus/*/metrics/gpu_util_pct/count gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean host/metrics/cpu_usr_pct/mean inputs/*/format inputs/0/lines \
  >     inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  state "unknown"
  hostname null
  time_base "utc"
  params {"lr": 0.1, "seed": 4}
  events {}
  phases/*/name []
  phases/*/seconds []
  gpus/*/gpu [0, 1]
  gpus/*/samples [8, 8]
  gpus/*/energy_wh [1.372732, 1.399369]
  gpus/*/metrics/gpu_util_pct/count [8, 8]
  gpus/*/metrics/gpu_util_pct/mean [0.0, 0.0]
  gpus/*/metrics/mem_util_pct/mean [0.0, 0.0]
  host/metrics/cpu_usr_pct/mean 23.7
  inputs/*/format ["samples-csv"]
  inputs/0/lines 49
  inputs/0/header 1
  inputs/0/rows 48
  inputs/0/rejected {}
  inputs/0/problems/*/text []

samples jsonl are what they were made of
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ mkdir "$d/archive"
  $ echo '{"run": "another", "host": null, "input": "x", "format": "dmon", "row": 0, "time": null, "gpu": 0, "power_w": 1.0}' | cat run/samples.jsonl - >"$d/archive/both.jsonl"; tar -C "$d" -cf "$d/both.tar" archive
# in an archive it is one log, of one run
  $ smilog summarize -q --json "$d/both.tar" | python3 -SE ../../pick.py state hostname time_base params events phases/*/name phases/*/seconds gpus/*/gpu gpus/*/samples \
  >     gpus/*/energy_wh gpus/*/metrics/gpu_util_pct/count gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/mem_util_pct/mean host/metrics/cpu_usr_pct/mean inputs/*/format inputs/0/lines \
  >     inputs/0/header inputs/0/rows inputs/0/rejected inputs/0/problems/*/text
  state "cut"
  hostname "pod-4"
  time_base "utc"
  params {"model": "hestonnn", "batch": 4096, "lr": 0.1, "seed": 4, "epochs": 50}
  events {"start": 1}
  phases/*/name ["data", "compile", "fit"]
  phases/*/seconds [79.5, 138.3, 596.554]
  gpus/*/gpu [0, 1]
  gpus/*/samples [8, 8]
  gpus/*/energy_wh [1.372732, 1.399369]
  gpus/*/metrics/gpu_util_pct/count [8, 8]
  gpus/*/metrics/gpu_util_pct/mean [0.0, 0.0]
  gpus/*/metrics/mem_util_pct/mean [0.0, 0.0]
  host/metrics/cpu_usr_pct/mean 23.7
  inputs/*/format ["samples-jsonl"]
  inputs/0/lines 61
  inputs/0/header 0
  inputs/0/rows 60
  inputs/0/rejected {"foreign": 1}
  inputs/0/problems/*/text ["rows of another run than lr=0.1/seed=4: only those of the first are read, export runs one by one", "no row, no header, no known message: \"{\"run\": \"another\", \"host\": null, \"input\": \"x\", \"format\": \"dm...\""]
  $ smilog export -q run/samples.jsonl --to jsonl:- | grep -c '"gpu"'
  32

samples of a run without a name
# They are a run beside the others of the file, which is named as the file is.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for to in csv jsonl; do
  >     smilog export -q --to $to:x.$to "$root/tests/fixtures/query_units.csv"
  >     sed -i -E '2,5{s/^query_units,/,/;s/"run": "[^"]*"/"run": ""/}' x.$to
  >     smilog summarize -q --format csv --sql "SELECT run, sum(samples) FROM gpus GROUP BY run" x.$to
  > done
  run,sum(samples)
  query_units,20
  x.csv,4
  run,sum(samples)
  query_units,20
  x.jsonl,4

samples jsonl entries of many values
# 256 values of an event are read, as of a RunLog; what is more is said
  $ for n in 256 257; do
  >     python3 -SE -c "
  > import json, sys
  > print(json.dumps({'run': 'r', 'host': None, 'input': 'run.jsonl', 'format': 'runlog', 'row': 0, 'time': '2026-07-03T22:10:46Z',
  >                   'event': 'start', 'data': {f'k{i}': i for i in range($n)}}))" >s.jsonl
  >     smilog summarize -q --json s.jsonl | python3 -SE -c "
  > import json, sys
  > r = json.load(sys.stdin)['runs'][0]; print(len(r['params']), r['inputs'][0]['rows'], r['inputs'][0]['problems'])"
  > done
  256 1 []
  256 1 [{'line': 1, 'text': 'more than 256 values: the rest is not read'}]
  $ rm s.jsonl

the same bytes from a pipe
# A file, a pipe, gz and tar of the same bytes: what is a log is decided by the same looks at them. A note that quotes a
# log is none; a log behind other lines is one; the first 1024 bytes may say less than all.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ row='2026/07/03 10:00:0%d.000, 0, %d %%\n'
  $ head='timestamp, index, utilization.gpu [%%]\n'
  $ { echo '# notes'; printf "$head"; printf "$row" 1 50; for i in 1 2 3 4 5 6; do echo "and so on, line $i of the text"; done; } >quotes.txt
  $ { seq -f 'starting worker %g' 2; printf "$head"; for i in 1 2 3 4 5; do printf "$row" $i 5$i; done; } >behind.txt
  $ { printf "$head"; printf "$row" 1 50; seq -f 'a line of a text that goes on for long, number %g' 60; } >long.txt
  $ { seq -f 'a line of a text that goes on for long, number %g' 60; printf "$head"; printf "$row" 1 50; } >late.txt
  $ for f in quotes behind long late; do
  >     gzip -k $f.txt
  >     tar cf $f.tar $f.txt
  >     for how in "smilog summarize --json $f.txt" "smilog summarize --json - <$f.txt" "cat $f.txt | smilog summarize --json -" \
  >         "smilog summarize --json $f.txt.gz" "cat $f.txt.gz | smilog summarize --json -" "smilog summarize --json $f.tar"; do
  >         n=$(eval "$how" 2>err | grep -o '"gpu_util_mean_pct": [0-9.]*' | head -n 1)
  >         echo "$f: ${n:-none} $(grep -o 'few lines of [a-z-]* among others' err | head -n 1)"
  >     done | sort | uniq -c | sed 's/^ *//'
  > done
  1 quotes: none\x20 (esc)
  5 quotes: none few lines of nvidia-smi-query among others
  6 behind: "gpu_util_mean_pct": 53.0\x20 (esc)
  6 long: "gpu_util_mean_pct": 50.0\x20 (esc)
  6 late: "gpu_util_mean_pct": 50.0\x20 (esc)

wandb damaged
# A byte of one record is another one: it is refused and counted, and those behind it are read.
  $ d=$(mktemp -d) && cp ../../../fixtures/wandb/run-20260703_100000-a1b2c3d4/*.wandb "$d" && cd "$d" || exit
  $ printf '\377' | dd of=run-a1b2c3d4.wandb bs=1 seek=5000 conv=notrunc status=none
  $ smilog summarize --json run-a1b2c3d4.wandb | python3 -SE "$OLDPWD/../../pick.py" inputs/0/lines inputs/0/rows inputs/0/messages inputs/0/rejected state
  inputs/0/lines 143
  inputs/0/rows 99
  inputs/0/messages 43
  inputs/0/rejected {"foreign": 1}
  state "ok"
  2> smilog: run-a1b2c3d4.wandb:22: warning: no row, no header, no known message: "{"wandb": "damaged record"}"
  $ rm -r "$d"

wandb items without a value
# An item of a sample that has a name and no value is none; those beside it are read.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ python3 -SE - <<'END'
  > import struct, zlib
  > def part(number, value):
  >     key = number << 3 | 2
  >     return (bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7])) + bytes([len(value)]) + value
  > def item(name, value=b""):
  >     return part(3, part(1, name) + (part(16, value) if value else b""))
  > log = b":W&B\xe1\xbe\0"
  > for second in (b"\xa0", b"\xaa"):
  >     record = b"\1" + part(7, part(2, b"\x08" + second + b"\x81\x9e\xd2\x06") + item(b"gpu.0.temp") + item(b"gpu.0.gpu", b"50"))
  >     log += struct.pack("<IH", zlib.crc32(record), len(record) - 1) + record
  > open("run-a1b2c3d4.wandb", "wb").write(log)
  > END
  $ smilog summarize -q --json run-a1b2c3d4.wandb | python3 -SE "$pick" gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/temp_gpu_c inputs/0/rows inputs/0/rejected
  gpus/0/metrics/gpu_util_pct/mean 50.0
  gpus/0/metrics/temp_gpu_c absent
  inputs/0/rows 2
  inputs/0/rejected {}
  $ rm -r "$d"

wandb value with a second key
# A value of the configuration is copied only if it is one JSON text: no quote inside it can add a parameter.
  $ d=$(mktemp -d) && pick=$PWD/../../pick.py && cd "$d" || exit
  $ python3 -SE - <<'END'
  > import struct, zlib
  > def part(number, value):
  >     key = number << 3 | 2
  >     return (bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7])) + bytes([len(value)]) + value
  > def item(number, name, value):
  >     return part(number, part(1, name) + part(16, value))
  > time = b"\x08\xa0\x81\x9e\xd2\x06"
  > config = item(1, b"model", b'"a", "lr": "b"') + item(1, b"batch", b'64') + item(1, b"name", b'"x \\"y\\" z"')
  > records = [part(17, part(4, config) + part(17, time)),
  >            part(7, part(2, time) + item(3, b"gpu.0.gpu", b"50") + item(3, b"gpu.0.temp", b'"40", "gpu.0.memory": "9"'))]
  > log = b":W&B\xe1\xbe\0"
  > for record in records:
  >     record = b"\1" + record
  >     log += struct.pack("<IH", zlib.crc32(record), len(record) - 1) + record
  > open("run-a1b2c3d4.wandb", "wb").write(log)
  > END
  $ smilog summarize -q --json run-a1b2c3d4.wandb | python3 -SE "$pick" params gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/mem_util_pct inputs/0/rows inputs/0/rejected
  params {"batch": 64, "name": "x \"y\" z"}
  gpus/0/metrics/gpu_util_pct/mean 50.0
  gpus/0/metrics/mem_util_pct absent
  inputs/0/rows 2
  inputs/0/rejected {}
  $ rm -r "$d"

wandb packed
# The same run as a file, from a pipe, packed, and in an archive: the same readings.
  $ d=$(mktemp -d) && cp ../../../fixtures/wandb/run-20260703_100000-a1b2c3d4/*.wandb "$d" && cd "$d" || exit
  $ readings() { smilog summarize -q --json "$@" | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print(r["inputs"][0]["rows"], r["summary"])'; }
  $ readings run-a1b2c3d4.wandb
  100 {'peak_vram_mb': 20517.2, 'gpu_util_mean_pct': 74.0, 'gpu_util_max_pct': 99.0, 'power_watts_mean': 289.5, 'power_watts_max': 366.9, 'cpu_usr_mean_pct': None, 'cpu_idle_mean_pct': None, 'mem_util_mean_pct': 36.8, 'mem_util_max_pct': 49.0}
  $ readings - <run-a1b2c3d4.wandb
  100 {'peak_vram_mb': 20517.2, 'gpu_util_mean_pct': 74.0, 'gpu_util_max_pct': 99.0, 'power_watts_mean': 289.5, 'power_watts_max': 366.9, 'cpu_usr_mean_pct': None, 'cpu_idle_mean_pct': None, 'mem_util_mean_pct': 36.8, 'mem_util_max_pct': 49.0}
  $ gzip -k *.wandb && readings *.gz
  100 {'peak_vram_mb': 20517.2, 'gpu_util_mean_pct': 74.0, 'gpu_util_max_pct': 99.0, 'power_watts_mean': 289.5, 'power_watts_max': 366.9, 'cpu_usr_mean_pct': None, 'cpu_idle_mean_pct': None, 'mem_util_mean_pct': 36.8, 'mem_util_max_pct': 49.0}
  $ tar cf x.tar *.wandb && readings x.tar
  100 {'peak_vram_mb': 20517.2, 'gpu_util_mean_pct': 74.0, 'gpu_util_max_pct': 99.0, 'power_watts_mean': 289.5, 'power_watts_max': 366.9, 'cpu_usr_mean_pct': None, 'cpu_idle_mean_pct': None, 'mem_util_mean_pct': 36.8, 'mem_util_max_pct': 49.0}
  $ smilog summarize --partial -q -o p *.wandb && smilog merge -q --json p | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print(r["inputs"][0]["rows"], r["summary"])'
  100 {'peak_vram_mb': 20517.2, 'gpu_util_mean_pct': 74.0, 'gpu_util_max_pct': 99.0, 'power_watts_mean': 289.5, 'power_watts_max': 366.9, 'cpu_usr_mean_pct': None, 'cpu_idle_mean_pct': None, 'mem_util_mean_pct': 36.8, 'mem_util_max_pct': 49.0}
  $ smilog follow --once *.wandb
  2> smilog: warning: run-a1b2c3d4.wandb: packed, UTF-16, W&B or of a terminal: not followed (smilog summarize reads it)
  2> smilog: there is no log to look at
  [3]
  $ echo "status $?"
  status 3
  $ rm -r "$d"

wandb runs
# Runs as Weights & Biases leaves them: parameters, state, host, readings of two GPUs; a link to the last one is no run.
  $ d=$(mktemp -d) && cp -r ../../../fixtures/wandb "$d" && cd "$d" && ln -s offline-run-20260703_120000-c3d4e5f6 wandb/latest-run || exit
  $ smilog summarize wandb
  3 runs in wandb   2 x A100-SXM4-40GB   batch_size=64 model=resnet
  2026-07-03 10:00 to 12:09, UTC   sampled every 15.0 s   77.6 % of the time of the GPUs lies between runs, at most 50m15s

  RUN                                   display_name  lr                   STATE     TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB      W  °C  CPU %  THROTTLED %     Wh  WASTED h  START                      HOST   NOTE
  offline-run-20260703_120000-c3d4e5f6  sweep-2       0.03333333333333333  cut      9m46s  74.5!     99  ▁▆▇▇▇▇▇▇▇▇     7.9   20.0/40  581.8  73      -            -   92.1     0.02   2026-07-03T12:00:00+00:00  node1  GPU 1 behind
  run-20260703_100000-a1b2c3d4          sweep-0       0.1                  ok      10m05s  74.9!     99  ▁▇▇▇▇▇▇▇▇▇     7.7   20.0/40  584.3  73      -            -   94.9     0.02   2026-07-03T10:00:00+00:00  node1  GPU 1 behind
  run-20260703_110000-b2c3d4e5          sweep-1       0.05                 FAILED  10m05s  74.8!     99  ▁▇▇▇▇▇▇▇▇▇     7.7   20.0/40  583.6  73      -            -   94.8     0.32!  2026-07-03T11:00:00+00:00  node1  exit status 1 (W&B)
  total                                 -             -                    -       29m56s  74.7       -  -              7.8   20.0         -  73      -            -  281.9     0.38   -                          -      2 ended early

  Where 0.38 of 0.97 GPU-hours went (38.8 %)
  CAUSE   GPU-h  WHERE                         WHAT HAPPENED
  failed   0.32  run-20260703_110000-b2c3d4e5  the run failed: exit status 1 (W&B)
  start    0.05  2 runs                        idle before the first work, 45s on average
  warnings: 1 last line cut off and skipped
  quality: complete
  3 runs, 0.97 GPU-h, 281.9 Wh, GPU 74.7 %, 0.38 GPU-h wasted (38.8 %), 1 failed, 1 cut
  2> smilog: offline-run-20260703_120000-c3d4e5f6/run-c3d4e5f6.wandb:140: warning: unfinished last line: "a record that the end of the file cuts off"
  2> smilog: links inside directories that were not followed: 1 (--follow-links)
  $ smilog summarize -q --json wandb | python3 -SE "$OLDPWD/../../pick.py" 'gpus/*/uuid' 'gpus/*/name'
  gpus/*/uuid ["GPU-00000000-0000-4000-8000-000000000000", "GPU-00000001-0000-4000-8000-000000000000"]
  gpus/*/name ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB"]
  $ rm -r "$d"

more logs that a map of the program describes
# Means of two by hand: 50 and 60 %, 20 and 30 % of the second GPU, 2.5 and 3.5 W. macmon's use is a share of 1.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ { echo timestamp,total,nvidia0.fan_speed,nvidia0.gpu_id,nvidia0.key,nvidia0.mem,nvidia0.name,nvidia0.proc,nvidia0.temperature,nvidia1.mem,nvidia1.proc,eth0.rx; printf '2026-03-01 10:00:%s,5,30,nvidia0,gpu_id,40,A100,%s,62,41,%s,7\n' 00 50 20 10 60 30; } >glances.csv
  $ { echo timestamp,cpu_total,gpu_0_key,gpu_0_gpu_id,gpu_0_name,gpu_0_mem,gpu_0_proc; printf '2026-03-01 10:00:%s,5,gpu_id,0,A100,40,%s\n' 00 50 10 60; } >glances_old.csv
  $ { echo '['; for load in 50.5 60.5; do printf '{\n\t"period": {\n\t\t"duration": 1000.1,\n\t\t"unit": "ms"\n\t},\n\t"frequency": {\n\t\t"requested": 1200.0,\n\t\t"actual": 1150.0,\n\t\t"unit": "MHz"\n\t},\n\t"rc6": {\n\t\t"value": 5.5,\n\t\t"unit": "%%"\n\t},\n\t"power": {\n\t\t"GPU": 9.5,\n\t\t"Package": 22.5,\n\t\t"unit": "W"\n\t},\n\t"engines": {\n\t\t"Render/3D": {\n\t\t\t"busy": %s,\n\t\t\t"sema": 0.0,\n\t\t\t"unit": "%%"\n\t\t},\n\t\t"Video": {\n\t\t\t"busy": 1.0,\n\t\t\t"unit": "%%"\n\t\t}\n\t}\n},\n' $load; done; } >igt.json
  $ printf '{"timestamp":"2026-03-01T10:00:%s+00:00","temp":{"cpu_temp_avg":43.5,"gpu_temp_avg":36.5},"ecpu_usage":[1181,0.08],"pcpu_usage":[1974,0.01],"gpu_usage":[461,%s],"cpu_power":0.2,"gpu_power":%s,"all_power":2.7}\n' 00 0.5 2.5 10 0.6 3.5 >macmon.json
  $ for t in 0 1; do printf '2026-03-01 10:00:%d0\n# HELP all_smi_gpu_utilization Use\nall_smi_gpu_utilization{gpu="A100", instance="n1", uuid="GPU-1", index="3"} %d0\nall_smi_gpu_memory_used_bytes{gpu="A100", instance="n1", uuid="GPU-1", index="3"} 2147483648\nall_smi_gpu_power_consumption_watts{gpu="A100", instance="n1", uuid="GPU-1", index="3"} 200\n' $t $((t + 5)); done >scrape.prom
  $ for f in *.csv *.json *.prom; do echo $f; smilog summarize -q --json --run-per file $f | python3 -SE pick.py inputs/0/format duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean gpus/*/metrics/fb_used_pct/mean gpus/*/metrics/fb_used_mib/mean gpus/*/metrics/power_w/mean gpus/*/metrics/clk_gr_mhz/mean inputs/0/rejected; done
  glances.csv
  inputs/0/format "gpu-csv"
  duration_s 10.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [55.0, 25.0]
  gpus/*/metrics/fb_used_pct/mean [40.0, 41.0]
  gpus/*/metrics/fb_used_mib/mean [absent, absent]
  gpus/*/metrics/power_w/mean [absent, absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent, absent]
  inputs/0/rejected {}
  glances_old.csv
  inputs/0/format "gpu-csv"
  duration_s 10.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_pct/mean [40.0]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/power_w/mean [absent]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  inputs/0/rejected {}
  igt.json
  inputs/0/format "gpu-json"
  duration_s null
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.5]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/power_w/mean [9.5]
  gpus/*/metrics/clk_gr_mhz/mean [1150.0]
  inputs/0/rejected {}
  macmon.json
  inputs/0/format "gpu-json"
  duration_s 10.0
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/*/metrics/power_w/mean [3.0]
  gpus/*/metrics/clk_gr_mhz/mean [461.0]
  inputs/0/rejected {}
  scrape.prom
  inputs/0/format "gpu-exporter"
  duration_s 10.0
  gpus/*/gpu [3]
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  gpus/*/metrics/fb_used_pct/mean [absent]
  gpus/*/metrics/fb_used_mib/mean [2048.0]
  gpus/*/metrics/power_w/mean [200.0]
  gpus/*/metrics/clk_gr_mhz/mean [absent]
  inputs/0/rejected {}

a map of the program below the lines of a job
# The line in front begins as a list of JSON would.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ { echo '[INFO] begin'; for load in 45 55; do printf '| ID | GPU | MEM |\n------------------\n|  0 | %d%% | 12%% |\n' $load; done; } >job.log
  $ { echo '[INFO] begin'; printf '{"temp":{"gpu_temp_avg":36.5},"ecpu_usage":[1181,0.08],"gpu_usage":[461,%s],"gpu_power":2.5}\n' 0.5 0.6; } >mac.log
  $ for f in *.log; do smilog summarize -q --json --run-per file $f | python3 -SE pick.py gpus/*/metrics/gpu_util_pct/mean inputs/0/rejected; done
  gpus/*/metrics/gpu_util_pct/mean [50.0]
  inputs/0/rejected {}
  gpus/*/metrics/gpu_util_pct/mean [55.0]
  inputs/0/rejected {"foreign": 1}

share of the engines in a csv of ones own
# Without a unit, sm_active may be a share of 1: it is not read.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ printf 'timestamp,gpu,gpu_util_pct,sm_active_pct,dram_active,tensor_active (fraction),sm_occupancy\n2026-03-01 10:00:%s,0,50,%s,0.4,%s,5%%\n' 00 40 0.1 >log.csv
  $ printf '2026-03-01 10:00:10,0,50,60,0.4,0.2,7%%\n' >>log.csv
  $ smilog summarize -q --json log.csv | python3 -SE pick.py gpus/0/metrics/sm_active_pct/mean gpus/0/metrics/tensor_active_pct/mean gpus/0/metrics/dram_active_pct/mean gpus/0/metrics/sm_occupancy_pct/mean inputs/0/problems/*/text
  gpus/0/metrics/sm_active_pct/mean 50.0
  gpus/0/metrics/tensor_active_pct/mean 15.0
  gpus/0/metrics/dram_active_pct/mean absent
  gpus/0/metrics/sm_occupancy_pct/mean 6.0
  inputs/0/problems/*/text ["column 5 (dram_active_pct) has no unit and is not read"]

refused with a way forward
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ n=0; while IFS= read -r line; do n=$((n + 1)); printf "$line\n" >log$n; smilog summarize log$n; done <<'LINES' 2>&1 | grep cannot
  > \033[4mGPU0\tGPU1\tCPU Affinity\033[0m
  > GPU 00000000:41:00.0\n    Active vGPUs                      : 1
  > Successfully retrieved process info for PID: 42.\n+---------+
  > Successfully ran diagnostic for group.\n+---------+
  > DCGM_FI_DEV_GPU_UTIL{gpu="0"} =>\n50 @[1772359200]
  > {"n1": {"hostname": "n1", "timestamp": 1772359200000000, "socket_0": {"power_gpu_watts": {"GPU_0": 200.0}}}}
  > +----+\n| HL-SMI Version:    hl-1.15.1 |
  > +----+\n| npu-smi 23.0.2     Version: 23.0.2 |
  > 2026-03-01 10:00:00\n\tNPU ID          : 0\n\tHBM Usage Rate(%%) : 5
  > {\n  "device_level": [{\n"metrics_type": "XPUM_STATS_POWER",\n"value": 5}]\n}
  > "Step","run - system.gpu.0.gpu","run - system.gpu.0.gpu__MIN"\n"0","50","50"
  > {"labels": ["time", "gpu"], "data": [[1772359200, 60]]}
  > 2026-03-01 10:05:00 - CarbonTracker: 1\n2026-03-01 10:05:00 - Average power usage (W) for gpu: 200.5
  > id,start_time,duration(s),power_consumption(kWh),CO2_emissions(kg)\n1,2026-03-01 10:00:00,300,0.02,0.008
  > timestamp;tag;duration;package_0;nvidia_gpu_0\n1772359200.5;foo;10.0;20;20
  > TABLE,Region train,Group 1 Metric,ACTIVITY,1\nMetric,GPU 0,
  > =====\n      Slurm Job Statistics\n  GPU utilization  [||  50%%]
  > NAME      CPU(cores)   MEMORY(bytes)\ntrain-0   250m         2048Mi
  > {"epoch": 1.0, "log_history": [{"epoch": 0.5, "loss": 2.5, "step": 5}]}
  > "Dispatch_ID","GPU_ID","Queue_ID"\n1,1,1
  > | NVITOP 1.3.2       Driver Version: 550.54.15 |
  > LINES
  smilog: log1: warning: cannot be used: nvidia-smi topo, -L or nvlink: has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log2: warning: cannot be used: nvidia-smi vgpu, not read: record its GPU with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log3: warning: cannot be used: dcgmi stats or diag: has no readings of GPUs over time: record with dcgmi dmon -e 203,252,155 > FILE
  smilog: log4: warning: cannot be used: dcgmi stats or diag: has no readings of GPUs over time: record with dcgmi dmon -e 203,252,155 > FILE
  smilog: log5: warning: cannot be used: an answer of Prometheus or promtool, not read: make a CSV of it, whose columns have the names of the series, with their labels
  smilog: log6: warning: cannot be used: a log of xpu-smi (Intel) or variorum: name its columns with --columns-from FILE
  smilog: log7: warning: cannot be used: the table of hl-smi (Intel Gaudi), not read: record with hl-smi -Q timestamp,index,utilization.aip,memory.used,power.draw -f csv -l 1 > FILE
  smilog: log8: warning: cannot be used: the table of npu-smi (Ascend), not read: record with npu-smi info watch > FILE, and give the numbers of its columns (separator = blanks) with --columns-from FILE
  smilog: log9: warning: cannot be used: a log of npu-smi (Ascend): of npu-smi info watch > FILE give the numbers of its columns (separator = blanks) with --columns-from FILE
  smilog: log10: warning: cannot be used: JSON of xpu-smi stats (Intel), sums, not read: record with xpu-smi dump -d -1 -m 0,1,2,3,18 > FILE
  smilog: log11: warning: cannot be used: a chart of W&B, whose steps are no times: smilog reads the directory of the run (wandb/run-*)
  smilog: log12: warning: cannot be used: JSON of Netdata, not read: ask for format=csv&options=flip, and name its columns with --columns-from FILE
  smilog: log13: warning: cannot be used: a log of carbontracker, means of epochs: has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log14: warning: cannot be used: sums of runs or calls (eco2ai, Zeus, pyJoules, likwid or jobstats): has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log15: warning: cannot be used: sums of runs or calls (eco2ai, Zeus, pyJoules, likwid or jobstats): has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log16: warning: cannot be used: sums of runs or calls (eco2ai, Zeus, pyJoules, likwid or jobstats): has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log17: warning: cannot be used: sums of runs or calls (eco2ai, Zeus, pyJoules, likwid or jobstats): has no readings of GPUs over time: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: log18: warning: cannot be used: the output of perf stat, sar, mpstat, iostat, pidstat, vmstat, top, dstat, kubectl top or scaphandre: has no readings of GPUs over time
  smilog: log19: warning: cannot be used: the state of a Trainer of Hugging Face: has no readings of GPUs over time
  smilog: log20: warning: cannot be used: a profile (nvprof, ncu, nsys, rocprof or torch.profiler): has no readings of GPUs over time
  smilog: log21: warning: cannot be used: the table of nvitop, not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
