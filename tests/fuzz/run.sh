#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds a fuzz target with Clang, AddressSanitizer and libFuzzer, and runs it:
# sh tests/fuzz/run.sh replay|SECONDS SOURCE_FOLDER BUILD_FOLDER NAME
# replay: on the inputs in corpus/NAME alone. SECONDS: that long; new inputs go to BUILD_FOLDER/found-NAME, a crash to
# BUILD_FOLDER. bitshuffle-kernel also compiles the kernels, once for each size of values.
set -eu
how=$1 source=$2 build=$3 name=$4
corpus=$source/tests/fuzz/corpus/$name found=$build/found-$name
mkdir -p "$build/fuzz-$name" "$found"
cd "$build/fuzz-$name"
# shellcheck disable=SC2046
flags="-g -O1 -fsanitize=address,undefined,fuzzer -fno-sanitize-recover=undefined -I$source -I$source/cl
  -DGETTEXT_PACKAGE=\"capra\" $(pkg-config --cflags glib-2.0 gio-2.0)"
libraries=$(pkg-config --libs glib-2.0 gio-2.0)
library="$source/cl/algorithms/bitshuffle/bitshuffle-scan.c $source/cl/runtime/base/error.c"

# kernels ELEMENT BITS: the kernels for values of that size; a group has one work-item.
kernels() {
  for kernel in "$source/cl/algorithms/bitshuffle/bitshuffle-item.cl" \
    "$source/cl/algorithms/bitshuffle/bitshuffle-group.cl" "$source/tests/fuzz/opencl-shim.cl"; do
    clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target x86_64-pc-linux-gnu -Wno-psabi -g -O1 \
      -fsanitize=address,fuzzer-no-link -I"$source/cl" -I"$source/cl/algorithms/common" \
      -I"$source/cl/algorithms/bitshuffle" -DELEMENT="$1" -DBITS="$2" -DOUT="$2" -DSCRATCH=global -DSCRATCH_IS_GLOBAL \
      -DBITSHUFFLE_LANES=1 -c "$kernel" -o "$(basename "$kernel" .cl)-$1.o"
  done
}

# start PROGRAM: replays, or fuzzes for a part of the time.
start() {
  if [ "$how" = replay ]; then
    "./$1" -runs=0 "$corpus" 2>&1 | tail -n 3
    "./$1" "$corpus"/* >/dev/null 2>&1
  else
    "./$1" -max_total_time="$2" -max_len="${longest:-2048}" -timeout=20 -print_final_stats=1 "$found" "$corpus" 2>&1 \
      | tail -n 12
  fi
}

case $name in
  bitshuffle-kernel)
    for size in "1 uchar" "2 ushort" "4 uint" "8 ulong"; do
      # shellcheck disable=SC2086
      set -- $size
      kernels "$1" "$2"
      # shellcheck disable=SC2086
      clang $flags -DELEMENT="$1" "$source/tests/fuzz/$name.c" "$source/ui/cli/check/reference-bitshuffle.c" $library \
        "bitshuffle-item-$1.o" "bitshuffle-group-$1.o" "opencl-shim-$1.o" $libraries -o "$name-$1"
      start "$name-$1" $(($([ "$how" = replay ] && echo 0 || echo "$how") / 4))
    done ;;
  journal)
    # shellcheck disable=SC2086
    clang $flags "$source/tests/fuzz/$name.c" "$source/ui/batch/journal-reader.c" $libraries -o "$name"
    start "$name" "$how" ;;
  bitshuffle-scan)
    # shellcheck disable=SC2086
    clang $flags "$source/tests/fuzz/$name.c" $library $libraries -o "$name"
    start "$name" "$how" ;;
  fits)
    # CFITSIO asks for any amount of memory, and does not free what it used for tiles that it cannot decompress.
    export ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS="suppressions=$source/tests/fuzz/lsan.supp"
    longest=65536
    # shellcheck disable=SC2046,SC2086
    clang $flags $(pkg-config --cflags cfitsio) "$source/tests/fuzz/fits.c" "$source/tests/fuzz/fuzz-file.c" \
      "$source"/cl/formats/*.c $(ls "$source"/cl/formats/fits/*.c | grep -v disabled) $libraries \
      $(pkg-config --libs cfitsio) -lm -o "$name"
    start "$name" "$how" ;;
  azimuthal-matrix | poni)
    azimuthal=$source/cl/algorithms/azimuthal
    # shellcheck disable=SC2046,SC2086
    clang $flags $(pkg-config --cflags json-glib-1.0) "$source/tests/fuzz/$name.c" "$azimuthal/azimuthal-fail.c" \
      "$azimuthal/azimuthal-file.c" "$azimuthal/azimuthal-geometry.c" "$azimuthal/azimuthal-sparse.c" \
      "$azimuthal/azimuthal-split.c" "$azimuthal/azimuthal-strips.c" "$azimuthal/detector.c" "$azimuthal/poni.c" \
      "$source/cl/runtime/base/error.c" $libraries $(pkg-config --libs json-glib-1.0) -lm -o "$name"
    start "$name" "$how" ;;
  *)
    echo "run.sh: unknown target $name" >&2
    exit 2 ;;
esac
