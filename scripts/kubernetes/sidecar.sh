#!/bin/sh
# The second container of a pod: records the pod's GPUs while its work runs, and prints in one line what they used.
#   sidecar.sh DIR        a directory that outlives the pod; DIR.2 where a container before this one used it
# Kubernetes sends TERM when the containers of the work are over, whatever ended them. The work leaves in /pod (or
# SMILOG_POD) the uuids of its GPUs (gpus) and how it ended (status).
dir=${1:?a directory} pod=${SMILOG_POD:-/pod} over='' pid=''
trap 'over=1; [ -z "$pid" ] || kill -TERM "$pid"' TERM INT

n=1 first=$dir
while [ -e "$dir" ]; do n=$((n + 1)) dir=$first.$n; done
mkdir -p "$dir" || exit

tries=0
while [ -z "$over" ] && [ ! -s "$pod/gpus" ] && [ "$tries" -lt "${SMILOG_WAIT:-60}" ]; do
    sleep 1
    tries=$((tries + 1))
done
gpus=$(tr -s ' \n' ',' <"$pod/gpus" 2>/dev/null)
[ -n "$gpus" ] || echo "sidecar: the work did not say which GPUs it sees: all that are seen here are recorded" >&2

if [ -z "$over" ]; then
    smilog live -q --apps -i "${SMILOG_INTERVAL:-2}" --gpus "${gpus:-all}" -o "$dir" &
    pid=$!
    [ -z "$over" ] || kill -TERM "$pid"
    wait "$pid" # until it ends, or TERM comes
    wait "$pid" 2>/dev/null
fi

# The end of the work counts, not that of its recording. Without a status it was killed: out of memory, most likely.
status=$(cat "$pod/status" 2>/dev/null)
smilog log "$dir/run.jsonl" event stop exit_status="${status:-137}"
smilog summarize -q --partial "$dir" -o "$dir.partial"
smilog summarize -q --format line --timeout 10 --exit-zero "$dir" >"$dir.line"
cp "$dir.line" "${SMILOG_MESSAGE:-/dev/termination-log}" 2>/dev/null
cat "$dir.line"
