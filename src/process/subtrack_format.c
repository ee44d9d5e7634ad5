/* subtrack_format.c - what came of one session, as JSON and as text. */
#include "process/subtrack_private.h"

#include <stdio.h>

/* ---- JSON ---- */

static void put_usage(struct smi_json *j, const char *key, const double usage[SMI_SUB_METRICS][SMI_SUB_STATS])
{
    smi_json_key(j, key);
    smi_json_open(j, '{');
    for (int m = 0; m < SMI_SUB_METRICS; m++) {
        smi_json_key(j, smi_usage_columns[m].name);
        smi_sub_put_stats(j, usage[m]);
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
            smi_sub_put_real(j, fixed[k].real);
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
    smi_sub_put_stats(j, b->time);
    smi_json_key(j, "total");
    smi_sub_put_real(j, b->total);
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
    if (!line.failed)
        smi_json_indent(to, (struct smi_text){line.p, line.n});
    smi_buf_char(to, '\n');
    to->failed |= line.failed;
    smi_buf_fini(&line);
}

/* ---- text ---- */

static void usage_table(struct smi_buf *to, int tabs, const double usage[SMI_SUB_METRICS][SMI_SUB_STATS])
{
    char text[SMI_SUB_METRICS * SMI_SUB_STATS][SMI_REAL_TEXT];
    const char *cell[SMI_SUB_METRICS * SMI_SUB_STATS], *index[SMI_SUB_METRICS];
    for (int m = 0; m < SMI_SUB_METRICS; m++) {
        index[m] = smi_usage_columns[m].name;
        for (int i = 0; i < SMI_SUB_STATS; i++) {
            smi_sub_cell(text[m * SMI_SUB_STATS + i], usage[m][i]);
            cell[m * SMI_SUB_STATS + i] = text[m * SMI_SUB_STATS + i];
        }
    }
    smi_sub_put_table(
        to, &(struct smi_sub_table){tabs, SMI_SUB_STATS, SMI_SUB_METRICS, smi_sub_stats, index, cell, false});
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
            smi_sub_cell(text[k], fixed[k].real);
        else
            memcpy(text[k], "NaN", 4);
    }
    smi_sub_put_table(to, &(struct smi_sub_table){1, SMI_USAGE_STATIC, 1, head, NULL, cell, true});
    to->failed |= words.failed;
    smi_buf_fini(&words);
}

static void time_table(struct smi_buf *to, const struct smi_sub_block *b)
{
    char text[SMI_SUB_STATS + 1][SMI_REAL_TEXT];
    const char *cell[SMI_SUB_STATS + 1], *head[SMI_SUB_STATS + 1];
    for (int i = 0; i <= SMI_SUB_STATS; i++) {
        smi_sub_cell(text[i], i < SMI_SUB_STATS ? b->time[i] : b->total);
        cell[i] = text[i];
        head[i] = i < SMI_SUB_STATS ? smi_sub_stats[i] : "total";
    }
    smi_sub_put_table(to, &(struct smi_sub_table){2, SMI_SUB_STATS + 1, 1, head, NULL, cell, false});
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
