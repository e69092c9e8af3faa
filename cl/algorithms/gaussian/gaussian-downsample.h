/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x and y, downsampled, for GPUs. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-fused.h"

G_BEGIN_DECLS

/* As capra_gaussian_fused(), for factors up to 60. An axis whose factor is 1 is left as it is. */
CapraArray *capra_gaussian_downsample (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2],
                                       GError **error);

G_END_DECLS
