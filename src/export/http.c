#include "export/http.h"

#include "base/mem.h"
#include "base/lazy.h"

struct smi_http {
    const struct smi_http_target *to;
    CURL *easy;
    char why[CURL_ERROR_SIZE];
};

/* An answer on its way in. */
struct transfer {
    const struct smi_http_request *q;
    struct smi_http_response *a;
    bool over; /* the answer is longer than may be */
};

static size_t receive_body(char *p, size_t size, size_t n, void *self)
{
    struct transfer *t = self;
    size_t bytes = size * n;
    t->over = bytes > t->q->most || t->a->text.n > t->q->most - bytes;
    if (t->over)
        return 0;
    smi_buf_add(&t->a->text, p, bytes);
    return bytes;
}

struct smi_http *smi_http_open(const struct smi_http_target *to, struct smi_err *err)
{
    struct smi_http *h;
    if (smi_curl_open(err))
        return NULL;
    h = smi_mem_new(1, sizeof *h);
    h->easy = smi_curl.curl_easy_init();
    if (!h->easy)
        smi_mem_exhausted();
    h->to = to;
    return h;
}

int smi_http_send(struct smi_http *h, const struct smi_http_request *q, struct smi_http_response *a,
                  struct smi_err *err)
{
    const struct smi_http_target *to = h->to;
    struct transfer t = {.q = q, .a = a};
    struct smi_buf url = {0};
    CURL *e = h->easy;
    CURLcode code;
    unsigned bad = 0;
    long no = 0;
    a->status = 0;
    smi_buf_clear(&a->text);
    smi_buf_fmt(&url, "%s://%s:%d%s", to->tls ? "https" : "http", to->host, to->port, q->path);
    smi_curl.curl_easy_reset(e); /* the connection stays */
    h->why[0] = '\0';
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, to->tls ? "https" : "http");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERAGENT, "smilog");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_ERRORBUFFER, h->why);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, to->connect_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, to->stall_s);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_BUFFERSIZE, 256L << 10);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
    if (to->user || to->password) {
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERNAME, to->user ? to->user : "");
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PASSWORD, to->password ? to->password : "");
    }
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_URL, url.p);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, q->deadline_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, receive_body);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEDATA, &t);
    if (q->body.p) {
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.n);
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDS, q->body.p);
    }
    if (bad)
        smi_mem_exhausted(); /* libcurl copies texts, and refuses nothing else here */
    code = smi_curl.curl_easy_perform(e);
    smi_buf_fini(&url);
    if (code == CURLE_OK) {
        smi_curl.curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &a->status);
        smi_buf_str(&a->text, "");
        return 0;
    }
    if (t.over)
        return smi_err_set(err, SMI_ELIMIT, "%.200s:%d: its answer is longer than %zu bytes", to->host,
                           to->port, q->most);
    if (code == CURLE_COULDNT_CONNECT) /* libcurl's words would tell how long it took, and not why */
        smi_curl.curl_easy_getinfo(e, CURLINFO_OS_ERRNO, &no);
    return smi_err_set(err, SMI_EIO, "%.200s:%d: %.220s", to->host, to->port,
                       no        ? strerror((int)no)
                       : *h->why ? h->why
                                 : smi_curl.curl_easy_strerror(code));
}

void smi_http_close(struct smi_http *h)
{
    if (!h)
        return;
    smi_curl.curl_easy_cleanup(h->easy);
    smi_mem_free(h);
}

void smi_http_error_text(struct smi_buf *to, struct smi_text answer, size_t most)
{
    struct smi_buf b = {0};
    size_t n = 0;
    bool blank = true;
    for (size_t i = 0; i < answer.n && b.n < most; i++) { /* blanks and ends of lines are one blank */
        bool is = strchr(" \t\r\n", answer.p[i]) != NULL;
        if (!is || !blank)
            smi_buf_char(&b, answer.p[i] && is ? ' ' : answer.p[i]);
        blank = is;
    }
    while (n < b.n) { /* no character is cut in two */
        size_t k = smi_text_utf8(b.p + n, b.n - n);
        n += k ? k : 1;
    }
    while (b.n && b.p[b.n - 1] == ' ')
        b.n--;
    if (b.n)
        smi_buf_safe(to, (struct smi_text){b.p, b.n});
    smi_buf_fini(&b);
}
