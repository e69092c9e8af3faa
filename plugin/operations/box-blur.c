/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:box-blur: the mean of the square around each pixel, on an OpenCL device. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

property_int (radius, _ ("Radius"), 4)
  description (_ ("Radius of square pixel region (width and height will be radius*2+1)"))
  value_range (0, 1000) ui_range (0, 100) ui_gamma (1.5) ui_meta ("unit", "pixel-distance")

property_abyss_policy ()

/* clang-format on */
#else

#define GEGL_OP_NAME box_blur
#define GEGL_OP_C_FILE "box-blur.c"
#define CAPRA_OP_AREA_FILTER
#include "plugin/capra-op.h"

#include "algorithms/box/box-blur.h"

static CapraReach
get_reach (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return (CapraReach){ o->radius, o->radius, o->abyss_policy };
}

static CapraArray *
filter (CapraJob *job, CapraArray *input, const CapraConversions *conversions, const CapraWindow *window,
        GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);

  return capra_box_blur_converted (input, conversions, (const int[]){ o->radius, o->radius, 0 }, o->abyss_policy,
                                   window, error);
}

static void
class_init (GeglOpClass *klass)
{
  CAPRA_AREA_FILTER_CLASS (klass)->get_reach = get_reach;
  CAPRA_AREA_FILTER_CLASS (klass)->converting_filter = filter;
  gegl_operation_class_set_keys (
    GEGL_OPERATION_CLASS (klass), "name", "capra:box-blur", "title", _ ("Box Blur (Capra)"), "gimp:menu-label",
    _ ("_Box Blur..."), "categories", "blur", "description",
    _ ("Average of a square of neighboring pixels, on an OpenCL device, at a cost that does not depend on the radius"),
    NULL);
}

#endif
