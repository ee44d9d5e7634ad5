#include "summary/merge_queue.h"

#include "base/file.h"
#include "base/json.h"
#include "summary/partial_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- what is kept ---- */

static const char *keep_text(struct smi_merge_queue *p, const char *text, const char **last)
{
    if (text && (!*last || strcmp(*last, text) != 0))
        *last = smi_arena_text(&p->words, text, strlen(text));
    return text ? *last : NULL;
}

static int move_far(struct smi_merge_queue *p, struct smi_err *err)
{
    struct smi_err why = {0};
    if (p->fd < 0 && (p->fd = smi_file_temp(&why)) < 0)
        p->fd = memfd_create("smilog.partial", MFD_CLOEXEC); /* where there is no place for files */
    if (p->fd < 0)
        return smi_err_set(err, why.code, "%s", why.text);
    if (smi_file_write(p->fd, p->near.p, p->near.n, "a temporary file", err))
        return -1;
    p->far += (int64_t)p->near.n;
    smi_buf_clear(&p->near);
    return 0;
}

/* Appends n bytes from `at` on. */
static int load_bytes(struct smi_merge_queue *p, int64_t at, size_t n, struct smi_buf *to,
                      struct smi_err *err)
{
    char *room = smi_buf_room(to, n);
    size_t done = 0;
    while (at < p->far && done < n) {
        ssize_t got =
            smi_file_read_at(p->fd, room + done, n - done, at + (int64_t)done, "a temporary file", err);
        if (got < 0)
            return -1;
        if (got == 0)
            return smi_err_set(err, SMI_EIO, "a temporary file ends early");
        done += (size_t)got;
    }
    if (at >= p->far)
        memcpy(room, p->near.p + (at - p->far), n);
    to->n += n;
    room[n] = 0;
    return 0;
}

/* ---- the beginning of a document ---- */

static int refuse_document(struct smi_err *err, const char *file, size_t number, const char *why)
{
    return smi_err_set(err, SMI_EFORMAT, "%.200s: document %zu: %s", file, number, why);
}

/* {"schema": "smilog-partial/8", ...: who wrote it, and what to do. */
static int refuse_schema(struct smi_err *err, const struct smi_merge_queue_item *item, const char *text)
{
    const char *number = text + strlen(SMI_PARTIAL_BEGIN);
    const int n = (int)strspn(number, "0123456789");
    const bool older = n == 1 && *number < SMI_PARTIAL_SCHEMA[strlen(SMI_PARTIAL_SCHEMA) - 1];
    const char *writer = !older           ? "a newer smilog"
                         : *number == '8' ? "smilog 0.1.0"
                                          : "a smilog before 0.1.0";
    if (!n)
        return refuse_document(err, item->file, item->number, "broken partial summary: it names no schema");
    if (n == 1 && *number == SMI_PARTIAL_SCHEMA[strlen(SMI_PARTIAL_SCHEMA) - 1])
        return refuse_document(err, item->file, item->number, "broken partial summary: cut or changed");
    return smi_err_set(err, SMI_EFORMAT,
                       "%.200s: document %zu: a partial summary that %s wrote (smilog-partial/%.*s): make it "
                       "again from the logs, with summarize --partial of this version",
                       item->file, (size_t)item->number, writer, n < 9 ? n : 9, number);
}

/* Its version, and that it was not changed. *rest: what stands behind the sum. */
static int check_document(struct smi_merge_queue_item *item, const char *text, struct smi_text *rest,
                          struct smi_err *err)
{
    const size_t begin = smi_partial_checksum_begin.n, front = begin + SMI_PARTIAL_CHECKSUM_TEXT - 1,
                 n = item->n, number = item->number;
    const char *file = item->file;
    char sum[SMI_PARTIAL_CHECKSUM_TEXT];
    if (!smi_text_starts_nocase((struct smi_text){text, n}, SMI_PARTIAL_BEGIN) && number == 1)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: no partial summary: merge reads what summarize --partial has "
                           "written",
                           file);
    if (!smi_text_starts_nocase((struct smi_text){text, n}, SMI_PARTIAL_BEGIN))
        return refuse_document(err, file, number, "broken partial summary: no document begins so");
    if (!smi_partial_is_current(text, n))
        return refuse_schema(err, item, text);
    if (n < front)
        return refuse_document(err, file, number, "broken partial summary: cut");
    *rest = (struct smi_text){text + front, n - front};
    item->sum = smi_partial_document_sum(rest->p, rest->n);
    smi_partial_checksum_text(sum, item->sum);
    if (memcmp(text + begin, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1) != 0)
        return refuse_document(err, file, number,
                               "broken partial summary: cut or changed, its bytes have another sum");
    return 0;
}

/* What stands behind the sum of every document. */
static const char run_begin[] = "\", \"run\": ";

/* The first keys, as JSON of their own: what follows is long. They end where the parameters begin; a text
 * that looked like this would have its quotes behind backslashes. */
static json_t *parse_document_head(struct smi_text rest)
{
    static const char end[] = ", \"params\": [";
    const char *at = memmem(rest.p, rest.n, end, sizeof end - 1);
    struct smi_buf b = {0};
    json_error_t why = {.text = "no memory"};
    json_t *head = NULL;
    if (!at || !smi_text_starts_nocase(rest, run_begin))
        return NULL;
    smi_buf_char(&b, '{');
    smi_buf_add(&b, rest.p + 3, (size_t)(at - rest.p) - 3);
    smi_buf_char(&b, '}');
    head = json_loadb(b.p, b.n, 0, &why);
    if (!head && !*why.text) /* jansson gives a reason for everything else */
        smi_mem_exhausted();
    smi_buf_fini(&b);
    return head;
}

static int read_document_head(struct smi_merge_queue *p, struct smi_merge_queue_item *item,
                              const json_t *head, struct smi_err *err)
{
    const json_t *idle = json_object_get(head, "idle_below");
    struct smi_partial_reader g = {.name = item->file, .err = err};
    char *name = smi_partial_read_text(&g, json_object_get(head, "run"));
    char *host = smi_partial_read_text(&g, json_object_get(head, "host"));
    item->name = name ? keep_text(p, p->run ? p->run : p->as ? p->as : name, &p->last_name) : NULL;
    item->as = p->run || p->as ? item->name : NULL;
    item->host = keep_text(p, host, &p->last_host);
    smi_mem_free(host);
    smi_mem_free(name);
    if (g.bad)
        return -1;
    if (!name || !json_is_integer(idle))
        return refuse_document(err, item->file, item->number, "broken partial summary (run)");
    if (p->has_idle && p->idle_below != json_integer_value(idle))
        return refuse_document(err, item->file, item->number,
                               "made by other rules (--idle-below) than the partial summaries before it");
    p->has_idle = true;
    p->idle_below = json_integer_value(idle);
    return 0;
}

int smi_merge_queue_add(struct smi_merge_queue *p, const char *text, size_t n, const char *file,
                        size_t number, struct smi_err *err)
{
    bool line = n && text[n - 1] == '\n';
    struct smi_merge_queue_item item = {.file = keep_text(p, file, &p->last_file),
                                        .at = p->far + (int64_t)p->near.n,
                                        .n = n - line,
                                        .number = (uint32_t)number};
    struct smi_text rest = {0};
    json_t *head;
    int rc;
    if (check_document(&item, text, &rest, err))
        return -1;
    head = parse_document_head(rest);
    rc = head ? read_document_head(p, &item, head, err)
              : refuse_document(err, file, number, "broken partial summary");
    json_decref(head);
    if (rc)
        return -1;
    smi_buf_add(&p->near, text, item.n);
    smi_mem_reserve(&p->item, &p->cap, p->n + 1, sizeof *p->item);
    p->item[p->n++] = item;
    return p->near.n >= SMI_MERGE_QUEUE_IN_MEMORY ? move_far(p, err) : 0;
}

/* ---- run by run ---- */

static int compare_item_run(const void *x, const void *y)
{
    const struct smi_merge_queue_item *a = x, *b = y;
    int d = smi_text_compare_natural(a->name, b->name);
    d = d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
    d = d ? d : (a->sum > b->sum) - (a->sum < b->sum);
    d = d ? d : (a->n > b->n) - (a->n < b->n);
    d = d ? d : strcmp(a->file, b->file);
    return d ? d : (a->number > b->number) - (a->number < b->number);
}

void smi_merge_queue_sort(struct smi_merge_queue *p)
{
    if (p->n)
        smi_sort(p->item, p->n, sizeof *p->item, compare_item_run);
}

int smi_merge_queue_next(struct smi_merge_queue *p, size_t *at, struct smi_partials *to, struct smi_err *err)
{
    const struct smi_merge_queue_item *first = &p->item[*at];
    size_t end = *at + 1;
    struct smi_buf text = {0};
    int rc = 0;
    /* Where the first of its name knows no host (those stand in front), a document may belong to any. */
    while (end < p->n && strcmp(p->item[end].name, first->name) == 0 &&
           (!first->host || (p->item[end].host && strcmp(p->item[end].host, first->host) == 0)))
        end++;
    for (; *at < end && !rc; ++*at) {
        const struct smi_merge_queue_item *item = &p->item[*at];
        smi_buf_clear(&text);
        to->number = item->number;
        rc = load_bytes(p, item->at, item->n, &text, err);
        rc = rc ? rc : smi_partial_read(to, text.p, text.n, item->file, item->as, err);
    }
    smi_buf_fini(&text);
    return rc;
}

int smi_merge_queue_copy(struct smi_merge_queue *p, size_t i, struct smi_buf *to, struct smi_err *err)
{
    struct smi_buf text = {0}, rest = {0};
    struct smi_json j;
    char sum[SMI_PARTIAL_CHECKSUM_TEXT];
    const char *at;
    bool array;
    int rc = load_bytes(p, p->item[i].at, p->item[i].n, &text, err);
    if (!rc && !p->item[i].as) {
        smi_buf_add(to, text.p, text.n);
    } else if (!rc) {
        at = text.p + smi_partial_checksum_begin.n + SMI_PARTIAL_CHECKSUM_TEXT - 1 + strlen(run_begin);
        array = *at == '['; /* where the name ends: a text, or an array of one */
        for (at += 1 + array; *at != '"'; at++)
            at += *at == '\\';
        at += 1 + array;
        smi_buf_str(&rest, run_begin);
        smi_json_begin(&j, &rest);
        smi_partial_write_text(&j, p->item[i].as);
        if (!smi_text_starts_nocase(smi_text_of(at), ", \"joined\": true"))
            smi_buf_str(&rest, ", \"joined\": true");
        smi_buf_add(&rest, at, text.n - (size_t)(at - text.p));
        smi_partial_checksum_text(sum, smi_partial_document_sum(rest.p ? rest.p : "", rest.n));
        smi_buf_add(to, text.p, smi_partial_checksum_begin.n);
        smi_buf_str(to, sum);
        smi_buf_add(to, rest.p ? rest.p : "", rest.n);
    }
    smi_buf_char(to, '\n');
    smi_buf_fini(&text);
    smi_buf_fini(&rest);
    return rc;
}

void smi_merge_queue_fini(struct smi_merge_queue *p)
{
    if (p->fd >= 0)
        close(p->fd);
    smi_mem_free(p->item);
    smi_buf_fini(&p->near);
    smi_arena_fini(&p->words);
    *p = (struct smi_merge_queue)SMI_MERGE_QUEUE;
}
