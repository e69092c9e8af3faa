/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The wide Gaussian by decimation: downsampling, a blur of the small image, and upsampling. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-design.h"

G_BEGIN_DECLS

/* Blurs @input along x and y with @sigma, to 1e-5 of the range of its values; axes whose factor is 1 are not changed.
 * @conversion: (nullable): a conversion of the input, for which capra_gaussian_converts() is true
 * @straight: whether colors of the result are divided by alpha, as by capra_gaussian_upsample()
 * @blur: blurs the small image, on its own axes */
typedef CapraArray *(*CapraGaussianBlur) (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                                          GError **error);
CapraArray *capra_gaussian_decimate (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
                                     const double sigma[2], const int factors[2], CapraGaussianBlur blur,
                                     gboolean straight, GError **error);

G_END_DECLS
