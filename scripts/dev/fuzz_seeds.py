#!/usr/bin/env python3
"""Writes the seeds and the dictionary of each fuzz target: OUT/seeds_TARGET/ and OUT/dict_TARGET.

    fuzz_seeds.py OUT SMILOG TARGET:FORMAT:MOST:SOURCE,SOURCE...

Seeds are all small files under tests/ that SMILOG tells as the target's format (FORMAT "-": all), the texts below, and
for what is no log what can be made of them: partial summaries, archives. The dictionary has every text that the
target's sources compare with.
"""
from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

sys.path.insert(0, "tests")
import console  # noqa: E402

SMALL = 16384
CUTS = bytes([128, 1, 135, 0, 29, 127, 255])  # how a file is cut into pieces: tests/fuzz/reader.c
CUTS_TEXT = bytes([17, 1, 128, 0, 5, 127, 8])

D = "2026/07/03 22:11:09"
BURSTS = "".join(f"{i}, 2026/07/03 22:{10 + i // 200}:{10 + i // 4 % 50}.{500 + i % 4}\n" for i in range(100, 401))
# Each behind the number of its format among the target's, and its byte of options.
TEXTS: dict[str, list[tuple[int, int, str]]] = {
    "query": [
        (0, 0, f"timestamp, index, uuid, utilization.gpu [%], power.draw [W]\n{D}.763, 0, GPU-1, 38 %, 627.40 W\n"
            f"{D}.766, 1, GPU-2, [N/A], 80.00 W\n{D}.766, 1, GPU-2, 5 %, 80.00 W\n"),
        (0, 0, "utilization.gpu [%], clocks_event_reasons.active, clocks_throttle_reasons.sw_power_cap, pstate\r\n"
            "5 %, 0x0000000000000004, Active, P0\r\n\r\n100, 0x1FF, Not Active, P12\r\n"),
        (0, 0, f"{D}.763, 100, 7, 32362, 143771, 627.40, 52, 1980, 3201\n"
            f"{D}.863, 100, 7, 32362, 143771, [N/A], 52, 1980, 3201\n"),
        (0, 2, f"timestamp,power.draw\n{D}.001, 1\n{D}.002, 2\n"
            "2026/07/03 22:11:10.001, 1\n2026/07/03 22:11:10.002, 2\n"),
        (0, 0, "power.draw [W], timestamp\n" + BURSTS),
        (0, 8, f"{D}, 0, 38, 627.40, 99\n{D}, 1, 38, 627.40, 99\n"),
        (0, 0, "index, name, memory.used [MiB]\n0, a, b, 5 MiB\n"
            "Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.\n"
            "1, c, [GPU is lost]\nindex, memory.used [MiB]\n1, 99999999999999\n"),
    ],
    "paths": [ # bits 5 to 7: phases, parts
        (0, 0x60, f"{D}.763, 100, 7, 32362, 143771, 627.40, 52, 1980, 3201\n" * 4),
        (0, 0xA0, "index, uuid, timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W], pstate, "
            f"clocks_throttle_reasons.active, temperature.memory\n0, GPU-0, {D}.763, 38 %, 5 MiB, 627.40 W, P0, "
            f"0x0000000000000004, [N/A]\n1, GPU-1, {D}.764, 0 %, 5 MiB, 80.00 W, P8, 0x0000000000000000, [N/A]\n"),
        (0, 0x40, f"timestamp, power.draw [W]\r\n{D}.001, 1.5 W\r\n{D}.002, 25 W\r\n"),
        (1, 0x40, "# gpu     fb   bar1  mtemp     sm    mem\n# Idx     MB     MB      C      %      %\n"
            "    0  41022      3      -     98     40\n    1  41022      3     60      0      0\n"),
        (1, 0xE0, "#Date       Time        gpu    pwr  gtemp\n#YYYYMMDD   HH:MM:SS     Idx      W      C\n"
            " 20260703   22:11:09       0    627     52\n 20260703   22:11:09       1     80     31\n"),
        (2, 0x60, "timestamp,usr_pct,idle_pct\n2026-07-03T22:11:09.763+00:00,12.3,80.1\n"),
        (3, 0, '{"ts": "2026-07-03T22:11:09.763+00:00", "type": "phase", "name": "fit", "seconds": 1.25}\n'
            '{"ts": "2026-07-03T22:11:09.763+00:00", "type": "event", "event": "step", "data": {"loss": 0.5}}\n'),
    ],
    "dmon": [
        (0, 0, "# gpu    pwr  gtemp  mtemp     sm    mem\n# Idx      W      C      C      %      %\n"
            "    0     97     45      -      7      3\n    1      -      -      -      -      -\n"),
        (0, 0, "#Date       Time        gpu   pwr    sm  rxpci\n#YYYYMMDD   HH:MM:SS    Idx     W     %   MB/s\n"
            " 20210102   23:59:59      0    37     0     1\n 20210103   00:00:01      1    37     0     1\n"),
        (0, 0, "#Time        gpu    sm\n#HH:MM:SS    Idx     %\n 23:59:59      0    21\n 00:00:01      0    45%\n"
            " gpu  sm\n Idx   %\n 0 1 2\n"),
        (0, 0, "#gpu, pwr, sm\n#Idx, W, %\n0, 97, 3\n0, -, 4\n"),
    ],
    "kernel-log": [
        (0, 0, "Jul  3 22:11:09 node kernel: [ 1234.500000] NVRM: Xid (PCI:0000:81:00): 79, pid=1, GPU has fallen off the bus.\n"
            "[   12.345678] usb 1-1: new device\n2026-07-03T22:11:10,500000+02:00 NVRM: Xid (PCI:0000:82:00): 31, Ch 0\n"
            "[Fri Jul  3 22:11:09 2026] NVRM: GPU 0000:82:00.0: GPU has fallen off the bus.\n"),
    ],
    "pmon": [
        (0, 0, "# gpu pid type sm mem enc dec fb command\n# Idx # C/G % % % % MB name\n 0 11 C 5 1 - - 100 a b\n"
            " 0 12 M+C - - - - - x\n 1 - - - - - - - -\n 0 11 C 6 1 - - 101 a b\n"),
        (0, 0, "#Time gpu pid type sm command\n#HH:MM:SS Idx # C/G % name\n 23:59:59 0 7 G 1 y\n 00:00:01 0 7 G 2 y\n"
            "#Date Time gpu pid type sm command\n 20260703 00:00:03 0 7 G 2 y\n"),
    ],
    "apps": [
        (0, 0, f"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n{D}.763, GPU-1, 7, /a,b, 5 MiB\n"
            f"{D}.763, GPU-1, 7, /a,b, 5 MiB\n{D}.863, GPU-1, [N/A], [Not Found], [N/A]\n"),
        (0, 0, f"{D}.763, GPU-1, 7, /a, 5 MiB\n{D}.863, GPU-1, 8, /b,c, 6 MiB\n"),
        (1, 0, "gpu_uuid, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], time [ms]\n"
            "GPU-1, 7, 5 %, 1 %, 9 MiB, 0 ms\nGPU-1, 7, 5 %, 1 %, 9 MiB, 100 ms\nGPU-1, 7, 5 %, 1 %, 9 MiB, 100 ms\n"),
        (2, 0, f"timestamp, gpu_uuid, retired_pages.address, retired_pages.cause\n{D}.763, GPU-1, 0x1, Double Bit ECC\n"
            f"{D}.763, GPU-1, 0x2, Single Bit ECC\n"),
    ],
    "amdsmi": [ # metric, monitor, process
        (0, 0, "gpu,gfx_activity,umc_activity,socket_power,edge,hotspot,used_vram,total_vram\r\n"
            "0,5,1,238,N/A,37,283,294896\r\n1,N/A,N/A,N/A,N/A,N/A,N/A,N/A\r\n"),
        (1, 0, "'CTRL' + 'C' to stop watching output:\ntimestamp,gpu,xcp,power_usage,gfx,vram_used,vram_total\r\n"
            "1786553852,0,0,238,0,0.3,288.0\r\n1786553852,0,1,N/A,N/A,N/A,N/A\r\n\r\n"),
        (1, 0, "gpu,gfx,mem,process_info\n0,5,1,N/A\n\ngpu,name,pid,process_info\n0,a,7,N/A\n"),
        (2, 0, "timestamp,gpu,name,pid,gtt_mem,cpu_mem,vram_mem,mem_usage,gfx,enc,process_info\r\n"
            '1786553852,0,"a,b",4711,2097152,0,1073741824,1026,0,0,N/A\r\n'
            "1786553852,0,N/A,N/A,0,0,536870912,N/A,0,0,N/A\r\n"
            "1786553852,1,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,No running processes detected\r\n\r\n" * 2),
        (2, 0, "gpu,process_info,vram_mem,pid,name\n0,N/A,4294967296,4294967295,[a, b]\n0,N/A,0,4294967296,c\n"
            "0,N/A,1,4294967295,[a, b]\n1,No running processes detected,N/A,N/A,N/A\n1,N/A,5,7.5,d\n"),
        (2, 0, "timestamp,gpu,process_info\n1786553852,0,No running processes detected\n"
            "1786553852,0,Elevated permission required\n1786553851,x,No running processes detected\n"
            "timestamp,gpu,vram_mem,pid,name\n1786553853,0,99999999999999999999,7,\n5.25,0,1,7,e\n"),
    ],
    "cpu": [
        (0, 0, "timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n2026-07-03T20:11:11Z,nan,80.1\n"),
        (0, 0, "2026-07-03T20:11:09.763+02:00,12.3,80.1\nx,1,2\n2026-07-03T20:11:09,1\n"),
        (0, 0, "timestamp,usr_pct,idle_pct,cpus,psi_io_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1,8,0.5\n"),
    ],
    "runlog": [
        (0, 0, '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "start", "data": {"host": "a", '
            '"utc_offset_s": 7200, "lr": 0.1, "b": true, "n": null, "s": "x"}}\n'
            '{"ts": "2026-11-21T06:23:31.123+00:00", "type": "phase", "name": "fit", "seconds": 1.234, '
            '"jax_peak_bytes_mb": 12.5}\n'
            '{"ts": "2026-11-21T06:24:31.123+00:00", "type": "event", "event": "stop", "data": {"exit_status": 1}}\n'),
        (0, 0, '{"ts": 5, "type": "phase"}\n{"ts": "2026-11-21T06:23:31Z", "type": "event", "event": "error", "data": '
            '{"message": "\\u00e9", "peak_bytes_in_use": 1048576, "torch_max_memory_allocated": NaN}}\n[]\n{"a":\n'),
        (0, 0, '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "step", "data": {"a": 1e-7, '
            '"b": 1.5e22, "c": 1e300, "d": -2e-30, "e": 1e16, "f": 0.00012345, "g": 9223372036854775807}}\n'
            'nohup: ignoring input\n{"ts": "2026-11-21T06:22:31Z", "type": "phase", "name": 3, "seconds": 1e9}\n'),
    ],
    "gpucsv": [
        (0, 0, "Date,Time,GPU Util [\n03-07-2025,00:01:02,0, 0\n"),
    ],
    "columns": [ # bit 7: --columns-from stands in front
        (0, 128, 'time = "Time" ms\ngpu = "Card"\ngpu_util_pct = "Load"\npower_w = 4 mW\nseparator = semicolon\n\0'
            "Time;Card;Load;Power\n1783072800000;0;80;250000\n1783072805000;1;90;260000\n"),
        (0, 128, "# of rows\ndate = 1\ntime = 2 UTC\nfb_used_mib = 3 GB\npstate = 4\nseparator = tab\n\0"
            "2026-07-03\t10:00:00\t1.5\tP0\n2026-07-03\t10:00:05\t-\tP8\n"),
        (0, 128, 'time = "t"\nuuid = "u"\npower.draw = "p"\nseparator = bar\n\0t|u|p\n0.5|GPU-1|3\n1.5|GPU-1|4\n'),
        (0, 128, "gpu_util_pct = 1\ntemp_gpu_c = 2\nseparator = blanks\n\r\0 5 40\n6  41\n"),
    ],
    "detect": [
        (0, 0, "Tue Jun  9 09:00:01 UTC 2020\nmemory.used [MiB]\n5 MiB\n"),
        (0, 0, "NVIDIA-SMI has failed because it could not\n\nNo devices were found\n"),
        (0, 0, "+----+\n| NVIDIA-SMI 550 |\n"),
        (0, 0, "\ufeffgpu,power_usage,gfx\n"),
        (0, 0, '{\n  "card0": {"a": "b"}}\n'),
        (0, 0, "# gpu pid type sm command\n# Idx # C/G % name\n 0 - - - -\n"),
    ],
}
WORDS = [
    b"[N/A]", b"[Unknown Error]", b"timestamp,", b"index", b"uuid", b"pstate", b"utilization.gpu", b"memory.used",
    b"power.draw", b"clocks_event_reasons.active", b" [MiB]", b" [%]", b" W", b" MiB", b", ", b"\r\n",
    b"2026/07/03 22:11:09.763", b"Not Active", b"0x0000000000000004", b"#Date       Time        gpu",
    b"#Time        gpu", b"# gpu", b"# Idx", b" 20210102   23:59:59", b"gtemp", b"rxpci", b'{"ts": "',
    b'"type": "phase"', b'"seconds": ', b'"event": "stop"', b'"data": {', b"timestamp,usr_pct,idle_pct", b"+00:00",
    b"8796093022208", b"9223372036854775807", b"\xef\xbb\xbf",
]


def small_files(out: Path, inputs: Path) -> dict[str, bytes]:
    """All of them by a name without directories, and copied into out."""
    found = {}
    out.mkdir(parents=True)
    for top in ("tests/fixtures", "tests/cases", inputs):
        for path in sorted(Path(top).rglob("*")):
            if path.is_file() and path.suffix != ".t" and path.stat().st_size < SMALL:
                name = str(path).replace("/", "_")
                found[name] = path.read_bytes()
                (out / name).write_bytes(found[name])
    return found


def run(smilog: str, out: Path, *args: str) -> str:
    """What it prints; what a sanitizer says is printed here."""
    done = subprocess.run([smilog, "summarize", "-q", *args], stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", errors="replace", cwd=out, check=False)
    for line in done.stderr.splitlines():
        if "ERROR: " in line or "runtime error" in line:
            print("smilog summarize:", line)
    return done.stdout


def formats(smilog: str, folder: Path) -> dict[str, str]:
    told = json.loads(run(smilog, folder, "--all", "--run-per", "file", "--json", "."))
    return {i["path"].removeprefix("./"): i["format"] for r in told["runs"] for i in r["inputs"]}


def partials(smilog: str, out: Path, inputs: Path) -> dict[str, bytes]:
    """Those of all logs of the tests: alone; one twice; two of one run."""
    seeds = {}
    tops = [str(Path(top).resolve()) for top in ("tests/fixtures", "tests/cases", inputs)]
    lines = run(smilog, out, "--partial", *tops).splitlines()
    joined = run(smilog, out, "--partial", "--run", "x", *tops[:1]).splitlines()[:1]
    for i, line in enumerate(lines):
        seeds[f"one{i}"] = [line]
        seeds[f"again{i}"] = [line, line, line]
        seeds[f"two{i}"] = joined + [line]
    return {name: ("\n".join(texts) + "\n").encode() for name, texts in seeds.items()}


def configs(inputs: Path) -> dict[str, bytes]:
    """Every file that stands beside a log, as each kind that there is."""
    source = Path("src/sweep/config.c").read_text(encoding="utf-8")
    kinds = re.findall(r'^    {(?:"([^"]+)"|SMI_CONFIG_\w+), ', source, re.M)
    files = [p for p in (*sorted(Path("tests").rglob("*")), *sorted(inputs.rglob("*"))) if p.is_file() and
             (p.name in kinds or p.parent.name == ".hydra" or p.name.startswith(("sacct", "slurm-")))]
    texts = {f"{i}_{p.name}": p.read_bytes() for i, p in enumerate(files) if p.stat().st_size < SMALL}
    texts["jobs"] = (b"JobID|JobName|State|ExitCode\n4711|a|TIMEOUT|0:0\n4711.batch|b|CANCELLED|0:15\n4712_3|a|FAILED|1:0\n"
                     b"4712_3|a|OUT_OF_MEMORY|0:125\n4713|c|CANCELLED by 1000|0:9\n4714|d|RUNNING|0:0\n")
    texts["job"] = b"JobID|State\n7"
    return {f"{name}_{i}": bytes([i]) + text for name, text in texts.items() for i in range(len(kinds) + 1)}


def procs() -> dict[str, bytes]:
    """Files of a process, each behind its number; and so that memory fails."""
    mapping = ("55bc8605d000-55bc86062000 r-xp 00002000 fe:00 247134                     /usr/bin/a b (deleted)\n"
               "Size:                 20 kB\nShared_Clean:         12 kB\nShared_Dirty:          4 kB\n"
               "Private_Clean:         8 kB\nPrivate_Dirty:         8 kB\nShared_Hugetlb:        2048 kB\n"
               "Private_Hugetlb:       2048 kB\nVmFlags: rd ex mr mw me\n")
    texts = [(0, "23435 (a) b) R 23429 23435 23429 34816 -1 4194304 98 0 0 0 1 2 3 4 20 0 1 0 24112 3133440 380 "
                 "18446744073709551615 94000000000000 94000000010000 140720000000000 0 0 0\n"),
             (0, "1 () S 0 1 1 0 -1 0 0 0 0 0 9 0 0 0 20 0 1 0 5 0 0 0 0 0\n"), (1, "765 441 413 5 0 123 0\n"),
             (2, "Name:\ta\nTgid:\t23435\nNSpid:\t23435\t17\t1\nThreads:\t1\n"),
             (3, mapping + mapping.replace("fe:00 247134                     /usr/bin/a b (deleted)", "00:00 0 "))]
    return {f"{fail}{i}": bytes([fail + kind]) + t.encode() for i, (kind, t) in enumerate(texts) for fail in (0, 128)}


OURS = 32  # tests/fuzz/server.c: the tables are as they should be


def servers(smilog: str, out: Path) -> dict[str, bytes]:
    """What a ClickHouse answers, each question's behind its length: of two runs, and of none."""
    def text(t: bytes) -> bytes:
        return (bytes([len(t)]) if len(t) < 128 else bytes([len(t) & 127 | 128, len(t) >> 7])) + t

    def number(n: int, size: int = 8) -> bytes:
        return n.to_bytes(size, "little")

    def answers(*parts: bytes) -> bytes:
        return b"".join(number(len(p), 2) + p for p in parts)
    lines = run(smilog, out, "--partial", str(Path.cwd() / "tests/fixtures")).splitlines()
    partial = min((t for t in lines if '"body": ' in t), key=len).encode()
    shards = [number(i, 2) + number(2, 2) for i in range(2)]
    rows = [number(r) + number(9) + number(1) + number(3) + number(0) + text(s) + text(b"a/b") + text(b"/x") * 2 +
            text(b"h") for r, s in ((5, b"loaded"), (7, b"removed"))]
    tables = text(b"oss_ci_time_series_local") + text(b"MergeTree") + text(b"oss_ci_time_series") + text(b"Distributed")
    cluster = number(2)
    all_of = {
        "fetch": (OURS, 0, [cluster, *shards, rows[0] + rows[1], text(partial), b""]),
        "asked": (OURS, 1, [cluster, *shards, rows[0] + rows[1], text(partial), b""]),
        "runs": (OURS, 2, [cluster, *shards, rows[0] + rows[1]]),
        "documents": (OURS, 3, [cluster, *shards, tables, tables]),
        "strange": (0, 2, [text(b"runs_local") + text(b"run") + text(b"UInt64")]),
        "empty": (0, 0, [b"", b"", b"", b""])}
    seeds = {}
    for name, (tables, what, parts) in all_of.items():
        for fail in 0, 128: # the rest by 4 of the first byte says what is asked
            first = next(k for k in range(fail + tables, fail + tables + 32) if k % 4 == what)
            seeds[f"{name}{fail}"] = bytes([first]) + answers(*parts)
    return seeds


def tar(members: list[tuple[str, bytes]], form: int = tarfile.USTAR_FORMAT, mode: str = "w") -> bytes:
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode=mode, format=form) as t:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if name.startswith("link"):
                info.type, info.size, info.linkname = tarfile.SYMTYPE, 0, "../x"
            t.addfile(info, io.BytesIO(data))
    return b.getvalue() if mode != "w" else b.getvalue().rstrip(b"\0") + bytes(1024)


def zipped(members: list[tuple[str, bytes]], how: int) -> bytes:
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", how) as z:
        for name, data in members:
            z.writestr(name, data)
    return b.getvalue()


LOG = b"timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n"


def part(number: int, value: bytes) -> bytes:
    """A field of a record of W&B, below 128 bytes."""
    key = number << 3 | 2
    return (bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7])) + bytes([len(value)]) + value


def framed(*parts: tuple[int, bytes]) -> bytes:
    """A log of W&B: (1 whole, 2 first, 3 middle or 4 last part of a record, its bytes)."""
    return b":W&B\xe1\xbe\0" + b"".join(struct.pack("<IHB", zlib.crc32(bytes([kind]) + data), len(data), kind) + data
                                        for kind, data in parts)


def packed() -> dict[str, bytes]:
    at = part(2, b"\x08\xa0\x81\x9e\xd2\x06")
    reading = part(7, at + part(3, part(1, b"gpu.0.gpu") + part(16, b"50")) + part(3, part(1, b"gpu.0.temp") + part(16, b"4.5")))
    run = part(17, part(1, b"a1b2c3d4") + part(4, part(1, part(1, b"lr") + part(16, b"0.1"))) + part(13, b"node1") + part(17, at[2:]))
    step, end = part(2, part(1, part(2, b"_step") + part(16, b"1"))), part(18, b"\x08\x01")
    text = LOG.decode()
    frame = b"\x28\xb5\x2f\xfd"
    gz, xz, bz = gzip.compress(LOG, mtime=0), lzma.compress(LOG), bz2.compress(LOG)
    zst = frame + bytes([0x20, len(LOG), len(LOG) * 8 + 1 & 255, len(LOG) >> 5, 0]) + LOG
    return {
        "gz": gz, "gz_twice": gz * 2, "gz_padded": gz + bytes(600), "gz_more": gz + b"other bytes",
        "gz_cut": gz[:-9], "gz_bad": gz[:-3] + b"\0\0\0", "gz_gz": gzip.compress(gz, mtime=0),
        "xz": xz, "xz_twice": xz * 2, "xz_cut": xz[:-20], "xz_big": lzma.compress(LOG, preset=9 | lzma.PRESET_EXTREME),
        "bz2": bz, "bz2_twice": bz * 2, "bz2_cut": bz[:-5], "bz2_empty": bz2.compress(b""),
        "zst": zst, "zst_twice": zst * 2, "zst_rle": frame + b"\x20\x10\x83\0\0x",
        "zst_skip": b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zst, "zst_window": frame + b"\0\xff\x19\0\0abc",
        "le": b"\xff\xfe" + text.encode("utf-16-le"), "be": b"\xfe\xff" + text.encode("utf-16-be"),
        "le_pairs": b"\xff\xfe" + "a\u00fc\u20ac\U0001f600".encode("utf-16-le") + b"\x00\xd8a\0\x00\xdc\x00\xd8\x01",
        "be_gz": gzip.compress(b"\xfe\xff" + text.encode("utf-16-be"), mtime=0),
        "wandb": framed((1, run), (1, reading), (1, step), (1, end)), "wandb_cut": framed((1, run), (1, reading))[:-5],
        "wandb_parts": framed((2, reading[:9]), (3, reading[9:30]), (4, reading[30:]), (4, end), (2, run), (1, step)),
        "wandb_bad": framed((1, run), (1, reading), (1, reading)).replace(b"gpu.0.temp", b"gpu.0.temQ", 1),
        "screens": b"\x1b[?1049h\x1b[H\x1b[2Ja\tb\r\nrest\x1b[K\x1b[3;7Hx\x1b[2dy\x1b[4Gz\x1b(B\x1b]0;title\x07\x1b[m\x1b[HA\x1b[5X\x08",
        "broken_box": b"\x1b[H\x1b[2J+------\r\n---+\r\n| a  b\r\n c |\x1b[H|",
        "text": LOG, "tar": tar([("a", b"b")]), "zip": zipped([("a", b"b")], zipfile.ZIP_STORED),
    }


def archives() -> dict[str, bytes]:
    two = [("a/cpu.csv", LOG), ("../\u00fc/x.gz", gzip.compress(LOG, mtime=0)), ("./b//c", b"abc")]
    deflated = zipped(two, zipfile.ZIP_DEFLATED)
    inner = tar([("deep.tar", tar([("deeper.zip", deflated)]))])
    locked = bytearray(zipped(two[:1], zipfile.ZIP_STORED))
    locked[6] |= 1
    locked[locked.index(b"PK\1\2") + 8] |= 1
    return {
        "ustar": tar(two[:1]), "pax": tar(two, tarfile.PAX_FORMAT), "gnu": tar(two, tarfile.GNU_FORMAT, "w:gz"),
        "long": tar([("d/" * 80 + "x", LOG), ("y" * 300, b"")], tarfile.GNU_FORMAT), "link": tar([("link", b"")] + two),
        "none": bytes([0]) + tar(two), "names": tar([("/", b""), ("..", b"1"), ("a/..", b"2"), ("n" * 4200, b"")],
                                                    tarfile.GNU_FORMAT),
        "zip": deflated, "stored": zipped(two, zipfile.ZIP_STORED), "locked": bytes(locked),
        "inner": inner, "inner_xz": tar([("in.zip", deflated), ("in.tgz", tar(two, mode="w:gz")),
                                         ("twice", gzip.compress(gzip.compress(LOG)))], mode="w:xz"),
        "torn": tar(two)[:700], "zip_torn": deflated[:-30], "gz_torn": tar(two, mode="w:gz")[:-9],
        "zip_empty": b"PK\5\6" + bytes(18),
    }


def quoted(word: bytes) -> str:
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\x{c:02x}" for c in word) + '"'


def dictionary(sources: list[str]) -> list[str]:
    words = {quoted(w) for w in WORDS}
    for source in sources:
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        text = "\n".join(x for x in lines if not x.startswith("#include"))
        for word in re.findall(r'"((?:[^"\\\n]|\\.)+)"', text):
            try:
                raw = word.encode().decode("unicode_escape").encode("latin-1")
            except (UnicodeDecodeError, UnicodeEncodeError):
                continue
            if len(raw) < 60:
                words.add(quoted(raw))
    return sorted(words)


def main() -> int:
    out, smilog = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())
    folder = out / "all"
    shutil.rmtree(folder, ignore_errors=True)
    console.write_inputs(out / "inputs")
    files = small_files(folder, out / "inputs")
    told = formats(smilog, folder)
    for row in sys.argv[3:]:
        target, form, most, sources = row.split(":")
        if target == "partial":
            seeds = partials(smilog, out, out / "inputs")
        elif target == "config":
            seeds = configs(out / "inputs")
        elif target == "proc":
            seeds = procs()
        elif target == "server":
            seeds = servers(smilog, out)
        elif target == "pytorch": # every log, and its first record as often as it has room
            logs = {n: s for n, s in files.items() if b'"data_model_version": 1.5' in s.split(b"\n")[0]}
            seeds = logs | {n + "_2": b"\n".join(s.split(b"\n")[:2]) + b"\n" for n, s in logs.items()}
        elif target in ("packed", "archive"):
            seeds = {n: bytes([7]) + s for n, s in (packed() if target == "packed" else archives()).items()}
        else:
            texts = TEXTS.get(target, []) if target != "detect" else [t for all_of in TEXTS.values() for t in all_of]
            forms = form.split(",")
            seeds = {n: bytes([forms.index(f)]) + CUTS + b"\0" + files[n] for n, f in told.items() if f in forms}
            if target == "paths":
                seeds = {n: s[:8] + bytes([i % 8 * 32]) + s[9:] for i, (n, s) in enumerate(seeds.items())}
            if form == "-":
                seeds = {n: CUTS[:1] + CUTS + b"\0" + files[n] for n in told}
            seeds |= {f"text{i}": bytes([k]) + CUTS_TEXT + bytes([o]) + t.encode()
                      for i, (k, o, t) in enumerate(texts)}
        shutil.rmtree(out / f"seeds_{target}", ignore_errors=True)
        (out / f"seeds_{target}").mkdir()
        for name, seed in seeds.items():
            if target != "partial" or len(seed) < int(most):
                (out / f"seeds_{target}" / name).write_bytes(seed[:int(most)])
        (out / f"dict_{target}").write_text("\n".join(dictionary(sources.split(","))) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
