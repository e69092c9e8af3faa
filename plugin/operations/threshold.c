/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:threshold: 1 where the luminance of a pixel is above a threshold and not above `high`, 0 elsewhere. The
 * threshold is given for the whole image or for each pixel, or computed from the image. A luminance equal to a given
 * threshold becomes 1, one equal to a computed threshold 0. */
#ifdef GEGL_PROPERTIES
/* clang-format off */

enum_start (capra_threshold_choice)
  enum_value (CAPRA_THRESHOLD_CHOICE_MANUAL, "manual", N_ ("Manual"))
  enum_value (CAPRA_THRESHOLD_CHOICE_OTSU, "otsu", N_ ("Otsu"))
  enum_value (CAPRA_THRESHOLD_CHOICE_MEAN, "mean", N_ ("Mean"))
  enum_value (CAPRA_THRESHOLD_CHOICE_TRIANGLE, "triangle", N_ ("Triangle"))
  enum_value (CAPRA_THRESHOLD_CHOICE_LI, "li", N_ ("Li"))
  enum_value (CAPRA_THRESHOLD_CHOICE_YEN, "yen", N_ ("Yen"))
  enum_value (CAPRA_THRESHOLD_CHOICE_ISODATA, "isodata", N_ ("Isodata"))
  enum_value (CAPRA_THRESHOLD_CHOICE_KAPPA_SIGMA, "kappa-sigma", N_ ("Kappa-sigma"))
enum_end (CapraThresholdChoice)

enum_start (capra_threshold_bins)
  enum_value (CAPRA_THRESHOLD_BINS_AUTO, "auto", N_ ("Automatic"))
  enum_value (CAPRA_THRESHOLD_BINS_EVEN, "even", N_ ("256 over the range"))
  enum_value (CAPRA_THRESHOLD_BINS_WHOLE, "whole", N_ ("One per integer"))
enum_end (CapraThresholdBins)

enum_start (capra_threshold_base)
  enum_value (CAPRA_THRESHOLD_BASE_MEDIAN, "median", N_ ("Background median"))
  enum_value (CAPRA_THRESHOLD_BASE_ZERO, "zero", N_ ("Zero"))
enum_end (CapraThresholdBase)

property_enum (method, _ ("Method"), CapraThresholdChoice, capra_threshold_choice, CAPRA_THRESHOLD_CHOICE_MANUAL)
  description (_ ("Manual: the values below; otherwise the method that computes the threshold from the whole image"))

property_double (value, _ ("Threshold"), 0.5)
  description (_ ("Lowest value that becomes white (overridden if an auxiliary input is connected)"))
  value_range (-NO_LIMIT, NO_LIMIT) ui_range (0.0, 1.0) ui_meta ("visible", "method {manual}")

property_double (high, _ ("Upper limit"), NO_LIMIT)
  description (_ ("Highest value that becomes white; the maximum means no upper limit"))
  value_range (-NO_LIMIT, NO_LIMIT) ui_range (0.0, 1.0) ui_meta ("visible", "method {manual}")

property_boolean (perceptual, _ ("Perceptual values"), FALSE)
  description (_ ("Compare perceptual luminance, as gegl:threshold does, instead of linear luminance"))

property_enum (bins, _ ("Bins"), CapraThresholdBins, capra_threshold_bins, CAPRA_THRESHOLD_BINS_AUTO)
  description (_ ("Histogram that the method uses: 256 bins over the range of the values, or one bin per integer if "
                  "all values are integers; automatic: the latter if the integers of a file are read unchanged"))
  ui_meta ("visible", "! method {manual, kappa-sigma}") ui_meta ("whole-numbers", "whole")

property_double (kappa, _ ("Kappa"), 3.0)
  description (_ ("Values this many standard deviations from the median do not belong to the background"))
  value_range (0.1, 1000.0) ui_range (1.0, 10.0) ui_meta ("visible", "method {kappa-sigma}")

property_double (factor, _ ("Factor"), 5.0)
  description (_ ("The threshold is this many standard deviations of the background above the base"))
  value_range (-1000.0, 1000.0) ui_range (0.0, 20.0) ui_meta ("visible", "method {kappa-sigma}")

property_enum (base, _ ("Base"), CapraThresholdBase, capra_threshold_base, CAPRA_THRESHOLD_BASE_MEDIAN)
  description (_ ("To what the standard deviations are added"))
  ui_meta ("visible", "method {kappa-sigma}")

/* clang-format on */
#else

/* Stands for no upper limit; a number that dialogs can show. */
#define NO_LIMIT 1e9

#define GEGL_OP_NAME threshold
#define GEGL_OP_C_FILE "threshold.c"
#include "plugin/capra-op.h"

#include <math.h>

#include "algorithms/common/convert.h"
#include "algorithms/threshold/threshold.h"
#include "plugin/buffers/format.h"
#include "plugin/buffers/output-format.h"
#include "plugin/compute/whole-bands.h"

G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_MANUAL == (int) CAPRA_THRESHOLD_MANUAL);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_OTSU == (int) CAPRA_THRESHOLD_OTSU);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_MEAN == (int) CAPRA_THRESHOLD_MEAN);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_TRIANGLE == (int) CAPRA_THRESHOLD_TRIANGLE);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_LI == (int) CAPRA_THRESHOLD_LI);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_YEN == (int) CAPRA_THRESHOLD_YEN);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_CHOICE_ISODATA == (int) CAPRA_THRESHOLD_ISODATA);

G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_BASE_MEDIAN == (int) CAPRA_CLIP_BASE_MEDIAN);
G_STATIC_ASSERT ((int) CAPRA_THRESHOLD_BASE_ZERO == (int) CAPRA_CLIP_BASE_ZERO);

/* Results, after the threshold. */
enum {
  RESULT_THRESHOLD,
  RESULT_MEDIAN,
  RESULT_MEAN,
  RESULT_SIGMA,
  RESULT_ITERATIONS,
  RESULT_PIXELS,
  N_RESULTS,
};

static gboolean
has_aux (GeglOperation *operation)
{
  return capra_operation_get_aux (operation) != NULL;
}

/* Whether one value is compared with all pixels, so that one pass makes the mask from the input in its own format. */
static gboolean
is_one_pass (GeglOperation *operation)
{
  return GEGL_PROPERTIES (operation)->method == CAPRA_THRESHOLD_CHOICE_MANUAL && !has_aux (operation);
}

static void
prepare (GeglOperation *operation)
{
  const GeglProperties *o = GEGL_PROPERTIES (operation);
  const Babl *source = gegl_operation_get_source_format (operation, "input");
  const Babl *space = source ? babl_format_get_space (source) : NULL;
  gboolean alpha = capra_format_has_alpha (source);
  const char *input = o->perceptual ? (alpha ? "Y'A float" : "Y' float") : (alpha ? "YA float" : "Y float");

  gegl_operation_set_format (operation, "input", babl_format_with_space (input, space));
  gegl_operation_set_format (operation, "aux", babl_format_with_space (o->perceptual ? "Y' float" : "Y float", space));
  gegl_operation_set_format (operation, "output",
                             capra_output_format_get_for_mask (operation, source, is_one_pass (operation)));
}

/* Whether there are thresholds on the aux pad decides with what every pixel is compared. */
static guint
get_state (GeglOperation *operation)
{
  return has_aux (operation);
}

static CapraType
mask_type (GeglOperation *operation)
{
  CapraShape shape = { .type = CAPRA_F32 };

  capra_format_get_shape (gegl_operation_get_format (operation, "output"), 1, 1, &shape);
  return shape.type;
}

static gboolean
is_clipping (GeglOperation *operation)
{
  return GEGL_PROPERTIES (operation)->method == CAPRA_THRESHOLD_CHOICE_KAPPA_SIGMA;
}

static gboolean
needs_whole (GeglOperation *operation)
{
  return GEGL_PROPERTIES (operation)->method != CAPRA_THRESHOLD_CHOICE_MANUAL && !has_aux (operation);
}

/* The luminance of @input without its alpha. */
static CapraArray *
without_alpha (CapraArray *input, GError **error)
{
  const double unused[3] = { 1.0, 0.0, 0.0 };
  CapraEncoding alpha = { CAPRA_COLOR_YA, FALSE }, gray = { CAPRA_COLOR_Y, FALSE };

  if (capra_array_get_shape (input)->channels == 1)
    return capra_array_ref (input);
  return capra_convert (input, alpha, gray, unused, error);
}

/* The mask of @input with the threshold that @method computes from its luminance, without regard to alpha.
 * @whole: with one bin per integer */
static CapraArray *
auto_mask (CapraArray *input, CapraThresholdMethod method, gboolean whole, CapraType type, double *value,
           GError **error)
{
  g_autoptr (CapraArray) luminance = NULL;
  gboolean found;

  if (capra_array_get_shape (input)->channels == 1 && !whole)
    return capra_threshold_auto_mask (input, method, type, value, error);
  luminance = without_alpha (input, error);
  found = luminance
          && (whole ? capra_threshold_find_whole (luminance, method, value, error)
                    : capra_threshold_find (luminance, method, value, error));
  return found ? capra_threshold_above_mask (input, *value, type, error) : NULL;
}

/* The format of the input's pixels on the device: its own, if the device can convert it to luminance. */
static const Babl *
get_uploaded_format (CapraJob *job)
{
  return capra_format_for_upload (gegl_buffer_get_format (capra_job_get_buffer (job, "input")),
                                  gegl_operation_get_format (job->operation, "input"));
}

static CapraArray *
compare_in_one_pass (CapraJob *job, CapraArray *input, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  const Babl *luminance = gegl_operation_get_format (job->operation, "input");
  const Babl *uploaded = get_uploaded_format (job), *output = gegl_operation_get_format (job->operation, "output");
  /* For pixels that the host has converted. */
  CapraConversion conversion = {
    .from = { capra_array_get_shape (input)->channels == 2 ? CAPRA_COLOR_YA : CAPRA_COLOR_Y, FALSE }
  };
  double high = o->high >= NO_LIMIT ? INFINITY : o->high, value = o->value;
  CapraColor color = CAPRA_COLOR_Y;
  CapraArray *mask = NULL;

  if (uploaded != luminance && !capra_format_get_conversion (uploaded, luminance, &conversion))
    g_return_val_if_reached (NULL);
  capra_format_get_color (output, &color);
  mask = capra_threshold_colors (input, conversion.from, conversion.to.perceptual, conversion.luminance, value, high,
                                 color, mask_type (job->operation), error);
  if (mask)
    capra_properties_set_results (job->operation, &value, 1);
  return mask;
}

static CapraClipOptions
clip_options (CapraJob *job)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);

  return (CapraClipOptions){ o->kappa, o->factor, (CapraClipBase) o->base };
}

static void
set_clip_results (CapraJob *job, const CapraClip *clip)
{
  capra_properties_set_results (
    job->operation,
    (double[]){ clip->threshold, clip->median, clip->mean, clip->sigma, clip->iterations, (double) clip->pixels },
    N_RESULTS);
}

/* The mask of @input above its background, without regard to alpha. */
static CapraArray *
compare_with_background (CapraJob *job, CapraArray *input, GError **error)
{
  const CapraClipOptions options = clip_options (job);
  CapraType type = mask_type (job->operation);
  CapraClip clip = { 0 };
  CapraArray *mask = NULL;

  if (capra_array_get_shape (input)->channels == 1)
    mask = capra_threshold_clip (input, &options, type, &clip, error);
  else
    {
      g_autoptr (CapraArray) luminance = without_alpha (input, error);

      if (luminance && capra_clip (luminance, &options, &clip, error))
        mask = capra_threshold_above_mask (input, clip.threshold, type, error);
    }
  if (mask)
    set_clip_results (job, &clip);
  return mask;
}

static CapraArray *
compare_with_found (CapraJob *job, CapraArray *input, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  double value = 0.0;
  CapraArray *mask = auto_mask (input, (CapraThresholdMethod) o->method, o->bins == CAPRA_THRESHOLD_BINS_WHOLE,
                                mask_type (job->operation), &value, error);

  if (mask)
    capra_properties_set_results (job->operation, &value, 1);
  return mask;
}

/* A CapraWholeRead: what the threshold is computed from. */
static gboolean
get_luminance (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  g_auto (CapraPixels) input = { NULL };

  if (!capra_job_get_pixels (job, "input", rect, gegl_operation_get_format (job->operation, "input"), CAPRA_FIT_EXACT,
                             &input, error))
    return FALSE;
  *pixels = (CapraPixels){ without_alpha (input.array, error), input.rect };
  return pixels->array != NULL;
}

/* Computes the threshold from the bands of the image. */
static gboolean
find_in_bands (CapraJob *job, double *value, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  const CapraClipOptions options = clip_options (job);
  CapraThresholdMethod method = (CapraThresholdMethod) o->method;
  g_auto (CapraWholeBands) bands;
  CapraBandSource source;
  CapraClip clip = { 0 };
  gboolean found = FALSE;

  capra_whole_bands_init (&bands, job, get_luminance);
  source = capra_whole_bands_get_source (&bands, 1, CAPRA_F32);
  found = is_clipping (job->operation)            ? capra_clip_bands (&source, &options, &clip, error)
          : o->bins == CAPRA_THRESHOLD_BINS_WHOLE ? capra_threshold_find_whole_bands (&source, method, value, error)
                                                  : capra_threshold_find_bands (&source, method, value, error);

  if (!found)
    return FALSE;
  if (is_clipping (job->operation))
    {
      *value = clip.threshold;
      set_clip_results (job, &clip);
    }
  else
    capra_properties_set_results (job->operation, value, 1);
  return TRUE;
}

/* A CapraWholeRead: what is compared. */
static gboolean
get_input (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  return capra_job_get_pixels (job, "input", rect, gegl_operation_get_format (job->operation, "input"), CAPRA_FIT_EXACT,
                               pixels, error);
}

typedef struct {
  double value;
  CapraType type;
} Comparison;

/* A CapraWholeCompute. */
static CapraArray *
compare_band (CapraArray *band, gpointer data, GError **error)
{
  const Comparison *comparison = data;

  return capra_threshold_above_mask (band, comparison->value, comparison->type, error);
}

static gboolean
compute_in_bands (CapraJob *job, GError **error)
{
  g_auto (CapraWholeBands) bands;
  Comparison comparison = { .type = mask_type (job->operation) };

  capra_whole_bands_init (&bands, job, get_input);
  return find_in_bands (job, &comparison.value, error)
         && capra_whole_bands_compute (&bands, compare_band, &comparison, error);
}

/* As in gegl:threshold, the threshold is 0 where the image on the aux pad has no pixel, which may be a mistake. */
static void
warn_of_gaps (CapraJob *job)
{
  GeglRectangle image = capra_job_get_extent (job, "input"), aux = capra_job_get_extent (job, "aux");
  g_autofree char *text = NULL;

  if (gegl_rectangle_contains (&aux, &image))
    return;
  text = g_strdup_printf (_ ("the thresholds on the aux pad (%d x %d at %d, %d) do not cover the image (%d x %d at "
                             "%d, %d); missing thresholds are 0"),
                          aux.width, aux.height, aux.x, aux.y, image.width, image.height, image.x, image.y);
  capra_error_report_warn (capra_properties_get (job->operation)->report, "cover", text);
}

/* Without a buffer on the pad, this part of the image is outside the extent of the thresholds. */
static CapraArray *
compare_with_aux (CapraJob *job, CapraArray *input, GError **error)
{
  const GeglProperties *o = GEGL_PROPERTIES (job->operation);
  double high = o->high >= NO_LIMIT ? INFINITY : o->high;
  CapraType type = mask_type (job->operation);
  g_auto (CapraPixels) low = { NULL };

  warn_of_gaps (job);
  if (!capra_job_get_buffer (job, "aux"))
    return capra_threshold_mask (input, 0.0, high, type, error);
  if (!capra_job_get_pixels (job, "aux", &job->roi, gegl_operation_get_format (job->operation, "aux"), CAPRA_FIT_EXACT,
                             &low, error))
    return NULL;
  return capra_threshold_local_mask (input, low.array, high, type, error);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  gboolean one_pass = is_one_pass (job->operation);
  const Babl *format = one_pass ? get_uploaded_format (job) : gegl_operation_get_format (job->operation, "input");
  g_auto (CapraPixels) input = { NULL };
  CapraArray *mask = NULL;

  if (job->band_rows > 0)
    return compute_in_bands (job, error);
  if (!capra_job_get_pixels (job, "input", &job->roi, format, one_pass ? CAPRA_FIT_LOOSE : CAPRA_FIT_EXACT, &input,
                             error))
    return FALSE;
  if (one_pass)
    mask = compare_in_one_pass (job, input.array, error);
  else if (has_aux (job->operation))
    mask = compare_with_aux (job, input.array, error);
  else
    mask = is_clipping (job->operation) ? compare_with_background (job, input.array, error)
                                        : compare_with_found (job, input.array, error);
  if (!mask)
    return FALSE;
  capra_job_set_result (job, mask, &input.rect);
  return TRUE;
}

static void
install_results (GeglOperationClass *klass)
{
  const struct {
    const char *name, *label, *about;
  } results[] = {
    [RESULT_THRESHOLD] = { "threshold", _ ("Threshold found"),
                           _ ("The threshold that was computed or set, in the units of the image") },
    [RESULT_MEDIAN] = { "background-median", _ ("Background median"),
                        _ ("The median of the background (kappa-sigma)") },
    [RESULT_MEAN] = { "background-mean", _ ("Background mean"), _ ("The mean of the background (kappa-sigma)") },
    [RESULT_SIGMA] = { "background-sigma", _ ("Background standard deviation"),
                       _ ("The standard deviation of the background (kappa-sigma)") },
    [RESULT_ITERATIONS] = { "iterations", _ ("Iterations"),
                            _ ("Number of iterations until the background did not change (kappa-sigma)") },
    [RESULT_PIXELS] = { "pixels", _ ("Background pixels"), _ ("Number of pixels of the background (kappa-sigma)") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    capra_properties_install_result (klass, i,
                                     g_param_spec_double (results[i].name, results[i].label, results[i].about,
                                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0.0, G_PARAM_STATIC_STRINGS));
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  operation_class->prepare = prepare;
  capra_class->get_state = get_state;
  capra_class->needs_whole = needs_whole;
  capra_class->in_bands = capra_operation_always;
  capra_class->compute = compute;

  capra_operation_class_set_aux (operation_class, _ ("Threshold image"),
                                 _ ("A threshold for each pixel, instead of one for all"));
  gegl_operation_class_set_keys (operation_class, "name", "capra:threshold", "title", _ ("Threshold (Capra)"),
                                 "categories", "color:threshold", "description",
                                 _ ("White where the luminance is at or above a given threshold, or above a "
                                    "computed one, black elsewhere, on an OpenCL device"),
                                 "gimp:menu-label", _ ("_Threshold..."), NULL);
  install_results (operation_class);
}

#endif
