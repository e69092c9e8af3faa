#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program on oclgrind's simulated device; any bad access, and any race that is not meant, fails.
# Usage: oclgrind.sh OCLGRIND PROGRAM [ARGUMENT …]
set -u
oclgrind=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Races that are meant (levels.cl says why: of values that share a slot any may stay). Where kernels can, they
# take atomic accesses instead under -DCHECKED.
meant='levels_mark|levels_check'

# Optimised, its compiler makes intrinsics that its simulator does not know. The cache folder is its own:
# options given here are not seen by Capra's cache of programs. Local memory is as large as on most GPUs.
XDG_CACHE_HOME=$folder "$oclgrind" --build-options "-Drestrict= -DCHECKED -cl-opt-disable" --check-api --data-races \
  --local-mem-size 49152 --max-errors 1000000 --log "$folder/log" "$@"
status=$?
touch "$folder/log"
awk -v RS= -v meant="Kernel: ($meant)\n" '!(/data race/ && $0 ~ meant) && NF { print $0 "\n" }' "$folder/log" \
  >"$folder/found"
if [ -s "$folder/found" ]; then
  head -60 "$folder/found" >&2
  exit 1
fi
exit $status
