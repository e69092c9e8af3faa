#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages list the same options as --help, with their letters and arguments.
# Usage: man.sh SOURCE_FOLDER CAPRA [WITH_RUN] [PANEL]     (TAP; WITH_RUN: 1 where `capra run` was built)
set -u
data=$1/data capra=$2 with_run=${3:-} panel=${4:-}
export LC_ALL=C.UTF-8 LANGUAGE=
folder=$(mktemp -d "${TMPDIR:-/tmp}/capra-man-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
n=0

# Options such as -o and --output=FILE, one on each line, without those of every command.
options() { grep -oE -- '(^|[ ,])--?[a-z][a-z-]*(=[A-Z]+)?' | tr -d ' ,' | grep -vxE -- '-h|--help.*|--version' | sort -u; }

# The options in the output of `COMMAND --help`.
helped() { "$@" --help 2>"$folder/error" | grep -E '^  -' | sed 's/^  \(\(-., \)\{0,1\}[^ ]*\).*/\1/' | options; }

# The options in a section of a man page, from the lines after .TP.
manual() {
  awk -v section="$2" '/^\.S[SH] / { within = $0 == section } within && before == ".TP" && /^\.BR? \\-/
    { before = $0 }' "$1" \
    | sed 's/\\f[A-Z]//g; s/\\-/-/g; s/^\.BR\{0,1\} //; s/ ", " /, /g; s/ =/=/g; s/ \[=\(.*\)\]/=\1/' | options
}

# check WHAT PAGE SECTION COMMAND…
check() {
  what=$1 page=$2 section=$3
  shift 3
  n=$((n + 1))
  helped "$@" >"$folder/help"
  manual "$page" "$section" >"$folder/man"
  if difference=$(diff "$folder/help" "$folder/man") && [ ! -s "$folder/error" ]; then
    echo "ok $n - $what"
  else
    echo "not ok $n - $what (<: --help, >: the man page)"
    printf '%s\n' "$difference" | cat - "$folder/error" | sed 's/^/# /'
  fi
}

commands=$("$capra" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
sections=$(sed -n '/^\.SH COMMANDS/,/^\.SH NAMES/s/^\.SS //p' "$data/capra.1")

n=1
if [ -n "$commands" ] && [ "$(echo "$commands" | sort)" = "$(echo "$sections" | sort)" ]; then
  echo "ok 1 - the man page lists the commands of capra"
else
  echo "not ok 1 - the man page lists the commands of capra: --help lists $(echo $commands), the man page $(echo $sections)"
fi
for command in $commands; do
  case $command in run | prepare | plot) [ "$with_run" = 1 ] || continue ;; esac # of the programs capra-run and capra-plot
  check "capra $command" "$data/capra.1" ".SS $command" "$capra" "$command"
done
# --help must work without a display.
[ -z "$panel" ] || check "capra-panel" "$data/capra-panel.1" ".SH OPTIONS" env -u DISPLAY -u WAYLAND_DISPLAY "$panel"
echo "1..$n"
