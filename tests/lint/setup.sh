#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Without apt, data/setup.sh lists missing packages by their purpose, and fails.
# Usage: setup.sh SOURCE_FOLDER     (TAP)
set -u
folder=$(mktemp -d "${TMPDIR:-/tmp}/capra-setup-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
n=0

check() {
  name=$1
  shift
  n=$((n + 1))
  if "$@"; then echo "ok $n - $name"; else
    echo "not ok $n - $name"
    sed 's/^/# /' "$folder/said"
  fi
}

# run PROGRAMS…: runs data/setup.sh with only these programs, and those that it always uses.
run() {
  rm -rf "$folder/bin"
  mkdir "$folder/bin"
  for program in sh cat grep ls sed tr "$@"; do ln -s "$(command -v "$program")" "$folder/bin/"; done
  PATH=$folder/bin sh "$source/data/setup.sh" >"$folder/said" 2>&1
  status=$?
}

source=$1
echo 1..4
run
check "the exit status is 1 if packages are missing" [ "$status" = 1 ]
check "missing packages are described" eval "grep -q \"GEGL's headers.*gegl-0.4\" '$folder/said' \
  && grep -q 'a C compiler' '$folder/said'"
check "no command of the script fails" eval "! grep -q 'not found' '$folder/said'"
run pkg-config gegl
check "installed packages are not listed" eval "! grep -qE 'GEGL|GLib.s headers|program gegl' '$folder/said'"
