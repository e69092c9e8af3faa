#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program on oclgrind's simulated device; any bad access, race or use of an undefined value fails.
# Usage: oclgrind.sh OCLGRIND PROGRAM [ARGUMENT …]
set -u
oclgrind=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$oclgrind" --check-api --data-races --uninitialized --max-errors 20 --log "$log" "$@"
status=$?
if [ -s "$log" ]; then
  cat "$log" >&2
  exit 1
fi
exit $status
