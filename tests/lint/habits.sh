#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks of all source files. Usage: habits.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1

files=$(find cl plugin ui data tests -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o -name '*.sh')
code=$(find cl plugin ui data tests -name '*.[ch]' -o -name '*.cl' -o -name '*.clh')

echo "1..7"
report "every file starts with its license" \
  "$(for f in $files; do
    case $f in cl/* | plugin/*) license=LGPL-3.0-or-later ;; *) license=GPL-3.0-or-later ;; esac
    head -2 "$f" | grep -q "SPDX-License-""Identifier: $license" || echo "$f"
  done)"
report "files have up to 500 lines" \
  "$(for f in $files; do [ "$(wc -l <"$f")" -le 500 ] || echo "$f"; done)"
report "lines have up to 120 columns" \
  "$(LC_ALL=C.UTF-8 grep -nE "^.{121}" $code | cut -d: -f1,2)"
report "no tabs, and no spaces at the ends of lines" \
  "$(grep -nE "	| +$" $code)"
report "no marks of unfinished work" \
  "$(grep -nE '\b(TODO|FIXME|XXX|HACK)\b|#if 0' $code)"
report "only launch.c, and the trial of drivers, enqueue kernels" \
  "$(grep -ln 'clEnqueueNDRangeKernel *(' $(find cl plugin ui -name '*.c') \
    | grep -vxE 'cl/runtime/launch/launch.c|cl/probe.c')"
report "ASCII quotes in messages, except for the panel, so that every locale can print them" \
  "$(grep -nE "[“”]" $(find cl plugin ui/cli ui/pipeline ui/gimp -name '*.[ch]'))"
exit $failed
