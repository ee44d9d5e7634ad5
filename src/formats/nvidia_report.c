/* nvidia-smi -q and nvidia-smi -q -x: all that the driver knows of each GPU, as text or as XML, once or again
 * and again in one log:
 *
 *     ==============NVSMI LOG==============
 *     Timestamp                                 : Mon Jun  1 09:00:00 2026
 *     GPU 00000000:17:00.0
 *         Product Name                          : NVIDIA A30
 *         Utilization
 *             Gpu                               : 87 %
 *
 *     <nvidia_smi_log>
 *             <timestamp>Mon Jun  1 09:00:00 2026</timestamp>
 *             <gpu id="00000000:17:00.0">
 *                     <product_name>NVIDIA A30</product_name>
 *                     <utilization>
 *                             <gpu_util>87 %</gpu_util>
 *
 * Every value has a path of names; those in the table below are read. The line that opens a GPU counts as its
 * row, which is sent when the GPU is over; all others of a report are header, and what stands between reports
 * is messages. Of XML only what nvidia-smi writes is known: tags that end on their line, no CDATA, no
 * entities but the five. */
#include "formats/row_engine.h"

enum { PATH = 160, DEPTH = 12, NAME = 64, TEXT = 8192 /* values of a GPU */, VALUE = 128, CELLS = 128 };
enum { STAMP, BUS, FIRST /* cell of a value */ };

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool open;                 /* inside a report of XML */
    bool gpu;                  /* inside a GPU: its cells are kept */
    int64_t extra;             /* GPUs that had no line of their own */
    struct smi_row_plan plan;  /* of this GPU */
    size_t cells, used;        /* of them, and of text */
    char text[TEXT];
    char stamp[VALUE], bus[VALUE];
    struct {
        size_t indent, path; /* text: blanks in front of the name; length of the path with it */
    } at[DEPTH];
    unsigned depth, deeper; /* deeper: names that have no room */
    char path[PATH];
};

/* ---- paths ---- */

static struct smi_text path_of(const struct smi_reader *r)
{
    return (struct smi_text){r->path, r->depth ? r->at[r->depth - 1].path : 0};
}

/* "GPU T.Limit Temp" -> "gpu_t.limit_temp" behind the path. What has no room is no value that is
 * read. */
static void push_name(struct smi_reader *r, struct smi_text name, size_t indent)
{
    size_t n = path_of(r).n;
    char *to = r->path + n + (n > 0);
    if (r->deeper || r->depth == DEPTH || n + name.n + (n > 0) > PATH || name.n > NAME) {
        r->deeper++;
        return;
    }
    for (size_t i = 0; i < name.n; i++)
        to[i] = (char)(name.p[i] == ' ' || name.p[i] == '-'   ? '_'
                       : name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] | 32
                                                              : name.p[i]);
    if (n)
        r->path[n++] = '/';
    r->at[r->depth].indent = indent;
    r->at[r->depth++].path = n + name.n;
}

/* ---- GPUs ---- */

static void begin_gpu(struct smi_reader *r, struct smi_text bus)
{
    r->gpu = true;
    r->cells = FIRST;
    r->used = 0;
    r->depth = r->deeper = 0;
    smi_row_plan_init(&r->plan, CELLS);
    r->plan.all = true;
    smi_row_plan_add(&r->plan, SMI_COL_TIME, 0, 0, STAMP);
    smi_row_plan_add(&r->plan, SMI_COL_KEY, SMI_DEVICE_KEY_BUS, 0, BUS);
    smi_text_copy(r->bus, VALUE, bus);
    r->row.cell[BUS] = smi_text_of(r->bus);
}

/* The GPU is over: its row counts in place of the line that opened it. */
static void end_gpu(struct smi_reader *r)
{
    if (!r->gpu)
        return;
    r->gpu = false;
    r->row.cell[STAMP] = smi_text_of(r->stamp);
    smi_row_use(&r->row, &r->plan);
    smi_row_read(&r->row, r->row.cell[BUS]);
}

/* Words where a number should stand ("GPU is lost") get the brackets that a query prints around them. */
static void keep_value(struct smi_reader *r, const struct smi_alias *v, struct smi_text t)
{
    size_t n = t.n < VALUE ? t.n : VALUE;
    char *to = r->text + r->used;
    bool words =
        n && v->kind == SMI_COL_NUMBER && (*t.p | 32) >= 'a' && (*t.p | 32) <= 'z' && !smi_text_is(t, "N/A");
    if (!n || r->used + n + 2 > TEXT || r->cells == CELLS)
        return;
    *to = '[';
    memcpy(to + words, t.p, n);
    to[n + words] = ']';
    n += words ? 2 : 0;
    r->used += n;
    r->row.cell[r->cells] = (struct smi_text){to, n};
    smi_row_plan_add(&r->plan, v->kind, v->what, 0, r->cells++);
}

/* The path has a value. A MIG device is no GPU: its paths begin with another name. */
static void read_value(struct smi_reader *r, struct smi_text t)
{
    struct smi_text path = path_of(r);
    for (size_t i = 0; !r->deeper && i < smi_names_report.n; i++)
        if (smi_text_is(path, smi_names_report.list[i].name))
            keep_value(r, &smi_names_report.list[i], t);
}

/* ---- text ---- */

static bool is_title(struct smi_text t)
{
    return smi_text_starts_nocase(t, "==============NVSMI LOG");
}

/* "Name   : value", or a name alone: the value is empty. */
static struct smi_text split_name(struct smi_text t, struct smi_text *value)
{
    const char *colon = memmem(t.p, t.n, " :", 2);
    *value = (struct smi_text){NULL, 0};
    if (!colon)
        return t;
    *value = smi_text_trim(smi_text_between(colon + 2, t.p + t.n));
    return smi_text_trim(smi_text_between(t.p, colon));
}

/* "GPU 00000000:17:00.0" */
static struct smi_text read_bus(struct smi_text t)
{
    const bool gpu = smi_text_is(smi_text_word(&t), "GPU");
    struct smi_text bus = smi_text_word(&t); /* perhaps damaged: still that of a GPU */
    const bool joined = bus.n >= 12 && memchr(bus.p, ':', bus.n) && memchr(bus.p, '.', bus.n);
    bus.n *= gpu && joined && !smi_text_trim(t).n;
    return bus;
}

static int read_text_line(void *self, struct smi_text line)
{
    static const char *const headings[] = {
        "Timestamp", "Driver Version", "CUDA Version", "Attached GPUs", "HIC Info", "Product Name", NULL};
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line), value, name = split_name(t, &value), bus;
    const size_t indent = (size_t)(t.p - line.p);
    if (r->gpu && *line.p == ' ') {
        while (r->depth && r->at[r->depth - 1].indent >= indent)
            r->depth--;
        r->deeper = 0;
        push_name(r, name, indent);
        if (value.n && name.n)
            read_value(r, value);
        return smi_line_count(&r->row.lines.account->header);
    }
    bus = read_bus(t);
    end_gpu(r);
    if (!is_title(t) && !bus.n && !smi_text_is_one_of(name, headings))
        return smi_message_pass(&r->row.lines, line);
    if (smi_text_is(name, "Timestamp"))
        smi_text_copy(r->stamp, VALUE, value);
    if (!bus.n)
        return smi_line_count(&r->row.lines.account->header);
    begin_gpu(r, bus);
    return 0;
}

static enum smi_sniff sniff_text(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), value;
    return is_title(t) || (smi_text_is(split_name(t, &value), "Timestamp") && value.n) ? SMI_SNIFF_LIKELY
                                                                                       : SMI_SNIFF_NO;
}

/* ---- XML ---- */

/* &lt; and the like; what is none of the five stays. */
static size_t decode_entities(struct smi_text t, char to[VALUE])
{
    static const char *const entities[] = {"<lt;", ">gt;", "&amp;", "\"quot;",
                                           "'apos;"}; /* behind its character */
    size_t n = 0;
    for (size_t i = 0; i < t.n && n < VALUE; n++) {
        to[n] = t.p[i++];
        for (size_t k = 0; to[n] == '&' && k < sizeof entities / sizeof *entities; k++)
            if (smi_text_starts_nocase(smi_text_from(t, i), entities[k] + 1)) {
                to[n] = *entities[k];
                i += strlen(entities[k]) - 1;
                break;
            }
    }
    return n;
}

/* A tag, with the text in front of it. *rows: lines of GPUs that this line opened. */
static void read_tag(struct smi_reader *r, struct smi_text before, struct smi_text tag, int *rows)
{
    char text[VALUE];
    struct smi_text rest = tag, name, value = smi_text_trim(before);
    const char *from, *to;
    bool closes = *tag.p == '/', empty = tag.p[tag.n - 1] == '/';
    if (closes)
        rest = smi_text_from(tag, 1);
    name = smi_text_word(&rest);
    if (memchr("?!", *tag.p, 2) || smi_text_is(name, "nvidia_smi_log")) {
        r->open = !closes;
        end_gpu(r);
        return;
    }
    if (smi_text_is(name, "gpu")) {
        end_gpu(r);
        from = memmem(tag.p, tag.n, "id=\"", 4); /* id="00000000:17:00.0" */
        to = from ? memchr(from + 4, '"', (size_t)(tag.p + tag.n - from - 4)) : NULL;
        if (!closes)
            begin_gpu(r, to ? smi_text_between(from + 4, to) : (struct smi_text){"", 0});
        *rows += !closes;
        return;
    }
    if (closes && value.n) {
        value = (struct smi_text){text, decode_entities(value, text)};
        if (!r->gpu && smi_text_is(name, "timestamp"))
            smi_text_copy(r->stamp, VALUE, value);
        else if (r->gpu && r->depth)
            read_value(r, value);
    }
    if (closes && r->deeper)
        r->deeper--;
    else if (closes)
        r->depth -= r->depth > 0;
    else if (!empty)
        push_name(r, name, 0);
}

static int read_xml_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    int rows = 0;
    if ((!r->open || *t.p != '<') && !smi_text_starts_nocase(t, "<?xml") &&
        !smi_text_starts_nocase(t, "<!DOCTYPE nvidia_smi_log") &&
        !smi_text_starts_nocase(t, "<nvidia_smi_log"))
        return smi_message_pass(&r->row.lines, line);
    for (const char *p = t.p, *end = t.p + t.n, *open, *close;
         (open = memchr(p, '<', (size_t)(end - p))) && (close = memchr(open, '>', (size_t)(end - open)));
         p = close + 1) {
        const struct smi_text tag = smi_text_between(open + 1, close);
        if (tag.n)
            read_tag(r, smi_text_between(p, open), tag, &rows);
    }
    r->row.lines.account->header += rows == 0;
    r->extra += rows > 1 ? rows - 1 : 0;
    return 0;
}

static enum smi_sniff sniff_xml(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return memmem(t.p, t.n, "<nvidia_smi_log>", 16) ? SMI_SNIFF_LIKELY : SMI_SNIFF_NO;
}

static bool is_end_of_xml(void *self, struct smi_text line)
{
    (void)self;
    return smi_text_is(smi_text_trim(line), "</nvidia_smi_log>");
}

/* ---- both ---- */

static void finish_report(struct smi_reader *r)
{
    end_gpu(r);
    r->row.lines.account->lines += r->extra;
    r->extra = 0;
}

/* "4799 MB" of old drivers are MiB, too; "16x" is a number of lanes. */
static enum smi_cell_status read_report_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                             struct smi_text t, int64_t *v)
{
    (void)row;
    if (c->what == SMI_PCIE_WIDTH || c->what == SMI_PCIE_WIDTH_MAX)
        t.n -= t.n && t.p[t.n - 1] == 'x';
    return smi_cell_number(c->what, smi_units, 0, t, v);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_CELL_FAULTS | SMI_TABLE_DEVICES,
    .columns = CELLS,
    .time = smi_row_time_stamp,
    .cell = read_report_cell,
};

const struct smi_format smi_format_report = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_text,
    .line = read_text_line,
    .finish = finish_report,
    .table = &table,
};

const struct smi_format smi_format_report_xml = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_xml,
    .line = read_xml_line,
    .finish = finish_report,
    .whole = is_end_of_xml,
    .table = &table,
};
