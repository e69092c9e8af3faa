#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program on a display of its own, an Xvfb that chooses a free number itself, and ends with the program's status.
# xvfb-run is not used: it waits for a signal of its server without end if the signal comes before it waits.
# A program that runs for too long is ended with status 124, after the stacks of all its threads have been printed.
# Usage: display.sh SECONDS PROGRAM [ARGUMENTS]
set -eu
seconds=$1
shift
folder=$(mktemp -d)
server='' program='' watch=''

# descendants PID: the process and all that it started, each on a line.
descendants() {
  echo "$1"
  for child in $(ps -o pid= --ppid "$1"); do
    descendants "$child"
  done
}

stop() {
  [ -z "$watch" ] || kill $(descendants "$watch") 2>/dev/null || :
  [ -z "$program" ] || kill $(descendants "$program") 2>/dev/null || :
  [ -z "$server" ] || kill "$server" 2>/dev/null || :
  rm -rf "$folder"
}

# Prints what each process does, to the errors: results are read from the output.
print_stacks() {
  for process in $(descendants "$program"); do
    echo "# process $process: $(tr '\0' ' ' <"/proc/$process/cmdline")"
    if command -v eu-stack >/dev/null; then
      eu-stack -p "$process" 2>&1 || :
    else
      grep -H . "/proc/$process"/task/*/wchan || :
    fi
  done >&2
}

trap stop EXIT
trap 'exit 143' INT TERM
mkfifo "$folder/number"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>"$folder/number" >"$folder/log" 2>&1 &
server=$!
if ! read -r number <"$folder/number"; then
  echo "display.sh: Xvfb did not start:" >&2
  cat "$folder/log" >&2
  exit 1
fi

DISPLAY=:$number "$@" &
program=$!
(
  sleep "$seconds"
  echo "display.sh: not ended after $seconds seconds: $*" >&2
  touch "$folder/late"
  print_stacks
  kill -KILL $(descendants "$program")
) &
watch=$!
status=0
wait "$program" || status=$?
[ ! -e "$folder/late" ] || status=124
program=''
exit "$status"
