/* gpustat, once or again and again in one log: a line of host, time and driver, then a line for each GPU.
 *
 *     node7                             Thu Nov 10 12:43:38 2026  535.104.05
 *     [0] NVIDIA A100-SXM4-40GB | 41'C,  31 %,  37 % (E:   0 %  D:   0 %),   97 / 400 W |  1024 / 40536 MB |
 * amy(1020M)
 *
 * Fan, codecs and powers stand there if they were asked for; ?? is a reading that the GPU does not have. Of
 * two shares the first is the fan's. Processes are not read. Colours are passed over. Without the first line
 * (--no-header) rows have no times. */
#include "formats/row_engine.h"

enum { WIDTH = 4096 /* bytes of a line that has colours */, INDEX_DIGITS = 4, ESCAPE = 0x1B };
enum { STAMP, INDEX, NAME, TEMP, FAN, UTIL, ENC, DEC, POWER, LIMIT, USED, TOTAL, CELLS };

struct smi_reader {
    struct smi_row_reader row;    /* first: see row_engine.h */
    struct smi_stamp at;          /* of the last line of host and time */
    struct smi_stamp_clock clock; /* of these lines */
    bool timed;                   /* there was one, and its time was read */
    char plain[WIDTH];            /* a line without its colours */
};

/* ---- lines of GPUs ---- */

/* "\x1b[1;31m", "\x1b(B" */
static struct smi_text drop_colours(char plain[WIDTH], struct smi_text t)
{
    size_t n = 0;
    if (t.n >= WIDTH || !memchr(t.p, ESCAPE, t.n))
        return t;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] != ESCAPE) {
            plain[n++] = t.p[i];
            continue;
        }
        if (i + 1 < t.n && t.p[i + 1] == '[')
            for (i++; i + 1 < t.n && (t.p[i + 1] < '@' || t.p[i + 1] > '~');)
                i++;
        else if (i + 1 < t.n && t.p[i + 1] == '(')
            i++;
        i += i + 1 < t.n;
    }
    plain[n] = '\n';
    return (struct smi_text){plain, n};
}

/* What stands in front of c, and behind it in *t; all of it if there is no c. */
static struct smi_text take_up_to(struct smi_text *t, char c)
{
    const char *at = t->n ? memchr(t->p, c, t->n) : NULL;
    struct smi_text front = {t->p, at ? (size_t)(at - t->p) : t->n};
    *t = (struct smi_text){t->p + front.n + (at != NULL), t->n - front.n - (at != NULL)};
    return smi_text_trim(front);
}

/* "41'C" or "41°C", in whatever bytes the sign became: where the degrees end, or 0. */
static size_t find_degrees(struct smi_text t)
{
    enum { SIGN = 4 };
    const size_t n = smi_text_starts_nocase(t, "??") ? 2 : smi_text_digits(t);
    return t.n > n + 1 && t.n <= n + SIGN && t.p[t.n - 1] == 'C' && t.p[n] != ' ' ? n : 0;
}

/* Cells of "[0] NAME | 41'C, ... | 1024 / 40536 MB | ...". Returns whether it is such a line. */
static bool split_gpu_line(struct smi_text *cell, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), part;
    unsigned shares = 0;
    memset(cell, 0, CELLS * sizeof *cell);
    if (!t.n || *t.p != '[')
        return false;
    t = smi_text_from(t, 1);
    cell[INDEX] = take_up_to(&t, ']');
    cell[NAME] = take_up_to(&t, '|');
    part = take_up_to(&t, '|');
    cell[TEMP] = take_up_to(&part, ',');
    cell[TEMP].n = find_degrees(cell[TEMP]);
    if (smi_cell_digits(cell[INDEX], INDEX_DIGITS) < 0 || !cell[TEMP].n)
        return false;
    while (part.n) {
        struct smi_text next = take_up_to(&part, ',');
        if (next.n && next.p[next.n - 1] == 'W') { /* "97 / 400 W" */
            next.n--;
            cell[POWER] = take_up_to(&next, '/');
            cell[LIMIT] = smi_text_trim(next);
        } else if (memchr(next.p, '%', next.n)) {
            if (++shares > 1)
                cell[FAN] = cell[UTIL];
            cell[UTIL] = take_up_to(&next, '%');
            take_up_to(&next, '('); /* "37 % (E:   0 %  D:   0 %)" */
            while (next.n) {
                struct smi_text name = take_up_to(&next, ':'), share = take_up_to(&next, '%');
                if (smi_text_is(name, "E") || smi_text_is(name, "D"))
                    cell[*name.p == 'E' ? ENC : DEC] = share;
            }
        }
    }
    part = take_up_to(&t, '|');
    cell[USED] = take_up_to(&part, '/');
    part = smi_text_trim(part);
    if (part.n < 3 || memcmp(part.p + part.n - 3, " MB", 3) != 0)
        return false;
    cell[TOTAL] = smi_text_trim((struct smi_text){part.p, part.n - 3});
    return shares > 0;
}

/* ---- the line of host and time ---- */

/* "node7      Thu Nov 10 12:43:38 2026  535.104.05" */
static bool read_host_line(struct smi_stamp_clock *clock, struct smi_text line, struct smi_stamp *at)
{
    struct smi_text t = smi_text_trim(line), host = smi_text_word(&t), last;
    struct smi_stamp_clock c = *clock;
    size_t n = t.n;
    while (n && t.p[n - 1] != ' ')
        n--;
    last = smi_text_from(t, n);
    if (smi_text_is(last, "None") ||
        (last.n && smi_text_span(last, "0123456789.") == last.n && memchr(last.p, '.', last.n)))
        t.n = n; /* the driver */
    if (!host.n || smi_stamp_read(&c, smi_text_trim(t), at) != 0 ||
        (c.form != SMI_STAMP_CTIME && c.form != SMI_STAMP_DATE))
        return false;
    *clock = c;
    return true;
}

static int read_gpustat_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const struct smi_reader *r = (const struct smi_reader *)row;
    if (row->plan.at[SMI_AT_TIME] < 0)
        return 0;
    s->t_ms = r->at.t_ms;
    s->timed = r->timed && smi_lines_on_base(&row->lines, r->at.base);
    return s->timed ? 0 : -1;
}

/* ---- lines ---- */

static int read_gpustat_line(void *self, struct smi_text line)
{
    static const uint16_t metrics[][2] = {{SMI_GPU_UTIL, UTIL},
                                          {SMI_FB_USED, USED},
                                          {SMI_FB_TOTAL, TOTAL},
                                          {SMI_POWER, POWER},
                                          {SMI_POWER_LIMIT_ENFORCED, LIMIT},
                                          {SMI_TEMP_GPU, TEMP},
                                          {SMI_FAN, FAN},
                                          {SMI_ENC_UTIL, ENC},
                                          {SMI_DEC_UTIL, DEC}};
    struct smi_reader *r = self;
    struct smi_row_plan *p = &r->row.plan;
    struct smi_text t = smi_text_trim(drop_colours(r->plain, line));
    struct smi_stamp at;
    if (split_gpu_line(r->row.cell, t)) {
        if (!p->width) { /* a log has times from its first GPU on, or none */
            smi_row_plan_init(p, CELLS);
            if (r->timed)
                smi_row_plan_add(p, SMI_COL_TIME, 0, 0, STAMP);
            smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, INDEX);
            smi_row_plan_add(p, SMI_COL_NAME, 0, 0, NAME);
            for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
                smi_row_plan_add(p, SMI_COL_NUMBER, metrics[i][0], 0, metrics[i][1]);
            smi_row_use(&r->row, p);
        }
        return smi_row_read(&r->row, line);
    }
    if (t.n > 6 &&
        (memcmp(t.p, "\u251C\u2500", 6) == 0 || memcmp(t.p, "\u2514\u2500", 6) == 0)) /* a process */
        return smi_line_count(&r->row.lines.account->messages);
    if (!read_host_line(&r->clock, t, &at)) {
        r->timed &= smi_message_is_known(t); /* else it may be another host's */
        return smi_row_other(&r->row, t, false, SMI_REJECT_FOREIGN);
    }
    r->at = at;
    r->timed = true;
    return smi_line_count(&r->row.lines.account->header);
}

static enum smi_sniff sniff_gpustat(struct smi_text line)
{
    struct smi_text cell[CELLS];
    char plain[WIDTH];
    return split_gpu_line(cell, drop_colours(plain, line)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

const struct smi_format smi_format_gpustat = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_gpustat,
    .line = read_gpustat_line,
    .table = &(const struct smi_table){.flags = SMI_TABLE_SPARSE | SMI_TABLE_FAULTS,
                                       .columns = CELLS,
                                       .time = read_gpustat_time},
};
