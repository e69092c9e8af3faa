/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The parts of the box blur: what CPUs and GPUs do with a plan. Private. */
#pragma once

#include "algorithms/common/axis.h"

G_BEGIN_DECLS

/* box_t of kernels/box.clh. */
typedef struct {
  cl_int length, source, n_source, first, count, run, n_result, skip, n_blocks, border;
  cl_float scale;
} CapraBox;

/* The macros of box kernels for @shape: IN, VEC if @lanes > 0 (values side by side), else CHANNELS, and
 * MORE. */
char *capra_box_options (const CapraShape *shape, int lanes, gboolean more);

/* Has the first output stand at a multiple of @grid samples of the image, so that outputs are made of the same sums
 * whatever part of the image is asked for: those before the part's first are skipped, and what they alone would need is
 * not there. */
void capra_box_anchor (CapraBox *box, const CapraAxis *axis, int grid);

/* The sums of @box along @axis into @output, plus @more (nullable), one value a line. The rest of @box is
 * chosen here. */
gboolean capra_box_run_cpu (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis,
                            CapraBox *box, GError **error);
gboolean capra_box_run_gpu (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis,
                            CapraBox *box, GError **error);

G_END_DECLS
