#include "export/clickhouse_marks.h"

#include "base/digest.h"
#include "base/clock.h"
#include "base/json.h"
#include "export/clickhouse_batches.h"
#include "export/clickhouse_siphash.h"

#include <inttypes.h>
#include <stdio.h>

struct putting {
    struct smi_ch_keyed *to;
    uint64_t run;
    struct smi_buf name, fields; /* of the input; of a mark */
};

static void write_fields(struct putting *p, struct smi_json *j, const char *key, const struct smi_mark *m,
                         bool in_data)
{
    smi_buf_clear(&p->fields);
    if (!smi_export_fields(&p->fields, m, in_data))
        return;
    smi_json_key(j, key);
    smi_json_text(j, (struct smi_text){p->fields.p, p->fields.n});
    p->to->text.failed |= p->fields.failed;
}

static void write_whole_mark(struct smi_buf *to, const char *key, int64_t n)
{
    smi_buf_fmt(to, ", \"%s\": %" PRId64, key, n);
}

static int add_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct putting *p = self;
    struct smi_buf *to = &p->to->text;
    char sum[24];
    struct smi_json j;
    size_t from = to->n;
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "input", p->name.p);
    smi_json_key_str(&j, "kind", m->kind == SMI_MARK_PHASE ? "phase" : "event");
    smi_json_key(&j, "name");
    smi_json_text(&j, m->name);
    write_fields(p, &j, "data", m, true);
    write_fields(p, &j, "extra", m, false);
    write_whole_mark(to, "mark", (int64_t)ordinal);
    write_whole_mark(to, "t_us", m->t_us);
    write_whole_mark(to, "span_us", m->kind == SMI_MARK_PHASE ? m->span_us : 0);
    smi_buf_fmt(to, ", \"run\": %" PRIu64, p->run);
    if (to->failed)
        return smi_err_nomem(err);
    snprintf(sum, sizeof sum, "%" PRIu64, smi_digest_of(to->p + from, to->n - from));
    smi_buf_fmt(to, ", \"sum\": %s}\n", sum);
    return smi_ch_keyed_add(p->to, smi_siphash(sum, strlen(sum)), err);
}

int smi_ch_marks_put(struct smi_ch_keyed *to, const struct smi_export_run *r, uint64_t run,
                     struct smi_err *err)
{
    struct putting p = {.to = to, .run = run};
    int rc = 0;
    for (size_t i = 0; i < r->inputs && !rc; i++) {
        if (!r->input[i].marks)
            continue;
        smi_ch_input_name(&p.name, r, i);
        rc = p.name.failed ? smi_err_nomem(err) : smi_export_marks(r, i, 0, add_mark, &p, err);
    }
    smi_buf_fini(&p.name);
    smi_buf_fini(&p.fields);
    return rc;
}

static int send_missing(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, struct smi_err *err)
{
    uint64_t strange;
    if (smi_ch_keyed_check(k, to, &strange, err) || (strange && smi_ch_keyed_delete(k, to, err)))
        return -1;
    return smi_ch_keyed_send(k, to, err);
}

int smi_ch_marks_send(struct smi_ch_keyed *k, struct smi_ch_server *server, struct smi_ledger *ledger,
                      const char *runs, struct smi_err *err)
{
    struct smi_buf where = {0};
    int64_t until = smi_clock_now_ms() + server->patience.retry_ms;
    int rc = -1;
    smi_buf_fmt(&where, "run IN (%s)", runs);
    if (where.failed) {
        smi_err_nomem(err);
    } else {
        const struct smi_ch_keyed_to to = {server, ledger, "marks_local", "toString(sum)", where.p};
        struct smi_err own = {0};
        while ((rc = send_missing(k, &to, &own)) != 0 && smi_ch_keyed_may_retry(&to, &own, until))
            own = (struct smi_err){0};
        if (rc)
            smi_err_set(err, own.code, "%s", own.text);
    }
    smi_buf_fini(&where);
    return rc;
}
