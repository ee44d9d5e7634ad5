/* grid.c - the parameters of all runs side by side: common, varying, and the grid that the varying ones form.
 */
#include "base/text.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

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

/* Numbers by size, then texts as people sort names. */
static int compare_values(const struct smi_param *a, const struct smi_param *b)
{
    int64_t x, y;
    int d = b->number - a->number;
    if (!d && a->number && !smi_text_micro(smi_text_of(a->text), &x) &&
        !smi_text_micro(smi_text_of(b->text), &y))
        d = (x > y) - (x < y);
    if (!d)
        d = smi_text_order(a->text, b->text);
    return d ? d : strcmp(a->text, b->text);
}

static int by_key(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;
    int d = strcmp(a->p->key, b->p->key);
    if (!d)
        d = compare_values(a->p, b->p);
    return d ? d : (a->run > b->run) - (a->run < b->run);
}

/* Few values first: the parameter that groups best stands in front. */
static int by_values(const void *x, const void *y)
{
    const struct column *a = x, *b = y;
    int d = (a->values > b->values) - (a->values < b->values);
    return d ? d : strcmp(a->cell->p->key, b->cell->p->key);
}

/* All cells, sorted by key, value and run. Returns NULL without memory. */
static struct cell *collect(const struct smi_sweep *s, size_t *n)
{
    size_t all = 0;
    struct cell *cell;
    for (size_t i = 0; i < s->n; i++)
        all += s->runs[i].nparams;
    cell = smi_mem_new(all, sizeof *cell);
    for (size_t i = 0, k = 0; cell && i < s->n; i++)
        for (size_t j = 0; j < s->runs[i].nparams; j++)
            cell[k++] = (struct cell){&s->runs[i].params[j], i, 0};
    if (cell && all)
        qsort(cell, all, sizeof *cell, by_key);
    *n = all;
    return cell;
}

/* Cuts the cells into columns and numbers the values of each. Returns how many columns there are. */
static size_t cut(struct cell *cell, size_t n, struct column *column)
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

static bool is_common(const struct smi_sweep *s, const struct column *c)
{
    return c->values == 1 && c->cells == s->n;
}

/* Common parameters by name; the columns of the varying ones move to the front, sorted. */
static int part(struct smi_sweep *s, struct column *column, size_t n)
{
    struct smi_param *common = smi_arena_new(&s->arena, n + 1, sizeof *common);
    const char **varying = smi_arena_new(&s->arena, n + 1, sizeof *varying);
    if (!common || !varying)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (is_common(s, &column[i])) {
            struct smi_param *c = &common[s->ncommon++];
            *c = *column[i].cell->p;
        } else {
            column[s->nvarying++] = column[i];
        }
    if (s->nvarying)
        qsort(column, s->nvarying, sizeof *column, by_values);
    for (size_t i = 0; i < s->nvarying; i++)
        varying[i] = column[i].cell->p->key;
    s->common = common;
    s->varying = varying;
    return 0;
}

/* How many places the grid has; 0 if the runs cannot fill 90 % of them, or some parameter is not in every
 * run. */
static size_t places(const struct smi_sweep *s, const struct column *column)
{
    size_t product = 1;
    for (size_t i = 0; i < s->nvarying; i++) {
        if (column[i].cells != s->n || __builtin_mul_overflow(product, column[i].values, &product))
            return 0;
        if (product / 10 * 9 > s->n)
            return 0;
    }
    return product;
}

static int add_hole(struct smi_sweep *s, const struct column *column, size_t place, struct smi_param **list)
{
    struct smi_param *hole = smi_arena_new(&s->arena, s->nvarying, sizeof *hole);
    if (!hole)
        return -1;
    for (size_t i = s->nvarying; i-- > 0; place /= column[i].values) {
        const struct cell *c = column[i].cell;
        while (c->value != place % column[i].values)
            c++;
        hole[i] = *c->p;
    }
    list[s->nmissing++] = hole;
    return 0;
}

/* run_place[r]: the place of run r, the first varying parameter counting most. */
static int find_holes(struct smi_sweep *s, const struct column *column, size_t size, bool *taken)
{
    size_t *at = smi_mem_new(s->n, sizeof *at), filled = 0;
    struct smi_param **list = NULL;
    int rc = at ? 0 : -1;
    for (size_t i = 0; i < s->nvarying && !rc; i++) {
        for (size_t k = 0; k < s->n; k++)
            at[k] *= column[i].values;
        for (size_t k = 0; k < column[i].cells; k++)
            at[column[i].cell[k].run] += column[i].cell[k].value;
    }
    for (size_t i = 0; i < s->n && !rc; i++) {
        if (at[i] >= size) /* some run gives a parameter twice */
            break;
        filled += !taken[at[i]];
        taken[at[i]] = true;
    }
    s->grid = !rc && (size - filled) * 10 <= size && (s->nvarying > 1 || filled < s->n);
    if (s->grid && !(list = smi_arena_new(&s->arena, size - filled + 1, sizeof *list)))
        rc = -1;
    for (size_t i = 0; i < size && s->grid && !rc; i++)
        if (!taken[i])
            rc = add_hole(s, column, i, list);
    s->missing = list;
    smi_mem_free(at);
    return rc;
}

int smi_sweep_params(struct smi_sweep *s, struct smi_err *err)
{
    size_t cells, columns, size;
    struct cell *cell = collect(s, &cells);
    struct column *column = smi_mem_new(cells, sizeof *column);
    bool *taken = NULL;
    int rc = cell && column ? 0 : -1;
    columns = rc ? 0 : cut(cell, cells, column);
    rc = rc ? rc : part(s, column, columns);
    size = rc || !s->nvarying ? 0 : places(s, column);
    if (size) {
        taken = smi_mem_new(size, sizeof *taken);
        rc = taken ? find_holes(s, column, size, taken) : -1;
    }
    smi_mem_free(taken);
    smi_mem_free(column);
    smi_mem_free(cell);
    return rc ? smi_err_nomem(err) : 0;
}
