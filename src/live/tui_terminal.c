#include "live/tui_terminal.h"

#include "base/lazy.h"
#include "live/tui_view.h"

#define NCURSES_NOMACROS /* what is called is a function, and no macro around one */
#include <curses.h>
#include <term.h>

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Opened when somebody looks at the screen: it would cost every start of every command. Its functions are
 * ncurses.refresh(), its variables *ncurses.stdscr. */
static struct {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libcurses.def"
#undef SMI_LAZY
} ncurses;

enum { ESCAPE_MS = 25 /* a key's further bytes come at once; else it is the escape key */, RESTORE = 256 };

/* ---- when a signal ends us ---- */

/* What restores the terminal, made beforehand: a handler may only write. */
static struct {
    char text[RESTORE];
    size_t n;
    struct termios was;
    bool on;
} restore;

static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGQUIT,   SIGSYS, SIGUSR1, SIGUSR2,
                            SIGALRM, SIGXCPU, SIGXFSZ, SIGTRAP, SIGPROF, SIGVTALRM, SIGIO,  SIGPWR};
enum { FATAL = sizeof fatal / sizeof *fatal };

static void restore_and_die(int number)
{
    if (restore.on) {
        (void)!write(STDOUT_FILENO, restore.text, restore.n);
        tcsetattr(STDOUT_FILENO, TCSADRAIN, &restore.was);
    }
    raise(number); /* its action is the default one again */
}

static void add_capability(const char *name)
{
    const char *s = ncurses.tigetstr(name);
    if (!s || s == (const char *)-1)
        return;
    while (*s && restore.n + 1 < sizeof restore.text)
        if (strncmp(s, "$<", 2) == 0 && strchr(s, '>'))
            s = strchr(s, '>') + 1; /* a pause for terminals of long ago */
        else
            restore.text[restore.n++] = *s++;
}

static void install_handlers(bool on)
{
    struct sigaction was, own = {.sa_handler = on ? restore_and_die : SIG_DFL, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&own.sa_mask);
    for (int i = 0; i < FATAL; i++)
        if (sigaction(fatal[i], NULL, &was) == 0 && was.sa_handler == (on ? SIG_DFL : restore_and_die))
            sigaction(fatal[i], &own, NULL);
    restore.on = on;
}

/* ---- open and close ---- */

bool smi_term_available(void)
{
    pid_t front;
    if (!isatty(STDOUT_FILENO))
        return false;
    front = tcgetpgrp(STDOUT_FILENO);
    return front < 0 || front == getpgrp();
}

/* Curses writes what the locale can: many a machine has the variable, but not the locale that it names. */
static bool can_utf8(void)
{
    static const char *const names[] = {"", "C.UTF-8", "C.utf8", "en_US.UTF-8"};
    wchar_t c;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_CTYPE, names[i]) && mbtowc(&c, "\u2588", 4) == 3 && c == 0x2588)
            return true;
    setlocale(LC_CTYPE, "C");
    return false;
}

static void choose_styles(struct smi_term *t, bool color)
{
    static const struct {
        enum smi_style style;
        short hue;
    } hues[] = {{SMI_YELLOW, COLOR_YELLOW}, {SMI_RED, COLOR_RED}, {SMI_GREEN, COLOR_GREEN}, {SMI_GREY, 8}};
    t->attr[SMI_BOLD] = (int)A_BOLD;
    t->color = color && ncurses.has_colors() && ncurses.start_color() == OK;
    if (!t->color)
        return;
    ncurses.use_default_colors();
    for (size_t i = 0; i < sizeof hues / sizeof *hues; i++)
        if (hues[i].hue < *ncurses.COLORS && ncurses.init_pair((short)(i + 1), hues[i].hue, -1) == OK)
            t->attr[hues[i].style] = (int)ncurses.COLOR_PAIR((int)i + 1);
}

int smi_term_open(struct smi_term *t, bool color, bool utf8, struct smi_err *err)
{
    const char *name = getenv("TERM");
    *t = (struct smi_term){.in = NULL};
    if (smi_lazy_open(SMI_LIBNCURSESW, &ncurses, err))
        return -1;
    if (!isatty(STDIN_FILENO) && !(t->in = fopen("/dev/tty", "r")))
        return smi_err_set(err, SMI_EIO, "there is no terminal that keys could come from");
    t->fd = fileno(t->in ? t->in : stdin);
    tcgetattr(STDOUT_FILENO, &restore.was);
    t->utf8 = utf8 && can_utf8();
    t->screen = name && *name && strcmp(name, "dumb") != 0
                    ? ncurses.newterm(NULL, stdout, t->in ? t->in : stdin)
                    : NULL;
    if (t->screen && !(ncurses.tigetstr("cup") && ncurses.tigetstr("cup") != (char *)-1)) {
        ncurses.endwin();
        ncurses.delscreen(t->screen);
        t->screen = NULL;
    }
    if (!t->screen) {
        smi_err_set(err, SMI_EIO, "%s%.40s cannot be drawn on",
                    name && *name ? "a terminal " : "a terminal without TERM", name ? name : "");
        smi_term_close(t);
        return -1;
    }
    restore.n = 0;
    add_capability("sgr0");
    add_capability("cnorm");
    add_capability("rmkx");
    add_capability("rmcup");
    install_handlers(true);
    ncurses.cbreak();
    ncurses.noecho();
    ncurses.nonl();
    ncurses.set_escdelay(ESCAPE_MS);
    ncurses.keypad(*ncurses.stdscr, TRUE);
    ncurses.nodelay(*ncurses.stdscr, TRUE);
    ncurses.curs_set(0);
    choose_styles(t, color);
    return 0;
}

void smi_term_close(struct smi_term *t)
{
    if (t->screen) {
        install_handlers(false);
        ncurses.endwin();
        ncurses.delscreen(t->screen);
    }
    if (t->in)
        fclose(t->in);
    setlocale(LC_CTYPE, "C");
}

/* ---- use ---- */

void smi_term_size(int *width, int *height)
{
    *width = ncurses.getmaxx(*ncurses.stdscr);
    *height = ncurses.getmaxy(*ncurses.stdscr);
}

int smi_term_key(void)
{
    static const struct {
        int theirs, ours;
    } keys[] = {
        {KEY_UP, SMI_TUI_KEY_UP},       {KEY_DOWN, SMI_TUI_KEY_DOWN},     {KEY_LEFT, SMI_TUI_KEY_LEFT},
        {KEY_RIGHT, SMI_TUI_KEY_RIGHT}, {KEY_PPAGE, SMI_TUI_KEY_PAGE_UP}, {KEY_NPAGE, SMI_TUI_KEY_PAGE_DOWN},
        {KEY_HOME, SMI_TUI_KEY_HOME},   {KEY_END, SMI_TUI_KEY_END},       {KEY_BACKSPACE, SMI_TUI_KEY_ERASE},
        {KEY_ENTER, SMI_TUI_KEY_ENTER}, {KEY_RESIZE, SMI_TUI_KEY_RESIZE}};
    for (int key; (key = ncurses.getch()) != ERR;) {
        if (key > 0 && key < 256)
            return key;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (keys[i].theirs == key)
                return keys[i].ours;
    }
    return SMI_TUI_KEY_NONE;
}

/* Cells of one style from x on, as one text; a wide one, or one with marks on it, stands alone, as terminals
 * differ in how wide they are. Returns the column after them. */
static int put_run(const struct smi_term *t, const struct smi_canvas_cell *row, int x, int width, int y)
{
    char text[1024];
    size_t n = 0;
    int from = x;
    for (; x < width && row[x].style == row[from].style && n + SMI_CANVAS_TEXT < sizeof text; x++) {
        bool odd = row[x].wide == 2 || strlen(row[x].text) > 3;
        if (odd && x > from)
            break;
        strcpy(text + n, *row[x].text ? row[x].text : " ");
        n += strlen(text + n);
        if (odd) {
            x += row[x].wide == 2 ? 2 : 1;
            break;
        }
    }
    ncurses.attrset(t->attr[row[from].style]);
    ncurses.mvaddstr(y, from, text);
    return x;
}

void smi_term_draw(const struct smi_term *t, const struct smi_canvas *c)
{
    ncurses.erase();
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width;)
            x = put_run(t, c->cell + (size_t)y * (size_t)c->width, x, c->width, y);
    ncurses.attrset(0);
    ncurses.refresh();
}
