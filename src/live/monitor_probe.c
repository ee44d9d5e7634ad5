/* What a driver knows: one query of all fields before the loop. It aborts at the first field that it does not
 * know, and says which; --help-query-gpu would tell all at once, but takes seconds on some hosts. */
#include "live/monitor_private.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The name that field i is asked for by; without text if the driver does not know the field. */
static struct smi_text field_spelling(const struct smi_monitor *m, size_t i)
{
    const char *field = m->kind->fields[i], *other = strchr(field, '|');
    int s = m->work->spelling[i];
    if (s == 1)
        return smi_text_of(other + 1);
    return (struct smi_text){field, s == 0 ? strcspn(field, "|") : 0};
}

int smi_monitor_fields_text(struct smi_monitor *m)
{
    struct smi_buf b = {0};
    for (size_t i = 0; m->kind->fields && m->kind->fields[i]; i++) {
        struct smi_text name = field_spelling(m, i);
        if (name.n)
            smi_buf_fmt(&b, "%s%.*s", b.n ? "," : "", (int)name.n, name.p);
    }
    char *text = b.failed ? NULL : smi_mem_text(b.n ? b.p : "", b.n);
    smi_buf_fini(&b);
    if (!text)
        return -1;
    smi_mem_free(m->fields);
    m->fields = text;
    return 0;
}

int smi_monitor_command(struct smi_monitor *m, struct smi_monitor_argv *a, bool once)
{
    const struct smi_monitor_work *w = m->work;
    const struct smi_monitor_request ask = {w->program, m->fields, w->gpus, m->interval_ms};
    memset(a, 0, sizeof *a);
    m->kind->argv(a, &ask, once);
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
    size_t i = 0, kept = 0;
    bool found = false;
    for (; bad.n && m->kind->fields && m->kind->fields[i]; i++) {
        struct smi_text name = field_spelling(m, i);
        if (name.n && name.n == bad.n && !memcmp(name.p, bad.p, bad.n)) {
            m->work->spelling[i] = m->work->spelling[i] == 0 && strchr(m->kind->fields[i], '|') ? 1 : 2;
            found = true;
        }
        kept += m->work->spelling[i] < 2;
    }
    return found && kept;
}

/* ---- the GPUs that it listed ---- */

/* The cell of a field in a row of the answer; its columns stand in the order of m->fields. Without text if
 * there is no such column. */
static struct smi_text cell_of(const struct smi_monitor *m, struct smi_text row, const char *field)
{
    const char *p = row.p, *end = row.p + row.n;
    for (size_t i = 0; p <= end && m->kind->fields[i]; i++) {
        if (!field_spelling(m, i).n)
            continue;
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma ? comma : end;
        if (!strcmp(m->kind->fields[i], field))
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
    if (t.n && *t.p == '[')
        t.n = 0;
    size_t n = t.n < room - 1 ? t.n : room - 1;
    while (n < t.n && n && (t.p[n] & 0xC0) == 0x80)
        n--;
    memcpy(to, t.p, n);
    to[n] = 0;
}

static long whole_number(struct smi_text t)
{
    long v = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9' || v > 100000000)
            return -1;
        v = v * 10 + (t.p[i] - '0');
    }
    return t.n ? v : -1;
}

static bool read_gpu(const struct smi_monitor *m, struct smi_text row, struct smi_gpu_id *id)
{
    long index = whole_number(cell_of(m, row, "index"));
    if (index < 0)
        return false;
    id->index = (int)index;
    id->memory_mib = whole_number(cell_of(m, row, "memory.total"));
    copy_cell(id->uuid, sizeof id->uuid, cell_of(m, row, "uuid"));
    copy_cell(id->name, sizeof id->name, cell_of(m, row, "name"));
    return true;
}

bool smi_monitor_read_gpus(struct smi_monitor *m)
{
    struct smi_buf *b = &m->work->answer;
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
