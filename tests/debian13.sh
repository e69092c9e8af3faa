#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds Capra in a tree of Debian 13, and runs the operations' tests and those with its gegl and GIMP 3 there.
# The tree is CAPRA_DEBIAN13_TREE, or one in BUILD_FOLDER that debootstrap makes once and later runs use again;
# CAPRA_DEBIAN_MIRROR names another mirror. Without root or debootstrap it skips.
# Usage: debian13.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
source=$1
folder=$2/debian13
tree=${CAPRA_DEBIAN13_TREE:-$folder/tree}
mirror=${CAPRA_DEBIAN_MIRROR:-}

skip() {
  echo "debian13: skipped: $1"
  exit 77
}

[ "$(id -u)" = 0 ] || skip "changing into a tree needs root"
unshare --mount --pid --fork true 2>/dev/null || skip "this root may not mount"
if [ ! -x "$tree/usr/bin/apt-get" ]; then
  [ -z "${CAPRA_DEBIAN13_TREE:-}" ] || skip "there is no Debian in $tree"
  command -v debootstrap >/dev/null || skip "debootstrap is not installed"
  # Made beside its place: one that is there is whole.
  rm -rf "$tree.new"
  mkdir -p "$folder"
  echo "debian13: making a tree"
  debootstrap --variant=minbase trixie "$tree.new" ${mirror:+"$mirror"} >"$folder/debootstrap.log" 2>&1 \
    || { tail "$folder/debootstrap.log"; exit 1; }
  mv "$tree.new" "$tree"
fi

# The mounts are of this script's own, and go with it.
mkdir -p "$tree/capra" "$tree/capra-build" "$folder/build"
export tree source folder
exec unshare --mount --pid --fork sh -eu -c '
  mount --bind "$source" "$tree/capra"
  mount -o remount,bind,ro "$tree/capra"
  mount --bind "$folder/build" "$tree/capra-build"
  mount -t proc proc "$tree/proc"
  mount --rbind /dev "$tree/dev"
  mount --rbind /sys "$tree/sys" # where PoCL counts cores
  cp /etc/resolv.conf "$tree/etc/resolv.conf"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$tree" sh -eu -c "
    sh /capra/data/setup.sh --tests
    cd /capra-build
    [ -f build.ninja ] || meson setup . /capra
    meson compile
    meson test --print-errorlogs --suite operations --suite hosts
  "'
