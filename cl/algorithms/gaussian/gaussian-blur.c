/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Gaussian blur: computes the weights and chooses the passes: one for both axes with few weights, one for each axis
 * with more, and decimation for a wide Gaussian that is whole. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/common/color-steps.h"
#include "algorithms/common/convert.h"
#include "algorithms/convolve/convolve-pass.h"
#include "algorithms/gaussian/gaussian-blur.h"
#include "algorithms/gaussian/gaussian-block.h"
#include "algorithms/gaussian/gaussian-decimate.h"
#include "algorithms/gaussian/gaussian-fused.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* Outside this radius in sigmas, exp (-x² / 2) is 0 in double precision. */
#define UNDERFLOW 39.0
/* Outside this radius in sigmas, a Gaussian's weight is below the precision of f32. */
#define VISIBLE_RADIUS 5.5
/* With at least this many samples in a sigma, sums are integrals (Euler-Maclaurin, error below 1e-8 of the sum). */
#define SMOOTH 16.0

typedef struct {
  double sigma, scale;
} Gaussian;

/* The longest reach with which both axes are blurred in one pass; the tuning gaussian.fused may lower it. */
#define MAX_FUSED_REACH 16
/* Local memory that the group variant requires. */
#define FUSED_BYTES (45 << 10)
/* Images with fewer values do not keep a GPU busy. */
#define SMALL (1 << 21)

/* The radius of the Gaussian along an axis in sigmas; 0 if it is whole. */
static double
gaussian_end (double sigma, int axis, CapraGaussianFilter filter, double truncate)
{
  gboolean whole = filter == CAPRA_GAUSSIAN_WHOLE
                   || (filter == CAPRA_GAUSSIAN_AUTO && axis < 2 && sigma >= CAPRA_GAUSSIAN_MIN_WHOLE_SIGMA);

  return whole ? 0.0 : MIN (truncate, UNDERFLOW);
}

/* How many samples the weights reach to each side. */
static double
gaussian_reach (double sigma, double end)
{
  if (sigma <= 0.0)
    return 0.0;
  return end > 0.0 ? floor (end * sigma + 0.5) : ceil (CAPRA_GAUSSIAN_FULL * sigma);
}

static int
clamp_radius (double radius)
{
  return radius < G_MAXINT ? (int) radius : G_MAXINT;
}

int
capra_gaussian_radius (double sigma, CapraGaussianFilter filter, double truncate)
{
  double end = gaussian_end (sigma, 0, filter, truncate);

  return clamp_radius (end > 0.0 ? gaussian_reach (sigma, end) : ceil (VISIBLE_RADIUS * MAX (sigma, 0.0)));
}

int
capra_gaussian_source_radius (double sigma, CapraGaussianFilter filter, double truncate)
{
  double end = gaussian_end (sigma, 0, filter, truncate);

  return end > 0.0 ? clamp_radius (gaussian_reach (sigma, end)) : capra_gaussian_max_reach (sigma);
}

/* Σ exp (-x² / 2σ²) at @first, @first + @step, …; many close samples as an integral. */
static double
gaussian_sum (gconstpointer filter, gint64 first, gint64 step, gint64 count)
{
  const Gaussian *gaussian = filter;
  double sigma = gaussian->sigma, h = (double) step / sigma, a = (double) first / sigma;
  double b = a + h * (double) (count - 1), fa = exp (-0.5 * a * a), fb = exp (-0.5 * b * b), sum = 0.0;

  if (count > 64 && h * SMOOTH <= 1.0)
    sum = sqrt (G_PI_2)
            * (a > 0.0 ? erfc (a * G_SQRT2 / 2.0) - erfc (b * G_SQRT2 / 2.0)
                       : erf (b * G_SQRT2 / 2.0) - erf (a * G_SQRT2 / 2.0))
            / h
          + 0.5 * (fa + fb) + h / 12.0 * (a * fa - b * fb);
  else
    for (gint64 i = 0; i < count; i++)
      {
        double x = a + h * (double) i;

        sum += exp (-0.5 * x * x);
      }
  return sum * gaussian->scale;
}

static CapraTaps *
gaussian_taps (const CapraAxis *axis, double sigma, double end)
{
  gint64 reach = (gint64) gaussian_reach (sigma, end);
  Gaussian gaussian = { sigma, 1.0 };

  if (reach == 0)
    return capra_taps_new_identity (axis);
  gaussian.scale = 1.0 / gaussian_sum (&gaussian, -reach, 1, 2 * reach + 1);
  return capra_taps_new (axis, reach, reach, gaussian_sum, &gaussian);
}

/* Larger sigmas make no difference to any image that fits into memory, but leave double's range. */
#define LARGEST_SIGMA 1e15

static gboolean
check_arguments (const double sigma[3], double truncate, GError **error)
{
  for (int i = 0; i < 3; i++)
    if (!isfinite (sigma[i]) || sigma[i] < 0.0 || sigma[i] > LARGEST_SIGMA)
      {
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                     _ ("sigma along %c is %g; it must be a number from 0 to %g"), "xyz"[i], sigma[i], LARGEST_SIGMA);
        return FALSE;
      }
  if (!isfinite (truncate) || truncate <= 0.0)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("truncate is %g; it must be a number above 0, such as %g"), truncate, CAPRA_GAUSSIAN_TRUNCATE);
      return FALSE;
    }
  return TRUE;
}

/* One pass along @axis, even if it changes nothing. */
static CapraArray *
blur_axis (CapraArray *input, const CapraAxis *axis, double sigma, double end, GError **error)
{
  g_autoptr (CapraTaps) taps = gaussian_taps (axis, sigma, end);

  return capra_taps_run (input, axis, taps, 0.0f, error);
}

/* Kernels are built for a few reaches, at most twice as long as necessary, and not for each sigma that a user tries. */
static int
built_reach (int reach)
{
  static const int built[] = { 2, 4, 6, 8, 12, MAX_FUSED_REACH, 20, CAPRA_GAUSSIAN_BLOCK_REACH };
  int all = CAPRA_GAUSSIAN_BLOCK_REACH;

  for (int i = G_N_ELEMENTS (built) - 1; i >= 0 && built[i] >= reach; i--)
    all = built[i];
  return all;
}

/* The weights of an axis, none of them folded, with zeros around them up to a reach that kernels are built
 * for. */
static void
step_init (CapraGaussianStep *step, const CapraAxis *axis, double sigma, int reach)
{
  Gaussian gaussian = { sigma, 1.0 };
  int all = built_reach (reach);

  *step = (CapraGaussianStep){ 1, 2 * all + 1, g_new0 (float, 2 * all + 1), axis->result - all, axis->n_result,
                                                       0, all - reach };
  gaussian.scale = 1.0 / gaussian_sum (&gaussian, -reach, 1, 2 * reach + 1);
  for (int i = -reach; i <= reach; i++)
    step->weights[i + all] = (float) gaussian_sum (&gaussian, i, 1, 1);
}

/* Only capra_gaussian_fused() converts its input. */
typedef CapraArray *(*Fused) (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
                              const CapraGaussianStep steps[2], GError **error);

/* As a convolution with a column and a row of weights. */
static CapraArray *
blur_separable (CapraArray *input, const CapraConversion *none, const CapraAxis axes[2],
                const CapraGaussianStep steps[2], GError **error)
{
  CapraConvolution sums = { input, &axes[0], &axes[1] };
  g_autofree double *weights = g_new (double, (gsize) (steps[0].taps + steps[1].taps));
  CapraStencil row = { steps[0].taps, 1, axes[0].result - steps[0].first, 0, weights, 0.0, steps[0].padding };
  CapraStencil column = { 1,   steps[1].taps,   0, axes[1].result - steps[1].first, weights + steps[0].taps,
                          0.0, steps[1].padding };
  g_autoptr (CapraArray) output = capra_convolution_alloc (&sums, 1, error);

  for (int i = 0; i < row.width; i++)
    weights[i] = steps[0].weights[i];
  for (int j = 0; j < column.height; j++)
    weights[row.width + j] = steps[1].weights[j];
  return output && capra_separable_run (&sums, &column, &row, output, error) ? g_steal_pointer (&output) : NULL;
}

static CapraArray *
blur_block (CapraArray *input, const CapraConversion *none, const CapraAxis axes[2], const CapraGaussianStep steps[2],
            GError **error)
{
  return capra_gaussian_block (input, axes, steps, error);
}

/* The number of values from which separable convolution keeps a GPU busy; the tuning is in units of 1024. */
static gsize
min_values_for_separable (CapraDevice *device)
{
  return (gsize) capra_tuning_get_int (device, "gaussian.separable", SMALL / 1024) * 1024;
}

/* The number of values of the whole image: methods are chosen by it, so that parts use the method of the whole. */
static guint64
count_values (CapraArray *input, const CapraAxis axes[2])
{
  const CapraShape *shape = capra_array_get_shape (input);

  return (guint64) axes[0].image * (guint64) axes[1].image * shape->channels * shape->depth;
}

/* Whether separable convolution is faster than strips, as measured on an H200. */
static gboolean
suits_separable (CapraArray *input, const CapraAxis axes[2], const double reach[2])
{
  CapraDevice *device = input->context->device;
  const CapraShape *shape = capra_array_get_shape (input);

  return MAX (reach[0], reach[1]) <= CAPRA_GAUSSIAN_BLOCK_REACH && capra_gaussian_uses_groups (device)
         && (shape->channels == 1 || (shape->channels == 4 && MAX (reach[0], reach[1]) >= 6))
         && count_values (input, axes) >= min_values_for_separable (device)
         && capra_separable_suits (input, 2 * built_reach ((int) reach[0]) + 1, 2 * built_reach ((int) reach[1]) + 1);
}

static gboolean
suits_strips (CapraArray *input, const CapraAxis axes[2], const double reach[2])
{
  CapraDevice *device = input->context->device;
  int longest = MIN (capra_tuning_get_int (device, "gaussian.fused", MAX_FUSED_REACH), MAX_FUSED_REACH);

  return MAX (reach[0], reach[1]) <= longest
         && (!capra_gaussian_uses_groups (device)
             || count_values (input, axes) >= MIN (min_values_for_separable (device), SMALL));
}

static gboolean
suits_block (CapraArray *input, const CapraAxis axes[2], const double reach[2])
{
  return MAX (reach[0], reach[1]) <= CAPRA_GAUSSIAN_BLOCK_REACH && capra_gaussian_uses_groups (input->context->device);
}

/* The methods that blur both axes in one pass, in order of preference. */
static const struct {
  gboolean (*suits) (CapraArray *input, const CapraAxis axes[2], const double reach[2]);
  Fused run;
} fused_methods[] = {
  { suits_separable, blur_separable },
  { suits_strips, capra_gaussian_fused },
  { suits_block, blur_block },
};

/* The method that blurs both axes in one pass, or NULL. */
static Fused
choose_fused (CapraArray *input, const CapraAxis axes[2], const double reach[2])
{
  CapraContext *context = input->context;

  if (MIN (reach[0], reach[1]) <= 0
      || (capra_gaussian_uses_groups (context->device) && context->info->local_memory < FUSED_BYTES))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (fused_methods); i++)
    if (fused_methods[i].suits (input, axes, reach))
      return fused_methods[i].run;
  return NULL;
}

static CapraArray *
blur_fused (CapraArray *input, const CapraConversion *conversion, Fused fused, const CapraAxis axes[2],
            const double sigma[2], const double reach[2], GError **error)
{
  g_auto (CapraGaussianStep) x = { 0 }, y = { 0 };

  step_init (&x, &axes[0], sigma[0], (int) reach[0]);
  step_init (&y, &axes[1], sigma[1], (int) reach[1]);
  return fused (input, conversion, axes, (const CapraGaussianStep[]){ x, y }, error);
}

static CapraArray *blur_planes_whole (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                      GError **error);

/* Whether the axis has one sample, to which all weights apply. */
static gboolean
is_still (const CapraAxis *axis)
{
  return axis->length == 1 && axis->border != CAPRA_BORDER_NONE && capra_axis_is_whole (axis);
}

/* Along each axis that is not decimated; returns a new array, or @input itself if nothing changes. */
static CapraArray *
blur_along_axes (CapraArray *input, const CapraAxis axes[2], const double sigma[2], const double end[2],
                 const int factors[2], GError **error)
{
  g_autoptr (CapraArray) current = capra_array_ref (input);

  for (int i = 1; i >= 0 && current; i--)
    {
      g_autoptr (CapraTaps) taps = gaussian_taps (&axes[i], sigma[i], end[i]);
      CapraArray *blurred = NULL;

      if (factors[i] > 1 || capra_taps_is_identity (taps, &axes[i]))
        continue;
      blurred = capra_taps_run (current, &axes[i], taps, 0.0f, error);
      capra_array_unref (current);
      current = blurred;
    }
  return g_steal_pointer (&current);
}

/* Blurs the input, converted by @conversions->input, along x and y; returns a new array, or @input itself if nothing
 * changes. Sets @conversions->result to NULL if the result is converted by it. */
static CapraArray *
blur_planes (CapraArray *input, CapraConversions *conversions, const CapraAxis axes[2], const double sigma[2],
             const double end[2], gboolean is_coarse, GError **error)
{
  g_autoptr (CapraArray) current = NULL;
  int factors[2] = { 1, 1 };
  gboolean straight = FALSE;
  double reach[2];
  Fused fused = NULL;

  for (int i = 0; i < 2; i++)
    {
      reach[i] = is_still (&axes[i]) ? 0.0 : gaussian_reach (sigma[i], end[i]);
      if (end[i] == 0.0)
        factors[i] = capra_gaussian_factor (input->context->device, &axes[i], sigma[i], is_coarse);
    }
  fused = choose_fused (input, axes, reach);
  if (factors[0] > 1 || factors[1] > 1)
    {
      straight = factors[0] > 1 && factors[1] > 1 && !capra_gaussian_uses_groups (input->context->device)
                 && capra_color_straightens (input->shape.channels, conversions->result);
      current = capra_gaussian_decimate (input, conversions->input, axes, sigma, factors, blur_planes_whole, straight,
                                         error);
    }
  else if (fused)
    return blur_fused (input, conversions->input, fused, axes, sigma, reach, error);
  else
    current = capra_convert_by (input, conversions->input, error);
  if (straight)
    conversions->result = NULL;
  return current ? blur_along_axes (current, axes, sigma, end, factors, error) : NULL;
}

/* Blurs the small image of a decimation. */
static CapraArray *
blur_planes_whole (CapraArray *input, const CapraAxis axes[2], const double sigma[2], GError **error)
{
  CapraConversions none = { NULL, NULL };

  return blur_planes (input, &none, axes, sigma, (const double[]){ 0.0, 0.0 }, TRUE, error);
}

/* The converted @input, blurred along z; @conversion is set to %NULL unless it is left to the passes along x and y. */
static CapraArray *
blur_depth (CapraArray *input, const CapraConversion **conversion, const CapraAxis *axis, double sigma, double end,
            GError **error)
{
  gboolean blurs = gaussian_reach (sigma, end) > 0;
  g_autoptr (CapraArray) converted = NULL;

  if (!blurs && *conversion && capra_gaussian_converts (input, *conversion))
    return capra_array_ref (input);
  converted = capra_convert_by (input, *conversion, error);
  *conversion = NULL;
  if (!converted || !blurs)
    return g_steal_pointer (&converted);
  return blur_axis (converted, axis, sigma, end, error);
}

CapraArray *
capra_gaussian_blur (CapraArray *input, const double sigma[3], CapraGaussianFilter filter, double truncate,
                     CapraBorder border, const CapraWindow *window, GError **error)
{
  return capra_gaussian_blur_converted (input ? capra_array_ref (input) : NULL, NULL, sigma, filter, truncate, border,
                                        window, error);
}

CapraArray *
capra_gaussian_blur_converted (CapraArray *input, const CapraConversions *conversions, const double sigma[3],
                               CapraGaussianFilter filter, double truncate, CapraBorder border,
                               const CapraWindow *window, GError **error)
{
  CapraConversions rest = conversions ? *conversions : (CapraConversions){ NULL, NULL };
  g_autoptr (CapraArray) source = input;
  g_autoptr (CapraArray) deep = NULL;
  g_autoptr (CapraArray) blurred = NULL;
  gboolean changed = FALSE;
  CapraWindow resolved;
  CapraAxis axes[3];
  double end[3];
  int reach[2];

  g_return_val_if_fail (input && sigma, NULL);

  if (!check_arguments (sigma, truncate, error))
    return NULL;
  for (int i = 0; i < 3; i++)
    end[i] = gaussian_end (sigma[i], i, filter, truncate);
  /* Checks the sizes before anything is computed from them. */
  if (!capra_window_resolve (input, window, 0, 0, 0, 0, border, &resolved, error))
    return NULL;
  for (int i = 0; i < 3; i++)
    capra_axis_init (&axes[i], i, input, &resolved, border);
  for (int i = 0; i < 2; i++)
    reach[i] = end[i] > 0.0 ? clamp_radius (gaussian_reach (sigma[i], end[i]))
                            : capra_gaussian_reach (input->context->device, &axes[i], sigma[i], FALSE);
  if (!capra_window_resolve (input, window, reach[0], reach[0], reach[1], reach[1], border, &resolved, error))
    return NULL;

  deep = blur_depth (input, &rest.input, &axes[2], sigma[2], end[2], error);
  changed = deep != input;
  g_clear_pointer (&source, capra_array_unref);
  if (!deep)
    return NULL;
  if (capra_axis_misses (&resolved, reach, border))
    blurred = capra_axis_zeros (deep, &resolved, error);
  else
    blurred = blur_planes (deep, &rest, axes, sigma, end, FALSE, error);
  /* A copy if nothing changed. */
  if (blurred && blurred == deep && !changed)
    {
      capra_array_unref (blurred);
      blurred = blur_axis (deep, &axes[0], 0.0, end[0], error);
    }
  return blurred ? capra_convert_by (blurred, rest.result, error) : NULL;
}
