#include "formats/amd_columns.h"

#include <string.h>

/* "Current Socket Graphics Package Power (W)", "Average ...": the words in front depend on the chip. */
static bool is_power(struct smi_text label)
{
    static const char tail[] = "Graphics Package Power (W)";
    size_t n = sizeof tail - 1;
    return label.n > n && smi_text_is_nocase((struct smi_text){label.p + label.n - n, n}, tail);
}

const struct smi_alias *smi_rocm_alias(struct smi_text label)
{
    static const struct smi_alias power = {"", SMI_COL_NUMBER, SMI_POWER, 0, 0};
    const struct smi_alias *a;
    label = smi_text_trim(label);
    if (label.n && label.p[label.n - 1] == ':') /* "sclk clock speed:" */
        label.n--;
    a = smi_names_find(&smi_names_rocm, label);
    return !a && is_power(label) ? &power : a;
}

/* ---- cells ---- */

bool smi_amd_missing(struct smi_text cell)
{
    return smi_cell_missing(cell) || smi_text_starts_nocase(cell, "N/A") || smi_text_is_nocase(cell, "None");
}

/* "(808Mhz)" -> "808" */
static struct smi_text without_mhz(struct smi_text t)
{
    if (t.n > 2 && *t.p == '(' && t.p[t.n - 1] == ')')
        t = (struct smi_text){t.p + 1, t.n - 2};
    if (t.n > 3 && smi_text_is_nocase((struct smi_text){t.p + t.n - 3, 3}, "MHz"))
        t.n -= 3;
    return smi_text_trim(t);
}

enum smi_cell_status smi_amd_cell(unsigned metric, unsigned unit, struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what;
    if (smi_amd_missing(cell))
        return SMI_CELL_MISSING;
    what = unit ? smi_cell_scaled(metric, smi_units[unit].num, smi_units[unit].den, cell, v)
                : smi_cell_number(metric, without_mhz(cell), v);
    return what == SMI_CELL_RANGE && *v < 0 && (unit || strcmp(smi_metrics[metric].unit, "%") == 0)
               ? SMI_CELL_BAD
               : what;
}

enum smi_cell_status smi_amd_row_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                      struct smi_text t, int64_t *v)
{
    (void)r;
    return smi_amd_cell(c->what, c->how, t, v);
}
