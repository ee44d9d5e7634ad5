/* host: the machine as /proc and /sys tell it, from directories in the shapes that machines and containers
 * have. */
#include <stdlib.h>
#include <string.h>

#include "summary/gpus.h"
#include "live/host.h"
#include "sweep/sweep.h"
#include "formats/column.h"
#include "rounds.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-host-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(120);
    return !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    return system("rm -rf r d") != 0 || chdir("/") != 0 || rmdir(home) != 0;
}

static int fresh(void **unused)
{
    (void)unused;
    return system("rm -rf r d") != 0;
}

/* Writes r/path, in place where it is there, so that descriptors go on. */
static void put_bytes(const char *path, const char *text, size_t n)
{
    char all[512];
    int fd;
    snprintf(all, sizeof all, "r/%s", path);
    for (char *p = all; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(all, 0755);
    }
    fd = open(all, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_true(write(fd, text, n) == (ssize_t)n);
    close(fd);
}

static void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

#define MEMINFO                                                                               \
    "MemTotal:       16384000 kB\nMemFree:         1024000 kB\nMemAvailable:   12288000 kB\n" \
    "Buffers:  1 kB\nCached:          100 kB\nSwapTotal:       2048000 kB\nSwapFree:        1024000 kB\n"
#define CPUS2 "cpu0 1 0 1 1 0 0 0 0 0 0\ncpu1 1 0 1 1 0 0 0 0 0 0\nintr 5 0 0\nctxt 7\n"

static void put_plain(void)
{
    put("proc/stat", "cpu  1000 200 300 4000 100 0 0 0 500 0\n" CPUS2);
    put("proc/meminfo", MEMINFO);
}

static void put_psi(const char *total)
{
    static const char *const of[] = {"cpu", "memory", "io"};
    char path[64], text[200];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "proc/pressure/%s", of[i]);
        snprintf(text, sizeof text,
                 "some avg10=7.94 avg60=13.90 avg300=12.13 total=%s\nfull avg10=0.00 avg60=0.00 "
                 "avg300=0.00 total=0\n",
                 total);
        put(path, text);
    }
}

static struct smi_host *open_it(void)
{
    struct smi_host *h = smi_host_open("r");
    assert_non_null(h);
    return h;
}

static void has(const struct smi_host_sample *s, enum smi_host_id id, int64_t micro)
{
    if (!(s->has >> id & 1) || s->v[id] != micro)
        fail_msg("%s: has %d, %lld instead of %lld", smi_host_values[id].name, s->has >> id & 1,
                 (long long)s->v[id], (long long)micro);
}

static void has_not(const struct smi_host_sample *s, enum smi_host_id id)
{
    if (s->has >> id & 1)
        fail_msg("%s: has %lld", smi_host_values[id].name, (long long)s->v[id]);
}

/* Samples until all files were read once more. */
static void read_all(struct smi_host *h, int64_t now_us, struct smi_host_sample *s)
{
    for (int i = 0; i < 6; i++)
        smi_host_read(h, now_us + i, s);
}

static void cpu_and_memory(void **state)
{
    struct smi_host_sample s;
    struct smi_host *h;
    (void)state;
    put_plain();
    h = open_it();
    smi_host_read(h, 0, &s);
    has_not(&s, SMI_HOST_USR); /* the first */
    has(&s, SMI_HOST_CPUS, 2000000);
    has(&s, SMI_HOST_RAM_TOTAL, 16000000000);
    has(&s, SMI_HOST_RAM_USED, 4000000000);
    has(&s, SMI_HOST_RAM_PCT, 25000000);
    has(&s, SMI_HOST_SWAP_USED, 1000000000);
    has_not(&s, SMI_HOST_LOAD);
    has_not(&s, SMI_HOST_PSI_IO);
    has_not(&s, SMI_HOST_CG_RAM);
    /* 1000 ticks: user 300 with 200 of guests, nice 50, system 100, idle 450, iowait 80, irq 20 */
    put("proc/stat", "cpu  1300 250 400 4450 180 20 0 0 700 0\n" CPUS2);
    smi_host_read(h, 1000000, &s);
    has(&s, SMI_HOST_USR, 35000000);
    has(&s, SMI_HOST_IDLE, 45000000);
    has(&s, SMI_HOST_BUSY, 47000000);
    has(&s, SMI_HOST_IOWAIT, 8000000);
    smi_host_read(h, 2000000, &s); /* no tick has passed */
    has_not(&s, SMI_HOST_USR);
    has_not(&s, SMI_HOST_IDLE);
    /* iowait steps back, as it may; a CPU has gone */
    put("proc/stat", "cpu  1301 250 400 4451 100 20 0 0 700 0\ncpu0 1 0 1 1 0 0 0 0 0 0\nintr 5\n");
    smi_host_read(h, 3000000, &s);
    has(&s, SMI_HOST_USR, 50000000);
    has(&s, SMI_HOST_IDLE, 50000000);
    has(&s, SMI_HOST_IOWAIT, 0);
    has(&s, SMI_HOST_CPUS, 1000000);
    put("proc/stat",
        "cpu  1 0 0 1\ncpu0 1 0 0 1\n"); /* a kernel of long ago, booted anew; nothing behind the CPUs */
    smi_host_read(h, 4000000, &s);
    has_not(&s, SMI_HOST_USR);
    has_not(&s, SMI_HOST_CPUS);
    put("proc/stat", "cpu  2 0 0 4\ncpu0 1 0 0 1\nintr 1\n");
    smi_host_read(h, 5000000, &s);
    has(&s, SMI_HOST_USR, 25000000);
    put("proc/meminfo",
        "MemTotal: 4096 kB\nMemFree: 1000 kB\nBuffers: 24 kB\nCached: 1024 kB\n"); /* before 3.14 */
    smi_host_read(h, 6000000, &s);
    has(&s, SMI_HOST_RAM_PCT, 50000000);
    has_not(&s, SMI_HOST_SWAP_USED);
    smi_host_close(h);
}

static void pressure_is_what_was_added(void **state)
{
    struct smi_host_sample s;
    struct smi_host *h;
    (void)state;
    put_plain();
    put_psi("80875921");
    put("proc/loadavg", "0.52 0.58 0.59 3/467 12345\n");
    h = open_it();
    smi_host_read(h, 0, &s);
    has_not(&s, SMI_HOST_PSI_CPU);
    has(&s, SMI_HOST_LOAD, 520000);
    put_psi("81375921"); /* half a second in ten */
    smi_host_read(h, 10000000, &s);
    has(&s, SMI_HOST_PSI_CPU, 5000000);
    has(&s, SMI_HOST_PSI_MEM, 5000000);
    has(&s, SMI_HOST_PSI_IO, 5000000);
    put_psi("81475921");
    smi_host_read(h, 11000000, &s);
    has(&s, SMI_HOST_PSI_CPU, 10000000);
    has(&s, SMI_HOST_PSI_IO, 10000000);
    put("proc/loadavg", "0.75 0.58 0.59 3/467 12345\n");
    smi_host_read(h, 12000000, &s); /* every file is read with every sample */
    has(&s, SMI_HOST_PSI_IO, 0);
    has(&s, SMI_HOST_PSI_CPU, 0);
    has(&s, SMI_HOST_LOAD, 750000);
    put_psi("81575921");
    smi_host_read(h, 22000000, &s);
    has(&s, SMI_HOST_PSI_IO, 1000000);
    put_psi("5");
    smi_host_read(h, 32000000, &s);
    has_not(&s, SMI_HOST_PSI_CPU);
    put_psi("50000000");
    smi_host_read(h, 42000000, &s);
    has(&s, SMI_HOST_PSI_CPU, 100000000); /* never above all */
    smi_host_close(h);
}

static void a_container_of_v2(void **state)
{
    struct smi_host_sample s;
    struct smi_host *h;
    (void)state;
    put_plain();
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
    put("sys/fs/cgroup/job/memory.max", "1073741824\n"); /* the limit is the job's, not the step's */
    put("sys/fs/cgroup/job/memory.current", "629145600\n");
    put("sys/fs/cgroup/job/memory.peak", "943718400\n");
    put("sys/fs/cgroup/job/memory.stat", "anon 1\nfile 209715200\ninactive_file 104857600\n");
    put("sys/fs/cgroup/job/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\n");
    put("sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    put("sys/fs/cgroup/job/cpu.stat", "usage_usec 1000000\nuser_usec 1\nnr_periods 100\nnr_throttled 10\n");
    put("sys/fs/cgroup/job/step/memory.max", "max\n");
    put("sys/fs/cgroup/job/step/memory.current", "5\n");
    put("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/job/step/cpu.stat", "usage_usec 5\n");
    h = open_it();
    smi_host_read(h, 0, &s);
    has(&s, SMI_HOST_CG_RAM, 500000000);
    has(&s, SMI_HOST_CG_RAM_LIMIT, 1024000000);
    has(&s, SMI_HOST_CG_RAM_PCT, 48800000);
    has(&s, SMI_HOST_CG_RAM_PEAK, 900000000);
    has(&s, SMI_HOST_CG_OOM, 1000000);
    has(&s, SMI_HOST_CG_CPU_LIMIT, 1500000);
    has_not(&s, SMI_HOST_CG_CPUS);
    put("sys/fs/cgroup/job/cpu.stat", "usage_usec 2200000\nuser_usec 1\nnr_periods 110\nnr_throttled 13\n");
    smi_host_read(h, 1000000, &s);
    has(&s, SMI_HOST_CG_CPUS, 1200000);
    has(&s, SMI_HOST_CG_CPU_PCT, 80000000);
    has(&s, SMI_HOST_CG_THROTTLED, 30000000);
    put("sys/fs/cgroup/job/cpu.max", "max 100000\n"); /* the limit is lifted */
    read_all(h, 2000000, &s);
    has_not(&s, SMI_HOST_CG_CPU_LIMIT);
    has_not(&s, SMI_HOST_CG_CPU_PCT);
    has_not(&s, SMI_HOST_CG_THROTTLED);
    smi_host_close(h);
}

static void a_container_of_v1(void **state)
{
    struct smi_host_sample s;
    struct smi_host *h;
    (void)state;
    put_plain();
    /* the names are the host's: inside, the group is the mounted root */
    put("proc/self/cgroup",
        "9:name=systemd:/\n4:memory:/docker/1f\n3:cpu,cpuacct:/docker/1f\n0::/docker/1f\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/memory.max_usage_in_bytes", "1610612736\n");
    put("sys/fs/cgroup/memory/memory.stat", "cache 7\ninactive_file 1\ntotal_inactive_file 0\n");
    put("sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "5000000000\n");
    h = open_it();
    smi_host_read(h, 0, &s);
    has(&s, SMI_HOST_CG_RAM_PCT, 50000000);
    has(&s, SMI_HOST_CG_RAM_PEAK, 1536000000);
    has(&s, SMI_HOST_CG_OOM, 3000000);
    has(&s, SMI_HOST_CG_CPU_LIMIT, 2000000);
    put("sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "5500000000\n");
    smi_host_read(h, 1000000, &s);
    has(&s, SMI_HOST_CG_CPUS, 500000);
    has(&s, SMI_HOST_CG_CPU_PCT, 25000000);
    put("sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 10\nnr_throttled 5\nthrottled_time 0\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    read_all(h, 2000000, &s);
    has_not(&s, SMI_HOST_CG_RAM_LIMIT);
    has_not(&s, SMI_HOST_CG_RAM_PCT);
    has(&s, SMI_HOST_CG_RAM, 1024000000);
    has_not(&s, SMI_HOST_CG_CPU_LIMIT);
    smi_host_close(h);
}

/* cpu and cpuacct are mounted apart: the time counts if it is that of the group with the quota. */
static void version_1_apart(void **state)
{
    static const struct {
        const char *group; /* of cpuacct */
        const char *usage; /* the file that is read; NULL: none fits */
    } cases[] = {{"/", NULL},
                 {"/job/step", "sys/fs/cgroup/cpuacct/job/cpuacct.usage"},
                 {"/job", "sys/fs/cgroup/cpuacct/job/cpuacct.usage"},
                 {"/jobs", NULL}};
    struct smi_host_sample s;
    struct smi_host *h;
    char lines[100];
    (void)state;
    put_plain();
    put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
    put("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 4; k++) {
            static const char *const all[] = {"cpuacct.usage", "job/cpuacct.usage", "job/step/cpuacct.usage",
                                              "jobs/cpuacct.usage"};
            snprintf(lines, sizeof lines, "sys/fs/cgroup/cpuacct/%s", all[k]);
            put(lines, "1000000000\n");
        }
        snprintf(lines, sizeof lines, "2:cpuacct:%s\n1:cpu:/job\n0::/\n", cases[i].group);
        put("proc/self/cgroup", lines);
        h = open_it();
        smi_host_read(h, 0, &s);
        has(&s, SMI_HOST_CG_CPU_LIMIT, 500000);
        if (cases[i].usage)
            put(cases[i].usage, "1250000000\n");
        smi_host_read(h, 1000000, &s);
        if (cases[i].usage)
            has(&s, SMI_HOST_CG_CPU_PCT, 50000000);
        else
            has_not(&s, SMI_HOST_CG_CPU_PCT);
        smi_host_close(h);
    }
}

static void many_cpus(void **state)
{
    struct smi_buf b = {0};
    struct smi_host_sample s;
    struct smi_host *h = NULL;
    (void)state;
    put_plain();
    for (int round = 0; round < 2; round++) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "cpu  %d 0 0 %d 0 0 0 0 0 0\n", 448 * 100 * (1 + round), 448 * 300 * (1 + round));
        for (int i = 0; i < 448; i++)
            smi_buf_fmt(&b, "cpu%d 123456789 123456 12345678 1234567890 1234567 0 123456 0 0 0\n", i);
        smi_buf_str(&b, "intr 12345");
        for (int i = 0; i < 6000; i++)
            smi_buf_str(&b, " 0");
        smi_buf_str(&b, "\nctxt 5\n");
        put_bytes("proc/stat", b.p, b.n);
        if (!round)
            h = open_it();
        smi_host_read(h, round * 1000000, &s);
        has(&s, SMI_HOST_CPUS, 448000000);
    }
    has(&s, SMI_HOST_USR, 25000000);
    has(&s, SMI_HOST_IDLE, 75000000);
    smi_host_close(h);
    smi_buf_fini(&b);
}

static const char *const paths[] = {"proc/stat",
                                    "proc/meminfo",
                                    "proc/loadavg",
                                    "proc/pressure/cpu",
                                    "proc/pressure/memory",
                                    "proc/pressure/io",
                                    "proc/self/cgroup",
                                    "sys/fs/cgroup/g/memory.max",
                                    "sys/fs/cgroup/g/memory.current",
                                    "sys/fs/cgroup/g/memory.stat",
                                    "sys/fs/cgroup/g/memory.events",
                                    "sys/fs/cgroup/g/memory.peak",
                                    "sys/fs/cgroup/g/cpu.max",
                                    "sys/fs/cgroup/g/cpu.stat"};
enum { PATHS = sizeof paths / sizeof *paths };

static const char *const texts[PATHS] = {"cpu  1000 200 300 4000 100 0 0 0 500 0\n" CPUS2,
                                         MEMINFO,
                                         "0.52 0.58 0.59 3/467 12345\n",
                                         "some total=5\n",
                                         "some total=5\n",
                                         "some total=5\n",
                                         "0::/g\n",
                                         "1073741824\n",
                                         "629145600\n",
                                         "anon 5\ninactive_file 5\n",
                                         "oom_kill 7\n",
                                         "943718400\n",
                                         "150000 100000\n",
                                         "usage_usec 99\nnr_periods 9\nnr_throttled 1\n"};

static void put_all(void)
{
    for (int i = 0; i < PATHS; i++)
        put(paths[i], texts[i]);
}

static void a_cut_file_has_no_wrong_number(void **state)
{
    struct smi_host_sample whole, s;
    struct smi_host *h;
    (void)state;
    put_all();
    h = open_it();
    smi_host_read(h, 0, &whole);
    smi_host_close(h);
    assert_int_equal(__builtin_popcount(whole.has), 12);
    for (int i = 0; i < PATHS; i++) {
        for (size_t n = 0; n < strlen(texts[i]); n++) {
            put_bytes(paths[i], texts[i], n);
            h = open_it();
            smi_host_read(h, 0, &s);
            for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++)
                if ((s.has >> id & 1) && (!(whole.has >> id & 1) || s.v[id] != whole.v[id]) &&
                    id != SMI_HOST_CG_RAM && id != SMI_HOST_CG_RAM_PCT && id != SMI_HOST_CPUS)
                    fail_msg("%s cut at %zu: %s is %lld", paths[i], n, smi_host_values[id].name,
                             (long long)s.v[id]);
            smi_host_close(h);
        }
        put(paths[i], texts[i]);
    }
}

static void anything_may_stand_in_the_files(void **state)
{
    static char huge[1 << 20];
    struct smi_host_sample s;
    struct smi_host *h;
    struct smi_buf b = {0};
    (void)state;
    h = open_it(); /* there is nothing at all */
    smi_host_read(h, 0, &s);
    assert_int_equal(s.has, 0);
    smi_host_csv_head(h, &b);
    smi_host_csv_row(h, &s, 0, &b);
    assert_string_equal(b.p, "timestamp,usr_pct,idle_pct\n1970-01-01T00:00:00.000+00:00,,\n");
    smi_host_close(h);
    smi_buf_fini(&b);
    for (int i = 0; i < PATHS; i++) { /* a directory each */
        char path[300];
        snprintf(path, sizeof path, "%s/x", paths[i]);
        put(path, "");
    }
    h = open_it();
    smi_host_read(h, 0, &s);
    assert_int_equal(s.has, 0);
    smi_host_close(h);
    assert_int_equal(system("rm -rf r"), 0);
    put_all();
    memset(huge, '9', sizeof huge - 1);
    for (int i = 0; i < PATHS; i++) { /* lines of a megabyte, with and without an end */
        put_bytes(paths[i], huge, sizeof huge - 1);
        h = open_it();
        smi_host_read(h, 0, &s);
        put_bytes(paths[i], "", 0);
        read_all(h, 1000000, &s);
        smi_host_close(h);
        put(paths[i], texts[i]);
    }
    srand(7);
    h = open_it();
    for (int round = 0; round < rounds(20000, 4000); round++) {
        char t[256];
        int i = rand() % PATHS;
        size_t n = strlen(texts[i]);
        n = n < sizeof t ? n : sizeof t;
        memcpy(t, texts[i], n);
        for (int k = rand() % 4; k >= 0; k--)
            t[(size_t)rand() % n] = "0123456789-\n :=.\0cpus\xff"[rand() % 22];
        put_bytes(paths[i], t, n);
        if (round % 50 == 0) {
            smi_host_close(h);
            h = open_it();
        }
        smi_host_read(h, (int64_t)round * (rand() % 3) * 1000, &s);
        for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++)
            assert_true(!(s.has >> id & 1) || (s.v[id] >= 0 && s.v[id] < INT64_C(1) << 43));
        for (enum smi_host_id id = SMI_HOST_USR; id <= SMI_HOST_IOWAIT; id++)
            assert_true(!(s.has >> id & 1) || s.v[id] <= 100000000);
    }
    smi_host_close(h);
}

static void nothing_is_opened_later(void **state)
{
    struct smi_host_sample s, again;
    struct smi_host *h;
    int fd;
    (void)state;
    put_all();
    h = open_it();
    fd = dup(0);
    close(fd);
    smi_host_read(h, 0, &s);
    for (int i = 1; i < 100; i++)
        smi_host_read(h, i * 1000, &again);
    has(&again, SMI_HOST_RAM_PCT, s.v[SMI_HOST_RAM_PCT]);
    assert_int_equal(dup(0), fd);
    close(fd);
    smi_host_close(h);
}

/* The file that is recorded is read to the values that were seen. */
static void the_file_is_read_back(void **state)
{
    const struct smi_discover_opts plain = {.format = -1, .threads = 1};
    const struct smi_options options = {.idle_below = 1000000};
    const char *path = "d";
    struct smi_buf b = {0};
    struct smi_host_sample s;
    struct smi_sweep sweep;
    struct smi_host *h;
    int64_t usr = 0, rows = 0;
    char stat[200];
    FILE *f;
    (void)state;
    put_all();
    h = open_it();
    smi_host_csv_head(h, &b);
    assert_string_equal(b.p, "timestamp,usr_pct,idle_pct,cpu_pct,cpu_iowait_pct,cpus,ram_pct,ram_used_mib,"
                             "swap_used_mib,load_1m,"
                             "psi_cpu_pct,psi_memory_pct,psi_io_pct,cgroup_cpu_pct,cgroup_throttled_pct,"
                             "cgroup_ram_mib,cgroup_ram_pct,cgroup_oom_kills\n");
    for (int i = 0; i < 50; i++) {
        snprintf(stat, sizeof stat, "cpu  %d 0 0 %d 0 0 0 0 0 0\n" CPUS2, i * i * 7, i * 1000);
        put("proc/stat", stat);
        smi_host_read(h, i * INT64_C(1000000), &s);
        smi_host_csv_row(h, &s, 1783116646109 + i * 1000, &b);
        if (s.has >> SMI_HOST_USR & 1) {
            usr += s.v[SMI_HOST_USR];
            rows++;
        }
    }
    assert_int_equal(rows, 49); /* the first sample has no row */
    assert_int_equal(mkdir("d", 0755), 0);
    f = fopen("d/cpu_metrics.csv", "w");
    fwrite(b.p, 1, b.n, f);
    fclose(f);
    assert_int_equal(smi_sweep_read(&sweep, &path, 1, &plain, &options, NULL), 0);
    assert_int_equal(sweep.n, 1);
    assert_int_equal(sweep.runs[0].nhost, 16); /* no scheduler period has passed */
    for (size_t i = 0; i < sweep.runs[0].nhost; i++) {
        const struct smi_stats *m = &sweep.runs[0].host[i];
        if (m->metric == SMI_CPU_USR)
            assert_int_equal(m->mean.micro, smi_i128_div(usr, rows));
        if (m->metric != SMI_CGROUP_OOM)
            assert_int_equal(m->count, rows); /* no reading is missing */
    }
    smi_sweep_fini(&sweep);
    smi_host_close(h);
    smi_buf_fini(&b);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, fresh)
    const struct CMUnitTest tests[] = {
        TEST(cpu_and_memory),
        TEST(pressure_is_what_was_added),
        TEST(a_container_of_v2),
        TEST(a_container_of_v1),
        TEST(version_1_apart),
        TEST(many_cpus),
        TEST(a_cut_file_has_no_wrong_number),
        TEST(anything_may_stand_in_the_files),
        TEST(nothing_is_opened_later),
        TEST(the_file_is_read_back),
    };
#undef TEST
    return cmocka_run_group_tests(tests, enter, leave);
}
