/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* How a wide Gaussian is made of cells: how many samples a cell stands for, its weights, those of the outputs
 * between cells, and what is left for the cells themselves. Private. */
#pragma once

#include "algorithms/gaussian/gaussian-upsample.h"

G_BEGIN_DECLS

/* Where a Gaussian that is whole ends all the same, in sigmas: 6e-7 of it lie beyond. */
#define CAPRA_GAUSSIAN_FULL 5.0

/* How many samples of @axis make one for a blur with @sigma on @device; 1 where it is not worth it. The same
 * for every part of an image. @of_cells: the axis is one of cells. */
int capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean of_cells);

/* The axis of the cells of @axis that are to be blurred with @sigma, but for its source and its result.
 * Returns: the number of the cell at its position 0; cell 0 stands at the image's first sample */
int capra_gaussian_cells_axis (CapraDevice *device, const CapraAxis *axis, int factor, double sigma, CapraAxis *cells);

/* How far to each side the whole Gaussian of an output on @axis meets samples, at most; whatever part is asked for. */
int capra_gaussian_reach (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean of_cells);
/* The same on any device, under any tuning. */
int capra_gaussian_farthest (double sigma);

/* The factors, taps and weights of @down and @up for a blur with @sigma. With an odd number of taps cells stand in
 * the middle of their @factor samples, with an even one before the first.
 * Returns: the standard deviation, in cells, with which they are to be blurred between, or 0 */
double capra_gaussian_plan (CapraDevice *device, double sigma, int factor, CapraGaussianStep *down,
                            CapraGaussianUp *up);

G_END_DECLS
