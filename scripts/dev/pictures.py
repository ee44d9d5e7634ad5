#!/usr/bin/python3
"""The pictures of README.md from tests/fixtures/sweep, in docs/pictures: terminal.png is what `smilog summarize` prints in a
terminal of 100 columns, page.png the top of the page of `smilog report`, down to its second heading. Needs chromium. Each picture
contains the text that it shows, as an iTXt chunk of PNG.

    pictures.py SMILOG [FOLDER]
    pictures.py --check SMILOG [FOLDER]    status 1 if the program now prints another text than a picture shows; without chromium"""
import difflib
import fcntl
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import zlib

COLUMNS, LINES = 100, 60
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
           "90": "#8b949e"}
STYLE = """body { margin: 0; background: #0d1117; } pre { margin: 0; padding: 16px 20px; color: #e6edf3;
font: 14px/1.35 "DejaVu Sans Mono", monospace; width: max-content; }"""
KEY = b"Source text"
# For each picture: JavaScript for its width and its height, the width of the window, and the scale.
SHOTS = {"terminal.png": ('(box => [box.right, box.bottom])(document.querySelector("pre").getBoundingClientRect())', 884, 1.25),
         "page.png": ('[innerWidth, document.querySelectorAll("h2")[1].getBoundingClientRect().top - 8]', 1180, 1)}


def in_terminal(command, folder):
    """What a command prints in a terminal of 100 columns, with colours."""
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        os.chdir(folder)
        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
        os.execvpe(command[0], command, dict(env, TERM="xterm-256color", LC_ALL="C.UTF-8", TZ="UTC", SMILOG_CONFIG=""))
    data = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    if os.waitpid(pid, 0)[1]:
        sys.exit(f"{' '.join(command)}: {data.decode()}")
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


def words_of(page):
    """The text of a page down to its second heading, an element a line."""
    page = re.sub(r"<(script|style|title)\b.*?</\1>", "", page, flags=re.S)
    page = "<h2".join(page.split("<h2", 2)[:2])
    lines = (" ".join(html.unescape(part).split()) for part in re.split(r"<[^>]+>", page))
    return "\n".join(line for line in lines if line)


def sources(smilog, work):
    """What each picture shows: a document, and its text."""
    shutil.copytree(os.path.join(ROOT, "tests/fixtures/sweep"), os.path.join(work, "sweep"))
    text = "$ smilog summarize sweep\n" + in_terminal([smilog, "summarize", "-q", "--color=always", "sweep"], work).rstrip("\n")
    subprocess.run([smilog, "report", "-q", "sweep", "-o", "page.html"], cwd=work, check=True, env=dict(os.environ, TZ="UTC", SMILOG_CONFIG=""))
    with open(os.path.join(work, "page.html"), encoding="utf-8") as f:
        page = f.read()
    return {"terminal.png": (as_html(text), text), "page.png": (page, words_of(page))}


def chromium(page, *words):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                               "--user-data-dir=" + profile, "--virtual-time-budget=5000", *words, "file://" + page],
                              check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=300).stdout


def photograph(document, picture, work, shot):
    """Draws the document as wide and as far down as the shot says."""
    size, width, scale = shot
    page = os.path.join(work, "shot.html")
    with open(page, "w", encoding="utf-8") as f:  # the page's own policy would forbid the script that measures
        f.write(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", document, count=1) +
                f'<script>addEventListener("load", () => setTimeout(() => document.body.dataset.size = {size}, 1000))</script>')
    found = re.search(r'data-size="([0-9.]+),([0-9.]+)"', chromium(page, f"--window-size={width},2000", "--dump-dom"))
    if not found:
        sys.exit(f"{picture}: chromium did not measure the page")
    with open(page, "w", encoding="utf-8") as f:
        f.write(document)
    chromium(page, "--window-size=%d,%d" % tuple(round(float(side)) for side in found.groups()),
             f"--force-device-scale-factor={scale}", "--screenshot=" + picture)


def chunks(png):
    at = 8
    while at < len(png):
        size = struct.unpack(">I", png[at:at + 4])[0]
        yield png[at + 4:at + 8], png[at + 8:at + 8 + size], png[at:at + 12 + size]
        at += 12 + size


def with_text(png, text):
    """The picture with its text behind the header: keyword, uncompressed, no language, no other keyword (iTXt)."""
    chunk = b"iTXt" + KEY + b"\0\0\0\0\0" + text.encode()
    first, *rest = (whole for _, _, whole in chunks(png))
    return png[:8] + first + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"".join(rest)


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as f:
        return next((data[len(KEY) + 5:].decode() for kind, data, _ in chunks(f.read())
                     if kind == b"iTXt" and data.startswith(KEY + b"\0")), "")


def check(made, folder):
    stale = [name for name, (_, text) in made.items() if text_of(os.path.join(folder, name)) != text]
    for name in stale:
        shown = text_of(os.path.join(folder, name)).splitlines()
        print(*difflib.unified_diff(shown, made[name][1].splitlines(), name, "the program", lineterm="", n=0), sep="\n")
    print(f"{len(stale)} of {len(made)} pictures are stale" + "; make pictures draws them again" * bool(stale))
    return bool(stale)


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    folder = os.path.realpath(words[1]) if len(words) > 1 else os.path.join(ROOT, "docs/pictures")
    with tempfile.TemporaryDirectory() as work:
        made = sources(os.path.realpath(words[0]), work)
        if "--check" in sys.argv[1:]:
            return check(made, folder)
        if not shutil.which("chromium"):
            sys.exit("pictures: chromium is missing: make setup-nightly")
        os.makedirs(folder, exist_ok=True)
        for name, (document, text) in made.items():
            drawn = os.path.join(work, name)
            photograph(document, drawn, work, SHOTS[name])
            with open(drawn, "rb") as f:
                png = with_text(f.read(), text)
            with open(os.path.join(folder, name), "wb") as f:
                f.write(png)
            print(len(png), os.path.join(folder, name))
    return 0


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.exit(main())
