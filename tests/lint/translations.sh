#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Translations: POTFILES lists exactly the files with strings. Catalogs are valid, with the same format strings as the
# messages. Complete translations are required only for a release: see tests/release.
# Usage: translations.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1

# Files with translatable strings: marked strings in code and templates, and all desktop files.
with_strings() {
  grep -rlE '(^|[^A-Za-z_])(N?C?_|ngettext|g_dngettext) ?\(' cl plugin ui --include='*.c' --include='*.h'
  grep -rl 'translatable="y' ui --include='*.ui'
  ls data/*.desktop.in data/*.metainfo.xml.in data/*.gschema.xml
}

languages=$(cat po/LINGUAS)
files=$(with_strings | sort -u)
echo "1..$((2 + $(echo "$languages" | wc -w)))"
# New operations are added before a release: see tests/release.
report "POTFILES lists every file with strings" \
  "$(echo "$files" | grep -v '^plugin/operations/' | grep -vxFf po/POTFILES | sed 's/$/ is missing/')"
report "POTFILES lists no other file" \
  "$(grep -vE '^(#|$)' po/POTFILES | grep -vxF "$files" | sed 's/$/ has no strings/')"
for language in $languages; do
  if command -v msgfmt >/dev/null; then
    report "$language is a valid catalog" "$(msgfmt --check --output-file=/dev/null "po/$language.po" 2>&1)"
  else
    n=$((n + 1))
    echo "ok $n - $language is a valid catalog # SKIP msgfmt is not installed"
  fi
done
