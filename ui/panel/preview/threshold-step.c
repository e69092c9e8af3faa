/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threshold-step: the number with which a threshold step compares values, set by the user or found by a method. */
#include "ui/panel/preview/threshold-step.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MANUAL "manual" /* the method of a threshold that the user sets */

/* GEGL's and Capra's operations of this name have the same properties. */
static GParamSpec *
find_value (CapraStep *step)
{
  const char *operation = capra_step_get_operation (step);
  GParamSpec *property = g_str_has_suffix (operation, ":threshold") ? capra_operation_find_property (operation, "value")
                                                                    : NULL;

  return property && G_IS_PARAM_SPEC_DOUBLE (property) ? property : NULL;
}

/* GEGL's has none. */
static GParamSpecEnum *
find_method (CapraStep *step)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), "method");

  return property && G_IS_PARAM_SPEC_ENUM (property) ? G_PARAM_SPEC_ENUM (property) : NULL;
}

gboolean
capra_threshold_step_is (CapraStep *step)
{
  return find_value (step) != NULL;
}

/* GEGL's threshold compares perceptual values. Capra's has a property for it. */
gboolean
capra_threshold_step_is_perceptual (CapraStep *step)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), "perceptual");
  g_auto (GValue) value = G_VALUE_INIT;

  if (!property || !G_IS_PARAM_SPEC_BOOLEAN (property))
    return TRUE;
  capra_step_get (step, property, &value);
  return g_value_get_boolean (&value);
}

/* (nullable): the method that finds the threshold. */
static GEnumValue *
get_method (CapraStep *step)
{
  GParamSpecEnum *property = find_method (step);
  g_auto (GValue) value = G_VALUE_INIT;
  GEnumValue *method = NULL;

  if (!property)
    return NULL;
  capra_step_get (step, G_PARAM_SPEC (property), &value);
  method = g_enum_get_value (property->enum_class, g_value_get_enum (&value));
  return method && !g_str_equal (method->value_nick, MANUAL) ? method : NULL;
}

double
capra_threshold_step_get (CapraStep *step, const char **method)
{
  GEnumValue *found = get_method (step);
  g_auto (GValue) value = G_VALUE_INIT;
  double number = NAN;

  *method = found ? _ (found->value_name) : NULL;
  if (capra_step_get_aux (step))
    return NAN;
  if (found)
    return capra_step_get_result (step, "threshold", &number) ? number : NAN;
  capra_step_get (step, find_value (step), &value);
  return g_value_get_double (&value);
}

void
capra_threshold_step_set (CapraStep *step, double number)
{
  GParamSpecEnum *method = find_method (step);
  GEnumValue *manual = method ? g_enum_get_value_by_nick (method->enum_class, MANUAL) : NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  if (manual)
    {
      g_auto (GValue) by_hand = G_VALUE_INIT;

      g_value_init (&by_hand, G_PARAM_SPEC_VALUE_TYPE (method));
      g_value_set_enum (&by_hand, manual->value);
      capra_step_set (step, G_PARAM_SPEC (method), &by_hand);
    }
  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  capra_step_set (step, find_value (step), &value);
}
