a path is no command
  $ smilog ../../../fixtures/sweep
  2> smilog: ../../../fixtures/sweep is a path, not a command: smilog summarize reads the logs there
  2> try: smilog help
  [2]

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
# Each long option of each command is in the completions of each shell.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ for command in $(smilog help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
  >     smilog help $command | grep -E '^  (-.,|   ) --' | grep -oE -e '--[a-z0-9-]+' | sort -u
  > done | sort -u >"$d/options"
  $ for shell in bash zsh fish; do
  >     smilog help --complete $shell | grep -oE -e '(--| -l )[a-z0-9-]+' | sed 's/^ -l /--/' | sort -u |
  >         comm -23 "$d/options" - | sed "s/^/$shell lacks /"
  > done
  $ [ $(wc -l <"$d/options") -gt 90 ] && echo done
  done
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
