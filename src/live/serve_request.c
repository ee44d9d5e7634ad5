#include "live/serve.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <strings.h>

/* ---- where to listen ---- */

static bool port_of(struct smi_text t, int *port)
{
    int64_t v = smi_cell_digits(t, 5);
    *port = v >= 0 && v <= 65535 ? (int)v : -1;
    return *port >= 0;
}

/* A literal address without brackets. */
static bool address_of(struct smi_text t, struct smi_listen *l)
{
    char text[INET6_ADDRSTRLEN];
    memset(l, 0, sizeof *l);
    if (t.n >= sizeof text || memchr(t.p, 0, t.n))
        return false;
    smi_text_copy(text, sizeof text, t);
    if (inet_pton(AF_INET, text, &l->at.v4.sin_addr) == 1) {
        uint32_t host = ntohl(l->at.v4.sin_addr.s_addr);
        l->at.v4.sin_family = AF_INET;
        l->len = sizeof l->at.v4;
        l->loopback = host >> 24 == 127;
        l->every = host == 0;
        return true;
    }
    if (inet_pton(AF_INET6, text, &l->at.v6.sin6_addr) != 1)
        return false;
    l->at.v6.sin6_family = AF_INET6;
    l->len = sizeof l->at.v6;
    l->loopback = IN6_IS_ADDR_LOOPBACK(&l->at.v6.sin6_addr);
    l->every = IN6_IS_ADDR_UNSPECIFIED(&l->at.v6.sin6_addr);
    return true;
}

/* "name", "name:port", "[v6]", "[v6]:port": the name, and whether it stood in brackets; port is empty without
 * one. */
static bool split_address(const char *text, struct smi_text *name, struct smi_text *port, bool *bracket)
{
    const char *end, *colon;
    *bracket = *text == '[';
    *port = smi_text_of("");
    end = *bracket ? strchr(text, ']') : strchr(text, ':');
    if (*bracket && !end)
        return false;
    if (!end) {
        *name = smi_text_of(text);
        return true;
    }
    *name = (struct smi_text){text + *bracket, (size_t)(end - text) - *bracket};
    colon = end + *bracket;
    if (*bracket && !*colon)
        return true;
    *port = smi_text_of(colon + 1);
    return *colon == ':';
}

int smi_listen_parse(struct smi_listen *l, const char *text, struct smi_err *err)
{
    struct smi_text name = smi_text_of("127.0.0.1"), port;
    bool bracket = false;
    int number;
    if (*text == ':')
        return smi_err_set(err, SMI_EUSAGE,
                           "--listen %.60s: %.20s is for this machine only, 0.0.0.0%.20s for all", text,
                           text + 1, text);
    if (!port_of(smi_text_of(text), &number) &&
        (!split_address(text, &name, &port, &bracket) || !port_of(port, &number)))
        return smi_err_set(err, SMI_EUSAGE,
                           "--listen needs [ADDRESS:]PORT, such as 9400 or [::1]:9400, not \"%.60s\"", text);
    if (smi_text_is_nocase(name, "localhost"))
        name = smi_text_of("127.0.0.1");
    if (!address_of(name, l) || bracket != (l->at.any.sa_family == AF_INET6))
        return smi_err_set(err, SMI_EUSAGE, "--listen needs an address in numbers, not \"%.*s\"",
                           (int)(name.n > 60 ? 60 : name.n), name.p);
    l->any_port = number == 0;
    if (l->at.any.sa_family == AF_INET6)
        l->at.v6.sin6_port = htons((uint16_t)number);
    else
        l->at.v4.sin_port = htons((uint16_t)number);
    return 0;
}

void smi_listen_put(char *to, const struct smi_listen *l)
{
    char text[INET6_ADDRSTRLEN] = "";
    bool six = l->at.any.sa_family == AF_INET6;
    inet_ntop(l->at.any.sa_family, six ? (const void *)&l->at.v6.sin6_addr : (const void *)&l->at.v4.sin_addr,
              text, sizeof text);
    snprintf(to, SMI_LISTEN_TEXT, six ? "[%s]:%d" : "%s:%d", text,
             ntohs(six ? l->at.v6.sin6_port : l->at.v4.sin_port));
}

/* ---- whose name it is ---- */

/* A name of the machine (or the first label of it), or one that is allowed. */
static bool is_own_name(struct smi_text name, const char *machine, const char *allow)
{
    struct smi_text own;
    if (machine && *machine && (name.n == strlen(machine) || name.n == strcspn(machine, ".")) &&
        strncasecmp(name.p, machine, name.n) == 0)
        return true;
    while (allow && smi_text_next_item(&allow, &own))
        if (own.n == name.n && strncasecmp(own.p, name.p, own.n) == 0)
            return true;
    return false;
}

bool smi_request_host(const char *host, const struct smi_listen *l, const char *machine)
{
    struct smi_text name, port;
    struct smi_listen literal;
    bool bracket;
    int number;
    if (!split_address(host, &name, &port, &bracket) || name.n == 0 || (port.n && !port_of(port, &number)))
        return false;
    if (!bracket && (smi_text_is_nocase(name, "localhost") || is_own_name(name, machine, l->allow)))
        return true;
    if (!address_of(name, &literal) || bracket != (literal.at.any.sa_family == AF_INET6))
        return false;
    if (l->every || literal.at.any.sa_family != l->at.any.sa_family)
        return l->every;
    return bracket ? memcmp(&literal.at.v6.sin6_addr, &l->at.v6.sin6_addr, sizeof l->at.v6.sin6_addr) == 0
                   : literal.at.v4.sin_addr.s_addr == l->at.v4.sin_addr.s_addr;
}

/* ---- what is asked for ---- */

int smi_request_check(const struct smi_request *r, const struct smi_listen *l, const char *machine,
                      enum smi_serve_path *path)
{
    static const char *const paths[] = {[SMI_SERVE_PATH_PAGE] = "/",
                                        [SMI_SERVE_PATH_METRICS] = "/metrics",
                                        [SMI_SERVE_PATH_EVENTS] = "/events",
                                        [SMI_SERVE_PATH_HEALTH] = "/healthz"};
    if (!r->host || r->hosts != 1)
        return 400;
    if (!smi_request_host(r->host, l, machine))
        return 403;
    if (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0)
        return 405;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(r->path, paths[i]) == 0) {
            *path = (enum smi_serve_path)i;
            return 200;
        }
    return 404;
}

/* The weight of a type, "text/plain; version=0.0.4;q=0.5", in millionths. */
static int64_t accept_weight(struct smi_text t)
{
    const char *end = t.p + t.n, *semicolon;
    int64_t micro;
    for (const char *p = t.p; (semicolon = memchr(p, ';', (size_t)(end - p))); p = semicolon + 1) {
        const char *next = memchr(semicolon + 1, ';', (size_t)(end - semicolon - 1));
        const struct smi_text own = smi_text_trim(smi_text_between(semicolon + 1, next ? next : end));
        if (smi_text_starts_nocase(own, "q="))
            return smi_text_parse_micro(smi_text_trim(smi_text_from(own, 2)), &micro) ? 0 : micro;
    }
    return 1000000;
}

bool smi_request_openmetrics(const char *accept)
{
    int64_t om = 0, text = 0;
    struct smi_text t;
    while (smi_text_next_item(&accept, &t)) {
        int64_t w = accept_weight(t);
        if (smi_text_starts_nocase(t, "application/openmetrics-text"))
            om = w > om ? w : om;
        else if (smi_text_starts_nocase(t, "text/plain"))
            text = w > text ? w : text;
    }
    return om > 0 && om >= text;
}
