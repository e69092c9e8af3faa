/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wide Gaussian by decimation: a Gaussian of a Gaussian of a Gaussian, the middle one, which is
 * nearly all of it, on an image with fewer samples. Private. */
#pragma once

#include "algorithms/axis.h"

G_BEGIN_DECLS

/* Where a Gaussian that is whole ends all the same, in sigmas: 6e-7 of it lie beyond. */
#define CAPRA_GAUSSIAN_FULL 5.0

/* How many samples of @axis make one for a blur with @sigma on @device: a power of 2, or 1 where it is not
 * worth it. The same for every part of an image. */
int capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma);

/* Blurs x and y of @input with @sigma, to 1e-5 of the range of its values; axes whose factor is 1 are left
 * as they are. @blur does the same for the small image, with axes of its own. */
typedef CapraArray *(*CapraGaussianBlur) (CapraArray *input, const CapraAxis axes[2],
                                          const double sigma[2], GError **error);
CapraArray *capra_gaussian_decimate (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                     const int factors[2], CapraGaussianBlur blur, GError **error);

G_END_DECLS
