#!/bin/sh
# TaskEpilog=/path/to/task_epilog.sh in slurm.conf, or srun --task-epilog: one line of JSON of what the task used, at the
# end of its output. It may have no environment at all, has two seconds, and its status is 0 whatever happens: another
# one, or a file system that hangs, must take no machine out of service.
# Where there is no SMILOG_OUT, the record is looked for in out/ of the directory that the job was sent from, as
# array.sbatch puts it there; where there is no job either, in the working directory. What an epilog prints, Slurm throws
# away: beside the record array.sbatch leaves a link to the task's output, RECORD.out, and there the line goes, too.
last=
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
smilog=${SMILOG:-smilog}
out=${SMILOG_OUT:-${SLURM_SUBMIT_DIR:-.}/out}
if [ -n "${SLURM_ARRAY_JOB_ID:-}" ]; then
    run=$out/${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
elif [ -n "${SLURM_JOB_ID:-}" ]; then
    run=$out/$SLURM_JOB_ID
else
    run=${SMILOG_OUT:-.}
fi
attempt=2 # of a task that was requeued, the last one
while [ -d "$run.$attempt" ]; do
    last=$run.$attempt
    attempt=$((attempt + 1))
done
run=${last:-$run}
line=$("$smilog" summarize -q --gpus auto --format line --timeout 1.5 --exit-zero --run "${SLURM_JOB_ID:-job}" "$run" 2>/dev/null)
line=${line:-'{"v":1,"ngpu":0,"state":"no-data"}'}
echo "$line"
[ ! -f "$run.out" ] || echo "$line" >>"$run.out"
exit 0
