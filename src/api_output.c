/* api_output.c - include/smilog/output.h: texts, files, partial summaries. */
#include "api_private.h"

enum { RUNS = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES }; /* what the library writes of a sweep */

static struct smi_render_options rendering(const struct smilog_sweep *s)
{
    struct smi_render_options look = s->o->is->look;
    look.now_ms = smi_clock_utc_ms();
    return look;
}

static const struct smi_output *find_output(const char *format, const char *path, struct smi_err *err)
{
    const struct smi_output *out = format ? smi_output_find(format, RUNS) : smi_output_by_ending(path, RUNS);
    if (!out) {
        smi_err_set(err, SMI_EUSAGE,
                    format ? "there is no format %.60s" : "the ending of %.200s names no format",
                    format ? format : path);
        return NULL;
    }
    return out->load && out->load(err) ? NULL : out;
}

static int render(struct smilog_sweep *s, const struct smi_output *out, struct smi_buf *to,
                  struct smi_err *err)
{
    struct smi_render_options look = rendering(s);
    if (!out->write)
        return smi_err_set(err, SMI_EUSAGE, "%s cannot be written to memory: write a file", out->name);
    if (smi_output_timelines(&s->s, out, &look, err))
        return -1;
    out->write(to, &s->s, &look);
    return 0;
}

char *smilog_render(struct smilog_sweep *s, const char *format, size_t *n, struct smilog_error *err)
{
    struct smi_err own = {0};
    struct smi_buf b = {0};
    const struct smi_output *out = find_output(format, NULL, &own);
    int rc = out ? render(s, out, &b, &own) : -1;
    return smi_api_take_text(&b, rc, n, &own, err);
}

int smilog_write(struct smilog_sweep *s, const char *path, const char *format, struct smilog_error *err)
{
    struct smi_err own = {0};
    struct smi_render_options look = rendering(s);
    struct smi_buf b = {0};
    struct smi_file_out file;
    const struct smi_output *out = find_output(format, path, &own);
    int rc = out ? smi_file_create(&file, path, &own) : -1;
    if (rc)
        return smi_api_fail(err, &own);
    if (out->file) /* it writes a file by itself, and gets the name of the temporary one */
        rc = smi_output_timelines(&s->s, out, &look, &own) ||
             out->file(file.tmp ? file.tmp : file.path, &s->s, &look, &own);
    else
        rc = render(s, out, &b, &own) || smi_file_write(file.fd, b.p, b.n, path, &own);
    smi_buf_fini(&b);
    rc |= smi_file_close(&file, !rc, &own);
    return rc ? smi_api_fail(err, &own) : 0;
}

const char *smilog_output_name(size_t i)
{
    for (size_t k = 0; smi_outputs[k].name; k++)
        if (k == i && smi_outputs[k].of & RUNS)
            return smi_outputs[k].name;
    return NULL;
}

const char *smilog_output_help(size_t i)
{
    return smilog_output_name(i) ? smi_outputs[i].help : NULL;
}

/* ---- partial summaries ---- */

int smilog_partial_write(const char *const *path, size_t n, const struct smilog_options *o, const char *to,
                         struct smilog_error *err)
{
    struct smilog_options *own_options = smi_api_copy_options(o, err);
    struct smi_document_file out = {.documents = 0};
    struct smi_sweep s = {0};
    struct smi_err own = {0};
    int rc;
    if (!own_options)
        return -1;
    rc = smi_text_file_open(&out.file, to, &own);
    if (!rc) {
        rc = smi_sweep_documents(&s, path, n, &own_options->is->d, &own_options->is->o, smi_document_put,
                                 &out, &own);
        if (!rc && !s.usable)
            rc = smi_err_set(&own, SMI_EFORMAT, "no usable log in %.300s", n ? path[0] : "no path");
        if (!rc)
            smi_partial_write_end(&out.file.text, out.documents);
        rc = smi_text_file_close(&out.file, !rc, &own) || rc ? -1 : 0;
        smi_sweep_fini(&s);
    }
    smilog_options_free(own_options);
    return rc ? smi_api_fail(err, &own) : 0;
}
