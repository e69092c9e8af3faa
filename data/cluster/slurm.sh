#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=capra
#SBATCH --ntasks=8
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-task=1
#SBATCH --requeue
# Filters all frames of an HDF5 file in a job of Slurm with one process for each GPU. srun numbers the processes, and
# --resume continues when Slurm starts the job again.
# Usage: sbatch slurm.sh FRAMES.h5 OUTPUT.h5 OPERATION [PROPERTY=VALUE…]
set -eu
frames=$1 output=$2
shift 2
srun capra run "$frames" --frames=all --resume -o "$output" -- "$@"
capra join "$output" "${output%.h5}".*-of-"$SLURM_NTASKS".h5
