# count-corpus.awk - counts a real log with means of its own, not with smilog: format, GPUs, lines, headers, rows,
# rejected lines by reason, duplicates, between tabs. Set torn=1 if the last line has no line end.
# The rules of formats as far as the files of the corpus need them; what it does not know it calls "-".

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function bare(s) { s = trim(s); sub(/ *\[.*\]$/, "", s); return s }

# Splits a line at its commas into c[1..n], outside of quotes.
function cells(line, c,    i, n, ch, quoted) {
    n = 1; c[1] = ""
    for (i = 1; i <= length(line); i++) {
        ch = substr(line, i, 1)
        if (ch == "\"") quoted = !quoted
        else if (ch == "," && !quoted) c[++n] = ""
        else c[n] = c[n] ch
    }
    for (i = 1; i <= n; i++) c[i] = trim(c[i])
    return n
}

function kind(line,    c, first) {
    split(line, c, ","); first = bare(c[1])
    if (line ~ /^# *gpu .*pid/) return "pmon"
    if (line ~ /^# ?(gpu|Time|Date) .* (pwr|sm|fb) /) return "dmon"
    if (line ~ /"card[0-9]+" *:/) return "rocm-smi-json"
    if (line ~ /^device,/) return "rocm-smi"
    if (line ~ /"/ || first ~ /^[0-9]/) return ""
    if (line ~ /^timestamp,gpu,.*(gfx_activity|socket_power)/) return "amd-smi-metric"
    if (line ~ /max_memory_usage/) return "accounted-apps"
    if (line ~ /retired_pages\.address/) return "retired-pages"
    if (line ~ /^(timestamp, .*)?(pid, .*)?used_gpu_memory \[MiB\]$/) return "compute-apps"
    if (line ~ /utilization\.(compute|render|copy)/) return ""
    if (first ~ /^(timestamp|index|uuid|name|utilization\.gpu|memory\.used)$/ &&
        line ~ /(utilization|memory|power|temperature|clocks)\.[a-z]/) return "nvidia-smi-query"
    if (line ~ /^timestamp,.*(gpu_index|gpu_util\(%\))/) return "gpu-csv"
    return ""
}

function ms(stamp,    t) { # of the day
    sub(/^.*[ T]/, "", stamp); split(stamp, t, ":")
    return int((t[1] * 3600 + t[2] * 60 + t[3]) * 1000 + 0.5)
}

# Which column tells the GPU, 0: none.
function key_of(names, n,    want, i, k) {
    k = split(fmt == "compute-apps" ? "gpu_uuid gpu_bus_id" : "uuid pci.bus_id index gpu gpu_index", want, " ")
    for (; k; k--)
        for (i = 1; i <= n; i++)
            if (names[i] == want[k]) found = i
    return found
}

# Rows without a key: one GPU if they are evenly spaced, N if there are always N between two headers.
function keyless(    i, least, d, sorted, n, j) {
    if (rows == 1) return 1
    if (!timed) {
        for (i = 1; i < blocks; i++) if (block[i] != block[1]) return "undecided"
        return blocks > 1 ? block[1] : "undecided"
    }
    for (i = 2; i <= rows; i++) { # insertion into a histogram is enough: whole milliseconds
        d = at[i] - at[i - 1]; n++; often[d]++
        if (i == 2 || d < least) least = d
    }
    for (d = least; sorted * 2 < n; d++) sorted += often[d]
    return least * 3 >= d - 1 ? 1 : "undecided"
}

{ sub(/\r$/, ""); sub(/^\357\273\277/, ""); line[NR] = $0 }

function blanks(    i, n, c, h, w, k, width, g) { # dmon, pmon
    for (i = 1; i <= last; i++) {
        n = split(line[i], c, " ")
        if (c[1] ~ /^#/) {
            header++
            sub(/^# */, "", line[i])
            w = split(line[i], h, " ")
            if (h[1] !~ /^(gpu|Time|Date)$/) continue
            width = w
            for (k = 1; k <= w; k++) if (h[k] == "gpu") g = k
        } else if (n >= width) {
            rows++
            gpus[c[g]]
        } else bad["bad_width"]++
    }
}

function json(    i) {
    for (i = 1; i <= last; i++)
        if (match(line[i], /"card[0-9]+" *:/)) {
            rows++
            gpus[substr(line[i], RSTART, RLENGTH)]
        }
    header = last - rows
}

function commas(    i, n, c, h, k, any, before) {
    width = cells(head, h)
    for (k = 1; k <= width; k++) h[k] = bare(h[k])
    key = fmt == "rocm-smi" ? 1 : fmt == "amd-smi-metric" ? 2 : key_of(h, width)
    timed = h[1] == "timestamp"
    for (i = 1; i <= last; i++) {
        if (line[i] == head) { header++; blocks++; continue }
        if (trim(line[i]) == "") continue
        n = cells(line[i], c)
        if (n != width) {
            if (line[i] !~ /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) /) bad["bad_width"]++
            continue
        }
        any = fmt != "nvidia-smi-query"
        for (k = 1; k <= n && !any; k++)
            any = h[k] !~ /^(timestamp|index|uuid|serial|gpu|count|name)$/ && c[k] ~ /^-?[0-9.]+( (%|MiB|W|MHz))?$/
        if (!any) { bad["bad_number"]++; continue }
        if (key) {
            if (fmt == "nvidia-smi-query" && c[1] ~ /\./ && before[c[key]] == c[1]) { twice++; continue }
            before[c[key]] = c[1]
            gpus[c[key]]
        }
        rows++
        block[blocks]++
        at[rows] = ms(c[1])
    }
}

END {
    last = torn ? NR - 1 : NR
    why = torn ? "torn_tail 1" : ""
    for (i = 1; i <= last && i <= 250 && !fmt; i++) {
        fmt = kind(line[i])
        head = line[i]
        table = table || line[i] ~ /^\+---/
    }
    if (fmt ~ /^(pmon|dmon)$/) blanks()
    else if (fmt == "rocm-smi-json") json()
    else if (fmt) commas()
    if (!fmt || (table && !rows)) { # a header of processes below a table, and nothing below it, is no log
        print "-\t-\t-\t-\t-\t-\t-"
        exit
    }
    for (k in gpus) count++
    if (fmt ~ /^(accounted-apps|retired-pages)$/) count = 0 # history
    if (!key && fmt ~ /query|gpu-csv/ && rows) count = keyless()
    for (k in bad) why = (why ? why " " : "") k " " bad[k]
    printf "%s\t%s\t%d\t%d\t%d\t%s\t%d\n", fmt, count ? count : 0, NR, header, rows, why ? why : "0", twice
}
