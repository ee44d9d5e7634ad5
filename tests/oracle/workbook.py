#!/usr/bin/env python3
"""The workbook of a sweep, read back: every part well-formed, every number that of --json, no formula or link but ours.

    workbook.py [--random N] [PATH...]     (default: the fixture sweep)      SMILOG=the program

Ends with "N passed, M failed". --random N: besides, N workbooks of runs with hostile names, parameters, columns, phases
and events (seeded: the same every time) are opened."""
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
import warnings
import xml.parsers.expat
import zipfile

import openpyxl

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
import lib  # noqa: E402

warnings.simplefilter("ignore")


def check(ok, *what):
    lib.check(what[0], ok, what[1:])


def same(cell, value, per=1.0):
    """An empty cell is null; a number is equal in 15 digits."""
    if value is None or cell is None:
        return value is None and cell is None
    return abs(float(cell) * per - float(value)) <= 1e-12 * max(1.0, abs(float(value)))


def smilog(*args):
    return lib.smilog(*args, text=False, errors=None, env={**os.environ, "SOURCE_DATE_EPOCH": "1783116000"})


def opened(path):
    """The workbook, after what has to hold for every one."""
    z = zipfile.ZipFile(path)
    check(z.testzip() is None, path, "zip")
    for name in z.namelist():
        xml.parsers.expat.ParserCreate().Parse(z.read(name), True)
    book = openpyxl.load_workbook(path)
    values = openpyxl.load_workbook(path, data_only=True)
    check(book.active.title == "Overview", path, "opens on", book.active.title)
    check(not book["Overview"].sheet_view.showGridLines, path, "grid lines")
    for sheet in book:
        check(len(sheet.title.encode("utf-16-le")) // 2 <= 31 and not re.search(r"[\[\]:*?/\\']", sheet.title), sheet.title)
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    check(re.match(r"=(IFERROR\()?SUBTOTAL\(", cell.value), path, sheet.title, cell.coordinate, cell.value)
                if cell.hyperlink:
                    check(cell.hyperlink.location and not cell.hyperlink.target, path, cell.hyperlink)
                if cell.data_type in ("s", "inlineStr") and cell.value:
                    bad = [c for c in cell.value if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\u00ad"]
                    check(not [c for c in bad if c < " " or "\u202a" <= c <= "\u202e"], path, sheet.title, cell.coordinate,
                          repr(cell.value[:80]))
                    check(len(cell.value) <= 32767, path, "too long")
    return values


def rows(sheet, first):
    head = [c.value for c in sheet[1]]
    for row in sheet.iter_rows(min_row=first):
        yield {h: c.value for h, c in zip(head, row)}


def text_of(s):
    """A name as a cell has it."""
    return s if s is None or all(ord(c) >= 32 for c in s) else None


def check_runs(book, doc):
    sheet = list(rows(book["Runs"], 3))
    check(len(sheet) == len(doc["runs"]), "rows of Runs", len(sheet))
    start = next(c.value for c in book["Runs"][1] if str(c.value).startswith("Start"))
    zone = re.search(r"UTC([+-]\d\d):(\d\d)", start)
    zone = int(zone[1]) * 3600 + int(zone[1][0] + zone[2]) * 60 if zone else 0
    for cell, run in zip(sheet, doc["runs"]):
        s, name = run["summary"], run["run"]
        pairs = [("Time h", run["duration_s"], 3600), ("GPU-h", run["gpu_hours"], 1), ("GPU use %", run["gpu_util_time_mean_pct"] if run["gpu_util_time_mean_pct"] is not None else s.get("gpu_util_mean_pct"), 100),
                 ("Idle %", run["idle_pct"], 100), ("Longest idle min", run["longest_idle_s"], 60),
                 ("Wasted GPU-h", run["wasted_h"]["total"], 1), ("VRAM peak GiB", run["vram"]["used_peak_mb"], 1024),
                 ("VRAM total GiB", run["vram"]["total_mb"], 1024), ("Power mean W", s.get("power_watts_mean"), 1),
                 ("Power max W", s.get("power_watts_max"), 1), ("Energy Wh", run["energy_wh"], 1),
                 ("CPU use %", s.get("cpu_usr_mean_pct"), 100), ("Findings", len(run["findings"]), 1)]
        if "Cost" in cell:
            pairs.append(("Cost", run["cost"], 1))
        for head, value, per in pairs:
            check(same(cell[head], value, per), name, head, cell[head], value)
        for head, value in (("Run", name), ("State", run["state"]), ("Host", run["hostname"]),
                            ("VRAM from", run["vram"]["source"])):
            check(cell[head] == value or text_of(value) is None, head, cell[head], value)
        if run["start"] and run["start"].endswith("Z"):
            want = datetime.datetime.fromisoformat(run["start"][:-1]) + datetime.timedelta(seconds=zone)
            check(abs((cell[start] - want).total_seconds()) < 0.002, name, cell[start], want)
        for key, value in run["params"].items():
            got = cell.get(key)
            check(got == value or str(got) == str(value) or isinstance(value, bool) or (got, value) == ("null", None), name,
                  key, got, value)


def check_totals(book, doc):
    """What row 2 says without calculation is what its formulas come to."""
    data = list(rows(book["Runs"], 3))
    kinds = {"sum": sum, "mean of the runs": lambda x: sum(x) / len(x), "largest": max}
    about = {}
    for row in book["About"].iter_rows(values_only=True):
        if row[0] == "Groups":
            break
        about[row[1]] = row[3]
    for c in book["Runs"][2][1:]:
        head = book["Runs"].cell(1, c.column).value
        values = [r[head] for r in data if isinstance(r[head], (int, float))]
        if about.get(head) in kinds and values:
            check(same(c.value, kinds[about[head]](values)), "total of", head, c.value)
    if data:
        total = doc["total"]
        where = {book["Runs"].cell(1, c.column).value: c.value for c in book["Runs"][2]}
        check(total["gpu_hours"] is None or abs(where["GPU-h"] - total["gpu_hours"]) < 1e-6 * len(data), "sum of GPU-h")


def check_lists(book, doc):
    gpus, phases, findings, inputs = ([r for r in rows(book[n], 2)] for n in ("GPUs", "Phases", "Findings", "Inputs"))
    want = [(r, g) for r in doc["runs"] for g in r["gpus"]]
    for cell, (run, gpu) in zip(gpus, want):
        m = gpu["metrics"]
        for head, metric, stat, per in (("Use mean %", "gpu_util_pct", "mean", 100), ("Use p5 %", "gpu_util_pct", "p5", 100),
                                        ("Use p50 %", "gpu_util_pct", "p50", 100), ("Use p95 %", "gpu_util_pct", "p95", 100),
                                        ("Use max %", "gpu_util_pct", "max", 100), ("Device VRAM GiB", "fb_used_mib", "max", 1024),
                                        ("Power mean W", "power_w", "mean", 1), ("Power max W", "power_w", "max", 1),
                                        ("Temp max °C", "temp_gpu_c", "max", 1), ("SM clock mean MHz", "clk_sm_mhz", "mean", 1)):
            of = m.get(metric, {})
            if stat == "mean" and of.get("time_mean") is not None:  # a mean is over time, where times are known
                stat = "time_mean"
            check(same(cell[head], of.get(stat), per), run["run"], gpu["gpu"], head, cell[head])
        check(same(cell["Idle %"], gpu["idle_pct"], 100), "Idle % of a GPU")
        check(same(cell["Energy Wh"], gpu["energy_wh"]) and same(cell["Samples"], gpu["samples"]), "energy of a GPU")
    check(len(gpus) == len(want) or not want, "rows of GPUs", len(gpus), len(want))
    want = [(r, p) for r in doc["runs"] for p in r["phases"]]
    check(len(phases) == len(want) or not want, "rows of Phases", len(phases), len(want))
    for cell, (run, p) in zip(phases, want):
        s = p["summary"] or {}
        check(same(cell["Seconds"], p["seconds"]) and same(cell["Times"], p["count"]) and same(cell["Energy Wh"], p["energy_wh"]),
              run["run"], p["name"])
        check(same(cell["GPU use %"], s.get("gpu_util_mean_pct"), 100) and same(cell["Idle %"], p["idle_pct"], 100) and
              same(cell["Device VRAM GiB"], s.get("peak_vram_mb"), 1024) and same(cell["Samples"], p["samples"]), run["run"], p)
    want = sorted(f["gpu_hours"] or 0 for r in doc["runs"] for f in r["findings"])
    check(not want or [round(r["GPU-h"] or 0, 9) for r in findings] == want[::-1], "GPU-h of Findings")
    want = [i for r in doc["runs"] for i in r["inputs"]]
    check(len(inputs) == len(want) or not want, "rows of Inputs", len(inputs), len(want))
    for cell, i in zip(inputs, want):
        check((cell["Lines"], cell["Rows"], cell["Rejected"], cell["Gaps"]) ==
              (i["lines"], i["rows"], sum(i["rejected"].values()), i["gaps"]), i["path"])
        check(same(cell["Interval s"], i["interval_s"]), i["path"], "interval")


def check_overview(book, doc):
    """The parts of the waste add up, and are those of the runs."""
    cells = [[c for c in row] for row in book["Overview"].iter_rows(values_only=True)]
    names = {"Failed runs": "failed", "GPUs that did no work": "unused", "Idle before the first work": "start",
             "Idle between work": "stall", "Idle after the last work": "end", "Wasted": "total"}
    got, rest = ({n[r[0]]: r[1] for r in cells if r[0] in n and r[1] is not None} for n in
                 (names, {"Used": "used", "Not known": "unknown", "All": "all"}))
    if not got:
        return
    check(abs(sum(v for k, v in got.items() if k != "total") - got["total"]) < 1e-9, "waste adds up", got)
    check(abs(got["total"] + rest["used"] + rest.get("unknown", 0) - rest["all"]) < 1e-9, "the parts add up", got, rest)
    for key, value in got.items():
        want = sum(r["wasted_h"][key] or 0 for r in doc["runs"])
        check(abs(value - want) < 1e-6 * (len(doc["runs"]) + 1), "waste", key, value, want)


ASKED = (["--columns", "run,state,start,gpu_hours,energy_wh,exit_code,idle_pct"], ["--sql", "select * from runs"],
         ["--sql", "select run, gpu_hours > 1 as long, 0.1 as a, 1e-9 as b, 9007199254740993 as c, '=1' as d from runs"],
         ["--sql", "select * from findings"], ["--sql", "select * from runs where 0"],
         ["--group-by", "state", "--columns", "gpu_util_mean_pct,energy_wh"], ["--group-by", "state,hostname"])


def check_rows(path, directory):
    """What is asked has one sheet, with the names and values of --json, each of its type."""
    out = os.path.join(directory, "rows.xlsx")
    for asked in ASKED:
        run, doc = smilog("summarize", "-q", *asked, path, "-o", out), smilog("summarize", "-q", *asked, path, "--json")
        check(run.returncode in (0, 3) and run.returncode == doc.returncode, path, asked, run.stderr[:300])
        if run.returncode:
            continue
        doc, book = json.loads(doc.stdout), openpyxl.load_workbook(out)
        sheet = list(book.active.iter_rows(values_only=True))
        check(book.sheetnames == ["Rows"] and book.active.freeze_panes == "B2", asked, book.sheetnames)
        check(sheet and [h for h in sheet[0]] == doc["columns"], asked, sheet[:1])
        check(len(sheet) == 1 + len(doc["rows"]), asked, len(sheet), len(doc["rows"]))
        for cells, row in zip(sheet[1:], doc["rows"]):
            for value, (key, want) in zip(cells, row.items()):
                if isinstance(want, int) and not isinstance(want, bool) and abs(want) >= 10 ** 15:
                    want = str(want)
                same_type = isinstance(value, bool) == isinstance(want, bool) and isinstance(value, str) == isinstance(want, str)
                check(same_type and (isinstance(want, str) or same(value, want)) and
                      (not isinstance(want, str) or value == want or text_of(want) is None), asked, key, value, want)


def compare(path, directory):
    out = os.path.join(directory, "a.xlsx")
    run = smilog("report", "-q", path, "-o", out)
    doc = smilog("summarize", "-q", "--json", path)
    check(run.returncode in (0, 3) and run.returncode == doc.returncode, path, run.stderr.decode(errors="replace")[:300])
    if run.returncode:
        return
    doc, book = json.loads(doc.stdout), opened(out)
    check_rows(path, directory)
    check_runs(book, doc)
    check_totals(book, doc)
    check_lists(book, doc)
    check_overview(book, doc)
    with open(out, "rb") as f:
        first = f.read()
    smilog("report", "-q", path, "-o", out)
    with open(out, "rb") as f:
        check(f.read() == first, path, "the same bytes again")


# --- workbooks of hostile text ---

PIECES = [b"=HYPERLINK(\"http://hostile.invalid\",\"x\")", b"=1+1", b"+1", b"-1", b"@SUM(A1)", b"</script><script>x</script>",
          b"]]>", b"&amp;&lt;&#0;", b"<t>", b"_x0041_", b"_x0041_x0042_", b"_x005F_", b"\x1b[31m", b"\x07", b"\x00"[:0], b"\x7f",
          b"\xc2\x85", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xef\xbf\xbe", b"\xef\xbf\xbf", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80",
          b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8", b"'", b"\"", b"'!A1", b"#REF!", b"1e999", b"nan", b"TRUE",
          b" ", b"\t", b"a" * 40, "é".encode() * 20, b"A1:B2", b"history", b"Runs", b"javascript:alert(1)", b"[x]*?:\\"]


def hostile(rng, most):
    t = b"".join(rng.choice(PIECES) for _ in range(rng.randrange(1, most)))
    if rng.random() < 0.03:
        t *= 100000 // (len(t) + 1) + 1
    return t


def as_json(t):
    """A JSON string that holds what it can of these bytes."""
    return json.dumps(t.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()).encode()


def random_run(rng, where, k):
    name = hostile(rng, 5).replace(b"/", b"").replace(b"\0", b"")[:120].strip(b". ") + b"%d" % k
    directory = os.path.join(os.fsencode(where), name)
    os.makedirs(directory, exist_ok=True)
    gpu = hostile(rng, 4).replace(b",", b";").replace(b"\n", b"").replace(b"\r", b"")
    with open(os.path.join(directory, b"hw.csv"), "wb") as f:
        f.write(b"timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n")
        for i in range(rng.randrange(0, 40)):
            f.write(b"2026/07/03 18:%02d:%02d.000, 0, %s, %d, %d, %d.5\n" %
                    (10 + i // 6, i % 6 * 10, gpu, rng.randrange(101), rng.randrange(80000), rng.randrange(700)))
    with open(os.path.join(directory, b"run.jsonl"), "wb") as f:
        f.write(b'{"ts": "2026-07-03T18:10:00+00:00", "type": "event", "event": "start", "data": {%s: %s}}\n' %
                (as_json(hostile(rng, 3)), as_json(hostile(rng, 5))))
        for i in range(rng.randrange(4)):
            f.write(b'{"ts": "2026-07-03T18:1%d:00+00:00", "type": "phase", "phase": %s, "seconds": 30}\n' %
                    (i + 1, as_json(hostile(rng, 5))))
            f.write(b'{"ts": "2026-07-03T18:1%d:30+00:00", "type": "event", "event": %s}\n' % (i + 1, as_json(hostile(rng, 5))))
        f.write(b'{"ts": "2026-07-03T18:16:00+00:00", "type": "event", "event": "%s", "data": {"error": %s}}\n' %
                (rng.choice((b"stop", b"error")), as_json(hostile(rng, 5))))


def hostile_books(n, directory):
    rng = random.Random(7)
    for i in range(n):
        where = os.path.join(directory, "hostile%d" % i)
        for k in range(rng.randrange(1, 5)):
            random_run(rng, where, k)
        out = os.path.join(directory, "h%d.xlsx" % i)
        run = smilog("report", "-q", where, "-o", out)
        check(run.returncode in (0, 3), where, run.stderr.decode(errors="replace")[:200])
        if run.returncode == 0:
            opened(out)
            run = smilog("summarize", "-q", "--sql", "select * from runs", where, "-o", out)
            check(run.returncode == 0 and openpyxl.load_workbook(out).sheetnames == ["Rows"], where, run.stderr[:200])
        if run.returncode == 0 and not os.environ.get("SMILOG_KEEP"):
            os.unlink(out)
        subprocess.run(["rm", "-rf", where], check=True)


def main():
    args = sys.argv[1:]
    n = 0
    if args[:1] == ["--random"]:
        n, args = int(args[1]), args[2:]
    with tempfile.TemporaryDirectory() as directory:
        directory = os.environ.get("SMILOG_KEEP", directory)
        for path in args or ([] if n else [lib.SWEEP]):
            compare(path, directory)
        hostile_books(n, directory)
    return lib.finish()


if __name__ == "__main__":
    sys.exit(main())
