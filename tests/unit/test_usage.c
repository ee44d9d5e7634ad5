/* usage: the figures of gpu_tracker and its forms, held against a slow restatement; its tracking file, and
 * back. */
#include "cli/settings.h"

#include "summary/run.h"
#include "model/metric.h"
#include "sweep/sweep.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { TRIALS = 60, SAMPLES = 12, DATABASES = 10 };

static char home[] = "/tmp/smilog-test-usage-XXXXXX", *root;

static int enter(void **unused)
{
    (void)unused;
    alarm(300);
    root = getcwd(NULL, 0);
    return !root || !mkdtemp(home) || chdir(home) != 0;
}

static int fresh(void **unused)
{
    (void)unused;
    return system("rm -rf ./*") != 0;
}

static int leave(void **unused)
{
    int rc = fresh(unused) || chdir("/") != 0 || rmdir(home) != 0;
    free(root);
    return rc;
}

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

/* Up to so many bits, of any size; some are not known. */
static int64_t random_value(int bits)
{
    return random64() % 8 == 0 ? -1 : (int64_t)(random64() >> (64 - bits) >> random64() % (unsigned)bits);
}

static struct smi_usage_machine random_machine(void)
{
    return (struct smi_usage_machine){random_value(44), random_value(40), random_value(8),
                                      random_value(8),  random_value(4),  random_value(4)};
}

static void random_sample(struct smi_usage_sample *s, int64_t wall_us)
{
    smi_usage_sample_init(s, wall_us);
    for (int p = 0; p < SMI_TREE_PARTS; p++) {
        if (random64() % 8) {
            s->ram[p].private_ = (int64_t)(random64() >> 22 >> random64() % 42);
            s->ram[p].shared = (int64_t)(random64() >> 30 >> random64() % 34);
            s->ram[p].total = s->ram[p].private_ + s->ram[p].shared;
        }
        s->gpu_ram[p] = random_value(38);
        s->cpu[p] = random_value(34);
        s->threads[p] = random_value(12);
    }
    s->system_ram = random_value(44);
    s->system_gpu_ram = random_value(40);
    s->system_cpu = random_value(34);
    s->gpu_util_sum = random_value(30);
}

static void tell_machine(FILE *to, const struct smi_usage_machine *m, const struct smi_usage_units *u,
                         int64_t us)
{
    fprintf(to, "T %lld %lld %lld %lld %lld %lld %d %d %d %lld\n", (long long)m->ram, (long long)m->gpu_ram,
            (long long)m->cores, (long long)m->expected_cores, (long long)m->gpus,
            (long long)m->expected_gpus, u->ram, u->gpu_ram, u->time, (long long)us);
}

static void tell_sample(FILE *to, const struct smi_usage_sample *s)
{
    fprintf(to, "S %lld %lld %lld %lld %lld", (long long)s->wall_us, (long long)s->system_ram,
            (long long)s->system_gpu_ram, (long long)s->system_cpu, (long long)s->gpu_util_sum);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        fprintf(to, " %lld %lld %lld %lld %lld %lld", (long long)s->ram[p].total,
                (long long)s->ram[p].private_, (long long)s->ram[p].shared, (long long)s->gpu_ram[p],
                (long long)s->cpu[p], (long long)s->threads[p]);
    fputc('\n', to);
}

static void spill(int trial, const char *ending, const struct smi_buf *text)
{
    char path[64];
    FILE *f;
    snprintf(path, sizeof path, "%d.%s", trial, ending);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text->p, 1, text->n, f), text->n);
    fclose(f);
}

static void write_file(int trial, const char *ending, const struct smi_usage_machine *m,
                       const struct smi_usage_units *units, const struct smi_usage_sample *s, int n)
{
    struct smi_usage_file f;
    struct smi_err err = {0};
    char path[64];
    snprintf(path, sizeof path, "%d.%s", trial, ending);
    assert_int_equal(smi_usage_file_open(&f, path, false, m, units, &err), 0);
    for (int i = 0; i < n; i++)
        assert_int_equal(smi_usage_file_add(&f, &s[i], &err), 0);
    smi_usage_file_close(&f);
}

static void one_trial(int trial, FILE *told)
{
    struct smi_usage_machine m = random_machine();
    struct smi_usage_units units = {(int)(random64() % SMI_USAGE_SIZES), (int)(random64() % SMI_USAGE_SIZES),
                                    (int)(random64() % SMI_USAGE_TIMES)};
    struct smi_usage_sample s[SAMPLES];
    struct smi_usage u;
    struct smi_buf json = {0}, text = {0};
    int n = 1 + (int)(random64() % SAMPLES);
    smi_usage_init(&u);
    u.compute_us = random_value(40);
    tell_machine(told, &m, &units, u.compute_us);
    for (int i = 0; i < n; i++) {
        random_sample(&s[i], 1745449609982109 + i * 1000123);
        tell_sample(told, &s[i]);
        smi_usage_add(&u, &s[i]);
    }
    fprintf(told, "E\n");
    smi_usage_put(&json, true, &u, &m, &units);
    smi_usage_put(&text, false, &u, &m, &units);
    spill(trial, "json", &json);
    spill(trial, "txt", &text);
    write_file(trial, "csv", &m, &units, s, n);
    if (trial < DATABASES)
        write_file(trial, "sqlite", &m, &units, s, n);
    smi_buf_fini(&json);
    smi_buf_fini(&text);
}

static void equal_to_the_restatement(void **unused)
{
    const char *many = getenv("SMILOG_USAGE");
    int trials = many ? atoi(many) : TRIALS;
    struct smi_buf command = {0};
    FILE *told = fopen("samples", "w");
    (void)unused;
    assert_non_null(told);
    for (int i = 0; i < trials; i++)
        one_trial(i, told);
    fclose(told);
    smi_buf_fmt(&command, "python3 -B '%s/tests/oracle/usage_oracle.py' . >told", root);
    if (system(command.p) != 0) {
        assert_true(system("head -c 6000 told >&2") == 0);
        fail();
    }
    smi_buf_fini(&command);
}

/* Nothing is known: nothing is 0 that was not measured. */
static void unknown_is_never_zero(void **unused)
{
    static const struct smi_usage_machine none = {-1, -1, -1, -1, -1, -1};
    struct smi_usage u;
    struct smi_buf b = {0};
    (void)unused;
    smi_usage_init(&u);
    smi_usage_put(&b, true, &u, &none, &smi_usage_default_units);
    smi_usage_put(&b, false, &u, &none, &smi_usage_default_units);
    assert_null(strpbrk(b.p, "0123456789"));
    assert_non_null(strstr(b.p, "\n  \"unit\": \"gigabytes\",\n  \"system_capacity\": null,"));
    assert_non_null(strstr(b.p, "\n      Total RSS: n/a\n"));
    smi_buf_fini(&b);
}

/* The words of an option stand in the order of its table. */
static void units_by_their_words(void **unused)
{
    static const char *const names[] = {"ram-unit", "gpu-ram-unit", "time-unit"};
    const struct smi_cmd tracker = {.groups = "k"};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const struct smi_usage_unit *unit = k < 2 ? smi_usage_sizes : smi_usage_times;
        const int n = k < 2 ? SMI_USAGE_SIZES : SMI_USAGE_TIMES;
        const struct smi_opt *o = smi_opt_find(&tracker, smi_text_of(names[k]), 0);
        struct smi_run_settings set = {0};
        struct smi_err err = {0};
        for (int i = 0; i < n; i++) {
            assert_int_equal(smi_opt_set(o, unit[i].name, &set, &err), 0);
            assert_int_equal(k == 0 ? set.units.ram : k == 1 ? set.units.gpu_ram : set.units.time, i);
        }
        assert_int_equal(smi_opt_set(o, k < 2 ? "gigabyte" : "weeks", &set, &err), -1);
        assert_int_equal(err.code, SMI_EUSAGE);
    }
}

static const struct smi_usage_machine box = {67254165504, 81559000000, 12, 4, 1, 1};

static void assert_open(const char *path, bool overwrite, int rc, const char *text)
{
    struct smi_usage_file f;
    struct smi_err err = {0};
    assert_int_equal(smi_usage_file_open(&f, path, overwrite, &box, &smi_usage_default_units, &err), rc);
    assert_string_equal(err.text, text);
    smi_usage_file_close(&f);
    smi_usage_file_close(&f);
}

static void files_that_are_refused(void **unused)
{
    (void)unused;
    assert_open("t.tsv", false, -1, "the tracking file t.tsv: its name has to end in .csv or .sqlite");
    assert_open("no/t.csv", false, -1, "cannot create no/t.csv: No such file or directory");
    for (int i = 0; i < 2; i++) {
        const char *path = i ? "t.sqlite" : "t.csv";
        char text[128];
        snprintf(text, sizeof text, "the tracking file %s is there already: --overwrite replaces it", path);
        assert_open(path, true, 0, "");
        assert_open(path, false, -1, text);
        assert_open(path, true, 0, "");
    }
    assert_int_equal(mkdir("d.csv", 0755), 0);
    assert_open("d.csv", true, -1, "d.csv: is no regular file, and is not overwritten");
    assert_open("d.csv", false, -1, "the tracking file d.csv is there already: --overwrite replaces it");
    assert_int_equal(symlink("elsewhere", "l.csv"), 0);
    assert_open("l.csv", true, -1, "l.csv: is no regular file, and is not overwritten");
    assert_open("l.csv", false, -1, "the tracking file l.csv is there already: --overwrite replaces it");
    assert_int_equal(access("elsewhere", F_OK), -1);
    assert_open(":memory:.sqlite", false, 0, "");
    assert_int_equal(access(":memory:.sqlite", F_OK), 0);
}

static void read_text(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, size - 1, f)] = 0;
    fclose(f);
}

/* It is begun again: the rows from then on are there, behind a header of their own. */
static void removed_meanwhile(void **unused)
{
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const char *path = i % 2 ? "t.sqlite" : "t.csv";
        struct smi_usage_file f;
        struct smi_usage_sample s;
        struct smi_err err = {0};
        char first[4096] = "", again[4096] = "";
        random_sample(&s, 1);
        assert_int_equal(smi_usage_file_open(&f, path, true, &box, &smi_usage_default_units, &err), 0);
        assert_int_equal(smi_usage_file_add(&f, &s, &err), 0);
        read_text(path, first, sizeof first);
        if (i >= 4)
            assert_int_equal(rename(path, "away"), 0);
        else
            assert_int_equal(unlink(path), 0);
        if (i >= 2 && i < 4) /* another one in its place */
            close(open(path, O_CREAT | O_WRONLY | O_EXCL, 0644));
        assert_int_equal(smi_usage_file_add(&f, &s, &err), 0);
        assert_string_equal(f.to.renewed, i >= 4 ? "renamed" : "deleted");
        smi_usage_file_close(&f);
        read_text(path, again, sizeof again);
        assert_memory_equal(again, first, sizeof first);
        unlink(path);
    }
}

/* A file may not grow beyond its first rows: what is there is whole rows. */
static void full_disk(void **unused)
{
    const struct rlimit small = {3000, RLIM_INFINITY}, before = {RLIM_INFINITY, RLIM_INFINITY};
    struct smi_usage_file f;
    struct smi_usage_sample s;
    struct smi_err err = {0};
    char text[4096];
    ssize_t n;
    int fd, rows = 0;
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(smi_usage_file_open(&f, "t.csv", false, &box, &smi_usage_default_units, &err), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    do
        random_sample(&s, 1745449609982109 + rows);
    while (smi_usage_file_add(&f, &s, &err) == 0 && rows++ < 100);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_in_range(rows, 1, 99);
    assert_string_equal(err.text, "cannot append to t.csv: File too large");
    smi_usage_file_close(&f);
    fd = open("t.csv", O_RDONLY);
    n = read(fd, text, sizeof text);
    close(fd);
    assert_in_range(n, 1000, 3000);
    assert_int_equal(text[n - 1], '\n');
    for (ssize_t i = 0; i < n; i++)
        rows -= text[i] == '\n';
    assert_int_equal(rows, -3);
}

/* What summarize reads of our file is what was written; what was not known is nothing. */
static void read_back(void **unused)
{
    const char *path[] = {"t.csv"};
    struct smi_discover_opts d = {.format = -1, .threads = 1};
    struct smi_options o = {.idle_below = 1000000};
    struct smi_sweep sweep;
    struct smi_err err = {0};
    struct smi_usage_sample s[40];
    int64_t most, known, found = 0;
    const struct smi_usage_units units[] = {{0, 0, 0}, {3, 3, 2}, {4, 4, 3}};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        struct smi_usage_file f;
        most = known = 0;
        assert_int_equal(smi_usage_file_open(&f, "t.csv", true, &box, &units[k], &err), 0);
        for (int i = 0; i < 40; i++) {
            random_sample(&s[i], 1745449609982109 + i * 1000123);
            s[i].ram[SMI_TREE_OF_MAIN].total = i % 3 ? (int64_t)(random64() % 5000000) * 1048576 : -1;
            s[i].ram[SMI_TREE_OF_ALL].total = 1;
            if (s[i].ram[SMI_TREE_OF_MAIN].total >= 0) {
                most = s[i].ram[SMI_TREE_OF_MAIN].total > most ? s[i].ram[SMI_TREE_OF_MAIN].total : most;
                known++;
            }
            assert_int_equal(smi_usage_file_add(&f, &s[i], &err), 0);
        }
        smi_usage_file_close(&f);
        assert_int_equal(smi_sweep_read(&sweep, path, 1, &d, &o, &err), 0);
        assert_int_equal(sweep.n, 1);
        for (size_t i = 0; i < sweep.runs[0].nhost; i++) {
            const struct smi_stats *h = &sweep.runs[0].host[i];
            if (h->metric != SMI_TREE_RAM_MAIN)
                continue;
            assert_int_equal(h->count, known);
            assert_int_equal(h->max.micro, most / 1048576 * 1000000);
            found++;
        }
        smi_sweep_fini(&sweep);
    }
    assert_int_equal(found, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(equal_to_the_restatement, fresh),
        cmocka_unit_test(unknown_is_never_zero),
        cmocka_unit_test(units_by_their_words),
        cmocka_unit_test_setup(files_that_are_refused, fresh),
        cmocka_unit_test_setup(removed_meanwhile, fresh),
        cmocka_unit_test_setup(full_disk, fresh),
        cmocka_unit_test_setup(read_back, fresh),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
