/* parameter_grid.c - the parameters of all runs side by side: common, varying, and the grid that the varying
 * ones form.
 */
#include "base/map.h"
#include "base/text.h"
#include "sweep/run_names.h"

#include <stdlib.h>
#include <string.h>

enum { AXES_MAX = 32 }; /* 2^32 runs fill no grid of more */

/* One parameter of one run. */
struct cell {
    const struct smi_param *p;
    size_t run;
    size_t value; /* the number of its value among those of the key */
};

/* All cells of one key: a stretch of the sorted cells. */
struct column {
    const struct cell *cell;
    size_t cells, values;
};

/* Numbers by size, then true and false, then texts as people sort names. */
static int compare_values(const struct smi_param *a, const struct smi_param *b)
{
    int64_t x, y;
    int d = b->bare - a->bare;
    if (!d && a->bare && !smi_text_parse_micro(smi_text_of(a->text), &x) &&
        !smi_text_parse_micro(smi_text_of(b->text), &y))
        d = (x > y) - (x < y);
    return d ? d : smi_text_compare_natural(a->text, b->text);
}

static int compare_cell_value(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;
    int d = compare_values(a->p, b->p);
    return d ? d : (a->run > b->run) - (a->run < b->run);
}

/* Few values first: the parameter that groups best stands in front. */
static int by_values(const void *x, const void *y)
{
    const struct column *a = x, *b = y;
    int d = (a->values > b->values) - (a->values < b->values);
    return d ? d : smi_text_compare_natural(a->cell->p->key, b->cell->p->key);
}

/* One key, and how many cells it has; then where the next of them stands. */
struct key {
    const char *name;
    size_t cells;
};

static bool is_key(const void *list, size_t place, const void *name)
{
    return strcmp(((const struct key *)list)[place].name, name) == 0;
}

static int by_name(const void *x, const void *y)
{
    return smi_text_compare_natural(((const struct key *)x)->name, ((const struct key *)y)->name);
}

/* All keys with their cells counted, in the order of names. Returns NULL without memory. */
static struct key *list_keys(const struct smi_sweep *s, size_t *n)
{
    struct smi_map map = {0};
    struct key *key = NULL;
    size_t cap = 0;
    int rc = smi_mem_reserve(&key, &cap, 1, sizeof *key);
    *n = 0;
    for (size_t i = 0; i < s->n && !rc; i++)
        for (size_t j = 0; j < s->runs[i].nparams && !rc; j++) {
            const char *name = s->runs[i].params[j].key;
            uint64_t hash = smi_hash_bytes(name, strlen(name));
            size_t at = smi_map_find(&map, hash, is_key, key, name);
            if (at != SMI_MAP_NONE) {
                key[at].cells++;
            } else if (smi_mem_reserve(&key, &cap, *n + 1, sizeof *key) || smi_map_add(&map, hash, *n)) {
                rc = -1;
            } else {
                key[(*n)++] = (struct key){name, 1};
            }
        }
    smi_map_fini(&map);
    if (!rc)
        smi_sort(key, *n, sizeof *key, by_name);
    else
        *n = 0, smi_mem_free(key);
    return rc ? NULL : key;
}

/* All cells, sorted by key, value and run. Returns NULL without memory. */
static struct cell *collect_cells(const struct smi_sweep *s, size_t *n)
{
    size_t keys = 0;
    struct key *key = list_keys(s, &keys);
    struct cell *cell;
    *n = 0;
    for (size_t i = 0; i < keys; i++) {
        size_t cells = key[i].cells;
        key[i].cells = *n;
        *n += cells;
    }
    cell = key ? smi_mem_new(*n, sizeof *cell) : NULL;
    for (size_t i = 0; cell && i < s->n; i++)
        for (size_t j = 0; j < s->runs[i].nparams; j++) {
            const struct smi_param *p = &s->runs[i].params[j];
            struct key *k = bsearch(&(struct key){p->key, 0}, key, keys, sizeof *key, by_name);
            cell[k->cells++] = (struct cell){p, i, 0};
        }
    for (size_t i = 0, from = 0; cell && i < keys; from = key[i++].cells)
        smi_sort(cell + from, key[i].cells - from, sizeof *cell, compare_cell_value);
    smi_mem_free(key);
    return cell;
}

/* Cuts the cells into columns and numbers the values of each. Returns how many columns there are. */
static size_t group_cells(struct cell *cell, size_t n, struct column *column)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        bool same_key = i && strcmp(cell[i].p->key, cell[i - 1].p->key) == 0;
        if (!same_key)
            column[columns++] = (struct column){&cell[i], 0, 1};
        else if (strcmp(cell[i].p->text, cell[i - 1].p->text) != 0)
            column[columns - 1].values++;
        column[columns - 1].cells++;
        cell[i].value = column[columns - 1].values - 1;
    }
    return columns;
}

/* Runs of which nothing is known tell nothing about a parameter. */
static size_t count_telling_runs(const struct smi_sweep *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->runs[i].nparams || s->runs[i].state != SMI_STATE_NO_DATA;
    return n;
}

/* Common parameters by name; the columns of the varying ones move to the front, sorted. */
static int split_common_and_varying(struct smi_sweep *s, struct column *column, size_t n)
{
    struct smi_param *common = smi_arena_new(&s->arena, n + 1, sizeof *common);
    const char **varying = smi_arena_new(&s->arena, n + 1, sizeof *varying);
    size_t telling = count_telling_runs(s);
    if (!common || !varying)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (column[i].values == 1 && column[i].cells >= telling) {
            struct smi_param *c = &common[s->ncommon++];
            *c = *column[i].cell->p;
        } else {
            column[s->nvarying++] = column[i];
        }
    smi_sort(column, s->nvarying, sizeof *column, by_values);
    for (size_t i = 0; i < s->nvarying; i++)
        varying[i] = column[i].cell->p->key;
    s->common = common;
    s->varying = varying;
    return 0;
}

/* A number for each run, as run_id is: it spans no grid. */
static bool is_run_name(const struct smi_sweep *s, const struct column *c)
{
    return s->nvarying > 1 && c->values == s->n;
}

static void values_by_run(const struct column *c, size_t *value)
{
    for (size_t i = 0; i < c->cells; i++)
        value[c->cell[i].run] = c->cell[i].value;
}

/* Does the value of one tell that of the other, as model=7b tells layers=32? of: room for a value of each of
 * by's. */
static bool determines_other(const struct smi_sweep *s, const size_t *by, size_t values, const size_t *other,
                             size_t *of)
{
    for (size_t i = 0; i < values; i++)
        of[i] = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        if (of[by[i]] != SIZE_MAX && of[by[i]] != other[i])
            return false;
        of[by[i]] = other[i];
    }
    return true;
}

/* Drops the axes that another one tells: the one with more values stays, of equals the first. */
static size_t drop_told(const struct smi_sweep *s, struct column *axis, size_t n, size_t *value, size_t *of)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        values_by_run(&axis[i], value + i * s->n);
    for (size_t i = 0; i < n; i++) {
        bool told = false;
        for (size_t k = 0; k < n && !told; k++)
            told = k != i &&
                   (axis[k].values > axis[i].values || (axis[k].values == axis[i].values && k < i)) &&
                   determines_other(s, value + k * s->n, axis[k].values, value + i * s->n, of);
        if (!told)
            of[s->n + kept++] = i;
    }
    for (size_t i = 0; i < kept; i++)
        axis[i] = axis[of[s->n + i]];
    return kept;
}

/* The columns that may span a grid, in axis: those that are in every run and say something of their own.
 * Returns 0, or -1 without memory; *n is 0 where there is no grid. */
static int choose_axes(const struct smi_sweep *s, const struct column *column, struct column *axis, size_t *n)
{
    size_t *value;
    *n = 0;
    for (size_t i = 0; i < s->nvarying; i++) {
        if (is_run_name(s, &column[i]))
            continue;
        if (column[i].cells != s->n || *n == AXES_MAX) {
            *n = 0;
            return 0;
        }
        axis[(*n)++] = column[i];
    }
    if (*n < 2)
        return 0;
    value = smi_mem_new((*n + 1) * s->n + *n, sizeof *value);
    if (!value)
        return -1;
    *n = drop_told(s, axis, *n, value, value + *n * s->n);
    smi_mem_free(value);
    return 0;
}

/* How many places the grid has; 0 if the runs cannot fill 90 % of them. */
static size_t count_grid_places(const struct smi_sweep *s, const struct column *axis)
{
    size_t product = 1;
    for (size_t i = 0; i < s->naxes; i++) {
        if (__builtin_mul_overflow(product, axis[i].values, &product))
            return 0;
        if (product / 10 * 9 > s->n)
            return 0;
    }
    return product;
}

static int add_hole(struct smi_sweep *s, const struct column *axis, size_t place, struct smi_param **list)
{
    struct smi_param *hole = smi_arena_new(&s->arena, s->naxes, sizeof *hole);
    if (!hole)
        return -1;
    for (size_t i = s->naxes; i-- > 0; place /= axis[i].values) {
        const struct cell *c = axis[i].cell;
        while (c->value != place % axis[i].values)
            c++;
        hole[i] = *c->p;
    }
    list[s->nmissing++] = hole;
    return 0;
}

/* run_place[r]: the place of run r, the first axis counting most. */
static int find_holes(struct smi_sweep *s, const struct column *axis, size_t size, bool *taken)
{
    size_t *at = smi_mem_new(s->n, sizeof *at), filled = 0;
    struct smi_param **list = NULL;
    int rc = at ? 0 : -1;
    for (size_t i = 0; i < s->naxes && !rc; i++) {
        for (size_t k = 0; k < s->n; k++)
            at[k] *= axis[i].values;
        for (size_t k = 0; k < axis[i].cells; k++)
            at[axis[i].cell[k].run] += axis[i].cell[k].value;
    }
    for (size_t i = 0; i < s->n && !rc; i++) {
        if (at[i] >= size) /* some run gives a parameter twice */
            break;
        filled += !taken[at[i]];
        taken[at[i]] = true;
    }
    s->grid = !rc && (size - filled) * 10 <= size && (s->naxes > 1 || filled < s->n);
    if (s->grid && !(list = smi_arena_new(&s->arena, size - filled + 1, sizeof *list)))
        rc = -1;
    for (size_t i = 0; i < size && s->grid && !rc; i++)
        if (!taken[i])
            rc = add_hole(s, axis, i, list);
    s->missing = list;
    smi_mem_free(at);
    return rc;
}

static int find_grid(struct smi_sweep *s, const struct column *column)
{
    struct column axis[AXES_MAX];
    const char **name;
    size_t size;
    bool *taken;
    int rc;
    if (choose_axes(s, column, axis, &s->naxes))
        return -1;
    s->axis = name = smi_arena_new(&s->arena, s->naxes + 1, sizeof *name);
    if (!name)
        return -1;
    for (size_t i = 0; i < s->naxes; i++)
        name[i] = axis[i].cell->p->key;
    size = s->naxes ? count_grid_places(s, axis) : 0;
    if (!size)
        return 0;
    taken = smi_mem_new(size, sizeof *taken);
    rc = taken ? find_holes(s, axis, size, taken) : -1;
    smi_mem_free(taken);
    return rc;
}

int smi_sweep_params(struct smi_sweep *s, struct smi_err *err)
{
    size_t cells, columns;
    struct cell *cell = collect_cells(s, &cells);
    struct column *column = smi_mem_new(cells, sizeof *column);
    int rc = cell && column ? 0 : -1;
    columns = rc ? 0 : group_cells(cell, cells, column);
    rc = rc ? rc : split_common_and_varying(s, column, columns);
    rc = rc ? rc : find_grid(s, column);
    rc = rc ? rc : smi_sweep_frame_names(s);
    smi_mem_free(column);
    smi_mem_free(cell);
    return rc ? smi_err_nomem(err) : 0;
}

/* ---- fewer runs ---- */

static int move_runs(struct smi_sweep *s, const size_t *order, size_t n, bool *kept)
{
    struct smi_summary *runs = smi_mem_new(n + 1, sizeof *runs);
    char **text = s->text ? smi_mem_new(n + 1, sizeof *text) : NULL;
    if (!runs || (s->text && !text)) {
        smi_mem_free(runs);
        smi_mem_free(text);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        kept[order[i]] = true;
        runs[i] = s->runs[order[i]];
        if (text)
            text[i] = s->text[order[i]];
    }
    for (size_t i = 0; i < s->n; i++)
        if (!kept[i]) {
            smi_summary_fini(&s->runs[i]);
            if (text)
                smi_mem_free(s->text[i]);
        }
    smi_mem_free(s->runs);
    smi_mem_free(s->text);
    s->runs = runs;
    s->text = text;
    s->all = s->all ? s->all : s->n;
    s->n = n;
    return 0;
}

int smi_sweep_select(struct smi_sweep *s, const size_t *order, size_t n, struct smi_err *err)
{
    bool *kept = smi_mem_new(s->n + 1, sizeof *kept);
    int rc = kept ? move_runs(s, order, n, kept) : -1;
    smi_mem_free(kept);
    if (rc)
        return smi_err_nomem(err);
    s->ncommon = s->nvarying = s->naxes = s->nmissing = 0;
    s->grid = false;
    s->total = (struct smi_total){0};
    for (size_t i = 0; i < s->n; i++)
        smi_total_add(&s->total, &s->runs[i]);
    smi_total_close(&s->total);
    return smi_sweep_params(s, err);
}
