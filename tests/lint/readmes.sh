#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The files that Markdown files refer to exist: targets of links, and paths in code spans.
# Usage: readmes.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1

# missing_links FILE: link targets, without anchors, that do not exist.
missing_links() {
  grep -oE '\]\([^)#]+' "$1" | sed 's/^](//' | grep -v '^https:' | sort -u | while read -r target; do
    [ -e "$(dirname "$1")/$target" ] || echo "$1: $target"
  done
}

# missing_paths FILE: code spans such as `buffers/` or `compute/job.h` that do not exist below the folder of FILE.
missing_paths() {
  grep -oE '`[A-Za-z0-9_./-]+(/|\.[ch]|\.cl|\.clh|\.sh|\.py)`' "$1" | tr -d '`' | sort -u | while read -r path; do
    [ -e "$path" ] || [ -n "$(find "$(dirname "$1")" -path "*/${path%/}" -print -quit)" ] || echo "$1: $path"
  done
}

files=$(find . -name '*.md' ! -path './build*' ! -path './.git*' | sed 's|^\./||' | sort)
folders="cl/README.md plugin/README.md ui/README.md tests/README.md"
echo 1..3
report "cl, plugin, ui and tests have a README" "$(for f in $folders; do [ -f "$f" ] || echo "$f is missing"; done)"
report "targets of links exist" "$(for f in $files; do missing_links "$f"; done)"
report "files and folders in code spans exist" \
  "$(for f in $folders tests/bench/README.md; do [ ! -f "$f" ] || missing_paths "$f"; done)"
exit "$failed"
