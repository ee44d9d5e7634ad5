#!/bin/bash
# An image of the static program from nothing (scripts/package/Containerfile), as build/dist/smilog-VERSION-image.tar, an OCI
# archive that podman, docker and containerd load. It needs buildah, but no network.
set -e
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
version=$(MAKEFLAGS= make -s --no-print-directory version)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
archive=$BUILD/dist/smilog-$version-image.tar
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/licences" "$place/storage"
cp LICENSE "$place/"
cp "$BUILD/static/smilog" "$place/"
python3 -B scripts/package/spdx.py --packages | while read -r package; do
    cp -L "/usr/share/doc/$package/copyright" "$place/licences/$package"
done
build=(buildah --root "$place/storage" --runroot "$place/run" --storage-driver vfs)
"${build[@]}" bud -q --isolation chroot --timestamp "$SOURCE_DATE_EPOCH" -f scripts/package/Containerfile -t "smilog:$version" "$place" >/dev/null
mkdir -p "$BUILD/dist"
rm -f "$archive"
"${build[@]}" push -q "smilog:$version" "oci-archive:$archive:smilog:$version"
size=$(stat -c %s "$archive")
[ "$size" -le 8000000 ] || { echo "the image has $size bytes: more than 8 MB"; exit 1; }
echo "$archive: $size bytes (unpacked: $(du -sb --exclude=storage --exclude=run "$place" | cut -f1))"
