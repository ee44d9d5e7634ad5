/* warnings.c - the voice on standard error: warnings in one shape, few of each kind, and the progress line.
 */
#include "cli/settings.h"
#include "report/text_report.h"

#include <limits.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 5, SILENT_MS = 1000, STEP_MS = 200 };

/* smilog: run/hw.csv:17: warning: text */
static void begin_warning(struct smi_buf *b, struct smi_text dir, const char *path, int64_t at,
                          const char *text)
{
    static const char opened[] = "cannot open ";
    const size_t n = sizeof opened - 1;
    const bool names_path =
        path && !dir.n && strncmp(text, opened, n) == 0 && strncmp(text + n, path, strlen(path)) == 0;
    smi_buf_str(b, "smilog: ");
    if (dir.n) {
        smi_buf_name(b, dir);
        smi_buf_str(b, path ? "/" : "");
    }
    if (path && !names_path)
        smi_buf_name(b, smi_text_of(path));
    if (at > 0)
        smi_buf_fmt(b, ":%lld", (long long)at);
    smi_buf_str(b, names_path ? "warning: " : ": warning: ");
    smi_buf_safe(b, smi_text_of(text));
}

static void add_warning(struct smi_buf *b, struct smi_text dir, const char *path, const char *text)
{
    begin_warning(b, dir, path, 0, text);
    smi_buf_char(b, '\n');
}

static struct smi_text file_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return smi_text_of(slash && slash[1] ? slash + 1 : path);
}

/* The directory of an input as the run's name has it: a run that shares it with others has a piece of its own
 * in its name. */
static struct smi_text run_dir_of(const struct smi_sweep *s, const struct smi_summary *run,
                                  const struct smi_input *in)
{
    struct smi_text name = smi_text_of(run->run), last = file_name_of(run->run),
                    place = file_name_of(run->path ? run->path : run->run);
    if (s->n < 2 || strcmp(run->run, in->path) == 0)
        return smi_text_of("");
    if (place.n >= last.n && memcmp(last.p, place.p, last.n) == 0 && !smi_text_is(place, in->path) &&
        (place.n == last.n || place.p[last.n] == '.')) /* the directory, or the archive */
        return name;
    for (const char *p = run->path ? strstr(run->path, name.p) : NULL; p; p = strstr(p + 1, name.p))
        if (p[name.n] == '/' &&
            (p == run->path || p[-1] == '/')) /* the name stops above the logs: W&B's files/ */
            return smi_text_of(p);
    return last.p > name.p ? (struct smi_text){name.p, (size_t)(last.p - name.p) - 1} : smi_text_of("");
}

/* If there are more than `most` of them. */
static void add_more_line(struct smi_buf *b, size_t all, size_t most, const char *of)
{
    if (all > most)
        smi_buf_fmt(b, "smilog: warning: %zu more %s\n", all - most, of);
}

/* Why a number is absent is no doubt, and stands in the output; that GPUs were mixed up is one. Returns of
 * how many. */
static size_t warn_runs(struct smi_buf *b, const struct smi_sweep *s, size_t most)
{
    size_t all = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (s->runs[i].doubt && all++ < most)
            add_warning(b, smi_text_of(s->runs[i].run), NULL, s->runs[i].doubt);
    add_more_line(b, all, most, "runs whose GPUs could not be told apart");
    return all;
}

/* Words of --gpus that mean no GPU of any run; whether there are any. */
static bool warn_gpus(struct smi_buf *b, const struct smi_sweep *s, const char *list)
{
    uint64_t meant = s->gpus_meant;
    struct smi_text word;
    bool some = false;
    if (!list || strcmp(list, "all") == 0 || strcmp(list, "auto") == 0)
        return false;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        meant |= s->runs[i].gpus_meant;
    for (unsigned i = 0; i < 64 && smi_text_next_item(&list, &word); i++)
        if (!(meant >> i & 1)) {
            smi_buf_fmt(b, "smilog: warning: --gpus %.*s: no log has such a GPU\n", (int)word.n, word.p);
            some = true;
        }
    return some;
}

static void warn_lines(struct smi_buf *b, const struct smi_sweep *s, int64_t most)
{
    int64_t sum[SMI_REJECT_COUNT] = {0}, all = 0, told = 0, shown = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ninputs; k++) {
            const struct smi_input *in = &s->runs[i].inputs[k];
            for (int r = 0; r < SMI_REJECT_COUNT; r++)
                sum[r] += in->account.rejected[r];
            for (size_t r = 0; r < sizeof in->account.said / sizeof *in->account.said; r++)
                all += in->account.said[r];
            for (size_t j = 0; j < in->account.problems && shown < most; j++) {
                int64_t lines = smi_warning_lines(&in->account, j);
                const struct smi_log_warning *p = &in->account.problem[j];
                if (lines == 0)
                    continue;
                told += lines;
                shown++;
                begin_warning(b, run_dir_of(s, &s->runs[i], in), in->path, p->line, p->text);
                smi_buf_fmt(b, lines > 1 ? " (%lld such lines)\n" : "\n", (long long)lines);
            }
        }
    if (all <= told)
        return;
    smi_buf_fmt(b, "smilog: warning: %lld more lines that are odd", (long long)(all - told));
    for (int k = 0, some = 0; k < SMI_REJECT_COUNT; k++)
        if (sum[k])
            smi_buf_fmt(b, "%s %lld %s", some++ ? "," : "; rejected in all:", (long long)sum[k],
                        smi_reject_names[k]);
    smi_buf_char(b, '\n');
}

/* Logs of GPUs that hold no row: the monitor wrote nothing but its header. Without a process, one of
 * processes does too. Returns how many. */
static size_t warn_empty_runs(struct smi_buf *b, const struct smi_sweep *s, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ninputs; k++) {
            const struct smi_input *in = &s->runs[i].inputs[k];
            const struct smi_account *a = &in->account;
            if (!in->gpu || a->rows || smi_account_rejected(a) > a->rejected[SMI_REJECT_TORN_TAIL])
                continue;
            if (n++ < most)
                add_warning(b, run_dir_of(s, &s->runs[i], in), in->path,
                            !a->header                              ? "has no data"
                            : a->rejected[SMI_REJECT_TORN_TAIL] > 0 ? "has a header but no complete row"
                                                                    : "has a header but no data");
        }
    add_more_line(b, n, most, "logs without data");
    return n;
}

/* --- prices --- */

enum { NAMES = 5 /* of GPUs that are printed */ };

/* Appends the names of the GPUs of the sweep, all or those with time and without a price, each once: "H100,
 * A100, GPUs that no log names". Returns whether any has a name. */
static bool write_models(struct smi_buf *to, const struct smi_sweep *s, bool unpriced)
{
    const char *name[NAMES], *comma = "";
    size_t n = 0, at;
    bool more = false, nameless = false;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (const struct smi_gpu *g = s->runs[i].gpus; g < s->runs[i].gpus + s->runs[i].ngpus; g++) {
            if (unpriced && (g->price.has || g->covered_ms <= 0))
                continue;
            for (at = 0; g->name && at < n && strcmp(name[at], g->name) != 0; at++)
                ;
            nameless |= !g->name;
            more |= g->name && at == NAMES;
            if (g->name && at == n && n < NAMES)
                name[n++] = g->name;
        }
    for (at = 0; at < n; at++, comma = ", ") {
        smi_buf_str(to, comma);
        smi_buf_safe(to, smi_text_of(name[at]));
    }
    smi_buf_fmt(to, more ? "%sothers" : "", comma);
    smi_buf_fmt(to, nameless ? "%sGPUs that no log names" : "", comma);
    return n > 0;
}

static bool has_model(const struct smi_sweep *s, const struct smi_price *row)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++)
            if (smi_price_names(row, s->runs[i].gpus[k].name))
                return true;
    return false;
}

/* Prices of models that no GPU of the sweep has in its name, and GPUs without a price. */
static void warn_prices(struct smi_buf *to, const struct smi_sweep *s, const struct smi_settings *set)
{
    const struct smi_prices *p = &set->prices;
    const bool typed = !smi_settings_file_has(set->price_hour); /* a settings file has all models of a site */
    struct smi_buf all = {0}, without = {0};
    const bool named = write_models(&all, s, false);
    bool told = false;
    for (size_t i = 0; i < p->n && all.n; i++)
        if (typed && p->gpu[i].model.n && !has_model(s, &p->gpu[i])) {
            told = true;
            smi_buf_str(to, "smilog: warning: --price-gpu-hour ");
            smi_buf_safe(to, p->gpu[i].model);
            smi_buf_fmt(
                to,
                named
                    ? ": no GPU has that in its name; there are %s\n"
                    : ": no log names its GPUs; a number alone, as --price-gpu-hour 2, is for all of them\n",
                all.p);
        }
    if (p->n)
        write_models(&without, s, true);
    if (without.n && !(told && strcmp(all.p, without.p) == 0)) /* else they were listed above */
        smi_buf_fmt(to,
                    "smilog: warning: without a price: %s; a number beside the models is for all others\n",
                    without.p);
    smi_buf_fini(&all);
    smi_buf_fini(&without);
}

/* --- all of them --- */

int smi_print_warnings(const struct smi_sweep *s, const struct smi_settings *set)
{
    struct smi_buf b = {0};
    size_t most = set->look.verbose ? SIZE_MAX : FIRST;
    bool doubtful = s->total.doubts > 0 || s->trouble.n > 0 || s->doubtful_notes > 0, fatal = false;
    for (size_t i = 0; i < s->trouble.n; i++) {
        fatal |= s->trouble.list[i].fatal;
        if (i < most)
            add_warning(&b, smi_text_of(""), s->trouble.list[i].path, s->trouble.list[i].text);
    }
    add_more_line(&b, s->trouble.n, most, "files or paths that could not be used (-v names them)");
    for (size_t i = 0; i < s->note.n && i < most; i++) {
        begin_warning(&b, smi_text_of(""), s->note.list[i].path, 0, s->note.list[i].text);
        smi_buf_fmt(&b, s->note.list[i].more ? " (%lld such)\n" : "\n", (long long)s->note.list[i].more + 1);
    }
    add_more_line(&b, s->note.n, most, "of this kind (-v names them)");
    if (s->overlap && !set->ask.where && !set->ask.since &&
        !set->ask.until) /* else of the runs that are left */
        add_warning(&b, smi_text_of(""), "total", s->overlap);
    if (s->beside && !set->json && !(set->format && strncmp(set->format, "json", 4) == 0)) /* it has inputs */
        smi_buf_fmt(&b, "smilog: also read: %s\n", s->beside);
    doubtful |= warn_runs(&b, s, most) > 0;
    doubtful |= warn_empty_runs(&b, s, most) > 0;
    warn_prices(&b, s, set);
    doubtful |= warn_gpus(&b, s, set->partial ? NULL : set->o.gpus);
    warn_lines(&b, s, set->look.verbose ? INT64_MAX : FIRST);
    if (set->partial && s->total.doubts > 0)
        smi_buf_fmt(&b, "smilog: warning: %lld line%s not used: smilog merge names them\n",
                    (long long)s->total.doubts, s->total.doubts == 1 ? "" : "s");
    if (s->links && !set->d.follow_links)
        smi_buf_fmt(&b, "smilog: links inside directories that were not followed: %lld (--follow-links)\n",
                    (long long)s->links);
    for (size_t i = 0; set->look.verbose && i < s->npassed; i++) {
        smi_buf_str(&b, "smilog: ");
        smi_buf_safe(&b, smi_text_of(s->passed[i]));
        smi_buf_str(&b, smi_side_kind(s->passed[i]) == SMI_SIDE_JSON
                            ? ": smilog's own summary, no log, skipped\n"
                            : ": no log, skipped\n");
    }
    if (set->look.quiet)
        smi_buf_clear(&b);
    smi_tell(&b);
    return doubtful && set->strict ? SMI_EXIT_WARNING : fatal ? SMI_EXIT_NOTHING : SMI_EXIT_OK;
}

/* Bytes that this process has read, of files and pipes. */
static int64_t bytes_read(void)
{
    long long n = 0;
    FILE *f = fopen("/proc/self/io", "re");
    if (!f)
        return 0;
    n = fscanf(f, "rchar: %lld", &n) == 1 ? n : 0;
    fclose(f);
    return n;
}

static void *watch_reading(void *self)
{
    struct smi_progress *p = self;
    struct pollfd over = {.fd = p->over, .events = POLLIN};
    const int64_t before = bytes_read();
    struct smi_buf b = {0};
    bool shown = false;
    while (poll(&over, 1, STEP_MS) <= 0) {
        const int64_t now = smi_clock_now_ms(), since = now - p->start_ms;
        const bool silent = since >= 2 * SILENT_MS && now - p->last_ms >= SILENT_MS; /* within one log */
        if (since < SILENT_MS)
            continue;
        shown = true;
        if (p->all)
            smi_buf_fmt(&b, "\r\033[Ksmilog: %zu of %zu runs%s", p->done, p->all,
                        p->again ? ", read a second time" : "");
        else if (silent)
            smi_buf_str(&b, "\r\033[Ksmilog: reading");
        else
            smi_buf_fmt(&b, "\r\033[Ksmilog: looking for logs: %zu files and directories", p->done);
        if (silent)
            smi_buf_fmt(&b, ", %.1f MB so far", (double)(bytes_read() - before) / 1e6);
        smi_tell(&b);
    }
    smi_buf_str(&b, shown ? "\r\033[K" : "");
    smi_tell(&b);
    return NULL;
}

void smi_progress(void *self, size_t done, size_t all)
{
    struct smi_progress *p = self;
    p->done = done;
    p->all = all;
    p->last_ms = smi_clock_now_ms();
    if (!p->begun && isatty(2)) {
        p->over = eventfd(0, EFD_CLOEXEC);
        p->watched = p->over >= 0 && !pthread_create(&p->watcher, NULL, watch_reading, p);
    }
    p->begun = true;
}

void smi_progress_end(struct smi_progress *p)
{
    if (!p->watched)
        return;
    eventfd_write(p->over, 1);
    pthread_join(p->watcher, NULL);
    close(p->over);
    p->watched = false;
}

int smi_record_settings_claim(struct smi_record_settings *s, struct smi_live_opts *o, struct smi_err *err)
{
    struct stat st;
    int k = s->dir ? smi_live_claim(s->dir, INT_MAX, s->own_dir, sizeof s->own_dir, err) : 0;
    if (k > 1 && (stat(s->dir, &st) != 0 || !S_ISDIR(st.st_mode)))
        fprintf(stderr, "smilog: %s is not a directory: the recording goes to %s\n", s->dir, s->own_dir);
    else if (k > 1)
        fprintf(stderr, "smilog: %s already holds a recording: this one goes to %s\n", s->dir, s->own_dir);
    o->recording = k > 1 ? k : 0;
    o->dir = s->dir = k > 0 ? s->own_dir : NULL;
    return k < 0 ? -1 : 0;
}
