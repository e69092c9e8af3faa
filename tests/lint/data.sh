#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The desktop entry, metainfo, settings schema, man pages and icons are valid according to the tools for their formats.
# Usage: data.sh SOURCE_FOLDER BUILD_FOLDER     (TAP)
set -u
data=$1/data
built=$2/data
id=io.github.capra.Panel
n=0

# check WHAT TOOL COMMAND…: the command succeeds without output. Skipped if the tool is not installed.
check() {
  n=$((n + 1))
  what=$1
  tool=$2
  shift 2
  if ! command -v "$tool" >/dev/null; then
    echo "ok $n - $what # SKIP $tool is not installed"
  elif said=$("$@" 2>&1) && [ -z "$said" ]; then
    echo "ok $n - $what"
  else
    echo "not ok $n - $what"
    echo "$said" | sed 's/^/# /'
  fi
}

# appstreamcli also prints a result on success.
metainfo() {
  said=$(appstreamcli validate --no-net "$1" 2>&1) || echo "$said"
}

man_page() {
  LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null
}

echo "1..6"
check "the desktop entry is valid" desktop-file-validate desktop-file-validate "$built/$id.desktop"
check "the metainfo is valid" appstreamcli metainfo "$built/$id.metainfo.xml"
check "the settings schema is valid" glib-compile-schemas glib-compile-schemas --strict --dry-run "$data"
check "the man page of capra is valid" man man_page "$data/capra.1"
check "the man page of capra-panel is valid" man man_page "$data/capra-panel.1"
check "icons are well-formed" xmllint xmllint --noout "$data"/icons/hicolor/*/apps/*.svg
