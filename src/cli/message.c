/* message.c - one sentence of an error, or one text, and the status for the shell. */
#include "cli/message.h"

#include "base/file.h"

int smi_fail(const struct smi_err *err, const char *cmd)
{
    struct smi_buf b = {0};
    smi_buf_str(&b, "smilog: ");
    smi_buf_safe(&b, smi_text_of(err->text));
    smi_buf_char(&b, '\n');
    if (err->code == SMI_EUSAGE && cmd)
        smi_buf_fmt(&b, "try: smilog help%s%s\n", *cmd ? " " : "", cmd);
    if (b.n)
        smi_file_write(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
    return err->code == SMI_EUSAGE ? SMI_EXIT_USAGE : SMI_EXIT_OUTPUT;
}

int smi_print(struct smi_buf *b)
{
    struct smi_err err = {0};
    int rc = b->failed ? smi_err_nomem(&err) : smi_file_write(1, b->p, b->n, "standard output", &err);
    smi_buf_fini(b);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}
