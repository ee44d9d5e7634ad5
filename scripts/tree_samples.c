/* Samples of a tree of processes, one for each line of standard input, as JSON lines: for scripts/tree_check.py.
 *
 *     tree_samples PID            attached
 *     tree_samples -- CMD ARG...  started, as its reaper
 *     tree_samples -t MS -- ...   without standard input: a sample every MS milliseconds, until the tree has ended */
#include "process/tree.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_us(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void put(const struct smi_tree_sample *s, int64_t cost_us)
{
    static const char *const part[] = {"main", "descendants", "all"};
    long kib = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &kib) != 1)
        kib = 0;
    if (f)
        fclose(f);
    kib *= sysconf(_SC_PAGESIZE) / 1024;
    printf("{\"t_us\": %" PRId64 ", \"span_us\": %" PRId64 ", \"cost_us\": %" PRId64 ", \"own_kib\": %ld"
           ", \"estimated\": %d, \"denied\": %d, \"beyond\": %d, \"main_alive\": %s",
           s->t_us, s->span_us, cost_us, kib, s->estimated, s->denied, s->beyond,
           s->main_alive ? "true" : "false");
    for (int i = 0; i < SMI_TREE_PARTS; i++) {
        const struct smi_tree_usage *u = &s->of[i];
        printf(", \"%s\": {\"has_ram\": %d, \"has_cpu\": %d, \"total\": %" PRId64 ", \"private\": %" PRId64
               ", \"shared\": %" PRId64 ", \"cpu_pct\": %.6f, \"threads\": %" PRId64 ", \"processes\": %" PRId64
               ", \"cpu_us\": %" PRId64 "}",
               part[i], u->has_ram, u->has_cpu, u->ram.total, u->ram.private_, u->ram.shared,
               (double)u->cpu_micro_pct / 1e6, u->threads, u->processes, s->cpu_us[i]);
    }
    printf("}\n");
    fflush(stdout);
}

static void reap(struct smi_tree *t, pid_t main, bool *ended)
{
    struct rusage r;
    pid_t pid;
    int status;
    while ((pid = wait4(-1, &status, WNOHANG, &r)) > 0) {
        smi_tree_reaped(t, pid, ((int64_t)r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000 + r.ru_utime.tv_usec +
                                    r.ru_stime.tv_usec);
        *ended |= pid == main;
    }
}

int main(int argc, char **argv)
{
    struct smi_tree_opts o = {.proc = NULL};
    struct smi_tree_sample s;
    struct smi_tree *t;
    int every = 0, at = 1;
    char line[64];
    bool ended = false;
    if (argc > 3 && !strcmp(argv[1], "-t")) {
        every = atoi(argv[2]);
        at = 3;
    }
    if (at + 1 < argc && !strcmp(argv[at], "--")) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        o.reaper = getpid();
        o.main = fork();
        if (o.main == 0) {
            execvp(argv[at + 1], argv + at + 1);
            _exit(127);
        }
    } else {
        o.main = at < argc ? atoi(argv[at]) : 0;
    }
    t = smi_tree_open(&o, NULL);
    while (t && (every ? poll(NULL, 0, every) == 0 : fgets(line, sizeof line, stdin) != NULL)) {
        int64_t begin = clock_us(CLOCK_THREAD_CPUTIME_ID);
        if (smi_tree_read(t, clock_us(CLOCK_MONOTONIC), &s, NULL))
            return 1;
        put(&s, clock_us(CLOCK_THREAD_CPUTIME_ID) - begin);
        if (every && (o.reaper ? ended && !s.of[SMI_TREE_OF_ALL].processes : !s.main_alive))
            break;
        if (o.reaper)
            reap(t, o.main, &ended);
    }
    smi_tree_close(t);
    return 0;
}
