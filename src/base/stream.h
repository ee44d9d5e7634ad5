/* stream.h - the bytes of a log, however it is kept: unpacked, and as UTF-8. Flat memory. */
#ifndef SMI_BASE_STREAM_H
#define SMI_BASE_STREAM_H

#include "base/container.h"
#include "base/byte_source.h"

#include <stdbool.h>

struct smi_stream; /* opaque */

/* Looks at the first bytes of `from` (borrowed, read from where it is) and puts in between what is needed:
 * one decoder, then UTF-16 to UTF-8, or W&B's records to lines. Returns NULL with err: it cannot be read, or
 * memory. */
struct smi_stream *smi_stream_open(struct smi_byte_source *from, struct smi_err *err);
/* Nothing stands between: read gives the bytes of `from` as they are. */
bool smi_stream_is_plain(const struct smi_stream *s);
/* What the bytes to be read are: SMI_CONTAINER_PLAIN, an archive, or packed twice over (not decoded again).
 */
enum smi_container smi_stream_content(const struct smi_stream *s);
struct smi_byte_source *smi_stream_source(struct smi_stream *s);
/* Like read(2): up to n bytes, 0 at the end, -1 with err (SMI_ELIMIT: a bomb, see decode.h). */
ssize_t smi_stream_read(struct smi_stream *s, void *buf, size_t n, struct smi_err *err);
/* After the end: why it is not the one that was meant, or NULL. Borrowed. */
const char *smi_stream_warning(const struct smi_stream *s);
void smi_stream_close(struct smi_stream *s);

#endif
