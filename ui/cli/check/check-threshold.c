/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of thresholds by value and by a value for each pixel: exact. */
#include <math.h>
#include <string.h>

#include "ui/cli/check/check-families.h"

#define N_TYPES 7

/* What a mask of @type holds where @set. */
static double
mask_value (CapraType type, gboolean set)
{
  return set ? type == CAPRA_U8 ? 255 : 1 : 0;
}

/* Noise, with values near the limits of the types in the place of the first ones. */
static void
fill_hard (const CapraShape *shape, guint32 seed, gpointer data, double *values)
{
  static const float floats[] = { 0,     -0.0f,  0.5f,   1,   0.1f,     0.099999994f, 0.10000001f,
                                  3e38f, -3e38f, 1e-40f, NAN, INFINITY, -INFINITY };
  static const guint32 words[] = { 0, 1, 16777216, 16777217, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x80000001u };
  gsize count = capra_shape_count (shape);

  reference_noise (shape, seed, data, values);
  if (shape->type == CAPRA_F32)
    memcpy (data, floats, MIN (count * sizeof *floats, sizeof floats));
  else
    memcpy (data, words, MIN (capra_shape_bytes (shape), sizeof words));
  for (gsize i = 0; i < count; i++)
    values[i] = reference_value (shape->type, data, i);
}

typedef struct {
  double low, high;
  gboolean above; /* values equal to `low` are not set */
} Limits;

static gboolean
check_limits (Check *check, const CapraShape *shape, const Limits *limits, CapraType type)
{
  gsize count = capra_shape_count (shape);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));
  g_autofree double *values = g_new (double, count);
  g_autoptr (CapraArray) input = NULL;
  CapraArray *mask = NULL;

  check_case (check, "%zux%zu of %s, %s %.17g, up to %.17g, mask of %s", shape->width, shape->height,
              capra_type_name (shape->type), limits->above ? "above" : "from", limits->low, limits->high,
              capra_type_name (type));
  fill_hard (shape, 3, data, values);
  input = check_upload (check, shape, data);
  if (input && limits->above)
    mask = capra_threshold_above_mask (input, limits->low, type, &check->error);
  else if (input)
    mask = capra_threshold_mask (input, limits->low, limits->high, type, &check->error);
  for (gsize i = 0; i < count; i++)
    values[i] = mask_value (type, (limits->above ? values[i] > limits->low : values[i] >= limits->low)
                                    && values[i] <= limits->high);
  return check_values (check, mask, values, 0);
}

/* The second channel is an alpha, which the mask keeps. */
static gboolean
check_alpha (Check *check, gsize width)
{
  CapraShape shape = { width, 3, 1, 2, CAPRA_F32 };
  g_autofree double *values = NULL;
  g_autoptr (CapraArray) input = check_noise (check, &shape, 7, &values);

  check_case (check, "%zux3 with alpha", width);
  for (gsize i = 0; i < capra_shape_count (&shape); i += 2)
    values[i] = values[i] >= -0.2 && values[i] <= 0.6;
  return input && check_values (check, capra_threshold (input, -0.2, 0.6, &check->error), values, 0);
}

static gboolean
run_threshold (Check *check)
{
  static const Limits limits[] = { { 0.25, 0.75, FALSE },
                                   { 0.1, INFINITY, TRUE },
                                   { 0, 1e300, FALSE },
                                   { 127.5, INFINITY, FALSE },
                                   { -0.5, 255, FALSE },
                                   { NAN, INFINITY, FALSE },
                                   { 16777216.5, 4294967295.0, FALSE },
                                   { INFINITY, INFINITY, TRUE } };

  for (int type = CAPRA_F32; type >= CAPRA_U8; type -= (int) check_step (check, 6))
    for (guint s = 0; s < check_n_sizes (check); s++)
      for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
        {
          CapraShape shape = { check_sizes[s].width, check_sizes[s].height, 1 + s % 3, 1, type };

          if (!check_limits (check, &shape, &limits[i], i % 2 ? CAPRA_U8 : CAPRA_F32))
            return FALSE;
        }
  for (gsize width = 1; width < 12; width += 5)
    if (!check_alpha (check, width))
      return FALSE;
  return TRUE;
}

static const char *const threshold_variants[] = { "threshold.vector=2,threshold.group=128",
                                                  "threshold.vector=4,threshold.group=64",
                                                  "threshold.vector=8,threshold.group=1024", "threshold.vector=16",
                                                  NULL };
const CheckFamily check_threshold = { .name = "threshold", .variants = threshold_variants, .run = run_threshold };

static gboolean
check_local (Check *check, const CapraShape *shape, CapraType low_type, double high, CapraType mask_type)
{
  CapraShape low_shape = { shape->width, shape->height, shape->depth, 1, low_type };
  gsize count = capra_shape_count (shape);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape)), *lows = g_malloc (capra_shape_bytes (&low_shape));
  g_autofree double *values = g_new (double, count), *low_values = g_new (double, count);
  g_autoptr (CapraArray) input = NULL, low = NULL;
  CapraArray *mask = NULL;

  check_case (check, "%zux%zu of %s from %s up to %g, mask of %s", shape->width, shape->height,
              capra_type_name (shape->type), capra_type_name (low_type), high, capra_type_name (mask_type));
  fill_hard (shape, 3, data, values);
  fill_hard (&low_shape, shape->type == low_type ? 3 : 5, lows, low_values);
  /* Pixels equal to their threshold are set; the others of these types differ. */
  for (gsize i = 0; i < count && shape->type == low_type && low_type == CAPRA_F32; i += 3)
    low_values[i] = ((float *) (gpointer) lows)[i] = (float) (0.5 * values[i]);
  input = check_upload (check, shape, data);
  low = input ? check_upload (check, &low_shape, lows) : NULL;
  if (low)
    mask = capra_threshold_local_mask (input, low, high, mask_type, &check->error);
  for (gsize i = 0; i < count; i++)
    values[i] = mask_value (mask_type, values[i] >= low_values[i] && values[i] <= high);
  return check_values (check, mask, values, 0);
}

static gboolean
run_threshold_local (Check *check)
{
  for (int type = CAPRA_F32; type >= CAPRA_U8; type -= (int) check_step (check, 6))
    for (guint pair = 0; pair < 3; pair += check_step (check, 3))
      for (guint s = 0; s < check_n_sizes (check); s++)
        {
          CapraShape shape = { check_sizes[s].width, check_sizes[s].height, 1, 1, type };
          CapraType low = pair == 0 ? type : pair == 1 ? CAPRA_F32 : (type + 4) % N_TYPES;

          if (!check_local (check, &shape, low, s % 2 ? 100.5 : INFINITY, s % 3 == 0 ? CAPRA_U8 : CAPRA_F32))
            return FALSE;
        }
  return TRUE;
}

const CheckFamily check_threshold_local = { .name = "threshold-local", .run = run_threshold_local };
