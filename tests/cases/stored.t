as the logs themselves
# A file, a packed file, a directory of files, a stream: every output says of them what it says of the logs.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp -r ../../../fixtures/sweep "$t/logs"
  $ cd "$t" || exit
  $ mkdir -p parts/deep
  $ smilog summarize -q --partial logs >all
  $ for lr in logs/*; do
  >     mkdir -p "split/${lr##*/}" && cp -r "$lr" "split/${lr##*/}/"
  >     smilog summarize -q --partial "split/${lr##*/}" -o "parts/deep/${lr##*/}"
  > done
  $ mv parts/deep/lr=0.1 parts/
  $ gzip -kn all
  $ same() { # NAME OPTION...: of the logs and of what is stored
  >     local name=$1
  >     shift
  >     "$@" logs >"$name"
  >     for stored in all all.gz parts; do
  >         "$@" $stored >stored
  >         cmp "$name" stored && echo "$name: $stored"
  >     done
  > }
  $ same json smilog summarize -q --json
  json: all
  json: all.gz
  json: parts
  $ same lines smilog summarize -q --format jsonl
  lines: all
  lines: all.gz
  lines: parts
  $ same chosen smilog summarize -q --json --where 'idle_pct > 10' --sort -idle_pct
  chosen: all
  chosen: all.gz
  chosen: parts
  $ same columns smilog summarize -q --format csv --columns run,param.lr,gpu_hours,cost --price-gpu-hour 2
  columns: all
  columns: all.gz
  columns: parts
  $ same groups smilog summarize -q --group-by param.lr --format csv
  groups: all
  groups: all.gz
  groups: parts
  $ same sql smilog summarize -q --sql 'select run, gpu, samples from gpus order by run, gpu' --format csv
  sql: all
  sql: all.gz
  sql: parts
  $ same findings smilog summarize -q --sql 'select * from findings' --format csv
  findings: all
  findings: all.gz
  findings: parts
  $ body() { smilog summarize -q --format md "$1" | tail -n +5; } # below the PATH
  $ same markdown body
  markdown: all
  markdown: all.gz
  markdown: parts
  $ same line smilog summarize -q --format line
  line: all
  line: all.gz
  line: parts
  $ same gate smilog check -q --max-idle-pct 10
  gate: all
  gate: all.gz
  gate: parts
  $ smilog summarize -q --json - <all | cmp - json && echo stream
  stream
  $ gzip -c <all | smilog summarize -q --json - | cmp - json && echo pipe
  pipe
  $ for stored in all parts; do
  >     smilog diff -q logs $stored | tail -n 1
  >     smilog check -q --baseline $stored --allow-missing logs
  > done
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same
  12 pairs, 31 columns: 0 real changes, 0 inside the noise, 31 the same

broken ones are refused
# All or nothing, as in every merge: a sum with a part missing would look like a result.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/log.csv"
  $ cd "$t" || exit
  $ mkdir parts
  $ smilog summarize -q --partial log.csv -o parts/1.partial
  $ head -c 400 parts/1.partial >parts/2.partial
  $ for command in "summarize" "summarize --format jsonl" "check --max-temp 80" "report -o page.md" "diff log.csv"; do
  >     smilog $command parts 2>&1 | grep -o '^smilog: parts/2.partial: ' ; echo "${PIPESTATUS[0]}"
  > done
  smilog: parts/2.partial:\x20 (esc)
  3
  smilog: parts/2.partial:\x20 (esc)
  3
  smilog: parts/2.partial:\x20 (esc)
  3
  smilog: parts/2.partial:\x20 (esc)
  3
  smilog: parts/2.partial:\x20 (esc)
  3
  $ rm parts/2.partial
  $ smilog summarize -q --partial --idle-below 5 log.csv -o parts/2.partial
  $ smilog summarize parts; echo $?
  3
  2> smilog: parts/2.partial: document 1: made by other rules (--idle-below) than the partial summaries before it

logs win where both lie
# Partial summaries in a directory of logs are what smilog wrote of them: nothing is counted twice.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/"
  $ cd "$t" || exit
  $ smilog summarize -q --partial query_units.csv -o query.partial
  $ smilog summarize -v --format csv --columns gpu_hours . 2>&1
  smilog: query.partial: no log, skipped
  gpu_hours
  0.006136

mixed with logs is refused
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/log.csv"
  $ cd "$t" || exit
  $ mkdir parts
  $ smilog summarize -q --partial log.csv -o parts/1.partial
  $ smilog summarize parts/1.partial log.csv; echo $?
  2
  2> smilog: parts/1.partial is a partial summary, and log.csv is not: give them apart, or make partial summaries of the logs too (smilog summarize --partial)
  $ smilog summarize --format jsonl log.csv parts; echo $?
  2
  2> smilog: parts/1.partial is a partial summary, and log.csv is not: give them apart, or make partial summaries of the logs too (smilog summarize --partial)
  $ smilog check --max-temp 80 log.csv parts; echo $?
  2
  2> smilog: parts/1.partial is a partial summary, and log.csv is not: give them apart, or make partial summaries of the logs too (smilog summarize --partial)
  $ smilog report log.csv parts -o page.html; echo $?
  2
  2> smilog: parts/1.partial is a partial summary, and log.csv is not: give them apart, or make partial summaries of the logs too (smilog summarize --partial)
  $ smilog summarize parts none.csv; echo $?
  3
  2> smilog: cannot open none.csv: No such file or directory
  $ ls
  log.csv
  parts

options of logs are refused
# How logs are understood was decided when the partial summaries were made; a page has no curves of them.
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/query_units.csv "$t/log.csv"
  $ cd "$t" || exit
  $ smilog summarize --run-per file -q --tz UTC --partial log.csv -o 1.partial
  $ smilog summarize --tz +02:00 --host a 1.partial; echo $?
  2
  2> smilog: 1.partial holds partial summaries; give these options when you make them: --tz +02:00 --host a
  $ smilog summarize -q --columns run,gpu_hours --format csv 1.partial
  run,gpu_hours
  log.csv,0.006136
  $ smilog diff -q --run-per file --tz UTC log.csv 1.partial | tail -n 1
  1 pair, 27 columns: 27 the same
  $ smilog report 1.partial -o page.html; echo $?
  0
  2> smilog: warning: partial summaries hold no single readings: no curves over time, and no samples
  2> smilog: wrote page.html: 1 run
  $ grep -c 'no curves: the partial summaries' page.html
  0
  [1]
  $ smilog report -q 1.partial -o 1.partial --format md; echo $?
  2
  2> smilog: -o 1.partial: is an input of this command
  2> try: smilog help report
  $ rm log.csv
  $ smilog report -q . -o 1.partial --format md; echo $?
  2
  2> smilog: -o 1.partial: is an input of this command
