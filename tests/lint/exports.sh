#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What libcapra exports is what its installed headers declare and cl/capra.symbols lists; the GEGL module exports only
# what GEGL asks for. Usage: exports.sh SOURCE_FOLDER LIBCAPRA HEADERS [MODULE]     (TAP; HEADERS: separated by spaces)
set -u
source=$1 library=$2 headers=$3 module=${4:-}
export LC_ALL=C
list=$source/cl/capra.symbols
folder=$(mktemp -d "${TMPDIR:-/tmp}/capra-exports-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
n=0

# report WHAT FINDINGS: one test, which passes without findings.
report() {
  n=$((n + 1))
  if [ -n "$2" ]; then
    echo "not ok $n - $1"
    echo "$2" | sed 's/^/# /'
  else
    echo "ok $n - $1"
  fi
}

exported() { nm -D --defined-only "$1" | awk '{ print $NF }' | sort; }

# Functions in headers whose line before is, or is not, CAPRA_API.
declared() {
  awk -v marked="$1" '/^[A-Za-z].*[ *]capra_[a-z0-9_]+ \(/ && !/^(typedef|static)/ && (before == "CAPRA_API") == marked {
      match ($0, /capra_[a-z0-9_]+ \(/)
      print substr ($0, RSTART, RLENGTH - 2)
    }
    { before = $0 }' $headers
}

cd "$source/cl" || exit 1
exported "$library" >"$folder/library"
[ -z "$module" ] || exported "$module" >"$folder/module"
declared 1 | sort >"$folder/headers"
private=$(find . -name '*.h' | sed 's|^\./||' | grep -vxF "$(echo "$headers" | tr ' ' '\n')")

echo "1..$([ -n "$module" ] && echo 6 || echo 5)"
report "libcapra exports what cl/capra.symbols lists (<: listed, >: exported)" "$(diff "$list" "$folder/library")"
report "installed headers declare what is listed (<: listed, >: declared)" "$(diff "$list" "$folder/headers")"
report "every function in an installed header is exported" "$(declared 0)"
report "no other header exports" "$(grep -l '^CAPRA_API' $private)"
report "plugin and ui include installed headers of cl only" \
  "$(cd .. && grep -rnE '#include "(\.\./)*(cl/)?(runtime|algorithms)/' --include='*.[ch]' plugin ui \
    | grep -vE "\"($(echo "$headers" | tr ' ' '|'))\"")"
[ -z "$module" ] || report "the module exports what GEGL asks for" \
  "$(printf 'gegl_module_%s\n' query register | diff - "$folder/module")"
