#!/bin/sh
# Prolog=/path/to/prolog.sh in slurm.conf, with epilog.sh as Epilog: records the GPUs of every job while it runs, for the ledger
# of the site. Slurm runs it as root without the site's environment; /etc/default/smilog can set variables. Its status is always
# 0, because another one drains the node. It leaves in SMILOG_RECORDS:
#   JOB       the recording of this attempt; JOB.pid: the process that records
#   JOB.job   for epilog.sh: the boot of the node, the begin in seconds since 1970, the number of GPUs, the parameters of the row
#   JOB.1 ... earlier attempts that no epilog ended, because the node crashed
set -a # for smilog, too
[ ! -r /etc/default/smilog ] || . /etc/default/smilog
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
gpus=${SLURM_JOB_GPUS:-$SMILOG_GPUS} # SMILOG_GPUS=all where a job has the node to itself, and Slurm does not name its GPUs
records=${SMILOG_RECORDS:-/var/spool/smilog}
record=$records/$SLURM_JOB_ID
case $gpus in
'' | all)
    held=${SLURM_GPUS_ON_NODE##*:}
    # Cards of NVIDIA on the bus: display controllers, also without a driver.
    [ -n "$held" ] || [ -z "$gpus" ] || held=$(grep -lx 0x10de /sys/bus/pci/devices/*/vendor | sed 's/vendor$/class/' |
        xargs -r grep -l '^0x030[02]' | wc -l)
    ;;
*) held=$(echo "$gpus" | tr , '\n' | awk -F- '/^[0-9]+-[0-9]+$/ { n += $2 - $1; } NF { n++ } END { print n }') ;; # 0,2 or 0-3
esac
[ -n "$SLURM_JOB_ID" ] && [ -n "$gpus$held" ] || exit 0
mkdir -p "$records" && chmod 700 "$records" || exit 0
command exec 9<"$records" && flock -w 20 9 # not while an epilog removes what an earlier boot left

# An earlier attempt is over: the node crashed, or lost its slurmd.
if [ -e "$record" ] || [ -e "$record.job" ]; then
    pid=$(cat "$record.pid" 2>/dev/null)
    tr '\0' '\n' <"/proc/${pid:-none}/environ" 2>/dev/null | grep -qxF "record=$record" && kill -s KILL -- "-$pid"
    n=1
    while [ -e "$record.$n" ] || [ -e "$record.$n.job" ]; do n=$((n + 1)); done
    mv "$record" "$record.$n"
    mv "$record.job" "$record.$n.job"
    rm -f "$record.pid"
fi 2>/dev/null

param=job=$SLURM_JOB_ID,user=$SLURM_JOB_USER,account=$SLURM_JOB_ACCOUNT,partition=$SLURM_JOB_PARTITION
printf '%s\n' "$(cat /proc/sys/kernel/random/boot_id)" "$(date +%s.%3N)" "${held:-0}" "$param" >"$record.job"
[ -n "$gpus" ] || exit 0 # Slurm does not name them
# In a process group of its own: when the prolog is over, Slurm ends what else it started. So it waits until that has begun. A job
# that no epilog ends is recorded for a week.
setsid sh -c 'echo $$ >"$record.pid"
    exec "${SMILOG:-smilog}" live -q -o "$record" --gpus "$gpus" --monitors query \
        -i "${SMILOG_INTERVAL:-10}" --for "${SMILOG_FOR:-7d}"' </dev/null >/dev/null 2>&1 9<&- &
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -s "$record.pid" ] || break
    sleep 0.1
done
exit 0
