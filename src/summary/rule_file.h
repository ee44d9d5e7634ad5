/* rule_file.h - rules as the user wants them: a JSON file of limits, of findings and of alerts. */
#ifndef SMI_SUMMARY_RULE_FILE_H
#define SMI_SUMMARY_RULE_FILE_H

#include "base/json_load.h"

#include <stdbool.h>

/* A list of rules that a file changes. */
struct smi_rule_file {
    const char *path;            /* of --rules, for messages */
    const char *kind, *list;     /* "alert"; "alerts", as in `smilog list alerts` */
    const char *lead;            /* before a rule's name in messages: "alert ", or "" */
    const char *const *settings; /* what of a rule can be set; the first one is its limit */
    size_t settings_n;
    const char *settings_text; /* "limit, on_s, off_s" */
    const char *const *key;    /* of the rules */
    size_t rules;
    /* Sets one setting of a rule. Returns 0, or -1 with err. */
    int (*set)(const struct smi_rule_file *f, size_t rule, size_t setting, const json_t *v);
    void (*turn)(const struct smi_rule_file *f, size_t rule, bool on);
    void *self;
    struct smi_err *err;
};

/* "--rules FILE: alert idle: what". Returns -1. */
int smi_rule_file_wrong(const struct smi_rule_file *f, size_t rule, const char *what);
/* Takes over what the object of rules says; members named `skip` (or NULL) are passed over. Returns 0, or -1
 * with err (SMI_EUSAGE). */
int smi_rule_file_apply(const struct smi_rule_file *f, json_t *object, const char *skip);

#endif
