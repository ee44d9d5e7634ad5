/* settings.c - checks what was typed to the commands over runs; the file of settings. */
#include "cli/settings.h"
#include "formats/column_map.h"
#include "live/watch.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SETTINGS = 32 /* more than files can set */, PATH = 4096 };

const struct smi_cmd smi_settings_file = {.groups = "sqio"};

/* What was read; it stays until the end of the program. */
static struct {
    bool loaded;
    char path[PATH]; /* "": no file */
    struct smi_arena texts;
    struct smi_file_setting of[SETTINGS];
    size_t n;
} file;

/* Appends a value as it would be typed. Returns false if it is of another type. */
static bool write_value(struct smi_buf *to, enum smi_opt_kind kind, const json_t *v)
{
    char number[SMI_MICRO_TEXT];
    int64_t micro;
    size_t i;
    json_t *item;
    if (kind == SMI_OPT_FLAG)
        return json_is_true(v);
    if (smi_json_number(v, &micro)) {
        smi_buf_add(to, number, smi_text_write_micro(number, micro));
        if (to->n > 2 && memcmp(to->p + to->n - 2, ".0", 2) == 0)
            to->p[to->n -= 2] = 0;
        return kind != SMI_OPT_WORD && kind != SMI_OPT_LIST;
    }
    if (json_is_string(v) && (kind == SMI_OPT_TEXT || kind == SMI_OPT_WORD))
        smi_buf_str(to, json_string_value(v));
    json_array_foreach (v, i, item) {
        if (!json_is_string(item) || (kind != SMI_OPT_TEXT && kind != SMI_OPT_LIST))
            return false;
        smi_buf_fmt(to, "%s%s", i ? "," : "", json_string_value(item));
    }
    return to->n || (kind == SMI_OPT_LIST && json_is_array(v));
}

struct smi_file_setting *smi_settings_keep(const struct smi_opt *o, const char *key, const char *where,
                                           const json_t *v, struct smi_err *err)
{
    static const char *const words[] = {"true or false",   "a text, a number or a list of texts",
                                        "a list of texts", "a number",
                                        "a number",        "a text"}; /* as smi_opt_kind */
    struct smi_file_setting *s = &file.of[file.n++];
    enum smi_opt_kind kind = smi_opt_kind(o);
    struct smi_buf text = {0};
    if (kind == SMI_OPT_TEXT && strcmp(o->arg, "FILE") == 0)
        kind = SMI_OPT_WORD; /* a name is no number and no list */
    if (!write_value(&text, kind, v))
        smi_err_set(err, SMI_EUSAGE, "%.300s: \"%s\" has to be %s%s", where, key, words[kind],
                    json_is_string(v) && !json_string_length(v) ? ", and not empty" : "");
    *s = (struct smi_file_setting){o, key, smi_arena_text(&file.texts, where, strlen(where)),
                                   smi_buf_keep(&text, &file.texts), false};
    return err->code ? NULL : s;
}

static int add_setting(const char *key, const json_t *v, struct smi_err *err)
{
    const struct smi_opt *o = smi_opt_find(&smi_settings_file, smi_text_of(key), 0);
    const char *near = smi_opt_nearest(&smi_settings_file, key, SMI_OPT_SETTABLE),
               *slash = strrchr(file.path, '/');
    struct smi_file_setting *s;
    struct smi_buf path = {0};
    if (!o || !(o->kind & SMI_OPT_SETTABLE))
        return smi_err_set(err, SMI_EUSAGE, "%.300s: there is no setting \"%.60s\"%s%s%s", file.path, key,
                           near ? "; did you mean " : "; see smilog list settings", near ? near : "",
                           near ? "?" : "");
    s = smi_settings_keep(o, o->name, file.path, v, err);
    if (s && slash && *s->text != '/' && strcmp(o->arg, "FILE") == 0) { /* not in our directory */
        smi_buf_fmt(&path, "%.*s%s", (int)(slash - file.path) + 1, file.path, s->text);
        s->text = smi_buf_keep(&path, &file.texts);
    }
    return s ? 0 : -1;
}

/* Fills file.path. A file that $SMILOG_CONFIG names has to be there. */
static void choose_path(void)
{
    const char *named = getenv("SMILOG_CONFIG"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (named) {
        snprintf(file.path, sizeof file.path, "%s", named);
        return;
    }
    if (config && *config == '/')
        snprintf(file.path, sizeof file.path, "%s/smilog.json", config);
    else if (home && *home == '/')
        snprintf(file.path, sizeof file.path, "%s/.config/smilog.json", home);
    if (access(file.path, F_OK) != 0)
        *file.path = 0;
}

int smi_settings_file_load(struct smi_err *err)
{
    json_t *object, *v;
    const char *key;
    int rc = 0;
    if (file.loaded)
        return 0;
    file.loaded = true;
    choose_path();
    if (!*file.path)
        return 0;
    if (smi_json_load_file("settings", file.path, &object, err))
        return -1;
    json_object_foreach (object, key, v)
        if (!rc)
            rc = add_setting(key, v, err);
    json_decref(object);
    return rc;
}

const char *smi_settings_file_path(void)
{
    return *file.path ? file.path : NULL;
}

struct smi_file_setting *smi_settings_file_find(const char *name)
{
    for (size_t i = 0; i < file.n; i++)
        if (strcmp(file.of[i].opt->name, name) == 0)
            return &file.of[i];
    return NULL;
}

struct smi_err smi_settings_name_source(const struct smi_err *err)
{
    const char *word = err->text + strspn(err->text, "-");
    const struct smi_text name = {word, strcspn(word, " :")};
    struct smi_err named = *err;
    for (const struct smi_file_setting *s = file.of; s < file.of + file.n && word > err->text; s++)
        if (!s->typed && (smi_text_is(name, s->opt->name) || (name.n == 1 && *word == s->opt->letter)))
            snprintf(named.text, sizeof named.text, "%.300s: \"%s\"%s", s->where, s->key, word + name.n);
    return named;
}

bool smi_settings_file_has(const char *text)
{
    for (size_t i = 0; i < file.n && text; i++)
        if (file.of[i].text == text)
            return true;
    return false;
}

enum { KEPT_AT_ONCE = 20 /* timelines; of more runs than that the chosen ones are read again */ };

void smi_settings_init(struct smi_settings *s)
{
    memset(s, 0, sizeof *s);
    s->o.idle_below = 1000000;
    s->d.format = -1;
    s->of = SMI_OUTPUT_NUMBERS;
}

/* By its name, or by the ending of the file. */
static int find_output(struct smi_settings *s, const char *name, struct smi_err *err)
{
    const unsigned of = s->pages ? SMI_OUTPUT_PAGES : s->of, runs = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES,
                   any = of & runs ? runs : of;
    const bool to_file = s->output && strcmp(s->output, "-") != 0;
    const char *names[16], *near;
    struct smi_buf words = {0};
    size_t n = 0;
    s->writer = name      ? smi_output_find(name, any)
                : to_file ? smi_output_by_ending(s->output, any)
                          : smi_output_find("table", any);
    if (s->writer) {
        if (s->writer->load && s->writer->load(err))
            return -1;
        if (s->pages && !(s->writer->of & of))
            return smi_err_set(err, SMI_EUSAGE, "%s is no page: smilog summarize writes it", s->writer->name);
        s->pages |= !(s->writer->of & of); /* summarize -o x.html is what report writes */
        return 0;
    }
    if (!name && s->partial)
        return 0;
    for (const struct smi_output *o = smi_outputs; o->name; o++) /* what there is in its place */
        if (o->of & (name ? any : of) && (name || o->ending)) {
            smi_buf_fmt(&words, "%s%s", n == 0 ? "" : name ? ", " : " ", name ? o->name : o->ending);
            names[n++] = o->name;
        }
    near = name ? smi_text_nearest(name, names, sizeof *names, n) : NULL;
    if (near)
        smi_err_set(err, SMI_EUSAGE, "--format: there is no \"%.60s\"; did you mean %s?", name, near);
    else if (name)
        smi_err_set(err, SMI_EUSAGE, "--format: there is no \"%.60s\" here; there are %s", name, words.p);
    else
        smi_err_set(err, SMI_EUSAGE, "the ending of %.200s names no format (%s do%s): add --format NAME",
                    s->output, words.p, n > 1 ? "" : "es");
    smi_buf_fini(&words);
    return -1;
}

static int choose_output(struct smi_settings *s, struct smi_err *err)
{
    if (s->json && s->format && strcmp(s->format, "json") != 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format %.60s contradict each other", s->format);
    if (!(s->of & (SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES))) {
        if (s->of && find_output(s, s->json ? "json" : s->format, err))
            return -1;
        s->form = s->writer;
        s->writer = smi_output_find("csv", SMI_OUTPUT_NUMBERS); /* it needs the same fields of a run */
        return 0;
    }
    if (s->partial && (s->json || s->format))
        return smi_err_set(err, SMI_EUSAGE, "--partial has a format of its own: leave --format out");
    if (s->pages && !s->output) { /* the file has the ending of its format */
        const struct smi_output *o = smi_output_find(s->format ? s->format : "html", SMI_OUTPUT_PAGES);
        smi_buf_fmt(&s->own_output, "smilog-report%s", o && o->ending ? o->ending : "");
        s->output = s->own_output.p;
    }
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
    return s->d.format >= 0
               ? 0
               : smi_err_set(err, SMI_EUSAGE,
                             near ? "--input-format: there is no \"%.60s\"; did you mean %s?"
                                  : "--input-format: there is no \"%.60s\"; see smilog list formats",
                             s->input_format, near);
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
    struct smi_text w;
    if (strcmp(list, "auto") == 0 || strcmp(list, "all") == 0)
        return 0;
    while (smi_text_next_item(&list, &w)) {
        if (smi_text_is(w, "all") || smi_text_is(w, "auto"))
            return smi_err_set(err, SMI_EUSAGE, "--gpus: all and auto stand alone");
        if (w.n == 0 || (smi_text_digits(w) < w.n && !smi_text_starts_nocase(w, "GPU-") &&
                         !smi_text_starts_nocase(w, "MIG-")))
            return smi_err_set(err, SMI_EUSAGE,
                               "--gpus needs indices and uuids, as in 0,1,GPU-8f3a: not \"%.*s\"",
                               (int)(w.n < 60 ? w.n : 60), w.p);
    }
    return 0;
}

/* A misspelt column would be skipped without a word. */
static int check_input_column(struct smi_text w, struct smi_err *err)
{
    struct smi_query_column c;
    enum { NAMES = 512 /* more than there are */ };
    const char *name[NAMES], *near;
    char word[64];
    size_t n = 0;
    smi_column_query(w, &c);
    if (c.known || smi_text_is(w, "-"))
        return 0;
    snprintf(word, sizeof word, "%.*s", (int)(w.n < 60 ? w.n : 60), w.p);
    while (n < NAMES && (name[n] = smi_column_query_name(n)))
        n++;
    near = smi_text_nearest(word, name, sizeof *name, n);
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

int smi_settings_columns(struct smi_buf *columns, const char *from, bool query, struct smi_err *err)
{
    if (from && columns->n)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns and --columns-from say the same: leave one out");
    if (from && smi_column_map_load(columns, from, err)) {
        err->code = err->code == SMI_EIO ? SMI_EUSAGE : err->code;
        return -1;
    }
    const char *rest = from || !query || !columns->n ? NULL : columns->p;
    for (struct smi_text name; smi_text_next_item(&rest, &name);)
        if (check_input_column(name, err))
            return -1;
    return 0;
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

static int choose_prices(struct smi_settings *s, struct smi_err *err)
{
    struct smi_prices *p = &s->prices;
    p->has_kwh = s->price_kwh != NULL;
    p->has_co2 = s->gco2 != NULL;
    s->o.prices = p;
    if (s->look.currency && smi_currency_check(s->look.currency, err))
        return -1;
    if ((s->price_hour || p->has_kwh || p->has_co2) && s->partial)
        return smi_err_set(err, SMI_EUSAGE, "a partial summary has no prices: give them to smilog merge");
    if ((s->price_hour && smi_prices_read(p, "price-gpu-hour", s->price_hour, err)) ||
        (p->has_kwh && smi_price_number(&p->kwh, "price-kwh", smi_text_of(s->price_kwh), err)) ||
        (p->has_co2 && smi_price_number(&p->gco2, "gco2-kwh", smi_text_of(s->gco2), err)))
        return -1;
    return 0;
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
        s->look.samples = s->samples ? SMI_SAMPLES_ALL : 0;
    else if (smi_text_parse_micro(smi_text_of(s->samples), &n) || n < 1000000 || n % 1000000)
        return smi_err_set(err, SMI_EUSAGE, "--samples needs a whole number from 1 on, or all, not \"%.60s\"",
                           s->samples);
    else
        s->look.samples = n / 1000000;
    return 0;
}

/* The CPUs this process may use: affinity, the cgroup's limit, and 16, whichever is smallest. In a container
 * sysconf() gives the number of the machine, not that of the limit. */
static unsigned cpu_count(void)
{
    enum { MOST_CPUS = 16 };
    struct smi_cgroup group;
    cpu_set_t set;
    int64_t n, limit = -1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    else
        n = sysconf(_SC_NPROCESSORS_ONLN); /* more CPUs than a cpu_set_t holds */
    if (smi_cgroup_find("", SMI_CGROUP_PART_CPU, &group))
        limit = smi_cgroup_limit(&group, SMI_CGROUP_PART_CPU); /* millionths */
    if (limit > 0 && (limit + 999999) / 1000000 < n)
        n = (limit + 999999) / 1000000;
    return n < 1 ? 1 : n > MOST_CPUS ? MOST_CPUS : (unsigned)n;
}

int smi_settings_check(struct smi_settings *s, struct smi_err *err)
{
    const uint32_t shape = (uint32_t)1 << smi_timed_slot(SMI_GPU_UTIL),
                   cause = (uint32_t)1 << smi_timed_slot(SMI_CPU_USR); /* of stalls */
    struct smi_settings defaults;
    s->o.gpus = s->gpus.p;
    s->o.params = s->params.p;
    if (s->output && !*s->output)
        return smi_err_set(err, SMI_EUSAGE, "-o: the name of the file is empty: a variable that is not set?");
    smi_settings_init(&defaults);
    smi_opt_write_given(&s->given, "si", s, &defaults);
    if (choose_output(s, err) || choose_input_format(s, err))
        return -1;
    /* The settings file is for all commands: what does not fit this one is left out. */
    const char **const of_whole_summaries[] = {&s->price_hour, &s->price_kwh, &s->gco2, &s->rules};
    const bool table =
        !s->partial && s->writer && strcmp(s->writer->name, "table") == 0 && !s->ask.group_by && !s->ask.sql;
    for (size_t i = 0; i < 4 && s->partial; i++)
        if (smi_settings_file_has(*of_whole_summaries[i]))
            *of_whole_summaries[i] = NULL;
    if (smi_settings_file_has(s->ask.columns) && !table)
        s->ask.columns = NULL;
    if (s->tz && choose_time_zone(s, err))
        return -1;
    if (s->rules && s->partial)
        return smi_err_set(err, SMI_EUSAGE,
                           "a partial summary has no findings: give --rules to smilog merge");
    s->o.rules = s->rules ? s->table.rule : NULL;
    s->o.condition = s->rules ? s->table.condition : NULL;
    if ((s->rules && smi_rules_load(&s->table, s->rules, err)) || choose_prices(s, err))
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
    if (!s->partial) { /* else the sweep knows which series it has, and whether runs may be read again */
        s->o.skip_series = ~(s->writer->shapes ? shape | cause : cause);
        s->o.timelines = s->writer->timelines ? KEPT_AT_ONCE : 0;
    }
    if (check_query_options(s, err) || choose_samples(s, err))
        return -1;
    if (s->d.pattern && smi_pattern_check(s->d.pattern, err))
        return -1;
    if (s->d.run && !*s->d.run)
        return smi_err_set(err, SMI_EUSAGE, "--run: the name of the run is empty");
    s->look.given = s->given.p ? s->given.p : "";
    s->look.sorted = s->ask.sort != NULL;
    s->look.money = s->prices.n > 0 || s->prices.has_kwh;
    s->look.co2 = s->prices.has_co2;
    s->d.output = s->output;
    s->d.per = (enum smi_run_per)s->run_per;
    s->d.columns = s->o.columns;
    s->d.gpu_count = s->o.gpu_count;
    s->d.threads = s->threads ? (unsigned)s->threads : cpu_count();
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

/* Is this input, which may be NULL or "-", none of the files that are written? */
static int check_input(const struct smi_settings *s, const char *in, struct smi_err *err)
{
    const char *const option[] = {"-o", "--to"}, *const out[] = {s->output, s->to};
    struct smi_file_info a, b;
    for (int i = 0; i < 2; i++)
        if (in && out[i] && strcmp(out[i], "-") != 0 && smi_file_id(out[i], &a) && smi_file_id(in, &b) &&
            a.dev == b.dev && a.ino == b.ino)
            return smi_err_set(err, SMI_EUSAGE, "%s %.300s: is an input of this command", option[i], out[i]);
    return 0;
}

int smi_settings_check_overwrite(const struct smi_settings *s, const char *const *path, size_t n,
                                 struct smi_err *err)
{
    const char *join = s->ask.join, *colon = join ? strrchr(join, ':') : NULL; /* FILE, or FILE:KEY */
    char file_of_join[PATH] = "";
    for (size_t i = 0; i < n; i++)
        if (check_input(s, path[i], err))
            return -1;
    if (colon && colon - join < PATH)
        memcpy(file_of_join, join, (size_t)(colon - join));
    return check_input(s, s->rules, err) || check_input(s, s->columns_from, err) ||
                   check_input(s, join, err) || check_input(s, file_of_join, err)
               ? -1
               : 0;
}

int smi_document_put(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct smi_document_file *to = self;
    to->documents += document->n > 0;
    if (document->n)
        smi_buf_add(&to->file.text, document->p, document->n);
    to->failed = usable && smi_text_file_flush(&to->file, err);
    return to->failed ? -1 : 0;
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
    o->most = s->most / 1000000 * 1048576 + s->most % 1000000 * 1048576 / 1000000;
    o->gpus = mine || strcmp(gpus, "all") == 0 ? NULL : gpus;
    o->of_job = mine && !o->program; /* a program in the place of nvidia-smi has GPUs of its own */
    return 0;
}
