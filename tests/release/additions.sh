#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists that a new operation or function need not be added to until a release is made: cl/capra.symbols, po/POTFILES and
# the README's table of operations. Prints what is missing.
# Usage: additions.sh SOURCE_FOLDER LIBCAPRA     (TAP)
set -u
. "${0%/*}/../lint/tap.sh"
cd "$1" || exit 1
export LC_ALL=C

echo 1..3
report "cl/capra.symbols lists every exported function" \
  "$(nm -D --defined-only "$2" | awk '{ print $NF }' | sort | comm -13 cl/capra.symbols -)"
report "po/POTFILES lists every operation" "$(ls plugin/operations/*.c | grep -vxFf po/POTFILES)"
report "the README lists every operation" \
  "$(sh tests/support/operations-rows.sh . | sort >"${TMPDIR:-/tmp}/capra-rows-$$"
    grep '^| `capra:' README.md | sort | comm -23 "${TMPDIR:-/tmp}/capra-rows-$$" -
    rm -f "${TMPDIR:-/tmp}/capra-rows-$$")"
