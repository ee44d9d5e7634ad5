#include "cli/merge_partials.h"

#include "base/file.h"
#include "cli/message.h"
#include "cli/warnings.h"
#include "export/stored.h"

#include <string.h>

enum { PIECE = 1 << 16 /* bytes that are written at once */ };

/* Where documents go. */
struct sink {
    struct smi_file_out file;
    const char *name;
    struct smi_buf held;
    struct smi_err err; /* of writing */
};

static int flush_output(struct sink *to)
{
    int rc = to->held.failed ? smi_err_nomem(&to->err)
                             : smi_file_write(to->file.fd, to->held.p, to->held.n, to->name, &to->err);
    smi_buf_clear(&to->held);
    return rc;
}

static int write_document(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct sink *to = self;
    smi_buf_add(&to->held, document->p, document->n);
    if (to->held.failed || (usable && to->held.n >= PIECE))
        return flush_output(to) ? smi_err_set(err, to->err.code, "%s", to->err.text) : 0;
    return 0;
}

/* Of the sweep nothing but its doubts is wanted: with a text, summaries are brief (smi_summary_brief). */
static void discard_warnings(struct smi_buf *to, const struct smi_summary *s)
{
    (void)to;
    (void)s;
}

int smi_merge_partials(const char *const *place, size_t n, const struct smi_settings *set)
{
    const char *path = set->output ? set->output : "-";
    struct sink to = {.name = strcmp(path, "-") == 0 ? "standard output" : path};
    struct smi_options o = set->o;
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_file_create(&to.file, path, &to.err), doubt = 0;
    if (rc)
        return smi_fail(&to.err, NULL);
    o.text = discard_warnings;
    rc = smi_stored_partial(&s, place, n, set->d.run, &o, write_document, &to, &err);
    if (!rc && flush_output(&to))
        rc = -1;
    rc |= smi_file_close(&to.file, !rc, &to.err);
    smi_buf_fini(&to.held);
    if (!err.code)
        doubt = smi_print_warnings(&s, set);
    if (!err.code)
        smi_sweep_fini(&s);
    if (rc)
        smi_fail(to.err.code ? &to.err : &err, NULL);
    return !rc ? doubt : to.err.code || err.code == SMI_ENOMEM ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
}
