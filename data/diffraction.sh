#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Diffraction: makes an HDF5 file with frames of an Eiger 4M, integrates all of them azimuthally on the device, prints
# frames a second and the time of each transfer and kernel, and draws the first curve.
# Usage: sh data/diffraction.sh [FRAMES [FOLDER]], 64 frames by default, which take 130 MB.
set -eu
cd "$(dirname "$0")/.."

frames=${1:-64}
sh data/setup.sh
build=${CAPRA_BUILD:-build-demo}
[ -f "$build/build.ninja" ] || meson setup "$build" >/dev/null
meson compile -C "$build" >"$build/compile.log" || { tail -40 "$build/compile.log"; exit 1; }
meson compile -C "$build" diffraction-frames >>"$build/compile.log" || { tail -40 "$build/compile.log"; exit 1; }

out=${2:-$build/diffraction}
mkdir -p "$out"
"$build/tests/bench/diffraction-frames" --frames="$frames" --poni="$out/experiment.poni" "$out/frames.h5"
# The first run builds the kernels.
integrate() {
  "$build/ui/cli/capra" integrate "$out/frames.h5" --poni="$out/experiment.poni" "$@"
}
integrate --count=1 --quiet --output="$out/curve.dat"
integrate --profile --output="$out/curves.h5"
# The direct beam is 10000 times brighter than the rings. The band is the standard deviation of the pixels: the standard
# error of the mean (column 4) is thinner than the line.
"$build/ui/cli/capra" plot "$out/curve.dat" --output="$out/curve.png" --columns=1,2,3 --log=y \
  --title="Azimuthal integration, Eiger 4M" --x-label="q [1/nm]" --y-label="Counts of a pixel: mean ± standard deviation"
echo "curves: $out/curves.h5"
echo "figure: $out/curve.png"
