/* amd.c - the logs of amd-smi and of rocm-smi. */
#include "formats/row_engine.h"

bool smi_amd_missing(struct smi_text cell)
{
    return smi_cell_missing(cell) || (!smi_is_digit(*cell.p) && (smi_text_starts_nocase(cell, "N/A") ||
                                                                 smi_text_is_nocase(cell, "None")));
}

struct smi_text smi_amd_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    (void)r;
    (void)key;
    return smi_amd_missing(cell) || smi_text_is(cell, "?") ? (struct smi_text){NULL, 0} : cell;
}

/* smi_table.cell. A share below 0 is BAD (rocm-smi's word for a failure); "(808Mhz)" has its unit behind it.
 */
enum smi_cell_status smi_amd_cell(struct smi_row_reader *r, const struct smi_row_column *c, struct smi_text t,
                                  int64_t *v)
{
    const unsigned metric = c->what;
    enum smi_cell_status what;
    (void)r;
    if (smi_amd_missing(t))
        return SMI_CELL_MISSING;
    if (!c->how && t.n > 2 && *t.p == '(' && t.p[t.n - 1] == ')')
        t = (struct smi_text){t.p + 1, t.n - 2};
    what = smi_cell_number(metric, &smi_units[c->how], c->how ? SMI_CELL_REAL : SMI_CELL_GLUED,
                           smi_text_trim(t), v);
    return what == SMI_CELL_RANGE && *v < 0 && (c->how || strcmp(smi_metrics[metric].unit, "%") == 0)
               ? SMI_CELL_BAD
               : what;
}

/* amd-smi monitor --csv, metric --csv and process --csv, once or with -w: a block for each sample, with its
 * header (CRLF), and an empty line behind it.
 *
 *     'CTRL' + 'C' to stop watching output:
 *     timestamp,gpu,xcp,power_usage,hotspot_temperature,gfx_clk,gfx,mem,vram_used,vram_total
 *     1786553852,0,0,238,37,95,0,0,283,294896
 *
 * Cells have no units; texts with commas are quoted ("['N/A', 'N/A']"), on Windows lists are not: [0, 0].
 * Times are whole seconds, UTC; without -w there are none. Columns follow the options, so they are bound by
 * name at every header. Chips that are parted (xcp) print further rows of a GPU that carry no more than what
 * is not read here: passed over. monitor without options gives memory in GiB with one decimal, and in whole
 * MiB otherwise. process has a row for each process of each GPU, or one that says that a GPU has none:
 *
 *     timestamp,gpu,name,pid,gtt_mem,cpu_mem,vram_mem,mem_usage,gfx,enc,process_info
 *     1786553852,0,python3,4711,2097152,0,1073741824,1075838976,0,0,N/A
 *     1786553852,1,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,No running processes detected */

enum { COLUMNS = 512, INDEX_DIGITS = 6 };

struct amd {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool passed;               /* rows of processes among those of GPUs */
};

/* ---- headers ---- */

static bool begins_header(const struct smi_text *cell, size_t n)
{
    return smi_text_is_nocase(cell[0], "gpu") ||
           (n > 1 && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "gpu"));
}

/* The format whose table a header proves, or -1: they give `mem` another meaning. A header that has words of
 * several is of the first. */
static int find_table(const struct smi_text *cell, size_t n)
{
    static const int formats[] = {SMI_FMT_AMD_METRIC, SMI_FMT_AMD_PROCESS, SMI_FMT_AMD_MONITOR};
    static const unsigned proofs[] = {2, 4, 1}; /* "metric", "process", "monitor" behind a name in the map */
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (size_t i = 0; i < n; i++) {
            const struct smi_alias *a = smi_names_find(&smi_names_amd, cell[i]);
            if (a && a->word & proofs[k])
                return formats[k];
        }
    return -1;
}

/* ---- rows ---- */

/* monitor's memory: whole MiB have no point, and no GPU has 2 TiB. */
static bool in_gib(const struct smi_row_reader *r)
{
    int64_t v;
    for (unsigned i = 0; i < r->plan.n && r->lines.format == &smi_format_amd_monitor; i++) {
        struct smi_text total = r->cell[r->plan.column[i].place];
        if (r->plan.column[i].what == SMI_FB_TOTAL)
            return total.n && memchr(total.p, '.', total.n) && smi_text_parse_micro(total, &v) == 0 &&
                   v < (int64_t)2048 * 1000000;
    }
    return false;
}

static enum smi_cell_status read_amd_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                          struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what = smi_amd_cell(r, c, cell, v);
    if (what == SMI_CELL_OK && (c->what == SMI_FB_USED || c->what == SMI_FB_TOTAL) && in_gib(r))
        *v *= 1024;
    return what;
}

static struct smi_text read_amd_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    (void)r;
    (void)key;
    return smi_cell_digits(cell, INDEX_DIGITS) >= 0 ? cell : (struct smi_text){NULL, 0};
}

/* ---- lines ---- */

static int read_amd_header(struct amd *r, struct smi_text line, size_t n)
{
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    const int proved = find_table(row->cell, n);
    smi_row_end_cycle(row);
    smi_row_plan_init(&fresh, 0);
    smi_row_plan_names(&fresh, row->table, row->cell, n);
    r->passed = !row->table->process && (fresh.at[SMI_AT_PID] >= 0 || fresh.at[SMI_AT_INFO] >= 0);
    if (!r->passed && (proved < 0 ? fresh.n > 0 : smi_formats[proved] == row->lines.format)) {
        fresh.width = n;
        smi_row_header(row, line, &fresh);
        row->cycle.has_memory = true;
        return 0;
    }
    smi_row_use(row, &fresh);
    row->lines.account->changes++;
    if (!r->passed) /* metric below monitor, or no name that we know */
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line);
    return smi_line_count(&row->lines.account->messages);
}

static int read_amd_line(void *self, struct smi_text line)
{
    struct amd *r = self;
    struct smi_row_reader *row = &r->row;
    const size_t width = row->plan.width;
    const bool digit = smi_is_digit(*smi_text_trim(line).p);
    size_t n;
    if (width && smi_row_same_header(row, line)) { /* it comes again in front of every sample */
        smi_row_end_cycle(row);
        return smi_row_count_header(row);
    }
    n = smi_row_split(line, SMI_SPLIT_QUOTES, row->cell, COLUMNS);
    if (n <= COLUMNS && begins_header(row->cell, n))
        return read_amd_header(r, line, n);
    if (r->passed && digit)
        return smi_line_count(&row->lines.account->messages);
    if (width && n > width)
        n = smi_row_rejoin_time(row,
                                smi_row_split(line, SMI_SPLIT_QUOTES | SMI_SPLIT_LISTS, row->cell, COLUMNS));
    if (width && n == width && (digit || !smi_row_is_message(row, line)))
        return smi_row_read(row, line);
    return smi_row_other(row, line, false, width && digit ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN);
}

/* ---- the formats ---- */

/* amd-smi puts no blank behind its commas: what has one is somebody's own CSV, or nvidia-smi's. */
static enum smi_sniff sniff_commas(struct smi_text line)
{
    return !memchr(line.p, ',', line.n) || memmem(line.p, line.n, ", ", 2) ? SMI_SNIFF_NO : SMI_SNIFF_YES;
}

static int find_amd_header(const struct smi_text *cell, size_t n)
{
    return n <= COLUMNS && begins_header(cell, n) ? find_table(cell, n) : -1;
}

#define AMD_FORMAT(of_table)                                                          \
    {                                                                                 \
        .size = sizeof(struct amd), .sniff = sniff_commas, .header = find_amd_header, \
        .split = SMI_SPLIT_QUOTES, .line = read_amd_line, .table = of_table           \
    }

#define AMD_TABLE(of_names)                                                               \
    .names = {&of_names, &smi_names_amd}, .columns = COLUMNS, .time = smi_row_time_stamp, \
    .cell = read_amd_cell, .key = read_amd_key

static const struct smi_table metric = {AMD_TABLE(smi_names_amd_metric),
                                        .flags = SMI_TABLE_DATED | SMI_TABLE_PASSES};
static const struct smi_table monitor = {AMD_TABLE(smi_names_amd_monitor),
                                         .flags = SMI_TABLE_DATED | SMI_TABLE_PASSES};
static const struct smi_table processes = {AMD_TABLE(smi_names_amd_process),
                                           .flags = SMI_TABLE_CYCLES | SMI_TABLE_DATED, .process = true};

const struct smi_format smi_format_amd_metric = AMD_FORMAT(&metric);
const struct smi_format smi_format_amd_monitor = AMD_FORMAT(&monitor);
const struct smi_format smi_format_amd_process = AMD_FORMAT(&processes);

/* rocm-smi --show... --csv, called again and again: a block for each call, with its header.
 *
 *     WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status
 *
 *     device,GPU use (%),VRAM Total Memory (B),VRAM Total Used Memory (B)
 *     card0,97,17163091968,8581545984
 *
 * It prints no times; loggers put them in front: "1787485761 card0,97,...". A call can print several blocks,
 * one for each group of options: rows of one card join into one sample until a reading comes again. So a row
 * waits for the next call, and the log is read in one piece. Commas inside values were taken out by the tool.
 * --showallinfo puts a table of quoted pairs in front, under "name, value": passed over, like blocks that
 * hold texts only.
 *
 * What --json prints is read in gpu_json.c. */

enum { ROCM_COLUMNS = 256, HELD = 64, NEAR_MS = 1000 };
enum { FRONT = 48, TIME_LEAST = 8 /* bytes of a time in front of a line */, CARD_DIGITS = 6 };
enum { MODEL = SMI_AT_INFO, OTHER_MODEL };

struct rocm {
    struct smi_row_reader row;    /* first: see row_engine.h */
    struct smi_text front;        /* of the row at hand: its time, or the number of the line */
    struct smi_sample held[HELD]; /* of cards, which wait for more */
    size_t waiting;
};

struct smi_text smi_rocm_card(struct smi_text t)
{
    const bool card =
        t.n > 4 && memcmp(t.p, "card", 4) == 0 && smi_cell_digits(smi_text_from(t, 4), CARD_DIGITS) >= 0;
    return card ? smi_text_from(t, 4) : (struct smi_text){NULL, 0};
}

/* ---- rows ---- */

const struct smi_alias *smi_rocm_alias(struct smi_text label)
{
    static const struct smi_alias power = {"", SMI_COL_NUMBER, SMI_POWER, 0, 0};
    static const struct smi_alias skip = {"", SMI_COL_SKIP, 0, 0, 0};
    static const char tail[] = "Graphics Package Power (W)"; /* the words in front of it depend on the chip */
    static const char text[] = " firmware version";
    const size_t n = sizeof tail - 1, m = sizeof text - 1;
    const struct smi_alias *a;
    label = smi_text_trim(label);
    label.n -= label.n && label.p[label.n - 1] == ':'; /* "sclk clock speed:" */
    a = smi_names_find(&smi_names_rocm, label);
    if (!a && label.n > m && smi_text_is_nocase(smi_text_from(label, label.n - m), text))
        return &skip;
    return !a && label.n > n && smi_text_is_nocase(smi_text_from(label, label.n - n), tail) ? &power : a;
}

void smi_rocm_add_column(struct smi_row_plan *p, const struct smi_alias *a, size_t place)
{
    const bool name = a->kind == SMI_COL_NAME;
    smi_row_plan_add(p, name ? SMI_COL_PLACE : a->kind,
                     !name              ? a->what
                     : p->at[MODEL] < 0 ? MODEL
                                        : OTHER_MODEL,
                     a->how, place);
}

static int read_rocm_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const struct smi_text front = ((const struct rocm *)row)->front;
    return !front.n               ? 0
           : front.n < TIME_LEAST ? smi_row_untimed(row, front)
                                  : smi_row_time(row, front, false, s);
}

static struct smi_text read_rocm_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    return key == SMI_DEVICE_KEY_INDEX ? smi_rocm_card(cell) : smi_amd_key(r, key, cell);
}

/* Models that the driver does not know are numbers: "0x744c". */
static void name_rocm_device(struct smi_row_reader *r, int who)
{
    for (unsigned at = MODEL; at <= OTHER_MODEL; at++) {
        struct smi_text name = smi_row_text(r, at);
        if (who >= 0 && !r->lines.devices->list[who].name && !smi_amd_missing(name) &&
            !smi_text_starts_nocase(name, "0x"))
            smi_devices_set_name(r->lines.devices, who, name);
    }
}

/* ---- times in front ---- */

#define SEPARATORS " \t,;"

static const char *find_behind_time(struct smi_text line, const char *what)
{
    const size_t n = strlen(what), most = line.n < FRONT + n ? line.n : FRONT + n;
    const char *at = line.p, *const end = line.p + most;
    while ((at = memchr(at, *what, (size_t)(end - at))) &&
           ((size_t)(end - at) < n || memcmp(at, what, n) != 0))
        at++;
    return at && (at == line.p || memchr(SEPARATORS, at[-1], strlen(SEPARATORS))) ? at : NULL;
}

/* Messages may stand behind a time, too. */
static bool count_rocm_message(struct smi_row_reader *row, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (smi_row_message(row, t))
        return true;
    t = smi_text_from(t, smi_text_span(t, SEPARATORS "0123456789-+:./TZ"));
    return t.n && smi_message_count(row->lines.account, t);
}

/* ---- CSV: what waits ---- */

static void flush_rocm_csv_rows(struct rocm *r)
{
    for (size_t i = 0; i < r->waiting; i++)
        smi_lines_row(&r->row.lines, &r->held[i]);
    r->waiting = 0;
}

/* Is b more of the same call: no reading comes twice, and the times, if any, are not further apart than a
 * second that turned in between? */
static bool belongs(const struct smi_sample *a, const struct smi_sample *b)
{
    int64_t dt = b->t_ms - a->t_ms;
    if (a->timed != b->timed || dt < -NEAR_MS || dt > NEAR_MS)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < b->n; k++)
            if (a->metric[i] == b->metric[k])
                return false;
    return true;
}

/* Takes a row in: one that joins another counts as a row itself. */
static int hold_rocm_csv_row(struct smi_row_reader *row, struct smi_sample *s)
{
    struct rocm *r = (struct rocm *)row;
    size_t i = 0;
    if (s->who < 0)
        return smi_lines_row(&row->lines, s);
    while (i < r->waiting && r->held[i].who != s->who)
        i++;
    if (i < r->waiting && belongs(&r->held[i], s)) {
        row->lines.account->rows++;
    } else {
        if (i < r->waiting || i == HELD)
            flush_rocm_csv_rows(r);
        smi_sample_copy(&r->held[r->waiting++], s);
        return 0;
    }
    for (unsigned k = 0; k < s->n; k++)
        smi_sample_add(&r->held[i], s->metric[k], s->v[k]);
    return 0;
}

/* ---- lines ---- */

/* The plan of a header that stands from `at` on; width 0: it is none, or too wide. Names that are not known
 * are counted in a, or NULL. Returns how many are known. */
static size_t bind_rocm_csv_columns(struct smi_row_plan *p, struct smi_text line, const char *at,
                                    struct smi_text *cell, struct smi_account *a)
{
    size_t n = at ? smi_row_split(smi_text_between(at, line.p + line.n), 0, cell, ROCM_COLUMNS) : 0,
           known = 0;
    smi_row_plan_init(p, n > ROCM_COLUMNS ? 0 : n);
    p->all = true;
    smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, 0);
    for (size_t i = 1; i < p->width; i++) {
        const struct smi_alias *is = smi_rocm_alias(cell[i]);
        known += is != NULL;
        if (is)
            smi_rocm_add_column(p, is, i);
        else if (a)
            smi_account_unknown(a, cell[i]);
    }
    return known;
}

/* Splits what stands from `at` on. Returns why it is no row; SMI_REJECT_COUNT: it is one. */
static enum smi_reject split_rocm_csv_row(struct smi_row_reader *row, struct smi_text line, const char *at)
{
    struct smi_text t = smi_text_between(at, line.p + line.n);
    if (row->plan.width && smi_row_split(t, 0, row->cell, ROCM_COLUMNS) != row->plan.width)
        return SMI_REJECT_BAD_WIDTH;
    return !row->plan.width || !smi_rocm_card(row->cell[0]).n ? SMI_REJECT_FOREIGN : SMI_REJECT_COUNT;
}

static int read_rocm_csv_line(void *self, struct smi_text line)
{
    struct rocm *r = self;
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    struct smi_stamp_clock clock = row->clock;
    struct smi_stamp time;
    const char *at = find_behind_time(line, "device,");
    struct smi_text t;
    size_t n;
    if (at) {
        bind_rocm_csv_columns(&fresh, line, at, row->cell, row->lines.account);
        return smi_row_header(row, line, &fresh);
    }
    at = find_behind_time(line, "card");
    if (at)
        r->front = smi_text_strip(smi_text_between(line.p, at), SEPARATORS);
    if (at && smi_is_digit(at[4]) && /* the end of the line at most */
        (!r->front.n || smi_stamp_read(&clock, r->front, &time) == 0 || smi_stamp_form_of(r->front))) {
        enum smi_reject why = split_rocm_csv_row(row, line, at);
        return why == SMI_REJECT_COUNT ? smi_row_read(row, line) : smi_row_reject(row, why, line);
    }
    t = smi_text_trim(
        line); /* the table of --showallinfo, in quotes, and a row of the machine between the cards */
    n = smi_row_split(t, 0, row->cell, ROCM_COLUMNS);
    if ((*t.p == '"' && memchr(t.p + 1, '"', t.n - 1)) || (n > 1 && smi_text_is(row->cell[0], "system")) ||
        (n == 2 && smi_text_is(row->cell[0], "name") && smi_text_is(row->cell[1], "value")))
        return smi_line_count(&row->lines.account->messages);
    return count_rocm_message(row, line) ? 0 : smi_row_reject(row, SMI_REJECT_FOREIGN, line);
}

/* Rows that wait for their date go on before those that wait for more. */
static void finish_rocm_csv(struct smi_reader *r)
{
    smi_row_finish((struct smi_row_reader *)r);
    flush_rocm_csv_rows((struct rocm *)r);
}

static enum smi_sniff sniff_rocm_csv(struct smi_text line)
{
    struct smi_text cell[ROCM_COLUMNS];
    struct smi_row_plan p;
    return bind_rocm_csv_columns(&p, line, find_behind_time(line, "device,"), cell, NULL) ? SMI_SNIFF_YES
                                                                                          : SMI_SNIFF_NO;
}

#define ROCM_TABLE                                                                                \
    .flags = SMI_TABLE_DEVICES | SMI_TABLE_PASSES, .columns = ROCM_COLUMNS, .cell = smi_amd_cell, \
    .found = name_rocm_device

const struct smi_format smi_format_rocm = {
    .size = sizeof(struct rocm),
    .sniff = sniff_rocm_csv,
    .line = read_rocm_csv_line,
    .table = &(const struct smi_table){ROCM_TABLE, .time = read_rocm_time, .key = read_rocm_key,
                                       .send = hold_rocm_csv_row},
    .fronts = true,
    .finish = finish_rocm_csv,
};

/* Of JSON, where dates stand on lines or in front of documents, and cards are numbers. */
const struct smi_table smi_rocm_json_table = {ROCM_TABLE, .time = smi_json_document_time, .key = smi_amd_key};
