#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Translations: POTFILES names every file with strings and no other; each language is complete.
# Usage: translations.sh SOURCE_FOLDER     (TAP)
set -u
cd "$1" || exit 1
n=0

report() {
  n=$((n + 1))
  if [ -n "$2" ]; then
    echo "not ok $n - $1"
    echo "$2" | sed 's/^/# /'
  else
    echo "ok $n - $1"
  fi
}

# Files with strings for people: marked ones in code and templates, and those of the desktop.
with_strings() {
  grep -rlE '(^|[^A-Za-z_])(N?C?_|g_dngettext) \(|(^|[^A-Za-z_])(N?C?_|g_dngettext)\(' plugin ui --include='*.c' --include='*.h'
  grep -rl 'translatable="y' ui --include='*.ui'
  ls data/*.desktop.in data/*.metainfo.xml.in data/*.gschema.xml
}

languages=$(cat po/LINGUAS)
echo "1..$((2 + $(echo "$languages" | wc -w)))"
report "POTFILES names every file with strings" \
  "$(with_strings | sort -u | while read -r f; do grep -qx "$f" po/POTFILES || echo "$f is missing"; done)"
report "POTFILES names no other file" \
  "$(grep -vE '^(#|$)' po/POTFILES | while read -r f; do with_strings | grep -qx "$f" || echo "$f has none"; done)"

if ! command -v xgettext >/dev/null; then
  for language in $languages; do n=$((n + 1)); echo "ok $n - $language # SKIP no xgettext here"; done
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh po/extract.sh "$work/capra.pot" || exit 1
for language in $languages; do
  msgfmt --check --output-file=/dev/null "po/$language.po" >"$work/said" 2>&1
  msgmerge --quiet --no-fuzzy-matching "po/$language.po" "$work/capra.pot" -o "$work/merged.po" >>"$work/said" 2>&1
  msgattrib --untranslated --no-obsolete --no-wrap "$work/merged.po" | grep '^msgid "[^"]' >>"$work/said"
  msgattrib --only-fuzzy --no-obsolete --no-wrap "$work/merged.po" | grep '^msgid "[^"]' | sed 's/^/fuzzy: /' >>"$work/said"
  report "$language is complete" "$(cat "$work/said")"
done
