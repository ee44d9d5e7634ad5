a backslash is no escape
# What stands for a byte that cannot be shown is never what a name holds: there its backslash is \x5c.
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ for name in 'a\x1bb' $'a\033b' 'C:\logs' '\xzz' 'x\x5cx1b'; do
  >     mkdir -p "$d/$name"
  >     printf 'index, utilization.gpu [%%]\n0, 5\n' >"$d/$name/log.csv"
  > done
  $ smilog summarize -q --columns run --format csv "$d"
  run
  C:\logs
  \xzz
  a\x1bb
  a\x5cx1bb
  x\x5cx5cx1b
  $ smilog summarize -q "$d" | sed -n 's/ *-   .*//p'
  C:\logs
  \xzz
  a\x1bb
  a\x5cx1bb
  x\x5cx5cx1b
  total
  $ smilog summarize -q --columns run --format jsonl "$d"
  {"run": "C:\\logs"}
  {"run": "\\xzz"}
  {"run": "a\u001bb"}
  {"run": "a\\x1bb"}
  {"run": "x\\x5cx1b"}
# What was escaped when it was met stays so: a warning, and the same in the table of one run.
  $ mkdir "$d/torn" && printf 'index, utilization.gpu [%%]\n0, 5\n0, 5\n0, 5, a\033b, a\\x1bb\n' >"$d/torn/log.csv"
  $ smilog summarize -v "$d/torn" 2>&1 | grep -o '"0, 5, a.*b"'
  "0, 5, a\x1bb, a\x5cx1bb"
  "0, 5, a\x1bb, a\x5cx1bb"

no text gets through
# control characters, escapes, mark-up, formulas, broken UTF-8 and 100 kB of text in every field: all text outputs are
# well-formed and harmless. A ninth of the payloads; SMILOG_HOSTILE=1/1: all
  $ SMILOG=$(command -v smilog) python3 ../../../../tests/system/hostile_check.py "${SMILOG_HOSTILE:-1/9}" | sed '/payloads$/d; s/^[0-9]* passed, //'
  0 failed
