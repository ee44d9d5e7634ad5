/* query_result.c - the rows of an answer, each value as it is printed. */
#include "query/query_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char zeros[] = "000000000000000000000000";

/* No two columns of the same name: they are keys in JSON. */
static const char *unique_result_name(struct smi_result *r, const char *name, size_t before)
{
    struct smi_buf b = {0};
    smi_buf_str(&b, name);
    for (size_t i = 0, n = 2; i < before && !b.failed; i++)
        if (strcmp(r->name[i], b.p ? b.p : "") == 0) {
            smi_buf_clear(&b);
            smi_buf_fmt(&b, "%s_%zu", name, n++);
            i = SIZE_MAX; /* from the first again */
        }
    return smi_buf_keep(&b, &r->arena);
}

static int read_result_names(struct smi_result *r, sqlite3_stmt *st)
{
    r->columns = (size_t)sqlite3_column_count(st);
    r->name = smi_arena_new(&r->arena, r->columns, sizeof *r->name);
    for (size_t i = 0; r->name && i < r->columns; i++) {
        const char *name = sqlite3_column_name(st, (int)i);
        if (!name || !(r->name[i] = unique_result_name(r, name, i)))
            return -1;
    }
    return r->name ? 0 : -1;
}

/* "0.00000333333333333333": 15 digits without an exponent. Returns the length. */
static size_t plain_text(char *to, double v)
{
    char e[40];
    const char *sign = v < 0 ? "-" : "";
    int power, digits = 15;
    sqlite3_snprintf(sizeof e, e, "%.14e", fabs(v)); /* d.dddddddddddddde-06 */
    power = (int)strtol(strchr(e, 'e') + 1, NULL, 10);
    memmove(e + 1, e + 2, 14);
    while (digits > 1 && e[digits - 1] == '0')
        digits--;
    if (power < 0)
        sqlite3_snprintf(SMI_MICRO_TEXT, to, "%s0.%.*s%.*s", sign, -power - 1, zeros, digits, e);
    else
        sqlite3_snprintf(SMI_MICRO_TEXT, to, "%s%.*s%.*s.0", sign, digits, e, power + 1 - digits, zeros);
    return strlen(to);
}

size_t smi_real_text(char *to, double v)
{
    double whole = trunc(v), micro = nearbyint((v - whole) * 1e6);
    if (!isfinite(v)) /* no JSON has it */
        return 0;
    if (fabs(v) < 1e18 && (fabs(v) >= 1e-3 || fabs(micro / 1e6 - v) <= fabs(v) * 1e-15))
        return smi_text_write_micro(to, (smi_i128)whole * 1000000 + (smi_i128)micro);
    if (fabs(v) >= 1e-20 && fabs(v) < 1e21)
        return plain_text(to, v);
    sqlite3_snprintf(SMI_MICRO_TEXT, to, "%.15g", v);
    return strlen(to);
}

static const char *blob_text(struct smi_result *r, const unsigned char *p, int n)
{
    static const char hex[] = "0123456789abcdef";
    char *t = smi_arena_new(&r->arena, (size_t)n * 2 + 1, 1);
    for (int i = 0; t && i < n; i++) {
        t[2 * i] = hex[p[i] >> 4];
        t[2 * i + 1] = hex[p[i] & 15];
    }
    return t;
}

static int read_result_value(struct smi_result *r, const struct smi_db *d, sqlite3_stmt *st, int i,
                             struct smi_value_text *v)
{
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    const char *type = sqlite3_column_decltype(st, i), *written = NULL;
    size_t n;
    switch (sqlite3_column_type(st, i)) {
    case SQLITE_NULL:
        return 0;
    case SQLITE_INTEGER:
        v->kind = type && strcmp(type, "BOOLEAN") == 0 ? SMI_CELL_BOOL : SMI_CELL_NUMBER;
        if (v->kind == SMI_CELL_BOOL)
            v->text = sqlite3_column_int(st, i) ? "true" : "false";
        else
            v->text = smi_arena_text(&r->arena, t, smi_i128_write(t, sqlite3_column_int64(st, i)));
        break;
    case SQLITE_FLOAT:
        n = smi_real_text(t, sqlite3_column_double(st, i));
        if (!n)
            return 0;
        if (type && strcmp(type, SMI_DB_AS_WRITTEN) == 0)
            written = smi_db_as_written(d, sqlite3_column_double(st, i));
        v->kind = SMI_CELL_NUMBER;
        v->text = smi_arena_text(&r->arena, written ? written : t, written ? strlen(written) : n);
        break;
    case SQLITE_BLOB:
        v->kind = SMI_CELL_TEXT;
        v->text = blob_text(r, sqlite3_column_blob(st, i), sqlite3_column_bytes(st, i));
        break;
    default:
        v->kind = SMI_CELL_TEXT;
        v->text = (const char *)sqlite3_column_text(st, i);
        v->text = v->text ? smi_arena_text(&r->arena, v->text, strlen(v->text)) : NULL;
    }
    return v->text ? 0 : -1;
}

int smi_result_read(struct smi_result *r, struct smi_db *d, const char *opt, sqlite3_stmt *st,
                    struct smi_err *err)
{
    int rc, bad = read_result_names(r, st);
    r->made = true;
    while (!bad && (rc = smi_db_step(d, opt, st, err)) != 0) {
        if (rc < 0)
            return -1;
        bad = smi_mem_reserve(&r->cell, &r->cap, (r->n + 1) * r->columns, sizeof *r->cell);
        for (size_t i = 0; i < r->columns && !bad; i++)
            bad = read_result_value(r, d, st, (int)i, &r->cell[r->n * r->columns + i]);
        r->n += !bad;
    }
    return bad ? smi_err_nomem(err) : 0;
}

void smi_result_fini(struct smi_result *r)
{
    smi_mem_free(r->cell);
    smi_arena_fini(&r->arena);
    *r = (struct smi_result){0};
}
