#include "summary/summary.h"

#include "base/int128.h"
#include "summary/gpus.h"

#include <string.h>
#include <strings.h>

/* ---- what the user says ---- */

static int parse_price(int64_t *micro, const char *opt, struct smi_text t, struct smi_err *err)
{
    t = smi_text_trim(t);
    if (smi_text_parse_micro(t, micro) || *micro < 0 || *micro > SMI_PRICE_TOP * (int64_t)1000000)
        return smi_err_set(err, SMI_EUSAGE, "--%s needs a number from 0 to %d, not \"%.*s\"", opt,
                           SMI_PRICE_TOP, (int)(t.n < 60 ? t.n : 60), t.p);
    return 0;
}

int smi_price_number(int64_t *micro, const char *opt, const char *text, struct smi_err *err)
{
    return parse_price(micro, opt, smi_text_of(text), err);
}

static int add_price(struct smi_prices *p, const char *opt, struct smi_text item, struct smi_err *err)
{
    const char *eq = memchr(item.p, '=', item.n);
    struct smi_price *row = &p->gpu[p->n];
    struct smi_text rest = item;
    if (p->n == SMI_PRICES_MAX)
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d prices", opt, SMI_PRICES_MAX);
    *row = (struct smi_price){.model = {item.p, 0}};
    if (eq) {
        row->model = smi_text_trim((struct smi_text){item.p, (size_t)(eq - item.p)});
        rest = (struct smi_text){eq + 1, item.n - (size_t)(eq - item.p) - 1};
    }
    if (eq && row->model.n == 0)
        return smi_err_set(err, SMI_EUSAGE, "--%s: no model in front of \"%.*s\"; H100=2.49,A100=1.19 is one",
                           opt, (int)(item.n < 60 ? item.n : 60), item.p);
    for (size_t i = 0; i < p->n; i++)
        if (p->gpu[i].model.n == row->model.n &&
            strncasecmp(p->gpu[i].model.p, row->model.p, row->model.n) == 0)
            return smi_err_set(err, SMI_EUSAGE, "--%s: two prices for %.*s", opt,
                               (int)(row->model.n ? row->model.n < 60 ? row->model.n : 60 : 8),
                               row->model.n ? row->model.p : "all GPUs");
    p->n++;
    return parse_price(&row->micro, opt, rest, err);
}

int smi_currency_check(const char *word, struct smi_err *err)
{
    const size_t n = strlen(word);
    bool is = n > 0 && n <= 8 && smi_text_is_utf8(smi_text_of(word));
    for (size_t i = 0; is && i < n; i++)
        is = (word[i] & 0x80) || word[i] == '$' || ((word[i] | 32) >= 'a' && (word[i] | 32) <= 'z');
    return is ? 0 : smi_err_set(err, SMI_EUSAGE, "--currency needs a word such as EUR: not \"%.60s\"", word);
}

int smi_prices_read(struct smi_prices *p, const char *opt, const char *list, struct smi_err *err)
{
    for (const char *comma;; list = comma + 1) {
        comma = strchr(list, ',');
        if (add_price(p, opt, (struct smi_text){list, comma ? (size_t)(comma - list) : strlen(list)}, err))
            return -1;
        if (!comma)
            return 0;
    }
}

/* ---- what a run costs ---- */

bool smi_price_names(const struct smi_price *row, const char *name)
{
    for (name = name ? name : ""; strlen(name) >= row->model.n; name++)
        if (strncasecmp(name, row->model.p, row->model.n) == 0)
            return true;
    return false;
}

/* The row that says most of the name: an A100 is no A10. */
struct smi_value smi_price_of(const struct smi_prices *p, const char *name)
{
    const struct smi_price *best = NULL;
    for (size_t i = 0; p && i < p->n; i++)
        if (smi_price_names(&p->gpu[i], name) && (!best || p->gpu[i].model.n > best->model.n))
            best = &p->gpu[i];
    return (struct smi_value){best ? best->micro : 0, best != NULL};
}

/* All amounts are in parts of MONEY_UNIT of a millionth: ms x millionths an hour, and millionths of Wh x
 * millionths a kWh are both whole numbers of them. */
#define MONEY_UNIT ((smi_i128)9000000000)
enum { OF_GPU_TIME = 2500, OF_ENERGY = 9 };

static struct smi_value amount_value(smi_i128 parts, bool has)
{
    return has ? smi_value_wide(smi_i128_div(parts, MONEY_UNIT)) : (struct smi_value){0, false};
}

static void fill_money_values(const struct smi_money *m, struct smi_value *cost, struct smi_value wasted[6])
{
    smi_i128 sum = 0;
    for (int i = 0; i < 5; i++) {
        wasted[i] = amount_value(m->waste[i], m->timed);
        sum += m->waste[i];
    }
    wasted[5] = amount_value(sum, m->timed);
    *cost = amount_value(m->gpu + m->energy, m->whole);
}

void smi_price_run(struct smi_summary *s, const struct smi_prices *p)
{
    struct smi_money *m = &s->money;
    int64_t part[5];
    if (!p)
        return;
    m->asked = p->n > 0 || p->has_kwh;
    m->asked_co2 = p->has_co2;
    for (size_t i = 0; i < s->ngpus && p->n; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        m->unpriced += !g->price.has && g->covered_ms > 0;
        m->gpu += (smi_i128)g->covered_ms * g->price.micro * OF_GPU_TIME;
        smi_gpu_waste(s, g, part);
        for (int k = 0; k < 5; k++)
            m->waste[k] += (smi_i128)part[k] * g->price.micro * OF_GPU_TIME;
    }
    if (p->has_kwh && s->energy_wh.has)
        m->energy = (smi_i128)s->energy_wh.micro * p->kwh * OF_ENERGY;
    m->timed = p->n > 0 && m->unpriced == 0 && s->wasted_h[5].has;
    m->whole =
        m->asked && m->unpriced == 0 && (p->n == 0 || s->gpu_hours.has) && (!p->has_kwh || s->energy_wh.has);
    m->rest = m->gpu;
    for (int i = 0; i < 5; i++)
        m->rest -= m->waste[i];
    fill_money_values(m, &s->cost, s->wasted_cost);
    if (p->has_co2 && s->energy_wh.has)
        s->co2_g =
            smi_value_wide(smi_i128_div((smi_i128)s->energy_wh.micro * p->gco2, (smi_i128)1000 * 1000000));
}

void smi_price_add(struct smi_total *t, const struct smi_summary *s, const struct smi_shared *shared)
{
    const struct smi_money *m = &s->money;
    const smi_i128 wh = s->energy_wh.micro ? s->energy_wh.micro : 1;
    const int64_t co2 =
        s->co2_g.micro - (int64_t)smi_i128_div((smi_i128)s->co2_g.micro * shared->energy_micro, wh);
    struct smi_money *to = &t->money;
    smi_i128 wasted = 0;
    to->asked |= m->asked;
    to->asked_co2 |= m->asked_co2;
    t->of.cost += m->whole;
    t->of.wasted_cost += m->timed;
    t->of.both += m->whole && m->timed;
    t->of.co2 += s->co2_g.has;
    to->whole |= m->whole;
    to->timed |= m->timed;
    for (int i = 0; i < 5; i++) {
        wasted += shared->waste[i];
        to->waste[i] += m->timed ? m->waste[i] - shared->waste[i] * OF_GPU_TIME : 0;
    }
    if (m->whole) {
        to->gpu += m->gpu - shared->gpu * OF_GPU_TIME;
        to->rest += m->rest - (shared->gpu - wasted) * OF_GPU_TIME;
        to->energy += m->energy - m->energy / wh * shared->energy_micro;
    }
    if (s->co2_g.has && !__builtin_add_overflow(t->co2_g.micro, co2, &t->co2_g.micro))
        t->co2_g.has = true;
}

void smi_price_total(struct smi_total *t)
{
    fill_money_values(&t->money, &t->cost, t->wasted_cost);
}

void smi_price_split(const struct smi_money *m, struct smi_value *gpu, struct smi_value *energy)
{
    *gpu = amount_value(m->rest, m->whole && m->timed);
    *energy = amount_value(m->energy, m->whole && m->energy > 0);
}

struct smi_value smi_price_time(const struct smi_summary *s, const struct smi_gpu *gpu, int64_t gpu_ms)
{
    const struct smi_money *m = &s->money;
    if (gpu && gpu->price.has)
        return amount_value((smi_i128)gpu_ms * gpu->price.micro * OF_GPU_TIME, true);
    if (!m->timed || m->unpriced || s->covered_ms <= 0)
        return (struct smi_value){0, false};
    return amount_value(smi_i128_div(m->gpu, s->covered_ms) * gpu_ms, true);
}
