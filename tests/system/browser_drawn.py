"""What the page draws, against readings that were made here: curves, the map, sparklines, dots, clocks; colours that can be
read; what is seen on paper and without scripts. Run by browser_check.py."""
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib import ROOT, check, equal, summaries

START, ROWS = datetime.datetime(2026, 7, 4, 0, 10, 46), 1800


def ramp(i, g):
    return i * 100 // ROWS


SHAPES = {  # GPUs, utilisation of row i on GPU g, parameters
    "lr=1/four": (4, lambda i, g: [ramp(i, 0), ramp(i, 0) // 2, 0, 50][g], None),
    "lr=1/ramp": (1, ramp, {"opt": "adam", "bias": -0.5}),
    "lr=2/fall": (1, lambda i, g: 99 - ramp(i, 0), {"opt": "Adam"}),
    "lr=2/steps": (1, lambda i, g: 80 if i < 900 else 20, {"opt": "adam"}),
}


def make_runs(folder):
    for name, (gpus, util, params) in SHAPES.items():
        path = os.path.join(folder, name)
        os.makedirs(path)
        with open(os.path.join(path, "hw_metrics.csv"), "w") as f:
            f.write("timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n")
            for i in range(ROWS):
                t = START + datetime.timedelta(seconds=i)
                for g in range(gpus):
                    f.write(f"{t:%Y/%m/%d %H:%M:%S}.000, {g}, {util(i, g)} %, {1000 * (g + 1)} MiB, {100 + i // 10}.00 W\n")
        if params:
            with open(os.path.join(path, "config.json"), "w") as f:
                json.dump(params, f)


def local_ms(i=0):
    t = START + datetime.timedelta(seconds=i)
    return int(t.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)


def over_time(name, cells):
    """The mean of all GPUs in each of so many parts of the run."""
    gpus, util, _ = SHAPES[name]
    parts = [[] for _ in range(cells)]
    for i in range(ROWS):
        parts[min(cells - 1, i * cells // (ROWS - 1))] += [util(i, g) for g in range(gpus)]
    return [sum(p) / len(p) for p in parts]


def mix(low, high, share):
    a, b = ([int(h[k:k + 2], 16) for k in (1, 3, 5)] for h in (low, high))
    return [round(x + (y - x) * share / 100) for x, y in zip(a, b)]


PIXEL = """((c, x, y) => { const s = c.width / c.clientWidth, d = c.getContext('2d').getImageData(Math.round(x * s),
    Math.round(y * s), 1, 1).data; return [d[0], d[1], d[2]]; })"""


def close(a, b, far):
    return len(a) == len(b) and all(abs(x - y) <= far for x, y in zip(a, b))


def curves(b, page, name):
    """Every mean, least and largest of every cell, from the rows of the log; what the legend says of when."""
    gpus, util, _ = SHAPES[name]
    b.open(page, "#run=" + name.replace("/", "%2F").replace("=", "%3D"))
    grid = b.js("({from: one.time.from, cell: one.time.cell, n: one.time.n})")
    good, worst = True, None
    for g in range(gpus):
        got = b.js(f"[...Array(one.time.n).keys()].map((k) => one.charts[0].dygraph.getValue(k, {g + 1}))")
        cells = [[] for _ in range(grid["n"])]
        for i in range(ROWS):
            cells[(local_ms(i) - grid["from"]) // grid["cell"]].append(util(i, g))
        for k, c in enumerate(cells):
            want = [min(c), sum(c) / len(c), max(c)] if c else None
            if want and not close(got[k], want, 0.06):
                good, worst = False, worst or (name, g, k, got[k], want)
    check(f"curves of {name}: as its rows", good, worst)
    equal(f"curves of {name}: from its first reading to its last", b.js("one.legend.textContent"),
            f"{START:%H:%M:%S} to {START + datetime.timedelta(seconds=ROWS - 1):%H:%M:%S}, 29m59s")
    equal(f"charts of {name}: the axis of time", b.js("one.charts[0].dygraph.xAxisRange()"), [local_ms(), local_ms(ROWS - 1)])
    x, y, w, h = b.js("""(() => { const e = one.charts[0].dygraph.canvas_; e.scrollIntoView({block: 'center'});
        const r = e.getBoundingClientRect(), a = one.charts[0].dygraph.getArea(); return [r.x + a.x, r.y, a.w, r.height]; })()""")
    b.mouse("mouseMoved", x + w / 2, y + h / 2)
    b.settle()
    said = re.match(r"(\d+):(\d+):(\d+)", b.js("one.legend.textContent"))
    seconds = int(said[1]) * 3600 + int(said[2]) * 60 + int(said[3]) - START.hour * 3600 - START.minute * 60 - START.second
    check(f"charts of {name}: the middle is at half of it", abs(seconds - ROWS / 2) < 30, said and said[0])


def heat(b, page):
    name = "lr=1/four"
    b.open(page, "#run=lr%3D1%2Ffour")
    low, high = b.js("[palette.low, palette.high]")
    for g, i in ((0, 450), (0, 1350), (1, 1350), (2, 900), (3, 900)):
        got = b.js(f"{PIXEL}(one.heat, one.at({local_ms(i)}), {g * 16 + 8})")
        check(f"map of GPUs: GPU {g} at {i} s", close(got, mix(low, high, SHAPES[name][1](i, g)), 6), got)
    check("four charts of one time", b.js("one.charts.map((c) => c.c.key).join()") == "use,memory,power")


def the_map(b, page):
    b.open(page)
    low, high, names = b.js("[palette.low, palette.high, map.rows.map((i) => D.name.text(i))]")
    for k, name in enumerate(names):
        want = over_time(name, 60)
        for cell in (3, 20, 45, 57):
            got = b.js(f"{PIXEL}(map.canvas, LEFT + map.plot * {(cell + 0.5) / 60}, {k} * map.h + map.h / 2)")
            check(f"map: {name} in cell {cell}", close(got, mix(low, high, want[cell]), 7), (got, want[cell]))
    for name in ("lr=1/ramp", "lr=2/steps"):
        i = b.js("D.rowOf(%s)" % json.dumps(name))
        path = b.js(f"[...sparkline({i}).querySelectorAll('path')].map((p) => p.getAttribute('d')).join('')")
        high_ = {int(x) // 2: (18 - float(y)) / 0.18 for x, y in re.findall(r"M(\d+) 18V([\d.]+)h2V18z", path)}
        for x in re.findall(r"M(\d+) 15h2v3h-2z", path):
            high_[int(x) // 2] = 0
        want = over_time(name, 60)
        check(f"sparkline of {name}", len(high_) == 60 and all(abs(high_[k] - want[k]) < 2.5 for k in range(60)), path[:200])


def dots(b, page, runs):
    b.open(page)
    b.js("dots.of.value = 'gpu'; dots.by.value = 'lr'; drawDots()")
    at = b.js("dots.at.map((p) => [D.name.text(p.i), p.x, p.y])")
    use = {r["run"]: r["gpu_util_time_mean_pct"] for r in runs}
    equal("dots: one a run", sorted(n for n, _, _ in at), sorted(use))
    (n0, x0, _), (n1, x1, _) = min(at, key=lambda p: use[p[0]]), max(at, key=lambda p: use[p[0]])
    far = x1 - x0 or 1e-9
    off = [n for n, x, _ in at if abs((x - x0) / far - (use[n] - use[n0]) / (use[n1] - use[n0])) > 0.01]
    equal("dots: where their values are", off, [])
    check("dots: seen there", all(b.js(f"{PIXEL}(dots.canvas, {x}, {y})") != b.js(f"{PIXEL}(dots.canvas, 2, 2)")
                                    for _, x, y in at))
    check("dots: a row a group", len({y for n, _, y in at if "lr=1" in n} & {y for n, _, y in at if "lr=2" in n}) == 0)


def figures(b, page, runs):
    """The tiles and facts of an open run are its own."""
    for r in runs:
        b.open(page, "#run=" + r["run"].replace("/", "%2F").replace("=", "%3D"))
        tile = dict(b.js("[...document.querySelectorAll('#one .figure')].map((e) => [e.querySelector('span').textContent,"
                         "e.querySelector('b').textContent])"))
        facts = b.js("document.querySelector('#one .facts').textContent")
        equal(f"figures of {r['run']}", (tile["GPU %"], tile["Wh"], tile["Idle %"]),
                (f"{r['gpu_util_time_mean_pct']:.1f}", f"{r['energy_wh']:.1f}", f"{r['idle_pct']:.1f}"))
        for key, value in r["params"].items():
            check(f"parameters of {r['run']}: {key}", f"{key} {value}" in facts, facts)


# Text below the contrast that people with weak sight need (WCAG 2, 1.4.3), as [ratio, what].
CONTRAST = r"""(() => { const lin = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    const light = (t) => { const c = t.match(/[\d.]+/g).map(Number); return 0.2126 * lin(c[0]) + 0.7152 * lin(c[1]) +
        0.0722 * lin(c[2]); };
    const under = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
        if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
    const bad = {};
    for (const e of document.querySelectorAll('body *')) {
        if (!e.offsetParent || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
        const a = light(getComputedStyle(e).color), b = light(under(e));
        const r = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (r < 4.5) bad[e.tagName + '.' + e.className] = [r.toFixed(2), e.textContent.slice(0, 30)];
    }
    return bad; })()"""


def contrast(b, page, run):
    for dark in (False, True):
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                                                       {"name": "prefers-reduced-motion", "value": "reduce"}])
        b.open(page, "#run=" + run)
        b.settle(0.3)
        word = "dark" if dark else "light"
        equal(f"{word}: text can be read", b.js(CONTRAST), {})
        low, high, bg, gpu = b.js("[palette.low, palette.high, palette.bg, palette.gpu]")
        light = [sum(w * (c / 255) ** 2.2 for w, c in zip((0.2126, 0.7152, 0.0722), mix(h, h, 0))) for h in
                 [low, high, bg, *gpu]]
        check(f"{word}: more use stands out more", abs(light[1] - light[2]) > abs(light[0] - light[2]), (low, high, bg))
        check(f"{word}: lines of all GPUs are seen", all((max(x, light[2]) + 0.05) / (min(x, light[2]) + 0.05) > 2.9
                                                          for x in light[3:]), gpu)
    b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"},
                                                   {"name": "prefers-reduced-motion", "value": "reduce"}])


def rendered(b, selector):
    """Boxes of what is there without scripts: width and height, or None."""
    root = b.call("DOM.getDocument")["root"]["nodeId"]
    node = b.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
    try:
        box = b.call("DOM.getBoxModel", nodeId=node)["model"] if node else None
    except RuntimeError:
        box = None
    return box and (box["width"], box["height"])


def unscripted(b):
    for selector in ("#waste table", "#findings", "#runs table.plain tbody tr:last-child", "#warnings", "#about"):
        box = rendered(b, selector)
        check("without scripts one sees " + selector, box and min(box) > 8, box)
    check("without scripts no empty sections", rendered(b, "#map") is None and rendered(b, ".live") is None)


def paper(b, page, names, how):
    if not shutil.which("pdftotext"):
        return
    with tempfile.TemporaryDirectory() as folder:
        b.open(page)
        b.printed(os.path.join(folder, "page.pdf"))
        text = subprocess.run(["pdftotext", "-layout", os.path.join(folder, "page.pdf"), "-"], capture_output=True,
                              check=True, text=True).stdout
    row = [line for line in text.splitlines() if re.search(r"\d+m\d\ds|\d+h\d\dm", line)]
    equal(f"on paper, {how}: a row a run", [n for n in names if not any(n in line for line in row)], [])
    for word in ("Where the hours went", "What to do", "Inputs and warnings", "About"):
        check(f"on paper, {how}: {word}", word in text)


def phone(make, browser, folder):
    """Names that are cut are still different, and nothing is wider than a phone."""
    runs = [f"a-sweep-of-many/exporter_linux__rtx-{m}-super__595.{n}.05__load-of-the-night" for m in (2080, 4080, 5080)
            for n in (71, 72)] + [f"power/logs/36_chunk_merge/clk{c}_r1_20260411_110{c}" for c in (1005, 1065)]
    for name in runs + ["an-unbroken-name-" + "x" * 90]:
        path = os.path.join(folder, "long", name)
        os.makedirs(path)
        with open(os.path.join(path, "hw.csv"), "w") as f:
            f.write("timestamp, index, utilization.gpu [%]\n2026/07/04 00:10:46.000, 0, 50\n")
    page = os.path.join(folder, "long.html")
    make(page, os.path.join(folder, "long"))
    for width in (320, 390, 800, 1280):
        b = browser(width, 844)
        b.open(page)
        names = b.js("[...document.querySelectorAll('table.runs tbody a')].map((a) => [a.title, a.textContent])")
        cut = b.js("[...document.querySelectorAll('table.runs tbody a')].filter((a) => a.parentElement.scrollWidth > "
                   "a.parentElement.clientWidth).map((a) => a.textContent)")
        equal(f"{width} wide: a name for each run", len({short for _, short in names}), len(runs) + 1)
        equal(f"{width} wide: what differs is not cut off", cut, [])
        check(f"{width} wide: nothing is wider than the window",
                b.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), names)
        b.close()


TOO_WIDE = """(() => { const out = [], over = (e) => e.scrollWidth > e.clientWidth + 1;
    if (over(document.documentElement)) out.push('the page');
    for (const box of document.querySelectorAll('.figure, .card, .barline, #one .facts')) for (const e of [box, ...box.querySelectorAll('*')])
        if (over(e) && getComputedStyle(e).display !== 'inline' && !e.closest('.bar, .who')) out.push(e.textContent);
    return out; })()"""


def half_hours(b):
    """A sum in the middle of two is rounded as the tables do."""
    equal("hours", [b.js(f"hours({ms})") for ms in (0, 17999, 18000, 54000, 1062000, 18001, 36000)],
            ["0.00", "<0.01", "0.00", "0.02", "0.30", "0.01", "0.01"])


def large_sums(make, browser, folder):
    """What 8 GPUs use in two years stays in its cards, in windows of any width."""
    path, page = os.path.join(folder, "years/lr=1/one"), os.path.join(folder, "years.html")
    os.makedirs(path)
    os.makedirs(path.replace("=1", "=2"))
    with open(os.path.join(path, "hw.csv"), "w") as f:
        f.write("timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]\n")
        for day in range(730):
            when = START + datetime.timedelta(days=day - 730)  # rows after today are rejected
            for g in range(8):
                f.write(f"{when:%Y/%m/%d %H:%M:%S}.000, {g}, {0 if day < 99 else 90} %, 712.34 W, 70000 MiB\n")
    shutil.copy(os.path.join(path, "hw.csv"), path.replace("=1", "=2"))
    make(page, os.path.join(folder, "years"))
    b = browser()
    b.open(page)
    check("energy is in MWh", "199.41 MWh" in b.js("document.querySelector('.figures').textContent"),
            b.js("document.querySelector('.figures').textContent"))
    b.open(page, "#run=lr%3D1%2Fone")
    ticks = b.js("[...document.querySelectorAll('.dygraph-axis-label-x')].map((e) => e.textContent)")
    b.js("zoomTo([one.time.begin, one.time.begin + 3e8])")
    ticks += b.js("[...document.querySelectorAll('.dygraph-axis-label-x')].map((e) => e.textContent)")
    check("days stand on the axis of a long run", ticks and all(re.fullmatch(r"\w{3}\s\d{4}|\d\d-\d\d( \d\d:\d\d)?", x)
                                                                for x in ticks), ticks)
    wide = {}
    for width in range(340, 1401, 53):
        b.resize(width, 844)
        b.settle(0.25)
        wide.update({width: e} if (e := b.js(TOO_WIDE)) else {})
    b.close()
    equal("figures stay in their cards, 340 to 1400 wide", wide, {})


def parameters(make, browser, folder):
    """What differs between the runs is seen in windows of any width, whatever the runs are called; so are their names."""
    top = os.path.join(folder, "layouts")
    subprocess.run([sys.executable, os.path.join(ROOT, "tests/layouts.py"), top], check=True)
    for layout in ("hydra", "wandb", "slurm", "flat"):
        page = os.path.join(folder, layout + ".html")
        make(page, os.path.join(top, layout))
        for width in (390, 500, 700, 820, 1400):
            b = browser(width, 844)
            b.open(page)
            b.js("table.high = 9999; table.scroll.style.maxHeight = 'none'; table.first = -1; drawRows()")
            rows = b.js("""[...Array(D.n).keys()].map((i) => { const a = [...table.body.querySelectorAll('a')].find((e) => e.title === D.name.text(i)),
                tr = a.closest('tr'), more = tr.nextSibling; return [[...tr.cells].map((c) => c.textContent).join(' ') + ' ' +
                (more && more.className.includes('below') ? more.textContent : ''), D.columns.filter((c) => c.param).map((c) => c.text(i))]; })""")
            lost = [r for r in rows if not all(re.search(r"(?<![\w.])" + re.escape(v) + r"(?![\w.])", r[0]) for v in r[1])]
            check(f"{layout}, {width} wide: all 20 runs have their parameters", len(rows) == 20 and len(rows[0][1]) == 3 and not lost, lost[:2])
            cut = b.js("[...table.body.querySelectorAll('tr.below td, th')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)")
            equal(f"{layout}, {width} wide: none is cut", cut, [])
            check(f"{layout}, {width} wide: the map has names", b.js("LEFT") > 12, b.js("LEFT"))
            b.close()


def some_crashed(make, browser, folder):
    """Two of eight runs crashed early and say little: what differs between the others comes first, and groups them."""
    constant = {"dataset": "cifar10", "drop_rate": 0.25, "flops_m": 0.9024, "num_classes": 200, "params_m": 0.099276,
                "scheduler": "cosine-with-restarts", "weights": "imagenet-21k-augreg"}
    for k in range(8):
        path = os.path.join(folder, f"early/run-2026070{k}_120000-ab{k}cd")
        os.makedirs(path)
        params = {"epochs": 20} if k > 5 else {**constant, "epochs": 50, "optimizer": ("adamw-8bit-paged", "sgd-with-nesterov")[k % 2],
                                               "learning_rate": (0.01, 0.001, 0.0001)[k // 2]}
        with open(os.path.join(path, "config.json"), "w") as f:
            json.dump(params, f)
        with open(os.path.join(path, "hw.csv"), "w") as f:
            f.write("" if k > 5 else "timestamp, index, utilization.gpu [%]\n2026/07/04 00:10:46.000, 0, 50\n")
    page = os.path.join(folder, "early.html")
    make(page, os.path.join(folder, "early"))
    b = browser(500, 844)
    b.open(page)
    below = b.js("[...table.body.querySelectorAll('tr.below td')].map((e) => e.textContent)")
    equal("some crashed: what differs is named first", below[:1], ["epochs=50  optimizer=adamw-8bit-paged  learning_rate=0.01  " +
            "  ".join(f"{k}={v}" for k, v in constant.items())])
    equal("some crashed: groups are of runs with data", b.js("D.groups.map((g) => g.key)"), ["optimizer", "learning_rate", "epochs"])
    high = b.js("[...table.body.querySelectorAll('tr.run')].map((e) => e.offsetHeight + e.nextSibling.offsetHeight - table.row)")
    equal("some crashed: rows are as high as scrolling takes them for", high, [0] * 8)
    b.close()


def nothing_read(make, browser, folder):
    """A sweep of which every run crashed has no map and no groups, and no error."""
    for k in range(4):
        path = os.path.join(folder, f"crashed/lr=0.{k // 2 + 1}/seed={k % 2}")
        os.makedirs(path)
        with open(os.path.join(path, "hw.csv"), "w") as f:
            f.write("bash: line 1: nvidia-smi: command not found\n" if k % 2 else "")
    page = os.path.join(folder, "crashed.html")
    make(page, os.path.join(folder, "crashed"))
    b = browser(820, 844)
    b.open(page)
    equal("all crashed: nothing on the console", b.console, [])
    shown = b.js("[...document.querySelectorAll('section')].filter((s) => s.offsetHeight).map((s) => s.id)")
    check("all crashed: no map, no groups", "runs" in shown and "map" not in shown and "groups" not in shown, shown)
    equal("all crashed: the headline says so", b.js("document.querySelector('.sentence').textContent"),
            "None of the 4 runs has GPU data.")
    b.close()


def spans(b):
    """Times are rounded as the tables do: 4d23h59m are 5d."""
    equal("spans", [b.js(f"span({s})") for s in (59, 300, 3599, 3629, 3630, 86369, 86370, 431940)],
            ["59s", "5m", "59m59s", "1h", "1h01m", "23h59m", "1d", "5d"])


def all_of(b, make, folder):
    make_runs(os.path.join(folder, "drawn"))
    page = os.path.join(folder, "drawn.html")
    make(page, os.path.join(folder, "drawn"))
    runs = summaries(os.path.join(folder, "drawn"))
    for name in SHAPES:
        curves(b, page, name)
    heat(b, page)
    the_map(b, page)
    dots(b, page, runs)
    figures(b, page, runs)
    half_hours(b)
    spans(b)
    contrast(b, page, "lr%3D1%2Ffour")
    paper(b, page, list(SHAPES), "with scripts")
    phone(make, type(b), folder)
    large_sums(make, type(b), folder)
    parameters(make, type(b), folder)
    some_crashed(make, type(b), folder)
    nothing_read(make, type(b), folder)
    return page
