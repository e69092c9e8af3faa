/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:gaussian-blur: gegl:gaussian-blur, exact, on an OpenCL device. */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* In the order of CapraBorder. */
enum_start (capra_gaussian_blur_abyss) enum_value (CAPRA_GAUSSIAN_BLUR_ABYSS_NONE, "none", N_ ("None"))
  enum_value (CAPRA_GAUSSIAN_BLUR_ABYSS_CLAMP, "clamp", N_ ("Clamp"))
    enum_value (CAPRA_GAUSSIAN_BLUR_ABYSS_MIRROR, "mirror", N_ ("Mirror"))
      enum_value (CAPRA_GAUSSIAN_BLUR_ABYSS_WRAP, "wrap", N_ ("Wrap")) enum_end (CapraGaussianBlurAbyss)

  /* In the order of CapraGaussianFilter; names and numbers are those of gegl:gaussian-blur. */
  enum_start (capra_gaussian_blur_filter) enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_AUTO, "auto", N_ ("Auto"))
    enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_FIR, "fir", N_ ("Sampled"))
      enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_IIR, "iir", N_ ("Whole")) enum_end (CapraGaussianBlurFilter)

        property_double (std_dev_x, _ ("Size X"),
                         1.5) description (_ ("Standard deviation for the horizontal axis")) value_range (0.0, 1500.0)
          ui_range (0.24, 100.0) ui_gamma (3.0) ui_meta ("unit", "pixel-distance") ui_meta ("axis", "x")

            property_double (std_dev_y, _ ("Size Y"),
                             1.5) description (_ ("Standard deviation for the vertical axis")) value_range (0.0, 1500.0)
              ui_range (0.24, 100.0) ui_gamma (3.0) ui_meta ("unit", "pixel-distance") ui_meta ("axis", "y")

                property_enum (filter, _ ("Filter"), CapraGaussianBlurFilter, capra_gaussian_blur_filter,
                               CAPRA_GAUSSIAN_BLUR_FILTER_AUTO)
                  description (
                    _ ("Sampled: ends at Truncate; Whole: the Gaussian itself, to 1e-5 of the range of the values, "
                       "about as fast at every size; Auto: Sampled for sizes below 4, Whole from there on"))

                    property_enum (abyss_policy, _ ("Abyss policy"), CapraGaussianBlurAbyss, capra_gaussian_blur_abyss,
                                   CAPRA_GAUSSIAN_BLUR_ABYSS_CLAMP) description (_ ("How image edges are handled"))

                      property_boolean (clip_extent, _ ("Clip to the input extent"), TRUE)
                        description (_ ("Whether the output is as large as the input, or as far as the blur reaches"))

                          property_double (truncate, _ ("Truncate"), CAPRA_GAUSSIAN_TRUNCATE)
                            description (_ ("Where a sampled Gaussian ends, in standard deviations"))
                              value_range (0.1, 10.0) ui_range (1.0, 6.0) ui_meta ("sensitive", "! filter {iir}")

#else

#define GEGL_OP_NAME gaussian_blur
#define GEGL_OP_C_FILE "gaussian-blur.c"

#include "algorithms/gaussian/gaussian-blur.h"
#include "plugin/capra-op.h"

/* A result of more pixels, and of so many times those of the image, is worth a word. */
#define LARGE 5e7
#define GROWN 10.0

static CapraReach
get_reach (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  CapraGaussianFilter filter = (CapraGaussianFilter) o->filter;

  return (CapraReach){ capra_gaussian_source_radius (o->std_dev_x, filter, o->truncate),
                       capra_gaussian_source_radius (o->std_dev_y, filter, o->truncate),
                       (CapraBorder) o->abyss_policy };
}

/* As far as a change is seen: further away it is less than an f32's precision. */
static CapraReach
get_seen (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  CapraGaussianFilter filter = (CapraGaussianFilter) o->filter;

  return (CapraReach){ capra_gaussian_radius (o->std_dev_x, filter, o->truncate),
                       capra_gaussian_radius (o->std_dev_y, filter, o->truncate), (CapraBorder) o->abyss_policy };
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  CapraReach reach = get_seen (operation);

  return capra_reach_get_invalidated (operation, &reach, roi);
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  CapraReach reach = get_seen (operation);

  return capra_reach_get_bounding_box (operation, &reach, GEGL_PROPERTIES (operation)->clip_extent);
}

/* A result that is much larger than the image takes long, and not everybody expects it. */
static void
remark_size (CapraJob *job)
{
  GeglRectangle image = capra_job_get_extent (job, "input");
  GeglRectangle result = gegl_operation_get_bounding_box (job->operation);
  double pixels = (double) result.width * result.height;
  g_autofree char *text = NULL;

  if (pixels < LARGE || pixels < GROWN * image.width * (double) image.height)
    return;
  text = g_strdup_printf (_ ("the result has %d x %d pixels, because clip-extent is off"), result.width, result.height);
  capra_error_report_warn (capra_common_get (job->operation)->report, "size", text);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  const double sigma[3] = { o->std_dev_x, o->std_dev_y, 0.0 };
  CapraReach reach = get_reach (job->operation);
  g_auto (CapraPixels) input = { NULL };
  CapraArray *result = NULL;
  CapraWindow window;

  remark_size (job);
  if (!capra_reach_take (job, &reach, &input, &window, error))
    return FALSE;
  result = capra_gaussian_blur (input.array, sigma, (CapraGaussianFilter) o->filter, o->truncate, reach.border, &window,
                                error);
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
  operation_class->get_bounding_box = get_bounding_box;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  capra_class->get_reach = get_reach;
  capra_class->compute = compute;

  gegl_operation_class_set_keys (operation_class, "name", "capra:gaussian-blur", "title", _ ("Gaussian Blur (Capra)"),
                                 "categories", "blur", "description",
                                 _ ("Average of neighbouring pixels with the normal distribution as weights, on an "
                                    "OpenCL device"),
                                 "gimp:menu-path", "<Image>/Filters/Capra", "gimp:menu-label", _ ("_Gaussian Blur..."),
                                 NULL);
  capra_common_install (operation_class);
}

#endif
