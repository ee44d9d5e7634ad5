bad number is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:04.000, 0, abc, def
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  1

bad time is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > yesterday, 0, 50, 100.00
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  1

bad width is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:04.000, 0, 50
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  1

blank lines are no doubt
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  0

encoding is 1
  $ smilog summarize run.jsonl >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q run.jsonl >/dev/null; echo $?
  1

foreign is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > Segmentation fault
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  1

gpus mixed up is 1
# the sentence on standard error is a doubt: in one pass, and in a merge, which alone sees it
  $ out=../../attribution/two_hosts_in_one_run_are_said/out
  $ smilog summarize --strict --run-per dir $out >/dev/null; echo $?
  1
  2> smilog: out: warning: two logs of one format cover the same time and do not say which GPU they are from, or give the same index: treated as one GPU, whose time counts once; if they are from two GPUs or machines, make each a run (--run-per file)
  $ smilog summarize --partial --strict --run-per dir $out | smilog merge -q --strict - >/dev/null; echo $?
  1
  $ smilog summarize -q --strict $out >/dev/null; echo $?
  0

missing path is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --strict -q log.csv none.csv >/dev/null
  [1]

nothing odd is 0
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  0

other files of a directory are no doubt
  $ cat >out/log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >out/notes.txt <<'EOF'
  > milk
  > EOF
  $ smilog summarize --strict -q out >/dev/null

partial of rejected lines
# the same doubts as without --partial: a row of three cells counts, a last line that was cut off does not
  $ smilog summarize --partial --strict log.csv >"${TMPDIR:-/tmp}/partial_of_rejected_lines.$$"; echo $?
  1
  2> smilog: warning: 1 line not used: smilog merge names them
  $ smilog merge -q --strict "${TMPDIR:-/tmp}/partial_of_rejected_lines.$$" >/dev/null; echo $?
  1
  $ smilog summarize -q --strict log.csv >/dev/null; echo $?
  1
  $ rm "${TMPDIR:-/tmp}/partial_of_rejected_lines.$$"
  $ sed 3d log.csv | smilog summarize --partial --strict - >/dev/null; echo $?
  0

sentinels are no doubt
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > 2026/07/03 10:00:04.000, 0, [N/A], 100.00
  > EOF
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  0

too long is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ (cat log.csv; head -c 2000000 /dev/zero | tr '\0' x; echo; tail -n 1 log.csv) | smilog summarize --strict -q - >/dev/null
  [1]
  $ echo $?
  1

torn tail alone is 0
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  0

torn tail and bad width is 1
  $ smilog summarize log.csv >/dev/null 2>&1; echo $?
  0
  $ smilog summarize --strict -q log.csv >/dev/null; echo $?
  1

unusable path is 1
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >notes.txt <<'EOF'
  > milk
  > EOF
  $ smilog summarize --strict -q log.csv notes.txt >/dev/null
  [1]
