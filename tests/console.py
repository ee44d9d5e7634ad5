"""Shell commands with their output, as people see them: what tests/run.py (cases) and tests/docs.py (documents) share.

A line `$ COMMAND` begins a command, lines `> ...` continue it, and its output follows. All commands of a case or a document
run in one shell. tests/cases/TOPIC.t and TOPIC-SUBJECT.t hold the cases of a topic:

    the title, which is the name of the case
    # a comment
      $ echo hello; smilog summarize none.csv
      hello
      2> smilog: warning: cannot open none.csv: No such file or directory
      2> smilog: no usable log in none.csv
      [3]

Standard error comes behind standard output, each line with `2> ` in front, and the status last unless it is 0. A line that
cannot be shown as it is ends with ` (esc)` and has \\t, \\r, \\\\ and \\xHH; one without its end ends with ` (no-eol)`. Empty
lines are output, but for the one in front of a title."""
import collections
import fcntl
import itertools
import os
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests/cases"
TIMED_OUT = 124
VERSION = re.search(r'"([0-9.]+)"', (ROOT / "src/base/version.h").read_text())[1]
NAMED = re.compile(rb"\bsmilog " + re.escape(VERSION).encode() + rb"\b")
MARK = re.compile(rb"\x01([0-9]+)\x02\n")
ODD = re.compile(r"(\$ |2>)|.*( | \((esc|no-eol)\))$")  # would be read as something else


class Command:
    """A command: its text, the number of its first line, and between which lines its output is."""

    def __init__(self, text, line):
        self.text, self.line, self.first, self.last = text, line, line + 1, line + 1


def commands(path, lines, first, last, indent=""):
    """The commands in these lines of a file."""
    found, inside = [], False
    for i in range(first, last):
        line = lines[i]
        if line.startswith(indent + "$ "):
            found.append(Command(line[len(indent) + 2:], i))
            inside = True
        elif indent and line.startswith("#"):
            inside = False
        elif not inside:
            raise SystemExit(f"{path}:{i + 1}: no command has this output")
        elif found[-1].first == i and (line.startswith(indent + "> ") or line == indent + ">"):
            found[-1].text += "\n" + line[len(indent) + 2:]
            found[-1].first = found[-1].last = i + 1
        else:
            found[-1].last = i + 1
    return found


def wait(child, seconds):
    """Waits for the shell, so long at most: its status and the CPU seconds of all processes that it waited for."""
    status = None
    ended = os.pidfd_open(child.pid)
    for limit, deadly in (seconds, signal.SIGTERM), (10, signal.SIGKILL):  # the first lets it tidy up
        if select.select([ended], [], [], limit)[0]:
            break
        status = TIMED_OUT
        os.killpg(child.pid, deadly)
    os.close(ended)
    _, code, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(code)
    if status is None:
        status = child.returncode if child.returncode >= 0 else 128 - child.returncode
    return status, used.ru_utime + used.ru_stime


def terminal(out):
    """A terminal of 100 columns, and what copies all that is written there to a file."""
    main, other = os.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))
    modes = termios.tcgetattr(other)
    modes[1] &= ~termios.OPOST  # "\n" stays what it is
    termios.tcsetattr(other, termios.TCSANOW, modes)

    def copy():
        try:
            while data := os.read(main, 65536):
                out.write(data)
        except OSError:  # nobody has it open any more
            pass
        os.close(main)

    thread = threading.Thread(target=copy)
    thread.start()
    return other, thread


def parts(data, most):
    """What was printed between the marks, and the numbers in the marks. What a trap prints belongs to the last command."""
    pieces = MARK.split(data)
    texts = pieces[0::2]
    texts[most - 1:] = [b"".join(texts[most - 1:])] if len(texts) >= most else []
    return texts, [int(status) for status in pieces[1::2]]


def run(todo, folder, env, seconds, on_terminal=False):
    """What each command prints to standard output and standard error, and its status; fewer if one of them ends the shell.
    And the CPU seconds."""
    marks = r"printf '\1%d\2\n' $1" + ("" if on_terminal else r"; printf '\1%d\2\n' $1 >&2")
    script = "__ended() { set -- $?; " + marks + "; return $1; }\n" + "".join(f"{text}\n__ended\n" for text in todo)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        other, copier = terminal(out) if on_terminal else (None, None)
        child = subprocess.Popen(["bash", "--norc", "-c", script], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                 stdout=other or out, stderr=other or err, start_new_session=True)
        if other:
            os.close(other)
        status, cpu = wait(child, seconds)
        if copier:
            copier.join()
        out.seek(0), err.seek(0)
        (outs, statuses), (errs, _) = parts(out.read(), len(todo)), parts(err.read(), len(todo))
    statuses[len(outs) - 1:] = [status]
    return list(itertools.zip_longest(outs, errs[:len(outs)], statuses, fillvalue=b"")), cpu


def escaped(c):
    return {"\t": "\\t", "\r": "\\r", "\\": "\\\\"}.get(c) or "".join(map(r"\x{:02x}".format, c.encode("utf-8", "surrogateescape")))


def line_of(data, first):
    """A line as it is shown; the first could be read as a part of the command."""
    text = data.decode("utf-8", "surrogateescape")
    odd = ODD.match(text) or first and re.match("(>)( |$)", text)
    if text.isprintable() and not odd:
        return text
    at = (0 if odd[1] else len(text) - 1) if odd else -1
    return "".join(c if c.isprintable() and c != "\\" and n != at else escaped(c) for n, c in enumerate(text)) + " (esc)"


def lines_of(result):
    """The lines that stand for what a command printed and its status."""
    shown = []
    for data, prefix in (result[0], ""), (result[1], "2>"):
        lines = NAMED.sub(b"smilog VERSION", data).split(b"\n")
        for n, line in enumerate(lines if lines[-1] else lines[:-1]):
            text = line_of(line, not shown) + (" (no-eol)" if n == len(lines) - 1 else "")
            shown.append(f"  {prefix} {text}".rstrip() if prefix else text and "  " + text)
    plain = not result[2] and not (shown and re.fullmatch(r"  \[\d+\]", shown[-1]))
    return shown if plain else [*shown, f"  [{result[2]}]"]


def result_of(lines):
    """What lines_of made these of: standard output, standard error, status."""
    known = {b"t": b"\t", b"r": b"\r", b"\\": b"\\"}
    status = re.fullmatch(r"  \[(\d+)\]", lines[-1]) if lines else None
    texts = [b"", b""]
    for line in lines[:-1] if status else lines:
        error = line.startswith("  2>")
        text = line[5 if error else 2:].encode()
        end = b"" if text.endswith(b" (no-eol)") else b"\n"
        text = text.removesuffix(b" (no-eol)")
        if text.endswith(b" (esc)"):
            text = re.sub(rb"\\(?:x(..)|(.))", lambda m: known.get(m[2]) or bytes([int(m[1], 16)]), text[:-6])
        texts[error] += text + end
    return *texts, int(status[1]) if status else 0


def replace(path, changes):
    """Writes other lines instead of those between two numbers, for each of these changes."""
    lines = Path(path).read_bytes().decode().split("\n")
    for first, last, new in sorted(changes, reverse=True):
        lines[first:last] = new
    Path(path).write_bytes("\n".join(lines).encode())


class Case:
    """A case: its name, TOPIC/THE_WORDS_OF_ITS_TITLE; its file; its commands; and what they have to print."""

    def __init__(self, path, lines, first, last):
        self.path, self.topic, self.lines = path, path.stem.partition("-")[0], lines[first:last]
        self.name = f"{self.topic}/{lines[first].replace(' ', '_')}"
        self.commands = commands(path, lines, first + 1, last, "  ")
        self.wanted = [lines[c.first:c.last] for c in self.commands]
        needs = [line.split(" ", 2)[2] for line in lines[first + 1:last] if line.startswith("# skip-unless ")]
        self.skipped = any(not (ROOT / need).exists() for need in needs)

    def run(self, top, env, seconds):
        """In its folder, whose long logs are there already. A here-document in front of all else needs no process."""
        folder = top / "tests/cases" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        written = self.write_inputs(folder)
        return run([":" if c in written else c.text for c in self.commands], folder, env, seconds)

    def write_inputs(self, folder):
        """Writes the logs that it begins with: those commands."""
        written = []
        for command in self.commands:
            found = re.fullmatch(r"cat >('[^']+'|[\w./=+,-]+) <<'EOF'\n(.*)\nEOF", command.text, re.S)
            if found:
                path = folder / found[1].strip("'")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(found[2].encode() + b"\n")
                written.append(command)
            elif not re.fullmatch(r"mkdir -p [\w./=+, '-]+", command.text):
                break
        return written


def cases_of(path):
    """The cases of a file. A title is a line that is neither indented nor a comment; an empty line is in front of it."""
    lines = path.read_bytes().decode().split("\n")
    titles = [i for i, line in enumerate(lines) if line and line[0] not in " #"] + [len(lines)]
    for title in titles[1:]:
        if lines[title - 1]:
            raise SystemExit(f"{path}:{title + 1}: no empty line in front of a title, or no end of the last line")
    return [Case(path, lines, first, last - 1) for first, last in zip(titles, titles[1:])]


def all_cases(folder=CASES):
    cases = [case for path in sorted(folder.glob("*.t")) for case in cases_of(path)]
    twice = [name for name, n in collections.Counter(case.name for case in cases).items() if n > 1]
    if twice:
        raise SystemExit(f"two cases have the name {twice[0]}")
    return cases


def write_inputs(folder):
    """The logs that cases begin with: what else reads all logs of the tests finds them here."""
    for case in all_cases():
        case.write_inputs(folder / case.name)


def make_tree(top, topics):
    """Where cases run: the project, and a copy of the logs of these topics, so that nothing is left in the project."""
    (top / "tests/cases").mkdir(parents=True)
    copied = [CASES / topic for topic in topics if (CASES / topic).is_dir()]
    for path in {*ROOT.iterdir(), *(ROOT / "tests").iterdir(), *CASES.iterdir()} - {ROOT / "tests", ROOT / ".git", CASES, *copied}:
        if path.suffix != ".t":
            (top / path.relative_to(ROOT)).symlink_to(path)
    if copied:
        subprocess.run(["cp", "-a", *copied, top / "tests/cases"], check=True)


if __name__ == "__main__":
    write_inputs(Path(sys.argv[1]))
