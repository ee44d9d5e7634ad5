/* trackers.c - logs of programs that track a run: a row for each time, about GPUs and the machine. */
#include "base/json.h"
#include "base/mem.h"
#include "formats/row_engine.h"

/* What nvitop's ResourceMetricCollector gives, as its examples write it: a row for each time, with columns of
 * every GPU and of the machine. TAG is the user's, and so is whether a column of local time stands in front.
 *
 *     time,TAG/host/cpu_percent (%)/mean,...,
 *         TAG/cuda:0 (gpu:3)/gpu_utilization (%)/mean,.../min,.../max,.../last,
 *         ...,TAG/gpu:1/power_usage (W)/last,TAG/duration (s),TAG/timestamp,TAG/last_timestamp
 *
 * (one line there). Means are of all the time since the collector was started or cleared, so of each metric
 * the last reading counts; old versions have none, and then means do, which is said. Columns of processes are
 * not read: GPU memory and shares of a process are no GPU's. */
enum { NVITOP_COLUMNS = 4096 };

struct nvitop {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct smi_row_parts parts;
};

/* Cuts the part behind the last stroke off t. */
static struct smi_text take_last(struct smi_text *t)
{
    const char *stroke = t->n ? memrchr(t->p, '/', t->n) : NULL;
    struct smi_text last = stroke ? smi_text_between(stroke + 1, t->p + t->n) : *t;
    t->n = stroke ? (size_t)(stroke - t->p) : 0;
    return last;
}

/* TAG/scope/metric/statistic of a GPU, whose index is *key then ("cuda:0 (gpu:3)" or "gpu:3"), or of the
 * machine. Returns the statistic; empty: another name, or it is about a process. */
static struct smi_text cut_name(struct smi_text t, struct smi_text *metric, struct smi_text *key)
{
    static const char *const statistics[] = {"mean", "last", "min", "max", NULL};
    struct smi_text statistic = take_last(&t), scope, owner;
    const char *at;
    *metric = take_last(&t);
    scope = take_last(&t);
    owner = take_last(&t);
    at = scope.n ? memmem(scope.p, scope.n, "gpu:", 4) : NULL;
    *key = at ? smi_text_between(at + 4, scope.p + scope.n) : (struct smi_text){"", 0};
    key->n -= key->n && key->p[key->n - 1] == ')';
    key->n = smi_cell_digits(*key, SMI_ROW_PART_KEY - 1) >= 0 ? key->n : 0;
    if (!smi_text_is_one_of(statistic, statistics) || !scope.n || !metric->n || !owner.n ||
        smi_text_starts_nocase(owner, "pid:") || !(key->n || smi_text_is(scope, "host")))
        statistic.n = 0;
    return statistic;
}

static int find_nvitop_header(const struct smi_text *cell, size_t n)
{
    struct smi_text metric, key, statistic;
    for (size_t i = 0; i < n && n > 1 && n <= NVITOP_COLUMNS; i++) {
        statistic = cut_name(cell[i], &metric, &key);
        if (smi_text_is(statistic, "mean") || smi_text_is(statistic, "last"))
            return SMI_FMT_NVITOP;
    }
    return -1;
}

/* Is a column passed over that says nothing of GPUs or the machine: times, and what is about a process? */
static bool is_passed(struct smi_text t)
{
    const struct smi_text whole = t;
    return memmem(t.p, t.n, "/pid:", 5) || smi_text_starts_nocase(t, "pid:") ||
           smi_names_find(&smi_names_nvitop, take_last(&t)) || smi_text_is_nocase(whole, "time") || !whole.n;
}

static int bind_nvitop(struct nvitop *r, struct smi_text line, size_t n)
{
    static const char *const use[] = {"last", "mean"};
    struct smi_text *cell = r->row.cell, metric, key, statistic;
    struct smi_row_plan base, *p;
    size_t time = n; /* TAG/timestamp, in s since 1970; else a column that is called time */
    bool means = false, stamped = false;
    r->parts = (struct smi_row_parts){0};
    smi_row_plan_init(&base, n);
    for (size_t i = 0; i < n; i++) {
        struct smi_text t = cell[i];
        const bool stamp = !stamped && smi_text_is(take_last(&t), "timestamp") && t.n;
        time = stamp || (time == n && smi_text_is_nocase(cell[i], "time")) ? i : time;
        stamped |= stamp;
    }
    if (time < n)
        smi_row_plan_add(&base, SMI_COL_TIME, 0, 0, time);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++) {
            const struct smi_alias *a;
            statistic = cut_name(cell[i], &metric, &key);
            a = statistic.n ? smi_names_find(key.n ? &smi_names_nvitop : &smi_names_nvitop_host, metric)
                            : NULL;
            if (k && !a && (statistic.n || !is_passed(cell[i])))
                smi_account_unknown(r->row.lines.account, cell[i]);
            if (!a || a->kind == SMI_COL_SKIP || !smi_text_is(statistic, use[k]) ||
                !(p = smi_row_part(&r->parts, key, &base)))
                continue;
            means |= k && !smi_row_plan_has(p, a->what);
            smi_row_plan_add(p, SMI_COL_NUMBER, a->what, a->how, i);
        }
    smi_row_header(&r->row, line, r->parts.n ? &r->parts.part[0] : &base);
    if (r->parts.full)
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "more than %d GPUs: the rest is not read", SMI_ROW_PARTS - 1);
    if (means)
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "no last readings: those are means since the collector was started");
    return 0;
}

static int read_nvitop_line(void *self, struct smi_text line)
{
    struct nvitop *r = self;
    struct smi_row_reader *row = &r->row;
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, row->cell, NVITOP_COLUMNS);
    bool fits = row->plan.width && n == row->plan.width;
    if (!(fits && smi_is_digit(*line.p)) && find_nvitop_header(row->cell, n) >= 0)
        return smi_row_same_header(row, line) ? smi_row_count_header(row) : bind_nvitop(r, line, n);
    return smi_row_read_parts(row, line, n, r->parts.part, r->parts.n);
}

const struct smi_format smi_format_nvitop_csv = {
    .size = sizeof(struct nvitop),
    .header = find_nvitop_header,
    .split = SMI_SPLIT_QUOTES,
    .line = read_nvitop_line,
    .table = &(const struct smi_table){
        .flags = SMI_TABLE_SPARSE | SMI_TABLE_REALS, .columns = NVITOP_COLUMNS, .time = smi_row_time_stamp}};

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
enum { CARD_W = 1500, COLUMNS = 128, SAME_MS = 2000 /* begins so near are one: times have no fraction */ };
enum { DURATION = SMI_AT_INFO, ENERGY = SMI_AT_PART, COUNT = SMI_AT_LIFE };

/* What the last row of a run said. */
struct run {
    int64_t begin_ms, end_ms;
    int64_t energy; /* 1e-15 kWh */
};

struct codecarbon {
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
static int find_codecarbon_header(const struct smi_text *cell, size_t n)
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

static int bind_codecarbon(struct codecarbon *r, struct smi_text line, size_t n)
{
    struct smi_row_reader *row = &r->row;
    smi_row_parts_init(&r->part[0], &r->part[1], n);
    r->tasks = smi_names_have(row->cell, n, (const char *const[]){"task_name", NULL});
    for (size_t i = 0; i < n; i++) {
        const struct smi_alias *a = smi_names_find(&smi_names_codecarbon, row->cell[i]);
        r->spare = !a;
        if (a)
            smi_row_parts_add(&r->part[0], &r->part[1], a->kind, a->what, 0, i);
    }
    smi_row_plan_add(&r->part[0], SMI_COL_NUMBER, SMI_POWER, 0, (size_t)r->part[0].at[DURATION]);
    return smi_row_header(row, line, &r->part[0]);
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
    if (c->what != SMI_POWER)
        return smi_cell_number(c->what, smi_units, 0, t, v);
    if (!read_energy(smi_row_text(row, ENERGY), &energy) || !read_seconds(t, &ms) || !ms)
        return SMI_CELL_MISSING;
    *v = power_of(energy, ms);
    return SMI_CELL_OK;
}

/* Of the run so far: what came since its last row. Returns false if the row begins anew. */
static bool take_since(const struct codecarbon *r, size_t who, const struct run *now, int64_t *begin_ms,
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

/* A row is sent at its end; its power was that from its begin on. */
static int send_codecarbon(struct smi_row_reader *row, struct smi_sample *s)
{
    struct codecarbon *r = (struct codecarbon *)row;
    struct smi_sample begin = *s;
    struct run now = {.end_ms = s->t_ms};
    int64_t ms, watts = -1, energy, *power, gpus = 1000000; /* of one GPU, or as many as the row says */
    bool again;
    if (s->who > 0 && smi_say_once(row->lines.account, &r->several)) /* every run of its folder appends */
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "rows of several runs (run_id) count as one run, each of them as a GPU: a file "
                         "with the rows of one run_id tells of that alone");
    if (s->who < 0 || !s->timed || !read_seconds(smi_row_text(row, DURATION), &ms) ||
        !read_energy(smi_row_text(row, ENERGY), &now.energy))
        return smi_lines_row(&row->lines, s);
    now.begin_ms = s->t_ms - ms;
    again = take_since(r, (size_t)s->who, &now, &begin.t_ms, &energy);
    if ((power = smi_sample_find(s, SMI_POWER)))
        watts = *power = power_of(energy, s->t_ms - begin.t_ms);
    smi_text_parse_micro(smi_row_text(row, COUNT), &gpus);
    if (gpus > 0 && watts / CARD_W > gpus &&
        smi_say_once(row->lines.account, &r->hot)) /* one of both is wrong */
        smi_account_warn(
            row->lines.account, SMI_LOG_WARNING_OTHER,
            "gpu_energy through duration is %lld W for each GPU, more than any card draws (%d W)",
            (long long)(watts / gpus), CARD_W);
    begin.t_ms += again; /* that moment has the power of the row before */
    begin.begins = !again;
    begin.n = 0;
    smi_sample_add(&begin, SMI_POWER, watts);
    smi_mem_reserve(&r->run, &r->cap, (size_t)s->who + 1, sizeof *r->run);
    r->runs = r->runs > (size_t)s->who ? r->runs : (size_t)s->who + 1;
    r->run[s->who] = now;
    if (watts >= 0 && begin.t_ms < s->t_ms)
        smi_lines_row(&row->lines, &begin);
    return smi_lines_row(&row->lines, s);
}

/* ---- lines ---- */

static int read_codecarbon_line(void *self, struct smi_text line)
{
    struct codecarbon *r = self;
    struct smi_row_reader *row = &r->row;
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, row->cell, COLUMNS);
    unsigned none = 0;
    if (find_codecarbon_header(row->cell, n) >= 0)
        return bind_codecarbon(r, line, n);
    if (n == r->part[0].width) { /* what a machine without GPUs says of them is absent */
        row->plan = r->part[0];
        none = !has_gpus(row);
    }
    return smi_row_read_parts(row, line, n, r->part + none, 2 - none);
}

/* What may be cut is a cell that is not read: pue, wue. */
static bool has_all_cells(void *self, struct smi_text line)
{
    struct codecarbon *r = self;
    struct smi_text *cell = r->row.cell;
    const size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, cell, COLUMNS);
    return r->spare && n == r->part[0].width && cell[n - 1].n;
}

static void close_codecarbon(struct smi_reader *r)
{
    smi_mem_free(((struct codecarbon *)r)->run);
}

const struct smi_format smi_format_codecarbon = {
    .size = sizeof(struct codecarbon),
    .header = find_codecarbon_header,
    .split = SMI_SPLIT_QUOTES,
    .line = read_codecarbon_line,
    .whole = has_all_cells,
    .close = close_codecarbon,
    .table = &(const struct smi_table){.names = {&smi_names_codecarbon},
                                       .flags = SMI_TABLE_SPARSE,
                                       .columns = COLUMNS,
                                       .time = smi_row_time_stamp,
                                       .cell = read_codecarbon_cell,
                                       .send = send_codecarbon}};

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

enum { TRACKER_COLUMNS = 64 };

struct gpu_tracker {
    struct smi_row_reader row;   /* first: see row_engine.h */
    struct smi_row_plan part[2]; /* of the machine and of its GPU */
    size_t names;                /* of the first line, if its values come next; else 0 */
    int capacity, count;         /* places in them, or -1; those of the units are the first two */
    int64_t ram, gpu_ram;        /* bytes of their units; 0: not known */
    bool single;                 /* the machine has one GPU; */
    int64_t total;               /* its memory, MiB in millionths; 0: not known */
};

/* The bytes of a unit, as it counts them; 0: it is none. */
static int64_t unit_of(struct smi_text t)
{
    static const char *const units[] = {"bytes", "kilobytes", "megabytes", "gigabytes", "terabytes"};
    int64_t bytes = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++, bytes *= 1000)
        if (smi_text_is(t, units[i]))
            return bytes;
    return 0;
}

/* A number of so many of its units (0: not known), or of a plain count; see the top for GPU memory. */
static enum smi_cell_status read_gpu_tracker_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                                  struct smi_text cell, int64_t *v)
{
    const struct gpu_tracker *r = (const struct gpu_tracker *)row;
    const unsigned unit = c->how;
    int64_t bytes = unit == SMI_WORD_RAM ? r->ram : r->gpu_ram,
            den = unit == SMI_WORD_RAM ? 1 << 20 : 1000000;
    int rc;
    if (smi_cell_missing(cell) || smi_text_is_nan(cell))
        return SMI_CELL_MISSING;
    rc = unit && !bytes ? -1 : smi_text_parse_scaled(cell, (unit ? bytes : 1) * 1000000, unit ? den : 1, v);
    return rc < 0 ? SMI_CELL_BAD : rc || !smi_reading_fits(c->what, *v) ? SMI_CELL_RANGE : SMI_CELL_OK;
}

/* ---- the lines in front ---- */

static int find_static(const struct smi_text *cell, size_t n)
{
    return n >= 3 && smi_text_is(cell[0], "ram_unit") && smi_text_is(cell[1], "gpu_ram_unit")
               ? SMI_FMT_GPU_TRACKER
               : -1;
}

static int read_static_names(struct gpu_tracker *r, size_t n)
{
    r->capacity = r->count = -1;
    for (size_t i = 0; i < n && i < TRACKER_COLUMNS; i++) {
        r->capacity = smi_text_is(r->row.cell[i], "gpu_ram_system_capacity") ? (int)i : r->capacity;
        r->count = smi_text_is(r->row.cell[i], "system_gpu_count") ? (int)i : r->count;
    }
    r->names = n;
    return smi_row_count_header(&r->row);
}

/* The values below the first header. */
static int read_static_values(struct gpu_tracker *r, struct smi_text line, size_t n)
{
    static const struct smi_row_column memory = {SMI_COL_NUMBER, SMI_FB_TOTAL, 0, SMI_WORD_GPU_RAM};
    const struct smi_text *cell = r->row.cell;
    bool fits = n == r->names;
    r->names = 0;
    r->total = 0;
    r->ram = fits ? unit_of(cell[0]) : 0;
    r->gpu_ram = fits ? unit_of(cell[1]) : 0;
    r->single = fits && r->count >= 0 && smi_text_is(cell[r->count], "1");
    if (!fits)
        return smi_row_reject(&r->row, SMI_REJECT_BAD_WIDTH, line);
    if (r->single && r->capacity >= 0 && cell[r->capacity].n &&
        read_gpu_tracker_cell(&r->row, &memory, cell[r->capacity], &r->total) != SMI_CELL_OK)
        r->total = 0;
    if (r->count >= 0 && !r->single && !smi_text_is(cell[r->count], "0"))
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "gpu_tracker adds up all GPUs of a machine: with several, none of them is known");
    return smi_line_count(&r->row.lines.account->header);
}

/* The plan of a header; false: it is none. */
static bool bind_gpu_tracker(struct gpu_tracker *r, size_t n)
{
    static const char *const time[] = {"timestamp", NULL}, *const ram[] = {"main_ram", NULL};
    const struct smi_text *cell = r->row.cell;
    if (n > TRACKER_COLUMNS || !smi_names_have(cell, n, time) || !smi_names_have(cell, n, ram))
        return false;
    smi_row_parts_init(&r->part[1], &r->part[0], n);
    for (size_t i = 0; i < n; i++) {
        const struct smi_alias *a = smi_names_find(&smi_names_gpu_tracker, cell[i]);
        if (a)
            smi_row_parts_add(&r->part[1], &r->part[0], a->kind, a->what,
                              a->word & (SMI_WORD_RAM | SMI_WORD_GPU_RAM), i);
    }
    return r->part[0].at[SMI_AT_TIME] >= 0;
}

/* ---- rows ---- */

static int send_gpu_tracker_row(struct smi_row_reader *row, struct smi_sample *s)
{
    const struct gpu_tracker *r = (const struct gpu_tracker *)row;
    if (!row->plan.host)
        s->who = r->single ? smi_devices_find_ordinal(row->lines.devices, 0) : SMI_DEVICE_POOL;
    if (r->total && !row->plan.host)
        smi_sample_add(s, SMI_FB_TOTAL, r->total);
    return smi_lines_row(&row->lines, s);
}

static int read_gpu_tracker_line(void *self, struct smi_text line)
{
    struct gpu_tracker *r = self;
    struct smi_row_reader *row = &r->row;
    size_t n = smi_row_split(line, 0, row->cell, TRACKER_COLUMNS);
    if (find_static(row->cell, n) >= 0)
        return read_static_names(r, n);
    if (r->names)
        return read_static_values(r, line, n);
    if (bind_gpu_tracker(r, n))
        return smi_row_header(row, line, &r->part[0]);
    return smi_row_read_parts(row, line, n, r->part, r->single ? 2 : 1);
}

const struct smi_format smi_format_gpu_tracker = {
    .size = sizeof(struct gpu_tracker),
    .header = find_static,
    .line = read_gpu_tracker_line,
    .table = &(const struct smi_table){.names = {&smi_names_gpu_tracker},
                                       .flags = SMI_TABLE_HOST,
                                       .columns = TRACKER_COLUMNS,
                                       .time = smi_row_time_stamp,
                                       .cell = read_gpu_tracker_cell,
                                       .send = send_gpu_tracker_row}};
