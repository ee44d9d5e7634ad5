#!/usr/bin/python3
"""The page in a real browser: sort, filter, group, zoom, hover, a run by its address; a page full of hostile text; what
is left without scripts. Needs chromium and python3-websocket (Debian's).

    browser_check.py [DIR]   SMILOG: the program. DIR: a large sweep, whose page must be small and quick, too"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import browser_drawn
from browser import Browser, need_browser
from lib import ROOT, SMILOG, check, equal, finish


def make(path, *args):
    subprocess.run([SMILOG, "report", "-q", "-o", path, *args], check=True, cwd=ROOT)


def quiet(name, b):
    """It asked for nothing, and complained of nothing."""
    equal(name + ": no requests", [r for r in b.requests if not r.startswith("file:")], [])
    equal(name + ": one file", len([r for r in b.requests if r.startswith("file:")]), 1)
    equal(name + ": no violations", b.violations, [])
    equal(name + ": nothing on the console", b.console, [])


NAMES = "[...document.querySelectorAll('table.runs tbody a')].map((a) => a.textContent)"


def cells(b, key):
    """The texts of a column as they stand in the table."""
    return b.js("""(() => { const k = table.columns.findIndex((c) => c.key === %s);
        return [...document.querySelectorAll('table.runs tbody tr')].filter((r) => r.cells.length > 1)
        .map((r) => r.cells[k].textContent); })()""" % json.dumps(key))


def type_filter(b, text):
    b.js("(() => { const f = document.getElementById('filter'); f.focus(); f.value = %s;"
         "f.dispatchEvent(new Event('input')); f.blur(); })()" % json.dumps(text))
    b.settle(0.05)


def press(b, selector):
    x, y = b.js("""(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});
        const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()""" %
                json.dumps(selector))
    b.click(x, y)


def same_as_summarize(b, path, *options):
    """What is copied as CSV is what summarize writes, letter by letter, of the columns that it has."""
    copied = list(csv.DictReader(io.StringIO(b.js("csv(D.columns, [...Array(D.n).keys()])"))))
    whole = subprocess.run([SMILOG, "summarize", "-q", "--format", "csv", *options, path], cwd=ROOT, capture_output=True,
                           check=True).stdout.decode()
    written = list(csv.DictReader(io.StringIO(whole)))
    both = [name for name in copied[0] if name in written[0]]
    check("most columns are those of summarize", len(both) >= 20, both)
    for name in both:
        equal("copied " + name, [r[name] for r in copied], [r[name] for r in written])


def the_fixture(b, page):
    runs = json.loads(subprocess.run([SMILOG, "summarize", "-q", "--json", "tests/fixtures/sweep"], cwd=ROOT,
                                     capture_output=True, check=True).stdout)["runs"]
    b.open(page)
    quiet("fixture", b)
    equal("rows in the order of names", b.js(NAMES), [r["run"] for r in runs])
    number = [f'{r["gpu_util_time_mean_pct"]:.1f}' if r["gpu_util_time_mean_pct"] is not None else "-" for r in runs]
    equal("GPU % as in --json", cells(b, "gpu"), number)
    check("the sentence is above the fold",
          b.js("document.querySelector('.figures').getBoundingClientRect().bottom") < 720)

    press(b, "table.runs th:nth-child(6) button")
    idle = cells(b, "idle")
    want = sorted((float(t.rstrip("!")) for t in idle if t != "-"), reverse=True)
    equal("sorted, largest first", [float(t.rstrip("!")) for t in idle if t != "-"], want)
    equal("what has no value is last", idle[-1], "-")
    equal("the address keeps the order", b.js("location.hash"), "#sort=-idle")
    press(b, "table.runs th:nth-child(6) button")
    equal("and turned round", [float(t.rstrip("!")) for t in cells(b, "idle") if t != "-"], want[::-1])
    equal("the head says so", b.js("document.querySelector('th[aria-sort]').getAttribute('aria-sort')"), "ascending")

    for text, keep in (("lr=0.1", lambda r: "lr=0.1/" in r["run"]), ("lr=0.10 idle>10", lambda r: r["run"] ==
                       "lr=0.1/seed=3"), ("memory", lambda r: r["state"] == "failed"), ("-state=ok", lambda r:
                       r["state"] != "ok"), ("time<1h lr!=0.3", lambda r: r["duration_s"] < 3600 and "lr=0.3" not in
                       r["run"]), ("seed>=3 run~0.0", lambda r: r["run"][-1] in "34" and "lr=0.0" in r["run"]),
                       ('state="FAILED"', lambda r: r["state"] == "failed"), ("nothing=1", lambda r: True)):
        type_filter(b, text)
        if text == "nothing=1":
            check("an unknown column is named", "no column \"nothing\"" in b.js("table.status.textContent"))
        else:
            equal("filter " + text, sorted(b.js(NAMES)), sorted(r["run"] for r in runs if keep(r)))
    for text in ("idle_pct > 10", "lr = 0.1 and seed <> 3", "state = 'failed'", "vram_used_peak_mb > 42300 AND duration_s<3600",
                 "param.lr=0.3 and wasted_total_h >= 0.2", "gpu_util_time_mean_pct > 80 and hostname = 'pod-3'"):
        kept = json.loads(subprocess.run([SMILOG, "summarize", "-q", "--json", "--where", text, "tests/fixtures/sweep"],
                                         cwd=ROOT, capture_output=True, check=True).stdout)["runs"]
        type_filter(b, text)
        equal("as --where: " + text, b.js(NAMES), [r["run"] for r in kept])
    type_filter(b, "lr = 7")
    check("that nothing matches is said", "no run matches lr = 7" in b.js("table.scroll.textContent"),
          b.js("table.scroll.textContent"))
    type_filter(b, "lr=0.1")
    check("the address keeps the filter", "filter=lr%3D0.1" in b.js("location.hash"))
    check("what is left is summed", "4 of 12 runs: 7.23 GPU-h, 0.72" in b.js("table.status.textContent"),
          b.js("table.status.textContent"))
    type_filter(b, "")

    b.js("table.group.value = 'lr'; table.group.dispatchEvent(new Event('change'))")
    heads = b.js("[...document.querySelectorAll('tr.group b')].map((e) => e.textContent)")
    equal("groups", heads, ["lr=0.03", "lr=0.1", "lr=0.3"])
    b.js("table.group.value = ''; table.group.dispatchEvent(new Event('change'))")

    press(b, ".bars .barline:first-child .w-failed")
    equal("a part of the bar filters", b.js(NAMES), ["lr=0.3/seed=2"])
    type_filter(b, "")
    equal("parts of the waste add up", b.js("""PARTS.slice(1).map((p) => D.by.get(p).exact.reduce((a, x) =>
        a + Math.max(0, x), 0)).reduce((a, x) => a + x) === D.by.get('wasted').exact.reduce((a, x) =>
        a + Math.max(0, x), 0)"""), True)

    text = b.js("csv(shownColumns(), [0, 1])")
    check("CSV has the heads", text.startswith("run,state,duration_s,"), text)
    same_as_summarize(b, "tests/fixtures/sweep")
    equal("CSV guards formulas", b.js("""csv([{csv: 'a', text: () => '=1+1'}, {csv: 'b', right: true, text: () =>
        '-1'}, {csv: 'c', text: () => '@"x"'}], [0])"""), "a,b,c\n'=1+1,-1,\"'@\"\"x\"\"\"\n")
    press(b, ".tools > button")
    check("the button copies", "duration_s" in b.js("table.copied") and b.js("table.copied.trim().split('\\n').length") == 13)
    b.settle(0.3)
    check("and says so", "opied" in b.js("table.copy.textContent"))
    press(b, ".chooser summary")
    b.js("table.boxes.find((x) => x.key === 'host').box.click()")
    check("a column more", "host" in b.js("table.columns.map((c) => c.key)"))
    b.js("change({columns: null})")
    for width, shown in ((1280, True), (820, True), (700, True), (560, True), (390, False)):
        b.resize(width, 720)
        b.settle(0.3)
        equal(f"{width} wide: over time", b.js("!!document.querySelector('table.runs .spark')"), shown)
    b.resize(1280, 720)
    b.settle(0.3)
    quiet("fixture, used", b)


def the_map(b):
    b.js("change({sort: '', down: false})")
    rows = b.js("map.rows.map((i) => [D.name.text(i), D.by.get('wasted').exact[i]])")
    names = [name for name, _ in rows]
    equal("the map begins with the run that wasted most", names[:2], ["lr=0.3/seed=2", "lr=0.3/seed=3"])
    equal("and goes on so", [w for _, w in rows], sorted((w for _, w in rows), reverse=True))
    b.js("map.box.scrollIntoView({block: 'center'})")
    x, y, h = b.js("(() => { const r = map.canvas.getBoundingClientRect(); return [r.x, r.y, map.h]; })()")
    b.mouse("mouseMoved", x + 500, y + h * 6.5)
    b.settle()
    equal("the map tells what is under the pointer", b.js("tip.hidden ? '' : tip.firstChild.textContent"), names[6])
    b.click(x + 500, y + h * 6.5)
    b.settle(0.3)
    equal("and opens it", b.js("location.hash"), "#run=" + urllib.parse.quote(names[6], safe=""))
    b.js("map.canvas.focus()")
    for key in ("Home", "ArrowDown", "ArrowDown"):
        b.call("Input.dispatchKeyEvent", type="keyDown", key=key)
    equal("keys walk through the map", b.js("map.at"), 2)
    b.call("Input.dispatchKeyEvent", type="keyDown", key="Enter")
    b.settle(0.3)
    equal("and open", b.js("document.getElementById('one-title').textContent"), "Run " + names[2])
    b.js("change({sort: 'run', down: true})")
    equal("it follows the table", b.js("map.rows.map((i) => D.name.text(i))"), b.js(NAMES))
    equal("one that does not scroll says nothing of it", "scroll" in b.js("map.note.textContent"), False)
    b.js("change({sort: ''}); map.rows = [...Array(300).keys()]; mapRows = () => map.rows.map(() => 0); drawMap()")
    check("one that scrolls says so", "rows 1 to 206 of 300: scroll" in b.js("map.note.textContent"), b.js("map.note.textContent"))


def a_section(b, page):
    b.open(page)
    names = b.js(NAMES)
    b.open(page, "#runs")
    quiet("section by its address", b)
    equal("all rows are drawn", b.js(NAMES), names)
    check("and the map", b.js("map.canvas.getContext('2d').getImageData(0, 0, map.canvas.width, map.canvas.height)"
                              ".data.some((v) => v > 0)"))
    check("the section is what one sees", 0 <= b.js("document.getElementById('runs').getBoundingClientRect().top") < 100)


def bands(b):
    """Below the curves: where a finding says, reached with a key, and zoomed to."""
    equal("bands: the worst level first", b.js("[...document.querySelectorAll('.bands li b')].map((e) => e.textContent)"),
          ["stall", "start"])
    far = b.js("""(() => { const e = one.bands.find((x) => x.button.classList.contains('l-warn')), r = e.button.getBoundingClientRect(),
        g = one.charts[0].dygraph, c = g.graphDiv.getBoundingClientRect();
        return [r.left - c.left - g.toDomXCoord(e.from), r.right - c.left - g.toDomXCoord(e.to)]; })()""")
    check("bands: on the axis of the charts", all(abs(x) < 1.5 for x in far), far)
    b.js("document.querySelector('.bands').scrollIntoView({block: 'center'})")
    b.mouse("mouseMoved", 2, 2)
    b.settle()
    b.js("document.querySelector('.bands button').focus()")
    said = b.js("tip.hidden ? '' : tip.textContent")
    check("bands: their words come with the focus", said.startswith("both GPUs idle 5m10s from 00:37:15"), said)
    b.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    b.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    b.settle()
    equal("bands: a key zooms to one", b.js("Math.round((one.zoom[1] - one.zoom[0]) / 1000)"), 372)
    equal("bands: what lies elsewhere is hidden", b.js("one.bands.map((x) => x.button.hidden)"), [False, True])
    b.js("one.reset.click()")


def one_run(b, page):
    b.open(page, "#run=" + urllib.parse.quote("lr=0.1/seed=3", safe=""))
    quiet("run by its address", b)
    equal("it is open", b.js("document.getElementById('one').hidden"), False)
    equal("six charts", b.js("one.charts.length"), 6)
    equal("two GPUs and the limits", b.js("one.charts.map((c) => [c.c.lines.length, c.c.limits.length])"),
          [[2, 0], [2, 2], [2, 0], [2, 0], [2, 0], [1, 0]])
    x, y, w, h = b.js("""(() => { const e = one.charts[0].dygraph.canvas_; e.scrollIntoView({block: 'center'});
        const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()""")
    b.mouse("mouseMoved", x + w * 0.45, y + h / 2)
    b.settle()
    said = b.js("one.legend.textContent")
    check("the pointer has the readings of its chart beside it",
          re.match(r"\d\d:\d\d:\d\dGPU 0   [\d.]+ %.*GPU 1   [\d.]+ %", b.js("tip.hidden ? '' : tip.textContent")),
          b.js("tip.textContent"))
    check("the legend says what is under the pointer", re.match(r"\d\d:\d\d:\d\d \w+ ?GPU 0 [\d.]+ %GPU 1 ", said), said)
    equal("all charts show that moment", len(set(b.js("one.charts.map((c) => c.dygraph.getSelection())"))), 1)
    b.mouse("mousePressed", x + w * 0.3, y + h / 2, "left", 1)
    for k in range(5):
        b.mouse("mouseMoved", x + w * (0.3 + 0.06 * k), y + h / 2, "left")
    b.mouse("mouseReleased", x + w * 0.54, y + h / 2, "left", 1)
    b.settle(0.3)
    ranges = b.js("one.charts.map((c) => c.dygraph.xAxisRange().map(Math.round).join())")
    check("zoomed together", len(set(ranges)) == 1 and b.js("one.zoom !== null"), ranges)
    low, high = map(int, ranges[0].split(","))
    check("to a quarter", 0.15 < (high - low) / 3600000 < 0.35, ranges)
    b.js("one.reset.click()")
    equal("and back", b.js("one.zoom"), None)
    bands(b)
    check("all numbers are there", "SUMMARY" in b.js("document.querySelector('.all pre').textContent"))
    b.js("document.querySelector('#one .close').click()")
    b.settle()
    equal("closed", b.js("[document.getElementById('one').hidden, location.hash]"), [True, ""])
    b.call("Page.navigateToHistoryEntry", entryId=b.call("Page.getNavigationHistory")["entries"][-2]["id"])
    b.settle(0.3)
    equal("the back button opens it again", b.js("document.getElementById('one').hidden"), False)
    quiet("run, used", b)


def only_run(b, page):
    """A page of one run begins with its curves, and has no table of one row."""
    page = page.replace(".html", "-one.html")
    make(page, "tests/fixtures/sweep/lr=0.1/seed=3")
    b.open(page)
    quiet("one run", b)
    shown = b.js("[...document.querySelectorAll('section')].filter((s) => s.offsetHeight).map((s) => s.id)")
    equal("one run: its sections", shown, ["one", "waste", "findings", "phases", "warnings", "about"])
    equal("one run: six charts", b.js("one.charts.length"), 6)
    equal("one run: each finding once", b.js("document.querySelectorAll('#findings tbody tr').length"),
          b.js("JSON.parse(document.getElementById('r0').textContent).findings.length"))
    equal("one run: nothing to close", b.js("document.querySelectorAll('#one .close, #one [data-tool]').length"), 0)


def hostile(b, folder):
    made = subprocess.run([sys.executable, os.path.join(ROOT, "tests/system/hostile.py"), folder], check=True,
                          capture_output=True, text=True).stdout.count("\n")
    page = os.path.join(folder, "page.html")
    with open(os.path.join(folder, "join.csv"), "rb") as f: # bytes that are no UTF-8 are refused there
        joined = f.read().decode("utf-8", "replace").replace("\0", "")
    with open(os.path.join(folder, "valid.csv"), "w", encoding="utf-8", newline="") as f:
        f.write(joined)
    make(page, os.path.join(folder, "runs"), "--join", os.path.join(folder, "valid.csv"))
    with open(page, "rb") as f:
        data = f.read()
    check("200 payloads", made >= 200, made)
    check("the page is UTF-8", data.decode("utf-8"))
    body = re.sub(rb"(?s)<script>.*?</script>|<style>.*?</style>|<script type=\"application/json\"[^>]*>[^<]*</script>"
                  rb"|<!--.*?-->", b"", data)
    tags = set(re.findall(rb"<(/?[A-Za-z!][^\s>/]*)", body))
    equal("only our own elements", sorted(t for t in tags if t.lstrip(b"/") not in b"""!DOCTYPE html head meta title style
          body a main header h1 h2 h3 p div b i span section table thead tbody tfoot tr th td article details summary ul
          li dl dt dd pre code""".split()), [])
    equal("only links inside the page", sorted(set(re.findall(rb"href=\"([^#][^\"]*)", body))), [])
    equal("no attributes that run", re.findall(rb"<[^>]*\son\w+\s*=", body), [])
    b.open(page)
    n = b.js("D.n")
    runs = json.loads(subprocess.run([SMILOG, "summarize", "-q", "--json", os.path.join(folder, "runs")], check=True,
                                     capture_output=True).stdout)["runs"]
    equal("all runs are there", n, len(runs))
    b.js("change({columns: ['run', 'shape', ...D.columns.map((c) => c.key)]})")
    for top_ in range(0, n * 30, 500):
        b.js(f"table.scroll.scrollTop = {top_}; drawRows()")
    b.js("for (const t of document.querySelectorAll('details')) t.open = true")
    for g in b.js("D.groups.map((g) => g.key)"):
        b.js("change({group: %s}); dots.by.value = %s; drawDots()" % (json.dumps(g), json.dumps(g)))
    b.js("change({group: ''})")
    opened = b.js("""(async () => { let n = 0; for (let i = 0; i < D.n; i++) { openRun(i);
        await new Promise((f) => setTimeout(f, 4)); n += view.open === i || D.rowOf(D.name.text(i)) === view.open;
        if (one.charts.length) { hoverStrip({clientX: 300, clientY: 300}); select(null, 0, one.time.from); } } return n; })()""")
    equal("every run opens by its address", opened, n)
    for c in b.js("D.columns.slice(0, 40).map((c) => c.text(0))"):
        type_filter(b, c[:60])
    b.js("csv(D.columns, [...Array(D.n).keys()])")
    b.settle(0.5)
    equal("no script of theirs ran", b.js("window.hostile === undefined"), True)
    equal("the title is text", b.js("document.querySelectorAll('script').length") - n <= 3, True)
    quiet("hostile", b)


def plain(page, names):
    b = Browser(scripts=False)
    try:
        b.open(page)
        seen = b.call("DOM.getDocument")["root"]["nodeId"]
        html = b.call("DOM.getOuterHTML", nodeId=seen)["outerHTML"]
        b.picture(os.path.join(tempfile.gettempdir(), "smilog-plain.png")) if os.environ.get("SMILOG_PICTURES") else None
        for name in ("top", "waste", "findings", "runs", "warnings", "about"):
            check("without scripts: " + name, f'id="{name}"' in html)
        check("without scripts: a row a run", html.count("<tr>") >= 12)
        browser_drawn.unscripted(b)
        quiet("without scripts", b)
        browser_drawn.paper(b, page, names, "without scripts")
    finally:
        b.close()


def large(b, folder):
    page = os.path.join(tempfile.mkdtemp(prefix="smilog-large"), "page.html")
    make(page, folder)
    size = os.path.getsize(page)
    check("a large sweep: at most 5 MB", size <= 5000000, size)
    b.open(page)
    drawn = b.js("performance.getEntriesByType('measure').find((m) => m.name === 'drawn').startTime +"
                 "performance.getEntriesByType('measure').find((m) => m.name === 'drawn').duration")
    n, rows = b.js("D.n"), b.js("document.querySelectorAll('table.runs tbody tr').length")

    def took(what):
        return b.js("(() => { const t = performance.now(); %s; table.scroll.offsetHeight; return performance.now() - t; })()"
                    % what)
    times = {"first rows": drawn, "sort": took("change({sort: 'idle', down: true})"),
             "sort by name": took("change({sort: 'host', down: true})"),
             "filter": took("change({filter: 'idle>5 run~1', sort: ''})"),
             "scroll": took("change({filter: ''}); table.scroll.scrollTop = 150000; drawRows()"),
             "open": took("drawRun(D.rowOf(D.name.text(D.n - 1)))")}
    print(f"large: {n} runs, {size} bytes, {rows} rows in the page; ms: " +
          ", ".join(f"{k} {v:.0f}" for k, v in times.items()))
    check("only what is seen is drawn", rows < 120, rows)
    check("usable within a second", max(times.values()) < 1000, times)
    quiet("large", b)
    os.remove(page)
    os.rmdir(os.path.dirname(page))


def main():
    need_browser()
    with tempfile.TemporaryDirectory(prefix="smilog-page") as folder:
        page = os.path.join(folder, "fixture.html")
        make(page, "tests/fixtures/sweep")
        b = Browser()
        try:
            the_fixture(b, page)
            the_map(b)
            a_section(b, page)
            one_run(b, page)
            only_run(b, page)
            b.open(page)
            names = b.js("[...Array(D.n).keys()].map((i) => D.name.text(i))")
            hostile(b, os.path.join(folder, "hostile"))
            for path in sys.argv[1:]:
                large(b, path)
            browser_drawn.all_of(b, make, folder)
        finally:
            b.close()
        plain(page, names)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
