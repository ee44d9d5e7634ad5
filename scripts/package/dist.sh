#!/bin/bash
# The files of a release, in build/dist: the sources, the static program with its man pages and completions, an SPDX list
# of what the static program contains, and SHA256SUMS. The same commit gives the same bytes in any directory.
# Times in the archives are SOURCE_DATE_EPOCH, by default the time of the commit.
set -e
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
version=$(MAKEFLAGS= make -s --no-print-directory version)
machine=linux-$(uname -m)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH
out=$PWD/$BUILD/dist
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
rm -rf "$out"
mkdir -p "$out"

pack() { # NAME: the directory $stage/NAME to $out/NAME.tar.gz
    find "$stage/$1" -type d -exec chmod 755 {} + -o -perm /111 -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar \
        -cf - "$1" | gzip -9n >"$out/$1.tar.gz"
}

name=smilog-$version
git archive --format=tar --prefix="$name/" HEAD | tar -C "$stage" -xf -
pack "$name"

name=smilog-$version-$machine
make --no-print-directory -s BUILD="$BUILD" PREFIX=/ DESTDIR="$stage/$name" install >/dev/null
rm -rf "${stage:?}/$name/lib" "${stage:?}/$name/include"
cp -r scripts/slurm scripts/systemd "$stage/$name/share/smilog/" # for wherever the program goes
install -m 755 "$BUILD/static/smilog" "$stage/$name/bin/smilog"
cp README.md LICENSE "$stage/$name/"
rm -f "$stage/$name/share/doc/smilog/LICENSE"
python3 -B scripts/package/spdx.py "$BUILD/static/smilog" "$version" "$SOURCE_DATE_EPOCH" >"$stage/$name/smilog.spdx.json"
# The licences of what is linked, as Debian ships them.
mkdir -p "$stage/$name/share/doc/smilog/licences"
python3 -B scripts/package/spdx.py --packages | while read -r package; do
    cp -L "/usr/share/doc/$package/copyright" "$stage/$name/share/doc/smilog/licences/$package"
done
cp "$stage/$name/smilog.spdx.json" "$out/$name.spdx.json"
pack "$name"
(cd "$out" && sha256sum -- *.tar.gz *.json >SHA256SUMS)
cat "$out/SHA256SUMS"
