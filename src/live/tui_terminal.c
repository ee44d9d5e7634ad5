#include "live/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum {
    ESCAPE = 27,
    ESCAPE_MS = 25, /* a key's further bytes come at once; else it is the escape key */
    STUCK_MS = 100  /* for a terminal that takes no output */
};

/* The alternate screen, no cursor, no new line at the right edge. */
static const char begin[] = "\033[?1049h\033[?25l\033[?7l", clear[] = "\033[0m\033[2J";
/* The same back; CAN ends a sequence that was written in part. */
static const char end[] = "\030\033[0m\033[?7h\033[?25h\033[999;1H\033[?1049l";

/* ---- signals ---- */

/* For handlers, which may only write. */
static struct {
    int fd;
    struct termios was, ours;
    volatile sig_atomic_t on, stopped;
} taken;

static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGQUIT,   SIGSYS, SIGUSR1, SIGUSR2,
                            SIGALRM, SIGXCPU, SIGXFSZ, SIGTRAP, SIGPROF, SIGVTALRM, SIGIO,  SIGPWR};
enum { FATAL = sizeof fatal / sizeof *fatal };

static void restore(void *unused)
{
    (void)unused;
    if (!taken.on)
        return;
    (void)!write(taken.fd, end, sizeof end - 1);
    tcsetattr(STDOUT_FILENO, TCSANOW, &taken.was);
}

static void restore_and_die(int number)
{
    restore(NULL);
    raise(number); /* its action is the default one again */
}

static void wake_up(int number)
{
    (void)number; /* poll ends with EINTR, and the new size is read */
}

static void stop_and_go_on(int number)
{
    struct sigaction own, plain = {.sa_handler = SIG_DFL};
    int why = errno;
    sigset_t this_one, before;
    sigemptyset(&plain.sa_mask);
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    restore(NULL);
    sigaction(number, &plain, &own);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &this_one, &before); /* it stops here, until SIGCONT */
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(number, &own, NULL);
    tcsetattr(STDOUT_FILENO, TCSANOW, &taken.ours);
    taken.stopped = 1;
    errno = why;
}

static void handle(int number, bool on, void (*handler)(int), int flags)
{
    struct sigaction was, own = {.sa_handler = on ? handler : SIG_DFL, .sa_flags = flags};
    sigemptyset(&own.sa_mask);
    if (sigaction(number, NULL, &was) == 0 && was.sa_handler == (on ? SIG_DFL : handler))
        sigaction(number, &own, NULL);
}

static void install_handlers(bool on)
{
    for (int i = 0; i < FATAL; i++)
        handle(fatal[i], on, restore_and_die, (int)SA_RESETHAND);
    handle(SIGTSTP, on, stop_and_go_on, 0);
    handle(SIGWINCH, on, wake_up, 0);
    smi_mem_on_exhausted(on ? restore : NULL, NULL);
    taken.on = on;
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

/* By the beginning of TERM: all these understand the sequences of xterm. */
static bool can_be_drawn_on(const char *name)
{
    static const char *const families[] = {
        "xterm",   "screen",    "tmux",   "rxvt",    "linux",   "vt1",    "vt2",   "vt3",    "vt4",
        "vt5",     "ansi",      "st",     "konsole", "gnome",   "vte",    "putty", "foot",   "kitty",
        "mlterm",  "alacritty", "cygwin", "Eterm",   "wezterm", "nsterm", "rio",   "mintty", "fbterm",
        "ghostty", "kterm",     "dtterm", "contour", "bterm",   "pcansi"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

static bool read_size(struct smi_term *t)
{
    struct winsize size;
    int width = 80, height = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
        width = size.ws_col < SMI_TUI_MOST ? size.ws_col : SMI_TUI_MOST;
        height = size.ws_row < SMI_TUI_MOST ? size.ws_row : SMI_TUI_MOST;
    }
    if (width == t->width && height == t->height)
        return false;
    t->width = width;
    t->height = height;
    return t->redraw = true;
}

int smi_term_open(struct smi_term *t, struct smi_writer *out, bool color, bool utf8, struct smi_err *err)
{
    const char *name = getenv("TERM");
    name = name ? name : "";
    *t = (struct smi_term){.utf8 = utf8, .out = out, .fd = STDIN_FILENO};
    t->color = color && strncmp(name, "vt", 2) != 0;
    if (!can_be_drawn_on(name) || tcgetattr(STDOUT_FILENO, &taken.was))
        return smi_err_set(err, SMI_EIO, "%s%.40s cannot be drawn on",
                           *name ? "a terminal " : "a terminal without TERM", name);
    if (!isatty(STDIN_FILENO) && (t->fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)) < 0)
        return smi_err_set(err, SMI_EIO, "there is no terminal that keys could come from");
    taken.fd = out->fd;
    taken.ours = taken.was;
    taken.ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    taken.ours.c_iflag &= ~(tcflag_t)ICRNL;
    taken.ours.c_cc[VMIN] = taken.ours.c_cc[VTIME] = 0; /* read returns what is there */
    install_handlers(true);
    tcsetattr(STDOUT_FILENO, TCSANOW, &taken.ours);
    read_size(t);
    return 0;
}

void smi_term_close(struct smi_term *t)
{
    struct pollfd room = {.fd = t->out->fd, .events = POLLOUT};
    int64_t until = smi_clock_now_ms() + STUCK_MS, now;
    install_handlers(false);
    while (smi_writer_flush(t->out, NULL) == 0 && smi_writer_pending(t->out) &&
           (now = smi_clock_now_ms()) < until)
        (void)poll(&room, 1, (int)(until - now));
    if (smi_writer_pending(t->out)) { /* it is stuck: what nobody has seen yet is replaced */
        smi_writer_discard(t->out);
        tcflush(STDOUT_FILENO, TCOFLUSH);
        tcflow(STDOUT_FILENO, TCOOFF); /* TCOON alone would not end a ctrl-S */
        tcflow(STDOUT_FILENO, TCOON);
    }
    (void)smi_writer_put(t->out, end, sizeof end - 1, NULL);
    tcsetattr(STDOUT_FILENO, TCSANOW, &taken.was);
    if (t->fd != STDIN_FILENO)
        close(t->fd);
    smi_buf_fini(&t->before);
}

/* ---- keys ---- */

static void read_keys(struct smi_term *t, int wait_ms)
{
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    ssize_t n;
    if (t->key_n == sizeof t->key || poll(&ready, 1, wait_ms) <= 0)
        return;
    n = read(t->fd, t->key + t->key_n, sizeof t->key - t->key_n);
    t->key_n += n > 0 ? (size_t)n : 0;
}

/* The length of the key at the beginning: "\033[5~" is 4 bytes long; 0: its end has not come. */
static size_t key_length(const struct smi_term *t)
{
    if (t->key_n < 2 || t->key[0] != ESCAPE)
        return t->key_n && t->key[0] != ESCAPE;
    if (t->key[1] != '[' && t->key[1] != 'O')
        return 1;
    for (size_t i = 2; i < t->key_n; i++)
        if (t->key[i] >= '@' && t->key[i] <= '~')
            return i + 1;
    return 0;
}

static int take_key(struct smi_term *t, size_t n)
{
    static const struct {
        const char *text; /* behind ESC [ or ESC O */
        int key;
    } keys[] = {{"A", SMI_TUI_KEY_UP},        {"B", SMI_TUI_KEY_DOWN},  {"C", SMI_TUI_KEY_RIGHT},
                {"D", SMI_TUI_KEY_LEFT},      {"H", SMI_TUI_KEY_HOME},  {"F", SMI_TUI_KEY_END},
                {"M", SMI_TUI_KEY_ENTER},     {"1~", SMI_TUI_KEY_HOME}, {"4~", SMI_TUI_KEY_END},
                {"5~", SMI_TUI_KEY_PAGE_UP},  {"7~", SMI_TUI_KEY_HOME}, {"8~", SMI_TUI_KEY_END},
                {"6~", SMI_TUI_KEY_PAGE_DOWN}};
    int key = n == 1 ? (unsigned char)t->key[0] : SMI_TUI_KEY_NONE;
    for (size_t i = 0; n > 2 && i < sizeof keys / sizeof *keys; i++)
        if (smi_text_is((struct smi_text){t->key + 2, n - 2}, keys[i].text))
            key = keys[i].key;
    t->key_n -= n;
    memmove(t->key, t->key + n, t->key_n);
    return key;
}

int smi_term_key(struct smi_term *t)
{
    int key = SMI_TUI_KEY_NONE;
    if (taken.stopped)
        t->entered = false;
    if (read_size(t) || taken.stopped) {
        taken.stopped = 0;
        return SMI_TUI_KEY_RESIZE;
    }
    read_keys(t, 0);
    while (t->key_n && key == SMI_TUI_KEY_NONE) {
        size_t n = key_length(t);
        if (!n) {
            read_keys(t, ESCAPE_MS);
            n = key_length(t);
        }
        key = take_key(t, n ? n : t->key_n);
    }
    return key;
}

/* ---- frames ---- */

/* Line y, but for colours that cannot be seen. Terminals differ in how wide some characters are: the cursor
 * is placed again behind a wide one, and one with marks on it. */
static void put_line(const struct smi_term *t, struct smi_buf *b, struct smi_text line, int y)
{
    const char *p = line.p, *last = p + line.n;
    bool placed = true;
    size_t n;
    int x = 0;
    smi_buf_fmt(b, "\033[%d;1H", y + 1);
    for (int columns; p < last; p += n, x += columns) {
        char piece[8] = "";
        bool code = *p == ESCAPE;
        n = code ? strcspn(p, "m") + 1 : smi_text_utf8(p, (size_t)(last - p));
        memcpy(piece, p, n < sizeof piece ? n : 0);
        columns = smi_text_width(piece);
        if (x + columns > t->width) /* a frame that was paused before the window became narrower */
            break;
        if (columns && !placed)
            smi_buf_fmt(b, "\033[%d;%dH", y + 1, x + 1);
        if (!code || t->color || p[2] <= '1')
            smi_buf_add(b, p, n);
        placed = code ? placed : columns == 1 && n <= 3;
    }
    smi_buf_fmt(b, placed ? "\033[0m" : "\033[0m\033[%d;%dH", y + 1, x + 1);
    if (x < t->width)
        smi_buf_str(b, "\033[K");
}

int smi_term_draw(struct smi_term *t, const struct smi_buf *frame, struct smi_err *err)
{
    struct smi_buf b = {0};
    const char *was;
    int y = 0, rc;
    if (t->redraw || !t->entered) {
        smi_buf_str(&b, t->entered ? "" : begin);
        smi_buf_str(&b, clear);
        smi_buf_clear(&t->before);
    }
    was = t->before.n ? t->before.p : "";
    for (const char *p = frame->p, *last = p + frame->n; p < last && y < t->height; y++) {
        const size_t n = strcspn(p, "\n"), before = strcspn(was, "\n");
        if (n != before || memcmp(p, was, n) != 0)
            put_line(t, &b, (struct smi_text){p, n}, y);
        p += n + 1;
        was += before + (was[before] != 0);
    }
    smi_buf_clear(&t->before);
    smi_buf_add(&t->before, frame->p, frame->n);
    t->redraw = false;
    t->entered = true;
    rc = b.n ? smi_writer_put(t->out, b.p, b.n, err) : 0;
    smi_buf_fini(&b);
    return rc;
}
