any cut any threads
# each log cut between any two lines up to its last row, and merged, tells the same errors; and so does a long one that is
# read by four threads, with a message in front of every piece
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ for log in lost_reset_and_unknown ecc_rows_and_pages xid_and_driver_messages; do
  >     whole=../$log/log.csv same=0 cuts=0 head=$(grep -n timestamp $whole | cut -d: -f1) rows=$(grep -n ^2026 $whole | tail -1 | cut -d: -f1)
  >     smilog summarize -q --json --run r $whole 2>/dev/null | python3 -SE ../../pick.py errors >"$t/whole"
  >     for cut in $(seq $((head + 1)) $((rows - 1))); do
  >         head -n $cut $whole >"$t/1.csv"
  >         (sed -n ${head}p $whole; tail -n +$((cut + 1)) $whole) >"$t/2.csv"
  >         cuts=$((cuts + 1))
  >         for i in 1 2; do smilog summarize -q --partial --run r "$t/$i.csv" -o "$t/$i.partial"; done
  >         smilog merge -q --json "$t/2.partial" "$t/1.partial" >"$t/cut-$cut"
  >     done
  >     python3 -SE ../../pick.py errors -- "$t"/cut-*
  >     for picked in "$t"/cut-*.picked; do diff "$t/whole" $picked && same=$((same + 1)); done
  >     rm "$t"/cut-*
  >     echo "$log: $same of $cuts"
  > done
  lost_reset_and_unknown: 11 of 11
  ecc_rows_and_pages: 7 of 7
  xid_and_driver_messages: 5 of 5
  $ python3 -SE - >"$t/long.csv" <<'E'
  > print("timestamp, index, utilization.gpu [%], power.draw [W], ecc.errors.uncorrected.volatile.total")
  > for i in range(300000):
  >     s, ms = divmod(i * 10, 1000)
  >     if i % 3 == 1:
  >         print("[  1.5] NVRM: Xid (PCI:0000:3b:00): %d, pid=1" % (31 if i % 2 else 79))
  >     lost = "[GPU is lost], [GPU is lost], [GPU is lost]"
  >     print(f"2026/07/03 {s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}.{ms:03d}, {i % 2}, " +
  >           (lost if i % 1000 == 999 else f"50 %, 100.00 W, {i // 9999}"))
  > E
  $ for n in 1 4; do smilog summarize -q -j $n --json "$t/long.csv" | python3 -SE ../../pick.py errors | sed 's/}, {/},\n {/g' >"$t/j$n"; done
  $ cat "$t/j1"
  errors [{"error": "gpu_lost", "gpu": 1, "uuid": null, "bus": null, "count": 300, "code": null, "first": "2026-07-03T00:00:09.990", "last": "2026-07-03T00:49:59.990", "text": "GPU lost"},
   {"error": "xid", "gpu": null, "uuid": null, "bus": "0000:3b:00", "count": 50000, "code": 31, "first": "2026-07-03T00:00:00.000", "last": "2026-07-03T00:49:59.940", "text": "XID"},
   {"error": "xid", "gpu": null, "uuid": null, "bus": "0000:3b:00", "count": 50000, "code": 79, "first": "2026-07-03T00:00:00.030", "last": "2026-07-03T00:49:59.970", "text": "XID"},
   {"error": "ecc_uncorrected", "gpu": 0, "uuid": null, "bus": null, "count": 30, "code": null, "first": "2026-07-03T00:01:40.000", "last": "2026-07-03T00:49:59.700", "text": "uncorrected ECC errors"},
   {"error": "ecc_uncorrected", "gpu": 1, "uuid": null, "bus": null, "count": 30, "code": null, "first": "2026-07-03T00:01:40.010", "last": "2026-07-03T00:49:59.710", "text": "uncorrected ECC errors"}]
  $ cmp "$t/j1" "$t/j4" && echo same
  same

counters grow and begin again
# 500000, then it began again at 0: 250000, then 1000000
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/0/metrics/throttle_us.sw_power_cap \
  >     gpus/0/metrics/throttle_us.hw_thermal_slowdown
  gpus/0/metrics/throttle_us.sw_power_cap {"unit": "us", "count": 4, "first": 15820333506.0, "last": 1250000.0, "increase": 1750000.0}
  gpus/0/metrics/throttle_us.hw_thermal_slowdown {"unit": "us", "count": 4, "first": 0.0, "last": 0.0, "increase": 0.0}
  $ smilog summarize -q -v log.csv | grep '^counted'
  counted: throttle time software power cap 1.8s

ecc rows and pages
# aaaa: corrected, since the driver was loaded 5 5 7 3: 2, and 3 after it was loaded again: 5; of its life 105 105 107 110:
# 5 too, the same errors. Uncorrected: 1 in DRAM at 10:00:02, 2 in SRAM at 10:00:03. Rows 1 0, 1 0, 1 1, 2 1: 2. bbbb: 1 page
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py errors | sed 's/}, {/},\n {/g'
  errors [{"error": "ecc_uncorrected", "gpu": null, "uuid": "GPU-aaaa", "bus": null, "count": 3, "code": null, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:03.000", "text": "uncorrected ECC errors"},
   {"error": "rows_remapped", "gpu": null, "uuid": "GPU-aaaa", "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:03.000", "text": "memory rows remapped"},
   {"error": "pages_retired", "gpu": null, "uuid": "GPU-bbbb", "bus": null, "count": 1, "code": null, "first": "2026-07-03T10:00:02.001", "last": "2026-07-03T10:00:02.001", "text": "memory pages retired"},
   {"error": "ecc_corrected", "gpu": null, "uuid": "GPU-aaaa", "bus": null, "count": 5, "code": null, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:03.000", "text": "corrected ECC errors"}]
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/0/metrics/ecc.c.v.total gpus/0/metrics/ecc.u.v.sram
  gpus/0/metrics/ecc.c.v.total {"unit": "", "count": 4, "first": 5.0, "last": 3.0, "increase": 5.0}
  gpus/0/metrics/ecc.u.v.sram {"unit": "", "count": 4, "first": 0.0, "last": 2.0, "increase": 2.0}
  $ smilog summarize -q -v log.csv | sed -n '/^ERRORS/,/^$/p'
  ERRORS                   GPU  COUNT  FIRST     LAST
  uncorrected ECC errors  aaaa      3  10:00:02  10:00:03
  memory rows remapped    aaaa      2  10:00:02  10:00:03
  memory pages retired    bbbb      1  10:00:02  10:00:02
  corrected ECC errors    aaaa      5  10:00:02  10:00:03

  $ smilog summarize -q --format csv log.csv | python3 -SE -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["errors"])'
  ecc_uncorrected=3 rows_remapped=2 pages_retired=1 ecc_corrected=5

keyless belongs to the only gpu
# nine columns without a key: of the one GPU there is; of several it is not known which
  $ row() { printf '2026/07/03 10:%02d:%02d.%03d, 50, 5, 100, 81559, %s, 50, 1980, 2619\n' $(($1 / 60)) $(($1 % 60)) $2 "$3"; }
  $ for i in $(seq 0 299); do row $i 0 "$([ $i = 280 ] && echo '[GPU is lost]' || echo 100.00)"; done >one.csv
  $ for i in $(seq 0 299); do row $i 0 100.00; row $i 1 "$([ $i = 280 ] && echo '[GPU is lost]' || echo 100.00)"; done >two.csv
  $ trap 'rm -f one.csv two.csv' EXIT
  $ for log in one two; do smilog summarize -q --json $log.csv | python3 -SE ../../pick.py errors gpus/*/samples; done
  errors [{"error": "gpu_lost", "gpu": 0, "uuid": null, "bus": null, "count": 1, "code": null, "first": "2026-07-03T10:04:40.000", "last": "2026-07-03T10:04:40.000", "text": "GPU lost"}]
  gpus/*/samples [300]
  errors [{"error": "gpu_lost", "gpu": null, "uuid": null, "bus": null, "count": 1, "code": null, "first": "2026-07-03T10:04:40.001", "last": "2026-07-03T10:04:40.001", "text": "GPU lost"}]
  gpus/*/samples [300, 300]

large counters merge
# counters of us since the driver was loaded are larger than 2^53 millionths
  $ smilog summarize -q --partial ../counters_grow_and_begin_again/log.csv | smilog merge -q --json - |
  >     python3 -SE ../../pick.py gpus/0/metrics/throttle_us.sw_power_cap
  gpus/0/metrics/throttle_us.sw_power_cap {"unit": "us", "count": 4, "first": 15820333506.0, "last": 1250000.0, "increase": 1750000.0}

lost gpu without a reading
# The GPU of b was lost before its first reading: its note says so, not only that there are no readings.
  $ d=$(mktemp -d) && cd "$d" && mkdir a b || exit
  $ head='index, utilization.gpu [%], memory.used [MiB]'
  $ printf '%s\n0, 50 %%, 1000 MiB\n0, [GPU is lost], [GPU is lost]\n' "$head" >a/hw.csv
  $ printf '%s\n0, [GPU is lost], [GPU is lost]\n' "$head" >b/hw.csv
  $ smilog summarize -q . | grep -v '^$'
  2 runs in .   1 GPU
  RUN    STATE    TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB  W  °C  CPU %  THROTTLED %  Wh  WASTED h  START  HOST  NOTE
  a      -           -   50.0     50  ··········       -       1.0  -   -      -            -   -         -  -      -     GPU 0 lost
  b      no-data     -      -      -  ··········       -         -  -   -      -            -   -         -  -      -     GPU 0 lost
  total  -           -   50.0      -  -                -       1.0  -   -      -            -   -         -  -      -     -
  errors: GPU lost (in 2 runs, first a)
  warnings: 2 rows not usable (in 2 inputs, first hw.csv)
  quality: 2 of 2 runs are incomplete: no-data in 1, rejected-rows in 2
  2 runs, GPU 50.0 %, 1 no GPU data
  $ rm -r "$d"

lost reset and unknown
# GPU 0 lost in 2 rows from 10:00:02, the message of another (after 10:00:02.002) names no GPU of the log; GPU 1 asks for
# a reset in 2 rows from 10:00:01.001; GPU 2 has 2 rows with an unknown error, and its remapping failed at 10:00:02.002
  $ smilog summarize --run-per file -q --json log.csv | python3 -SE ../../pick.py errors | sed 's/}, {/},\n {/g'
  errors [{"error": "gpu_lost", "gpu": 0, "uuid": null, "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:03.000", "text": "GPU lost"},
   {"error": "gpu_lost", "gpu": null, "uuid": null, "bus": "0000:8C:00.0", "count": 1, "code": null, "first": "2026-07-03T10:00:02.002", "last": "2026-07-03T10:00:02.002", "text": "GPU lost"},
   {"error": "gpu_reset_required", "gpu": 1, "uuid": null, "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:01.001", "last": "2026-07-03T10:00:02.001", "text": "GPU requires reset"},
   {"error": "row_remap_failed", "gpu": 2, "uuid": null, "bus": null, "count": 1, "code": null, "first": "2026-07-03T10:00:02.002", "last": "2026-07-03T10:00:02.002", "text": "row remapping failed"},
   {"error": "recovery_action", "gpu": 1, "uuid": null, "bus": null, "count": 2, "code": 1, "first": "2026-07-03T10:00:01.001", "last": "2026-07-03T10:00:02.001", "text": "recovery action needed"},
   {"error": "row_remap_pending", "gpu": 1, "uuid": null, "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:01.001", "last": "2026-07-03T10:00:02.001", "text": "row remapping pending"},
   {"error": "unknown_error", "gpu": 2, "uuid": null, "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:00.002", "last": "2026-07-03T10:00:02.002", "text": "unknown errors"}]
  $ smilog summarize --run-per file -q --json log.csv | python3 -SE ../../pick.py inputs/0/rows inputs/0/rejected inputs/0/messages
  inputs/0/rows 9
  inputs/0/rejected {"bad_number": 2}
  inputs/0/messages 1
  $ smilog summarize --run-per file -q log.csv | sed -n '/^ERRORS/,/^$/p'
  ERRORS                                GPU  COUNT  FIRST     LAST
  GPU lost                                0      2  10:00:02  10:00:03
  GPU lost                           bus 8C      1  10:00:02  10:00:02
  GPU requires reset                      1      2  10:00:01  10:00:02
  row remapping failed                    2      1  10:00:02  10:00:02
  recovery action needed: GPU Reset       1      2  10:00:01  10:00:02
  row remapping pending                   1      2  10:00:01  10:00:02
  unknown errors                          2      2  10:00:00  10:00:02

  $ smilog summarize --run-per file -q --format md log.csv | grep '^| `'
  | `log.csv` | 3.0s | 50.0 | 0.0 | 0.1 | >0.1 | 0.00 | **GPU 0 lost** |
  $ smilog summarize --run-per file -q --format line log.csv
  {"v":1,"ngpu":3,"gpu_util":50.0,"gpu_mem_max":100,"gpu_power":300.0,"gpu_h":0.00,"idle_h":0.00,"wh":0.1,"wh_pct":50.0,"state":"unknown","note":"gpu-lost"}

screens
# a table; in a sweep the note of a run and one line for all
  $ for n in 80 100; do
  >     COLUMNS=$n LINES=40 script -qec "smilog summarize -q --color=never ../xid_and_driver_messages/log.csv" /dev/null | tr -d '\r' | sed -n '/^ERRORS/,/^$/p'
  >     COLUMNS=$n LINES=40 script -qec "smilog summarize -q --color=never -v ../lost_reset_and_unknown/log.csv" /dev/null | tr -d '\r' | sed -n '/^ERRORS/,/^$/p'
  >     COLUMNS=$n LINES=40 script -qec "smilog summarize -q --color=never --run-per=dir ../lost_reset_and_unknown ../ecc_rows_and_pages ../xid_and_driver_messages" /dev/null |
  >         tr -d '\r' | grep -E '^(RUN|.*log|errors|    |.*messages|.*pages|.*unknown)'
  > done
  ERRORS              GPU  COUNT  FIRST     LAST
  GPU lost              1      1  10:00:01  10:00:01
  XID 31                0      1  -         -
  XID 79                1      1  10:00:00  10:00:00
  XID 79                -      1  10:00:02  10:00:02
  driver not reached    -      2  10:00:02  10:00:02

  ERRORS                                GPU  COUNT  FIRST     LAST
  GPU lost                                0      2  10:00:02  10:00:03
  GPU lost                           bus 8C      1  10:00:02  10:00:02
  GPU requires reset                      1      2  10:00:01  10:00:02
  row remapping failed                    2      1  10:00:02  10:00:02
  recovery action needed: GPU Reset       1      2  10:00:01  10:00:02
  row remapping pending                   1      2  10:00:01  10:00:02
  unknown errors                          2      2  10:00:00  10:00:02

  RUN                      TIME  GPU %  IDLE %  WASTED h  NOTE
  ecc_rows_and_pages       3.0s   50.0     0.0      0.00  ecc-uncorrected
  lost_reset_and_unknown   3.0s   50.0     0.0      0.00  gpu-lost
  xid_and_driver_messages  2.0s   50.0     0.0      0.00  xid
  errors: GPU lost (in 2 runs, most in lost_reset_and_unknown), GPU 1 requires
  reset (in lost_reset_and_unknown), XID 31 on GPU 0 (in xid_and_driver_messages),
  driver not reached (in xid_and_driver_messages), and 8 more kinds
  warnings: 2 rows not usable (in log.csv)
  more: smilog summarize -v --run-per dir ../ecc_rows_and_pages
  ERRORS              GPU  COUNT  FIRST     LAST
  GPU lost              1      1  10:00:01  10:00:01
  XID 31                0      1  -         -
  XID 79                1      1  10:00:00  10:00:00
  XID 79                -      1  10:00:02  10:00:02
  driver not reached    -      2  10:00:02  10:00:02

  ERRORS                                GPU  COUNT  FIRST     LAST
  GPU lost                                0      2  10:00:02  10:00:03
  GPU lost                           bus 8C      1  10:00:02  10:00:02
  GPU requires reset                      1      2  10:00:01  10:00:02
  row remapping failed                    2      1  10:00:02  10:00:02
  recovery action needed: GPU Reset       1      2  10:00:01  10:00:02
  row remapping pending                   1      2  10:00:01  10:00:02
  unknown errors                          2      2  10:00:00  10:00:02

  RUN                      TIME  GPU %  OVER TIME   IDLE %  VRAM GiB  WASTED h  NOTE
  ecc_rows_and_pages       3.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0         -      0.00  uncorrected ECC errors
  lost_reset_and_unknown   3.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0       0.1      0.00  GPU 0 lost
  xid_and_driver_messages  2.0s   50.0  ▅▅▅▅▅▅▅▅▅▅     0.0         -      0.00  GPU 1 lost
  errors: GPU lost (in 2 runs, most in lost_reset_and_unknown), GPU 1 requires reset (in
  lost_reset_and_unknown), XID 31 on GPU 0 (in xid_and_driver_messages), driver not reached (in
  xid_and_driver_messages), and 8 more kinds
  warnings: 2 rows not usable (in log.csv)
  more: smilog summarize -v --run-per dir ../ecc_rows_and_pages

throttle reasons are shares
# a state holds for the time since the row before; mask: known for 4 of 5 s, power cap 3 of them, thermal slowdown 1;
# hw_slowdown of the first row has no interval. Named, old spelling: power cap 2 of 5 s, hardware thermal slowdown 2
  $ cat >mask.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], clocks_event_reasons.active
  > 2026/07/03 10:00:00.000, 0, 50 %, 0x0000000000000008
  > 2026/07/03 10:00:01.000, 0, 50 %, 0x0000000000000004
  > 2026/07/03 10:00:02.000, 0, 50 %, 0x0000000000000024
  > 2026/07/03 10:00:03.000, 0, 50 %, 0x0000000000000000
  > 2026/07/03 10:00:04.000, 0, 50 %, [N/A]
  > 2026/07/03 10:00:05.000, 0, 50 %, 0x0000000000000004
  > EOF
  $ cat >old.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], clocks_throttle_reasons.sw_power_cap, clocks_throttle_reasons.hw_thermal_slowdown
  > 2026/07/03 10:00:00.000, 0, 50 %, Not Active, Not Active
  > 2026/07/03 10:00:01.000, 0, 50 %, Active, Not Active
  > 2026/07/03 10:00:02.000, 0, 50 %, Active, Not Active
  > 2026/07/03 10:00:03.000, 0, 50 %, Not Active, Not Active
  > 2026/07/03 10:00:05.000, 0, 50 %, Not Active, Active
  > EOF
  $ for log in mask old; do
  >     smilog summarize -q --json $log.csv | python3 -SE ../../pick.py gpus/0/throttle_pct
  >     sed 's/clocks_throttle_reasons/clocks_event_reasons/g' $log.csv | smilog summarize -q --json - | python3 -SE ../../pick.py gpus/0/throttle_pct
  >     smilog summarize -q -v $log.csv | grep '^clocks held'
  >     smilog summarize -q --format csv $log.csv | python3 -SE -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["throttled_pct"])'
  > done
  gpus/0/throttle_pct {"gpu_idle": 0.0, "applications_clocks_setting": 0.0, "sw_power_cap": 75.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "sw_thermal_slowdown": 25.0, "hw_thermal_slowdown": 0.0, "hw_power_brake_slowdown": 0.0, "display_clock_setting": 0.0}
  gpus/0/throttle_pct {"gpu_idle": 0.0, "applications_clocks_setting": 0.0, "sw_power_cap": 75.0, "hw_slowdown": 0.0, "sync_boost": 0.0, "sw_thermal_slowdown": 25.0, "hw_thermal_slowdown": 0.0, "hw_power_brake_slowdown": 0.0, "display_clock_setting": 0.0}
  clocks held down, highest share: software power cap 75.0 %, software thermal slowdown 25.0 %
  75.0
  gpus/0/throttle_pct {"sw_power_cap": 40.0, "hw_thermal_slowdown": 40.0}
  gpus/0/throttle_pct {"sw_power_cap": 40.0, "hw_thermal_slowdown": 40.0}
  clocks held down, highest share: software power cap 40.0 %, hardware thermal slowdown 40.0 %
  40.0

xid and driver messages
# a message is as late as the row before it; before the first row it has no time; one without a bus id is of no GPU
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py errors | sed 's/}, {/},\n {/g'
  errors [{"error": "gpu_lost", "gpu": 1, "uuid": null, "bus": "00000000:5E:00.0", "count": 1, "code": null, "first": "2026-07-03T10:00:01.000", "last": "2026-07-03T10:00:01.000", "text": "GPU lost"},
   {"error": "xid", "gpu": 0, "uuid": null, "bus": "00000000:3B:00.0", "count": 1, "code": 31, "first": null, "last": null, "text": "XID"},
   {"error": "xid", "gpu": 1, "uuid": null, "bus": "00000000:5E:00.0", "count": 1, "code": 79, "first": "2026-07-03T10:00:00.001", "last": "2026-07-03T10:00:00.001", "text": "XID"},
   {"error": "xid", "gpu": null, "uuid": null, "bus": null, "count": 1, "code": 79, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:02.000", "text": "XID"},
   {"error": "no_driver", "gpu": null, "uuid": null, "bus": null, "count": 2, "code": null, "first": "2026-07-03T10:00:02.000", "last": "2026-07-03T10:00:02.000", "text": "driver not reached"}]
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py inputs/0/messages inputs/0/rejected
  inputs/0/messages 6
  inputs/0/rejected {}
  $ smilog summarize -q -v log.csv | sed -n '/^ERRORS/,/^$/p'
  ERRORS              GPU  COUNT  FIRST     LAST
  GPU lost              1      1  10:00:01  10:00:01
  XID 31                0      1  -         -
  XID 79                1      1  10:00:00  10:00:00
  XID 79                -      1  10:00:02  10:00:02
  driver not reached    -      2  10:00:02  10:00:02


messages of the kernel
# They are of all jobs since the machine was started, and most have no date: no log is taken for them, but the Xid is printed. Asked for, they are read.
  $ mkdir run
  $ { echo "timestamp, index, pci.bus_id, utilization.gpu [%]"
  >   for i in 0 1 2; do for gpu in 0 1; do echo "2026/07/03 10:00:0$i.000, $gpu, 00000000:8${gpu}:00.0, 97 %"; done; done; } >run/gpu.csv
  $ cat >run/dmesg.log <<'EOF'
  > [ 1234.567890] NVRM: Xid (PCI:0000:81:00): 79, pid=1234, name=python, GPU has fallen off the bus.
  > EOF
  $ smilog summarize --json run 2>/dev/null | jq -c '.runs[0] | [.findings, [.inputs[] | .path]]'
  [[],["gpu.csv"]]
  $ smilog summarize -q --input-format kernel-log --json run/dmesg.log | jq -c '.runs[0] | [.state, [.errors[] | [.error, .bus, .code]], [.findings[] | [.rule, .level, .text]]]'
  ["no-data",[["xid","0000:81:00",79]],[["xid","error","XID 79 on GPU bus 81"]]]

a driver that is not reached
# No GPU was read at all: what the driver said is the finding.
  $ { echo "timestamp, index, utilization.gpu [%]"; echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."; } >gpu.csv
  $ smilog summarize -q --json gpu.csv | jq -c '.runs[0] | [.state, [.findings[] | [.rule, .gpu_hours]]]'
  ["no-data",[["no-driver",0]]]
  $ smilog check -q --fail-on error gpu.csv >/dev/null
  [1]
