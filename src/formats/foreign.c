#include "formats/format.h"

#include "base/clock.h"
#include "formats/row_engine.h"

#include <string.h>

enum {
    CELLS = 512, /* names of a header that are looked at */
    SCREEN = 512 /* bytes in which a terminal is told what to paint where */
};

/* The command that makes a log of the same GPU. */
#define NVIDIA \
    "nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE"
#define AMD "amd-smi monitor --csv -w 1 > FILE"
#define NONE "has no readings of GPUs over time"
#define MAPPED "name its columns with --columns-from FILE"

/* ---- lines that no fixed text tells ---- */

static bool is_whole(struct smi_text t)
{
    return smi_cell_digits(t, SMI_CELL_DIGITS) >= 0;
}

static bool is_xpu(struct smi_text line)
{
    struct smi_text cell[CELLS];
    size_t n = smi_row_split(line, 0, cell, CELLS);
    static const char *const names[] = {"utilization.compute", "utilization.render", "utilization.copy",
                                        NULL};
    return smi_names_have(cell, n < CELLS ? n : CELLS, names);
}

/* "    0     62      4      0      -": numbers and dashes below a header that is not there */
static bool is_headless(struct smi_text line)
{
    struct smi_text t = line, w = smi_text_word(&t);
    int64_t ms;
    int n = 0;
    if (smi_clock_parse_hms(w, &ms) == 0)
        w = smi_text_word(&t);
    for (; w.n; w = smi_text_word(&t), n++)
        if (!is_whole(w) && !(n && smi_text_is(w, "-")) && !(n == 1 && smi_clock_parse_hms(w, &ms) == 0))
            return false;
    return n >= 4;
}

/* amd-smi --json: a list over many lines, from 26 on inside "gpu_data" */
static bool is_amd_json(struct smi_text line)
{
    static const char gpu[] = "\"gpu\":";
    struct smi_text t = line;
    while (t.n && (*t.p == '[' || *t.p == '{' || *t.p == ' '))
        t = (struct smi_text){t.p + 1, t.n - 1};
    if (!smi_text_starts_nocase(t, gpu)) /* W&B writes the name of the GPU there */
        return smi_text_starts_nocase(t, "\"gpu_data\":");
    t = smi_text_trim((struct smi_text){t.p + sizeof gpu - 1, t.n - (sizeof gpu - 1)});
    return t.n && smi_is_digit(*t.p);
}

/* "    0      11327     C      -      -      -      -      -      -    memhog" */
static bool is_pmon_row(struct smi_text line)
{
    struct smi_text t = line, gpu = smi_text_word(&t), pid = smi_text_word(&t), type = smi_text_word(&t);
    return is_whole(gpu) && is_whole(pid) &&
           (smi_text_is(type, "C") || smi_text_is(type, "G") || smi_text_is(type, "C+G"));
}

/* ---- the tables: the first row that fits is named ---- */

/* A line of it begins with one text, holds another, or passes a test; what is NULL is not asked. Those that
 * are sure come first. */
static const struct {
    const char *begin, *holds;
    bool (*is)(struct smi_text line);
    bool sure;
    const char *why;
} lines[] = {
    {NULL, "utilization.", is_xpu, true, "a log of xpu-smi (Intel): " MAPPED},
    {"{\"schema\": \"smilog-partial/", NULL, NULL, true, "a partial summary: smilog merge reads it"},
    {"{\"schema\": \"smilog/", NULL, NULL, true, "a summary that smilog wrote, no log"},
    {"JobID|", NULL, NULL, true, "output of sacct: smilog reads it from a file called sacct.txt"},
    {"process_id,code_block_name,position,timestamp", NULL, NULL, true,
     "blocks of code of gpu_tracker: gpu-tracker sub-track reads them"},
    {"GPUId,TimeStampUs,", NULL, NULL, true,
     "a DCGM dump, not read: record with dcgmi dmon -e 203,252,155 > FILE"},
    {"os,cpu,gpu,ram,kernel,driver", NULL, NULL, true, "a log of MangoHud, not read: record with " NVIDIA},
    {"\"(PDH-CSV ", NULL, NULL, true, "a log of typeperf (Windows), not read: record with " NVIDIA},
    {NULL, "Hardware monitoring log v", NULL, true,
     "a log of MSI Afterburner (hml), not read: record with " NVIDIA},
    {"Date,Time,\"", "[", NULL, false, "a log of HWiNFO: " MAPPED},
    {NULL, NULL, is_amd_json, false,
     "amd-smi JSON of another command than metric and monitor, not read: record with " AMD},
    {NULL, "ROCm System Management Interface", NULL, false,
     "the table of rocm-smi, not read: add --csv to its command, or record with " AMD},
    {"GPU  XCP  POWER", NULL, NULL, false, "the table of amd-smi monitor, not read: record with " AMD},
    {"GPU  POWER", NULL, NULL, false, "the table of amd-smi monitor, not read: record with " AMD},
    {NULL, "%, vgt ", NULL, false, "a log of radeontop, not read: record with " AMD},
    {"*** Sampled system activity", NULL, NULL, false,
     "a log of powermetrics (macOS), not read: make a CSV of it, and " MAPPED},
    {"Freq MHz req,", NULL, NULL, false, "a log of intel_gpu_top (Intel): --interval S, and " MAPPED},
    {"Freq MHz", NULL, NULL, false,
     "a log of intel_gpu_top (Intel), not read: print CSV with -c, and " MAPPED},
    {"Performance counter stats for", NULL, NULL, false, "the output of perf stat: " NONE},
    {"Linux ", " CPU)", NULL, false, "the output of sar, mpstat, iostat or pidstat: " NONE},
    {"procs ---", NULL, NULL, false, "the output of vmstat: " NONE},
    {"top - ", "load average:", NULL, false, "the output of top: " NONE},
    {"\"Dstat ", NULL, NULL, false, "a log of dstat: " NONE},
    {"GPU0", "CPU Affinity", NULL, false, "nvidia-smi topo: " NONE},
    {"GPU 0: ", "(UUID: GPU-", NULL, false, "nvidia-smi -L or nvlink: " NONE ": record with " NVIDIA},
    {NULL, "NVPROF is profiling", NULL, false, "the output of nvprof, a profile: " NONE},
    {"==PROF== ", NULL, NULL, false, "the output of ncu, a profile: " NONE},
    {NULL, "CUDA API Summary", NULL, false, "the output of nsys stats, a profile: " NONE},
    {NULL, "Self CPU %", NULL, false, "a table of torch.profiler: " NONE},
    {NULL, "\"traceEvents\":", NULL, false, "a trace of a profiler (PyTorch, Chrome): " NONE},
    {NULL, "\"deviceProperties\": [", NULL, false, "a trace of torch.profiler: " NONE},
    {"Index,KernelName,gpu-id,", NULL, NULL, false, "the output of rocprof, a profile: " NONE},
    {"+---", NULL, NULL, false, "a table without nvidia-smi's lines of GPUs: not read"},
    {NULL, "| NVIDIA-SMI ", NULL, false,
     "a table without nvidia-smi's lines of GPUs, or behind a prefix (srun --label, ts): not read"},
    {"|", "MiB |", NULL, false,
     "lines of nvidia-smi's table without its head (grep MiB?), not read: record with " NVIDIA},
    {"<?xml", NULL, NULL, false, "XML, and not of nvidia-smi -q -x: not read"},
    {NULL, NULL, is_pmon_row, false,
     "rows of nvidia-smi pmon without their header: the columns are not known"},
    {NULL, NULL, is_headless, false, "numbers without a header (rows of nvidia-smi dmon?)"},
};

/* Bytes at a place. */
static const struct {
    size_t at;
    const char *bytes;
    size_t n;
    const char *why;
} magics[] = {
    {0, "\x1F\x8B", 2, "gzip data"},
    {0, "\x28\xB5\x2F\xFD", 4, "zstd data"},
    {0,
     "\xFD"
     "7zXZ",
     5, "xz data"},
    {0, "BZh", 3, "bzip2 data"},
    {0, "PK\x03\x04", 4, "a zip archive"},
    {0, "#!", 2, "a script"},
    {0, "SQLite format 3", 16, "a SQLite file: sqlite:FILE, if smilog wrote it (export, follow --store)"},
    {0, "\xFF\xFE", 2, "UTF-16 text (as Windows PowerShell's > writes it): save it as UTF-8"},
    {0, "\xFE\xFF", 2, "UTF-16 text: save it as UTF-8"},
    {23, "brain.Event:", 12, "an event file of TensorBoard: " NONE},
    {0, "PAR1", 4, "a Parquet file: not read; a CSV of it is"},
    {0, "\x89HDF", 4, "an HDF5 file: not read; a CSV of it is"},
};

const char *smi_foreign_find(struct smi_text line, bool sure)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines && (lines[i].sure || !sure); i++) {
        const char *holds = lines[i].holds;
        if ((lines[i].begin && !smi_text_starts_nocase(line, lines[i].begin)) ||
            (holds && !memmem(line.p, line.n, holds, strlen(holds))) || (lines[i].is && !lines[i].is(line)))
            continue;
        return lines[i].why;
    }
    return NULL;
}

/* Does a control sequence of a terminal move the cursor to a place ("\33[H", "\33[12;3H"), or clear the
 * screen
 * ("\33[2J")? Colours do not. */
static bool is_screen(const char *p, size_t n)
{
    const char *end = p + n, *from;
    while ((p = memchr(p, 0x1B, (size_t)(end - p)))) {
        unsigned numbers = 0;
        if (++p == end || *p != '[')
            continue;
        for (from = ++p; p < end && (smi_is_digit(*p) || *p == ';'); p++)
            numbers += *p == ';';
        if (p < end && ((*p == 'H' && (p == from || numbers == 1)) || (*p == 'J' && *from == '2')))
            return true;
    }
    return false;
}

const char *smi_foreign_magic(const char *p, size_t n)
{
    if (is_screen(p, n < SCREEN ? n : SCREEN))
        return "what a terminal showed (watch, script, tmux), not read: record with " NVIDIA;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].at + magics[i].n && memcmp(p + magics[i].at, magics[i].bytes, magics[i].n) == 0)
            return magics[i].why;
    return NULL;
}
