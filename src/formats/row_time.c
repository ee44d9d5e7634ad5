/* row_time.c - the times of rows: cells of any form (stamp.h), in the place where they are or should be. */
#include "formats/row_engine.h"

#include <string.h>

static bool has_digit(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] >= '0' && t.p[i] <= '9')
            return true;
    return false;
}

int smi_row_untimed(struct smi_row_reader *r, struct smi_text t)
{
    struct smi_err err = {0};
    if (r->clock.form || (smi_cell_missing(t) && !has_digit(t)) || memchr(t.p, 0, t.n))
        return -1;
    if (r->untimed)
        return 0;
    r->untimed = true;
    r->lines.account->changes++; /* read in pieces, each would say it once more */
    r->nomem = smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, &err,
                                "\"%.*s\" is no time that is known: readings count without times",
                                t.n < 40 ? (int)t.n : 40, t.p) != 0;
    return r->nomem ? -1 : 0;
}

/* Nothing told which of two numbers is the month; it matters unless both are the same. */
static int tell_order(struct smi_row_reader *r, struct smi_text t)
{
    struct smi_err err = {0};
    r->order.state = SMI_ORDER_KNOWN;
    r->nomem =
        memcmp(t.p, t.p + 3, 2) != 0 &&
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, &err,
                         "\"%.*s\": nothing tells day from month: read with the day first", (int)t.n, t.p);
    return r->nomem ? -1 : 0;
}

int smi_row_time(struct smi_row_reader *r, struct smi_text t, bool utc, struct smi_sample *s)
{
    enum smi_stamp_form before = r->clock.form;
    struct smi_stamp at;
    if (smi_stamp_read(&r->clock, t, &at))
        return smi_row_untimed(r, t);
    if (before != r->clock.form && /* pieces of the log may not see it */
        (r->clock.form == SMI_STAMP_DAY_FIRST || r->clock.form == SMI_STAMP_MONTH_FIRST))
        r->lines.account->changes++;
    if (r->order.state == SMI_ORDER_TAKEN && tell_order(r, t))
        return -1;
    if (r->order.dated && at.base >= SMI_TIME_BASE_DAY)
        return -1;
    s->t_ms = at.t_ms;
    s->fine = at.fine;
    s->timed =
        smi_lines_on_base(&r->lines, utc && at.base == SMI_TIME_BASE_LOCAL ? SMI_TIME_BASE_UTC : at.base);
    if (s->timed && r->clock.order && r->order.state == SMI_ORDER_PLAIN)
        r->order.state = SMI_ORDER_OPEN;
    if (s->timed && !before && at.base >= SMI_TIME_BASE_DAY && r->order.state == SMI_ORDER_PLAIN &&
        r->table->flags & SMI_TABLE_DATED) {
        r->order.state = SMI_ORDER_OPEN;
        r->order.undated = true;
        r->order.first_ms = at.t_ms;
    }
    return s->timed ? 0 : -1;
}

int smi_row_time_stamp(struct smi_row_reader *r, struct smi_sample *s)
{
    int at = r->plan.at[SMI_AT_TIME];
    return at < 0 ? 0 : smi_row_time(r, r->cell[at], false, s);
}

/* Milliseconds, microseconds or nanoseconds, with a zone or without: no index of a GPU. */
static bool is_whole_fraction(struct smi_text t)
{
    size_t n = 0;
    while (n < t.n && t.p[n] >= '0' && t.p[n] <= '9')
        n++;
    return n == 3 || n == 6 || n == 9;
}

size_t smi_row_rejoin_time(struct smi_row_reader *r, size_t n)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    int at = r->plan.at[SMI_AT_TIME], pid = r->plan.at[SMI_AT_PID];
    struct smi_text *first, *next, whole;
    int64_t number;
    if (at < 0 || !r->plan.width || n <= r->plan.width || n > r->table->columns)
        return n;
    first = &r->cell[at];
    next = first + 1;
    whole = (struct smi_text){first->p, (size_t)(next->p + next->n - first->p)};
    if (!next->n || smi_stamp_read(&c, whole, &s) ||
        ((n > r->plan.width + 1 || r->plan.at[SMI_AT_NAME] >= 0) && !is_whole_fraction(*next)) ||
        (pid > at && pid < r->plan.at[SMI_AT_PROCESS] && !smi_row_pid(r->cell[pid + 1], &number)))
        return n; /* the comma too many is one in the name of the process */
    *first = whole;
    memmove(next, next + 1, (n - (size_t)at - 2) * sizeof *next);
    return n - 1;
}

size_t smi_row_split_time(struct smi_text *cell, size_t n, struct smi_text front)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    const char *blank = n ? memrchr(cell[0].p, ' ', cell[0].n) : NULL;
    struct smi_text time, rest;
    if (!n || (smi_stamp_read(&c, cell[0], &s) == 0 && (!front.n || smi_stamp_has_day(c.form))))
        return n; /* behind a front "0" is an index */
    if (front.n) {
        memmove(&cell[1], &cell[0], n * sizeof *cell);
        cell[0] = front;
        return n + 1;
    }
    if (!blank)
        return n;
    time = smi_text_trim((struct smi_text){cell[0].p, (size_t)(blank - cell[0].p)});
    rest = (struct smi_text){blank + 1, (size_t)(cell[0].p + cell[0].n - blank - 1)};
    if (smi_stamp_read(&c, time, &s) || c.form == SMI_STAMP_ELAPSED) /* "0 %" */
        return n;
    memmove(&cell[2], &cell[1], (n - 1) * sizeof *cell);
    cell[0] = time;
    cell[1] = rest;
    return n + 1;
}

static bool is_dated_cell(struct smi_text t)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    return smi_stamp_read(&c, t, &s) == 0 && c.form == SMI_STAMP_DATE;
}

size_t smi_row_take_time(struct smi_row_reader *r, size_t n, struct smi_err *err)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    if (r->plan.at[SMI_AT_TIME] >= 0 || !r->plan.width || n != r->plan.width + 1 || n > r->table->columns ||
        smi_stamp_read(&c, r->cell[0], &s) || !smi_stamp_has_day(c.form))
        return n;
    if (smi_row_date(r, r->cell[0], err))
        return 0;
    memmove(&r->cell[0], &r->cell[1], (n - 1) * sizeof *r->cell);
    return n - 1;
}

size_t smi_row_drop_time(struct smi_row_reader *r, size_t n, struct smi_err *err)
{
    int at = r->plan.at[SMI_AT_TIME];
    if (at < 0 || (n != r->plan.width + 1 && !r->twice) || n < (size_t)at + 2 || n > r->table->columns ||
        !is_dated_cell(r->cell[at]) || !is_dated_cell(r->cell[at + 1]))
        return n;
    memmove(&r->cell[at], &r->cell[at + 1], (n - 1 - (size_t)at) * sizeof *r->cell);
    if (r->twice)
        return n - 1;
    r->twice = true;
    r->lines.account->changes++; /* read in pieces, each would say it once more */
    return smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                            "rows have a time more than the header: the second one is read")
               ? 0
               : n - 1;
}
