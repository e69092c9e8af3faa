#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Translations: POTFILES names every file with strings and no other; catalogues are valid, and their format strings are
# those of the messages. That each language is complete is checked for a release: tests/release.
# Usage: translations.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1

# Files with strings for people: marked ones in code and templates, and those of the desktop.
with_strings() {
  grep -rlE '(^|[^A-Za-z_])(N?C?_|g_dngettext) ?\(' cl plugin ui --include='*.c' --include='*.h'
  grep -rl 'translatable="y' ui --include='*.ui'
  ls data/*.desktop.in data/*.metainfo.xml.in data/*.gschema.xml
}

languages=$(cat po/LINGUAS)
echo "1..$((2 + $(echo "$languages" | wc -w)))"
# New operations are added when a release is made (tests/release).
report "POTFILES names every file with strings" \
  "$(with_strings | grep -v '^plugin/operations/' | sort -u | while read -r f; do grep -qx "$f" po/POTFILES || echo "$f is missing"; done)"
report "POTFILES names no other file" \
  "$(grep -vE '^(#|$)' po/POTFILES | while read -r f; do with_strings | grep -qx "$f" || echo "$f has none"; done)"
for language in $languages; do
  if command -v msgfmt >/dev/null; then
    report "$language is a valid catalogue" "$(msgfmt --check --output-file=/dev/null "po/$language.po" 2>&1)"
  else
    n=$((n + 1))
    echo "ok $n - $language is a valid catalogue # SKIP msgfmt is not installed"
  fi
done
