/* mhd.h - libmicrohttpd, opened when a server is wanted: linked, it would cost every start of the program 2
 * to 3 ms, since gnutls comes with it. */
#ifndef SMI_SERVE_MHD_H
#define SMI_SERVE_MHD_H

#include "base/err.h"

#include <microhttpd.h>

/* Its calls that are used, by their names without MHD_ in front; their types are those of its header. */
#define SMI_MHD_CALLS(CALL)                              \
    CALL(start_daemon)                                   \
    CALL(stop_daemon)                                    \
    CALL(run)                                            \
    CALL(get_timeout)                                    \
    CALL(get_daemon_info)                                \
    CALL(get_connection_info)                            \
    CALL(get_connection_values)                          \
    CALL(lookup_connection_value)                        \
    CALL(suspend_connection)                             \
    CALL(resume_connection)                              \
    CALL(create_response_from_buffer_with_free_callback) \
    CALL(create_response_from_callback)                  \
    CALL(add_response_header)                            \
    CALL(queue_response)                                 \
    CALL(destroy_response)

struct smi_mhd {
#define SMI_MHD_CALL(name) __typeof__(MHD_##name) *name;
    SMI_MHD_CALLS(SMI_MHD_CALL)
#undef SMI_MHD_CALL
    void *library;
};

/* Opens the library. Returns 0, or -1 with err SMI_EIO: it is not there, or the program is linked statically.
 */
int smi_mhd_open(struct smi_mhd *m, struct smi_err *err);
void smi_mhd_close(struct smi_mhd *m);

#endif
