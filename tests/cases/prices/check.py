"""Costs of summarize --json on standard input against the hours and the energy beside them: check.py HOUR KWH GCO2."""
import json
import sys

hour, kwh, gco2 = map(float, sys.argv[1:])
doc = json.load(sys.stdin)


def near(a, b):
    return a is None if b is None else a is not None and abs(a - b) <= 2e-6


def times(a, b):
    return None if a is None else a * b


for r in doc["runs"] + [doc["total"]]:
    name = r.get("run", "total")
    want = None if r["gpu_hours"] is None else r["gpu_hours"] * hour + r["energy_wh"] / 1000 * kwh
    if name == "total":
        want = sum(x["cost"] or 0 for x in doc["runs"])
    if not abs((r["cost"] or 0) - (want or 0)) < 2e-5:
        print(name, "costs", r["cost"], "not", want)
    if not near(r["co2_g"], times(r["energy_wh"], gco2 / 1000)):
        print(name, "CO2", r["co2_g"])
    for part, cost in r["wasted_cost"].items():
        if name != "total" and not near(cost, times(r["wasted_h"][part], hour)):
            print(name, part, "costs", cost)
    parts = [v for k, v in r["wasted_cost"].items() if k != "total"]
    if r["cost"] is not None and not abs(sum(parts) - r["wasted_cost"]["total"]) < 4e-6:
        print(name, "the parts of the waste add up to", sum(parts))
    for f in r.get("findings", []):
        if not near(f["cost"], f["gpu_hours"] * hour):
            print(name, f["rule"], "costs", f["cost"])
print(len(doc["runs"]), "runs,", sum(len(r["findings"]) for r in doc["runs"]), "findings, total", doc["total"]["cost"],
      doc["total"]["wasted_cost"]["total"], doc["total"]["co2_g"])
