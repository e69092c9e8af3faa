/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:box-blur: the mean of a square neighbourhood, on an OpenCL device. */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* In the order of CapraBorder. */
enum_start (capra_box_blur_abyss) enum_value (CAPRA_BOX_BLUR_ABYSS_NONE, "none", N_ ("None"))
  enum_value (CAPRA_BOX_BLUR_ABYSS_CLAMP, "clamp", N_ ("Clamp"))
    enum_value (CAPRA_BOX_BLUR_ABYSS_MIRROR, "mirror", N_ ("Mirror"))
      enum_value (CAPRA_BOX_BLUR_ABYSS_WRAP, "wrap", N_ ("Wrap")) enum_end (CapraBoxBlurAbyss)

        property_int (radius, _ ("Radius"), 4)
          description (_ ("Radius of square pixel region (width and height will be radius*2+1)")) value_range (0, 1000)
            ui_range (0, 100) ui_gamma (1.5) ui_meta ("unit", "pixel-distance")

              property_enum (abyss_policy, _ ("Abyss policy"), CapraBoxBlurAbyss, capra_box_blur_abyss,
                             CAPRA_BOX_BLUR_ABYSS_CLAMP) description (_ ("How image edges are handled"))

#else

#define GEGL_OP_NAME box_blur
#define GEGL_OP_C_FILE "box-blur.c"

#include "algorithms/box/box-blur.h"
#include "plugin/capra-op.h"

static CapraReach
get_reach (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);

  return (CapraReach){ o->radius, o->radius, (CapraBorder) o->abyss_policy };
}

static gboolean
compute (CapraJob *job, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  const int radius[3] = { o->radius, o->radius, 0 };
  CapraReach reach = get_reach (job->operation);
  g_auto (CapraPixels) input = { NULL };
  CapraArray *result = NULL;
  CapraWindow window;

  if (!capra_reach_take (job, &reach, &input, &window, error))
    return FALSE;
  result = capra_box_blur (input.array, radius, reach.border, &window, error);
  if (!result)
    return FALSE;
  capra_job_set_result (job, result, &window.result);
  return TRUE;
}

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  operation_class->prepare = capra_operation_prepare_average;
  capra_class->get_reach = get_reach;
  capra_class->compute = compute;

  gegl_operation_class_set_keys (
    operation_class, "name", "capra:box-blur", "title", _ ("Box Blur (Capra)"), "categories", "blur", "description",
    _ ("Average of a square of neighbouring pixels, on an OpenCL device, at a cost "
       "that does not depend on the radius"),
    "gimp:menu-path", "<Image>/Filters/Capra", "gimp:menu-label", _ ("_Box Blur..."), NULL);
  capra_common_install (operation_class);
}

#endif
