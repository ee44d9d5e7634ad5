#!/usr/bin/env python3
"""scripts/slurm/ as it is on a real Slurm cluster of two nodes with GPUs on this machine, made for it in a folder of its own and
ended with it: an array of tasks, each recorded by smilog run on the fake nvidia-smi. Some tasks are requeued, and once a node
is set DOWN, which kills what runs on it. Another job's node crashes twice: slurmd, job and recorder get SIGKILL, and no epilog runs; the
ledger has all three attempts. The epilog's line stands in the output of every task and the epilog took no longer than two
seconds; every attempt has a directory; the merge step's summary is that of all directories, byte for byte. Prolog and
epilog record every job: the ledger has a row of each, and the accounting database the line of what it used. The job of
two nodes that docs/clusters.md shows is one run with the GPUs of both, and one job of the ledger.

  SMILOG=build/smilog tests/system/slurm_check.py [--tasks N] [--cpus N] [--seconds S] [--requeue N] [--folder DIR]

Without --tasks the array has the size that array.sbatch says.

Wants Debian's slurm-wlm, munge, slurmdbd and mariadb-server, and root: the daemons are started by hand, without systemd or
control groups. Status 77 where they are not there."""
import argparse
import datetime
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib import ROOT, SMILOG, skip, smilog, wait

DAEMONS = ("munged", "mariadbd", "slurmdbd", "slurmctld", "slurmd")
NODES = ("n1", "n2")

CONF = """ClusterName=check
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool.%n
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.%n.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port1}
AccountingStoragePass={dir}/munge.socket
AccountingStoreFlags=job_comment
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=1
MailProg=/bin/true
MinJobAge=7200
TaskEpilog={dir}/task_epilog.sh
PrologFlags=Alloc
Prolog={dir}/prolog.sh
Epilog={dir}/epilog.sh
GresTypes=gpu
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={port2} CPUs={cpus} RealMemory=1000 Gres=gpu:{cpus} State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={port3} CPUs={cpus} RealMemory=1000 Gres=gpu:{cpus} State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""

DBD = """AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
DbdHost=localhost
DbdPort={port1}
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={port4}
StorageUser=root
LogFile={dir}/slurmdbd.log
PidFile={dir}/slurmdbd.pid
"""

GPUS = """#!/bin/sh
# Each node has other GPUs.
SMI_FAKE_GPUS={cpus} SMI_FAKE_SPEED=20 SMI_FAKE_SEED=${{SLURMD_NODENAME#n}} exec {here}/tests/fake/nvidia-smi "$@"
"""

EPILOG = """#!/bin/sh
# Times the real one, in the environment that it may have: none.
begin=$(/bin/date +%s%N)
/usr/bin/env -i SMILOG={smilog} SMILOG_OUT={out} SLURM_JOB_ID="$SLURM_JOB_ID" \\
    SLURM_ARRAY_JOB_ID="$SLURM_ARRAY_JOB_ID" SLURM_ARRAY_TASK_ID="$SLURM_ARRAY_TASK_ID" \\
    {here}/scripts/slurm/task_epilog.sh >/dev/null
status=$?
echo "$status $(($(/bin/date +%s%N) - begin))" >>{dir}/epilogs
"""

SITE = """#!/bin/sh
# The real one, with what /etc/default/smilog would say.
echo "$(/bin/date +%s.%N) $SLURM_JOB_ID $SLURM_JOB_GPUS" >>{dir}/{name}.jobs
exec /usr/bin/env PATH={dir}/bin:/usr/bin:/bin SMILOG={smilog} SMILOG_RECORDS={dir}/records.$SLURMD_NODENAME \\
    SMILOG_LEDGER={dir}/ledger SMILOG_INTERVAL=1 SMILOG_COMMENT=yes {here}/scripts/slurm/{name}.sh
"""


class Cluster:
    """munged, slurmdbd with its database, slurmctld and a slurmd for each node, as children of this process."""

    def __init__(self, folder, cpus):
        self.dir, self.child = folder, []
        for name in ("state", "jobs", "bin", "db"):
            (folder / name).mkdir()
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        host = socket.gethostname().split(".")[0]
        words = {"dir": folder, "host": host, "cpus": cpus, "here": ROOT, "smilog": SMILOG, "out": folder / "out",
                 "port": port, **{f"port{i}": port + i for i in range(1, 5)}}
        scripts = {"task_epilog.sh": EPILOG, "prolog.sh": SITE.replace("{name}", "prolog"),
                   "epilog.sh": SITE.replace("{name}", "epilog"), "bin/nvidia-smi": GPUS}
        for name, text in {"slurm.conf": CONF, "slurmdbd.conf": DBD, **scripts}.items():
            (folder / name).write_text(text.format(**words))
            (folder / name).chmod(0o755 if name in scripts else 0o600)
        (folder / "bin/smilog").symlink_to(SMILOG)
        for i in range(cpus):
            os.mknod(folder / f"gpu{i}", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        (folder / "gres.conf").write_text(f"AutoDetect=off\nName=gpu File={folder}/gpu[0-{cpus - 1}]\n")
        (folder / "cgroup.conf").write_text("CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n")
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        self.port = port
        self.env = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))

    def start(self, name, *args):
        log = open(self.dir / f"{name}.out", "ab")
        path = shutil.which(name, path="/usr/sbin:/usr/bin:/sbin")
        self.child.append(subprocess.Popen([path, *args], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return self.child[-1]

    def listens(self, port):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", port)) == 0

    def up(self):
        d = self.dir
        self.start("munged", "--foreground", "--force", f"--key-file={d}/munge.key", f"--socket={d}/munge.socket",
                   f"--pid-file={d}/munged.pid", f"--seed-file={d}/munge.seed", f"--log-file={d}/munged.log")
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={d}/db", "--user=root"], check=True,
                       capture_output=True)
        self.start("mariadbd", "--no-defaults", f"--datadir={d}/db", "--user=root", f"--socket={d}/db.socket",
                   "--skip-grant-tables", f"--port={self.port + 4}", "--bind-address=127.0.0.1")
        wait_for(lambda: (d / "munge.socket").exists() and self.listens(self.port + 4), "munged and mariadbd", 60)
        self.start("slurmdbd", "-D")
        wait_for(lambda: self.listens(self.port + 1), "slurmdbd", 60)
        self.run("sacctmgr", "-i", "add", "cluster", "check")
        self.start("slurmctld", "-D", "-c", "-f", str(d / "slurm.conf"))
        self.slurmd = {node: self.start_node(node) for node in NODES}
        wait_for(lambda: self.run("sinfo", "-h", "-N", "-o", "%t", check=False).split() == ["idle"] * len(NODES),
                 "the nodes to be idle", 90)

    def start_node(self, node):
        return self.start("slurmd", "-D", "-N", node, "-f", str(self.dir / "slurm.conf"))

    def crash_node(self, node, job):
        """SIGKILL for slurmd and for all processes of the job, its recorder among them. The node comes back."""
        self.slurmd[node].kill()
        self.slurmd[node].wait()
        for p in Path("/proc").glob("[0-9]*"):
            try:
                mine = f"SLURM_JOB_ID={job}".encode() in (p / "environ").read_bytes().split(b"\0")
                if (mine and str(self.dir).encode() in (p / "environ").read_bytes()) or (
                        (p / "cmdline").read_bytes().startswith(f"slurmstepd: [{job}.".encode())):
                    os.kill(int(p.name), signal.SIGKILL)
            except OSError:
                continue  # it has ended
        self.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=crash")
        wait_for(lambda: self.run("squeue", "-h", "-j", job, "-o", "%t").strip() == "PD", "the job to be queued again", 60)
        self.slurmd[node] = self.start_node(node)
        # slurmd may run the epilog now, or never. A node that is back in a second, as this one, must not begin the job before that.
        until = time.monotonic() + 5
        while list(self.dir.glob(f"records.{node}/{job}*")) and time.monotonic() < until:
            time.sleep(0.2)
        time.sleep(3)  # no machine is back so soon, and Slurm takes the attempt before for the next one
        self.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)  # it may be back
        self.run("scontrol", "update", f"JobId={job}", "StartTime=now")  # else in two minutes

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
        subprocess.run(["pkill", "-f", f"{self.dir}/(records|bin)"], check=False)  # of jobs without an epilog


def wait_for(there, what, seconds):
    if not wait(there, seconds, 0.3):
        raise RuntimeError(f"waited {seconds} s for {what}")


def attempts_of(d, job):
    """When each attempt of a job began, and the GPUs that Slurm named to its prolog. After the failure of a node Slurm 22.05 may name
    none, or run no prolog, for a job that comes again ("reissued job credential"): then nothing is recorded."""
    begun = [datetime.datetime.fromisoformat(t).timestamp()
             for t in re.findall(rf"^\[(\S+)\] sched.*: (?:Allocate|Started) JobId=(?:\S+\()?{job}\)? ",
                                 (d / "slurmctld.log").read_text(), re.M)]
    told = [line.split(" ") for line in (d / "prolog.jobs").read_text().splitlines()]
    return [(a, "".join(gpus for t, number, gpus in told if number == job and a <= float(t) < b))
            for a, b in zip(begun, [*begun[1:], float("inf")])]


def running(cluster, *on):
    """Tasks that smilog records now, as JOB_TASK."""
    tasks = cluster.run("squeue", "-h", "-r", "-t", "R", "-o", "%i", *on).split()
    return [t for t in tasks if any(cluster.dir.glob(f"out/{t}*/hw_metrics.csv"))]


def disturb(cluster, requeue):
    """Requeues so many tasks, each once, then lets a node fail with what runs on it."""
    done = set()
    while len(done) < requeue:
        wait_for(lambda: set(running(cluster)) - done, "a task to requeue", 60)
        task = min(set(running(cluster)) - done)
        cluster.run("scontrol", "requeue", task)
        done.add(task)
    if requeue:
        node = NODES[0]
        wait_for(lambda: running(cluster, "-w", node), "a task on the node", 60)
        cluster.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=check")
        wait_for(lambda: not running(cluster, "-w", node), "the node to be empty", 60)
        # A node on which a job still begins or ends is drained when the job comes again: no machine is back so soon.
        wait_for(lambda: not list(cluster.dir.glob(f"records.{node}/*.pid")), "the epilogs", 60)
        time.sleep(3)
        cluster.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)  # it may be back


def send_to_crash(cluster):
    """A job whose node crashes twice and that ends when it is there again."""
    node = NODES[1]
    job = cluster.run("sbatch", "--parsable", "--requeue", f"--nodelist={node}", "--gpus=1",
                      f"--export=PATH={cluster.dir}/bin:/usr/bin:/bin", "--wrap=sleep 15").strip()
    begun = set()

    def recorded():
        logs = {log.stat().st_ino for log in cluster.dir.glob(f"records.{node}/{job}*/hw_metrics.csv") if log.stat().st_size > 4096}
        return logs - begun
    for n in range(2):
        def unrecorded(n=n):
            return any(not gpus and time.time() - begin > 8 for begin, gpus in attempts_of(cluster.dir, job)[n:])
        wait_for(lambda: recorded() or unrecorded(), "the next attempt", 120)
        begun |= recorded()
        cluster.crash_node(node, job)
    wait_for(lambda: not cluster.run("squeue", "-h").strip(), "the job to be over", 120)
    return job


def judge_crash(d, job):
    """Each attempt is in the ledger, the last one with the end of the job, and no recording of it is left."""
    rows = [json.loads(line) for p in (d / "ledger").iterdir() for line in p.read_text().splitlines()]
    states = [row["state"] for row in sorted(rows, key=lambda row: row["start"]) if row["job"] == job]
    left = [str(p) for p in d.glob(f"records.*/{job}*")]
    named = [gpus for _, gpus in attempts_of(d, job)]
    if len(named) != 3 or states != [state for state, gpus in zip(("cut", "cut", "ok"), named) if gpus] or left:
        sys.exit(f"the job whose node crashed twice has in the ledger {states}, and as records {left}: {d}")
    print(f"the job whose node crashed twice has {len(states)} rows, and no record; Slurm named a GPU to {len(states)} of 3 attempts")


def send(cluster, args):
    """The job of two nodes, then the array and the merge step; waits until all is over. Not the other way round: Slurm may lose
    GPUs of a node that failed."""
    path = f"PATH={cluster.dir}/bin:/usr/bin:/bin"
    shown = re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs/clusters.md").read_text(), re.M | re.S)
    (cluster.dir / "jobs/train.py").write_text(f"import time\ntime.sleep({args.seconds})\n")
    (cluster.dir / "jobs/pair.sh").write_text("#!/bin/sh\n" + next(text for text in shown if text.startswith("srun ")))
    pair = cluster.run("sbatch", "--parsable", "--wait", "--nodes=2", "--ntasks-per-node=1", f"--gpus-per-node={args.cpus}",
                       f"--export={path}", "pair.sh").strip()
    env = f"{path},SMILOG={SMILOG},SMILOG_OUT={cluster.dir}/out,SMILOG_COMMAND=sleep {args.seconds}"
    size = [f"--array=1-{args.tasks}"] if args.tasks else []
    array = cluster.run("sbatch", "--parsable", *size, f"--export={env}", str(ROOT / "scripts/slurm/array.sbatch")).strip()
    merge = cluster.run("sbatch", "--parsable", f"--dependency=afterany:{array}", f"--export={env}",
                        str(ROOT / "scripts/slurm/merge.sbatch")).strip()
    disturb(cluster, args.requeue)
    wait_for(lambda: not cluster.run("squeue", "-h").strip(), "all jobs to be over",
             300 + (args.tasks or 100) * (args.seconds + 3))
    return array, merge, pair


def judge_ledger(d, attempts, pair, gpus):
    """Every attempt of a task that an epilog ended, the job of two nodes, and no record left but of those that none did."""
    rows = [json.loads(line) for p in (d / "ledger").iterdir() for line in p.read_text().splitlines()]
    jobs = {row["job"] for row in rows}
    lost = list(d.glob("records.*/*.pid"))
    if len(rows) < attempts + 2 - len(lost) or any(
            row["user"] != "root" or row["partition"] != "all" or row["node"] not in NODES for row in rows):
        sys.exit(f"the ledger has {len(rows)} rows of {len(jobs)} jobs: {d}")
    both = {row["node"]: {g["uuid"] for g in row["gpus"]} for row in rows if row["job"] == pair}
    if sorted(both) != list(NODES) or len(set().union(*both.values())) != gpus:
        sys.exit(f"the job of two nodes has in the ledger {both}: {d}")
    table = subprocess.run([SMILOG, "merge", "-q", "--format", "jsonl", "--group-by", "user", str(d / "ledger")],
                           capture_output=True, check=True).stdout
    if json.loads(table)["jobs"] != len(jobs):
        sys.exit(f"merge counts other jobs than {len(jobs)}: {table}")
    print(f"the ledger has {len(rows)} rows of {len(jobs)} jobs, at most {max(len(json.dumps(r)) for r in rows)} bytes each; "
          f"{len(lost)} records without an epilog")


def judge_comments(cluster, array):
    """Each task whose last attempt was recorded has its own in the database, which has ` for "."""
    shown = cluster.run("sacct", "-n", "-X", "-P", "-j", array, "-o", "JobID,JobIDRaw,AdminComment").splitlines()
    lines = {job: json.loads(line.replace("`", '"')) for job, raw, line in (s.split("|") for s in shown) if line}
    named = [job for job, raw, _ in (s.split("|") for s in shown) if attempts_of(cluster.dir, raw)[-1][1]]
    if set(named) - set(lines) or not lines or any(line["v"] != 1 or line["ngpu"] != 1 for line in lines.values()):
        sys.exit(f"{len(lines)} comments of {len(named)} tasks: {shown[:20]}")
    print(f"{len(lines)} tasks have their line as a comment; Slurm named a GPU to the last prolog of {len(named)}")


def judge_pair(d, pair, gpus):
    """One run, with the GPUs of two nodes."""
    text = (d / f"jobs/slurm-{pair}.out").read_text()
    if not re.search(rf"^{pair} +ok ", text, re.M) or not re.search(rf"^{gpus} x ", text, re.M):
        sys.exit(f"the job of two nodes printed {text}")
    print(f"the job of two nodes is one run with {gpus} GPUs")


def judge_lines(d, tasks, array, cpus):
    """The last line of each task's output; the number of tasks to which Slurm gave no GPU, and that saw all of the node: it does
    so where a node fails and the task comes again on another one."""
    line = re.compile(r'\{"v":1,"ngpu":(\d+),"gpu_util":[0-9.]+,"gpu_mem_max":\d+,"gpu_power":[0-9.]+,.*"state":"ok".*\}')
    bad, without = [], 0
    for i in range(1, tasks + 1):
        text = (d / f"jobs/slurm-{array}_{i}.out").read_text()
        last = text.splitlines()[-1] if text else ""
        found = line.fullmatch(last)
        if not found or int(found[1]) not in (1, cpus) or len(last) > 240 or json.loads(last)["v"] != 1:
            bad.append(f"task {i}: {text!r}")
        elif int(found[1]) != 1:
            without += 1
    if bad or without > cpus:
        sys.exit(f"{len(bad)} of {tasks} tasks without their line, {without} without a GPU: {bad[:1]}")
    return without


def judge(cluster, tasks, args, array, merge, pair):
    d = cluster.dir
    without = judge_lines(d, tasks, array, args.cpus)
    took = [tuple(map(int, row.split())) for row in (d / "epilogs").read_text().splitlines()]
    took = [ns / 1e9 for status, ns in took if status == 0]
    if len(took) < tasks:
        sys.exit(f"only {len(took)} epilogs ended with 0")
    attempts = [p for p in (d / "out").iterdir() if p.is_dir()]
    again = [p for p in attempts if "." in p.name]
    if len({p.name.split(".")[0] for p in attempts}) != tasks or len(again) < args.requeue:
        sys.exit(f"{len(attempts)} attempts, {len(again)} of them requeued, of {tasks} tasks and {args.requeue} requeues: {d}")
    whole = smilog("summarize", "-q", "--gpus", "auto", "--json", d / "out").stdout
    merged = (d / "out/sweep.summary.json").read_text()
    if whole != merged or len(json.loads(whole)["runs"]) != len(attempts):
        sys.exit(f"the merge step's summary is not that of all directories: {d}")
    if f"{len(attempts)} runs" not in (d / f"jobs/slurm-{merge}.out").read_text():
        sys.exit("the merge step printed no table")
    judge_ledger(d, tasks + args.requeue - without, pair, 2 * args.cpus)
    judge_comments(cluster, array)
    judge_pair(d, pair, 2 * args.cpus)
    size = sum(p.stat().st_size for p in (d / "out").glob("*.partial")) / tasks
    print(f"{tasks} tasks, {len(again)} attempts more after a requeue or the failure of a node, {without} of them without a GPU: "
          f"each has the epilog's line, in at most {max(took):.2f} s; the merged summary is that of all directories, "
          f"{len(merged)} bytes; {size / 1000:.1f} kB a partial summary")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tasks", type=int, default=0)
    p.add_argument("--requeue", type=int, default=10, help="tasks that are requeued")
    p.add_argument("--cpus", type=int, default=4, help="tasks at once on a node")
    p.add_argument("--seconds", type=int, default=3, help="that each task works")
    p.add_argument("--folder", help="kept; else one that is removed")
    args = p.parse_args()
    if os.geteuid() or not all(shutil.which(n, path="/usr/sbin:/usr/bin:/sbin") for n in DAEMONS):
        skip(f"needs root and {', '.join(DAEMONS)}")
    folder = Path(args.folder or tempfile.mkdtemp(prefix="smilog-slurm-")).resolve()
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    cluster = Cluster(folder, args.cpus)
    try:
        cluster.up()
        jobs = send(cluster, args)
        tasks = args.tasks or int(re.search(r"--array=1-(\d+)", (ROOT / "scripts/slurm/array.sbatch").read_text())[1])
        judge(cluster, tasks, args, *jobs)
        crashed = send_to_crash(cluster)  # last, because Slurm may lose GPUs of a node that failed
        wait_for(lambda: not list(folder.glob(f"records.*/{crashed}*.pid")), "the epilog", 60)
        judge_crash(folder, crashed)
    finally:
        cluster.down()
    if not args.folder:
        shutil.rmtree(folder)


main()
