#!/usr/bin/env python3
"""The same numbers everywhere: run by run what --json says is what CSV, Markdown, the table, the page and the workbook say,
each to the digits that it prints; and the parts of the waste add up to the total in each of them.

    same_numbers.py PATH...              these sweeps
    same_numbers.py --random N [SEED]    N random sweeps (gen_runs.py)

All sheets of a workbook have a test of their own (workbook.py)."""
from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system"))
import gen_runs  # noqa: E402
from lib import check, finish, folder, smilog  # noqa: E402
from sheets import come_to, sheets  # noqa: E402

RUNS = 8  # of a random sweep: fewer than a page of Markdown folds
PARTS = ["failed", "unused", "start", "stall", "end"]
STATE = {"unknown": "-"}


def run(*words):
    done = smilog(*words, env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"})
    assert done.returncode == 0, (words, done.stderr[-500:])
    return done.stdout


def number(value):
    return None if value is None or value in ("", "-") else Decimal(str(value))


def use(r):
    """GPU %: over time; where no times are known, of the readings."""
    v = r["gpu_util_time_mean_pct"]
    return r["summary"]["gpu_util_mean_pct"] if v is None else v


def same(where, shown, value, scale=1):
    """shown is value / scale, rounded to the digits that it has; "<0.01" is little, and not nothing; ">9.8" is a known part."""
    shown = shown.strip().strip("*").rstrip("!").lstrip(">") if shown is not None else ""
    if value is None or shown in ("", "-"):
        assert value is None and shown in ("", "-"), (where, shown, value)
        return
    exact = Decimal(str(value)) / scale
    if shown.startswith("<"):
        assert 0 < exact < Decimal(shown[1:]), (where, shown, value)
        return
    digits = len(shown.partition(".")[2])
    slack = Decimal(5) / 10 ** (digits + 1) + Decimal("0.00001")  # --json is rounded to millionths, and sums of it are made
    assert abs(Decimal(shown) - exact) <= slack, (where, shown, value)


def flat(r):
    """What CSV calls the values of a run."""
    known = r["wasted_h"]["total"] is not None
    out = {"run": r["run"], "state": r["state"], "state_reason": r["state_reason"], "exit_code": r["exit_code"],
           "hostname": r["hostname"], "duration_s": r["duration_s"], "covered_s": r["covered_s"],
           "energy_wh": r["energy_wh"], "idle_pct": r["idle_pct"], "longest_idle_s": r["longest_idle_s"],
           "gpu_hours": r["gpu_hours"], "wasted_pct": r["wasted_pct"]}
    out.update(r["summary"])
    out.update({"vram_" + k: v for k, v in r["vram"].items()})
    out.update({f"wasted_{k}_h": v for k, v in r["wasted_h"].items()})
    return out, known


def check_csv(runs, text):
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [r["run"].removeprefix("'") for r in rows] == [r["run"] for r in runs]
    n = 0
    for row, r in zip(rows, runs):
        for key, value in flat(r)[0].items():
            if key not in row or isinstance(value, str):
                continue
            shown = row[key]
            if isinstance(value, bool):
                assert shown == str(value).lower(), (r["run"], key, shown, value)
            else:
                assert (shown == "") == (value is None), (r["run"], key, shown, value)
                assert value is None or Decimal(shown) == Decimal(str(value)), (r["run"], key, shown, value)
            n += 1
    return n


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def check_md(runs, text):
    lines = [cells(s) for s in text.splitlines() if s.startswith("|")]
    heads = [i for i, c in enumerate(lines) if c[0] == "Run"]
    seen = {}
    for i in heads:
        for row in lines[i + 2:]:
            if not row[0].startswith("`"):
                break
            seen[row[0].strip("`")] = dict(zip(lines[i], row))
    assert sorted(seen) == sorted(r["run"] for r in runs)
    for r in runs:
        row, where = seen[r["run"]], ("md", r["run"])
        assert row["State"].strip("*").lower() == STATE.get(r["state"], r["state"]), where
        same(where, row["GPU %"], use(r))
        same(where, row["Idle %"].strip("*"), r["idle_pct"])
        used, _, total = row["VRAM GiB"].strip("*").partition("/")
        same(where, used, r["vram"]["used_peak_mb"], 1024)
        if total:
            same(where, total, r["vram"]["total_mb"], 1024)
        if row["Wasted h"] != "-":
            same(where, row["Wasted h"].strip("*"), r["wasted_h"]["total"])
    return 5 * len(runs)


def check_table(runs, text):
    lines = text.splitlines()
    head = next(i for i, s in enumerate(lines) if s.startswith("RUN "))
    names = re.split(r"\s{2,}", lines[head].strip())
    n = 0
    for line in lines[head + 1:]:
        words = re.split(r"\s{2,}", line.strip())
        r = next((r for r in runs if words[0] == r["run"]), None)
        if r is None or len(words) < len(names) - 1:
            break
        row, where = dict(zip(names, words)), ("table", r["run"])
        same(where, row["GPU %"], use(r))
        same(where, row["IDLE %"], r["idle_pct"])
        same(where, row["VRAM GiB"].partition("/")[0], r["vram"]["used_peak_mb"], 1024)
        same(where, row["Wh"], r["energy_wh"])
        if row["WASTED h"] != "-":
            same(where, row["WASTED h"], r["wasted_h"]["total"])
        n += 1
    assert n == len(runs), (n, len(runs))
    return 5 * n


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def check_html(runs, text):
    data = data_of(text)
    column = {}
    for c in data["cols"]:
        t = c["t"].split("|") if isinstance(c["t"], str) else c["t"]
        column.setdefault(c["k"], t if "d" not in c else [c["d"][k] for k in t])
    assert column["run"] == [r["run"] for r in runs]
    for i, r in enumerate(runs):
        where = ("html", r["run"])
        same(where, column["gpu"][i], use(r))
        same(where, column["idle"][i], r["idle_pct"])
        same(where, column["vram"][i], r["vram"]["used_peak_mb"], 1024)
        same(where, column["wh"][i], r["energy_wh"])
        same(where, column["gpuh"][i], r["gpu_hours"])
        if column["wasted"][i] != "-":
            same(where, column["wasted"][i], r["wasted_h"]["total"])
    return 6 * len(runs)


def printed_hours(ms):
    if 0 < ms < 18000:
        return "&lt;0.01"
    return str((Decimal(ms) / 3600000).quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def check_page_waste(runs, page):
    """The parts of the waste: in the data of the page to the millisecond, for each run and group; in its tables to the digit."""
    data = data_of(page)
    rows = dict(re.findall(r'<tr class="w-(\w+)"><th scope="row"><span class="key"></span>[\w ]+</th><td class="n">([^<]*)</td>', page))
    ends = dict(re.findall(r'<th scope="row">(wasted|all)</th><td class="n">([^<]*)</td>', page))
    column = {c["k"]: c for c in reversed(data["cols"])}
    sums = dict.fromkeys(PARTS + ["wasted", "gpuh", "unknown"], 0)
    for i, r in enumerate(runs):
        ms = {k: max(0, column[k]["x"][i]) for k in sums}
        assert sum(ms[p] for p in PARTS) == ms["wasted"], (r["run"], ms)
        assert ms["wasted"] + ms["unknown"] <= ms["gpuh"], (r["run"], ms)
        assert r["idle_pct"] is not None or ms["unknown"] + ms["failed"] + ms["unused"] == ms["gpuh"], (r["run"], ms)
        for p in PARTS + ["total"]:
            want, exact = r["wasted_h"][p], Decimal(ms["wasted" if p == "total" else p]) / 3600000
            assert abs(Decimal(str(want or 0)) - exact) <= Decimal("0.000001"), (r["run"], p, want, exact)
        for k in sums:
            sums[k] += ms[k]
    for p in PARTS:
        assert rows.get(p, "0.00") == printed_hours(sums[p]), (p, rows, sums)
    if sums["gpuh"]:
        assert rows.get("unknown", "0.00") == printed_hours(sums["unknown"]), (rows, sums)
        assert rows.get("used", "0.00") == printed_hours(sums["gpuh"] - sums["wasted"] - sums["unknown"]), (rows, sums)
        assert ends == {"wasted": printed_hours(sums["wasted"]), "all": printed_hours(sums["gpuh"])}, (ends, sums)
        assert f"<b>{printed_hours(sums['gpuh'])}</b><span>GPU-hours</span>" in page
    for g in data["groups"]:
        for v in g["of"]:
            assert sum(v["ms"]) <= sums["gpuh"], (v, sums)
            assert printed_hours(sum(v["ms"][1:6])) in (v["t"][4].replace("<", "&lt;"), "0.00"), (v, sums)
    return len(runs) * (len(PARTS) + 3)


def adds_up(where, parts, total, each):
    """Parts and total are each rounded: so far they may be apart."""
    slack = Decimal(str(each)) * (len(parts) + 1)
    assert abs(sum(parts) - total) <= slack, (where, parts, total)


def hours(text):
    return Decimal("0.005") if text.startswith("<") else Decimal(text)


def check_waste(doc, md, table):
    """The sums over the runs are the printed totals."""
    known = [r["wasted_h"] for r in doc["runs"] if r["wasted_h"]["total"] is not None]
    for w in known:
        adds_up("json", [number(w[p]) for p in PARTS], number(w["total"]), 0.0000005)
    sums = {p: sum(number(w[p]) for w in known) for p in PARTS + ["total"]}
    of = doc["total"]["of_runs"]
    assert of["wasted_h"] == len(known) and of["energy_wh"] == sum(r["energy_wh"] is not None for r in doc["runs"]), of
    if known:
        total = {p: number(v) for p, v in doc["total"]["wasted_h"].items()}
        adds_up("json total", [total[p] for p in PARTS], total["total"], 0.0000005)
        for p in sums:
            close(("json total", p), float(sums[p]), total[p], 0.0000005 * (len(known) + 1))
    if not sums["total"]:
        return 0
    lines = {c[0]: c[1] for c in map(cells, [s for s in md.splitlines() if s.startswith("|")]) if c[0] in PARTS}
    rows = dict(re.findall(r"^(failed|unused|start|stall|end) +(<?[\d.]+)  ", table, re.M))
    for where, shown in (("md", lines), ("table", rows)):
        assert set(shown) == {p for p in PARTS if sums[p]}, (where, shown, sums)
        for p in shown:
            same((where, p), shown[p], sums[p])
        adds_up((where, "total"), [hours(v) for v in shown.values()], sums["total"], 0.005)
    same(("md", "total"), re.search(r"\*\*.*?([<\d.]+) GPU-h wasted", md)[1], sums["total"])
    same(("table", "total"), re.findall(r"([<\d.]+) GPU-h wasted", table)[-1], sums["total"])
    return len(known) + 2 * len(lines) + 2


CAUSE = {"Failed runs": "failed", "GPUs that did no work": "unused", "Idle before the first work": "start",
         "Idle between work": "stall", "Idle after the last work": "end", "Wasted": "total",
         "Used": "used", "Not known": "unknown", "All": "all", "Energy": "energy"}


def close(where, shown, value, slack=1e-9):
    """A cell has all digits; an empty one is null."""
    value = None if value is None else float(value)
    assert (shown is None) == (value is None), (where, shown, value)
    assert value is None or abs(shown - value) <= max(slack, 1e-12 * abs(value)), (where, shown, value)


def check_overview(where, sheet, known, unknown=None):
    """Its table has the parts of these runs; they add up to what was wasted, and with the rest to all."""
    row, shown = sheet.under("Where they went"), {}
    while row and (row, 1) in sheet.value:
        shown[CAUSE[sheet.value[row, 1]]] = (sheet.value.get((row, 2)), sheet.value.get((row, 4)))
        row += 1
    if not shown:
        return 0
    slack = 0.000001 * (len(known) + 9)
    close((where, "adds up"), sum(shown.get(p, (0,))[0] for p in PARTS), shown["total"][0])
    close((where, "all"), sum(shown.get(p, (0,))[0] for p in ("total", "used", "unknown")), shown["all"][0])
    if unknown is not None:
        close((where, "unknown"), shown.get("unknown", (0,))[0], unknown, slack)
    for part in PARTS + ["total"]:
        hours, of = shown.get(part, (0, 0))
        close((where, part), hours, sum(w[part] for w in known), slack)
        assert part == "total" or of == sum(w[part] > 0 for w in known), (where, part, shown)
    return 2 * len(PARTS) + 4


SUMMED = ["Runs", "Failed", "Cut", "Used GPU-h", "Idle GPU-h", "Failed GPU-h", "Not known GPU-h", "GPU-h", "Wasted GPU-h"]


def check_groups(sheet, known, unknown):
    """Used, idle and failed hours, and those of which nothing is known, add up to all; idle and failed ones to the
    wasted; and the values of each parameter to the row of all runs."""
    place = {sheet.value[1, c]: c for c in range(1, 40) if (1, c) in sheet.value}
    rows = [{name: sheet.value.get((row, c)) for name, c in place.items()} for row in range(2, sheet.rows + 1)]
    whole, sums, n = rows.pop(), {}, 0
    assert whole["Value"] == "all runs" and rows, whole
    for line in rows + [whole]:
        if line["Used GPU-h"] is not None:
            parts = line["Used GPU-h"] + line["Idle GPU-h"] + line["Failed GPU-h"] + line["Not known GPU-h"]
            close((line["Value"], "GPU-h"), parts, line["GPU-h"])
            close((line["Value"], "Wasted"), line["Idle GPU-h"] + line["Failed GPU-h"], line["Wasted GPU-h"])
            n += 2
        if line is not whole:
            for key in SUMMED:
                of = sums.setdefault(line["Parameter"], {})
                of[key] = of.get(key, 0) + (line[key] or 0)
    for parameter, of in sums.items():
        for key in SUMMED:
            close((parameter, key), of[key], whole[key] or 0)
            n += 1
    if whole["Used GPU-h"] is not None:
        close(("all runs", "unknown"), whole["Not known GPU-h"], unknown, 1e-6 * (len(known) + 9))
        close(("all runs", "failed"), whole["Failed GPU-h"], sum(w["failed"] for w in known), 0.000001 * (len(known) + 1))
        close(("all runs", "wasted"), whole["Wasted GPU-h"], sum(w["total"] for w in known), 0.000001 * (len(known) + 1))
        n += 3
    return n


def check_sums(sheet):
    """What the formulas of the row of totals come to is what the file says."""
    n = 0
    for at, said, value in come_to(sheet):
        if isinstance(value, str):
            assert said == value, (at, said, value)
        else:
            close(at, said, value)
        n += 1
    return n


def unknown_hours(page):
    """The hours of which the page says that nothing is known of their use."""
    return sum(sum(max(0, x) for x in c["x"]) for c in data_of(page)["cols"] if c["k"] == "unknown") / 3600000


def check_xlsx(runs, path, unknown):
    book = sheets(path, ("Overview", "Runs", "Groups"))
    known, lines = [r["wasted_h"] for r in runs if r["wasted_h"]["total"] is not None], book["Runs"]
    assert lines.rows == 2 + len(runs)
    for i, r in enumerate(runs):
        row, where = lines.row(3 + i), ("xlsx", r["run"])
        assert row["Run"] == r["run"], where
        for head, value, scale in (("Wasted GPU-h", r["wasted_h"]["total"], 1), ("GPU-h", r["gpu_hours"], 1),
                                   ("GPU use %", use(r), 100), ("Idle %", r["idle_pct"], 100),
                                   ("VRAM peak GiB", r["vram"]["used_peak_mb"], 1024), ("Energy Wh", r["energy_wh"], 1)):
            if head == "GPU use %" and r["gpu_util_time_mean_pct"] is None and value is not None:
                assert abs(row[head] * scale - value) <= 0.05001, (where, head, row[head], value)  # JSON has one decimal
            else:
                close(where + (head,), row[head], None if value is None else value / scale)
    sums = dict(zip(lines.row(1).values(), lines.row(2).values()))
    if known:
        close(("xlsx", "row 2"), sums["Wasted GPU-h"], sum(w["total"] for w in known))
    n = check_sums(lines) + check_groups(book["Groups"], known, unknown) + check_overview("xlsx", book["Overview"], known, unknown)
    return n + 6 * len(runs)


def check_parts(runs, path, folder):
    """Of a run the parts stand in a workbook of its own."""
    page, n = os.path.join(folder, "one.xlsx"), 0
    for r in runs:
        run("report", "-q", os.path.join(path, r["run"]), "-o", page)
        known = [r["wasted_h"]] if r["wasted_h"]["total"] is not None else []
        n += check_overview(r["run"], sheets(page, ("Overview",))["Overview"], known)
    return n


def compare(path, top):
    doc = json.loads(run("summarize", "-q", "--json", path))
    md, table = run("report", "-q", "--all", path, "--format", "md", "-o", "-"), run("summarize", "-q", "--all", path)
    run("report", "-q", path, "-o", os.path.join(top, "page.html"))
    run("report", "-q", path, "-o", os.path.join(top, "book.xlsx"))
    page = Path(top, "page.html").read_text()
    n = check_csv(doc["runs"], run("summarize", "-q", "--format", "csv", path))
    n += check_md(doc["runs"], md)
    n += check_table(doc["runs"], table)
    n += check_html(doc["runs"], page) + check_page_waste(doc["runs"], page)
    n += check_xlsx(doc["runs"], os.path.join(top, "book.xlsx"), unknown_hours(page))
    n += check_parts(doc["runs"], path, top)
    return n + check_waste(doc, md, table)


def main(words):
    compared = 0
    with folder() as top:
        paths = words
        if words and words[0] == "--random":
            first = int(words[2]) if len(words) > 2 else 1
            paths = [os.path.join(top, str(seed)) for seed in range(first, first + int(words[1]))]
            for path in paths:
                for k in range(RUNS):
                    gen_runs.generate(Path(path) / f"lr=0.{k // 4 + 1}" / f"seed={k % 4}", int(os.path.basename(path)) * RUNS + k)
        for path in paths:
            try:
                compared += compare(path, top)
                check(path, True)
            except AssertionError as e:
                check(path, False, e)
    print(f"{compared} numbers compared", file=sys.stderr)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
