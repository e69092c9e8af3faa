#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Filters all frames of an HDF5 file with Open MPI: each process takes a share of the frames and writes a file, and
# `capra join` makes one file of them. Start it again to continue after an interruption. The exit status is not 0 if a
# frame failed.
# Usage: sh openmpi.sh PROCESSES FRAMES.h5 OUTPUT.h5 OPERATION [PROPERTY=VALUE…]
set -u
processes=$1 frames=$2 output=$3 status=0
failed=$output.failed
shift 3
rm -f "$failed"
# mpirun ends all processes as soon as one returns a status that is not 0, but a bad frame must not stop the others.
# shellcheck disable=SC2016,SC2086 # MPIRUN_OPTIONS, such as --hostfile=FILE, are several words
mpirun -n "$processes" ${MPIRUN_OPTIONS-} sh -c '"$@" || : >"$0"' "$failed" \
  capra run "$frames" --frames=all --resume -o "$output" -- "$@" || status=$?
capra join "$output" "${output%.h5}".*-of-"$processes".h5 || status=$?
[ ! -e "$failed" ] || status=1
rm -f "$failed"
exit "$status"
