/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass, with or without downsampling: the passes of the Gaussian blur. Private. */
#pragma once

#include "algorithms/common/axis.h"
#include "algorithms/common/color.h"
#include "algorithms/gaussian/gaussian-params.h"

G_BEGIN_DECLS

/**
 * CapraGaussianStep:
 * @factor: samples from one output to the next
 * @taps: the number of weights divided by @factor: an output is a sum of @taps · @factor samples
 * @weights: the weights, in the order of positions
 * @first: the position on the axis of the first weight for the first output
 * @count: the number of outputs
 * @whole: with a factor, the number of outputs for the whole image
 * @padding: the number of zeros at either end of the weights, which only fill up @taps
 */
typedef struct {
  int factor, taps;
  float *weights;
  int first, count, whole, padding;
} CapraGaussianStep;

void capra_gaussian_step_clear (CapraGaussianStep *step);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraGaussianStep, capra_gaussian_step_clear)

/* @axis and the outputs of @step, for the kernels. */
CapraGaussianAxis capra_gaussian_axis (const CapraAxis *axis, const CapraGaussianStep *step);

/* Output i along x is Σ weights[k] · input[first + i · factor + k], and so along y. Positions that the
 * border rule leads into the image, but beyond what @input holds of it, count as their nearest. @conversion:
 * (nullable): a conversion of the input, for which capra_gaussian_converts() is true */
CapraArray *capra_gaussian_fused (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
                                  const CapraGaussianStep steps[2], GError **error);

/* Whether the device's variant of capra_gaussian_fused() can convert @input. */
gboolean capra_gaussian_converts (CapraArray *input, const CapraConversion *conversion);

/* The option for padded.clh if any of @steps has padding, and the arguments that kernels then require: the weights
 * without padding, those of x first, and their numbers. */
const char *capra_gaussian_padded_option (const CapraGaussianStep steps[2]);
void capra_gaussian_pass_unpadded (CapraLaunch *launch, const CapraGaussianStep steps[2]);

/* Whether @device runs the group variant, and not the vector variant. */
gboolean capra_gaussian_uses_groups (CapraDevice *device);

/* Divides @rows into strips of whole steps, of @step rows, so that @columns · strips · @planes strips keep @device
 * busy; returns the rows of a strip. Each strip repeats the work of @halo rows. */
int capra_gaussian_strip (CapraDevice *device, gint64 rows, int step, int halo, gint64 columns, gint64 planes);

G_END_DECLS
