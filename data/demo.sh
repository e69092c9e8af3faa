#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demonstration: installs what is missing, builds, and runs one graph on a sample image: gaussian
# blur, Otsu's threshold, labels, measurements. Usage: sh data/demo.sh [FOLDER FOR THE PICTURES]
set -eu
cd "$(dirname "$0")/.."

sh data/setup.sh
build=${CAPRA_BUILD:-build-demo}
[ -f "$build/build.ninja" ] || meson setup "$build" -Dtests=false >/dev/null
meson compile -C "$build" >/dev/null

out=${1:-$build/demo}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Our operations from the build folder, GEGL's own from where they are installed.
GEGL_PATH=$(pwd)/$build/plugin:$(pkg-config --variable=pluginsdir gegl-0.4)
export GEGL_PATH

"$build/data/capra-sample" "$out/input.png"
rm -f "$out/regions.csv" "$out/timings.txt"

# The graph: the labels of the blurred image, measured on the input's own intensities.
CAPRA_FATAL=1 CAPRA_TABLES=$out/regions.csv CAPRA_TIMINGS=$out/timings.txt \
  gegl "$out/input.png" -o "$out/labels.tif" -- \
    capra:gaussian-blur std-dev-x=3 std-dev-y=3 \
    capra:threshold method=otsu \
    capra:label rendering=numbers \
    capra:measure aux=[ gegl:load path="$out/input.png" ]

# For the eye: two of its steps as pictures.
CAPRA_FATAL=1 gegl "$out/input.png" -o "$out/blurred.png" -- \
  capra:gaussian-blur std-dev-x=3 std-dev-y=3
CAPRA_FATAL=1 gegl "$out/input.png" -o "$out/labels.png" -- \
  capra:gaussian-blur std-dev-x=3 std-dev-y=3 capra:threshold method=otsu capra:label

echo "Regions: $(($(wc -l <"$out/regions.csv") - 1)). The first of them:"
head -6 "$out/regions.csv" | cut -d, -f1-4,7-10,13 \
  | awk -F, '{ for (i = 1; i <= NF; i++) printf "%-19s", $i; print "" }'
echo
echo "Timings:"
cat "$out/timings.txt"
echo
echo "Device:"
"$build/ui/cli/capra" devices | grep -A3 '(chosen)'
echo
echo "Pictures:"
for picture in input blurred labels; do echo "  $out/$picture.png"; done
echo "  $out/labels.tif (the exact label numbers)"
echo "Table: $out/regions.csv"
