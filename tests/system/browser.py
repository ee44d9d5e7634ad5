"""A real browser, driven through its debugging port: python3-websocket and chromium, both from Debian."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

from lib import end, get, need, skip, wait

try:
    import websocket
except ImportError:
    websocket = None


def need_browser():
    need("chromium")
    if not websocket:
        skip("python3-websocket is not installed")


class Browser:
    """One page. requests: what it asked the network for; console, violations: what it complained about."""

    def __init__(self, width=1280, height=720, dark=False, scripts=True):
        self.dir = tempfile.mkdtemp(prefix="smilog-browser")
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                 "--remote-debugging-port=0", "--remote-allow-origins=*", "--user-data-dir=" + self.dir,
                 "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        self.log = open(os.path.join(self.dir, "log"), "wb")
        self.process = subprocess.Popen(["chromium", *flags, "about:blank"], stdout=self.log, stderr=self.log)
        self.n = 0
        self.requests, self.console, self.violations, self.events = [], [], [], []
        self.socket = websocket.create_connection(self.address(), timeout=180, suppress_origin=True)
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def address(self):
        port = os.path.join(self.dir, "DevToolsActivePort")

        def pages():
            if os.path.exists(port):
                with open(port, encoding="ascii") as f:
                    status, text = get(f.readline().strip() or 0, "/json")
                return [p["webSocketDebuggerUrl"] for p in json.loads(text) if p["type"] == "page"] if status == 200 else None
            return None
        found = wait(pages, 60, 0.1)
        if not found:
            raise RuntimeError("chromium did not start: see " + self.dir)
        return found[0]

    def note(self, m):
        p = m.get("params", {})
        if m["method"] == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])
        elif m["method"] == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
        elif m["method"] == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.console.append(d["text"] + " " + d.get("exception", {}).get("description", ""))
        elif m["method"] == "Log.entryAdded":
            text = p["entry"]["text"]
            (self.violations if "Content Security Policy" in text else self.console).append(text)
        self.events.append(m["method"])

    def call(self, method, **params):
        self.n += 1
        self.socket.send(json.dumps({"id": self.n, "method": method, "params": params}))
        while True:
            m = json.loads(self.socket.recv())
            if m.get("id") == self.n:
                if "error" in m:
                    raise RuntimeError(f"{method}: {m['error']}")
                return m["result"]
            if "method" in m:
                self.note(m)

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=width < 500)

    def wait(self, event, seconds=120):
        until = time.time() + seconds
        while event not in self.events and time.time() < until:
            self.socket.settimeout(max(0.1, until - time.time()))
            m = json.loads(self.socket.recv())
            if "method" in m:
                self.note(m)
        self.socket.settimeout(180)

    def open(self, path, address=""):
        for url in ("about:blank", "file://" + os.path.abspath(path) + address):
            self.events.clear()
            self.requests.clear()
            self.call("Page.navigate", url=url)
            self.wait("Page.loadEventFired")
        self.settle()

    def settle(self, seconds=0.15):
        time.sleep(seconds)
        self.call("Runtime.evaluate", expression="1")

    def js(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"].get("exception", {}).get("description", str(r)))
        return r["result"].get("value")

    def mouse(self, kind, x, y, button="none", clicks=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=clicks,
                  buttons=1 if button == "left" else 0)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1)
        self.mouse("mouseReleased", x, y, "left", 1)
        self.settle()

    def picture(self, path, full=False):
        params = {"format": "png"}
        if full:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params.update(captureBeyondViewport=True,
                          clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1})
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", **params)["data"]))

    def printed(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True, paperWidth=8.27,
                                               paperHeight=11.69)["data"]))

    def close(self):
        try:
            self.socket.close()
        finally:
            try:
                end(self.process, seconds=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.log.close()
            shutil.rmtree(self.dir, ignore_errors=True)
