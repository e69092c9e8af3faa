#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=capra
#SBATCH --array=1-16
#SBATCH --cpus-per-task=8
#SBATCH --gpus=1
# Filters images in an array of Slurm: each task takes a share of them, whenever it starts. After a failure, submit the
# whole array again with the same images: finished ones are not repeated.
# Options of sbatch replace those above: --array=1-4, and --gpus=0 where no graphics cards are configured.
# Usage: sbatch [OPTION…] slurm-array.sh OUTPUT-FOLDER GRAPH.xml IMAGE…
set -eu
output=$1 graph=$2
shift 2
capra run "$@" --resume -o "$output/" --graph="$graph"
