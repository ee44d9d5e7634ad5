/* server.c - any bytes as what ClickHouse answers. The first byte says what is asked of it (32: its answers
 * come a byte at a time); then come the answers, each behind its length in two bytes. The questions are
 * answered without a net: see scripts/dev/fuzz.sh for what is wrapped. */
#include "fuzz.h"

#include "export/clickhouse.h"
#include "export/pytorch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 32 };

static const uint8_t *left;
static size_t nleft;
static bool bytes;

static struct {
    size_t (*write)(char *p, size_t size, size_t n, void *self);
    void *self;
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
        asked_of.self = va_arg(ap, void *);
    else if (option == CURLOPT_WRITEFUNCTION)
        asked_of.write = va_arg(ap, size_t(*)(char *, size_t, size_t, void *));
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

/* Gives an answer on. Returns whether all of it is taken. */
static bool put(char *p, size_t n)
{
    const size_t most = bytes ? 1 : n;
    for (size_t k; n; p += k, n -= k) {
        k = n < most ? n : most;
        if (asked_of.write(p, 1, k, asked_of.self) != k)
            return false;
    }
    return true;
}

static CURLcode easy_perform(CURL *easy)
{
    char host[] = "\n", answer[65536];
    size_t n = nleft < 2 ? 0 : (size_t)left[0] + ((size_t)left[1] << 8);
    (void)easy;
    if (strcmp(asked_of.body.p, "SELECT ''") == 0)
        return put(host, 1) ? CURLE_OK : CURLE_WRITE_ERROR;
    left += nleft < 2 ? 0 : 2;
    nleft -= nleft < 2 ? 0 : 2;
    n = n < nleft ? n : nleft;
    memcpy(answer, left, n);
    left += n;
    nleft -= n;
    return put(answer, n) ? CURLE_OK : CURLE_WRITE_ERROR;
}

/* The URL below, without libcurl. */
static CURLU *url_new(void)
{
    static char one;
    return (CURLU *)&one;
}

static void url_end(CURLU *u)
{
    (void)u;
}

static CURLUcode url_set(CURLU *u, CURLUPart part, const char *text, unsigned flags)
{
    (void)u, (void)part, (void)text, (void)flags;
    return CURLUE_OK;
}

static CURLUcode url_get(const CURLU *u, CURLUPart part, char **text, unsigned flags)
{
    (void)u, (void)flags;
    *text = part == CURLUPART_HOST ? strdup("a") : part == CURLUPART_PATH ? strdup("/d") : NULL;
    return *text ? CURLUE_OK : CURLUE_NO_PORT;
}

int __wrap_smi_curl_open(struct smi_err *err)
{
    (void)err;
    smi_curl.curl_easy_init = easy_init;
    smi_curl.curl_easy_reset = smi_curl.curl_easy_cleanup = easy_end;
    smi_curl.curl_easy_setopt = easy_setopt;
    smi_curl.curl_easy_perform = easy_perform;
    smi_curl.curl_easy_getinfo = easy_getinfo;
    smi_curl.curl_url = url_new;
    smi_curl.curl_url_cleanup = url_end;
    smi_curl.curl_url_set = url_set;
    smi_curl.curl_url_get = (__typeof__(smi_curl.curl_url_get))url_get; /* const or not, by version */
    smi_curl.curl_free = free;
    return 0;
}

static const char url[] = "clickhouse://a/d";

static int fetch(struct smi_err *err)
{
    struct smi_merge_queue p = {0};
    int rc = smi_ch_fetch(&p, url, err);
    smi_merge_queue_fini(&p);
    return rc;
}

/* What an export would do: it looks at the runs and tables that are there. */
static int plan(bool documents, struct smi_err *err)
{
    const struct smi_pytorch_settings job = {.job_id = "1"};
    struct smi_buf statements = {0};
    const struct smi_target_set set = {.pytorch = documents ? &job : NULL, .plan = &statements};
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
    bytes = *data & BYTES;
    what = *data % 4;
    rc = what < 2 ? fetch(&err) : plan(what == 3, &err);
    if (rc && (!err.code || !*err.text))
        fuzz_stop("it failed, and nobody knows why");
    return 0;
}
