/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The wide Gaussian by decimation: a Gaussian of a Gaussian, on an image with fewer samples between.
 * Private. */
#pragma once

#include "algorithms/gaussian/gaussian-design.h"

G_BEGIN_DECLS

/* Blurs x and y of @input with @sigma, to 1e-5 of the range of its values; axes whose factor is 1 are left
 * as they are. @blur does the same for the small image, with axes of its own. */
typedef CapraArray *(*CapraGaussianBlur) (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                          GError **error);
CapraArray *capra_gaussian_decimate (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                     const int factors[2], CapraGaussianBlur blur, GError **error);

G_END_DECLS
