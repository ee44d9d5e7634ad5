/* subtrack_compare.c - one statistic of several sessions side by side, as JSON and as text. */
#include "process/subtrack_private.h"

#include <math.h>

enum { OVERALL = -1, TIME = -1 }; /* no block; no metric: the time of the block */

/* One walk over all values writes both forms. */
struct out {
    const struct smi_sub_comparison *c;
    enum smi_sub_stat stat;
    struct smi_buf *to;
    struct smi_json *json; /* NULL: the text */
    int depth;
    size_t *order; /* of the sessions */
    char (*text)[SMI_REAL_TEXT];
    const char **head, **cell, **shown; /* shown: the names of the sessions, safe */
};

static double session_value(const struct out *o, size_t session, int metric, long block)
{
    const struct smi_sub_session *s = &o->c->session[session];
    if (metric == TIME)
        return s->block[block].time[o->stat];
    return block == OVERALL ? s->overall[metric][o->stat] : s->block[block].usage[metric][o->stat];
}

static void open_group(struct out *o, const char *name, bool title)
{
    if (o->json) {
        smi_json_key(o->json, name);
        smi_json_open(o->json, '{');
    } else {
        smi_sub_put_tabs(o->to, o->depth);
        if (title)
            smi_sub_put_title(o->to, name);
        else
            smi_buf_safe(o->to, smi_text_of(name));
        smi_buf_str(o->to, ":\n");
    }
    o->depth++;
}

static void close_group(struct out *o)
{
    if (o->json)
        smi_json_close(o->json, '}');
    o->depth--;
}

/* Smallest first, NaN last; sessions with equal values stay in their order. */
static void sort_sessions(struct out *o, int metric, long block)
{
    for (size_t i = 0, k; i < o->c->n; i++) {
        double v = session_value(o, i, metric, block);
        for (k = i; k > 0; k--) {
            double before = session_value(o, o->order[k - 1], metric, block);
            if (isnan(v) || !(before > v || isnan(before)))
                break;
            o->order[k] = o->order[k - 1];
        }
        o->order[k] = i;
    }
}

static void put_session_values(struct out *o, int metric, long block)
{
    sort_sessions(o, metric, block);
    for (size_t i = 0; i < o->c->n; i++) {
        double v = session_value(o, o->order[i], metric, block);
        if (o->json) {
            smi_json_key(o->json, o->c->session[o->order[i]].name);
            smi_sub_put_real(o->json, v);
            continue;
        }
        smi_sub_cell(o->text[i], v);
        o->head[i] = o->shown[o->order[i]];
        o->cell[i] = o->text[i];
    }
    if (!o->json)
        smi_sub_put_table(o->to,
                          &(struct smi_sub_table){o->depth, o->c->n, 1, o->head, NULL, o->cell, false});
}

static void put_block_values(struct out *o, int metric)
{
    for (size_t i = 0; i < o->c->blocks; i++) {
        open_group(o, o->c->block[i], false);
        put_session_values(o, metric, (long)i);
        close_group(o);
    }
}

static void put_comparison(struct out *o)
{
    open_group(o, "overall_resource_usage", true);
    for (int m = 0; m < SMI_SUB_METRICS; m++) {
        open_group(o, smi_usage_columns[m].name, true);
        put_session_values(o, m, OVERALL);
        close_group(o);
    }
    close_group(o);
    open_group(o, "code_block_resource_usage", true);
    for (int m = 0; m < SMI_SUB_METRICS && o->c->blocks; m++) {
        open_group(o, smi_usage_columns[m].name, true);
        put_block_values(o, m);
        close_group(o);
    }
    close_group(o);
    open_group(o, "code_block_compute_time", true);
    put_block_values(o, TIME);
    close_group(o);
}

/* Room for what stands in a table, and the names of the sessions as they may be printed. Returns 0, or -1. */
static int make_order(struct out *o, struct smi_arena *arena)
{
    size_t n = o->c->n;
    struct smi_buf name = {0};
    o->order = smi_arena_new(arena, n, sizeof *o->order);
    o->text = smi_arena_new(arena, n, sizeof *o->text);
    o->head = smi_arena_new(arena, n, sizeof *o->head);
    o->cell = smi_arena_new(arena, n, sizeof *o->cell);
    o->shown = smi_arena_new(arena, n, sizeof *o->shown);
    if (!o->order || !o->text || !o->head || !o->cell || !o->shown)
        return -1;
    for (size_t i = 0; i < n; i++) {
        smi_buf_clear(&name);
        smi_buf_safe(&name, smi_text_of(o->c->session[i].name));
        o->shown[i] = name.failed ? NULL : smi_arena_text(arena, name.n ? name.p : "", name.n);
        if (!o->shown[i])
            break;
    }
    smi_buf_fini(&name);
    return !n || o->shown[n - 1] ? 0 : -1;
}

void smi_sub_compare_json(struct smi_buf *to, const struct smi_sub_comparison *c, enum smi_sub_stat stat)
{
    struct smi_arena arena = {0};
    struct smi_buf line = {0};
    struct smi_json j;
    struct out o = {.c = c, .stat = stat, .to = &line, .json = &j};
    smi_json_begin(&j, &line);
    smi_json_open(&j, '{');
    line.failed |= make_order(&o, &arena) != 0;
    if (!line.failed)
        put_comparison(&o);
    smi_json_close(&j, '}');
    if (!line.failed)
        smi_json_indent(to, (struct smi_text){line.p, line.n});
    smi_buf_char(to, '\n');
    to->failed |= line.failed;
    smi_buf_fini(&line);
    smi_arena_fini(&arena);
}

void smi_sub_compare_text(struct smi_buf *to, const struct smi_sub_comparison *c, enum smi_sub_stat stat)
{
    struct smi_arena arena = {0};
    struct out o = {.c = c, .stat = stat, .to = to};
    to->failed |= make_order(&o, &arena) != 0;
    if (!to->failed)
        put_comparison(&o);
    smi_arena_fini(&arena);
}
