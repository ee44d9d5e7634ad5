"""same.py [--inputs] PLAIN FILE...: do the summaries of FILEs tell what that of PLAIN does, but for the names of run and
inputs (--inputs: their counts too)? A FILE of "<NAME" is given on standard input, one of "|NAME" through a pipe."""
import json
import subprocess
import sys


def summary(path, counts):
    """The runs in what smilog reads of path, or its message."""
    given = {"stdin": open(path[1:])} if path[0] == "<" else {"input": open(path[1:], "rb").read()} if path[0] == "|" else {}
    p = subprocess.run(["smilog", "summarize", "-q", "--json", "--run-per", "file", "-" if given else path],
                       **(given or {"stdin": subprocess.DEVNULL}), capture_output=True)
    if p.returncode:
        return p.stderr.decode()
    runs = json.loads(p.stdout)["runs"]
    for r in runs:
        r.pop("run")
        for i in r["inputs"]:
            i.pop("path")
        if not counts:
            r.pop("inputs")
    return runs


if __name__ == "__main__":
    inputs = sys.argv[1] == "--inputs"
    plain, *others = sys.argv[1 + inputs:]
    want = summary(plain, inputs)
    for other in others:
        got = summary(other, inputs)
        print(other, "the same" if got == want else got)
