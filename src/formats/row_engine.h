/* row_engine.h - logs of rows: the text of a header becomes a plan of columns, the cells below it
 * readings, and each line a row for the sink. A format says what its lines are (its line function) and
 * what its names and cells mean (struct smi_table); all else is done here. */
#pragma once

#include "base/buf.h"
#include "formats/format.h"

/* ---- rows about processes, one call of a monitor after the other: a round holds each process of each
 * device once. When it ends, what its rows add up to becomes a reading of each device ---- */

enum { SMI_POLL_CYCLE_ROWS = 65536 /* a longer round adds up to nothing */ };

struct smi_poll_cycle_gpu {
    int who;
    bool none;              /* a row said that no process runs on it */
    int64_t procs, unknown; /* rows; those without a reading of their memory */
    smi_i128 memory;
};

struct smi_poll_cycle_row {
    int who;
    unsigned types; /* bit 1 << types: it has such a row */
    int64_t pid;
};

/* Zero-initialise, then set account. */
struct smi_poll_cycle {
    struct smi_account *account; /* borrowed; duplicates are counted here */
    bool has_memory;             /* the log has a column for it: no process is no memory in use */
    bool open, timed, fine;
    int64_t t_ms;
    int64_t doubts;         /* rejected lines when it began */
    const int64_t *earlier; /* rejected lines above a row that waited; NULL: all that there are */
    struct smi_poll_cycle_gpu *gpu;
    size_t gpus, gpus_cap;
    struct smi_poll_cycle_row *row;
    size_t rows, cap;
    struct smi_map map;
    bool over; /* more than SMI_POLL_CYCLE_ROWS */
};

/* Rejected lines above the row that is read. */
int64_t smi_poll_cycle_rejected(const struct smi_poll_cycle *r);

/* Sends a row with s->process on, and before it the sums of the round that it ends: `begins` says that the
 * reader knows of a new one, else its time or its process does. A process that comes twice at one time finer
 * than a second is a duplicate. Rows of SMI_DEVICE_POOL add up to nothing. Returns 0. */
int smi_poll_cycle_add(struct smi_poll_cycle *r, const struct smi_sample *s, bool begins,
                       struct smi_lines *l);
/* The end of the rows, or a line after which a new round begins. Lines that were rejected since the round
 * began may have been rows of it: then nothing is known of the devices. */
int smi_poll_cycle_end(struct smi_poll_cycle *r, struct smi_lines *l);
void smi_poll_cycle_fini(struct smi_poll_cycle *r);

/* What a cell can be besides a reading. */
enum {
    SMI_AT_TIME,
    SMI_AT_DATE,
    SMI_AT_NAME, /* the model of the device */
    SMI_AT_PID,
    SMI_AT_PROCESS, /* its name */
    SMI_AT_TYPE,
    SMI_AT_LIFE,
    SMI_AT_INFO,
    SMI_AT_PART,
    SMI_AT_HOST, /* the machine: tells GPUs of one index apart (see smi_row_use) */
    SMI_AT_KEY,  /* + an smi_device_key */
    SMI_AT_COUNT = SMI_AT_KEY + SMI_DEVICE_KEY_COUNT
};

enum { SMI_ROW_READINGS = SMI_SAMPLE_MAX + 8 /* columns with readings or alarms */, SMI_ROW_PART_KEY = 8 };

struct smi_row_column {
    enum smi_column_kind kind;
    uint16_t what, place;
    uint8_t how; /* as smi_alias; or the format's own */
};

/* What a header says of the rows below it. */
struct smi_row_plan {
    size_t width;         /* cells of a row; 0: no header that we can read */
    int at[SMI_AT_COUNT]; /* places, or -1 */
    bool keyed;           /* a column tells devices apart */
    bool commas;          /* of formats that have blanks or commas between cells */
    bool all;             /* columns of one metric are all read: the first that has a reading counts */
    bool draws;           /* columns of mean or instant power, which count where power.draw says nothing */
    bool host;            /* rows are about the machine, as of a table with SMI_TABLE_HOST */
    unsigned n, readings; /* columns; metrics that a row can have at most */
    struct smi_row_column column[SMI_ROW_READINGS];
    char index[SMI_ROW_PART_KEY]; /* of the GPU, where no column has it; or empty */
};

void smi_row_plan_init(struct smi_row_plan *p, size_t width);
/* Adds a column; of two with one meaning the first counts (but see `all`), and what is too much is not read.
 */
void smi_row_plan_add(struct smi_row_plan *p, enum smi_column_kind kind, unsigned what, unsigned how,
                      size_t place);
/* Has the plan a column for this metric? */
bool smi_row_plan_has(const struct smi_row_plan *p, unsigned metric);

/* Two parts of a row: what is of the machine goes to `host`, its time and places to both. */
void smi_row_parts_init(struct smi_row_plan *gpu, struct smi_row_plan *host, size_t width);
void smi_row_parts_add(struct smi_row_plan *gpu, struct smi_row_plan *host, enum smi_column_kind kind,
                       unsigned what, unsigned how, size_t place);

/* A row about several GPUs: a plan for each of them, and for the machine, which has no index. */
enum { SMI_ROW_PARTS = 64 };
struct smi_row_parts {
    unsigned n;
    bool full; /* there are more than SMI_ROW_PARTS */
    struct smi_row_plan part[SMI_ROW_PARTS];
};
/* The plan of the GPU with this index; empty: of the machine. A new one is a copy of base, which has the time
 * and the width of the rows. NULL: there are too many. */
struct smi_row_plan *smi_row_part(struct smi_row_parts *p, struct smi_text key,
                                  const struct smi_row_plan *base);

/* "used_gpu_memory [MiB]": the name without the unit behind it. */
struct smi_text smi_name_without_unit(struct smi_text name);
/* Is one of the names of a list, which ends in NULL, among the n cells of a header? */
bool smi_names_have(const struct smi_text *cell, size_t n, const char *const *list);

/* How a line is split into cells. */
enum {
    SMI_SPLIT_BLANKS = 1 /* else at commas */,
    SMI_SPLIT_QUOTES = 2,
    SMI_SPLIT_LISTS = 4, /* [a, b] is one cell */
    SMI_SPLIT_EXACT = 8  /* blanks around cells belong to them */
};
#define SMI_SPLIT_AT(c) ((unsigned)(c) << 8) /* at another character than commas */
/* The line without a '#' in front, which some write in front of their header; *hash: there was one. */
struct smi_text smi_row_strip_hash(struct smi_text line, bool *hash);
/* Cells of a line, trimmed and lent without quotes around them: the first `most` are filled. Returns the
 * number of cells, of which those past the room may not be counted further than most + 1. */
size_t smi_row_split(struct smi_text line, unsigned how, struct smi_text *cell, size_t most);
/* The same of the first cell only; the line then begins behind it. Returns whether more cells come. */
bool smi_row_next_cell(struct smi_text *line, unsigned how, struct smi_text *cell);
/* A cell of SMI_SPLIT_QUOTES whose doubled quotes become single ones, in plain, which has room for it. */
struct smi_text smi_row_unquote(struct smi_buf *plain, struct smi_text cell);

enum {
    SMI_TABLE_HOST = 1,        /* rows are about the machine */
    SMI_TABLE_FAULTS = 2,      /* messages between rows may tell faults of GPUs */
    SMI_TABLE_CELL_FAULTS = 4, /* and so may cells without a reading */
    SMI_TABLE_BREAKS = 8,      /* no burst of keyless rows goes on behind a header or a line that is no row */
    SMI_TABLE_COUNTED = 32,    /* rows have no readings: they are only counted */
    SMI_TABLE_CYCLES = 16,     /* rows about processes come in poll cycles; else each is of a whole life */
    SMI_TABLE_BARE = 1024,     /* a row about a process counts without its pid and a reading, too */
    SMI_TABLE_SORTED = 512,    /* a cycle goes from GPU to GPU, and has a row for those without processes */
    SMI_TABLE_DEVICES = 64,    /* a row without readings tells its device, too */
    SMI_TABLE_SPARSE = 128,    /* a cell without text was not printed: it is no cell */
    SMI_TABLE_PASSES = 4096,   /* a row of nothing but sentinels is a message: the GPU has no such readings */
    SMI_TABLE_REALS = 2048,    /* numbers may have an exponent, or be nan */
    SMI_TABLE_DATED = 256      /* its program prints dates: a first time without one may be torn */
};

struct smi_row_reader;
struct smi_table;
/* Adds the columns of a header's n cells, by the names of the table. */
void smi_row_plan_names(struct smi_row_plan *p, const struct smi_table *t, const struct smi_text *cell,
                        size_t n);

/* What a format adds; functions that are NULL do what is said behind them. */
struct smi_table {
    unsigned flags;
    size_t columns;       /* most cells of a line */
    const char *headless; /* the message for rows without a header; or NULL */
    /* The names of its headers, without their units; of two meanings the first counts. Columns with another
     * are named in a warning. NULL: the format does so itself. */
    const struct smi_names *names[2];
    /* The time of the row: its cells are in r->cell. Returns 0, or -1: it has none. NULL: rows have no times.
     */
    int (*time)(struct smi_row_reader *r, struct smi_sample *s);
    /* The reading in a cell. NULL: a number, in the unit of its column. */
    enum smi_cell_status (*cell)(struct smi_row_reader *r, const struct smi_row_column *c, struct smi_text t,
                                 int64_t *v);
    /* A cell gave no reading. NULL: smi_cell_count_lost. */
    void (*lost)(struct smi_row_reader *r, const struct smi_row_column *c, enum smi_cell_status what,
                 struct smi_text t);
    /* A key cell as the device knows it; empty: it tells nothing. NULL: as it is, unless it is a sentinel. */
    struct smi_text (*key)(struct smi_row_reader *r, enum smi_device_key key, struct smi_text t);
    bool process; /* rows are about processes; else about devices */
    /* A header on the line of a row that a killed monitor left unfinished; empty: there is none. NULL: not
     * looked for.
     */
    struct smi_text (*glued)(struct smi_row_reader *r, struct smi_text line);
    /* The row's device is known; its key cells are in r->key. NULL: nothing. */
    void (*found)(struct smi_row_reader *r, int who);
    /* Takes the row. NULL: the sink does. */
    int (*send)(struct smi_row_reader *r, struct smi_sample *s);
    /* Columns changed. NULL: nothing. */
    void (*bound)(struct smi_row_reader *r);
};

/* `while true; do date; nvidia-smi ...; sleep 5; done`: a line of date(1) is the time of the rows below it
 * that have none of their own. The second such line proves the loop, so rows below the first are
 * held until it comes; where they are too many or of more than one call, or it never comes, they have no
 * times. */
struct smi_row_dates {
    enum { SMI_DATES_NONE, SMI_DATES_FIRST, SMI_DATES_LOOP, SMI_DATES_OFF } state;
    struct smi_stamp at; /* of the last line */
    int64_t day_ms;      /* of the last line of date /T (Windows), the day of those of time /T; or 0 */
    struct smi_stamp_clock clock; /* of the lines */
    size_t n, cap;                /* rows that are held */
    struct smi_held_row *held;
    struct smi_buf names; /* of their processes */
};

/* What the lines that wait are to tell (row_order.c). */
enum smi_row_question {
    SMI_ASK_NOTHING,
    SMI_ASK_ORDER,      /* whether the day or the month stands first in their dates */
    SMI_ASK_FIRST_TIME, /* whether the first time, which is none of a day, is one at all */
    SMI_ASK_COUNT,      /* whether the first column is the number of the row (of pandas, of SQL) */
    SMI_ASK_MODELS,     /* whether the key is a model, which two GPUs of the first poll share */
    SMI_ASK_KEYS        /* which column of texts tells the rows of one time apart */
};

struct smi_row_order {
    enum smi_row_question asks; /* now */
    unsigned asked;             /* bits: each is asked once, the last two below each header */
    bool sought;                /* a row below the header was looked at */
    bool taken;                 /* nothing tells day from month, which is to be said */
    bool dated;                 /* a time without a day is none */
    int64_t first_ms;           /* the first time */
    unsigned rows;              /* that wait for the answer */
    char date[10];              /* of the last line */
    size_t date_n;
    struct smi_buf lines;
};

/* The reader of such a format begins with it. */
struct smi_row_reader {
    struct smi_lines lines; /* first: see lines.c */
    const struct smi_table *table;
    const char *wanted; /* --input-columns, or NULL */
    unsigned split;     /* of its rows, where smi_row_split has to know another one than the format's; or 0 */
    bool later;         /* rows stand in front of the first line */
    bool untimed;       /* that its times cannot be read was said */
    bool twice;         /* that its rows have two times was said */
    bool told;          /* that rows without a header are of no use */
    unsigned named;     /* rows without a key whose names were looked at */
    bool begins;        /* the row begins a poll cycle */
    int64_t above;      /* with SMI_TABLE_SORTED: index of the row before, + 1; 0: none */
    bool counted;       /* how many GPUs rows without a key are about is known */
    struct smi_row_plan plan;
    const struct smi_row_plan *part; /* of each of the devices that the row is about; or NULL: the plan's */
    unsigned parts;                  /* how many these are */
    struct smi_stamp_clock clock;    /* of all time cells */
    struct smi_row_dates dates;
    struct smi_row_order order;
    char *header; /* the line that the plan comes from */
    size_t header_n, header_cap;
    struct smi_text *cell;                         /* table->columns + 1 */
    struct smi_text key[SMI_DEVICE_KEY_COUNT + 1]; /* of the row; behind them the name of the model */
    struct smi_sample got;                         /* the row */
    int64_t fault[SMI_FAULT_COUNT];                /* of the row: its code, or -1 */
    bool faulty;                                   /* there is one */
    struct smi_poll_cycle cycle;
};

void smi_row_open(struct smi_row_reader *r, const struct smi_table *t, const struct smi_read_opts *o);
void smi_row_close(struct smi_row_reader *r);

/* Those that are an int return 0, so that they can be the last that is done for a line. */

/* After the last line. */
void smi_row_finish(struct smi_row_reader *r);

/* Do the columns of --input-columns, whose plan is the reader's, stand for those of a header of n cells?
 * Where they are more or fewer they do not; a warning says so at the first header. */
bool smi_row_has_wanted(struct smi_row_reader *r, size_t n);
/* A header line: `fresh` is its plan. */
int smi_row_header(struct smi_row_reader *r, struct smi_text line, const struct smi_row_plan *fresh);
/* Do the rows to come have names that only the general path sees? */
bool smi_row_wants_names(const struct smi_row_reader *r);
/* Is it the line that the plan comes from? Then it only counts: see smi_row_count_header. */
bool smi_row_same_header(const struct smi_row_reader *r, struct smi_text line);
int smi_row_count_header(struct smi_row_reader *r);
/* Takes another plan, which comes from no line: width 0 for none. Where only an index names GPUs, a column of
 * hosts tells those of several machines apart, as a serial would. */
void smi_row_use(struct smi_row_reader *r, const struct smi_row_plan *p);
/* n cells are in r->cell; too many may belong to the one at `at`, which may hold commas, but no time. Returns
 * how many there are then. */
size_t smi_row_rejoin(struct smi_row_reader *r, struct smi_text line, size_t n, int at);
/* A comma at the end of a header or a row is no cell: n of them are in r->cell, line.p ends so or not.
 * Returns how many there are without it, or with it where the header has one. */
size_t smi_row_end_comma(const struct smi_row_reader *r, size_t n);
/* The rows of a poll cycle end here. */
int smi_row_end_cycle(struct smi_row_reader *r);
/* A row: as many cells as the plan says are in r->cell. */
int smi_row_read(struct smi_row_reader *r, struct smi_text line);
/* A line of n cells that is no header: a row, if the plan has as many; else a message, a comment (hash), or
 * rejected. */
int smi_row_line(struct smi_row_reader *r, struct smi_text line, size_t n, bool hash);
/* The same: a row about n devices, where plan[i] reads what it says of the
 * i-th. It counts once, and is no duplicate. */
int smi_row_read_parts(struct smi_row_reader *r, struct smi_text line, size_t cells,
                       const struct smi_row_plan *plan, unsigned n);
/* smi_format.whole: a row with all its cells, and the last has its unit or its bracket: "627.40 W", "[N/A]".
 */
bool smi_row_is_whole(void *self, struct smi_text line);
/* A known message, or the output of date(1): but not a row of one cell that has a reading. */
bool smi_row_is_message(struct smi_row_reader *r, struct smi_text line);
/* Counts a line that is a known message; the output of date(1) is the time of what stands below. Returns
 * whether it was one. */
bool smi_row_message(struct smi_row_reader *r, struct smi_text line);
/* smi_lines.date: a time in front of a line is that of the line and those below it, as a line of date(1) is.
 */
void smi_row_date(void *self, struct smi_text front);
/* No row: a message, a comment (hash), or rejected as why. */
int smi_row_other(struct smi_row_reader *r, struct smi_text line, bool hash, enum smi_reject why);
int smi_row_reject(struct smi_row_reader *r, enum smi_reject why, struct smi_text line);
/* A message, or a row without a header that we can read: each is counted, the reason (table->headless) said
 * once. */
int smi_row_headless(struct smi_row_reader *r, struct smi_text line);
/* An unfinished row in front of a header on its line. */
void smi_row_unfinished(struct smi_row_reader *r, struct smi_text line, struct smi_text header);

/* Has more to be seen than this row tells: what its first column, its key or another column is? Then its
 * lines wait. */
bool smi_row_order_asks(struct smi_row_reader *r);
/* A line whose date has day and month in an order that is not known: it waits, and so do those behind it. */
int smi_row_order_wait(struct smi_row_reader *r, struct smi_text line);
/* Asks this, if it was not asked before. Returns whether it does. */
bool smi_row_order_ask(struct smi_row_reader *r, enum smi_row_question what);
/* Nothing tells day from month: what is likely is taken. */
void smi_row_order_take(struct smi_row_reader *r);
/* No line waits any longer. */
void smi_row_order_settle(struct smi_row_reader *r);

/* Time cells of any form (stamp.h). A time of another base than the first one is none. Where no time was read
 * yet and the cell is none, the row counts without one, which is said once. */
int smi_row_time_stamp(struct smi_row_reader *r, struct smi_sample *s);
/* The same of a text; utc: what has no zone is UTC. */
int smi_row_time(struct smi_row_reader *r, struct smi_text t, bool utc, struct smi_sample *s);
/* A text that is not a time. Returns 0: the row goes on without one, or -1. */
int smi_row_untimed(struct smi_row_reader *r, struct smi_text t);
/* The time in front of a row was cut off, or stands in its first cell, too: "15:38:43.359 30, 636". Makes it
 * a cell of its own; cell has room for n + 1. Returns how many there are then. */
size_t smi_row_split_time(struct smi_text *cell, size_t n, struct smi_text front);
/* A time more than the header has: below one without times, "2026-07-03 10:00:00, 0, 28 %", it is that of the
 * row; of two the second is kept, which is said once. Returns how many cells there are without it. */
size_t smi_row_take_time(struct smi_row_reader *r, size_t n);
/* n cells are in r->cell, more than the plan says: those of a stamp with a comma in front of its fraction
 * ("17:26:50,123") become one. Returns how many there are then. */
size_t smi_row_rejoin_time(struct smi_row_reader *r, size_t n);
/* The text of the cell at this place (SMI_AT_*); empty if there is none or it is a sentinel. */
struct smi_text smi_row_text(const struct smi_row_reader *r, unsigned at);

/* ---- what the readers of AMD logs share (amd.c) ---- */

/* What a label of rocm-smi means: CSV header or JSON key. It may be known and not be read (SMI_COL_SKIP). */
const struct smi_alias *smi_rocm_alias(struct smi_text label);
/* Its column; two can tell the model. */
void smi_rocm_add_column(struct smi_row_plan *p, const struct smi_alias *a, size_t place);
/* "card12": its number as text (borrowed); empty: t does not name a card. */
struct smi_text smi_rocm_card(struct smi_text t);
extern const struct smi_table smi_rocm_json_table;
/* smi_table.time of documents (gpu_json.c), which are no lines that could wait for others. */
int smi_json_document_time(struct smi_row_reader *row, struct smi_sample *s);
/* smi_table.cell: a number, perhaps with MHz behind it. */
enum smi_cell_status smi_amd_cell(struct smi_row_reader *r, const struct smi_row_column *c, struct smi_text t,
                                  int64_t *v);
/* smi_table.key: but for a cell that says nothing ("?": of JSON, a value that is no text). */
struct smi_text smi_amd_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell);
/* A cell that says nothing: "N/A", "N/A (Secondary die)", "None", empty, a list. */
bool smi_amd_missing(struct smi_text cell);
