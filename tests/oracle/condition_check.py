#!/usr/bin/env python3
"""Conditions of GPUs (hang, hot, throttle-*, memory-held, memory-near-full, power-limit-changed, clocks-low, slow-gpu, gpu-vanished,
idle-held, brief stalls) in random logs, against a restatement.

    condition_check.py --runs N [--seed S] [--smilog PROGRAM]

Each log has 1 to 4 GPUs, one or two sampling rates, gaps, rows of equal times, and conditions that are injected at random
times. Every finding has to be there with its GPUs, begin, end, seconds, total, number and GPU-hours, and no other. The JSON
has to be the same for one, two and eight threads; the findings from a pipe, from a log in two parts and from a partial summary, too.
"""
from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = datetime.datetime(2026, 3, 1, 8)


def stamp(ms: int) -> str:
    return (START + datetime.timedelta(milliseconds=ms)).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3]


TOP_CLOCK, MEMORY = 1980, 81559
# rule: the column, the least share of the time in %
REASONS = {"throttle-hw-thermal": ("hw_thermal_slowdown", 5), "throttle-sw-thermal": ("sw_thermal_slowdown", 5),
           "throttle-power-brake": ("hw_power_brake_slowdown", 5), "throttle-hw-slowdown": ("hw_slowdown", 5),
           "throttle-power-cap": ("sw_power_cap", 25), "throttle-sync-boost": ("sync_boost", 25),
           "throttle-setting": ("applications_clocks_setting", 25)}
RULES = ("hang", "hot", "power-limit-changed", "memory-near-full", "clocks-low", "slow-gpu", "gpu-vanished", *REASONS)


class Gpu:
    """Rows (ms, use, power, reasons, gen, temperature, power limit, memory, clock) of one GPU; its limit and highest generation."""

    def __init__(self, r: random.Random, times: list[int], limit: int):
        end = times[-1]
        self.limit, self.top = limit, r.choice((4, 5))
        self.low = r.choice(((400, 1100), (1300, 1600)))
        self.spans = {name: [] for name in ("hang", "hot", "link", "idle", "blind", "warm", "cut", "held", *REASONS, "full", "gone", "slow")}
        for name in self.spans:
            if name in REASONS and r.random() < 0.6 or name == "full" and r.random() < 0.7 or name == "gone" and r.random() < 0.8:
                continue
            for _ in range(r.choice((0, 0, 1, 1, 3)) if name != "idle" else r.choice((0, 0, 1, 40))):
                a = r.randrange(end)
                self.spans[name].append((a, a + r.choice((2, 8, 30, 130, 400, 900)) * 1000 if name != "idle"
                                         else a + r.choice((3, 9, 20, 20, 600)) * 1000))
        for _ in range(r.choice((0, 0, 1, 1, 2))):  # idle with memory in use
            a = r.randrange(end)
            both = (a, a + r.choice((30, 130, 400, 900)) * 1000)
            self.spans["idle"].append(both)
            self.spans["held"].append(both)
        if r.random() < 0.3:  # for most of the time, or all of it
            a = r.choice((0, 0, r.randrange(end // 3)))
            self.spans["slow"].append((a, r.choice((end + 1, a + end * 2 // 3))))
        self.spans["full"] = [(a, min(b, a + end // 4)) for a, b in self.spans["full"][:1]]
        self.spans["gone"] = [(a if r.random() < 0.6 else 0, b if r.random() < 0.6 else end + 1) for a, b in self.spans["gone"][:1]]
        kept = [t for t in times if not any(a <= t < b for a, b in self.spans["gone"])]
        self.rows = [self.row(r, t) for t in (kept if len(kept) > 1 else times)]

    def row(self, r: random.Random, t: int) -> tuple:
        on = {name: any(a <= t < b for a, b in spans) for name, spans in self.spans.items()}
        limit = self.limit * r.choice((5, 7, 9)) // 10 if on["cut"] else self.limit
        use, power = r.randint(96, 100), r.randint(limit * 6 // 10, limit)
        if on["hang"]:
            power = r.randint(self.limit // 10, self.limit * 35 // 100)
        if on["idle"]:
            use, power = r.randint(0, 1), self.limit // 8
        if on["blind"]:
            power = None
        return (t, use, power, {rule for rule in REASONS if on[rule]}, self.top - r.randint(1, 2) if on["link"] else self.top,
                r.randint(90, 97) if on["warm"] else r.randint(50, 89),
                limit,
                80000 if on["full"] else r.choice((513, 20000)) if on["held"] else r.choice((0, 3, 512)),
                r.randint(*self.low) if on["slow"] else r.randint(1900, TOP_CLOCK))


def all_stretches(rows: list, on, longest_s: int) -> list[tuple[int, int, int]]:
    """Of each ms, from, to: each interval has the state of the row at its end. None: that is not known."""
    out = []
    now = None
    for before, row in zip(rows, rows[1:]):
        dt, state = row[0] - before[0], on(row)
        if state is False:
            now = None
        if not state or dt > longest_s * 1000:
            continue
        unknown = 0 if now is None else before[0] - now[2]
        if now is None or unknown > longest_s * 1000:
            now, unknown = (0, before[0] if on(before) else row[0], 0), 0
            out.append(now)
        out[-1] = now = (now[0] + dt + unknown, now[1], row[0])
    return out


def stretches(rows: list, on) -> tuple[int, int, tuple[int, int, int]]:
    """Number, total, and the first of the longest."""
    every = all_stretches(rows, on, 150)
    return len(every), sum(x[0] for x in every), max(every, key=lambda x: x[0], default=(0, 0, 0))


def brief_stalls(g: Gpu) -> tuple[int, int] | None:
    """Number and total of the idle stretches between work, and at the ends if they are no longer than these."""
    rows = g.rows
    every = all_stretches(rows, lambda r: r[1] <= 1, 60)
    worked = [r[0] for r in rows if r[1] > 1]
    if not worked:
        return None
    parts = {"lead": [], "between": [], "trail": []}
    for x in every:
        parts["lead" if x[2] < worked[0] else "trail" if x[1] > worked[-1] else "between"].append(x[0])
    idle = sum(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[1] <= 1 and b[0] - a[0] <= g.gap)
    edge = {"lead": sum(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[0] < worked[0] and b[0] - a[0] <= g.gap),
            "trail": sum(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[0] > worked[-1] and b[0] - a[0] <= g.gap)}
    longest = max(parts["between"], default=0)
    if longest >= 60000:
        return None
    n, total = len(every) - sum(edge[k] > 0 for k in edge), idle - sum(edge.values())
    for k in edge:
        if 0 < edge[k] <= longest:
            n, total = n + 1, total + edge[k]
    covered = sum(b[0] - a[0] for a, b in zip(rows, rows[1:]) if b[0] - a[0] <= g.gap)
    return (n, total) if n > 1 and total >= 60000 and 20 * total >= covered else None


def median(values: list[int]) -> int:
    return sorted(values)[(len(values) - 1) // 2]


def hours(ms: int) -> float:
    return round(ms / 3600000, 6)


def hang_limit(g: Gpu) -> int:
    """Without a power limit: the largest of the steps that is at most 35 % of the 95th percentile of the power."""
    watts = sorted(r[2] for r in g.rows if r[2] is not None)
    if not watts:
        return 0
    whole, part = divmod((len(watts) - 1) * 95, 100)
    p95 = watts[whole] + (watts[min(whole + 1, len(watts) - 1)] - watts[whole]) * part / 100
    return max((w for w in (210, 140, 95, 60) if w * 100 <= 35 * p95), default=0)


def power_limit_cuts(g: Gpu) -> list[tuple[int, int]]:
    """Begin and end of each cut: limits that hold for a minute or more, by a tenth or more below the highest such one before.
    Of more than 500 limits none is kept (docs/numbers.md)."""
    held, begin = [], 0
    for k in range(1, len(g.rows) + 1):
        if k == len(g.rows) or g.rows[k][6] != g.rows[begin][6]:
            held.append((g.rows[begin][0], g.rows[min(k, len(g.rows) - 1)][0], g.rows[begin][6]))
            begin = k
    top, cuts, low = 0, [], False
    if len(held) > 500:
        return cuts
    for begin, end, limit in (h for h in held if h[1] - h[0] >= 60000):
        was, low = low, limit * 10 <= top * 9
        top = max(top, limit)
        if low:
            cuts[len(cuts) - was:] = [(cuts[-1][0] if was else begin, end)]
    return cuts


def idle_hours(gpus: list[Gpu]) -> tuple[float, float]:
    ms = [0, 0]
    for g in gpus:
        for a, b in zip(g.rows, g.rows[1:]):
            if b[1] <= 1 and b[0] - a[0] <= g.gap:
                ms[b[7] <= 512] += b[0] - a[0]
    return hours(ms[0]), hours(ms[1])


def listed(gpus: list[Gpu], times: list[int]) -> list[int]:
    """When processes were read: at each poll with a process, of whichever GPU."""
    return sorted({t for g in gpus for a, b in g.processes for t in times if a <= t <= b})


def covered_ms(g: Gpu) -> int:
    return sum(b[0] - a[0] for a, b in zip(g.rows, g.rows[1:]) if b[0] - a[0] <= g.gap)


def is_judged(g: Gpu) -> bool:
    """docs/numbers.md §13: ten readings, and five minutes."""
    return len(g.rows) >= 10 and covered_ms(g) >= 300000


def begin_of(gpus: list[Gpu]) -> int:
    return min(g.rows[0][0] for g in gpus)


def percentile(values: list[int], p: int) -> Fraction:
    values = sorted(values)
    whole, part = divmod((len(values) - 1) * p, 100)
    return values[whole] + Fraction((values[min(whole + 1, len(values) - 1)] - values[whole]) * part, 100)


def vanished(gpus: list[Gpu]) -> set:
    """Of each GPU: before its first reading, its longest interval, after its last, while others were read."""
    step = {id(g): median([b[0] - a[0] for a, b in zip(g.rows, g.rows[1:])]) for g in gpus}
    first, last = {id(g): g.rows[0][0] for g in gpus}, {id(g): g.rows[-1][0] for g in gpus}
    absent, out = {}, set()
    for g in gpus:
        longest = max(((b[0] - a[0], -a[0]) for a, b in zip(g.rows, g.rows[1:]) if b[0] - a[0] > 60000), default=(0, 0))
        absent[id(g)] = (longest[0], -longest[1])
    for i, g in enumerate(gpus):
        others = [o for o in gpus if o is not g and max(first[id(g)], first[id(o)]) < min(last[id(g)], last[id(o)])]
        far = [[], []]
        ms, begin = absent[id(g)]
        alone = False
        for o in others:
            for k, x in enumerate((first[id(g)] - first[id(o)], last[id(o)] - last[id(g)])):
                if x > 10 * step[id(g)] and x > 10 * step[id(o)]:
                    far[k].append(x)
            if ms > 10 * step[id(g)] and ms > 10 * step[id(o)]:
                theirs, at = absent[id(o)]
                gaps = sum(b[0] - a[0] for a, b in zip(o.rows, o.rows[1:]) if b[0] - a[0] > o.gap)
                missed = max(0, min(begin + ms, at + theirs) - max(begin, at)) + max(0, gaps - theirs)
                both = min(begin + ms, last[id(o)]) - max(begin, first[id(o)])
                alone |= 2 * both > ms and 2 * missed < ms
        for x, at in ((max(far[0], default=0), first[id(g)] - max(far[0], default=0)), (ms - step[id(g)] if alone else 0, begin + step[id(g)]),
                      (max(far[1], default=0), last[id(g)])):
            if x > 60000:
                out.add(("gpu-vanished", i, at, None, x, None, None, hours(x)))
    return out


def median_at_work(g: Gpu, column: int, busy: int) -> Fraction | None:
    if len(g.rows) < 10 or percentile([r[1] for r in g.rows], 25) < busy:
        return None
    return percentile([r[column] for r in g.rows], 50)


def slower(gpus: list[Gpu], i: int, limited: bool) -> tuple | None:
    """The least share of the peers' SM clock (then power limit); of the clock by the means of buckets of 2^17 ms."""
    g, best = gpus[i], None
    for column in (8, 6) if limited else (8,):
        own = median_at_work(g, column, 90)
        peers = sorted(m for o in gpus if o is not g and (m := median_at_work(o, column, 90)) is not None)
        if own is None or not peers:
            continue
        peer = peers[(len(peers) - 1) // 2]
        if best is None or own / peer < best[0]:
            best = (own / peer, column, peer)
    if best is None or best[0] >= Fraction(85, 100):
        return None
    if best[1] != 8:
        return ("slow-gpu", i, begin_of(gpus), None, covered_ms(g), None, None, hours(covered_ms(g)))
    base, width, buckets = int((START - datetime.datetime(1970, 1, 1)).total_seconds() * 1000), 1 << 17, {}
    loaded = [r for r in g.rows if r[1] >= 90]
    while loaded and (base + loaded[-1][0]) // width - (base + loaded[0][0]) // width >= 512:
        width *= 2
    for r in loaded:
        buckets.setdefault((base + r[0]) // width, []).append(r[8])
    every, now = [], None
    limit, keys = best[2] * 85 / 100, sorted(buckets)
    low = [Fraction(sum(buckets[k]), len(buckets[k])) < limit for k in keys]
    for n, k in enumerate(keys):
        begin, end = max(k * width - base, g.rows[0][0]), min((k + 1) * width - base, g.rows[-1][0])
        if not low[n]:
            now = None
            continue
        if max(buckets[k]) >= limit and not (0 < n < len(keys) - 1 and low[n - 1] and low[n + 1] and keys[n + 1] - keys[n - 1] == 2):
            continue
        if now is None or begin - now[2] > 150000:
            every.append([0, begin, end])
            now = every[-1]
        now[0] += end - now[2] if now[0] else end - begin
        now[2] = end
    if not every:
        return ("slow-gpu", i, begin_of(gpus), None, covered_ms(g), None, None, hours(covered_ms(g)))
    ms, begin, end = max(every, key=lambda x: x[0])
    total = sum(x[0] for x in every)
    return ("slow-gpu", i, begin, end, ms, total, len(every), total)


def is_slow(gpus: list[Gpu], finding: tuple) -> bool:
    """Whatever buckets are: in the time of a finding of the clock the readings at work are below the limit, on average."""
    g = gpus[finding[1]]
    peers = sorted(m for o in gpus if o is not g and (m := median_at_work(o, 8, 90)) is not None)
    inside = [r[8] for r in g.rows if finding[2] <= r[0] and (r[0] < finding[3] or r is g.rows[-1]) and r[1] >= 90]
    return sum(inside) * 100 <= 85 * peers[(len(peers) - 1) // 2] * len(inside)


def clocks(gpus: list[Gpu], limited: bool, slowed: dict) -> set:
    """slowed: of each GPU the stretches of reasons that are told; None: for a large share of its time."""
    out = set()
    for i, g in enumerate(gpus):
        clock = median_at_work(g, 8, 50)
        n, total, best = stretches(g.rows, lambda r: r[1] >= 50 and r[8] * 100 < 60 * TOP_CLOCK)
        explained = any(x is None or 2 * max(0, min(x[2], best[2]) - max(x[1], best[1])) >= best[0] for x in slowed.get(i, ()))
        low = clock is not None and clock * 100 < 60 * TOP_CLOCK
        if is_judged(g) and not explained and n and (low or best[0] >= 300000):
            out.add(("clocks-low", i, best[1], best[2], best[0], total, n, hours(min(total, covered_ms(g)))))
        elif is_judged(g) and (x := slower(gpus, i, limited)):
            out.add(x)
    return out


def held_memory(g: Gpu, polls: list[int]) -> tuple[int, int, tuple[int, int, int]] | None:
    """As stretches(): time without a process in the first, the longest and the last idle stretch with memory in use."""
    on = [r[1] <= 1 and r[7] >= 512 for r in g.rows]
    idle, open_ = [], False
    for i in range(1, len(g.rows)):
        a, b = g.rows[i - 1][0], g.rows[i][0]
        if on[i] and b - a <= 150000:
            if open_ and a - idle[-1][1] <= 150000:
                idle[-1][1] = b
            else:
                idle.append([a, b])
        open_ = on[i] and (open_ or b - a <= 150000)
    off = [r[0] for r, x in zip(g.rows, on) if not x]
    if not idle or not g.processes:
        return None
    parts = [max(idle, key=lambda x: x[1] - x[0])]
    parts += [x for x in idle[:1] if not any(t <= x[0] for t in off) and x not in parts]
    parts += [x for x in idle[-1:] if not any(t > x[1] for t in off) and x not in parts]
    read = []
    for t in polls:
        if read and t - read[-1][1] <= 150000:
            read[-1][1] = t
        else:
            read.append([t, t])
    free = []
    for begin, end in parts:
        for a, b in read:
            at, end_ = max(a, begin), min(b, end)
            for first, last in sorted(g.processes) + [(1 << 60, 1 << 60)]:
                if at < end_ and min(first, end_) > at:
                    free.append((min(first, end_) - at, at, min(first, end_)))
                at = max(at, last)
    return (len(free), sum(x[0] for x in free), max(free, key=lambda x: x[0])) if free else None


def expected(gpus: list[Gpu], limited: bool, times: list[int]) -> set:
    out, slowed = vanished(gpus) if any(is_judged(g) for g in gpus) else set(), {}
    hangs, warm, held = {}, {}, {}
    polls = listed(gpus, times)
    for i, g in enumerate(gpus):
        if not is_judged(g):
            continue
        least = None if limited else hang_limit(g)
        n, total, best = stretches(g.rows, lambda r: None if r[2] is None else r[1] >= 95 and (
            r[2] * 100 <= 35 * r[6] if limited else r[2] <= least))
        if best[0] >= 120000:
            hangs[i] = (n, total, best)
        n, total, best = stretches(g.rows, lambda r: r[5] >= 90)
        if best[0] >= 60000:
            warm[i] = (n, total, best)
        memory = held_memory(g, polls)
        if memory and memory[2][0] >= 60000:
            held[i] = memory
        cuts = power_limit_cuts(g)
        if limited and cuts:
            ms = sum(b - a for a, b in cuts)
            known = sum(b[0] - a[0] for a, b in zip(g.rows, g.rows[1:]) if b[0] - a[0] <= g.gap)
            a, b = max(cuts, key=lambda c: c[1] - c[0])
            out.add(("power-limit-changed", i, a, b, b - a, ms, len(cuts), min(known, ms)))
        known, broken = covered_ms(g), set()
        for rule, (_, share) in REASONS.items():
            n, total, best = stretches(g.rows, lambda r, rule=rule: rule in r[3])
            on = sum(b[0] - a[0] for a, b in zip(g.rows, g.rows[1:]) if rule in b[3] and b[0] - a[0] <= g.gap)
            if rule == "throttle-hw-slowdown" and broken & {"throttle-hw-thermal", "throttle-power-brake"}:
                continue
            if n and on and on * 100 >= known * share:
                broken.add(rule)
            if n and (rule in broken or best[0] >= 300000):
                out.add((rule, i, best[1], best[2], best[0], total, n, hours(on)))
                slowed.setdefault(i, []).append(None if rule in broken else best)
    covered = sum(b[0] - a[0] for g in gpus for a, b in zip(g.rows, g.rows[1:]) if b[0] - a[0] <= g.gap)
    for rule, left in (("hang", hangs), ("hot", warm), ("memory-held", held)):
        while left:
            top = max(left, key=lambda i: (left[i][2][0], -i))
            ms, begin, end = left[top][2]
            group = [i for i, (_, _, o) in left.items()
                     if i == top or 2 * max(0, min(end, o[2]) - max(begin, o[1])) >= ms]
            out.add((rule, top if len(group) == 1 else None, begin, end, ms, left[top][1], left[top][0],
                     hours(min(covered, sum(left[i][1] for i in group)))))
            for i in group:
                del left[i]
    if max(r[7] for g in gpus for r in g.rows) * 100 >= 98 * MEMORY and any(is_judged(g) for g in gpus):
        out.add(("memory-near-full", None, begin_of(gpus), None, max(covered_ms(g) for g in gpus), None, None, hours(covered)))
    out |= clocks(gpus, limited, slowed)
    return {(*x[:7], hours(min(covered, x[7]))) if x[0] == "power-limit-changed" or (x[0] == "slow-gpu" and x[3] is not None) else
            (*x[:7], hours(min(covered, x[4]))) if x[0] == "gpu-vanished" else x for x in out}


def expected_stalls(gpus: list[Gpu]) -> set:
    stalls = {i: brief_stalls(g) for i, g in enumerate(gpus) if is_judged(g)}
    stalls = {i: x for i, x in stalls.items() if x}
    if len(stalls) == len(gpus):
        n, total = max(stalls.values(), key=lambda x: x[1])
        return {(None, n, total)}
    return {(i, *x) for i, x in stalls.items()}


def make(r: random.Random, limited: bool) -> tuple[list[Gpu], list[int], str]:
    step = r.choice((1000, 2000, 5000, 10000, 60000))
    t, times = 0, []
    for _ in range(r.randint(400, 1500)):
        times.append(t)
        t += step if r.random() > 0.004 else r.choice((step, 3 * step, 61000, 75000, 130000))
    limit = r.choice((300, 400, 700))
    gpus = [Gpu(r, times, limit) for _ in range(r.randint(1, 4))]
    for g in gpus:
        g.gap = gap_limit(times)
        g.processes = []
        for a in sorted(r.randrange(len(times)) for _ in range(r.choice((0, 1, 1, 2, 4)))):
            b = min(len(times) - 1, a + r.choice((0, 5, 60, 300, 1000)))
            g.processes.append((times[a], times[b]))
    lines = ["timestamp, index, uuid, utilization.gpu [%], power.draw [W], pcie.link.gen.current, pcie.link.gen.max, temperature.gpu, "
             "memory.used [MiB], memory.total [MiB], clocks.current.sm [MHz], clocks.max.sm [MHz]"
             + "".join(f", clocks_event_reasons.{column}" for column, _ in REASONS.values()) + (", power.limit [W]" if limited else "")]
    at = [{row[0]: row for row in g.rows} for g in gpus]
    for t in times:
        for i, g in enumerate(gpus):
            if t not in at[i]:
                continue
            _, use, power, reasons, gen, celsius, limit, memory, clock = at[i][t]
            lines.append(f"{stamp(t)}, {i}, GPU-{i:08x}-0000-0000-0000-000000000000, {use} %, {'[N/A]' if power is None else f'{power}.00 W'}, "
                         f"{gen}, {g.top}, {celsius}, {memory} MiB, {MEMORY} MiB, {clock} MHz, {TOP_CLOCK} MHz"
                         + "".join(f", {'Active' if rule in reasons else 'Not Active'}" for rule in REASONS)
                         + (f", {limit}.00 W" if limited else ""))
    return gpus, times, "\n".join(lines) + "\n"


def gap_limit(times: list[int]) -> int:
    """docs/numbers.md §4: more than ten medians and two seconds. No interval here is near that limit."""
    return max(2000, 10 * median([b - a for a, b in zip(times, times[1:])]))


def found(document: dict, rules: tuple[str, ...]) -> set:
    def at(text: str | None) -> int | None:
        return None if text is None else round((datetime.datetime.fromisoformat(text) - START).total_seconds() * 1000)
    return {(f["rule"], f["gpu"], at(f["from"]), at(f["to"]), round(f["seconds"] * 1000), None if f["total_seconds"] is None else round(f["total_seconds"] * 1000), f["stretches"], f["gpu_hours"])
            for f in document["runs"][0]["findings"] if f["rule"] in rules}


def run(program: str, *args: str, data: bytes | None = None) -> bytes:
    return subprocess.run([program, *args], input=data, capture_output=True, check=True).stdout


def findings_of(out: bytes) -> str:
    return json.dumps(json.loads(out)["runs"][0]["findings"])


def check(program: str, r: random.Random, work: Path) -> tuple[int, list[str]]:
    limited = r.random() < 0.7
    gpus, times, text = make(r, limited)
    log = work / "gpu.csv"
    log.write_text(text)
    out = run(program, "summarize", "-j", "1", "--format", "json", str(log))
    both = work / "both"
    both.mkdir(exist_ok=True)
    (both / "gpu.csv").write_text(text)
    (both / "procs.csv").write_text("timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" + "".join(
        f"{stamp(t)}, GPU-{i:08x}-0000-0000-0000-000000000000, {100 * i + k}, python, 100 MiB\n"
        for t in times for i, g in enumerate(gpus)
        for k, (a, b) in enumerate(g.processes) if a <= t <= b))
    document, bad = json.loads(out), []
    want = expected(gpus, limited, times)
    with_processes = run(program, "summarize", "--format", "json", str(both))
    memory = {x for x in want if x[0] == "memory-held"}
    want -= memory
    told = found(json.loads(with_processes), ("memory-held",))
    bad += [f"missing: {x}" for x in memory - told] + [f"not expected: {x}" for x in told - memory]
    got = found(document, RULES)
    bad += [f"not slow: {x}" for x in got if x[0] == "slow-gpu" and x[3] is not None and not is_slow(gpus, x)]
    total = document["total"]
    if (total["idle_held_h"], total["idle_free_h"]) != idle_hours(gpus):
        bad.append(f"idle {total['idle_held_h']} held, {total['idle_free_h']} free, not {idle_hours(gpus)}")
    bad += [f"missing: {x}" for x in sorted(want - got, key=str)] + [f"not expected: {x}" for x in sorted(got - want, key=str)]
    stalls = {(f["gpu"], f["stretches"], round(f["total_seconds"] * 1000)) for f in document["runs"][0]["findings"]
              if f["rule"] == "stall" and "stalls of about" in f["text"]}
    if stalls != expected_stalls(gpus):
        bad.append(f"stalls {stalls}, not {expected_stalls(gpus)}")
    for threads in ("2", "8"):
        if run(program, "summarize", "-j", threads, "--format", "json", str(log)) != out:
            bad.append(f"{threads} threads print something else")
    if findings_of(run(program, "summarize", "--format", "json", "-", data=text.encode())) != findings_of(out):
        bad.append("a pipe prints something else")
    lines = text.splitlines(keepends=True)
    cut = r.randrange(2, len(lines))
    rotated = work / "rotated"
    rotated.mkdir(exist_ok=True)
    (rotated / "gpu.csv.1").write_text("".join(lines[:cut]))
    (rotated / "gpu.csv").write_text(lines[0] + "".join(lines[cut:]))
    if findings_of(run(program, "summarize", "--format", "json", str(rotated))) != findings_of(out):
        bad.append(f"the log cut at line {cut} prints something else")
    part = work / "one.partial"
    run(program, "summarize", "--partial", str(log), "-o", str(part))
    if findings_of(run(program, "merge", "--format", "json", str(part))) != findings_of(out):
        bad.append("a partial summary prints something else")
    return len(want) + len(memory) + len(stalls), bad


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**7))
    parser.add_argument("--smilog", default=os.environ.get("SMILOG", str(ROOT / "build/smilog")))
    args = parser.parse_args()
    print("seed", args.seed)
    conditions = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for i in range(args.runs):
            n, bad = check(args.smilog, random.Random(f"{args.seed}/{i}"), Path(directory))
            conditions += n
            failed += bool(bad)
            for line in bad[:6]:
                print(f"run {i}: {line}")
    print(f"{conditions} conditions in {args.runs} runs")
    print(f"{args.runs - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
