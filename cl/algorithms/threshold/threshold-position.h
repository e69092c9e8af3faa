/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: positions of values between the smallest and the largest one (position.clh). Private. */
#pragma once

#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* Maps the values of an array between @min and @max to positions in [0, @bins]: (value · @pre - @min · @pre) · @scale.
 * */
typedef struct {
  CapraType type;
  double min, max;
  float pre, scale;
} CapraPositionScale;

CapraPositionScale capra_position_scale (CapraType type, double min, double max, int bins);

/* Sets the argument @min, in the type in which the kernel compares. */
void capra_position_scale_least (CapraLaunch *launch, const CapraPositionScale *scale);

/* Sets the arguments @min, @pre and @scale. */
void capra_position_scale_arguments (CapraLaunch *launch, const CapraPositionScale *scale);

G_END_DECLS
