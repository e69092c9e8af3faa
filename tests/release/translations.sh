#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each language is complete: no string of the sources is missing from its catalog or marked as fuzzy. Strings may lack
# a translation until a release is made. Writes po/capra.pot, which git ignores.
# Usage: translations.sh SOURCE_FOLDER BUILD_FOLDER     (TAP)
set -u
cd "$1" || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/capra-translations-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n=0

languages=$(cat po/LINGUAS)
echo "1..$(echo "$languages" | wc -w)"
if ! ninja -C "$2" capra-pot >"$work/output" 2>&1; then
  echo "Bail out! capra-pot cannot be built"
  sed 's/^/# /' "$work/output"
  exit 1
fi
for language in $languages; do
  n=$((n + 1))
  {
    msgmerge --quiet --no-fuzzy-matching "po/$language.po" po/capra.pot -o "$work/merged.po" 2>&1
    msgattrib --untranslated --no-obsolete --no-wrap "$work/merged.po" | grep '^msgid "[^"]'
    msgattrib --only-fuzzy --no-obsolete --no-wrap "$work/merged.po" | grep '^msgid "[^"]' | sed 's/^/fuzzy: /'
  } >"$work/missing"
  if [ -s "$work/missing" ]; then
    echo "not ok $n - $language is complete"
    sed 's/^/# /' "$work/missing"
  else
    echo "ok $n - $language is complete"
  fi
done
