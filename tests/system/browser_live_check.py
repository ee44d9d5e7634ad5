#!/usr/bin/python3
"""The live page in a real browser: it shows what the events say, goes on by itself, says so when they stop, comes back;
hostile names of GPUs, of the machine and in events run nothing and fetch nothing. Needs chromium and python3-websocket
(Debian's).

    browser_live_check.py [PICTURES]   SMILOG: the program. PICTURES: a directory for how it looks"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from browser import Browser, need_browser
from lib import check, end, equal, finish, get, smilog, start, wait

pictures = sys.argv[1] if len(sys.argv) > 1 else None
HOSTILE = ["</script><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"'><svg onload=window.hit=1>",
           "javascript:window.hit=1", "{{7*7}}${7*7}", "<!--<script>", "]]><x>", "\\u003cscript\\u003e",
           "http://evil.example/<link rel=stylesheet href=http://evil.example/x.css>", "a\u202eb\u2066c\u200bd",
           "\x1b[31mred\x1b]0;title\x07", "&lt;b&gt;&#60;i&#62;", "<meta http-equiv=refresh content=0;url=http://evil.example>",
           "<base href=http://evil.example/>", "x" * 300, "\u2028\u2029", "<iframe srcdoc='<script>parent.hit=1</script>'>"]


class Live:
    """smilog live or follow with a server, and a browser on its page."""

    def __init__(self, args, port="0", **env):
        self.process = start(*args, "-q", "--listen", port, stderr=subprocess.PIPE, text=True, env=env)
        line = self.process.stderr.readline() if port == "0" else ""
        self.port = int(re.search(r":(\d+)/", line)[1]) if line else int(port)

    def page(self):
        return get(self.port, "/")[1]

    def state(self):
        return json.loads(re.search(r'id="state">(.*?)</script>', self.page(), re.S)[1])

    def wait(self, what, seconds=20):
        wait(lambda: what(self.state()), seconds, 0.2)

    def close(self):
        end(self.process)


def show(b, live):
    for url in ("about:blank", f"http://127.0.0.1:{live.port}/"):
        b.events.clear()
        b.requests.clear()
        b.call("Page.navigate", url=url)
        b.wait("Page.loadEventFired", 20)
    b.settle(0.3)


def quiet(name, b, live):
    here = f"http://127.0.0.1:{live.port}/"
    equal(name + ": only its own requests", [r for r in b.requests if r not in (here, here + "events", here + "favicon.ico")],
          [])
    equal(name + ": no violations", b.violations, [])
    equal(name + ": nothing on the console", [c for c in b.console if "favicon" not in c], [])


def picture(b, name):
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        b.picture(os.path.join(pictures, name + ".png"), full=True)


ROWS = """[...document.querySelectorAll('.gpus tbody tr')].map((r) => [...r.cells].filter((c) => c.className !== 'use' &&
    c.className !== 'shape').map((c) => c.textContent))"""


def the_demo(b, live):
    show(b, live)
    p = live.state()["page"]
    rows = b.js(ROWS)
    equal("a row a GPU", [r[0] for r in rows], [g["gpu"] for g in p["gpus"]])
    check("memory as in the state", all(r[2] == g["vram"] for r, g in zip(rows, p["gpus"])), rows)
    equal("sparklines", b.js("document.querySelectorAll('.spark').length"), len(p["gpus"]))
    check("cells of them", b.js("document.querySelectorAll('.spark rect').length") >= len(p["gpus"]))
    equal("rows of the table", b.js("[...document.querySelectorAll('.figs tbody th')].map((e) => e.textContent)"),
          [r["label"] for r in p["table"]])
    check("the alert line", b.js("document.querySelector('.alerts .sentence').textContent") in
          ("no alerts", "1 alert") or "alerts" in b.js("document.querySelector('.alerts .sentence').textContent"))
    equal("marks only where an alert is",
          b.js("document.querySelectorAll('.gpus td.odd, .gpus td.bad').length"), sum(len(g["marks"]) for g in p["gpus"]))
    b.js("(() => { window.times = new Set(); window.timer = setInterval(() => times.add(document.querySelector('header p')"
         ".textContent), 50); })()")
    time.sleep(3.3)
    check("goes on by itself", 3 <= b.js("times.size") <= 6, b.js("[...times]"))
    check("nothing wider than the window",
          b.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
    quiet("demo", b, live)


def stops_and_comes_back(b, live):
    """The stream stops: said, and grey; the server is away and back: goes on."""
    live.process.send_signal(signal.SIGSTOP)
    time.sleep(6.5)
    check("no data is said", re.fullmatch(r"no data for \d s", b.js("document.getElementById('quiet').textContent") or ""),
          b.js("document.getElementById('quiet').textContent"))
    check("and seen", b.js("!document.getElementById('quiet').hidden && document.body.classList.contains('old')"))
    picture(b, "no-data")
    live.process.send_signal(signal.SIGCONT)
    time.sleep(2.5)
    check("goes on", b.js("document.getElementById('quiet').hidden && !document.body.classList.contains('old')"))
    live.close()
    time.sleep(6)
    check("an end is said", b.js("!document.getElementById('quiet').hidden"))
    again = Live(["live", "--demo"], str(live.port), SMI_FAKE_GPUS="3")
    time.sleep(8)
    equal("a new one is found", (b.js("document.getElementById('quiet').hidden"), len(b.js(ROWS))), (True, 3))
    again.close()


def weights(b):
    """What is broken is red, what is wasted is yellow: a GPU that idles, and one whose memory is full."""
    top_dir = tempfile.mkdtemp(prefix="smilog-weights")
    rules = os.path.join(top_dir, "rules.json")
    with open(rules, "w") as f:
        json.dump({"alerts": {"idle": 10, "memory-full": {"limit": 98, "on_s": 0}}}, f)
    with open(os.path.join(top_dir, "hw.csv"), "w") as f:
        f.write("timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n")
        for s in range(20):
            stamp = time.strftime("%Y/%m/%d %H:%M:%S.000", time.gmtime(time.time() - 20 + s))
            f.write(f"{stamp}, 0, 0, 1000, 80000\n{stamp}, 1, 90, 79900, 80000\n")
    live = Live(["follow", "--tz", "UTC", "--rules", rules, os.path.join(top_dir, "hw.csv")])
    live.wait(lambda s: len(s["page"]["alerts"]) == 2)
    show(b, live)
    equal("a full memory is red, idleness yellow",
          b.js("[...document.querySelectorAll('.gpus td.odd, .gpus td.bad')].map((e) => e.className)"), ["now odd", "vram bad"])
    color = "getComputedStyle(document.querySelector('.gpus td.%s')).color !== getComputedStyle(document.body).color"
    check("as colours", b.js(color % "bad") and b.js(color % "odd"))
    quiet("weights", b, live)
    picture(b, "weights")
    live.close()
    shutil.rmtree(top_dir)


def hostile(b):
    top_dir = tempfile.mkdtemp(prefix="smilog-hostile")
    b.call("Page.addScriptToEvaluateOnNewDocument", source="window.hit = 0")
    head = "timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], power.draw [W], temperature.gpu\n"
    names = HOSTILE
    with open(os.path.join(top_dir, "hw_metrics.csv"), "wb") as f:
        f.write(head.encode())
        for s in range(30):
            stamp = time.strftime("%Y/%m/%d %H:%M:%S.000", time.gmtime(time.time() - 30 + s))
            for i, name in enumerate(names):
                cell = '"' + name.replace('"', '""').replace("\n", " ") + '"'
                f.write(f"{stamp}, {i}, GPU-{i:08x}-0000-0000-0000-000000000000, {cell}, {s}, 100, 70.5, 40\n".encode())
    for name in ["start", *names]:
        smilog("log", os.path.join(top_dir, "run.jsonl"), "event", name, "hostname=" + name)
    for i, name in enumerate(names[:4]):
        with open(os.path.join(top_dir, name.replace("/", "_") + ".csv"), "w") as f:
            f.write(head + time.strftime("%Y/%m/%d %H:%M:%S.000", time.gmtime()) + f", 0, GPU-{i}, x, 1, 1, 1, 1\n")
    live = Live(["follow", "--tz", "UTC", top_dir])
    live.wait(lambda s: len(s["page"]["gpus"]) >= len(names) and len(s["page"]["events"]) >= 5)
    p = live.state()["page"]
    check("hostile: events of theirs", sum("window.hit" in e["text"] for e in p["events"]) >= 3,
          [e["text"] for e in p["events"]])
    show(b, live)
    b.console.clear()  # of the server that was away
    time.sleep(2.5)
    check("hostile: GPUs and events are there", len(p["gpus"]) >= len(names) and len(p["events"]) >= 5,
          (len(p["gpus"]), len(p["events"])))
    check("hostile: names as text", b.js("[...document.querySelectorAll('.gpus tbody tr')].some((r) => r.title.includes("
                                         "'</script><script>window.hit=1</script>'))"))
    equal("hostile: nothing ran", b.js("window.hit"), 0)
    equal("hostile: no element of theirs",
          b.js("document.querySelectorAll('img, iframe, base, link, object, embed, svg:not(.spark), [onerror], [onload]').length"),
          0)
    equal("hostile: scripts", b.js("document.querySelectorAll('script').length"), 2)
    check("hostile: no hidden letters",
          not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029\x1b\x07]", b.js("document.body.innerText")))
    equal("hostile: still here", b.js("location.href"), f"http://127.0.0.1:{live.port}/")
    check("hostile: nothing wider than the window",
          b.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
    quiet("hostile", b, live)
    picture(b, "hostile")
    # The machine's own name is text, too: the event stream has it as host in live.
    b.js("draw(Object.assign({}, page, {host: %s, recording: %s, models: %s}))" % ((json.dumps(HOSTILE[0]),) * 3))
    equal("hostile host: nothing ran", (b.js("window.hit"), b.js("document.querySelectorAll('script').length")), (0, 2))
    live.close()
    shutil.rmtree(top_dir)


def without_scripts(live):
    b = Browser(scripts=False)
    show(b, live)
    text = b.call("DOM.getOuterHTML", nodeId=b.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
    check("without scripts: a table", "all GPUs" in text and "VRAM GiB" in text)
    picture(b, "without-scripts")
    b.close()


def sizes(live, dark):
    for name, width, height in (("wide", 1280, 720), ("phone", 390, 844), ("small phone", 320, 568), ("tablet", 800, 1000)):
        b = Browser(width, height, dark)
        show(b, live)
        time.sleep(1.5)
        check(f"{name}: nothing wider than the window",
              b.js("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
              b.js("document.documentElement.scrollWidth"))
        picture(b, name + ("-dark" if dark else ""))
        b.close()


def main():
    need_browser()
    live = Live(["live", "--demo"], SMI_FAKE_AT="120")  # where a GPU gets hot
    b = Browser()
    try:
        live.wait(lambda s: len(s["page"]["gpus"]) == 8 and s["page"]["alerts"], 90)
        check("there is an alert", live.state()["page"]["alerts"])
        the_demo(b, live)
        without_scripts(live)
        for dark in (False, True):
            sizes(live, dark)
        stops_and_comes_back(b, live)
        b.console.clear()  # of the server that was away
        weights(b)
        hostile(b)
    finally:
        b.close()
        live.close()
    return finish()


sys.exit(main())
