/* sqlite.h - a SQLite file of runs: samples, marks, and of each run the partial that makes its summary
 * again.
 *
 * Tables (STRICT; user_version 1, application_id "SMLS"):
 *   runs(id, place, leaf, name, host, state, time_base, start, end, FIELD...)
 *       FIELD: those of model/run_field.def that are stored (duration_s, energy_wh, idle_pct)
 *       place: where its logs are, an absolute path; leaf: which of the runs there; start, end: text, as in
 * JSON params(run, key, value) gpus(run, gpu, idx, uuid, bus, name, pooled)   gpu: a number of this file's
 * own; idx: as the logs print it inputs(run, input, path, nth, format, base, bytes, digest, rows, marks,
 * rows_digest, marks_digest, lines, header, counted, duplicates, blank, messages, rejected) nth: which of
 * those of this path and format; base: utc, local, day or none, on which t_ms stands; the last seven are its
 * line account samples(run, input, row, gpu, t_ms, METRIC...)  row: the number of the reading in its log,
 * from 0; gpu: NULL: the host; t_ms: milliseconds since 1970, NULL: no time; a column a metric that any run
 * has, in the catalogue's unit marks(run, input, mark, kind, name, t_us, span_us, data, extra)  a phase ends
 * at t_us, UTC; data, extra: JSON summaries(run, schema, partial) WAL, so that anybody may read meanwhile. */
#ifndef SMI_EXPORT_SQLITE_H
#define SMI_EXPORT_SQLITE_H

#include "base/sql.h"
#include "summary/merge_queue.h"

enum { SMI_SQLITE_VERSION = 1, SMI_SQLITE_ID = 0x534d4c53 /* "SMLS" */ };

/* Opens the file, which is made if it is not there, to write: of another program or version, it is refused
 * and stays as it is. Or only to read: then it has to be there. s->name is borrowed from path. Returns 0, or
 * -1 with err; the caller ends with smi_sqlite_close either way. */
int smi_sqlite_open(struct smi_sql *s, const char *path, bool write, struct smi_err *err);
void smi_sqlite_close(struct smi_sql *s);

/* ---- the sweep that a SQLite file holds, for summarize, report, check and diff ---- */

/* Gives the partial of every run in the file to smi_merge_queue_add, in the order of names; runs of one name
 * get the place of their logs for a name. where: "sqlite:FILE". The file is only read, and may be written
 * meanwhile: all is of one moment. Returns 0, or -1 with err (SMI_EIO, SMI_EFORMAT, what smi_merge_queue_add
 * has). */
int smi_sqlite_load(struct smi_merge_queue *to, const char *where, struct smi_err *err);

#endif
