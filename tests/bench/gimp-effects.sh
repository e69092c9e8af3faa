#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Times what a person waits for in GIMP, with Capra's operations and with GEGL's own, and prints a table. In ms, medians,
# Capra's / GEGL's own and their ratio:
#   first       as composite, the first time in a process: kernels are loaded, and for the first operation OpenCL
#   composite   an effect is added to a layer that was just written, until the last chunk is on the canvas
#   slider      a value of the effect is changed, until the last chunk is on the canvas
#   stroke      GIMP 3: a dab of 64 x 64 is painted under the effect, until what it touched is on the canvas
#   release     GIMP 3: the button is released, after which GIMP renders the whole layer
#   ok          GIMP 2.10, whose filter tool has no effects but previews: the result is written into the layer
# gimp-effects.c explains how they are measured. Each size and format has a process of GIMP of its own, in a window on a
# virtual display. Capra's kernels are built before.
#
# Usage: gimp-effects.sh [OPTION…] [BUILD_FOLDER]
#   -g VERSION,…    2.10: GIMP 2.10 as installed here; 3: GIMP 3, as installed here or in Debian 13 (2.10,3)
#   -s SIZE,…       sizes of the layer (3000x2000,6000x4000)
#   -f FORMAT,…     u8, u16 or float, with alpha (u8,u16,float)
#   -o NAME,…       operations: gaussian-2, gaussian-12, gaussian-50, gaussian-200, box-15, threshold, and pass-on, which
#                   computes nothing: what GIMP takes by itself, twice (all)
#   -r NUMBER       how often each effect is added after the first time (3)
#   -l SECONDS      after which a case is given up (60)
#   -p SECONDS      from the image on the canvas to the first effect (3), as a person needs them; 0: at once
#   -m MB           before each first case that much memory is used and freed, so that a virtual machine has got its pages
#                   from its host, which takes longer than to clear them (0)
#   -k FILE         keeps what GIMP printed; with CAPRA_EFFECTS_CHUNKS=1 set, each chunk that it rendered
#
# If GIMP 3 is not installed here, it runs in a Debian 13 in BUILD_FOLDER/debian-trixie, which is made and filled with
# packages once (as root, by debootstrap), or in CAPRA_GIMP_TREE, a Debian 13 with the packages of data/setup.sh --tests.
set -eu

versions=2.10,3 sizes=3000x2000,6000x4000 formats=u8,u16,float operations='' repeats=3 limit=60 pause=3 memory=0 keep='' inside=
while getopts g:s:f:o:r:l:p:m:k:i option; do
  case $option in
    g) versions=$OPTARG ;;
    s) sizes=$OPTARG ;;
    f) formats=$OPTARG ;;
    o) operations=$OPTARG ;;
    r) repeats=$OPTARG ;;
    l) limit=$OPTARG ;;
    p) pause=$OPTARG ;;
    m) memory=$OPTARG ;;
    k) keep=$OPTARG ;;
    i) inside=1 ;; # prints GIMP's lines, without a table
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$source/build}" && pwd)
folder=$build/debian-trixie
release=trixie
tab=$(printf '\t')

# Runs one GIMP, and prints its lines after its version, size and format.
run_gimp() {
  home=$(mktemp -d)
  mkdir "$home/plug-ins"
  version=$("$1" --version | sed 's/.* //')
  cat >"$home/gimprc" <<END
(plug-in-path "$home/plug-ins")
(swap-path "$home")
(check-updates no)
(restore-session no)
(save-session-info no)
(color-profile-policy keep)
(undo-levels 0)
$(case $version in 3.*) echo "(config-version \"$version\")" ;; esac)
END
  HOME=$home GIMP2_DIRECTORY=$home GIMP3_DIRECTORY=$home GTK_MODULES=$build/tests/bench/gimp-effects.so \
    DBUS_SESSION_BUS_ADDRESS=disabled: CAPRA_EFFECTS_SIZE=$2 CAPRA_EFFECTS_FORMAT=$3 \
    xvfb-run -a -s "-screen 0 1600x900x24" "$1" --new-instance --no-splash --no-data --no-fonts \
    >"$home/out" 2>"$home/err" || :
  grep -q '^effects: done' "$home/out" || { cat "$home/out" "$home/err" >&2; exit 1; }
  grep -E "^(effect|chunk)$tab" "$home/out" | sed "s/^/$version$tab$2$tab$3$tab/"
  rm -rf "$home"
}

# All sizes and formats in the GIMP of this system.
run_here() {
  ninja -C "$build" plugin/capra.so ui/cli/capra ui/cli/capra-run tests/gegl-modules.stamp \
    tests/bench/gimp-effects.so >&2
  cache=$build/tests/bench/gimp-cache
  mkdir -p "$cache"
  export XDG_CACHE_HOME="$cache" POCL_CACHE_DIR="$cache/pocl" CAPRA_SHARED_KERNELS="$cache/none" CAPRA_CHECK=off
  export GEGL_PATH="$build/tests/gegl-modules:$build/plugin"
  export CAPRA_EFFECTS_OPERATIONS="$operations" CAPRA_EFFECTS_REPEATS="$repeats" CAPRA_EFFECTS_LIMIT="$limit"
  export CAPRA_EFFECTS_PAUSE="$pause" CAPRA_EFFECTS_MEMORY="$memory"
  "$build/ui/cli/capra" prepare >&2
  for size in $(echo "$sizes" | tr , ' '); do
    for format in $(echo "$formats" | tr , ' '); do
      run_gimp "$1" "$size" "$format"
    done
  done
}

# The same in a Debian 13, with mounts that end with this process.
run_in_tree() {
  tree=${CAPRA_GIMP_TREE:-$folder/gimp}
  if [ ! -x "$tree/usr/bin/gimp-3.0" ]; then
    [ -z "${CAPRA_GIMP_TREE:-}" ] || { echo "$tree has no GIMP 3" >&2; exit 1; }
    . "$source/tests/support/debian-base.sh" >&2
    rm -rf --one-file-system "$tree.new"
    cp -a "$base" "$tree.new"
    enter "$tree.new" sh /capra-source/data/setup.sh --tests >&2
    mv "$tree.new" "$tree"
  fi
  # shellcheck disable=SC2016
  enter "$tree" sh -eu -c '
    [ -f /capra-build/build.ninja ] || meson setup /capra-build /capra-source >&2
    exec sh /capra-source/tests/bench/gimp-effects.sh -i -g 3 "$@" /capra-build
  ' sh -s "$sizes" -f "$formats" -o "$operations" -r "$repeats" -l "$limit" -p "$pause" -m "$memory"
}

enter() {
  root=$1
  shift
  mkdir -p "$root/capra-source" "$root/capra-build" "$folder/gimp-build"
  export root source folder
  # shellcheck disable=SC2016
  unshare --mount sh -eu -c '
    mount --bind "$source" "$root/capra-source"
    mount --bind "$folder/gimp-build" "$root/capra-build"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys" # PoCL counts cores there
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      CAPRA_EFFECTS_CHUNKS="${CAPRA_EFFECTS_CHUNKS:-}" chroot "$root" "$@"
  ' sh "$@"
}

run_all() {
  for version in $(echo "$versions" | tr , ' '); do
    case $version in
      2.10)
        if command -v gimp-2.10 >/dev/null; then run_here gimp-2.10; else echo "no GIMP 2.10 here" >&2; fi
        ;;
      3) if command -v gimp-3.0 >/dev/null; then run_here gimp-3.0; else run_in_tree; fi ;;
      *) echo "unknown version of GIMP $version; use 2.10 or 3" >&2 && exit 2 ;;
    esac
  done
}

# Medians of the times until the first and the last chunk, of each case.
medians() {
  grep "${tab}effect$tab" "$1" | sort -t "$tab" -k 1,3 -k 5,7 -k 9,9n | awk -F '\t' -v OFS='\t' '
    function flush() { if (n) print key, first[int((n + 1) / 2)], last[int((n + 1) / 2)] }
    { new = $1 OFS $2 OFS $3 OFS $5 OFS $6 OFS $7 }
    new != key { flush(); key = new; n = 0 }
    { n++; first[n] = $8; last[n] = $9 }
    END { flush() }'
}

if [ -n "$inside" ]; then
  run_here gimp-3.0
  exit
fi
lines=${keep:-$(mktemp)}
run_all >"$lines"
echo "$(nproc) cores, medians in ms: Capra / GEGL's own, and the ratio"
medians "$lines" | awk -f "$source/tests/bench/gimp-effects.awk"
[ -n "$keep" ] || rm -f "$lines"
