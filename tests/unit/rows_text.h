/* rows_text.h - a sink that writes the samples of a log as text, one line each, and counts them. */
#pragma once
#include "base/buf.h"
#include "model/device.h"
#include "model/line_account.h"
#include "rows_each.h"

#include <inttypes.h>

struct rows_text {
    struct smi_sink sink;
    struct smi_buf text;
    struct smi_account account;
    struct smi_devices devices;
};

static int rows_text_sample(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct rows_text *t = (struct rows_text *)self;
    (void)err;
    t->account.rows++;
    smi_buf_fmt(&t->text, "%s%" PRId64 " %d", s->timed ? (s->fine ? "f" : "t") : "-", s->t_ms, s->who);
    for (unsigned i = 0; i < s->n; i++)
        smi_buf_fmt(&t->text, " %s=%" PRId64, smi_metrics[s->metric[i]].key, s->v[i]);
    smi_buf_char(&t->text, '\n');
    return 0;
}

static int rows_text_add(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return rows_each(r, rows_text_sample, self, err);
}
