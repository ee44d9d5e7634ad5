#include "process/usage.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- cells of a row ---- */

enum { PERCENT = 1000000, SECOND = 1000000, FIXED = 9, COLUMNS = 22 };

enum cell_kind { CELL_NONE, CELL_WORD, CELL_COUNT, CELL_REAL };

/* What stands in a row. */
struct cell {
    enum cell_kind kind; /* CELL_NONE: not known */
    const char *word;
    int64_t count;
    double real;
};

/* The columns of static_data and of data, each with its type in the database. */
static const char fixed[] =
    "ram_unit VARCHAR, gpu_ram_unit VARCHAR, time_unit VARCHAR, ram_system_capacity FLOAT, "
    "gpu_ram_system_capacity FLOAT, system_core_count INTEGER, n_expected_cores INTEGER, "
    "system_gpu_count INTEGER, n_expected_gpus INTEGER";
static const char columns[] =
    "main_ram FLOAT, descendants_ram FLOAT, combined_ram FLOAT, system_ram FLOAT, main_gpu_ram FLOAT, "
    "descendants_gpu_ram FLOAT, combined_gpu_ram FLOAT, system_gpu_ram FLOAT, "
    "gpu_sum_utilization_percent FLOAT, gpu_hardware_utilization_percent FLOAT, main_n_threads INTEGER, "
    "descendants_n_threads INTEGER, combined_n_threads INTEGER, cpu_system_sum_utilization_percent FLOAT, "
    "cpu_system_hardware_utilization_percent FLOAT, cpu_main_sum_utilization_percent FLOAT, "
    "cpu_main_hardware_utilization_percent FLOAT, cpu_descendants_sum_utilization_percent FLOAT, "
    "cpu_descendants_hardware_utilization_percent FLOAT, cpu_combined_sum_utilization_percent FLOAT, "
    "cpu_combined_hardware_utilization_percent FLOAT, timestamp FLOAT";

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

enum { WAIT_MS = 2000 }; /* a reader may hold the file meanwhile */

static int insert_row(struct smi_usage_file *f, const char *table, const struct cell *cell, int n,
                      struct smi_err *err)
{
    sqlite3_stmt *st;
    int rc;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < n; i++)
        smi_buf_str(&f->line, ", ?");
    smi_buf_str(&f->line, ")");
    st = smi_sql_prepare(&f->sql, f->line.p, err);
    for (int i = 0; st && i < n; i++) {
        if (cell[i].kind == CELL_WORD)
            sqlite3_bind_text(st, i + 1, cell[i].word, -1, SQLITE_STATIC);
        else if (cell[i].kind == CELL_COUNT)
            sqlite3_bind_int64(st, i + 1, cell[i].count);
        else if (cell[i].kind == CELL_REAL)
            sqlite3_bind_double(st, i + 1, cell[i].real);
    }
    rc = st ? smi_sql_step(&f->sql, st, err) : -1;
    sqlite3_finalize(st);
    return rc;
}

/* Makes the tables in the empty file at path, and the row of static_data. Returns 0, or -1 with err. */
static int begin_database(struct smi_usage_file *f, struct smi_err *err)
{
    struct cell cell[FIXED];
    int code;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "%s%s", *f->path == '/' ? "" : "./", f->path); /* no word that SQLite knows */
    code = sqlite3_open_v2(f->line.p, &f->sql.db, SQLITE_OPEN_READWRITE, NULL);
    f->sql.name = f->path;
    if (code != SQLITE_OK)
        return smi_sql_error(&f->sql, err);
    sqlite3_busy_timeout(f->sql.db, WAIT_MS);
    fill_static_cells(cell, &f->machine, &f->units);
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "CREATE TABLE static_data (%s); CREATE TABLE data (%s)", fixed, columns);
    return smi_sql_run(&f->sql, f->line.p, err) || insert_row(f, "static_data", cell, FIXED, err) ? -1 : 0;
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

static void write_csv_names(struct smi_buf *to, const char *list)
{
    struct smi_text item, name;
    for (const char *rest = list; smi_text_next_item(&rest, &item);) {
        name = smi_text_word(&item);
        smi_buf_fmt(to, "%.*s%s", (int)name.n, name.p, rest ? "," : "\r\n");
    }
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
    write_csv_names(&f->head, fixed);
    write_csv_cells(&f->head, cell, FIXED);
    write_csv_names(&f->head, columns);
    f->to.head = &f->head;
    return smi_append_line(&f->to, f->head.p, f->head.n, err);
}

int smi_usage_file_add(struct smi_usage_file *f, const struct smi_usage_sample *s, struct smi_err *err)
{
    struct cell cell[COLUMNS];
    fill_cells(cell, s, &f->machine, &f->units);
    if (f->sql.db && smi_append_check(&f->to, err))
        return -1;
    if (f->sql.db && f->to.headless) { /* it was deleted or renamed: it is begun again */
        f->to.headless = false;
        sqlite3_close(f->sql.db);
        if (begin_database(f, err))
            return -1;
    }
    if (f->sql.db)
        return insert_row(f, "data", cell, COLUMNS, err);
    smi_buf_clear(&f->line);
    write_csv_cells(&f->line, cell, COLUMNS);
    return smi_append_line(&f->to, f->line.p, f->line.n, err);
}

void smi_usage_file_close(struct smi_usage_file *f)
{
    sqlite3_close(f->sql.db);
    smi_append_close(&f->to);
    smi_mem_free(f->path);
    smi_buf_fini(&f->head);
    smi_buf_fini(&f->line);
    *f = (struct smi_usage_file){.path = NULL};
}
