/* usage.c - what a command used: in the forms that are written, and as a text for people. */
#include "process/usage.h"
#include "base/file.h"
#include "export/export.h"
#include "process/tracking.h"
#include "report/fmt.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* One walk over the figures writes both forms: JSON, each member in a line that is indented by a blank a
 * level; and lines indented by three. Names, units and figures are plain ASCII. */

enum { INDENT = 3, DECIMALS = 3, PERCENT = 1000000 };

struct out {
    struct smi_buf *to;
    bool json; /* not the text */
    bool some; /* the group that is open holds something */
    int depth;
};

static void put_name(struct out *o, const char *label, const char *key)
{
    if (o->json)
        smi_buf_fmt(o->to, "%s\n%*s\"%s\": ", o->some ? "," : "", o->depth + 1, "", key);
    else
        smi_buf_fmt(o->to, "%s%*s%s:", o->to->n ? "\n" : "", INDENT * o->depth, "", label);
    o->some = true;
}

static void put_text_value(struct out *o, const char *text)
{
    smi_buf_str(o->to, o->json ? "" : " ");
    smi_buf_str(o->to, text ? text : o->json ? "null" : "n/a");
}

static void open_group(struct out *o, const char *label, const char *key)
{
    put_name(o, label, key);
    smi_buf_str(o->to, o->json ? "{" : "");
    o->some = false;
    o->depth++;
}

static void close_group(struct out *o)
{
    if (o->json)
        smi_buf_fmt(o->to, "\n%*s}", o->depth, "");
    o->some = true;
    o->depth--;
}

static void put_unit(struct out *o, const struct smi_usage_unit *unit)
{
    put_name(o, "Unit", "unit");
    smi_buf_fmt(o->to, o->json ? "\"%s\"" : " %s", unit->name);
}

/* num / den; a negative num, or a den that is not above 0, is not known. */
static void put_real(struct out *o, const char *label, const char *key, smi_i128 num, smi_i128 den)
{
    char text[SMI_REAL_TEXT];
    double v;
    put_name(o, label, key);
    if (num < 0 || den <= 0) {
        put_text_value(o, NULL);
        return;
    }
    v = smi_i128_ratio(num, den);
    smi_real_write(text, o->json ? v : smi_real_round(v, DECIMALS));
    put_text_value(o, text);
}

static void put_count(struct out *o, const char *label, const char *key, int64_t v)
{
    char text[SMI_I128_TEXT];
    smi_i128_write(text, v);
    put_name(o, label, key);
    put_text_value(o, v < 0 ? NULL : text);
}

static const struct {
    const char *label, *key, *threads, *n_threads;
} parts[SMI_TREE_PARTS] = {
    {"Main", "main", "Main number of threads", "main_n_threads"},
    {"Descendants", "descendants", "Descendants number of threads", "descendants_n_threads"},
    {"Combined", "combined", "Combined number of threads", "combined_n_threads"},
};

/* Sums over so many cores or GPUs. */
static void put_percent(struct out *o, const char *label, const char *key, int64_t most,
                        const struct smi_usage_mean *v, int64_t among)
{
    smi_i128 all = (smi_i128)PERCENT * v->n, of = among < 0 ? 0 : among;
    open_group(o, label, key);
    put_real(o, "Max sum percent", "max_sum_percent", most, PERCENT);
    put_real(o, "Max hardware percent", "max_hardware_percent", most, PERCENT * of);
    put_real(o, "Mean sum percent", "mean_sum_percent", v->sum, all);
    put_real(o, "Mean hardware percent", "mean_hardware_percent", v->sum, all * of);
    close_group(o);
}

void smi_usage_put(struct smi_buf *to, bool json, const struct smi_usage *u,
                   const struct smi_usage_machine *m, const struct smi_usage_units *units)
{
    struct out form = {.to = to, .json = json}, *const o = &form;
    const struct smi_usage_sample *most = &u->most;
    static const struct smi_usage_mean none = {.n = 1};
    const struct smi_usage_unit *time = &smi_usage_times[units->time], *ram = &smi_usage_sizes[units->ram],
                                *gpu_ram = &smi_usage_sizes[units->gpu_ram];
    smi_buf_str(to, json ? "{" : "");
    open_group(o, "Max RAM", "max_ram");
    put_unit(o, ram);
    put_real(o, "System capacity", "system_capacity", m->ram, ram->size);
    put_real(o, "System", "system", most->system_ram, ram->size);
    for (int p = 0; p < SMI_TREE_PARTS; p++) {
        open_group(o, parts[p].label, parts[p].key);
        put_real(o, "Total RSS", "total_rss", most->ram[p].total, ram->size);
        put_real(o, "Private RSS", "private_rss", most->ram[p].private_, ram->size);
        put_real(o, "Shared RSS", "shared_rss", most->ram[p].shared, ram->size);
        close_group(o);
    }
    close_group(o);
    /* A millionth of a MiB, taken for a millionth of a megabyte, is a byte. Without a GPU gpu_tracker has
     * 0.0. */
    open_group(o, "Max GPU RAM", "max_gpu_ram");
    put_unit(o, gpu_ram);
    put_real(o, "System capacity", "system_capacity", m->gpu_ram, gpu_ram->size);
    put_real(o, "System", "system", m->gpus ? most->system_gpu_ram : 0, gpu_ram->size);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_real(o, parts[p].label, parts[p].key, m->gpus ? most->gpu_ram[p] : 0, gpu_ram->size);
    close_group(o);
    open_group(o, "CPU utilization", "cpu_utilization");
    put_count(o, "System core count", "system_core_count", m->cores);
    put_count(o, "Number of expected cores", "n_expected_cores", m->expected_cores);
    put_percent(o, "System", "system", most->system_cpu, &u->system_cpu, m->cores);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_percent(o, parts[p].label, parts[p].key, most->cpu[p], &u->cpu[p], m->expected_cores);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_count(o, parts[p].threads, parts[p].n_threads, most->threads[p]);
    close_group(o);
    open_group(o, "GPU utilization", "gpu_utilization");
    put_count(o, "System GPU count", "system_gpu_count", m->gpus);
    put_count(o, "Number of expected GPUs", "n_expected_gpus", m->expected_gpus);
    put_percent(o, "GPU percentages", "gpu_percentages", m->gpus ? most->gpu_util_sum : 0,
                m->gpus ? &u->gpu_util : &none, m->gpus ? m->expected_gpus : 1);
    close_group(o);
    open_group(o, "Compute time", "compute_time");
    put_unit(o, time);
    put_real(o, "Time", "time", u->compute_us, time->size);
    close_group(o);
    smi_buf_str(to, json ? "\n}" : "");
}

enum {
    COMMAND = 60, /* bytes of the command */
    LEFT = 4,     /* processes that are named */
    WIDE = 80,
    REPORT_INDENT = 14,
    LEAST_US =
        100000 /* CPU time comes in ticks of 10 ms: over less time than this, its share means nothing */
};

static const int64_t gib = INT64_C(1) << 30, mib = INT64_C(1) << 20;

/* ---- numbers ---- */

static const char *fixed_text(struct smi_text_arena *g, smi_i128 micro, int digits)
{
    return smi_fmt_ratio(g, micro, 1000000, digits);
}

/* "12.41 GiB", and "17.3 MiB" of little. */
static const char *size_text(struct smi_text_arena *g, int64_t bytes)
{
    return bytes < 0      ? "n/a"
           : bytes >= gib ? smi_fmt(g, "%s GiB", smi_fmt_ratio(g, bytes, gib, 2))
                          : smi_fmt(g, "%s MiB", smi_fmt_ratio(g, bytes, mib, 1));
}

static const char *duration_text(struct smi_text_arena *g, int64_t us)
{
    return us < 10000000 ? smi_fmt(g, "%ss", fixed_text(g, us, 2)) : smi_fmt_time(g, us / 1000);
}

/* A percentage, or n/a. */
static const char *mean_text(struct smi_text_arena *g, const struct smi_usage_mean *m)
{
    return m->n ? smi_fmt(g, "%s %%", smi_fmt_ratio(g, m->sum, (smi_i128)m->n * 1000000, 1)) : "n/a";
}

static int64_t bytes_of(int64_t micro_mib)
{
    return micro_mib < 0 ? -1 : (int64_t)smi_i128_div((smi_i128)micro_mib * mib, 1000000);
}

/* ---- lines ---- */

static void append_end(struct smi_text_arena *g, const struct smi_tracking *t, const char *end)
{
    smi_buf_fmt(g->to, "  ended       %s after %s", end, duration_text(g, t->f.span_us));
    if (t->f.processes > 1)
        smi_buf_fmt(g->to, ", %lld processes at most", (long long)t->f.processes);
    smi_buf_char(g->to, '\n');
}

static void append_cpu(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    const struct smi_usage_mean *of = t->f.usage.cpu, *all = &of[SMI_TREE_OF_ALL];
    const int64_t most = t->f.usage.most.cpu[SMI_TREE_OF_ALL];
    if (!all->n && t->f.unseen)
        smi_buf_str(b, "  CPU         n/a: /proc does not show it (hidepid)\n");
    if (!all->n)
        return;
    if (t->f.span_us < LEAST_US) {
        smi_buf_fmt(b, "  CPU         %s ms of CPU time\n",
                    fixed_text(g, (smi_i128)t->f.last.cpu_us[SMI_TREE_OF_ALL] * 1000, 1));
        return;
    }
    smi_buf_fmt(b, "  CPU         %s of a core, at most %s %%; main %s, descendants %s; ", mean_text(g, all),
                fixed_text(g, most, 1), mean_text(g, &of[SMI_TREE_OF_MAIN]),
                mean_text(g, &of[SMI_TREE_OF_DESCENDANTS]));
    if (t->f.machine.expected_cores > 0)
        smi_buf_fmt(
            b, "%s %% of %lld cores; ",
            fixed_text(g, smi_i128_div(smi_i128_div(all->sum, all->n), t->f.machine.expected_cores), 1),
            (long long)t->f.machine.expected_cores);
    smi_buf_fmt(b, "%s of CPU time\n", duration_text(g, t->f.last.cpu_us[SMI_TREE_OF_ALL]));
}

static void append_memory(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    const struct smi_tree_ram *of = t->f.usage.most.ram, *all = &of[SMI_TREE_OF_ALL];
    const int64_t rss = t->f.rss_kib * 1024, most = rss > all->total ? rss : all->total;
    smi_buf_str(b, "  memory      ");
    if (all->total < 0) {
        smi_buf_fmt(b, "%s%s: %s\n", rss > 0 ? size_text(g, rss) : "n/a",
                    rss > 0 ? " at most in one process, as the kernel counts" : "",
                    t->f.unseen   ? "/proc does not show it (hidepid)"
                    : t->f.denied ? "it may not be read"
                                  : "it ended before it was seen");
        return;
    }
    if (smi_tracking_possible_ram(t) >= 0)
        smi_buf_fmt(b, "at least %s, perhaps %s: not all forks were read in time; ", size_text(g, all->total),
                    size_text(g, smi_tracking_possible_ram(t)));
    else if (rss > all->total)
        smi_buf_fmt(b, "%s at most (one process, as the kernel counts); in samples %s, ", size_text(g, rss),
                    size_text(g, all->total));
    else
        smi_buf_fmt(b, "%s at most; ", size_text(g, all->total));
    smi_buf_fmt(b, "private %s, shared %s; main %s, descendants %s", size_text(g, all->private_),
                size_text(g, all->shared), size_text(g, of[SMI_TREE_OF_MAIN].total),
                size_text(g, of[SMI_TREE_OF_DESCENDANTS].total));
    if (t->f.machine.ram > 0)
        smi_buf_fmt(b, "; %s %% of the machine",
                    fixed_text(g, smi_i128_div((smi_i128)most * 100000000, t->f.machine.ram), 1));
    smi_buf_char(b, '\n');
}

/* The largest reading of the machine over the whole run; -1: there is none. */
static int64_t highest_reading(const struct smi_machine *n, unsigned metric)
{
    struct smi_machine_figures f;
    smi_machine_whole_run(n, &n->host, metric, &f);
    return f.n ? f.max : -1;
}

static void append_group(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    const struct smi_host_sample *h = &t->o.live->seen;
    const struct smi_machine *n = t->o.live->now;
    const bool full = t->f.oom_kills > 0 && h->has >> SMI_HOST_CG_RAM_PEAK & 1; /* between two samples */
    const int64_t cpu_pct = highest_reading(n, SMI_CGROUP_CPU), limit = h->v[SMI_HOST_CG_RAM_LIMIT],
                  ram = full && limit
                            ? (int64_t)smi_i128_div((smi_i128)h->v[SMI_HOST_CG_RAM_PEAK] * 100000000, limit)
                            : highest_reading(n, SMI_CGROUP_RAM_PCT);
    const int64_t stopped = highest_reading(n, SMI_CGROUP_THROTTLED);
    const bool cpus = h->has >> SMI_HOST_CG_CPU_LIMIT & 1 && (cpu_pct >= 0 || stopped > 0);
    if (ram < 0 && !cpus)
        return;
    smi_buf_str(b, "  limits      ");
    if (ram >= 0 && h->has >> SMI_HOST_CG_RAM_LIMIT & 1)
        smi_buf_fmt(b, "memory at most %s %% of %s%s", fixed_text(g, ram, 1), size_text(g, bytes_of(limit)),
                    cpus ? "; " : "");
    if (cpus)
        smi_buf_fmt(b, cpu_pct >= 0 ? "CPUs at most %s %% of %s" : "%.0s%s CPUs", fixed_text(g, cpu_pct, 1),
                    fixed_text(g, h->v[SMI_HOST_CG_CPU_LIMIT], 1));
    if (cpus && stopped > 0)
        smi_buf_fmt(b, ", stopped in up to %s %% of the periods", fixed_text(g, stopped, 1));
    smi_buf_str(b, " (of the control group)\n");
}

/* Appends why no GPU was seen. Returns false, and appends nothing, if one was. */
static bool append_none_seen(struct smi_buf *b, const struct smi_machine *n, const char *head)
{
    if (n->gpus)
        return false;
    smi_buf_fmt(b, "%snone was seen", head);
    for (size_t i = 0; i < n->sources; i++)
        if (n->source[i]->format == SMI_FMT_QUERY) {
            smi_buf_str(b, ": ");
            smi_buf_safe(b,
                         smi_text_of(*n->source[i]->why ? n->source[i]->why : "nvidia-smi gave no reading"));
        }
    smi_buf_char(b, '\n');
    return true;
}

static void append_gpu(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    const struct smi_machine *n = t->o.live->now;
    const int64_t memory = t->f.usage.most.gpu_ram[SMI_TREE_OF_ALL];
    struct smi_machine_figures util;
    struct smi_machine_totals s;
    bool mine = false;
    if (append_none_seen(b, n, "  GPU         "))
        return;
    for (size_t i = 0; i < n->gpus; i++)
        mine |= n->gpu[i]->mine;
    if (!mine) {
        smi_buf_fmt(b, "  GPU         none of the %zu is the command's\n", n->gpus);
        return;
    }
    smi_buf_fmt(b, "  GPU         %s", smi_fmt_safe(g, smi_machine_models(g, n)));
    smi_machine_whole_run(n, NULL, SMI_GPU_UTIL, &util);
    if (util.n)
        smi_buf_fmt(b, ": %s %%, at most %s %%", fixed_text(g, util.mean, 1), fixed_text(g, util.max, 1));
    smi_machine_totals(n, NULL, &s);
    if (s.energy_wh.has)
        smi_buf_fmt(b, "; %s Wh", fixed_text(g, s.energy_wh.micro, 1));
    if (s.known_ms > 0)
        smi_buf_fmt(b, "; idle %s %%",
                    fixed_text(g, smi_i128_div((smi_i128)s.idle_ms * 100000000, s.known_ms), 1));
    smi_buf_fmt(b, "\n  GPU memory  %s%s (%s)\n", size_text(g, bytes_of(memory)),
                memory < 0 ? "" : " at most", smi_gpu_memory_share_words(&t->f.whose));
}

static void append_survivors(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    const int64_t all = t->f.last.of[SMI_TREE_OF_ALL].processes;
    struct smi_tree_process p;
    size_t at = 0;
    int named = 0;
    if (all == 0 || t->f.last.main_alive)
        return;
    smi_buf_fmt(b, "  left        %lld process%s of it still run%s:", (long long)all, all == 1 ? "" : "es",
                all == 1 ? "s" : "");
    while (named < LEFT && smi_tree_next(t->tree, &at, &p)) {
        smi_buf_fmt(b, "%s %ld ", named++ ? "," : "", (long)p.pid);
        smi_buf_safe(b, smi_text_of(p.comm));
    }
    smi_buf_str(b, all > named ? ", ...\n" : "\n");
}

static void append_notes(struct smi_text_arena *g, const struct smi_tracking *t)
{
    struct smi_buf *b = g->to;
    if (t->f.oom_kills > 0)
        smi_buf_fmt(b, "  killed      %lld process%s: memory was full\n", (long long)t->f.oom_kills,
                    t->f.oom_kills == 1 ? "" : "es");
    if (t->f.orphans)
        smi_buf_str(
            b,
            "  note        what it had started, and left alone before now, is not known and not counted\n");
    if (t->f.beyond)
        smi_buf_fmt(b, "  note        more than %d processes at a time: the others are not counted\n",
                    SMI_TREE_MEMBERS);
    if (t->f.estimated)
        smi_buf_fmt(
            b,
            "  note        of %lld samples of memory %lld are carried on from statm since smaps was last "
            "read\n",
            (long long)t->f.samples, (long long)t->f.estimated);
    if (t->f.denied)
        smi_buf_fmt(b, "  note        of %lld samples of memory %lld lack processes that may not be read\n",
                    (long long)t->f.samples, (long long)t->f.denied);
}

void smi_tracking_text(struct smi_buf *to, const struct smi_tracking *t, const char *command, const char *end,
                       const char *dir, bool quiet)
{
    static void (*const part[])(struct smi_text_arena * g, const struct smi_tracking *t) = {
        append_cpu, append_memory, append_group, append_gpu, append_notes, append_survivors};
    struct smi_buf b = {0};
    const struct smi_render_options look = {.width = WIDE - 1};
    struct smi_text_arena g = {.to = &b, .look = &look};
    if (quiet && dir)
        append_none_seen(to, t->o.live->now, "smilog: warning: GPUs: ");
    if (quiet)
        return;
    smi_buf_str(to, "smilog: ");
    smi_buf_safe(to, smi_text_prefix(smi_text_of(command), COMMAND));
    smi_buf_str(to, strlen(command) > COMMAND ? "...\n" : "\n");
    append_end(&g, t, end);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        part[i](&g, t);
    g.to = to;
    for (const char *p = b.p, *lf; p < b.p + b.n; p = lf + 1) {
        lf = strchr(p, '\n');
        smi_buf_add(to, p, REPORT_INDENT);
        g.column = REPORT_INDENT;
        for (const char *at = p + REPORT_INDENT, *next; at < lf; at = next + (*next == ' ')) {
            next = strstr(at, "; "); /* what fits a line of its own is not broken */
            next = next && next < lf ? next + 1 : lf;
            const char *figure = smi_fmt(&g, "%.*s", (int)(next - at), at);
            (smi_text_width(figure) > WIDE - 1 - REPORT_INDENT ? smi_wrap_words : smi_wrap_word)(
                &g, at > p + REPORT_INDENT, figure, REPORT_INDENT);
        }
        smi_wrap_newline(&g);
    }
    smi_arena_fini(&g.arena);
    smi_buf_fini(&b);
    if (dir) {
        smi_buf_str(to, "  recorded    in ");
        smi_buf_safe(to, smi_text_of(dir));
        smi_buf_str(to, ": smilog summarize -v ");
        smi_buf_safe(to, smi_text_of(dir));
        smi_buf_char(to, '\n');
    }
}

const struct smi_usage_unit smi_usage_sizes[SMI_USAGE_SIZES] = {
    {"bytes", 1},
    {"kilobytes", 1000},
    {"megabytes", 1000000},
    {"gigabytes", 1000000000},
    {"terabytes", 1000000000000},
};
const struct smi_usage_unit smi_usage_times[SMI_USAGE_TIMES] = {
    {"seconds", 1000000},
    {"minutes", 60000000},
    {"hours", 3600000000},
    {"days", 86400000000},
};
const struct smi_usage_units smi_usage_default_units = {3, 3, 2};

void smi_usage_sample_init(struct smi_usage_sample *s, int64_t wall_us)
{
    memset(s, -1, sizeof *s);
    s->wall_us = wall_us;
}

void smi_usage_init(struct smi_usage *u)
{
    *u = (struct smi_usage){.compute_us = -1};
    smi_usage_sample_init(&u->most, -1);
}

static void add_to_mean(struct smi_usage_mean *m, int64_t v)
{
    m->sum += v < 0 ? 0 : v;
    m->n += v >= 0;
}

void smi_usage_add(struct smi_usage *u, const struct smi_usage_sample *s)
{
    for (int i = 0; i < SMI_USAGE_FIGURES; i++)
        if (s->figure[i] > u->most.figure[i])
            u->most.figure[i] = s->figure[i];
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        add_to_mean(&u->cpu[p], s->cpu[p]);
    add_to_mean(&u->system_cpu, s->system_cpu);
    add_to_mean(&u->gpu_util, s->gpu_util_sum);
}

void smi_usage_set_cpu(struct smi_usage *u, enum smi_tree_part part, int64_t cpu_us, int64_t span_us)
{
    const smi_i128 sum = (smi_i128)cpu_us * 100000000;
    if (span_us <= 0)
        return;
    u->cpu[part] = (struct smi_usage_mean){sum, span_us};
    if (u->most.cpu[part] < smi_i128_div(sum, span_us)) /* ticks are coarse */
        u->most.cpu[part] = (int64_t)smi_i128_div(sum, span_us);
}

/* ---- cells of a row ---- */

enum { SECOND = 1000000, FIXED_CELLS = 9, COLUMNS = 22 };

/* What stands in a row: a word, or a number. */
struct cell {
    const char *word;
    bool whole; /* a count */
    double v;   /* NAN: not known */
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

static struct cell count_cell(int64_t v)
{
    return (struct cell){.whole = true, .v = v < 0 ? NAN : (double)v};
}

/* v / den; a negative v, or a den that is not above 0, is not known. */
static struct cell real_cell(int64_t v, smi_i128 den)
{
    return (struct cell){.v = v >= 0 && den > 0 ? smi_i128_ratio(v, den) : NAN};
}

static void fill_static_cells(struct cell cell[FIXED_CELLS], const struct smi_usage_machine *m,
                              const struct smi_usage_units *units)
{
    const struct smi_usage_unit *ram = &smi_usage_sizes[units->ram],
                                *gpu_ram = &smi_usage_sizes[units->gpu_ram];
    const struct cell all[FIXED_CELLS] = {
        {.word = ram->name},
        {.word = gpu_ram->name},
        {.word = smi_usage_times[units->time].name},
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
        *to++ = real_cell(s->ram[p].total, ram);
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
        if (cell[i].word)
            sqlite3_bind_text(st, i + 1, cell[i].word, -1, SQLITE_STATIC);
        else /* NAN becomes NULL, and a count an INTEGER, as the column says */
            sqlite3_bind_double(st, i + 1, cell[i].v);
    }
    rc = st ? smi_sql_step(&f->sql, st, err) : -1;
    sqlite3_finalize(st);
    return rc;
}

/* Makes the tables in the empty file at path, and the row of static_data. Returns 0, or -1 with err. */
static int begin_database(struct smi_usage_file *f, struct smi_err *err)
{
    struct cell cell[FIXED_CELLS];
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
    return smi_sql_run(&f->sql, f->line.p, err) || insert_row(f, "static_data", cell, FIXED_CELLS, err) ? -1
                                                                                                        : 0;
}

enum { SHOWN = 300 }; /* bytes of a path in a message */

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
        if (!isnan(cell[i].v) && cell[i].whole)
            smi_i128_write(text, (int64_t)cell[i].v);
        else if (!isnan(cell[i].v))
            smi_real_write(text, cell[i].v);
        smi_buf_fmt(to, "%s%s", i ? "," : "", cell[i].word ? cell[i].word : text);
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
        return errno == ENOENT ? 0 : smi_file_error(err, "look at", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return smi_err_set(err, SMI_EIO, "%.*s: is no regular file, and is not overwritten", SHOWN, path);
    for (size_t i = 0; !rc && i < (ends_with(path, ".sqlite") ? 4 : 1); i++) {
        smi_buf_clear(&name);
        smi_buf_fmt(&name, "%s%s", path, beside[i]);
        if (unlink(name.p) != 0 && errno != ENOENT)
            rc = smi_file_error(err, "overwrite", name.p, strerror(errno));
    }
    smi_buf_fini(&name);
    return rc;
}

int smi_usage_file_open(struct smi_usage_file *f, const char *path, bool overwrite,
                        const struct smi_usage_machine *m, const struct smi_usage_units *units,
                        struct smi_err *err)
{
    bool csv = ends_with(path, ".csv");
    struct cell cell[FIXED_CELLS];
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
        return smi_file_error(err, "create", path, strerror(errno));
    close(fd);
    if (smi_append_open(&f->to, AT_FDCWD, f->path, err))
        return -1;
    if (!csv)
        return begin_database(f, err);
    fill_static_cells(cell, &f->machine, &f->units);
    write_csv_names(&f->head, fixed);
    write_csv_cells(&f->head, cell, FIXED_CELLS);
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
