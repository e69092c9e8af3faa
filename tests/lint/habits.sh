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
  "$(awk -v tag="SPDX-License-""Identifier: " '
    FNR == 1 { if (file != "" && !found) print file; file = FILENAME; found = 0 }
    FNR <= 2 && index ($0, tag (file ~ /^(cl|plugin)\// ? "LGPL" : "GPL") "-3.0-or-later") { found = 1 }
    END { if (!found) print file }' $files
    find $files -empty)"
report "files have up to 500 lines" \
  "$(wc -l $files | awk '$2 != "total" && $1 > 500 { print $2 }')"
report "lines have up to 120 columns" \
  "$(long=$(LC_ALL=C grep -lE "^.{121}" $code) && LC_ALL=C.UTF-8 grep -nE "^.{121}" /dev/null $long | cut -d: -f1,2)"
report "no tabs, and no spaces at the ends of lines" \
  "$(LC_ALL=C grep -nE "	| +$" $code)"
report "no marks of unfinished work" \
  "$(grep -nE '\b(TODO|FIXME|XXX|HACK)\b|#if 0' $code)"
report "only launch.c, and the trial of drivers, enqueue kernels" \
  "$(grep -ln 'clEnqueueNDRangeKernel *(' $(find cl plugin ui -name '*.c') \
    | grep -vxE 'cl/runtime/launch/launch.c|cl/probe.c')"
report "ASCII quotes in messages, except for the panel, so that every locale can print them" \
  "$(grep -nE "[“”]" $(find cl plugin ui/cli ui/pipeline ui/gimp -name '*.[ch]'))"
exit $failed
