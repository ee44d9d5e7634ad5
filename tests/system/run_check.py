"""smilog run as a whole, against loads of which the truth is known, against psutil, and against all that may go wrong.

    make && /usr/bin/python3 -B tests/system/run_check.py [PART...]

Parts: figures forms statuses pipe terminal churn bomb steady beside oom namespaces hidepid gpus amd killed. Needs
python3-psutil; bomb, oom, namespaces and hidepid need root. What it costs is printed, and not judged, for the machine
may be busy. Ends with "N passed, M failed". SECONDS: how long churn, steady and beside last (60); TIMES: how often each
is killed (100); BOMB: how many processes that may have (1000)."""
import hashlib
import signal
import subprocess
import sys
import threading

from run_base import HERE, MIB, PYTHON, SMILOG, check, counts, Home
from run_costs import beside, bomb, churn, steady
from run_figures import figures, forms
from run_gpus import amd, gpus
from run_killed import killed
from run_limits import hidepid, namespaces, oom


# ---- statuses, streams, terminals ----


def statuses():
    h = Home()
    with open(h.path("text"), "w", encoding="utf-8") as f:
        f.write("no program\n")
    for words, status in ((("true",), 0), (("false",), 1), (("sh", "-c", "exit 42"), 42), (("./text",), 126),
                          (("no-such-command",), 127), (("sh", "-c", "kill -SEGV $$"), -signal.SIGSEGV),
                          (("sh", "-c", "kill -KILL $$"), -signal.SIGKILL)):
        before = h.run("-q", "--", *words)[0]
        shell = subprocess.run(["sh", "-c", '"$0" run -q -- "$@"; echo $?', SMILOG, *words], cwd=h.dir, env=h.env,
                               capture_output=True, text=True, check=False).stdout.strip()
        check(f"status of {' '.join(words)}", before == status and
              shell == str(status if status >= 0 else 128 - status), (before, shell))
    h.gone()


def pipe():
    """1 GiB through cat."""
    h = Home()
    feed = "import os\nblock = os.urandom(1 << 20)\n" \
           "for i in range(1024):\n    os.write(1, i.to_bytes(4, 'big') + block[4:])\n"
    sums = []

    def count(stream, to):
        s, n = hashlib.md5(), 0
        for data in iter(lambda: stream.read(MIB), b""):
            s.update(data)
            n += len(data)
            if to:
                to.write(data)
        if to:
            to.close()
        sums.append((n, s.hexdigest()))

    source = subprocess.Popen([PYTHON, "-c", feed], stdout=subprocess.PIPE)
    sink = subprocess.Popen([SMILOG, "run", "-q", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=h.env)
    t = threading.Thread(target=count, args=(source.stdout, sink.stdin))
    t.start()
    count(sink.stdout, None)
    t.join()
    source.wait()
    check("pipe: 1 GiB as it was", sink.wait() == 0 and sums[0] == sums[1] and sums[0][0] == 1 << 30, sums)
    h.gone()


def terminal():
    p = subprocess.run([PYTHON, "-B", HERE + "/job_check.py", SMILOG, "run", "-q", "--"], capture_output=True,
                       text=True, check=False)
    check("terminal", p.returncode == 0, p.stdout.strip())


PARTS_OF_ALL = (figures, forms, statuses, pipe, terminal, churn, bomb, steady, beside, oom, namespaces, hidepid, gpus,
                amd, killed)


def main():
    names = sys.argv[1:] or [p.__name__ for p in PARTS_OF_ALL]
    for p in PARTS_OF_ALL:
        if p.__name__ in names:
            p()
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


if __name__ == "__main__":
    sys.exit(main())
