/* render_options.c - for which eyes the output is: the terminal, the locale, what was asked for. */
#include "cli/render_options.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLOR_AUTO, COLOR_ALWAYS };

static int parse_terminal_size(const char *text)
{
    int64_t v;
    if (!text || smi_text_parse_micro(smi_text_of(text), &v) || v < 1000000 || v % 1000000 || v > 10000000000)
        return 0;
    return (int)(v / 1000000);
}

/* COLUMNS and LINES, where they are exported, are what the user wants to be believed. */
static void measure_terminal(struct smi_render_options *look)
{
    struct winsize w = {0};
    if (ioctl(1, TIOCGWINSZ, &w) != 0)
        memset(&w, 0, sizeof w);
    look->width = parse_terminal_size(getenv("COLUMNS"));
    look->height = parse_terminal_size(getenv("LINES"));
    if (!look->width)
        look->width = w.ws_col ? w.ws_col : 80;
    if (!look->height)
        look->height = w.ws_row ? w.ws_row : 24;
}

static bool is_utf8(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"}, *v;
    for (int i = 0; i < 3; i++)
        if ((v = getenv(names[i])) && *v)
            return strcasestr(v, "UTF-8") || strcasestr(v, "UTF8");
    return false;
}

/* The same page again has the same bytes, where SOURCE_DATE_EPOCH says when that is
 * (reproducible-builds.org). */
static int64_t made_ms(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t micro;
    if (epoch && smi_text_parse_micro(smi_text_of(epoch), &micro) == 0 && micro >= 0)
        return micro / 1000;
    return smi_clock_utc_ms();
}

struct smi_render_options smi_render_options_of(const struct smi_settings *set)
{
    bool tty = (!set->output || strcmp(set->output, "-") == 0) && isatty(1);
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    struct smi_render_options look = {.all = set->all,
                                      .verbose = set->verbose,
                                      .quiet = set->quiet,
                                      .co2 = set->prices.has_co2,
                                      .money = set->prices.n > 0 || set->prices.has_kwh,
                                      .given = set->given.p ? set->given.p : "",
                                      .samples = set->points,
                                      .sorted = set->ask.sort != NULL,
                                      .raw = set->raw};
    if (set->pages) {
        look.group_by = set->ask.group_by;
        look.command = set->command.p;
        look.now_ms = made_ms();
    }
    if (tty)
        measure_terminal(&look);
    look.utf8 = is_utf8();
    look.color = set->color == COLOR_ALWAYS;
    if (set->color == COLOR_AUTO)
        look.color = tty && !(no && *no) && term && strcmp(term, "dumb") != 0;
    return look;
}
