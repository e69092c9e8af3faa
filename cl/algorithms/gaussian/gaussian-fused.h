/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sums along y and x in one pass, of all samples or of every so manyth: what the Gaussian
 * blur is made of. Private. */
#pragma once

#include "algorithms/common/axis.h"

G_BEGIN_DECLS

/**
 * CapraGaussianStep:
 * @factor: samples from one output to the next
 * @taps: weights by @factor: each output sums @taps · @factor samples
 * @weights: theirs, in the order of positions
 * @first: the position on the axis that the first weight of the first output is for
 * @count: how many outputs
 * @whole: of steps with a factor, how many outputs there are if the whole image is asked for
 * @padding: how many weights at either end are zeros that only fill up @taps
 */
typedef struct {
  int factor, taps;
  float *weights;
  int first, count, whole, padding;
} CapraGaussianStep;

void capra_gaussian_step_clear (CapraGaussianStep *step);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraGaussianStep, capra_gaussian_step_clear)

/* span_t of kernels/gaussian.clh: an axis and the outputs of a step. */
typedef struct {
  cl_int length, source, n_source, border, first, count;
} CapraGaussianSpan;
CapraGaussianSpan capra_gaussian_span (const CapraAxis *axis, const CapraGaussianStep *step);

/* Output i along x is Σ weights[k] · input[first + i · factor + k], and so along y. Positions that the
 * border rule leads into the image, but beyond what @input holds of it, count as their nearest. */
CapraArray *capra_gaussian_tile (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2],
                                 GError **error);

/* The macro for kernels/padded.clh, if any of @steps has padding; and what kernels take then: the weights but for
 * padding, those of x first, and how many each has. */
const char *capra_gaussian_padded_option (const CapraGaussianStep steps[2]);
void capra_gaussian_pass_unpadded (CapraLaunch *launch, const CapraGaussianStep steps[2]);

/* Whether @device has the variant for GPUs, whose tiles are good for all samples too. */
gboolean capra_gaussian_has_tiles (CapraDevice *device);

/* How many strips of whole @step rows @rows are to be cut into, so that @columns · strips · @planes
 * pieces keep @device busy; returns the rows of a strip. A strip repeats @halo rows of work. */
int capra_gaussian_strip (CapraDevice *device, gint64 rows, int step, int halo, gint64 columns, gint64 planes);

G_END_DECLS
