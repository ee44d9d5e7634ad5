#!/usr/bin/env python3
"""tests/layouts.py DIR: sweeps as five tools lay them out, 20 runs each, two of which crashed before their log began.

hydra     a Hydra multirun with nested overrides: 0/.hydra/overrides.yaml, 0/gpu.csv
wandb     W&B: run-ID/files/config.yaml, wandb-metadata.json, gpu.csv
slurm     a Slurm job array: a directory for each task, parameters in params.json
flat      files of one directory, parameters in their names
packed    one archive of directories, parameters in config.json
"""
import json
import shutil
import sys
import tarfile
from pathlib import Path

HEADER = "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W], temperature.gpu\n"
MODELS, RATES, SEEDS = ("resnet", "vit"), (0.001, 0.01), (1, 2, 3, 4, 5)
CRASHED = {7: "", 13: "bash: line 1: nvidia-smi: command not found\n"}


def log(number):
    if number in CRASHED:
        return CRASHED[number]
    rows = (f"2026/03/01 1{number // 10}:0{number % 10}:{s:02}.000, 0, {40 + (number * 7 + s) % 50} %, "
            f"{4000 + 10 * number} MiB, {200 + number}.00 W, {50 + s % 9}\n" for s in range(60))
    return HEADER + "".join(rows)


def runs():
    number = 0
    for model in MODELS:
        for rate in RATES:
            for seed in SEEDS:
                yield number, model, rate, seed
                number += 1


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    top = Path(sys.argv[1])
    for n, model, rate, seed in runs():
        write(top / f"hydra/{n}/.hydra/overrides.yaml",
              f"- model.name={model}\n- optimizer.lr={rate}\n- trainer.seed={seed}\n- trainer.devices=1\n")
        write(top / f"hydra/{n}/gpu.csv", log(n))
        files = top / f"wandb/run-20260301_10{n:02}00-a{n:02}b/files"
        config = {"model": model, "lr": rate, "seed": seed, "batch": 64}
        write(files / "config.yaml", "wandb_version: 1\n\n_wandb:\n  desc: null\n  value:\n    t: [1, 2]\n" +
              "".join(f"{k}:\n  desc: null\n  value: {v}\n" for k, v in config.items()))
        write(files / "wandb-metadata.json", "{}\n")
        if n not in CRASHED:
            write(files / "gpu.csv", log(n))
        task = top / f"slurm/job_4711_{n}"
        write(task / "params.json", json.dumps({"model": {"name": model}, "optimizer": {"lr": rate}, "seed": seed}))
        write(task / "slurm.out", "start\n")
        write(task / "gpu.csv", log(n))
        write(top / f"flat/model={model},lr={rate},seed={seed}.csv", log(n))
        write(top / f"tree/exp{n:02}/config.json", json.dumps({"model": model, "lr": rate, "seed": seed, "epochs": 9}))
        write(top / f"tree/exp{n:02}/gpu.csv", log(n))
    with tarfile.open(top / "packed.tar.gz", "w:gz") as archive:
        archive.add(top / "tree", "sweep")
    shutil.rmtree(top / "tree")


main()
