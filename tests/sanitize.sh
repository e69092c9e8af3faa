#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds libcapra with AddressSanitizer and UBSan and runs its tests; any finding fails.
set -eu
cd "$(dirname "$0")/.."

build=${CAPRA_BUILD:-build-sanitize}
[ -f "$build/build.ninja" ] || meson setup "$build" -Db_sanitize=address,undefined -Db_lundef=false -Dplugin=false
meson compile -C "$build"

# What drivers keep for the process's life is theirs, not ours.
LSAN_OPTIONS="suppressions=$(pwd)/tests/lsan.supp:print_suppressions=0"
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS UBSAN_OPTIONS
meson test -C "$build" --suite cl --timeout-multiplier 4 --print-errorlogs
