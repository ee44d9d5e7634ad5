#include "formats/nvidia_query_plan.h"

#include "base/clock.h"
#include "base/mem.h"
#include "model/sample.h"

#include <string.h>

const char smi_query_reference[] = "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,"
                                   "power.draw,temperature.gpu,clocks.current.sm,clocks.current.memory";

size_t smi_query_split(struct smi_text line, struct smi_text *cell)
{
    size_t n = 0;
    const char *p = line.p, *end = line.p + line.n;
    for (;;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma ? comma : end;
        if (n < SMI_QUERY_COLUMNS)
            cell[n] = smi_text_trim((struct smi_text){p, (size_t)(stop - p)});
        n++;
        if (!comma)
            return n;
        p = comma + 1;
    }
}

/* Two columns of one meaning: the first one counts. */
static bool is_repeated_column(const struct smi_query_plan *p, const struct smi_query_column *c)
{
    if (c->kind == SMI_COL_SKIP)
        return false;
    for (size_t i = 0; i < p->columns; i++)
        if (p->column[i].kind == c->kind && p->column[i].what == c->what)
            return true;
    return false;
}

static int make_columns(struct smi_query_plan *p, struct smi_text names, const struct smi_text *cell,
                        size_t n, struct smi_err *err)
{
    size_t readings = 0;
    p->named = p->columns = 0;
    if (smi_mem_reserve(&p->column, &p->cap, n, sizeof *p->column) ||
        smi_mem_reserve(&p->names, &p->names_cap, names.n + 1, 1))
        return smi_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        struct smi_query_column c;
        smi_column_query(cell[i], &c);
        if (is_repeated_column(p, &c) ||
            (c.kind >= SMI_COL_NUMBER && readings + SMI_THROTTLE_COUNT >= SMI_SAMPLE_MAX))
            c.kind = SMI_COL_SKIP;
        readings += c.kind == SMI_COL_MASK ? SMI_THROTTLE_COUNT : c.kind >= SMI_COL_NUMBER;
        p->column[p->columns++] = c;
    }
    memcpy(p->names, names.p, names.n);
    p->names_n = names.n;
    p->named = n;
    return 0;
}

void smi_query_plan_reset(struct smi_query_plan *p)
{
    p->columns = 0;
    p->time = p->name = -1;
    p->keyed = false;
}

int smi_query_bind(struct smi_query_plan *p, struct smi_text names, const struct smi_text *cell, size_t n,
                   struct smi_err *err)
{
    smi_query_plan_reset(p);
    if ((p->named != n || p->names_n != names.n || memcmp(p->names, names.p, names.n) != 0) &&
        make_columns(p, names, cell, n, err))
        return -1;
    p->columns = n;
    for (size_t i = 0; i < n; i++) {
        if (p->column[i].kind == SMI_COL_TIME)
            p->time = (int)i;
        if (p->column[i].kind == SMI_COL_NAME)
            p->name = (int)i;
        p->keyed |= p->column[i].kind == SMI_COL_KEY;
    }
    return 0;
}

/* Names have no digit in front, no quotes, no tabs: a tab-separated list that mentions names is no header. */
static bool may_be_name(struct smi_text cell)
{
    return cell.n > 0 && (cell.p[0] < '0' || cell.p[0] > '9') && !memchr(cell.p, '"', cell.n) &&
           !memchr(cell.p, '\t', cell.n);
}

/* formats.md §9b: no cell begins with a digit, none is empty or quoted; at least one is a measurement; and a
 * cell has its unit behind it, or half of the cells are known names. */
bool smi_query_is_header(const struct smi_text *cell, size_t n)
{
    size_t known = 0, measures = 0;
    bool unit = false;
    for (size_t i = 0; i < n; i++) {
        struct smi_query_column c;
        if (!may_be_name(cell[i]))
            return false;
        smi_column_query(cell[i], &c);
        known += c.known || c.measures;
        measures += c.measures;
        unit |= cell[i].n > 3 && cell[i].p[cell[i].n - 1] == ']' && cell[i].p[0] != '[';
    }
    return measures > 0 && (unit || 2 * known >= n);
}

/* Do the cells fit the reference's nine columns? Its first is a time, and at most one other is no number. */
bool smi_query_fits_reference(const struct smi_text *cell, size_t n)
{
    static const uint16_t metrics[] = {SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_FB_TOTAL,
                                       SMI_POWER,    SMI_TEMP_GPU, SMI_CLK_SM,  SMI_CLK_MEM};
    int64_t v;
    bool fine;
    int fit = 0;
    if (n != 9 || smi_clock_parse_stamp(cell[0], &v, &fine))
        return false;
    for (int i = 0; i < 8; i++)
        fit += smi_cell_number(metrics[i], cell[i + 1], &v) <= SMI_CELL_MISSING;
    return fit >= 7;
}

enum smi_sniff smi_query_sniff(struct smi_text line)
{
    struct smi_text cell[SMI_QUERY_COLUMNS];
    size_t n = smi_query_split(line, cell);
    int64_t v;
    bool fine;
    if (n > SMI_QUERY_COLUMNS)
        return SMI_SNIFF_NO;
    if (smi_query_is_header(cell, n) || smi_query_fits_reference(cell, n))
        return SMI_SNIFF_YES;
    if (n > 1 && cell[0].n > 4 && cell[0].p[4] == '/' && smi_clock_parse_stamp(cell[0], &v, &fine) == 0)
        return SMI_SNIFF_BARE;
    if (n > 1 && smi_cell_number(SMI_GPU_UTIL, cell[0], &v) == SMI_CELL_OK &&
        cell[0].p[cell[0].n - 1] == '%' && smi_cell_number(SMI_FB_USED, cell[1], &v) == SMI_CELL_OK &&
        cell[1].p[cell[1].n - 1] == 'B')
        return SMI_SNIFF_BARE;
    return SMI_SNIFF_NO;
}

void smi_query_plan_fini(struct smi_query_plan *p)
{
    smi_mem_free(p->column);
    smi_mem_free(p->names);
    *p = (struct smi_query_plan){0};
}
