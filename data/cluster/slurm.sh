#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=capra
#SBATCH --ntasks=8
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-task=1
#SBATCH --requeue
# Filters all frames of an HDF5 file in a job of Slurm with one process for each GPU. srun numbers the processes, and
# --resume continues when Slurm starts the job again. The job fails if a frame failed; the other frames are joined.
# Options of sbatch replace those above: --gpus-per-task=0 where no graphics cards are configured.
# Usage: sbatch [OPTION…] slurm.sh FRAMES.h5 OUTPUT.h5 OPERATION [PROPERTY=VALUE…]
set -u
frames=$1 output=$2 status=0
shift 2
srun --kill-on-bad-exit=0 capra run "$frames" --frames=all --resume -o "$output" -- "$@" || status=$?
capra join "$output" "${output%.h5}".*-of-"$SLURM_NTASKS".h5 || status=$?
exit "$status"
