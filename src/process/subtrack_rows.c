/* subtrack_rows.c - a sub-tracking file to rows, and rows to a sub-tracking file.
 *
 *     process_id,code_block_name,position,timestamp
 *     1723811,train.py:12,0,1745449609.7528222
 *     1723811,train.py:12,1,1745449613.5325918 */
#include "process/subtrack_private.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PID, NAME, POSITION, TIME, COLUMNS };

static const char *const columns[COLUMNS] = {"process_id", "code_block_name", "position", "timestamp"};
static const char kind[] = "sub-tracking file";

struct reader {
    struct smi_sub_source source; /* first */
    struct smi_sub_rows *rows;
    size_t place[COLUMNS], width; /* of each column among the cells; width 0: no header yet */
};

/* Where a name stands, or would have to. */
static size_t find_name(const struct smi_sub_rows *r, struct smi_text t, bool *there)
{
    size_t low = 0, high = r->names;
    *there = false;
    while (low < high) {
        size_t mid = low + (high - low) / 2, n = strlen(r->name[mid]);
        int c = memcmp(r->name[mid], t.p, n < t.n ? n : t.n);
        c = c ? c : n < t.n ? -1 : n > t.n;
        if (c == 0) {
            *there = true;
            return mid;
        }
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The name, kept once; NULL without memory. */
static const char *keep_name(struct smi_sub_rows *r, struct smi_text t)
{
    bool there;
    size_t at = find_name(r, t, &there);
    const char *copy;
    if (there)
        return r->name[at];
    if (smi_mem_reserve(&r->name, &r->names_cap, r->names + 1, sizeof *r->name) ||
        !(copy = smi_arena_text(&r->arena, t.p, t.n)))
        return NULL;
    memmove(&r->name[at + 1], &r->name[at], (r->names - at) * sizeof *r->name);
    r->name[at] = copy;
    r->names++;
    return copy;
}

static int append_row(struct reader *r, struct smi_sub_row row, struct smi_text name, struct smi_err *err)
{
    struct smi_sub_rows *to = r->rows;
    row.name = keep_name(to, name);
    if (!row.name || smi_mem_reserve(&to->row, &to->cap, to->n + 1, sizeof *to->row))
        return smi_err_nomem(err);
    to->row[to->n++] = row;
    return 0;
}

/* Why it is no row; NULL: it is one. */
static const char *parse_row(struct smi_text pid, struct smi_text name, struct smi_text position,
                             struct smi_text time, struct smi_sub_row *row)
{
    smi_i128 v;
    if (smi_i128_parse(pid.p, pid.n, &v) || v < INT64_MIN || v > INT64_MAX)
        return "process_id is no whole number";
    row->pid = (int64_t)v;
    if (!name.n || memchr(name.p, 0, name.n))
        return "code_block_name is empty";
    if (!smi_text_is(position, "0") && !smi_text_is(position, "1"))
        return "position is neither 0 nor 1";
    row->position = *position.p == '1';
    return smi_real_parse(time, &row->t) ? "timestamp is no number" : NULL;
}

static bool find_columns(struct reader *r, const struct smi_text *cell, size_t n)
{
    for (int k = 0; k < COLUMNS; k++) {
        size_t i = 0;
        while (i < n && !smi_text_is(cell[i], columns[k]))
            i++;
        if (i == n)
            return false;
        r->place[k] = i;
    }
    r->width = n;
    return true;
}

static int read_row(void *self, const struct smi_text *cell, size_t n, size_t number, struct smi_err *err)
{
    struct reader *r = self;
    struct smi_sub_row row = {0};
    const char *why = "another number of cells than the first line has";
    if (!r->width)
        return find_columns(r, cell, n)
                   ? 0
                   : smi_err_set(err, SMI_EFORMAT,
                                 "%.*s: is no %s: its first line has to name process_id, code_block_name, "
                                 "position and timestamp",
                                 SMI_SUB_SHOWN, r->source.path, kind);
    if (n == r->width && smi_text_is(cell[r->place[PID]], columns[PID])) /* files put behind each other */
        return 0;
    if (n == r->width)
        why = parse_row(cell[r->place[PID]], cell[r->place[NAME]], cell[r->place[POSITION]],
                        cell[r->place[TIME]], &row);
    return why ? smi_sub_skip_row(&r->source, number, why, err)
               : append_row(r, row, cell[r->place[NAME]], err);
}

int smi_sub_rows_read(struct smi_sub_rows *to, const char *path, struct smi_sub_warnings *notes,
                      struct smi_err *err)
{
    static const char *const tables[] = {"data"};
    struct reader r = {.source = {.path = path, .notes = notes}, .rows = to};
    int rc = smi_sub_read(&r.source, kind, tables, 1, read_row, &r, err);
    if (rc == 0 && !r.width)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it is empty", SMI_SUB_SHOWN, path, kind);
    return rc;
}

void smi_sub_rows_fini(struct smi_sub_rows *r)
{
    smi_mem_free(r->row);
    smi_mem_free(r->name);
    smi_arena_fini(&r->arena);
    *r = (struct smi_sub_rows){0};
}
