/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A pass of the box blur along one axis, and the methods that run it. Private. */
#pragma once

#include "algorithms/box/box-params.h"
#include "algorithms/common/axis.h"
#include "algorithms/common/color.h"

G_BEGIN_DECLS

/**
 * CapraBoxPass:
 * @input: the array to blur
 * @output: where the results go
 * @offsets: (nullable): one value for each line along the axis, added to all of its outputs
 * @axis: the axis
 * @box: the parameters of the kernels; each method sets the members that only it needs in a copy
 */
typedef struct {
  CapraArray *input, *output, *offsets;
  const CapraAxis *axis;
  CapraBox box;
} CapraBoxPass;

/* The options of kernels that process whole pixels: IN, CHANNELS, and OFFSETS if the pass has them. */
char *capra_box_pass_pixel_options (const CapraBoxPass *pass);
/* The options of kernels that process @vec neighboring values: IN, VEC, and OFFSETS if @offsets. */
char *capra_box_pass_vector_options (const CapraBoxPass *pass, int vec, gboolean offsets);
/* The option for boxes that start before the first stored output: parts of an image have programs of their own, so that
 * whole images do not pay for them. */
const char *capra_box_partial_option (const CapraBox *box);
/* The option for positions that are further outside the image than it is long. */
const char *capra_box_far_option (const CapraBox *box);

/* Moves the first output to a multiple of @grid samples of the image, so that outputs are computed from the same sums
 * whatever part of the image is requested. The outputs before the requested ones are skipped, and samples that only
 * they need count as 0. */
void capra_box_align (CapraBox *box, const CapraAxis *axis, int grid);

/* Begins a launch with the input and the output as its first arguments. */
void capra_box_pass_begin (const CapraBoxPass *pass, CapraLaunch *launch, const char *program, const char *options,
                           const char *kernel);
/* The bytes read and written by a pass. */
guint64 capra_box_pass_bytes (const CapraBoxPass *pass);

/* The methods, each in a file of its name. Those for rows require samples that are neighbors in memory. */
gboolean capra_box_vector_rows (const CapraBoxPass *pass, GError **error);
gboolean capra_box_vector_columns (const CapraBoxPass *pass, GError **error);
gboolean capra_box_scan_rows (const CapraBoxPass *pass, GError **error);
gboolean capra_box_group_columns (const CapraBoxPass *pass, GError **error);
gboolean capra_box_walk_columns (const CapraBoxPass *pass, GError **error);
/* Whether the box is wide enough to walk down, and its sums fit into local memory. */
gboolean capra_box_walk_columns_suits (const CapraBoxPass *pass);

/* Both passes at once, along y and x, with the parameters of each. @conversion: (nullable): a conversion of the input,
 * for which capra_color_fuses() is true. @straight: whether colors of the output are divided by alpha, the last of 2 or
 * 4 channels */
gboolean capra_box_vector_strip (CapraArray *input, const CapraConversion *conversion, CapraArray *output,
                                 gboolean straight, const CapraAxis axes[2], const CapraBox boxes[2], GError **error);
/* Whether the samples that it holds fit into a cache, and into the private memory of @device. */
gboolean capra_box_vector_strip_suits (CapraDevice *device, const CapraBox boxes[2], guint channels);

G_END_DECLS
