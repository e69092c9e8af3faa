/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size-pair: the properties of an operation that are sizes along x and y. */
#include "ui/pipeline/steps/size-pair.h"

#include <gegl.h>

#include "ui/pipeline/steps/step.h"

/* Whether @property is a size along an axis: one that cannot be negative, unlike an offset. */
static gboolean
is_size (GParamSpec *property, const char *axis)
{
  gboolean positive = (G_IS_PARAM_SPEC_DOUBLE (property) && G_PARAM_SPEC_DOUBLE (property)->minimum >= 0.0)
                      || (G_IS_PARAM_SPEC_INT (property) && G_PARAM_SPEC_INT (property)->minimum >= 0);
  const char *unit = gegl_param_spec_get_property_key (property, "unit");

  return positive && g_strcmp0 (gegl_param_spec_get_property_key (property, "axis"), axis) == 0
         && !(unit && g_str_has_suffix (unit, "-coordinate"));
}

GParamSpec *
capra_operation_find_other_size (const char *operation, GParamSpec *property)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  for (guint i = 0; i + 1 < count; i++)
    if ((list[i] == property || list[i + 1] == property) && is_size (list[i], "x") && is_size (list[i + 1], "y")
        && G_PARAM_SPEC_VALUE_TYPE (list[i]) == G_PARAM_SPEC_VALUE_TYPE (list[i + 1]))
      return list[i] == property ? list[i + 1] : list[i];
  return NULL;
}
