#include "front/listen.h"

#include "base/file.h"

static bool any_port(const char *listen)
{
    struct smi_listen l;
    return smi_listen_parse(&l, listen, NULL) == 0 &&
           (l.at.any.sa_family == AF_INET6 ? l.at.v6.sin6_port : l.at.v4.sin_port) == 0;
}

int smi_front_listen(struct smi_serve **s, const struct smi_serve_opts *o, struct smi_err *err)
{
    struct smi_buf b = {0};
    char at[SMI_LISTEN_TEXT];
    *s = o->listen ? smi_serve_open(o, err) : NULL;
    if (!*s)
        return o->listen ? -1 : 0;
    smi_listen_put(at, smi_serve_at(*s));
    if (any_port(o->listen))
        smi_buf_fmt(&b, "smilog: http://%s/\n", at);
    if (!smi_serve_at(*s)->loopback)
        smi_buf_fmt(&b, "smilog: whoever reaches %s can read along\n", at);
    if (b.n && !b.failed)
        (void)smi_file_put(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
    return 0;
}

void smi_front_textfile(const char *path, struct smi_now *n, const struct smi_expose *e)
{
    struct smi_file_out out;
    struct smi_err err = {0};
    struct smi_buf b = {0};
    int rc = smi_expose_put(&b, n, e) ? smi_err_nomem(&err) : smi_file_create(&out, path, &err);
    if (rc == 0) {
        rc = smi_file_put(out.fd, b.p, b.n, path, &err);
        rc = smi_file_close(&out, !rc, &err) || rc ? -1 : 0;
    }
    if (rc)
        smi_now_say(n, SMI_NOW_ERROR, "%s", err.text);
    smi_buf_fini(&b);
}
