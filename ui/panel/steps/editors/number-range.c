/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-range: the range of a numeric property, and the part of it that a slider covers. */
#include "ui/panel/steps/editors/number-range.h"

#include <gegl.h>
#include <gegl-paramspecs.h>
#include <math.h>

#define WIDEST_SLIDER 1e8

static void
set_default_steps (CapraNumberRange *range, gboolean integer)
{
  double span = range->ui_maximum - range->ui_minimum;

  range->digits = integer || span > 5000.0 ? 0 : span > 500.0 ? 1 : span > 50.0 ? 2 : 3;
  range->step = integer ? 1.0 : pow (10.0, -range->digits) * (span > 5.0 ? 10.0 : 1.0);
  range->page = isfinite (span) ? CLAMP (span / 10.0, range->step, 1e6) : 100.0 * range->step;
  range->gamma = 1.0;
}

static void
set_limits (CapraNumberRange *range, GParamSpec *property)
{
  if (G_IS_PARAM_SPEC_DOUBLE (property))
    {
      range->minimum = G_PARAM_SPEC_DOUBLE (property)->minimum;
      range->maximum = G_PARAM_SPEC_DOUBLE (property)->maximum;
    }
  else if (G_IS_PARAM_SPEC_INT (property))
    {
      range->minimum = G_PARAM_SPEC_INT (property)->minimum;
      range->maximum = G_PARAM_SPEC_INT (property)->maximum;
    }
  else
    {
      range->minimum = G_PARAM_SPEC_UINT (property)->minimum;
      range->maximum = G_PARAM_SPEC_UINT (property)->maximum;
    }
  range->ui_minimum = range->minimum;
  range->ui_maximum = range->maximum;
  if (GEGL_IS_PARAM_SPEC_DOUBLE (property))
    {
      range->ui_minimum = GEGL_PARAM_SPEC_DOUBLE (property)->ui_minimum;
      range->ui_maximum = GEGL_PARAM_SPEC_DOUBLE (property)->ui_maximum;
    }
  else if (GEGL_IS_PARAM_SPEC_INT (property))
    {
      range->ui_minimum = GEGL_PARAM_SPEC_INT (property)->ui_minimum;
      range->ui_maximum = GEGL_PARAM_SPEC_INT (property)->ui_maximum;
    }
  range->ui_minimum = CLAMP (range->ui_minimum, range->minimum, range->maximum);
  range->ui_maximum = CLAMP (range->ui_maximum, range->minimum, range->maximum);
}

void
capra_number_range_init (CapraNumberRange *range, GParamSpec *property)
{
  set_limits (range, property);
  set_default_steps (range, !G_IS_PARAM_SPEC_DOUBLE (property));
  range->unlimited = g_strcmp0 (gegl_param_spec_get_property_key (property, "unlimited"), "0") == 0;
  if (GEGL_IS_PARAM_SPEC_DOUBLE (property))
    {
      GeglParamSpecDouble *own = GEGL_PARAM_SPEC_DOUBLE (property);

      range->gamma = own->ui_gamma > 0.0 ? own->ui_gamma : 1.0;
      range->step = own->ui_step_small > 0.0 ? own->ui_step_small : range->step;
      range->page = own->ui_step_big > 0.0 ? own->ui_step_big : range->page;
      range->digits = own->ui_digits >= 0 ? (int) MIN ((int) own->ui_digits, 6) : range->digits;
    }
  else if (GEGL_IS_PARAM_SPEC_INT (property) && GEGL_PARAM_SPEC_INT (property)->ui_gamma > 0.0)
    range->gamma = GEGL_PARAM_SPEC_INT (property)->ui_gamma;
}

gboolean
capra_number_range_has_slider (const CapraNumberRange *range)
{
  return range->ui_maximum - range->ui_minimum < WIDEST_SLIDER;
}

double
capra_number_range_to_position (const CapraNumberRange *range, double number)
{
  double span = range->ui_maximum - range->ui_minimum;
  double part = span > 0.0 ? (number - range->ui_minimum) / span : 0.0;

  return pow (CLAMP (part, 0.0, 1.0), 1.0 / range->gamma);
}

double
capra_number_range_from_position (const CapraNumberRange *range, double position)
{
  double number = range->ui_minimum + pow (position, range->gamma) * (range->ui_maximum - range->ui_minimum);
  double unit = pow (10.0, -range->digits);

  return CLAMP (round (number / unit) * unit, range->minimum, range->maximum);
}

double
capra_number_get (const GValue *value)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_value_get_double (value);
  return G_VALUE_HOLDS_INT (value) ? (double) g_value_get_int (value) : (double) g_value_get_uint (value);
}

void
capra_number_set (GValue *value, double number)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, number);
  else if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, (int) lround (number));
  else
    g_value_set_uint (value, (guint) lround (number));
}
