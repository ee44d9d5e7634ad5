#include "cli/settings.h"
#include "cli/settings_file.h"
#include "base/clock.h"
#include "formats/column_map.h"
#include "formats/detect.h"
#include "formats/column.h"
#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_AT_ONCE = 20 /* timelines; of more runs than that the chosen ones are read again */ };

void smi_settings_init(struct smi_settings *s)
{
    memset(s, 0, sizeof *s);
    s->o.idle_below = 1000000;
    s->d.format = -1;
}

static int fail_no_such_word(struct smi_err *err, const char *opt, const char *word, const char *near)
{
    if (near)
        return smi_err_set(err, SMI_EUSAGE, "--%s: there is no \"%.60s\"; did you mean %s?", opt, word, near);
    return smi_err_set(err, SMI_EUSAGE, "--%s: there is no \"%.60s\"; see smilog list %s", opt, word,
                       strcmp(opt, "format") == 0 ? "outputs" : "formats");
}

/* By its name, or by the ending of the file. */
static int find_output(struct smi_settings *s, const char *name, struct smi_err *err)
{
    unsigned of = s->pages ? SMI_OUTPUT_PAGES : SMI_OUTPUT_NUMBERS;
    bool to_file = s->output && strcmp(s->output, "-") != 0;
    struct smi_buf endings = {0};
    s->writer = name      ? smi_output_find(name)
                : to_file ? smi_output_by_ending(s->output)
                          : smi_output_find("table");
    if (name && !s->writer)
        return fail_no_such_word(err, "format", name,
                                 smi_text_nearest(name, smi_outputs, sizeof *smi_outputs, SIZE_MAX));
    if (!s->writer && s->partial)
        return 0;
    if (s->writer && s->writer->lacks && s->writer->lacks())
        return smi_err_set(err, SMI_EUSAGE, "%s: %s", s->writer->name, s->writer->lacks());
    if (s->writer && s->writer->of & of)
        return 0;
    if (s->writer && s->pages)
        return smi_err_set(err, SMI_EUSAGE, "%s is no page: smilog summarize writes it", s->writer->name);
    if (s->writer) { /* summarize -o x.html is what report writes */
        s->pages = true;
        return 0;
    }
    smi_output_endings(&endings, of);
    smi_err_set(err, SMI_EUSAGE, "the ending of %.200s names no format (%s do%s): add --format NAME",
                s->output, endings.p ? endings.p : "", strchr(endings.p ? endings.p : "", ' ') ? "" : "es");
    smi_buf_fini(&endings);
    return -1;
}

/* A report without -o goes into a file of this name, with the ending of its format. */
static int name_report(struct smi_settings *s, struct smi_err *err)
{
    const struct smi_output *o = smi_output_find(s->format ? s->format : "html");
    smi_buf_fmt(&s->own_output, "smilog-report%s", o && o->ending ? o->ending : "");
    s->output = s->own_output.p;
    return s->own_output.failed ? smi_err_nomem(err) : 0;
}

static int choose_output(struct smi_settings *s, struct smi_err *err)
{
    if (s->own_forms) {
        s->writer = smi_output_find("csv"); /* it needs the same fields of a run as a row of CSV */
        return 0;
    }
    if (s->json && s->format && strcmp(s->format, "json") != 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format %.60s contradict each other", s->format);
    if (s->partial && (s->json || s->format))
        return smi_err_set(err, SMI_EUSAGE, "--partial has a format of its own: leave --format out");
    if (s->pages && !s->output && name_report(s, err))
        return -1;
    if (s->pages && strcmp(s->output, "-") == 0 && !s->format)
        return smi_err_set(err, SMI_EUSAGE, "-o - has no ending: add --format NAME");
    if (find_output(s, s->json ? "json" : s->format, err))
        return -1;
    if (s->writer && s->writer->file && (!s->output || strcmp(s->output, "-") == 0))
        return smi_err_set(err, SMI_EUSAGE, "%s cannot be written to a stream: -o FILE", s->writer->name);
    return 0;
}

static int choose_input_format(struct smi_settings *s, struct smi_err *err)
{
    const char *near = NULL;
    if (!s->input_format)
        return 0;
    s->d.format = smi_format_find(s->input_format);
    for (int i = 0; i < SMI_FMT_COUNT && !near; i++)
        near = smi_text_nearest(s->input_format, &smi_format_infos[i].name, sizeof near, 1);
    for (int i = 0; i < SMI_FMT_COUNT && !near && strlen(s->input_format) >= 4; i++)
        near = strstr(smi_format_infos[i].name, s->input_format) ? smi_format_infos[i].name : NULL;
    return s->d.format >= 0 ? 0 : fail_no_such_word(err, "input-format", s->input_format, near);
}

/* An offset, or the name of a zone. */
static int choose_time_zone(struct smi_settings *s, struct smi_err *err)
{
    struct smi_text t = smi_text_of(s->tz);
    s->o.has_offset = true;
    s->o.fixed = smi_text_is(t, "UTC") || smi_text_is(t, "Z");
    if (smi_clock_parse_zone(t, &s->o.offset_s) == 0)
        return 0;
    if (t.n && (*t.p == '+' || *t.p == '-'))
        return smi_err_set(err, SMI_EUSAGE,
                           "--tz needs an offset of at most 18 h such as +02:00, not \"%.60s\"", s->tz);
    if (smi_tz_load(&s->zone, s->tz, err))
        return -1;
    s->o.offset_s = s->zone.standard_s;
    s->o.zone = &s->zone;
    return 0;
}

/* Indices and uuids, or the beginnings of these; anything else would choose no GPU without a word. */
static int check_gpus(const char *list, struct smi_err *err)
{
    const char *p = list, *comma;
    if (strcmp(list, "auto") == 0 || strcmp(list, "all") == 0)
        return 0;
    for (;; p = comma + 1) {
        struct smi_text w;
        size_t digits = 0;
        comma = strchr(p, ',');
        w = smi_text_trim((struct smi_text){p, comma ? (size_t)(comma - p) : strlen(p)});
        while (digits < w.n && w.p[digits] >= '0' && w.p[digits] <= '9')
            digits++;
        if (smi_text_is(w, "all") || smi_text_is(w, "auto"))
            return smi_err_set(err, SMI_EUSAGE, "--gpus: all and auto stand alone");
        if (w.n == 0 ||
            (digits < w.n && !smi_text_starts_nocase(w, "GPU-") && !smi_text_starts_nocase(w, "MIG-")))
            return smi_err_set(err, SMI_EUSAGE,
                               "--gpus needs indices and uuids, as in 0,1,GPU-8f3a: not \"%.*s\"",
                               (int)(w.n < 60 ? w.n : 60), w.p);
        if (!comma)
            return 0;
    }
}

/* A misspelt column would be skipped without a word. */
static int check_input_column(struct smi_text w, struct smi_err *err)
{
    struct smi_query_column c;
    const char *name, *near = NULL;
    char word[64];
    int least = 3, d;
    smi_column_query(w, &c);
    if (c.known || smi_text_is(w, "-"))
        return 0;
    snprintf(word, sizeof word, "%.*s", (int)(w.n < 60 ? w.n : 60), w.p);
    for (size_t i = 0; (name = smi_column_query_name(i)); i++) {
        d = smi_text_distance(word, name, least);
        if (d < least && d * 2 < (int)strlen(name)) {
            near = name;
            least = d;
        }
    }
    if (near)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: there is no column \"%s\"; did you mean %s?",
                           word, near);
    if (c.measures) /* nvidia-smi has more fields than are known here */
        return 0;
    return smi_err_set(err, SMI_EUSAGE,
                       "--input-columns: there is no column \"%s\": nvidia-smi's names are wanted "
                       "(nvidia-smi --help-query-gpu), or - for a column that is not read",
                       word);
}

static int check_input_columns(const char *list, struct smi_err *err)
{
    for (const char *p = list, *comma;; p = comma + 1) {
        comma = strchr(p, ',');
        if (check_input_column(smi_text_trim((struct smi_text){p, comma ? (size_t)(comma - p) : strlen(p)}),
                               err))
            return -1;
        if (!comma)
            return 0;
    }
}

int smi_settings_columns(struct smi_buf *columns, const char *from, bool query, struct smi_err *err)
{
    if (from && columns->n)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns and --columns-from say the same: leave one out");
    if (from && smi_column_map_load(columns, from, err)) {
        err->code = err->code == SMI_EIO ? SMI_EUSAGE : err->code;
        return -1;
    }
    if (from)
        return 0;
    return columns->n && query ? check_input_columns(columns->p, err) : 0;
}

static int check_params(const char *list, struct smi_err *err)
{
    const char *rest = list;
    struct smi_text word;
    while (smi_text_next_item(&rest, &word))
        if (word.n > SMI_PARAM_GIVEN_MAX || !memchr(word.p, '=', word.n) || *word.p == '=')
            return smi_err_set(err, SMI_EUSAGE, "--param needs NAME=VALUE of at most %d bytes, not \"%.*s\"",
                               SMI_PARAM_GIVEN_MAX, (int)(word.n < 60 ? word.n : 60), word.p);
    return 0;
}

/* The settings file is for all commands: what does not fit this one is left out. */
static void drop_file_settings(struct smi_settings *s)
{
    const char **const of_whole_summaries[] = {&s->price_hour, &s->price_kwh, &s->gco2, &s->rules};
    const bool table = !s->own_forms && !s->partial && s->writer && strcmp(s->writer->name, "table") == 0 &&
                       !s->ask.group_by && !s->ask.sql;
    for (size_t i = 0; i < 4 && s->partial; i++)
        if (smi_settings_file_has(*of_whole_summaries[i]))
            *of_whole_summaries[i] = NULL;
    if (smi_settings_file_has(s->ask.columns) && !table)
        s->ask.columns = NULL;
}

static int choose_rules(struct smi_settings *s, struct smi_err *err)
{
    if (s->partial)
        return smi_err_set(err, SMI_EUSAGE,
                           "a partial summary has no findings: give --rules to smilog merge");
    memcpy(s->rule, smi_rules, sizeof s->rule);
    s->o.rules = s->rule;
    return smi_rules_load(s->rule, s->rules, err);
}

static int choose_prices(struct smi_settings *s, struct smi_err *err)
{
    struct smi_prices *p = &s->prices;
    p->has_kwh = s->price_kwh != NULL;
    p->has_co2 = s->gco2 != NULL;
    s->o.prices = p;
    if (s->currency && smi_currency_check(s->currency, err))
        return -1;
    if ((s->price_hour || p->has_kwh || p->has_co2) && s->partial)
        return smi_err_set(err, SMI_EUSAGE, "a partial summary has no prices: give them to smilog merge");
    if (s->price_hour && smi_prices_read(p, "price-gpu-hour", s->price_hour, err))
        return -1;
    if (p->has_kwh && smi_price_number(&p->kwh, "price-kwh", s->price_kwh, err))
        return -1;
    return p->has_co2 ? smi_price_number(&p->gco2, "gco2-kwh", s->gco2, err) : 0;
}

static int collect_given_options(struct smi_settings *s, struct smi_err *err)
{
    struct smi_settings defaults;
    smi_settings_init(&defaults);
    smi_opt_write_given(&s->given, smi_opts_summary, s, &defaults);
    smi_opt_write_given(&s->given, smi_opts_input, s, &defaults);
    return s->given.failed ? smi_err_nomem(err) : 0;
}

/* What is asked is answered of whole summaries, all together. */
static int check_query_options(struct smi_settings *s, struct smi_err *err)
{
    if (!smi_query_any(&s->ask))
        return 0;
    if (s->partial)
        return smi_err_set(err, SMI_EUSAGE, "a partial summary holds every run: ask smilog merge");
    if (!s->writer->rows && !s->writer->rows_file &&
        (s->ask.columns || (s->ask.group_by && !s->pages) || s->ask.sql))
        return smi_err_set(err, SMI_EUSAGE, "--format %s has columns of its own", s->writer->name);
    s->o.text = NULL;
    return 0;
}

static int choose_samples(struct smi_settings *s, struct smi_err *err)
{
    int64_t n;
    if (!s->samples || strcmp(s->samples, "all") == 0)
        s->points = s->samples ? SMI_SAMPLES_ALL : 0;
    else if (smi_text_parse_micro(smi_text_of(s->samples), &n) || n < 1000000 || n % 1000000)
        return smi_err_set(err, SMI_EUSAGE, "--samples needs a whole number from 1 on, or all, not \"%.60s\"",
                           s->samples);
    else
        s->points = n / 1000000;
    return 0;
}

/* Which of the series are recorded, and whether runs may be read again. */
static void choose_series(struct smi_settings *s)
{
    uint32_t shape = (uint32_t)1 << smi_timed_slot(SMI_GPU_UTIL),
             cause = (uint32_t)1 << smi_timed_slot(SMI_CPU_USR);
    if (s->partial) /* the sweep knows which it has */
        return;
    s->o.skip_series = ~(s->writer->shapes ? shape | cause : cause); /* cause: of stalls */
    s->o.timelines = s->writer->timelines ? KEPT_AT_ONCE : 0;
}

int smi_settings_check(struct smi_settings *s, struct smi_err *err)
{
    s->o.gpus = s->gpus.p;
    s->o.params = s->params.p;
    if (s->output && !*s->output)
        return smi_err_set(err, SMI_EUSAGE, "-o: the name of the file is empty: a variable that is not set?");
    if (collect_given_options(s, err) || choose_output(s, err) || choose_input_format(s, err))
        return -1;
    drop_file_settings(s);
    if (s->tz && choose_time_zone(s, err))
        return -1;
    if ((s->rules && choose_rules(s, err)) || choose_prices(s, err))
        return -1;
    if ((s->o.gpus && check_gpus(s->o.gpus, err)) || check_params(s->o.params, err))
        return -1;
    if (s->o.gpus && s->partial)
        return smi_err_set(err, SMI_EUSAGE, "a partial summary holds all GPUs: give --gpus to smilog merge");
    if (smi_settings_columns(&s->columns, s->columns_from, s->d.format < 0 || s->d.format == SMI_FMT_QUERY,
                             err))
        return -1;
    s->o.columns = s->columns.p;
    if (s->o.idle_below > 100000000)
        return smi_err_set(err, SMI_EUSAGE, "--idle-below is a percentage: 0 to 100");
    s->o.text = s->partial ? NULL : s->writer->run;
    choose_series(s);
    if (check_query_options(s, err) || choose_samples(s, err))
        return -1;
    if (s->d.pattern && smi_pattern_check(s->d.pattern, err))
        return -1;
    if (s->d.run && !*s->d.run)
        return smi_err_set(err, SMI_EUSAGE, "--run: the name of the run is empty");
    s->d.output = s->output;
    s->d.per = (enum smi_run_per)s->run_per;
    s->d.columns = s->o.columns;
    s->d.gpu_count = s->o.gpu_count;
    s->d.threads = s->threads ? (unsigned)s->threads : smi_cpu_count();
    return 0;
}

void smi_settings_fini(struct smi_settings *s)
{
    smi_buf_fini(&s->gpus);
    smi_buf_fini(&s->columns);
    smi_buf_fini(&s->params);
    smi_buf_fini(&s->given);
    smi_buf_fini(&s->command);
    smi_buf_fini(&s->own_output);
}

/* Would writing into out overwrite in? "-" is no file; NULL: not given. */
static bool is_same_file(const char *out, const char *in)
{
    struct smi_file_info a, b;
    return out && in && strcmp(out, "-") != 0 && smi_file_id(out, &a) && smi_file_id(in, &b) &&
           a.dev == b.dev && a.ino == b.ino;
}

/* The files that are written, by their options. */
enum { OUTPUT, TARGET, WRITTEN };
struct written {
    const char *option, *path;
};

static int check_against_outputs(const struct written w[WRITTEN], const char *path, struct smi_err *err)
{
    for (int i = 0; i < WRITTEN; i++)
        if (is_same_file(w[i].path, path))
            return smi_err_set(err, SMI_EUSAGE, "%s %.300s: is an input of this command", w[i].option,
                               w[i].path);
    return 0;
}

/* FILE, or FILE:KEY. */
static int check_join(const struct written w[WRITTEN], const char *arg, struct smi_err *err)
{
    const char *colon = arg ? strrchr(arg, ':') : NULL;
    char path[4096];
    if (check_against_outputs(w, arg, err))
        return -1;
    if (!colon || (size_t)(colon - arg) >= sizeof path)
        return 0;
    memcpy(path, arg, (size_t)(colon - arg));
    path[colon - arg] = 0;
    return check_against_outputs(w, path, err);
}

int smi_settings_check_overwrite(const struct smi_settings *s, const char *const *path, size_t n,
                                 struct smi_err *err)
{
    const struct written w[WRITTEN] = {[OUTPUT] = {"-o", s->output}, [TARGET] = {"--to", s->to}};
    for (size_t i = 0; i < n; i++)
        if (check_against_outputs(w, path[i], err))
            return -1;
    return check_against_outputs(w, s->rules, err) || check_against_outputs(w, s->columns_from, err) ||
                   check_join(w, s->ask.join, err)
               ? -1
               : 0;
}

/* "table, json, junit, github" */
static const char *list_forms(const struct smi_output_form *form, const char *what, char *to, size_t size)
{
    *to = 0;
    for (int i = 0; form[i].name; i++) {
        const char *word = strcmp(what, "name") == 0 ? form[i].name : form[i].ending;
        if (word && strlen(to) + strlen(word) + 3 < size)
            strcat(strcat(to, *to ? (*what == 'n' ? ", " : " ") : ""), word);
    }
    return to;
}

static int choose_form(const struct smi_settings *s, const struct smi_output_form *form, struct smi_err *err)
{
    const char *name = s->json ? "json" : s->format, *near;
    char words[128];
    int i = 0;
    if (s->json && s->format && strcmp(s->format, "json") != 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format %.60s contradict each other", s->format);
    if (name && (i = smi_output_form_by_name(form, sizeof *form, name)) < 0) {
        near = smi_text_nearest(name, form, sizeof *form, SIZE_MAX);
        return smi_err_set(err, SMI_EUSAGE,
                           near ? "--format: there is no \"%.60s\"; did you mean %s?"
                                : "--format: there is no \"%.60s\" here; there are %s",
                           name, near ? near : list_forms(form, "name", words, sizeof words));
    }
    if (!name && s->output && *s->output && strcmp(s->output, "-") != 0)
        i = smi_output_form_by_ending(form, sizeof *form, s->output);
    if (i < 0)
        return smi_err_set(err, SMI_EUSAGE, "the ending of %.200s names no format (%s do): add --format NAME",
                           s->output, list_forms(form, "ending", words, sizeof words));
    return i;
}

int smi_settings_choose_form(struct smi_settings *s, const struct smi_output_form *form, struct smi_err *err)
{
    int i = choose_form(s, form, err);
    s->own_forms = true;
    return i < 0 || smi_settings_check(s, err) ? -1 : i;
}

int smi_interval_check(int64_t interval, struct smi_err *err)
{
    if (interval < 50000 || interval > (int64_t)86400 * 1000000)
        return smi_err_set(err, SMI_EUSAGE, "-i needs 0.05 to 86400 seconds");
    return 0;
}

int smi_record_settings_check(struct smi_record_settings *s, struct smi_live_opts *o, struct smi_err *err)
{
    const char *gpus = s->gpus.n ? s->gpus.p : "auto";
    const bool mine = strcmp(gpus, "auto") == 0;
    if (smi_interval_check(s->interval, err))
        return -1;
    if (s->dir && !*s->dir)
        return smi_err_set(err, SMI_EUSAGE, "-o needs a directory");
    if (s->most > (int64_t)1000000 * 1000000 * 1000000)
        return smi_err_set(err, SMI_EUSAGE, "--max-size needs at most 1000000000000 MiB");
    o->interval_ms = (int)(s->interval / 1000);
    if (s->keep && !s->most)
        return smi_err_set(err, SMI_EUSAGE, "--max-files needs --max-size: else a log has one file");
    o->keep = s->keep;
    o->pmon = s->pmon;
    o->environ = environ;
    o->most = s->most / 1000000 * 1048576 + s->most % 1000000 * 1048576 / 1000000;
    o->gpus = mine || strcmp(gpus, "all") == 0 ? NULL : gpus;
    o->now = (struct smi_machine_opts){.idle_below = 1000000};
    if (mine && !o->program) /* a program in the place of nvidia-smi has GPUs of its own */
        smi_live_visible(o);
    return 0;
}

int smi_record_settings_claim(struct smi_record_settings *s, struct smi_live_opts *o, struct smi_err *err)
{
    struct stat st;
    int k = s->dir ? smi_live_claim(s->dir, INT_MAX, s->own_dir, sizeof s->own_dir, err) : 0;
    if (k > 1 && (stat(s->dir, &st) != 0 || !S_ISDIR(st.st_mode)))
        fprintf(stderr, "smilog: %s is not a directory: the recording goes to %s\n", s->dir, s->own_dir);
    else if (k > 1)
        fprintf(stderr, "smilog: %s already holds a recording: this one goes to %s\n", s->dir, s->own_dir);
    o->recording = k > 1 ? k : 0;
    o->dir = s->dir = k > 0 ? s->own_dir : NULL;
    return k < 0 ? -1 : 0;
}
