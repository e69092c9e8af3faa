#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of the first use of each operation: processor time (user and system, in seconds) of `capra run` on an image of
# 1024 x 1024, with all caches empty, and again with filled caches. Kernels that are built in the background do not count.
# Usage: sh tests/bench/cold.sh [BUILD FOLDER] [OPERATION…]
set -eu
build=$(cd "${1:-build}" && pwd)
[ $# -eq 0 ] || shift
GEGL_PATH=$build/plugin:$(pkg-config --variable=pluginsdir gegl-0.4)
export GEGL_PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder" 2>/dev/null || :' EXIT
"$build/data/capra-sample" "$folder/in.png" >/dev/null

# Runs an operation with the caches of this row; prints the time.
run() {
  HOME=$row XDG_CACHE_HOME=$row/cache XDG_CONFIG_HOME=$row/config \
    POCL_CACHE_DIR=$row/pocl CAPRA_SHARED_KERNELS=$row/none CAPRA_CHECK=off \
    /usr/bin/time -o "$row/time" -f '%U %S' "$build/ui/cli/capra" run -q "$folder/in.png" -o "$row/out.png" -- "$@" >&2
  awk '{ printf "%.2f", $1 + $2 }' "$row/time"
}

printf '%-62s %5s %5s %5s\n' operation cold warm more
number=0
measure() {
  number=$((number + 1))
  row=$folder/$number
  mkdir -p "$row/cache" "$row/config" "$row/pocl"
  rm -f "$row/out.png"
  cold=$(run "$@")
  rm -f "$row/out.png"
  warm=$(run "$@")
  echo "$*|$cold|$warm" | awk -F'|' '{ printf "%-62s %5.2f %5.2f %5.2f\n", $1, $2, $3, $2 - $3 }'
}

if [ $# -gt 0 ]; then
  measure "$@"
  exit
fi
measure capra:gaussian-blur
measure capra:gaussian-blur std-dev-x=20 std-dev-y=20
measure capra:box-blur radius=15
measure capra:convolve
measure capra:threshold value=0.2
measure capra:threshold method=otsu
measure capra:label
measure capra:threshold capra:label rendering=numbers capra:measure
measure capra:statistics
