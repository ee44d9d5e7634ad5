/* jobs.c - what schedulers leave of a job: its output, and sacct's accounting */
#include "base/err.h"
#include "sweep/config.h"

#include <stdio.h>
#include <stdlib.h>

/* sacct --parsable2, any fields with JobID and State among them:
 *
 *     JobID|JobName|State|ExitCode|Elapsed|AllocTRES
 *     4711|train|TIMEOUT|0:0|1-00:00:12|billing=8,cpu=8,gres/gpu=2,mem=64G,node=1
 *     4711.batch|batch|CANCELLED|0:15|1-00:00:14|cpu=8,mem=64G,node=1
 *     4712_3|train|CANCELLED by 1000|0:0|00:10:00|cpu=8 */

enum { COLUMNS = 256 };
static const char digits[] = "0123456789";

enum column { ID, STATE, EXIT, KNOWN };
static const char *const column_names[KNOWN] = {"JobID", "State", "ExitCode"};

struct table {
    int at[KNOWN]; /* columns; -1: not there */
};

bool smi_jobs_is_file(const char *name)
{
    return strncmp(name, "sacct", 5) == 0;
}

bool smi_jobs_next_id(const char **name, struct smi_text *id)
{
    const char *p = *name + strcspn(*name, digits);
    size_t n = strspn(p, digits), task = n && p[n] == '_' ? strspn(p + n + 1, digits) : 0;
    *id = (struct smi_text){p, task ? n + 1 + task : n};
    *name = p + n;
    return n > 0;
}

/* The cells of a line; those beyond COLUMNS are passed over. */
static size_t split_cells(struct smi_text line, struct smi_text *cell)
{
    size_t n = 0;
    for (const char *p = line.p, *end = line.p + line.n, *bar; n < COLUMNS; p = bar + 1) {
        bar = memchr(p, '|', (size_t)(end - p));
        cell[n++] = (struct smi_text){p, (size_t)((bar ? bar : end) - p)};
        if (!bar)
            break;
    }
    return n;
}

static bool read_head(struct table *t, const struct smi_text *cell, size_t n)
{
    for (int k = 0; k < KNOWN; k++) {
        t->at[k] = -1;
        for (size_t i = 0; i < n; i++)
            if (smi_text_is(cell[i], column_names[k]))
                t->at[k] = (int)i;
    }
    return t->at[ID] >= 0 && t->at[STATE] >= 0;
}

/* Empty where the line has no such cell. */
static struct smi_text cell_of(const struct table *t, enum column k, const struct smi_text *cell, size_t n)
{
    return t->at[k] >= 0 && (size_t)t->at[k] < n ? cell[t->at[k]] : (struct smi_text){"", 0};
}

/* "1:0" is exit status 1, "0:9" the signal 9. */
static void read_exit(struct smi_job *j, struct smi_text t, char reason[SMI_EXIT_TEXT])
{
    char text[32];
    int status = 0, signal = 0;
    smi_text_copy(text, sizeof text, t);
    if (sscanf(text, "%3d:%3d", &status, &signal) != 2 || strcmp(j->state, "cut") == 0 || signal > 64)
        return;
    j->exit_code = signal > 0 && !status ? 128 + signal : status;
    if (j->exit_code > 0)
        smi_exit_text(reason, j->exit_code);
}

static void read_end(struct smi_job *j, struct smi_text state, struct smi_text code, struct smi_arena *a)
{
    static const struct {
        const char *word, *state, *reason;
    } ends[] = {{"COMPLETED", "ok", NULL},           {"FAILED", "failed", NULL},
                {"TIMEOUT", "cut", "time limit"},    {"OUT_OF_MEMORY", "failed", "out of host memory"},
                {"CANCELLED", "cut", "cancelled"},   {"NODE_FAIL", "cut", "node failure"},
                {"PREEMPTED", "cut", "preempted"},   {"DEADLINE", "cut", "deadline"},
                {"BOOT_FAIL", "cut", "node failure"}};
    char reason[SMI_EXIT_TEXT] = "failed";
    j->exit_code = -1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !j->state; i++)
        if (smi_text_starts_nocase(state, ends[i].word)) {
            j->state = ends[i].state;
            j->reason = ends[i].reason;
        }
    if (j->state)
        read_exit(j, code, reason);
    if (j->state && strcmp(j->state, "failed") == 0 && !j->reason)
        j->reason = smi_arena_text(a, reason, strlen(reason));
}

static size_t skip_digits(struct smi_text t, size_t from)
{
    while (from < t.n && t.p[from] >= '0' && t.p[from] <= '9')
        from++;
    return from;
}

/* "4711", "4712_3" */
static bool is_job_id(struct smi_text t)
{
    size_t n = skip_digits(t, 0);
    return n && (n == t.n || (t.p[n] == '_' && n + 1 < t.n && skip_digits(t, n + 1) == t.n));
}

static int compare_jobs(const void *x, const void *y)
{
    return strcmp(((const struct smi_job *)x)->id, ((const struct smi_job *)y)->id);
}

static int compare_lines(const void *x, const void *y)
{
    const struct smi_job *a = x, *b = y;
    int d = compare_jobs(x, y);
    return d ? d : (a->line > b->line) - (a->line < b->line);
}

/* Of a job that comes again, as it was requeued, the last line counts. */
static size_t drop_earlier(struct smi_job *job, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || compare_jobs(&job[i], &job[i + 1]) != 0)
            job[kept++] = job[i];
    return kept;
}

void smi_jobs_read(struct smi_text text, struct smi_arena *a, const struct smi_job **job, size_t *n)
{
    struct smi_text cell[COLUMNS];
    struct table t;
    size_t most = 1;
    struct smi_job *list;
    *n = 0;
    *job = NULL;
    if (!text.n || !read_head(&t, cell, split_cells(smi_text_trim(smi_config_next_line(&text)), cell)))
        return;
    for (size_t i = 0; i < text.n; i++)
        most += text.p[i] == '\n';
    most = most < SMI_JOBS_MAX ? most : SMI_JOBS_MAX;
    *job = list = smi_arena_new(a, most, sizeof *list);
    while (text.n && *n < most) {
        size_t cells = split_cells(smi_text_trim(smi_config_next_line(&text)), cell);
        struct smi_text id = cell_of(&t, ID, cell, cells);
        if (!is_job_id(id) || (size_t)t.at[STATE] >= cells)
            continue;
        list[*n] = (struct smi_job){.id = smi_arena_text(a, id.p, id.n), .line = *n};
        read_end(&list[(*n)++], cell[t.at[STATE]], cell_of(&t, EXIT, cell, cells), a);
    }
    smi_sort(list, *n, sizeof *list, compare_lines);
    *n = drop_earlier(list, *n);
}

const struct smi_job *smi_jobs_find(const struct smi_job *job, size_t n, struct smi_text id)
{
    char text[48];
    const struct smi_job key = {.id = text};
    if (!n || !id.n || id.n >= sizeof text)
        return NULL;
    smi_text_copy(text, sizeof text, id);
    return bsearch(&key, job, n, sizeof key, compare_jobs);
}
