#!/bin/bash
# Fuzzes every reader for SECONDS each (default 60), then says how much of its source the found inputs cover.
# Usage: scripts/dev/fuzz.sh [SECONDS] [TARGET...]     Exit status 1: a crash.
#   RUNS=N   at least so many executions of each target too: it goes on behind its seconds until it has them
#   JOBS=N   targets at a time (default: the CPUs)
# The corpus stays in build/fuzz/corpus_TARGET and is the start of the next run; crashes are build/fuzz/crash_TARGET-*:
#   FUZZ_FORMAT=dmon build/fuzz/san/reader build/fuzz/crash_dmon-...
#
# A format whose source no other format has needs nothing here: it is a target of its own name (src/model/format.def).
# All others are rows of this table: target, the format's name for --input-format (formats of the same sources with
# commas; -: none, the content decides), the largest input in bytes, and the sources that are the reader's own (coverage
# is of their lines). Seeds and dictionary are made by scripts/dev/fuzz_seeds.py: of every file under tests/ that the program
# tells as this format, and of every text in its sources.
targets='
query      nvidia-smi-query 1500 src/formats/{csv_fast,fast_block,row_*}.c
dmon       dmon             1200 src/formats/{nvidia_dmon,fast_block}.c
cpu        cpu-csv          600  src/formats/{csv_fast,fast_block,row_*}.c
runlog     runlog           1500 src/formats/json_line.c src/base/json.c
wandb      wandb,mlflow     2500 src/formats/wandb_rows.c
jetson     tegrastats,jtop-csv 1500 src/formats/{jetson,row_*}.c
gpujson    gpustat-json,nvtop-json,amd-smi-json 2500 src/formats/gpu_json.c
usage      usage-log        2500 src/formats/usage_log.c
samples    samples-jsonl,samples-csv 1500 src/formats/samples.c
gpucsv     gpu-csv          1200 src/formats/gpu_csv*.c
columns    gpu-csv          1200 src/formats/gpu_csv.c
amdsmi     amd-smi-metric,amd-smi-monitor,amd-smi-process 1500 src/formats/amd.c
rocm       rocm-smi         1200 src/formats/amd.c
rocmjson   rocm-smi-json    1500 src/formats/gpu_json.c src/base/json.c
pmon       pmon             1200 src/formats/{nvidia_dmon,row_order}.c
apps       compute-apps,accounted-apps,retired-pages 1200 src/formats/nvidia_table.c src/formats/row_order.c
table      nvidia-smi-table 4000 src/formats/nvidia_table.c
report     nvidia-smi-report,nvidia-smi-xml 4000 src/formats/nvidia_report.c
detect     -                1500 src/formats/detect*.c src/formats/file_group.c src/formats/lines.c
paths      nvidia-smi-query,dmon,cpu-csv,runlog 1500 src/formats/{fast_block,csv_fast,nvidia_dmon,json_line}.c src/model/rows.c src/aggregate/device_stats.c
config     -                1500 src/sweep/config.c
partial    -                9000 src/summary/partial.c
packed     -                1200 src/base/{stream,file}.c src/sweep/read_run.c
archive    -                9000 src/base/{archive,stream}.c
proc       -                2500 src/process/tree.c
server     -                9000 src/export/clickhouse.c
pytorch    -                2500 src/export/pytorch.c
'
cd "$(dirname "$0")/../.." || exit 2
# A format without a row: its source is that of its reader.
while read -r reader f; do
    awk '{ print $2 }' <<<"$targets" | tr , '\n' | grep -qx -- "$f" ||
        targets+="$f $f 2500 $(grep -l "smi_format_$reader = " src/formats/*.c)"$'\n'
done < <(sed -n 's/^SMI_FORMAT([A-Z_]*, \([a-z_]*\),[^"]*"\([^"]*\)".*/\1 \2/p' src/model/format.def)
seconds=${1:-60}
shift
chosen=("$@")
[ $# -gt 0 ] || chosen=($(awk 'NF { print $1 }' <<<"$targets"))
clang=${CLANG:-clang} jobs=${JOBS:-$(nproc)} runs=${RUNS:-0} out=${BUILD:-build}/fuzz
flags=(-D_GNU_SOURCE -Isrc -std=c11 -g -O2)
libs=(-lcsv -ljansson -lyaml -lz -llzma -lzstd -lbz2 -lsqlite3 -lpthread -lm)

row() { awk -v t="$1" '$1 == t' <<<"$targets"; }
format_of() { row "$1" | awk '{ print $2 == "-" ? "" : $2 }'; }
most_of() { row "$1" | awk '{ print $3 }'; }
source_of() { eval ls "$(row "$1" | grep -o 'src/.*')"; }
program_of() {
    case $1 in
    partial | config | paths | proc | server | pytorch) echo "$1" ;;
    packed | archive) echo archive ;;
    *) echo reader ;;
    esac
}

for t in "${chosen[@]}"; do
    [ -n "$(row "$t")" ] || { echo "fuzz: no target $t in scripts/dev/fuzz.sh" >&2; exit 2; }
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
    src/formats/* | src/summary/partial.c | src/sweep/config.c | src/export/pytorch*.c | src/base/stream.c | \
        src/process/tree.c | src/export/clickhouse*.c)
        echo -fsanitize=fuzzer-no-link ;;
    src/base/archive.c | src/sweep/read_run.c | src/aggregate/* | src/model/* | src/base/clock.c | src/base/text.c | \
        src/base/int128.c)
        echo -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp ;;
    esac
}

# compile KIND FLAG... : all sources and the programs, in $out/KIND
compile() {
    local dir=$out/$1 c names # of libraries that are opened when they are needed
    shift
    rm -rf "$dir"
    mkdir -p "$dir"
    make -s BUILD="${BUILD:-build}" "${BUILD:-build}"/{assets,maps,man_text}.c || return 1
    names=$(make -nB BUILD="${BUILD:-build}" "${BUILD:-build}/src/base/lazy.o" | grep -o -e '-DSMI_SO_[^ ]*' | paste -sd ' ')
    for c in src/*/*.c "${BUILD:-build}"/{assets,maps,man_text}.c tests/fuzz/*.c; do
        printf '%s\0' "$clang ${flags[*]} $names $* $([ -n "$guided" ] && guide "$c") -c $c -o $dir/$(tr / _ <<<"${c#src/}").o"
    done | xargs -0 -P "$(nproc)" -n 1 sh -c || return 1
    for c in reader paths partial config archive proc server pytorch; do
        net=
        [ $c != server ] || net=-Wl,--wrap=smi_curl_open
        "$clang" "$@" -fsanitize=fuzzer $(ls "$dir"/*.o | grep -v -e /cli_ -e /tests_) "$dir/tests_fuzz_fuzz.c.o" \
            "$dir/tests_fuzz_$c.c.o" -o "$dir/$c" "${libs[@]}" $net || return 1
    done
}

seeds() {
    local t rows=()
    make -s BUILD="${BUILD:-build}" "${BUILD:-build}/smilog" || return 1 # without sanitizers: it only names formats
    for t in "${chosen[@]}"; do
        rows+=("$t:$(row "$t" | awk '{ print $2 ":" $3 }'):$(source_of "$t" | paste -sd ,)")
    done
    python3 scripts/dev/fuzz_seeds.py "$out" "$(realpath "${BUILD:-build}/smilog")" "${rows[@]}"
}

fuzz() { # TARGET SECONDS RUNS LOG : either may be 0, no limit
    FUZZ_FORMAT=$(format_of "$1") "$out/san/$(program_of "$1")" -max_total_time="$2" -runs="$3" -timeout=20 -report_slow_units=20 \
        -rss_limit_mb=3000 -max_len="$(most_of "$1")" -print_final_stats=1 -dict="$out/dict_$1" \
        -artifact_prefix="$out/crash_$1-" "$out/corpus_$1" "$out/seeds_$1" >"$4" 2>&1
}

executions() { sed -n 's/^stat::number_of_executed_units: *//p' "$1" | grep . || sed -n 's/^#\([0-9]*\).*/\1/p' "$1" | tail -n 1; }

fuzz_one() {
    local t=$1 begin=$SECONDS done rc
    mkdir -p "$out/corpus_$t"
    rm -f "$out/crash_$t"-* "$out/log_$t".*
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
export ASAN_OPTIONS=dedup_token_length=3:malloc_context_size=6:quarantine_size_mb=1:thread_local_quarantine_size_kb=64
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
[[ " ${chosen[*]} " != *" paths "* ]] || grep -ah '^paths: ' "$out"/log_paths{,.more} 2>/dev/null
for t in "${chosen[@]}"; do
    grep -q '^0 ' "$out/rc_$t" && continue
    log=$out/log_$t
    [ ! -f "$log.more" ] || log=$log.more
    echo "--- $t: $log"
    grep -E "ERROR: |runtime error|^fuzz:|^ *#[0-9]+ .* in .*/(src|tests)/" "$log" | head -n 20
    for f in "$out"/crash_"$t"-*; do
        [ -f "$f" ] || continue
        FUZZ_FORMAT=$(format_of "$t") timeout 60 "$out/san/$(program_of "$t")" -minimize_crash=1 -max_total_time=5 \
            -timeout=5 -exact_artifact_path="$f.min" "$f" >/dev/null 2>&1
        [ -s "$f.min" ] || cp "$f" "$f.min"
        echo "$f.min: $(wc -c <"$f.min") bytes"
        xxd -p "$f.min" | head -n 40
    done
done
[ "$crashes" = 0 ]
