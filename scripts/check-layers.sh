#!/bin/bash
# The floor plan holds: a folder includes itself and those before it; no output names a metric; each format is fuzzed.
cd "$(dirname "$0")/.." || exit 1
layers=(base archive xlsx sample stats tape track format nvidia tools amd jsonl samples detect ingest summary figures findings partial walk discover cache read sweep again page table ask html webdata webpage book output compare check host tree usage subtrack record tail now alert screen serve live job tracker replay sqlite export pytorch http clickhouse load stored option front cmd)
passed=0 failed=0
allowed=
for dir in "${layers[@]}"; do
    allowed="$allowed${allowed:+|}$dir"
    bad=$(grep -nHE '^#include "' src/"$dir"/*.[ch] 2>/dev/null | grep -vE "#include \"($allowed)/")
    if [ -z "$bad" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'src/%s may include only %s:\n%s\n' "$dir" "$allowed" "$bad"
    fi
done
ids=$(sed -n 's/^SMI_METRIC(\([A-Z0-9_]*\),.*/SMI_\1/p' src/sample/metric.def | paste -sd '|')
if [ -n "$ids" ] && grep -nwE "$ids" src/output/*.[ch] src/html/*.[ch] src/webdata/*.[ch] src/webpage/*.[ch] src/book/*.[ch] src/page/*.[ch] src/table/*.[ch]; then
    failed=$((failed + 1))
    echo "src/output, src/html, src/webdata, src/webpage, src/book, src/page or src/table names a metric: it has to loop over the tables"
else
    passed=$((passed + 1))
fi
for name in $(sed -n 's/^ *\[SMI_FMT_[A-Z_]*\] = *{"\([^"]*\)".*/\1/p' src/sample/source.c); do
    if awk -v f="$name" 'index("," $2 ",", "," f ",") { found = 1 } END { exit !found }' scripts/fuzz.sh; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "scripts/fuzz.sh has no target for $name"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
