#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# In a minimal Debian: installs Capra as README.md says (readme.sh), and then, with Capra installed in the system, runs the
# tests of the operations and of gegl and GIMP. The system is a copy of CAPRA_DEBIAN_TREE, or of one in BUILD_FOLDER that
# debootstrap makes once (from CAPRA_DEBIAN_MIRROR, if set). Packages are downloaded once. Skipped without root or
# debootstrap. Usage: debian.sh RELEASE SOURCE_FOLDER BUILD_FOLDER
set -eu
release=$1
source=$2
folder=$3/debian-$release
. "$source/tests/support/debian-base.sh"
mkdir -p "$folder/packages" "$folder/build"

# The mounts are in a namespace of their own and end with it.
tree=$folder/tree
rm -rf --one-file-system "$tree"
cp -a --one-file-system "$base" "$tree"
mkdir -p "$tree/capra" "$tree/capra-build" "$tree/var/cache/apt/archives"
export tree source folder
exec unshare --mount --pid --fork sh -eu -c '
  mount --bind "$source" "$tree/capra"
  mount -o remount,bind,ro "$tree/capra"
  mount --bind "$folder/build" "$tree/capra-build"
  mount --bind "$folder/packages" "$tree/var/cache/apt/archives"
  mount -t proc proc "$tree/proc"
  mount --rbind /dev "$tree/dev"
  mount --rbind /sys "$tree/sys" # PoCL counts cores there
  cp /etc/resolv.conf "$tree/etc/resolv.conf"
  rm -f "$tree"/etc/apt/apt.conf.d/docker-clean
  exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    chroot "$tree" sh -eu -c "
    sh /capra/tests/support/readme.sh /capra
    ninja -C /root/capra/build install >/dev/null # as well as the build for the tests
    sh /capra/data/setup.sh --tests
    cd /capra-build
    [ -f build.ninja ] || meson setup . /capra
    meson compile
    meson test --setup all --print-errorlogs --suite operations --suite hosts --suite lint
  "'
