#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs from Debian what Capra is built, run and tested with; asks for nothing, skips what is there.
# Usage: sh data/setup.sh [--tests]     (--tests: also what only the tests need)
set -eu

# Debian 12 has GIMP 2.10, and later ones have no oclgrind.
of_release=libgimp-3.0-dev
if grep -q bookworm /etc/os-release; then of_release="libgimp2.0-dev oclgrind"; fi

packages="gcc meson ninja-build pkgconf libglib2.0-dev libglib2.0-dev-bin libgegl-dev gegl
  ocl-icd-opencl-dev opencl-headers libpng-dev libtiff-dev libgtk-4-dev libadwaita-1-dev gettext
  desktop-file-utils"
test_packages="gimp $of_release xvfb xauth xdotool dbus at-spi2-core python3-gi gir1.2-atspi-2.0
  imagemagick procps libasan8 libubsan1 appstream man-db libxml2-utils"

# A driver for the CPU, unless the machine has one for a graphics card.
ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 || packages="$packages pocl-opencl-icd"
if [ "${1:-}" = --tests ]; then
  packages="$packages pocl-opencl-icd $test_packages" # the tests want two equal devices
fi

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q ' installed$'; }

# Debian 12 calls it pkg-config, later releases pkgconf.
available() { apt-cache show "$1" >/dev/null 2>&1; }

missing=
for package in $packages; do
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "setup: need root or sudo to install:$missing" >&2; exit 1; }
  as_root=sudo
fi

echo "setup: installing$missing"
$as_root apt-get update -qq
wanted=
for package in $missing; do
  if available "$package"; then wanted="$wanted $package"; else echo "setup: no package $package here"; fi
done
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
