#include "formats/fault_text.h"

#include "base/clock.h"

#include <string.h>

/* nvidia-smi prints its errors to standard output: they land in the log. A line begins so, in any case, and
 * holds `within` somewhere behind (NULL: nothing is asked). Texts: formats.md §2.2. */
static const struct {
    const char *begin, *within;
} messages[] = {
    {"NVIDIA-SMI has failed because", NULL},
    {"NVIDIA-SMI couldn't find", NULL},
    {"Please also try adding directory", NULL},
    {"Failed to initialize NVML", NULL},
    {"NVML library version:", NULL},
    {"No devices were found", NULL},
    {"Unable to determine the device handle for gpu", NULL},
    {"Field \"", "not a valid field to query"},
    {"Unable to query", NULL},
    {"Invalid combination of input arguments", NULL},
    {"Option ", "not recognized"},
    {"GPU is lost", NULL},
    {"Timeout", NULL},
    {"Reboot the system", NULL},
};

/* What shells, loops and other tools leave between the rows: formats.md §9. */
static const char *const noise[] = {
    "WARNING:", /* also "Warning: persistence mode is disabled" */
    "'CTRL' + 'C' to stop watching output:",
    "nohup:",
};

static bool text_contains(struct smi_text t, const char *s)
{
    return memmem(t.p, t.n, s, strlen(s)) != NULL;
}

/* The output of date(1): "Tue Jun  9 09:00:01 UTC 2020", "Wed Feb 26 01:50:18 PM EST 2025". */
static bool is_date(struct smi_text t)
{
    static const char days[] = "Mon Tue Wed Thu Fri Sat Sun ";
    struct smi_text eight = {NULL, 8};
    int64_t ms;
    if (t.n < 16 || t.n > 40 || t.p[3] != ' ' || !memmem(days, sizeof days - 1, t.p, 4))
        return false;
    for (size_t i = 4; i + 8 <= t.n; i++) {
        eight.p = t.p + i;
        if (t.p[i - 1] == ' ' && smi_clock_parse_hms(eight, &ms) == 0)
            return true;
    }
    return false;
}

/* "---------" between sweeps. */
static bool is_ruler(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] != '-')
            return false;
    return t.n >= 3;
}

/* "2020-06-09 09:00:01" alone; with a T it would be the torn row of a CPU log. */
static bool is_stamp(struct smi_text t)
{
    int64_t us;
    bool fine;
    return t.n >= 19 && t.p[10] == ' ' && smi_clock_parse_stamp(t, &us, &fine) == 0;
}

bool smi_message_is_noise(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (smi_text_starts_nocase(t, noise[i]))
            return true;
    return is_ruler(t) || is_stamp(t) || is_date(t);
}

bool smi_message_is_known(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), where;
    int64_t code;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (smi_text_starts_nocase(t, messages[i].begin) &&
            (!messages[i].within || text_contains(t, messages[i].within)))
            return true;
    return smi_message_is_noise(t) || smi_message_fault(t, &where, &code) >= 0;
}

int smi_message_count(struct smi_account *a, struct smi_text line, struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    if (!smi_message_is_known(t))
        return 0;
    a->messages++;
    if (!smi_message_is_noise(t) &&
        smi_account_warn(a, SMI_LOG_WARNING_MESSAGE, err, "%.*s", t.n < 300 ? (int)t.n : 300, t.p))
        return -1;
    return 1;
}

int smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                        struct smi_text cell, struct smi_err *err)
{
    const char *key = smi_metrics[metric].key;
    int n;
    cell = smi_text_trim(cell);
    n = cell.n < 40 ? (int)cell.n : 40;
    smi_account_request(a, metric);
    if (what == SMI_CELL_MISSING)
        a->cells_missing++;
    if (what == SMI_CELL_BAD) {
        a->cells_bad++;
        return smi_account_warn(a, SMI_LOG_WARNING_CELL, err, "%s: \"%.*s\" is no number", key, n, cell.p);
    }
    if (what == SMI_CELL_RANGE) {
        a->out_of_range++;
        return smi_account_warn(a, SMI_LOG_WARNING_RANGE, err, "%s: \"%.*s\" is out of range", key, n,
                                cell.p);
    }
    return 0;
}
