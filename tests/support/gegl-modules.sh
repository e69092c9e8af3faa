#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a folder of links to GEGL's own modules without an installed capra.so, so that tests load the one that was built. Usage: gegl-modules.sh GEGL_MODULES FOLDER STAMP
set -eu
modules=$1 folder=$2 stamp=$3

mkdir -p "$folder"
for link in "$folder"/*; do
  [ -e "$link" ] || rm -f "$link"
done
for module in "$modules"/*; do
  name=${module##*/}
  [ "$name" = capra.so ] || [ -e "$folder/$name" ] || ln -s "$module" "$folder/$name"
done
touch "$stamp"
