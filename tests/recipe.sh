#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Follows "Adding an operation" of CONTRIBUTING.md in a copy of the source: writes the files and the entry of the table from
# its code blocks, builds, runs the tests that it names, and compares what `gegl` makes of an image with a computation by
# awk. Counts what it touches: at most five files and one entry.
# Usage: recipe.sh SOURCE_FOLDER WORK_FOLDER     (TAP)
set -u
. "$1/tests/lint/tap.sh"
source=$(cd "$1" && pwd)
table=plugin/operations/operations.ini
rm -rf "$2"
mkdir -p "$2/tree" || exit 1
work=$(cd "$2" && pwd)
tree=$work/tree
log=$work/log

# With ccache, compilations are the same as those of the source's own build by run.sh, but for the folder. Else they are
# as fast as possible.
buildtype=plain
if command -v ccache >/dev/null; then
  export CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  buildtype=debugoptimized
  case ${CC:-cc} in *ccache*) ;; *) CC="ccache ${CC:-cc}" && export CC ;; esac
fi

# check WHAT COMMAND...: one test; if it fails, the end of the command's output is printed and the script ends.
check() {
  what=$1
  shift
  if "$@" >"$log" 2>&1; then report "$what" ""; else report "$what" "$(tail -n 30 "$log")" && exit 1; fi
}

# All files but those of build folders.
copy_source() {
  (
    cd "$source" || exit 1
    set --
    for entry in *; do [ -d "$entry/meson-private" ] || set -- "$@" "$entry"; done
    tar -c "$@"
  ) | tar -x -C "$tree"
}

# Writes the code blocks of the section into the tree. The text before a block names its file, as the last thing in
# backquotes: "Create `FILE`:", or "Append to `FILE`:".
follow() {
  awk -v tree="$tree" -v touched="$work/touched" '
    /^## / { within = $0 == "## Adding an operation" }
    !within { next }
    /^```/ && !open && file != "" { 
      open = 1
      path = folder = tree "/" file
      sub (/\/[^\/]*$/, "", folder)
      system ("mkdir -p \"" folder "\"")
      print action, file >touched
      next
    }
    /^```/ { open = 0; if (path != "") close (path); path = file = ""; next }
    open { if (action == "Append") print >>path; else print >path; next }
    { text = text " " $0 }
    /:$/ {
      if (match (text, /(Create|Append to)[ ]+`[^`]+`:$/)) {
        found = substr (text, RSTART, RLENGTH)
        action = found ~ /^Append/ ? "Append" : "Create"
        sub (/^[^`]*`/, "", found)
        sub (/`:$/, "", found)
        file = found
      }
    }
    /^$/ { if (file == "") text = "" }' "$source/CONTRIBUTING.md"
}

# An image of colors, as text: a pattern with edges.
make_image() {
  awk 'BEGIN {
    printf "P3\n37 23\n255\n"
    for (y = 0; y < 23; y++) for (x = 0; x < 37; x++) for (c = 0; c < 3; c++)
      print (x * 7 + y * 13 + c * 50 + (x > 20) * 90 + (x * y) % 11) % 256
  }' >"$work/in.ppm"
}

# The output has 16 bits for each perceptual value; light is added in linear values.
compare_pixels() {
  tail -c $((37 * 23 * 6)) "$work/out.ppm" | od -An -v -tu1 -w2 >"$work/out.txt"
  awk '
    function linear(v) { return v <= 0.04045 ? v / 12.92 : exp (2.4 * log ((v + 0.055) / 1.055)) }
    function perceptual(v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * exp (log (v) / 2.4) - 0.055 }
    function mirror(i, n) { return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i }
    function at(x, y, c) { return linear (pixels[(mirror (y, 23) * 37 + mirror (x, 37)) * 3 + c] / 255) }
    FNR == NR { if (FNR > 3) pixels[FNR - 4] = $1; next }
    {
      i = FNR - 1; c = i % 3; x = int (i / 3) % 37; y = int (i / 111)
      expected = perceptual (0.5 + (at (x + 2, y + 2, c) - at (x - 2, y - 2, c)) / 2)
      difference = ($1 * 256 + $2) / 65535 - expected
      if (difference < 0) difference = -difference
      if (difference > largest) largest = difference
      n++
    }
    END {
      print n " values, largest difference " largest
      exit !(n == 37 * 23 * 3 && largest <= 4e-5)
    }' "$work/in.ppm" "$work/out.txt"
}

run_gegl() {
  GEGL_PATH=$tree/build/tests/gegl-modules:$tree/build/plugin CAPRA_FATAL=1 gegl "$work/in.ppm" -o "$work/out.ppm" -- \
    capra:relief distance=2 abyss-policy=mirror && [ -s "$work/out.ppm" ]
}

echo 1..9
copy_source
cp "$tree/$table" "$work/table"
follow
created=$(grep -c '^Create ' "$work/touched")
report "the recipe creates at most five files" "$([ "$created" -ge 1 ] && [ "$created" -le 5 ] || cat "$work/touched")"
report "the recipe appends one entry to the table and changes no other file" \
  "$(grep '^Append ' "$work/touched" | grep -vx "Append $table"
    [ "$(diff "$work/table" "$tree/$table" | grep -c '^> \[')" = 1 ] || echo "not one entry")"

cd "$tree" || exit 1
check "it is configured" meson setup build -Dpanel=disabled -Dgimp=disabled -Dwerror=true --buildtype="$buildtype"
check "it is built" ninja -C build plugin/capra.so cl/capra-prepare tests/test-relief tests/test-operations-all \
  tests/gegl-modules.stamp
check "the test of the algorithm passes" meson test -C build --no-rebuild relief
check "the tests over all operations pass" meson test -C build --no-rebuild operations-all
check "the lists of functions and operations need no change" meson test -C build --no-rebuild lint-exports lint-operations
make_image
check "gegl runs the operation" run_gegl
check "its pixels are right" compare_pixels
sed 's/^/# /' "$log"
[ "$failed" != 0 ] || rm -rf "$tree"
exit "$failed"
