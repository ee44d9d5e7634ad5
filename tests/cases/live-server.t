a port in use disables the server only
# A port that another program has: a warning, and everything else goes on. A command that would only serve fails.
  $ d=$(mktemp -d) || exit
  $ SMI_FAKE_GPUS=2 python3 -SE - "$d" <<'PY'
  > import os, re, socket, subprocess, sys
  >
  > d, log = sys.argv[1], "../../../fixtures/sweep/lr=0.1/seed=1/hw_metrics.csv"
  > taken = socket.socket()
  > taken.bind(("127.0.0.1", 0))
  > taken.listen()
  > port = str(taken.getsockname()[1])
  >
  >
  > def run(*words):
  >     p = subprocess.run(["smilog", *words], capture_output=True, text=True)
  >     print(*words[:2], p.returncode, len(p.stdout.splitlines()) > 0)
  >     print(re.sub(r":\d+: Address", ":PORT: Address", p.stderr), end="")
  >
  >
  > run("live", "--demo", "-q", "--for", "3", "-i", "0.2", "-o", d + "/a", "--listen", port)
  > print(open(d + "/a/hw_metrics.csv").read().count("\n") > 5, os.path.exists(d + "/a/summary.json"))
  > run("live", "--demo", "--plain", "--for", "2", "-i", "0.2", "--listen", "192.0.2.1:0")
  > run("live", "--demo", "-q", "--for", "2", "--textfile", d + "/gpus.prom", "--listen", port)
  > run("follow", "-q", "--for", "1", "--store", d + "/store.sqlite", "--listen", port, log)
  > print(os.path.getsize(d + "/store.sqlite") > 0)
  > run("live", "--demo", "-q", "--for", "60", "--listen", port)
  > run("follow", "-q", "--for", "60", "--listen", port, log)
  > PY
  live --demo 0 False
  smilog: warning: cannot listen on 127.0.0.1:PORT: Address already in use. smilog goes on without the server
  True True
  live --demo 0 True
  smilog: warning: cannot listen on 192.0.2.1:0: Cannot assign requested address. smilog goes on without the server
  live --demo 0 False
  smilog: warning: cannot listen on 127.0.0.1:PORT: Address already in use. smilog goes on without the server
  follow -q 0 False
  smilog: warning: cannot listen on 127.0.0.1:PORT: Address already in use. smilog goes on without the server
  True
  live --demo 4 False
  smilog: cannot listen on 127.0.0.1:PORT: Address already in use
  follow -q 4 False
  smilog: cannot listen on 127.0.0.1:PORT: Address already in use
  $ rm -r "$d"

a server bears its clients
  $ SMI_FAKE_GPUS=8 python3 -SE - <<'PY'
  > import http.client, json, re, select, socket, subprocess, sys, time
  >
  > live = subprocess.Popen(["smilog", "live", "--demo", "-q", "-i", "0.2", "--listen", "0"], stderr=subprocess.PIPE, text=True)
  > port = int(re.fullmatch(r"smilog: http://127\.0\.0\.1:(\d+)/\n", live.stderr.readline())[1])
  >
  >
  > def ask(method, path, body=None, **headers):
  >     c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
  >     c.request(method, path, body=body, headers=headers)
  >     r = c.getresponse()
  >     return r, r.read()
  >
  >
  > def raw(*pieces, pause=0):
  >     """The status line that comes of these bytes, or what happened to the connection."""
  >     s = socket.create_connection(("127.0.0.1", port), timeout=20)
  >     try:
  >         for p in pieces:
  >             s.sendall(p)
  >             time.sleep(pause)
  >         return s.recv(4096).split(b"\r\n")[0].decode() or "closed"
  >     except ConnectionError:
  >         return "closed"
  >     finally:
  >         s.close()
  >
  >
  > def state():
  >     return json.loads(re.search(rb'id="state">(.*?)</script>', ask("GET", "/")[1], re.S)[1])
  >
  >
  > def day(stamp):
  >     h, m, s = stamp.decode().split(":")
  >     return int(h) * 3600 + int(m) * 60 + float(s)
  >
  >
  > end = time.monotonic() + 120
  > while len(state()["gpus"]) < 8 and time.monotonic() < end:
  >     time.sleep(0.1)
  > for path in ("/", "/metrics"):
  >     r, whole = ask("GET", path)
  >     head, none = ask("HEAD", path)
  >     print(path, r.status, r.getheader("Content-Type"), head.status, len(none), int(head.getheader("Content-Length")) > 1000)
  > print("/metrics", ask("GET", "/metrics", Accept="application/openmetrics-text")[1].endswith(b"\n# EOF\n"))
  > print("/events", ask("HEAD", "/events")[0].getheader("Content-Type"))
  > for path in ("/favicon.ico", "/../etc/passwd", "/metrics/", "/%2e%2e/"):
  >     print(path, ask("GET", path)[0].status)
  > for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "FOO"):
  >     r, _ = ask(method, "/metrics", body=b"x" * 100000 if method in ("POST", "PUT") else None)
  >     print(method, r.status, r.getheader("Allow"))
  > for host in ("localhost", "127.0.0.1:1", socket.gethostname(), "evil.example", "localhost.evil.example", "10.0.0.1:80", "[::1]"):
  >     print("Host:", host if host != socket.gethostname() else "the machine", ask("GET", "/metrics", Host=host)[0].status)
  > print("no Host:", raw(b"GET /metrics HTTP/1.0\r\n\r\n"), raw(b"GET /metrics HTTP/1.1\r\n\r\n"))
  > print("two Hosts:", raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"))
  > print("another's address:", raw(b"GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"))
  > print("a long header:", raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200000 + b"\r\n\r\n") in
  >       ("HTTP/1.1 431 Request Header Fields Too Large", "closed"))
  > print("many headers:", raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 50000 + b"\r\n") in
  >       ("HTTP/1.1 431 Request Header Fields Too Large", "closed"))
  > print("a long path:", raw(b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n") in ("HTTP/1.1 414 URI Too Long", "closed"))
  > print("no HTTP:", raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n").split(" ")[-1] in ("closed", "Request"))
  >
  > r, page = ask("GET", "/")
  > policy = r.getheader("Content-Security-Policy")
  > print("the page:", "default-src 'none'" in policy, "unsafe" not in policy, b"<noscript><pre>smilog live" in page,
  >       not re.search(rb"https?://(?!www\.w3\.org/2000/svg)", page))
  > now = state()
  > print("the state in it:", [g["gpu"] for g in now["page"]["gpus"]], [g["index"] for g in now["gpus"]])
  >
  > c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
  > c.request("GET", "/events")
  > r, seen = c.getresponse(), []
  > while len(seen) < 3:
  >     line = r.readline()
  >     if line.startswith(b"data: "):
  >         seen.append(json.loads(line[6:]))
  >     else:
  >         assert line == b"\n", line
  > print("3 events:", len({e["ts"] for e in seen}), all(len(e["gpus"]) == 8 for e in seen))
  > r.close()
  > c.close()
  >
  > # One that does not read: what it missed meanwhile is left out.
  > lazy = socket.socket()
  > lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
  > lazy.connect(("127.0.0.1", port))
  > lazy.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
  > lazy_begin = time.time()
  > # 200 that say nothing; others are served before the server has closed all of these, which it does in time.
  > idle = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(200)]
  > print("beside 200 silent ones:", ask("GET", "/metrics")[0].status, len(select.select(idle, [], [], 0)[0]) < 200)
  > # 60 that send a letter now and then: nobody waits for them.
  > slow, waits = [], []
  > for _ in range(60):
  >     slow.append(socket.create_connection(("127.0.0.1", port), timeout=20))
  >     slow[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
  > for _ in range(20):
  >     for s in slow:
  >         try:
  >             s.sendall(b"a")
  >         except OSError:
  >             pass
  >     begin = time.monotonic()
  >     ask("GET", "/healthz")
  >     waits.append(time.monotonic() - begin)
  >     time.sleep(0.1)
  > print("beside 60 slow ones:", max(waits) < 5)
  > for s in idle:
  >     s.settimeout(30)
  > print("200 silent ones:", sum(s.recv(1) == b"" for s in idle))
  >
  > # It reads now, until it has the present; what did not fit the kernel's buffers it never gets.
  > time.sleep(max(0, lazy_begin + 7 - time.time()))
  > lazy.settimeout(20)
  > got, end = b"", time.time()
  > while (len(seen := re.findall(rb'data: {"ts": "[^"]+T([0-9:.]+)Z', got)) < 2 or day(seen[-1]) < end % 86400) and time.time() < end + 10:
  >     got += lazy.recv(65536)
  > lazy.close()
  > print("one that did not read:", day(seen[-1]) >= end % 86400, max(day(b) - day(a) for a, b in zip(seen, seen[1:])) > 1)
  >
  > # Readers of events beyond those that there may be; those before have ended as soon as the server has seen it.
  > for _ in range(60):
  >     readers = []
  >     for i in range(30):
  >         c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
  >         c.request("GET", "/events")
  >         readers.append(c.getresponse())
  >     if [r.status for r in readers].count(200) == 24:
  >         break
  >     for r in readers:
  >         r.close()
  >     time.sleep(1)
  > print("30 readers:", [r.status for r in readers].count(200), readers[-1].status, readers[-1].getheader("Retry-After"))
  > print("beside them:", ask("GET", "/")[0].status)
  > live.terminate()
  > print("at the end:", live.wait(100), repr(live.stderr.read()), readers[0].read()[-2:])
  > PY
  / 200 text/html; charset=utf-8 200 0 True
  /metrics 200 text/plain; version=0.0.4; charset=utf-8 200 0 True
  /metrics True
  /events text/event-stream; charset=utf-8
  /favicon.ico 404
  /../etc/passwd 404
  /metrics/ 404
  /%2e%2e/ 404
  POST 405 GET, HEAD
  PUT 405 GET, HEAD
  DELETE 405 GET, HEAD
  OPTIONS 405 GET, HEAD
  TRACE 405 GET, HEAD
  FOO 405 GET, HEAD
  Host: localhost 200
  Host: 127.0.0.1:1 200
  Host: the machine 200
  Host: evil.example 403
  Host: localhost.evil.example 403
  Host: 10.0.0.1:80 403
  Host: [::1] 403
  no Host: HTTP/1.1 400 Bad Request HTTP/1.1 400 Bad Request
  two Hosts: HTTP/1.1 400 Bad Request
  another's address: HTTP/1.1 404 Not Found
  a long header: True
  many headers: True
  a long path: True
  no HTTP: True
  the page: True True True True
  the state in it: ['0', '1', '2', '3', '4', '5', '6', '7'] [0, 1, 2, 3, 4, 5, 6, 7]
  3 events: 3 True
  beside 200 silent ones: 200 True
  beside 60 slow ones: True
  200 silent ones: 200
  one that did not read: True True
  30 readers: 24 503 5
  beside them: 200
  at the end: 0 '' b'\n\n'

listen says how it is
# /healthz is well while GPUs are sampled only; counters count up; another name is answered where it is allowed
  $ SMI_FAKE_GPUS=2 SMI_FAKE_DO=hang:5 python3 -SE - <<'PY'
  > import http.client, re, subprocess, time
  >
  > live = subprocess.Popen(["smilog", "live", "--demo", "-q", "-i", "0.2", "--listen", "0", "--allow-host", "gpus.example.org,proxy"],
  >                         stderr=subprocess.PIPE, text=True)
  > port = int(re.search(r":(\d+)/", live.stderr.readline())[1])
  >
  >
  > def get(path, host="localhost"):
  >     c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
  >     c.request("GET", path, headers={"Host": host})
  >     r = c.getresponse()
  >     return r.status, r.read().decode()
  >
  >
  > def wait(status):
  >     end = time.monotonic() + 60
  >     while get("/healthz")[0] != status and time.monotonic() < end:
  >         time.sleep(0.05)
  >     return get("/healthz")
  >
  >
  > def values(name):
  >     return [float(line.split()[-1]) for line in get("/metrics")[1].splitlines() if line.startswith(name)]
  >
  >
  > print(wait(200))
  > print([get("/", host)[0] for host in ("gpus.example.org", "GPUS.example.org:9400", "proxy", "example.org", "evil")])
  > before = values("smilog_gpu_energy_joules_total"), values("smilog_gpu_idle_seconds_total")
  > time.sleep(1)
  > after = values("smilog_gpu_energy_joules_total"), values("smilog_gpu_idle_seconds_total")
  > print(all(50 < b - a < 2000 for a, b in zip(before[0], after[0])), before[1] == after[1], len(after[0]))
  > print(len(values("smilog_build_info{")), all(v < 2 for v in values("smilog_gpu_sample_age_seconds")))
  > print(wait(503))
  > print(all(v >= 3 for v in values("smilog_gpu_sample_age_seconds")), len(values("smilog_gpu_sample_age_seconds")))
  > live.terminate()
  > live.wait(10)
  > PY
  (200, 'samples of 2 of 2 GPUs come\n')
  [200, 200, 200, 403, 403]
  True True 2
  1 True
  (503, 'samples of 0 of 2 GPUs come\n')
  True 2
  $ smilog live --allow-host x --once; echo $?
  2
  2> smilog: --names is for --textfile and --listen, --allow-host for --listen, these for a live that goes on
  2> try: smilog help live

listen says what it cannot
# An address that cannot be one is refused before anything is recorded.
  $ d=$(mktemp -d) || exit
  > try() { smilog live --demo -q --for 1 -o "$d/run" --listen "$@" 2>&1; echo "${PIPESTATUS[0]} $(ls "$d")"; }
  $ try node7:9400
  smilog: --listen needs an address in numbers, not "node7"
  try: smilog help live
  2\x20 (esc)
  $ try :9400
  smilog: --listen :9400: 9400 is for this machine only, 0.0.0.0:9400 for all
  try: smilog help live
  2\x20 (esc)
  $ try 70000
  smilog: --listen needs [ADDRESS:]PORT, such as 9400 or [::1]:9400, not "70000"
  try: smilog help live
  2\x20 (esc)
  $ smilog live --demo --once --listen 0; echo $?
  2
  2> smilog: --names is for --textfile and --listen, --allow-host for --listen, these for a live that goes on
  2> try: smilog help live
  $ smilog live --demo --names=dcgm; echo $?
  2
  2> smilog: --names is for --textfile and --listen, --allow-host for --listen, these for a live that goes on
  2> try: smilog help live
  $ smilog live --demo --names=nvidia --listen 0; echo $?
  2
  2> smilog: --names is one of smilog|dcgm, not "nvidia"
  2> try: smilog help live
  $ smilog live --demo -q --for 1 --listen 0.0.0.0:0 2>&1 | sed 's/:[0-9][0-9]*/:PORT/'
  smilog: http://0.0.0.0:PORT/
  smilog: anybody who can reach 0.0.0.0:PORT can read this
  $ rm -r "$d"

textfile is what prometheus reads
  $ d=$(mktemp -d) || exit
  $ SMI_FAKE_GPUS=1 smilog live --demo -q -i 0.2 --textfile "$d/smilog.prom" &
  > for i in $(seq 200); do grep -qs fb_total "$d/smilog.prom" && break; sleep 0.1; done # the first may be from before the first reading
  > sed -E 's/host="[^"]*"/host="HOST"/; s/ [0-9.]+$/ N/' "$d/smilog.prom" | grep -E 'gpu_util|fb_total|cpu_usr|monitor_up|timestamp'
  > python3 -SE - "$d/smilog.prom" <<'EOF'
  > import re, sys
  > head, names = {}, []
  > for line in open(sys.argv[1]):
  >     if line.startswith("# "):
  >         _, what, name, rest = line.rstrip("\n").split(" ", 3)
  >         head.setdefault(name, []).append(what)
  >     else:
  >         m = re.fullmatch(r'([a-z_0-9]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.]+\n', line)
  >         names.append(m[1])
  > print(set(map(tuple, head.values())), set(names) <= set(head), len(names) == len(names) and "smilog_alert" in head)
  > EOF
  > kill $!; wait $!; echo $?; ls -A "$d"; rmdir "$d"
  # HELP smilog_gpu_util_ratio Share of the last sample period in which at least one kernel was running
  # TYPE smilog_gpu_util_ratio gauge
  smilog_gpu_util_ratio{gpu="0",uuid="GPU-12cbe5fd-d3a0-98de-762b-131403eac53e",name="NVIDIA H100 80GB HBM3",host="HOST"} N
  # HELP smilog_fb_total_bytes Device memory installed
  # TYPE smilog_fb_total_bytes gauge
  smilog_fb_total_bytes{gpu="0",uuid="GPU-12cbe5fd-d3a0-98de-762b-131403eac53e",name="NVIDIA H100 80GB HBM3",host="HOST"} N
  # HELP smilog_cpu_usr_ratio CPU time of user programs, nice included, over all CPUs
  # TYPE smilog_cpu_usr_ratio gauge
  smilog_cpu_usr_ratio{host="HOST"} N
  # HELP smilog_monitor_up 1 while rows come from the monitor
  # TYPE smilog_monitor_up gauge
  smilog_monitor_up{host="HOST",monitor="query"} N
  smilog_monitor_up{host="HOST",monitor="dmon"} N
  smilog_monitor_up{host="HOST",monitor="cpu"} N
  # HELP smilog_export_timestamp_seconds When this was written, in seconds since N
  # TYPE smilog_export_timestamp_seconds gauge
  smilog_export_timestamp_seconds{host="HOST"} N
  {('HELP', 'TYPE')} True True
  0

what stalls has no series
# Both monitors hang once: their series are gone meanwhile, the machine's are not; they come back with the monitors.
  $ d=$(mktemp -d) || exit
  $ SMI_FAKE_GPUS=2 SMI_FAKE_DO=hang:5:2 SMI_FAKE_STATE=$d/state python3 -SE - <<'PY'
  > import http.client, re, subprocess, time
  >
  > live = subprocess.Popen(["smilog", "live", "--demo", "-q", "-i", "0.2", "--listen", "0", "--names=dcgm"],
  >                         stderr=subprocess.PIPE, text=True)
  > port = int(re.search(r":(\d+)/", live.stderr.readline())[1])
  >
  >
  > def series():
  >     c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
  >     c.request("GET", "/metrics")
  >     return [line for line in c.getresponse().read().decode().splitlines() if not line.startswith("#")]
  >
  >
  > def wait(good):
  >     end = time.monotonic() + 60
  >     while time.monotonic() < end:
  >         s = series()
  >         if good(s):
  >             return s
  >         time.sleep(0.05)
  >     return ["never"]
  >
  >
  > def gpus(s):
  >     return sorted({x.split("{")[0] for x in s if 'gpu="' in x and not x.startswith(("smilog_alert", "smilog_gpu_lost", "smilog_gpu_sample", "smilog_gpu_energy_joules", "smilog_gpu_idle_s"))})
  >
  >
  > def value(s, start):
  >     return [float(x.split()[-1]) for x in s if x.startswith(start)]
  >
  >
  > def whole(s):
  >     """Of both monitors: the query alone tells the first of these, dmon the second."""
  >     return {"DCGM_FI_DEV_FB_TOTAL", "smilog_pcie_rx_bytes_per_second"} <= set(gpus(s)) and value(s, "smilog_monitor_up") == [1, 1, 1]
  >
  >
  > print(whole(wait(whole)))
  > s = wait(lambda s: not gpus(s))
  > print(gpus(s), any(x.startswith("smilog_cpu_usr_ratio") for x in s))
  > s = wait(lambda s: value(s, 'smilog_monitor_up{host')[:2] == [0, 0])
  > print(value(s, 'smilog_monitor_up')[2])
  > s = wait(whole)
  > print(whole(s), value(s, 'smilog_monitor_restarts_total')[:2])
  > live.terminate()
  > live.wait(10)
  > PY
  True
  [] True
  1.0
  True [1.0, 1.0]
  $ rm -r "$d"
