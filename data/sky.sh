#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Radio sources, from an image of the sky to their table: installs what is missing, builds, writes an artificial image,
# finds its background, the sources above it, their positions and fluxes, and draws the image with the sources marked.
# Usage: sh data/sky.sh [IMAGE.fits]
set -eu
image=${1:-}
[ -z "$image" ] || image=$(realpath "$image")
cd "$(dirname "$0")/.."

build=${CAPRA_BUILD:-build-demo}
if [ ! -x "$build/ui/cli/capra" ]; then
  sh data/setup.sh
  [ -f "$build/build.ninja" ] || meson setup "$build" -Dtests=false >/dev/null
fi
meson compile -C "$build" >"$build/compile.log" || { tail -40 "$build/compile.log"; exit 1; }

out=$build/sky
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ -z "$image" ]; then
  image=$out/sky.fits
  "$build/data/capra-sky" "$image"
fi
GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4):$(pwd)/$build/plugin
export GEGL_PATH
rm -f "$out"/sources.csv "$out"/timings.txt "$out"/labels.tif "$out"/sky.png

# The graph: the labels of what is 5 standard deviations above the background, measured on the image, brightest first.
# Regions of one or two pixels are left out: most are parts of the faint edges of sources. In the artificial images, half
# of all regions are such parts, and 4 % of those with three pixels, among which are all sources with a peak of at least
# 6 standard deviations, and three quarters of those with 5 to 6 (tests/bench/sky_truth.py).
cat >"$out/graph.xml" <<GRAPH
<?xml version='1.0' encoding='UTF-8'?>
<gegl>
  <node operation='capra:measure'>
    <params><param name='sort'>brightness</param></params>
    <clone ref='image'/>
  </node>
  <node operation='capra:label'>
    <params>
      <param name='rendering'>numbers</param><param name='connectivity'>4</param><param name='min-size'>3</param>
    </params>
  </node>
  <node operation='capra:threshold'>
    <params><param name='method'>kappa-sigma</param><param name='kappa'>3</param><param name='factor'>5</param></params>
  </node>
  <node id='image' operation='capra:fits-load'><params><param name='path'>$image</param></params></node>
</gegl>
GRAPH
# The first run builds optimized kernels, the second is timed.
export CAPRA_KERNELS=optimized CAPRA_FATAL=1
gegl "$out/graph.xml" -o "$out/labels.tif"
CAPRA_TABLES=$out/sources.csv CAPRA_TIMINGS=$out/timings.txt gegl "$out/graph.xml" -o "$out/labels.tif"

echo "Sources: $(($(wc -l <"$out/sources.csv") - 1)). The brightest (x and y in pixels, sum of the values, coordinates):"
head -11 "$out/sources.csv" | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; last = NF }
  { n = split ("label area weighted_centroid_x weighted_centroid_y sum max", names, " ")
    for (i = 1; i <= n; i++) {
      value = $column[names[i]]
      sub (/weighted_centroid_/, "", value)
      printf "%11s", value ~ /[.]/ ? sprintf ("%.3f", value) : value
    }
    for (i = column["std"] + 1; i <= last; i++) printf "%13s", $i ~ /[.]/ ? sprintf ("%.5f", $i) : $i
    print "" }'
echo
echo "Times:"
cat "$out/timings.txt"
"$build/ui/cli/capra" run -q --figure="$out/sky.png" --stretch=log --sources="$out/sources.csv" \
  -- capra:fits-load path="$image"
echo
echo "Picture: $out/sky.png"
