#include "formats/amd_columns.h"

#include "formats/format.h"

#include <string.h>

enum { FRONT = 48, CARD_DIGITS = 6, MODEL = SMI_AT_INFO, OTHER_MODEL };

int smi_rocm_card(struct smi_text t, struct smi_text *number)
{
    if (t.n < 5 || memcmp(t.p, "card", 4) != 0)
        return -1;
    *number = (struct smi_text){t.p + 4, t.n - 4};
    return smi_cell_digits(*number, CARD_DIGITS) < 0 ? -1 : 0;
}

/* ---- rows ---- */

void smi_rocm_plan_init(struct smi_row_plan *p, size_t width)
{
    smi_row_plan_init(p, width);
    p->all = true;
    smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, 0);
}

/* Two columns can tell the model. */
void smi_rocm_plan_add(struct smi_row_plan *p, const struct smi_alias *a, size_t place)
{
    if (a->kind == SMI_COL_NAME)
        smi_row_plan_add(p, SMI_COL_PLACE, p->at[MODEL] < 0 ? MODEL : OTHER_MODEL, 0, place);
    else
        smi_row_plan_add(p, a->kind, a->what, a->how, place);
}

int smi_rocm_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const struct smi_rocm *r = (const struct smi_rocm *)row;
    s->timed = r->timed;
    s->fine = r->fine;
    s->t_ms = r->t_ms;
    return 0;
}

struct smi_text smi_rocm_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    struct smi_text none = {NULL, 0}, number = none;
    (void)r;
    if (key == SMI_DEVICE_KEY_INDEX)
        return smi_rocm_card(cell, &number) ? none : number;
    return smi_amd_missing(cell) ? none : cell;
}

/* Models that the driver does not know are numbers: "0x744c". */
int smi_rocm_name_device(struct smi_row_reader *r, int who, struct smi_err *err)
{
    (void)err;
    for (unsigned at = MODEL; at <= OTHER_MODEL; at++) {
        struct smi_text name = smi_row_text(r, at);
        if (who >= 0 && !r->lines.devices->list[who].name && !smi_amd_missing(name) &&
            !smi_text_starts_nocase(name, "0x"))
            smi_devices_set_name(r->lines.devices, who, name);
    }
    return 0;
}

/* ---- times in front ---- */

static bool separates_time(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

const char *smi_rocm_find_behind_time(struct smi_text line, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i <= FRONT && i + n <= line.n; i++)
        if ((i == 0 || separates_time(line.p[i - 1])) && memcmp(line.p + i, what, n) == 0)
            return line.p + i;
    return NULL;
}

static struct smi_text text_in_front(struct smi_text line, const char *at)
{
    struct smi_text t = {line.p, (size_t)(at - line.p)};
    while (t.n && separates_time(t.p[t.n - 1]))
        t.n--;
    while (t.n && separates_time(*t.p)) {
        t.p++;
        t.n--;
    }
    return t;
}

enum smi_stamp_form smi_rocm_front(struct smi_text line, const char *at)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    return smi_stamp_read(&c, text_in_front(line, at), &s) ? SMI_STAMP_UNKNOWN : c.form;
}

/* A number in front is one of the line rather than seconds since the beginning. */
static int take_first_time(struct smi_rocm *r, struct smi_text line, const char *at, struct smi_sample *s)
{
    struct smi_text t = text_in_front(line, at);
    switch (smi_rocm_front(line, at)) {
    case SMI_STAMP_UNKNOWN:
        return -1;
    case SMI_STAMP_ELAPSED:
        return smi_row_untimed(&r->row, t);
    default:
        return smi_row_time(&r->row, t, false, s);
    }
}

int smi_rocm_take_time(struct smi_rocm *r, struct smi_text line, const char *at)
{
    struct smi_text t = text_in_front(line, at);
    struct smi_sample s = {0};
    int rc = !t.n                ? 0
             : r->row.clock.form ? smi_row_time(&r->row, t, false, &s)
                                 : take_first_time(r, line, at, &s);
    r->timed = s.timed;
    r->fine = s.fine;
    r->t_ms = s.t_ms;
    return rc;
}

int smi_rocm_count_message(struct smi_row_reader *row, struct smi_text line, struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    int rc = smi_row_message(row, t, err);
    if (rc || !t.n || !smi_is_digit(*t.p))
        return rc;
    while (t.n && (separates_time(*t.p) || memchr("0123456789-+:./TZ", *t.p, 17))) {
        t.p++;
        t.n--;
    }
    if (t.n)
        return smi_message_count(row->lines.account, t);
    if (smi_stamp_read(&c, text_in_front(line, line.p + line.n), &at) || at.base >= SMI_TIME_BASE_DAY)
        return 0; /* a row's end */
    row->lines.account->messages++;
    return 1;
}
