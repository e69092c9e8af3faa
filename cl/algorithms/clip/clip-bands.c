/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip, for images that are read in bands, on the host.
 *
 * The values are counted in bins (clip-bins.h), from which the iterations are computed. Where a bound or a median falls
 * into a bin, its values are estimated to be spread evenly, until another pass over the image has counted each of them:
 * the estimated iterations predict in which bins that is necessary. */
#include <float.h>
#include <math.h>

#include "algorithms/clip/clip-bins.h"
#include "algorithms/clip/clip-device.h"
#include "algorithms/common/order-key.h"

/* Iterations with estimated values, at most. */
#define MAX_ESTIMATED 30

/* The keys of the smallest and the largest finite value. */
static void
get_keys (CapraType type, guint32 ends[2])
{
  gsize bits = 8 * capra_type_size (type);

  ends[0] = type == CAPRA_F32 ? capra_order_key_from_value (type, -FLT_MAX) : 0;
  ends[1] = type == CAPRA_F32 ? capra_order_key_from_value (type, FLT_MAX) : G_MAXUINT32 >> (32 - bits);
}

/* The first key from @begin to @end whose value is above @bound, or with @equal at least @bound; @end + 1 if there is
 * none. */
static guint64
find_key (CapraType type, guint32 begin, guint32 end, double bound, gboolean equal)
{
  guint64 low = begin, high = (guint64) end + 1;

  while (low < high)
    {
      guint64 middle = (low + high) / 2;
      double value = capra_order_key_to_value (type, (guint32) middle);

      if (value > bound || (equal && value == bound))
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* One iteration over the values in the range of the keys @ends, which is reduced to what is left. */
static void
iterate (CapraClipBins *bins, CapraType type, double kappa, double count, guint32 ends[2], CapraClip *clip)
{
  CapraClipSums sums;
  double mean = 0, reach = 0;
  guint64 first = 0, last = 0;

  clip->median = 0.5
                 * (capra_clip_bins_get_value (bins, ends, floor ((count - 1) / 2))
                    + capra_clip_bins_get_value (bins, ends, floor (count / 2)));
  sums = capra_clip_bins_add_up (bins, ends, clip->median);
  mean = sums.sum / sums.count;
  clip->mean = mean + clip->median;
  clip->sigma = sqrt (MAX (sums.squares / sums.count - mean * mean, 0.0));
  clip->pixels = (guint64) count;
  clip->iterations++;

  reach = kappa * clip->sigma;
  first = find_key (type, ends[0], ends[1], clip->median - reach, FALSE);
  last = find_key (type, ends[0], ends[1], clip->median + reach, TRUE);
  if (last > first)
    {
      guint32 left[2] = { (guint32) first, (guint32) (last - 1) };

      if (capra_clip_bins_add_up (bins, left, 0).count >= 1)
        {
          ends[0] = left[0];
          ends[1] = left[1];
        }
    }
}

gboolean
capra_clip_bands (const CapraBandSource *input, const CapraClipOptions *options, CapraClip *clip, GError **error)
{
  CapraType type = CAPRA_F32;
  g_autoptr (CapraClipBins) bins = NULL;

  g_return_val_if_fail (input && options && clip, FALSE);

  if (!capra_clip_check (&input->shape, options, error))
    return FALSE;
  type = input->shape.type;
  bins = capra_clip_bins_new (type);
  do
    {
      guint32 ends[2];
      double before = 0, count = 0;

      if (!capra_clip_bins_read (bins, input, error))
        return FALSE;
      get_keys (type, ends);
      count = capra_clip_bins_add_up (bins, ends, 0).count;
      if (count == 0)
        {
          capra_clip_set_no_value (error);
          return FALSE;
        }
      clip->iterations = 0;
      do
        {
          before = count;
          iterate (bins, type, options->kappa, count, ends, clip);
          count = floor (capra_clip_bins_add_up (bins, ends, 0).count);
        }
      while (count < before && !(clip->iterations >= MAX_ESTIMATED && capra_clip_bins_wants_more (bins)));
    }
  while (capra_clip_bins_wants_more (bins));
  clip->threshold = capra_clip_threshold (options, clip->median, clip->sigma);
  return TRUE;
}
