/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Interpolation of a small image along x and y with weights. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-fused.h"

G_BEGIN_DECLS

/**
 * CapraGaussianUp:
 * @factor: outputs from one sample of the small image to the next; 1 with one weight of 1 leaves an axis alone
 * @taps: weights of an output
 * @weights: theirs, for each of @factor phases; the same from both ends
 * @phase: output 0's; its weights begin at sample 0
 * @count: how many outputs; the small image holds all that they need
 */
typedef struct {
  int factor, taps;
  float *weights;
  int phase, count;
} CapraGaussianUp;

void capra_gaussian_up_clear (CapraGaussianUp *up);

/* Output i along x is Σ weights[p · taps + k] · small[t / factor + k], p = t mod factor, t = i + phase, and
 * so along y. */
CapraArray *capra_gaussian_up (CapraArray *small, const CapraGaussianUp ups[2], GError **error);

G_END_DECLS
