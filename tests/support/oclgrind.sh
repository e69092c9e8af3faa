#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program on Oclgrind's simulated device; any invalid access and any unintended data race fails.
# Usage: oclgrind.sh OCLGRIND PROGRAM [ARGUMENT …]
set -u
oclgrind=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Intended races (levels.cl: any of the values that share a slot may remain). Other kernels use atomic accesses instead
# with -DCHECKED.
meant='levels_mark|levels_check'

# With optimization, its compiler emits intrinsics that its simulator lacks. The cache folder is separate, since Capra's
# program cache does not know these options. Local memory is as large as on most GPUs. The simulator is the only device.
CAPRA_TEST_DEVICE=0 XDG_CACHE_HOME=$folder "$oclgrind" --build-options "-Drestrict= -DCHECKED -cl-opt-disable" \
  --check-api --data-races --local-mem-size 49152 --max-errors 1000000 --log "$folder/log" "$@"
status=$?
touch "$folder/log"
awk -v RS= -v meant="Kernel: ($meant)\n" '!(/data race/ && $0 ~ meant) && NF { print $0 "\n" }' "$folder/log" \
  >"$folder/found"
if [ -s "$folder/found" ]; then
  head -60 "$folder/found" >&2
  exit 1
fi
exit $status
