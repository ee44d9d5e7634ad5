/* text_file.h - a text that is written as it is made: a file that is whole or not there, or standard output.
 */
#ifndef SMI_EXPORT_TEXT_FILE_H
#define SMI_EXPORT_TEXT_FILE_H

#include "export/export.h"
#include "base/file.h"

struct smi_text_file {
    struct smi_file_out file;
    struct smi_buf text; /* to be filled; goes out by smi_text_file_flush */
    char *name;
};

/* where: a path, or "-". Returns 0, or -1 with err. */
int smi_text_file_open(struct smi_text_file *s, const char *where, struct smi_err *err);
/* What a target that writes one text has in front. */
struct smi_text_target {
    struct smi_target_out base;
    struct smi_text_file sheet;
};
/* size: of the target; what is behind is zero. where: a path, or "-". Returns NULL with err. */
struct smi_text_target *smi_text_target_open(const char *where, size_t size, struct smi_err *err);
/* After every line: what is there goes out, once it is much. Returns 0, or -1 with err. */
int smi_text_file_flush(struct smi_text_file *s, struct smi_err *err);
/* keep: all of it goes out, and the file takes its place; else nothing of it is left. */
int smi_text_file_close(struct smi_text_file *s, bool keep, struct smi_err *err);

/* A whole text at once, which is ended. Returns 0, or -1 with err. */
int smi_text_file_put(const char *where, struct smi_buf *text, struct smi_err *err);

#endif
