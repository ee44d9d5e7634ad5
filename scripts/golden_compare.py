"""Compares what two programs wrote: texts byte for byte, workbooks cell for cell, pages by their data, databases by their rows.

comparable(data, side) turns one output into text in which only real differences remain. difference(a, b) is a short diff of
two such texts. Intended reads the file of intended differences."""
from __future__ import annotations

import datetime
import difflib
import fnmatch
import html.parser
import io
import json
import re
import sqlite3
import tempfile
import zipfile
from pathlib import Path
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINES = 12     # of a diff that is printed
WIDTH = 150    # of a line of it
TODAY = datetime.datetime.now(datetime.timezone.utc).date()
DAYS = "|".join(str(TODAY + datetime.timedelta(days=n)) for n in (-1, 0, 1))

# What legitimately changes from run to run: name of the rule, pattern, replacement.
RULES = [
    ("now", re.compile(r"\b(?:%s)(?:[T ]| at )\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00| UTC)?" % DAYS), "<now>"),
    ("temporary file", re.compile(r"\.tmp-\d+\b|/tmp\.[A-Za-z0-9]{6,10}\b"), "<tmp>"),
    ("version", re.compile(r"\bsmilog \d+\.\d+\.\d+"), "smilog VERSION"),  # as tests/run.sh does
    ("process", re.compile(r"\bpid \d+\b"), "pid <pid>"),
]


def normal(text: str, places: list[str]) -> str:
    """Applies the rules; places are the folders of a side, which both sides call <place>."""
    for place in places:
        text = text.replace(place, "<place>")
    for _, pattern, by in RULES:
        text = pattern.sub(by, text)
    return text


class Skeleton(html.parser.HTMLParser):
    """Visible text and links of a page; the JSON data of it, value for value; neither other scripts nor styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        if tag in ("script", "style"):
            self.inside = has.get("id") or "data" if has.get("type") == "application/json" else "-"
        elif tag == "a":
            self.lines.append("link " + (has.get("href") or ""))

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside = ""

    def handle_data(self, data):
        if self.inside == "-":
            return
        if not self.inside:
            self.lines.extend(s for s in map(str.strip, data.split("\n")) if s)
            return
        try:
            self.lines.extend(flat(self.inside, json.loads(data)))
        except ValueError:
            self.lines.append(self.inside + ": no JSON: " + data)


def flat(where: str, value) -> list[str]:
    """A line for each value, with its path."""
    if isinstance(value, dict) and value:
        return [s for k, v in value.items() for s in flat(where + "." + k, v)]
    if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        return [s for i, v in enumerate(value) for s in flat("%s[%d]" % (where, i), v)]
    return [where + " = " + json.dumps(value, ensure_ascii=False)]


def page(data: bytes) -> str:
    parser = Skeleton()
    parser.feed(data.decode("utf-8", "surrogateescape"))
    return "\n".join(parser.lines)


def styles(book: zipfile.ZipFile) -> list[str]:
    """The number format of each cell format. Fonts, fills and alignment are judged by eye."""
    root = ElementTree.fromstring(book.read("xl/styles.xml"))
    codes = {e.get("numFmtId"): e.get("formatCode") for e in root.iter(MAIN + "numFmt")}
    return [codes.get(xf.get("numFmtId"), xf.get("numFmtId")) for xf in root.find(MAIN + "cellXfs")]


def sheet(name: str, xml: bytes, formats: list[str], shared: list[str]) -> list[str]:
    out = []
    for e in ElementTree.fromstring(xml).iter():
        tag = e.tag.rpartition("}")[2]
        if tag == "c":
            value = "".join(t.text or "" for t in e.iter(MAIN + "t"))
            v, f = e.find(MAIN + "v"), e.find(MAIN + "f")
            if v is not None:
                value = shared[int(v.text)] if e.get("t") == "s" else v.text
            kind = "text" if e.get("t") in ("s", "str", "inlineStr") else e.get("t") or "number"
            formula = "" if f is None else " formula " + (f.text or "")
            form = formats[int(e.get("s") or 0)] if kind == "number" else ""
            if value or formula:
                out.append("%s!%s: %s %r%s; %s" % (name, e.get("r"), kind, value, formula, form))
        elif tag in ("mergeCell", "dataValidation", "autoFilter", "pane", "hyperlink"):
            has = {k: v for k, v in e.attrib.items() if not k.endswith("}id")}
            out.append("%s: %s %s" % (name, tag, sorted(has.items())))
        elif tag in ("oddHeader", "oddFooter", "formula"):
            out.append("%s: %s %s" % (name, tag, e.text))
    return out


def workbook(data: bytes) -> str:
    """Cells with value, formula and number format; filters, links; references and titles of the charts; names."""
    out = []
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        names, shared = set(book.namelist()), []
        if "xl/sharedStrings.xml" in names:
            root = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            shared = ["".join(t.text or "" for t in si.iter(MAIN + "t")) for si in root]
        top = ElementTree.fromstring(book.read("xl/workbook.xml"))
        formats = styles(book)
        for i, s in enumerate(top.iter(MAIN + "sheet"), 1):
            out += sheet(s.get("name"), book.read("xl/worksheets/sheet%d.xml" % i), formats, shared)
        out += ["name %s = %s" % (n.get("name"), n.text) for n in top.iter(MAIN + "definedName")]
        for part in sorted((n for n in names if re.fullmatch(r"xl/charts/chart\d+\.xml|xl/tables/table\d+\.xml|"
                                                             r"xl/drawings/drawing\d+\.xml", n)), key=natural):
            for e in ElementTree.fromstring(book.read(part)).iter():
                tag = e.tag.rpartition("}")[2]
                if e.text and e.text.strip():
                    out.append("%s: %s %s" % (part, tag, e.text))
                if tag.endswith("Chart") or tag in ("tableColumn", "table"):
                    out.append("%s: %s %s" % (part, tag, sorted(e.attrib.items())))
    return "\n".join(out)


def natural(name: str) -> list:
    return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]


PARTIAL = b'{"schema": "smilog-partial/'
OWN = {("summaries", "partial"), ("summaries", "schema")}  # a partial summary and its version


def database(data: bytes) -> str:
    """Tables, columns and rows; not the partial summaries in it, which have a test of their own."""
    out = []
    with tempfile.NamedTemporaryFile(suffix=".db") as f:
        f.write(data)
        f.flush()
        db = sqlite3.connect(f.name)
        out.append("user_version %s" % db.execute("pragma user_version").fetchone())
        for kind, table in db.execute("select type, name from sqlite_master where type in ('table', 'view') order by 1, 2").fetchall():
            names = [c[1] for c in db.execute('pragma table_info("%s")' % table)]
            out.append("%s %s %s" % (kind, table, names))
            keep = [i for i, n in enumerate(names) if (table, n) not in OWN]
            rows = [] if kind == "view" else db.execute('select * from "%s"' % table)
            out += sorted("%s: %r" % (table, [row[i] for i in keep]) for row in rows)
        db.close()
    return "\n".join(out)


def comparable(data: bytes, places: list[str]) -> str:
    """The text of an output in which only real differences remain."""
    if data[:15].lower() == b"<!doctype html>":
        text = page(data)
    elif data[:2] == b"PK" and b"xl/workbook.xml" in data:
        text = workbook(data)
    elif data[:16] == b"SQLite format 3\0":
        text = database(data)
    elif data.startswith(PARTIAL):
        text = "partial summaries: %d\n" % data.count(PARTIAL)
    else:
        text = data.decode("utf-8", "surrogateescape")
    return normal(text, places)


def around(a: str, b: str) -> tuple[str, str]:
    """Two long lines, cut to the part in which they differ."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    start = max(0, n - WIDTH // 3)
    head = "..." if start else ""
    return head + a[start:start + WIDTH], head + b[start:start + WIDTH]


def difference(a: str, b: str) -> list[str]:
    """All lines that differ, - of the reference and + of the candidate; long ones are cut to where they differ."""
    one, two = a.splitlines(), b.splitlines()
    if len(one) * len(two) > 4_000_000:  # too long to be aligned: the common beginning and end are left out
        while one and two and one[0] == two[0]:
            one.pop(0), two.pop(0)
        while one and two and one[-1] == two[-1]:
            one.pop(), two.pop()
        one, two = one[:2000], two[:2000]
    out: list[str] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        old, new = one[i:j], two[k:m]
        for n in range(max(len(old), len(new))):
            x, y = around(old[n] if n < len(old) else "", new[n] if n < len(new) else "")
            out += ["-" + x] * (n < len(old)) + ["+" + y] * (n < len(new))
    return out or ["-(other ends of lines)", "+(other ends of lines)"]


class Intended:
    """Lines of a file: NAME-GLOB, what differs (a regular expression that finds something in a line of the diff), reason;
    between them at least two blanks or a tab. The glob stands for a comparison ("sweep/full/md") or for one part of it
    ("sqlite/sweep,step4.stdout"). A line that begins with # is a comment."""

    def __init__(self, path: Path):
        self.entries, self.used = [], set()
        for n, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = re.split(r"\t+|  +", line.strip(), maxsplit=2)
            if len(words) != 3:
                raise SystemExit("%s:%d: needs NAME-GLOB, what differs and the reason" % (path, n))
            self.entries.append((words[0], re.compile(words[1]), words[2]))

    def covers(self, name: str, part: str, lines: list[str]) -> bool:
        """Each line of the diff, without its + or -, is one that some entry of this comparison names."""
        names = name, name + "," + part.replace(" ", "-")
        mine = [(i, pattern) for i, (glob, pattern, _) in enumerate(self.entries)
                if any(fnmatch.fnmatchcase(n, glob) for n in names)]
        found = [next((i for i, pattern in mine if pattern.search(s[1:])), None) for s in lines]
        if None in found:
            return False
        self.used.update(found)
        return True

    def unused(self) -> list[str]:
        return ["%s  %s  %s" % (g, p.pattern, why) for i, (g, p, why) in enumerate(self.entries) if i not in self.used]
