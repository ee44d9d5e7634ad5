"""Compares what two programs wrote: texts byte for byte, workbooks cell for cell, pages by their data, databases by their rows.

comparable(data, side) turns one output into text in which only real differences remain. difference(a, b) is a short diff of
two such texts. Intended reads the file of intended differences."""
from __future__ import annotations

import collections
import csv
import datetime
import difflib
import fnmatch
import gzip
import html.parser
import io
import json
import re
import sqlite3
import tempfile
import zipfile
import zlib
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
    ("version", re.compile(r"\bsmilog \d+\.\d+\.\d+"), "smilog VERSION"),  # as tests/run.py does
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
            self.lines.extend(flat(self.inside, json.loads(data, object_hook=texts_in_place)))
        except ValueError:
            self.lines.append(self.inside + ": no JSON: " + data)


def texts_in_place(o: dict) -> dict:
    """A column of a page that lists each text once (d), with their places (t), has its texts in their places."""
    return {k: [o["d"][i] for i in v] if k == "t" else v for k, v in o.items() if k != "d"} if isinstance(o.get("d"), list) else o


# An index of -1 is one that is not known.
NAMED = ("run", "uuid", "metric", "name", "path", "rule", "k", "gpu", "index", "column", "alert")  # what tells the entries of a list apart


def flat(where: str, value) -> list[str]:
    """A line for each value, with its path; a line for each line of a text."""
    if isinstance(value, dict) and value:
        return [s for k, v in value.items() for s in flat(where + "." + k, v)]
    if isinstance(value, list) and value and all(isinstance(v, str) and not isinstance(v, Digits) for v in value):
        return [s for v in value for s in flat(where + "[]", v)]
    if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        return [s for name, v in zip(names_of(value), value) for s in flat("%s[%s]" % (where, name), v)]
    if isinstance(value, str) and "\n" in value:
        return ["%s: %s" % (where, line) for line in value.split("\n")]
    return [where + " = " + (value if isinstance(value, Digits) else json.dumps(value, ensure_ascii=False))]


class Digits(str):
    """A number as it was printed."""


def names_of(values: list) -> list[str]:
    """Names of the entries of a list; the places of those that have none, share one, or are alone. A run is named with the
    formats of its GPU logs, a finding with its rule, its GPU, and a number of several."""
    names = [next((str(v[k]) for k in NAMED if v.get(k) not in (None, "-1")), "") if isinstance(v, dict) else "" for v in values]
    keys = [v.keys() if isinstance(v, dict) else () for v in values]
    found = ["%s of %s" % (v["rule"], v["gpu"]) if {"rule", "gpu"} <= set(k) else v["r"] if {"l", "r", "t"} <= set(k) else ""
             for v, k in zip(values, keys)]
    times = collections.Counter(names)
    names = [f and "%s, %d" % (f, found[:i].count(f)) or (n if n and times[n] == 1 and len(names) > 1 else str(i))
             for i, (n, f) in enumerate(zip(names, found))]
    forms = [sorted({i["format"] for i in v.get("inputs") or [] if isinstance(i, dict) and i.get("rows") and i.get("gpus", 1)})
             if isinstance(v, dict) and isinstance(v.get("inputs"), list) else [] for v in values]
    return [n + "; " + "+".join(map(str, f)) if f else n for n, f in zip(names, forms)]


def values_of(text: str) -> str | None:
    """JSON, JSON lines, and CSV with a row for each run or sample: a line for each value. None: another text. Rows of marks,
    which only later versions write into CSV, are left out: they are compared in JSON lines."""
    def read(part):
        return json.loads(part, parse_float=Digits, parse_int=Digits)
    if text.startswith("run,"):
        rows = list(csv.reader(io.StringIO(text)))
        if "device" in rows[0]:
            rows = [r for r in rows if r[rows[0].index("device")] != "mark"]
        names = ["column " + n for n in rows[0]]
        return "\n".join(names + ["%s.%s = %s" % (r[0], n, cell) for r in rows[1:] for n, cell in sorted(zip(rows[0], r))])
    if text[:1] not in ("{", "["):
        return None
    try:
        return "\n".join(flat("", read(text)))
    except ValueError:
        pass
    try:
        return "\n".join(s for i, line in enumerate(text.splitlines()) for s in flat("[%d]" % i, read(line)))
    except ValueError:
        return None


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
    """Its cells, each named by the text in column A of its row and by the head of its column, and the number formats of each
    column: what moves only because of other rows and columns is no difference."""
    out, heads, row_names, forms = [], {}, collections.Counter(), collections.defaultdict(set)
    name, row_name, row_of_name = re.sub(r"^(\d+) .*", r"run \1", name), "", ""
    head_row = "2" if name == "Groups" else "1"  # above it stands what they are groups of
    for e in ElementTree.fromstring(xml).iter():
        tag = e.tag.rpartition("}")[2]
        if tag == "c":
            value = "".join(t.text or "" for t in e.iter(MAIN + "t"))
            v, f = e.find(MAIN + "v"), e.find(MAIN + "f")
            if v is not None:
                value = shared[int(v.text)] if e.get("t") == "s" else v.text
            kind = "text" if e.get("t") in ("s", "str", "inlineStr") else e.get("t") or "number"
            column, row = re.fullmatch(r"([A-Z]+)(\d+)", e.get("r")).groups()
            if row == head_row:
                heads[column] = value
            if column == "A":
                row_names[value] += 1
                row_name = "%s#%d" % (value, row_names[value]) if row_names[value] > 1 else value
                row_of_name = row
            head = heads.get(column) if len(heads) > 1 else None
            where = "%s!%s | %s" % (name, row_name if len(heads) > 1 and row_of_name == row else row, head or column)
            if value or f is not None:
                formula = "" if f is None else " formula " + re.sub(r"\b%s(?=\d)" % column, "<column>", f.text or "")
                out.append("%s: %s %r%s" % (where, kind, value, formula))
            if value and kind == "number":
                forms[head or column].add(formats[int(e.get("s") or 0)])
        elif tag in ("mergeCell", "dataValidation", "autoFilter", "pane", "hyperlink"):
            has = {k: v for k, v in e.attrib.items() if not k.endswith("}id")}
            out.append("%s: %s %s" % (name, tag, sorted(has.items())))
        elif tag in ("oddHeader", "oddFooter", "formula"):
            out.append("%s: %s %s" % (name, tag, e.text))
    return out + ["%s! formats of %s: %s" % (name, head, form) for head in forms for form in sorted(forms[head])]


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
            out += ["%s %s.%s" % (kind, table, n) for n in names]
            keep = [i for i, n in enumerate(names) if (table, n) not in OWN]
            if kind == "view":
                continue
            if table in ("samples", "marks"):
                out += sorted("%s: %r" % (table, [row[i] for i in keep]) for row in db.execute('select * from "%s"' % table))
                continue
            for at, row in enumerate(db.execute('select * from "%s" order by 1, 2, 3' % table)):
                out += ["%s[%d].%s = %r" % (table, at, names[i], row[i]) for i in keep]
        db.close()
    return "\n".join(out)


def comparable(data: bytes, places: list[str]) -> str:
    """The text of an output in which only real differences remain."""
    try:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, zlib.error):
        pass
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


def compared(a: bytes, places: list[str], b: bytes, other: list[str]) -> list[str]:
    """The lines that differ. JSON and CSV whose values are equal, but not their bytes, are compared as texts."""
    x, y = comparable(a, places), comparable(b, other)
    if x == y:
        return []
    values = values_of(x), values_of(y)
    return difference(*values) if None not in values and values[0] != values[1] else difference(x, y)


def around(a: str, b: str) -> tuple[str, str]:
    """Two long lines, cut to the part in which they differ."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    start = max(0, n - WIDTH // 3)
    head = "..." if start else ""
    return head + a[start:start + WIDTH], head + b[start:start + WIDTH]


def cut(lines: list[str]) -> list[str]:
    """The lines of a difference, cut to where they differ: each - beside the + behind it."""
    out, i = [], 0
    while i < len(lines):
        pair = lines[i:i + 2] if [s[0] for s in lines[i:i + 2]] == ["-", "+"] else [lines[i]]
        texts = around(pair[0][1:], pair[-1][1:])
        out += [s[0] + text for s, text in zip(pair, texts)]
        i += len(pair)
    return out


def without(lines: list[str], counts: collections.Counter) -> list[str]:
    left, out = collections.Counter(counts), []
    for line in lines:
        if left[line]:
            left[line] -= 1
        else:
            out.append(line)
    return out


def difference(a: str, b: str) -> list[str]:
    """All lines that differ, - of the reference and + of the candidate."""
    one, two = a.splitlines(), b.splitlines()
    if len(one) * len(two) > 250_000:  # too long to be aligned
        both = collections.Counter(one) & collections.Counter(two)
        one, two = without(one, both), without(two, both)
    if len(one) * len(two) > 250_000:
        return ["-" + x for x in one] + ["+" + x for x in two]
    out: list[str] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        old, new = one[i:j], two[k:m]
        for n in range(max(len(old), len(new))):
            out += ["-" + x for x in old[n:n + 1]] + ["+" + y for y in new[n:n + 1]]
    return out or ["-(other ends of lines)", "+(other ends of lines)"]


LAYOUT = re.compile(r"\(layout(?: but (.*))?\)$")
ORDER = "(order)"
BUT = re.compile(r"\(but (.*)\)$")
DECIMAL = re.compile(r"(?<![\d.:/])\d+\.\d+(?![\d.:])")


def decimals(lines: list[str], sign: str, but: re.Pattern) -> set[str]:
    return {n for s in lines if s[0] == sign for n in DECIMAL.findall(but.sub("", s[1:]).replace(",", ""))}


class Intended:
    """Lines of a file: NAME-GLOB, what differs, reason; between them at least two blanks or a tab. The glob, or one of several
    with | between them, stands for a comparison ("sweep/full/md") or for one part of it ("sqlite/sweep,step4.stdout"). What
    differs is a regular expression that finds something in a line of the diff, or (layout): words and lines may differ, and
    numbers with decimals may come, or may go, but not both, as they do where a figure has another value. (layout but REGEX)
    does not look at what the expression finds in a line; (order): lines stand in another order; (but REGEX): a line that went and one
    that came are the same but for spaces and what the expression finds. A line that begins with # is a comment."""

    def __init__(self, path: Path):
        self.entries, self.but, self.used = [], [], {}
        for n, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = re.split(r"\t+|  +", line.strip(), maxsplit=2)
            if len(words) != 3:
                raise SystemExit("%s:%d: needs NAME-GLOB, what differs and the reason" % (path, n))
            layout = LAYOUT.match(words[1])
            pattern = re.compile(layout[1] or r"(?!)" if layout else words[1].replace(ORDER, r"(?!)"))
            but = BUT.match(words[1])
            self.but.append(re.compile("(?:" + but[1] + r")|\s+") if but else None)
            self.entries.append((words[0].split("|"), re.compile(r"(?!)") if but else pattern, bool(layout), line.strip()))

    def beyond(self, name: str, part: str, lines: list[str]) -> list[str]:
        """The lines of a diff that no entry of this comparison names; a regular expression sees a line without its + or -."""
        names = name, name + "," + part.replace(" ", "-")
        mine = [(i, pattern, layout) for i, (globs, pattern, layout, _) in enumerate(self.entries)
                if any(fnmatch.fnmatchcase(n, g) for n in names for g in globs)]
        found = [next((i for i, pattern, layout in mine if not layout and pattern.search(s[1:])), None) for s in lines]
        left = [s for s, i in zip(lines, found) if i is None]
        for i in (i for i, *_ in mine if ORDER in self.entries[i][3]):
            moved = {s[1:] for s in left if s[0] == "-"} & {s[1:] for s in left if s[0] == "+"}
            left = [s for s in left if s[1:] not in moved]
            found += [i] if moved else []
        for i in (i for i, *_ in mine if self.but[i]):
            key = {s: self.but[i].sub("", s[1:]) for s in left}
            alike = {key[s] for s in left if s[0] == "-"} & {key[s] for s in left if s[0] == "+"}
            found += [i] if alike else []
            left = [s for s in left if key[s] not in alike]
        at, but = next(((i, pattern) for i, pattern, layout in mine if layout), (None, None))
        if left and but:
            gone, came = (decimals(left, a, but) - decimals(lines, b, but) for a, b in ("-+", "+-"))
            if gone and came:
                return [s for s in left if (gone if s[0] == "-" else came) & decimals([s], s[0], but)]
            left = []
            found.append(at)
        for i in {i for i in found if i is not None}:
            self.used[i] = self.used.get(i, 0) + 1
        return left

    def counts(self) -> list[tuple[int, str]]:
        return [(self.used.get(i, 0), line) for i, (*_, line) in enumerate(self.entries)]

    def unused(self, areas: list[str]) -> list[str]:
        """Entries that named nothing where all of these areas were compared; of every area, only if all were."""
        return [line for i, (globs, *_, line) in enumerate(self.entries) if i not in self.used and
                all(g.split("/")[0] in areas or None in areas and g.startswith("*") for g in globs)]
