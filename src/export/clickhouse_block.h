/* clickhouse_block.h - rows of samples column by column, as ClickHouse's format Native has them: a block says
 * how many rows it has before the first of them, so that a block which was cut on its way is refused whole.
 * (Of RowBinary, a row behind the other, a server keeps the rows that came.) */
#ifndef SMI_EXPORT_CLICKHOUSE_BLOCK_H
#define SMI_EXPORT_CLICKHOUSE_BLOCK_H

#include "export/clickhouse_schema.h"
#include "model/metric.h"

/* The columns of samples that differ from row to row, and those that are of a batch. */
enum { SMI_CH_ROW_CELLS = 7, SMI_CH_BATCH_CELLS = SMI_CH_SAMPLE_COLUMNS - SMI_CH_ROW_CELLS };

/* The cells of columns.def of these names. */
struct smi_ch_row {
    int gpu;
    int64_t t_ms;
    bool timed, utc;
    struct smi_text uuid;
    uint64_t row;
};

/* What is stored at once, or not at all: rows of one input that follow each other. */
struct smi_ch_batch {
    uint64_t run, batch; /* batch: smi_ch_block_sum */
    uint64_t first, end;
    uint32_t rows;
    struct smi_text input;
    int month; /* days since 1970 */
};

struct smi_ch_block {
    enum smi_ch_dialect dialect;
    size_t rows;
    struct smi_buf cell[SMI_CH_SAMPLE_COLUMNS]; /* a place in columns.def each */
    struct smi_ch_readings {
        struct smi_buf absent, value; /* of so many rows; those behind them have no reading */
        size_t rows;
    } metric[SMI_METRIC_COUNT];
    bool failed; /* memory */
};

/* Adds a row, and then its readings, of each metric at most one. */
void smi_ch_block_row(struct smi_ch_block *b, const struct smi_ch_row *row);
void smi_ch_block_reading(struct smi_ch_block *b, unsigned metric, int64_t micro);
/* A sum over all that the rows have. */
uint64_t smi_ch_block_sum(const struct smi_ch_block *b, uint64_t run, uint64_t first, const char *input);
/* Appends the rows of another block, as the batch that they are. */
void smi_ch_block_join(struct smi_ch_block *b, const struct smi_ch_block *rows,
                       const struct smi_ch_batch *batch);
size_t smi_ch_block_bytes(const struct smi_ch_block *b);
/* The names of its columns: "run, gpu". */
void smi_ch_block_names(const struct smi_ch_block *b, struct smi_buf *to);
/* The block as it is sent, in pieces that lie in it and in heads. Returns how many, or 0 without memory. */
enum { SMI_CH_PIECES = 1 + 2 * SMI_CH_SAMPLE_COLUMNS + 3 * SMI_METRIC_COUNT };
size_t smi_ch_block_pieces(struct smi_ch_block *b, struct smi_buf *heads,
                           struct smi_text piece[SMI_CH_PIECES]);
void smi_ch_block_clear(struct smi_ch_block *b); /* its memory is kept */
void smi_ch_block_fini(struct smi_ch_block *b);

/* Numbers and texts as the binary formats have them: 7 bits a byte, the lowest first; length and bytes. */
void smi_ch_put_count(struct smi_buf *to, uint64_t n);
void smi_ch_put_text(struct smi_buf *to, struct smi_text t);
/* The bytes of n, the lowest first. */
void smi_ch_put_bytes(struct smi_buf *to, uint64_t n, size_t bytes);

#endif
