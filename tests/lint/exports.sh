#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libcapra exports exactly the functions that its installed headers declare, and all those that cl/capra.symbols lists
# (tests/release checks that the list is complete); the GEGL module exports only the functions that GEGL looks up.
# Usage: exports.sh SOURCE_FOLDER LIBCAPRA HEADERS [MODULE]     (TAP; HEADERS: separated by spaces)
set -u
. "${0%/*}/tap.sh"
source=$1 library=$2 headers=$3 module=${4:-}
export LC_ALL=C
list=$source/cl/capra.symbols
folder=$(mktemp -d "${TMPDIR:-/tmp}/capra-exports-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

# The linker gold also exports names of its own.
exported() { nm -D --defined-only "$1" | awk '{ print $NF }' | grep -vxE '__bss_start|_edata|_end' | sort; }

# Functions in headers with CAPRA_API on the previous line (1), or without (0).
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
report "libcapra exports every function that cl/capra.symbols lists" "$(comm -23 "$list" "$folder/library")"
report "libcapra exports what its installed headers declare (<: declared, >: exported)" \
  "$(diff "$folder/headers" "$folder/library")"
report "every function in an installed header has CAPRA_API" "$(declared 0)"
report "no other header has CAPRA_API" "$(grep -l '^CAPRA_API' $private)"
report "plugin and ui include installed headers of cl only" \
  "$(cd .. && grep -rnE '#include "(\.\./)*(cl/)?(runtime|algorithms|formats)/' --include='*.[ch]' plugin ui \
    | grep -vE "\"($(echo "$headers" | tr ' ' '|'))\"")"
[ -z "$module" ] || report "the module exports only the functions that GEGL looks up" \
  "$(printf 'gegl_module_%s\n' query register | diff - "$folder/module")"
