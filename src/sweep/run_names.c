#include "sweep/run_names.h"

#include "base/buf.h"

#include <string.h>

enum { SHORT = 8 /* bytes: where no name is longer, all stay whole */ };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "0.1", "1e-4" */
static bool is_in_number(const char *name, size_t at)
{
    if (!at || !is_digit(name[at + 1]))
        return false;
    return name[at] == '.'
               ? is_digit(name[at - 1])
               : name[at] == '-' && at > 1 && (name[at - 1] | 32) == 'e' && is_digit(name[at - 2]);
}

bool smi_name_ends_token(const char *name, size_t at)
{
    if (!name[at] || !strchr("/, _-.", name[at]))
        return false;
    return !is_in_number(name, at);
}

static size_t common_front(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] && a[n] == b[n])
        n++;
    return n;
}

static size_t common_back(const char *a, const char *b, size_t most)
{
    size_t la = strlen(a), lb = strlen(b), n = 0;
    while (n < most && n < la && n < lb && a[la - 1 - n] == b[lb - 1 - n])
        n++;
    return n;
}

int smi_sweep_frame_names(struct smi_sweep *s)
{
    const char *first = s->n ? s->runs[0].run : "";
    size_t len = strlen(first), least = len, longest = len, front, back;
    for (size_t i = 1; i < s->n; i++) {
        size_t n = strlen(s->runs[i].run);
        least = n < least ? n : least;
        longest = n > longest ? n : longest;
    }
    front = back = s->n > 1 && longest > SHORT ? least : 0;
    for (size_t i = 1; i < s->n && front; i++)
        front = common_front(first, s->runs[i].run, front);
    while (front && (front == least || !smi_name_ends_token(first, front - 1)))
        front--;
    back = back ? least - front - 1 : 0; /* of the shortest name something is left */
    for (size_t i = 1; i < s->n && back; i++)
        back = common_back(first, s->runs[i].run, back);
    while (back && !smi_name_ends_token(first, len - back))
        back--;
    s->name_prefix = smi_arena_text(&s->arena, first, front);
    s->name_suffix = smi_arena_text(&s->arena, first + len - back, back);
    return s->name_prefix && s->name_suffix ? 0 : -1;
}

const char *smi_run_short_name(const struct smi_sweep *s, const char *name, size_t *n)
{
    const size_t front = s->name_prefix ? strlen(s->name_prefix) : 0, all = strlen(name);
    *n = all - front - (s->name_suffix ? strlen(s->name_suffix) : 0);
    return name + front;
}
