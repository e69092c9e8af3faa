/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Moments: from partial sums of groups. */
#include <math.h>

#include "algorithms/statistics/moments-params.h"
#include "algorithms/statistics/moments.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"
#include "runtime/device/tuning.h"

#define MAX_BLOCK 256
#define MAX_IN_REGISTERS 16

/* The sums of some values, in double so that merging them loses nothing. */
typedef struct {
  guint64 count;
  guint32 low, high; /* order keys */
  double sum, squares;
} Sums;

static const Sums no_sums = { 0, G_MAXUINT32, 0, 0, 0 };

/* As merge() in moments.clh. */
static void
sums_merge (Sums *all, const Sums *more)
{
  double squares = more->squares;

  if (more->count == 0)
    return;
  if (all->count > 0)
    {
      double apart = more->sum / more->count - all->sum / all->count;

      squares += apart * apart * all->count * (more->count / ((double) all->count + more->count));
    }
  all->count += more->count;
  all->low = MIN (all->low, more->low);
  all->high = MAX (all->high, more->high);
  all->sum += more->sum;
  all->squares += squares;
}

static Sums
sums_from_partial (const partial_moments_t *partial)
{
  return (Sums){ partial->count, partial->low, partial->high, (double) partial->sum[0] + partial->sum[1],
                 (double) partial->squares[0] + partial->squares[1] };
}

/* Vectors of a block. The variant `vector` reads a block twice, so that it has to fit the first-level cache. The
 * variant `group` holds it in registers; for floats, which it reads only once, half as many leave room for more
 * work-items. */
static int
block_vectors (CapraArray *input, const CapraReduction *reduction)
{
  int block = capra_tuning_get_int (input->context->device, "statistics.block", reduction->single ? 64 : 4);

  if (!reduction->single && input->shape.type != CAPRA_F32)
    block *= 2;
  return CLAMP (block, 1, reduction->single ? MAX_BLOCK : MAX_IN_REGISTERS);
}

/* Adds the values of @input to @sums. */
static gboolean
sums_add (CapraArray *input, gboolean finite, float scale, Sums *sums, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "statistics.variant", MAX_GROUP_VALUES / 4);
  int block = block_vectors (input, &reduction);
  g_autofree char *more = g_strdup_printf ("-DBLOCK=%d%s%s", block, finite ? " -DFINITE" : "",
                                           scale != 1 ? " -DSCALED" : "");
  g_autofree char *options = capra_reduction_options (input, &reduction, more);
  g_autofree partial_moments_t *partial = g_new (partial_moments_t, reduction.groups);
  gsize bytes = reduction.groups * sizeof *partial;
  g_autoptr (CapraArray) array = capra_array_new_uninitialized (
    input->context, &CAPRA_SHAPE_2D (bytes / sizeof (guint32), 1, CAPRA_U32), error);
  CapraLaunch launch;

  if (!array)
    return FALSE;
  capra_launch_begin (&launch, input->context, "statistics", options, "statistics");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_launch_float (&launch, scale);
  capra_launch_write (&launch, array);
  if (!capra_reduction_run (&launch, input, &reduction, error)
      || !capra_array_download_first (array, partial, bytes, error))
    return FALSE;

  for (gsize i = 0; i < reduction.groups; i++)
    {
      Sums own = sums_from_partial (partial + i);

      sums_merge (sums, &own);
    }
  return TRUE;
}

typedef struct {
  gboolean finite;
  float scale;
  Sums *sums; /* of the parts */
} Addition;

/* A CapraBandPartFunc. */
static gboolean
add_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Addition *addition = data;

  addition->sums[index] = no_sums;
  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || !sums_add (band, addition->finite, addition->scale, &addition->sums[index], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
sums_find (const CapraBandSource *input, gboolean finite, float scale, Sums *sums, GError **error)
{
  guint n = capra_band_source_get_n_parts (input);
  g_autofree Sums *parts = g_new (Sums, n);
  Addition addition = { finite, scale, parts };

  if (!capra_band_source_run (input, add_part, &addition, error))
    return FALSE;
  *sums = no_sums;
  for (guint i = 0; i < n; i++)
    sums_merge (sums, &parts[i]);
  return TRUE;
}

/* The power of two by which values between @min and @max are scaled so that their squares and sums are normal floats; 1
 * if they are without scaling. */
static double
sums_scale (CapraType type, double min, double max)
{
  double largest = MAX (fabs (min), fabs (max));

  if (type != CAPRA_F32 || !isfinite (largest))
    return 1;
  if (largest > 0x1p40)
    return ldexp (1, -ilogb (largest));
  if (max > min && max - min < 0x1p-40)
    return ldexp (1, MIN (126, -ilogb (max - min)));
  return 1;
}

gboolean
capra_moments_compute (const CapraBandSource *input, gboolean finite, CapraMoments *moments, GError **error)
{
  CapraType type = input->shape.type;
  CapraMoments result = { 0, NAN, NAN, NAN, NAN, 0 };
  Sums sums;
  double scale;

  if (!sums_find (input, finite, 1, &sums, error))
    return FALSE;
  *moments = result;
  if (sums.count == 0)
    return TRUE;

  result.count = sums.count;
  result.min = capra_order_key_to_value (type, sums.low);
  result.max = capra_order_key_to_value (type, sums.high);
  scale = sums_scale (type, result.min, result.max);
  if (scale != 1 && !sums_find (input, finite, (float) scale, &sums, error))
    return FALSE;

  if (isinf (result.min) || isinf (result.max))
    {
      /* The sum is the infinity, or NaN if there are both. */
      result.sum = (isinf (result.min) ? result.min : 0) + (isinf (result.max) ? result.max : 0);
      result.mean = result.sum;
    }
  else
    {
      result.sum = sums.sum / scale;
      result.mean = result.min == result.max ? result.min : result.sum / result.count;
      result.std = result.min == result.max ? 0 : sqrt (sums.squares / result.count) / scale;
    }
  *moments = result;
  return TRUE;
}
