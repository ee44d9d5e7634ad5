#!/bin/sh
# Prolog=/path/to/prolog.sh in slurm.conf, with epilog.sh as Epilog: the GPUs of every job are recorded while it runs,
# no matter whose it is, and leave a row in the ledger of the site. It runs as root, without an environment of the site's: what
# differs there stands in /etc/default/smilog. Its status is 0 whatever happens: another one drains the node.
set -a # what stands there, and what follows, is for smilog, too
[ ! -r /etc/default/smilog ] || . /etc/default/smilog
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
gpus=${SLURM_JOB_GPUS:-$SMILOG_GPUS} # SMILOG_GPUS=all where a job has the node to itself, and Slurm does not name its GPUs
record=${SMILOG_RECORDS:-/var/spool/smilog}/$SLURM_JOB_ID
[ -n "$gpus" ] && [ -n "$SLURM_JOB_ID" ] || exit 0
mkdir -p "${record%/*}" && chmod 700 "${record%/*}" || exit 0
# In a process group of its own: when the prolog is over, Slurm ends what else it started. So it waits until that has begun. A job
# that no epilog ends is recorded for a week.
setsid sh -c 'echo $$ >"$record.pid"
    exec "${SMILOG:-/usr/local/bin/smilog}" live -q -o "$record" --gpus "$gpus" --monitors query \
        -i "${SMILOG_INTERVAL:-10}" --for "${SMILOG_FOR:-7d}"' </dev/null >/dev/null 2>&1 &
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -s "$record.pid" ] || break
    sleep 0.1
done
exit 0
