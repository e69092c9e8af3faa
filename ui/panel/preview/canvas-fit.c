/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-fit: the scale at which an image opens. */
#include "ui/panel/preview/canvas-fit.h"

#include <math.h>

#define SMALL 256 /* units of the user interface that an image should cover along its larger side */

double
capra_canvas_fit_scale (const GeglRectangle *fitted, const GeglRectangle *image, double width, double height,
                        int factor)
{
  double inside = MIN (width / fitted->width, height / fitted->height);
  double enlarged = floor ((double) factor * SMALL / MAX (image->width, image->height));

  return MIN (inside, MAX (floor (MIN (inside, enlarged)), 1.0));
}
