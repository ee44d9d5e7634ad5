#include "base/lazy.h"

#include <dlfcn.h>
#include <string.h>

static void try_it(struct smi_lazy *lib)
{
    void *handle = dlopen(lib->soname, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle ? NULL : dlerror();
    if (!handle)
        smi_err_set(&lib->failed, SMI_EIO, "%s cannot be had: %s", lib->name, why ? why : lib->soname);
    for (size_t i = 0; handle && i < lib->n && !lib->failed.code; i++) {
        void *f = dlsym(handle, lib->names[i]);
        if (!f)
            smi_err_set(&lib->failed, SMI_EIO, "%s has no function %s", lib->soname, lib->names[i]);
        memcpy((char *)lib->functions + i * sizeof f, &f, sizeof f);
    }
    lib->tried = true;
}

int smi_lazy_open(struct smi_lazy *lib, struct smi_err *err)
{
    pthread_mutex_lock(&lib->lock);
    if (!lib->tried)
        try_it(lib);
    pthread_mutex_unlock(&lib->lock);
    return lib->failed.code ? smi_err_set(err, lib->failed.code, "%s", lib->failed.text) : 0;
}
