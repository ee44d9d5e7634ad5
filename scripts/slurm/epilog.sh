#!/bin/sh
# Epilog=/path/to/epilog.sh in slurm.conf: ends the recording that prolog.sh began, and adds its row to the ledger, at most
# 2 kB. The row counts every GPU from prolog to epilog; time without readings is unknown. Each node has a file a month, because
# appending to one file from two nodes over NFS loses rows:
#   smilog merge /shared/smilog --group-by account,user
# Attempts of the job that a crash of the node ended get a row of their own; so do jobs of an earlier boot.
# Its status is always 0, because another one drains the node.
[ ! -r /etc/default/smilog ] || . /etc/default/smilog
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
smilog=${SMILOG:-smilog}
records=${SMILOG_RECORDS:-/var/spool/smilog}
node=${SLURMD_NODENAME:-$(uname -n)}
ledger=${SMILOG_LEDGER:-/var/lib/smilog}/$node-$(date +%Y-%m).ledger
now=$(date +%s.%3N)
[ -n "$SLURM_JOB_ID" ] && [ -d "$records" ] && mkdir -p "${ledger%/*}" || exit 0

# The process that prolog.sh started, then what is left of its process group, if SMILOG is a script that starts another program.
stop() { # record
    pid=$(cat "$1.pid" 2>/dev/null)
    { tr '\0' '\n' <"/proc/${pid:-none}/environ" | grep -qxF "record=$1"; } 2>/dev/null || return
    for target in "$pid" "-$pid"; do
        tries=100
        kill -s TERM -- "$target" 2>/dev/null
        while [ "$tries" -gt 0 ] && kill -s 0 -- "$target" 2>/dev/null && runs "$target"; do
            sleep 0.02
            tries=$((tries - 1))
        done
    done
    kill -s KILL -- "-$pid" 2>/dev/null
}
# One that has ended stays until its parent asks how: that may be long after.
runs() { # process or -group
    case $1 in
    -*) cat /proc/[0-9]*/stat ;;
    *) cat "/proc/$1/stat" ;;
    esac 2>/dev/null | awk -v group="${1#-}" '{ sub(/.*\) /, "") } $1 !~ /[ZX]/ && $3 == group { n++ } END { exit !n }'
}

# One write to the end of the ledger. Without a row the record stays, so that somebody can look into it.
finish() { # record, end of the attempt; without one it ended when it last wrote
    end=${2:-$(find "$1" "$1.job" -type f -printf '%T@\n' 2>/dev/null | sort -n | tail -n 1)}
    held='' begin='' param=''
    [ ! -r "$1.job" ] || { read -r _ && read -r begin && read -r held && IFS= read -r param; } <"$1.job"
    job=${1##*/}
    param=${param:-job=${job%%.*}}
    param=$param,held_gpus=${held:-0},held_start=${begin:-$end},held_end=$end
    row=$(make_row "$1") || {
        mkdir -p "$1" && "$smilog" log "$1/run.jsonl" event start # it recorded nothing: this makes a run without data
        row=$(make_row "$1")
    }
    [ -z "$row" ] || { echo "$row" >>"$ledger" && rm -rf "$1" "$1.pid" "$1.job"; }
}
make_row() { # record
    "$smilog" summarize -q --format ledger --timeout 20 --host "$node" --param "$param" "$1" 2>/dev/null
}

# Takes the place of the record, so that the next attempt of the job can begin and no other epilog finishes this one.
claim() { # record; sets claimed
    n=1
    while [ -e "$1.$n" ] || [ -e "$1.$n.job" ]; do n=$((n + 1)); done
    claimed=$1.$n
    mv "$1" "$claimed"
    sed "1s/.*/$boot/" "$1.job" >"$claimed.job" || rm -f "$claimed.job"
    rm -f "$1.pid" "$1.job"
} 2>/dev/null

# Fails if slurmdbd does not know this attempt, and has given the comment to an earlier one. What it prints has the time of its machine:
# the last digit of the minutes and the seconds are the same in nearly all zones.
comment() {
    timeout 5 sacctmgr -i modify job where jobid="$entry" set AdminComment="$line" 2>/dev/null |
        grep -q "submitted at .*${submitted#"${submitted%????}"}\$"
}

entry=''
record=$records/$SLURM_JOB_ID boot=$(cat /proc/sys/kernel/random/boot_id) current=''
# As prolog.sh: Slurm may begin the next attempt of a job while this one ends.
command exec 9<"$records" && flock -w 60 9
if [ -e "$record.pid" ] || [ -e "$record.job" ]; then
    stop "$record"
    [ ! -s "$record.job" ] || { read -r of <"$record.job" && [ "$of" = "$boot" ]; } || now='' # the node crashed
    claim "$record"
    current=$claimed
fi
for left in "$records"/*.job; do # jobs of an earlier boot that did not come back to this node
    of=
    [ ! -r "$left" ] || read -r of <"$left"
    [ ! -e "$left" ] || [ "$of" = "$boot" ] || { claim "${left%.job}" && set -- "$@" "$claimed"; }
done
exec 9<&-

if [ -n "$current" ]; then
    status=${SLURM_JOB_EXIT_CODE2:-0:0} # status:signal
    case $status in
    *:0) status=${status%:0} ;;
    *:9 | *:15) status=0 ;; # cancelled, or its time was over: it was stopped, and did not fail
    *) status=$((128 + ${status#*:})) ;;
    esac
    [ "$status" = 0 ] || { mkdir -p "$current" && "$smilog" log "$current/run.jsonl" event stop exit_status="$status"; }
    # SMILOG_COMMENT=yes: a job of one node has the line of what it used as its AdminComment in the accounting database: slurmctld
    # changes no job that has ended. Those of several nodes would overwrite each other.
    case ${SMILOG_COMMENT:+${SLURM_JOB_NODELIST:-$SLURM_NODELIST}} in
    '' | *[,[]*) ;;
    *) # the last task of an array has the number of the whole array
        read -r entry state submitted <<END
$(timeout 5 squeue -h -t all -j "$SLURM_JOB_ID" -o '%A %i %T %V' 2>/dev/null | sed -n "s/^$SLURM_JOB_ID //p")
END
        line=$("$smilog" summarize -q --format line --timeout 1.5 --exit-zero --run "$SLURM_JOB_ID" "$current" 2>/dev/null)
        ;;
    esac
    finish "$current" "$now"
fi
# Attempts that a crash ended.
find "$records" -maxdepth 1 -name "$SLURM_JOB_ID.[0-9]*" | sed 's/\.job$//' | sort -uV | while IFS= read -r earlier; do
    finish "$earlier" '' </dev/null
done
for left in "$@"; do
    finish "$left" ''
done
# slurmctld tells slurmdbd every five seconds which jobs have begun. What waits for its next attempt is known.
until=$(($(date +%s) + 8))
while [ -n "$entry" ] && ! comment && [ "$state" != PENDING ] && [ "$(date +%s)" -lt "$until" ]; do
    sleep 0.5
done
exit 0
