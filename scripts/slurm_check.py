#!/usr/bin/env python3
"""scripts/slurm/ as it is on a real Slurm cluster of one machine with GPUs, made for it in a folder of its own and ended with
it: an array of tasks, each recorded by smilog run on the fake nvidia-smi. Some tasks are requeued, and once the node fails
with all that runs on it. The epilog's line stands in the output of every task and the epilog took no longer than two
seconds; every attempt has a directory; the merge step's summary is that of all directories, byte for byte. Prolog and
epilog record every job: the ledger has a row of each, and its comment is the line of what it used.

  SMILOG=build/smilog scripts/slurm_check.py [--tasks N] [--cpus N] [--seconds S] [--requeue N] [--folder DIR]

Without --tasks the array has the size that array.sbatch says.

Wants slurmctld, slurmd and munge (Debian: slurm-wlm munge), and root: the daemons are started by hand, without systemd or
control groups. Status 77 where they are not there."""
import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SMILOG = os.path.abspath(os.environ.get("SMILOG", "build/smilog"))
DAEMONS = ("munged", "slurmctld", "slurmd")

CONF = """ClusterName=check
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port1}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=1
MailProg=/bin/true
MinJobAge=7200
TaskEpilog={dir}/task_epilog.sh
Prolog={dir}/prolog.sh
Epilog={dir}/epilog.sh
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 Gres=gpu:{cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""

EPILOG = """#!/bin/sh
# Times the real one, in the environment that it may have: none.
begin=$(/bin/date +%s%N)
/usr/bin/env -i SMILOG={smilog} SMILOG_OUT={out} SLURM_JOB_ID="$SLURM_JOB_ID" \\
    SLURM_ARRAY_JOB_ID="$SLURM_ARRAY_JOB_ID" SLURM_ARRAY_TASK_ID="$SLURM_ARRAY_TASK_ID" \\
    {here}/slurm/task_epilog.sh >/dev/null
status=$?
echo "$status $(($(/bin/date +%s%N) - begin))" >>{dir}/epilogs
"""

SITE = """#!/bin/sh
# The real one, with what /etc/default/smilog would say.
exec /usr/bin/env PATH={dir}/bin:/usr/bin:/bin SMILOG={smilog} SMILOG_RECORDS={dir}/records SMILOG_LEDGER={dir}/ledger \\
    SMILOG_GPUS=all SMILOG_INTERVAL=1 SMILOG_COMMENT=yes SMI_FAKE_GPUS=2 SMI_FAKE_SPEED=20 {here}/slurm/{name}.sh
"""


class Cluster:
    """munged, slurmctld and slurmd, as children of this process."""

    def __init__(self, folder, cpus):
        self.dir, self.child = folder, []
        for name in ("state", "spool", "jobs", "bin"):
            (folder / name).mkdir()
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        host = socket.gethostname().split(".")[0]
        (folder / "slurm.conf").write_text(CONF.format(dir=folder, host=host, port=port, port1=port + 1, cpus=cpus))
        for i in range(cpus):
            (folder / f"gpu{i}").touch()
        (folder / "gres.conf").write_text(f"AutoDetect=off\nName=gpu File={folder}/gpu[0-{cpus - 1}]\n")
        (folder / "cgroup.conf").write_text("CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n")
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        self.host = host
        self.env = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))

    def start(self, name, *args):
        log = open(self.dir / f"{name}.out", "wb")
        path = shutil.which(name, path="/usr/sbin:/usr/bin:/sbin")
        self.child.append(subprocess.Popen([path, *args], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def up(self):
        d = self.dir
        self.start("munged", "--foreground", "--force", f"--key-file={d}/munge.key", f"--socket={d}/munge.socket",
                   f"--pid-file={d}/munged.pid", f"--seed-file={d}/munge.seed", f"--log-file={d}/munged.log")
        wait_for(lambda: (d / "munge.socket").exists(), "munged", 30)
        self.start("slurmctld", "-D", "-c", "-f", str(d / "slurm.conf"))
        self.start("slurmd", "-D", "-f", str(d / "slurm.conf"))
        wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%t", check=False), "the node to be idle", 90)

    def run(self, *args, check=True):
        p = subprocess.run(args, env=self.env, capture_output=True, text=True, check=False, cwd=self.dir / "jobs")
        if check and p.returncode:
            sys.exit(f"{args[0]}: {p.stderr}")
        return p.stdout

    def down(self):
        for p in reversed(self.child):
            p.send_signal(signal.SIGTERM)
        for p in reversed(self.child):
            try:
                p.wait(20)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
        subprocess.run(["pkill", "-f", f"{self.dir}/(records|bin)/"], check=False)  # of jobs without an epilog


def wait_for(there, what, seconds):
    until = time.monotonic() + seconds
    while not there():
        if time.monotonic() > until:
            raise RuntimeError(f"waited {seconds} s for {what}")
        time.sleep(0.3)


def running(cluster):
    """Tasks that smilog records now, as JOB_TASK."""
    tasks = cluster.run("squeue", "-h", "-r", "-t", "R", "-o", "%i").split()
    return [t for t in tasks if any(cluster.dir.glob(f"out/{t}*/hw_metrics.csv"))]


def disturb(cluster, requeue):
    """Requeues so many tasks, each once, then lets the node fail with what runs on it. Returns the number of attempts
    that were ended so."""
    done = set()
    while len(done) < requeue:
        wait_for(lambda: set(running(cluster)) - done, "a task to requeue", 60)
        task = min(set(running(cluster)) - done)
        cluster.run("scontrol", "requeue", task)
        done.add(task)
    if requeue:
        wait_for(lambda: running(cluster), "a task on the node", 60)
        cluster.run("scontrol", "update", f"NodeName={cluster.host}", "State=DOWN", "Reason=check")
        wait_for(lambda: not running(cluster), "the node to be empty", 60)
        # A node on which a job still begins or ends is drained when the job comes again: no machine is back so soon.
        time.sleep(3)
        busy = ["pgrep", "-f", f"^slurmstepd|{cluster.dir}/(pro|epi)log.sh"]
        wait_for(lambda: subprocess.run(busy, stdout=subprocess.DEVNULL, check=False).returncode, "the steps to end", 60)
        cluster.run("scontrol", "update", f"NodeName={cluster.host}", "State=RESUME", check=False)  # it may be back


def send(cluster, tasks, seconds, requeue):
    """The array, then the merge step; waits until all is over."""
    env = f"SMILOG={SMILOG},SMILOG_OUT={cluster.dir}/out,SMILOG_COMMAND=sleep {seconds},PATH={cluster.dir}/bin:/usr/bin:/bin"
    env += ",SMI_FAKE_GPUS=2,SMI_FAKE_SPEED=20"
    size = [f"--array=1-{tasks}"] if tasks else []
    array = cluster.run("sbatch", "--parsable", *size, f"--export={env}", str(HERE / "slurm/array.sbatch")).strip()
    merge = cluster.run("sbatch", "--parsable", f"--dependency=afterany:{array}", f"--export={env}",
                        str(HERE / "slurm/merge.sbatch")).strip()
    disturb(cluster, requeue)
    wait_for(lambda: not cluster.run("squeue", "-h").strip(), "all jobs to be over", 120 + (tasks or 100) * (seconds + 3))
    return array, merge


def judge_ledger(d, tasks, requeue):
    """Every attempt of a task that an epilog ended, the merge step, and no record left but of those that none did."""
    rows = [json.loads(line) for p in (d / "ledger").iterdir() for line in p.read_text().splitlines()]
    jobs = {row["job"] for row in rows}
    lost = [p for p in (d / "records").iterdir() if p.suffix == ".pid"]
    if len(jobs) < tasks or len(rows) < tasks + requeue - len(lost) or any(
            row["user"] != "root" or row["partition"] != "all" or not row["node"] for row in rows):
        sys.exit(f"the ledger has {len(rows)} rows of {len(jobs)} jobs: {d}")
    table = subprocess.run([SMILOG, "merge", "-q", "--format", "jsonl", "--group-by", "user", str(d / "ledger")],
                           capture_output=True, check=True).stdout
    if json.loads(table)["jobs"] != len(jobs):
        sys.exit(f"merge counts other jobs than {len(jobs)}: {table}")
    print(f"the ledger has {len(rows)} rows of {len(jobs)} jobs, at most {max(len(json.dumps(r)) for r in rows)} bytes each; "
          f"{len(lost)} records without an epilog")


def judge_comments(cluster, tasks, array):
    """Those of the tasks, as slurmctld still has them."""
    shown = cluster.run("scontrol", "show", "job", array)
    lines = re.findall(r'^ *Comment=(\{"v":1,"ngpu":2,.*\})', shown, re.M)
    if len(lines) < tasks:
        sys.exit(f"{len(lines)} comments of {tasks} tasks: {shown[:1500]}")
    print(f"{len(lines)} of {tasks} tasks have their line as a comment")


def judge(cluster, tasks, requeue, array, merge):
    d = cluster.dir
    line = re.compile(r'\{"v":1,"ngpu":2,"gpu_util":[0-9.]+,"gpu_mem_max":\d+,"gpu_power":[0-9.]+,.*"state":"ok".*\}')
    bad = []
    for i in range(1, tasks + 1):
        text = (d / f"jobs/slurm-{array}_{i}.out").read_text()
        last = text.splitlines()[-1] if text else ""
        if not line.fullmatch(last) or len(last) > 240 or json.loads(last)["v"] != 1:
            bad.append(f"task {i}: {text!r}")
    if bad:
        sys.exit(f"{len(bad)} of {tasks} tasks without their line: {bad[0]}")
    took = [tuple(map(int, row.split())) for row in (d / "epilogs").read_text().splitlines()]
    took = [ns / 1e9 for status, ns in took if status == 0]
    if len(took) < tasks:
        sys.exit(f"only {len(took)} epilogs ended with 0")
    attempts = [p for p in (d / "out").iterdir() if p.is_dir()]
    again = [p for p in attempts if "." in p.name]
    if len({p.name.split(".")[0] for p in attempts}) != tasks or len(again) < requeue:
        sys.exit(f"{len(attempts)} attempts, {len(again)} of them requeued, of {tasks} tasks and {requeue} requeues: {d}")
    whole = subprocess.run([SMILOG, "summarize", "-q", "--json", str(d / "out")], capture_output=True, check=True).stdout
    merged = (d / "out/sweep.summary.json").read_bytes()
    if whole != merged or len(json.loads(whole)["runs"]) != len(attempts):
        sys.exit(f"the merge step's summary is not that of all directories: {d}")
    if f"{len(attempts)} runs" not in (d / f"jobs/slurm-{merge}.out").read_text():
        sys.exit("the merge step printed no table")
    judge_ledger(d, tasks, requeue)
    judge_comments(cluster, tasks, array)
    size = sum(p.stat().st_size for p in (d / "out").glob("*.partial")) / tasks
    print(f"{tasks} tasks, {len(again)} attempts more after a requeue or the failure of the node: each has the epilog's line, in at most {max(took):.2f} s; the merged summary is that of all "
          f"directories, {len(merged)} bytes; {size / 1000:.1f} kB a partial summary")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tasks", type=int, default=0)
    p.add_argument("--requeue", type=int, default=10, help="tasks that are requeued")
    p.add_argument("--cpus", type=int, default=8, help="tasks at once")
    p.add_argument("--seconds", type=int, default=3, help="that each task works")
    p.add_argument("--folder", help="kept; else one that is removed")
    args = p.parse_args()
    if os.geteuid() or not all(shutil.which(n, path="/usr/sbin:/usr/bin:/sbin") for n in DAEMONS):
        print("slurm_check: skipped: needs root, slurmctld, slurmd and munged")
        sys.exit(77)
    folder = Path(args.folder or tempfile.mkdtemp(prefix="smilog-slurm-")).resolve()
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    cluster = Cluster(folder, args.cpus)
    (folder / "bin/nvidia-smi").symlink_to(HERE / "fake-nvidia-smi")
    (folder / "task_epilog.sh").write_text(EPILOG.format(smilog=SMILOG, out=folder / "out", dir=folder, here=HERE))
    for name in ("prolog", "epilog"):
        (folder / f"{name}.sh").write_text(SITE.format(smilog=SMILOG, dir=folder, here=HERE, name=name))
    for path in folder.glob("*.sh"):
        path.chmod(0o755)
    try:
        cluster.up()
        array, merge = send(cluster, args.tasks, args.seconds, args.requeue)
        tasks = args.tasks or int(re.search(r"--array=1-(\d+)", (HERE / "slurm/array.sbatch").read_text())[1])
        judge(cluster, tasks, args.requeue, array, merge)
    finally:
        cluster.down()
    if not args.folder:
        shutil.rmtree(folder)


main()
