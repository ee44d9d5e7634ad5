/* Phases in which programs are compiled, told by their names: users write them as they like. */
#include "summary/finding_check_private.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORD = 32 };

static const char *const words[] = {"compile",     "compiles",      "compiled",   "compiling",
                                    "compiler",    "compilation",   "precompile", "recompile",
                                    "recompiling", "recompilation", "jit",        "autotune",
                                    "autotuned",   "autotuning",    "warmup",     NULL};

const char *const *smi_rule_words(int rule)
{
    return rule == SMI_RULE_COMPILE ? words : NULL;
}

/* Does a word end between a and b? "jit_fit", "jitFit", "JITFit", "fit2": names are cut where their writer
 * cut them. */
static bool is_word_edge(unsigned char a, unsigned char b, unsigned char behind)
{
    if (!isalpha(a) || !isalpha(b))
        return a < 0x80 && b < 0x80;
    return (islower(a) && isupper(b)) || (isupper(a) && isupper(b) && islower(behind));
}

/* The next word of a name, without what stands between words; "" at the end. */
static const char *next_word(const char *p, char word[WORD])
{
    size_t n = 0;
    while (*p && (unsigned char)*p < 0x80 && !isalpha((unsigned char)*p))
        p++;
    for (; *p; p++) {
        word[n] = *p;
        n += n + 1 < WORD; /* a longer one is none of ours */
        if (!p[1] || is_word_edge((unsigned char)*p, (unsigned char)p[1], (unsigned char)p[2]))
            break;
    }
    word[n] = 0;
    return *p ? p + 1 : p;
}

static bool is_listed(const char *word)
{
    for (size_t i = 0; words[i]; i++)
        if ((*word | 32) == *words[i] &&
            strcasecmp(word, words[i]) == 0) /* most differ in their first letter */
            return true;
    return false;
}

/* Is a whole word of the name one of ours? A warmup may be that of the learning rate too: it has to be the
 * whole name, or to stand beside one of the others. */
static bool name_means_compiling(const char *name)
{
    char word[WORD] = "", last[WORD];
    size_t others = 0, warm = 0;
    for (;;) {
        strcpy(last, word);
        name = next_word(name, word);
        if (!*word)
            break;
        if (strcasecmp(word, "warmup") == 0 || (strcasecmp(word, "up") == 0 && strcasecmp(last, "warm") == 0))
            warm++;
        else if (is_listed(word))
            return true;
        else
            others += strcasecmp(word, "warm") != 0;
    }
    return warm && !others;
}

/* A fifth of a run is more than a start: shapes that change, or a cache that is missing. */
SMI_RULE_CHECK(compile)
{
    const struct smi_summary *s = j->s;
    for (size_t i = 0; i < s->nphases && s->duration_s.has && s->duration_s.micro > 0; i++) {
        const struct smi_phase_summary *p = &s->phases[i];
        struct smi_finding_draft one;
        if (!p->seconds.has || !name_means_compiling(p->name))
            continue;
        one = smi_finding_new(j, (enum smi_rule_id)d->f.rule, NULL);
        one.f.gpu_ms = (int64_t)smi_i128_div((smi_i128)s->covered_ms * p->seconds.micro, s->duration_s.micro);
        one.f.value = smi_value_ratio((smi_i128)p->seconds.micro * 100 * 1000000, s->duration_s.micro);
        one.f.seconds = p->seconds;
        one.f.has_from = false;
        one.f.phase = p->name;
        if (smi_finding_breaks_limit(j, &one.f))
            smi_finding_add(j, &one);
    }
    return false;
}
