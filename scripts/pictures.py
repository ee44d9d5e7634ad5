#!/usr/bin/python3
"""The pictures of README.md from tests/fixtures/sweep, in docs/pictures: terminal.png is what `smilog summarize` prints in a
terminal of 100 columns, page.png the top of the page of `smilog report`. Needs chromium.

    pictures.py SMILOG [FOLDER]"""
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import fcntl
import termios

COLUMNS, LINES = 100, 60
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
           "90": "#8b949e"}
STYLE = """body { margin: 0; background: #0d1117; } pre { margin: 0; padding: 16px 20px; color: #e6edf3;
font: 14px/1.35 "DejaVu Sans Mono", monospace; width: max-content; }"""


def in_terminal(command, folder):
    """What a command prints in a terminal of 100 columns, with colours."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", TZ="UTC"))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    data = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.waitpid(pid, 0)
    return data.decode().replace("\r\n", "\n")


def as_html(text):
    """Text with ANSI colours as HTML; other escape sequences are left out."""
    out, is_open = [], False
    for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", text):
        codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not part.startswith("\x1b"):
            out.append(html.escape(part))
        elif codes:
            out.append("</span>" * is_open)
            styles = []
            for code in codes[1].split(";"):
                if code == "1":
                    styles.append("font-weight: bold")
                elif code == "2":
                    styles.append("color: #8b949e")
                elif code in COLOURS:
                    styles.append("color: " + COLOURS[code])
            is_open = bool(styles)
            out.append('<span style="%s">' % "; ".join(styles) if styles else "")
    return "<!DOCTYPE html><meta charset=utf-8><style>%s</style><pre>%s</pre>" % (STYLE, "".join(out))


def photograph(page, picture, width, height, scale):
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--user-data-dir=" + profile, "--window-size=%d,%d" % (width, height),
                        "--force-device-scale-factor=%s" % scale, "--virtual-time-budget=5000",
                        "--screenshot=" + picture, "file://" + page],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    smilog = os.path.realpath(sys.argv[1])
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = os.path.realpath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(root, "docs/pictures")
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(os.path.join(root, "tests/fixtures/sweep"), os.path.join(work, "sweep"))
        text = "$ smilog summarize sweep\n" + in_terminal([smilog, "summarize", "-q", "--color=always", "sweep"], work)
        lines = text.rstrip("\n").split("\n")
        page = os.path.join(work, "terminal.html")
        with open(page, "w", encoding="utf-8") as f:
            f.write(as_html("\n".join(lines)))
        photograph(page, os.path.join(folder, "terminal.png"), 884, 36 + 19 * len(lines), 1.25)
        subprocess.run([smilog, "report", "-q", "sweep", "-o", "page.html"], cwd=work, check=True)
        photograph(os.path.join(work, "page.html"), os.path.join(folder, "page.png"), 1180, 866, 1)
    for name in ("terminal.png", "page.png"):
        print(os.path.getsize(os.path.join(folder, name)), os.path.join(folder, name))


main()
