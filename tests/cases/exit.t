0 log that holds no row is said
  $ mkdir -p out
  $ cat >out/hw.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > EOF
  $ smilog summarize --format line out
  {"v":1,"ngpu":0,"state":"no-data"}
  2> smilog: hw.csv: warning: has a header but no data
  $ echo $?
  0
  $ smilog summarize -q --strict out >/dev/null
  [1]

0 some paths are not there
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --run-per file --json none.csv log.csv | python3 -SE ../../pick.py '/runs/*/run'
  /runs/*/run ["log.csv"]
  2> smilog: warning: cannot open none.csv: No such file or directory

0 where outputs go
# descriptors as they are; links stay; modes stay; what is not ours stays; what may not be written is refused
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cp ../../../fixtures/sweep/lr=0.1/seed=1/hw_metrics.csv "$t"; chmod 755 "$t"; cd "$t"
  $ go() { smilog summarize --run-per file -q hw_metrics.csv --columns run --format csv "$@"; }
  $ echo before >both; go -o /dev/stdout >>both; go -o /dev/fd/3 3>>both; go -o /proc/self/fd/4 4>>both; go -o /dev/stderr 2>>both; cat both
  before
  run
  hw_metrics.csv
  run
  hw_metrics.csv
  run
  hw_metrics.csv
  run
  hw_metrics.csv
  $ go -o /dev/fd/9 9>&-; echo $?
  4
  2> smilog: cannot write /dev/fd/9: Bad file descriptor
  $ mkdir sub; ln -s sub/new.csv dangling.csv; ln -s ../hop.csv sub/hop; ln -s end.csv hop.csv
  $ go -o dangling.csv; go -o sub/hop; find . -type l | sort; head sub/new.csv end.csv
  ./dangling.csv
  ./hop.csv
  ./sub/hop
  ==> sub/new.csv <==
  run
  hw_metrics.csv

  ==> end.csv <==
  run
  hw_metrics.csv
  $ : >mine.csv; chmod 600 mine.csv; : >all.csv; chmod 666 all.csv; umask 077; go -o mine.csv; go -o all.csv; go -o fresh.csv
  $ stat -c '%a %n' mine.csv all.csv fresh.csv
  600 mine.csv
  666 all.csv
  600 fresh.csv
  $ for f in .x.csv.tmp-notes .x.csv.tmp-12-old .x.csv.tmp- .x.csv.tmp-99999999 .x.csv.tmp-99999999-2; do : >$f; done
  $ go -o x.csv; ls -A | grep tmp-
  .x.csv.tmp-
  .x.csv.tmp-12-old
  .x.csv.tmp-notes

0 with exit zero
# For epilogs: a status of 0 and a line of --format line, whatever happens; without the option they have their own.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ ln -s "$PWD/../../../fixtures" "$d/fixtures"
  $ cd "$d" || exit
  $ summarize() { smilog summarize -q --format line "$@" 2>&1; echo "$?"; }
  $ summarize none
  smilog: no usable log in none: No such file or directory
  3
  $ summarize --exit-zero none
  smilog: no usable log in none: No such file or directory
  {"v":1,"ngpu":0,"state":"no-data"}
  0
  $ summarize --exit-zero --timeout 20 none -o line; cat line
  smilog: no usable log in none: No such file or directory
  0
  {"v":1,"ngpu":0,"state":"no-data"}
  $ summarize --exit-zero --timeout 20 fixtures/sweep/lr=0.1/seed=1
  {"v":1,"ngpu":2,"gpu_util":79.3,"gpu_mem_max":42291,"gpu_power":540.0,"gpu_h":1.99,"idle_h":0.15,"wh":537.2,"state":"ok"}
  0
  $ summarize --exit-zero --no-such-option none
  smilog: unknown option --no-such-option
  try: smilog help summarize
  0
  $ summarize --exit-zero --strict fixtures/sweep/lr=0.1/seed=4
  {"v":1,"ngpu":2,"gpu_util":77.3,"gpu_mem_max":42291,"gpu_power":531.2,"gpu_h":1.23,"idle_h":0.12,"wh":326.3,"state":"cut","note":"cut"}
  0
  $ exec 3< <(exec sleep 100) # nothing comes, and no end
  > summarize --timeout 0.2 - <&3
  > summarize --exit-zero --timeout 0.2 - <&3
  > smilog summarize -q --json --exit-zero --timeout 0.2 - 2>&1 <&3; echo "$?"
  > kill $!
  > smilog summarize -q --json fixtures/sweep | cmp - <(smilog summarize -q --json --timeout 60 fixtures/sweep) && echo whole
  > smilog summarize -q --timeout 60 none >/dev/null 2>&1; echo "$?"
  smilog: not done in 0.200 s (--timeout)
  3
  smilog: not done in 0.200 s (--timeout)
  {"v":1,"ngpu":0,"state":"no-data","note":"timeout"}
  0
  smilog: not done in 0.200 s (--timeout)
  0
  whole
  3

2 bad number
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ for v in x -1 1e3 nan 101; do smilog summarize --idle-below=$v log.csv 2>/dev/null; echo $?; done
  2
  2
  2
  2
  2

2 bad zone
  $ smilog summarize --tz Mars/Phobos log.csv
  2> smilog: --tz needs a zone such as Europe/Berlin, UTC or +02:00, not "Mars/Phobos"
  2> try: smilog help summarize
  [2]

2 empty or missing words
  $ smilog follow --exec '' || echo $?
  2
  2> smilog: follow needs a PATH, - or --exec COMMAND
  2> try: smilog help follow
  $ smilog summarize -q --run '' ../../../fixtures/sweep || echo $?
  2
  2> smilog: --run: the name of the run is empty
  2> try: smilog help summarize
  $ smilog summarize -q --columns-from not-there ../../../fixtures/sweep || echo $?
  2
  2> smilog: cannot open not-there: No such file or directory
  2> try: smilog help summarize

2 flag with value
  $ smilog summarize --strict=yes log.csv
  2> smilog: --strict takes no value
  2> try: smilog help summarize
  [2]

2 gpus that can be none
  $ for list in 0-1 0,x '' '0,' GPU; do
  >     smilog summarize --gpus "$list" ../../../fixtures/sweep 2>&1 | head -1
  >     echo "${PIPESTATUS[0]}"
  > done
  smilog: --gpus needs indices and uuids, as in 0,1,GPU-8f3a: not "0-1"
  2
  smilog: --gpus needs indices and uuids, as in 0,1,GPU-8f3a: not "x"
  2
  smilog: --gpus needs indices and uuids, as in 0,1,GPU-8f3a: not ""
  2
  smilog: --gpus needs indices and uuids, as in 0,1,GPU-8f3a: not ""
  2
  smilog: --gpus needs indices and uuids, as in 0,1,GPU-8f3a: not "GPU"
  2

2 option without value
  $ smilog summarize log.csv --tz
  2> smilog: --tz needs a value: ZONE
  2> try: smilog help summarize
  [2]

2 output is an input
# an input is not replaced by what is said of it, whatever its name, link or place
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ cp -r ../../../fixtures/sweep/lr=0.1/seed=1 "$t/run"; cd "$t"
  $ echo '{"depth": 3}' >run/config.json; mkdir run/.hydra; echo "- width=4" >run/.hydra/overrides.yaml; ln -s run/config.json link.json
  $ cp run/hw_metrics.csv x.csv; ln x.csv hard.csv; ln -s x.csv soft.csv
  $ smilog summarize -q --partial run -o a.part; smilog summarize -q --json run -o a.json; printf 'run,acc\nrun,1\n' >acc.csv
  $ echo '{}' >rules.json; tar cf run.tar run
  $ find . -type f ! -name sum | sort | xargs md5sum >sum
  $ try() { smilog "$@" 2>&1 | grep -v '^try'; }
  $ for o in x.csv hard.csv soft.csv "$PWD/x.csv"; do try summarize -q x.csv -o "$o" | sed "s|$PWD/||"; done
  smilog: -o x.csv: is an input of this command
  smilog: -o hard.csv: is an input of this command
  smilog: -o soft.csv: is an input of this command
  smilog: -o x.csv: is an input of this command
  $ try summarize -q . -o run/hw_metrics.csv --columns run
  smilog: -o run/hw_metrics.csv: is an input of this command
  $ try summarize -q --format jsonl run -o run/run.jsonl
  smilog: -o run/run.jsonl: is an input of this command
  $ try summarize -q --partial run -o run/hw_metrics.csv
  smilog: -o run/hw_metrics.csv: is an input of this command
  $ try summarize -q --format md - -o x.csv <x.csv
  smilog: -o x.csv: is an input of this command
  $ try report run -o run/run.jsonl --format md
  smilog: -o run/run.jsonl: is an input of this command
  $ try report run.tar -o run.tar --format html
  smilog: -o run.tar: is an input of this command
  $ try summarize -q --join acc.csv:run run -o acc.csv
  smilog: -o acc.csv: is an input of this command
  $ try summarize -q --rules rules.json run -o rules.json
  smilog: -o rules.json: is an input of this command
  $ try merge a.part --format json -o a.part
  smilog: -o a.part: is an input of this command
  $ try diff a.json run -o a.json
  smilog: -o a.json: is an input of this command
  $ try check --baseline a.json run -o a.json
  smilog: -o a.json: is an input of this command
  $ for o in run/config.json run/.hydra/overrides.yaml link.json; do try summarize -q . --format csv -o "$o"; done
  smilog: -o run/config.json: is an input of this command
  smilog: -o run/.hydra/overrides.yaml: is an input of this command
  smilog: -o link.json: is an input of this command
  $ try report -q run -o run/config.json --format html
  smilog: -o run/config.json: is an input of this command
  $ smilog diff -q --format json a.json run -o run/run.jsonl 2>&1; echo $?
  smilog: -o run/run.jsonl: is an input of this command
  2
  $ for c in 'summarize run' 'report run' 'merge a.part' 'diff a.json run' 'check --max-temp 9 run'; do try $c -o ''; done
  smilog: -o: the name of the file is empty: a variable that is not set?
  smilog: -o: the name of the file is empty: a variable that is not set?
  smilog: -o: the name of the file is empty: a variable that is not set?
  smilog: -o: the name of the file is empty: a variable that is not set?
  smilog: -o: the name of the file is empty: a variable that is not set?
  $ find . -type f ! -name sum | sort | xargs md5sum | diff sum -

2 unknown input format
  $ smilog summarize --input-format dmonn log.csv
  2> smilog: --input-format: there is no "dmonn"; did you mean dmon?
  2> try: smilog help summarize
  [2]

2 unknown option
  $ smilog summarize --stritc log.csv
  2> smilog: unknown option --stritc; did you mean --strict?
  2> try: smilog help summarize
  [2]

2 unknown output format
  $ smilog summarize --format jsno log.csv
  2> smilog: --format: there is no "jsno"; did you mean json?
  2> try: smilog help summarize
  [2]

2 words that help
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ cat >log.json <<'EOF'
  > {"schema": "smilog/1"}
  > EOF
  $ smilog summarize --input-format query log.csv
  2> smilog: --input-format: there is no "query"; did you mean nvidia-smi-query?
  2> try: smilog help summarize
  [2]
  $ smilog summarize -o x.pdf log.csv
  2> smilog: the ending of x.pdf names no format (.txt .json .jsonl .csv .md .xlsx .ledger do): add --format NAME
  2> try: smilog help summarize
  [2]
  $ smilog summarize --gpus all,0 log.csv
  2> smilog: --gpus: all and auto stand alone
  2> try: smilog help summarize
  [2]
  $ smilog summarize log.csv ""
  2> smilog: a PATH is empty: a variable that is not set?
  2> try: smilog help summarize
  [2]
  $ smilog merge log.json
  2> smilog: log.json: no partial summary: merge reads what summarize --partial has written
  [3]

2 workbook without a file
  $ smilog summarize -q --format xlsx ../../../fixtures/sweep || echo $?
  2
  2> smilog: xlsx cannot be written to a stream: -o FILE
  2> try: smilog help summarize
  $ smilog summarize -q --format xlsx --columns run ../../../fixtures/sweep || echo $?
  2
  2> smilog: xlsx cannot be written to a stream: -o FILE
  2> try: smilog help summarize
  $ smilog summarize -q --format xlsx -o - ../../../fixtures/sweep
  2> smilog: xlsx cannot be written to a stream: -o FILE
  2> try: smilog help summarize
  [2]

2 zone out of range
  $ smilog summarize --tz=+25:00 log.csv
  2> smilog: --tz needs an offset of at most 18 h such as +02:00, not "+25:00"
  2> try: smilog help summarize
  [2]

3 a path that is not there is told quietly
# With -q the reason is told, too: the path is not there.
  $ cd "$(mktemp -d)" && mkdir empty && touch empty/nothing
  $ for words in "summarize nope" "summarize empty nope" "summarize empty" "summarize --format jsonl nope" "report -o x.html nope" \
  >              "check --max-idle-pct 5 nope" "diff nope empty"; do
  >     smilog ${words%% *} -q ${words#* }; echo "$?"
  > done 2>&1
  smilog: no usable log in nope: No such file or directory
  3
  smilog: no usable log in empty and the other paths: nope: No such file or directory
  3
  smilog: no usable log in empty
  3
  smilog: no usable log in nope: No such file or directory
  3
  smilog: no usable log in nope: No such file or directory
  3
  smilog: nothing to check: no usable log in nope: No such file or directory
  3
  smilog: no usable log in nope: No such file or directory
  3

3 default path is here
  $ cd "$(mktemp -d)"
  $ smilog summarize; rc=$?
  2> smilog: .: warning: holds no log (files looked at: 0)
  2> smilog: no usable log in .
  $ rmdir "$PWD"
  $ exit $rc
  [3]

3 no known log
  $ cat >notes.txt <<'EOF'
  > shopping list
  > milk
  > EOF
  $ smilog summarize --json notes.txt
  2> smilog: notes.txt: warning: cannot be used: no known log format: begins with "shopping list"
  2> smilog: no usable log in notes.txt
  [3]

3 no row of the format named
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize --input-format dmon log.csv
  2> smilog: log.csv:1: warning: no row, no header, no known message: "timestamp, index, utilization.gpu [%], power.draw [W]"
  2> smilog: log.csv:2: warning: rows without a dmon header above them: their columns are not known
  2> smilog: no line of the format dmon (--input-format) in log.csv
  [3]
  $ echo $?
  3
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog summarize -q --partial --input-format dmon log.csv -o "$t/x.partial"
  2> smilog: no line of the format dmon (--input-format) in log.csv
  [3]
  $ rc=$?
  $ ls "$t"
  $ exit $rc
  [3]

3 partial on a pipe prints nothing
# a log of which no line is of the format named: no document on the pipe either; beside a usable run each has its own
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/a" "$d/b" "$d/c"
  $ cp log.csv "$d/a"
  $ cp ../../../fixtures/dmon_535.log "$d/b/log.csv"
  $ cp log.csv "$d/c"
  $ cd "$d"
  $ smilog summarize --run-per file -q --partial --input-format dmon ?/log.csv | python3 -SE -c 'import json, sys
  > for line in sys.stdin:
  >     print(json.loads(line).get("documents", "run"))'
  run
  run
  run
  3
  $ smilog summarize --run-per file -q --partial --input-format dmon ?/log.csv | smilog merge -q --json - | python3 -SE -c 'import json, sys
  > for run in json.load(sys.stdin)["runs"]:
  >     print(run["run"])'
  a/log.csv
  b/log.csv
  c/log.csv
  $ smilog summarize --run-per file -q --partial --input-format dmon a/log.csv c/log.csv
  2> smilog: no line of the format dmon (--input-format) in a/log.csv and the other paths
  [3]

3 path is not there
  $ smilog summarize --json none.csv 2>&1 | grep -o 'No such file or directory'
  > exit ${PIPESTATUS[0]}
  No such file or directory
  [3]

4 help and list too
  $ for c in help list\ metrics list\ formats --version; do smilog $c 2>/dev/null >/dev/full; echo $?; done
  4
  4
  4
  4

4 no output is half a file
# three drawn outputs (make nightly: all): kill -9 while it is written; no room to grow, a full device, a directory that is not there; calls that fail
  $ SMILOG=$(command -v smilog) python3 ../../../../tests/system/outputs_check.py 3 | sed 's/^[0-9]* passed, //'
  0 failed

4 output closed
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv >&-
  2> smilog: cannot write standard output: Bad file descriptor
  [4]

4 output directory missing
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q log.csv -o none/out.json
  2> smilog: cannot create none/out.json: No such file or directory
  [4]

4 output file full
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv -o /dev/full
  2> smilog: cannot write /dev/full: No space left on device
  [4]

4 output full
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --json log.csv >/dev/full
  2> smilog: cannot write standard output: No space left on device
  [4]

4 output is a directory
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir "$t/out.json"
  $ cd "$t"
  $ smilog summarize -q "$OLDPWD/log.csv" -o out.json
  2> smilog: out.json: is a directory
  [4]
  $ rc=$?
  $ ls -A "$t"
  out.json
  $ exit $rc
  [4]

4 output that may not be written
# a file without the right to write is not replaced, as > would not
  $ [ "$(id -u)" != 0 ] || run="setpriv --reuid 65534 --clear-groups"
  $ t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
  $ s=$(command -v smilog); $run test -x "$s" && [ -z "$run" -o -n "$(command -v setpriv)" ] || exit 77
  $ cp ../../../fixtures/sweep/lr=0.1/seed=1/hw_metrics.csv "$t"; cd "$t"
  $ echo kept >x.csv; chmod 444 x.csv hw_metrics.csv; [ -z "$run" ] || chown -R 65534 "$t"
  $ $run "$s" summarize -q hw_metrics.csv --columns run -o x.csv; echo $?
  4
  2> smilog: cannot write x.csv: Permission denied
  $ cat x.csv
  kept

4 partial output full
  $ cat >log.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W]
  > 2026/07/03 10:00:00.000, 0, 50, 100.00
  > 2026/07/03 10:00:02.000, 0, 50, 100.00
  > EOF
  $ smilog summarize -q --partial log.csv 2>&1 >/dev/full | grep -o 'No space left on device'
  > exit ${PIPESTATUS[0]}
  No space left on device
  [4]

a wrong path beside a good one
# The good one is summarised, the wrong one named, and the status is not 0.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ mkdir a b; echo 'timestamp, index, utilization.gpu [%]' >a/hw.csv
  $ for i in 10 11 12; do echo "2026/03/01 10:00:$i.000, 0, 50 %" >>a/hw.csv; done
  $ smilog summarize --format csv --columns run,gpu_util_mean_pct a nowhere; echo "status $?"
  run,gpu_util_mean_pct
  a,50.0
  status 3
  2> smilog: warning: cannot open nowhere: No such file or directory
  $ smilog check --min-gpu-util 10 a nowhere; echo "status $?"
  ok    1 limit holds in 1 run
  status 3
  2> smilog: warning: cannot open nowhere: No such file or directory
  $ cat a/hw.csv | smilog summarize --format csv --columns run,gpu_util_mean_pct; echo "status $?"
  run,gpu_util_mean_pct
  a,50.0
  status 0
  2> smilog: standard input is not read, but the logs below this directory: smilog summarize - reads it

head ends it quietly
  $ smilog list metrics | head -n 1 | cut -c 1-6
  METRIC

reader gone is quiet
  $ (sleep 0.3; smilog list metrics) | true
