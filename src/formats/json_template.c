#include "formats/json_template.h"

#include <string.h>

enum { WORD = 8, MISSED = 4096 };

/* Does the text of the shape stand at p? Its words are readable there. */
static inline bool template_matches(const struct smi_json_template *s, const char *p)
{
    uint64_t a, b, other = 0;
    unsigned i;
    for (i = 0; i + 1 < s->words; i++) {
        memcpy(&a, s->text + WORD * i, WORD);
        memcpy(&b, p + WORD * i, WORD);
        other |= a ^ b;
    }
    memcpy(&a, s->text + WORD * i, WORD);
    memcpy(&b, p + WORD * i, WORD);
    return (other | (a ^ (b & s->mask))) == 0;
}

/* The way on from `at`, one of those beginning with node k; or NULL. */
static inline const struct smi_json_template *find_candidate_path(const struct smi_json_templates *s,
                                                                  unsigned k, const char *at, const char *end)
{
    for (; k; k = s->node[k].next) {
        const struct smi_json_template *c = &s->node[k];
        if (end - at >= WORD * (ptrdiff_t)c->words && template_matches(c, at))
            return c;
    }
    return NULL;
}

size_t smi_json_templates_read(const struct smi_json_templates *s, const char *p, size_t n,
                               struct smi_json_values *v, smi_json_template_roles role)
{
    const char *at = p, *end = p + n;
    const struct smi_json_template *c;
    memset(role, -1, SMI_JSON_TEMPLATE_ROLES);
    v->n = 0;
    v->used = 0;
    for (unsigned k = s->first; (c = find_candidate_path(s, k, at, end));) {
        struct smi_field *f = &v->field[v->n];
        const char *behind;
        if (c->fixed.key.p) {
            role[c->fixed_role] = (int8_t)v->n;
            *f++ = c->fixed;
        }
        if (c->last) {
            v->n = (unsigned)(f - v->field);
            return (size_t)(at + c->n - p);
        }
        *f = c->value;
        behind = c->value.quoted ? smi_json_fast_string(v, at + c->n, end, &f->text)
                                 : smi_json_fast_bare(at + c->n, end, f);
        k = behind ? c->child
                   : c->next; /* a string where others have a number, whose shape lacks the quote only */
        if (behind) {
            role[c->role] = (int8_t)(f - v->field);
            v->n = (unsigned)(f - v->field) + 1;
            at = behind;
        } else if (c->fixed.key.p) {
            role[c->fixed_role] = -1;
        }
    }
    return 0;
}

/* ---- learning ---- */

/* Is a among the ways that begin with node *k? Then *k is its node; else where its number belongs. */
static uint8_t *find_template(struct smi_json_templates *s, uint8_t *k, const struct smi_json_template *a)
{
    for (; *k; k = &s->node[*k].next) {
        const struct smi_json_template *b = &s->node[*k];
        if (a->n == b->n && memcmp(a->text, b->text, a->n) == 0 && a->value.quoted == b->value.quoted &&
            a->last == b->last)
            break;
    }
    return k;
}

/* The text of n bytes at p. Returns whether there is room for it. */
static bool set_text(struct smi_json_template *a, const char *p, size_t n)
{
    if (n == 0 || n > SMI_JSON_TEMPLATE_TEXT)
        return false;
    memcpy(a->text, p, n);
    a->n = (uint8_t)n;
    a->words = (uint8_t)((n + WORD - 1) / WORD);
    memset(&a->mask, 0, sizeof a->mask);
    memset(&a->mask, 0xFF, n - WORD * (a->words - 1u));
    return true;
}

/* The shape that begins at `from` and ends in front of field i, or with the line. `fixed` of its values is
 * not one. */
static bool make_template(struct smi_json_template *a, const char *from, const char *end,
                          const struct smi_json_values *v, unsigned i, int fixed)
{
    const char *to = i < v->n ? v->raw[i].p : end;
    *a = (struct smi_json_template){.last = i == v->n};
    if (!set_text(a, from, (size_t)(to - from)))
        return false;
    if (i < v->n)
        a->value = (struct smi_field){
            .key = v->field[i].key, .quoted = v->field[i].quoted, .in_data = v->field[i].in_data};
    if (fixed >= 0)
        a->fixed = v->field[fixed];
    return true;
}

/* A copy of the shape whose text stood at `from`, and which speaks of its own text. */
static void copy_template(struct smi_json_template *to, const struct smi_json_template *a, const char *from)
{
    *to = *a;
    if (a->value.key.p)
        to->value.key.p = to->text + (a->value.key.p - from);
    if (a->fixed.key.p) {
        to->fixed.key.p = to->text + (a->fixed.key.p - from);
        to->fixed.text.p = to->text + (a->fixed.text.p - from);
    }
}

void smi_json_templates_learn(struct smi_json_templates *s, const char *p, size_t n,
                              const struct smi_json_values *v, const uint8_t role[SMI_JSON_VALUES], int fixed)
{
    const char *from = p;
    uint8_t *k = &s->first;
    struct smi_json_template a;
    if (fixed >= 0 && (v->field[fixed].text.p != v->raw[fixed].p || v->raw[fixed].n == 0))
        fixed = -1; /* with escapes */
    for (unsigned i = 0; i <= v->n; i++) {
        int skip = i < v->n && (int)i == fixed ? fixed : -1;
        i += skip >= 0;
        if (!make_template(&a, from, p + n, v, i, skip))
            return;
        if (skip >= 0)
            a.fixed_role = role[skip];
        if (i < v->n)
            a.role = role[i];
        k = find_template(s, k, &a);
        if (!*k && s->n == SMI_JSON_TEMPLATE_NODES) {
            if (++s->missed == MISSED) /* lines are others now */
                memset(s, 0, sizeof *s);
            return;
        }
        if (!*k) {
            *k = (uint8_t)++s->n;
            copy_template(&s->node[*k], &a, from);
        }
        k = &s->node[*k].child;
        from = i < v->n ? v->raw[i].p + v->raw[i].n : p + n;
    }
}
