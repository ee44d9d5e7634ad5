a gpu vanishes
# a GPU whose readings stop, come late or are missing while others are read; for any cut of the log and any number of threads
  $ dir=$(mktemp -d) && cd $dir && trap 'rm -rf $dir' EXIT
  $ log() { # GPUs, seconds, interval; GPU g is left out where the third word of a rule "g from to" says so
  >     python3 -SE - "$@" <<'PY'
  > import sys
  > gpus, end, step, *gone = sys.argv[1:]
  > gone = [tuple(map(int, g.split())) for g in gone]
  > print("timestamp, index, uuid, utilization.gpu [%], power.draw [W]")
  > for s in range(0, int(end), int(step)):
  >     for g in range(int(gpus)):
  >         if not any(x == g and a <= s < b for x, a, b in gone):
  >             print(f"2026/07/03 {10 + s // 3600}:{s // 60 % 60:02}:{s % 60:02}.000, {g}, GPU-{g:08}-0000-0000-0000-000000000000, 95 %, 600.00 W")
  > PY
  > }
  $ log 4 14400 10 '3 1200 99999' >stops.csv
  $ log 4 3600 5 '3 1200 2400' >absent.csv
  $ log 8 3600 5 '2 0 900' '5 1800 99999' '7 1000 2000' >several.csv
  $ log 4 3600 5 '3 600 1200' '3 2000 2400' '3 3000 3200' >several_times.csv
  $ log 3 3600 5 '0 1200 2400' '1 1200 2400' '2 1200 2400' >logger.csv
  $ log 2 3600 10 '1 3550 99999' >a_few_polls.csv
  $ log 2 7200 60 '1 6700 99999' >slow.csv
  $ log 2 1200 5 '0 600 99999' '1 0 600' >one_after_the_other.csv
  $ log 4 1200 5 '3 600 99999' | awk -F', ' 'BEGIN { split("90 90 10 50", a, " "); split("90 10 50", b, " ") }
  >     { print $1 ", " $2 ", " (NR == 1 ? $4 : (substr($1, 15, 2) < 10 ? a[$2 + 1] : b[$2 + 1]) " %") }' >indexes.csv # GPU 1 is gone: no straggler
  $ log 4 1200 5 '1 600 99999' | awk -F', ' -v OFS=', ' '{ print $1, $2, $4 }' >a_lower_index.csv
  $ log 4 1200 1 '3 1185 99999' | awk -F', ' '{ print $1 ", " $2 ", " (NR > 1 && $2 == 0 ? "50 %" : $4) }' >indexes_15_s.csv # less than the rule asks for
  $ awk '{ print (NR == 1 ? "hostname, " : "node1, ") $0 }' indexes.csv >indexes_of_a_machine.csv
  $ show() { smilog "$@" | python3 -SE -c '
  > import json, sys
  > for r in json.load(sys.stdin)["runs"]:
  >     print(r["run"], *["%(rule)s %(level)s: %(text)s" % f for f in r["findings"]], sep="\n    ")'; }
  $ show summarize -q --json . | tee whole
  a_few_polls
  a_lower_index
      gpu-vanished error: GPU 1: last reading 10:09:55, 10m00s before the others'
  absent
      gpu-vanished error: GPU 3: absent from 10:20:00 for 20m00s while others were read
  indexes
      gpu-vanished error: a GPU: index 3, last reading 10:09:55, 10m00s before the others'; the log has indexes alone, so another GPU may be gone, and the indexes moved
  indexes_15_s
      straggler warn: GPU 0 is 45 points below the other GPUs (50 % over time, they 95 %)
  indexes_of_a_machine
      gpu-vanished error: a GPU: index 3, last reading 10:09:55, 10m00s before the others'; the log has indexes alone, so another GPU may be gone, and the indexes moved
  logger
      gaps warn: 33.5 % of the time without a reading, 20m05s in 1 gap
  one_after_the_other
  several
      gpu-vanished error: GPU 2: first reading 10:15:00, 15m00s after the others'
      gpu-vanished error: GPU 5: last reading 10:29:55, 30m00s before the others'
      gpu-vanished error: GPU 7: absent from 10:16:40 for 16m40s while others were read
  several_times
      gpu-vanished error: GPU 3: absent from 10:10:00 for 10m00s while others were read
      gaps warn: 20.4 % of the time without a reading, 10m10s in 2 gaps of GPU 3, while others were read
  slow
      slow-sampling info: a reading only every 1m00s
  stops
      gpu-vanished error: GPU 3: last reading 10:19:50, 3h40m before the others'
  $ smilog check -q --fail-on error stops.csv; echo "status $?"
        LIMIT                               VALUE  RUN
  FAIL  no finding of level error  GPU 3 vanished  stops
  1 limit broken by 1 of 1 run
  status 1
  $ for j in 1 4; do show summarize -q -j $j --json . | cmp - whole; done
  $ for log in *.csv; do
  >     mkdir parts && { head -n 1 $log | tee parts/a.csv >parts/b.csv; } && half=$(($(wc -l <$log) / 3 + 1))
  >     sed -n "2,${half}p" $log >>parts/a.csv && sed "1,${half}d" $log >>parts/b.csv
  >     for p in a b; do smilog summarize -q --partial --run ${log%.csv} parts/$p.csv -o $p.part; done
  >     show merge -q --json a.part b.part && rm -r parts
  > done >merged
  $ cmp whole merged && echo same
  same

a stall of a long run has its day
# In a run of more than a day the time of day alone would not say when.
# Advice that asks is text in Markdown, too, not a code span.
  $ d=$(mktemp -d) && cd "$d" || exit
  $ for days in 1 3; do
  >     python3 -SE - $days >$days.csv <<'END'
  > import datetime, sys
  > print("timestamp, index, utilization.gpu [%]")
  > for minute in range(int(sys.argv[1]) * 1430):
  >     when = datetime.datetime(2026, 7, 3, 16, 14) + datetime.timedelta(minutes=minute)
  >     print(f"{when:%Y/%m/%d %H:%M:%S}.000, 0, {0 if 600 <= minute < 800 else 80} %")
  > END
  >     smilog summarize -q $days.csv | grep '^stall'
  > done
  stall          warn    3.33  the GPU idle 3h20m from 02:13:00: loading, saving or evaluating without the GPU?
  stall          warn    3.33  the GPU idle 3h20m from 07-04 02:13:00: loading, saving or evaluating without the GPU?
  $ smilog summarize -q 1.csv 3.csv --format md | grep '^| stall'
  | stall | 6.67 | 2 runs | idle between work, longest 3h20m in 1: loading, saving or evaluating without the GPU? |
  $ rm -r "$d"

by sql
# The table findings has what JSON has.
  $ smilog summarize -q ../../../fixtures/sweep --format csv --sql 'select * from findings where level <> "info"' 2>&1 | head -n 1
  smilog: --sql: there is no column "info" (a text is written 'info'); see smilog list columns
  $ smilog summarize -q ../../../fixtures/sweep --format csv --sql "select run, rule, gpu, phase, \"from\", seconds, gpu_hours, value, \"limit\", text from findings where level <> 'info'"
  run,rule,gpu,phase,from,seconds,gpu_hours,value,limit,text
  lr=0.1/seed=3,stall,,fit,2026-07-03T22:37:15.182Z,310.15,0.172305,310.15,60.0,"both GPUs idle 5m10s from 00:37:15 while the CPUs were 6 % busy"
  lr=0.3/seed=2,out-of-memory,,,2026-07-04T00:51:46.830Z,2481.248,1.378471,74.829755,,"out of memory at 59.6 of 79.6 GiB"
  lr=0.3/seed=3,unused,1,,2026-07-04T01:34:04.565Z,3581.819,0.99495,0.0,1.0,"GPU 1 never above 0 %, no memory in use"
  $ smilog summarize -q ../../../fixtures/sweep --format csv --sql 'select rule, count(*) n, sum(gpu_hours) h from findings group by rule order by h desc'
  rule,n,h
  out-of-memory,1,1.378471
  start,10,1.122787
  unused,1,0.99495
  stall,1,0.172305

causes
# The likely cause of a stall, and the phase of a long start or end; the same of merged halves and in every form.
  $ PYTHONPATH=.. python3 -SB ../causes.py "$(mktemp -d)"
  one of 16:
      stall None None | both GPUs idle 3m20s from 00:04:18 while one CPU was 96 % busy | data loading on one thread?
  half of one of 16:
      stall None None | both GPUs idle 3m20s from 00:04:18 while one CPU was 51.2 % busy | data loading on one thread?
  hardly any of 16:
      stall None None | both GPUs idle 3m20s from 00:04:18 while programs used hardly any CPU | waiting for disks, the network or another machine?
  nearly one and a half of 16:
      stall None None | both GPUs idle 3m20s from 00:04:18 while one CPU was 100 % busy | data loading on one thread?
  one and a half of 16, less than usual:
      stall None None | both GPUs idle 3m20s from 00:04:18 while 1.5 of 16 CPUs were busy | loading, saving or evaluating without the GPU?
  as many as usual:
      stall None None | both GPUs idle 3m20s from 00:04:18 while 5.1 of 16 CPUs were busy | input-bound: loading or preparing data on the CPUs?
  all of 16:
      stall None None | both GPUs idle 3m20s from 00:04:18 while 16.0 of 16 CPUs were busy | input-bound: loading or preparing data on the CPUs?
  the only one:
      stall None None | both GPUs idle 3m20s from 00:04:18 while the CPU was 90 % busy | input-bound: loading or preparing data on the CPUs?
  of an unknown number:
      stall None None | both GPUs idle 3m20s from 00:04:18 while the CPUs were 6 % busy | loading, saving or evaluating without the GPU?
  nearly none of an unknown number:
      stall None None | both GPUs idle 3m20s from 00:04:18 while programs used hardly any CPU | waiting for disks, the network or another machine?
  half of an unknown number:
      stall None None | both GPUs idle 3m20s from 00:04:18 while the CPUs were 50 % busy | input-bound: loading or preparing data on the CPUs?
  a count that is none:
      stall None None | both GPUs idle 3m20s from 00:04:18 while the CPUs were 6 % busy | loading, saving or evaluating without the GPU?
  counted by a usage log's name:
      stall None None | both GPUs idle 3m20s from 00:04:18 while 1.9 of 32 CPUs were busy | loading, saving or evaluating without the GPU?
  no CPU log in the stall:
      stall None None | both GPUs idle 3m20s from 00:04:18 | loading, saving or evaluating without the GPU?
  one GPU of two:
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while GPU 0 worked | work that is not shared evenly, or waits for that of others?
      straggler 1 None | GPU 1 is 30.7 points below the other GPUs (61.3 % over time, they 92 %) | work that is not shared evenly?
  one GPU, the other with stalls of its own:
      stall 0 None | GPU 0 idle 2m00s from 00:00:18 while GPU 1 worked | work that is not shared evenly, or waits for that of others?
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while GPU 0 worked | work that is not shared evenly, or waits for that of others?
  one GPU, the other not at work yet:
      start None None | idle 6m38s before the first work, GPU 0 | load and compile before a GPU is held, or keep what was compiled
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while one CPU was 96 % busy | data loading on one thread?
      straggler 0 None | GPU 0 is 30.5 points below the other GPUs (30.8 % over time, they 61.3 %) | work that is not shared evenly?
  one GPU of four:
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while the other 3 worked | work that is not shared evenly, or waits for that of others?
      straggler 1 None | GPU 1 is 30.7 points below the other GPUs (61.3 % over time, they 92 %) | work that is not shared evenly?
  two GPUs of four:
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while 2 of the other 3 worked | work that is not shared evenly, or waits for that of others?
      stall 2 None | GPU 2 idle 3m20s from 00:04:18 while 2 of the other 3 worked | work that is not shared evenly, or waits for that of others?
      straggler 1 None | GPU 1 is 30.7 points below the other GPUs (61.3 % over time, they 92 %) | work that is not shared evenly?
      straggler 2 None | GPU 2 is 30.7 points below the other GPUs (61.3 % over time, they 92 %) | work that is not shared evenly?
  the end of the log of the other:
      stall 1 None | GPU 1 idle 3m20s from 00:04:18 while one CPU was 96 % busy | data loading on one thread?
      straggler 1 None | GPU 1 is 30.7 points below the other GPUs (61.3 % over time, they 92 %) | work that is not shared evenly?
      gpu-vanished 0 None | GPU 0: last reading 00:05:58, 4m02s before the others' | the log of the system may say why; a GPU that is lost needs a restart
  several stalls:
      stall None None | both GPUs idle 3m20s from 00:04:18 while one CPU was 96 % busy, 0.20 GPU-h in all stalls | data loading on one thread?
  start in compile:
      start None compile | idle 3m18s before the first work, 2m30s of it in phase compile | load and compile before a GPU is held, or keep what was compiled
      compile None compile | phase compile took 25 % of the run | a cache of compiled programs, or fewer shapes
  start, a quarter of it in compile:
      start None compile | idle 3m18s before the first work, 50s of it in phase compile | load and compile before a GPU is held, or keep what was compiled
  start, less than a quarter of it in compile:
      start None compile | idle 3m18s before the first work | load and compile before a GPU is held, or keep what was compiled
  start, all of it in load:
      start None load | idle 3m18s before the first work, in phase load | load and compile before a GPU is held, or keep what was compiled
  start in two equal phases:
      start None a | idle 3m18s before the first work, 1m00s of it in phase a | load and compile before a GPU is held, or keep what was compiled
  start in a phase of two pieces:
      start None a | idle 3m18s before the first work, 1m20s of it in phase a | load and compile before a GPU is held, or keep what was compiled
  end in save:
      end None save | idle 3m20s after the last work, 2m30s of it in phase save | give the GPU back when its work ends

each rule
# Of each rule a run just outside and one just inside of it; and the same, merged from two halves.
  $ python3 ../rules.py "$(mktemp -d)"
  failed without: none
  failed with: failed(error)
      None 0.333333 None the run failed: exit status 1 | a checkpoint now and then keeps what was done
  out-of-memory without: none
  out-of-memory with: out-of-memory(error)
      None 0.333333 52.710308 out of memory at 42.0 of 79.6 GiB | a smaller batch may fit
  unused without: stall(warn) very-low-util(strong)
  unused with: unused(warn)
      1 0.166667 1.0 GPU 1 never above 1 %, at most 42.0 GiB of its memory in use | request fewer GPUs
  start without: none
  start with: start(info)
      None 0.066667 120.0 idle 2m00s before the first work | load and compile before a GPU is held, or keep what was compiled
  end without: none
  end with: end(info)
      None 0.066667 120.0 idle 2m00s after the last work | give the GPU back when its work ends
  stall without: none
  stall with: stall(warn)
      None 0.033333 60.0 both GPUs idle 1m00s from 00:04:18 while the CPUs were 40 % busy | loading, saving or evaluating without the GPU?
  stall-of-one without: none
  stall-of-one with: stall(warn)
      1 0.016667 60.0 GPU 1 idle 1m00s from 00:04:38 while GPU 0 worked | work that is not shared evenly, or waits for that of others?
  very-low-util without: none
  very-low-util with: very-low-util(strong) very-low-util(strong)
      0 0.166667 14.5 GPU 0 at 14.5 % over time | larger batches, faster input, or several jobs on a GPU
      1 0.166667 14.5 GPU 1 at 14.5 % over time | larger batches, faster input, or several jobs on a GPU
  low-util without: none
  low-util with: low-util(warn) low-util(warn)
      0 0.166667 24.5 GPU 0 at 24.5 % over time | larger batches, faster input, or several jobs on a GPU
      1 0.166667 24.5 GPU 1 at 24.5 % over time | larger batches, faster input, or several jobs on a GPU
  low-util-with-full-memory without: none
  low-util-with-full-memory with: low-util(info) low-util(info)
      0 0.166667 24.0 GPU 0 at 24 % over time, with its memory full | nothing to do if it needs all of the memory
      1 0.166667 24.0 GPU 1 at 24 % over time, with its memory full | nothing to do if it needs all of the memory
  busy-waiting without: none
  busy-waiting with: busy-waiting(warn)
      0 0.166667 24.985714 GPU 0 at 92 % of utilisation over time draws 24.99 % of its power limit | a kernel that spins, or ranks that wait for each other?
  straggler without: none
  straggler with: straggler(warn)
      1 0.166667 20.0 GPU 1 is 20 points below the other GPUs (72 % over time, they 92 %) | work that is not shared evenly?
  cpu-oversubscribed without: none
  cpu-oversubscribed with: cpu-oversubscribed(warn)
      None 0.333333 95.0 all CPUs busy, 95 % on average, while the GPUs were at 80 % | more CPUs, or fewer threads and workers
  cpu-full-beside-full-gpus without: none
  cpu-full-beside-full-gpus with: none
  zero-metric without: none
  zero-metric with: zero-metric(warn)
      0 0.166667 0.0 GPU 0: clk_sm_mhz is always 0 at a utilisation of 92 % over time | do not trust this metric
  zero-utilisation without: unused(warn)
  zero-utilisation with: zero-metric(warn)
      1 0.166667 0.0 GPU 1: gpu_util_pct is always 0 while it draws 300 W | do not trust this metric
  compile without: none
  compile with: compile(warn)
      None 0.067222 20.166599 phase jit_compile took 20.2 % of the run | a cache of compiled programs, or fewer shapes
  memory-near-full without: none
  memory-near-full with: memory-near-full(warn)
      None 0.333333 98.027195 98 % of the memory used, 78.1 of 79.6 GiB | little is left before it runs out
  memory-near-full-reserved without: none
  memory-near-full-reserved with: none
  memory-mostly-empty without: none
  memory-mostly-empty with: memory-mostly-empty(info)
      None 0.333333 39.971064 at most 39.97 % of the memory used, 31.8 of 79.6 GiB | a card of 40 GB may do, with 15 % to spare
  mig-h100 without: memory-mostly-empty(info)
  mig-h100 with: memory-mostly-empty(info)
      None 0.333333 10.054071 at most 10.1 % of the memory used, 8.0 of 79.6 GiB | a card of 12 GB or the MIG slice 1g.10gb may do, with 15 % to spare
  mig-h100-nvl without: memory-mostly-empty(info)
  mig-h100-nvl with: memory-mostly-empty(info)
      None 0.333333 20.348534 at most 20.3 % of the memory used, 19.0 of 93.6 GiB | a card of 24 GB or the MIG slice 2g.24gb may do, with 15 % to spare
  mig-h200 without: memory-mostly-empty(info)
  mig-h200 with: memory-mostly-empty(info)
      None 0.333333 20.170966 at most 20.2 % of the memory used, 28.3 of 140.4 GiB | a card of 40 GB or the MIG slice 2g.35gb may do, with 15 % to spare
  mig-b200 without: memory-mostly-empty(info)
  mig-b200 with: memory-mostly-empty(info)
      None 0.333333 20.178993 at most 20.2 % of the memory used, 36.1 of 179.1 GiB | a card of 48 GB or the MIG slice 2g.45gb may do, with 15 % to spare
  mig-a30 without: memory-mostly-empty(info)
  mig-a30 with: memory-mostly-empty(info)
      None 0.333333 20.751953 at most 20.8 % of the memory used, 5.0 of 24.0 GiB | a card of 8 GB or the MIG slice 2g.12gb may do, with 15 % to spare
  no-mig-on-v100 without: memory-mostly-empty(info)
  no-mig-on-v100 with: memory-mostly-empty(info)
      None 0.333333 24.414062 at most 24.4 % of the memory used, 7.8 of 32.0 GiB | a card of 12 GB may do, with 15 % to spare
  throttle-hw-thermal without: none
  throttle-hw-thermal with: throttle-hw-thermal(warn)
      0 0.008333 5.0 GPU 0 slowed by heat (hardware) 5 % of the time | cooling, or a lower power limit
  throttle-hw-thermal-and-slowdown without: none
  throttle-hw-thermal-and-slowdown with: throttle-hw-thermal(warn)
      0 0.008333 5.0 GPU 0 slowed by heat (hardware) 5 % of the time | cooling, or a lower power limit
  throttle-sw-thermal without: none
  throttle-sw-thermal with: throttle-sw-thermal(warn)
      0 0.008333 5.0 GPU 0 slowed by heat (driver) 5 % of the time | cooling, or a lower power limit
  throttle-power-brake without: none
  throttle-power-brake with: throttle-power-brake(warn)
      0 0.008333 5.0 GPU 0 slowed by the power brake of the system 5 % of the time | the power supply does not keep up
  throttle-hw-slowdown without: none
  throttle-hw-slowdown with: throttle-hw-slowdown(warn)
      0 0.008333 5.0 GPU 0 slowed by its hardware 5 % of the time | heat, or the power supply?
  throttle-power-cap without: none
  throttle-power-cap with: throttle-power-cap(info)
      0 0.041667 25.0 GPU 0 at its power limit 25 % of the time, 2m30s of it from 00:00:02 on | nothing to do: it gives what its limit allows
  throttle-sync-boost without: none
  throttle-sync-boost with: throttle-sync-boost(info)
      0 0.041667 25.0 GPU 0 tied to the clocks of another 25 % of the time, 2m30s of it from 00:00:02 on | nothing to do: such GPUs are to keep step
  throttle-setting without: none
  throttle-setting with: throttle-setting(info)
      0 0.041667 25.0 GPU 0 limited by a setting of its clocks 25 % of the time, 2m30s of it from 00:00:02 on | nothing to do if somebody set them on purpose
  power-cap-counted without: none
  power-cap-counted with: throttle-power-cap(info) throttle-power-cap(info)
      0 0.041667 25.0 GPU 0 at its power limit 25 % of the time | nothing to do: it gives what its limit allows
      1 0.041667 25.0 GPU 1 at its power limit 25 % of the time | nothing to do: it gives what its limit allows
  power-brake-counted without: none
  power-brake-counted with: throttle-power-brake(warn) throttle-power-brake(warn)
      0 0.008333 5.0 GPU 0 slowed by the power brake of the system 5 % of the time | the power supply does not keep up
      1 0.008333 5.0 GPU 1 slowed by the power brake of the system 5 % of the time | the power supply does not keep up
  hw-thermal-counted without: none
  hw-thermal-counted with: throttle-hw-thermal(warn) throttle-hw-thermal(warn)
      0 0.008333 5.0 GPU 0 slowed by heat (hardware) 5 % of the time | cooling, or a lower power limit
      1 0.008333 5.0 GPU 1 slowed by heat (hardware) 5 % of the time | cooling, or a lower power limit
  sw-thermal-counted without: none
  sw-thermal-counted with: throttle-sw-thermal(warn) throttle-sw-thermal(warn)
      0 0.008333 5.0 GPU 0 slowed by heat (driver) 5 % of the time | cooling, or a lower power limit
      1 0.008333 5.0 GPU 1 slowed by heat (driver) 5 % of the time | cooling, or a lower power limit
  sync-boost-counted without: none
  sync-boost-counted with: throttle-sync-boost(info) throttle-sync-boost(info)
      0 0.041667 25.0 GPU 0 tied to the clocks of another 25 % of the time | nothing to do: such GPUs are to keep step
      1 0.041667 25.0 GPU 1 tied to the clocks of another 25 % of the time | nothing to do: such GPUs are to keep step
  counted-beside-a-mask without: none
  counted-beside-a-mask with: throttle-sw-thermal(warn)
      0 0.166667 100.0 GPU 0 slowed by heat (driver) 100 % of the time | cooling, or a lower power limit
  pviol without: none
  pviol with: throttle-power-cap(info)
      0 0.041667 25.0 GPU 0 at its power limit 25 % of the time | nothing to do: it gives what its limit allows
  tviol without: none
  tviol with: throttle-sw-thermal(warn)
      0 0.008859 5.3156 GPU 0 slowed by heat 5.3 % of the time | cooling, or a lower power limit
  clocks-low without: slow-gpu(warn)
  clocks-low with: clocks-low(warn)
      0 0.166667 59.949495 GPU 0 busy at 59.9 % of its highest SM clock, 1187 of 1980 MHz | a limit on clocks or power?
  gpu-lost without: none
  gpu-lost with: gpu-lost(error)
      0 0.166667 2.0 GPU 0 lost at 00:09:20 | the machine has to be restarted, or the GPU replaced
  gpu-reset-required without: none
  gpu-reset-required with: gpu-reset-required(error)
      1 0.166111 1.0 GPU 1 requires a reset at 00:10:00 | nvidia-smi --gpu-reset, with no process on it
  gpu-error without: none
  gpu-error with: gpu-error(info)
      1 0.166667 1.0 unknown errors of GPU 1 at 00:05:00 | the log of the system may say more
  no-driver without: none
  no-driver with: no-driver(error)
      None 0.333333 1.0 the driver was not reached at 00:03:18 | is it loaded, and as new as its library?
  row-remap-failed without: none
  row-remap-failed with: row-remap-failed(error)
      0 0.166667 101.0 remapping of memory rows failed on GPU 0 at 00:06:40 | the GPU has to be replaced
  recovery-action without: none
  recovery-action with: recovery-action(error)
      0 0.166667 101.0 GPU 0 asks for a recovery action: GPU Reset | do what it asks for before the next run
  memory-repair-pending without: none
  memory-repair-pending with: memory-repaired(info)
      0 0.166667 101.0 GPU 0: row remapping pending at 00:06:40 | a reset of the GPU completes what is pending
  xid without: none
  xid with: xid(error)
      None 0.333333 1.0 XID 79 at 00:03:18 on GPU bus 3b | NVIDIA's list of XIDs says what it means
  ecc-uncorrected without: none
  ecc-uncorrected with: ecc-uncorrected(error)
      0 0.166667 1.0 1 uncorrected ECC error on GPU 0 at 00:05:00 | results may be wrong; the GPU has to be reset, perhaps replaced
  ecc-corrected without: none
  ecc-corrected with: ecc-corrected(info)
      0 0.166667 1.0 1 corrected ECC error on GPU 0 at 00:05:02 | nothing to do: they were corrected
  memory-repaired without: none
  memory-repaired with: memory-repaired(info)
      0 0.166667 1.0 GPU 0: memory rows remapped at 00:05:02 | nothing to do: it is repaired
  gaps without: none
  gaps with: gaps(warn)
      None 0.017222 1.024116 1 % of the time without a reading, 31s in 1 gap | the logger, or the machine, stood still
  slow-sampling without: none
  slow-sampling with: slow-sampling(info)
      None 2.666667 16.0 a reading only every 16s | shorter stalls and peaks are not seen
  ten-readings without: none
  ten-readings with: low-util(warn) low-util(warn) slow-sampling(info)
      0 0.1 20.0 GPU 0 at 20 % over time | larger batches, faster input, or several jobs on a GPU
      1 0.1 20.0 GPU 1 at 20 % over time | larger batches, faster input, or several jobs on a GPU
      None 0.2 40.0 a reading only every 40s | shorter stalls and peaks are not seen
  five-minutes without: none
  five-minutes with: low-util(warn) low-util(warn)
      0 0.083333 20.0 GPU 0 at 20 % over time | larger batches, faster input, or several jobs on a GPU
      1 0.083333 20.0 GPU 1 at 20 % over time | larger batches, faster input, or several jobs on a GPU

healthy run has none
# Nothing is said of a run in which nothing is wrong: no finding, no mark.
  $ dir=$(mktemp -d)
  $ PYTHONPATH=.. python3 -SB -c 'import rules, sys; rules.write(sys.argv[1], "healthy", {}); rules.write(sys.argv[1], "other", {})' "$dir"
  $ cd "$dir/whole" || exit 1
  $ smilog summarize -q --json healthy | grep -o '"findings": [^"]*'
  "findings": [],\x20 (esc)
  $ smilog summarize -v healthy | tail -n 1
  10m00s, 0.33 GPU-h, 169.8 Wh, GPU 92.0 %, 0.00 GPU-h wasted (0.0 %), no findings
  $ smilog summarize -v . | grep -c -e '!' -e FINDINGS
  0
  [1]
  $ smilog summarize . | tail -n 5
  other    ok     10m00s   92.0     94  ██████████     0.0   42.0/80  1019.0  62   40.0          0.0  169.8      0.00  2026-01-01T00:00:00+00:00  -     -
  total    -      20m00s   92.0      -  -              0.0   42.0          -  62   40.0            -  339.7      0.00  -                          -     -

  quality: complete
  2 runs, 0.67 GPU-h, 339.7 Wh, GPU 92.0 %, 0.00 GPU-h wasted (0.0 %)
  $ smilog summarize --format md . | tail -n 4
  | **total 2 runs** | | 20m00s | 92.0 | 0.0 | 42.0 | 339.7 | 0.00 |

  Without CPU %: `-o runs.csv` has all.

  $ smilog summarize --format csv --sql 'select count(*) from findings' .
  count(*)
  0

names of compiling
# Which names of phases speak of compiling: whole words, cut where their writer cut them; of a warmup only if it stands
# alone, as learning rates have one too.
  $ dir=$(mktemp -d)
  $ python3 -SE ../log.py >"$dir/hw.csv"
  $ python3 -SE - >"$dir/run.jsonl" <<'END'
  > import json
  > yes = ["compile", "Compile step", "jit", "jit_step", "model.jit", "JITCompile", "jitStep", "fit/recompile", "torch.compile",
  >        "compile2", "xla-compilation", "AUTOTUNE", "warmup", "warm-up", "Warm up 2", "warm_up", "jit_warmup"]
  > no = ["lr_warmup", "warmup_epoch", "LRWarmup", "add_jitter", "jitter", "precompiled_data", "compilers", "ajit", "warm start", "warm",
  >       "up", "fit", "\u00e9compile", "decompile", "pile", ""]
  > print(json.dumps({"ts": "2026-01-01T00:00:00Z", "type": "event", "event": "start"}))
  > for name in yes + no:
  >     print(json.dumps({"ts": "2026-01-01T00:08:00Z", "type": "phase", "name": name, "seconds": 300}))
  > END
  $ smilog summarize -q --tz UTC --sql "select f.phase from findings f where rule = 'compile' order by lower(f.phase)" "$dir"
  phase
  AUTOTUNE
  compile
  Compile\x20step
  compile2
  fit/recompile
  jit
  jit_step
  jit_warmup
  JITCompile
  jitStep
  model.jit
  torch.compile
  Warm\x20up\x202
  warm-up
  warm_up
  warmup
  xla-compilation
  $ smilog list rules | tail -n 4
  --rules FILE sets other limits
  compile speaks of phases that have one of these as a whole word of their name, as jit_step and JitStep:
    compile compiles compiled compiling compiler compilation precompile recompile recompiling recompilation jit autotune autotuned autotuning warmup
    (warmup, warm-up: only as the whole name, as learning rates have one too)
  $ smilog list rules --json | grep -o '"words": \["[^]]*]'
  "words": ["compile", "compiles", "compiled", "compiling", "compiler", "compilation", "precompile", "recompile", "recompiling", "recompilation", "jit", "autotune", "autotuned", "autotuning", "warmup"]

never more than the run
# Of 60 random runs: what is wasted, and what a finding is about, is a part of the run's GPU-hours.
  $ dir=$(mktemp -d)
  $ trap 'rm -rf "$dir"' EXIT
  $ for i in 0 30; do
  >     PYTHONPATH=../../../../tests/oracle python3 -SB -c 'import gen_runs, sys
  > for seed in range(int(sys.argv[2]), int(sys.argv[2]) + 30): gen_runs.generate(sys.argv[1] + f"/{seed}", seed)' "$dir/$i" "$i"
  > done
  $ smilog list rules --json | python3 -SE -c 'import json, sys; print(json.dumps({r["rule"]: {"least_s": 0} for r in json.load(sys.stdin) if r["of"] == "finding"}))' >"$dir/rules.json"
  $ smilog summarize -q --rules "$dir/rules.json" --price-gpu-hour 2 --price-kwh 0.3 --json "$dir" | python3 ../check_hours.py
  60 runs, 82 findings

out of memory under a fraction
# A run that may take only a share of the memory, by a parameter or as JAX does from its start, is advised to take more.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ log() { echo 'timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]'; for i in $(seq 0 1 30); do printf '2026/07/03 10:%02d:00.000, 0, 90 %%, %s MiB, 81559 MiB\n' $i $1; done; }
  $ run() {
  >     log $1 >"$d/log.csv"
  >     {
  >         echo '{"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "start", "data": {'"$2"'}}'
  >         echo '{"ts": "2026-07-03T10:30:00.000+00:00", "type": "event", "event": "oom", "data": {'"$3"'}}'
  >     } >"$d/run.jsonl"
  >     smilog summarize -q --tz UTC --json "$d" | python3 -SE ../../pick.py findings/0/rule findings/0/text findings/0/advice
  > }
  $ run 60000 '"XLA_PYTHON_CLIENT_MEM_FRACTION": "0.7"' '"jax_peak_bytes_mb": 59800'
  findings/0/rule "out-of-memory"
  findings/0/text "out of memory at 58.4 of 79.6 GiB"
  findings/0/advice "XLA_PYTHON_CLIENT_MEM_FRACTION is 0.7: a larger fraction, or a smaller batch"
  $ run 40000 '"per_process_memory_fraction": 0.5' '"torch_max_memory_allocated": 41000000000'
  findings/0/rule "out-of-memory"
  findings/0/text "out of memory at 38.2 of 79.6 GiB"
  findings/0/advice "per_process_memory_fraction is 0.5: a larger fraction, or a smaller batch"
  $ run 60000 '"lr": 0.1' '"jax_peak_bytes_mb": 59800'
  findings/0/rule "out-of-memory"
  findings/0/text "out of memory at 58.4 of 79.6 GiB"
  findings/0/advice "JAX took 58.6 of 79.6 GiB at its start: a larger XLA_PYTHON_CLIENT_MEM_FRACTION, or a smaller batch"
  $ run 80000 '"lr": 0.1' '"jax_peak_bytes_mb": 79800'
  findings/0/rule "out-of-memory"
  findings/0/text "out of memory at 77.9 of 79.6 GiB"
  findings/0/advice "a smaller batch may fit"
  $ run 80000 '"lr": 0.1, "memory_fraction": 1.0' '"step": 7'
  findings/0/rule "out-of-memory"
  findings/0/text "out of memory"
  findings/0/advice "a smaller batch may fit"

rules of a file
# Limits, levels and least lengths of a file; a rule that is off; merge takes it too.
  $ dir=$(mktemp -d) && cd "$dir" && mkdir run && python3 -SE "$OLDPWD/../log.py" >run/hw.csv
  $ say() { python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]: print("  ", f["rule"], f["level"], f["value"], f["limit"])'; }
  $ with() { echo "$1"; echo "$1" >rules.json; smilog summarize -q --json --tz UTC --rules rules.json run | say; }
  $ smilog summarize -q --json --tz UTC run | say
     stall warn 90.0 60.0
  $ with '{}'
  {}
     stall warn 90.0 60.0
  $ with '{"low-util": 26}'
  {"low-util": 26}
     stall warn 90.0 60.0
     low-util warn 25.5 26.0
  $ with '{"low-util": 26, "stall": false}'
  {"low-util": 26, "stall": false}
     low-util warn 25.5 26.0
  $ with '{"stall": {"limit": 90.5, "level": "error"}}'
  {"stall": {"limit": 90.5, "level": "error"}}
  $ with '{"stall": {"limit": 90, "level": "error"}, "low-util": true}'
  {"stall": {"limit": 90, "level": "error"}, "low-util": true}
     stall error 90.0 90.0
  $ with '{"stall": {"least_s": 601}}'
  {"stall": {"least_s": 601}}
  $ with '{"unused": false, "start": 0, "end": {"limit": 0.5}}'
  {"unused": false, "start": 0, "end": {"limit": 0.5}}
     stall warn 90.0 60.0
  $ echo '{"stall": {"level": "error"}}' >rules.json
  $ smilog summarize -q --partial --tz UTC run -o p && smilog merge -q --json --rules rules.json p | say
     stall error 90.0 60.0

rules that are wrong
# What is wrong is named, and what may be meant: exit status 2, each time.
  $ dir=$(mktemp -d) && cd "$dir" && mkdir run && python3 -SE "$OLDPWD/../log.py" >run/hw.csv
  $ with() { printf '%s' "$1" >rules.json; smilog summarize --rules rules.json run 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"; }
  $ with '{"low-utl": 30}'
  smilog: --rules rules.json: there is no rule "low-utl"; did you mean low-util?
  2
  $ with '{"nothing-like-it": 30}'
  smilog: --rules rules.json: there is no rule "nothing-like-it"; see smilog list rules
  2
  $ with '{"stall": {"limits": 30}}'
  smilog: --rules rules.json: there is no setting "limits"; did you mean limit?
  2
  $ with '{"stall": {"level": "warning"}}'
  smilog: --rules rules.json: there is no level "warning"; see smilog list rules
  2
  $ with '{"stall": {"level": "eror"}}'
  smilog: --rules rules.json: there is no level "eror"; did you mean error?
  2
  $ with '{"stall": {"level": 3}}'
  smilog: --rules rules.json: stall: the level is one of "info", "warn", "strong", "error"
  2
  $ with '{"stall": "60"}'
  smilog: --rules rules.json: stall: needs a number (its limit), false, or an object of limit, level, least_s, at
  2
  $ with '{"stall": null}'
  smilog: --rules rules.json: stall: needs a number (its limit), false, or an object of limit, level, least_s, at
  2
  $ with '{"stall": -1}'
  smilog: --rules rules.json: stall: the limit has to be a number that is not negative
  2
  $ with '{"stall": {"limit": "60"}}'
  smilog: --rules rules.json: stall: the limit has to be a number that is not negative
  2
  $ with '{"stall": {"least_s": 1.5}}'
  smilog: --rules rules.json: stall: least_s has to be a whole number of seconds
  2
  $ with '{"low-util": 101}'
  smilog: --rules rules.json: low-util: the limit is a percentage: 0 to 100
  2
  $ with '{"failed": 3}'
  smilog: --rules rules.json: failed: has no limit
  2
  $ with '{"unused": 3}'
  smilog: --rules rules.json: unused: its limit is that of --idle-below
  2
  $ with '["stall"]'
  smilog: --rules rules.json: is no JSON object
  2
  $ with '{"stall": 60'
  smilog: --rules rules.json: is no JSON object: '}' expected near end of file
  2
  $ with '{"stall": NaN}'
  smilog: --rules rules.json: is no JSON object: invalid token near 'NaN'
  2
  $ with ''
  smilog: --rules rules.json: is no JSON object: '[' or '{' expected near end of file
  2
  $ smilog summarize --rules no.json run 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"
  smilog: --rules: cannot open no.json: No such file or directory
  2
  $ smilog summarize --rules run run 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"
  smilog: --rules: run: is a directory, not a log
  2
  $ smilog summarize --partial --rules rules.json run 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"
  smilog: a partial summary has no findings: give --rules to smilog merge
  2

stall begins where use is known
# cut in front of rows without a reading of use: the stall begins behind them, however the log is read
  $ dir=$(mktemp -d)
  $ trap 'rm -rf "$dir"' EXIT
  $ cd "$dir" || exit
  $ mkdir whole 1 2
  $ head='timestamp, index, utilization.gpu [%], power.draw [W]'
  $ rows() { # from to use
  >     for ((i = $1; i < $2; i++)); do
  >         printf '2026/07/03 20:%02d:%02d.000, 0, %s, 80.00 W\n' $((i / 60)) $((i % 60)) "$3"
  >     done
  > }
  $ { echo "$head" && rows 0 200 '90 %'; } >1/gpu.csv
  $ { echo "$head" && rows 200 205 '[N/A]' && rows 205 325 '0 %' && rows 325 525 '90 %'; } >2/gpu.csv
  $ { cat 1/gpu.csv && tail -n +2 2/gpu.csv; } >whole/gpu.csv
  $ stall() { python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]: print(f["rule"], f["from"], f["seconds"], f["text"])'; }
  $ smilog summarize --json whole | stall
  stall 2026-07-03T20:03:24.000 120.0 the GPU idle 2m00s from 20:03:24
  $ for i in 1 2; do smilog summarize --partial --run all $i -o $i.partial; done
  $ smilog merge --json 1.partial 2.partial | stall
  stall 2026-07-03T20:03:24.000 120.0 the GPU idle 2m00s from 20:03:24

value is told from its limit
# What is just below a limit is printed with as many digits as it takes to see that; at the limit there is no finding.
  $ dir=$(mktemp -d)
  $ log() {
  >     mkdir "$dir/$1"
  >     { echo "timestamp, index, utilization.gpu [%]"
  >       for i in {0..120}; do
  >           printf '2026/01/01 00:%02d:%02d.001, 0, %s\n' $((i / 6)) $((i % 6 * 10)) "$([ "$i" -lt 119 ] && echo "$2" || echo "$3")"
  >       done; } >"$dir/$1/hw.csv"
  > }
  $ log at 25 25
  $ log just 25 24.99
  $ log some 25 20
  $ log well 24 24
  $ log very 15 14.9
  $ smilog summarize -q --tz UTC --format csv --sql 'select run, rule, value, "limit", text from findings' "$dir"
  run,rule,value,limit,text
  just,low-util,24.999875,25.0,"the GPU at 24.9999 % over time"
  some,low-util,24.9375,25.0,"the GPU at 24.9 % over time"
  very,very-low-util,14.99875,15.0,"the GPU at 14.999 % over time"
  well,low-util,24.0,25.0,"the GPU at 24 % over time"
  $ smilog check -q --tz UTC --fail-on warn "$dir"
        LIMIT                                                                   VALUE  RUN
  FAIL  no finding of level warn or above              the GPU at 14.999 % over time   very
  FAIL  no finding of level warn or above              the GPU at 24.9999 % over time  just
  FAIL  no finding of level warn or above              the GPU at 24.9 % over time     some
  FAIL  no finding of level warn or above  the GPU at 24 % over time                   well
  1 limit broken by 4 of 5 runs
  [1]

waste below their limits is told beside them
# Three minutes at the start are a finding; five stalls of 20 s are none, and yet most of what was wasted.
  $ python3 -SE - >log.csv <<'P'
  > print('timestamp, index, utilization.gpu [%]')
  > for i in range(361):
  >     print('2026/07/03 %02d:%02d:%02d.000, 0, %d' % (10 + i * 10 // 3600, i * 10 // 60 % 60, i * 10 % 60, 0 if i < 19 or (i > 30 and i % 60 in (0, 1)) else 90))
  > P
  $ trap 'rm -f log.csv' EXIT
  $ smilog summarize -q log.csv | sed -n '/^FINDINGS/,$p'
  FINDINGS  LEVEL  GPU-h  WHAT, AND WHAT TO DO
  start     info    0.05  idle 3m00s before the first work: load and compile before a GPU is held, or keep what was compiled

  note: no memory.used column, or no reading in it
  note: no power column, or no reading in it
  note: no CPU log

  Where 0.08 of 1.00 GPU-hours went (8.1 %)
  CAUSE  GPU-h  WHAT HAPPENED
  start   0.05  idle 3m00s before the first work
  stall   0.03  idle between work, longest 20s
  end    <0.01  idle after the last work, 10s

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct     82.5
  gpu_util_max_pct      90.0
  power_watts_mean         -
  power_watts_max          -
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  quality: complete
  1h00m, 1.00 GPU-h, GPU 82.8 %, 0.08 GPU-h wasted (8.1 %), 1 finding

power that no board draws
# GPU 1 says 1.3 W at 70 % for the whole log, GPU 2 the same at 40 %, which proves nothing.
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W]"
  >   for i in $(seq 0 5 595); do
  >       at=$(printf '2026/04/05 06:%02d:%02d.000' $((10 + i / 60)) $((i % 60)))
  >       echo "$at, 0, 70 %, 200.00 W"; echo "$at, 1, 70 %, 1.30 W"; echo "$at, 2, 40 %, 1.30 W"
  >   done; } >p.csv
  $ smilog summarize p.csv | grep zero-metric
  zero-metric  warn    0.17  GPU 1: power_w is never above 2 W at a utilisation of 70 % over time: do not trust this metric
  quality: incomplete: zero-metric

a gpu slower than its peers
# Medians of GPUs of one model at the same load are compared; another model is no peer, nor is a GPU without load.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { python3 -SE -c 'import sys
  > print("timestamp, index, name, utilization.gpu [%], clocks.current.sm [MHz], enforced.power.limit [W]")
  > for i in range(80):
  >     for k, gpu in enumerate(sys.argv[1:]): print(f"2026/07/03 10:{i // 12:02}:{i % 12 * 5:02}.000, {k}, " + gpu)' "$@" >gpu.csv; }
  $ found() { smilog summarize --json gpu.csv | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]: print(f["rule"], f["gpu"], f["value"], f["text"])'; }
  $ rows 'A, 99 %, 1980 MHz, 700 W' 'A, 97 %, 1950 MHz, 700 W' 'A, 99 %, 1650 MHz, 700 W' 'A, 98 %, 1660 MHz, 500 W'; found
  slow-gpu 2 84.615385 GPU 2 slower than its peers: 84.6 % of their SM clock, 1650 of 1950 MHz
  slow-gpu 3 71.428571 GPU 3 slower than its peers: 71.4 % of their power limit, 500 of 700 W
  $ rows 'A, 99 %, 1980 MHz, 700 W' 'B, 99 %, 1200 MHz, 350 W' 'A, 89 %, 1200 MHz, 700 W'; found

a pcie link that is slower than it can be
# A link rests while its GPU does.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 -SE - >gpu.csv <<'PY'
  > print("timestamp, index, utilization.gpu [%], pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max")
  > for i in range(80):
  >     for k, gpu in enumerate(("60 %, 4, 4, 16, 16", "60 %, 3, 4, 16, 16", "60 %, 2, 4, 8, 16", "45 %, 1, 4, 16, 16", "60 %, 4, 4, 4, 16")):
  >         print(f"2026/07/03 10:{i // 12:02}:{i % 12 * 5:02}.000, {k}, " + gpu)
  > PY
  $ smilog summarize --json gpu.csv | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]: print(f["rule"], f["gpu"], f["value"], f["text"])'
  pcie-degraded 1 50.0 GPU 1: PCIe link at 50 % of its speed, generation 3 of 4
  pcie-degraded 2 12.5 GPU 2: PCIe link at 12.5 % of its speed, generation 2 of 4, 8 of 16 lanes
  pcie-degraded 4 25.0 GPU 4: PCIe link at 25 % of its speed, 4 of 16 lanes

since when, how long, how many gpu-hours
# Three of four GPUs hang in the last quarter; the other link, heat and memory are each found in a part of the run.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { python3 -SE -c 'import sys
  > what, step, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
  > print("timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], power.limit [W], "
  >       "clocks_event_reasons.sw_thermal_slowdown, pcie.link.gen.current, pcie.link.gen.max")
  > for i in range(n):
  >     t = i * step
  >     at = f"2026/07/03 {t // 3600 % 24:02}:{t // 60 % 60:02}:{t % 60:02}.000"
  >     late = i >= n * 3 // 4
  >     for g in range(4):
  >         use, used, power, hot, gen = 98, 30000, 600, "Not Active", 5
  >         if what == "hang" and late and g: use, power = 100, 100 + g
  >         if what == "heat" and g == 2 and n // 2 <= i < n // 2 + 40: hot = "Active"
  >         if what == "link" and g == 1 and late: gen = 3
  >         if what == "leak" and g == 3: used += t // 12
  >         if what == "stalls" and i % 8 > 5: use = 0
  >         print(f"{at}, {g}, {use} %, {used} MiB, 81559 MiB, {power}.00 W, 700.00 W, {hot}, {gen}, 5")' "$@" >gpu.csv; }
  $ found() { smilog summarize --json gpu.csv | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]:
  >     print(f["rule"], f["gpu"], *(f[k] and f[k][11:19] for k in ("from", "to")), *(f[k] for k in ("seconds", "total_seconds", "stretches", "gpu_hours")), f["text"])'; }
  $ rows hang 10 400; found
  hang None 00:50:00 01:06:30 1000.0 1000.0 1 0.833333 3 of 4 GPUs fully used at little power for 16m40s from 00:50:00: 101 of 700 W
  $ rows heat 10 4000; found
  throttle-sw-thermal 2 05:33:20 05:39:50 400.0 400.0 1 0.111111 GPU 2 slowed by heat (driver) 1 % of the time, 6m40s of it from 05:33:20 on
  $ rows link 10 400; found
  pcie-degraded 1 00:50:00 01:06:30 1000.0 1000.0 1 0.277778 GPU 1: PCIe link at 25 % of its speed, generation 3 of 5, 16m40s of it from 00:50:00 on
  $ rows leak 10 800; found
  memory-growth 3 00:00:00 None 7990.0 None None 2.219444 GPU 3: memory grows steadily by 300 MiB/h, from 29.3 to 29.9 GiB: full in 7d02h
  $ rows stalls 2 800; found
  stall None 00:00:10 None 4.0 400.0 100 0.444444 all 4 GPUs: 100 stalls of about 4.0s, one every 16s, 6m40s in total

heat, lowered power limits, and hangs without a known power limit
# Two GPUs are hot together; one power limit is halved, and halved again; three GPUs hang at 92 W beside 640 W before.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { python3 -SE -c 'import sys
  > what = sys.argv[1]
  > print("timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu" + (", power.limit [W]" if what != "hang" else ""))
  > for i in range(400):
  >     t = i * 5
  >     for g in range(4):
  >         use, power, hot, limit = 98, 640, 65, 700
  >         if what == "hang" and i >= 300 and g: use, power = 100, 92
  >         if what == "hot" and 100 <= i < 200 and g > 1: hot = 92
  >         if what == "limit" and g == 2: limit, power = 700 >> (i >= 100) >> (i >= 300), 160
  >         print(f"2026/07/03 10:{t // 60:02}:{t % 60:02}.000, {g}, {use} %, {power}.00 W, {hot}" + (f", {limit}.00 W" if what != "hang" else ""))' "$@" >gpu.csv; }
  $ found() { smilog summarize --json "$@" gpu.csv | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]:
  >     print(f["rule"], f["gpu"], *(f[k] and f[k][11:19] for k in ("from", "to")), *(f[k] for k in ("seconds", "total_seconds", "stretches", "gpu_hours", "value", "limit")), f["text"])'; }
  $ rows hang; found
  hang None 10:25:00 10:33:15 500.0 500.0 1 0.416667 500.0 120.0 3 of 4 GPUs fully used at little power for 8m20s from 10:25:00: 92 W, otherwise up to 640 W
  $ rows hot; found; echo '{"hot": {"at": 93}}' >rules.json; found --rules rules.json; echo '{"hot": {"at": 92, "limit": 501}}' >rules.json; found --rules rules.json
  hot None 10:08:20 10:16:35 500.0 500.0 1 0.277778 500.0 60.0 2 of 4 GPUs hot for 8m20s from 10:08:20: 92 C on average
  $ rows limit; found; echo '{"power-limit-changed": 76}' >rules.json; found --rules rules.json
  hang 2 10:00:00 10:08:15 495.0 495.0 1 0.1375 495.0 120.0 GPU 2 fully used at little power for 8m15s from 10:00:00: 160 of 394 W
  power-limit-changed 2 10:08:20 10:33:15 1495.0 1495.0 1 0.415278 75.0 10.0 GPU 2: power limit lowered by 75 % from 10:08:20, 175 of 700 W for 24m55s
  slow-gpu 2 10:00:00 None 1995.0 None None 0.554167 50.0 85.0 GPU 2 slower than its peers: 50 % of their power limit, 350 of 700 W, 160 beside 640 W, 65 beside 65 C
  hang 2 10:00:00 10:08:15 495.0 495.0 1 0.1375 495.0 120.0 GPU 2 fully used at little power for 8m15s from 10:00:00: 160 of 394 W
  slow-gpu 2 10:00:00 None 1995.0 None None 0.554167 50.0 85.0 GPU 2 slower than its peers: 50 % of their power limit, 350 of 700 W, 160 beside 640 W, 65 beside 65 C
  $ for r in '{"hot": {"at": 1.5}}' '{"stall": {"at": 3}}' '{"throttle-power-cap": {"at": 1}}'; do echo "$r" >rules.json; smilog summarize --rules rules.json gpu.csv 2>&1 | head -n 1; done
  smilog: --rules rules.json: hot: at has to be a whole number above 0
  smilog: --rules rules.json: stall: has no limit of single readings
  smilog: --rules rules.json: throttle-power-cap: has no limit of single readings
  $ echo '{"hang": {"at": 10}}' >rules.json; smilog summarize -q --partial gpu.csv -o p && smilog merge -q --rules rules.json p 2>&1 | head -n 1
  smilog: --rules: partial summaries hold conditions as they were when they were made: merge cannot change `at` of a rule

power limits that are lowered, raised and restored
# Each stretch of SECONDS:W, read every s seconds, and a hole of 200 s where H stands. One reading of another limit is no change.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cut() { python3 -SE -c 'import sys
  > step, t = int(sys.argv[1]), 0
  > print("timestamp, index, utilization.gpu [%], power.draw [W], power.limit [W]")
  > for part in sys.argv[2:]:
  >     if part == "H": t += 200; continue
  >     seconds, limit = part.split(":")
  >     for _ in range(int(seconds) // step):
  >         print(f"2026/07/03 {10 + t // 3600}:{t // 60 % 60:02}:{t % 60:02}.000, 0, 99 %, 290.00 W, {limit} W")
  >         t += step' "$@" >gpu.csv; smilog summarize --json gpu.csv | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]:
  >     if f["rule"] == "power-limit-changed": print(*(f[k][11:19] for k in ("from", "to")), *(f[k] for k in ("seconds", "total_seconds", "stretches", "gpu_hours", "value")), f["text"])'; }
  $ cut 1 600:300.00 2400:700.00 600:620.00
  10:50:00 10:59:59 599.0 599.0 1 0.166389 11.428571 the GPU: power limit lowered by 11.4 % from 10:50:00, 620 of 700 W for 9m59s
  $ cut 1 600:700.00 1:300.00 3000:700.00; cut 1 600:300.00 3000:700.00; cut 1 600:700.00 59:300.00 600:700.00
  $ cut 1 600:700.00 60:300.00 3000:700.00; cut 1 600:700.00 90:300.00 600:690.00 300:350.00 600:640.00
  10:10:00 10:11:00 60.0 60.0 1 0.016667 57.142857 the GPU: power limit lowered by 57.1 % from 10:10:00, 300 of 700 W for 1m00s
  10:21:30 10:26:30 300.0 390.0 2 0.108333 50.0 the GPU: power limit lowered by 50 % from 10:21:30, 350 of 700 W for 5m00s
  $ cut 1 600:700.00 H 600:300.00; cut 200 1800:700.00 1800:300.00
  10:13:20 10:23:19 599.0 599.0 1 0.166389 57.142857 the GPU: power limit lowered by 57.1 % from 10:13:20, 300 of 700 W for 9m59s
  10:30:00 10:56:40 1600.0 1600.0 1 0.444444 57.142857 the GPU: power limit lowered by 57.1 % from 10:30:00, 300 of 700 W for 26m40s
  $ cut 5 600:700.00 60:660.00 60:640.00 60:620.00 60:600.00 60:580.00
  10:12:00 10:14:00 120.0 120.0 1 0.033333 14.285714 the GPU: power limit lowered by 14.3 % from 10:12:00, 600 of 700 W for 2m00s
  $ cut 1 $(for i in $(seq 300); do echo 61:700.00 61:300.00; done)

two equal pauses of a logger are no vanished GPU
# Three GPUs, read a few ms apart; nothing is read twice for 400 s. Which pause is the longer one differs by GPU.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 -SE -c 'print("timestamp, index, uuid, utilization.gpu [%], power.draw [W]")
  > for t in range(3000):
  >     for g in range(3):
  >         if 300 <= t < 700 or 2000 <= t < 2400: continue
  >         ms = 9 if (t, g) in ((700, 0), (2400, 1), (2400, 2)) else g
  >         print(f"2026/07/03 10:{t // 60:02}:{t % 60:02}.{ms:03}, {g}, GPU-{g}0000000-0000-0000-0000-000000000000, 90 %, 300 W")' >gpu.csv
  $ smilog summarize --json gpu.csv | python3 -SE -c 'import json, sys
  > run = json.load(sys.stdin)["runs"][0]
  > print([f["rule"] for f in run["findings"]], run["quality"])'
  ['gaps'] {'complete': False, 'reasons': ['gaps'], 'energy_coverage_pct': 100.0, 'coverage_pct': 100.0}

memory without a process
# GPU 0 has a process all the time, 1 to 3 have one for five minutes, 4 none that the log shows, nor one that it says is not there. After
# that GPU 1 holds its memory, GPU 2 lets it go (but for the last row), GPU 3 works on: its process is one that the log cannot see.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ rows() { python3 -SE -c 'import sys
  > gpu, procs, pmon = open("a/gpu.csv", "w"), open("a/procs.csv", "w"), open("b/pmon.log", "w")
  > print("timestamp, index, uuid, utilization.gpu [%], memory.used [MiB]", file=gpu)
  > print("timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]", file=procs)
  > print("#Date       Time        gpu         pid   type     sm    mem    enc    dec    command", file=pmon)
  > for i in range(120):
  >     now = f"10:{i // 12:02}:{i % 12 * 5:02}"
  >     for g in range(5):
  >         on = g == 0 or (g < 4 and i < 60)
  >         use = 50 if on or g == 3 else 0
  >         memory = 20000 + g if on or g != 2 or i == 119 else 4
  >         print(f"2026/07/03 {now}.000, {g}, GPU-{g}1234567-0000-0000-0000-000000000000, {use} %, {memory} MiB", file=gpu)
  >         if on: print(f"2026/07/03 {now}.000, GPU-{g}1234567-0000-0000-0000-000000000000, 7{g}, python, 20000 MiB", file=procs)
  >         if g != 1: print(f" 20260703   {now}      {g}   " + (f"    7{g}   C   50   10   -   -   python" if on else "      -   -    -    -   -   -   -"), file=pmon)'; }
  $ mkdir a b; rows; cp a/gpu.csv b; for run in a b; do smilog summarize --json $run | python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]:
  >     if f["rule"] == "memory-held": print(f["gpu"], f["from"][11:19], f["to"][11:19], f["seconds"], f["total_seconds"], f["stretches"], f["gpu_hours"], f["value"], f["text"])'; done
  1 10:04:55 10:09:55 300.0 300.0 1 0.083333 300.0 GPU 1: memory in use without a process for 5m00s from 10:04:55: 20001 MiB on average
  4 10:00:00 10:09:55 595.0 595.0 1 0.165278 595.0 GPU 4: memory in use without a process for 9m55s from 10:00:00: 20004 MiB on average

a slow gpu with a fast reading now and then
# GPU 1 clocks low from 10:30:00 on, but for one reading of 97: it is told since when, and its hours are those from then on.
  $ for i in $(seq 0 719); do for g in 0 1; do
  >     printf '2026/03/02 1%d:%02d:%02d.000, %d, 99 %%, 600.00 W, %d MHz\n' $((i / 360)) $((i / 6 % 60)) $((i % 6 * 10)) $g $((g && i > 180 && i % 97 ? 1000 : 1900))
  > done; done | (echo 'timestamp, index, utilization.gpu [%], power.draw [W], clocks.current.sm [MHz]' && cat) | smilog summarize -q --json - |
  >     python3 -SE -c 'import json, sys
  > for f in json.load(sys.stdin)["runs"][0]["findings"]:
  >     if f["rule"] == "slow-gpu": print(f["gpu"], f["from"][11:19], f["to"][11:19], f["stretches"], f["gpu_hours"], f["text"])'
  1 10:31:05 11:59:50 1 1.479036 GPU 1 slower than its peers: 52.6 % of their SM clock, 1000 of 1900 MHz, 600 beside 600 W, 1h29m of it from 10:31:05 on

grave faults of a short run
# A lost GPU is a finding, and the note of its run, however short that is; nothing else is judged in two minutes.
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W]"
  >   for i in $(seq 0 5 120); do
  >       for gpu in 0 1; do date -u -d "2026-07-03 10:00:00 $i seconds" "+%Y/%m/%d %H:%M:%S.000, $gpu, 97 %, 650.00 W"; done
  >   done
  >   echo "Unable to determine the device handle for GPU0000:81:00.0: Unknown Error"; } >short.csv
  $ smilog summarize -q --json short.csv | jq -c '.runs[0].findings[] | [.rule, .from, .gpu_hours]'
  ["gpu-lost","2026-07-03T10:02:00.000",0.066667]
  $ smilog summarize -q short.csv | tail -1
  2m00s, 0.07 GPU-h, 43.3 Wh, GPU 97.0 %, 0.00 GPU-h wasted (0.0 %), 1 finding
  $ smilog check -q --fail-on error short.csv >/dev/null
  [1]

clocks low for a part of a run
# A third of a run at 37 % of the highest clock: the median clock does not tell.
  $ { echo "timestamp, index, utilization.gpu [%], clocks.sm [MHz], clocks.max.sm [MHz]"
  >   for i in $(seq 0 10 3600); do
  >       date -u -d "2026-07-03 10:00:00 $i seconds" "+%Y/%m/%d %H:%M:%S.000, 0, 97 %, $((i > 2400 ? 735 : 1755)) MHz, 1980 MHz"
  >   done; } >part.csv
  $ smilog summarize -q --json part.csv | jq -c '.runs[0].findings[] | [.rule, .from, .to, .seconds, .stretches, .gpu_hours, .value, .text]'
  ["clocks-low","2026-07-03T10:40:10.000","2026-07-03T11:00:00.000",1200,1,0.333333,37.121212,"the GPU busy at 37.1 % of its highest SM clock, 735 of 1980 MHz, 20m00s of it from 10:40:10 on"]
  $ echo '{"clocks-low": {"at": 30}}' >rules.json
  $ smilog summarize -q --rules rules.json --json part.csv | jq -c '.runs[0].findings'
  []

a limit below the default one
# It was set before the log began; a cut that the log has is another thing.
  $ rows() { for i in $(seq 0 10 600); do date -u -d "2026-07-03 10:00:00 $i seconds" "+%Y/%m/%d %H:%M:%S.000, 0, 99 %, $1"; done; }
  $ { echo "timestamp, index, utilization.gpu [%], power.draw [W], power.limit [W], power.default_limit [W]"; rows "248.00 W, 250.00 W, 450.00 W"; } >low.csv
  $ smilog summarize -q --json low.csv | jq -c '.runs[0].findings[] | [.rule, .level, .seconds, .value, .text]'
  ["power-limit-changed","info",600,44.444444,"the GPU: power limit 44.4 % below the default one, 250 of 450 W for 10m00s"]

one GPU ahead of all others
# The others wait for what it does alone. Two GPUs are a straggler and its peer.
  $ { echo "timestamp, index, utilization.gpu [%]"
  >   for i in $(seq 0 10 600); do for gpu in 0 1 2; do
  >       date -u -d "2026-07-03 10:00:00 $i seconds" "+%Y/%m/%d %H:%M:%S.000, $gpu, $((gpu ? 30 : 97)) %"
  >   done; done; } >three.csv
  $ smilog summarize -q --json three.csv | jq -c '.runs[0].findings[] | [.rule, .gpu, .value, .text]'
  ["straggler",0,67,"GPU 0 is 67 points above the other GPUs (97 % over time, they 30 %)"]
  $ smilog summarize -q --gpus 0,1 --json three.csv | jq -c '.runs[0].findings[] | [.rule, .gpu, .value, .text]'
  ["straggler",1,67,"GPU 1 is 67 points below the other GPUs (30 % over time, they 97 %)"]
