a path is no command
  $ smilog ../../../fixtures/sweep
  2> smilog: ../../../fixtures/sweep is a path, not a command: smilog summarize reads the logs there
  2> try: smilog help
  [2]

complete offers words
  $ offer() {
  >     printf '%s\n' "= $*"
  >     smilog complete -- "$@" | tr '\t' '|'
  > }
  $ offer li
  = li
  words 0
  live|Watch and record the GPUs and CPUs of this machine
  list|List metrics, formats, outputs, columns, rules, settings
  $ offer nothing --
  = nothing --
  $ offer summarize --max
  = summarize --max
  words 0
  $ offer check --max-v
  = check --max-v
  words 0
  --max-vram-mb|Peak memory: the framework's own, else the device's
  $ offer summarize --format=js
  = summarize --format=js
  words 9
  --format=json|Everything, one document
  --format=jsonl|Everything, one run a line
  $ offer summarize --format json -o ''
  = summarize --format json -o\x20 (esc)
  files 0
  $ offer summarize -ofi
  = summarize -ofi
  files 2
  $ offer summarize --columns run,idle
  = summarize --columns run,idle
  parts 4
  run,idle_pct|
  $ offer summarize --sort -idle
  = summarize --sort -idle
  parts 1
  -idle_pct|
  $ offer summarize --samples a
  = summarize --samples a
  files 0
  $ offer summarize -- --fo
  = summarize -- --fo
  files 0
  $ offer export --to pa ''
  = export --to pa\x20 (esc)
  files 0
  $ offer export --to csv
  = export --to csv
  parts 0
  csv:|
  $ offer export --to csv:ru
  = export --to csv:ru
  files 4
  $ offer live -o ''
  = live -o\x20 (esc)
  directories 0
  $ offer list m
  = list m
  words 0
  metrics|
  $ offer run -
  = run -
  words 0
  --interval|Seconds between samples (default 1)
  --pid|Track a process that is already running, until it ends
  --gpus|Use these GPUs: indices, UUIDs or all (default: those of CUDA_VISIBLE_DEVICES)
  --gpu-brand|Brand of the GPUs to measure
  --pmon|Also record how much each process uses its GPU (nvidia-smi pmon)
  --n-expected-cores|Cores the command is expected to use, as 100 % (default: all)
  --config|Settings as JSON with gpu_tracker's keys; options on the command line win
  --output|Record into DIR, a directory of its own, for summarize and report
  --max-size|Rotate a log at this size; NAME.1 is the newest part, as with logrotate
  --max-files|Keep N parts of a log, and delete the oldest
  --quiet|Print no summary on standard error
  --format|Write gpu_tracker's formats at the end, to standard output or --usage
  --usage|Write gpu_tracker's figures to FILE (- is standard output), as JSON unless --format is text
  --tracking-file|Write gpu_tracker's samples to FILE, .csv or .sqlite
  --overwrite|Replace the tracking file if it exists
  --ram-unit|Unit of gpu_tracker's memory figures (default gigabytes)
  --gpu-ram-unit|The same for GPU memory
  --time-unit|Unit of gpu_tracker's times (default hours)
  --help|Show this help
  $ offer run --gpus 0 -- python train
  = run --gpus 0 -- python train
  program 4
  $ offer run --interval 2 python -
  = run --interval 2 python -
  program 3
  $ smilog complete

completions in bash
  $ . <(smilog help --complete bash)
  $ offer() { # words, the last of them is completed
  >     COMP_WORDS=(smilog "$@") COMP_CWORD=$#
  >     _smilog
  >     echo "$* -> ${COMPREPLY[*]}"
  > }
  $ offer che
  che -> check
  $ offer check --max-v
  check --max-v -> --max-vram-mb
  $ offer summarize --format ''
  summarize --format  -> table json jsonl csv md xlsx line ledger
  $ offer summarize --columns run,idl
  summarize --columns run,idl -> run,idle_pct
  $ offer summarize --sort = -idl
  summarize --sort = -idl -> -idle_pct
  $ offer report --format ''
  report --format  -> md html svg xlsx
  $ offer export --to s
  export --to s -> sqlite:
  $ cd ../../../fixtures
  $ offer summarize sweep/lr = 0.1/seed = 1
  summarize sweep/lr = 0.1/seed = 1 -> 1

completions name every option
# smilog complete offers each long option of each command, and each shell asks it.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ n=0
  $ for command in $(smilog help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
  >     smilog help $command | grep -E '^  (-.,|   ) --' | grep -oE -e '--[a-z0-9-]+' | sort -u >"$d/options"
  >     smilog complete -- $command -- | cut -f 1 | sort -u | comm -23 "$d/options" - | sed "s/^/$command lacks /"
  >     n=$((n + $(wc -l <"$d/options")))
  > done
  $ [ $n -gt 150 ] && echo done
  done
  $ for shell in bash zsh fish; do
  >     smilog help --complete $shell | grep -c 'smilog complete --'
  > done
  1
  1
  1
  $ smilog help --complete csh
  2> smilog: --complete is one of bash|zsh|fish, not "csh"
  2> try: smilog help help
  [2]

leads with examples
  $ smilog summarize --help | grep -nE '^(usage|  smilog summarize)' | cut -d : -f 2 | cut -c 1-18 | uniq
    smilog summarize
  usage

lines fit 80 columns
  $ for c in summarize report merge diff check live follow run export log list help; do smilog help $c | awk 'length > 80 {print} END {print (NR > 5)}'; done
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1
  1

names every option of the contract
  $ for o in format json strict color tz gpus gpu-count input-format input-columns; do smilog help summarize | grep -q -e "--$o" || echo "--$o"; done

no command
  $ smilog 2>&1 >/dev/null | grep -c ^usage:
  1
  $ smilog 2>/dev/null
  [2]

of the formats is a list
  $ smilog help formats
  2> smilog: there is no command formats; did you mean list formats?
  2> try: smilog help
  [2]

no guess for a far word
  $ smilog frobnicate
  2> smilog: there is no command frobnicate
  2> try: smilog help
  [2]

of a command is its help option
  $ diff <(smilog help merge) <(smilog merge --help) && diff <(smilog help summarize) <(smilog summarize -h) && diff <(smilog help) <(smilog --help)

removed commands and options
# Each command and option that an earlier version had names what to use instead, and ends with the status of an error of usage.
  $ try() {
  >     echo "\$ smilog $*"
  >     smilog "$@"
  >     echo "status $?"
  > }
  $ {
  >     try subtrack analyze
  >     try help subtrack
  >     try summarize --cache c.db out
  >     try check --cache=c.db out
  > } 2>&1
  \x24 smilog subtrack analyze (esc)
  smilog: subtrack was removed: use gpu-tracker sub-track of the package gpu_tracker
  try: smilog help
  status 2
  \x24 smilog help subtrack (esc)
  smilog: subtrack was removed: use gpu-tracker sub-track of the package gpu_tracker
  try: smilog help
  status 2
  \x24 smilog summarize --cache c.db out (esc)
  smilog: --cache was removed: keep a partial summary of each part of the sweep (summarize --partial), and merge them
  try: smilog help summarize
  status 2
  \x24 smilog check --cache=c.db out (esc)
  smilog: --cache was removed: keep a partial summary of each part of the sweep (summarize --partial), and merge them
  try: smilog help check
  status 2

version
  $ smilog --version | grep -cE '^smilog [0-9]+\.[0-9]+(\.[0-9]+)?( \(static\))?$'
  1

wrong command word
  $ smilog sumarize
  2> smilog: there is no command sumarize; did you mean summarize?
  2> try: smilog help
  [2]
