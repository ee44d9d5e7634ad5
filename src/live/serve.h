/* serve.h - a small web server for one machine's state: Prometheus text, a page that goes on by itself,
 * and its events. It runs in the owner's loop and has no thread. Whatever clients do, it holds a bounded
 * number of connections, each with bounded memory; it answers GET and HEAD, to clients that call
 * it by its own name, and reads no file. Not for several threads. */
#pragma once

#include "base/loop.h"
#include "live/machine.h"

#include <netinet/in.h>

/* ---- where to listen, and which requests are answered. Pure: no socket takes part ---- */

/* An address and a port. */
struct smi_listen {
    struct in6_addr address; /* ::ffff:127.0.0.1 is one of IPv4 */
    int port;
    bool loopback;     /* only this machine reaches it */
    bool every;        /* 0.0.0.0 or [::]: all addresses of the machine */
    bool any_port;     /* the system chooses one */
    const char *allow; /* further names that it is called by, "a,b"; or NULL */
};

/* Reads "9400" (of 127.0.0.1), "127.0.0.1:9400", "localhost:9400", "[::1]:9400", "0.0.0.0:9400"; port 0: any
 * that is free. No name is looked up. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_listen_parse(struct smi_listen *l, const char *text, struct smi_err *err);
/* "127.0.0.1:9400", "[::1]:9400"; to has SMI_LISTEN_TEXT bytes. */
enum { SMI_LISTEN_TEXT = INET6_ADDRSTRLEN + 16 };
void smi_listen_put(char *to, const struct smi_listen *l);

/* Whether a Host header names this server: localhost, the address that is listened on (of every address: any
 * literal one), a name of l->allow, or the machine by its name or the first label of it, each with any port
 * or without (a tunnel has another). A page of another site that had its own name point here (DNS rebinding)
 * comes with that name, and reads nothing. */
bool smi_request_host(const char *host, const struct smi_listen *l, const char *machine);

enum smi_serve_path {
    SMI_SERVE_PATH_PAGE,
    SMI_SERVE_PATH_METRICS,
    SMI_SERVE_PATH_EVENTS,
    SMI_SERVE_PATH_HEALTH
};

struct smi_request {
    const char *method, *path;
    const char *host; /* of the first Host header, or NULL */
    int hosts;        /* how many there are */
};

/* The status of the answer: 200 and *path, or 400 (no Host, or several), 403 (of another), 404, 405 (neither
 * GET nor HEAD). */
int smi_request_check(const struct smi_request *r, const struct smi_listen *l, const char *machine,
                      enum smi_serve_path *path);

/* Whether an Accept header would rather have OpenMetrics than the older text format: it names that first, as
 * scrapers do. accept may be NULL. */
bool smi_request_openmetrics(const char *accept);

/* ---- the state of this moment as Prometheus reads it: text format 0.0.4 or OpenMetrics 1.0.0, no time
 * stamps (a file with them is skipped whole by node_exporter). Pure: text from smi_machine ---- */

enum smi_prometheus_names { SMI_PROMETHEUS_SMILOG_NAMES, SMI_PROMETHEUS_DCGM_NAMES };

struct smi_prometheus_opts {
    const char *host, *run; /* labels of every series; NULL or "": none */
    int64_t time_ms; /* now, UTC: smilog_export_timestamp_seconds tells a file that is no longer written */
    enum smi_prometheus_names names;
    bool openmetrics;
};

/* Appends all families: a gauge or counter for each metric of the catalogue of which a GPU or the machine has
 * a reading (smilog_gpu_util_ratio, smilog_fb_used_bytes, smilog_power_watts, ... in base units), labels gpu,
 * uuid, name, host, run; then smilog_gpu_lost, smilog_alert (rule, gpu, monitor), smilog_monitor_up,
 * smilog_source_lag_seconds, smilog_monitor_restarts_total (monitor), smilog_rows_rejected_total (monitor,
 * reason). What is old has no series. SMI_PROMETHEUS_DCGM_NAMES: metrics that dcgm-exporter has, too, have
 * its names, units and labels (gpu, UUID, pci_bus_id, modelName, Hostname) instead; its counters are untyped,
 * since their names do not end in _total as a counter's have to. */
void smi_prometheus_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e);

enum {
    SMI_SERVE_CONNECTIONS =
        64,                 /* at most; beyond 48 the oldest one that has not said what it wants makes room */
    SMI_SERVE_STREAMS = 24, /* readers of events: others are asked to come again */
    SMI_SERVE_REQUEST = 32768, /* bytes of a request's head */
    SMI_SERVE_PATIENCE_S =
        10 /* without a byte from a client, or to it, but for one that waits for an event */
};

struct smi_serve_opts {
    const char *listen;  /* as smi_listen_parse reads it */
    const char *what;    /* "smilog live" */
    const char *host;    /* of the readings, for labels and the page; or NULL */
    const char *run;     /* what is recorded, the same; or NULL */
    int64_t interval_ms; /* between events */
    int names;           /* an enum smi_prometheus_names */
    const char *allow;   /* names that it is called by, besides its own, "a,b"; or NULL */
};

struct smi_serve; /* opaque */

/* Binds and listens; nobody is answered before smi_serve_show. The texts of o are borrowed. NULL with err:
 * SMI_EUSAGE (an address that is none), SMI_EIO (the port is in use, libmicrohttpd is not there).
 */
struct smi_serve *smi_serve_open(const struct smi_serve_opts *o, struct smi_err *err);
/* Where it listens, with the port that it got. */
const struct smi_listen *smi_serve_address(const struct smi_serve *s);
/* What is shown from now on. s may be NULL. */
void smi_serve_show(struct smi_serve *s, const struct smi_machine *n);

/* To be added behind those that bring up to date what is shown. Without memory a client gets no answer, and
 * the rest goes on. */
struct smi_loop_source smi_serve_source(struct smi_serve *s);
/* Ends all connections. s may be NULL. */
void smi_serve_close(struct smi_serve *s);

/* ---- the live page in one piece, with the present state in it, and a script that goes on with the
 * events; without scripts it is a table. And that state: the object of --format jsonl, and beside it
 * everything in words ---- */

enum {
    SMI_SERVE_STATE_CELLS = 60,       /* of a sparkline */
    SMI_SERVE_STATE_SPAN_MS = 600000, /* that it is of */
    SMI_SERVE_STATE_EVENTS = 30       /* the last of them */
};

/* Appends one JSON object without a line end: that of smi_machine_json_put, and "page", whose texts are safe
 * to show and rounded as everywhere: title, host, models, every, time, zone, recording, span (how long),
 * interval_s; "totals": [{value, label}]; "alerts": [{grave, text, since}], the gravest first; "gpus": [{gpu,
 * state, name, use (percent or null), now, vram, power, temp, clock (texts), marks ({name: is it grave}, of
 * these, those that an alert rests on), remark, spark: [percent or null], from (the first cell of the
 * sparkline that an alert is about, or null)}] of GPUs that are the job's; "table":
 * [{label, five: [mean, p95, max], whole: [...]}]; "events": [{time, kind, text}], the last first; "phases":
 * [{name, times, span}], the one that ended last first; "monitors": [{name, state, text}]. */
void smi_serve_state_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o);

/* Appends the page; event: the present state as an event ("data: {...}", smi_serve_state_put). */
void smi_live_page_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o,
                       const struct smi_buf *event);
