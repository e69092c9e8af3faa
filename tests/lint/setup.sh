#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# data/setup.sh on a system without apt: it describes what is missing, and fails.
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

# run PROGRAMS…: runs it with only these programs.
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
check "status 1 where much is missing" [ "$status" = 1 ]
check "it is named by what it is" eval "grep -q \"GEGL's headers.*gegl-0.4\" '$folder/said' \
  && grep -q 'a C compiler' '$folder/said'"
check "and nothing else fails" eval "! grep -q 'not found' '$folder/said'"
run pkg-config gegl
check "what is installed is not named" eval "! grep -qE 'GEGL|GLib.s headers|program gegl' '$folder/said'"
