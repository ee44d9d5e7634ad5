#!/usr/bin/env python3
"""scripts/kubernetes/ without a cluster: are the manifests what the API takes, and does the sidecar do what it says?

    SMILOG=build/smilog tests/system/kubernetes_check.py [--only WHAT]        manifests, node, ends, fails ...

The manifests are read into the types of python3-kubernetes (of Kubernetes 1.22; what came later is listed in NEWER).
Then the job's two containers run as a kubelet would run them: in a process namespace of their own that they share, each
with the root, user and variables that the manifest gives it, the work in a memory control group; TERM for the sidecar
when the work is over. The work ends well, with a failure, out of memory, by TERM, before it says which GPUs it has; the
sidecar is killed and starts again.

The container of node.yaml runs twice on a directory as the kubelet makes it: root's, 0755. Its command, user, capabilities and
read-only root come from the manifest (without a user, from the Containerfile). It has to record, to answer requests for the name
of the Service, to end with 0, and to remove what is older than a month. Wants root, and no chroot. Status 77
where that or a library is missing."""
import argparse
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from lib import FAKE, ROOT, SMILOG, finish, folder, get, no_errors, skip, summaries, wait

NEWER = {("V1Container", "restartPolicy"): str}  # 1.28
MEMORY = 64 << 20
WORK = {  # what the container of the work runs as train.py, and the status that the record then has
    "ends": ("import time; time.sleep(10)", 0),
    "fails": ("import sys, time; time.sleep(10); sys.exit(3)", 3),
    "out-of-memory": ("import time; time.sleep(10); x = b'x' * (1 << 30)", 137),
    "deleted": ("import time; time.sleep(600)", 143),
    "sidecar-killed": ("import time; time.sleep(22)", 0),
    "at-once": ("", 0),
}


# ---- types ------------------------------------------------------------------------------------------------

def check_types(kind: str, value: object, path: str) -> list[str]:
    """What in value the type does not have, or has as something else."""
    from kubernetes import client
    if kind.startswith("list["):
        if not isinstance(value, list):
            return [f"{path}: no list"]
        return [e for i, v in enumerate(value) for e in check_types(kind[5:-1], v, f"{path}[{i}]")]
    if kind.startswith("dict("):
        if not isinstance(value, dict):
            return [f"{path}: no mapping"]
        inner = kind[5:-1].split(", ", 1)[1]
        return [e for k, v in value.items() for e in check_types(inner, v, f"{path}.{k}")]
    simple = {"str": str, "int": int, "bool": bool, "float": (int, float), "object": (str, int, dict)}
    if kind in simple:
        right = isinstance(value, simple[kind]) and (kind == "bool" or not isinstance(value, bool))
        return [] if right else [f"{path}: {value!r} is no {kind}"]
    model = getattr(client, kind)
    name = {json_name: attribute for attribute, json_name in model.attribute_map.items()}
    if not isinstance(value, dict):
        return [f"{path}: no {kind}"]
    errors = []
    for k, v in value.items():
        if (kind, k) in NEWER:
            errors += [] if isinstance(v, NEWER[kind, k]) else [f"{path}.{k}: {v!r}"]
        elif k not in name:
            errors.append(f"{path}.{k}: {kind} has no such field")
        else:
            errors += check_types(model.openapi_types[name[k]], v, f"{path}.{k}")
    try:  # what has to be there, and values that only some fields may have
        model(**{name[k]: v for k, v in value.items() if k in name})
    except ValueError as e:
        errors.append(f"{path}: {e}")
    return errors


# ---- a pod ------------------------------------------------------------------------------------------------

def memory_group(name: str) -> Path | None:
    """A control group of MEMORY bytes, by either version."""
    old, new = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")
    group = (old if old.is_dir() else new) / name
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if old.is_dir() else "memory.max")).write_text(str(MEMORY))
        if not old.is_dir():
            (group / "memory.oom.group").write_text("1")
        return group
    except OSError:
        return None


def mount(*args: object) -> None:
    subprocess.run(["mount", *map(str, args)], check=True)


def make_root(top: Path, volumes: dict[str, Path]) -> Path:
    """The image: this machine's root below a layer of memory, with the volumes and what the Containerfile installs."""
    mount("-t", "tmpfs", "smilog", top)
    for name in ("upper", "work", "root"):
        (top / name).mkdir()
    root = top / "root"
    mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={top}/upper,workdir={top}/work", root)
    for name, source in {**volumes, "dev": Path("/dev")}.items():
        source.mkdir(exist_ok=True)
        (root / name).mkdir(exist_ok=True)
        mount("--rbind", source, root / name)
    mount("-t", "proc", "proc", root / "proc")
    (root / "srv/train").mkdir(parents=True)
    for source, name in ((SMILOG, "smilog"), (ROOT / "scripts/kubernetes/sidecar.sh", "sidecar.sh"),
                         (FAKE, "nvidia-smi")):
        shutil.copy(source, root / "usr/local/bin" / name)
    (root / "message").touch()
    (root / "message").chmod(0o666)
    return root


def start(root: Path, container: dict, pod: str, out: Path, group: Path | None = None, **more: str) -> subprocess.Popen:
    """The container as its manifest has it: command, variables, user."""
    env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "POD_NAME": pod, **more}
    env.update({e["name"]: e["value"] for e in container.get("env", ()) if "value" in e})
    user = container.get("securityContext", {}).get("runAsUser")

    def enter() -> None:
        os.setsid()
        if group:
            (group / "cgroup.procs").write_text(str(os.getpid()))
        os.chroot(root)
        os.chdir("/srv/train")
        if user:
            os.setgroups([65532])
            os.setgid(user)
            os.setuid(user)

    with open(out, "ab") as f:
        return subprocess.Popen([a.replace("$(POD_NAME)", pod) for a in container["command"]], env=env, stdout=f, stderr=f,
                                stdin=subprocess.DEVNULL, preexec_fn=enter)


def run_pod(what: str, folder: Path) -> None:
    """In namespaces of its own: what a kubelet does with the job of sidecar.yaml. Writes what it saw."""
    import yaml
    spec = yaml.safe_load((ROOT / "scripts/kubernetes/sidecar.yaml").read_text())["spec"]["template"]["spec"]
    results, top = folder / "results", folder / "top"
    results.mkdir()
    top.mkdir()
    root = make_root(top, {"results": results, "pod": top / "pod"})
    for volume in (results, top / "pod"):  # as fsGroup has it
        os.chown(volume, 0, 65532)
        volume.chmod(0o2775)
    (root / "srv/train/train.py").write_text(WORK[what][0])
    group = memory_group(folder.name) if what == "out-of-memory" else None
    node = {"SMI_FAKE_GPUS": "8", "SMILOG_MESSAGE": "/message"}
    sidecar = start(root, spec["initContainers"][0], "train-x", folder / "sidecar.out", **node)
    work = start(root, spec["containers"][0], "train-x", folder / "work.out", group, SMI_FAKE_GPUS="2")
    if what == "sidecar-killed":
        time.sleep(10)
        os.killpg(sidecar.pid, signal.SIGKILL)
        sidecar.wait()
        sidecar = start(root, spec["initContainers"][0], "train-x", folder / "sidecar.out", **node)
    if what == "deleted":
        time.sleep(10)
        work.terminate()
    status = work.wait()
    if group:  # the container's other processes die with the one, as since Kubernetes 1.28
        time.sleep(0.1)
        for pid in (group / "cgroup.procs").read_text().split():
            os.kill(int(pid), signal.SIGKILL)
    begin = time.monotonic()
    sidecar.terminate()
    try:
        sidecar.wait(spec["terminationGracePeriodSeconds"])
    except subprocess.TimeoutExpired:
        sidecar.kill()
    (folder / "seen.json").write_text(json.dumps({
        "work": status, "sidecar": sidecar.wait(), "seconds": time.monotonic() - begin,
        "message": (root / "message").read_text(), "memory": group and str(group)}))


# ---- a node -----------------------------------------------------------------------------------------------

def as_user(context: dict) -> list[str]:
    """What starts a command as the securityContext of a container has it: words of setpriv."""
    image = re.search(r"^USER (\d+):(\d+)$", (ROOT / "scripts/kubernetes/Containerfile").read_text(), re.M)
    words = ["setpriv", "--clear-groups", f"--reuid={context.get('runAsUser', image[1])}",
             f"--regid={context.get('runAsGroup', image[2])}"]
    if "ALL" in context.get("capabilities", {}).get("drop", ()):
        words += ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
    return words + ["--no-new-privs"] * (context.get("allowPrivilegeEscalation") is False)


def run_node(folder: Path) -> None:
    """In namespaces of its own: the container of node.yaml, twice. Writes what was wrong."""
    import yaml
    daemon, service = yaml.safe_load_all((ROOT / "scripts/kubernetes/node.yaml").read_text())
    container = daemon["spec"]["template"]["spec"]["containers"][0]
    context = container["securityContext"]
    top, record = folder / "top", folder / "record"
    top.mkdir()
    record.mkdir(mode=0o755)  # as the kubelet: hostPath, DirectoryOrCreate
    (record / "old").mkdir()
    (record / "old/hw_metrics.csv").touch()
    os.utime(record / "old", (0, 0))
    root = make_root(top, {"record": record})
    if context.get("readOnlyRootFilesystem"):
        mount("-o", "remount,ro,bind", root)
    with socket.socket() as s:  # the new namespace's lo is down
        fcntl.ioctl(s, 0x8914, struct.pack("16sh22x", b"lo", 0x41))  # SIOCSIFFLAGS: IFF_UP, IFF_RUNNING
    values = {"spec.nodeName": "n7", "metadata.namespace": "gpu-metrics"}
    env = {e["name"]: e.get("value") or values[e["valueFrom"]["fieldRef"]["fieldPath"]] for e in container["env"]}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    name = f"{service['metadata']['name']}.gpu-metrics.svc"
    port = service["spec"]["ports"][0]["port"]
    wrong = []
    for turn in (1, 2):
        with open(folder / "node.out", "ab") as f:
            child = subprocess.Popen(["chroot", root, *as_user(context), *container["command"]], stdin=subprocess.DEVNULL,
                                     env={"PATH": path, "SMI_FAKE_GPUS": "4", **env}, stdout=f, stderr=f)

        def rows() -> list[Path]:
            return [log for log in record.glob("n7*/hw_metrics.csv") if log.read_text().count("\n") > 4]
        if not wait(lambda: child.poll() is not None or len(rows()) >= turn and get(9400, "/healthz", Host=name)[0] == 200, 120, 0.2):
            wrong.append(f"turn {turn}: {len(rows())} recordings")
        for host, wanted in (("10.1.2.3", 200), (f"{name}:{port}", 200), (f"{name}.cluster.local", 200), ("other.example", 403)):
            status = get(9400, "/metrics", Host=host)[0]
            wrong += [f"turn {turn}: {host} has {status}"] if status != wanted else []
        child.terminate()
        status = child.wait(daemon["spec"]["template"]["spec"]["terminationGracePeriodSeconds"])
        wrong += [f"turn {turn}: status {status}"] if status else []
    wrong += ["what is older than a month is still there"] if (record / "old").exists() else []
    wrong += [(folder / "node.out").read_text()[:500]] if wrong else []
    (folder / "seen.json").write_text(json.dumps(wrong))


def unshare(what: str, folder: Path, *namespaces: str) -> int:
    return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *namespaces, sys.executable,
                           "-B", __file__, "--pod", what, "--folder", folder], env=dict(os.environ, SMILOG=SMILOG),
                          check=False).returncode


def check_node(folder: Path) -> list[str]:
    status = unshare("node", folder, "--net")
    return [f"node: {w}" for w in json.loads((folder / "seen.json").read_text())] if status == 0 else [f"node: status {status}"]


# ---- what came of it --------------------------------------------------------------------------------------

def check_pod(what: str, folder: Path) -> list[str]:
    """Runs one pod; what was wrong with it."""
    wanted = WORK[what][1]
    status = unshare(what, folder)
    if status:
        return [f"the pod did not run: {status}"]
    seen = json.loads((folder / "seen.json").read_text())
    if seen["memory"]:
        os.rmdir(seen["memory"])
    runs = sorted(r for r in (folder / "results").iterdir() if r.is_dir())
    last = runs[-1]
    out = (folder / "sidecar.out").read_text()
    line = (last.parent / (last.name + ".line")).read_text()
    run = summaries(last)[0]
    gpus, state = len(run.get("gpus", ())), run["state"]
    print(f"  {what}: {out.strip().splitlines()[-1][:100]}... work {seen['work']}, sidecar {seen['sidecar']} after "
          f"{seen['seconds']:.1f} s, {gpus} GPUs, {state}")
    wrong = [f"status {seen['sidecar']}"] if seen["sidecar"] else []
    wrong += [f"{seen['seconds']:.1f} s"] if seen["seconds"] > 20 else []
    wrong += ["no line in its log"] if not out.endswith(line) or '"v":1' not in line else []
    wrong += [] if seen["message"].rstrip("\n") == out.splitlines()[-1] else ["another termination message"]
    wrong += [] if (last.parent / (last.name + ".partial")).stat().st_size else ["no partial summary"]
    wrong += [f"{gpus} GPUs"] if gpus != 2 and what != "at-once" else []
    wrong += [f"{state}, status {wanted}"] if what != "at-once" and (state == "ok") != (wanted == 0) else []
    wrong += [f"{len(runs)} directories"] if len(runs) != 1 + (what == "sidecar-killed") else []
    wrong += ["no control group held it"] if what == "out-of-memory" and (not seen["memory"] or not seen["work"]) else []
    return [f"{what}: {w}" for w in wrong]


def check_manifests() -> list[str]:
    import yaml
    from kubernetes import client
    kinds = {"Job": client.V1Job, "DaemonSet": client.V1DaemonSet, "Service": client.V1Service}
    return [e for path in sorted((ROOT / "scripts/kubernetes").glob("*.yaml")) for document in yaml.safe_load_all(path.read_text())
            for e in check_types(kinds[document["kind"]].__name__, document, path.name)]


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--only", choices=("manifests", "node", *WORK))
    p.add_argument("--pod", choices=("node", *WORK), help=argparse.SUPPRESS)
    p.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.pod:
        return run_node(o.folder) if o.pod == "node" else run_pod(o.pod, o.folder)
    done = 0
    for what in [o.only] if o.only else ("manifests", "node", *WORK):
        try:
            if what != "manifests" and os.geteuid():
                raise ImportError("needs root")
            if what != "manifests" and not any(line.split()[4] == "/" for line in open("/proc/self/mountinfo", encoding="utf-8")):
                raise ImportError("needs a root directory that is a mount, not that of a chroot")
            import yaml  # noqa: F401
            with folder() as d:
                Path(d).chmod(0o755)
                no_errors(what, check_manifests() if what == "manifests" else check_node(Path(d)) if what == "node" else
                          check_pod(what, Path(d)))
            done += 1
        except ImportError as e:
            print(f"skipped: {what}: {e}")
    if not done:
        skip("nothing can be tested here")
    sys.exit(finish())


if __name__ == "__main__":
    main()
