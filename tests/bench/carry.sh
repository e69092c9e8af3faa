#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a build of libcapra, `capra` and the tests, with the GLib that they need, into a folder that runs
# on a machine without GLib: sh tests/bench/carry.sh FOLDER; there: sh FOLDER/run PROGRAM [ARGUMENT …]
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
# What they need beyond libc, GLib and babl above all; the OpenCL loader must be the other machine's.
ldd "$folder/lib/libcapra.so.0" "$folder"/bin/test-convert | awk '/=> \// { print $3 }' | sort -u \
  | grep -E '/lib(glib|gio|gobject|gmodule|pcre2|ffi|mount|blkid|selinux|babl|lcms)' \
  | while read -r library; do cp -L "$library" "$folder/lib"; done
cat >"$folder/run" <<'RUN'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
LD_LIBRARY_PATH=$here/lib exec "$here/bin/$program" "$@"
RUN
chmod +x "$folder/run"
du -sh "$folder"
