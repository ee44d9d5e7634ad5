/* monitor_child.c - what a monitor's child prints, what a driver knows, and why a child ended. */
#include "live/monitor_private.h"
#include "base/mem.h"
#include "formats/cpu_ticks.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *const smi_monitor_states[] = {
    [SMI_MONITOR_STOPPED] = "stopped", [SMI_MONITOR_STARTING] = "starting",     [SMI_MONITOR_OK] = "ok",
    [SMI_MONITOR_SILENT] = "silent",   [SMI_MONITOR_RESTARTING] = "restarting", [SMI_MONITOR_GONE] = "gone"};

enum { NO_SUCH_GPU = 6 };

/* "RETURN VALUE" of nvidia-smi(1), driver 550; 1, 18 and 255 as they have been seen. */
static const struct {
    int code;
    const char *words;
} exits[] = {{2, "bad argument"},
             {3, "not available on this device"},
             {4, "no permission"},
             {NO_SUCH_GPU, "object not found"},
             {8, "external power cable not attached"},
             {9, "no driver"},
             {10, "interrupt issue with a GPU"},
             {12, "NVML library not found"},
             {13, "NVML has no such function"},
             {14, "infoROM corrupted"},
             {15, "GPU fell off the bus"},
             {18, "driver and library do not match"},
             {127, "not started"},
             {255, "internal driver error"}};

/* What an exit status means ("no driver"), NULL if it is not known. */
static const char *exit_text(int code)
{
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        if (exits[i].code == code)
            return exits[i].words;
    return NULL;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_part(struct smi_last_line *l, const char *p, size_t n)
{
    n = smaller(n, sizeof l->part - l->part_n);
    memcpy(l->part + l->part_n, p, n);
    l->part_n += n;
}

/* Rows and heads, of the monitors' formats: a message has no three commas, and does not begin with a number.
 */
static bool is_row(struct smi_text t)
{
    int commas = 0;
    for (size_t i = 0; i < t.n; i++)
        commas += t.p[i] == ',';
    return commas >= 3 || *t.p == '#' || (*t.p >= '0' && *t.p <= '9');
}

static void end_line(struct smi_last_line *l)
{
    struct smi_text t = smi_text_trim((struct smi_text){l->part, l->part_n});
    while (t.n && t.p[t.n - 1] == '\r')
        t.n--;
    l->part_n = 0;
    if (t.n && l->of_rows && is_row(t)) {
        l->line_n = 0;
        l->rows++;
    } else if (t.n && (!l->of_rows || !l->line_n)) {
        memcpy(l->line, t.p, l->line_n = t.n);
    }
}

/* Adds bytes; returns how many rows and heads ended with them. */
static size_t last_line_add(struct smi_last_line *l, const char *p, size_t n)
{
    size_t before = l->rows;
    const char *end = p + n;
    for (const char *lf; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        add_part(l, p, (size_t)(lf - p));
        end_line(l);
    }
    add_part(l, p, (size_t)(end - p));
    return l->rows - before;
}

/* One safe line, as much of it as fits. */
static void put_reason(struct smi_monitor *m, const struct smi_buf *b)
{
    struct smi_text t = {b->n && !b->failed ? b->p : "", b->failed ? 0 : b->n};
    smi_text_copy(m->reason, sizeof m->reason, t);
}

void smi_monitor_set_reason(struct smi_monitor *m, const char *fmt, ...)
{
    char text[SMI_MONITOR_REASON * 2];
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    smi_buf_safe(&b, smi_text_of(text));
    put_reason(m, &b);
    smi_buf_fini(&b);
}

static struct smi_text keep_last_line(struct smi_last_line *l)
{
    if (l->part_n)
        end_line(l); /* it ended in the middle of a line */
    return (struct smi_text){l->line, l->line_n};
}

void smi_monitor_set_exit_reason(struct smi_monitor *m, const struct smi_child *c)
{
    struct smi_buf b = {0};
    struct smi_text err = keep_last_line(&m->err), out = keep_last_line(&m->out), what = err.n ? err : out;
    int code = WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
    const char *words = code > 0 ? exit_text(code) : NULL;
    if (c->cause)
        smi_buf_fmt(&b, "could not be started: %s", strerror(c->cause));
    else if (c->status < 0)
        smi_buf_str(&b, "ended");
    else if (WIFSIGNALED(c->status))
        smi_buf_fmt(&b, "killed by signal %d", WTERMSIG(c->status));
    else
        smi_buf_fmt(&b, words ? "exit %d (%s)" : "exit %d", code, words);
    if (what.n) {
        smi_buf_str(&b, ": ");
        smi_buf_safe(&b, what);
    }
    if (code == NO_SUCH_GPU && m->wanted) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "there is no GPU %s", m->wanted);
    }
    put_reason(m, &b);
    smi_buf_fini(&b);
}

/* The output of a child, and the events for its owner. */

enum { PIECE = 8192 };

/* ---- events for the owner ---- */

void smi_monitor_report(struct smi_monitor *m, enum smi_monitor_event_kind what, int64_t from_ms,
                        int64_t to_ms)
{
    const struct smi_monitor_event e = {what, from_ms, to_ms, m->reason};
    if (m->calls.event)
        m->calls.event(m->calls.self, m, &e);
}

void smi_monitor_set_state(struct smi_monitor *m, enum smi_monitor_state state, int64_t now_ms)
{
    m->state = state;
    m->since_ms = now_ms;
    smi_monitor_report(m, SMI_MONITOR_STATE_CHANGED, now_ms, -1);
}

void smi_monitor_open_gap(struct smi_monitor *m, int64_t from_ms)
{
    if (m->gap_ms >= 0)
        return;
    m->gap_ms = from_ms;
    smi_monitor_report(m, SMI_MONITOR_HAS_GAP, from_ms, -1);
}

void smi_monitor_close_gap(struct smi_monitor *m, int64_t to_ms)
{
    if (m->gap_ms < 0)
        return;
    smi_monitor_report(m, SMI_MONITOR_HAS_GAP, m->gap_ms, to_ms);
    m->gap_ms = -1;
}

int64_t smi_monitor_silence(const struct smi_monitor *m)
{
    int64_t three = (int64_t)m->interval_ms * 3;
    return three > m->times.silence ? three : m->times.silence;
}

/* ---- what the child says ---- */

static void note_rows(struct smi_monitor *m, int64_t now_ms)
{
    smi_monitor_close_gap(m, now_ms);
    if (m->state == SMI_MONITOR_OK)
        return;
    if (m->ok_ms < 0)
        m->ok_ms = now_ms;
    m->reason[0] = 0;
    smi_monitor_set_state(m, SMI_MONITOR_OK, now_ms);
}

static void note_lines(struct smi_monitor *m, size_t lines, int64_t now_ms)
{
    bool late = m->state == SMI_MONITOR_OK && !m->kind->quiet && now_ms - m->line_ms > smi_monitor_silence(m);
    int64_t before = m->line_ms;
    m->lines += lines;
    m->child_lines += lines;
    m->line_ms = now_ms;
    if (m->stopping || m->blamed)
        return;
    if (late) { /* we were asleep, and so could not see it begin */
        smi_monitor_set_reason(m, "nothing was read");
        smi_monitor_open_gap(m, before);
        m->reason[0] = 0;
    }
    if (m->kind->quiet || m->child_lines > (uint64_t)m->kind->head)
        note_rows(m, now_ms);
}

static void handle_rows(struct smi_monitor *m, const char *p, size_t n, int64_t now_ms)
{
    size_t lines = last_line_add(&m->out, p, n);
    if (m->calls.bytes)
        m->calls.bytes(m->calls.self, p, n);
    if (lines)
        note_lines(m, lines, now_ms);
}

static void handle_output(struct smi_monitor *m, bool is_err, const char *p, size_t n, int64_t now_ms)
{
    if (m->doing == SMI_MONITOR_PROBE_CHILD && m->answer.n + n <= SMI_MONITOR_PROBE_MAX)
        smi_buf_add(&m->answer, p, n);
    if (is_err)
        last_line_add(&m->err, p, n);
    else if (m->doing == SMI_MONITOR_ROWS_CHILD)
        handle_rows(m, p, n, now_ms);
    else
        m->child_lines += last_line_add(&m->out, p, n);
}

void smi_monitor_read(struct smi_monitor *m, int *fd, size_t most, int64_t now_ms)
{
    char piece[PIECE];
    ssize_t n;
    for (size_t all = 0; all < most && (n = smi_child_read(fd, piece, sizeof piece)) > 0; all += (size_t)n)
        handle_output(m, fd == &m->child.err, piece, (size_t)n, now_ms);
    if (fd == &m->child.out && *fd < 0 && m->end_ms < 0)
        m->end_ms = now_ms;
}

/* What a driver knows: one query of all fields before the loop. It aborts at the first field that it does not
 * know, and says which; --help-query-gpu would tell all at once, but takes seconds on some hosts. */

/* Goes through a kind's fields. */
struct field {
    const char *rest;
    size_t next; /* how many there were */
    struct smi_text text,
        name; /* as the kind has it; as it is asked for, empty if the driver does not know it */
};

static bool next_field(const struct smi_monitor *m, struct field *f)
{
    if (!smi_text_next_item(&f->rest, &f->text))
        return false;
    const char *bar = memchr(f->text.p, '|', f->text.n), *end = f->text.p + f->text.n;
    int s = m->spelling[f->next++];
    f->name = (struct smi_text){f->text.p, s ? 0 : (size_t)((bar ? bar : end) - f->text.p)};
    if (s == 1)
        f->name = (struct smi_text){bar + 1, (size_t)(end - bar - 1)};
    return true;
}

int smi_monitor_fields_text(struct smi_monitor *m)
{
    struct smi_buf b = {0};
    for (struct field f = {.rest = m->kind->fields}; next_field(m, &f);)
        if (f.name.n)
            smi_buf_fmt(&b, "%s%.*s", b.n ? "," : "", (int)f.name.n, f.name.p);
    char *text = b.failed ? NULL : smi_mem_text(b.n ? b.p : "", b.n);
    smi_buf_fini(&b);
    if (!text)
        return -1;
    smi_mem_free(m->fields);
    m->fields = text;
    return 0;
}

static void add_word(struct smi_monitor_argv *a, const char *fmt, ...)
{
    va_list ap;
    size_t room = sizeof a->text - a->used;
    va_start(ap, fmt);
    int n = vsnprintf(a->text + a->used, room, fmt, ap);
    va_end(ap);
    a->full = a->full || n < 0 || (size_t)n >= room || a->n == SMI_MONITOR_WORDS;
    if (a->full)
        return;
    a->v[a->n++] = a->text + a->used;
    a->used += (size_t)n + 1;
}

/* A word of the kind's, with what stands in it for something else. */
static void add_kind_word(const struct smi_monitor *m, struct smi_monitor_argv *a, const char *word,
                          bool once)
{
    const char *fields = strstr(word, "%f");
    int ms = m->interval_ms, most_s = m->kind->most_s;
    if (strcmp(word, "%l") == 0 && once)
        return;
    if (strcmp(word, "%l") == 0) {
        add_word(a, ms % 1000 ? "-lms" : "-l");
        add_word(a, "%d", ms % 1000 ? ms : ms / 1000);
    } else if (strcmp(word, "%s") == 0) {
        add_word(a, "%d", most_s && ms > most_s * 1000 ? most_s : ms / 1000);
    } else {
        add_word(a, "%.*s%s", fields ? (int)(fields - word) : (int)strlen(word), word,
                 fields ? m->fields : "");
    }
}

int smi_monitor_command(const struct smi_monitor *m, struct smi_monitor_argv *a, bool once)
{
    const char *gpus = m->wanted;
    struct smi_text gpu;
    memset(a, 0, sizeof *a);
    add_word(a, "%s", m->program);
    for (const char *const *word = m->kind->words; *word; word++)
        add_kind_word(m, a, *word, once);
    if (gpus)
        add_word(a, "%s", m->kind->gpu_word);
    if (gpus && !m->kind->split_gpus)
        add_word(a, "%s", gpus);
    while (m->kind->split_gpus && smi_text_next_item(&gpus, &gpu))
        if (gpu.n)
            add_word(a, "%.*s", (int)gpu.n, gpu.p);
    return a->full ? -1 : 0;
}

/* Field "clocks.sm" is not a valid field to query. */
static struct smi_text refused_field(struct smi_text t)
{
    static const char begin[] = "Field \"";
    const char *p = memmem(t.p, t.n, begin, strlen(begin)), *end = t.p + t.n;
    if (!p)
        return (struct smi_text){NULL, 0};
    p += strlen(begin);
    const char *quote = memchr(p, '"', (size_t)(end - p));
    return (struct smi_text){p, quote ? (size_t)(quote - p) : 0};
}

bool smi_monitor_drop_field(struct smi_monitor *m, struct smi_text t)
{
    struct smi_text bad = refused_field(t);
    size_t kept = 0;
    bool found = false;
    for (struct field f = {.rest = m->kind->fields}; next_field(m, &f);) {
        unsigned char *spelling = &m->spelling[f.next - 1];
        if (f.name.n && f.name.n == bad.n && !memcmp(f.name.p, bad.p, bad.n)) {
            *spelling = *spelling == 0 && memchr(f.text.p, '|', f.text.n) ? 1 : 2;
            found = true;
        }
        kept += *spelling < 2;
    }
    return found && kept;
}

/* ---- the GPUs that it listed ---- */

/* The cell of a field in a row of the answer; its columns stand in the order of m->fields. Without text if
 * there is no such column. */
static struct smi_text cell_of(const struct smi_monitor *m, struct smi_text row, const char *field)
{
    const char *p = row.p, *end = row.p + row.n;
    for (struct field f = {.rest = m->kind->fields}; p <= end && next_field(m, &f);) {
        if (!f.name.n)
            continue;
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma ? comma : end;
        if (smi_text_is(f.text, field))
            return smi_text_trim((struct smi_text){p, (size_t)(stop - p)});
        if (!comma)
            break;
        p = comma + 1;
    }
    return (struct smi_text){"", 0};
}

/* A sentinel ("[N/A]") is no text. */
static void copy_cell(char *to, size_t room, struct smi_text t)
{
    smi_text_copy(to, room, t.n && *t.p == '[' ? smi_text_of("") : t);
}

static bool read_gpu(const struct smi_monitor *m, struct smi_text row, struct smi_gpu_id *id)
{
    int64_t index = smi_cell_digits(cell_of(m, row, "index"), SMI_CELL_DIGITS);
    if (index < 0 || index > INT_MAX)
        return false;
    id->index = (int)index;
    id->memory_mib = (long)smi_cell_digits(cell_of(m, row, "memory.total"), SMI_CELL_DIGITS);
    copy_cell(id->uuid, sizeof id->uuid, cell_of(m, row, "uuid"));
    copy_cell(id->name, sizeof id->name, cell_of(m, row, "name"));
    return true;
}

bool smi_monitor_read_gpus(struct smi_monitor *m)
{
    struct smi_buf *b = &m->answer;
    size_t cap = 0;
    smi_mem_free(m->gpus);
    m->gpus = NULL;
    m->gpus_n = 0;
    const char *p = b->n ? b->p : "", *end = p + b->n;
    for (const char *lf; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        struct smi_text row = smi_text_trim((struct smi_text){p, (size_t)(lf - p)});
        if (smi_mem_reserve(&m->gpus, &cap, m->gpus_n + 1, sizeof *m->gpus))
            break;
        m->gpus_n += read_gpu(m, row, &m->gpus[m->gpus_n]);
    }
    return m->gpus_n > 0;
}
