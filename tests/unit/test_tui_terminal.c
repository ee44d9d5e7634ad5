/* tui_terminal: keys are found in any cut of their bytes, and only what has changed is drawn. */
#include "live/tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 30 };

static int next_key(struct smi_term *t)
{
    int key;
    while ((key = smi_term_key(t)) == SMI_TUI_KEY_RESIZE)
        ;
    return key;
}

static void keys_are_found(void **state)
{
    static const char bytes[] = "w\033[A\033OB\033[5~\033[1;5C\033[24~q\033[H\033OF\033xy\r\177\303";
    static const int want[] = {'w',
                               SMI_TUI_KEY_UP,
                               SMI_TUI_KEY_DOWN,
                               SMI_TUI_KEY_PAGE_UP,
                               'q',
                               SMI_TUI_KEY_HOME,
                               SMI_TUI_KEY_END,
                               SMI_TUI_KEY_ESCAPE,
                               'x',
                               'y',
                               '\r',
                               127,
                               0xC3,
                               SMI_TUI_KEY_NONE};
    (void)state;
    for (size_t cut = 0; cut < sizeof bytes - 1; cut++) {
        struct smi_term t = {.width = 0};
        size_t n = 0;
        int p[2];
        assert_int_equal(pipe(p), 0);
        t.fd = p[0];
        assert_int_equal(write(p[1], bytes, cut), (ssize_t)cut);
        /* what the first part has of whole keys; a lone escape at its end is the escape key by itself */
        bool split =
            cut && (bytes[cut - 1] == 27 ||
                    (cut > 1 && memrchr(bytes, 27, cut) &&
                     cut - (size_t)((char *)memrchr(bytes, 27, cut) - bytes) < 6 && bytes[cut] != 27));
        if (!split)
            for (int key; (key = next_key(&t)) != SMI_TUI_KEY_NONE;)
                assert_int_equal(key, want[n++]);
        assert_int_equal(write(p[1], bytes + cut, sizeof bytes - 1 - cut), (ssize_t)(sizeof bytes - 1 - cut));
        for (int key; (key = next_key(&t)) != SMI_TUI_KEY_NONE;)
            assert_int_equal(key, want[n++]);
        assert_int_equal(want[n], SMI_TUI_KEY_NONE);
        close(p[0]);
        close(p[1]);
    }
}

static void an_escape_alone_is_a_key(void **state)
{
    struct smi_term t = {.width = 0};
    int p[2];
    (void)state;
    assert_int_equal(pipe(p), 0);
    t.fd = p[0];
    assert_int_equal(write(p[1], "\033", 1), 1);
    assert_int_equal(next_key(&t), SMI_TUI_KEY_ESCAPE);
    assert_int_equal(next_key(&t), SMI_TUI_KEY_NONE);
    close(p[0]);
    close(p[1]);
}

/* What is drawn, with E for ESC. */
static const char *draw(struct smi_term *t, const char *frame, int from)
{
    static char text[4096];
    struct smi_buf lines = {0};
    struct smi_err err = {0};
    ssize_t n;
    smi_buf_str(&lines, frame);
    assert_int_equal(smi_term_draw(t, &lines, &err), 0);
    smi_buf_fini(&lines);
    assert_int_equal(write(t->out->given, "|", 1), 1);
    n = read(from, text, sizeof text - 1);
    assert_true(n > 0);
    text[n - 1] = 0;
    for (char *e; (e = strchr(text, 27));)
        *e = 'E';
    return text;
}

static void only_changes_are_drawn(void **state)
{
    struct smi_term t = {.color = true, .width = WIDTH, .height = 3};
    struct smi_writer w;
    int p[2];
    (void)state;
    assert_int_equal(pipe(p), 0);
    smi_writer_open(&w, p[1], "it");
    t.out = &w;
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m\n\n\n", p[0]) + sizeof "E[?1049hE[?25lE[?7l" - 1,
                        "E[0mE[2JE[1;1HE[1mGPU 4E[0mE[0mE[K");
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m\n\n\n", p[0]), "");
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n\n", p[0]),
                        "E[1;1HE[1mGPU 4E[0m E[31m5E[0mE[0mE[K");
    /* a wide character: the cursor is placed behind it */
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n  a\346\227\245b\n", p[0]),
                        "E[3;1H  a\346\227\245E[3;6HbE[0mE[K");
    /* a mark on it: the same */
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\ne\314\201x\n", p[0]),
                        "E[3;1He\314\201E[3;2HxE[0mE[K");
    /* the rest of a line goes, but not its last column */
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n\n", p[0]), "E[3;1HE[0mE[K");
    assert_string_equal(
        draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n123456789012345678901234567890\n", p[0]),
        "E[3;1H123456789012345678901234567890E[0m");
    /* of a frame that was made for a larger window, what has room */
    assert_string_equal(
        draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n1234567890123456789012345678901\nbelow\n", p[0]),
        "E[3;1H123456789012345678901234567890E[0m");
    t.redraw = true;
    t.color = false;
    assert_string_equal(draw(&t, "\033[1mGPU 4\033[0m \033[31m5\033[0m\n\n\n", p[0]),
                        "E[0mE[2JE[1;1HE[1mGPU 4E[0m 5E[0mE[0mE[K");
    smi_buf_fini(&t.before);
    smi_writer_close(&w);
    close(p[0]);
    close(p[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found),
        cmocka_unit_test(an_escape_alone_is_a_key),
        cmocka_unit_test(only_changes_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
