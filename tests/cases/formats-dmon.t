dmon 390 has one temperature
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk pviol tviol    fb  bar1 sbecc dbecc   pci rxpci txpci
  > # Idx     W     C     %     %     %     %   MHz   MHz     %  bool    MB    MB  errs  errs  errs  MB/s  MB/s
  >     0     -    50    91    66     0     0  3504  1784     0     0  3945     2     -     -     0  1732   535
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/temp_gpu_c/mean summary/power_watts_mean summary/gpu_util_mean_pct summary/mem_util_mean_pct \
  >     summary/peak_vram_mb
  gpus/0/metrics/temp_gpu_c/mean 50.0
  summary/power_watts_mean null
  summary/gpu_util_mean_pct 91.0
  summary/mem_util_mean_pct 66.0
  summary/peak_vram_mb 3945.0

dmon 470 over midnight
  $ cat >hw_dmon.csv <<'EOF'
  > #Time        gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk sbecc dbecc   pci rxpci txpci
  > #HH:MM:SS    Idx     W     C     C     %     %     %     %   MHz   MHz  errs  errs  errs  MB/s  MB/s
  >  23:59:58      0   100    19     -     0     0     0     0  4006   582     -     -     0     0     1
  >  23:59:59      0   100    19     -     0     0     0     0  4006   582     -     -     0     0     1
  >  00:00:01      0   100    19     -     0     0     0     0  4006   582     -     -     0     0     1
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     duration_s segments energy_wh inputs/0/interval_s inputs/0/interval_max_s
  duration_s 3.0
  segments 1
  energy_wh 0.083333
  inputs/0/interval_s 1.0
  inputs/0/interval_max_s 2.0

dmon alone has no times
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     duration_s energy_wh start time_base idle_pct
  duration_s null
  energy_wh null
  start null
  time_base null
  idle_pct null

dmon bom before the header
  $ smilog summarize -q --json log.txt | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/mem_util_mean_pct inputs/0/header inputs/0/rows inputs/0/rejected
  summary/gpu_util_mean_pct 43.3
  summary/mem_util_mean_pct 24.5
  inputs/0/header 2
  inputs/0/rows 600
  inputs/0/rejected {}

dmon dash is absent
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0      -     10
  >     0    100      -
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/gpu_util_mean_pct gpus/0/metrics/power_w/count inputs/0/rows
  summary/power_watts_mean 100.0
  summary/gpu_util_mean_pct 10.0
  gpus/0/metrics/power_w/count 1
  inputs/0/rows 2

dmon format csv
  $ cat >log <<'EOF'
  > #Date, Time, gpu, pwr, gtemp, mtemp, sm, mem, fb, bar1
  > #YYYYMMDD, HH:MM:SS, Idx, W, C, C, %, %, MB, MB
  > 20260816, 09:22:34, 0, 60, 38, -, 10, 5, 1000, 2
  > 20260816, 09:22:34, 1, 70, 39, -, 20, 6, 2000, 2
  > 20260816, 09:22:35, 0, 80, 40, -, 30, 7, 1100, 2
  > 20260816, 09:22:35, 1, 90, 41, -, 40, 8, 2100, 2
  > EOF
  $ cat >nounit <<'EOF'
  > # gpu,pwr,gtemp,mtemp,sm,mem
  > 0,60,38,-,10,5
  > 0,80,40,-,30,7
  > EOF
  $ for log in log nounit; do
  >     smilog summarize -q --json $log | python3 -SE ../../pick.py duration_s gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean \
  >         gpus/*/metrics/power_w/max gpus/*/metrics/temp_gpu_c/min gpus/*/metrics/fb_used_mib/mean gpus/0/metrics/temp_mem_c \
  >         inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected
  > done
  duration_s 1.0
  gpus/*/gpu [0, 1]
  gpus/*/metrics/gpu_util_pct/mean [20.0, 30.0]
  gpus/*/metrics/power_w/max [80.0, 90.0]
  gpus/*/metrics/temp_gpu_c/min [38.0, 39.0]
  gpus/*/metrics/fb_used_mib/mean [1050.0, 2050.0]
  gpus/0/metrics/temp_mem_c absent
  inputs/0/format "dmon"
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  duration_s null
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [20.0]
  gpus/*/metrics/power_w/max [80.0]
  gpus/*/metrics/temp_gpu_c/min [38.0]
  gpus/*/metrics/fb_used_mib/mean [absent]
  gpus/0/metrics/temp_mem_c absent
  inputs/0/format "dmon"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}

dmon header again with other columns
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0     50     10
  > # gpu     sm    pwr
  > # Idx      %      W
  >     0     30     70
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/gpu_util_mean_pct inputs/0/rows
  summary/power_watts_mean 60.0
  summary/gpu_util_mean_pct 20.0
  inputs/0/rows 2

dmon header pair again
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0     50     10
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0     70     30
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean inputs/0/header inputs/0/rows inputs/0/rejected
  summary/power_watts_mean 60.0
  inputs/0/header 4
  inputs/0/rows 2
  inputs/0/rejected {}

dmon mig has no utilisation
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean summary/gpu_util_mean_pct gpus/0/metrics/gpu_util_pct inputs/0/rows \
  >     inputs/0/rejected
  summary/power_watts_mean 438.0
  summary/gpu_util_mean_pct null
  gpus/0/metrics/gpu_util_pct absent
  inputs/0/rows 1
  inputs/0/rejected {}

dmon pcut
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/mem_util_mean_pct summary/power_watts_max gpus/0/metrics/clk_mem_mhz/mean \
  >     gpus/0/metrics/clk_sm_mhz/mean gpus/0/metrics/pcie_rx_mbs/mean gpus/0/metrics/pcie_tx_mbs/mean \
  >     gpus/0/metrics/temp_mem_c
  summary/gpu_util_mean_pct 31.0
  summary/mem_util_mean_pct 12.0
  summary/power_watts_max 90.0
  gpus/0/metrics/clk_mem_mhz/mean 12481.0
  gpus/0/metrics/clk_sm_mhz/mean 2700.0
  gpus/0/metrics/pcie_rx_mbs/mean 12.0
  gpus/0/metrics/pcie_tx_mbs/mean 34.0
  gpus/0/metrics/temp_mem_c absent

dmon pucvmet with date
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     duration_s energy_wh start summary/peak_vram_mb gpus/0/metrics/pcie_rx_mbs/max \
  >     gpus/0/metrics/pcie_tx_mbs/max gpus/0/metrics/pcie_replay/increase gpus/0/metrics/ecc.c.a.total
  duration_s 2.0
  energy_wh 0.083333
  start "2026-08-16T23:59:59.000"
  summary/peak_vram_mb 1200.0
  gpus/0/metrics/pcie_rx_mbs/max 4.0
  gpus/0/metrics/pcie_tx_mbs/max 8.0
  gpus/0/metrics/pcie_replay/increase 2.0
  gpus/0/metrics/ecc.c.a.total absent

dmon pucvmte
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk  pviol  tviol     fb   bar1   ccpm  rxpci  txpci  sbecc  dbecc    pci
  > # Idx      W      C      C      %      %      %      %      %      %    MHz    MHz      %   bool     MB     MB     MB   MB/s   MB/s   errs   errs   errs
  >     0     55     45     41      7      2      0      0      -      -    877   1530      0      0    500      8      0    111    222      0      0      1
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/pcie_rx_mbs/mean gpus/0/metrics/pcie_tx_mbs/mean gpus/0/metrics/temp_mem_c/mean \
  >     gpus/0/metrics/clk_mem_mhz/mean gpus/0/metrics/clk_sm_mhz/mean gpus/0/metrics/jpg_util_pct \
  >     gpus/0/metrics/pcie_replay/last
  gpus/0/metrics/pcie_rx_mbs/mean 111.0
  gpus/0/metrics/pcie_tx_mbs/mean 222.0
  gpus/0/metrics/temp_mem_c/mean 41.0
  gpus/0/metrics/clk_mem_mhz/mean 877.0
  gpus/0/metrics/clk_sm_mhz/mean 1530.0
  gpus/0/metrics/jpg_util_pct absent
  gpus/0/metrics/pcie_replay/last 1.0

dmon two gpus interleaved
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0     50     10
  >     3     90     80
  >     0     70     30
  >     3    110    100
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/power_w/mean
  gpus/*/gpu [0, 3]
  gpus/*/samples [2, 2]
  gpus/*/metrics/power_w/mean [60.0, 100.0]

dmon um with times
  $ cat >hw_dmon.csv <<'EOF'
  > #Time         gpu     sm    mem    enc    dec    jpg    ofa     fb   bar1   ccpm
  > #HH:MM:SS     Idx      %      %      %      %      %      %     MB     MB     MB
  >  10:00:00       0     40     10      0      0      0      0   2000      5      0
  >  10:00:02       0     60     20      0      0      0      0   3000      5      0
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/mem_util_mean_pct summary/peak_vram_mb duration_s start
  summary/gpu_util_mean_pct 50.0
  summary/mem_util_mean_pct 15.0
  summary/peak_vram_mb 3000.0
  duration_s 2.0
  start null

dmon wider row is rejected
  $ cat >hw_dmon.csv <<'EOF'
  > # gpu    pwr     sm
  > # Idx      W      %
  >     0    100     10
  >     0    100     10     99
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected
  inputs/0/rows 1
  inputs/0/rejected {"bad_width": 1}

dmon without hash
  $ cat >hw_dmon.csv <<'EOF'
  >   gpu    pwr     sm
  >   Idx      W      %
  >     0    100     10
  > EOF
  $ smilog summarize -q --json hw_dmon.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean inputs/0/rows inputs/0/header inputs/0/format
  summary/power_watts_mean 100.0
  inputs/0/rows 1
  inputs/0/header 2
  inputs/0/format "dmon"

rows of a gpu without counters
# "-" in every cell is no warning; a row that also holds no number is one.
  $ printf '%s\n' '# gpu    pwr     sm    mem' '# Idx      W      %      %' \
  >     '    0    100     90     20' '    1      -      -      -' '    0    110     92     20' '    1      -      -      -' '    1      x      -      -' >d.log
  $ smilog summarize -q --json d.log | python3 -SE ../../pick.py gpus/*/gpu gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/problems/*/text
  gpus/*/gpu [0]
  gpus/*/metrics/gpu_util_pct/mean [91.0]
  inputs/0/rows 2
  inputs/0/messages 2
  inputs/0/rejected {"bad_number": 1}
  inputs/0/problems/*/text ["power_w: \"x\" is no number", "no usable number: \"    1      x      -      -\""]
