/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The design of the filters that decimate a wide Gaussian: the factor, the weights for downsampling and upsampling, and
 * the blur of the coarse samples between. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-upsample.h"

G_BEGIN_DECLS

/* The radius of a whole Gaussian in sigmas: 6e-7 of its weight is outside. */
#define CAPRA_GAUSSIAN_FULL 5.0

/* The factor by which @axis is downsampled for a blur with @sigma on @device; 1 if decimation is not faster. The same
 * for every part of an image. @is_coarse: the axis is one of coarse samples. */
int capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean is_coarse);

/* The axis of the coarse samples of @axis, which are to be blurred with @sigma, without its source and its result.
 * Returns: the number of the coarse sample at its position 0; number 0 is at the image's first sample */
int capra_gaussian_coarse_axis (CapraDevice *device, const CapraAxis *axis, int factor, double sigma,
                                CapraAxis *coarse);

/* The most samples that the whole Gaussian of an output on @axis reaches to each side, for any part of an image. */
int capra_gaussian_reach (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean is_coarse);
/* The same on any device, with any tuning. */
int capra_gaussian_max_reach (double sigma);

/* Sets the factors, taps and weights of @down and @up for a blur with @sigma. With an odd number of taps a coarse
 * sample is in the middle of its @factor samples, with an even one before the first.
 * Returns: the standard deviation of the blur between, in coarse samples, or 0 */
double capra_gaussian_design (CapraDevice *device, double sigma, int factor, CapraGaussianStep *down,
                              CapraGaussianUpsampling *up);

G_END_DECLS
