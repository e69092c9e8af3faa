/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color launch: launches of the kernels that include color.clh. Not installed. */
#pragma once

#include "algorithms/common/convert.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

typedef struct {
  CapraLaunch base; /* for the arguments after those that begin() sets */
  gsize items;
  guint64 bytes;
} CapraColorLaunch;

/* The value of @type that stands for 1; 0 for types that the kernels do not support. */
int capra_color_largest (CapraType type);

/* The steps of convert-params.h from one encoding to another. */
int capra_color_get_steps (CapraEncoding from, CapraEncoding to);

/* Sets an error and returns FALSE if colors in @input, encoded as @from, cannot be converted to @to and @type.
 * @luminance: (nullable): as for capra_convert() */
gboolean capra_color_check (CapraArray *input, CapraEncoding from, CapraEncoding to, const double *luminance,
                            CapraType type, GError **error);

/* Sets the arguments that are common to these kernels: the arrays, the table, the number of pixels, @steps, and the
 * three weights of @luminance. */
void capra_color_launch_begin (CapraColorLaunch *launch, const char *program, const char *kernel, CapraArray *input,
                               CapraArray *output, int steps, const double *luminance);

/* Ends the launch, also on failure. */
gboolean capra_color_launch_run (CapraColorLaunch *launch, GError **error);

G_END_DECLS
