/* config.c - any bytes as a file of parameters. The first byte says which: config.json, config.yaml, Hydra's
 * overrides, job_info.yaml; from 128 on memory fails somewhere. */
#include "fuzz.h"

#include "sweep/config.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fuzz_fail_init();
    return 0;
}

static ssize_t no_more(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    (void)self;
    (void)buf;
    (void)n;
    (void)err;
    return 0;
}

static void look(const struct smi_config *c)
{
    size_t shown = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct smi_param *p = &c->param[i];
        const char *text = p->text ? p->text : "";
        shown += p->text != NULL;
        if (strlen(p->key) > SMI_CONFIG_TEXT || strlen(text) > SMI_CONFIG_TEXT || !*p->key)
            fuzz_stop("a text is taken for a parameter");
        if (!smi_text_is_utf8(smi_text_of(p->key)) || !smi_text_is_utf8(smi_text_of(text)))
            fuzz_stop("a parameter is not UTF-8");
        if (p->text && p->bare && !smi_text_is_bare(smi_text_of(text)))
            fuzz_stop("a value without quotes that JSON does not know");
        for (size_t k = 0; k < i; k++)
            if (strcmp(p->key, c->param[k].key) == 0)
                fuzz_stop("a key twice");
    }
    if (shown > SMI_CONFIG_PARAMS || c->n - shown > SMI_CONFIG_PARAMS)
        fuzz_stop("too many parameters");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"config.json", "config.yaml", SMI_CONFIG_HYDRA, "job_info.yaml"};
    struct smi_byte_source end = {.read = no_more};
    struct smi_arena a = {0};
    struct smi_config c;
    struct smi_err err = {0};
    struct smi_text text;
    int rc;
    if (!size)
        return 0;
    text = (struct smi_text){(const char *)data + 1, size - 1};
    if (*data >= 128)
        fuzz_fail_arm(fuzz_hash(data, size));
    rc = smi_config_read(&c, smi_config_rank(names[*data & 3]), text, &end, &a, &err);
    if (!fuzz_fail_disarm() && rc)
        fuzz_stop("no memory, and no reason for it");
    if (rc == 0)
        look(&c);
    smi_arena_fini(&a);
    return 0;
}
