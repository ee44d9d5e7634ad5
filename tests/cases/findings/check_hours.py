"""JSON of summarize on standard input: in every run the parts of the waste add up and are, as what each finding is
about, no more than the run's GPU-hours; so is their cost. Prints what is not so, and how much there was."""
import json
import sys

runs = findings = 0
EPS = 4e-6  # of five rounded parts
for r in json.load(sys.stdin)["runs"]:
    runs += 1
    hours, parts = r["gpu_hours"], dict(r["wasted_h"])
    total = parts.pop("total")
    if any(v is not None and v < 0 for v in parts.values()):
        print(r["run"], "waste below 0:", parts)
    if total is not None and (abs(sum(parts.values()) - total) > EPS or total > hours + EPS):
        print(r["run"], "wasted", parts, "of", hours)
    cost = dict(r.get("wasted_cost") or {})
    all_cost = cost.pop("total", None)
    if all_cost is not None and (abs(sum(cost.values()) - all_cost) > EPS or all_cost > (r["cost"] or all_cost) + EPS):
        print(r["run"], "wasted money", cost, "of", r["cost"])
    for f in r["findings"]:
        findings += 1
        if not 0 <= f["gpu_hours"] <= (hours or 0):
            print(r["run"], f["rule"], f["gpu_hours"], "of", hours)
        if f.get("cost") is not None and r["cost"] is not None and f["cost"] > r["cost"] + EPS:
            print(r["run"], f["rule"], "costs", f["cost"], "of", r["cost"])
        if f["phase"] is not None and f["phase"] not in [p["name"] for p in r["phases"]]:
            print(r["run"], f["rule"], "in a phase that is none:", f["phase"])
        if not f["text"] or "{" in f["text"].replace(f["phase"] or "\0", ""):
            print(r["run"], f["rule"], "says", f["text"])
print(f"{runs} runs, {findings} findings")
