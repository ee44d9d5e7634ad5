/* config.c - any bytes as a file beside a log: of parameters or facts, by its rank; what is
 * behind the last of these is the text of sacct. The first byte says which. */
#include "fuzz.h"

#include "sweep/config.h"

#include <string.h>

static ssize_t no_more(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    (void)self;
    (void)buf;
    (void)n;
    (void)err;
    return 0;
}

/* What every parameter and every fact is. Returns how many have a text. */
static size_t look_at(const struct smi_param *list, size_t n)
{
    size_t shown = 0;
    for (size_t i = 0; i < n; i++) {
        const struct smi_param *p = &list[i];
        const char *text = p->text ? p->text : "";
        shown += p->text != NULL;
        if (strlen(p->key) > SMI_CONFIG_TEXT || strlen(text) > SMI_CONFIG_TEXT || !*p->key)
            fuzz_stop("a text is taken for a parameter");
        if (!smi_text_is_utf8(smi_text_of(p->key)) || !smi_text_is_utf8(smi_text_of(text)))
            fuzz_stop("a parameter is not UTF-8");
        if (p->text && p->bare && !smi_text_is_bare(smi_text_of(text)))
            fuzz_stop("a value without quotes that JSON does not know");
        for (size_t k = 0; k < i; k++)
            if (strcmp(p->key, list[k].key) == 0)
                fuzz_stop("a key twice");
    }
    return shown;
}

static void look(const struct smi_config *c)
{
    size_t shown = look_at(c->param, c->n);
    if (shown > SMI_CONFIG_PARAMS || c->n - shown > SMI_CONFIG_PARAMS)
        fuzz_stop("too many parameters");
    if (look_at(c->fact, c->facts) > SMI_CONFIG_PARAMS)
        fuzz_stop("too many facts");
}

static void read_side_file(int rank, struct smi_text text, struct smi_arena *a)
{
    struct smi_byte_source end = {.read = no_more};
    struct smi_config c;
    smi_config_read(&c, rank, text, &end, a);
    look(&c);
}

static void read_jobs(struct smi_text text, struct smi_arena *a)
{
    const struct smi_job *job;
    size_t n;
    smi_jobs_read(text, a, &job, &n);
    for (size_t i = 0; i < n; i++) {
        if (i && strcmp(job[i - 1].id, job[i].id) >= 0)
            fuzz_stop("the ids of jobs do not grow");
        if (strlen(job[i].id) < 48 && smi_jobs_find(job, n, smi_text_of(job[i].id)) != &job[i])
            fuzz_stop("a job that is there is not found");
        if (job[i].exit_code < -1 || (!job[i].state && job[i].reason))
            fuzz_stop("an end that no job has");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smi_arena a = {0};
    struct smi_text text;
    int rank;
    if (!size)
        return 0;
    text = (struct smi_text){(const char *)data + 1, size - 1};
    rank = (*data & 127) % (SMI_CONFIG_FILES + 1);
    if (rank < SMI_CONFIG_FILES)
        read_side_file(rank, text, &a);
    else
        read_jobs(text, &a);
    smi_arena_fini(&a);
    return 0;
}
