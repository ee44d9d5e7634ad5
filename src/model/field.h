/* field.h - the catalogue of what smilog reports of a run (run_field.def), a GPU, a phase and a finding.
 * Every output, the tables of SQL, diff and check take the name, the unit and the meaning of a value from
 * here. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum smi_datum_kind {
    SMI_DATUM_NONE, /* no value: empty in CSV, NULL in SQL */
    SMI_DATUM_INT,
    SMI_DATUM_MICRO, /* n millionths */
    SMI_DATUM_BOOL,
    SMI_DATUM_TEXT
};

/* The value of a field. */
struct smi_datum {
    enum smi_datum_kind kind;
    int64_t n;
    const char *text; /* of a text; borrowed */
};

/* The price that a value needs: without it no run has one. */
enum smi_field_price { SMI_PRICE_NONE, SMI_PRICE_MONEY, SMI_PRICE_CO2 };

/* How the values of runs add up to the value of a sweep. */
enum smi_field_total { SMI_TOTAL_NONE, SMI_TOTAL_SUM, SMI_TOTAL_MEAN, SMI_TOTAL_MAX };

enum { SMI_MORE_IS_WORSE = 1, SMI_LESS_IS_WORSE = -1 };

struct smi_field_info {
    const char *key; /* in CSV, SQL, diff and check */
    enum smi_datum_kind kind;
    const char *unit, *help; /* unit: "" if there is none */
    const char *json;        /* path in the JSON of a run; NULL: the key; "": JSON does not have it */
    const char *words;       /* what a line about it alone calls it, with its unit; NULL: the key */
    enum smi_field_total total;
    int worse;       /* SMI_MORE_IS_WORSE, SMI_LESS_IS_WORSE, or 0: neither is worse */
    int64_t least;   /* smallest change that matters, in millionths of the unit */
    int group_place; /* place among the columns that --group-by shows by default, from 1; 0: not shown */
    enum smi_field_price price;
    bool json_always; /* JSON has it without a price, too, as null */
    bool stored;      /* the table runs of `smilog export --to sqlite:FILE` has it */
};

#define SMI_RUN_FIELD(id, ...) SMI_RUN_FIELD_##id,
#define SMI_RUN_HEADLINE(id, ...) SMI_RUN_FIELD_##id,
enum smi_run_field_id {
#include "model/run_field.def"
    SMI_RUN_FIELDS
};

#define SMI_RUN_HEADLINE(id, ...) SMI_HEADLINE_##id,
enum smi_headline_id {
#include "model/run_field.def"
    SMI_HEADLINE_COUNT
};

extern const struct smi_field_info smi_run_fields[SMI_RUN_FIELDS];

#define SMI_GPU_FIELD(id, ...) SMI_GPU_FIELD_##id,
enum smi_gpu_field_id {
#include "model/part_field.def"
    SMI_GPU_FIELDS
};

#define SMI_PHASE_FIELD(id, ...) SMI_PHASE_FIELD_##id,
#define SMI_PHASE_HEADLINE(id, key) SMI_PHASE_FIELD_HEADLINE_##id,
enum smi_phase_field_id {
#include "model/part_field.def"
    SMI_PHASE_FIELDS
};

#define SMI_FINDING_FIELD(id, ...) SMI_FINDING_FIELD_##id,
enum smi_finding_field_id {
#include "model/part_field.def"
    SMI_FINDING_FIELDS
};

extern const struct smi_field_info smi_gpu_fields[SMI_GPU_FIELDS];
extern const struct smi_field_info smi_phase_fields[SMI_PHASE_FIELDS];
extern const struct smi_field_info smi_finding_fields[SMI_FINDING_FIELDS];
