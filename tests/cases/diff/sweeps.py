#!/usr/bin/python3
"""sweeps.py DIR SEED [METRIC=FACTOR]: a sweep of 3 learning rates x 4 seeds with two GPUs each, whose runs scatter by
about 1 %; FACTOR (0.95: 5 % less) is put on util or power of all runs."""
import os
import random
import sys

top, seed = sys.argv[1], int(sys.argv[2])
factor = {"util": 1.0, "power": 1.0}
for word in sys.argv[3:]:
    factor[word.split("=")[0]] = float(word.split("=")[1])
r = random.Random(seed)
for lr in (0.03, 0.1, 0.3):
    for n in range(1, 5):
        util = r.gauss(80 - 10 * lr, 0.8) * factor["util"]
        power, memory, rows = r.gauss(280, 3) * factor["power"], r.gauss(40000, 300), int(r.gauss(90, 1.5))
        path = f"{top}/lr={lr}/seed={n}"
        os.makedirs(path)
        with open(f"{path}/hw.csv", "w") as f:
            f.write("timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB], memory.total [MiB]\n")
            for i in range(rows):
                for gpu in range(2):
                    busy = i >= 3 + r.randrange(2)
                    row = [util + r.gauss(0, 3), power + r.gauss(0, 8)] if busy else [0, 70 + r.gauss(0, 1)]
                    f.write(f"2026/07/03 10:{i * 2 // 60:02}:{i * 2 % 60:02}.{100 + gpu}, {gpu}, "
                            f"{min(100, max(0, round(row[0])))}, {row[1]:.2f}, {memory:.0f}, 81559\n")
