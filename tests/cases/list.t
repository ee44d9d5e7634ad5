alerts
# One table of findings and alerts, whichever name is asked for.
  $ smilog list rules | diff - <(smilog list alerts) && smilog list rules --json | diff - <(smilog list alerts --json) && echo the same
  the same
  $ smilog list alerts --json | python3 -SE -c "import json, sys; print(sorted(set(map(tuple, json.load(sys.stdin)))))"
  [('rule', 'of', 'level', 'unit', 'side', 'limit', 'at', 'least_s', 'samples', 'on_s', 'off_s', 'short', 'text', 'help', 'advice', 'words')]

columns
  $ smilog list columns
  TABLE   COLUMN                 TYPE     UNIT  MEANING
  runs    run                    text     -     Its name: the path below the PATH given
  runs    state                  text     -     ok, failed, cut, unknown, no-data
  runs    state_reason           text     -     Why it is in that state
  runs    exit_code              integer  -     Exit status of the command, as its RunLog says
  runs    hostname               text     -     The machine that the logs are from
  runs    start                  text     -     First stamp, in UTC with a Z, else on a clock whose zone is not known
  runs    end                    text     -     Last stamp, the same way
  runs    duration_s             real     s     From the first stamp to the last, segments added up
  runs    peak_vram_mb           real     MiB   Largest reading of used memory
  runs    gpu_util_mean_pct      real     %     Utilisation, mean of all readings of all GPUs
  runs    gpu_util_max_pct       real     %     Utilisation, largest reading
  runs    power_watts_mean       real     W     Power of a GPU, mean of all readings; W of the table is the sum of all GPUs
  runs    power_watts_max        real     W     Power of a GPU, largest reading
  runs    cpu_usr_mean_pct       real     %     User time of the CPUs, mean of all readings
  runs    cpu_idle_mean_pct      real     %     Idle time of the CPUs, mean of all readings
  runs    jax_peak_bytes_mb      real     MiB   The framework's own peak of memory, from the RunLog
  runs    mem_util_mean_pct      real     %     Time the memory was busy, mean of all readings
  runs    mem_util_max_pct       real     %     Time the memory was busy, largest reading
  runs    gpu_util_time_mean_pct real     %     Utilisation of all GPUs, mean over time without gaps: GPU % of the tables
  runs    covered_s              real     s     Time in intervals that are no gap, of the GPU with most of it
  runs    energy_wh              real     Wh    Energy of all GPUs
  runs    energy_covered_s       real     s     Time that the energy is of, of the GPU with most of it
  runs    energy_coverage_pct    real     %     Share of the GPU time that the energy is of: where power is known
  runs    vram_device_peak_mb    real     MiB   Largest used memory of a GPU, as the device says
  runs    vram_all_gpus_peak_mb  real     MiB   The sum over GPUs of each one's largest
  runs    vram_used_peak_mb      real     MiB   The framework's own peak, else the device's
  runs    vram_source            text     -     Source of that peak: jax, torch or device
  runs    vram_reserved          boolean  -     Whether the framework reserved the memory: it stayed at one level, and the framework's own peak was lower
  runs    vram_total_mb          real     MiB   Memory of a GPU
  runs    idle_pct               real     %     Share of the GPU time at or below the idle limit
  runs    longest_idle_s         real     s     Longest idle stretch of a GPU
  runs    gpu_hours              real     h     Covered time of all GPUs
  runs    wasted_failed_h        real     h     GPU-hours of a failed run
  runs    wasted_unused_h        real     h     GPU-hours of GPUs that did no work
  runs    wasted_start_h         real     h     GPU-hours idle before the first work
  runs    wasted_stall_h         real     h     GPU-hours idle between work
  runs    wasted_end_h           real     h     GPU-hours idle after the last work
  runs    wasted_total_h         real     h     The sum of these; queries may also say wasted_h
  runs    wasted_pct             real     %     Share of the GPU time that was wasted
  runs    cost                   real     -     Cost of its GPU-hours and energy, with --price-gpu-hour, --price-kwh
  runs    wasted_cost            real     -     Cost of the GPU-hours in wasted_total_h
  runs    co2_g                  real     g     CO2 of its energy, with --gco2-kwh
  runs    steps_per_s            real     1/s   Mean rate of steps, from the first to the last that the run log or W&B has
  runs    ngpus                  integer  -     GPUs that can be told apart
  runs    throttled_pct          real     %     Largest share of time of a reason of slowdown
  runs    errors                 text     -     Errors of GPUs: kind=count, a blank between two
  runs    incomplete             text     -     Why its numbers are not of all its GPUs, all the time: words with a blank between; none: they are
  param   run                    text     -     The run that it is of: as runs.run
  param   NAME                   text     -     Each parameter by its own name: a number, or text; one row a run
  gpus    run                    text     -     The run that it is of: as runs.run
  gpus    gpu                    integer  -     Its index; none: not known, or rows that could not be told apart
  gpus    uuid                   text     -     As the driver names it
  gpus    bus                    text     -     Its PCI bus id
  gpus    name                   text     -     Its model
  gpus    samples                integer  -     Rows
  gpus    energy_wh              real     Wh    Energy
  gpus    energy_covered_s       real     s     Time that its energy is of: where power is known
  gpus    energy_coverage_pct    real     %     Share of its time in which power is known
  gpus    idle_pct               real     %     Share of its time at or below the idle limit
  gpus    longest_idle_s         real     s     Longest idle stretch
  gpus    coverage_pct           real     %     Share of its time in which utilisation is known
  gpus    interval_s             real     s     Lower median of its intervals
  gpus    interval_max_s         real     s     Largest of them
  gpus    gaps                   integer  -     Intervals that are so long that nothing is known of them
  gpus    METRIC_STAT            real     -     Of each gauge of list metrics (. as _): count mean min max stddev p1 p5 p25 p50 p75 p95 p99, of some time_mean
  gpus    COUNTER_STAT           real     -     Of each counter: count first last increase
  gpus    throttle_REASON_pct    real     %     Share of time of a reason of slowdown
  phases  run                    text     -     The run that it is of: as runs.run
  phases  name                   text     -     Its name
  phases  count                  integer  -     How many there were of it
  phases  seconds                real     s     How long they took together
  phases  peak_vram_mb           real     -     As of runs, of the rows inside it
  phases  gpu_util_mean_pct      real     -     As of runs, of the rows inside it
  phases  gpu_util_max_pct       real     -     As of runs, of the rows inside it
  phases  power_watts_mean       real     -     As of runs, of the rows inside it
  phases  power_watts_max        real     -     As of runs, of the rows inside it
  phases  cpu_usr_mean_pct       real     -     As of runs, of the rows inside it
  phases  cpu_idle_mean_pct      real     -     As of runs, of the rows inside it
  phases  jax_peak_bytes_mb      real     -     As of runs, of the rows inside it
  phases  mem_util_mean_pct      real     -     As of runs, of the rows inside it
  phases  mem_util_max_pct       real     -     As of runs, of the rows inside it
  phases  energy_wh              real     Wh    Energy of all GPUs
  phases  idle_pct               real     %     Share of the GPU time at or below the idle limit
  phases  samples                integer  -     Rows of GPUs inside it
  findings run                    text     -     The run that it is of: as runs.run
  findings rule                   text     -     What it is: see list rules
  findings level                  text     -     info, warn, strong, error
  findings gpu                    integer  -     Index of its GPU; none: the run as a whole
  findings phase                  text     -     The phase that it lies in, or is about
  findings from                   text     -     When it began, as start; "from" in SQL
  findings to                     text     -     When the last reading of that showed it; "to" in SQL
  findings seconds                real     s     How long it was: of several stretches the longest
  findings total_seconds          real     s     All stretches of its GPU
  findings stretches              integer  -     How many stretches there were
  findings gpu_hours              real     h     The GPU-hours that it is about
  findings cost                   real     -     Cost of these GPU-hours, with --price-gpu-hour
  findings value                  real     -     What was measured, in the unit of its rule
  findings limit                  real     -     The limit of its rule; "limit" in SQL
  findings text                   text     -     What happened
  findings advice                 text     -     What to do
  ledger  gpu_name               text     -     Its model
  ledger  user                   text     -     Whose job it was
  ledger  account                text     -     On whose account it ran
  ledger  partition              text     -     Partition of the cluster
  ledger  job                    text     -     Its number; of a run without one, the run's name
  ledger  node                   text     -     The machine
  ledger  state                  text     -     As runs.state
  ledger  month                  text     -     In which it began
  ledger  day                    text     -     On which it began
  ledger  gpu_uuid               text     -     The GPU; groups of GPUs have what follows up to power_w, too
  ledger  note                   text     -     slow: a GPU far below its sisters, in many jobs
  ledger  clock_pct              real     %     Clock of a GPU at equal load; its sisters have 100
  ledger  power_pct              real     %     The same of its power
  ledger  clock_mhz              real     MHz   Its clock at a utilisation of 90 % and more, mean over its jobs
  ledger  power_w                real     W     Its mean power there
  ledger  jobs                   integer  -     How many, each once
  ledger  gpu_hours              real     h     GPU-hours of all of them
  ledger  used_h                 real     h     GPU-hours in which they worked
  ledger  idle_h                 real     h     GPU-hours idle before, between and after work
  ledger  failed_h               real     h     GPU-hours of jobs that failed
  ledger  held_idle_h            real     h     GPU-hours of GPUs that did nothing in their job
  ledger  used_pct               real     %     The share of used_h
  ledger  unknown_h              real     h     GPU-hours without a reading of utilisation
  ledger  memory_held_h          real     h     Idle GPU-hours with more than 512 MiB of memory in use
  ledger  memory_free_h          real     h     Idle GPU-hours with less
  ledger  incomplete             integer  -     Jobs whose row says what its numbers lack, as runs.incomplete has it
  ledger  energy_kwh             real     kWh   Energy
  ledger  cost                   real     -     Cost of the GPU-hours and the energy, where prices are given

columns are those of csv
  $ smilog summarize -q ../../../fixtures/sweep --price-gpu-hour 1 --gco2-kwh 1 --format csv | head -n 1 | tr , '\n' | grep -v '^param' | diff - <(smilog list columns | awk '$1 == "runs" {print $2}') && echo same
  same

formats
  $ smilog list formats | cut -d ' ' -f 1
  nvidia-smi-query
  dmon
  amd-smi-metric
  amd-smi-monitor
  rocm-smi
  rocm-smi-json
  usage-log
  wandb
  mlflow
  dcgmi
  gpu-csv
  gpu-tracker
  tegrastats
  jtop-csv
  nvitop-csv
  codecarbon
  gpu-exporter
  gpustat
  gpustat-json
  nvtop-json
  amd-smi-json
  gpu-json
  nvidia-smi-table
  nvidia-smi-report
  nvidia-smi-xml
  samples-jsonl
  samples-csv
  pmon
  compute-apps
  amd-smi-process
  accounted-apps
  retired-pages
  cpu-csv
  proc-stat
  procs-csv
  kernel-log
  runlog

metrics
  $ smilog list metrics | grep -E '^(METRIC|gpu_util_pct|throttle_us.sync_boost|pstate|cpu_idle_pct) ' | cut -c 1-55
  METRIC                                   UNIT  KIND   \x20 (esc)
  gpu_util_pct                             %     gauge  \x20 (esc)
  pstate                                   -     state  \x20 (esc)
  throttle_us.sync_boost                   us    counter\x20 (esc)
  cpu_idle_pct                             %     gauge  \x20 (esc)

metrics are the keys of json
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ smilog list metrics | tail -n +2 | cut -d ' ' -f 1 >"$t/keys"
  $ smilog summarize -q --json ../../../fixtures/sweep/lr=0.1/seed=3 | python3 -SE -c '
  > import json, sys
  > known = open(sys.argv[1]).read().split()
  > used = [k for r in json.load(sys.stdin)["runs"] for g in r["gpus"] + [r["host"]] for k in g["metrics"]]
  > print(len(used) > 5, set(used) - set(known))' "$t/keys"
  True set()

nothing named
  $ smilog list
  2> smilog: list needs one of metrics, formats, outputs, columns, rules, alerts, schema, settings
  2> try: smilog help list
  [2]

rules
  $ smilog list rules
  RULE                  OF      LEVEL  LEAST  WHAT IT SAYS: WHAT TO DO
  failed                finding error  300 s  The run failed: a checkpoint now and then keeps what was done
  out-of-memory         finding error  300 s  The run ran out of GPU memory: a smaller batch may fit
  unused                finding warn   300 s  A GPU was never above the idle limit: request fewer GPUs
  start                 finding info   300 s  The GPUs were idle for 120 s or more before the first work: load and compile before a GPU is held, or keep what was compiled
  end                   finding info   300 s  The GPUs were idle for 120 s or more after the last work: give the GPU back when its work ends
  stall                 finding warn   300 s  A GPU was idle for 60 s or more between work: loading, saving or evaluating without the GPU?
  very-low-util         finding strong 300 s  A GPU was used less than 15 %, averaged over time: larger batches, faster input, or several jobs on a GPU
  low-util              finding warn   300 s  A GPU was used less than 25 %, averaged over time: larger batches, faster input, or several jobs on a GPU
  hang                  finding strong 300 s  A GPU was used 95 % or more for 120 s while it drew at most 35 % of its power limit: ranks that wait for each other? see where each process stands, as py-spy dump shows it
  busy-waiting          finding warn   300 s  A GPU says that it is busy, and draws less than 25 % of its power limit: a kernel that spins, or ranks that wait for each other?
  straggler             finding warn   300 s  A GPU is 20 points or more below the others, or above each of them: work that is not shared evenly?
  cpu-oversubscribed    finding warn   300 s  All CPUs were busy, 95 % or more on average: more CPUs, or fewer threads and workers
  zero-metric           finding warn   300 s  A metric of a GPU is 0 all the time, though others say that it works: do not trust this metric
  compile               finding warn   300 s  Phases of compiling took 20 % of the run or more: a cache of compiled programs, or fewer shapes
  memory-growth         finding warn   3600 s  The memory in use grew steadily, by 96 MiB/h or more: a leak, or a cache without a limit?
  memory-near-full      finding warn   300 s  98 % of the memory of a GPU or more was used: little is left before it runs out
  memory-mostly-empty   finding info   300 s  Less than 40 % of the memory was used at any time: a larger batch may fit
  memory-held           finding warn   300 s  A GPU that did no work had 512 MiB of memory in use or more for 60 s, and no process: a process that did not end, or one that the log cannot see?
  hot                   finding warn   300 s  A GPU had 90 C or more for 60 s: cooling, or a lower power limit
  throttle-hw-thermal   finding warn   300 s  A GPU was slowed by its hardware for heat, for 5 % of the time or more: cooling, or a lower power limit
  throttle-sw-thermal   finding warn   300 s  A GPU was slowed by its driver for heat, for 5 % of the time or more: cooling, or a lower power limit
  throttle-power-brake  finding warn   300 s  A GPU was slowed by the power brake of the system for 5 % of the time or more: the power supply does not keep up
  throttle-hw-slowdown  finding warn   300 s  A GPU was slowed by its hardware for 5 % of the time or more: heat, or the power supply?
  throttle-power-cap    finding info   300 s  A GPU was at its power limit for 25 % of the time or more: nothing to do: it gives what its limit allows
  throttle-sync-boost   finding info   300 s  A GPU was tied to the clocks of another for 25 % of the time or more: nothing to do: such GPUs are to keep step
  throttle-setting      finding info   300 s  A GPU was limited by a setting of its clocks for 25 % of the time or more: nothing to do if somebody set them on purpose
  power-limit-changed   finding warn   300 s  The power limit of a GPU was lowered by 10 % or more: who lowered it, and why? nvidia-smi -q -d POWER shows the default
  clocks-low            finding warn   300 s  A busy GPU ran at less than 60 % of its highest SM clock, most of the time or for 5 minutes: a limit on clocks or power?
  slow-gpu              finding warn   300 s  A busy GPU had less than 85 % of the SM clock or the power limit of the other GPUs of its model: look at its temperature and power supply; swap it with a peer: does the fault move with it?
  pcie-degraded         finding warn   300 s  The PCIe link of a busy GPU was slower than board and slot allow: is the board seated well, and in a slot of full width? is a riser in between?
  gpu-lost              finding error    0 s  The driver lost a GPU: the machine has to be restarted, or the GPU replaced
  gpu-vanished          finding error  300 s  A GPU was not read for more than 60 s and ten intervals while others were: the log of the system may say why; a GPU that is lost needs a restart
  gpu-reset-required    finding error    0 s  A GPU requires a reset: nvidia-smi --gpu-reset, with no process on it
  xid                   finding error    0 s  The driver reported an XID: NVIDIA's list of XIDs says what it means
  no-driver             finding error    0 s  The driver was not reached: is it loaded, and as new as its library?
  ecc-uncorrected       finding error    0 s  A GPU had uncorrected ECC errors: results may be wrong; the GPU has to be reset, perhaps replaced
  row-remap-failed      finding error    0 s  Remapping of memory rows failed on a GPU: the GPU has to be replaced
  recovery-action       finding error    0 s  A GPU asks for a recovery action: do what it asks for before the next run
  memory-repaired       finding info   300 s  Memory of a GPU was repaired, or its repair is pending: a reset of the GPU completes what is pending
  ecc-corrected         finding info   300 s  A GPU had corrected ECC errors: nothing to do: they were corrected
  gpu-error             finding info   300 s  A GPU had errors of an unknown kind: the log of the system may say more
  gaps                  finding warn   300 s  1 % of the time or more is without a reading: the logger, or the machine, stood still
  slow-sampling         finding info   300 s  Readings are more than 15 s apart: shorter stalls and peaks are not seen
  gpu-lost              alert   error    0 s  The driver has lost the GPU, or no longer lists it (lost); over when that has ended for 10 s
  gpu-missing           alert   error    0 s  There are fewer GPUs than --expect-gpus (missing); over when that has ended for 10 s
  gpu-fault             alert   error    0 s  The driver tells of an XID, of uncorrected ECC errors, of readings that fail, or that the GPU needs a reset (fault); over when that has ended for 300 s
  run-failed            alert   error    0 s  A RunLog says that its run has failed (failed)
  monitor-dead          alert   error   10 s  A monitor is down, says nothing for 3 intervals, or ended 3 times within 10 minutes (dead); over when that has ended for 10 s
  not-recorded          alert   error    0 s  Lines of a recording have no room on the disk (unrecorded); over when that has ended for 10 s
  memory-full           alert   error   10 s  98 % of the memory or more is used (full); over when that has ended for 60 s
  thermal               alert   warn     0 s  A GPU is slowed by heat for 60 s, with pauses of 30 s at most (hot); over when that has ended for 60 s
  temperature           alert   warn    10 s  A GPU has 90 C or more (warm); over when that has ended for 60 s
  hang                  alert   warn     0 s  A GPU was fully used for 120 s at little power, as the finding has it where the log has a power limit (hangs); over when that has ended for 10 s
  idle                  alert   warn     0 s  A GPU did no work for 300 s or more (idle)
  stale                 alert   warn    10 s  There is no reading for 3 intervals (old); over when that has ended for 10 s
  logs-ended            alert   warn    10 s  No log that is followed grows: all had ended before, or were silent for an hour (ended)
  memory-growth         alert   warn     0 s  Memory has grown by 16 MiB or more in each of the last six stretches of 10 minutes (grows); over when that has ended for 60 s
  a finding is what a run shows; LEAST: seconds of readings without which it says nothing; none says anything of a GPU with less than 10 readings
  an alert is what live and follow say; LEAST: seconds for which it has to hold (--once waits for nothing: it judges the readings of the moment); (WORD): in lines of --plain
  --rules FILE sets other limits
  compile speaks of phases that have one of these as a whole word of their name, as jit_step and JitStep:
    compile compiles compiled compiling compiler compilation precompile recompile recompiling recompilation jit autotune autotuned autotuning warmup
    (warmup, warm-up: only as the whole name, as learning rates have one too)

schema that is not there
  $ smilog list schema nothing
  2> smilog: there is no schema nothing; smilog list schema lists them
  2> try: smilog help list
  [2]

schemas
  $ smilog list schema
  SCHEMA   OF
  json     smilog summarize --json
  jsonl    smilog summarize --format jsonl: one run per line
  rows     summarize and merge with --columns, --group-by or --sql, --format json
  line     smilog summarize --format line
  check    smilog check --format json
  diff     smilog diff --json
  live     smilog live and follow: --format jsonl, --once --json
  $ for name in $(smilog list schema | sed '1d; s/ .*//'); do
  >     smilog list schema $name | python3 -SE -c '
  > import json, sys
  > s = json.load(sys.stdin)
  > print(s["$schema"], len(s["properties"]) > 3 or sorted(s["properties"]))'
  > done
  https://json-schema.org/draft/2020-12/schema True
  https://json-schema.org/draft/2020-12/schema True
  https://json-schema.org/draft/2020-12/schema True
  https://json-schema.org/draft/2020-12/schema True
  https://json-schema.org/draft/2020-12/schema ['check', 'generator', 'schema']
  https://json-schema.org/draft/2020-12/schema ['diff', 'generator', 'schema']
  https://json-schema.org/draft/2020-12/schema True

unknown word
  $ smilog list metrix
  2> smilog: there is no list of metrix; did you mean metrics?
  2> try: smilog help list
  [2]
