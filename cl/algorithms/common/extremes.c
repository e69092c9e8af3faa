/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Extremes: each work-group finds its own (extremes.cl), the host those of all groups. */
#include <math.h>

#include "algorithms/common/extremes.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"

/* The order keys of the extremes of a part. */
typedef struct {
  guint32 low, high;
} Range;

typedef struct {
  gboolean finite;
  Range *ranges; /* of the parts */
} Search;

static gboolean
add_band (Range *range, CapraArray *array, gboolean finite, GError **error)
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
      range->low = MIN (range->low, keys[2 * i]);
      range->high = MAX (range->high, keys[2 * i + 1]);
    }
  return TRUE;
}

/* A CapraBandPartFunc. */
static gboolean
search_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Search *search = data;
  Range *range = &search->ranges[index];

  *range = (Range){ G_MAXUINT32, 0 };
  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || !add_band (range, band, search->finite, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_extremes (const CapraBandSource *source, gboolean finite, double *min, double *max, GError **error)
{
  guint n = capra_band_source_get_n_parts (source);
  g_autofree Range *ranges = g_new (Range, n);
  Search search = { finite, ranges };
  Range all = { G_MAXUINT32, 0 };

  if (!capra_band_source_run (source, search_part, &search, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    all = (Range){ MIN (all.low, ranges[i].low), MAX (all.high, ranges[i].high) };
  *min = all.low <= all.high ? capra_order_key_to_value (source->shape.type, all.low) : NAN;
  *max = all.low <= all.high ? capra_order_key_to_value (source->shape.type, all.high) : NAN;
  return TRUE;
}
