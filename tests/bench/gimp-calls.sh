#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How long calls of GIMP's plug-in take, beside GIMP's own operations. The calls of both are made in turn by one script
# in Script-Fu, without a window.
#
# Usage: sh tests/bench/gimp-calls.sh BUILD [CALLS] [WIDTHxHEIGHT]
# BUILD is a build folder whose plug-in was built for the installed GIMP (2.10 or 3.0). Prints a table in seconds.
set -eu

if [ $# -lt 1 ]; then
  sed -n '3,7s/^# \{0,1\}//p' "$0" >&2
  exit 1
fi
build=$(cd "$1" && pwd)
calls=${2:-7}
size=${3:-3000x2000}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

if pkg-config --exists gimp-3.0; then
  version=3.0 package=gimp-3.0
else
  version=2.10 package=gimp-2.0
fi
own=$(pkg-config --variable=gimplibdir $package)/plug-ins
mkdir -p "$home/gimp" "$home/plug-ins"
for plug_in in "$own/script-fu" "$build/ui/gimp"; do
  program=script-fu
  [ "$plug_in" = "$own/script-fu" ] || program=capra
  mkdir "$home/plug-ins/$program"
  ln -s "$plug_in/$program" "$home/plug-ins/$program/$program"
done
printf '(plug-in-path "%s")\n' "$home/plug-ins" >"$home/gimp/gimprc"

# What the two versions write differently.
if [ $version = 3.0 ]; then
  versions='
(define (make-layer image w h)
  (let ((layer (car (gimp-layer-new image "layer" w h RGBA-IMAGE 100 LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 0)
    (gimp-drawable-merge-new-filter layer "gegl:noise-solid" "" LAYER-MODE-REPLACE 1.0 "x-size" 8.0 "y-size" 8.0)
    layer))
(define (call image layer xml)
  (plug-in-capra #:run-mode RUN-NONINTERACTIVE #:image image #:drawables (vector layer) #:xml xml))
(define (own-blur image layer sigma)
  (gimp-drawable-merge-new-filter layer "gegl:gaussian-blur" "" LAYER-MODE-REPLACE 1.0
    "std-dev-x" sigma "std-dev-y" sigma))'
else
  versions='
(define (make-layer image w h)
  (let ((layer (car (gimp-layer-new image w h RGBA-IMAGE "layer" 100 LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 0)
    (plug-in-solid-noise RUN-NONINTERACTIVE image layer 0 1 5 8 4 4)
    layer))
(define (call image layer xml) (plug-in-capra RUN-NONINTERACTIVE image layer xml))
; Its radius is that of a Gaussian at 1/255.
(define (own-blur image layer sigma)
  (plug-in-gauss RUN-NONINTERACTIVE image layer (* sigma 3.33) (* sigma 3.33) 0))'
fi

cat >"$home/script" <<END
(begin $versions
(define (now) (let ((t (gettimeofday))) (+ (car t) (/ (cadr t) 1000000.0))))
(define (seconds thunk) (let ((start (now))) (thunk) (- (now) start)))
(define (blur sigma)
  (string-append "<gegl><node operation='capra:gaussian-blur'><params>"
    "<param name='std-dev-x'>" (number->string sigma) "</param>"
    "<param name='std-dev-y'>" (number->string sigma) "</param></params></node></gegl>"))
(define threshold "<gegl><node operation='capra:threshold'/></gegl>")
(define (row name ours own)
  (let loop ((i 0))
    (if (< i $calls)
        (let* ((a (seconds ours)) (b (seconds own)))
          (gimp-message (string-append "ROW;" name ";" (number->string a) ";" (number->string b)))
          (loop (+ i 1))))))
(define (rows w h precision format)
  (let* ((image (car (gimp-image-new-with-precision w h RGB precision)))
         (layer (make-layer image w h))
         (name (string-append (number->string w) "x" (number->string h) " " format)))
    (row (string-append name ";Gaussian, sigma 12") (lambda () (call image layer (blur 12)))
         (lambda () (own-blur image layer 12)))
    (row (string-append name ";Gaussian, sigma 100") (lambda () (call image layer (blur 100)))
         (lambda () (own-blur image layer 100)))
    (row (string-append name ";threshold") (lambda () (call image layer threshold))
         (lambda () (gimp-drawable-threshold layer HISTOGRAM-VALUE 0.5 1.0)))
    (gimp-image-delete image)))
; Numbers, since the names of precisions differ.
(rows 64 64 150 "u8")
(rows ${size%x*} ${size#*x} 150 "u8")
(rows ${size%x*} ${size#*x} 600 "float")
)
END

modules=$(pkg-config --variable=libdir gegl-0.4)/gegl-0.4:$build/plugin
HOME=$home GIMP2_DIRECTORY=$home/gimp GIMP3_DIRECTORY=$home/gimp GEGL_PATH=$modules LC_ALL=C.UTF-8 \
  GSETTINGS_SCHEMA_DIR=$build/data GSETTINGS_BACKEND=memory DBUS_SESSION_BUS_ADDRESS=disabled: \
  "gimp-console-$version" --no-interface --no-data --no-fonts --no-splash \
  --batch-interpreter=plug-in-script-fu-eval --batch "$(cat "$home/script")" --batch '(gimp-quit 0)' >"$home/log" 2>&1 </dev/null || true

echo "GIMP $version, $calls calls in turn, in seconds: the first call, then minimum and median of the others"
echo
echo "| image | operation | Capra: first | minimum | median | GIMP's own: minimum | median | difference of medians |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
sed -n 's/.*ROW;//p' "$home/log" | awk -F';' '
  function sort(list, n,    i, j, swap) {
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && list[j] < list[j - 1]; j--) { swap = list[j]; list[j] = list[j - 1]; list[j - 1] = swap }
  }
  function finish() {
    if (n < 1) return
    sort(ours, n); sort(own, n); middle = int((n + 1) / 2)
    printf "| %s | %s | %.3f | %.3f | %.3f | %.3f | %.3f | %+.3f |\n", image, operation, first, ours[1], ours[middle],
      own[1], own[middle], ours[middle] - own[middle]
  }
  $1 != image || $2 != operation { finish(); image = $1; operation = $2; first = $3; n = 0; next }
  { n++; ours[n] = $3 + 0; own[n] = $4 + 0 }
  END { finish() }'
if ! grep -q ROW "$home/log"; then
  cat "$home/log" >&2
  exit 1
fi
