/* logs.h - the logs that lie below directories, for tests that read them all; and their rows at later times. */
#pragma once

#include "formats/format.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOGS_MAX = 4096 };

struct log {
    char *path, *p;
    size_t n;
    int format;
};

/* All different ones, in the order of their paths once logs_sort was called. */
static struct log list[LOGS_MAX];
static size_t logs, logs_most; /* logs_most: bytes of the largest that is taken; 0: any */

static inline bool logs_known(const struct log *l)
{
    for (size_t i = 0; i < logs; i++)
        if (list[i].n == l->n && memcmp(list[i].p, l->p, l->n) == 0)
            return true;
    return false;
}

/* For nftw: takes the file if it is a log, and no cases. */
static inline int logs_add(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    struct log l = {.n = (size_t)st->st_size};
    struct smi_detect why;
    const char *end = strrchr(path + at->base, '.');
    FILE *f;
    if ((end && strcmp(end, ".t") == 0) || kind != FTW_F || !l.n || (logs_most && l.n > logs_most))
        return 0;
    l.p = malloc(l.n);
    f = fopen(path, "rb");
    if (!l.p || !f || fread(l.p, 1, l.n, f) != l.n || logs == LOGS_MAX)
        return -1;
    fclose(f);
    l.format = smi_detect(l.p, l.n, true, &why);
    if (l.format < 0 || logs_known(&l)) {
        free(l.p);
        return 0;
    }
    l.path = strdup(path);
    list[logs++] = l;
    return 0;
}

static char logs_inputs[] = "/tmp/logs-XXXXXX";

/* Those of the fixtures and the cases; what cases have in here-documents is in files until logs_drop. */
static inline int logs_of_tests(void)
{
    char command[64];
    if (!mkdtemp(logs_inputs))
        return -1;
    snprintf(command, sizeof command, "python3 -B tests/console.py %s", logs_inputs);
    if (system(command))
        return -1;
    return nftw("tests/fixtures", logs_add, 16, FTW_PHYS) || nftw("tests/cases", logs_add, 16, FTW_PHYS) ||
           nftw(logs_inputs, logs_add, 16, FTW_PHYS);
}

static inline int logs_by_path(const void *a, const void *b)
{
    return strcmp(((const struct log *)a)->path, ((const struct log *)b)->path);
}

static inline void logs_sort(void)
{
    qsort(list, logs, sizeof *list, logs_by_path);
}

static inline int logs_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static inline void logs_drop(void)
{
    nftw(logs_inputs, logs_remove, 16, FTW_DEPTH | FTW_PHYS);
    while (logs) {
        free(list[--logs].path);
        free(list[logs].p);
    }
}

/* ---- times ---- */

static inline bool logs_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The first "22:11:09" of the row, or NULL. */
static inline char *logs_clock(char *p, size_t n)
{
    for (; n >= 8; p++, n--)
        if (logs_digit(p[0]) && logs_digit(p[1]) && p[2] == ':' && logs_digit(p[3]) && logs_digit(p[4]) &&
            p[5] == ':' && logs_digit(p[6]) && logs_digit(p[7]))
            return p;
    return NULL;
}

/* "09" and back. */
static inline unsigned logs_pair(const char *p)
{
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

static inline void logs_put_pair(char *p, unsigned v)
{
    p[0] = (char)('0' + v / 10 % 10);
    p[1] = (char)('0' + v % 10);
}

/* The row's time, if it has one, is so many milliseconds later, on the same day. Returns what is behind it. */
static inline char *logs_delay(char *row, size_t n, uint64_t ms)
{
    char *clock = logs_clock(row, n), *end = row + n;
    bool fine = clock && end - clock > 12 && clock[8] == '.' && logs_digit(clock[9]) && logs_digit(clock[10]) &&
                logs_digit(clock[11]);
    uint64_t t;
    if (!clock)
        return row;
    t = logs_pair(clock) * 3600u + logs_pair(clock + 3) * 60u + logs_pair(clock + 6);
    t = t * 1000 + (fine ? (uint64_t)(clock[9] - '0') * 100 + logs_pair(clock + 10) : 0) + ms;
    if (!ms)
        return clock + (fine ? 12 : 8);
    logs_put_pair(clock, (unsigned)(t / 3600000 % 24));
    logs_put_pair(clock + 3, (unsigned)(t / 60000 % 60));
    logs_put_pair(clock + 6, (unsigned)(t / 1000 % 60));
    if (!fine)
        return clock + 8;
    clock[9] = (char)('0' + t / 100 % 10);
    logs_put_pair(clock + 10, (unsigned)(t % 100));
    return clock + 12;
}
