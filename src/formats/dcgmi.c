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
#include "formats/row_engine.h"

enum { COLUMNS = 128 };

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool cut;                  /* that a counter has too few digits was said */
};

/* The plan of a header whose names stand behind "#Entity" (copied logs lose the '#'); width 0: it is none. A
 * row's first cell is the index behind "GPU". Returns how many names are unknown; `unknown` has room for
 * COLUMNS. */
static size_t bind_dcgmi_columns(struct smi_row_plan *p, struct smi_text line, struct smi_text *unknown)
{
    struct smi_text t = smi_text_trim(line), name;
    size_t n = 0, unknowns = 0;
    smi_row_plan_init(p, 0);
    if (t.n && *t.p == '#')
        t = (struct smi_text){t.p + 1, t.n - 1};
    if (!smi_text_is(smi_text_word(&t), "Entity"))
        return 0;
    smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, 0);
    for (; (name = smi_text_word(&t)).n; n++)
        if (!smi_row_plan_name(p, &smi_names_dcgmi, name, n + 1) && n < COLUMNS)
            unknown[unknowns++] = name;
    p->width = n && n <= COLUMNS ? n + 1 : 0;
    return unknowns;
}

static bool is_entity(struct smi_text t)
{
    return smi_text_is(t, "GPU") || smi_text_starts_nocase(t, "GPU-") || smi_text_is(t, "CPU") ||
           smi_text_is(t, "Switch");
}

/* "GPU 0 ...", or a line of another entity, of units, or from elsewhere. */
static int read_dcgmi_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    struct smi_text t = line, entity, cells;
    size_t unknown = bind_dcgmi_columns(&fresh, line, r->cell);
    if (fresh.width) {
        if (!r->plan.width || !smi_row_same_header(r, line))
            smi_account_unknown(r->lines.account, r->cell, unknown);
        return smi_row_header(r, line, &fresh, err);
    }
    entity = smi_text_word(&t);
    if (smi_text_is_nocase(entity, "ID") && r->plan.width)
        return smi_row_count_header(r, err);
    cells = t;
    if (smi_cell_digits(smi_text_word(&t), SMI_CELL_DIGITS) < 0 || !is_entity(entity))
        return smi_row_other(r, line, false, SMI_REJECT_FOREIGN, err);
    if (!smi_text_is(entity, "GPU")) {
        r->lines.account->messages++;
        return 0;
    }
    if (!r->plan.width)
        return smi_row_reject(r, SMI_REJECT_FOREIGN, line, err);
    if (smi_row_split(cells, SMI_SPLIT_BLANKS, r->cell, COLUMNS + 1) != r->plan.width)
        return smi_row_reject(r, SMI_REJECT_BAD_WIDTH, line, err);
    return smi_row_read(r, line, err);
}

/* "2.07e+11": what such a counter grew by is of the size of the digits that were cut off. */
static enum smi_cell_status read_dcgmi_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                            struct smi_text t, int64_t *v)
{
    enum { DIGITS = 7 };
    struct smi_reader *own = (struct smi_reader *)r;
    const char *e = t.n ? memchr(t.p, 'e', t.n) : NULL;
    if (c->what != SMI_ENERGY || !e || e - t.p > DIGITS)
        return smi_row_scaled_cell(r, c, t, v);
    if (!own->cut) {
        r->lines.account->changes++; /* read in pieces, each would say it once more */
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "TOTEC (%s) is %.*s: so few digits tell no energy, it is not read",
                         smi_metrics[c->what].key, (int)t.n, t.p);
    }
    own->cut = true;
    return SMI_CELL_MISSING;
}

static enum smi_sniff sniff_dcgmi(struct smi_text line)
{
    struct smi_text unknown[COLUMNS];
    struct smi_row_plan p;
    bind_dcgmi_columns(&p, line, unknown);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS, .columns = COLUMNS + 1, .cell = read_dcgmi_cell};

const struct smi_format smi_format_dcgmi = {
    .size = sizeof(struct smi_reader), .sniff = sniff_dcgmi, .line = read_dcgmi_line, .table = &table};
