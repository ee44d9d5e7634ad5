/* The cells of hand-made GPU logs: numbers with or without units, and times of all kinds. */
#include "formats/gpu_csv_names.h"

#include "base/int128.h"

#include <string.h>

enum { UNIT_WORD = 16 };

static const struct smi_gpu_csv_unit units[] = {
    {"pct", SMI_DIM_SHARE, 1, 1},          {"percent", SMI_DIM_SHARE, 1, 1},
    {"perc", SMI_DIM_SHARE, 1, 1},         {"mib", SMI_DIM_MEMORY, 1, 1},
    {"mb", SMI_DIM_MEMORY, 1, 1},          {"gib", SMI_DIM_MEMORY, 1024, 1},
    {"gb", SMI_DIM_MEMORY, 1024, 1},       {"kib", SMI_DIM_MEMORY, 1, 1024},
    {"kb", SMI_DIM_MEMORY, 1, 1024},       {"b", SMI_DIM_MEMORY, 1, 1 << 20},
    {"bytes", SMI_DIM_MEMORY, 1, 1 << 20}, {"w", SMI_DIM_POWER, 1, 1},
    {"watt", SMI_DIM_POWER, 1, 1},         {"watts", SMI_DIM_POWER, 1, 1},
    {"mw", SMI_DIM_POWER, 1, 1000},        {"milliwatts", SMI_DIM_POWER, 1, 1000},
    {"c", SMI_DIM_TEMPERATURE, 1, 1},      {"celsius", SMI_DIM_TEMPERATURE, 1, 1},
    {"degc", SMI_DIM_TEMPERATURE, 1, 1},   {"mhz", SMI_DIM_CLOCK, 1, 1},
    {"ghz", SMI_DIM_CLOCK, 1000, 1},       {"fraction", SMI_DIM_SHARE, 100, 1},
};

const struct smi_gpu_csv_unit *smi_gpu_csv_unit_find(const char *word)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].word, word) == 0)
            return &units[i];
    return NULL;
}

const struct smi_gpu_csv_unit *smi_gpu_csv_unit_of(struct smi_text t)
{
    char word[UNIT_WORD];
    t = smi_text_trim(t);
    if (t.n == 0 || t.n >= UNIT_WORD)
        return NULL;
    if (smi_text_is(t, "%"))
        return smi_gpu_csv_unit_find("pct");
    if (t.n == 3 && memcmp(t.p, "\xC2\xB0", 2) == 0) /* degree sign */
        t = (struct smi_text){t.p + 2, 1};
    for (size_t i = 0; i < t.n; i++)
        word[i] = (char)(t.p[i] >= 'A' && t.p[i] <= 'Z' ? t.p[i] | 32 : t.p[i]);
    word[t.n] = 0;
    return smi_gpu_csv_unit_find(word);
}

enum smi_cell_status smi_gpu_csv_cell(const struct smi_gpu_csv_column *c, struct smi_text cell, int64_t *v)
{
    const struct smi_gpu_csv_unit *u = c->unit;
    size_t n = 0;
    smi_i128 scaled;
    int rc;
    if (smi_cell_missing(cell) || smi_text_is_nocase(cell, "nan") || smi_text_is_nocase(cell, "none") ||
        smi_text_is_nocase(cell, "null"))
        return SMI_CELL_MISSING;
    while (n < cell.n && ((cell.p[n] >= '0' && cell.p[n] <= '9') || cell.p[n] == '.' || cell.p[n] == '-' ||
                          cell.p[n] == '+'))
        n++;
    if (n < cell.n) {
        u = smi_gpu_csv_unit_of((struct smi_text){cell.p + n, cell.n - n});
        if (!u || u->dimension != c->dimension)
            return SMI_CELL_BAD;
    }
    rc = smi_text_parse_micro((struct smi_text){cell.p, n}, v);
    if (rc < 0)
        return SMI_CELL_BAD;
    if (!u)
        return SMI_CELL_NO_UNIT;
    scaled = smi_i128_div((smi_i128)*v * u->num, u->den);
    if (rc > 0 || !smi_reading_fits(c->what, scaled))
        return SMI_CELL_RANGE;
    *v = (int64_t)scaled;
    return SMI_CELL_OK;
}
