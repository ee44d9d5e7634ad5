#!/bin/bash
# Counts every real log of ../shared/corpus with awk, without smilog, and compares with tests/corpus.tsv, the rows of
# which the last column says "awk". Usage: tests/oracle/count-corpus.sh [-v]: -v prints what was counted of all files.
cd "$(dirname "$0")/../.." || exit 2
corpus=${CORPUS:-../shared/corpus} same=0 other=0 skipped=0
export LC_ALL=C
while IFS=$'\t' read -r path format gpus lines header rows rejected duplicates _ counted; do
    case $path in path | *:*) continue ;; esac
    if [ "$counted" != awk ]; then skipped=$((skipped + 1)); continue; fi
    torn=0
    case $path in *.gz) cat=zcat ;; *) cat=cat ;; esac
    [ -z "$($cat "$corpus/$path" | tail -c1 | tr -d '\n')" ] || torn=1
    got=$($cat "$corpus/$path" | awk -v torn=$torn -f tests/oracle/count-corpus.awk)
    want="$format	$gpus	$lines	$header	$rows	$rejected	$duplicates"
    [ "$1" != -v ] || printf '%s\t%s\n' "$path" "$got"
    if [ "$got" = "$want" ]; then same=$((same + 1)); else
        other=$((other + 1))
        printf '%s\n  awk   %s\n  table %s\n' "$path" "$got" "$want"
    fi
done <tests/corpus.tsv
echo "$same counted by awk as in tests/corpus.tsv, $other not, $skipped read by eye"
[ "$other" = 0 ]
