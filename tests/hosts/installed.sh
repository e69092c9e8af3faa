#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed works by itself: libcapra for a program of someone else's, the module for `gegl`, and
# the command line. Installs below a temporary folder.
# Usage: installed.sh MESON BUILD_FOLDER CLIENT.c GEGL_MODULES WITH_RUN     (TAP; CC: the compiler)
# WITH_RUN: 1 where `capra run` was built
set -u
meson=$1 build=$2 client=$3 modules=$4 with_graph=$5
root=$(mktemp -d "${TMPDIR:-/tmp}/capra-installed-XXXXXX") || exit 1
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM

mkdir -p "$root/home" "$root/tree"
export HOME="$root/home" XDG_CACHE_HOME="$root/home" XDG_CONFIG_HOME="$root/home" XDG_DATA_HOME="$root/home"
n=0

# check NAME COMMAND…: one test, which passes when the command does.
check() {
  name=$1
  shift
  n=$((n + 1))
  if "$@" >"$root/log" 2>&1; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' "$root/log"
  fi
}

find_one() { find "$root/tree" -name "$1" ! -type d | head -n 1; }
find_command() { find "$root/tree" -path '*/bin/capra' | head -n 1; } # GIMP's plug-in has the same name

# The pkg-config file as it is installed, but for where the temporary folder puts it.
build_client() {
  sed "s|^prefix=|prefix=$root/tree|" "$(find_one capra.pc)" >"$root/capra.pc" || return 1
  # shellcheck disable=SC2046
  ${CC:-cc} -o "$root/client" "$client" \
    $(PKG_CONFIG_PATH="$root" pkg-config --cflags --libs capra) -lm
}

run_gegl() {
  input="$root/in.png" output="$root/out.png"
  timeout 60 gegl -o "$input" -- gegl:checkerboard x=7 y=5 gegl:crop width=60 height=40 || return 1
  GEGL_PATH="$(dirname "$(find_one capra.so)"):$modules" CAPRA_TIMINGS=- CAPRA_FATAL=1 \
    timeout 60 gegl "$input" -o "$output" -- capra:gaussian-blur || return 1
  grep -q pull "$root/log" && [ -s "$output" ]
}

run_command() { timeout 60 "$(find_command)" devices; }

# `capra` finds the program that it hands over to; where GEGL's images cannot be read there is none.
run_graph() {
  [ -n "$(find_one capra-run)" ] || { echo "no capra-run was installed"; return "$1"; }
  GEGL_PATH="$(dirname "$(find_one capra.so)"):$modules" timeout 60 "$(find_command)" run "$root/in.png" \
    -o "$root/run.png" -- capra:box-blur && [ -s "$root/run.png" ]
}

# Where a second copy lies, GEGL uses one of them.
run_gegl_twice() {
  mkdir -p "$root/second"
  cp "$(find_one capra.so)" "$root/second/" || return 1
  first=$(dirname "$(find_one capra.so)")
  GEGL_PATH="$modules:$root/second:$first" CAPRA_FATAL=1 \
    timeout 60 gegl "$root/in.png" -o "$root/twice.png" -- capra:box-blur || return 1
  [ -s "$root/twice.png" ] && grep -q WARNING "$root/log" && grep -qF "$root/second/capra.so" "$root/log" \
    && grep -qF "$first/capra.so" "$root/log"
}

echo 1..7
check "meson install" "$meson" install -C "$build" --no-rebuild --destdir "$root/tree"
check "a program builds with the installed headers and pkg-config file" build_client
# From here on nothing comes from the build folder.
LD_LIBRARY_PATH=$(dirname "$(find_one 'libcapra.so*')")
export LD_LIBRARY_PATH
check "and runs with the installed library" timeout 60 "$root/client"
check "gegl runs the installed module" run_gegl
check "capra devices runs" run_command
check "capra run runs a chain" run_graph "$with_graph"
check "of two copies of the module one works, and a warning names both" run_gegl_twice
