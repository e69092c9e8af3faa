/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upsampling of a small image along x and y with weights. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-fused.h"

G_BEGIN_DECLS

/**
 * CapraGaussianUpsampling:
 * @factor: outputs from one sample of the small image to the next; 1 with one weight of 1 leaves an axis alone
 * @taps: the number of weights of an output
 * @weights: the weights of each of @factor phases; symmetric
 * @phase: the phase of output 0, whose weights begin at sample 0
 * @count: the number of outputs; the small image holds all samples that they need
 */
typedef struct {
  int factor, taps;
  float *weights;
  int phase, count;
} CapraGaussianUpsampling;

void capra_gaussian_upsampling_clear (CapraGaussianUpsampling *up);

/* @straight: whether colors are divided by alpha, the last of 2 or 4 channels; only where
 * capra_gaussian_uses_groups() is false
 *
 * Output i along x is Σ weights[p · taps + k] · small[t / factor + k], p = t mod factor, t = i + phase, and
 * so along y. */
CapraArray *capra_gaussian_upsample (CapraArray *small, const CapraGaussianUpsampling ups[2], gboolean straight,
                                     GError **error);

G_END_DECLS
