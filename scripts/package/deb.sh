#!/bin/bash
# Debian packages of the last commit, built in a clean copy: build/deb/*.deb. Ends with what lintian says of them.
set -e
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
out=$PWD/$BUILD/deb
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/smilog"
git archive HEAD | tar -C "$place/smilog" -xf -
version=$(MAKEFLAGS= make -s --no-print-directory version)
head -n 1 debian/changelog | grep -q "^smilog ($version) " || { echo "debian/changelog does not begin with version $version"; exit 1; }
(cd "$place/smilog" && DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck" dpkg-buildpackage -us -uc -b) >"$place/log" 2>&1 ||
    { tail -n 30 "$place/log"; exit 1; }
mkdir -p "$out"
rm -f "$out"/*
cp "$place"/*.deb "$place"/*.changes "$place"/*.buildinfo "$out/"
ls -l "$out"/*.deb | awk '{ print $5, $NF }'
lintian --fail-on error,warning "$out"/*.changes && echo "lintian: no errors, no warnings"
