/* nvidia-smi pmon: one line per GPU and process, cycle after cycle.
 *
 *     # gpu         pid   type     sm    mem    enc    dec    jpg    ofa     fb   ccpm    command
 *     # Idx           #    C/G      %      %      %      %      %      %     MB     MB    name
 *         0      11345     C     99     10      -      -      -      -  15690      0    gpu_burn
 *         1          -     -      -      -      -      -      -      -      -      -    -
 *
 * -o puts Date and Time in front, as dmon does. A line of dashes is a GPU without processes. Nothing stands
 * between cycles: a new one begins with another time, with a lower GPU, or with a process that was there
 * already. The command is the rest of the line and may hold blanks. Columns are bound by name. */
#include "formats/row_engine.h"

enum { COLUMNS = 64, PID_DIGITS = 10, INDEX_DIGITS = 6, INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX };

struct smi_reader {
    struct smi_nvidia_monitor mon; /* first: see row_engine.h */
    int64_t above;                 /* index of the row before, + 1; 0: none */
};

/* Decodes a header into p: `gpu` among the first three names, a pid, and a type or command. p->width stays 0
 * if it is none. */
static void bind_pmon_columns(struct smi_row_plan *p, struct smi_text line, struct smi_text *cell)
{
    size_t n = smi_nvidia_monitor_bind(p, line, cell, COLUMNS - 1);
    if (n && p->at[INDEX] >= 0 && p->at[INDEX] < 3 && p->at[SMI_AT_PID] >= 0 &&
        (p->at[SMI_AT_TYPE] >= 0 || p->at[SMI_AT_PROCESS] == (int)n - 1))
        p->width = n;
}

/* "C", "C+G", "M+C": bits of smi_process. */
static unsigned types_of(struct smi_text t)
{
    unsigned types = 0;
    for (size_t i = 0; i < t.n; i++)
        types |= t.p[i] == 'C'   ? SMI_PROC_COMPUTE
                 : t.p[i] == 'G' ? SMI_PROC_GRAPHICS
                 : t.p[i] == 'M' ? SMI_PROC_MPS
                                 : 0u;
    return types;
}

/* Its pid is a number or a dash. A lower GPU than that of the row before begins a cycle. */
static bool read_pmon_process(struct smi_row_reader *row, const struct smi_sample *s, struct smi_process *q)
{
    struct smi_reader *r = (struct smi_reader *)row;
    struct smi_text pid = row->cell[row->plan.at[SMI_AT_PID]];
    int64_t gpu = smi_cell_digits(row->cell[row->plan.at[INDEX]], INDEX_DIGITS);
    *q = (struct smi_process){.pid = smi_cell_digits(pid, PID_DIGITS), .life_ms = -1};
    if (row->plan.at[SMI_AT_TYPE] >= 0)
        q->types = types_of(row->cell[row->plan.at[SMI_AT_TYPE]]);
    q->name = smi_row_text(row, SMI_AT_PROCESS);
    q->none = q->pid < 0 && !q->name.n && !s->n;
    if (q->pid < 0 && !smi_cell_missing(pid))
        return false;
    row->begins = gpu >= 0 && gpu + 1 < r->above;
    r->above = gpu + 1;
    return true;
}

/* The command is the rest of the line if it is the last column; nothing behind the last comma is no cell. */
static size_t split_pmon_row(struct smi_row_reader *row, struct smi_text line)
{
    size_t width = row->plan.width, n;
    size_t most = row->plan.at[SMI_AT_PROCESS] == (int)width - 1 ? width : width + 1;
    struct smi_text *last = &row->cell[most - 1];
    n = smi_row_split(line, row->plan.commas ? 0 : SMI_SPLIT_BLANKS, row->cell, most);
    if (n < most)
        return n;
    *last = smi_text_trim((struct smi_text){last->p, (size_t)(line.p + line.n - last->p)});
    return last->n ? most : most - 1;
}

static int read_pmon_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->mon.row;
    struct smi_row_plan fresh;
    bool hash;
    struct smi_text text;
    if (smi_nvidia_monitor_is_row(line)) {
        if (!row->plan.width)
            return smi_row_headless(row, line, err);
        if (split_pmon_row(row, line) != row->plan.width)
            return smi_row_other(row, line, false, SMI_REJECT_BAD_WIDTH, err);
        return smi_row_read(row, line, err);
    }
    text = smi_nvidia_monitor_strip_hash(line, &hash);
    bind_pmon_columns(&fresh, text, row->cell);
    if (fresh.width)
        return smi_nvidia_monitor_header(&r->mon, line, &fresh, err);
    if (smi_nvidia_monitor_is_units(text)) {
        row->lines.account->header++;
        return 0;
    }
    if (fresh.at[INDEX] >= 0 && hash) /* dmon's */
        return smi_nvidia_monitor_foreign(&r->mon, line, err);
    return smi_nvidia_monitor_other(&r->mon, line, hash, err);
}

static enum smi_sniff sniff_pmon(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_row_plan p;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    if (!memmem(text.p, text.n, "pid", 3)) /* most are of another format */
        return SMI_SNIFF_NO;
    bind_pmon_columns(&p, text, cell);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_CYCLES,
    .columns = COLUMNS,
    .headless = "rows without a pmon header above them: their columns are not known",
    .time = smi_nvidia_monitor_time,
    .key = smi_nvidia_monitor_key,
    .process = read_pmon_process,
};

const struct smi_format smi_format_pmon = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_pmon,
    .line = read_pmon_line,
    .table = &table,
};
