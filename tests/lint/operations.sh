#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rows of operations in the README are those of plugin/operations/operations.ini, whose lines have known keys.
# Usage: operations.sh SOURCE_FOLDER     (TAP)
set -u
export LC_ALL=C
. "${0%/*}/tap.sh"
cd "$1" || exit 1
table=plugin/operations/operations.ini
work=$(mktemp -d "${TMPDIR:-/tmp}/capra-operations-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

sh tests/support/operations-rows.sh . | sort >"$work/table"
grep '^| `capra:' README.md | sort >"$work/readme"

echo 1..4
report "the rows of the README are those of the table (new operations may be missing until a release)" \
  "$(comm -13 "$work/table" "$work/readme")"
report "every operation has one summary" \
  "$(awk '/^\[/ { names[$0]++; name = $0 } /^summary = / { summaries[name]++ }
    END { for (n in names) if (names[n] != 1 || summaries[n] != 1) print n }' $table)"
report "no line has an unknown key" \
  "$(grep -nvE '^(#|$|\[[a-z0-9-]+\]$|(summary|algorithm|prepare|kernels|chain|test|twin|bench) = [^ ])' $table)"
report "operations without a chain have a test of their own" \
  "$(awk '/^\[/ { name = $0; names[name] } /^(prepare|chain) = / { run[name] } /^test = / { run[name]; print $3 }
    END { for (n in names) if (!(n in run)) print n }' $table | while read -r test; do
    [ -f "$(find tests/plugin -name "test-$test.c")" ] || echo "$test"
  done)"
