#!/bin/sh
# scripts/embed.sh NAME=FILE... : files as C arrays (unsigned char smi_asset_NAME[], size_t smi_asset_NAME_n), on
# standard output. NAME=A+B is A and B one behind the other; the lines that name a source map are left out.
set -e
echo '/* made by scripts/embed.sh */'
echo '#include "report/html_assets.h"'
for pair in "$@"; do
    name=${pair%%=*}
    files=$(echo "${pair#*=}" | tr + ' ')
    echo "const unsigned char smi_asset_$name[] = {"
    # shellcheck disable=SC2086
    cat $files | sed -e 's|^//# sourceMappingURL=.*||' -e 's|/\*# sourceMappingURL=[^*]*\*/||' |
        od -An -v -tx1 | sed -e 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
    echo '};'
    echo "const size_t smi_asset_${name}_n = sizeof smi_asset_$name;"
done
