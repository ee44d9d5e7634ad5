"""smilog export --to clickhouse://... and back, against a real server that is killed, stopped and filled.

    make && python3 -B tests/system/clickhouse_check.py [PART...]

Parts: same asked grown replaced between two twice refused documents down killed crashed cluster rate scale, and full (needs root;
not run unless named).
Starts its own server on loopback, of Debian's clickhouse-server; without that it is skipped, with exit status 77.
KILLS: how often the client is killed (10), CRASHES: how often the server is (5), RUNS and ROWS: how much rate and scale
load (20, 25000 a run), LOGS: of how many random usage logs documents are made (40), ASKED: how many random questions
are asked (100), TWOS: how often two export at once (10), BETWEEN: before each how many requests of an export another one comes (1). Rates are printed, and not judged, for the machine may be
busy. Ends with "N passed, M failed"."""
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from lib import ROOT, SMILOG, SWEEP, check, end, finish, folder, free_port, skip, smilog, tmpfs

SERVER = shutil.which("clickhouse-server") or "/usr/sbin/clickhouse-server"
KILLS = int(os.environ.get("KILLS", "10"))
CRASHES = int(os.environ.get("CRASHES", "5"))
RUNS = int(os.environ.get("RUNS", "20"))
ROWS = int(os.environ.get("ROWS", "25000"))
TWOS = int(os.environ.get("TWOS", "10"))
BETWEEN = int(os.environ.get("BETWEEN", "1"))
ASKED = int(os.environ.get("ASKED", "100"))
LOGS = int(os.environ.get("LOGS", "40"))
USE = "toInt64(sum(ifNull(gpu_util_pct, toDecimal64(0, 6))))"

CONFIG = """<yandex>
<logger><level>warning</level><log>{dir}/log</log>
<errorlog>{dir}/err</errorlog><size>20M</size><count>1</count></logger>
<listen_host>{host}</listen_host><http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>
<path>{dir}/data/</path><tmp_path>{dir}/tmp/</tmp_path><users_config>{dir}/users.xml</users_config>
<user_files_path>{dir}/files/</user_files_path><format_schema_path>{dir}/format/</format_schema_path>
<default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone>
<mark_cache_size>100000000</mark_cache_size><remote_servers>{shards}</remote_servers>
</yandex>"""
SHARD = "<shard><replica><host>%s</host><port>%d</port></replica></shard>"
USER = ("<{name}><password>{word}</password><networks><ip>127.0.0.0/8</ip></networks><profile>default</profile>"
        "<quota>default</quota></{name}>")
USERS = """<yandex><profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles><users>""" + \
    USER.format(name="default", word="") + USER.format(name="ann", word="open sesame") + \
    """</users><quotas><default></default></quotas></yandex>"""

NEWEST = "(run, load) GLOBAL IN (SELECT run, max(load) FROM runs_local GROUP BY run)"


class Server:
    def __init__(self, place, host="127.0.0.1", ports=None, shards=""):
        self.place, self.host, self.shards, self.proc = place, host, shards, None
        self.ports = ports or [free_port(), free_port()]

    def write(self):
        os.makedirs(self.place, exist_ok=True)
        for name in "data", "tmp", "files", "format":
            os.makedirs(os.path.join(self.place, name), exist_ok=True)
        text = CONFIG.format(dir=self.place, http=self.ports[0], tcp=self.ports[1], host=self.host, shards=self.shards)
        with open(os.path.join(self.place, "config.xml"), "w") as f:
            f.write(text)
        with open(os.path.join(self.place, "users.xml"), "w") as f:
            f.write(USERS)

    def start(self, wait=True):
        self.proc = subprocess.Popen([SERVER, "--config-file=" + self.place + "/config.xml"], cwd=self.place,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while wait:
            try:
                if self.ask("SELECT 1") == "1\n":
                    return
            except OSError:
                pass
            if self.proc.poll() is not None:
                raise SystemExit("clickhouse-server ended: see " + self.place)
            time.sleep(0.05)

    def stop(self, how=signal.SIGTERM):
        if self.proc:
            end(self.proc, how, None)
            self.proc = None

    def ask(self, sql, db="default"):
        url = "http://%s:%d/?database=%s&output_format_json_quote_64bit_integers=0" % (self.host, self.ports[0], db)
        try:
            with urllib.request.urlopen(url, sql.encode(), timeout=600) as answer:
                return answer.read().decode("utf-8", "surrogatepass")
        except urllib.error.HTTPError as e:
            raise SystemExit("%s: %s" % (sql[:300], e.read()[:400])) from e


class World:
    def __init__(self, room):
        self.room = room
        self.server = Server(os.path.join(room, "server"))
        self.server.write()
        self.server.start()
        self.n = 0
        self.env = dict(os.environ, LC_ALL="C.UTF-8")
        for name in "SMILOG_CLICKHOUSE_PASSWORD", "SMILOG_CLICKHOUSE_PASSWORD_FILE", "http_proxy":
            self.env.pop(name, None)

    def database(self):
        self.n += 1
        name = "t%d" % self.n
        self.server.ask("CREATE DATABASE " + name)
        return name, "clickhouse://127.0.0.1:%d/%s" % (self.server.ports[0], name)

    def smilog(self, *args, **more):
        return smilog(*args, env=dict(self.env, **more))

    def export(self, path, url, *args, **more):
        return self.smilog("export", "-q", path, "--to", url, *args, **more)

    def total(self, db, what="count()"):
        return int(self.server.ask("SELECT %s FROM samples_local FINAL WHERE %s" % (what, NEWEST), db))

    def stop(self):
        self.server.stop(signal.SIGKILL)


# ---- logs of which the truth is known ----

def line(ms, k):
    t = time.strftime("%Y/%m/%d %H:%M:%S", time.gmtime(1767225600 + ms // 1000)) + ".%03d" % (ms % 1000)
    return "%s, %d, %d, %d, 81559, %d.%02d, %d, 1980, 2619\n" % (t, k % 101, k % 37, 1000 + k % 60000, 80 + k % 600,
                                                                k % 100, 30 + k % 50)


def write_log(place, first, rows, seed=0, mode="w"):
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, "hw_metrics.csv"), mode) as f:
        f.writelines(line(2000 * i, i * 7919 + seed * 131) for i in range(first, first + rows))


def write_sweep(place, runs, rows, marks=0):
    """Runs that differ by a turn of the same lines, so that many are made soon; marks: phases of a RunLog of each."""
    stamps = [line(2000 * i, 0)[:24] for i in range(rows)]
    tails = [line(0, i * 7919)[24:-1] for i in range(rows)]
    for r in range(runs):
        turn = r * 977 % rows
        where = os.path.join(place, "lr=%d" % (r % 20), "seed=%d" % (r // 20))
        os.makedirs(where, exist_ok=True)
        with open(os.path.join(where, "hw_metrics.csv"), "w") as f:
            f.write("\n".join(map("".join, zip(stamps, tails[turn:] + tails[:turn]))) + "\n")
        with open(os.path.join(where, "run.jsonl"), "w") if marks else open(os.devnull, "w") as f:
            for k in range(marks):
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1767225600 + 10 * k))
                f.write('{"ts": "%s+00:00", "type": "phase", "name": "p%d", "seconds": 5, "r": %d}\n' %
                        (stamp, k % 7, r))


def truth(place):
    """Rows, and the sum of the use, of every log below it."""
    rows = use = 0
    for where, _, files in os.walk(place):
        for name in files:
            if name == "hw_metrics.csv":
                with open(os.path.join(where, name)) as f:
                    for text in f:
                        if text.endswith("\n"):
                            rows += 1
                            use += int(text.split(", ", 2)[1])
    return rows, use


def holds(w, db, url, place, what, known=True, raw=False):
    """raw: also without FINAL and without asking which rows count, as no export has died."""
    rows = w.total(db)
    if known:
        rows, use = truth(place)
        got = w.total(db), w.total(db, USE)
        check(what + ": rows and sum", got == (rows, use), "%s, not %s" % (got, (rows, use)))
    distinct = w.total(db, "uniqExact(run, input, row)")
    check(what + ": none is there twice", distinct == rows, (distinct, rows))
    same_marks(w, db, place, what)
    if raw:
        every = int(w.server.ask("SELECT count() FROM samples_local", db))
        check(what + ": no other row is there", every == rows, (every, rows))
    same_json(w, url, place, what)


def same_marks(w, db, place, what):
    """The phases and events are those of an SQLite file."""
    path = os.path.join(w.room, "marks.db")
    if os.path.exists(path):
        os.remove(path)
    rc = w.smilog("export", "-q", place, "--to", "sqlite:" + path)
    with contextlib.closing(sqlite3.connect(path)) as lite:
        want = sorted(map(list, lite.execute(
            "SELECT r.name, path, mark, kind, m.name, t_us, "
            "ifnull(span_us, 0), ifnull(data, ''), ifnull(extra, '') FROM marks m JOIN inputs i USING (run, input) "
            "JOIN runs r ON r.id = m.run")))
    got, s = [], w.server
    names = dict(json.loads(t).values() for t in
                 s.ask("SELECT run, argMax(name, load) AS name FROM runs_local GROUP BY run FORMAT JSONEachRow",
                       db).splitlines())
    for t in s.ask("SELECT run, input, mark, kind, name, t_us, span_us, data, extra FROM marks_local FINAL WHERE "
                   + NEWEST + " FORMAT JSONEachRow", db).splitlines():
        row = list(json.loads(t).values())
        got.append([names.get(row[0])] + row[1:])
    got.sort()
    check(what + ": phases and events", rc.returncode == 0 and got == want, (len(got), len(want), got[:2], want[:2]))
    return len(want)


def same_json(w, url, place, what, *args):
    a = w.smilog("summarize", "-q", "--json", place, *args)
    b = w.smilog("summarize", "-q", "--json", url, *args)
    check(what + ": the same JSON", a.returncode == b.returncode == 0 and a.stdout == b.stdout, b.stderr)


# ---- parts ----

def part_same(w):
    db, url = w.database()
    fixture = SWEEP
    rc = w.export(fixture, url)
    check("the sweep of the tests", rc.returncode == 0, rc.stderr)
    same_json(w, url, fixture, "the sweep of the tests")
    same_json(w, url, fixture, "the sweep of the tests, asked", "--where", "param.lr > 0.05", "--sort", "-energy_wh")
    check("the sweep of the tests has phases", same_marks(w, db, fixture, "the sweep of the tests") > 10)
    before = w.total(db)
    again = w.smilog("export", fixture, "--to", url)
    check("again adds nothing", " 0 runs, 0 rows," in again.stderr and w.total(db) == before, again.stderr)
    import gen_runs
    db, url = w.database()
    place = os.path.join(w.room, "random")
    for seed in range(40):
        gen_runs.generate(os.path.join(place, "run%02d" % seed), seed)
    rc = w.export(place, url)
    check("random runs", rc.returncode == 0, rc.stderr)
    same_json(w, url, place, "random runs")
    same_marks(w, db, place, "random runs")
    before = w.total(db)
    rc = w.export(place, url)
    check("random runs again", rc.returncode == 0 and w.total(db) == before, rc.stderr)
    for cmd in (["report", "-o", os.path.join(w.room, "r.html")], ["check", "--min-gpu-util", "0"], ["diff", url]):
        rc = w.smilog(cmd[0], "-q", *cmd[1:], url)
        check("%s reads it" % cmd[0], rc.returncode in ((0, 1, 5) if cmd[0] == "check" else (0,)), rc.stderr)


def some_question(rng, names):
    """Any part of it may make no sense; nothing of the logs' own time."""
    def name():
        n = rng.choice(names)
        i, k = sorted((rng.randrange(len(n)), rng.randrange(len(n))))
        return rng.choice([n, n[:k + 1] + rng.choice("%_*?[%*"), rng.choice("%*_") + n[i:],
                           n[:i] + rng.choice("%*") + n[k:], n.upper(), n[:i] + "_" + n[i + 1:], "none", "%", "",
                           "[a-z]*", n + "x", "\u00e9" + n])

    def part():
        return rng.choice([
            lambda: "run = '%s'" % name(), lambda: "run == '%s'" % name(), lambda: "run LIKE '%s'" % name(),
            lambda: "run glob '%s'" % name(), lambda: "run IN (%s)" % ", ".join("'%s'" % name() for _ in range(3)),
            lambda: "NOT run = '%s'" % name(), lambda: "run > '%s'" % name(), lambda: "(run = '%s')" % name(),
            lambda: "run != '%s'" % name(), lambda: "run = '%s' || ''" % name(),
            lambda: "idle_pct > %d" % rng.randrange(90), lambda: "state = 'ok'", lambda: "param.lr > 0.05",
            lambda: "duration_s BETWEEN 1 AND %d" % rng.randrange(10 ** 6), lambda: "lr < 1",
            lambda: "hostname IS NULL", lambda: "run LIKE '%s' ESCAPE '%%'" % name(),
            lambda: "run = '%s' COLLATE NOCASE" % name(), lambda: "run = \"%s\"" % name(), lambda: "nothing = 1",
            lambda: "energy_wh > (SELECT avg(energy_wh) FROM runs)", lambda: "'%s' = run" % name(),
            lambda: "CASE WHEN run = '%s' THEN 1 END" % name(), lambda: "run = '%s' -- '" % name()])()
    args = []
    if rng.random() < 0.8:
        where = part()
        for _ in range(rng.randrange(3)):
            where += rng.choice([" AND ", " and ", " OR "]) + part()
        args += ["--where", where]
    for opt in "--since", "--until":
        if rng.random() < 0.3:
            args += [opt, rng.choice(["2026-01-01", "2026-07-03T18:14Z", "2024-02-29T12:00", "7d", "never",
                                      time.strftime("%Y-%m-%d", time.gmtime(rng.randrange(15, 19) * 10 ** 8))])]
    if rng.random() < 0.2:
        args += ["--sort", rng.choice(["-idle_pct", "run,state", "param.lr", "nothing"])]
    return args


def part_asked(w):
    """The answer is the same as that of the logs."""
    import gen_runs
    db, url = w.database()
    place = os.path.join(w.room, "asked")
    rng = random.Random(11)
    write_sweep(place, 30, 60)
    for seed in range(30):
        gen_runs.generate(os.path.join(place, rng.choice(["A%d", "b/c_%d", "\u00e9%d", "x%%%d"]) % seed), 100 + seed)
    check("asked: stored", w.export(place, url).returncode == 0)
    names = [r["run"] for r in json.loads(w.smilog("summarize", "-q", "--json", place).stdout)["runs"]]
    differ = answered = 0
    for i in range(ASKED):
        args = some_question(rng, names)
        a = w.smilog("summarize", "-q", "--json", place, *args)
        b = w.smilog("summarize", "-q", "--json", url, *args)
        answered += a.returncode == 0 and 0 < len(json.loads(a.stdout)["runs"]) < len(names)
        same = check("asked %d: %s" % (i, args), (a.returncode, a.stdout) == (b.returncode, b.stdout),
                     (a.returncode, b.returncode, a.stderr, b.stderr, len(a.stdout), len(b.stdout)))
        differ += not same
    print("asked: %d questions, %d differ, %d of them have some of the runs as their answer" % (ASKED, differ, answered))


def part_grown(w):
    db, url = w.database()
    place = os.path.join(w.room, "grown")
    for i in range(6):
        write_log(place + "/a", 1000 * i, 1000, 0, "a")
        write_log(place + "/b", 70000 * i, 70000, 1, "a")
        before = w.total(db) if i else 0
        rc = w.smilog("export", place, "--to", url)
        check("grown", rc.returncode == 0 and " 2 runs, %d rows," % (71000 * (i + 1)) in rc.stderr, rc.stderr)
        check("grown by its rows", w.total(db) - before == 71000)
    holds(w, db, url, place, "grown")


def part_replaced(w):
    db, url = w.database()
    place, other = os.path.join(w.room, "old"), os.path.join(w.room, "new")
    write_log(place + "/a", 0, 3000)
    write_log(place + "/b", 0, 3000, 5)
    write_log(other + "/a", 0, 2000, 9)
    write_log(other + "/b", 0, 3000, 5)
    check("first", w.export(place, url).returncode == 0)
    rc = w.export(other, url)
    check("other logs of the same names", rc.returncode == 0, rc.stderr)
    read = w.smilog("summarize", "-q", "--json", url)
    check("have the names of their places", [r["run"] for r in json.loads(read.stdout)["runs"]] ==
          sorted(at + run for at in (place, other) for run in ("/a", "/b")), read.stdout[:1000])
    check("and all rows", (w.total(db), w.total(db, USE)) == tuple(map(sum, zip(truth(place), truth(other)))))
    for args in [], ["--replace"]:
        rc = w.smilog("export", other, "--to", url, *args)
        check("again", " %d runs, %d rows," % ((2, 5000) if args else (0, 0)) in rc.stderr, rc.stderr)
    check("and no more rows", w.total(db) == int(w.server.ask("SELECT count() FROM samples_local", db)) == 11000)
    db, url = w.database()
    check("two", w.export(place, url).returncode == 0)
    shutil.rmtree(place + "/a")
    write_log(place + "/a", 0, 3000, 77)
    check("one of two is replaced", w.export(place, url, "--replace").returncode == 0)
    w.server.ask("ALTER TABLE samples_local DELETE WHERE run IN (SELECT run FROM runs_local WHERE name = 'b')", db)
    while w.total(db) != 3000:
        time.sleep(0.05)
    check("what was lost is sent again", w.export(place, url, "--replace").returncode == 0)
    holds(w, db, url, place, "one of two")
    write_log(place + "/b", 0, 2000, 5)
    rc = w.export(place, url)
    check("logs that lost rows are refused", rc.returncode == 2 and "with 3000 rows" in rc.stderr, rc.stderr)
    check("and replace", w.export(place, url, "--replace").returncode == 0)
    holds(w, db, url, place, "lost rows")


class Gate:
    """A way to the server that stops before the nth request and waits, so that others come between two steps."""
    def __init__(self, port, nth):
        self.to, self.nth, self.seen = port, nth, 0
        self.reached, self.go = threading.Event(), threading.Event()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            a, _ = self.door.accept()
            b = socket.create_connection(("127.0.0.1", self.to))
            threading.Thread(target=self.back, args=(b, a), daemon=True).start()
            threading.Thread(target=self.pump, args=(a, b), daemon=True).start()

    def pump(self, a, b):
        with contextlib.suppress(OSError), a.makefile("rb") as request:
            while head := request.readline():
                while (field := request.readline()) != b"\r\n":
                    head += field
                self.seen += 1
                if self.seen == self.nth:
                    self.reached.set()
                    self.go.wait()
                b.sendall(head + b"\r\n")
                left = next(int(f.split(b":")[1]) for f in head.split(b"\r\n") if f.lower().startswith(b"content-length"))
                while left:
                    piece = request.read1(min(left, 1 << 16))
                    left -= len(piece)
                    b.sendall(piece)
            b.shutdown(socket.SHUT_WR)

    def back(self, b, a):
        with contextlib.suppress(OSError):
            while piece := b.recv(1 << 16):
                a.sendall(piece)
            a.close()


def held(w, url, place, nth, *args):
    """An export that stops before its nth request. Returns it and its gate, or NULL for the gate: it has ended before."""
    gate = Gate(w.server.ports[0], nth)
    p = subprocess.Popen([SMILOG, "export", "-q", place, "--to", url.replace(str(w.server.ports[0]), str(gate.port)), *args],
                         stderr=subprocess.PIPE, text=True, env=w.env)
    while not gate.reached.wait(0.02) and p.poll() is None:
        pass
    return p, gate if gate.reached.is_set() else None


def part_between(w):
    """Before each request of an export another one comes, of the same logs, of grown ones, or of others; the first goes on
    or is killed. What is read then is what the last reading of the logs had: nothing twice, and nothing of two exports."""
    steps = 0
    for how in "new", "grown", "replaced", "killed":
        nth, gate = BETWEEN, True
        while gate:
            db, url = w.database()
            place = os.path.join(w.room, "between")
            write_sweep(place, 2, 500, 3)
            args = []
            if how in ("replaced", "killed"):
                w.export(place, url)
                write_log(place + "/lr=0/seed=0", 0, 400, nth)
                args = ["--replace"]
            p, gate = held(w, url, place, nth, *args)
            if gate and how == "killed": # the logs are as they were again: the store is whole without any export
                p.kill()
                write_sweep(place, 2, 500, 3)
            elif gate:
                if how != "new":
                    write_log(place + "/lr=0/seed=0", 500, 300, 0, "a")
                rc = w.export(place, url, *args)
                check("between: the other ends well", rc.returncode == 0, (how, nth, rc.stderr))
                gate.go.set()
            words = p.communicate()[1]
            check("between: both end well", p.returncode == (-signal.SIGKILL if gate and how == "killed" else 0), (how, nth, words))
            what = "between (%s, before request %d)" % (how, nth)
            if how == "killed":
                w.server.ask("OPTIMIZE TABLE samples_local FINAL", db)
                now = int(w.server.ask("SELECT sum(samples) FROM runs_local FINAL WHERE " + NEWEST, db))
                check(what + ": as before or as after", w.total(db) == now, (w.total(db), now))
                rc = w.export(place, url, "--replace")
                check(what + ": again", rc.returncode == 0, rc.stderr)
            holds(w, db, url, place, what, raw=how != "killed")
            shutil.rmtree(place)
            steps += 1
            nth += BETWEEN
    print("between: %d pairs of exports, one before each request of the other" % steps)


def part_two(w):
    """Two exports of the same new runs from two machines at once, and of logs that grow between them."""
    for turn in range(TWOS):
        db, url = w.database()
        place = os.path.join(w.room, "two%d" % turn)
        write_sweep(place, 3, 3000)
        if turn % 2:
            w.export(SWEEP, url) # the tables are there
        own = w.total(db) if turn % 2 else 0
        calls = [subprocess.Popen([SMILOG, "export", "-q", place, "--to", url], stderr=subprocess.PIPE, text=True,
                                  env=w.env) for k in range(2)]
        words = [p.communicate()[1] for p in calls]
        check("two: both end well", all(p.returncode == 0 for p in calls), words)
        rows = int(w.server.ask("SELECT count() FROM samples_local", db)) - own
        check("two: no row is there twice", rows == w.total(db) - own == 9000, rows)
        read, same = (w.smilog("summarize", "-q", "--json", at, "--where", "run LIKE 'lr=_/seed=0'")
                      for at in (url, place))
        runs = [json.loads(x.stdout)["runs"] for x in (read, same)]
        check("two: the same JSON", len(runs[1]) == 3 and all(r in runs[0] for r in runs[1]), read.stderr)
        shutil.rmtree(place)
    print("two: %d times two exports of the same runs at once" % TWOS)


def part_twice(w):
    """All rows are sent twice, and some of an export that died."""
    db, url = w.database()
    place = os.path.join(w.room, "sent")
    write_sweep(place, 4, 3000, 20)
    check("twice: first", w.export(place, url).returncode == 0)
    for table in "samples_local", "marks_local", "runs_local":
        w.server.ask("INSERT INTO %s SELECT * FROM %s" % (table, table), db)
    holds(w, db, url, place, "twice")
    rc = w.smilog("export", place, "--to", url)
    check("twice: nothing is new", " 0 runs, 0 rows," in rc.stderr, rc.stderr)
    w.server.ask("INSERT INTO samples_local (run, input, row, load) SELECT run, input, row + 1000000, load - 1 "
                 "FROM samples_local WHERE row < 7", db)
    holds(w, db, url, place, "rows of an export that died")
    rc = w.export(place, url, "--replace")
    check("twice: again", rc.returncode == 0, rc.stderr)
    holds(w, db, url, place, "rows of an export that died are deleted", raw=True)


def part_refused(w):
    db, url = w.database()
    place = os.path.join(w.room, "some")
    write_log(place + "/a", 0, 100)
    ann = url.replace("//", "//ann@")
    rc = w.export(place, ann, SMILOG_CLICKHOUSE_PASSWORD="open barley")
    check("wrong password", rc.returncode == 4 and "says: Code: 193" in rc.stderr and "barley" not in rc.stderr,
          rc.stderr)
    rc = w.export(place, url.replace("//", "//ann:secret@"))
    check("password in the URL", rc.returncode == 2 and "secret" not in rc.stderr, rc.stderr)
    rc = w.smilog("summarize", url.replace("//", "//ann:secret@"))
    check("password in the URL that is read", rc.returncode != 0 and "secret" not in rc.stderr + rc.stdout, rc.stderr)
    rc = w.export(place, ann, SMILOG_CLICKHOUSE_PASSWORD="open sesame")
    check("right password", rc.returncode == 0, rc.stderr)
    word = os.path.join(w.room, "word")
    with open(word, "w") as f:
        f.write("open sesame\n")
    rc = w.export(place, ann, "--password-file", word)
    check("password of a file", rc.returncode == 0, rc.stderr)
    rc = w.export(place, url + "x")
    check("unknown database", rc.returncode == 4 and "CREATE DATABASE t%dx" % w.n in rc.stderr,
          (rc.returncode, rc.stderr))
    rc = w.export(place, url.replace("/t", ",127.0.0.1/t"))
    check("several hosts", rc.returncode == 2 and "a URL is clickhouse://" in rc.stderr, rc.stderr)
    w.server.ask("DROP TABLE samples_local", db)
    w.server.ask("CREATE TABLE samples_local (run String) ENGINE = Log", db)
    rc = w.export(place, url, "--replace")
    check("a table of others", rc.returncode == 4 and "tables are of another version of smilog" in rc.stderr,
          (rc.returncode, rc.stderr))
    check("and it stays as it is", w.server.ask("DESCRIBE TABLE samples_local", db).split() == ["run", "String"])
    db, url = w.database()
    w.server.ask("CREATE TABLE runs_local (run UInt64, version UInt64, name String, state String, partial String) "
                 "ENGINE = ReplacingMergeTree(version) ORDER BY run", db)
    for rc in w.export(place, url), w.smilog("summarize", url):
        check("a store of 0.2.0", rc.returncode and "tables are of another version of smilog" in rc.stderr, rc.stderr)
    db, url = w.database()
    rc = w.export(place, url, "--dry-run")
    check("dry run", rc.returncode == 0 and "CREATE TABLE" in rc.stdout and " 1 run, 100 rows" in rc.stdout, rc.stdout)
    check("dry run writes nothing", w.server.ask("SHOW TABLES", db) == "")
    rc = w.smilog("summarize", url)
    check("nothing there", rc.returncode == 3 and "no run of smilog" in rc.stderr, rc.stderr)


# ---- PyTorch's two tables ----

SERIES, METADATA = "oss_ci_time_series", "oss_ci_utilization_metadata"
SECONDS = "created_at", "start_at", "end_at", "time_stamp"


def rows_of(w, db, table, job, columns):
    """What the server has of a job, as JSON with its keys in this order, sorted."""
    what = ", ".join("toUInt32(%s) AS %s" % (c, c) if c in SECONDS else c for c in columns)
    sql = ("SELECT %s FROM %s WHERE job_id = %d AND workflow_id = %d AND run_attempt = %d AND repo = '%s' FORMAT "
           "JSONEachRow") % (what, table, job["job_id"], job["workflow_id"], job["run_attempt"], job["repo"])
    import pytorch_check
    return sorted(json.dumps(t) for t in pytorch_check.values(w.server.ask(sql, db)))


def as_rows(docs):
    """Seconds are 32 bits in a DateTime; segments are text where there are no maps."""
    def cell(k, v):
        if k in SECONDS:
            return v % (1 << 32)
        return int(v) if k == "usage_collect_interval" and v == int(v) else v
    def key_and_cell(k, v):
        return ("segments_json", json.dumps(v)) if k == "segments" else (k, cell(k, v))
    import pytorch_check
    return sorted(json.dumps(pytorch_check.plain(dict(key_and_cell(k, v) for k, v in d.items()))) for d in docs)


def same_documents(w, db, job, docs, what):
    metadata, series = docs
    for table, want in (SERIES, as_rows(series)), (METADATA, as_rows([metadata])):
        got = rows_of(w, db, table, job, json.loads(want[0]))
        check("%s: %s" % (what, table), got == want, (got[:2], want[:2], len(got), len(want)))


def usage_log(rng, start, records, names=("python a.py", "pytest -v", "python b.py")):
    """A log that grows by records, and what is uploaded of it."""
    import pytorch_check
    meta = {"level": "metadata", "workflow_id": "1", "job_id": "2", "workflow_name": "w", "job_name": "j",
            "usage_collect_interval": 1.0, "data_model_version": 1.5, "start_at": start, "gpu_count": 1,
            "cpu_count": 16, "gpu_type": "pynvml", "error": None}
    lines = [meta]
    for k in range(records):
        value = round(rng.random() * 100, 2)
        stats = {"avg": value, "max": value, "raw": [value]}
        lines.append({"level": "record", "timestamp": start + 5 * (k + 1), "data": {"cpu": stats, "memory": stats,
                      "gpu_usage": None}, "cmd_names": rng.sample(names, 2), "error": None, "log_duration": "0.1 ms",
                      "logs": []})
    return [json.dumps(x) + "\n" for x in lines], pytorch_check


def part_documents(w):
    """Random usage logs into PyTorch's two tables, and back; grown, of other logs, sent twice; the client killed."""
    import pytorch_check
    db, url = w.database()
    path = os.path.join(w.room, "usage_log.txt")
    sent = logs = 0
    for i in range(LOGS):
        log, job = pytorch_check.random_log(random.Random("documents %d" % i))
        job.pop("debug")
        want = pytorch_check.documents(log, job)
        with open(path, "wb") as f:
            f.write(log)
        rc = w.export(path, url, "--replace", *pytorch_check.options(job))
        if want is None:
            check("log %d: no document" % i, rows_of(w, db, SERIES, job, ["job_id"]) == [], rc.stderr)
            continue
        check("log %d" % i, rc.returncode == 0, rc.stderr)
        same_documents(w, db, job, want, "log %d" % i)
        sent += 1 + len(want[1])
        logs += 1
        if i % 5 == 0:
            again = w.smilog("export", path, "--to", url, *pytorch_check.options(dict(job, created_at=7)))
            check("log %d again" % i, ", 0 documents written" in again.stderr, again.stderr)
            same_documents(w, db, job, want, "log %d again" % i)
    print("documents: %d of %d logs went to both tables, %d documents, and came back as they were" % (logs, LOGS, sent))
    stored = sum(int(w.server.ask("SELECT count() FROM " + t, db)) for t in (SERIES, METADATA))
    check("nothing else is there", stored == sent, (stored, sent))
    one = w.database()[1]
    for args in ["--job-id", "5", "--workflow-run-id", "6"], ["--job-id", "7", "--workflow-run-id", "6"]:
        rc = w.export(ROOT / "tests/fixtures/query_units.csv", one, "--tz", "UTC", *args)
        check("any log", rc.returncode == 0, rc.stderr)
    jobs = w.server.ask("SELECT job_id, workflow_id FROM %s ORDER BY job_id" % METADATA, "t%d" % w.n)
    check("jobs of any log", jobs == "5\t6\n7\t6\n", jobs)
    dry = w.export(ROOT / "tests/fixtures/query_units.csv", w.database()[1], "--tz", "UTC",
                   "--dry-run", *args)
    check("a dry run of documents", dry.returncode == 0 and METADATA in dry.stdout and " documents" in dry.stdout,
          dry.stdout)
    documents_grow(w)
    documents_between(w)
    documents_killed(w)


def documents_grow(w):
    rng = random.Random(3)
    db, url = w.database()
    path = os.path.join(w.room, "grows.txt")
    job = {"created_at": 5, "repo": "pytorch/pytorch", "workflow_id": 1, "run_attempt": 1, "job_id": 2,
           "workflow_name": "w", "job_name": "j"}
    lines, pytorch_check = usage_log(rng, 1769903000, 400) # over the end of a month
    def gone(table):
        w.server.ask("ALTER TABLE %s DELETE WHERE job_id = 2" % table, db)
        while w.server.ask("SELECT count() FROM %s WHERE job_id = 2" % table, db) != "0\n":
            time.sleep(0.05)

    for n in 2, 100, 401:
        with open(path, "w") as f:
            f.writelines(lines[:n])
        rc = w.export(path, url, "--pytorch", "--created-at", "5", *(["--replace"] if n > 2 else []))
        check("grown to %d" % n, rc.returncode == 0, rc.stderr)
        same_documents(w, db, job, pytorch_check.documents("".join(lines[:n]).encode(), job), "grown to %d" % n)
    w.server.ask("INSERT INTO %s SELECT * FROM %s WHERE json_data LIKE '%%7%%' LIMIT 1" %
                    (SERIES, SERIES), db)
    rc = w.smilog("export", path, "--to", url, "--pytorch")
    check("a job that is there is skipped", rc.returncode == 0 and "job 1/1/2 is there already" in rc.stderr, rc.stderr)
    rc = w.export(path, url, "--pytorch", "--replace", "--created-at", "5")
    check("and is replaced", rc.returncode == 0, rc.stderr)
    same_documents(w, db, job, pytorch_check.documents("".join(lines).encode(), job), "replaced")
    gone(METADATA)
    rc = w.export(path, url, "--pytorch", "--created-at", "5")
    check("a job without metadata is sent again", rc.returncode == 0, rc.stderr)
    same_documents(w, db, job, pytorch_check.documents("".join(lines).encode(), job), "sent again")


def documents_between(w):
    """Before each request of an export another one of the same job comes."""
    path, job = os.path.join(w.room, "both.txt"), {"created_at": 5, "repo": "pytorch/pytorch", "workflow_id": 1,
                                                   "run_attempt": 1, "job_id": 2, "workflow_name": "w", "job_name": "j"}
    lines, pytorch_check = usage_log(random.Random(5), 1769903000, 40)
    with open(path, "w") as f:
        f.writelines(lines)
    nth, gate, args = BETWEEN, True, ["--pytorch", "--created-at", "5"]
    while gate:
        db, url = w.database()
        p, gate = held(w, url, path, nth, *args)
        if gate:
            rc = w.export(path, url, *args)
            check("documents: the other ends well", rc.returncode == 0, rc.stderr)
            gate.go.set()
        words = p.communicate()[1]
        check("documents: both end well", p.returncode == 0, (nth, words))
        same_documents(w, db, job, pytorch_check.documents("".join(lines).encode(), job), "before request %d" % nth)
        nth += BETWEEN


def documents_killed(w):
    """Many jobs in one call that is killed at any moment; and the server."""
    rng, kills, ended = random.Random(4), 0, 0
    place = os.path.join(w.room, "jobs")
    want = {}
    for k in range(30):
        lines, pytorch_check = usage_log(rng, 1700000000 + k, 300)
        lines[0] = lines[0].replace('"job_id": "2"', '"job_id": "%d"' % (100 + k))
        os.makedirs("%s/%d" % (place, k))
        with open("%s/%d/usage_log.txt" % (place, k), "w") as f:
            f.writelines(lines)
        job = {"created_at": 5, "repo": "pytorch/pytorch", "workflow_id": 1, "run_attempt": 1, "job_id": 100 + k,
               "workflow_name": "w", "job_name": "j"}
        want[k] = job, pytorch_check.documents("".join(lines).encode(), job)
    args = ["--pytorch", "--created-at", "5"]
    began = time.time()
    check("jobs", w.export(place, w.database()[1], *args).returncode == 0)
    whole = time.time() - began
    db, url = w.database()
    while kills < KILLS:
        p = subprocess.Popen([SMILOG, "export", "-q", place, "--to", url] + args, env=w.env, stderr=subprocess.DEVNULL)
        try:
            p.wait(rng.random() * whole)
            ended += 1
            db, url = w.database()
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
            kills += 1
    for crash in range(CRASHES):
        db, url = (db, url) if crash == 0 else w.database()
        p = subprocess.Popen([SMILOG, "export", "-q", place, "--to", url] + args, env=w.env, stderr=subprocess.PIPE)
        time.sleep(rng.random() * whole)
        w.server.stop(signal.SIGKILL)
        w.server.start()
        said = p.communicate()[1].decode()
        check("it ends, or says why", p.returncode in (0, 4), said)
        rc = w.export(place, url, *args)
        check("after kills and a crash", rc.returncode == 0, rc.stderr)
        for job, docs in want.values():
            same_documents(w, db, job, docs, "after kills and a crash")
        holds(w, db, url, place, "after kills and a crash", False)
    print("documents: the client killed %d times, between which it ended %d times; the server %d times" %
          (kills, ended, CRASHES))


def part_down(w):
    db, url = w.database()
    place = os.path.join(w.room, "many")
    write_sweep(place, 20, 2000)
    w.server.stop(signal.SIGKILL)
    rc = w.export(place, url)
    check("the server is down", rc.returncode == 4 and "127.0.0.1:%d" % w.server.ports[0] in rc.stderr, rc.stderr)
    rc = w.smilog("summarize", url)
    check("the server is down, read", rc.returncode != 0 and not rc.stdout, rc.stderr)
    w.server.start()
    check("up again", w.export(place, url).returncode == 0)
    holds(w, db, url, place, "up again")


def part_killed(w):
    """The client is killed at any moment, again and again."""
    db, url = w.database()
    place = os.path.join(w.room, "killed")
    write_sweep(place, 60, 4000, 30)
    began = time.time()
    w.export(place, w.database()[1])
    whole = time.time() - began
    rng, ended, kills = random.Random(1), 0, 0
    while kills < KILLS:
        p = subprocess.Popen([SMILOG, "export", "-q", place, "--to", url], env=w.env, stderr=subprocess.DEVNULL)
        try:
            p.wait(rng.random() * whole * 1.1)
            ended += 1
            db, url = w.database() # it is whole: another one
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
            kills += 1
            if rng.random() < 0.2: # what is there so far is read as such
                rc = w.smilog("summarize", "--json", url)
                check("half loaded", rc.returncode in (0, 3, 4), rc.stderr)
                whole_runs = json.loads(w.smilog("summarize", "-q", "--json", place).stdout)["runs"]
                got = json.loads(rc.stdout)["runs"] if rc.returncode == 0 else []
                check("half loaded: what is there is whole", all(r in whole_runs for r in got))
    rc = w.export(place, url)
    check("after %d kills" % kills, rc.returncode == 0, rc.stderr)
    holds(w, db, url, place, "after %d kills" % kills)
    print("killed: the client %d times, between which it ended %d times" % (kills, ended))


def part_crashed(w):
    """The server is killed during a load and comes back, while the client goes on or is called again."""
    rng, calls, crashes = random.Random(2), 0, 0
    place = os.path.join(w.room, "crashed")
    write_sweep(place, 60, 4000, 30)
    began = time.time()
    w.export(place, w.database()[1])
    whole = time.time() - began
    while crashes < CRASHES:
        db, url = w.database()
        done = False
        while not done:
            p = subprocess.Popen([SMILOG, "export", "-q", place, "--to", url], env=w.env, stderr=subprocess.PIPE)
            calls += 1
            time.sleep(rng.random() * whole)
            if crashes < CRASHES and p.poll() is None:
                w.server.stop(signal.SIGKILL)
                crashes += 1
                time.sleep(rng.random() * 0.3)
                w.server.start()
            said = p.communicate()[1].decode()
            done = p.returncode == 0
            check("it ends, or says why", done or (p.returncode == 4 and "127.0.0.1" in said), said)
        holds(w, db, url, place, "after %d crashes" % crashes)
    print("crashed: the server was killed %d times, %d calls" % (crashes, calls))


def part_cluster(w):
    """Two shards: the client is killed again and again, a shard too, and two export at once; every run is on one."""
    ports = [free_port(), free_port(), free_port()]
    hosts = "127.0.0.1", "127.0.0.2"
    shards = "<pair>%s</pair>" % "".join(SHARD % at for at in zip(hosts, ports[1:]))
    pair = [Server(os.path.join(w.room, "shard" + h), h, (ports[0], p), shards) for h, p in zip(hosts, ports[1:])]
    place, rng, kills = os.path.join(w.room, "sharded"), random.Random(5), 0
    write_sweep(place, 40, 2000, 30)
    url = "clickhouse://127.0.0.1:%d/both?cluster=pair" % ports[0]
    args = [SMILOG, "export", "-q", place, "--to"]
    try:
        for s in pair:
            s.write()
            s.start()
            s.ask("CREATE DATABASE both")
        rc = w.export(place, url.replace("pair", "other"))
        check("cluster: an unknown one", rc.returncode == 2 and "knows no cluster other" in rc.stderr, rc.stderr)
        rc = w.export(place, url, "--dry-run")
        check("cluster: a plan", rc.stdout.count("Distributed(pair, both, ") == 3, rc.stdout)
        began = time.time()
        check("cluster: whole", w.export(place, url).returncode == 0)
        whole = time.time() - began
        while kills < KILLS:
            for s in pair:
                s.ask("DROP DATABASE both")
                s.ask("CREATE DATABASE both")
            for _ in range(3):
                two = [subprocess.Popen(args + [url.replace("127.0.0.1", h)], env=w.env, stderr=subprocess.DEVNULL)
                       for h in hosts]
                time.sleep(rng.random() * whole)
                for p in two:
                    p.kill()
                    p.wait()
                    kills += 1
            two = [subprocess.Popen(args + [url], env=w.env, stderr=subprocess.PIPE) for _ in hosts]
            time.sleep(rng.random() * whole)
            pair[1].stop(signal.SIGKILL)
            pair[1].start()
            said = [p.communicate()[1].decode() for p in two]
            check("cluster: they end, or say why", all(p.returncode in (0, 4) for p in two), said)
            rc = w.export(place, url)
            check("cluster: after kills", rc.returncode == 0, rc.stderr)
            rows, use = truth(place)
            got = [int(pair[1].ask("SELECT %s FROM samples FINAL WHERE %s" % (q, NEWEST.replace("_local", "")), "both")) for q in
                   ("count()", USE, "uniqExact(run, input, row)")]
            check("cluster: rows and sum", got == [rows, use, rows], (got, rows, use))
            halves = [set(s.ask("SELECT DISTINCT run FROM samples_local", "both").split()) for s in pair]
            check("cluster: a run is on one shard", len(halves[0] | halves[1]) == 40 and not halves[0] & halves[1] and
                  all(halves), [len(x) for x in halves])
            for h in hosts:
                same_json(w, url.replace("127.0.0.1", h), place, "cluster")
            same_json(w, url, place, "cluster", "--where", "run IN ('lr=1/seed=0', 'lr=2/seed=1')")
        print("cluster: two clients at once on two shards, killed %d times" % kills)
    finally:
        for s in pair:
            s.stop(signal.SIGKILL)


def part_rate(w):
    """The load of the server, beside curl with the same rows as JSON."""
    place = os.path.join(w.room, "rate")
    write_sweep(place, RUNS, ROWS)
    one = w.server
    ratios = []
    for turn in range(3):
        w.n += 1
        db = "t%d" % w.n
        one.ask("CREATE DATABASE " + db)
        url = "clickhouse://127.0.0.1:%d/%s" % (one.ports[0], db)
        began = time.time()
        rc = w.export(place, url)
        ours = time.time() - began
        n = int(one.ask("SELECT count() FROM samples_local", db))
        check("rate: all is there", rc.returncode == 0 and n == RUNS * ROWS, (n, rc.stderr))
        rows = os.path.join(w.room, "rows.json")
        if not turn:
            q = urllib.parse.quote("SELECT * FROM %s.samples_local FORMAT JSONEachRow" % db)
            subprocess.run("curl -s 'http://127.0.0.1:%d/?query=%s' >%s" % (one.ports[0], q, rows), shell=True,
                           check=True)
        one.ask("CREATE TABLE copy AS samples_local ENGINE = MergeTree ORDER BY (run, gpu, time)", db)
        q = urllib.parse.quote("INSERT INTO %s.copy FORMAT JSONEachRow" % db)
        began = time.time()
        subprocess.run(["curl", "-sS", "-X", "POST", "-T", rows,
                        "http://127.0.0.1:%d/?query=%s" % (one.ports[0], q)], check=True)
        curl = time.time() - began
        check("rate: curl's are there", int(one.ask("SELECT count() FROM copy", db)) == n)
        ratios.append(curl / ours)
        print("rate: %d rows: smilog %.2f s (%.0f rows/s, from the logs), curl %.2f s (%.0f rows/s): %.2f times"
              % (n, ours, n / ours, curl, n / curl, curl / ours), flush=True)
        one.ask("DROP DATABASE " + db)
    os.remove(rows)
    print("rate: middle %.2f times" % sorted(ratios)[1])


def part_scale(w):
    db, url = w.database()
    place = os.path.join(w.room, "scale")
    began = time.time()
    write_sweep(place, RUNS, ROWS)
    print("scale: %d runs, %d rows; written in %.0f s" % (RUNS, RUNS * ROWS, time.time() - began), flush=True)
    began = time.time()
    rc = w.export(place, url)
    took = time.time() - began
    check("scale", rc.returncode == 0, rc.stderr)
    print("scale: loaded in %.1f s, %.0f rows/s" % (took, RUNS * ROWS / took), flush=True)
    check("scale: all rows", w.total(db) == RUNS * ROWS, w.total(db))
    times = []
    for source in place, url:
        began = time.time()
        times.append((w.smilog("summarize", "-q", "--json", source).stdout, time.time() - began))
    check("scale: the same JSON", times[0][0] == times[1][0] and len(json.loads(times[0][0])["runs"]) == RUNS)
    print("scale: summarize --json: %.1f s from the logs, %.1f s from the store" % (times[0][1], times[1][1]))


def part_full(w):
    """A server whose disk is full says so; when there is room again, the rest is loaded."""
    room = os.path.join(w.room, "small")
    with tmpfs(room, "14m") as mounted:
        if not mounted:
            skip("a tmpfs cannot be mounted here")
        s = Server(room)
        try:
            s.write()
            s.start()
            s.ask("CREATE DATABASE small")
            url = "clickhouse://127.0.0.1:%d/small" % s.ports[0]
            place = os.path.join(w.room, "much")
            write_sweep(place, 40, 30000)
            rc = w.export(place, url)
            check("full", rc.returncode == 4 and "space" in rc.stderr, (rc.returncode, rc.stderr))
            subprocess.run(["mount", "-o", "remount,size=600m", room], check=True)
            rc = w.export(place, url)
            check("room again", rc.returncode == 0, rc.stderr)
            rows, use = truth(place)
            got = [int(s.ask("SELECT %s FROM samples_local FINAL" % q, "small")) for q in ("count()", USE)]
            check("room again: rows and sum", got == [rows, use], (got, rows, use))
        finally:
            s.stop(signal.SIGKILL)


PARTS = {"same": part_same, "asked": part_asked, "grown": part_grown, "replaced": part_replaced,
         "between": part_between, "two": part_two, "twice": part_twice, "refused": part_refused, "documents": part_documents, "down": part_down,
         "killed": part_killed, "crashed": part_crashed, "cluster": part_cluster, "rate": part_rate,
         "scale": part_scale, "full": part_full}


def main():
    if not os.access(SERVER, os.X_OK):
        skip("clickhouse-server is not installed")
    with folder() as room:
        w = World(room)
        try:
            for name in sys.argv[1:] or [n for n in PARTS if n != "full"]:
                PARTS[name](w)
        finally:
            w.stop()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
