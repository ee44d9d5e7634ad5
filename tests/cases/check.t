a percent sign is taken
  $ smilog check -q --max-idle-pct 10% ../../../fixtures/sweep/lr=0.1/seed=3
        LIMIT           VALUE  RUN
  FAIL  idle_pct <= 10   14.7  seed=3
  1 limit broken by 1 of 1 run
  [1]
  $ smilog check -q --max-wasted-h 10% ../../../fixtures/sweep/lr=0.1/seed=3
  2> smilog: --max-wasted-h needs a number that is not negative, not "10%"
  2> try: smilog help check
  [2]

a value is told from its limit
  $ smilog check -q --max-idle-pct 6 ../../../fixtures/sweep/lr=0.03
        LIMIT             VALUE  RUN
  FAIL  idle_pct <= 6  6.2       seed=3
  FAIL  idle_pct <= 6  6.01735   seed=2
  FAIL  idle_pct <= 6  6.000185  seed=1
  1 limit broken by 3 of 4 runs
  [1]

allow missing skips and says so
  $ smilog check -q --max-idle-pct 60 --allow-missing ../../../fixtures/sweep
  $ smilog check --max-idle-pct 60 --allow-missing ../../../fixtures/sweep/lr=0.3
  ok    1 limit holds in 3 of 4 runs, 1 run skipped because a value is missing
  $ smilog check -v --max-idle-pct 60 --allow-missing ../../../fixtures/sweep/lr=0.3 2>/dev/null
        LIMIT       RUN
  skip  no reading  seed=4: no GPU log
  ok    1 limit holds in 3 of 4 runs, 1 run skipped because a value is missing

at most ten each
  $ smilog check -q --max-energy-wh 1 ../../../fixtures/sweep
              LIMIT           VALUE  RUN
  FAIL        energy_wh <= 1  539.2  lr=0.3/seed=1
  FAIL        energy_wh <= 1  537.4  lr=0.1/seed=2
  FAIL        energy_wh <= 1  537.2  lr=0.1/seed=1
  FAIL        energy_wh <= 1  535.1  lr=0.03/seed=3
  FAIL        energy_wh <= 1  533.8  lr=0.03/seed=4
  FAIL        energy_wh <= 1  531.9  lr=0.03/seed=1
  FAIL        energy_wh <= 1  530.8  lr=0.03/seed=2
  FAIL        energy_wh <= 1  513.8  lr=0.1/seed=3
  FAIL        energy_wh <= 1  366.3  lr=0.3/seed=2
  FAIL        energy_wh <= 1  341.8  lr=0.3/seed=3
  FAIL        energy_wh <= 1      -  and 1 more (--all)
  not judged  no reading          -  lr=0.3/seed=4: no GPU log
  1 limit broken by 11 of 12 runs, 1 run could not be judged
  [1]
  $ smilog check -q --max-energy-wh 1 --all ../../../fixtures/sweep
              LIMIT           VALUE  RUN
  FAIL        energy_wh <= 1  539.2  lr=0.3/seed=1
  FAIL        energy_wh <= 1  537.4  lr=0.1/seed=2
  FAIL        energy_wh <= 1  537.2  lr=0.1/seed=1
  FAIL        energy_wh <= 1  535.1  lr=0.03/seed=3
  FAIL        energy_wh <= 1  533.8  lr=0.03/seed=4
  FAIL        energy_wh <= 1  531.9  lr=0.03/seed=1
  FAIL        energy_wh <= 1  530.8  lr=0.03/seed=2
  FAIL        energy_wh <= 1  513.8  lr=0.1/seed=3
  FAIL        energy_wh <= 1  366.3  lr=0.3/seed=2
  FAIL        energy_wh <= 1  341.8  lr=0.3/seed=3
  FAIL        energy_wh <= 1  326.3  lr=0.1/seed=4
  not judged  no reading          -  lr=0.3/seed=4: no GPU log
  1 limit broken by 11 of 12 runs, 1 run could not be judged
  [1]

baseline absent values
# here no value, there one: not judged; there none: nothing to compare with; not there at all: not judged
  $ d=$(mktemp -d) && smilog summarize -q ../../../fixtures/sweep --format jsonl | sed '/seed=4/s/"energy_wh": [a-z0-9.]*/"energy_wh": 300.0/; /lr=0.03.seed=1/d; /lr=0.03.seed=2/s/"idle_pct": [0-9.]*/"idle_pct": null/' >$d/b.jsonl
  $ smilog check -q --baseline $d/b.jsonl --tolerance energy_wh=100 ../../../fixtures/sweep
              LIMIT       RUN
  not judged  no reading  lr=0.03/seed=1: not in the baseline
  not judged  no reading  lr=0.1/seed=4: cut in the baseline: nothing to measure against
  not judged  no reading  lr=0.3/seed=2: failed in the baseline: nothing to measure against
  not judged  no reading  lr=0.3/seed=4: without GPU data in the baseline: nothing to measure against
  8 of 12 runs meet all limits, 4 runs could not be judged
  [5]
  $ smilog check --baseline $d/b.jsonl --tolerance energy_wh=100 --allow-missing ../../../fixtures/sweep 2>/dev/null
  ok    9 limits hold in 8 of 12 runs, 4 runs skipped because a value is missing
  $ rm -r $d

baseline from standard input
  $ sweep=../../../fixtures/sweep
  $ d=$(mktemp -d)
  $ trap 'rm -rf "$d"' EXIT
  $ smilog summarize -q --json $sweep/lr=0.03 >"$d/was.json"
  $ smilog check --baseline - $sweep/lr=0.03 <"$d/was.json"
  ok    9 limits hold in 4 runs
  $ cat "$d/was.json" | smilog check --baseline - $sweep/lr=0.03
  ok    9 limits hold in 4 runs
  $ smilog summarize -q --format jsonl $sweep/lr=0.03 | smilog check --baseline - $sweep/lr=0.03
  ok    9 limits hold in 4 runs
  $ smilog summarize -q --partial $sweep/lr=0.03 | smilog check --baseline - $sweep/lr=0.03
  ok    9 limits hold in 4 runs
  $ cat $sweep/lr=0.03/seed=1/hw_metrics.csv | smilog check -q --baseline - $sweep/lr=0.03/seed=1 | cut -c 1-60
  $ smilog check --baseline - - <"$d/was.json"
  2> smilog: standard input can be the baseline or what is checked, not both
  2> try: smilog help check
  [2]

baseline in any clothes
# A baseline is what summarize wrote, whatever it went through since: keys sorted, indented, packed; parameters of all
# kinds are those of the logs.
  $ dir=$(mktemp -d)
  $ n=0
  $ for p in true null 12345678901234567890 1e-05 0.10 '"1"' '"true"'; do
  >     mkdir "$dir/r$((n += 1))" && cp ../../../fixtures/query_units.csv "$dir/r$n/hw.csv"
  >     echo "{\"p\": $p}" >"$dir/r$n/config.json"
  > done
  $ cd "$dir"
  $ smilog summarize -q --json . >a.json
  $ smilog summarize -q --format jsonl . >a.jsonl
  $ smilog summarize -q --partial . >a.partial
  $ python3 -SE - <<'END'
  > import json
  > doc = json.load(open("a.json"))
  > for name, how in {"sorted": {"sort_keys": True}, "lines": {"sort_keys": True, "indent": 1}, "indented": {"indent": 4}}.items():
  >     json.dump(doc, open(name + ".json", "w"), **how)
  > with open("sorted.jsonl", "w") as out:
  >     for line in open("a.jsonl"):
  >         out.write(json.dumps(json.loads(line), sort_keys=True) + "\n")
  > END
  $ gzip -k ./*.json ./*.jsonl a.partial && zstd -q a.json && xz -k a.json
  $ mkdir moved && for r in r*; do mv "$r" "moved/x$r"; done # told by their parameters
  $ for f in *.json* *.partial*; do printf '%-16s ' "$f"; smilog check --baseline "$f" moved; done
  a.json           ok    8 limits hold in 7 runs
  a.json.gz        ok    8 limits hold in 7 runs
  a.json.xz        ok    8 limits hold in 7 runs
  a.json.zst       ok    8 limits hold in 7 runs
  a.jsonl          ok    8 limits hold in 7 runs
  a.jsonl.gz       ok    8 limits hold in 7 runs
  indented.json    ok    8 limits hold in 7 runs
  indented.json.gz ok    8 limits hold in 7 runs
  lines.json       ok    8 limits hold in 7 runs
  lines.json.gz    ok    8 limits hold in 7 runs
  sorted.json      ok    8 limits hold in 7 runs
  sorted.json.gz   ok    8 limits hold in 7 runs
  sorted.jsonl     ok    8 limits hold in 7 runs
  sorted.jsonl.gz  ok    8 limits hold in 7 runs
  a.partial        ok    8 limits hold in 7 runs
  a.partial.gz     ok    8 limits hold in 7 runs
  $ smilog diff a.json.gz sorted.jsonl.gz | tail -n 1
  7 pairs, 27 columns: 27 the same
  $ smilog merge a.partial.gz --format line | sort | uniq -c | sed 's/^ *//'
  1 {"v":1,"run":"r1","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r2","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r3","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r4","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r5","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r6","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  1 {"v":1,"run":"r7","ngpu":2,"gpu_util":77.7,"gpu_mem_max":18342,"gpu_power":565.0,"gpu_h":0.01,"idle_h":0.00,"wh":1.7,"state":"unknown"}
  $ head -c 400 a.json.gz >cut.json.gz
  $ smilog check --baseline cut.json.gz moved 2>&1
  smilog: cut.json.gz: its gzip data ends early
  [3]

baseline of another schema
# What another version of the schema says is not taken for this one.
  $ dir=$(mktemp -d)
  $ cp ../../../fixtures/query_units.csv "$dir/hw.csv" && cd "$dir"
  $ smilog summarize -q --json hw.csv | sed 's#smilog/1#smilog/2#' >a.json
  $ smilog summarize -q --format jsonl hw.csv | sed 's#smilog/1#smilog/10#' >a.jsonl
  $ python3 -SE -c 'import json; json.dump(json.load(open("a.json")), open("sorted.json", "w"), sort_keys=True)'
  $ gzip -k a.json
  $ for f in a.json a.jsonl sorted.json a.json.gz; do smilog check --baseline "$f" hw.csv; echo "$?"; done 2>&1
  smilog: a.json: is of the schema smilog/2, and this smilog knows smilog/1 only
  3
  smilog: a.jsonl: is of the schema smilog/10, and this smilog knows smilog/1 only
  3
  smilog: sorted.json: is of the schema smilog/2, and this smilog knows smilog/1 only
  3
  smilog: a.json.gz: is of the schema smilog/2, and this smilog knows smilog/1 only
  3

baseline of another seed
# is none
  $ d=$(mktemp -d) && smilog summarize -q ../../../fixtures/sweep/lr=0.1/seed=[12] -o $d/s.json
  $ smilog check -q --baseline $d/s.json ../../../fixtures/sweep/lr=0.1/seed=3; rc=$?
              LIMIT       RUN
  not judged  no reading  seed=3: not in the baseline
  not judged  not here    seed=1: only in the baseline
  not judged  not here    seed=2: only in the baseline
  0 of 1 run meets all limits, 1 run could not be judged, 2 runs of the baseline are not here
  $ rm -r $d; exit $rc
  [5]

baseline of every kind
  $ d=$(mktemp -d) in=../../../fixtures/sweep/lr=0.1
  $ smilog summarize -q $in -o $d/s.json && smilog summarize -q $in -o $d/s.jsonl && smilog summarize -q --partial $in -o $d/s.partial
  $ for b in $d/s.json $d/s.jsonl $d/s.partial $in; do smilog check --baseline $b $in 2>/dev/null; done
              LIMIT       RUN
  not judged  no reading  seed=4: cut in the baseline: nothing to measure against
  3 of 4 runs meet all limits, 1 run could not be judged
              LIMIT       RUN
  not judged  no reading  seed=4: cut in the baseline: nothing to measure against
  3 of 4 runs meet all limits, 1 run could not be judged
              LIMIT       RUN
  not judged  no reading  seed=4: cut in the baseline: nothing to measure against
  3 of 4 runs meet all limits, 1 run could not be judged
              LIMIT       RUN
  not judged  no reading  seed=4: cut in the baseline: nothing to measure against
  3 of 4 runs meet all limits, 1 run could not be judged
  [5]
  $ rm -r $d

baseline only
  $ d=$(mktemp -d) && smilog summarize -q ../../../fixtures/sweep -o $d/s.json
  $ smilog check --baseline $d/s.json ../../../fixtures/sweep/lr=0.1/seed=1
              LIMIT     RUN
  not judged  not here  lr=0.03/seed=1: only in the baseline
  not judged  not here  lr=0.03/seed=2: only in the baseline
  not judged  not here  lr=0.03/seed=3: only in the baseline
  not judged  not here  lr=0.03/seed=4: only in the baseline
  not judged  not here  lr=0.1/seed=2: only in the baseline
  not judged  not here  lr=0.1/seed=3: only in the baseline
  not judged  not here  lr=0.1/seed=4: only in the baseline
  not judged  not here  lr=0.3/seed=1: only in the baseline
  not judged  not here  lr=0.3/seed=2: only in the baseline
  not judged  not here  lr=0.3/seed=3: only in the baseline
  not judged  not here  and 1 more (--all)
  1 of 1 run meets all limits, 11 runs of the baseline are not here
  [5]
  $ smilog check --baseline $d/s.json ../../../fixtures/sweep --where 'param.lr = 0.1 and param.seed < 4' 2>/dev/null
  ok    9 limits hold in 3 runs
  $ smilog check --baseline $d/s.json ../../../fixtures/sweep/lr=0.1/seed=1 --json
  {"schema": "smilog/1", "generator": "smilog VERSION", "check": {"ok": false, "runs": 1, "limits_broken": 0, "runs_broken": 0, "runs_unjudged": 0, "allow_missing": false, "limits": [{"limit": "state as in the baseline, or better", "held": 1, "broken": [], "unjudged": []}, {"limit": "duration_s <= baseline + max(5 %, 1)", "held": 1, "broken": [], "unjudged": []}, {"limit": "gpu_util_mean_pct >= baseline - max(5 %, 1)", "held": 1, "broken": [], "unjudged": []}, {"limit": "energy_wh <= baseline + max(5 %, 1)", "held": 1, "broken": [], "unjudged": []}, {"limit": "vram_used_peak_mb <= baseline + max(5 %, 64)", "held": 1, "broken": [], "unjudged": []}, {"limit": "idle_pct <= baseline + max(5 %, 1)", "held": 1, "broken": [], "unjudged": []}, {"limit": "longest_idle_s <= baseline + max(5 %, 10)", "held": 1, "broken": [], "unjudged": []}, {"limit": "gpu_hours <= baseline + max(5 %, 0.01)", "held": 1, "broken": [], "unjudged": []}, {"limit": "wasted_total_h <= baseline + max(5 %, 0.01)", "held": 1, "broken": [], "unjudged": []}], "baseline_only": ["lr=0.03/seed=1", "lr=0.03/seed=2", "lr=0.03/seed=3", "lr=0.03/seed=4", "lr=0.1/seed=2", "lr=0.1/seed=3", "lr=0.1/seed=4", "lr=0.3/seed=1", "lr=0.3/seed=2", "lr=0.3/seed=3", "lr=0.3/seed=4"]}}
  [5]
  $ rm -r $d

baseline small changes break nothing
# of little a little more is many percent
  $ d=$(mktemp -d) && echo '{"schema": "smilog/1", "run": "seed=1", "idle_pct": 6.6, "wasted_h": {"total": 0.141}, "longest_idle_s": 200.2, "throttled_pct": 0.0}' >$d/b.jsonl
  $ smilog check --baseline $d/b.jsonl ../../../fixtures/sweep/lr=0.1/seed=1
  ok    4 limits hold in 1 run
  $ echo '{"schema": "smilog/1", "run": "seed=1", "idle_pct": 6.5, "wasted_h": {"total": 0.140}, "longest_idle_s": 200.1}' >$d/b.jsonl
  $ smilog check --baseline $d/b.jsonl ../../../fixtures/sweep/lr=0.1/seed=1
        LIMIT                                                            VALUE  RUN
  FAIL  idle_pct <= baseline + max(5 %, 1)             7.5, was 6.5 (+16.0 %)   seed=1
  FAIL  longest_idle_s <= baseline + max(5 %, 10)    210.1, was 200.1 (+5.0 %)  seed=1
  FAIL  wasted_total_h <= baseline + max(5 %, 0.01)    0.15, was 0.14 (+7.2 %)  seed=1
  3 limits broken by 1 of 1 run
  [1]
  $ rm -r $d

baseline states
# a run that was ok and is not; one that was not and is; one that is not here; a name with other parameters; another idle limit
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ in=$PWD/../../../fixtures/sweep
  $ cd "$t" && ln -s "$in" now
  $ smilog summarize -q --format jsonl now >all.jsonl
  $ sed 's/"state": "[a-z]*"/"state": "ok"/' all.jsonl >ok.jsonl
  $ sed 's/"state": "ok"/"state": "failed"/; s/"duration_s": [0-9.]*/"duration_s": 1.0/' all.jsonl >failed.jsonl
  $ sed '/lr=0.3/s/"lr": 0.3/"lr": 0.7/; /lr=0.1.seed=2/d' all.jsonl | sed '/seed=[34]/d' >other.jsonl
  $ w="param.lr = 0.1 or param.seed = 2"
  $ smilog check -q now --where "$w" --baseline ok.jsonl; echo $?
        LIMIT                                         VALUE  RUN
  FAIL  state as in the baseline, or better  failed, was ok  lr=0.3/seed=2
  FAIL  state as in the baseline, or better     cut, was ok  lr=0.1/seed=4
  1 limit broken by 2 of 6 runs
  1
  $ smilog check -q now --where "$w" --baseline failed.jsonl; echo $?
              LIMIT       RUN
  not judged  no reading  lr=0.03/seed=2: failed in the baseline: nothing to measure against
  not judged  no reading  lr=0.1/seed=1: failed in the baseline: nothing to measure against
  not judged  no reading  lr=0.1/seed=2: failed in the baseline: nothing to measure against
  not judged  no reading  lr=0.1/seed=3: failed in the baseline: nothing to measure against
  not judged  no reading  lr=0.1/seed=4: cut in the baseline: nothing to measure against
  not judged  no reading  lr=0.3/seed=2: failed in the baseline: nothing to measure against
  0 of 6 runs meet all limits, 6 runs could not be judged
  5
  $ for f in table json junit github; do
  >     smilog check -q now/lr=0.1 --baseline ok.jsonl --where 'state != '\''cut'\' --format $f --tolerance 900 | grep -v '"lr=0.1\|testcase>'
  > done
              LIMIT     RUN
  not judged  not here  lr=0.03/seed=1: only in the baseline
  not judged  not here  lr=0.03/seed=2: only in the baseline
  not judged  not here  lr=0.03/seed=3: only in the baseline
  not judged  not here  lr=0.03/seed=4: only in the baseline
  not judged  not here  lr=0.1/seed=4: only in the baseline
  not judged  not here  lr=0.3/seed=1: only in the baseline
  not judged  not here  lr=0.3/seed=2: only in the baseline
  not judged  not here  lr=0.3/seed=3: only in the baseline
  not judged  not here  lr=0.3/seed=4: only in the baseline
  3 of 3 runs meet all limits, 9 runs of the baseline are not here
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="smilog check" tests="36" failures="0" errors="9" skipped="0">
    <testsuite name="state as in the baseline, or better" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="state as in the baseline, or better" name="seed=1"/>
      <testcase classname="state as in the baseline, or better" name="seed=2"/>
      <testcase classname="state as in the baseline, or better" name="seed=3"/>
    </testsuite>
    <testsuite name="duration_s &lt;= baseline + max(900 %, 1)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="duration_s &lt;= baseline + max(900 %, 1)" name="seed=1"/>
      <testcase classname="duration_s &lt;= baseline + max(900 %, 1)" name="seed=2"/>
      <testcase classname="duration_s &lt;= baseline + max(900 %, 1)" name="seed=3"/>
    </testsuite>
    <testsuite name="gpu_util_mean_pct &gt;= baseline - max(900 %, 1)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="gpu_util_mean_pct &gt;= baseline - max(900 %, 1)" name="seed=1"/>
      <testcase classname="gpu_util_mean_pct &gt;= baseline - max(900 %, 1)" name="seed=2"/>
      <testcase classname="gpu_util_mean_pct &gt;= baseline - max(900 %, 1)" name="seed=3"/>
    </testsuite>
    <testsuite name="energy_wh &lt;= baseline + max(900 %, 1)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="energy_wh &lt;= baseline + max(900 %, 1)" name="seed=1"/>
      <testcase classname="energy_wh &lt;= baseline + max(900 %, 1)" name="seed=2"/>
      <testcase classname="energy_wh &lt;= baseline + max(900 %, 1)" name="seed=3"/>
    </testsuite>
    <testsuite name="vram_used_peak_mb &lt;= baseline + max(900 %, 64)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="vram_used_peak_mb &lt;= baseline + max(900 %, 64)" name="seed=1"/>
      <testcase classname="vram_used_peak_mb &lt;= baseline + max(900 %, 64)" name="seed=2"/>
      <testcase classname="vram_used_peak_mb &lt;= baseline + max(900 %, 64)" name="seed=3"/>
    </testsuite>
    <testsuite name="idle_pct &lt;= baseline + max(900 %, 1)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="idle_pct &lt;= baseline + max(900 %, 1)" name="seed=1"/>
      <testcase classname="idle_pct &lt;= baseline + max(900 %, 1)" name="seed=2"/>
      <testcase classname="idle_pct &lt;= baseline + max(900 %, 1)" name="seed=3"/>
    </testsuite>
    <testsuite name="longest_idle_s &lt;= baseline + max(900 %, 10)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="longest_idle_s &lt;= baseline + max(900 %, 10)" name="seed=1"/>
      <testcase classname="longest_idle_s &lt;= baseline + max(900 %, 10)" name="seed=2"/>
      <testcase classname="longest_idle_s &lt;= baseline + max(900 %, 10)" name="seed=3"/>
    </testsuite>
    <testsuite name="gpu_hours &lt;= baseline + max(900 %, 0.01)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="gpu_hours &lt;= baseline + max(900 %, 0.01)" name="seed=1"/>
      <testcase classname="gpu_hours &lt;= baseline + max(900 %, 0.01)" name="seed=2"/>
      <testcase classname="gpu_hours &lt;= baseline + max(900 %, 0.01)" name="seed=3"/>
    </testsuite>
    <testsuite name="wasted_total_h &lt;= baseline + max(900 %, 0.01)" tests="3" failures="0" errors="0" skipped="0">
      <testcase classname="wasted_total_h &lt;= baseline + max(900 %, 0.01)" name="seed=1"/>
      <testcase classname="wasted_total_h &lt;= baseline + max(900 %, 0.01)" name="seed=2"/>
      <testcase classname="wasted_total_h &lt;= baseline + max(900 %, 0.01)" name="seed=3"/>
    </testsuite>
    <testsuite name="runs of the baseline" tests="9" failures="0" errors="9" skipped="0">
      <testcase classname="runs of the baseline" name="lr=0.03/seed=1">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.03/seed=2">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.03/seed=3">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.03/seed=4">
        <error message="only in the baseline: not here" type="not here"/>
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.3/seed=1">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.3/seed=2">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.3/seed=3">
        <error message="only in the baseline: not here" type="not here"/>
      <testcase classname="runs of the baseline" name="lr=0.3/seed=4">
        <error message="only in the baseline: not here" type="not here"/>
    </testsuite>
  </testsuites>
  ::warning title=smilog%3A lr=0.03/seed=1::only in the baseline: not here
  ::warning title=smilog%3A lr=0.03/seed=2::only in the baseline: not here
  ::warning title=smilog%3A lr=0.03/seed=3::only in the baseline: not here
  ::warning title=smilog%3A lr=0.03/seed=4::only in the baseline: not here
  ::warning title=smilog%3A lr=0.1/seed=4::only in the baseline: not here
  ::warning title=smilog%3A lr=0.3/seed=1::only in the baseline: not here
  ::warning title=smilog%3A lr=0.3/seed=2::only in the baseline: not here
  ::warning title=smilog%3A lr=0.3/seed=3::only in the baseline: not here
  ::warning title=smilog%3A lr=0.3/seed=4::only in the baseline: not here
  3 of 3 runs meet all limits, 9 runs of the baseline are not here
  $ smilog check -q now/lr=0.1/seed=[12] --baseline all.jsonl --allow-missing; echo $?
  0
  $ smilog check -q now --baseline other.jsonl --where 'param.seed in (1, 2)'; echo $?
              LIMIT       RUN
  not judged  no reading  lr=0.1/seed=2: not in the baseline
  not judged  no reading  lr=0.3/seed=1: in the baseline with other parameters
  not judged  no reading  lr=0.3/seed=2: in the baseline with other parameters
  3 of 6 runs meet all limits, 3 runs could not be judged
  5
  $ smilog check now --baseline ok.jsonl --idle-below 2; echo $?
  2
  2> smilog: lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  2> smilog: ok.jsonl: a GPU is idle at 1 % or below, in now at 2 %: read both with the same --idle-below
  2> try: smilog help check
  $ smilog check -q now/lr=0.1 --baseline ok.jsonl --tolerance idle_pct=0.001 --where 'param.seed=1'; echo $?
              LIMIT     RUN
  not judged  not here  lr=0.03/seed=1: only in the baseline
  not judged  not here  lr=0.3/seed=1: only in the baseline
  1 of 1 run meets all limits, 2 runs of the baseline are not here
  5

baseline tolerance
# 537.226257 against 500.0: 7.4 % more
  $ d=$(mktemp -d) && echo '{"schema": "smilog/1", "run": "seed=1", "energy_wh": 500.0, "gpu_util_mean_pct": 80.0}' >$d/b.jsonl
  $ for t in 5% 7.445 7.4452514 7.4452513 10,energy_wh=5% energy_wh=8 "energy_wh = 8 %"; do smilog check -q --baseline $d/b.jsonl --tolerance "$t" ../../../fixtures/sweep/lr=0.1/seed=1; echo $?; done
        LIMIT                                                    VALUE  RUN
  FAIL  energy_wh <= baseline + max(5 %, 1)  537.2, was 500.0 (+7.4 %)  seed=1
  1 limit broken by 1 of 1 run
  1
        LIMIT                                                        VALUE  RUN
  FAIL  energy_wh <= baseline + max(7.445 %, 1)  537.2, was 500.0 (+7.4 %)  seed=1
  1 limit broken by 1 of 1 run
  1
        LIMIT                                                           VALUE  RUN
  FAIL  energy_wh <= baseline + max(7.445251 %, 1)  537.2, was 500.0 (+7.4 %)  seed=1
  1 limit broken by 1 of 1 run
  1
        LIMIT                                                           VALUE  RUN
  FAIL  energy_wh <= baseline + max(7.445251 %, 1)  537.2, was 500.0 (+7.4 %)  seed=1
  1 limit broken by 1 of 1 run
  1
        LIMIT                                            VALUE  RUN
  FAIL  energy_wh <= baseline + 5 %  537.2, was 500.0 (+7.4 %)  seed=1
  1 limit broken by 1 of 1 run
  1
  0
  0
  $ rm -r $d

gpus are whole
  $ smilog check --expect-gpus 1.5 ../../../fixtures/sweep/lr=0.1/seed=1
  2> smilog: --expect-gpus needs a whole number of GPUs
  2> try: smilog help check
  [2]

baseline usage
  $ d=$(mktemp -d) && cd $d && echo '{"schema": "smilog/1", "run": "seed=1", "energy_wh": 500.0}' >b.jsonl && echo '{"schema": "smilog/1", "run": "seed=1"}' >e.jsonl && echo '{"schema": "smilog/1", "runs": [' >x.json
  $ in=$OLDPWD/../../../fixtures/sweep/lr=0.1/seed=1
  $ smilog check --tolerance 5% $in
  2> smilog: --tolerance is for --baseline FILE
  2> try: smilog help check
  [2]
  $ smilog check --baseline b.jsonl --tolerance x $in
  2> smilog: --tolerance needs percent, as 5% or energy_wh=10%: not "x"
  2> try: smilog help check
  [2]
  $ smilog check --baseline b.jsonl --tolerance -5 $in
  2> smilog: --tolerance needs percent, as 5% or energy_wh=10%: not "-5"
  2> try: smilog help check
  [2]
  $ smilog check --baseline b.jsonl --tolerance energy=5 $in
  2> smilog: --tolerance: "energy" is no column that can become worse; did you mean energy_wh?
  2> try: smilog help check
  [2]
  $ smilog check --baseline b.jsonl --tolerance power_watts_mean=5 $in
  2> smilog: --tolerance: "power_watts_mean" is no column that can become worse
  2> try: smilog help check
  [2]
  $ smilog check --baseline e.jsonl $in
  2> smilog: --baseline has no value that could become worse
  2> try: smilog help check
  [2]
  $ smilog check --baseline x.json $in; echo $?
  3
  2> smilog: x.json: ends in the middle of "runs"
  $ smilog check --baseline nowhere.json $in; echo $?
  3
  2> smilog: warning: cannot open nowhere.json: No such file or directory
  2> smilog: no usable log in nowhere.json
  $ cd / && rm -r $d

baseline worse breaks
  $ d=$(mktemp -d) && smilog summarize -q ../../../fixtures/sweep -o $d/s.json
  $ smilog check -q --baseline $d/s.json ../../../fixtures/sweep --where 'gpu_hours > 0'; echo $?
              LIMIT       RUN
  not judged  no reading  lr=0.1/seed=4: cut in the baseline: nothing to measure against
  not judged  no reading  lr=0.3/seed=2: failed in the baseline: nothing to measure against
  9 of 11 runs meet all limits, 2 runs could not be judged
  5
  $ sed 's/"energy_wh": 5/"energy_wh": 4/; s/"gpu_util_mean_pct": 80.9/"gpu_util_mean_pct": 90.9/' $d/s.json >$d/t.json
  $ smilog check -q --baseline $d/t.json ../../../fixtures/sweep
              LIMIT                                                             VALUE  RUN
  FAIL        gpu_util_mean_pct >= baseline - max(5 %, 1)   80.9, was 90.9 (-11.0 %)   lr=0.03/seed=2
  FAIL        energy_wh <= baseline + max(5 %, 1)          513.8, was 413.8 (+24.2 %)  lr=0.1/seed=3
  FAIL        energy_wh <= baseline + max(5 %, 1)          530.8, was 430.8 (+23.2 %)  lr=0.03/seed=2
  FAIL        energy_wh <= baseline + max(5 %, 1)          531.9, was 431.9 (+23.2 %)  lr=0.03/seed=1
  FAIL        energy_wh <= baseline + max(5 %, 1)          533.8, was 433.8 (+23.1 %)  lr=0.03/seed=4
  FAIL        energy_wh <= baseline + max(5 %, 1)          535.1, was 435.1 (+23.0 %)  lr=0.03/seed=3
  FAIL        energy_wh <= baseline + max(5 %, 1)          537.2, was 437.2 (+22.9 %)  lr=0.1/seed=1
  FAIL        energy_wh <= baseline + max(5 %, 1)          537.4, was 437.4 (+22.9 %)  lr=0.1/seed=2
  FAIL        energy_wh <= baseline + max(5 %, 1)          539.2, was 439.2 (+22.8 %)  lr=0.3/seed=1
  not judged  no reading                                                            -  lr=0.1/seed=4: cut in the baseline: nothing to measure against
  not judged  no reading                                                            -  lr=0.3/seed=2: failed in the baseline: nothing to measure against
  not judged  no reading                                                            -  lr=0.3/seed=4: without GPU data in the baseline: nothing to measure against
  2 limits broken by 8 of 12 runs, 3 runs could not be judged
  [1]
  $ rc=$?; rm -r $d; exit $rc
  [1]

every short form
  $ smilog check -q --max-idle-pct 5 --min-gpu-util 80 --max-longest-idle-s 60 --max-wasted-h 0.1 --max-wasted-pct 5 --max-vram-mb 40000 --max-temp 50 --max-throttled-pct 1 --max-duration-s 60 --max-energy-wh 1 ../../../fixtures/sweep/lr=0.1/seed=3
        LIMIT                          VALUE  RUN
  FAIL  idle_pct <= 5                  14.7   seed=3
  FAIL  gpu_util_mean_pct >= 80        72.0   seed=3
  FAIL  longest_idle_s <= 60          310.2   seed=3
  FAIL  wasted_total_h <= 0.1           0.29  seed=3
  FAIL  wasted_pct <= 5                14.7   seed=3
  FAIL  vram_used_peak_mb <= 40000  42291.2   seed=3
  FAIL  temp_gpu_c_max <= 50           56.0   seed=3
  FAIL  duration_s <= 60             3621.0   seed=3
  FAIL  energy_wh <= 1                513.8   seed=3
  9 limits broken by 1 of 1 run
  [1]

expected runs
# A run that was to be here and is not could not be judged: status 5, whatever --allow-missing excuses.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ for run in a b c; do
  >     mkdir -p out/$run
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >out/$run/gpu.csv
  > done
  $ : >out/c/gpu.csv
  $ try() { echo "\$ check $*"; smilog check "$@" 2>&1; echo "status $?"; }
  $ try --expect 3 out
  \x24 check --expect 3 out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  ok    3 runs, 3 expected
  status 0
  $ try --expect 5 --allow-missing out
  \x24 check --expect 5 --allow-missing out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
              LIMIT     RUN
  not judged  not here  2 of 5 runs: expected
  3 runs, 2 of 5 runs expected are not here
  status 5
  $ printf 'a\nb/\r\n\n c\n' >three
  $ printf 'a\nd\nlr=0.1/seed=1\n' >others
  $ try --expect-runs three out
  \x24 check --expect-runs three out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  ok    3 runs, 3 expected
  status 0
  $ try --expect-runs others --expect 4 --max-idle-pct 10 --allow-missing out
  \x24 check --expect-runs others --expect 4 --max-idle-pct 10 --allow-missing out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
              LIMIT       RUN
  skip        no reading  c: no GPU log
  not judged  not here    d: expected
  not judged  not here    lr=0.1/seed=1: expected
  2 of 3 runs meet all limits, 1 run skipped because a value is missing, 2 of 4 runs expected are not here
  status 5
  $ try -q --expect-runs others --where "run = 'a'" --expect 9 out
  \x24 check -q --expect-runs others --where run = 'a' --expect 9 out (esc)
              LIMIT     RUN
  not judged  not here  d: expected
  not judged  not here  lr=0.1/seed=1: expected
  not judged  not here  6 of 9 runs: expected
  1 run, 8 of 9 runs expected are not here
  status 5
  $ try --expect-runs others --format json out
  \x24 check --expect-runs others --format json out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  {"schema": "smilog/1", "generator": "smilog VERSION", "check": {"ok": false, "runs": 3, "limits_broken": 0, "runs_broken": 0, "runs_unjudged": 0, "allow_missing": false, "limits": [], "baseline_only": [], "runs_expected": 3, "runs_absent": 2, "expected_only": ["d", "lr=0.1/seed=1"]}}
  status 5
  $ try --expect-runs others --format junit out
  \x24 check --expect-runs others --format junit out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="smilog check" tests="2" failures="0" errors="2" skipped="0">
    <testsuite name="runs that are expected" tests="2" failures="0" errors="2" skipped="0">
      <testcase classname="runs that are expected" name="d">
        <error message="expected, and not here" type="not here"/>
      </testcase>
      <testcase classname="runs that are expected" name="lr=0.1/seed=1">
        <error message="expected, and not here" type="not here"/>
      </testcase>
    </testsuite>
  </testsuites>
  status 5
  $ try --expect-runs others --max-idle-pct 10 --allow-missing --format junit out | grep '<testsuite'
  <testsuites name="smilog check" tests="5" failures="0" errors="2" skipped="1">
    <testsuite name="idle_pct &lt;= 10" tests="3" failures="0" errors="0" skipped="1">
    <testsuite name="runs that are expected" tests="2" failures="0" errors="2" skipped="0">
  $ try --expect-runs others --format github out
  \x24 check --expect-runs others --format github out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  ::warning title=smilog%3A d::expected, and not here
  ::warning title=smilog%3A lr=0.1/seed=1::expected, and not here
  3 runs, 2 of 3 runs expected are not here
  status 5
  $ try --expect-runs none out
  \x24 check --expect-runs none out (esc)
  smilog: --expect-runs: cannot open none: No such file or directory
  try: smilog help check
  status 2
  $ try --expect-runs - --expect 2 out <three
  \x24 check --expect-runs - --expect 2 out (esc)
  smilog: c: warning: gpu.csv: cannot be used: empty
  ok    3 runs, 3 expected
  status 0
  $ try --expect 0 out
  \x24 check --expect 0 out (esc)
  smilog: --expect needs a whole number from 1 on, not "0"
  try: smilog help check
  status 2

fail if a parameter
  $ smilog check -q --fail-if 'param.lr > 0.1 and energy_wh > 500' ../../../fixtures/sweep
              LIMIT                                                             VALUE  RUN
  FAIL        param.lr > 0.1 and energy_wh > 500 holds  param.lr 0.3, energy_wh 539.2  lr=0.3/seed=1
  not judged  no reading                                                            -  lr=0.3/seed=4: no GPU log
  1 limit broken by 1 of 12 runs, 1 run could not be judged
  [1]

fail if again
  $ smilog check -q --fail-if 'idle_pct > 10' --fail-if "state in ('failed', 'cut')" ../../../fixtures/sweep
              LIMIT                                    VALUE  RUN
  FAIL        idle_pct <= 10                            53.1  lr=0.3/seed=3
  FAIL        idle_pct <= 10                            14.7  lr=0.1/seed=3
  FAIL        state in ('failed', 'cut') holds  state failed  lr=0.3/seed=2
  FAIL        state in ('failed', 'cut') holds     state cut  lr=0.1/seed=4
  not judged  no reading                                   -  lr=0.3/seed=4: no GPU log
  2 limits broken by 4 of 12 runs, 1 run could not be judged
  [1]

fail if as in the contract
  $ smilog check -q --fail-if 'idle_pct > 10 or wasted_h > 0.5' ../../../fixtures/sweep
              LIMIT                                                         VALUE  RUN
  FAIL        idle_pct > 10 or wasted_h > 0.5 holds   idle_pct 8.9, wasted_h 1.38  lr=0.3/seed=2
  FAIL        idle_pct > 10 or wasted_h > 0.5 holds  idle_pct 53.1, wasted_h 1.06  lr=0.3/seed=3
  FAIL        idle_pct > 10 or wasted_h > 0.5 holds  idle_pct 14.7, wasted_h 0.29  lr=0.1/seed=3
  not judged  no reading                                                        -  lr=0.3/seed=4: no GPU log
  1 limit broken by 3 of 12 runs, 1 run could not be judged
  [1]

fail if misspelt
  $ smilog check -q --fail-if 'idle_pt > 10' ../../../fixtures/sweep
  2> smilog: --fail-if: there is no column "idle_pt"; did you mean idle_pct?
  2> try: smilog help check
  [2]
  $ smilog check -q --fail-if 'param.rl > 10' ../../../fixtures/sweep
  2> smilog: --fail-if: there is no column "param.rl"; did you mean param.lr?
  2> try: smilog help check
  [2]
  $ smilog check -q --fail-if 'state = "failed"' ../../../fixtures/sweep
  2> smilog: --fail-if: there is no column "failed"; did you mean wasted_failed_h?
  2> try: smilog help check
  [2]

fail if other tables
  $ smilog check -q --fail-if "exists (select 1 from phases p where p.run = runs.run and p.name = 'compile' and p.seconds > 140)" ../../../fixtures/sweep/lr=0.1
        LIMIT                                                                                                    VALUE  RUN
  FAIL  exists (select 1 from phases p where p.run = runs.run and p.name = 'compile' and p.seconds > 140) holds      -  seed=3
  FAIL  exists (select 1 from phases p where p.run = runs.run and p.name = 'compile' and p.seconds > 140) holds      -  seed=2
  1 limit broken by 2 of 4 runs
  [1]

fail if stands by itself
  $ smilog check -q --fail-if '1) or (1' ../../../fixtures/sweep
  2> smilog: --fail-if: near ")": syntax error
  2> try: smilog help check
  [2]
  $ smilog check -q --fail-if '1 then 1 end) --' ../../../fixtures/sweep
  2> smilog: --fail-if: near "THEN": syntax error
  2> try: smilog help check
  [2]
  $ smilog check -q --fail-if '1; drop table runs' ../../../fixtures/sweep
  2> smilog: --fail-if: near ";": syntax error
  2> try: smilog help check
  [2]
  $ smilog check -q --fail-if ' ' ../../../fixtures/sweep
  2> smilog: --fail-if is empty
  2> try: smilog help check
  [2]

fail on error
  $ smilog check -q --fail-on error --where 'gpu_hours > 0' ../../../fixtures/sweep
        LIMIT                              VALUE  RUN
  FAIL  no finding of level error  out of memory  lr=0.3/seed=2
  1 limit broken by 1 of 11 runs
  [1]

fail on findings
  $ smilog check -q --fail-on warn ../../../fixtures/sweep
              LIMIT                                      VALUE  RUN
  FAIL        no finding of level warn or above  out of memory  lr=0.3/seed=2
  FAIL        no finding of level warn or above   GPU 1 unused  lr=0.3/seed=3
  FAIL        no finding of level warn or above     idle 5m10s  lr=0.1/seed=3
  not judged  no reading                                     -  lr=0.3/seed=4: no GPU log
  1 limit broken by 3 of 12 runs, 1 run could not be judged
  [1]

fail on the short
# too short for findings; one that failed did so nonetheless
  $ smilog check -q --fail-on warn ../../../fixtures/query_units.csv; echo $?
              LIMIT       RUN
  not judged  no reading  query_units: too short for findings
  0 of 1 run meets all limits, 1 run could not be judged
  5
  $ mkdir -p run && cd run
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 5\n2026/07/03 10:00:02.000, 0, 50\n' >hw.csv
  $ printf '{"ts": "2026-07-03T10:00:00Z", "type": "event", "event": "start"}\n{"ts": "2026-07-03T10:00:02Z", "type": "event", "event": "oom"}\n' >run.jsonl
  $ smilog check -q --fail-on error .
        LIMIT                              VALUE  RUN
  FAIL  no finding of level error  out of memory  run
  1 limit broken by 1 of 1 run
  [1]
  $ cd .. && rm -r run
# no times, and GPUs that are not told apart: that is the reason then
  $ dir=$(mktemp -d)
  $ { echo "index, utilization.gpu [%]"; for i in {1..50}; do echo "0, 50"; done; } >"$dir/timeless.csv"
  $ { echo "timestamp, utilization.gpu [%]"
  >   for i in {0..4}; do echo "2026/07/03 10:00:00.0$((10 + 7 * i)), 50"; done; } >"$dir/undecided.csv"
  $ cd "$dir" && smilog check -q --fail-on warn --run-per file .
              LIMIT       RUN
  not judged  no reading  timeless.csv: no times in the GPU logs, so no findings
  not judged  no reading  undecided.csv: GPUs that could not be told apart, so no findings (--gpu-count N)
  0 of 2 runs meet all limits, 2 runs could not be judged
  [5]

github
  $ smilog check -q --max-idle-pct 10 --min-gpu-util 60 --fail-if "idle_pct*1.0 > 10 % 7" --format github ../../../fixtures/sweep
  ::error title=smilog%3A lr=0.03/seed=1::not (idle_pct*1.0 > 10 %25 7): idle_pct 6.0
  ::error title=smilog%3A lr=0.03/seed=2::not (idle_pct*1.0 > 10 %25 7): idle_pct 6.0
  ::error title=smilog%3A lr=0.03/seed=3::not (idle_pct*1.0 > 10 %25 7): idle_pct 6.2
  ::error title=smilog%3A lr=0.03/seed=4::not (idle_pct*1.0 > 10 %25 7): idle_pct 6.0
  ::error title=smilog%3A lr=0.1/seed=1::not (idle_pct*1.0 > 10 %25 7): idle_pct 7.5
  ::error title=smilog%3A lr=0.1/seed=2::not (idle_pct*1.0 > 10 %25 7): idle_pct 7.8
  ::error title=smilog%3A lr=0.1/seed=3::idle_pct <= 10: 14.7%0Anot (idle_pct*1.0 > 10 %25 7): idle_pct 14.7
  ::error title=smilog%3A lr=0.1/seed=4::not (idle_pct*1.0 > 10 %25 7): idle_pct 9.5
  ::error title=smilog%3A lr=0.3/seed=1::not (idle_pct*1.0 > 10 %25 7): idle_pct 5.9
  ::error title=smilog%3A lr=0.3/seed=2::not (idle_pct*1.0 > 10 %25 7): idle_pct 8.9
  ::error title=smilog%3A lr=0.3/seed=3::idle_pct <= 10: 53.1%0Agpu_util_mean_pct >= 60: 40.2%0Anot (idle_pct*1.0 > 10 %25 7): idle_pct 53.1
  ::warning title=smilog%3A lr=0.3/seed=4::idle_pct <= 10: no reading (no GPU log)%0Agpu_util_mean_pct >= 60: no reading (no GPU log)%0Anot (idle_pct*1.0 > 10 %25 7): no reading (no GPU log)
  3 limits broken by 11 of 12 runs, 1 run could not be judged
  [1]

hostile names
# each form says every name, and none of them is anything but a text
  $ log='timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50\n2026/07/03 10:00:02.000, 0, 50\n'
  $ top=$(mktemp -d) && cd "$top" || exit
  $ for name in $'a\n::error::b' $'\e[31mred' '"><script>&amp;]]>' '%0A::stop-commands::x' $'bad\xff\xfe' $'\xef\xbf\xbe\xef\xbf\xbf' $'\u202egnp.exe' "it's <b>" '=HYPERLINK("x")' '-v' "$(printf 'x%.0s' {1..200})"; do
  >     mkdir -p "out/$name" && printf "$log" >"out/$name/hw.csv"
  > done
  $ smilog check -q --min-gpu-util 60 --fail-if 'power_watts_mean > 1' --all out | LC_ALL=C grep -c '[^ -~]'
  0
  [1]
  $ smilog check -q --min-gpu-util 60 --fail-if 'power_watts_mean > 1 -- <"&>' --format github out
  ::error title=smilog%3A \x1b[31mred::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A "><script>&amp;]]>::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A %250A%3A%3Astop-commands%3A%3Ax::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A -v::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A =HYPERLINK("x")::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A a\x0a%3A%3Aerror%3A%3Ab::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A bad\xff\xfe::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A it's <b>::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A \xe2\x80\xaegnp.exe::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  ::error title=smilog%3A \xef\xbf\xbe\xef\xbf\xbf::gpu_util_mean_pct >= 60: 50.0%0Anot (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)
  1 limit broken by 11 of 11 runs
  [1]
  $ smilog check -q --min-gpu-util 60 --fail-if 'power_watts_mean > 1 -- <"&>' -o out.xml out
  [1]
  $ python3 -SE -c "
  > import xml.etree.ElementTree as t
  > for c in t.parse('out.xml').iter('testcase'): print([c.get('classname'), c.get('name'), *[(x.tag, x.get('message')) for x in c]])"
  ['gpu_util_mean_pct >= 60', '\\x1b[31mred', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '"><script>&amp;]]>', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '%0A::stop-commands::x', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '-v', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '=HYPERLINK("x")', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', 'a\\x0a::error::b', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', 'bad\\xff\\xfe', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', "it's <b>", ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '\\xe2\\x80\\xaegnp.exe', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['gpu_util_mean_pct >= 60', '\\xef\\xbf\\xbe\\xef\\xbf\\xbf', ('failure', 'gpu_util_mean_pct >= 60: 50.0')]
  ['not (power_watts_mean > 1 -- <"&>)', '\\x1b[31mred', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '"><script>&amp;]]>', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '%0A::stop-commands::x', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '-v', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '=HYPERLINK("x")', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', 'a\\x0a::error::b', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', 'bad\\xff\\xfe', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', "it's <b>", ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '\\xe2\\x80\\xaegnp.exe', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  ['not (power_watts_mean > 1 -- <"&>)', '\\xef\\xbf\\xbe\\xef\\xbf\\xbf', ('error', 'not (power_watts_mean > 1 -- <"&>): no reading (no power_watts_mean: no power column, or no reading in it)')]
  $ smilog check -q --min-gpu-util 60 --json out | python3 -SE -c "import json,sys; print(sorted(c['run'] for c in json.load(sys.stdin)['check']['limits'][0]['broken']))"
  ['\x1b[31mred', '"><script>&amp;]]>', '%0A::stop-commands::x', '-v', '=HYPERLINK("x")', 'a\n::error::b', 'bad��', "it's <b>", 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '\u202egnp.exe', '\ufffe\uffff']
  $ cd / && rm -r "$top"

json
  $ smilog check -q --max-idle-pct 10 --fail-if "param.lr > 0.1 and state = 'ok'" --json ../../../fixtures/sweep
  {"schema": "smilog/1", "generator": "smilog VERSION", "check": {"ok": false, "runs": 12, "limits_broken": 2, "runs_broken": 3, "runs_unjudged": 1, "allow_missing": false, "limits": [{"limit": "idle_pct <= 10", "held": 9, "broken": [{"run": "lr=0.3/seed=3", "value": 53.072629}, {"run": "lr=0.1/seed=3", "value": 14.681433}], "unjudged": [{"run": "lr=0.3/seed=4", "value": null, "reason": "no GPU log"}]}, {"limit": "not (param.lr > 0.1 and state = 'ok')", "held": 10, "broken": [{"run": "lr=0.3/seed=3", "value": "param.lr 0.3, state ok"}, {"run": "lr=0.3/seed=1", "value": "param.lr 0.3, state ok"}], "unjudged": []}], "baseline_only": []}}
  [1]

junit
  $ smilog check -q --max-idle-pct 10 --fail-on warn --format junit ../../../fixtures/sweep/lr=0.3
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="smilog check" tests="8" failures="3" errors="2" skipped="0">
    <testsuite name="idle_pct &lt;= 10" tests="4" failures="1" errors="1" skipped="0">
      <testcase classname="idle_pct &lt;= 10" name="seed=3">
        <failure message="idle_pct &lt;= 10: 53.1" type="limit"/>
      </testcase>
      <testcase classname="idle_pct &lt;= 10" name="seed=4">
        <error message="idle_pct &lt;= 10: no reading (no GPU log)" type="no reading"/>
      </testcase>
      <testcase classname="idle_pct &lt;= 10" name="seed=1"/>
      <testcase classname="idle_pct &lt;= 10" name="seed=2"/>
    </testsuite>
    <testsuite name="no finding of level warn or above" tests="4" failures="2" errors="1" skipped="0">
      <testcase classname="no finding of level warn or above" name="seed=2">
        <failure message="no finding of level warn or above: out of memory" type="limit"/>
      </testcase>
      <testcase classname="no finding of level warn or above" name="seed=3">
        <failure message="no finding of level warn or above: GPU 1 unused" type="limit"/>
      </testcase>
      <testcase classname="no finding of level warn or above" name="seed=4">
        <error message="no finding of level warn or above: no reading (no GPU log)" type="no reading"/>
      </testcase>
      <testcase classname="no finding of level warn or above" name="seed=1"/>
    </testsuite>
  </testsuites>
  [1]

junit allow missing
  $ smilog check -q --max-idle-pct 60 --allow-missing ../../../fixtures/sweep/lr=0.3 -o out.xml && cat out.xml; rm out.xml
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="smilog check" tests="4" failures="0" errors="0" skipped="1">
    <testsuite name="idle_pct &lt;= 60" tests="4" failures="0" errors="0" skipped="1">
      <testcase classname="idle_pct &lt;= 60" name="seed=4">
        <skipped message="idle_pct &lt;= 60: no reading (no GPU log)"/>
      </testcase>
      <testcase classname="idle_pct &lt;= 60" name="seed=1"/>
      <testcase classname="idle_pct &lt;= 60" name="seed=2"/>
      <testcase classname="idle_pct &lt;= 60" name="seed=3"/>
    </testsuite>
  </testsuites>

nan passes nothing
# nan, inf and a comma for a point are no numbers, and a text is none: what is compared with a limit has to be one
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ cd "$t" && ln -s "$OLDPWD/../../../fixtures/sweep" sweep
  $ cat >acc.csv <<'CSV'
  > run,acc,loss,note,best
  > lr=0.1/seed=1,NaN,"0,5",3,inf
  > lr=0.1/seed=2,0.95,0.2,diverged,nan
  > lr=0.3/seed=1,0.85,-inf,5,
  > lr=0.3/seed=2,N/A,1,7,
  > CSV
  $ w="run glob 'lr=0.[13]/seed=[12]'"
  $ for e in 'acc < 0.9' 'loss > 0.4' 'note < 4' 'best > 1'; do
  >     smilog check -q sweep/ --join acc.csv --where "$w" --fail-if "$e"
  >     echo "$e: $?"
  > done
              LIMIT       VALUE  RUN
  FAIL        acc >= 0.9   0.85  lr=0.3/seed=1
  not judged  no reading      -  lr=0.1/seed=1: no acc
  not judged  no reading      -  lr=0.3/seed=2: no acc
  1 limit broken by 1 of 4 runs, 2 runs could not be judged
  acc < 0.9: 1
              LIMIT        VALUE  RUN
  FAIL        loss <= 0.4    1.0  lr=0.3/seed=2
  not judged  no reading       -  lr=0.1/seed=1: no loss
  not judged  no reading       -  lr=0.3/seed=1: no loss
  1 limit broken by 1 of 4 runs, 2 runs could not be judged
  loss > 0.4: 1
              LIMIT       VALUE  RUN
  FAIL        note >= 4       3  lr=0.1/seed=1
  not judged  no reading      -  lr=0.1/seed=2: note is no number: diverged
  1 limit broken by 1 of 4 runs, 1 run could not be judged
  note < 4: 1
              LIMIT       RUN
  not judged  no reading  lr=0.1/seed=1: no best
  not judged  no reading  lr=0.1/seed=2: no best
  not judged  no reading  lr=0.3/seed=1: no best
  not judged  no reading  lr=0.3/seed=2: no best
  0 of 4 runs meet all limits, 4 runs could not be judged
  best > 1: 5
  $ smilog summarize -q sweep/ --join acc.csv --where "$w" --columns run,acc,loss,note,best --sort -acc --format csv
  run,acc,loss,note,best
  lr=0.1/seed=2,0.95,0.2,diverged,
  lr=0.3/seed=1,0.85,,5,
  lr=0.1/seed=1,,,3,
  lr=0.3/seed=2,,1.0,7,
  $ smilog summarize sweep/ --join acc.csv --where "$w" --columns run 2>&1 | grep acc.csv:
  smilog: warning: acc.csv: of acc 2 cells are no numbers, as "NaN": absent
  smilog: warning: acc.csv: of loss 2 cells are no numbers, as "0,5": absent
  smilog: warning: acc.csv: of best 2 cells are no numbers, as "inf": absent
  smilog: warning: acc.csv: runs without a row in it: 8
  $ mkdir -p p/lr=nan p/lr=0.2 p/lr=auto
  $ for r in p/*; do cp sweep/lr=0.1/seed=1/hw_metrics.csv $r; done
  $ smilog summarize -q p --columns run,lr --sort -lr --format csv
  run,lr
  lr=auto,auto
  lr=0.2,0.2
  lr=nan,
  $ smilog check -q p --fail-if 'param.lr > 0.5'
              LIMIT       RUN
  not judged  no reading  lr=auto: param.lr is no number: auto
  not judged  no reading  lr=nan: no param.lr
  1 of 3 runs meets all limits, 2 runs could not be judged
  [5]

no value in an expression
# NULL or true is true; NULL or false is not known
  $ smilog check -q --fail-if 'idle_pct > 10 or duration_s > 3000' ../../../fixtures/sweep/lr=0.3/seed=4
        LIMIT                                                             VALUE  RUN
  FAIL  idle_pct > 10 or duration_s > 3000 holds  idle_pct -, duration_s 3590.0  seed=4
  1 limit broken by 1 of 1 run
  [1]
  $ smilog check -q --fail-if 'idle_pct > 10 or duration_s > 6000' ../../../fixtures/sweep/lr=0.3/seed=4
              LIMIT       RUN
  not judged  no reading  seed=4: no GPU log
  0 of 1 run meets all limits, 1 run could not be judged
  [5]

no value never passes
  $ smilog check -q --max-idle-pct 60 ../../../fixtures/sweep
              LIMIT       RUN
  not judged  no reading  lr=0.3/seed=4: no GPU log
  11 of 12 runs meet all limits, 1 run could not be judged
  [5]

nothing to check
  $ for name in a b c; do echo no log >$name.txt; done
  $ smilog check --max-idle-pct 10 .
  2> smilog: .: warning: holds no log (files looked at: 3; -v names them)
  2> smilog: nothing to check: no usable log in .
  [3]
  $ smilog check -q --max-idle-pct 10 --where 'duration_s < 0' ../../../fixtures/sweep
  2> smilog: nothing to check: --where 'duration_s < 0' leaves none of 12 runs
  [3]

ok is one line
  $ smilog check --max-idle-pct 60 ../../../fixtures/sweep/lr=0.1/seed=3
  ok    1 limit holds in 1 run

output that cannot be written
  $ smilog check --max-idle-pct 60 -o /nowhere/x.xml ../../../fixtures/sweep/lr=0.1/seed=3
  2> smilog: cannot create /nowhere/x.xml: No such file or directory
  [4]

quiet says nothing where all is well
  $ smilog check -q --max-idle-pct 60 ../../../fixtures/sweep/lr=0.1/seed=3

share wasted
  $ smilog check -q --max-wasted-pct 10 ../../../fixtures/sweep
              LIMIT             VALUE  RUN
  FAIL        wasted_pct <= 10  100.0  lr=0.3/seed=2
  FAIL        wasted_pct <= 10   53.1  lr=0.3/seed=3
  FAIL        wasted_pct <= 10   14.7  lr=0.1/seed=3
  not judged  no reading            -  lr=0.3/seed=4: no GPU log
  1 limit broken by 3 of 12 runs, 1 run could not be judged
  [1]
  $ echo "status $?"
  status 1
  $ smilog summarize -q --where 'wasted_pct > 10' --columns run,wasted_total_h,gpu_hours,wasted_pct ../../../fixtures/sweep
  run            wasted_total_h  gpu_hours  wasted_pct
  lr=0.1/seed=3        0.29459    2.006548   14.681433
  lr=0.3/seed=2        1.378471   1.378471  100.0
  lr=0.3/seed=3        1.056092   1.989899   53.072629
  $ smilog summarize -q --sql 'select count(*) n, max(abs(wasted_pct - 100 * wasted_total_h / gpu_hours)) < 0.0001 same from runs where wasted_pct is not null' ../../../fixtures/sweep
   n  same
  11     1

strict says one
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 5\nx, 0, 5\n2026/07/03 10:00:02.000, 0, 50\n' >hw.csv
  $ smilog check -q --max-idle-pct 60 hw.csv; echo $?
  0
  $ smilog check -q --strict --max-idle-pct 60 hw.csv
  [1]
  $ rc=$?; rm hw.csv; exit $rc
  [1]

the limit itself holds
# idle_pct is 14.681433
  $ smilog check -q --max-idle-pct 14.681433 ../../../fixtures/sweep/lr=0.1/seed=3 &&
  > smilog check -q --max-idle-pct 14.681432 ../../../fixtures/sweep/lr=0.1/seed=3
        LIMIT                  VALUE  RUN
  FAIL  idle_pct <= 14.681432   14.7  seed=3
  1 limit broken by 1 of 1 run
  [1]

the screen
  $ smilog check -q --max-idle-pct 10 --min-gpu-util 60 ../../../fixtures/sweep
              LIMIT                    VALUE  RUN
  FAIL        idle_pct <= 10            53.1  lr=0.3/seed=3
  FAIL        idle_pct <= 10            14.7  lr=0.1/seed=3
  FAIL        gpu_util_mean_pct >= 60   40.2  lr=0.3/seed=3
  not judged  no reading                   -  lr=0.3/seed=4: no GPU log
  2 limits broken by 2 of 12 runs, 1 run could not be judged
  [1]

usage
  $ smilog check .
  2> smilog: check needs a limit, for example --max-idle-pct 10 or --fail-on warn
  2> try: smilog help check
  [2]
  $ smilog check --max-idle 10 .
  2> smilog: unknown option --max-idle; did you mean --max-idle-pct?
  2> try: smilog help check
  [2]
  $ smilog check --max-idle-pct -3 .
  2> smilog: --max-idle-pct needs a number that is not negative, not "-3"
  2> try: smilog help check
  [2]
  $ smilog check --max-idle-pct 10 --format jnit .
  2> smilog: --format: there is no "jnit"; did you mean junit?
  2> try: smilog help check
  [2]
  $ smilog check --max-idle-pct 10 -o check.pdf .
  2> smilog: the ending of check.pdf names no format (.txt .json .xml do): add --format NAME
  2> try: smilog help check
  [2]
  $ smilog check --fail-on wrn .
  2> smilog: --fail-on is one of info|warn|strong|error, not "wrn"
  2> try: smilog help check
  [2]
  $ smilog check --max-idle-pct 10 ''
  2> smilog: a PATH is empty: a variable that is not set?
  2> try: smilog help check
  [2]

where and join
  $ printf 'run,accuracy\nlr=0.1/seed=1,0.97\nlr=0.1/seed=2,0.91\n' >acc.csv
  $ smilog check -q --join acc.csv --fail-if 'accuracy < 0.95' --where 'lr = 0.1' ../../../fixtures/sweep
              LIMIT             VALUE  RUN
  FAIL        accuracy >= 0.95   0.91  lr=0.1/seed=2
  not judged  no reading            -  lr=0.1/seed=3: no accuracy
  not judged  no reading            -  lr=0.1/seed=4: no accuracy
  1 limit broken by 1 of 4 runs, 2 runs could not be judged
  [1]
  $ smilog check -q --join acc.csv --fail-if 'accuracy < 0.95 and lr > 0' --where 'lr = 0.1' ../../../fixtures/sweep
              LIMIT                                             VALUE  RUN
  FAIL        accuracy < 0.95 and lr > 0 holds  accuracy 0.91, lr 0.1  lr=0.1/seed=2
  not judged  no reading                                            -  lr=0.1/seed=3: no accuracy
  not judged  no reading                                            -  lr=0.1/seed=4: no accuracy
  1 limit broken by 1 of 4 runs, 2 runs could not be judged
  [1]
  $ rm acc.csv
