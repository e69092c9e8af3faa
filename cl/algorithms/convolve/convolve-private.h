/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the ways to sum over a matrix share. Private. */
#pragma once

#include "algorithms/common/axis.h"

G_BEGIN_DECLS

/**
 * CapraStencil:
 * @width: columns of weights
 * @height: rows of weights
 * @left: the first column's place, so far before an output
 * @top: the first row's
 * @weights: @width · @height, row by row, in the order of the inputs (as a correlation takes them)
 * @offset: added to each sum
 * @padding: of a line, how many weights at either end are zeros that only fill it up
 */
typedef struct {
  int width, height, left, top;
  const double *weights;
  double offset;
  int padding;
} CapraStencil;

/* A sum of @input's values for every output on the axes @x and @y. */
typedef struct {
  CapraArray *input;
  const CapraAxis *x, *y;
} CapraSums;

/* direct_t of kernels/convolve.clh. */
typedef struct {
  cl_int width, height;
  cl_int length_x, source_x, n_source_x, first_x, n_result_x, stride_x;
  cl_int length_y, source_y, n_source_y, first_y, n_result_y, stride_y;
  cl_int border;
  cl_float offset;
  cl_int plane;
} CapraDirect;

/* What a kernel needs to know; the results go into @output from plane @plane on. */
CapraDirect capra_direct_init (const CapraSums *sums, const CapraStencil *stencil, gsize plane);
/* An array for @count results. */
CapraArray *capra_sums_alloc (const CapraSums *sums, gsize count, GError **error);

/* The weights of @count stencils, one after the other (g_free). */
float *capra_stencil_floats (const CapraStencil *stencils, guint count);

/* One launch for @stencil. */
gboolean capra_direct_run (const CapraSums *sums, const CapraStencil *stencil, CapraArray *output, gsize plane,
                           GError **error);
/* Whether that reaches the speed of a copy, or nearly so. */
gboolean capra_direct_is_fast (const CapraStencil *stencil);
/* One launch for all of @count stencils of one size, if they are small enough for that. */
gboolean capra_direct_takes_many (const CapraStencil *stencil);
gboolean capra_direct_run_many (const CapraSums *sums, const CapraStencil *stencils, guint count, CapraArray *output,
                                GError **error);

/* One launch for a @column of weights times a @row of weights and strides of 1, if the weights are few enough for
 * that, on devices that do well with it. */
gboolean capra_direct_takes_lines (CapraArray *input, int width, int height);
gboolean capra_direct_run_lines (const CapraSums *sums, const CapraStencil *column, const CapraStencil *row,
                                 CapraArray *output, GError **error);

/* By Fourier transforms of tiles; what that costs, in weights of a matrix summed directly. */
double capra_fourier_cost (const CapraSums *sums, const CapraStencil *stencil);
/* @rect of outputs, which count from the image's first pixel, grown to whole tiles where a matrix of that size may go
 * by tiles on any device: all that rounding errors of these outputs depend on. */
CapraRect capra_fourier_align (const CapraRect *rect, int width, int height);
gboolean capra_fourier_run (const CapraSums *sums, const CapraStencil *stencil, CapraArray *output, gsize plane,
                            GError **error);

G_END_DECLS
