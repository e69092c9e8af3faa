/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:gaussian-blur: gegl:gaussian-blur with exact results, on an OpenCL device. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

enum_start (capra_gaussian_blur_filter)
  enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_AUTO, "auto", N_ ("Auto"))
  enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_FIR, "fir", N_ ("Sampled"))
  enum_value (CAPRA_GAUSSIAN_BLUR_FILTER_IIR, "iir", N_ ("Full Gaussian")) /* gegl:gaussian-blur's name */
enum_end (CapraGaussianBlurFilter)

property_double (std_dev_x, _ ("Size X"), 1.5)
  description (_ ("Standard deviation for the horizontal axis"))
  value_range (0.0, 1500.0) ui_range (0.24, 100.0) ui_gamma (3.0)
  ui_meta ("unit", "pixel-distance") ui_meta ("axis", "x")

property_double (std_dev_y, _ ("Size Y"), 1.5)
  description (_ ("Standard deviation for the vertical axis"))
  value_range (0.0, 1500.0) ui_range (0.24, 100.0) ui_gamma (3.0)
  ui_meta ("unit", "pixel-distance") ui_meta ("axis", "y")

property_enum (filter, _ ("Filter"), CapraGaussianBlurFilter, capra_gaussian_blur_filter,
               CAPRA_GAUSSIAN_BLUR_FILTER_AUTO)
  description (_ ("Sampled: cut off at Truncate; Full Gaussian: not cut off, accurate to 1e-5 of the range of the "
                  "values, at a cost that hardly depends on the size; Auto: Sampled for sizes below 4, else Full "
                  "Gaussian"))

property_abyss_policy ()

property_boolean (clip_extent, _ ("Clip to the input extent"), TRUE)
  description (_ ("Crop the output to the input's extent; otherwise it grows by the reach of the blur"))

property_double (truncate, _ ("Truncate"), CAPRA_GAUSSIAN_TRUNCATE)
  description (_ ("Where a sampled Gaussian is cut off, in standard deviations"))
  value_range (0.1, 10.0) ui_range (1.0, 6.0) ui_meta ("sensitive", "! filter {iir}")

/* clang-format on */
#else

#define GEGL_OP_NAME gaussian_blur
#define GEGL_OP_C_FILE "gaussian-blur.c"
#define CAPRA_OP_AREA_FILTER
#include "algorithms/gaussian/gaussian-blur.h"
#include "plugin/capra-op.h"

G_STATIC_ASSERT ((int) CAPRA_GAUSSIAN_BLUR_FILTER_AUTO == (int) CAPRA_GAUSSIAN_AUTO);
G_STATIC_ASSERT ((int) CAPRA_GAUSSIAN_BLUR_FILTER_FIR == (int) CAPRA_GAUSSIAN_SAMPLED);
G_STATIC_ASSERT ((int) CAPRA_GAUSSIAN_BLUR_FILTER_IIR == (int) CAPRA_GAUSSIAN_WHOLE);

/* A result of at least this many pixels, and of this many times those of the image, gets a warning: it takes seconds
 * and is seldom what was meant. */
#define LARGE_PIXELS 5e7
#define LARGE_GROWTH 10.0

static CapraReach
make_reach (GeglOperation *operation, int (*get_radius) (double, CapraGaussianFilter, double))
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  CapraGaussianFilter filter = (CapraGaussianFilter) o->filter;

  return (CapraReach){ get_radius (o->std_dev_x, filter, o->truncate), get_radius (o->std_dev_y, filter, o->truncate),
                       o->abyss_policy };
}

static CapraReach
get_reach (GeglOperation *operation)
{
  return make_reach (operation, capra_gaussian_source_radius);
}

/* Beyond this radius a change is below the precision of an f32. */
static CapraReach
get_visible_reach (GeglOperation *operation)
{
  return make_reach (operation, capra_gaussian_radius);
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  if (GEGL_PROPERTIES (operation)->clip_extent)
    return GEGL_OPERATION_CLASS (gegl_op_parent_class)->get_bounding_box (operation);
  return capra_area_filter_get_enlarged_extent (operation);
}

static void
warn_of_size (CapraJob *job)
{
  GeglRectangle image = capra_job_get_extent (job, "input");
  GeglRectangle result = gegl_operation_get_bounding_box (job->operation);
  double pixels = (double) result.width * result.height;
  g_autofree char *text = NULL;

  if (pixels < LARGE_PIXELS || pixels < LARGE_GROWTH * image.width * (double) image.height)
    return;
  text = g_strdup_printf (_ ("the result has %d x %d pixels, because clip-extent is off"), result.width, result.height);
  capra_error_report_warn (capra_properties_get (job->operation)->report, "size", text);
}

static CapraArray *
filter (CapraJob *job, CapraArray *input, const CapraConversions *conversions, const CapraWindow *window,
        GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);

  warn_of_size (job);
  return capra_gaussian_blur_converted (input, conversions, (const double[]){ o->std_dev_x, o->std_dev_y, 0.0 },
                                        (CapraGaussianFilter) o->filter, o->truncate, o->abyss_policy, window, error);
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraAreaFilterClass *filter_class = CAPRA_AREA_FILTER_CLASS (klass);

  operation_class->get_bounding_box = get_bounding_box;
  filter_class->get_reach = get_reach;
  filter_class->get_visible_reach = get_visible_reach;
  filter_class->converting_filter = filter;
  gegl_operation_class_set_keys (
    operation_class, "name", "capra:gaussian-blur", "title", _ ("Gaussian Blur (Capra)"), "gimp:menu-label",
    _ ("_Gaussian Blur..."), "categories", "blur", "description",
    _ ("Average of neighboring pixels with the normal distribution as weights, on an OpenCL device"), NULL);
}

#endif
