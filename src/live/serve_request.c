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

/* A literal address without brackets: of IPv6 where it stood in them, else of IPv4. */
static bool address_of(struct smi_text t, bool six, struct in6_addr *to)
{
    char text[INET6_ADDRSTRLEN + 8];
    const int n = snprintf(text, sizeof text, "%s%.*s",
                           six ? "" : "::ffff:", (int)(t.n < INET6_ADDRSTRLEN ? t.n : 0), t.p);
    return n > 0 && inet_pton(AF_INET6, text, to) == 1 && IN6_IS_ADDR_V4MAPPED(to) != six;
}

/* "name", "name:port", "[v6]", "[v6]:port": the name, and whether it stood in brackets; port is empty without
 * one. */
static bool split_address(const char *text, struct smi_text *name, struct smi_text *port, bool *bracket)
{
    const char *end = *text == '[' ? strchr(text, ']') : text + strcspn(text, ":");
    *bracket = *text == '[';
    if (!end)
        return false;
    *name = smi_text_between(text + *bracket, end);
    end += *bracket;
    *port = smi_text_of(*end ? end + 1 : end);
    return !*end || *end == ':';
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
    *l = (struct smi_listen){.port = number, .any_port = number == 0};
    if (!address_of(name, bracket, &l->address))
        return smi_err_set(err, SMI_EUSAGE, "--listen needs an address in numbers, not \"%.*s\"",
                           (int)(name.n > 60 ? 60 : name.n), name.p);
    const uint8_t *four = l->address.s6_addr + 12;
    l->loopback = bracket ? IN6_IS_ADDR_LOOPBACK(&l->address) : *four == 127;
    l->every = bracket ? IN6_IS_ADDR_UNSPECIFIED(&l->address) : !(four[0] | four[1] | four[2] | four[3]);
    return 0;
}

void smi_listen_put(char *to, const struct smi_listen *l)
{
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(AF_INET6, &l->address, text, sizeof text);
    if (IN6_IS_ADDR_V4MAPPED(&l->address))
        snprintf(to, SMI_LISTEN_TEXT, "%s:%d", text + strlen("::ffff:"), l->port);
    else
        snprintf(to, SMI_LISTEN_TEXT, "[%s]:%d", text, l->port);
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
    struct in6_addr literal;
    bool bracket;
    int number;
    if (!split_address(host, &name, &port, &bracket) || name.n == 0 || (port.n && !port_of(port, &number)))
        return false;
    if (!bracket && (smi_text_is_nocase(name, "localhost") || is_own_name(name, machine, l->allow)))
        return true;
    return address_of(name, bracket, &literal) &&
           (l->every || memcmp(&literal, &l->address, sizeof literal) == 0);
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

bool smi_request_openmetrics(const char *accept)
{
    const char *om = accept ? strcasestr(accept, "application/openmetrics-text") : NULL,
               *text = om ? strcasestr(accept, "text/plain") : NULL;
    return om && (!text || om < text);
}
