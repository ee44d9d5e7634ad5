/* server.c - any bytes as what ClickHouse answers. The first byte says what is asked of it (32: of tables
 * that are those of smilog; else these are any bytes, too); then come the answers, each behind its length in
 * two bytes. The questions are answered without a net: see
 * scripts/dev/fuzz.sh for what is wrapped. */
#include "fuzz.h"

#include "export/clickhouse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OURS = 32 };

static const uint8_t *left;
static size_t nleft;
static bool ours;

static struct {
    struct smi_ch_server *server;
    struct smi_text body;
} asked_of;

int __wrap_smi_curl_open(struct smi_err *err);

static CURL *easy_init(void)
{
    static char one;
    return &one;
}

static void easy_end(CURL *easy)
{
    (void)easy;
}

static CURLcode easy_setopt(CURL *easy, CURLoption option, ...)
{
    va_list ap;
    (void)easy;
    va_start(ap, option);
    if (option == CURLOPT_WRITEDATA)
        asked_of.server = va_arg(ap, struct smi_ch_server *);
    else if (option == CURLOPT_POSTFIELDSIZE_LARGE)
        asked_of.body.n = (size_t)va_arg(ap, curl_off_t);
    else if (option == CURLOPT_POSTFIELDS)
        asked_of.body.p = va_arg(ap, const char *);
    va_end(ap);
    return CURLE_OK;
}

static CURLcode easy_getinfo(CURL *easy, CURLINFO info, ...)
{
    va_list ap;
    (void)easy, (void)info;
    va_start(ap, info);
    *va_arg(ap, long *) = 200;
    va_end(ap);
    return CURLE_OK;
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

static CURLcode easy_perform(CURL *easy)
{
    const struct smi_text body = asked_of.body;
    struct smi_buf *to = &asked_of.server->answer;
    (void)easy;
    if (strncmp(body.p, "SELECT version()", body.n) == 0)
        smi_buf_str(to, "18.16.1\n");
    else if (ours && memmem(body.p, body.n, "system.columns", 14))
        smi_buf_str(to,
                    "runs_local.run UInt64\nruns_local.version UInt64\nruns_local.name String\n"
                    "runs_local.place String\nruns_local.leaf String\nruns_local.host String\n"
                    "runs_local.state String\nruns_local.loaded DateTime('UTC')\nruns_local.smilog String\n"
                    "runs_local.samples UInt64\nruns_local.marks UInt64\nruns_local.digest UInt64\n"
                    "runs_local.summary String\nruns_local.partial String\n");
    else
        put_next(to);
    return CURLE_OK;
}

int __wrap_smi_curl_open(struct smi_err *err)
{
    (void)err;
    smi_curl.curl_easy_init = easy_init;
    smi_curl.curl_easy_reset = smi_curl.curl_easy_cleanup = easy_end;
    smi_curl.curl_easy_setopt = easy_setopt;
    smi_curl.curl_easy_perform = easy_perform;
    smi_curl.curl_easy_getinfo = easy_getinfo;
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

/* What an export would do: it looks at the runs and tables that are there. */
static int plan(bool documents, struct smi_err *err)
{
    const struct smi_pytorch_settings job = {.job_id = "1"};
    struct smi_buf statements = {0};
    const struct smi_target_set set = {.pytorch = documents ? &job : NULL, .dry = true, .plan = &statements};
    struct smi_target_out *t = smi_target_clickhouse.open(&smi_target_clickhouse, "//a/d", &set, err);
    int rc = t ? smi_target_clickhouse.close(t, true, err) : -1;
    smi_buf_fini(&statements);
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
    rc = what < 2 ? fetch(what, &err) : plan(what == 3, &err);
    if (rc && (!err.code || !*err.text))
        fuzz_stop("it failed, and nobody knows why");
    return 0;
}
