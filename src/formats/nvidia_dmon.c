/* nvidia-smi dmon: one line per GPU and cycle, columns in the order of the letters given to -s.
 *
 *     # gpu     fb   bar1   ccpm     sm    mem    enc    dec    jpg    ofa
 *     # Idx     MB     MB     MB      %      %      %      %      %      %
 *         0     62      4      0      0      0      0      0      0      0
 *
 *     #Date        Time         gpu    pwr  gtemp  mtemp     sm    mem
 *     #YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %
 *      20260816    09:22:34       0      6     38      -      0      0
 *
 * The header comes again during a run; copied logs lose its '#'; --format csv puts commas between the cells.
 * Columns are bound by name, never by place: order and number differ with options, driver. */
#include "base/clock.h"
#include "formats/fast_block.h"

enum { COLUMNS = 256 };

/* The kind of times that a header gives. -o D alone gives days, and no interval can be told from days. */
static enum smi_time_base base_of(const struct smi_row_plan *p)
{
    if (p->at[SMI_AT_TIME] < 0)
        return SMI_TIME_BASE_NONE;
    return p->at[SMI_AT_DATE] < 0 ? SMI_TIME_BASE_DAY : SMI_TIME_BASE_LOCAL;
}

static void bind_dmon_fast(struct smi_row_reader *row)
{
    const struct smi_row_plan *p = &row->plan;
    const bool dated = row->dates.state == SMI_DATES_FIRST || row->dates.state == SMI_DATES_LOOP;
    if (p->commas || (p->at[SMI_AT_TIME] < 0
                          ? dated
                          : base_of(p) != SMI_TIME_BASE_LOCAL || row->lines.base != SMI_TIME_BASE_LOCAL))
        smi_fast_off(row);
    else
        smi_fast_bind(row, SMI_FAST_DAY_TIME, true);
}

enum { INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX, INDEX_DIGITS = 6 };

/* Splits the line, and decodes a header into p: `gpu` among the first three names; for dmon names of its own
 * - one, or two if the
 * '#' is lost - and no pid, for pmon a pid, and a type or command; dcgmi's begins with "Entity". p->width
 * stays 0 if it is no header. */
static void bind_columns(struct smi_row_plan *p, const struct smi_format *f, struct smi_text line,
                         struct smi_text *cell)
{
    const bool pmon = f == &smi_format_pmon, dcgmi = f == &smi_format_dcgmi;
    bool hash;
    const struct smi_text text = smi_row_strip_hash(line, &hash);
    size_t n;
    smi_row_plan_init(p, 0);
    p->commas = text.n && memchr(text.p, ',', text.n) && smi_row_split(text, 0, NULL, 0) > 2;
    *cell = (struct smi_text){"", 0};
    n = smi_row_split(text, p->commas ? 0 : SMI_SPLIT_BLANKS, cell, COLUMNS);
    if (dcgmi ? !smi_text_is(*cell, "Entity")
              : !smi_text_is(*cell, "gpu") && !smi_text_is(*cell, "Time") && !smi_text_is(*cell, "Date"))
        return;
    smi_row_plan_names(p, f->table, cell, n <= COLUMNS ? n : 0);
    if (p->at[INDEX] < 0 || p->at[INDEX] > 2 || pmon != (p->at[SMI_AT_PID] >= 0))
        return;
    if (pmon    ? p->at[SMI_AT_TYPE] >= 0 || p->at[SMI_AT_PROCESS] == (int)n - 1
        : dcgmi ? n > 1
                : p->n >= (hash ? 1U : 2U))
        p->width = n;
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int read_other_line(struct smi_fast_reader *r, struct smi_text line)
{
    static const char *const units[] = {"Idx", "HH:MM:SS", "YYYYMMDD", "ID", NULL};
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    bool pmon = row->table->process, hash;
    if (!pmon && row->plan.width && smi_row_same_header(row, line))
        return smi_row_count_header(row);
    bind_columns(&fresh, row->lines.format, line, row->cell);
    if (fresh.width) { /* the first with times decides: times of day and dates cannot be joined */
        const enum smi_time_base b = base_of(&fresh);
        const bool other = b != SMI_TIME_BASE_NONE && !smi_lines_on_base(&row->lines, b);
        smi_row_header(row, line, &fresh);
        if (other)
            smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                             "a header with times of another kind: the times below it are not read");
        return 0;
    }
    smi_row_strip_hash(line, &hash);
    if (smi_text_is_one_of(*row->cell, units)) {
        smi_buf_clear(&r->fast.below);
        smi_buf_add(&r->fast.below, line.p, line.n);
        row->told &= pmon;
        return smi_line_count(&row->lines.account->header);
    }
    if (fresh.at[INDEX] >= 0 && (hash || (!pmon && fresh.at[SMI_AT_PID] >= 0))) {
        smi_row_plan_init(&fresh, 0); /* the other monitor's, or none of our names: nor are rows below it */
        smi_row_use(row, &fresh);
        row->header_n = 0;
        row->lines.account->changes++;
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line);
    }
    return hash ? smi_line_count(&row->lines.account->messages)
                : smi_row_other(row, line, false, SMI_REJECT_FOREIGN);
}

/* pmon's command is the rest of the line if it is the last column; nothing behind the last comma is no cell.
 */
static size_t split_row(struct smi_row_reader *row, struct smi_text line)
{
    size_t width = row->plan.width, n;
    size_t most = row->plan.at[SMI_AT_PROCESS] == (int)width - 1 ? width : width + 1;
    struct smi_text *last = &row->cell[most - 1];
    unsigned how = row->plan.commas ? 0 : SMI_SPLIT_BLANKS;
    if (!row->table->process)
        return smi_row_split(line, how, row->cell, COLUMNS);
    n = smi_row_split(line, how, row->cell, most);
    if (n < most)
        return n;
    *last = smi_text_trim(smi_text_between(last->p, line.p + line.n));
    return last->n ? most : most - 1;
}

/* cells: of the line, without what stands in front of them. */
static int read_row_line(struct smi_row_reader *row, struct smi_text line, struct smi_text cells)
{
    if (!row->plan.width)
        return smi_row_headless(row, line);
    if (split_row(row, cells) != row->plan.width)
        return smi_row_other(row, line, false, SMI_REJECT_BAD_WIDTH);
    return smi_row_read(row, line);
}

/* "    0     50# gpu    pwr": a dmon was killed in the middle of a row, and the next one appended its header.
 */
static int read_monitor_line(void *self, struct smi_text line)
{
    struct smi_fast_reader *r = self;
    const struct smi_text t = smi_text_trim(line);
    const char *at = r->row.table->process ? NULL : memchr(line.p, '#', line.n);
    struct smi_text header = {at, at ? (size_t)(line.p + line.n - at) : 0};
    struct smi_row_plan fresh;
    if (!t.n || !(smi_is_digit(*t.p) || *t.p == '-')) /* what rows begin with */
        return read_other_line(r, line);
    if (!at)
        return read_row_line(&r->row, line, line);
    bind_columns(&fresh, r->row.lines.format, header, r->row.cell);
    if (!fresh.width)
        return read_row_line(&r->row, line, line);
    smi_row_unfinished(&r->row, line, header);
    return read_other_line(r, header);
}

/* ---- cells ---- */

/* Over midnights. */
static int read_monitor_time(struct smi_row_reader *r, struct smi_sample *s)
{
    int date = r->plan.at[SMI_AT_DATE], time = r->plan.at[SMI_AT_TIME];
    int64_t day = 0, ms = 0;
    if (date >= 0 && smi_clock_parse_date8(r->cell[date], &day))
        return -1;
    if (time < 0)
        return 0;
    if (smi_clock_parse_hms(r->cell[time], &ms))
        return -1;
    s->timed = base_of(&r->plan) == r->lines.base;
    s->t_ms = date < 0 ? smi_stamp_over_midnight(&r->clock, ms) : day + ms;
    return date < 0 || smi_clock_fits(s->t_ms, &r->lines.minute.latest_ms) ? 0 : -1;
}

static struct smi_text read_monitor_key(struct smi_row_reader *r, enum smi_device_key key,
                                        struct smi_text cell)
{
    bool none = smi_text_is(cell, "-");
    (void)key;
    if (smi_cell_digits(cell, INDEX_DIGITS) >= 0)
        return cell;
    r->lines.account->cells_missing += none;
    r->lines.account->cells_bad += !none;
    return (struct smi_text){NULL, 0};
}

/* ---- dmon ---- */

/* Most lines are of another format: they do not begin as "#", "gpu", "Date", "Time" or "Entity". */
static enum smi_sniff sniff(const struct smi_format *f, unsigned least, struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_row_plan p;
    const struct smi_text t = smi_text_trim(line);
    if (!t.n || !memchr("#gDTE", *t.p, 5))
        return SMI_SNIFF_NO;
    bind_columns(&p, f, line, cell);
    return p.width && p.n >= least ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_dmon(struct smi_text line)
{
    return sniff(&smi_format_dmon, 2, line);
}

#define MONITOR_TABLE(monitor, of_names)                                                          \
    .names = {&of_names}, .columns = COLUMNS, .time = read_monitor_time, .key = read_monitor_key, \
    .headless = "rows without a " monitor " header above them: their columns are not known"

static const struct smi_table dmon_table = {
    MONITOR_TABLE("dmon", smi_names_dmon),
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_PASSES,
    .found = smi_fast_found,
    .bound = bind_dmon_fast,
};

#define MONITOR_FORMAT(monitor)                                                                  \
    .size = sizeof(struct smi_fast_reader), .sniff = sniff_##monitor, .line = read_monitor_line, \
    .table = &monitor##_table, .close = smi_fast_close

const struct smi_format smi_format_dmon = {MONITOR_FORMAT(dmon), .fast = smi_fast_rows};

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

static enum smi_sniff sniff_pmon(struct smi_text line)
{
    return memmem(line.p, line.n, "pid", 3) ? sniff(&smi_format_pmon, 0, line) : SMI_SNIFF_NO;
}

static const struct smi_table pmon_table = {
    MONITOR_TABLE("pmon", smi_names_dmon),
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_CYCLES | SMI_TABLE_SORTED | SMI_TABLE_BARE, .process = true};

const struct smi_format smi_format_pmon = {MONITOR_FORMAT(pmon)};

/* dcgmi dmon: one line per entity and cycle, columns in the order of the fields asked for.
 *
 *     #Entity   GPUTL  MCUTL  POWER  TOTEC     TMPTR  MMTMP
 *     ID                      W      mJ        C      C
 *     GPU 0     37     12     59.2   2.07e+11  44     40
 *     GPU-I 1   N/A    N/A    N/A    N/A       N/A    N/A
 *
 * It adds fields that nobody asked for, so columns are bound by name only. The header comes again during a
 * run. There are no times. A MIG instance is no GPU: its lines are counted and not read. Fields between 0 and
 * 1 are shares. TOTEC may have three digits only, which tell no energy. */
struct dcgmi_reader {
    struct smi_fast_reader monitor; /* first: see row_engine.h */
    bool cut;                       /* that a counter has too few digits was said */
};

/* "GPU 0 ...", or a line of another entity, of units, or from elsewhere. */
static int read_dcgmi_line(void *self, struct smi_text line)
{
    static const char *const entities[] = {"GPU", "CPU", "Switch", NULL};
    struct smi_row_reader *r = self;
    struct smi_text t = line, entity = smi_text_word(&t), cells = t;
    if (smi_cell_digits(smi_text_word(&t), SMI_CELL_DIGITS) < 0 ||
        !(smi_text_is_one_of(entity, entities) || smi_text_starts_nocase(entity, "GPU-")))
        return read_other_line(self, line);
    return smi_text_is(entity, "GPU") ? read_row_line(r, line, cells)
                                      : smi_line_count(&r->lines.account->messages);
}

/* "2.07e+11": what such a counter grew by is of the size of the digits that were cut off. */
static enum smi_cell_status read_dcgmi_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                            struct smi_text t, int64_t *v)
{
    enum { DIGITS = 7 };
    struct dcgmi_reader *own = (struct dcgmi_reader *)r;
    const char *e = t.n ? memchr(t.p, 'e', t.n) : NULL;
    if (c->what != SMI_ENERGY || !e || e - t.p > DIGITS)
        return smi_cell_number(c->what, &smi_units[c->how], SMI_CELL_REAL, t, v);
    if (smi_say_once(r->lines.account, &own->cut))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "TOTEC (%s) is %.*s: so few digits tell no energy, it is not read",
                         smi_metrics[c->what].key, (int)t.n, t.p);
    return SMI_CELL_MISSING;
}

static enum smi_sniff sniff_dcgmi(struct smi_text line)
{
    return sniff(&smi_format_dcgmi, 0, line);
}

static const struct smi_table dcgmi_table = {MONITOR_TABLE("dcgmi dmon", smi_names_dcgmi),
                                             .flags = SMI_TABLE_FAULTS, .cell = read_dcgmi_cell};

const struct smi_format smi_format_dcgmi = {.size = sizeof(struct dcgmi_reader),
                                            .sniff = sniff_dcgmi,
                                            .line = read_dcgmi_line,
                                            .table = &dcgmi_table,
                                            .close = smi_fast_close};
