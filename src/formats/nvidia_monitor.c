#include "formats/nvidia_monitor.h"

#include "base/clock.h"
#include "formats/fault_text.h"
#include "formats/format.h"

#include <string.h>

enum { DAY_MS = 86400000, DIGITS = 6 };

/* ---- words ---- */

bool smi_nvidia_monitor_is_row(struct smi_text line)
{
    size_t i = 0;
    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
        i++;
    return i < line.n && ((line.p[i] >= '0' && line.p[i] <= '9') || line.p[i] == '-');
}

struct smi_text smi_nvidia_monitor_strip_hash(struct smi_text line, bool *hash)
{
    struct smi_text t = smi_text_trim(line);
    *hash = t.n && *t.p == '#';
    return *hash ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

bool smi_nvidia_monitor_has_commas(struct smi_text line)
{
    const char *first = memchr(line.p, ',', line.n);
    return first && memchr(first + 1, ',', (size_t)(line.p + line.n - first - 1));
}

bool smi_nvidia_monitor_is_first_name(struct smi_text cell)
{
    return smi_text_is(cell, "gpu") || smi_text_is(cell, "Time") || smi_text_is(cell, "Date");
}

bool smi_nvidia_monitor_is_units(struct smi_text cell)
{
    return smi_text_is(cell, "Idx") || smi_text_is(cell, "HH:MM:SS") || smi_text_is(cell, "YYYYMMDD");
}

/* ---- times ---- */

enum smi_time_base smi_nvidia_monitor_base(const struct smi_nvidia_monitor_time_columns *at)
{
    if (at->time < 0)
        return SMI_TIME_BASE_NONE;
    return at->date < 0 ? SMI_TIME_BASE_DAY : SMI_TIME_BASE_LOCAL;
}

int smi_nvidia_monitor_header(struct smi_nvidia_monitor *m, const struct smi_nvidia_monitor_time_columns *at,
                              struct smi_account *a, struct smi_err *err)
{
    enum smi_time_base b = smi_nvidia_monitor_base(at);
    a->header++;
    m->told = false;
    if (b != SMI_TIME_BASE_NONE && m->base == SMI_TIME_BASE_NONE)
        m->base = b;
    if (b != SMI_TIME_BASE_NONE && b != m->base)
        return smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                                "a header with times of another kind: the times below it are not read");
    return 0;
}

/* The day turns where the clock goes back by more than 12 h; a smaller step is a clock that was set. */
static int64_t over_midnight(struct smi_nvidia_monitor *m, int64_t ms)
{
    if (m->clock_ms - ms > DAY_MS / 2)
        m->days_ms += DAY_MS;
    m->clock_ms = ms;
    return m->days_ms + ms;
}

int smi_nvidia_monitor_time(struct smi_nvidia_monitor *m, const struct smi_nvidia_monitor_time_columns *at,
                            const struct smi_text *cell, struct smi_sample *s)
{
    int64_t day = 0, ms = 0;
    if (at->date >= 0 && smi_clock_parse_date8(cell[at->date], &day))
        return -1;
    if (at->time < 0)
        return 0;
    if (smi_clock_parse_hms(cell[at->time], &ms))
        return -1;
    s->timed = smi_nvidia_monitor_base(at) == m->base;
    s->t_ms = at->date < 0 ? over_midnight(m, ms) : day + ms;
    return 0;
}

/* ---- GPUs ---- */

int64_t smi_nvidia_monitor_digits(struct smi_text c, size_t most)
{
    int64_t v = 0;
    if (c.n == 0 || c.n > most)
        return -1;
    for (size_t i = 0; i < c.n; i++) {
        if (c.p[i] < '0' || c.p[i] > '9')
            return -1;
        v = v * 10 + (c.p[i] - '0');
    }
    return v;
}

int smi_nvidia_monitor_gpu(struct smi_lines *l, struct smi_text cell, struct smi_sample *s, int64_t *index,
                           struct smi_err *err)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    s->who = SMI_DEVICE_POOL;
    *index = smi_nvidia_monitor_digits(cell, DIGITS);
    if (*index < 0) {
        bool none = smi_text_is(cell, "-");
        l->account->cells_missing += none;
        l->account->cells_bad += !none;
        return 0;
    }
    key[SMI_DEVICE_KEY_INDEX] = cell;
    s->who = smi_devices_find_key(l->devices, key, err);
    return s->who == -1 ? -1 : 0;
}

/* ---- odd lines ---- */

/* Each row is counted; the reason is said once. */
static int count_row_without_header(struct smi_nvidia_monitor *m, struct smi_account *a, struct smi_err *err)
{
    a->rejected[SMI_REJECT_FOREIGN]++;
    if (m->told)
        return 0;
    m->told = true;
    return smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                            "rows without a %s header above them: their columns are not known", m->name);
}

int smi_nvidia_monitor_bad_row(struct smi_nvidia_monitor *m, struct smi_lines *l, struct smi_text line,
                               size_t width, struct smi_err *err)
{
    int rc = smi_message_report(l, line, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    return width ? smi_account_reject(l->account, SMI_REJECT_BAD_WIDTH, line, err)
                 : count_row_without_header(m, l->account, err);
}

int smi_nvidia_monitor_other_line(struct smi_lines *l, struct smi_text line, bool hash, struct smi_err *err)
{
    int rc = hash ? 1 : smi_message_report(l, line, err);
    l->account->messages += hash;
    return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(l->account, SMI_REJECT_FOREIGN, line, err);
}
