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
#include "base/mem.h"
#include "base/int128.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/gpu_csv_names.h"
#include "formats/row_engine.h"

#include <string.h>

enum { COLUMNS = 64, TIME = -2, SKIP = -1, DIGITS = 18, DECIMALS = 31, POWER = 1000 };

static const int64_t largest = 1000000000000000000; /* of DIGITS digits */

enum unit { PLAIN, RAM, GPU_RAM }; /* which unit of the first lines a column has */

static const struct {
    const char *name;
    int metric;
    enum unit unit;
    bool gpu; /* of the only GPU */
} columns[] = {
    {"timestamp", TIME, PLAIN, false},
    {"main_ram", SMI_TREE_RAM_MAIN, RAM, false},
    {"descendants_ram", SMI_TREE_RAM_CHILDREN, RAM, false},
    {"combined_ram", SMI_TREE_RAM, RAM, false},
    {"system_ram", SMI_RAM_USED, RAM, false},
    {"main_gpu_ram", SMI_TREE_FB_MAIN, GPU_RAM, false},
    {"descendants_gpu_ram", SMI_TREE_FB_CHILDREN, GPU_RAM, false},
    {"combined_gpu_ram", SMI_TREE_FB, GPU_RAM, false},
    {"system_gpu_ram", SMI_FB_USED, GPU_RAM, true},
    {"gpu_hardware_utilization_percent", SMI_GPU_UTIL, PLAIN, true},
    {"main_n_threads", SMI_TREE_THREADS_MAIN, PLAIN, false},
    {"descendants_n_threads", SMI_TREE_THREADS_CHILDREN, PLAIN, false},
    {"combined_n_threads", SMI_TREE_THREADS, PLAIN, false},
    {"cpu_system_hardware_utilization_percent", SMI_CPU_PCT, PLAIN, false},
    {"cpu_main_sum_utilization_percent", SMI_TREE_CPU_MAIN, PLAIN, false},
    {"cpu_descendants_sum_utilization_percent", SMI_TREE_CPU_CHILDREN, PLAIN, false},
    {"cpu_combined_sum_utilization_percent", SMI_TREE_CPU, PLAIN, false},
};

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

struct smi_reader {
    struct smi_lines lines; /* first: see reader.c */
    bool values;            /* the values of the first header come next */
    int ram, gpu_ram;       /* places in units, or -1 */
    bool single;            /* the machine has one GPU */
    int64_t total;          /* its memory, MiB in millionths; 0: not known */
    size_t width;           /* cells of a row; 0: no header yet */
    int place[COLUMNS];     /* in columns, or SKIP */
    struct smi_text cell[COLUMNS + 1], name[COLUMNS + 1];
    size_t names;
    uint16_t metric[COLUMNS];
    int64_t v[COLUMNS];
};

static size_t split_gpu_tracker_cells(struct smi_text line, struct smi_text *cell)
{
    return smi_row_split(line, 0, cell, COLUMNS);
}

static int unit_of(struct smi_text t)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (smi_text_is(t, units[i].name))
            return (int)i;
    return -1;
}

/* A float as Python prints it: digits * 10^-decimals. Returns whether t is one. */
static bool spelled(struct smi_text t, smi_i128 *whole, int *decimals)
{
    int digits = 0, power = 0;
    bool point = false, minus;
    size_t i = 0, from;
    *whole = *decimals = 0;
    for (; i < t.n && ((t.p[i] >= '0' && t.p[i] <= '9') || (t.p[i] == '.' && !point && i)); i++) {
        if (t.p[i] == '.') {
            point = true;
            continue;
        }
        *whole = *whole * 10 + (t.p[i] - '0');
        digits += *whole != 0;
        *decimals += point;
        if (digits > DIGITS)
            return false;
    }
    if (!i || t.p[i - 1] == '.')
        return false;
    if (i == t.n)
        return true;
    if (t.p[i] != 'e' && t.p[i] != 'E')
        return false;
    minus = ++i < t.n && t.p[i] == '-';
    i += i < t.n && (t.p[i] == '-' || t.p[i] == '+');
    for (from = i; i < t.n && t.p[i] >= '0' && t.p[i] <= '9'; i++)
        power = power < POWER ? power * 10 + (t.p[i] - '0') : power;
    *decimals += minus ? power : -power;
    return i > from && i == t.n;
}

/* "0.8645918720000001", "8.6913024e-05", scaled by num / den and rounded once. */
static enum smi_cell_status decimal(struct smi_text t, int64_t num, int64_t den, int64_t *v)
{
    smi_i128 whole, scale = den;
    int decimals;
    if (!spelled(t, &whole, &decimals))
        return SMI_CELL_BAD;
    *v = 0;
    if (!whole || decimals > DECIMALS) /* less than half a millionth */
        return SMI_CELL_OK;
    for (; decimals > 0; decimals--)
        scale *= 10;
    for (; decimals < 0; decimals++)
        if ((whole *= 10) >= largest)
            return SMI_CELL_RANGE;
    whole = smi_i128_div(whole * num, scale);
    if (whole >= (smi_i128)1 << 43)
        return SMI_CELL_RANGE;
    *v = (int64_t)whole;
    return SMI_CELL_OK;
}

/* A number in the unit of its column, in millionths of the catalogue's. */
static enum smi_cell_status scaled(const struct smi_reader *r, enum unit unit, struct smi_text cell,
                                   int64_t *v)
{
    int u = unit == RAM ? r->ram : r->gpu_ram;
    if (smi_cell_missing(cell) || smi_text_is_nocase(cell, "nan"))
        return SMI_CELL_MISSING;
    if (unit == PLAIN)
        return decimal(cell, 1000000, 1, v);
    if (u < 0)
        return SMI_CELL_BAD;
    return unit == RAM ? decimal(cell, units[u].bytes * 1000000, 1048576, v)
                       : decimal(cell, units[u].bytes, 1, v);
}

/* ---- the lines in front ---- */

static bool is_static(const struct smi_text *cell, size_t n)
{
    return n >= 3 && smi_text_is(cell[0], "ram_unit") && smi_text_is(cell[1], "gpu_ram_unit");
}

static bool is_gpu_tracker_header(const struct smi_text *cell, size_t n)
{
    bool ram = false, time = false;
    for (size_t i = 0; i < n; i++) {
        ram |= smi_text_is(cell[i], "main_ram");
        time |= smi_text_is(cell[i], "timestamp");
    }
    return ram && time && n <= COLUMNS;
}

/* The line of the names goes before their values come: what is kept are the words of this table. */
static void on_names(struct smi_reader *r, size_t n)
{
    static const char *const known[] = {"ram_unit", "gpu_ram_unit", "gpu_ram_system_capacity",
                                        "system_gpu_count"};
    for (size_t i = 0; i < n && i <= COLUMNS; i++) {
        r->name[i] = (struct smi_text){"", 0};
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (smi_text_is(r->cell[i], known[k]))
                r->name[i] = smi_text_of(known[k]);
    }
    r->names = n;
    r->values = true;
    r->lines.account->header++;
}

/* The values below the first header, whose names are in r->name. */
static int on_values(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    struct smi_text capacity = {NULL, 0};
    bool many = false;
    r->values = r->single = false;
    r->total = 0;
    r->ram = r->gpu_ram = -1;
    if (n != r->names)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line, err);
    for (size_t i = 0; i < n; i++) {
        if (smi_text_is(r->name[i], "ram_unit"))
            r->ram = unit_of(r->cell[i]);
        else if (smi_text_is(r->name[i], "gpu_ram_unit"))
            r->gpu_ram = unit_of(r->cell[i]);
        else if (smi_text_is(r->name[i], "gpu_ram_system_capacity"))
            capacity = r->cell[i];
        else if (smi_text_is(r->name[i], "system_gpu_count")) {
            r->single = smi_text_is(r->cell[i], "1");
            many = !r->single && !smi_text_is(r->cell[i], "0");
        }
    }
    if (r->single && capacity.n && scaled(r, GPU_RAM, capacity, &r->total) != SMI_CELL_OK)
        r->total = 0;
    r->lines.account->header++;
    if (many)
        return smi_account_warn(
            r->lines.account, SMI_LOG_WARNING_OTHER, err,
            "gpu_tracker adds up all GPUs of a machine: with several, none of them is known");
    return 0;
}

static void bind_gpu_tracker_columns(struct smi_reader *r, size_t n)
{
    r->width = n;
    r->lines.account->header++;
    for (size_t i = 0; i < n; i++) {
        r->place[i] = SKIP;
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            if (smi_text_is(r->cell[i], columns[k].name))
                r->place[i] = (int)k;
        for (size_t k = 0; k < i; k++)
            r->place[i] = r->place[k] == r->place[i] ? SKIP : r->place[i];
    }
}

/* ---- rows ---- */

/* The readings of the machine, or of its GPU, go into s. Returns 0, or -1 with err. */
static int read_gpu_tracker_cells(struct smi_reader *r, bool gpu, struct smi_sample *s, struct smi_err *err)
{
    s->n = 0;
    for (size_t i = 0; i < r->width; i++) {
        int k = r->place[i];
        enum smi_cell_status what;
        if (k == SKIP || columns[k].metric == TIME || columns[k].gpu != gpu)
            continue;
        what = scaled(r, columns[k].unit, r->cell[i], &r->v[s->n]);
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = (uint16_t)columns[k].metric;
        else if (smi_cell_count_lost(r->lines.account, what, (unsigned)columns[k].metric, r->cell[i], err))
            return -1;
    }
    return 0;
}

static int read_gpu_tracker_time(const struct smi_reader *r, struct smi_sample *s)
{
    bool utc;
    for (size_t i = 0; i < r->width; i++)
        if (r->place[i] >= 0 && columns[r->place[i]].metric == TIME)
            return smi_gpu_csv_time(r->cell[i], &s->t_ms, &s->fine, &utc) || !utc ? -1 : 0;
    return -1;
}

static int read_gpu_tracker_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {
        .timed = true, .who = SMI_DEVICE_HOST, .shared = true, .metric = r->metric, .v = r->v};
    bool some;
    if (read_gpu_tracker_time(r, &s))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    if (read_gpu_tracker_cells(r, false, &s, err) || (s.n && smi_sink_row(r->lines.to, &s, err)))
        return -1;
    some = s.n > 0;
    if (r->single) {
        if (read_gpu_tracker_cells(r, true, &s, err))
            return -1;
        if (s.n && r->total) {
            r->metric[s.n] = SMI_FB_TOTAL;
            r->v[s.n++] = r->total;
        }
        some |= s.n > 0;
        s.who = smi_devices_find_ordinal(r->lines.devices, 0, err);
        if (s.who == -1 || (s.n && smi_sink_row(r->lines.to, &s, err)))
            return -1;
    }
    if (!some)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    r->lines.account->rows++;
    return 0;
}

static int read_gpu_tracker_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    size_t n = split_gpu_tracker_cells(line, r->cell);
    int rc;
    if (is_static(r->cell, n)) {
        on_names(r, n);
        return 0;
    }
    if (r->values)
        return on_values(r, line, n, err);
    if (is_gpu_tracker_header(r->cell, n)) {
        bind_gpu_tracker_columns(r, n);
        return 0;
    }
    if (r->width && n == r->width)
        return read_gpu_tracker_row(r, line, err);
    rc = smi_message_count(r->lines.account, line, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    return smi_account_reject(r->lines.account, r->width ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN, line,
                              err);
}

static enum smi_sniff sniff_gpu_tracker(struct smi_text line)
{
    struct smi_text cell[COLUMNS + 1];
    return is_static(cell, split_gpu_tracker_cells(line, cell)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static int open_gpu_tracker_reader(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err)
{
    (void)o;
    (void)err;
    r->ram = r->gpu_ram = -1;
    return 0;
}

const struct smi_format smi_format_gpu_tracker = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_gpu_tracker,
    .line = read_gpu_tracker_line,
    .open = open_gpu_tracker_reader,
};
