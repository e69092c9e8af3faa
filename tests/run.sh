#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests of the default suites.
# Usage: sh tests/run.sh [ARGUMENTS OF meson test]
set -eu
cd "$(dirname "$0")/.."

sh data/setup.sh --tests
build=${CAPRA_BUILD:-build-tests}
[ -f "$build/build.ninja" ] || meson setup "$build"
meson compile -C "$build"
meson test -C "$build" --print-errorlogs "$@"
