#include "base/libcurl.h"

#include "base/lazy.h"

#include <pthread.h>
#include <stdbool.h>

struct smi_libcurl smi_curl;

int smi_curl_open(struct smi_err *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool begun;
    int rc = smi_lazy_open(SMI_LIBCURL, &smi_curl, err);
    pthread_mutex_lock(&lock);
    if (!rc && !begun) {
        begun = smi_curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
        rc = begun ? 0 : smi_err_set(err, SMI_EIO, "libcurl cannot be started");
    }
    pthread_mutex_unlock(&lock);
    return rc;
}
