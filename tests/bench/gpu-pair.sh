#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# On a machine with two equal GPUs, to which carry.sh's folder was copied: times split images against one GPU alone, and
# operations of GEGL on one GPU, on both, and on one with the CPU beside it; and tests split images on the GPUs.
# Usage: sh FOLDER/gpu-pair.sh [SIZE]
set -u
here=$(cd "$(dirname "$0")" && pwd)
size=${1:-16384}
export CAPRA_KERNELS=optimized CAPRA_CHECK=off CAPRA_PROGRAM="$here/bin/capra"
run() { sh "$here/run" "$@"; }
gpus=$(run capra devices | sed -n 's/^\([0-9]*\): NVIDIA.*/\1/p' | head -n 2)
run capra devices
# shellcheck disable=SC2086
set -- $gpus
[ $# -eq 2 ] || { echo "no two GPUs from NVIDIA"; exit 1; }
echo "== split"
run bench-split "$size" 11 "$1" "$2"
run bench-split "$size" 11 "$1" "$2"
echo "== the tutorial's volume"
run capra bench --devices "$1,$2" -r 5
echo "== operations, on a GPU, on two, and on a GPU with the CPU"
for devices in "$1" "$1,$2" "$1,cpu" "$1"; do
  echo "device=$devices"
  CAPRA_DEVICE=$devices run bench-operations 8192 "Y float" 5 gaussian-5,box-15,threshold,label-numbers
done
echo "== tests, on the two GPUs alone"
mkdir -p "$here/vendors"
grep -l nvidia /etc/OpenCL/vendors/*.icd | xargs -I {} cp {} "$here/vendors"
for test in split-array band-source; do
  OCL_ICD_VENDORS=$here/vendors CAPRA_MEMORY_BUDGET=4G timeout 60 sh "$here/run" "test-$test" 2>&1 \
    | grep -aE '^(not )?ok|ERROR|Assert' | head -n 12
done
