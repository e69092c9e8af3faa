#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs below a temporary folder and uses what is installed there: libcapra by a client, the module by `gegl`, and the
# program capra.
# Usage: installed.sh MESON BUILD_FOLDER CLIENT.c GEGL_MODULES WITH_RUN PREFIX AFTER_INSTALL
# (TAP; environment: CC, the compiler; CXX, a C++ compiler or empty; WITH_RUN: 1 if `capra run` was built)
set -u
meson=$1 build=$2 client=$3 modules=$4 with_graph=$5 prefix=$6 after_install=$7
root=$(mktemp -d "${TMPDIR:-/tmp}/capra-installed-XXXXXX") || exit 1
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM

mkdir -p "$root/home" "$root/tree"
# PoCL's cache stays where it is: kernels that other tests use, too, are compiled once.
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pocl/kcache}"
export HOME="$root/home" XDG_CACHE_HOME="$root/home" XDG_CONFIG_HOME="$root/home" XDG_DATA_HOME="$root/home"
n=0

# check NAME COMMAND…: one test, which passes if the command succeeds.
check() {
  name=$1
  shift
  n=$((n + 1))
  if "$@" >"$root/log" 2>&1; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' "$root/log"
  fi
}

find_one() { find "$root/tree" -name "$1" ! -type d | head -n 1; }
find_command() { echo "$root/tree$prefix/bin/capra"; }

# With the installed pkg-config file, adapted to the temporary folder.
build_client() {
  sed "s|^prefix=|prefix=$root/tree|" "$(find_one capra.pc)" >"$root/capra.pc" || return 1
  # shellcheck disable=SC2046
  ${CC:-cc} -o "$root/client" "$client" \
    $(PKG_CONFIG_PATH="$root" pkg-config --cflags --libs capra) -lm
}

run_gegl() {
  input="$root/in.png" output="$root/out.png"
  timeout 60 gegl -o "$input" -- gegl:checkerboard x=7 y=5 gegl:crop width=60 height=40 || return 1
  GEGL_PATH="$(dirname "$(find_one capra.so)"):$modules" CAPRA_TIMINGS=- CAPRA_FATAL=1 \
    timeout 60 gegl "$input" -o "$output" -- capra:gaussian-blur || return 1
  grep -q download "$root/log" && [ -s "$output" ]
}

run_command() { timeout 60 "$(find_command)" devices; }

# `capra` finds capra-run, if it was built.
run_graph() {
  [ -n "$(find_one capra-run)" ] || { echo "no capra-run was installed"; return "$1"; }
  GEGL_PATH="$(dirname "$(find_one capra.so)"):$modules" timeout 60 "$(find_command)" run "$root/in.png" \
    -o "$root/run.png" -- capra:box-blur && [ -s "$root/run.png" ]
}

# With two copies of the module, GEGL uses one of them.
run_gegl_twice() {
  mkdir -p "$root/second"
  cp "$(find_one capra.so)" "$root/second/" || return 1
  first=$(dirname "$(find_one capra.so)")
  GEGL_PATH="$modules:$root/second:$first" CAPRA_FATAL=1 \
    timeout 60 gegl "$root/in.png" -o "$root/twice.png" -- capra:box-blur || return 1
  [ -s "$root/twice.png" ] && grep -q WARNING "$root/log" && grep -qF "$root/second/capra.so" "$root/log" \
    && grep -qF "$first/capra.so" "$root/log"
}

# With a prefix other than GEGL's, all files are below it.
all_below_prefix() {
  ! find "$root/tree" ! -type d | grep -vF "$root/tree$prefix/"
}

documented() {
  for file in README.md NEWS LICENSES/GPL-3.0-or-later.txt LICENSES/LGPL-3.0-or-later.txt; do [ -s "$root/tree$prefix/share/doc/capra/$file" ] || return 1; done
  [ -n "$(find_one capra.1*)" ]
}

# The soname is a link to the file with the complete version.
versioned() {
  link=$(find "$root/tree" -name libcapra.so.0)
  [ -L "$link" ] && [ -f "$link" ] && [ "$(readlink "$link")" != libcapra.so ]
}

# Each header compiles alone, without warnings, in C and in C++.
headers_compile() {
  include=$(dirname "$(find_one capra.h)")
  flags="$(pkg-config --cflags glib-2.0) -I$include -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only"
  for header in $(cd "$include" && find . -name '*.h'); do
    echo "#include \"$header\"" >"$root/one.c"
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -std=gnu11 "$root/one.c" || return 1
    if [ -n "${CXX:-}" ]; then
      cp "$root/one.c" "$root/one.cc"
      # shellcheck disable=SC2086
      $CXX $(echo "$flags" | sed 's/-Wstrict-prototypes//') -std=c++11 "$root/one.cc" || return 1
    fi
  done
}

# The output of after-install.sh for folders that hosts do not search.
last_lines() {
  sh -c '"$@"; :' sh env DESTDIR= PATH="$PATH" "$after_install" "/p q/bin" /p/lib /p/share --gegl "/p q/gegl" /gegl \
    --gimp /p/gimp/capra /gimp '~/user' 2>&1 | cat
}

last_lines_name_all() {
  last_lines >"$root/lines"
  cat "$root/lines"
  for word in "GEGL_PATH='/gegl:/p q/gegl'" "ln -sfn /p/gimp/capra ~/user/capra" "PATH='/p q/bin'" \
    PKG_CONFIG_PATH=/p/lib/pkgconfig XDG_DATA_DIRS=/p/share; do
    grep -qF -- "$word" "$root/lines" || { echo "missing: $word"; return 1; }
  done
}

# With DESTDIR, when a package is built, it prints nothing.
no_last_lines() {
  said=$(sh -c '"$@"; :' sh env DESTDIR=/package "$after_install" /p/bin /p/lib /p/share --gegl /p/gegl /gegl 2>&1 | cat)
  [ -z "$said" ]
}

echo 1..14
# Every program that needs libcapra finds it where `capra` does.
same_library_path() {
  expected=$(readelf -d "$(find_command)" | sed -n 's/.*RUNPATH.*\[\(.*\)\]/\1/p')
  for file in $(find "$root/tree" -type f -perm -100 -path '*/libexec/capra-*'); do
    readelf -d "$file" | grep -q 'NEEDED.*libcapra\.so' || continue
    found=$(readelf -d "$file" | sed -n 's/.*RUNPATH.*\[\(.*\)\]/\1/p')
    [ "$found" = "$expected" ] || { echo "$file: \"$found\", not \"$expected\""; return 1; }
  done
}

check "meson install" "$meson" install -C "$build" --no-rebuild --destdir "$root/tree"
check "a program builds with the installed headers and pkg-config file" build_client
# From here on, nothing of the build folder is used.
LD_LIBRARY_PATH=$(dirname "$(find_one 'libcapra.so*')")
export LD_LIBRARY_PATH
check "and runs with the installed library" timeout 60 "$root/client"
check "gegl runs the installed module" run_gegl
check "capra devices runs" run_command
check "all programs find the library" same_library_path
check "capra run runs a chain" run_graph "$with_graph"
check "of two copies of the module one works, and a warning names both" run_gegl_twice
check "libcapra.so.0 is a link to the versioned file" versioned
check "the documentation is installed" documented
check "all files are below the prefix" all_below_prefix
check "each installed header compiles alone, in C and C++" headers_compile
check "the last lines say how hosts find the files" last_lines_name_all
check "they are not printed when a package is built" no_last_lines
