/* dcgmi dmon: one line per entity and cycle, columns in the order of the fields asked for.
 *
 *     #Entity   GPUTL  MCUTL  POWER  TOTEC     TMPTR  MMTMP
 *     ID                      W      mJ        C      C
 *     GPU 0     37     12     59.2   2.07e+11  44     40
 *     GPU-I 1   N/A    N/A    N/A    N/A       N/A    N/A
 *
 * It adds fields that nobody asked for, so columns are bound by name only. The header comes again during a
 * run. There are no times. A MIG instance is no GPU: its lines are counted and not read. TOTEC has three
 * digits only: not read. */
#include "base/mem.h"
#include "formats/fault_text.h"
#include "formats/format.h"
#include "formats/lines.h"

#include <string.h>

enum { COLUMNS = 128 };

/* Short names of DCGM's fields. Those that are not here are not read: no unit is told for most of them. */
static const struct {
    const char *name;
    uint16_t metric;
} fields[] = {
    {"GPUTL", SMI_GPU_UTIL}, {"MCUTL", SMI_MEM_UTIL}, {"FBUSD", SMI_FB_USED},  {"FBTTL", SMI_FB_TOTAL},
    {"FBFRE", SMI_FB_FREE},  {"POWER", SMI_POWER},    {"TMPTR", SMI_TEMP_GPU}, {"MMTMP", SMI_TEMP_MEM},
    {"SMCLK", SMI_CLK_SM},   {"MMCLK", SMI_CLK_MEM},
};

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    size_t columns;         /* cells behind the entity; 0: no header yet */
    int metric_of[COLUMNS]; /* or -1 */
    struct smi_text cell[COLUMNS + 1];
    uint16_t metric[COLUMNS];
    int64_t v[COLUMNS];
};

/* How many words, at most COLUMNS + 1. */
static size_t split_dcgmi_cells(struct smi_text t, struct smi_text *cell)
{
    size_t n = 0;
    while (n <= COLUMNS && (cell[n] = smi_text_word(&t)).n)
        n++;
    return n;
}

static int find_dcgm_metric(struct smi_text name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (smi_text_is(name, fields[i].name))
            return fields[i].metric;
    return -1;
}

/* The names of a header behind "#Entity" (copied logs lose the '#'), or 0: it is none. */
static size_t split_dcgmi_header(struct smi_text line, struct smi_text *cell)
{
    struct smi_text t = smi_text_trim(line);
    size_t n;
    if (t.n && *t.p == '#')
        t = (struct smi_text){t.p + 1, t.n - 1};
    if (!smi_text_is(smi_text_word(&t), "Entity"))
        return 0;
    n = split_dcgmi_cells(t, cell);
    return n <= COLUMNS ? n : 0;
}

static int read_dcgmi_header(struct smi_reader *r, size_t n)
{
    bool other = n != r->columns;
    for (size_t i = 0; i < n; i++) {
        int m = find_dcgm_metric(r->cell[i]);
        for (size_t k = 0; k < i; k++)
            m = m == r->metric_of[k] ? -1 : m; /* a name given twice: the first counts */
        other |= m != r->metric_of[i];
        r->metric_of[i] = m;
    }
    r->columns = n;
    r->lines.account->header++;
    r->lines.account->changes += other;
    return 0;
}

/* r->cell holds the cells behind "GPU 0". */
static int read_dcgmi_row(struct smi_reader *r, struct smi_text line, struct smi_text index,
                          struct smi_err *err)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    struct smi_sample s = {.metric = r->metric, .v = r->v};
    for (size_t i = 0; i < r->columns; i++) {
        int m = r->metric_of[i];
        enum smi_cell_status what =
            m < 0 ? SMI_CELL_OK : smi_cell_number((unsigned)m, r->cell[i], &r->v[s.n]);
        if (m >= 0 && what == SMI_CELL_OK)
            r->metric[s.n++] = (uint16_t)m;
        else if (m >= 0 && smi_cell_count_lost(r->lines.account, what, (unsigned)m, r->cell[i], err))
            return -1;
    }
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    key[SMI_DEVICE_KEY_INDEX] = index;
    s.who = smi_devices_find_key(r->lines.devices, key, err);
    return s.who == -1 ? -1 : smi_sink_row(r->lines.to, &s, err);
}

static bool is_dcgmi_index(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] < '0' || t.p[i] > '9')
            return false;
    return t.n > 0;
}

static bool is_entity(struct smi_text t)
{
    return smi_text_is(t, "GPU") || smi_text_starts_nocase(t, "GPU-") || smi_text_is(t, "CPU") ||
           smi_text_is(t, "Switch");
}

/* "GPU 0 ...", or a line of another entity, of units, or from elsewhere. */
static int read_dcgmi_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_account *a = r->lines.account;
    struct smi_text t = line, entity, index;
    size_t n = split_dcgmi_header(line, r->cell);
    int rc;
    if (n)
        return read_dcgmi_header(r, n);
    entity = smi_text_word(&t);
    if (smi_text_is_nocase(entity, "ID") && r->columns) {
        a->header++;
        return 0;
    }
    index = smi_text_word(&t);
    if (!is_dcgmi_index(index) || !is_entity(entity)) {
        rc = smi_message_report(&r->lines, line, err);
        return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(a, SMI_REJECT_FOREIGN, line, err);
    }
    if (!smi_text_is(entity, "GPU")) {
        a->messages++;
        return 0;
    }
    if (!r->columns)
        return smi_account_reject(a, SMI_REJECT_FOREIGN, line, err);
    return split_dcgmi_cells(t, r->cell) == r->columns
               ? read_dcgmi_row(r, line, index, err)
               : smi_account_reject(a, SMI_REJECT_BAD_WIDTH, line, err);
}

static enum smi_sniff sniff_dcgmi(struct smi_text line)
{
    struct smi_text cell[COLUMNS + 1];
    return split_dcgmi_header(line, cell) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_dcgmi_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    return smi_lines_open(sizeof(struct smi_reader), o, read_dcgmi_line, err);
}

static enum smi_time_base dcgmi_time_base(const struct smi_reader *r)
{
    (void)r;
    return SMI_TIME_BASE_NONE;
}

const struct smi_format smi_format_dcgmi = {
    .name = "dcgmi",
    .help = "dcgmi dmon, any fields: those without a known unit are passed over",
    .sniff = sniff_dcgmi,
    .open = open_dcgmi_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = dcgmi_time_base,
    .close = smi_lines_close,
};
