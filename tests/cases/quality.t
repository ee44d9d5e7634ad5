absent is a share of rows
# GPU 0: power in 3 of 4 rows; GPU 1: power in 3, memory in 2; the memory's temperature and the mask in none
  $ smilog summarize --run-per file -q --json log.csv >all.json; trap 'rm -f all.json' EXIT
  $ for g in 0 1; do
  >     python3 -SE ../../pick.py gpus/$g/available_pct/gpu_util_pct gpus/$g/available_pct/fb_used_mib gpus/$g/available_pct/temp_mem_c \
  >         gpus/$g/available_pct/power_w gpus/$g/available_pct/throttle.sw_power_cap <all.json
  > done
  gpus/0/available_pct/gpu_util_pct 100.0
  gpus/0/available_pct/fb_used_mib 100.0
  gpus/0/available_pct/temp_mem_c 0.0
  gpus/0/available_pct/power_w 75.0
  gpus/0/available_pct/throttle.sw_power_cap 0.0
  gpus/1/available_pct/gpu_util_pct 100.0
  gpus/1/available_pct/fb_used_mib 50.0
  gpus/1/available_pct/temp_mem_c 0.0
  gpus/1/available_pct/power_w 75.0
  gpus/1/available_pct/throttle.sw_power_cap 0.0
  $ python3 -SE ../../pick.py inputs/0/cells <all.json
  inputs/0/cells {"missing": 19, "bad": 1, "out_of_range": 0}
  $ smilog summarize --run-per file -q -v log.csv | grep '^absent'
  absent: memory temperature, throttle reasons always; VRAM used in 50.0 % of the rows (GPU 1), power in 25.0 % of the rows

readings of the machine are not absent on a gpu
# A log of both, in which a reading of each is missing once.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for i in 1 2 3 4; do
  >     echo '{"level": "record", "timestamp": 170000000'$i', "data": {"cpu": {"avg": '$([ $i = 2 ] && echo null || echo 5)'}, "memory": {"avg": 7},'
  >     echo ' "gpu_usage": [{"uuid": "GPU-a", "util_percent": {"avg": '$([ $i = 3 ] && echo null || echo 50)'}, "mem_util_percent": {"avg": 9}}]}}'
  > done | paste -d ' ' - - >usage_log.txt
  $ smilog summarize -q -v usage_log.txt | grep ^absent
  absent: GPU use in 25.0 % of the rows, CPU in 25.0 % of the rows

numbers are complete, or not
# Each reason once; a check that fails for each. Readings: GPU 1 ends early; GPU 1 of indexes alone ends early; an hour without any; power
# that no card draws; no power for half of the time; one log twice, as two runs.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT; mkdir whole vanished renumbered gaps impossible energy first second nothing
  $ log() { awk -v uuid=$1 -v end=$2 -v from=$3 -v to=$4 -v watts="$5" -v day=$6 'BEGIN { print "timestamp, index, utilization.gpu [%], power.draw [W]" (uuid ? ", uuid" : "")
  >   for (s = 0; s < 7200; s += 10) for (g = 0; g < 2; g++) if (!(g && s >= end) && !(s >= from && s < to))
  >     printf "2026/07/%02d %02d:%02d:%02d.000, %d, 95 %%, %s%s\n", day, 10 + s / 3600, s / 60 % 60, s % 60, g, s < 3600 ? "600 W" : watts, uuid ? ", GPU-0000000" g day "-0000-0000-0000-000000000000" : "" }'; }
  $ log 1 7200 0 0 '600 W' 10 >whole/gpu.csv; log 1 3600 0 0 '600 W' 11 >vanished/gpu.csv; log '' 3600 0 0 '600 W' 12 >renumbered/gpu.csv
  $ log 1 7200 600 4200 '600 W' 13 >gaps/gpu.csv; log 1 7200 0 0 '900000 W' 14 >impossible/gpu.csv; log 1 7200 0 0 '[N/A]' 15 >energy/gpu.csv
  $ log 1 7200 0 0 '600 W' 16 | tee first/gpu.csv >second/gpu.csv; sed -i '2d' second/gpu.csv; echo '{"event": "start", "time": "2026-07-10T10:00:00Z"}' >nothing/run.jsonl
  $ smilog summarize -q . --format csv --columns run,ngpus,incomplete
  run,ngpus,incomplete
  energy,2,energy-coverage
  first,2,
  gaps,2,gaps
  impossible,2,"impossible-readings energy-coverage"
  renumbered,2,"gpu-vanished gpus-renumbered"
  second,2,overlap
  vanished,2,gpu-vanished
  whole,2,
  $ smilog summarize -q . | tail -n 2 | cut -c-150; smilog summarize -q whole | tail -n 2 | head -n 1
  quality: 6 of 8 runs are incomplete: gpu-vanished in 2, gpus-renumbered in 1, gaps in 1, impossible-readings in 1, energy-coverage in 2, overlap in 1
  8 runs, 23.96 GPU-h (3.99 more are in several runs), 11.97 kWh (partly known: 2 runs), GPU 95.0 %, 0.00 GPU-h wasted (0.0 %)
  quality: complete
  $ smilog summarize -q --json . | python3 -SE -c 'import json, sys
  > for r in (d := json.load(sys.stdin))["runs"] + [d["total"]]: print(r.get("run", "total"), *r["quality"].values())'
  energy False ['energy-coverage'] 49.930459 100.0
  first True [] 100.0 100.0
  gaps False ['gaps'] 100.0 100.0
  impossible False ['impossible-readings', 'energy-coverage'] 49.930459 100.0
  renumbered False ['gpu-vanished', 'gpus-renumbered'] 100.0 100.0
  second True [] 100.0 100.0
  vanished False ['gpu-vanished'] 100.0 100.0
  whole True [] 100.0 100.0
  total False ['gpu-vanished', 'gpus-renumbered', 'gaps', 'impossible-readings', 'energy-coverage', 'overlap'] 85.687307 100.0
  $ smilog check -q --complete . | sed 's/ *$//'; smilog check -q --complete whole; echo "status $?"
        LIMIT                                                                  VALUE  RUN
  FAIL  incomplete IS NOT NULL holds                      incomplete energy-coverage  energy
  FAIL  incomplete IS NOT NULL holds                                 incomplete gaps  gaps
  FAIL  incomplete IS NOT NULL holds  incomplete impossible-readings energy-coverage  impossible
  FAIL  incomplete IS NOT NULL holds         incomplete gpu-vanished gpus-renumbered  renumbered
  FAIL  incomplete IS NOT NULL holds                              incomplete overlap  second
  FAIL  incomplete IS NOT NULL holds                         incomplete gpu-vanished  vanished
  1 limit broken by 6 of 8 runs
  status 0
  $ smilog check -q --expect-gpus 3 whole; echo "status $?"; smilog check -q --expect-gpus 2 whole; echo "status $?"
        LIMIT       VALUE  RUN
  FAIL  ngpus >= 3      2  whole
  1 limit broken by 1 of 1 run
  status 1
  status 0
  $ log '' 3600 0 0 '600 W' 12 | awk -F, -v OFS=, '$2 == 1 { next } { $3 = NR > 400 ? " [N/A]" : $3 } 1' >half.csv; sed 's/^[^,]*, //' whole/gpu.csv >times.csv
  $ for log in half times; do smilog summarize -q --run-per file $log.csv | grep quality; done
  quality: incomplete: use-coverage
  quality: incomplete: no-times
  $ smilog summarize -q --gpus 1 renumbered | grep -e quality -e vanished; smilog summarize -q --json whole vanished >two.json # what was not asked for is not compared
  quality: complete
  $ smilog diff -q two.json two.json --where 'incomplete IS NOT NULL' | tail -n 1
  1 pair, 20 columns: 20 the same

rows that were lost make numbers incomplete
# A log whose packed data ends early, alone and as a part; one with every fiftieth row too short, or (none is said) every two-hundredth;
# an archive that ends early, whose second run is in none.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT; mkdir -p cut some few box/one box/two; export TZ=UTC
  $ log() { awk -v bad=$1 -v uuid=$2 'BEGIN { print "timestamp, index, uuid, utilization.gpu [%], power.draw [W]"; srand(1)
  >   for (s = 0; s < 1800; s++) printf "2026/07/10 10:%02d:%02d.000, 0%s\n", s / 60, s % 60, bad && s % bad == 7 ? "" : ", GPU-0000000" uuid "-0000-0000-0000-000000000000, 95 %, " 500 + rand() " W" }'; }
  $ log 0 1 | gzip | head -c 7000 >cut/gpu.csv.gz; log 50 2 >some/gpu.csv; log 200 3 >few/gpu.csv
  $ for run in cut some few; do smilog summarize -q --partial $run -o $run.partial 2>/dev/null; for how in "summarize $run" "merge $run.partial"; do smilog ${how% *} -q ${how#* } 2>/dev/null | grep quality; done; done
  quality: incomplete: unread
  quality: incomplete: unread
  quality: incomplete: rejected-rows
  quality: incomplete: rejected-rows
  quality: complete
  quality: complete
  $ smilog check -q --complete cut some few 2>/dev/null | sed 's/ *$//'
        LIMIT                                            VALUE  RUN
  FAIL  incomplete IS NOT NULL holds         incomplete unread  cut
  FAIL  incomplete IS NOT NULL holds  incomplete rejected-rows  some
  1 limit broken by 2 of 3 runs
  $ log 0 4 | head -n 1000 >box/one/gpu.csv; log 0 5 >box/two/gpu.csv; tar cf box.tar --sort=name box; size=$(stat -c %s box/one/gpu.csv); head -c $((size / 512 * 512 + 9000)) box.tar >cut.tar
  $ smilog summarize -q cut.tar 2>/dev/null | tail -n 2 | cut -c-60; smilog check -q --complete cut.tar 2>/dev/null; echo "status $?"
  quality: 1 of 2 runs is incomplete: unread in 1
  2 runs, 0.28 GPU-h, 140.1 Wh, GPU 95.0 %, 0.00 GPU-h wasted\x20 (esc)
        LIMIT                                     VALUE  RUN
  FAIL  incomplete IS NOT NULL holds  incomplete unread  box/two
  1 limit broken by 1 of 2 runs
  status 1

gpu use is a mean over time
# 90 % for 10 minutes, read every second, then 10 % for 100 minutes, read every 10 s: (599 * 90 + 1 * 50 + 6000 * 10) / 6600 s. The same
# of a sweep, its groups, merged parts, and as columns. Without times it is the mean of the readings.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT; mkdir -p d/lr=1 d/lr=2
  $ awk 'BEGIN { print "timestamp, utilization.gpu [%], power.draw [W]"
  >   for (s = 0; s <= 6600; s += s < 600 ? 1 : 10) printf "2026/07/03 %02d:%02d:%02d.000, %d %%, %d W\n", 10 + s / 3600, s / 60 % 60, s % 60, s < 600 ? 90 : 10, s < 600 ? 600 : 100 }' >d/lr=1/gpu.csv
  $ cp d/lr=1/gpu.csv d/lr=2/gpu.csv; sed 's/^[^,]*, //' d/lr=1/gpu.csv >untimed.csv; sed -i 's/2026/2025/' d/lr=2/gpu.csv
  $ smilog summarize -q d/lr=1 | grep -E '^  0|^1h|mean_pct'
    0   17.3!  10   10   90   90     0.0         -  145.4  266.6
  gpu_util_mean_pct     50.0
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -
  1h50m, 1.83 GPU-h, 266.6 Wh, GPU 17.3 %, 0.00 GPU-h wasted (0.0 %), 1 finding
  $ smilog summarize -q d --format md | tail -4
  | `lr=1` | 1h50m | **17.3** | 0.0 | 266.6 | 0.00 | the GPU at 17.3 % over time |
  | `lr=2` | 1h50m | **17.3** | 0.0 | 266.6 | 0.00 | the GPU at 17.3 % over time |
  | **total 2 runs** | 3h40m | 17.3 | 0.0 | 533.2 | 0.00 | |

  $ smilog summarize -q d --group-by lr --columns gpu_util_time_mean_pct,gpu_util_mean_pct
  lr  n  gpu_util_time_mean_pct_mean  gpu_util_time_mean_pct_sd  gpu_util_time_mean_pct_n  gpu_util_mean_pct_mean  gpu_util_mean_pct_sd  gpu_util_mean_pct_n
   1  1                    17.266667                          -                         1                    50.0                     -                    1
   2  1                    17.266667                          -                         1                    50.0                     -                    1
  $ smilog summarize -q d --group-by lr --format csv | cut -d, -f-3
  lr,n,gpu_util_time_mean_pct_mean
  1,1,17.266667
  2,1,17.266667
  $ for run in d/lr=1 d/lr=2; do smilog summarize -q --partial -o $(basename $run).part $run; done; smilog merge -q *.part | tail -1
  2 runs, 3.67 GPU-h, 533.2 Wh, GPU 17.3 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog summarize -q --run-per file untimed.csv | tail -1
  GPU 50.0 %
  $ smilog summarize -q --run-per file untimed.csv --format csv --columns gpu_util_mean_pct,gpu_util_time_mean_pct
  gpu_util_mean_pct,gpu_util_time_mean_pct
  50.0,

energy known for part of the time
# The driver prints no power while the GPU is idle: every output says that the energy is of half of the time. It is the same
# of the merged parts. The last run lacks power at its last row: less than 1 % of the time is not marked.
  $ dir=$(mktemp -d) && here=$PWD && cd $dir && trap 'rm -rf $dir' EXIT
  $ run() { # directory, first and last second without power, last second
  >     mkdir -p $1 && awk -v from=$2 -v to=$3 -v last=$4 -v id=$1 'BEGIN {
  >         print "timestamp, index, uuid, utilization.gpu [%], power.draw [W]"
  >         for (s = 0; s <= last; s++)
  >             printf("2026/07/03 10:%02d:%02d.000, 0, GPU-%s, %d %%, %s\n", s / 60, s % 60, id, s < from || s > to ? 90 : 0,
  >                 s < from || s > to ? "600.00 W" : "[N/A]")
  >     }' >$1/gpu.csv
  > }
  $ run sweep/half 300 899 1200; run sweep/whole 300 300 300
  $ echo "== text"; smilog summarize -q sweep/half | sed -n '/^GPU/,/^$/p;/^note/p;$p'
  == text
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W     Wh
    0    45.0   0   90   90   90   50.0!         -  600.0  >99.8

  note: no memory.used column, or no reading in it
  note: energy is of 599 of 1200 s: power is not known for the rest
  note: no CPU log
  20m00s, 0.33 GPU-h, 99.8 Wh of 599 of 1200 s, GPU 45.0 %, 0.17 GPU-h wasted (50.0 %), 1 finding
  $ smilog summarize -q -v sweep/half | sed -n '/^GPU/,/^always/p;/^note/p;$p'
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %     Wh  EVERY  WORST  GAPS  GAP TIME
    0    45.0   0   90   90   90   50.0!  >99.8  1.0 s  1.0 s     -         -
  always the same: power 600.0 W
  note: no memory.used column, or no reading in it
  note: energy is of 599 of 1200 s: power is not known for the rest
  note: no CPU log
  20m00s, 0.33 GPU-h, 99.8 Wh of 599 of 1200 s, GPU 45.0 %, 0.17 GPU-h wasted (50.0 %), 1 finding
  $ COLUMNS=200 smilog summarize -q sweep | grep -E 'Wh|half|whole|total'
  RUN             TIME  GPU %  P95 %  OVER TIME                 IDLE %      W      Wh  WASTED h  START                NOTE
  half          20m00s   45.0     90  ██████▁▁▁▁▁▁▁▁▁▁▁▁██████   50.0!  600.0   >99.8      0.17  2026-07-03 10:00:00  idle 10m00s
  whole          5m00s   89.8     90  ███████████████████████▇    0.3   600.0    49.8     <0.01  2026-07-03 10:00:00
  total 2 runs  25m00s   54.0                                    40.1          >149.7      0.17
  Where 0.17 of 0.42 GPU-hours went (40.1 %)
  stall   0.17  half   the GPU idle 10m00s from 10:04:59
  end    <0.01  whole  idle after the last work, 1.0s
  2 runs, 0.42 GPU-h, 149.7 Wh (partly known: 1 run), GPU 54.0 %, 0.17 GPU-h wasted (40.1 %)
  more: smilog summarize -v sweep/half
  $ smilog summarize -q sweep --columns run,energy_wh,energy_covered_s,energy_coverage_pct --format csv
  run,energy_wh,energy_covered_s,energy_coverage_pct
  half,99.833333,599.0,49.916667
  whole,49.833333,299.0,99.666667
  $ smilog summarize -q sweep --sql 'select run, gpu, energy_covered_s, energy_coverage_pct from gpus' --format csv
  run,gpu,energy_covered_s,energy_coverage_pct
  half,0,599.0,49.916667
  whole,0,299.0,99.666667
  $ echo "== JSON"; smilog summarize -q --json sweep >all.json
  == JSON
  $ python3 -SE $here/../../pick.py energy_wh energy_covered_s energy_coverage_pct covered_s problems/0 gpus/0/energy_covered_s \
  >     gpus/0/energy_coverage_pct /runs/1/energy_coverage_pct /total/energy_wh /total/of_runs <all.json
  energy_wh 99.833333
  energy_covered_s 599.0
  energy_coverage_pct 49.916667
  covered_s 1200.0
  problems/0 "no memory.used column, or no reading in it"
  gpus/0/energy_covered_s 599.0
  gpus/0/energy_coverage_pct 49.916667
  /runs/1/energy_coverage_pct 99.666667
  /total/energy_wh 149.666666
  /total/of_runs {"duration_s": 2, "gpu_hours": 2, "energy_wh": 2, "energy_wh_part": 1, "wasted_h": 2}
  $ smilog summarize -q --format line sweep/half | grep -o '"wh.*'
  "wh":99.8,"wh_pct":49.9,"state":"unknown","note":"stall"}
  $ echo "== others"; smilog summarize -q --format md sweep | grep -E '\*\*|half|whole|total'
  == others
  **2 runs, 0.42 GPU-h, 149.7 Wh (partly known: 1 run), GPU 54.0 %, 0.17 GPU-h wasted (40.1 %)**
  | stall | 0.17 | `half` | the GPU idle 10m00s from 10:04:59 |
  | end | <0.01 | `whole` | idle after the last work, 1.0s |
  | `half` | 20m00s | 45.0 | **50.0** | >99.8 | 0.17 | idle 10m00s |
  | `whole` | 5m00s | 89.8 | 0.3 | 49.8 | <0.01 | |
  | **total 2 runs** | 25m00s | 54.0 | 40.1 | >149.7 | 0.17 | |
  $ smilog summarize -q sweep -o page.html && grep -o -E '99.8 Wh[^<]*<|partly known[^<]*|"t":"[^"]*99.8[^"]*"|energy is of [^<:]*' page.html
  partly known: 1 run
  energy is of 599 of 1200 s
  "t":"\u003e99.8|49.8"
  energy is of 599 of 1200 s
  $ smilog summarize -q sweep -o book.xlsx && python3 -SE - <<'P'
  > import re, zipfile
  > book = zipfile.ZipFile("book.xlsx")
  > for name in sorted(book.namelist()):
  >     for text in re.findall(r">(Energy known %[^<]*|[^<]*partly[^<]*)<", book.read(name).decode(errors="replace")):
  >         print(name, text)
  >     for cell in re.findall(r"<v>(49.916[^<]*|0.49916[^<]*)</v>", book.read(name).decode(errors="replace")):
  >         print(name, cell)
  > P
  xl/worksheets/sheet1.xml partly known: 1 run
  xl/worksheets/sheet2.xml Energy known %
  xl/worksheets/sheet2.xml 0.49916667
  xl/worksheets/sheet4.xml Energy known %
  xl/worksheets/sheet4.xml 0.49916667
  xl/worksheets/sheet8.xml Energy known %
  xl/worksheets/sheet8.xml Energy known %
  $ echo "== merged"; head -700 sweep/half/gpu.csv >a.csv; (head -1 a.csv; tail -n +701 sweep/half/gpu.csv) >b.csv
  == merged
  $ mkdir half; for part in a b; do cp $part.csv half/gpu.csv; smilog summarize -q --partial half -o $part.part; done
  $ smilog merge a.part b.part --columns energy_wh,energy_covered_s,energy_coverage_pct --format csv
  energy_wh,energy_covered_s,energy_coverage_pct
  99.833333,599.0,49.916667
  $ echo "== limits"; smilog check sweep --max-energy-wh 200; echo $?
  == limits
              LIMIT       RUN
  not judged  no reading  half: energy_wh is of 599 of 1200 s
  1 of 2 runs meets all limits, 1 run could not be judged
  5
  $ smilog check sweep/half --max-energy-wh 50; echo $?
        LIMIT            VALUE  RUN
  FAIL  energy_wh <= 50   99.8  half
  1 limit broken by 1 of 1 run
  1
  $ smilog check sweep/whole --max-energy-wh 200 --quiet; echo $?
  0
  $ smilog check sweep/half --fail-if 'energy_wh > 200' --allow-missing; echo $?
  ok    1 limit holds in 0 of 1 run, 1 run skipped because a value is missing
  0

energy known for some gpus
# One of 8 GPUs has no power: the energy is of the other 7. With one more that has it for half of the time, it is of so
# many GPU-hours.
  $ dir=$(mktemp -d) && here=$PWD && cd $dir && trap 'rm -rf $dir' EXIT
  $ run() { # directory, GPU that has power up to half of the time
  >     mkdir -p $1 && awk -v half=${2:--1} 'BEGIN {
  >         print "timestamp, index, utilization.gpu [%], power.draw [W]"
  >         for (s = 0; s <= 1800; s += 5)
  >             for (g = 0; g < 8; g++)
  >                 printf("2026/07/03 10:%02d:%02d.000, %d, 95 %%, %s\n", s / 60, s % 60, g,
  >                     g == 5 || (g == half && s > 900) ? "[N/A]" : "600.00 W")
  >     }' >$1/gpu.csv
  > }
  $ run seven; run six 2
  $ for name in seven six; do
  >     smilog summarize -q $name | sed -n '/^GPU/,/^$/p;/^note/p;$p'
  >     smilog summarize -q --json $name | python3 -SE $here/../../pick.py energy_covered_s energy_coverage_pct gpus/2/energy_coverage_pct \
  >         gpus/5/energy_wh gpus/5/energy_covered_s gpus/5/energy_coverage_pct
  > done
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W     Wh
    0    95.0  95   95   95   95     0.0         -  600.0  300.0
    1    95.0  95   95   95   95     0.0         -  600.0  300.0
    2    95.0  95   95   95   95     0.0         -  600.0  300.0
    3    95.0  95   95   95   95     0.0         -  600.0  300.0
    4    95.0  95   95   95   95     0.0         -  600.0  300.0
    5    95.0  95   95   95   95     0.0         -      -      -
    6    95.0  95   95   95   95     0.0         -  600.0  300.0
    7    95.0  95   95   95   95     0.0         -  600.0  300.0

  note: no memory.used column, or no reading in it
  note: energy is of 7 of 8 GPUs: power is not known for the rest
  note: no CPU log
  30m00s, 4.00 GPU-h, 2.10 kWh of 7 of 8 GPUs, GPU 95.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  energy_covered_s 1800.0
  energy_coverage_pct 87.5
  gpus/2/energy_coverage_pct 100.0
  gpus/5/energy_wh null
  gpus/5/energy_covered_s null
  gpus/5/energy_coverage_pct null
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %  VRAM GiB      W      Wh
    0    95.0  95   95   95   95     0.0         -  600.0   300.0
    1    95.0  95   95   95   95     0.0         -  600.0   300.0
    2    95.0  95   95   95   95     0.0         -  600.0  >150.0
    3    95.0  95   95   95   95     0.0         -  600.0   300.0
    4    95.0  95   95   95   95     0.0         -  600.0   300.0
    5    95.0  95   95   95   95     0.0         -      -       -
    6    95.0  95   95   95   95     0.0         -  600.0   300.0
    7    95.0  95   95   95   95     0.0         -  600.0   300.0

  note: no memory.used column, or no reading in it
  note: energy is of 3.25 of 4.00 GPU-hours: power is not known for the rest
  note: no CPU log
  30m00s, 4.00 GPU-h, 1.95 kWh of 3.25 of 4.00 GPU-hours, GPU 95.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  energy_covered_s 1800.0
  energy_coverage_pct 81.25
  gpus/2/energy_coverage_pct 50.0
  gpus/5/energy_wh null
  gpus/5/energy_covered_s null
  gpus/5/energy_coverage_pct null
  $ smilog summarize -q seven six | grep -E 'Wh|seven|six|total'
  RUN    STATE    TIME  GPU %  P95 %  OVER TIME   IDLE %  VRAM GiB       W  °C  CPU %  THROTTLED %       Wh  WASTED h  START                HOST  NOTE
  seven  -      30m00s   95.0     95  ██████████     0.0         -  4200.0   -      -            -  >2100.0      0.00  2026-07-03T10:00:00  -     -
  six    -      30m00s   95.0     95  ██████████     0.0         -  4200.0   -      -            -  >1950.0      0.00  2026-07-03T10:00:00  -     -
  total  -       1h00m   95.0      -  -              0.0         -       -   -      -            -  >4050.0      0.00  -                    -     -
  2 runs, 8.00 GPU-h, 4.05 kWh (partly known: 2 runs), GPU 95.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog check seven --baseline six; echo $?
              LIMIT       RUN
  not judged  no reading  seven: energy_wh is of 87.5 % of the GPU time, in the baseline of 81.2 %
  0 of 1 run meets all limits, 1 run could not be judged
  5
  $ smilog check seven --max-energy-wh 5000; echo $?
              LIMIT       RUN
  not judged  no reading  seven: energy_wh is of 7 of 8 GPUs
  0 of 1 run meets all limits, 1 run could not be judged
  5

halves have the same quality
# a log cut in two, each half summarised alone: intervals, gaps and absent readings of each GPU are those of the whole
  $ t=$(mktemp -d) d=$(mktemp -d)
  $ trap 'rm -rf "$t" "$d"' EXIT
  $ for log in intervals_of_each_gpu absent_is_a_share_of_rows; do
  >     whole=../$log/log.csv; rows=$(($(wc -l <$whole) - 1))
  >     for cut in $(seq 1 $((rows - 1))); do
  >         rm -rf "$t"/*; mkdir "$t/a" "$t/b" "$t/w"
  >         head -n $((cut + 1)) $whole >"$t/a/1.csv"
  >         (head -n 1 $whole; tail -n $((rows - cut)) $whole) >"$t/b/2.csv"
  >         cp $whole "$t/w/log.csv"
  >         smilog summarize -q --partial --run-per=dir "$t/a" >"$t/a.partial"
  >         smilog summarize -q --partial --run-per=dir "$t/b" >"$t/b.partial"
  >         smilog merge -q --run r --json "$t/b.partial" "$t/a.partial" >"$d/$log $cut"
  >         smilog summarize -q --json "$t/w" >"$d/$log $cut whole"
  >     done
  > done
  $ python3 -SE ../../pick.py gpus -- "$d"/*
  $ for log in intervals_of_each_gpu absent_is_a_share_of_rows; do
  >     for cut in $(seq 1 $(($(wc -l <../$log/log.csv) - 2))); do
  >         diff "$d/$log $cut whole.picked" "$d/$log $cut.picked" && echo "$log $cut same"
  >     done
  > done
  intervals_of_each_gpu 1 same
  intervals_of_each_gpu 2 same
  intervals_of_each_gpu 3 same
  intervals_of_each_gpu 4 same
  intervals_of_each_gpu 5 same
  intervals_of_each_gpu 6 same
  absent_is_a_share_of_rows 1 same
  absent_is_a_share_of_rows 2 same
  absent_is_a_share_of_rows 3 same
  absent_is_a_share_of_rows 4 same
  absent_is_a_share_of_rows 5 same
  absent_is_a_share_of_rows 6 same
  absent_is_a_share_of_rows 7 same

intervals of each gpu
# intervals: GPU 0 1000 1000 1000, GPU 1 2000 30000; the limit is 10 x 1000 ms, so 30 s is a gap
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py gpus/0/interval_s gpus/0/interval_max_s gpus/0/gaps gpus/0/gap_s \
  >     gpus/1/interval_s gpus/1/interval_max_s gpus/1/gaps gpus/1/gap_s \
  >     inputs/0/interval_s inputs/0/interval_max_s inputs/0/gaps inputs/0/gap_s inputs/0/note
  gpus/0/interval_s 1.0
  gpus/0/interval_max_s 1.0
  gpus/0/gaps 0
  gpus/0/gap_s 0.0
  gpus/1/interval_s 2.0
  gpus/1/interval_max_s 30.0
  gpus/1/gaps 1
  gpus/1/gap_s 30.0
  inputs/0/interval_s 1.0
  inputs/0/interval_max_s 30.0
  inputs/0/gaps 1
  inputs/0/gap_s 30.0
  inputs/0/note "peaks shorter than 1.0 s are not seen"
  $ smilog summarize -q -v log.csv | sed -n -e '/^GPU  /,/^ *1 /p' -e '/^INPUTS/,/^$/p'
  GPU  MEAN %  P5  P50  P95  MAX  IDLE %   Wh  EVERY   WORST  GAPS  GAP TIME
    0    50.0  50   50   50   50     0.0  0.1  1.0 s   1.0 s     -         -
    1    50.0  50   50   50   50     0.0  0.1  2.0 s  30.0 s     1       30s
  INPUTS   FORMAT            LINES  ROWS  TWICE  BAD  GAPS  EVERY   WORST
  log.csv  nvidia-smi-query      8     7      -    -     1  1.0 s  30.0 s
  peaks shorter than 1.0 s are not seen
  every row has all readings


screens
# what became of the lines, in three widths: columns leave, and what they said is said below
  $ for n in 80 100 130; do
  >     COLUMNS=$n LINES=40 script -qec "smilog summarize -q --color=never -v ../../../fixtures/sweep/lr=0.1/seed=4" /dev/null |
  >         tr -d '\r' | sed -n '/^INPUTS/,/^$/p'
  > done
  INPUTS           FORMAT            LINES  ROWS  BAD  GAPS   EVERY   WORST
  cpu_metrics.csv  cpu-csv             224   223    -     -  10.0 s  10.0 s
  hw_dmon.csv      dmon                468   446    -     -       -       -
  hw_metrics.csv   nvidia-smi-query    446   445    1     -  10.0 s  10.0 s
  run.jsonl        runlog               36    35    1     -       -       -
  hw_metrics.csv:446: unfinished last line: "2026/07/04 01:50:42.147, 90, 44,
      61234, 81559, "
  hw_metrics.csv: 1 sample without one row for each of the 2 GPUs (1 row): not
      assigned to a GPU, and without times
  run.jsonl:36: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00",
      "type": "event", "ev..."
  peaks shorter than 10.0 s are not seen
  every row has all readings

  INPUTS           FORMAT            LINES  ROWS  BAD  GAPS   EVERY   WORST
  cpu_metrics.csv  cpu-csv             224   223    -     -  10.0 s  10.0 s
  hw_dmon.csv      dmon                468   446    -     -       -       -
  hw_metrics.csv   nvidia-smi-query    446   445    1     -  10.0 s  10.0 s
  run.jsonl        runlog               36    35    1     -       -       -
  hw_metrics.csv:446: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  hw_metrics.csv: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and
      without times
  run.jsonl:36: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event",
      "ev..."
  peaks shorter than 10.0 s are not seen
  every row has all readings

  INPUTS           FORMAT            LINES  ROWS  BAD  GAPS   EVERY   WORST
  cpu_metrics.csv  cpu-csv             224   223    -     -  10.0 s  10.0 s
  hw_dmon.csv      dmon                468   446    -     -       -       -
  hw_metrics.csv   nvidia-smi-query    446   445    1     -  10.0 s  10.0 s
  run.jsonl        runlog               36    35    1     -       -       -
  hw_metrics.csv:446: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  hw_metrics.csv: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  run.jsonl:36: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  peaks shorter than 10.0 s are not seen
  every row has all readings


several runs hold the same gpus
# ranks of one job each log all GPUs: a warning says how many GPU-hours several runs have
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ rank() { # directory, uuid, first hour
  >     mkdir -p $1 && {
  >         echo 'timestamp, index, uuid, utilization.gpu [%]'
  >         for i in {0..60}; do for g in 0 1; do printf "2026/07/03 %02d:%02d:00.000, $g, GPU-$2$g, 95 %%\n" $(($3 + i / 60)) $((i % 60)); done; done
  >     } >$1/gpu.csv
  > }
  $ for k in 0 1 2 3; do rank job/rank$k aa11 10; done
  $ rank apart/a aa11 10; rank apart/b aa11 11; rank apart/c bb11 10
  $ rank case/a aa11 10; rank case/b AA11 10
  $ for sweep in job apart case; do smilog summarize $sweep --columns run,gpu_hours --format csv 2>&1; done
  smilog: total: warning: 6.00 GPU-h are in several runs: they hold the same 2 GPUs at the same time, which sums count once
  run,gpu_hours
  rank0,2.0
  rank1,2.0
  rank2,2.0
  rank3,2.0
  run,gpu_hours
  a,2.0
  b,2.0
  c,2.0
  smilog: total: warning: 2.00 GPU-h are in several runs: they hold the same 2 GPUs at the same time, which sums count once
  run,gpu_hours
  a,2.0
  b,2.0
  $ for k in 0 1 2; do smilog summarize -q --partial job/rank$k -o $k.part; done
  $ smilog merge 0.part 1.part 2.part --columns run --format csv 2>&1
  smilog: total: warning: 4.00 GPU-h are in several runs: they hold the same 2 GPUs at the same time, which sums count once
  run
  rank0
  rank1
  rank2

sums count the time of a gpu once
# by UUID, else by host and bus id or index; in parts of a run, and around the longest absence; a run keeps its numbers
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { # directory, column of the key, its value, first minute, last, [use]
  >     mkdir -p $1 && {
  >         echo "timestamp, $2, utilization.gpu [%], power.draw [W]"
  >         for ((i = $4; i <= $5; i++)); do printf '2026/07/03 %02d:%02d:00.000, %s, %s %%, 600 W\n' $((10 + i / 60)) $((i % 60)) "$3" ${6:-90}; done
  >     } >>$1/gpu.csv
  > }
  $ host() { printf '{"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {"hostname": "%s", "utc_offset_s": 0}}\n' $2 >$1/run.jsonl; }
  $ log uuid/a uuid GPU-aa 0 60; log uuid/b uuid GPU-AA 30 90 0
  $ log gap/a uuid GPU-aa 0 20; log gap/a uuid GPU-aa 40 60; sed -i '22{/time/d}' gap/a/gpu.csv; log gap/b uuid GPU-aa 20 50
  $ log index/a index 3 0 60; log index/b index 3 30 90; log index/c index 2 30 90; log index/d index 3 30 90
  $ for run in a b c; do host index/$run n1; done; host index/d n2
  $ log mixed/a 'index, uuid' '3, GPU-aa' 0 60; log mixed/b 'index, pci.bus_id' '3, 00000000:1B:00.0' 30 60; log mixed/c pci.bus_id 0:1b:00.0 0 45
  $ for run in a b c; do host mixed/$run n1; done
  $ for sweep in uuid gap index mixed; do smilog summarize $sweep --format json --price-gpu-hour 2 --price-kwh 1 --gco2-kwh 100 2>&1 | python3 -c '
  > import json, sys
  > text = sys.stdin.read()
  > print(*text[:text.find("{")].splitlines(), sep="\n")
  > sweep = json.loads(text[text.find("{"):])
  > total = sweep["total"]
  > print(*(f"{key} {total[key]}" for key in ("gpu_hours", "overlap_gpu_hours", "energy_wh", "idle_pct", "cost", "co2_g")), total["wasted_h"]["total"], total["wasted_cost"]["total"])
  > print("runs", *(run["gpu_hours"] for run in sweep["runs"]), *(run["wasted_h"]["total"] for run in sweep["runs"]))'; done
  smilog: total: warning: 0.50 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  gpu_hours 1.5 overlap_gpu_hours 0.5 energy_wh 900.0 idle_pct 33.333333 cost 3.9 co2_g 90.0 0.5 1.0
  runs 1.0 1.0 0.0 1.0
  smilog: total: warning: 0.17 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  gpu_hours 1.0 overlap_gpu_hours 0.166667 energy_wh 600.0 idle_pct 0.0 cost 2.6 co2_g 60.0 0.0 0.0
  runs 0.666667 0.5 0.0 0.0
  smilog: total: warning: 0.50 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  gpu_hours 3.5 overlap_gpu_hours 0.5 energy_wh 2100.0 idle_pct 0.0 cost 9.1 co2_g 210.0 0.0 0.0
  runs 1.0 1.0 1.0 1.0 0.0 0.0 0.0 0.0
  smilog: total: warning: 1.25 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  gpu_hours 1.0 overlap_gpu_hours 1.25 energy_wh 600.0 idle_pct 0.0 cost 2.6 co2_g 60.0 0.0 0.0
  runs 1.0 0.5 0.75 0.0 0.0 0.0
  $ smilog summarize uuid | tail -n 3
  unused   0.50  b      the GPU never above 0 %
  quality: 1 of 2 runs is incomplete: overlap in 1
  2 runs, 1.50 GPU-h (0.50 more are in several runs), 900.0 Wh, GPU 45.0 %, 0.50 GPU-h wasted (33.3 %)
  2> smilog: total: warning: 0.50 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  $ smilog summarize uuid --where "run = 'b'" | tail -n 1
  1h00m, 1.00 GPU-h, 600.0 Wh, GPU 0.0 %, 1.00 GPU-h wasted (100.0 %), 2 findings
  $ for run in a b; do smilog summarize -q --partial uuid/$run -o $run.part; done; smilog merge -q a.part b.part | tail -n 1
  2 runs, 1.50 GPU-h (0.50 more are in several runs), 900.0 Wh, GPU 45.0 %, 0.50 GPU-h wasted (33.3 %)

power above the limit of the card
# 451 W of a limit of 300 W is refused and quoted, 450 W is read: (200 * 7 + 450) / 8 = 231.25 W.
  $ for limit in power.limit enforced.power.limit; do
  >     { echo "timestamp, index, power.draw [W], $limit [W]"
  >       for w in 200 200 450 200 200 451 200 200 200; do
  >           n=$((n + 1)); printf '2026/04/05 06:10:%02d.000, 5, %s.00 W, 300.00 W\n' $n $w
  >       done; } >p.csv
  >     smilog summarize -q --json p.csv | python3 -SE ../../pick.py gpus/0/metrics/power_w/mean gpus/0/metrics/power_w/max inputs/0/rows inputs/0/cells/out_of_range inputs/0/problems/*/text
  > done
  gpus/0/metrics/power_w/mean 231.25
  gpus/0/metrics/power_w/max 450.0
  inputs/0/rows 9
  inputs/0/cells/out_of_range 1
  inputs/0/problems/*/text ["power_w: \"451.0\" is out of range (0 to 450 W)"]
  gpus/0/metrics/power_w/mean 231.25
  gpus/0/metrics/power_w/max 450.0
  inputs/0/rows 9
  inputs/0/cells/out_of_range 1
  inputs/0/problems/*/text ["power_w: \"451.0\" is out of range (0 to 450 W)"]
# The same on the fast path, which reads many rows at once: every 500th of 4000 rows has 460 W.
  $ { echo "timestamp, index, power.draw [W], power.limit [W]"
  >   seq 0 3999 | awk '{printf "2026/04/05 %02d:%02d:%02d.000, 0, %.2f W, 300.00 W\n", 6 + $1 / 3600, $1 / 60 % 60, $1 % 60, $1 % 500 == 77 ? 460 : 200}'; } >p.csv
  $ for threads in 1 4; do smilog summarize -q --threads $threads --json p.csv | python3 -SE ../../pick.py gpus/0/metrics/power_w/count gpus/0/metrics/power_w/max inputs/0/cells/out_of_range; done
  gpus/0/metrics/power_w/count 3992
  gpus/0/metrics/power_w/max 200.0
  inputs/0/cells/out_of_range 8
  gpus/0/metrics/power_w/count 3992
  gpus/0/metrics/power_w/max 200.0
  inputs/0/cells/out_of_range 8

quality does not depend on the limits of findings
# A minute and a half is too short for findings; a rule that is off finds nothing: GPU 1 vanished all the same. A counter of energy that
# counts 10 % less than the power adds up to.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { awk -v n=$1 'BEGIN { print "timestamp, index, uuid, utilization.gpu [%], power.draw [W]"
  >   for (s = 0; s < n; s++) for (g = 0; g < 2; g++) if (!(g && s > 20)) printf "2026/07/03 10:%02d:%02d.000, %d, GPU-0000000%d-0000-0000-0000-000000000000, 95 %%, 600 W\n", s / 60, s % 60, g, g }'; }
  $ log 95 >short.csv; log 900 >long.csv; echo '{"gpu-vanished": false}' >rules.json
  $ for log in short long; do smilog summarize -q --rules rules.json $log.csv | grep -e quality -e vanished; done
  quality: incomplete: gpu-vanished
  quality: incomplete: gpu-vanished
  $ for by in 450 480; do awk -v by=$by 'BEGIN { print "timestamp,gpu,mm_activity,socket_power,gfx_0_clk,total_energy_consumption"
  >   for (s = 0; s < 90; s++) printf "%d,0,95,500,1000,%d\n", 1783072800 + s, 1000 + s * by }' >c.csv; smilog summarize -q c.csv | grep quality; done
  quality: incomplete: counter-differs, use-coverage
  quality: incomplete: use-coverage

what each GPU did between the runs
# GPU 0 has three runs, of which two overlap; GPU 1 has the last one. A run of a GPU without a UUID is known by its index alone.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { awk -v from=$2 -v n=$3 -v gpus="$4" 'BEGIN { print "timestamp, index, utilization.gpu [%]" (gpus == "" ? "" : ", uuid")
  >   for (s = from; s < from + n; s += 10) for (g = 0; g < 2; g++) if (gpus == "" ? !g : index(gpus, g))
  >     printf "2026/07/03 %02d:%02d:%02d.000, %d, 95 %%%s\n", 10 + s / 3600, s / 60 % 60, s % 60, g, gpus == "" ? "" : ", GPU-0000000" g "-0000-0000-0000-000000000000" }' >$1.csv; }
  $ log a 0 1210 0; log b 600 1210 0; log c 7200 610 01; log d 0 610 ''
  $ smilog summarize -q --run-per file --group-by gpu --format csv a.csv b.csv c.csv d.csv
  gpu,host,index,runs,first,last,used_h,between_runs_h,longest_h,longest_from,longest_to
  ,,0,1,2026-07-03T10:00:00.000,2026-07-03T10:10:00.000,0.166667,0.0,0.0,,
  GPU-00000000-0000-0000-0000-000000000000,,0,3,2026-07-03T10:00:00.000,2026-07-03T12:10:00.000,0.666667,1.5,1.5,2026-07-03T10:30:00.000,2026-07-03T12:00:00.000
  GPU-00000001-0000-0000-0000-000000000000,,1,1,2026-07-03T12:00:00.000,2026-07-03T12:10:00.000,0.166667,0.0,0.0,,
  $ smilog summarize -q --run-per file --group-by gpu --where "run NOT LIKE 'c%'" --format json a.csv b.csv c.csv | python3 -SE -c 'import json, sys; print(*json.load(sys.stdin)["rows"])'
  {'gpu': 'GPU-00000000-0000-0000-0000-000000000000', 'host': None, 'index': 0, 'runs': 2, 'first': '2026-07-03T10:00:00.000', 'last': '2026-07-03T10:30:00.000', 'used_h': 0.5, 'between_runs_h': 0.0, 'longest_h': 0.0, 'longest_from': None, 'longest_to': None}
  $ smilog summarize -q --run-per file a.csv b.csv c.csv | sed -n 2p; smilog summarize -q --run-per file a.csv b.csv | sed -n 2p
  2026-07-03 10:00 to 12:10, zone not known   sampled every 10.0 s   64.3 % of the time of the GPUs lies between runs, at most 1h30m
  2026-07-03 10:00 to 10:30, zone not known   sampled every 10.0 s

a run with a hole is one run
# Within the hole of run a, of 20 minutes, lies the end of run b.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { awk -v from=$2 -v to=$3 -v hole="$4" 'BEGIN { print "timestamp, index, uuid, utilization.gpu [%]"; for (s = from; s <= to; s += 10) if (hole == "" || s <= 600 || s >= 1800)
  >     printf "2026/07/03 %02d:%02d:%02d.000, 0, GPU-00000000-0000-0000-0000-000000000000, 95 %%\n", 10 + s / 3600, s / 60 % 60, s % 60 }' >$1.csv; }
  $ log a 0 3600 hole; log b 300 900; smilog summarize -q --run-per file --group-by gpu --format csv a.csv b.csv | cut -d, -f4-9
  runs,first,last,used_h,between_runs_h,longest_h
  2,2026-07-03T10:00:00.000,2026-07-03T11:00:00.000,1.0,0.0,0.0
  $ for run in a b; do smilog summarize -q --partial $run.csv -o $run.partial; done; smilog merge -q --group-by gpu --format csv a.partial b.partial | cut -d, -f4-9
  runs,first,last,used_h,between_runs_h,longest_h
  2,2026-07-03T10:00:00.000,2026-07-03T11:00:00.000,1.0,0.0,0.0

runs of a GPU that is known by host and index are one, whatever their use
  $ smilog summarize -q --group-by gpu --format csv ../../../fixtures/sweep | cut -d, -f1-4
  gpu,host,index,runs
  GPU-7c1e5d00-3b52-9f64-a81d-5e0c94f2d6b0,pod-1,0,9
  GPU-7c1e5d01-3b52-9f64-a81d-5e0c94f2d6b1,pod-1,1,9
  ,pod-4,0,2
  ,pod-4,1,2

idle GPU-hours with memory in use
# Of 20 idle minutes of each GPU 10 are held, by 513 MiB. Sums count the time of a GPU once.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT; mkdir one two
  $ awk 'BEGIN { print "timestamp, index, uuid, utilization.gpu [%], memory.used [MiB]"
  >   for (s = 0; s <= 3600; s += 10) for (g = 0; g < 2; g++) printf "2026/07/03 %02d:%02d:%02d.000, %d, GPU-0000000%d-0000-0000-0000-000000000000, %d %%, %d MiB\n",
  >     10 + s / 3600, s / 60 % 60, s % 60, g, g, (s > 600 && s <= 1800 ? 0 : 95), (s > 1200 ? 512 : 513) }' | tee one/gpu.csv >two/gpu.csv; sed -i 's/95 %/96 %/' two/gpu.csv
  $ smilog summarize -q --json . | python3 -SE -c 'import json, sys
  > for r in (d := json.load(sys.stdin))["runs"] + [d["total"]]: print(r.get("run", "total"), r["idle_held_h"], r["idle_free_h"], r["gpu_hours"])'
  one 0.333333 0.333333 2.0
  two 0.333333 0.333333 2.0
  total 0.333333 0.333333 2.0
  $ smilog summarize -q -v one | grep '^idle'; smilog summarize -q --format ledger one | grep -o '"idle":[^]]*]'
  idle with memory in use 0.33 GPU-h, without 0.33 GPU-h
  "idle": [600000, 600000]
  "idle": [600000, 600000]

advice of what several runs waste
# Each of 17 runs waits 100 s at the start, which is no finding; all together waste 0.94 GPU-h.
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ for k in $(seq 17); do mkdir run$k; awk -v k=$k 'BEGIN { print "timestamp, index, uuid, utilization.gpu [%]"
  >   for (s = 0; s < 3600; s += 10) for (g = 0; g < 2; g++) printf "2026/07/%02d 10:%02d:%02d.000, %d, GPU-%04d000%d-0000-0000-0000-000000000000, %d %%\n", k, s / 60 % 60, s % 60, g, k, g, (s > 100 ? 90 : 0) }' >run$k/gpu.csv; done
  $ smilog summarize -q . | grep '^start'; smilog summarize -q --format md . | grep '^| start'; smilog summarize -q --json . | grep -o '"advice": \[[^]]*]'
  start   0.94  17 runs  idle before the first work, 1m40s on average: load and compile before a GPU is held, or keep what was compiled
  | start | 0.94 | 17 runs | idle before the first work, 1m40s on average: load and compile before a GPU is held, or keep what was compiled |
  "advice": [{"rule": "start", "runs": 17, "gpu_hours": 0.944444, "advice": "load and compile before a GPU is held, or keep what was compiled"}]
  $ smilog report -q . -o page.html; grep -c 'on average: load and compile' page.html; smilog summarize -q run1 run2 | grep '^start'
  1
  start   0.11  2 runs  idle before the first work, 1m40s on average: load and compile before a GPU is held, or keep what was compiled

two logs of a gpu count its time once
# a second logger, at the same times or at others: hours, energy, idle time and conditions are those of one
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { # first second, last, step
  >     awk -v from="$1" -v to="$2" -v step="$3" 'BEGIN {
  >         print "timestamp, index, uuid, utilization.gpu [%], power.draw [W], power.limit [W]"
  >         for (s = from; s <= to; s += step)
  >             printf "2026/03/01 %02d:%02d:%02d.500, 0, GPU-7c1e5d00, %d %%, %d W, 700 W\n", 10 + int(s / 3600),
  >                 int(s / 60) % 60, s % 60, s % 600 < 60 ? 0 : 99, s % 600 < 240 ? 100 : 650
  >     }'
  > }
  $ told() { smilog summarize -q --json --run-per dir "$@" | python3 -c '
  > import json, sys
  > for run in json.load(sys.stdin)["runs"]:
  >     g = run["gpus"][0]
  >     print(run["duration_s"], "s", run["gpu_hours"], "h", run["energy_wh"], "Wh", g["idle_pct"], "% idle", run["wasted_h"]["total"], "h wasted")
  >     print(*(f"{f['\''rule'\'']} {f['\''stretches'\'']} {f['\''total_seconds'\'']} {f['\''gpu_hours'\'']}," for f in run["findings"]))
  >     print(*(p for p in run["problems"] if "log" in p and "CPU" not in p))'; }
  $ mkdir one two names later parts gap
  $ log 0 1800 1 >one/a.csv; told one
  1800.0 s 0.5 h 215.0 Wh 10.0 % idle 0.05 h wasted
  stall 2 120.0 0.033333, hang 3 540.0 0.15,

  $ log 0 1800 1 >two/a.csv; log 1 1800 2 >two/b.csv; told two
  1800.0 s 0.5 h 215.0 Wh 10.0 % idle 0.05 h wasted
  stall 2 120.0 0.033333, hang 3 540.0 0.15,
  0.50 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
# whatever their names are, and by parts
  $ cp two/a.csv names/z.csv; cp two/b.csv names/b.csv; told names
  1800.0 s 0.5 h 215.0 Wh 10.0 % idle 0.05 h wasted
  stall 2 120.0 0.033333, hang 3 540.0 0.15,
  0.50 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
  $ smilog summarize -q --json --run-per dir names >whole
  $ smilog summarize -q --partial --run-per dir names | smilog merge -q --json - | cmp - whole
# what the second one alone has counts: 40 minutes, not 60
  $ log 0 1800 1 >later/a.csv; log 600 2400 5 >later/b.csv; told later
  2400.0 s 0.666667 h 286.666667 Wh 10.0 % idle 0.066667 h wasted
  stall 6 178.333 0.049537, hang 6 720.0 0.2,
  0.33 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
# one has the utilisation alone, the other the power
  $ log 0 1800 1 | cut -d, -f1-4 >parts/a.csv; log 0 1800 1 | cut -d, -f1-3,5,6 >parts/b.csv; told parts
  1800.0 s 0.5 h 215.0 Wh 10.0 % idle 0.05 h wasted
  stall 2 120.0 0.033333,
  0.50 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
# three, and all stood still for a quarter of an hour; the third was also stopped for three minutes in the first
  $ for k in 0 1 2; do mkdir -p three; log $k 600 1 >three/$k.csv; log $((1500 + k)) 1800 1 | sed 1d >>three/$k.csv; done; told three
  1800.0 s 0.25 h 125.756944 Wh 6.777778 % idle 0.016944 h wasted
  hang 1 180.0 0.05, gaps None None 0.25,
  0.50 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
  $ log 180 300 1 >three/2.csv; log 500 600 1 | sed 1d >>three/2.csv; log 1500 1800 1 | sed 1d >>three/2.csv; told three
  1800.0 s 0.25 h 125.756944 Wh 6.777778 % idle 0.016944 h wasted
  hang 1 180.0 0.05, gaps None None 0.25,
  0.39 GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts once
# two pauses of one: what the second read in the shorter of them counts, also as a run of its own
  $ mkdir -p pauses runs/a runs/b; (log 0 600 1; log 900 1500 1 | sed 1d; log 2000 3600 1 | sed 1d) >pauses/a.csv
  $ log 650 850 1 >pauses/b.csv; told pauses
  3600.0 s 0.833333 h 359.9375 Wh 8.333333 % idle 0.069444 h wasted
  stall 5 181.0 0.050278, hang 6 939.0 0.260833, gaps None None 0.222222,

  $ cp pauses/a.csv runs/a; (log 650 850 1; log 1000 1100 1 | sed 1d) >runs/b/b.csv
  $ smilog summarize -q --json runs | python3 -c 'import json, sys; t = json.load(sys.stdin)["total"]; print(t["gpu_hours"], t["overlap_gpu_hours"])'
  0.833333 0.027778
# a counter that both have grew once
  $ mkdir count; for k in 0 600; do awk -v from=$k 'BEGIN {
  >     print "timestamp, index, uuid, utilization.gpu [%], ecc.errors.corrected.volatile.total"
  >     for (s = from; s <= from + 1800; s++) printf "2026/03/01 10:%02d:%02d, 0, GPU-7c1e5d00, 99 %%, %d\n", int(s / 60), s % 60, s / 600 }' >count/$k.csv; done
  $ smilog summarize -q --json --run-per dir count | python3 -c '
  > import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > print(run["errors"][0]["count"], run["gpus"][0]["metrics"]["ecc.c.v.total"])'
  4 {'unit': '', 'count': 3602, 'first': 0.0, 'last': 4.0, 'increase': 4.0}
# one after the other: nothing is left out
  $ log 0 900 1 >gap/a.csv; log 901 1800 1 >gap/b.csv; told gap
  1800.0 s 0.5 h 215.0 Wh 10.0 % idle 0.05 h wasted
  stall 2 120.0 0.033333, hang 3 540.0 0.15,


runs of several logs far apart share no time
# each run has three logs hours apart, and the hours of one lie between those of another: nothing is left out
  $ from=$PWD/../../../fixtures/sweep; dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ for s in 1 2 3; do mkdir s$s; i=; for lr in 0.3 0.1 0.03; do cp "$from/lr=$lr/seed=$s/hw_metrics.csv" s$s/gpu.csv$i; i=.$((${i#.} + 1)); done; done
  $ smilog summarize -q --json . | python3 -c '
  > import json, sys
  > j = json.load(sys.stdin)
  > print(j["total"]["gpu_hours"], j["total"]["overlap_gpu_hours"], round(sum(r["gpu_hours"] for r in j["runs"]), 5), len(j["runs"]))'
  17.197534 0.0 17.19754 3

logs that follow each other at other intervals
# 100 s every 2 s at 100 W, and later 1,500 s every 30 s: 1,600 s of one GPU, 44.4 Wh. The pause between them is none.
  $ log() { awk -v from=$1 -v to=$2 -v step=$3 'BEGIN { print "timestamp, uuid, utilization.gpu [%], power.draw [W]"; for (t = from; t <= to; t += step) print strftime("%Y/%m/%d %H:%M:%S.000", 1783072800 + t, 1) ", GPU-1, 50 %, 100.00 W" }'; }
  $ log 0 100 2 >gpu_a.csv; log 3000 4500 30 >gpu_b.csv
  $ smilog summarize -q --format csv --columns gpu_hours,energy_wh --run-per dir .
  gpu_hours,energy_wh
  0.444444,44.444444

logs of one gpu that take turns share no time
# The runs of the sample sweep as one: each GPU has logs on two bases of time, which come by turns, and many gaps in both.
  $ smilog summarize -q --format csv --columns gpu_hours,energy_wh --run all ../../../fixtures/sweep
  gpu_hours,energy_wh
  20.457002,5305.997765
