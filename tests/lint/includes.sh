#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The dependency rule: ui -> cl, plugin -> cl, cl -> GLib and OpenCL; and who may include what.
# Usage: includes.sh SOURCE_FOLDER     (TAP)
set -u
cd "$1" || exit 1
n=0

# check WHAT FOLDER PATTERN: no file under FOLDER includes what matches PATTERN.
check() {
  n=$((n + 1))
  found=$(grep -rnE "^ *# *include *[<\"]($3)" --include='*.[ch]' --include='*.cl' --include='*.clh' "$2" 2>/dev/null)
  if [ -n "$found" ]; then
    echo "not ok $n - $1"
    echo "$found" | sed 's/^/# /'
  else
    echo "ok $n - $1"
  fi
}

echo "1..6"
check "cl knows nothing of GEGL, GTK or GIMP" cl "gegl|babl|gtk|gdk|adwaita|libgimp|\.\./plugin|\.\./ui|plugin/|ui/"
check "the runtime knows no algorithm" cl/runtime "algorithms/|\.\./algorithms"
check "plugin knows nothing of ui" plugin "gtk|gdk|adwaita|libgimp|\.\./ui|ui/"
check "ui knows nothing of plugin" ui "\.\./plugin|plugin/"
check "plugin and ui use public headers of cl only" plugin "runtime/[a-z]+/(context|block|program|launch|constants|tuning|[a-z]+-private)|CL/"
check "ui uses public headers of cl only" ui "runtime/[a-z]+/(context|block|program|launch|constants|tuning|[a-z]+-private)|CL/"
