/* detect.c - which format a log has, by its first lines, or by what they quote. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/column_map.h"
#include "formats/json_line.h"
#include "formats/row_engine.h"

#include <stdio.h>

/* ---- a note, a script or a program that holds a few lines of a log is none. A log begins as one, whatever
 * comes later; only of a text that begins otherwise more is asked: # How we measured timestamp, index,
 * utilization.gpu [%] 2026/07/03 22:10:46.109, 0, 50 % The second column is ---- */

enum { FEW = 4, TRAILER = 2 };

enum {
    WINDOW = 65536,
    LINES = 200,
    QUOTE = 80,
    FIRST_LINES = 5,
    HEAD = 512,
    CELLS = 4096,
    NEXT = -2,
    REFUSED = -1
};

int smi_detect_is_quoted(const char *p, size_t n, int id, bool bare, const char *columns)
{
    /* lines: of the log; cells of no use; of something else, and how many of these behind the first own one
     */
    int64_t own = 0, data = 0, others = 0, behind = 0, rows;
    const bool json = id == SMI_FMT_RUNLOG || id == SMI_FMT_USAGE_LOG;
    struct smi_account a = {0};
    struct smi_devices devices = {0};
    struct smi_err odd = {0};
    struct smi_sink none = {0}; /* its rows go nowhere */
    struct smi_reader *r = smi_reader_open(
        smi_formats[id], &(struct smi_read_opts){.account = &a, .devices = &devices, .columns = columns},
        &odd);
    const char *end = p + n, *lf;
    int rc = r ? 0 : -1;
    for (; !rc && p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        /* Some readers know what a line was only some lines later. */
        int64_t passed = a.messages + a.blank, rejected = smi_account_rejected(&a);
        const struct smi_text t = smi_text_trim(smi_text_between(p, lf + 1));
        rc = smi_reader_feed(r, p, (size_t)(lf + 1 - p), &none, &odd);
        passed = a.messages + a.blank - passed;
        rejected = smi_account_rejected(&a) - rejected;
        if (rejected && (smi_is_digit(*t.p) || (json && *t.p == '{'))) {
            data += rejected; /* a row may be broken in many ways: what begins as one is not prose */
            continue;
        }
        others += rejected;
        behind += own ? rejected : 0;
        own += !rejected && !passed;
    }
    smi_reader_close(r);
    rows = own - a.header + (bare ? data : 0);
    smi_account_fini(&a);
    smi_devices_fini(&devices);
    own += bare ? data : 0;
    return !rc && ((behind > TRAILER && others > own) || (!rows && others > FEW * own));
}

/* why = what, and a quote of t if it is given, safe to print and cut between characters. Returns -1. */
static int refuse(struct smi_detect *out, const char *what, struct smi_text t)
{
    struct smi_buf b = {0};
    size_t n, quote = smi_text_prefix(t, QUOTE).n;
    smi_buf_str(&b, what);
    if (t.n) {
        smi_buf_str(&b, " \"");
        smi_buf_safe(&b, (struct smi_text){t.p, quote});
        smi_buf_str(&b, quote < t.n ? "..." : "");
    }
    n = smi_text_prefix((struct smi_text){b.p, b.n}, sizeof out->why - 2).n;
    snprintf(out->why, sizeof out->why, "%.*s%s", (int)n, b.p, t.n ? "\"" : "");
    smi_buf_fini(&b);
    return REFUSED;
}

/* How many NUL bytes stand in front: a log that was emptied while its monitor had it open begins with them.
 */
static size_t find_hole(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && !p[i])
        i++;
    return i;
}

/* The format of these n bytes, or -1 and why; a text that quotes a log is none.
 */
static int judge_bytes(const char *p, size_t n, bool whole, struct smi_detect *why)
{
    const int id = smi_detect(p, n, whole, why);
    if (id < 0 || !why->led ||
        smi_detect_is_quoted(p, n, id, why->bare, *why->columns ? why->columns : NULL) <= 0)
        return id;
    *why = (struct smi_detect){0};
    snprintf(why->why, sizeof why->why, "few lines of %s among others: --input-format %s reads them",
             smi_format_infos[id].name, smi_format_infos[id].name);
    return -1;
}

/* What the columns that the user names make of it. Returns whether that decides
 * it. */
static bool judge_columns(const char *p, size_t n, bool whole, const char *columns, int *id,
                          struct smi_detect *why, struct smi_err *err)
{
    struct smi_column_map m;
    struct smi_text missing = {NULL, 0};
    bool csv, fits;
    why->bare &= smi_column_map_is(columns);
    if (!smi_column_map_is(columns) || smi_column_map_read(&m, columns, "", err))
        return false;
    csv = smi_column_map_fits(&m, p, n, &missing);
    fits = csv || smi_column_map_fits_json(&m, (struct smi_text){p, n});
    if (fits) {
        *why = (struct smi_detect){0};
        *id = csv ? SMI_FMT_GPU_CSV : SMI_FMT_GPU_JSON;
    } else if (*id < 0 && whole && missing.n && !why->ours) {
        snprintf(why->why, sizeof why->why, "no known log format, and no %s \"%.*s\" of --columns-from",
                 m.text ? "line with the text" : "header with the column",
                 missing.n < 80 ? (int)missing.n : 80, missing.p);
    } else if (*id < 0 && whole && why->unknown) {
        const char *lf = memchr(p, '\n', n);
        struct smi_text first = {p, lf ? (size_t)(lf - p) : n};
        refuse(why, "no known log format, and no line has the columns of --columns-from: begins with",
               smi_text_trim(first));
    }
    return fits;
}

/* Of rows without a header: their columns, if their shape or the user (named)
 * tells them; else what is to be said of them. Behind a hole the first may be
 * torn. */
static void judge_rows(struct smi_text t, size_t hole, bool named, int *id, struct smi_detect *why)
{
    struct smi_row_shape s;
    char what[3 * SMI_ROW_SHAPE_TEXT];
    smi_row_shape(&s, t.p + hole, t.n - hole, hole > 0);
    if (!s.cells)
        return;
    if (s.monitor && *id < 0) {
        *id = SMI_FMT_QUERY;
        why->bare = !named;
        if (named)
            return;
    }
    if (why->bare && (s.one || *s.below)) {
        *why = (struct smi_detect){.led = why->led};
        snprintf(why->columns, sizeof why->columns, "%c%s", SMI_ROW_SHAPE_GUESS, s.one ? s.columns : s.below);
        return;
    }
    snprintf(what, sizeof what,
             "rows of %zu cells without a header: %s; name them with "
             "%s--input-columns %s; first row",
             s.cells, s.doubt, why->bare ? "" : "--input-format nvidia-smi-query ", s.columns);
    refuse(why, what, s.row);
}

size_t smi_detect_look(const char *p, size_t n, size_t size, const char *columns, int *id,
                       struct smi_detect *why, struct smi_err *err)
{
    enum { BINARY = 512 /* a NUL so early behind text decides it */ };
    const size_t hole = find_hole(p, n);
    *id = judge_bytes(p, n < size ? n : size, n < size, why);
    if (columns &&
        judge_columns(p, n < size ? n : size, n < size || size == SMI_DETECT_MOST, columns, id, why, err))
        return 0;
    if ((smi_column_map_is(columns) || why->bare) && n >= size && size < SMI_DETECT_MOST)
        return SMI_DETECT_MOST;
    if (why->bare || (why->unknown && !smi_column_map_is(columns) && (n < size || size == SMI_DETECT_MOST)))
        judge_rows((struct smi_text){p, n < size ? n : size}, hole, columns != NULL, id, why);
    if (err->code || n < size || (*id >= 0 && !why->led && !why->likely) || size == SMI_DETECT_MOST)
        return 0;
    if (size == SMI_DETECT_FIRST)
        return SMI_DETECT_MORE;
    return why->ours || (hole < BINARY && memchr(p + hole, 0, BINARY - hole)) ? 0 : SMI_DETECT_MOST;
}

/* ---- what other tools write that is no log here: known by name, never guessed at ---- */

enum { SCREEN = 512 /* bytes in which a terminal is told what to paint where */ };

/* The command that makes a log of the same GPU. */
#define NVIDIA \
    "nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw --format=csv -l 1 > FILE"
#define AMD "amd-smi monitor --csv -w 1 > FILE"
#define NONE "has no readings of GPUs over time"

/* Bytes at a place. */
static const struct {
    size_t at;
    const char *bytes;
    size_t n;
    const char *why;
} magics[] = {
    {0, "\x1F\x8B", 2, "gzip data"},
    {0, "\x28\xB5\x2F\xFD", 4, "zstd data"},
    {0, "\3757zXZ", 5, "xz data"},
    {0, "BZh", 3, "bzip2 data"},
    {0, "PK\x03\x04", 4, "a zip archive"},
    {0, "#!", 2, "a script"},
    {0, "SQLite format 3", 16, "a SQLite file: sqlite:FILE, if smilog wrote it (export, follow --store)"},
    {0, "\xFF\xFE", 2, "UTF-16 text (as Windows PowerShell's > writes it): save it as UTF-8"},
    {0, "\xFE\xFF", 2, "UTF-16 text: save it as UTF-8"},
    {23, "brain.Event:", 12, "an event file of TensorBoard: " NONE},
    {0, "PAR1", 4, "a Parquet file: not read; a CSV of it is"},
    {0, "\x89HDF", 4, "an HDF5 file: not read; a CSV of it is"},
};

/* Does a control sequence of a terminal move the cursor to a place ("\33[H", "\33[12;3H"), or clear the
 * screen
 * ("\33[2J")? Colours do not. */
static bool is_screen(const char *p, size_t n)
{
    const char *end = p + n, *from;
    while ((p = memchr(p, 0x1B, (size_t)(end - p)))) {
        unsigned numbers = 0;
        if (++p == end || *p != '[')
            continue;
        for (from = ++p; p < end && (smi_is_digit(*p) || *p == ';'); p++)
            numbers += *p == ';';
        if (p < end && ((*p == 'H' && (p == from || numbers == 1)) || (*p == 'J' && *from == '2')))
            return true;
    }
    return false;
}

/* The same of the first bytes of a file that is no text. */
static const char *find_foreign_magic(const char *p, size_t n)
{
    if (is_screen(p, n < SCREEN ? n : SCREEN))
        return "what a terminal showed (watch, script, tmux), not read: record with " NVIDIA;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].at + magics[i].n && memcmp(p + magics[i].at, magics[i].bytes, magics[i].n) == 0)
            return magics[i].why;
    return NULL;
}

/* Lines are shown to the formats by their rank: the ones that are surest of themselves first. */
#define SMI_FORMAT(id, reader, rank, name, base, flags, help) [rank] = SMI_FMT_##id + 1,
static const uint8_t by_rank[] = {
#include "model/format.def"
};
#undef SMI_FORMAT

int smi_format_find(const char *name)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (strcmp(smi_format_infos[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- telling formats apart: line after line until one is a format's own ---- */

struct hunt {
    struct smi_detect *out;
    struct smi_text text;                  /* all that is looked at */
    struct smi_text first, message, noise; /* the first unknown line, message and noise */
    const struct smi_phrase *note;         /* a guess that only counts if nothing else is found */
    int likely;                            /* so does this format; or NEXT */
    size_t seen, *commas;                  /* unknown lines, and how many commas each had: room for LINES */
    bool numbers;                          /* one of the first of them may hold readings */
    bool owed;                             /* the last of them was a header of processes below a table */
    struct smi_text line;                  /* the one at hand, trimmed, */
    struct smi_text bytes;                 /* and as it stands in the text, but for what docker wraps */
    struct smi_docker docker;
    struct smi_text *cell; /* its cells, once a format asked for them: room for CELLS */
    size_t cells;
    unsigned split; /* as they were split */
};

static const char early_nul[] = "not text: a NUL byte among the first 512";

/* What no log begins with. Lines that end before a NUL byte may be those of one, in which a crash left a
 * hole: t is cut to them. */
static const char *find_magic(struct smi_text *t, bool *cut)
{
    const char *why = find_foreign_magic(t->p, t->n), *nul = memchr(t->p, 0, t->n < HEAD ? t->n : HEAD);
    *cut = !why && nul && memchr(t->p, '\n', (size_t)(nul - t->p));
    if (*cut)
        t->n = (size_t)(nul - t->p);
    return why ? why : nul && !*cut ? early_nul : NULL;
}

static bool seen_before(const struct hunt *h, size_t commas)
{
    for (size_t i = 0; i < h->seen; i++)
        if (h->commas[i] == commas)
            return true;
    return false;
}

/* Job logs print the table, and then begin a list of processes that never gets a row: below a table a header
 * of processes proves nothing, but a row right below it does. */
static bool is_row_owed(const struct hunt *h, size_t commas)
{
    struct smi_text t = h->line;
    char last = t.p[t.n - 1];
    if (!h->owed || h->commas[h->seen - 1] != commas || !smi_is_digit(*t.p))
        return false;
    return last == ']' || smi_is_digit(last) || (t.n > 4 && memcmp(t.p + t.n - 4, " MiB", 4) == 0);
}

/* What a format says of a line; most lines have no quotes, and one split for all formats. */
static enum smi_sniff ask_format(struct hunt *h, int id, struct smi_text line)
{
    const struct smi_format *f = smi_formats[id];
    enum smi_sniff s = f->sniff ? f->sniff(line) : f->header ? SMI_SNIFF_YES : SMI_SNIFF_NO;
    if (s == SMI_SNIFF_NO || !f->header)
        return s;
    if (!h->cells || (h->split != f->split && memchr(line.p, '"', line.n)))
        h->cells = smi_row_split(line, h->split = f->split, h->cell, CELLS);
    return f->header(h->cell, h->cells) == id ? s : SMI_SNIFF_NO;
}

/* The format of a log that has all that this map needs, from the line on or in a document that began above
 * it; else NEXT. */
static int fits_tool(const struct hunt *h, const char *map)
{
    const char *end = h->text.p + h->text.n, *from = memchr("[{", *h->first.p, 2) ? h->first.p : h->bytes.p;
    struct smi_column_map m;
    struct smi_text missing = {NULL, 0};
    struct smi_err err = {0};
    if (smi_column_map_read(&m, map, "", &err))
        return NEXT;
    if (smi_column_map_fits_json(&m, smi_text_between(from, end)))
        return SMI_FMT_GPU_JSON;
    return smi_column_map_fits(&m, h->bytes.p, (size_t)(end - h->bytes.p), &missing) ? SMI_FMT_GPU_CSV : NEXT;
}

/* Data proves nothing if a line above it, as wide, could be its header and says something unknown. Whether a
 * line is surely another tool's is asked before the formats that know columns only by names, which other
 * tools use, too. */
static int try_formats(struct hunt *h, struct smi_text line, size_t commas)
{
    bool data = h->line.n && smi_is_digit(*h->line.p);
    for (size_t i = 0; i < sizeof by_rank; i++) {
        const int id = by_rank[i] - 1;
        enum smi_sniff s;
        const struct smi_phrase *why =
            id == SMI_FMT_QUERY ? smi_phrase_find(smi_say_foreign_sure, h->line) : NULL;
        const struct smi_phrase *tool = id == SMI_FMT_QUERY ? smi_phrase_find(smi_say_tool, h->line) : NULL;
        const int fits = tool ? fits_tool(h, tool->what) : NEXT;
        if (fits != NEXT) {
            snprintf(h->out->columns, sizeof h->out->columns, "%s", tool->what);
            return fits;
        }
        if (why)
            return refuse(h->out, why->what, (struct smi_text){0});
        s = id < 0 ? SMI_SNIFF_NO : ask_format(h, id, line);
        if (s == SMI_SNIFF_NO || ((data || s == SMI_SNIFF_BARE) && seen_before(h, commas)))
            continue;
        if (s == SMI_SNIFF_LIKELY)
            h->likely = h->likely == NEXT ? id : h->likely;
        h->owed = id == SMI_FMT_APPS && (h->note || h->likely != NEXT) && !data;
        if (h->owed || s == SMI_SNIFF_LIKELY)
            return NEXT;
        h->out->bare = s == SMI_SNIFF_BARE;
        if (h->out->bare) {
            char what[128];
            snprintf(what, sizeof what,
                     "has no header, and %zu columns that are not known: name them with --input-columns; "
                     "first row",
                     smi_row_split(h->line, SMI_SPLIT_QUOTES, NULL, 0));
            refuse(h->out, what, h->line);
        }
        return id;
    }
    return NEXT;
}

/* A line that is not blank: the format, REFUSED, or NEXT. */
static int try_line(struct hunt *h, struct smi_text line)
{
    const struct smi_text whole = smi_text_trim(line);
    struct smi_text host;
    size_t commas = 0;
    int id;
    smi_line_front_cut(&line, &host, &h->docker);
    h->line = smi_text_trim(line);
    h->bytes = h->docker.json ? whole : h->line;
    h->cells = 0;
    if (!h->line.n)
        return NEXT;
    if (smi_message_is_known(line)) {
        struct smi_text *first = smi_message_is_noise(line) ? &h->noise : &h->message;
        *first = first->p ? *first : h->bytes;
        return NEXT;
    }
    h->first = h->first.p ? h->first : whole;
    for (size_t i = 0; i < line.n; i++)
        commas += line.p[i] == ',';
    if (is_row_owed(h, commas))
        return SMI_FMT_APPS;
    h->owed = false;
    id = try_formats(h, line, commas);
    if (id != NEXT)
        return id;
    if (h->seen < FIRST_LINES && !memchr("#<\x1b", *h->first.p, 3))
        for (size_t i = 0; i < h->line.n; i++)
            h->numbers |= smi_is_digit(h->line.p[i]) || h->line.p[i] == '%';
    h->commas[h->seen++] = commas;
    if (!h->note)
        h->note = smi_phrase_find(smi_say_foreign, h->line);
    return NEXT;
}

/* What may stand between columns: in prose there is a blank behind a semicolon. */
static bool has_separator(struct smi_text t)
{
    const char *semicolon = memchr(t.p, ';', t.n);
    return memchr(t.p, ',', t.n) || memchr(t.p, '\t', t.n) ||
           (semicolon && semicolon + 1 < t.p + t.n && semicolon[1] != ' ');
}

static int nothing_found(struct hunt *h)
{
    h->out->likely = h->likely != NEXT;
    if (h->out->likely)
        return h->likely;
    if (h->note)
        return refuse(h->out, h->note->what, (struct smi_text){0});
    if (h->first.p && memchr("{[", *h->first.p, 2) && /* a document of many lines */
        smi_format_gpu_json.sniff(smi_text_between(h->first.p, h->text.p + h->text.n)) == SMI_SNIFF_YES)
        return SMI_FMT_GPU_JSON;
    h->out->unknown = h->first.p != NULL;
    if (h->first.p && has_separator(h->first) && !strchr("{[#<", *h->first.p))
        return refuse(
            h->out,
            "no known log format (--columns-from FILE says what the columns of a CSV are): begins with",
            h->first);
    if (h->first.p)
        return refuse(h->out,
                      h->numbers ? "no known log format (--columns-from FILE says what its columns are, or "
                                   "what stands in front of its readings): begins with"
                                 : "no known log format: begins with",
                      h->first);
    h->out->messages = h->message.p != NULL;
    h->out->broken = true;
    if (h->message.p)
        return refuse(h->out, "only a message:", h->message);
    if (h->noise.p)
        return refuse(h->out, "no known log format: only", h->noise);
    return refuse(h->out, "only blank lines", (struct smi_text){0});
}

/* `{"card0": {...}}`, perhaps behind a time: whole without a line end, too. */
static bool is_closed_object(struct smi_text t)
{
    const char *at = memchr(t.p, '{', t.n);
    if (*t.p == '[')
        return smi_json_depth(0, t) == 0;
    return at && smi_json_is_whole(smi_text_between(at, t.p + t.n));
}

/* The next line, taken off t, without its end; false at the end. `all`: one line that is longer than the
 * window is all there is; else an unfinished line is none, unless it is a closed object. */
static bool next_line(struct smi_text *t, bool all, struct smi_text *line)
{
    const char *lf = t->n ? memchr(t->p, '\n', t->n) : NULL;
    if (!lf && (!t->n || !(all || is_closed_object(*t))))
        return false;
    *line = (struct smi_text){t->p, lf ? (size_t)(lf - t->p) : t->n};
    *t = lf ? (struct smi_text){lf + 1, t->n - line->n - 1} : (struct smi_text){t->p, 0};
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

int smi_detect(const char *p, size_t n, bool whole, struct smi_detect *why)
{
    size_t commas[LINES];
    struct hunt h = {.out = why, .likely = NEXT, .commas = commas};
    struct smi_text rest, line, none = {0};
    const char *what;
    bool all, ends, cut;
    size_t hole;
    int id;
    *why = (struct smi_detect){0};
    rest = smi_line_without_bom((struct smi_text){p, n < WINDOW ? n : WINDOW});
    hole = find_hole(rest.p, rest.n);
    rest = smi_text_from(rest, hole);
    why->broken = rest.n == 0;
    if (rest.n == 0)
        return refuse(why,
                      !hole        ? "empty"
                      : n < WINDOW ? "nothing but NUL bytes"
                                   : "64 KiB of NUL bytes (a log that was emptied while it was written to?): "
                                     "--input-format reads what is behind them",
                      none);
    what = find_magic(&rest, &cut);
    if (what)
        return refuse(why, what, none);
    why->ours =
        smi_text_starts_nocase(rest, "{\"schema\": \"smilog/") || smi_text_starts_nocase(rest, "# smilog");
    if (why->ours)
        return refuse(why, "smilog's own output", none);
    ends = memchr(rest.p, '\n', rest.n) || is_closed_object(rest);
    all = n >= WINDOW && !ends;
    why->broken = whole && !all && !ends;
    if (!all && !ends)
        return refuse(why, whole ? "one unfinished line" : "no whole line yet", none);
    id = NEXT;
    h.text = rest;
    h.cell = smi_mem_room(SMI_ROOM_CELLS, CELLS * sizeof *h.cell);
    for (int lines = 0; lines < LINES && id == NEXT && next_line(&rest, all, &line);) {
        if (smi_text_trim(line).n == 0)
            continue;
        lines++;
        id = try_line(&h, line);
        why->led = id >= 0 && h.seen > 0;
    }
    if (id == NEXT)
        id = cut ? refuse(why, early_nul, none) : nothing_found(&h);
    smi_docker_fini(&h.docker);
    return id;
}
