/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass, for small images and long filters on GPUs. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-fused.h"

G_BEGIN_DECLS

/* The most samples that a filter may reach to each side. */
#define CAPRA_GAUSSIAN_BLOCK_REACH 32

/* As capra_gaussian_fused(), for steps whose factor is 1. */
CapraArray *capra_gaussian_block (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2],
                                  GError **error);

G_END_DECLS
