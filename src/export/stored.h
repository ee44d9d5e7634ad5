/* stored.h - sweeps that are stored as partial summaries, wherever that is: files, and what a prefix
 * names. A PATH of summarize, report, check and diff may be one. A new place is a function and a row in
 * stored.c. */
#pragma once

#include "base/sql.h"
#include "query/query.h"
#include "summary/merge_queue.h"
#include "sweep/sweep.h"

/* ---- a SQLite file of runs: samples, marks, and of each run the partial that makes its summary again.
 * Tables (STRICT; user_version 2, application_id "SMLS"): runs(id, place, leaf, name, host, state,
 * time_base, start, end, FIELD...) FIELD: those of model/run_field.def that are stored (duration_s,
 * energy_wh, idle_pct) place: where its logs are, an absolute path; leaf: which of the runs there; start,
 * end: text, as in JSON params(run, key, value) gpus(run, gpu, idx, uuid, bus, name, pooled, machine) gpu: a
 * number of this file's own; idx: as the logs print it inputs(run, input, path, format, base, bytes,
 * digest, rows, marks, lines, header, counted, duplicates, blank, messages,
 * rejected) base: utc, local, day or none, on which t_ms stands;
 * the last seven are its line account samples(run, input, row, gpu, t_ms, METRIC...) row: the number of the
 * reading in its log, from 0; gpu: NULL: the host; t_ms: milliseconds since 1970, NULL: no time; a column
 * a metric that any run has, in the catalogue's unit marks(run, input, mark, kind, name, t_us, span_us,
 * data, extra) a phase ends at t_us, UTC; data, extra: JSON summaries(run, schema, partial) WAL, so that
 * anybody may read meanwhile ---- */

enum { SMI_SQLITE_VERSION = 2, SMI_SQLITE_ID = 0x534d4c53 /* "SMLS" */ };

/* ---- the sweep that a SQLite file holds, for summarize, report, check and diff ---- */

/* Gives the partial of every run in the file to smi_merge_queue_add, in the order of names; runs of one name
 * get the place of their logs for a name. where: "sqlite:FILE". The file is only read, and may be written
 * meanwhile: all is of one moment. Returns 0, or -1 with err (SMI_EIO, SMI_EFORMAT, what smi_merge_queue_add
 * has). */
int smi_sqlite_load(struct smi_merge_queue *to, const char *where, struct smi_err *err);

/* Gives the partial of a run in a store to smi_merge_queue_add. shared: other runs there have its name; it
 * gets the place of its logs for one. where: the store, for messages. Returns 0, or -1 with err. */
int smi_stored_add_run(struct smi_merge_queue *to, struct smi_text partial, const char *place,
                       const char *leaf, const char *name, bool shared, const char *where,
                       struct smi_err *err);

/* The same of a file in which `follow --store` keeps logs. */
enum { SMI_FOLLOWED_ID = 0x534d4c47 /* "SMLG" */ };

/* A place that is known by the beginning of its PATH. */
struct smi_stored_kind {
    const char *prefix; /* "sqlite:" */
    /* Gives every document of the sweep at `where`, the whole PATH, to smi_merge_queue_add, in any order.
     * Returns 0, or -1 with err: SMI_EIO, SMI_EFORMAT, what smi_merge_queue_add has. */
    int (*load)(struct smi_merge_queue *to, const char *where, struct smi_err *err);
};

/* Does the PATH begin with the prefix of a place? Files are known by their content
 * (smi_discover_opts.stored). */
bool smi_stored_has_prefix(const char *path);
/* The sweep of all that is stored at the n paths: each a place, or a file of partial summaries ("-" too).
 * run_name:
 * --run, or NULL. The same document twice counts once, and is said. Returns 0, or -1 with err as above
 * (SMI_EFORMAT also where documents were made by other rules, or in another zone): nothing of it counts then,
 * and out is empty.
 * put: NULL, or gets the documents of all that are stored there, whatever their order, each once for every
 * time that it was given, and their end: a merge of what comes out is a merge of what went in. What cannot be
 * merged is refused before. */
int smi_stored_read(struct smi_sweep *out, const char *const *path, size_t n, const char *run_name,
                    const struct smi_options *o, smi_sweep_document_fn *put, void *self, struct smi_err *err);
