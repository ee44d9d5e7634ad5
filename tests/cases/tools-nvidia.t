nvidia report in a loop
# The power is the mean where it has one.
  $ smilog summarize -q --json --run-per file ../../../fixtures/nvidia/report_loop.txt | python3 -SE ../../pick.py gpus/*/name gpus/*/uuid gpus/*/samples gpus/*/energy_wh \
  >     gpus/*/metrics/{gpu_util_pct,mem_util_pct,fb_used_mib,power_w,power_avg_w,power_inst_w,power_limit_w,power_limit_enforced_w,temp_gpu_c,mig_mode,pcie_gen,fan_pct}/{count,max} \
  >     gpus/*/throttle_pct inputs/0/{format,lines,header,rows,messages,blank,rejected} inputs/0/problems/*/text
  gpus/*/name ["NVIDIA A30", "NVIDIA A30"]
  gpus/*/uuid ["GPU-6f1f0000-1111-2222-3333-444400000001", "GPU-6f1f0000-1111-2222-3333-444400000002"]
  gpus/*/samples [3, 3]
  gpus/*/energy_wh [0.840278, 0.172222]
  gpus/*/metrics/gpu_util_pct/count [3, 3]
  gpus/*/metrics/gpu_util_pct/max [89.0, 0.0]
  gpus/*/metrics/mem_util_pct/count [3, 3]
  gpus/*/metrics/mem_util_pct/max [41.0, 0.0]
  gpus/*/metrics/fb_used_mib/count [3, 3]
  gpus/*/metrics/fb_used_mib/max [9216.0, 4.0]
  gpus/*/metrics/power_w/count [3, 3]
  gpus/*/metrics/power_w/max [152.25, 31.0]
  gpus/*/metrics/power_avg_w/count [3, absent]
  gpus/*/metrics/power_avg_w/max [152.25, absent]
  gpus/*/metrics/power_inst_w/count [3, 3]
  gpus/*/metrics/power_inst_w/max [171.5, 31.0]
  gpus/*/metrics/power_limit_w/count [3, 3]
  gpus/*/metrics/power_limit_w/max [160.0, 160.0]
  gpus/*/metrics/power_limit_enforced_w/count [3, 3]
  gpus/*/metrics/power_limit_enforced_w/max [165.0, 165.0]
  gpus/*/metrics/temp_gpu_c/count [3, 3]
  gpus/*/metrics/temp_gpu_c/max [61.0, 38.0]
  gpus/*/metrics/mig_mode/count [3, 3]
  gpus/*/metrics/mig_mode/max [0.0, 0.0]
  gpus/*/metrics/pcie_gen/count [3, 3]
  gpus/*/metrics/pcie_gen/max [4.0, 1.0]
  gpus/*/metrics/fan_pct/count [absent, absent]
  gpus/*/metrics/fan_pct/max [absent, absent]
  gpus/*/throttle_pct [{"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "hw_thermal_slowdown": 0.0}, {"gpu_idle": 0.0, "sw_power_cap": 0.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "hw_thermal_slowdown": 0.0}]
  inputs/0/format "nvidia-smi-report"
  inputs/0/lines 471
  inputs/0/header 450
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/blank 15
  inputs/0/rejected {}
  inputs/0/problems/*/text []
# Words in place of a number are told as a query prints them.
  $ sed '0,/GPU   .*: 87 %/s//GPU                               : GPU is lost/' ../../../fixtures/nvidia/report_loop.txt | smilog summarize -q --json - | python3 -SE ../../pick.py inputs/0/cells inputs/0/problems/*/text
  inputs/0/cells {"missing": 31, "bad": 0, "out_of_range": 0}
  inputs/0/problems/*/text ["GPU 00000000:17:00.0: [GPU is lost], first at Mon Jun  1 09:00:00 2026"]

nvidia report of an old driver
# Its power, its reasons and its ECC errors have other names; a GPU falls off the bus; a job prints lines between.
  $ smilog summarize -q --json job.out | python3 -SE ../../pick.py gpus/*/samples gpus/*/uuid \
  >     gpus/*/metrics/{gpu_util_pct,fb_used_mib,fb_total_mib,power_w,power_limit_w,power_limit_enforced_w,temp_gpu_c,clk_sm_mhz,pcie_width}/max gpus/*/throttle_pct \
  >     inputs/0/{format,lines,header,rows,messages,blank,rejected} inputs/0/problems/*/text
  gpus/*/samples [2, 2]
  gpus/*/uuid ["GPU-6f1f0000-1111-2222-3333-444400000001", "GPU-6f1f0000-1111-2222-3333-444400000002"]
  gpus/*/metrics/gpu_util_pct/max [87.0, 0.0]
  gpus/*/metrics/fb_used_mib/max [9216.0, 4.0]
  gpus/*/metrics/fb_total_mib/max [24576.0, 24576.0]
  gpus/*/metrics/power_w/max [150.25, 30.5]
  gpus/*/metrics/power_limit_w/max [160.0, 160.0]
  gpus/*/metrics/power_limit_enforced_w/max [165.0, 165.0]
  gpus/*/metrics/temp_gpu_c/max [61.0, 38.0]
  gpus/*/metrics/clk_sm_mhz/max [1440.0, 1440.0]
  gpus/*/metrics/pcie_width/max [8.0, 8.0]
  gpus/*/throttle_pct [{"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "hw_thermal_slowdown": 0.0}, {"gpu_idle": 0.0, "sw_power_cap": 0.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "hw_thermal_slowdown": 0.0}]
  inputs/0/format "nvidia-smi-report"
  inputs/0/lines 316
  inputs/0/header 297
  inputs/0/rows 4
  inputs/0/messages 5
  inputs/0/blank 10
  inputs/0/rejected {}
  inputs/0/problems/*/text ["Unable to determine the device handle for GPU 0000:17:00.0: GPU is lost.  Reboot the system to recover this GPU", "GPU 00000000:17:00.0: [GPU is lost], first at Mon Jun  1 09:00:20 2026"]
  $ smilog summarize job.out 2>/dev/null | sed -n '/^ERRORS/,/^$/p'
  ERRORS                     GPU  COUNT  FIRST     LAST
  GPU lost                bus 17      2  09:00:00  09:00:20
  uncorrected ECC errors  bus CA      2  09:00:20  09:00:20


nvidia table in a job log
# A driver without MIG mode, a GPU that falls off the bus, instances, lines of the job between and inside the tables.
  $ smilog summarize --run-per file job.out
  job.out   2m00s   2026-06-01 09:00:00 to 09:02:00, zone not known
  2 x GeForce RTX 208...

  GPU  MEAN %   P5  P50  P95  MAX  IDLE %  VRAM GiB      W   Wh
    0    95.5   95   96   96   96     0.0      10.5  179.8  6.0
    1   100.0  100  100  100  100       -       7.0  188.0    -

  ERRORS          GPU  COUNT  FIRST     LAST
  GPU lost          1      2  09:01:00  09:01:00
  unknown errors    1      1  09:01:00  09:01:00

  FINDINGS  LEVEL  GPU-h  WHAT, AND WHAT TO DO
  gpu-lost  error      -  GPU 1 lost at 09:01:00: the machine has to be restarted, or the GPU replaced

  note: no CPU log
  note: MIG is enabled on 1 of 2 GPUs: such a GPU has no utilization, and the memory and power of all its instances

  SUMMARY
  peak_vram_mb       10711.0
  gpu_util_mean_pct     97.0
  gpu_util_max_pct     100.0
  power_watts_mean     176.0
  power_watts_max      203.0
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  warnings: 2 rows not usable (in job.out)
  quality: incomplete: rejected-rows, use-coverage
  2m00s, 0.03 GPU-h, 6.0 Wh, GPU 95.5 %, 0.00 GPU-h wasted (0.0 %); 0.02 GPU-hours have no readings of GPU use, 1 finding
  2> smilog: job.out:42: warning: GPU 1: ERR!, first at Mon Jun  1 09:01:00 2026
  2> smilog: job.out:42: warning: GPU 1: GPU is lost, first at Mon Jun  1 09:01:00 2026
  2> smilog: job.out:42: warning: no usable number: "|   1  GeForce RTX 208...  ERR! | 00000000:05:00.0ERR! |    ..."
  2> smilog: job.out:45: warning: Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU
  2> smilog: job.out:47: warning: another number of cells than the header: "|   2  GeForce RTX 208...  Off  | 00000000:06:00.0 Off |    ..."
  $ smilog summarize --run-per file -q --json job.out | python3 -SE ../../pick.py gpus/*/gpu gpus/*/samples gpus/*/metrics/{power_w,fb_used_mib,fan_pct}/max faults \
  >     inputs/0/{format,lines,header,rows,messages,blank,rejected} inputs/0/problems/*/text
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 1]
  gpus/*/metrics/power_w/max [203.0, 188.0]
  gpus/*/metrics/fb_used_mib/max [10711.0, 7211.0]
  gpus/*/metrics/fan_pct/max [35.0, 33.0]
  faults absent
  inputs/0/format "nvidia-smi-table"
  inputs/0/lines 69
  inputs/0/header 46
  inputs/0/rows 4
  inputs/0/messages 15
  inputs/0/blank 2
  inputs/0/rejected {"bad_number": 1, "bad_width": 1}
  inputs/0/problems/*/text ["GPU 1: ERR!, first at Mon Jun  1 09:01:00 2026", "GPU 1: GPU is lost, first at Mon Jun  1 09:01:00 2026", "no usable number: \"|   1  GeForce RTX 208...  ERR! | 00000000:05:00.0ERR! |    ...\"", "Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU", "another number of cells than the header: \"|   2  GeForce RTX 208...  Off  | 00000000:06:00.0 Off |    ...\""]

nvidia table in a loop
# Heads of MIG mode and processes, a mode that changes at the next reset, errors counted by ECC.
  $ smilog summarize -q --json --run-per file ../../../fixtures/nvidia/table_loop.log | python3 -SE ../../pick.py start end gpus/*/gpu gpus/*/name gpus/*/samples \
  >     gpus/*/metrics/gpu_util_pct/{min,max,mean} gpus/*/metrics/{fb_used_mib,fb_total_mib,power_w,power_limit_w,temp_gpu_c,pstate,mig_mode,ecc.u.v.total}/max \
  >     inputs/0/{format,lines,header,rows,messages,blank,rejected,problems,cells_missing}
  start "2026-06-01T09:00:00.000"
  end "2026-06-01T09:00:20.000"
  gpus/*/gpu [0, 1]
  gpus/*/name ["NVIDIA A30", "NVIDIA A30"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/gpu_util_pct/min [87.0, 0.0]
  gpus/*/metrics/gpu_util_pct/max [89.0, 0.0]
  gpus/*/metrics/gpu_util_pct/mean [88.0, 0.0]
  gpus/*/metrics/fb_used_mib/max [9216.0, 4.0]
  gpus/*/metrics/fb_total_mib/max [24576.0, 24576.0]
  gpus/*/metrics/power_w/max [101.0, 31.0]
  gpus/*/metrics/power_limit_w/max [165.0, 165.0]
  gpus/*/metrics/temp_gpu_c/max [43.0, 38.0]
  gpus/*/metrics/pstate/max [absent, absent]
  gpus/*/metrics/mig_mode/max [0.0, 0.0]
  gpus/*/metrics/ecc.u.v.total/max [absent, absent]
  inputs/0/format "nvidia-smi-table"
  inputs/0/lines 72
  inputs/0/header 57
  inputs/0/rows 6
  inputs/0/messages 6
  inputs/0/blank 3
  inputs/0/rejected {}
  inputs/0/problems []
  inputs/0/cells_missing absent

nvidia table of a terminal
# watch in 80 columns, where curses paints what changed, and script(1) of a loop with clear, also packed: no logs, and said so.
  $ smilog summarize watch.typescript 2>&1
  smilog: watch.typescript: warning: cannot be used: what a terminal showed (watch, script, tmux), not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: no usable log in watch.typescript
  [3]
  $ echo "status $?"
  status 3
  $ smilog summarize typescript 2>&1
  smilog: typescript: warning: cannot be used: what a terminal showed (watch, script, tmux), not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: no usable log in typescript
  [3]
  $ gzip -c typescript | smilog summarize - 2>&1
  smilog: -: warning: cannot be used: what a terminal showed (watch, script, tmux), not read: record with nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE
  smilog: no usable log in -
  [3]
# colours alone are no screen
  $ printf '\33[1mtimestamp, index, utilization.gpu [%%]\33[0m\n2026/07/03 16:00:00.000, 0, 80 %%\n' | smilog summarize -q --format csv --columns gpu_util_mean_pct -
  gpu_util_mean_pct
  80.0

nvidia table without times
# Their distance is told; a time that first comes later is nobody's. Without its title and its end a table is one, too.
  $ smilog summarize -q --interval 5 --json log | python3 -SE ../../pick.py duration_s start gpus/*/samples gpus/*/energy_wh gpus/*/metrics/gpu_util_pct/mean inputs/0/{format,lines,header,rows,messages,rejected}
  duration_s 10.0
  start null
  gpus/*/samples [3]
  gpus/*/energy_wh [0.269444]
  gpus/*/metrics/gpu_util_pct/mean [88.0]
  inputs/0/format "nvidia-smi-table"
  inputs/0/lines 34
  inputs/0/header 27
  inputs/0/rows 3
  inputs/0/messages 1
  inputs/0/rejected {"bad_width": 2, "torn_tail": 1}

nvidia xml in a loop
# Instances are passed over; names have entities.
  $ smilog summarize -q --json --run-per file ../../../fixtures/nvidia/report_loop.xml | python3 -SE ../../pick.py gpus/*/name gpus/*/uuid gpus/*/samples gpus/*/energy_wh \
  >     gpus/*/metrics/{gpu_util_pct,mem_util_pct,fb_used_mib,power_w,power_avg_w,power_inst_w,power_limit_w,power_limit_enforced_w,temp_gpu_c,mig_mode,pcie_gen,fan_pct}/{count,max} \
  >     gpus/*/throttle_pct inputs/0/{format,lines,header,rows,messages,blank,rejected} inputs/0/problems/*/text
  gpus/*/name ["R&D \"board\"", "NVIDIA H100 NVL"]
  gpus/*/uuid ["GPU-aa000000-1111-2222-3333-444400000001", "GPU-aa000000-1111-2222-3333-444400000002"]
  gpus/*/samples [3, 3]
  gpus/*/energy_wh [1.397222, 0.972222]
  gpus/*/metrics/gpu_util_pct/count [3, absent]
  gpus/*/metrics/gpu_util_pct/max [92.0, absent]
  gpus/*/metrics/mem_util_pct/count [3, absent]
  gpus/*/metrics/mem_util_pct/max [92.0, absent]
  gpus/*/metrics/fb_used_mib/count [3, 3]
  gpus/*/metrics/fb_used_mib/max [20200.0, 512.0]
  gpus/*/metrics/power_w/count [3, 3]
  gpus/*/metrics/power_w/max [252.5, 260.0]
  gpus/*/metrics/power_avg_w/count [3, 2]
  gpus/*/metrics/power_avg_w/max [252.5, 90.0]
  gpus/*/metrics/power_inst_w/count [3, 3]
  gpus/*/metrics/power_inst_w/max [260.0, 260.0]
  gpus/*/metrics/power_limit_w/count [absent, absent]
  gpus/*/metrics/power_limit_w/max [absent, absent]
  gpus/*/metrics/power_limit_enforced_w/count [3, 3]
  gpus/*/metrics/power_limit_enforced_w/max [450.0, 450.0]
  gpus/*/metrics/temp_gpu_c/count [3, 3]
  gpus/*/metrics/temp_gpu_c/max [66.0, 66.0]
  gpus/*/metrics/mig_mode/count [3, 3]
  gpus/*/metrics/mig_mode/max [0.0, 1.0]
  gpus/*/metrics/pcie_gen/count [3, 3]
  gpus/*/metrics/pcie_gen/max [3.0, 3.0]
  gpus/*/metrics/fan_pct/count [3, 3]
  gpus/*/metrics/fan_pct/max [31.0, 31.0]
  gpus/*/throttle_pct [{"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_thermal_slowdown": 0.0}, {"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_thermal_slowdown": 0.0}]
  inputs/0/format "nvidia-smi-xml"
  inputs/0/lines 423
  inputs/0/header 411
  inputs/0/rows 6
  inputs/0/messages 0
  inputs/0/blank 6
  inputs/0/rejected {}
  inputs/0/problems/*/text []

nvidia xml on few lines
# A document on one line, where each GPU counts as a line; a GPU off the bus; words between; a document that is cut, with odd tags.
  $ smilog summarize -q --json log.xml | python3 -SE ../../pick.py gpus/*/name gpus/*/uuid gpus/*/samples gpus/*/energy_wh \
  >     gpus/*/metrics/{gpu_util_pct,mem_util_pct,fb_used_mib,power_w,power_avg_w,power_inst_w,power_limit_w,power_limit_enforced_w,temp_gpu_c,mig_mode,pcie_gen,fan_pct}/{count,max} \
  >     gpus/*/throttle_pct inputs/0/{format,lines,header,rows,messages,blank,rejected} inputs/0/problems/*/text
  gpus/*/name ["R&D \"board\"", "NVIDIA H100 NVL"]
  gpus/*/uuid ["GPU-aa000000-1111-2222-3333-444400000001", "GPU-aa000000-1111-2222-3333-444400000002"]
  gpus/*/samples [3, 2]
  gpus/*/energy_wh [0.7, null]
  gpus/*/metrics/gpu_util_pct/count [2, absent]
  gpus/*/metrics/gpu_util_pct/max [93.0, absent]
  gpus/*/metrics/mem_util_pct/count [2, absent]
  gpus/*/metrics/mem_util_pct/max [93.0, absent]
  gpus/*/metrics/fb_used_mib/count [2, 2]
  gpus/*/metrics/fb_used_mib/max [20300.0, 512.0]
  gpus/*/metrics/power_w/count [2, 1]
  gpus/*/metrics/power_w/max [252.5, 90.0]
  gpus/*/metrics/power_avg_w/count [absent, absent]
  gpus/*/metrics/power_avg_w/max [absent, absent]
  gpus/*/metrics/power_inst_w/count [absent, absent]
  gpus/*/metrics/power_inst_w/max [absent, absent]
  gpus/*/metrics/power_limit_w/count [absent, absent]
  gpus/*/metrics/power_limit_w/max [absent, absent]
  gpus/*/metrics/power_limit_enforced_w/count [2, 2]
  gpus/*/metrics/power_limit_enforced_w/max [450.0, 450.0]
  gpus/*/metrics/temp_gpu_c/count [2, 2]
  gpus/*/metrics/temp_gpu_c/max [66.0, 66.0]
  gpus/*/metrics/mig_mode/count [3, 2]
  gpus/*/metrics/mig_mode/max [0.0, 1.0]
  gpus/*/metrics/pcie_gen/count [3, 2]
  gpus/*/metrics/pcie_gen/max [3.0, 3.0]
  gpus/*/metrics/fan_pct/count [3, 2]
  gpus/*/metrics/fan_pct/max [31.0, 31.0]
  gpus/*/throttle_pct [{"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_thermal_slowdown": 0.0}, {"gpu_idle": 0.0, "sw_power_cap": 100.0, "hw_thermal_slowdown": 0.0}]
  inputs/0/format "nvidia-smi-xml"
  inputs/0/lines 192
  inputs/0/header 183
  inputs/0/rows 5
  inputs/0/messages 1
  inputs/0/blank 2
  inputs/0/rejected {"torn_tail": 1}
  inputs/0/problems/*/text ["GPU 00000000:01:00.0: [GPU is lost], first at Mon Jun  1 09:00:20 2026", "unfinished last line: \"\\x09\\x09\\x09<graphics_clock>2520 MHz</graphics_clock>\""]
