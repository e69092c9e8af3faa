/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: positions of values between the smallest and the largest one. */
#include <math.h>

#include "algorithms/threshold/threshold-position.h"

CapraPositionScale
capra_position_scale (CapraType type, double min, double max, int bins)
{
  CapraPositionScale scale = { type, min, max, 1, 1 };
  int exponent = ilogb (max - min);

  if (ABS (exponent) > 60)
    scale.pre = ldexpf (1, CLAMP (-exponent, -126, 126));
  scale.scale = (float) (bins / ((max - min) * scale.pre));
  return scale;
}

void
capra_position_scale_least (CapraLaunch *launch, const CapraPositionScale *scale)
{
  switch (scale->type)
    {
    case CAPRA_F32: capra_launch_float (launch, (float) scale->min); break;
    case CAPRA_I8:
    case CAPRA_I16:
    case CAPRA_I32: capra_launch_int (launch, (gint32) scale->min); break;
    default: capra_launch_uint (launch, (guint32) scale->min); break;
    }
}

void
capra_position_scale_arguments (CapraLaunch *launch, const CapraPositionScale *scale)
{
  capra_position_scale_least (launch, scale);
  capra_launch_float (launch, scale->pre);
  capra_launch_float (launch, scale->scale);
}
