/* What cells and messages tell of broken GPUs. */
#include "formats/format.h"

#include "base/clock.h"
#include "formats/stamp.h"

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

/* "0000:8C:00.0", "00000000:8C:00.0", or "0000:3b:00" of the kernel: the first of them in t. */
static struct smi_text find_bus_id(struct smi_text t)
{
    for (size_t i = 0, n; i < t.n; i += n + 1) {
        n = smi_text_span(smi_text_from(t, i), "0123456789abcdefABCDEF:.");
        const struct smi_text id = smi_text_strip((struct smi_text){t.p + i, n}, ":.");
        if (id.n > 9 && (id.p[4] == ':' || id.p[8] == ':') && smi_device_bus(id) >= 0)
            return id;
    }
    return (struct smi_text){NULL, 0};
}

/* The number behind the ':' or the blank that follows: "Xid (PCI:0000:3b:00): 79, ...", "XID 79". -1: none.
 */
static int64_t read_xid_number(struct smi_text t)
{
    enum { DIGITS = 3 };
    const char *from = t.p + 3, *end = t.p + t.n, *close;
    while (from < end && *from == ' ')
        from++;
    close = from < end && *from == '(' ? memchr(from, ')', (size_t)(end - from)) : NULL;
    from = close ? close + 1 : from;
    while (from < end && !smi_is_digit(*from) && strchr(" :=#()errocd", *from | 32))
        from++;
    t = smi_text_between(from, end);
    return smi_cell_digits((struct smi_text){from, smi_text_digits(t)}, DIGITS);
}

const struct smi_phrase *smi_phrase_find(const struct smi_phrase *list, struct smi_text line)
{
    for (; list->what; list++)
        if (smi_text_starts_nocase(line, list->begin) &&
            (!*list->holds || memmem(line.p, line.n, list->holds, strlen(list->holds))))
            return list;
    return NULL;
}

/* The number of the first word "Xid" or "XID" in t; -1: none. */
static int64_t find_xid(struct smi_text t)
{
    const char *end = t.p + t.n;
    for (const char *at = t.p; (at = memchr(at, 'X', (size_t)(end - at))); at++)
        if (end - at >= 3 && (memcmp(at, "Xid", 3) == 0 || memcmp(at, "XID", 3) == 0) &&
            (at == t.p || at[-1] == ' ' || at[-1] == '['))
            return read_xid_number(smi_text_between(at, end));
    return -1;
}

int smi_message_fault(struct smi_text line, struct smi_text *where, int64_t *code)
{
    struct smi_text t = smi_text_trim(line);
    const struct smi_phrase *message = smi_phrase_find(smi_say_message, t);
    int fault = message ? smi_fault_find(message->what) : -1;
    *code = t.n ? find_xid(t) : -1;
    if (*code >= 0)
        fault = SMI_FAULT_XID;
    *where = fault < 0 ? (struct smi_text){NULL, 0} : find_bus_id(t);
    *code = fault == SMI_FAULT_XID ? *code : 0;
    return fault;
}

enum { DATE = 10, SECONDS = 19 /* bytes of a date, and of one with a time */ };

/* "2020-06-09T09:00:01Z", "2020-06-09 09:00:01.25": with a T it has a zone, and no ms: that would be the torn
 * row of a CPU log. What has a comma is of date -Ins, or the time and the number of a row. */
static bool is_iso_line(struct smi_text t, const struct smi_stamp *at)
{
    enum { MS = 3, NS = 9 };
    const bool zoned = at->base == SMI_TIME_BASE_UTC, fine = at->fine && t.n > SECONDS;
    const size_t digits = fine ? smi_text_digits(smi_text_from(t, SECONDS + 1)) : 0;
    if (fine && t.p[SECONDS] == ',')
        return zoned && digits == NS;
    return t.n <= DATE || t.p[DATE] != 'T' || (zoned && (!digits || digits > MS));
}

/* A time alone: that of date, -Is, -Ins or -R, "20200609 09:00:01", "09:00:01". "09:00:01,41" is a row, and
 * so are those two behind a blank: of dmon, torn. */
static bool is_stamp(struct smi_text t, bool indented)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    const struct smi_text bare = smi_text_strip(t, SMI_STAMP_STROKES);
    if (smi_stamp_windows_day(t) >= 0 || (t.n == 8 && t.p[5] == ' ' && smi_stamp_read(&c, t, &at) == 0))
        return true; /* "03:44 PM" of time /T */
    bool digit = bare.n && smi_is_digit(*bare.p);
    if (bare.n != t.n) /* strokes: not around a number */
        return digit && bare.n >= SECONDS && smi_stamp_read(&c, bare, &at) == 0 && c.form == SMI_STAMP_DATE;
    if (t.n < 8 || (!digit && t.p[3] != ',' && t.p[3] != ' ') || smi_stamp_read(&c, t, &at))
        return false;
    if (c.form == SMI_STAMP_DATE)
        return is_iso_line(t, &at);
    if (c.form == SMI_STAMP_EPOCH) /* of date +%s, between 2001 and 2096; a line of a JSON list is indented */
        return !indented && *t.p >= '1' && *t.p <= '3';
    return c.form == SMI_STAMP_CTIME || ((c.form == SMI_STAMP_CLOCK || c.form == SMI_STAMP_COMPACT) &&
                                         !indented && !memchr(t.p, ',', t.n));
}

bool smi_message_is_noise(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return smi_phrase_find(smi_say_noise, t) || (t.n >= 3 && smi_text_span(t, "-") == t.n) ||
           is_stamp(t, t.p != line.p) ||
           (t.n > 3 && t.p[1] == ':' && t.p[2] == '\\' &&
            memchr(t.p, '>', t.n)); /* what cmd.exe echoes of a batch file */
}

bool smi_message_is_known(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return smi_phrase_find(smi_say_message, t) || smi_message_is_noise(line) ||
           (memmem(t.p, t.n, "smi", 3) && smi_phrase_find(smi_say_shell, t)) || (t.n && find_xid(t) >= 0);
}

bool smi_message_count(struct smi_account *a, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (!smi_message_is_known(line))
        return false;
    a->messages++;
    if (!smi_message_is_noise(line))
        smi_account_warn(a, SMI_LOG_WARNING_MESSAGE, "%.*s", t.n < 300 ? (int)t.n : 300, t.p);
    return true;
}

void smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                         struct smi_text cell)
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
        smi_account_warn(a, SMI_LOG_WARNING_CELL, "%s: \"%.*s\" is no number", key, n, cell.p);
        return;
    }
    if (what == SMI_CELL_RANGE)
        smi_account_range(a, metric, (struct smi_text){cell.p, (size_t)n}, smi_metrics[metric].most);
}

bool smi_message_report(struct smi_lines *l, struct smi_text line)
{
    struct smi_mark m = {.kind = SMI_MARK_FAULT, .who = -1};
    if (!smi_message_count(l->account, line))
        return false;
    m.fault = smi_message_fault(line, &m.name, &m.code);
    if (m.fault >= 0)
        smi_lines_mark(l, &m);
    return true;
}

int smi_message_pass(struct smi_lines *l, struct smi_text line)
{
    l->account->messages += !smi_message_report(l, line);
    return 0;
}

/* ---- messages of the kernel, as dmesg and journalctl -k print them ----
 *
 *     [ 1234.567890] NVRM: Xid (PCI:0000:81:00): 79, pid=1234, name=python, GPU has fallen off the bus.
 *     Jul 03 10:05:00 node7 kernel: NVRM: Xid (PCI:0000:81:00): 63, Row Remapper: New row
 *
 * They are of all jobs since the machine was started, and most have no date: so no log is taken for them.
 * follow, which sees when they come, reads them. */

/* Most messages are about other things. */
static int read_kernel_line(void *self, struct smi_text line)
{
    struct smi_lines *l = self;
    return memmem(line.p, line.n, "NVRM: Xid", 9) ? smi_message_pass(l, line)
                                                  : smi_line_count(&l->account->messages);
}

const struct smi_format smi_format_kernel = {
    .size = sizeof(struct smi_lines),
    .line = read_kernel_line,
};
