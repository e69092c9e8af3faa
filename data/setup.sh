#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages that Capra is built, run and tested with, without questions. On systems without apt, it
# lists what is missing and fails. Usage: sh data/setup.sh [--tests]     (--tests: also what only the tests need)
set -eu

# Lines: how to find it on any system; Debian packages, of which one is enough (/); a description.
needs() {
  cat <<'END'
program cc                  gcc                             a C compiler
program meson               meson                           Meson 1.0
program ninja               ninja-build                     Ninja
program pkg-config          pkgconf/pkg-config              pkg-config
debian -                    dpkg-dev                        dpkg's folder for libraries, which Meson uses
library glib-2.0            libglib2.0-dev                  GLib's headers
program glib-compile-resources libglib2.0-dev-bin           GLib's development programs
library json-glib-1.0       libjson-glib-dev                json-glib's headers
library gegl-0.4            libgegl-dev                     GEGL's headers (0.4.42)
program gegl                gegl                            the program gegl
library OpenCL              ocl-icd-opencl-dev              OpenCL's loader
library OpenCL-Headers,OpenCL opencl-headers                OpenCL's headers
library libpng              libpng-dev                      libpng's headers
library libjpeg             libjpeg-dev                     libjpeg's headers
library pangocairo          libpango1.0-dev                 Pango's headers, for figures
library libtiff-4           libtiff-dev                     libtiff's headers
library libwebpdemux        libwebp-dev                     libwebp's headers
library cfitsio             libcfitsio-dev                  CFITSIO's headers, for FITS files
library hdf5-serial,hdf5    libhdf5-dev                     libhdf5's headers (1.10.5), for HDF5 files
library gtk4                libgtk-4-dev                    GTK's headers (4.8), for the panel
library libadwaita-1        libadwaita-1-dev                libadwaita's headers (1.2), for the panel
debian -                    librsvg2-common                 the loader of the panel's icons
library gimp-3.0,gimp-2.0   libgimp-3.0-dev/libgimp2.0-dev  GIMP's headers (3.0 or 2.10), for the plug-in
program msgfmt              gettext                         gettext
program update-desktop-database desktop-file-utils          desktop-file-utils
program gtk4-update-icon-cache,gtk-update-icon-cache gtk-update-icon-cache GTK's program for icon caches
END
  # A driver for the CPU, unless the machine has a driver for a graphics card; the tests need two equal devices.
  if [ -n "$tests" ] || ! driver; then
    echo "driver pocl pocl-opencl-icd an OpenCL driver, such as PoCL for the CPU"
  fi
  [ -z "$tests" ] || cat <<'END'
library wcslib              wcslib-dev                      WCSLIB's headers
program c++                 g++                             a C++ compiler
program gimp                gimp                            GIMP
program Xvfb                xvfb                            Xvfb
program xauth               xauth                           xauth
program xdotool             xdotool                         xdotool
program dbus-run-session    dbus                            D-Bus
debian -                    at-spi2-core                    the accessibility bus
debian -                    python3-gi                      Python's GObject bindings
debian -                    gir1.2-atspi-2.0                the bindings of the accessibility bus
program import              imagemagick                     ImageMagick
program ps                  procps                          ps
program eu-stack            elfutils                        eu-stack, for the stacks of a test that hangs
debian -                    libasan8                        the address sanitizer
debian -                    libubsan1                       the undefined behavior sanitizer
debian -                    python3-scipy                   scipy, to which the test of the sky compares
program clang               clang                           Clang, for the fuzz target of a kernel
debian -                    libclang-rt-dev                 Clang's address sanitizer
library liblz4              liblz4-dev                      LZ4's headers, for synthetic diffraction frames
program appstreamcli        appstream                       appstreamcli
program man                 man-db                          man
program xmllint             libxml2-utils                   xmllint
program mpirun              openmpi-bin                     Open MPI
END
  # Oclgrind, and the version of clang-format that .clang-format is written for; later releases lack both.
  if [ -n "$tests" ] && grep -q bookworm /etc/os-release 2>/dev/null; then
    echo "program oclgrind oclgrind Oclgrind"
    echo "program clang-format clang-format clang-format"
  fi
}

driver() { ls /etc/OpenCL/vendors/*"${1:-}"*.icd >/dev/null 2>&1; }

# present KIND NAMES: whether one of the names is installed, on any system.
present() {
  for name in $(echo "$2" | tr , ' '); do
    case $1 in
      program) command -v "$name" >/dev/null && return 0 ;;
      library) pkg-config --exists "$name" 2>/dev/null && return 0 ;;
      driver) driver "$name" && return 0 ;;
      debian) return 0 ;;
    esac
  done
  return 1
}

installed() {
  for package in $(echo "$1" | tr / ' '); do
    if dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$'; then return 0; fi
  done
  return 1
}

tests=
[ "${1:-}" != --tests ] || tests=1

if ! command -v apt-get >/dev/null; then
  missing=$(needs | while read -r kind names packages what; do
    present "$kind" "$names" || echo "  $what ($(echo "$names" | sed 's/,/ or /g'))"
  done)
  [ -n "$missing" ] || exit 0
  {
    echo "setup: apt-get is not available; please install:"
    echo "$missing"
  } >&2
  exit 1
fi

missing=$(needs | while read -r _ _ packages what; do installed "$packages" || echo "$packages $what"; done)
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: root or sudo is needed to install:" $(echo "$missing" | sed 's| .*||') >&2
    exit 1
  fi
  as_root=sudo
fi

$as_root apt-get update -qq
wanted=$(echo "$missing" | while read -r packages what; do
  for package in $(echo "$packages" | tr / ' '); do
    if [ -n "$(apt-cache show "$package" 2>/dev/null)" ]; then
      echo "$package"
      continue 2
    fi
  done
  echo "setup: skipping $what: this release has no package $packages" >&2
done)
[ -n "$wanted" ] || exit 0
echo "setup: installing" $wanted
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
