#include "export/text_file.h"

#include "base/mem.h"

enum { PIECE = 1 << 16 /* bytes that are written at once */ };

int smi_text_file_open(struct smi_text_file *s, const char *where, struct smi_err *err)
{
    const char *name = strcmp(where, "-") == 0 ? "standard output" : where;
    *s = (struct smi_text_file){.name = smi_mem_text(name, strlen(name))};
    if (!s->name)
        return smi_err_nomem(err);
    if (smi_file_create(&s->file, where, err) == 0)
        return 0;
    smi_mem_free(s->name);
    return -1;
}

struct smi_text_target *smi_text_target_open(const char *where, size_t size, struct smi_err *err)
{
    struct smi_text_target *t = smi_mem_new(1, size);
    if (!t)
        smi_err_nomem(err);
    else if (smi_text_file_open(&t->sheet, where, err) == 0)
        return t;
    smi_mem_free(t);
    return NULL;
}

static int write_text(struct smi_text_file *s, struct smi_err *err)
{
    int rc =
        s->text.failed ? smi_err_nomem(err) : smi_file_write(s->file.fd, s->text.p, s->text.n, s->name, err);
    smi_buf_clear(&s->text);
    return rc;
}

int smi_text_file_flush(struct smi_text_file *s, struct smi_err *err)
{
    return s->text.n >= PIECE || s->text.failed ? write_text(s, err) : 0;
}

int smi_text_file_close(struct smi_text_file *s, bool keep, struct smi_err *err)
{
    int rc = keep ? write_text(s, err) : 0;
    rc = smi_file_close(&s->file, keep && !rc, err) || rc ? -1 : 0;
    smi_buf_fini(&s->text);
    smi_mem_free(s->name);
    return rc;
}

int smi_text_file_put(const char *where, struct smi_buf *text, struct smi_err *err)
{
    struct smi_text_file s;
    int rc = smi_text_file_open(&s, where, err);
    if (rc) {
        smi_buf_fini(text);
        return -1;
    }
    s.text = *text;
    *text = (struct smi_buf){0};
    return smi_text_file_close(&s, true, err);
}
