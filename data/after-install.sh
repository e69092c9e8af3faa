#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The last lines of `meson install`: how GEGL, GIMP and the shell find what was installed outside their own folders.
# Usage: after-install.sh PROGRAMS LIBRARIES DATA [--gegl FOLDER GEGL'S_OWN] [--gimp FOLDER GIMP'S_OWN USER'S]
set -eu
programs=$1 libraries=$2 data=$3
shift 3

# A package's build: who installs the package gets its own lines.
[ -z "${DESTDIR:-}" ] || exit 0

# The loader's cache, for programs that link the library.
case $libraries in /usr/*) ldconfig 2>/dev/null || true ;; esac

# Meson shows what a script prints only where it fails: this goes where Meson's own messages go.
out=/proc/$PPID/fd/2
if [ -f "$out" ] || ! (: >"$out") 2>/dev/null; then exit 0; fi
exec >"$out"

said=
# say TEXT…: a line of what is left to do, after one heading.
say() {
  [ -n "$said" ] || printf '\nCapra is installed. What was installed outside the folders of its hosts is found with:\n'
  said=1
  printf '  %s\n' "$@"
}

# The word for a shell: quoted where it has to be.
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
    *) echo "after-install: $1?" >&2; exit 1 ;;
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
       "  (the panel's icon, its entry in menus, and what it remembers)" ;;
esac

# Kernels are built now rather than at the first use of each operation: by root for all users, else for this one.
if "$programs/capra" devices >/dev/null 2>&1; then
  system=
  [ "$(id -u)" != 0 ] || system=--system
  printf '\nKernels for this machine are being prepared in the background (capra prepare%s).\n' "${system:+ $system}"
  # shellcheck disable=SC2086
  nice -n 19 "$programs/capra" prepare --quiet $system >/dev/null 2>&1 </dev/null &
fi
