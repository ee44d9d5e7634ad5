#include "process/usage.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- cells of a row ---- */

enum { PERCENT = 1000000, SECOND = 1000000, FIXED = 9, COLUMNS = 22 };

enum cell_kind { CELL_NONE, CELL_WORD, CELL_COUNT, CELL_REAL };

/* The columns of static_data and of data. */
struct column {
    const char *name;
    enum cell_kind kind;
};

/* What stands in a row. */
struct cell {
    enum cell_kind kind; /* CELL_NONE: not known */
    const char *word;
    int64_t count;
    double real;
};

static const struct column fixed[FIXED] = {
    {"ram_unit", CELL_WORD},
    {"gpu_ram_unit", CELL_WORD},
    {"time_unit", CELL_WORD},
    {"ram_system_capacity", CELL_REAL},
    {"gpu_ram_system_capacity", CELL_REAL},
    {"system_core_count", CELL_COUNT},
    {"n_expected_cores", CELL_COUNT},
    {"system_gpu_count", CELL_COUNT},
    {"n_expected_gpus", CELL_COUNT},
};

static const struct column columns[COLUMNS] = {
    {"main_ram", CELL_REAL},
    {"descendants_ram", CELL_REAL},
    {"combined_ram", CELL_REAL},
    {"system_ram", CELL_REAL},
    {"main_gpu_ram", CELL_REAL},
    {"descendants_gpu_ram", CELL_REAL},
    {"combined_gpu_ram", CELL_REAL},
    {"system_gpu_ram", CELL_REAL},
    {"gpu_sum_utilization_percent", CELL_REAL},
    {"gpu_hardware_utilization_percent", CELL_REAL},
    {"main_n_threads", CELL_COUNT},
    {"descendants_n_threads", CELL_COUNT},
    {"combined_n_threads", CELL_COUNT},
    {"cpu_system_sum_utilization_percent", CELL_REAL},
    {"cpu_system_hardware_utilization_percent", CELL_REAL},
    {"cpu_main_sum_utilization_percent", CELL_REAL},
    {"cpu_main_hardware_utilization_percent", CELL_REAL},
    {"cpu_descendants_sum_utilization_percent", CELL_REAL},
    {"cpu_descendants_hardware_utilization_percent", CELL_REAL},
    {"cpu_combined_sum_utilization_percent", CELL_REAL},
    {"cpu_combined_hardware_utilization_percent", CELL_REAL},
    {"timestamp", CELL_REAL},
};

static struct cell word_cell(const char *text)
{
    return (struct cell){.kind = CELL_WORD, .word = text};
}

static struct cell count_cell(int64_t v)
{
    return (struct cell){.kind = v < 0 ? CELL_NONE : CELL_COUNT, .count = v};
}

/* v / den; a negative v, or a den that is not above 0, is not known. */
static struct cell real_cell(int64_t v, smi_i128 den)
{
    bool known = v >= 0 && den > 0;
    return (struct cell){.kind = known ? CELL_REAL : CELL_NONE, .real = known ? smi_i128_ratio(v, den) : 0};
}

static void fill_static_cells(struct cell cell[FIXED], const struct smi_usage_machine *m,
                              const struct smi_usage_units *units)
{
    const struct smi_usage_unit *ram = &smi_usage_sizes[units->ram],
                                *gpu_ram = &smi_usage_sizes[units->gpu_ram];
    const struct cell all[FIXED] = {
        word_cell(ram->name),
        word_cell(gpu_ram->name),
        word_cell(smi_usage_times[units->time].name),
        real_cell(m->ram, ram->size),
        real_cell(m->gpu_ram, gpu_ram->size),
        count_cell(m->cores),
        count_cell(m->expected_cores),
        count_cell(m->gpus),
        count_cell(m->expected_gpus),
    };
    memcpy(cell, all, sizeof all);
}

/* The sum, and its share of the hardware. */
static void percent_cells(struct cell *cell, int64_t sum, int64_t among)
{
    cell[0] = real_cell(sum, PERCENT);
    cell[1] = real_cell(sum, (smi_i128)PERCENT * (among < 0 ? 0 : among));
}

static void fill_cells(struct cell cell[COLUMNS], const struct smi_usage_sample *s,
                       const struct smi_usage_machine *m, const struct smi_usage_units *units)
{
    int64_t ram = smi_usage_sizes[units->ram].size, gpu_ram = smi_usage_sizes[units->gpu_ram].size;
    const bool none = m->gpus == 0; /* then gpu_tracker writes 0.0, and its tools end at an empty cell */
    struct cell *to = cell;
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        *to++ = real_cell(s->has_ram[p] ? s->ram[p].total : -1, ram);
    *to++ = real_cell(s->system_ram, ram);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        *to++ = real_cell(none ? 0 : s->gpu_ram[p],
                          gpu_ram); /* of MiB taken for megabytes a millionth is a byte */
    *to++ = real_cell(none ? 0 : s->system_gpu_ram, gpu_ram);
    percent_cells(to, none ? 0 : s->gpu_util_sum, none ? 1 : m->expected_gpus);
    to += 2;
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        *to++ = count_cell(s->threads[p]);
    percent_cells(to, s->system_cpu, m->cores);
    to += 2;
    for (int p = 0; p < SMI_TREE_PARTS; p++, to += 2)
        percent_cells(to, s->cpu[p], m->expected_cores);
    *to = real_cell(s->wall_us, SECOND);
}

/* ---- the database ---- */

/* The tracking file as a database. Every row is a transaction of its own: what was added
 * survives a kill. */

enum { WAIT_MS = 2000, SQL_SHOWN = 200 }; /* a reader may hold the file meanwhile */

static int sqlite_error(struct smi_usage_file *f, int code, struct smi_err *err)
{
    return smi_err_set(err, SMI_EIO, "cannot write %.*s: %s", SQL_SHOWN, f->path,
                       f->db ? sqlite3_errmsg(f->db) : sqlite3_errstr(code));
}

static const char *const types[] = {"", "VARCHAR", "INTEGER", "FLOAT"}; /* as smi_usage_kind */

static int make_table(struct smi_usage_file *f, const char *name, const struct column *column, int n,
                      struct smi_err *err)
{
    int i;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "CREATE TABLE %s (", name);
    for (i = 0; i < n; i++)
        smi_buf_fmt(&f->line, "%s%s %s", i ? ", " : "", column[i].name, types[column[i].kind]);
    smi_buf_str(&f->line, ")");
    i = sqlite3_exec(f->db, f->line.p, NULL, NULL, NULL);
    return i == SQLITE_OK ? 0 : sqlite_error(f, i, err);
}

/* Prepares f->insert for a table. */
static int prepare_insert(struct smi_usage_file *f, const char *table, int n, struct smi_err *err)
{
    int code;
    sqlite3_finalize(f->insert);
    f->insert = NULL;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < n; i++)
        smi_buf_str(&f->line, ", ?");
    smi_buf_str(&f->line, ")");
    code = sqlite3_prepare_v2(f->db, f->line.p, -1, &f->insert, NULL);
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

static int insert_row(struct smi_usage_file *f, const struct cell *cell, int n, struct smi_err *err)
{
    int code = SQLITE_OK;
    for (int i = 0; i < n && code == SQLITE_OK; i++) {
        if (cell[i].kind == CELL_WORD)
            code = sqlite3_bind_text(f->insert, i + 1, cell[i].word, -1, SQLITE_STATIC);
        else if (cell[i].kind == CELL_COUNT)
            code = sqlite3_bind_int64(f->insert, i + 1, cell[i].count);
        else if (cell[i].kind == CELL_REAL)
            code = sqlite3_bind_double(f->insert, i + 1, cell[i].real);
        else
            code = sqlite3_bind_null(f->insert, i + 1);
    }
    if (code == SQLITE_OK)
        code = sqlite3_step(f->insert);
    if (code == SQLITE_DONE)
        code = sqlite3_reset(f->insert);
    else
        sqlite3_reset(f->insert);
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

/* Makes the tables in the empty file at path, and the row of static_data. Returns 0, or -1 with err. */
static int begin_database(struct smi_usage_file *f, struct smi_err *err)
{
    struct cell cell[FIXED];
    int code;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "%s%s", *f->path == '/' ? "" : "./", f->path); /* no word that SQLite knows */
    code = sqlite3_open_v2(f->line.p, &f->db, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK)
        return sqlite_error(f, code, err);
    sqlite3_busy_timeout(f->db, WAIT_MS);
    fill_static_cells(cell, &f->machine, &f->units);
    if (make_table(f, "static_data", fixed, FIXED, err) || make_table(f, "data", columns, COLUMNS, err) ||
        prepare_insert(f, "static_data", FIXED, err) || insert_row(f, cell, FIXED, err))
        return -1;
    return prepare_insert(f, "data", COLUMNS, err);
}

static int end_database(struct smi_usage_file *f, struct smi_err *err)
{
    int code = SQLITE_OK;
    sqlite3_finalize(f->insert);
    if (f->db)
        code = sqlite3_close(f->db);
    f->insert = NULL;
    f->db = NULL;
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

enum { SHOWN = 300 }; /* bytes of a path in a message */

static int file_error(struct smi_err *err, const char *verb, const char *path)
{
    return smi_err_set(err, SMI_EIO, "cannot %s %.*s: %s", verb, SHOWN, path, strerror(errno));
}

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n >= k && strcmp(path + n - k, ending) == 0;
}

/* ---- CSV ---- */

static void write_csv_cells(struct smi_buf *to, const struct cell *cell, int n)
{
    char text[SMI_REAL_TEXT + SMI_I128_TEXT];
    for (int i = 0; i < n; i++) {
        *text = 0;
        if (cell[i].kind == CELL_COUNT)
            smi_i128_write(text, cell[i].count);
        else if (cell[i].kind == CELL_REAL)
            smi_real_write(text, cell[i].real);
        smi_buf_fmt(to, "%s%s", i ? "," : "", cell[i].kind == CELL_WORD ? cell[i].word : text);
    }
    smi_buf_str(to, "\r\n");
}

static void write_csv_names(struct smi_buf *to, const struct column *column, int n)
{
    for (int i = 0; i < n; i++)
        smi_buf_fmt(to, "%s%s", i ? "," : "", column[i].name);
    smi_buf_str(to, "\r\n");
}

/* ---- the file ---- */

/* A journal beside a file that is gone would be played back into the new one. */
static int remove_old(const char *path, struct smi_err *err)
{
    static const char *const beside[] = {"", "-journal", "-wal", "-shm"};
    struct smi_buf name = {0};
    struct stat st;
    int rc = 0;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : file_error(err, "look at", path);
    if (!S_ISREG(st.st_mode))
        return smi_err_set(err, SMI_EIO, "%.*s: is no regular file, and is not overwritten", SHOWN, path);
    for (size_t i = 0; !rc && i < (ends_with(path, ".sqlite") ? 4 : 1); i++) {
        smi_buf_clear(&name);
        smi_buf_fmt(&name, "%s%s", path, beside[i]);
        if (unlink(name.p) != 0 && errno != ENOENT)
            rc = file_error(err, "overwrite", name.p);
    }
    smi_buf_fini(&name);
    return rc;
}

int smi_usage_file_open(struct smi_usage_file *f, const char *path, bool overwrite,
                        const struct smi_usage_machine *m, const struct smi_usage_units *units,
                        struct smi_err *err)
{
    bool csv = ends_with(path, ".csv");
    struct cell cell[FIXED];
    int fd;
    *f = (struct smi_usage_file){.machine = *m, .units = *units};
    if (!csv && !ends_with(path, ".sqlite"))
        return smi_err_set(err, SMI_EUSAGE, "the tracking file %.*s: its name has to end in .csv or .sqlite",
                           SHOWN, path);
    f->path = smi_mem_text(path, strlen(path));
    if (overwrite && remove_old(path, err))
        return -1;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0 && errno == EEXIST)
        return smi_err_set(err, SMI_EIO, "the tracking file %.*s is there already: --overwrite replaces it",
                           SHOWN, path);
    if (fd < 0)
        return file_error(err, "create", path);
    close(fd);
    if (smi_append_open(&f->to, f->path, err))
        return -1;
    if (!csv)
        return begin_database(f, err);
    fill_static_cells(cell, &f->machine, &f->units);
    write_csv_names(&f->head, fixed, FIXED);
    write_csv_cells(&f->head, cell, FIXED);
    write_csv_names(&f->head, columns, COLUMNS);
    f->to.head = &f->head;
    return smi_append_line(&f->to, f->head.p, f->head.n, err);
}

int smi_usage_file_add(struct smi_usage_file *f, const struct smi_usage_sample *s, struct smi_err *err)
{
    struct cell cell[COLUMNS];
    fill_cells(cell, s, &f->machine, &f->units);
    if (f->db && smi_append_check(&f->to, err))
        return -1;
    if (f->db && f->to.headless) { /* it was deleted or renamed: it is begun again */
        f->to.headless = false;
        if (end_database(f, err) || begin_database(f, err))
            return -1;
    }
    if (f->db)
        return insert_row(f, cell, COLUMNS, err);
    smi_buf_clear(&f->line);
    write_csv_cells(&f->line, cell, COLUMNS);
    return smi_append_line(&f->to, f->line.p, f->line.n, err);
}

int smi_usage_file_close(struct smi_usage_file *f, struct smi_err *err)
{
    int rc = f->path ? end_database(f, err) : 0;
    smi_append_close(&f->to);
    smi_mem_free(f->path);
    smi_buf_fini(&f->head);
    smi_buf_fini(&f->line);
    *f = (struct smi_usage_file){.path = NULL};
    return rc;
}
