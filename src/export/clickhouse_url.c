#include "export/clickhouse_url.h"

#include <stdio.h>

static const char plain[] = "clickhouse://", sealed[] = "clickhouses://";

/* Is the text such a URL, or meant as one? */
static bool is_url(const char *url)
{
    return strncmp(url, plain, sizeof plain - 1) == 0 || strncmp(url, sealed, sizeof sealed - 1) == 0;
}

bool smi_ch_is_name(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!((t.p[i] >= 'a' && t.p[i] <= 'z') || (t.p[i] >= 'A' && t.p[i] <= 'Z') || t.p[i] == '_' ||
              (i && t.p[i] >= '0' && t.p[i] <= '9')))
            return false;
    return t.n > 0 && t.n < SMI_CH_NAME;
}

/* The text in front of the first c, taken off t with it; all of t where there is none. */
static struct smi_text cut_at(struct smi_text *t, char c)
{
    const char *at = t->n ? memchr(t->p, c, t->n) : NULL;
    struct smi_text head = *t;
    if (at)
        head.n = (size_t)(at - t->p);
    t->p += head.n + (at != NULL);
    t->n -= head.n + (at != NULL);
    return head;
}

static int set_name(char to[SMI_CH_NAME], struct smi_text t, const char *what, struct smi_err *err)
{
    if (!smi_ch_is_name(t))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: %s: letters, digits and underscores, at most %d, no digit "
                           "first",
                           what, SMI_CH_NAME - 1);
    memcpy(to, t.p, t.n);
    to[t.n] = '\0';
    return 0;
}

static int set_user(struct smi_ch_url *p, struct smi_text t, struct smi_err *err)
{
    if (memchr(t.p, ':', t.n))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: a password in a URL can be read by everybody: leave it out, and "
                           "set SMILOG_CLICKHOUSE_PASSWORD or --password-file");
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] <= ' ' || t.p[i] >= 127 || strchr("/?#[]%\"\\", t.p[i]))
            return smi_err_set(err, SMI_EUSAGE,
                               "clickhouse: the user in front of @ has letters that a user does not have");
    if (!t.n || t.n >= sizeof p->user)
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: the user in front of @ is %s",
                           t.n ? "too long" : "empty");
    memcpy(p->user, t.p, t.n);
    p->user[t.n] = '\0';
    return 0;
}

static bool set_port(struct smi_ch_url *p, struct smi_text t)
{
    int64_t v;
    if (!t.n || t.n > 5 || t.p[0] == '+' || t.p[0] == '-' || memchr(t.p, '.', t.n) ||
        smi_text_parse_micro(t, &v))
        return false;
    p->port = (int)(v / 1000000);
    return p->port > 0 && p->port < 65536;
}

static bool is_host(struct smi_text t)
{
    bool six = t.n > 2 && t.p[0] == '[' && t.p[t.n - 1] == ']';
    for (size_t i = six; i < t.n - six; i++) {
        char c = t.p[i];
        bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        bool is =
            six ? hex || c == ':' || c == '.'
                : hex || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '-' || c == '.' || c == '_';
        if (!is)
            return false;
    }
    return t.n > 0 && t.n < SMI_CH_HOST;
}

static int set_host(struct smi_ch_url *p, struct smi_text t, struct smi_err *err)
{
    struct smi_text name = t;
    const char *end = t.n && t.p[0] == '[' ? memchr(t.p, ']', t.n) : NULL, *colon;
    if (t.n && memchr(t.p, ',', t.n))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: several hosts were removed: export to one, and read all of them with "
                           "Distributed tables of the server");
    p->port = p->tls ? 8443 : 8123;
    end = end ? end : t.p;
    colon = t.n ? memchr(end, ':', t.n - (size_t)(end - t.p)) : NULL;
    if (colon)
        name.n = (size_t)(colon - t.p);
    if (!is_host(name) || (colon && !set_port(p, (struct smi_text){colon + 1, t.n - name.n - 1})))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: \"%.*s\" is no HOST or HOST:PORT",
                           (int)(t.n < 200 ? t.n : 200), t.p);
    memcpy(p->host, name.p, name.n);
    p->host[name.n] = '\0';
    return 0;
}

int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err)
{
    struct smi_text rest = smi_text_of(url), host, database;
    const char *at;
    int rc = 0;
    memset(p, 0, sizeof *p);
    p->tls = strncmp(url, sealed, sizeof sealed - 1) == 0;
    if (!is_url(url))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE");
    rest.p += p->tls ? sizeof sealed - 1 : sizeof plain - 1;
    rest.n -= p->tls ? sizeof sealed - 1 : sizeof plain - 1;
    at = rest.n ? memrchr(rest.p, '@', rest.n)
                : NULL; /* a password may have any letter, so look behind all of it */
    if (at) {
        rc = set_user(p, (struct smi_text){rest.p, (size_t)(at - rest.p)}, err);
        rest.n -= (size_t)(at + 1 - rest.p);
        rest.p = at + 1;
    }
    host = cut_at(&rest, '/');
    database = cut_at(&rest, '?');
    rc = rc ? rc : set_host(p, host, err);
    rc = rc ? rc : set_name(p->database, database, "the database behind the host", err);
    if (!rc && (rest.n || (database.p && database.p[database.n] == '?')))
        rc = smi_err_set(
            err, SMI_EUSAGE,
            "clickhouse: nothing stands behind the database; ?cluster= was removed: make Distributed "
            "tables on the server");
    return rc;
}

/* FNV-1a, then the bits are spread (as Murmur does at its end). */
static uint64_t mix_hash(uint64_t h, const char *s)
{
    do
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    while (*s++);
    return h;
}

static uint64_t jump_hash(uint64_t h)
{
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

uint64_t smi_ch_run(const char *place, const char *leaf)
{
    return jump_hash(mix_hash(mix_hash(0xcbf29ce484222325u, place), leaf));
}
