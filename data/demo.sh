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

# One graph: the blurred picture is kept on the way to the labels; the table is of the input's intensities.
cat >"$out/graph.xml" <<GRAPH
<?xml version='1.0' encoding='UTF-8'?>
<gegl>
  <node operation='capra:measure'>
    <node operation='gegl:load'><params><param name='path'>$out/input.png</param></params></node>
  </node>
  <node operation='capra:label'><params><param name='rendering'>numbers</param></params></node>
  <node operation='capra:threshold'><params><param name='method'>otsu</param></params></node>
  <node operation='capra:gaussian-blur'>
    <params><param name='std-dev-x'>3</param><param name='std-dev-y'>3</param></params>
  </node>
  <node operation='gegl:load'><params><param name='path'>$out/input.png</param></params></node>
</gegl>
GRAPH
