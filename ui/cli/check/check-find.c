/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of automatic thresholds. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-threshold.h"

static const char *const methods[] = { "manual", "otsu", "mean", "triangle", "li", "yen", "isodata" };
static const gsize counts[] = { 3, 1000, 20011, 2, 17, 300007 };
#define QUICK_COUNTS 3

static guint
n_counts (const Check *check)
{
  return check->full ? G_N_ELEMENTS (counts) : QUICK_COUNTS;
}

/* Two kinds of pixels with noise, between -2 and 6; some are not finite. */
static float *
mixture (gsize count, guint32 seed, gboolean whole)
{
  static const float specials[] = { NAN, INFINITY, -INFINITY };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    {
      double u = g_rand_double (random) + g_rand_double (random) + g_rand_double (random);

      values[i] = (float) (g_rand_double (random) < 0.6 ? u - 2 : 2 * u);
      if (whole)
        values[i] = floorf (values[i] * 40);
      if (i % 101 == 100)
        values[i] = specials[i % 3];
    }
  return values;
}

static gboolean
check_found (Check *check, CapraThresholdMethod method, guint n, gboolean whole)
{
  g_autofree float *values = mixture (counts[n], n, whole);
  g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (counts[n], 1, CAPRA_F32), values);
  ReferenceThreshold r = reference_threshold_new (CAPRA_F32, values, counts[n]);
  double expected = reference_threshold_find (&r, method), found = NAN;
  gboolean right = FALSE;

  check_case (check, "%s of %zu %s", methods[method], counts[n], whole ? "whole numbers" : "values");
  if (input && capra_threshold_find (input, method, &found, &check->error))
    right = reference_threshold_accepts (&r, method, expected, found)
            || check_difference (check, "found %.9g, expected %.9g", found, expected);
  g_free (r.values);
  return right;
}

/* Li's method ends earlier where values are whole numbers: at half the smallest gap between two of them. */
static gboolean
run_threshold_find (Check *check)
{
  for (guint n = 0; n < n_counts (check); n++)
    for (CapraThresholdMethod method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
      if (!check_found (check, method, n, FALSE) || !check_found (check, method, n, TRUE))
        return FALSE;
  return TRUE;
}

static const char *const find_variants[] = { "extremes.variant=vector,statistics.variant=vector,"
                                             "histogram.variant=vector,threshold.search=host",
                                             "extremes.variant=group,statistics.variant=group,"
                                             "histogram.variant=group,threshold.search=host",
                                             NULL };
const CheckFamily check_threshold_find = { .name = "threshold-find",
                                           .variants = find_variants,
                                           .run = run_threshold_find };

/* A bin for each whole number: the value is exact, but for the rounding of means. */
static gboolean
run_threshold_whole (Check *check)
{
  for (guint n = 0; n < 3; n++)
    for (CapraThresholdMethod method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
      {
        gsize count = n == 2 ? 601 : 1 + 16 * n, finite = 0;
        g_autofree float *values = mixture (count, n + 3, TRUE);
        g_autofree double *wholes = g_new (double, count);
        g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (count, 1, CAPRA_F32), values);
        double found = NAN;

        check_case (check, "%s of %zu whole numbers", methods[method], count);
        for (gsize i = 0; i < count; i++)
          if (isfinite (values[i]))
            wholes[finite++] = values[i];
        if (!input || !capra_threshold_find_whole (input, method, &found, &check->error)
            || !check_number (check, "threshold", found, reference_threshold_whole (wholes, finite, method),
                              1e-9 * 256))
          return FALSE;
      }
  return TRUE;
}

static const char *const whole_variants[] = { "extremes.variant=vector,histogram.variant=vector",
                                              "extremes.variant=group,histogram.variant=group", NULL };
const CheckFamily check_threshold_whole = { .name = "threshold-whole",
                                            .variants = whole_variants,
                                            .run = run_threshold_whole };

/* Otsu's threshold with its mask, which the device may find and apply without the host. */
static gboolean
run_otsu (Check *check)
{
  for (guint n = 0; n < n_counts (check); n++)
    {
      g_autofree float *values = mixture (counts[n], n + 7, FALSE);
      g_autofree double *expected = g_new (double, counts[n]);
      g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (counts[n], 1, CAPRA_F32), values);
      ReferenceThreshold r = reference_threshold_new (CAPRA_F32, values, counts[n]);
      double wanted = reference_threshold_find (&r, CAPRA_THRESHOLD_OTSU), found = NAN;
      g_autoptr (CapraArray) mask = NULL;
      gboolean right = FALSE;

      check_case (check, "%zu values", counts[n]);
      if (input)
        mask = capra_threshold_auto (input, CAPRA_THRESHOLD_OTSU, &found, &check->error);
      if (mask)
        right = reference_threshold_accepts (&r, CAPRA_THRESHOLD_OTSU, wanted, found)
                || check_difference (check, "threshold: found %.9g, expected %.9g", found, wanted);
      g_free (r.values);
      for (gsize i = 0; i < counts[n]; i++)
        expected[i] = values[i] > found;
      if (!right || !check_values (check, g_steal_pointer (&mask), expected, 0))
        return FALSE;
    }
  return TRUE;
}

static const char *const otsu_variants[] = { "extremes.variant=vector,histogram.variant=vector,threshold.search=host",
                                             "extremes.variant=group,histogram.variant=group,threshold.search=device",
                                             NULL };
const CheckFamily check_otsu = { .name = "otsu", .variants = otsu_variants, .run = run_otsu };
