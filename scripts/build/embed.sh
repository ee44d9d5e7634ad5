#!/bin/sh
# scripts/build/embed.sh NAME=FILE... : files as C arrays on standard output: unsigned char smi_asset_NAME[], size_t
# smi_asset_NAME_n, and char smi_asset_NAME_hash[], the SHA-256 in base64 by which a content-security policy
# names a script; HEADER declares them. NAME=A+B is A and B one behind the other; the lines that name a source map are left out.
set -e
content() {
    # shellcheck disable=SC2086
    cat $files | sed -e 's|^//# sourceMappingURL=.*||' -e 's|/\*# sourceMappingURL=[^*]*\*/||'
}
echo '/* made by scripts/build/embed.sh */'
echo "#include \"${HEADER:-report/html.h}\""
for pair in "$@"; do
    name=${pair%%=*}
    files=$(echo "${pair#*=}" | tr + ' ')
    hash=$(content | sha256sum | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64)
    echo "const unsigned char smi_asset_$name[] = {"
    content | od -An -v -tx1 | sed -e 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
    echo '};'
    echo "const size_t smi_asset_${name}_n = sizeof smi_asset_$name;"
    echo "const char smi_asset_${name}_hash[] = \"$hash\";"
done
