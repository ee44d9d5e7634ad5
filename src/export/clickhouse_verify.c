/* clickhouse_verify.c - samples against the sums that were noted when they were sent. */
#include "base/json_load.h"
#include "base/mem.h"
#include "export/clickhouse_fetch.h"
#include "export/clickhouse_store.h"

#include <stdio.h>

/* What a shard has, or should have, of the readings of one metric in one input of a run. */
struct reading {
    uint64_t run;
    const char *input;
    int metric; /* -1: rows */
    uint64_t count;
    smi_i128 sum;
    const char *name; /* of the run, where it is what should be */
};

struct list {
    struct reading *r;
    size_t n, cap;
    struct smi_arena arena;
};

static int append_input_sums(struct list *l, struct reading r, struct smi_err *err)
{
    if (smi_mem_reserve(&l->r, &l->cap, l->n + 1, sizeof *l->r))
        return smi_err_nomem(err);
    l->r[l->n++] = r;
    return r.input ? 0 : smi_err_nomem(err);
}

static int compare_sums(const void *x, const void *y)
{
    const struct reading *a = x, *b = y;
    int d = (a->run > b->run) - (a->run < b->run);
    d = d ? d : strcmp(a->input, b->input);
    return d ? d : a->metric - b->metric;
}

/* ---- what should be there ---- */

/* A whole number of any size. */
static bool is_wide(const json_t *v, smi_i128 *n)
{
    char digits[SMI_JSON_DIGITS];
    struct smi_text t;
    if (!smi_json_big_number(v, &t))
        t = json_is_number(v) ? (struct smi_text){digits, smi_json_digits(v, digits)}
                              : (struct smi_text){NULL, 0};
    return t.n && smi_i128_parse(t.p, t.n, n) == 0;
}

static int add_input(struct list *l, uint64_t run, const char *name, const char *input, const json_t *sums,
                     struct smi_err *err)
{
    const char *key;
    json_t *v;
    const char *path = smi_arena_text(&l->arena, input, strlen(input));
    json_object_foreach ((json_t *)sums, key, v) {
        struct reading r = {
            .run = run, .name = name, .input = path, .metric = smi_ch_metric_of(smi_text_of(key))};
        if (strcmp(key, "rows") == 0) {
            r.metric = -1;
            r.count = (uint64_t)json_integer_value(v);
        } else if (r.metric < 0 || !is_wide(json_array_get(v, 1), &r.sum)) {
            return smi_err_set(err, SMI_EFORMAT, "the sums of run %.200s cannot be read", name);
        } else {
            r.count = (uint64_t)json_integer_value(json_array_get(v, 0));
        }
        if (append_input_sums(l, r, err))
            return -1;
    }
    return 0;
}

static int add_run(struct list *l, uint64_t run, struct smi_text name, struct smi_text sums,
                   struct smi_buf *room, struct smi_err *err)
{
    json_t *object = NULL, *input;
    json_error_t why;
    const char *path, *text = smi_arena_text(&l->arena, name.p, name.n);
    size_t lost;
    int rc = text ? smi_json_load(sums, room, &object, &lost, &why, err) : smi_err_nomem(err);
    if (!rc && !object)
        rc = smi_err_set(err, SMI_EFORMAT, "the sums of run %.200s cannot be read", text);
    if (!rc)
        json_object_foreach (object, path, input) {
            rc = add_input(l, run, text, path, input, err);
            if (rc)
                break;
        }
    json_decref(object);
    return rc;
}

static int read_noted_sums(struct list *l, struct smi_ch_shard *s, uint64_t *runs, struct smi_buf *said,
                           struct smi_err *err)
{
    struct smi_buf sql = {0}, room = {0};
    struct smi_ch_rows r;
    int rc;
    smi_buf_fmt(&sql,
                "SELECT run, state, name, sums FROM %s.runs_local ORDER BY run, version DESC "
                "LIMIT 1 BY run FORMAT RowBinary",
                s->server.place->database);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(&s->server, sql.p, err);
    r = smi_ch_rows(&s->server);
    while (!rc && r.n) {
        uint64_t run = smi_ch_read_int(&r, 8);
        struct smi_text state = smi_ch_read_text(&r), name = smi_ch_read_text(&r),
                        sums = smi_ch_read_text(&r);
        bool removed = smi_text_is(state, "removed");
        *runs += !removed;
        if (r.bad) {
            rc = smi_ch_bad_answer(&s->server, err);
        } else if (smi_text_is(state, "loaded")) {
            rc = add_run(l, run, name, sums, &room, err);
        } else if (!removed) {
            smi_buf_safe(said, name);
            smi_buf_str(said, ": not all its rows are in the store: export it again\n");
        }
    }
    smi_buf_fini(&sql);
    smi_buf_fini(&room);
    return rc;
}

/* ---- what is there ---- */

static int read_sums(struct list *l, struct smi_ch_shard *s, struct smi_err *err)
{
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    int rc;
    smi_buf_str(&sql, "SELECT run, input, count()");
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (s->metric[m]) {
            char column[SMI_CH_NAME];
            smi_ch_metric_column(column, m);
            smi_buf_fmt(&sql, ", count(%s), sum(ifNull(%s, toDecimal64(0, 6)))", column, column);
        }
    smi_buf_fmt(&sql,
                " FROM %s.samples_local WHERE run IN (SELECT run FROM %s.runs_local GROUP BY run HAVING "
                "argMax(state, version) = 'loaded') GROUP BY run, input FORMAT RowBinary",
                s->server.place->database, s->server.place->database);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(&s->server, sql.p, err);
    smi_buf_fini(&sql);
    r = smi_ch_rows(&s->server);
    while (!rc && r.n) {
        struct reading one = {.run = smi_ch_read_int(&r, 8), .metric = -1};
        struct smi_text input = smi_ch_read_text(&r);
        one.input = smi_arena_text(&l->arena, input.p, input.n);
        one.count = smi_ch_read_int(&r, 8);
        rc = append_input_sums(l, one, err);
        for (unsigned m = 0; m < SMI_METRIC_COUNT && !rc; m++) {
            uint64_t low;
            if (!s->metric[m])
                continue;
            one.metric = (int)m;
            one.count = smi_ch_read_int(&r, 8);
            low = smi_ch_read_int(&r, 8);
            one.sum = (smi_i128)((smi_u128)smi_ch_read_int(&r, 8) << 64 | low);
            rc = one.count ? append_input_sums(l, one, err) : 0;
        }
        if (!rc && r.bad)
            rc = smi_ch_bad_answer(&s->server, err);
    }
    return rc;
}

/* ---- both ---- */

static void write_difference(struct smi_buf *said, const struct reading *r)
{
    smi_buf_fmt(said, "%llu %s", (unsigned long long)r->count, r->metric < 0 ? "rows" : "readings");
    if (r->metric >= 0) {
        char text[SMI_MICRO_TEXT];
        smi_text_write_micro(text, r->sum);
        smi_buf_fmt(said, " of the sum %s", text);
    }
}

static void report_difference(struct smi_buf *said, const struct reading *should, const struct reading *is)
{
    static const struct reading nothing = {.metric = -1};
    const struct reading *r = should ? should : is;
    char column[SMI_CH_NAME] = "";
    if (should && should->name)
        smi_buf_safe(said, smi_text_of(should->name));
    else
        smi_buf_fmt(said, "run %llu", (unsigned long long)r->run);
    smi_buf_str(said, ": ");
    smi_buf_safe(said, smi_text_of(r->input));
    if (r->metric >= 0)
        smi_ch_metric_column(column, (unsigned)r->metric);
    smi_buf_fmt(said, "%s%s: the store has ", *column ? " " : "", column);
    write_difference(said, is ? is : &nothing);
    smi_buf_str(said, ", and should have ");
    write_difference(said, should ? should : &nothing);
    smi_buf_char(said, '\n');
}

static void compare_run(struct smi_buf *said, struct list *should, struct list *is)
{
    size_t i = 0, k = 0;
    smi_sort(should->r, should->n, sizeof *should->r, compare_sums);
    smi_sort(is->r, is->n, sizeof *is->r, compare_sums);
    while (i < should->n || k < is->n) {
        int d = i == should->n ? 1 : k == is->n ? -1 : compare_sums(&should->r[i], &is->r[k]);
        if (d || should->r[i].count != is->r[k].count || should->r[i].sum != is->r[k].sum)
            report_difference(said, d <= 0 ? &should->r[i] : NULL, d >= 0 ? &is->r[k] : NULL);
        i += d <= 0;
        k += d >= 0;
    }
}

static int verify_shard(struct smi_ch_shard *s, struct smi_buf *said, uint64_t *runs, struct smi_err *err)
{
    struct list should = {0}, is = {0};
    int rc;
    if (!s->tables[SMI_CH_RUNS] || !s->tables[SMI_CH_SAMPLES])
        return 0;
    rc = read_noted_sums(&should, s, runs, said, err) || read_sums(&is, s, err) ? -1 : 0;
    if (!rc)
        compare_run(said, &should, &is);
    smi_mem_free(should.r);
    smi_mem_free(is.r);
    smi_arena_fini(&should.arena);
    smi_arena_fini(&is.arena);
    return rc;
}

int smi_ch_verify(const char *where, const char *password_file, struct smi_buf *said, uint64_t *runs,
                  struct smi_err *err)
{
    struct smi_ch_store s;
    int rc = smi_ch_store_open(&s, where, password_file, &smi_ch_patience, err);
    *runs = 0;
    rc = rc ? rc : smi_ch_store_check_shards(&s, err);
    for (size_t i = 0; i < s.place.hosts && !rc; i++)
        rc = verify_shard(&s.shard[i], said, runs, err);
    if (!rc && said->failed)
        rc = smi_err_nomem(err);
    smi_ch_store_close(&s);
    return rc;
}
