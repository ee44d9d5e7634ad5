#!/bin/bash
# All tests on arm64 under qemu, in a Debian of its own below DIRECTORY. Needs root, debootstrap, qemu-user-static (its
# interpreter registered, as its package does), 1 GiB of disk and about an hour; status 77 without them.
#     tests/system/arm64.sh DIRECTORY [MAKE-TARGET]...      (test)
[ $# -ge 1 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
for need in debootstrap qemu-aarch64-static; do
    command -v $need >/dev/null || { echo "skipped: $need is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] && [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || { echo "skipped: needs root and a registered interpreter"; exit 77; }
set -e
root=$(realpath -m -- "$1")
shift
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016 # make and the inner shell expand these
[ -e "$root/etc/debian_version" ] || debootstrap --arch=arm64 --variant=minbase \
    --include="$(make -s --eval='packages: ; @echo $(PACKAGES) $(TEST_PACKAGES)' packages | tr ' ' ,)" bookworm "$root"
mkdir -p "$root/smilog"
rm -rf "$root"/smilog/{src,tests,scripts,web}
git ls-files -z | tar --null -T - -c | tar -x -m -C "$root/smilog" # -m: what was built of older files is built again
# shellcheck disable=SC2016
exec unshare --mount bash -ec 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"
    exec chroot "$0" env SMILOG_SECONDS=60 make -C /smilog "$@"' "$root" "${@:-test}"
