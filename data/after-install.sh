#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs at the end of `meson install`: prints how GEGL, GIMP and the shell find files outside their own folders, and starts
# building kernels.
# Usage: after-install.sh PROGRAMS LIBRARIES DATA [--gegl FOLDER GEGL'S_OWN] [--gimp FOLDER GIMP'S_OWN USER'S]
set -eu
programs=$1 libraries=$2 data=$3
shift 3

# When a package is built, nothing is to be found on this system.
[ -z "${DESTDIR:-}" ] || exit 0

# So that programs that link the library find it.
case $libraries in /usr/*) ldconfig 2>/dev/null || true ;; esac

# Meson shows the output of a script only if it fails, so this is printed to the terminal of Meson itself.
out=/proc/$PPID/fd/2
if [ -f "$out" ] || ! (: >"$out") 2>/dev/null; then exit 0; fi
exec >"$out"

said=
# say TEXT…: prints a line, the first time after a heading.
say() {
  [ -n "$said" ] || printf '\nCapra is installed. Programs find its files outside their own folders with:\n'
  said=1
  printf '  %s\n' "$@"
}

# The argument as a shell word, quoted if necessary.
quoted() {
  case $1 in
    *[!A-Za-z0-9/._~:+-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf %s "$1" ;;
  esac
}

while [ $# -gt 0 ]; do
  case $1 in
    --gegl)
      if [ "$2" != "$3" ] && [ "$2" != "${XDG_DATA_HOME:-$HOME/.local/share}/gegl-0.4/plug-ins" ]; then
        say "export GEGL_PATH=$(quoted "$3:$2")" "  (the operations in GIMP, gegl and every program with GEGL)"
      fi
      shift 3
      ;;
    --gimp)
      case $4 in "~/"*) user=$HOME/${4#"~/"} ;; *) user=$4 ;; esac
      if [ "${2%/capra}" != "$3" ] && [ "${2%/capra}" != "$user" ]; then
        say "mkdir -p $4 && ln -sfn $(quoted "$2") $4/capra" "  (the panel in GIMP: Filters > Capra…)"
      fi
      shift 4
      ;;
    *) echo "after-install: unexpected argument $1" >&2; exit 1 ;;
  esac
done

case :$PATH: in *:"$programs":*) ;; *) say "export PATH=$(quoted "$programs"):\$PATH" ;; esac
case :$(pkg-config --variable pc_path pkg-config 2>/dev/null): in
  *:"$libraries/pkgconfig":*) ;;
  *)
    say "export PKG_CONFIG_PATH=$(quoted "$libraries/pkgconfig")\${PKG_CONFIG_PATH:+:\$PKG_CONFIG_PATH}" \
      "export LD_LIBRARY_PATH=$(quoted "$libraries")\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" "  (programs that link libcapra)"
    ;;
esac
case :${XDG_DATA_DIRS:-/usr/local/share:/usr/share}:${XDG_DATA_HOME:-$HOME/.local/share}: in
  *:"$data":*) ;;
  *) say "export XDG_DATA_DIRS=$(quoted "$data"):\${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" \
       "  (the panel's icon, its menu entry, and its settings)" ;;
esac

# Builds kernels now instead of at the first use of each operation: as root for all users, else for this user.
if "$programs/capra" devices >/dev/null 2>&1; then
  system=
  [ "$(id -u)" != 0 ] || system=--system
  printf '\nKernels for this machine are being built in the background (capra prepare%s).\n' "${system:+ $system}"
  # shellcheck disable=SC2086
  nice -n 19 "$programs/capra" prepare --quiet $system >/dev/null 2>&1 </dev/null &
fi
