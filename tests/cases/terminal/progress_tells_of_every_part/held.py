"""Runs a command on a terminal of its own, holds it for longer than a second once it has a file open whose path matches,
and prints what it wrote there first, without numbers. Several tries, as that file may be closed again already, or the command
may be in its next part when it goes on: until that has the words."""
import os
import pty
import re
import signal
import sys
import time

tries, words, where, command = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]


def has_open(pid):
    try:
        return any(re.search(where, os.readlink("/proc/%d/fd/%s" % (pid, n))) for n in os.listdir("/proc/%d/fd" % pid))
    except OSError:
        return False


def once():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    held = False
    while not held and os.waitpid(pid, os.WNOHANG) == (0, 0):
        if has_open(pid):
            os.kill(pid, signal.SIGSTOP)
            held = has_open(pid)
            time.sleep(1.2 if held else 0)
            os.kill(pid, signal.SIGCONT)
    said = b""
    try:
        while piece := os.read(terminal, 65536):
            said += piece
    except OSError:  # the end of a terminal
        pass
    said = re.sub(b"smilog: wrote .*\r\n$", b"", said)  # behind the line of progress
    return re.sub("[0-9]+", "N", said.decode())


for i in range(tries):
    said = once()
    lines = re.split("\r\033\\[K", said)
    if len(lines) > 1 and words in lines[1]:
        break
print(lines[1] + (" - and away" if lines[-1] == "" else said) if len(lines) > 1 else repr(said))
