/* test_tui.c - the screen as a picture: at every size, in any state, whatever the logs call their GPUs, it
 * fits, says whether there are alerts, and leaves out no GPU while there is room. */
#include "picture.h"
#include "live/alert.h"
#include "live/machine.h"
#include "live/tui.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned long seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

/* ---- states ---- */

static const char *const names[] = {
    "NVIDIA H100 80GB HBM3",
    "\x1b[31mred\x1b[2J",
    "\xe5\xa4\xa7\xe5\x9e\x8b GPU \xe8\xae\xa1\xe7\xae\x97",
    "e\xcc\x81\xcc\x81\xcc\x81 combining",
    "\xff\xfe no UTF-8 \x80",
    "\xe2\x80\xae turned round",
    "",
    ("a name that is a great deal longer than any terminal that anybody would "
     "think of using for this is wide, and on")};
enum { NAMES = sizeof names / sizeof *names };

struct state {
    struct smi_machine *n;
    struct smi_alert_actions alerts;
    int source, gpus;
    int64_t mono;
};

static const char head[] =
    "timestamp, index, uuid, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], "
    "memory.total [MiB], power.draw [W], power.limit [W], temperature.gpu, clocks.sm [MHz], "
    "clocks_event_reasons.sw_thermal_slowdown\n";

static void feed(struct state *s, const char *text)
{
    struct smi_err err = {0};
    if (smi_machine_feed(s->n->source[s->source], text, strlen(text), s->mono, &err))
        fail_msg("%s", err.text);
}

static struct state begin(int gpus)
{
    const struct smi_machine_opts o = {.has_offset = true};
    struct state s = {.gpus = gpus, .mono = 1000};
    s.n = smi_machine_new(&o);
    assert_int_equal(smi_alert_actions_init(&s.alerts, NULL, NULL), 0);
    s.source = smi_machine_add_source(s.n, "query", -1, 1000)->place;
    feed(&s, head);
    return s;
}

/* A second goes by; GPUs of which `silent` is the number say nothing, `idle` does nothing, `hot` is slowed.
 */
static void second(struct state *s, const char *name, int silent, int idle, int hot)
{
    char row[600];
    s->mono += 1000;
    for (int i = 0; i < s->gpus; i++) {
        int64_t t = s->mono / 1000;
        if (i == silent)
            continue;
        snprintf(row, sizeof row,
                 "2026/07/04 %02d:%02d:%02d.000, %d, GPU-%04d, %s, %d %%, 40 %%, 70000 MiB, 81559 MiB, %d.50 "
                 "W, 700.00 W, "
                 "%d, 1755 MHz, %s\n",
                 (int)(t / 3600), (int)(t / 60 % 60), (int)(t % 60), i, i, name,
                 i == idle ? 0 : 60 + (int)(t + i) % 40, 300 + (int)(t * 7 + i) % 400, i == hot ? 88 : 61,
                 i == hot ? "Active" : "Not Active");
        feed(s, row);
    }
    smi_machine_tick(s->n, s->mono);
    s->alerts.now = s->n;
    smi_alert_actions_check(&s->alerts, s->mono);
}

static void end(struct state *s)
{
    smi_alert_actions_fini(&s->alerts);
    smi_machine_free(s->n);
}

/* ---- pictures ---- */

static struct smi_tui_info about(void)
{
    return (struct smi_tui_info){.what = "smilog live",
                                 .host = "node7",
                                 .interval_ms = 1000,
                                 .recording = "serve-7",
                                 .sources = "monitors",
                                 .cpu_micro = 2000,
                                 .memory_kib = 7800};
}

static void picture(struct picture *c, const struct state *s, struct smi_view *v, int width, int height,
                    bool utf8, bool color)
{
    struct smi_tui_info a = about();
    a.color = color;
    c->width = width;
    c->height = height;
    c->utf8 = utf8;
    smi_buf_clear(&c->text);
    smi_tui_frame(&c->text, width, height, utf8, s->n, &a, v);
}

static const char *line(const struct picture *c, int y)
{
    static struct smi_buf b;
    const struct smi_text t = picture_line(c, y);
    smi_buf_clear(&b);
    smi_buf_str(&b, "");
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] == '\x1b')
            i += strcspn(t.p + i, "m");
        else
            smi_buf_char(&b, t.p[i]);
    return b.p;
}

static bool has_line(const struct picture *c, const char *text)
{
    for (int y = 0; y < c->height; y++)
        if (strstr(line(c, y), text))
            return true;
    return false;
}

/* The rows of GPUs that are there. */
static int rows(const struct picture *c)
{
    int k = 0, number;
    for (int y = 0; y < c->height; y++) {
        const char *l = line(c, y);
        if (strlen(l) > 4 && l[0] != '1' && strspn(l, " ") < 3 && strspn(l, " 0123456789") >= 3 &&
            l[3] == ' ' && sscanf(l, "%d", &number) == 1)
            k++;
    }
    return k;
}

static void sane(const struct picture *c)
{
    assert_string_equal(picture_line(c, c->height).p, ""); /* there are no more lines */
    for (int y = 0; y < c->height; y++) {
        const char *l = line(c, y);
        if (smi_text_width(l) > c->width)
            fail_msg("%d columns in line %d: %s", c->width, y, l);
        assert_true(smi_text_is_utf8(smi_text_of(l)));
        for (const char *p = l; *p; p++)
            if ((unsigned char)*p < ' ' || *p == 127 || (!c->utf8 && (unsigned char)*p > 126))
                fail_msg("byte %02x in line %d: %s", (unsigned char)*p, y, l);
    }
}

static const int keys[] = {'?',
                           'p',
                           's',
                           'g',
                           'w',
                           'a',
                           '/',
                           'e',
                           ' ',
                           27,
                           '0',
                           '7',
                           'x',
                           13,
                           127,
                           SMI_TUI_KEY_UP,
                           SMI_TUI_KEY_DOWN,
                           SMI_TUI_KEY_PAGE_DOWN,
                           SMI_TUI_KEY_END,
                           SMI_TUI_KEY_HOME,
                           SMI_TUI_KEY_LEFT,
                           SMI_TUI_KEY_RIGHT,
                           SMI_TUI_KEY_RESIZE,
                           0xe5,
                           0xa4};

static void any_state_fits_any_size(void **state)
{
    struct picture c = {0};
    (void)state;
    for (int round = 0; round < rounds(60, 20); round++) {
        struct state s = begin((int[]){0, 1, 2, 8, 16, 40, 256}[draw(7)]);
        struct smi_view v;
        v = (struct smi_view){.window = 0};
        for (int i = 0; i < 12; i++)
            second(&s, names[draw(NAMES)], i > 6 ? 1 : -1, 0, 2);
        for (int i = 0; i < 8; i++)
            smi_machine_add_event(s.n, (enum smi_event_kind)draw(6), "%s", names[draw(NAMES)]);
        smi_machine_phase_ended(s.n, smi_text_of(names[draw(NAMES)]), 5000, s.n->t_ms);
        for (int i = 0; i < 25; i++) {
            smi_view_key(&v, keys[draw(sizeof keys / sizeof *keys)], s.n, NULL);
            picture(&c, &s, &v, 1 + (int)draw(i % 2 ? 200 : 40), 1 + (int)draw(i % 3 ? 60 : 8), draw(2),
                    draw(2));
            sane(&c);
        }
        end(&s);
    }
    smi_buf_fini(&c.text);
}

/* The processes of a GPU, those with the most memory first; how many more there are is said. */
static void one_gpu_lists_its_processes(void **state)
{
    static const struct {
        int processes, height;
        const char *has[3];
    } row[] = {{0, 24, {"not known (live --apps", "SM clock", "use"}},
               {2, 24, {"2101  2.0  job2", "2100  1.0  job1", "temperature"}},
               {9, 24, {"2108  9.0  job9", "2106  7.0  job7", "1-3 of 9"}},
               {9, 40, {"2108  9.0  job9", "2104  5.0  job5", "1-5 of 9"}},
               {90, 30, {"1-5 of 90", "SM clock", "clocks held down by"}},
               {9, 12, {"processes  9", "use", "memory"}}};
    struct picture c = {0};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct state s = begin(2);
        struct smi_view v;
        char text[300];
        v = (struct smi_view){.window = 0};
        second(&s, names[0], -1, -1, -1);
        if (row[i].processes) {
            s.source = smi_machine_add_source(s.n, "apps", -1, 1000)->place;
            feed(&s, "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n");
        }
        for (int k = 0; k < row[i].processes; k++) {
            snprintf(text, sizeof text, "2026/07/04 00:00:02.000, GPU-0001, %d, job%d, %d MiB\n", 2100 + k,
                     k + 1, (k + 1) * 1024);
            feed(&s, text);
        }
        smi_view_key(&v, 'g', s.n, NULL);
        smi_view_key(&v, '1', s.n, NULL);
        picture(&c, &s, &v, 80, row[i].height, true, true);
        sane(&c);
        for (int k = 0; k < 3; k++) {
            bool found = false;
            for (int y = 0; y < c.height; y++) { /* columns are wider or narrower */
                char squeezed[1000];
                size_t n = 0;
                for (const char *p = line(&c, y); *p && n + 1 < sizeof squeezed; p++)
                    if (*p != ' ' || n < 2 || squeezed[n - 1] != ' ' || squeezed[n - 2] != ' ')
                        squeezed[n++] = *p;
                squeezed[n] = 0;
                found |= strstr(squeezed, row[i].has[k]) != NULL;
            }
            if (!found)
                fail_msg("%d processes, %d lines: no \"%s\"", row[i].processes, row[i].height, row[i].has[k]);
        }
        end(&s);
    }
    smi_buf_fini(&c.text);
}

/* A GPU of a machine with many is chosen by all digits of its number. */
static void numbers_of_gpus(void **state)
{
    static const struct {
        const char *keys;
        int gpu;
    } row[] = {{"g4", 4}, {"g42", 42}, {"g420", 0}, {"g731", 31}, {"g49", 9}, {"g4gg2", 2}};
    struct state s = begin(48);
    struct smi_view v;
    (void)state;
    second(&s, names[0], -1, -1, -1);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        v = (struct smi_view){.window = 0};
        for (const char *k = row[i].keys; *k; k++)
            smi_view_key(&v, *k, s.n, NULL);
        assert_int_equal(s.n->gpu[v.gpu]->index, row[i].gpu);
    }
    end(&s);
}

/* The curves fill the line from the first minute on: their window grows with the run, unless another one
 * was chosen. */
static void the_window_grows_with_the_run(void **state)
{
    static const struct {
        int seconds, window;
        const char *head;
    } row[] = {{30, 0, "LAST 1 MIN"}, {90, 0, "LAST 2 MIN"},   {200, 0, "LAST 5 MIN"},
               {90, 1, "LAST HOUR"},  {700, 0, "LAST 10 MIN"}, {700, 1, "LAST HOUR"},
               {30, 2, "WHOLE RUN"},  {200, 3, "LAST 1 MIN"}};
    struct picture c = {0};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct state s = begin(2);
        struct smi_view v;
        v = (struct smi_view){.window = row[i].window};
        for (int k = 0; k < row[i].seconds; k++)
            second(&s, names[0], -1, -1, -1);
        picture(&c, &s, &v, 160, 30, true, true);
        sane(&c);
        if (!has_line(&c, row[i].head))
            fail_msg("after %d s: no \"%s\"", row[i].seconds, row[i].head);
        end(&s);
    }
    smi_buf_fini(&c.text);
}

/* And they do what they always do; a new size of the window is no key. */
static void any_key_ends_a_pause(void **state)
{
    static const int pressed[] = {
        'p', ' ', 's', 'w', 'g', 'a', '/', 'e', '?', '0', SMI_TUI_KEY_UP, SMI_TUI_KEY_ESCAPE};
    struct state s = begin(2);
    (void)state;
    second(&s, names[0], -1, -1, -1);
    for (size_t i = 0; i < sizeof pressed / sizeof *pressed; i++) {
        struct smi_view v, as_always;
        memset(&v, 0, sizeof v);
        memset(&as_always, 0, sizeof as_always);
        assert_int_equal(smi_view_key(&v, 'p', s.n, NULL), SMI_VIEW_DRAW);
        assert_true(v.paused);
        assert_int_equal(smi_view_key(&v, SMI_TUI_KEY_RESIZE, s.n, NULL), SMI_VIEW_DRAW);
        assert_true(v.paused);
        const enum smi_view_action did = smi_view_key(&v, pressed[i], s.n, NULL);
        assert_false(v.paused);
        if (pressed[i] == 'p')
            continue;
        assert_int_equal(smi_view_key(&as_always, pressed[i], s.n, NULL), did);
        assert_memory_equal(&v, &as_always, sizeof v);
    }
    end(&s);
}

static void the_alert_line_is_always_there(void **state)
{
    struct picture c = {0};
    struct state s = begin(8);
    struct smi_view v;
    (void)state;
    v = (struct smi_view){.window = 0};
    second(&s, names[0], -1, -1, -1);
    for (int height = 1; height < 60; height++)
        for (int width = 20; width < 160; width += 7) {
            picture(&c, &s, &v, width, height, true, true);
            assert_string_equal(line(&c, height > 2), "no alerts");
        }
    for (int i = 0; i < 310; i++)
        second(&s, names[0], -1, 4, -1);
    for (int height = 1; height < 60; height++)
        for (int width = 20; width < 160; width += 7) {
            picture(&c, &s, &v, width, height, true, true);
            assert_non_null(strstr(line(&c, height > 2), "\u25b2 1 ALERT"));
            assert_true(width < 40 || strstr(line(&c, height > 2), "GPU 4 idle"));
        }
    end(&s);
    smi_buf_fini(&c.text);
}

/* GPUs never go: there are fewer of them only where there are no lines for more, and then nothing else is
 * there. */
static void gpus_are_there_while_there_is_room(void **state)
{
    static const int many[] = {2, 8, 16, 40};
    struct picture c = {0};
    (void)state;
    for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
        struct state s = begin(many[k]);
        struct smi_view v;
        v = (struct smi_view){.window = 0};
        for (int i = 0; i < 3; i++)
            second(&s, names[0], -1, -1, -1);
        for (int height = 6; height < 70; height++)
            for (int width = 40; width < 150; width += 20) {
                int room = height - 5, want = many[k] < room ? many[k] : room;
                picture(&c, &s, &v, width, height, true, true);
                if (rows(&c) != want)
                    fail_msg("%d GPUs, not %d, of %d at %dx%d", rows(&c), want, many[k], width, height);
            }
        end(&s);
    }
    smi_buf_fini(&c.text);
}

static void a_healthy_state_has_no_mark(void **state)
{
    struct picture c = {0};
    struct state s = begin(8);
    struct smi_view v;
    (void)state;
    v = (struct smi_view){.window = 0};
    for (int i = 0; i < 400; i++)
        second(&s, names[0], -1, -1, -1);
    for (int width = 40; width < 160; width += 20) {
        picture(&c, &s, &v, width, 50, true, true);
        for (int y = 0; y < c.height; y++)
            if (strchr(line(&c, y), '!'))
                fail_msg("a mark: %s", line(&c, y));
        for (int y = 0; y < c.height; y++) {
            int style[SMI_TUI_MOST];
            picture_styles(&c, y, style);
            for (int x = 0; x < c.width; x++)
                assert_true(style[x] != 33 && style[x] != 31);
        }
    }
    end(&s);
    smi_buf_fini(&c.text);
}

static void what_is_wrong_is_marked(void **state)
{
    struct picture c = {0};
    struct state s = begin(8);
    struct smi_view v;
    (void)state;
    v = (struct smi_view){.window = 0};
    for (int i = 0; i < 320; i++)
        second(&s, names[0], i > 300 ? 7 : -1, 4, 6);
    picture(&c, &s, &v, 100, 30, true, true);
    assert_true(has_line(&c, " 0 %!"));
    assert_true(has_line(&c, "  88!"));
    assert_true(has_line(&c, "idle 5m"));
    assert_true(has_line(&c, "  thermal"));
    assert_true(has_line(&c, "reading 19 s old"));
    assert_true(has_line(&c, "VRAM GiB, a GPU        68.4  68.4  68.4 "));
    assert_false(has_line(&c, "reserved"));    /* of which there is no evidence here */
    picture(&c, &s, &v, 80, 24, false, false); /* old numbers are never shown as new ones */
    assert_true(has_line(&c, "  7                  - "));
    assert_true(has_line(&c, "GPU 7: reading 19 s old"));
    end(&s);
    smi_buf_fini(&c.text);
}

/* GPU 0: slowed by heat, then readings that fail, then all is well again. */
static void what_happened_is_marked_at_its_time(void **state)
{
    static const int order[] = {33, 31, 0};
    struct picture c = {0};
    struct state s = begin(2);
    struct smi_view v;
    int y = 0, k = 0, style[SMI_TUI_MOST];
    (void)state;
    v = (struct smi_view){.window = 0};
    for (int i = 0; i < 460; i++) {
        if (i == 60)
            feed(
                &s,
                "2026/07/04 00:01:01.500, 0, GPU-0000, a, [Unknown Error], [Unknown Error], [Unknown Error], "
                "[Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error], "
                "[Unknown Error]\n");
        second(&s, "a", -1, -1, i > 3 && i < 9 ? 0 : -1);
    }
    picture(&c, &s, &v, 140, 24, true, true);
    while (y < c.height && strncmp(line(&c, y), "  0  ", 5) != 0)
        y++;
    assert_true(y < c.height);
    picture_styles(&c, y, style);
    for (int x = 0; x < c.width && k < 3; x++)
        k += style[x] == order[k] && (k < 2 || strstr(line(&c, y), "\u2588"));
    assert_int_equal(k, 3);
    picture_styles(&c, y + 1, style);
    for (int x = 0; x < c.width; x++)
        assert_true(style[x] != 33 && style[x] != 31);
    end(&s);
    smi_buf_fini(&c.text);
}

/* ---- keys ---- */

static void press(struct state *s, struct smi_view *v, const char *text)
{
    for (; *text; text++)
        smi_view_key(v, (unsigned char)*text, s->n, NULL);
}

static void keys_change_what_is_shown(void **state)
{
    struct picture c = {0};
    struct state s = begin(8);
    struct smi_view v;
    (void)state;
    v = (struct smi_view){.window = 0};
    for (int i = 0; i < 320; i++)
        second(&s, names[0], -1, 4, -1);
    press(&s, &v, "/idle\r");
    picture(&c, &s, &v, 100, 30, true, true);
    assert_int_equal(rows(&c), 1);
    assert_true(has_line(&c, "  4 "));
    assert_int_equal(smi_view_key(&v, SMI_TUI_KEY_ESCAPE, s.n, NULL), SMI_VIEW_DRAW);
    press(&s, &v, "/1, 3\r");
    picture(&c, &s, &v, 100, 30, true, true);
    assert_int_equal(rows(&c), 2);
    press(&s, &v, "/4\r"); /* another one, not one more word of the last one */
    picture(&c, &s, &v, 100, 30, false, true);
    assert_int_equal(rows(&c), 1);
    assert_non_null(strstr(line(&c, 29), "/ 4  "));
    assert_false(has_line(&c, "||")); /* before the first reading nothing is, and looks like nothing */
    assert_true(has_line(&c, ".."));
    smi_view_key(&v, SMI_TUI_KEY_ESCAPE, s.n, NULL);
    press(&s, &v, "g4");
    picture(&c, &s, &v, 100, 40, true, true);
    assert_true(has_line(&c, "GPU 4  NVIDIA H100 80GB HBM3"));
    assert_true(has_line(&c, "clocks held down by"));
    press(&s, &v, "gw");
    picture(&c, &s, &v, 100, 30, true, true);
    assert_true(has_line(&c, "LAST HOUR"));
    press(&s, &v, "a");
    picture(&c, &s, &v, 100, 30, true, true);
    assert_true(has_line(&c, "WHAT HAPPENED"));
    press(&s, &v, "asssss"); /* alerts first */
    picture(&c, &s, &v, 100, 30, true, true);
    assert_non_null(strstr(line(&c, 5), "  4 "));
    press(&s, &v, "ebatch 64");
    picture(&c, &s, &v, 100, 30, true, true);
    assert_string_equal(line(&c, 29), "mark (a word for the record): batch 64_");
    assert_int_equal(smi_view_key(&v, SMI_TUI_KEY_ENTER, s.n, NULL), SMI_VIEW_MARK);
    assert_string_equal(v.typed, "batch 64");
    assert_int_equal(smi_view_key(&v, 'e', s.n, "nothing is recorded"), SMI_VIEW_DRAW);
    assert_string_equal(v.said, "nothing is recorded");
    assert_int_equal(smi_view_key(&v, 'q', s.n, NULL), SMI_VIEW_QUIT);
    end(&s);
    smi_buf_fini(&c.text);
}

static void gpus_scroll_and_alerts_come_first(void **state)
{
    struct picture c = {0};
    struct state s = begin(40);
    struct smi_view v;
    (void)state;
    v = (struct smi_view){.window = 0};
    for (int i = 0; i < 310; i++)
        second(&s, names[0], -1, 33, -1);
    picture(&c, &s, &v, 100, 24, true, true);
    assert_true(strncmp(line(&c, 4), " 33 ", 4) == 0);
    assert_true(has_line(&c, "1-19 of 40"));
    for (int i = 0; i < 100; i++)
        smi_view_key(&v, SMI_TUI_KEY_DOWN, s.n, NULL);
    picture(&c, &s, &v, 100, 24, true, true);
    assert_true(has_line(&c, "22-40 of 40"));
    end(&s);
    smi_buf_fini(&c.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_gpus),
        cmocka_unit_test(the_window_grows_with_the_run),
        cmocka_unit_test(any_state_fits_any_size),
        cmocka_unit_test(one_gpu_lists_its_processes),
        cmocka_unit_test(any_key_ends_a_pause),
        cmocka_unit_test(the_alert_line_is_always_there),
        cmocka_unit_test(gpus_are_there_while_there_is_room),
        cmocka_unit_test(a_healthy_state_has_no_mark),
        cmocka_unit_test(what_is_wrong_is_marked),
        cmocka_unit_test(what_happened_is_marked_at_its_time),
        cmocka_unit_test(keys_change_what_is_shown),
        cmocka_unit_test(gpus_scroll_and_alerts_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
