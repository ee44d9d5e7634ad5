/* monitor.c - one program that prints readings, kept going: what its child prints, what its driver knows, why
 * the child ended, and when the next one begins. */
#include "live/live.h"
#include "formats/column.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/wait.h>

/* The GPU of one entry, or -1; *unknown: it may be any. gpu NULL: of AMD's, whose uuids nobody tells. */
static int next_entry(struct smi_text t, const struct smi_gpu_id *gpu, size_t n, bool *unknown)
{
    char word[sizeof gpu->uuid];
    int found = -1, fit = 0;
    if (smi_text_starts_nocase(t,
                               "MIG-GPU-")) { /* until driver 470: the GPU's own, then /instance/instance */
        t = (struct smi_text){t.p + strlen("MIG-"), t.n - strlen("MIG-")};
        const char *slash = memchr(t.p, '/', t.n);
        t.n = slash ? (size_t)(slash - t.p) : t.n;
    } else if (smi_text_starts_nocase(t, "MIG-")) {
        *unknown = true;
        return -1;
    }
    if (!gpu || t.n >= sizeof word || !smi_text_starts_nocase(t, "GPU-")) {
        const int64_t index = smi_cell_digits(t, SMI_CELL_DIGITS);
        *unknown = !gpu && t.n && *t.p != '-' && !smi_is_digit(*t.p);
        return index < (int64_t)n ? (int)index : -1; /* -1: not a number */
    }
    smi_text_copy(word, sizeof word, t);
    for (size_t i = 0; i < n && word[strlen("GPU-")]; i++) /* the only GPU whose uuid begins so */
        if (smi_text_starts_nocase(smi_text_of(gpu[i].uuid), word)) {
            found = (int)i;
            fit++;
        }
    return fit == 1 ? found : -1;
}

/* The places that a list names, up to the first entry that is none, at most n; SIZE_MAX: an entry may be any.
 * NULL: all. */
static size_t list_places(const char *list, const struct smi_gpu_id *gpu, size_t n, size_t *place)
{
    struct smi_text entry;
    bool unknown = false;
    size_t k = 0;
    int at = 0;
    for (; !list && k < n; k++)
        place[k] = k;
    while (k < n && smi_text_next_item(&list, &entry) && (at = next_entry(entry, gpu, n, &unknown)) >= 0)
        place[k++] = (size_t)at;
    return unknown ? SIZE_MAX : k;
}

void smi_visible(const struct smi_gpu_id *gpu, const char *list, const char *outer, size_t n, bool *mine)
{
    size_t all[SMI_MACHINE_GPUS_MAX], some[SMI_MACHINE_GPUS_MAX], left, k;
    n = n < SMI_MACHINE_GPUS_MAX ? n : SMI_MACHINE_GPUS_MAX;
    left = list_places(outer, gpu, n, all);
    k = left == SIZE_MAX ? left : list_places(list, gpu, left, some);
    for (size_t i = 0; i < n; i++)
        mine[i] = k == SIZE_MAX;
    for (size_t i = 0; k != SIZE_MAX && i < k; i++)
        mine[all[some[i]]] = true;
}

/* ---- The table of monitors: how each is called, and what comes of it ---- */

/* First the nine columns of the reference's hw_metrics.csv in its order, then what tells the GPUs apart, then
 * what findings and the screen use. The throttle names are those of before driver 530, and taken again since
 * 535. Every field costs the driver time, for each GPU. */
static const char query_fields[] =
    "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,temperature.gpu,"
    "clocks.sm,clocks.mem,index,uuid,name,pci.bus_id,pstate,power.limit,temperature.memory,"
    "clocks_throttle_reasons.active|clocks_event_reasons.active,power.draw.instant,fan.speed,"
    "memory.reserved,utilization.encoder,utilization.decoder,pcie.link.gen.current,"
    "pcie.link.width.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total";
static const char apps_fields[] = "timestamp,gpu_uuid,pid,process_name,used_memory";

/* nvidia-smi --query-gpu=timestamp,utilization.gpu,... --format=csv,nounits -l 1 -i 0,1 */
static const char *const query_words[] = {"--query-gpu=%f", "--format=csv,nounits", "%l", NULL};
static const char *const apps_words[] = {"--query-compute-apps=%f", "--format=csv,nounits", "%l", NULL};
static const char *const dmon_words[] = {"dmon", "-s", "pucvmt", "-o", "DT", "-d", "%s", NULL};
static const char *const pmon_words[] = {"pmon", "-s", "um", "-o", "DT", "-d", "%s", NULL};
static const char *const amd_words[] = {"monitor", "-p", "-t", "-u", "-m", "-v", "--csv", "-w", "%s", NULL};
static const char *const amd_process_words[] = {"process", "--csv", "-w", "%s", NULL};
static const char *const python_env[] = {"PYTHONUNBUFFERED=1", NULL}; /* amd-smi is a Python program */

/* name, program, file, format, least_ms, most_s (of pmon: it takes no more), head, pty, quiet, fields, env,
 * words, gpu_word, split_gpus */
const struct smi_monitor_kind smi_monitor_kinds[] = {
    {"query", "nvidia-smi", "hw_metrics.csv", SMI_FMT_QUERY, 1, 0, 1, true, false, query_fields, NULL,
     query_words, "-i", false},
    {"dmon", "nvidia-smi", "hw_dmon.csv", SMI_FMT_DMON, 1000, 0, 2, true, false, NULL, NULL, dmon_words, "-i",
     false},
    {"apps", "nvidia-smi", "hw_apps.csv", SMI_FMT_APPS, 1, 0, 1, true, true, apps_fields, NULL, apps_words,
     "-i", false},
    {"pmon", "nvidia-smi", "hw_pmon.csv", SMI_FMT_PMON, 1000, 10, 2, true, false, NULL, NULL, pmon_words,
     "-i", false},
    {"amd", "amd-smi", "amd_metrics.csv", SMI_FMT_AMD_MONITOR, 1000, 0, 1, true, false, NULL, python_env,
     amd_words, "-g", true},
    {"amd-process", "amd-smi", "amd_processes.csv", SMI_FMT_AMD_PROCESS, 1000, 0, 1, true, false, NULL,
     python_env, amd_process_words, "-g", true},
    {.name = NULL}};

const struct smi_monitor_kind *smi_monitor_kind(struct smi_text name)
{
    for (const struct smi_monitor_kind *k = smi_monitor_kinds; k->name; k++)
        if (smi_text_is(name, k->name))
            return k;
    return NULL;
}

int smi_monitor_interval(const struct smi_monitor_kind *k, int interval_ms)
{
    int steps = interval_ms < k->least_ms ? 1 : interval_ms / k->least_ms + (interval_ms % k->least_ms != 0);
    return steps > INT_MAX / k->least_ms ? INT_MAX : steps * k->least_ms;
}

enum { READ_MOST = 65536, DRAIN_MOST = 1 << 20, CLOSED_MS = 200, PIECE = 8192, PROBE_MAX = 65536 };

const struct smi_monitor_times smi_monitor_times = {.start = 20000,
                                                    .silence = 3000,
                                                    .pause = 1000,
                                                    .pause_most = 60000,
                                                    .steady = 60000,
                                                    .restart = {1000, 2000, 7000},
                                                    .stop = {250, 500, 5500}};

/* Of one that never said a line no last one is waited for. */
static const struct smi_child_deadlines unheard = {20, 40, 5000};

/* A command line in the making: v ends with NULL. */
struct argv {
    char **v;
    size_t n, cap;
    struct smi_arena text;
};

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

static void add_part(struct smi_last_line *l, const char *p, size_t n)
{
    n = n < sizeof l->part - l->part_n ? n : sizeof l->part - l->part_n;
    memcpy(l->part + l->part_n, p, n);
    l->part_n += n;
}

static void end_line(struct smi_last_line *l)
{
    struct smi_text t = smi_text_trim((struct smi_text){l->part, l->part_n});
    int commas = 0;
    while (t.n && t.p[t.n - 1] == '\r')
        t.n--;
    for (size_t i = 0; i < t.n && l->of_rows; i++)
        commas += t.p[i] == ',';
    l->part_n = 0;
    /* rows and heads of the monitors' formats: a message has no three commas, and begins with no number */
    if (t.n && l->of_rows && (commas >= 3 || *t.p == '#' || smi_is_digit(*t.p))) {
        l->line_n = 0;
        l->rows++;
    } else if (t.n && (!l->of_rows || !l->line_n)) {
        memcpy(l->line, t.p, l->line_n = t.n);
    }
    if (t.n && l->each) {
        char line[SMI_LAST_LINE_TEXT + 1];
        smi_text_copy(line, sizeof line, t);
        l->each(l->self, line);
    }
}

size_t smi_last_line_add(struct smi_last_line *l, const char *p, size_t n)
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
__attribute__((format(printf, 2, 3))) static void set_reason(struct smi_monitor *m, const char *fmt, ...)
{
    char text[SMI_MONITOR_REASON * 2];
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    smi_buf_safe(&b, smi_text_of(text));
    smi_text_copy(m->reason, sizeof m->reason, smi_text_of(b.n ? b.p : ""));
    smi_buf_fini(&b);
}

struct smi_text smi_last_line_end(struct smi_last_line *l)
{
    if (l->part_n)
        end_line(l); /* it ended in the middle of a line */
    return (struct smi_text){l->line, l->line_n};
}

void smi_child_put_end(struct smi_buf *b, const struct smi_child *c)
{
    if (c->cause)
        smi_buf_fmt(b, "could not be started: %s", strerror(c->cause));
    else if (c->status < 0)
        smi_buf_str(b, "ended");
    else if (WIFSIGNALED(c->status))
        smi_buf_fmt(b, "killed by signal %d", WTERMSIG(c->status));
    else
        smi_buf_fmt(b, "exit %d", WEXITSTATUS(c->status));
}

/* m->reason: how the child ended, and what it said last. */
static void set_exit_reason(struct smi_monitor *m, const struct smi_child *c)
{
    struct smi_buf b = {0};
    struct smi_text err = smi_last_line_end(&m->err), out = smi_last_line_end(&m->out),
                    what = err.n ? err : out;
    int code = WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
    smi_child_put_end(&b, c);
    for (size_t i = 0; i < sizeof exits / sizeof *exits && !c->cause && !m->o.calls.command; i++)
        if (exits[i].code == code)
            smi_buf_fmt(&b, " (%s)", exits[i].words);
    if (code == NO_SUCH_GPU && m->o.gpus)
        set_reason(m, "there is no GPU %s", m->o.gpus);
    else
        set_reason(m, "%s%s%.*s", b.p, what.n ? ": " : "", (int)what.n, what.p);
    smi_buf_fini(&b);
}

/* ---- events for the owner ---- */

static void report_event(struct smi_monitor *m, enum smi_monitor_event_kind what, int64_t from_ms,
                         int64_t to_ms)
{
    const struct smi_monitor_event e = {what, from_ms, to_ms};
    if (m->o.calls.event)
        m->o.calls.event(m->o.calls.self, m, &e);
}

static void set_state(struct smi_monitor *m, enum smi_monitor_state state, int64_t now_ms)
{
    m->state = state;
    m->since_ms = now_ms;
    report_event(m, SMI_MONITOR_STATE_CHANGED, now_ms, -1);
}

static void open_gap(struct smi_monitor *m, int64_t from_ms)
{
    if (m->gap_ms >= 0)
        return;
    m->gap_ms = from_ms;
    report_event(m, SMI_MONITOR_HAS_GAP, from_ms, -1);
}

static void close_gap(struct smi_monitor *m, int64_t to_ms)
{
    if (m->gap_ms < 0)
        return;
    report_event(m, SMI_MONITOR_HAS_GAP, m->gap_ms, to_ms);
    m->gap_ms = -1;
}

int64_t smi_monitor_silence(const struct smi_monitor *m)
{
    int64_t three = (int64_t)m->o.interval_ms * 3;
    return three > m->times.silence ? three : m->times.silence;
}

/* ---- what the child says ---- */

static void note_lines(struct smi_monitor *m, size_t lines, int64_t now_ms)
{
    bool late =
        m->state == SMI_MONITOR_OK && !m->o.kind->quiet && now_ms - m->line_ms > smi_monitor_silence(m);
    int64_t before = m->line_ms;
    m->lines += lines;
    m->child_lines += lines;
    m->line_ms = now_ms;
    if (m->stopping || m->blamed)
        return;
    if (late) { /* we were asleep, and so could not see it begin */
        set_reason(m, "nothing was read");
        open_gap(m, before);
        m->reason[0] = 0;
    }
    if (!m->o.kind->quiet && m->child_lines <= (uint64_t)m->o.kind->head)
        return;
    close_gap(m, now_ms);
    if (m->state == SMI_MONITOR_OK)
        return;
    if (m->ok_ms < 0)
        m->ok_ms = now_ms;
    m->reason[0] = 0;
    set_state(m, SMI_MONITOR_OK, now_ms);
}

/* Takes what one stream of the child (out or err) holds, about `most` bytes of it. */
static void read_stream(struct smi_monitor *m, int *fd, size_t most, int64_t now_ms)
{
    const bool is_err = fd == &m->child.err;
    char piece[PIECE];
    ssize_t got;
    for (size_t all = 0, n;
         all < most && (is_err || !m->hold) && (got = smi_child_read(fd, piece, sizeof piece)) > 0;
         all += n) {
        n = (size_t)got;
        if (m->doing == SMI_MONITOR_PROBE_CHILD && m->answer.n + n <= PROBE_MAX)
            smi_buf_add(&m->answer, piece, n);
        size_t lines = smi_last_line_add(is_err ? &m->err : &m->out, piece, n);
        if (is_err)
            continue;
        if (m->doing != SMI_MONITOR_ROWS_CHILD) {
            m->child_lines += lines;
            continue;
        }
        if (m->o.calls.bytes)
            m->o.calls.bytes(m->o.calls.self, piece, n);
        if (lines)
            note_lines(m, lines, now_ms);
    }
    if (fd == &m->child.out && *fd < 0 && m->end_ms < 0)
        m->end_ms = now_ms;
}

/* What a driver knows: one query of all fields before the loop. It aborts at the first field that it does not
 * know, and says which; --help-query-gpu would tell all at once, but takes seconds on some hosts. */

static void add_word(struct argv *a, const char *fmt, ...)
{
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&b, fmt, ap);
    va_end(ap);
    smi_mem_reserve(&a->v, &a->cap, a->n + 2, sizeof *a->v);
    a->v[a->n++] = smi_arena_text(&a->text, b.p, b.n);
    a->v[a->n] = NULL;
    smi_buf_fini(&b);
}

/* The command line of the next child. */
static void make_command(const struct smi_monitor *m, struct argv *a, bool once)
{
    const char *gpus = m->o.gpus;
    struct smi_text gpu;
    add_word(a, "%s", m->o.program);
    if (m->o.calls.command) {
        struct smi_buf command = {0};
        m->o.calls.command(m->o.calls.self, &command);
        add_word(a, "-c");
        add_word(a, "%s", command.p);
        smi_buf_fini(&command);
        return;
    }
    for (const char *const *at = m->o.kind->words; *at;
         at++) { /* with what stands in it for something else */
        const char *word = *at, *fields = strstr(word, "%f");
        int ms = m->o.interval_ms, most_s = m->o.kind->most_s;
        if (strcmp(word, "%s") == 0)
            add_word(a, "%d", most_s && ms > most_s * 1000 ? most_s : ms / 1000);
        else if (strcmp(word, "%l") != 0)
            add_word(a, "%.*s%s", fields ? (int)(fields - word) : (int)strlen(word), word,
                     fields ? m->fields : "");
        else if (!once)
            add_word(a, ms % 1000 ? "-lms" : "-l"), add_word(a, "%d", ms % 1000 ? ms : ms / 1000);
    }
    if (gpus)
        add_word(a, "%s", m->o.kind->gpu_word);
    if (gpus && !m->o.kind->split_gpus)
        add_word(a, "%s", gpus);
    while (m->o.kind->split_gpus && smi_text_next_item(&gpus, &gpu))
        if (gpu.n)
            add_word(a, "%.*s", (int)gpu.n, gpu.p);
}

/* "Field "X" is not a valid field to query." in t: asks for its other name, or not for X any more. True if
 * there is something else to ask for now. */
static bool drop_field(struct smi_monitor *m, struct smi_text t)
{
    static const char begin[] = "Field \"";
    const char *p = memmem(t.p, t.n, begin, strlen(begin)), *end = t.p + t.n;
    const char *quote = p ? memchr(p + strlen(begin), '"', (size_t)(end - p) - strlen(begin)) : NULL;
    struct smi_text bad = {quote ? p + strlen(begin) : "", quote ? (size_t)(quote - p) - strlen(begin) : 0};
    struct smi_text own, other = {NULL, 0};
    struct smi_buf kept = {0};
    bool found = false;
    for (const char *rest = m->o.kind->fields; smi_text_next_item(&rest, &own);)
        if (own.n > bad.n && own.p[bad.n] == '|' && !memcmp(own.p, bad.p, bad.n))
            other = smi_text_from(own, bad.n + 1);
    for (const char *rest = m->fields; smi_text_next_item(&rest, &own);) {
        bool is_bad = smi_text_equal(own, bad);
        found |= is_bad;
        own = is_bad ? other : own;
        if (own.n)
            smi_buf_fmt(&kept, "%s%.*s", kept.n ? "," : "", (int)own.n, own.p);
    }
    found &= kept.n > 0;
    if (found) {
        smi_mem_free(m->fields);
        m->fields = smi_mem_text(kept.p, kept.n);
    }
    smi_buf_fini(&kept);
    return found;
}

/* ---- the GPUs that it listed ---- */

/* The cell of a field in a row of the answer; its columns stand in the order of m->fields. Without text if
 * there is no such column, or a sentinel ("[N/A]") in it. */
static struct smi_text cell_of(const struct smi_monitor *m, const char *row, const char *field)
{
    struct smi_text own, cell;
    for (const char *rest = m->fields; smi_text_next_item(&rest, &own) && smi_text_next_item(&row, &cell);)
        if (smi_text_is(own, field) && cell.n && *cell.p != '[')
            return cell;
    return (struct smi_text){"", 0};
}

/* m->gpus from the answer of a probe. True if there are any. */
static bool read_gpus(struct smi_monitor *m)
{
    struct smi_buf *b = &m->answer;
    size_t cap = 0;
    smi_mem_free(m->gpus);
    m->gpus = NULL;
    m->gpus_n = 0;
    for (char *row = b->p, *lf; row && (lf = strchr(row, '\n')); row = lf + 1) {
        *lf = 0;
        int64_t index = smi_cell_digits(cell_of(m, row, "index"), SMI_CELL_DIGITS);
        if (index < 0 || index > INT_MAX)
            continue;
        struct smi_gpu_id *id = SMI_MEM_ADD(m->gpus, m->gpus_n, cap);
        id->index = (int)index;
        id->memory_mib = (long)smi_cell_digits(cell_of(m, row, "memory.total"), SMI_CELL_DIGITS);
        smi_text_copy(id->uuid, sizeof id->uuid, cell_of(m, row, "uuid"));
        smi_text_copy(id->name, sizeof id->name, cell_of(m, row, "name"));
    }
    return m->gpus_n > 0;
}

/* ---- starting ---- */

/* A pause, and it starts again; the next pause is twice as long, unless rows came for long enough. */
static void restart_later(struct smi_monitor *m, int64_t now_ms)
{
    if (m->ok_ms >= 0 && now_ms - m->ok_ms >= m->times.steady)
        m->pause_ms = m->times.pause;
    m->ok_ms = -1;
    m->due_ms = now_ms + m->pause_ms;
    m->pause_ms = m->pause_ms * 2 < m->times.pause_most ? m->pause_ms * 2 : m->times.pause_most;
    set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

static void start_child(struct smi_monitor *m, int64_t now_ms)
{
    struct argv a = {.v = NULL};
    struct smi_err err = {0};
    bool probe = m->o.kind->fields && !m->probed;
    m->out = (struct smi_last_line){.of_rows = !m->o.calls.command};
    m->err = (struct smi_last_line){.each = m->o.calls.message, .self = m->o.calls.self};
    smi_buf_fini(&m->answer);
    m->child_lines = 0;
    m->end_ms = -1;
    m->blamed = m->again = false;
    m->begun_ms = now_ms;
    make_command(m, &a, probe);
    const struct smi_child_spec spec = {.argv = a.v, .env = m->o.kind->env, .pty = m->o.kind->pty && !probe};
    m->session = m->child.session;
    int failed = smi_child_open(&m->child, &spec, &err);
    smi_mem_free(a.v);
    smi_arena_fini(&a.text);
    if (failed) {
        const int cause = m->child.cause;
        m->doing = SMI_MONITOR_NO_CHILD;
        set_reason(m, "%s", err.text);
        if (cause == ENOENT || cause == EACCES || cause == ENOTDIR || cause == E2BIG) {
            set_state(m, SMI_MONITOR_GONE, now_ms);
            return;
        }
        open_gap(m, m->line_ms >= 0 ? m->line_ms : now_ms);
        restart_later(m, now_ms);
        return;
    }
    m->doing = probe ? SMI_MONITOR_PROBE_CHILD : SMI_MONITOR_ROWS_CHILD;
    if (m->state != SMI_MONITOR_STARTING)
        set_state(m, SMI_MONITOR_STARTING, now_ms);
    if (!probe) {
        m->starts++;
        report_event(m, SMI_MONITOR_CHILD_STARTED, now_ms, -1);
    }
}

/* ---- how it ends ---- */

static void child_ended(struct smi_monitor *m, int64_t now_ms)
{
    read_stream(m, &m->child.err, DRAIN_MOST, now_ms);
    read_stream(m, &m->child.out, DRAIN_MOST, now_ms);
    smi_child_close(&m->child);
    const bool probe = m->doing == SMI_MONITOR_PROBE_CHILD, hung = m->stuck;
    const struct smi_text said = {m->out.line, m->out.line_n};
    m->doing = SMI_MONITOR_NO_CHILD;
    m->stuck = false;
    if (m->stopping)
        return;
    const bool answered = probe && !m->again && !m->child.status;
    m->probed |= answered;
    if (answered && read_gpus(m))
        report_event(m, SMI_MONITOR_HAS_GPUS, now_ms, -1);
    if (m->again || answered ||
        (probe && !m->blamed &&
         drop_field(m, (struct smi_text){m->answer.n ? m->answer.p : "", m->answer.n}))) {
        start_child(m, now_ms);
        return;
    }
    if (hung)
        set_reason(m, "the process that hung in the kernel has ended");
    else if (!m->blamed)
        set_exit_reason(m, &m->child);
    if (!probe && m->o.kind->fields && m->child.status && drop_field(m, said))
        m->probed = false; /* another driver than at the last probe */
    open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
    restart_later(m, now_ms);
}

/* ---- what is due ---- */

static void end_child(struct smi_monitor *m, int64_t now_ms)
{
    m->blamed = true;
    smi_child_stop(&m->child, &m->times.restart, now_ms);
}

void smi_monitor_again(struct smi_monitor *m, int64_t now_ms)
{
    m->again = m->child.pid != 0;
    end_child(m, now_ms);
}

/* When the child has been quiet for too long: INT64_MAX for one that may. */
static int64_t silence_deadline(const struct smi_monitor *m)
{
    if (m->stopping || m->blamed || m->doing == SMI_MONITOR_NO_CHILD)
        return INT64_MAX;
    if (m->state == SMI_MONITOR_SILENT)
        return m->since_ms + smi_monitor_silence(m);
    if (m->doing == SMI_MONITOR_PROBE_CHILD)
        return m->begun_ms + m->times.start;
    if (m->o.kind->quiet)
        return INT64_MAX;
    return m->child_lines ? m->line_ms + smi_monitor_silence(m)
                          : m->begun_ms + m->times.start + m->o.interval_ms;
}

static void out_of_patience(struct smi_monitor *m, int64_t now_ms)
{
    int64_t from =
        m->child_lines && m->line_ms > m->begun_ms ? m->line_ms : m->begun_ms; /* a probe's are not timed */
    double s = (double)(now_ms - from) / 1000;
    set_reason(m, m->child_lines ? "no row for %.0f s" : "printed nothing for %.0f s after its start", s);
    open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
    if (m->doing == SMI_MONITOR_ROWS_CHILD && m->state != SMI_MONITOR_SILENT) {
        set_state(m, SMI_MONITOR_SILENT, now_ms);
        return;
    }
    end_child(m, now_ms);
    set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

/* Its output has ended, but it has not: that is no monitor. */
static int64_t output_deadline(const struct smi_monitor *m)
{
    return m->child.pid && m->end_ms >= 0 && !m->blamed && !m->stopping ? m->end_ms + CLOSED_MS : INT64_MAX;
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_monitor *m = self;
    struct smi_child child = m->child;
    child.out = m->hold ? -1 : child.out;
    smi_child_watch(&child, l);
    smi_loop_wake(l, silence_deadline(m));
    smi_loop_wake(l, output_deadline(m));
    if (!m->stopping && m->state == SMI_MONITOR_RESTARTING && m->doing == SMI_MONITOR_NO_CHILD)
        smi_loop_wake(l, m->due_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_monitor *m = self;
    bool look = m->child.step || m->child.pidfd < 0 || smi_loop_ready(l, m->child.pidfd);
    (void)err;
    if (smi_loop_ready(l, m->child.err))
        read_stream(m, &m->child.err, READ_MOST, l->now_ms);
    if (smi_loop_ready(l, m->child.out))
        read_stream(m, &m->child.out, READ_MOST, l->now_ms);
    look = look || m->child.out < 0;
    enum smi_child_state s = look ? smi_child_poll(&m->child, l->now_ms) : SMI_CHILD_RUNS;
    if (s == SMI_CHILD_ENDED) {
        child_ended(m, l->now_ms);
    } else if (s == SMI_CHILD_STUCK && !m->stuck) { /* it survives SIGKILL: another one would hang, too */
        m->stuck = true;
        m->doing = SMI_MONITOR_NO_CHILD;
        if (!m->stopping) {
            set_reason(m, "process %d hangs in the kernel and cannot be killed: left behind",
                       (int)m->child.pid);
            open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
            set_state(m, SMI_MONITOR_GONE, l->now_ms);
        }
    }
    if (l->now_ms >= output_deadline(m)) {
        set_reason(m, "closed its output");
        end_child(m, l->now_ms);
    }
    if (l->now_ms >= silence_deadline(m))
        out_of_patience(m, l->now_ms);
    if (!m->stopping && m->state == SMI_MONITOR_RESTARTING && m->doing == SMI_MONITOR_NO_CHILD &&
        l->now_ms >= m->due_ms)
        start_child(m, l->now_ms);
    return 0;
}

struct smi_loop_source smi_monitor_source(struct smi_monitor *m)
{
    return (struct smi_loop_source){m, prepare, run};
}

bool smi_monitor_owns(const struct smi_monitor *m, pid_t id, bool session)
{
    return id > 0 && (id == m->child.pid || (session && (id == m->child.session || id == m->session)));
}

/* ---- life ---- */

struct smi_monitor *smi_monitor_new(const struct smi_monitor_opts *o)
{
    struct smi_monitor *m = smi_mem_new(1, sizeof *m);
    m->o = *o;
    m->o.interval_ms = smi_monitor_interval(o->kind, o->interval_ms);
    m->line_ms = m->gap_ms = m->ok_ms = m->end_ms = -1;
    m->child = smi_child_none;
    m->times = o->times ? *o->times : smi_monitor_times;
    m->o.program = o->program ? o->program : o->kind->program;
    m->fields = o->kind->fields ? smi_mem_text(o->kind->fields, strlen(o->kind->fields)) : NULL;
    for (char *bar; m->fields && (bar = strchr(m->fields, '|'));) /* by their first names */
        memmove(bar, bar + strcspn(bar, ","), strlen(bar + strcspn(bar, ",")) + 1);
    return m;
}

void smi_monitor_start(struct smi_monitor *m, int64_t now_ms)
{
    if (m->child.pid)
        return;
    m->stopping = false;
    m->pause_ms = m->times.pause;
    m->reason[0] = 0;
    start_child(m, now_ms);
}

void smi_monitor_stop(struct smi_monitor *m, int64_t now_ms)
{
    if (m->stopping)
        return;
    m->stopping = true;
    close_gap(m, now_ms);
    smi_child_stop(&m->child, m->line_ms < 0 && !m->o.calls.command ? &unheard : &m->times.stop, now_ms);
    set_state(m, SMI_MONITOR_STOPPED, now_ms);
}

void smi_monitor_free(struct smi_monitor *m)
{
    if (!m)
        return;
    smi_child_close(&m->child);
    smi_buf_fini(&m->answer);
    smi_mem_free(m->gpus);
    smi_mem_free(m->fields);
    smi_mem_free(m);
}
