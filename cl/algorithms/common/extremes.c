/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Extremes: each work-group finds its own (extremes.cl), the host those of all groups. */
#include <math.h>

#include "algorithms/common/extremes.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"

/* The order keys of the extremes of @array and of earlier bands. */
static gboolean
add_band (CapraArray *array, gboolean finite, guint32 *low, guint32 *high, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (array, "extremes.variant", 0);
  g_autofree char *options = capra_reduction_options (array, &reduction, finite ? "-DFINITE" : NULL);
  g_autofree guint32 *keys = g_new (guint32, 2 * reduction.groups);
  g_autoptr (CapraArray) ranges = capra_array_new_uninitialized (
    array->context, &CAPRA_SHAPE_2D (2 * reduction.groups, 1, CAPRA_U32), error);
  CapraLaunch launch;

  if (!ranges)
    return FALSE;
  capra_launch_begin (&launch, array->context, "extremes", options, "extremes");
  capra_reduction_arguments (&launch, array, &reduction);
  capra_launch_write (&launch, ranges);
  if (!capra_reduction_run (&launch, array, &reduction, error)
      || !capra_array_download_first (ranges, keys, 2 * reduction.groups * sizeof *keys, error))
    return FALSE;

  for (gsize i = 0; i < reduction.groups; i++)
    {
      *low = MIN (*low, keys[2 * i]);
      *high = MAX (*high, keys[2 * i + 1]);
    }
  return TRUE;
}

gboolean
capra_extremes (const CapraBandSource *source, gboolean finite, double *min, double *max, GError **error)
{
  guint32 low = G_MAXUINT32, high = 0;

  for (gsize i = 0; i < capra_band_source_count (source); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (source, i, error);

      if (!band || !add_band (band, finite, &low, &high, error))
        return FALSE;
    }
  *min = low <= high ? capra_order_key_to_value (source->shape.type, low) : NAN;
  *max = low <= high ? capra_order_key_to_value (source->shape.type, high) : NAN;
  return TRUE;
}
