#!/usr/bin/python3
"""What `smilog live` shows of each misbehaviour of tests/fake/nvidia-smi, and whether it is true.

    JOBS=4 tests/system/trouble_check.py [SECONDS [NAME...]]        (12, all)    SMILOG=build/smilog

Each runs once with --once and then for SECONDS: an alert that ends and begins again flaps. Two seconds before the end
/healthz and /metrics must report what the lines of that moment report: GPUs with a reading, and alerts. The table shows
what each printed."""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

from lib import FAKE, check, finish, free_port, get, read, smilog, start

# name -> status of --once, GPUs with a reading, and what the line of alerts has to say (None: no alerts)
TRUE = collections.defaultdict(lambda: (0, 3, None), {
    'exit-2': (1, 0, 'bad argument'),
    'exit-4': (1, 0, 'no permission'),
    'exit-6': (1, 0, 'No devices were found'),
    'exit-9': (1, 0, 'no driver'),
    'exit-12': (1, 0, 'NVML library not found'),
    'exit-15': (1, 0, 'lost: it has fallen off the bus'),
    'exit-255': (1, 0, 'internal driver error'),
    'mismatch': (1, 0, 'driver and library do not match'),
    'crash': (1, 0, 'killed by signal 11'),
    'dies': (1, 0, 'exit 1'),
    'help': (1, 0, 'exit 0'),
    'header-only': (4, 0, 'query is silent'),
    'unknown-error': (1, 0, 'GPU 0: unknown errors'),
    'no-permission': (1, 0, 'its rows have no readings'),
    'lost-cells': (1, 2, 'GPU 1 lost'),
    'gpu-lost': (1, 2, 'GPU 0000:3B:00.0 lost'),
    # 'ecc', 'heat': nothing to show at the first sample; their alerts are tested by tests/cases/live-alerts.t
    'gpu-vanishes': (0, 2, None),  # the driver lists two
    'gpu-returns': (0, 2, None),
    'hang': (4, 0, 'it has printed nothing yet'),
    'hang-resume': (1, 3, 'it has printed nothing yet'),  # of dmon; the probe and the query hang 5 s each
    'deaf': (4, 0, 'it has printed nothing yet'),
    'stop-self': (4, 0, 'it has printed nothing yet'),
    'closes-stdout': (1, 0, 'closed its output'),
    'stderr-only': (4, 0, 'it has printed nothing yet'),
    'no-newline': (4, 0, 'it has printed nothing yet'),
    'forks': (1, 0, 'exit 1'),
    'slow-start': (1, 3, 'it has printed nothing yet'),
    'torn': (1, 0, 'killed by signal 9'),
})


def settings(name):
    return {'SMI_FAKE_GPUS': '3', 'SMI_FAKE_DO': name, 'SMI_FAKE_AT': '60', 'LC_ALL': 'C.UTF-8', 'COLUMNS': '100'}


def watch(name, seconds):
    """(standard error, what /healthz and /metrics said, what is wrong with it)"""
    port = free_port()
    p = start('live', '--demo', '--plain', '-i', '0.5', '--for', seconds, '--listen', f'127.0.0.1:{port}', env=settings(name),
              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        said = pool.submit(p.communicate)
        time.sleep(seconds - 2)
        health, at = get(port, '/healthz')[0], time.strftime('%H:%M:%S')
        metrics = get(port, '/metrics')[1]
        out, err = said.result()
    rules = sorted(set(re.findall(r'^smilog_alert{.*rule="([^"]+)"', metrics, re.M)))
    gpus = len(re.findall(r'^DCGM_FI_DEV_GPU_UTIL{|^smilog_gpu_util[a-z_]*{', metrics, re.M))
    # what the lines of that second, and of those beside it, say: GPUs with a reading, whether there is an alert
    lines = out.splitlines()
    near = [i for i, line in enumerate(lines) if line.startswith(at)] or [len(lines) - 1]
    shown = {(len(re.findall(r'\d+', re.search(r'gpu% ([-\d ]*)|$', line)[1] or '')), bool(re.search(r' [a-z]+:\S', line)))
             for line in lines[max(near[0] - 2, 0):near[-1] + 3]}
    wrong = [f'/metrics: {gpus} GPUs, {rules}, the lines: {shown}'] * ((gpus, bool(rules)) not in shown)
    wrong += [f'/healthz: {health}'] * ((health == 200) != (gpus > 0))
    wrong += [f'exit {p.returncode}: {" ".join(err.split())[:200]}'] * (health == 0)
    return err, f'{health} {gpus} {",".join(rules) or "-"}', wrong


# of what begins with the second sample, if --once met that
LATER = {'ecc': (1, 3, 'GPU 1: uncorrected ECC errors'), 'heat': (1, 3, ' °C')}


def look(name, seconds):
    once = smilog('live', '--demo', '--once', env={**os.environ, **settings(name)})
    table = once.stdout.split('\n\n', 1)
    head = table[0].split('\n')
    alerts = ' '.join(' '.join(line.split()) for line in head[1:] if 'ALERT' in line or line.startswith('  '))
    gpus = len(re.findall(r'^ +\d .* \d+ %', table[1], re.M)) if len(table) > 1 else 0
    said, served, unlike = watch(name, seconds)
    begins = collections.Counter(re.sub(r'\d+(\.\d+)?', 'N', line) for line in said.splitlines()
                                 if re.match(r'smilog: (error|warning): (monitor|GPU)', line))
    flaps = [line for line, n in begins.items() if n > 3]  # one of each GPU
    status, seen, says = LATER[name] if name in LATER and once.returncode else TRUE[name]
    wrong = ['status %d, not %d' % (once.returncode, status)] * (once.returncode != status)
    wrong += ['%d GPUs, not %d' % (gpus, seen)] * (gpus != seen)
    wrong += ['alerts: %s' % alerts] * (says not in alerts if says else bool(alerts))
    wrong += ['flaps: %s' % line for line in flaps]
    return name, once.returncode, gpus, alerts or 'no alerts', served, '; '.join(wrong + unlike)


def main():
    fake = read(FAKE)
    names = sys.argv[2:] or re.findall(r"^    '([a-z0-9-]+)': ", fake[fake.index('\nDO = {'):fake.index('\n}')], re.M)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 12
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', '4'))) as pool:
        for name, status, gpus, alerts, served, wrong in pool.map(lambda name: look(name, seconds), names):
            print('%-14s %d %d  %-100.100s  %s' % (name, status, gpus, alerts, served))
            check(name, not wrong, wrong)


main()
sys.exit(finish())
