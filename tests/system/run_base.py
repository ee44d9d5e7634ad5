"""What the parts of run_check.py share: a home for each run, and what is checked."""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
SECONDS = int(os.environ.get("SECONDS", "60"))
TIMES = int(os.environ.get("TIMES", "100"))
PYTHON = "/usr/bin/python3"
MIB = 1 << 20
FOREIGN = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "SLURM_STEP_GPUS", "SLURM_JOB_GPUS",
           "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
counts = {True: 0, False: 0}


def check(what, good, told=""):
    counts[bool(good)] += 1
    print(f"{'ok    ' if good else 'FAILED'} {what} {told}", flush=True)
    return good


def near(what, ours, truth, part=0.02, least=0):
    check(what, ours is not None and abs(ours - truth) <= max(part * abs(truth), least), f"{ours} of {truth}")


def told(what):
    print("       " + what, flush=True)


class Home:
    """A directory of its own, with a nvidia-smi where there is to be one."""

    def __init__(self, gpus=0, **env):
        self.dir = tempfile.mkdtemp(prefix="run_check.")
        self.env = {k: v for k, v in os.environ.items() if k not in FOREIGN and not k.startswith("SMI_FAKE")}
        self.env.update(LC_ALL="C.UTF-8", TZ="UTC", SMI_FAKE_GPUS=str(gpus), **env)
        os.mkdir(self.dir + "/bin")
        self.env["PATH"] = self.dir + "/bin:" + self.env["PATH"]
        if gpus:
            os.symlink(HERE + "/../fake/nvidia-smi", self.dir + "/bin/nvidia-smi")

    def path(self, name):
        return self.dir + "/" + name

    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as f:
            return f.read()

    def start(self, *words, **more):
        return subprocess.Popen([SMILOG, "run", *words], cwd=self.dir, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *words, **more):
        p = self.start(*words, **more)
        out, err = p.communicate()
        return p.returncode, out.decode(), err.decode()

    def summary(self, name):
        p = subprocess.run([SMILOG, "summarize", "-q", "--json", name], cwd=self.dir, env=self.env, text=True,
                           capture_output=True, check=False)
        return json.loads(p.stdout)["runs"][0] if p.returncode in (0, 1) and p.stdout else {}

    def gone(self):
        shutil.rmtree(self.dir, ignore_errors=True)


def processes(word):
    """Pids whose command line has it."""
    found = []
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(name, "rb") as f:
                if word.encode() in f.read():
                    found.append(int(name.split("/")[2]))
        except OSError:
            pass
    return [p for p in found if p != os.getpid()]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(what, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


def has_text(path):
    return os.path.exists(path) and os.path.getsize(path) > 0

# ---- loads; the word behind the seconds is the stream to which churn says what it did ----

CHURN = """
import os, resource, sys, time
begin, n = time.monotonic(), 0
end = begin + float(sys.argv[1])
while time.monotonic() < end:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    n += 1
    ahead = begin + n / 1000 - time.monotonic()
    if ahead > 0:
        time.sleep(ahead)
u = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(n, sum(x.ru_utime + x.ru_stime for x in u), file=getattr(sys, sys.argv[2]))
"""
BOMB = "import os, sys, time\nend = time.monotonic() + float(sys.argv[1])\n" \
       "while time.monotonic() < end:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(5)\n"
