/* json_schema.h - the fields of our JSON, with types and units, and its JSON Schemas (2020-12): from the
 * catalogue of fields, the metrics and json_field.def. */
#ifndef SMI_REPORT_JSON_SCHEMA_H
#define SMI_REPORT_JSON_SCHEMA_H

#include "base/buf.h"
#include "base/err.h"

struct smi_json_field {
    const char *object, *path; /* path: NULL: a new object begins, and help is about it */
    const char *type;          /* as json_field.def says */
    const char *unit, *help;
    bool optional; /* it may be left out */
    bool metric;   /* path is the key of a metric: a dot in it begins no inner object */
};

struct smi_json_fields {
    struct smi_json_field *of; /* in the heap */
    size_t n, cap;
};

/* All fields of all objects, object by object. Zero-initialise; end with smi_json_fields_fini. */
void smi_json_fields_make(struct smi_json_fields *f);
void smi_json_fields_fini(struct smi_json_fields *f);

/* What has a schema: "json", "check", ...; NULL past the last. */
const char *smi_json_schema_name(size_t i);
/* What that schema is about. */
const char *smi_json_schema_help(size_t i);
/* Appends schema i. */
void smi_json_schema_write(struct smi_buf *to, size_t i);

#endif
