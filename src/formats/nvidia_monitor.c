#include "formats/row_engine.h"

#include "base/clock.h"

enum { INDEX_DIGITS = 6, INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX };

/* ---- words ---- */

bool smi_nvidia_monitor_is_row(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && (smi_is_digit(*t.p) || *t.p == '-');
}

struct smi_text smi_nvidia_monitor_strip_hash(struct smi_text line, bool *hash)
{
    struct smi_text t = smi_text_trim(line);
    *hash = t.n && *t.p == '#';
    return *hash ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

/* Two commas make a CSV line: --format csv. */
static bool has_commas(struct smi_text line)
{
    const char *first = memchr(line.p, ',', line.n);
    return first && memchr(first + 1, ',', (size_t)(line.p + line.n - first - 1));
}

static struct smi_text first_cell(struct smi_text line, bool commas)
{
    if (!commas)
        return smi_text_word(&line);
    line.n = (size_t)((const char *)memchr(line.p, ',', line.n) - line.p);
    return smi_text_trim(line);
}

size_t smi_nvidia_monitor_bind(struct smi_row_plan *p, struct smi_text line, struct smi_text *cell,
                               size_t most)
{
    struct smi_text first;
    size_t n;
    smi_row_plan_init(p, 0);
    p->commas = has_commas(line);
    first = first_cell(line, p->commas);
    if (!smi_text_is(first, "gpu") && !smi_text_is(first, "Time") && !smi_text_is(first, "Date"))
        return 0;
    n = smi_row_split(line, p->commas ? 0 : SMI_SPLIT_BLANKS, cell, most);
    if (n > most)
        return 0;
    for (size_t i = 0; i < n; i++)
        smi_row_plan_name(p, &smi_names_dmon, cell[i], i);
    return n;
}

bool smi_nvidia_monitor_is_units(struct smi_text line)
{
    struct smi_text first = first_cell(line, has_commas(line));
    return smi_text_is(first, "Idx") || smi_text_is(first, "HH:MM:SS") || smi_text_is(first, "YYYYMMDD");
}

/* ---- lines ---- */

enum smi_time_base smi_nvidia_monitor_base(const struct smi_row_plan *p)
{
    if (p->at[SMI_AT_TIME] < 0)
        return SMI_TIME_BASE_NONE;
    return p->at[SMI_AT_DATE] < 0 ? SMI_TIME_BASE_DAY : SMI_TIME_BASE_LOCAL;
}

int smi_nvidia_monitor_header(struct smi_nvidia_monitor *m, struct smi_text line,
                              const struct smi_row_plan *fresh, struct smi_err *err)
{
    enum smi_time_base b = smi_nvidia_monitor_base(fresh);
    bool other = b != SMI_TIME_BASE_NONE && !smi_lines_on_base(&m->row.lines, b);
    if (smi_row_header(&m->row, line, fresh, err))
        return -1;
    if (other)
        smi_account_warn(m->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "a header with times of another kind: the times below it are not read");
    return 0;
}

int smi_nvidia_monitor_foreign(struct smi_nvidia_monitor *m, struct smi_text line, struct smi_err *err)
{
    struct smi_row_plan none;
    smi_row_plan_init(&none, 0);
    smi_row_use(&m->row, &none);
    m->row.header_n = 0;
    m->row.lines.account->changes++;
    return smi_row_reject(&m->row, SMI_REJECT_FOREIGN, line, err);
}

int smi_nvidia_monitor_other(struct smi_nvidia_monitor *m, struct smi_text line, bool hash,
                             struct smi_err *err)
{
    m->row.lines.account->messages += hash;
    return hash ? 0 : smi_row_other(&m->row, line, false, SMI_REJECT_FOREIGN, err);
}

/* ---- cells ---- */

int smi_nvidia_monitor_time(struct smi_row_reader *r, struct smi_sample *s)
{
    int date = r->plan.at[SMI_AT_DATE], time = r->plan.at[SMI_AT_TIME];
    int64_t day = 0, ms = 0;
    if (date >= 0 && smi_clock_parse_date8(r->cell[date], &day))
        return -1;
    if (time < 0)
        return 0;
    if (smi_clock_parse_hms(r->cell[time], &ms))
        return -1;
    s->timed = smi_nvidia_monitor_base(&r->plan) == r->lines.base;
    s->t_ms = date < 0 ? smi_stamp_over_midnight(&r->clock, ms) : day + ms;
    return date < 0 || smi_clock_fits(s->t_ms, &r->lines.latest_ms) ? 0 : -1;
}

struct smi_text smi_nvidia_monitor_key(struct smi_row_reader *r, enum smi_device_key key,
                                       struct smi_text cell)
{
    bool none = smi_text_is(cell, "-");
    (void)key;
    if (smi_cell_digits(cell, INDEX_DIGITS) >= 0)
        return cell;
    r->lines.account->cells_missing += none;
    r->lines.account->cells_bad += !none;
    return (struct smi_text){NULL, 0};
}
