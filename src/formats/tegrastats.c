/* tegrastats of Jetson: a line for each sample, with its time in front since JetPack 5:
 *
 *     10-01-2025 20:05:55 RAM 2274/6834MB (lfb 27x4MB) SWAP 542/3417MB (cached 2MB) CPU [99%@1189,off]
 *         EMC_FREQ 0% GR3D_FREQ 22%@[305,0] gpu@41.5C tj@52C VDD_IN 5542mW/5542mW VDD_GPU_SOC 1234mW/1230mW
 *
 * (one line there). The GPU is GR3D; it has no memory of its own. Powers are those of rails, now and on average,
 * in mW (older versions print no unit): power_w is of the rail that feeds the GPU, which may feed others too;
 * that is said once. CPUs that are off are not counted. The load of the memory (EMC_FREQ) is a share of its
 * bandwidth, not of time: not read. */
#include "base/int128.h"
#include "formats/row_engine.h"

#include <string.h>

enum { FRONT = 64 /* bytes up to RAM */, OFF_C = -100 /* a sensor without power says -256 C */ };
enum { STAMP, INDEX, UTIL, CLOCK, MEMORY_CLOCK, TEMP, JUNCTION, POWER, MODULE, RAM, SWAP, CPUS, CELLS };

struct smi_reader {
    struct smi_row_reader row;   /* first: see row_engine.h */
    struct smi_row_plan part[2]; /* of the GPU and of the machine */
    bool told;                   /* which rail the power is of */
};

static const struct {
    bool host;
    enum smi_column_kind kind;
    uint16_t what, place;
} columns[] = {
    {false, SMI_COL_TIME, 0, STAMP},
    {false, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, INDEX},
    {false, SMI_COL_NUMBER, SMI_GPU_UTIL, UTIL},
    {false, SMI_COL_NUMBER, SMI_POWER, POWER},
    {false, SMI_COL_NUMBER, SMI_MODULE_POWER_INST, MODULE},
    {false, SMI_COL_NUMBER, SMI_TEMP_GPU, TEMP},
    {false, SMI_COL_NUMBER, SMI_TEMP_JUNCTION, JUNCTION},
    {false, SMI_COL_NUMBER, SMI_CLK_GR, CLOCK},
    {false, SMI_COL_NUMBER, SMI_CLK_MEM, MEMORY_CLOCK},
    {true, SMI_COL_TIME, 0, STAMP},
    {true, SMI_COL_NUMBER, SMI_CPU_PCT, CPUS},
    {true, SMI_COL_NUMBER, SMI_CPUS, CPUS},
    {true, SMI_COL_NUMBER, SMI_RAM_PCT, RAM},
    {true, SMI_COL_NUMBER, SMI_RAM_USED, RAM},
    {true, SMI_COL_NUMBER, SMI_SWAP_USED, SWAP},
};

static void bind_parts(struct smi_reader *r, bool timed)
{
    for (unsigned host = 0; host < 2; host++) {
        struct smi_row_plan *p = &r->part[host];
        smi_row_plan_init(p, CELLS);
        p->host = host;
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            if (columns[i].host == p->host && (timed || columns[i].kind != SMI_COL_TIME))
                smi_row_plan_add(p, columns[i].kind, columns[i].what, 0, columns[i].place);
    }
}

/* ---- cells ---- */

/* A whole or decimal number at the beginning of t, which is cut off. */
static bool take_number(struct smi_text *t, int64_t *v)
{
    size_t n = 0;
    while (n < t->n && ((t->p[n] >= '0' && t->p[n] <= '9') || t->p[n] == '.' || (!n && *t->p == '-')))
        n++;
    if (smi_text_parse_micro((struct smi_text){t->p, n}, v))
        return false;
    *t = (struct smi_text){t->p + n, t->n - n};
    return true;
}

static bool take_char(struct smi_text *t, char c)
{
    if (!t->n || *t->p != c)
        return false;
    *t = (struct smi_text){t->p + 1, t->n - 1};
    return true;
}

/* "[99%@1189,0%@806,off]": how many are on, and their load together. */
static bool add_cpus(struct smi_text t, int64_t *on, int64_t *load)
{
    int64_t v, clock;
    *on = *load = 0;
    for (bool more = take_char(&t, '['); more; more = take_char(&t, ',')) {
        if (smi_text_starts_nocase(t, "off")) {
            t = (struct smi_text){t.p + 3, t.n - 3};
            continue;
        }
        if (!take_number(&t, &v) || v < 0 || v > 100000000 || !take_char(&t, '%') ||
            (take_char(&t, '@') && !take_number(&t, &clock)))
            return false;
        *load += v;
        ++*on;
    }
    return take_char(&t, ']') && *on > 0;
}

/* "[305,0]" or "114": the clock of the part of the GPU that runs fastest. */
static bool read_clock(struct smi_text t, int64_t *v)
{
    int64_t next;
    bool list = take_char(&t, '[');
    if (!take_number(&t, v))
        return false;
    while (list && take_char(&t, ',')) {
        if (!take_number(&t, &next))
            return false;
        *v = next > *v ? next : *v;
    }
    return !list || take_char(&t, ']');
}

/* "2448/7764MB" */
static bool read_memory(struct smi_text t, bool share, int64_t *v)
{
    int64_t total;
    if (!take_number(&t, v) || !take_char(&t, '/') || !take_number(&t, &total) || !smi_text_is(t, "MB"))
        return false;
    if (share && total > 0)
        *v = (int64_t)smi_i128_div((smi_i128)*v * 100000000, total);
    return *v >= 0 && (!share || total > 0);
}

static bool read_value(unsigned metric, struct smi_text t, int64_t *v)
{
    int64_t on, load;
    switch (metric) {
    case SMI_CPUS:
    case SMI_CPU_PCT:
        if (!add_cpus(t, &on, &load))
            return false;
        *v = metric == SMI_CPUS ? on * 1000000 : load / on;
        return true;
    case SMI_RAM_USED:
    case SMI_RAM_PCT:
    case SMI_SWAP_USED:
        return read_memory(t, metric == SMI_RAM_PCT, v);
    case SMI_CLK_GR:
    case SMI_CLK_MEM:
        return read_clock(t, v);
    case SMI_POWER:
    case SMI_MODULE_POWER_INST:
        if (!take_number(&t, v))
            return false;
        *v = (*v + 500) / 1000;
        return *v >= 0;
    default:
        return take_number(&t, v) && (smi_text_is(t, "C") || smi_text_is(t, "%"));
    }
}

static enum smi_cell_status read_tegra_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                            struct smi_text t, int64_t *v)
{
    (void)row;
    if (smi_text_is_nocase(t, "off"))
        return SMI_CELL_MISSING;
    if (!read_value(c->what, t, v))
        return SMI_CELL_BAD;
    if (c->place == TEMP || c->place == JUNCTION)
        return *v < (int64_t)OFF_C * 1000000 ? SMI_CELL_MISSING : SMI_CELL_OK;
    return *v < (int64_t)1 << 43 ? SMI_CELL_OK : SMI_CELL_RANGE;
}

/* It is month-day-year, whatever the numbers; another program may put a time in front as it likes. */
static int read_tegra_time(struct smi_row_reader *row, struct smi_sample *s)
{
    struct smi_stamp at;
    if (row->plan.at[SMI_AT_TIME] < 0)
        return 0;
    if (!row->clock.form) {
        row->clock.form = SMI_STAMP_MONTH_FIRST;
        if (smi_stamp_read(&row->clock, row->cell[STAMP], &at))
            row->clock.form = SMI_STAMP_UNKNOWN;
    }
    return smi_row_time(row, row->cell[STAMP], false, s);
}

/* ---- lines ---- */

static const char *find_ram(struct smi_text line)
{
    const char *at = memmem(line.p, line.n < FRONT ? line.n : FRONT, "RAM ", 4);
    return at && (at == line.p || at[-1] == ' ' || at[-1] == '\t') ? at : NULL;
}

/* A word with a value behind it. */
static void take_pair(struct smi_text *cell, struct smi_text name, struct smi_text value)
{
    const char *at = memchr(value.p, '@', value.n);
    struct smi_text behind = at ? (struct smi_text){at + 1, (size_t)(value.p + value.n - at - 1)}
                                : (struct smi_text){"", 0};
    if (smi_text_is(name, "GR3D_FREQ") || smi_text_is(name, "GR3D")) {
        cell[UTIL] = (struct smi_text){value.p, value.n - behind.n - (at != NULL)};
        cell[CLOCK] = behind;
    } else if (smi_text_is(name, "EMC_FREQ") || smi_text_is(name, "EMC")) {
        cell[MEMORY_CLOCK] = behind;
    } else if (smi_text_is_nocase(name, "CPU") && *value.p == '[') {
        cell[CPUS] = value;
    } else if (smi_text_is(name, "RAM")) {
        cell[RAM] = value;
    } else if (smi_text_is(name, "SWAP")) {
        cell[SWAP] = value;
    } else if (smi_text_is(name, "VDD_IN") || smi_text_is(name, "POM_5V_IN")) {
        cell[MODULE] = value;
    } else if (!cell[POWER].n && memmem(name.p, name.n, "GPU", 3)) {
        cell[POWER] = value;
        cell[CELLS] = name;
    }
}

/* "gpu@41.5C" */
static void take_temperature(struct smi_text *cell, struct smi_text word, const char *at)
{
    const struct smi_text name = {word.p, (size_t)(at - word.p)},
                          value = {at + 1, word.n - (size_t)(at + 1 - word.p)};
    if (smi_text_is_nocase(name, "gpu"))
        cell[TEMP] = value;
    else if (smi_text_is_nocase(name, "tj"))
        cell[JUNCTION] = value;
}

/* Cells of the line; behind the last one the name of the rail. */
static void split_tegra_line(struct smi_text *cell, struct smi_text line, const char *ram)
{
    struct smi_text t = {ram, (size_t)(line.p + line.n - ram)}, name = {"", 0}, word;
    memset(cell, 0, (CELLS + 1) * sizeof *cell);
    cell[STAMP] = smi_text_trim((struct smi_text){line.p, (size_t)(ram - line.p)});
    cell[INDEX] = (struct smi_text){"0", 1};
    for (; (word = smi_text_word(&t)).n; name = word) {
        const char *at = *word.p >= 'A' ? memchr(word.p, '@', word.n) : NULL;
        bool value = (*word.p >= '0' && *word.p <= '9') || *word.p == '[' || smi_text_is(word, "off");
        if (at && *word.p != '[')
            take_temperature(cell, word, at);
        else if (value && name.n)
            take_pair(cell, name, word);
    }
}

/* "VDD_CPU_GPU_CV": the power of the GPU and others. Once for a log. */
static int tell_rail(struct smi_reader *r, struct smi_err *err)
{
    const struct smi_text rail = r->row.cell[CELLS];
    if (r->told || !rail.n)
        return 0;
    r->told = true;
    if (rail.p[rail.n - 1] == 'U') /* VDD_GPU, VDD_SYS_GPU, POM_5V_GPU */
        return 0;
    r->row.lines.account->changes++; /* read in pieces, each would say it once more */
    return smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER, err,
                            "power of the GPU is that of the rail %.*s, which feeds more than the GPU",
                            rail.n < 40 ? (int)rail.n : 40, rail.p);
}

static int read_tegra_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    const char *ram = find_ram(line);
    if (!ram)
        return smi_row_other(&r->row, line, false, SMI_REJECT_FOREIGN, err);
    split_tegra_line(r->row.cell, line, ram);
    if (!r->part[0].width || (r->row.cell[STAMP].n > 0) != (r->part[0].at[SMI_AT_TIME] >= 0))
        bind_parts(r, r->row.cell[STAMP].n > 0);
    return tell_rail(r, err) || smi_row_read_parts(&r->row, line, r->part, 2, err) ? -1 : 0;
}

/* RAM 2448/7764MB ... CPU [ */
static enum smi_sniff sniff_tegra(struct smi_text line)
{
    const char *ram = find_ram(line);
    struct smi_text t;
    int64_t used;
    if (!ram)
        return SMI_SNIFF_NO;
    t = (struct smi_text){ram + 4, (size_t)(line.p + line.n - ram - 4)};
    return read_memory(smi_text_word(&t), false, &used) && memmem(t.p, t.n, "[", 1) &&
                   (memmem(t.p, t.n, " CPU [", 6) || memmem(t.p, t.n, " cpu [", 6))
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_SPARSE,
    .columns = CELLS,
    .time = read_tegra_time,
    .cell = read_tegra_cell,
};

const struct smi_format smi_format_tegrastats = {
    .size = sizeof(struct smi_reader), .sniff = sniff_tegra, .line = read_tegra_line, .table = &table};
