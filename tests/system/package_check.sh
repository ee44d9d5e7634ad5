#!/bin/bash
# What make dist, make deb and make image left in build/, on a new minimal Debian: installed, used, purged; the static
# program there and in an empty root; the image's root. Needs root, debootstrap and the network for apt.
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
version=$(MAKEFLAGS= make -s --no-print-directory version)
passed=0 failed=0
root=$(mktemp -d) || exit 1
trap 'umount "$root/proc" "$root/dev" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT

check() { # what status
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1"; fi
}
inside() { # words of a shell in the new Debian
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TZ=UTC DEBIAN_FRONTEND=noninteractive bash -c "$1"
}
files() { # every file but those that apt and dpkg keep for themselves
    (cd "$root" && find . -xdev -path ./proc -prune -o -path ./dev -prune -o -path ./var/cache -prune -o -path ./var/log -prune -o \
        -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -path ./tmp -prune -o -print | LC_ALL=C sort)
}

debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$root.log" 2>&1
check "debootstrap: $(tail -n 1 "$root.log")" $?
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null
cp /etc/apt/sources.list.d/* "$root/etc/apt/sources.list.d/" 2>/dev/null
mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
check "mounts" $?
[ "$failed" = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
cp -r tests/fixtures/sweep tests/api/everything.c "$BUILD/deb/"*.deb "$root/tmp/"
inside 'apt-get update -qq && apt-get install -y -qq man-db bash-completion gcc libc6-dev pkg-config' >"$root/tmp/log" 2>&1
check "apt: $(tail -n 1 "$root/tmp/log")" $?
# man-db is told to keep its index up to date: what it writes is its own.
inside 'rm -rf /var/cache/man'
files >"$root/tmp/before"

inside 'cd /tmp && apt-get install -y ./smilog_*.deb ./libsmilog0_*.deb ./libsmilog-dev_*.deb' >"$root/tmp/log" 2>&1
check "apt install: $(tail -n 1 "$root/tmp/log")" $?
[ "$(inside 'smilog --version')" = "smilog $version" ]
check "smilog --version: $(inside 'smilog --version')" $?
inside 'man -w smilog smilog-summarize && man smilog | head -n 5' >"$root/tmp/log" 2>&1
check "man smilog: $(tail -n 1 "$root/tmp/log")" $?
inside '. /usr/share/bash-completion/bash_completion && _completion_loader smilog; complete -p smilog' >/dev/null
check "completion" $?
inside 'grep -q "^ExecStart=/usr/bin/smilog " /usr/lib/systemd/system/smilog-live.service && ! grep -r /usr/local/bin /usr/share/smilog/slurm' >&2
check "the paths of the unit and of the scripts for Slurm" $?
[ "$(inside 'ls /usr/share/smilog /usr/share/smilog/slurm /usr/share/smilog/kubernetes' | grep -cE '^(smilog_jax.py|(prolog|epilog|task_epilog|sidecar)\.sh|(array|merge)\.sbatch|(node|sidecar)\.yaml|Containerfile)$')" = 10 ]
check "scripts and manifests for clusters" $?
inside 'ls /etc/systemd/system/*/smilog-live.service' >/dev/null 2>&1
[ $? != 0 ]
check "the unit is not enabled" $?
inside 'cd /tmp && SMILOG_OUT="/tmp/sweep/lr=0.1/seed=1" /usr/share/smilog/slurm/task_epilog.sh' | grep -q '"ngpu":2,'
check "task_epilog.sh" $?
inside 'cd /tmp && smilog summarize -q sweep' | diff - <(cd "$root/tmp" && TZ=UTC "$OLDPWD/$BUILD/smilog" summarize -q sweep)
check "smilog summarize" $?
inside 'cd /tmp && smilog report -q sweep -o page.html && smilog report -q sweep -o book.xlsx ' >/dev/null 2>&1
check "page and workbook" $?
inside 'cd /tmp && gcc everything.c -o everything $(pkg-config --cflags --libs smilog) && mkdir out && ./everything sweep out' >/dev/null
check "a program with the library, by pkg-config" $?
inside 'apt-get purge -y smilog libsmilog0 libsmilog-dev && apt-get autoremove --purge -y' >"$root/tmp/log" 2>&1
check "purge: $(tail -n 1 "$root/tmp/log")" $?
inside 'rm -rf /var/cache/man'
files | diff "$root/tmp/before" -
check "purge leaves nothing" $?

mkdir "$root/tmp/static" && tar -C "$root/tmp/static" --strip-components=1 -xzf "$BUILD/dist/smilog-$version-linux-$(uname -m).tar.gz"
inside '/tmp/static/bin/smilog summarize -q /tmp/sweep' >/dev/null
check "the static program on a minimal Debian" $?
mkdir -p "$root/tmp/empty" && cp -r "$root/tmp/sweep" "$root/tmp/static/bin/smilog" "$root/tmp/empty"
chroot "$root/tmp/empty" /smilog summarize -q /sweep >/dev/null
check "the static program in an empty root" $?
if [ -e "$BUILD/dist/smilog-$version-image.tar" ]; then
    mkdir "$root/tmp/image" "$root/tmp/layers" && tar -C "$root/tmp/layers" -xf "$BUILD/dist/smilog-$version-image.tar"
    python3 - "$root/tmp/layers" <<'PY' | while read -r blob; do tar -C "$root/tmp/image" -xzf "$blob"; done
import json, sys
blob = lambda entry: "%s/blobs/%s" % (sys.argv[1], entry["digest"].replace(":", "/"))
index = json.load(open(sys.argv[1] + "/index.json"))
print("\n".join(map(blob, json.load(open(blob(index["manifests"][0])))["layers"])))
PY
    cp -r "$root/tmp/sweep" "$root/tmp/image/logs"
    chroot --userspec=65532:65532 "$root/tmp/image" /smilog summarize -q /logs >/dev/null
    check "the image's root" $?
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
