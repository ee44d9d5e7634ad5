/* lazy.c - libraries that are opened when they are first used. */
#include "base/lazy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define SMI_ARCHIVE(name) #name,
static const char *const of_libarchive[] = {
#include "base/lazy.def"
};
#define SMI_XLSX(name) #name,
static const char *const of_libxlsxwriter[] = {
#include "base/lazy.def"
};
#define SMI_HTTPD(name) #name,
static const char *const of_libmicrohttpd[] = {
#include "base/lazy.def"
};
#define SMI_CURL(name) #name,
static const char *const of_libcurl[] = {
#include "base/lazy.def"
};

#define FUNCTIONS(names) names, sizeof names / sizeof *names
/* By the names that they have on the build machine, whose headers say how they are called. */
static const struct smi_library libraries[SMI_LAZY_COUNT] = {
    [SMI_LIBARCHIVE] = {"libarchive", SMI_SO_ARCHIVE, FUNCTIONS(of_libarchive)},
    [SMI_LIBXLSXWRITER] = {"libxlsxwriter", SMI_SO_XLSXWRITER, FUNCTIONS(of_libxlsxwriter)},
    [SMI_LIBMICROHTTPD] = {"libmicrohttpd", SMI_SO_MICROHTTPD, FUNCTIONS(of_libmicrohttpd)},
    [SMI_LIBCURL] = {"libcurl", SMI_SO_CURL, FUNCTIONS(of_libcurl)},
};

int smi_library_load(const struct smi_library *lib, void *functions, struct smi_err *err)
{
    void *handle = dlopen(lib->soname, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle ? NULL : dlerror();
    if (!handle)
        return smi_err_set(err, SMI_EIO, "%s cannot be had: %s", lib->name, why ? why : lib->soname);
    for (size_t i = 0; i < lib->n; i++) {
        void *f = dlsym(handle, lib->function[i]);
        if (!f)
            return smi_err_set(err, SMI_EIO, "%s has no function %s", lib->soname, lib->function[i]);
        memcpy((char *)functions + i * sizeof f, &f, sizeof f);
    }
    return 0;
}

int smi_lazy_open(enum smi_lazy library, void *functions, struct smi_err *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        bool tried;
        struct smi_err failed;
    } state[SMI_LAZY_COUNT];
    struct smi_err *failed = &state[library].failed;
    pthread_mutex_lock(&lock);
    if (!state[library].tried)
        smi_library_load(&libraries[library], functions, failed);
    state[library].tried = true;
    pthread_mutex_unlock(&lock);
    return failed->code ? smi_err_set(err, failed->code, "%s", failed->text) : 0;
}

struct smi_libarchive smi_la;

int smi_libarchive_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBARCHIVE, &smi_la, err);
}

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
