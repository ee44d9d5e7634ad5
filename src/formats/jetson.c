/* Jetson: tegrastats prints a line for each sample, with its time in front since JetPack 5:
 *
 *     10-01-2025 20:05:55 RAM 2274/6834MB (lfb 27x4MB) SWAP 542/3417MB (cached 2MB) CPU [99%@1189,off]
 *         EMC_FREQ 0% GR3D_FREQ 22%@[305,0] gpu@41.5C tj@52C VDD_IN 5542mW/5542mW VDD_GPU_SOC 1234mW/1230mW
 *
 * (one line there), and loggers write what jtop tells as CSV, after its example:
 *
 *     time,uptime,CPU1,CPU2,RAM,SWAP,EMC,GPU,NVENC,Fan pwmfan0,Temp GPU,Power VDD_GPU_SOC,Power TOT,nvp model
 *     2026-11-10 12:43:38.123456,1:02:03,12,OFF,0.31,0.0,3,22.5,OFF,30.0,41.5,1234,5542,MAXN
 *
 * The GPU is GR3D; it has no memory of its own. Powers are those of rails, now and on average, in mW (older
 * versions print no unit): power_w is of the rail that feeds the GPU, which may feed others too; that is said
 * once. CPUs that are off are not counted. The load of the memory (EMC) is a share of its bandwidth, not of
 * time: not read. RAM of jtop is a share since its version 4; before, it has no unit: not read. */
#include "formats/row_engine.h"

enum { FRONT = 64 /* bytes up to RAM */, NAME = 40, OFF_C = -100 /* a sensor without power says -256 C */ };
enum { COLUMNS = 256 /* of a CSV */ };
enum { STAMP, INDEX, RAIL /* the name of the one that POWER is of */, FIRST };
enum { UTIL = FIRST, CLOCK, MEM_CLOCK, TEMP, HOTTEST, FAN, POWER, MODULE, RAM, RAM_PCT, SWAP, CPUS, CELLS };

struct smi_reader {
    struct smi_row_reader row;   /* first: see row_engine.h */
    struct smi_row_plan part[2]; /* of the GPU and of the machine */
    bool told;                   /* which rail the power is of */
    int64_t on, load;            /* CPUs of the row at hand */
    size_t width;                /* of the CSV; 0: no header yet */
    uint8_t cell[COLUMNS];       /* what its columns are; CELLS: not read */
    char rail[NAME];
};

static const int64_t CPU_MOST = 100000000;

static void bind_parts(struct smi_reader *r, bool timed)
{
    static const uint16_t metrics[][2] = {
        {SMI_GPU_UTIL, UTIL}, {SMI_POWER, POWER},           {SMI_MODULE_POWER_INST, MODULE},
        {SMI_TEMP_GPU, TEMP}, {SMI_TEMP_JUNCTION, HOTTEST}, {SMI_FAN, FAN},
        {SMI_CLK_GR, CLOCK},  {SMI_CLK_MEM, MEM_CLOCK},     {SMI_CPU_PCT, CPUS},
        {SMI_CPUS, CPUS},     {SMI_RAM_PCT, RAM},           {SMI_RAM_PCT, RAM_PCT},
        {SMI_RAM_USED, RAM},  {SMI_SWAP_USED, SWAP}};
    smi_row_parts_init(&r->part[0], &r->part[1], CELLS);
    r->part[0].all = r->part[1].all = true;
    if (timed)
        smi_row_parts_add(&r->part[0], &r->part[1], SMI_COL_TIME, 0, 0, STAMP);
    smi_row_plan_add(&r->part[0], SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, INDEX);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        smi_row_parts_add(&r->part[0], &r->part[1], SMI_COL_NUMBER, metrics[i][0], 0, metrics[i][1]);
}

/* ---- cells ---- */

/* A whole or decimal number at the beginning of t, which is cut off. */
static bool take_number(struct smi_text *t, int64_t *v)
{
    const struct smi_text number = {t->p, smi_text_span(*t, "-0123456789.")};
    *t = smi_text_from(*t, number.n);
    return smi_text_parse_micro(number, v) == 0;
}

static bool take_char(struct smi_text *t, char c)
{
    if (!t->n || *t->p != c)
        return false;
    *t = smi_text_from(*t, 1);
    return true;
}

/* "[99%@1189,0%@806,off]": how many are on, and their load together. */
static bool add_cpus(struct smi_reader *r, struct smi_text t)
{
    int64_t v, clock;
    r->on = r->load = 0;
    for (bool more = take_char(&t, '['); more; more = take_char(&t, ',')) {
        const bool off = smi_text_starts_nocase(t, "off");
        t = smi_text_from(t, off ? 3 : 0);
        if (!off && (!take_number(&t, &v) || v < 0 || v > CPU_MOST || !take_char(&t, '%') ||
                     (take_char(&t, '@') && !take_number(&t, &clock))))
            return false;
        r->load += off ? 0 : v;
        r->on += !off;
    }
    return take_char(&t, ']') && r->on > 0;
}

/* "[305,0]" or "114": the clock of the part of the GPU that runs fastest. */
static bool read_clock(struct smi_text t, int64_t *v)
{
    int64_t next;
    const bool list = take_char(&t, '[');
    bool ok = take_number(&t, v);
    while (ok && list && take_char(&t, ',')) {
        ok = take_number(&t, &next);
        *v = ok && next > *v ? next : *v;
    }
    return ok && (!list || take_char(&t, ']'));
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

/* The reading of a cell; what it is tells how it is written. */
static bool read_value(struct smi_reader *r, unsigned place, unsigned metric, struct smi_text t, int64_t *v)
{
    switch (place) {
    case CPUS:
        if (!r->on && !add_cpus(r, t))
            return false;
        *v = metric == SMI_CPUS ? r->on * 1000000 : r->load / r->on;
        return true;
    case RAM:
    case SWAP:
        return read_memory(t, metric == SMI_RAM_PCT, v);
    case CLOCK:
    case MEM_CLOCK:
        return read_clock(t, v);
    case POWER:
    case MODULE:
        if (!take_number(&t, v) || (t.n && *t.p != '/' && !smi_text_starts_nocase(t, "mW")))
            return false;
        *v = (*v + 500) / 1000;
        return *v >= 0;
    case RAM_PCT:
        return smi_text_parse_micro(t, v) == 0;
    default:
        return take_number(&t, v) && (!t.n || smi_text_is(t, "C") || smi_text_is(t, "%"));
    }
}

static enum smi_cell_status read_jetson_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                             struct smi_text t, int64_t *v)
{
    const bool heat = c->place == TEMP || c->place == HOTTEST;
    if (smi_text_is_nocase(t, "off") || (*t.p != '[' && smi_cell_missing(t)))
        return SMI_CELL_MISSING;
    if (!read_value((struct smi_reader *)row, c->place, c->what, t, v))
        return SMI_CELL_BAD;
    if (heat && *v < (int64_t)OFF_C * 1000000)
        return SMI_CELL_MISSING;
    if (c->place == RAM_PCT && (*v < 0 || *v > 1000000)) /* what is no part of 1 has another unit */
        return SMI_CELL_MISSING;
    *v *= c->place == RAM_PCT ? 100 : 1;
    return SMI_CELL_OK;
}

/* tegrastats writes month-day-year, whatever the numbers; another program may put a time in front as it
 * likes. */
static int read_jetson_time(struct smi_row_reader *row, struct smi_sample *s)
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

/* ---- lines of tegrastats ---- */

static const char *find_ram(struct smi_text line)
{
    const char *at = memmem(line.p, line.n < FRONT ? line.n : FRONT, "RAM ", 4);
    return at && (at == line.p || at[-1] == ' ' || at[-1] == '\t') ? at : NULL;
}

/* What a word of tegrastats, or a column of jtop, is. */
struct named_cell {
    const char *name;
    uint8_t cell;
};

static uint8_t find_cell(const struct named_cell *list, struct smi_text name)
{
    while (list->name && !smi_text_is_nocase(name, list->name))
        list++;
    return list->name ? list->cell : CELLS;
}

/* A word with a value behind it. */
static void take_pair(struct smi_text *cell, struct smi_text name, struct smi_text value)
{
    static const struct named_cell names[] = {
        {"GR3D_FREQ", UTIL}, {"GR3D", UTIL}, {"EMC_FREQ", MEM_CLOCK}, {"EMC", MEM_CLOCK},    {"CPU", CPUS},
        {"RAM", RAM},        {"SWAP", SWAP}, {"VDD_IN", MODULE},      {"POM_5V_IN", MODULE}, {NULL, 0}};
    const uint8_t is = find_cell(names, name);
    const char *at = memchr(value.p, '@', value.n);
    struct smi_text behind = at ? smi_text_between(at + 1, value.p + value.n) : (struct smi_text){"", 0};
    if (is == UTIL) {
        cell[UTIL] = (struct smi_text){value.p, value.n - behind.n - (at != NULL)};
        cell[CLOCK] = behind;
    } else if (is < CELLS && (is != CPUS || *value.p == '[')) {
        cell[is] = is == MEM_CLOCK ? behind : value;
    } else if (is == CELLS && !cell[POWER].n && memmem(name.p, name.n, "GPU", 3)) {
        cell[POWER] = value;
        cell[RAIL] = name;
    }
}

static void split_tegra_line(struct smi_text *cell, struct smi_text line, const char *ram)
{
    static const struct named_cell temperatures[] = {{"gpu", TEMP}, {"tj", HOTTEST}, {NULL, 0}};
    struct smi_text t = smi_text_between(ram, line.p + line.n), name = {"", 0}, word;
    memset(cell, 0, CELLS * sizeof *cell);
    cell[STAMP] = smi_text_trim(smi_text_between(line.p, ram));
    cell[INDEX] = (struct smi_text){"0", 1};
    for (; (word = smi_text_word(&t)).n; name = word) {
        const char *at = *word.p >= 'A' ? memchr(word.p, '@', word.n) : NULL;
        bool value = smi_is_digit(*word.p) || *word.p == '[' || smi_text_is(word, "off");
        if (at && *word.p != '[') { /* "gpu@41.5C" */
            uint8_t is = find_cell(temperatures, smi_text_between(word.p, at));
            if (is < CELLS)
                cell[is] = smi_text_between(at + 1, word.p + word.n);
        } else if (value && name.n)
            take_pair(cell, name, word);
    }
}

/* The cells are in r->row.cell. */
static int read_cells(struct smi_reader *r, struct smi_text line)
{
    const bool timed = r->row.cell[STAMP].n > 0;
    const struct smi_text rail = r->row.cell[RAIL]; /* "VDD_CPU_GPU_CV": the power of the GPU and others */
    if (!r->part[0].width || timed != (r->part[0].at[SMI_AT_TIME] >= 0))
        bind_parts(r, timed);
    if (rail.n && smi_say_once(r->row.lines.account, &r->told) &&
        rail.p[rail.n - 1] != 'U') /* VDD_GPU, VDD_SYS_GPU, POM_5V_GPU */
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "power of the GPU is that of the rail %.*s, which feeds more than the GPU",
                         rail.n < NAME ? (int)rail.n : NAME, rail.p);
    return smi_row_read_parts(&r->row, line, CELLS, r->part, 2);
}

static int read_tegra_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    const char *ram = find_ram(line);
    if (!ram)
        return smi_row_other(&r->row, line, false, SMI_REJECT_FOREIGN);
    split_tegra_line(r->row.cell, line, ram);
    r->on = 0;
    return read_cells(r, line);
}

/* RAM 2448/7764MB ... CPU [ */
static enum smi_sniff sniff_tegra(struct smi_text line)
{
    const char *ram = find_ram(line);
    struct smi_text t;
    int64_t used;
    if (!ram)
        return SMI_SNIFF_NO;
    t = smi_text_between(ram + 4, line.p + line.n);
    return read_memory(smi_text_word(&t), false, &used) && memmem(t.p, t.n, "[", 1) &&
                   (memmem(t.p, t.n, " CPU [", 6) || memmem(t.p, t.n, " cpu [", 6))
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

/* ---- CSV of jtop ---- */

/* "Power VDD_GPU_SOC", "Temp gpu", "CPU12" */
static uint8_t find_jtop_column(struct smi_text name)
{
    static const struct named_cell names[] = {
        {"time", STAMP},      {"GPU", UTIL},         {"Temp GPU", TEMP},
        {"Temp tj", HOTTEST}, {"Power TOT", MODULE}, {"power cur", MODULE},
        {"RAM", RAM_PCT},     {"Fan pwmfan0", FAN},  {NULL, 0}};
    const uint8_t is = find_cell(names, name);
    if (is < CELLS)
        return is;
    if (smi_text_starts_nocase(name, "CPU") && smi_cell_digits(smi_text_from(name, 3), SMI_CELL_DIGITS) >= 0)
        return CPUS;
    return smi_text_starts_nocase(name, "Power ") && memmem(name.p, name.n, "GPU", 3) ? POWER : CELLS;
}

static int find_jtop_header(const struct smi_text *cell, size_t n)
{
    static const char *const model[] = {"nvp model", "jetson_clocks", NULL},
                             *const up[] = {"uptime", "power cur", NULL}, *const gpu[] = {"GPU", NULL};
    return n > 2 && n <= COLUMNS && smi_text_is(cell[0], "time") && smi_names_have(cell, n, up) &&
                   (smi_names_have(cell, n, model) || smi_names_have(cell, n, gpu))
               ? SMI_FMT_JTOP
               : -1;
}

static int bind_jtop(struct smi_reader *r, struct smi_text line, const struct smi_text *cell, size_t n)
{
    struct smi_text rail = {"", 0};
    r->width = n;
    for (size_t i = 0; i < n; i++) {
        r->cell[i] = find_jtop_column(cell[i]);
        if (r->cell[i] == POWER && !rail.n)
            rail = smi_text_trim(smi_text_from(cell[i], 5));
        else if (r->cell[i] == POWER)
            r->cell[i] = CELLS;
        bool known =
            !cell[i].n || smi_names_find(&smi_names_jtop, cell[i]); /* texts, and parts without a metric */
        for (size_t k = 0; k < smi_names_jtop_parts.n; k++)
            known |= smi_text_starts_nocase(cell[i], smi_names_jtop_parts.list[k].name);
        if (r->cell[i] == CELLS && !known)
            smi_account_unknown(r->row.lines.account, cell[i]);
    }
    smi_text_copy(r->rail, sizeof r->rail, rail);
    bind_parts(r, true);
    return smi_row_header(&r->row, line, &r->part[0]);
}

static int read_jtop_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_text cell[COLUMNS], *to = r->row.cell;
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, cell, COLUMNS);
    int64_t v;
    if (find_jtop_header(cell, n) >= 0)
        return bind_jtop(r, line, cell, n);
    if (n != r->width || smi_message_is_known(line))
        return smi_row_other(&r->row, line, false,
                             n > 1 && r->width ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN);
    memset(to, 0, CELLS * sizeof *to);
    to[INDEX] = (struct smi_text){"0", 1};
    to[RAIL] = smi_text_of(r->rail);
    r->on = r->load = 0;
    for (size_t i = 0; i < n; i++) {
        if (r->cell[i] == CELLS)
            continue;
        to[r->cell[i]] = cell[i];
        if (r->cell[i] == CPUS && smi_text_parse_micro(cell[i], &v) == 0 && v >= 0 && v <= CPU_MOST) {
            r->on++;
            r->load += v;
        }
    }
    if (!r->on)
        to[CPUS].n = 0;
    else if (to[CPUS].n)
        to[CPUS] = smi_text_of("on");
    return read_cells(r, line);
}

/* ---- the formats ---- */

static const struct smi_table table = {
    .flags = SMI_TABLE_SPARSE,
    .columns = CELLS,
    .time = read_jetson_time,
    .cell = read_jetson_cell,
};

const struct smi_format smi_format_tegrastats = {.size = sizeof(struct smi_reader),
                                                 .sniff = sniff_tegra,
                                                 .fronts = true,
                                                 .line = read_tegra_line,
                                                 .table = &table};

const struct smi_format smi_format_jtop_csv = {.size = sizeof(struct smi_reader),
                                               .header = find_jtop_header,
                                               .split = SMI_SPLIT_QUOTES,
                                               .line = read_jtop_line,
                                               .table = &table};
