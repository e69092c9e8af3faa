#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests libcapra and the operations with OpenCL drivers that need no hardware: Intel's runtime for CPUs (from PyPI), and
# Mesa's rusticl on llvmpipe (Debian 13's; on other systems as root in a tree that debootstrap makes). With each driver
# alone, it runs `capra check --full` and the suites cl and operations; beside PoCL, `capra check` and these suites without
# the tests of one algorithm, whose kernels are the same. It prints a table at the end.
# The drivers are kept in CAPRA_DRIVERS, by default in the build folder. A driver that cannot be set up is skipped.
# Usage: drivers.sh [intel|rusticl]… [-- TEST…]     (these tests alone, instead of the suites and `capra check`)
set -eu
cd "$(dirname "$0")/.."

drivers=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    intel | rusticl) drivers="$drivers $1" ;;
    *) echo "drivers.sh: unknown driver \"$1\"; the drivers are intel and rusticl" >&2; exit 2 ;;
  esac
  shift
done
[ $# -eq 0 ] || shift
drivers=${drivers:-intel rusticl}

# absolute FOLDER: makes it, and prints its absolute path.
absolute() { mkdir -p "$1" && (cd "$1" && pwd); }
source=$(pwd)
build=$(absolute "${CAPRA_BUILD:-build-drivers}")
folder=$(absolute "${CAPRA_DRIVERS:-$build/drivers}")
icd=/etc/OpenCL/vendors
failed=
only=${1:+named}

list_tests() {
  meson test -C "$build" --list --setup all --suite cl --suite operations 2>/dev/null | sed -n 's|.* / ||p'
}

# Those that run beside another driver.
list_beside() {
  list_tests | while read -r name; do
    case $name in
      band-source | parts | split-array) echo "$name" ;; # on several devices
      *) [ -f "tests/algorithms/test-${name%-exhaustive}.c" ] || echo "$name" ;;
    esac
  done
}

# How many tests passed, failed and were skipped, by meson's log.
count_tests() {
  python3 -c 'import json, sys
results = [json.loads(line)["result"] for line in open(sys.argv[1], encoding="utf-8")]
passed, skipped = results.count("OK"), results.count("SKIP")
print(passed, len(results) - passed - skipped, skipped)' "$1" 2>/dev/null || echo "- - -"
}

# How many families of kernels passed, differ and failed, by the report of `capra check`.
count_families() {
  python3 -c 'import json, sys
verdicts = [result["verdict"] for result in json.load(open(sys.argv[1], encoding="utf-8"))["results"]]
print(*(verdicts.count(verdict) for verdict in ("passed", "differs", "failed")))' "$1" 2>/dev/null || echo "- - -"
}

# try DRIVER HOW ICD_FILE… -- [TEST…]: everything on the device of DRIVER, with the drivers of these files.
try() {
  driver=$1 how=$2 name=$1-$2
  shift 2
  rm -rf "$folder/$name"
  mkdir "$folder/$name"
  while [ "$1" != -- ]; do
    cp "$1" "$folder/$name"
    shift
  done
  shift
  # A log of an earlier run must not be counted.
  rm -f "$build/meson-logs/$name"*.json
  export OCL_ICD_VENDORS="$folder/$name" CAPRA_TEST_DEVICE="$driver"
  echo "drivers: $driver $how"
  rm -f "$folder/check-$name.json"
  if [ -z "$only" ]; then
    # Beside another driver, the kernels are the same.
    full=--full
    [ "$how" = alone ] || full=
    "$build/ui/cli/capra" check $full --progress --device "$driver" --report "$folder/check-$name.txt" --json \
      >"$folder/check-$name.json" || failed=1
  fi
  # One device of PoCL: the tests set two.
  meson test -C "$build" --setup all --logbase "$name" --timeout-multiplier 4 --print-errorlogs \
    --wrapper "env POCL_DEVICES=pthread" "$@" || failed=1
  # Meson adds the name of the wrapper to that of the log.
  printf '%-8s %-7s %7s %7s %7s   %7s %7s %7s\n' "$driver" "$how" $(count_tests "$build/meson-logs/$name"*.json) \
    $(count_families "$folder/check-$name.json") >>"$folder/table"
}

try_driver() {
  own=$1 driver=$2
  shift 2
  # shellcheck disable=SC2046,SC2048
  try "$driver" alone "$own" -- ${*:-$(list_tests)}
  # shellcheck disable=SC2046,SC2048
  if [ -f $icd/pocl.icd ]; then try "$driver" beside "$own" $icd/pocl.icd -- ${*:-$(list_beside)}; fi
}

# meson test builds what the tests need.
build_program() {
  [ -f "$build/build.ninja" ] || meson setup "$build" -Dpanel=disabled -Dgimp=disabled || return
  ninja -C "$build" ui/cli/capra
}

# Intel's packages have a loader of their own, which would replace the system's.
try_intel() {
  libraries=$folder/intel/lib
  if [ ! -f "$libraries/libintelocl.so" ]; then
    python3 -m venv "$folder/intel" && "$folder/intel/bin/pip" install -q intel-opencl-rt intel-cmplr-lib-rt \
      || { echo "drivers: skipped: Intel's runtime cannot be installed from PyPI"; return 0; }
  fi
  rm -f "$libraries"/libOpenCL.so*
  echo "$libraries/libintelocl.so" >"$folder/intel/intel.icd"
  build_program || return
  (
    export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    try_driver "$folder/intel/intel.icd" intel "$@"
    [ -z "$failed" ]
  )
}

try_rusticl() {
  if [ -f $icd/rusticl.icd ]; then
    build_program || return
    (
      export RUSTICL_ENABLE=llvmpipe
      try_driver $icd/rusticl.icd rusticl "$@"
      [ -z "$failed" ]
    )
    return
  fi
  mkdir -p "$folder/debian"
  rm -f "$folder/debian/build/drivers/table"
  (
    release=trixie folder=$folder/debian
    . "$source/tests/support/debian-base.sh"
    tree=$folder/tree
    [ -d "$tree" ] || { cp -a --one-file-system "$base" "$tree.new" && mv "$tree.new" "$tree"; } || exit
    mkdir -p "$tree/capra" "$tree/capra-build" "$folder/build"
    export tree source folder
    unshare --mount --pid --fork sh -eu -c '
      mount --bind "$source" "$tree/capra"
      mount -o remount,bind,ro "$tree/capra"
      mount --bind "$folder/build" "$tree/capra-build"
      mount -t proc proc "$tree/proc"
      mount --rbind /dev "$tree/dev"
      mount --rbind /sys "$tree/sys" # PoCL counts cores there
      cp /etc/resolv.conf "$tree/etc/resolv.conf"
      rm -f "$tree"/etc/apt/apt.conf.d/docker-clean
      exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        CAPRA_BUILD=/capra-build DEBIAN_FRONTEND=noninteractive chroot "$tree" sh -eu -c "
        sh /capra/data/setup.sh --tests
        [ -f /etc/OpenCL/vendors/rusticl.icd ] || apt-get install -y -qq --no-install-recommends mesa-opencl-icd >/dev/null
        exec sh /capra/tests/drivers.sh rusticl -- \"\$@\"
      " sh "$@"' sh "$@"
  ) || { status=$?; [ $status = 77 ] || failed=1; }
  if [ -f "$folder/debian/build/drivers/table" ]; then cat "$folder/debian/build/drivers/table" >>"$folder/table"; fi
}

rm -f "$folder/table"
for driver in $drivers; do
  "try_$driver" "$@" || failed=1
done
[ -f "$folder/table" ] || exit 77
printf '\n%-16s %23s   %23s\n%-16s %7s %7s %7s   %7s %7s %7s\n' "" "tests" "families of kernels" \
  driver passed failed skipped passed differ failed
cat "$folder/table"
[ -z "$failed" ]
