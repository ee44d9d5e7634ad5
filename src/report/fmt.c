/* text.c - how text outputs print numbers, times, names and sentences. */
#include "report/fmt.h"
#include "base/clock.h"
#include "sweep/discover.h"
#include "sweep/sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys of metrics in words. ---- */

/* The pieces of a metric's key as people say them. The first NOUNS come after what tells them from their
 * like: "SM clock". */
static const struct {
    const char *brief, *word;
} words[] = {{"clk", "clock"},     {"temp", "temperature"}, {"tlimit", "margin"}, {"fb", "VRAM"},
             {"util", "busy"},     {"mem", "memory"},       {"sm", "SM"},         {"gpu", "GPU"},
             {"cpu", "CPU"},       {"gr", "graphics"},      {"vid", "video"},     {"app", "application"},
             {"enc", "encoder"},   {"dec", "decoder"},      {"jpg", "JPEG"},      {"ofa", "OFA"},
             {"ccpm", "CCPM"},     {"bar1", "BAR1"},        {"pcie", "PCIe"},     {"viol", "throttled"},
             {"avg", "mean"},      {"inst", "instant"},     {"ecc", "ECC"},       {"c", "corrected"},
             {"u", "uncorrected"}, {"v", "volatile"},       {"a", "aggregate"},   {"sbe", "SBE"},
             {"dbe", "DBE"},       {"dram", "DRAM"},        {"sram", "SRAM"},     {"l1", "L1"},
             {"l2", "L2"},         {"cbu", "CBU"},          {"sw", "software"},   {"hw", "hardware"},
             {"us", "time"},       {"psi", "PSI"},          {"io", "I/O"},        {"oom", "OOM"},
             {"tree", "command"}};
enum { NOUNS = 3, BRIEF = 60 /* columns */ };

const char *smi_metric_label(struct smi_text_arena *g, unsigned metric)
{
    const struct smi_metric *m = &smi_metrics[metric];
    return m->label ? m->label : smi_key_label(g, m->key);
}

const char *smi_key_label(struct smi_text_arena *g, const char *key)
{
    static const char *const units[] = {"pct", "mib", "w", "c", "mhz", "mbs", "us", NULL};
    const char *out = "", *nouns = "", **to;
    const size_t known = sizeof words / sizeof *words;
    for (size_t n, i; *key; key += n + (key[n] != 0)) {
        struct smi_text piece = {key, strcspn(key, "_.")};
        n = piece.n;
        if (!key[n] && smi_text_is_one_of(piece, units)) /* it stands elsewhere */
            break;
        for (i = 0; i < known && !smi_text_is(piece, words[i].brief); i++)
            ;
        to = i < NOUNS ? &nouns : &out;
        *to = i < known ? smi_fmt(g, "%s %s", *to, words[i].word) : smi_fmt(g, "%s %.*s", *to, (int)n, key);
    }
    out = smi_fmt(g, "%s%s", out, nouns);
    return *out ? out + 1 : out;
}

const char *smi_fmt(struct smi_text_arena *g, const char *fmt, ...)
{
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&b, fmt, ap);
    va_end(ap);
    return smi_buf_keep(&b, &g->arena);
}

const char *smi_fmt_list(struct smi_text_arena *g, const char *list, const char *item)
{
    return *list ? smi_fmt(g, "%s, %s", list, item) : item;
}

const char *smi_fmt_int(struct smi_text_arena *g, int64_t n)
{
    return smi_fmt(g, "%lld", (long long)n);
}

const char *smi_fmt_some(struct smi_text_arena *g, int64_t n)
{
    return n ? smi_fmt_int(g, n) : "-";
}

const char *smi_fmt_count(struct smi_text_arena *g, int64_t n, const char *word)
{
    return smi_fmt(g, "%lld %s%s", (long long)n, word, n == 1 ? "" : "s");
}

static const char *safe(struct smi_text_arena *g, const char *s,
                        void (*put)(struct smi_buf *, struct smi_text))
{
    struct smi_buf b = {0};
    if (!s)
        return "-";
    put(&b, smi_text_of(s));
    return smi_buf_keep(&b, &g->arena);
}

const char *smi_fmt_safe(struct smi_text_arena *g, const char *s)
{
    return safe(g, s, smi_buf_name);
}

const char *smi_fmt_sentence(struct smi_text_arena *g, const char *s)
{
    return safe(g, s, smi_buf_safe);
}

const char *smi_fmt_ratio(struct smi_text_arena *g, smi_i128 num, smi_i128 den, int digits)
{
    static const int unit[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    char t[SMI_MICRO_TEXT];
    smi_i128 q = smi_i128_div(num * (1000000 / unit[digits]), den);
    return smi_arena_text(&g->arena, t, smi_text_write_fixed(t, q * unit[digits], digits));
}

const char *smi_fmt_value(struct smi_text_arena *g, struct smi_value v, int digits)
{
    return v.has ? smi_fmt_ratio(g, v.micro, 1000000, digits) : "-";
}

const char *smi_fmt_hours(struct smi_text_arena *g, int64_t ms)
{
    return ms > 0 && ms < 18000 ? "<0.01" : smi_fmt_ratio(g, ms, 3600000, 2); /* 0.00 would say: nothing */
}

const char *smi_fmt_mean(struct smi_text_arena *g, const struct smi_headline *b, int figure)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    if (figure == SMI_FIG_UTIL)
        return smi_fmt_value(g, smi_headline_use(b), 1);
    smi_headline_figures(b, f);
    return f[figure].has ? smi_fmt(g, "%s", f[figure].text) : "-";
}

/* "412.6 Wh", "5.05 kWh", "99.42 MWh", "-": unit is that of one, of a thousand and of a million. */
static const char *format_thousands(struct smi_text_arena *g, struct smi_value v, const char *const unit[3])
{
    static const int64_t one[] = {1000000, 1000000000, 1000000000000};
    const int k = v.micro < one[1] ? 0 : v.micro < one[2] ? 1 : 2;
    return v.has ? smi_fmt(g, "%s %s", smi_fmt_ratio(g, v.micro, one[k], k ? 2 : 1), unit[k]) : "-";
}

const char *smi_fmt_energy(struct smi_text_arena *g, struct smi_value wh)
{
    return format_thousands(g, wh, (const char *const[]){"Wh", "kWh", "MWh"});
}

const char *smi_fmt_money(struct smi_text_arena *g, struct smi_value v)
{
    const char *currency = g->look->currency;
    return !v.has     ? "-"
           : currency ? smi_fmt(g, "%s %s", smi_fmt_value(g, v, 2), currency)
                      : smi_fmt(g, "$%s", smi_fmt_value(g, v, 2));
}

const char *smi_fmt_money_head(struct smi_text_arena *g, const char *head)
{
    const size_t n = head ? strlen(head) : 0;
    return g->look->currency && n && head[n - 1] == '$'
               ? smi_fmt(g, "%.*s%s", (int)n - 1, head, g->look->currency)
               : head;
}

const char *smi_fmt_co2(struct smi_text_arena *g, struct smi_value grams)
{
    return format_thousands(g, grams, (const char *const[]){"g", "kg", "t"});
}

const char *smi_fmt_time(struct smi_text_arena *g, int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    return smi_arena_text(&g->arena, t, smi_clock_write_span(t, ms));
}

const char *smi_fmt_duration(struct smi_text_arena *g, struct smi_value seconds)
{
    return seconds.has ? smi_fmt_time(g, seconds.micro / 1000) : "-";
}

const char *smi_fmt_gib(struct smi_text_arena *g, struct smi_value mib)
{
    return mib.has ? smi_fmt_ratio(g, mib.micro, (smi_i128)1024 * 1000000, 1) : "-";
}

const char *smi_fmt_vram(struct smi_text_arena *g, struct smi_value used, struct smi_value total)
{
    const char *t = smi_fmt_gib(g, used);
    return !used.has || !total.has
               ? t
               : smi_fmt(g, "%s/%s", t, smi_fmt_ratio(g, total.micro, (smi_i128)1024 * 1000000, 0));
}

const char *smi_fmt_sparkline(struct smi_text_arena *g, const uint8_t shape[SMI_SPARKLINE_CELLS], int cells)
{
    static const char *const fine[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█", "·"};
    static const char *const plain[] = {".", ":", "-", "=", "+", "*", "#", "#", " "};
    const char *const *glyph = g->look->utf8 ? fine : plain, *t;
    int levels = g->look->utf8 ? 8 : 7;
    bool colored = false, idle;
    struct smi_buf b = {0};
    for (int i = 0, v; i < cells; i++) {
        /* The mean in tenths of % of the source cells that make it up, weighed by overlap (in 1/cells of a
         * source cell); -1: no reading. */
        const int from = i * SMI_SPARKLINE_CELLS, to = from + SMI_SPARKLINE_CELLS;
        int sum = 0, weight = 0;
        for (int k = from / cells; k * cells < to; k++) {
            const int lo = k * cells > from ? k * cells : from,
                      hi = (k + 1) * cells < to ? (k + 1) * cells : to;
            if (shape[k] == SMI_SPARKLINE_NONE)
                continue;
            sum += (hi - lo) * shape[k];
            weight += hi - lo;
        }
        v = weight ? (sum * 10 + weight / 2) / weight : -1;
        idle = g->look->color && v >= 0 && v <= 10;
        if (idle != colored)
            smi_buf_str(&b, idle ? "\x1b[33m" : "\x1b[0m");
        colored = idle;
        t = glyph[v < 0 ? 8 : v >= 1000 ? 7 : v * levels / 1000];
        smi_buf_str(&b,
                    *t == ' ' && g->look->width == 0 ? "_" : t); /* no blanks inside a field that awk reads */
    }
    if (colored)
        smi_buf_str(&b, "\x1b[0m");
    return smi_buf_keep(&b, &g->arena);
}

/* Ranges of code points that take two columns (East Asian wide, emoji) or none (combining marks, selectors).
 */
static const struct {
    uint32_t from, to;
    int width;
} ranges[] = {
    {0x0300, 0x036F, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05BD, 0},   {0x0610, 0x061A, 0},
    {0x064B, 0x065F, 0},   {0x06D6, 0x06DC, 0},   {0x0900, 0x0902, 0},   {0x093C, 0x093C, 0},
    {0x0941, 0x0948, 0},   {0x094D, 0x094D, 0},   {0x0E31, 0x0E31, 0},   {0x0E34, 0x0E3A, 0},
    {0x0E47, 0x0E4E, 0},   {0x1100, 0x115F, 2},   {0x1160, 0x11FF, 0},   {0x1AB0, 0x1AFF, 0},
    {0x1DC0, 0x1DFF, 0},   {0x20D0, 0x20FF, 0},   {0x231A, 0x231B, 2},   {0x2329, 0x232A, 2},
    {0x23E9, 0x23EC, 2},   {0x25FD, 0x25FE, 2},   {0x2614, 0x2615, 2},   {0x2648, 0x2653, 2},
    {0x267F, 0x267F, 2},   {0x2693, 0x2693, 2},   {0x26A1, 0x26A1, 2},   {0x26AA, 0x26AB, 2},
    {0x26BD, 0x26BE, 2},   {0x26C4, 0x26C5, 2},   {0x26CE, 0x26CE, 2},   {0x26D4, 0x26D4, 2},
    {0x26EA, 0x26EA, 2},   {0x26F2, 0x26F5, 2},   {0x26FA, 0x26FD, 2},   {0x2705, 0x2705, 2},
    {0x270A, 0x270B, 2},   {0x2728, 0x2728, 2},   {0x274C, 0x274E, 2},   {0x2753, 0x2757, 2},
    {0x2795, 0x2797, 2},   {0x27B0, 0x27B0, 2},   {0x27BF, 0x27BF, 2},   {0x2B1B, 0x2B1C, 2},
    {0x2B50, 0x2B55, 2},   {0x2E80, 0x303E, 2},   {0x3041, 0x33FF, 2},   {0x3400, 0x4DBF, 2},
    {0x4E00, 0x9FFF, 2},   {0xA000, 0xA4CF, 2},   {0xA960, 0xA97F, 2},   {0xAC00, 0xD7A3, 2},
    {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},   {0xFE10, 0xFE19, 2},   {0xFE20, 0xFE2F, 0},
    {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},   {0x16FE0, 0x18CFF, 2},
    {0x1AFF0, 0x1B2FF, 2}, {0x1F004, 0x1F004, 2}, {0x1F0CF, 0x1F0CF, 2}, {0x1F18E, 0x1F19A, 2},
    {0x1F200, 0x1F320, 2}, {0x1F32D, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2}, {0x1F7E0, 0x1F7EB, 2},
    {0x1F90C, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}, {0xE0100, 0xE01EF, 0},
};

/* Bytes and columns of the character at s; a colour code of ours counts as one character of no width. */
static size_t next_character(const char *s, int *width)
{
    size_t len = smi_text_utf8(s, strnlen(s, 4)), i;
    const unsigned char *u = (const unsigned char *)s;
    uint32_t c;
    *width = 0;
    if (*s == '\x1b')
        return strcspn(s, "m") + (strchr(s, 'm') != NULL);
    *width = 1;
    if (len <= 1)
        return 1;
    c = u[0] & (0x7Fu >> len);
    for (i = 1; i < len; i++)
        c = c << 6 | (u[i] & 0x3F);
    for (i = 0; i < sizeof ranges / sizeof *ranges && c >= ranges[i].from; i++)
        if (c <= ranges[i].to)
            *width = ranges[i].width;
    return len;
}

int smi_text_width(const char *s)
{
    int sum = 0, w;
    while (*s) {
        s += next_character(s, &w);
        sum += w;
    }
    return sum;
}

/* Bytes of the longest start of s that takes at most `width` columns. */
static size_t words_fit(const char *s, int width)
{
    size_t n = 0, len;
    int w;
    while (s[n]) {
        len = next_character(s + n, &w);
        if (w > width)
            break;
        width -= w;
        n += len;
    }
    return n;
}

const char *smi_fmt_ellipsis(const struct smi_text_arena *g)
{
    return g->look->utf8 ? "…" : "..";
}

const char *smi_fmt_middle(struct smi_text_arena *g, const char *s, int width, int head)
{
    const char *dots = smi_fmt_ellipsis(g), *tail = s;
    int whole = smi_text_width(s), left = whole, w;
    if (whole <= width)
        return s;
    if (head > width - smi_text_width(dots))
        head = width - smi_text_width(dots);
    if (head < 0)
        return smi_fmt(g, "%.*s", (int)words_fit(s, width), s);
    while (*tail && left > width - smi_text_width(dots) - head) {
        tail += next_character(tail, &w);
        left -= w;
    }
    return smi_fmt(g, "%.*s%s%s", (int)words_fit(s, head), s, dots, tail);
}

const char *smi_fmt_brief(struct smi_text_arena *g, const char *s)
{
    return g->look->width ? smi_fmt_middle(g, s, BRIEF, BRIEF - smi_text_width(smi_fmt_ellipsis(g))) : s;
}

void smi_wrap_style(struct smi_text_arena *g, enum smi_style style)
{
    static const char *const code[] = {"\x1b[0m", "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[90m", "\x1b[32m"};
    if (g->look->color)
        smi_buf_str(g->to, code[style]);
}

void smi_wrap_newline(struct smi_text_arena *g)
{
    smi_buf_char(g->to, '\n');
    g->column = 0;
}

static void write_blanks(struct smi_text_arena *g, int n)
{
    for (; n > 0; n--, g->column++)
        smi_buf_char(g->to, ' ');
}

void smi_wrap_word(struct smi_text_arena *g, int gap, const char *word, int indent)
{
    enum { LEAST = 20 /* columns behind an indent: where there are fewer, it is given up */ };
    int width = g->look->width, w = smi_text_width(word);
    if (width && indent > width - LEAST)
        indent = 2;
    if (width && g->column > indent && g->column + gap + w > width) {
        smi_wrap_newline(g);
        write_blanks(g, indent);
    } else {
        write_blanks(g, g->column ? gap : 0);
    }
    if (width && g->column + w > width) /* longer than a line: shortened where one can see it */
        word = smi_fmt_middle(g, word, width - g->column, (width - g->column) / 2);
    smi_buf_str(g->to, word);
    g->column += smi_text_width(word);
}

void smi_wrap_words(struct smi_text_arena *g, int gap, const char *sentence, int indent)
{
    int width = g->look->width, whole = smi_text_width(sentence);
    size_t n;
    if (width && gap > 2 && g->column && g->column + gap + whole > width && indent + whole <= width) {
        smi_wrap_newline(g); /* a part that fits a line of its own is not broken */
        write_blanks(g, indent);
        gap = 0;
    }
    for (; *sentence; sentence += n, gap = 1) {
        sentence += strspn(sentence, " ");
        n = strcspn(sentence, " ");
        if (n)
            smi_wrap_word(g, gap, smi_fmt(g, "%.*s", (int)n, sentence), indent);
    }
}

void smi_wrap_line(struct smi_text_arena *g, enum smi_style style, const char *sentence)
{
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, style);
    smi_wrap_words(g, 0, sentence, 0);
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

const char *smi_fmt_timestamp(struct smi_text_arena *g, const struct smi_summary *s, int64_t ms, int from,
                              int n)
{
    char t[SMI_CLOCK_TEXT];
    if (!s->has_start)
        return "-";
    smi_clock_write(t, ms + (s->zoned ? s->offset_s * (int64_t)1000 : 0), false);
    return smi_fmt(g, "%.*s", n, t + from);
}

/* ---- names, made shorter all together, so that they stay different ---- */

const char *smi_fmt_run(struct smi_text_arena *g, const char *run)
{
    size_t n = strlen(run);
    if (g->look->width || g->page)
        run = smi_run_short_name(g->sweep, run, &n);
    return smi_fmt_safe(g, run[n] ? smi_fmt(g, "%.*s", (int)n, run) : run);
}

/* ---- names that stay different ---- */

/* Sorts texts, and leaves each once. Returns how many. */
static size_t sort_texts(const char **t, size_t n)
{
    size_t k = 0;
    qsort(t, n, sizeof *t, smi_compare_strings);
    for (size_t i = 0; i < n; i++)
        if (!k || strcmp(t[k - 1], t[i]) != 0)
            t[k++] = t[i];
    return k;
}

/* Where the first token of a name begins in which it differs from that of n sorted ones which it is most
 * like. */
static size_t differs_from(const char *name, const char **sorted, size_t n)
{
    const char **at = bsearch(&name, sorted, n, sizeof *sorted, smi_compare_strings);
    const size_t before = at > sorted ? smi_common_bytes(name, at[-1], strlen(name), 1) : 0,
                 behind = at + 1 < sorted + n ? smi_common_bytes(name, at[1], strlen(name), 1) : 0;
    size_t from = before > behind ? before : behind;
    while (from && !smi_name_ends_token(name, from - 1))
        from--;
    return from;
}

void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width)
{
    enum { WAYS = 6 };
    const int heads[WAYS] = {width / 2, width / 3, width * 2 / 3, 3, width - 4, width / 2};
    const char **made = smi_arena_new(&g->arena, n, sizeof *made),
               **sorted = smi_arena_new(&g->arena, n, sizeof *sorted),
               **scratch = smi_arena_new(&g->arena, n, sizeof *scratch);
    bool wide = false;
    size_t names;
    for (size_t i = 0; i < n; i++) {
        wide |= smi_text_width(name[i]) > width;
        sorted[i] = name[i];
    }
    if (!wide)
        return;
    names = sort_texts(sorted, n); /* one may stand in several rows */
    for (size_t k = 0; k < WAYS; k++) {
        for (size_t i = 0; i < n; i++) {
            /* at last names that begin alike lose that */
            const size_t from =
                k == WAYS - 1 && smi_text_width(name[i]) > width ? differs_from(name[i], sorted, names) : 0;
            const char *rest = from ? smi_fmt(g, "%s%s", smi_fmt_ellipsis(g), name[i] + from) : name[i];
            scratch[i] = made[i] = smi_fmt_middle(g, rest, width, heads[k]);
        }
        if (sort_texts(scratch, n) == names) {
            memcpy(name, made, n * sizeof *name);
            return;
        }
    }
    for (size_t i = 0; i < n; i++) { /* nothing short tells them apart */
        const char *tag = smi_fmt(g, "~%zu", i + 1);
        const int left = width - smi_text_width(tag);
        if (smi_text_width(name[i]) > width)
            name[i] = smi_fmt(g, "%s%s", smi_fmt_middle(g, name[i], left, left / 2), tag);
    }
}
