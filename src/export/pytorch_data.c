/* {"gpu_usage": [], "cpu": {"avg": 5, "note": "x"}} becomes
 *
 *     {"cpu": {"avg": 5.0, "max": null, "raw": null}, "memory": null, "gpu_usage": []} */
#include "export/pytorch_data.h"

#include "base/real.h"

enum { END, FLOAT, TEXT, OBJECT, LIST = 8 /* added: of such values */ };

/* A field of a dataclass. */
struct field {
    const char *key;
    int kind;
    const struct field *of; /* an object's */
};

static const struct field stats[] = {
    {"avg", FLOAT, NULL}, {"max", FLOAT, NULL}, {"raw", LIST + FLOAT, NULL}, {0}};
static const struct field gpu[] = {{"uuid", TEXT, NULL},
                                   {"util_percent", OBJECT, stats},
                                   {"mem_util_percent", OBJECT, stats},
                                   {"allocated_mem_percent", OBJECT, stats},
                                   {"allocated_mem_value", OBJECT, stats},
                                   {"total_mem_value", FLOAT, NULL},
                                   {0}};
static const struct field record[] = {
    {"cpu", OBJECT, stats}, {"memory", OBJECT, stats}, {"gpu_usage", LIST + OBJECT, gpu}, {0}};

bool smi_pytorch_float_dump(struct smi_buf *to, const json_t *value)
{
    const char *wide = smi_pytorch_json_wide(value);
    char text[SMI_REAL_TEXT];
    double v = json_number_value(value);
    if (!wide && !json_is_number(value))
        return false;
    if (wide && strpbrk(wide, "NI")) { /* NaN, Infinity */
        smi_buf_str(to, wide);
        return true;
    }
    if (wide && smi_real_parse(smi_text_of(wide), &v) != 0)
        return false;
    smi_buf_add(to, text, smi_real_write(text, v));
    return true;
}

static bool write_object(struct smi_buf *to, const struct field *of, const json_t *object);

static bool write_value(struct smi_buf *to, const struct field *f, const json_t *v)
{
    switch (f->kind % LIST) {
    case FLOAT:
        return smi_pytorch_float_dump(to, v);
    case TEXT:
        smi_pytorch_json_dump(to, v);
        return json_is_string(v);
    default:
        return write_object(to, f->of, v);
    }
}

static bool write_field(struct smi_buf *to, const struct field *f, const json_t *v)
{
    const json_t *each;
    size_t i;
    if (!v || json_is_null(v)) {
        smi_buf_str(to, "null");
        return true;
    }
    if (f->kind < LIST)
        return write_value(to, f, v);
    smi_buf_char(to, '[');
    json_array_foreach ((json_t *)(uintptr_t)v, i, each) {
        smi_buf_str(to, i ? ", " : "");
        if (!write_value(to, f, each))
            return false;
    }
    smi_buf_char(to, ']');
    return json_is_array(v);
}

static bool write_object(struct smi_buf *to, const struct field *of, const json_t *object)
{
    if (!json_is_object(object) || smi_pytorch_json_wide(object))
        return false;
    for (const struct field *f = of; f->kind != END; f++) {
        smi_buf_fmt(to, "%s\"%s\": ", f == of ? "{" : ", ", f->key);
        if (!write_field(to, f, json_object_get(object, f->key)))
            return false;
    }
    smi_buf_char(to, '}');
    return true;
}

bool smi_pytorch_data_dump(struct smi_buf *to, const json_t *data)
{
    return write_object(to, record, data);
}
