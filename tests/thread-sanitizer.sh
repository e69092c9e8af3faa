#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds libcapra and the GEGL module with ThreadSanitizer and runs the named tests, or those that use several threads;
# any finding fails. Usage: thread-sanitizer.sh [TEST…]
set -eu
cd "$(dirname "$0")/.."

build=${CAPRA_BUILD:-build-tsan}
[ -f "$build/build.ninja" ] || meson setup "$build" -Db_sanitize=thread -Db_lundef=false -Dgimp=disabled

# Tests fork children from processes with several threads.
TSAN_OPTIONS="suppressions=$(pwd)/tests/support/tsan.supp:halt_on_error=0:exitcode=66:die_after_fork=0:second_deadlock_stack=1"
G_SLICE=always-malloc # else GLib passes memory between threads unseen
export TSAN_OPTIONS G_SLICE
[ $# -gt 0 ] || set -- array array-rows idle-cache memory release timeline settings tuning device fork waits monitor-limits \
  counters auto-device operations-bands operations-memory residency resident-writes result-cache result-memory threads \
  upload-cache whole-results panel panel-batch-names panel-branches panel-closing panel-data panel-devices-view panel-files \
  panel-find panel-found panel-histogram panel-host panel-jpeg panel-kept panel-labels panel-large-text panel-layer panel-lost \
  panel-number-format panel-numbers panel-original panel-outlines panel-percentiles panel-pipeline panel-profile \
  panel-profile-pane panel-remedy panel-results panel-results-chart panel-row-actions panel-rows panel-start \
  panel-stretch panel-stuck panel-tables panel-target panel-tasks panel-tiff panel-timing-table panel-visible \
  panel-webp panel-write-faults views
exec meson test -C "$build" --setup all --timeout-multiplier 10 --print-errorlogs "$@"
