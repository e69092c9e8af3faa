#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a folder of links to GEGL's own modules without an installed capra.so, so that tests load the one that was built.
# Those for videos and mattes are left out, too: loading their libraries takes three quarters of the time in which a
# process that uses GEGL starts. Usage: gegl-modules.sh GEGL_MODULES FOLDER STAMP
set -eu
modules=$1 folder=$2 stamp=$3

mkdir -p "$folder"
for link in "$folder"/*; do
  [ -e "$link" ] || rm -f "$link"
done
for module in "$modules"/*; do
  name=${module##*/}
  case $name in
    capra.so | ff-load.so | ff-save.so | matting-levin.so) rm -f "$folder/$name" ;;
    *) [ -e "$folder/$name" ] || ln -s "$module" "$folder/$name" ;;
  esac
done
touch "$stamp"
