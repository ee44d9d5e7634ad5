/* subtrack_tracking.c - a tracking file: what never changes, and a row an instant. See formats/gpu_tracker.c
 * for how it looks. */
#include "process/subtrack_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char kind[] = "tracking file";

enum { TIME = SMI_USAGE_COLUMNS - 1 };

struct reader {
    struct smi_sub_source source; /* first */
    struct smi_sub_track *track;
    enum { NAMES, VALUES, HEADER, ROWS } next;
    size_t fixed[SMI_USAGE_STATIC], fixed_width;
    size_t place[SMI_USAGE_COLUMNS], width;
};

/* Finds the places of n columns among the cells. Returns the name of one that is missing, or NULL. */
static const char *find_columns(const struct smi_usage_column *column, size_t n, const struct smi_text *cell,
                                size_t cells, size_t *place)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < cells && !smi_text_is(cell[i], column[k].name))
            i++;
        if (i == cells)
            return column[k].name;
        place[k] = i;
    }
    return NULL;
}

static int missing_column(const struct reader *r, const char *name, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it has no column %s", SMI_SUB_SHOWN, r->source.path,
                       kind, name);
}

static bool is_missing(struct smi_text t)
{
    return !t.n || smi_text_is_nan(t) || smi_text_is_nocase(t, "null") || smi_text_is_nocase(t, "none");
}

/* A value that never changes, as what it is written. Returns 0, or -1 without memory. */
static int read_static_cell(struct smi_sub_track *t, struct smi_text cell, struct smi_usage_cell *to)
{
    smi_i128 whole;
    *to = (struct smi_usage_cell){.kind = SMI_USAGE_NONE};
    if (is_missing(cell))
        return 0;
    if (smi_i128_parse(cell.p, cell.n, &whole) == 0 && whole >= INT64_MIN && whole <= INT64_MAX) {
        to->kind = SMI_USAGE_COUNT;
        to->count = (int64_t)whole;
    } else if (smi_real_parse(cell, &to->real) == 0) {
        to->kind = SMI_USAGE_REAL;
    } else {
        to->kind = SMI_USAGE_WORD;
        to->word = smi_arena_text(&t->arena, cell.p, cell.n);
    }
    return to->kind == SMI_USAGE_WORD && !to->word ? -1 : 0;
}

static int read_values(struct reader *r, const struct smi_text *cell, size_t n, struct smi_err *err)
{
    if (n != r->fixed_width)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.*s: is no %s: its second row has not as many cells as the first", SMI_SUB_SHOWN,
                           r->source.path, kind);
    for (int k = 0; k < SMI_USAGE_STATIC; k++)
        if (read_static_cell(r->track, cell[r->fixed[k]], &r->track->fixed[k]))
            return smi_err_nomem(err);
    return 0;
}

static int read_reading(struct reader *r, const struct smi_text *cell, size_t n, size_t number,
                        struct smi_err *err)
{
    double *v;
    char why[128];
    if (smi_mem_reserve(&r->track->row, &r->track->cap, r->track->n + 1, sizeof *r->track->row))
        return smi_err_nomem(err);
    v = r->track->row[r->track->n];
    if (n != r->width)
        return smi_sub_skip_row(&r->source, number, "another number of cells than the header has", err);
    for (int k = 0; k < SMI_USAGE_COLUMNS; k++) {
        struct smi_text c = cell[r->place[k]];
        v[k] = (double)NAN;
        if (is_missing(c) || smi_real_parse(c, &v[k]) == 0)
            continue;
        snprintf(why, sizeof why, "%s is no number%s", smi_usage_columns[k].name,
                 k == TIME ? "" : ": taken as missing");
        if (smi_sub_skip_row(&r->source, number, why, err))
            return -1;
        if (k == TIME)
            return 0;
    }
    if (isnan(v[TIME]))
        return smi_sub_skip_row(&r->source, number, "it has no timestamp", err);
    r->track->n++;
    return 0;
}

static int read_row(void *self, const struct smi_text *cell, size_t n, size_t number, struct smi_err *err)
{
    struct reader *r = self;
    const char *missing = NULL;
    if (r->next == ROWS)
        return read_reading(r, cell, n, number, err);
    if (r->next == VALUES && read_values(r, cell, n, err))
        return -1;
    if (r->next == NAMES) {
        missing = find_columns(smi_usage_statics, SMI_USAGE_STATIC, cell, n, r->fixed);
        r->fixed_width = n;
    } else if (r->next == HEADER) {
        missing = find_columns(smi_usage_columns, SMI_USAGE_COLUMNS, cell, n, r->place);
        r->width = n;
    }
    r->next++;
    return missing ? missing_column(r, missing, err) : 0;
}

int smi_sub_track_read(struct smi_sub_track *t, const char *path, struct smi_sub_warnings *notes,
                       struct smi_err *err)
{
    static const char *const tables[] = {"static_data", "data"};
    struct reader r = {.source = {.path = path, .notes = notes}, .track = t};
    int rc = smi_sub_read(&r.source, kind, tables, 2, read_row, &r, err);
    if (rc == 0 && r.next != ROWS)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it ends before its rows begin", SMI_SUB_SHOWN,
                         path, kind);
    return rc;
}

void smi_sub_track_fini(struct smi_sub_track *t)
{
    smi_mem_free(t->row);
    smi_arena_fini(&t->arena);
    *t = (struct smi_sub_track){0};
}
