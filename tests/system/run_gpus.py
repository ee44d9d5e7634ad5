"""run_check.py: whose GPU memory it is, each misbehaviour of nvidia-smi, and a stand-in for amd-smi."""
import concurrent.futures
import json
import os
import re
import subprocess
import time

from run_base import HERE, check, Home, near, processes


# ---- GPUs ----


def misbehaviours():
    text = open(HERE + "/../fake/nvidia-smi", encoding="utf-8").read()
    return re.findall(r"^    '([a-z0-9-]+)': '", text, re.M)


def one_trouble(do, alone):
    h = Home(0 if do == "absent" else 2, SMI_FAKE_DO="" if do == "absent" else do)
    if alone:
        h.env["CUDA_VISIBLE_DEVICES"] = "0"
    begin = time.time()
    status, out, err = h.run("-o", "run", "--usage", "u.json", "--", "sh", "-c", "date +%s.%N; sleep 1; exit 7")
    left = processes(h.dir + "/bin/nvidia-smi")
    result = (do, alone, status, float(out) - begin, time.time() - float(out), err, left,
              h.summary("run").get("exit_code"))
    h.gone()
    return result


def gpus():
    """Each rung of knowing whose memory it is, and each misbehaviour of nvidia-smi."""
    rungs()
    jobs = [(do, alone) for do in ["absent", *misbehaviours()] for alone in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for do, alone, status, late, rest, err, left, code in pool.map(lambda j: one_trouble(*j), jobs):
            check(f"gpus: {do}{', alone' if alone else ''}", status == 7 and late < 10.5 and rest < 8 and not left and
                  code == 7, f"status {status}, begun after {late:.1f} s, ended after {rest:.1f} s, left {left}" +
                  ("" if status == 7 else err))


def rungs():
    for name, visible, held, way, much in (
            ("by pid", None, "0 $$ 2000\n1 $$ 500", "nvidia-smi's list of processes)", 2500),
            ("nobody's", None, "0 - 9000", "are not ours", None),
            ("alone", "0", "0 - 4000\n1 - 7000", "less what was held before", 3000),
            ("not permitted", None, "0 - 1000\n0 $$ ?", "are not ours", None),
            ("not permitted, alone", "0", "0 - 1500\n0 $$ ?", "less what was held before", 500),
            ("a MIG instance", "MIG-1/0", "0 - 4000", "are not ours", None),
            ("a MIG instance, by pid", "MIG-1/0", "0 $$ 700", "nvidia-smi's list of processes)", 700)):
        h = Home(2)
        h.env["SMI_FAKE_HELD"] = h.path("held")
        if visible:
            uuid = subprocess.run(["nvidia-smi", "-i", "0", "-L"], env=h.env, capture_output=True, text=True,
                                  check=True).stdout.split("UUID: ")[1].strip(" )\n")
            h.env["CUDA_VISIBLE_DEVICES"] = visible.replace("MIG-", f"MIG-{uuid}/")
        with open(h.path("held"), "w", encoding="utf-8") as f:
            f.write("0 - 1000\n")
        err = h.run("-i", "0.2", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "bash", "-c",
                    f'echo "{held}" >held; sleep 2')[2]
        got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
        check(f"gpus: {name}", way in err and got == much, (got, re.findall("GPU memory .*", err)))
        h.gone()


AMD = """#!/usr/bin/python3 -SE
import os, sys, time
sys.stdout.reconfigure(newline='')
of_processes = sys.argv[1:2] == ['process'] and os.path.exists('version')
if (sys.argv[1:2] != ['monitor'] and not of_processes) or '--csv' not in sys.argv or '-w' not in sys.argv:
    sys.exit('amd-smi: error: unrecognized arguments')
def processes():
    new = open('version').read().strip() == 'new'
    names = 'name,pid,gtt_mem,cpu_mem,vram_mem,mem_usage,gfx,enc'.split(',')
    names += ['sdma_usage', 'cu_occupancy', 'evicted_time'] * new
    rows = []
    lines = [line.split() for line in open('on')] if os.path.exists('on') else []
    for g in 0, 1:
        on = [line for line in lines if line[0] == str(g)]
        if not on:
            rows.append({'gpu': g, 'process_info': 'No running processes detected'})
        for _, pid, much in on:
            name = os.path.basename(os.readlink(f'/proc/{pid}/exe')) if os.path.exists(f'/proc/{pid}') else 'N/A'
            row = dict({'gpu': g}, **dict.fromkeys(names, 0))
            row.update(name=name, pid=pid, gtt_mem=2097152, vram_mem=much)
            if much != 'N/A':
                row['vram_mem'] = int(much) * 1048576
                row['mem_usage'] = row['vram_mem'] + 2097152 if new else int(much) + 2
            rows.append(row)
    rows = [dict({'timestamp': int(time.time())}, **row) for row in rows]
    rest = {name for row in rows for name in row} - set(rows[0])
    head = [*rows[0], *sorted(rest, reverse=new)]
    for row in [dict(zip(head, head)), *rows]:
        print(','.join(str(row.get(name, 'N/A')) for name in head), end='\\r\\n')
print("'CTRL' + 'C' to stop watching output:")
while True:
    if of_processes:
        processes()
        print(end='\\r\\n', flush=True)
        time.sleep(float(sys.argv[sys.argv.index('-w') + 1]))
        continue
    there = os.path.exists('held')
    print('timestamp,gpu,power_usage,hotspot_temperature,memory_temperature,gfx,gfx_clock,mem,mem_clock,vram_used,'
          'vram_total', end='\\r\\n')
    for g in 0, 1:
        used = 4000 + 1000 * g + 700 * g * there
        print(f'{int(time.time())},{g},{200 + g},50,45,{90 - 10 * g},1700,30,1300,{used},65520', end='\\r\\n')
    print(end='\\r\\n', flush=True)
    time.sleep(float(sys.argv[sys.argv.index('-w') + 1]))
"""


def amd():
    h = Home()
    with open(h.path("bin/amd-smi"), "w", encoding="utf-8") as f:
        f.write(AMD)
    os.chmod(h.path("bin/amd-smi"), 0o755)
    for brand in "amd", "auto":
        status, _, err = h.run("--gpu-brand", brand, "-o", brand, "--usage", "u.json", "--gpu-ram-unit",
                               "megabytes", "--", "sh", "-c", "sleep 3; exit 7")
        u = json.loads(h.read("u.json"))
        check(f"amd: {brand}: status", status == 7, (status, err))
        near(f"amd: {brand}: GPUs", u["gpu_utilization"]["system_gpu_count"], 2, 0)
        near(f"amd: {brand}: use", u["gpu_utilization"]["gpu_percentages"]["mean_sum_percent"], 170, 0)
        near(f"amd: {brand}: memory", u["max_gpu_ram"]["system"], 9000, 0)
        near(f"amd: {brand}: of", u["max_gpu_ram"]["system_capacity"], 2 * 65520, 0)
        check(f"amd: {brand}: recorded", len(h.summary(brand).get("gpus", [])) == 2, list(h.summary(brand)))
    for variables, much in (({"HIP_VISIBLE_DEVICES": "1"}, 700), ({"ROCR_VISIBLE_DEVICES": "0"}, 0), ({}, None),
                            ({"HIP_VISIBLE_DEVICES": "0", "ROCR_VISIBLE_DEVICES": "1,0"}, 700),
                            ({"ROCR_VISIBLE_DEVICES": "GPU-1"}, None)):
        h.env.update(variables)
        err = h.run("--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "sh", "-c", "touch held; sleep 3.5")[2]
        got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
        check(f"amd: {variables}", got == much, (got, re.findall("GPU memory .*", err)))
        os.remove(h.path("held"))
        for name in variables:
            del h.env[name]
    amd_processes(h)
    h.gone()


def amd_processes(h):
    """Whose memory it is by amd-smi's list of processes, of both versions; a stranger is on the GPUs, too."""
    stranger = subprocess.Popen(["sleep", "600"])
    by_pid, alone = "amd-smi's list of processes)", "less what was held before"
    for version in "old", "new":
        for name, on, visible, way, much in (
                ("by pid", "0 $$ 2000\n1 $$ 500\n1 {} 9000", None, by_pid, 2500),
                ("by pid, of all GPUs", "0 $$ 2000\n1 $$ 500\n1 {} 9000", "1", by_pid, 2500),
                ("none on the first GPU", "1 $$ 500", None, by_pid, 500),
                ("a stranger's only", "0 {} 9000", None, by_pid, 0),
                ("no process", "", None, "of our pids", None),
                ("not told", "0 $$ N/A\n1 {} 9000", None, "of our pids", None),
                ("not told elsewhere", "0 $$ N/A", "1", alone, 0),
                ("all 0 though it grew", "0 $$ 0\n1 $$ 0", None, "of our pids", None),
                ("all 0 though it grew, alone", "1 $$ 0", "1", alone, 700),
                ("0 beside another", "0 {} 900\n0 $$ 0\n1 $$ 300", None, by_pid, 300)):
            h.env.pop("HIP_VISIBLE_DEVICES", None)
            if visible:
                h.env["HIP_VISIBLE_DEVICES"] = visible
            with open(h.path("version"), "w", encoding="utf-8") as f:
                f.write(version)
            grow = "touch held; " if "grew" in name else ""
            err = h.run("-o", f"{version} {name}", "--usage", "u.json", "--gpu-ram-unit", "megabytes", "--", "bash",
                        "-c", f'printf "{on.format(*[stranger.pid] * on.count("{}"))}" >on; {grow}sleep 3.5')[2]
            got = json.loads(h.read("u.json"))["max_gpu_ram"]["combined"]
            check(f"amd: {version}: {name}", way in err and got == much, (got, re.findall("GPU memory .*", err)))
            told = [p for p in h.summary(f"{version} {name}").get("inputs", []) if "amd_processes" in str(p)]
            check(f"amd: {version}: {name}: recorded", told and told[0]["format"] == "amd-smi-process" and
                  not told[0].get("rejected"), told)
            os.remove(h.path("on"))
            if grow:
                os.remove(h.path("held"))
    h.env.pop("HIP_VISIBLE_DEVICES", None)
    os.remove(h.path("version"))
    stranger.kill()
    stranger.wait()
