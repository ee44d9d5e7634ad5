/* gpu_tracker's tracking file (--tf): what never changes in two lines, then a header and the rows.
 *
 *     ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,...,system_gpu_count,n_expected_gpus
 *     gigabytes,gigabytes,hours,67.254165504,81.559,12,4,2,1
 *     main_ram,descendants_ram,combined_ram,system_ram,main_gpu_ram,...,timestamp
 *     0.086913024,0.213147648,0.27824128,49.029361664,0.0,0.0,0.0,0.216,0.0,...,239.4,59.85,1745449609.9821098
 *
 * Its units are decimal, but it takes nvidia-smi's MiB for megabytes: GPU memory of 1 gigabyte is 1000 MiB.
 * It has sums over the GPUs only, so a GPU can be told where the machine has one. Times are seconds since
 * 1970. */
#include "formats/row_engine.h"

enum { COLUMNS = 64 };

/* So many bytes, as it counts them. */
static const struct {
    const char *name;
    int64_t bytes;
} units[] = {
    {"bytes", 1},
    {"kilobytes", 1000},
    {"megabytes", 1000000},
    {"gigabytes", 1000000000},
    {"terabytes", 1000000000000},
};

/* What is read of the first two lines. */
enum { RAM_UNIT, GPU_RAM_UNIT, CAPACITY, GPUS, STATIC };
static const char *const static_names[STATIC] = {"ram_unit", "gpu_ram_unit", "gpu_ram_system_capacity",
                                                 "system_gpu_count"};

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    size_t names;              /* of the first line, if its values come next; else 0 */
    int place[STATIC];         /* of what is read, or -1 */
    int64_t ram, gpu_ram;      /* bytes of their units; 0: not known */
    bool single;               /* the machine has one GPU: */
    int gpu;                   /* it */
    int64_t total;             /* its memory, MiB in millionths; 0: not known */
};

static int64_t unit_of(struct smi_text t)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (smi_text_is(t, units[i].name))
            return units[i].bytes;
    return 0;
}

/* A number of so many of its units (0: not known), or of a plain count; see the top for GPU memory. */
static enum smi_cell_status scaled(const struct smi_reader *r, unsigned metric, unsigned unit,
                                   struct smi_text cell, int64_t *v)
{
    int64_t bytes = unit == SMI_WORD_RAM ? r->ram : r->gpu_ram,
            den = unit == SMI_WORD_RAM ? 1 << 20 : 1000000;
    int rc;
    if (smi_cell_missing(cell) || smi_text_is_nan(cell))
        return SMI_CELL_MISSING;
    rc = unit && !bytes ? -1 : smi_text_parse_scaled(cell, (unit ? bytes : 1) * 1000000, unit ? den : 1, v);
    return rc < 0 ? SMI_CELL_BAD : rc || !smi_reading_fits(metric, *v) ? SMI_CELL_RANGE : SMI_CELL_OK;
}

/* ---- the lines in front ---- */

static int find_static(const struct smi_text *cell, size_t n)
{
    return n >= 3 && smi_text_is(cell[0], "ram_unit") && smi_text_is(cell[1], "gpu_ram_unit")
               ? SMI_FMT_GPU_TRACKER
               : -1;
}

static int read_static_names(struct smi_reader *r, size_t n, struct smi_err *err)
{
    for (int k = 0; k < STATIC; k++) {
        r->place[k] = -1;
        for (size_t i = 0; i < n && i < COLUMNS; i++)
            if (smi_text_is(r->row.cell[i], static_names[k]))
                r->place[k] = (int)i;
    }
    r->names = n;
    return smi_row_count_header(&r->row, err);
}

static struct smi_text static_value(const struct smi_reader *r, int k)
{
    return r->place[k] < 0 ? (struct smi_text){"", 0} : r->row.cell[r->place[k]];
}

/* The values below the first header. */
static int read_static_values(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    bool fits = n == r->names;
    struct smi_text gpus = static_value(r, GPUS), capacity = static_value(r, CAPACITY);
    r->names = 0;
    r->total = 0;
    r->ram = fits ? unit_of(static_value(r, RAM_UNIT)) : 0;
    r->gpu_ram = fits ? unit_of(static_value(r, GPU_RAM_UNIT)) : 0;
    r->single = fits && smi_text_is(gpus, "1");
    if (!fits)
        return smi_row_reject(&r->row, SMI_REJECT_BAD_WIDTH, line, err);
    if (r->single && capacity.n &&
        scaled(r, SMI_FB_TOTAL, SMI_WORD_GPU_RAM, capacity, &r->total) != SMI_CELL_OK)
        r->total = 0;
    r->row.lines.account->header++;
    if (r->place[GPUS] < 0 || r->single || smi_text_is(gpus, "0"))
        return 0;
    smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                     "gpu_tracker adds up all GPUs of a machine: with several, none of them is known");
    return 0;
}

/* Adds the columns of the machine, or those of its GPU. */
static void bind_columns_of(struct smi_row_plan *p, const struct smi_text *cell, size_t n, unsigned gpu)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < smi_names_gpu_tracker.n; k++) {
            const struct smi_alias *a = &smi_names_gpu_tracker.list[k];
            if (smi_text_is(cell[i], a->name) && (a->word & SMI_WORD_GPU) == gpu)
                smi_row_plan_add(p, a->kind, a->what, a->word, i);
        }
}

/* The plan of a header: a GPU's readings stand behind all others. width 0: it is none. */
static void bind_gpu_tracker_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    smi_row_plan_init(p, 0);
    if (n > COLUMNS)
        return;
    bind_columns_of(p, cell, n, 0);
    bind_columns_of(p, cell, n, SMI_WORD_GPU);
    if (p->at[SMI_AT_TIME] >= 0 && smi_row_plan_has(p, SMI_TREE_RAM_MAIN))
        p->width = n;
}

/* ---- rows ---- */

static int read_gpu_tracker_time(struct smi_row_reader *row, struct smi_sample *s)
{
    struct smi_stamp at;
    if (smi_stamp_read(&row->clock, row->cell[row->plan.at[SMI_AT_TIME]], &at) ||
        at.base != SMI_TIME_BASE_UTC)
        return -1;
    s->timed = s->shared = true;
    s->t_ms = at.t_ms;
    s->fine = at.fine;
    return 0;
}

static enum smi_cell_status read_gpu_tracker_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                                  struct smi_text t, int64_t *v)
{
    const struct smi_reader *r = (const struct smi_reader *)row;
    return (c->how & SMI_WORD_GPU) && !r->single ? SMI_CELL_NO_UNIT
                                                 : scaled(r, c->what, c->how & ~(unsigned)SMI_WORD_GPU, t, v);
}

/* Where the machine has several GPUs, nobody asks for a cell of one. */
static void count_lost_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                            enum smi_cell_status what, struct smi_text t)
{
    if (what != SMI_CELL_NO_UNIT)
        smi_cell_count_lost(row->lines.account, what, c->what, t);
}

static void find_gpu(struct smi_row_reader *row, int who)
{
    struct smi_reader *r = (struct smi_reader *)row;
    (void)who;
    r->gpu = r->single ? smi_devices_find_ordinal(row->lines.devices, 0) : SMI_DEVICE_POOL;
}

/* The readings of the machine, and behind them those of its GPU. */
static int send_gpu_tracker_row(struct smi_row_reader *row, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    struct smi_sample host = *s, gpu = *s;
    for (host.n = 0; host.n < s->n && smi_metric_is_host(s->metric[host.n]);)
        host.n++;
    gpu.n -= host.n;
    gpu.metric += host.n;
    gpu.v += host.n;
    row->lines.account->rows++;
    if (host.n && smi_sink_row(row->lines.to, &host, err))
        return -1;
    if (r->single && gpu.n && r->total) {
        row->metric[s->n] = SMI_FB_TOTAL;
        row->v[s->n] = r->total;
        gpu.n++;
    }
    gpu.who = r->gpu;
    return gpu.n ? smi_sink_row(row->lines.to, &gpu, err) : 0;
}

static int read_gpu_tracker_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    size_t n = smi_row_split(line, 0, row->cell, COLUMNS);
    if (find_static(row->cell, n) >= 0)
        return read_static_names(r, n, err);
    if (r->names)
        return read_static_values(r, line, n, err);
    bind_gpu_tracker_columns(&fresh, row->cell, n);
    if (fresh.width)
        return smi_row_header(row, line, &fresh, err);
    if (row->plan.width && n == row->plan.width)
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, false, row->plan.width ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN, err);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_HOST | SMI_TABLE_DEVICES,
    .columns = COLUMNS,
    .time = read_gpu_tracker_time,
    .cell = read_gpu_tracker_cell,
    .lost = count_lost_cell,
    .found = find_gpu,
    .send = send_gpu_tracker_row,
};

const struct smi_format smi_format_gpu_tracker = {
    .size = sizeof(struct smi_reader),
    .header = find_static,
    .line = read_gpu_tracker_line,
    .table = &table,
};
