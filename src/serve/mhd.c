#include "serve/mhd.h"

#include <dlfcn.h>
#include <string.h>

int smi_mhd_open(struct smi_mhd *m, struct smi_err *err)
{
    static const char *const names[] = {
#define SMI_MHD_CALL(name) "MHD_" #name,
        SMI_MHD_CALLS(SMI_MHD_CALL)
#undef SMI_MHD_CALL
    };
    const char *why;
    void **call[] = {
#define SMI_MHD_CALL(name) (void **)&m->name,
        SMI_MHD_CALLS(SMI_MHD_CALL)
#undef SMI_MHD_CALL
    };
    m->library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!m->library) {
        why = dlerror();
        if (!why) /* make static: its dlopen opens nothing, and says nothing */
            return smi_err_set(err, SMI_EUSAGE,
                               "--listen: this program was built without a server (make static)");
        return smi_err_set(err, SMI_EIO, "--listen wants libmicrohttpd (Debian: libmicrohttpd12): %s", why);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *at = dlsym(m->library, names[i]);
        if (!at) {
            smi_mhd_close(m);
            return smi_err_set(err, SMI_EIO, "--listen: this libmicrohttpd has no %s", names[i]);
        }
        memcpy(call[i], &at, sizeof at);
    }
    return 0;
}

void smi_mhd_close(struct smi_mhd *m)
{
    if (m->library)
        dlclose(m->library);
    m->library = NULL;
}
