/* samples.h - samples that smilog export has written, on their way back: what their readers share. Of a
 * (GPU, metric) there is one source already. The rows of each device that come from its first log make its
 * intervals; those of another log of it only tell how long the run was. What is read is of one run
 * (samples_runs.c cuts a file into its runs): rows of others are rejected. */
#ifndef SMI_FORMATS_SAMPLES_H
#define SMI_FORMATS_SAMPLES_H

#include "base/stream.h"
#include "formats/column.h"
#include "formats/json_line.h"
#include "model/format_info.h"

struct smi_samples_reader {
    char *run; /* of the first row, run_n bytes; or NULL */
    size_t run_n;
    bool told;     /* that there are others */
    int16_t *main; /* of each device, the host in front: number of its first format, + 1 */
    size_t cap;
    int64_t row; /* number of the row before, or -1 */
    unsigned n;  /* readings of the row at hand */
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
};

/* What a row says of itself, as it is written; an empty text: nothing. */
struct smi_samples_row {
    struct smi_text run, format, time, index, uuid, bus, name;
    bool host, pooled;
    int64_t row; /* its number in its log; -1: none */
};

/* Is the row of the file's run? Else it is rejected. Returns 1, 0, or -1 with err. */
int smi_samples_reader_is_own_run(struct smi_samples_reader *b, struct smi_lines *l, struct smi_text run,
                                  struct smi_text line);
/* Adds a reading to the row at hand; those beyond SMI_SAMPLE_MAX are passed over. */
void smi_samples_reader_read(struct smi_samples_reader *b, unsigned metric, int64_t v);
/* Hands the row on, with the readings that were added since the one before, or rejects its line. Returns 0,
 * or -1 with err. */
int smi_samples_reader_add(struct smi_samples_reader *b, struct smi_lines *l,
                           const struct smi_samples_row *row, struct smi_text line, struct smi_err *err);
void smi_samples_reader_fini(struct smi_samples_reader *b);

/* Hands on what entry (with "phase" or "event", borrowed) says of the time, or rejects its line; r is room
 * for its values. Returns 0, or -1 with err. */
int smi_samples_mark_read(struct smi_json_fields *r, struct smi_lines *l, struct smi_text time, json_t *entry,
                          struct smi_text line, struct smi_err *err);

/* ---- a file of samples of many runs (smilog export --to jsonl:, csv:) as an archive: a run is a member,
 * and its lines are what the member holds ---- */

/* Is it one of the formats whose files are walked so? smi_format_id, or -1. */
bool smi_samples_format(int format);
/* Has the regular file fd, a log of another format that may hold several runs (CodeCarbon's emissions.csv),
 * more than one? Then it is walked as well; a run is named by its run_id. */
bool smi_samples_has_runs(int fd, const char *name, int format);
/* Walks the regular file fd (borrowed, read from its beginning, packed or not; its place is the beginning
 * after that). A member's path is the name of its run, as it is written; its bytes are the lines of the run
 * in the order of the file, wherever they stand in it, of a CSV with the header that is theirs in front. A
 * line that names no run goes with the one before it. A file without any run is one member, called `name`.
 * What is packed is kept in a file of $TMPDIR meanwhile; of each stretch of lines that belong together 32
 * bytes are kept in memory. All else as smi_archive_walk (base/stream.h). */
int smi_samples_walk(int fd, const char *name, int format, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt, struct smi_err *err);

#endif
