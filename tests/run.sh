#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs the default tests, or the named tests and suites, also those that are not
# default ones. Usage: sh tests/run.sh [OPTIONS OF meson test] [--suite SUITE]… [TEST]…
set -eu
cd "$(dirname "$0")/.."

sh data/setup.sh --tests
. tests/support/build.sh
build=${CAPRA_BUILD:-build-tests}
[ -f "$build/build.ninja" ] || meson setup "$build"
meson compile -C "$build"

# Names of tests and suites choose from all of them, other arguments do not. `meson test` succeeds if there are no such
# tests.
list() { meson test -C "$build" --setup all --list "$@" 2>/dev/null | sed -n 's|.* / ||p'; }
fail() {
  echo "run.sh: $1; \"sh tests/run.sh --setup all --list\" prints the suites and the tests" >&2
  exit 2
}
tests=$(list)
chosen=
before=
for word; do
  case $word in
    --suite | --suite=*) chosen=1 ;;
    -h | --help) exec meson test --help ;;
    -*) ;;
    *)
      if echo "$tests" | grep -Fqx -e "$word"; then
        chosen=1
      else
        case $before in -*) ;; *) fail "there is no test \"$word\"" ;; esac # else the value of an option
      fi
      ;;
  esac
  before=$word
done
[ $# -eq 0 ] || [ -n "$(list "$@")" ] || fail "there are no such tests: $*"
[ -z "$chosen" ] || set -- --setup all "$@"

# Half of the tests mostly wait for windows and processes: twice as many as there are processors run at a time.
MESON_TESTTHREADS=${MESON_TESTTHREADS:-$((2 * $(nproc)))}
export MESON_TESTTHREADS
rm -f "$build"/meson-logs/testlog*.json
meson test -C "$build" --print-errorlogs "$@" && exit

# One or two tests that fail beside others run again, alone: on a busy machine, a window or a process can be late. A
# defect fails again, and a test that passes now is reported as unstable.
failed=$(python3 -c 'import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    test = json.loads(line)
    if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL"):
        print(test["name"].split(" / ")[-1])' "$build"/meson-logs/testlog*.json)
[ -n "$failed" ] && [ "$(echo "$failed" | wc -l)" -le 2 ] || exit 1
# shellcheck disable=SC2086
MESON_TESTTHREADS=1 meson test -C "$build" --setup all --print-errorlogs $failed
echo "Unstable, failed beside other tests and passed alone:" $failed
