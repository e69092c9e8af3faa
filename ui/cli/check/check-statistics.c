/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of extremes, statistics, medians and clipped statistics. */
#include <math.h>
#include <string.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-statistics.h"

/* The values of a case: what they are, and their number. */
typedef struct {
  const char *what;
  gsize count;
  double low, high;
  guint special; /* every n-th value is not finite; 0 for none */
} Values;

static const Values sets[] = {
  { "noise", 1, -1, 3, 0 },
  { "noise", 37, -1, 3, 0 },
  { "noise with NaN", 4099, -1, 3, 7 },
  { "noise", 70001, -1, 3, 0 },
  { "offset", 30011, 1e6, 1e6 + 2, 0 },
  { "large values", 5003, 3e37, 3e38, 0 },
  { "tiny values", 5003, 1e-40, 1e-39, 0 },
  { "NaN only", 15, 0, 1, 1 },
  { "noise", 1048583, -1, 3, 0 },
};
#define QUICK_SETS 8
#define N_INTEGERS 6

static guint
n_sets (const Check *check)
{
  return check->full ? G_N_ELEMENTS (sets) : QUICK_SETS;
}

static float *
make_values (const Values *set, gboolean infinite)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) set->count);
  float *values = g_new (float, set->count);

  for (gsize i = 0; i < set->count; i++)
    {
      values[i] = (float) (set->low + (set->high - set->low) * g_rand_double (random));
      if (set->special && i % set->special == 0)
        values[i] = infinite && i % 3 == 2 ? INFINITY : NAN;
    }
  return values;
}

/* Noise over all values of an integer type. */
static CapraArray *
make_integers (Check *check, CapraType type, CapraStatistics *expected)
{
  CapraShape shape = CAPRA_SHAPE_2D (70001, 1, type);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (&shape));
  g_autofree double *values = g_new (double, capra_shape_count (&shape));

  reference_noise (&shape, type, data, values);
  *expected = reference_statistics (type, data, capra_shape_count (&shape));
  return check_upload (check, &shape, data);
}

typedef gboolean (*Compare) (Check *check, CapraArray *input, const CapraStatistics *expected);

/* Compares the statistics of all sets of values. A full check adds integers of all types. */
static gboolean
run_sets (Check *check, Compare compare, gboolean infinite)
{
  for (guint s = 0; s < n_sets (check); s++)
    {
      g_autofree float *values = make_values (&sets[s], infinite);
      CapraStatistics expected = reference_statistics (CAPRA_F32, values, sets[s].count);
      g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (sets[s].count, 1, CAPRA_F32), values);

      check_case (check, "%s, %zu values from %g to %g", sets[s].what, sets[s].count, sets[s].low, sets[s].high);
      if (!input || !compare (check, input, &expected))
        return FALSE;
    }
  for (CapraType type = CAPRA_U8; type <= CAPRA_I32; type += check_step (check, N_INTEGERS))
    {
      CapraStatistics expected;
      g_autoptr (CapraArray) input = make_integers (check, type, &expected);

      check_case (check, "integers, 70001 values of %s", capra_type_name (type));
      if (!input || !compare (check, input, &expected))
        return FALSE;
    }
  return TRUE;
}

static gboolean
compare_extremes (Check *check, CapraArray *input, const CapraStatistics *expected)
{
  CapraDescription d;

  return capra_array_describe (input, &d, &check->error) && check_number (check, "min", d.min, expected->min, 0)
         && check_number (check, "max", d.max, expected->max, 0);
}

static gboolean
run_extremes (Check *check)
{
  return run_sets (check, compare_extremes, TRUE);
}

static const char *const extremes_variants[] = { "extremes.variant=vector", "extremes.variant=group", NULL };
const CheckFamily check_extremes = { .name = "extremes", .variants = extremes_variants, .run = run_extremes };

/* Moments are sums of floats in blocks, which are combined in higher precision: 1e-5 of them. */
static gboolean
compare_moments (Check *check, CapraArray *input, const CapraStatistics *expected)
{
  CapraStatistics s;

  return capra_statistics (input, CAPRA_STATISTICS_MOMENTS, &s, &check->error)
         && check_number (check, "count", (double) s.count, (double) expected->count, 0)
         && check_number (check, "min", s.min, expected->min, 0) && check_number (check, "max", s.max, expected->max, 0)
         && check_number (check, "mean", s.mean, expected->mean, 1e-5 * fabs (expected->mean))
         && check_number (check, "sum", s.sum, expected->sum, 1e-5 * fabs (expected->sum))
         && check_number (check, "std", s.std, expected->std, 1e-5 * expected->std);
}

static gboolean
run_statistics (Check *check)
{
  return run_sets (check, compare_moments, TRUE);
}

static const char *const statistics_variants[] = { "statistics.variant=vector", "statistics.variant=group",
                                                   "statistics.variant=vector,reduction.vector=4,reduction.groups=2,"
                                                   "statistics.block=32",
                                                   "statistics.variant=group,reduction.groups=2,statistics.block=2",
                                                   NULL };
const CheckFamily check_statistics = { .name = "statistics", .variants = statistics_variants, .run = run_statistics };

static gboolean
compare_median (Check *check, CapraArray *input, const CapraStatistics *expected)
{
  CapraStatistics s;

  return capra_statistics (input, CAPRA_STATISTICS_MEDIAN, &s, &check->error)
         && check_number (check, "count", (double) s.count, (double) expected->count, 0)
         && check_number (check, "median", s.median, expected->median, 0);
}

static gboolean
run_median (Check *check)
{
  return run_sets (check, compare_median, FALSE);
}

static const char *const median_variants[] = { "median.variant=vector", "median.variant=group",
                                               "median.variant=bracket", NULL };
const CheckFamily check_median = { .name = "median", .variants = median_variants, .run = run_median };

/* A normal distribution around @offset with brighter and a few dark values; some are not finite. */
static float *
make_sky (gsize count, double offset, double sigma)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) count);
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    {
      double u = sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
      double bright = g_rand_double (random) < 0.02 ? pow (g_rand_double (random) + 0.01, -1.5) : 0;

      values[i] = (float) (offset + sigma * (u + bright - (g_rand_double (random) < 0.001 ? 20 : 0)));
      if (i % 1000 == 999)
        values[i] = i % 3 ? NAN : INFINITY;
    }
  return values;
}

/* The median is exact; sums to 1e-9 of the result, as clip.h promises. */
static gboolean
check_sky (Check *check, gsize width, gsize height, double offset, double sigma, double kappa)
{
  gsize count = width * height;
  g_autofree float *values = make_sky (count, offset, sigma);
  g_autofree double *data = g_new (double, count);
  CapraClipOptions options = { kappa, 5, CAPRA_CLIP_BASE_MEDIAN };
  ReferenceClip r;
  CapraClip clip;
  g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (width, height, CAPRA_F32), values);

  check_case (check, "%zux%zu around %g, sigma %g, kappa %g", width, height, offset, sigma, kappa);
  for (gsize i = 0; i < count; i++)
    data[i] = values[i];
  r = reference_clip (data, count, kappa);
  if (!input || !capra_clip (input, &options, &clip, &check->error)
      || !check_number (check, "pixels", (double) clip.pixels, (double) r.pixels, 0)
      || !check_number (check, "iterations", clip.iterations, r.iterations, 0)
      || !check_number (check, "median", clip.median, r.median, 0)
      || !check_number (check, "sigma", clip.sigma, r.sigma, 1e-9 * r.sigma)
      || !check_number (check, "mean", clip.mean, r.mean, 1e-9 * r.sigma + 1e-12 * fabs (r.mean)))
    return FALSE;
  for (gsize i = 0; i < count; i++)
    data[i] = data[i] > clip.threshold ? 255 : 0;
  return check_values (check, capra_threshold_clip (input, &options, CAPRA_U8, &clip, &check->error), data, 0);
}

static gboolean
run_clip (Check *check)
{
  static const CheckSize sizes[] = { { 1, 1 }, { 31, 33 }, { 509, 303 }, { 3, 1 }, { 1, 17 }, { 1501, 1403 } };
  static const double kappas[] = { 3, 1.5, 1 };

  for (guint s = 0; s < (check->full ? G_N_ELEMENTS (sizes) : 3); s++)
    for (guint k = 0; k < G_N_ELEMENTS (kappas); k += check_step (check, 2))
      if (!check_sky (check, sizes[s].width, sizes[s].height, s % 2 ? -1000 : 0, s % 2 ? 1 : 0.0133, kappas[k]))
        return FALSE;
  return TRUE;
}

static const char *const clip_variants[] = { "clip.variant=vector", "clip.variant=group", NULL };
const CheckFamily check_clip = { .name = "clip", .variants = clip_variants, .run = run_clip };
