/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip: median and standard deviation of an image's background, by iterated kappa-sigma clipping. */
#pragma once

#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

/* To what a multiple of the standard deviation is added. */
typedef enum {
  CAPRA_CLIP_BASE_MEDIAN, /* the median of the values that are left */
  CAPRA_CLIP_BASE_ZERO,
} CapraClipBase;

/**
 * CapraClipOptions:
 * @kappa: values at least this many standard deviations from the median are removed
 * @factor: the threshold is this many standard deviations above @base
 */
typedef struct {
  double kappa, factor;
  CapraClipBase base;
} CapraClipOptions;

#define CAPRA_CLIP_DEFAULTS ((CapraClipOptions){ 3.0, 5.0, CAPRA_CLIP_BASE_MEDIAN })

/**
 * CapraClip:
 * @threshold: as the options define it
 * @median: of the values that are left, as are @mean and @sigma, the standard deviation of the population
 * @pixels: number of values that are left
 * @iterations: number of iterations, with the last one, which removed nothing
 */
typedef struct {
  double threshold, median, mean, sigma;
  guint64 pixels;
  guint iterations;
} CapraClip;

/**
 * capra_clip:
 * @input: one channel, any type and shape
 *
 * Keeps the values v with median - kappa sigma < v < median + kappa sigma, and repeats that with the median and the
 * standard deviation of those that are left, until nothing changes. If nothing would be left, the iteration ends
 * before. NaN and infinities are ignored. An image without finite values is an error.
 *
 * The median is exact. Devices that compute in double precision run all iterations of an ordinary image without
 * waiting for the host, and wait between rounds of iterations if few of many values are left in the end; their sums are
 * exact to 1e-9 of the result or better.
 */
CAPRA_API
gboolean capra_clip (CapraArray *input, const CapraClipOptions *options, CapraClip *clip, GError **error);

/**
 * capra_clip_bands: (skip)
 *
 * As capra_clip(), on the host.
 */
CAPRA_API
gboolean capra_clip_bands (const CapraBandSource *input, const CapraClipOptions *options, CapraClip *clip,
                           GError **error);

G_END_DECLS
