#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demonstration: installs what is missing, builds, and runs one graph on a sample image: gaussian
# blur, Otsu's threshold, labels, measurements. Usage: sh data/demo.sh [FOLDER FOR THE PICTURES]
set -eu
cd "$(dirname "$0")/.."

sh data/setup.sh
# If ccache is installed, compilations of the tests' build are shared.
export CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
build=${CAPRA_BUILD:-build-demo}
[ -f "$build/build.ninja" ] || meson setup "$build" -Dtests=false >/dev/null
meson compile -C "$build" >"$build/compile.log" || { tail -40 "$build/compile.log"; exit 1; }

out=${1:-$build/demo}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Capra's operations from the build folder, GEGL's own from where they are installed. Of two copies of a module, GEGL
# uses the one in the last folder.
GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4):$(pwd)/$build/plugin
export GEGL_PATH

"$build/data/capra-sample" "$out/input.png"
rm -f "$out/regions.csv" "$out/timings.txt"

# The graph: the labels of the blurred image, measured on the intensities of the input, which is uploaded once for both.
cat >"$out/graph.xml" <<GRAPH
<?xml version='1.0' encoding='UTF-8'?>
<gegl>
  <node operation='capra:measure'>
    <clone ref='image'/>
  </node>
  <node operation='capra:label'><params><param name='rendering'>numbers</param></params></node>
  <node operation='capra:threshold'><params><param name='method'>otsu</param></params></node>
  <node operation='capra:gaussian-blur'>
    <params><param name='std-dev-x'>3</param><param name='std-dev-y'>3</param></params>
  </node>
  <node id='image' operation='gegl:load'><params><param name='path'>$out/input.png</param></params></node>
</gegl>
GRAPH
# The first run builds optimized kernels, the second is timed.
export CAPRA_KERNELS=optimized
CAPRA_FATAL=1 gegl "$out/graph.xml" -o "$out/labels.tif"
CAPRA_FATAL=1 CAPRA_TABLES=$out/regions.csv CAPRA_TIMINGS=$out/timings.txt \
  gegl "$out/graph.xml" -o "$out/labels.tif"

# Two of the steps as pictures.
CAPRA_FATAL=1 gegl "$out/input.png" -o "$out/blurred.png" -- \
  capra:gaussian-blur std-dev-x=3 std-dev-y=3
CAPRA_FATAL=1 gegl "$out/input.png" -o "$out/labels.png" -- \
  capra:gaussian-blur std-dev-x=3 std-dev-y=3 capra:threshold method=otsu capra:label

echo "Regions: $(($(wc -l <"$out/regions.csv") - 1)). The first of them:"
head -6 "$out/regions.csv" | awk -F, -v columns="1 2 3 4 7 8 9 10 12 14" '
  { n = split (columns, c, " ")
    for (i = 1; i <= n; i++) printf "%11s", NR == 1 || $c[i] !~ /[.]/ ? $c[i] : sprintf ("%.3f", $c[i])
    print "" }'
echo
echo "Timings:"
cat "$out/timings.txt"
echo
echo "Device:"
"$build/ui/cli/capra" devices | grep -A3 '(default)'
echo
echo "Pictures:"
for picture in input blurred labels; do echo "  $out/$picture.png"; done
echo "  $out/labels.tif (exact label numbers)"
echo "Table: $out/regions.csv"
