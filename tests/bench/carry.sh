#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a build of libcapra, capra and the tests with the libraries that they need, for a machine without GLib:
# sh tests/bench/carry.sh FOLDER; there: sh FOLDER/run PROGRAM [ARGUMENT …], or
# sh FOLDER/run-tests DEVICE SECONDS [TEST …], such as sh FOLDER/run-tests h200 120 label measure
# CAPRA_BUILD names another build; with the GEGL module in it, GEGL and the benchmarks in GEGL are packed, too.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
build=${CAPRA_BUILD:-build-carry}

[ -f "$build/build.ninja" ] || meson setup "$build" -Dplugin=false -Dpanel=disabled --buildtype=release >/dev/null
meson compile -C "$build" >/dev/null
# shellcheck disable=SC2046
ninja -C "$build" $(ninja -C "$build" -t targets all | sed -n 's/^\(tests\/test-[a-z-]*\): .*/\1/p') >/dev/null

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib"
cp "$build/ui/cli/capra" "$folder/bin"
for test in "$build"/tests/test-*; do
  if [ -f "$test" ] && [ -x "$test" ]; then cp "$test" "$folder/bin"; fi
done
cp -L "$build/cl/libcapra.so.0" "$folder/lib"
# The libraries of the named files except libc; the OpenCL loader must be that of the other machine.
carry_libraries() {
  ldd "$@" | awk '/=> \// { print $3 }' | sort -u | grep -vE '/(libcapra|libOpenCL|libc|libm|libdl|libpthread)\.' \
    | while read -r library; do cp -L "$library" "$folder/lib"; done
}
carry_libraries "$folder/lib/libcapra.so.0" "$folder/bin/test-convert"
if ninja -C "$build" tests/bench/diffraction-frames >/dev/null 2>&1; then
  cp "$build/tests/bench/diffraction-frames" "$folder/bin"
  cp tests/bench/diffraction-device.sh "$folder"
  carry_libraries "$folder/bin/diffraction-frames" "$folder/bin/capra"
fi
ninja -C "$build" tests/bench/bench-split >/dev/null
cp "$build/tests/bench/bench-split" "$folder/bin"
cp tests/bench/gpu-pair.sh "$folder"
if [ -f "$build/plugin/capra.so" ]; then
  for program in bench-chunks bench-large bench-operations bench-transfers; do
    ninja -C "$build" "tests/bench/$program" >/dev/null
    cp "$build/tests/bench/$program" "$folder/bin"
  done
  plugins=$(pkg-config --variable=pluginsdir gegl-0.4)
  mkdir "$folder/gegl" "$folder/babl"
  cp "$build/plugin/capra.so" "$plugins"/gegl-core.so "$plugins"/gegl-common*.so "$plugins"/gegl-generated*.so \
    "$plugins"/*transformops*.so "$folder/gegl"
  rm -f "$folder"/gegl/*-cxx*
  cp "$(pkg-config --variable=libdir babl)"/babl-0.1/*.so "$folder/babl"
  carry_libraries "$folder"/gegl/*.so
fi
cat >"$folder/run" <<'RUN'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
[ ! -d "$here/gegl" ] || export GEGL_PATH="$here/gegl" BABL_PATH="$here/babl"
LD_LIBRARY_PATH=$here/lib exec "$here/bin/$program" "$@"
RUN
cat >"$folder/run-tests" <<'RUN'
#!/bin/sh
# Runs all tests or the named ones, with DEVICE as the first device, for at most SECONDS: each in a process of its own, and
# many at once, since most of the time is spent building kernels. Prints how many passed and which did not, and the first
# message of each that failed.
here=$(cd "$(dirname "$0")" && pwd)
export CAPRA_TEST_DEVICE=$1 CAPRA_MEMORY_BUDGET=4G CAPRA_CHECK=off CAPRA_PROBE=off G_DEBUG=fatal-criticals CAPRA_PROGRAM=$here/bin/capra
export LD_LIBRARY_PATH=$here/lib POCL_MAX_PTHREAD_COUNT=2 limit=$2 log=$(mktemp -d)
export here XDG_CACHE_HOME=${XDG_CACHE_HOME:-$log/cache} CAPRA_SHARED_KERNELS=$log/no-shared-kernels
shift 2
mkdir -p "$XDG_CACHE_HOME"
# The slowest come first; those in by_index name devices by their index.
export by_index="settings monitor cli tune"
for test in ${*:-gaussian-decimate convolve kernels gaussian-blur gaussian-upsample box-blur label measure statistics threshold-find counters \
  threshold convert array array-rows memory crop tuning timeline table window convolve-matrix device $by_index}; do
  "$here/bin/test-$test" -l 2>/dev/null | sed -n "s|^/|$test /|p"
done >"$log/all"
cat >"$log/one" <<'ONE'
case " $by_index " in *" $1 "*) unset CAPRA_TEST_DEVICE ;; esac
output=$log/$(echo "$2" | tr / _)
start=$(date +%s%N)
timeout --foreground "$limit" "$here/bin/test-$1" -p "$2" >"$output" 2>&1
echo "$? $2 $((($(date +%s%N) - start) / 1000000))" >>"$log/results"
ONE
touch "$log/results"
start=$(date +%s)
limit_end=$((start + limit))
setsid xargs -P "$(nproc)" -L 1 sh "$log/one" <"$log/all" &
while [ $(($(date +%s) - start)) -lt "$limit" ] && kill -0 $! 2>/dev/null; do sleep 0.2; done
kill -- -$! 2>/dev/null
# Many contexts at once may exceed the memory of the driver: failed tests are run again, alone, if there is time.
names_of() { sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$log/results"; }
names_of '[1-9][0-9]*' >"$log/again"
while read -r test; do
  limit=$((limit_end - $(date +%s)))
  [ "$limit" -gt 0 ] || break
  sed -i "\\| $test |d" "$log/results"
  sh "$log/one" "$(echo "$test" | cut -d / -f 2)" "$test" </dev/null
  if grep -q "^0 $test " "$log/results"; then echo "$test" >>"$log/alone"; fi
done <"$log/again"
while read -r _ test; do
  grep -q -F " $test " "$log/results" && continue
  if [ -e "$log/$(echo "$test" | tr / _)" ]; then echo "$test" >>"$log/late"; else echo "$test" >>"$log/waiting"; fi
done <"$log/all"
names() { if [ -s "$log/$2" ]; then echo "; $1:" $(cat "$log/$2"); fi; }
names_of '[1-9][0-9]*' >"$log/failed"
echo "$(grep -c '^0 ' "$log/results") of $(wc -l <"$log/all") passed in $(($(date +%s) - start)) s$(names 'passed only alone' alone
  names failed failed
  names 'not ended' late
  names 'not started' waiting)" | tr '\n' ' '
echo
grep -v '^0 ' "$log/results" | while read -r status test time; do
  output=$log/$(echo "$test" | tr / _)
  what=$(grep -a -m 1 -E 'ERROR|CRITICAL|Assertion|not ok' "$output" || tail -n 1 "$output")
  printf '%s\n' "$test: $status after $time ms: $what" | cut -c 1-300
done
echo "longest, in ms: $(sort -k 3 -n -r "$log/results" | head -n 5 | cut -d ' ' -f 2- | tr '\n' ' ')"
RUN
chmod +x "$folder/run" "$folder/run-tests"
du -sh "$folder"
