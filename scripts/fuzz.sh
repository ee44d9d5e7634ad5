#!/bin/bash
# Fuzzes every reader for SECONDS each (default 60), then says how much of its source the found inputs cover.
# Usage: scripts/fuzz.sh [SECONDS] [TARGET...]     JOBS: targets at a time (default: the CPUs). Exit status 1: a crash.
# The corpus stays in build/fuzz/corpus_TARGET and is the start of the next run; crashes are build/fuzz/crash_TARGET-*.
cd "$(dirname "$0")/.." || exit 2
seconds=${1:-60}
shift
targets=("$@")
[ $# -gt 0 ] || for c in tests/fuzz/fuzz_*.c; do targets+=("$(basename "$c" .c | cut -c6-)"); done
clang=${CLANG:-clang} jobs=${JOBS:-$(nproc)} out=${BUILD:-build}/fuzz
flags=(-D_GNU_SOURCE -Isrc -std=c11 -g)
libs=(-lcsv -ljansson -larchive -lz -llzma -lzstd -lbz2 -lpthread -lm)

# The reader's own source; coverage is of these lines.
source_of() {
    case $1 in
    query) ls src/nvidia/query*.c ;;
    apps) ls src/nvidia/apps*.c src/format/round.c ;;
    pmon) ls src/nvidia/pmon.c src/format/round.c ;;
    cpu) ls src/tools/cpu_csv.c ;;
    detect) ls src/detect/*.c src/format/message.c ;;
    partial) ls src/partial/get*.c src/partial/procs.c ;;
    amd_smi) ls src/amd/amd_smi.c src/amd/columns.c ;;
    rocm_csv | rocm_json) ls src/amd/"$1".c src/amd/rocm.c ;;
    *) ls src/nvidia/"$1".c src/tools/"$1".c src/jsonl/"$1".c 2>/dev/null ;;
    esac
}

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

# compile KIND: all sources and the targets with $FUZZ_CC, in $out/KIND
compile() {
    local dir=$out/$1 c t
    rm -rf "$dir"
    mkdir -p "$dir"
    for c in src/*/*.c; do
        printf '%s\0%s\0' "$c" "$dir/$(echo "${c#src/}" | tr / _).o"
    done | xargs -0 -P "$(nproc)" -n 2 sh -c 'exec $FUZZ_CC -c "$1" -o "$2"' sh || return 1
    for t in "${targets[@]}"; do
        printf '%s\0%s\0' "tests/fuzz/fuzz_$t.c" "$dir/fuzz_$t"
    done | DIR=$dir xargs -0 -P "$(nproc)" -n 2 \
        sh -c 'exec $FUZZ_CC -fsanitize=fuzzer "$1" $(ls $DIR/*.o | grep -v /cmd_) -o "$2" $FUZZ_LIBS' sh
}

# text TARGET OPTIONS TEXT : a literal behind the head that tests/fuzz/reader.h describes
text() {
    { printf '\003\021\001\200\000\005\177\010'; printf "$2"; printf "$3"; } >"$out/seeds_$1/text$((texts += 1))"
}

seeds() {
    local t f d='2026/07/03 22:11:09'
    texts=0
    for t in query dmon pmon apps amd_smi rocm_csv rocm_json cpu runlog detect partial; do
        rm -rf "$out/seeds_$t"
        mkdir -p "$out/seeds_$t"
    done
    for f in $(find tests/fixtures -type f -size -16k | sort); do
        case $(head -c 300 "$f") in
        '{"ts"'* | *'"type":'*) t=runlog ;;
        timestamp,usr_pct*) t=cpu ;;
        *timestamp,gpu,* | *gpu,gfx*) t=amd_smi ;;
        *device,*) t=rocm_csv ;;
        *'"card0"'*) t=rocm_json ;;
        *' pid '*' type '*) t=pmon ;;
        '#'*) t=dmon ;;
        *' pid, '* | *retired_pages*) t=apps ;;
        *) t=query ;;
        esac
        [ "$(ls "$out/seeds_$t" | wc -l)" -ge 40 ] || {
            { printf '\007\200\001\207\000\035\177\377\000'; head -c 3000 "$f"; } >"$out/seeds_$t/$(echo "$f" | tr / _)"
            { printf '\001\002\003\004\005\006\007\010\000'; head -c 3000 "$f"; } >"$out/seeds_detect/$(echo "$f" | tr / _)"
        }
    done
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
    text apps '\020' "gpu_uuid, pid, gpu_utilization [%%], mem_utilization [%%], max_memory_usage [MiB], time [ms]\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 0 ms\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 100 ms\nGPU-1, 7, 5 %%, 1 %%, 9 MiB, 100 ms\n"
    text cpu '\000' "timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n2026-07-03T20:11:11Z,nan,80.1\n"
    text cpu '\000' "2026-07-03T20:11:09.763+02:00,12.3,80.1\nx,1,2\n2026-07-03T20:11:09,1\n"
    text runlog '\000' '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "start", "data": {"host": "a", "utc_offset_s": 7200, "lr": 0.1, "b": true, "n": null, "s": "x"}}\n{"ts": "2026-11-21T06:23:31.123+00:00", "type": "phase", "name": "fit", "seconds": 1.234, "jax_peak_bytes_mb": 12.5}\n{"ts": "2026-11-21T06:24:31.123+00:00", "type": "event", "event": "stop", "data": {"exit_status": 1}}\n'
    text runlog '\000' '{"ts": 5, "type": "phase"}\n{"ts": "2026-11-21T06:23:31Z", "type": "event", "event": "error", "data": {"message": "\\u00e9", "peak_bytes_in_use": 1048576, "torch_max_memory_allocated": NaN}}\n[]\n{"a":\n'
    text detect '\000' "Tue Jun  9 09:00:01 UTC 2020\nmemory.used [MiB]\n5 MiB\n"
    text detect '\000' 'NVIDIA-SMI has failed because it could not\n\nNo devices were found\n'
    text detect '\000' '+----+\n| NVIDIA-SMI 550 |\n'
    text detect '\000' '\357\273\277gpu,power_usage,gfx\n'
    text detect '\000' '{\n  "card0": {"a": "b"}}\n'
    text detect '\000' '# gpu pid type sm command\n# Idx # C/G %% name\n 0 - - - -\n'
    cp "$out"/seeds_{query,dmon,pmon,apps,cpu,runlog}/text* "$out/seeds_detect/"
    # partial summaries: made of all of these by the program itself
    : >"$out/log_seeds"
    "$clang" $SANITIZE "$out"/san/*.o -o "$out/smilog" "${libs[@]}" || return 1
    for f in "$out"/seeds_{query,dmon,pmon,apps,cpu,runlog}/*; do
        tail -c +10 "$f" >"$out/one"
        "$out/smilog" summarize --partial "$out/one" >"$out/seeds_partial/$(basename "$(dirname "$f")")_$(basename "$f")" \
            2>>"$out/log_seeds" </dev/null
    done
    grep -E 'ERROR: |runtime error' "$out/log_seeds" | sort | uniq -c | sed 's/^/smilog summarize --partial: /'
    find "$out/seeds_partial" -type f \( -empty -o -size +8k \) -delete
    rm -f "$out/one"
    printf '"%s"\n' '[N/A]' '[Unknown Error]' timestamp, index uuid pstate utilization.gpu memory.used power.draw \
        clocks_event_reasons.active ' [MiB]' ' [%]' ' W' ' MiB' ', ' '\x0d\x0a' '2026/07/03 22:11:09.763' 'Not Active' \
        0x0000000000000004 '#Date       Time        gpu' '#Time        gpu' '# gpu' '# Idx' ' 20210102   23:59:59' \
        gtemp rxpci '{\"ts\": \"' '\"type\": \"phase\"' '\"seconds\": ' '\"event\": \"stop\"' '\"data\": {' \
        timestamp,usr_pct,idle_pct '+00:00' 8796093022208 9223372036854775807 '\xef\xbb\xbf' >"$out/dict"
}

fuzz_one() {
    local t=$1
    mkdir -p "$out/corpus_$t"
    rm -f "$out/crash_$t"-*
    "$out/san/fuzz_$t" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=$([ "$t" = partial ] && echo 8300 || echo 2000) -print_final_stats=1 \
        -dict="$out/dict" -artifact_prefix="$out/crash_$t-" "$out/corpus_$t" "$out/seeds_$t" >"$out/log_$t" 2>&1
    echo $? >"$out/rc_$t"
}

# Coverage in per cent of the reader's own lines, over all inputs that were found; crashing ones are not among them.
coverage_of() {
    local t=$1 profile=$out/cov/$1.profraw
    LLVM_PROFILE_FILE=$profile "$out/cov/fuzz_$t" -runs=0 "$out/corpus_$t" "$out/seeds_$t" >"$out/log_cov_$t" 2>&1
    "$(llvm_tool profdata)" merge -sparse "$profile" -o "$profile.data" 2>/dev/null &&
        "$(llvm_tool cov)" export -summary-only -instr-profile="$profile.data" "$out/cov/fuzz_$t" $(source_of "$t") \
            2>/dev/null | python3 -c 'import json, sys
t = json.load(sys.stdin)["data"][0]["totals"]["lines"]
print("%.1f" % t["percent"])' || echo -
}

need
export UBSAN_OPTIONS=print_stacktrace=1:dedup_token_length=3 ASAN_OPTIONS=dedup_token_length=3
export FUZZ_LIBS="${libs[*]}" SANITIZE="-fsanitize=address,undefined"
export FUZZ_CC="$clang ${flags[*]} -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all $SANITIZE -fsanitize=fuzzer-no-link"
compile san || exit 2
seeds || exit 2
export FUZZ_CC="$clang ${flags[*]} -O1 -fprofile-instr-generate -fcoverage-mapping"
compile cov || exit 2
running=0
for t in "${targets[@]}"; do
    fuzz_one "$t" &
    [ $((running += 1)) -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
done
wait
printf '%-8s %12s %8s %8s  %s\n' target executions inputs lines crashes
crashes=0
for t in "${targets[@]}"; do
    found=$(ls "$out"/crash_"$t"-* 2>/dev/null | wc -l)
    [ "$(cat "$out/rc_$t")" = 0 ] || [ "$found" -gt 0 ] || found=1
    crashes=$((crashes + found))
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/log_$t")
    [ -n "$runs" ] || runs=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$out/log_$t" | tail -n 1)
    printf '%-8s %12s %8s %7s%%  %s\n' "$t" "${runs:--}" "$(ls "$out/corpus_$t" | wc -l)" "$(coverage_of "$t")" "$found"
done
for t in "${targets[@]}"; do
    [ "$(cat "$out/rc_$t")" = 0 ] && continue
    echo "--- $t: $out/log_$t"
    grep -E "ERROR: |runtime error|^fuzz:|^ *#[0-9]+ .* in .*/(src|tests)/" "$out/log_$t" | head -n 20
    for f in "$out"/crash_"$t"-*; do
        [ -f "$f" ] || continue
        "$out/san/fuzz_$t" -minimize_crash=1 -max_total_time=15 -exact_artifact_path="$f.min" "$f" >/dev/null 2>&1
        [ -s "$f.min" ] || cp "$f" "$f.min"
        echo "$f.min: $(wc -c <"$f.min") bytes"
        xxd -p "$f.min" | head -n 40
    done
done
[ "$crashes" = 0 ]
