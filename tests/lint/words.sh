#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Words and phrases that are not used in code and text: metaphors for things that have names, and phrases that a reader
# stumbles over. Usage: words.sh SOURCE_FOLDER     (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1
files=$(git ls-files 2>/dev/null | grep -E '\.(c|h|cl|clh|ui|in|ini|sh|py|md|1)$' | grep -vE '^tests/lint/words\.sh$')
[ -n "$files" ] || files=$(find . -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' -o -name '*.ui' -o -name '*.md' \
  -o -name '*.sh' -o -name '*.py' -o -name '*.1' \) ! -path './build*' ! -name words.sh)

# find_words PATTERN
find_words() {
  # shellcheck disable=SC2086
  grep -nEi -- "$1" $files | cut -c1-160
}

echo 1..5
report "one word a thing: no errand, landing, witness, outcome, memo, slices, effort" \
  "$(find_words '\b(errands?|landings?|witness(es)?|outcomes?|memos?|slices?|efforts?|arrange[sd]?|pushed|let_go)\b')"
report "no variant is named after a kind of device" \
  "$(grep -nE -- '-(cpu|gpu)\.(c|h|cl|clh)\b|variant=(cpu|gpu)' $files)"
report "upload and download, not push and pull" \
  "$(find_words '\b(push(es|ing)?|pull(s|ed|ing)?)\b|capra_[a-z_]*(push|pull)' | grep -vE 'git (push|pull)|on: \[push|g_[a-z_]*push|g_[a-z_]*pull|pull request')"
report "no phrases to stumble over" \
  "$(find_words '\b(so many|manieth|of ours|bear witness|what is there|is no (value|number|operation|size|text|file|matrix)|makes? no sense|stands? (for itself|beside)|tells? (of|that|no)|by then|is carried out|gives? way|at hand|let go|goes on with|has to say)\b')"
report "no property or column of older names" "$(find_words '\bmass_[xy]\b')"
exit "$failed"
