/* tracking_rows.c - procs.csv. */
#include "base/clock.h"
#include "model/metric.h"
#include "process/tracking_private.h"

enum what { CPU, RAM, PRIVATE, SHARED, FB, THREADS, PROCESSES };

static const struct {
    uint16_t metric;
    const char *most; /* the key of its maximum: "max_" and that of the metric (aggregate/runlog_usage.h) */
    enum what what;
    enum smi_tree_part part;
} columns[] = {
    {SMI_TREE_CPU, "max_tree_cpu_pct", CPU, SMI_TREE_OF_ALL},
    {SMI_TREE_CPU_MAIN, "max_tree_cpu_main_pct", CPU, SMI_TREE_OF_MAIN},
    {SMI_TREE_CPU_CHILDREN, "max_tree_cpu_children_pct", CPU, SMI_TREE_OF_DESCENDANTS},
    {SMI_TREE_RAM, "max_tree_ram_mib", RAM, SMI_TREE_OF_ALL},
    {SMI_TREE_RAM_MAIN, "max_tree_ram_main_mib", RAM, SMI_TREE_OF_MAIN},
    {SMI_TREE_RAM_CHILDREN, "max_tree_ram_children_mib", RAM, SMI_TREE_OF_DESCENDANTS},
    {SMI_TREE_RAM_PRIVATE, "max_tree_ram_private_mib", PRIVATE, SMI_TREE_OF_ALL},
    {SMI_TREE_RAM_SHARED, "max_tree_ram_shared_mib", SHARED, SMI_TREE_OF_ALL},
    {SMI_TREE_FB, "max_tree_fb_mib", FB, SMI_TREE_OF_ALL},
    {SMI_TREE_FB_MAIN, "max_tree_fb_main_mib", FB, SMI_TREE_OF_MAIN},
    {SMI_TREE_FB_CHILDREN, "max_tree_fb_children_mib", FB, SMI_TREE_OF_DESCENDANTS},
    {SMI_TREE_THREADS, "max_tree_threads", THREADS, SMI_TREE_OF_ALL},
    {SMI_TREE_THREADS_MAIN, "max_tree_threads_main", THREADS, SMI_TREE_OF_MAIN},
    {SMI_TREE_THREADS_CHILDREN, "max_tree_threads_children", THREADS, SMI_TREE_OF_DESCENDANTS},
    {SMI_TREE_PROCS, "max_tree_procs", PROCESSES, SMI_TREE_OF_ALL},
};

static int64_t mib(int64_t bytes)
{
    return bytes < 0 ? -1 : (int64_t)smi_i128_div((smi_i128)bytes * 1000000, 1 << 20);
}

/* Millionths of the catalogue's unit, or -1. */
static int64_t column_value(const struct smi_tracking *t, size_t i)
{
    const enum smi_tree_part part = columns[i].part;
    const struct smi_tree_usage *u = &t->f.last.of[part];
    const int64_t bytes = columns[i].what == RAM       ? u->ram.total
                          : columns[i].what == PRIVATE ? u->ram.private_
                                                       : u->ram.shared;
    const bool gone =
        t->f.last.of[SMI_TREE_OF_ALL].processes == 0; /* what ran until now has its CPU time still */
    switch (columns[i].what) {
    case CPU:
        return t->now.cpu[part];
    case FB:
        return t->memory.of[part];
    case THREADS:
        return gone || (t->f.last.hidden && part != SMI_TREE_OF_MAIN) ? -1 : u->threads * 1000000;
    case PROCESSES:
        return gone ? -1 : u->processes * 1000000;
    default:
        return u->has_ram ? mib(bytes) : -1;
    }
}

/* The same over the whole time. */
static int64_t most(const struct smi_tracking *t, size_t i)
{
    const struct smi_usage *u = &t->f.usage;
    const enum smi_tree_part part = columns[i].part;
    switch (columns[i].what) {
    case CPU:
        return u->cpu[part].n ? u->cpu[part].max : -1;
    case RAM:
        return mib(u->ram[part].total);
    case PRIVATE:
        return mib(u->ram[part].private_);
    case SHARED:
        return mib(u->ram[part].shared);
    case FB:
        return u->gpu_ram[part];
    case THREADS:
        return t->f.seen ? u->threads[part] * 1000000 : -1;
    default:
        return t->f.seen ? t->f.processes * 1000000 : -1;
    }
}

size_t smi_tracking_put_maxima(const struct smi_tracking *t, struct smi_runlog_value *out)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (most(t, i) >= 0)
            out[n++] = SMI_VALUE(columns[i].most, (double)most(t, i) / 1e6);
    return n;
}

void smi_tracking_put_head(struct smi_buf *to)
{
    smi_buf_str(to, "timestamp");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        smi_buf_fmt(to, ",%s", smi_metrics[columns[i].metric].key);
    smi_buf_char(to, '\n');
}

bool smi_tracking_put_row(const struct smi_tracking *t, int64_t wall_ms, struct smi_buf *to)
{
    char text[SMI_CLOCK_TEXT + SMI_MICRO_TEXT];
    bool some = false;
    smi_buf_add(to, text, smi_clock_write(text, wall_ms, false));
    smi_buf_str(to, "+00:00");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const int64_t v = column_value(t, i);
        const bool whole = columns[i].what == THREADS || columns[i].what == PROCESSES;
        smi_buf_char(to, ',');
        some |= v >= 0;
        if (v >= 0)
            smi_buf_add(to, text, smi_text_write_fixed(text, v, whole ? 0 : 1));
    }
    smi_buf_char(to, '\n');
    return some;
}
