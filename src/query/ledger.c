/* ledger.c - adds up the rows of jobs by user, node and more, and finds GPUs that are slower than others.
 * What a row says of a GPU is a row of a table in a temporary file, so that memory does not grow with the
 * ledger; SQLite groups, compares and sorts them. */
#include "summary/gpus.h"
#include "summary/ledger_row.h"
#include "query/query.h"
#include "query/query_db.h"
#include "base/map.h"
#include "base/file.h"
#include "base/sql.h"
#include "base/stream.h"
#include "formats/format.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ledger {
    struct smi_db db;
    sqlite3_stmt *put_gpu;
    const struct smi_prices *prices; /* or NULL */
    int by[SMI_LEDGER_KEYS];
    size_t keys;
    bool of_gpus; /* one of them is the UUID */
    struct smi_ledger_row row;
    int64_t rows;
    uint64_t bytes; /* a hash of the row's */
};

const struct smi_field_info smi_ledger_fields[SMI_LEDGER_FIELDS] = {
#define SMI_LEDGER_FIELD(id, name, type, of, words, sql) \
    [SMI_LEDGER_##id] = {.key = name, .kind = SMI_DATUM_##type, .unit = of, .help = words},
#include "query/ledger_field.def"
#undef SMI_LEDGER_FIELD
};

/* What a group has of it, which is not grouped by it. */
static const char *const of_group[SMI_LEDGER_FIELDS] = {
#define SMI_LEDGER_FIELD(id, name, type, of, words, sql) [SMI_LEDGER_##id] = sql,
#include "query/ledger_field.def"
#undef SMI_LEDGER_FIELD
};

/* ---- which columns ---- */

/* Returns -1 with err if there is none. */
static int find_field(struct ledger *l, const char *opt, struct smi_text word, struct smi_err *err)
{
    for (int i = 0; i < SMI_LEDGER_FIELDS; i++)
        if (smi_text_is(word, smi_ledger_fields[i].key))
            return i;
    return smi_db_no_column(&l->db, opt, smi_arena_text(&l->db.arena, word.p, word.n), false, err);
}

static bool is_key(const struct ledger *l, int id)
{
    bool is = false;
    for (size_t i = 0; i < l->keys; i++)
        is |= l->by[i] == id;
    return is;
}

static int choose_keys(struct ledger *l, const char *list, struct smi_err *err)
{
    struct smi_text word;
    while (smi_text_next_item(&list, &word)) {
        int id = find_field(l, "group-by", word, err);
        if (id < 0)
            return -1;
        if (id >= SMI_LEDGER_KEYS)
            return smi_err_set(err, SMI_EUSAGE, "--group-by: %s is a figure of each group",
                               smi_ledger_fields[id].key);
        if (!is_key(l, id))
            l->by[l->keys++] = id;
        l->of_gpus |= id == SMI_LEDGER_BY_GPU_UUID;
    }
    return 0;
}

static bool has_field(const struct ledger *l, int id)
{
    const bool gpu = id == SMI_LEDGER_BY_NODE || id == SMI_LEDGER_BY_GPU_NAME ||
                     (id >= SMI_LEDGER_NOTE && id <= SMI_LEDGER_POWER);
    if (id == SMI_LEDGER_COST)
        return l->prices && (l->prices->n || l->prices->has_kwh);
    return is_key(l, id) || (id >= SMI_LEDGER_KEYS ? !gpu || l->of_gpus : gpu && l->of_gpus);
}

/* Appends the columns of a list as SQL; opt: columns, or sort. */
static int add_fields(struct ledger *l, const char *opt, const char *list, struct smi_buf *sql,
                      struct smi_err *err)
{
    const char *order = strcmp(opt, "sort") == 0 ? "" : NULL;
    struct smi_text word;
    while (smi_db_next_column(&list, &word, &order)) {
        const int id = find_field(l, opt, word, err);
        if (id < 0)
            return -1;
        if (id == SMI_LEDGER_COST && !has_field(l, id))
            return smi_err_set(err, SMI_EUSAGE, "--%s: cost needs --price-gpu-hour or --price-kwh", opt);
        if (!has_field(l, id))
            return smi_err_set(err, SMI_EUSAGE, "--%s: groups by %s have %s, these have not", opt,
                               smi_ledger_fields[id < SMI_LEDGER_KEYS ? id : SMI_LEDGER_BY_GPU_UUID].key,
                               smi_ledger_fields[id].key);
        smi_buf_fmt(sql, "%s%s, ", smi_ledger_fields[id].key, order ? order : "");
    }
    return 0;
}

/* All columns: what groups are called, and what is told of them; the model, which a narrow window hides
 * first, is the last. */
static void add_all_fields(struct ledger *l, struct smi_buf *sql)
{
    for (size_t i = 0; i < l->keys + SMI_LEDGER_FIELDS; i++) {
        const int id = i < l->keys ? l->by[i] : (int)((i - l->keys + 1) % SMI_LEDGER_FIELDS);
        if (i < l->keys || (has_field(l, id) && !is_key(l, id)))
            smi_buf_fmt(sql, "%s, ", smi_ledger_fields[id].key);
    }
}

/* The statement that reads the result. Returns 0, or -1 with err. */
static int write_select(struct ledger *l, const struct smi_query *q, struct smi_buf *sql, struct smi_err *err)
{
    if (q->sql || q->join || q->since || q->until)
        return smi_err_set(
            err, SMI_EUSAGE,
            "a ledger answers --where, --group-by, --columns and --sort alone: month and day tell "
            "times apart");
    if (choose_keys(l, q->group_by ? q->group_by : "user,account", err))
        return -1;
    smi_buf_str(sql, "SELECT ");
    if (add_fields(l, "columns", q->columns, sql, err))
        return -1;
    if (sql->n == strlen("SELECT "))
        add_all_fields(l, sql);
    sql->n -= 2; /* the last comma */
    smi_buf_str(sql, " FROM groups ORDER BY ");
    if (add_fields(l, "sort", q->sort, sql, err))
        return -1;
    for (size_t i = 0; i < l->keys; i++)
        smi_buf_fmt(sql, "%s COLLATE names NULLS LAST, ", smi_ledger_fields[l->by[i]].key);
    smi_buf_str(sql, "id");
    return 0;
}

/* ---- which rows ---- */

/* The expression stands by itself in both its places, or it is none. */
static int check_filter(struct ledger *l, const char *where, struct smi_err *err)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st;
    smi_buf_str(&b, "SELECT 1 FROM (SELECT ");
    for (int id = 0; id < SMI_LEDGER_KEYS; id++)
        smi_buf_fmt(&b, "%s%s", id ? ", " : "", smi_ledger_fields[id].key);
    smi_buf_fmt(&b, " FROM gpu) WHERE (%s\n) AND CASE WHEN %s\n THEN 1 END", where, where);
    l->db.locked = true;
    st = smi_db_select(&l->db, "where", &b, err);
    l->db.locked = false;
    sqlite3_finalize(st);
    return st ? 0 : -1;
}

/* Says of each row whether it is asked for: the others are compared with, and no more. */
static int filter_rows(struct ledger *l, const char *where, struct smi_err *err)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st = NULL;
    int rc = l->db.failed;
    smi_buf_fmt(&b, "UPDATE gpu SET wanted = 0 WHERE CASE WHEN %s\n THEN 0 ELSE 1 END", where);
    rc = rc || sqlite3_prepare_v2(l->db.db, b.p, -1, &st, NULL) || smi_db_step(&l->db, "where", st, err);
    smi_buf_fini(&b);
    return rc;
}

/* ---- rows ---- */

/* Adds one GPU of the row. */
static int add_gpu(struct ledger *l, const struct smi_ledger_gpu *gpu)
{
    const struct smi_value price =
        l->prices && l->prices->n ? smi_price_of(l->prices, gpu->model) : (struct smi_value){0, true};
    const int64_t v[] = {true,
                         l->rows,
                         (int64_t)l->bytes,
                         l->row.text[SMI_LEDGER_INCOMPLETE] != NULL,
                         gpu->ms[0],
                         gpu->ms[1],
                         gpu->ms[2],
                         gpu->ms[3],
                         gpu->ms[4],
                         gpu->joules,
                         gpu->idle_ms[0],
                         gpu->idle_ms[1],
                         gpu->load_ms / 1000,
                         gpu->clock,
                         gpu->power};
    enum { ALL = sizeof v / sizeof *v, LOAD = 3 };
    int at = 1;
    for (int i = SMI_LEDGER_JOB; i <= SMI_LEDGER_END; i++)
        sqlite3_bind_text(l->put_gpu, at++, l->row.text[i], -1, SQLITE_STATIC);
    sqlite3_bind_text(l->put_gpu, at++, gpu->uuid, -1, SQLITE_STATIC);
    sqlite3_bind_text(l->put_gpu, at++, gpu->model, -1, SQLITE_STATIC);
    if (price.has || !gpu->ms[SMI_LEDGER_ALL])
        sqlite3_bind_int64(l->put_gpu, at, price.micro);
    for (size_t i = 0; i < (l->of_gpus && gpu->load_ms ? ALL : ALL - LOAD); i++)
        sqlite3_bind_int64(l->put_gpu, ++at, v[i]);
    smi_db_insert_row(&l->db, l->put_gpu);
    return l->db.failed ? -1 : 0;
}

struct line_reader {
    struct smi_lines lines; /* first: see formats/lines.c */
    struct ledger *to;
};

/* A row without GPUs counts as a job. */
static int take_line(void *self, struct smi_text line)
{
    struct line_reader *r = self;
    struct ledger *l = r->to;
    if (!smi_ledger_row_read(&l->row, line))
        return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
    l->rows++;
    l->bytes = smi_hash_bytes(line.p, line.n);
    for (size_t i = 0; i < l->row.gpus && !r->lines.failed; i++)
        r->lines.failed = add_gpu(l, &l->row.gpu[i]);
    if (!l->row.gpus && !l->of_gpus)
        r->lines.failed = add_gpu(l, &(struct smi_ledger_gpu){.model = l->row.text[SMI_LEDGER_MODEL]});
    return r->lines.failed;
}

/* ---- files ---- */

static int read_file(struct ledger *l, const char *path, struct smi_buf *said, struct smi_err *err)
{
    static const struct smi_format lines = {.size = sizeof(struct line_reader), .line = take_line};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct smi_account *a = &(struct smi_account){0};
    struct smi_reader *in = smi_reader_open(&lines, &(struct smi_read_opts){.account = a}, err);
    struct smi_file_info info;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err);
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    char piece[16384];
    ssize_t n = 0;
    ((struct line_reader *)in)->to = l;
    while (s && !err->code && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0)
        smi_reader_feed(in, piece, (size_t)n, NULL, err);
    if (s && !err->code && smi_reader_finish(in, NULL, err) == 0 && smi_stream_warning(s))
        smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", name, smi_stream_warning(s));
    smi_stream_close(s);
    smi_reader_close(in);
    if (fd >= 0)
        close(fd);
    if (smi_account_rejected(a))
        smi_buf_fmt(said, "%s: %lld of %lld line%s of a ledger, and not counted: the first is line %lld%c",
                    name, (long long)smi_account_rejected(a), (long long)a->lines,
                    a->lines == 1 ? " is no row" : "s are no rows",
                    (long long)(a->problems ? a->problem[0].line : 0), 0);
    smi_account_fini(a);
    return err->code ? -1 : 0;
}

/* ---- groups ---- */

/* What a GPU did in a job: w seconds, an hour at most, so that no long job decides alone, at clock x and
 * power y: where the job has three GPUs of the model or more, in millionths of their medians, at most 4 of
 * them. What its jobs have in common with others is its habit: of ratios the model, else the user, too. */
static const char compare_load[] =
    "CREATE TABLE load AS SELECT id, row, beside, s, clock, power, min(s, 3600) AS w, "
    "CASE WHEN NOT beside THEN clock "
    "WHEN mhz > 0 THEN CAST(round(min(clock / mhz, 4) * 1e6) AS INTEGER) ELSE 1000000 END AS x, "
    "CASE WHEN NOT beside THEN power WHEN watts > 0 THEN CAST(round(min(power / watts, 4) * 1e6) AS INTEGER) "
    "ELSE 1000000 END AS y, model || CASE WHEN beside THEN '' ELSE '/' || ifnull(user, '') END AS habit "
    "FROM reading JOIN (SELECT row, model, count(*) >= 3 AS beside, median(clock) AS mhz, "
    "median(power) AS watts FROM reading GROUP BY row, model) USING (row, model) "
    "WHERE id IS NOT NULL AND s > 0";

/* l: the sums of a GPU for each habit. m: what is usual of a habit, of three GPUs or more. s: a GPU as shares
 * of that, and the variance of its clock from how its jobs differ; the other GPUs of its own jobs count more
 * than those of other jobs. p, q: what is usual of a model, of four GPUs or more, and how much its GPUs
 * differ. A GPU is slow if it is far below the others, by more than they differ among themselves, and by more
 * than its own jobs differ; in ten jobs and an hour at least. */
static const char compare_gpus[] =
    "WITH l AS (SELECT id, habit, beside, total(w) AS w, total(w * x) AS wx, total(w * y) AS wy, "
    "total(w * w) AS ww, total(w * w * x) AS wwx, total(1.0 * w * w * x * x) AS wwxx FROM load GROUP BY id, "
    "habit), "
    "m AS (SELECT habit, median(wx / w) AS x, median(wy / w) AS y FROM l GROUP BY habit "
    "HAVING count(*) >= 3), "
    "t AS (SELECT groups.id, gpu_name, loaded, total(w) AS w, total(wx / x) / total(w) AS clock, "
    "total(wy / y) / total(w) AS power, total(wwxx / x / x) AS xx, total(wwx / x) AS xw, total(ww) AS ww "
    "FROM l JOIN m USING (habit) JOIN groups USING (id) WHERE x > 0 AND y > 0 AND gpu_name IS NOT NULL "
    "AND (l.beside OR groups.beside < 10) GROUP BY groups.id), "
    "s AS (SELECT *, max(0, xx - 2 * clock * xw + clock * clock * ww) / (w * w) AS variance FROM t "
    "WHERE w > 0), "
    "p AS (SELECT gpu_name, median(clock) AS clock, median(power) AS power FROM s GROUP BY gpu_name "
    "HAVING count(*) >= 4), "
    "q AS (SELECT s.gpu_name, 1.4826 * median(abs(s.clock - p.clock)) AS deviation FROM s JOIN p "
    "USING (gpu_name) GROUP BY 1) "
    "UPDATE groups SET clock_pct = c.clock, power_pct = c.power, note = CASE WHEN slow THEN 'slow' END "
    "FROM (SELECT s.id, CAST(round(s.clock / p.clock * 100e6) AS INTEGER) AS clock, "
    "CAST(round(s.power / p.power * 100e6) AS INTEGER) AS power, loaded >= 10 AND w >= 3600 "
    "AND s.clock < 0.97 * p.clock AND p.clock - s.clock > 4.5 * deviation "
    "AND (p.clock - s.clock) * (p.clock - s.clock) > 16 * variance AS slow "
    "FROM s JOIN p USING (gpu_name) JOIN q USING (gpu_name)) AS c WHERE c.id = groups.id";

/* quotient(a, times, b): rounded once; NULL where b is 0. */
static void quotient(sqlite3_context *c, int argc, sqlite3_value **v)
{
    const int64_t den = sqlite3_value_int64(v[2]);
    (void)argc;
    if (den > 0)
        sqlite3_result_int64(
            c, (int64_t)smi_i128_div((smi_i128)sqlite3_value_int64(v[0]) * sqlite3_value_int64(v[1]), den));
}

/* The table of what rows say. reading: its GPUs under full load. */
static void make_tables(struct ledger *l)
{
    const int64_t kwh = l->prices && l->prices->has_kwh ? l->prices->kwh : 0;
    struct smi_buf b = {0};
    if (sqlite3_create_function(l->db.db, "quotient", 3,
                                SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, NULL, quotient, NULL,
                                NULL))
        smi_mem_exhausted();
    smi_buf_str(&b,
                "CREATE TABLE gpu(job, user, account, partition, node, state COLLATE NOCASE, began, ended, "
                "gpu_uuid, gpu_name, price, wanted, row, bytes, incomplete, all_ms, failed_ms, held_ms, "
                "idle_ms, unknown_ms, joules, memory_held_ms, memory_free_ms, s, clock, power, "
                "month AS (substr(began, 1, 7)), day AS (substr(began, 1, 10)), id AS (''");
    for (size_t i = 0; i < l->keys; i++)
        smi_buf_fmt(&b, " || quote(%s)", smi_ledger_fields[l->by[i]].key);
    smi_buf_fmt(&b,
                ") STORED, used_ms AS (all_ms - failed_ms - held_ms - idle_ms - unknown_ms), "
                "cost AS (CASE WHEN price IS NOT NULL THEN quotient(all_ms, price, 3600000) + "
                "quotient(joules, %lld, 3600000) END)); "
                "CREATE VIEW reading AS SELECT CASE WHEN gpu_uuid IS NOT NULL AND wanted THEN id END AS id, "
                "ifnull(gpu_name, '') AS model, user, row, s, clock, power FROM gpu WHERE s IS NOT NULL",
                (long long)kwh);
    smi_db_exec(&l->db, b.p);
    smi_buf_fini(&b);
    l->put_gpu = smi_db_prepare_insert(&l->db, "gpu", 26);
}

/* A time in which several jobs have one GPU counts for the one that began first: the others lose their share
 * of all that they add. */
static const char count_once[] =
    "UPDATE gpu SET all_ms = quotient(all_ms, own, whole), failed_ms = quotient(failed_ms, own, whole), "
    "held_ms = quotient(held_ms, own, whole), idle_ms = quotient(idle_ms, own, whole), "
    "unknown_ms = quotient(unknown_ms, own, whole), joules = quotient(joules, own, whole), "
    "memory_held_ms = quotient(memory_held_ms, own, whole), "
    "memory_free_ms = quotient(memory_free_ms, own, whole) "
    "FROM (SELECT place, until_ms - from_ms AS whole, max(0, until_ms - known_ms) AS own FROM (SELECT place, "
    "from_ms, until_ms, max(until_ms) OVER (PARTITION BY gpu_uuid COLLATE NOCASE, zoned ORDER BY from_ms, "
    "until_ms DESC, job, user, all_ms DESC, joules, "
    "account, partition, node, state, gpu_name, failed_ms, held_ms, idle_ms, unknown_ms, memory_held_ms, "
    "memory_free_ms, incomplete, place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 "
    "PRECEDING) AS known_ms "
    "FROM (SELECT *, rowid AS place, began GLOB '*T*[-+Z]*' AS zoned, "
    "CAST(round((julianday(began) - 2440587.5) * 86400000) AS INTEGER) AS from_ms, "
    "CAST(round((julianday(ended) - 2440587.5) * 86400000) AS INTEGER) AS until_ms FROM gpu "
    "WHERE gpu_uuid IS NOT NULL AND wanted) WHERE until_ms > from_ms) WHERE known_ms > from_ms) WHERE "
    "gpu.rowid = place";

/* A number of the tables. */
static int64_t ask_number(struct ledger *l, const char *sql)
{
    int64_t n = 0;
    smi_sql_do(&(struct smi_sql){l->db.db, ""}, &n, &(struct smi_err){0}, sql, "");
    return n;
}

/* Rows of one job, node and start are one, and those that lack one of these, if they are the same to the
 * byte: that of the most GPU time counts, in whatever order they came. */
static void drop_again(struct ledger *l, struct smi_buf *said)
{
    int64_t again;
    smi_db_exec(
        &l->db,
        "CREATE TABLE again AS SELECT row FROM (SELECT row, row_number() OVER (PARTITION BY CASE WHEN job "
        "|| node || began IS NULL THEN bytes END, job, node, began ORDER BY sum(all_ms) DESC, bytes) AS nth "
        "FROM gpu WHERE wanted GROUP BY row) WHERE nth > 1; DELETE FROM gpu WHERE row IN (SELECT row FROM "
        "again)");
    again = ask_number(l, "SELECT count(*) FROM again");
    if (again)
        smi_buf_fmt(said, "%lld of %lld rows are of jobs that are there already, and count once%c",
                    (long long)again, (long long)l->rows, 0);
}

/* Says what is left out. */
static void drop_overlaps(struct ledger *l, struct smi_buf *said)
{
    static const char all_time[] = "SELECT sum(all_ms) FROM gpu WHERE wanted";
    const int64_t before = ask_number(l, all_time);
    int64_t left;
    smi_db_exec(&l->db, count_once);
    left = before - ask_number(l, all_time);
    if (left >= SMI_OVERLAP_LEAST_MS)
        smi_buf_fmt(said,
                    "%s GPU-h are in several jobs: they hold the same GPU at the same time, which sums count "
                    "once%c",
                    smi_fixed_text(&l->db.arena, smi_value_hours(left).micro, 2), 0);
}

/* The table of groups: what compare_gpus needs, and the fields, whose numbers are millionths. */
static void make_groups(struct ledger *l)
{
    struct smi_buf b = {0};
    smi_db_exec(&l->db, compare_load);
    smi_buf_str(&b, "CREATE TABLE groups(id, loaded, beside");
    for (int id = 0; id < SMI_LEDGER_FIELDS; id++)
        smi_buf_fmt(&b, ", %s %s", smi_ledger_fields[id].key,
                    smi_ledger_fields[id].kind == SMI_DATUM_MICRO ? SMI_DB_MICRO : "");
    smi_buf_str(&b, "); INSERT INTO groups SELECT id, loaded, beside");
    for (int id = 0; id < SMI_LEDGER_FIELDS; id++)
        smi_buf_fmt(&b, ", %s",
                    is_key(l, id)      ? smi_ledger_fields[id].key
                    : has_field(l, id) ? of_group[id]
                                       : "NULL");
    smi_buf_str(&b,
                " FROM gpu LEFT JOIN (SELECT id, count(DISTINCT row) AS loaded, count(DISTINCT CASE WHEN "
                "beside THEN row END) AS beside, sum(s) AS top_s, sum(s * clock) AS top_mhz, sum(s * power) "
                "AS top_w FROM load GROUP BY id) USING (id) WHERE wanted GROUP BY id");
    smi_db_exec(&l->db, b.p);
    smi_buf_fini(&b);
    smi_db_exec(&l->db, compare_gpus);
}

int smi_ledger_query(const char *const *path, size_t n, const struct smi_query *q, struct smi_result *rows,
                     struct smi_buf *said, struct smi_err *err)
{
    struct ledger l = {.prices = q->prices};
    struct smi_buf sql = {0};
    int rc;
    smi_db_begin(&l.db, "", err);
    rc = write_select(&l, q, &sql, err);
    make_tables(&l);
    rc = rc || (q->where && check_filter(&l, q->where, err)) ? -1 : 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = read_file(&l, path[i], said, err);
    if (!rc && !l.rows)
        rc = smi_err_set(err, SMI_EFORMAT, "no row of a ledger in %.200s%s", path[0],
                         n == 1 ? "" : " and the other files");
    rc = rc || (q->where && filter_rows(&l, q->where, err));
    if (!rc) {
        drop_again(&l, said);
        drop_overlaps(&l, said);
        make_groups(&l);
    }
    rc = rc || l.db.failed || smi_result_read(rows, &l.db, "group-by", &sql, err) ? -1 : 0;
    if (!rc && !rows->n)
        smi_buf_fmt(said, "no row of %lld is what was asked for: --where '%.200s' leaves none%c",
                    (long long)l.rows, q->where ? q->where : "", 0);
    smi_buf_fini(&sql);
    smi_ledger_row_fini(&l.row);
    sqlite3_finalize(l.put_gpu);
    smi_db_close(&l.db);
    return rc;
}
