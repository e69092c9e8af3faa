# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts that need a minimal Debian. With $release and $folder set, it sets $base: the system in
# CAPRA_DEBIAN_TREE, or the one in $folder/base that debootstrap makes once (from CAPRA_DEBIAN_MIRROR, if set).
# Exits with 77 without root or debootstrap.
skip() {
  echo "$release: skipped: $1"
  exit 77
}

base=${CAPRA_DEBIAN_TREE:-$folder/base}
[ "$(id -u)" = 0 ] || skip "changing into a tree needs root"
unshare --mount --pid --fork true 2>/dev/null || skip "this root may not mount"
if [ ! -x "$base/usr/bin/apt-get" ]; then
  [ -z "${CAPRA_DEBIAN_TREE:-}" ] || skip "there is no Debian in $base"
  command -v debootstrap >/dev/null || skip "debootstrap is not installed"
  # Made under another name, so that an existing tree is complete.
  rm -rf "$base.new"
  mkdir -p "$folder"
  echo "$release: making a tree"
  debootstrap --variant=minbase "$release" "$base.new" ${CAPRA_DEBIAN_MIRROR:+"$CAPRA_DEBIAN_MIRROR"} \
    >"$folder/debootstrap.log" 2>&1 || { tail "$folder/debootstrap.log"; exit 1; }
  mv "$base.new" "$base"
fi
grep -q "VERSION_CODENAME=$release" "$base/etc/os-release" || skip "$base is not $release"
