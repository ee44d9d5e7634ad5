at most 240 bytes
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ mkdir -p "$t/$(printf %0200d 0)"
  $ cp -r ../../../fixtures/sweep/lr=0.3/seed=2 "$t/$(printf %0200d 0)"
  $ smilog summarize -q --format line "$t" | awk 'length($0) > 240 { print "too long: " length($0) } END { print NR " line" }'
  1 line

keys in order
  $ smilog summarize -q --format line ../../../fixtures/sweep/lr=0.3/seed=2 | python3 -SE -c 'import json, sys; print(*json.load(sys.stdin))'
  v ngpu gpu_util gpu_mem_max gpu_power gpu_h idle_h wh state note

no readings
  $ mkdir -p out
  $ cat >out/run.jsonl <<'EOF'
  > {"ts": "2026-07-03T10:00:00.000+00:00", "type": "event", "event": "note"}
  > EOF
  $ smilog summarize -q --format line out
  {"v":1,"ngpu":0,"state":"no-data"}

one run
  $ mkdir -p out
  $ cat >out/hw_metrics.csv <<'EOF'
  > timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]
  > 2026/07/03 10:00:00.000, 0, 0, 100.00, 1000
  > 2026/07/03 10:00:00.004, 1, 50, 100.00, 2000
  > 2026/07/03 10:00:36.000, 0, 100, 300.00, 5000
  > 2026/07/03 10:00:36.004, 1, 0, 100.00, 2001
  > 2026/07/03 10:01:12.000, 0, 100, 300.00, 5000
  > 2026/07/03 10:01:12.004, 1, 100, 100.00, 2000
  > EOF
  $ smilog summarize -q --format line out
  {"v":1,"ngpu":2,"gpu_util":56.2,"gpu_mem_max":5000,"gpu_power":350.0,"gpu_h":0.04,"idle_h":0.01,"wh":7.0,"state":"unknown"}

several runs have names
# The line of one run has no name; those of several say whose they are, in at most 240 bytes.
  $ dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
  $ long=$(printf 'x%.0s' $(seq 90))
  $ for run in a 'b "q" c' "$long-1-$long" "$long-2-$long"; do
  >     mkdir -p "out/$run"
  >     printf 'timestamp, index, utilization.gpu [%%]\n2026/07/03 10:00:00.000, 0, 50 %%\n2026/07/03 10:00:02.000, 0, 50 %%\n' >"out/$run/gpu.csv"
  > done
  $ mkdir out/d && echo 'No devices were found' >out/d/gpu.csv
  $ smilog summarize -q --format line out
  {"v":1,"run":"a","ngpu":1,"gpu_util":50.0,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}
  {"v":1,"run":"b\\x20\"q\"\\x20c","ngpu":1,"gpu_util":50.0,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}
  {"v":1,"run":"d","ngpu":0,"state":"no-data"}
  {"v":1,"run":"…1-xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxx","ngpu":1,"gpu_util":50.0,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}
  {"v":1,"run":"…2-xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxx","ngpu":1,"gpu_util":50.0,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}
  $ smilog summarize -q --format line out | awk 'length($0) > 240 { print "too long" }'
  $ smilog summarize -q --format line out | python3 -SE -c 'import json, sys; print(*(json.loads(line)["run"] for line in sys.stdin), sep="\n")'
  a
  b\x20"q"\x20c
  d
  …1-xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxx
  …2-xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxx
  $ smilog summarize -q --format line out/a
  {"v":1,"ngpu":1,"gpu_util":50.0,"gpu_mem_max":null,"gpu_power":null,"gpu_h":0.00,"idle_h":0.00,"wh":null,"state":"unknown"}
