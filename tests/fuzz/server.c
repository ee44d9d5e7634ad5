/* server.c - any bytes as what ClickHouse answers. The first byte says what is asked of it (32: of tables
 * that are those of smilog; else these are any bytes, too); then come the answers, each behind its length in
 * two bytes. The questions are answered without a net: see
 * scripts/dev/fuzz.sh for what is wrapped. */
#include "fuzz.h"

#include "export/clickhouse.h"

#include <stdio.h>
#include <string.h>

enum { OURS = 32 };

static const uint8_t *left;
static size_t nleft;
static bool ours;

struct smi_http *__wrap_smi_http_open(const struct smi_http_target *to, struct smi_err *err);
int __wrap_smi_http_send(struct smi_http *h, const struct smi_http_request *q, struct smi_http_response *a,
                         struct smi_err *err);
void __wrap_smi_http_close(struct smi_http *h);

struct smi_http *__wrap_smi_http_open(const struct smi_http_target *to, struct smi_err *err)
{
    static char one;
    (void)to, (void)err;
    return (struct smi_http *)(void *)&one;
}

void __wrap_smi_http_close(struct smi_http *h)
{
    (void)h;
}

static void put_next(struct smi_buf *to)
{
    size_t n = nleft < 2 ? 0 : (size_t)left[0] + ((size_t)left[1] << 8);
    if (nleft < 2)
        return;
    left += 2;
    nleft -= 2;
    n = n < nleft ? n : nleft;
    smi_buf_add(to, (const char *)left, n);
    left += n;
    nleft -= n;
}

int __wrap_smi_http_send(struct smi_http *h, const struct smi_http_request *q, struct smi_http_response *a,
                         struct smi_err *err)
{
    (void)h, (void)err;
    a->status = 200;
    smi_buf_clear(&a->text);
    if (strncmp(q->body.p, "SELECT version()", q->body.n) == 0)
        smi_buf_str(&a->text, "18.16.1\n");
    else if (ours && memmem(q->body.p, q->body.n, "system.columns", 14))
        smi_buf_str(&a->text,
                    "runs_local.run UInt64\nruns_local.version UInt64\nruns_local.name String\n"
                    "runs_local.place String\nruns_local.leaf String\nruns_local.host String\n"
                    "runs_local.state String\nruns_local.loaded DateTime('UTC')\nruns_local.smilog String\n"
                    "runs_local.samples UInt64\nruns_local.marks UInt64\nruns_local.digest UInt64\n"
                    "runs_local.summary String\nruns_local.partial String\n");
    else
        put_next(&a->text);
    if (!a->text.p)
        smi_buf_str(&a->text, "");
    return 0;
}

static const char url[] = "clickhouse://a/d";

static int fetch(bool asked, struct smi_err *err)
{
    const struct smi_query q = {.where = "run IN ('a/b', 'c')", .since = "2026-01-01T00:00Z"};
    struct smi_merge_queue p = SMI_MERGE_QUEUE;
    size_t some = 0;
    int rc = smi_ch_fetch(&p, url, asked ? &q : NULL, &some, err);
    if (rc == 0 && !asked && some)
        fuzz_stop("a run is left out, and nobody has asked");
    smi_merge_queue_fini(&p);
    return rc;
}

static int read_runs(struct smi_ch_store *s, struct smi_err *err)
{
    struct smi_ch_runs runs = {0};
    int rc = smi_ch_runs_read(&runs, s, err);
    for (size_t i = 0; i < runs.n && rc == 0; i++)
        if (!smi_ch_runs_find(&runs, runs.list[i].run) || !runs.list[i].name ||
            (i && runs.list[i].run < runs.list[i - 1].run))
            fuzz_stop("a run that is there is not found");
    smi_ch_runs_fini(&runs);
    return rc;
}

static int documents(struct smi_ch_store *s, struct smi_err *err)
{
    const struct smi_pytorch_settings job = {.job_id = "1"};
    const struct smi_target_set set = {.pytorch = &job, .dry = true};
    struct smi_ch_documents *d = smi_ch_documents_open(s, &set, err);
    struct smi_buf ddl = {0};
    if (d)
        smi_ch_documents_ddl(d, &ddl);
    smi_buf_fini(&ddl);
    smi_ch_documents_close(d);
    return d ? 0 : -1;
}

static int with_store(int what, struct smi_err *err)
{
    struct smi_ch_store s;
    int rc = smi_ch_store_open(&s, url, NULL, &smi_ch_patience, err);
    if (!rc)
        rc = what == 2 ? read_runs(&s, err) : documents(&s, err);
    smi_ch_store_close(&s);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smi_err err = {0};
    int what, rc;
    if (!size)
        return 0;
    left = data + 1;
    nleft = size - 1;
    ours = *data & OURS;
    what = *data % 4;
    rc = what < 2 ? fetch(what, &err) : with_store(what, &err);
    if (rc && (!err.code || !*err.text))
        fuzz_stop("it failed, and nobody knows why");
    return 0;
}
