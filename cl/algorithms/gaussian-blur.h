/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian blur with a sigma per axis. */
#pragma once

#include "algorithms/window.h"

G_BEGIN_DECLS

/* Where the sampled Gaussian ends by default, in sigmas, as in scipy.ndimage. */
#define CAPRA_GAUSSIAN_TRUNCATE 4.0

/**
 * capra_gaussian_radius:
 * Returns: how far the filter reaches to each side, in samples: int (@truncate · @sigma + 0.5); for a
 *   @truncate of 0, where no more of the Gaussian is seen (5.5 sigmas)
 */
int capra_gaussian_radius (double sigma, double truncate);

/**
 * capra_gaussian_blur:
 * @input: any shape and type; channels are blurred apart
 * @sigma: standard deviations along x, y, z in samples, 0 to leave an axis alone
 * @truncate: where the sampled Gaussian ends, in sigmas (%CAPRA_GAUSSIAN_TRUNCATE); its weights
 *   exp (-i² / 2σ²) are normalised to the sum 1. With 0 it does not end: the result is the Gaussian's
 *   own, to 1e-5 of the range of the values, and takes about as long for every sigma
 * @window: (nullable): %NULL for the whole array
 *
 * A NaN or infinity changes only outputs within twice the window.
 *
 * Returns: (transfer full): an f32 array of the size of the window's result and the channels and
 *   depth of @input, or %NULL with @error set
 */
CapraArray *capra_gaussian_blur (CapraArray *input, const double sigma[3], double truncate,
                                 CapraBorder border, const CapraWindow *window, GError **error);

G_END_DECLS
