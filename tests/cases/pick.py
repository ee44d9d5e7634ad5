"""smilog ... --json | pick.py PATH...: "PATH value" a line. A PATH starts at the first run, or with / at the top;
* is every element of a list. Numbers keep their digits."""
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


document = sys.stdin.read()
if not document:
    sys.exit("no JSON")
top = json.loads(document, parse_float=Number, parse_int=Number)
for path in sys.argv[1:]:
    start = top if path.startswith("/") else top["runs"][0]
    print(path, walk(start, path.strip("/").split("/")))
