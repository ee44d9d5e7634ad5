/* The processes of a part, as text and back: one array each, [device, pid, name, types, life, samples, timed,
 * first, last, then for each metric n, sum, peaks, max]. */
#include "summary/partial_read_private.h"
#include "summary/partial_write_private.h"

enum { FRONT = 9, EACH = 4 };

void smi_partial_write_processes(struct smi_json *j, const struct smi_procs *procs)
{
    smi_json_key(j, "processes");
    smi_json_open(j, '[');
    for (size_t i = 0; i < procs->n; i++) {
        const struct smi_proc *p = &procs->list[i];
        smi_json_open(j, '[');
        smi_json_int(j, p->who);
        smi_json_int(j, p->pid);
        smi_partial_write_text(j, p->name);
        smi_json_int(j, p->types);
        smi_json_int(j, p->life_ms);
        smi_json_int(j, p->samples);
        smi_json_bool(j, p->timed);
        smi_json_int(j, p->first_ms);
        smi_json_int(j, p->last_ms);
        for (int k = 0; k < SMI_PROC_METRICS; k++) {
            smi_json_int(j, p->of[k].n);
            smi_partial_write_wide(j, p->of[k].sum);
            smi_json_int(j, p->of[k].peaks);
            smi_json_int(j, p->of[k].max);
        }
        smi_json_close(j, ']');
    }
    smi_json_close(j, ']');
    smi_json_key_int(j, "process_rows_left", procs->others);
}

static int64_t get_count(struct smi_partial_reader *g, const json_t *v)
{
    int64_t n = smi_partial_read_int(g, v);
    if (n < 0)
        smi_partial_read_fail(g, "processes");
    return n;
}

static void get_sums(struct smi_partial_reader *g, const json_t *a, struct smi_proc *p)
{
    for (size_t k = 0; k < SMI_PROC_METRICS; k++) {
        struct smi_proc_sum *s = &p->of[k];
        s->n = get_count(g, json_array_get(a, FRONT + EACH * k));
        s->sum = smi_partial_read_wide(g, json_array_get(a, FRONT + EACH * k + 1));
        s->peaks = get_count(g, json_array_get(a, FRONT + EACH * k + 2));
        s->max = smi_partial_read_int(g, json_array_get(a, FRONT + EACH * k + 3));
    }
}

static void get_proc(struct smi_partial_reader *g, const json_t *a, struct smi_input_stats *part)
{
    struct smi_proc p = {0};
    int64_t who = smi_partial_read_int(g, json_array_get(a, 0)),
            types = smi_partial_read_int(g, json_array_get(a, 3));
    p.pid = smi_partial_read_int(g, json_array_get(a, 1));
    p.life_ms = smi_partial_read_int(g, json_array_get(a, 4));
    p.samples = get_count(g, json_array_get(a, 5));
    p.timed = json_is_true(json_array_get(a, 6));
    p.first_ms = smi_partial_read_int(g, json_array_get(a, 7));
    p.last_ms = smi_partial_read_int(g, json_array_get(a, 8));
    p.types = (unsigned)types;
    get_sums(g, a, &p);
    if (json_array_size(a) != FRONT + EACH * SMI_PROC_METRICS || (who != SMI_DEVICE_POOL && who < 0) ||
        who >= (int64_t)part->devices.n || p.pid < -1 || p.life_ms < -1 || types < 0 || types > 7)
        smi_partial_read_fail(g, "processes");
    p.name = g->bad ? NULL : smi_partial_read_text(g, json_array_get(a, 2));
    if (!g->bad && smi_procs_join(&part->procs, &p, (int)who, g->err) != SMI_PROC_KEPT)
        smi_partial_read_fail(g, "processes");
    smi_mem_free(p.name);
}

void smi_partial_read_processes(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *list = json_object_get(o, "processes");
    if (json_array_size(list) > SMI_PROCS_MAX)
        smi_partial_read_fail(g, "processes");
    for (size_t i = 0; i < json_array_size(list) && !g->bad; i++)
        get_proc(g, json_array_get(list, i), p);
    p->procs.others = smi_partial_read_key_count(g, o, "process_rows_left");
}
