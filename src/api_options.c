/* api_options.c - include/smilog/base.h and options.h: the error value, memory, options by name. */
#include "api_private.h"

#include "base/version.h"

enum {
    THREADS = 4, /* at most, unless the option says how many */
    MOST_THREADS = 1024,
    MOST_WIDTH = 10000, /* as of COLUMNS */
};

const char *smilog_version(void)
{
    return SMILOG_VERSION;
}

static void (*on_memory)(void);

static void call_on_memory(void *unused)
{
    (void)unused;
    on_memory();
}

void smilog_on_memory(void (*fn)(void))
{
    on_memory = fn;
    smi_mem_on_exhausted(fn ? call_on_memory : NULL, NULL);
}

void smilog_free(void *p)
{
    smi_mem_free(p);
}

/* ---- options ---- */

static const struct smi_cmd options = {.groups = "awqsi"};

void smi_api_name_options(char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    char *to = text;
    for (const char *p = text; *p; *to++ = *p++)
        if (strncmp(p, "--", 2) == 0 && (p == text || strchr(" (:", p[-1])) &&
            smi_opt_find(&options, (struct smi_text){p + 2, strspn(p + 2, letters)}, 0))
            p += 2;
    *to = 0;
}

int smi_api_fail(struct smilog_error *to, const struct smi_err *err)
{
    if (to && !to->code) {
        to->code = err->code;
        memcpy(to->text, err->text, sizeof to->text);
        smi_api_name_options(to->text);
    }
    return -1;
}

char *smi_api_take_text(struct smi_buf *b, int rc, size_t *n, struct smi_err *err, struct smilog_error *to)
{
    char *text = rc ? NULL : smi_mem_text(b->p ? b->p : "", b->n);
    if (n)
        *n = b->n;
    smi_buf_fini(b);
    if (!text)
        smi_api_fail(to, err);
    return text;
}

int smi_api_set(const struct smi_cmd *of, void *settings, const char *name, const char *value,
                struct smi_err *err)
{
    const struct smi_opt *o = smi_opt_find(of, smi_text_of(name), 0);
    if (!o || o == &smi_opt_of_help)
        return smi_err_set(err, SMI_EUSAGE, "there is no option %.60s", name);
    if (smi_opt_kind(o) == SMI_OPT_LIST) /* set again, it has the new value */
        smi_buf_clear((struct smi_buf *)((char *)settings + o->offset));
    if (smi_opt_kind(o) != SMI_OPT_FLAG)
        return smi_opt_set(o, value, settings, err);
    if (strcmp(value, "true") == 0)
        return smi_opt_set(o, NULL, settings, err);
    return strcmp(value, "false") == 0
               ? 0
               : smi_err_set(err, SMI_EUSAGE, "%s is true or false, not \"%.60s\"", name, value);
}

/* Fills o->is from the options that were set. */
static int apply_options(struct smilog_options *o, struct smi_err *err)
{
    struct smi_settings *s = o->is;
    for (size_t i = 0; i < o->n; i++)
        if (smi_api_set(&options, o->is, o->set[i].name, o->set[i].value, err))
            return -1;
    if (s->threads > MOST_THREADS)
        return smi_err_set(err, SMI_EUSAGE, "threads needs a number from 1 to %d", MOST_THREADS);
    if (s->look.width > MOST_WIDTH)
        return smi_err_set(err, SMI_EUSAGE, "width needs a number from 1 to %d", MOST_WIDTH);
    s->of = 0;
    if (smi_settings_check(s, err))
        return -1;
    if (!s->threads && s->d.threads > THREADS)
        s->d.threads = THREADS;
    s->o.text = NULL;
    s->o.skip_series = 0;
    s->look.utf8 = true;
    s->look.given = "";
    return 0;
}

/* A copy of o, which may be NULL, with one option more, if name is not NULL. NULL with err. */
static struct smilog_options *copy_options(const struct smilog_options *o, const char *name,
                                           const char *value, struct smi_err *err)
{
    struct smilog_options *copy = smi_mem_new(1, sizeof *copy);
    const size_t old = o ? o->n : 0;
    copy->is = smi_mem_new(1, sizeof *copy->is);
    copy->set = smi_mem_new(old + 1, sizeof *copy->set);
    smi_settings_init(copy->is);
    for (size_t i = 0; i <= old; i++) {
        const struct smi_api_option as = i < old ? o->set[i] : (struct smi_api_option){name, value};
        if (!as.name || (i < old && name && strcmp(as.name, name) == 0))
            continue;
        copy->set[copy->n++] =
            (struct smi_api_option){smi_arena_text(&copy->arena, as.name, strlen(as.name)),
                                    smi_arena_text(&copy->arena, as.value, strlen(as.value))};
    }
    if (apply_options(copy, err) == 0)
        return copy;
    smilog_options_free(copy);
    return NULL;
}

struct smilog_options *smilog_options_new(void)
{
    return copy_options(NULL, NULL, NULL, &(struct smi_err){0});
}

int smilog_options_set(struct smilog_options *o, const char *name, const char *value,
                       struct smilog_error *err)
{
    struct smi_err own_err = {0};
    struct smilog_options *next = copy_options(o, name, value, &own_err), old = *o;
    if (!next) /* a value that is refused changes nothing */
        return smi_api_fail(err, &own_err);
    *o = *next;
    *next = old;
    smilog_options_free(next);
    return 0;
}

struct smilog_options *smi_api_copy_options(const struct smilog_options *o, struct smilog_error *err)
{
    struct smi_err own_err = {0};
    struct smilog_options *copy = copy_options(o, NULL, NULL, &own_err);
    if (!copy)
        smi_api_fail(err, &own_err);
    return copy;
}

void smilog_options_free(struct smilog_options *o)
{
    if (!o)
        return;
    smi_settings_fini(o->is);
    smi_mem_free(o->is);
    smi_arena_fini(&o->arena);
    smi_mem_free(o->set);
    smi_mem_free(o);
}
