#include "summary/finding_check_private.h"

#include <string.h>

#define NONE SMI_LIMIT_NONE
#define SMI_RULE(id, key, level, unit, side, limit, least, scope, check, marks, text, note, sentence, \
                 advice)                                                                              \
    [SMI_RULE_##id] = {key,                                                                           \
                       SMI_LEVEL_##level,                                                             \
                       unit,                                                                          \
                       SMI_SIDE_##side,                                                               \
                       limit,                                                                         \
                       least,                                                                         \
                       SMI_SCOPE_##scope,                                                             \
                       smi_rule_check_##check,                                                        \
                       SMI_CELL_##marks,                                                              \
                       text,                                                                          \
                       note,                                                                          \
                       sentence,                                                                      \
                       advice,                                                                        \
                       false},
const struct smi_rule smi_rules[SMI_RULE_COUNT] = {
#include "summary/rule.def"
};
#undef SMI_RULE

int smi_rule_find(const char *key)
{
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        if (strcmp(smi_rules[i].key, key) == 0)
            return i;
    return -1;
}
