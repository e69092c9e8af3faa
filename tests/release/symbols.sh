#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cl/capra.symbols lists every function that libcapra exports. Functions added since the last release may be missing until
# the next one is made; `nm` prints what to add.
# Usage: symbols.sh SOURCE_FOLDER LIBCAPRA     (TAP)
set -u
. "${0%/*}/../lint/tap.sh"
export LC_ALL=C

echo 1..1
report "cl/capra.symbols is complete (>: exported, not listed)" \
  "$(nm -D --defined-only "$2" | awk '{ print $NF }' | sort | diff "$1/cl/capra.symbols" -)"
