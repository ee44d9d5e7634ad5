#include "cli/warnings_prices.h"

#include <string.h>

enum { NAMES = 5 /* of GPUs that are told */ };

/* Names of GPUs, each once. */
struct names {
    const char *of[NAMES];
    size_t n, more; /* more: names beyond these, perhaps some twice */
    bool nameless;
};

static void add_model_name(struct names *l, const char *name)
{
    l->nameless |= !name;
    for (size_t i = 0; name && i < l->n; i++)
        if (strcmp(l->of[i], name) == 0)
            return;
    if (name && l->n < NAMES)
        l->of[l->n++] = name;
    else
        l->more += name != NULL;
}

static void write_model_names(struct smi_buf *to, const struct names *l)
{
    const char *comma = "";
    for (size_t i = 0; i < l->n; i++, comma = ", ") {
        smi_buf_str(to, comma);
        smi_buf_safe(to, smi_text_of(l->of[i]));
    }
    if (l->more)
        smi_buf_fmt(to, "%sothers", comma);
    if (l->nameless)
        smi_buf_fmt(to, "%sGPUs that no log names", l->more ? ", " : comma);
}

/* The GPUs of the sweep with time, all or those without a price. */
static void list_model_names(struct names *l, const struct smi_sweep *s, bool unpriced)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++) {
            const struct smi_gpu *g = &s->runs[i].gpus[k];
            if (!unpriced || (!g->price.has && g->covered_ms > 0))
                add_model_name(l, g->name);
        }
}

static bool has_model(const struct smi_sweep *s, const struct smi_price *row)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++)
            if (smi_price_names(row, s->runs[i].gpus[k].name))
                return true;
    return false;
}

static void warn_unmatched_price(struct smi_buf *to, const struct smi_price *row, const struct names *all)
{
    smi_buf_str(to, "smilog: warning: --price-gpu-hour ");
    smi_buf_safe(to, row->model);
    if (all->n) {
        smi_buf_str(to, ": no GPU has that in its name; there are ");
        write_model_names(to, all);
        smi_buf_char(to, '\n');
    } else {
        smi_buf_str(to,
                    ": no log names its GPUs; a number alone, as --price-gpu-hour 2, is for all of them\n");
    }
}

void smi_warn_prices(struct smi_buf *to, const struct smi_sweep *s, const struct smi_prices *p)
{
    struct names all = {0}, without = {0};
    bool told = false;
    list_model_names(&all, s, false);
    if (!all.n && !all.nameless)
        return;
    for (size_t i = 0; i < p->n; i++)
        if (p->gpu[i].model.n && !has_model(s, &p->gpu[i])) {
            warn_unmatched_price(to, &p->gpu[i], &all);
            told = true;
        }
    if (p->n)
        list_model_names(&without, s, true);
    if ((!without.n && !without.nameless) || (told && without.n == all.n && without.nameless == all.nameless))
        return; /* none, or they were listed above */
    smi_buf_str(to, "smilog: warning: without a price: ");
    write_model_names(to, &without);
    smi_buf_str(to, "; a number beside the models is for all others\n");
}
