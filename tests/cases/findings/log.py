"""A log of one GPU for ten minutes: utilisation 30 %, and 90 s idle in the middle."""
print("timestamp, index, utilization.gpu [%], memory.used [MiB]")
for i in range(301):
    t = 2 * i
    print(f"2026/01/01 00:{t // 60:02d}:{t % 60:02d}.001, 0, {0 if 100 <= i < 145 else 30}, {1000 + i}")
