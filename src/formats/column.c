/* column.c - what a header cell means, and what a data cell under it says. */
#include "formats/format.h"
#include "formats/row_engine.h"

#include <stdlib.h>

const struct smi_alias *smi_names_find(const struct smi_names *map, struct smi_text name)
{
    for (size_t i = 0; i < map->n; i++)
        if (smi_text_is_nocase(name, map->list[i].name))
            return &map->list[i];
    return NULL;
}

const struct smi_alias *smi_names_follow(const struct smi_names *map, size_t *at, struct smi_text name)
{
    for (size_t i = 0, k = *at; i < map->n; i++, k++) {
        k = k < map->n ? k : 0;
        if (smi_text_is(name, map->list[k].name)) {
            *at = k;
            return &map->list[k];
        }
    }
    return NULL;
}

const struct smi_unit *smi_unit_find(struct smi_text t)
{
    t = smi_text_trim(t);
    for (size_t i = 1; i < smi_unit_count; i++)
        if (smi_text_is_nocase(t, smi_units[i].word))
            return &smi_units[i];
    return NULL;
}

/* The texts that are known and not read stand at the end. */
const char *smi_column_query_name(size_t i)
{
    return i < smi_names_query.n && smi_names_query.list[i].kind != SMI_COL_SKIP
               ? smi_names_query.list[i].name
               : NULL;
}

/* Names that begin alike, and the metrics that do: "clocks_event_reasons.sw_power_cap" is
 * throttle.sw_power_cap, in the old and the new spelling of the driver;
 * "ecc.errors.uncorrected.volatile.dram" is ecc.u.v.dram. */
static const struct {
    const char *front, *key;
    enum smi_column_kind kind;
} families[] = {
    {"clocks_event_reasons.", "throttle.", SMI_COL_ACTIVE},
    {"clocks_throttle_reasons.", "throttle.", SMI_COL_ACTIVE},
    {"clocks_event_reasons_counters.", "throttle_us.", SMI_COL_NUMBER},
    {"clocks_throttle_reasons_counters.", "throttle_us.", SMI_COL_NUMBER},
    {"ecc.errors.corrected.volatile.", "ecc.c.v.", SMI_COL_NUMBER},
    {"ecc.errors.corrected.aggregate.", "ecc.c.a.", SMI_COL_NUMBER},
    {"ecc.errors.uncorrected.volatile.", "ecc.u.v.", SMI_COL_NUMBER},
    {"ecc.errors.uncorrected.aggregate.", "ecc.u.a.", SMI_COL_NUMBER},
};

static bool find_family_column(struct smi_text t, struct smi_query_column *c)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t front = strlen(families[i].front), key = strlen(families[i].key);
        struct smi_text rest = {t.p + front, t.n - front};
        if (!smi_text_starts_nocase(t, families[i].front))
            continue;
        if (families[i].kind == SMI_COL_ACTIVE && smi_text_is_nocase(rest, "active")) { /* of all reasons */
            c->kind = SMI_COL_MASK;
            c->what = SMI_THROTTLE_FIRST;
            return c->known = true;
        }
        for (int m = 0; m < SMI_METRIC_COUNT; m++) {
            if (strncmp(smi_metrics[m].key, families[i].key, key) ||
                !smi_text_is_nocase(rest, smi_metrics[m].key + key))
                continue;
            *c = (struct smi_query_column){families[i].kind, (uint16_t)m, true, false, true};
            return true;
        }
    }
    return false;
}

void smi_column_query(struct smi_text header, struct smi_query_column *c)
{
    static const char bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    const char *bracket = memchr(header.p, '[', header.n);
    const struct smi_alias *a;
    bool field; /* of letters, digits, points and underscores, without a point at its end as in prose */
    if (bracket)
        header.n = (size_t)(bracket - header.p);
    header = smi_text_trim(header);
    field = header.n && header.p[header.n - 1] != '.' && smi_text_span(header, bytes) == header.n;
    *c = (struct smi_query_column){SMI_COL_SKIP, 0, false, false, false};
    for (size_t i = 0; field && i < smi_names_query_measures.n; i++)
        c->measures |= smi_text_starts_nocase(header, smi_names_query_measures.list[i].name);
    a = field ? smi_names_find(&smi_names_query, header) : NULL;
    if (a)
        *c = (struct smi_query_column){a->kind, a->what, true, false, c->measures};
    if (a || find_family_column(header, c))
        return;
    for (size_t i = 0; field && i < smi_names_query_kin.n; i++)
        c->kin |= smi_text_starts_nocase(header, smi_names_query_kin.list[i].name);
}

bool smi_cell_missing(struct smi_text cell)
{
    if (cell.n == 0 || (cell.n == 1 && cell.p[0] == '-'))
        return true;
    if (cell.p[0] == '[' && cell.p[cell.n - 1] == ']')
        return true;
    return smi_text_is_nocase(cell, "N/A") || smi_text_is_nocase(cell, "ERR!") ||
           smi_text_is_nocase(cell, "Unknown Error") || smi_text_is_nocase(cell, "GPU is lost") ||
           smi_text_is_nocase(cell, "GPU requires reset") || smi_text_is_nocase(cell, "Unknown") ||
           smi_text_is_nocase(cell, "Not Supported") || smi_text_is(cell, "??");
}

bool smi_cell_fault(struct smi_text cell)
{
    return cell.n && smi_cell_missing(cell) && !smi_names_find(&smi_names_query_never, cell);
}

bool smi_cell_model(struct smi_text cell)
{
    static const char *const makes[] = {"nvidia", "tesla",    "geforce", "quadro", "titan", "rtx",  "gtx",
                                        "amd",    "instinct", "radeon",  "intel",  "a100",  "h100", "h200",
                                        "b200",   "v100",     "mi1",     "mi2",    "mi3"};
    size_t n;
    while (cell.n && (cell.p[cell.n - 1] == ']' || cell.p[cell.n - 1] == ')'))
        cell.n--;
    n = cell.n;
    while (n && smi_is_digit(cell.p[n - 1]))
        n--;
    if (n < cell.n && cell.n - n < 3 && n &&
        (strchr(" -_:#.[(/", cell.p[n - 1]) ||
         (n > 2 && smi_text_is_nocase((struct smi_text){cell.p + n - 3, 3}, "gpu"))))
        return false;
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        if (smi_text_starts_nocase(cell, makes[i]))
            return n > strlen(makes[i]) || cell.n - n > 2 || n == cell.n;
    return false;
}

enum smi_cell_status smi_cell_number(unsigned metric, const struct smi_unit *unit, unsigned how,
                                     struct smi_text cell, int64_t *v)
{
    const char *of = smi_metrics[metric].unit;
    smi_i128 scaled;
    int rc = smi_text_parse_micro(cell, v);
    if (rc < 0) {
        const struct smi_text number = {cell.p, smi_text_span(cell, "+-.0123456789")};
        const struct smi_text rest = smi_text_trim(smi_text_from(cell, number.n));
        const bool apart = number.n && rest.n && (how & SMI_CELL_GLUED || rest.p > number.p + number.n);
        const struct smi_unit *own = !apart ? NULL : smi_text_is(rest, of) ? smi_units : smi_unit_find(rest);
        if (own && (own == smi_units || strcmp(own->of, of) == 0)) {
            unit = own;
            rc = smi_text_parse_micro(cell = number, v);
        }
    }
    if (rc == 0 && unit->num != unit->den) {
        scaled = smi_i128_div((smi_i128)*v * unit->num, unit->den);
        *v = scaled > INT64_MAX || scaled < INT64_MIN ? INT64_MAX : (int64_t)scaled;
    } else if (rc && how & SMI_CELL_REAL) { /* also what only fits in the unit of the metric */
        rc = smi_text_parse_scaled(cell, unit->num * 1000000, unit->den, v);
    }
    if (rc < 0)
        return smi_cell_missing(cell) || (how & SMI_CELL_REAL && smi_text_is_nan(cell)) ? SMI_CELL_MISSING
                                                                                        : SMI_CELL_BAD;
    *v = rc ? INT64_MAX : *v;
    return smi_reading_fits(metric, *v) ? SMI_CELL_OK : SMI_CELL_RANGE;
}

int64_t *smi_sample_find(struct smi_sample *s, unsigned metric)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->metric[i] == metric)
            return &s->v[i];
    return NULL;
}

void smi_sample_add(struct smi_sample *s, unsigned metric, int64_t v)
{
    if (s->n == SMI_SAMPLE_MAX)
        return;
    s->metric[s->n] = (uint16_t)metric;
    s->v[s->n++] = v;
}

void smi_sample_check_power(struct smi_sample *s, struct smi_lines *l, bool remember)
{
    const int64_t *enforced = smi_sample_find(s, SMI_POWER_LIMIT_ENFORCED),
                  *limit = enforced ? enforced : smi_sample_find(s, SMI_POWER_LIMIT);
    int64_t *power = smi_sample_find(s, SMI_POWER), none = 0,
            *last = remember && s->who >= 0 ? &l->devices->list[s->who].limit : &none;
    char digits[SMI_MICRO_TEXT];
    *last = limit ? *limit : *last;
    if (!power || smi_power_fits(*power, *last))
        return;
    smi_account_range(l->account, SMI_POWER, (struct smi_text){digits, smi_text_write_micro(digits, *power)},
                      *last / 2 * 3);
    s->metric[power - s->v] = s->metric[--s->n];
    *power = s->v[s->n];
}

int64_t smi_cell_digits(struct smi_text t, size_t most)
{
    int64_t v = 0;
    if (t.n == 0 || t.n > most || smi_text_digits(t) < t.n)
        return -1;
    for (size_t i = 0; i < t.n; i++)
        v = v * 10 + (t.p[i] - '0');
    return v;
}

int smi_cell_mask(struct smi_text cell, uint64_t *mask)
{
    const int64_t v = smi_cell_digits(cell, SMI_CELL_DIGITS); /* as NVML has it, which programs print so */
    char *end;
    *mask = (uint64_t)v;
    if (v >= 0)
        return 0;
    if (cell.n < 3 || cell.n > 18 || cell.p[0] != '0' || (cell.p[1] | 32) != 'x')
        return -1;
    *mask = strtoull(cell.p, &end, 16); /* no digit follows the cell */
    return end == cell.p + cell.n ? 0 : -1;
}

/* ---- what cells tell of broken GPUs, and cells without a reading ---- */

int smi_cell_fault_id(struct smi_text cell)
{
    const struct smi_text t = smi_text_strip(cell, " []");
    if (!smi_cell_fault(smi_text_trim(cell)))
        return -1;
    if (smi_text_is_nocase(t, "GPU is lost"))
        return SMI_FAULT_LOST;
    return smi_text_is_nocase(t, "GPU requires reset") ? SMI_FAULT_RESET : SMI_FAULT_UNKNOWN;
}

/* gpu_recovery_action as NVML numbers it. */
static int64_t recovery_action(struct smi_text t)
{
    for (int i = 0; i < SMI_RECOVERY_ACTIONS; i++)
        if (smi_text_is_nocase(t, smi_recovery_actions[i]))
            return i;
    return smi_text_is_nocase(t, "Reset")    ? 1
           : smi_text_is_nocase(t, "Reboot") ? 2
                                             : SMI_RECOVERY_ACTIONS - 1;
}

int64_t smi_cell_alarm(unsigned fault, struct smi_text cell)
{
    const struct smi_text t = smi_text_strip(cell, " []");
    if (smi_cell_missing(cell))
        return -1;
    if (fault == SMI_FAULT_RECOVERY)
        return recovery_action(t) ? recovery_action(t) : -1;
    return smi_text_is_nocase(t, "Yes") || smi_text_is_nocase(t, "Pending") ? 0 : -1;
}

void smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                         struct smi_text cell)
{
    cell = smi_text_prefix(smi_text_trim(cell), 40);
    smi_account_request(a, metric);
    a->cells_missing += what == SMI_CELL_MISSING;
    a->cells_bad += what == SMI_CELL_BAD;
    if (what == SMI_CELL_BAD)
        smi_account_warn(a, SMI_LOG_WARNING_CELL, "%s: \"%.*s\" is no number", smi_metrics[metric].key,
                         (int)cell.n, cell.p);
    if (what == SMI_CELL_RANGE)
        smi_account_range(a, metric, cell, smi_metrics[metric].most);
}
