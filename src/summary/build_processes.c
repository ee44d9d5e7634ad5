/* build_processes.c - the processes of a run: those of all its logs, one line for each on each GPU. pmon
 * knows a process by the first 15 bytes of its command, compute-apps by its path, accounting by its pid only.
 */
#include "summary/build_private.h"

#include <string.h>

enum { COMMAND = 15 /* bytes of a command that pmon prints at least, if it has them */ };

struct entry {
    const struct smi_run_gpu *body;  /* or NULL: the GPU is none of the run's */
    const struct smi_device *device; /* what the log says of the GPU, or NULL */
    int format;
    bool dated;        /* its times are on the base of the summary */
    struct smi_proc p; /* its name is the part's */
};

static int compare_text_or_null(const char *a, const char *b)
{
    return !a || !b ? (a == NULL) - (b == NULL) : smi_text_compare_natural(a, b);
}

static int compare_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* GPUs of the run in their order, then those that are only named, then those that are not. */
static int compare_entry_gpu(const struct entry *x, const struct entry *y)
{
    int c = 0;
    if (x->body || y->body)
        return !x->body || !y->body ? (x->body == NULL) - (y->body == NULL)
                                    : (x->body > y->body) - (x->body < y->body);
    if (!x->device || !y->device)
        return (x->device == NULL) - (y->device == NULL);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT && c == 0; k++)
        c = smi_device_compare_keys((enum smi_device_key)k, x->device->key[k], y->device->key[k]);
    return c;
}

/* By GPU, pid, what the caller puts between, and name. */
static int compare_entries(const struct entry *x, const struct entry *y, int between)
{
    int c = compare_entry_gpu(x, y);
    if (c == 0)
        c = x->p.pid < 0 || y->p.pid < 0 ? (x->p.pid < 0) - (y->p.pid < 0)
                                         : compare_number(x->p.pid, y->p.pid);
    if (c == 0)
        c = between;
    return c ? c : compare_text_or_null(x->p.name, y->p.name);
}

static int compare_entry_key(const struct entry *x, const struct entry *y)
{
    int c = x->format - y->format;
    return compare_entries(x, y, c ? c : compare_number(x->p.life_ms, y->p.life_ms));
}

static int compare_output_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = compare_entries(x, y, 0);
    return c ? c : compare_number(x->p.life_ms, y->p.life_ms);
}

/* Of equal ones the earlier first: of an accounting record it is the one that stays. */
static int by_key_and_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = compare_entry_key(x, y);
    return c ? c : compare_number(x->p.first_ms, y->p.first_ms);
}

/* ---- all of one log format ---- */

/* The part's processes on the chosen GPUs; times as the summary prints them. */
static size_t list_part(const struct smi_build *b, const struct smi_input_stats *part, struct entry *e)
{
    int64_t shift;
    bool single = part->devices.n == 1, dated = smi_build_clock(b, part->base, &shift);
    size_t n = 0;
    for (size_t i = 0; i < part->procs.n; i++) {
        const struct smi_proc *p = &part->procs.list[i];
        const struct smi_device *d = p->who >= 0 ? &part->devices.list[p->who] : NULL;
        const struct smi_run_gpu *body = d ? smi_run_gpus_find(&b->s, d, single) : NULL;
        if (!smi_build_is_chosen(b, body, NULL))
            continue;
        e[n] = (struct entry){body, d, part->format, dated && p->timed && p->life_ms < 0, *p};
        e[n].p.first_ms -= shift;
        e[n++].p.last_ms -= shift;
    }
    return n;
}

/* Several logs of one format: rotated ones, or overlapping. */
static size_t merge_same(struct entry *e, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (k && compare_entry_key(&e[k - 1], &e[i]) == 0) {
            smi_proc_add(&e[k - 1].p, &e[i].p);
            e[k - 1].dated |= e[i].dated;
        } else {
            e[k++] = e[i];
        }
    }
    return k;
}

/* ---- several formats ---- */

/* Can a be the path, or b the command, of one process? */
static bool process_names_match(const char *a, const char *b)
{
    const char *piece, *command;
    if (!a || !b)
        return true;
    piece = strlen(a) >= strlen(b) ? a : b;
    command = piece == a ? b : a;
    for (const char *at = piece; *at; at++)
        piece = *at == '/' || *at == '\\' ? at + 1 : piece;
    return strcmp(piece, command) == 0 ||
           (strlen(command) >= COMMAND && strncmp(piece, command, strlen(command)) == 0);
}

/* A later format adds what an earlier one does not have: one source a reading. */
static void adopt_entry(struct entry *to, const struct entry *from)
{
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        if (!to->p.of[i].n && !to->p.of[i].peaks)
            to->p.of[i] = from->p.of[i];
    if (from->p.life_ms > 0)
        to->p.life_ms = from->p.life_ms;
    to->p.types |= from->p.types;
    if (from->p.name && (!to->p.name || strlen(from->p.name) > strlen(to->p.name)))
        to->p.name = from->p.name;
    if (!from->dated)
        return;
    if (!to->dated || from->p.first_ms < to->p.first_ms)
        to->p.first_ms = from->p.first_ms;
    if (!to->dated || from->p.last_ms > to->p.last_ms)
        to->p.last_ms = from->p.last_ms;
    to->dated = true;
}

/* The n entries of one GPU and pid. Returns how many are left. */
static size_t join_formats(struct entry *e, size_t n)
{
    size_t accounted = n, k = 0, m;
    bool ended = false;
    while (accounted && e[accounted - 1].p.life_ms >= 0) /* their format is the last */
        accounted--;
    for (size_t i = accounted; i < n; i++)
        ended |= e[i].p.life_ms > 0;
    for (size_t i = m = accounted; i < n; i++) /* a record of a process that ran, and one of its end */
        if (!(ended && e[i].p.life_ms == 0))
            e[m++] = e[i];
    n = m;
    for (size_t i = 0; i < n; i++) {
        bool lone = i < accounted || n - accounted == 1;
        m = k;
        for (size_t j = 0; j < k && lone && m == k; j++)
            if (e[j].format < e[i].format && process_names_match(e[j].p.name, e[i].p.name))
                m = j;
        if (m < k)
            adopt_entry(&e[m], &e[i]);
        else
            e[k++] = e[i];
    }
    return k;
}

static size_t merge_formats(struct entry *e, size_t n)
{
    size_t k = 0, end;
    for (size_t i = 0; i < n; i = end) {
        size_t left;
        for (end = i + 1; end < n && e[i].p.pid >= 0 && e[end].p.pid == e[i].p.pid &&
                          compare_entry_gpu(&e[i], &e[end]) == 0;)
            end++;
        left = join_formats(e + i, end - i);
        memmove(e + k, e + i, left * sizeof *e);
        k += left;
    }
    return k;
}

/* ---- figures ---- */

static void fill_process_figures(struct smi_build *b, const struct entry *e, struct smi_process_figures *f)
{
    static const char *const types[8] = {NULL, "C", "G", "C+G", "M", "M+C", "M+G", "M+C+G"};
    const struct smi_device *d = e->device;
    f->gpu = e->body ? e->body->index : d ? smi_device_index(d) : -1;
    f->uuid = smi_build_copy_text(b, e->body && e->body->uuid ? e->body->uuid
                                     : d                      ? d->key[SMI_DEVICE_KEY_UUID]
                                                              : NULL);
    f->bus = smi_build_copy_text(b, e->body && e->body->bus ? e->body->bus
                                    : d                     ? d->key[SMI_DEVICE_KEY_BUS]
                                                            : NULL);
    f->pid = e->p.pid;
    f->name = smi_build_copy_text(b, e->p.name);
    f->type = types[e->p.types & 7];
    f->samples = e->format == SMI_FMT_ACCOUNTED ? 0 : e->p.samples;
    f->has_time = e->dated;
    f->first_ms = e->p.first_ms;
    f->last_ms = e->p.last_ms;
    for (int i = 0; i < SMI_PROC_METRICS; i++) {
        const struct smi_proc_sum *s = &e->p.of[i];
        f->of[i].mean = smi_value_ratio(s->sum, s->n);
        if (s->peaks)
            f->of[i].peak = smi_value_of(s->max);
    }
    if (e->p.life_ms > 0)
        f->life_s = smi_value_wide((smi_i128)e->p.life_ms * 1000);
}

void smi_build_processes(struct smi_build *b)
{
    struct smi_process_figures *f;
    struct entry *e;
    int64_t left = 0;
    size_t n = 0;
    for (size_t i = 0; i < b->r->parts; i++)
        n += b->r->part[i]->procs.n;
    e = smi_mem_new(n, sizeof *e);
    n = 0;
    for (size_t i = 0; i < b->r->parts; i++) {
        n += list_part(b, b->r->part[i], e + n);
        left += b->r->part[i]->procs.others;
    }
    smi_sort(e, n, sizeof *e, by_key_and_time);
    n = merge_formats(e, merge_same(e, n));
    f = smi_arena_new(&b->out->arena, n + 1, sizeof *f);
    smi_sort(e, n, sizeof *e, compare_output_order);
    for (size_t i = 0; i < n; i++)
        fill_process_figures(b, &e[i], &f[i]);
    b->out->processes = f;
    b->out->nprocesses = n;
    if (left)
        smi_run_add_problem(
            b->r, "more than %d processes in one log: %lld rows of the others are in no process's figures",
            SMI_PROCS_MAX, (long long)left);
    smi_mem_free(e);
}
