/* A program that tracks itself. After `make install`:
 *     cc tracker_example.c $(pkg-config --cflags --libs smilog) && ./a.out */
#include <smilog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    struct smi_err err = {0};
    struct smi_tracker_opts o = {.interval_ms = 200, .ram_unit = "megabytes", .time_unit = "seconds"};
    struct smi_tracker *t = smi_tracker_new(&o, &err);
    const char *text = NULL;
    char *memory;
    if (!t || smi_tracker_start(t, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    memory = malloc(100 << 20);
    if (memory)
        memset(memory, 1, 100 << 20);
    sleep(1);
    if (smi_tracker_stop(t, &err) || !(text = smi_tracker_summary(t, SMI_TRACKER_TEXT, &err)))
        fprintf(stderr, "%s\n", err.text);
    else
        puts(text);
    smi_tracker_free(t);
    free(memory);
    return text ? 0 : 1;
}
