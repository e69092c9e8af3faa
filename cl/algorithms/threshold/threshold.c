/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: masks by value, and by a value for each pixel. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/threshold/threshold-private.h"
#include "runtime/launch/launch.h"
#include "runtime/device/tuning.h"

/* Limits in the type of an array, as the 32 bits that a kernel takes: float, int or uint. */
typedef union {
  float real;
  gint32 integer;
  guint32 natural;
} Limit;

typedef struct {
  Limit low, high;
} Limits;

static const struct {
  double least, most;
} integers[] = {
  { 0, G_MAXUINT8 },          { G_MININT8, G_MAXINT8 }, { 0, G_MAXUINT16 },
  { G_MININT16, G_MAXINT16 }, { 0, G_MAXUINT32 },       { G_MININT32, G_MAXINT32 },
};

static const char *
limit_type (CapraType type)
{
  if (type == CAPRA_F32)
    return "float";
  return integers[type].least < 0 ? "int" : "uint";
}

static Limit
limit_from (CapraType type, double value)
{
  Limit limit;

  if (type == CAPRA_F32)
    limit.real = (float) value;
  else if (integers[type].least < 0)
    limit.integer = (gint32) value;
  else
    limit.natural = (guint32) value;
  return limit;
}

/* No value is both >= 1 and <= 0. */
static Limits
limits_of_nothing (CapraType type)
{
  return (Limits){ limit_from (type, 1), limit_from (type, 0) };
}

/* The smallest float that is at least @value, or with @above greater; and the largest one up to @value. */
static double
float_from (double value, gboolean above)
{
  float rounded = (float) value;

  if (rounded < value || (above && rounded == value))
    rounded = nextafterf (rounded, INFINITY);
  return rounded;
}

static double
float_up_to (double value)
{
  return -float_from (-value, FALSE);
}

/* Limits such that a comparison in @type has the same result as one in double with @low and @high. */
static Limits
limits_round (CapraType type, double low, double high, gboolean above)
{
  if (isnan (low) || isnan (high) || low > high || (above && low == INFINITY))
    return limits_of_nothing (type);

  if (type == CAPRA_F32)
    {
      low = float_from (low, above);
      high = float_up_to (high);
    }
  else
    {
      low = MAX (above ? floor (low) + 1 : ceil (low), integers[type].least);
      high = MIN (floor (high), integers[type].most);
      if (low > high)
        return limits_of_nothing (type);
    }
  return (Limits){ limit_from (type, low), limit_from (type, high) };
}

void
capra_threshold_round_limits (double low, double high, float limits[2])
{
  Limits rounded = limits_round (CAPRA_F32, low, high, FALSE);

  limits[0] = rounded.low.real;
  limits[1] = rounded.high.real;
}

static gboolean
has_alpha (CapraArray *input)
{
  return input->shape.channels == 2 && input->shape.type == CAPRA_F32;
}

static gboolean
threshold_check (CapraArray *input, GError **error)
{
  if (input->shape.channels == 1 || has_alpha (input))
    return TRUE;
  g_set_error (
    error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
    _ ("a threshold requires one channel, or two of f32 of which the second is alpha; the array has %u of %s: "
       "convert colors to luminance first"),
    input->shape.channels, capra_type_name (input->shape.type));
  return FALSE;
}

static CapraArray *
threshold_new_mask (CapraArray *input, CapraType type, GError **error)
{
  CapraShape shape = input->shape;

  if (type != CAPRA_F32 && (type != CAPRA_U8 || shape.channels != 1))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("a mask must be f32, or u8 with one channel, not %s with %u"), capra_type_name (type),
                   shape.channels);
      return NULL;
    }
  shape.type = type;
  return capra_array_new_uninitialized (input->context, &shape, error);
}

/* Work-items a group of kernels that process values independently. */
static gsize
threshold_group (CapraArray *input)
{
  gsize group = (gsize) MAX (1, capra_tuning_get_int (input->context->device, "threshold.group", 256));

  return MIN (group, input->context->info->max_group);
}

/* The mask of the values within @limits, or above the value in @words. */
static CapraArray *
make_mask (CapraArray *input, const Limits *limits, CapraArray *words, CapraType mask_type, GError **error)
{
  g_autoptr (CapraArray) mask = NULL;
  g_autofree char *options = NULL;
  gboolean bytes = mask_type == CAPRA_U8;
  CapraType type = input->shape.type;
  int vector = has_alpha (input) ? 4 : capra_tuning_get_int (input->context->device, "threshold.vector", 4);
  gsize count = capra_shape_count (&input->shape);
  CapraLaunch launch;

  if (!threshold_check (input, error))
    return NULL;
  mask = threshold_new_mask (input, mask_type, error);
  if (!mask)
    return NULL;

  options = g_strdup_printf ("-DIN=%s -DLIMIT=%s -DVEC=%d%s%s%s", capra_launch_type (type), limit_type (type), vector,
                             has_alpha (input) ? " -DALPHA" : "", words ? " -DFOUND" : "", bytes ? " -DBYTES" : "");
  capra_launch_begin (&launch, input->context, "threshold", options, words ? "threshold_found" : "threshold");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, mask);
  capra_launch_ulong (&launch, count);
  if (words)
    capra_launch_read (&launch, words);
  else
    {
      capra_launch_value (&launch, &limits->low, sizeof limits->low);
      capra_launch_value (&launch, &limits->high, sizeof limits->high);
    }
  if (!capra_launch_run_1d (&launch, count / vector + 1, threshold_group (input),
                            count * (capra_type_size (type) + capra_type_size (mask_type)), error))
    return NULL;
  return g_steal_pointer (&mask);
}

CapraArray *
capra_threshold_above_found (CapraArray *input, CapraArray *words, CapraType type, GError **error)
{
  return make_mask (input, NULL, words, type, error);
}

CapraArray *
capra_threshold (CapraArray *input, double low, double high, GError **error)
{
  return capra_threshold_mask (input, low, high, CAPRA_F32, error);
}

CapraArray *
capra_threshold_mask (CapraArray *input, double low, double high, CapraType type, GError **error)
{
  Limits limits;

  g_return_val_if_fail (input, NULL);

  limits = limits_round (input->shape.type, low, high, FALSE);
  return make_mask (input, &limits, NULL, type, error);
}

CapraArray *
capra_threshold_above (CapraArray *input, double value, GError **error)
{
  return capra_threshold_above_mask (input, value, CAPRA_F32, error);
}

CapraArray *
capra_threshold_above_mask (CapraArray *input, double value, CapraType type, GError **error)
{
  Limits limits;

  g_return_val_if_fail (input, NULL);

  limits = limits_round (input->shape.type, value, INFINITY, TRUE);
  return make_mask (input, &limits, NULL, type, error);
}

static gboolean
local_check (CapraArray *input, CapraArray *low, GError **error)
{
  const CapraShape *a = &input->shape, *b = &low->shape;

  if (!threshold_check (input, error))
    return FALSE;
  if (a->width != b->width || a->height != b->height || a->depth != b->depth || b->channels != 1)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("an image of %zu x %zu x %zu pixels requires local thresholds of that size with one channel, not "
                      "%zu x %zu x %zu with %u"),
                   a->width, a->height, a->depth, b->width, b->height, b->depth, b->channels);
      return FALSE;
    }
  if (input->context != low->context)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("the image and its thresholds are on different devices: copy one of them with "
                              "capra_array_copy()"));
      return FALSE;
    }
  return TRUE;
}

CapraArray *
capra_threshold_local (CapraArray *input, CapraArray *low, double high, GError **error)
{
  return capra_threshold_local_mask (input, low, high, CAPRA_F32, error);
}

CapraArray *
capra_threshold_local_mask (CapraArray *input, CapraArray *low, double high, CapraType mask_type, GError **error)
{
  g_autoptr (CapraArray) mask = NULL;
  g_autofree char *options = NULL;
  CapraType type, low_type;
  Limits limits;
  gsize count;
  CapraLaunch launch;

  g_return_val_if_fail (input && low, NULL);

  if (!local_check (input, low, error))
    return NULL;
  mask = threshold_new_mask (input, mask_type, error);
  if (!mask)
    return NULL;

  type = input->shape.type;
  low_type = low->shape.type;
  count = capra_shape_count (&low->shape);
  limits = limits_round (type, -INFINITY, high, FALSE);
  options = g_strdup_printf ("-DIN=%s -DLOW=%s -DLIMIT=%s -DIN_REAL=%d -DLOW_REAL=%d%s%s", capra_launch_type (type),
                             capra_launch_type (low_type), limit_type (type), type == CAPRA_F32, low_type == CAPRA_F32,
                             mask_type == CAPRA_U8 ? " -DOUT=uchar -DSET=255" : " -DOUT=float -DSET=1.0f",
                             has_alpha (input) ? " -DALPHA" : "");
  capra_launch_begin (&launch, input->context, "threshold-local", options, "threshold_local");
  capra_launch_read (&launch, input);
  capra_launch_read (&launch, low);
  capra_launch_write (&launch, mask);
  capra_launch_ulong (&launch, count);
  capra_launch_value (&launch, &limits.low, sizeof limits.low);
  capra_launch_value (&launch, &limits.high, sizeof limits.high);
  if (!capra_launch_run_1d (&launch, count, threshold_group (input),
                            count
                              * (input->shape.channels * (capra_type_size (type) + capra_type_size (mask_type))
                                 + capra_type_size (low_type)),
                            error))
    return NULL;
  return g_steal_pointer (&mask);
}
