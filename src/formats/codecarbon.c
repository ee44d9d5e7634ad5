/* emissions.csv of CodeCarbon: a row for each run (or task, or so many seconds of a run) that ended at the
 * time in it, with what it used as a whole:
 *
 *     timestamp,project_name,run_id,duration,emissions,cpu_power,gpu_power,cpu_energy,gpu_energy,gpu_count,gpu_model
 *     2026-07-03T01:43:18,mnist,fd0f400c-606c,3600.5,0.093,24.1,251.0,0.024,0.251,1,1 x NVIDIA A100
 *
 * Energy is in kWh. No row says which GPUs it means: those of a run are one device, whose key is the run. Its
 * power is gpu_energy through duration, from begin to end, so that energy over time is what CodeCarbon has
 * measured; gpu_power is not read. Time between two rows counts for neither. Of rows of one run that begin
 * together each says what came since the one before. CO2, places and energy of the CPUs have no metric: such
 * columns are counted as unknown. */
#include "base/json.h"
#include "base/mem.h"
#include "formats/row_engine.h"

enum { CARD_W = 1500, COLUMNS = 128, SAME_MS = 2000 /* begins so near are one: times have no fraction */ };
enum { DURATION = SMI_AT_INFO, ENERGY = SMI_AT_PART, COUNT = SMI_AT_LIFE };

/* What the last row of a run said. */
struct run {
    int64_t begin_ms, end_ms;
    int64_t energy; /* 1e-15 kWh */
};

struct smi_reader {
    struct smi_row_reader row;   /* first: see row_engine.h */
    struct smi_row_plan part[2]; /* of the GPUs and of the machine */
    struct run *run;             /* by device */
    size_t runs, cap;
    bool tasks;   /* a row is about a task, not the run so far */
    bool spare;   /* the last column is not read */
    bool hot;     /* that the power is more than any card draws was said */
    bool several; /* that it has rows of several runs was said */
};

/* ---- headers ---- */

/* By the names that bind_codecarbon finds: what a header is has all the places that rows need. */
static int find_header(const struct smi_text *cell, size_t n)
{
    static const char *const emissions[] = {"emissions", "energy_consumed", NULL};
    const unsigned all = 1U << SMI_COL_TIME | 1U << SMI_COL_KEY | 1U << SMI_COL_PLACE;
    unsigned have = 0;
    for (size_t i = 0; i < n && n <= COLUMNS; i++) {
        const struct smi_alias *a = smi_names_find(&smi_names_codecarbon, cell[i]);
        if (a && (a->kind != SMI_COL_PLACE || a->what == DURATION))
            have |= 1U << a->kind;
    }
    return (have & all) == all && smi_names_have(cell, n, emissions) ? SMI_FMT_CODECARBON : -1;
}

static int bind_codecarbon(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    size_t unknown = 0;
    for (int host = 0; host < 2; host++) {
        smi_row_plan_init(&r->part[host], n);
        r->part[host].host = host;
    }
    for (size_t i = 0; i < n; i++) {
        const struct smi_alias *a = smi_names_find(&smi_names_codecarbon, row->cell[i]);
        bool host = a && a->kind == SMI_COL_NUMBER && smi_metric_is_host(a->what),
             both = a && a->kind != SMI_COL_NUMBER && a->kind != SMI_COL_KEY && a->kind != SMI_COL_NAME;
        if (a && (!host || both))
            smi_row_plan_add(&r->part[0], a->kind, a->what, 0, i);
        if (a && (host || both))
            smi_row_plan_add(&r->part[1], a->kind, a->what, 0, i);
    }
    r->tasks = smi_names_have(row->cell, n, (const char *const[]){"task_name", NULL});
    r->spare = !smi_names_find(&smi_names_codecarbon, row->cell[n - 1]);
    smi_row_plan_add(&r->part[0], SMI_COL_NUMBER, SMI_POWER, 0, (size_t)r->part[0].at[DURATION]);
    if (smi_row_header(row, line, &r->part[0], err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (row->cell[i].n && !smi_names_find(&smi_names_codecarbon, row->cell[i]))
            row->cell[unknown++] = row->cell[i];
    smi_account_unknown(row->lines.account, row->cell, unknown);
    return 0;
}

/* ---- rows ---- */

/* In 1e-15: of kWh that is 3.6 nJ. */
static bool read_energy(struct smi_text t, int64_t *v)
{
    return smi_text_parse_scaled(t, INT64_C(1000000000000000), 1, v) == 0 && *v >= 0;
}

static bool read_seconds(struct smi_text t, int64_t *ms)
{
    const int64_t most = (int64_t)1 << 43;
    if (!t.n || !smi_json_text_number(t, ms) || *ms < 0 || *ms > most * 1000)
        return false;
    *ms = (*ms + 500) / 1000;
    return true;
}

/* 1 kWh is 3.6e6 J, so 1e-15 kWh through 1 ms is 3.6 uW. */
static int64_t power_of(int64_t energy, int64_t ms)
{
    const smi_i128 most = INT64_MAX;
    smi_i128 v = ms > 0 ? smi_i128_div((smi_i128)energy * 18, (smi_i128)5 * ms) : most;
    return v < most ? (int64_t)v : (int64_t)most;
}

static bool has_gpus(struct smi_row_reader *row)
{
    struct smi_text count = smi_row_text(row, COUNT), name = smi_row_text(row, SMI_AT_NAME);
    int64_t v, energy;
    if (smi_text_parse_micro(count, &v) == 0)
        return v > 0;
    return name.n || (read_energy(smi_row_text(row, ENERGY), &energy) && energy > 0);
}

/* Power is of the row as a whole. */
static enum smi_cell_status read_codecarbon_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                                 struct smi_text t, int64_t *v)
{
    int64_t energy, ms;
    if (!row->plan.host && !has_gpus(row))
        return SMI_CELL_MISSING;
    if (c->what != SMI_POWER)
        return smi_cell_number(c->what, t, v);
    if (!read_energy(smi_row_text(row, ENERGY), &energy) || !read_seconds(t, &ms) || !ms)
        return SMI_CELL_MISSING;
    *v = power_of(energy, ms);
    return SMI_CELL_OK;
}

/* What a machine without GPUs says of them is absent, and none was asked for. */
static void count_lost(struct smi_row_reader *row, const struct smi_row_column *c, enum smi_cell_status what,
                       struct smi_text t)
{
    if (row->plan.host || has_gpus(row))
        smi_cell_count_lost(row->lines.account, what, c->what, t);
}

/* Of the run so far: what came since its last row. Returns false if the row begins anew. */
static bool take_since(const struct smi_reader *r, size_t who, const struct run *now, int64_t *begin_ms,
                       int64_t *energy)
{
    const struct run *last = who < r->runs ? &r->run[who] : NULL;
    int64_t apart = last ? now->begin_ms - last->begin_ms : SAME_MS;
    *begin_ms = now->begin_ms;
    *energy = now->energy;
    if (!last || r->tasks || now->end_ms - now->begin_ms <= last->end_ms - last->begin_ms ||
        apart >= SAME_MS || apart <= -SAME_MS || now->end_ms <= last->end_ms || now->energy < last->energy)
        return false;
    *energy -= last->energy;
    *begin_ms = last->end_ms;
    return true;
}

/* Energy or duration of a row may be wrong: of one GPU, or as many as the row says. */
static void check_power(struct smi_reader *r, int64_t watts)
{
    int64_t gpus = 1000000;
    smi_text_parse_micro(smi_row_text(&r->row, COUNT), &gpus);
    if (r->hot || gpus <= 0 || watts / CARD_W <= gpus)
        return;
    r->hot = true;
    r->row.lines.account->changes++;
    smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                     "gpu_energy through duration is %lld W for each GPU, more than any card draws (%d W)",
                     (long long)(watts / gpus), CARD_W);
}

/* A row is sent at its end; its power was that from its begin on. */
static int send_codecarbon(struct smi_row_reader *row, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    const uint16_t power = SMI_POWER;
    struct smi_sample begin = *s;
    struct run now = {.end_ms = s->t_ms};
    int64_t ms, watts = -1, energy;
    bool again;
    if (s->who > 0 && !r->several) { /* the file is appended to by every run of its folder */
        r->several = true;
        row->lines.account->changes++; /* read in pieces, each would say it once more */
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "rows of several runs (run_id) count as one run, each of them as a GPU: a file "
                         "with the rows of one run_id tells of that alone");
    }
    if (s->who < 0 || !s->timed || !read_seconds(smi_row_text(row, DURATION), &ms) ||
        !read_energy(smi_row_text(row, ENERGY), &now.energy))
        return smi_sink_row(row->lines.to, s, err);
    now.begin_ms = s->t_ms - ms;
    again = take_since(r, (size_t)s->who, &now, &begin.t_ms, &energy);
    for (unsigned i = 0; i < row->n; i++)
        if (row->metric[i] == SMI_POWER)
            watts = row->v[i] = power_of(energy, s->t_ms - begin.t_ms);
    check_power(r, watts);
    begin.t_ms += again; /* that moment has the power of the row before */
    begin.begins = !again;
    begin.n = 1;
    begin.metric = &power;
    begin.v = &watts;
    smi_mem_reserve(&r->run, &r->cap, (size_t)s->who + 1, sizeof *r->run);
    while (r->runs <= (size_t)s->who)
        r->run[r->runs++] = (struct run){0};
    r->run[s->who] = now;
    if (watts >= 0 && begin.t_ms < s->t_ms && smi_sink_row(row->lines.to, &begin, err))
        return -1;
    return smi_sink_row(row->lines.to, s, err);
}

/* ---- lines ---- */

static int read_codecarbon_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, row->cell, COLUMNS);
    if (find_header(row->cell, n) >= 0)
        return row->plan.width && smi_row_same_header(row, line) ? smi_row_count_header(row, err)
                                                                 : bind_codecarbon(r, line, n, err);
    if (!r->part[0].width || n != r->part[0].width)
        return smi_row_other(row, line, false,
                             n > 1 && r->part[0].width ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN, err);
    return smi_row_read_parts(row, line, r->part, 2, err);
}

/* What may be cut is a cell that is not read: pue, wue. */
static bool has_all_cells(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_text *cell = r->row.cell;
    const size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, cell, COLUMNS);
    return r->spare && n == r->part[0].width && cell[n - 1].n;
}

static void close_codecarbon(struct smi_reader *r)
{
    smi_mem_free(r->run);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_SPARSE,
    .columns = COLUMNS,
    .time = smi_row_time_stamp,
    .cell = read_codecarbon_cell,
    .lost = count_lost,
    .send = send_codecarbon,
};

const struct smi_format smi_format_codecarbon = {
    .size = sizeof(struct smi_reader),
    .header = find_header,
    .split = SMI_SPLIT_QUOTES,
    .line = read_codecarbon_line,
    .whole = has_all_cells,
    .table = &table,
    .close = close_codecarbon,
};
