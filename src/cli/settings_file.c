#include "cli/settings_file.h"
#include "base/file.h"
#include "base/json_load.h"
#include "base/mem.h"
#include "cli/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS = 32, PATH = 4096, MOST = 1 << 20 };

const struct smi_opt *const smi_settings_file_tables[] = {smi_opts_summary, smi_opts_query, smi_opts_input,
                                                          smi_opts_output, NULL};

/* What was read; it stays until the end of the program. */
static struct {
    bool loaded;
    char path[PATH]; /* "": no file */
    struct smi_arena texts;
    struct smi_file_setting of[SETTINGS];
    size_t n;
} file;

static const struct smi_opt *find_settable(const char *name)
{
    for (size_t t = 0; smi_settings_file_tables[t]; t++)
        for (const struct smi_opt *o = smi_settings_file_tables[t]; o->name; o++)
            if (o->kind & SMI_OPT_SETTABLE && strcmp(o->name, name) == 0)
                return o;
    return NULL;
}

/* The nearest name that may be set, or NULL. */
static const char *find_nearest(const char *name)
{
    for (size_t t = 0; smi_settings_file_tables[t]; t++) {
        const char *near =
            smi_text_nearest(name, smi_settings_file_tables[t], sizeof **smi_settings_file_tables, SIZE_MAX);
        if (near && find_settable(near))
            return near;
    }
    return NULL;
}

/* The line of a key: the first place where it stands in front of a colon. */
static int find_line(const struct smi_buf *text, const char *key)
{
    const size_t k = strlen(key);
    int line = 1;
    for (size_t i = 0; i + k + 2 < text->n; i++) {
        size_t end = i + k + 2;
        line += text->p[i] == '\n';
        if (text->p[i] != '"' || memcmp(text->p + i + 1, key, k) != 0 || text->p[end - 1] != '"')
            continue;
        while (end < text->n && strchr(" \t\r\n", text->p[end]))
            end++;
        if (end < text->n && text->p[end] == ':')
            return line;
    }
    return 1;
}

/* Appends a value as it would be typed. Returns false if it is of another type. */
static bool write_value(struct smi_buf *to, const struct smi_opt *o, const json_t *v)
{
    const bool text = smi_opt_kind(o) == SMI_OPT_TEXT || smi_opt_kind(o) == SMI_OPT_WORD;
    char number[SMI_MICRO_TEXT];
    int64_t micro;
    size_t i;
    json_t *item;
    if (smi_json_number(v, &micro)) {
        smi_buf_add(to, number, smi_text_write_micro(number, micro));
        if (to->n > 2 && memcmp(to->p + to->n - 2, ".0", 2) == 0)
            to->p[to->n -= 2] = 0;
        return smi_opt_kind(o) != SMI_OPT_WORD;
    }
    if (json_is_string(v) && text)
        smi_buf_str(to, json_string_value(v));
    json_array_foreach (v, i, item) {
        if (!json_is_string(item))
            return false;
        smi_buf_fmt(to, "%s%s", i ? "," : "", json_string_value(item));
    }
    return text && (json_is_string(v) || json_is_array(v)) && to->n;
}

static const char *type_words(const struct smi_opt *o)
{
    return smi_opt_kind(o) == SMI_OPT_TEXT   ? "a text, a number or a list of texts"
           : smi_opt_kind(o) == SMI_OPT_WORD ? "a text"
                                             : "a number";
}

/* A file is looked for beside the settings, not where the program was started. */
static void write_path(struct smi_buf *to, const char *path)
{
    const char *slash = strrchr(file.path, '/');
    if (*path != '/' && slash)
        smi_buf_fmt(to, "%.*s", (int)(slash - file.path) + 1, file.path);
    smi_buf_str(to, path);
}

static int add_setting(const struct smi_buf *all, const char *key, const json_t *v, struct smi_err *err)
{
    const struct smi_opt *o = find_settable(key);
    const char *near = o ? NULL : find_nearest(key);
    struct smi_buf text = {0}, path = {0};
    const int line = find_line(all, key);
    bool good;
    if (!o)
        return smi_err_set(err, SMI_EUSAGE, "%.300s:%d: there is no setting \"%.60s\"%s%s%s", file.path, line,
                           key, near ? "; did you mean " : "; see smilog list settings", near ? near : "",
                           near ? "?" : "");
    good = write_value(&text, o, v);
    if (good && text.n && o->arg && strcmp(o->arg, "FILE") == 0)
        write_path(&path, text.p);
    if (!good)
        smi_err_set(err, SMI_EUSAGE, "%.300s:%d: \"%s\" has to be %s", file.path, line, key, type_words(o));
    else if (file.n == SETTINGS)
        smi_err_set(err, SMI_EUSAGE, "%.300s: more than %d settings", file.path, SETTINGS);
    else {
        const struct smi_buf *b = path.n ? &path : &text;
        file.of[file.n] = (struct smi_file_setting){o, smi_arena_text(&file.texts, b->p, b->n), line};
        if (b->failed || !file.of[file.n++].text)
            smi_err_nomem(err);
    }
    smi_buf_fini(&text);
    smi_buf_fini(&path);
    return err->code ? -1 : 0;
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
    struct smi_buf text = {0};
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
    rc = smi_file_read_all(&text, file.path, MOST, err);
    json_object_foreach (object, key, v)
        if (!rc)
            rc = add_setting(&text, key, v, err);
    smi_buf_fini(&text);
    json_decref(object);
    return rc;
}

const char *smi_settings_file_path(void)
{
    return *file.path ? file.path : NULL;
}

const struct smi_file_setting *smi_settings_file_find(const char *name)
{
    for (size_t i = 0; i < file.n; i++)
        if (strcmp(file.of[i].opt->name, name) == 0)
            return &file.of[i];
    return NULL;
}

bool smi_settings_file_has(const char *text)
{
    for (size_t i = 0; i < file.n && text; i++)
        if (file.of[i].text == text)
            return true;
    return false;
}
