/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of every fourth, eighth or sixteenth sample along x, then y, on GPUs. Private. */
#pragma once

#include "algorithms/gaussian-tile.h"

G_BEGIN_DECLS

/* As capra_gaussian_tile(), for steps whose factor is 1 (which are left alone: one weight of 1), 2, 4, 8 or
 * 16 and whose weights are nine by the factor. */
CapraArray *capra_gaussian_down (CapraArray *input, const CapraAxis axes[2],
                                 const CapraGaussianStep steps[2], GError **error);

G_END_DECLS
