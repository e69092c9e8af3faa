#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds libcapra and the GEGL module with AddressSanitizer and UBSan, and runs the default tests of libcapra, and tests of
# the module in their own process and of the program gegl with it; any finding fails. Long tests, and those of `capra run`,
# run with --all.
# Usage: sanitize.sh [--all | ARGUMENTS OF meson test]
set -eu
cd "$(dirname "$0")/.."

build=${CAPRA_BUILD:-build-sanitize}
[ -f "$build/build.ninja" ] || meson setup "$build" -Db_sanitize=address,undefined -Db_lundef=false -Dpanel=disabled -Dgimp=disabled

# PoCL and LLVM replace the stack for signals of a thread. The interceptor of __tls_get_addr() of GCC 12 takes a block of
# thread-local memory for one of glibc before 2.25 if it happens to be 16 bytes behind the start of a page: then
# LeakSanitizer reads from a wrong address, and "has encountered a fatal error". Without it, leaks are found as well.
# Tests preload other libraries before that of the sanitizer, into programs that are linked with it.
ASAN_OPTIONS=use_sigaltstack=0:intercept_tls_get_addr=0:verify_asan_link_order=0
# Memory that drivers and other libraries keep until exit is suppressed. Only complete stacks identify all of it.
LSAN_OPTIONS="suppressions=$(pwd)/tests/support/lsan.supp:print_suppressions=0"
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS

# As in run.sh: some tests mostly wait.
MESON_TESTTHREADS=${MESON_TESTTHREADS:-$((2 * $(nproc)))}
export MESON_TESTTHREADS

list() { meson test -C "$build" --list "$@" 2>/dev/null | sed -n 's|.* / ||p'; }
run() { meson test -C "$build" --setup all --timeout-multiplier 4 --print-errorlogs "$@"; }
run_with_stacks() { ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0 run "$@"; }

# Drivers are tried in processes of their own, and these frames take long to write.
excluded="--no-suite exhaustive --no-suite short"
long="-e drivers -e integrate-files"
case ${1:-} in
  "")
    # All operations, and all of buffers/ and compute/ but faults, chunks, images of many sizes and what takes longest.
    run_with_stacks auto-device azimuthal-graph compute-ahead gegl-monitored hidden-reach image-sources \
      label-rendering mask-bytes operations-all operations-bands operations-errors operations-failures \
      operations-filters operations-fork operations-regions output-format residency resident-writes result-cache \
      result-memory threads threshold-aux tile-grid upload-formats whole-results
    ;;
  --all)
    excluded=
    long=
    # PoCL starts a linker, which leaks, for the kernels of gegl-drivers: with the library of the sanitizer preloaded, as
    # in gegl, it fails. Other tests of gegl find their kernels in the cache.
    # shellcheck disable=SC2046
    run_with_stacks $(list --suite operations --suite hosts | grep -vx gegl-drivers)
    ;;
  *)
    run_with_stacks "$@"
    exit
    ;;
esac

# Complete stacks make PoCL's compiler up to five times slower: only tests that fail run with them.
# shellcheck disable=SC2046,SC2086
run $(list --suite cl $excluded | grep -vx -e "" $long) && exit
failed=$(awk -F '"' '!/"result": "(OK|SKIP)"/ { sub (/.* /, "", $4); print $4 }' "$build/meson-logs/testlog-all.json")
[ -n "$failed" ] || exit 1
# shellcheck disable=SC2086
run_with_stacks $failed
