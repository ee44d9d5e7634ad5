"""Reads a drawing: its size, its texts, and each curve as its number of stretches and the heights that it has."""
import re
import sys
import xml.etree.ElementTree

root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
allowed = {"svg", "g", "path", "rect", "text", "title"}
tags = {e.tag.split("}")[1] for e in root.iter()}
print(root.get("width"), root.get("height"), "strange elements:", sorted(tags - allowed))
high = float(root.get("height"))
for e in root.iter():
    tag = e.tag.split("}")[1]
    if tag == "text":
        assert 0 <= float(e.get("x")) <= 960 and 0 <= float(e.get("y")) <= high
    if tag == "text" and not re.fullmatch(r"[\d:]+", e.text or ""):
        print(e.text)
    if tag == "path" and e.get("stroke-width"):
        points = [tuple(map(float, p.split(","))) for p in re.findall(r"[\d.]+,[\d.]+", e.get("d"))]
        heights = sorted({y for _, y in points})
        assert all(64 <= x <= 922 for x, _ in points) and points == sorted(points, key=lambda p: p[0])
        print("curve:", e.get("d").count("M"), "stretches,", "heights", *(heights[:3] if len(heights) < 4 else [len(heights)]))
