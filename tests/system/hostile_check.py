#!/usr/bin/env python3
"""Every text output, given hostile text (tests/system/hostile.py): is it well-formed, and does it pass nothing on?

    hostile_check.py [NAME...]    SMILOG: the program; all payloads, or those of these names or families; 1/8: every 8th

All outputs and standard error: UTF-8, no control character but a newline (to a terminal: our own colours), nothing that
turns or hides text. json, jsonl, line: parse, keys once. csv: parses, one width, no cell begins a formula. md: payloads
stand in code spans only, rows have the cells of their head. Ends with "N passed, M failed"."""
from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import unicodedata
from fcntl import ioctl
from pathlib import Path

import hostile
from lib import SMILOG, folder

OURS = re.compile("\x1b\\[(0|1|2|31|33|90|1;31|1;33)?m")
csv.field_size_limit(1 << 24)
FORMULA = "=+-@\t\r"
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\Z")
HIDDEN = {0x061C, 0x00AD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070),
          *range(0xFFF9, 0xFFFC), 0xFFFE, 0xFFFF, *range(0xE0000, 0xE0080)}


def odd_char(text: str) -> str | None:
    for c in text:
        if c == "\n":
            continue
        if unicodedata.category(c) == "Cc" or ord(c) in HIDDEN or 0xD800 <= ord(c) < 0xE000:
            at = text.index(c)
            return "U+%04X in %s" % (ord(c), ascii(text[max(0, at - 30):at + 30]))
    return None


def plain(out: bytes, tty: bool = False) -> str:
    text = out.decode("utf-8")  # or it raises
    if tty:
        text = OURS.sub("", text.replace("\r\n", "\n"))
    bad = odd_char(text)
    assert not bad, bad
    return text


def once(pairs: list) -> dict:
    assert len({k for k, _ in pairs}) == len(pairs), "a key twice: %s" % ascii([k for k, _ in pairs])[:300]
    return dict(pairs)


def as_json(text: str) -> None:
    json.loads(text, object_pairs_hook=once)


def as_jsonl(text: str) -> None:
    for line in text.splitlines():
        as_json(line)


def as_line(text: str) -> None:
    as_jsonl(text)
    for line in text.splitlines():
        assert len(line.encode()) <= 240 and " " not in line, line


def as_csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(r) for r in rows}) == 1, "rows of %s cells" % {len(r) for r in rows}
    for cell in (c for row in rows for c in row):
        assert not cell or cell[0] not in FORMULA or NUMBER.match(cell), "a formula: %s" % ascii(cell[:80])


def outside_code(line: str) -> str:
    """Markdown less its code spans: `like this`, or ``with ` inside``."""
    out, i = [], 0
    while i < len(line):
        if line[i] != "`":
            out.append(line[i])
            i += 1
            continue
        n = len(line) - i - len(line[i:].lstrip("`"))
        close = re.compile("(?<!`)" + "`" * n + "(?!`)").search(line, i + n)
        assert close, "a code span without an end: %s" % ascii(line[:200])
        out.append("CODE")
        i = close.end()
    return "".join(out)


def cells(line: str) -> int:
    return len(re.findall(r"(?<!\\)\|", line))


def as_md(text: str) -> None:
    width = 0
    for line in text.splitlines():
        if line in ("<details>", "</details>") or re.fullmatch("<details><summary>[0-9a-z ]*</summary>", line):
            continue
        bare = outside_code(line)
        assert not re.search(r"[<>\[\]@]|://|www\.|hostile|&[a-z#]|#\d", bare), "live mark-up: %s" % ascii(bare[:300])
        assert cells(bare) == cells(line), "a bar in code ends a cell: %s" % ascii(line[:300])
        if line.startswith("|"):
            width = width or cells(line)
            assert cells(line) == width, "%d cells, not %d: %s" % (cells(line), width, ascii(line[:300]))
        else:
            width = 0


def as_fields(text: str) -> None:
    widths = {len(line.split(" ")) - line.split(" ").count("") for line in text.splitlines()}
    assert len(widths) == 1, "rows of %s fields" % widths


def no_check(text: str) -> None:
    pass


def can_fail() -> list[str]:
    """What each check has to find, and did not."""
    bad = [(plain, b"\xff"), (plain, b"\x1b[31m"), (plain, b"a\tb"), (plain, "\u202e".encode()), (plain, b"\r"),
           (as_json, '{"a": 1, "a": 2}'), (as_json, "{"), (as_line, '{"a": 1}'), (as_csv, "a,b\n1\n"), (as_csv, "=1\n"),
           (as_csv, 'a,"+x"\n'), (as_md, "<b>"), (as_md, "`a"), (as_md, "[x](y)"), (as_md, "| `a|b` |\n"),
           (as_md, "|a|b|\n|c|\n"), (as_md, "``a` <b>"), (as_fields, "a b\nc\n")]
    missed = []
    for check, sample in bad:
        try:
            check(sample)
            missed.append("%s takes %r" % (check.__name__, sample))
        except (AssertionError, ValueError, csv.Error):
            pass
    return missed


ENV = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")} | {
    "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC"}


def piped(args: list[str], cwd: Path) -> tuple[bytes, bytes, int]:
    p = subprocess.run([SMILOG] + args, cwd=cwd, env=ENV, capture_output=True, stdin=subprocess.DEVNULL)
    return p.stdout, p.stderr, p.returncode


def on_terminal(args: list[str], cwd: Path, width: int) -> tuple[bytes, int]:
    """Standard output and error to a terminal of this width."""
    main, sub = pty.openpty()
    ioctl(sub, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    p = subprocess.Popen([SMILOG] + args, cwd=cwd, env=ENV, stdin=sub, stdout=sub, stderr=sub)
    os.close(sub)
    out = b""
    while True:
        ready, _, _ = select.select([main], [], [], 60)
        try:
            piece = os.read(main, 1 << 16) if ready else b""
        except OSError:
            piece = b""
        if not piece:
            break
        out += piece
    os.close(main)
    return out, p.wait()


def sets() -> list[tuple[list[str], object]]:
    """What is asked, and what its output has to be."""
    ask = ["--columns", "run,state,hostname,state_reason,param.conf"]
    groups = ["--group-by", "param.conf", "--columns", "gpu_util_mean_pct"]
    sql = ["--sql", "select run, name, text, advice, phase from findings left join gpus using(run)"]
    out = []
    for what, more in (("json", as_json), ("jsonl", as_jsonl), ("line", as_line), ("csv", as_csv), ("md", as_md),
                       ("table", no_check)):
        out += [(["summarize", "runs", "--format", what], more), (["summarize", "runs.tar", "--format", what], more)]
        if what != "line":
            out += [(["summarize", "runs", "--join", "join.csv", "--format", what], more),
                    (["merge", "all.partial", "--format", what], more)]
    out += [(["summarize", "runs", "--join", "columns.csv", "--format", f], c)
            for f, c in (("csv", as_csv), ("json", as_json), ("md", as_md), ("table", no_check))]
    for what, more in (("json", as_json), ("jsonl", as_jsonl), ("csv", as_csv), ("md", as_md), ("table", as_fields)):
        out += [(["summarize", "runs", *asked, "--format", what], more) for asked in (ask, groups, sql)]
    out += [(["summarize", "runs", "-v"], no_check), (["summarize", "runs", "--all"], no_check),
            (["summarize", "runs", "--partial"], as_jsonl)]
    return out


def commands_of_others() -> list[tuple[list[str], object]]:
    """Commands that this program may not have yet."""
    known = piped(["--help"], Path("."))[0].decode()
    out = []
    if re.search(r"^\s+check\b", known, re.M):
        base = ["check", "runs", "--max-idle-pct", "1", "--min-gpu-util", "90"]
        out += [(base, no_check), (base + ["--format", "json"], as_json)]
    if re.search(r"^\s+diff\b", known, re.M):
        out += [(["diff", "runs", "runs.tar"], no_check), (["diff", "runs", "runs.tar", "--format", "json"], as_json)]
    if re.search(r"^\s+report\b", known, re.M):
        out += [(["report", "runs", "-o", "report.md"], no_check)]
    return out


def judge(what: str, fails: list[str], check, *texts) -> None:
    try:
        check(*texts)
    except (AssertionError, ValueError, csv.Error) as e:
        fails.append("%s: %s" % (what, str(e)[:500]))


def look(top: Path) -> tuple[int, list[str]]:
    done, fails = 0, []
    out, _, _ = piped(["summarize", "runs", "--partial", "-q"], top)
    (top / "all.partial").write_bytes(out)
    for args, check in sets() + commands_of_others():
        out, err, rc = piped(args, top)
        name = " ".join(args)
        if rc not in (0, 1) or (rc == 1 and args[0] != "check"):
            fails.append("%s: ends with %d: %s" % (name, rc, ascii(err[-300:])))
        judge(name, fails, lambda: check(plain(out)))
        judge(name + " 2>", fails, lambda: plain(err))
        done += 2
    _, err, _ = piped(["summarize", "runs", "runs.tar", "-v", "--format", "line"], top)
    judge("every warning", fails, lambda: plain(err))
    for width in (60, 100, 200):
        for args in (["runs", "--all"], ["runs"], ["runs", "-v"], ["runs.tar"], ["runs", "--join", "join.csv"],
                     ["runs", "--columns", "run,hostname,param.conf"]):
            out, rc = on_terminal(["summarize", *args], top, width)
            judge("terminal of %d: %s" % (width, " ".join(args)), fails, lambda: plain(out, True))
            if rc:
                fails.append("terminal of %d: %s: ends with %d" % (width, " ".join(args), rc))
            done += 1
    return done, fails


def names_on_the_command_line(chosen: list, top: Path) -> tuple[int, list[str]]:
    """--run, --host, PATHs that are not there, expressions that are wrong: all is repeated in messages."""
    done, fails = 0, []
    log = os.fsencode(top) + b"/one.csv"
    Path(os.fsdecode(log)).write_bytes(hostile.query(hostile.Payload("x", "x", b"x"), False))
    for p in chosen:
        text = p.data.replace(b"\0", b"0")[:3000]
        for args in ([b"--run", text, b"--host", text, b"-v", log], [b"/no/" + text], [log, b"--where", text],
                     [log, b"--format", text], [log, b"--rules", text], [log, b"--tz", text],
                     [log, b"--run", text, b"--json"], [log, b"--join", text]):
            r = subprocess.run([SMILOG.encode(), b"summarize", *args], cwd=top, env=ENV, capture_output=True,
                               stdin=subprocess.DEVNULL)
            judge("%s %s" % (p.name, ascii(args[0])), fails, lambda: (plain(r.stdout), plain(r.stderr)))
            if r.returncode not in (0, 2, 3, 4):
                fails.append("%s %s ends with %d" % (p.name, ascii(args[0]), r.returncode))
            done += 1
    return done, fails


def main() -> int:
    words = sys.argv[1:]
    share = int(words.pop(0)[2:]) if words and words[0].startswith("1/") else 1
    chosen = [p for p in hostile.payloads() if not words or p.name in words or p.family in words][::share]
    with folder() as top:
        hostile.make(Path(top), chosen)
        done, fails = look(Path(top))
        more, others = names_on_the_command_line(chosen[::4], Path(top))
    fails += others + can_fail()
    for f in fails:
        print("FAILED " + f)
    failed = len(fails)
    print("%d payloads" % len(chosen))
    print("%d passed, %d failed" % (max(0, done + more - failed), failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
