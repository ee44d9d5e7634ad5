/* test_output.c - text outputs of a sweep made by hand: every width, hostile names, missing values. */
#include "summary/findings.h"
#include "report/output.h"
#include "report/text_report.h"
#include "summary/gpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MI INT64_C(1000000)

/* --- making sweeps --- */

struct spec {
    const char *name;
    enum smi_state state;
    const char *reason;
    int seconds;
    int util, idle;  /* tenths of % */
    int vram;        /* MiB that JAX used; 0: none */
    int wh;          /* tenths */
    int lead, stall; /* seconds, each GPU */
    bool unused;     /* the second GPU */
};

static const struct spec screen2[12] = {
    {"lr=0.03/seed1", SMI_STATE_OK, NULL, 3512, 831, 62, 42189, 5131, 205, 0, false},
    {"lr=0.03/seed2", SMI_STATE_OK, NULL, 3498, 827, 64, 42189, 5092, 205, 0, false},
    {"lr=0.03/seed3", SMI_STATE_OK, NULL, 3541, 829, 61, 42189, 5174, 205, 0, false},
    {"lr=0.03/seed4", SMI_STATE_OK, NULL, 3506, 834, 60, 42189, 5142, 205, 0, false},
    {"lr=0.1/seed1", SMI_STATE_OK, NULL, 3588, 810, 71, 42291, 5143, 205, 0, false},
    {"lr=0.1/seed2", SMI_STATE_OK, NULL, 3602, 806, 74, 42291, 5146, 205, 0, false},
    {"lr=0.1/seed3", SMI_STATE_OK, NULL, 3600, 718, 125, 42291, 4126, 140, 310, false},
    {"lr=0.1/seed4", SMI_STATE_CUT, NULL, 2231, 809, 70, 42291, 3198, 150, 0, false},
    {"lr=0.3/seed1", SMI_STATE_OK, NULL, 3575, 820, 65, 42291, 5184, 205, 0, false},
    {"lr=0.3/seed2", SMI_STATE_FAILED, "out of memory", 2484, 798, 78, 61030, 3740, 180, 0, false},
    {"lr=0.3/seed3", SMI_STATE_OK, NULL, 3592, 412, 529, 42291, 3412, 205, 0, true},
    {"lr=0.3/seed4", SMI_STATE_NO_DATA, NULL, 3590, 0, 0, 0, 0, 0, 0, false},
};

static struct smi_value val(int64_t micro)
{
    return (struct smi_value){micro, true};
}

static void *some(struct smi_summary *s, size_t n, size_t size)
{
    void *p = smi_arena_new(&s->arena, n, size);
    assert_non_null(p);
    return p;
}

static char *words(struct smi_summary *s, const char *t)
{
    char *p = smi_arena_text(&s->arena, t, strlen(t));
    assert_non_null(p);
    return p;
}

static struct smi_stats stats(unsigned metric, int64_t mean, int64_t low, int64_t high)
{
    struct smi_stats x = {
        .metric = (uint16_t)metric, .count = 1800, .mean = val(mean), .min = val(low), .max = val(high)};
    if (smi_metrics[metric].timed)
        x.time_mean = val(mean);
    x.stddev = val((high - low) / 4);
    for (int i = 0; i < SMI_PERCENTILES; i++)
        x.p[i] = val(low + (high - low) * smi_percentiles[i] / 100);
    if (smi_metrics[metric].kind == SMI_COUNTER)
        x = (struct smi_stats){.metric = (uint16_t)metric,
                               .count = 1800,
                               .first = val(0),
                               .last = val(3 * MI),
                               .increase = val(3 * MI)};
    return x;
}

static void make_gpu(struct smi_summary *s, const struct spec *c, struct smi_gpu *g, int index)
{
    bool idle = c->unused && index == 1;
    struct smi_stats *m = some(s, 9, sizeof *m);
    int64_t util = idle ? 0 : c->util * (c->unused ? 2 : 1) * (MI / 10);
    *g = (struct smi_gpu){.index = index,
                          .uuid = "GPU-6e7a",
                          .name = "NVIDIA H100 80GB HBM3",
                          .samples = 1800,
                          .covered_ms = c->seconds * INT64_C(1000),
                          .known_ms = c->seconds * INT64_C(1000),
                          .worked = !idle,
                          .energy_wh = val(c->wh * MI / 20),
                          .stats = m,
                          .nstats = 9,
                          .coverage_pct = val(100 * MI),
                          .cell_ms = c->seconds * INT64_C(1000) / SMI_SPARKLINE_CELLS};
    g->waste.ms[SMI_IDLE_BLIND] = idle ? g->covered_ms : (c->lead + c->stall) * INT64_C(1000);
    g->idle_pct = val(smi_idle_ms(&g->waste) * 100 * MI / g->covered_ms);
    g->lead_ms = idle ? 0 : c->lead * INT64_C(1000);
    g->longest_idle_s = val((c->stall > c->lead ? c->stall : c->lead) * MI);
    m[0] = stats(SMI_GPU_UTIL, util, 0, idle ? 0 : 100 * MI);
    m[1] = stats(SMI_MEM_UTIL, util / 2, 0, idle ? 0 : 71 * MI);
    m[2] = stats(SMI_FB_USED, 61200 * MI, 600 * MI, 61234 * MI);
    m[3] = stats(SMI_FB_TOTAL, 81559 * MI, 81559 * MI, 81559 * MI);
    m[4] = stats(SMI_POWER, (idle ? 70 : 206) * MI + index * MI, 68 * MI, 418 * MI + 900000);
    m[5] = stats(SMI_POWER_LIMIT, 700 * MI, 700 * MI, 700 * MI);
    m[6] = stats(SMI_TEMP_GPU, 48 * MI, 34 * MI, 57 * MI);
    m[7] = stats(SMI_CLK_SM, 1844 * MI, 345 * MI, 1980 * MI);
    m[8] = stats(SMI_PCIE_REPLAY, 0, 0, 0);
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++) {
        int at = i * c->seconds / SMI_SPARKLINE_CELLS;
        bool rest = idle || at < c->lead ||
                    (c->stall && i >= 25 && at < 25 * c->seconds / SMI_SPARKLINE_CELLS + c->stall);
        g->shape[i] = (uint8_t)(rest ? 0 : util / MI + (i * 7 + index) % 5);
    }
    if (index == 0) {
        struct smi_throttle *t = some(s, 1, sizeof *t);
        *t = (struct smi_throttle){
            .reason = "sw_power_cap", .condition = SMI_CONDITION_SW_POWER_CAP, .pct = val(31 * MI)};
        g->throttle = t;
        g->throttles = 1;
    }
}

static void sum_gpus(struct smi_summary *s, const struct spec *c)
{
    int64_t wasted = 0, ms[6];
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        int64_t stall = g->worked ? c->stall * INT64_C(1000) : 0;
        s->covered_ms += g->covered_ms;
        s->waste.ms[SMI_IDLE_BLIND] += smi_idle_ms(&g->waste);
        if (s->state == SMI_STATE_FAILED)
            s->waste.ms[SMI_WASTE_FAILED] += g->covered_ms;
        else if (!g->worked)
            s->waste.ms[SMI_WASTE_UNUSED] += g->covered_ms;
        s->waste.ms[SMI_WASTE_START] += s->state == SMI_STATE_FAILED ? 0 : g->lead_ms;
        s->waste.ms[SMI_WASTE_STALL] += s->state == SMI_STATE_FAILED ? 0 : stall;
        for (int k = 0; k < 9; k++) {
            int slot = smi_headline_slot(g->stats[k].metric);
            if (slot < 0 || !g->stats[k].mean.has)
                continue;
            struct smi_headline_sum p = {(smi_i128)g->stats[k].mean.micro * 1800, 1800,
                                         g->stats[k].max.micro};
            struct smi_headline b = {0};
            b.pool[slot] = p;
            smi_headline_merge(&s->block, &b);
        }
    }
    for (int i = 0; i < 5; i++)
        wasted += ms[i] = s->waste.ms[i];
    ms[5] = wasted;
    for (int i = 0; i < 6; i++)
        s->wasted_h[i] = val((int64_t)smi_i128_div((smi_i128)ms[i] * MI, 3600000));
    s->gpu_hours = val((int64_t)smi_i128_div((smi_i128)s->covered_ms * MI, 3600000));
    s->idle_pct = val((int64_t)smi_i128_div((smi_i128)smi_idle_ms(&s->waste) * 100 * MI, s->covered_ms));
}

static void make_inputs(struct smi_summary *s, bool gpu)
{
    struct smi_input *in = some(s, 3, sizeof *in);
    struct smi_log_warning *p = some(s, 1, sizeof *p);
    in[0] = (struct smi_input){.path = "hw_metrics.csv",
                               .format = "nvidia-smi-query",
                               .gpu = true,
                               .interval_s = val(2 * MI),
                               .interval_max_s = val(2100000)};
    in[0].account = (struct smi_account){.lines = 3601, .header = 1, .rows = 3600};
    in[1] = (struct smi_input){.path = "hw_dmon.csv",
                               .format = "nvidia-smi-dmon",
                               .gpu = true,
                               .gaps = 1,
                               .interval_s = val(2 * MI),
                               .interval_max_s = val(9 * MI)};
    *p = (struct smi_log_warning){.line = 3768, .text = words(s, "line cut off, not used: \" 0 12 3\"")};
    in[1].account = (struct smi_account){.lines = 3768,
                                         .header = 170,
                                         .rows = 3597,
                                         .rejected[SMI_REJECT_TORN_TAIL] = 1,
                                         .problem = p,
                                         .problems = 1};
    in[2] = (struct smi_input){.path = "run.jsonl", .format = "runlog"};
    in[2].account = (struct smi_account){.lines = 57, .rows = 57};
    s->inputs = gpu ? in : in + 2;
    s->ninputs = gpu ? 3 : 1;
}

static void make_phases(struct smi_summary *s)
{
    static const char *const name[] = {"data", "compile", "fit", "save"};
    static const int seconds[] = {38, 101, 3411, 12};
    struct smi_phase_summary *p = some(s, 4, sizeof *p);
    struct smi_count *e = some(s, 2, sizeof *e);
    for (int i = 0; i < 4; i++) {
        p[i] = (struct smi_phase_summary){.name = name[i],
                                          .count = i == 2 ? 50 : 1,
                                          .seconds = val(seconds[i] * MI + 400000),
                                          .block = s->block,
                                          .energy_wh = val(seconds[i] * MI / 8),
                                          .idle_pct = val(9 * MI),
                                          .samples = seconds[i],
                                          .summarised = true};
    }
    e[0] = (struct smi_count){"start", 1};
    e[1] = (struct smi_count){"stop", 1};
    s->phases = p;
    s->nphases = 4;
    s->events = e;
    s->nevents = 2;
}

static void make_params(struct smi_summary *s, const char *name)
{
    struct smi_param *p = some(s, 4, sizeof *p);
    char *copy = words(s, name), *slash = strchr(copy, '/');
    p[2] = (struct smi_param){"model", "hestonnn", false};
    p[3] = (struct smi_param){"batch", "4096", true};
    s->params = p + 2;
    s->nparams = 2;
    if (!slash || strncmp(copy, "lr=", 3) != 0)
        return;
    *slash = 0;
    p[0] = (struct smi_param){"lr", copy + 3, true};
    p[1] = (struct smi_param){"seed", slash + 5, true};
    s->params = p;
    s->nparams = 4;
}

static void pool_add(struct smi_headline_sum *p, int64_t v)
{
    smi_headline_sum_merge(p, &(struct smi_headline_sum){v, 1, v});
}

static void make_host(struct smi_summary *s)
{
    struct smi_stats *h = some(s, 2, sizeof *h);
    h[0] = stats(SMI_CPU_USR, 23400000, 1 * MI, 88200000);
    h[1] = stats(SMI_CPU_IDLE, 74100000, 2 * MI, 99 * MI);
    s->host = h;
    s->nhost = 2;
    for (int i = 0; i < 2; i++)
        pool_add(&s->block.pool[4 + i], h[i].mean.micro);
}

static void make_run(struct smi_summary *s, const struct spec *c, int order)
{
    struct smi_gpu *g = some(s, 2, sizeof *g);
    char path[64];
    snprintf(path, sizeof path, "out/%s", c->name);
    *s = (struct smi_summary){.arena = s->arena,
                              .run = words(s, c->name),
                              .path = words(s, path),
                              .state = c->state,
                              .state_reason = c->reason,
                              .hostname = "pod-3",
                              .has_start = true,
                              .zoned = true,
                              .offset_s = 7200,
                              .time_base = "utc+02:00 from the run log",
                              .segments = 1,
                              .idle_below = MI};
    s->start_ms = INT64_C(1783095246109) + order * INT64_C(3600000);
    s->end_ms = s->start_ms + c->seconds * INT64_C(1000);
    s->duration_s = val(c->seconds * MI);
    make_params(s, c->name);
    make_inputs(s, c->state != SMI_STATE_NO_DATA);
    memset(s->shape, SMI_SPARKLINE_NONE, sizeof s->shape);
    if (c->state == SMI_STATE_NO_DATA) {
        static const char *const why[] = {"no GPU log"};
        s->problems = why;
        s->nproblems = 1;
        return;
    }
    for (int i = 0; i < 2; i++)
        make_gpu(s, c, &g[i], i);
    s->gpus = g;
    s->ngpus = 2;
    sum_gpus(s, c);
    make_host(s);
    make_phases(s);
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++)
        s->shape[i] = (uint8_t)((g[0].shape[i] + g[1].shape[i]) / 2);
    s->block.pool[SMI_HEADLINE_METRICS] = (struct smi_headline_sum){.n = 1, .max = c->vram * MI};
    s->vram.device_peak_mb = val(61234 * MI);
    s->vram.all_gpus_peak_mb = val(122468 * MI);
    s->vram.used_peak_mb = val(c->vram * MI + 200000);
    s->vram.total_mb = val(81559 * MI);
    s->vram.source = "jax";
    s->vram.reserved = true;
    s->covered_s = val(c->seconds * MI);
    s->longest_idle_s = val((c->stall > c->lead ? c->stall : c->lead) * MI);
    s->energy_wh = val(c->wh * (MI / 10));
    s->power_sum_w = val(412600000);
    s->temp_max = val(57 * MI);
    s->gpu_util_p95 = val(98 * MI);
    for (int i = 0; i < 2 && c->stall; i++) {
        g[i].stall_ms = g[i].worked ? c->stall * INT64_C(1000) : 0;
        g[i].has_stall_from = true;
        g[i].stall_from_ms = s->start_ms + 25 * c->seconds / SMI_SPARKLINE_CELLS * INT64_C(1000);
    }
    smi_findings_evaluate(s, NULL);
}

static void make_sweep(struct smi_sweep *w, const struct spec *c, size_t n)
{
    static const char *const varying[] = {"lr", "seed"};
    static const struct smi_param common[] = {{"model", "hestonnn", false}, {"batch", "4096", true}};
    static const struct smi_prices prices = {.n = 1, .gpu = {{{"", 0}, 2490000}}};
    *w = (struct smi_sweep){.n = n,
                            .title = "out/",
                            .paths = 1,
                            .common = common,
                            .ncommon = 2,
                            .varying = varying,
                            .nvarying = n > 1 ? 2 : 0,
                            .axis = varying,
                            .naxes = n > 1 ? 2 : 0,
                            .grid = n > 1};
    w->runs = smi_mem_new(n, sizeof *w->runs);
    assert_non_null(w->runs);
    for (size_t i = 0; i < n; i++) {
        make_run(&w->runs[i], &c[i], (int)i);
        smi_price_run(&w->runs[i], &prices);
        smi_total_add(&w->total, &w->runs[i], true);
    }
    smi_total_close(&w->total);
}

static void free_sweep(struct smi_sweep *w)
{
    for (size_t i = 0; i < w->n; i++)
        smi_summary_fini(&w->runs[i]);
    smi_mem_free(w->runs);
    smi_arena_fini(&w->arena);
}

/* 200 runs of five learning rates: the larger the rate, the more of them fail or stall. */
static struct spec *specs200(void)
{
    static const char *const lr[] = {"0.01", "0.03", "0.1", "0.3", "1"};
    static char name[200][32];
    static struct spec c[200];
    for (int i = 0; i < 200; i++) {
        int k = i / 40, j = i % 40;
        snprintf(name[i], sizeof name[i], "lr=%s/seed%d", lr[k], j + 1);
        c[i] = screen2[k < 2 ? j % 4 : 4];
        c[i].name = name[i];
        c[i].seconds += (i * 37) % 200;
        c[i].util += (i * 13) % 9 - k * 4;
        if (k == 3 && j % 17 == 5)
            c[i] = (struct spec){name[i], SMI_STATE_OK, NULL, 3592, 412, 529, 42291, 3412, 205, 0, true};
        if (k == 4 && j % 6 == 1)
            c[i] = (struct spec){name[i],
                                 SMI_STATE_FAILED,
                                 j % 4 ? "out of memory" : "exit status 1",
                                 3300 + j,
                                 214,
                                 610,
                                 61100,
                                 2073,
                                 300,
                                 0,
                                 false};
        if (k > 0 && j == 33)
            c[i].state = c[i].state == SMI_STATE_FAILED ? SMI_STATE_FAILED : SMI_STATE_CUT;
        if (k > 1 && j % 10 == 7)
            c[i].stall = 120 + j;
    }
    return c;
}

/* --- looking at text --- */

static const char *write_out(struct smi_buf *b, const char *format, const struct smi_sweep *w,
                             struct smi_render_options look)
{
    const struct smi_output *o = smi_output_find(format, SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES);
    assert_non_null(o);
    smi_buf_clear(b);
    o->write(b, w, &look);
    return b->p ? b->p : "";
}

/* Columns of a line as these tests need it: every character that is no continuation byte counts one, the wide
 * ones that the hostile names use two; colour codes none. */
static int columns(const char *p, size_t n)
{
    int w = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\x1b') {
            while (i < n && p[i] != 'm')
                i++;
            continue;
        }
        w += ((unsigned char)p[i] & 0xC0) != 0x80;
        w += (unsigned char)p[i] >= 0xE4 && (unsigned char)p[i] <= 0xE9; /* CJK ideographs */
        w += (unsigned char)p[i] == 0xF0;                                /* emoji */
    }
    return w;
}

static void check_width(const char *text, int width)
{
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) {
        size_t n = strcspn(p, "\n");
        if (columns(p, n) > width)
            fail_msg("%d columns in a window of %d: %.*s", columns(p, n), width, (int)n, p);
        if (n && p[n - 1] == ' ')
            fail_msg("blanks at the end: %.*s|", (int)n, p);
        if (!p[n])
            break;
    }
}

static const char *line_with(const char *text, const char *what)
{
    const char *p = strstr(text, what);
    if (!p)
        fail_msg("no \"%s\" in:\n%s", what, text);
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

static void has(const char *text, const char *what)
{
    if (!strstr(text, what)) {
        fprintf(stderr, "%s", text);
        fail_msg("no \"%s\" in the above", what);
    }
}

static void has_not(const char *text, const char *what)
{
    if (strstr(text, what)) {
        fprintf(stderr, "%s", text);
        fail_msg("\"%s\" in the above", what);
    }
}

static struct smi_render_options look_of(int width, int height)
{
    return (struct smi_render_options){.width = width, .height = height, .utf8 = true};
}

/* --- tests --- */

static void table_fits_every_width(void **state)
{
    const struct spec *many = specs200();
    struct smi_buf b = {0};
    struct smi_sweep w;
    (void)state;
    for (int n = 1; n <= 200; n = n == 1 ? 12 : n == 12 ? 200 : 201) {
        make_sweep(&w, n == 200 ? many : n == 12 ? screen2 : screen2 + 6, (size_t)n);
        for (int width = 78; width <= 210; width++)
            for (int mode = 0; mode < 8; mode++) {
                struct smi_render_options look = look_of(width, 40);
                look.color = mode & 1;
                look.utf8 = mode & 2;
                look.verbose = (mode & 4) && n < 200 && width % 10 == 0;
                look.all = mode & 4;
                look.money = mode & 1;
                if (width > 162 && width % 16)
                    continue;
                check_width(write_out(&b, "table", &w, look), width);
            }
        free_sweep(&w);
    }
    smi_buf_fini(&b);
}

static void many_runs_are_folded(void **state)
{
    struct smi_buf b = {0};
    struct smi_sweep w;
    struct smi_render_options look = look_of(100, 40);
    const char *text;
    size_t lines = 0;
    (void)state;
    make_sweep(&w, specs200(), 200);
    text = write_out(&b, "table", &w, look);
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    assert_true(lines < 50);
    has(text, "OVER ALL RUNS");
    has(text, "BY lr");
    has(text, "The 10 runs that wasted most");
    has(text, "190 more: ");
    has(text, "(--all, or -o runs.csv)");
    has(text, "7 runs, all at lr=1  out of memory");
    look.all = true;
    has_not(write_out(&b, "table", &w, look), "OVER ALL RUNS");
    free_sweep(&w);
    smi_buf_fini(&b);
}

#define BIDI "\xE2\x80\xAE"
static const char *const hostile[] = {
    "\x1b[2J\x1b]0;owned\x07",
    "a\nb\rc\td",
    BIDI "gpj.exe",
    "=HYPERLINK(\"http://x\",\"y\")",
    "@SUM(A1)",
    "-1+1|x",
    "+cmd",
    "\xff\xfe\x80",
    "<script>alert(1)</script>",
    "| a | `b` |",
    "\xE4\xB8\xAD\xE6\x96\x87/\xF0\x9F\x98\x80 name",
    "very/long/"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/1",
    "very/long/"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/2",
    "\xC2\x9B"
    "31m",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void poison(struct smi_summary *s, const char *bad)
{
    struct smi_param *p = some(s, 1, sizeof *p);
    struct smi_gpu *g = some(s, 2, sizeof *g);
    struct smi_phase_summary *phase = some(s, 1, sizeof *phase);
    struct smi_count *event = some(s, 1, sizeof *event);
    struct smi_input *in = some(s, 1, sizeof *in);
    struct smi_log_warning *problem = some(s, 1, sizeof *problem);
    const char **problems = some(s, 1, sizeof *problems);
    *p = (struct smi_param){bad, bad, false};
    memcpy(g, s->gpus, 2 * sizeof *g);
    g[0].name = g[1].name = g[0].uuid = bad;
    *phase = s->phases[2];
    phase->name = bad;
    *event = (struct smi_count){bad, 1};
    *in = s->inputs[1];
    in->path = bad;
    *problem = (struct smi_log_warning){.line = 1, .text = words(s, bad)};
    in->account.problem = problem;
    *problems = bad;
    s->run = s->hostname = s->state_reason = bad;
    s->params = p;
    s->nparams = s->nphases = s->nevents = s->ninputs = s->nproblems = 1;
    s->gpus = g;
    s->phases = phase;
    s->events = event;
    s->inputs = in;
    s->problems = problems;
}

static void no_raw_bytes(const char *text, bool color)
{
    static const char *const never[] = {BIDI, "\xC2\x9B", "\xff", "\x07", "\r", "\t", "\x7f"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        has_not(text, never[i]);
    for (const char *p = text; (p = strchr(p, '\x1b')); p++)
        if (!color || p[1] != '[' || !strchr("013 9", p[2]) || p[strspn(p + 2, "0123456789") + 2] != 'm')
            fail_msg("an escape of somebody else: %.20s", p + 1);
}

static void hostile_names_stay_outside(void **state)
{
    static const char *const format[] = {"table", "csv", "md", "line", "json", "jsonl"};
    struct spec c[HOSTILE];
    struct smi_buf b = {0};
    struct smi_sweep w;
    const char *text;
    (void)state;
    for (int i = 0; i < HOSTILE; i++) {
        c[i] = screen2[i % 2 ? 6 : 9];
        c[i].reason = "x";
    }
    make_sweep(&w, c, HOSTILE);
    for (int i = 0; i < HOSTILE; i++)
        poison(&w.runs[i], hostile[i]);
    w.title = hostile[0];
    w.varying = (const char *const *)hostile;
    w.nvarying = HOSTILE;
    w.ncommon = 0;
    for (int k = 0; k < 6; k++)
        for (int mode = 0; mode < 8; mode++) {
            struct smi_render_options look = {.width = mode & 1 ? 100 : 0,
                                              .height = 40,
                                              .color = mode == 1,
                                              .utf8 = true,
                                              .verbose = mode & 2,
                                              .all = mode & 4};
            text = write_out(&b, format[k], &w, look);
            no_raw_bytes(text, look.color);
            if (k == 0 && look.width)
                check_width(text, look.width);
            if (k == 2)
                has_not(text, "| <script>");
        }
    text = write_out(&b, "csv", &w, (struct smi_render_options){0});
    has(text, "\n\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    has(text, "\n'@SUM(A1),");
    has(text, "\n'-1+1|x,");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void line_is_short_whatever_the_figures(void **state)
{
    struct smi_buf b = {0};
    struct smi_sweep w;
    (void)state;
    make_sweep(&w, screen2, 12);
    w.runs[0].covered_ms = w.runs[0].waste.ms[SMI_IDLE_BLIND] = INT64_MAX / 4;
    w.runs[0].energy_wh.micro = w.runs[0].power_sum_w.micro = w.runs[0].vram.used_peak_mb.micro = INT64_MAX;
    for (const char *p = write_out(&b, "line", &w, look_of(0, 0)); *p; p += strcspn(p, "\n") + 1)
        assert_true(strcspn(p, "\n") <= 240);
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void a_failed_run_is_red(void **state)
{
    struct smi_render_options look = look_of(100, 40);
    struct smi_buf b = {0};
    struct smi_sweep w;
    (void)state;
    make_sweep(&w, screen2, 12);
    look.color = true;
    write_out(&b, "table", &w, look);
    has(b.p, "\x1b[31mFAILED\x1b[0m");
    has_not(b.p, "\x1b[32m");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void nothing_at_all(void **state)
{
    static const char *const format[] = {"table", "csv", "md", "line", "json", "jsonl"};
    struct smi_sweep w = {.title = "empty"};
    struct smi_buf b = {0};
    (void)state;
    smi_total_close(&w.total);
    for (int k = 0; k < 6; k++)
        write_out(&b, format[k], &w, look_of(80, 24));
    has(write_out(&b, "table", &w, look_of(80, 24)), "0 runs in empty");
    smi_buf_fini(&b);
}

static void block_figures_round_like_python(void **state)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct smi_headline b = {0};
    (void)state;
    smi_headline_figures(&b, f);
    assert_false(f[0].has);
    assert_true(f[7].omit && f[8].omit && f[9].omit);
    pool_add(&b.pool[0], 250000); /* 0.25 is a double: half to even */
    pool_add(&b.pool[3], 0);
    b.pool[2] =
        (struct smi_headline_sum){-1, 3, 350000}; /* -1/3 of a millionth: never -0.0; 0.35 is below its tie */
    b.pool[SMI_HEADLINE_METRICS] = (struct smi_headline_sum){.n = 1, .max = 1};
    smi_headline_figures(&b, f);
    assert_string_equal(f[1].text, "0.2");
    assert_string_equal(f[3].text, "0.0");
    assert_string_equal(f[4].text, "0.3");
    assert_string_equal(f[7].text, "0.0");
    assert_false(f[7].omit);
    assert_true(f[8].omit && f[9].omit); /* all readings 0 */
    pool_add(&b.pool[3], 1);
    smi_headline_figures(&b, f);
    assert_false(f[8].omit || f[9].omit);
    assert_string_equal(f[8].text, "0.0");
}

static void outputs_are_found(void **state)
{
    (void)state;
    assert_string_equal(smi_output_by_ending("a/b.jsonl", SMI_OUTPUT_NUMBERS)->name, "jsonl");
    assert_string_equal(smi_output_by_ending("x.md", SMI_OUTPUT_DIFF)->name, "md");
    assert_null(smi_output_by_ending(".md", SMI_OUTPUT_PAGES));
    assert_null(smi_output_by_ending("x", SMI_OUTPUT_NUMBERS));
    assert_null(smi_output_find("junit", SMI_OUTPUT_NUMBERS));
}

/* The last line of text that is no hint. */
static const char *last_line(const char *text)
{
    const char *p = strstr(text, "more: ");
    p = p ? p : text + strlen(text);
    for (p--; p > text && p[-1] != '\n'; p--)
        ;
    return p;
}

/* In a narrow window the sum goes on in the next line: nothing of it is left out. */
static void the_sum_wraps(void **state)
{
    struct smi_buf b = {0};
    struct smi_sweep w;
    const char *text;
    (void)state;
    make_sweep(&w, screen2, 12);
    for (int width = 80; width < 120; width++) {
        struct smi_render_options look = look_of(width, 40);
        char *sum = strstr(write_out(&b, "table", &w, look) ? b.p : "", "\n12 runs, ");
        assert_non_null(sum);
        for (char *p = sum; *p; p++)
            *p = *p == '\n' && p[1] ? ' ' : *p;
        has(sum, " kWh, GPU ");
        has(sum, " GPU-h wasted (17.5 %), 1 failed, 1 cut, 1 no GPU data");
    }
    text = line_with(write_out(&b, "table", &w, look_of(80, 40)), "VRAM: ");
    has(text, "VRAM: JAX's own peak in 11 runs (device: up to 59.8 GiB, reserved)\n");
    free_sweep(&w);
    smi_buf_fini(&b);
}

/* A run of one GPU without times, and what else it does not have. */
static void absent_values_do_not_begin_a_line(void **state)
{
    struct smi_buf b = {0};
    struct smi_sweep w;
    (void)state;
    make_sweep(&w, screen2 + 6, 1);
    w.runs[0].duration_s.has = w.runs[0].has_start = w.runs[0].gpu_hours.has = w.runs[0].energy_wh.has =
        false;
    w.runs[0].wasted_h[5].has = w.runs[0].judged = false;
    w.runs[0].nfindings = 0;
    w.total.duration_s.has = w.total.gpu_hours.has = w.total.energy_wh.has = w.total.wasted_h[5].has = false;
    assert_int_equal(strncmp(last_line(write_out(&b, "table", &w, look_of(100, 40))), "GPU 71.", 7), 0);
    w.total.block.pool[0].n = 0;
    assert_string_equal(last_line(write_out(&b, "table", &w, look_of(0, 0))), "1 run\n");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static struct smi_gpu *gpus_of(struct smi_summary *s, size_t n)
{
    struct smi_gpu *g = some(s, n, sizeof *g);
    for (size_t i = 0; i < n; i++)
        g[i] = s->gpus[i % 2];
    s->gpus = g;
    s->ngpus = n;
    return g;
}

static void pooled_rows_have_one_line(void **state)
{
    struct smi_render_options look = look_of(100, 40);
    struct smi_buf b = {0};
    struct smi_sweep w;
    struct smi_stats *m;
    struct smi_gpu *g;
    const char *text;
    (void)state;
    make_sweep(&w, screen2 + 6, 1);
    look.verbose = true;
    g = gpus_of(&w.runs[0], 3);
    m = some(&w.runs[0], 9, sizeof *m);
    memcpy(m, g[2].stats, 9 * sizeof *m);
    m[4] = stats(SMI_POWER, 999 * MI, 999 * MI, 999 * MI);
    g[2].stats = m;
    g[2].pooled = true;
    g[2].samples = 1;
    text = write_out(&b, "table", &w, look);
    has(text, "\npooled: 1 row that could not be told apart: in the summary, in no GPU's line\n");
    has(text, "1 row not assigned to a GPU");
    has_not(text, "999.0");
    has(text, "reserved; JAX used 41.3 at most");
    has(text, "2 x H100");
    g[0] = g[2];
    w.runs[0].ngpus = 1; /* nothing but pooled rows */
    text = line_with(write_out(&b, "table", &w, look), "\npooled ") + 1;
    has_not(text, "OVER TIME (");
    has_not(text, "GPU all");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void gpus_have_names(void **state)
{
    struct smi_render_options look = look_of(100, 40);
    struct smi_buf b = {0};
    struct smi_sweep w;
    struct smi_gpu *g;
    const char *text;
    (void)state;
    make_sweep(&w, screen2 + 10, 1);
    look.verbose = true;
    g = gpus_of(&w.runs[0], 4);
    for (int i = 0; i < 4; i++)
        g[i].index = -1;
    g[0].uuid = "GPU-0123abcd-1111-2222";
    g[1].uuid = NULL;
    g[1].bus = "00000000:3B:00.0";
    g[2].uuid = NULL;
    g[2].bus = "AF:00.0";
    g[3].uuid = NULL;
    g[2].worked = true;
    g[3].worked = true;
    smi_findings_evaluate(&w.runs[0], NULL);
    text = write_out(&b, "table", &w, look);
    has(text, "\n0123abcd ");
    has(text, "\n  bus 3B ");
    has(text, "\n  bus AF ");
    has(text, "\n       - ");
    has(text, "GPU bus 3B never above 0 %");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void words_of_metrics(void **state)
{
    static const struct {
        unsigned metric;
        const char *words;
    } is[] = {{SMI_CLK_SM, "SM clock"},
              {SMI_TEMP_GPU, "GPU temperature"},
              {SMI_FB_USED, "VRAM used"},
              {SMI_CCPM_USED, "CCPM used"},
              {SMI_OFA_UTIL, "OFA busy"},
              {SMI_CPU_USR, "CPU usr"},
              {SMI_PCIE_RX, "PCIe rx"},
              {SMI_POWER, "power"},
              {SMI_MEM_UTIL, "memory busy"},
              {SMI_TEMP_TLIMIT, "temperature margin"},
              {SMI_ECC_CORR_VOL, "ECC corrected volatile total"},
              {SMI_THROTTLE_US_SW_THERMAL, "throttle time software thermal slowdown"}};
    struct smi_buf b = {0};
    struct smi_render_options look = {0};
    struct smi_text_arena g = {.to = &b, .look = &look};
    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        assert_string_equal(smi_metric_label(&g, is[i].metric), is[i].words);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        assert_true(*smi_metric_label(&g, m) != 0);
    smi_arena_fini(&g.arena);
    smi_buf_fini(&b);
}

static void shape_in_ascii(void **state)
{
    struct smi_buf b = {0};
    struct smi_render_options look = look_of(100, 40);
    struct smi_text_arena g = {.to = &b, .look = &look};
    uint8_t shape[SMI_SPARKLINE_CELLS];
    (void)state;
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++)
        shape[i] = (uint8_t)(i < 6 ? SMI_SPARKLINE_NONE : i < 12 ? 0 : (i / 6 - 2) * 100 / 7 + 1);
    assert_string_equal(smi_fmt_sparkline(&g, shape, 10), "·▁▁▂▃▄▅▆▇█");
    look.utf8 = false;
    assert_string_equal(smi_fmt_sparkline(&g, shape, 10), " ..:-=+*##");
    look.width = 0; /* a pipe: no blanks inside a field */
    assert_string_equal(smi_fmt_sparkline(&g, shape, 10), "_..:-=+*##");
    smi_arena_fini(&g.arena);
    smi_buf_fini(&b);
}

static void phases_are_reserved_where_they_are(void **state)
{
    struct smi_render_options look = look_of(100, 40);
    struct smi_phase_summary *p;
    struct smi_buf b = {0};
    struct smi_sweep w;
    const char *text;
    (void)state;
    make_sweep(&w, screen2 + 6, 1);
    look.verbose = true;
    p = some(&w.runs[0], 4, sizeof *p);
    memcpy(p, w.runs[0].phases, 4 * sizeof *p);
    p[0].block.pool[1].max = 1 * MI;
    w.runs[0].phases = p;
    text = write_out(&b, "table", &w, look);
    has_not(text, "\ndata  reserved");
    assert_true(strstr(line_with(text, "\ncompile ") + 1, "reserved") < strstr(text, "\nfit "));
    assert_true(strstr(strstr(text, "\ndata "), "reserved") > strstr(text, "\ncompile "));
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void throttling_that_never_was(void **state)
{
    static const struct smi_throttle idle = {.reason = "gpu_idle", .pct = {90 * MI, true}};
    struct smi_render_options look = look_of(160, 40);
    struct smi_buf b = {0};
    struct smi_sweep w;
    struct smi_gpu *g;
    const char *text;
    (void)state;
    make_sweep(&w, screen2 + 5, 2);
    for (int i = 0; i < 2; i++) {
        g = gpus_of(&w.runs[i], 2);
        g[0].throttles = 0;
        g[0].throttle_known = g[1].throttle_known = i == 0;
    }
    g = gpus_of(&w.runs[0], 2);
    g[0].throttle = &idle;
    g[0].throttles = 1;
    text = write_out(&b, "table", &w, look);
    assert_true(strstr(line_with(text, "lr=0.1/seed2"), "   0.0   ") < strstr(text, "lr=0.1/seed3"));
    look.verbose = true;
    text = write_out(&b, "table", &w, look);
    has(line_with(text, "\nSM clock ") + 1, "MHz\n");
    has(text, "\nno throttling\n");
    has_not(strstr(text, "lr=0.1/seed3"), "no throttling");
    has_not(text, "clocks held down");
    free_sweep(&w);
    smi_buf_fini(&b);
}

static void like_problems_are_said_once(void **state)
{
    struct smi_account a = {0};
    (void)state;
    for (int i = 1; i <= 12; i++) {
        a.lines = i;
        smi_account_warn(&a, SMI_LOG_WARNING_OTHER, "%d value%s NaN or Infinity read as null", i,
                         i == 1 ? "" : "s");
    }
    assert_int_equal(smi_warning_lines(&a, 0), 12); /* with those that were not kept */
    assert_int_equal(smi_warning_lines(&a, 1), 0);
    a.lines = 0;
    smi_account_warn(&a, SMI_LOG_WARNING_CELL, "1 burst of rows");
    a.lines = 20;
    smi_account_warn(&a, SMI_LOG_WARNING_CELL, "something else");
    assert_int_equal(smi_warning_lines(&a, 5), 1);
    assert_int_equal(smi_warning_lines(&a, 6), 1);
    smi_account_fini(&a);
}

static void head_of_a_mixed_sweep(void **state)
{
    struct smi_buf b = {0};
    struct smi_sweep w;
    struct smi_input *in;
    struct smi_gpu *g;
    (void)state;
    make_sweep(&w, screen2, 11);
    g = gpus_of(&w.runs[3], 8);
    g[7].index = 7;
    gpus_of(&w.runs[4], 1);
    in = some(&w.runs[2], 2, sizeof *in);
    in[0] =
        (struct smi_input){.path = "a", .format = "nvidia-smi-query", .gpu = true, .interval_s = val(MI / 2)};
    in[1] = (struct smi_input){.path = "b", .format = "cpu-csv", .interval_s = val(60 * MI)};
    w.runs[2].inputs = in;
    w.runs[2].ninputs = 2;
    write_out(&b, "table", &w, look_of(160, 40));
    has(b.p, "2 x H100 80GB HBM3 in 9 runs, others in 2");
    has(b.p, "sampled every 500 ms to 2.0 s\n");
    free_sweep(&w);
    smi_buf_fini(&b);
}

/* One table of a builder, by the renderers of text and of Markdown. */
static void fill_table(struct smi_report_table *t, struct smi_text_arena *g, struct smi_table_column *col)
{
    struct smi_table_cell *row;
    smi_table_begin(t, g, col, 4);
    row = smi_table_row(t, SMI_ROW_PLAIN);
    assert_non_null(row);
    row[0].text = "memory";
    row[1].text = "41.2";
    row[1].mark = '!';
    row[2].text = "7";
    row[3].text = "";
    row = smi_table_row(t, SMI_ROW_PLAIN);
    assert_non_null(row);
    row[0].text = "CPU";
    row[1].text = "9.25";
    row[3].text = "% of a core";
}

static void a_table_has_several_forms(void **state)
{
    struct smi_table_column col[] = {{.head = "WHAT", .long_head = "what"},
                                     {.head = "MEAN", .align = SMI_POINT},
                                     {.head = "HIDDEN", .align = SMI_RIGHT, .hidden = true},
                                     {.head = "unit", .long_head = ""}};
    const struct smi_render_options look = {0};
    struct smi_buf b = {0};
    struct smi_text_arena g = {.to = &b, .look = &look};
    struct smi_report_table t;
    (void)state;
    fill_table(&t, &g, col);
    smi_table_text(&t);
    assert_string_equal(b.p, "WHAT      MEAN  unit\nmemory  41.2!   -\nCPU      9.25   % of a core\n");
    smi_buf_clear(&b);
    fill_table(&t, &g, col);
    smi_table_markdown(&t);
    assert_string_equal(b.p, "| what | MEAN | |\n|---|---:|---|\n| memory | **41.2** | |\n"
                             "| CPU | 9.25 | % of a core |\n");
    smi_arena_fini(&g.arena);
    smi_buf_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_fits_every_width),
        cmocka_unit_test(many_runs_are_folded),
        cmocka_unit_test(hostile_names_stay_outside),
        cmocka_unit_test(line_is_short_whatever_the_figures),
        cmocka_unit_test(a_failed_run_is_red),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(block_figures_round_like_python),
        cmocka_unit_test(outputs_are_found),
        cmocka_unit_test(the_sum_wraps),
        cmocka_unit_test(absent_values_do_not_begin_a_line),
        cmocka_unit_test(pooled_rows_have_one_line),
        cmocka_unit_test(gpus_have_names),
        cmocka_unit_test(words_of_metrics),
        cmocka_unit_test(shape_in_ascii),
        cmocka_unit_test(phases_are_reserved_where_they_are),
        cmocka_unit_test(throttling_that_never_was),
        cmocka_unit_test(like_problems_are_said_once),
        cmocka_unit_test(head_of_a_mixed_sweep),
        cmocka_unit_test(a_table_has_several_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
