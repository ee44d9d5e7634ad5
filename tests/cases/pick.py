"""smilog ... --json | pick.py PATH...: prints a line "PATH value" for each PATH. A PATH starts at the first run, or with
/ at the top; * is every element of a list. Numbers keep their digits.

pick.py PATH... -- FILE...: the same for the JSON in each FILE, into FILE.picked: one process for many files."""
import json
import sys


class Number(str):
    pass


def text(v):
    if isinstance(v, Number):
        return str(v)
    if isinstance(v, list):
        return "[" + ", ".join(map(text, v)) + "]"
    if isinstance(v, dict):
        return "{" + ", ".join(f'"{k}": {text(x)}' for k, x in v.items()) + "}"
    return json.dumps(v, ensure_ascii=False)


def walk(v, steps):
    if not steps:
        return text(v)
    if steps[0] == "*":
        return "[" + ", ".join(walk(x, steps[1:]) for x in v) + "]"
    if isinstance(v, list):
        return walk(v[int(steps[0])], steps[1:]) if int(steps[0]) < len(v) else "absent"
    return walk(v[steps[0]], steps[1:]) if isinstance(v, dict) and steps[0] in v else "absent"


def lines(document, paths):
    if not document:
        return "no JSON\n"
    top = json.loads(document, parse_float=Number, parse_int=Number)
    return "".join("%s %s\n" % (path, walk(top if path.startswith("/") else top["runs"][0], path.strip("/").split("/")))
                   for path in paths)


paths = sys.argv[1:]
files = []
if "--" in paths:
    at = paths.index("--")
    paths, files = paths[:at], paths[at + 1:]
for file in files:
    with open(file) as document, open(file + ".picked", "w") as picked:
        picked.write(lines(document.read(), paths))
if not files:
    said = lines(sys.stdin.read(), paths)
    if said == "no JSON\n":
        sys.exit("no JSON")
    sys.stdout.write(said)
