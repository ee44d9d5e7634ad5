#include "cli/settings.h"

#include <limits.h>
#include <stdlib.h>

const struct smi_opt smi_opt_of_help = {"help", 'h', SMI_OPT_FLAG, 0, NULL, "Show this help", ""};

static const struct smi_opt options[] = {
#define SMI_OPTION(of, name, letter, kind, record, field, arg, help) \
    {name, letter, SMI_OPT_##kind, offsetof(struct record, field), arg, help, of},
#include "cli/option.def"
    {.name = NULL},
};

const struct smi_opt *smi_opt_next(const struct smi_cmd *cmd, const struct smi_opt *o)
{
    const char *group = cmd->groups + (o ? strcspn(cmd->groups, o->of) : 0);
    for (o = o ? o + 1 : options; *group; group++, o = options)
        for (; o->name; o++)
            if (strchr(o->of, *group))
                return o;
    return NULL;
}

static bool is_named(const struct smi_opt *o, struct smi_text name, char letter)
{
    return letter ? o->letter == letter : smi_text_is(name, o->name);
}

const struct smi_opt *smi_opt_find(const struct smi_cmd *cmd, struct smi_text name, char letter)
{
    const struct smi_opt *o = smi_opt_next(cmd, NULL);
    while (o && !is_named(o, name, letter))
        o = smi_opt_next(cmd, o);
    return o ? o : is_named(&smi_opt_of_help, name, letter) ? &smi_opt_of_help : NULL;
}

const char *smi_opt_nearest(const struct smi_cmd *cmd, const char *word, unsigned flag)
{
    const char *name[sizeof options / sizeof *options];
    size_t n = 0;
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(cmd, o));)
        if ((o->kind & flag) == flag)
            name[n++] = o->name;
    return smi_text_nearest(word, name, sizeof *name, n);
}

/* Commands and options of earlier versions, and what does the same now. */
static const struct {
    const char *name, *instead;
} removed[] = {
    {"--cache", "keep a partial summary of each part of the sweep (summarize --partial), and merge them"},
    {"subtrack", "use gpu-tracker sub-track of the package gpu_tracker"},
};

int smi_opt_fail_removed(const char *name, struct smi_err *err)
{
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (strcmp(removed[i].name, name) == 0)
            return smi_err_set(err, SMI_EUSAGE, "%s was removed: %s", name, removed[i].instead);
    return 0;
}

static int fail_unknown_option(const struct smi_cmd *cmd, const char *word, struct smi_err *err)
{
    const char *near;
    char name[64];
    size_t n = strcspn(word, "="), all = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, word, all);
    name[all] = 0;
    if (smi_opt_fail_removed(name, err))
        return -1;
    near = name[1] == '-' ? smi_opt_nearest(cmd, name + 2, 0) : NULL;
    if (near)
        return smi_err_set(err, SMI_EUSAGE, "unknown option %s; did you mean --%s?", name, near);
    return smi_err_set(err, SMI_EUSAGE, "unknown option %s", name);
}

/* The place of word in "auto|dir|file", or -1. */
static int find_word(const char *words, const char *word)
{
    size_t len = strlen(word), n;
    for (int i = 0;; i++) {
        n = strcspn(words, "|");
        if (n == len && memcmp(words, word, n) == 0)
            return i;
        if (!words[n])
            return -1;
        words += n + 1;
    }
}

static int parse_option_number(const struct smi_opt *o, const char *value, void *field, struct smi_err *err)
{
    int64_t v;
    size_t n = strlen(value), sign = n > 1 && value[n - 1] == '%' && strcmp(o->arg, "PCT") == 0;
    bool good = smi_text_parse_micro((struct smi_text){value, n - sign}, &v) == 0 && v >= 0;
    if (smi_opt_kind(o) == SMI_OPT_MICRO) {
        if (!good)
            return smi_err_set(err, SMI_EUSAGE, "--%s needs a number that is not negative, not \"%.60s\"",
                               o->name, value);
        *(int64_t *)field = v;
        return 0;
    }
    if (!good || v < 1000000 || v % 1000000 || v / 1000000 > INT_MAX)
        return smi_err_set(err, SMI_EUSAGE, "--%s needs a whole number from 1 on, not \"%.60s\"", o->name,
                           value);
    *(int *)field = (int)(v / 1000000);
    return 0;
}

int smi_opt_set(const struct smi_opt *o, const char *value, void *settings, struct smi_err *err)
{
    void *field = (char *)settings + o->offset;
    int i;
    switch (smi_opt_kind(o)) {
    case SMI_OPT_FLAG:
        *(bool *)field = true;
        return 0;
    case SMI_OPT_TEXT:
        *(const char **)field = value;
        return 0;
    case SMI_OPT_LIST:
        if (((struct smi_buf *)field)->n)
            smi_buf_char(field, ',');
        smi_buf_str(field, value);
        return 0;
    case SMI_OPT_EACH:
        smi_buf_add(field, value, strlen(value) + 1);
        return 0;
    case SMI_OPT_WORD:
        i = find_word(o->arg, value);
        if (i < 0)
            return smi_err_set(err, SMI_EUSAGE, "--%s is one of %s, not \"%.60s\"", o->name, o->arg, value);
        *(int *)field = i;
        return 0;
    default:
        return parse_option_number(o, value, field, err);
    }
}

/* One option at argv[*i]: finds its row and its value (behind '=', glued to the letter, or the next word). */
static int parse_one_option(const struct smi_cmd *cmd, int argc, char **argv, int *i, void *settings,
                            struct smi_err *err)
{
    const char *word = argv[*i], *value = NULL, *eq = strchr(word, '=');
    struct smi_file_setting *in_file;
    bool is_long = word[1] == '-';
    size_t n = eq ? (size_t)(eq - word) - 2 : strlen(word) - 2;
    const struct smi_opt *o = smi_opt_find(cmd, (struct smi_text){word + 2, n}, is_long ? 0 : word[1]);
    if (!o || (!is_long && smi_opt_kind(o) == SMI_OPT_FLAG && word[2]))
        return fail_unknown_option(cmd, word, err);
    if (o == &smi_opt_of_help)
        return 1;
    if ((in_file = smi_settings_file_find(o->name)))
        in_file->typed = true;
    if (is_long && eq)
        value = eq + 1;
    else if (!is_long && word[2])
        value = word + 2;
    if (smi_opt_kind(o) == SMI_OPT_FLAG)
        return value ? smi_err_set(err, SMI_EUSAGE, "--%s takes no value", o->name)
                     : smi_opt_set(o, NULL, settings, err);
    if (!value && *i + 1 >= argc)
        return smi_err_set(err, SMI_EUSAGE, "--%s needs a value: %s", o->name, o->arg);
    return smi_opt_set(o, value ? value : argv[++*i], settings, err);
}

/* Reads what the settings file says, before the options that are typed: these win. */
static int apply_settings_file(const struct smi_cmd *cmd, void *settings, struct smi_err *err)
{
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(cmd, o));) {
        const struct smi_file_setting *s;
        if (!(o->kind & SMI_OPT_SETTABLE))
            continue;
        if (smi_settings_file_load(err))
            return -1;
        s = smi_settings_file_find(o->name);
        if (s && smi_opt_set(o, s->text, settings, err))
            return -1;
    }
    return 0;
}

int smi_opt_parse(const struct smi_cmd *cmd, int *argc, char **argv, void *settings, struct smi_err *err)
{
    struct smi_err in_file = {0};
    int kept = 1, rc = 0;
    bool ended = false;
    apply_settings_file(cmd, settings, &in_file);
    in_file = smi_settings_name_source(&in_file); /* before it is known what is typed, too */
    for (int i = 1; i < *argc && !rc; i++) {
        if (ended || argv[i][0] != '-' || !argv[i][1]) {
            argv[kept++] = argv[i];
            ended |= cmd->rest;
        } else if (strcmp(argv[i], "--") == 0) {
            ended = true;
        } else {
            rc = parse_one_option(cmd, *argc, argv, &i, settings, err);
        }
    }
    *argc = kept;
    if (!rc && in_file.code)
        return smi_err_set(err, in_file.code, "%s", in_file.text);
    return rc;
}

void smi_opt_quote(struct smi_buf *to, const char *word, size_t n)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/=+,@%:-";
    size_t i = 0;
    while (i < n && strchr(plain, word[i]))
        i++;
    if (i == n && n) {
        smi_buf_add(to, word, n);
        return;
    }
    smi_buf_char(to, '\'');
    for (i = 0; i < n; i++)
        if (word[i] == '\'')
            smi_buf_str(to, "'\\''");
        else
            smi_buf_char(to, word[i]);
    smi_buf_char(to, '\'');
}

void smi_opt_write_value(struct smi_buf *to, const struct smi_opt *o, const void *settings)
{
    const void *field = (const char *)settings + o->offset;
    char t[SMI_MICRO_TEXT];
    const char *word = o->arg, *bar, *text;
    size_t n;
    switch (smi_opt_kind(o)) {
    case SMI_OPT_FLAG:
    case SMI_OPT_EACH:
        break;
    case SMI_OPT_COUNT:
        if (*(const int *)field)
            smi_buf_fmt(to, "%d", *(const int *)field);
        break;
    case SMI_OPT_TEXT:
        text = *(const char *const *)field;
        if (text)
            smi_opt_quote(to, text, strlen(text));
        break;
    case SMI_OPT_LIST:
        smi_opt_quote(to, ((const struct smi_buf *)field)->p, ((const struct smi_buf *)field)->n);
        break;
    case SMI_OPT_MICRO:
        n = smi_text_write_micro(t, *(const int64_t *)field);
        smi_opt_quote(to, t, n - (strcmp(t + n - 2, ".0") == 0 ? 2 : 0)); /* as it would be typed */
        break;
    default:
        for (int i = *(const int *)field; i > 0 && (bar = strchr(word, '|')); i--)
            word = bar + 1;
        smi_opt_quote(to, word, strcspn(word, "|"));
    }
}

void smi_opt_write_given(struct smi_buf *to, const char *groups, const void *settings, const void *defaults)
{
    static const size_t size[] = {
        sizeof(bool),    sizeof(char *), sizeof(struct smi_buf), sizeof(int),
        sizeof(int64_t), sizeof(int),    sizeof(struct smi_buf)}; /* as smi_opt_kind */
    const struct smi_cmd cmd = {.groups = groups};
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(&cmd, o));) {
        const char *field = (const char *)settings + o->offset;
        if (memcmp(field, (const char *)defaults + o->offset, size[smi_opt_kind(o)]) == 0)
            continue;
        smi_buf_fmt(to, " --%s%s", o->name, smi_opt_kind(o) == SMI_OPT_FLAG ? "" : " ");
        smi_opt_write_value(to, o, settings);
    }
}
