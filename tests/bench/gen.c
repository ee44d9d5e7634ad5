/* gen.c - logs for the benchmark, the same on every machine:
 *     gen query|dmon|cpu|runlog MIB      a log of at least so many MiB on standard output
 *     gen sweep DIRECTORY RUNS           runs of ten minutes with a log of each kind
 * And what a command takes, whose output nobody wants: seconds of wall time and of all its threads, and the
 * most memory it had in KiB (that of the process which starts it counts, so that has to be a small one). gen
 * run COMMAND [ARGUMENT]... */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GPUS = 8, BEGIN = 1767225600 /* 2026-01-01 00:00 UTC */ };

static uint64_t state = 88172645463325252u;

static unsigned below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % n;
}

/* "2026/01/01 00:00:00.000" with the separators of a format. */
static int stamp(char *to, const char *format, int64_t ms)
{
    time_t s = BEGIN + (time_t)(ms / 1000);
    struct tm t;
    size_t n;
    gmtime_r(&s, &t);
    n = strftime(to, 32, format, &t);
    return (int)n + sprintf(to + n, ".%03d", (int)(ms % 1000));
}

/* Row i of a log. Returns its length; `to` has room for 256 bytes. */
static int query(char *to, int64_t i, int gpus)
{
    int n = stamp(to, "%Y/%m/%d %H:%M:%S", i / gpus * 2000 + i % gpus);
    unsigned busy = below(20) ? 60 + below(41) : 0;
    return n + sprintf(to + n, ", %u, %u, %u, 81559, %u.%02u, %u, %u, 2619\n", busy, busy / 2,
                       20000 + below(50000), 90 + busy * 6, below(100), 35 + busy / 3, 1200 + 15 * below(53));
}

static int dmon(char *to, int64_t i, int gpus)
{
    static const char head[] =
        "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk     fb \n"
        "# Idx      W      C      C      %      %      %      %    MHz    MHz     MB \n";
    int n = i % (20 * gpus) ? 0 : sprintf(to, "%s", head);
    unsigned busy = below(20) ? 60 + below(41) : 0;
    return n + sprintf(to + n, "%5d %6u %6u      - %6u %6u      0      0   2619 %6u %6u \n", (int)(i % gpus),
                       90 + busy * 6, 35 + busy / 3, busy, busy / 2, 1200 + 15 * below(53),
                       20000 + below(50000));
}

static int cpu(char *to, int64_t i, int gpus)
{
    int n = i ? 0 : sprintf(to, "timestamp,usr_pct,idle_pct\n");
    (void)gpus;
    n += stamp(to + n, "%Y-%m-%dT%H:%M:%S", i * 1000 + below(30));
    return n + sprintf(to + n, "+00:00,%u.%u,%u.%u\n", below(60), below(10), 20 + below(20), below(10));
}

static int runlog(char *to, int64_t i, int gpus)
{
    static const char *const name[] = {"load_data", "compile", "train", "eval", "checkpoint"};
    int n = sprintf(to, "{\"ts\": \"");
    (void)gpus;
    n += stamp(to + n, "%Y-%m-%dT%H:%M:%S", i * 30000);
    if (i % 7 == 0)
        return n + sprintf(to + n,
                           "+00:00\", \"type\": \"event\", \"event\": \"%s\", \"data\": {\"step\": %lld}}\n",
                           i ? "step" : "start", (long long)i);
    return n + sprintf(to + n, "+00:00\", \"type\": \"phase\", \"name\": \"%s\", \"seconds\": %u.%u}\n",
                       name[below(5)], 1 + below(28), 1 + below(9));
}

static const struct {
    const char *name, *file;
    int (*row)(char *to, int64_t i, int gpus);
    int64_t rows; /* of a run of ten minutes */
} kinds[] = {
    {"query", "hw_metrics.csv", query, 300},
    {"dmon", "hw_dmon.csv", dmon, 600},
    {"cpu", "cpu_metrics.csv", cpu, 600},
    {"runlog", "run.jsonl", runlog, 20},
};

static int sweep(const char *dir, int runs)
{
    char path[512], row[256];
    if (mkdir(dir, 0777))
        return 1;
    for (int r = 0; r < runs; r++) {
        snprintf(path, sizeof path, "%s/run_%05d", dir, r);
        if (mkdir(path, 0777))
            return 1;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            FILE *f;
            snprintf(path, sizeof path, "%s/run_%05d/%s", dir, r, kinds[k].file);
            if (!(f = fopen(path, "w")))
                return 1;
            for (int64_t i = 0; i < kinds[k].rows; i++)
                fwrite(row, 1, (size_t)kinds[k].row(row, i, 1), f);
            if (fclose(f))
                return 1;
        }
    }
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int run(char **argv)
{
    double begin = now();
    struct rusage used;
    int status, none = open("/dev/null", O_WRONLY);
    pid_t pid = none < 0 ? -1 : fork();
    if (pid < 0)
        return 1;
    if (pid == 0) {
        dup2(none, 1);
        execv(argv[0], argv);
        _exit(127);
    }
    if (wait4(pid, &status, 0, &used) != pid)
        return 1;
    printf("%.6f %.6f %ld\n", now() - begin, seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
    char row[256];
    int64_t most, bytes = 0;
    if (argc > 2 && strcmp(argv[1], "run") == 0)
        return run(argv + 2);
    if (argc == 4 && strcmp(argv[1], "sweep") == 0)
        return sweep(argv[2], atoi(argv[3]));
    for (size_t k = 0; argc == 3 && k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(argv[1], kinds[k].name))
            continue;
        most = (int64_t)atoi(argv[2]) << 20;
        for (int64_t i = 0; bytes < most; i++) {
            int n = kinds[k].row(row, i, GPUS);
            fwrite(row, 1, (size_t)n, stdout);
            bytes += n;
        }
        return fflush(stdout) != 0;
    }
    return 2;
}
