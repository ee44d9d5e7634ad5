/* json_template.h - a log repeats its lines but for their values: what stands between these is compared with
 * what stood there in lines before, instead of being read. A tree: of lines that begin alike the beginnings
 * are compared once. */
#ifndef SMI_FORMATS_JSON_TEMPLATE_H
#define SMI_FORMATS_JSON_TEMPLATE_H

#include "formats/json_fast.h"

enum { SMI_JSON_TEMPLATE_NODES = 96, SMI_JSON_TEMPLATE_TEXT = 64, SMI_JSON_TEMPLATE_ROLES = 8 };

/* The bytes between two values (or in front of the first, or behind the last with its LF), and the value
 * after them. */
struct smi_json_template {
    char text[SMI_JSON_TEMPLATE_TEXT]; /* zeros behind its n bytes */
    uint64_t mask;                     /* of the last of its words */
    struct smi_field value;            /* without its text; its key stands in text, */
    struct smi_field
        fixed; /* as all does of a string that is the same in all lines of the shape; or of no key */
    uint8_t n, words;
    uint8_t role, fixed_role;
    uint8_t next, child; /* the other ways to go on, and those after the value: nodes, 0: none */
    bool last;           /* there is no value: the line ends here */
};

/* Zero-initialise; not to be copied. */
struct smi_json_templates {
    unsigned n;      /* nodes 1 ... n are in use */
    unsigned missed; /* lines that there was no room for */
    uint8_t first;
    struct smi_json_template node[SMI_JSON_TEMPLATE_NODES + 1];
};

/* What the caller wants to know of the values: number of the field in each role, -1: none. */
typedef int8_t smi_json_template_roles[SMI_JSON_TEMPLATE_ROLES];

/* Reads the line that begins at p. Returns its length with its LF, or 0: it is like none that was learnt, not
 * plain, or longer than the n bytes; v and role are undefined then. */
size_t smi_json_templates_read(const struct smi_json_templates *s, const char *p, size_t n,
                               struct smi_json_values *v, smi_json_template_roles role);
/* Learns a line that is plain, n bytes with its LF, and its values. role: role[i] of field i;
 * SMI_JSON_TEMPLATE_ROLES - 1 is that of all others. fixed: number of a field with a string that becomes a
 * part of the shape, or -1. */
void smi_json_templates_learn(struct smi_json_templates *s, const char *p, size_t n,
                              const struct smi_json_values *v, const uint8_t role[SMI_JSON_VALUES],
                              int fixed);

#endif
