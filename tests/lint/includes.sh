#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Allowed includes: ui -> cl, plugin -> cl, cl -> GLib and OpenCL. There are no circular dependencies between folders or
# files; a C file and its headers count as one. Each rule is first tested on a planted tree that violates it.
# Usage: includes.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1
planted=$(mktemp -d "${TMPDIR:-/tmp}/capra-includes-XXXXXX") || exit 1
trap 'rm -rf "$planted"' EXIT
missed=

# Lines "FILE<tab>INCLUDED" of the tree below the current folder.
includes() {
  grep -rnoE --include='*.[ch]' --include='*.cl' --include='*.clh' '^ *# *include *["<][^">]+' cl plugin ui 2>/dev/null \
    | sed -E 's/^([^:]*):[0-9]+: *# *include *["<]/\1\t/'
}

# never FOLDERS PATTERN: includes that start with PATTERN, in files below FOLDERS (also a pattern).
never() { includes | grep -E "^($1)/" | grep -E "	($2)"; }

# Private headers that are included by files of other folders.
private() {
  includes | grep -E -- '-private\.h$' | while IFS='	' read -r file header; do
    folder=${file%/*}
    case $header in
      */*) [ "${folder#cl/}" = "${header%/*}" ] || echo "$file	$header" ;;
    esac
  done
}

# circles FOLDER DEPTH: files below FOLDER with circular dependencies; with DEPTH "folders", folders below it.
circles() {
  includes | sed 's/^cl\/\([^	]*\)/\1/' | awk -F'\t' -v folder="${1#cl/}/" -v depth="$2" '
    function node(path) {
      sub (/(-private)?\.[a-z]+$/, "", path)
      if (depth == "folders") {
        path = substr (path, length (folder) + 1)
        if (path !~ /\//) return ""
        sub (/\/.*/, "", path)
      }
      return path
    }
    index ($1, folder) == 1 && index ($2, folder) == 1 {
      a = node($1); b = node($2)
      if (a != "" && b != "" && a != b) print a, b
    }' | tsort 2>&1 >/dev/null | grep -v "input contains a loop" | sort -u
}

# check WHAT RULE…: the rule finds no violation in the source, and finds one in the planted tree.
check() {
  what=$1
  shift
  [ -n "$(cd "$planted" && "$@")" ] || missed=1
  report "$what" "$("$@")${missed:+the rule does not find the violation in the planted tree}"
  missed=
}

# plant FILE INCLUDED…
plant() {
  file=$planted/$1
  shift
  mkdir -p "${file%/*}"
  printf '#include "%s"\n' "$@" >>"$file"
}

plant cl/runtime/device/a.c gegl.h algorithms/box/box.h runtime/memory/b.h CL/cl.h
plant cl/runtime/base/a.c runtime/device/a.h
plant cl/runtime/drivers/a.c runtime/device/a.h
plant cl/runtime/memory/b.c runtime/device/a.h runtime/memory/c.h
plant cl/runtime/memory/c.h runtime/memory/b.h
plant cl/algorithms/box/a.c algorithms/box/b.h formats/fits/a.h
plant cl/formats/fits/a.c algorithms/box/box.h formats/fits/b.h
plant cl/formats/fits/b.c formats/fits/a.h
plant cl/algorithms/box/b.c algorithms/box/a.h algorithms/label/label-private.h
plant plugin/compute/a.c ui/pipeline/step.h CL/cl.h plugin/buffers/b.h
plant plugin/buffers/b.c plugin/compute/a.h
plant ui/pipeline/a.c gtk/gtk.h ui/panel/window/window.h plugin/compute/a.h CL/cl.h ui/pipeline/b.h
plant ui/pipeline/b.c ui/pipeline/a.h
plant ui/panel/window/a.c ui/gimp/host.h ui/panel/steps/b.h
plant ui/panel/steps/b.c ui/panel/window/a.h
plant ui/figure/a.c gtk/gtk.h gegl.h ui/panel/window/window.h ui/figure/b.h
plant ui/figure/b.c ui/figure/a.h
plant ui/display/a.c cairo.h
plant ui/cli/bench/a.c gegl.h ui/cli/tune/b.h
plant ui/cli/tune/b.c ui/cli/bench/a.h
plant ui/gimp/a.c ui/gimp/b.h
plant ui/gimp/b.c ui/gimp/a.h

echo "1..25"
check "cl includes nothing of GEGL, GTK, GIMP, plugin or ui" never cl 'gegl|babl|gtk/|gdk|adwaita|libgimp|plugin/|ui/'
check "cl/runtime includes no algorithm" never cl/runtime 'algorithms/'
check "cl/runtime and cl/algorithms include no format" never 'cl/(runtime|algorithms)' 'formats/'
check "cl/formats includes no algorithm" never cl/formats 'algorithms/'
check "cl/runtime/base includes no other part of the runtime" \
  never cl/runtime/base 'runtime/(drivers|device|memory|launch|trace)/'
check "cl/runtime/drivers includes nothing but base" never cl/runtime/drivers 'runtime/(device|memory|launch|trace)/'
check "cl/runtime/device includes nothing of what stands on it" \
  never cl/runtime/device 'runtime/(memory|launch|trace)/'
check "plugin includes nothing of GTK, GIMP or ui" never plugin 'gtk/|gdk|adwaita|libgimp|ui/'
check "ui includes nothing of plugin" never ui 'plugin/'
check "plugin and ui do not call OpenCL" never 'plugin|ui' 'CL/'
check "ui/pipeline includes nothing of GTK or of the programs" \
  never ui/pipeline 'gtk/|gdk/|adwaita|libgimp|ui/(panel|gimp|cli)/'
check "ui/figure includes nothing of GTK, GEGL or the programs" \
  never ui/figure 'gtk/|gdk/|adwaita|gegl|babl|ui/(panel|gimp|cli)/'
check "ui/display includes GLib alone" never ui/display 'cairo|pango|gtk/|gdk/|gegl|babl|ui/(panel|gimp|cli|figure|pipeline)/'
check "the panel includes nothing of the other programs" never ui/panel 'libgimp|ui/(gimp|cli)/'
check "in ui/cli only run uses GEGL" never 'ui/cli/(bench|check|tune)' 'gegl|babl|ui/pipeline/'
check "private headers are included only in their folder" private
check "no circle of folders in cl/runtime" circles cl/runtime folders
check "no circle of folders in plugin" circles plugin folders
for folder in cl/runtime cl/algorithms cl/formats plugin ui/pipeline ui/figure ui/panel; do
  check "no circle of files in $folder" circles $folder files
done
exit $failed
