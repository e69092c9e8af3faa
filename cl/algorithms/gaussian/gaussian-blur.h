/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Gaussian blur with a sigma per axis. */
#pragma once

#include "algorithms/common/color.h"
#include "algorithms/common/window.h"

G_BEGIN_DECLS

/* The default radius of the sampled Gaussian in sigmas, as in scipy.ndimage. */
#define CAPRA_GAUSSIAN_TRUNCATE 4.0

/* From this sigma on, the whole Gaussian is faster than a sampled one with a radius of 4 sigmas. */
#define CAPRA_GAUSSIAN_MIN_WHOLE_SIGMA 4.0

/**
 * CapraGaussianFilter:
 * @CAPRA_GAUSSIAN_AUTO: along x and y whole from %CAPRA_GAUSSIAN_MIN_WHOLE_SIGMA on, sampled below; along z
 *   sampled
 * @CAPRA_GAUSSIAN_SAMPLED: the sum of samples with the weights exp (-i² / 2σ²), truncated at a number
 *   of sigmas and normalized to the sum 1
 * @CAPRA_GAUSSIAN_WHOLE: the result of the full Gaussian, to 1e-5 of the range of the values, at about the same
 *   cost for every sigma
 *
 * The numbers are those of gegl:gaussian-blur's filters auto, fir and iir.
 */
typedef enum {
  CAPRA_GAUSSIAN_AUTO,
  CAPRA_GAUSSIAN_SAMPLED,
  CAPRA_GAUSSIAN_WHOLE,
} CapraGaussianFilter;

/**
 * capra_gaussian_radius:
 * Returns: the distance in samples, along x or y, within which a sample visibly changes outputs: (int) (@truncate ·
 *   @sigma + 0.5) for the sampled filter, 5.5 sigmas for the full Gaussian
 */
CAPRA_API
int capra_gaussian_radius (double sigma, CapraGaussianFilter filter, double truncate);

/**
 * capra_gaussian_source_radius:
 * Returns: how far the filter reaches to each side along x or y on any device, in samples, and so what a window's
 *   source has to hold: where it is sampled, as far as capra_gaussian_radius(); where it is whole, up to 9 sigmas,
 *   or 12 for very large ones
 */
CAPRA_API
int capra_gaussian_source_radius (double sigma, CapraGaussianFilter filter, double truncate);

/**
 * capra_gaussian_blur:
 * @input: any shape and type; channels are blurred separately
 * @sigma: standard deviations along x, y, z in samples, 0 to leave an axis alone
 * @filter: the kind of Gaussian
 * @truncate: where a sampled Gaussian ends, in sigmas (%CAPRA_GAUSSIAN_TRUNCATE)
 * @window: (nullable): %NULL for the whole array
 *
 * A NaN or infinity changes only outputs within capra_gaussian_source_radius(). Outputs are the same to the byte
 * whatever window they are made in; but where a sampled Gaussian reaches further than a volume is long, results beyond
 * its edges may differ by rounding (1e-6 of the values' range).
 *
 * Returns: (transfer full): an f32 array of the size of the window's result and the channels and
 *   depth of @input, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_gaussian_blur (CapraArray *input, const double sigma[3], CapraGaussianFilter filter, double truncate,
                                 CapraBorder border, const CapraWindow *window, GError **error);

/**
 * capra_gaussian_blur_converted:
 * @input: (transfer full): freed as soon as it is not needed
 * @conversions: (nullable): applied to @input before it is blurred, and to the result; %NULL for none
 *
 * As capra_gaussian_blur() between two calls of capra_convert_by(), whose results are not stored where the kernels can
 * convert what they load and store.
 */
CAPRA_API
CapraArray *capra_gaussian_blur_converted (CapraArray *input, const CapraConversions *conversions,
                                           const double sigma[3], CapraGaussianFilter filter, double truncate,
                                           CapraBorder border, const CapraWindow *window, GError **error);

G_END_DECLS
