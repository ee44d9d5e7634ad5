/* A program that tracks itself. After `make install`:
 *     cc tracker_example.c $(pkg-config --cflags --libs smilog) && ./a.out */
#include <smilog/smilog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    struct smilog_error err = {SMILOG_OK, ""};
    struct smilog_tracker *t = smilog_tracker_new(&err);
    const char *text = NULL;
    char *memory;
    if (!t || smilog_tracker_set(t, "interval", "0.2", &err) ||
        smilog_tracker_set(t, "ram-unit", "megabytes", &err) ||
        smilog_tracker_set(t, "time-unit", "seconds", &err) || smilog_tracker_start(t, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    memory = (char *)malloc(100 << 20);
    if (memory)
        memset(memory, 1, 100 << 20);
    sleep(1);
    if (smilog_tracker_stop(t, &err) || !(text = smilog_tracker_summary(t, "gpu-tracker-text", &err)))
        fprintf(stderr, "%s\n", err.text);
    else
        puts(text);
    smilog_tracker_free(t);
    free(memory);
    return text ? 0 : 1;
}
