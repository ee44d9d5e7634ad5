archive in archive
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ gzip -c log >log.gz
  $ printf 'run/hw.csv.gz log.gz\n' | python3 -SE "$here/make.py" tar third.tar.gz
  $ printf 'a/third.tar.gz third.tar.gz\nb/hw.csv log\n' | python3 -SE "$here/make.py" zip second.zip
  $ printf 'second.zip second.zip\nc/hw.csv log\n' | python3 -SE "$here/make.py" tar first.tar.xz
  $ smilog summarize --json first.tar.xz | python3 -SE "$here/../pick.py" /runs/0/run /runs/1/run /runs/2/run
  /runs/0/run "c"
  /runs/1/run "second/b"
  /runs/2/run absent
  2> smilog: first.tar.xz/second.zip/a/third.tar.gz: warning: is an archive in an archive in an archive: not read
  2> smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  $ smilog summarize --json second.zip | python3 -SE "$here/../pick.py" /runs/0/run /runs/1/run
  /runs/0/run "a/third/run"
  /runs/1/run "b"
  2> smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once

archive is looked into once
# one thread may look into an archive while another still hands out its directory
  $ t=$(mktemp -d)
  $ trap 'rm -rf "$t"' EXIT
  $ tar cf "$t/runs.tar" -C ../../../fixtures/sweep/lr=0.1 seed=1
  $ for _ in $(seq 60); do
  >     smilog summarize -j 4 --json "$t" 2>&1 >/dev/null
  > done
  $ smilog summarize -j 4 --json "$t" | python3 -SE ../../pick.py run
  run "runs/seed=1"

archive on standard input
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ printf 'hw.csv log\n' | python3 -SE "$here/make.py" tar x.tar.gz
  $ smilog summarize - <x.tar.gz
  2> smilog: -: warning: a tar archive, which can be read from a file, not from a stream
  2> smilog: no usable log in -
  [3]

archive without logs is passed over
# datasets and checkpoints are archives too: silent in a directory, a sentence where they are named
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/in" && cp ../../../fixtures/query_nounits.csv "$d/in/hw.csv" && echo words >"$d/text" && cd "$d" || exit
  $ printf '../out text\nmodel/data.pkl text\n' | python3 -SE "$here/make.py" zip in/model.pt
  $ head -c -60 in/model.pt >in/cut.pt
  $ smilog summarize --json in | python3 -SE "$here/../pick.py" /runs/0/run /runs/1/run
  /runs/0/run "in"
  /runs/1/run absent
  $ smilog summarize in/model.pt; echo "status $?"
  status 3
  2> smilog: in/model.pt/../out: warning: has a name that leads out of the archive: not read
  2> smilog: no usable log in in/model.pt

archives tell the same
  $ for t in tar gzip zstd xz bzip2; do command -v $t >/dev/null || exit 77; done
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/tree" && cp -r ../../../fixtures/sweep "$d/tree" && cd "$d/tree" || exit
  $ tar -cf ../plain.tar sweep
  $ find sweep -type f -printf '%p %p\n' | sort | python3 -SE "$here/make.py" zip ../plain.zip
  $ cd .. && gzip -k plain.tar && zstd -qk plain.tar && xz -k plain.tar && bzip2 -k plain.tar
  $ mv plain.tar.zst plain.txt # its name says nothing
  $ python3 -SE "$here/same.py" --inputs tree plain.tar plain.tar.gz plain.txt plain.tar.xz plain.tar.bz2 plain.zip
  plain.tar the same
  plain.tar.gz the same
  plain.txt the same
  plain.tar.xz the same
  plain.tar.bz2 the same
  plain.zip the same
  $ smilog summarize -j1 --json plain.tar.gz | cmp - <(smilog summarize -j8 --json plain.tar.gz) && echo "on any number of threads"
  on any number of threads
  2> smilog: sweep/lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: sweep/lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: sweep/lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."
  2> smilog: sweep/lr=0.1/seed=4/hw_metrics.csv:446: warning: unfinished last line: "2026/07/04 01:50:42.147, 90, 44, 61234, 81559, "
  2> smilog: sweep/lr=0.1/seed=4/hw_metrics.csv: warning: 1 sample without one row for each of the 2 GPUs (1 row): not assigned to a GPU, and without times
  2> smilog: sweep/lr=0.1/seed=4/run.jsonl:36: warning: unfinished last line: "{"ts": "2026-07-03T23:50:25.772+00:00", "type": "event", "ev..."

bomb in an archive is refused
# a log in a tar that goes on for 1.25 GiB of blanks, packed to 130 KB; a good one beside it
  $ command -v zstd >/dev/null || exit 77
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ d=$(mktemp -d) log=$PWD/../../../fixtures/query_nounits.csv && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/logs" && cd "$d" && cp "$log" logs/good.csv || exit
  $ python3 -SE - "$log" <<'P' | zstd -qc >logs/bomb.tar.zst
  > import sys, tarfile
  > text = open(sys.argv[1], "rb").read()
  > text += b"\n" * (-len(text) % 512)
  > info = tarfile.TarInfo("bomb.csv")
  > info.size = len(text) + 20 * (64 << 20)
  > sys.stdout.buffer.write(info.tobuf() + text)
  > P
  $ python3 -SE -c 'print((" " * 65535 + "\n") * 1024, end="")' | zstd -qc >frame
  $ for i in {1..20}; do cat frame; done >>logs/bomb.tar.zst
  $ ulimit -v 400000
  $ smilog summarize --format jsonl logs 2>warnings | grep -oE '"run": "[^"]*"|"rows": [0-9]+'
  "run": "bomb"
  "rows": 12
  "run": "logs"
  "rows": 12
  $ sed -E 's/[0-9]+ bytes/N bytes/; s/\([0-9]+ : 1;/(N : 1;/; s/:[0-9]+:/:N:/; s/" +\.\.\."/" ..."/' warnings
  smilog: logs/bomb.tar.zst: warning: cannot be read to its end, N bytes of zstd data expand to more than 1024 MiB (N : 1; the limit is 1000 : 1 above 1 GiB): not read
  smilog: bomb: warning: bomb.csv: cannot be read to its end, it is cut off or damaged: what came before is used
  smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  smilog: bomb/bomb.csv:N: warning: unfinished last line: " ..."

bomb is refused
# a log that goes on for 2 GiB of blanks, packed to 200 KB
  $ command -v zstd >/dev/null || exit 77
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ zstd -qc ../../../fixtures/query_nounits.csv >"$d/bomb.csv"
  $ python3 -SE -c 'print((" " * 65535 + "\n") * 1024, end="")' | zstd -qc >"$d/frame"
  $ cd "$d" || exit
  $ for i in {1..32}; do cat frame; done >>bomb.csv
  $ ulimit -v 400000
  $ smilog summarize --run-per file bomb.csv 2>&1 | sed 's/^smilog: bomb.csv: warning: [0-9]* bytes/warning: N bytes/; s/([0-9]* : 1;/(N : 1;/'
  warning: N bytes of zstd data expand to more than 1024 MiB (N : 1; the limit is 1000 : 1 above 1 GiB): not read
  smilog: no usable log in bomb.csv
  $ smilog summarize --run-per file - <bomb.csv >/dev/null 2>&1; echo "status $?"
  status 3

compressed members are joined
  $ for t in gzip zstd xz bzip2; do command -v $t >/dev/null || exit 77; done
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/hw.csv"
  $ cd "$d" || exit
  $ for t in gzip zstd xz bzip2; do (head -c 700 hw.csv | $t -c; tail -c +701 hw.csv | $t -c) >$t; done
  $ (cat gzip; head -c 1000 /dev/zero) >padded
  $ python3 -SE "$OLDPWD/../same.py" --inputs hw.csv gzip zstd xz bzip2 padded
  gzip the same
  zstd the same
  xz the same
  bzip2 the same
  padded the same

compressed tells the same
  $ for t in gzip zstd xz bzip2; do command -v $t >/dev/null || exit 77; done
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/hw.csv"
  $ cd "$d" && gzip -k hw.csv && zstd -qk hw.csv && xz -k hw.csv && bzip2 -k hw.csv && mv hw.csv.bz2 hw.csv.txt
  $ python3 -SE "$OLDPWD/../same.py" --inputs hw.csv hw.csv.gz hw.csv.zst hw.csv.xz hw.csv.txt '<hw.csv' '<hw.csv.gz' '<hw.csv.zst' \
  >     '<hw.csv.xz' '<hw.csv.txt'
  hw.csv.gz the same
  hw.csv.zst the same
  hw.csv.xz the same
  hw.csv.txt the same
  <hw.csv the same
  <hw.csv.gz the same
  <hw.csv.zst the same
  <hw.csv.xz the same
  <hw.csv.txt the same

crlf tells the same
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/hw.csv"
  $ cd "$d" || exit
  $ sed 's/$/\r/' hw.csv >crlf
  $ sed '3~2s/$/\r/' hw.csv >mixed
  $ gzip -k crlf
  $ python3 -SE "$OLDPWD/../same.py" --inputs hw.csv crlf mixed crlf.gz
  crlf the same
  mixed the same
  crlf.gz the same

damaged is used as far as it goes
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ head -c 700 ../../../fixtures/query_nounits.csv | gzip -cn >"$d/part"
  $ tail -c +701 ../../../fixtures/query_nounits.csv | gzip -cn >"$d/rest"
  $ cd "$d" || exit
  $ head -c -9 part >ends_early
  $ (head -c -8 part; printf '\0\0\0\0'; tail -c 4 part) >checksum
  $ (cat part; head -c 30 rest; printf '\377\377\377\377'; tail -c +35 rest) >second_member
  $ (cat part; echo rubbish) >rubbish_behind
  $ printf '\037\213\010\000' >only_the_magic
  $ for f in ends_early checksum second_member rubbish_behind only_the_magic; do
  >     smilog summarize --json $f | python3 -SE "$OLDPWD/../../pick.py" inputs/0/rows inputs/0/rejected/torn_tail
  >     smilog summarize -q --strict $f >/dev/null; echo "status $?"
  > done 2>&1
  smilog: ends_early: warning: its gzip data ends early: what came before (700 bytes) is used
  smilog: ends_early:6: warning: unfinished last line: "2020/10/05 23:59:58.716, GPU-1b9d5c04-77aa-c0de-9e3f-08d2f64..."
  inputs/0/rows 4
  inputs/0/rejected/torn_tail 1
  status 1
  smilog: checksum: warning: its gzip data is damaged: what came before (700 bytes) is used
  smilog: checksum:6: warning: unfinished last line: "2020/10/05 23:59:58.716, GPU-1b9d5c04-77aa-c0de-9e3f-08d2f64..."
  inputs/0/rows 4
  inputs/0/rejected/torn_tail 1
  status 1
  smilog: second_member: warning: its gzip data is damaged: what came before (700 bytes) is used
  smilog: second_member:6: warning: unfinished last line: "2020/10/05 23:59:58.716, GPU-1b9d5c04-77aa-c0de-9e3f-08d2f64..."
  inputs/0/rows 4
  inputs/0/rejected/torn_tail 1
  status 1
  smilog: rubbish_behind: warning: its gzip data is followed by other bytes: what came before (700 bytes) is used
  smilog: rubbish_behind:6: warning: unfinished last line: "2020/10/05 23:59:58.716, GPU-1b9d5c04-77aa-c0de-9e3f-08d2f64..."
  inputs/0/rows 4
  inputs/0/rejected/torn_tail 1
  status 1
  smilog: only_the_magic: warning: cannot be used: its gzip data ends early
  smilog: no usable log in only_the_magic
  no JSON
  smilog: no usable log in only_the_magic
  status 3

encrypted zip
# made by hand: the flag says that the member is encrypted
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ printf 'a/hw.csv log\nb/hw.csv log\n' | python3 -SE "$here/make.py" zip x.zip
  $ python3 -SE - <<'END'
  > data = bytearray(open("x.zip", "rb").read())
  > data[6] |= 1
  > data[data.index(b"PK\1\2") + 8] |= 1
  > open("x.zip", "wb").write(data)
  > END
  $ smilog summarize --json x.zip | python3 -SE "$here/../pick.py" /runs/0/run /runs/1/run
  /runs/0/run "b"
  /runs/1/run absent
  2> smilog: x.zip/a/hw.csv: warning: is encrypted: not read

what cannot be unpacked is reported
# A log in an archive, and a packed one whose first and last lines are needed to find phases and zone, is unpacked into a
# temporary file. Where there is no space for it, that is an error of a log in an archive; the others find their space. A packed
# one is read as it comes, without what needs its ends.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ mkdir run
  $ python3 -SE - <<'PY'
  > with open("run/hw_metrics.csv", "w") as f:
  >     print("timestamp, index, utilization.gpu [%]", file=f)
  >     for i in range(100):
  >         print(f"2026/11/21 08:{i // 60:02}:{i % 60:02}.000, 0, 50 %", file=f)
  > with open("run/run.jsonl", "w") as f:
  >     print('{"ts": "2026-11-21T06:00:00.000+00:00", "type": "event", "event": "start", "data": {"lr": 1}}', file=f)
  >     print('{"ts": "2026-11-21T06:01:00.000+00:00", "type": "phase", "name": "fit", "seconds": 30}', file=f)
  > PY
  $ tar cf run.tar run
  $ gzip run/hw_metrics.csv
  $ show() { smilog summarize --json $1 | python3 -SE -c 'import json, sys; r = json.load(sys.stdin)["runs"]; print([(x["time_base"], [(p["name"], p["samples"]) for p in x["phases"]]) for x in r])'; }
  $ show run.tar; show run
  [('utc+02:00 inferred', [('fit', 30)])]
  [('utc+02:00 inferred', [('fit', 30)])]
  $ (trap '' XFSZ; ulimit -f 1; show run; smilog summarize run.tar; echo $?) 2>&1
  [('utc+02:00 inferred', [('fit', 30)])]
  smilog: run.tar/run/hw_metrics.csv: warning: cannot write the file that it is unpacked to, in $TMPDIR: File too large
  run   no-data   1m00s   2026-11-21 06:00:00 to 06:01:00, UTC
  params: lr=1   files: run.jsonl

  note: no GPU log
  note: no CPU log

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct        -
  gpu_util_max_pct         -
  power_watts_mean         -
  power_watts_max          -
  cpu_usr_mean_pct         -
  cpu_idle_mean_pct        -

  warnings: 1 file not usable (run.tar/run/hw_metrics.csv)
  quality: incomplete: no-data, unread
  1m00s, no GPU data
  0

copies of a packed log are counted once
# Beside the plain log, whose packed twin it is not. hw_metrics.csv.gz is a hard link.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && mkdir run || exit
  $ rows() { python3 -SE -c 'import sys
  > print("timestamp, index, utilization.gpu [%]")
  > for i in range(int(sys.argv[1])): print(f"2026/11/21 08:{i // 60:02}:{i % 60:02}.000, 0, 50 %")' $1; }
  $ rows 100 >run/gpu.csv; rows 200 | gzip -n >run/gpu.csv.gz; cp run/gpu.csv.gz run/gpu_copy.csv.gz; ln run/gpu.csv.gz run/hw_metrics.csv.gz
  $ smilog summarize --run-per dir --json run | python3 -SE -c 'import json, sys; print([(i["path"].split("/")[-1], i["rows"]) for i in json.load(sys.stdin)["runs"][0]["inputs"]])'
  [('gpu.csv', 100), ('gpu.csv.gz', 200)]
  2> smilog: run: warning: hw_metrics.csv.gz: the same content as gpu.csv.gz, given twice: counted once
  2> smilog: run/gpu_copy.csv.gz: warning: is a copy of gpu.csv.gz: not read, so that its rows count once
  2> smilog: run: warning: two logs of one format cover the same time and do not say which GPU they are from, or give the same index: treated as one GPU, whose time counts once; if they are from two GPUs or machines, make each a run (--run-per file)
  $ gzip -nc run/gpu.csv >run/gpu.csv.gz; rm run/gpu_copy.csv.gz run/hw_metrics.csv.gz
  $ (trap '' XFSZ; ulimit -f 1; smilog summarize --run-per dir --json run | python3 -SE -c 'import json, sys; print([(i["path"].split("/")[-1], i["rows"]) for i in json.load(sys.stdin)["runs"][0]["inputs"]])')
  [('gpu.csv', 100)]
  2> smilog: run: warning: gpu.csv.gz: the same content as gpu.csv, given twice: counted once

every format in every wrapping
# A log of each format that is listed: plain, compressed, archived, as Windows writes it, through a pipe. Of the wrappings
# seven are drawn for each format; with make test-long it is all.
  $ cat >wandb.jsonl <<'EOF'
  > {"wandb": "run", "event": "start", "time": "2026-07-03T10:00:00.000Z", "data": {"host": "node1", "lr": 0.1, "model": "resnet \"wide\""}}
  > {"wandb": "other"}
  > {"wandb": "gpu", "index": 0, "name": "NVIDIA A100-SXM4-40GB", "memory": 42949672960, "uuid": "GPU-00000000-0000-4000-8000-000000000000"}
  > {"wandb": "gpu", "index": 1, "name": "NVIDIA A100-SXM4-40GB", "memory": 42949672960, "uuid": "GPU-00000001-0000-4000-8000-000000000000"}
  > {"wandb": "stats", "time": 1783072815.25, "gpu.0.gpu": 37.0, "gpu.0.memory": 12, "gpu.0.memoryAllocatedBytes": 21474836480, "gpu.0.temp": 41, "gpu.0.powerWatts": 181.25, "gpu.1.gpu": 0, "gpu.1.temp": 33, "gpu.process.0.gpu": 37.0}
  > {"wandb": "stats", "time": 1783072815.5, "cpu": 12.5, "memory_percent": 30.25}
  > {"wandb": "history", "event": "step", "time": "2026-07-03T10:00:20.250Z", "data": {"_step": 0, "loss": 2.3}}
  > {"wandb": "stats", "time": 1783072845.25, "disk./.usagePercent": 51.8}
  > {"wandb": "exit", "event": "stop", "time": "2026-07-03T10:01:00.000Z", "data": {"exit_status": 0}}
  > EOF
  $ command -v zstd >/dev/null || exit 77
  $ cut -d' ' -f1 logs | cmp - <(smilog list formats | grep -v -e ^mlflow -e ^kernel-log | cut -d' ' -f1) || exit # a directory; read if asked for
  $ d=$(mktemp -d) here=$PWD && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 -SEB "$here/../wrappings.py" "${SMILOG_WRAPPINGS:-7}" <"$here/logs"
  "nvidia-smi-query" 24 rows, in all wrappings the same
  "dmon" 20 rows, in all wrappings the same
  "amd-smi-metric" 12 rows, in all wrappings the same
  "amd-smi-monitor" 180 rows, in all wrappings the same
  "rocm-smi" 16 rows, in all wrappings the same
  "rocm-smi-json" 3 rows, in all wrappings the same
  "usage-log" 4 rows, in all wrappings the same
  "wandb" 5 rows, in all wrappings the same
  "dcgmi" 4 rows, in all wrappings the same
  "gpu-csv" 2 rows, in all wrappings the same
  "gpu-tracker" 2 rows, in all wrappings the same
  "tegrastats" 12 rows, in all wrappings the same
  "jtop-csv" 4 rows, in all wrappings the same
  "nvitop-csv" 5 rows, in all wrappings the same
  "codecarbon" 3 rows, in all wrappings the same
  "gpu-exporter" 8 rows, in all wrappings the same
  "gpustat" 8 rows, in all wrappings the same
  "gpustat-json" 8 rows, in all wrappings the same
  "nvtop-json" 6 rows, in all wrappings the same
  "amd-smi-json" 6 rows, in all wrappings the same
  "gpu-json" 4 rows, in all wrappings the same
  "nvidia-smi-table" 6 rows, in all wrappings the same
  "nvidia-smi-report" 6 rows, in all wrappings the same
  "nvidia-smi-xml" 6 rows, in all wrappings the same
  "samples-jsonl" 60 rows, in all wrappings the same
  "samples-csv" 48 rows, in all wrappings the same
  "pmon" 7 rows, in all wrappings the same
  "compute-apps" 5 rows, in all wrappings the same
  "amd-smi-process" 6 rows, in all wrappings the same
  "accounted-apps" 3 rows, in all wrappings the same
  "retired-pages" 2 rows, in all wrappings the same
  "cpu-csv" 362 rows, in all wrappings the same
  "proc-stat" 2 rows, in all wrappings the same
  "procs-csv" 4 rows, in all wrappings the same
  "runlog" 60 rows, in all wrappings the same

member comes twice
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/new" && head -n 3 "$d/new" >"$d/old" && cd "$d" || exit
  $ printf 'run/hw.csv old\nx.csv new\nrun/hw.csv new\n' | python3 -SE "$here/make.py" tar x.tar
  $ smilog summarize --json x.tar | python3 -SE "$here/../pick.py" /runs/0/run /runs/0/inputs/0/rows /runs/1/run
  /runs/0/run "run"
  /runs/0/inputs/0/rows 12
  /runs/1/run "x"
  2> smilog: x.tar/run/hw.csv: warning: is in the archive again: the last one counts
  2> smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once

member that comes twice does not cut its directory in two
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/new" && head -n 3 "$d/new" >"$d/old" && cd "$d" && echo 'lr: 0.1' >cfg || exit
  $ printf 'run/config.yaml cfg\nrun/hw.csv old\nrun/hw.csv new\n' | python3 -SE "$here/make.py" tar x.tar
  $ smilog summarize --json x.tar | python3 -SE "$here/../pick.py" /runs/0/run /runs/0/params/lr
  /runs/0/run "run"
  /runs/0/params/lr 0.1
  2> smilog: x.tar/run/hw.csv: warning: is in the archive again: the last one counts

mlflow in an archive is named
# Runs of MLflow's file store are not read from an archive: a warning says how many there are.
  $ make=$PWD/../make.py d=$(mktemp -d) && cd "$d" || exit
  $ for r in 1 2; do
  >     mkdir -p mlruns/0/$r/metrics/system mlruns/0/$r/tags mlruns/0/$r/params
  >     printf 'run_id: %s\nrun_name: r%s\nstart_time: 1783072800000\nstatus: 3\n' $r $r >mlruns/0/$r/meta.yaml
  >     echo "1783072810000 50.0 0" >mlruns/0/$r/metrics/system/gpu_0_utilization_percentage
  >     echo "r$r" >mlruns/0/$r/tags/mlflow.runName
  >     echo 0.1 >mlruns/0/$r/params/lr
  > done
  $ tar czf mlruns.tar.gz mlruns && (cd mlruns/0 && find 1 -type f | sed 's/.*/& &/' | python3 "$make" zip ../../one.zip) && mkdir in && tar cf in/mlruns.tar mlruns
  $ for p in mlruns.tar.gz one.zip in; do smilog summarize $p 2>&1; echo "status $?"; done
  smilog: mlruns.tar.gz: warning: runs of MLflow's file store in it: 2, not read from archives, unpack it
  smilog: no usable log in mlruns.tar.gz
  status 3
  smilog: one.zip: warning: runs of MLflow's file store in it: 1, not read from archives, unpack it
  smilog: no usable log in one.zip
  status 3
  smilog: in/mlruns.tar: warning: runs of MLflow's file store in it: 2, not read from archives, unpack it
  smilog: no usable log in in
  status 3
  $ smilog summarize -q mlruns | head -1
  2 runs in mlruns   1 GPU
  $ rm -r "$d"

names that lead out
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/in" && cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ printf '../../evil/hw.csv log\na/../../../hw.csv log\n/etc/hw.csv log\nrun/hw.csv log\n' | python3 -SE "$here/make.py" zip in/x.zip
  $ smilog summarize -q --json in | python3 -SE "$here/../pick.py" /runs/0/run /runs/1/run /runs/2/run
  /runs/0/run "x/etc"
  /runs/1/run "x/run"
  /runs/2/run absent
  $ smilog summarize -q --strict in >/dev/null; echo "status $?"; find . | sort
  status 1
  .
  ./in
  ./in/x.zip
  ./log

one run over archives and files
# --run makes one run of logs in two archives and a file
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp -r "../../../fixtures/sweep/lr=0.1/seed=1" "$d/seed" && cd "$d" || exit
  $ printf 'hw_metrics.csv seed/hw_metrics.csv\n' | python3 -SE "$here/make.py" tar gpu.tar.gz
  $ printf 'cpu_metrics.csv seed/cpu_metrics.csv\n' | python3 -SE "$here/make.py" zip cpu.zip
  $ python3 -SE - <<'END'
  > import json, subprocess
  > def read(*paths):
  >     out = subprocess.run(["smilog", "summarize", "--run-per", "file", "-q", "--json", "--run", "x", *paths], capture_output=True).stdout
  >     r = json.loads(out)["runs"]
  >     for i in r[0]["inputs"]:
  >         i.pop("path")
  >     return r
  > whole = read("seed/hw_metrics.csv", "seed/cpu_metrics.csv", "seed/run.jsonl")
  > parts = read("gpu.tar.gz", "cpu.zip", "seed/run.jsonl")
  > whole[0]["inputs"].sort(key=str), parts[0]["inputs"].sort(key=str)
  > print(len(whole), len(parts), whole == parts)
  > END
  1 1 True

order of members does not matter
# phases and zone of a run come from members that stand behind those that need them; runs are mixed
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/tree" && cp -r ../../../fixtures/sweep "$d/tree" && cd "$d/tree" || exit
  $ find sweep -type f -printf '%f %p\n' | sort | sed 's/^[^ ]* \(.*\)/\1 \1/' | python3 -SE "$here/make.py" tar ../by_file.tar.gz
  $ find sweep -type f -printf '%f %p\n' | sort -r | sed 's/^[^ ]* \(.*\)/\1 \1/' | python3 -SE "$here/make.py" tar ../by_file_back.tar.xz
  $ cd .. && python3 -SE "$here/same.py" --inputs tree by_file.tar.gz by_file_back.tar.xz
  by_file.tar.gz the same
  by_file_back.tar.xz the same

packed twice
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ gzip -c ../../../fixtures/query_nounits.csv | gzip -c >"$d/twice.gz"
  $ cd "$d" && smilog summarize twice.gz
  2> smilog: twice.gz: warning: cannot be used: gzip data that was packed twice: not read
  2> smilog: no usable log in twice.gz
  [3]
  $ smilog summarize - <twice.gz
  2> smilog: -: warning: gzip data that was packed twice: not read
  2> smilog: no usable log in -
  [3]

partials of archives
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/tree" && cp -r ../../../fixtures/sweep "$d/tree" && cd "$d/tree" || exit
  $ find sweep -type f -printf '%f %p\n' | sort | sed 's/^[^ ]* \(.*\)/\1 \1/' | python3 -SE "$here/make.py" tar ../x.tar.gz
  $ cd .. && for j in 1 4; do smilog summarize -q -j$j --partial x.tar.gz | cmp - <(smilog summarize -q --partial tree) && echo same; done
  same
  same

five layouts of sixteen runs, in eleven ways
# Names, states, parameters and waste are the same by directory, by files, from inside, and of archives of the directory
# or of what it holds.
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ python3 - <<'EOF'
  > import glob, json, os, subprocess, tarfile, zipfile
  > def put(path, text):
  >     os.makedirs(os.path.dirname(path), exist_ok=True)
  >     with open(path, "w") as f:
  >         f.write(text)
  > def log(path, k):
  >     use = [0 if s < 20 + 30 * k or 600 < s < 600 + 20 * k else 90 for s in range(0, 1200, 2)]
  >     put(path, "timestamp, index, uuid, utilization.gpu [%], power.draw [W]\n" + "".join(
  >         "2026/03/%02d %02d:%02d:%02d.000, 0, GPU-%08x, %d %%, %d W\n" % (1 + k // 8, 8 + k % 8, i // 30, 2 * i % 60, k, u, 80 + 3 * u)
  >         for i, u in enumerate(use)))
  > def hydra(d, k):
  >     log("%s/%d/gpu.csv" % (d, k), k)
  >     put("%s/%d/.hydra/overrides.yaml" % (d, k), "- lr=%g\n- model.depth=%d\n" % (10.0 ** -(k % 4), k // 4))
  >     if k == 3:
  >         put("%s/3/train.log" % d, "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB\n")
  > def wandb(d, k):
  >     run = "%s/run-202603%02d_%02d0000-ab%02dcd%02d/files/" % (d, 1 + k // 8, 8 + k % 8, k, k)
  >     log(run + "gpu.csv", k)
  >     put(run + "config.yaml", "lr:\n  desc: null\n  value: %g\n" % 10.0 ** -(k % 4))
  > def slurm(d, k):
  >     log("%s/gpu-4711_%d.csv" % (d, k), k)
  >     put("%s/slurm-4711_%d.out" % (d, k), "slurmstepd: error: Detected 1 oom_kill event in StepId=4711.batch." if k == 5 else "done\n")
  > def flat(d, k):
  >     log("%s/%s_lr%g_seed%d.csv" % (d, ("baseline", "big-batch")[k % 2], 10.0 ** -(k // 2 % 2), k // 4), k)
  > def grid(d, k):
  >     log("%s/lr=%g/seed=%d/hw_metrics.csv" % (d, 10.0 ** -(k % 4), k // 4), k)
  > def told(cwd, *args):
  >     p = subprocess.run(["smilog", "summarize", "-q", "--json", *args], cwd=cwd, capture_output=True, text=True)
  >     return [(r["run"], r["state"], r["state_reason"], r["params"], r["wasted_h"]) for r in json.loads(p.stdout)["runs"]]
  > for layout in hydra, wandb, slurm, flat, grid:
  >     d = layout.__name__
  >     for k in range(16):
  >         layout(d, k)
  >     logs, inner = sorted(glob.glob(d + "/**/*.csv", recursive=True)), sorted(os.listdir(d))
  >     for name, what in (d, [(d, d)]), ("dot", [(d, ".")]), ("inner", [(d + "/" + e, e) for e in inner]):
  >         with tarfile.open(name + ".tgz", "w:gz") as t:
  >             for path, at in what:
  >                 t.add(path, at)
  >     with zipfile.ZipFile(d + ".zip", "w") as z:
  >         for path in sorted(glob.glob(d + "/**", recursive=True, include_hidden=True)):
  >             z.write(path)
  >     want = told(".", d)
  >     ways = {d + "/": (".", d + "/"), "absolute": ("/", os.path.abspath(d)), ".": (d, "."), "nothing": (d,), "files": (".", *logs),
  >             "files inside": (d, *(os.path.relpath(p, d) for p in logs)), "files absolute": ("/", *map(os.path.abspath, logs)),
  >             **{a: (".", a) for a in (d + ".tgz", "dot.tgz", "inner.tgz", d + ".zip")}}
  >     print(d, len(want), want[5][:2], *(w for w, how in ways.items() if told(*how) != want))
  > EOF
  hydra 16 ('5', 'unknown')
  wandb 16 ('run-20260301_130000-ab05cd05', 'unknown')
  slurm 16 ('4711_5', 'failed')
  flat 16 ('baseline_lr1_seed1', 'unknown')
  grid 16 ('lr=0.01/seed=1', 'unknown')

run names are paths inside
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/out" && cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ printf './lr=0.1/hw.csv log\n/lr=0.2//x/./hw.csv log\nü/hw.csv log\n.hidden/hw.csv log\nlink.csv -> ü/hw.csv\n' | python3 -SE "$here/make.py" tar out/lr=3.tar.gz
  $ printf 'hw.csv log\n' | python3 -SE "$here/make.py" zip out/seed=1.zip
  $ runs() { smilog summarize -q --json "$@" | python3 -SE -c '
  > import json, sys
  > for r in json.load(sys.stdin)["runs"]:
  >     print(r["run"], r["params"], r["inputs"][0]["path"])'; }
  $ echo "a directory:"; runs out
  a directory:
  lr=3/lr=0.1 {'lr': 0.1} hw.csv
  lr=3/lr=0.2/x {'lr': 0.2} hw.csv
  lr=3/ü {'lr': 3} hw.csv
  seed=1 {'seed': 1} hw.csv
  $ echo "the archive:"; runs out/lr=3.tar.gz
  the archive:
  lr=0.1 {'lr': 0.1} hw.csv
  lr=0.2/x {'lr': 0.2} hw.csv
  ü {'lr': 3} hw.csv
  $ echo "a run in its root:"; runs out/seed=1.zip
  a run in its root:
  seed=1 {'seed': 1} hw.csv

small pieces fill a pipe
# pieces of 3000 bytes fill a pipe long before 64 KiB are in it
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit
  $ cat >make.py <<'EOF2'
  > import gzip, random
  > random.seed(1)
  > rows = "".join("2026/07/03 %02d:%02d:%02d.000, 0, %.2f W\n" % (s // 3600, s // 60 % 60, s % 60, random.uniform(50, 700))
  >                for s in range(30000))
  > open("hw.csv", "w").write("timestamp, index, power.draw [W]\n" + rows)
  > open("hw.gz", "wb").write(gzip.compress(open("hw.csv", "rb").read()))
  > EOF2
  $ python3 -SE make.py
  $ pieces() { dd ibs=65536 obs=3000 iflag=fullblock if="$1" 2>/dev/null; }
  $ smilog summarize -q --json - <hw.csv >plain
  $ pieces hw.gz | timeout 60 smilog summarize -q --json - | cmp - plain && echo packed
  packed
  $ tr '\n' ' ' <hw.csv >line
  $ smilog summarize - <line 2>&1 | sed 1q >whole
  $ pieces line | timeout 60 smilog summarize - 2>&1 | sed 1q | cmp - whole && cat whole
  smilog: -: warning: cannot be used: no known log format (--columns-from FILE says what its columns are, or what stands in front of its readings): begins with "timestamp, index, power.draw [W] 2026/07/03 00:00:00.000, 0, 137.34 W 2026/07/03..."

sparse blocks out of order
# a map of a sparse file that goes back: libarchive asks to try again, for ever
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cd "$d" || exit
  $ python3 -SE - <<'END'
  > log = b"timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n"
  > log += b"2026-07-03T20:11:10.763+00:00,12.3,80.1\n" * ((1024 - len(log)) // 40)
  > log += b"\n" * (1024 - len(log))
  > def field(n): return b"%011o\0" % n
  > h = bytearray(512)
  > h[0:7] = b"cpu.csv"
  > h[100:148] = b"0000644\0" + b"0000000\0" * 2 + field(1024) + field(0)
  > h[148:157] = b"        S"
  > h[257:265] = b"ustar  \0"
  > h[386:482] = b"".join(field(n) for n in (0, 512, 0, 512, 1024, 0, 0, 0))
  > h[483:495] = field(1024)
  > h[148:156] = b"%06o\0 " % sum(h)
  > open("x.tar", "wb").write(bytes(h) + log + bytes(1024))
  > END
  $ timeout 20 smilog summarize x.tar; echo "status $?"
  x   no-data   1.0s   2026-07-03 20:11:09 to 20:11:10, UTC
  files: cpu.csv

  note: no GPU log
  note: cpu.csv: cannot be read to its end, it is cut off or damaged: what came before is used

  SUMMARY
  peak_vram_mb             -
  gpu_util_mean_pct        -
  gpu_util_max_pct         -
  power_watts_mean         -
  power_watts_max          -
  cpu_usr_mean_pct      12.3
  cpu_idle_mean_pct     80.1

  warnings: 1 last line cut off and skipped, 1 file not usable (x)
  quality: incomplete: no-data, unread
  1.0s, no GPU data
  status 0
  2> smilog: x: warning: cpu.csv: cannot be read to its end, it is cut off or damaged: what came before is used
  2> smilog: cpu.csv:14: warning: unfinished last line: "2026-"

truncated archive
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/log" && cd "$d" || exit
  $ printf 'a/hw.csv log\nb/hw.csv log\n' | python3 -SE "$here/make.py" tar whole.tar
  $ printf 'a/hw.csv log\nb/hw.csv log\n' | python3 -SE "$here/make.py" zip whole.zip
  $ head -c 6000 whole.tar >cut.tar # in the middle of b
  $ gzip -cn whole.tar | head -c -9 >cut.tgz # behind the last member
  $ tail -c +2 whole.tar | cat <(printf x) - >name.tar # the first byte of the header is another one
  $ head -c 780 whole.zip >cut.zip
  $ for f in cut.tar cut.tgz name.tar cut.zip; do
  >     smilog summarize --json $f | python3 -SE "$here/../pick.py" /runs/0/run /runs/0/inputs/0/rows /runs/1/inputs/0/rows
  >     smilog summarize -q --strict $f >/dev/null; echo "status $?"
  > done 2>&1 | sed 's/([0-9]* bytes)/(N bytes)/'
  smilog: cut.tar: warning: cannot be read to its end, it is cut off or damaged
  smilog: b: warning: hw.csv: cannot be read to its end, it is cut off or damaged: what came before is used
  smilog: b/hw.csv:5: warning: unfinished last line: "2020/10/05 23:59:56.714, "
  /runs/0/run "a"
  /runs/0/inputs/0/rows 12
  /runs/1/inputs/0/rows 3
  status 1
  smilog: cut.tgz: warning: cannot be read to its end, its gzip data ends early: what came before (N bytes) is used
  smilog: total: warning: 0.01 GPU-h are in several runs: they hold the same GPU at the same time, which sums count once
  /runs/0/run "a"
  /runs/0/inputs/0/rows 12
  /runs/1/inputs/0/rows 12
  status 1
  smilog: name.tar: warning: cannot be read to its end, it is cut off or damaged
  smilog: no usable log in name.tar
  no JSON
  smilog: no usable log in name.tar
  status 3
  smilog: cut.zip: warning: cannot be read to its end, it is cut off or damaged
  smilog: b: warning: hw.csv: cannot be read to its end, it is cut off or damaged: what came before is used
  smilog: b/hw.csv:9: warning: unfinished last line: "2020/10/06 00:00:04.727, GPU-1b9d5c04-77a"
  /runs/0/run "a"
  /runs/0/inputs/0/rows 12
  /runs/1/inputs/0/rows 7
  status 1

twins in an archive
  $ d=$(mktemp -d) here=$PWD/.. && trap 'rm -rf "$d"' EXIT
  $ mkdir -p "$d/tree/a" && cp ../../../fixtures/query_nounits.csv "$d/tree/a/hw.csv.1" && cd "$d/tree" || exit
  $ cp "$OLDPWD/../../../fixtures/sweep/lr=0.1/seed=1/run.jsonl" a/run.jsonl.1
  $ cp a/hw.csv.1 a/hw.csv.2 && cp a/run.jsonl.1 a/run.jsonl.2
  $ printf 'a/hw.csv.1 a/hw.csv.1\na/hw.csv.2 a/hw.csv.2\na/run.jsonl.1 a/run.jsonl.1\na/run.jsonl.2 a/run.jsonl.2\n' | python3 -SE "$here/make.py" tar ../x.tar
  $ cd .. && python3 -SE "$here/same.py" --inputs tree x.tar
  x.tar the same
  $ smilog summarize x.tar 2>&1 >/dev/null
  smilog: a: warning: hw.csv.2: the same content as hw.csv.1, given twice: counted once
  smilog: a: warning: run.jsonl.2: the same content as run.jsonl.1, given twice: counted once

utf16 tells the same
  $ command -v iconv >/dev/null || exit 77
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ cp ../../../fixtures/query_nounits.csv "$d/hw.csv"
  $ cd "$d" || exit
  $ (printf '\377\376'; iconv -f UTF-8 -t UTF-16LE hw.csv) >little
  $ (printf '\376\377'; iconv -f UTF-8 -t UTF-16BE hw.csv) >big
  $ gzip -k little
  $ python3 -SE "$OLDPWD/../same.py" --inputs hw.csv little big little.gz '<little' '<big'
  little the same
  big the same
  little.gz the same
  <little the same
  <big the same
  $ iconv -f UTF-8 -t UTF-16LE hw.csv >none
  $ smilog summarize none
  2> smilog: none: warning: cannot be used: not text: a NUL byte among the first 512
  2> smilog: no usable log in none
  [3]

zeros are no log
  $ command -v zstd >/dev/null || exit 77
  $ [ -z "$SMILOG_SANITIZED" ] || exit 77 # the sanitizer itself needs terabytes of addresses
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ head -c 67108864 /dev/zero | zstd -qc >"$d/frame"
  $ cd "$d" || exit
  $ for i in {1..160}; do cat frame; done >zeros.zst # 10 GiB
  $ ulimit -v 400000
  $ timeout 10 smilog summarize zeros.zst
  2> smilog: zeros.zst: warning: cannot be used: 64 KiB of NUL bytes (a log that was emptied while it was written to?): --input-format reads what is behind them
  2> smilog: no usable log in zeros.zst
  [3]

zone from the ends of compressed logs
  $ d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT
  $ mkdir "$d/plain" "$d/packed"
  $ cd "$d" && python3 -SE - <<'END'
  > import datetime
  > t = datetime.datetime(2026, 7, 3, 20, 11, 9)
  > with open("plain/hw.csv", "w") as g, open("plain/cpu.csv", "w") as c:
  >     g.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
  >     c.write("timestamp,usr_pct,idle_pct\n")
  >     for i in range(5000):
  >         u = t + datetime.timedelta(seconds=2 * i)
  >         g.write((u + datetime.timedelta(hours=2)).strftime("%Y/%m/%d %H:%M:%S.500") + f", 0, {i % 101} %, {100 + i % 200}.00 W\n")
  >         c.write(u.isoformat() + f".000+00:00,{i % 90}.5,{90 - i % 90}.5\n")
  > END
  $ for f in plain/*; do gzip -c $f >packed/${f#plain/}.gz; done
  $ smilog summarize --json plain | python3 -SE "$OLDPWD/../../pick.py" time_base
  time_base "utc+02:00 inferred"
  $ python3 -SE "$OLDPWD/../same.py" --inputs plain packed
  packed the same
