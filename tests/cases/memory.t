all gpus peak is an upper bound
  $ cat >log.csv <<'EOF'
  > timestamp, index, memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 700
  > 2026/07/03 10:00:00.004, 1, 100
  > 2026/07/03 10:00:02.000, 0, 200
  > 2026/07/03 10:00:02.004, 1, 600
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     summary/peak_vram_mb vram/all_gpus_peak_mb vram/source
  summary/peak_vram_mb 700.0
  vram/all_gpus_peak_mb 1300.0
  vram/source "device"

jax peak from bytes
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 9000
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "memory", "data": {"peak_bytes_in_use": 2147483648}}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     summary/jax_peak_bytes_mb vram/used_peak_mb vram/source vram/device_peak_mb
  summary/jax_peak_bytes_mb 2048.0
  vram/used_peak_mb 2048.0
  vram/source "jax"
  vram/device_peak_mb 9000.0

jax peak in mebibytes
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 9000
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "memory", "data": {"jax_peak_bytes_mb": 42291.25}}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     summary/jax_peak_bytes_mb vram/source
  summary/jax_peak_bytes_mb 42291.2
  vram/source "jax"

not reserved
  $ cat >log.csv <<'EOF'
  > timestamp, index, memory.used [MiB], memory.total [MiB]
  > 2026/07/03 10:00:00.000, 0, 500, 81559
  > 2026/07/03 10:00:02.000, 0, 500, 81559
  > 2026/07/03 10:00:04.000, 0, 60000, 81559
  > 2026/07/03 10:00:06.000, 0, 60000, 81559
  > 2026/07/03 10:00:08.000, 0, 60000, 81559
  > 2026/07/03 10:00:10.000, 0, 60000, 81559
  > 2026/07/03 10:00:12.000, 0, 60000, 81559
  > 2026/07/03 10:00:14.000, 0, 60000, 81559
  > 2026/07/03 10:00:16.000, 0, 60000, 81559
  > 2026/07/03 10:00:18.000, 0, 60000, 81559
  > EOF
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     vram/reserved
  vram/reserved false

reserved
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py \
  >     vram/reserved vram/total_mb
  vram/reserved false
  vram/total_mb 81559.0

torch peak stays out of the block
  $ mkdir -p out
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 9000
  > EOF
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "memory", "data": {"torch_max_memory_allocated": 1073741824}}
  > EOF
  $ smilog summarize -q --json --tz UTC out | python3 -SE ../../pick.py \
  >     summary/jax_peak_bytes_mb vram/used_peak_mb vram/source
  summary/jax_peak_bytes_mb absent
  vram/used_peak_mb 1024.0
  vram/source "torch"

small stack
# With 192 kB of stack every command ends as always.
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]"
  >   for i in $(seq 10 59); do for g in 0 1 2; do echo "2026/04/05 06:10:$i.000, $g, 70 %, 200.00 W, 700 MiB"; done; done; } >p.csv
  $ ulimit -s 192
  $ smilog summarize p.csv | tail -1
  49s, 0.04 GPU-h, 8.2 Wh, GPU 70.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog report -q -o r.html p.csv && smilog report -q -o r.xlsx p.csv && ls r.html r.xlsx
  r.html
  r.xlsx
  $ smilog export -q --to csv:x p.csv && ls x
  x
  $ smilog summarize --partial -o a.part p.csv && smilog merge a.part | tail -1
  49s, 0.04 GPU-h, 8.2 Wh, GPU 70.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog live --replay p.csv --once >/dev/null && smilog diff p.csv p.csv >/dev/null && smilog run -q -o d true
  2> smilog: warning: GPUs: none was seen: cannot start nvidia-smi: No such file or directory
