/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color launch: launches of the kernels that include color.clh. Not installed. */
#pragma once

#include "runtime/launch/launch.h"

G_BEGIN_DECLS

typedef struct {
  CapraLaunch base; /* for the arguments after those that begin() sets */
  gsize items;
  guint64 bytes;
} CapraColorLaunch;

/* Sets the arguments that are common to these kernels: the arrays, the table, the number of pixels, @steps, and the
 * three weights of @luminance. */
void capra_color_launch_begin (CapraColorLaunch *launch, const char *program, const char *kernel, CapraArray *input,
                               CapraArray *output, int steps, const double *luminance);

/* Ends the launch, also on failure. */
gboolean capra_color_launch_run (CapraColorLaunch *launch, GError **error);

G_END_DECLS
