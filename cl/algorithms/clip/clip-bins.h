/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip, in bands: how many values of an image have each order key, in bins of 65536 keys. Private.
 *
 * A bin first has sums of its values alone. What depends on a part of a bin is estimated, and remembered: the next pass
 * over the image then counts each of its keys. */
#pragma once

#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

typedef struct _CapraClipBins CapraClipBins;

/* The number of values, and the sums of their distances from a center and of the squares of these. */
typedef struct {
  double count, sum, squares;
} CapraClipSums;

CapraClipBins *capra_clip_bins_new (CapraType type);
void capra_clip_bins_free (CapraClipBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraClipBins, capra_clip_bins_free)

/* A pass over the finite values of @input: the first one adds up all bins, later ones count the keys of those bins of
 * which a part was estimated. */
gboolean capra_clip_bins_read (CapraClipBins *bins, const CapraBandSource *input, GError **error);

/* Whether something was estimated since the last pass. */
gboolean capra_clip_bins_wants_more (const CapraClipBins *bins);

/* The sums over the values with keys from @ends[0] to @ends[1]. */
CapraClipSums capra_clip_bins_add_up (CapraClipBins *bins, const guint32 ends[2], double center);

/* The value of @rank, from 0 on, among those with keys from @ends[0] to @ends[1]. */
double capra_clip_bins_get_value (CapraClipBins *bins, const guint32 ends[2], double rank);

G_END_DECLS
