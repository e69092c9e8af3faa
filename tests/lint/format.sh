#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C files are formatted by clang-format 14 with .clang-format. Other versions give slightly different results.
# Usage: format.sh SOURCE_FOLDER     (TAP)
set -u
cd "$1" || exit 1

echo 1..1
for program in clang-format-14 clang-format; do
  "$program" --version 2>/dev/null | grep -q 'version 14\.' || continue
  unformatted=$(find cl plugin ui data tests -name '*.[ch]' -exec "$program" --dry-run {} + 2>&1 \
    | sed -n 's/^\([^:]*:[0-9]*\):.*\[-Wclang-format-violations\]$/\1/p' | sort -u)
  if [ -z "$unformatted" ]; then
    echo "ok 1 - C files are formatted"
  else
    echo "not ok 1 - C files are formatted; run clang-format -i FILE"
    echo "$unformatted" | sed 's/^/# /'
  fi
  exit 0
done
echo "ok 1 - C files are formatted # SKIP clang-format 14 is not installed"
