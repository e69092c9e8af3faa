#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests of the default suites.
# Usage: sh tests/run.sh [ARGUMENTS OF meson test]
set -eu
cd "$(dirname "$0")/.."

sh data/setup.sh --tests
# If ccache is installed, builds in other folders share the compilations.
export CCACHE_NOHASHDIR=1
build=${CAPRA_BUILD:-build-tests}
[ -f "$build/build.ninja" ] || meson setup "$build"
meson compile -C "$build"
# Half of the tests mostly wait for windows and processes: twice as many as there are processors run at a time.
MESON_TESTTHREADS=${MESON_TESTTHREADS:-$((2 * $(nproc)))}
export MESON_TESTTHREADS
meson test -C "$build" --print-errorlogs "$@"
