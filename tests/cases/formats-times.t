a first time without a date is proved
# A first time that is torn, or 0 of a clock that was not set, is no beginning where dates follow; where none does, it is.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # NAME HEADER ROW TIME...: @ is the time
  >     local to=$1.csv row=$3 at
  >     echo "$2" >$to
  >     shift 3
  >     for at in "$@"; do echo "${row//@/$at}"; done >>$to
  > }
  $ cpu() { log cpu-$1 timestamp,usr_pct,idle_pct @,12.5,80.1 "${@:2}"; }
  $ dates="2024-08-01T12:10:52.000Z 2024-08-01T12:10:53.000Z 2024-08-01T12:10:54.000Z"
  $ cpu torn 51 $dates
  $ cpu torn-less 10:51:00 $dates
  $ cpu alike 51 51 $dates
  $ cpu seconds 51 52 53
  $ cpu clock 23:59:59 00:00:00 00:00:01
  $ cpu one 51
  $ log procs-torn timestamp,tree_cpu_pct @,12.5 0 $dates
  $ log amd-zero timestamp,gpu,gfx_activity,socket_power,umc_activity '@,0,37,238,5' 0 1722507051 1722507052 1722507053
  $ log amd-zero-processes timestamp,gpu,name,pid,gtt_mem,cpu_mem,vram_mem '@,0,python3,4711,2097152,0,1073741824' 0 1722507051 1722507052
  $ log amd-order timestamp,gpu,power_usage,gfx,vram_used,vram_total '@,0,238,37,283,294896' 0 "11/03/2026 23:59:59" "11/04/2026 00:00:00"
  $ for f in *.csv; do
  >     echo $f
  >     smilog summarize -q --json $f | python3 -SE "$OLDPWD/../../pick.py" start duration_s time_base inputs/0/rows inputs/0/rejected
  > done
  amd-order.csv
  start "2026-11-03T23:59:59.000"
  duration_s 1.0
  time_base "local, zone not known"
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 1}
  amd-zero-processes.csv
  start "2024-08-01T10:10:51.000Z"
  duration_s 1.0
  time_base "utc"
  inputs/0/rows 2
  inputs/0/rejected {"bad_time": 1}
  amd-zero.csv
  start "2024-08-01T10:10:51.000Z"
  duration_s 2.0
  time_base "utc"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 1}
  cpu-alike.csv
  start "2024-08-01T12:10:52.000Z"
  duration_s 2.0
  time_base "utc"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 2}
  cpu-clock.csv
  start null
  duration_s 2.0
  time_base "time of day, date not known"
  inputs/0/rows 3
  inputs/0/rejected {}
  cpu-one.csv
  start null
  duration_s 0.0
  time_base "elapsed time, date not known"
  inputs/0/rows 1
  inputs/0/rejected {}
  cpu-seconds.csv
  start null
  duration_s 2.0
  time_base "elapsed time, date not known"
  inputs/0/rows 3
  inputs/0/rejected {}
  cpu-torn-less.csv
  start "2024-08-01T12:10:52.000Z"
  duration_s 2.0
  time_base "utc"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 1}
  cpu-torn.csv
  start "2024-08-01T12:10:52.000Z"
  duration_s 2.0
  time_base "utc"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 1}
  procs-torn.csv
  start "2024-08-01T12:10:52.000Z"
  duration_s 2.0
  time_base "utc"
  inputs/0/rows 3
  inputs/0/rejected {"bad_time": 1}

a time more than the header without one
# A loop writes the time and a comma in front of rows whose header has no time.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ for header in 'index, utilization.gpu [%], power.draw [W]' 'gpu_index,gpu_util(%),power_W'; do
  >     { echo "$header"; for s in 10 15 20; do echo "2026-07-03 10:00:$s, 0, $s %, 100 W"; done; } >"$t/a.csv"
  >     smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py start end gpus/*/{gpu,samples} gpus/0/energy_wh inputs/0/rejected
  > done
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/0/energy_wh 0.277778
  inputs/0/rejected {}
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/gpu [0]
  gpus/*/samples [3]
  gpus/0/energy_wh 0.277778
  inputs/0/rejected {}

date lines above processes
# The second line of date proves the loop for rows about processes, too; one alone in front is no time of theirs.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ loop() { # DATE TEXT: three calls, @ is the second
  >     for s in 51 56 59; do printf '%s\n%b\n' "$1" "$2" | sed "s/@/$s/g"; done
  > }
  $ apps='GPU-1, 10291, /opt/a,b, @ MiB\nGPU-1, 10300, python3, 512 MiB'
  $ pmon='    0  10291   C   @   0   a b\n    0  10300   C   5   0   python3\n    1      -   -   -   -   -'
  $ ctime='Thu Aug  1 12:10:@ UTC 2024'
  $ loop "$ctime" "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n$apps" >apps.csv
  $ { echo 'gpu_uuid, pid, process_name, used_gpu_memory [MiB]'; loop 2024-08-01T14:10:@,123456789+02:00 "$apps"; } >apps-one-header.csv
  $ loop 17225142@ 'pid, used_gpu_memory [MiB]\n10291, @ MiB' >apps-two-columns.csv
  $ loop "$ctime" "# gpu    pid  type  sm  mem  command\n# Idx      #   C/G   %    %  name\n$pmon" >pmon.log
  $ loop '20240801 12:10:@' "# gpu    pid  type  sm  mem  command\n$pmon" >pmon-compact.log
  $ loop "$ctime" 'gpu,name,pid,gtt_mem,cpu_mem,vram_mem\n0,python3,4711,0,0,@000000' >amd.csv
  $ sed 2,4!d pmon.log | cat <(echo 'Thu Aug  1 12:10:51 UTC 2024') - >once.log
  $ { echo "$ctime"; sed '/UTC/d' apps.csv; } | sed 's/@/51/' >once.csv
  $ for i in {1..1000}; do echo "0 $i C 1 0 p$i"; done | cat <(sed 3q pmon.log) - >many.log
  $ for f in *; do
  >     echo "$f: $(smilog summarize --run-per file --strict --json $f | python3 -SE "$OLDPWD/../../pick.py" start end gpus/*/samples gpus/*/metrics/procs/mean \
  >         processes/*/pid processes/*/name processes/*/samples processes/*/last inputs/0/messages inputs/0/rejected | cut -c-100 | tr -s '\n ' '  ')"
  > done
  amd.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3] gpus/*/metrics/procs/mean [1.0] processes/*/pid [4711] processes/*/name ["python3"] processes/*/samples [3] processes/*/last ["2024-08-01T12:10:59.000Z"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
  apps-one-header.csv: start "2024-08-01T12:10:51.123Z" end "2024-08-01T12:10:59.123Z" gpus/*/samples [3] gpus/*/metrics/procs/mean [2.0] processes/*/pid [10291, 10300] processes/*/name ["/opt/a,b", "python3"] processes/*/samples [3, 3] processes/*/last ["2024-08-01T12:10:59.123Z", "2024-08-01T12:10:59.123Z"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
  apps-two-columns.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [] gpus/*/metrics/procs/mean [] processes/*/pid [10291] processes/*/name [null] processes/*/samples [3] processes/*/last ["2024-08-01T12:10:59.000Z"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
  apps.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3] gpus/*/metrics/procs/mean [2.0] processes/*/pid [10291, 10300] processes/*/name ["/opt/a,b", "python3"] processes/*/samples [3, 3] processes/*/last ["2024-08-01T12:10:59.000Z", "2024-08-01T12:10:59.000Z"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
  many.log: start null end null gpus/*/samples [1] gpus/*/metrics/procs/mean [1000.0] processes/*/pid [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, processes/*/name ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", processes/*/samples [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 processes/*/last [null, null, null, null, null, null, null, null, null, null, null, null, null, null inputs/0/messages 1 inputs/0/rejected {}\x20 (esc)
  once.csv: start null end null gpus/*/samples [3] gpus/*/metrics/procs/mean [2.0] processes/*/pid [10291, 10300] processes/*/name ["/opt/a,b", "python3"] processes/*/samples [3, 3] processes/*/last [null, null] inputs/0/messages 1 inputs/0/rejected {}\x20 (esc)
  once.log: start null end null gpus/*/samples [1] gpus/*/metrics/procs/mean [1.0] processes/*/pid [10291] processes/*/name ["a b"] processes/*/samples [1] processes/*/last [null] inputs/0/messages 1 inputs/0/rejected {}\x20 (esc)
  pmon-compact.log: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:59.000" gpus/*/samples [3, 3] gpus/*/metrics/procs/mean [2.0, 0.0] processes/*/pid [10291, 10300] processes/*/name ["a b", "python3"] processes/*/samples [3, 3] processes/*/last ["2024-08-01T12:10:59.000", "2024-08-01T12:10:59.000"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
  pmon.log: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3, 3] gpus/*/metrics/procs/mean [2.0, 0.0] processes/*/pid [10291, 10300] processes/*/name ["a b", "python3"] processes/*/samples [3, 3] processes/*/last ["2024-08-01T12:10:59.000Z", "2024-08-01T12:10:59.000Z"] inputs/0/messages 3 inputs/0/rejected {}\x20 (esc)
# A poll with a row that cannot be read adds up to nothing: the first one, too.
  $ for bad in 51 56; do
  >     for s in 51 56 59; do
  >         printf '%s\n' "Thu Aug  1 12:10:$s UTC 2024" 'GPU-aa, 100, python, 500 MiB'; [ $s != $bad ] || echo 'GPU-aa, x1, python, 9000 MiB'
  >     done | cat <(echo 'gpu_uuid, pid, process_name, used_gpu_memory [MiB]') - >bad.csv
  >     smilog summarize --run-per file --json bad.csv 2>/dev/null | python3 -SE "$OLDPWD/../../pick.py" gpus/*/samples inputs/0/rejected
  > done
  gpus/*/samples [2]
  inputs/0/rejected {"bad_number": 1}
  gpus/*/samples [2]
  inputs/0/rejected {"bad_number": 1}

date lines are the times of rows
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ loop() { # DATE TEXT: three calls, @ is the second
  >     for s in 51 56 59; do printf '%s\n%b\n' "$1" "$2" | sed "s/@/$s/g"; done
  > }
  $ ctime='Thu Aug  1 12:10:@ UTC 2024'
  $ loop "$ctime" 'utilization.gpu [%]\n@ %' >header.csv
  $ loop "$ctime" '@ %, 7042 MiB' >no-header.csv
  $ loop 'Thu Aug  1 12:10:@ PM CEST 2024' 'index, utilization.gpu [%], memory.used [MiB]\n0, @ %, 512 MiB\n1, 5 %, 1024 MiB' >two-gpus.csv
  $ loop 'Thu 01 Aug 2024 01:10:@ PM UTC' 'utilization.gpu [%], memory.used [MiB]\n@ %, 512 MiB\n5 %, 1024 MiB' >keyless.csv
  $ loop '2024-08-01 12:10:@' 'utilization.gpu [%]\n@ %' >stamp.csv
  $ loop "$ctime" '# gpu    sm    mem\n# Idx     %      %\n    0    @      0\n    1    5      0' >dmon.log
  $ loop "$ctime" 'gpu_index,gpu_util(%),vram_used_mb\n0,@,512' >hand-made.csv
  $ for form in 2024-08-01T12:10:@+02:00 '2024-08-01 12:10:@+02:00' 17225070@ 17225070@.250000000 17225070@000; do
  >     n=$((n + 1))
  >     loop "$form" 'utilization.gpu [%]\n@ %\n5 %' >form-$n-one.csv
  >     loop "$form" 'index, utilization.gpu [%], memory.used [MiB]\n0, @, 512\n1, 5, 1024' >form-$n-query.csv
  >     loop "$form" 'gpu_index,gpu_util(%),vram_used_mb\n0,@,512' >form-$n-hand-made.csv
  >     loop "$form" 'device,GPU use (%),Average Graphics Package Power (W)\ncard0,@,200.0' >form-$n-rocm.csv
  >     loop "$form" '{"card0": {"GPU use (%)": "@"}}' >form-$n-rocm.json
  > done
  $ printf '%s\n' 'Thu Aug  1 12:10:51 UTC 2024' 'device,GPU use (%)' 'card0,10' 'card0,20' >once-rocm.csv
  $ printf '%s\n' 'Thu Aug  1 12:10:51 UTC 2024' 'index, utilization.gpu [%]' '0, 10 %' '0, 20 %' '0, 30 %' >once.csv
  $ { echo 'timestamp, utilization.gpu [%], memory.used [MiB]'; loop "$ctime" '2024/08/01 12:20:@.000, @ %, 7 MiB'; } >own.csv
  $ { printf '%s\n' 'utilization.gpu [%]' '10 %' '20 %'; loop '2024-08-01 12:10:@' '@ %'; } >late.csv
  $ for i in {0..5}; do for k in {0..5}; do for s in {10..59}; do echo "Thu Aug  1 1$i:1$k:$s UTC 2024"; echo "$s %, 7042 MiB"; done; done; done |
  >     sed '1i utilization.gpu [%], memory.used [MiB]' >long.csv
  $ show() {
  >     smilog summarize --run-per file --strict --json "$@" | python3 -SE "$OLDPWD/../../pick.py" start end time_base gpus/*/samples \
  >         summary/gpu_util_mean_pct inputs/0/messages inputs/0/rows inputs/0/interval_s | tr -s '\n ' '  '; echo
  > }
  $ for f in *; do
  >     printf '%s: ' "$f"
  >     [ $f = no-header.csv ] && show --input-columns utilization.gpu,memory.used $f || show $f
  > done
  dmon.log: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-1-hand-made.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-1-one.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-1-query.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-1-rocm.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-1-rocm.json: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-2-hand-made.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-2-one.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-2-query.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-2-rocm.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-2-rocm.json: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-3-hand-made.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-3-one.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-3-query.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-3-rocm.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-3-rocm.json: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-4-hand-made.csv: start "2024-08-01T10:10:51.250Z" end "2024-08-01T10:10:59.250Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-4-one.csv: start "2024-08-01T10:10:51.250Z" end "2024-08-01T10:10:59.250Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-4-query.csv: start "2024-08-01T10:10:51.250Z" end "2024-08-01T10:10:59.250Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-4-rocm.csv: start "2024-08-01T10:10:51.250Z" end "2024-08-01T10:10:59.250Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-4-rocm.json: start "2024-08-01T10:10:51.250Z" end "2024-08-01T10:10:59.250Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-5-hand-made.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-5-one.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-5-query.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  form-5-rocm.csv: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  form-5-rocm.json: start "2024-08-01T10:10:51.000Z" end "2024-08-01T10:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  hand-made.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  header.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  keyless.csv: start "2024-08-01T13:10:51.000Z" end "2024-08-01T13:10:59.000Z" time_base "utc" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  late.csv: start null end null time_base null gpus/*/samples [5] summary/gpu_util_mean_pct 39.2 inputs/0/messages 3 inputs/0/rows 5 inputs/0/interval_s null\x20 (esc)
  long.csv: start "2024-08-01T10:10:10.000Z" end "2024-08-01T15:15:59.000Z" time_base "utc" gpus/*/samples [1800] summary/gpu_util_mean_pct 34.5 inputs/0/messages 1800 inputs/0/rows 1800 inputs/0/interval_s 1.0\x20 (esc)
  no-header.csv: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" time_base "utc" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  once-rocm.csv: start null end null time_base null gpus/*/samples [2] summary/gpu_util_mean_pct 15.0 inputs/0/messages 1 inputs/0/rows 2 inputs/0/interval_s null\x20 (esc)
  once.csv: start null end null time_base null gpus/*/samples [3] summary/gpu_util_mean_pct 20.0 inputs/0/messages 1 inputs/0/rows 3 inputs/0/interval_s null\x20 (esc)
  own.csv: start "2024-08-01T12:20:51.000" end "2024-08-01T12:20:59.000" time_base "local, zone not known" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  stamp.csv: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:59.000" time_base "local, zone not known" gpus/*/samples [3] summary/gpu_util_mean_pct 55.3 inputs/0/messages 3 inputs/0/rows 3 inputs/0/interval_s 3.0\x20 (esc)
  two-gpus.csv: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:59.000" time_base "local, zone not known" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 30.2 inputs/0/messages 3 inputs/0/rows 6 inputs/0/interval_s 3.0\x20 (esc)
  $ show - <long.csv
  start "2024-08-01T10:10:10.000Z" end "2024-08-01T15:15:59.000Z" time_base "utc" gpus/*/samples [1800] summary/gpu_util_mean_pct 34.5 inputs/0/messages 1800 inputs/0/rows 1800 inputs/0/interval_s 1.0\x20 (esc)
  $ smilog summarize --run-per file -q --interval 2 --json once.csv | python3 -SE "$OLDPWD/../../pick.py" duration_s
  duration_s 4.0
# Numbers that could be times, but are readings of the only column.
  $ printf '%s\n' 'memory' 1722507051 1722507056 1722507059 >bytes.csv
  $ echo 'fb_used_mib = "memory" B' >map
  $ smilog summarize --run-per file -q --columns-from map --json bytes.csv | python3 -SE "$OLDPWD/../../pick.py" inputs/0/messages inputs/0/rows gpus/0/metrics/fb_used_mib/max
  inputs/0/messages 0
  inputs/0/rows 3
  gpus/0/metrics/fb_used_mib/max 1642.710742

date lines around rows
# Dates at the begin and at the end of a log are no times of the rows between them, which are of many calls.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ around() { # HEADER ROW ROWS
  >     echo 'Thu Aug  1 12:00:00 UTC 2024'; printf "$1\n"; for ((i = 1; i <= $3; i++)); do printf "$2\n" $i; done
  >     echo 'Thu Aug  1 12:10:00 UTC 2024'
  > }
  $ around 'index, utilization.gpu [%%]' '0, %d %%' 40 >few.csv
  $ around 'index, utilization.gpu [%%]' '0, %d' 90 >keyed.csv
  $ around 'utilization.gpu [%%], memory.used [MiB]' '%d %%, 5 MiB' 90 >keyless.csv
  $ around '# gpu    sm    mem\n# Idx     %%      %%' '    0    %d      0' 90 >dmon.log
  $ around 'gpu_uuid, pid, process_name, used_gpu_memory [MiB]' 'GPU-1, 100, python, %d MiB' 90 >apps.csv
  $ for f in *; do
  >     echo "$f: $(smilog summarize --json --interval 1 $f 2>/dev/null | python3 -SE "$OLDPWD/../../pick.py" start duration_s gpus/*/samples processes/*/samples | tr -s '\n ' '  ')"
  > done
  apps.csv: start null duration_s 178.0 gpus/*/samples [90] processes/*/samples [90]\x20 (esc)
  dmon.log: start null duration_s 89.0 gpus/*/samples [90] processes/*/samples []\x20 (esc)
  few.csv: start null duration_s 39.0 gpus/*/samples [40] processes/*/samples []\x20 (esc)
  keyed.csv: start null duration_s 89.0 gpus/*/samples [90] processes/*/samples []\x20 (esc)
  keyless.csv: start null duration_s 89.0 gpus/*/samples [90] processes/*/samples []\x20 (esc)

date lines of every form
# A line of date above the rows is their time, however it is written: as the first line, too.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ declare -A rows=(
  >     [one-column]='utilization.gpu [%]\n@ %'
  >     [two-columns]='index, utilization.gpu [%]\n0, @ %'
  >     [query]='index, utilization.gpu [%], memory.used [MiB]\n0, @ %, 512 MiB'
  >     [hand-made]='gpu_index,gpu_util(%),vram_used_mb\n0,@,512'
  >     [dmon]='# gpu    sm    mem\n# Idx     %      %\n    0    @      0'
  >     [rocm]='device,GPU use (%)\ncard0,@'
  > )
  $ forms=(2024-08-01T12:10:@Z 2024-08-01T14:10:@+0200 2024-08-01T12:10:@.123456+00:00 2024-08-01T12:10:@,123456789+00:00
  >     'Thu, 01 Aug 2024 14:10:@ +0200' '20240801 12:10:@' '2024-08-01 12:10:@')
  $ for n in "${!forms[@]}"; do
  >     for log in "${!rows[@]}"; do
  >         for s in 51 56 59; do printf '%s\n%b\n' "${forms[n]}" "${rows[$log]}" | sed "s/@/$s/g"; done >$log.txt
  >         smilog summarize --strict --json $log.txt >$n-$log 2>said || cat said
  >     done
  > done
  $ python3 -SE "$OLDPWD/../../pick.py" start end gpus/*/samples inputs/0/rejected -- ?-*
  $ for n in "${!forms[@]}"; do
  >     same=0
  >     for log in "${!rows[@]}"; do
  >         if [ $same = 0 ] || cmp -s $n-$log.picked first; then cp $n-$log.picked first; same=$((same + 1)); else echo "$log: ${forms[n]}"; cat $n-$log.picked; fi
  >     done
  >     echo "${forms[n]}: $same alike:" $(cat first)
  > done
  2024-08-01T12:10:@Z: 6 alike: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3] inputs/0/rejected {}
  2024-08-01T14:10:@+0200: 6 alike: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3] inputs/0/rejected {}
  2024-08-01T12:10:@.123456+00:00: 6 alike: start "2024-08-01T12:10:51.123Z" end "2024-08-01T12:10:59.123Z" gpus/*/samples [3] inputs/0/rejected {}
  2024-08-01T12:10:@,123456789+00:00: 6 alike: start "2024-08-01T12:10:51.123Z" end "2024-08-01T12:10:59.123Z" gpus/*/samples [3] inputs/0/rejected {}
  Thu, 01 Aug 2024 14:10:@ +0200: 6 alike: start "2024-08-01T12:10:51.000Z" end "2024-08-01T12:10:59.000Z" gpus/*/samples [3] inputs/0/rejected {}
  20240801 12:10:@: 6 alike: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:59.000" gpus/*/samples [3] inputs/0/rejected {}
  2024-08-01 12:10:@: 6 alike: start "2024-08-01T12:10:51.000" end "2024-08-01T12:10:59.000" gpus/*/samples [3] inputs/0/rejected {}

elapsed time has no date
# Seconds since the beginning are no time of day: nothing gives them a date, a log beside them neither.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ mkdir beside
  $ rows() { for i in 0 1 2; do printf "$1\n" $i; done; }
  $ { echo 'timestamp, utilization.gpu [%], memory.used [MiB]'; rows '%s.0, 40 %%, 512 MiB'; } >query.csv
  $ { echo 'elapsed_ms,gpu_util(%),vram_used(MiB)'; rows '%s000,40,512'; } >hand-made.csv
  $ cp query.csv beside
  $ { echo 'timestamp,usr_pct,idle_pct'; rows '2026-07-03T22:11:0%s.000+00:00,50,50'; } >beside/cpu.csv
  $ for run in query.csv hand-made.csv beside; do
  >     echo $run
  >     smilog summarize $(test -d $run || echo --run-per file) -q --json $run | python3 -SE "$OLDPWD/../../pick.py" time_base start duration_s gpus/*/samples inputs/*/rows
  > done
  query.csv
  time_base "elapsed time, date not known"
  start null
  duration_s 2.0
  gpus/*/samples [3]
  inputs/*/rows [3]
  hand-made.csv
  time_base "elapsed time, date not known"
  start null
  duration_s 2.0
  gpus/*/samples [3]
  inputs/*/rows [3]
  beside
  time_base "utc"
  start "2026-07-03T22:11:00.000Z"
  duration_s 2.0
  gpus/*/samples [3]
  inputs/*/rows [3, 3]
  $ smilog summarize --partial query.csv >p && smilog merge --json p | python3 -SE "$OLDPWD/../../pick.py" time_base
  time_base "elapsed time, date not known"
  $ smilog export beside --to jsonl:- | grep -o '"time.*gpu_util_pct": [0-9.]*'
  "time": "00:00:00.000", "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 40.0
  "time": "00:00:01.000", "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 40.0
  "time": "00:00:02.000", "gpu": 0, "uuid": null, "name": null, "gpu_util_pct": 40.0

headerless rows with times of any form
# Rows without a header whose times are not nvidia-smi's own: with one reading they are read, alone, in a directory, from a pipe,
# and where the log is larger than what is looked at. With two they are refused in the same words everywhere, in a directory
# as a run without data. Rows without units are no log of GPUs; --input-columns alone names columns.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT; cd "$t" || exit 1
  $ stamp() { case $1 in
  >     iso) echo "2026-07-03T22:11:$2.763Z" ;; ctime) echo "Fri Jul  3 22:11:$2 2026" ;; epoch) echo "17831166$2" ;;
  >     ms) echo "17831166$2250" ;; day_first) echo "13-07-2026 22:11:$2" ;; esac; }
  $ one() { for i in $(seq 10 20); do echo "$(stamp $1 $i), $i %, $((i * 1000 - 9990)) MiB, 81559 MiB, 101.$i W"; done; }
  $ two() { for i in $(seq 10 20); do echo "$(stamp $1 $i), 51 %, 1${i}00 MiB, 81559 MiB, 101.$i W"; done; }
  $ show() { smilog summarize --run-per file --format csv --columns run,state,start,gpu_util_mean_pct,peak_vram_mb "$@" 2>&1; }
  $ for form in iso ctime epoch ms day_first; do
  >     echo "== $form"
  >     mkdir -p one two; one $form >one/log.csv; two $form >two/log.csv
  >     { echo 'timestamp, index, utilization.gpu [%]'; echo '2026/03/01 10:00:00.000, 0, 50 %'; } | tee one/good.csv >two/good.csv
  >     show one; show -q one/log.csv | tail -n 1; show -q - <one/log.csv | tail -n 1
  >     show two; show two/log.csv | head -n 1
  >     show --input-columns timestamp,utilization.gpu,memory.used,memory.total,power.draw two/log.csv
  > done
  == iso
  smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,unknown,2026-07-03T22:11:10.763Z,15.0,10010.0
  log.csv,unknown,2026-07-03T22:11:10.763Z,15.0,10010.0
  '-,unknown,2026-07-03T22:11:10.763Z,15.0,10010.0
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "2026-07-03T22:11:10.763Z, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,no-data,,,
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "2026-07-03T22:11:10.763Z, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  log.csv,unknown,2026-07-03T22:11:10.763Z,51.0,12000.0
  == ctime
  smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,unknown,2026-07-03T22:11:10.000,15.0,10010.0
  log.csv,unknown,2026-07-03T22:11:10.000,15.0,10010.0
  '-,unknown,2026-07-03T22:11:10.000,15.0,10010.0
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "Fri Jul  3 22:11:10 2026, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,no-data,,,
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "Fri Jul  3 22:11:10 2026, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  log.csv,unknown,2026-07-03T22:11:10.000,51.0,12000.0
  == epoch
  smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,unknown,2026-07-03T22:10:10.000Z,15.0,10010.0
  log.csv,unknown,2026-07-03T22:10:10.000Z,15.0,10010.0
  '-,unknown,2026-07-03T22:10:10.000Z,15.0,10010.0
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "1783116610, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,no-data,,,
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "1783116610, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  log.csv,unknown,2026-07-03T22:10:10.000Z,51.0,12000.0
  == ms
  smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,unknown,2026-07-03T22:10:10.250Z,15.0,10010.0
  log.csv,unknown,2026-07-03T22:10:10.250Z,15.0,10010.0
  '-,unknown,2026-07-03T22:10:10.250Z,15.0,10010.0
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "1783116610250, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,no-data,,,
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "1783116610250, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  log.csv,unknown,2026-07-03T22:10:10.250Z,51.0,12000.0
  == day_first
  smilog: log.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,unknown,2026-07-13T22:11:10.000,15.0,10010.0
  log.csv,unknown,2026-07-13T22:11:10.000,15.0,10010.0
  '-,unknown,2026-07-13T22:11:10.000,15.0,10010.0
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "13-07-2026 22:11:10, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  log.csv,no-data,,,
  smilog: two/log.csv: warning: rows of 5 cells without a header: column 3 may be memory.used or memory.free; name them with --input-columns timestamp,utilization.gpu,?,memory.total,power.draw; first row "13-07-2026 22:11:10, 51 %, 11000 MiB, 81559 MiB, 101.10 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  log.csv,unknown,2026-07-13T22:11:10.000,51.0,12000.0
  $ for i in $(seq 200); do one iso; done >large.csv; show large.csv
  smilog: large.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  large.csv,unknown,2026-07-03T22:11:10.763Z,15.0,10010.0
  $ sed 's/ [%MW][^,]*//g' one/log.csv >two/log.csv; show two
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  good.csv,unknown,2026-03-01T10:00:00.000,50.0,
  $ echo "== a torn row behind NUL bytes"
  == a torn row behind NUL bytes
  $ { head -c 300 /dev/zero; echo "9 MiB, 81559 MiB, 101.50 W"; one iso; } >torn.csv; show torn.csv
  smilog: torn.csv:1: warning: NUL bytes in front: the log was emptied while it was written to
  smilog: torn.csv:1: warning: no header: by the shape of the rows they are timestamp,utilization.gpu,memory.used,memory.total,power.draw; name them with --input-columns if not
  smilog: torn.csv:1: warning: another number of cells than the header: "9 MiB, 81559 MiB, 101.50 W"
  run,state,start,gpu_util_mean_pct,peak_vram_mb
  torn.csv,unknown,2026-07-03T22:11:10.763Z,15.0,10010.0

order of day and month
# The steps of the dates tell day from month, wherever the first step is; else it is said what was taken.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # NAME TIME...
  >     local name=$1; shift
  >     { echo 'timestamp, utilization.gpu [%], memory.used [MiB]'; printf '%s, 40 %%, 512 MiB\n' "$@"; } >"$name.csv"
  > }
  $ log day-first "03-11-2026 23:59:59" "04-11-2026 00:00:00" "04-11-2026 00:00:01"
  $ log month-first "11/03/2026 23:59:59" "11/04/2026 00:00:00" "11/04/2026 00:00:01"
  $ log month-first-late "11/11/2026 23:59:58" "11/11/2026 23:59:59" "11/12/2026 00:00:00" "11/13/2026 00:00:00"
  $ log same-step "03-03-2026 23:59:59" "04-04-2026 00:00:00" "04-05-2026 00:00:01"
  $ log back "02-11-2026 00:00:00" "01-11-2026 23:59:59"
  $ log over-the-year "12-31-2025 00:00:00" "01-01-2026 00:00:00"
  $ log one-date "03-11-2026 15:13:16" "03-11-2026 15:13:17"
  $ log one-number "11-11-2026 15:13:16" "11-11-2026 15:13:17"
  $ { echo 'date,time,gpu_util(%),vram_used(MiB)'; printf '%s,40,512\n' 11-03-2026,23:59:59 11-04-2026,00:00:00; } >in-two-columns.csv
  $ { cat one-date.csv; echo 'Unable to determine the device handle for GPU 0000:5E:00.0: Unknown Error'; echo 'x, y, z'; sed 1d day-first.csv; } >between.csv
  $ ends() { python3 -SE "$OLDPWD/../../pick.py" start end inputs/0/rows; }
  $ for f in *.csv; do echo "$f"; smilog summarize --json $f | ends; done 2>&1
  back.csv
  smilog: back.csv: warning: no GPU key, and the times do not tell how many GPUs there are: all rows are pooled, without times; --gpu-count N says it
  start "2026-11-01T23:59:59.000"
  end "2026-11-02T00:00:00.000"
  inputs/0/rows 2
  between.csv
  smilog: between.csv:4: warning: Unable to determine the device handle for GPU 0000:5E:00.0: Unknown Error
  smilog: between.csv:5: warning: no usable time: "x, y, z"
  start "2026-11-03T15:13:16.000"
  end "2026-11-04T00:00:01.000"
  inputs/0/rows 5
  day-first.csv
  start "2026-11-03T23:59:59.000"
  end "2026-11-04T00:00:01.000"
  inputs/0/rows 3
  in-two-columns.csv
  start "2026-11-03T23:59:59.000"
  end "2026-11-04T00:00:00.000"
  inputs/0/rows 2
  month-first-late.csv
  start "2026-11-11T23:59:58.000"
  end "2026-11-13T00:00:00.000"
  inputs/0/rows 4
  month-first.csv
  start "2026-11-03T23:59:59.000"
  end "2026-11-04T00:00:01.000"
  inputs/0/rows 3
  one-date.csv
  smilog: one-date.csv:2: warning: "03-11-2026 15:13:16": nothing tells day from month: read with the day first
  start "2026-11-03T15:13:16.000"
  end "2026-11-03T15:13:17.000"
  inputs/0/rows 2
  one-number.csv
  start "2026-11-11T15:13:16.000"
  end "2026-11-11T15:13:17.000"
  inputs/0/rows 2
  over-the-year.csv
  start "2025-12-31T00:00:00.000"
  end "2026-01-01T00:00:00.000"
  inputs/0/rows 2
  same-step.csv
  start "2026-03-03T23:59:59.000"
  end "2026-04-05T00:00:01.000"
  inputs/0/rows 3
  $ python3 -SE - <<'P' >long.csv
  > print("timestamp, utilization.gpu [%], memory.used [MiB]")
  > for i in range(60000):
  >     day, s = divmod(i * 4, 86400)
  >     print(f"11-{day + 3:02d}-2026 {s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}, 40 %, 512 MiB")
  > P
  $ for f in long between month-first-late; do
  >     smilog summarize -q -j1 --json $f.csv | ends | tee whole
  >     smilog summarize -q -j8 --json $f.csv | ends | cmp - whole
  >     cat $f.csv | smilog summarize -q --json - | ends | cmp - whole
  >     smilog summarize -q --partial $f.csv >p && smilog merge -q --json p | ends | cmp - whole
  > done
  start "2026-11-03T00:00:00.000"
  end "2026-11-05T18:39:56.000"
  inputs/0/rows 60000
  start "2026-11-03T15:13:16.000"
  end "2026-11-04T00:00:01.000"
  inputs/0/rows 5
  start "2026-11-11T23:59:58.000"
  end "2026-11-13T00:00:00.000"
  inputs/0/rows 4

rows below times of day
# while true; do date +%T; nvidia-smi ...; done, over midnight; and echo "$(date +%T.%3N) $(nvidia-smi ...)".
  $ d=$(mktemp -d); trap 'rm -rf "$d"' EXIT; here=$PWD; cd "$d"
  $ for t in 23:59:56 23:59:58 00:00:00 00:00:02; do printf '%s\n1623, 2308, 4096, 6\r\n' $t; done >below.log
  $ for t in 23:59:56.359 23:59:58.859 00:00:01.359; do printf '%s 30, 636, 2.23\n' $t; done >beside.txt
  $ pick() { python3 -SE "$here"/../../pick.py duration_s time_base summary/peak_vram_mb summary/gpu_util_mean_pct gpus/0/energy_wh inputs/0/{lines,rows,messages,rejected,interval_s}; }
  $ smilog summarize -q --json --input-format nvidia-smi-query --input-columns memory.used,memory.free,memory.total,utilization.gpu below.log | pick
  duration_s 6.0
  time_base "time of day, date not known"
  summary/peak_vram_mb 1623.0
  summary/gpu_util_mean_pct 6.0
  gpus/0/energy_wh null
  inputs/0/lines 8
  inputs/0/rows 4
  inputs/0/messages 4
  inputs/0/rejected {}
  inputs/0/interval_s 2.0
  $ smilog summarize -q --json --input-format nvidia-smi-query --input-columns timestamp,utilization.gpu,memory.used,power.draw beside.txt | pick
  duration_s 5.0
  time_base "time of day, date not known"
  summary/peak_vram_mb 636.0
  summary/gpu_util_mean_pct 30.0
  gpus/0/energy_wh 0.003097
  inputs/0/lines 3
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/interval_s 2.5
  $ sed 's/ /,/' beside.txt | sed '1i time,gpu_util_pct,vram_used_mb,power_w' | smilog summarize -q --json - | pick
  duration_s 5.0
  time_base "time of day, date not known"
  summary/peak_vram_mb 636.0
  summary/gpu_util_mean_pct 30.0
  gpus/0/energy_wh 0.003097
  inputs/0/lines 4
  inputs/0/rows 3
  inputs/0/messages 0
  inputs/0/rejected {}
  inputs/0/interval_s 2.5

rows that begin with a weekday
  $ cat >hand_made.csv <<'EOF'
  > timestamp,gpu_utilization,gpu_memory_used_mb
  > Fri Aug 30 23:59:59 2024,10,100
  > Sat Aug 31 00:00:00 2024,20,100
  > EOF
  $ cat >query.csv <<'EOF'
  > timestamp,utilization.gpu [%]
  > Thu Aug  1 12:10:51 2024,50
  > Thu Aug  1 12:10:52 2024,60
  > Thu Aug  1 12:10:52 UTC 2024
  > Thu Aug  1 12:10:53 2024,70
  > EOF
  $ for log in query hand_made; do
  >     smilog summarize --run-per file --strict $log.csv --json |
  >         python3 -SE ../../pick.py start end summary/gpu_util_mean_pct inputs/0/format inputs/0/rows inputs/0/messages
  > done
  start "2024-08-01T12:10:51.000"
  end "2024-08-01T12:10:53.000"
  summary/gpu_util_mean_pct 60.0
  inputs/0/format "nvidia-smi-query"
  inputs/0/rows 3
  inputs/0/messages 1
  start "2024-08-30T23:59:59.000"
  end "2024-08-31T00:00:00.000"
  summary/gpu_util_mean_pct 15.0
  inputs/0/format "gpu-csv"
  inputs/0/rows 2
  inputs/0/messages 0

rows that look like dates
# A row that begins with a time is no line of date, where it has only one cell more, too.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ for time in 12:10:@ '20240801 12:10:@'; do
  >     for name in 'utilization.gpu [%]' gpu_util; do
  >         { echo "timestamp,$name"; for s in 51 52 53 54; do echo "${time/@/$s},4${s#5}"; done; } >"$t/a.csv"
  >         smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py gpus/*/samples duration_s
  >     done
  > done
  gpus/*/samples [4]
  duration_s 3.0
  gpus/*/samples [4]
  duration_s 3.0
  gpus/*/samples [4]
  duration_s 3.0
  gpus/*/samples [4]
  duration_s 3.0
  $ echo 'timestamp,utilization.gpu [%],memory.used [MiB]' >"$t/a.csv"
  $ for s in 51 52 53 54; do echo "Thu, 01 Aug 2024 12:10:$s +0200,4${s#5},50"; done >>"$t/a.csv"
  $ smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py gpus/*/samples duration_s start inputs/0/rejected
  gpus/*/samples [4]
  duration_s 3.0
  start "2024-08-01T10:10:51.000Z"
  inputs/0/rejected {}
# The index of a GPU is no fraction of the time in front of it, where its name has commas.
  $ for name in 'A, B' 'A, B, C'; do
  >     for ms in '' ,123; do
  >         { echo 'timestamp,index,name,utilization.gpu [%]'; for s in 51 52 53 54; do echo "2024-08-01 12:10:$s$ms,0,$name,5"; done; } >"$t/a.csv"
  >         smilog summarize --json "$t/a.csv" 2>&1 | python3 -SE ../../pick.py gpus/*/name start
  >     done
  > done
  gpus/*/name ["A, B"]
  start "2024-08-01T12:10:51.000"
  gpus/*/name ["A, B"]
  start "2024-08-01T12:10:51.123"
  gpus/*/name ["A, B, C"]
  start "2024-08-01T12:10:51.000"
  gpus/*/name ["A, B, C"]
  start "2024-08-01T12:10:51.123"

rows with a time more than the header
# A program writes its own time in front of nvidia-smi's rows, and a header without the second time.
  $ cat >log.csv <<'EOF'
  > time,gpu_index,gpu_name,gpu_util_percent,mem_used_mb,temp_c,power_w
  > 2026-05-06 10:06:45,2026/05/06 10:06:45.521, 0, NVIDIA RTX 4060, 10, 410, 42, 2.01
  > 2026-05-06 10:06:46,2026/05/06 10:06:46.593, 0, NVIDIA RTX 4060, 20, 410, 42, 2.18
  > 2026-05-06 10:06:47, 0, NVIDIA RTX 4060, 30, 410, 43, 2.74
  > 2026-05-06 10:06:48,2026/05/06 10:06:48.722, 0, NVIDIA RTX 4060, 40, 410, 42
  > EOF
  $ smilog summarize --json log.csv | python3 -SE ../../pick.py start duration_s summary/gpu_util_mean_pct summary/power_watts_mean inputs/0/{header,rows,rejected}
  start "2026-05-06T10:06:45.521"
  duration_s 1.479
  summary/gpu_util_mean_pct 20.0
  summary/power_watts_mean 2.3
  inputs/0/header 1
  inputs/0/rows 3
  inputs/0/rejected {"bad_width": 1}
  2> smilog: log.csv:2: warning: rows have a time more than the header: the second one is read
  2> smilog: log.csv:5: warning: another number of cells than the header: "2026-05-06 10:06:48,2026/05/06 10:06:48.722, 0, NVIDIA RTX 4..."

times in brackets and with zones
# Times in brackets, behind strokes, with a zone behind a blank: in cells, and on lines above the rows.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ show() { smilog summarize --run-per file --json "$1" 2>/dev/null | python3 -SE ../../pick.py start end time_base gpus/*/samples inputs/0/rejected | tr -s '\n ' '  '; echo; }
  $ for form in '[2026-07-03 10:00:@]' '2026-07-03 10:00:@ UTC' '2026-07-03 12:00:@ +0200' '2026-07-03 10:00:@ CEST' '2026-07-03_10:00:@' \
  >     '[03/Jul/2026:10:00:@]'; do
  >     echo "== $form"
  >     { echo 'timestamp,gpu,gpu_util(%)'; for s in 10 15 20; do echo "${form/@/$s},0,$s"; done; } >"$t/cells.csv"
  >     show "$t/cells.csv"
  > done
  == [2026-07-03 10:00:@]
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03 10:00:@ UTC
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03 12:00:@ +0200
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03 10:00:@ CEST
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03_10:00:@
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == [03/Jul/2026:10:00:@]
  start null end null time_base null gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  $ for form in '2026-07-03 10:00:@ UTC' '2026-07-03_10:00:@' '=== 2026-07-03 10:00:@ ===' '[2026-07-03T10:00:@+0000]' '2026-07-03T10:00:@+00:00' \
  >     '2026-07-03 10:00:@'; do
  >     echo "== $form"
  >     for s in 10 15 20; do echo "${form/@/$s}"; printf 'index, utilization.gpu [%%]\n0, %s %%\n' $s; done >"$t/query.csv"
  >     show "$t/query.csv"
  >     for s in 10 15 20; do echo "${form/@/$s}"; echo "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} $s"; done >"$t/exporter.prom"
  >     show "$t/exporter.prom"
  > done
  == 2026-07-03 10:00:@ UTC
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03_10:00:@
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == === 2026-07-03 10:00:@ ===
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == [2026-07-03T10:00:@+0000]
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03T10:00:@+00:00
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" time_base "utc" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  == 2026-07-03 10:00:@
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)
  $ for s in 10 15 20; do echo "[2026-07-03 10:00:$s] RAM 2274/6834MB (lfb 27x4MB) CPU [9%@1189,off] EMC_FREQ 0% GR3D_FREQ $s%@[305,0]"; done >"$t/tegra.log"
  $ show "$t/tegra.log"
  start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" time_base "local, zone not known" gpus/*/samples [3] inputs/0/rejected {}\x20 (esc)

times in front of lines
# A logger puts a time in front of each line: what stands behind it is read, and where rows have no time it is theirs.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ declare -A logs=(
  >     [query]='index, utilization.gpu [%]\n0, @ %\n1, 5 %'
  >     [query-timed]='timestamp, index, utilization.gpu [%]\n2026/07/03 10:00:@.250, 0, @ %\n2026/07/03 10:00:@.250, 1, 5 %'
  >     [hand-made]='gpu_index,gpu_util(%),vram_used_mb\n0,@,512\n1,5,512'
  >     [dmon]='# gpu    sm    mem\n# Idx     %      %\n    0    @      0\n    1    5      0'
  >     [dcgmi]='#Entity   GPUTL\nID\nGPU 0     @\nGPU 1     5'
  >     [rocm]='device,GPU use (%)\ncard0,@\ncard1,5'
  > )
  $ front() { case $1 in
  >     docker) echo "2026-07-03T10:00:$2.123456789Z " ;; container) echo "2026-07-03T10:00:$2.123456789Z stdout F " ;;
  >     ts) echo "2026-07-03 10:00:$2 " ;; brackets) echo "[2026-07-03 10:00:$2] " ;; journal) echo "2026-07-03T10:00:$2+0000 node7 smi[12]: " ;;
  >     month) echo "Jul 03 10:00:$2 " ;; short) echo "Jul  3 10:00:$2 node7 smi[12]: " ;; none) echo ;; esac; }
  $ for log in query query-timed hand-made dmon dcgmi rocm; do
  >     for form in none docker container ts brackets journal month short; do
  >         case $log-$form in rocm-[cjms]*) continue ;; esac # it knows times in front by itself
  >         for s in 10 15 20; do printf '%b\n' "${logs[$log]}" | sed "s/@/$s/g; s/^/$(front $form $s)/"; done >"$t/a.log"
  >         smilog summarize --json "$t/a.log" 2>/dev/null >"$t/$log, $form"
  >     done
  > done
  $ python3 -SE ../../pick.py start end gpus/*/samples summary/gpu_util_mean_pct inputs/0/rejected -- "$t"/*,*
  $ for log in query query-timed hand-made dmon dcgmi rocm; do
  >     for form in none docker container ts brackets journal month short; do
  >         [ ! -e "$t/$log, $form" ] || echo "$log, $form: $(tr -s '\n ' '  ' <"$t/$log, $form.picked")"
  >     done
  > done
  query, none: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, docker: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, container: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, ts: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, brackets: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, journal: start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, month: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query, short: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, none: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, docker: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, container: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, ts: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, brackets: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, journal: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, month: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  query-timed, short: start "2026-07-03T10:00:10.250" end "2026-07-03T10:00:20.250" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, none: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, docker: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, container: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, ts: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, brackets: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, journal: start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, month: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  hand-made, short: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, none: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, docker: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, container: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, ts: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, brackets: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, journal: start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, month: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dmon, short: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, none: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, docker: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, container: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, ts: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, brackets: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, journal: start "2026-07-03T10:00:10.000Z" end "2026-07-03T10:00:20.000Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, month: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  dcgmi, short: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  rocm, none: start null end null gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  rocm, docker: start "2026-07-03T10:00:10.123Z" end "2026-07-03T10:00:20.123Z" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  rocm, ts: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
  rocm, brackets: start "2026-07-03T10:00:10.000" end "2026-07-03T10:00:20.000" gpus/*/samples [3, 3] summary/gpu_util_mean_pct 10.0 inputs/0/rejected {}\x20 (esc)
# The time in front of the first row of a poll is that of the others, too. With a comma behind it, it is a cell.
  $ { echo 'index, utilization.gpu [%]'; for s in 10 15 20; do echo "2026-07-03 10:00:$s 0, $s %"; echo '1, 5 %'; done; } >"$t/a.log"
  $ smilog summarize --json "$t/a.log" | python3 -SE ../../pick.py start end gpus/*/samples inputs/0/rejected
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/samples [3, 3]
  inputs/0/rejected {}
  $ { echo 'time,gpu_util'; for s in 10 15 20; do echo "2026-07-03 10:00:$s,$s %"; done; } >"$t/a.log"
  $ smilog summarize --json "$t/a.log" | python3 -SE ../../pick.py start end gpus/*/samples inputs/0/rejected
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/samples [3]
  inputs/0/rejected {}
# A table is read as it is without them.
  $ for form in none docker ts short; do
  >     sed "s/^/$(front $form 10)/" ../../../fixtures/nvidia/table_loop.log >"$t/a.log"
  >     smilog summarize --json "$t/a.log" 2>/dev/null | python3 -SE ../../pick.py start end gpus/*/samples summary inputs/0/rejected | cksum
  > done
  3796385354 296
  3796385354 296
  3796385354 296
  3796385354 296
# Where the user names the columns, a time in front of the index, with a blank between them, is the first of them.
  $ for s in 10 15 20; do echo "2026-07-03 10:00:$s 0, $s %, 300 W"; done >"$t/a.log"
  $ smilog summarize --json --input-columns timestamp,index,utilization.gpu,power.draw "$t/a.log" |
  >     python3 -SE ../../pick.py start end gpus/*/samples inputs/0/rejected
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/samples [3]
  inputs/0/rejected {}
  $ (cd "$t" && smilog summarize a.log) 2>&1 | head -1
  smilog: a.log: warning: rows of 4 cells without a header: nothing tells what column 4 is; name them with --input-columns timestamp,index,utilization.gpu,?; first row "2026-07-03 10:00:10 0, 10 %, 300 W"
# With a map of columns nothing is cut off: a stroke at the end of the line makes no table of it.
  $ for s in 10 15 20; do echo "2026-07-03 10:00:$s | 0 | $s | 300 |"; done >"$t/a.log"
  $ printf '%s\n' 'separator = bar' 'time = 1' 'index = 2' 'gpu_util_pct = 3 %' 'power_w = 4 W' >"$t/map"
  $ smilog summarize --json --columns-from "$t/map" "$t/a.log" | python3 -SE ../../pick.py start end gpus/*/samples inputs/0/rejected
  start "2026-07-03T10:00:10.000"
  end "2026-07-03T10:00:20.000"
  gpus/*/samples [3]
  inputs/0/rejected {}

times of every form in every csv
# One clock for all CSV readers: whatever the form of the times, three rows a second apart are that.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ rows() { # FORMAT HEADER ROW TIME...: @ is the time, # the number of the row
  >     local to=$1-$form.csv row=$3 n=0 at
  >     echo "$2" >$to
  >     shift 3
  >     for at in "$@"; do filled=${row//@/$at}; echo "${filled//#/$((++n))}"; done >>$to
  > }
  $ log() { # FORM TIME...
  >     form=$1; shift
  >     forms+=($form)
  >     rows query 'timestamp, index, utilization.gpu [%], memory.used [MiB]' '@, 0, 40 %, 512 MiB' "$@"
  >     rows apps 'timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]' '@, GPU-1, 10291, /opt/a,b, 512 MiB' "$@"
  >     rows accounted 'timestamp, gpu_uuid, pid, gpu_utilization [%], max_memory_usage [MiB], time [ms]' '@, GPU-1, #, 40 %, 512 MiB, 15 ms' "$@"
  >     rows amd_monitor timestamp,gpu,power_usage,gfx,vram_used,vram_total '@,0,238,37,283,294896' "$@"
  >     rows amd_metric timestamp,gpu,gfx_activity,socket_power,umc_activity '@,0,37,238,5' "$@"
  >     rows amd_process timestamp,gpu,name,pid,gtt_mem,cpu_mem,vram_mem '@,0,python3,4711,2097152,0,1073741824' "$@"
  >     rows rocm 'device,GPU use (%),Average Graphics Package Power (W)' '@ card0,40,200.0' "$@"
  >     rows cpu timestamp,usr_pct,idle_pct @,12.5,80.1 "$@"
  > }
  $ tell() { # FORMAT FORM
  >     cat json-$1-$2.picked
  >     sed 's/^[^ ]* [^ ]* //' err-$1-$2
  > }
  $ as() { # FORMAT: what has no zone is UTC in a CPU log
  >     if [ $1 = cpu ]; then sed 's/\(T[0-9:.]*\)"/\1Z"/; s/"local, zone not known"/"utc"/'; else cat; fi
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
  $ log order-by-steps "11/03/2026 23:59:59" "11/04/2026 00:00:00" "11/04/2026 00:00:01"
# In front of rocm-smi's card a number is one of the line, and a text is a message.
  $ log elapsed 0.0 1.0 2.0
  $ log nobody-knows when when when
  $ formats=$(ls | sed 's/-.*//' | sort -u)
  $ for log in *.csv; do smilog summarize --run-per file --strict $log --json 2>err-${log%.csv} >json-${log%.csv}; done
  $ python3 -SE "$OLDPWD/../../pick.py" start end time_base inputs/0/rows inputs/0/rejected -- json-*
  $ for i in "${forms[@]}"; do for format in query cpu; do tell query $i | as $format >want-$format-$i; done; done
  $ for format in $formats; do
  >     like=query; [ $format = cpu ] && like=cpu
  >     same=0
  >     for i in "${forms[@]}"; do
  >         if [ "$(tell $format $i)" = "$(<want-$like-$i)" ]; then same=$((same + 1)); else echo "$format $i:"; tell $format $i; fi
  >     done
  >     echo "$format: $same of ${#forms[@]} as query"
  > done
  accounted: 16 of 16 as query
  amd_metric: 16 of 16 as query
  amd_monitor: 16 of 16 as query
  amd_process: 16 of 16 as query
  apps: 16 of 16 as query
  cpu: 16 of 16 as query
  query: 16 of 16 as query
  rocm elapsed:
  start null
  end null
  time_base null
  inputs/0/rows 3
  inputs/0/rejected {}
  warning: "0.0" is no time that is known: readings count without times
  rocm nobody-knows:
  start null
  end null
  time_base null
  inputs/0/rows 0
  inputs/0/rejected {"foreign": 3}
  warning: no row, no header, no known message: "when card0,40,200.0"
  warning: no row, no header, no known message: "when card0,40,200.0"
  warning: no row, no header, no known message: "when card0,40,200.0"
  rocm: 14 of 16 as query
  $ tell query nobody-knows
  start null
  end null
  time_base null
  inputs/0/rows 3
  inputs/0/rejected {}
  warning: "when" is no time that is known: readings count without times
  $ mkdir iter && printf '%s\n' 'time,gpu_util (%)' '[iter 5],40' '[iter 6],50' >iter/gpu.csv
  $ smilog summarize iter 2>&1 >/dev/null | head -n 1
  smilog: gpu.csv:2: warning: "[iter 5]" is no time that is known: readings count without times
  $ echo 'A process was there from its first to its last row:'
  A process was there from its first to its last row:
  $ for log in apps-zulu.csv amd_process-seconds.csv apps-compact.csv; do
  >     smilog summarize --run-per file -q --json $log | python3 -SE "$OLDPWD/../../pick.py" processes/*/first processes/*/last
  > done
  processes/*/first ["2024-08-01T12:10:51.000Z"]
  processes/*/last ["2024-08-01T12:10:53.000Z"]
  processes/*/first ["2024-08-01T12:10:51.000Z"]
  processes/*/last ["2024-08-01T12:10:53.000Z"]
  processes/*/first ["2024-08-01T12:10:51.000"]
  processes/*/last ["2024-08-01T12:10:53.000"]
  $ echo 'The comma too many is one of the time, or one in the name:'
  The comma too many is one of the time, or one in the name:
  $ printf '%s\n' timestamp,pid,process_name,used_gpu_memory 2026-07-03T22:11:09,123,10291,/a,512 2026-07-03T22:11:10,10291,/a,b,512 >commas.csv
  $ smilog summarize --run-per file -q --json commas.csv | python3 -SE "$OLDPWD/../../pick.py" processes/*/pid processes/*/name inputs/0/rejected
  processes/*/pid [10291, 10291]
  processes/*/name ["/a", "/a,b"]
  inputs/0/rejected {}

units of times in a header
# The unit in the header says what a number is, also of a clock that began with the machine; not a number beyond 2286.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ log() { # HEADER FIRST STEP
  >     echo "$1,gpu_util,power_w" >log.csv
  >     for i in 0 1 2; do echo "$(($2 + i * $3)),50,200"; done >>log.csv
  >     echo "$1 $2: $(smilog summarize --json log.csv 2>&1 | python3 -SE "$OLDPWD/../../pick.py" start duration_s inputs/0/rows | tr '\n' ' ')"
  > }
  $ log time_us 2000000000 5000000
  time_us 2000000000: start null duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log timestamp_ns 2000000000000 5000000000
  timestamp_ns 2000000000000: start null duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log elapsed_us 9995000000 5000000
  elapsed_us 9995000000: start null duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log elapsed_ms 995000 5000
  elapsed_ms 995000: start null duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log time_us 1783072800000000 5000000
  time_us 1783072800000000: start "2026-07-03T10:00:00.000Z" duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log timestamp_ns 1783072800000000000 5000000000
  timestamp_ns 1783072800000000000: start "2026-07-03T10:00:00.000Z" duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log time_ms 1783072800000 5000
  time_ms 1783072800000: start "2026-07-03T10:00:00.000Z" duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log timestamp_ms 1783072800000000 5000000
  timestamp_ms 1783072800000000: start "2026-07-03T10:00:00.000Z" duration_s 10.0 inputs/0/rows 3\x20 (esc)
  $ log timestamp 1783072800 5
  timestamp 1783072800: start "2026-07-03T10:00:00.000Z" duration_s 10.0 inputs/0/rows 3\x20 (esc)

units of times in a map
# Times in s, ms, us and ns are the same times; a map that is not UTF-8 is refused.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ printf 'time = "When" s\ngpu_util_pct = "Load"\n' >s
  $ for unit in s: ms:000 us:000000 ns:000000000; do
  >     { echo 'When,Load' && seq -f "%.0f${unit#*:},50" 1767323045 2 1767323065; } >log.csv
  >     sed "s/ s$/ ${unit%:*}/" s >map
  >     smilog summarize -q --format csv --columns start,duration_s,gpu_util_mean_pct --columns-from map log.csv | tail -n 1
  > done
  2026-01-02T03:04:05.000Z,20.0,50.0
  2026-01-02T03:04:05.000Z,20.0,50.0
  2026-01-02T03:04:05.000Z,20.0,50.0
  2026-01-02T03:04:05.000Z,20.0,50.0
  $ printf 'gpu_util_pct = "Aff\344r"\n' >map
  $ smilog summarize --columns-from map log.csv 2>&1 | head -n 1
  smilog: --columns-from map: not UTF-8 text of at most 64 KiB

days and times of windows
# The day of the week tells month from day: Tuesday, 3 March. 12 % at 11:54 PM, 22 % at 12:04 AM: ten minutes.
  $ printf '%s\r\n' 'C:\mon>date /T ' 'Tue 03/03/2026 ' '' 'C:\mon>time /T ' '11:54 PM' '' 'C:\mon>nvidia-smi --query-gpu=... ' \
  >     'utilization.gpu [%], memory.used [MiB]' '12 %, 682 MiB' '' 'Wed 03/04/2026 ' '12:04 AM' \
  >     'utilization.gpu [%], memory.used [MiB]' '22 %, 682 MiB' >log.csv
  $ smilog summarize -q --json log.csv | python3 -SE ../../pick.py start end gpus/*/metrics/gpu_util_pct/mean inputs/0/rows inputs/0/rejected
  start "2026-03-03T23:54:00.000"
  end "2026-03-04T00:04:00.000"
  gpus/*/metrics/gpu_util_pct/mean [17.0]
  inputs/0/rows 2
  inputs/0/rejected {}

a date with the year in front tells the order of no other
# The row above it, whose day or month may stand first, has no usable time: of its date nothing was read, so nothing is said.
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cd "$t" || exit
  $ cat >log.csv <<'Y'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 22:01:00.000, 0, 50 %, 100.00 W
  > 02/06/7203 22:11:10.000, 0, 50 %, 100.00 W
  > 2026/07/03 22:11:03.000, 0, [N/A], 100.00 W
  > Y
  $ smilog summarize -q --json log.csv | python3 -SE -c 'import json, sys
  > for p in json.load(sys.stdin)["runs"][0]["inputs"][0]["problems"]: print(p)'
  {'line': 3, 'text': 'no usable time: "02/06/7203 22:11:10.000, 0, 50 %, 100.00 W"'}

the use over time of a gpu on another clock than the run
# The processes have local times of a zone that is not known, the GPU has UTC: its line is over the time of its own readings.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ { echo 'timestamp,index,utilization.gpu [%]' && for i in $(seq 10 69); do echo "2026-07-03T08:00:${i}Z,0,$((i > 39 ? 99 : 9)) %"; done; } |
  >     awk -F: 'NR == 1 { print; next } { s = substr($3, 1, 2); printf "%s:%02d:%02d%s\n", $1, s / 60, s % 60, substr($3, 3) }' >gpu.csv
  $ { echo 'timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]' && for i in 10 39 59; do
  >     echo "2026/07/03 10:00:$i.000, GPU-00000000-0000-4000-8000-000000000000, 4711, python, 100 MiB"; done; } >apps.csv
  $ COLUMNS=200 smilog summarize -q -v . | grep -A 1 'OVER TIME'
  GPU  MEAN %  P5  P50  P95  MAX  OVER TIME (1.0s a cell)                                       IDLE %  Wh  EVERY  WORST
    0    54.0   9   54   99   99  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁██████████████████████████████     0.0   -  1.0 s  1.0 s
