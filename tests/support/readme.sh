#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs README.md's commands for installing, as they are written there, in a minimal Debian: as root for the system, and as
# a user below ~/.local. Then opens the panel's window, and tries GIMP's menu and the example for the library.
# Usage: readme.sh SOURCE_FOLDER     (as root, in a tree that is discarded; debian.sh runs it)
set -eu
source=$1
failed=

# check WHAT COMMAND…: prints whether the command succeeds, and its output if not.
check() {
  what=$1
  shift
  if "$@" >/tmp/said 2>&1; then
    echo "ok - readme: $what"
  else
    echo "not ok - readme: $what"
    sed 's/^/    /' /tmp/said
    failed=1
  fi
}

# The text under a heading of README.md; one of its commands, which are indented lines.
section() { awk -v heading="## $1" '/^## / { within = $0 == heading } within' README.md; }
command_line() { section "$1" | sed '/^```/,/^```$/d' | sed -n 's/^    //p' | sed -n "$2p"; }

# A copy of the source, since a build folder lies within it.
copy_source() {
  mkdir -p "$1"
  (cd "$source" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$1"
}

# GEGL's operations, in `gegl` and in `capra run`.
run_gegl() {
  rm -f /tmp/in.png /tmp/out.png
  gegl -o /tmp/in.png -- gegl:checkerboard x=7 y=5 gegl:crop width=60 height=40
  CAPRA_FATAL=1 gegl /tmp/in.png -o /tmp/out.png -- capra:gaussian-blur && [ -s /tmp/out.png ]
}
run_capra() {
  rm -f /tmp/run.png
  capra run /tmp/in.png -o /tmp/run.png -- capra:box-blur && [ -s /tmp/run.png ]
}

# The example prints the center of a Gaussian of sigma 3: 1 / (2 pi 9).
example() {
  folder=$(mktemp -d)
  section "As a library" | sed -n '/^```c$/,/^```$/p' | sed '1d;$d' >"$folder/blur.c"
  line=$(command_line "As a library" 1)
  [ -s "$folder/blur.c" ] && [ -n "$line" ] || return 1
  (cd "$folder" && eval "$line") >"$folder/number"
  cat "$folder/number"
  awk '{ good = $1 > 0.0175 && $1 < 0.0179 } END { exit !good }' "$folder/number"
}

panel_window() {
  xvfb-run -a sh -c 'capra-panel /tmp/in.png & program=$!
    for second in $(seq 120); do
      if xdotool search --onlyvisible --name in.png 2>/dev/null; then kill $program; exit 0; fi
      kill -0 $program || exit 1
      sleep 1
    done
    kill $program; exit 1'
}

# GIMP registers the plug-in with its menu entry, and runs it.
gimp_menu() {
  console=$(ls /usr/bin/gimp-console-[23].* | head -n 1)
  xml="<gegl><node operation='capra:box-blur'/></gegl>"
  case $console in
    *-2.*)
      set --
      run="(plug-in-capra RUN-NONINTERACTIVE image layer \"$xml\")"
      layer='(car (gimp-layer-new image 64 64 RGB-IMAGE "a" 100 LAYER-MODE-NORMAL))'
      ;;
    *)
      set -- --batch-interpreter=plug-in-script-fu-eval
      run="(plug-in-capra #:run-mode RUN-NONINTERACTIVE #:image image #:drawables (vector layer) #:xml \"$xml\")"
      layer='(car (gimp-layer-new image "a" 64 64 RGB-IMAGE 100 LAYER-MODE-NORMAL))'
      ;;
  esac
  script="(let* ((image (car (gimp-image-new 64 64 RGB))) (layer $layer))
    (gimp-image-insert-layer image layer 0 0) $run (gimp-message \"capra: done\"))"
  timeout 300 "$console" --no-interface --no-data --no-fonts "$@" --batch "$script" --batch '(gimp-quit 0)' \
    >/tmp/gimp 2>&1 || { cat /tmp/gimp; return 1; }
  cat /tmp/gimp
  registered=$(cat "$HOME"/.config/GIMP/*/pluginrc)
  echo "$registered" | sed -n '/capra\/capra"/,/^(plug-in-def/p'
  grep -q 'capra: done' /tmp/gimp && echo "$registered" | grep -q '<Image>/Filters' \
    && echo "$registered" | grep -q 'plug-in-capra' && echo "$registered" | grep -q 'Capra…'
}

all_works() {
  check "$1: gegl has the operations" run_gegl
  check "$1: capra run" run_capra
  check "$1: the library's example prints its number" example
  check "$1: the panel opens its window" panel_window
  check "$1: GIMP has the plug-in, its menu entry and the operations" gimp_menu
}

# As a user without root: below ~/.local, then the commands that the installation prints last.
if [ "${2:-}" = user ]; then
  cd "$HOME/capra"
  script -qec "$(command_line "Build and install" 2)" /dev/null >/tmp/user.log 2>&1 || { tail -n 40 /tmp/user.log; exit 1; }
  tr -d '\r' </tmp/user.log | sed -n '/^Capra is installed/,$p' >/tmp/last-lines
  cat /tmp/last-lines
  sed -n 's/^  \([a-z]\)/\1/p' /tmp/last-lines >/tmp/commands
  . /tmp/commands
  all_works "~/.local"
  [ -z "$failed" ]
  exit
fi

copy_source /root/capra
cd /root/capra
grep -q '`sh data/setup.sh`' README.md
check "the set-up" sh data/setup.sh
check "the installation" eval "$(command_line "Build and install" 1)"
grep -E '^ +(GEGL module|Panel|GIMP plug-in) *:' /tmp/said || true
check "everything is built" eval "! grep -E '^ +[A-Za-z ,-]+ *: *no: ' /tmp/said"
check "nothing installed has a path to the system's libraries" eval \
  "! readelf -d /usr/bin/capra /usr/bin/capra-panel /usr/lib/*/gegl-0.4/capra.so /usr/libexec/capra-* | grep -E 'R(UN)?PATH'"
# README assumes GIMP and a display.
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gimp xvfb xauth xdotool >/dev/null 2>&1
all_works "installed"
check "it is gone after ninja uninstall" eval \
  "ninja -C build uninstall && [ ! -e /usr/bin/capra ] && ! pkg-config --exists capra"
check "gegl has the operations of the build folder" eval "$(command_line "Build and install" 3); run_gegl"
unset GEGL_PATH

useradd --create-home visitor
copy_source /home/visitor/capra
chown -R visitor: /home/visitor
rm -f /tmp/in.png /tmp/out.png /tmp/run.png /tmp/said /tmp/gimp
su visitor -c "sh '$0' '$source' user" || failed=1
[ -z "$failed" ]
