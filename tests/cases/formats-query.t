query 241 columns
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean inputs/0/rows inputs/0/rejected
  gpus/0/metrics/gpu_util_pct/mean 15.0
  gpus/0/metrics/power_w/mean 150.5
  inputs/0/rows 2
  inputs/0/rejected {}

query all cells quoted
# As Export-Csv and QUOTE_ALL write it; names one a line are none.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ cat >log.csv <<'Y'
  > "timestamp","driver_version","index","vgpu_mode","addressing_mode","kmd_version","utilization.gpu [%]","temperature.gpu"
  > "2026/07/03 10:00:00.000","590.48.01","0","None","None","590.48.01","47 %","60"
  > "2026/07/03 10:00:05.000","590.48.01","0","None","None","590.48.01","53 %","62"
  > Y
  $ printf '"index",\n"utilization.gpu",\n"memory.used"\n' >names.csv
  $ for f in *.csv; do
  >     smilog summarize --json $f 2>&1 | python3 -SE "$OLDPWD/../../pick.py" gpus/*/samples gpus/*/metrics/temp_gpu_c/mean inputs/0/format 2>/dev/null || smilog summarize $f 2>&1
  > done
  gpus/*/samples [2]
  gpus/*/metrics/temp_gpu_c/mean [61.0]
  inputs/0/format "nvidia-smi-query"
  smilog: names.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with ""index","
  smilog: no usable log in names.csv
  [3]

query a control character is no digit of a mask
  $ printf 'timestamp, index, utilization.gpu [%%], clocks_throttle_reasons.active\n2026/07/03 10:00:00.000, 0, 5 %%, 0x1\024\n' |
  >     smilog summarize -q --json - | python3 -SE ../../pick.py gpus/0/metrics/throttle.sw_power_cap inputs/0/cells
  gpus/0/metrics/throttle.sw_power_cap absent
  inputs/0/cells {"missing": 0, "bad": 1, "out_of_range": 0}

query bom before the header
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct inputs/0/header
  summary/gpu_util_mean_pct 50.0
  inputs/0/header 1

query counter beyond 32 bits
  $ cat >log.csv <<'EOF'
  > timestamp, index, clocks_event_reasons_counters.sw_power_cap [us]
  > 2026/07/03 22:11:09.000, 0, 15820333506 us
  > 2026/07/03 22:11:10.000, 0, 15820333606 us
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/throttle_us.sw_power_cap/first gpus/0/metrics/throttle_us.sw_power_cap/last \
  >     gpus/0/metrics/throttle_us.sw_power_cap/increase gpus/0/metrics/throttle_us.sw_power_cap/mean \
  >     inputs/0/rejected
  gpus/0/metrics/throttle_us.sw_power_cap/first 15820333506.0
  gpus/0/metrics/throttle_us.sw_power_cap/last 15820333606.0
  gpus/0/metrics/throttle_us.sw_power_cap/increase 100.0
  gpus/0/metrics/throttle_us.sw_power_cap/mean absent
  inputs/0/rejected {}

query counter reset adds up
  $ cat >log.csv <<'EOF'
  > timestamp, index, clocks_event_reasons_counters.sw_power_cap [us]
  > 2026/07/03 22:11:09.000, 0, 1000 us
  > 2026/07/03 22:11:10.000, 0, 1500 us
  > 2026/07/03 22:11:11.000, 0, 30 us
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/throttle_us.sw_power_cap/first gpus/0/metrics/throttle_us.sw_power_cap/last \
  >     gpus/0/metrics/throttle_us.sw_power_cap/increase
  gpus/0/metrics/throttle_us.sw_power_cap/first 1000.0
  gpus/0/metrics/throttle_us.sw_power_cap/last 30.0
  gpus/0/metrics/throttle_us.sw_power_cap/increase 530.0

query counter without times
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/throttle_us.sw_power_cap/first gpus/0/metrics/throttle_us.sw_power_cap/last \
  >     gpus/0/metrics/throttle_us.sw_power_cap/increase
  gpus/0/metrics/throttle_us.sw_power_cap/first 100.0
  gpus/0/metrics/throttle_us.sw_power_cap/last 560.0
  gpus/0/metrics/throttle_us.sw_power_cap/increase 18040.0

query cut inside the last number
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_mean inputs/0/rows inputs/0/rejected
  summary/power_watts_mean 627.4
  inputs/0/rows 2
  inputs/0/rejected {"torn_tail": 1}

query date before the header
  $ cat >log.csv <<'EOF'
  > Tue Jun  9 09:00:01 UTC 2020
  > index, utilization.gpu [%]
  > 0, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct inputs/0/messages inputs/0/rows
  summary/gpu_util_mean_pct 50.0
  inputs/0/messages 1
  inputs/0/rows 1

query date that is none
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/02/30 10:00:00.000, 0, 50, 100.00
  > 2026/13/01 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 25:00:00.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 3}

query eight gpus with skew keyed
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean duration_s covered_s
  gpus/*/gpu [0, 1, 2, 3, 4, 5, 6, 7]
  gpus/*/samples [4, 4, 4, 4, 4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]
  duration_s 15.161
  covered_s 15.0

query eight gpus with skew keyless
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/gpu_util_pct/mean duration_s covered_s
  gpus/*/gpu [0, 1, 2, 3, 4, 5, 6, 7]
  gpus/*/samples [4, 4, 4, 4, 4, 4, 4, 4]
  gpus/*/metrics/gpu_util_pct/mean [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]
  duration_s 15.161
  covered_s 15.0

query empty cell
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/power_watts_mean inputs/0/rows inputs/0/rejected
  summary/gpu_util_mean_pct 50.0
  summary/power_watts_mean 100.0
  inputs/0/rows 2
  inputs/0/rejected {}

query every sentinel is absent
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/count gpus/0/metrics/gpu_util_pct/count inputs/0/rows inputs/0/rejected
  gpus/0/metrics/power_w/count 1
  gpus/0/metrics/gpu_util_pct/count 14
  inputs/0/rows 14
  inputs/0/rejected {}

query unit of the cell counts
  $ cat >log.csv <<'EOF'
  > index, memory.used [MiB], power.draw [W]
  > 0, 1 GiB, 100.00 W
  > 0, 1024 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/fb_used_mib/count gpus/0/metrics/fb_used_mib/max inputs/0/rows
  gpus/0/metrics/fb_used_mib/count 2
  gpus/0/metrics/fb_used_mib/max 1024.0
  inputs/0/rows 2

query header again with other columns
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2026/07/03 22:11:09.000, 0, 10
  > 2026/07/03 22:11:10.000, 0, 20
  > timestamp, index, power.draw [W], utilization.gpu [%]
  > 2026/07/03 22:11:11.000, 0, 100.00, 30
  > 2026/07/03 22:11:12.000, 0, 200.00, 40
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean segments duration_s inputs/0/header \
  >     inputs/0/rows inputs/0/rejected
  gpus/0/metrics/gpu_util_pct/mean 25.0
  gpus/0/metrics/power_w/mean 150.0
  segments 1
  duration_s 3.0
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}

query header in any case without blanks
  $ cat >log.csv <<'EOF'
  > Index,Utilization.GPU [%],POWER.DRAW [W]
  > 0,50,9.5
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/gpu_util_mean_pct summary/power_watts_max
  summary/gpu_util_mean_pct 50.0
  summary/power_watts_max 9.5

query header only
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     state inputs/0/header inputs/0/rows summary/peak_vram_mb
  state "no-data"
  inputs/0/header 1
  inputs/0/rows 0
  summary/peak_vram_mb null

query headerless below an unknown header
# A line above with as many commas could be the header of these rows, and says something unknown.
  $ cat >log.csv <<'EOF'
  > a, b, c, d, e, f, g, h, i
  > 2026/07/03 22:11:09.763, 100, 7, 32362, 143771, 627.40, 52, 1980, 3201
  > EOF
  $ smilog summarize log.csv
  2> smilog: log.csv: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "a, b, c, d, e, f, g, h, i"
  2> smilog: no usable log in log.csv
  [3]

query headerless nine columns
  $ cat >hw_metrics.csv <<'EOF'
  > 2026/07/03 22:11:09.763, 100, 7, 32362, 143771, 627.40, 52, 1980, 3201
  > 2026/07/03 22:11:11.763, 98, 7, 32362, 143771, 627.39, 52, 1980, 3201
  > EOF
  $ smilog summarize -q --json hw_metrics.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/mem_util_pct/mean gpus/0/metrics/fb_used_mib/mean \
  >     gpus/0/metrics/fb_total_mib/mean gpus/0/metrics/power_w/mean gpus/0/metrics/temp_gpu_c/mean \
  >     gpus/0/metrics/clk_sm_mhz/mean gpus/0/metrics/clk_mem_mhz/mean inputs/0/header inputs/0/rows
  gpus/0/metrics/gpu_util_pct/mean 99.0
  gpus/0/metrics/mem_util_pct/mean 7.0
  gpus/0/metrics/fb_used_mib/mean 32362.0
  gpus/0/metrics/fb_total_mib/mean 143771.0
  gpus/0/metrics/power_w/mean 627.395
  gpus/0/metrics/temp_gpu_c/mean 52.0
  gpus/0/metrics/clk_sm_mhz/mean 1980.0
  gpus/0/metrics/clk_mem_mhz/mean 3201.0
  inputs/0/header 0
  inputs/0/rows 2

query headerless other width wants columns
  $ cat >log.csv <<'EOF'
  > 2026/07/03 10:00:00.000, 0, 50
  > EOF
  $ smilog summarize --json log.csv 2>&1 | grep -c -e --input-columns
  1

query headerless without time wants columns
  $ cat >log.csv <<'EOF'
  > 0 %, 7042 MiB
  > 3 %, 7042 MiB
  > EOF
  $ smilog summarize --json log.csv 2>&1 | grep -c -e --input-columns
  1
  $ smilog summarize -q --json --input-columns utilization.gpu,memory.used log.csv | python3 -SE ../../pick.py inputs/0/format \
  >     summary/gpu_util_mean_pct summary/peak_vram_mb inputs/0/rows
  inputs/0/format "nvidia-smi-query"
  summary/gpu_util_mean_pct 1.5
  summary/peak_vram_mb 7042.0
  inputs/0/rows 2

query last row twice at stop
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 50, 100.00
  > 2026/07/03 22:11:10.000, 0, 50, 100.00
  > 2026/07/03 22:11:10.000, 0, 0, 120.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/power_watts_max inputs/0/rows inputs/0/duplicates inputs/0/lines
  summary/power_watts_max 100.0
  inputs/0/rows 2
  inputs/0/duplicates 1
  inputs/0/lines 4

query leap second
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > 2016/12/31 23:59:58.000, 0, 50
  > 2016/12/31 23:59:60.000, 0, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows duration_s inputs/0/rejected
  inputs/0/rows 2
  duration_s 2.0
  inputs/0/rejected {}

query lost gpu between rows
  $ cat >log.csv <<'EOF'
  > index, utilization.gpu [%], power.draw [W]
  > 0, 40 %, 300.00 W
  > Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to recover this GPU
  > [Unknown Error], [Unknown Error], [Unknown Error]
  > 2, 60 %, 310.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/lines
  gpus/*/gpu [0, 2]
  summary/gpu_util_mean_pct 50.0
  inputs/0/rows 2
  inputs/0/messages 1
  inputs/0/rejected {"bad_number": 1}
  inputs/0/lines 5

query lost gpu has no time
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:11:09.000, 0, 40 %, 300.00 W
  > Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to recover this GPU
  > [Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error]
  > 2026/07/03 22:11:09.021, 2, 60 %, 310.00 W
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/*/gpu summary/gpu_util_mean_pct inputs/0/rows inputs/0/messages inputs/0/rejected inputs/0/lines
  gpus/*/gpu [0, 2]
  summary/gpu_util_mean_pct 50.0
  inputs/0/rows 2
  inputs/0/messages 1
  inputs/0/rejected {"bad_time": 1}
  inputs/0/lines 5

query memory used alone
  $ cat >log.csv <<'EOF'
  > memory.used [MiB]
  > 12 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/peak_vram_mb
  summary/peak_vram_mb 12.0

query name with a comma
  $ cat >log.csv <<'EOF'
  > timestamp, index, name, utilization.gpu [%]
  > 2026/07/03 10:00:00.000, 0, Foo, Bar 9000, 50
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/name summary/gpu_util_mean_pct inputs/0/rejected
  gpus/0/name "Foo, Bar 9000"
  summary/gpu_util_mean_pct 50.0
  inputs/0/rejected {}

query out of range costs the cell
# A reading above the largest plausible power is refused, and the rest of its row counts.
  $ cat >log.csv <<'EOF'
  > utilization.gpu [%], power.draw [W]
  > 1, 20000.000000
  > 1, 20000.000001
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/count gpus/0/metrics/power_w/max inputs/0/rows inputs/0/rejected
  gpus/0/metrics/power_w/count 1
  gpus/0/metrics/power_w/max 20000.0
  inputs/0/rows 2
  inputs/0/rejected {}

query plus sign and decimals
  $ cat >log.csv <<'EOF'
  > utilization.gpu [%], power.draw [W]
  > +50, +100.25
  > 50.0, 100.25
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/mean gpus/0/metrics/gpu_util_pct/mean
  gpus/0/metrics/power_w/mean 100.25
  gpus/0/metrics/gpu_util_pct/mean 50.0

query requires reset keeps the memory
  $ cat >log.csv <<'EOF'
  > index, utilization.gpu [%], utilization.memory [%], memory.used [MiB]
  > 0, [GPU requires reset], [GPU requires reset], 0 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/peak_vram_mb summary/gpu_util_mean_pct gpus/0/metrics/mem_util_pct inputs/0/rows inputs/0/rejected
  summary/peak_vram_mb 0.0
  summary/gpu_util_mean_pct null
  gpus/0/metrics/mem_util_pct absent
  inputs/0/rows 1
  inputs/0/rejected {}

query seventh decimal half to even
  $ cat >log.csv <<'EOF'
  > power.draw [W]
  > 0.0000025
  > 1.0000035
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/min gpus/0/metrics/power_w/max
  gpus/0/metrics/power_w/min 0.000002
  gpus/0/metrics/power_w/max 1.000004

query throttle mask by its old name
# A state holds over the interval that ends at its row: one of two has the power cap.
  $ cat >log.csv <<'EOF'
  > timestamp, index, clocks_throttle_reasons.active
  > 2026/07/03 22:11:09.000, 0, 0x0000000000000000
  > 2026/07/03 22:11:10.000, 0, 0x0000000000000004
  > 2026/07/03 22:11:11.000, 0, 0x0000000000000000
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/throttle_pct/sw_power_cap
  gpus/0/throttle_pct/sw_power_cap 50.0

query throttle reason words
# The first row ends no interval, so its states count for nothing.
  $ cat >log.csv <<'EOF'
  > timestamp, index, clocks_event_reasons.sw_thermal_slowdown, clocks_throttle_reasons.hw_slowdown
  > 2026/07/03 22:11:09.000, 0, Not Active, Active
  > 2026/07/03 22:11:10.000, 0, Active, Not Active
  > 2026/07/03 22:11:11.000, 0, Active, Not Active
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/throttle_pct/sw_thermal_slowdown
  gpus/0/throttle_pct/sw_thermal_slowdown 100.0

query time steps back an hour
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/10/25 02:59:58.000, 0, 50, 100.00
  > 2026/10/25 02:59:59.000, 0, 50, 100.00
  > 2026/10/25 02:00:00.000, 0, 50, 100.00
  > 2026/10/25 02:00:01.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     segments duration_s covered_s energy_wh inputs/0/rows
  segments 2
  duration_s 2.0
  covered_s 2.0
  energy_wh 0.055556
  inputs/0/rows 4

query times of every form
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ log() { # FORM TIME...: three rows, a second apart
  >     local form=$1; shift
  >     { echo 'timestamp, utilization.gpu [%], memory.used [MiB]'; printf '%s, 40 %%, 512 MiB\n' "$@"; } >"$t/$form.csv"
  > }
  $ log seconds 1722514251 1722514252 1722514253
  $ log fractions 1722514251.25 1722514252.25 1722514253.25
  $ log ms 1722514251000 1722514252000 1722514253000
  $ log us 1722514251000000 1722514252000000 1722514253000000
  $ log ns 1722514251000000000 1722514252000000000 1722514253000000000
  $ log zulu 2024-08-01T12:10:51Z 2024-08-01T12:10:52Z 2024-08-01T12:10:53Z
  $ log zone "2024-08-01 20:10:51.5+08:00" "2024-08-01 20:10:52.5+08:00" "2024-08-01 20:10:53.5+08:00"
  $ log comma 2024-08-01T20:10:51,123456789+08:00 2024-08-01T20:10:52,123456789+08:00 2024-08-01T20:10:53,123456789+08:00
  $ log compact "20240801 12:10:51" "20240801 12:10:52" "20240801 12:10:53"
  $ log ctime "Thu Aug  1 12:10:51 2024" "Thu Aug  1 12:10:52 2024" "Thu Aug  1 12:10:53 2024"
  $ log date "Thu Aug  1 12:10:51 UTC 2024" "Thu Aug  1 12:10:52 UTC 2024" "Thu Aug  1 12:10:53 UTC 2024"
  $ log day-first "31-12-2023 23:59:59" "01-01-2024 00:00:00" "01-01-2024 00:00:01"
  $ log month-first "12/31/2023 23:59:59" "01/01/2024 00:00:00" "01/01/2024 00:00:01"
  $ log no-order "03-11-2026 15:13:16" "03-11-2026 15:13:17" "03-11-2026 15:13:18"
  $ log elapsed 0.0 1.0 2.0
  $ for f in "$t"/*.csv; do
  >     printf '%s: ' "$(basename "$f" .csv)"
  >     (cd "$t" && smilog summarize --strict "$(basename "$f")" --json) |
  >         python3 -SE ../../pick.py start end time_base summary/gpu_util_mean_pct inputs/0/rows | tr -s '\n ' '  '; echo
  > done
  comma: start "2024-08-01T12:10:51.123Z" end "2024-08-01T12:10:53.123Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  compact: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:53.000" time_base "local, zone not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  ctime: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:53.000" time_base "local, zone not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  date: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  day-first: start "2023-12-31T23:59:59.000" end "2024-01-01T00:00:01.000" time_base "local, zone not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  elapsed: start null end null time_base "elapsed time, date not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  fractions: start "2024-08-01T12:10:51.250Z" end "2024-08-01T12:10:53.250Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  month-first: start "2023-12-31T23:59:59.000" end "2024-01-01T00:00:01.000" time_base "local, zone not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  ms: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  no-order: start "2026-11-03T15:13:16.000" end "2026-11-03T15:13:18.000" time_base "local, zone not known" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  ns: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  seconds: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  us: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  zone: start "2024-08-01T12:10:51.500Z" end "2024-08-01T12:10:53.500Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  zulu: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:53.000Z" time_base "utc" summary/gpu_util_mean_pct 40.0 inputs/0/rows 3\x20 (esc)
  2> smilog: no-order.csv:2: warning: "03-11-2026 15:13:16": nothing tells day from month: read with the day first

query times that nobody knows
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%]
  > first, 0, 10 %
  > second, 0, 20 %
  > third, 0, 60 %
  > EOF
  $ smilog summarize log.csv --json |
  >     python3 -SE ../../pick.py start duration_s summary/gpu_util_mean_pct inputs/0/rows inputs/0/rejected
  start null
  duration_s null
  summary/gpu_util_mean_pct 30.0
  inputs/0/rows 3
  inputs/0/rejected {}
  2> smilog: log.csv:2: warning: "first" is no time that is known: readings count without times

query timestamp gpu without an amd word
  $ cat >log.csv <<'EOF'
  > timestamp,gpu,power.draw,power.limit
  > 2024-05-26 18:51:23.769030,0,18.5,300
  > 2024-05-26 18:51:23.769030,1,20.5,300
  > 2024-05-26 18:51:24.769030,0,19.5,300
  > 2024-05-26 18:51:24.769030,1,21.5,300
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py inputs/0/format gpus/*/gpu gpus/*/metrics/power_w/mean \
  >     inputs/0/rows inputs/0/rejected
  inputs/0/format "nvidia-smi-query"
  gpus/*/gpu [0, 1]
  gpus/*/metrics/power_w/mean [19.0, 21.0]
  inputs/0/rows 4
  inputs/0/rejected {}

query units in cells
  $ cat >log.csv <<'EOF'
  > utilization.gpu [%], power.draw [W], clocks.current.sm [MHz], memory.total [MiB]
  > 38 %, 627.40 W, 1980 MHz, 143771 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/gpu_util_pct/mean gpus/0/metrics/power_w/mean gpus/0/metrics/clk_sm_mhz/mean \
  >     gpus/0/metrics/fb_total_mib/mean gpus/0/metrics/clk_sm_mhz/unit
  gpus/0/metrics/gpu_util_pct/mean 38.0
  gpus/0/metrics/power_w/mean 627.4
  gpus/0/metrics/clk_sm_mhz/mean 1980.0
  gpus/0/metrics/fb_total_mib/mean 143771.0
  gpus/0/metrics/clk_sm_mhz/unit "MHz"

query units in header only
  $ cat >log.csv <<'EOF'
  > timestamp, utilization.gpu [%], pstate, temperature.gpu, clocks.current.sm [MHz], power.draw [W], power.draw.instant [W]
  > 2023/07/14 10:12:46.483, 0, P0, 37, 1410, 56.12, 56.12
  > 2023/07/14 10:12:47.483, 100, P0, 39, 1395, 143.88, 143.88
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     gpus/0/metrics/power_w/mean gpus/0/metrics/power_inst_w/max gpus/0/metrics/temp_gpu_c/mean \
  >     gpus/0/metrics/clk_sm_mhz/min energy_wh start time_base inputs/0/format
  gpus/0/metrics/power_w/mean 100.0
  gpus/0/metrics/power_inst_w/max 143.88
  gpus/0/metrics/temp_gpu_c/mean 38.0
  gpus/0/metrics/clk_sm_mhz/min 1395.0
  energy_wh 0.027778
  start "2023-07-14T10:12:46.483"
  time_base "local, zone not known"
  inputs/0/format "nvidia-smi-query"

query wider header behind names
  $ cat >cut.csv <<'EOF'
  > timestamp, index, name, utilization.gpu [%]
  > 2026/07/04 00:10:46.109, 0, H100, 50 %
  > 2026/07/04 00:10:47.109, 0, H1timestamp, index, name, utilization.gpu [%], power.draw [W]
  > 2026/07/04 00:10:48.109, 0, H100, 100 %, 600.5 W
  > 2026/07/04 00:10:49.109, 0, H100, 100 %, 600.5 W
  > EOF
  $ cat >whole.csv <<'EOF'
  > timestamp, index, name, utilization.gpu [%]
  > 2026/07/04 00:10:46.109, 0, H100, 50 %
  > 2026/07/04 00:10:47.109, 0, H100, 50 %
  > timestamp, index, name, utilization.gpu [%], power.draw [W]
  > 2026/07/04 00:10:48.109, 0, H100, 100 %, 600.5 W
  > 2026/07/04 00:10:49.109, 0, H100, 100 %, 600.5 W
  > EOF
  $ smilog summarize -q --run-per file --columns run,gpu_util_mean_pct,power_watts_mean --format csv whole.csv cut.csv
  run,gpu_util_mean_pct,power_watts_mean
  cut.csv,83.3,600.5
  whole.csv,75.0,600.5

query names behind rows without any
# Rows without a key and without a name: those behind them, with a name, do not tell it; however the bytes come.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ rows() { for i in $(seq 10 39); do echo "2026/07/03 22:1$1:$i.000, $2 %, 300.00 W"; done; }
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W]"; rows 0 "0, 50"
  >   echo "timestamp, utilization.gpu [%], power.draw [W]"; rows 1 50
  >   echo "timestamp, name, utilization.gpu [%], power.draw [W]"; rows 2 "H100, 60"; } >log.csv
  $ smilog summarize -q log.csv | sed -n 2p
  1 GPU   files: log.csv
  $ while IFS= read -r line; do echo "$line"; done <log.csv | smilog summarize -q - | sed -n 2p
  1 GPU
