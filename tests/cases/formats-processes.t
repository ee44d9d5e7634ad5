accounted history counts once
  $ smilog summarize -q --json ../../../fixtures/accounted_apps.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     inputs/0/duplicates gpus state \
  >     processes/*/pid processes/*/samples processes/*/fb_used_mib processes/*/gpu_util_pct processes/*/mem_util_pct \
  >     processes/*/accounted_s problems
  inputs/0/format "accounted-apps"
  inputs/0/lines 7
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/rejected {}
  inputs/0/duplicates 3
  gpus []
  state "no-data"
  processes/*/pid [1900, 2101]
  processes/*/samples [0, 0]
  processes/*/fb_used_mib [{"peak": 4096.0, "mean": null}, {"peak": 4300.0, "mean": null}]
  processes/*/gpu_util_pct [{"peak": null, "mean": 97.0}, {"peak": null, "mean": 51.0}]
  processes/*/mem_util_pct [{"peak": null, "mean": 13.0}, {"peak": null, "mean": 12.0}]
  processes/*/accounted_s [153.712, 301.5]
  problems ["only process logs: they have no memory, utilization or power of a GPU as a whole", "the process logs say nothing of a GPU that is named", "no CPU log"]

compute apps
  $ smilog summarize -q --json ../../../fixtures/compute_apps.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     processes/*/last problems
  inputs/0/format "compute-apps"
  inputs/0/lines 6
  inputs/0/header 1
  inputs/0/rows 5
  inputs/0/rejected {}
  processes/*/gpu [null, null, null]
  processes/*/pid [2101, 2102, 2103]
  processes/*/name ["/opt/run/train", "loader", "/usr/bin/nvidia-cuda-mps-server"]
  processes/*/type [null, null, null]
  processes/*/samples [2, 1, 2]
  processes/*/fb_used_mib/peak [4300.0, 210.0, 520.0]
  processes/*/fb_used_mib/mean [4200.0, 210.0, 510.0]
  processes/*/gpu_util_pct/peak [null, null, null]
  processes/*/gpu_util_pct/mean [null, null, null]
  processes/*/mem_util_pct/mean [null, null, null]
  processes/*/enc_util_pct/peak [null, null, null]
  gpus/*/gpu [null, null]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.5, 1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [4305.0, 510.0]
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000001"]
  processes/*/pid [2101, 2102, 2103]
  processes/*/name ["/opt/run/train", "loader", "/usr/bin/nvidia-cuda-mps-server"]
  processes/*/fb_used_mib/peak [4300.0, 210.0, 520.0]
  processes/*/last ["2026-07-03T10:00:02.104", "2026-07-03T10:00:00.100", "2026-07-03T10:00:02.104"]
  problems ["only process logs: they have no memory, utilization or power of a GPU as a whole", "no CPU log"]

compute apps below a boxed table
  $ cat >log <<'EOF'
  > +-----------------------------------------------------------------------------+
  > | NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |
  > |-------------------------------+----------------------+----------------------+
  > |  No running processes found                                                 |
  > +-----------------------------------------------------------------------------+
  > pid, used_gpu_memory [MiB]
  > 2101, 100 MiB
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak
  inputs/0/format "compute-apps"
  inputs/0/lines 7
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/rejected {"foreign": 5}
  processes/*/uuid [null]
  processes/*/pid [2101]
  processes/*/name [null]
  processes/*/fb_used_mib/peak [100.0]

compute apps calls without times
# The header comes again with each call.
  $ cat >log.csv <<'EOF'
  > gpu_uuid, pid, used_gpu_memory [MiB]
  > GPU-6e7a1b2c-0000-4000-8000-000000000000, 11, 10 MiB
  > GPU-6e7a1b2c-0000-4000-8000-000000000000, 12, 10 MiB
  > gpu_uuid, pid, used_gpu_memory [MiB]
  > GPU-6e7a1b2c-0000-4000-8000-000000000000, 13, 40 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     gpus/*/metrics/procs/count
  inputs/0/format "compute-apps"
  inputs/0/lines 5
  inputs/0/header 2
  inputs/0/rows 3
  inputs/0/rejected {}
  gpus/*/gpu [null]
  gpus/*/samples [2]
  gpus/*/metrics/procs/mean [1.5]
  gpus/*/metrics/procs_fb_used_mib/mean [30.0]
  gpus/*/metrics/procs/count [2]

compute apps comma in name
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/a, b,c/train, 100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2102, ,, 7 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2103, ,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,x, 8 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "compute-apps"
  inputs/0/lines 4
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/rejected {}
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000000"]
  processes/*/pid [2101, 2102, 2103]
  processes/*/name ["/opt/a, b,c/train", ",", ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,x"]
  processes/*/fb_used_mib/peak [100.0, 7.0, 8.0]
  gpus/*/gpu [null]
  gpus/*/samples [1]
  gpus/*/metrics/procs/mean [3.0]
  gpus/*/metrics/procs_fb_used_mib/mean [115.0]

compute apps header only
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus processes state problems
  inputs/0/format "compute-apps"
  inputs/0/lines 1
  inputs/0/header 1
  inputs/0/rows 0
  inputs/0/rejected {}
  gpus []
  processes []
  state "no-data"
  problems ["only process logs: they have no memory, utilization or power of a GPU as a whole", "the process logs say nothing of a GPU that is named", "no CPU log"]

compute apps insufficient permissions
# A process is there; nothing else may be known of it, nor of the sum that it is part of.
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, [Insufficient Permissions], [Insufficient Permissions], [Insufficient Permissions]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 100 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus/0/metrics/procs/max gpus/0/metrics/procs_fb_used_mib
  inputs/0/format "compute-apps"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000"]
  processes/*/pid [2101]
  processes/*/name ["/opt/run/train"]
  processes/*/fb_used_mib/peak [100.0]
  gpus/0/metrics/procs/max 2.0
  gpus/0/metrics/procs_fb_used_mib absent

compute apps memory column alone
# Whose memory, on which GPU, and how many at a time is not known.
  $ cat >log.txt <<'EOF'
  > used_gpu_memory [MiB]
  > 10 MiB
  > 30 MiB
  > [N/A]
  > EOF
  $ smilog summarize -q --json log.txt | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus problems processes/0/samples processes/0/fb_used_mib
  inputs/0/format "compute-apps"
  inputs/0/lines 4
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/rejected {}
  processes/*/uuid [null]
  processes/*/pid [null]
  processes/*/name [null]
  processes/*/fb_used_mib/peak [30.0]
  gpus []
  problems ["only process logs: they have no memory, utilization or power of a GPU as a whole", "the process logs say nothing of a GPU that is named", "no CPU log"]
  processes/0/samples 2
  processes/0/fb_used_mib {"peak": 30.0, "mean": 20.0}

compute apps messages between
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2102, loader, 210 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 500 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4300 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 520 MiB
  > Unable to determine the device handle for GPU 0000:19:00.0: GPU is lost.  Reboot the system to recover this GPU
  > Fri Jul  3 10:00:04 UTC 2026
  > 2026/07/03 10:00:05.000, junk
  > 2026/07/03 10:00:06.104, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, x, y, 1 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     inputs/0/messages processes/*/samples
  inputs/0/format "compute-apps"
  inputs/0/lines 10
  inputs/0/header 1
  inputs/0/rows 5
  inputs/0/rejected {"bad_number": 1, "bad_width": 1}
  inputs/0/messages 2
  processes/*/samples [2, 1, 2]

compute apps name not found
  $ cat >log.csv <<'EOF'
  > pid, process_name, used_gpu_memory [MiB]
  > 806157, [Not Found], 218 MiB
  > 63488, [Not Found], [N/A]
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak
  inputs/0/format "compute-apps"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  processes/*/uuid [null, null]
  processes/*/pid [63488, 806157]
  processes/*/name [null, null]
  processes/*/fb_used_mib/peak [null, 218.0]

compute apps nounits
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 100
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "compute-apps"
  inputs/0/lines 2
  inputs/0/header 1
  inputs/0/rows 1
  inputs/0/rejected {}
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000"]
  processes/*/pid [2101]
  processes/*/name ["/opt/run/train"]
  processes/*/fb_used_mib/peak [100.0]
  gpus/*/gpu [null]
  gpus/*/samples [1]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [100.0]

compute apps same row twice
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, train, 100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, train, 100 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/rows inputs/0/duplicates processes/*/samples \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/rows 1
  inputs/0/duplicates 1
  processes/*/samples [1]
  gpus/*/gpu [null]
  gpus/*/samples [1]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [100.0]

compute apps wddm memory is absent
  $ cat >log.csv <<'EOF'
  > timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 12444, C:\Windows\System32\dwm.exe, [N/A]
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2056, C:\Program Files\NVIDIA Share.exe, [N/A]
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus/0/metrics/procs/mean gpus/0/metrics/procs_fb_used_mib
  inputs/0/format "compute-apps"
  inputs/0/lines 3
  inputs/0/header 1
  inputs/0/rows 2
  inputs/0/rejected {}
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000000"]
  processes/*/pid [2056, 12444]
  processes/*/name ["C:\\Program Files\\NVIDIA Share.exe", "C:\\Windows\\System32\\dwm.exe"]
  processes/*/fb_used_mib/peak [null, null]
  gpus/0/metrics/procs/mean 2.0
  gpus/0/metrics/procs_fb_used_mib absent

compute apps without a path
# Without a header a row of compute apps may name its process without a path, behind the key of a GPU and a pid; the
# name of a GPU behind its index or serial is none, nor are the rows of another tool.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cp "$root/tests/cases/pick.py" "$dir" && cd "$dir" || exit 1
  $ write() { for i in 0 5 9; do echo "2026/07/03 10:00:0$i.000, $1 MiB"; done; }
  $ write 'GPU-00000005-1111-2222-3333-000000000000, 1234, python, 8727' >apps.csv
  $ write '00000000:83:00.0, 1234, my program, 8727' >bus.csv
  $ write 'GPU-00000005-1111-2222-3333-000000000000, 0, NVIDIA A100, 8727' >query.csv
  $ write '1234, python, 8727' >other.csv
  $ write 'GPU-00000005-1111-2222-3333-000000000000, 1320220000, NVIDIA L4, 1000' >serial.csv
  $ for f in apps bus query serial other; do smilog summarize -q --json $f.csv | python3 -SE pick.py inputs/0/format inputs/0/rows processes/*/name processes/*/pid || true; done
  inputs/0/format "compute-apps"
  inputs/0/rows 3
  processes/*/name ["python"]
  processes/*/pid [1234]
  inputs/0/format "compute-apps"
  inputs/0/rows 3
  processes/*/name ["my program"]
  processes/*/pid [1234]
  2> smilog: no usable log in query.csv
  2> no JSON
  2> smilog: no usable log in serial.csv
  2> no JSON
  2> smilog: no usable log in other.csv
  2> no JSON

compute apps without header
  $ cat >log.csv <<'EOF'
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4100 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2102, loader, 210 MiB
  > 2026/07/03 10:00:00.100, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 500 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:19:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000000, 2101, /opt/run/train, 4300 MiB
  > 2026/07/03 10:00:02.104, NVIDIA H100 80GB HBM3, 00000000:3B:00.0, [N/A], GPU-6e7a1b2c-0000-4000-8000-000000000001, 2103, /usr/bin/nvidia-cuda-mps-server, 520 MiB
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/uuid processes/*/pid processes/*/name processes/*/fb_used_mib/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "compute-apps"
  inputs/0/lines 5
  inputs/0/header 0
  inputs/0/rows 5
  inputs/0/rejected {}
  processes/*/uuid ["GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000000", "GPU-6e7a1b2c-0000-4000-8000-000000000001"]
  processes/*/pid [2101, 2102, 2103]
  processes/*/name ["/opt/run/train", "loader", "/usr/bin/nvidia-cuda-mps-server"]
  processes/*/fb_used_mib/peak [4300.0, 210.0, 520.0]
  gpus/*/gpu [null, null]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.5, 1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [4305.0, 510.0]

pmon command with blanks
  $ smilog summarize -q --json ../../../fixtures/pmon_windows.log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "pmon"
  inputs/0/lines 8
  inputs/0/header 2
  inputs/0/rows 6
  inputs/0/rejected {}
  processes/*/gpu [0, 0, 0]
  processes/*/pid [1204, 4680, 9120]
  processes/*/name ["dwm.exe", "NVIDIA Share.exe", "train.exe"]
  processes/*/type ["C+G", "C+G", "C"]
  processes/*/samples [2, 2, 2]
  processes/*/fb_used_mib/peak [null, null, null]
  processes/*/fb_used_mib/mean [null, null, null]
  processes/*/gpu_util_pct/peak [2.0, null, 37.0]
  processes/*/gpu_util_pct/mean [2.0, null, 36.0]
  processes/*/mem_util_pct/mean [1.0, null, 11.0]
  processes/*/enc_util_pct/peak [null, null, null]
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/procs/mean [3.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]

pmon cycle begins with a lower gpu
# GPU 0 has a process in each cycle, but never the same one.
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     gpus/*/metrics/procs/count
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/procs/mean [1.0, 1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent, absent]
  gpus/*/metrics/procs/count [3, 3]

pmon dmon header between
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/samples
  inputs/0/format "pmon"
  inputs/0/lines 9
  inputs/0/header 3
  inputs/0/rows 4
  inputs/0/rejected {"foreign": 2}
  processes/*/samples [2, 2]

pmon format csv
  $ cat >log <<'EOF'
  > #gpu, pid, type, sm, mem, enc, dec, jpg, ofa, command
  > #Idx, #, C/G, %, %, %, %, %, %, name
  > 0, 2101, C, 40, 12, -, -, -, -, train, fast
  > 0, 2101, C, 60, 12, -, -, -, -, train, fast
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "pmon"
  inputs/0/lines 4
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/rejected {}
  processes/*/gpu [0]
  processes/*/pid [2101]
  processes/*/name ["train, fast"]
  processes/*/type ["C"]
  processes/*/samples [2]
  processes/*/fb_used_mib/peak [null]
  processes/*/fb_used_mib/mean [null]
  processes/*/gpu_util_pct/peak [60.0]
  processes/*/gpu_util_pct/mean [50.0]
  processes/*/mem_util_pct/mean [12.0]
  processes/*/enc_util_pct/peak [null]
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]

pmon gpu without processes
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     state
  inputs/0/format "pmon"
  inputs/0/lines 5
  inputs/0/header 2
  inputs/0/rows 3
  inputs/0/rejected {}
  processes []
  gpus/*/gpu [1]
  gpus/*/samples [3]
  gpus/*/metrics/procs/mean [0.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]
  state "unknown"

pmon header again with other columns
  $ cat >log <<'EOF'
  > # gpu        pid  type    sm   mem   enc   dec   command
  > # Idx          #   C/G     %     %     %     %   name
  >     0       2101     C    40    12     0     0   train
  >     0       2102     C     3     1     0     0   loader
  >     0       2101     C    60    14     0     0   train
  >     0       2102     C     -     -     -     -   loader
  > # gpu        pid  type    sm   mem   enc   dec    fb   command
  > # Idx          #   C/G     %     %     %     %    MB   name
  >     0       2101     C    40    12     0     0  4100   train
  >     1          -     -     -     -     -     -     -   -
  >     0       2101     C    60    14     0     0  4300   train
  >     1       2102     C     3     1     0     0   210   loader
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak
  inputs/0/format "pmon"
  inputs/0/lines 12
  inputs/0/header 4
  inputs/0/rows 8
  inputs/0/rejected {}
  processes/*/gpu [0, 0, 1]
  processes/*/pid [2101, 2102, 2102]
  processes/*/name ["train", "loader", "loader"]
  processes/*/type ["C", "C", "C"]
  processes/*/samples [4, 2, 1]
  processes/*/fb_used_mib/peak [4300.0, null, 210.0]
  processes/*/fb_used_mib/mean [4200.0, null, 210.0]
  processes/*/gpu_util_pct/peak [60.0, 3.0, 3.0]
  processes/*/gpu_util_pct/mean [50.0, 3.0, 3.0]
  processes/*/mem_util_pct/mean [13.0, 1.0, 1.0]
  processes/*/enc_util_pct/peak [0.0, 0.0, 0.0]

pmon over midnight
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     processes/*/samples processes/*/first duration_s inputs/0/interval_s time_base
  inputs/0/format "pmon"
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  gpus/*/gpu [0]
  gpus/*/samples [4]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]
  processes/*/samples [4]
  processes/*/first [null]
  duration_s 3.0
  inputs/0/interval_s 1.0
  time_base "time of day, date not known"

pmon rows before the header
  $ cat >log <<'EOF'
  >     0       2101     C    40    12     0     0  4100   train
  >     1          -     -     -     -     -     -     -   -
  >     0       2101     C    60    14     0     0  4300   train
  >     1       2102     C     3     1     0     0   210   loader
  > # gpu        pid  type    sm   mem   enc   dec    fb   command
  > # Idx          #   C/G     %     %     %     %    MB   name
  >     0       2101     C    40    12     0     0  4100   train
  >     1          -     -     -     -     -     -     -   -
  >     0       2101     C    60    14     0     0  4300   train
  >     1       2102     C     3     1     0     0   210   loader
  > EOF
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     inputs/0/problems
  inputs/0/format "pmon"
  inputs/0/lines 10
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {"foreign": 4}
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.0, 0.5]
  gpus/*/metrics/procs_fb_used_mib/mean [4200.0, 105.0]
  inputs/0/problems [{"line": 1, "text": "rows without a pmon header above them: their columns are not known"}]

pmon same pid by type
# One process that computes and draws has two rows in one cycle.
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     processes/*/type processes/*/samples
  gpus/*/gpu [0]
  gpus/*/samples [1]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]
  processes/*/type ["C+G"]
  processes/*/samples [2]

pmon u before 550
  $ smilog summarize -q --json ../../../fixtures/pmon_u_545.log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "pmon"
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  processes/*/gpu [0, 0]
  processes/*/pid [2101, 2102]
  processes/*/name ["train", "loader"]
  processes/*/type ["C", "C"]
  processes/*/samples [2, 2]
  processes/*/fb_used_mib/peak [null, null]
  processes/*/fb_used_mib/mean [null, null]
  processes/*/gpu_util_pct/peak [60.0, 3.0]
  processes/*/gpu_util_pct/mean [50.0, 3.0]
  processes/*/mem_util_pct/mean [13.0, 1.0]
  processes/*/enc_util_pct/peak [0.0, 0.0]
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/procs/mean [2.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]

pmon u since 550
  $ smilog summarize -q --json ../../../fixtures/pmon_u_590.log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "pmon"
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  processes/*/gpu [0]
  processes/*/pid [2101]
  processes/*/name ["train"]
  processes/*/type ["C"]
  processes/*/samples [2]
  processes/*/fb_used_mib/peak [null]
  processes/*/fb_used_mib/mean [null]
  processes/*/gpu_util_pct/peak [60.0]
  processes/*/gpu_util_pct/mean [50.0]
  processes/*/mem_util_pct/mean [13.0]
  processes/*/enc_util_pct/peak [null]
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.0, 0.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent, absent]

pmon um before 550
  $ smilog summarize -q --json ../../../fixtures/pmon_um_530.log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean
  inputs/0/format "pmon"
  inputs/0/lines 6
  inputs/0/header 2
  inputs/0/rows 4
  inputs/0/rejected {}
  processes/*/gpu [0, 1]
  processes/*/pid [2101, 2102]
  processes/*/name ["train", "loader"]
  processes/*/type ["C", "C"]
  processes/*/samples [2, 1]
  processes/*/fb_used_mib/peak [4300.0, 210.0]
  processes/*/fb_used_mib/mean [4200.0, 210.0]
  processes/*/gpu_util_pct/peak [60.0, 3.0]
  processes/*/gpu_util_pct/mean [50.0, 3.0]
  processes/*/mem_util_pct/mean [13.0, 1.0]
  processes/*/enc_util_pct/peak [0.0, 0.0]
  gpus/*/gpu [0, 1]
  gpus/*/samples [2, 2]
  gpus/*/metrics/procs/mean [1.0, 0.5]
  gpus/*/metrics/procs_fb_used_mib/mean [4200.0, 105.0]

pmon um since 550 with dates
  $ smilog summarize -q --json ../../../fixtures/pmon_um_590.log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     processes/*/gpu processes/*/pid processes/*/name processes/*/type processes/*/samples \
  >     processes/*/fb_used_mib/peak processes/*/fb_used_mib/mean processes/*/gpu_util_pct/peak processes/*/gpu_util_pct/mean \
  >     processes/*/mem_util_pct/mean processes/*/enc_util_pct/peak \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     processes/*/first processes/*/last duration_s time_base
  inputs/0/format "pmon"
  inputs/0/lines 9
  inputs/0/header 2
  inputs/0/rows 7
  inputs/0/rejected {}
  processes/*/gpu [0, 0, 1]
  processes/*/pid [2101, 2102, 2103]
  processes/*/name ["train", "loader", "nvidia-cuda-mps"]
  processes/*/type ["C", "C", "M+C"]
  processes/*/samples [3, 1, 2]
  processes/*/fb_used_mib/peak [4300.0, 210.0, 520.0]
  processes/*/fb_used_mib/mean [4233.333333, 210.0, 510.0]
  processes/*/gpu_util_pct/peak [61.0, 3.0, 9.0]
  processes/*/gpu_util_pct/mean [53.666667, 3.0, 9.0]
  processes/*/mem_util_pct/mean [13.333333, 1.0, 2.0]
  processes/*/enc_util_pct/peak [null, null, null]
  gpus/*/gpu [0, 1]
  gpus/*/samples [3, 3]
  gpus/*/metrics/procs/mean [1.333333, 0.666667]
  gpus/*/metrics/procs_fb_used_mib/mean [4303.333333, 340.0]
  processes/*/first ["2026-07-03T10:00:00.000", "2026-07-03T10:00:00.000", "2026-07-03T10:00:02.000"]
  processes/*/last ["2026-07-03T10:00:04.000", "2026-07-03T10:00:00.000", "2026-07-03T10:00:04.000"]
  duration_s 4.0
  time_base "local, zone not known"

pmon with days has no times
  $ smilog summarize -q --json log | python3 -SE ../../pick.py \
  >     inputs/0/format inputs/0/lines inputs/0/header inputs/0/rows inputs/0/rejected \
  >     gpus/*/gpu gpus/*/samples gpus/*/metrics/procs/mean gpus/*/metrics/procs_fb_used_mib/mean \
  >     processes/*/samples duration_s problems
  inputs/0/format "pmon"
  inputs/0/lines 4
  inputs/0/header 2
  inputs/0/rows 2
  inputs/0/rejected {}
  gpus/*/gpu [0]
  gpus/*/samples [2]
  gpus/*/metrics/procs/mean [1.0]
  gpus/*/metrics/procs_fb_used_mib/mean [absent]
  processes/*/samples [2]
  duration_s null
  problems ["only process logs: they have no memory, utilization or power of a GPU as a whole", "no times in the process logs: no duration (pmon without -o, or a query without timestamp); --interval S gives them", "no CPU log"]
