gpus filter
  $ smilog summarize -q --gpus 1 --json ../../../fixtures/pmon_um_590.log | python3 -SE ../../pick.py gpus/*/gpu processes/*/gpu processes/*/name
  gpus/*/gpu [1]
  processes/*/gpu [1]
  processes/*/name ["nvidia-cuda-mps"]

halves are the whole
# Cut between two calls, and between two cycles.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for log in compute_apps.csv pmon_um_590.log accounted_apps.csv; do
  >     f=../../../fixtures/$log
  >     n=$(case $log in comp*) echo 4 ;; pmon*) echo 5 ;; *) echo 3 ;; esac)
  >     head -n "$n" "$f" >"$t/$log"
  >     smilog summarize --run-per file -q --partial --run r "$t/$log" -o "$t/1"
  >     { case $log in pmon*) head -n 2 "$f" ;; *) head -n 1 "$f" ;; esac; tail -n +$((n + 1)) "$f"; } >"$t/$log"
  >     smilog summarize --run-per file -q --partial --run r "$t/$log" -o "$t/2"
  >     for order in "1 2" "2 1"; do
  >         (cd "$t" && smilog merge -q --json $order) | python3 -SE ../../pick.py gpus processes duration_s inputs/0/rows inputs/0/duplicates >"$t/merged"
  >         smilog summarize --run-per file -q --json --run r "$f" | python3 -SE ../../pick.py gpus processes duration_s inputs/0/rows inputs/0/duplicates >"$t/whole"
  >         diff "$t/merged" "$t/whole" && echo same
  >     done
  > done
  same
  same
  same
  same
  same
  same

last round with an unfinished line adds up to nothing
# The missing row may be of any GPU.
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected processes/*/samples \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/rows 6
  inputs/0/rejected {"torn_tail": 1}
  processes/*/samples [3, 1, 2]
  gpus/*/gpu [null, null]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.5, 1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [4305.0, 510.0]

more than 4096 in a log
  $ { echo 'gpu_uuid, pid, used_gpu_memory [MiB]'; seq 1 4100 | sed 's/.*/GPU-1, &, 2 MiB/'; } |
  >     smilog summarize -q --json - | python3 -SE -c '
  > import json, sys
  > r = json.load(sys.stdin)["runs"][0]
  > print(len(r["processes"]), r["inputs"][0]["rows"], r["gpus"][0]["metrics"]["procs"]["max"])
  > print(r["problems"][-1])
  > '
  4096 4100 4100.0
  more than 4096 processes in one log: 4 rows of the others are in no process's figures

only process logs
  $ smilog summarize --run-per file -q ../../../fixtures/pmon_um_590.log
  pmon_um_590.log   4.0s   2026-07-03 10:00:00 to 10:00:04, zone not known
  2 GPUs

  PROCESS          GPU   PID  PEAK GiB  MEAN GiB  GPU %  SAMPLES
  train              0  2101       4.2       4.1   53.7        3
  nvidia-cuda-mps    1  2103       0.5       0.5    9.0        2
  loader             0  2102       0.2       0.2    3.0        1

  note: only process logs: they have no memory, utilization or power of a GPU as a whole
  note: no CPU log

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct        -
  gpu_util_max_pct         -
  power_watts_mean         -
  power_watts_max          -
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  quality: incomplete: use-coverage
  4.0s, <0.01 GPU-h

pmon index is the place in keyless bursts
  $ cat >run/pmon.log <<'EOF'
  > # gpu        pid  type    sm   mem   enc   dec    fb   command
  > # Idx          #   C/G     %     %     %     %    MB   name
  >     0       2101     C    40    12     0     0  4100   train
  >     1          -     -     -     -     -     -     -   -
  >     0       2101     C    60    14     0     0  4300   train
  >     1       2102     C     3     1     0     0   210   loader
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean processes/*/gpu
  gpus/*/gpu [0, 1]
  gpus/*/samples [20, 20]
  gpus/*/metrics/procs/mean [1.0, 0.5]
  processes/*/gpu [0, 1]

query pmon and compute apps are one gpu
  $ cat >run/accounted.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], time [ms]
  > 2026/07/03 10:00:00.200, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 1900, 97 %, 13 %, 4096 MiB, 153712 ms
  > 2026/07/03 10:00:00.200, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, 40 %, 10 %, 4100 MiB, 0 ms
  > 2026/07/03 10:05:00.300, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 1900, 97 %, 13 %, 4096 MiB, 153712 ms
  > 2026/07/03 10:05:00.300, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, 44 %, 11 %, 4300 MiB, 0 ms
  > 2026/07/03 10:10:00.400, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 1900, 97 %, 13 %, 4096 MiB, 153712 ms
  > 2026/07/03 10:10:00.400, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, 51 %, 12 %, 4300 MiB, 301500 ms
  > EOF
  $ cat >run/apps.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2102, loader, 210 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 500 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4300 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 520 MiB
  > EOF
  $ cat >run/gpu.csv <<'EOF'
  > timestamp, index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, GPU-6e7a1b2c-0000-4000-8000-000000000000, 50 %, 5000 MiB, 100.00 W
  > 2026/07/03 10:00:00.000, 1, GPU-6e7a1b2c-0000-4000-8000-000000000001, 50 %, 5001 MiB, 100.00 W
  > 2026/07/03 10:00:02.000, 0, GPU-6e7a1b2c-0000-4000-8000-000000000000, 50 %, 5000 MiB, 100.00 W
  > 2026/07/03 10:00:02.000, 1, GPU-6e7a1b2c-0000-4000-8000-000000000001, 50 %, 5001 MiB, 100.00 W
  > 2026/07/03 10:00:04.000, 0, GPU-6e7a1b2c-0000-4000-8000-000000000000, 50 %, 5000 MiB, 100.00 W
  > 2026/07/03 10:00:04.000, 1, GPU-6e7a1b2c-0000-4000-8000-000000000001, 50 %, 5001 MiB, 100.00 W
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/uuid gpus/*/samples gpus/*/metrics/procs_fb_used_mib/max summary/peak_vram_mb gpu_hours \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples processes/*/first processes/*/last \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     problems
  gpus/*/gpu [0, 1]
  gpus/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000001"]
  gpus/*/samples [3, 3]
  gpus/*/metrics/procs_fb_used_mib/max [4310.0, 520.0]
  summary/peak_vram_mb 5001.0
  gpu_hours 0.002222
  processes/*/gpu [0, 0, 0, 0, 1]
  processes/*/pid [1900, 2101, 2102, 2104, 2103]
  processes/*/name [null, "/opt/run/train", "loader", "Xorg", "/usr/bin/nvidia-cuda-mps-server"]
  processes/*/type [null, "C", "C", "G", "M+C"]
  processes/*/samples [0, 3, 1, 1, 2]
  processes/*/first [null, "2026-07-03T10:00:00.000", "2026-07-03T10:00:00.000", "2026-07-03T10:00:02.000", "2026-07-03T10:00:00.100"]
  processes/*/last [null, "2026-07-03T10:00:04.000", "2026-07-03T10:00:00.100", "2026-07-03T10:00:02.000", "2026-07-03T10:00:04.000"]
  processes/*/fb_used_mib/peak [4096.0, 4300.0, 210.0, 8.0, 520.0]
  processes/*/fb_used_mib/mean [null, 4233.333333, 210.0, 8.0, 510.0]
  processes/*/gpu_util_pct/peak [null, 61.0, 3.0, null, 9.0]
  processes/*/gpu_util_pct/mean [97.0, 53.666667, 3.0, null, 9.0]
  processes/*/mem_util_pct/mean [13.0, 13.333333, 1.0, null, 2.0]
  processes/*/enc_util_pct/peak [null, null, null, null, null]
  problems ["no CPU log"]

round with a rejected row adds up to nothing
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2102
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 500 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4300 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 520 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/rejected processes/*/samples \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/rows 4
  inputs/0/rejected {"bad_width": 1}
  processes/*/samples [2, 2]
  gpus/*/gpu [null, null]
  gpus/*/samples [1, 1]
  gpus/*/metrics/procs/mean [1.0, 1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [4300.0, 520.0]

rows that name no gpu have a duration
  $ cat >apps.csv <<'EOF'
  > timestamp, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.000, 1234, python, 8727 MiB
  > 2026/07/03 10:00:05.000, 1234, python, 9000 MiB
  > 2026/07/03 10:00:10.000, 1234, python, 9000 MiB
  > EOF
  $ t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT
  $ smilog summarize --json apps.csv | python3 -SE ../../pick.py start end duration_s covered_s gpus state
  start "2026-07-03T10:00:00.000"
  end "2026-07-03T10:00:10.000"
  duration_s 10.0
  covered_s null
  gpus []
  state "no-data"
  $ smilog summarize -q --partial -o "$t/1.partial" apps.csv
  $ smilog merge --json "$t/1.partial" | python3 -SE ../../pick.py duration_s
  duration_s 10.0

they never decide which gpus there are
# A process log lists one GPU of the two that a query without key has.
  $ cat >run/apps.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2101, train, 100 MiB
  > EOF
  $ smilog summarize -q --json run | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpu_hours processes/*/gpu processes/*/uuid problems
  gpus/*/gpu [0, 1]
  gpus/*/samples [20, 20]
  gpu_hours 0.021111
  processes/*/gpu [null]
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000001"]
  problems ["no CPU log", "a process log names GPUs by another key (uuid, index) than the other logs: what its processes add up to is left out"]

top five and more
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2000, job-0, 0 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2001, job-1, 3072 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2002, job-2, 6144 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2003, job-3, 1024 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2004, job-4, 4096 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2005, job-5, 7168 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2006, job-6, 2048 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2007, job-7, 5120 MiB
  > EOF
  $ smilog summarize -q log.csv | sed -n "/^PROCESS/,/more/p"
  PROCESS       GPU   PID  PEAK GiB  MEAN GiB  GPU %  SAMPLES
  job-5    6e7a1b2c  2005       7.0       7.0      -        1
  job-2    6e7a1b2c  2002       6.0       6.0      -        1
  job-7    6e7a1b2c  2007       5.0       5.0      -        1
  job-4    6e7a1b2c  2004       4.0       4.0      -        1
  job-1    6e7a1b2c  2001       3.0       3.0      -        1
  and 3 more
