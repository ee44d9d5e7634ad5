/* subtrack_format.c - what came of one session, as JSON and as text. */
#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

#include <math.h>
#include <stdio.h>

/* A table as pandas prints it: columns flush right, a blank between them. */
struct sub_table {
    int tabs; /* in front of every line */
    size_t columns, rows;
    const char *const *head, *const *index; /* index: names of the rows, or NULL: none */
    const char *const *cell;                /* rows * columns */
    bool objects; /* no table of floats: cells have a blank in front, and not heads */
};

/* ---- values, titles and tables ---- */

/* Values, titles and tables as gpu_tracker's text has them. */

enum { DECIMALS = 8 };

/* As Python's json.dumps writes a float: NaN, Infinity. */
static void put_real(struct smi_json *j, double v)
{
    char text[SMI_REAL_TEXT];
    smi_real_write(text, v);
    smi_json_raw(j, isnan(v) ? "NaN" : isinf(v) ? (v < 0 ? "-Infinity" : "Infinity") : text);
}

/* {"min": ...}, without the bracket that closes it. */
static void put_stats(struct smi_json *j, const double stat[SMI_SUB_STATS])
{
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_SUB_STATS; i++) {
        smi_json_key(j, smi_sub_stats[i]);
        put_real(j, stat[i]);
    }
}

/* "main_gpu_ram" as "Main Gpu Ram". */
static void put_title(struct smi_buf *to, const char *key)
{
    bool begins = true;
    for (; *key; key++) {
        smi_buf_char(to, *key == '_' ? ' ' : begins && *key >= 'a' && *key <= 'z' ? (char)(*key - 32) : *key);
        begins = *key == '_';
    }
}

static void put_tabs(struct smi_buf *to, int tabs)
{
    while (tabs-- > 0)
        smi_buf_char(to, '\t');
}

/* A value in a table: rounded to 8 decimals. */
static void write_cell(char out[SMI_REAL_TEXT], double v)
{
    smi_real_write(out, smi_real_round(v, DECIMALS));
    if (isnan(v))
        memcpy(out, "NaN", 4);
}

/* Characters, not bytes. */
static size_t text_width(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void put_blanks(struct smi_buf *to, size_t n)
{
    while (n-- > 0)
        smi_buf_char(to, ' ');
}

static size_t column_width(const struct sub_table *t, size_t column)
{
    size_t width = text_width(t->head[column]) + !t->objects, n;
    for (size_t i = 0; i < t->rows; i++) {
        n = text_width(t->cell[i * t->columns + column]) + t->objects;
        width = n > width ? n : width;
    }
    return width;
}

static void put_table_line(struct smi_buf *to, const struct sub_table *t, const char *index,
                           size_t index_width, const char *const *cell)
{
    put_tabs(to, t->tabs);
    smi_buf_str(to, index);
    put_blanks(to, index_width - text_width(index));
    for (size_t c = 0; c < t->columns; c++) {
        put_blanks(to, 1 + column_width(t, c) - text_width(cell[c]));
        smi_buf_str(to, cell[c]);
    }
    smi_buf_char(to, '\n');
}

static void put_table(struct smi_buf *to, const struct sub_table *t)
{
    size_t width = 0, n;
    for (size_t i = 0; t->index && i < t->rows; i++) {
        n = text_width(t->index[i]);
        width = n > width ? n : width;
    }
    put_table_line(to, t, "", width, t->head);
    for (size_t i = 0; i < t->rows; i++)
        put_table_line(to, t, t->index ? t->index[i] : "", width, t->cell + i * t->columns);
}

/* ---- JSON ---- */

static void put_usage(struct smi_json *j, const char *key, const double usage[SMI_SUB_METRICS][SMI_SUB_STATS])
{
    smi_json_key(j, key);
    smi_json_open(j, '{');
    for (int m = 0; m < SMI_SUB_METRICS; m++) {
        smi_json_key(j, smi_usage_columns[m].name);
        put_stats(j, usage[m]);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void put_static_data(struct smi_json *j, const struct smi_usage_cell *fixed)
{
    smi_json_key(j, "static_data");
    smi_json_open(j, '{');
    for (int k = 0; k < SMI_USAGE_STATIC; k++) {
        smi_json_key(j, smi_usage_statics[k].name);
        if (fixed[k].kind == SMI_USAGE_WORD)
            smi_json_str(j, fixed[k].word);
        else if (fixed[k].kind == SMI_USAGE_COUNT)
            smi_json_int(j, fixed[k].count);
        else if (fixed[k].kind == SMI_USAGE_REAL)
            put_real(j, fixed[k].real);
        else
            smi_json_raw(j, "NaN");
    }
    smi_json_close(j, '}');
}

static void put_block(struct smi_json *j, const struct smi_sub_block *b)
{
    smi_json_open(j, '{');
    smi_json_key_str(j, "name", b->name);
    smi_json_key_int(j, "num_timepoints", (int64_t)b->timepoints);
    smi_json_key_int(j, "num_calls", (int64_t)b->calls);
    smi_json_key_int(j, "num_non_empty_calls", (int64_t)b->full_calls);
    smi_json_key(j, "compute_time");
    put_stats(j, b->time);
    smi_json_key(j, "total");
    put_real(j, b->total);
    smi_json_close(j, '}');
    put_usage(j, "resource_usage", b->usage);
    smi_json_close(j, '}');
}

void smi_sub_json(struct smi_buf *to, const struct smi_sub_results *r)
{
    struct smi_buf line = {0};
    struct smi_json j;
    smi_json_begin(&j, &line);
    smi_json_open(&j, '{');
    put_usage(&j, "overall", r->overall);
    put_static_data(&j, r->fixed);
    smi_json_key(&j, "code_block_results");
    smi_json_open(&j, '[');
    for (size_t i = 0; i < r->n; i++)
        put_block(&j, &r->block[i]);
    smi_json_close(&j, ']');
    smi_json_close(&j, '}');
    smi_json_end_indented(to, &line);
    smi_buf_char(to, '\n');
}

/* ---- text ---- */

static void usage_table(struct smi_buf *to, int tabs, const double usage[SMI_SUB_METRICS][SMI_SUB_STATS])
{
    char text[SMI_SUB_METRICS * SMI_SUB_STATS][SMI_REAL_TEXT];
    const char *cell[SMI_SUB_METRICS * SMI_SUB_STATS], *index[SMI_SUB_METRICS];
    for (int m = 0; m < SMI_SUB_METRICS; m++) {
        index[m] = smi_usage_columns[m].name;
        for (int i = 0; i < SMI_SUB_STATS; i++) {
            write_cell(text[m * SMI_SUB_STATS + i], usage[m][i]);
            cell[m * SMI_SUB_STATS + i] = text[m * SMI_SUB_STATS + i];
        }
    }
    put_table(to,
              &(struct sub_table){tabs, SMI_SUB_STATS, SMI_SUB_METRICS, smi_sub_stats, index, cell, false});
}

static void static_table(struct smi_buf *to, const struct smi_usage_cell *fixed)
{
    char text[SMI_USAGE_STATIC][SMI_REAL_TEXT + SMI_I128_TEXT];
    const char *cell[SMI_USAGE_STATIC], *head[SMI_USAGE_STATIC];
    struct smi_buf words = {0}; /* safe ones, each with its NUL */
    size_t at[SMI_USAGE_STATIC];
    for (int k = 0; k < SMI_USAGE_STATIC; k++) {
        at[k] = words.n;
        if (fixed[k].kind == SMI_USAGE_WORD) {
            smi_buf_safe(&words, smi_text_of(fixed[k].word));
            smi_buf_add(&words, "", 1);
        }
    }
    for (int k = 0; k < SMI_USAGE_STATIC; k++) {
        head[k] = smi_usage_statics[k].name;
        cell[k] = fixed[k].kind == SMI_USAGE_WORD && !words.failed ? words.p + at[k] : text[k];
        if (fixed[k].kind == SMI_USAGE_COUNT)
            smi_i128_write(text[k], fixed[k].count);
        else if (fixed[k].kind == SMI_USAGE_REAL)
            write_cell(text[k], fixed[k].real);
        else
            memcpy(text[k], "NaN", 4);
    }
    put_table(to, &(struct sub_table){1, SMI_USAGE_STATIC, 1, head, NULL, cell, true});
    to->failed |= words.failed;
    smi_buf_fini(&words);
}

static void time_table(struct smi_buf *to, const struct smi_sub_block *b)
{
    char text[SMI_SUB_STATS + 1][SMI_REAL_TEXT];
    const char *cell[SMI_SUB_STATS + 1], *head[SMI_SUB_STATS + 1];
    for (int i = 0; i <= SMI_SUB_STATS; i++) {
        write_cell(text[i], i < SMI_SUB_STATS ? b->time[i] : b->total);
        cell[i] = text[i];
        head[i] = i < SMI_SUB_STATS ? smi_sub_stats[i] : "total";
    }
    put_table(to, &(struct sub_table){2, SMI_SUB_STATS + 1, 1, head, NULL, cell, false});
}

/* The lines of a block are as wide as its longest key. */
static void block_text(struct smi_buf *to, const struct smi_sub_block *b)
{
    smi_buf_str(to, "\tName:                ");
    smi_buf_safe(to, smi_text_of(b->name));
    smi_buf_fmt(to, "\n\tNum Timepoints:      %zu\n", b->timepoints);
    smi_buf_fmt(to, "\tNum Calls:           %zu\n\tNum Non Empty Calls: %zu\n", b->calls, b->full_calls);
    smi_buf_str(to, "\tCompute Time:\n");
    time_table(to, b);
    smi_buf_str(to, "\tResource Usage:\n");
    usage_table(to, 2, b->usage);
    smi_buf_char(to, '\n');
}

void smi_sub_text(struct smi_buf *to, const struct smi_sub_results *r)
{
    smi_buf_str(to, "Overall:\n");
    usage_table(to, 1, r->overall);
    smi_buf_str(to, "Static Data:\n");
    static_table(to, r->fixed);
    smi_buf_str(to, "Code Block Results:\n");
    for (size_t i = 0; i < r->n; i++)
        block_text(to, &r->block[i]);
}

/* ---- several sessions side by side ---- */

/* One statistic of several sessions side by side, as JSON and as text. */

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
        put_tabs(o->to, o->depth);
        if (title)
            put_title(o->to, name);
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
            put_real(o->json, v);
            continue;
        }
        write_cell(o->text[i], v);
        o->head[i] = o->shown[o->order[i]];
        o->cell[i] = o->text[i];
    }
    if (!o->json)
        put_table(o->to, &(struct sub_table){o->depth, o->c->n, 1, o->head, NULL, o->cell, false});
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
    smi_json_end_indented(to, &line);
    smi_buf_char(to, '\n');
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
