/* write.c - the order of the workbook's sheets. */
#include "book/book.h"

#include "book/inner.h"
#include "base/clock.h"
#include "base/version.h"

#include <string.h>

/* One clock for all times: that of the GPU logs if they agree (of runs without any, of the others), else UTC. */
static void choose_zone(struct smi_book *b)
{
    char t[SMI_CLOCK_TEXT];
    bool same = true, gpu = false;
    for (size_t i = 0; i < b->sweep->n; i++) {
        const struct smi_summary *s = &b->sweep->runs[i];
        bool own = s->state != SMI_STATE_NO_DATA;
        if (!s->has_start || !s->zoned || (gpu && !own))
            continue;
        same = !b->zoned || (own && !gpu) || (same && s->offset_s == b->offset_s);
        b->offset_s = s->offset_s;
        b->zoned = true;
        gpu |= own;
    }
    if (!same)
        b->offset_s = 0;
    smi_clock_put_zone(t, b->offset_s);
    b->zone = !b->zoned ? "zone not known" : !same || b->offset_s == 0 ? "UTC" : smi_page_fmt(&b->page, "UTC%s", t);
}

const char *const smi_book_sheets[SMI_BOOK_SHEETS] = {"Overview", "Runs",     "Groups", "GPUs",
                                                      "Phases",   "Findings", "Inputs", "About"};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write(struct smi_book *b)
{
    for (int i = 0; i < SMI_BOOK_SHEETS; i++)
        b->sheet[i] = smi_xlsx_sheet(b->x, smi_book_sheets[i]);
    b->series = smi_book_new(b, b->sweep->n, sizeof *b->series);
    choose_zone(b);
    if (!b->series)
        return;
    smi_book_series(b);
    smi_book_runs(b);
    smi_book_groups(b);
    smi_book_overview(b);
    smi_book_gpus(b);
    smi_book_phases(b);
    smi_book_findings(b);
    smi_book_inputs(b);
    smi_book_samples(b);
    smi_book_about(b);
}

const char *smi_book_lacks(void)
{
    return NULL;
}

int smi_write_xlsx(const char *path, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err)
{
    struct smi_book b = {.sweep = s, .look = look};
    struct smi_buf title = {0};
    int rc;
    b.page = (struct smi_page){.to = &b.words, .sweep = s, .look = look};
    b.said_end = &b.said;
    smi_buf_fmt(&title, "%zu run%s in %s", s->n, s->n == 1 ? "" : "s", s->title ? s->title : ".");
    rc = title.failed ? smi_err_nomem(err) : smi_xlsx_open(&b.x, path, title.p, look->now_ms, err);
    smi_buf_fini(&title);
    if (!rc) {
        write(&b);
        if (b.page.failed || b.words.failed)
            smi_xlsx_fail(b.x, SMI_ENOMEM, "memory ran out");
        rc = smi_xlsx_close(b.x, err);
    }
    smi_arena_fini(&b.page.arena);
    smi_buf_fini(&b.words);
    return rc;
}
