a script is summarized
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ mkdir out
  $ smilog log out/run.jsonl event start lr=0.1 seed=3
  $ smilog log out/run.jsonl phase compile 41.2
  $ smilog log out/run.jsonl phase fit 100
  $ smilog log out/run.jsonl phase fit 20.5
  $ (exit 3); smilog log out/run.jsonl event stop exit_status=$?
  $ smilog summarize out --columns run,state,state_reason,param.lr,param.seed --format csv
  run,state,state_reason,param.lr,param.seed
  out,failed,"exit status 3",0.1,3
  $ smilog summarize out --sql 'select name, count, seconds from phases' --format csv
  name,count,seconds
  fit,2,120.5
  compile,1,41.2

after a killed writer
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ printf '{"ts": "2026-11-21T06:22:31.123+00:00", "type": "ev' >run.jsonl
  $ smilog log run.jsonl event a
  $ untimed run.jsonl
  {"ts": NOW, "type": "ev
  {"ts": NOW, "type": "event", "event": "a"}
  $ smilog summarize --json . | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"][0]; print(r["events"], r["inputs"][0]["rejected"])'
  {'a': 1} {'foreign': 1}
  2> smilog: run.jsonl:1: warning: no row, no header, no known message: "{"ts": "2026-11-21T06:22:31.123+00:00", "type": "ev"

files that cannot be appended to
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ mkdir d; mkfifo p
  $ for f in d p /dev/null absent/run.jsonl ''; do smilog log "$f" event a; echo $?; done
  4
  4
  4
  4
  4
  2> smilog: cannot append to d: Is a directory
  2> smilog: cannot append to p: it is a pipe; - is standard output
  2> smilog: cannot append to /dev/null: it is a device; - is standard output
  2> smilog: cannot append to absent/run.jsonl: No such file or directory
  2> smilog: cannot append to : No such file or directory
  $ ls
  d
  p

full disk leaves whole lines
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log run.jsonl event a
  $ (ulimit -f 1; smilog log run.jsonl event b text="$(head -c 4000 /dev/zero | tr '\0' x)"; echo $?)
  4
  2> smilog: cannot append to run.jsonl: File too large
  $ smilog log run.jsonl event c
  $ untimed run.jsonl
  {"ts": NOW, "type": "event", "event": "a"}
  {"ts": NOW, "type": "event", "event": "c"}

help
  $ smilog help log
  Appends a phase that has just ended, or an event, to a run log (RunLog). It
  creates the file if necessary. Several processes may write to it at once.
  Numbers, true, false and null keep their type; other values are texts;
  KEY:=JSON takes any JSON. The values of the first event are the parameters of
  the run. FILE - is standard output.

    smilog log out/run.jsonl event start lr=0.1 seed=3
    SECONDS=0; ./compile.sh; smilog log out/run.jsonl phase compile $SECONDS
    smilog log out/run.jsonl event reload weights=v412 'gpus:=[0, 1]'
    ./train.sh; smilog log out/run.jsonl event stop exit_status=$?

  usage: smilog log FILE phase NAME SECONDS|event NAME [KEY=VALUE]...
    -h, --help                      Show this help

jax and torch peaks
# Modules that answer as JAX and PyTorch do stand in for them: two GPUs, and a CPU device that has no memory_stats.
  $ scripts=$PWD/../../../../scripts/examples t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ export PYTHONPATH=$scripts PYTHONDONTWRITEBYTECODE=1
  $ mkdir none
  $ cat >jax.py <<'END'
  > class Device:
  >     def __init__(self, peak):
  >         self.peak = peak
  >     def memory_stats(self):
  >         return self.peak and {"bytes_in_use": 5, "peak_bytes_in_use": self.peak}
  > def local_devices():
  >     return [Device(3 << 30), Device(43 << 30), Device(None)]
  > END
  $ cat >torch.py <<'END'
  > class cuda:
  >     is_available, device_count = staticmethod(lambda: True), staticmethod(lambda: 2)
  >     max_memory_allocated = staticmethod(lambda i: [7 << 30, 5 << 30][i])
  > END
  $ python3 -c 'import smilog_jax; print(smilog_jax.log("none/run.jsonl"))'
  {}
  $ for framework in jax torch; do
  >     mkdir $framework
  >     smilog log $framework/run.jsonl event start
  >     PYTHONPATH=$t:$scripts python3 -c "import $framework, smilog_jax; print(smilog_jax.log('$framework/run.jsonl'))"
  >     smilog log $framework/run.jsonl event stop
  > done
  {'peak_bytes_in_use': 46170898432}
  {'torch_max_memory_allocated': 7516192768}
  $ sed -E 's/"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00"/"ts": NOW/' */run.jsonl
  {"ts": NOW, "type": "event", "event": "start"}
  {"ts": NOW, "type": "event", "event": "gpu_memory", "data": {"peak_bytes_in_use": 46170898432}}
  {"ts": NOW, "type": "event", "event": "stop"}
  {"ts": NOW, "type": "event", "event": "start"}
  {"ts": NOW, "type": "event", "event": "gpu_memory", "data": {"torch_max_memory_allocated": 7516192768}}
  {"ts": NOW, "type": "event", "event": "stop"}
  $ smilog summarize -q --json jax torch | python3 -c 'import json, sys
  > for r in json.load(sys.stdin)["runs"]: print(r["run"], r["events"], r["summary"].get("jax_peak_bytes_mb"), r["vram"]["used_peak_mb"], r["vram"]["source"])'
  jax {'gpu_memory': 1, 'start': 1, 'stop': 1} 44032.0 44032.0 jax
  torch {'gpu_memory': 1, 'start': 1, 'stop': 1} None 7168.0 torch
  $ ls none

jax log never raises
# A full disk, a directory that is gone, values that are none, threads and forks: said once, and the training goes on.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT || exit
  $ cat >"$d/train.py" <<'END'
  > import json, os, sys, threading, types
  > import smilog_jax
  > device = types.SimpleNamespace(memory_stats=lambda: {"peak_bytes_in_use": peak})
  > sys.modules["jax"] = types.SimpleNamespace(local_devices=lambda: [device])
  > bridge = sys.modules["jax._src.xla_bridge"] = types.SimpleNamespace(_backends={})
  > def lines():
  >     return [json.loads(line)["data"] for line in open("run.jsonl")] if os.path.exists("run.jsonl") else []
  > peak = 7 << 30
  > for path in "run.jsonl", "/dev/full", "gone/run.jsonl", ".", None, "run.jsonl\0":
  >     print(repr(path), smilog_jax.log(path), smilog_jax.log(path))
  > print("no path", smilog_jax.log(), smilog_jax.log())
  > os.environ["SMILOG_DIR"] = "."
  > print("smilog run", smilog_jax.log())
  > for peak in float("nan"), object(), "many", 3.0, None:
  >     print(smilog_jax.log("run.jsonl"))
  > peak = 5
  > print(smilog_jax.log("run.jsonl", event={1, 1}), smilog_jax.log("run.jsonl", event=b"x"))
  > threads = [threading.Thread(target=smilog_jax.log, args=["/dev/full/x"]) for _ in range(20)]
  > [t.start() for t in threads], [t.join() for t in threads]
  > for bridge._backends in {}, {"cuda": 1}: # the second would hang for ever
  >     if not os.fork():
  >         print("fork", smilog_jax.log("run.jsonl"), flush=True)
  >         os._exit(0)
  >     os.wait()
  > sys.stderr.close()
  > print(smilog_jax.log("closed/run.jsonl"))
  > sys.stderr = None
  > print(smilog_jax.log("none/run.jsonl"))
  > sys.modules["jax"] = types.SimpleNamespace() # half imported
  > print(smilog_jax.log("run.jsonl"))
  > print(lines())
  > END
  $ scripts=$PWD/../../../../scripts/examples
  $ cd "$d" && unset SMILOG_DIR && PYTHONPATH=$scripts PYTHONDONTWRITEBYTECODE=1 python3 -u train.py 2>&1 | sed 's/ at 0x[0-9a-f]*//'
  'run.jsonl' {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog_jax: '/dev/full' has no line of ['peak_bytes_in_use']: [Errno 28] No space left on device
  '/dev/full' {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog_jax: 'gone/run.jsonl' has no line of ['peak_bytes_in_use']: [Errno 2] No such file or directory: 'gone/run.jsonl'
  'gone/run.jsonl' {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog_jax: '.' has no line of ['peak_bytes_in_use']: [Errno 21] Is a directory: '.'
  '.' {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog_jax: no line of ['peak_bytes_in_use']: log() without a path needs SMILOG_DIR, which smilog run sets
  None {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog_jax: 'run.jsonl\x00' has no line of ['peak_bytes_in_use']: embedded null byte
  'run.jsonl\x00' {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  no path {'peak_bytes_in_use': 7516192768} {'peak_bytes_in_use': 7516192768}
  smilog run {'peak_bytes_in_use': 7516192768}
  smilog_jax: peak_bytes_in_use is not known: cannot convert float NaN to integer
  {}
  {}
  {}
  {'peak_bytes_in_use': 3}
  {}
  {'peak_bytes_in_use': 5} {'peak_bytes_in_use': 5}
  smilog_jax: '/dev/full/x' has no line of ['peak_bytes_in_use']: [Errno 20] Not a directory: '/dev/full/x'
  fork {'peak_bytes_in_use': 5}
  fork {}
  {'peak_bytes_in_use': 5}
  {'peak_bytes_in_use': 5}
  {}
  [{'peak_bytes_in_use': 7516192768}, {'peak_bytes_in_use': 7516192768}, {'peak_bytes_in_use': 7516192768}, {'peak_bytes_in_use': 3}, {'peak_bytes_in_use': 5}, {'peak_bytes_in_use': 5}, {'peak_bytes_in_use': 5}]

json values
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log run.jsonl event a 'gpus:=[0, 1]' 'o:={"a": {"b": null}}' 't:="7"' 'n:=1e3' $'lines:=[1,\n2]'
  $ untimed run.jsonl
  {"ts": NOW, "type": "event", "event": "a", "data": {"gpus": [0, 1], "o": {"a": {"b": null}}, "t": "7", "n": 1e3, "lines": [1, 2]}}
  $ for v in '[1' '1, 2' '1], [2' NaN '' "'a'" '"\xff"' x; do smilog log bad.jsonl event a "k:=$v"; echo $?; done
  2
  2
  2
  2
  2
  2
  2
  2
  2> smilog: k: [1 is no JSON value
  2> try: smilog help log
  2> smilog: k: 1, 2 is no JSON value
  2> try: smilog help log
  2> smilog: k: 1], [2 is no JSON value
  2> try: smilog help log
  2> smilog: k: NaN is no JSON value
  2> try: smilog help log
  2> smilog: k:  is no JSON value
  2> try: smilog help log
  2> smilog: k: 'a' is no JSON value
  2> try: smilog help log
  2> smilog: k: "\xff" is no JSON value
  2> try: smilog help log
  2> smilog: k: x is no JSON value
  2> try: smilog help log
  $ ls
  run.jsonl

many at once
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ for i in {1..8}; do (for j in {1..25}; do smilog log run.jsonl event e i=$i j=$j || echo failed; done) & done
  > wait
  $ python3 -SE -c 'import json; print(len({(d["i"], d["j"]) for d in (json.loads(l)["data"] for l in open("run.jsonl"))}))'
  200

names may begin with a dash
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log run.jsonl event -x -y=-3
  $ smilog log run.jsonl event -- --help
  $ smilog log run.jsonl phase -- -p .5
  $ smilog log -- -f.jsonl event a
  $ untimed run.jsonl ./-f.jsonl
  {"ts": NOW, "type": "event", "event": "-x", "data": {"-y": -3}}
  {"ts": NOW, "type": "event", "event": "--help"}
  {"ts": NOW, "type": "phase", "name": "-p", "seconds": 0.5}
  {"ts": NOW, "type": "event", "event": "a"}
  $ smilog log run.jsonl event --help | head -n 1
  Appends a phase that has just ended, or an event, to a run log (RunLog). It

odd bytes
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log run.jsonl event $'\xff\x01\n"\\' $'k\xc3\xa9=\xe2\x80\xae\xc3' && smilog log run.jsonl phase $'\e[31m' 0
  $ untimed run.jsonl
  {"ts": NOW, "type": "event", "event": "�\u0001\u000a\"\\", "data": {"ké": "\u202e�"}}
  {"ts": NOW, "type": "phase", "name": "\u001b[31m", "seconds": 0.0}
  $ python3 -SE -c 'import json; [json.loads(l) for l in open("run.jsonl", encoding="utf-8")]'

phases and events are the references
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log run.jsonl event start lr=0.1 seed=3 model=heston on=true none=null seven=007 empty= 'k v=a "b"=c'
  $ smilog log run.jsonl phase compile 41.2 cache=cold
  $ smilog log run.jsonl phase fit 12
  $ smilog log run.jsonl event stop
  $ untimed run.jsonl
  {"ts": NOW, "type": "event", "event": "start", "data": {"lr": 0.1, "seed": 3, "model": "heston", "on": true, "none": null, "seven": "007", "empty": "", "k v": "a \"b\"=c"}}
  {"ts": NOW, "type": "phase", "name": "compile", "seconds": 41.2, "cache": "cold"}
  {"ts": NOW, "type": "phase", "name": "fit", "seconds": 12.0}
  {"ts": NOW, "type": "event", "event": "stop"}
  $ python3 -SE -c 'import json; print([json.loads(l).get("data") for l in open("run.jsonl")])'
  [{'lr': 0.1, 'seed': 3, 'model': 'heston', 'on': True, 'none': None, 'seven': '007', 'empty': '', 'k v': 'a "b"=c'}, None, None, None]

standard output
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ smilog log - event a b=c | untimed
  {"ts": NOW, "type": "event", "event": "a", "data": {"b": "c"}}
  $ smilog log - event a >&-
  2> smilog: cannot write standard output: Bad file descriptor
  [4]
  $ echo $?
  4
  $ smilog log - event a >/dev/full
  2> smilog: cannot write standard output: No space left on device
  [4]
  $ echo $?
  4
  $ ls

what is no run log is refused
# A file that is there and is no run log stays as it is; a run log, an empty file, or a line that a killed writer left is
# written to.
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ printf 'timestamp, index, utilization.gpu [%%]\n2026/11/21 08:00:00.000, 0, 50 %%\n' >gpu.csv
  $ echo '# gpu   pwr' >dmon.log
  $ echo 'epoch 1: loss 0.5' >train.log
  $ echo '{"loss": 0.5, "step": 1}' >metrics.jsonl
  $ printf '\x7fELF\0\0' >binary
  $ : >empty
  $ printf '{"ts": "2026-11-21T06:22:31.123+00:00", "ty' >torn
  $ echo '{"type": "event", "event": "start", "ts": "2026-11-21T06:22:31.123+00:00", "data": {}}' >other
  $ for f in gpu.csv dmon.log train.log metrics.jsonl binary empty torn other; do
  >     cp $f before
  >     smilog log $f event a; echo "$f $? $(cmp -s $f before && echo stays)"
  > done
  gpu.csv 4 stays
  dmon.log 4 stays
  train.log 4 stays
  metrics.jsonl 4 stays
  binary 4 stays
  empty 0\x20 (esc)
  torn 0\x20 (esc)
  other 0\x20 (esc)
  2> smilog: gpu.csv is not a run log, and stays as it is; name a new file, such as run.jsonl
  2> smilog: dmon.log is not a run log, and stays as it is; name a new file, such as run.jsonl
  2> smilog: train.log is not a run log, and stays as it is; name a new file, such as run.jsonl
  2> smilog: metrics.jsonl is not a run log, and stays as it is; name a new file, such as run.jsonl
  2> smilog: binary is not a run log, and stays as it is; name a new file, such as run.jsonl

what is wrong makes no file
  $ t=$(mktemp -d); cd "$t" || exit; trap 'rm -rf "$t"' EXIT
  $ untimed() { sed -E 's/^\{"ts": "2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}\+00:00", /{"ts": NOW, /' "$@"; }
  $ while read -r words; do eval "smilog log bad.jsonl $words" 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"; done <<'END'
  >
  > phase
  > phase fit
  > phase fit soon
  > phase fit -3
  > phase fit nan
  > phase fit inf
  > phase fit 1e
  > phase fit 1000000001
  > phase "" 3
  > event
  > event ""
  > event a b
  > event a =b
  > event a b=1 b=2
  > phase fit 3 seconds=4
  > phase fit 3 ts=now
  > phse fit 3
  > evnt a
  > stop
  > --what event a
  > END
  smilog: log needs FILE phase NAME SECONDS, or FILE event NAME
  2
  smilog: log FILE phase needs NAME SECONDS
  2
  smilog: log FILE phase needs NAME SECONDS
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not "soon"
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not "-3"
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not "nan"
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not "inf"
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not "1e"
  2
  smilog: a phase lasts 0 to 1000000000 seconds, not 1000000001
  2
  smilog: a phase needs a name
  2
  smilog: log FILE event needs NAME
  2
  smilog: an event needs a name
  2
  smilog: log needs KEY=VALUE, not "b"
  2
  smilog: log needs KEY=VALUE, not "=b"
  2
  smilog: b is given twice
  2
  smilog: seconds is a key of the log itself
  2
  smilog: ts is a key of the log itself
  2
  smilog: behind FILE log needs phase or event, not "phse"; did you mean phase?
  2
  smilog: behind FILE log needs phase or event, not "evnt"; did you mean event?
  2
  smilog: behind FILE log needs phase or event, not "stop"
  2
  smilog: unknown option --what
  2
  $ smilog log; echo $?
  2
  2> smilog: log needs FILE phase NAME SECONDS, or FILE event NAME
  2> try: smilog help log
  $ ls
