
#include "base/clock.h"
#include "formats/row_engine.h"

enum {
    CELLS = 512, /* names of a header that are looked at */
    SCREEN = 512 /* bytes in which a terminal is told what to paint where */
};

/* The command that makes a log of the same GPU. */
#define NVIDIA \
    "nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE"
#define AMD "amd-smi monitor --csv -w 1 > FILE"
#define NONE "has no readings of GPUs over time"

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
        t = smi_text_from(t, 1);
    if (!smi_text_starts_nocase(t, gpu)) /* W&B writes the name of the GPU there */
        return smi_text_starts_nocase(t, "\"gpu_data\":");
    t = smi_text_trim(smi_text_from(t, sizeof gpu - 1));
    return t.n && smi_is_digit(*t.p);
}

/* "    0      11327     C      -      -      -      -      -      -    memhog" */
static bool is_pmon_row(struct smi_text line)
{
    struct smi_text t = line, gpu = smi_text_word(&t), pid = smi_text_word(&t), type = smi_text_word(&t);
    return is_whole(gpu) && is_whole(pid) &&
           (smi_text_is(type, "C") || smi_text_is(type, "G") || smi_text_is(type, "C+G"));
}

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
    const struct smi_phrase *said = smi_phrase_find(smi_say_foreign_sure, line);
    if (said)
        return said->what;
    if (is_xpu(line))
        return "a log of xpu-smi (Intel): name its columns with --columns-from FILE";
    if (sure)
        return NULL;
    if (is_amd_json(line))
        return "amd-smi JSON of another command than metric and monitor, not read: record with " AMD;
    if ((said = smi_phrase_find(smi_say_foreign, line)))
        return said->what;
    if (is_pmon_row(line))
        return "rows of nvidia-smi pmon without their header: the columns are not known";
    return is_headless(line) ? "numbers without a header (rows of nvidia-smi dmon?)" : NULL;
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
