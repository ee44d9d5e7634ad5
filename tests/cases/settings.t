options win
  $ cd ../../../fixtures && export SMILOG_CONFIG=../cases/settings/what_is_set_and_where/site.json
  $ smilog summarize -q --columns run,energy_wh sweep | head -n 2
  run              energy_wh
  lr=0.03/seed=1  531.934348
  $ smilog summarize -q --price-gpu-hour 1 --price-kwh 0 --columns run,gpu_hours,cost sweep | head -n 2
  run             gpu_hours      cost
  lr=0.03/seed=1   1.945431  1.945431
  $ smilog summarize -q --json --idle-below 2 sweep | grep -o '"idle_below_pct": [0-9.]*' | uniq -c
       12 "idle_below_pct": 2.0
  $ smilog summarize -q --json sweep | grep -o '"idle_below_pct": [0-9.]*' | uniq -c
       12 "idle_below_pct": 5.0

what does not fit is left out
# columns are for the table of runs; a partial summary has no prices and no rules; a site's prices name models that a sweep lacks
  $ cd ../../../fixtures && export SMILOG_CONFIG=../cases/settings/what_is_set_and_where/site.json
  $ smilog summarize -q --json sweep | head -c 60; echo
  {"schema": "smilog/1", "generator": "smilog VERSION", "runs":\x20 (esc)
  $ smilog summarize -q --format line sweep | wc -l
  12
  $ smilog summarize -q --partial sweep | wc -l
  13
  $ smilog summarize -q --group-by lr --format csv sweep | head -n 1 | cut -c 1-40
  lr,n,gpu_util_time_mean_pct_mean,gpu_uti
  $ smilog summarize -q --format csv sweep | head -n 1 | cut -c 1-40
  run,state,state_reason,exit_code,hostnam
  $ smilog diff -q sweep sweep | head -n 1
  A: sweep, 12 runs
  $ smilog check -q --max-idle-pct 90 sweep; echo $?
              LIMIT       RUN
  not judged  no reading  lr=0.3/seed=4: no GPU log
  11 of 12 runs meet all limits, 1 run could not be judged
  5
  $ smilog report -q -o - --format md sweep | head -n 1
  ### GPU use of `sweep`
  $ smilog summarize 'sweep/lr=0.1/seed=1' >/dev/null

what is set and where
  $ export SMILOG_CONFIG=site.json
  $ smilog list settings
  settings file: site.json ($SMILOG_CONFIG)

  SETTING         VALUE                  FROM
  price-gpu-hour  H100=2.49,A100=1.19    site.json
  price-kwh       0.31                   site.json
  currency        -                      default
  gco2-kwh        -                      default
  rules           rules.json             site.json
  columns         run,idle_pct,cost      site.json
  tz              Europe/Berlin          site.json
  idle-below      5                      site.json
  threads         -                      default
  color           never                  site.json
  $ smilog summarize -q ../../../fixtures/sweep | head -n 3
  run              idle_pct      cost
  lr=0.03/seed=1   6.000185         -
  lr=0.03/seed=2   6.01735   4.994809
  $ SMILOG_CONFIG= NO_COLOR=1 smilog list settings
  settings file: none ($SMILOG_CONFIG)

  SETTING         VALUE                  FROM
  price-gpu-hour  -                      default
  price-kwh       -                      default
  currency        -                      default
  gco2-kwh        -                      default
  rules           -                      default
  columns         -                      default
  tz              -                      default
  idle-below      1                      default
  threads         -                      default
  color           never                  $NO_COLOR

what is wrong
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ while read -r text; do
  >     printf '{"color": "never",\n%s}' "$text" >"$d/smilog.json"
  >     SMILOG_CONFIG=$d/smilog.json smilog summarize ../../../fixtures/query_units.csv 2>&1 >/dev/null | sed "s|$d|D|"
  >     echo "${PIPESTATUS[0]}"
  > done <<'END'
  > "tzz": "UTC"
  > "sort": "run"
  > "tz": true
  > "idle-below": "x"
  > "tz": "Marz"
  > "color": "pink"
  > "price-kwh": "abc"
  > "columns": ["run", 3]
  > "columns": []
  > "columns": "nope"
  > "currency": ""
  > "rules": 5
  > "color": ["never"]
  > "idle-below": 101
  > "threads": 0
  > END
  smilog: D/smilog.json: there is no setting "tzz"; did you mean tz?
  try: smilog help summarize
  2
  smilog: D/smilog.json: there is no setting "sort"; see smilog list settings
  try: smilog help summarize
  2
  smilog: D/smilog.json: "tz" has to be a text, a number or a list of texts
  try: smilog help summarize
  2
  smilog: D/smilog.json: "idle-below" has to be a number
  try: smilog help summarize
  2
  smilog: D/smilog.json: "tz" needs a zone such as Europe/Berlin, UTC or +02:00, not "Marz"
  try: smilog help summarize
  2
  smilog: D/smilog.json: "color" is one of auto|always|never, not "pink"
  try: smilog help summarize
  2
  smilog: D/smilog.json: "price-kwh" needs a number from 0 to 1000000, not "abc"
  try: smilog help summarize
  2
  smilog: D/smilog.json: "columns" has to be a text, a number or a list of texts
  try: smilog help summarize
  2
  smilog: D/smilog.json: "columns" has to be a text, a number or a list of texts
  try: smilog help summarize
  2
  smilog: D/smilog.json: "columns": there is no column "nope"; see smilog list columns
  2
  smilog: D/smilog.json: "currency" has to be a text, a number or a list of texts, and not empty
  try: smilog help summarize
  2
  smilog: D/smilog.json: "rules" has to be a text
  try: smilog help summarize
  2
  smilog: D/smilog.json: "color" has to be a text
  try: smilog help summarize
  2
  smilog: D/smilog.json: "idle-below" is a percentage: 0 to 100
  try: smilog help summarize
  2
  smilog: D/smilog.json: "threads" needs a whole number from 1 on, not "0"
  try: smilog help summarize
  2
  $ printf '[1]' >"$d/smilog.json"
  $ SMILOG_CONFIG=$d/smilog.json smilog list settings 2>&1 | sed "s|$d|D|"
  smilog: settings D/smilog.json: is no JSON object
  try: smilog help list
  $ SMILOG_CONFIG=$d/none smilog list settings 2>&1 | sed "s|$d|D|"
  smilog: settings: cannot open D/none: No such file or directory
  try: smilog help list
  $ SMILOG_CONFIG=$d/none smilog summarize --help | head -n 1
  Summarizes runs: what each run used, how much of it was wasted and why, and
  $ SMILOG_CONFIG=$d/none smilog list outputs | head -n 1
  table    .txt     What people read: runs, sums, and where the GPU-hours went

where the file is
# $SMILOG_CONFIG, else $XDG_CONFIG_HOME/smilog.json, else ~/.config/smilog.json, if that is there
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ mkdir "$d/.config" "$d/xdg"
  $ look() { "$@" smilog list settings | sed -n "s|$d|D|; 1p"; }
  $ look env -u SMILOG_CONFIG -u XDG_CONFIG_HOME HOME="$d"
  settings file: none
  $ echo '{}' >"$d/.config/smilog.json"
  $ look env -u SMILOG_CONFIG -u XDG_CONFIG_HOME HOME="$d"
  settings file: D/.config/smilog.json
  $ look env -u SMILOG_CONFIG XDG_CONFIG_HOME="$d/xdg" HOME="$d"
  settings file: none
  $ cp "$d/.config/smilog.json" "$d/xdg"
  $ look env -u SMILOG_CONFIG XDG_CONFIG_HOME="$d/xdg" HOME="$d"
  settings file: D/xdg/smilog.json
  $ look env SMILOG_CONFIG="$d/xdg/smilog.json" HOME="$d"
  settings file: D/xdg/smilog.json ($SMILOG_CONFIG)
  $ look env SMILOG_CONFIG= HOME="$d"
  settings file: none ($SMILOG_CONFIG)
