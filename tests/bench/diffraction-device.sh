#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Times `capra integrate` on a machine to which carry.sh's folder was copied: tests the decoder there, writes FRAMES frames
# of an Eiger 4M (8 GB for 4096) to a folder in memory, integrates them with some sizes of batches and numbers of readers,
# compares the curves with those of the CPU, and prints a table.
# reference=NAME names the device for the comparison.
# Usage: sh FOLDER/diffraction-device.sh DEVICE [FRAMES [FOLDER_FOR_DATA]]
set -u
here=$(cd "$(dirname "$0")" && pwd)
device=$1 frames=${2:-4096} data=${3:-/dev/shm}
export LD_LIBRARY_PATH="$here/lib" CAPRA_KERNELS=optimized CAPRA_MEMORY_BUDGET=32G
run() { "$here/bin/capra" integrate "$data/frames.h5" --poni "$data/frames.poni" -o "$data/curves.h5" -d "$device" "$@"; }
rate() { sed -n 's/.*: \([0-9.]*\) frames\/s, \([0-9.]*\) ms.*before that \([0-9.]*\) s.*/\1 frames\/s  \2 ms a frame  set-up \3 s/p'; }

echo "== tests on $device"
CAPRA_TEST_DEVICE=$device timeout 60 "$here/bin/test-bitshuffle" 2>&1 | grep -aE '^(not )?ok|ERROR' || echo "not ended"
echo "== frames"
"$here/bin/diffraction-frames" -n "$frames" -d 64 "$data/frames.h5" -p "$data/frames.poni" || exit 1
echo "== curves of 8 frames: the largest relative difference to those of ${reference:=cpu-}"
for which in "$device" "$reference"; do
  "$here/bin/capra" integrate "$data/frames.h5" --poni "$data/frames.poni" -o "$data/$which.txt" -d "$which" --count 8 -q
done
paste "$data/$device.txt" "$data/$reference.txt" | awk 'NF == 8 && $1 !~ /#/ && $2 > 0 { d = ($2 - $6) / $6; n++
  if (d < 0) d = -d; if (d > most) most = d } END { printf "%.1e of %d points\n", most, n }'
echo "== defaults: the first run after the file was written, after it was read, and the profile"
run | rate
run | rate
run --profile
echo "== batch, ring, readers"
for options in "4 12 8" "8 4 8" "8 8 4" "8 8 12" "8 16 12" "16 8 12" "32 4 12"; do
  # shellcheck disable=SC2086
  set -- $options
  printf '%-12s' "$options"
  run --batch "$1" --ring "$2" --readers "$3" | rate
done
echo "== splitting none, without errors; gaps as detectors write them"
printf 'none         '; run --splitting none --errors none | rate
"$here/bin/diffraction-frames" -n $((frames / 4)) -d 32 --gaps largest "$data/frames.h5" >/dev/null
printf 'gaps         '; run | rate
run --profile | grep -E 'bitshuffle|azimuthal|upload'
rm -f "$data/frames.h5"
