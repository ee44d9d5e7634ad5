#include "formats/samples.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "formats/row_engine.h"

#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 1 << 20 /* and of a line as much is looked at */, CELLS = 128 };

#define NO_RUN UINT32_MAX

static const char bom[] = "\xEF\xBB\xBF";

struct run {
    char *name;
    size_t n;
};

/* Lines that follow each other: of one run, below one header. */
struct stretch {
    int64_t at, n;
    uint32_t run, header;
};

struct header {
    int64_t at;
    size_t n;
};

struct scan {
    int format;
    size_t place; /* of CodeCarbon's run_id in a row */
    struct smi_stream *from;
    int fd, kept; /* where the decoded bytes are; a file of $TMPDIR, or -1 */
    const char *name;
    struct run *run;
    size_t runs, run_cap;
    struct smi_map by_name;
    struct stretch *stretch;
    size_t n, cap;
    struct header *header;
    size_t headers, header_cap;
    uint32_t now;                  /* the run of the line before */
    struct smi_buf text, repaired; /* a name that was not written as it is; room for its line */
    struct smi_err *err;
};

bool smi_samples_format(int format)
{
    return format == SMI_FMT_SAMPLES_JSONL || format == SMI_FMT_SAMPLES_CSV;
}

static int count_run(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    (void)m;
    (void)err;
    ++*(size_t *)self;
    return 0;
}

bool smi_samples_has_runs(int fd, const char *name, int format)
{
    struct smi_err doubt = {0}, err = {0};
    size_t runs = 0;
    return format == SMI_FMT_CODECARBON &&
           smi_samples_walk(fd, name, format, count_run, &runs, &doubt, &err) == 0 && runs > 1;
}

/* ---- names ---- */

static bool has_name(const void *list, size_t place, const void *key)
{
    const struct run *r = (const struct run *)list + place;
    const struct smi_text *name = key;
    return r->n == name->n && memcmp(r->name, name->p, name->n) == 0;
}

/* Returns 0, or -1 with err: memory, or there are too many. */
static int select_run(struct scan *s, struct smi_text name)
{
    uint64_t hash = smi_hash_bytes(name.p, name.n);
    size_t at;
    if (s->now != NO_RUN && s->run[s->now].n == name.n && memcmp(s->run[s->now].name, name.p, name.n) == 0)
        return 0;
    at = smi_map_find(&s->by_name, hash, has_name, s->run, &name);
    if (at == SMI_MAP_NONE) {
        if (s->runs == SMI_ARCHIVE_MEMBERS_MAX)
            return smi_err_set(s->err, SMI_ELIMIT, "it holds more than %d runs",
                               (int)SMI_ARCHIVE_MEMBERS_MAX);
        smi_mem_reserve(&s->run, &s->run_cap, s->runs + 1, sizeof *s->run);
        s->run[s->runs].name = smi_mem_text(name.p, name.n);
        smi_map_add(&s->by_name, hash, s->runs);
        s->run[s->runs].n = name.n;
        at = s->runs++;
    }
    s->now = (uint32_t)at;
    return 0;
}

/* ---- whose a line is ---- */

/* As an export writes it: {"run": "lr=0.1/seed3", ... */
static bool run_in_front(struct smi_text line, struct smi_text *name)
{
    static const char front[] = "{\"run\": \"";
    size_t n = sizeof front - 1;
    const char *end;
    if (line.n <= n || memcmp(line.p, front, n) != 0)
        return false;
    end = memchr(line.p + n, '"', line.n - n);
    *name = (struct smi_text){line.p + n, end ? (size_t)(end - line.p) - n : 0};
    return end && !memchr(name->p, '\\', name->n) && smi_text_is_utf8(*name);
}

/* Of a line of JSON that is written in another way. */
static bool run_of_json(struct scan *s, struct smi_text line, struct smi_text *name)
{
    json_error_t why;
    json_t *entry = NULL, *run;
    size_t lost;
    bool named;
    if (!line.n || *line.p != '{' || !smi_text_is_utf8(line))
        return false;
    smi_json_load(line, &s->repaired, &entry, &lost, &why);
    run = json_object_get(entry, "run");
    named = json_is_string(run);
    if (named) {
        smi_buf_clear(&s->text);
        smi_buf_add(&s->text, json_string_value(run), json_string_length(run));
        *name = (struct smi_text){s->text.p, s->text.n};
    }
    json_decref(entry);
    return named;
}

/* The first cell. A cell that a spreadsheet would take for a formula has a ' in front. */
static bool run_of_csv(struct scan *s, struct smi_text line, struct smi_text *name)
{
    if (!smi_row_next_cell(&line, SMI_SPLIT_QUOTES | SMI_SPLIT_EXACT, name))
        return false;
    smi_buf_clear(&s->text);
    smi_buf_room(&s->text, name->n + 1);
    *name = smi_row_unquote(&s->text, *name);
    if (name->n > 1 && *name->p == '\'' && strchr("=+-@", name->p[1]))
        *name = (struct smi_text){name->p + 1, name->n - 1};
    return true;
}

/* Is the line a header of the file's format? */
static bool read_header(struct scan *s, struct smi_text line)
{
    struct smi_text cell[CELLS];
    size_t n;
    if (s->format != SMI_FMT_CODECARBON)
        return s->format == SMI_FMT_SAMPLES_CSV && smi_format_samples_csv.sniff(line) == SMI_SNIFF_YES;
    n = smi_row_split(line, SMI_SPLIT_QUOTES, cell, CELLS);
    if (n > CELLS || smi_format_codecarbon.header(cell, n) < 0)
        return false;
    for (s->place = 0; !smi_text_is_nocase(cell[s->place], "run_id");)
        s->place++;
    return true;
}

static bool read_name(struct scan *s, struct smi_text line, struct smi_text *name)
{
    struct smi_text cell[CELLS];
    if (s->format == SMI_FMT_SAMPLES_JSONL)
        return run_in_front(line, name) || run_of_json(s, line, name);
    if (s->format == SMI_FMT_SAMPLES_CSV)
        return s->headers && run_of_csv(s, line, name);
    if (!s->headers || smi_row_split(line, SMI_SPLIT_QUOTES, cell, CELLS) <= s->place)
        return false;
    *name = cell[s->place];
    return name->n > 0;
}

/* ---- lines ---- */

static void add_stretch(struct scan *s, int64_t at, size_t n)
{
    struct stretch *last = s->n ? &s->stretch[s->n - 1] : NULL;
    uint32_t header = (uint32_t)s->headers;
    if (last && last->run == s->now && last->header == header && last->at + last->n == at) {
        last->n += (int64_t)n;
        return;
    }
    smi_mem_reserve(&s->stretch, &s->cap, s->n + 1, sizeof *s->stretch);
    s->stretch[s->n++] = (struct stretch){at, (int64_t)n, s->now, header};
}

/* A line with its end, if that is there: n bytes at `at`, of which PIECE at most are at p. */
static int on_line(struct scan *s, const char *p, size_t n, int64_t at)
{
    struct smi_text line = {p, n}, name;
    bool named;
    if (at == 0 && n >= sizeof bom - 1 && memcmp(p, bom, sizeof bom - 1) == 0)
        line = (struct smi_text){p + sizeof bom - 1, n - (sizeof bom - 1)};
    line = smi_text_trim(line);
    if (read_header(s, line)) {
        smi_mem_reserve(&s->header, &s->header_cap, s->headers + 1, sizeof *s->header);
        s->header[s->headers++] = (struct header){at, n};
        return 0;
    }
    named = read_name(s, line, &name);
    if ((named && select_run(s, name)))
        return -1;
    add_stretch(s, at, n);
    return 0;
}

/* All whole lines of the n bytes, which stand at `at`. inside: they begin within a line that was too long to
 * be seen whole. Returns how many bytes were used, or -1 with err. */
static ssize_t on_lines(struct scan *s, const char *p, size_t n, int64_t at, bool *inside)
{
    size_t done = 0;
    const char *lf;
    while ((lf = done < n ? memchr(p + done, '\n', n - done) : NULL)) {
        size_t len = (size_t)(lf - p) + 1 - done;
        if (*inside)
            add_stretch(s, at + (int64_t)done, len);
        else if (on_line(s, p + done, len, at + (int64_t)done))
            return -1;
        *inside = false;
        done += len;
    }
    return (ssize_t)done;
}

/* What is left in a full buffer, or at the end: no whole line. */
static int on_rest(struct scan *s, const char *p, size_t n, int64_t at, bool inside)
{
    if (!inside)
        return on_line(s, p, n, at);
    add_stretch(s, at, n);
    return 0;
}

static int read_lines(struct scan *s, char *buf)
{
    int64_t at = 0;
    size_t n = 0;
    bool inside = false;
    for (;;) {
        ssize_t got = smi_stream_read(s->from, buf + n, PIECE - n, s->err), used;
        if (got < 0 ||
            (s->kept >= 0 && smi_file_write(s->kept, buf + n, (size_t)got, "a temporary file", s->err)))
            return -1;
        if (got == 0)
            return n ? on_rest(s, buf, n, at, inside) : 0;
        n += (size_t)got;
        used = on_lines(s, buf, n, at, &inside);
        if (used < 0)
            return -1;
        if (used == 0 && n == PIECE) {
            if (on_rest(s, buf, n, at, inside))
                return -1;
            inside = true;
            used = PIECE;
        }
        n -= (size_t)used;
        at += used;
        memmove(buf, buf + used, n);
    }
}

/* ---- what there is ---- */

static int compare_stretches(const void *x, const void *y)
{
    const struct stretch *a = x, *b = y;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Whole: what stands in front of the first run is its, too; without a run all is the file's. */
static int sort_stretches(struct scan *s)
{
    if (!s->runs && select_run(s, smi_text_of(s->name)))
        return -1;
    for (size_t i = 0; i < s->n && s->stretch[i].run == NO_RUN; i++)
        s->stretch[i].run = 0;
    if (!s->n && s->headers) { /* a header alone is a log without rows */
        s->now = 0;
        add_stretch(s, 0, 0);
    }
    if (s->n)
        smi_sort(s->stretch, s->n, sizeof *s->stretch, compare_stretches);
    return 0;
}

static int scan(struct scan *s)
{
    char *buf = smi_mem_raw(PIECE);
    int rc = 0;
    s->kept = -1;
    if (!rc && !smi_stream_is_plain(s->from))
        rc = (s->kept = s->fd = smi_file_temp(s->err)) < 0 ? -1 : 0;
    if (!rc)
        rc = read_lines(s, buf);
    smi_mem_free(buf);
    return rc || sort_stretches(s) ? -1 : 0;
}

/* ---- a run ---- */

struct member {
    struct smi_byte_source pull;
    const struct scan *s;
    uint32_t run;
    size_t next;     /* stretch */
    uint32_t header; /* the one that was given last, + 1 */
    int64_t at, left;
};

static void next_stretch(struct member *m)
{
    const struct stretch *x = &m->s->stretch[m->next];
    if (x->header != m->header) { /* 0: there is none */
        const struct header *h = &m->s->header[x->header - 1];
        m->header = x->header;
        m->at = h->at;
        m->left = (int64_t)h->n;
    } else {
        m->at = x->at;
        m->left = x->n;
        m->next++;
    }
}

static ssize_t read_run(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct member *m = (struct member *)self;
    ssize_t got;
    while (!m->left) {
        if (m->next == m->s->n || m->s->stretch[m->next].run != m->run)
            return 0;
        next_stretch(m);
    }
    got = smi_file_read_at(m->s->fd, buf, m->left < (int64_t)n ? (size_t)m->left : n, m->at, m->s->name, err);
    if (got > 0) {
        m->at += got;
        m->left -= got;
    }
    return got;
}

static int list_run_members(const struct scan *s, smi_archive_member_fn *fn, void *self)
{
    size_t next = 0;
    int rc = 0;
    for (uint32_t run = 0; !rc && run < s->runs; run++) {
        struct member m = {.pull = {.read = read_run}, .s = s, .run = run, .next = next};
        struct smi_archive_member of = {
            .id = (int64_t)run + 1, .path = s->run[run].name, .kind = SMI_ARCHIVE_FILE};
        of.bytes = smi_stream_open(&m.pull, s->err);
        rc = of.bytes ? fn(self, &of, s->err) : -1;
        smi_stream_close(of.bytes);
        while (next < s->n && s->stretch[next].run == run)
            next++;
    }
    return rc < 0 ? -1 : 0;
}

static void free_scan(struct scan *s)
{
    for (size_t i = 0; i < s->runs; i++)
        smi_mem_free(s->run[i].name);
    smi_mem_free(s->run);
    smi_map_fini(&s->by_name);
    smi_mem_free(s->stretch);
    smi_mem_free(s->header);
    smi_buf_fini(&s->text);
    smi_buf_fini(&s->repaired);
    if (s->kept >= 0)
        close(s->kept);
    smi_stream_close(s->from);
}

int smi_samples_walk(int fd, const char *name, int format, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_err why = {0};
    struct scan s = {.format = format, .fd = fd, .kept = -1, .name = name, .now = NO_RUN, .err = &why};
    int rc = 0;
    s.from = lseek(fd, 0, SEEK_SET) == 0 ? smi_stream_open(&from.pull, &why) : NULL;
    if (s.from && scan(&s) == 0) {
        const char *odd = smi_stream_warning(s.from);
        if (odd)
            smi_err_set(doubt, SMI_EFORMAT, "cannot be read to its end, %s", odd);
        s.err = err;
        rc = list_run_members(&s, fn, self);
    } else {
        smi_err_set(doubt, why.code ? why.code : SMI_EIO, "%s", why.code ? why.text : "cannot be read");
    }
    free_scan(&s);
    lseek(fd, 0, SEEK_SET);
    return rc;
}
