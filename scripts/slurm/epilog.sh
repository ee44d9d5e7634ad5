#!/bin/sh
# Epilog=/path/to/epilog.sh in slurm.conf: ends the record that prolog.sh began, and adds what it says to the ledger, a row
# of at most 2 kB. Each node has a file a month (what two nodes append to one file over NFS is lost):
#   smilog merge /shared/smilog --group-by account,user
# Its status is 0 whatever happens: another one drains the node.
[ ! -r /etc/default/smilog ] || . /etc/default/smilog
smilog=${SMILOG:-/usr/local/bin/smilog}
record=${SMILOG_RECORDS:-/var/spool/smilog}/$SLURM_JOB_ID
node=${SLURMD_NODENAME:-$(uname -n)}
ledger=${SMILOG_LEDGER:-/var/lib/smilog}/$node-$(date +%Y-%m).ledger
[ -f "$record.pid" ] || exit 0
pid=$(cat "$record.pid")
if [ "$(readlink "/proc/$pid/exe")" = "$(readlink -f "$smilog")" ]; then
    kill "$pid"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -d "/proc/$pid" ] || break
        sleep 0.1
    done
fi
status=${SLURM_JOB_EXIT_CODE2:-0:0} # status:signal
case $status in
*:0) status=${status%:0} ;;
*:9 | *:15) status=0 ;; # cancelled, or its time was over: it was stopped, and did not fail
*) status=$((128 + ${status#*:})) ;;
esac
[ "$status" = 0 ] || "$smilog" log "$record/run.jsonl" event stop exit_status="$status"
row=$("$smilog" summarize -q --format ledger --timeout 20 --host "$node" --param \
    "job=$SLURM_JOB_ID,user=$SLURM_JOB_USER,account=$SLURM_JOB_ACCOUNT,partition=$SLURM_JOB_PARTITION" "$record" 2>/dev/null)
# SMILOG_COMMENT=yes: a job of one node has the line of what it used as its AdminComment in the accounting database: slurmctld
# changes no job that has ended. Those of several nodes would overwrite each other.
case ${SMILOG_COMMENT:+${SLURM_JOB_NODELIST:-$SLURM_NODELIST}} in
'' | *[,[]*) ;;
*) # the last task of an array has the number of the whole array
    job=$(timeout 5 squeue -h -t all -j "$SLURM_JOB_ID" -o '%A %i' | sed -n "s/^$SLURM_JOB_ID //p")
    line=$("$smilog" summarize -q --format line --timeout 1.5 --exit-zero --run "$SLURM_JOB_ID" "$record" 2>/dev/null)
    [ -z "$job" ] || timeout 5 sacctmgr -i modify job where jobid="$job" set AdminComment="$line"
    ;;
esac >/dev/null 2>&1
mkdir -p "${ledger%/*}"
# One write to the end of the file. Without a row the record stays, so that somebody can look into it.
[ -z "$row" ] || { echo "$row" >>"$ledger" && rm -rf "$record" "$record.pid"; }
exit 0
