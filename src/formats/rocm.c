#include "formats/rocm.h"

#include "formats/format.h"

#include <string.h>

enum { FRONT = 48, CARD_DIGITS = 6 };

int smi_rocm_card(struct smi_text t, struct smi_text *number)
{
    if (t.n < 5 || t.n > 4 + CARD_DIGITS || memcmp(t.p, "card", 4) != 0)
        return -1;
    *number = (struct smi_text){t.p + 4, t.n - 4};
    for (size_t i = 0; i < number->n; i++)
        if (number->p[i] < '0' || number->p[i] > '9')
            return -1;
    return 0;
}

static bool has_reading(const struct smi_rocm_row *row, unsigned metric)
{
    for (unsigned i = 0; i < row->n; i++)
        if (row->metric[i] == metric)
            return true;
    return false;
}

/* Models that the driver does not know are numbers: "0x744c". */
static bool is_model_name(struct smi_text cell)
{
    return !smi_amd_missing(cell) && !smi_text_starts_nocase(cell, "0x");
}

int smi_rocm_row_add(struct smi_rocm_row *row, const struct smi_alias *c, struct smi_text cell,
                     struct smi_account *a, struct smi_err *err)
{
    enum smi_cell_status what;
    if (!c)
        return 0;
    if (c->kind == SMI_COL_NAME && !row->name.n && is_model_name(cell))
        row->name = cell;
    if (c->kind == SMI_COL_KEY && !smi_amd_missing(cell))
        row->key[c->what] = cell;
    if (c->kind != SMI_COL_NUMBER || row->n == SMI_ROCM_METRICS || has_reading(row, c->what))
        return 0;
    what = smi_amd_cell(c->what, (enum smi_amd_scale)c->how, cell, &row->v[row->n]);
    if (what != SMI_CELL_OK)
        return smi_cell_count_lost(a, what, c->what, cell, err);
    row->metric[row->n++] = c->what;
    return 0;
}

int smi_rocm_device(const struct smi_rocm_row *row, struct smi_devices *d, int *who, struct smi_err *err)
{
    *who = smi_devices_find_key(d, row->key, err);
    if (*who == -1)
        return -1;
    if (*who < 0 || !row->name.n || d->list[*who].name)
        return 0;
    return smi_devices_set_name(d, *who, row->name, err);
}

/* ---- times in front ---- */

static bool separates_time(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

const char *smi_rocm_find_behind_time(struct smi_text line, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i <= FRONT && i + n <= line.n; i++)
        if ((i == 0 || separates_time(line.p[i - 1])) && memcmp(line.p + i, what, n) == 0)
            return line.p + i;
    return NULL;
}

int smi_rocm_leading_time(struct smi_text line, const char *at, int64_t *t_ms, bool *fine,
                          enum smi_time_base *base)
{
    struct smi_text t = {line.p, (size_t)(at - line.p)};
    while (t.n && separates_time(t.p[t.n - 1]))
        t.n--;
    while (t.n && separates_time(*t.p)) {
        t.p++;
        t.n--;
    }
    if (!t.n)
        return 0;
    return smi_amd_time(t, t_ms, fine, base) ? -1 : 1;
}

int smi_rocm_count_message(struct smi_account *a, struct smi_text line, struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    enum smi_time_base base;
    int64_t t_ms;
    bool fine;
    int rc = smi_message_count(a, t, err);
    if (rc || !t.n || *t.p < '0' || *t.p > '9')
        return rc;
    while (t.n && (separates_time(*t.p) || memchr("0123456789-+:./TZ", *t.p, 17))) {
        t.p++;
        t.n--;
    }
    if (t.n)
        return smi_message_count(a, t, err);
    if (smi_rocm_leading_time(line, line.p + line.n, &t_ms, &fine, &base) != 1)
        return 0; /* a row's end */
    a->messages++;
    return 1;
}
