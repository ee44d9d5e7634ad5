"""The cells of a workbook that smilog wrote, much sooner than openpyxl has them: what stands in them, and the formulas."""
from __future__ import annotations

import re
import zipfile
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CELL = re.compile(r"([A-Z]+)(\d+)")


def place(name):
    """"B3" is row 3, column 2."""
    letters, row = CELL.fullmatch(name).groups()
    col = 0
    for c in letters:
        col = col * 26 + ord(c) - 64
    return int(row), col


class Sheet:
    """value[row, column]: a float or a text, of a formula what the file says that it comes to; formula[row, column]."""

    def __init__(self, xml):
        self.value, self.formula = {}, {}
        for cell in ElementTree.fromstring(xml).iter(MAIN + "c"):
            at, v, f = place(cell.get("r")), cell.find(MAIN + "v"), cell.find(MAIN + "f")
            if f is not None:
                self.formula[at] = f.text
            if cell.get("t") == "inlineStr":
                self.value[at] = "".join(t.text or "" for t in cell.iter(MAIN + "t"))
            elif v is not None:
                self.value[at] = v.text if cell.get("t") == "str" else float(v.text)
        self.rows = max((row for row, _ in self.value), default=0)

    def row(self, row):
        """What stands in it, by the heads in row 1."""
        return {text: self.value.get((row, col)) for (r, col), text in self.value.items() if r == 1}

    def under(self, text, col=1):
        """The row below the one that has this text in a column; None: there is no such row."""
        return next((r + 1 for (r, c), v in self.value.items() if c == col and v == text), None)


def sheets(path, names):
    """Those of these names."""
    with zipfile.ZipFile(path) as z:
        book = ElementTree.fromstring(z.read("xl/workbook.xml"))
        return {s.get("name"): Sheet(z.read(f"xl/worksheets/sheet{i}.xml"))
                for i, s in enumerate(book.iter(MAIN + "sheet"), 1) if s.get("name") in names}


def come_to(sheet):
    """Each formula, which is a SUBTOTAL: its cell, what the file says that it comes to, what it comes to."""
    sums = {"103": len, "109": sum, "101": lambda x: sum(x) / len(x), "104": max}
    for at, formula in sheet.formula.items():
        code, first, last = re.search(r"SUBTOTAL\((\d+),([A-Z]+\d+):([A-Z]+\d+)\)", formula).groups()
        (top, col), (end, _) = place(first), place(last)
        assert top == at[0] + 1 and col == at[1] and end == sheet.rows, (at, formula, sheet.rows)
        values = [sheet.value[r, col] for r in range(top, end + 1) if (r, col) in sheet.value]
        if code == "103":
            yield at, sheet.value[at], f"{len(values)} of {len(values)} shown"
        else:
            yield at, sheet.value[at], sums[code]([v for v in values if isinstance(v, float)])
