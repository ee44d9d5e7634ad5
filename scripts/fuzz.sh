#!/bin/bash
# Fuzzes every reader for SECONDS each (default 60), then says how much of its source the found inputs cover.
# Usage: scripts/fuzz.sh [SECONDS] [TARGET...]     Exit status 1: a crash.
#   RUNS=N   at least so many executions of each target too: it goes on behind its seconds until it has them
#   JOBS=N   targets at a time (default: the CPUs)
# The corpus stays in build/fuzz/corpus_TARGET and is the start of the next run; crashes are build/fuzz/crash_TARGET-*:
#   FUZZ_FORMAT=dmon build/fuzz/san/reader build/fuzz/crash_dmon-...
#
# A new reader is one row of this table: target, the format's name for --input-format (-: none, it is told by the
# content), the largest input in bytes, and the sources that are the reader's own (coverage is of their lines). Every
# file under tests/ that the program tells as this format is a seed, and every text in its sources a word of the
# dictionary. More seeds: `text TARGET OPTIONS TEXT` in seeds().
targets='
query      nvidia-smi-query 1500 src/nvidia/query*.c
dmon       dmon             1200 src/nvidia/dmon*.c
cpu        cpu-csv          600  src/tools/cpu_csv.c
runlog     runlog           1500 src/jsonl/runlog.c src/jsonl/plain_line.c src/jsonl/json_line.c
dcgmi      dcgmi            1200 src/tools/dcgmi.c
procstat   proc-stat        1500 src/tools/proc_stat.c
usage      usage-log        2500 src/jsonl/usage_log.c src/jsonl/commands.c
gpucsv     gpu-csv          1200 src/tools/gpu_*.c
amdmetric  amd-smi-metric   1500 src/amd/amd_smi.c src/amd/columns.c
amdmonitor amd-smi-monitor  1200 src/amd/amd_smi.c src/amd/columns.c
rocm       rocm-smi         1200 src/amd/rocm.c src/amd/rocm_csv.c
rocmjson   rocm-smi-json    1500 src/amd/rocm.c src/amd/rocm_json.c
pmon       pmon             1200 src/nvidia/pmon.c src/format/round.c
apps       compute-apps     1200 src/nvidia/apps*.c src/format/round.c
accounted  accounted-apps   1200 src/nvidia/apps*.c src/format/round.c
retired    retired-pages    1000 src/nvidia/apps*.c
detect     -                1500 src/detect/*.c src/format/message.c
config     config           1500 src/discover/config*.c
partial    partial          9000 src/partial/get*.c src/partial/procs.c
'
cd "$(dirname "$0")/.." || exit 2
seconds=${1:-60}
shift
chosen=("$@")
[ $# -gt 0 ] || chosen=($(awk 'NF { print $1 }' <<<"$targets"))
clang=${CLANG:-clang} jobs=${JOBS:-$(nproc)} runs=${RUNS:-0} out=${BUILD:-build}/fuzz
flags=(-D_GNU_SOURCE -Isrc -std=c11 -g -O2)
libs=(-lcsv -ljansson -lyaml -larchive -lz -llzma -lzstd -lbz2 -lpthread -lm)
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=csv_init

row() { awk -v t="$1" '$1 == t' <<<"$targets"; }
format_of() { row "$1" | awk '{ print $2 == "-" ? "" : $2 }'; }
most_of() { row "$1" | awk '{ print $3 }'; }
source_of() { ls $(row "$1" | cut -d' ' -f2- | grep -o 'src/.*'); }
program_of() { [ "$1" = partial ] || [ "$1" = config ] && echo "$1" || echo reader; }

for t in "${chosen[@]}"; do
    [ -n "$(row "$t")" ] || { echo "fuzz: no target $t in scripts/fuzz.sh" >&2; exit 2; }
done

need() {
    probe='int LLVMFuzzerTestOneInput(const char *p, unsigned long n){return !p && n;}'
    mkdir -p "$out"
    echo "$probe" | "$clang" -xc -fsanitize=fuzzer - -o "$out/probe" 2>/dev/null && llvm_tool cov >/dev/null && return
    echo "fuzz: installing clang, libclang-rt-14-dev, llvm-14"
    sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq clang libclang-rt-14-dev \
        llvm-14 >/dev/null || exit 2
}

llvm_tool() { # of the same version as clang
    local v
    v=$("$clang" -dumpversion | cut -d. -f1)
    command -v "llvm-$1-$v" || command -v "llvm-$1"
}

# What guides the fuzzer, for one source: all of a reader, including what it compares; the branches of what readers
# share; nothing elsewhere, which is half of the time saved. Sanitizers look at everything.
guide() {
    case $1 in
    src/nvidia/* | src/tools/* | src/amd/* | src/jsonl/* | src/detect/* | src/partial/get* | src/discover/config*) echo -fsanitize=fuzzer-no-link ;;
    src/format/* | src/ingest/* | src/sample/* | src/base/clock.c | src/base/text.c | src/base/wide.c)
        echo -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp ;;
    esac
}

# compile KIND FLAG... : all sources and the programs, in $out/KIND
compile() {
    local dir=$out/$1 c
    shift
    rm -rf "$dir"
    mkdir -p "$dir"
    for c in src/*/*.c tests/fuzz/*.c; do
        printf '%s\0' "$clang ${flags[*]} $* $([ -n "$guided" ] && guide "$c") -c $c -o $dir/$(tr / _ <<<"${c#src/}").o"
    done | xargs -0 -P "$(nproc)" -n 1 sh -c || return 1
    for c in reader partial config; do
        "$clang" "$@" -fsanitize=fuzzer $(ls "$dir"/*.o | grep -v -e /cmd_ -e /tests_) "$dir/tests_fuzz_fail.c.o" \
            "$dir/tests_fuzz_$c.c.o" -o "$dir/$c" "${libs[@]}" $wrap || return 1
    done
}

# text TARGET OPTIONS TEXT : a literal behind the head that tests/fuzz/reader.c describes
text() {
    [ -d "$out/seeds_$1" ] || return 0
    { printf '\003\021\001\200\000\005\177\010'; printf "$2"; printf "$3"; } >"$out/seeds_$1/text$((texts += 1))"
}

# Writes "format file" for every small file under tests/, copied into $out/all
tell() {
    local f
    rm -rf "$out/all"
    mkdir -p "$out/all"
    find tests/fixtures tests/cases -type f -size -16k ! -name cmd ! -name stdout ! -name stderr ! -name status |
        while read -r f; do cp "$f" "$out/all/$(tr / _ <<<"$f")"; done
    (cd "$out/all" && ls | xargs ../smilog summarize -q --all --run-per file --json) | python3 -c 'import json, sys
for run in json.load(sys.stdin)["runs"]:
    for i in run["inputs"]:
        print(i["format"], i["path"])'
}

# Partial summaries of everything under tests/: alone; two of one run; one twice; and with the sums of too many values.
partials() {
    "$out/smilog" summarize -q --partial tests/fixtures tests/cases 2>>"$out/log_seeds" </dev/null |
        python3 -c 'import json, sys
def seed(name, *docs):
    text = "\n".join(d if isinstance(d, str) else json.dumps(d) for d in docs) + "\n"
    if len(text) < 9000:
        open(sys.argv[1] + "/" + name, "w").write(text)
def summed(o):
    for x in o.values() if isinstance(o, dict) else o if isinstance(o, list) else ():
        summed(x)
    if isinstance(o, dict) and isinstance(o.get("v"), list) and o["v"]:
        v = list(zip(o["v"][::2], o["v"][1::2]))
        o["sums"] = [sum(n for _, n in v), min(v)[0], max(v)[0], sum(x * n for x, n in v), sum(x * x * n for x, n in v)]
last = None
for i, line in enumerate(map(str.rstrip, sys.stdin)):
    doc = json.loads(line)
    seed("one%d" % i, line)
    seed("again%d" % i, line, line, line + " ")
    doc["run"] = "x"
    if last:
        seed("two%d" % i, last, doc)
    last = json.loads(json.dumps(doc))
    summed(doc)
    seed("summed%d" % i, doc)' "$out/seeds_partial"
}

# Every file of parameters under tests/, as each kind.
configs() {
    local f i n=0
    find tests/cases/parameters -size -3 \( -name '*.json' -o -name '*.y*ml' \) | sort | while read -r f; do
        for i in 000 001 002 003; do { printf "\\$i"; cat "$f"; } >"$out/seeds_config/file$((n += 1))"; done
    done
}

seeds() {
    local t f n d='2026/07/03 22:11:09'
    texts=0
    "$clang" $SANITIZE $(ls "$out"/san/*.o | grep -v /tests_) -o "$out/smilog" "${libs[@]}" || return 1
    : >"$out/log_seeds"
    tell >"$out/told" || return 1
    for t in "${chosen[@]}"; do
        rm -rf "$out/seeds_$t"
        mkdir -p "$out/seeds_$t"
        n=$(most_of "$t")
        for f in $(awk -v f="$(format_of "$t")" 'f == "" || $1 == f { print $2 }' "$out/told"); do
            { printf '\007\200\001\207\000\035\177\377\000'; head -c $((n - 9)) "$out/all/$f"; } >"$out/seeds_$t/$f"
        done
    done
    [ ! -d "$out/seeds_partial" ] || partials
    [ ! -d "$out/seeds_config" ] || configs
    text query '\000' "timestamp, index, uuid, utilization.gpu [%%], power.draw [W]\n$d.763, 0, GPU-1, 38 %%, 627.40 W\n$d.766, 1, GPU-2, [N/A], 80.00 W\n$d.766, 1, GPU-2, 5 %%, 80.00 W\n"
    text query '\000' "utilization.gpu [%%], clocks_event_reasons.active, clocks_throttle_reasons.sw_power_cap, pstate\r\n5 %%, 0x0000000000000004, Active, P0\r\n\r\n100, 0x1FF, Not Active, P12\r\n"
    text query '\000' "$d.763, 100, 7, 32362, 143771, 627.40, 52, 1980, 3201\n$d.863, 100, 7, 32362, 143771, [N/A], 52, 1980, 3201\n"
    text query '\002' "timestamp,power.draw\n$d.001, 1\n$d.002, 2\n2026/07/03 22:11:10.001, 1\n2026/07/03 22:11:10.002, 2\n"
    text query '\000' "power.draw [W], timestamp\n$(for i in {100..400}; do printf '%d, 2026/07/03 22:%d:%d.%d\\n' "$i" $((10 + i / 4 / 50)) $((10 + i / 4 % 50)) $((500 + i % 4)); done)"
    text query '\010' "$d, 0, 38, 627.40, 99\n$d, 1, 38, 627.40, 99\n"
    text query '\000' "index, name, memory.used [MiB]\n0, a, b, 5 MiB\nUnable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.\n1, c, [GPU is lost]\nindex, memory.used [MiB]\n1, 99999999999999\n"
    text dmon '\000' "# gpu    pwr  gtemp  mtemp     sm    mem\n# Idx      W      C      C      %%      %%\n    0     97     45      -      7      3\n    1      -      -      -      -      -\n"
    text dmon '\000' "#Date       Time        gpu   pwr    sm  rxpci\n#YYYYMMDD   HH:MM:SS    Idx     W     %%   MB/s\n 20210102   23:59:59      0    37     0     1\n 20210103   00:00:01      1    37     0     1\n"
    text dmon '\000' "#Time        gpu    sm\n#HH:MM:SS    Idx     %%\n 23:59:59      0    21\n 00:00:01      0    45%%\n gpu  sm\n Idx   %%\n 0 1 2\n"
    text dmon '\000' "#gpu, pwr, sm\n#Idx, W, %%\n0, 97, 3\n0, -, 4\n"
    text pmon '\000' "# gpu pid type sm mem enc dec fb command\n# Idx # C/G %% %% %% %% MB name\n 0 11 C 5 1 - - 100 a b\n 0 12 M+C - - - - - x\n 1 - - - - - - - -\n 0 11 C 6 1 - - 101 a b\n"
    text pmon '\000' "#Time gpu pid type sm command\n#HH:MM:SS Idx # C/G %% name\n 23:59:59 0 7 G 1 y\n 00:00:01 0 7 G 2 y\n#Date Time gpu pid type sm command\n 20260703 00:00:03 0 7 G 2 y\n"
    text apps '\000' "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n$d.763, GPU-1, 7, /a,b, 5 MiB\n$d.763, GPU-1, 7, /a,b, 5 MiB\n$d.863, GPU-1, [N/A], [Not Found], [N/A]\n"
    text apps '\000' "$d.763, GPU-1, 7, /a, 5 MiB\n$d.863, GPU-1, 8, /b,c, 6 MiB\n"
    text accounted '\000' "gpu_uuid, pid, gpu_utilization [%%], mem_utilization [%%], max_memory_usage [MiB], time [ms]\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 0 ms\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 100 ms\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 100 ms\n"
    text retired '\000' "timestamp, gpu_uuid, retired_pages.address, retired_pages.cause\n$d.763, GPU-1, 0x1, Double Bit ECC\n$d.763, GPU-1, 0x2, Single Bit ECC\n"
    text cpu '\000' "timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n2026-07-03T20:11:11Z,nan,80.1\n"
    text cpu '\000' "2026-07-03T20:11:09.763+02:00,12.3,80.1\nx,1,2\n2026-07-03T20:11:09,1\n"
    text runlog '\000' '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "start", "data": {"host": "a", "utc_offset_s": 7200, "lr": 0.1, "b": true, "n": null, "s": "x"}}\n{"ts": "2026-11-21T06:23:31.123+00:00", "type": "phase", "name": "fit", "seconds": 1.234, "jax_peak_bytes_mb": 12.5}\n{"ts": "2026-11-21T06:24:31.123+00:00", "type": "event", "event": "stop", "data": {"exit_status": 1}}\n'
    text runlog '\000' '{"ts": 5, "type": "phase"}\n{"ts": "2026-11-21T06:23:31Z", "type": "event", "event": "error", "data": {"message": "\\u00e9", "peak_bytes_in_use": 1048576, "torch_max_memory_allocated": NaN}}\n[]\n{"a":\n'
    text runlog '\000' '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "step", "data": {"a": 1e-7, "b": 1.5e22, "c": 1e300, "d": -2e-30, "e": 1e16, "f": 0.00012345, "g": 9223372036854775807}}\nnohup: ignoring input\n{"ts": "2026-11-21T06:22:31Z", "type": "phase", "name": 3, "seconds": 1e9}\n'
    text detect '\000' "Tue Jun  9 09:00:01 UTC 2020\nmemory.used [MiB]\n5 MiB\n"
    text detect '\000' 'NVIDIA-SMI has failed because it could not\n\nNo devices were found\n'
    text detect '\000' '+----+\n| NVIDIA-SMI 550 |\n'
    text detect '\000' '\357\273\277gpu,power_usage,gfx\n'
    text detect '\000' '{\n  "card0": {"a": "b"}}\n'
    text detect '\000' '# gpu pid type sm command\n# Idx # C/G %% name\n 0 - - - -\n'
    [ ! -d "$out/seeds_detect" ] || cp "$out"/seeds_*/text* "$out/seeds_detect/" 2>/dev/null
    grep -E 'ERROR: |runtime error' "$out/log_seeds" | sort | uniq -c | sed 's/^/smilog summarize --partial: /'
    { printf '"%s"\n' '[N/A]' '[Unknown Error]' timestamp, index uuid pstate utilization.gpu memory.used power.draw \
        clocks_event_reasons.active ' [MiB]' ' [%]' ' W' ' MiB' ', ' '\x0d\x0a' '2026/07/03 22:11:09.763' 'Not Active' \
        0x0000000000000004 '#Date       Time        gpu' '#Time        gpu' '# gpu' '# Idx' ' 20210102   23:59:59' \
        gtemp rxpci '{\"ts\": \"' '\"type\": \"phase\"' '\"seconds\": ' '\"event\": \"stop\"' '\"data\": {' \
        timestamp,usr_pct,idle_pct '+00:00' 8796093022208 9223372036854775807 '\xef\xbb\xbf'
    } >"$out/dict"
}

# The general words, and all that the target's sources compare with.
dictionary() {
    cat "$out/dict"
    grep -v '^#include' $(source_of "$1") | grep -oE '"([^"\\]|\\["\\])+"' | awk 'length($0) < 60' | sort -u
}

fuzz() { # TARGET SECONDS RUNS LOG : either may be 0, no limit
    FUZZ_FORMAT=$(format_of "$1") "$out/san/$(program_of "$1")" -max_total_time="$2" -runs="$3" -timeout=20 \
        -rss_limit_mb=3000 -max_len="$(most_of "$1")" -print_final_stats=1 -dict="$out/dict_$1" \
        -artifact_prefix="$out/crash_$1-" "$out/corpus_$1" "$out/seeds_$1" >"$4" 2>&1
}

executions() { sed -n 's/^stat::number_of_executed_units: *//p' "$1" | grep . || sed -n 's/^#\([0-9]*\).*/\1/p' "$1" | tail -n 1; }

fuzz_one() {
    local t=$1 begin=$SECONDS done rc
    mkdir -p "$out/corpus_$t"
    rm -f "$out/crash_$t"-* "$out/log_$t".*
    dictionary "$t" >"$out/dict_$t"
    fuzz "$t" "$seconds" -1 "$out/log_$t"
    rc=$?
    done=$(executions "$out/log_$t")
    if [ $rc = 0 ] && [ "${done:-0}" -lt "$runs" ]; then
        fuzz "$t" 0 $((runs - done)) "$out/log_$t.more"
        rc=$?
        done=$((done + $(executions "$out/log_$t.more")))
    fi
    echo "$rc ${done:--} $((SECONDS - begin))" >"$out/rc_$t"
}

# Coverage in per cent of the reader's own lines, over all inputs that were found; crashing ones are not among them.
coverage_of() {
    local t=$1 profile=$out/cov/$1.profraw program=$out/cov/$(program_of "$1")
    LLVM_PROFILE_FILE=$profile FUZZ_FORMAT=$(format_of "$t") "$program" -runs=0 "$out/corpus_$t" "$out/seeds_$t" \
        >"$out/log_cov_$t" 2>&1
    "$(llvm_tool profdata)" merge -sparse "$profile" -o "$profile.data" 2>/dev/null &&
        "$(llvm_tool cov)" export -summary-only -instr-profile="$profile.data" "$program" $(source_of "$t") \
            2>/dev/null | python3 -c 'import json, sys
t = json.load(sys.stdin)["data"][0]["totals"]["lines"]
print("%.1f" % t["percent"])' || echo -
}

need
export UBSAN_OPTIONS=print_stacktrace=1:dedup_token_length=3
export ASAN_OPTIONS=dedup_token_length=3:malloc_context_size=6:quarantine_size_mb=16
SANITIZE=-fsanitize=address,undefined
guided=1 compile san -fno-omit-frame-pointer -fno-sanitize-recover=all $SANITIZE || exit 2
seeds || exit 2
guided= compile cov -fprofile-instr-generate -fcoverage-mapping || exit 2
running=0
for t in "${chosen[@]}"; do
    fuzz_one "$t" &
    [ $((running += 1)) -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
done
wait
printf '%-10s %12s %8s %8s %8s  %s\n' target executions seconds inputs lines crashes
crashes=0
for t in "${chosen[@]}"; do
    read -r rc done took <"$out/rc_$t"
    found=$(ls "$out"/crash_"$t"-* 2>/dev/null | wc -l)
    [ "$rc" = 0 ] || [ "$found" -gt 0 ] || found=1
    crashes=$((crashes + found))
    printf '%-10s %12s %8s %8s %7s%%  %s\n' "$t" "$done" "$took" "$(ls "$out/corpus_$t" | wc -l)" "$(coverage_of "$t")" "$found"
done
for t in "${chosen[@]}"; do
    grep -q '^0 ' "$out/rc_$t" && continue
    log=$out/log_$t
    [ ! -f "$log.more" ] || log=$log.more
    echo "--- $t: $log"
    grep -E "ERROR: |runtime error|^fuzz:|^ *#[0-9]+ .* in .*/(src|tests)/" "$log" | head -n 20
    for f in "$out"/crash_"$t"-*; do
        [ -f "$f" ] || continue
        FUZZ_FORMAT=$(format_of "$t") "$out/san/$(program_of "$t")" -minimize_crash=1 -max_total_time=5 \
            -exact_artifact_path="$f.min" "$f" >/dev/null 2>&1
        [ -s "$f.min" ] || cp "$f" "$f.min"
        echo "$f.min: $(wc -c <"$f.min") bytes"
        xxd -p "$f.min" | head -n 40
    done
done
[ "$crashes" = 0 ]
