#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Extracts all strings into a template, and merges it into the translations if asked to.
# Usage: sh po/extract.sh TEMPLATE [--merge]
set -eu
cd "$(dirname "$0")/.."

xgettext --files-from=po/POTFILES --output="$1" --from-code=UTF-8 --add-comments=Translators: \
  --package-name=capra --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 \
  --keyword=g_dngettext:2,3 --keyword=g_dpgettext2:2c,3 --flag=_:1:pass-c-format \
  --flag=N_:1:pass-c-format --flag=g_dngettext:2:pass-c-format --flag=g_strdup_printf:1:c-format \
  --flag=g_markup_printf_escaped:1:c-format --flag=g_string_append_printf:2:c-format \
  --flag=g_set_error:4:c-format
if [ "${2:-}" = --merge ]; then
  for language in $(cat po/LINGUAS); do
    msgmerge --quiet --update --backup=none --no-fuzzy-matching "po/$language.po" "$1"
  done
fi
