/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wide Gaussian by decimation: a Gaussian of a Gaussian of a Gaussian, the middle one, which is
 * nearly all of it, on an image with fewer samples. Private. */
#pragma once

#include "algorithms/axis.h"

G_BEGIN_DECLS

/* Where a Gaussian that is not truncated ends all the same, in sigmas: 4e-8 of it lie beyond. */
#define CAPRA_GAUSSIAN_FULL 5.5

/* How many samples of @axis make one for a blur with @sigma, 1 (not worth it), 2, 4 or 8. */
int capra_gaussian_factor (const CapraAxis *axis, double sigma);

/* Blurs x and y of @input with @sigma, to 1e-5 of the range of its values; axes whose factor is 1 are left
 * as they are. @blur does the same for the small image, with axes of its own. */
typedef CapraArray *(*CapraGaussianBlur) (CapraArray *input, const CapraAxis axes[2],
                                          const double sigma[2], GError **error);
CapraArray *capra_gaussian_decimate (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                     const int factors[2], CapraGaussianBlur blur, GError **error);

G_END_DECLS
