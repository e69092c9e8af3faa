/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip, on the host: for devices without double precision, and where the device has not found the result, since too
 * many values have nearly the same distance from the median. */
#include <math.h>
#include <stdlib.h>

#include "algorithms/clip/clip-device.h"
#include "algorithms/common/order-key.h"
#include "runtime/memory/array-transfer.h"

static double
value_at (CapraType type, gconstpointer data, gsize i)
{
  switch (type)
    {
    case CAPRA_U8: return ((const guint8 *) data)[i];
    case CAPRA_I8: return ((const gint8 *) data)[i];
    case CAPRA_U16: return ((const guint16 *) data)[i];
    case CAPRA_I16: return ((const gint16 *) data)[i];
    case CAPRA_U32: return ((const guint32 *) data)[i];
    case CAPRA_I32: return ((const gint32 *) data)[i];
    default: return ((const float *) data)[i];
    }
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* The order keys of the finite values, sorted. */
static guint32 *
sort_keys (CapraArray *input, gsize *count, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gsize all = capra_shape_count (shape);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));
  g_autofree guint32 *keys = g_new (guint32, all);

  if (!capra_array_download (input, data, error))
    return NULL;
  *count = 0;
  for (gsize i = 0; i < all; i++)
    {
      double value = value_at (shape->type, data, i);

      if (isfinite (value))
        keys[(*count)++] = capra_order_key_from_value (shape->type, value);
    }
  qsort (keys, *count, sizeof *keys, compare_keys);
  return g_steal_pointer (&keys);
}

gboolean
capra_clip_on_host (CapraArray *input, const CapraClipOptions *options, CapraClip *clip, GError **error)
{
  CapraType type = capra_array_get_shape (input)->type;
  gsize begin = 0, end = 0, before = 0;
  g_autofree guint32 *keys = sort_keys (input, &end, error);

  if (!keys)
    return FALSE;
  if (end == 0)
    {
      capra_clip_set_no_value (error);
      return FALSE;
    }
  clip->iterations = 0;
  do
    {
      gsize first = begin, last = end;
      double sum = 0, squares = 0, mean = 0, low = 0, high = 0;

      before = end - begin;
      clip->median = (capra_order_key_to_value (type, keys[begin + (before - 1) / 2])
                      + capra_order_key_to_value (type, keys[begin + before / 2]))
                     / 2;
      for (gsize i = begin; i < end; i++)
        {
          double d = capra_order_key_to_value (type, keys[i]) - clip->median;

          sum += d;
          squares += d * d;
        }
      mean = sum / (double) before;
      clip->mean = mean + clip->median;
      clip->sigma = sqrt (MAX (squares / (double) before - mean * mean, 0.0));
      clip->pixels = before;
      clip->iterations++;
      low = clip->median - options->kappa * clip->sigma;
      high = clip->median + options->kappa * clip->sigma;
      while (first < end && !(capra_order_key_to_value (type, keys[first]) > low))
        first++;
      while (last > first && !(capra_order_key_to_value (type, keys[last - 1]) < high))
        last--;
      if (last > first)
        {
          begin = first;
          end = last;
        }
    }
  while (end - begin < before);
  clip->threshold = capra_clip_threshold (options, clip->median, clip->sigma);
  return TRUE;
}
