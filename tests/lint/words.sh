#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Words and phrases that are not used in code and text: metaphors for things that have names, and phrases that readers
# stumble over. Each rule is first tried on planted lines, all of which it must find. Usage: words.sh SOURCE_FOLDER
# (TAP)
set -u
. "${0%/*}/tap.sh"
cd "$1" || exit 1
planted=$(mktemp "${TMPDIR:-/tmp}/capra-words-XXXXXX") || exit 1
trap 'rm -f "$planted"' EXIT
files=$(find ./*.md cl plugin ui data tests -type f ! -path tests/lint/words.sh \
  \( -name '*.[ch1]' -o -name '*.cl' -o -name '*.clh' -o -name '*.ui' -o -name '*.in' -o -name '*.ini' \
  -o -name '*.sh' -o -name '*.py' -o -name '*.md' -o -name meson.build \))

# violations PATTERN EXCEPTIONS FILE…: lines that contain PATTERN and none of the exceptions (a pattern, too).
violations() {
  pattern=$1 exceptions=$2
  shift 2
  grep -HnEi -- "$pattern" "$@" | grep -vE -- "$exceptions" | cut -c1-160
}

# check WHAT PATTERN EXCEPTIONS PLANTED: the rule finds nothing in the tree, and each line of PLANTED.
check() {
  printf '%s\n' "$4" >"$planted"
  missed=$(violations "$2" "$3" "$planted" | cut -d: -f2 | sed 's/$/d/' | sed -f /dev/stdin "$planted")
  # shellcheck disable=SC2086
  report "$1" "$(violations "$2" "$3" $files)${missed:+planted, but not found: $missed}"
}

none='^$'
echo 1..5
check "one word a thing: no errand, landing, witness, outcome, memo, slices, effort" \
  '(^|[^a-z])(errands?|landings?|witness(es)?|outcomes?|memos?|slices?|efforts?|arrange[sd]?|pushed|let_go)([^a-z]|$)' \
  'G_SLICE|gtk_slice_list_model_' \
  'typedef struct Errand Errand;
/* The landings of a band. */
if (witness)
  Outcome outcome = RIGHT;
n_memos
arranged by slices
static void let_go (void)'
check "no variant is named after a kind of device" \
  '-(cpu|gpu)\.(c|h|cl|clh)\b|variant=(cpu|gpu)' "$none" \
  "sources += files('box-cpu.c')
\"taps.variant=gpu\""
queues='on: \[push|\bg_[a-z_]*(push|pull)|capra_[a-z]+_queue_push \('
check "upload and download, not push and pull" \
  '\b(push(es|ing)?|pull(s|ed|ing)?)\b|capra_[a-z_]*(push|pull)' \
  "$queues"'|git (push|pull)|pull request|cle\.(push|pull)\b|"push button"' \
  '/* Pushes the image to the device. */
pull (array);
capra_array_push (array);
capra_tile_pull_start ()'
phrases='so many|manieth|of ours|bears? witness|what is there|makes? no sense|stands? (for itself|beside)'
phrases="$phrases|tells? (of|that|no)|by then|is carried out|gives? way|at hand|let go|goes on with|has to say"
check "no phrases that readers stumble over" \
  "\\b($phrases)\\b|(^|[^e]) is no (value|number|operation|size|text|file|matrix)\\b" "$none" \
  'At most so many rows.
a file of ours
that is no text file
it makes no sense
images give way to others
It tells that a device is lost.
as it is by then'
check "no property or column of older names" '\bmass_[xy]\b' "$none" 'mass_x'
exit "$failed"
