#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Filters all frames of an HDF5 file with Open MPI: each process takes a share of the frames and writes a file, and
# `capra join` makes one file of them. Start it again to continue after an interruption.
# Usage: sh openmpi.sh PROCESSES FRAMES.h5 OUTPUT.h5 OPERATION [PROPERTY=VALUE…]
set -eu
processes=$1 frames=$2 output=$3
shift 3
# shellcheck disable=SC2086 # MPIRUN_OPTIONS, such as --hostfile=FILE, are several words
mpirun -n "$processes" ${MPIRUN_OPTIONS-} capra run "$frames" --frames=all --resume -o "$output" -- "$@"
capra join "$output" "${output%.h5}".*-of-"$processes".h5
