#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds libcapra with AddressSanitizer and UBSan and runs its tests; any finding fails.
set -eu
cd "$(dirname "$0")/.."

build=${CAPRA_BUILD:-build-sanitize}
[ -f "$build/build.ninja" ] || meson setup "$build" -Db_sanitize=address,undefined -Db_lundef=false -Dplugin=false -Dpanel=disabled
meson compile -C "$build"

# Memory that drivers, GLib's tests and babl keep until exit is suppressed; complete stacks identify it.
LSAN_OPTIONS="suppressions=$(pwd)/tests/support/lsan.supp:print_suppressions=0"
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
ASAN_OPTIONS=fast_unwind_on_malloc=0
export LSAN_OPTIONS UBSAN_OPTIONS ASAN_OPTIONS
meson test -C "$build" --suite cl --timeout-multiplier 4 --print-errorlogs
