/* listen.h - what live and follow tell other programs: the server of --listen, the file of --textfile. */
#ifndef SMI_FRONT_LISTEN_H
#define SMI_FRONT_LISTEN_H

#include "serve/serve.h"

/* Opens the server of --listen (o->listen NULL: *s becomes NULL), and says on standard error where it is if that was
 * left to the system, and that others can reach it if they can. Returns 0, or -1 with err. */
int smi_front_listen(struct smi_serve **s, const struct smi_serve_opts *o, struct smi_err *err);
/* Writes a file for node_exporter, beside and renamed; a failure becomes an event of n. */
void smi_front_textfile(const char *path, struct smi_now *n, const struct smi_expose *e);

#endif
