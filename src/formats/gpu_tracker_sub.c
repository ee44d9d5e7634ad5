/* gpu_tracker's sub-tracking file: when each process entered a block of code (0) and left it (1).
 *
 *     process_id,code_block_name,position,timestamp
 *     1234,train.py:12,0,1745449609.98
 *     1234,train.py:12,1,1745449612.5
 *
 * Every pair of one process and block is a phase of the block's name. Times are seconds since 1970. A name
 * with commas is quoted, as Python's csv does it. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/lines.h"

#include <string.h>

enum { OPEN_MAX = 4096 }; /* blocks that are entered and not left at one time */

static const int64_t seconds_max = 1000000000; /* of one block: 31 years */

struct entry {
    int64_t pid, t_us;
    struct smi_text name; /* owned */
};

struct smi_reader {
    struct smi_lines lines; /* first: see reader.c */
    struct entry *open;
    size_t n, cap;
};

static bool is_block_header(struct smi_text line)
{
    return smi_text_starts_nocase(smi_text_trim(line), "process_id,code_block_name,position,timestamp");
}

/* The cell behind the last comma, taken off t with it; false if there is none. */
static bool last_cell(struct smi_text *t, struct smi_text *cell)
{
    const char *comma = t->n ? memrchr(t->p, ',', t->n) : NULL;
    if (!comma)
        return false;
    *cell = smi_text_trim((struct smi_text){comma + 1, (size_t)(t->p + t->n - comma - 1)});
    t->n = (size_t)(comma - t->p);
    return true;
}

/* What a row says; the name is borrowed from the line. Returns 0, or -1 and *why. */
static int read_block_cells(struct smi_text line, int64_t *latest, struct entry *e, bool *leaves,
                            enum smi_reject *why)
{
    struct smi_text t = smi_text_trim(line), time, position, pid;
    const char *comma = t.n ? memchr(t.p, ',', t.n) : NULL;
    *why = SMI_REJECT_BAD_WIDTH;
    if (!last_cell(&t, &time) || !last_cell(&t, &position) || !comma || comma >= t.p + t.n)
        return -1;
    pid = smi_text_trim((struct smi_text){t.p, (size_t)(comma - t.p)});
    e->name = smi_text_trim((struct smi_text){comma + 1, (size_t)(t.p + t.n - comma - 1)});
    if (e->name.n >= 2 && e->name.p[0] == '"' && e->name.p[e->name.n - 1] == '"')
        e->name = (struct smi_text){e->name.p + 1, e->name.n - 2};
    *why = SMI_REJECT_BAD_TIME;
    if (smi_text_parse_micro(time, &e->t_us) || !smi_clock_fits(e->t_us / 1000, latest))
        return -1;
    *why = SMI_REJECT_BAD_NUMBER;
    *leaves = smi_text_is(position, "1");
    return smi_text_parse_micro(pid, &e->pid) || (!*leaves && !smi_text_is(position, "0")) || !e->name.n ? -1
                                                                                                         : 0;
}

static struct entry *find_block_entry(struct smi_reader *r, const struct entry *e)
{
    for (size_t i = r->n; i-- > 0;)
        if (r->open[i].pid == e->pid && r->open[i].name.n == e->name.n &&
            memcmp(r->open[i].name.p, e->name.p, e->name.n) == 0)
            return &r->open[i];
    return NULL;
}

static void drop_block_entry(struct smi_reader *r, struct entry *e)
{
    smi_mem_free((void *)(uintptr_t)e->name.p);
    *e = r->open[--r->n];
}

static int enter_block_entry(struct smi_reader *r, const struct entry *e, struct smi_err *err)
{
    char *name;
    struct entry *before = find_block_entry(r, e);
    if (before) { /* a block cannot be in itself: the entry before it was never left */
        before->t_us = e->t_us;
        return smi_account_warn(
            r->lines.account, SMI_LOG_WARNING_OTHER, err, "process %lld enters %.*s again without leaving it",
            (long long)(e->pid / 1000000), e->name.n < 100 ? (int)e->name.n : 100, e->name.p);
    }
    if (r->n == OPEN_MAX)
        return smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                                "more than %d blocks at one time: the rest is no phase", OPEN_MAX);
    if (smi_mem_reserve(&r->open, &r->cap, r->n + 1, sizeof *r->open) ||
        !(name = smi_mem_text(e->name.p, e->name.n)))
        return smi_err_nomem(err);
    r->open[r->n++] = (struct entry){e->pid, e->t_us, {name, e->name.n}};
    return 0;
}

/* Sends the block that is left. Returns 1 if it was one, 0 if it was never entered, -1 with err. */
static int leave_block_entry(struct smi_reader *r, const struct entry *e, struct smi_err *err)
{
    struct entry *from = find_block_entry(r, e);
    struct smi_mark m = {.kind = SMI_MARK_PHASE, .t_us = e->t_us, .name = e->name};
    if (!from || e->t_us < from->t_us || e->t_us - from->t_us > seconds_max * 1000000)
        return 0;
    m.span_us = e->t_us - from->t_us;
    drop_block_entry(r, from);
    return r->lines.to->mark && r->lines.to->mark(r->lines.to, &m, err) ? -1 : 1;
}

static int read_block_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct entry e;
    enum smi_reject why;
    bool leaves;
    int rc;
    if (is_block_header(line)) {
        r->lines.account->header++;
        return 0;
    }
    if (read_block_cells(line, &r->lines.latest_ms, &e, &leaves, &why)) {
        rc = smi_message_count(r->lines.account, line, err);
        return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(r->lines.account, why, line, err);
    }
    rc = leaves ? leave_block_entry(r, &e, err) : enter_block_entry(r, &e, err);
    if (rc < 0)
        return -1;
    if (leaves && rc == 0)
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    r->lines.account->rows++;
    return 0;
}

/* All cells, a known position, and a point in the time: what may be cut off behind it is less than 0.1 s. */
static bool is_block_row_whole(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct entry e;
    struct smi_text t = smi_text_trim(line), time;
    enum smi_reject why;
    bool leaves;
    return read_block_cells(line, &r->lines.latest_ms, &e, &leaves, &why) == 0 && last_cell(&t, &time) &&
           memchr(time.p, '.', time.n - 1);
}

static enum smi_sniff sniff_block(struct smi_text line)
{
    return is_block_header(line) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* Blocks that were never left have no end: the process died in them, and that is said. */
static int finish_block(struct smi_reader *r, struct smi_err *err)
{
    struct smi_text first = r->n ? r->open[0].name : (struct smi_text){NULL, 0};
    return r->n ? smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                                   "%zu block%s never left (%.*s): no phase", r->n,
                                   r->n == 1 ? " was" : "s were", first.n < 100 ? (int)first.n : 100, first.p)
                : 0;
}

static void close_block_reader(struct smi_reader *r)
{
    while (r->n)
        drop_block_entry(r, &r->open[r->n - 1]);
    smi_mem_free(r->open);
}

const struct smi_format smi_format_gpu_tracker_sub = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_block,
    .line = read_block_line,
    .whole = is_block_row_whole,
    .finish = finish_block,
    .close = close_block_reader,
};
