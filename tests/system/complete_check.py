#!/usr/bin/env python3
"""The completions of smilog in real shells: bash (with and without bash-completion), zsh and fish.

Each shell gets the same command lines in a directory with a few files. It has to offer the words of MUST, and none of
NEVER. SMILOG names the program. Shells that are not installed are named and skipped."""
import os
import pathlib
import shutil
import subprocess
import sys

from lib import SMILOG, check, counts, finish, folder, smilog

os.environ["PATH"] = os.path.dirname(SMILOG) + os.pathsep + os.environ["PATH"]  # the completions ask smilog

FILES = ["out/lr=0.1/seed=1/hw.csv", "out/lr=0.3/hw.csv", "limits.json", "runs.db"]

# command line, what has to be offered, what must not be
LINES = [
    ("smilog ", "summarize report merge diff check live follow run export log list help", "limits.json out/"),
    ("smilog su", "summarize", "report"),
    ("smilog summarize --", "--format --where --columns --price-gpu-hour --help", "--baseline --replay"),
    ("smilog summarize --format ", "table json jsonl csv md xlsx line ledger", "html junit limits.json"),
    ("smilog summarize --format=js", "json jsonl", "csv"),
    ("smilog summarize --columns ", "run state idle_pct energy_wh", "limits.json"),
    ("smilog summarize --columns run,idl", "run,idle_pct", "run,state"),
    ("smilog summarize --sort=-idle", "-idle_pct", "-energy_wh"),
    ("smilog summarize --input-format nvidia-smi-", "nvidia-smi-query nvidia-smi-table nvidia-smi-xml", "dmon"),
    ("smilog summarize --input-columns timestamp,power.d", "timestamp,power.draw", "timestamp,index"),
    ("smilog summarize --run-per ", "auto dir file", "limits.json"),
    ("smilog summarize --color=al", "always", "auto never"),
    ("smilog summarize --rules l", "limits.json", "runs.db"),
    ("smilog summarize o", "out/", "runs.db"),
    ("smilog summarize out/lr=0.1/s", "out/lr=0.1/seed=1/", "out/lr=0.3/"),
    ("smilog summarize -o r", "runs.db", "limits.json"),
    ("smilog report --format ", "html md xlsx", "json line"),
    ("smilog check --fail-on ", "info warn strong error", "limits.json"),
    ("smilog check --format ", "table json junit github", "csv"),
    ("smilog check --max-", "--max-idle-pct --max-vram-mb --max-temp", "--min-gpu-util"),
    ("smilog diff --format ", "table json csv md", "junit"),
    ("smilog diff o", "out/", "runs.db"),
    ("smilog live --format ", "plain jsonl", "json"),
    ("smilog live -o ", "out/", "limits.json"),
    ("smilog live --names ", "smilog dcgm", "limits.json"),
    ("smilog run --gpu-brand ", "auto nvidia amd", "limits.json"),
    ("smilog run --format gpu", "gpu-tracker-json gpu-tracker-text", "table"),
    ("smilog export --to ", "sqlite: csv: jsonl: openmetrics: pytorch:", "limits.json"),
    ("smilog export --to sqlite:r", "sqlite:runs.db", "sqlite:limits.json"),
    ("smilog list ", "metrics formats outputs columns rules alerts", "limits.json"),
    ("smilog help --complete ", "bash zsh fish", "limits.json"),
    ("smilog help li", "live list", "run"),
    ("smilog run envsu", "envsubst", "limits.json"),
]

BASH = r"""
line=$1
. "$2"
[ -z "$3" ] || . /usr/share/bash-completion/bash_completion
# words as readline cuts them
COMP_LINE=$line COMP_POINT=${#line} COMP_WORDS=() word=
add() { [ -z "$word" ] || COMP_WORDS+=("$word"); word=; }
for ((k = 0; k < ${#line}; k++)); do
    c=${line:k:1}
    case $c in
    ' ') add ;;
    [=:]) add; COMP_WORDS+=("$c") ;;
    *) word+=$c ;;
    esac
done
[ "$word" ] || [[ $line != *' ' ]] && [[ ! $word && $line == *[=:] ]] || COMP_WORDS+=("$word")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_smilog smilog "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
typed=${COMP_WORDS[COMP_CWORD]}
before=${line%"$typed"} before=${before##* }
[[ $typed == [=:] ]] && before=${line##* }
for w in "${COMPREPLY[@]}"; do
    [ ! -d "$before$w" ] || w+=/
    printf '%s\n' "$before$w"
done
"""

ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
send() { zpty -w z "$1"; }
send "PROMPT= ; unsetopt zle_bracketed_paste; fpath=($2 \$fpath); autoload -Uz compinit; compinit -u -d $2/dump"
send 'stty -echo'
send 'bindkey "^I" complete-word; zstyle ":completion:*" list-grouped false; zstyle ":completion:*" insert-tab false'
send 'before_all() { print -r -- "<""<"; }; after_all() { print -r -- ">"">"; exit; }
compprefuncs=(before_all); comppostfuncs=(after_all)
compadd() {
    local -a hits skip; local -i i
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    builtin compadd -A hits "$@"
    local -A given; zparseopts -E -A given P: p: S: W: f
    local dir=${given[-p]}
    for i in {1..$#hits}; do
        [[ -n $hits[i] ]] || continue
        print -r -- "$IPREFIX${given[-P]}$dir$hits[i]${given[-S]}"
    done
    builtin compadd "$@"
}'
zpty -w -n z "$1"$'\t'
zpty -r -m z out "*>>*"
print -r -- "$out" | tr -d '\r' | sed '1,/<</d; />>/,$d'
"""


def offered(shell, line, folder, script):
    if shell.startswith("bash"):
        call = ["bash", "--norc", "-c", BASH, "bash", line, str(script), "" if shell == "bash" else "1"]
    elif shell == "zsh":
        call = ["zsh", "-f", "-c", ZSH, "zsh", line, str(script.parent)]
    else:
        call = ["fish", "--no-config", "-c", f"source {script}; complete -C {line!r}"]
    try:
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return set(), "hangs"
    words = {w.split("\t")[0].rstrip() for w in done.stdout.splitlines()}
    return words, done.stderr


def bare(words, line):
    """What is offered without the option in front, and directories with one slash."""
    last = line.split(" ")[-1]
    front = last.partition("=")[0] + "=" if last.startswith("--") and "=" in last else ""
    clean = set()
    for w in words:
        w = w.removeprefix(front).replace("\\", "").replace("//", "/")
        clean |= {w, w.rstrip("/") + "/"} if os.path.isdir(w) else {w, w.rstrip(",")}
    return clean


def main():
    shells = [s for s in ("bash", "zsh", "fish") if shutil.which(s)]
    for s in {"bash", "zsh", "fish"} - set(shells):
        print(f"skipped: {s} is not installed")
    if os.path.exists("/usr/share/bash-completion/bash_completion"):
        shells.append("bash-completion")
    with folder() as top:
        work = pathlib.Path(top) / "work"
        for name in FILES:
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).touch()
        os.chdir(work)
        for shell in shells:
            before = counts[True]
            name = shell.partition("-")[0]
            script = pathlib.Path(top) / name / "_smilog"
            script.parent.mkdir(exist_ok=True)
            script.write_text(smilog("help", "--complete", name).stdout)
            for line, must, never in LINES:
                words, said = offered(shell, line, work, script)
                words = bare(words, line)
                lacks = set(must.split()) - words
                wrong = set(never.split()) & words
                check(f"{shell}: {line!r}", not lacks and not wrong and not said.strip(), f"lacks {sorted(lacks)}, offers "
                      f"{sorted(wrong)} of {sorted(words)[:8]}; {said.strip()[:300]}")
            print(f"{shell}: {counts[True] - before} of {len(LINES)} command lines")
        os.chdir("/")


main()
sys.exit(finish())
